exec
CREATE TABLE t (_id VARCHAR(255) PRIMARY KEY, _doc JSON);
INSERT INTO t (_doc) VALUES ('{"_id":"a","n":1,"s":"x","tags":["p"]}'), ('{"_id":"b","n":2,"s":"y"}'), ('{"_id":"c","n":3,"s":"x"}'), ('{"_id":"d","n":4,"s":"z"}');
CREATE VIEW v AS SELECT * FROM t WHERE UPPER(s) = 'X';
CREATE VIEW whole AS SELECT * FROM t;
SET sqlfdb_full_scans = 'deny'
----
ok, 0 rows
ok, 4 rows
ok, 0 rows
ok, 0 rows
ok, 0 rows

exec
SELECT n, s FROM t;
SELECT n, s FROM t WHERE UPPER(s) = 'X';
SELECT n, s FROM t WHERE n = 2;
SELECT n, s FROM t LIMIT 2;
SELECT n, s FROM t WHERE UPPER(s) = 'X' LIMIT 2;
SELECT UPPER(s) FROM t ORDER BY UPPER(s) LIMIT 2;
SELECT COUNT(*) FROM t;
SELECT COUNT(*) FROM t WHERE n > 1;
SELECT MAX(n) FROM t;
SELECT COUNT(*) FROM t WHERE UPPER(s) = 'X';
SELECT UPPER(s), COUNT(*) FROM t GROUP BY UPPER(s);
SELECT DISTINCT UPPER(s) FROM t LIMIT 1;
SELECT * FROM v;
SELECT * FROM whole;
SELECT COUNT(*), MAX(n) FROM whole;
SELECT d.n FROM t JOIN (SELECT * FROM whole) d ON d.n = t.n WHERE t._id = 'a';
SELECT n FROM t WHERE nosuch = 5;
SELECT n FROM t WHERE nosuch = 5 OR n = 2;
SELECT x.s FROM t x JOIN t y ON x.n = y.n WHERE y.nosuch = 5;
SELECT x.s FROM t x JOIN t y ON y.n = x.n WHERE x.s = 'y';
SELECT x.s FROM t x JOIN t y ON x.s = UPPER(y.s) WHERE x.n = 1;
SELECT n FROM t WHERE n = (SELECT MIN(LENGTH(s)) FROM t);
SELECT n, s FROM t WHERE n = 2 UNION SELECT n, s FROM t;
SELECT * FROM t__tags;
SELECT * FROM t__tags WHERE _value = 'p';
SELECT d.n FROM (SELECT n, s FROM t LIMIT 1) d;
UPDATE t SET s = 'q' WHERE REVERSE(s) = 'y';
UPDATE t SET s = 'q' WHERE n = 2;
DELETE FROM t WHERE REVERSE(s) = 'y';
DELETE FROM t;
DELETE FROM t LIMIT 0;
INSERT INTO t (_id, n) SELECT CONCAT(_id, 'z'), n FROM t;
PREPARE p FROM 'SELECT n, s FROM t';
EXECUTE p;
EXPLAIN SELECT n, s FROM t;
EXPLAIN ANALYZE SELECT n, s FROM t;
ALTER TABLE t ADD COLUMN more INT;
SELECT 1
----
ERROR 1175 (HY000): The statement reads all of d.t, and sqlfdb_full_scans is deny; add a condition that a keypath's index can use, or a LIMIT
ERROR 1175 (HY000): The statement reads all of d.t, and sqlfdb_full_scans is deny; add a condition that a keypath's index can use, or a LIMIT
ok, 0 rows
ok, 0 rows
ok, 0 rows
ERROR 1175 (HY000): The statement reads all of d.t, and sqlfdb_full_scans is deny; add a condition that a keypath's index can use, or a LIMIT
ok, 0 rows
ok, 0 rows
ok, 0 rows
ok, 0 rows
ok, 0 rows
ok, 0 rows
ERROR 1175 (HY000): The statement reads all of d.t, and sqlfdb_full_scans is deny; add a condition that a keypath's index can use, or a LIMIT
ERROR 1175 (HY000): The statement reads all of d.t, and sqlfdb_full_scans is deny; add a condition that a keypath's index can use, or a LIMIT
ok, 0 rows
ok, 0 rows
ok, 0 rows
ok, 0 rows
ok, 0 rows
ok, 0 rows
ERROR 1175 (HY000): The statement reads all of d.t, and sqlfdb_full_scans is deny; add a condition that a keypath's index can use, or a LIMIT
ok, 0 rows
ERROR 1175 (HY000): The statement reads all of d.t, and sqlfdb_full_scans is deny; add a condition that a keypath's index can use, or a LIMIT
ok, 0 rows
ok, 0 rows
ok, 0 rows
ERROR 1175 (HY000): The statement reads all of d.t, and sqlfdb_full_scans is deny; add a condition that a keypath's index can use, or a LIMIT
ok, 1 rows
ERROR 1175 (HY000): The statement reads all of d.t, and sqlfdb_full_scans is deny; add a condition that a keypath's index can use, or a LIMIT
ERROR 1175 (HY000): The statement reads all of d.t, and sqlfdb_full_scans is deny; add a condition that a keypath's index can use, or a LIMIT
ok, 0 rows
ERROR 1175 (HY000): The statement reads all of d.t, and sqlfdb_full_scans is deny; add a condition that a keypath's index can use, or a LIMIT
ok, 0 rows
ERROR 1175 (HY000): The statement reads all of d.t, and sqlfdb_full_scans is deny; add a condition that a keypath's index can use, or a LIMIT
ok, 0 rows
ERROR 1175 (HY000): The statement reads all of d.t, and sqlfdb_full_scans is deny; add a condition that a keypath's index can use, or a LIMIT
ok, 0 rows
ok, 0 rows

exec
SET sqlfdb_full_scans = 'warn';
SELECT n, s FROM t x WHERE s > (SELECT MIN(UPPER(y.s)) FROM t y)
----
ok, 0 rows
ok, 0 rows

query
SHOW WARNINGS
----
Level | Code | Message
Warning | 1175 | The statement reads all of d.t

exec
SELECT n, s FROM t LIMIT 1
----
ok, 0 rows

query
SHOW WARNINGS
----
Level | Code | Message

exec
SET sqlfdb_full_scans = 'allow'
----
ok, 0 rows

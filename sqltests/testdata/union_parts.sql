# A UNION ALL in order with a LIMIT, and its COUNT, MIN and MAX: each side is asked for its own.
exec
CREATE TABLE t (_id INT PRIMARY KEY, n INT, s VARCHAR(10), d DOUBLE);
INSERT INTO t WITH RECURSIVE i AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM i WHERE n < 1500) SELECT n, n * 7 % 1501, ELT(1 + n % 3, 'a', 'b', 'c'), n / 4 FROM i;
CREATE TABLE u (_id INT PRIMARY KEY, n INT, s VARCHAR(10), _doc JSON);
INSERT INTO u (_id, n, s, _doc) SELECT _id, n, s, JSON_OBJECT('j', IF(_id % 2, n, s)) FROM t WHERE _id % 5 = 0;
CREATE VIEW v AS SELECT _id, n FROM t UNION ALL SELECT _id, n FROM u
----
ok, 0 rows
ok, 1500 rows
ok, 0 rows
ok, 300 rows
ok, 0 rows

query
SELECT * FROM (SELECT _id, n FROM t WHERE s = 'a' UNION ALL SELECT _id, n FROM t WHERE s = 'b') x ORDER BY n DESC, _id LIMIT 3
----
_id | n
1072 | 1500
643 | 1499
214 | 1498

query
SHOW STATUS WHERE Variable_name IN ('sqlfdb_last_keys', 'sqlfdb_last_documents')
----
Variable_name | Value
sqlfdb_last_documents | 21
sqlfdb_last_keys | 48

query
SELECT _id, n AS m FROM t WHERE s = 'a' UNION ALL SELECT _id, n FROM u ORDER BY m, _id LIMIT 2 OFFSET 1
----
_id | m
858 | 2
1287 | 3

query
SHOW STATUS WHERE Variable_name IN ('sqlfdb_last_keys', 'sqlfdb_last_documents')
----
Variable_name | Value
sqlfdb_last_documents | 3
sqlfdb_last_keys | 21

query
SELECT m + 1, k FROM (SELECT _id AS k, n AS m FROM t UNION ALL SELECT _id, n FROM u UNION ALL SELECT 5, 6) x ORDER BY m DESC, k LIMIT 2
----
m + 1 | k
1501 | 1072
1500 | 643

query
SHOW STATUS WHERE Variable_name IN ('sqlfdb_last_keys', 'sqlfdb_last_documents')
----
Variable_name | Value
sqlfdb_last_documents | 0
sqlfdb_last_keys | 1800

query
SELECT d, k FROM (SELECT _id AS k, d FROM t UNION ALL SELECT _id, n FROM u) x ORDER BY d DESC, k DESC LIMIT 2
----
d | k
1494 | 1500
1490 | 1285

query
SHOW STATUS WHERE Variable_name IN ('sqlfdb_last_keys', 'sqlfdb_last_documents')
----
Variable_name | Value
sqlfdb_last_documents | 1500
sqlfdb_last_keys | 300

query
SELECT * FROM (SELECT DISTINCT s FROM t UNION ALL SELECT DISTINCT s FROM u) x ORDER BY s DESC LIMIT 3
----
s
c
c
b

query
SHOW STATUS WHERE Variable_name IN ('sqlfdb_last_keys', 'sqlfdb_last_documents')
----
Variable_name | Value
sqlfdb_last_documents | 0
sqlfdb_last_keys | 150

query
SELECT * FROM (SELECT s, COUNT(*) AS c FROM t GROUP BY s UNION ALL (SELECT s, n FROM u ORDER BY n LIMIT 2)) x ORDER BY c, s LIMIT 3
----
s | c
c | 4
b | 8
a | 500

query
SHOW STATUS WHERE Variable_name IN ('sqlfdb_last_keys', 'sqlfdb_last_documents')
----
Variable_name | Value
sqlfdb_last_documents | 2
sqlfdb_last_keys | 1502

query
SELECT _id, j FROM (SELECT _id, _doc->'$.j' AS j FROM u UNION ALL SELECT _id, _doc->'$.n' FROM u) x ORDER BY j DESC, _id LIMIT 3
----
_id | j
20 | "c"
50 | "c"
80 | "c"

query
SHOW STATUS WHERE Variable_name IN ('sqlfdb_last_keys', 'sqlfdb_last_documents')
----
Variable_name | Value
sqlfdb_last_documents | 351
sqlfdb_last_keys | 53

query
SELECT _id, x FROM (SELECT _id, _doc->'$.j' AS x FROM u UNION ALL SELECT _id, s FROM t) y ORDER BY x DESC, _id LIMIT 2
----
_id | x
2 | c
5 | c

query
SHOW STATUS WHERE Variable_name IN ('sqlfdb_last_keys', 'sqlfdb_last_documents')
----
Variable_name | Value
sqlfdb_last_documents | 300
sqlfdb_last_keys | 1500

query
SELECT COUNT(*), MIN(n), MAX(n) FROM (SELECT n FROM t UNION ALL SELECT n FROM u) x
----
COUNT(*) | MIN(n) | MAX(n)
1800 | 1 | 1500

query
SHOW STATUS WHERE Variable_name IN ('sqlfdb_last_keys', 'sqlfdb_last_documents')
----
Variable_name | Value
sqlfdb_last_documents | 0
sqlfdb_last_keys | 4

query
SELECT COUNT(*) + 1 AS c, MAX(m) FROM (SELECT n AS m, s FROM t UNION ALL SELECT n, s FROM u) x WHERE s = 'b' HAVING c > 1
----
c | MAX(m)
601 | 1500

query
SHOW STATUS WHERE Variable_name IN ('sqlfdb_last_keys', 'sqlfdb_last_documents')
----
Variable_name | Value
sqlfdb_last_documents | 3
sqlfdb_last_keys | 612

query
SELECT COUNT(n), COUNT(s), MIN(s), MAX(n * 2) FROM (SELECT n, s FROM t WHERE n > 1495 UNION ALL SELECT NULL, s FROM u UNION ALL SELECT 1, 'A') x
----
COUNT(n) | COUNT(s) | MIN(s) | MAX(n * 2)
6 | 306 | a | 3000

query
SHOW STATUS WHERE Variable_name IN ('sqlfdb_last_keys', 'sqlfdb_last_documents')
----
Variable_name | Value
sqlfdb_last_documents | 305
sqlfdb_last_keys | 5

query
SELECT COUNT(*), MAX(n) FROM (SELECT n FROM t WHERE n < 0 UNION ALL SELECT n FROM u WHERE n < 0) x
----
COUNT(*) | MAX(n)
0 | NULL

query
SHOW STATUS WHERE Variable_name IN ('sqlfdb_last_keys', 'sqlfdb_last_documents')
----
Variable_name | Value
sqlfdb_last_documents | 0
sqlfdb_last_keys | 0

query
SELECT MAX(d), COUNT(*) FROM (SELECT d FROM t UNION ALL SELECT n FROM u) x
----
MAX(d) | COUNT(*)
1494 | 1800

query
SHOW STATUS WHERE Variable_name IN ('sqlfdb_last_keys', 'sqlfdb_last_documents')
----
Variable_name | Value
sqlfdb_last_documents | 1500
sqlfdb_last_keys | 300

query
SELECT COUNT(*) FROM (SELECT s FROM t UNION SELECT s FROM u) x
----
COUNT(*)
3

query
SHOW STATUS WHERE Variable_name IN ('sqlfdb_last_keys', 'sqlfdb_last_documents')
----
Variable_name | Value
sqlfdb_last_documents | 0
sqlfdb_last_keys | 1800

query
SELECT COUNT(*), MAX(c) FROM (SELECT s, COUNT(*) AS c FROM t GROUP BY s UNION ALL SELECT s, n FROM u) x
----
COUNT(*) | MAX(c)
303 | 1494

query
SHOW STATUS WHERE Variable_name IN ('sqlfdb_last_keys', 'sqlfdb_last_documents')
----
Variable_name | Value
sqlfdb_last_documents | 300
sqlfdb_last_keys | 1500

query
SELECT _id, (SELECT COUNT(*) FROM (SELECT n FROM t UNION ALL SELECT n FROM u) x WHERE x.n = o.n) AS c FROM u o ORDER BY _id LIMIT 2
----
_id | c
5 | 2
10 | 2

query
SHOW STATUS WHERE Variable_name IN ('sqlfdb_last_keys', 'sqlfdb_last_documents')
----
Variable_name | Value
sqlfdb_last_documents | 2
sqlfdb_last_keys | 8

query
SELECT _id, (SELECT n FROM (SELECT n FROM t UNION ALL SELECT n FROM u) x WHERE x.n > o.n ORDER BY n LIMIT 1) AS next FROM u o ORDER BY _id LIMIT 2
----
_id | next
5 | 36
10 | 71

query
SHOW STATUS WHERE Variable_name IN ('sqlfdb_last_keys', 'sqlfdb_last_documents')
----
Variable_name | Value
sqlfdb_last_documents | 2
sqlfdb_last_keys | 8

# Of a view, by a common table expression, prepared, and in a transaction.
query
SELECT _id, n FROM v ORDER BY n DESC LIMIT 1
----
_id | n
1072 | 1500

query
SHOW STATUS WHERE Variable_name IN ('sqlfdb_last_keys', 'sqlfdb_last_documents')
----
Variable_name | Value
sqlfdb_last_documents | 0
sqlfdb_last_keys | 2

query
SELECT COUNT(*), MAX(n) FROM v
----
COUNT(*) | MAX(n)
1800 | 1500

query
SHOW STATUS WHERE Variable_name IN ('sqlfdb_last_keys', 'sqlfdb_last_documents')
----
Variable_name | Value
sqlfdb_last_documents | 0
sqlfdb_last_keys | 2

query
WITH c AS (SELECT n FROM t UNION ALL SELECT n FROM u) SELECT n FROM c ORDER BY n LIMIT 1 OFFSET 2
----
n
3

query
SHOW STATUS WHERE Variable_name IN ('sqlfdb_last_keys', 'sqlfdb_last_documents')
----
Variable_name | Value
sqlfdb_last_documents | 0
sqlfdb_last_keys | 6

exec
PREPARE p FROM 'SELECT n FROM (SELECT n FROM t WHERE s = ? UNION ALL SELECT n FROM u) x ORDER BY n DESC LIMIT ? OFFSET ?';
SET @s = 'c', @n = 2, @m = 1
----
ok, 0 rows
ok, 0 rows

query
EXECUTE p USING @s, @n, @m
----
n
1496
1495

exec
BEGIN;
INSERT INTO t (_id, n) VALUES (9001, 77777);
DELETE FROM u WHERE n < 700
----
ok, 0 rows
ok, 1 rows
ok, 139 rows

query
SELECT COUNT(*), MIN(n), MAX(n) FROM v
----
COUNT(*) | MIN(n) | MAX(n)
1662 | 1 | 77777

query
SELECT _id, n FROM v ORDER BY n DESC LIMIT 1
----
_id | n
9001 | 77777

exec
ROLLBACK
----
ok, 0 rows

query
EXPLAIN FORMAT=TREE SELECT COUNT(*), MAX(n) FROM (SELECT n FROM t UNION ALL SELECT n FROM u) x
----
EXPLAIN
-> Project: count(1), max(x.n)
    -> Aggregate: SUM(COUNT(1)), MAX(MAX(t.n))
         executor: interpreted: not one table
        -> Union all
            -> Aggregate: COUNT(1), MAX(t.n)
                 executor: interpreted: counters or the ends of entries tell it
                -> First and last index key of t using n
                     entries only: no document is read
                     keys: about 2 of 1,500
            -> Aggregate: COUNT(1), MAX(u.n)
                -> First and last index key of u using n
                     entries only: no document is read
                     keys: about 2 of 300

query
EXPLAIN FORMAT=TREE SELECT _id FROM (SELECT _id, n FROM t UNION ALL SELECT _id, n FROM u) x ORDER BY n LIMIT 1
----
EXPLAIN
-> Limit: 1 rows
    -> Project: x._id
        -> Sort: x.n, keep 1
            -> Derived table x
                -> Union all
                    -> Limit: 1 rows
                        -> Project: t._id, t.n
                            -> Index range scan on t using n
                                 range: `n` in all values
                                 entries only: no document is read
                                 order: `n`: cost 0.1, sorting costs 1650.0
                                 ends after: 1
                                 keys: about 1 of 1,500
                                 tight
                                 cost: 0.1, a full scan costs 1500.0
                    -> Limit: 1 rows
                        -> Project: u._id, u.n
                            -> Index range scan on u using n
                                 range: `n` in all values
                                 entries only: no document is read
                                 order: `n`: cost 0.1, sorting costs 330.0
                                 ends after: 1
                                 keys: about 1 of 300
                                 tight
                                 cost: 0.1, a full scan costs 300.0

exec
SET sqlfdb_use_index = OFF
----
ok, 0 rows

query
SELECT * FROM (SELECT _id, n FROM t WHERE s = 'a' UNION ALL SELECT _id, n FROM t WHERE s = 'b') x ORDER BY n DESC, _id LIMIT 3
----
_id | n
1072 | 1500
643 | 1499
214 | 1498

query
SELECT _id, n AS m FROM t WHERE s = 'a' UNION ALL SELECT _id, n FROM u ORDER BY m, _id LIMIT 2 OFFSET 1
----
_id | m
858 | 2
1287 | 3

query
SELECT m + 1, k FROM (SELECT _id AS k, n AS m FROM t UNION ALL SELECT _id, n FROM u UNION ALL SELECT 5, 6) x ORDER BY m DESC, k LIMIT 2
----
m + 1 | k
1501 | 1072
1500 | 643

query
SELECT d, k FROM (SELECT _id AS k, d FROM t UNION ALL SELECT _id, n FROM u) x ORDER BY d DESC, k DESC LIMIT 2
----
d | k
1494 | 1500
1490 | 1285

query
SELECT * FROM (SELECT DISTINCT s FROM t UNION ALL SELECT DISTINCT s FROM u) x ORDER BY s DESC LIMIT 3
----
s
c
c
b

query
SELECT * FROM (SELECT s, COUNT(*) AS c FROM t GROUP BY s UNION ALL (SELECT s, n FROM u ORDER BY n LIMIT 2)) x ORDER BY c, s LIMIT 3
----
s | c
c | 4
b | 8
a | 500

query
SELECT _id, j FROM (SELECT _id, _doc->'$.j' AS j FROM u UNION ALL SELECT _id, _doc->'$.n' FROM u) x ORDER BY j DESC, _id LIMIT 3
----
_id | j
20 | "c"
50 | "c"
80 | "c"

query
SELECT _id, x FROM (SELECT _id, _doc->'$.j' AS x FROM u UNION ALL SELECT _id, s FROM t) y ORDER BY x DESC, _id LIMIT 2
----
_id | x
2 | c
5 | c

query
SELECT COUNT(*), MIN(n), MAX(n) FROM (SELECT n FROM t UNION ALL SELECT n FROM u) x
----
COUNT(*) | MIN(n) | MAX(n)
1800 | 1 | 1500

query
SELECT COUNT(*) + 1 AS c, MAX(m) FROM (SELECT n AS m, s FROM t UNION ALL SELECT n, s FROM u) x WHERE s = 'b' HAVING c > 1
----
c | MAX(m)
601 | 1500

query
SELECT COUNT(n), COUNT(s), MIN(s), MAX(n * 2) FROM (SELECT n, s FROM t WHERE n > 1495 UNION ALL SELECT NULL, s FROM u UNION ALL SELECT 1, 'A') x
----
COUNT(n) | COUNT(s) | MIN(s) | MAX(n * 2)
6 | 306 | a | 3000

query
SELECT COUNT(*), MAX(n) FROM (SELECT n FROM t WHERE n < 0 UNION ALL SELECT n FROM u WHERE n < 0) x
----
COUNT(*) | MAX(n)
0 | NULL

query
SELECT MAX(d), COUNT(*) FROM (SELECT d FROM t UNION ALL SELECT n FROM u) x
----
MAX(d) | COUNT(*)
1494 | 1800

query
SELECT COUNT(*) FROM (SELECT s FROM t UNION SELECT s FROM u) x
----
COUNT(*)
3

query
SELECT COUNT(*), MAX(c) FROM (SELECT s, COUNT(*) AS c FROM t GROUP BY s UNION ALL SELECT s, n FROM u) x
----
COUNT(*) | MAX(c)
303 | 1494

query
SELECT _id, (SELECT COUNT(*) FROM (SELECT n FROM t UNION ALL SELECT n FROM u) x WHERE x.n = o.n) AS c FROM u o ORDER BY _id LIMIT 2
----
_id | c
5 | 2
10 | 2

query
SELECT _id, (SELECT n FROM (SELECT n FROM t UNION ALL SELECT n FROM u) x WHERE x.n > o.n ORDER BY n LIMIT 1) AS next FROM u o ORDER BY _id LIMIT 2
----
_id | next
5 | 36
10 | 71

query
CHECK TABLE t, u
----
Table | Op | Msg_type | Msg_text
d.t | check | status | OK
d.u | check | status | OK

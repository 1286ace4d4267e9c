# Statements that hold more than they may: rows that are sorted, groups, rows that are told apart.

exec
CREATE TABLE a (_id VARCHAR(255) PRIMARY KEY, _doc JSON);
INSERT INTO a (_id, n, m, s) WITH RECURSIVE s AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM s WHERE i < 400) SELECT CONCAT('a', i), i, i % 7, REPEAT('x', i) FROM s;
SET sqlfdb_statement_bytes = 20000;
----
ok, 0 rows
ok, 400 rows
ok, 0 rows

query
SELECT n FROM a ORDER BY s + 1, n
----
ERROR 3170 (HY000): Memory capacity of 20000 bytes for 'sqlfdb_statement_bytes' exceeded. The statement holds more than that in rows and values

query
SELECT n FROM a ORDER BY n * -1 LIMIT 3
----
n
400
399
398

query
SELECT n FROM a ORDER BY CONCAT(s, n) LIMIT 390
----
ERROR 3170 (HY000): Memory capacity of 20000 bytes for 'sqlfdb_statement_bytes' exceeded. The statement holds more than that in rows and values

query
SELECT n FROM a WHERE n < 60 ORDER BY n * -1 LIMIT 3
----
n
59
58
57

query
SELECT n + 1, COUNT(*) FROM a GROUP BY n + 1
----
ERROR 3170 (HY000): Memory capacity of 20000 bytes for 'sqlfdb_statement_bytes' exceeded. The statement holds more than that in rows and values

query
SELECT m + 1, COUNT(*) FROM a GROUP BY m + 1 ORDER BY m + 1
----
m + 1 | COUNT(*)
1 | 57
2 | 58
3 | 57
4 | 57
5 | 57
6 | 57
7 | 57

query
SELECT LENGTH(JSON_ARRAYAGG(s)) FROM a
----
ERROR 3170 (HY000): Memory capacity of 20000 bytes for 'sqlfdb_statement_bytes' exceeded. The statement holds more than that in rows and values

query
SELECT LENGTH(GROUP_CONCAT(s)) FROM a
----
ERROR 3170 (HY000): Memory capacity of 20000 bytes for 'sqlfdb_statement_bytes' exceeded. The statement holds more than that in rows and values

query
SELECT COUNT(DISTINCT n + 1) FROM a
----
ERROR 3170 (HY000): Memory capacity of 20000 bytes for 'sqlfdb_statement_bytes' exceeded. The statement holds more than that in rows and values

query
SELECT COUNT(DISTINCT m + 1) FROM a
----
COUNT(DISTINCT m + 1)
7

query
SELECT COUNT(*) FROM (SELECT DISTINCT n + 1 FROM a) AS d
----
ERROR 3170 (HY000): Memory capacity of 20000 bytes for 'sqlfdb_statement_bytes' exceeded. The statement holds more than that in rows and values

query
SELECT COUNT(*) FROM (SELECT n + 1 FROM a UNION SELECT n + 2 FROM a) AS d
----
ERROR 3170 (HY000): Memory capacity of 20000 bytes for 'sqlfdb_statement_bytes' exceeded. The statement holds more than that in rows and values

query
SELECT n + 1 FROM a INTERSECT SELECT n + 500 FROM a
----
ERROR 3170 (HY000): Memory capacity of 20000 bytes for 'sqlfdb_statement_bytes' exceeded. The statement holds more than that in rows and values

query
SELECT n, ROW_NUMBER() OVER (ORDER BY n * -1) FROM a
----
ERROR 3170 (HY000): Memory capacity of 20000 bytes for 'sqlfdb_statement_bytes' exceeded. The statement holds more than that in rows and values

query
SELECT n, COUNT(*) OVER () FROM a
----
ERROR 3170 (HY000): Memory capacity of 20000 bytes for 'sqlfdb_statement_bytes' exceeded. The statement holds more than that in rows and values

query
WITH RECURSIVE s AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM s WHERE i < 900) SELECT COUNT(*) FROM s
----
COUNT(*)
900

query
WITH RECURSIVE s AS (SELECT 1 AS i UNION SELECT i + 1 FROM s WHERE i < 900) SELECT COUNT(*) FROM s
----
ERROR 3170 (HY000): Memory capacity of 20000 bytes for 'sqlfdb_statement_bytes' exceeded. The statement holds more than that in rows and values

# What a subquery has held is released before it runs again.
query
SELECT COUNT(*), SUM(k) FROM (SELECT n, (SELECT MAX(b.n) FROM (SELECT n, m FROM a AS c WHERE c.n < 20 ORDER BY c.n * -1 LIMIT 10) AS b WHERE b.m = a.m) AS k FROM a WHERE n < 200) AS d
----
COUNT(*) | SUM(k)
199 | 3184

query
SELECT COUNT(*) FROM a WHERE n < 200 AND n > (SELECT COUNT(DISTINCT b.m + a.m) FROM a AS b WHERE b.n < 20)
----
COUNT(*)
192

# So is what its windows have held.
query
SELECT COUNT(*), SUM(k) FROM (SELECT n, (SELECT ROW_NUMBER() OVER (ORDER BY b.n * -1) AS r FROM a AS b WHERE b.n < 20 AND b.m = a.m ORDER BY r DESC LIMIT 1) AS k FROM a WHERE n < 200) AS d
----
COUNT(*) | SUM(k)
199 | 541

query
SELECT n FROM a ORDER BY n * -1, s LIMIT 18446744073709551615
----
ERROR 3170 (HY000): Memory capacity of 20000 bytes for 'sqlfdb_statement_bytes' exceeded. The statement holds more than that in rows and values

exec
UPDATE a SET k = 1 ORDER BY n * -1;
DELETE FROM a ORDER BY n * -1 LIMIT 2;
SET sqlfdb_statement_bytes = 0;
SET sqlfdb_statement_bytes = DEFAULT;
UPDATE a SET k = 1 ORDER BY n * -1;
----
ERROR 3170 (HY000): Memory capacity of 20000 bytes for 'sqlfdb_statement_bytes' exceeded. The statement holds more than that in rows and values
ok, 2 rows
ERROR 1231 (42000): Variable 'sqlfdb_statement_bytes' can't be set to the value of '0'
ok, 0 rows
ok, 398 rows

query
SELECT COUNT(*), SUM(n) FROM (SELECT n FROM a ORDER BY s + 1, n) AS d
----
COUNT(*) | SUM(n)
398 | 79401

query
CHECK TABLE a
----
Table | Op | Msg_type | Msg_text
d.a | check | status | OK

# The columns of * beside NATURAL and USING joins, of views and derived tables too.

exec
CREATE TABLE t1 (c INT, b INT);
CREATE TABLE t2 (a INT, b INT);
CREATE TABLE t3 (b INT, c INT);
CREATE TABLE t4 (y INT, c INT);
CREATE TABLE t6 (a INT, c INT);
INSERT INTO t1 VALUES (10, 1), (3, 1), (3, 2);
INSERT INTO t2 VALUES (2, 1);
INSERT INTO t3 VALUES (1, 3), (1, 10);
INSERT INTO t4 VALUES (11, 3), (2, 3);
INSERT INTO t6 VALUES (2, 3);
CREATE VIEW v1 AS SELECT * FROM t1 NATURAL JOIN t2;
CREATE VIEW v2 (a, b, c) AS SELECT * FROM t1 NATURAL JOIN t2;
CREATE VIEW v3 AS SELECT v1.*, b + 1 AS more FROM v1
----
ok, 0 rows
ok, 0 rows
ok, 0 rows
ok, 0 rows
ok, 0 rows
ok, 3 rows
ok, 1 rows
ok, 2 rows
ok, 2 rows
ok, 1 rows
ok, 0 rows
ok, 0 rows
ok, 0 rows

query
SELECT * FROM v1 JOIN (t3 NATURAL JOIN t4) ON a = y
----
b | c | a | c | b | y
1 | 10 | 2 | 3 | 1 | 2
1 | 3 | 2 | 3 | 1 | 2

query
SELECT * FROM v2 JOIN (t3 NATURAL JOIN t4) ON v2.a = y
----
a | b | c | c | b | y

query
SELECT * FROM v3 NATURAL JOIN t6
----
c | a | b | more
3 | 2 | 1 | 2

query
SELECT v3.* FROM v1 NATURAL JOIN v3
----
b | c | a | more
1 | 10 | 2 | 2
1 | 3 | 2 | 2

query
SELECT * FROM (SELECT * FROM t1 NATURAL JOIN t2) AS x NATURAL JOIN (SELECT * FROM t3 NATURAL JOIN t4) AS y
----
b | c | a | y
1 | 3 | 2 | 11
1 | 3 | 2 | 2

query
SELECT * FROM (SELECT * FROM t1 NATURAL JOIN t2) AS x NATURAL LEFT JOIN (SELECT t3.*, 5 AS q FROM t3 NATURAL JOIN t4) AS y
----
b | c | a | q
1 | 10 | 2 | NULL
1 | 3 | 2 | 5
1 | 3 | 2 | 5

query
SELECT * FROM (SELECT b, MAX(c) FROM t1 GROUP BY b) AS x JOIN t2 USING (b)
----
b | MAX(c) | a
1 | 10 | 2

query
SELECT x.*, t4.y FROM v1 AS x JOIN t4 USING (c)
----
b | c | a | y
1 | 3 | 2 | 11
1 | 3 | 2 | 2

query
SELECT * FROM v1 NATURAL JOIN t6 NATURAL JOIN t4
----
c | a | b | y
3 | 2 | 1 | 11
3 | 2 | 1 | 2

query
SELECT * FROM v1 NATURAL RIGHT JOIN t6
----
a | c | b
2 | 3 | 1

query
WITH w AS (SELECT * FROM t1 NATURAL JOIN t2) SELECT * FROM w NATURAL JOIN t6
----
c | a | b
3 | 2 | 1

query
SELECT * FROM (SELECT 1 AS b UNION ALL SELECT 2) AS u NATURAL JOIN t2
----
b | a
1 | 2

query
SELECT * FROM (SELECT 'lit', b FROM t1) AS x NATURAL JOIN t2 ORDER BY a, b
----
b | 'lit' | a
1 | lit | 2
1 | lit | 2

query
SELECT * FROM (SELECT 'a b', 1 + 1, NULL, b FROM t1) AS x JOIN t2 USING (b)
----
b | 'a b' | 1 + 1 | NULL | a
1 | a b | 2 | NULL | 2
1 | a b | 2 | NULL | 2

# What gives one of several numbers has the decimals of the DECIMAL among them.
exec
CREATE TABLE t (id INT PRIMARY KEY, p DECIMAL(10,2), q DECIMAL(8,4), i INT, f DOUBLE, s TINYINT, u BIGINT UNSIGNED);
INSERT INTO t VALUES (1, 1.5, 0.1234, 3, 2.5, 3, 7), (2, 2.25, 1, 5, 1, 4, 8)
----
ok, 0 rows
ok, 2 rows

query
SELECT COALESCE(SUM(p), 0), IFNULL(SUM(p), 0), COALESCE(AVG(p), 0), IF(COUNT(*) > 0, SUM(p), 0), CASE WHEN SUM(p) IS NULL THEN 0 ELSE SUM(p) END FROM t WHERE id > 5
----
COALESCE(SUM(p), 0) | IFNULL(SUM(p), 0) | COALESCE(AVG(p), 0) | IF(COUNT(*) > 0, SUM(p), 0) | CASE WHEN SUM(p) IS NULL THEN 0 ELSE SUM(p) END
0.00 | 0.00 | 0.000000 | 0.00 | 0.00

query
SELECT COALESCE(p, 0), IFNULL(p, 0), NULLIF(p, 0), CASE WHEN id = 1 THEN p ELSE 0 END, IF(id = 1, p, 0), IF(id = 1, 0, p), GREATEST(p, 0), LEAST(p, 0), GREATEST(p, i), LEAST(q, p) FROM t ORDER BY id
----
COALESCE(p, 0) | IFNULL(p, 0) | NULLIF(p, 0) | CASE WHEN id = 1 THEN p ELSE 0 END | IF(id = 1, p, 0) | IF(id = 1, 0, p) | GREATEST(p, 0) | LEAST(p, 0) | GREATEST(p, i) | LEAST(q, p)
1.50 | 1.50 | 1.50 | 1.50 | 1.50 | 0.00 | 1.50 | 0.00 | 3.00 | 0.1234
2.25 | 2.25 | 2.25 | 0.00 | 0.00 | 2.25 | 2.25 | 0.00 | 5.00 | 1.0000

query
SELECT COALESCE(NULL, 0, 1.50), COALESCE(1, 1.50), IFNULL(1, 2.00), IF(1, 1, 2.50), CASE 1 WHEN 1 THEN 5 ELSE 2.50 END, GREATEST(3, 2.50), LEAST(1, 2.5), COALESCE(SUM(p), 0e0), COALESCE(SUM(f), 0) FROM t
----
COALESCE(NULL, 0, 1.50) | COALESCE(1, 1.50) | IFNULL(1, 2.00) | IF(1, 1, 2.50) | CASE 1 WHEN 1 THEN 5 ELSE 2.50 END | GREATEST(3, 2.50) | LEAST(1, 2.5) | COALESCE(SUM(p), 0e0) | COALESCE(SUM(f), 0)
0.00 | 1.00 | 1.00 | 1.00 | 5.00 | 3.00 | 1.0 | 3.75 | 3.5

query
SELECT IF('1x', p, 0), IF('a', p, 0), IF(NULL, p, 0), CASE WHEN '1x' THEN p ELSE 0 END, IF((SELECT 1), p, 0) FROM t ORDER BY id
----
IF('1x', p, 0) | IF('a', p, 0) | IF(NULL, p, 0) | CASE WHEN '1x' THEN p ELSE 0 END | IF((SELECT 1), p, 0)
1.50 | 0.00 | 0.00 | 1.50 | 1.50
2.25 | 0.00 | 0.00 | 2.25 | 2.25

query
SELECT i, COALESCE(SUM(p), 0) + 1, IFNULL(SUM(p), 0) * 2 FROM t GROUP BY i HAVING COALESCE(SUM(p), 0) < 5 ORDER BY IFNULL(SUM(p), 0) DESC
----
i | COALESCE(SUM(p), 0) + 1 | IFNULL(SUM(p), 0) * 2
5 | 3.25 | 4.50
3 | 2.50 | 3.00

query
SELECT p FROM t WHERE id = 1 UNION SELECT 0 UNION SELECT q FROM t WHERE id = 1
----
p
1.5000
0.0000
0.1234

# A table that is made of a query has the types of its values.
exec
CREATE TABLE a SELECT SUM(i) a, AVG(i) b, SUM(p) c, AVG(p) d, SUM(f) e, AVG(f) f, SUM(u) g, SUM(s) h, COUNT(*) i, MAX(p) j, SUM(1.5) k FROM t;
CREATE TABLE b SELECT COALESCE(SUM(p), 0) a, IFNULL(SUM(p), 0) b, COALESCE(AVG(p), 0) c, MAX(p) d, MIN(i) e FROM t WHERE id > 5;
CREATE TABLE c SELECT COALESCE(p, 0) a, CASE WHEN id = 1 THEN p ELSE 0 END b, IF(id = 1, p, NULL) c, IF(id = 1, 0, p) d, GREATEST(p, i) e FROM t;
CREATE TABLE d AS SELECT i, SUM(p) s FROM t GROUP BY i;
CREATE TABLE e AS SELECT * FROM (SELECT i, AVG(p) s FROM t GROUP BY i) x
----
ok, 1 rows
ok, 1 rows
ok, 2 rows
ok, 2 rows
ok, 2 rows

query
SHOW CREATE TABLE a
----
Table | Create Table
a | CREATE TABLE `a` (
  `a` decimal(32,0),
  `b` decimal(14,4),
  `c` decimal(32,2),
  `d` decimal(14,6),
  `e` double,
  `f` double,
  `g` decimal(42,0),
  `h` decimal(25,0),
  `i` bigint NOT NULL,
  `j` decimal(10,2),
  `k` decimal(24,1)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_as_cs

query
SHOW CREATE TABLE b
----
Table | Create Table
b | CREATE TABLE `b` (
  `a` decimal(32,2),
  `b` decimal(32,2),
  `c` decimal(14,6),
  `d` decimal(10,2),
  `e` int
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_as_cs

query
SHOW CREATE TABLE c
----
Table | Create Table
c | CREATE TABLE `c` (
  `a` decimal(10,2),
  `b` decimal(10,2),
  `c` decimal(65,2),
  `d` decimal(10,2),
  `e` decimal(12,2)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_as_cs

query
SELECT table_name, column_name, column_type FROM information_schema.columns WHERE table_name IN ('d', 'e') ORDER BY 1, 2
----
TABLE_NAME | COLUMN_NAME | COLUMN_TYPE
d | i | int
d | s | decimal(32,2)
e | i | int
e | s | decimal(14,6)

query
SELECT * FROM b
----
a | b | c | d | e
0.00 | 0.00 | 0.000000 | NULL | NULL

# VALUES() of ON DUPLICATE KEY UPDATE beside a query, without a list of columns.

exec
CREATE TABLE w (id INT PRIMARY KEY, n INT)
----
ok, 0 rows

exec
INSERT INTO w VALUES (1, 5)
----
ok, 1 rows

exec
INSERT INTO w SELECT id, 5 FROM w x ON DUPLICATE KEY UPDATE n = w.n + VALUES(n)
----
ok, 2 rows

exec
INSERT INTO w SELECT 1, 5 ON DUPLICATE KEY UPDATE n = n + VALUES(n)
----
ok, 2 rows

exec
INSERT INTO w SELECT a, 5 FROM (SELECT 1 a) s ON DUPLICATE KEY UPDATE w.n = w.n + VALUES(n), id = VALUES(id)
----
ok, 2 rows

exec
INSERT INTO w WITH RECURSIVE s (a) AS (SELECT 0 UNION ALL SELECT a + 1 FROM s WHERE a < 4) SELECT a, 5 FROM s ON DUPLICATE KEY UPDATE n = n + VALUES(n)
----
ok, 6 rows

exec
INSERT INTO w SELECT 1, 2 UNION ALL SELECT 9, 3 ON DUPLICATE KEY UPDATE n = IF(VALUES(n) > 1, n * VALUES(n), 0)
----
ok, 3 rows

query
SELECT * FROM w ORDER BY id
----
id | n
0 | 5
1 | 50
2 | 5
3 | 5
4 | 5
9 | 3

exec
INSERT INTO w SELECT 1 ON DUPLICATE KEY UPDATE n = n + VALUES(n)
----
ERROR 1105 (HY000): In definition of view, derived table or common table expression, SELECT list and column names list have different column counts

exec
CREATE TABLE o (_id VARCHAR(20) PRIMARY KEY, _doc JSON)
----
ok, 0 rows

exec
INSERT INTO o (_id, n) VALUES ('a', 1)
----
ok, 1 rows

exec
INSERT INTO o (_id, n) SELECT _id, n + 1 FROM o x ON DUPLICATE KEY UPDATE n = o.n + VALUES(n)
----
ok, 2 rows

query
SELECT _doc FROM o
----
_doc
{"_id":"a","n":3}

# Conditions of generated columns and defaults need no parentheses of their own.

exec
CREATE TABLE g (age INT, adult BOOL AS (age >= 18), b INT GENERATED ALWAYS AS (age BETWEEN 3 AND 5 OR age = 9) STORED)
----
ok, 0 rows

exec
ALTER TABLE g ADD c INT AS (age < 5 AND age IS NOT NULL), ADD KEY (c)
----
ok, 0 rows

exec
INSERT INTO g (age) VALUES (20), (4), (NULL)
----
ok, 3 rows

query
SELECT * FROM g ORDER BY age
----
age | adult | b | c
NULL | NULL | NULL | 0
4 | 0 | 1 | 1
20 | 1 | 0 | 0

query
SHOW CREATE TABLE g
----
Table | Create Table
g | CREATE TABLE `g` (
  `age` int,
  `adult` tinyint(1) GENERATED ALWAYS AS (`age` >= 18) VIRTUAL,
  `b` int GENERATED ALWAYS AS ((`age` BETWEEN 3 AND 5) OR (`age` = 9)) STORED,
  `c` int GENERATED ALWAYS AS ((`age` < 5) AND (NOT(`age` IS NULL))) VIRTUAL,
  KEY `c` (`c`)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_as_cs

exec
CREATE VIEW v AS SELECT DISTINCTROW id, SUM(n) OVER u s FROM w WINDOW u AS (ORDER BY id)
----
ok, 0 rows

query
SELECT * FROM v ORDER BY id LIMIT 2
----
id | s
0 | 5
1 | 55

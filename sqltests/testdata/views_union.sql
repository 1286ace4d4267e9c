# Conditions on views, derived tables and common table expressions that are made by set operations are asked of each side.
exec
CREATE TABLE a (id INT PRIMARY KEY, k INT, s VARCHAR(10), KEY (k), KEY (s));
CREATE TABLE b (id INT PRIMARY KEY, k INT, s VARCHAR(10), KEY (k), KEY (s));
INSERT INTO a (id, k, s)
WITH RECURSIVE r (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM r WHERE i < 299)
SELECT i, i DIV 3, CONCAT(IF(i % 2, 'a', 'A'), i % 7) FROM r;
INSERT INTO b SELECT id, k + 1, s FROM a;
----
ok, 0 rows
ok, 0 rows
ok, 300 rows
ok, 300 rows

# What is computed without a name.
query
SELECT * FROM (SELECT k, k + 1 FROM a UNION ALL SELECT id, k FROM b) u WHERE k = 3
----
k | k + 1
3 | 4
3 | 4
3 | 4
3 | 2

# A chain of queries in FROM is one query: the engine's steps to its columns would be a power of its length.
exec
CREATE TABLE b (id INT PRIMARY KEY, n INT, g INT, s VARCHAR(20), x DECIMAL(9,2));
CREATE TABLE e (id INT PRIMARY KEY, w INT);
INSERT INTO b VALUES (1, 5, 0, 'a', 1.5), (2, NULL, 1, 'b', 2.5), (3, 7, 0, 'c', 3.5), (4, 9, 1, 'd', 4.5);
INSERT INTO e VALUES (0, 10), (1, 20)
----
ok, 0 rows
ok, 0 rows
ok, 4 rows
ok, 2 rows

query
WITH c0 AS (SELECT id, n, g, s, x FROM b), c1 AS (SELECT id, n + 1 AS n, g, s, x FROM c0), c2 AS (SELECT id, COALESCE(n, 0) AS n, g, s, x FROM c1), c3 AS (SELECT id, n * 2 AS n, g, s, x FROM c2), c4 AS (SELECT q.id, q.n + e.w AS n, q.g, q.s, q.x FROM c3 q JOIN e ON e.id = q.g), c5 AS (SELECT id, n - 1 AS n, g, s, x FROM c4 WHERE x > 2), c6 AS (SELECT *, n + 1 AS m FROM c5), c7 AS (SELECT id, n, m, g, s, x FROM c6), c8 AS (SELECT id, n, m, g, s, x + n AS x FROM c7) SELECT * FROM c8 ORDER BY id
----
id | n | m | g | s | x
2 | 19 | 20 | 1 | b | 21.50
3 | 25 | 26 | 0 | c | 28.50
4 | 39 | 40 | 1 | d | 43.50

query
WITH c0 AS (SELECT id, n, g, s FROM b), c1 AS (SELECT id, n + 1 AS n, g, s FROM c0), c2 AS (SELECT id, n + 1 AS n, g, s FROM c1), c3 AS (SELECT id, n + 1 AS n, g, s FROM c2), c4 AS (SELECT id, n + 1 AS n, g, s FROM c3), c5 AS (SELECT g, SUM(n) AS n, COUNT(*) AS c FROM c4 GROUP BY g), c6 AS (SELECT g, n + c AS n FROM c5), c7 AS (SELECT DISTINCT g, n % 10 AS n FROM c6) SELECT * FROM c7 WHERE g = 1 UNION ALL SELECT g, n FROM c7 ORDER BY g, n
----
g | n
0 | 2
1 | 5
1 | 5

# The condition finds its key.
query
EXPLAIN FORMAT=TREE SELECT * FROM (SELECT id, n, s FROM (SELECT id, n, s FROM (SELECT id, n + 1 AS n, s FROM (SELECT id, n * 2 AS n, s FROM (SELECT id, n, s FROM b) d1) d2) d3) d4) d5 WHERE id = 3
----
EXPLAIN
-> Project: b.id, ((b.n * 2) + 1) as n, b.s
    -> Single-row index lookup on b using PRIMARY
         range: primary key in 3
         keys: about 1 of 1
         tight
         cost: 0.0, a full scan costs 4.0

query
SELECT s, (SELECT MAX(n) FROM (SELECT n, g FROM (SELECT n + 1 AS n, g FROM (SELECT n + 1 AS n, g FROM (SELECT n, g FROM b) d1) d2) d3) d4 WHERE d4.g = b.g) AS m FROM b ORDER BY id
----
s | m
a | 9
b | 11
c | 9
d | 11

# An order stays what it is, whatever the names around it are.
query
SELECT n FROM (SELECT -id AS k, n FROM (SELECT id, n FROM (SELECT id, n FROM (SELECT id, n FROM b) d1) d2) d3 ORDER BY k) q LIMIT 3
----
n
9
7
NULL

query
SELECT * FROM (SELECT n AS a, s AS n FROM (SELECT id, n, s FROM (SELECT id, n, s FROM (SELECT id, n, s FROM b) d1) d2) d3 ORDER BY n, id) q LIMIT 3
----
a | n
5 | a
NULL | b
7 | c

exec
CREATE VIEW z5 AS SELECT id, n FROM b;
CREATE VIEW z6 AS SELECT id, n FROM b;
CREATE VIEW z7 AS SELECT -id AS k, n FROM b ORDER BY k
----
ok, 0 rows
ok, 0 rows
ok, 0 rows

query
SELECT n FROM z5 UNION ALL SELECT n FROM z6 UNION ALL (SELECT n FROM z7 LIMIT 2)
----
n
NULL
5
7
9
NULL
5
7
9
9
7

# Three rows are read.
query
EXPLAIN FORMAT=TREE WITH a AS (SELECT id, n, s, g FROM b), c AS (SELECT id, n, s, g FROM a), d AS (SELECT id, n, s, g FROM c), f AS (SELECT id, n, s FROM d ORDER BY id DESC LIMIT 3) SELECT * FROM f
----
EXPLAIN
-> Derived table f
    -> Limit: 3 rows
        -> Project: b.id, b.n, b.s
            -> Table scan on b
                 order: primary key descending: cost 3.0, sorting costs 4.6
                 ends after: 3
                 keys: about 3 of 4
                 documents: 4, exactly

query
EXPLAIN FORMAT=TREE WITH a AS (SELECT id, n, s, g FROM b), c AS (SELECT id, n, s, g FROM a), d AS (SELECT id, n, s, g FROM c), f AS (SELECT DISTINCT g FROM d) SELECT * FROM f
----
EXPLAIN
-> Derived table f
    -> Remove duplicates
        -> Project: b.g
            -> Distinct values of b using g
                 entries only: no document is read
                 keys: about 4 of 4

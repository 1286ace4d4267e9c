# What stands in all branches of an OR over joined tables joins them, and each table is asked what all branches ask of it.
exec
CREATE TABLE a (id INT PRIMARY KEY, x INT, t VARCHAR(10));
CREATE TABLE b (id INT PRIMARY KEY, a_id INT, y INT, u VARCHAR(10));
INSERT INTO a WITH RECURSIVE i AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM i WHERE n < 400) SELECT n, IF(n % 11 = 0, NULL, n % 40), CONCAT('t', n % 7) FROM i;
INSERT INTO b SELECT id, IF(id % 13 = 0, NULL, id), IF(id % 17 = 0, NULL, id % 50), CONCAT('u', id % 5) FROM a
----
ok, 0 rows
ok, 0 rows
ok, 400 rows
ok, 400 rows

query
EXPLAIN FORMAT=TREE SELECT COUNT(*) FROM a, b WHERE (a.id = a_id AND x = 3 AND y IN (1, 3)) OR (a.id = a_id AND x = 5 AND y = 45)
----
EXPLAIN
-> Project: count(1)
    -> Aggregate: COUNT(1)
         executor: batch, from 256 rows on
        -> Filter: (((a.x = 3) AND (b.y HASH IN (1, 3))) OR ((a.x = 5) AND (b.y = 45)))
            -> Join, inner, hash: (a.id = b.a_id)
                 rows: about 1, cost: 59.6
                -> Index range scan on b using y
                     range: `y` in 1, 3, 45
                     keys: 22 counted of 377
                     tight
                     cost: 45.1, a full scan costs 400.0
                -> Hash: (a.id) looked up by (b.a_id)
                    -> Index range scan on a using x
                         range: `x` in 3, 5
                         entries only: no document is read
                         keys: 18 counted of 364
                         tight
                         cost: 0.9, a full scan costs 400.0

query
SELECT a.id, x, y FROM a, b WHERE (a.id = a_id AND x = 3 AND y IN (1, 3)) OR (a.id = a_id AND x = 5 AND y = 45) ORDER BY a.id
----
id | x | y
3 | 3 | 3
45 | 5 | 45
203 | 3 | 3
245 | 5 | 45

query
SELECT COUNT(*) FROM a, b WHERE (x = 3 AND y = 4) OR (y = 5 AND x = 6)
----
COUNT(*)
126

query
SELECT COUNT(*), SUM(y) FROM a JOIN b ON a.id = a_id WHERE (t = 't1' AND u = 'u2') OR (t = 't2' AND u = 'u1') OR (x IS NULL AND y IS NULL)
----
COUNT(*) | SUM(y)
23 | 511

query
SELECT COUNT(*) FROM a, b WHERE (a.id = a_id AND x = 3) OR a.id = a_id
----
COUNT(*)
370

query
SELECT COUNT(*) FROM a, b WHERE NOT ((a.id = a_id AND x = 3 AND y = 3) OR (a.id = a_id AND x = 5 AND y = 5)) AND a.id < 5
----
COUNT(*)
1598

query
SELECT COUNT(*) FROM a LEFT JOIN b ON a.id = a_id WHERE (x = 3 AND y IS NULL) OR (x = 9 AND y = 9)
----
COUNT(*)
2

query
SELECT a.id, (SELECT COUNT(*) FROM b, a AS c WHERE (c.id = a_id AND y = a.x AND c.x = 3) OR (c.id = a_id AND y = a.x AND c.x = 5)) AS n FROM a WHERE a.id < 6 ORDER BY 1
----
id | n
1 | 0
2 | 0
3 | 2
4 | 0
5 | 2

# LATERAL derived tables, and others that read outer queries.

exec
CREATE TABLE a (id INT PRIMARY KEY, x INT, y INT);
CREATE TABLE b (id INT PRIMARY KEY, x INT, y INT, KEY bx (x));
CREATE TABLE c (id INT PRIMARY KEY, x INT, y INT, KEY cxy (x, y));
INSERT INTO a VALUES (1, 1, 1), (2, 2, NULL), (3, 3, 2), (4, NULL, 3), (5, 2, 1);
INSERT INTO b VALUES (1, 1, 2), (2, 2, 2), (3, 3, NULL), (4, 2, 3), (5, NULL, 1), (6, 7, 4);
INSERT INTO c VALUES (1, 1, 1), (2, 2, 3), (3, 2, 1), (4, 3, 2), (5, NULL, 2), (6, 7, 4), (7, 3, NULL);

----
ok, 0 rows
ok, 0 rows
ok, 0 rows
ok, 5 rows
ok, 6 rows
ok, 7 rows

# Within EXISTS, IN and scalar subqueries, of one outer query and of the tables before it.
query
SELECT id FROM a WHERE EXISTS (SELECT 1 FROM b, LATERAL (SELECT c.y AS z FROM c WHERE c.x = b.x AND c.y = a.y) l WHERE b.x = a.x) ORDER BY id
----
id
1
3
5

query
SELECT id FROM a WHERE EXISTS (SELECT 1 FROM b, LATERAL (SELECT c.y AS z FROM c WHERE c.x = b.x) l WHERE b.x = a.x AND l.z = a.y) ORDER BY id
----
id
1
3
5

query
SELECT id FROM a WHERE NOT EXISTS (SELECT 1 FROM b JOIN LATERAL (SELECT c.y AS z FROM c WHERE c.x = b.x AND c.y = a.y) l ON l.z = b.y OR b.x = a.x) ORDER BY id
----
id
2

query
SELECT id FROM a WHERE a.y IN (SELECT l.z FROM b LEFT JOIN LATERAL (SELECT c.y AS z FROM c WHERE c.x = b.x AND c.id > a.id) l ON TRUE WHERE b.x = a.x) ORDER BY id
----
id
3

query
SELECT id FROM a WHERE a.y NOT IN (SELECT l.z FROM b LEFT JOIN LATERAL (SELECT c.y AS z FROM c WHERE c.x = b.x AND c.id > a.id) l ON TRUE WHERE b.x = a.x) ORDER BY id
----
id
4

query
SELECT id, (SELECT SUM(l.z) FROM b JOIN LATERAL (SELECT c.y + a.y AS z FROM c WHERE c.x = b.x) l ON l.z > b.y) AS s FROM a ORDER BY id
----
id | s
1 | 13
2 | NULL
3 | 22
4 | 31
5 | 13

query
SELECT id, (SELECT MAX(l.n) FROM b, LATERAL (SELECT COUNT(*) AS n FROM c WHERE c.x = b.x AND c.y >= a.y) l) AS m FROM a ORDER BY id
----
id | m
1 | 2
2 | 0
3 | 1
4 | 1
5 | 2

query
SELECT id FROM a WHERE id > ALL (SELECT l.z FROM b, LATERAL (SELECT c.id AS z FROM c WHERE c.x = b.x AND c.y = a.y ORDER BY c.id LIMIT 1) l) ORDER BY id
----
id
2
4
5

# One that joins tables, in another, and in a derived table.
query
SELECT id FROM a WHERE EXISTS (SELECT 1 FROM b, LATERAL (SELECT b2.y AS z FROM c JOIN b AS b2 ON b2.x = c.x WHERE c.x = b.x AND b2.y > a.y) l) ORDER BY id
----
id
1
3
4
5

query
SELECT id FROM a WHERE EXISTS (SELECT 1 FROM b, LATERAL (SELECT m.w AS z FROM c, LATERAL (SELECT d.id AS w FROM b AS d WHERE d.x = c.x AND d.y = a.y) m WHERE c.x = b.x) l WHERE l.z <> a.id) ORDER BY id
----
id
3

query
SELECT id FROM a WHERE EXISTS (SELECT 1 FROM (SELECT b.id, l.z FROM b, LATERAL (SELECT c.y AS z FROM c WHERE c.x = b.x AND c.y = a.y) l) d WHERE d.id = a.id) ORDER BY id
----
id
1
3
4

query
SELECT id FROM a WHERE EXISTS (SELECT 1 FROM b, LATERAL (SELECT c.y AS z FROM c WHERE c.x = b.x UNION SELECT a.y) l WHERE l.z = 3) ORDER BY id
----
id
1
2
3
4
5

query
SELECT id FROM a WHERE EXISTS (SELECT 1 FROM b, LATERAL (SELECT c.x AS z FROM c WHERE c.x = b.x GROUP BY c.x HAVING COUNT(*) = a.y) l) ORDER BY id
----
id
1
3
5

# WHERE asks of the rows of NULLs that LEFT JOIN makes.
query
SELECT a.id, l.z FROM a LEFT JOIN LATERAL (SELECT c.y AS z FROM c WHERE c.x = a.x AND c.y < 3) l ON l.z <> a.y WHERE l.z IS NULL ORDER BY a.id
----
id | z
1 | NULL
2 | NULL
3 | NULL
4 | NULL
5 | NULL

query
SELECT a.id, l.z FROM a LEFT JOIN LATERAL (SELECT 1 AS z) l ON a.id = 2 WHERE l.z <=> 1 ORDER BY a.id
----
id | z
2 | 1

query
SELECT a.id, l.z FROM a LEFT JOIN LATERAL (SELECT c.y AS z FROM c WHERE c.x = a.x) l ON l.z IN (SELECT b.y FROM b WHERE b.id > a.id) ORDER BY a.id, l.z IS NULL, l.z
----
id | z
1 | 1
2 | 1
2 | 3
3 | NULL
4 | NULL
5 | NULL

query
SELECT a.id, l.z, m.n FROM a LEFT JOIN LATERAL (SELECT MAX(c.y) AS z FROM c WHERE c.x = a.x) l ON TRUE LEFT JOIN LATERAL (SELECT COUNT(*) AS n FROM b WHERE b.y = l.z) m ON m.n > 0 ORDER BY a.id
----
id | z | n
1 | 1 | 1
2 | 3 | 1
3 | 2 | 2
4 | NULL | NULL
5 | 3 | 1

# Beside other joins.
query
SELECT b.id, a.id, l.z FROM b LEFT JOIN (a JOIN LATERAL (SELECT c.id AS z FROM c WHERE c.x = a.x AND c.y > a.y) l ON TRUE) ON b.id = a.id ORDER BY b.id, l.z IS NULL, l.z
----
id | id | z
1 | NULL | NULL
2 | NULL | NULL
3 | NULL | NULL
4 | NULL | NULL
5 | 5 | 2
6 | NULL | NULL

query
SELECT b.id, a.id, l.z FROM a JOIN LATERAL (SELECT c.id AS z FROM c WHERE c.x = a.x AND c.y > a.y) l ON l.z > 1 RIGHT JOIN b ON b.id = a.id ORDER BY b.id, l.z IS NULL, l.z
----
id | id | z
1 | NULL | NULL
2 | NULL | NULL
3 | NULL | NULL
4 | NULL | NULL
5 | 5 | 2
6 | NULL | NULL

query
SELECT a.id, b.id, l.s FROM a, b, LATERAL (SELECT SUM(c.y) AS s FROM c WHERE c.x = a.x AND c.id > b.id) l WHERE a.x = b.x ORDER BY a.id, b.id
----
id | id | s
1 | 1 | NULL
2 | 2 | 1
2 | 4 | NULL
3 | 3 | 2
5 | 2 | 1
5 | 4 | NULL

# A derived table that reads an outer query two queries up.
query
SELECT id FROM a WHERE EXISTS (SELECT 1 FROM (SELECT q.z FROM (SELECT a.y AS z) q) d JOIN c ON c.y = d.z) ORDER BY id
----
id
1
3
4
5

query
SELECT id FROM a WHERE a.x >= (SELECT MIN(d.z) FROM b JOIN (SELECT q.z FROM (SELECT c.y AS z FROM c WHERE c.x = a.x) q) d ON b.y = d.z) ORDER BY id
----
id
1
2
3
5

# In HAVING, beside aggregates of what is grouped by.
query
SELECT a.x, COUNT(a.x) AS n FROM a GROUP BY a.x HAVING EXISTS (SELECT 1 FROM (SELECT 1 FROM c WHERE c.x = a.x) d) ORDER BY a.x
----
x | n
1 | 1
2 | 2
3 | 1

query
SELECT COUNT(d.z) AS n FROM (SELECT a.x AS z FROM a) d GROUP BY d.z HAVING EXISTS (SELECT 1 FROM b JOIN (SELECT 1 FROM c JOIN a AS a2 ON c.x = d.z) e ON b.x = 1) ORDER BY n
----
n
1
1
2

query
SELECT a.x, COUNT(a.x) AS n FROM a GROUP BY a.x HAVING (SELECT MAX(d.v) FROM (SELECT a.x + 1 AS v) d) > 2 ORDER BY a.x
----
x | n
2 | 2
3 | 1

# TRUE as the condition of an outer join.
query
SELECT a.id, d.id AS n FROM a LEFT JOIN (SELECT b.id FROM b WHERE b.id > 100) d ON TRUE ORDER BY a.id
----
id | n
1 | NULL
2 | NULL
3 | NULL
4 | NULL
5 | NULL

query
SELECT d.id AS n, a.id FROM (SELECT b.id FROM b WHERE b.id > 100) d RIGHT JOIN a ON TRUE ORDER BY a.id
----
n | id
NULL | 1
NULL | 2
NULL | 3
NULL | 4
NULL | 5

query
SELECT a.id, l.z FROM a LEFT JOIN LATERAL (SELECT b.id AS z FROM b WHERE b.x > a.x AND b.id > 5) l ON TRUE ORDER BY a.id
----
id | z
1 | 6
2 | 6
3 | 6
4 | NULL
5 | 6

query
EXPLAIN FORMAT=TREE SELECT a.id, l.z FROM a LEFT JOIN LATERAL (SELECT c.y AS z FROM c WHERE c.x = a.x) l ON l.z > 1
----
EXPLAIN
-> Project: a.id, l.z
    -> Join, inner, nested loop: true
         rows: about 250, cost: 504.0
        -> Index range scan on a using x
             range: `x` in all values
             entries only: no document is read
             keys: 5 counted of 5; 0 documents lack the keypath
             tight
             cost: 0.2, a full scan costs 5.0
        -> Derived table l
            -> Filter, or a row of NULLs: (z > 1)
                -> Subquery #2
                    -> Project: c.y as z
                         planned for each outer row, with its values
                        -> Filter: (c.x = a.x)
                            -> Table scan on c
                                 documents: 7, exactly

# LEFT JOIN LATERAL within LATERAL within LATERAL.
query
SELECT a.id, l.w FROM a CROSS JOIN LATERAL (SELECT m.w FROM b JOIN LATERAL (SELECT n.y AS w FROM (SELECT b.x AS z) d LEFT JOIN LATERAL (SELECT c.y FROM c WHERE c.id = a.x) n ON d.z = n.y) m ON b.x = a.y) l ORDER BY a.id, l.w
----
id | w
1 | 1
3 | NULL
3 | NULL
4 | NULL
5 | NULL

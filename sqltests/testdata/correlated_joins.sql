# Joins in correlated subqueries.

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

# What joins compare with columns of the outer query.
query
SELECT a.id FROM a LEFT JOIN b ON EXISTS (SELECT 1 FROM c JOIN b AS b2 ON c.id = b2.x AND b2.x = a.x) GROUP BY a.id ORDER BY a.id
----
id
1
2
3
4
5

query
SELECT id FROM a WHERE a.x < (SELECT SUM(b2.y) FROM c JOIN (b AS b1 JOIN b AS b2 ON b2.x = a.x) ON c.id = b2.x) ORDER BY id
----
id
1
2
5

query
SELECT id FROM a WHERE a.x = (SELECT MAX(c.x) FROM c JOIN b ON b.id = a.x AND b.x IN (SELECT c2.id FROM c AS c2 JOIN a AS a2 ON a2.id = b.id)) ORDER BY id
----
id

query
SELECT id FROM a WHERE NOT NOT EXISTS (SELECT 1 WHERE a.y IN (SELECT b.x FROM b)) ORDER BY id
----
id
1
3
4
5

query
SELECT a.id, b.id FROM a JOIN b ON 1 IN (SELECT 1 FROM c JOIN b AS b2 ON c.y = a.id AND c.y = b2.y WHERE b2.x = b.x) ORDER BY a.id, b.id
----
id | id
2 | 1
2 | 2
2 | 4
3 | 2
3 | 4
4 | 6

# Conditions of inner joins below outer ones.
query
SELECT id FROM a WHERE EXISTS (SELECT 1 FROM b JOIN c ON c.y = a.x RIGHT JOIN b AS b2 ON b.y = b2.x) ORDER BY id
----
id
1
2
3
4
5

query
SELECT id FROM a WHERE NOT EXISTS (SELECT 1 FROM b AS b2 LEFT JOIN (b JOIN c ON c.y = a.x) ON b.y = b2.x WHERE b.id IS NULL AND b2.id = a.id) ORDER BY id
----
id
1
2
3

query
SELECT id FROM a WHERE NOT EXISTS (SELECT 1 FROM b AS b1 JOIN (b AS b2 JOIN c ON b2.x = a.id) ON b2.y < b2.x) ORDER BY id
----
id
1
2
3
4
5

query
SELECT a.id, l.z FROM a LEFT JOIN LATERAL (SELECT a.x AS z FROM b AS b1 CROSS JOIN b AS b2 WHERE b1.id = b2.id AND b1.id = 1) l ON l.z < a.id WHERE NOT EXISTS (SELECT 1 FROM c JOIN b ON c.id = b.id AND b.id = a.id CROSS JOIN c AS c2 WHERE b.y = c2.y AND b.x = a.y GROUP BY c.y) ORDER BY a.id
----
id | z
2 | NULL
3 | NULL
4 | NULL
5 | 2

query
SELECT id, (SELECT COUNT(c.id) FROM b AS b2 LEFT JOIN (b JOIN c ON c.y = a.x) ON b.y = b2.x) AS n FROM a ORDER BY id
----
id | n
1 | 12
2 | 12
3 | 6
4 | 0
5 | 12

query
SELECT (SELECT MAX(b.y + (SELECT MAX(c.y + 1) FROM c WHERE c.x = b.x AND c.y >= a.y)) FROM b WHERE b.x = a.x) AS m FROM a ORDER BY id
----
m
4
NULL
NULL
NULL
7

# Beside a subquery whose condition is on the outer query alone.
query
SELECT id FROM b WHERE NOT EXISTS (SELECT 1 FROM a WHERE b.id < 0) AND EXISTS (SELECT 1 FROM c JOIN c AS c2 ON c.id = c2.id AND c.y = b.x) ORDER BY id
----
id
1
2
3
4

query
SELECT id FROM b WHERE EXISTS (SELECT 1 FROM a WHERE b.id > 1) AND b.y IN (SELECT d.z FROM (SELECT c.y AS z FROM c WHERE c.x = b.x) d) ORDER BY id
----
id
4
6

query
SELECT id FROM b WHERE NOT EXISTS (SELECT 1 FROM a WHERE b.id IS NULL AND EXISTS (SELECT 1 FROM c JOIN a AS a2 ON c.x = a.x AND a2.x = b.x)) AND EXISTS (SELECT 1 FROM c JOIN a ON c.y = a.y AND a.x = b.x) ORDER BY id
----
id
1
2
3
4

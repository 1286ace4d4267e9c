# A condition on the outer query that is NULL, within EXISTS within NOT EXISTS.
exec
CREATE TABLE t (id INT PRIMARY KEY, a INT, b INT);
CREATE TABLE u (id INT PRIMARY KEY, a INT, b INT);
INSERT INTO t VALUES (1, 1, 1), (2, NULL, 1), (3, 2, NULL), (4, NULL, NULL);
INSERT INTO u VALUES (1, 1, 2), (2, NULL, 1), (3, 3, NULL)
----
ok, 0 rows
ok, 0 rows
ok, 4 rows
ok, 3 rows

query
SELECT o.id FROM t o WHERE NOT EXISTS (SELECT 1 FROM t x1 WHERE EXISTS (SELECT 1 FROM u x2 WHERE o.b > 0)) ORDER BY id
----
id
3
4

query
SELECT o.id FROM t o WHERE NOT EXISTS (SELECT 1 FROM u x1 WHERE x1.b > 1 AND EXISTS (SELECT 1 FROM t x2 WHERE x2.b = x1.a AND o.a > 2)) ORDER BY id
----
id
1
2
3
4

query
SELECT o.id FROM t o WHERE NOT EXISTS (SELECT 1 FROM u x1 WHERE NOT EXISTS (SELECT 1 FROM t x2 WHERE x2.b = x1.a AND o.a > 1)) ORDER BY id
----
id

# A column that is NOT NULL where it is made is NULL in an outer join: NOT IN sees it.
query
SELECT y.id FROM t y WHERE y.id NOT IN (SELECT x.k FROM t z LEFT JOIN (SELECT id, IFNULL(a, 7) AS k FROM u) x ON x.id = z.a) ORDER BY id
----
id

query
SELECT y.id FROM t y WHERE y.id NOT IN (SELECT x.k FROM t z LEFT JOIN (SELECT id, 7 AS k FROM u) x ON x.id = z.a) ORDER BY id
----
id

query
SELECT y.id FROM t y WHERE y.id NOT IN (SELECT x.id FROM t z LEFT JOIN u x ON x.id = z.a) ORDER BY id
----
id

exec
CREATE TABLE c AS SELECT x.k FROM t y LEFT JOIN (SELECT id, IFNULL(a, 7) AS k FROM u) x ON x.id = y.a
----
ok, 4 rows

query
SELECT k FROM c ORDER BY k
----
k
NULL
NULL
1
7

# The condition may stand in a join.
query
SELECT o.id FROM t o WHERE NOT EXISTS (SELECT 1 FROM t x1 JOIN u x2 ON x2.b = o.b) ORDER BY id
----
id
3
4

query
SELECT o.id FROM t o WHERE NOT EXISTS (SELECT 1 FROM t x1 LEFT JOIN u x2 ON x2.b = o.b WHERE x2.id IS NOT NULL) ORDER BY id
----
id
3
4

# A column that is NOT NULL is NULL on the left of NOT IN, too, where an outer join fills it.
query
SELECT x.id, y.id FROM t x LEFT JOIN u y ON y.id = x.id + 1 WHERE y.id NOT IN (SELECT id FROM u WHERE id > 2) ORDER BY 1
----
id | id
1 | 2

query
SELECT k FROM (SELECT y.id AS k FROM t x LEFT JOIN u y ON y.id = x.id + 1) z WHERE k NOT IN (SELECT id FROM u WHERE id > 2)
----
k
2

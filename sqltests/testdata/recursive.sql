# References to one recursive expression are read at the same time by a join, and each goes through its own rounds.

exec
CREATE TABLE t (_id VARCHAR(255) PRIMARY KEY, _doc JSON);
CREATE TABLE u (_id VARCHAR(255) COLLATE utf8mb4_0900_ai_ci PRIMARY KEY, up VARCHAR(20) COLLATE utf8mb4_0900_ai_ci, _doc JSON);
INSERT INTO t (_doc) VALUES ('{"_id":"a","a":[1]}'), ('{"_id":"b","a":[1,2]}');
INSERT INTO u (_id, up) VALUES ('x', 'Y'), ('y', 'X')
----
ok, 0 rows
ok, 0 rows
ok, 2 rows
ok, 2 rows

query
WITH RECURSIVE c AS (SELECT _id AS i, 1 AS n FROM t UNION SELECT e._id, c.n + 1 FROM c JOIN t__a AS e ON (e._id = c.i AND c.n < 2)) SELECT * FROM c AS x, c AS y WHERE x.n = 2
----
i | n | i | n
a | 2 | a | 1
a | 2 | b | 1
a | 2 | a | 2
a | 2 | b | 2
b | 2 | a | 1
b | 2 | b | 1
b | 2 | a | 2
b | 2 | b | 2

query
WITH RECURSIVE c AS (SELECT _id AS i, 1 AS n FROM t UNION ALL SELECT e._id, c.n + 1 FROM c JOIN t__a AS e ON (e._id = c.i AND c.n < 3)) SELECT COUNT(*), COUNT(DISTINCT x.n, y.n, z.n) FROM c AS x JOIN c AS y ON x.i = y.i JOIN c AS z ON z.i <=> y.i
----
COUNT(*) | COUNT(DISTINCT x.n, y.n, z.n)
370 | 27

exec
SET sqlfdb_use_index = OFF
----
ok, 0 rows

query
WITH RECURSIVE c AS (SELECT _id AS i, 1 AS n FROM t UNION SELECT e._id, c.n + 1 FROM c JOIN t__a AS e ON (e._id = c.i AND c.n < 2)) SELECT * FROM c AS x, c AS y WHERE x.n = 2
----
i | n | i | n
a | 2 | a | 1
a | 2 | b | 1
a | 2 | a | 2
a | 2 | b | 2
b | 2 | a | 1
b | 2 | b | 1
b | 2 | a | 2
b | 2 | b | 2

query
WITH RECURSIVE c AS (SELECT _id AS i, 1 AS n FROM t UNION ALL SELECT e._id, c.n + 1 FROM c JOIN t__a AS e ON (e._id = c.i AND c.n < 3)) SELECT COUNT(*), COUNT(DISTINCT x.n, y.n, z.n) FROM c AS x JOIN c AS y ON x.i = y.i JOIN c AS z ON z.i <=> y.i
----
COUNT(*) | COUNT(DISTINCT x.n, y.n, z.n)
370 | 27

exec
SET sqlfdb_use_index = ON
----
ok, 0 rows

# One within the other.

query
WITH RECURSIVE c AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM c WHERE n < 3), d AS (SELECT n, n AS m FROM c UNION ALL SELECT c.n, d.m * 10 FROM d JOIN c ON c.n = d.n WHERE d.m < 100) SELECT d.n, d.m, c.n FROM d, c WHERE c.n <> d.n AND d.m >= 100
----
n | m | n
2 | 200 | 1
3 | 300 | 1
1 | 100 | 2
3 | 300 | 2
1 | 100 | 3
2 | 200 | 3

query
SELECT t._id, (WITH RECURSIVE c AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM c WHERE n < JSON_LENGTH(t.a)) SELECT SUM(x.n * y.n) FROM c AS x, c AS y) AS s FROM t ORDER BY 1
----
_id | s
a | 1
b | 9

# UNION takes rows for equal that SQL does, and so ends.

query
WITH RECURSIVE c AS (SELECT up AS s FROM u WHERE _id = 'x' UNION SELECT u._id FROM c JOIN u ON u.up = c.s) SELECT * FROM c
----
s
Y
x

query
WITH RECURSIVE c AS (SELECT 1.50 AS n UNION SELECT n * 1.0 FROM c) SELECT COUNT(*) FROM c
----
COUNT(*)
1

# ORDER BY and LIMIT of the expression itself.

query
WITH RECURSIVE c (n) AS (SELECT 1 UNION ALL SELECT n * 2 FROM c LIMIT 5) SELECT x.n, y.n FROM c AS x, c AS y WHERE x.n + y.n = 17
----
n | n
1 | 16
16 | 1

query
WITH RECURSIVE c (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 9 ORDER BY n DESC LIMIT 3) SELECT * FROM c
----
n
9
8
7

query
WITH RECURSIVE c AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM c) SELECT COUNT(*) FROM c
----
ERROR 3636 (HY000): Recursive query aborted after 10001 iterations. Try increasing @@cte_max_recursion_depth to a larger value.

exec
SET cte_max_recursion_depth = 5
----
ok, 0 rows

query
WITH RECURSIVE c AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM c WHERE n < 6) SELECT COUNT(*) FROM c
----
ERROR 3636 (HY000): Recursive query aborted after 6 iterations. Try increasing @@cte_max_recursion_depth to a larger value.

query
WITH RECURSIVE c AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM c WHERE n < 5) SELECT COUNT(*) FROM c
----
COUNT(*)
5

query
WITH RECURSIVE c AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM c JOIN (SELECT 1 UNION ALL SELECT 2) AS two ON n < 9) SELECT COUNT(*) FROM c
----
ERROR 3636 (HY000): Recursive query aborted after 6 iterations. Try increasing @@cte_max_recursion_depth to a larger value.

exec
SET cte_max_recursion_depth = DEFAULT
----
ok, 0 rows

query
SELECT @@cte_max_recursion_depth
----
@@cte_max_recursion_depth
10000

query
WITH RECURSIVE c (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 9 LIMIT 3 OFFSET 2) SELECT * FROM c
----
ERROR 1235 (42000): unsupported syntax: OFFSET of a recursive common table expression

query
SELECT * FROM (WITH RECURSIVE c (n) AS (SELECT 1 UNION ALL SELECT 2 LIMIT 3 OFFSET 1), d (n) AS (SELECT n FROM c UNION ALL SELECT n + 1 FROM d WHERE n < 5) SELECT n FROM d LIMIT 2 OFFSET 1) AS x
----
n
3
4

query
CHECK TABLE t, u
----
Table | Op | Msg_type | Msg_text
d.t | check | status | OK
d.u | check | status | OK

# A hash join in the recursive part, here with a view, reads the rows of each round, not those of the first one.
exec
CREATE TABLE edges (a INT, b INT);
INSERT INTO edges VALUES (1,3),(2,1),(2,4),(3,4),(3,5),(3,6),(4,7),(5,1),(5,6),(6,1);
CREATE VIEW both_ways (a, b) AS SELECT a, b FROM edges UNION ALL SELECT b, a FROM edges
----
ok, 0 rows
ok, 10 rows
ok, 0 rows

query
WITH RECURSIVE paths (a, b, distance, path) AS (SELECT a, b, 1, CAST(CONCAT(a, '.', b, '.') AS CHAR(50)) FROM both_ways UNION ALL SELECT p.a, e.b, p.distance + 1, CONCAT(p.path, e.b, '.') FROM both_ways AS e JOIN paths AS p ON e.a = p.b WHERE p.path NOT LIKE CONCAT('%', e.b, '.%')) SELECT distance, COUNT(*), MAX(path) FROM paths GROUP BY distance ORDER BY distance
----
distance | COUNT(*) | MAX(path)
1 | 20 | 7.4.
2 | 44 | 7.4.3.
3 | 72 | 7.4.3.6.
4 | 80 | 7.4.3.6.5.
5 | 68 | 7.4.3.6.5.1.
6 | 16 | 7.4.3.6.5.1.2.

query
WITH RECURSIVE near (b, distance) AS (SELECT 7, 0 UNION ALL SELECT e.b, n.distance + 1 FROM both_ways AS e JOIN near AS n ON e.a = n.b WHERE n.distance < 4) SELECT COUNT(*), COUNT(DISTINCT x.b, x.distance, y.b, y.distance) FROM near AS x JOIN near AS y ON x.distance = y.distance + 1
----
COUNT(*) | COUNT(DISTINCT x.b, x.distance, y.b, y.distance)
186 | 40

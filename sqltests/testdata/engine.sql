# What the SQL engine below us gets wrong, mended.

exec
CREATE TABLE t (_id VARCHAR(255) PRIMARY KEY, _doc JSON);
INSERT INTO t (_doc) VALUES ('{"_id":"a","n":9007199254740993,"m":1,"s":"x"}'), ('{"_id":"b","n":1,"m":"A","s":"X"}'), ('{"_id":"c","n":2,"m":1.0,"s":"x"}'), ('{"_id":"d","m":null}');
CREATE TABLE k (id INT PRIMARY KEY, u BIGINT UNSIGNED, x DECIMAL(10,2), d DOUBLE, ci VARCHAR(20) COLLATE utf8mb4_0900_ai_ci, e ENUM('p','q'));
INSERT INTO k VALUES (1, 18446744073709551615, 1.00, 1, 'a', 'p'), (2, 18446744073709551615, 0.10, 0.5, 'A', 'q'), (3, 2, NULL, NULL, NULL, NULL);
----
ok, 0 rows
ok, 4 rows
ok, 0 rows
ok, 3 rows

query
SELECT SUM(n) FROM t LIMIT 0
----
SUM(n)

query
SELECT SUM(n), AVG(n), SUM(m) FROM t
----
SUM(n) | AVG(n) | SUM(m)
9007199254740996 | 3002399751580332.0000 | 2

query
SELECT SUM(u), AVG(u), SUM(x), AVG(x), SUM(d), AVG(d), SUM(DISTINCT u), AVG(DISTINCT id) FROM k
----
SUM(u) | AVG(u) | SUM(x) | AVG(x) | SUM(d) | AVG(d) | SUM(DISTINCT u) | AVG(DISTINCT id)
36893488147419103232 | 12297829382473034410.6667 | 1.10 | 0.550000 | 1.5 | 0.75 | 18446744073709551617 | 2.0000

query
SELECT id, SUM(u) OVER (ORDER BY id) FROM k ORDER BY id
----
id | SUM(u) OVER (ORDER BY id)
1 | 18446744073709551615
2 | 36893488147419103230
3 | 36893488147419103232

query
SELECT _id, n, s, COUNT(*) FROM t GROUP BY _id ORDER BY _id
----
_id | n | s | COUNT(*)
a | 9007199254740993 | x | 1
b | 1 | X | 1
c | 2 | x | 1
d | NULL | NULL | 1

query
SELECT _id, s FROM t GROUP BY _id ORDER BY _id
----
_id | s
a | x
b | X
c | x
d | NULL

query
SELECT id, x, d FROM k GROUP BY id ORDER BY id
----
id | x | d
1 | 1.00 | 1
2 | 0.10 | 0.5
3 | NULL | NULL

query
SELECT x, d FROM k GROUP BY e
----
ERROR 1055 (42000): expression 'k.x' doesn't appear in the group by expressions

query
SELECT k.id, k.x, t.s FROM k JOIN t ON t.m = k.id GROUP BY k.id, t._id ORDER BY t._id
----
id | x | s
1 | 1.00 | x
1 | 1.00 | x

query
SELECT m, COUNT(*) FROM t GROUP BY m ORDER BY m
----
m | COUNT(*)
NULL | 1
1 | 2
"A" | 1

query
SELECT n > 1, COUNT(*) FROM t GROUP BY n > 1 ORDER BY 1
----
n > 1 | COUNT(*)
NULL | 1
0 | 1
1 | 2

query
SELECT COUNT(*) FROM k GROUP BY ci ORDER BY 1
----
COUNT(*)
1
2

query
SELECT u FROM k UNION SELECT 2.0 UNION SELECT -1 ORDER BY u
----
u
-1.0
2.0
18446744073709551615.0

query
SELECT id FROM k UNION SELECT 1e0 UNION SELECT 1.5 ORDER BY id
----
id
1
1.5
2
3

query
SELECT ci FROM k UNION SELECT 'Á' ORDER BY ci
----
ci
NULL
a

query
SELECT s FROM t INTERSECT SELECT 'x'
----
s
x

query
SELECT id FROM k EXCEPT SELECT x FROM k ORDER BY id
----
id
2.00
3.00

query
SELECT id FROM k WHERE (id, x) IN (SELECT 1e0, 1)
----
id
1

query
SELECT _id FROM t WHERE (m, s) IN (SELECT 1, 'x') ORDER BY _id
----
_id
a
c

query
SELECT id FROM k WHERE (ci, id) IN (SELECT 'A', 1)
----
id
1

query
SELECT id FROM k WHERE (ci, id) NOT IN (SELECT 'A', 1) ORDER BY id
----
id
2
3

query
WITH c AS (SELECT n AS i FROM t) SELECT i FROM c ORDER BY (i)
----
i
NULL
1
2
9007199254740993

query
SELECT CAST(IFNULL(e, '') AS CHAR) FROM k ORDER BY id
----
----
CAST(IFNULL(e, '') AS CHAR)
p
q

----
----

query
SELECT 1
----
1
1

exec
SET @x = 1;
SET @x = 1, @y = 2;
SET NAMES utf8mb4;
UPDATE t SET s = 'none' WHERE NOT EXISTS (SELECT 1 FROM k WHERE k.id = t.n);
DELETE FROM t WHERE NOT EXISTS (SELECT 1 FROM k WHERE k.id = t.n);
DELETE FROM k WHERE EXISTS (SELECT 1 FROM t WHERE k.id = t.n) AND id > 1;
DELETE FROM t WHERE n IN (SELECT id FROM k);
----
ok, 0 rows
ok, 0 rows
ok, 0 rows
ok, 2 rows
ok, 2 rows
ok, 1 rows
ok, 1 rows

query
SELECT * FROM t ORDER BY _id
----
_id | n | m | s
c | 2 | 1 | x

query
SELECT id FROM k ORDER BY id
----
id
1
3

exec
CREATE TABLE v (_id VARCHAR(255) PRIMARY KEY, _doc JSON);
INSERT INTO v (_doc) VALUES ('{"_id":"a","n":7,"s":"x"}'), ('{"_id":"b","n":1,"s":"X"}'), ('{"_id":"c","s":"x"}');
CREATE TABLE w (id INT PRIMARY KEY);
INSERT INTO w VALUES (1), (2);
----
ok, 0 rows
ok, 3 rows
ok, 0 rows
ok, 2 rows

query
SELECT _id FROM v WHERE NOT EXISTS (SELECT 1 FROM w WHERE w.id = v.n)
----
_id
a
c

query
SELECT id FROM w WHERE NOT EXISTS (SELECT 1 FROM v WHERE w.id = v.n)
----
id
2

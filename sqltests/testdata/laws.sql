# What random statements have found: each was wrong once.

# The new document's value at a keypath that the statement names need not fit the type that the keypath had.
exec
CREATE TABLE mixed (_id VARCHAR(255) PRIMARY KEY, dq TIME, _doc JSON);
INSERT INTO mixed (_doc) VALUES ('{"_id":"a","f":false}');
UPDATE mixed SET _doc = JSON_SET(_doc, '$.f', CAST('{"a":1}' AS JSON)) WHERE NOT f;
CREATE TABLE checked (_id VARCHAR(255) PRIMARY KEY, n INT, CHECK (n > 0), _doc JSON);
INSERT INTO checked (_doc) VALUES ('{"_id":"a","f":false,"n":1}');
UPDATE checked SET _doc = JSON_SET(_doc, '$.f', 'text') WHERE f = 0;
UPDATE checked SET _doc = JSON_SET(_doc, '$.n', 0) WHERE f = 'text'
----
ok, 0 rows
ok, 1 rows
ok, 1 rows
ok, 0 rows
ok, 1 rows
ok, 1 rows
ERROR 3819 (HY000): Check constraint "checked_chk_1" violated

query
SELECT _id, f FROM mixed
----
_id | f
a | {"a":1}

query
SELECT _id, f, n FROM checked
----
_id | f | n
a | text | 1

# A row value with a NULL.
exec
CREATE TABLE r (_id VARCHAR(255) PRIMARY KEY, _doc JSON);
INSERT INTO r (_doc) VALUES ('{"_id":"1","a":1,"s":"x"}'), ('{"_id":"2","s":"x"}'), ('{"_id":"3","a":2,"s":"1e1"}'), ('{"_id":"4"}')
----
ok, 0 rows
ok, 4 rows

query
SELECT _id FROM r WHERE NOT (a, s) = (1, 'x') ORDER BY _id
----
_id
3

query
SELECT _id FROM r WHERE (a, s) NOT IN ((1, 'x'), (7, 'y')) ORDER BY _id
----
_id
3

# IN compares as = does, whatever the types.
query
SELECT _id FROM r WHERE s IN (10.0, 'x') ORDER BY _id
----
_id
1
2
3

query
SELECT _id FROM r WHERE a IN (CAST('7' AS JSON), TRUE) ORDER BY _id
----
_id
1

exec
CREATE TABLE clocks (_id VARCHAR(255) PRIMARY KEY, q TIME(6), _doc JSON);
INSERT INTO clocks (_id, q) VALUES ('a', '-00:00:01'), ('b', NULL)
----
ok, 0 rows
ok, 2 rows

query
SELECT _id FROM clocks WHERE q <=> '-00:00:01'
----
_id
a

# A text that is longer than the other side's column is equal to nothing there.
exec
CREATE TABLE long_text (_id VARCHAR(255) PRIMARY KEY, _doc JSON);
INSERT INTO long_text (_doc) VALUES ('{"_id":"k1","b":[1]}'), (CONCAT('{"_id":"k2","o":"', REPEAT('a', 300), '"}'))
----
ok, 0 rows
ok, 2 rows

query
SELECT t1._id, t0.o FROM long_text t0 RIGHT JOIN long_text__b t1 ON t0.o = t1._id
----
_id | o
k1 | NULL

# What an outer join has left out is in no subquery.
exec
CREATE TABLE left_out (_id VARCHAR(255) PRIMARY KEY, _doc JSON);
INSERT INTO left_out (_doc) VALUES ('{"_id":"k000","g":[{"x":1}]}');
CREATE TABLE listed (_id VARCHAR(255) PRIMARY KEY, _doc JSON);
INSERT INTO listed (_doc) VALUES ('{"_id":"k004","b":[5,0,5]}'), ('{"_id":"k010","b":[0]}')
----
ok, 0 rows
ok, 1 rows
ok, 0 rows
ok, 2 rows

query
SELECT c._id FROM left_out__changes a JOIN listed b ON b._id < a._id RIGHT JOIN left_out__g c ON a._id = c._id WHERE NOT EXISTS (SELECT 1 FROM listed__b e WHERE a._id = e._id)
----
_id
k000

# A condition of an inner join on what an outer join before it may leave out, by <=>, or on nothing, holds in whatever order they are joined.
query
SELECT a._id FROM r a LEFT JOIN r__changes b ON a._id < b._id JOIN r c ON (a.s = c.s AND b.deleted BETWEEN 5 AND 6)
----
_id

query
SELECT a._id FROM r a LEFT JOIN r__changes b ON a._id = b._id JOIN listed c ON (a._id <> c._id AND c.nosuch <=> 'x')
----
_id

query
SELECT COUNT(*) FROM r a JOIN r__changes b ON b._id <> a._id JOIN r c ON (a._id = c._id AND 3 = 1E+2) WHERE b.deleted <= 2
----
COUNT(*)
0

query
WITH c AS (SELECT _id AS c0, _idx AS c1 FROM left_out__g) SELECT COUNT(*) FROM listed__b a LEFT JOIN c ON a._id < c.c1 JOIN listed__changes d ON (a._id = d._id AND d._id IS NULL)
----
COUNT(*)
0

# The rows of a join have room behind them, where two GROUP_CONCAT put their values.
exec
CREATE TABLE gc (p INT NOT NULL, _id VARCHAR(255) NOT NULL, PRIMARY KEY (p, _id), du BIGINT UNSIGNED, df DOUBLE, ds VARCHAR(400), dw VARCHAR(400), _doc JSON);
INSERT INTO gc (_doc) VALUES ('{"_id":"k049","df":5,"dw":"ab","p":1}')
----
ok, 0 rows
ok, 1 rows

query
SELECT GROUP_CONCAT(t0.df) AS c0, GROUP_CONCAT(t0.dw) AS c1, GROUP_CONCAT(t0._id ORDER BY t0.df) AS c2 FROM gc AS t0, gc__changes AS t1
----
c0 | c1 | c2
5 | ab | k049

# A view is joined only where a condition's columns are there.
exec
CREATE TABLE one (id INT PRIMARY KEY, a INT);
INSERT INTO one VALUES (1, 1), (2, 1), (3, 0);
CREATE TABLE two (id INT PRIMARY KEY, a INT);
INSERT INTO two VALUES (1, 1), (2, 1), (3, 0);
CREATE VIEW pairs AS SELECT x.a AS c0, y.a AS c1, x.id AS c2 FROM one AS x JOIN one AS y ON x.id <> y.id WHERE x.a = y.a
----
ok, 0 rows
ok, 3 rows
ok, 0 rows
ok, 3 rows
ok, 0 rows

query
SELECT t1.id, t3.id FROM pairs AS t0 JOIN one AS t1 ON t0.c2 <> t1.id JOIN two AS t3 ON (t1.id = t3.id OR t3.id = t0.c2) ORDER BY 1, 2, t0.c2
----
id | id
1 | 1
1 | 2
2 | 1
2 | 2
3 | 1
3 | 2
3 | 3
3 | 3

query
SELECT t1.id FROM pairs AS t0 JOIN one AS t1 ON t0.c2 = t1.id JOIN (SELECT COUNT(a) AS c0 FROM two) AS t3 ON (t1.id = t3.c0 OR t3.c0 = t0.c2)
----
id

query
SELECT t1.id, t3.id FROM one AS t1 LEFT JOIN pairs AS t0 ON t0.c2 = t1.id JOIN two AS t3 ON (t1.id = t3.id AND t0.c2 = 2)
----
id | id
2 | 2

# Joins in subqueries of what a set operation puts together.
query
(SELECT a FROM one) UNION (SELECT a FROM two WHERE NOT EXISTS (SELECT 1 FROM (SELECT MIN(y.a) AS c0 FROM one AS x, two AS y) AS t) OR a = 0) ORDER BY 1
----
a
0
1

query
(SELECT id FROM one WHERE id > (SELECT MIN(t0.id) FROM two AS t0 JOIN two AS t3 ON t3.id = t0.a WHERE one.a = t0.a)) UNION ALL (SELECT 9)
----
id
2
9

query
WITH c AS (SELECT MIN(x.id) AS c0 FROM one AS x JOIN two AS y ON x.id = y.id) (SELECT id FROM one WHERE id IN (SELECT c0 FROM c)) INTERSECT (SELECT a FROM two WHERE NOT EXISTS (SELECT 1 FROM c) OR a = 1)
----
id
1

# EXISTS over a join is hashed as a whole; where the join reads the outer query it is not.
query
SELECT id FROM one WHERE EXISTS (SELECT 1 FROM two AS t0 JOIN two AS t3 ON t3.id = t0.id WHERE t0.a = one.a) ORDER BY id
----
id
1
2
3

query
SELECT id FROM one WHERE NOT EXISTS (SELECT 1 FROM two AS t0 JOIN two AS t3 ON t3.id = t0.id WHERE t0.id = one.a)
----
id
3

query
SELECT id FROM one WHERE EXISTS (SELECT 1 FROM two AS t0 JOIN two AS t3 ON (one.id = t3.id OR t3.id = t0.id) WHERE t0.a = one.a) ORDER BY id
----
id
1
2
3

query
SELECT o.id FROM one AS o WHERE (SELECT COUNT(*) FROM one WHERE EXISTS (SELECT 1 FROM two AS t0 JOIN two AS t3 ON t3.id = t0.id WHERE t0.a = one.a) AND one.id >= o.id) > 1 ORDER BY id
----
id
1
2

query
SELECT id FROM one WHERE NOT EXISTS (SELECT 1 FROM two AS t0 JOIN two AS t3 ON (t3.id = t0.id AND one.id = t3.a) WHERE t0.a = one.a) ORDER BY id
----
id
2
3

query
SELECT id FROM one WHERE EXISTS (SELECT 1 FROM two AS t0 JOIN two AS t3 ON (t3.id = t0.id AND one.id = t3.a)) ORDER BY id
----
id
1

query
SELECT id FROM one WHERE NOT EXISTS (SELECT 1 FROM two AS t0 LEFT JOIN two AS t3 ON (t3.id = t0.id AND one.id = t3.a) WHERE t0.a = one.a AND t3.id IS NOT NULL) ORDER BY id
----
id
2
3

# Comma joins whose conditions stand in WHERE, before an outer join.
exec
CREATE TABLE three (id INT PRIMARY KEY, x INT, y INT);
INSERT INTO three VALUES (1, 1, 10), (2, 2, 20), (3, 2, 30), (4, 9, 40);
CREATE TABLE four (id INT PRIMARY KEY, y INT, z INT);
INSERT INTO four VALUES (1, 10, 5), (2, 30, NULL)
----
ok, 0 rows
ok, 4 rows
ok, 0 rows
ok, 2 rows

query
SELECT one.id, b.id, c.id FROM one, three AS b LEFT JOIN four AS c ON c.y = b.y WHERE one.id = b.x AND c.y IS NULL
----
id | id | id
2 | 2 | NULL

query
SELECT one.id, b.id, c.id FROM one, three AS b LEFT JOIN four AS c ON c.y = b.y WHERE one.id <= b.x AND (c.z IS NULL OR c.z > one.id + 4) ORDER BY 1, 2
----
id | id | id
1 | 2 | NULL
1 | 3 | 2
1 | 4 | NULL
2 | 2 | NULL
2 | 3 | 2
2 | 4 | NULL
3 | 4 | NULL

query
SELECT one.id, b.id, c.id, d.id FROM one, three AS b LEFT JOIN four AS c ON c.y = b.y, four AS d WHERE one.id = b.x AND (c.id = d.id OR c.id IS NULL AND d.id = one.id) ORDER BY 1, 2
----
id | id | id | id
1 | 1 | 1 | 1
2 | 2 | NULL | 2
2 | 3 | 2 | 2

# Objects are ordered by their members as JSON is, not in the table's collation.
exec
CREATE TABLE ob (_id VARCHAR(255) PRIMARY KEY, _doc JSON) ENGINE_ATTRIBUTE='{"collation":"utf8mb4_bin"}';
INSERT INTO ob (_doc) VALUES ('{"_id":"a","o":{"p":"y"}}'), ('{"_id":"b","o":{"p":"Z"}}'), ('{"_id":"c","o":{"p":"abc"}}')
----
ok, 0 rows
ok, 3 rows

query
SELECT _id FROM ob WHERE o IS NOT NULL ORDER BY o DESC LIMIT 2
----
_id
b
a

exec
SET sqlfdb_use_index = OFF
----
ok, 0 rows

query
SELECT _id FROM ob WHERE o IS NOT NULL ORDER BY o DESC LIMIT 2
----
_id
b
a

exec
SET sqlfdb_use_index = ON
----
ok, 0 rows

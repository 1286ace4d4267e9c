# An UPDATE of a table joined with a view over the same table, which reads other columns of it.

exec
CREATE TABLE w (_id VARCHAR(255) PRIMARY KEY, _doc JSON);
INSERT INTO w (_doc) VALUES ('{"_id":"a","x":1,"y":2}'), ('{"_id":"b","x":3,"y":2,"z":"t"}');
CREATE VIEW narrow AS SELECT _id AS id, y FROM w;
CREATE VIEW other AS SELECT _id AS id, y, z FROM w
----
ok, 0 rows
ok, 2 rows
ok, 0 rows
ok, 0 rows

exec
UPDATE w JOIN narrow AS n ON w._id = n.id SET w.x = 9
----
ok, 2 rows

exec
UPDATE w JOIN other AS n ON w._id = n.id SET w.x = w.x + 1 WHERE n.z = 't'
----
ok, 1 rows

exec
UPDATE w JOIN narrow AS n ON w._id = n.id SET w._doc = JSON_SET(w._doc, '$.seen', 1) WHERE w.x = 10
----
ok, 1 rows

exec
UPDATE narrow AS n JOIN w AS q ON q._id = n.id SET q.y = 3 WHERE n.y = 2 AND q._id = 'a'
----
ok, 1 rows

query
SELECT _id, _doc FROM w ORDER BY _id
----
_id | _doc
a | {"_id":"a","x":9,"y":3}
b | {"_id":"b","x":10,"y":2,"z":"t","seen":1}

query
CHECK TABLE w
----
Table | Op | Msg_type | Msg_text
d.w | check | status | OK

# What an outer join within a view or a derived table fills is NULL.

exec
CREATE TABLE more (_id VARCHAR(255) PRIMARY KEY, _doc JSON);
INSERT INTO more (_doc) VALUES ('{"_id":"b"}'), ('{"_id":"c"}');
CREATE VIEW filled AS SELECT more._id AS id, w._id AS found FROM more LEFT JOIN w ON w._id = more._id AND w.x > 9
----
ok, 0 rows
ok, 2 rows
ok, 0 rows

exec
UPDATE w JOIN filled AS f ON f.id >= w._id SET w.found = COALESCE(f.found, 'none') WHERE f.id = 'c';
UPDATE w JOIN (SELECT more._id AS id, CONCAT(w._id) AS found FROM more LEFT JOIN w ON w._id = more._id UNION SELECT 1, 2 LIMIT 5) AS f ON f.id = 'c' SET w.united = COALESCE(f.found, 'none');
UPDATE w LEFT JOIN (SELECT DISTINCT more._id AS id, w._id AS found FROM more LEFT JOIN w ON w._id = more._id) AS f ON f.id = w._id SET w.again = COALESCE(f.found, 'none');
UPDATE w SET x = NULL WHERE _id IN (SELECT id FROM filled WHERE found IS NULL)
----
ok, 2 rows
ok, 2 rows
ok, 2 rows
ok, 0 rows

exec
UPDATE w JOIN filled AS f ON f.id >= w._id SET w._id = f.found WHERE f.id = 'c'
----
ERROR 1048 (23000): column name '_id' is non-nullable but attempted to set a value of null

query
SELECT _id, _doc FROM w ORDER BY _id
----
_id | _doc
a | {"_id":"a","x":9,"y":3,"found":"none","united":"none","again":"none"}
b | {"_id":"b","x":10,"y":2,"z":"t","seen":1,"found":"none","united":"none","again":"b"}

# Two tables of one name, in two databases: the engine wrote the rows of the one into the other.
exec
CREATE DATABASE other;
CREATE TABLE other.w (_id VARCHAR(10) PRIMARY KEY, x INT);
INSERT INTO other.w VALUES ('a', 1), ('b', 2);
UPDATE w JOIN other.w ON w._id = other.w._id SET d.w.x = 100;
UPDATE d.w, other.w SET other.w.x = 100 WHERE d.w._id = other.w._id;
DELETE other.w FROM d.w JOIN (other.W) ON d.w._id = other.w._id;
UPDATE w JOIN other.w AS o ON w._id = o._id SET w.x = 7, o.x = w.y;
DELETE o FROM d.w JOIN other.w AS o ON d.w._id = o._id WHERE d.w._id = 'a'
----
ok, 1 rows
ok, 0 rows
ok, 2 rows
ERROR 1235 (42000): UPDATE and DELETE of a join take no two tables of one name: give one of them an alias
ERROR 1235 (42000): UPDATE and DELETE of a join take no two tables of one name: give one of them an alias
ERROR 1235 (42000): UPDATE and DELETE of a join take no two tables of one name: give one of them an alias
ok, 3 rows
ok, 1 rows

query
SELECT 'd' AS db, _id, x FROM d.w UNION ALL SELECT 'other', _id, x FROM other.w ORDER BY 1, 2
----
db | _id | x
d | a | 7
d | b | 7
other | b | 2

exec
DROP DATABASE other
----
ok, 1 rows

# Aggregates of several columns, one of which is of a view that is merged.
exec
INSERT INTO more (_doc) VALUES ('{"_id":"m1","x":1}'), ('{"_id":"m2","x":1}');
CREATE VIEW more_x AS SELECT _id AS id, x AS c FROM more;
UPDATE w JOIN (SELECT COUNT(DISTINCT m._id, v.c) AS n FROM more AS m CROSS JOIN more_x AS v) AS t ON t.n > 0 SET w.n = t.n;
UPDATE w JOIN (SELECT GROUP_CONCAT(DISTINCT m._id, v.id ORDER BY 1) AS n FROM more AS m CROSS JOIN more_x AS v) AS t ON t.n > '' SET w.ids = t.n
----
ok, 2 rows
ok, 0 rows
ok, 2 rows
ok, 2 rows

query
SELECT w._id, n, ids, (SELECT COUNT(DISTINCT m._id, v.c) FROM more AS m CROSS JOIN more_x AS v) AS same FROM w
----
_id | n | ids | same
a | 4 | bb,bc,bm1,bm2,cb,cc,cm1,cm2,m1b,m1c,m1m1,m1m2,m2b,m2c,m2m1,m2m2 | 4
b | 4 | bb,bc,bm1,bm2,cb,cc,cm1,cm2,m1b,m1c,m1m1,m1m2,m2b,m2c,m2m1,m2m2 | 4

query
CHECK TABLE w, more
----
Table | Op | Msg_type | Msg_text
d.w | check | status | OK
d.more | check | status | OK

# A table without a primary key, and names in another case than that of the table: IN (SELECT …) reads a join, too.
exec
CREATE TABLE Capital (i INT PRIMARY KEY, J INT);
INSERT INTO Capital VALUES (1, 1), (2, 2);
CREATE TABLE plain (a INT);
INSERT INTO plain VALUES (2), (2), (3);
UPDATE capital SET j = 10 WHERE i IN (SELECT a FROM plain);
UPDATE Capital SET j = j + 1 WHERE i IN (SELECT a FROM plain);
UPDATE CAPITAL JOIN plain ON capital.i = plain.a SET j = j + 1, a = 4;
UPDATE plain SET a = 5 WHERE a IN (SELECT 4);
UPDATE plain SET a = 6 WHERE EXISTS (SELECT 1 FROM Capital WHERE i + 1 = a);
UPDATE capital JOIN (SELECT 1 x) d ON d.x = i SET x = 2
----
ok, 0 rows
ok, 2 rows
ok, 0 rows
ok, 3 rows
ok, 1 rows
ok, 1 rows
ok, 3 rows
ok, 2 rows
ok, 1 rows
ERROR 1288 (HY000): The target table d of the UPDATE is not updatable

query
SELECT * FROM Capital, plain ORDER BY i, a
----
i | J | a
1 | 1 | 5
1 | 1 | 5
1 | 1 | 6
2 | 12 | 5
2 | 12 | 5
2 | 12 | 6

# Checks of a table whose columns others have names of, too.
exec
CREATE TABLE checked (id INT PRIMARY KEY, n INT CHECK (n < 10));
INSERT INTO checked VALUES (1, 1), (2, 2);
UPDATE checked JOIN (SELECT id, n FROM checked) AS c ON c.id = checked.id SET checked.n = c.n + 7;
UPDATE checked AS a JOIN checked AS b ON a.id = b.id SET a.n = 10 WHERE b.id = 1;
UPDATE IGNORE checked AS a JOIN checked AS b ON a.id = b.id SET a.n = a.n + 1;
UPDATE checked SET n = 11 WHERE id IN (SELECT 1)
----
ok, 0 rows
ok, 2 rows
ok, 2 rows
ERROR 3819 (HY000): Check constraint "checked_chk_1" violated
ok, 1 rows
ERROR 3819 (HY000): Check constraint "checked_chk_1" violated

query
SELECT * FROM checked
----
id | n
1 | 9
2 | 9

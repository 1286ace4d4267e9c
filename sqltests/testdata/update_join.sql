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

query
CHECK TABLE w, more
----
Table | Op | Msg_type | Msg_text
d.w | check | status | OK
d.more | check | status | OK

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

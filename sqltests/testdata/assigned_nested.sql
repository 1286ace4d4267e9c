# A string that is given to an undeclared column of arrays and objects is stored as the one that it spells.

exec
CREATE TABLE o (id INT PRIMARY KEY, _doc JSON);
INSERT INTO o (_doc) VALUES ('{"id":1,"tags":["a"],"at":{"zip":"1"},"any":[1]}'), ('{"id":2,"tags":[],"at":null,"any":"x"}');
UPDATE o SET tags = '["b", "c"]', `at` = ' {"zip": "2", "n": 1.50}', `any` = '[2]' WHERE id = 1;
UPDATE o SET tags = '{"x":[1]}', `at` = '{}' WHERE id = 2;
INSERT INTO o (id, tags, `at`) VALUES (3, '[1,"2",[3]]', '{"zip":null}')
----
ok, 0 rows
ok, 2 rows
ok, 1 rows
ok, 1 rows
ok, 1 rows

query
SELECT _doc FROM o ORDER BY id
----
_doc
{"id":1,"tags":["b","c"],"at":{"zip":"2","n":1.50},"any":"[2]"}
{"id":2,"tags":{"x":[1]},"at":{},"any":"x"}
{"id":3,"tags":[1,"2",[3]],"at":{"zip":null}}

query
SELECT id FROM o WHERE JSON_CONTAINS(tags, '"c"')
----
id
1

query
SELECT id FROM o WHERE `at.zip` = '2'
----
id
1

exec
UPDATE o SET tags = 'a,b' WHERE id = 1;
UPDATE o SET `at` = '[1' WHERE id = 1
----
ok, 1 rows
ok, 1 rows

query
SHOW WARNINGS
----
Level | Code | Message
Warning | 1366 | Column 'o.at' holds only arrays and objects (json): a text that is no array or object is stored as it is, and the column becomes mixed (json)

query
SELECT _doc FROM o WHERE id = 1
----
_doc
{"id":1,"tags":"a,b","at":"[1","any":"[2]"}

exec
UPDATE o SET tags = '["d"]' WHERE id = 1
----
ok, 1 rows

query
SELECT _doc FROM o WHERE id = 1
----
_doc
{"id":1,"tags":"[\"d\"]","at":"[1","any":"[2]"}

query
CHECK TABLE o
----
Table | Op | Msg_type | Msg_text
d.o | check | status | OK

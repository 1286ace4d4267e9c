# Map indexes under what is done to their tables: CREATE TABLE as a dump has it, LIKE, ALTER, RENAME, TRUNCATE, DROP.
exec
CREATE TABLE t (_id VARCHAR(40) COLLATE utf8mb4_0900_ai_ci PRIMARY KEY, n INT, _doc JSON) ENGINE_ATTRIBUTE '{"max_depth": 4}';
CREATE MAP INDEX kept ON t AS 'function (doc) { /* n, twice */ emit(doc.n, "it''s"); emit([doc._id, doc.n]); // end
}' INTERACTIVE;
CREATE MAP INDEX behind ON t AS 'function (doc) { if (doc.n) emit(-doc.n, doc.tags); }';
CALL sqlfdb_put_design('t', '{"_id":"_design/d","views":{"v":{"map":"function (doc) { emit(doc.n % 2); }","reduce":"_count"}}}');
INSERT INTO t (_doc) VALUES ('{"_id":"a","n":1,"tags":["x","y"]}'), ('{"_id":"B","n":2}'), ('{"_id":"ä1","n":3,"more":{"deep":[1]}}')
----
ok, 0 rows
ok, 0 rows
ok, 0 rows
ok, 0 rows
ok, 3 rows

query
SHOW CREATE TABLE t
----
Table | Create Table
t | CREATE TABLE `t` (
  `_id` varchar(40) COLLATE utf8mb4_0900_ai_ci NOT NULL,
  `n` int,
  `tags` json DEFAULT NULL COMMENT '1 of 3: array',
  `more.deep` json DEFAULT NULL COMMENT '1 of 3: array',
  `_doc` json,
  PRIMARY KEY (`_id`)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_as_cs /*!99999 ENGINE_ATTRIBUTE='{"max_depth":4,"map_indexes":[{"name":"kept","function":"function (doc) { /\\u002a n, twice \\u002a/ emit(doc.n, \\"it''s\\"); emit([doc._id, doc.n]); // end\\n}","interactive":true},{"name":"behind","function":"function (doc) { if (doc.n) emit(-doc.n, doc.tags); }"},{"design":"{\\"_id\\":\\"_design/d\\",\\"views\\":{\\"v\\":{\\"map\\":\\"function (doc) { emit(doc.n % 2); }\\",\\"reduce\\":\\"_count\\"}}}"}]}' */

# LIKE has them, too.
exec
CREATE TABLE u LIKE t;
INSERT INTO u (_doc) SELECT _doc FROM t
----
ok, 0 rows
ok, 3 rows

query
SELECT `key`, _id, value FROM u__map__kept
----
key | _id | value
1 | a | "it's"
2 | B | "it's"
3 | ä1 | "it's"
["a",1] | a | null
["ä1",3] | ä1 | null
["B",2] | B | null

query
SELECT `table`, `index`, mode, IF(mode = 'interactive', state, '') state, IF(mode = 'interactive', `rows`, '') `rows`, LEFT(signature, 6) FROM sqlfdb.map_indexes ORDER BY `table`, `index`
----
table | index | mode | state | rows | LEFT(signature, 6)
t | _design/d | background |  |  | 7de4c7
t | behind | background |  |  | b89951
t | kept | interactive | ready | 6 | ba723e
u | _design/d | background |  |  | 7de4c7
u | behind | background |  |  | b89951
u | kept | interactive | ready | 6 | ba723e

# What a dump says.
exec
CREATE TABLE w (`_id` varchar(40) NOT NULL, `_doc` json, PRIMARY KEY (`_id`)) /*!99999 ENGINE_ATTRIBUTE='{"map_indexes":[{"name":"m","function":"function (doc) { \\/* x *\\/ emit(doc.n); }","interactive":true},{"design":"{\\"_id\\":\\"_design/e\\",\\"views\\":{\\"v\\":{\\"map\\":\\"function (doc) { emit(1); }\\"}}}"}]}' */;
INSERT INTO w (_doc) VALUES ('{"_id":"1","n":5}')
----
ok, 0 rows
ok, 1 rows

query
SELECT * FROM w__map__m
----
key | _id | value
5 | 1 | null

query
SELECT `key` FROM w__e__v
----
key
1

exec
CREATE TABLE bad (_id INT PRIMARY KEY) ENGINE_ATTRIBUTE '{"map_indexes":[{"name":"m","function":"function (doc) {"}]}'
----
ERROR 1210 (HY000): not a JavaScript function: SyntaxError: function: Line 2:1 Unexpected token ) (and 2 more errors)

exec
CREATE TABLE bad (_id INT PRIMARY KEY) ENGINE_ATTRIBUTE '{"map_indexes":[{"function":"function (doc) {}"}]}'
----
ERROR 1210 (HY000): not a design document: it has no name

exec
CREATE TABLE bad (_id INT PRIMARY KEY) ENGINE_ATTRIBUTE '{"map_indexes":[{"design":"{}"}]}'
----
ERROR 1210 (HY000): not a design document: its _id is "", not "_design/" and a name

exec
CREATE TABLE bad (_id INT PRIMARY KEY) ENGINE_ATTRIBUTE '{"map_indexes":[{"nome":"m"}]}'
----
ERROR 1235 (42000): table options: unknown field "nome"

exec
CREATE TEMPORARY TABLE bad (_id INT PRIMARY KEY) ENGINE_ATTRIBUTE '{"map_indexes":[{"name":"m","function":"function (doc) {}"}]}'
----
ERROR 1235 (42000): map indexes of temporary tables

exec
ALTER TABLE w ENGINE_ATTRIBUTE '{"map_indexes":[]}'
----
ok, 0 rows

exec
ALTER TABLE w ENGINE_ATTRIBUTE '{"map_indexes":[{"name":"m","function":"function (doc) {}"}]}'
----
ERROR 1235 (42000): table options: map_indexes in an ALTER TABLE; CREATE MAP INDEX makes one

query
SELECT `index` FROM sqlfdb.map_indexes WHERE `table` = 'w'
----
index
m
_design/e

# Another scheme of keys, another collation of the primary key, of the table, a column more, a column less.
exec
ALTER TABLE t ENGINE_ATTRIBUTE '{"key_scheme": "field"}';
UPDATE t SET n = 10 WHERE _id = 'A'
----
ok, 0 rows
ok, 1 rows

query settled
SELECT `key`, _id FROM t__map__kept
----
key | _id
2 | B
3 | ä1
10 | a
["a",10] | a
["ä1",3] | ä1
["B",2] | B

query settled
CHECK TABLE t
----
Table | Op | Msg_type | Msg_text
d.t | check | status | OK

exec
ALTER TABLE t MODIFY _id VARCHAR(40) COLLATE utf8mb4_bin;
INSERT INTO t (_id, n) VALUES ('b', 7)
----
ok, 0 rows
ok, 1 rows

query settled
SELECT `key`, _id FROM t__map__kept
----
key | _id
2 | B
3 | ä1
7 | b
10 | a
["a",10] | a
["ä1",3] | ä1
["b",7] | b
["B",2] | B

query
SELECT `key`, _id FROM t__map__behind
----
key | _id
-10 | a
-7 | b
-3 | ä1
-2 | B

query settled
CHECK TABLE t
----
Table | Op | Msg_type | Msg_text
d.t | check | status | OK

exec
ALTER TABLE t COLLATE utf8mb4_general_ci;
ALTER TABLE t CONVERT TO CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_ai_ci
----
ok, 0 rows
ok, 0 rows

query settled
CHECK TABLE t
----
Table | Op | Msg_type | Msg_text
d.t | check | status | OK

exec
ALTER TABLE t ADD COLUMN s VARCHAR(10) DEFAULT 'new';
ALTER TABLE t DROP COLUMN n
----
ok, 0 rows
ok, 0 rows

query settled
SELECT `key`, value FROM t__map__behind
----
key | value

query settled
CHECK TABLE t
----
Table | Op | Msg_type | Msg_text
d.t | check | status | OK

exec
RENAME TABLE t TO moved, u TO t
----
ok, 0 rows

query
SELECT `key`, _id FROM t__map__kept WHERE `key` < '[]'
----
key | _id
1 | a
2 | B
3 | ä1

query
SELECT COUNT(*) FROM moved__d__v
----
COUNT(*)
4

exec
CREATE DATABASE e;
RENAME TABLE moved TO e.moved;
INSERT INTO e.moved (_doc) VALUES ('{"_id":"z","n":9}')
----
ok, 1 rows
ok, 0 rows
ok, 1 rows

query
SELECT `key`, _id FROM e.moved__map__kept WHERE `key` = 9
----
key | _id
9 | z

query
CHECK TABLE t, w, e.moved
----
Table | Op | Msg_type | Msg_text
d.t | check | status | OK
d.w | check | status | OK
e.moved | check | status | OK

# TRUNCATE while one is built, and DROP.
exec
SET GLOBAL sqlfdb_jobs = hold;
CREATE OR REPLACE MAP INDEX behind ON t AS 'function (doc) { emit("new"); }';
CREATE MAP INDEX third ON t AS 'function (doc) { emit(3); }' INTERACTIVE
----
ok, 0 rows
ok, 0 rows
ok, 0 rows

query
SELECT `index`, state, progress FROM sqlfdb.map_indexes WHERE `table` = 't' ORDER BY `index`
----
index | state | progress
_design/d | ready | NULL
behind | ready, another is built | 0 %
kept | ready | NULL
third | building | 0 %

query
SHOW CREATE TABLE t
----
Table | Create Table
t | CREATE TABLE `t` (
  `_id` varchar(40) COLLATE utf8mb4_0900_ai_ci NOT NULL,
  `n` int,
  `tags` json DEFAULT NULL COMMENT '1 of 3: array',
  `more.deep` json DEFAULT NULL COMMENT '1 of 3: array',
  `_doc` json,
  PRIMARY KEY (`_id`)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_as_cs /*!99999 ENGINE_ATTRIBUTE='{"map_indexes":[{"name":"kept","function":"function (doc) { /\\u002a n, twice \\u002a/ emit(doc.n, \\"it''s\\"); emit([doc._id, doc.n]); // end\\n}","interactive":true},{"name":"behind","function":"function (doc) { emit(\\"new\\"); }"},{"design":"{\\"_id\\":\\"_design/d\\",\\"views\\":{\\"v\\":{\\"map\\":\\"function (doc) { emit(doc.n % 2); }\\",\\"reduce\\":\\"_count\\"}}}"},{"name":"third","function":"function (doc) { emit(3); }","interactive":true}]}' */

query
CHECK TABLE t
----
Table | Op | Msg_type | Msg_text
d.t | check | status | OK

exec
TRUNCATE TABLE t;
SET GLOBAL sqlfdb_jobs = run;
INSERT INTO t (_id) VALUES ('one')
----
ok, 3 rows
ok, 0 rows
ok, 1 rows

query settled
SELECT (SELECT `key` FROM t__map__behind) AS behind, (SELECT `key` FROM t__map__third) AS third
----
behind | third
"new" | 3

query settled
CHECK TABLE t
----
Table | Op | Msg_type | Msg_text
d.t | check | status | OK

exec
DROP TABLE t, w;
DROP DATABASE e
----
ok, 0 rows
ok, 1 rows

query
SELECT COUNT(*) FROM sqlfdb.map_indexes
----
COUNT(*)
0

# Map indexes: what a function emits for each document is a table of rows, in the order of CouchDB's keys.
exec
CREATE TABLE posts (_id VARCHAR(255) PRIMARY KEY, _doc JSON);
INSERT INTO posts (_doc) VALUES ('{"_id":"biking","title":"Biking","date":"2009/01/30 18:04:11","tags":["sport","bike"]}'),
  ('{"_id":"bought-a-cat","title":"Bought a Cat","date":"2009/02/17 21:13:39","tags":["cat"]}'),
  ('{"_id":"hello-world","title":"Hello World","date":"2009/01/15 15:52:20","tags":["first","cat"]}');
CREATE MAP INDEX by_date ON posts AS 'function (doc) { if (doc.date && doc.title) { emit(doc.date, doc.title); } }' INTERACTIVE;
CREATE MAP INDEX by_tag ON posts AS 'function (doc) { for (var i in doc.tags) emit(doc.tags[i], 1); }' BACKGROUND
----
ok, 0 rows
ok, 3 rows
ok, 0 rows
ok, 0 rows

# By date, a day's and the latest.
query
SELECT * FROM posts__map__by_date
----
key | _id | value
"2009/01/15 15:52:20" | hello-world | "Hello World"
"2009/01/30 18:04:11" | biking | "Biking"
"2009/02/17 21:13:39" | bought-a-cat | "Bought a Cat"

query
SELECT `key`, value FROM posts__map__by_date WHERE `key` BETWEEN '"2009/01/30"' AND '"2009/01/31"'
----
key | value
"2009/01/30 18:04:11" | "Biking"

query
SELECT `key`, value FROM posts__map__by_date ORDER BY `key` DESC LIMIT 1
----
key | value
"2009/02/17 21:13:39" | "Bought a Cat"

query
EXPLAIN FORMAT=TREE SELECT `key`, value FROM posts__map__by_date WHERE `key` BETWEEN '"2009/01/30"' AND '"2009/01/31"'
----
EXPLAIN
-> Project: posts__map__by_date.key, posts__map__by_date.value
    -> Index range scan on posts__map__by_date using key
         entries only: no document is read
         range: `key` from "2009/01/30" below "2009/01/31"…
         keys: 1 counted of 3

query
EXPLAIN FORMAT=TREE SELECT `key`, value FROM posts__map__by_date ORDER BY `key` DESC LIMIT 1
----
EXPLAIN
-> Limit: 1 rows
    -> Project: posts__map__by_date.key, posts__map__by_date.value
        -> Index scan on posts__map__by_date using key
             entries only: no document is read
             from the last to the first
             at most 1 keys
             keys: 1 counted of 3

query
EXPLAIN SELECT `key`, doc FROM posts__map__by_date WHERE `key` = '"2009/01/30 18:04:11"'
----
id | select_type | table | partitions | type | possible_keys | key | key_len | ref | rows | filtered | Extra
1 | SIMPLE | posts__map__by_date | NULL | ref | NULL | key | NULL | const | 1 | 100 |

# By tag, with documents: they are read where doc is named.
query
SELECT `key`, _id, value, doc->>'$.title' AS title FROM posts__map__by_tag WHERE `key` = '"cat"'
----
key | _id | value | title
"cat" | bought-a-cat | 1 | Bought a Cat
"cat" | hello-world | 1 | Hello World

query
SELECT `key`, COUNT(*), SUM(value) FROM posts__map__by_tag GROUP BY `key` ORDER BY `key`
----
key | COUNT(*) | SUM(value)
"bike" | 1 | 1
"cat" | 2 | 2
"first" | 1 | 1
"sport" | 1 | 1

query
SELECT t.`key`, p.title FROM posts__map__by_tag t JOIN posts p ON p._id = t._id WHERE t.`key` IN ('"bike"', '"first"') ORDER BY p.title
----
key | title
"bike" | Biking
"first" | Hello World

query
SELECT p._id, t.`key` FROM posts p LEFT JOIN posts__map__by_tag t ON t.`key` = p.tags->'$[0]' AND t._id = p._id ORDER BY p._id
----
_id | key
biking | "sport"
bought-a-cat | "cat"
hello-world | "first"

# Own writes are seen in what is kept in the transaction, and a rollback takes rows back.
exec
BEGIN;
INSERT INTO posts (_doc) VALUES ('{"_id":"x","title":"X","date":"2010"}');
UPDATE posts SET date = '2008' WHERE _id = 'biking';
DELETE FROM posts WHERE _id = 'hello-world'
----
ok, 0 rows
ok, 1 rows
ok, 1 rows
ok, 1 rows

query
SELECT `key`, value FROM posts__map__by_date
----
key | value
"2008" | "Biking"
"2009/02/17 21:13:39" | "Bought a Cat"
"2010" | "X"

exec
ROLLBACK
----
ok, 0 rows

query
SELECT `key`, value FROM posts__map__by_date
----
key | value
"2009/01/15 15:52:20" | "Hello World"
"2009/01/30 18:04:11" | "Biking"
"2009/02/17 21:13:39" | "Bought a Cat"

query
CHECK TABLE posts
----
Table | Op | Msg_type | Msg_text
d.posts | check | status | OK

# All types of keys in order, from either end; equal keys of one document are kept apart.
exec
CREATE TABLE k (_id VARCHAR(255) PRIMARY KEY, _doc JSON);
CREATE MAP INDEX v ON k AS 'function (doc) { doc.keys.forEach(function (k) { emit(k, k); }); }' INTERACTIVE;
INSERT INTO k (_doc) VALUES ('{"_id":"1","keys":[{"b":2,"c":2},{"b":2,"a":1},{"b":2},{"b":1},{"a":2},{"a":1},["b","d","e"],["b","d"],["b","c","a"],["b","c"],["b"],["a"]]}'),
  ('{"_id":"2","keys":["bb","ba","B","b","aa","A","a",4,3.0,2,1,true,false,null,null,[],{}]}')
----
ok, 0 rows
ok, 0 rows
ok, 2 rows

query
SELECT `key`, _id FROM k__map__v
----
key | _id
null | 2
null | 2
false | 2
true | 2
1 | 2
2 | 2
3 | 2
4 | 2
"a" | 2
"A" | 2
"aa" | 2
"b" | 2
"B" | 2
"ba" | 2
"bb" | 2
[] | 2
["a"] | 1
["b"] | 1
["b","c"] | 1
["b","c","a"] | 1
["b","d"] | 1
["b","d","e"] | 1
{} | 2
{"a":1} | 1
{"a":2} | 1
{"b":1} | 1
{"b":2} | 1
{"b":2,"a":1} | 1
{"b":2,"c":2} | 1

query
SELECT `key` FROM k__map__v ORDER BY `key` DESC LIMIT 5
----
key
{"b":2,"c":2}
{"b":2,"a":1}
{"b":2}
{"b":1}
{"a":2}

query
SELECT `key` FROM k__map__v WHERE `key` >= '["b"]' AND `key` < '["b",{}]'
----
key
["b"]
["b","c"]
["b","c","a"]
["b","d"]
["b","d","e"]

query
SELECT `key` FROM k__map__v WHERE sqlfdb_key_begins(`key`, '["b","d"]')
----
key
["b","d"]
["b","d","e"]

query
EXPLAIN FORMAT=TREE SELECT `key` FROM k__map__v WHERE sqlfdb_key_begins(`key`, '["b","d"]')
----
EXPLAIN
-> Project: k__map__v.key
    -> Index range scan on k__map__v using key
         entries only: no document is read
         range: `key` begins ["b","d"…
         keys: 2 counted of 29

query
SELECT `key` FROM k__map__v WHERE `key` > 2 AND `key` <= '"A"'
----
key
3
4
"a"
"A"

query
SELECT `key` FROM k__map__v WHERE `key` <= TRUE
----
key
null
null
false
true

query
SELECT `key`, COUNT(*) FROM k__map__v WHERE `key` = 'null' OR `key` = 3 GROUP BY `key`
----
key | COUNT(*)
null | 2
3 | 1

query
SELECT `key` FROM k__map__v WHERE `key` IN ('[]', '{}', '"none"', NULL)
----
key
[]
{}

query
SELECT `key` FROM k__map__v WHERE `key` = CAST('["a"]' AS JSON) OR `key` = JSON_ARRAY('b')
----
key
["a"]
["b"]

query
SELECT `key` FROM k__map__v WHERE `key` = NULL
----
key

query
SELECT `key` FROM k__map__v WHERE 4 < `key` AND '"aa"' >= `key`
----
key
"a"
"A"
"aa"

query
SELECT `key` FROM k__map__v WHERE `key` BETWEEN 3 AND 1
----
key

query
SELECT DISTINCT JSON_TYPE(`key`) AS type FROM k__map__v ORDER BY type
----
type
ARRAY
BOOLEAN
INTEGER
NULL
OBJECT
STRING

query
SELECT `key`->'$[0]' AS first, COUNT(*) FROM k__map__v WHERE `key` >= '[]' AND `key` < '{}' GROUP BY first ORDER BY first
----
first | COUNT(*)
NULL | 1
"a" | 1
"b" | 5

query
SELECT COUNT(*) FROM k__map__v
----
COUNT(*)
29

query
SELECT a.`key` FROM k__map__v a JOIN k__map__v b ON a.`key` = b.`key` AND a._id < b._id
----
key

query
SELECT a.`key` FROM k__map__v a WHERE `key` <> '"a"' AND NOT `key` > 2 ORDER BY `key`
----
key
null
null
false
true
1
2

# A key is not SQL's: what would compare it as such is refused.
query
SELECT `key` FROM k__map__v WHERE `key` = 'a'
----
ERROR 3140 (22032): Invalid JSON text for the key of a map index: 'a'; a string has its own quotes: '"a"', or JSON_QUOTE

query
SELECT MAX(`key`) FROM k__map__v
----
ERROR 1235 (42000): The key of a map index is not supported in MIN and MAX; ORDER BY `key` LIMIT 1 says the same

query
SELECT `key` FROM k__map__v WHERE `key` IN (SELECT 1)
----
ERROR 1235 (42000): The key of a map index is not supported IN a subquery; a join says the same

query
SELECT `key` FROM k__map__v WHERE sqlfdb_key_begins(`key`, '"b"')
----
ERROR 1210 (HY000): Incorrect arguments to sqlfdb_key_begins: the second one is a JSON array

query
INSERT INTO k__map__v VALUES (1, 1, 1)
----
ERROR 1471 (HY000): The target table k__map__v of the INSERT is not insertable-into

query
DELETE FROM k__map__v
----
ERROR 1288 (HY000): The target table k__map__v of the DELETE is not updatable

# A function that fails on a document leaves it out, and the rest goes on.
exec
INSERT INTO k (_doc) VALUES ('{"_id":"3"}');
INSERT INTO k (_doc) VALUES ('{"_id":"4","keys":[1]}')
----
ok, 1 rows
ok, 1 rows

query
SELECT document, error, line, sequence = (SELECT seq FROM k__changes WHERE _id = '3') AS of_its_change FROM sqlfdb.map_errors
----
document | error | line | of_its_change
3 | TypeError: Cannot read property 'forEach' of undefined or null | 1 | 1

query
SELECT `key`, _id FROM k__map__v WHERE `key` = 1
----
key | _id
1 | 2
1 | 4

query
SELECT `index`, view, rows_in, mode, state, documents, `rows`, errors, definition FROM sqlfdb.map_indexes
----
index | view | rows_in | mode | state | documents | rows | errors | definition
v | v | k__map__v | interactive | ready | 3 | 30 | 1 | CREATE MAP INDEX `v` ON `k` AS 'function (doc) { doc.keys.forEach(function (k) { emit(k, k); }); }' INTERACTIVE
by_date | by_date | posts__map__by_date | interactive | ready | 3 | 3 | 0 | CREATE MAP INDEX `by_date` ON `posts` AS 'function (doc) { if (doc.date && doc.title) { emit(doc.date, doc.title); } }' INTERACTIVE
by_tag | by_tag | posts__map__by_tag | background | ready | 3 | 5 | 0 | CREATE MAP INDEX `by_tag` ON `posts` AS 'function (doc) { for (var i in doc.tags) emit(doc.tags[i], 1); }' BACKGROUND

query
CHECK TABLE k
----
Table | Op | Msg_type | Msg_text
d.k | check | status | OK

exec
UPDATE k SET `keys` = CAST('[7]' AS JSON) WHERE _id = '3';
CREATE MAP INDEX w ON k AS 'function (doc) { doc.keys.forEach(function (k) { emit(k, k); }); }' INTERACTIVE
----
ok, 1 rows
ok, 0 rows

# The same function has the same rows.
query
SELECT COUNT(*) FROM sqlfdb.map_errors
----
COUNT(*)
0

query
SELECT COUNT(DISTINCT signature) AS signatures, MIN(`rows`) AS least, MAX(`rows`) AS most FROM sqlfdb.map_indexes WHERE `table` = 'k'
----
signatures | least | most
1 | 31 | 31

query
SHOW CREATE MAP INDEX w ON k
----
Map Index | Create Map Index
w | CREATE MAP INDEX `w` ON `k` AS 'function (doc) { doc.keys.forEach(function (k) { emit(k, k); }); }' INTERACTIVE

exec
DROP MAP INDEX v ON k
----
ok, 0 rows

query
SELECT COUNT(*) FROM k__map__w
----
COUNT(*)
31

query
SELECT COUNT(*) FROM k__map__v
----
ERROR 1146 (42S02): Table 'd.k__map__v' doesn't exist

# Wrong definitions.
exec
CREATE MAP INDEX w ON k AS 'function (doc) { emit(1); }'
----
ERROR 1061 (42000): d.k has a map index 'w'

exec
CREATE MAP INDEX IF NOT EXISTS w ON k AS 'function (doc) { emit(1); }'
----
ok, 0 rows

exec
CREATE MAP INDEX bad ON k AS 'function (doc) {'
----
ERROR 1210 (HY000): not a JavaScript function: SyntaxError: function: Line 2:1 Unexpected token ) (and 2 more errors)

exec
CREATE MAP INDEX bad ON nowhere AS 'function (doc) {}'
----
ERROR 1146 (42S02): Table 'd.nowhere' doesn't exist

exec
CREATE MAP INDEX bad ON k
----
ERROR 1064 (42000): syntax error near '': AS and the text of a function are expected

exec
DROP MAP INDEX bad ON k
----
ERROR 1091 (42000): d.k has no map index 'bad'

exec
DROP MAP INDEX IF EXISTS bad ON k;
CREATE TEMPORARY TABLE mine (_id VARCHAR(255) PRIMARY KEY, _doc JSON)
----
ok, 0 rows
ok, 0 rows

exec
CREATE MAP INDEX bad ON mine AS 'function (doc) {}'
----
ERROR 1235 (42000): Map indexes of temporary tables are not supported

# Another function follows on the one that is there.
exec
SET GLOBAL sqlfdb_jobs = hold;
CREATE OR REPLACE MAP INDEX w ON k AS 'function (doc) { emit(doc._id, doc.keys.length); }'
----
ok, 0 rows
ok, 0 rows

query
SELECT `key`, value FROM k__map__w
----
key | value
null | null
null | null
false | false
true | true
1 | 1
1 | 1
2 | 2
3 | 3
4 | 4
7 | 7
"a" | "a"
"A" | "A"
"aa" | "aa"
"b" | "b"
"B" | "B"
"ba" | "ba"
"bb" | "bb"
[] | []
["a"] | ["a"]
["b"] | ["b"]
["b","c"] | ["b","c"]
["b","c","a"] | ["b","c","a"]
["b","d"] | ["b","d"]
["b","d","e"] | ["b","d","e"]
{} | {}
{"a":1} | {"a":1}
{"a":2} | {"a":2}
{"b":1} | {"b":1}
{"b":2} | {"b":2}
{"b":2,"a":1} | {"b":2,"a":1}
{"b":2,"c":2} | {"b":2,"c":2}

query
SELECT mode, state, `rows` FROM sqlfdb.map_indexes WHERE `table` = 'k'
----
mode | state | rows
interactive | ready, another is built | 31

query
CHECK TABLE k
----
Table | Op | Msg_type | Msg_text
d.k | check | status | OK

query
OPTIMIZE TABLE k
----
Table | Op | Msg_type | Msg_text
d.k | optimize | status | OK

query
SELECT `key`, value FROM k__map__w
----
key | value
"1" | 12
"2" | 17
"3" | 1
"4" | 1

query
SELECT mode, state, `rows` FROM sqlfdb.map_indexes WHERE `table` = 'k'
----
mode | state | rows
background | ready | 4

query
CHECK TABLE k
----
Table | Op | Msg_type | Msg_text
d.k | check | status | OK

# Design documents, as CouchDB has them.
exec
SET GLOBAL sqlfdb_jobs = run;
CALL sqlfdb_put_design('posts', '{"_id":"_design/blog","language":"javascript","options":[{"interactive":true}],"views":{
  "by_day":{"map":"function (doc) { emit(doc.date.substr(0, 10).split(\'/\').map(Number), doc.title); }","reduce":"_count"},
  "titles":{"map":"function (doc) { emit(doc.title); }"}}}')
----
ok, 0 rows
ok, 0 rows

query
SELECT * FROM posts__blog__by_day
----
key | _id | value
[2009,1,15] | hello-world | "Hello World"
[2009,1,30] | biking | "Biking"
[2009,2,17] | bought-a-cat | "Bought a Cat"

query
SELECT `key`->'$[0]' AS year, `key`->'$[1]' AS month, COUNT(*) AS posts FROM posts__blog__by_day GROUP BY year, month ORDER BY year, month
----
year | month | posts
2009 | 1 | 2
2009 | 2 | 1

query
SELECT `key`, _id FROM posts__blog__titles WHERE `key` < '"Bp"'
----
key | _id
"Biking" | biking
"Bought a Cat" | bought-a-cat

query
SELECT `index`, view, mode, state, `rows` FROM sqlfdb.map_indexes WHERE `table` = 'posts'
----
index | view | mode | state | rows
by_date | by_date | interactive | ready | 3
by_tag | by_tag | background | ready | 5
_design/blog | by_day | interactive | ready | 3
_design/blog | titles | interactive | ready | 3

exec
SET GLOBAL sqlfdb_jobs = hold;
CALL sqlfdb_put_design('posts', '{"_id":"_design/blog","views":{"titles":{"map":"function (doc) { emit(doc.title.toLowerCase()); }"}}}')
----
ok, 0 rows
ok, 0 rows

query
SELECT `key` FROM posts__blog__titles
----
key
"Biking"
"Bought a Cat"
"Hello World"

query
SELECT * FROM posts__blog__by_day
----
key | _id | value
[2009,1,15] | hello-world | "Hello World"
[2009,1,30] | biking | "Biking"
[2009,2,17] | bought-a-cat | "Bought a Cat"

query
CHECK TABLE posts
----
Table | Op | Msg_type | Msg_text
d.posts | check | status | OK

query
OPTIMIZE TABLE posts
----
Table | Op | Msg_type | Msg_text
d.posts | optimize | status | OK

query
SELECT `key` FROM posts__blog__titles
----
key
"biking"
"bought a cat"
"hello world"

query
SELECT * FROM posts__blog__by_day
----
ERROR 1146 (42S02): Table 'd.posts__blog__by_day' doesn't exist

exec
SET GLOBAL sqlfdb_jobs = run;
CALL sqlfdb_view_cleanup('posts')
----
ok, 0 rows
ok, 0 rows

exec
CALL sqlfdb_put_design('posts', '{"_id":"_design/blog","_deleted":true}')
----
ok, 0 rows

exec
CALL sqlfdb_put_design('posts', '{"_id":"blog","views":{}}')
----
ERROR 1210 (HY000): not a design document: its _id is "blog", not "_design/" and a name

exec
CALL sqlfdb_put_design('posts', '{"_id":"_design/a","language":"erlang","views":{"v":{"map":"x"}}}')
----
ERROR 1235 (42000): not supported: the language "erlang"

exec
CALL sqlfdb_put_design('posts', '{"_id":"_design/a","views":{"lib":{"x":"y"},"v":{"map":"function (doc) {}"}}}')
----
ERROR 1235 (42000): not supported: views.lib, since functions can't require anything

# TRUNCATE, RENAME, DROP.
exec
RENAME TABLE posts TO articles;
INSERT INTO articles (_doc) VALUES ('{"_id":"new","title":"New","date":"2011","tags":["n"]}')
----
ok, 0 rows
ok, 1 rows

query
SELECT value FROM articles__map__by_date WHERE `key` > '"2010"'
----
value
"New"

query
SELECT `key` FROM articles__map__by_tag WHERE `key` = '"n"'
----
key
"n"

exec
TRUNCATE TABLE articles;
INSERT INTO articles (_doc) VALUES ('{"_id":"only","title":"Only","date":"2012","tags":["o"]}')
----
ok, 4 rows
ok, 1 rows

query
SELECT value FROM articles__map__by_date
----
value
"Only"

query
SELECT `key` FROM articles__map__by_tag
----
key
"o"

query
CHECK TABLE articles
----
Table | Op | Msg_type | Msg_text
d.articles | check | status | OK

# What is there already, and what is made behind the statement.
exec
INSERT INTO articles (_doc) VALUES ('{"_id":"late","title":"Late","date":"2013","tags":["l"]}')
----
ok, 1 rows

query
SELECT `key` FROM articles__map__by_tag
----
key
"l"
"o"

exec
SET sqlfdb_map_update = FALSE
----
ok, 0 rows

query
SELECT @@sqlfdb_map_update
----
@@sqlfdb_map_update
false

exec
SET sqlfdb_map_update = lazy;
SET sqlfdb_map_update = 'wait';
DROP TABLE articles;
DROP TABLE k
----
ok, 0 rows
ok, 0 rows
ok, 0 rows
ok, 0 rows

query
SELECT COUNT(*) FROM sqlfdb.map_indexes
----
COUNT(*)
0

# Tables with other keys, and without one.
exec
CREATE TABLE two (a INT, `key` VARCHAR(20), v INT, PRIMARY KEY (a, `key`));
CREATE MAP INDEX m ON two AS 'function (doc) { emit(doc.v, doc.key); }' INTERACTIVE;
INSERT INTO two VALUES (1, 'x', 9), (2, 'y', 8);
CREATE TABLE bare (v INT);
CREATE MAP INDEX m ON bare AS 'function (doc) { emit(doc.v); }' INTERACTIVE;
INSERT INTO bare VALUES (2), (1), (2)
----
ok, 0 rows
ok, 0 rows
ok, 2 rows
ok, 0 rows
ok, 0 rows
ok, 3 rows

query
SELECT * FROM two__map__m
----
key | a | "key" | value
8 | 2 | y | "y"
9 | 1 | x | "x"

query
SELECT a, doc FROM two__map__m WHERE `key` = 8
----
a | doc
2 | {"a":2,"key":"y","v":8}

query
SELECT `key`, value FROM bare__map__m
----
key | value
1 | null
2 | null
2 | null

query
SHOW COLUMNS FROM two__map__m
----
Field | Type | Null | Key | Default | Extra
key | json | NO |  | NULL |
a | int | NO |  | NULL |
"key" | varchar(20) | NO |  | NULL |
value | json | NO |  | NULL |
doc | json | YES |  | NULL |

query
CHECK TABLE two, bare
----
Table | Op | Msg_type | Msg_text
d.two | check | status | OK
d.bare | check | status | OK

exec
ALTER TABLE two MODIFY v VARCHAR(20);
ALTER TABLE two ADD COLUMN w INT DEFAULT 5;
CREATE INDEX part ON two ((a + v))
----
ok, 0 rows
ok, 0 rows
ok, 0 rows

query settled
SELECT `key`, value FROM two__map__m
----
key | value
"8" | "y"
"9" | "x"

query settled
CHECK TABLE two
----
Table | Op | Msg_type | Msg_text
d.two | check | status | OK

exec
DROP TABLE two;
DROP TABLE bare
----
ok, 0 rows
ok, 0 rows

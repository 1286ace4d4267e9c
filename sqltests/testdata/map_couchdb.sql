# The examples of CouchDB's guide to views, as SQL.
exec
CREATE TABLE blog (_id VARCHAR(255) PRIMARY KEY, _doc JSON);
INSERT INTO blog (_doc) VALUES
  ('{"_id":"biking","title":"Biking","body":"My biggest hobby is mountainbiking. The other day...","date":"2009/01/30 18:04:11","tags":["hobby"]}'),
  ('{"_id":"bought-a-cat","title":"Bought a Cat","body":"I went to the pet store earlier and brought home a little kitty...","date":"2009/02/17 21:13:39","tags":["cat","hobby"]}'),
  ('{"_id":"hello-world","title":"Hello World","body":"Well hello and welcome to my new blog...","date":"2009/01/15 15:52:20"}'),
  ('{"_id":"no-post"}')
----
ok, 0 rows
ok, 4 rows

# By date: the first view, a title by its date, and a range of dates.
exec
CALL sqlfdb_put_design('blog', '{"_id":"_design/docs","language":"javascript","options":[{"interactive":true}],"views":{
  "by_date":{"map":"function (doc) {\\n  if (doc.date && doc.title) {\\n    emit(doc.date, doc.title);\\n  }\\n}"},
  "by_tag":{"map":"function (doc) {\\n  for (var i in doc.tags) emit(doc.tags[i], doc.title);\\n}","reduce":"_count"},
  "by_day":{"map":"function (doc) { if (doc.date) emit(doc.date.split(/[^0-9]/).map(Number), doc.body.length); }","reduce":"_stats"}}}')
----
ok, 0 rows

query
SELECT * FROM blog__docs__by_date
----
key | _id | value
"2009/01/15 15:52:20" | hello-world | "Hello World"
"2009/01/30 18:04:11" | biking | "Biking"
"2009/02/17 21:13:39" | bought-a-cat | "Bought a Cat"

query
SELECT `key`, value FROM blog__docs__by_date WHERE `key` = '"2009/01/30 18:04:11"'
----
key | value
"2009/01/30 18:04:11" | "Biking"

query
SELECT `key`, value FROM blog__docs__by_date WHERE `key` >= '"2009/01/15"' AND `key` <= '"2009/02/01"' ORDER BY `key` DESC
----
key | value
"2009/01/30 18:04:11" | "Biking"
"2009/01/15 15:52:20" | "Hello World"

query
SELECT `key`, value FROM blog__docs__by_date ORDER BY `key` DESC LIMIT 1
----
key | value
"2009/02/17 21:13:39" | "Bought a Cat"

# By tag: several rows of a document; counts are group=true.
query
SELECT `key`, _id, value FROM blog__docs__by_tag WHERE `key` IN ('"hobby"', '"cat"')
----
key | _id | value
"cat" | bought-a-cat | "Bought a Cat"
"hobby" | biking | "Biking"
"hobby" | bought-a-cat | "Bought a Cat"

query
SELECT `key`, COUNT(*) FROM blog__docs__by_tag GROUP BY `key` ORDER BY `key`
----
key | COUNT(*)
"cat" | 1
"hobby" | 2

# Counts of all rows rest on the counter, those of a range on its keys.
query
SELECT COUNT(*), COUNT(1) AS ones, COUNT(`key`) FROM blog__docs__by_tag t
----
COUNT(*) | ones | COUNT(`key`)
3 | 3 | 3

query
EXPLAIN FORMAT=TREE SELECT COUNT(*) FROM blog__docs__by_tag
----
EXPLAIN
-> Project: count(1)
    -> Count of blog__docs__by_tag from its counter

query
EXPLAIN SELECT COUNT(*) FROM blog__docs__by_tag
----
id | select_type | table | partitions | type | possible_keys | key | key_len | ref | rows | filtered | Extra
1 | SIMPLE | blog__docs__by_tag | NULL | NULL | NULL | NULL | NULL | NULL | NULL | 100 | Select tables optimized away

query
SELECT COUNT(*) AS n FROM blog__docs__by_tag WHERE `key` = '"hobby"'
----
n
2

query
EXPLAIN FORMAT=TREE SELECT COUNT(*) AS n FROM blog__docs__by_tag WHERE `key` = '"hobby"'
----
EXPLAIN
-> Project: count(1) as n
    -> Count keys of blog__docs__by_tag using key
         entries only: no document is read
         range: `key` = "hobby"
         keys: 2 counted of 3

query
SELECT COUNT(*) FROM blog__docs__by_tag WHERE `key` = '"hobby"' OR `key` < '"b"' OR `key` > '"h"'
----
COUNT(*)
2

query
SELECT COUNT(*) FROM blog__docs__by_tag WHERE `key` = NULL
----
COUNT(*)
0

query
SELECT COUNT(*) FROM blog__docs__by_tag WHERE value = 'Biking'
----
COUNT(*)
1

query
SELECT COUNT(*) + 1 AS more FROM blog__docs__by_tag HAVING COUNT(*) > 2
----
more
4

query
SELECT (SELECT COUNT(*) FROM blog__docs__by_tag t WHERE t._id = b._id) AS tags FROM blog b ORDER BY _id
----
tags
1
2
0
0

# The counter sees what the transaction has written.
exec
BEGIN;
INSERT INTO blog (_doc) VALUES ('{"_id":"x","title":"X","tags":["a","b","hobby"]}');
DELETE FROM blog WHERE _id = 'biking'
----
ok, 0 rows
ok, 1 rows
ok, 1 rows

query
SELECT COUNT(*) FROM blog__docs__by_tag
----
COUNT(*)
5

query
SELECT COUNT(*) FROM blog__docs__by_tag WHERE `key` = '"hobby"'
----
COUNT(*)
2

exec
ROLLBACK
----
ok, 0 rows

query
SELECT COUNT(*) FROM blog__docs__by_tag
----
COUNT(*)
3

# Group levels: group_level=1, 2 and 3, and _stats.
query
SELECT sqlfdb_key_level(`key`, 1) AS level, COUNT(*), SUM(value), MIN(value), MAX(value), SUM(value * value) AS sumsqr FROM blog__docs__by_day GROUP BY level ORDER BY level
----
level | COUNT(*) | SUM(value) | MIN(value) | MAX(value) | sumsqr
[2009] | 3 | 158 | 40 | 66 | 8660

query
SELECT sqlfdb_key_level(`key`, 2) AS level, COUNT(*) FROM blog__docs__by_day GROUP BY level ORDER BY level
----
level | COUNT(*)
[2009,1] | 2
[2009,2] | 1

query
SELECT sqlfdb_key_level(`key`, 3) AS level, COUNT(*), SUM(value) FROM blog__docs__by_day WHERE `key` >= '[2009,1,20]' AND `key` < '[2009,3]' GROUP BY level ORDER BY level
----
level | COUNT(*) | SUM(value)
[2009,1,30] | 1 | 52
[2009,2,17] | 1 | 66

query
EXPLAIN FORMAT=TREE SELECT sqlfdb_key_level(`key`, 2) AS level, COUNT(*) FROM blog__docs__by_day WHERE sqlfdb_key_begins(`key`, '[2009]') GROUP BY level
----
EXPLAIN
-> Project: sqlfdb_key_level(blog__docs__by_day.key, 2) as level, count(1)
    -> Group: by sqlfdb_key_level(blog__docs__by_day.key, 2) as level: COUNT(1), blog__docs__by_day.key
         executor: interpreted: read from entries
        -> Index range scan on blog__docs__by_day using key
             entries only: no document is read
             range: `key` begins [2009…
             keys: 3 counted of 3

query
SELECT sqlfdb_key_level('[1,[2,3],{"a":4}]', 2), sqlfdb_key_level('"a"', 1), sqlfdb_key_level('[]', 1), sqlfdb_key_level(NULL, 1), sqlfdb_key_level('[1]', 5)
----
sqlfdb_key_level('[1,[2,3],{"a":4}]', 2) | sqlfdb_key_level('"a"', 1) | sqlfdb_key_level('[]', 1) | sqlfdb_key_level(NULL, 1) | sqlfdb_key_level('[1]', 5)
[1,[2,3]] | "a" | [] | NULL | [1]

query
SELECT sqlfdb_key_level(`key`, 0) FROM blog__docs__by_day
----
ERROR 1210 (HY000): Incorrect arguments to sqlfdb_key_level: the second one is a number of elements, from 1

query
SELECT sqlfdb_key_level('nonsense', 1)
----
ERROR 3140 (22032): Invalid JSON text for the key of a map index: 'nonsense'; a string has its own quotes: '"a"', or JSON_QUOTE

# Joins with views: posts with their comments, by collation. The post comes first, then its comments in their order.
exec
CREATE TABLE discussion (_id VARCHAR(255) PRIMARY KEY, _doc JSON);
INSERT INTO discussion (_doc) VALUES ('{"_id":"ABCDEF","type":"comment","post":"myslug","author":"jason","content":"…"}'),
  ('{"_id":"DEFABC","type":"comment","post":"myslug","author":"john","content":"…"}'),
  ('{"_id":"myslug","type":"post","author":"jack","title":"My blog post","content":"…"}'),
  ('{"_id":"other","type":"post","author":"jack","title":"Another","content":"…"}');
CREATE MAP INDEX thread ON discussion AS 'function (doc) {
  if (doc.type == "post") {
    emit([doc._id, 0], null)
  } else if (doc.type == "comment") {
    emit([doc.post, 1], null)
  }
}'
----
ok, 0 rows
ok, 4 rows
ok, 0 rows

query
SELECT `key`, _id, doc->>'$.author' AS author FROM discussion__map__thread WHERE `key` >= '["myslug"]' AND `key` < '["myslug",{}]'
----
key | _id | author
["myslug",0] | myslug | jack
["myslug",1] | ABCDEF | jason
["myslug",1] | DEFABC | john

query
SELECT t.`key`, d.type, d.author FROM discussion__map__thread t JOIN discussion d ON d._id = t._id WHERE sqlfdb_key_begins(t.`key`, '["myslug"]')
----
key | type | author
["myslug",1] | comment | jason
["myslug",1] | comment | john
["myslug",0] | post | jack

query
EXPLAIN FORMAT=TREE SELECT t.`key`, d.type, d.author FROM discussion__map__thread t JOIN discussion d ON d._id = t._id WHERE sqlfdb_key_begins(t.`key`, '["myslug"]')
----
EXPLAIN
-> Project: t.key, d.type, d.author
    -> Join, inner, hash: (d._id = t._id)
         rows: about 2, cost: 9.2
        -> Table scan on d
             documents: 4, exactly
        -> Hash: (t._id) looked up by (d._id)
            -> Index range scan on t using key
                 entries only: no document is read
                 range: `key` begins ["myslug"…
                 keys: 3 counted of 4

query
SELECT sqlfdb_key_level(`key`, 1) AS post, COUNT(*) - 1 AS comments FROM discussion__map__thread GROUP BY post ORDER BY post
----
post | comments
["myslug"] | 2
["other"] | 0

# Reverse look-ups: books by their authors, which each book has several of.
exec
CREATE TABLE books (_id VARCHAR(255) PRIMARY KEY, _doc JSON);
INSERT INTO books (_doc) VALUES ('{"_id":"guide","title":"CouchDB: The Definitive Guide","authors":["J. Chris Anderson","Jan Lehnardt","Noah Slater"]}'),
  ('{"_id":"other","title":"Another","authors":["Jan Lehnardt"]}');
CREATE MAP INDEX by_author ON books AS 'function (doc) { doc.authors.forEach(function (a, i) { emit([a, i], {title: doc.title}); }); }' INTERACTIVE;
CREATE MAP INDEX words ON books AS 'function (doc) { doc.title.toLowerCase().split(/\\W+/).forEach(function (w) { if (w) emit(w); }); }'
----
ok, 0 rows
ok, 2 rows
ok, 0 rows
ok, 0 rows

query
SELECT `key`, value->>'$.title' AS title FROM books__map__by_author WHERE sqlfdb_key_begins(`key`, '["Jan Lehnardt"]')
----
key | title
["Jan Lehnardt",0] | Another
["Jan Lehnardt",1] | CouchDB: The Definitive Guide

query
SELECT DISTINCT JSON_UNQUOTE(JSON_EXTRACT(sqlfdb_key_level(`key`, 1), '$[0]')) AS author FROM books__map__by_author ORDER BY author
----
author
J. Chris Anderson
Jan Lehnardt
Noah Slater

query
SELECT `key`, _id FROM books__map__words WHERE `key` >= '"d"' AND `key` < '"e"'
----
key | _id
"definitive" | guide

# CouchDB's published list of how keys sort, each a document of its own: the numbers are the places in the list.
exec
CREATE TABLE sorted (_id INT PRIMARY KEY, _doc JSON);
CREATE MAP INDEX k ON sorted AS 'function (doc) { emit(doc.k); }' INTERACTIVE;
INSERT INTO sorted (_id, _doc) VALUES (26, '{"k":{"b":2,"c":2}}'), (25, '{"k":{"b":2,"a":1}}'), (24, '{"k":{"b":2}}'), (23, '{"k":{"b":1}}'),
  (22, '{"k":{"a":2}}'), (21, '{"k":{"a":1}}'), (20, '{"k":["b","d","e"]}'), (19, '{"k":["b","d"]}'), (18, '{"k":["b","c","a"]}'),
  (17, '{"k":["b","c"]}'), (16, '{"k":["b"]}'), (15, '{"k":["a"]}'), (14, '{"k":"bb"}'), (13, '{"k":"ba"}'), (12, '{"k":"B"}'),
  (11, '{"k":"b"}'), (10, '{"k":"aa"}'), (9, '{"k":"A"}'), (8, '{"k":"a"}'), (7, '{"k":4}'), (6, '{"k":3.0}'), (5, '{"k":2}'),
  (4, '{"k":1}'), (3, '{"k":true}'), (2, '{"k":false}'), (1, '{"k":null}')
----
ok, 0 rows
ok, 0 rows
ok, 26 rows

query
SELECT GROUP_CONCAT(_id) AS places FROM (SELECT _id FROM sorted__map__k ORDER BY `key`) o
----
places
1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26

query
SELECT _id, `key` FROM sorted__map__k ORDER BY `key` DESC LIMIT 7
----
_id | key
26 | {"b":2,"c":2}
25 | {"b":2,"a":1}
24 | {"b":2}
23 | {"b":1}
22 | {"a":2}
21 | {"a":1}
20 | ["b","d","e"]

# Limits: of a key, a value, the keys and the rows of a document; each is kept with its line. A key of 8 KiB is one
# whatever its characters are.
exec
CREATE TABLE long_ones (_id VARCHAR(20) PRIMARY KEY, _doc JSON);
CREATE MAP INDEX m ON long_ones AS 'function (doc) {
  emit("first")
  for (var i = 0; i < doc.n; i++)
    emit((doc.of || "k").repeat(doc.key) + i, "v".repeat(doc.value))
}' INTERACTIVE;
INSERT INTO long_ones (_id, n, `of`, `key`, value) VALUES ('fits', 1, 'k', 8189, 65534), ('key', 1, 'k', 8190, 1), ('value', 1, 'k', 1, 65535),
  ('keys', 10, 'k', 7000, 1), ('rows', 20000, 'k', 0, 0), ('bytes', 100, 'k', 1, 60000), ('stored', 5000, 'k', 1, 1), ('many', 1000, 'k', 1, 1),
  ('mixed', 8, 'aB', 4000, 1), ('accents', 8, 'Éa', 2700, 1), ('ideographs', 8, '日本', 1360, 1), ('ligatures', 1, 'ﷺ', 2729, 1)
----
ok, 0 rows
ok, 0 rows
ok, 12 rows

query
SELECT document, error, line, LENGTH(sequence) FROM sqlfdb.map_errors
----
document | error | line | LENGTH(sequence)
bytes | rows of more than 4194304 bytes are emitted | 4 | 26
key | a key of 8193 bytes is emitted, the limit is 8192 | 4 | 26
keys | keys of more than 65536 bytes are emitted | 4 | 26
rows | more than 10000 rows are emitted | 4 | 26
value | a value of 65537 bytes is emitted, the limit is 65536 | 4 | 26

query
SELECT _id, COUNT(*), MAX(LENGTH(`key`)) FROM long_ones__map__m GROUP BY _id ORDER BY _id
----
_id | COUNT(*) | MAX(LENGTH(`key`))
accents | 9 | 8103
fits | 2 | 8192
ideographs | 9 | 8163
ligatures | 2 | 8190
many | 1001 | 7
mixed | 9 | 8003
stored | 5001 | 7

query
SELECT documents, `rows`, errors FROM sqlfdb.map_indexes WHERE `table` = 'long_ones'
----
documents | rows | errors
7 | 6033 | 5

# Long keys that begin alike are in their order, from either end, and are found between bounds as long as they are.
query
SELECT _id, LENGTH(`key`), SUBSTRING(`key`, -3) AS ends FROM long_ones__map__m WHERE `key` > CONCAT('"', REPEAT('aB', 4000), '3"') AND `key` < '"b"' ORDER BY `key`
----
_id | LENGTH(`key`) | ends
mixed | 8003 | B4"
mixed | 8003 | B5"
mixed | 8003 | B6"
mixed | 8003 | B7"

query
SELECT _id, SUBSTRING(`key`, -3) AS ends FROM long_ones__map__m WHERE `key` < CONCAT('"', REPEAT('aB', 4000), '6"') ORDER BY `key` DESC LIMIT 3
----
_id | ends
mixed | B5"
mixed | B4"
mixed | B3"

query
SELECT COUNT(*) FROM long_ones__map__m WHERE `key` = CONCAT('"', REPEAT('aB', 4000), '3"')
----
COUNT(*)
1

query
SELECT COUNT(*) FROM long_ones__map__m WHERE `key` BETWEEN CONCAT('"', REPEAT('日本', 1360), '2"') AND CONCAT('"', REPEAT('日本', 1360), '4"')
----
COUNT(*)
3

exec
UPDATE long_ones SET n = 2 WHERE _id IN ('mixed', 'many', 'stored');
DELETE FROM long_ones WHERE _id = 'accents'
----
ok, 3 rows
ok, 1 rows

query
SELECT _id, COUNT(*) FROM long_ones__map__m GROUP BY _id ORDER BY _id
----
_id | COUNT(*)
fits | 2
ideographs | 9
ligatures | 2
many | 3
mixed | 3
stored | 3

# What all views of a design document emit has a limit of its own.
exec
CALL sqlfdb_put_design('long_ones', '{"_id":"_design/d","options":[{"interactive":true}],"views":{
  "a":{"map":"function (doc) { for (var i = 0; i < doc.words; i++) emit(\\"a\\" + i); }"},
  "b":{"map":"function (doc) { for (var i = 0; i < doc.words; i++) emit(\\"b\\" + i); }"},
  "c":{"map":"function (doc) { for (var i = 0; i < doc.words; i++) emit(\\"c\\" + i); }"},
  "d":{"map":"function (doc) { for (var i = 0; i < doc.words; i++) emit(\\"d\\" + i); }"},
  "e":{"map":"function (doc) { for (var i = 0; i < doc.words; i++) emit(\\"e\\" + i); }"},
  "f":{"map":"function (doc) { for (var i = 0; i < doc.words; i++) emit(\\"f\\" + i); }"}}}');
INSERT INTO long_ones (_id, words) VALUES ('words', 8000)
----
ok, 0 rows
ok, 1 rows

query
SELECT rows_in, document, error FROM sqlfdb.map_errors WHERE document = 'words'
----
rows_in | document | error
long_ones__d__d | words | the document's rows have more than 4194304 bytes as they are stored
long_ones__d__e | words | the document's rows have more than 4194304 bytes as they are stored
long_ones__d__f | words | the document's rows have more than 4194304 bytes as they are stored

query
CHECK TABLE long_ones
----
Table | Op | Msg_type | Msg_text
d.long_ones | check | status | OK

# A document whose rows don't fit into a transaction is refused by indexes that are kept with it, and leaves nothing.
exec
DROP MAP INDEX m ON long_ones;
CREATE MAP INDEX a ON long_ones AS 'function (doc) { for (var i = 0; i < doc.rows; i++) emit(i, "a".repeat(60000)); }' INTERACTIVE;
CREATE MAP INDEX b ON long_ones AS 'function (doc) { for (var i = 0; i < doc.rows; i++) emit(i, "b".repeat(60000)); }' INTERACTIVE;
CREATE MAP INDEX c ON long_ones AS 'function (doc) { for (var i = 0; i < doc.rows; i++) emit(i, "c".repeat(60000)); }' INTERACTIVE
----
ok, 0 rows
ok, 0 rows
ok, 0 rows
ok, 0 rows

exec
INSERT INTO long_ones (_id, `rows`) VALUES ('too much', 65)
----
ERROR 1197 (HY000): The statement is too large: 11,723,028 bytes in 1 rows so far; a transaction takes at most 10,000,000 bytes of keys and values, and 65,536 rows; write less at a time

query
SELECT COUNT(*) FROM long_ones WHERE _id = 'too much'
----
COUNT(*)
0

# In the background each index takes its own rows, and one document more than a transaction takes is marked.
exec
DROP MAP INDEX b ON long_ones;
DROP MAP INDEX c ON long_ones;
CALL sqlfdb_put_design('long_ones', '{"_id":"_design/d","views":{"b":{"map":"function (doc) { for (var i = 0; i < doc.rows; i++) emit(i, \'b\'.repeat(60000)); }"},"c":{"map":"function (doc) { for (var i = 0; i < doc.rows; i++) emit(i, \'c\'.repeat(60000)); }"}}}');
INSERT INTO long_ones (_id, `rows`) VALUES ('much', 65)
----
ok, 0 rows
ok, 0 rows
ok, 0 rows
ok, 1 rows

query
SELECT (SELECT COUNT(*) FROM long_ones__map__a) AS a, (SELECT COUNT(*) FROM long_ones__d__b) AS b, (SELECT COUNT(*) FROM long_ones__d__c) AS c
----
a | b | c
65 | 65 | 0

query
SELECT `table`, rows_in, document, error FROM sqlfdb.map_errors
----
table | rows_in | document | error
long_ones | long_ones__d__c | much | the document's rows have more than 4194304 bytes as they are stored

query
CHECK TABLE long_ones, blog, discussion, books, sorted
----
Table | Op | Msg_type | Msg_text
d.long_ones | check | status | OK
d.blog | check | status | OK
d.discussion | check | status | OK
d.books | check | status | OK
d.sorted | check | status | OK

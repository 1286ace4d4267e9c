# Keys are compared, and sorted, in CouchDB's order wherever they stand: in views and derived tables, by other names, in
# rows, in subqueries of other tables' rows, in windows and in GROUP_CONCAT.
exec
CREATE TABLE o (_id INT PRIMARY KEY, _doc JSON);
INSERT INTO o (_id, _doc) VALUES (1, '{"tags":["a","b"],"n":1}'), (2, '{"tags":["b"],"n":2}'), (3, '{"tags":["c","b"],"n":3}'), (4, '{"tags":["a"],"n":4}');
CREATE MAP INDEX tag ON o AS 'function (doc) { doc.tags.forEach(function (t) { emit(t, doc.n); }); }' INTERACTIVE;
CREATE TABLE tags (_id VARCHAR(10) PRIMARY KEY, name VARCHAR(10));
INSERT INTO tags VALUES ('a', 'one'), ('b', 'two'), ('z', 'none');
CREATE VIEW named AS SELECT `key`, value FROM o__map__tag;
CREATE VIEW renamed AS SELECT `key` AS k, value FROM o__map__tag;
CREATE TABLE mixed (_id INT PRIMARY KEY, _doc JSON);
CREATE MAP INDEX k ON mixed AS 'function (doc) { emit(doc.k); }' INTERACTIVE;
INSERT INTO mixed (_id, _doc) VALUES (6,'{"k":{"b":1}}'), (5,'{"k":["a"]}'), (4,'{"k":"B"}'),(3,'{"k":"a"}'), (2,'{"k":3.0}'), (1,'{"k":true}'), (0,'{"k":null}')
----
ok, 0 rows
ok, 4 rows
ok, 0 rows
ok, 0 rows
ok, 3 rows
ok, 0 rows
ok, 0 rows
ok, 0 rows
ok, 0 rows
ok, 7 rows

query
SELECT COUNT(*) FROM named WHERE `key` = '"b"'
----
COUNT(*)
3

query
SELECT COUNT(*) FROM renamed WHERE k = '"b"'
----
COUNT(*)
3

query
SELECT COUNT(*) FROM (SELECT `key`, value FROM o__map__tag) x WHERE x.`key` = '"b"'
----
COUNT(*)
3

query
SELECT COUNT(*) FROM (SELECT `key` AS k, value FROM o__map__tag LIMIT 100) x WHERE x.k > '"a"'
----
COUNT(*)
4

query
SELECT COUNT(*) FROM (SELECT k AS again FROM renamed LIMIT 100) x WHERE x.again IN ('"a"', '"c"')
----
COUNT(*)
3

query
WITH t AS (SELECT `key` AS k FROM o__map__tag) SELECT COUNT(*) FROM t WHERE k = '"b"'
----
COUNT(*)
3

query
SELECT `key` AS k FROM o__map__tag HAVING k = '"c"'
----
k
"c"

query
SELECT k FROM (SELECT _id, `key` AS k FROM mixed__map__k LIMIT 100) x ORDER BY k DESC
----
k
{"b":1}
["a"]
"B"
"a"
3
true
null

query
EXPLAIN FORMAT=TREE SELECT COUNT(*) FROM renamed WHERE k = '"b"'
----
EXPLAIN
-> Project: count(1)
    -> Aggregate: COUNT(1)
         executor: batch, from 256 rows on
        -> Derived table renamed
            -> Project: o__map__tag.key as k, o__map__tag.value
                -> Index lookup on o__map__tag using key
                     entries only: no document is read
                     range: `key` = "b"
                     keys: 3 counted of 6

# Columns of outer queries are strings, as in a join; so is what a subquery gives.
query
SELECT g.name, (SELECT COUNT(*) FROM o__map__tag k WHERE k.`key` = g._id) AS n FROM tags g ORDER BY g._id
----
name | n
one | 2
two | 3
none | 0

query
SELECT g.name, EXISTS (SELECT 1 FROM o__map__tag k WHERE k.`key` = g._id) AS n FROM tags g ORDER BY g._id
----
name | n
one | 1
two | 1
none | 0

query
SELECT g.name, x._id FROM tags g, LATERAL (SELECT k._id FROM o__map__tag k WHERE k.`key` = g._id ORDER BY k._id LIMIT 1) x ORDER BY g._id
----
name | _id
one | 1
two | 1

query
SELECT _id FROM o__map__tag WHERE `key` = (SELECT MIN(_id) FROM tags)
----
_id
1
4

# Rows, as in CouchDB's startkey with startkey_docid: the index is read from there on, in the order of key and document.
query
SELECT COUNT(*) FROM o__map__tag WHERE (`key`, value) = ('"b"', 2)
----
COUNT(*)
1

query
SELECT COUNT(*) FROM o__map__tag WHERE (`key`, value) IN (('"b"', 2), ('"c"', 3), ('"c"', 4))
----
COUNT(*)
2

query
SELECT `key`, _id FROM o__map__tag WHERE (`key`, _id) > ('"b"', 1) ORDER BY `key`, _id LIMIT 2
----
key | _id
"b" | 2
"b" | 3

query
SELECT `key`, _id FROM o__map__tag WHERE (`key`, _id) < ('"b"', 3) ORDER BY `key` DESC, _id DESC
----
key | _id
"b" | 2
"b" | 1
"a" | 4
"a" | 1

query
EXPLAIN FORMAT=TREE SELECT `key`, _id FROM o__map__tag WHERE (`key`, _id) > ('"b"', 1) ORDER BY `key`, _id LIMIT 2
----
EXPLAIN
-> Limit: 2 rows
    -> Project: o__map__tag.key, o__map__tag._id
        -> Filter: ((o__map__tag.key > 0x405E016200) OR ((o__map__tag.key = 0x405E016200) AND (o__map__tag._id > 1)))
            -> Index range scan on o__map__tag using key
                 entries only: no document is read
                 range: `key` from "b"
                 keys: 4 counted of 6

query
SELECT _id FROM mixed__map__k ORDER BY `key`, _id DESC
----
_id
0
1
2
3
4
5
6

query
SELECT `key` FROM o__map__tag WHERE (`key`, 1) IN (SELECT _id, 1 FROM tags)
----
ERROR 1235 (42000): The key of a map index is not supported IN a subquery; a join says the same

# Windows, GROUP_CONCAT, UNION, CASE, levels.
query
SELECT GROUP_CONCAT(_id ORDER BY `key` DESC) AS down FROM mixed__map__k
----
down
6,5,4,3,2,1,0

query
SELECT _id, ROW_NUMBER() OVER (ORDER BY `key` DESC) AS n FROM mixed__map__k ORDER BY _id
----
_id | n
0 | 7
1 | 6
2 | 5
3 | 4
4 | 3
5 | 2
6 | 1

query
SELECT _id, `key` FROM mixed__map__k WHERE _id < 3 UNION ALL SELECT _id + 10, `key` FROM mixed__map__k WHERE _id > 2 ORDER BY `key`
----
_id | key
0 | null
1 | true
2 | 3
13 | "a"
14 | "B"
15 | ["a"]
16 | {"b":1}

query
SELECT sqlfdb_key_level(`key`, 1) AS level, COUNT(*) FROM mixed__map__k GROUP BY level ORDER BY level
----
level | COUNT(*)
null | 1
true | 1
3 | 1
"a" | 1
"B" | 1
["a"] | 1
{"b":1} | 1

query
SELECT sqlfdb_key_level(`key`, 1) AS level, COUNT(*) FROM mixed__map__k GROUP BY level HAVING level > '"a"' ORDER BY level DESC
----
level | COUNT(*)
{"b":1} | 1
["a"] | 1
"B" | 1

query
SELECT _id, CASE `key` WHEN '"a"' THEN 'a' WHEN 'true' THEN 'true' ELSE 'other' END AS what FROM mixed__map__k ORDER BY _id
----
_id | what
0 | other
1 | true
2 | other
3 | a
4 | other
5 | other
6 | other

# Predicates about what arrays hold: nested and empty arrays, scalars and objects in
# the same place, mixed types, values twice in one document. Every query runs with
# and without the index.

exec
CREATE TABLE t (_id VARCHAR(255) PRIMARY KEY, _doc JSON);
INSERT INTO t (_doc) VALUES ('{"_id":"01","tags":["x","y"],"grades":[{"grade":"A","score":5},{"grade":"B","score":10}]}'),
('{"_id":"02","tags":"x","grades":{"grade":"A","score":5}}'),
('{"_id":"03","tags":["y","x","x"],"grades":[]}'),
('{"_id":"04","tags":[["x"],"z"],"grades":[[{"grade":"A","score":5}]]}'),
('{"_id":"05","tags":[],"grades":[{"grade":["A","B"],"score":[5]}]}'),
('{"_id":"06","tags":{},"grades":[{"score":5.0}]}'),
('{"_id":"07","tags":null,"grades":null}'),
('{"_id":"08"}'),
('{"_id":"09","tags":[1,2.0,true,null],"grades":[{"grade":"A","score":1},{"grade":"B","score":5}]}'),
('{"_id":"10","tags":1,"grades":5}'),
('{"_id":"11","tags":{"k":1,"l":"x"},"grades":[{"deep":{"b":{"c":{"d":{"e":1}}}}}]}'),
('{"_id":"12","tags":[{"k":1,"l":"x"},{"k":2}],"grades":[5,[5],[[5]]]}'),
('{"_id":"13","tags":[[],{},[1]],"grades":[{"score":9007199254740993}]}'),
('{"_id":"14","tags":["X","x ","é"],"grades":[{"score":9007199254740992}]}'),
('{"_id":"15","tags":true}'),
('{"_id":"16","tags":["aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab","aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaac"]}'),
('{"_id":"17","tags":"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab"}');
INSERT INTO t (_doc) SELECT JSON_OBJECT('_id', CONCAT('f', x._id, y._id), 'filler', 1) FROM t x, t y;
----
ok, 0 rows
ok, 17 rows
ok, 289 rows

query
SELECT GROUP_CONCAT(IF(_id < 'a', _id, NULL) ORDER BY _id) ids, COUNT(*) n FROM t WHERE JSON_CONTAINS(tags, '"x"')
----
ids | n
01,02,03,04 | 4

query
SELECT GROUP_CONCAT(IF(_id < 'a', _id, NULL) ORDER BY _id) ids, COUNT(*) n FROM t WHERE JSON_CONTAINS(_doc->'$.tags', '"x"')
----
ids | n
01,02,03,04 | 4

query
SELECT GROUP_CONCAT(IF(_id < 'a', _id, NULL) ORDER BY _id) ids, COUNT(*) n FROM t WHERE JSON_CONTAINS(_doc, '"x"', '$.tags')
----
ids | n
01,02,03,04 | 4

query
SELECT GROUP_CONCAT(IF(_id < 'a', _id, NULL) ORDER BY _id) ids, COUNT(*) n FROM t WHERE JSON_CONTAINS(tags, '"x"') = 1
----
ids | n
01,02,03,04 | 4

query
SELECT GROUP_CONCAT(IF(_id < 'a', _id, NULL) ORDER BY _id) ids, COUNT(*) n FROM t WHERE JSON_CONTAINS(tags, '["x","y"]')
----
ids | n
01,03 | 2

query
SELECT GROUP_CONCAT(IF(_id < 'a', _id, NULL) ORDER BY _id) ids, COUNT(*) n FROM t WHERE JSON_CONTAINS(tags, '["x","x","y"]')
----
ids | n
01,03 | 2

query
SELECT GROUP_CONCAT(IF(_id < 'a', _id, NULL) ORDER BY _id) ids, COUNT(*) n FROM t WHERE JSON_CONTAINS(tags, '[]')
----
ids | n
01,03,04,05,09,12,13,14,16 | 9

query
SELECT GROUP_CONCAT(IF(_id < 'a', _id, NULL) ORDER BY _id) ids, COUNT(*) n FROM t WHERE JSON_CONTAINS(tags, '{}')
----
ids | n
06,11,12,13 | 4

query
SELECT GROUP_CONCAT(IF(_id < 'a', _id, NULL) ORDER BY _id) ids, COUNT(*) n FROM t WHERE JSON_CONTAINS(tags, '[[1]]')
----
ids | n
13 | 1

query
SELECT GROUP_CONCAT(IF(_id < 'a', _id, NULL) ORDER BY _id) ids, COUNT(*) n FROM t WHERE JSON_CONTAINS(tags, '[["x"]]')
----
ids | n
04 | 1

query
SELECT GROUP_CONCAT(IF(_id < 'a', _id, NULL) ORDER BY _id) ids, COUNT(*) n FROM t WHERE JSON_CONTAINS(tags, '{"k":1}')
----
ids | n
11,12 | 2

query
SELECT GROUP_CONCAT(IF(_id < 'a', _id, NULL) ORDER BY _id) ids, COUNT(*) n FROM t WHERE JSON_CONTAINS(tags, '[{"k":2},{"l":"x"}]')
----
ids | n
12 | 1

query
SELECT GROUP_CONCAT(IF(_id < 'a', _id, NULL) ORDER BY _id) ids, COUNT(*) n FROM t WHERE JSON_CONTAINS(tags, '1')
----
ids | n
09,10,13 | 3

query
SELECT GROUP_CONCAT(IF(_id < 'a', _id, NULL) ORDER BY _id) ids, COUNT(*) n FROM t WHERE JSON_CONTAINS(tags, '2')
----
ids | n
09 | 1

query
SELECT GROUP_CONCAT(IF(_id < 'a', _id, NULL) ORDER BY _id) ids, COUNT(*) n FROM t WHERE JSON_CONTAINS(tags, 'true')
----
ids | n
09,15 | 2

query
SELECT GROUP_CONCAT(IF(_id < 'a', _id, NULL) ORDER BY _id) ids, COUNT(*) n FROM t WHERE JSON_CONTAINS(tags, 'null')
----
ids | n
09 | 1

query
SELECT GROUP_CONCAT(IF(_id < 'a', _id, NULL) ORDER BY _id) ids, COUNT(*) n FROM t WHERE JSON_CONTAINS(_doc->'$.tags', 'null')
----
ids | n
07,09 | 2

query
SELECT GROUP_CONCAT(IF(_id < 'a', _id, NULL) ORDER BY _id) ids, COUNT(*) n FROM t WHERE JSON_CONTAINS(tags, CONCAT('"', REPEAT('a', 300), 'b"'))
----
ids | n
16,17 | 2

query
SELECT GROUP_CONCAT(IF(_id < 'a', _id, NULL) ORDER BY _id) ids, COUNT(*) n FROM t WHERE JSON_CONTAINS(grades, '{"grade":"A","score":5}')
----
ids | n
01,02,04,05 | 4

query
SELECT GROUP_CONCAT(IF(_id < 'a', _id, NULL) ORDER BY _id) ids, COUNT(*) n FROM t WHERE JSON_CONTAINS(grades, '{"grade":"A"}') AND JSON_CONTAINS(grades, '{"score":10}')
----
ids | n
01 | 1

query
SELECT GROUP_CONCAT(IF(_id < 'a', _id, NULL) ORDER BY _id) ids, COUNT(*) n FROM t WHERE JSON_CONTAINS(_doc, '{"grades":{"score":5}}')
----
ids | n
01,02,04,05,06,09 | 6

query
SELECT GROUP_CONCAT(IF(_id < 'a', _id, NULL) ORDER BY _id) ids, COUNT(*) n FROM t WHERE JSON_CONTAINS(_doc->'$.grades[*].score', '5')
----
ids | n
01,05,06,09 | 4

query
SELECT GROUP_CONCAT(IF(_id < 'a', _id, NULL) ORDER BY _id) ids, COUNT(*) n FROM t WHERE JSON_CONTAINS(_doc->'$.grades[*].score', '[5,10]')
----
ids | n
01 | 1

query
SELECT GROUP_CONCAT(IF(_id < 'a', _id, NULL) ORDER BY _id) ids, COUNT(*) n FROM t WHERE JSON_CONTAINS(grades, '9007199254740993', '$[0].score')
----
ids | n
13 | 1

query
SELECT GROUP_CONCAT(IF(_id < 'a', _id, NULL) ORDER BY _id) ids, COUNT(*) n FROM t WHERE NOT JSON_CONTAINS(tags, '"x"')
----
ids | n
05,06,09,10,11,12,13,14,15,16,17 | 11

query
SELECT GROUP_CONCAT(IF(_id < 'a', _id, NULL) ORDER BY _id) ids, COUNT(*) n FROM t WHERE (JSON_CONTAINS(tags, '"x"') OR JSON_CONTAINS(grades, '{"score":5}'))
----
ids | n
01,02,03,04,05,06,09 | 7

query
SELECT GROUP_CONCAT(IF(_id < 'a', _id, NULL) ORDER BY _id) ids, COUNT(*) n FROM t WHERE 'x' MEMBER OF (tags)
----
ids | n
01,02,03 | 3

query
SELECT GROUP_CONCAT(IF(_id < 'a', _id, NULL) ORDER BY _id) ids, COUNT(*) n FROM t WHERE 'x' MEMBER OF(_doc->'$.tags')
----
ids | n
01,02,03 | 3

query
SELECT GROUP_CONCAT(IF(_id < 'a', _id, NULL) ORDER BY _id) ids, COUNT(*) n FROM t WHERE NOT 'x' MEMBER OF (tags)
----
ids | n
04,05,06,09,10,11,12,13,14,15,16,17 | 12

query
SELECT GROUP_CONCAT(IF(_id < 'a', _id, NULL) ORDER BY _id) ids, COUNT(*) n FROM t WHERE NOT ('x' MEMBER OF (tags))
----
ids | n
04,05,06,09,10,11,12,13,14,15,16,17 | 12

query
SELECT GROUP_CONCAT(IF(_id < 'a', _id, NULL) ORDER BY _id) ids, COUNT(*) n FROM t WHERE (1 MEMBER OF (tags) OR 'z' MEMBER OF (tags))
----
ids | n
04,09,10 | 3

query
SELECT GROUP_CONCAT(IF(_id < 'a', _id, NULL) ORDER BY _id) ids, COUNT(*) n FROM t WHERE 2 MEMBER OF (tags)
----
ids | n
09 | 1

query
SELECT GROUP_CONCAT(IF(_id < 'a', _id, NULL) ORDER BY _id) ids, COUNT(*) n FROM t WHERE TRUE MEMBER OF (tags)
----
ids | n
09,15 | 2

query
SELECT GROUP_CONCAT(IF(_id < 'a', _id, NULL) ORDER BY _id) ids, COUNT(*) n FROM t WHERE CAST('[]' AS JSON) MEMBER OF (tags)
----
ids | n
13 | 1

query
SELECT GROUP_CONCAT(IF(_id < 'a', _id, NULL) ORDER BY _id) ids, COUNT(*) n FROM t WHERE CAST('{"k":2}' AS JSON) MEMBER OF (tags)
----
ids | n
12 | 1

query
SELECT GROUP_CONCAT(IF(_id < 'a', _id, NULL) ORDER BY _id) ids, COUNT(*) n FROM t WHERE CAST('null' AS JSON) MEMBER OF (_doc->'$.tags')
----
ids | n
07,09 | 2

query
SELECT GROUP_CONCAT(IF(_id < 'a', _id, NULL) ORDER BY _id) ids, COUNT(*) n FROM t WHERE 5 MEMBER OF (_doc->'$.grades[*].score')
----
ids | n
01,06,09 | 3

query
SELECT GROUP_CONCAT(IF(_id < 'a', _id, NULL) ORDER BY _id) ids, COUNT(*) n FROM t WHERE 5 MEMBER OF (_doc->'$.grades[1].score')
----
ids | n
09 | 1

query
SELECT GROUP_CONCAT(IF(_id < 'a', _id, NULL) ORDER BY _id) ids, COUNT(*) n FROM t WHERE REPEAT('a', 300) MEMBER OF (tags)
----
ids | n
NULL | 0

query
SELECT GROUP_CONCAT(IF(_id < 'a', _id, NULL) ORDER BY _id) ids, COUNT(*) n FROM t WHERE CONCAT(REPEAT('a', 300), 'c') MEMBER OF (tags)
----
ids | n
16 | 1

query
SELECT GROUP_CONCAT(IF(_id < 'a', _id, NULL) ORDER BY _id) ids, COUNT(*) n FROM t WHERE JSON_OVERLAPS(tags, '["x", 2]')
----
ids | n
01,02,03,09 | 4

query
SELECT GROUP_CONCAT(IF(_id < 'a', _id, NULL) ORDER BY _id) ids, COUNT(*) n FROM t WHERE JSON_OVERLAPS('["x", 2]', tags)
----
ids | n
01,02,03,09 | 4

query
SELECT GROUP_CONCAT(IF(_id < 'a', _id, NULL) ORDER BY _id) ids, COUNT(*) n FROM t WHERE JSON_OVERLAPS(tags, '"x"')
----
ids | n
01,02,03 | 3

query
SELECT GROUP_CONCAT(IF(_id < 'a', _id, NULL) ORDER BY _id) ids, COUNT(*) n FROM t WHERE JSON_OVERLAPS(tags, '[]')
----
ids | n
NULL | 0

query
SELECT GROUP_CONCAT(IF(_id < 'a', _id, NULL) ORDER BY _id) ids, COUNT(*) n FROM t WHERE JSON_OVERLAPS(tags, '[[1],{}]')
----
ids | n
06,13 | 2

query
SELECT GROUP_CONCAT(IF(_id < 'a', _id, NULL) ORDER BY _id) ids, COUNT(*) n FROM t WHERE JSON_OVERLAPS(tags, '{"k":2,"l":"x"}')
----
ids | n
11 | 1

query
SELECT GROUP_CONCAT(IF(_id < 'a', _id, NULL) ORDER BY _id) ids, COUNT(*) n FROM t WHERE JSON_OVERLAPS(_doc, '{"tags":"x","grades":5}')
----
ids | n
02,10 | 2

query
SELECT GROUP_CONCAT(IF(_id < 'a', _id, NULL) ORDER BY _id) ids, COUNT(*) n FROM t WHERE JSON_OVERLAPS(_doc->'$.grades[*].score', '[1,10]')
----
ids | n
01,09 | 2

query
SELECT GROUP_CONCAT(IF(_id < 'a', _id, NULL) ORDER BY _id) ids, COUNT(*) n FROM t WHERE _doc->'$.tags[0]' = 'x'
----
ids | n
01,02 | 2

query
SELECT GROUP_CONCAT(IF(_id < 'a', _id, NULL) ORDER BY _id) ids, COUNT(*) n FROM t WHERE (_doc->'$.tags[0]' = 'y' OR _doc->'$.tags[1]' = 'y')
----
ids | n
01,03 | 2

query
SELECT GROUP_CONCAT(IF(_id < 'a', _id, NULL) ORDER BY _id) ids, COUNT(*) n FROM t WHERE _doc->'$.tags[last]' = 'x'
----
ids | n
02,03 | 2

query
SELECT GROUP_CONCAT(IF(_id < 'a', _id, NULL) ORDER BY _id) ids, COUNT(*) n FROM t WHERE _doc->'$.tags[1]' <> 'x'
----
ids | n
01,04,09,12,13,14,16 | 7

query
SELECT GROUP_CONCAT(IF(_id < 'a', _id, NULL) ORDER BY _id) ids, COUNT(*) n FROM t WHERE _doc->'$.tags[0][0]' = 'x'
----
ids | n
01,02,04 | 3

query
SELECT GROUP_CONCAT(IF(_id < 'a', _id, NULL) ORDER BY _id) ids, COUNT(*) n FROM t WHERE _doc->'$.tags[1]' IS NOT NULL
----
ids | n
01,03,04,09,12,13,14,16 | 8

query
SELECT GROUP_CONCAT(IF(_id < 'a', _id, NULL) ORDER BY _id) ids, COUNT(*) n FROM t WHERE _doc->'$.tags[0]' IS NOT NULL
----
ids | n
01,02,03,04,06,07,09,10,11,12,13,14,15,16,17 | 15

query
SELECT GROUP_CONCAT(IF(_id < 'a', _id, NULL) ORDER BY _id) ids, COUNT(*) n FROM t WHERE _doc->'$.tags[0]' IS NULL
----
ids | n
05,08 | 291

query
SELECT GROUP_CONCAT(IF(_id < 'a', _id, NULL) ORDER BY _id) ids, COUNT(*) n FROM t WHERE _doc->>'$.tags[0]' LIKE 'a%b'
----
ids | n
16,17 | 2

query
SELECT GROUP_CONCAT(IF(_id < 'a', _id, NULL) ORDER BY _id) ids, COUNT(*) n FROM t WHERE _doc->>'$.tags[0]' IN ('x', 'y')
----
ids | n
01,02,03 | 3

query
SELECT GROUP_CONCAT(IF(_id < 'a', _id, NULL) ORDER BY _id) ids, COUNT(*) n FROM t WHERE _doc->'$.grades[0].score' > 4
----
ids | n
01,02,05,06,13,14 | 6

query
SELECT GROUP_CONCAT(IF(_id < 'a', _id, NULL) ORDER BY _id) ids, COUNT(*) n FROM t WHERE _doc->'$.grades[0].score' BETWEEN 1 AND 6
----
ids | n
01,02,06,09 | 4

query
SELECT GROUP_CONCAT(IF(_id < 'a', _id, NULL) ORDER BY _id) ids, COUNT(*) n FROM t WHERE _doc->'$.grades[1].score' = 5
----
ids | n
09 | 1

query
SELECT GROUP_CONCAT(IF(_id < 'a', _id, NULL) ORDER BY _id) ids, COUNT(*) n FROM t WHERE _doc->'$.grades[0].score' = 9007199254740993
----
ids | n
13 | 1

query
SELECT GROUP_CONCAT(IF(_id < 'a', _id, NULL) ORDER BY _id) ids, COUNT(*) n FROM t WHERE _doc->'$.grades[0].deep.b.c.d.e' = 1
----
ids | n
11 | 1

query
SELECT GROUP_CONCAT(IF(_id < 'a', _id, NULL) ORDER BY _id) ids, COUNT(*) n FROM t WHERE _doc->'$.grades[0].deep.b.c.d' = CAST('{"e":1}' AS JSON)
----
ids | n
11 | 1

query
SELECT GROUP_CONCAT(IF(_id < 'a', _id, NULL) ORDER BY _id) ids, COUNT(*) n FROM t WHERE JSON_VALUE(_doc, '$.grades[0].grade') = 'A'
----
ids | n
01,02,09 | 3

query
SELECT GROUP_CONCAT(IF(_id < 'a', _id, NULL) ORDER BY _id) ids, COUNT(*) n FROM t WHERE tags->'$[0]' = 'x'
----
ids | n
01,02 | 2

query
SELECT GROUP_CONCAT(IF(_id < 'a', _id, NULL) ORDER BY _id) ids, COUNT(*) n FROM t WHERE tags->'$[0]' IS NULL
----
ids | n
05,07,08 | 292

query
SELECT GROUP_CONCAT(IF(_id < 'a', _id, NULL) ORDER BY _id) ids, COUNT(*) n FROM t WHERE JSON_CONTAINS_PATH(_doc, 'one', '$.tags.k', '$.grades[*].deep')
----
ids | n
11 | 1

query
SELECT GROUP_CONCAT(IF(_id < 'a', _id, NULL) ORDER BY _id) ids, COUNT(*) n FROM t WHERE JSON_CONTAINS_PATH(_doc, 'all', '$.tags[0]', '$.grades[1]')
----
ids | n
01,09,12 | 3

query
SELECT GROUP_CONCAT(IF(_id < 'a', _id, NULL) ORDER BY _id) ids, COUNT(*) n FROM t WHERE JSON_CONTAINS_PATH(_doc, 'one', '$.grades[*].score')
----
ids | n
01,05,06,09,13,14 | 6

query
SELECT GROUP_CONCAT(IF(_id < 'a', _id, NULL) ORDER BY _id) ids, COUNT(*) n FROM t WHERE JSON_CONTAINS_PATH(_doc, 'one', '$.grades[*][*]')
----
ids | n
04,12 | 2

query
SELECT GROUP_CONCAT(IF(_id < 'a', _id, NULL) ORDER BY _id) ids, COUNT(*) n FROM t WHERE JSON_CONTAINS_PATH(_doc, 'one', '$.grades**.e')
----
ids | n
11 | 1

query
SELECT GROUP_CONCAT(IF(_id < 'a', _id, NULL) ORDER BY _id) ids, COUNT(*) n FROM t WHERE JSON_CONTAINS_PATH(tags, 'one', '$[1]')
----
ids | n
01,03,04,09,12,13,14,16 | 8

query
SELECT GROUP_CONCAT(IF(_id < 'a', _id, NULL) ORDER BY _id) ids, COUNT(*) n FROM t WHERE NOT JSON_CONTAINS_PATH(tags, 'one', '$[1]')
----
ids | n
02,05,06,10,11,15,17 | 7

query
SELECT GROUP_CONCAT(IF(_id < 'a', _id, NULL) ORDER BY _id) ids, COUNT(*) n FROM t WHERE JSON_SEARCH(_doc, 'one', 'x', NULL, '$.tags') IS NOT NULL
----
ids | n
01,02,03,04,11,12 | 6

query
SELECT GROUP_CONCAT(IF(_id < 'a', _id, NULL) ORDER BY _id) ids, COUNT(*) n FROM t WHERE JSON_SEARCH(tags, 'one', 'x') IS NOT NULL
----
ids | n
01,02,03,04,11,12 | 6

query
SELECT GROUP_CONCAT(IF(_id < 'a', _id, NULL) ORDER BY _id) ids, COUNT(*) n FROM t WHERE JSON_SEARCH(_doc, 'all', 'a%b', NULL, '$.tags') IS NOT NULL
----
ids | n
16,17 | 2

query
SELECT GROUP_CONCAT(IF(_id < 'a', _id, NULL) ORDER BY _id) ids, COUNT(*) n FROM t WHERE JSON_SEARCH(_doc, 'all', 'a', NULL, '$.grades') IS NULL AND tags IS NOT NULL
----
ids | n
01,02,03,04,05,06,09,10,11,12,13,14,15,16,17 | 15

query
SELECT GROUP_CONCAT(IF(_id < 'a', _id, NULL) ORDER BY _id) ids, COUNT(*) n FROM t WHERE JSON_SEARCH(_doc, 'all', 'A', NULL, '$.grades[0]', '$.grades[1]') IS NOT NULL
----
ids | n
01,02,04,05,09 | 5

query
SELECT GROUP_CONCAT(IF(_id < 'a', _id, NULL) ORDER BY _id) ids, COUNT(*) n FROM t WHERE JSON_LENGTH(tags) = 0
----
ids | n
05,06 | 2

query
SELECT GROUP_CONCAT(IF(_id < 'a', _id, NULL) ORDER BY _id) ids, COUNT(*) n FROM t WHERE JSON_LENGTH(tags) > 0
----
ids | n
01,02,03,04,09,10,11,12,13,14,15,16,17 | 13

query
SELECT GROUP_CONCAT(IF(_id < 'a', _id, NULL) ORDER BY _id) ids, COUNT(*) n FROM t WHERE JSON_LENGTH(_doc, '$.tags') = 2
----
ids | n
01,04,11,12,16 | 5

query
SELECT GROUP_CONCAT(IF(_id < 'a', _id, NULL) ORDER BY _id) ids, COUNT(*) n FROM t WHERE JSON_LENGTH(grades) BETWEEN 1 AND 2
----
ids | n
01,02,04,05,06,09,10,11,13,14 | 10

query
SELECT GROUP_CONCAT(IF(_id < 'a', _id, NULL) ORDER BY _id) ids, COUNT(*) n FROM t WHERE JSON_LENGTH(tags) IS NULL
----
ids | n
07,08 | 291

query
EXPLAIN FORMAT=TREE SELECT _id FROM t WHERE JSON_CONTAINS(tags, '"x"')
----
EXPLAIN
-> Project: t._id
    -> Filter: json_contains(t.tags, '"x"')
        -> Union of index ranges on t using tags, tags[*]
             range: `tags` in 'x'
             range: $.tags[*] in 'x', unindexed arrays
             keys: 6 counted of 16
             not tight: the filter stays
             residual: json_contains(t.tags, '"x"')
             cost: 10.3, a full scan costs 306.0

query
EXPLAIN FORMAT=TREE SELECT _id FROM t WHERE 'x' MEMBER OF (tags)
----
EXPLAIN
-> Project: t._id
    -> Union of index ranges on t using tags, tags[*]
         range: `tags` in 'x'
         range: $.tags[*] in 'x'
         entries only: no document is read
         keys: 4 counted of 13
         tight
         cost: 0.2, a full scan costs 306.0

query
EXPLAIN FORMAT=TREE SELECT _id FROM t WHERE _doc->'$.grades[0].score' > 4
----
EXPLAIN
-> Project: t._id
    -> Filter: (json_extract(t._doc, '$.grades[0].score') > 4)
        -> Union of index ranges on t using grades.score, grades[*].score
             range: $.grades.score in (4, +∞), strings, objects, arrays, booleans
             range: $.grades[*].score in (4, +∞), strings, objects, arrays, booleans
             keys: 8 counted of 9
             not tight: the filter stays
             residual: (json_extract(t._doc, '$.grades[0].score') > 4)
             cost: 14.4, a full scan costs 306.0

query
EXPLAIN FORMAT=TREE SELECT _id FROM t WHERE JSON_CONTAINS(tags, '["x","y"]')
----
EXPLAIN
-> Project: t._id
    -> Filter: (json_contains(t.tags, '["x"]') AND json_contains(t.tags, '["y"]'))
        -> Index range scan on t using tags[*]
             range: $.tags[*] in 'y', unindexed arrays
             keys: 4 counted of 14
             not tight: the filter stays
             residual: json_contains(t.tags, '["x"]') AND json_contains(t.tags, '["y"]')
             cost: 8.2, a full scan costs 306.0
             lost: $.tags[*] in 'x', unindexed arrays, keys: 5 counted of 14: cost 8.2, the chosen one costs 8.2

query
EXPLAIN FORMAT=TREE SELECT _id FROM t WHERE _id = '01' OR 'z' MEMBER OF (tags) OR _doc->'$.tags.k' = 1
----
EXPLAIN
-> Project: t._id
    -> Union of index ranges on t using PRIMARY, tags, tags[*], tags.k
         range: primary key in '01'
         range: `tags` in 'z'
         range: $.tags[*] in 'z'
         range: $.tags.k in 1
         entries only: no document is read
         keys: about 3 of 15
         tight
         cost: 0.2, a full scan costs 306.0

query
EXPLAIN FORMAT=TREE SELECT _id FROM t WHERE JSON_OVERLAPS(tags, '[]')
----
EXPLAIN
-> Project: t._id
    -> No rows of t
         keys: 0 counted of 0
         tight
         cost: 0.0, a full scan costs 306.0

query
EXPLAIN SELECT _id FROM t WHERE 'x' MEMBER OF (tags)
----
id | select_type | table | partitions | type | possible_keys | key | key_len | ref | rows | filtered | Extra
1 | SIMPLE | t | NULL | index_merge | tags,tags[*] | tags,tags[*] | NULL | NULL | 4 | 100 | Using index; Using union(tags,tags[*])

# Statements that write along such a path, and parameters.

prepared
: x
SELECT GROUP_CONCAT(_id ORDER BY _id) ids FROM t WHERE ? MEMBER OF (tags)
----
ids
01,02,03

prepared
: ["y","x"]
SELECT GROUP_CONCAT(_id ORDER BY _id) ids FROM t WHERE JSON_CONTAINS(tags, ?)
----
ids
01,03

prepared
: "x"
SELECT GROUP_CONCAT(_id ORDER BY _id) ids FROM t WHERE JSON_OVERLAPS(?, tags)
----
ids
01,02,03

prepared
: $.tags[1]
SELECT GROUP_CONCAT(_id ORDER BY _id) ids FROM t WHERE JSON_EXTRACT(_doc, ?) = 'x'
----
ids
03

exec
UPDATE t SET tags = JSON_ARRAY('x', 'w') WHERE 'x' MEMBER OF (tags);
UPDATE t SET tags = JSON_ARRAY_APPEND(tags, '$', 'w') WHERE 'w' MEMBER OF (tags);
DELETE FROM t WHERE JSON_CONTAINS(tags, '"z"') OR JSON_LENGTH(tags) = 0;
INSERT INTO t (_doc) SELECT JSON_SET(_doc, '$._id', CONCAT(_id, 'b')) FROM t WHERE 'w' MEMBER OF (tags);
----
ok, 3 rows
ok, 3 rows
ok, 3 rows
ok, 3 rows

query
SELECT _id, tags FROM t WHERE 'w' MEMBER OF (tags) ORDER BY _id
----
_id | tags
01 | ["x","w","w"]
01b | ["x","w","w"]
02 | ["x","w","w"]
02b | ["x","w","w"]
03 | ["x","w","w"]
03b | ["x","w","w"]

query
SELECT _id FROM t WHERE 'w' MEMBER OF (tags) ORDER BY _id DESC LIMIT 2
----
_id
03b
03

query
SELECT COUNT(*) FROM t a JOIN t b ON a._id = b._id WHERE 'w' MEMBER OF (a.tags) AND b._doc->'$.tags[0]' = 'x'
----
COUNT(*)
6

query
SELECT _id FROM t a WHERE EXISTS (SELECT 1 FROM t b WHERE 'w' MEMBER OF (b.tags) AND b._id = a._id AND JSON_CONTAINS(a.tags, '"w"')) ORDER BY _id
----
_id
01
01b
02
02b
03
03b

# What is wrong is an error, whatever the path.

query
SELECT _id FROM t WHERE JSON_CONTAINS(tags, 'x')
----
ERROR 3141 (22032): Invalid JSON text in argument 2 to function json_contains: "found x, expected a value" at position 0.

query
SELECT _id FROM t WHERE JSON_CONTAINS(_doc, '1', '$.tags[*]')
----
ERROR 3149 (42000): In this situation, path expressions may not contain the * and ** tokens or an array range.

query
SELECT _id FROM t WHERE _doc->'$.tags[' = 1
----
ERROR 3143 (42000): Invalid JSON path expression. The error is around character position 7 of '$.tags['.

query
SELECT _id FROM t WHERE JSON_CONTAINS_PATH(_doc, 'some', '$.tags')
----
ERROR 3154 (42000): The oneOrAll argument to json_contains_path may take these values: 'one' or 'all'.

query
SELECT _id FROM t WHERE 'x' MEMBER OF ('y')
----
ERROR 3141 (22032): Invalid JSON text in argument 2 to function member_of: "found y, expected a value" at position 0.

# Declared columns, a collation that ignores case, few levels, elements that are
# excluded.

exec
CREATE TABLE c (id INT PRIMARY KEY, tags JSON, name VARCHAR(20));
INSERT INTO c VALUES (1, '["x",["y"]]', 'x'), (2, '"x"', 'y'), (3, NULL, 'z'), (4, 'null', 'x'), (5, '{"k":["x"]}', 'w');
CREATE TABLE ci (_id INT PRIMARY KEY, _doc JSON) COLLATE utf8mb4_0900_ai_ci;
INSERT INTO ci (_doc) VALUES ('{"_id":1,"tags":["x","y"]}'), ('{"_id":2,"tags":["X"]}'), ('{"_id":3,"tags":"X"}'), ('{"_id":4,"tags":"x"}');
CREATE TABLE flat (_id INT PRIMARY KEY, _doc JSON) ENGINE_ATTRIBUTE '{"max_depth":1}';
INSERT INTO flat (_doc) VALUES ('{"_id":1,"tags":["x"]}'), ('{"_id":2,"tags":{"k":"x"}}'), ('{"_id":3,"tags":"x"}'), ('{"_id":4,"tags":[{"k":"x"}]}'), ('{"_id":5,"tags":[]}');
CREATE TABLE ex (_id INT PRIMARY KEY, _doc JSON) ENGINE_ATTRIBUTE '{"excluded":["tags[*]","a.b"]}';
INSERT INTO ex (_doc) VALUES ('{"_id":1,"tags":["x"],"a":{"b":"x"}}'), ('{"_id":2,"tags":"x","a":[{"b":"x"}]}'), ('{"_id":3,"tags":[]}'), ('{"_id":4,"tags":[{"k":"x"}]}');
----
ok, 0 rows
ok, 5 rows
ok, 0 rows
ok, 4 rows
ok, 0 rows
ok, 5 rows
ok, 0 rows
ok, 4 rows

query
SELECT GROUP_CONCAT(id ORDER BY id) ids FROM c WHERE 'x' MEMBER OF (tags)
----
ids
1,2

query
SELECT GROUP_CONCAT(id ORDER BY id) ids FROM c WHERE JSON_CONTAINS(tags, '"y"')
----
ids
1

query
SELECT GROUP_CONCAT(id ORDER BY id) ids FROM c WHERE tags->'$[0]' = 'x'
----
ids
1,2

query
SELECT GROUP_CONCAT(id ORDER BY id) ids FROM c WHERE JSON_LENGTH(tags) = 1
----
ids
2,4,5

query
SELECT GROUP_CONCAT(id ORDER BY id) ids FROM c WHERE JSON_LENGTH(tags) IS NULL
----
ids
3

query
SELECT GROUP_CONCAT(id ORDER BY id) ids FROM c WHERE JSON_CONTAINS_PATH(tags, 'one', '$.k[0]')
----
ids
5

query
SELECT GROUP_CONCAT(id ORDER BY id) ids FROM c WHERE name = 'z' OR 'x' MEMBER OF (tags->'$.k')
----
ids
3,5

query
SELECT GROUP_CONCAT(id ORDER BY id) ids FROM c WHERE tags = 'x' OR name = 'w'
----
ids
2,5

query
SELECT GROUP_CONCAT(_id ORDER BY _id) ids FROM ci WHERE 'x' MEMBER OF (tags)
----
ids
1,4

query
SELECT GROUP_CONCAT(_id ORDER BY _id) ids FROM ci WHERE JSON_CONTAINS(tags, '"X"')
----
ids
2,3

query
SELECT GROUP_CONCAT(_id ORDER BY _id) ids FROM ci WHERE JSON_OVERLAPS(tags, '["X","Y"]')
----
ids
2,3

query
SELECT GROUP_CONCAT(_id ORDER BY _id) ids FROM ci WHERE _doc->'$.tags[0]' = 'x'
----
ids
1,4

query
SELECT GROUP_CONCAT(_id ORDER BY _id) ids FROM ci WHERE _doc->'$.tags[0]' < 'y'
----
ids
1,2,3,4

query
SELECT GROUP_CONCAT(_id ORDER BY _id) ids FROM ci WHERE _doc->>'$.tags[0]' = 'x'
----
ids
1,4

query
SELECT GROUP_CONCAT(_id ORDER BY _id) ids FROM flat WHERE 'x' MEMBER OF (tags)
----
ids
1,3

query
SELECT GROUP_CONCAT(_id ORDER BY _id) ids FROM flat WHERE JSON_CONTAINS(tags, '"x"')
----
ids
1,3

query
SELECT GROUP_CONCAT(_id ORDER BY _id) ids FROM flat WHERE JSON_CONTAINS(tags, '{"k":"x"}')
----
ids
2,4

query
SELECT GROUP_CONCAT(_id ORDER BY _id) ids FROM flat WHERE _doc->'$.tags[0]' = 'x'
----
ids
1,3

query
SELECT GROUP_CONCAT(_id ORDER BY _id) ids FROM flat WHERE _doc->'$.tags[0].k' = 'x'
----
ids
2,4

query
SELECT GROUP_CONCAT(_id ORDER BY _id) ids FROM flat WHERE _doc->'$.tags.k' = 'x'
----
ids
2

query
SELECT GROUP_CONCAT(_id ORDER BY _id) ids FROM flat WHERE JSON_LENGTH(tags) = 0
----
ids
5

query
SELECT GROUP_CONCAT(_id ORDER BY _id) ids FROM flat WHERE JSON_OVERLAPS(tags, '{"k":"x"}')
----
ids
2,4

query
SELECT GROUP_CONCAT(_id ORDER BY _id) ids FROM flat WHERE _doc->'$.tags.k' IS NULL
----
ids
1,3,4,5

query
SELECT GROUP_CONCAT(_id ORDER BY _id) ids FROM flat WHERE JSON_CONTAINS_PATH(_doc, 'one', '$.tags[*].k', '$.tags.k')
----
ids
2,4

query
SELECT GROUP_CONCAT(_id ORDER BY _id) ids FROM ex WHERE 'x' MEMBER OF (tags)
----
ids
1,2

query
SELECT GROUP_CONCAT(_id ORDER BY _id) ids FROM ex WHERE JSON_CONTAINS(tags, '"x"')
----
ids
1,2

query
SELECT GROUP_CONCAT(_id ORDER BY _id) ids FROM ex WHERE _doc->'$.tags[0]' = 'x'
----
ids
1,2

query
SELECT GROUP_CONCAT(_id ORDER BY _id) ids FROM ex WHERE _doc->'$.tags[0].k' = 'x'
----
ids
4

query
SELECT GROUP_CONCAT(_id ORDER BY _id) ids FROM ex WHERE JSON_CONTAINS(_doc, '{"a":{"b":"x"}}')
----
ids
1,2

query
SELECT GROUP_CONCAT(_id ORDER BY _id) ids FROM ex WHERE _doc->'$.a[0].b' = 'x'
----
ids
1,2

query
SELECT GROUP_CONCAT(_id ORDER BY _id) ids FROM ex WHERE JSON_CONTAINS(_doc, '{"a":{"b":"x"},"tags":"x"}')
----
ids
1,2

query
SELECT GROUP_CONCAT(_id ORDER BY _id) ids FROM flat WHERE `tags.k` = 'x'
----
ids
2

query
SELECT GROUP_CONCAT(_id ORDER BY _id) ids FROM flat WHERE `tags.k` IS NULL
----
ids
1,3,4,5

query
SELECT GROUP_CONCAT(_id ORDER BY _id) ids FROM flat WHERE 'x' MEMBER OF (`tags.k`)
----
ids
2

query
SHOW WARNINGS
----
Level | Code | Message

query
SELECT GROUP_CONCAT(_id ORDER BY _id) ids FROM t WHERE tags = JSON_ARRAY('y', 'x', 'x') OR tags = CAST('{"l":"x","k":1.0}' AS JSON)
----
ids
11

query
SELECT GROUP_CONCAT(_id ORDER BY _id) ids FROM t WHERE _doc->'$.grades[0]' = JSON_OBJECT('score', 5, 'grade', 'A')
----
ids
01,01b,02,02b

query
EXPLAIN FORMAT=TREE SELECT _id FROM t WHERE tags = JSON_ARRAY('aa', 'x')
----
EXPLAIN
-> Project: t._id
    -> Filter: (t.tags = ["aa","x"])
        -> Index range scan on t using tags[*]
             range: $.tags[*] in 'aa', unindexed arrays
             keys: 1 counted of 25
             not tight: the filter stays
             residual: (t.tags = ["aa","x"])
             cost: 2.0, a full scan costs 306.0
             lost: `tags` in arrays, keys: 11 counted of 11: cost 22.5, the chosen one costs 2.0
             lost: $.tags[*] in 'x', unindexed arrays, keys: 7 counted of 25: cost 14.3, the chosen one costs 2.0

# What JSON_CONTAINS looks for may lie in arrays within arrays, which have no entries: while the counts know of none, the others tell it exactly.
exec
CREATE TABLE shallow (_id INT PRIMARY KEY, _doc JSON);
INSERT INTO shallow (_id, _doc) VALUES (1, '{"tags": ["a", "b"]}'), (2, '{"tags": "a"}'), (3, '{"tags": ["b", {"k": ["a"]}]}'), (4, '{"tags": {"a": 1}}'), (5, '{"tags": []}'), (6, '{"tags": null}'), (7, '{}')
----
ok, 0 rows
ok, 7 rows

query
SELECT COUNT(*) FROM shallow WHERE JSON_CONTAINS(_doc->'$.tags', '"a"')
----
COUNT(*)
2

query
SHOW STATUS WHERE Variable_name IN ('sqlfdb_last_keys', 'sqlfdb_last_documents')
----
Variable_name | Value
sqlfdb_last_documents | 0
sqlfdb_last_keys | 2

query
SELECT _id FROM shallow WHERE JSON_CONTAINS(_doc, '{"k": "a"}', '$.tags')
----
_id
3

exec
INSERT INTO shallow (_id, _doc) VALUES (8, '{"tags": [["a"], 1]}'), (9, '{"tags": [["b"], [["a"]]]}')
----
ok, 2 rows

query
SELECT _id FROM shallow WHERE JSON_CONTAINS(_doc->'$.tags', '"a"')
----
_id
2
1
8
9

query
SHOW STATUS WHERE Variable_name IN ('sqlfdb_last_keys', 'sqlfdb_last_documents')
----
Variable_name | Value
sqlfdb_last_documents | 4
sqlfdb_last_keys | 5

exec
BEGIN;
DELETE FROM shallow WHERE _id IN (8, 9)
----
ok, 0 rows
ok, 2 rows

query
SELECT COUNT(*) FROM shallow WHERE JSON_CONTAINS(_doc->'$.tags', '"a"')
----
COUNT(*)
2

query
SHOW STATUS WHERE Variable_name IN ('sqlfdb_last_keys', 'sqlfdb_last_documents')
----
Variable_name | Value
sqlfdb_last_documents | 0
sqlfdb_last_keys | 2

exec
ROLLBACK
----
ok, 0 rows

query
SELECT _id FROM shallow WHERE JSON_CONTAINS(_doc->'$.tags', '"a"')
----
_id
2
1
8
9

query
CHECK TABLE shallow
----
Table | Op | Msg_type | Msg_text
d.shallow | check | status | OK

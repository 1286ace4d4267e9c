# Joins by what JSON arrays hold: either side is looked up, the arrays by one element, or what is an element by each of an array's.

exec
CREATE TABLE posts (_id VARCHAR(255) PRIMARY KEY, _doc JSON);
INSERT INTO posts (_id, n) WITH RECURSIVE s AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM s WHERE i < 200) SELECT CONCAT('p', i), i FROM s;
UPDATE posts SET _doc = JSON_SET(_doc, '$.tags', JSON_ARRAY(CONCAT('t', n MOD 50), CONCAT('t', n MOD 7)), '$.refs', JSON_ARRAY(n + 1, n - 1));
INSERT INTO posts (_doc) VALUES ('{"_id":"scalar","tags":"t3"}'), ('{"_id":"nested","tags":[["t3"],{"a":1}]}'), ('{"_id":"empty","tags":[]}'), ('{"_id":"null","tags":null}'), ('{"_id":"none"}');
CREATE TABLE tags (_id VARCHAR(255) PRIMARY KEY, _doc JSON);
INSERT INTO tags (_id, name, n) WITH RECURSIVE s AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM s WHERE i < 60) SELECT CONCAT('t', i), CONCAT('T', i), i FROM s;
----
ok, 0 rows
ok, 200 rows
ok, 200 rows
ok, 5 rows
ok, 0 rows
ok, 60 rows

query
SELECT t._id, p._id FROM tags t JOIN posts p ON t._id MEMBER OF (p.tags) WHERE t.n = 30 ORDER BY p._id
----
_id | _id
t30 | p130
t30 | p180
t30 | p30
t30 | p80

query
EXPLAIN FORMAT=TREE SELECT t._id, p._id FROM tags t JOIN posts p ON t._id MEMBER OF (p.tags) WHERE t.n = 30
----
EXPLAIN
-> Project: t._id, p._id
    -> Join, inner, lookup: member_of(t._id, p.tags)
        -> Index lookup on t using n
             range: `n` in 30
             entries only: no document is read
             keys: 1 counted of 60
             tight
             cost: 0.1, a full scan costs 60.0
        -> Look up in batches: p: `tags` = t._id OR `tags[*]` = t._id
             for about 1 rows, documents for each: about 10.8
             cost: 27.1
             documents: about 11 of 205
             lost: the whole side, read for each row: cost 246.0

# What is no array counts as an array of one; JSON_CONTAINS looks into arrays within arrays.
query
SELECT p._id FROM tags t JOIN posts p ON t._id MEMBER OF (p.tags) WHERE t.n = 3 AND p.n IS NULL
----
_id
scalar

query
SELECT p._id FROM tags t JOIN posts p ON JSON_CONTAINS(p.tags, JSON_QUOTE(t._id)) WHERE t.n = 3 AND p.n IS NULL ORDER BY p._id
----
_id
nested
scalar

query
SELECT t._id, t.name FROM posts p JOIN tags t ON t._id MEMBER OF (p.tags) WHERE p._id = 'p12' ORDER BY t._id
----
_id | name
t12 | T12
t5 | T5

query
EXPLAIN FORMAT=TREE SELECT t._id, t.name FROM posts p, tags t WHERE t._id MEMBER OF (p.tags) AND p._id = 'p12'
----
EXPLAIN
-> Project: t._id, t.name
    -> Join, inner, lookup: member_of(t._id, p.tags)
        -> Single-row index lookup on p using PRIMARY
             range: primary key in 'p12'
             keys: about 1 of 1
             tight
             cost: 0.0, a full scan costs 205.0
        -> Look up in batches: t: primary key MEMBER OF (p.tags)
             for about 1 rows, documents for each: about 4.0
             cost: 10.5
             documents: about 4 of 60
             lost: the whole side, read for each row: cost 72.0

query
SELECT q._id FROM posts p JOIN posts q ON q.n MEMBER OF (p._doc->'$.refs') WHERE p._id = 'p12' ORDER BY q._id
----
_id
p11
p13

query
SELECT q._id FROM posts p, posts q WHERE JSON_CONTAINS(q._doc, CAST(p.n AS JSON), '$.refs') AND p._id = 'p12' ORDER BY q._id
----
_id
p11
p13

query
SELECT COUNT(*) FROM posts p JOIN posts q ON JSON_OVERLAPS(p.tags, q.tags) WHERE p._id = 'p12'
----
COUNT(*)
34

query
EXPLAIN SELECT COUNT(*) FROM posts p JOIN posts q ON JSON_OVERLAPS(p.tags, q.tags) WHERE p._id = 'p12'
----
id | select_type | table | partitions | type | possible_keys | key | key_len | ref | rows | filtered | Extra
1 | SIMPLE | p | NULL | const | PRIMARY | PRIMARY | NULL | const | 1 | 100 |
1 | SIMPLE | q | NULL | index_merge | NULL | tags,tags[*] | NULL | p.tags, p.tags | 43 | 100 |

query
SELECT COUNT(*) FROM tags t WHERE NOT EXISTS (SELECT 1 FROM posts p WHERE t._id MEMBER OF (p.tags))
----
COUNT(*)
11

query
SELECT t._id, COUNT(p._id) FROM tags t LEFT JOIN posts p ON t._id MEMBER OF (p.tags) AND p.n < 20 WHERE t.n > 45 GROUP BY t._id ORDER BY t._id LIMIT 3
----
_id | COUNT(p._id)
t46 | 0
t47 | 0
t48 | 0

# Several memberships of one array are fulfilled by several elements.
query
SELECT p._id FROM tags t JOIN tags u JOIN posts p ON t._id MEMBER OF (p.tags) AND u._id MEMBER OF (p.tags) WHERE t.n = 30 AND u.n = 2 ORDER BY p._id
----
_id
p30

# A comma join is looked up by whatever one side's value is compared with.
query
EXPLAIN FORMAT=TREE SELECT p._id FROM tags t, posts p WHERE p.n = t.n + 100 AND t.n < 3
----
EXPLAIN
-> Project: p._id
    -> Join, inner, lookup: (p.n = (t.n + 100))
        -> Index range scan on t using n
             range: `n` in (-∞, 3)
             entries only: no document is read
             keys: 2 counted of 60
             tight
             cost: 0.1, a full scan costs 60.0
        -> Look up in batches: p: `n` = (t.n + 100)
             entries only: no document is read
             for about 2 rows, documents for each: about 1.0
             cost: 4.4
             keys: about 2 of 205
             lost: the whole side, hashed: cost 307.9

# Arrays of so many elements that not each is looked for, and so many arrays that not all are looked for together.
exec
CREATE TABLE lists (_id INT PRIMARY KEY, _doc JSON);
SET cte_max_recursion_depth = 20000;
INSERT INTO lists (_id, refs) WITH RECURSIVE s AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM s WHERE i < 10001) SELECT 0, JSON_ARRAYAGG(i) FROM s;
INSERT INTO lists (_id, refs) WITH RECURSIVE s AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM s WHERE i < 1000), r AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM r WHERE i < 35) SELECT r.i, JSON_ARRAYAGG(s.i + r.i) FROM s JOIN r GROUP BY r.i;
INSERT INTO lists (_id, refs) WITH RECURSIVE s AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM s WHERE i < 1000), r AS (SELECT 36 AS i UNION ALL SELECT i + 1 FROM r WHERE i < 70) SELECT r.i, JSON_ARRAYAGG(s.i + r.i) FROM s JOIN r GROUP BY r.i;
----
ok, 0 rows
ok, 0 rows
ok, 1 rows
ok, 35 rows
ok, 35 rows

query
SELECT COUNT(*), SUM(l._id), SUM(p.n) FROM lists l JOIN posts p ON p.n MEMBER OF (l.refs)
----
COUNT(*) | SUM(l._id) | SUM(p.n)
11715 | 380205 | 1367460

query
SELECT COUNT(*), SUM(l._id) FROM lists l JOIN posts p ON JSON_OVERLAPS(l.refs, p.refs) WHERE p.n < 4 AND l._id < 5
----
COUNT(*) | SUM(l._id)
9 | 10

query
CHECK TABLE posts, tags, lists
----
Table | Op | Msg_type | Msg_text
d.posts | check | status | OK
d.tags | check | status | OK
d.lists | check | status | OK

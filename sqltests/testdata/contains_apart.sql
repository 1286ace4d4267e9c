# JSON_CONTAINS of several elements is asked for each of them, so that an intersection of their ranges answers it; and values that are looked for
# in a constant array are points of their column. Every query runs with and without the index.

exec
CREATE TABLE t (_id VARCHAR(255) PRIMARY KEY, _doc JSON);
CREATE TABLE d (_id VARCHAR(255) PRIMARY KEY, n INT, s VARCHAR(20), k VARCHAR(20) COLLATE utf8mb4_0900_ai_ci, b BOOLEAN, _doc JSON);
INSERT INTO t (_doc) SELECT JSON_OBJECT('_id', CONCAT('d', n), 'code', CONCAT('c', n), 'n', n, 'tags', JSON_ARRAY(n % 2, CONCAT('t', n % 3), CONCAT('u', n % 5)))
  FROM (WITH RECURSIVE r (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r WHERE n < 300) SELECT n FROM r) r;
INSERT INTO t (_doc) VALUES ('{"_id":"x1","tags":"t1"}'), ('{"_id":"x2","tags":{"t1":1}}'), ('{"_id":"x3","tags":null}'), ('{"_id":"x4"}'),
('{"_id":"x5","tags":[],"code":["c1"]}'), ('{"_id":"x6","parts":[{"a":1},{"b":2}],"code":null}'), ('{"_id":"x7","parts":{"a":1,"b":2},"code":{"c":1}}'), ('{"_id":"x8","parts":[{"a":1,"b":2}],"n":true}');
INSERT INTO d (_doc) VALUES ('{"_id":"1","n":1,"s":"a","k":"a","b":true}'), ('{"_id":"2","n":2,"s":"A","k":"A","b":false}'), ('{"_id":"3","n":3,"s":"b","k":"á"}'), ('{"_id":"4"}');
----
ok, 0 rows
ok, 0 rows
ok, 300 rows
ok, 8 rows
ok, 4 rows

query settled
EXPLAIN FORMAT=TREE SELECT COUNT(*) FROM t WHERE JSON_CONTAINS(tags, '["t1","u2"]')
----
EXPLAIN
-> Project: count(1)
    -> Aggregate: COUNT(1)
         executor: batch, from 256 rows on
        -> Intersection of index ranges on t using tags[*]
             range: $.tags[*] in 'u2'
             range: $.tags[*] in 't1'
             entries only: no document is read
             keys: about 160 of 1,200
             tight
             cost: 13.0, a full scan costs 308.0
             lost: $.tags[*] in 't1', keys: 100 counted of 600: cost 205.0, an intersection costs 13.0
             lost: $.tags[*] in 'u2', keys: 60 counted of 600: cost 123.0, an intersection costs 13.0

query
SELECT COUNT(*) n, MIN(_id) a, MAX(_id) z FROM t WHERE JSON_CONTAINS(tags, '["t1","u2"]')
----
n | a | z
20 | d112 | d97

exec
SET sqlfdb_use_index = OFF
----
ok, 0 rows

query
SELECT COUNT(*) n, MIN(_id) a, MAX(_id) z FROM t WHERE JSON_CONTAINS(tags, '["t1","u2"]')
----
n | a | z
20 | d112 | d97

exec
SET sqlfdb_use_index = ON
----
ok, 0 rows

query
SELECT COUNT(*) n, MIN(_id) a, MAX(_id) z FROM t WHERE JSON_CONTAINS(tags, '["t1","u2","t1",1]')
----
n | a | z
10 | d127 | d97

exec
SET sqlfdb_use_index = OFF
----
ok, 0 rows

query
SELECT COUNT(*) n, MIN(_id) a, MAX(_id) z FROM t WHERE JSON_CONTAINS(tags, '["t1","u2","t1",1]')
----
n | a | z
10 | d127 | d97

exec
SET sqlfdb_use_index = ON
----
ok, 0 rows

query
SELECT COUNT(*) n, MIN(_id) a, MAX(_id) z FROM t WHERE JSON_CONTAINS(tags, JSON_ARRAY('t1', 'u2'))
----
n | a | z
20 | d112 | d97

exec
SET sqlfdb_use_index = OFF
----
ok, 0 rows

query
SELECT COUNT(*) n, MIN(_id) a, MAX(_id) z FROM t WHERE JSON_CONTAINS(tags, JSON_ARRAY('t1', 'u2'))
----
n | a | z
20 | d112 | d97

exec
SET sqlfdb_use_index = ON
----
ok, 0 rows

query
SELECT COUNT(*) n, MIN(_id) a, MAX(_id) z FROM t WHERE JSON_CONTAINS(_doc, '["t1","u2"]', '$.tags')
----
n | a | z
20 | d112 | d97

exec
SET sqlfdb_use_index = OFF
----
ok, 0 rows

query
SELECT COUNT(*) n, MIN(_id) a, MAX(_id) z FROM t WHERE JSON_CONTAINS(_doc, '["t1","u2"]', '$.tags')
----
n | a | z
20 | d112 | d97

exec
SET sqlfdb_use_index = ON
----
ok, 0 rows

query
SELECT COUNT(*) n, MIN(_id) a, MAX(_id) z FROM t WHERE JSON_CONTAINS(_doc->'$.tags[*]', '["t1","u2"]')
----
n | a | z
20 | d112 | d97

exec
SET sqlfdb_use_index = OFF
----
ok, 0 rows

query
SELECT COUNT(*) n, MIN(_id) a, MAX(_id) z FROM t WHERE JSON_CONTAINS(_doc->'$.tags[*]', '["t1","u2"]')
----
n | a | z
20 | d112 | d97

exec
SET sqlfdb_use_index = ON
----
ok, 0 rows

query
SELECT COUNT(*) n, MIN(_id) a, MAX(_id) z FROM t WHERE NOT JSON_CONTAINS(tags, '["t1","u2"]')
----
n | a | z
283 | d1 | x5

exec
SET sqlfdb_use_index = OFF
----
ok, 0 rows

query
SELECT COUNT(*) n, MIN(_id) a, MAX(_id) z FROM t WHERE NOT JSON_CONTAINS(tags, '["t1","u2"]')
----
n | a | z
283 | d1 | x5

exec
SET sqlfdb_use_index = ON
----
ok, 0 rows

query
SELECT COUNT(*) n, MIN(_id) a, MAX(_id) z FROM t WHERE JSON_CONTAINS(tags, '["t1","u2"]') OR _id = 'x1'
----
n | a | z
21 | d112 | x1

exec
SET sqlfdb_use_index = OFF
----
ok, 0 rows

query
SELECT COUNT(*) n, MIN(_id) a, MAX(_id) z FROM t WHERE JSON_CONTAINS(tags, '["t1","u2"]') OR _id = 'x1'
----
n | a | z
21 | d112 | x1

exec
SET sqlfdb_use_index = ON
----
ok, 0 rows

query
SELECT COUNT(*) n, MIN(_id) a, MAX(_id) z FROM t WHERE JSON_CONTAINS(tags, '[]')
----
n | a | z
301 | d1 | x5

exec
SET sqlfdb_use_index = OFF
----
ok, 0 rows

query
SELECT COUNT(*) n, MIN(_id) a, MAX(_id) z FROM t WHERE JSON_CONTAINS(tags, '[]')
----
n | a | z
301 | d1 | x5

exec
SET sqlfdb_use_index = ON
----
ok, 0 rows

query
SELECT COUNT(*) n, MIN(_id) a, MAX(_id) z FROM t WHERE JSON_CONTAINS(tags, '[["t1"],"u2"]')
----
n | a | z
0 | NULL | NULL

exec
SET sqlfdb_use_index = OFF
----
ok, 0 rows

query
SELECT COUNT(*) n, MIN(_id) a, MAX(_id) z FROM t WHERE JSON_CONTAINS(tags, '[["t1"],"u2"]')
----
n | a | z
0 | NULL | NULL

exec
SET sqlfdb_use_index = ON
----
ok, 0 rows

query
SELECT COUNT(*) n, MIN(_id) a, MAX(_id) z FROM t WHERE JSON_CONTAINS(tags, '["t1","t1"]')
----
n | a | z
100 | d1 | d97

exec
SET sqlfdb_use_index = OFF
----
ok, 0 rows

query
SELECT COUNT(*) n, MIN(_id) a, MAX(_id) z FROM t WHERE JSON_CONTAINS(tags, '["t1","t1"]')
----
n | a | z
100 | d1 | d97

exec
SET sqlfdb_use_index = ON
----
ok, 0 rows

query
SELECT COUNT(*) n, MIN(_id) a, MAX(_id) z FROM t WHERE JSON_CONTAINS(tags, '["t0","t1","t2","u0","u1","u2","u3","u4",0,1]')
----
n | a | z
0 | NULL | NULL

exec
SET sqlfdb_use_index = OFF
----
ok, 0 rows

query
SELECT COUNT(*) n, MIN(_id) a, MAX(_id) z FROM t WHERE JSON_CONTAINS(tags, '["t0","t1","t2","u0","u1","u2","u3","u4",0,1]')
----
n | a | z
0 | NULL | NULL

exec
SET sqlfdb_use_index = ON
----
ok, 0 rows

query
SELECT COUNT(*) n, MIN(_id) a, MAX(_id) z FROM t WHERE JSON_CONTAINS(_doc, '{"n":7,"code":"c7"}')
----
n | a | z
1 | d7 | d7

exec
SET sqlfdb_use_index = OFF
----
ok, 0 rows

query
SELECT COUNT(*) n, MIN(_id) a, MAX(_id) z FROM t WHERE JSON_CONTAINS(_doc, '{"n":7,"code":"c7"}')
----
n | a | z
1 | d7 | d7

exec
SET sqlfdb_use_index = ON
----
ok, 0 rows

query
SELECT COUNT(*) n, MIN(_id) a, MAX(_id) z FROM t WHERE JSON_CONTAINS(_doc, '{"parts":{"a":1,"b":2}}')
----
n | a | z
2 | x7 | x8

exec
SET sqlfdb_use_index = OFF
----
ok, 0 rows

query
SELECT COUNT(*) n, MIN(_id) a, MAX(_id) z FROM t WHERE JSON_CONTAINS(_doc, '{"parts":{"a":1,"b":2}}')
----
n | a | z
2 | x7 | x8

exec
SET sqlfdb_use_index = ON
----
ok, 0 rows

query
SELECT COUNT(*) n, MIN(_id) a, MAX(_id) z FROM t WHERE JSON_CONTAINS(_doc->'$.parts', '{"a":1,"b":2}')
----
n | a | z
2 | x7 | x8

exec
SET sqlfdb_use_index = OFF
----
ok, 0 rows

query
SELECT COUNT(*) n, MIN(_id) a, MAX(_id) z FROM t WHERE JSON_CONTAINS(_doc->'$.parts', '{"a":1,"b":2}')
----
n | a | z
2 | x7 | x8

exec
SET sqlfdb_use_index = ON
----
ok, 0 rows

query
SELECT COUNT(*) n, MIN(_id) a, MAX(_id) z FROM t WHERE JSON_CONTAINS(_doc, '{"parts":{"a":1,"b":2},"n":true}')
----
n | a | z
1 | x8 | x8

exec
SET sqlfdb_use_index = OFF
----
ok, 0 rows

query
SELECT COUNT(*) n, MIN(_id) a, MAX(_id) z FROM t WHERE JSON_CONTAINS(_doc, '{"parts":{"a":1,"b":2},"n":true}')
----
n | a | z
1 | x8 | x8

exec
SET sqlfdb_use_index = ON
----
ok, 0 rows

query
SELECT COUNT(*) n, MIN(_id) a, MAX(_id) z FROM t WHERE code MEMBER OF ('["c7","c8","C9",7]')
----
n | a | z
2 | d7 | d8

exec
SET sqlfdb_use_index = OFF
----
ok, 0 rows

query
SELECT COUNT(*) n, MIN(_id) a, MAX(_id) z FROM t WHERE code MEMBER OF ('["c7","c8","C9",7]')
----
n | a | z
2 | d7 | d8

exec
SET sqlfdb_use_index = ON
----
ok, 0 rows

query
SELECT COUNT(*) n, MIN(_id) a, MAX(_id) z FROM t WHERE NOT code MEMBER OF ('["c7","c8"]')
----
n | a | z
300 | d1 | x7

exec
SET sqlfdb_use_index = OFF
----
ok, 0 rows

query
SELECT COUNT(*) n, MIN(_id) a, MAX(_id) z FROM t WHERE NOT code MEMBER OF ('["c7","c8"]')
----
n | a | z
300 | d1 | x7

exec
SET sqlfdb_use_index = ON
----
ok, 0 rows

query
SELECT COUNT(*) n, MIN(_id) a, MAX(_id) z FROM t WHERE code MEMBER OF ('"c7"')
----
n | a | z
1 | d7 | d7

exec
SET sqlfdb_use_index = OFF
----
ok, 0 rows

query
SELECT COUNT(*) n, MIN(_id) a, MAX(_id) z FROM t WHERE code MEMBER OF ('"c7"')
----
n | a | z
1 | d7 | d7

exec
SET sqlfdb_use_index = ON
----
ok, 0 rows

query
SELECT COUNT(*) n, MIN(_id) a, MAX(_id) z FROM t WHERE code MEMBER OF ('[]')
----
n | a | z
0 | NULL | NULL

exec
SET sqlfdb_use_index = OFF
----
ok, 0 rows

query
SELECT COUNT(*) n, MIN(_id) a, MAX(_id) z FROM t WHERE code MEMBER OF ('[]')
----
n | a | z
0 | NULL | NULL

exec
SET sqlfdb_use_index = ON
----
ok, 0 rows

query
SELECT COUNT(*) n, MIN(_id) a, MAX(_id) z FROM t WHERE code MEMBER OF (NULL)
----
n | a | z
0 | NULL | NULL

exec
SET sqlfdb_use_index = OFF
----
ok, 0 rows

query
SELECT COUNT(*) n, MIN(_id) a, MAX(_id) z FROM t WHERE code MEMBER OF (NULL)
----
n | a | z
0 | NULL | NULL

exec
SET sqlfdb_use_index = ON
----
ok, 0 rows

query
SELECT COUNT(*) n, MIN(_id) a, MAX(_id) z FROM t WHERE _doc->'$.code' MEMBER OF ('["c7",["c1"],null,{"c":1}]')
----
n | a | z
4 | d7 | x7

exec
SET sqlfdb_use_index = OFF
----
ok, 0 rows

query
SELECT COUNT(*) n, MIN(_id) a, MAX(_id) z FROM t WHERE _doc->'$.code' MEMBER OF ('["c7",["c1"],null,{"c":1}]')
----
n | a | z
4 | d7 | x7

exec
SET sqlfdb_use_index = ON
----
ok, 0 rows

query
SELECT COUNT(*) n, MIN(_id) a, MAX(_id) z FROM t WHERE _doc->>'$.code' MEMBER OF ('["c7","[\\"c1\\"]"]')
----
n | a | z
2 | d7 | x5

exec
SET sqlfdb_use_index = OFF
----
ok, 0 rows

query
SELECT COUNT(*) n, MIN(_id) a, MAX(_id) z FROM t WHERE _doc->>'$.code' MEMBER OF ('["c7","[\\"c1\\"]"]')
----
n | a | z
2 | d7 | x5

exec
SET sqlfdb_use_index = ON
----
ok, 0 rows

query
SELECT COUNT(*) n, MIN(_id) a, MAX(_id) z FROM t WHERE _doc->'$.n' MEMBER OF ('[7,8.0,true]')
----
n | a | z
3 | d7 | x8

exec
SET sqlfdb_use_index = OFF
----
ok, 0 rows

query
SELECT COUNT(*) n, MIN(_id) a, MAX(_id) z FROM t WHERE _doc->'$.n' MEMBER OF ('[7,8.0,true]')
----
n | a | z
3 | d7 | x8

exec
SET sqlfdb_use_index = ON
----
ok, 0 rows

query
SELECT COUNT(*) n, MIN(_id) a, MAX(_id) z FROM t WHERE _id MEMBER OF ('["d7","d8"]')
----
n | a | z
2 | d7 | d8

exec
SET sqlfdb_use_index = OFF
----
ok, 0 rows

query
SELECT COUNT(*) n, MIN(_id) a, MAX(_id) z FROM t WHERE _id MEMBER OF ('["d7","d8"]')
----
n | a | z
2 | d7 | d8

exec
SET sqlfdb_use_index = ON
----
ok, 0 rows

query
SELECT COUNT(*) n, MIN(_id) a, MAX(_id) z FROM t WHERE JSON_CONTAINS('["c7",["c8"]]', JSON_QUOTE(code))
----
n | a | z
2 | d7 | d8

exec
SET sqlfdb_use_index = OFF
----
ok, 0 rows

query
SELECT COUNT(*) n, MIN(_id) a, MAX(_id) z FROM t WHERE JSON_CONTAINS('["c7",["c8"]]', JSON_QUOTE(code))
----
n | a | z
2 | d7 | d8

exec
SET sqlfdb_use_index = ON
----
ok, 0 rows

query
SELECT COUNT(*) n, MIN(_id) a, MAX(_id) z FROM t WHERE JSON_CONTAINS('["c7",["c1"]]', _doc->'$.code')
----
n | a | z
3 | d1 | x5

exec
SET sqlfdb_use_index = OFF
----
ok, 0 rows

query
SELECT COUNT(*) n, MIN(_id) a, MAX(_id) z FROM t WHERE JSON_CONTAINS('["c7",["c1"]]', _doc->'$.code')
----
n | a | z
3 | d1 | x5

exec
SET sqlfdb_use_index = ON
----
ok, 0 rows

query
SELECT COUNT(*) n, MIN(_id) a, MAX(_id) z FROM t WHERE JSON_OVERLAPS('["c7","c8"]', JSON_QUOTE(code))
----
n | a | z
2 | d7 | d8

exec
SET sqlfdb_use_index = OFF
----
ok, 0 rows

query
SELECT COUNT(*) n, MIN(_id) a, MAX(_id) z FROM t WHERE JSON_OVERLAPS('["c7","c8"]', JSON_QUOTE(code))
----
n | a | z
2 | d7 | d8

exec
SET sqlfdb_use_index = ON
----
ok, 0 rows

query
SELECT COUNT(*) n, MIN(_id) a, MAX(_id) z FROM d WHERE s MEMBER OF ('["a","b"]')
----
n | a | z
2 | 1 | 3

exec
SET sqlfdb_use_index = OFF
----
ok, 0 rows

query
SELECT COUNT(*) n, MIN(_id) a, MAX(_id) z FROM d WHERE s MEMBER OF ('["a","b"]')
----
n | a | z
2 | 1 | 3

exec
SET sqlfdb_use_index = ON
----
ok, 0 rows

query
SELECT COUNT(*) n, MIN(_id) a, MAX(_id) z FROM d WHERE k MEMBER OF ('["a","b"]')
----
n | a | z
1 | 1 | 1

exec
SET sqlfdb_use_index = OFF
----
ok, 0 rows

query
SELECT COUNT(*) n, MIN(_id) a, MAX(_id) z FROM d WHERE k MEMBER OF ('["a","b"]')
----
n | a | z
1 | 1 | 1

exec
SET sqlfdb_use_index = ON
----
ok, 0 rows

query
SELECT COUNT(*) n, MIN(_id) a, MAX(_id) z FROM d WHERE NOT k MEMBER OF ('["a","b"]')
----
n | a | z
2 | 2 | 3

exec
SET sqlfdb_use_index = OFF
----
ok, 0 rows

query
SELECT COUNT(*) n, MIN(_id) a, MAX(_id) z FROM d WHERE NOT k MEMBER OF ('["a","b"]')
----
n | a | z
2 | 2 | 3

exec
SET sqlfdb_use_index = ON
----
ok, 0 rows

query
SELECT COUNT(*) n, MIN(_id) a, MAX(_id) z FROM d WHERE b MEMBER OF ('[true]')
----
n | a | z
1 | 1 | 1

exec
SET sqlfdb_use_index = OFF
----
ok, 0 rows

query
SELECT COUNT(*) n, MIN(_id) a, MAX(_id) z FROM d WHERE b MEMBER OF ('[true]')
----
n | a | z
1 | 1 | 1

exec
SET sqlfdb_use_index = ON
----
ok, 0 rows

query
SELECT COUNT(*) n, MIN(_id) a, MAX(_id) z FROM d WHERE b MEMBER OF ('[1]')
----
n | a | z
0 | NULL | NULL

exec
SET sqlfdb_use_index = OFF
----
ok, 0 rows

query
SELECT COUNT(*) n, MIN(_id) a, MAX(_id) z FROM d WHERE b MEMBER OF ('[1]')
----
n | a | z
0 | NULL | NULL

exec
SET sqlfdb_use_index = ON
----
ok, 0 rows

query
SELECT COUNT(*) n, MIN(_id) a, MAX(_id) z FROM d WHERE n MEMBER OF ('[1,2.0,2.5]')
----
n | a | z
2 | 1 | 2

exec
SET sqlfdb_use_index = OFF
----
ok, 0 rows

query
SELECT COUNT(*) n, MIN(_id) a, MAX(_id) z FROM d WHERE n MEMBER OF ('[1,2.0,2.5]')
----
n | a | z
2 | 1 | 2

exec
SET sqlfdb_use_index = ON
----
ok, 0 rows

query
SELECT COUNT(*) n, MIN(_id) a, MAX(_id) z FROM d WHERE NOT n MEMBER OF ('[1,2.0,2.5]')
----
n | a | z
1 | 3 | 3

exec
SET sqlfdb_use_index = OFF
----
ok, 0 rows

query
SELECT COUNT(*) n, MIN(_id) a, MAX(_id) z FROM d WHERE NOT n MEMBER OF ('[1,2.0,2.5]')
----
n | a | z
1 | 3 | 3

exec
SET sqlfdb_use_index = ON
----
ok, 0 rows

query
SELECT COUNT(*) n, MIN(_id) a, MAX(_id) z FROM d WHERE JSON_CONTAINS('[1,2]', CAST(n AS JSON))
----
n | a | z
2 | 1 | 2

exec
SET sqlfdb_use_index = OFF
----
ok, 0 rows

query
SELECT COUNT(*) n, MIN(_id) a, MAX(_id) z FROM d WHERE JSON_CONTAINS('[1,2]', CAST(n AS JSON))
----
n | a | z
2 | 1 | 2

exec
SET sqlfdb_use_index = ON
----
ok, 0 rows

query
SELECT COUNT(*) n, MIN(_id) a, MAX(_id) z FROM d WHERE JSON_OVERLAPS(CAST(n AS JSON), '[1,"2"]')
----
n | a | z
1 | 1 | 1

exec
SET sqlfdb_use_index = OFF
----
ok, 0 rows

query
SELECT COUNT(*) n, MIN(_id) a, MAX(_id) z FROM d WHERE JSON_OVERLAPS(CAST(n AS JSON), '[1,"2"]')
----
n | a | z
1 | 1 | 1

exec
SET sqlfdb_use_index = ON
----
ok, 0 rows

query settled
EXPLAIN FORMAT=TREE SELECT COUNT(*) FROM t WHERE JSON_CONTAINS(_doc, '{"n":7,"code":"c7"}')
----
EXPLAIN
-> Project: count(1)
    -> Aggregate: COUNT(1)
         executor: interpreted: few rows
        -> Filter: json_contains(t._doc, '{"code":"c7"}')
            -> Union of index ranges on t using n, n[*]
                 range: $.n in 7
                 range: $.n[*] in 7
                 no document has $.n[*]
                 keys: 1 counted of 300
                 tight
                 residual: json_contains(t._doc, '{"code":"c7"}')
                 cost: 2.0, a full scan costs 308.0
                 lost: union of $.code in 'c7', and $.code[*] in 'c7', keys: 1 counted of 301: cost 2.0, the chosen one costs 2.0

query settled
EXPLAIN FORMAT=TREE SELECT _id FROM t WHERE code MEMBER OF ('["c7","c8"]')
----
EXPLAIN
-> Project: t._id
    -> Index range scan on t using code
         range: `code` in 'c7', 'c8'
         entries only: no document is read
         keys: 2 counted of 300
         tight
         cost: 0.1, a full scan costs 308.0

query settled
EXPLAIN FORMAT=TREE SELECT _id FROM d WHERE k MEMBER OF ('["a","b"]')
----
EXPLAIN
-> Project: d._id
    -> Filter: member_of(d.k, '["a","b"]')
        -> Index range scan on d using k
             range: `k` in 'a', 'b'
             entries only: no document is read
             keys: 3 counted of 3
             not tight: the filter stays
             residual: member_of(d.k, '["a","b"]')
             cost: 0.2, a full scan costs 4.0

query settled
EXPLAIN FORMAT=TREE SELECT x._id FROM t x JOIN d ON d.n = x.n AND JSON_CONTAINS(x.tags, '["t1","u2"]')
----
EXPLAIN
-> Project: x._id
    -> Join, inner, lookup: (d.n = x.n)
        -> Table scan on d
             documents: 4, exactly
        -> Filter: (json_contains(x.tags, '["t1"]') AND json_contains(x.tags, '["u2"]'))
            -> Look up in batches: x: `n` = d.n
                 for about 4 rows, documents for each: about 1.0
                 cost: 15.6
                 documents: about 4 of 308
                 lost: the whole side, hashed: cost 132.8

query
SELECT COUNT(*) n, MIN(_id) a, MAX(_id) z FROM t WHERE code MEMBER OF ((SELECT JSON_ARRAYAGG(code) FROM t u WHERE u.n < 4))
----
n | a | z
3 | d1 | d3

exec
SET sqlfdb_use_index = OFF
----
ok, 0 rows

query
SELECT COUNT(*) n, MIN(_id) a, MAX(_id) z FROM t WHERE code MEMBER OF ((SELECT JSON_ARRAYAGG(code) FROM t u WHERE u.n < 4))
----
n | a | z
3 | d1 | d3

exec
SET sqlfdb_use_index = ON
----
ok, 0 rows

query settled
EXPLAIN FORMAT=TREE SELECT COUNT(*) n, MIN(_id) a, MAX(_id) z FROM t WHERE code MEMBER OF ((SELECT JSON_ARRAYAGG(code) FROM t u WHERE u.n < 4))
----
EXPLAIN
-> Project: count(1) as n, min(t._id) as a, max(t._id) as z
    -> Aggregate: COUNT(1), MAX(t._id), MIN(t._id)
         executor: interpreted: not in batches: MAX(t._id)
        -> Index range scan on t using code
             range: `code` in 'c1', 'c2', 'c3'
             entries only: no document is read
             keys: 3 counted of 300
             tight
             cost: 6.1, a full scan costs 308.0
    -> Subquery #2, run before the statement was planned: ["c1","c2","c3"]
        -> Project: json_arrayagg(u.code)
            -> Aggregate: JSON_ARRAYAGG(u.code)
                -> Index range scan on u using n
                     range: `n` in (-∞, 4)
                     keys: 3 counted of 300
                     tight
                     cost: 6.1, a full scan costs 308.0

query
SELECT COUNT(*) n, MIN(_id) a, MAX(_id) z FROM t WHERE JSON_CONTAINS((SELECT JSON_ARRAY('c1', 'c2', s) FROM d WHERE _id = '1'), JSON_QUOTE(code))
----
n | a | z
2 | d1 | d2

exec
SET sqlfdb_use_index = OFF
----
ok, 0 rows

query
SELECT COUNT(*) n, MIN(_id) a, MAX(_id) z FROM t WHERE JSON_CONTAINS((SELECT JSON_ARRAY('c1', 'c2', s) FROM d WHERE _id = '1'), JSON_QUOTE(code))
----
n | a | z
2 | d1 | d2

exec
SET sqlfdb_use_index = ON
----
ok, 0 rows

query settled
EXPLAIN FORMAT=TREE SELECT COUNT(*) n, MIN(_id) a, MAX(_id) z FROM t WHERE JSON_CONTAINS((SELECT JSON_ARRAY('c1', 'c2', s) FROM d WHERE _id = '1'), JSON_QUOTE(code))
----
EXPLAIN
-> Project: count(1) as n, min(t._id) as a, max(t._id) as z
    -> Aggregate: COUNT(1), MAX(t._id), MIN(t._id)
         executor: interpreted: not in batches: json_contains(["c1","c2","a"], json_quote(t.code))
        -> Filter: json_contains(["c1","c2","a"], json_quote(t.code))
            -> Table scan on t
                 documents: 308, exactly
                 residual: json_contains(["c1","c2","a"], json_quote(t.code))
                 no range: json_contains(["c1","c2","a"], json_quote(t.code)): json_quote(t.code) may be more than one value
    -> Subquery #2, run before the statement was planned: ["c1","c2","a"]
        -> Project: json_array('c1', 'c2', d.s)
            -> Single-row index lookup on d using PRIMARY
                 range: primary key in '1'
                 keys: about 1 of 1
                 tight
                 cost: 0.0, a full scan costs 4.0

query
SELECT COUNT(*) n, MIN(_id) a, MAX(_id) z FROM t WHERE JSON_CONTAINS(tags, (SELECT u.tags FROM t u WHERE u._id = 'd8'))
----
n | a | z
10 | d128 | d98

exec
SET sqlfdb_use_index = OFF
----
ok, 0 rows

query
SELECT COUNT(*) n, MIN(_id) a, MAX(_id) z FROM t WHERE JSON_CONTAINS(tags, (SELECT u.tags FROM t u WHERE u._id = 'd8'))
----
n | a | z
10 | d128 | d98

exec
SET sqlfdb_use_index = ON
----
ok, 0 rows

query settled
EXPLAIN FORMAT=TREE SELECT COUNT(*) n, MIN(_id) a, MAX(_id) z FROM t WHERE JSON_CONTAINS(tags, (SELECT u.tags FROM t u WHERE u._id = 'd8'))
----
EXPLAIN
-> Project: count(1) as n, min(t._id) as a, max(t._id) as z
    -> Aggregate: COUNT(1), MAX(t._id), MIN(t._id)
         executor: interpreted: not in batches: MAX(t._id)
        -> Intersection of index ranges on t using tags[*]
             range: $.tags[*] in 'u3'
             range: $.tags[*] in 't2'
             range: $.tags[*] in 0
             entries only: no document is read
             keys: about 310 of 1,500
             tight
             cost: 23.0, a full scan costs 308.0
             lost: $.tags[*] in 0, keys: 150 counted of 300: cost 307.5, an intersection costs 23.0
             lost: $.tags[*] in 't2', keys: 100 counted of 600: cost 205.0, an intersection costs 23.0
             lost: $.tags[*] in 'u3', keys: 60 counted of 600: cost 123.0, an intersection costs 23.0
    -> Subquery #2, run before the statement was planned: [0,"t2","u3"]
        -> Project: u.tags
            -> Single-row index lookup on u using PRIMARY
                 range: primary key in 'd8'
                 keys: about 1 of 1
                 tight
                 cost: 0.0, a full scan costs 308.0

query
SELECT COUNT(*) n, MIN(_id) a, MAX(_id) z FROM t WHERE code MEMBER OF ((SELECT u.tags FROM t u WHERE u._id = 'x4'))
----
n | a | z
0 | NULL | NULL

exec
SET sqlfdb_use_index = OFF
----
ok, 0 rows

query
SELECT COUNT(*) n, MIN(_id) a, MAX(_id) z FROM t WHERE code MEMBER OF ((SELECT u.tags FROM t u WHERE u._id = 'x4'))
----
n | a | z
0 | NULL | NULL

exec
SET sqlfdb_use_index = ON
----
ok, 0 rows

query settled
EXPLAIN FORMAT=TREE SELECT COUNT(*) n, MIN(_id) a, MAX(_id) z FROM t WHERE code MEMBER OF ((SELECT u.tags FROM t u WHERE u._id = 'x4'))
----
EXPLAIN
-> Project: count(1) as n, min(t._id) as a, max(t._id) as z
    -> Aggregate: COUNT(1), MAX(t._id), MIN(t._id)
         executor: interpreted: not in batches: MAX(t._id)
        -> Index range scan on t using code
             range: `code` in no value
             no document has a value of that type at `code`
             entries only: no document is read
             keys: 0 counted of 0
             tight
             cost: 0.0, a full scan costs 308.0
    -> Subquery #2, run before the statement was planned: NULL
        -> Project: u.tags
            -> Single-row index lookup on u using PRIMARY
                 range: primary key in 'x4'
                 keys: about 1 of 1
                 tight
                 cost: 0.0, a full scan costs 308.0

prepared
: ["t1","u2"]
SELECT COUNT(*) FROM t WHERE JSON_CONTAINS(tags, ?)
----
COUNT(*)
20

prepared
: ["c7","c8"]
SELECT COUNT(*) FROM t WHERE code MEMBER OF (?)
----
COUNT(*)
2

exec
UPDATE t SET n = -1 WHERE JSON_CONTAINS(tags, '["t1","u2"]');
DELETE FROM t WHERE JSON_CONTAINS(tags, '["t1","u2",1]')
----
ok, 20 rows
ok, 10 rows

exec
CREATE TABLE digits (_id INT PRIMARY KEY);
INSERT INTO digits VALUES (0),(1),(2),(3),(4),(5),(6),(7),(8),(9);
CREATE TABLE t (_id VARCHAR(255) PRIMARY KEY, _doc JSON);
INSERT INTO t (_doc) SELECT JSON_OBJECT('_id', CONCAT(a._id, b._id, c._id), 'a', a._id, 'b', b._id, 'tags', JSON_ARRAY(b._id, c._id), 'far', a._id * 100 + b._id * 10 + c._id) FROM digits a, digits b, digits c;
----
ok, 0 rows
ok, 10 rows
ok, 0 rows
ok, 1000 rows

# Both values have their entries in the order of keys: they are merged.
query
EXPLAIN FORMAT=TREE SELECT far FROM t WHERE a = 3 AND b = 4
----
EXPLAIN
-> Project: t.far
    -> Intersection of index ranges on t using a, b
         range: `a` in 3
         range: `b` in 4
         keys: about 200 of 2,000
         tight
         cost: 35.0, a full scan costs 1000.0
         lost: `a` in 3, keys: 100 counted of 1,000: cost 205.0, an intersection costs 35.0
         lost: `b` in 4, keys: 100 counted of 1,000: cost 205.0, an intersection costs 35.0

query
EXPLAIN SELECT far FROM t WHERE a = 3 AND b = 4
----
id | select_type | table | partitions | type | possible_keys | key | key_len | ref | rows | filtered | Extra
1 | SIMPLE | t | NULL | index_merge | a,b | a,b | NULL | NULL | 200 | 100 | Using intersect(a,b)

query
SELECT far FROM t WHERE a = 3 AND b = 4 ORDER BY far
----
far
340
341
342
343
344
345
346
347
348
349

# A range is collected. What is not tight stays in the filter.
query
EXPLAIN FORMAT=TREE SELECT far FROM t WHERE a = 3 AND far BETWEEN 250 AND 349 AND _doc->>'$.b' = '4'
----
EXPLAIN
-> Project: t.far
    -> Filter: (json_unquote(json_extract(t._doc, '$.b')) = '4')
        -> Intersection of index ranges on t using a, far, b
             range: `a` in 3
             range: `far` in [250, 349]
             range: $.b in 4, '4'
             keys: about 300 of 3,000
             not tight: the filter stays
             residual: (json_unquote(json_extract(t._doc, '$.b')) = '4')
             cost: 27.0, a full scan costs 1000.0
             lost: `a` in 3, keys: 100 counted of 1,000: cost 205.0, an intersection costs 27.0
             lost: `far` in [250, 349], keys: 100 counted of 1,000: cost 205.0, an intersection costs 27.0
             lost: $.b in 4, '4', keys: 100 counted of 1,000: cost 205.0, an intersection costs 27.0

# Through an array documents are intersected, not elements.
query
SELECT COUNT(*), MIN(far), MAX(far) FROM t WHERE JSON_CONTAINS(tags, '3') AND JSON_CONTAINS(tags, '4')
----
COUNT(*) | MIN(far) | MAX(far)
20 | 34 | 943

query
EXPLAIN FORMAT=TREE SELECT far FROM t WHERE 3 MEMBER OF (tags) AND 4 MEMBER OF (tags)
----
EXPLAIN
-> Project: t.far
    -> Intersection of index ranges on t using tags, tags[*]
         range: `tags` in 3
         range: $.tags[*] in 3
         range: `tags` in 4
         range: $.tags[*] in 4
         keys: about 400 of 4,000
         tight
         cost: 102.2, a full scan costs 1000.0
         lost: union of `tags` in 3, and $.tags[*] in 3, keys: 200 counted of 2,000: cost 390.0, an intersection costs 102.2
         lost: union of `tags` in 4, and $.tags[*] in 4, keys: 200 counted of 2,000: cost 390.0, an intersection costs 102.2

# A part of few documents is read by itself.
query
EXPLAIN FORMAT=TREE SELECT b FROM t WHERE a = 3 AND far = 345
----
EXPLAIN
-> Project: t.b
    -> Filter: (t.a = 3)
        -> Index lookup on t using far
             range: `far` in 345
             keys: 1 counted of 1,000
             tight
             residual: (t.a = 3)
             cost: 2.0, a full scan costs 1000.0
             lost: `a` in 3, keys: 100 counted of 1,000: cost 205.0, the chosen one costs 2.0

# A range that holds NULL too is a member while no document lacks the keypath.
query
EXPLAIN FORMAT=TREE SELECT _id FROM t WHERE a = 3 AND (far < 303 OR far IS NULL)
----
EXPLAIN
-> Project: t._id
    -> Intersection of index ranges on t using a, far
         range: `a` in 3
         range: `far` in null, (-∞, 303)
         entries only: no document is read
         keys: about 403 of 2,000
         tight
         cost: 27.6, a full scan costs 1000.0
         lost: `a` in 3, keys: 100 counted of 1,000: cost 205.0, an intersection costs 27.6
         lost: `far` in null, (-∞, 303), keys: 303 counted of 1,000; 0 documents lack the keypath: cost 621.1, an intersection costs 27.6

query
SELECT _id FROM t WHERE a = 3 AND (far < 303 OR far IS NULL)
----
_id
300
301
302

query
SHOW STATUS LIKE 'sqlfdb_last_documents'
----
Variable_name | Value
sqlfdb_last_documents | 0

exec
INSERT INTO t (_doc) VALUES ('{"_id": "none", "a": 3}')
----
ok, 1 rows

query
SELECT _id FROM t WHERE a = 3 AND (far < 303 OR far IS NULL)
----
_id
300
301
302
none

query
CHECK TABLE t
----
Table | Op | Msg_type | Msg_text
d.t | check | status | OK

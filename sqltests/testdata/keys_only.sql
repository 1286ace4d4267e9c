exec
CREATE TABLE digits (_id INT PRIMARY KEY);
INSERT INTO digits VALUES (0),(1),(2),(3),(4),(5),(6),(7),(8),(9);
CREATE TABLE t (_id VARCHAR(255) PRIMARY KEY, _doc JSON);
INSERT INTO t (_doc) SELECT JSON_OBJECT('_id', CONCAT(a._id, b._id, c._id), 'a', a._id, 'b', b._id, 'c', c._id, 'tags', JSON_ARRAY(b._id, c._id), 'far', a._id * 100 + b._id * 10 + c._id) FROM digits a, digits b, digits c;
----
ok, 0 rows
ok, 10 rows
ok, 0 rows
ok, 1000 rows

# A union of ranges whose conditions are exactly them: the keys tell all that is asked for, each once.
query
SELECT _id FROM t WHERE far = 123 OR _id = '500' OR far IN (123, 500)
----
_id
123
500

query
SHOW STATUS WHERE Variable_name IN ('sqlfdb_last_keys', 'sqlfdb_last_documents')
----
Variable_name | Value
sqlfdb_last_documents | 0
sqlfdb_last_keys | 3

query
SELECT COUNT(*) FROM (SELECT _id FROM t WHERE a = 3 OR b = 4) AS x
----
COUNT(*)
190

query
SHOW STATUS LIKE 'sqlfdb_last_documents'
----
Variable_name | Value
sqlfdb_last_documents | 0

# An array leads to a document by each of its elements.
query
SELECT _id FROM t WHERE 7 MEMBER OF (tags) AND far > 970
----
_id
971
972
973
974
975
976
977
978
979
987
997

query
SELECT COUNT(*) FROM (SELECT _id FROM t WHERE 7 MEMBER OF (tags)) AS x
----
COUNT(*)
190

query
SHOW STATUS LIKE 'sqlfdb_last_documents'
----
Variable_name | Value
sqlfdb_last_documents | 0

# An intersection of which each condition is answered.
query
EXPLAIN FORMAT=TREE SELECT _id FROM t WHERE a = 3 AND b = 4
----
EXPLAIN
-> Project: t._id
    -> Intersection of index ranges on t using a, b
         range: `a` in 3
         range: `b` in 4
         entries only: no document is read
         keys: about 200 of 2,000
         tight
         cost: 15.0, a full scan costs 1000.0
         lost: `a` in 3, keys: 100 counted of 1,000: cost 205.0, an intersection costs 15.0
         lost: `b` in 4, keys: 100 counted of 1,000: cost 205.0, an intersection costs 15.0

query
SELECT _id FROM t WHERE a = 3 AND b = 4
----
_id
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

query
SHOW STATUS LIKE 'sqlfdb_last_documents'
----
Variable_name | Value
sqlfdb_last_documents | 0

# What is still tested needs the document: a text may be '4' where a number is 4.
query
EXPLAIN FORMAT=TREE SELECT _id FROM t WHERE a = 3 AND _doc->>'$.b' = '4'
----
EXPLAIN
-> Project: t._id
    -> Filter: (json_unquote(json_extract(t._doc, '$.b')) = '4')
        -> Intersection of index ranges on t using a, b
             range: `a` in 3
             range: $.b in 4, '4'
             keys: about 200 of 2,000
             not tight: the filter stays
             residual: (json_unquote(json_extract(t._doc, '$.b')) = '4')
             cost: 37.5, a full scan costs 1000.0
             lost: `a` in 3, keys: 100 counted of 1,000: cost 205.0, an intersection costs 37.5
             lost: $.b in 4, '4', keys: 100 counted of 1,000: cost 205.0, an intersection costs 37.5

# The key is tested without it.
query
SELECT _id FROM t WHERE a = 3 AND b = 4 AND _id LIKE '%5'
----
_id
345

query
SHOW STATUS LIKE 'sqlfdb_last_documents'
----
Variable_name | Value
sqlfdb_last_documents | 0

# A path into the document whose range is exact: the document is not looked at.
query
SELECT _id FROM t WHERE _doc->'$.far' = 77
----
_id
077

query
SHOW STATUS WHERE Variable_name IN ('sqlfdb_last_keys', 'sqlfdb_last_documents')
----
Variable_name | Value
sqlfdb_last_documents | 0
sqlfdb_last_keys | 1

query
SELECT COUNT(_id), MAX(_id) FROM t WHERE JSON_EXTRACT(_doc, '$.a') = 5
----
COUNT(_id) | MAX(_id)
100 | 599

query
SHOW STATUS LIKE 'sqlfdb_last_documents'
----
Variable_name | Value
sqlfdb_last_documents | 0

# Another page.
query
SELECT a, _id FROM t WHERE (a, _id) > (3, '397') ORDER BY a, _id LIMIT 4
----
a | _id
3 | 398
3 | 399
4 | 400
4 | 401

query
SHOW STATUS WHERE Variable_name IN ('sqlfdb_last_keys', 'sqlfdb_last_documents')
----
Variable_name | Value
sqlfdb_last_documents | 0
sqlfdb_last_keys | 4

query
SELECT _id FROM t WHERE (a, _id) < (3, '301') ORDER BY a DESC, _id DESC LIMIT 4
----
_id
300
299
298
297

query
SHOW STATUS WHERE Variable_name IN ('sqlfdb_last_keys', 'sqlfdb_last_documents')
----
Variable_name | Value
sqlfdb_last_documents | 0
sqlfdb_last_keys | 4

query
SELECT _id FROM t WHERE a = 3 AND _id > '396' ORDER BY _id LIMIT 2
----
_id
397
398

query
SHOW STATUS WHERE Variable_name IN ('sqlfdb_last_keys', 'sqlfdb_last_documents')
----
Variable_name | Value
sqlfdb_last_documents | 0
sqlfdb_last_keys | 2

# Each part of a set operation, and each derived table, by itself.
query
SELECT _id FROM t WHERE far > 997 UNION SELECT c FROM t WHERE far = 5 UNION SELECT _id FROM t WHERE far = 1 OR far = 998
----
_id
998
999
5
001

query
SHOW STATUS WHERE Variable_name IN ('sqlfdb_last_keys', 'sqlfdb_last_documents')
----
Variable_name | Value
sqlfdb_last_documents | 1
sqlfdb_last_keys | 5

query
SELECT x.k, y._id FROM (SELECT _id AS k FROM t WHERE far > 997) AS x JOIN (SELECT _id FROM t WHERE a = 1 AND b = 1) AS y ON y._id = CONCAT('11', RIGHT(x.k, 1))
----
k | _id
998 | 118
999 | 119

query
SHOW STATUS LIKE 'sqlfdb_last_documents'
----
Variable_name | Value
sqlfdb_last_documents | 2

# The side of a join that is looked up, of which the key and the value it is looked up by are read.
query
EXPLAIN FORMAT=TREE SELECT a._id, b._id, b.far FROM digits AS a JOIN t AS b ON b.far = a._id + 990
----
EXPLAIN
-> Join, inner, lookup: (b.far = (a._id + 990))
    -> Table scan on a
         documents: 10, exactly
    -> Look up in batches: b: `far` = (a._id + 990)
         entries only: no document is read
         for about 10 rows, documents for each: about 1.0
         cost: 22.0
         keys: about 10 of 1,000
         lost: the whole side, hashed: cost 1502.0

query
SELECT a._id, b._id, b.far FROM digits AS a JOIN t AS b ON b.far = a._id + 990
----
_id | _id | far
0 | 990 | 990
1 | 991 | 991
2 | 992 | 992
3 | 993 | 993
4 | 994 | 994
5 | 995 | 995
6 | 996 | 996
7 | 997 | 997
8 | 998 | 998
9 | 999 | 999

query
SHOW STATUS WHERE Variable_name IN ('sqlfdb_last_keys', 'sqlfdb_last_documents')
----
Variable_name | Value
sqlfdb_last_documents | 0
sqlfdb_last_keys | 20

query
SELECT a._id FROM digits AS a WHERE EXISTS (SELECT * FROM t WHERE t.far = a._id * 200)
----
_id
0
1
2
3
4

query
SHOW STATUS WHERE Variable_name IN ('sqlfdb_last_keys', 'sqlfdb_last_documents')
----
Variable_name | Value
sqlfdb_last_documents | 0
sqlfdb_last_keys | 15

query
SELECT a._id, b._id, b.c FROM digits AS a LEFT JOIN t AS b ON b.far = a._id * 111 + 1 AND b.b = 1
----
_id | _id | c
0 | NULL | NULL
1 | 112 | 2
2 | NULL | NULL
3 | NULL | NULL
4 | NULL | NULL
5 | NULL | NULL
6 | NULL | NULL
7 | NULL | NULL
8 | NULL | NULL
9 | NULL | NULL

query
SHOW STATUS WHERE Variable_name IN ('sqlfdb_last_keys', 'sqlfdb_last_documents')
----
Variable_name | Value
sqlfdb_last_documents | 9
sqlfdb_last_keys | 19

# What a condition that is answered names is read where it stands elsewhere too.
query
SELECT _id, a FROM t WHERE a = 3 AND b = 4 AND c = 1
----
_id | a
341 | 3

query
SELECT _id FROM t WHERE a = 3 AND b = 4 ORDER BY c DESC LIMIT 2
----
_id
349
348

query
SELECT _id FROM t AS o WHERE a = 3 AND b = 4 AND EXISTS (SELECT 1 FROM digits WHERE digits._id = o.c AND digits._id > 7)
----
_id
348
349

query
SELECT _id, (SELECT MAX(d._id) FROM digits AS d WHERE d._id < o.a) AS below FROM t AS o WHERE a = 3 AND far = 342
----
_id | below
342 | 2

# The side of a join that is looked up by its key, of which nothing but the key is read: one that no document has, one whose document is of several
# pieces, and ranges of keys.
exec
CREATE TABLE o (_id INT PRIMARY KEY, _doc JSON);
CREATE TABLE p (_id VARCHAR(20) PRIMARY KEY, _doc JSON);
CREATE TABLE k (a INT, b INT, s TEXT, PRIMARY KEY (a, b));
INSERT INTO o (_doc) SELECT JSON_OBJECT('_id', a._id * 10 + b._id, 'p', CONCAT('p', b._id), 'q', IF(b._id = 4, NULL, b._id)) FROM digits a, digits b;
INSERT INTO p (_doc) SELECT JSON_OBJECT('_id', CONCAT('p', _id), 'n', _id, 'text', REPEAT('x', IF(_id = 2, 200000, 2))) FROM digits WHERE _id < 7;
INSERT INTO p (_doc) SELECT JSON_OBJECT('_id', CONCAT('q', a._id, b._id), 'n', b._id) FROM digits a, digits b;
INSERT INTO k SELECT a._id, b._id, 'x' FROM digits a, digits b WHERE b._id < 3
----
ok, 0 rows
ok, 0 rows
ok, 0 rows
ok, 100 rows
ok, 7 rows
ok, 100 rows
ok, 30 rows

query
EXPLAIN FORMAT=TREE SELECT COUNT(*) FROM o JOIN p ON p._id = o.p WHERE o._id BETWEEN 5 AND 8
----
EXPLAIN
-> Project: count(1)
    -> Aggregate: COUNT(1)
         executor: batch, from 256 rows on
        -> Join, inner, lookup: (p._id = o.p)
            -> Index range scan on o using PRIMARY
                 range: primary key in [5, 8]
                 keys: 4 counted of 100
                 tight
                 cost: 4.0, a full scan costs 100.0
                 lost: `p` in all values, keys: 100 counted of 100; 0 documents lack the keypath: cost 5.0, the chosen one costs 4.0
            -> Look up in batches: p: primary key = o.p
                 entries only: no document is read
                 for about 4 rows, documents for each: about 1.0
                 cost: 11.6
                 keys: about 4 of 107
                 lost: the whole side, hashed: cost 107.8

query
SELECT COUNT(*) FROM o JOIN p ON p._id = o.p WHERE o._id BETWEEN 5 AND 8
----
COUNT(*)
2

query
SHOW STATUS WHERE Variable_name IN ('sqlfdb_last_keys', 'sqlfdb_last_documents')
----
Variable_name | Value
sqlfdb_last_documents | 4
sqlfdb_last_keys | 2

query
SELECT o._id, p._id FROM o LEFT JOIN p ON p._id = o.p WHERE o._id BETWEEN 5 AND 8
----
_id | _id
5 | p5
6 | p6
7 | NULL
8 | NULL

query
SELECT o._id FROM o WHERE o._id BETWEEN 5 AND 8 AND EXISTS (SELECT 1 FROM p WHERE p._id = o.p)
----
_id
5
6

query
SELECT o._id FROM o WHERE o._id BETWEEN 3 AND 8 AND NOT EXISTS (SELECT 1 FROM p WHERE p._id = o.p)
----
_id
7
8

query
SELECT o._id, k.a, k.b FROM o JOIN k ON k.a = o.q WHERE o._id BETWEEN 3 AND 5
----
_id | a | b
3 | 3 | 0
3 | 3 | 1
3 | 3 | 2
5 | 5 | 0
5 | 5 | 1
5 | 5 | 2

query
SHOW STATUS WHERE Variable_name IN ('sqlfdb_last_keys', 'sqlfdb_last_documents')
----
Variable_name | Value
sqlfdb_last_documents | 3
sqlfdb_last_keys | 6

query
SELECT o._id, COUNT(*) FROM o JOIN k ON k.a > o.q AND k.a < 9 WHERE o._id IN (5, 16, 17) GROUP BY o._id
----
_id | COUNT(*)
5 | 9
16 | 6
17 | 3

query
SELECT o._id, k.s FROM o JOIN k ON k.a = o.q AND k.b = 1 WHERE o._id BETWEEN 3 AND 5
----
_id | s
3 | x
5 | x

# In a transaction, with what it has written.
exec
BEGIN;
DELETE FROM p WHERE _id = 'p3';
INSERT INTO p (_doc) VALUES ('{"_id":"p8"}')
----
ok, 0 rows
ok, 1 rows
ok, 1 rows

query
SELECT o._id, p._id FROM o JOIN p ON p._id = o.p WHERE o._id BETWEEN 2 AND 8
----
_id | _id
2 | p2
4 | p4
5 | p5
6 | p6
8 | p8

exec
ROLLBACK
----
ok, 0 rows

exec
CHECK TABLE t, o, p, k
----
ok, 0 rows

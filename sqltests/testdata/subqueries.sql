# Comparisons of JSON inside UNION and subqueries, which the engine analyses in parts.

exec
CREATE TABLE t (_id VARCHAR(255) PRIMARY KEY, _doc JSON);
INSERT INTO t (_doc) VALUES ('{"_id":"a","m":1}'), ('{"_id":"b","m":"A"}'), ('{"_id":"c","m":[3]}');

----
ok, 0 rows
ok, 3 rows

query
SELECT _id FROM t WHERE _id = 'z' UNION ALL SELECT _id FROM t WHERE _doc->'$.m' IN (5.5, 'A')
----
_id
b

query
SELECT _id FROM t WHERE _id = 'z' UNION ALL SELECT _id FROM t WHERE (_doc->'$.nosuch' NOT IN (5.50, 'A', 'á')) IS FALSE
----
_id

query
SELECT _id FROM t a WHERE EXISTS (SELECT 1 FROM t b WHERE b._id = a._id AND a._doc->'$.m' IN ('A', 'B'))
----
_id
b

query
SELECT _id FROM t a WHERE EXISTS (SELECT 1 FROM t b WHERE b._id = a._id AND b.m IN ('A', 'B'))
----
_id
b

query
SELECT _id FROM t a WHERE _id IN (SELECT _id FROM t b WHERE b.m IN ('A', 'B'))
----
_id
b

query
SELECT _id, (SELECT COUNT(*) FROM t b WHERE b.m IN ('A', 'B') AND a.m IN ('A', 'C')) AS c FROM t a
----
_id | c
a | 0
b | 1
c | 0

query
EXPLAIN FORMAT=TREE SELECT _id FROM t WHERE _id = 'z' UNION ALL SELECT _id FROM t WHERE _doc->'$.m' IN (5.5, 'A')
----
EXPLAIN
-> Union all
    -> Project: t._id
        -> Single-row index lookup on t using PRIMARY
             range: primary key in 'z'
             keys: about 1 of 1
             tight
             cost: 0.0, a full scan costs 3.0
    -> Project: t._id
        -> Index range scan on t using m
             range: $.m in 5.5, 'A'
             keys: 1 counted of 2
             tight
             cost: 2.0, a full scan costs 3.0

query
EXPLAIN FORMAT=TREE SELECT _id FROM t a WHERE EXISTS (SELECT 1 FROM t b WHERE b._id = a._id AND b._doc->'$.m' = 'A')
----
EXPLAIN
-> Project: a._id
    -> Join, semi, lookup: (b._id = a._id)
        -> Index lookup on b using m
             range: $.m in 'A'
             keys: 1 counted of 1
             tight
             cost: 2.0, a full scan costs 3.0
        -> Look up in batches: a: primary key = b._id
             for about 1 rows, documents for each: about 1.0
             cost: 3.9
             documents: about 1 of 3
             lost: the whole side, hashed: cost 4.7

query
EXPLAIN FORMAT=TREE SELECT _id FROM (SELECT * FROM t WHERE _doc->'$.m' = 'A') d WHERE d._id = 'b'
----
EXPLAIN
-> Project: d._id
    -> Derived table d
        -> Filter: ((json_extract(t._doc, '$.m') = "A") AND (json_extract(t._doc, '$.m') = "A"))
            -> Single-row index lookup on t using PRIMARY
                 range: primary key in 'b'
                 keys: about 1 of 1
                 tight
                 residual: (json_extract(t._doc, '$.m') = "A") AND (json_extract(t._doc, '$.m') = "A")
                 cost: 0.0, a full scan costs 3.0
                 lost: $.m in 'A', keys: 1 counted of 1: cost 2.0, the chosen one costs 0.0

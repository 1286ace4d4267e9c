# Joins of a table with the tables of its arrays, by the key of the documents.

exec
CREATE TABLE t (_id VARCHAR(255) PRIMARY KEY, _doc JSON);
INSERT INTO t (_doc) WITH RECURSIVE n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n WHERE i < 600) SELECT JSON_OBJECT('_id', CONCAT('t', i), 'k', i, 'g', JSON_ARRAY(JSON_OBJECT('x', i % 7, 'y', i), JSON_OBJECT('x', i % 5))) FROM n;
INSERT INTO t (_doc) VALUES ('{"_id":"none","k":3}'), ('{"_id":"empty","k":3,"g":[]}');
----
ok, 0 rows
ok, 600 rows
ok, 2 rows

# Seven documents, not all.
query
SELECT _id FROM t WHERE EXISTS (SELECT 1 FROM t__g WHERE t__g._id = t._id) AND k < 5 ORDER BY k, _id
----
_id
t1
t2
t3
t4

query
EXPLAIN FORMAT=TREE SELECT _id FROM t WHERE EXISTS (SELECT 1 FROM t__g WHERE t__g._id = t._id) AND k < 5
----
EXPLAIN
-> Project: t._id
    -> Join, semi, lookup: (t__g._id = t._id)
        -> Index range scan on t using k
             range: `k` in (-∞, 5)
             entries only: no document is read
             keys: 6 counted of 602
             tight
             cost: 0.3, a full scan costs 602.0
        -> Look up in batches: t__g: primary key = t._id
             for about 6 rows, documents for each: about 1.0
             cost: 23.4
             documents: about 6 of 602
             lost: the whole side, hashed: cost 1801.2

query
SELECT _id FROM t WHERE EXISTS (SELECT 1 FROM t__g WHERE t__g._id = t._id AND x = 4) AND k < 5 ORDER BY k
----
_id
t4

query
EXPLAIN FORMAT=TREE SELECT _id FROM t WHERE EXISTS (SELECT 1 FROM t__g WHERE t__g._id = t._id AND x = 4) AND k < 5
----
EXPLAIN
-> Project: t._id
    -> Join, semi, lookup: (t__g._id = t._id)
        -> Index range scan on t using k
             range: `k` in (-∞, 5)
             entries only: no document is read
             keys: 6 counted of 602
             tight
             cost: 0.3, a full scan costs 602.0
        -> Filter: (t__g.x = 4)
            -> Look up in batches: t__g: primary key = t._id
                 for about 6 rows, documents for each: about 1.0
                 cost: 23.4
                 documents: about 6 of 602
                 lost: the whole side, hashed: cost 63.0

query
SELECT _id FROM t WHERE NOT EXISTS (SELECT 1 FROM t__g WHERE t__g._id = t._id AND x = 4) AND k < 5 ORDER BY k, _id
----
_id
t1
t2
empty
none
t3

query
CHECK TABLE t
----
Table | Op | Msg_type | Msg_text
d.t | check | status | OK

# MIN and MAX under a condition on another keypath: where many rows satisfy it, the first in the order of the column that does is looked
# for, as by ORDER BY … LIMIT 1; with what else answers it standing by.

exec
CREATE TABLE t (_id VARCHAR(255) PRIMARY KEY, _doc JSON);
INSERT INTO t (_doc) WITH RECURSIVE n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n WHERE i < 2000) SELECT JSON_OBJECT('_id', CONCAT('k', LPAD(i, 4, '0')), 'n', i * 7919 % 2003, 's', IF(i % 2 = 0, 'x', 'y'), 'far', IF(i * 7919 % 2003 > 1990, 1, 0), 'c', i % 5) FROM n;
UPDATE t SET _doc = JSON_REMOVE(_doc, '$.n') WHERE _id LIKE '%3';
INSERT INTO t (_doc) VALUES ('{"_id":"z1","d":-1.5,"g":1,"s":"y"}'), ('{"_id":"z2","d":-0.0,"g":1,"s":"x"}'), ('{"_id":"z3","d":0.0,"g":1,"s":"x"}'), ('{"_id":"z4","d":2.5,"g":2,"s":"y"}')
----
ok, 0 rows
ok, 2000 rows
ok, 200 rows
ok, 4 rows

query
EXPLAIN FORMAT=TREE SELECT MIN(n) FROM t WHERE s = 'x'
----
EXPLAIN
-> Project: min(t.n)
    -> Aggregate: MIN(t.n)
         executor: interpreted: not one table
        -> The first of these, given up for the second: once it has cost 420.4
            -> Filter: (t.s = 'x')
                -> Index range scan on t using n
                     range: `n` in not null
                     order: `n`: cost 8.1, looking at all costs 420.4
                     keys: about 4 of 1,800
                     tight
                     residual: (t.s = 'x')
                     cost: 8.1, a full scan costs 2004.0
                     lost: order by `n` among `s`: cost 209.8, the chosen one costs 8.1
            -> Values and their counts of t using n
                 entries only: no document is read
                 of the documents with `s` in 'x'
                 cost: 420.3, reading documents costs 2004.0
                 keys: about 2,802 of 3,804

query
SELECT MIN(n) FROM t WHERE s = 'x'
----
MIN(n)
8

query
SHOW STATUS LIKE 'sqlfdb_last_documents'
----
Variable_name | Value
sqlfdb_last_documents | 1

query
EXPLAIN SELECT MAX(n) FROM t WHERE s = 'x'
----
id | select_type | table | partitions | type | possible_keys | key | key_len | ref | rows | filtered | Extra
1 | SIMPLE | t | NULL | range | s,n | n | NULL | NULL | 4 | NULL | Using where
1 | SIMPLE | t | NULL | index | NULL | n | NULL | NULL | 2802 | 100 | Using index; Used if the walk before is given up

query
SELECT MAX(n) FROM t u WHERE u.s = 'x' AND u.c <> 1
----
MAX(n)
2002

query
EXPLAIN FORMAT=TREE SELECT MAX(_doc->'$.n') + 1 FROM t WHERE _doc->>'$.s' = 'y' AND n < 1500
----
EXPLAIN
-> Project: (max(json_extract(t._doc, '$.n')) + 1)
    -> Aggregate: MAX(json_extract(t._doc, '$.n'))
         executor: interpreted: not one table
        -> The first of these, given up for the second: once it has cost 1415.9
            -> Filter: (json_unquote(json_extract(t._doc, '$.s')) = 'y')
                -> Index range scan on t using n
                     range: $.n in (-∞, 1500)
                     order: $.n descending: cost 8.7, looking at all costs 1415.9
                     keys: about 5 of 1,345
                     tight
                     residual: (json_unquote(json_extract(t._doc, '$.s')) = 'y')
                     cost: 8.7, a full scan costs 2004.0
                     lost: order by $.n descending among $.s: cost 199.4, the chosen one costs 8.7
            -> Filter: (json_unquote(json_extract(t._doc, '$.s')) = 'y')
                -> Intersection of index ranges on t using s, n
                     range: $.s in 'y'
                     range: `n` in (-∞, 1500)
                     keys: about 2,350 of 3,804
                     not tight: the filter stays
                     residual: (json_unquote(json_extract(t._doc, '$.s')) = 'y')
                     cost: 1470.5, a full scan costs 2004.0
                     lost: $.s in 'y', keys: 1,002 counted of 2,004: cost 2054.1, an intersection costs 1470.5
                     lost: `n` in (-∞, 1500), keys: 1,348 counted of 1,800: cost 2763.4, an intersection costs 1470.5

query
SELECT MAX(_doc->'$.n') + 1 FROM t WHERE _doc->>'$.s' = 'y' AND n < 1500
----
MAX(_doc->'$.n') + 1
1496

# Rows that lie at the other end: the walk is given up.

query
SELECT MIN(n) FROM t WHERE far = 1
----
MIN(n)
1991

query
SELECT MIN(n) FROM t WHERE n % 2 = 1 AND far = 1
----
MIN(n)
1991

# The keys of one value are in the order of primary keys.

query
EXPLAIN FORMAT=TREE SELECT MIN(_id) FROM t WHERE s = 'y'
----
EXPLAIN
-> Project: min(t._id)
    -> Aggregate: MIN(t._id)
         executor: interpreted: not one table
        -> Limit: 1 rows
            -> Index lookup on t using s
                 range: `s` in 'y'
                 entries only: no document is read
                 order: primary key within one value of `s`: cost 0.1, looking at all costs 48.4
                 ends after: 1
                 keys: about 1 of 965
                 tight
                 cost: 0.1, a full scan costs 2004.0
                 lost: order by primary key: cost 4.2, the chosen one costs 0.1

query
SELECT MIN(_id) FROM t WHERE s = 'y'
----
MIN(_id)
k0001

# Nothing satisfies the condition.

query
SELECT MIN(n), COUNT(*) FROM t WHERE s = 'z'
----
MIN(n) | COUNT(*)
NULL | 0

query
SELECT MIN(n) FROM t WHERE s = 'z'
----
MIN(n)
NULL

query
SHOW STATUS LIKE 'sqlfdb_last_keys'
----
Variable_name | Value
sqlfdb_last_keys | 0

query
SELECT n FROM t WHERE s = 'z' ORDER BY n LIMIT 1
----
n

query
SHOW STATUS LIKE 'sqlfdb_last_keys'
----
Variable_name | Value
sqlfdb_last_keys | 0

# Of 0 and -0 the one of the first document is shown.

query
SELECT MAX(d) FROM t WHERE s = 'x' AND d + g < 2
----
MAX(d)
-0

query
SELECT MAX(d) FROM t WHERE d + g < 2 AND s <> 'q'
----
MAX(d)
-0

query
SELECT (SELECT MIN(n) FROM t WHERE s = 'x') a, (SELECT MAX(n) FROM t WHERE s = 'y') b
----
a | b
8 | 1995

query
SELECT s, (SELECT MIN(n) FROM t u WHERE u.s = q.s) a FROM (SELECT DISTINCT s FROM t) q ORDER BY s
----
s | a
x | 8
y | 15

# Where all values are asked for, or more than the column, that stays as it was.

query
EXPLAIN FORMAT=TREE SELECT MIN(n), COUNT(n) FROM t WHERE s = 'x'
----
EXPLAIN
-> Project: min(t.n), count(t.n)
    -> Aggregate: COUNT(t.n), MIN(t.n)
         executor: batch
        -> Values and their counts of t using n
             entries only: no document is read
             of the documents with `s` in 'x'
             cost: 420.3, reading documents costs 2004.0
             keys: about 2,802 of 3,804

query
CHECK TABLE t
----
Table | Op | Msg_type | Msg_text
d.t | check | status | OK

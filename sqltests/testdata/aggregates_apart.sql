# Aggregates of several columns, each read by itself.

exec
CREATE TABLE t (_id VARCHAR(255) PRIMARY KEY, d DECIMAL(20,5), ci LONGTEXT COLLATE utf8mb4_0900_ai_ci, _doc JSON);
INSERT INTO t (_id, a, b, s, d, ci, half) WITH RECURSIVE s AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM s WHERE i < 900) SELECT CONCAT('k', i), i, 1000 - i, CONCAT('s', i % 7), i / 8, CONCAT('x', i), IF(i <= 450, 'low', 'high') FROM s;
INSERT INTO t (_id, _doc) VALUES ('none', '{}'), ('nulls', '{"a":null,"b":null,"s":null}'), ('deep', '{"o":{"p":5,"q":"x"}}'), ('deeper', '{"o":{"p":7.5,"q":"y"}}');
----
ok, 0 rows
ok, 900 rows
ok, 4 rows

query
SELECT MAX(a), MIN(b), COUNT(*), COUNT(s), SUM(a), MAX(s) FROM t
----
MAX(a) | MIN(b) | COUNT(*) | COUNT(s) | SUM(a) | MAX(s)
900 | 100 | 904 | 900 | 405450 | s6

query
EXPLAIN FORMAT=TREE SELECT MAX(a), MIN(b), COUNT(*), COUNT(s), SUM(a), MAX(s) FROM t
----
EXPLAIN
-> Project: max(t.a), min(t.b), count(1), count(t.s), sum(t.a), max(t.s)
    -> Aggregates, each read by itself
        -> Aggregate: COUNT(1)
             executor: interpreted: counters or the ends of entries tell it
            -> Counters of t using documents
                 entries only: no document is read
        -> Aggregate: MAX(t.s), COUNT(t.s)
             executor: interpreted: counters or the ends of entries tell it
            -> First and last index key of t using s
                 entries only: no document is read
                 keys: about 2 of 901
        -> Aggregate: MAX(t.a), SUM(t.a)
             executor: batch
            -> Values and their counts of t using a
                 entries only: no document is read
                 keys: about 901 of 901
        -> Aggregate: MIN(t.b)
             executor: interpreted: counters or the ends of entries tell it
            -> First and last index key of t using b
                 entries only: no document is read
                 keys: about 2 of 901

exec
SELECT MAX(a), MIN(b), COUNT(*), COUNT(s) FROM t;
----
ok, 0 rows

query
SHOW STATUS WHERE Variable_name IN ('sqlfdb_last_keys', 'sqlfdb_last_documents')
----
Variable_name | Value
sqlfdb_last_documents | 0
sqlfdb_last_keys | 2

query
SELECT MAX(d), MIN(a), COUNT(DISTINCT s), MIN(_id), MAX(_id), AVG(b) FROM t
----
MAX(d) | MIN(a) | COUNT(DISTINCT s) | MIN(_id) | MAX(_id) | AVG(b)
112.50000 | 1 | 7 | deep | nulls | 549.5000

query
SELECT MAX(_doc->'$.o.p'), MIN(_doc->>'$.o.q'), COUNT(_doc->'$.a'), COUNT(JSON_VALUE(_doc, '$.a')), SUM(JSON_VALUE(_doc, '$.o.p' RETURNING DECIMAL(10,2))) FROM t
----
MAX(_doc->'$.o.p') | MIN(_doc->>'$.o.q') | COUNT(_doc->'$.a') | COUNT(JSON_VALUE(_doc, '$.a')) | SUM(JSON_VALUE(_doc, '$.o.p' RETURNING DECIMAL(10,2)))
7.5 | x | 901 | 900 | 12.50

query
EXPLAIN FORMAT=TREE SELECT MAX(_doc->'$.o.p'), MIN(_doc->>'$.o.q'), COUNT(_doc->'$.a') FROM t
----
EXPLAIN
-> Project: max(json_extract(t._doc, '$.o.p')), min(json_unquote(json_extract(t._doc, '$.o.q'))), count(json_extract(t._doc, '$.a'))
    -> Aggregates, each read by itself
        -> Aggregate: COUNT(json_extract(t._doc, '$.a'))
             executor: interpreted: counters or the ends of entries tell it
            -> Counters of t using a
                 entries only: no document is read
        -> Aggregate: MAX(json_extract(t._doc, '$.o.p'))
             executor: interpreted: counters or the ends of entries tell it
            -> First and last index key of t using o.p
                 documents: about 2 of 2
        -> Aggregate: MIN(json_unquote(json_extract(t._doc, '$.o.q')))
             executor: interpreted: counters or the ends of entries tell it
            -> First and last index key of t using o.q
                 entries only: no document is read
                 keys: about 2 of 2

# A text that is shown as the first of equal ones is needs documents.
query
EXPLAIN FORMAT=TREE SELECT MAX(ci), MIN(a) FROM t
----
EXPLAIN
-> Project: max(t.ci), min(t.a)
    -> Aggregate: MAX(t.ci), MIN(t.a)
         executor: interpreted: not in batches: MAX(t.ci)
        -> Table scan on t
             documents: 904, exactly

query
SELECT MAX(ci), MIN(a) FROM t
----
MAX(ci) | MIN(a)
x99 | 1

query
SELECT MIN(a), MAX(a), COUNT(*), MAX(b) FROM t WHERE half = 'high'
----
MIN(a) | MAX(a) | COUNT(*) | MAX(b)
451 | 900 | 450 | 549

query
EXPLAIN FORMAT=TREE SELECT MIN(a), MAX(a), COUNT(*), MAX(b) FROM t WHERE half = 'high'
----
EXPLAIN
-> Project: min(t.a), max(t.a), count(1), max(t.b)
    -> Aggregates, each read by itself: or all by the last, if one is given up
        -> Aggregate: COUNT(1)
             executor: interpreted: counters or the ends of entries tell it
            -> Count of index keys of t using half
                 range: `half` in 'high'
                 entries only: no document is read
                 keys: 450 counted of 900
                 tight
                 cost: 22.5, a full scan costs 904.0
        -> Aggregate: MIN(t.a)
             executor: interpreted: not one table
            -> Limit: 1 rows
                -> Filter: (t.half = 'high')
                    -> Index range scan on t using a
                         range: `a` in not null
                         order: `a`: cost 8.4, looking at all costs 301.4
                         keys: about 5 of 900
                         tight
                         residual: (t.half = 'high')
                         cost: 8.4, a full scan costs 904.0
                         lost: order by `a` among `half`: cost 92.2, the chosen one costs 8.4
        -> Aggregate: MAX(t.a)
             executor: interpreted: not one table
            -> Limit: 1 rows
                -> Filter: (t.half = 'high')
                    -> Index range scan on t using a
                         range: `a` in not null
                         order: `a` descending: cost 8.4, looking at all costs 301.4
                         keys: about 5 of 900
                         tight
                         residual: (t.half = 'high')
                         cost: 8.4, a full scan costs 904.0
                         lost: order by `a` descending among `half`: cost 92.2, the chosen one costs 8.4
        -> Aggregate: MAX(t.b)
             executor: interpreted: not one table
            -> Limit: 1 rows
                -> Filter: (t.half = 'high')
                    -> Index range scan on t using b
                         range: `b` in not null
                         order: `b` descending: cost 8.4, looking at all costs 301.4
                         keys: about 5 of 900
                         tight
                         residual: (t.half = 'high')
                         cost: 8.4, a full scan costs 904.0
                         lost: order by `b` descending among `half`: cost 92.2, the chosen one costs 8.4
        -> Aggregate: COUNT(1), MAX(t.a), MAX(t.b), MIN(t.a)
             executor: batch
            -> Filter: (t.half = 'high')
                 executor: batch
                -> Table scan on t
                     documents: 904, exactly
                     residual: (t.half = 'high')
                     lost: `half` in 'high', keys: 450 counted of 900: cost 922.5, a full scan costs 904.0

# The walk for MAX(b) leads to the lower half only: it is given up, and one pass answers all.
query
SELECT MAX(b), MIN(a), COUNT(*), COUNT(s) FROM t WHERE half = 'high' AND s <> 's1'
----
MAX(b) | MIN(a) | COUNT(*) | COUNT(s)
549 | 451 | 386 | 386

query
SELECT MIN(a), MAX(b), COUNT(*), SUM(d) FROM t WHERE half = 'none'
----
MIN(a) | MAX(b) | COUNT(*) | SUM(d)
NULL | NULL | 0 | NULL

query
SELECT MAX(a) + MIN(b) AS x, COUNT(*) AS n FROM t HAVING n > 5 AND x > 1000
----
x | n

query
SELECT x.*, a FROM (SELECT MAX(a) AS top, MIN(s) AS least FROM t) AS x JOIN t ON t.a = x.top
----
top | least | a
900 | s0 | 900

query
SELECT _id, (SELECT CONCAT(MAX(b), ' ', MIN(s)) FROM t AS u WHERE u.a < t.a) AS x FROM t WHERE a IN (1, 3, 900) ORDER BY a
----
_id | x
k1 | NULL
k3 | 999 s1
k900 | 999 s0

query
SELECT MAX(a), MIN(b) FROM t UNION ALL SELECT COUNT(s), MAX(d) FROM t
----
MAX(a) | MIN(b)
900 | 100.00000
900 | 112.50000

query
SELECT MAX(a), MIN(b), 1, COUNT(*) FROM t WHERE FALSE
----
MAX(a) | MIN(b) | 1 | COUNT(*)
NULL | NULL | 1 | 0

exec
BEGIN;
INSERT INTO t (_id, a, b, s) VALUES ('new', 5000, -5000, 'zz');
DELETE FROM t WHERE _id = 'k1';
----
ok, 0 rows
ok, 1 rows
ok, 1 rows

query
SELECT MAX(a), MIN(a), MIN(b), MAX(s), COUNT(*), COUNT(b) FROM t
----
MAX(a) | MIN(a) | MIN(b) | MAX(s) | COUNT(*) | COUNT(b)
5000 | 2 | -5000 | zz | 904 | 900

exec
ROLLBACK;
CREATE TABLE e (_id VARCHAR(255) PRIMARY KEY, _doc JSON);
CREATE VIEW v AS SELECT MAX(a) AS most, MIN(b) AS least, COUNT(*) AS n FROM t;
----
ok, 0 rows
ok, 0 rows
ok, 0 rows

query
SELECT MAX(a), MIN(b), COUNT(*), SUM(c) FROM e
----
MAX(a) | MIN(b) | COUNT(*) | SUM(c)
NULL | NULL | 0 | NULL

query
SELECT * FROM v WHERE n > 10
----
most | least | n
900 | 100 | 904

prepared
: high
SELECT MIN(a), MAX(b), COUNT(*) FROM t WHERE half = ?
----
MIN(a) | MAX(b) | COUNT(*)
451 | 549 | 450

query
CHECK TABLE t
----
Table | Op | Msg_type | Msg_text
d.t | check | status | OK

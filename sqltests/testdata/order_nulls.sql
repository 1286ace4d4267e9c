exec
CREATE TABLE t (_id VARCHAR(255) PRIMARY KEY, _doc JSON);
INSERT INTO t (_doc) WITH RECURSIVE n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n WHERE i < 400) SELECT CASE i % 4 WHEN 0 THEN JSON_OBJECT('_id', CONCAT('k', 1000 + i), 'g', i % 50, 'n', i) WHEN 1 THEN JSON_OBJECT('_id', CONCAT('k', 1000 + i), 'g', NULL, 'n', i) WHEN 2 THEN JSON_OBJECT('_id', CONCAT('k', 1000 + i), 'n', i) ELSE JSON_OBJECT('_id', CONCAT('k', 1000 + i), 'g', -(i % 7), 'n', i) END FROM n;
----
ok, 0 rows
ok, 400 rows

# NULL behind the values: those are walked as they stand, then the entries of NULL, then the documents without the keypath.
query
EXPLAIN FORMAT=TREE SELECT _id, g, n FROM t ORDER BY g IS NULL, g, _id LIMIT 4
----
EXPLAIN
-> Limit: 4 rows
    -> Sort within equal t.g: t.g, t._id
        -> Index range scan on t using g
             range: `g` in all values
             order: `g`, NULL at the other end, then sorted within equal values: cost 43.8, sorting costs 480.0
             behind them: 100 documents without the keypath
             keys: about 18 of 300
             tight
             cost: 43.8, a full scan costs 400.0

query
SELECT _id, g, n FROM t ORDER BY g IS NULL, g, _id LIMIT 4
----
_id | g | n
k1027 | -6 | 27
k1055 | -6 | 55
k1083 | -6 | 83
k1111 | -6 | 111

query
SHOW STATUS WHERE Variable_name IN ('sqlfdb_last_keys', 'sqlfdb_last_documents')
----
Variable_name | Value
sqlfdb_last_documents | 15
sqlfdb_last_keys | 18

query
SELECT _id, g FROM t ORDER BY g IS NULL, g, _id LIMIT 5 OFFSET 198
----
_id | g
k1248 | 48
k1348 | 48
k1001 | NULL
k1002 | NULL
k1005 | NULL

query
SELECT _id, g, n FROM t ORDER BY ISNULL(g), g, n DESC LIMIT 3
----
_id | g | n
k1391 | -6 | 391
k1363 | -6 | 363
k1335 | -6 | 335

# And before them, from the greatest down.
query
SELECT _id, g, n FROM t ORDER BY g IS NULL DESC, g DESC, _id DESC LIMIT 3
----
_id | g | n
k1398 | NULL | 398
k1397 | NULL | 397
k1394 | NULL | 394

query
SELECT _id, g, n FROM t ORDER BY g IS NOT NULL, g DESC, _id DESC LIMIT 3 OFFSET 199
----
_id | g | n
k1001 | NULL | 1
k1348 | 48 | 348
k1248 | 48 | 248

# Where NULL stands there by itself, nothing more is asked than the order of the keypath.
query near
EXPLAIN FORMAT=TREE SELECT _id, g FROM t ORDER BY g IS NULL DESC, g, _id LIMIT 2
----
EXPLAIN
-> Limit: 2 rows
    -> The first of these, given up for the second: where it has fewer rows than 2, or once it has cost 420.0
        -> Filter: t.g IS NULL
            -> Table scan on t
                 order: primary key: cost 8.0, sorting costs 420.0
                 keys: about 8 of 400
                 documents: 400, exactly
                 residual: t.g IS NULL
        -> Sort within equal t.g: t.g, t._id
            -> Index range scan on t using g
                 range: `g` in all values
                 order: `g`, then sorted within equal values: cost 299.7, sorting costs 440.0
                 before them: 100 documents without the keypath, found by the keys of the others
                 keys: about 102 of 300
                 tight
                 cost: 299.7, a full scan costs 400.0

query near near near near
SELECT _id, g FROM t ORDER BY g IS NOT NULL, g, _id LIMIT 2
----
_id | g
k1001 | NULL
k1002 | NULL

query
SELECT _id, g, n FROM t ORDER BY g IS NULL, g DESC, _id DESC LIMIT 2
----
_id | g | n
k1348 | 48 | 348
k1248 | 48 | 248

query near
SHOW STATUS WHERE Variable_name IN ('sqlfdb_last_keys', 'sqlfdb_last_documents')
----
Variable_name | Value
sqlfdb_last_documents | 3
sqlfdb_last_keys | 3

# A range leaves no NULL.
query
SELECT _id, g, n FROM t WHERE g > 40 ORDER BY g IS NULL, g, _id LIMIT 2
----
_id | g | n
k1092 | 42 | 92
k1192 | 42 | 192

query
SHOW STATUS WHERE Variable_name IN ('sqlfdb_last_keys', 'sqlfdb_last_documents')
----
Variable_name | Value
sqlfdb_last_documents | 2
sqlfdb_last_keys | 2

query
SELECT _id, n FROM t WHERE n > 100 ORDER BY n IS NULL, n LIMIT 2
----
_id | n
k1101 | 101
k1102 | 102

query
SHOW STATUS WHERE Variable_name IN ('sqlfdb_last_keys', 'sqlfdb_last_documents')
----
Variable_name | Value
sqlfdb_last_documents | 0
sqlfdb_last_keys | 2

# A constant sorts nothing.
query
SELECT _id FROM t ORDER BY NULL LIMIT 2 OFFSET 1
----
_id
k1002
k1003

query
SHOW STATUS WHERE Variable_name IN ('sqlfdb_last_keys', 'sqlfdb_last_documents')
----
Variable_name | Value
sqlfdb_last_documents | 0
sqlfdb_last_keys | 3

query
SELECT _id, g, n FROM t ORDER BY NULL, _id DESC LIMIT 2
----
_id | g | n
k1400 | 0 | 400
k1399 | 0 | 399

query
SHOW STATUS WHERE Variable_name IN ('sqlfdb_last_keys', 'sqlfdb_last_documents')
----
Variable_name | Value
sqlfdb_last_documents | 2
sqlfdb_last_keys | 0

query
EXPLAIN FORMAT=TREE SELECT _id, g, n FROM t ORDER BY NULL
----
EXPLAIN
-> Table scan on t
     documents: 400, exactly

query
SELECT COUNT(*), g FROM t WHERE g > 45 GROUP BY g ORDER BY NULL
----
COUNT(*) | g
4 | 46
4 | 48

query
CHECK TABLE t
----
Table | Op | Msg_type | Msg_text
d.t | check | status | OK

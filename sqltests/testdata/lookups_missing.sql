# An arm of OR that documents without the keypath satisfy has a range while the counters say that none lacks it.
exec
CREATE TABLE t (_id VARCHAR(255) PRIMARY KEY, _doc JSON);
INSERT INTO t (_id, n, s) WITH RECURSIVE c (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM c WHERE i < 499) SELECT CONCAT('k', LPAD(i, 3, '0')), NULLIF(i, 77), CONCAT('s', MOD(i * 7, 500)) FROM c
----
ok, 0 rows
ok, 500 rows

query
EXPLAIN FORMAT=TREE SELECT * FROM t WHERE n IS NULL OR s = 's21'
----
EXPLAIN
-> Union of index ranges on t using n, s
     range: `n` in null
     range: `s` in 's21'
     keys: 2 counted of 501; 0 documents lack the keypath
     tight
     cost: 4.1, a full scan costs 500.0

query
SELECT * FROM t WHERE n IS NULL OR s = 's21'
----
_id | n | s
k077 | NULL | s39
k003 | 3 | s21

query
SELECT COUNT(*) FROM t WHERE n IS NULL OR s = 's21' OR n = 8
----
COUNT(*)
3

query
SELECT _id FROM t WHERE (n IS NULL OR s = 's21') AND _id > 'k010'
----
_id
k077

query
SELECT _id FROM t WHERE _doc->'$.n' IS NULL OR s = 's21'
----
_id
k003

# Who adds a document without it meanwhile is a conflict.
exec
BEGIN
----
ok, 0 rows

query
SELECT _id FROM t WHERE n IS NULL OR s = 's21' ORDER BY _id
----
_id
k003
k077

exec conn=other
INSERT INTO t (_id, m) VALUES ('late', 1)
----
ok, 1 rows

exec
INSERT INTO t (_id, n, s) VALUES ('k900', 1, 's');
COMMIT
----
ok, 1 rows
ERROR 1213 (40001): conflict with a concurrent transaction; try restarting transaction

query
EXPLAIN FORMAT=TREE SELECT * FROM t WHERE n IS NULL OR s = 's21'
----
EXPLAIN
-> Filter: (t.n IS NULL OR (t.s = 's21'))
     executor: batch
    -> Table scan on t
         documents: 501, exactly
         residual: (t.n IS NULL OR (t.s = 's21'))
         lost: union of `n` in null, and `s` in 's21', keys: about 0 of 501; 1 documents lack the keypath: unusable: 1 documents lack the keypath and have no entry

query
SELECT _id FROM t WHERE n IS NULL OR s = 's21' ORDER BY _id
----
_id
k003
k077
late

# In a transaction that has written one itself.
exec
DELETE FROM t WHERE _id = 'late';
BEGIN;
INSERT INTO t (_id, s) VALUES ('own', 'y')
----
ok, 1 rows
ok, 0 rows
ok, 1 rows

query
SELECT _id FROM t WHERE n IS NULL OR s = 's21' ORDER BY _id
----
_id
k003
k077
own

exec
DELETE FROM t WHERE n IS NULL OR s = 's21';
COMMIT
----
ok, 3 rows
ok, 0 rows

query
CHECK TABLE t
----
Table | Op | Msg_type | Msg_text
d.t | check | status | OK

# LIKE of values that are no texts, of those that no document has, and in another collation: NULL where the
# keypath is missing, so that only documents that have it are read.
exec
CREATE TABLE few (_id VARCHAR(255) PRIMARY KEY, _doc JSON);
INSERT INTO few (_doc) SELECT JSON_OBJECT('_id', CONCAT('k', n), 'n', n, 's', 'y') FROM (WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 50) SELECT n FROM c) d;
INSERT INTO few (_doc) VALUES ('{"_id":"a","j":{"b":1}}'), ('{"_id":"b","j":"Bx"}'), ('{"_id":"c","j":null}'), ('{"_id":"d","t":"Äb"}')
----
ok, 0 rows
ok, 50 rows
ok, 4 rows

query
SELECT _id FROM few WHERE nosuch LIKE 'x%'
----
_id

query
SHOW STATUS WHERE Variable_name IN ('sqlfdb_last_keys', 'sqlfdb_last_documents')
----
Variable_name | Value
sqlfdb_last_documents | 0
sqlfdb_last_keys | 0

query
SELECT _id FROM few WHERE j LIKE '%b%' ORDER BY _id
----
_id
a

query
SHOW STATUS WHERE Variable_name IN ('sqlfdb_last_keys', 'sqlfdb_last_documents')
----
Variable_name | Value
sqlfdb_last_documents | 2
sqlfdb_last_keys | 2

query
SELECT _id FROM few WHERE t LIKE 'a%' COLLATE utf8mb4_0900_ai_ci
----
_id
d

query
SHOW STATUS WHERE Variable_name IN ('sqlfdb_last_keys', 'sqlfdb_last_documents')
----
Variable_name | Value
sqlfdb_last_documents | 0
sqlfdb_last_keys | 1

query
CHECK TABLE few
----
Table | Op | Msg_type | Msg_text
d.few | check | status | OK

# Few documents lack what is ordered by: they are found by keys, and no more are looked for than the counters tell.
exec
CREATE TABLE t (_id VARCHAR(255) PRIMARY KEY, _doc JSON);
INSERT INTO t (_id, n, g) WITH RECURSIVE c (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM c WHERE i < 999) SELECT CONCAT('k', LPAD(i, 4, '0')), MOD(i * 37, 1000), MOD(i, 20) FROM c;
UPDATE t SET _doc = JSON_REMOVE(_doc, '$.n') WHERE _id IN ('k0003', 'k0500')
----
ok, 0 rows
ok, 1000 rows
ok, 2 rows

query
EXPLAIN FORMAT=TREE SELECT _id, n, g FROM t ORDER BY n, _id LIMIT 4
----
EXPLAIN
-> Limit: 4 rows
    -> Index range scan on t using n
         range: `n` in all values
         order: `n`: cost 274.4, sorting costs 1200.0
         before them: 2 documents without the keypath, found by the keys of the others
         ends after: 4
         keys: about 4 of 998
         tight
         cost: 274.4, a full scan costs 1000.0

query
SELECT _id, n, g FROM t ORDER BY n, _id LIMIT 4
----
_id | n | g
k0003 | NULL | 3
k0500 | NULL | 0
k0000 | 0 | 0
k0973 | 1 | 13

query
SHOW STATUS WHERE Variable_name IN ('sqlfdb_last_keys', 'sqlfdb_last_documents', 'sqlfdb_last_counters')
----
Variable_name | Value
sqlfdb_last_counters | 2
sqlfdb_last_documents | 4
sqlfdb_last_keys | 1501

query
SELECT _id, n, g FROM t ORDER BY n, _id LIMIT 1
----
_id | n | g
k0003 | NULL | 3

query
SHOW STATUS WHERE Variable_name IN ('sqlfdb_last_keys', 'sqlfdb_last_documents', 'sqlfdb_last_counters')
----
Variable_name | Value
sqlfdb_last_counters | 0
sqlfdb_last_documents | 1
sqlfdb_last_keys | 1499

query
SELECT _id, n, g FROM t WHERE g = 3 ORDER BY n, _id LIMIT 3
----
_id | n | g
k0003 | NULL | 3
k0703 | 11 | 3
k0163 | 31 | 3

query
SELECT _id, n, g FROM t ORDER BY n DESC, _id DESC LIMIT 3 OFFSET 996
----
_id | n | g
k0973 | 1 | 13
k0000 | 0 | 0
k0500 | NULL | 0

# Many: they are met soon, and behind the last of them no document is read.
exec
UPDATE t SET _doc = JSON_REMOVE(_doc, '$.g') WHERE _id < 'k0300'
----
ok, 300 rows

query
EXPLAIN FORMAT=TREE SELECT _id, g, n FROM t ORDER BY g LIMIT 3 OFFSET 299
----
EXPLAIN
-> Limit: 3 rows
    -> Index range scan on t using g
         range: `g` in all values
         order: `g`: cost 839.9, sorting costs 1823.8
         before them: 300 documents without the keypath, found by the keys of the others
         skipped without being fetched: 299
         ends after: 3
         keys: about 302 of 700
         tight
         cost: 839.9, a full scan costs 1000.0

query
SELECT _id, g, n FROM t ORDER BY g, _id LIMIT 3 OFFSET 299
----
_id | g | n
k0299 | NULL | 63
k0300 | 0 | 100
k0320 | 0 | 840

query
SHOW STATUS WHERE Variable_name IN ('sqlfdb_last_keys', 'sqlfdb_last_documents', 'sqlfdb_last_counters')
----
Variable_name | Value
sqlfdb_last_counters | 2
sqlfdb_last_documents | 3
sqlfdb_last_keys | 1002

# What the transaction has changed itself counts, in the documents and in the counters.
exec
BEGIN;
UPDATE t SET n = 5000 WHERE _id = 'k0003';
UPDATE t SET _doc = JSON_REMOVE(_doc, '$.n') WHERE _id = 'k0998';
INSERT INTO t (_id, g) VALUES ('k9999', 1)
----
ok, 0 rows
ok, 1 rows
ok, 1 rows
ok, 1 rows

query
SELECT _id, n FROM t ORDER BY n, _id LIMIT 5
----
_id | n
k0500 | NULL
k0998 | NULL
k9999 | NULL
k0000 | 0
k0973 | 1

# A statement's own rows are not among those that it reads.
exec
INSERT INTO t (_id, g) SELECT CONCAT('x', _id), g FROM t ORDER BY n, _id LIMIT 4
----
ok, 4 rows

query
SELECT _id, n FROM t ORDER BY n, _id LIMIT 8
----
_id | n
k0500 | NULL
k0998 | NULL
k9999 | NULL
xk0000 | NULL
xk0500 | NULL
xk0998 | NULL
xk9999 | NULL
k0000 | 0

exec
ROLLBACK
----
ok, 0 rows

# That no other document lacks it is an answer of the counters: who adds one meanwhile is a conflict.
exec
BEGIN
----
ok, 0 rows

query
SELECT _id, n FROM t ORDER BY n, _id LIMIT 4
----
_id | n
k0003 | NULL
k0500 | NULL
k0000 | 0
k0973 | 1

exec conn=other
INSERT INTO t (_id, g) VALUES ('z', 1)
----
ok, 1 rows

exec
INSERT INTO t (_id, n) VALUES ('k0000a', 0);
COMMIT
----
ok, 1 rows
ERROR 1213 (40001): conflict with a concurrent transaction; try restarting transaction

query
SELECT _id, n FROM t ORDER BY n, _id LIMIT 5
----
_id | n
k0003 | NULL
k0500 | NULL
z | NULL
k0000 | 0
k0973 | 1

# ORDER BY behind an equality: the ten of b among those of a, or all of a, whichever is thought to read less. What is read has no
# bound but the table: where those of a lie at the end of b, the walk along b meets all others before them.
exec
CREATE TABLE small (_id VARCHAR(255) PRIMARY KEY, _doc JSON);
CREATE TABLE large (_id VARCHAR(255) PRIMARY KEY, _doc JSON);
INSERT INTO small (_id, a, b) WITH RECURSIVE c (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM c WHERE i < 799) SELECT i, MOD(i, 10), MOD(i * 37, 800) FROM c;
INSERT INTO large (_id, a, b) SELECT i * 800 + _id, MOD(i * 800 + _id, 150), MOD((i * 800 + _id) * 37, 12000) FROM (SELECT b AS i FROM small WHERE b < 5) AS s, small;
INSERT INTO large (_id, a, b) SELECT i * 800 + _id, MOD(i * 800 + _id, 150), MOD((i * 800 + _id) * 37, 12000) FROM (SELECT b AS i FROM small WHERE b BETWEEN 5 AND 9) AS s, small;
INSERT INTO large (_id, a, b) SELECT i * 800 + _id, MOD(i * 800 + _id, 150), MOD((i * 800 + _id) * 37, 12000) FROM (SELECT b AS i FROM small WHERE b BETWEEN 10 AND 14) AS s, small
----
ok, 0 rows
ok, 0 rows
ok, 800 rows
ok, 4000 rows
ok, 4000 rows
ok, 4000 rows

query
EXPLAIN FORMAT=TREE SELECT _id, b, a FROM small WHERE a = 3 ORDER BY b LIMIT 5
----
EXPLAIN
-> Limit: 5 rows
    -> The first of these, given up for the second: once it has cost 182.6
        -> Index range scan on small using b
             range: `b` in all values
             order: `b` among `a`: cost 30.9, sorting costs 182.6
             only those among: `a` in 3
             ends after: 5
             keys: about 50 of 800
             tight
             cost: 30.9, a full scan costs 800.0
             lost: order by `b`: cost 207.7, the chosen one costs 30.9
        -> Sort: small.b, keep 5
            -> Index lookup on small using a
                 range: `a` in 3
                 keys: 80 counted of 800
                 tight
                 cost: 164.0, a full scan costs 800.0

query
SELECT _id, b, a FROM small WHERE a = 3 ORDER BY b LIMIT 5
----
_id | b | a
173 | 1 | 3
303 | 11 | 3
433 | 21 | 3
563 | 31 | 3
693 | 41 | 3

query
SHOW STATUS WHERE Variable_name IN ('sqlfdb_last_keys', 'sqlfdb_last_documents')
----
Variable_name | Value
sqlfdb_last_documents | 5
sqlfdb_last_keys | 122

query
EXPLAIN FORMAT=TREE SELECT _id, b, a FROM large WHERE a = 3 ORDER BY b LIMIT 5
----
EXPLAIN
-> Limit: 5 rows
    -> The first of these, given up for the second: once it has cost 182.6
        -> Index range scan on large using b
             range: `b` in all values
             order: `b` among `a`: cost 100.1, sorting costs 182.6
             only those among: `a` in 3
             ends after: 5
             keys: about 741 of 12,000
             tight
             cost: 100.1, a full scan costs 12000.0
             lost: order by `b`: cost 3111.4, the chosen one costs 100.1
        -> Sort: large.b, keep 5
            -> Index lookup on large using a
                 range: `a` in 3
                 keys: 80 counted of 12,000
                 tight
                 cost: 164.0, a full scan costs 12000.0

query
SELECT _id, b, a FROM large WHERE a = 3 ORDER BY b LIMIT 5
----
_id | b | a
3 | 111 | 3
1953 | 261 | 3
3903 | 411 | 3
5853 | 561 | 3
7803 | 711 | 3

query
SHOW STATUS WHERE Variable_name IN ('sqlfdb_last_keys', 'sqlfdb_last_documents')
----
Variable_name | Value
sqlfdb_last_documents | 5
sqlfdb_last_keys | 792

# What may go on at newer versions does not look for them by keys.
exec
SET sqlfdb_long_reads = 'continue'
----
ok, 0 rows

query
EXPLAIN FORMAT=TREE SELECT _id, n FROM t ORDER BY n LIMIT 3
----
EXPLAIN
-> Limit: 3 rows
    -> Index range scan on t using n
         range: `n` in all values
         order: `n`: cost 751.5, sorting costs 1159.7
         before them: 3 documents without the keypath
         ends after: 3
         keys: about 3 of 998
         tight
         cost: 751.5, a full scan costs 1001.0

query
SELECT _id, n FROM t ORDER BY n LIMIT 3
----
_id | n
k0003 | NULL
k0500 | NULL
z | NULL

query
CHECK TABLE t, small, large
----
Table | Op | Msg_type | Msg_text
d.t | check | status | OK
d.small | check | status | OK
d.large | check | status | OK

# A column has NULL for what is missing and for null, which JSON tells apart.
exec
CREATE TABLE onn (_id VARCHAR(255) PRIMARY KEY, _doc JSON);
INSERT INTO onn (_doc) VALUES ('{"_id":"1"}'), ('{"_id":"2","a":null}'), ('{"_id":"3"}'), ('{"_id":"4","a":7}'), ('{"_id":"5","a":null}');
----
ok, 0 rows
ok, 5 rows

query
SELECT _id, a, _doc->'$.a' AS j FROM onn ORDER BY a DESC, JSON_EXTRACT(_doc, '$.a'), _id
----
_id | a | j
4 | 7 | 7
1 | NULL | NULL
3 | NULL | NULL
2 | NULL | null
5 | NULL | null

query
SELECT _id, a, _doc->'$.a' AS j FROM onn ORDER BY a DESC, JSON_EXTRACT(_doc, '$.a') LIMIT 3
----
_id | a | j
4 | 7 | 7
1 | NULL | NULL
3 | NULL | NULL

query
SELECT _id, a, _doc->'$.a' AS j FROM onn ORDER BY a, JSON_EXTRACT(_doc, '$.a') DESC, _id DESC
----
_id | a | j
5 | NULL | null
2 | NULL | null
3 | NULL | NULL
1 | NULL | NULL
4 | 7 | 7

query
EXPLAIN FORMAT=TREE SELECT _id FROM onn ORDER BY _doc->'$.a', a DESC LIMIT 2
----
EXPLAIN
-> Limit: 2 rows
    -> Project: onn._id
        -> Index range scan on onn using a
             range: $.a in all values
             order: $.a: cost 4.0, sorting costs 5.5
             before them: 2 documents without the keypath
             ends after: 2
             keys: about 2 of 3
             tight
             cost: 4.0, a full scan costs 5.0

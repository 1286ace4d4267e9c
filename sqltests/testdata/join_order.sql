# A join of which the first rows in the order of one table are wanted is driven by that table: the other is looked up for so many.

exec
CREATE TABLE t (_id VARCHAR(255) PRIMARY KEY, _doc JSON);
CREATE TABLE u (_id VARCHAR(255) PRIMARY KEY, _doc JSON);
INSERT INTO t (_doc) WITH RECURSIVE n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n WHERE i < 900) SELECT JSON_OBJECT('_id', CONCAT('t', i), 'k', i, 'x', CONCAT('u', i % 100), 'y', i % 70, 'p', IF(i % 2, 'a', 'b')) FROM n;
INSERT INTO u (_doc) WITH RECURSIVE n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n WHERE i < 300) SELECT JSON_OBJECT('_id', CONCAT('u', i), 'v', i, 'w', i % 7, 'y', i % 70) FROM n;
UPDATE t SET _doc = JSON_REMOVE(_doc, '$.k') WHERE k % 100 = 0
----
ok, 0 rows
ok, 0 rows
ok, 900 rows
ok, 300 rows
ok, 9 rows

# The feed with its collection: 3 changes, 3 documents.

query
EXPLAIN FORMAT=TREE SELECT t.k FROM t__changes c JOIN t ON c._id = t._id ORDER BY c.seq LIMIT 3
----
EXPLAIN
-> Limit: 3 rows
    -> Project: t.k
        -> The first of these, given up for the second: once it has cost 1980.0
            -> Join, inner, lookup: (c._id = t._id)
                -> Index scan on c using seq
                     entries only: no document is read
                -> Look up in batches: t: primary key = c._id
                     for about 3 rows, documents for each: about 1.0
                     cost: 11.7
                     documents: about 3 of 900
                     lost: the whole side, hashed: cost 1350.0
            -> Sort: c.seq, keep 3
                -> Join, inner, hash: (c._id = t._id)
                     rows: about 900, cost: 2610.0
                    -> Table scan on c
                         entries only: no document is read
                         keys: 900 counted of 900
                    -> Hash: (t._id) looked up by (c._id)
                        -> Table scan on t
                             documents: 900, exactly

query
SELECT c._id, t.k FROM t__changes c JOIN t ON c._id = t._id ORDER BY c.seq LIMIT 3
----
_id | k
t1 | 1
t2 | 2
t3 | 3

query
SHOW STATUS WHERE Variable_name IN ('sqlfdb_last_keys', 'sqlfdb_last_documents')
----
Variable_name | Value
sqlfdb_last_documents | 3
sqlfdb_last_keys | 3

query
SELECT c._id, t.k FROM t JOIN t__changes c ON c._id = t._id ORDER BY c.seq DESC LIMIT 3
----
_id | k
t900 | NULL
t800 | NULL
t700 | NULL

query
SHOW STATUS WHERE Variable_name IN ('sqlfdb_last_keys', 'sqlfdb_last_documents')
----
Variable_name | Value
sqlfdb_last_documents | 3
sqlfdb_last_keys | 3

query
EXPLAIN FORMAT=TREE SELECT t.k, u.v FROM t JOIN u ON t.x = u._id ORDER BY t.k LIMIT 4
----
EXPLAIN
-> Limit: 4 rows
    -> Project: t.k, u.v
        -> The first of these, given up for the second: once it has cost 1380.0
            -> Join, inner, lookup: (t.x = u._id)
                -> Index range scan on t using k
                     range: `k` in all values
                     order: `k`: cost 222.2, sorting costs 1080.0
                     before them: 9 documents without the keypath, found by the keys of the others
                     keys: about 4 of 891
                     tight
                     cost: 222.2, a full scan costs 900.0
                -> Look up in batches: u: primary key = t.x
                     for about 4 rows, documents for each: about 1.0
                     cost: 15.6
                     documents: about 4 of 300
                     lost: the whole side, hashed: cost 450.0
            -> Sort: t.k, keep 4
                -> Join, inner, hash: (t.x = u._id)
                     rows: about 900, cost: 1710.0
                    -> Table scan on t
                         documents: 900, exactly
                    -> Hash: (u._id) looked up by (t.x)
                        -> Index range scan on u using v
                             range: `v` in all values
                             entries only: no document is read
                             keys: 300 counted of 300; 0 documents lack the keypath
                             tight
                             cost: 15.0, a full scan costs 300.0

query
SELECT t.k, u.v FROM t JOIN u ON t.x = u._id ORDER BY t.k LIMIT 4
----
k | v
1 | 1
2 | 2
3 | 3
4 | 4

query
SHOW STATUS WHERE Variable_name IN ('sqlfdb_last_keys', 'sqlfdb_last_documents')
----
Variable_name | Value
sqlfdb_last_documents | 31
sqlfdb_last_keys | 2046

query
SELECT t.k, u.v FROM t LEFT JOIN u ON t.x = u._id ORDER BY t.k DESC LIMIT 4 OFFSET 2
----
k | v
897 | 97
896 | 96
895 | 95
894 | 94

query
SHOW STATUS WHERE Variable_name IN ('sqlfdb_last_keys', 'sqlfdb_last_documents')
----
Variable_name | Value
sqlfdb_last_documents | 12
sqlfdb_last_keys | 6

query
SELECT t.k, u.v FROM t JOIN u ON t.x = u._id WHERE u.w = 200 ORDER BY t.k LIMIT 4
----
k | v

query
SHOW STATUS WHERE Variable_name IN ('sqlfdb_last_keys', 'sqlfdb_last_documents')
----
Variable_name | Value
sqlfdb_last_documents | 0
sqlfdb_last_keys | 0

query
SELECT t.k, u.v FROM t JOIN u ON t.x = u._id AND u.v > 99 ORDER BY t.k LIMIT 4
----
k | v

query
SHOW STATUS WHERE Variable_name IN ('sqlfdb_last_keys', 'sqlfdb_last_documents')
----
Variable_name | Value
sqlfdb_last_documents | 931
sqlfdb_last_keys | 2251

query
SELECT t.k, u.v, z.k FROM t JOIN u ON t.x = u._id JOIN t z ON z._id = t._id ORDER BY t.k, u.v LIMIT 4
----
k | v | k
1 | 1 | 1
2 | 2 | 2
3 | 3 | 3
4 | 4 | 4

query
SHOW STATUS WHERE Variable_name IN ('sqlfdb_last_keys', 'sqlfdb_last_documents')
----
Variable_name | Value
sqlfdb_last_documents | 1852
sqlfdb_last_keys | 2346

query
EXPLAIN FORMAT=TREE SELECT t.k, u.v FROM t JOIN u ON t.y = u.y WHERE t.p = 'a' ORDER BY t.k, u.v LIMIT 4
----
EXPLAIN
-> Limit: 4 rows
    -> Project: t.k, u.v
        -> The first of these, given up for the second: once it has cost 1290.0
            -> Sort within equal t.k: t.k, u.v
                -> Join, inner, lookup: (t.y = u.y)
                    -> Filter: (t.p = 'a')
                        -> Index range scan on t using k
                             range: `k` in all values
                             order: `k`: cost 180.0, sorting costs 945.0
                             before them: 9 documents without the keypath
                             keys: about 4 of 891
                             tight
                             residual: (t.p = 'a')
                             cost: 180.0, a full scan costs 900.0
                             lost: order by `k` among `p`: cost 270.0, the chosen one costs 180.0
                    -> Look up in batches: u: `y` = t.y
                         for about 1 rows, documents for each: about 4.7
                         cost: 12.1
                         documents: about 5 of 300
                         lost: the whole side, hashed: cost 450.0
            -> Sort: t.k, u.v, keep 4
                -> Join, inner, hash: (t.y = u.y)
                     rows: about 1,920, cost: 1824.0
                    -> Filter: (t.p = 'a')
                        -> Table scan on t
                             documents: 900, exactly
                             residual: (t.p = 'a')
                             lost: `p` in 'a', keys: 450 counted of 900: cost 922.5, a full scan costs 900.0
                    -> Hash: (u.y) looked up by (t.y)
                        -> Table scan on u
                             documents: 300, exactly

query
SELECT t.k, u.v FROM t JOIN u ON t.y = u.y WHERE t.p = 'a' ORDER BY t.k, u.v LIMIT 4
----
k | v
1 | 1
1 | 71
1 | 141
1 | 211

query
SHOW STATUS WHERE Variable_name IN ('sqlfdb_last_keys', 'sqlfdb_last_documents')
----
Variable_name | Value
sqlfdb_last_documents | 2111
sqlfdb_last_keys | 269

query
SELECT t._id, t.k, u.v FROM t JOIN u ON t.y = u.y ORDER BY t.k, t._id, u.v LIMIT 9 OFFSET 37
----
_id | k | v
t900 | NULL | 270
t1 | 1 | 1
t1 | 1 | 71
t1 | 1 | 141
t1 | 1 | 211
t1 | 1 | 281
t2 | 2 | 2
t2 | 2 | 72
t2 | 2 | 142

query
SELECT t._id, t.k, u.v FROM t LEFT JOIN u ON t.x = u._id ORDER BY t.k, t._id LIMIT 11
----
_id | k | v
t100 | NULL | NULL
t200 | NULL | NULL
t300 | NULL | NULL
t400 | NULL | NULL
t500 | NULL | NULL
t600 | NULL | NULL
t700 | NULL | NULL
t800 | NULL | NULL
t900 | NULL | NULL
t1 | 1 | 1
t2 | 2 | 2

query
SELECT t._id, t.k, u.v FROM t LEFT JOIN u ON t.x = u._id ORDER BY t.k DESC, t._id DESC LIMIT 3 OFFSET 888
----
_id | k | v
t3 | 3 | 3
t2 | 2 | 2
t1 | 1 | 1

query
SELECT q.k, q.v FROM (SELECT t.k, u.v FROM t JOIN u ON t.x = u._id WHERE u.w = 3 ORDER BY t.k LIMIT 5) AS q ORDER BY q.k DESC
----
k | v
31 | 31
24 | 24
17 | 17
10 | 10
3 | 3

query
SELECT u.v, (SELECT t.k FROM t JOIN t__changes c ON t._id = c._id WHERE t.y = u.y ORDER BY t.k DESC LIMIT 1) AS last FROM u WHERE u.v < 4 ORDER BY u.v
----
v | last
1 | 841
2 | 842
3 | 843

query
CHECK TABLE t, u
----
Table | Op | Msg_type | Msg_text
d.t | check | status | OK
d.u | check | status | OK

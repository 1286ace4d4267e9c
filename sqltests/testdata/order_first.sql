# The first rows, and those behind a key, are read and no others.
exec
CREATE TABLE t (_id INT PRIMARY KEY, _doc JSON);
INSERT INTO t (_id, _doc)
WITH RECURSIVE r (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM r WHERE i < 1999)
SELECT i, JSON_OBJECT('n', i, 'price', (i * 37) % 2000, 'state', IF(i % 3 = 0, 'paid', 'open'), 'few', IF(i % 500 = 0, 1, i)) FROM r;
----
ok, 0 rows
ok, 2000 rows

# The next page of one value: between primary keys within it.
query
EXPLAIN FORMAT=TREE SELECT _id, price FROM t WHERE state = 'paid' AND _id > 1000 ORDER BY _id LIMIT 3
----
EXPLAIN
-> Limit: 3 rows
    -> Project: t._id, t.price
        -> Index lookup on t using state
             range: `state` in 'paid'
             order: primary key within one value of `state`: cost 6.2, sorting costs 1107.5
             primary keys are bounded within a value
             ends after: 3
             keys: about 3 of 345
             tight
             cost: 6.2, a full scan costs 2000.0
             lost: order by primary key: cost 18.3, the chosen one costs 6.2

query
SELECT _id, price FROM t WHERE state = 'paid' AND _id > 1000 ORDER BY _id LIMIT 3
----
_id | price
1002 | 1074
1005 | 1185
1008 | 1296

query
SHOW STATUS LIKE 'sqlfdb_last_keys'
----
Variable_name | Value
sqlfdb_last_keys | 3

query
SELECT _id FROM t WHERE state = 'paid' AND _id < 1000 AND n > 3 ORDER BY _id DESC LIMIT 3
----
_id
999
996
993

query near
SHOW STATUS LIKE 'sqlfdb_last_keys'
----
Variable_name | Value
sqlfdb_last_keys | 6

query
SELECT _id FROM t WHERE state = 'paid' AND _id BETWEEN 1000 AND 1010 AND _id <> 1005 ORDER BY _id DESC
----
_id
1008
1002

# Of what no document has, nothing is walked in order.
query
EXPLAIN FORMAT=TREE SELECT _id FROM t WHERE few = -1 ORDER BY price LIMIT 5
----
EXPLAIN
-> Limit: 5 rows
    -> Project: t._id
        -> Sort: t.price, keep 5
            -> Index lookup on t using few
                 range: `few` in -1
                 keys: 0 counted of 2,000
                 tight
                 cost: 0.0, a full scan costs 2000.0

query
SELECT _id FROM t WHERE few = -1 ORDER BY price LIMIT 5
----
_id

query
SHOW STATUS LIKE 'sqlfdb_last_keys'
----
Variable_name | Value
sqlfdb_last_keys | 0

# The first rows in any order: by a range that holds most documents, where the first ones are at its end, and of two conditions.
query
EXPLAIN FORMAT=TREE SELECT _id, price FROM t WHERE n >= 700 LIMIT 3
----
EXPLAIN
-> Limit: 3 rows
    -> Project: t._id, t.price
        -> Index range scan on t using n
             range: `n` in [700, +∞)
             first rows: `n`: cost 6.2, reading all costs 2000.0
             ends after: 3
             keys: about 3 of 1,219
             tight
             cost: 6.2, a full scan costs 2000.0
             lost: first rows by primary key: cost 19.7, the chosen one costs 6.2

query
SELECT _id, price FROM t WHERE n >= 700 LIMIT 3
----
_id | price
700 | 1900
701 | 1937
702 | 1974

query
SHOW STATUS LIKE 'sqlfdb_last_documents'
----
Variable_name | Value
sqlfdb_last_documents | 3

query
SELECT _id, price FROM t WHERE n >= 700 LIMIT 2 OFFSET 500
----
_id | price
1200 | 400
1201 | 437

query
SHOW STATUS LIKE 'sqlfdb_last_documents'
----
Variable_name | Value
sqlfdb_last_documents | 2

query
EXPLAIN FORMAT=TREE SELECT _id FROM t WHERE n >= 700 AND price >= 100 LIMIT 3
----
EXPLAIN
-> Limit: 3 rows
    -> Project: t._id
        -> The first of these, given up for the second: once it has cost 220.0
            -> Filter: (t.price >= 100)
                -> Index range scan on t using n
                     range: `n` in [700, +∞)
                     first rows: `n`: cost 13.5, reading all costs 220.0
                     keys: about 7 of 1,219
                     tight
                     residual: (t.price >= 100)
                     cost: 13.5, a full scan costs 2000.0
                     lost: first rows by `price`: cost 20.7, the chosen one costs 13.5
                     lost: first rows by primary key: cost 21.1, the chosen one costs 13.5
            -> Intersection of index ranges on t using n, price
                 range: `n` in [700, +∞)
                 range: `price` in [100, +∞)
                 keys: about 3,200 of 4,000
                 tight
                 cost: 230.0, a full scan costs 2000.0
                 lost: `n` in [700, +∞), keys: 1,300 counted of 2,000: cost 2665.0, an intersection costs 230.0
                 lost: `price` in [100, +∞), keys: 1,900 counted of 2,000: cost 3895.0, an intersection costs 230.0

query
SELECT _id FROM t WHERE n >= 700 AND price >= 100 LIMIT 3
----
_id
700
701
702

query
SHOW STATUS LIKE 'sqlfdb_last_documents'
----
Variable_name | Value
sqlfdb_last_documents | 3

query
EXPLAIN FORMAT=TREE SELECT EXISTS (SELECT * FROM t WHERE n >= 700 AND price > 5) AS e
----
EXPLAIN
-> Project: EXISTS (subquery) as e
    -> Project: dual., EXISTS (subquery) as e
        -> One row
        -> Subquery #2
            -> The first of these, given up for the second: once it has cost 2000.0
                -> Filter: (t.price > 5)
                    -> Index range scan on t using n
                         range: `n` in [700, +∞)
                         first rows: `n`: cost 4.2, reading all costs 2000.0
                         keys: about 2 of 1,219
                         tight
                         residual: (t.price > 5)
                         cost: 4.2, a full scan costs 2000.0
                         lost: first rows by `price`: cost 6.9, the chosen one costs 4.2
                         lost: first rows by primary key: cost 6.6, the chosen one costs 4.2
                -> Filter: ((t.n >= 700) AND (t.price > 5))
                    -> Table scan on t
                         documents: 2,000, exactly
                         residual: (t.n >= 700) AND (t.price > 5)
                         lost: `n` in [700, +∞), keys: 1,300 counted of 2,000: cost 2665.0, a full scan costs 2000.0
                         lost: `price` in (5, +∞), keys: 1,994 counted of 2,000: cost 4087.7, a full scan costs 2000.0
    -> Subquery #3
        -> The first of these, given up for the second: once it has cost 2000.0
            -> Filter: (t.price > 5)
                -> Index range scan on t using n
                     range: `n` in [700, +∞)
                     first rows: `n`: cost 4.2, reading all costs 2000.0
                     keys: about 2 of 1,219
                     tight
                     residual: (t.price > 5)
                     cost: 4.2, a full scan costs 2000.0
                     lost: first rows by `price`: cost 6.9, the chosen one costs 4.2
                     lost: first rows by primary key: cost 6.6, the chosen one costs 4.2
            -> Filter: ((t.n >= 700) AND (t.price > 5))
                -> Table scan on t
                     documents: 2,000, exactly
                     residual: (t.n >= 700) AND (t.price > 5)
                     lost: `n` in [700, +∞), keys: 1,300 counted of 2,000: cost 2665.0, a full scan costs 2000.0
                     lost: `price` in (5, +∞), keys: 1,994 counted of 2,000: cost 4087.7, a full scan costs 2000.0

query
SELECT EXISTS (SELECT * FROM t WHERE n >= 700 AND price > 5) AS e
----
e
1

query
SHOW STATUS LIKE 'sqlfdb_last_documents'
----
Variable_name | Value
sqlfdb_last_documents | 2

# A page of a derived table.
query
EXPLAIN FORMAT=TREE SELECT d.i FROM (SELECT _id AS i, n AS m FROM t) d WHERE d.m > 700 LIMIT 3
----
EXPLAIN
-> Limit: 3 rows
    -> Project: t._id as i
        -> Index range scan on t using n
             range: `n` in (700, +∞)
             entries only: no document is read
             ends after: 3
             keys: 1,299 counted of 2,000
             tight
             cost: 65.0, a full scan costs 2000.0

# Where the conditions exclude each other, which only documents tell, the walk is given up.
query
SELECT _id FROM t WHERE n < 1500 AND n + 0 > 1600 AND price > 100 LIMIT 3
----
_id

query
SELECT COUNT(*) FROM (SELECT _id FROM t WHERE n < 1500 AND MOD(n, 100) = 3 AND price > 100 LIMIT 30) d
----
COUNT(*)
14

# Statements that write choose as ever.
exec
DELETE FROM t WHERE n >= 700 LIMIT 2;
UPDATE t SET price = 1 WHERE n >= 700 AND price > 5 LIMIT 2;
----
ok, 2 rows
ok, 2 rows

# What may not be read as a whole is read along its range.
exec
SET sqlfdb_full_scans = 'deny';
----
ok, 0 rows

query
SELECT n FROM t WHERE n >= 750 LIMIT 1
----
n
750

query
SELECT n FROM t WHERE n >= 750 AND price > 5
----
ERROR 1175 (HY000): The statement reads all of d.t, and sqlfdb_full_scans is deny; add a condition that a keypath's index can use, or a LIMIT

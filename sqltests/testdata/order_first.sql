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

query
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
        -> Sort: t.price
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

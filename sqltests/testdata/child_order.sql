# Tables of arrays in the order of one value: their entries stand in the order of values, keys and positions.

exec
CREATE TABLE t (_id VARCHAR(255) PRIMARY KEY, _doc JSON);
INSERT INTO t (_doc) WITH RECURSIVE n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n WHERE i < 400) SELECT JSON_OBJECT('_id', CONCAT('t', i), 'a', JSON_ARRAY('all', CONCAT('x', i % 7), 'all'), 'g', JSON_ARRAY(JSON_OBJECT('x', i % 7, 'y', i, 'z', i), JSON_OBJECT('x', i % 5, 'y', i % 3))) FROM n;
----
ok, 0 rows
ok, 400 rows

query
SELECT _id, _idx FROM t__a WHERE _value = 'all' ORDER BY _id, _idx LIMIT 3
----
_id | _idx
t1 | 0
t1 | 2
t10 | 0

exec
SELECT _id, _idx FROM t__a WHERE _value = 'all' ORDER BY _id, _idx LIMIT 3;
----
ok, 0 rows

query
SHOW STATUS WHERE Variable_name IN ('sqlfdb_last_keys', 'sqlfdb_last_documents')
----
Variable_name | Value
sqlfdb_last_documents | 0
sqlfdb_last_keys | 3

query
EXPLAIN FORMAT=TREE SELECT _id, _idx FROM t__a WHERE _value = 'all' ORDER BY _id, _idx LIMIT 3
----
EXPLAIN
-> Limit: 3 rows
    -> Project: t__a._id, t__a._idx
        -> Filter: (t__a._value = 'all')
            -> Index lookup on t__a using a[*]
                 range: `_value` in 'all'
                 entries only: no document is read
                 in the order that is asked for
                 keys: 800 counted of 1,200
                 not tight: the filter stays
                 residual: (t__a._value = 'all')
                 cost: 40.0, a full scan costs 400.0
                 lost: `a` in arrays that hold something, keys: 400 counted of 400: cost 820.0, the chosen one costs 40.0

query
SELECT _id, _idx FROM t__a WHERE _value = 'all' ORDER BY _value DESC, _id DESC, _idx DESC LIMIT 3 OFFSET 2
----
_id | _idx
t98 | 2
t98 | 0
t97 | 2

query
SELECT _id, _idx FROM t__a WHERE _value = 'all' ORDER BY _id DESC, _idx LIMIT 3
----
_id | _idx
t99 | 0
t99 | 2
t98 | 0

query
EXPLAIN FORMAT=TREE SELECT _id, _idx FROM t__a WHERE _value = 'all' ORDER BY _id DESC, _idx LIMIT 3
----
EXPLAIN
-> Limit: 3 rows
    -> Project: t__a._id, t__a._idx
        -> Sort: t__a._id DESC, t__a._idx, keep 3
            -> Filter: (t__a._value = 'all')
                -> Index lookup on t__a using a[*]
                     range: `_value` in 'all'
                     entries only: no document is read
                     keys: 800 counted of 1,200
                     not tight: the filter stays
                     residual: (t__a._value = 'all')
                     cost: 40.0, a full scan costs 400.0
                     lost: `a` in arrays that hold something, keys: 400 counted of 400: cost 820.0, the chosen one costs 40.0

query
SELECT _id, _idx, y FROM t__g WHERE x = 3 ORDER BY _id, _idx LIMIT 4
----
_id | _idx | y
t10 | 0 | 10
t101 | 0 | 101
t103 | 1 | 1
t108 | 0 | 108

query
EXPLAIN FORMAT=TREE SELECT _id, _idx, y FROM t__g WHERE x = 3 ORDER BY _id, _idx LIMIT 4
----
EXPLAIN
-> Limit: 4 rows
    -> Project: t__g._id, t__g._idx, t__g.y
        -> Filter: (t__g.x = 3)
            -> Index lookup on t__g using g[*].x
                 range: `x` in 3
                 in the order that is asked for
                 keys: 137 counted of 800
                 not tight: the filter stays
                 residual: (t__g.x = 3)
                 cost: 256.9, a full scan costs 400.0
                 lost: `g` in arrays that hold something, keys: 400 counted of 400: cost 820.0, the chosen one costs 256.9

query
SELECT _id, y FROM t__g WHERE x = 3 AND y = 1 ORDER BY _id DESC LIMIT 4
----
_id | y
t88 | 1
t73 | 1
t58 | 1
t43 | 1

query
SELECT _id, _idx, y FROM t__g ORDER BY y DESC, _id DESC, _idx DESC LIMIT 3
----
_id | _idx | y
t400 | 0 | 400
t399 | 0 | 399
t398 | 0 | 398

query
EXPLAIN FORMAT=TREE SELECT _id, _idx, y FROM t__g ORDER BY y DESC, _id DESC, _idx DESC LIMIT 3
----
EXPLAIN
-> Limit: 3 rows
    -> Index range scan on t__g using g[*].y
         range: `y` in all values
         entries only: no document is read
         in the order that is asked for descending
         keys: 800 counted of 800; 0 elements lack the keypath
         tight
         cost: 40.0, a full scan costs 400.0
         lost: `g` in arrays that hold something, keys: 400 counted of 400: cost 820.0, the chosen one costs 40.0

query
SELECT _id, y FROM t__g WHERE y > 397 ORDER BY y
----
_id | y
t398 | 398
t399 | 399
t400 | 400

# Some elements lack it, and come first.
query
SELECT _id, _idx, z FROM t__g ORDER BY z, _id, _idx LIMIT 3
----
_id | _idx | z
t1 | 1 | NULL
t10 | 1 | NULL
t100 | 1 | NULL

query
EXPLAIN FORMAT=TREE SELECT _id, _idx, z FROM t__g ORDER BY z, _id, _idx LIMIT 3
----
EXPLAIN
-> Limit: 3 rows
    -> Sort: t__g.z, t__g._id, t__g._idx, keep 3
        -> Table scan on t__g

query
SELECT _id, _idx, x, y FROM t__g ORDER BY _id DESC LIMIT 1
----
_id | _idx | x | y
t99 | 0 | 1 | 99

query
EXPLAIN FORMAT=TREE SELECT _id, _idx, x, y FROM t__g ORDER BY _id DESC LIMIT 1
----
EXPLAIN
-> Limit: 1 rows
    -> Table scan on t__g
         in the order that is asked for descending
         documents: 400, exactly
         lost: `g` in arrays that hold something, keys: 400 counted of 400: cost 820.0, a full scan costs 400.0

query
SELECT SUM(y), COUNT(z), MIN(_id) FROM t__g
----
SUM(y) | COUNT(z) | MIN(_id)
80600 | 400 | t1

query
EXPLAIN FORMAT=TREE SELECT SUM(y) FROM t__g
----
EXPLAIN
-> Project: sum(t__g.y)
    -> Aggregate: SUM(t__g.y)
         executor: interpreted: not a collection
        -> Index range scan on t__g using g[*].y
             range: `y` in all values
             entries only: no document is read
             keys: 800 counted of 800; 0 elements lack the keypath
             tight
             cost: 40.0, a full scan costs 400.0
             lost: `g` in arrays that hold something, keys: 400 counted of 400: cost 820.0, the chosen one costs 40.0

exec
BEGIN;
INSERT INTO t VALUES ('t0', '{"a":["all"],"g":[{"x":3,"y":1000,"z":null}]}');
DELETE FROM t WHERE _id = 't1';
----
ok, 0 rows
ok, 1 rows
ok, 1 rows

query
SELECT _id, _idx FROM t__a WHERE _value = 'all' ORDER BY _id, _idx LIMIT 3
----
_id | _idx
t0 | 0
t10 | 0
t10 | 2

query
SELECT _id, y FROM t__g ORDER BY y DESC LIMIT 2
----
_id | y
t0 | 1000
t400 | 400

exec
ROLLBACK;
CREATE TABLE h (_doc JSON);
INSERT INTO h VALUES ('{"a":[1,2]}'), ('{"a":[3]}');
----
ok, 0 rows
ok, 0 rows
ok, 2 rows

query
SELECT _idx, _value FROM h__a ORDER BY _idx, _value
----
_idx | _value
0 | 1
0 | 3
1 | 2

query
CHECK TABLE t, h
----
Table | Op | Msg_type | Msg_text
d.t | check | status | OK
d.h | check | status | OK

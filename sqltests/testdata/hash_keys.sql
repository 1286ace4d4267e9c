# Hash joins of both sides of an equality: dates, times and texts are hashed as they compare.

exec
CREATE TABLE w (_id VARCHAR(255) PRIMARY KEY, dm DATETIME(6), dd DATE, dq TIME(6), y YEAR, e ENUM('a','b'), s SET('x','y'), bt BIT(8), vb VARBINARY(10), _doc JSON);
INSERT INTO w (_doc) VALUES ('{"_id":"a","k":1,"tx":"2020-01-1","tq":"0:00:1","dm":"2020-01-01 00:00:00","dd":"2020-01-01","dq":"00:00:01","y":2020,"e":"a","s":"x,y"}'), ('{"_id":"b","k":2}');
INSERT INTO w (_id, k, bt, vb) VALUES ('c', 3, b'101', 'zz');
INSERT INTO w (_doc) WITH RECURSIVE n AS (SELECT 10 AS i UNION ALL SELECT i + 1 FROM n WHERE i < 60) SELECT JSON_OBJECT('_id', CONCAT('r', i), 'k', i) FROM n;
SET sqlfdb_use_index = OFF;
----
ok, 0 rows
ok, 2 rows
ok, 1 rows
ok, 51 rows
ok, 0 rows

query
EXPLAIN FORMAT=TREE SELECT t1._id, t2._id FROM w AS t1 LEFT JOIN w AS t2 ON t1.k = t2.k AND t2.dm = '2020-01-01'
----
EXPLAIN
-> Project: t1._id, t2._id
    -> Join, left, hash: ((t1.k = t2.k) AND (t2.dm = '2020-01-01'))
         rows: about 67, cost: 217.2
        -> Table scan on t1
             documents: 54, exactly
        -> Hash: (t2.k) looked up by (t1.k)
            -> Table scan on t2
                 documents: 54, exactly

query
SELECT COUNT(*), COUNT(t2._id), MAX(t2._id) FROM w AS t1 LEFT JOIN w AS t2 ON t1.k = t2.k AND t2.dm = '2020-01-01'
----
COUNT(*) | COUNT(t2._id) | MAX(t2._id)
54 | 1 | a

query
SELECT COUNT(*), COUNT(t2._id), MAX(t2._id) FROM w AS t1 LEFT JOIN w AS t2 ON t1.k = t2.k AND t2.dd = '2020-1-1'
----
COUNT(*) | COUNT(t2._id) | MAX(t2._id)
54 | 1 | a

query
SELECT COUNT(*), COUNT(t2._id), MAX(t2._id) FROM w AS t1 LEFT JOIN w AS t2 ON t1.k = t2.k AND t2.dd = 20200101
----
COUNT(*) | COUNT(t2._id) | MAX(t2._id)
54 | 1 | a

query
SELECT COUNT(*), COUNT(t2._id), MAX(t2._id) FROM w AS t1 LEFT JOIN w AS t2 ON t1.k = t2.k AND t2.dq = '0:0:1'
----
COUNT(*) | COUNT(t2._id) | MAX(t2._id)
54 | 1 | a

query
SELECT COUNT(*), COUNT(t2._id), MAX(t2._id) FROM w AS t1 LEFT JOIN w AS t2 ON t1.k = t2.k AND t2.dq = 1
----
COUNT(*) | COUNT(t2._id) | MAX(t2._id)
54 | 1 | a

query
SELECT COUNT(*), COUNT(t2._id), MAX(t2._id) FROM w AS t1 LEFT JOIN w AS t2 ON t1.k = t2.k AND t2.y = '2020'
----
COUNT(*) | COUNT(t2._id) | MAX(t2._id)
54 | 1 | a

query
SELECT COUNT(*), COUNT(t2._id), MAX(t2._id) FROM w AS t1 LEFT JOIN w AS t2 ON t1.k = t2.k AND t2.y = 2020.0
----
COUNT(*) | COUNT(t2._id) | MAX(t2._id)
54 | 1 | a

query
SELECT COUNT(*), COUNT(t2._id), MAX(t2._id) FROM w AS t1 LEFT JOIN w AS t2 ON t1.k = t2.k AND t2.e = 'a'
----
COUNT(*) | COUNT(t2._id) | MAX(t2._id)
54 | 1 | a

query
SELECT COUNT(*), COUNT(t2._id), MAX(t2._id) FROM w AS t1 LEFT JOIN w AS t2 ON t1.k = t2.k AND t2.e = 1
----
COUNT(*) | COUNT(t2._id) | MAX(t2._id)
54 | 1 | a

query
SELECT COUNT(*), COUNT(t2._id), MAX(t2._id) FROM w AS t1 LEFT JOIN w AS t2 ON t1.k = t2.k AND t2.s = 'x,y'
----
COUNT(*) | COUNT(t2._id) | MAX(t2._id)
54 | 1 | a

query
SELECT COUNT(*), COUNT(t2._id), MAX(t2._id) FROM w AS t1 LEFT JOIN w AS t2 ON t1.k = t2.k AND t2.s = 3
----
COUNT(*) | COUNT(t2._id) | MAX(t2._id)
54 | 1 | a

query
SELECT COUNT(*), COUNT(t2._id), MAX(t2._id) FROM w AS t1 LEFT JOIN w AS t2 ON t1.k = t2.k AND t2.bt = 5
----
COUNT(*) | COUNT(t2._id) | MAX(t2._id)
54 | 1 | c

query
SELECT COUNT(*), COUNT(t2._id), MAX(t2._id) FROM w AS t1 LEFT JOIN w AS t2 ON t1.k = t2.k AND t2.vb = 'zz'
----
COUNT(*) | COUNT(t2._id) | MAX(t2._id)
54 | 1 | c

query
SELECT COUNT(*), COUNT(t2._id), MAX(t2._id) FROM w AS t1 LEFT JOIN w AS t2 ON (t1.k = t2.k AND t2.dm = CAST('2020-01-01' AS DATE))
----
COUNT(*) | COUNT(t2._id) | MAX(t2._id)
54 | 1 | a

query
SELECT COUNT(*), COUNT(t2._id), MAX(t2._id) FROM w AS t1 LEFT JOIN w AS t2 ON t1.k = t2.k AND t2.dm = t1.dd
----
COUNT(*) | COUNT(t2._id) | MAX(t2._id)
54 | 1 | a

query
SELECT COUNT(*), COUNT(t2._id), MAX(t2._id) FROM w AS t1 LEFT JOIN w AS t2 ON t1.k = t2.k AND t2.dd = t1.dm
----
COUNT(*) | COUNT(t2._id) | MAX(t2._id)
54 | 1 | a

query
SELECT COUNT(*), COUNT(t2._id), MAX(t2._id) FROM w AS t1 LEFT JOIN w AS t2 ON t1.k = t2.k AND t2.dq = TIME'00:00:01'
----
COUNT(*) | COUNT(t2._id) | MAX(t2._id)
54 | 1 | a

query
SELECT COUNT(*), COUNT(t2._id), MAX(t2._id) FROM w AS t1 LEFT JOIN w AS t2 ON t1.k = t2.k AND t2.dd = t1.tx
----
COUNT(*) | COUNT(t2._id) | MAX(t2._id)
54 | 1 | a

query
SELECT COUNT(*), COUNT(t2._id), MAX(t2._id) FROM w AS t1 LEFT JOIN w AS t2 ON t1.k = t2.k AND t2.tx = t1.dd
----
COUNT(*) | COUNT(t2._id) | MAX(t2._id)
54 | 1 | a

query
SELECT COUNT(*), COUNT(t2._id), MAX(t2._id) FROM w AS t1 LEFT JOIN w AS t2 ON t1.k = t2.k AND t2.tq = t1.dq
----
COUNT(*) | COUNT(t2._id) | MAX(t2._id)
54 | 1 | a

query
SELECT COUNT(*), COUNT(t2._id), MAX(t2._id) FROM w AS t1 LEFT JOIN w AS t2 ON t1.k = t2.k AND t2.dq = t1.tq
----
COUNT(*) | COUNT(t2._id) | MAX(t2._id)
54 | 1 | a

query
SELECT COUNT(*), COUNT(t2._id), MAX(t2._id) FROM w AS t1 LEFT JOIN w AS t2 ON t1.k = t2.k AND t2.dq = t1.k
----
COUNT(*) | COUNT(t2._id) | MAX(t2._id)
54 | 1 | a

query
SELECT COUNT(*), COUNT(t2._id), MAX(t2._id) FROM w AS t1 LEFT JOIN w AS t2 ON t2.dm = t1.dq
----
COUNT(*) | COUNT(t2._id) | MAX(t2._id)
54 | 0 | NULL

query
SELECT COUNT(*), COUNT(t2._id), MAX(t2._id) FROM w AS t1 LEFT JOIN w AS t2 ON t2.dd = t1.tx
----
COUNT(*) | COUNT(t2._id) | MAX(t2._id)
54 | 1 | a

query
SELECT COUNT(*), COUNT(t2._id), MAX(t2._id) FROM w AS t1 JOIN w AS t2 ON t2.dq = t1.k
----
COUNT(*) | COUNT(t2._id) | MAX(t2._id)
1 | 1 | a

query
CHECK TABLE w
----
Table | Op | Msg_type | Msg_text
d.w | check | status | OK

# A TIME may be spelled with days before its hours, as drivers spell durations.
exec
CREATE TABLE t (id INT PRIMARY KEY, h TIME)
----
ok, 0 rows

exec
INSERT INTO t VALUES (1, '0 5:3:0'), (2, '1 05:03:00'), (3, '1 10'), (4, '1 10:11'), (5, '-1 10:11:12'), (6, '34 22:59:59'), (7, ' 1  2:3 '), (8, '10'), (9, '10:11')
----
ok, 9 rows

query
SELECT id, h FROM t ORDER BY id
----
id | h
1 | 05:03:00
2 | 29:03:00
3 | 34:00:00
4 | 34:11:00
5 | -34:11:12
6 | 838:59:59
7 | 26:03:00
8 | 00:00:10
9 | 10:11:00

exec
UPDATE t SET h = '2 1:0:0' WHERE h = '0 05:03:00'
----
ok, 1 rows

query
SELECT id, h FROM t WHERE h >= '1 10:00:00' AND h < '34 0:0:0' ORDER BY h
----
id | h
3 | 34:00:00
4 | 34:11:00
1 | 49:00:00

query
EXPLAIN FORMAT=TREE SELECT id FROM t WHERE h = '1 10:11:00'
----
EXPLAIN
-> Project: t.id
    -> Filter: (t.h = '34:11:00')
        -> Index range scan on t using h
             range: `h` in strings, '34:11:00'
             keys: 1 counted of 9
             not tight: the filter stays
             residual: (t.h = '34:11:00')
             cost: 2.0, a full scan costs 9.0

query
SELECT id FROM t WHERE h IN ('1 10:11:00', '00:00:10') ORDER BY id
----
id
4
8

query
SELECT id FROM t WHERE h BETWEEN '1 0:0:0' AND '1 10:30:00' ORDER BY id
----
id
2
3
4
7

exec
INSERT INTO t VALUES (20, '1 24:00:00')
----
ERROR 1292 (22007): value 1 24:00:00 is not a valid Time

exec
INSERT INTO t VALUES (20, '1 x')
----
ERROR 1292 (22007): value 1 x is not a valid Time

query
CHECK TABLE t
----
Table | Op | Msg_type | Msg_text
d.t | check | status | OK

query
SELECT CAST('1 12:00:00' AS TIME) AS a, TIME('1 12:00:00') AS b, TIME_TO_SEC('-1 12:00:00') AS c, HOUR('1 12:00:00') AS d, ADDTIME('1 1:1:1.000002', '1 0:0:0') AS e, TIMEDIFF('2 1:00:00', '1 12:00') AS f
----
a | b | c | d | e | f
36:00:00 | 36:00:00 | -129600 | 36 | 49:01:01.000002 | 13:00:00

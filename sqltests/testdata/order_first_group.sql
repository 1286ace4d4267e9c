# ORDER BY two columns with a LIMIT: where enough documents have the first value of the first one, they alone are put in the order of the second.
exec
CREATE TABLE t (_id INT PRIMARY KEY, a VARCHAR(10) COLLATE utf8mb4_0900_ai_ci, n INT, b INT, d DATE, s VARCHAR(10) COLLATE utf8mb4_bin, f DOUBLE);
INSERT INTO t WITH RECURSIVE i AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM i WHERE n < 900) SELECT n, ELT(1 + n % 3, 'abc', 'ABC', 'xyz'), IF(n % 3 = 0, NULL, n % 3), n * 7 % 901, DATE('2024-01-01') + INTERVAL n % 3 DAY, ELT(1 + n % 3, 'abc', 'ABC', 'xyz'), n % 3 / 10 FROM i
----
ok, 0 rows
ok, 900 rows

query
SELECT _id, a, b FROM t ORDER BY a, b LIMIT 5
----
_id | a | b
129 | abc | 2
258 | abc | 4
387 | abc | 6
1 | ABC | 7
516 | abc | 8

query near
SHOW STATUS WHERE Variable_name IN ('sqlfdb_last_keys', 'sqlfdb_last_documents')
----
Variable_name | Value
sqlfdb_last_documents | 9
sqlfdb_last_keys | 16

query
SELECT _id, s, b FROM t ORDER BY s, b LIMIT 3
----
_id | s | b
1 | ABC | 7
130 | ABC | 9
259 | ABC | 11

query
SELECT _id, s, b FROM t ORDER BY s DESC, b DESC LIMIT 3
----
_id | s | b
386 | xyz | 900
257 | xyz | 898
128 | xyz | 896

query
SELECT _id, n, b FROM t ORDER BY n, b LIMIT 3
----
_id | n | b
129 | NULL | 2
258 | NULL | 4
387 | NULL | 6

query near
SHOW STATUS WHERE Variable_name IN ('sqlfdb_last_keys', 'sqlfdb_last_documents')
----
Variable_name | Value
sqlfdb_last_documents | 7
sqlfdb_last_keys | 19

query
SELECT _id, n, b FROM t ORDER BY n DESC, b LIMIT 3
----
_id | n | b
515 | 2 | 1
644 | 2 | 3
773 | 2 | 5

query
SELECT _id, n, b FROM t ORDER BY n IS NULL, n, b LIMIT 3
----
_id | n | b
1 | 1 | 7
130 | 1 | 9
259 | 1 | 11

query
SELECT _id, d, b FROM t ORDER BY d, b DESC LIMIT 2 OFFSET 3
----
_id | d | b
513 | 2024-01-01 | 888
384 | 2024-01-01 | 886

query near
SHOW STATUS WHERE Variable_name IN ('sqlfdb_last_keys', 'sqlfdb_last_documents')
----
Variable_name | Value
sqlfdb_last_documents | 16
sqlfdb_last_keys | 31

query
SELECT _id, f, b FROM t ORDER BY f DESC, b LIMIT 2
----
_id | f | b
515 | 0.2 | 1
644 | 0.2 | 3

# The first value's rows are too few.
query
SELECT COUNT(*), MIN(a), MAX(a), SUM(b) FROM (SELECT a, b FROM t ORDER BY a, b LIMIT 650) x
----
COUNT(*) | MIN(a) | MAX(a) | SUM(b)
650 | abc | xyz | 274074

query
SELECT _id, s, b FROM t ORDER BY s, b LIMIT 2 OFFSET 299
----
_id | s | b
772 | ABC | 899
129 | abc | 2

query
SELECT _id, s, b FROM t WHERE b > 890 ORDER BY s, b LIMIT 5
----
_id | s | b
256 | ABC | 891
385 | ABC | 893
514 | ABC | 895
643 | ABC | 897
772 | ABC | 899

query
SELECT _id, s, b FROM t WHERE s > 'ABC' ORDER BY s, b LIMIT 2
----
_id | s | b
129 | abc | 2
258 | abc | 4

query near
SHOW STATUS WHERE Variable_name IN ('sqlfdb_last_keys', 'sqlfdb_last_documents')
----
Variable_name | Value
sqlfdb_last_documents | 5
sqlfdb_last_keys | 13

# No row of the first value satisfies the condition.
query
SELECT _id, n, b FROM t WHERE n * 1 > 1 ORDER BY n, b LIMIT 2
----
_id | n | b
515 | 2 | 1
644 | 2 | 3

query near
EXPLAIN FORMAT=TREE SELECT _id FROM t ORDER BY s, b LIMIT 3
----
EXPLAIN
-> Limit: 3 rows
    -> Project: t._id
        -> The first of these, given up for the second: where it has fewer rows than 3
            -> The first of these, given up for the second: once it has cost 662.5
                -> Filter: (t.s = 'ABC')
                    -> Index range scan on t using b
                         range: `b` in all values
                         order: `b`: cost 37.7, sorting costs 662.5
                         keys: about 18 of 900
                         tight
                         residual: (t.s = 'ABC')
                         cost: 37.7, a full scan costs 900.0
                         lost: order by `b` among `s`: cost 66.9, the chosen one costs 37.7
                -> Sort: t.b, keep 3
                    -> Index lookup on t using s
                         range: `s` in 'ABC'
                         keys: 300 counted of 900
                         tight
                         cost: 615.0, a full scan costs 900.0
            -> Sort within equal t.s: t.s, t.b
                -> Index range scan on t using s
                     range: `s` in all values
                     order: `s`, then sorted within equal values: cost 870.5, sorting costs 1042.6
                     keys: about 303 of 900
                     tight
                     cost: 870.5, a full scan costs 900.0

query near
EXPLAIN SELECT _id FROM t ORDER BY s, b LIMIT 3
----
id | select_type | table | partitions | type | possible_keys | key | key_len | ref | rows | filtered | Extra
1 | SIMPLE | t | NULL | range | s | b | NULL | NULL | 18 | NULL | Using where
1 | SIMPLE | t | NULL | ref | s | s | NULL | const | 300 | 100 | Used if the walk before is given up; Using filesort
1 | SIMPLE | t | NULL | range | NULL | s | NULL | NULL | 303 | 100 | Used if the walk before is given up; Using filesort

# Three columns: the first group of the second one within that of the first, while the counts say that it has enough.
exec
CREATE TABLE o (_id INT PRIMARY KEY, paid BOOLEAN, s VARCHAR(10), b INT, far INT, c VARCHAR(4));
INSERT INTO o WITH RECURSIVE i AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM i WHERE n < 900)
SELECT n, n % 2, ELT(1 + n % 5, 'a', 'b', 'c', 'd', 'e'), n * 7 % 901, IF(n % 2, n % 3, 7 + n % 3), IF(n % 4 = 0, NULL, n % 4) FROM i
----
ok, 0 rows
ok, 900 rows

query
SELECT _id, paid, s, b FROM o ORDER BY paid, s, b LIMIT 3
----
_id | paid | s | b
130 | 0 | a | 9
260 | 0 | a | 18
390 | 0 | a | 27

query near
SHOW STATUS WHERE Variable_name IN ('sqlfdb_last_keys', 'sqlfdb_last_documents')
----
Variable_name | Value
sqlfdb_last_documents | 8
sqlfdb_last_keys | 524

query
SELECT _id, paid, s, b FROM o ORDER BY paid DESC, s DESC, b DESC, _id LIMIT 3 OFFSET 1
----
_id | paid | s | b
769 | 1 | e | 878
639 | 1 | e | 869
509 | 1 | e | 860

query near
SHOW STATUS WHERE Variable_name IN ('sqlfdb_last_keys', 'sqlfdb_last_documents')
----
Variable_name | Value
sqlfdb_last_documents | 12
sqlfdb_last_keys | 1081

query
SELECT _id, paid, c, s, b FROM o ORDER BY paid, c, s, b LIMIT 2
----
_id | paid | c | s | b
260 | 0 | NULL | a | 18
520 | 0 | NULL | a | 36

query near
SHOW STATUS WHERE Variable_name IN ('sqlfdb_last_keys', 'sqlfdb_last_documents')
----
Variable_name | Value
sqlfdb_last_documents | 48
sqlfdb_last_keys | 856

# The second group of that value is in no row of the first: the first group is put in order.
query
SELECT _id, paid, far, b FROM o ORDER BY paid, far, b LIMIT 3
----
_id | paid | far | b
258 | 0 | 7 | 4
516 | 0 | 7 | 8
774 | 0 | 7 | 12

query near
SHOW STATUS WHERE Variable_name IN ('sqlfdb_last_keys', 'sqlfdb_last_documents')
----
Variable_name | Value
sqlfdb_last_documents | 303
sqlfdb_last_keys | 2335

# Or the whole is.
query
SELECT COUNT(*), SUM(paid), SUM(b), MAX(s) FROM (SELECT paid, s, b FROM o ORDER BY paid, s, b LIMIT 91) x
----
COUNT(*) | SUM(paid) | SUM(b) | MAX(s)
91 | 0 | 40685 | b

query
SELECT COUNT(*), SUM(paid), SUM(b), MAX(s) FROM (SELECT paid, s, b FROM o ORDER BY paid, s, b LIMIT 460) x
----
COUNT(*) | SUM(paid) | SUM(b) | MAX(s)
460 | 10 | 203863 | e

query near
EXPLAIN FORMAT=TREE SELECT _id, paid, s, b FROM o ORDER BY paid, s, b LIMIT 3
----
EXPLAIN
-> Limit: 3 rows
    -> Project: o._id, o.paid, o.s, o.b
        -> The first of these, given up for the second: where it has fewer rows than 3
            -> The first of these, given up for the second: where it has fewer rows than 3
                -> The first of these, given up for the second: once it has cost 230.8
                    -> Filter: (o.paid = 0)
                        -> Index range scan on o using b
                             range: `b` in all values
                             order: `b` among `s`: cost 65.7, sorting costs 230.8
                             only those among: `s` in 'a'
                             keys: about 60 of 900
                             tight
                             residual: (o.paid = 0)
                             cost: 65.7, a full scan costs 900.0
                             lost: order by `b`: cost 124.8, the chosen one costs 65.7
                    -> Sort: o.b, keep 3
                        -> Intersection of index ranges on o using s, paid
                             range: `s` in 'a'
                             range: `paid` in 0
                             keys: about 630 of 1,800
                             tight
                             cost: 216.5, a full scan costs 900.0
                             lost: `paid` in 0, keys: 450 counted of 900: cost 922.5, an intersection costs 216.5
                             lost: `s` in 'a', keys: 180 counted of 900: cost 369.0, an intersection costs 216.5
                -> Sort within equal o.s: o.s, o.b
                    -> Index range scan on o using s
                         range: `s` in all values
                         order: `s` among `paid`, then sorted within equal values: cost 629.7, sorting costs 971.3
                         only those among: `paid` in 0
                         keys: about 366 of 900
                         tight
                         cost: 629.7, a full scan costs 900.0
                         lost: order by `s`: cost 1672.6, the chosen one costs 629.7
            -> Sort: o.paid, o.s, o.b, keep 3
                -> Table scan on o
                     documents: 900, exactly

query near
EXPLAIN SELECT _id, paid, s, b FROM o ORDER BY paid, s, b LIMIT 3
----
id | select_type | table | partitions | type | possible_keys | key | key_len | ref | rows | filtered | Extra
1 | SIMPLE | o | NULL | range | paid,s | b | NULL | NULL | 60 | NULL | Using where
1 | SIMPLE | o | NULL | index_merge | paid,s | s,paid | NULL | NULL | 630 | 100 | Using intersect(s,paid); Used if the walk before is given up; Using filesort
1 | SIMPLE | o | NULL | range | paid | s | NULL | NULL | 366 | 100 | Used if the walk before is given up; Using filesort
1 | SIMPLE | o | NULL | ALL | NULL | NULL | NULL | NULL | 900 | 100 | Used if the walk before is given up; Using filesort

exec
SET sqlfdb_use_index = OFF
----
ok, 0 rows

query
SELECT _id, paid, s, b FROM o ORDER BY paid, s, b LIMIT 3
----
_id | paid | s | b
130 | 0 | a | 9
260 | 0 | a | 18
390 | 0 | a | 27

query
SELECT _id, paid, s, b FROM o ORDER BY paid DESC, s DESC, b DESC, _id LIMIT 3 OFFSET 1
----
_id | paid | s | b
769 | 1 | e | 878
639 | 1 | e | 869
509 | 1 | e | 860

query
SELECT _id, paid, c, s, b FROM o ORDER BY paid, c, s, b LIMIT 2
----
_id | paid | c | s | b
260 | 0 | NULL | a | 18
520 | 0 | NULL | a | 36

query
SELECT _id, paid, far, b FROM o ORDER BY paid, far, b LIMIT 3
----
_id | paid | far | b
258 | 0 | 7 | 4
516 | 0 | 7 | 8
774 | 0 | 7 | 12

query
SELECT COUNT(*), SUM(paid), SUM(b), MAX(s) FROM (SELECT paid, s, b FROM o ORDER BY paid, s, b LIMIT 91) x
----
COUNT(*) | SUM(paid) | SUM(b) | MAX(s)
91 | 0 | 40685 | b

query
SELECT COUNT(*), SUM(paid), SUM(b), MAX(s) FROM (SELECT paid, s, b FROM o ORDER BY paid, s, b LIMIT 460) x
----
COUNT(*) | SUM(paid) | SUM(b) | MAX(s)
460 | 10 | 203863 | e

exec
SET sqlfdb_use_index = ON
----
ok, 0 rows

query
CHECK TABLE o
----
Table | Op | Msg_type | Msg_text
d.o | check | status | OK

# Within a transaction, of derived tables, in subqueries, of set operations and prepared.
exec
BEGIN;
INSERT INTO t (_id, s, b) VALUES (1001, '', 5), (1002, '', 4)
----
ok, 0 rows
ok, 2 rows

query
SELECT _id, s, b FROM t ORDER BY s, b LIMIT 3
----
_id | s | b
1002 |  | 4
1001 |  | 5
1 | ABC | 7

exec
DELETE FROM t WHERE s IS NULL OR s = 'ABC'
----
ok, 300 rows

query
SELECT _id, s, b FROM t ORDER BY s, b LIMIT 4
----
_id | s | b
1002 |  | 4
1001 |  | 5
129 | abc | 2
258 | abc | 4

exec
ROLLBACK
----
ok, 0 rows

query
SELECT x._id, y._id FROM (SELECT _id, b FROM t ORDER BY s, b LIMIT 3) x JOIN t y ON y._id = x.b + 1 ORDER BY 1
----
_id | _id
1 | 8
130 | 10
259 | 12

query
SELECT o._id, (SELECT _id FROM t ORDER BY s, b LIMIT 1 OFFSET 1) AS one, (SELECT i._id FROM t i WHERE i.b > o.b ORDER BY i.s DESC, i.b LIMIT 1) AS next FROM t o WHERE o._id < 4
----
_id | one | next
1 | 130 | 2
2 | 130 | 131
3 | 130 | 518

query
(SELECT _id FROM t ORDER BY s, b LIMIT 2) UNION ALL (SELECT _id FROM t ORDER BY s DESC, b LIMIT 2)
----
_id
1
130
515
644

exec
PREPARE p FROM 'SELECT _id, s, b FROM t WHERE b > ? ORDER BY s, b LIMIT 2';
SET @b = 100;
----
ok, 0 rows
ok, 0 rows

query
EXECUTE p USING @b
----
_id | s | b
658 | ABC | 101
787 | ABC | 103

exec
SET @b = 898
----
ok, 0 rows

query
EXECUTE p USING @b
----
_id | s | b
772 | ABC | 899
386 | xyz | 900

# With the index off it's all the same.
exec
SET sqlfdb_use_index = OFF
----
ok, 0 rows

query
SELECT _id, a, b FROM t ORDER BY a, b LIMIT 5
----
_id | a | b
129 | abc | 2
258 | abc | 4
387 | abc | 6
1 | ABC | 7
516 | abc | 8

query
SELECT _id, n, b FROM t ORDER BY n, b LIMIT 3
----
_id | n | b
129 | NULL | 2
258 | NULL | 4
387 | NULL | 6

query
SELECT _id, d, b FROM t ORDER BY d, b DESC LIMIT 2 OFFSET 3
----
_id | d | b
513 | 2024-01-01 | 888
384 | 2024-01-01 | 886

query
SELECT _id, s, b FROM t ORDER BY s, b LIMIT 2 OFFSET 299
----
_id | s | b
772 | ABC | 899
129 | abc | 2

query
SELECT _id, s, b FROM t WHERE b > 890 ORDER BY s, b LIMIT 5
----
_id | s | b
256 | ABC | 891
385 | ABC | 893
514 | ABC | 895
643 | ABC | 897
772 | ABC | 899

query
CHECK TABLE t
----
Table | Op | Msg_type | Msg_text
d.t | check | status | OK

# Aggregates of several columns that a declared index has read its entries.

exec
CREATE TABLE r (id INT PRIMARY KEY, a INT, b VARCHAR(20), c INT, d DOUBLE, t VARCHAR(20) COLLATE utf8mb4_0900_ai_ci, KEY ab (a, b), KEY cba (c, b, a), KEY ad (a, d), KEY at (a, t));
INSERT INTO r WITH RECURSIVE n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n WHERE i < 300) SELECT i, IF(i % 7 = 0, NULL, i % 5), CONCAT('b', i % 6), i % 4, i % 3, IF(i % 2, 'x', 'X') FROM n;
CREATE TABLE o (_id VARCHAR(255) PRIMARY KEY, _doc JSON);
INSERT INTO o (_doc) VALUES ('{"_id":"1","s":"x","u":{"v":1}}'), ('{"_id":"2","s":"x","u":{"v":1}}'), ('{"_id":"3","s":"y"}'), ('{"_id":"4","s":null,"u":{"v":2}}'), ('{"_id":"5","u":{"v":2}}');
CREATE INDEX suv ON o (s, `u.v`)
----
ok, 0 rows
ok, 300 rows
ok, 0 rows
ok, 5 rows
ok, 0 rows

query settled
EXPLAIN FORMAT=TREE SELECT a, b, COUNT(*) FROM r GROUP BY a, b
----
EXPLAIN
-> Project: r.a, r.b, count(1)
    -> Group: by r.a, r.b: COUNT(1), r.a, r.b
         executor: batch
        -> Values and their counts of r using ab
             range: index `ab` in all values
             entries only: no document is read
             keys: 300 counted of 300
             tight
             cost: 45.0, a full scan costs 300.0

query
SELECT a, b, COUNT(*) FROM r GROUP BY a, b ORDER BY a, b LIMIT 8
----
a | b | COUNT(*)
NULL | b0 | 7
NULL | b1 | 7
NULL | b2 | 7
NULL | b3 | 7
NULL | b4 | 7
NULL | b5 | 7
0 | b0 | 9
0 | b1 | 9

query
SHOW STATUS LIKE 'sqlfdb_last_documents'
----
Variable_name | Value
sqlfdb_last_documents | 0

query
EXPLAIN SELECT DISTINCT b, a FROM r
----
id | select_type | table | partitions | type | possible_keys | key | key_len | ref | rows | filtered | Extra
1 | SIMPLE | r | NULL | index | NULL | ab | NULL | NULL | 300 | 100 | Using index; Using index for group-by; Using temporary

query
EXPLAIN FORMAT=TREE SELECT COUNT(DISTINCT a, b), COUNT(DISTINCT a), MAX(b) FROM r
----
EXPLAIN
-> Project: countdistinct([r.a r.b]), countdistinct([r.a]), max(r.b)
    -> Aggregate: COUNTDISTINCT([r.a r.b]), COUNTDISTINCT([r.a]), MAX(r.b)
         executor: interpreted: not in batches: COUNTDISTINCT([r.a r.b])
        -> Distinct values of r using ab
             range: index `ab` in all values
             entries only: no document is read
             keys: 300 counted of 300
             tight
             cost: 45.0, a full scan costs 300.0

query
SELECT COUNT(DISTINCT a, b), COUNT(DISTINCT a), MAX(b) FROM r
----
COUNT(DISTINCT a, b) | COUNT(DISTINCT a) | MAX(b)
30 | 5 | b5

query
SELECT a, COUNT(*), COUNT(DISTINCT b), MIN(b), MAX(b) FROM r GROUP BY a HAVING COUNT(*) > 50 ORDER BY a
----
a | COUNT(*) | COUNT(DISTINCT b) | MIN(b) | MAX(b)
0 | 52 | 6 | b0 | b5
1 | 52 | 6 | b0 | b5
2 | 51 | 6 | b0 | b5
3 | 52 | 6 | b0 | b5
4 | 51 | 6 | b0 | b5

# Conditions on the columns become its ranges, or are tested of its values.

query
EXPLAIN FORMAT=TREE SELECT b, COUNT(*) FROM r WHERE a = 3 AND b > 'b2' GROUP BY b
----
EXPLAIN
-> Project: r.b, count(1)
    -> Group: by r.b: COUNT(1), r.b
         executor: interpreted: few rows
        -> Values and their counts of r using ab
             range: index `ab` in `a` in 3 and `b` in ('b2', …)
             entries only: no document is read
             keys: 25 counted of 258
             tight
             cost: 3.8, a full scan costs 300.0

query
SELECT b, COUNT(*) FROM r WHERE a = 3 AND b > 'b2' GROUP BY b ORDER BY b
----
b | COUNT(*)
b3 | 8
b4 | 8
b5 | 9

query
EXPLAIN FORMAT=TREE SELECT a, b, COUNT(*) FROM r WHERE a IS NULL AND b LIKE '%1' GROUP BY a, b
----
EXPLAIN
-> Project: r.a, r.b, count(1)
    -> Group: by r.a, r.b: COUNT(1), r.a, r.b
         executor: interpreted: few rows
        -> Filter: r.b LIKE '%1'
            -> Values and their counts of r using ab
                 range: index `ab` in `a` in null and `b` in strings
                 entries only: no document is read
                 residual, of each value: r.b LIKE '%1'
                 keys: 42 counted of 42
                 not tight: the filter stays
                 residual: r.b LIKE '%1'
                 cost: 6.3, a full scan costs 300.0

query
SELECT a, b, COUNT(*) FROM r WHERE a IS NULL AND b LIKE '%1' GROUP BY a, b
----
a | b | COUNT(*)
NULL | b1 | 7

query
EXPLAIN FORMAT=TREE SELECT COUNT(*) FROM r WHERE a = 2 AND b = 'b1'
----
EXPLAIN
-> Project: count(1)
    -> Aggregate: COUNT(1)
         executor: interpreted: few rows
        -> Values and their counts of r using ab
             range: index `ab` in `a` in 2 and `b` in 'b1'
             entries only: no document is read
             keys: 8 counted of 258
             tight
             cost: 1.2, a full scan costs 300.0

query
SELECT COUNT(*) FROM r WHERE a = 2 AND b = 'b1'
----
COUNT(*)
8

query
EXPLAIN FORMAT=TREE SELECT SUM(a * c), COUNT(*) FROM r WHERE c > 1
----
EXPLAIN
-> Project: sum((r.a * r.c)), count(1)
    -> Aggregate: COUNT(1), SUM((r.a * r.c))
         executor: interpreted: few rows
        -> Values and their counts of r using cba
             range: index `cba` in `c` in (1, +∞)
             entries only: no document is read
             keys: 150 counted of 300
             tight
             cost: 22.5, a full scan costs 300.0

query
SELECT SUM(a * c), COUNT(*) FROM r WHERE c > 1
----
SUM(a * c) | COUNT(*)
636 | 150

# One key tells the least value.

query
EXPLAIN FORMAT=TREE SELECT MIN(b) FROM r WHERE a = 3
----
EXPLAIN
-> Project: min(r.b)
    -> Aggregate: MIN(r.b)
         executor: interpreted: not one table
        -> Limit: 1 rows
            -> Index range scan on r using ab
                 range: index `ab` in `a` in 3 and `b` in not null
                 order: index `ab`: cost 2.0, looking at all costs 7.9
                 ends after: 1
                 keys: about 1 of 52
                 tight
                 cost: 2.0, a full scan costs 300.0
                 lost: order by `b` among `a`: cost 13.0, the chosen one costs 2.0
                 lost: order by `b`: cost 23.9, the chosen one costs 2.0

query
SELECT MIN(b), MAX(b) FROM r WHERE a = 3
----
MIN(b) | MAX(b)
b0 | b5

# One column has entries of its own. No index has these, or it has of a text that ignores case no more than its sort key, or a 0 that may be -0.

query
EXPLAIN FORMAT=TREE SELECT a, COUNT(*) FROM r GROUP BY a
----
EXPLAIN
-> Project: r.a, count(1)
    -> Group: by r.a: COUNT(1), r.a
         executor: batch
        -> Values and their counts of r using a
             entries only: no document is read
             keys: about 300 of 300

query
EXPLAIN FORMAT=TREE SELECT b, d, COUNT(*) FROM r GROUP BY b, d
----
EXPLAIN
-> Project: r.b, r.d, count(1)
    -> Group: by r.b, r.d: COUNT(1), r.b, r.d
         executor: batch
        -> Table scan on r
             documents: 300, exactly

query
EXPLAIN FORMAT=TREE SELECT a, COUNT(t) FROM r GROUP BY a
----
EXPLAIN
-> Project: r.a, count(r.t)
    -> Group: by r.a: COUNT(r.t), r.a
         executor: batch
        -> Table scan on r
             documents: 300, exactly

query
EXPLAIN FORMAT=TREE SELECT a, d FROM r GROUP BY a, d
----
EXPLAIN
-> Group: by r.a, r.d: r.a, r.d
     executor: batch
    -> Table scan on r
         documents: 300, exactly

query
EXPLAIN FORMAT=TREE SELECT a, b, COUNT(*) FROM r IGNORE INDEX (ab, cba) GROUP BY a, b
----
EXPLAIN
-> Project: r.a, r.b, count(1)
    -> Group: by r.a, r.b: COUNT(1), r.a, r.b
         executor: batch
        -> Table scan on r
             documents: 300, exactly

# Of an open table: null in JSON and what is missing are NULL.

query settled
EXPLAIN FORMAT=TREE SELECT s, `u.v`, COUNT(*) FROM o GROUP BY s, `u.v`
----
EXPLAIN
-> Project: o.s, o.u.v, count(1)
    -> Group: by o.s, o.u.v: COUNT(1), o.s, o.u.v
         executor: interpreted: few rows
        -> Values and their counts of o using suv
             range: index `suv` in all values
             entries only: no document is read
             keys: 5 counted of 5
             tight
             cost: 0.8, a full scan costs 5.0

query
SELECT s, `u.v`, COUNT(*) FROM o GROUP BY s, `u.v` ORDER BY 1, 2
----
s | u.v | COUNT(*)
NULL | 2 | 2
x | 1 | 2
y | NULL | 1

# A transaction sees what it has written.

exec
BEGIN;
INSERT INTO o (_doc) VALUES ('{"_id":"6","s":"z","u":{"v":7}}');
DELETE FROM o WHERE _id = '1'
----
ok, 0 rows
ok, 1 rows
ok, 1 rows

query
SELECT s, `u.v`, COUNT(*) FROM o GROUP BY s, `u.v` ORDER BY 1, 2
----
s | u.v | COUNT(*)
NULL | 2 | 2
x | 1 | 1
y | NULL | 1
z | 7 | 1

exec
ROLLBACK
----
ok, 0 rows

query
CHECK TABLE r, o
----
Table | Op | Msg_type | Msg_text
d.r | check | status | OK
d.o | check | status | OK

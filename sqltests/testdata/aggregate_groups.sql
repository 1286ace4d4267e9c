# GROUP BY a column of few values: what is asked of other columns is asked for each value by itself, where that reads less than all documents.
exec
CREATE TABLE t (_id INT PRIMARY KEY, a VARCHAR(10) COLLATE utf8mb4_0900_ai_ci, n INT, b INT, d DATE, s VARCHAR(10) COLLATE utf8mb4_bin, f DOUBLE);
INSERT INTO t WITH RECURSIVE i AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM i WHERE n < 3000) SELECT n, ELT(1 + n % 3, 'abc', 'ABC', 'xyz'), IF(n % 3 = 0, NULL, n % 3), n * 7 % 3001, DATE('2024-01-01') + INTERVAL n % 4 DAY, ELT(1 + n % 5, 'a', 'b', 'c', 'd', 'e'), n % 700 / 10 FROM i;
UPDATE t SET b = NULL WHERE s = 'c'
----
ok, 0 rows
ok, 3000 rows
ok, 600 rows

query near
SELECT s, MAX(b) FROM t GROUP BY s
----
s | MAX(b)
a | 2994
b | 3000
c | NULL
d | 2997
e | 2995

query near
SHOW STATUS WHERE Variable_name IN ('sqlfdb_last_keys', 'sqlfdb_last_documents')
----
Variable_name | Value
sqlfdb_last_documents | 282
sqlfdb_last_keys | 1954

query near
EXPLAIN FORMAT=TREE SELECT s, MAX(b) FROM t GROUP BY s
----
EXPLAIN
-> Project: t.s, max(t.b)
    -> Groups, one by one: the first lists them, 5, the second is that of one of them: the last is run instead once they have cost 3000.0
        -> Group: by t.s: t.s
             executor: batch
            -> Distinct values of t using s
                 entries only: no document is read
                 keys: about 3,000 of 3,000
        -> Aggregate: MAX(t.b)
             executor: interpreted: not one table
            -> The first of these, given up for the second: once it has cost 540.1
                -> Filter: (t.s = 'a')
                    -> Index range scan on t using b
                         range: `b` in not null
                         order: `b` descending: cost 24.0, looking at all costs 540.1
                         keys: about 12 of 2,400
                         tight
                         residual: (t.s = 'a')
                         cost: 24.0, a full scan costs 3000.0
                         lost: order by `b` descending among `s`: cost 107.6, the chosen one costs 24.0
                -> Values and their counts of t using b
                     entries only: no document is read
                     of the documents with `s` in 'a'
                     cost: 540.0, reading documents costs 1230.0
                     keys: about 3,600 of 6,000
        -> Group: by t.s: MAX(t.b), t.s
             executor: batch
            -> Table scan on t
                 documents: 3,000, exactly

query near
EXPLAIN SELECT s, MAX(b) FROM t GROUP BY s
----
id | select_type | table | partitions | type | possible_keys | key | key_len | ref | rows | filtered | Extra
1 | SIMPLE | t | NULL | index | NULL | s | NULL | NULL | 3000 | 100 | Using index; Using index for group-by; Using temporary
1 | SIMPLE | t | NULL | range | b,s | b | NULL | NULL | 12 | NULL | Using where
1 | SIMPLE | t | NULL | index | NULL | b | NULL | NULL | 3600 | 100 | Using index; Used if the walk before is given up
1 | SIMPLE | t | NULL | ALL | NULL | NULL | NULL | NULL | 3000 | 100 | Used if the walk before is given up; Using temporary

query
SELECT s, COUNT(*), MIN(b), MAX(b), MAX(f), MIN(d) FROM t GROUP BY s ORDER BY s DESC
----
s | COUNT(*) | MIN(b) | MAX(b) | MAX(f) | MIN(d)
e | 600 | 2 | 2995 | 69.9 | 2024-01-01
d | 600 | 4 | 2997 | 69.8 | 2024-01-01
c | 600 | NULL | NULL | 69.7 | 2024-01-01
b | 600 | 7 | 3000 | 69.6 | 2024-01-01
a | 600 | 1 | 2994 | 69.5 | 2024-01-01

query
SHOW STATUS WHERE Variable_name IN ('sqlfdb_last_keys', 'sqlfdb_last_documents')
----
Variable_name | Value
sqlfdb_last_documents | 3000
sqlfdb_last_keys | 125

query
SELECT UPPER(MIN(a)), MAX(b), COUNT(*) FROM t GROUP BY a ORDER BY 1
----
UPPER(MIN(a)) | MAX(b) | COUNT(*)
ABC | 2997 | 2000
XYZ | 3000 | 1000

query
SELECT n, MAX(b) - MIN(b) AS width FROM t AS x GROUP BY n HAVING width > 2900 ORDER BY n
----
n | width
NULL | 2992
1 | 2990
2 | 2999

query near
SHOW STATUS WHERE Variable_name IN ('sqlfdb_last_keys', 'sqlfdb_last_documents')
----
Variable_name | Value
sqlfdb_last_documents | 17
sqlfdb_last_keys | 186

query
SELECT MIN(b) FROM t GROUP BY d ORDER BY d LIMIT 2
----
MIN(b)
3
2

query
SELECT x.s, t._id FROM (SELECT s, MAX(b) AS m FROM t GROUP BY s) x JOIN t ON t.s = x.s AND t.b = x.m ORDER BY 1
----
s | _id
a | 3000
b | 1286
d | 2143
e | 1714

query near
SHOW STATUS WHERE Variable_name IN ('sqlfdb_last_keys', 'sqlfdb_last_documents')
----
Variable_name | Value
sqlfdb_last_documents | 286
sqlfdb_last_keys | 2083

# Conditions on the same column, exact and not.
query
SELECT s, MAX(b) FROM t WHERE s > 'b' GROUP BY s
----
s | MAX(b)
c | NULL
d | 2997
e | 2995

query
SELECT s, MAX(b) FROM t WHERE s LIKE '%d%' OR s LIKE '%e%' GROUP BY s
----
s | MAX(b)
d | 2997
e | 2995

query near
SHOW STATUS WHERE Variable_name IN ('sqlfdb_last_keys', 'sqlfdb_last_documents')
----
Variable_name | Value
sqlfdb_last_documents | 6
sqlfdb_last_keys | 270

# Of each value all documents would be read, or there are many values.
query
SELECT s, SUM(b) FROM t GROUP BY s
----
s | SUM(b)
b | 900903
c | NULL
d | 900300
e | 898498
a | 899697

query
SELECT COUNT(*), SUM(m) FROM (SELECT f, MAX(b) AS m FROM t GROUP BY f) x
----
COUNT(*) | SUM(m)
700 | 1455107

query
SELECT s, MAX(b) FROM t WHERE n = 1 GROUP BY s
----
s | MAX(b)
b | 2991
e | 2995
c | NULL
a | 2993
d | 2997

# Conditions on other columns: of each group the first row that satisfies them, and groups without one are left out.
query
SELECT s, MAX(b) FROM t WHERE n = 1 GROUP BY s
----
s | MAX(b)
b | 2991
e | 2995
c | NULL
a | 2993
d | 2997

query
SHOW STATUS WHERE Variable_name IN ('sqlfdb_last_keys', 'sqlfdb_last_documents')
----
Variable_name | Value
sqlfdb_last_documents | 1000
sqlfdb_last_keys | 1125

query near
SELECT n, MAX(b), MIN(f) FROM t WHERE s <> 'a' GROUP BY n
----
n | MAX(b) | MIN(f)
NULL | 2992 | 0.1
1 | 2997 | 0.1
2 | 3000 | 0.1

query near
SHOW STATUS WHERE Variable_name IN ('sqlfdb_last_keys', 'sqlfdb_last_documents')
----
Variable_name | Value
sqlfdb_last_documents | 28
sqlfdb_last_keys | 194

query near
SELECT n, MAX(b) FROM t WHERE f >= 1 AND (n > 1 OR n IS NULL) GROUP BY n
----
n | MAX(b)
NULL | 2994
2 | 3000

query near
SHOW STATUS WHERE Variable_name IN ('sqlfdb_last_keys', 'sqlfdb_last_documents')
----
Variable_name | Value
sqlfdb_last_documents | 6
sqlfdb_last_keys | 112

query near
SELECT s, MAX(f) FROM t WHERE b > 20 GROUP BY s
----
s | MAX(f)
a | 69.5
b | 69.6
d | 69.8
e | 69.9

query near
SHOW STATUS WHERE Variable_name IN ('sqlfdb_last_keys', 'sqlfdb_last_documents')
----
Variable_name | Value
sqlfdb_last_documents | 1893
sqlfdb_last_keys | 2401

query
SELECT d, MAX(b) FROM t WHERE f < 60 AND d <> '2024-01-02' GROUP BY d HAVING MAX(b) < 3000
----
d | MAX(b)
2024-01-04 | 2997
2024-01-01 | 2996

query
SHOW STATUS WHERE Variable_name IN ('sqlfdb_last_keys', 'sqlfdb_last_documents')
----
Variable_name | Value
sqlfdb_last_documents | 3000
sqlfdb_last_keys | 0

query
SELECT n, COUNT(*), MAX(b) FROM t WHERE s <> 'a' GROUP BY n
----
n | COUNT(*) | MAX(b)
1 | 800 | 2997
2 | 800 | 3000
NULL | 800 | 2992

query
SHOW STATUS WHERE Variable_name IN ('sqlfdb_last_keys', 'sqlfdb_last_documents')
----
Variable_name | Value
sqlfdb_last_documents | 3000
sqlfdb_last_keys | 0

query near
EXPLAIN FORMAT=TREE SELECT n, MAX(b), MIN(f) FROM t WHERE s <> 'a' GROUP BY n
----
EXPLAIN
-> Project: t.n, max(t.b), min(t.f)
    -> Groups, one by one: the first lists them, 3, the second is that of one of them: the last is run instead once they have cost 3000.0
        -> Group: by t.n: t.n
             executor: batch
            -> Distinct values of t using n
                 entries only: no document is read
                 keys: about 3,000 of 3,000
        -> Aggregates, each read by itself: or all by the last, if one is given up
            -> Aggregate: MAX(t.b)
                 executor: interpreted: not one table
                -> Limit: 1 rows
                    -> Filter: ((NOT((t.s = 'a'))) AND t.n IS NULL)
                        -> Index range scan on t using b
                             range: `b` in not null
                             order: `b` descending: cost 15.3, looking at all costs 1025.1
                             keys: about 8 of 2,400
                             tight
                             residual: (NOT((t.s = 'a'))) AND t.n IS NULL
                             cost: 15.3, a full scan costs 3000.0
                             lost: order by `b` descending among `s`: cost 510.1, the chosen one costs 15.3
            -> Aggregate: MIN(t.f)
                 executor: interpreted: not one table
                -> Limit: 1 rows
                    -> Filter: ((NOT((t.s = 'a'))) AND t.n IS NULL)
                        -> Index range scan on t using f
                             range: `f` in not null
                             order: `f`: cost 15.3, looking at all costs 1025.1
                             keys: about 8 of 3,000
                             tight
                             residual: (NOT((t.s = 'a'))) AND t.n IS NULL
                             cost: 15.3, a full scan costs 3000.0
                             lost: order by `f` among `s`: cost 507.5, the chosen one costs 15.3
            -> Aggregate: MAX(t.b), MIN(t.f)
                 executor: batch
                -> Filter: (NOT((t.s = 'a')))
                    -> Index range scan on t using n
                         range: `n` in null
                         keys: 1,000 counted of 1,000; 0 documents lack the keypath
                         tight
                         residual: (NOT((t.s = 'a')))
                         cost: 2050.0, a full scan costs 3000.0
                         lost: `s` in ['', 'a'), ('a', …), keys: about 2,474 of 3,000: cost 5071.7, the chosen one costs 2050.0
        -> Group: by t.n: MAX(t.b), MIN(t.f), t.n
             executor: batch
            -> Filter: (NOT((t.s = 'a')))
                 executor: batch
                -> Table scan on t
                     documents: 3,000, exactly
                     residual: (NOT((t.s = 'a')))
                     lost: `s` in ['', 'a'), ('a', …), keys: about 2,474 of 3,000: cost 5071.7, a full scan costs 3000.0

# In transactions, prepared, in subqueries and set operations.
exec
BEGIN;
INSERT INTO t (_id, s, b) VALUES (4001, 'new', 77777), (4002, 'a', 88888);
DELETE FROM t WHERE s IN ('b', 'c')
----
ok, 0 rows
ok, 2 rows
ok, 1200 rows

query near
SELECT s, MAX(b) FROM t GROUP BY s
----
s | MAX(b)
a | 88888
d | 2997
e | 2995
new | 77777

exec
ROLLBACK;
PREPARE p FROM 'SELECT s, MAX(b) FROM t WHERE s <> ? GROUP BY s';
SET @s = 'd'
----
ok, 0 rows
ok, 0 rows
ok, 0 rows

query near
EXECUTE p USING @s
----
s | MAX(b)
a | 2994
b | 3000
c | NULL
e | 2995

query
SELECT _id, (SELECT COUNT(*) FROM (SELECT s, MAX(b) AS m FROM t GROUP BY s) x WHERE x.m > t._id + 2990) AS c FROM t WHERE _id < 4
----
_id | c
1 | 4
2 | 4
3 | 4

query near
SELECT s, MAX(b) FROM t GROUP BY s UNION ALL SELECT n, MIN(b) FROM t GROUP BY n
----
s | MAX(b)
a | 2994
b | 3000
c | NULL
d | 2997
e | 2995
NULL | 2
1 | 7
2 | 1

exec
SET sqlfdb_use_index = OFF
----
ok, 0 rows

query
SELECT s, COUNT(*), MIN(b), MAX(b), MAX(f), MIN(d) FROM t GROUP BY s ORDER BY s DESC
----
s | COUNT(*) | MIN(b) | MAX(b) | MAX(f) | MIN(d)
e | 600 | 2 | 2995 | 69.9 | 2024-01-01
d | 600 | 4 | 2997 | 69.8 | 2024-01-01
c | 600 | NULL | NULL | 69.7 | 2024-01-01
b | 600 | 7 | 3000 | 69.6 | 2024-01-01
a | 600 | 1 | 2994 | 69.5 | 2024-01-01

query
SELECT UPPER(MIN(a)), MAX(b), COUNT(*) FROM t GROUP BY a ORDER BY 1
----
UPPER(MIN(a)) | MAX(b) | COUNT(*)
ABC | 2997 | 2000
XYZ | 3000 | 1000

query
SELECT n, MAX(b) - MIN(b) AS width FROM t AS x GROUP BY n HAVING width > 2900 ORDER BY n
----
n | width
NULL | 2992
1 | 2990
2 | 2999

query
SELECT x.s, t._id FROM (SELECT s, MAX(b) AS m FROM t GROUP BY s) x JOIN t ON t.s = x.s AND t.b = x.m ORDER BY 1
----
s | _id
a | 3000
b | 1286
d | 2143
e | 1714

# The first group is one document, the others cost more than was thought: given up for the whole, unless that is a full scan that is not allowed.
exec
SET sqlfdb_use_index = ON;
CREATE TABLE u (_id INT PRIMARY KEY, b INT, c INT, d INT, s VARCHAR(10) COLLATE utf8mb4_bin);
INSERT INTO u WITH RECURSIVE i AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM i WHERE n < 3000) SELECT n, n * 7 % 3001, n * 11 % 3001, n * 13 % 3001, IF(n = 1, '0', CHAR(97 + n % 14)) FROM i
----
ok, 0 rows
ok, 0 rows
ok, 3000 rows

query
SELECT s, MIN(b), MAX(b), MIN(c), MAX(c), MIN(d), MAX(d) FROM u GROUP BY s ORDER BY s LIMIT 3
----
s | MIN(b) | MAX(b) | MIN(c) | MAX(c) | MIN(d) | MAX(d)
0 | 7 | 7 | 11 | 11 | 13 | 13
a | 13 | 2990 | 4 | 2946 | 4 | 2936
b | 20 | 2997 | 15 | 2957 | 17 | 2949

query near
SHOW STATUS LIKE 'sqlfdb_last_documents'
----
Variable_name | Value
sqlfdb_last_documents | 3061

exec
SET sqlfdb_full_scans = 'deny'
----
ok, 0 rows

prepared
SELECT s, MIN(b), MAX(b), MIN(c), MAX(c), MIN(d), MAX(d) FROM u GROUP BY s ORDER BY s LIMIT 3
----
s | MIN(b) | MAX(b) | MIN(c) | MAX(c) | MIN(d) | MAX(d)
0 | 7 | 7 | 11 | 11 | 13 | 13
a | 13 | 2990 | 4 | 2946 | 4 | 2936
b | 20 | 2997 | 15 | 2957 | 17 | 2949

query
SHOW STATUS LIKE 'sqlfdb_last_documents'
----
Variable_name | Value
sqlfdb_last_documents | 85

query
EXPLAIN FORMAT=TREE SELECT s, MIN(b), MAX(b), MIN(c), MAX(c), MIN(d), MAX(d) FROM u GROUP BY s
----
EXPLAIN
-> Project: u.s, min(u.b), max(u.b), min(u.c), max(u.c), min(u.d), max(u.d)
    -> Groups, one by one: the first lists them, 15, the second is that of one of them
        -> Group: by u.s: u.s
             executor: batch
            -> Distinct values of u using s
                 entries only: no document is read
                 keys: about 3,000 of 3,000
        -> Aggregate: MAX(u.b), MAX(u.c), MAX(u.d), MIN(u.b), MIN(u.c), MIN(u.d)
             executor: interpreted: few rows
            -> Index lookup on u using s
                 range: `s` in '0'
                 keys: 1 counted of 3,000
                 tight
                 cost: 2.0, a full scan costs 3000.0

exec
SET sqlfdb_full_scans = 'warn'
----
ok, 0 rows

prepared
SELECT s, MIN(b), MAX(b), MIN(c), MAX(c), MIN(d), MAX(d) FROM u GROUP BY s ORDER BY s LIMIT 3
----
s | MIN(b) | MAX(b) | MIN(c) | MAX(c) | MIN(d) | MAX(d)
0 | 7 | 7 | 11 | 11 | 13 | 13
a | 13 | 2990 | 4 | 2946 | 4 | 2936
b | 20 | 2997 | 15 | 2957 | 17 | 2949

query
SHOW WARNINGS
----
Level | Code | Message

exec
SET sqlfdb_full_scans = 'allow';
SET sqlfdb_use_index = OFF
----
ok, 0 rows
ok, 0 rows

query
CHECK TABLE u
----
Table | Op | Msg_type | Msg_text
d.u | check | status | OK

query
SELECT s, MAX(b) FROM t WHERE n = 1 GROUP BY s
----
s | MAX(b)
b | 2991
e | 2995
c | NULL
a | 2993
d | 2997

query
SELECT n, MAX(b), MIN(f) FROM t WHERE s <> 'a' GROUP BY n
----
n | MAX(b) | MIN(f)
1 | 2997 | 0.1
2 | 3000 | 0.1
NULL | 2992 | 0.1

query
SELECT n, MAX(b) FROM t WHERE f >= 1 AND (n > 1 OR n IS NULL) GROUP BY n
----
n | MAX(b)
2 | 3000
NULL | 2994

query
SELECT s, MAX(f) FROM t WHERE b > 20 GROUP BY s
----
s | MAX(f)
d | 69.8
e | 69.9
a | 69.5
b | 69.6

query
SELECT d, MAX(b) FROM t WHERE f < 60 AND d <> '2024-01-02' GROUP BY d HAVING MAX(b) < 3000
----
d | MAX(b)
2024-01-04 | 2997
2024-01-01 | 2996

query
SELECT n, COUNT(*), MAX(b) FROM t WHERE s <> 'a' GROUP BY n
----
n | COUNT(*) | MAX(b)
1 | 800 | 2997
2 | 800 | 3000
NULL | 800 | 2992

# Groups without a row cost more than all documents, which may not be read instead. (Without the index they would have to be.)
exec
CREATE TABLE w (_id INT PRIMARY KEY, _doc JSON);
INSERT INTO w (_id, _doc) WITH RECURSIVE i AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM i WHERE n < 4000) SELECT n, JSON_OBJECT('s', ELT(1 + n % 5, 'a', 'b', 'c', 'd', 'e'), 'b', n, 'c', CONCAT('k', n)) FROM i;
SET sqlfdb_use_index = ON;
SET sqlfdb_full_scans = 'deny'
----
ok, 0 rows
ok, 4000 rows
ok, 0 rows
ok, 0 rows

prepared
SELECT s, MAX(b) FROM w WHERE CHAR_LENGTH(c) = 100 GROUP BY s
----
s | MAX(b)

prepared
SELECT s, MAX(none) FROM w WHERE CHAR_LENGTH(c) = 2 GROUP BY s
----
s | MAX(none)
a | NULL
b | NULL
c | NULL
d | NULL
e | NULL

query
CHECK TABLE t
----
Table | Op | Msg_type | Msg_text
d.t | check | status | OK

query
CHECK TABLE w
----
Table | Op | Msg_type | Msg_text
d.w | check | status | OK

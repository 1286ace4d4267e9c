# A correlated subquery that depends on the outer row by equalities alone is computed once for all values, by groups.

exec
CREATE TABLE c (_id INT PRIMARY KEY, k INT, d DECIMAL(6,2), ci VARCHAR(20) COLLATE utf8mb4_0900_ai_ci, bin VARCHAR(20) COLLATE utf8mb4_bin, lim INT, _doc JSON);
INSERT INTO c (_id, k, d, ci, bin, lim, _doc) WITH RECURSIVE n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n WHERE i < 60) SELECT i, IF(i % 9 = 0, NULL, i % 40), IF(i % 2, i, i + 0.5), CONCAT(IF(i % 2, 'Ä', 'a'), i), CONCAT(IF(i % 2, 'A', 'a'), i), i * 5, JSON_OBJECT('u', IF(i % 3, i, CONCAT('', i))) FROM n;
CREATE TABLE o (_id INT PRIMARY KEY, k INT, d DECIMAL(6,1), f DOUBLE, ci VARCHAR(20) COLLATE utf8mb4_0900_ai_ci, bin VARCHAR(20) COLLATE utf8mb4_bin, v INT, big BIGINT UNSIGNED, _doc JSON);
INSERT INTO o (_id, k, d, f, ci, bin, v, big, _doc) WITH RECURSIVE n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n WHERE i < 300) SELECT i, IF(i % 11 = 0, NULL, i % 30), i % 45 / 2, i % 25, CONCAT('A', i % 35), CONCAT('a', i % 35), i * 7 % 211, i % 30 + 5, JSON_OBJECT('u', IF(i % 2, i % 20, CONCAT('', i % 20))) FROM n;
CREATE TABLE p (_id INT PRIMARY KEY, o INT, w INT);
INSERT INTO p (_id, o, w) WITH RECURSIVE n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n WHERE i < 200) SELECT i, i * 3 % 170, i % 13 FROM n
----
ok, 0 rows
ok, 60 rows
ok, 0 rows
ok, 300 rows
ok, 0 rows
ok, 200 rows

query
SELECT c._id, k, (SELECT COUNT(*) FROM o WHERE o.k = c.k) AS n, (SELECT SUM(v) FROM o WHERE o.k = c.k) AS s, (SELECT COALESCE(SUM(v), -1) FROM o WHERE o.k = c.k AND v > 100) AS t, EXISTS (SELECT 1 FROM o WHERE o.k = c.k AND v < 50) AS e FROM c WHERE _id > 20 ORDER BY _id
----
_id | k | n | s | t | e
21 | 21 | 9 | 1285 | 1285 | 0
22 | 22 | 9 | 1341 | 1341 | 0
23 | 23 | 9 | 1408 | 1408 | 0
24 | 24 | 9 | 1475 | 1475 | 0
25 | 25 | 9 | 1531 | 1531 | 0
26 | 26 | 9 | 1598 | 1598 | 0
27 | NULL | 0 | NULL | -1 | 0
28 | 28 | 9 | 1721 | 1721 | 0
29 | 29 | 9 | 1788 | 1788 | 0
30 | 30 | 0 | NULL | -1 | 0
31 | 31 | 0 | NULL | -1 | 0
32 | 32 | 0 | NULL | -1 | 0
33 | 33 | 0 | NULL | -1 | 0
34 | 34 | 0 | NULL | -1 | 0
35 | 35 | 0 | NULL | -1 | 0
36 | NULL | 0 | NULL | -1 | 0
37 | 37 | 0 | NULL | -1 | 0
38 | 38 | 0 | NULL | -1 | 0
39 | 39 | 0 | NULL | -1 | 0
40 | 0 | 10 | 2055 | 2055 | 0
41 | 1 | 9 | 444 | 419 | 1
42 | 2 | 9 | 89 | -1 | 1
43 | 3 | 9 | 145 | -1 | 1
44 | 4 | 9 | 212 | -1 | 1
45 | NULL | 0 | NULL | -1 | 0
46 | 6 | 9 | 335 | -1 | 1
47 | 7 | 9 | 402 | -1 | 1
48 | 8 | 10 | 515 | -1 | 1
49 | 9 | 9 | 525 | -1 | 0
50 | 10 | 9 | 592 | -1 | 0
51 | 11 | 9 | 648 | -1 | 0
52 | 12 | 9 | 715 | -1 | 0
53 | 13 | 9 | 782 | -1 | 0
54 | NULL | 0 | NULL | -1 | 0
55 | 15 | 9 | 905 | 515 | 0
56 | 16 | 9 | 972 | 972 | 0
57 | 17 | 9 | 1028 | 1028 | 0
58 | 18 | 9 | 1095 | 1095 | 0
59 | 19 | 10 | 1285 | 1285 | 0
60 | 20 | 9 | 1218 | 1218 | 0

# Rows that find nothing have the result of no rows: 0, NULL, a constant, or none.
query
SELECT SUM(a), SUM(b = 7), COUNT(b), SUM(e), COUNT(f), SUM(g) FROM (SELECT (SELECT COUNT(v) FROM o WHERE o.k = c.k) AS a, (SELECT IFNULL(MAX(v), 7) FROM o WHERE o.k = c.k) AS b, (SELECT COUNT(*) FROM o WHERE o.k = c.k HAVING COUNT(*) = 0) AS e, (SELECT MIN(v) FROM o WHERE c.k = o.k HAVING MIN(v) > 20) AS f, (SELECT COUNT(DISTINCT d) FROM o WHERE o.k = c.k AND o.f > 3) AS g FROM c LIMIT 1000) x
----
SUM(a) | SUM(b = 7) | COUNT(b) | SUM(e) | COUNT(f) | SUM(g)
410 | 15 | 60 | 0 | 37 | 135

# Two columns; one column that equals two; texts by their collations; decimals and integers.
query
SELECT SUM(a), SUM(b), SUM(e), SUM(f), SUM(g), SUM(h) FROM (SELECT (SELECT COUNT(*) FROM o WHERE o.k = c.k AND o.d = c.k) AS a, (SELECT COUNT(*) FROM o WHERE o.k = c.k AND o.k = c.lim) AS b, (SELECT SUM(v) FROM o WHERE o.ci = c.ci) AS e, (SELECT SUM(v) FROM o WHERE o.bin = c.bin) AS f, (SELECT SUM(v) FROM o WHERE o.d = c.d) AS g, (SELECT SUM(v) FROM o WHERE c.d = o.f) AS h FROM c LIMIT 1000) x
----
SUM(a) | SUM(b) | SUM(e) | SUM(f) | SUM(g) | SUM(h)
7 | 0 | 30820 | 15499 | 14932 | 15023

# Members that are not declared; texts beside numbers.
query
SELECT SUM(a), SUM(b), SUM(e) FROM (SELECT (SELECT COUNT(*) FROM o WHERE o.u = c.u) AS a, (SELECT COUNT(*) FROM o WHERE o.u = c.k) AS b, (SELECT COUNT(*) FROM o WHERE o.bin = c.k) AS e FROM c LIMIT 1000) x
----
SUM(a) | SUM(b) | SUM(e)
285 | 525 | 300

# Joins, outer joins and subqueries within.
query
SELECT SUM(a), SUM(b), SUM(e), SUM(f) FROM (SELECT (SELECT SUM(w) FROM o JOIN p ON p.o = o._id WHERE o.k = c.k) AS a, (SELECT COUNT(w) FROM o LEFT JOIN p ON p.o = o._id AND w > 6 WHERE o.k = c.k) AS b, EXISTS (SELECT * FROM o, p WHERE p.o = o._id AND o.k = c.k AND w = 3) AS e, (SELECT MAX(v) FROM o WHERE o.k = c.k AND v < (SELECT AVG(v) FROM o)) AS f FROM c LIMIT 1000) x
----
SUM(a) | SUM(b) | SUM(e) | SUM(f)
1571 | 117 | 21 | 1692

query
SELECT SUM(a), SUM(b) FROM (SELECT (SELECT SUM(v) FROM o WHERE o.k = c.k AND EXISTS (SELECT 1 FROM p WHERE p.o = o._id)) AS a, (SELECT MIN(x.m) FROM (SELECT k, MAX(v) AS m FROM o GROUP BY k) x WHERE x.k = c.k) AS b FROM c LIMIT 1000) x
----
SUM(a) | SUM(b)
20758 | 4617

# A key's text compares in the collation of both columns; groups have that of the own one.
query
SELECT SUM(a), SUM(b), SUM(e) FROM (SELECT (SELECT COUNT(*) FROM o WHERE o.ci = c.bin) AS a, (SELECT COUNT(*) FROM o WHERE o.bin = c.ci) AS b, EXISTS (SELECT 1 FROM o WHERE o.ci = c.bin) AS e FROM c LIMIT 1000) x
----
SUM(a) | SUM(b) | SUM(e)
146 | 146 | 17

# What would read many more rows without the equalities is planned for each outer row.
query
EXPLAIN SELECT _id, (SELECT COUNT(*) FROM o, p WHERE o.k = c.k AND p.w = c.lim) FROM c
----
id | select_type | table | partitions | type | possible_keys | key | key_len | ref | rows | filtered | Extra
1 | PRIMARY | c | NULL | ALL | NULL | NULL | NULL | NULL | 60 | 100 |
2 | DEPENDENT SUBQUERY | o | NULL | ref | k | k | NULL | const | 9 | 100 | Using index; Planned for each outer row
2 | DEPENDENT SUBQUERY | p | NULL | ref | w | w | NULL | const | 16 | 100 | Using index

# Conditions.
query
SELECT COUNT(*), SUM(_id) FROM o WHERE v > (SELECT AVG(v) FROM o q WHERE q.k = o.k)
----
COUNT(*) | SUM(_id)
132 | 10244

query
SELECT COUNT(*), SUM(_id) FROM o WHERE v = (SELECT MAX(v) FROM o q WHERE q.ci = o.ci AND q.f < 20)
----
COUNT(*) | SUM(_id)
35 | 3990

query
SELECT COUNT(*), SUM(_id) FROM c WHERE lim > 290 OR EXISTS (SELECT 1 FROM o WHERE o.k = c.k AND o.v BETWEEN 10 AND 20) OR (SELECT COUNT(*) FROM o WHERE o.k = c.k) = 9
----
COUNT(*) | SUM(_id)
41 | 1217

# Other dependences: on the outer row within an aggregate, in a range, in a list of columns.
query
SELECT SUM(a), SUM(b), SUM(e) FROM (SELECT (SELECT SUM(v + c.lim) FROM o WHERE o.k = c.k) AS a, (SELECT SUM(v) FROM o WHERE o.k = c.k AND o.v < c.lim) AS b, (SELECT SUM(v) + c.k FROM o WHERE o.k = c.k) AS e FROM c LIMIT 1000) x
----
SUM(a) | SUM(b) | SUM(e)
98323 | 11582 | 38085

# What would be wrong with rows that no outer row asks for is not; nor does it warn.
query
SELECT SUM(n), COUNT(*) FROM (SELECT (SELECT SUM(o.big - 6) FROM o WHERE o.k = c.k) AS n FROM c WHERE k > 2 AND k < 25 LIMIT 1000) x
----
SUM(n) | COUNT(*)
3848 | 36

query
SELECT SUM(n), COUNT(*) FROM (SELECT (SELECT SUM(100 / (o.big - 6)) FROM o WHERE o.k = c.k) AS n FROM c WHERE k > 2 AND k < 25 LIMIT 1000) x
----
SUM(n) | COUNT(*)
4333.8409 | 36

query
SELECT SUM(n), COUNT(*) FROM (SELECT (SELECT SUM(100 / (o.k - 28)) FROM o WHERE o.k = c.k) AS n FROM c WHERE k > 2 AND k < 25 LIMIT 1000) x
----
SUM(n) | COUNT(*)
-2676.5941 | 36

query
SHOW WARNINGS
----
Level | Code | Message

query
SELECT SUM(n), COUNT(*) FROM (SELECT (SELECT SUM(o.big - 6) FROM o WHERE o.k = c.k) AS n FROM c LIMIT 1000) x
----
ERROR 1690 (22003): BIGINT UNSIGNED value is out of range in '(o.big - 6)'

# In a transaction whose reads are checked, nothing is read that no row needs.
exec
SET SESSION transaction_isolation = 'SERIALIZABLE';
BEGIN
----
ok, 0 rows
ok, 0 rows

query
SELECT SUM(n), COUNT(*) FROM (SELECT (SELECT COUNT(*) FROM o WHERE o.k = c.k) AS n FROM c LIMIT 1000) x
----
SUM(n) | COUNT(*)
410 | 60

exec
COMMIT
----
ok, 0 rows

analyze
EXPLAIN ANALYZE SELECT _id, (SELECT COUNT(*) FROM o WHERE o.k = c.k AND o.v > 5) FROM c
----
EXPLAIN
-> Project: c._id, (subquery)  (actual time=… rows=60 loops=1)
    -> Index range scan on c using k  (actual time=… rows=60 loops=1)  (keys=60 documents=0 bytes=0)
         range: `k` in all values
         entries only: no document is read
         keys: 60 counted of 60; 0 documents lack the keypath
         tight
         cost: 3.0, a full scan costs 60.0
    -> Subquery #2
        -> Project: count(1)  (actual time=… rows=1 loops=1)
             planned for each outer row; as here for c.k = NULL
            -> Aggregate: COUNT(1)  (actual time=… rows=1 loops=1)
                -> Filter: (o.v > 5)  (actual time=… rows=0 loops=1)
                    -> Index range scan on o using k  (actual time=… rows=0 loops=1)
                         range: `k` in no value
                         no document has a value of that type at `k`
                         keys: 0 counted of 0
                         tight
                         residual: (o.v > 5)
                         cost: 0.0, a full scan costs 300.0
                         lost: `v` in (5, +∞), keys: 293 counted of 300: cost 600.6, the chosen one costs 0.0
    -> Subquery #3
        -> Project: count(1)  (actual time=… rows=4 loops=4)
             planned for each outer row; as here for c.k = 0
            -> Aggregate: COUNT(1)  (actual time=… rows=4 loops=4)
                -> Filter: (o.v > 5)  (actual time=… rows=22 loops=4)
                    -> Index lookup on o using k  (actual time=… rows=28 loops=4)  (keys=28 documents=28 bytes=2224)
                         range: `k` in 0
                         keys: 10 counted of 273
                         tight
                         residual: (o.v > 5)
                         cost: 20.5, a full scan costs 300.0
                         lost: `v` in (5, +∞), keys: 293 counted of 300: cost 600.6, the chosen one costs 20.5
    -> Subquery #4
        -> Project: count(1), o.k  (actual time=… rows=31 loops=1)
             instead, after 4 outer rows: computed once, found by o.k = c.k
            -> Group: by o.k: COUNT(1), o.k  (actual time=… rows=31 loops=1)
                -> Values and their counts of o using k  (actual time=… rows=31 loops=1)  (keys=593 documents=0 bytes=0)
                     entries only: no document is read
                     of the documents with `v` in (5, +∞)
                     cost: 89.0, reading documents costs 300.0
                     keys: about 593 of 600
Statement: keys=681 documents=28 bytes=2224 counters=0 rows=60 conflicts=0 retries=0 read versions=1 seconds=… batch rows=31

query
EXPLAIN SELECT _id, (SELECT COUNT(*) FROM o JOIN p ON p.o = o._id WHERE o.k = c.k) FROM c
----
id | select_type | table | partitions | type | possible_keys | key | key_len | ref | rows | filtered | Extra
1 | PRIMARY | c | NULL | range | k | k | NULL | NULL | 60 | 100 | Using index
2 | DEPENDENT SUBQUERY | o | NULL | ref | k | k | NULL | const | 10 | 100 | Using index; Planned for each outer row
2 | DEPENDENT SUBQUERY | p | NULL | ref | NULL | o | NULL | o._id | 13 | 100 | Using index
3 | DEPENDENT SUBQUERY | o | NULL | range | k | k | NULL | NULL | 300 | 100 | Using index; Using temporary
3 | DEPENDENT SUBQUERY | p | NULL | range | o | o | NULL | NULL | 200 | 100 | Using index; Using join buffer (hash join)

query
CHECK TABLE o
----
Table | Op | Msg_type | Msg_text
d.o | check | status | OK

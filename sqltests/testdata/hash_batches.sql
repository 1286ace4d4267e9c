# Inner and left joins by hash below a GROUP BY run in batches. They give what they give row by row.

exec
CREATE TABLE a (_id INT PRIMARY KEY, k INT, g INT, n INT, t VARCHAR(9) COLLATE utf8mb4_bin, e DATE, _doc JSON);
CREATE TABLE b (_id INT PRIMARY KEY, k INT, j INT, m INT, d DECIMAL(6,2), t VARCHAR(9) COLLATE utf8mb4_bin, e DATE, _doc JSON);
CREATE TABLE c (_id INT PRIMARY KEY, k INT, s INT, x INT, _doc JSON);
INSERT INTO a WITH RECURSIVE n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n WHERE i < 600) SELECT i, IF(i % 13 = 0, NULL, i % 150), i % 7, i, CONCAT('t', i % 40), DATE('2024-01-01') + INTERVAL i % 9 DAY, JSON_OBJECT('u', i % 50) FROM n;
INSERT INTO b WITH RECURSIVE n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n WHERE i < 200) SELECT i, IF(i % 11 = 0, NULL, i), i % 9, i, i / 4, IF(i % 5, CONCAT('t', i % 60), NULL), DATE('2024-01-01') + INTERVAL i % 12 DAY, JSON_OBJECT('u', i % 70) FROM n;
INSERT INTO c WITH RECURSIVE n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n WHERE i < 60) SELECT i, i % 12, i % 8, i, '{}' FROM n
----
ok, 0 rows
ok, 0 rows
ok, 0 rows
ok, 600 rows
ok, 200 rows
ok, 60 rows

exec
SET sqlfdb_executor = batch
----
ok, 0 rows

query
SELECT SUM(a.n), COUNT(*), COUNT(b.m), MIN(b.m), AVG(b.d) FROM a JOIN b ON b.k = a.k
----
SUM(a.n) | COUNT(*) | COUNT(b.m) | MIN(b.m) | AVG(b.d)
150317 | 502 | 502 | 1 | 18.683765

exec
SET sqlfdb_executor = interpreted
----
ok, 0 rows

query
SELECT SUM(a.n), COUNT(*), COUNT(b.m), MIN(b.m), AVG(b.d) FROM a JOIN b ON b.k = a.k
----
SUM(a.n) | COUNT(*) | COUNT(b.m) | MIN(b.m) | AVG(b.d)
150317 | 502 | 502 | 1 | 18.683765

exec
SET sqlfdb_executor = batch
----
ok, 0 rows

query
SELECT a.g, COUNT(*), SUM(b.d), MAX(b.t) IS NULL FROM a LEFT JOIN b ON b.k = a.k GROUP BY a.g ORDER BY a.g
----
g | COUNT(*) | SUM(b.d) | MAX(b.t) IS NULL
0 | 85 | 1383.50 | 0
1 | 86 | 1370.50 | 0
2 | 86 | 1341.00 | 0
3 | 86 | 1338.75 | 0
4 | 86 | 1352.75 | 0
5 | 86 | 1267.00 | 0
6 | 85 | 1325.75 | 0

exec
SET sqlfdb_executor = interpreted
----
ok, 0 rows

query
SELECT a.g, COUNT(*), SUM(b.d), MAX(b.t) IS NULL FROM a LEFT JOIN b ON b.k = a.k GROUP BY a.g ORDER BY a.g
----
g | COUNT(*) | SUM(b.d) | MAX(b.t) IS NULL
0 | 85 | 1383.50 | 0
1 | 86 | 1370.50 | 0
2 | 86 | 1341.00 | 0
3 | 86 | 1338.75 | 0
4 | 86 | 1352.75 | 0
5 | 86 | 1267.00 | 0
6 | 85 | 1325.75 | 0

exec
SET sqlfdb_executor = batch
----
ok, 0 rows

query
SELECT STRAIGHT_JOIN COUNT(*), SUM(c.x), SUM(b.m) FROM a JOIN b ON b.k = a.k AND b.m > a.n - 100 AND b.m % 2 = 0 LEFT JOIN c ON c.k = b.j WHERE a.n % 3 < 2
----
COUNT(*) | SUM(c.x) | SUM(b.m)
210 | 6195 | 15660

exec
SET sqlfdb_executor = interpreted
----
ok, 0 rows

query
SELECT STRAIGHT_JOIN COUNT(*), SUM(c.x), SUM(b.m) FROM a JOIN b ON b.k = a.k AND b.m > a.n - 100 AND b.m % 2 = 0 LEFT JOIN c ON c.k = b.j WHERE a.n % 3 < 2
----
COUNT(*) | SUM(c.x) | SUM(b.m)
210 | 6195 | 15660

exec
SET sqlfdb_executor = batch
----
ok, 0 rows

query
SELECT STRAIGHT_JOIN b.t, COUNT(*), SUM(c.x), COUNT(c.x) FROM a JOIN b ON b.t = a.t LEFT JOIN c ON c.k = b.j AND c.s = a.g WHERE a.n < 200 AND (c.x IS NULL OR c.x < 40) GROUP BY b.t ORDER BY b.t
----
t | COUNT(*) | SUM(c.x) | COUNT(c.x)
t1 | 23 | 100 | 7
t11 | 24 | 150 | 9
t12 | 24 | 144 | 8
t13 | 23 | 146 | 8
t14 | 24 | 194 | 10
t16 | 22 | 130 | 7
t17 | 22 | 137 | 7
t18 | 23 | 192 | 9
t19 | 25 | 203 | 11
t2 | 24 | 147 | 9
t21 | 17 | 90 | 5
t22 | 17 | 74 | 5
t23 | 18 | 119 | 7
t24 | 18 | 132 | 7
t26 | 17 | 123 | 6
t27 | 17 | 126 | 6
t28 | 17 | 111 | 6
t29 | 18 | 157 | 8
t3 | 24 | 162 | 9
t31 | 17 | 77 | 5
t32 | 18 | 122 | 7
t33 | 18 | 114 | 6
t34 | 17 | 98 | 5
t36 | 17 | 126 | 6
t37 | 17 | 111 | 6
t38 | 17 | 117 | 6
t39 | 17 | 120 | 6
t4 | 23 | 165 | 9
t6 | 23 | 180 | 9
t7 | 22 | 130 | 7
t8 | 24 | 217 | 11
t9 | 21 | 96 | 5

exec
SET sqlfdb_executor = interpreted
----
ok, 0 rows

query
SELECT STRAIGHT_JOIN b.t, COUNT(*), SUM(c.x), COUNT(c.x) FROM a JOIN b ON b.t = a.t LEFT JOIN c ON c.k = b.j AND c.s = a.g WHERE a.n < 200 AND (c.x IS NULL OR c.x < 40) GROUP BY b.t ORDER BY b.t
----
t | COUNT(*) | SUM(c.x) | COUNT(c.x)
t1 | 23 | 100 | 7
t11 | 24 | 150 | 9
t12 | 24 | 144 | 8
t13 | 23 | 146 | 8
t14 | 24 | 194 | 10
t16 | 22 | 130 | 7
t17 | 22 | 137 | 7
t18 | 23 | 192 | 9
t19 | 25 | 203 | 11
t2 | 24 | 147 | 9
t21 | 17 | 90 | 5
t22 | 17 | 74 | 5
t23 | 18 | 119 | 7
t24 | 18 | 132 | 7
t26 | 17 | 123 | 6
t27 | 17 | 126 | 6
t28 | 17 | 111 | 6
t29 | 18 | 157 | 8
t3 | 24 | 162 | 9
t31 | 17 | 77 | 5
t32 | 18 | 122 | 7
t33 | 18 | 114 | 6
t34 | 17 | 98 | 5
t36 | 17 | 126 | 6
t37 | 17 | 111 | 6
t38 | 17 | 117 | 6
t39 | 17 | 120 | 6
t4 | 23 | 165 | 9
t6 | 23 | 180 | 9
t7 | 22 | 130 | 7
t8 | 24 | 217 | 11
t9 | 21 | 96 | 5

exec
SET sqlfdb_executor = batch
----
ok, 0 rows

query
SELECT STRAIGHT_JOIN SUM(a.n * b.d), COUNT(*) FROM a JOIN b ON b.e = a.e AND b.k = a.k
----
SUM(a.n * b.d) | COUNT(*)
783245.50 | 131

exec
SET sqlfdb_executor = interpreted
----
ok, 0 rows

query
SELECT STRAIGHT_JOIN SUM(a.n * b.d), COUNT(*) FROM a JOIN b ON b.e = a.e AND b.k = a.k
----
SUM(a.n * b.d) | COUNT(*)
783245.50 | 131

exec
SET sqlfdb_executor = batch
----
ok, 0 rows

query
SELECT STRAIGHT_JOIN COUNT(*), SUM(c.x) FROM a JOIN b ON b.j = a.g JOIN c ON c.k = a.g AND c.x > b.m
----
COUNT(*) | SUM(c.x)
9170 | 364200

exec
SET sqlfdb_executor = interpreted
----
ok, 0 rows

query
SELECT STRAIGHT_JOIN COUNT(*), SUM(c.x) FROM a JOIN b ON b.j = a.g JOIN c ON c.k = a.g AND c.x > b.m
----
COUNT(*) | SUM(c.x)
9170 | 364200

exec
SET sqlfdb_executor = batch
----
ok, 0 rows

query
SELECT STRAIGHT_JOIN COUNT(*), SUM(a.n) FROM a JOIN b ON b.u = a.u
----
COUNT(*) | SUM(a.n)
1788 | 537000

exec
SET sqlfdb_executor = interpreted
----
ok, 0 rows

query
SELECT STRAIGHT_JOIN COUNT(*), SUM(a.n) FROM a JOIN b ON b.u = a.u
----
COUNT(*) | SUM(a.n)
1788 | 537000

exec
SET sqlfdb_executor = batch
----
ok, 0 rows

query
SELECT STRAIGHT_JOIN COUNT(*), SUM(9223372036854775700 + b.m) FROM a JOIN b ON b.k = a.k
----
ERROR 1690 (22003): BIGINT value is out of range in '(9223372036854775700 + b.m)'

exec
SET sqlfdb_executor = interpreted
----
ok, 0 rows

query
SELECT STRAIGHT_JOIN COUNT(*), SUM(9223372036854775700 + b.m) FROM a JOIN b ON b.k = a.k
----
ERROR 1690 (22003): BIGINT value is out of range in '(9223372036854775700 + b.m)'

exec
SET sqlfdb_executor = batch
----
ok, 0 rows

query
SELECT STRAIGHT_JOIN COUNT(*), SUM(100 / (b.m - 7)) FROM a JOIN b ON b.k = a.k
----
COUNT(*) | SUM(100 / (b.m - 7))
502 | 1070.3669

exec
SET sqlfdb_executor = interpreted
----
ok, 0 rows

query
SELECT STRAIGHT_JOIN COUNT(*), SUM(100 / (b.m - 7)) FROM a JOIN b ON b.k = a.k
----
COUNT(*) | SUM(100 / (b.m - 7))
502 | 1070.3669

exec
SET sqlfdb_executor = batch
----
ok, 0 rows

analyze
EXPLAIN ANALYZE SELECT SUM(a.n), COUNT(*), COUNT(b.m), MIN(b.m), AVG(b.d) FROM a JOIN b ON b.k = a.k
----
EXPLAIN
-> Project: sum(a.n), count(1), count(b.m), min(b.m), avg(b.d)  (actual time=… rows=1 loops=1)
    -> Aggregate: AVG(b.d), COUNT(1), COUNT(b.m), MIN(b.m), SUM(a.n)  (actual time=… rows=1 loops=1)
         executor: batch
        -> Join, inner, hash: (b.k = a.k)  (actual time=… rows=502 loops=1)
             rows: about 600, cost: 1140.0
            -> Table scan on a  (actual time=… rows=600 loops=1)  (keys=0 documents=600 bytes=39352)
                 documents: 600, exactly
            -> Hash: (b.k) looked up by (a.k)  (actual time=… rows=200 loops=1)
                -> Table scan on b  (actual time=… rows=200 loops=1)  (keys=0 documents=200 bytes=14963)
                     documents: 200, exactly
Statement: keys=0 documents=800 bytes=54315 counters=0 rows=1 conflicts=0 retries=0 read versions=1 seconds=… batch rows=502

analyze
EXPLAIN ANALYZE SELECT STRAIGHT_JOIN COUNT(*), SUM(c.x), SUM(b.m) FROM a JOIN b ON b.k = a.k AND b.m > a.n - 100 AND b.m % 2 = 0 LEFT JOIN c ON c.k = b.j WHERE a.n % 3 < 2
----
EXPLAIN
-> Project: count(1), sum(c.x), sum(b.m)  (actual time=… rows=1 loops=1)
    -> Aggregate: COUNT(1), SUM(b.m), SUM(c.x)  (actual time=… rows=1 loops=1)
         executor: batch
        -> Join, left, hash: (c.k = b.j)  (actual time=… rows=210 loops=1)
             rows: about 375, cost: 180.0
            -> Join, inner, hash: ((b.k = a.k) AND (b.m > (a.n - 100)))  (actual time=… rows=42 loops=1)
                -> Filter: ((a.n % 3) < 2)  (actual time=… rows=400 loops=1)
                    -> Table scan on a  (actual time=… rows=600 loops=1)  (keys=0 documents=600 bytes=39352)
                         documents: 600, exactly
                         residual: ((a.n % 3) < 2)
                         lost: `n` in not null, keys: 600 counted of 600: cost 1230.0, a full scan costs 600.0
                         no range: ((a.n % 3) < 2): (a.n % 3) is computed
                -> Hash: (b.k) looked up by (a.k)  (actual time=… rows=100 loops=1)
                    -> Filter: ((b.m % 2) = 0)  (actual time=… rows=100 loops=1)
                        -> Table scan on b  (actual time=… rows=200 loops=1)  (keys=0 documents=200 bytes=14963)
                             documents: 200, exactly
                             residual: ((b.m % 2) = 0)
                             lost: `m` in not null, keys: 200 counted of 200: cost 410.0, a full scan costs 200.0
                             no range: ((b.m % 2) = 0): (b.m % 2) is computed
            -> Hash: (c.k) looked up by (b.j)  (actual time=… rows=60 loops=1)
                -> Table scan on c  (actual time=… rows=60 loops=1)  (keys=0 documents=60 bytes=1732)
                     documents: 60, exactly
Statement: keys=0 documents=860 bytes=56047 counters=0 rows=1 conflicts=0 retries=0 read versions=1 seconds=… batch rows=210

analyze
EXPLAIN ANALYZE SELECT STRAIGHT_JOIN b.t, COUNT(*), SUM(c.x), COUNT(c.x) FROM a JOIN b ON b.t = a.t LEFT JOIN c ON c.k = b.j AND c.s = a.g WHERE a.n < 200 AND (c.x IS NULL OR c.x < 40) GROUP BY b.t ORDER BY b.t
----
EXPLAIN
-> Project: b.t, count(1), sum(c.x), count(c.x)  (actual time=… rows=32 loops=1)
    -> Sort: b.t  (actual time=… rows=32 loops=1)
        -> Group: by b.t: COUNT(1), COUNT(c.x), SUM(c.x), b.t  (actual time=… rows=32 loops=1)
             executor: batch
            -> Filter: (c.x IS NULL OR (c.x < 40))  (actual time=… rows=648 loops=1)
                -> Join, left, hash: ((c.k = b.j) AND (c.s = a.g))  (actual time=… rows=777 loops=1)
                     rows: about 654, cost: 351.3
                    -> Join, inner, hash: (b.t = a.t)  (actual time=… rows=560 loops=1)
                         rows: about 654, cost: 878.1
                        -> Table scan on b  (actual time=… rows=200 loops=1)  (keys=0 documents=200 bytes=14963)
                             documents: 200, exactly
                        -> Hash: (a.t) looked up by (b.t)  (actual time=… rows=199 loops=1)
                            -> Index range scan on a using n  (actual time=… rows=199 loops=1)  (keys=199 documents=199 bytes=12888)
                                 range: `n` in (-∞, 200)
                                 keys: 199 counted of 600
                                 tight
                                 cost: 407.9, a full scan costs 600.0
                    -> Hash: (c.k, c.s) looked up by (b.j, a.g)  (actual time=… rows=60 loops=1)
                        -> Table scan on c  (actual time=… rows=60 loops=1)  (keys=0 documents=60 bytes=1732)
                             documents: 60, exactly
Statement: keys=199 documents=459 bytes=29583 counters=0 rows=32 conflicts=0 retries=0 read versions=1 seconds=… batch rows=777

# -0 equals 0.
exec
CREATE TABLE z (_id VARCHAR(5) PRIMARY KEY, k DOUBLE, i INT, _doc JSON);
INSERT INTO z (_doc) VALUES ('{"_id":"x","k":-0.0,"i":1}'), ('{"_id":"y","k":0,"i":1}'), ('{"_id":"z","k":1,"i":2}')
----
ok, 0 rows
ok, 3 rows

query
SELECT x._id, y._id FROM z x JOIN z y ON x.k = y.k AND x.i = y.i ORDER BY 1, 2
----
_id | _id
x | x
x | y
y | x
y | y
z | z

# Sides of joins that are larger than a join may hold.

exec
CREATE TABLE a (_id VARCHAR(255) PRIMARY KEY, _doc JSON);
CREATE TABLE b (_id VARCHAR(255) PRIMARY KEY, _doc JSON);
INSERT INTO a (_id, n, m) WITH RECURSIVE s AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM s WHERE i < 40) SELECT CONCAT('a', i), i, i % 7 FROM s;
INSERT INTO b (_id, n, m) WITH RECURSIVE s AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM s WHERE i < 60) SELECT CONCAT('b', i), i, i % 5 FROM s;
INSERT INTO a (_id) VALUES ('x'), ('y');
INSERT INTO b (_id) VALUES ('z');
----
ok, 0 rows
ok, 0 rows
ok, 40 rows
ok, 60 rows
ok, 2 rows
ok, 1 rows

query
SELECT COUNT(*), SUM(a.n), SUM(b.n) FROM a JOIN b ON a.m = b.m AND a.n <= b.n
----
COUNT(*) | SUM(a.n) | SUM(b.n)
238 | 4025 | 9110

query
SELECT COUNT(*), COUNT(b._id), SUM(b.n) FROM a LEFT JOIN b ON a.m = b.m AND a.n + 30 < b.n
----
COUNT(*) | COUNT(b._id) | SUM(b.n)
86 | 64 | 3245

query
SELECT COUNT(*), COUNT(b._id), SUM(b.n) FROM a LEFT JOIN b ON a.n > b.n + 30
----
COUNT(*) | COUNT(b._id) | SUM(b.n)
78 | 45 | 165

query
SELECT COUNT(*), SUM(n) FROM a WHERE EXISTS (SELECT 1 FROM b WHERE b.m = a.m AND b.n < a.n + 1 AND b.n + 5 > a.n)
----
COUNT(*) | SUM(n)
29 | 585

query
SELECT COUNT(*), SUM(n) FROM a WHERE NOT EXISTS (SELECT 1 FROM b WHERE b.m = a.m AND b.n < a.n + 1 AND b.n + 5 > a.n)
----
COUNT(*) | SUM(n)
13 | 235

query
SELECT COUNT(*), SUM(n) FROM a WHERE n + 0 NOT IN (SELECT n + 0 FROM b WHERE n > 20)
----
COUNT(*) | SUM(n)
20 | 210

query
SELECT COUNT(*), SUM(n) FROM a WHERE n + 0 NOT IN (SELECT n + 0 FROM b)
----
COUNT(*) | SUM(n)
0 | NULL

query
SELECT a._id, b._id FROM a LEFT JOIN b ON a.m = b.m AND a.n > b.n + 30 ORDER BY a.n DESC, b.n DESC LIMIT 4
----
_id | _id
a40 | NULL
a39 | b4
a38 | b3
a37 | b2

query
SELECT COUNT(*), SUM(c.n) FROM a LEFT JOIN (b JOIN a AS c ON b.m = c.m AND b.n < c.n) ON a.n + 0 = c.n + 1
----
COUNT(*) | SUM(c.n)
127 | 2995

exec
SET sqlfdb_join_bytes = 4000;
----
ok, 0 rows

query
SELECT COUNT(*), SUM(a.n), SUM(b.n) FROM a JOIN b ON a.m = b.m AND a.n <= b.n
----
COUNT(*) | SUM(a.n) | SUM(b.n)
238 | 4025 | 9110

query
SELECT COUNT(*), COUNT(b._id), SUM(b.n) FROM a LEFT JOIN b ON a.m = b.m AND a.n + 30 < b.n
----
COUNT(*) | COUNT(b._id) | SUM(b.n)
86 | 64 | 3245

query
SELECT COUNT(*), COUNT(b._id), SUM(b.n) FROM a LEFT JOIN b ON a.n > b.n + 30
----
COUNT(*) | COUNT(b._id) | SUM(b.n)
78 | 45 | 165

query
SELECT COUNT(*), SUM(n) FROM a WHERE EXISTS (SELECT 1 FROM b WHERE b.m = a.m AND b.n < a.n + 1 AND b.n + 5 > a.n)
----
COUNT(*) | SUM(n)
29 | 585

query
SELECT COUNT(*), SUM(n) FROM a WHERE NOT EXISTS (SELECT 1 FROM b WHERE b.m = a.m AND b.n < a.n + 1 AND b.n + 5 > a.n)
----
COUNT(*) | SUM(n)
13 | 235

query
SELECT COUNT(*), SUM(n) FROM a WHERE n + 0 NOT IN (SELECT n + 0 FROM b WHERE n > 20)
----
COUNT(*) | SUM(n)
20 | 210

query
SELECT COUNT(*), SUM(n) FROM a WHERE n + 0 NOT IN (SELECT n + 0 FROM b)
----
COUNT(*) | SUM(n)
0 | NULL

query
SELECT a._id, b._id FROM a LEFT JOIN b ON a.m = b.m AND a.n > b.n + 30 ORDER BY a.n DESC, b.n DESC LIMIT 4
----
_id | _id
a40 | NULL
a39 | b4
a38 | b3
a37 | b2

query
SELECT COUNT(*), SUM(c.n) FROM a LEFT JOIN (b JOIN a AS c ON b.m = c.m AND b.n < c.n) ON a.n + 0 = c.n + 1
----
COUNT(*) | SUM(c.n)
127 | 2995

exec
SET sqlfdb_join_bytes = 900;
----
ok, 0 rows

query
SELECT COUNT(*), SUM(a.n), SUM(b.n) FROM a JOIN b ON a.m = b.m AND a.n <= b.n
----
COUNT(*) | SUM(a.n) | SUM(b.n)
238 | 4025 | 9110

query
SELECT COUNT(*), COUNT(b._id), SUM(b.n) FROM a LEFT JOIN b ON a.m = b.m AND a.n + 30 < b.n
----
COUNT(*) | COUNT(b._id) | SUM(b.n)
86 | 64 | 3245

query
SELECT COUNT(*), COUNT(b._id), SUM(b.n) FROM a LEFT JOIN b ON a.n > b.n + 30
----
COUNT(*) | COUNT(b._id) | SUM(b.n)
78 | 45 | 165

query
SELECT COUNT(*), SUM(n) FROM a WHERE EXISTS (SELECT 1 FROM b WHERE b.m = a.m AND b.n < a.n + 1 AND b.n + 5 > a.n)
----
COUNT(*) | SUM(n)
29 | 585

query
SELECT COUNT(*), SUM(n) FROM a WHERE NOT EXISTS (SELECT 1 FROM b WHERE b.m = a.m AND b.n < a.n + 1 AND b.n + 5 > a.n)
----
COUNT(*) | SUM(n)
13 | 235

query
SELECT COUNT(*), SUM(n) FROM a WHERE n + 0 NOT IN (SELECT n + 0 FROM b WHERE n > 20)
----
COUNT(*) | SUM(n)
20 | 210

query
SELECT COUNT(*), SUM(n) FROM a WHERE n + 0 NOT IN (SELECT n + 0 FROM b)
----
COUNT(*) | SUM(n)
0 | NULL

query
SELECT a._id, b._id FROM a LEFT JOIN b ON a.m = b.m AND a.n > b.n + 30 ORDER BY a.n DESC, b.n DESC LIMIT 4
----
_id | _id
a40 | NULL
a39 | b4
a38 | b3
a37 | b2

query
SELECT COUNT(*), SUM(c.n) FROM a LEFT JOIN (b JOIN a AS c ON b.m = c.m AND b.n < c.n) ON a.n + 0 = c.n + 1
----
COUNT(*) | SUM(c.n)
127 | 2995

exec
SET sqlfdb_join_bytes = 1;
----
ok, 0 rows

query
SELECT COUNT(*), SUM(a.n), SUM(b.n) FROM a JOIN b ON a.m = b.m AND a.n <= b.n
----
COUNT(*) | SUM(a.n) | SUM(b.n)
238 | 4025 | 9110

query
SELECT COUNT(*), COUNT(b._id), SUM(b.n) FROM a LEFT JOIN b ON a.m = b.m AND a.n + 30 < b.n
----
COUNT(*) | COUNT(b._id) | SUM(b.n)
86 | 64 | 3245

query
SELECT COUNT(*), COUNT(b._id), SUM(b.n) FROM a LEFT JOIN b ON a.n > b.n + 30
----
COUNT(*) | COUNT(b._id) | SUM(b.n)
78 | 45 | 165

query
SELECT COUNT(*), SUM(n) FROM a WHERE EXISTS (SELECT 1 FROM b WHERE b.m = a.m AND b.n < a.n + 1 AND b.n + 5 > a.n)
----
COUNT(*) | SUM(n)
29 | 585

query
SELECT COUNT(*), SUM(n) FROM a WHERE NOT EXISTS (SELECT 1 FROM b WHERE b.m = a.m AND b.n < a.n + 1 AND b.n + 5 > a.n)
----
COUNT(*) | SUM(n)
13 | 235

query
SELECT COUNT(*), SUM(n) FROM a WHERE n + 0 NOT IN (SELECT n + 0 FROM b WHERE n > 20)
----
COUNT(*) | SUM(n)
20 | 210

query
SELECT COUNT(*), SUM(n) FROM a WHERE n + 0 NOT IN (SELECT n + 0 FROM b)
----
COUNT(*) | SUM(n)
0 | NULL

query
SELECT a._id, b._id FROM a LEFT JOIN b ON a.m = b.m AND a.n > b.n + 30 ORDER BY a.n DESC, b.n DESC LIMIT 4
----
_id | _id
a40 | NULL
a39 | b4
a38 | b3
a37 | b2

query
SELECT COUNT(*), SUM(c.n) FROM a LEFT JOIN (b JOIN a AS c ON b.m = c.m AND b.n < c.n) ON a.n + 0 = c.n + 1
----
COUNT(*) | SUM(c.n)
127 | 2995

# The rows of the right side are held: it is read once, not for each row of the left one.

exec
SET sqlfdb_join_bytes = DEFAULT;
SET sqlfdb_use_index = OFF;
----
ok, 0 rows
ok, 0 rows

analyze
EXPLAIN ANALYZE SELECT COUNT(*) FROM a LEFT JOIN (b LEFT JOIN a AS c ON b.n < c.n) ON a.n > b.n + 38
----
EXPLAIN
-> Project: count(1)  (actual time=… rows=1 loops=1)
    -> Aggregate: COUNT(1)  (actual time=… rows=1 loops=1)
         executor: batch, from 256 rows on
        -> Join, left, nested loop: (a.n > (b.n + 38))  (actual time=… rows=80 loops=1)
             rows: about 52, cost: 2204.8
            -> Table scan on a  (actual time=… rows=42 loops=1)  (keys=0 documents=42 bytes=1044)
                 documents: 42, exactly
            -> Join, left, nested loop: (b.n < c.n)  (actual time=… rows=802 loops=1)
                 rows: about 52, cost: 2586.6
                -> Table scan on b  (actual time=… rows=61 loops=1)  (keys=0 documents=61 bytes=1553)
                     documents: 61, exactly
                -> Table scan on c  (actual time=… rows=42 loops=1)  (keys=0 documents=42 bytes=1044)
                     documents: 42, exactly
Statement: keys=0 documents=145 bytes=3641 counters=0 rows=1 conflicts=0 retries=0 read versions=1 seconds=…

# A side that is too large to be held is read once for each batch of the other side's rows.

exec
SET sqlfdb_join_bytes = 900;
----
ok, 0 rows

analyze
EXPLAIN ANALYZE SELECT COUNT(*) FROM a JOIN b ON a.m = b.m
----
EXPLAIN
-> Project: count(1)  (actual time=… rows=1 loops=1)
    -> Aggregate: COUNT(1)  (actual time=… rows=1 loops=1)
         executor: batch, from 256 rows on
        -> Join, inner, hash: (a.m = b.m)  (actual time=… rows=348 loops=1)
             rows: about 52, cost: 188.1
            -> Table scan on b  (actual time=… rows=61 loops=1)  (keys=0 documents=61 bytes=1553)
                 documents: 61, exactly
            -> Hash: (a.m) looked up by (b.m)  (actual time=… rows=2446 loops=59)
                -> Table scan on a  (actual time=… rows=2446 loops=59)  (keys=0 documents=2446 bytes=60810)
                     documents: 42, exactly
Statement: keys=0 documents=2507 bytes=62363 counters=0 rows=1 conflicts=0 retries=0 read versions=1 seconds=… batch rows=348

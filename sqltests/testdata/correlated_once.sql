# A correlated subquery that has been planned for some outer rows reads its rows once for all others, by the columns that
# equal those of the outer row. Whatever it is, it gives what it gives with the index off.

exec
CREATE TABLE c (_id INT PRIMARY KEY, k INT, d DECIMAL(6,2), ci VARCHAR(20) COLLATE utf8mb4_0900_ai_ci, bin VARCHAR(20) COLLATE utf8mb4_bin, lim INT, _doc JSON);
INSERT INTO c (_id, k, d, ci, bin, lim, _doc) WITH RECURSIVE n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n WHERE i < 40) SELECT i, IF(i % 9 = 0, NULL, i), IF(i % 2, i, i + 0.5), CONCAT(IF(i % 2, 'Ä', 'a'), i), CONCAT(IF(i % 2, 'A', 'a'), i), i * 5, JSON_OBJECT('u', IF(i % 3, i, CONCAT('', i))) FROM n;
CREATE TABLE o (_id INT PRIMARY KEY, k INT, d DECIMAL(6,1), f DOUBLE, ci VARCHAR(20) COLLATE utf8mb4_0900_ai_ci, bin VARCHAR(20) COLLATE utf8mb4_bin, v INT, big BIGINT UNSIGNED, _doc JSON);
INSERT INTO o (_id, k, d, f, ci, bin, v, big, _doc) WITH RECURSIVE n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n WHERE i < 300) SELECT i, IF(i % 11 = 0, NULL, i % 30), i % 45 / 2, i % 25, CONCAT('A', i % 35), CONCAT('a', i % 35), i * 7 % 211, i % 30 + 5, JSON_OBJECT('u', IF(i % 2, i % 20, CONCAT('', i % 20))) FROM n
----
ok, 0 rows
ok, 40 rows
ok, 0 rows
ok, 300 rows

query
SELECT SUM(n), SUM(n = 0), COUNT(n), COUNT(*) FROM (SELECT (SELECT COUNT(*) FROM o WHERE o.k = c.k) AS n FROM c LIMIT 1000) x
----
SUM(n) | SUM(n = 0) | COUNT(n) | COUNT(*)
236 | 14 | 40 | 40

query
SELECT SUM(n), COUNT(n), MIN(n), MAX(n) FROM (SELECT (SELECT SUM(v) FROM o WHERE o.k = c.k) AS n FROM c LIMIT 1000) x
----
SUM(n) | COUNT(n) | MIN(n) | MAX(n)
23551 | 26 | 89 | 1788

query
SELECT SUM(n), COUNT(n) FROM (SELECT (SELECT COUNT(*) FROM o WHERE o.d = c.d) AS n FROM c LIMIT 1000) x
----
SUM(n) | COUNT(n)
141 | 40

query
SELECT SUM(n), COUNT(n) FROM (SELECT (SELECT COUNT(*) FROM o WHERE c.d = o.f) AS n FROM c LIMIT 1000) x
----
SUM(n) | COUNT(n)
144 | 40

query
SELECT SUM(a), SUM(b), SUM(e) FROM (SELECT (SELECT COUNT(*) FROM o WHERE o.ci = c.ci) AS a, (SELECT COUNT(*) FROM o WHERE o.bin = c.bin) AS b, (SELECT COUNT(*) FROM o WHERE o.u = c.u) AS e FROM c LIMIT 1000) x
----
SUM(a) | SUM(b) | SUM(e)
292 | 146 | 285

query
SELECT _id, (SELECT CONCAT(o._id, ':', v) FROM o WHERE o.k = c.k AND o.d > 3 ORDER BY v DESC, o._id LIMIT 1) AS n FROM c WHERE _id > 20 ORDER BY _id
----
_id | n
21 | 21:147
22 | 52:153
23 | 23:161
24 | 24:168
25 | 25:175
26 | 26:182
27 | NULL
28 | 28:196
29 | 29:203
30 | NULL
31 | NULL
32 | NULL
33 | NULL
34 | NULL
35 | NULL
36 | NULL
37 | NULL
38 | NULL
39 | NULL
40 | NULL

query
SELECT COUNT(*) FROM c WHERE c.lim > 190 OR EXISTS (SELECT 1 FROM o WHERE o.k = c.k AND o.v < c.lim)
----
COUNT(*)
6

query
SELECT SUM(n), COUNT(*) FROM (SELECT NOT EXISTS (SELECT 1 FROM o WHERE o.k = c.k AND o.v < c.lim) AS n FROM c LIMIT 1000) x
----
SUM(n) | COUNT(*)
36 | 40

query
SELECT COUNT(*), SUM(_id) FROM o WHERE v > (SELECT AVG(v) FROM o p WHERE p.k = o.k AND p.ci <> o.ci)
----
COUNT(*) | SUM(_id)
132 | 10244

query
SELECT COUNT(*), SUM(_id) FROM o WHERE v = (SELECT MAX(v) FROM o p WHERE p.k = o.k GROUP BY p.k HAVING COUNT(*) > 9)
----
COUNT(*) | SUM(_id)
3 | 57

query
SELECT SUM(n IS NULL), SUM(n), COUNT(*) FROM (SELECT c.lim + 1 IN (SELECT o.v FROM o WHERE o.k = c.k) AS n FROM c LIMIT 1000) x
----
SUM(n IS NULL) | SUM(n) | COUNT(*)
0 | 4 | 40

query
SELECT SUM(n) FROM (SELECT (SELECT COUNT(DISTINCT o.d) + (SELECT COUNT(*) FROM o p WHERE p.k = c.k AND p.v > c.lim) FROM o WHERE o.k = c.k) AS n FROM c LIMIT 1000) x
----
SUM(n)
298

query
SELECT _id, (SELECT o._id FROM o WHERE o.k = c.k) AS n FROM c ORDER BY _id
----
ERROR 1242 (21000): the subquery returned more than 1 row

# What would be wrong with rows that no outer row asks for is not.
query
SELECT SUM(n), COUNT(*) FROM (SELECT (SELECT SUM(o.big - 6) FROM o WHERE o.k = c.k) AS n FROM c WHERE k > 2 AND k < 25 LIMIT 1000) x
----
SUM(n) | COUNT(*)
2275 | 20

query
SELECT SUM(n), COUNT(*) FROM (SELECT (SELECT SUM(o.big - 6) FROM o WHERE o.k = c.k) AS n FROM c LIMIT 1000) x
----
SUM(n) | COUNT(*)
3220 | 40

# Statements that write.
exec
UPDATE c SET lim = (SELECT COUNT(*) FROM o WHERE o.k = c.k);
DELETE FROM c WHERE _id > 30 AND lim = (SELECT COUNT(*) FROM o WHERE o.k = c.k + 100)
----
ok, 40 rows
ok, 10 rows

query
SELECT COUNT(*), SUM(lim) FROM c
----
COUNT(*) | SUM(lim)
30 | 236

query
EXPLAIN FORMAT=TREE SELECT _id, (SELECT COUNT(*) FROM o WHERE o.k = c.k AND c.lim < o.v) AS n FROM c
----
EXPLAIN
-> Project: c._id, (subquery) as n
    -> Project: c._id, c.k, c.d, c.ci, c.bin, c.lim, (subquery) as n
        -> Table scan on c
             documents: 30, exactly
        -> Subquery #2
            -> Project: count(1)
                 planned for each outer row; as here for c.k = 1, c.lim = 9
                -> Aggregate: COUNT(1)
                    -> Filter: (9 < o.v)
                        -> Index lookup on o using k
                             range: `k` in 1
                             keys: 9 counted of 273
                             tight
                             residual: (9 < o.v)
                             cost: 18.4, a full scan costs 300.0
                             lost: `v` in (9, +∞), keys: 287 counted of 300: cost 588.3, the chosen one costs 18.4
        -> Subquery #3
            -> Table scan on o
                 instead, after 6 outer rows: read once, found by o.k = c.k
                 documents: 300, exactly
                 residual: (o.k = c.k) AND (c.lim < o.v)
                 lost: `k` in not null, keys: 273 counted of 273: cost 559.6, a full scan costs 300.0
                 lost: `v` in not null, keys: 300 counted of 300: cost 615.0, a full scan costs 300.0
                 no range: (o.k = c.k): neither side is a constant
                 no range: (c.lim < o.v): neither side is a constant

query
EXPLAIN SELECT _id, (SELECT v FROM o WHERE o.k = c.k AND c.lim < o.v ORDER BY v LIMIT 1) AS n FROM c
----
id | select_type | table | partitions | type | possible_keys | key | key_len | ref | rows | filtered | Extra
1 | PRIMARY | c | NULL | ALL | NULL | NULL | NULL | NULL | 30 | 100 |
2 | DEPENDENT SUBQUERY | o | NULL | range | v,k | v | NULL | NULL | 29 | 100 | Planned for each outer row
2 | DEPENDENT SUBQUERY | o | NULL | ref | k,v | k | NULL | const | 9 | 95.67 | Using where; Used if the walk before is given up; Using filesort
3 | DEPENDENT SUBQUERY | o | NULL | ALL | k,v | NULL | NULL | NULL | 300 | NULL | Using where

# Where tables are not to be read whole, it is planned for each outer row.
exec
SET @@sqlfdb_full_scans = 'deny'
----
ok, 0 rows

query
EXPLAIN FORMAT=TREE SELECT _id, (SELECT COUNT(*) FROM o WHERE o.k = c.k AND c.lim < o.v) AS n FROM c WHERE _id < 40
----
EXPLAIN
-> Project: c._id, (subquery) as n
    -> Project: c._id, c.k, c.d, c.ci, c.bin, c.lim, (subquery) as n
        -> Index range scan on c using PRIMARY
             range: primary key in (-∞, 40)
             keys: 30 counted of 30
             tight
             cost: 30.0, a full scan costs 30.0
        -> Subquery #2
            -> Project: count(1)
                 planned for each outer row; as here for c.k = 1, c.lim = 9
                -> Aggregate: COUNT(1)
                    -> Filter: (9 < o.v)
                        -> Index lookup on o using k
                             range: `k` in 1
                             keys: 9 counted of 273
                             tight
                             residual: (9 < o.v)
                             cost: 18.4, a full scan costs 300.0
                             lost: `v` in (9, +∞), keys: 287 counted of 300: cost 588.3, the chosen one costs 18.4

query
SELECT SUM(n), COUNT(*) FROM (SELECT (SELECT COUNT(*) FROM o WHERE o.k = c.k AND c.lim < o.v) AS n FROM c WHERE _id < 40 LIMIT 1000) x
----
SUM(n) | COUNT(*)
225 | 30

exec
SET @@sqlfdb_full_scans = DEFAULT
----
ok, 0 rows

# Where a transaction's reads are checked, only what is asked for is read. In the same way a join is not read as a whole.
exec
BEGIN
----
ok, 0 rows

query
EXPLAIN FORMAT=TREE SELECT _id, (SELECT SUM(v) FROM o WHERE o.k = c.k) AS n FROM c
----
EXPLAIN
-> Project: c._id, (subquery) as n
    -> Project: c._id, c.k, c.d, c.ci, c.bin, c.lim, (subquery) as n
        -> Index range scan on c using k
             range: `k` in all values
             entries only: no document is read
             keys: 30 counted of 30; 0 documents lack the keypath
             tight
             cost: 1.5, a full scan costs 30.0
        -> Subquery #2
            -> Project: sum(o.v)
                 planned for each outer row; as here for c.k = 1
                -> Aggregate: SUM(o.v)
                    -> Index lookup on o using k
                         range: `k` in 1
                         keys: 9 counted of 273
                         tight
                         cost: 18.4, a full scan costs 300.0

exec
COMMIT
----
ok, 0 rows

query
EXPLAIN FORMAT=TREE SELECT _id, (SELECT SUM(v) FROM o WHERE o.k = c.k) AS n FROM c FOR UPDATE
----
EXPLAIN
-> Project: c._id, (subquery) as n
    -> Project: c._id, c.k, c.d, c.ci, c.bin, c.lim, (subquery) as n
        -> Table scan on c
             documents: 30, exactly
        -> Subquery #2
            -> Project: sum(o.v)
                 planned for each outer row; as here for c.k = 1
                -> Aggregate: SUM(o.v)
                    -> Index lookup on o using k
                         range: `k` in 1
                         keys: 9 counted of 273
                         tight
                         cost: 18.4, a full scan costs 300.0

query
EXPLAIN FORMAT=TREE SELECT _id, (SELECT COUNT(*) FROM o JOIN o p ON o.v > p.v + 100000 WHERE o.k = c.k) AS n FROM c
----
EXPLAIN
-> Project: c._id, (subquery) as n
    -> Project: c._id, c.k, c.d, c.ci, c.bin, c.lim, (subquery) as n
        -> Index range scan on c using k
             range: `k` in all values
             entries only: no document is read
             keys: 30 counted of 30; 0 documents lack the keypath
             tight
             cost: 1.5, a full scan costs 30.0
        -> Subquery #2
            -> Project: count(1)
                 planned for each outer row; as here for c.k = 1
                -> Aggregate: COUNT(1)
                    -> Join, inner, nested loop: (o.v > (p.v + 100000))
                         rows: about 1,350, cost: 2718.4
                        -> Index lookup on o using k
                             range: `k` in 1
                             keys: 9 counted of 273
                             tight
                             cost: 18.4, a full scan costs 300.0
                        -> Index range scan on p using v
                             range: `v` in all values
                             entries only: no document is read
                             keys: 300 counted of 300; 0 documents lack the keypath
                             tight
                             cost: 15.0, a full scan costs 300.0

# What equals very many rows is planned for each: here 600 of 1200, of which the index has the one that is asked for.
exec
CREATE TABLE m (_id INT PRIMARY KEY, device INT, ts INT, _doc JSON);
INSERT INTO m (_id, device, ts) WITH RECURSIVE n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n WHERE i < 1200) SELECT i, i % 2, i * 3 FROM n
----
ok, 0 rows
ok, 1200 rows

query
SELECT COUNT(*), SUM(d), COUNT(d) FROM (SELECT (SELECT MIN(n.ts) FROM m n WHERE n.device = m.device AND n.ts > m.ts) - ts AS d FROM m WHERE _id > 1140 LIMIT 2000) x
----
COUNT(*) | SUM(d) | COUNT(d)
60 | 348 | 58

query
SELECT SUM(n) FROM (SELECT (SELECT COUNT(*) FROM o WHERE o.k = c.k AND o.v > (SELECT MIN(ts) FROM m WHERE m.device = o.k AND m.ts > c.lim)) AS n FROM c WHERE _id < 4 LIMIT 1000) x
----
SUM(n)
2

exec
SET sqlfdb_use_index = OFF
----
ok, 0 rows

query
SELECT SUM(n) FROM (SELECT (SELECT COUNT(*) FROM o WHERE o.k = c.k AND o.v > (SELECT MIN(ts) FROM m WHERE m.device = o.k AND m.ts > c.lim)) AS n FROM c WHERE _id < 4 LIMIT 1000) x
----
SUM(n)
2

exec
SET sqlfdb_use_index = ON
----
ok, 0 rows

query
CHECK TABLE c, o, m
----
Table | Op | Msg_type | Msg_text
d.c | check | status | OK
d.o | check | status | OK
d.m | check | status | OK

# What gives another value for each row is computed for each row.

exec
CREATE TABLE t (_id VARCHAR(255) PRIMARY KEY, _doc JSON);
CREATE TABLE r (_id VARCHAR(255) PRIMARY KEY, _doc JSON);
INSERT INTO t (_id, n) VALUES ('a', 1), ('b', 2), ('c', 3), ('d', 4);
INSERT INTO r (_id, n) SELECT CONCAT(a._id, b._id, c._id, d._id), a.n FROM t a, t b, t c, t d;
CREATE VIEW some AS SELECT n FROM r WHERE RAND() < 0.5;
----
ok, 0 rows
ok, 0 rows
ok, 4 rows
ok, 256 rows
ok, 0 rows

query
SELECT COUNT(*) BETWEEN 1 AND 255 FROM r WHERE RAND() < 0.5
----
COUNT(*) BETWEEN 1 AND 255
1

query
SELECT COUNT(*) BETWEEN 1 AND 255 FROM r WHERE n IS NOT NULL AND NOT RAND() < 0.5
----
COUNT(*) BETWEEN 1 AND 255
1

query
SELECT COUNT(*) BETWEEN 1 AND 255 FROM some
----
COUNT(*) BETWEEN 1 AND 255
1

query
SELECT COUNT(*) BETWEEN 1 AND 63 FROM t JOIN r ON r.n = t.n WHERE t.n = 2 AND RAND() < 0.5
----
COUNT(*) BETWEEN 1 AND 63
1

query
SELECT COUNT(*) BETWEEN 1 AND 63 FROM r WHERE n = FLOOR(1 + RAND() * 4) AND n = 2
----
COUNT(*) BETWEEN 1 AND 63
1

query
SELECT COUNT(*) BETWEEN 1 AND 255 FROM r WHERE LEFT(UUID(), 1) < '8'
----
COUNT(*) BETWEEN 1 AND 255
1

query
SELECT COUNT(*) FROM r WHERE UUID() <> UUID()
----
COUNT(*)
256

query
SELECT COUNT(*) BETWEEN 1 AND 255 FROM r WHERE _id IN (SELECT _id FROM r WHERE RAND() < 0.5)
----
COUNT(*) BETWEEN 1 AND 255
1

query
EXPLAIN FORMAT=TREE SELECT _id FROM r WHERE n = FLOOR(1 + RAND() * 4)
----
EXPLAIN
-> Project: r._id
    -> Filter: (r.n = floor((1 + (rand() * 4))))
        -> Index range scan on r using n
             range: `n` in not null
             entries only: no document is read
             keys: 256 counted of 256
             not tight: the filter stays
             residual: (r.n = floor((1 + (rand() * 4))))
             cost: 12.8, a full scan costs 256.0
             no range: (r.n = floor((1 + (rand() * 4)))): neither side is a constant

query
EXPLAIN FORMAT=TREE SELECT _id FROM r WHERE SLEEP(0) = 0 AND n < 3
----
EXPLAIN
-> Project: r._id
    -> Filter: (sleep(0) = 0)
        -> Index range scan on r using n
             range: `n` in (-∞, 3)
             entries only: no document is read
             keys: 128 counted of 256
             tight
             residual: (sleep(0) = 0)
             cost: 6.4, a full scan costs 256.0
             no range: (sleep(0) = 0): sleep(0) is computed

query
SELECT COUNT(*) FROM r WHERE SLEEP(0) = 0 AND n < 3
----
COUNT(*)
128

# MySQL's sequence of RAND(3).

query
SELECT RAND(3) FROM t LIMIT 3
----
RAND(3)
0.9057697559760601
0.37307905813034536
0.14808605345719125

query
SELECT _id, RAND(n) = RAND(n) FROM t
----
_id | RAND(n) = RAND(n)
a | 1
b | 1
c | 1
d | 1

query
SELECT _id FROM t WHERE RAND(3) < 0.3
----
_id
c

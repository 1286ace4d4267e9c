# Standard deviations and variances of a column of numbers are made of its entries.

exec
CREATE TABLE t (_id VARCHAR(255) PRIMARY KEY, x DOUBLE, y DECIMAL(8,2), s VARCHAR(20) COLLATE utf8mb4_0900_ai_ci, _doc JSON);
INSERT INTO t (_id, x, y, s, _doc) WITH RECURSIVE n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n WHERE i < 200) SELECT CONCAT('k', i), i * 0.1, i / 8, IF(i % 2, '1', '１'), JSON_OBJECT('n', i % 9, 'g', i % 3) FROM n;
UPDATE t SET _doc = JSON_REMOVE(_doc, '$.n') WHERE _id LIKE '%7'
----
ok, 0 rows
ok, 200 rows
ok, 20 rows

query
EXPLAIN FORMAT=TREE SELECT STD(n), VAR_SAMP(n), COUNT(*) FROM t
----
EXPLAIN
-> Project: stddevpop(t.n), varsamp(t.n), count(1)
    -> Aggregate: COUNT(1), STDDEVPOP(t.n), VARSAMP(t.n)
         executor: interpreted: few rows
        -> Values and their counts of t using n
             entries only: no document is read
             keys: about 180 of 180

query
SELECT STD(n), STDDEV(n), STDDEV_POP(n), VARIANCE(n), VAR_POP(n), STDDEV_SAMP(n), VAR_SAMP(n), COUNT(n) FROM t
----
STD(n) | STDDEV(n) | STDDEV_POP(n) | VARIANCE(n) | VAR_POP(n) | STDDEV_SAMP(n) | VAR_SAMP(n) | COUNT(n)
2.5681813712344295 | 2.5681813712344295 | 2.5681813712344295 | 6.595555555555555 | 6.595555555555555 | 2.575345070983085 | 6.632402234636872 | 180

query
SHOW STATUS LIKE 'sqlfdb_last_documents'
----
Variable_name | Value
sqlfdb_last_documents | 0

query
SELECT STD(x), VAR_SAMP(x) FROM t
----
STD(x) | VAR_SAMP(x)
5.773430522661549 | 33.5

query
SHOW STATUS LIKE 'sqlfdb_last_documents'
----
Variable_name | Value
sqlfdb_last_documents | 0

query
SELECT STD(y), VAR_SAMP(y), STD(y + 1) FROM t WHERE y > 3
----
STD(y) | VAR_SAMP(y) | STD(y + 1)
6.3507263364122375 | 40.562191999999996 | 6.3507263364122375

query
SHOW STATUS LIKE 'sqlfdb_last_documents'
----
Variable_name | Value
sqlfdb_last_documents | 0

query
SELECT n, STD(n), VAR_SAMP(n) FROM t GROUP BY n HAVING n > 6 OR n IS NULL
----
n | STD(n) | VAR_SAMP(n)
NULL | NULL | NULL
7 | 0 | 0
8 | 0 | 0

query
SHOW STATUS LIKE 'sqlfdb_last_documents'
----
Variable_name | Value
sqlfdb_last_documents | 0

query
SELECT g, STD(n), VARIANCE(x) FROM t GROUP BY g ORDER BY g
----
g | STD(n) | VARIANCE(x)
0 | 2.449489742783178 | 32.6625
1 | 2.4474476501040834 | 33.66
2 | 2.4474476501040834 | 33.66

# Texts that are equal may spell other numbers.

query
SELECT STD(s), VARIANCE(_id) FROM t
----
STD(s) | VARIANCE(_id)
0.5 | 0

query
SELECT STD(s) FROM t
----
STD(s)
0.5

query
SELECT STD(n), VARIANCE(n) FROM t WHERE n > 100
----
STD(n) | VARIANCE(n)
NULL | NULL

query
SELECT _id, STD(n) OVER (ORDER BY x ROWS 1 PRECEDING) AS d FROM t WHERE x < 0.5
----
_id | d
k1 | 0
k2 | 0.5
k3 | 0.5
k4 | 0.5

query
CHECK TABLE t
----
Table | Op | Msg_type | Msg_text
d.t | check | status | OK

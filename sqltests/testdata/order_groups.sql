# DISTINCT and GROUP BY of one column in its order: no more groups are read than LIMIT takes.
exec
CREATE TABLE t (_id VARCHAR(255) PRIMARY KEY, d DATE, _doc JSON) ENGINE_ATTRIBUTE='{"string_limit":16}';
INSERT INTO t (_id, n, s, g) WITH RECURSIVE c (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM c WHERE i < 999) SELECT CONCAT('k', LPAD(i, 3, '0')), MOD(i * 7, 40), CONCAT('a string that is long', MOD(i, 3), IF(i < 300, 'x', '')), MOD(i, 500) FROM c;
UPDATE t SET n = NULL WHERE _id < 'k005';
UPDATE t SET _doc = JSON_REMOVE(_doc, '$.n') WHERE _id > 'k990';
UPDATE t SET d = '2020-01-02' WHERE _id < 'k100';
UPDATE t SET d = '2021-01-02' WHERE _id > 'k800'
----
ok, 0 rows
ok, 1000 rows
ok, 5 rows
ok, 9 rows
ok, 100 rows
ok, 199 rows

query
EXPLAIN FORMAT=TREE SELECT DISTINCT n FROM t ORDER BY n LIMIT 3
----
EXPLAIN
-> Limit: 3 rows
    -> Remove duplicates
        -> Project: t.n
            -> Distinct values of t using n
                 entries only: no document is read
                 in the order of its values
                 ends after: 3 values
                 keys: about 75 of 991

query
SELECT DISTINCT n FROM t ORDER BY n LIMIT 3
----
n
NULL
0
1

query
SHOW STATUS WHERE Variable_name IN ('sqlfdb_last_keys', 'sqlfdb_last_documents')
----
Variable_name | Value
sqlfdb_last_documents | 0
sqlfdb_last_keys | 55

query
SELECT DISTINCT n FROM t ORDER BY n DESC LIMIT 2
----
n
39
38

query
SHOW STATUS WHERE Variable_name IN ('sqlfdb_last_keys', 'sqlfdb_last_documents')
----
Variable_name | Value
sqlfdb_last_documents | 0
sqlfdb_last_keys | 50

query
SELECT DISTINCT n FROM t ORDER BY n DESC LIMIT 3 OFFSET 38
----
n
1
0
NULL

query
EXPLAIN FORMAT=TREE SELECT DISTINCT n AS m FROM t AS u WHERE n > 5 AND n <> 8 ORDER BY m DESC LIMIT 2
----
EXPLAIN
-> Limit: 2 rows
    -> Remove duplicates
        -> Project: u.n as m
            -> Project: u._id, u.d, u.n, u.n as m
                -> Distinct values of u using n
                     range: `n` in (5, 8), (8, +∞)
                     entries only: no document is read
                     in the order of its values descending
                     keys: 813 counted of 986
                     tight
                     cost: 40.7, a full scan costs 1000.0

query
SELECT DISTINCT n AS m FROM t AS u WHERE n > 5 AND n <> 8 ORDER BY m LIMIT 3
----
m
6
7
9

query
SHOW STATUS WHERE Variable_name IN ('sqlfdb_last_keys', 'sqlfdb_last_documents')
----
Variable_name | Value
sqlfdb_last_documents | 0
sqlfdb_last_keys | 75

query
EXPLAIN FORMAT=TREE SELECT n, COUNT(*), SUM(n) FROM t GROUP BY n ORDER BY n LIMIT 3
----
EXPLAIN
-> Limit: 3 rows
    -> Project: t.n, count(1), sum(t.n)
        -> Group: by t.n: COUNT(1), SUM(t.n), t.n
             executor: interpreted: groups come in order
            -> Values and their counts of t using n
                 entries only: no document is read
                 in the order of its values
                 keys: about 991 of 991

query
SELECT n, COUNT(*), SUM(n) FROM t GROUP BY n ORDER BY n LIMIT 3
----
n | COUNT(*) | SUM(n)
NULL | 14 | NULL
0 | 24 | 0
1 | 25 | 25

query
SHOW STATUS WHERE Variable_name IN ('sqlfdb_last_keys', 'sqlfdb_last_documents')
----
Variable_name | Value
sqlfdb_last_documents | 0
sqlfdb_last_keys | 80

query
SELECT n AS x, COUNT(*) FROM t GROUP BY n HAVING COUNT(*) < 25 ORDER BY x DESC LIMIT 4
----
x | COUNT(*)
38 | 24
33 | 24
31 | 24
28 | 24

query
SELECT n, COUNT(*) FROM t GROUP BY n ORDER BY n DESC LIMIT 2 OFFSET 39
----
n | COUNT(*)
0 | 24
NULL | 14

query
SELECT _doc->'$.n', COUNT(*) FROM t GROUP BY _doc->'$.n' ORDER BY _doc->'$.n' DESC LIMIT 2 OFFSET 39
----
_doc->'$.n' | COUNT(*)
0 | 24
null | 5

# Strings of which the index has the beginning: those that begin alike are read and sorted.
query
EXPLAIN FORMAT=TREE SELECT DISTINCT s FROM t ORDER BY s
----
EXPLAIN
-> Remove duplicates
    -> Project: t.s
        -> Distinct values of t using s
             entries only: no document is read
             in the order of its values
             keys: about 1,000 of 1,000

query
SELECT DISTINCT s FROM t ORDER BY s
----
s
a string that is long0
a string that is long0x
a string that is long1
a string that is long1x
a string that is long2
a string that is long2x

query
SELECT DISTINCT s FROM t ORDER BY s DESC LIMIT 2
----
s
a string that is long2x
a string that is long2

query
SELECT s, COUNT(*) FROM t GROUP BY s ORDER BY s DESC
----
s | COUNT(*)
a string that is long2x | 100
a string that is long2 | 233
a string that is long1x | 100
a string that is long1 | 233
a string that is long0x | 100
a string that is long0 | 234

query
SELECT DISTINCT d FROM t ORDER BY d
----
d
NULL
2020-01-02
2021-01-02

query
SELECT d, COUNT(*), MAX(d) FROM t GROUP BY d ORDER BY d DESC
----
d | COUNT(*) | MAX(d)
2021-01-02 | 199 | 2021-01-02
2020-01-02 | 100 | 2020-01-02
NULL | 701 | NULL

# These are still sorted.
query
EXPLAIN FORMAT=TREE SELECT DISTINCT n FROM t WHERE g = 5 ORDER BY n LIMIT 3
----
EXPLAIN
-> Limit: 3 rows
    -> Sort: t.n, keep 3
        -> Remove duplicates
            -> Project: t.n
                -> Index lookup on t using g
                     range: `g` in 5
                     keys: 2 counted of 1,000
                     tight
                     cost: 4.1, a full scan costs 1000.0

query
EXPLAIN FORMAT=TREE SELECT n, COUNT(*) AS c FROM t GROUP BY n ORDER BY c, n LIMIT 3
----
EXPLAIN
-> Limit: 3 rows
    -> Project: t.n, count(1) as c
        -> Sort: c, t.n, keep 3
            -> Project: count(1), t.n, count(1) as c
                -> Group: by t.n: COUNT(1), t.n
                     executor: batch
                    -> Values and their counts of t using n
                         entries only: no document is read
                         keys: about 991 of 991

query
EXPLAIN FORMAT=TREE SELECT DISTINCT n, g FROM t ORDER BY n LIMIT 3
----
EXPLAIN
-> Limit: 3 rows
    -> Sort: t.n, keep 3
        -> Remove duplicates
            -> Project: t.n, t.g
                -> Table scan on t
                     documents: 1,000, exactly

query
EXPLAIN FORMAT=TREE SELECT DISTINCT MOD(n, 3) FROM t ORDER BY MOD(n, 3) LIMIT 3
----
EXPLAIN
-> Limit: 3 rows
    -> Remove duplicates
        -> Project: (t.n % 3) as MOD(n, 3)
            -> Sort: MOD(n, 3)
                -> Project: t._id, t.d, t.n, (t.n % 3) as MOD(n, 3)
                    -> Distinct values of t using n
                         entries only: no document is read
                         keys: about 991 of 991

# Of the values some are left out, and it ends when three are left.
query
EXPLAIN FORMAT=TREE SELECT DISTINCT n FROM t WHERE n > 10 AND MOD(n, 20) < 2 ORDER BY n LIMIT 3
----
EXPLAIN
-> Limit: 3 rows
    -> Remove duplicates
        -> Project: t.n
            -> Filter: ((t.n % 20) < 2)
                -> Distinct values of t using n
                     range: `n` in (10, +∞)
                     entries only: no document is read
                     in the order of its values
                     residual, of each value: ((t.n % 20) < 2)
                     keys: 714 counted of 986
                     tight
                     residual: ((t.n % 20) < 2)
                     cost: 35.7, a full scan costs 1000.0
                     no range: ((t.n % 20) < 2): (t.n % 20) is computed

query
SELECT DISTINCT n FROM t WHERE n > 10 AND MOD(n, 20) < 2 ORDER BY n LIMIT 3
----
n
20
21

# The sort below DISTINCT in a query of its own, which the statement plans before itself.
query
SELECT x + 0 FROM (SELECT DISTINCT g x FROM t ORDER BY g DESC LIMIT 3) q
----
x + 0
499
498
497

query
SELECT x FROM (SELECT DISTINCT g x FROM t ORDER BY g DESC LIMIT 3 OFFSET 2) q WHERE x + 1 > 0
----
x
497
496
495

query
(SELECT DISTINCT g x FROM t ORDER BY g DESC LIMIT 3) UNION ALL (SELECT DISTINCT g FROM t ORDER BY g LIMIT 2)
----
x
499
498
497
0
1

query
EXPLAIN FORMAT=TREE SELECT x + 0 FROM (SELECT DISTINCT g x FROM t ORDER BY g DESC LIMIT 3) q
----
EXPLAIN
-> Project: (q.x + 0)
    -> Derived table q
        -> Limit: 3 rows
            -> Remove duplicates
                -> Project: t.g as x
                    -> Index range scan on t using g
                         range: `g` in all values
                         entries only: no document is read
                         order: `g` descending: cost 50.0, sorting costs 1996.6
                         keys: about 1,000 of 1,000
                         tight
                         cost: 50.0, a full scan costs 1000.0

# Within a transaction that has written.
exec
BEGIN;
INSERT INTO t (_id, n) VALUES ('new', -1), ('newer', 7.5), ('newest', 'text');
DELETE FROM t WHERE n = 1
----
ok, 0 rows
ok, 3 rows
ok, 25 rows

query
SELECT DISTINCT n FROM t ORDER BY n LIMIT 4
----
n
NULL
-1
0
2

query
SELECT n, COUNT(*) FROM t GROUP BY n ORDER BY n DESC LIMIT 2
----
n | COUNT(*)
"text" | 1
39 | 25

exec
ROLLBACK
----
ok, 0 rows

# Without an order any groups will do: the first that are met. As many and as large as they are they come either way.
query
SELECT COUNT(*), COUNT(DISTINCT g), MIN(c), MAX(c) FROM (SELECT g, COUNT(*) AS c FROM t GROUP BY g LIMIT 3) x
----
COUNT(*) | COUNT(DISTINCT g) | MIN(c) | MAX(c)
3 | 3 | 2 | 2

query
SHOW STATUS WHERE Variable_name IN ('sqlfdb_last_keys', 'sqlfdb_last_documents')
----
Variable_name | Value
sqlfdb_last_documents | 0
sqlfdb_last_keys | 9

exec
SET sqlfdb_use_index = OFF
----
ok, 0 rows

query
SELECT COUNT(*), COUNT(DISTINCT g), MIN(c), MAX(c) FROM (SELECT g, COUNT(*) AS c FROM t GROUP BY g LIMIT 3) x
----
COUNT(*) | COUNT(DISTINCT g) | MIN(c) | MAX(c)
3 | 3 | 2 | 2

exec
SET sqlfdb_use_index = ON
----
ok, 0 rows

query
SELECT COUNT(*), MIN(x.c), MAX(x.c) FROM (SELECT g AS a, COUNT(*) AS c FROM t WHERE g > 100 GROUP BY g LIMIT 4 OFFSET 2) x
----
COUNT(*) | MIN(x.c) | MAX(x.c)
4 | 2 | 2

query
SHOW STATUS WHERE Variable_name IN ('sqlfdb_last_keys', 'sqlfdb_last_documents')
----
Variable_name | Value
sqlfdb_last_documents | 0
sqlfdb_last_keys | 15

exec
SET sqlfdb_use_index = OFF
----
ok, 0 rows

query
SELECT COUNT(*), MIN(x.c), MAX(x.c) FROM (SELECT g AS a, COUNT(*) AS c FROM t WHERE g > 100 GROUP BY g LIMIT 4 OFFSET 2) x
----
COUNT(*) | MIN(x.c) | MAX(x.c)
4 | 2 | 2

exec
SET sqlfdb_use_index = ON
----
ok, 0 rows

query
SELECT COUNT(*), MIN(x.c), MAX(x.c) FROM (SELECT * FROM (SELECT g, COUNT(*) AS c FROM t GROUP BY g) y LIMIT 2) x
----
COUNT(*) | MIN(x.c) | MAX(x.c)
2 | 2 | 2

query
SHOW STATUS WHERE Variable_name IN ('sqlfdb_last_keys', 'sqlfdb_last_documents')
----
Variable_name | Value
sqlfdb_last_documents | 0
sqlfdb_last_keys | 7

exec
SET sqlfdb_use_index = OFF
----
ok, 0 rows

query
SELECT COUNT(*), MIN(x.c), MAX(x.c) FROM (SELECT * FROM (SELECT g, COUNT(*) AS c FROM t GROUP BY g) y LIMIT 2) x
----
COUNT(*) | MIN(x.c) | MAX(x.c)
2 | 2 | 2

exec
SET sqlfdb_use_index = ON
----
ok, 0 rows

query
SELECT COUNT(*), MIN(x.c), MAX(x.c) FROM (SELECT g, COUNT(*) AS c FROM t GROUP BY g HAVING c > 1 LIMIT 2) x
----
COUNT(*) | MIN(x.c) | MAX(x.c)
2 | 2 | 2

query
SHOW STATUS WHERE Variable_name IN ('sqlfdb_last_keys', 'sqlfdb_last_documents')
----
Variable_name | Value
sqlfdb_last_documents | 0
sqlfdb_last_keys | 1000

exec
SET sqlfdb_use_index = OFF
----
ok, 0 rows

query
SELECT COUNT(*), MIN(x.c), MAX(x.c) FROM (SELECT g, COUNT(*) AS c FROM t GROUP BY g HAVING c > 1 LIMIT 2) x
----
COUNT(*) | MIN(x.c) | MAX(x.c)
2 | 2 | 2

exec
SET sqlfdb_use_index = ON
----
ok, 0 rows

query
SELECT COUNT(*), SUM(c) FROM (SELECT n, COUNT(*) AS c FROM t GROUP BY n LIMIT 100) x
----
COUNT(*) | SUM(c)
41 | 1000

query
SHOW STATUS WHERE Variable_name IN ('sqlfdb_last_keys', 'sqlfdb_last_documents')
----
Variable_name | Value
sqlfdb_last_documents | 0
sqlfdb_last_keys | 991

exec
SET sqlfdb_use_index = OFF
----
ok, 0 rows

query
SELECT COUNT(*), SUM(c) FROM (SELECT n, COUNT(*) AS c FROM t GROUP BY n LIMIT 100) x
----
COUNT(*) | SUM(c)
41 | 1000

exec
SET sqlfdb_use_index = ON
----
ok, 0 rows

query
CHECK TABLE t
----
Table | Op | Msg_type | Msg_text
d.t | check | status | OK

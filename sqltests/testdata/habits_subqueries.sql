# Aggregates in subqueries are the subquery's own, whatever the outer query computes.
exec
CREATE TABLE t (id INT PRIMARY KEY, k INT, n INT)
----
ok, 0 rows

exec
INSERT INTO t VALUES (1,1,10),(2,1,20),(3,2,5)
----
ok, 3 rows

exec
CREATE TABLE o (id INT PRIMARY KEY, n INT)
----
ok, 0 rows

exec
INSERT INTO o VALUES (1,7),(2,8)
----
ok, 2 rows

query
SELECT SUM(n), (SELECT SUM(n) FROM t WHERE id=1) FROM t
----
SUM(n) | (SELECT SUM(n) FROM t WHERE id=1)
35 | 10

query
SELECT SUM(n), (SELECT SUM(n) FROM o WHERE id=1) FROM t
----
SUM(n) | (SELECT SUM(n) FROM o WHERE id=1)
35 | 7

query
SELECT SUM(n), (SELECT SUM(n) FROM o) FROM t
----
SUM(n) | (SELECT SUM(n) FROM o)
35 | 15

query
SELECT k, SUM(n), (SELECT SUM(n) FROM t WHERE id=1) FROM t GROUP BY k
----
k | SUM(n) | (SELECT SUM(n) FROM t WHERE id=1)
1 | 30 | 10
2 | 5 | 10

query
SELECT k, MAX(k) FROM t GROUP BY k HAVING k IN (SELECT MAX(k) FROM t)
----
k | MAX(k)
2 | 2

query
SELECT SUM(n), EXISTS(SELECT SUM(n) FROM t WHERE id=1 HAVING SUM(n)=10) FROM t
----
SUM(n) | EXISTS(SELECT SUM(n) FROM t WHERE id=1 HAVING SUM(n)=10)
35 | 1

query
SELECT SUM(n), EXISTS(SELECT SUM(n) FROM t WHERE id=1 HAVING SUM(n)=11) FROM t
----
SUM(n) | EXISTS(SELECT SUM(n) FROM t WHERE id=1 HAVING SUM(n)=11)
35 | 0

query
SELECT k, SUM(n)/(SELECT SUM(n) FROM t) FROM t GROUP BY k
----
k | SUM(n)/(SELECT SUM(n) FROM t)
1 | 0.8571
2 | 0.1429

query
SELECT k FROM t GROUP BY k HAVING SUM(n) > (SELECT SUM(n)*0.5 FROM t)
----
k
1

query
SELECT k, SUM(n) FROM t GROUP BY k HAVING SUM(n) > (SELECT SUM(n)*0.5 FROM t) ORDER BY SUM(n)
----
k | SUM(n)
1 | 30

query
SELECT COUNT(*), (SELECT COUNT(*) FROM o) FROM t
----
COUNT(*) | (SELECT COUNT(*) FROM o)
3 | 2

query
SELECT k, COUNT(*), (SELECT COUNT(*) FROM o) FROM t GROUP BY k
----
k | COUNT(*) | (SELECT COUNT(*) FROM o)
1 | 2 | 2
2 | 1 | 2

query
SELECT k, COUNT(*), (SELECT COUNT(*) FROM o WHERE o.id=t.k) FROM t GROUP BY k
----
k | COUNT(*) | (SELECT COUNT(*) FROM o WHERE o.id=t.k)
1 | 2 | 1
2 | 1 | 1

query
SELECT MIN(n), (SELECT MIN(n) FROM o) x FROM t ORDER BY (SELECT MAX(n) FROM o)
----
MIN(n) | x
5 | 7

query
SELECT k, SUM(n) FROM t GROUP BY k ORDER BY SUM(n) - (SELECT SUM(n) FROM o) DESC
----
k | SUM(n)
1 | 30
2 | 5

query
SELECT k, SUM(n) s, (SELECT SUM(n) FROM t u WHERE u.k=t.k) s2 FROM t GROUP BY k
----
k | s | s2
1 | 30 | 30
2 | 5 | 5

query
SELECT GROUP_CONCAT(n ORDER BY n), (SELECT GROUP_CONCAT(n ORDER BY n) FROM o) FROM t
----
GROUP_CONCAT(n ORDER BY n) | (SELECT GROUP_CONCAT(n ORDER BY n) FROM o)
5,10,20 | 7,8

query
SELECT COUNT(DISTINCT n), (SELECT COUNT(DISTINCT n) FROM o) FROM t
----
COUNT(DISTINCT n) | (SELECT COUNT(DISTINCT n) FROM o)
3 | 2

query
SELECT SUM(n), (SELECT x FROM (SELECT SUM(n) x FROM o) d) FROM t
----
SUM(n) | (SELECT x FROM (SELECT SUM(n) x FROM o) d)
35 | 15

query
SELECT SUM(n), SUM(n) IN (SELECT SUM(n) FROM t), SUM(n) > ALL (SELECT SUM(n) FROM o) FROM t
----
SUM(n) | SUM(n) IN (SELECT SUM(n) FROM t) | SUM(n) > ALL (SELECT SUM(n) FROM o)
35 | 1 | 1

query
WITH c AS (SELECT SUM(n) s FROM t) SELECT SUM(n), (SELECT s FROM c), (SELECT SUM(n) FROM o) FROM t
----
SUM(n) | (SELECT s FROM c) | (SELECT SUM(n) FROM o)
35 | 35 | 15

query
SELECT SUM(n) OVER (ORDER BY id), (SELECT SUM(n) FROM o) FROM t
----
SUM(n) OVER (ORDER BY id) | (SELECT SUM(n) FROM o)
35 | 15
10 | 15
30 | 15

query
SELECT k, SUM(n), (SELECT SUM(n) FROM t WHERE id=1) FROM t GROUP BY k WITH ROLLUP
----
k | SUM(n) | (SELECT SUM(n) FROM t WHERE id=1)
1 | 30 | 10
2 | 5 | 10
NULL | 35 | 10

query
SELECT SUM(t.n), (SELECT SUM(t.n) FROM o) FROM t
----
ERROR 1242 (21000): the subquery returned more than 1 row

query
SELECT k, (SELECT SUM(t.n)+o.id FROM o WHERE id=1) FROM t GROUP BY k
----
k | (SELECT SUM(t.n)+o.id FROM o WHERE id=1)
1 | 31
2 | 6

exec
UPDATE t SET n = n + (SELECT SUM(n) FROM o) WHERE id=3
----
ok, 1 rows

query
SELECT * FROM t
----
id | k | n
1 | 1 | 10
2 | 1 | 20
3 | 2 | 20

exec
INSERT INTO t SELECT 4, SUM(n), (SELECT SUM(n) FROM o) FROM t
----
ok, 1 rows

query
SELECT * FROM t
----
id | k | n
1 | 1 | 10
2 | 1 | 20
3 | 2 | 20
4 | 50 | 15

query
CHECK TABLE t, o
----
Table | Op | Msg_type | Msg_text
d.t | check | status | OK
d.o | check | status | OK

# An aggregate belongs to the SELECT where it stands, or to the one around it that all its columns are of.

exec
CREATE TABLE t (id INT PRIMARY KEY, k INT, n INT);
INSERT INTO t VALUES (1,1,10),(2,1,20),(3,2,5);
CREATE TABLE u (id INT PRIMARY KEY, n INT);
INSERT INTO u VALUES (1,100),(2,7);
CREATE TABLE o (_id INT PRIMARY KEY, _doc JSON);
INSERT INTO o (_doc) VALUES ('{"_id":1,"k":1,"n":10}'),('{"_id":2,"k":1,"n":20}'),('{"_id":3,"k":2,"n":5.5}');
CREATE VIEW v AS SELECT k, SUM(n) / (SELECT SUM(n) FROM t) AS share FROM t GROUP BY k
----
ok, 0 rows
ok, 3 rows
ok, 0 rows
ok, 2 rows
ok, 0 rows
ok, 3 rows
ok, 0 rows

query
SELECT SUM(n), (SELECT SUM(n) FROM t WHERE id=1) FROM t
----
SUM(n) | (SELECT SUM(n) FROM t WHERE id=1)
35 | 10

query
SELECT SUM(n), (SELECT SUM(n) FROM u) FROM t
----
SUM(n) | (SELECT SUM(n) FROM u)
35 | 107

query
SELECT k, SUM(n), (SELECT SUM(n) FROM t WHERE id=1) FROM t GROUP BY k ORDER BY k
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
SELECT k, SUM(n)/(SELECT SUM(n) FROM t) FROM t GROUP BY k ORDER BY k
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
SELECT k, (SELECT SUM(t.n)) FROM t GROUP BY k ORDER BY k
----
k | (SELECT SUM(t.n))
1 | 30
2 | 5

query
SELECT k, SUM(t.n), (SELECT SUM(t.n)) FROM t GROUP BY k ORDER BY k
----
k | SUM(t.n) | (SELECT SUM(t.n))
1 | 30 | 30
2 | 5 | 5

query
SELECT k, (SELECT SUM(t.n) FROM u LIMIT 1) FROM t GROUP BY k ORDER BY k
----
k | (SELECT SUM(t.n) FROM u LIMIT 1)
1 | 30
2 | 5

query
SELECT k, (SELECT u.n FROM u WHERE u.id = MAX(t.id)) FROM t GROUP BY k ORDER BY k
----
k | (SELECT u.n FROM u WHERE u.id = MAX(t.id))
1 | 7
2 | NULL

query
SELECT k, SUM(n) s FROM t GROUP BY k ORDER BY (SELECT SUM(n) FROM u WHERE u.id = t.k)
----
k | s
2 | 5
1 | 30

query
SELECT k, COUNT(DISTINCT n), (SELECT COUNT(DISTINCT n) FROM u) FROM t GROUP BY k ORDER BY k
----
k | COUNT(DISTINCT n) | (SELECT COUNT(DISTINCT n) FROM u)
1 | 2 | 2
2 | 1 | 2

query
SELECT k, AVG(n), (SELECT AVG(n) FROM u WHERE n > (SELECT AVG(n) FROM t)) FROM t GROUP BY k ORDER BY k
----
k | AVG(n) | (SELECT AVG(n) FROM u WHERE n > (SELECT AVG(n) FROM t))
1 | 15.0000 | 100.0000
2 | 5.0000 | 100.0000

query
SELECT SUM(n), (SELECT SUM(n) OVER () FROM t LIMIT 1) FROM t
----
SUM(n) | (SELECT SUM(n) OVER () FROM t LIMIT 1)
35 | 35

query
SELECT k, SUM(n), (SELECT SUM(b.n) FROM t b WHERE b.k = t.k) FROM t GROUP BY k ORDER BY k
----
k | SUM(n) | (SELECT SUM(b.n) FROM t b WHERE b.k = t.k)
1 | 30 | 30
2 | 5 | 5

query
SELECT k, GROUP_CONCAT(n ORDER BY n), (SELECT GROUP_CONCAT(n ORDER BY n) FROM u) FROM t GROUP BY k ORDER BY k
----
k | GROUP_CONCAT(n ORDER BY n) | (SELECT GROUP_CONCAT(n ORDER BY n) FROM u)
1 | 10,20 | 7,100
2 | 5 | 7,100

query
SELECT k, MAX(n), (SELECT COUNT(*) FROM u WHERE n < MAX(t.n)) FROM t GROUP BY k ORDER BY k
----
k | MAX(n) | (SELECT COUNT(*) FROM u WHERE n < MAX(t.n))
1 | 20 | 1
2 | 5 | 0

query
SELECT k, COUNT(*), (SELECT COUNT(*) FROM u) FROM t GROUP BY k ORDER BY k
----
k | COUNT(*) | (SELECT COUNT(*) FROM u)
1 | 2 | 2
2 | 1 | 2

query
SELECT k, MIN(n) FROM t GROUP BY k HAVING MIN(n) < (SELECT MIN(n) FROM u) ORDER BY k
----
k | MIN(n)
2 | 5

query
SELECT x.k, SUM(x.n), (SELECT SUM(x.n) FROM t x) FROM t x GROUP BY x.k ORDER BY x.k
----
k | SUM(x.n) | (SELECT SUM(x.n) FROM t x)
1 | 30 | 35
2 | 5 | 35

query
SELECT k, SUM(n) FROM t GROUP BY k HAVING SUM(n) = (SELECT MAX(s) FROM (SELECT SUM(n) s FROM t GROUP BY k) d)
----
k | SUM(n)
1 | 30

query
SELECT (SELECT SUM(n) FROM t), (SELECT SUM(n) FROM u), SUM(n) FROM t
----
(SELECT SUM(n) FROM t) | (SELECT SUM(n) FROM u) | SUM(n)
35 | 107 | 35

query
SELECT SUM(n), SUM((SELECT SUM(n) FROM u)) FROM t
----
SUM(n) | SUM((SELECT SUM(n) FROM u))
35 | 321

query
SELECT SUM(n), (SELECT SUM(n) FROM t WHERE id = 1) IN (SELECT SUM(n) FROM u WHERE id = 2 UNION SELECT SUM(n) FROM t WHERE id=1) FROM t
----
SUM(n) | (SELECT SUM(n) FROM t WHERE id = 1) IN (SELECT SUM(n) FROM u WHERE id = 2 UNION SELECT SUM(n) FROM t WHERE id=1)
35 | 1

query
WITH c AS (SELECT SUM(n) s FROM t) SELECT SUM(n), (SELECT s FROM c) FROM u
----
SUM(n) | (SELECT s FROM c)
107 | 35

query
SELECT k, SUM(n) FROM t WHERE n < (SELECT SUM(n) FROM t) GROUP BY k ORDER BY k
----
k | SUM(n)
1 | 30
2 | 5

query
SELECT k, ROUND(100*SUM(n)/(SELECT SUM(n) FROM t),1) pct FROM t GROUP BY k ORDER BY pct DESC
----
k | pct
1 | 85.7
2 | 14.3

query
SELECT k FROM t GROUP BY k HAVING (SELECT COUNT(*) FROM u WHERE u.n > SUM(t.n)) > 0 ORDER BY k
----
k
1
2

query
SELECT k FROM t GROUP BY k ORDER BY (SELECT SUM(t.n)) DESC
----
k
1
2

query
SELECT (SELECT SUM(t.n)) FROM t
----
(SELECT SUM(t.n))
35

query
SELECT k, (SELECT n FROM u WHERE u.id = COUNT(t.n)) FROM t GROUP BY k ORDER BY k
----
k | (SELECT n FROM u WHERE u.id = COUNT(t.n))
1 | 7
2 | 100

query
SELECT k, (SELECT GROUP_CONCAT(t.n ORDER BY t.n)) FROM t GROUP BY k ORDER BY k
----
ERROR 1055 (42000): expression 't.n' doesn't appear in the group by expressions

query
SELECT k, (SELECT MAX(t.n) + MIN(u.n) FROM u) FROM t GROUP BY k ORDER BY k
----
k | (SELECT MAX(t.n) + MIN(u.n) FROM u)
1 | 27
2 | 12

query
SELECT t.k, (SELECT t2.n FROM t t2 WHERE t2.k = t.k AND t2.n = MAX(t.n)) FROM t GROUP BY t.k ORDER BY t.k
----
k | (SELECT t2.n FROM t t2 WHERE t2.k = t.k AND t2.n = MAX(t.n))
1 | 20
2 | 5

query
SELECT k, ROUND(100 * SUM(n) / (SELECT SUM(n) FROM o), 1) AS percent FROM o GROUP BY k ORDER BY percent DESC
----
k | percent
1 | 84.5
2 | 15.5

query
SELECT k, SUM(n) AS s FROM o GROUP BY k HAVING SUM(n) > (SELECT SUM(n) * 0.5 FROM o)
----
k | s
1 | 30

query
SELECT * FROM v ORDER BY k
----
k | share
1 | 0.8571
2 | 0.1429

prepared
: 1
: 2
: 3
SELECT k, SUM(n) + ?, (SELECT SUM(n) + ? FROM t WHERE id = ?) FROM t GROUP BY k ORDER BY k
----
k | SUM(n) + ? | (SELECT SUM(n) + ? FROM t WHERE id = ?)
1 | 31 | 7
2 | 6 | 7

query
CHECK TABLE t, u, o
----
Table | Op | Msg_type | Msg_text
d.t | check | status | OK
d.u | check | status | OK
d.o | check | status | OK

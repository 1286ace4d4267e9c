# An aggregate of a subquery is its own, whatever the queries around it aggregate, and theirs where it reads their columns alone.
exec
CREATE TABLE t (id INT PRIMARY KEY, k INT, n INT);
CREATE TABLE u (id INT PRIMARY KEY, k INT, n INT);
INSERT INTO t VALUES (1, 1, 10), (2, 1, 20), (3, 2, 5);
INSERT INTO u VALUES (1, 1, 7), (2, 2, 100)
----
ok, 0 rows
ok, 0 rows
ok, 3 rows
ok, 2 rows

query
SELECT SUM(n), (SELECT SUM(n) FROM t WHERE id=1) FROM t
----
SUM(n) | (SELECT SUM(n) FROM t WHERE id=1)
35 | 10

query
SELECT SUM(n), (SELECT SUM(n) FROM u WHERE id=1) FROM t
----
SUM(n) | (SELECT SUM(n) FROM u WHERE id=1)
35 | 7

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
SELECT k, SUM(n)/(SELECT SUM(n) FROM t) FROM t GROUP BY k
----
k | SUM(n)/(SELECT SUM(n) FROM t)
1 | 0.8571
2 | 0.1429

query
SELECT k, SUM(n) FROM t GROUP BY k HAVING SUM(n) > (SELECT SUM(n)*0.5 FROM t)
----
k | SUM(n)
1 | 30

query
SELECT k, (SELECT SUM(t.n)) FROM t GROUP BY k
----
k | (SELECT SUM(t.n))
1 | 30
2 | 5

query
SELECT k, (SELECT SUM(t.n) FROM u LIMIT 1) FROM t GROUP BY k
----
k | (SELECT SUM(t.n) FROM u LIMIT 1)
1 | 30
2 | 5

query
SELECT k, SUM(n) s, (SELECT SUM(n) s FROM u WHERE u.k=t.k) FROM t GROUP BY k
----
k | s | (SELECT SUM(n) s FROM u WHERE u.k=t.k)
1 | 30 | 7
2 | 5 | 100

query
SELECT SUM(n) OVER (ORDER BY id), (SELECT SUM(n) FROM t WHERE id=1) FROM t
----
SUM(n) OVER (ORDER BY id) | (SELECT SUM(n) FROM t WHERE id=1)
35 | 10
10 | 10
30 | 10

query
SELECT k, SUM(n) FROM t GROUP BY k ORDER BY (SELECT SUM(n) FROM t WHERE id=1), SUM(n)
----
k | SUM(n)
2 | 5
1 | 30

query
SELECT k, COUNT(DISTINCT n), (SELECT COUNT(DISTINCT n) FROM t) FROM t GROUP BY k
----
k | COUNT(DISTINCT n) | (SELECT COUNT(DISTINCT n) FROM t)
1 | 2 | 3
2 | 1 | 3

query
SELECT COUNT(*), (SELECT COUNT(*) FROM u) FROM t
----
COUNT(*) | (SELECT COUNT(*) FROM u)
3 | 2

query
SELECT k, COUNT(*), (SELECT COUNT(*) FROM u WHERE u.k=t.k) FROM t GROUP BY k
----
k | COUNT(*) | (SELECT COUNT(*) FROM u WHERE u.k=t.k)
1 | 2 | 1
2 | 1 | 1

query
SELECT k, COUNT(*), (SELECT COUNT(*)+(SELECT COUNT(*) FROM u) FROM t) FROM t GROUP BY k
----
k | COUNT(*) | (SELECT COUNT(*)+(SELECT COUNT(*) FROM u) FROM t)
1 | 2 | 5
2 | 1 | 5

query
SELECT k, SUM(n) FROM t GROUP BY k HAVING SUM(n) > (SELECT SUM(n) FROM u WHERE u.k=2 HAVING SUM(n) < 1000)
----
k | SUM(n)

query
SELECT SUM(n), (SELECT SUM(n) FROM (SELECT SUM(n) n FROM t GROUP BY k) d WHERE n<10) FROM t
----
SUM(n) | (SELECT SUM(n) FROM (SELECT SUM(n) n FROM t GROUP BY k) d WHERE n<10)
35 | 5

query
SELECT k, SUM(n) FROM t GROUP BY k HAVING SUM(n) IN (SELECT SUM(n) FROM t GROUP BY k HAVING SUM(n)<10)
----
k | SUM(n)
2 | 5

query
SELECT k, SUM(n) FROM t GROUP BY k HAVING SUM(n) = ANY (SELECT SUM(n) FROM t GROUP BY k)
----
k | SUM(n)
1 | 30
2 | 5

query
SELECT t.k, SUM(t.n), (SELECT SUM(t.n) FROM t WHERE t.id=1) FROM t GROUP BY t.k
----
k | SUM(t.n) | (SELECT SUM(t.n) FROM t WHERE t.id=1)
1 | 30 | 10
2 | 5 | 10

query
SELECT a.k, SUM(a.n), (SELECT SUM(b.n) FROM t b WHERE b.k=a.k) FROM t a GROUP BY a.k
----
k | SUM(a.n) | (SELECT SUM(b.n) FROM t b WHERE b.k=a.k)
1 | 30 | 30
2 | 5 | 5

query
SELECT a.k, SUM(n), (SELECT SUM(n) FROM t b WHERE b.k=a.k) FROM t a GROUP BY a.k
----
k | SUM(n) | (SELECT SUM(n) FROM t b WHERE b.k=a.k)
1 | 30 | 30
2 | 5 | 5

query
SELECT k, (SELECT SUM(n) FROM t) - SUM(n) FROM t GROUP BY k
----
k | (SELECT SUM(n) FROM t) - SUM(n)
1 | 5
2 | 30

query
SELECT k, SUM(n) FROM t GROUP BY k HAVING EXISTS (SELECT SUM(n) FROM u GROUP BY k HAVING SUM(n)=7)
----
k | SUM(n)
1 | 30
2 | 5

query
SELECT * FROM t WHERE n = (SELECT MAX(n) FROM t WHERE k IN (SELECT MAX(k) FROM t))
----
id | k | n
3 | 2 | 5

query
SELECT k, MAX(n) FROM t GROUP BY k HAVING MAX(n) = (SELECT MAX(n) FROM t)
----
k | MAX(n)
1 | 20

query
SELECT k, MAX(n), CASE WHEN MAX(n)=(SELECT MAX(n) FROM t) THEN 'top' ELSE '' END x FROM t GROUP BY k ORDER BY k
----
k | MAX(n) | x
1 | 20 | top
2 | 5 |

query
SELECT k, MAX(n) m FROM t GROUP BY k HAVING m = (SELECT MAX(n) m FROM u)
----
k | m

query
SELECT k, SUM(n) FROM t WHERE n > (SELECT AVG(n) FROM t) GROUP BY k
----
k | SUM(n)
1 | 20

query
SELECT k, AVG(n) FROM t GROUP BY k HAVING AVG(n) > (SELECT AVG(n) FROM t)
----
k | AVG(n)
1 | 15.0000

query
SELECT k, SUM(n), SUM(n) / (SELECT SUM(n) FROM t) * 100 AS pct FROM t GROUP BY k ORDER BY pct DESC
----
k | SUM(n) | pct
1 | 30 | 85.7143
2 | 5 | 14.2857

query
SELECT (SELECT SUM(n) FROM t WHERE id=1), SUM(n) FROM t
----
(SELECT SUM(n) FROM t WHERE id=1) | SUM(n)
10 | 35

query
SELECT k, SUM(n*2), (SELECT SUM(n*2) FROM u) FROM t GROUP BY k
----
k | SUM(n*2) | (SELECT SUM(n*2) FROM u)
1 | 60 | 214
2 | 10 | 214

query
SELECT k+1, SUM(n) FROM t GROUP BY k+1 HAVING k+1 IN (SELECT k+1 FROM u WHERE n > 10)
----
k+1 | SUM(n)
3 | 5

query
SELECT k, SUM(n) FROM t GROUP BY k ORDER BY SUM(n)/(SELECT SUM(n) FROM t) DESC
----
k | SUM(n)
1 | 30
2 | 5

query
SELECT k, (SELECT SUM(t.n)+u.n FROM u WHERE u.k=t.k) FROM t GROUP BY k
----
k | (SELECT SUM(t.n)+u.n FROM u WHERE u.k=t.k)
1 | 37
2 | 105

query
SELECT k, RANK() OVER (ORDER BY SUM(n) DESC), (SELECT SUM(n) FROM t) FROM t GROUP BY k
----
k | RANK() OVER (ORDER BY SUM(n) DESC) | (SELECT SUM(n) FROM t)
1 | 1 | 35
2 | 2 | 35

query
SELECT k, SUM(n) FROM t GROUP BY k UNION SELECT k, (SELECT SUM(n) FROM u) FROM t GROUP BY k
----
k | SUM(n)
1 | 30
2 | 5
1 | 107
2 | 107

query
SELECT id, (SELECT MAX(n) FROM t) - MAX(n) FROM t GROUP BY id ORDER BY id
----
id | (SELECT MAX(n) FROM t) - MAX(n)
1 | 10
2 | 0
3 | 15

query
SELECT k, SUM(n) FROM t GROUP BY k HAVING (k, SUM(n)) IN (SELECT k, SUM(n) FROM t WHERE id<>1 GROUP BY k)
----
k | SUM(n)
2 | 5

query
SELECT k, SUM(n) FROM t GROUP BY k HAVING NOT EXISTS (SELECT 1 FROM u WHERE u.k = t.k AND u.n > SUM(t.n))
----
k | SUM(n)
1 | 30

query
SELECT k, MIN(n), (SELECT MIN(n) FROM t t2 WHERE t2.k > t.k) nx FROM t GROUP BY k ORDER BY nx
----
k | MIN(n) | nx
2 | 5 | NULL
1 | 10 | 5

query
SELECT SUM(x) FROM (SELECT SUM(n) x, (SELECT SUM(n) FROM u) y FROM t GROUP BY k) d WHERE y=107
----
SUM(x)
35

query
SELECT COUNT(1), (SELECT COUNT(1) FROM u) FROM t
----
COUNT(1) | (SELECT COUNT(1) FROM u)
3 | 2

query
SELECT k, SUM(n) AS n, (SELECT SUM(n) AS n FROM t WHERE id=1) FROM t GROUP BY k ORDER BY SUM(t.n)
----
k | n | (SELECT SUM(n) AS n FROM t WHERE id=1)
2 | 5 | 10
1 | 30 | 10

query
SELECT k, SUM(n) AS s FROM t GROUP BY k HAVING s > (SELECT SUM(n)*0.5 AS s FROM t)
----
k | s
1 | 30

query
SELECT k, SUM(n) FROM t GROUP BY k HAVING SUM(n) > (SELECT AVG(s) FROM (SELECT SUM(n) AS s FROM t GROUP BY k) d)
----
k | SUM(n)
1 | 30

query
SELECT SUM(n), (SELECT SUM(n) + (SELECT SUM(n) FROM t WHERE id=2) FROM t WHERE id=1) FROM t
----
SUM(n) | (SELECT SUM(n) + (SELECT SUM(n) FROM t WHERE id=2) FROM t WHERE id=1)
35 | 30

query
WITH c AS (SELECT k, SUM(n) n FROM t GROUP BY k) SELECT k, SUM(n) FROM c GROUP BY k HAVING SUM(n) = (SELECT MAX(n) FROM c)
----
k | SUM(n)
1 | 30

query
SELECT k, GROUP_CONCAT(n ORDER BY n), (SELECT GROUP_CONCAT(n ORDER BY n) FROM t) FROM t GROUP BY k HAVING GROUP_CONCAT(n ORDER BY n) <> (SELECT GROUP_CONCAT(n ORDER BY n) FROM t)
----
k | GROUP_CONCAT(n ORDER BY n) | (SELECT GROUP_CONCAT(n ORDER BY n) FROM t)
1 | 10,20 | 5,10,20
2 | 5 | 5,10,20

query
SELECT k, MIN(n), MAX(n), (SELECT MIN(n) FROM t), (SELECT MAX(n) FROM t) FROM t GROUP BY k ORDER BY MAX(n)-(SELECT MAX(n) FROM t), k
----
k | MIN(n) | MAX(n) | (SELECT MIN(n) FROM t) | (SELECT MAX(n) FROM t)
2 | 5 | 5 | 5 | 20
1 | 10 | 20 | 5 | 20

query
SELECT t.k, COUNT(*) FROM t JOIN u ON t.k=u.k GROUP BY t.k HAVING COUNT(*) > (SELECT COUNT(*) FROM u WHERE n > 50)
----
k | COUNT(*)
1 | 2

query
SELECT k, SUM(n) FROM t GROUP BY k ORDER BY (SELECT SUM(n) FROM t t2 WHERE t2.k = t.k)
----
k | SUM(n)
2 | 5
1 | 30

query
SELECT k, SUM(DISTINCT n), (SELECT SUM(DISTINCT n) FROM t) FROM t GROUP BY k
----
k | SUM(DISTINCT n) | (SELECT SUM(DISTINCT n) FROM t)
1 | 30 | 35
2 | 5 | 35

query
SELECT k, SUM(n), (SELECT SUM(n) FROM t WHERE id=1 UNION SELECT SUM(n) FROM t WHERE id=1) FROM t GROUP BY k
----
k | SUM(n) | (SELECT SUM(n) FROM t WHERE id=1 UNION SELECT SUM(n) FROM t WHERE id=1)
1 | 30 | 10
2 | 5 | 10

query
SELECT k, (SELECT SUM(n)) s FROM t GROUP BY k HAVING s > 10
----
k | s
1 | 30

query
SELECT (SELECT SUM(t.n)) FROM t
----
(SELECT SUM(t.n))
35

query
SELECT (SELECT COUNT(t.n) FROM u WHERE u.id=1) FROM t
----
(SELECT COUNT(t.n) FROM u WHERE u.id=1)
3

query
SELECT k, (SELECT u.n FROM u WHERE u.n > SUM(t.n) LIMIT 1) x FROM t GROUP BY k
----
k | x
1 | 100
2 | 7

query
SELECT k FROM t GROUP BY k HAVING (SELECT COUNT(*) FROM u WHERE u.n > MAX(t.n)) = 1 AND MAX(n) > (SELECT MIN(n) FROM t)
----
k
1

query
SELECT COUNT(DISTINCT k, n), (SELECT COUNT(DISTINCT k, n) FROM u) FROM t
----
COUNT(DISTINCT k, n) | (SELECT COUNT(DISTINCT k, n) FROM u)
3 | 2

query
SELECT id, SUM(n) OVER (PARTITION BY k) s, (SELECT SUM(n) OVER (PARTITION BY k) FROM t ORDER BY id LIMIT 1) FROM t ORDER BY id
----
id | s | (SELECT SUM(n) OVER (PARTITION BY k) FROM t ORDER BY id LIMIT 1)
1 | 30 | 30
2 | 30 | 30
3 | 5 | 30

query
SELECT DISTINCT SUM(n), (SELECT SUM(n) FROM t) FROM t GROUP BY k ORDER BY 1
----
SUM(n) | (SELECT SUM(n) FROM t)
5 | 35
30 | 35

query
SELECT k, SUM(n) FROM t GROUP BY k HAVING SUM(n) >= ALL (SELECT SUM(n) FROM t t2 GROUP BY k)
----
k | SUM(n)
1 | 30

query
SELECT IF(SUM(n) > (SELECT SUM(n) FROM u), 'more', 'less') FROM t
----
IF(SUM(n) > (SELECT SUM(n) FROM u), 'more', 'less')
less

query
SELECT SUM(n) + 1, SUM(n), (SELECT MAX(s) FROM (SELECT k, SUM(n) s FROM t GROUP BY k HAVING SUM(n) < (SELECT SUM(n) FROM t)) d) FROM t
----
SUM(n) + 1 | SUM(n) | (SELECT MAX(s) FROM (SELECT k, SUM(n) s FROM t GROUP BY k HAVING SUM(n) < (SELECT SUM(n) FROM t)) d)
36 | 35 | 30

query
SELECT BIT_OR(n), (SELECT BIT_OR(n) FROM t WHERE id < 3), STDDEV(n), (SELECT STDDEV(n) FROM t WHERE id < 3) FROM t
----
BIT_OR(n) | (SELECT BIT_OR(n) FROM t WHERE id < 3) | STDDEV(n) | (SELECT STDDEV(n) FROM t WHERE id < 3)
31 | 30 | 6.236095644623235 | 5

exec
CREATE VIEW v AS SELECT k, SUM(n) AS s, (SELECT SUM(n) FROM t WHERE id = 1) AS one FROM t GROUP BY k;
PREPARE p FROM 'SELECT SUM(n * ?), (SELECT SUM(n * ?) FROM t WHERE id = ?) FROM t';
SET @a = 2, @b = 3, @c = 1
----
ok, 0 rows
ok, 0 rows
ok, 0 rows

query
SELECT * FROM v
----
k | s | one
1 | 30 | 10
2 | 5 | 10

query
SELECT SUM(s), (SELECT SUM(s) FROM v WHERE k = 2) FROM v
----
SUM(s) | (SELECT SUM(s) FROM v WHERE k = 2)
35 | 5

query
EXECUTE p USING @a, @b, @c
----
SUM(n * ?) | (SELECT SUM(n * ?) FROM t WHERE id = ?)
70 | 30

query
EXECUTE p USING @b, @b, @c
----
SUM(n * ?) | (SELECT SUM(n * ?) FROM t WHERE id = ?)
105 | 30

exec
CREATE TABLE w AS SELECT SUM(n) AS a, (SELECT SUM(n) FROM t WHERE id = 1) AS b FROM t;
INSERT INTO w SELECT SUM(n), (SELECT SUM(n) FROM t WHERE id = 2) FROM t
----
ok, 1 rows
ok, 1 rows

query
SELECT a, b FROM w ORDER BY b
----
a | b
35 | 10
35 | 20

exec
UPDATE w SET b = (SELECT SUM(n) - (SELECT SUM(n) FROM t WHERE id = 1) FROM t) WHERE b = 20;
DELETE FROM w WHERE b = (SELECT SUM(n) - (SELECT SUM(n) FROM t WHERE id <> 1) FROM t)
----
ok, 1 rows
ok, 1 rows

query
SELECT a, b FROM w
----
a | b
35 | 25

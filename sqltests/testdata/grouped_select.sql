# Aggregates that the plan builder would take for one another, and what HAVING may have.

exec
CREATE TABLE s (_id VARCHAR(255) PRIMARY KEY, _doc JSON);
INSERT INTO s (_doc) VALUES ('{"_id":"1","k":"A","n":1,"K":"x"}'), ('{"_id":"2","k":"a","n":2,"K":"y"}'), ('{"_id":"3","k":"a","n":4,"K":"x"}');
CREATE TABLE r (id INT PRIMARY KEY, n INT, x INT);
INSERT INTO r VALUES (1, 1, 5), (2, 2, 6), (3, 2, 7);
----
ok, 0 rows
ok, 3 rows
ok, 0 rows
ok, 3 rows

query
SELECT SUM(k = 'A'), SUM(k = 'a') FROM s
----
SUM(k = 'A') | SUM(k = 'a')
1 | 2

exec
PREPARE pivot FROM 'SELECT SUM(k = ?) AS p, SUM(k = ?) AS q FROM s';
SET @p = 'A', @q = 'a'
----
ok, 0 rows
ok, 0 rows

query
EXECUTE pivot USING @p, @q
----
p | q
1 | 2

query
SELECT MAX(CONCAT(k, 'x')), MAX(CONCAT(k, 'X')) FROM s
----
MAX(CONCAT(k, 'x')) | MAX(CONCAT(k, 'X'))
Ax | AX

query
SELECT MAX(_doc->>'$.K'), MAX(_doc->>'$.k'), MIN(_doc->>'$.K') FROM s
----
MAX(_doc->>'$.K') | MAX(_doc->>'$.k') | MIN(_doc->>'$.K')
y | A | x

query
SELECT GROUP_CONCAT(_id ORDER BY _id SEPARATOR 'x'), GROUP_CONCAT(_id ORDER BY _id SEPARATOR 'X'), GROUP_CONCAT(_id ORDER BY _id) FROM s
----
GROUP_CONCAT(_id ORDER BY _id SEPARATOR 'x') | GROUP_CONCAT(_id ORDER BY _id SEPARATOR 'X') | GROUP_CONCAT(_id ORDER BY _id)
1x2x3 | 1X2X3 | 1,2,3

query
SELECT k = 'A', COUNT(*) FROM s GROUP BY k = 'A', k = 'a' ORDER BY SUM(k = 'A'), SUM(k = 'a')
----
k = 'A' | COUNT(*)
0 | 2
1 | 1

query
SELECT k FROM s GROUP BY k HAVING SUM(k = 'A') > 0 OR SUM(k = 'a') > 5
----
k
A

query
SELECT COUNT(_id), COUNT(1), COUNT(*), COUNT(1), COUNT(*) + 1 FROM s
----
COUNT(_id) | COUNT(1) | COUNT(*) | COUNT(1) | COUNT(*) + 1
3 | 3 | 3 | 3 | 4

query
SELECT COUNT(1), COUNT(1) FROM s GROUP BY k ORDER BY 1
----
COUNT(1) | COUNT(1)
1 | 1
2 | 2

# GROUP_CONCAT that is not selected.

query
SELECT n, COUNT(*) FROM r GROUP BY n HAVING GROUP_CONCAT(id ORDER BY id DESC) = '3,2'
----
n | COUNT(*)
2 | 2

query
SELECT n FROM r GROUP BY n HAVING GROUP_CONCAT(DISTINCT n, 'x' ORDER BY id, x SEPARATOR ';') LIKE '%x' AND GROUP_CONCAT(x) IS NOT NULL ORDER BY n
----
n
1
2

query
SELECT COUNT(*) FROM s HAVING GROUP_CONCAT(k ORDER BY _id) = 'A,a,a'
----
COUNT(*)
3

query
SELECT p.n, COUNT(*) FROM r AS p JOIN r AS q ON p.n = q.n GROUP BY p.n HAVING GROUP_CONCAT(q.id ORDER BY q.id, p.id DESC) = '2,2,3,3'
----
n | COUNT(*)
2 | 4

# Columns of one name in two tables.

query
SELECT p.n FROM r AS p JOIN r AS q ON p.n <> q.n GROUP BY p.n HAVING SUM(p.x) > 5 AND SUM(q.x) > 12 ORDER BY p.n
----
n
1

query
SELECT p.n FROM r AS p JOIN r AS q ON p.n <> q.n GROUP BY p.n HAVING MAX(q.x - p.x) > 0 AND COUNT(DISTINCT q.id, p.id) = 2
----
n
1

# Expressions of GROUP BY.

query
SELECT _doc->>'$.k' AS z, COUNT(*) FROM s GROUP BY _doc->>'$.k' HAVING _doc->>'$.k' <> 'A'
----
z | COUNT(*)
a | 2

query
SELECT COUNT(*) FROM s AS p JOIN s AS q ON p.k = q.k GROUP BY UPPER(q._doc->>'$.K'), p.k HAVING UPPER(q._doc->>'$.K') = 'X' AND p.k = 'a'
----
COUNT(*)
2

query
SELECT (SELECT COUNT(*) FROM r AS p GROUP BY p.n HAVING GROUP_CONCAT(p.id) = '1' AND p.n = o.n) AS c FROM r AS o ORDER BY o.id
----
c
1
NULL
NULL

query
SELECT n FROM r GROUP BY n HAVING GROUP_CONCAT(id) = '1' UNION ALL SELECT n FROM s GROUP BY n HAVING GROUP_CONCAT(_id) = '3'
----
n
1
4

exec
CREATE VIEW v AS SELECT n, COUNT(*) AS c FROM r GROUP BY n HAVING GROUP_CONCAT(id ORDER BY id) = '2,3'
----
ok, 0 rows

query
SELECT * FROM v
----
n | c
2 | 2

query
SELECT q.c1 FROM (SELECT COUNT(*) AS c0, SUM(2) AS c1 FROM r) AS q
----
c1
6

query
SELECT DISTINCT GROUP_CONCAT(DISTINCT n, x ORDER BY x) FROM r GROUP BY n ORDER BY 1
----
GROUP_CONCAT(DISTINCT n, x ORDER BY x)
15
26,27

# What is counted is spelled otherwise when it has been planned.
query
SELECT COUNT(DISTINCT n <> 10.5) AS c, COUNT(DISTINCT NULLIF(n, 2.0), id) AS d FROM r
----
c | d
1 | 1

query
SELECT n FROM r GROUP BY n HAVING COUNT(DISTINCT id > 2.5) = 2
----
n
2

query
SELECT n, RANK() OVER (ORDER BY COUNT(DISTINCT id > 0.5), n) AS place FROM r GROUP BY n ORDER BY n
----
n | place
1 | 1
2 | 2

# Subqueries within aggregates of HAVING name columns that are not selected.

query
SELECT MIN(id) FROM r GROUP BY NULLIF(n, 0) HAVING COUNT(DISTINCT n IN (SELECT n FROM s WHERE s.n = r.n)) = 1 ORDER BY 1
----
MIN(id)
1
2

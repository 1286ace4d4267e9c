# Correlated subqueries above GROUP BY read columns that SELECT does not name.

exec
CREATE TABLE t (_id VARCHAR(255) PRIMARY KEY, _doc JSON);
CREATE TABLE u (_id VARCHAR(255) PRIMARY KEY, _doc JSON);
INSERT INTO t (_doc) VALUES ('{"_id":"a","n":1,"s":"x"}'), ('{"_id":"b","n":2,"s":"x"}'), ('{"_id":"c","n":3,"s":"y"}'), ('{"_id":"e","n":4}');
INSERT INTO u (_doc) VALUES ('{"_id":"1","n":1,"v":10}'), ('{"_id":"2","n":2,"v":10}'), ('{"_id":"3","n":3,"v":20}');
CREATE VIEW grouped AS SELECT (SELECT v FROM u WHERE u.n = t.n) AS g, COUNT(*) AS c FROM t GROUP BY g;
----
ok, 0 rows
ok, 0 rows
ok, 4 rows
ok, 3 rows
ok, 0 rows

query
SELECT (SELECT v FROM u WHERE u.n = t.n) AS g, COUNT(*) FROM t GROUP BY g ORDER BY g
----
g | COUNT(*)
NULL | 1
10 | 2
20 | 1

query
SELECT (SELECT v FROM u WHERE u.n = t.n) AS g, SUM(n), MAX(s) FROM t GROUP BY 1 ORDER BY 1
----
g | SUM(n) | MAX(s)
NULL | 4 | NULL
10 | 3 | x
20 | 3 | y

query
SELECT (SELECT MAX(v) FROM u WHERE u.n = t.n) + 1 AS g, COUNT(*) FROM t GROUP BY g HAVING g > 12 ORDER BY g
----
g | COUNT(*)
21 | 1

query
SELECT EXISTS (SELECT 1 FROM u WHERE u.n = t.n) AS g, COUNT(*) FROM t GROUP BY g ORDER BY g
----
g | COUNT(*)
0 | 1
1 | 3

query
SELECT t.n IN (SELECT n FROM u WHERE u.n = t.n) AS g, COUNT(*) FROM t GROUP BY g ORDER BY g
----
g | COUNT(*)
0 | 1
1 | 3

query
SELECT (SELECT v FROM u WHERE u.n = t.n) AS g, COUNT(*) FROM t GROUP BY t.n ORDER BY t.n
----
g | COUNT(*)
10 | 1
10 | 1
20 | 1
NULL | 1

query
SELECT (SELECT MAX(v) FROM u WHERE u.n = LENGTH(t.s)) AS q, COUNT(*) FROM t GROUP BY s ORDER BY s
----
q | COUNT(*)
NULL | 1
10 | 2
10 | 1

query
SELECT COUNT(*) FROM t GROUP BY s ORDER BY (SELECT MAX(v) FROM u WHERE u.n = LENGTH(t.s)), COUNT(*)
----
COUNT(*)
1
1
2

query
SELECT COUNT(*) FROM t GROUP BY s HAVING (SELECT MAX(v) FROM u WHERE u.n = LENGTH(t.s)) = 10 ORDER BY 1
----
COUNT(*)
1
2

query
SELECT COUNT(*) AS c FROM t GROUP BY s HAVING EXISTS (SELECT v FROM u WHERE u.n = LENGTH(t.s)) ORDER BY c
----
c
1
2

query
SELECT (SELECT v FROM u WHERE u.n = x.n) AS g, COUNT(*), SUM(y.n) FROM t AS x JOIN u AS y ON x.n >= y.n GROUP BY g ORDER BY g
----
g | COUNT(*) | SUM(y.n)
NULL | 3 | 6
10 | 3 | 4
20 | 3 | 6

query
SELECT g, c FROM grouped ORDER BY g
----
g | c
NULL | 1
10 | 2
20 | 1

query
SELECT s FROM t WHERE n IN (SELECT (SELECT MIN(v) FROM u WHERE u.n = z.n) - 8 AS g FROM t z GROUP BY g)
----
s
x

query
SELECT (SELECT v FROM u WHERE u.n = t.n) AS g, COUNT(*) FROM t GROUP BY s
----
ERROR 1055 (42000): expression 't.n' doesn't appear in the group by expressions

# Subqueries that are merged into a statement over the same table.

query
SELECT n FROM t WHERE s IN (SELECT s FROM t GROUP BY s HAVING GROUP_CONCAT(n ORDER BY n) = '1,2') ORDER BY n
----
n
1
2

query
SELECT n FROM t WHERE s NOT IN (SELECT s FROM t GROUP BY s HAVING GROUP_CONCAT(n ORDER BY n) = '1,2') ORDER BY n
----
n
3

query
SELECT n FROM t WHERE s IN (SELECT s FROM t GROUP BY s HAVING GROUP_CONCAT(DISTINCT n, s ORDER BY n) = '1x,2x') AND n > 1
----
n
2

query
SELECT s FROM t GROUP BY s HAVING GROUP_CONCAT(n ORDER BY n) = '1,2'
----
s
x

# Scalar subqueries two levels down within aggregates that the engine finds by their text.

query
SELECT GROUP_CONCAT(t.n IN (SELECT n FROM u WHERE u.n = t.n AND n < (SELECT MAX(c) FROM (SELECT COUNT(*) AS c FROM u) AS q)) ORDER BY _id) AS g, COUNT(*) FROM t
----
g | COUNT(*)
1,1,0,0 | 4

query
SELECT COUNT(DISTINCT t.n IN (SELECT n FROM u WHERE u.n = t.n AND n < (SELECT MAX(c) FROM (SELECT COUNT(*) AS c FROM u) AS q))) AS g, COUNT(*) FROM t
----
g | COUNT(*)
2 | 4

query
SELECT JSON_OBJECTAGG(_id, t.n IN (SELECT n FROM u WHERE u.n = t.n AND n < (SELECT MAX(c) FROM (SELECT COUNT(*) AS c FROM u) AS q))) AS g, COUNT(*) FROM t
----
g | COUNT(*)
{"a":true,"b":true,"c":false,"e":false} | 4

# A column that an aggregate is of, and a subquery of HAVING.

query
SELECT COUNT(s) AS c, STD(n) AS d FROM t GROUP BY s, n HAVING EXISTS (SELECT 1 FROM u WHERE u.n = t.n) ORDER BY c, (SELECT t.n)
----
c | d
1 | 0
1 | 0
1 | 0

query
SELECT COUNT(n) FROM t GROUP BY n HAVING 2 IN (SELECT t.n FROM u) AND MAX(n) IN (SELECT n FROM u WHERE EXISTS (SELECT 1 FROM u AS w WHERE w.n = t.n))
----
COUNT(n)
1

query
SELECT COUNT(n) FROM t GROUP BY s HAVING 2 IN (SELECT t.n FROM u)
----
ERROR 1055 (42000): expression 't.n' doesn't appear in the group by expressions

# A column of a derived table that is called as the subquery by which its rows are grouped.

query
SELECT EXISTS (SELECT 1 FROM u WHERE u.n = x.k) AS k, COUNT(*) FROM (SELECT n AS k FROM t) AS x GROUP BY EXISTS (SELECT 1 FROM u WHERE u.n = x.k) ORDER BY k
----
k | COUNT(*)
1 | 3
0 | 1

query
SELECT (SELECT MAX(v) FROM u WHERE u.n = x.k) AS k FROM (SELECT n AS k FROM t) AS x GROUP BY (SELECT MAX(v) FROM u WHERE u.n = x.k) ORDER BY k
----
k
10
20
NULL

# HAVING compares the column of a UNION as what it is.

query
SELECT COUNT(c) AS n, STD(c) AS d FROM (SELECT COUNT(*) AS c FROM u UNION ALL SELECT n FROM t UNION ALL SELECT s FROM t) AS x GROUP BY c HAVING c >= -0.00 ORDER BY n, d
----
n | d
1 | 0
1 | 0
1 | 0
1 | 0
2 | 0
2 | 0

# A subquery that is selected under the name of a column that it doesn't select, of a derived table that is called as one in a view.

exec
CREATE VIEW ranked AS SELECT n AS c0, s AS c1, RANK() OVER (PARTITION BY s ORDER BY n) AS c2 FROM t;
CREATE VIEW joined AS SELECT (x.c2 NOT IN (2e0)) IS TRUE AS c0 FROM ranked AS x JOIN u AS y ON y.n = x.c0
----
ok, 0 rows
ok, 0 rows

query
SELECT (SELECT MAX(y.c0) FROM joined AS y WHERE (x.c2 IS NOT NULL) = y.c0) AS c0 FROM (SELECT s AS c0, AVG(n) AS c1, COUNT(*) AS c2 FROM t GROUP BY s) AS x ORDER BY x.c1
----
c0
1
1
1

query
SELECT (SELECT MAX(y.c0) FROM joined AS y WHERE x.c2 > y.c0) AS c0, x.c0 FROM (SELECT _id AS c0, s AS c1, n AS c2 FROM t) AS x ORDER BY x.c2 DESC
----
c0 | c0
1 | e
1 | c
1 | b
0 | a

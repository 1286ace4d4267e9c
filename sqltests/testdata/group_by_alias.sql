# GROUP BY in a subquery means an alias of the subquery before a column of the query around it, and a column of its own
# tables before both.

exec
CREATE TABLE o (f INT, k INT);
CREATE TABLE i (x INT, y INT);
CREATE TABLE c (f INT, z INT);
CREATE TABLE j (_id VARCHAR(20) PRIMARY KEY, _doc JSON);
INSERT INTO o VALUES (1, 1), (2, 2), (3, 3);
INSERT INTO i VALUES (1, 5), (2, 4), (3, 3), (3, 3);
INSERT INTO c VALUES (1, 7), (1, 7), (2, 8);
INSERT INTO j (_doc) VALUES ('{"_id": "a", "day": 3}'), ('{"_id": "b", "day": 3}'), ('{"_id": "c", "day": 1}')
----
ok, 0 rows
ok, 0 rows
ok, 0 rows
ok, 0 rows
ok, 3 rows
ok, 4 rows
ok, 3 rows
ok, 3 rows

query
SELECT f FROM o WHERE f IN (SELECT x AS f FROM i GROUP BY f HAVING COUNT(*) > 1)
----
f
3

query
SELECT f FROM o WHERE EXISTS (SELECT y AS f, COUNT(*) FROM i GROUP BY f HAVING COUNT(*) > 1 AND f = o.f)
----
f
3

query
SELECT f, (SELECT SUM(n) FROM (SELECT y AS f, COUNT(*) AS n FROM i GROUP BY f) AS d WHERE d.f = o.f) AS n FROM o ORDER BY f
----
f | n
1 | NULL
2 | NULL
3 | 2

query
SELECT * FROM o WHERE (f, k) IN (SELECT x AS f, y AS k FROM i GROUP BY f, k)
----
f | k
3 | 3

query
SELECT f FROM o WHERE f IN (SELECT day AS f FROM j GROUP BY f HAVING COUNT(*) > 1)
----
f
3

query
SELECT f, (SELECT COUNT(DISTINCT y) FROM i GROUP BY o.f) AS n FROM o ORDER BY f
----
f | n
1 | 3
2 | 3
3 | 3

query
SELECT f FROM o WHERE f IN (SELECT COUNT(*) AS n FROM c GROUP BY f)
----
f
1
2

query
SELECT f FROM o WHERE f IN (SELECT x AS f FROM i GROUP BY f) ORDER BY f DESC
----
f
3
2
1

query
SELECT f FROM o WHERE f IN (SELECT MAX(x) AS m FROM i GROUP BY y)
----
f
1
2
3

# Without ONLY_FULL_GROUP_BY, too.
exec
SET sql_mode = 'STRICT_TRANS_TABLES'
----
ok, 0 rows

query
SELECT * FROM o WHERE (f, k) IN (SELECT x AS f, y - 2 AS k FROM i GROUP BY f, k)
----
f | k
2 | 2

query
SELECT f FROM o WHERE f IN (SELECT x AS f FROM i GROUP BY f HAVING COUNT(*) > 1)
----
f
3

# An alias within an expression.
query
SELECT y AS n, COUNT(*) FROM i GROUP BY n + 0 ORDER BY 1
----
n | COUNT(*)
3 | 2
4 | 1
5 | 1

query
SELECT COUNT(*), ANY_VALUE(y) % 2 AS odd, y + 1 AS n FROM i WHERE y <> 4 GROUP BY n % 5 ORDER BY 1
----
COUNT(*) | odd | n
1 | 1 | 6
2 | 1 | 4

exec
SET sql_mode = DEFAULT
----
ok, 0 rows

query
SELECT YEAR(d) AS y, COUNT(*) FROM (SELECT DATE('2024-01-02') AS d UNION ALL SELECT '2024-05-06' UNION ALL SELECT '2025-01-01') AS t GROUP BY y, y + 1 ORDER BY y
----
y | COUNT(*)
2024 | 2
2025 | 1

query
SELECT y AS n, COUNT(*) FROM i GROUP BY n + 0
----
ERROR 1055 (42000): expression 'i.y' doesn't appear in the group by expressions

exec
CREATE VIEW v AS SELECT f FROM o WHERE f IN (SELECT x AS f FROM i GROUP BY f HAVING COUNT(*) > 1)
----
ok, 0 rows

query
SELECT * FROM v
----
f
3

exec
PREPARE p FROM 'SELECT f FROM o WHERE f IN (SELECT x AS f FROM i GROUP BY f HAVING COUNT(*) > ?)'
----
ok, 0 rows

exec
SET @n = 1
----
ok, 0 rows

query
EXECUTE p USING @n
----
f
3

# What is made of a group is nothing to group by.
query
SELECT SUM(y) AS n FROM i GROUP BY n + 1
----
ERROR 1054 (42S22): column "n" could not be found in any table in scope

query
SELECT SUM(y) AS n FROM i GROUP BY n
----
ERROR 1056 (42000): Can't group on 'n'

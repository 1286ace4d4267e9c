# ONLY_FULL_GROUP_BY: what is made of groups is of what they have in common. A name in GROUP BY is a column of the tables before it is an alias.
exec
CREATE TABLE v (_id INT PRIMARY KEY, a INT, b INT, c VARCHAR(10));
INSERT INTO v VALUES (1, 1, 10, 'x'), (2, 2, 20, 'y'), (3, NULL, 30, NULL), (4, 2, NULL, 'z');
CREATE TABLE w (_id INT PRIMARY KEY, a INT, b INT);
INSERT INTO w VALUES (1, 1, 1), (2, 2, NULL), (5, 7, 7)
----
ok, 0 rows
ok, 4 rows
ok, 0 rows
ok, 3 rows

query
SELECT a AS b, COUNT(*) FROM v GROUP BY b
----
ERROR 1055 (42000): expression 'v.a' doesn't appear in the group by expressions

query
SELECT a + 1 AS b, COUNT(*) FROM v GROUP BY b
----
ERROR 1055 (42000): expression 'v.a' doesn't appear in the group by expressions

query
SELECT a AS b, COUNT(*) FROM v GROUP BY v.b HAVING b > 1
----
ERROR 1055 (42000): expression 'v.a' doesn't appear in the group by expressions

query
SELECT a, COUNT(*) FROM v GROUP BY b
----
ERROR 1055 (42000): expression 'v.a' doesn't appear in the group by expressions

query
SELECT UPPER(c), COUNT(*) FROM v GROUP BY b
----
ERROR 1055 (42000): expression 'v.c' doesn't appear in the group by expressions

query
SELECT b, COUNT(*) FROM v GROUP BY b ORDER BY a + 1
----
ERROR 1055 (42000): expression 'v.a' doesn't appear in the group by expressions

query
SELECT CASE a WHEN 1 THEN 'one' ELSE c END AS x, COUNT(*) FROM v GROUP BY a
----
ERROR 1055 (42000): expression 'v.c' doesn't appear in the group by expressions

query
SELECT a, SUM(b) FROM v
----
ERROR 1140 (42000): In aggregated query without GROUP BY, nonaggregated column 'v.a' is not determined

query
SELECT COUNT(*) AS n FROM v GROUP BY n
----
ERROR 1056 (42000): Can't group on 'n'

query
SELECT * FROM (SELECT a AS b, COUNT(*) FROM v GROUP BY b) AS t
----
ERROR 1055 (42000): expression 'v.a' doesn't appear in the group by expressions

query
SELECT v.a, COUNT(*) FROM v JOIN w ON w.a = v.b GROUP BY v.b
----
ERROR 1055 (42000): expression 'v.a' doesn't appear in the group by expressions

query
SELECT b AS b, COUNT(*) FROM v GROUP BY b ORDER BY b
----
b | COUNT(*)
NULL | 1
10 | 1
20 | 1
30 | 1

query
SELECT a AS x, COUNT(*) FROM v GROUP BY x ORDER BY x
----
x | COUNT(*)
NULL | 1
1 | 1
2 | 2

query
SELECT MAX(a) AS b, COUNT(*) FROM v GROUP BY b ORDER BY v.b
----
b | COUNT(*)
2 | 1
1 | 1
2 | 1
NULL | 1

query
SELECT b AS a, a AS b, COUNT(*) FROM v GROUP BY a, b ORDER BY v.a, v.b
----
a | b | COUNT(*)
30 | NULL | 1
10 | 1 | 1
NULL | 2 | 1
20 | 2 | 1

query
SELECT UPPER(c) AS c, COUNT(*) FROM v GROUP BY c ORDER BY v.c
----
c | COUNT(*)
NULL | 1
X | 1
Y | 1
Z | 1

query
SELECT a AS b, COUNT(*) FROM v GROUP BY _id ORDER BY _id
----
b | COUNT(*)
1 | 1
2 | 1
NULL | 1
2 | 1

query
SELECT a AS x, COUNT(*) FROM v WHERE a = 2 GROUP BY b ORDER BY b
----
x | COUNT(*)
2 | 1
2 | 1

query
SELECT a, SUM(b) FROM v WHERE _id = 2
----
a | SUM(b)
2 | 20

query
SELECT v.a, v.c, SUM(w.a) FROM v JOIN w ON w._id = v._id GROUP BY w._id ORDER BY w._id
----
a | c | SUM(w.a)
1 | x | 1
2 | y | 2

query
SELECT IF(a IS NULL, 0, a) AS k, COUNT(*) FROM v GROUP BY k ORDER BY k
----
k | COUNT(*)
0 | 1
1 | 1
2 | 2

query
SELECT IF(a IS NULL, 0, a) + 1 AS k, COUNT(*) FROM v GROUP BY a ORDER BY k
----
k | COUNT(*)
1 | 1
2 | 1
3 | 2

query
SELECT a + b + 1 AS s FROM v GROUP BY a + b ORDER BY s
----
s
NULL
12
23

query
SELECT CONCAT(c, 'x') AS k, MAX(b) FROM v GROUP BY CONCAT(c, 'x') HAVING CONCAT(c, 'x') > 'y' ORDER BY CONCAT(c, 'x')
----
k | MAX(b)
yx | 20
zx | NULL

query
SELECT ANY_VALUE(a) AS x, b FROM v GROUP BY b ORDER BY b
----
x | b
2 | NULL
1 | 10
2 | 20
NULL | 30

query
SELECT a, (SELECT COUNT(*) FROM w WHERE w.a = v.a GROUP BY w.a HAVING v.a > 0) AS n FROM v GROUP BY a ORDER BY a
----
a | n
NULL | NULL
1 | 1
2 | 1

exec
SET sql_mode = ''
----
ok, 0 rows

query
SELECT a AS b, COUNT(*) FROM v WHERE _id < 3 GROUP BY b ORDER BY v.b
----
b | COUNT(*)
1 | 1
2 | 1

exec
SET sql_mode = DEFAULT
----
ok, 0 rows

# One row needs no order.
query
SELECT COUNT(*) FROM v ORDER BY a
----
COUNT(*)
4

query
SELECT MAX(a) AS m, COUNT(*) FROM v HAVING m > 0 ORDER BY v.b + 1, m LIMIT 1
----
m | COUNT(*)
2 | 4

# What an inner join's condition determines, however the join is done.
query
SELECT v._id, v.c FROM v JOIN w ON w.a = v._id GROUP BY w.a
----
_id | c
1 | x
2 | y

query
SELECT v.a, w.a FROM v JOIN w ON w.a = v._id GROUP BY v._id
----
a | a
1 | 1
2 | 2

query
SELECT v.a, w.a FROM v LEFT JOIN w ON w.a = v.a GROUP BY v._id
----
ERROR 1055 (42000): expression 'w.a' doesn't appear in the group by expressions

# A condition determines a column, whether a range stands for it or a filter.
exec
CREATE TABLE fixed (_id INT PRIMARY KEY, g INT, a INT, _doc JSON);
INSERT INTO fixed (_id, g, a) VALUES (1, 1, 5), (2, 1, 5), (3, 2, 6)
----
ok, 0 rows
ok, 3 rows

query
SELECT g, a FROM fixed WHERE a = 5 GROUP BY g
----
g | a
1 | 5

query
SELECT g, a FROM fixed WHERE a > 5 GROUP BY g
----
ERROR 1055 (42000): expression 'fixed.a' doesn't appear in the group by expressions

query
SELECT (SELECT MAX(x) FROM (SELECT g, a AS x FROM fixed WHERE a = 5 GROUP BY g) AS t) AS m, COUNT(*) FROM fixed
----
m | COUNT(*)
5 | 3

query
CHECK TABLE fixed
----
Table | Op | Msg_type | Msg_text
d.fixed | check | status | OK

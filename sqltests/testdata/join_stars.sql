# * and t.* of declared tables that NATURAL and USING join have MySQL's columns in MySQL's order.
exec
CREATE TABLE n1 (a INT, b INT, c INT);
CREATE TABLE n2 (d INT, b INT, a INT);
CREATE TABLE n3 (a INT, e INT);
INSERT INTO n1 VALUES (1, 2, 3), (4, 5, 6);
INSERT INTO n2 VALUES (7, 2, 1), (8, 5, 9);
INSERT INTO n3 VALUES (1, 10)
----
ok, 0 rows
ok, 0 rows
ok, 0 rows
ok, 2 rows
ok, 2 rows
ok, 1 rows

query
SELECT * FROM n1 NATURAL JOIN n2
----
a | b | c | d
1 | 2 | 3 | 7

query
SELECT n1.* FROM n1 NATURAL JOIN n2
----
a | b | c
1 | 2 | 3

query
SELECT n2.* FROM n1 NATURAL JOIN n2
----
d | b | a
7 | 2 | 1

query
SELECT n2.*, n1.c, n1.* FROM n1 NATURAL JOIN n2
----
d | b | a | c | a | b | c
7 | 2 | 1 | 3 | 1 | 2 | 3

query
SELECT y.* FROM n1 x NATURAL LEFT JOIN n2 y ORDER BY x.a
----
d | b | a
7 | 2 | 1
NULL | NULL | NULL

query
SELECT * FROM n1 NATURAL RIGHT JOIN n2 ORDER BY d
----
b | a | d | c
2 | 1 | 7 | 3
5 | 9 | 8 | NULL

query
SELECT n1.*, n2.* FROM n1 NATURAL RIGHT JOIN n2 ORDER BY d
----
a | b | c | d | b | a
1 | 2 | 3 | 7 | 2 | 1
NULL | NULL | NULL | 8 | 5 | 9

query
SELECT * FROM n1 NATURAL JOIN n2 NATURAL JOIN n3
----
a | b | c | d | e
1 | 2 | 3 | 7 | 10

query
SELECT * FROM n1 JOIN n2 USING (a, b) JOIN n3 USING (a)
----
a | b | c | d | e
1 | 2 | 3 | 7 | 10

query
SELECT * FROM n1 LEFT JOIN n2 USING (a, b) LEFT JOIN n3 USING (a) ORDER BY a
----
a | b | c | d | e
1 | 2 | 3 | 7 | 10
4 | 5 | 6 | NULL | NULL

query
SELECT * FROM n3 NATURAL JOIN n1 NATURAL JOIN n2
----
a | b | e | c | d
1 | 2 | 10 | 3 | 7

query
SELECT * FROM n1 JOIN n2 USING (b) JOIN n3 ON n3.a = n1.a ORDER BY n1.a
----
b | a | c | d | a | a | e
2 | 1 | 3 | 7 | 1 | 1 | 10

query
SELECT * FROM n1 JOIN (n2 JOIN n3 USING (a)) USING (a)
----
a | b | c | d | b | e
1 | 2 | 3 | 7 | 2 | 10

query
SELECT t.*, (SELECT MAX(e) FROM n3 WHERE n3.a = t.a) m FROM n1 t JOIN n2 u USING (b) ORDER BY t.a
----
a | b | c | m
1 | 2 | 3 | 10
4 | 5 | 6 | NULL

query
SELECT COUNT(*) FROM n1 NATURAL JOIN n2 WHERE EXISTS (SELECT * FROM n1 x JOIN n3 USING (a) WHERE x.b = n2.b)
----
COUNT(*)
1

query
SELECT * FROM (SELECT n2.* FROM n1 NATURAL JOIN n2) q
----
d | b | a
7 | 2 | 1

exec
CREATE VIEW v AS SELECT n2.* FROM n1 NATURAL JOIN n2
----
ok, 0 rows

query
SELECT * FROM v
----
d | b | a
7 | 2 | 1

exec
CREATE TABLE made AS SELECT * FROM n1 NATURAL JOIN n2 NATURAL JOIN n3
----
ok, 1 rows

query
SELECT * FROM made
----
a | b | c | d | e
1 | 2 | 3 | 7 | 10

exec
INSERT INTO n1 SELECT n2.* FROM n1 JOIN n2 USING (a, b)
----
ok, 1 rows

query
SELECT * FROM n1 ORDER BY a
----
a | b | c
1 | 2 | 3
4 | 5 | 6
7 | 2 | 1

query
SELECT * FROM n1 JOIN n2 USING (b) JOIN n3 USING (a)
----
ERROR 1052 (23000): ambiguous column name "a", it's present in all these tables: [n2 n1]

query
WITH n3 AS (SELECT 1 AS a, 5 AS f) SELECT * FROM n1 JOIN n3 USING (a)
----
a | b | c | f
1 | 2 | 3 | 5

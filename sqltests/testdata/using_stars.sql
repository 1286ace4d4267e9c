# t.* of a table that USING joins has its columns as the table has them.

exec
CREATE TABLE t(a INT PRIMARY KEY, b INT);
CREATE TABLE u(c INT, a INT, d INT);
CREATE TABLE w(e INT, d INT, a INT);
INSERT INTO t VALUES (1,10),(2,20);
INSERT INTO u VALUES (100,1,5),(300,3,6);
INSERT INTO w VALUES (9,5,1),(8,6,3);
----
ok, 0 rows
ok, 0 rows
ok, 0 rows
ok, 2 rows
ok, 2 rows
ok, 2 rows

query
SELECT u.* FROM t JOIN u USING(a)
----
c | a | d
100 | 1 | 5

query
SELECT w.*, u.* FROM u JOIN w USING(d,a)
----
e | d | a | c | a | d
9 | 5 | 1 | 100 | 1 | 5
8 | 6 | 3 | 300 | 3 | 6

query
SELECT u.*, a FROM t RIGHT JOIN u USING(a) WHERE a > 1 ORDER BY a
----
c | a | d | a
300 | 3 | 6 | 3

query
SELECT u.*, a FROM t LEFT JOIN u USING(a) ORDER BY a DESC
----
c | a | d | a
NULL | NULL | NULL | 2
100 | 1 | 5 | 1

query
SELECT w.*, t.*, a, u.d FROM t JOIN u USING(a) JOIN w USING(a) WHERE a < 5 GROUP BY a, w.e, w.d, u.d, t.b HAVING a < 5
----
e | d | a | a | b | a | d
9 | 5 | 1 | 1 | 10 | 1 | 5

query
SELECT * FROM (SELECT w.* FROM u JOIN w USING(a,d)) x
----
e | d | a
9 | 5 | 1
8 | 6 | 3

query
SELECT * FROM u JOIN w USING(a,d)
----
a | d | c | e
1 | 5 | 100 | 9
3 | 6 | 300 | 8

query
SELECT u.*, t.a + 1 AS a FROM t JOIN u USING(a) ORDER BY a
----
ERROR 1105 (HY000): ambiguous column or alias name "a"

query
SELECT u.* FROM t JOIN u USING(a) WHERE a IN (SELECT w.a FROM w WHERE w.d = d)
----
c | a | d
100 | 1 | 5

# Variables that are assigned in lists of SELECT: the old way to number rows. The list is evaluated from left to right for each row, in the order of ORDER BY.

exec
CREATE TABLE t(a INT PRIMARY KEY, g VARCHAR(5), x INT, amt DECIMAL(10,2), d DATE);
INSERT INTO t VALUES (1,'p',30,10.10,'2024-01-01'),(2,'q',10,20.20,'2024-01-02'),(3,'p',20,30.30,'2024-01-03'),(4,'q',10,40.45,NULL),(5,'p',30,5,'2024-01-05');
----
ok, 0 rows
ok, 5 rows

query
SELECT @r := @r + 1 AS n, t.a FROM t, (SELECT @r := 0) r ORDER BY t.a
----
n | a
1 | 1
2 | 2
3 | 3
4 | 4
5 | 5

query
SELECT @r := @r + 1 AS n, t.* FROM t, (SELECT @r := 0) r ORDER BY x DESC, a
----
n | a | g | x | amt | d
1 | 1 | p | 30 | 10.10 | 2024-01-01
2 | 5 | p | 30 | 5.00 | 2024-01-05
3 | 3 | p | 20 | 30.30 | 2024-01-03
4 | 2 | q | 10 | 20.20 | 2024-01-02
5 | 4 | q | 10 | 40.45 | NULL

query
SELECT @r := @r + 1 AS n, t.* FROM t JOIN (SELECT @r := 0) r ORDER BY x, a LIMIT 3
----
n | a | g | x | amt | d
1 | 2 | q | 10 | 20.20 | 2024-01-02
2 | 4 | q | 10 | 40.45 | NULL
3 | 3 | p | 20 | 30.30 | 2024-01-03

query
SELECT (@r := @r + 1) AS n, a FROM (SELECT @r := 0) r, t ORDER BY a DESC
----
n | a
1 | 5
2 | 4
3 | 3
4 | 2
5 | 1

query
SELECT (@r:=@r+1) n, a FROM (SELECT @r:=10) r CROSS JOIN t ORDER BY a DESC
----
n | a
11 | 5
12 | 4
13 | 3
14 | 2
15 | 1

query
SELECT @a := 1
----
@a := 1
1

query
SELECT @a, @a := @a + 1, @a
----
@a | @a := @a + 1 | @a
1 | 2 | 2

query
SELECT @b := 'x', @c := 1.5, @d := NULL
----
@b := 'x' | @c := 1.5 | @d := NULL
x | 1.5 | NULL

query
SELECT @b, @c, @d
----
@b | @c | @d
x | 1.5 | NULL

exec
SET @i = 0;
----
ok, 0 rows

query
SELECT @i := @i + 1 AS i, a FROM t WHERE x > 10 ORDER BY a
----
i | a
1 | 1
2 | 3
3 | 5

query
SELECT @i
----
@i
3

query
SELECT a, x, @rank := IF(@prev = x, @rank, @rank+1) AS rk, @prev := x FROM t, (SELECT @rank := 0, @prev := NULL) v ORDER BY x, a
----
a | x | rk | @prev := x
2 | 10 | 1 | 10
4 | 10 | 1 | 10
3 | 20 | 2 | 20
1 | 30 | 3 | 30
5 | 30 | 3 | 30

query
SELECT g, x, a, rn FROM (SELECT t.*, @rn := IF(@prev = g, @rn + 1, 1) AS rn, @prev := g AS pg FROM t, (SELECT @rn := 0, @prev := '') v ORDER BY g, x DESC, a) ranked WHERE rn <= 2 ORDER BY g, rn
----
g | x | a | rn
p | 30 | 1 | 1
p | 30 | 5 | 2
q | 10 | 2 | 1
q | 10 | 4 | 2

query
SELECT a, amt, @s := @s + amt AS total FROM t, (SELECT @s := 0) v ORDER BY a
----
a | amt | total
1 | 10.10 | 10.1
2 | 20.20 | 30.299999999999997
3 | 30.30 | 60.599999999999994
4 | 40.45 | 101.05
5 | 5.00 | 106.05

query
SELECT a, CASE WHEN @p = g THEN @n := @n + 1 ELSE @n := 1 END AS n, @p := g FROM t, (SELECT @n := 0, @p := '') v ORDER BY g, a
----
a | n | @p := g
1 | 1 | p
3 | 2 | p
5 | 3 | p
2 | 1 | q
4 | 2 | q

query
SELECT MAX(n) FROM (SELECT @z := @z + 1 AS n FROM t, (SELECT @z := 0) v) q
----
MAX(n)
5

query
SELECT a FROM t, (SELECT @k := 0) v WHERE (@k := @k + 1) <= 2
----
ERROR 1235 (42000): a variable can be assigned in the list of a SELECT and in SET, not in WHERE, ON, HAVING and ORDER BY, nor beside GROUP BY, DISTINCT, UNION and windows: use ROW_NUMBER() OVER (…) and its like

query
SELECT a, d, DATEDIFF(d, @pd) AS gap, @pd := d FROM t, (SELECT @pd := NULL) v ORDER BY a
----
a | d | gap | @pd := d
1 | 2024-01-01 | NULL | 2024-01-01
2 | 2024-01-02 | 1 | 2024-01-02
3 | 2024-01-03 | 1 | 2024-01-03
4 | NULL | NULL | NULL
5 | 2024-01-05 | NULL | 2024-01-05

exec
UPDATE t SET x = (@u := IFNULL(@u, 0) + 1) ORDER BY a DESC;
----
ok, 5 rows

query
SELECT a, x FROM t ORDER BY a
----
a | x
1 | 5
2 | 4
3 | 3
4 | 2
5 | 1

query
SELECT g, COUNT(*), @q := 1 FROM t GROUP BY g
----
ERROR 1235 (42000): a variable can be assigned in the list of a SELECT and in SET, not in WHERE, ON, HAVING and ORDER BY, nor beside GROUP BY, DISTINCT, UNION and windows: use ROW_NUMBER() OVER (…) and its like

exec
CREATE TABLE n AS SELECT @m := @m + 1 AS id, a FROM t, (SELECT @m := 100) v ORDER BY a;
----
ok, 5 rows

query
SELECT * FROM n ORDER BY id
----
id | a
101 | 1
102 | 2
103 | 3
104 | 4
105 | 5

query
SELECT @r := @r + 1 AS n, t.a FROM t, (SELECT @r := 0) r ORDER BY t.a
----
n | a
1 | 1
2 | 2
3 | 3
4 | 4
5 | 5

query
SELECT DATE_ADD('2024-01-01', INTERVAL (@dd := @dd + 1) DAY) d FROM t, (SELECT @dd := -1) v
----
d
2024-01-01
2024-01-02
2024-01-03
2024-01-04
2024-01-05

query
SELECT a INTO @x FROM t WHERE a = 3
----
----

----
----

query
SELECT @x
----
@x
3

query
SELECT a FROM t ORDER BY (@k := a)
----
ERROR 1235 (42000): a variable can be assigned in the list of a SELECT and in SET, not in WHERE, ON, HAVING and ORDER BY, nor beside GROUP BY, DISTINCT, UNION and windows: use ROW_NUMBER() OVER (…) and its like

query
SELECT a, (SELECT @k := 5) x FROM t WHERE a = 1
----
a | x
1 | 5

exec
INSERT INTO n SELECT @m := @m + 1, a FROM t ORDER BY a;
----
ok, 5 rows

query
SELECT * FROM n ORDER BY id
----
id | a
101 | 1
102 | 2
103 | 3
104 | 4
105 | 5
106 | 1
107 | 2
108 | 3
109 | 4
110 | 5

query
SELECT '@x := 1', "@y := 2" FROM t WHERE a = 1
----
@x := 1 | @y := 2
@x := 1 | @y := 2

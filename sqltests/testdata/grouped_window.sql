# Windows over groups.
exec
CREATE TABLE t (_id VARCHAR(255) PRIMARY KEY, _doc JSON);
INSERT INTO t (_id, a, n, `x.y`) VALUES ('1', 'p', 1, 'u'), ('2', 'p', 2, 'v'), ('3', 'q', 10, 'u'), ('4', 'r', 3, 'v'), ('5', 'r', 5, 'v'), ('6', NULL, 7, 'u')
----
ok, 0 rows
ok, 6 rows

query
SELECT SUM(SUM(n)) OVER () FROM t GROUP BY a
----
SUM(SUM(n)) OVER ()
28
28
28
28

query
SELECT a, SUM(n), SUM(SUM(n)) OVER (ORDER BY a) AS running FROM t GROUP BY a ORDER BY a
----
a | SUM(n) | running
NULL | 7 | 7
p | 3 | 10
q | 10 | 20
r | 8 | 28

query
SELECT a, COUNT(*) AS c, COUNT(*) / SUM(COUNT(*)) OVER () AS share, RANK() OVER (ORDER BY COUNT(*) DESC) AS place FROM t GROUP BY a HAVING c > 0 ORDER BY place, a
----
a | c | share | place
p | 2 | 0.3333 | 1
r | 2 | 0.3333 | 1
NULL | 1 | 0.1667 | 3
q | 1 | 0.1667 | 3

query
SELECT a, ROW_NUMBER() OVER (ORDER BY SUM(n) DESC) FROM t GROUP BY 1 ORDER BY 2
----
a | ROW_NUMBER() OVER (ORDER BY SUM(n) DESC)
q | 1
r | 2
NULL | 3
p | 4

query
SELECT COUNT(*), SUM(COUNT(*)) OVER () FROM t
----
COUNT(*) | SUM(COUNT(*)) OVER ()
6 | 6

query
SELECT u.`x.y`, MAX(u.n), LAG(u.`x.y`) OVER (ORDER BY u.`x.y`) AS before_it FROM t AS u WHERE u.n > 1 GROUP BY u.`x.y` ORDER BY u.`x.y` DESC LIMIT 1
----
x.y | MAX(u.n) | before_it
v | 5 | u

query
SELECT MOD(n, 3), COUNT(*), SUM(COUNT(*)) OVER (PARTITION BY MOD(n, 3) > 0 ORDER BY MOD(n, 3) ROWS UNBOUNDED PRECEDING) AS r FROM t GROUP BY MOD(n, 3) ORDER BY MOD(n, 3)
----
MOD(n, 3) | COUNT(*) | r
0 | 1 | 1
1 | 3 | 3
2 | 2 | 5

query
SELECT MOD(n, 3) AS m, DENSE_RANK() OVER w AS d, MIN(n) OVER w AS wrong FROM t GROUP BY m WINDOW w AS (ORDER BY MOD(n, 3)) ORDER BY m
----
m | d | wrong
0 | 1 | 3
1 | 2 | 1
2 | 3 | 1

query
SELECT MOD(n, 3) AS m, DENSE_RANK() OVER w AS d, MIN(MIN(n)) OVER w AS least FROM t GROUP BY m WINDOW w AS (ORDER BY MOD(n, 3)) ORDER BY m
----
m | d | least
0 | 1 | 3
1 | 2 | 1
2 | 3 | 1

query
SELECT DISTINCT SUM(COUNT(*)) OVER () AS s FROM t GROUP BY a
----
s
6

query
SELECT * FROM (SELECT a, RANK() OVER (ORDER BY AVG(n)) AS r FROM t GROUP BY a) AS q WHERE r = 1
----
a | r
p | 1

query
SELECT o._id, (SELECT SUM(COUNT(*)) OVER () FROM t AS i WHERE i.a = o.a) AS alike FROM t AS o ORDER BY o._id
----
_id | alike
1 | 2
2 | 2
3 | 1
4 | 2
5 | 2
6 | 0

prepared
: 2
: 1
SELECT a, SUM(n * ?) AS s, SUM(SUM(n)) OVER () FROM t WHERE n > ? GROUP BY a ORDER BY a
----
a | s | SUM(SUM(n)) OVER ()
NULL | 14 | 27
p | 4 | 27
q | 20 | 27
r | 16 | 27

exec
CREATE VIEW shares AS SELECT a, 100 * COUNT(*) / SUM(COUNT(*)) OVER () AS percent FROM t GROUP BY a
----
ok, 0 rows

query
SELECT * FROM shares ORDER BY a
----
a | percent
NULL | 16.6667
p | 33.3333
q | 16.6667
r | 33.3333

query
SELECT a, total_of FROM (SELECT a, n, SUM(n) OVER (PARTITION BY a) AS total_of FROM t) AS q ORDER BY a, n
----
a | total_of
NULL | 7
p | 3
p | 3
q | 10
r | 8
r | 8

query
EXPLAIN FORMAT=TREE SELECT a, SUM(COUNT(*)) OVER (ORDER BY a) FROM t WHERE a > 'p' GROUP BY a
----
EXPLAIN
-> Project: grouped.a as a, sum(grouped.grouped column 2) over ( order by grouped.a asc) as SUM(COUNT(*)) over ( order by a asc)
    -> Window: SUM(grouped.grouped column 2) over ( order by grouped.a ASC ), grouped.a
        -> Derived table grouped
            -> Project: t.a as a, count(1) as grouped column 2
                -> Group: by t.a: COUNT(1), t.a
                     executor: interpreted: few rows
                    -> Values and their counts of t using a
                         range: `a` in ('p', …)
                         entries only: no document is read
                         keys: 3 counted of 5
                         tight
                         cost: 0.2, a full scan costs 6.0

# What has no plan says so.
query
SELECT *, SUM(COUNT(*)) OVER () FROM t GROUP BY a
----
ERROR 1235 (42000): * beside window functions over groups is not supported

query
SELECT a, RANK() OVER (ORDER BY (SELECT 1)) FROM t GROUP BY a
----
ERROR 1235 (42000): a subquery in an expression with a window function over groups is not supported

# What partitions and sorts windows may be a subquery that reads the row.
exec
CREATE TABLE o (_id VARCHAR(10) PRIMARY KEY, y VARCHAR(10), d DOUBLE, _doc JSON);
INSERT INTO o (_id, y, d) VALUES ('k1', 'k2', 0.5), ('k2', 'k9', -1), ('k3', 'k5', 0.5)
----
ok, 0 rows
ok, 3 rows

query
SELECT _id, (SELECT MIN(b._id) FROM o AS b WHERE a._id < b.y) AS m FROM o AS a
----
_id | m
k1 | k1
k2 | k2
k3 | k2

query
SELECT _id, COUNT(*) OVER (ORDER BY (SELECT MIN(b._id) FROM o AS b WHERE a._id < b.y)) AS c FROM o AS a ORDER BY _id
----
_id | c
k1 | 1
k2 | 3
k3 | 3

query
SELECT _id, RANK() OVER (ORDER BY (SELECT MIN(b._id) FROM o AS b WHERE a._id < b.y) DESC) AS r, ROW_NUMBER() OVER (PARTITION BY d ORDER BY (SELECT MIN(b._id) FROM o AS b WHERE a._id < b.y) DESC) AS n FROM o AS a ORDER BY _id
----
_id | r | n
k1 | 3 | 2
k2 | 1 | 1
k3 | 1 | 1

query
SELECT _id, COUNT(*) OVER (PARTITION BY (SELECT MIN(b._id) FROM o AS b WHERE a._id < b.y)) AS c FROM o AS a ORDER BY _id
----
_id | c
k1 | 1
k2 | 2
k3 | 2

query
SELECT a._id, c._id, COUNT(*) OVER (ORDER BY (SELECT MIN(b._id) FROM o AS b WHERE a._id < b.y)) AS n FROM o AS a JOIN o AS c ON c.d > 0 ORDER BY 1, 2
----
_id | _id | n
k1 | k1 | 2
k1 | k3 | 2
k2 | k1 | 6
k2 | k3 | 6
k3 | k1 | 6
k3 | k3 | 6

query
SELECT _id, (SELECT GROUP_CONCAT(r) FROM (SELECT RANK() OVER (ORDER BY (SELECT MIN(c._id) FROM o AS c WHERE b._id < c.y AND c._id >= a._id)) AS r FROM o AS b) AS q) AS ranks FROM o AS a ORDER BY _id
----
_id | ranks
k1 | 1,2,2
k2 | 1,1,1
k3 | 1,1,1

query
SELECT _id, (SELECT GROUP_CONCAT(n ORDER BY n) FROM (SELECT COUNT(*) OVER (ORDER BY d) AS n FROM o AS b WHERE b._id > a._id) AS q) AS counts FROM o AS a ORDER BY _id
----
_id | counts
k1 | 1,2
k2 | 1
k3 | NULL

# A window of no rows has none.
query
SELECT RANK() OVER (ORDER BY d) AS r, COUNT(*) OVER () AS c FROM o WHERE d > 7
----
r | c

query
SELECT COUNT(*), COUNT(n) FROM (SELECT ROW_NUMBER() OVER () AS n FROM o LIMIT 0) AS q, o
----
COUNT(*) | COUNT(n)
0 | 0

query
SELECT COUNT(*) FROM (SELECT LAG(d) OVER (ORDER BY d) AS n FROM o WHERE y IS NULL) AS q
----
COUNT(*)
0

query
SELECT SUM(COUNT(*)) OVER () AS s FROM o WHERE d > 7
----
s
0

query
CHECK TABLE o
----
Table | Op | Msg_type | Msg_text
d.o | check | status | OK

query
CHECK TABLE t
----
Table | Op | Msg_type | Msg_text
d.t | check | status | OK

# Windows that OVER names, and windows that stand twice.

exec
CREATE TABLE t (_id VARCHAR(255) PRIMARY KEY, a INT, b INT, _doc JSON);
INSERT INTO t (_id, a, b) VALUES ('a', 1, 10), ('b', 2, 20), ('c', 2, 30), ('d', NULL, NULL), ('e', 3, 30);
CREATE VIEW v AS SELECT _id, SUM(b) OVER w AS s, b - LAG(b) OVER w AS d, LAG(b) OVER w AS l FROM t WINDOW w AS (ORDER BY _id);
----
ok, 0 rows
ok, 5 rows
ok, 0 rows

query
SELECT _id, SUM(b) OVER w, COUNT(*) OVER w FROM t WINDOW w AS (ORDER BY _id) ORDER BY _id
----
_id | SUM(b) OVER w | COUNT(*) OVER w
a | 10 | 1
b | 30 | 2
c | 60 | 3
d | 60 | 4
e | 90 | 5

query
SELECT _id, SUM(b) OVER (w ORDER BY _id) FROM t WINDOW w AS (PARTITION BY a) ORDER BY _id
----
_id | SUM(b) OVER (w ORDER BY _id)
a | 10
b | 20
c | 50
d | NULL
e | 30

query
SELECT _id, SUM(b) OVER (w ROWS 1 PRECEDING) FROM t WINDOW w AS (PARTITION BY a ORDER BY _id) ORDER BY _id
----
_id | SUM(b) OVER (w ROWS 1 PRECEDING)
a | 10
b | 20
c | 50
d | NULL
e | 30

query
SELECT _id, SUM(b) OVER w2 FROM t WINDOW w2 AS (w1 ORDER BY _id), w1 AS (PARTITION BY a) ORDER BY _id
----
_id | SUM(b) OVER w2
a | 10
b | 20
c | 50
d | NULL
e | 30

query
SELECT a, SUM(SUM(b)) OVER w, SUM(SUM(b)) OVER w + 1 FROM t GROUP BY a WINDOW w AS (ORDER BY a) ORDER BY a
----
a | SUM(SUM(b)) OVER w | SUM(SUM(b)) OVER w + 1
NULL | NULL | NULL
1 | 10 | 11
2 | 60 | 61
3 | 90 | 91

query
SELECT * FROM v WHERE s > 10 ORDER BY _id
----
_id | s | d | l
b | 30 | 10 | 10
c | 60 | 10 | 20
d | 60 | NULL | 30
e | 90 | NULL | NULL

query
SELECT COUNT(*), MAX(s) FROM (SELECT SUM(b) OVER W AS s FROM t WINDOW w AS (ORDER BY _id)) AS q WHERE s > 30
----
COUNT(*) | MAX(s)
3 | 90

query
SELECT ROW_NUMBER() OVER (), ROW_NUMBER() OVER () + 1, COUNT(*) OVER (), COUNT(*) OVER () * 2 FROM t
----
ROW_NUMBER() OVER () | ROW_NUMBER() OVER () + 1 | COUNT(*) OVER () | COUNT(*) OVER () * 2
1 | 2 | 5 | 10
2 | 3 | 5 | 10
3 | 4 | 5 | 10
4 | 5 | 5 | 10
5 | 6 | 5 | 10

query
SELECT a, SUM(b) OVER (ORDER BY _id) + 1, SUM(t.b) OVER (ORDER BY t._id ASC) FROM t ORDER BY SUM(b) OVER (ORDER BY _id) DESC, _id
----
a | SUM(b) OVER (ORDER BY _id) + 1 | SUM(t.b) OVER (ORDER BY t._id ASC)
3 | 91 | 90
2 | 61 | 60
NULL | 61 | 60
2 | 31 | 30
1 | 11 | 10

prepared
: 1
: 1
SELECT a, LAG(b, 1) OVER (ORDER BY _id) + ?, ? + LAG(b, 1) OVER (ORDER BY _id) FROM t WHERE a > 1 ORDER BY _id
----
a | LAG(b, 1) OVER (ORDER BY _id) + ? | ? + LAG(b, 1) OVER (ORDER BY _id)
2 | NULL | NULL
2 | 21 | 21
3 | 31 | 31

query
SELECT SUM(b) OVER nosuch FROM t
----
ERROR 3579 (HY000): Window name 'nosuch' is not defined.

query
SELECT SUM(b) OVER (ORDER BY a) FROM t WINDOW w AS (nosuch)
----
ERROR 3579 (HY000): Window name 'nosuch' is not defined.

query
SELECT SUM(b) OVER w FROM t WINDOW w AS (z), z AS (w)
----
ERROR 3580 (HY000): There is a circularity in the window dependency graph.

query
SELECT SUM(b) OVER (w PARTITION BY b) FROM t WINDOW w AS (ORDER BY a)
----
ERROR 3581 (HY000): A window which depends on another cannot define partitioning.

query
SELECT SUM(b) OVER (w ORDER BY b) FROM t WINDOW w AS (ORDER BY a)
----
ERROR 3583 (HY000): Window '<unnamed window>' cannot inherit 'w' since both contain an ORDER BY clause.

query
SELECT SUM(b) OVER (w ROWS 1 PRECEDING) FROM t WINDOW w AS (ORDER BY a ROWS 2 PRECEDING)
----
ERROR 3582 (HY000): Window 'w' has a frame definition, so cannot be referenced by another window.

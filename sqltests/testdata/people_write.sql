# Statements as people write them, of which each was once refused, or read as another one.
exec
CREATE TABLE t1 (a INT PRIMARY KEY, b VARCHAR(9), c INT);
CREATE TABLE t2 (k INT PRIMARY KEY, a INT, b VARCHAR(9), c INT);
CREATE TABLE t3 (a INT PRIMARY KEY, z INT);
CREATE TABLE d (id INT PRIMARY KEY, d DATETIME, dd DATE, ts TIMESTAMP NULL);
INSERT INTO t1 VALUES (1, 'x', 10), (2, 'y', 20);
INSERT INTO t2 VALUES (1, 1, 'p', 5), (2, 3, 'q', 6), (3, 1, 'r', 7);
INSERT INTO t3 VALUES (1, 100), (3, 300)
----
ok, 0 rows
ok, 0 rows
ok, 0 rows
ok, 0 rows
ok, 2 rows
ok, 3 rows
ok, 2 rows

# Names beyond ASCII need no quotes.

exec
CREATE TABLE tü (größe INT PRIMARY KEY, 名前 VARCHAR(9));
INSERT INTO tü (größe, 名前) VALUES (1, 'ä')
----
ok, 0 rows
ok, 1 rows

query
SELECT größe, 名前 AS имя, t.größe + 1 FROM tü t WHERE größe = 1 ORDER BY имя
----
größe | имя | t.größe + 1
1 | ä | 2

exec
DROP TABLES tü
----
ok, 0 rows

# VALUES() beside a SELECT whose columns are named.

exec
INSERT INTO t1 (a, c) SELECT a, c FROM t2 ORDER BY k ON DUPLICATE KEY UPDATE c = t1.c + VALUES(c)
----
ok, 5 rows

query
SELECT * FROM t1 ORDER BY a
----
a | b | c
1 | x | 22
2 | y | 20
3 | NULL | 6

exec
INSERT INTO t1 (a, c) SELECT a, SUM(c) FROM t2 GROUP BY a ON DUPLICATE KEY UPDATE c = VALUES(c), b = CONCAT(VALUES(a), '!')
----
ok, 4 rows

query
SELECT * FROM t1 ORDER BY a
----
a | b | c
1 | 1! | 12
2 | y | 20
3 | 3! | 6

exec
INSERT INTO t1 (c, a) SELECT 1, 2 ON DUPLICATE KEY UPDATE c = c + VALUES(c)
----
ok, 2 rows

query
SELECT * FROM t1 ORDER BY a
----
a | b | c
1 | 1! | 12
2 | y | 21
3 | 3! | 6

exec
INSERT INTO t1 (a, c) SELECT * FROM (SELECT a, c FROM t2 WHERE k = 1) AS fresh ON DUPLICATE KEY UPDATE c = fresh.c
----
ok, 2 rows

query
SELECT * FROM t1 ORDER BY a
----
a | b | c
1 | 1! | 5
2 | y | 21
3 | 3! | 6

# A constant makes no groups.

query
SELECT 'x', SUM(a) FROM t2 GROUP BY 'x'
----
x | SUM(a)
x | 5

query
SELECT 'total' AS label, a, SUM(c) FROM t2 GROUP BY 1, 2 ORDER BY a
----
label | a | SUM(c)
total | 1 | 12
total | 3 | 6

query
SELECT 'total' AS label, a, SUM(c) FROM t2 GROUP BY label, a ORDER BY a
----
label | a | SUM(c)
total | 1 | 12
total | 3 | 6

query
SELECT SUM(c) AS s FROM t2 GROUP BY 1.1000000000000001 HAVING COUNT(1) > 0
----
s
18

query
SELECT 5, SUM(c) FROM t2 GROUP BY 1
----
5 | SUM(c)
5 | 18

query
SELECT 'x', SUM(c) FROM t2 WHERE a > 9 GROUP BY 'x'
----
x | SUM(c)

query
SELECT a, SUM(c) FROM t2 GROUP BY a, 'x' HAVING SUM(c) > 6
----
a | SUM(c)
1 | 12

# Tables and queries in parentheses.

query
SELECT t1.a, t2.k, t3.z FROM t1 LEFT JOIN (t2, t3) ON t1.a = t2.a AND t2.a = t3.a ORDER BY t1.a, t2.k
----
a | k | z
1 | 1 | 100
1 | 3 | 100
2 | NULL | NULL
3 | 2 | 300

query
SELECT t1.a, t2.k FROM (t1, t2) WHERE t1.a = t2.a ORDER BY t2.k
----
a | k
1 | 1
3 | 2
1 | 3

query
SELECT t1.a, t2.k, z FROM (t1, t2) LEFT JOIN t3 ON t3.a = t2.a WHERE t1.a = t2.a ORDER BY t2.k
----
a | k | z
1 | 1 | 100
3 | 2 | 300
1 | 3 | 100

query
(SELECT k, b FROM t2) ORDER BY b DESC LIMIT 2
----
k | b
3 | r
2 | q

query
(SELECT k FROM t2 WHERE a = 1) LIMIT 1
----
k
1

query
SELECT a FROM t1 WHERE a IN ((SELECT a FROM t2)) ORDER BY a
----
a
1
3

query
SELECT a FROM t1 WHERE EXISTS ((SELECT 1 FROM t2 WHERE t2.a = t1.a)) ORDER BY a
----
a
1
3

query
SELECT a FROM t1 WHERE ROW(a, b) IN (SELECT 2, 'y')
----
a
2

query
SELECT ROW(1, 2) = ROW(1, 2), ROW(1, 2) < (1, 3)
----
(1, 2) = ROW(1, 2) | ROW(1, 2) < (1, 3)
1 | 1

query
VALUES ROW(1, 2), ROW(3, 4)
----
column_0 | column_1
1 | 2
3 | 4

# Words that say how a statement is to be run.

exec
INSERT LOW_PRIORITY INTO t3 VALUES (9, 1);
REPLACE DELAYED INTO t3 VALUES (9, 2);
UPDATE LOW_PRIORITY t3 SET z = 3 WHERE a = 9;
DELETE LOW_PRIORITY QUICK IGNORE FROM t3 WHERE a = 9
----
ok, 1 rows
ok, 2 rows
ok, 1 rows
ok, 1 rows

query
SELECT SQL_SMALL_RESULT a, COUNT(*) FROM t2 GROUP BY a ORDER BY a
----
a | COUNT(*)
1 | 2
3 | 1

query
SELECT HIGH_PRIORITY SQL_BIG_RESULT DISTINCT a FROM t2 ORDER BY a
----
a
1
3

query
SELECT DISTINCTROW a FROM t2 ORDER BY a
----
a
1
3

# Digits are dates where dates are read.

exec
INSERT INTO d VALUES (1, 20000321114747, 20000321, 20000321114747), (2, 000321114747, 321, NULL)
----
ok, 2 rows

exec
INSERT INTO d (id, d) SELECT 3, 20010203 + 0
----
ok, 1 rows

exec
UPDATE d SET dd = 20200229 WHERE id = 3
----
ok, 1 rows

exec
INSERT INTO d (id, dd) VALUES (4, 20200231)
----
ERROR 1292 (22007): Incorrect datetime value: '2020-02-31'

exec
INSERT INTO d (id, dd) VALUES (4, 20201301)
----
ERROR 1292 (22007): Incorrect datetime value: '2020-13-01'

query
SELECT * FROM d ORDER BY id
----
id | d | dd | ts
1 | 2000-03-21 11:47:47 | 2000-03-21 | 2000-03-21 11:47:47
2 | 2000-03-21 11:47:47 | 2000-03-21 | NULL
3 | 2001-02-03 00:00:00 | 2020-02-29 | NULL

query
SELECT id FROM d WHERE d = 20000321114747 ORDER BY id
----
id
1
2

query
SELECT YEAR(20200102), MONTH(20200102), DATEDIFF(20200110, 20200102), DATE_FORMAT(20200102101112, '%Y-%H:%i'), DAYOFWEEK(20200102), DATE(20200102), LAST_DAY(20200215), WEEK(20200102), TIMESTAMPDIFF(DAY, 20200101, 20200110), DAYNAME(20200102), YEAR(20201301)
----
YEAR(20200102) | MONTH(20200102) | DATEDIFF(20200110, 20200102) | DATE_FORMAT(20200102101112, '%Y-%H:%i') | DAYOFWEEK(20200102) | DATE(20200102) | LAST_DAY(20200215) | WEEK(20200102) | TIMESTAMPDIFF(DAY, 20200101, 20200110) | DAYNAME(20200102) | YEAR(20201301)
2020 | 1 | 8 | 2020-10:11 | 5 | 2020-01-02 | 2020-02-29 | 0 | 9 | Thursday | NULL

query
SELECT a, YEAR(20200100 + a) FROM t1 ORDER BY a
----
a | YEAR(20200100 + a)
1 | 2020
2 | 2020
3 | 2020

exec
CREATE TABLE o (_id VARCHAR(255) PRIMARY KEY, _doc JSON);
INSERT INTO o VALUES ('a', '{"day": 20200102}'), ('b', '{"day": 20210304}'), ('c', '{"day": 5}')
----
ok, 0 rows
ok, 3 rows

query
SELECT _id, YEAR(day) FROM o ORDER BY _id
----
_id | YEAR(day)
a | 2020
b | 2021
c | NULL

query
SELECT _id FROM o WHERE YEAR(day) = 2021
----
_id
b

query
SELECT HEX(IF(1, JSON_OBJECT('a', 1), 'x')), HEX(IF(0, JSON_OBJECT('a', 1), 'x')), LENGTH(IF(1, JSON_ARRAY(1), 2)), IF(1, JSON_ARRAY(1), NULL)
----
HEX(IF(1, JSON_OBJECT('a', 1), 'x')) | HEX(IF(0, JSON_OBJECT('a', 1), 'x')) | LENGTH(IF(1, JSON_ARRAY(1), 2)) | IF(1, JSON_ARRAY(1), NULL)
7B2261223A317D | 78 | 3 | [1]

# What would decide an answer in MySQL, and does not here, tells.
exec
SET lc_time_names = 'de_DE'
----
ok, 0 rows

query
SHOW WARNINGS
----
Level | Code | Message
Warning | 1235 | Variable 'lc_time_names' has no effect in sqlfdb

exec
SET div_precision_increment = 4
----
ok, 0 rows

query
SHOW WARNINGS
----
Level | Code | Message

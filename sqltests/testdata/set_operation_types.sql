# Columns of a set operation in FROM: what stands above it compares and sorts by the type of both sides.

exec
CREATE TABLE m (_id VARCHAR(255) PRIMARY KEY, _doc JSON);
INSERT INTO m (_doc) VALUES ('{"_id":"a","i":1}'), ('{"_id":"b","i":0,"x":"t"}'), ('{"_id":"c","i":10,"x":3}');
CREATE VIEW u AS SELECT i AS c FROM m UNION SELECT x AS c FROM m;
----
ok, 0 rows
ok, 3 rows
ok, 0 rows

query
SELECT c FROM (SELECT i AS c FROM m UNION SELECT x AS c FROM m) AS d ORDER BY c
----
c
NULL
0
1
3
10
"t"

# Constants and subqueries beside columns, of three sides: they have greater numbers than the columns behind them.
query
(SELECT 1, _id FROM m) UNION ALL (SELECT 2.5, 5) EXCEPT (SELECT 3e0, 5)
----
1 | _id
1 | a
1 | b
1 | c
2.5 | 5

query
SELECT b, a FROM ((SELECT NULL, x FROM m) UNION ALL (SELECT i, _doc->'$.i' FROM m) EXCEPT (SELECT SUM(2), SUM(2) FROM m)) AS d (a, b) ORDER BY b, a
----
b | a
NULL | NULL
0 | 0
1 | 1
3 | NULL
10 | 10
"t" | NULL

query
(SELECT (SELECT 'k' FROM m AS b WHERE b._id = d._id LIMIT 1), d.c FROM (SELECT _id, i AS c FROM m UNION SELECT _id, x FROM m LIMIT 9) AS d) UNION (SELECT 1, 4) UNION (SELECT 2.5, 20) ORDER BY 2, 1
----
(SELECT 'k' FROM m AS b WHERE b._id = d._id LIMIT 1) | c
k | NULL
k | 0
k | 1
k | 3
1 | 4
k | 10
2.5 | 20
k | "t"

query
SELECT MIN(c), MAX(c), COUNT(c) FROM u
----
MIN(c) | MAX(c) | COUNT(c)
0 | "t" | 5

query
SELECT c FROM u WHERE c > 0 ORDER BY c DESC
----
c
"t"
10
3
1

query
SELECT c FROM u WHERE c < 3 ORDER BY c
----
c
0
1

query
SELECT q FROM (SELECT c AS q FROM u) AS d WHERE q IN (10, 't') ORDER BY q
----
q
10
"t"

query
SELECT c AS q FROM u ORDER BY q
----
q
NULL
0
1
3
10
"t"

query
SELECT c AS q FROM u ORDER BY q DESC LIMIT 2
----
q
"t"
10

query
SELECT c, RANK() OVER (ORDER BY c DESC) AS place FROM u ORDER BY c
----
c | place
NULL | 6
0 | 5
1 | 4
3 | 3
10 | 2
"t" | 1

query
WITH w AS (SELECT * FROM u) SELECT m._id, w.c FROM m JOIN w ON w.c = m.i ORDER BY w.c
----
_id | c
b | 0
a | 1
c | 10

query
SELECT c FROM (SELECT * FROM (SELECT i AS c FROM m UNION ALL SELECT nosuch FROM m) AS d) AS e WHERE c > 0 ORDER BY c
----
c
1
10

query
SELECT c FROM (SELECT DATE '2024-01-02' AS c UNION ALL SELECT TIMESTAMP '2024-01-01 10:00:00') AS d WHERE c > '2024-01-01 12:00:00' ORDER BY c
----
c
2024-01-02 00:00:00

# A condition that is pushed into it, with JSON.
query
SELECT c FROM (SELECT nosuch AS c FROM m UNION SELECT _id AS c FROM m) AS d WHERE c >= CAST('"b"' AS JSON) ORDER BY c
----
c
b
c

# Strings that are made of columns keep their collation outside.
exec
CREATE TABLE t (_id VARCHAR(255) PRIMARY KEY, sv VARCHAR(40) COLLATE utf8mb4_sv_0900_as_cs, ci VARCHAR(40) COLLATE utf8mb4_0900_ai_ci, _doc JSON);
INSERT INTO t (_doc) VALUES ('{"_id":"1","sv":"a-b","ci":"a"}'), ('{"_id":"2","sv":"å","ci":"A"}');
CREATE VIEW made AS SELECT CONCAT('', sv) AS sv, COALESCE(ci, '') AS ci FROM t
----
ok, 0 rows
ok, 2 rows
ok, 0 rows

query
SELECT MAX(sv), COUNT(DISTINCT ci) FROM made
----
MAX(sv) | COUNT(DISTINCT ci)
å | 1

query
SELECT COUNT(*) FROM (SELECT IF(_id > '0', ci, '') AS c FROM t) AS d WHERE c = 'A'
----
COUNT(*)
2

query
SELECT COUNT(*) AS a, SUM(CASE _id WHEN '1' THEN ci ELSE ci END = 'a') AS b, SUM(LEFT(ci, LENGTH(sv)) = 'a') AS c FROM t WHERE IF(sv > '', ci, '') = 'A'
----
a | b | c
2 | 2 | 2

query
SELECT COUNT(*) FROM t JOIN made ON made.ci = t.ci
----
COUNT(*)
4

query
SELECT MAX(c) FROM (SELECT MAX(CONCAT('', sv)) AS c FROM t WHERE _id = '1' UNION ALL SELECT MAX(CONCAT('', sv)) FROM t WHERE _id = '2') AS d
----
MAX(c)
å

query
SELECT COUNT(*) FROM (SELECT CONCAT(ci, '') AS c FROM t UNION SELECT CONCAT(ci, '') FROM t) AS d
----
COUNT(*)
1

query
WITH w AS (SELECT CONCAT(ci, '') AS c FROM t) SELECT c, COUNT(*) FROM w GROUP BY c
----
c | COUNT(*)
a | 2

query
SELECT c FROM (SELECT CONCAT('', sv) AS c FROM t ORDER BY c DESC LIMIT 1) AS d
----
c
å

# A subquery's own column that is called as the select list's alias outside of it is not that alias.
query
SELECT i + 9 AS c, i IN (SELECT i AS c FROM m UNION ALL SELECT _id FROM m WHERE _id = 'z') AS own, (SELECT c) AS outside FROM m WHERE i < 10 ORDER BY i
----
c | own | outside
9 | 1 | 9
10 | 1 | 10

query
SELECT _id AS c, i NOT IN (SELECT i AS c FROM m UNION ALL SELECT 't') AS n, i < ANY (SELECT i AS c FROM m UNION SELECT NULL) AS lt, NOT (i <> ALL (SELECT i AS c FROM m UNION SELECT nosuch FROM m)) AS eq FROM m ORDER BY c
----
c | n | lt | eq
a | 0 | 1 | 1
b | 0 | 1 | 1
c | 0 | NULL | 1

query
SELECT COUNT(*) FROM m WHERE i NOT IN (SELECT i AS c FROM m UNION ALL SELECT 't')
----
COUNT(*)
0

# An alias that stands for a subquery, named in another one.
query
SELECT i AS q, (SELECT COUNT(*) FROM m AS u WHERE u.i >= q) AS y, (SELECT y + (SELECT q)) AS z FROM m ORDER BY i
----
q | y | z
0 | 3 | 3
1 | 2 | 3
10 | 1 | 11

# Three sides of which no two have the type of all three.
exec
CREATE TABLE b (id INT PRIMARY KEY, n INT, u BIGINT, f DOUBLE, s VARCHAR(10) COLLATE utf8mb4_0900_ai_ci, d DATE, dt DATETIME(3), tm TIME(6), v VARBINARY(10), bl BLOB, e ENUM('x', 'y'), j JSON);
INSERT INTO b VALUES (1, -1, 9007199254740993, -2.5, 'Ä', '2020-01-02', '2020-01-02 03:04:05.678', '01:02:03.000004', x'ff00', x'ff01', 'x', '["q"]')
----
ok, 0 rows
ok, 1 rows

query
SELECT u AS c FROM b UNION ALL SELECT f FROM b UNION ALL SELECT dt FROM b
----
c
9007199254740993
-2.5
2020-01-02 03:04:05.678

query
SELECT dt AS c FROM b UNION ALL (SELECT u FROM b UNION ALL SELECT f FROM b)
----
c
2020-01-02 03:04:05.678
9007199254740993
-2.5

query
SELECT u AS c FROM b UNION ALL SELECT f FROM b UNION ALL SELECT s FROM b
----
c
9007199254740993
-2.5
Ä

query
SELECT u AS c FROM b UNION ALL SELECT j FROM b UNION ALL SELECT s FROM b
----
c
9007199254740993
["q"]
Ä

query
SELECT f AS c FROM b UNION ALL SELECT j FROM b UNION ALL SELECT tm FROM b
----
c
-2.5
["q"]
01:02:03.000004

query
SELECT 'a' IN (SELECT u FROM b UNION ALL SELECT f FROM b UNION ALL SELECT s FROM b) AS a, 'a' IN (SELECT s FROM b UNION SELECT n FROM b) AS b, -2.5 IN (SELECT u FROM b UNION ALL SELECT f FROM b UNION ALL SELECT dt FROM b) AS c
----
a | b | c
1 | 1 | 1

query
SELECT COUNT(*) FROM b WHERE s IN (SELECT 'a' UNION SELECT n FROM b UNION SELECT d FROM b)
----
COUNT(*)
1

# Dates and times have a DATETIME in common, byte strings with anything a byte string.
query
SELECT d FROM b UNION ALL SELECT dt FROM b
----
d
2020-01-02 00:00:00.000
2020-01-02 03:04:05.678

query
SELECT TIME(tm), YEAR(tm) > 2020 AS today FROM (SELECT tm FROM b UNION ALL SELECT d FROM b) AS q
----
TIME(tm) | today
01:02:03.000004 | 1
00:00:00.000000 | 0

query
SELECT NULL AS c UNION ALL SELECT d FROM b
----
c
NULL
2020-01-02

query
SELECT HEX(c) FROM (SELECT v AS c FROM b UNION ALL SELECT bl FROM b UNION ALL SELECT s FROM b UNION ALL SELECT f FROM b UNION ALL SELECT e FROM b) AS q
----
HEX(c)
FF00
FF01
C384
2D322E35
78

query
SELECT v IN (SELECT bl FROM b UNION SELECT v FROM b) AS a, bl IN (SELECT v FROM b UNION SELECT s FROM b) AS b, bl IN (SELECT s FROM b UNION SELECT bl FROM b) AS c FROM b
----
a | b | c
1 | 0 | 1

query
SELECT e FROM b UNION SELECT s FROM b UNION SELECT n FROM b
----
e
x
Ä
-1

# A keypath that no document has belongs to the table of its own side, unless that has an outer query's.
exec
CREATE TABLE child (_id VARCHAR(255) PRIMARY KEY, _doc JSON);
INSERT INTO child (_doc) VALUES ('{"_id":"a","list":[1,2]}')
----
ok, 0 rows
ok, 1 rows

query
SELECT _idx FROM child__list UNION ALL SELECT nosuch FROM t
----
_idx
0
1
NULL
NULL

query
SELECT i FROM m UNION SELECT i FROM t
----
i
0
1
10
NULL

query
SELECT COUNT(*) FROM (SELECT i FROM t UNION SELECT nosuch FROM m) AS d
----
COUNT(*)
1

query
WITH c AS (SELECT nosuch FROM t) SELECT nosuch FROM c UNION ALL SELECT nosuch FROM m
----
nosuch
NULL
NULL
NULL
NULL
NULL

query
SELECT i FROM m WHERE (SELECT COUNT(*) FROM (SELECT 1 FROM child WHERE i = 10 UNION SELECT 1 FROM t WHERE i = 1) AS d) = 1 ORDER BY i
----
i
1
10

# EXISTS of a set operation that reads the outer query's columns.
query
SELECT i FROM m WHERE EXISTS (SELECT 1, 2 FROM child WHERE m.i = 10 UNION SELECT 1, 3 FROM t WHERE m.i = 1) ORDER BY i
----
i
1
10

query
SELECT i FROM m WHERE NOT EXISTS (SELECT 1 FROM (SELECT 1 FROM child WHERE m.i = 10 UNION ALL SELECT 1 FROM t WHERE m.i = 1) AS d) ORDER BY i
----
i
0

query
SELECT m.i FROM m WHERE i > 0 AND EXISTS (SELECT 1 FROM t WHERE EXISTS (SELECT _id FROM t WHERE m.i < 10 INTERSECT SELECT t._id FROM t AS u WHERE u._id > '1')) ORDER BY i
----
i
1

exec
DELETE FROM m WHERE EXISTS (SELECT 1 FROM child WHERE m.i = 10 EXCEPT SELECT 'q') AND NOT EXISTS (SELECT 1 FROM t WHERE m.i = 1 UNION SELECT 2 FROM t WHERE m.i = 1)
----
ok, 1 rows

# Two columns of one name.
query
SELECT n AS c, f AS c FROM b UNION ALL SELECT s, d FROM b
----
c | c
-1 | -2.5
Ä | 2020-01-02

query
SELECT n AS c, f AS C FROM b UNION ALL SELECT f, n FROM b UNION ALL SELECT d, s FROM b
----
c | C
-1 | -2.5
-2.5 | -1
2020-01-02 | Ä

query
SELECT (n, f) IN (SELECT n AS c, f AS c FROM b UNION ALL SELECT f, s FROM b) AS a, (f, f) IN (SELECT n AS c, f AS c FROM b UNION ALL SELECT d, s FROM b) AS b FROM b
----
a | b
1 | 0

# Functions that choose a type by their arguments', of a column that the left side alone would give another one.
query
SELECT IFNULL(c, 2e0) AS a, COALESCE(NULL, c, 1.5) AS b, IF(c IS NULL, 2, c) AS d, GREATEST(c, '5') AS e, LEAST(c, c) AS f, IFNULL(c, 2e0) >= 0 AS g FROM (SELECT n AS c FROM b UNION ALL SELECT s FROM b) AS q
----
a | b | d | e | f | g
-1 | -1 | -1 | 5 | -1 | 0
Ä | Ä | Ä | Ä | Ä | 1

query
SELECT IFNULL(c, 2), GREATEST(c, 2), LEAST(c, 'x') FROM (SELECT j AS c FROM b UNION ALL SELECT s FROM b) AS q
----
IFNULL(c, 2) | GREATEST(c, 2) | LEAST(c, 'x')
["q"] | 2 | ["q"]
Ä | Ä | Ä

query
SELECT HEX(GREATEST(c, 'a')) FROM (SELECT s AS c FROM b UNION ALL SELECT v FROM b) AS q
----
HEX(GREATEST(c, 'a'))
C384
FF00

query
SELECT STD(c), VAR_POP(c), SUM(IFNULL(c, 1)), MAX(GREATEST(c, '5')) FROM (SELECT d AS c FROM b UNION ALL SELECT n FROM b UNION ALL SELECT '5') AS q
----
STD(c) | VAR_POP(c) | SUM(IFNULL(c, 1)) | MAX(GREATEST(c, '5'))
951.2974765492069 | 904966.8888888889 | 2024 | 5

query
SELECT m._id FROM m JOIN (SELECT n AS c FROM b UNION ALL SELECT s FROM b) AS q ON IFNULL(q.c, 2e0) >= m.i AND q.c = 'A'
----
_id
b

# No number is out of range in a column of a query.
exec
CREATE TABLE digits (_id INT PRIMARY KEY, d DECIMAL(65,0), f DECIMAL(4,3), c DECIMAL(65,3));
INSERT INTO digits (_id, d, f) VALUES (1, 99999999999999999999999999999999999999999999999999999999999999999, 0.001)
----
ok, 0 rows
ok, 1 rows

query
SELECT d AS c FROM digits UNION SELECT f FROM digits
----
c
99999999999999999999999999999999999999999999999999999999999999999
0.001

query
SELECT c FROM (SELECT d AS c FROM digits EXCEPT SELECT f FROM digits) AS q WHERE c > 1
----
c
99999999999999999999999999999999999999999999999999999999999999999

query
SELECT c > 1 AS more, c = 99999999999999999999999999999999999999999999999999999999999999999 AS same, c < 0.002 AS less FROM (SELECT 99999999999999999999999999999999999999999999999999999999999999999 AS c UNION SELECT 0.001) AS q
----
more | same | less
1 | 1 | 0
0 | 0 | 1

query
SELECT COUNT(*) FROM (SELECT 99999999999999999999999999999999999999999999999999999999999999999 AS c, f FROM digits EXCEPT SELECT f, 0.5 FROM digits) AS q WHERE c = -1.25
----
COUNT(*)
0

query
SELECT COUNT(*) FROM (SELECT f AS c FROM digits EXCEPT SELECT d FROM digits) AS q WHERE c = -1.25
----
COUNT(*)
0

query
SELECT CASE WHEN f THEN d ELSE f END AS c, COALESCE(d, f) = d AS e FROM digits
----
c | e
99999999999999999999999999999999999999999999999999999999999999999 | 1

exec
UPDATE digits JOIN (SELECT d AS n FROM digits EXCEPT SELECT f FROM digits) AS q SET c = n
----
ERROR 1264 (22003): Out of range value for column of Decimal type 

query
CHECK TABLE digits
----
Table | Op | Msg_type | Msg_text
d.digits | check | status | OK

query
CHECK TABLE m, t, b, child
----
Table | Op | Msg_type | Msg_text
d.m | check | status | OK
d.t | check | status | OK
d.b | check | status | OK
d.child | check | status | OK

# Numbers of two types in a derived table, the narrower first.
exec
CREATE TABLE mixed (_id INT PRIMARY KEY, i BIGINT, u BIGINT UNSIGNED, f DOUBLE, x DECIMAL(10,2), _doc JSON);
INSERT INTO mixed (_doc) VALUES ('{"_id":1,"i":-9007199254740993,"u":18446744073709551615,"f":-2.5,"x":1.25,"n":7,"m":-0.5}')
----
ok, 0 rows
ok, 1 rows

query
SELECT c FROM (SELECT i AS c FROM mixed UNION ALL SELECT f FROM mixed) AS t
----
c
-9.007199254740992e+15
-2.5

query
SELECT c, c + 0, -c, c < -2 FROM (SELECT u AS c FROM mixed UNION ALL SELECT f FROM mixed) AS t
----
c | c + 0 | -c | c < -2
1.8446744073709552e+19 | 1.8446744073709552e+19 | -1.8446744073709552e+19 | 0
-2.5 | -2.5 | 2.5 | 1

query
SELECT c FROM (SELECT n AS c FROM mixed UNION ALL SELECT m FROM mixed) AS t WHERE NOT c <= -10 ORDER BY c
----
c
-0.5
7

query
SELECT c, COUNT(*), SUM(c), MAX(c) FROM (SELECT COALESCE(n, u) AS c FROM mixed UNION ALL SELECT f FROM mixed UNION ALL SELECT x FROM mixed) AS t GROUP BY c ORDER BY c
----
c | COUNT(*) | SUM(c) | MAX(c)
-2.5 | 1 | -2.5 | -2.5
1.25 | 1 | 1.25 | 1.25
7 | 1 | 7 | 7

query
SELECT * FROM (SELECT COALESCE(n, 1) AS c, 1 AS d FROM mixed UNION SELECT 2.5e0, f FROM mixed) AS t
----
c | d
7 | 1
2.5 | -2.5

exec
CREATE VIEW mixed_view AS SELECT i AS c FROM mixed UNION ALL SELECT f FROM mixed
----
ok, 0 rows

query
SELECT v.c, (SELECT MIN(w.c) FROM mixed_view AS w WHERE w.c > v.c) AS above FROM mixed_view AS v
----
c | above
-9.007199254740992e+15 | -2.5
-2.5 | NULL

query
CHECK TABLE mixed
----
Table | Op | Msg_type | Msg_text
d.mixed | check | status | OK

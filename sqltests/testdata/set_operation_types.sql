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
2024-01-02

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

query
CHECK TABLE m, t
----
Table | Op | Msg_type | Msg_text
d.m | check | status | OK
d.t | check | status | OK

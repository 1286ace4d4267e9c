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

query
CHECK TABLE m
----
Table | Op | Msg_type | Msg_text
d.m | check | status | OK

# LAST_INSERT_ID of a value is remembered; of NULL it is NULL, and 0 is remembered.
exec
CREATE TABLE s (id INT PRIMARY KEY, k INT);
INSERT INTO s VALUES (1, NULL), (2, 41)
----
ok, 0 rows
ok, 2 rows

exec
UPDATE s SET k = LAST_INSERT_ID(k + 1) WHERE id = 2
----
ok, 1 rows

query
SELECT LAST_INSERT_ID()
----
LAST_INSERT_ID()
42

exec
UPDATE s SET k = LAST_INSERT_ID(k + 1) WHERE id = 1
----
ok, 0 rows

query
SELECT LAST_INSERT_ID(), k FROM s
----
LAST_INSERT_ID() | k
0 | NULL
0 | 42

query
SELECT LAST_INSERT_ID(NULL), LAST_INSERT_ID(7)
----
LAST_INSERT_ID(NULL) | LAST_INSERT_ID(7)
NULL | 7

query
SELECT LAST_INSERT_ID()
----
LAST_INSERT_ID()
7

query
CHECK TABLE s
----
Table | Op | Msg_type | Msg_text
d.s | check | status | OK

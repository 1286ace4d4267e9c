# Pages of equal values: each row is on one of them, whatever page was asked for first.
exec
CREATE TABLE xy (x INT PRIMARY KEY, y INT);
INSERT INTO xy VALUES (1, 0), (2, 0), (3, 0), (4, 0)
----
ok, 0 rows
ok, 4 rows

query
SELECT * FROM xy ORDER BY y LIMIT 1
----
x | y
1 | 0

query
SELECT * FROM xy ORDER BY y LIMIT 1 OFFSET 1
----
x | y
2 | 0

query
SELECT * FROM xy ORDER BY y LIMIT 1 OFFSET 2
----
x | y
3 | 0

query
SELECT * FROM xy ORDER BY y LIMIT 2 OFFSET 2
----
x | y
3 | 0
4 | 0

query
SELECT * FROM xy ORDER BY y LIMIT 3 OFFSET 1
----
x | y
2 | 0
3 | 0
4 | 0

query
SELECT * FROM xy WHERE y = 0 LIMIT 2, 2
----
x | y
3 | 0
4 | 0

query
SELECT * FROM xy WHERE y = 0 LIMIT 3, 1
----
x | y
4 | 0

query
SELECT * FROM xy WHERE y = 0 ORDER BY x LIMIT 1, 3
----
x | y
2 | 0
3 | 0
4 | 0

# An OFFSET near the end of 64 bits ends at once: the rows that it skips and those that LIMIT gives are more than an
# integer holds.

exec
CREATE TABLE far (_id VARCHAR(20) PRIMARY KEY, _doc JSON);
INSERT INTO far (_id, n) VALUES ('a', 1), ('b', 2);
UPDATE far SET n = 'text' WHERE _id = 'a'
----
ok, 0 rows
ok, 2 rows
ok, 1 rows

query
SELECT n FROM far WHERE n = 1 LIMIT 5 OFFSET 18446744073709551615
----
n

query
SELECT n FROM far WHERE n = 2 LIMIT 5 OFFSET 9223372036854775807
----
n

query
SELECT n FROM far WHERE n >= 1 ORDER BY n LIMIT 9223372036854775807 OFFSET 9223372036854775806
----
n

query
CHECK TABLE far
----
Table | Op | Msg_type | Msg_text
d.far | check | status | OK

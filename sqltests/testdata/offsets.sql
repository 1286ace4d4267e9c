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

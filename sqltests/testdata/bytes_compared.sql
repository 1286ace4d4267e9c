# Byte strings beside texts are compared byte by byte, whatever the text's
# collation; beside numbers they count for the number that they begin with.
exec
CREATE TABLE t (k INT PRIMARY KEY, s VARCHAR(20) COLLATE utf8mb4_0900_ai_ci, b VARBINARY(20), h TIME, KEY (b));
INSERT INTO t VALUES (1, 'A', 'a', '10:00:00'), (2, 'a', 'a', '00:00:00'), (3, 'é', 'é', NULL), (4, 'é', '2e', '-01:00:00'), (5, 'x', X'00ff', NULL);
----
ok, 0 rows
ok, 5 rows

query
SELECT k FROM t WHERE s IN (b) ORDER BY k
----
k
2
3

query
SELECT k FROM t WHERE s IN (X'61', X'ff') ORDER BY k
----
k
2

query
SELECT k FROM t WHERE b NOT IN (s, 'x') ORDER BY k
----
k
1
4
5

query
SELECT x.k, y.k FROM t x JOIN t y ON x.s = y.b ORDER BY x.k, y.k
----
k | k
2 | 1
2 | 2
3 | 3
4 | 3

query
SELECT k FROM t x WHERE s IN (SELECT b FROM t) ORDER BY k
----
k
2
3
4

# A _ stands for one byte, of which é has two.
query
SELECT k, b LIKE 'a%', b LIKE '_', b LIKE '__', b LIKE X'00ff', s LIKE X'61' FROM t ORDER BY k
----
k | b LIKE 'a%' | b LIKE '_' | b LIKE '__' | b LIKE X'00ff' | s LIKE X'61'
1 | 1 | 1 | 0 | 0 | 0
2 | 1 | 1 | 0 | 0 | 1
3 | 0 | 0 | 1 | 0 | 0
4 | 0 | 0 | 1 | 0 | 0
5 | 0 | 0 | 1 | 1 | 0

query
SELECT k, b = 0, b > 1, b IN (0, 7), b IN (2, 'a'), b + 1, -b, NOT b FROM t ORDER BY k
----
k | b = 0 | b > 1 | b IN (0, 7) | b IN (2, 'a') | b + 1 | -b | NOT b
1 | 1 | 0 | 1 | 1 | 1 | -0 | 1
2 | 1 | 0 | 1 | 1 | 1 | -0 | 1
3 | 1 | 0 | 1 | 0 | 1 | -0 | 1
4 | 0 | 1 | 0 | 1 | 3 | -2 | 0
5 | 1 | 0 | 1 | 0 | 1 | -0 | 1

query
SELECT SUM(b) FROM t
----
SUM(b)
2

query
SELECT k FROM t WHERE b ORDER BY k
----
k
4

# A TIME is true if it is not zero, and LIKE sees its text.
query
SELECT k, NOT h, h AND 1, IF(h, 'yes', 'no'), h LIKE '%:00:00', h LIKE '-%' FROM t ORDER BY k
----
k | NOT h | h AND 1 | IF(h, 'yes', 'no') | h LIKE '%:00:00' | h LIKE '-%'
1 | 0 | 1 | yes | 1 | 0
2 | 1 | 0 | no | 1 | 0
3 | NULL | NULL | no | NULL | NULL
4 | 0 | 1 | yes | 1 | 1
5 | NULL | NULL | no | NULL | NULL

query
SELECT k FROM t WHERE h ORDER BY k
----
k
1
4

# ORDER BY a position of SELECT DISTINCT sorts the result, not the table's rows.
exec
CREATE TABLE t (_id INT PRIMARY KEY, s VARCHAR(20), _doc JSON);
INSERT INTO t (_id, s, n) VALUES (1, 'bb', 3), (2, 'a', 2), (3, 'ccc', 2), (4, 'BB', 1), (12, 'dddd', 1);
----
ok, 0 rows
ok, 5 rows

query
SELECT DISTINCT LENGTH(s) FROM t ORDER BY 1 DESC
----
LENGTH(s)
4
3
2
1

query
SELECT DISTINCT -_id FROM t ORDER BY 1 LIMIT 2
----
-_id
-12
-4

query
SELECT DISTINCT s COLLATE utf8mb4_0900_ai_ci FROM t ORDER BY 1 DESC LIMIT 2
----
s COLLATE utf8mb4_0900_ai_ci
dddd
ccc

query
SELECT DISTINCT n, LOWER(s) AS l FROM t ORDER BY 1, 2 DESC
----
n | l
1 | dddd
1 | bb
2 | ccc
2 | a
3 | bb

query
SELECT DISTINCT _doc->'$.n' FROM t ORDER BY 1
----
_doc->'$.n'
1
2
3

query
SELECT DISTINCT -COUNT(*) FROM t GROUP BY n ORDER BY 1
----
-COUNT(*)
-2
-1

query
SELECT DISTINCT (SELECT -COUNT(*) FROM t u WHERE u.n > t.n) FROM t ORDER BY 1
----
(SELECT -COUNT(*) FROM t u WHERE u.n > t.n)
-3
-1
0

query
SELECT DISTINCT -ROW_NUMBER() OVER (ORDER BY _id) FROM t ORDER BY 1 LIMIT 2
----
-ROW_NUMBER() OVER (ORDER BY _id)
-5
-4

query
SELECT x.* FROM (SELECT DISTINCT -_id AS m FROM t ORDER BY 1 LIMIT 2) x
----
m
-12
-4

prepared
: 2
SELECT DISTINCT LENGTH(s) FROM t WHERE n <= ? ORDER BY 1
----
LENGTH(s)
1
2
3
4

# In views, and in what INSERT reads.
exec
CREATE VIEW v AS SELECT DISTINCT -_id FROM t ORDER BY 1 LIMIT 2;
CREATE TABLE u (a INT PRIMARY KEY);
INSERT INTO u SELECT DISTINCT -_id FROM t ORDER BY 1 LIMIT 2
----
ok, 0 rows
ok, 0 rows
ok, 2 rows

query
SELECT * FROM v
----
-_id
-12
-4

query
SELECT a FROM u ORDER BY a
----
a
-12
-4

query
CHECK TABLE t
----
Table | Op | Msg_type | Msg_text
d.t | check | status | OK

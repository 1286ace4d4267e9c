# FOUND_ROWS() of SQL_CALC_FOUND_ROWS tells of the rows that OFFSET skips as well.
exec
CREATE TABLE t (_id INT PRIMARY KEY, a INT, c VARCHAR(20));
INSERT INTO t WITH RECURSIVE n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n WHERE i < 600) SELECT i, IF(i % 10, i * 7 % 1000, NULL), CONCAT('c', i) FROM n
----
ok, 0 rows
ok, 600 rows

exec
SET sqlfdb_use_index = on
----
ok, 0 rows

exec
SELECT SQL_CALC_FOUND_ROWS _id FROM t LIMIT 2;
SET @n0 = FOUND_ROWS()
----
ok, 0 rows
ok, 0 rows

exec
SELECT SQL_CALC_FOUND_ROWS _id FROM t LIMIT 2 OFFSET 5;
SET @n1 = FOUND_ROWS()
----
ok, 0 rows
ok, 0 rows

exec
SELECT SQL_CALC_FOUND_ROWS _id FROM t ORDER BY a LIMIT 2 OFFSET 5;
SET @n2 = FOUND_ROWS()
----
ok, 0 rows
ok, 0 rows

exec
SELECT SQL_CALC_FOUND_ROWS _id, c FROM t ORDER BY c LIMIT 5, 2;
SET @n3 = FOUND_ROWS()
----
ok, 0 rows
ok, 0 rows

exec
SELECT SQL_CALC_FOUND_ROWS _id FROM t WHERE a > 500 ORDER BY a LIMIT 2 OFFSET 3;
SET @n4 = FOUND_ROWS()
----
ok, 0 rows
ok, 0 rows

exec
SELECT SQL_CALC_FOUND_ROWS _id FROM t WHERE a > 500 ORDER BY a + 1 LIMIT 2 OFFSET 3;
SET @n5 = FOUND_ROWS()
----
ok, 0 rows
ok, 0 rows

exec
SELECT SQL_CALC_FOUND_ROWS _id FROM t ORDER BY c LIMIT 2 OFFSET 5000;
SET @n6 = FOUND_ROWS()
----
ok, 0 rows
ok, 0 rows

exec
SELECT SQL_CALC_FOUND_ROWS DISTINCT a % 7 AS r FROM t ORDER BY r LIMIT 2 OFFSET 5;
SET @n7 = FOUND_ROWS()
----
ok, 0 rows
ok, 0 rows

exec
SELECT SQL_CALC_FOUND_ROWS a % 7 AS r, COUNT(*) FROM t GROUP BY r ORDER BY r LIMIT 2 OFFSET 5;
SET @n8 = FOUND_ROWS()
----
ok, 0 rows
ok, 0 rows

exec
SELECT SQL_CALC_FOUND_ROWS _id FROM t WHERE _id = 7 LIMIT 1 OFFSET 1;
SET @n9 = FOUND_ROWS()
----
ok, 0 rows
ok, 0 rows

exec
SELECT SQL_CALC_FOUND_ROWS _id FROM t LIMIT 0 OFFSET 1;
SET @n10 = FOUND_ROWS()
----
ok, 0 rows
ok, 0 rows

exec
SELECT SQL_CALC_FOUND_ROWS t._id FROM t JOIN t AS u ON u._id = t._id + 590 LIMIT 1 OFFSET 2;
SET @n11 = FOUND_ROWS()
----
ok, 0 rows
ok, 0 rows

exec
SELECT SQL_CALC_FOUND_ROWS _id FROM (SELECT _id FROM t LIMIT 10 OFFSET 3) AS u LIMIT 2 OFFSET 2;
SET @n12 = FOUND_ROWS()
----
ok, 0 rows
ok, 0 rows

exec
SELECT SQL_CALC_FOUND_ROWS _id FROM t WHERE _id IN (SELECT _id FROM (SELECT _id FROM t LIMIT 3 OFFSET 1) AS u) LIMIT 1 OFFSET 1;
SET @n13 = FOUND_ROWS()
----
ok, 0 rows
ok, 0 rows

exec
SELECT SQL_CALC_FOUND_ROWS a % 7 AS r FROM t UNION SELECT 100 ORDER BY r DESC LIMIT 1 OFFSET 2;
SET @n14 = FOUND_ROWS()
----
ok, 0 rows
ok, 0 rows

exec
SELECT SQL_CALC_FOUND_ROWS _id FROM t UNION ALL SELECT _id FROM t LIMIT 1;
SET @n15 = FOUND_ROWS()
----
ok, 0 rows
ok, 0 rows

query
SELECT @n0, @n1, @n2, @n3, @n4, @n5, @n6, @n7, @n8, @n9, @n10, @n11, @n12, @n13, @n14, @n15
----
@n0 | @n1 | @n2 | @n3 | @n4 | @n5 | @n6 | @n7 | @n8 | @n9 | @n10 | @n11 | @n12 | @n13 | @n14 | @n15
600 | 600 | 600 | 600 | 256 | 256 | 600 | 6 | 6 | 1 | 600 | 10 | 10 | 3 | 7 | 1200

exec
SET sqlfdb_use_index = off
----
ok, 0 rows

exec
SELECT SQL_CALC_FOUND_ROWS _id FROM t LIMIT 2;
SET @n0 = FOUND_ROWS()
----
ok, 0 rows
ok, 0 rows

exec
SELECT SQL_CALC_FOUND_ROWS _id FROM t LIMIT 2 OFFSET 5;
SET @n1 = FOUND_ROWS()
----
ok, 0 rows
ok, 0 rows

exec
SELECT SQL_CALC_FOUND_ROWS _id FROM t ORDER BY a LIMIT 2 OFFSET 5;
SET @n2 = FOUND_ROWS()
----
ok, 0 rows
ok, 0 rows

exec
SELECT SQL_CALC_FOUND_ROWS _id, c FROM t ORDER BY c LIMIT 5, 2;
SET @n3 = FOUND_ROWS()
----
ok, 0 rows
ok, 0 rows

exec
SELECT SQL_CALC_FOUND_ROWS _id FROM t WHERE a > 500 ORDER BY a LIMIT 2 OFFSET 3;
SET @n4 = FOUND_ROWS()
----
ok, 0 rows
ok, 0 rows

exec
SELECT SQL_CALC_FOUND_ROWS _id FROM t WHERE a > 500 ORDER BY a + 1 LIMIT 2 OFFSET 3;
SET @n5 = FOUND_ROWS()
----
ok, 0 rows
ok, 0 rows

exec
SELECT SQL_CALC_FOUND_ROWS _id FROM t ORDER BY c LIMIT 2 OFFSET 5000;
SET @n6 = FOUND_ROWS()
----
ok, 0 rows
ok, 0 rows

exec
SELECT SQL_CALC_FOUND_ROWS DISTINCT a % 7 AS r FROM t ORDER BY r LIMIT 2 OFFSET 5;
SET @n7 = FOUND_ROWS()
----
ok, 0 rows
ok, 0 rows

exec
SELECT SQL_CALC_FOUND_ROWS a % 7 AS r, COUNT(*) FROM t GROUP BY r ORDER BY r LIMIT 2 OFFSET 5;
SET @n8 = FOUND_ROWS()
----
ok, 0 rows
ok, 0 rows

exec
SELECT SQL_CALC_FOUND_ROWS _id FROM t WHERE _id = 7 LIMIT 1 OFFSET 1;
SET @n9 = FOUND_ROWS()
----
ok, 0 rows
ok, 0 rows

exec
SELECT SQL_CALC_FOUND_ROWS _id FROM t LIMIT 0 OFFSET 1;
SET @n10 = FOUND_ROWS()
----
ok, 0 rows
ok, 0 rows

exec
SELECT SQL_CALC_FOUND_ROWS t._id FROM t JOIN t AS u ON u._id = t._id + 590 LIMIT 1 OFFSET 2;
SET @n11 = FOUND_ROWS()
----
ok, 0 rows
ok, 0 rows

exec
SELECT SQL_CALC_FOUND_ROWS _id FROM (SELECT _id FROM t LIMIT 10 OFFSET 3) AS u LIMIT 2 OFFSET 2;
SET @n12 = FOUND_ROWS()
----
ok, 0 rows
ok, 0 rows

exec
SELECT SQL_CALC_FOUND_ROWS _id FROM t WHERE _id IN (SELECT _id FROM (SELECT _id FROM t LIMIT 3 OFFSET 1) AS u) LIMIT 1 OFFSET 1;
SET @n13 = FOUND_ROWS()
----
ok, 0 rows
ok, 0 rows

exec
SELECT SQL_CALC_FOUND_ROWS a % 7 AS r FROM t UNION SELECT 100 ORDER BY r DESC LIMIT 1 OFFSET 2;
SET @n14 = FOUND_ROWS()
----
ok, 0 rows
ok, 0 rows

exec
SELECT SQL_CALC_FOUND_ROWS _id FROM t UNION ALL SELECT _id FROM t LIMIT 1;
SET @n15 = FOUND_ROWS()
----
ok, 0 rows
ok, 0 rows

query
SELECT @n0, @n1, @n2, @n3, @n4, @n5, @n6, @n7, @n8, @n9, @n10, @n11, @n12, @n13, @n14, @n15
----
@n0 | @n1 | @n2 | @n3 | @n4 | @n5 | @n6 | @n7 | @n8 | @n9 | @n10 | @n11 | @n12 | @n13 | @n14 | @n15
600 | 600 | 600 | 600 | 256 | 256 | 600 | 6 | 6 | 1 | 600 | 10 | 10 | 3 | 7 | 1200

exec
SET sqlfdb_use_index = on
----
ok, 0 rows

query
SELECT SQL_CALC_FOUND_ROWS _id, c FROM t ORDER BY c LIMIT 5, 2
----
_id | c
103 | c103
104 | c104

query
SELECT SQL_CALC_FOUND_ROWS a % 7 AS r FROM t UNION SELECT 100 ORDER BY r DESC LIMIT 1 OFFSET 2
----
r
3

# A set operation of columns of the same name, and one whose first SELECT is in parentheses.
query
SELECT SQL_CALC_FOUND_ROWS a % 7, a % 7 FROM t WHERE _id < 4 UNION SELECT 100, 101 ORDER BY 1 DESC LIMIT 2
----
a % 7 | a % 7
100 | 101
0 | 0

query
(SELECT SQL_CALC_FOUND_ROWS _id FROM t ORDER BY _id LIMIT 3) UNION ALL (SELECT _id FROM t) ORDER BY _id LIMIT 2
----
_id
1
1

query
SELECT FOUND_ROWS()
----
FOUND_ROWS()
603

# Statements that ended wrongly once.
exec
CREATE TABLE t (id INT PRIMARY KEY, a INT)
----
ok, 0 rows

exec
INSERT INTO t VALUES (1,1)
----
ok, 1 rows

exec
SET TRANSACTION READ ONLY
----
ok, 0 rows

exec
INSERT INTO t VALUES (2,2)
----
ERROR 1792 (25006): cannot execute statement in a READ ONLY transaction

exec
INSERT INTO t VALUES (3,3)
----
ok, 1 rows

query
SELECT * FROM t
----
id | a
1 | 1
3 | 3

exec
SET TRANSACTION READ ONLY
----
ok, 0 rows

exec
BEGIN
----
ok, 0 rows

exec
INSERT INTO t VALUES (4,4)
----
ERROR 1792 (25006): cannot execute statement in a READ ONLY transaction

exec
COMMIT
----
ok, 0 rows

exec
INSERT INTO t VALUES (4,4)
----
ok, 1 rows

exec
SET SESSION TRANSACTION READ ONLY
----
ok, 0 rows

exec
INSERT INTO t VALUES (5,5)
----
ERROR 1792 (25006): cannot execute statement in a READ ONLY transaction

exec
SET SESSION TRANSACTION READ WRITE
----
ok, 0 rows

exec
INSERT INTO t VALUES (5,5)
----
ok, 1 rows

query
SELECT CONV('',16,10)
----
CONV('',16,10)
NULL

query
SELECT COUNT(*) >= 0 FROM information_schema.COLUMN_STATISTICS
----
COUNT(*) >= 0
1

exec
CREATE TABLE q1 (id INT PRIMARY KEY, `a"b` INT, UNIQUE KEY (`a"b`))
----
ok, 0 rows

exec
INSERT INTO q1 VALUES (1,1)
----
ok, 1 rows

exec
INSERT INTO q1 VALUES (2,1)
----
ERROR 1062 (23000): Duplicate entry '1' for key 'q1.a"b'

query
SELECT `a"b` FROM q1 WHERE `a"b`=1
----
a"b
1

exec
CREATE TABLE q2 (id INT PRIMARY KEY, `a\b` INT, KEY (`a\b`))
----
ok, 0 rows

exec
INSERT INTO q2 VALUES (1,1),(2,3)
----
ok, 2 rows

query
SELECT * FROM q2 WHERE `a\b`>1
----
id | a\b
2 | 3

exec
CREATE TABLE q3 (id INT PRIMARY KEY, `x"` INT, `y\` INT)
----
ok, 0 rows

exec
CREATE INDEX qq ON q3 (`x"`,`y\`)
----
ok, 0 rows

exec
INSERT INTO q3 VALUES (1,1,2)
----
ok, 1 rows

query
SELECT * FROM q3 WHERE `x"`=1 AND `y\`=2
----
id | x" | y\
1 | 1 | 2

query
CHECK TABLE q3
----
Table | Op | Msg_type | Msg_text
d.q3 | check | status | OK

exec
CREATE TABLE du (id INT PRIMARY KEY, a INT, CONSTRAINT uq UNIQUE (a), CONSTRAINT ck CHECK (a>0))
----
ok, 0 rows

exec
ALTER TABLE du DROP CONSTRAINT uq
----
ok, 0 rows

exec
INSERT INTO du VALUES (1,1),(2,1)
----
ok, 2 rows

exec
ALTER TABLE du DROP CONSTRAINT ck
----
ok, 0 rows

exec
INSERT INTO du VALUES (3,-1)
----
ok, 1 rows

exec
ALTER TABLE du DROP CONSTRAINT nope
----
ERROR 1091 (42000): Can't DROP 'nope'; check that column/key exists

exec
ALTER TABLE du ADD COLUMN b INT CHECK (b>10)
----
ok, 0 rows

exec
INSERT INTO du VALUES (4,1,5)
----
ERROR 3819 (HY000): Check constraint "du_chk_1" violated

exec
ALTER TABLE du ADD COLUMN c INT DEFAULT 1 CHECK (c>10)
----
ERROR 3819 (HY000): Check constraint "du_chk_2" violated

query
SHOW CREATE TABLE du
----
Table | Create Table
du | CREATE TABLE `du` (
  `id` int NOT NULL,
  `a` int,
  `b` int,
  PRIMARY KEY (`id`),
  CONSTRAINT `du_chk_1` CHECK (`b` > 10)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_as_cs

exec
SET SESSION max_execution_time=300
----
ok, 0 rows

exec
SET SESSION cte_max_recursion_depth=4294967295
----
ok, 0 rows

query
WITH RECURSIVE c AS (SELECT 1 n UNION ALL SELECT n+1 FROM c) SELECT COUNT(*) FROM c
----
ERROR 3024 (HY000): Query execution was interrupted, maximum statement execution time exceeded

exec
SET SESSION cte_max_recursion_depth=1000
----
ok, 0 rows

exec
SET SESSION max_execution_time=0
----
ok, 0 rows

query
WITH RECURSIVE c AS (SELECT 1 n UNION ALL SELECT n+1 FROM c) SELECT COUNT(*) FROM c
----
ERROR 3636 (HY000): Recursive query aborted after 1001 iterations. Try increasing @@cte_max_recursion_depth to a larger value.

query
WITH RECURSIVE c AS (SELECT 1 n UNION ALL SELECT n+1 FROM c WHERE n<500) SELECT COUNT(*), MAX(n) FROM c
----
COUNT(*) | MAX(n)
500 | 500

exec
CREATE TABLE big (id INT PRIMARY KEY, k INT)
----
ok, 0 rows

exec
INSERT INTO big WITH RECURSIVE c AS (SELECT 1 n UNION ALL SELECT n+1 FROM c WHERE n<900) SELECT n, n%10 FROM c
----
ok, 900 rows

query
SELECT COUNT(*) FROM big a, big b, big c WHERE a.id=b.id AND b.id=c.id AND a.id IN (SELECT k FROM big GROUP BY k HAVING SUM(id)>10)
----
COUNT(*)
9

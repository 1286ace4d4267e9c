# CREATE TABLE … SELECT names its columns as they are written.
exec
CREATE DATABASE defined;
USE defined;
CREATE TABLE t (i INT, j VARCHAR(3));
INSERT INTO t VALUES (1, 'a'), (2, 'b');
CREATE TABLE made AS SELECT SUM(i), MAX(t.i) , COUNT( * ), 'x', 1+ 1,  UPPER(j) FROM t GROUP BY j
----
ok, 1 rows
ok, 0 rows
ok, 0 rows
ok, 2 rows
ok, 2 rows

query
SELECT column_name FROM information_schema.columns WHERE table_name = 'made' AND column_name <> '_doc' ORDER BY ordinal_position
----
COLUMN_NAME
SUM(i)
MAX(t.i)
COUNT( * )
x
1+ 1
UPPER(j)

# Parentheses around the query of a view.
exec
CREATE VIEW v AS (SELECT i FROM t WHERE i > 1);
CREATE OR REPLACE VIEW w (k) AS (SELECT 1 UNION SELECT i FROM t);
CREATE VIEW x AS (SELECT 1) UNION (SELECT 2)
----
ok, 0 rows
ok, 0 rows
ok, 0 rows

query
SELECT * FROM v, w ORDER BY k
----
i | k
2 | 1
2 | 2

query
SELECT * FROM x
----
1
1
2

query
SHOW CREATE VIEW v
----
View | Create View | character_set_client | collation_connection
v | CREATE VIEW `v` AS SELECT i FROM t WHERE i > 1 | utf8mb4 | utf8mb4_0900_bin

# Where there is no primary key MySQL goes by the first unique key without NULL.
exec
CREATE TABLE keyed (a INT NOT NULL, b INT NOT NULL, c INT, d INT NOT NULL, UNIQUE (c), UNIQUE (a, b), UNIQUE (d))
----
ok, 0 rows

query
DESCRIBE keyed
----
Field | Type | Null | Key | Default | Extra
a | int | NO | PRI | NULL |
b | int | NO | PRI | NULL |
c | int | YES | UNI | NULL |
d | int | NO | UNI | NULL |

# What has no place in a definition.
exec
CREATE TABLE refused (i INT DEFAULT (@a));
CREATE TABLE refused (i INT DEFAULT (@@version));
CREATE TABLE refused (i INT, j INT AS (i + @a));
ALTER TABLE t ADD COLUMN k INT DEFAULT (@a);
ALTER TABLE t ALTER COLUMN i SET DEFAULT (@@version)
----
ERROR 3772 (HY000): Default value expression of column 'i' cannot refer user or system variables.
ERROR 3772 (HY000): Default value expression of column 'i' cannot refer user or system variables.
ERROR 3765 (HY000): Expression of generated column 'j' cannot refer user or system variables.
ERROR 3772 (HY000): Default value expression of column 'k' cannot refer user or system variables.
ERROR 3772 (HY000): Default value expression of column 'i' cannot refer user or system variables.

# An ENUM that can't be NULL has its first member where an INSERT names none.
exec
CREATE TABLE chosen (e ENUM('a''b', 'c') NOT NULL, i INT);
INSERT INTO chosen (i) VALUES (1);
INSERT INTO chosen (i, e) VALUES (2, DEFAULT)
----
ok, 0 rows
ok, 1 rows
ok, 1 rows

query
SELECT * FROM chosen
----
e | i
a'b | 1
a'b | 2

query
SHOW CREATE TABLE chosen
----
Table | Create Table
chosen | CREATE TABLE `chosen` (
  `e` enum('a''b','c') NOT NULL,
  `i` int
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_as_cs

exec
SET time_zone = '-5:00';
SET time_zone = '+14:01';
SET time_zone = 'Mars/Olympus'
----
ok, 0 rows
ERROR 1298 (HY000): Unknown or incorrect time zone: '+14:01'
ERROR 1298 (HY000): Unknown or incorrect time zone: 'Mars/Olympus'

query
SELECT @@time_zone, UNIX_TIMESTAMP('1970-01-01 00:00:00'), UNIX_TIMESTAMP(@@autocommit)
----
@@time_zone | UNIX_TIMESTAMP('1970-01-01 00:00:00') | UNIX_TIMESTAMP(@@autocommit)
-05:00 | 18000 | 0

query
SHOW EXTENDED COLUMNS FROM keyed LIKE 'a'
----
Field | Type | Null | Key | Default | Extra
a | int | NO | PRI | NULL |

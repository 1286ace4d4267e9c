exec
CREATE TABLE t (id INT PRIMARY KEY, a VARCHAR(20), b VARCHAR(20))
----
ok, 0 rows

exec
INSERT INTO t VALUES (1, 'x', 'y%')
----
ok, 1 rows

# A name of a column is what was written, without the comma behind a space.
query
SELECT id , 1+1 , a = 'x'	, 2 FROM t
----
id | 1+1 | a = 'x' | 2
1 | 2 | 1 | 2

exec
SET sql_mode = 'ANSI'
----
ok, 0 rows

query
SELECT @@sql_mode
----
@@sql_mode
REAL_AS_FLOAT,PIPES_AS_CONCAT,ANSI_QUOTES,IGNORE_SPACE,ONLY_FULL_GROUP_BY,ANSI

query
SELECT 'a' || 'b', "id" , "a" || "b" AS "c d" , 1+1 , NULL || 'x' FROM t WHERE "a" || "b" LIKE 'x%'
----
'a' || 'b' | id | c d | 1+1 | NULL || 'x'
ab | 1 | xy% | 2 | NULL

exec
CREATE VIEW v AS SELECT "a" || "b" AS ab, "id" FROM t
----
ok, 0 rows

exec
SET sql_mode = 'PIPES_AS_CONCAT'
----
ok, 0 rows

query
SELECT 1 || 0 , 2+3 || 4, NOT 0 || 1, "a" || 'z', (SELECT a || b FROM t)
----
1 || 0 | 2+3 || 4 | NOT 0 || 1 | "a" || 'z' | (SELECT a || b FROM t)
10 | 36 | 0 | az | xy%

query
SELECT * FROM v
----
ab | id
xy% | 1

exec
SET sql_mode = 'HIGH_NOT_PRECEDENCE'
----
ok, 0 rows

query
SELECT (NOT 1 BETWEEN 2 AND 3) AS high
----
high
0

exec
SET sql_mode = 'NO_BACKSLASH_ESCAPES'
----
ok, 0 rows

query
SELECT 'a\b' AS c, LENGTH('\\') AS two, 'a\' AS open, 'y\x' LIKE 'y\%' AS matches, 'y%' LIKE 'y\%' AS wild
----
c | two | open | matches | wild
a\b | 2 | a\ | 1 | 0

exec
SET sql_mode = ''
----
ok, 0 rows

query
SELECT (NOT 1 BETWEEN 2 AND 3) AS low, '1' || '0' AS pipes, "a" AS quoted, '\'' AS escape
----
low | pipes | quoted | escape
1 | 1 | a | '

query
SELECT * FROM v
----
ab | id
xy% | 1

exec
SET sql_mode = 'NO_SUCH_MODE'
----
ERROR 1231 (42000): Variable 'sql_mode' can't be set to the value of 'NO_SUCH_MODE'

exec
SET sql_mode = ' strict_trans_tables , NO_ZERO_DATE,'
----
ok, 0 rows

query
SELECT @@sql_mode
----
@@sql_mode
STRICT_TRANS_TABLES,NO_ZERO_DATE

exec
SET sql_mode = 'TRADITIONAL'
----
ok, 0 rows

query
SELECT @@sql_mode
----
@@sql_mode
STRICT_TRANS_TABLES,STRICT_ALL_TABLES,NO_ZERO_IN_DATE,NO_ZERO_DATE,ERROR_FOR_DIVISION_BY_ZERO,TRADITIONAL,NO_ENGINE_SUBSTITUTION

exec
SET sql_mode = 'PAD_CHAR_TO_FULL_LENGTH,NO_AUTO_CREATE_USER'
----
ok, 0 rows

query
SHOW WARNINGS
----
Level | Code | Message
Warning | 1105 | The SQL mode PAD_CHAR_TO_FULL_LENGTH has no effect

query
SELECT @@sql_mode
----
@@sql_mode
PAD_CHAR_TO_FULL_LENGTH

exec
SET sql_mode = 6
----
ok, 0 rows

query
SELECT @@sql_mode
----
@@sql_mode
PIPES_AS_CONCAT,ANSI_QUOTES

exec
SET sql_mode = 8589934592
----
ERROR 1231 (42000): Variable 'sql_mode' can't be set to the value of '8589934592'

exec
SET sql_mode = NULL
----
ERROR 1231 (42000): Variable 'sql_mode' can't be set to the value of 'NULL'

exec
SET sql_mode = DEFAULT
----
ok, 0 rows

query
SELECT @@sql_mode
----
@@sql_mode
ONLY_FULL_GROUP_BY,STRICT_TRANS_TABLES,NO_ENGINE_SUBSTITUTION

# Units of several parts, and INTERVAL(), are named as they were written.
query
SELECT INTERVAL(5, 1, 10), interval (1, 2), '2020-01-01' + INTERVAL '1:30' MINUTE_SECOND , '2020-01-01' - interval '1-2' year_month
----
INTERVAL(5, 1, 10) | interval (1, 2) | '2020-01-01' + INTERVAL '1:30' MINUTE_SECOND | '2020-01-01' - interval '1-2' year_month
1 | 0 | 2020-01-01 00:01:30 | 2018-11-01

# Clauses of ALTER TABLE read the columns that clauses before them add.
exec
CREATE TABLE t (a INT PRIMARY KEY, s VARCHAR(20));
INSERT INTO t VALUES (1, 'x'), (2, 'y');
ALTER TABLE t ADD COLUMN b INT NOT NULL DEFAULT 5, ADD CHECK (b > 0);
INSERT INTO t (a, b) VALUES (3, -1);
ALTER TABLE t ADD COLUMN n INT DEFAULT 3, ADD COLUMN m INT AS (n + b) STORED AFTER n, ADD COLUMN f INT FIRST;
ALTER TABLE t ADD COLUMN u INT DEFAULT 7, ADD UNIQUE KEY (u, a), ADD CONSTRAINT above CHECK (t.u > a);
ALTER TABLE t ADD COLUMN p INT DEFAULT (a + 1), ADD COLUMN q INT DEFAULT (p * 2), ADD INDEX (q);
ALTER TABLE t ADD COLUMN j JSON, ADD COLUMN ja INT AS (j->'$.a'), ADD INDEX (ja);
UPDATE t SET j = '{"a": 4}' WHERE a = 1
----
ok, 0 rows
ok, 2 rows
ok, 0 rows
ERROR 3819 (HY000): Check constraint "t_chk_1" violated
ok, 0 rows
ok, 0 rows
ok, 0 rows
ok, 0 rows
ok, 1 rows

query
SELECT * FROM t WHERE ja = 4
----
f | a | s | b | n | m | u | p | q | j | ja
NULL | 1 | x | 5 | 3 | 8 | 7 | 2 | 4 | {"a":4} | 4

query
SELECT * FROM t ORDER BY a
----
f | a | s | b | n | m | u | p | q | j | ja
NULL | 1 | x | 5 | 3 | 8 | 7 | 2 | 4 | {"a":4} | 4
NULL | 2 | y | 5 | 3 | 8 | 7 | 3 | 6 | NULL | NULL

exec
INSERT INTO t (a, u) VALUES (9, 8);
ALTER TABLE t ADD COLUMN z INT DEFAULT 0, ADD CHECK (z > 0)
----
ERROR 3819 (HY000): Check constraint "above" violated
ERROR 3819 (HY000): Check constraint "t_chk_2" violated

query
SHOW CREATE TABLE t
----
Table | Create Table
t | CREATE TABLE `t` (
  `f` int,
  `a` int NOT NULL,
  `s` varchar(20),
  `b` int NOT NULL DEFAULT '5',
  `n` int DEFAULT '3',
  `m` int GENERATED ALWAYS AS (`n` + `b`) STORED,
  `u` int DEFAULT '7',
  `p` int DEFAULT (`a` + 1),
  `q` int DEFAULT (`p` * 2),
  `j` json,
  `ja` int GENERATED ALWAYS AS (json_extract(`j`, '$.a')) VIRTUAL,
  PRIMARY KEY (`a`),
  UNIQUE KEY `u` (`u`,`a`),
  KEY `q` (`q`),
  KEY `ja` (`ja`),
  CONSTRAINT `t_chk_1` CHECK (`b` > 0),
  CONSTRAINT `above` CHECK (`u` > `a`)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_as_cs

# Keys and checks may stand before the columns; several columns and keys in parentheses.
exec
DROP TABLE t;
CREATE TABLE t (a INT PRIMARY KEY, s VARCHAR(20));
INSERT INTO t VALUES (1, 'x'), (2, 'y');
ALTER TABLE t ADD INDEX (b), ADD CHECK (b + c > 0), ADD COLUMN b INT DEFAULT 1, ADD COLUMN c INT DEFAULT 2;
ALTER TABLE t ADD (d INT, e VARCHAR(10) DEFAULT 'a,b)'), ADD COLUMN (g INT CHECK (g > 0), UNIQUE KEY gs (g, s), INDEX (d));
INSERT INTO t (a, g) VALUES (3, 0)
----
ok, 0 rows
ok, 0 rows
ok, 2 rows
ok, 0 rows
ok, 0 rows
ERROR 3819 (HY000): Check constraint "t_chk_2" violated

query
SELECT * FROM t ORDER BY a
----
a | s | b | c | d | e | g
1 | x | 1 | 2 | NULL | a,b) | NULL
2 | y | 1 | 2 | NULL | a,b) | NULL

query
SHOW CREATE TABLE t
----
Table | Create Table
t | CREATE TABLE `t` (
  `a` int NOT NULL,
  `s` varchar(20),
  `b` int DEFAULT '1',
  `c` int DEFAULT '2',
  `d` int,
  `e` varchar(10) DEFAULT 'a,b)',
  `g` int,
  PRIMARY KEY (`a`),
  KEY `b` (`b`),
  UNIQUE KEY `gs` (`g`,`s`),
  KEY `d` (`d`),
  CONSTRAINT `t_chk_1` CHECK ((`b` + `c`) > 0),
  CONSTRAINT `t_chk_2` CHECK (`g` > 0)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_as_cs

# A column of a new name is read by that.
exec
ALTER TABLE t DROP CHECK t_chk_1;
ALTER TABLE t RENAME COLUMN b TO b2, ADD COLUMN h INT AS (b2 * 2), ADD CHECK (b2 < 9);
ALTER TABLE t CHANGE c c2 BIGINT DEFAULT 4, ADD COLUMN i BIGINT AS (c2 * 2), ADD INDEX (c2);
ALTER TABLE t RENAME COLUMN b2 TO b3, ADD COLUMN k INT AS (b2 * 2)
----
ok, 0 rows
ok, 0 rows
ok, 0 rows
ERROR 3959 (HY000): can't alter column "b2" because it would invalidate check constraint "t_chk_1"

query
SELECT a, h, i FROM t ORDER BY a
----
a | h | i
1 | 2 | 4
2 | 2 | 4

# Keys are dropped before the columns that they are of.
exec
CREATE TABLE u (a INT PRIMARY KEY, b INT, c INT, d INT, KEY kb (b), KEY kc ((c + 1)), CONSTRAINT dd CHECK (d > 0));
INSERT INTO u VALUES (1, 2, 3, 4);
ALTER TABLE u DROP COLUMN b, DROP KEY kb, DROP COLUMN c, DROP INDEX kc, DROP COLUMN d, DROP CHECK dd
----
ok, 0 rows
ok, 1 rows
ok, 0 rows

query
SHOW CREATE TABLE u
----
Table | Create Table
u | CREATE TABLE `u` (
  `a` int NOT NULL,
  PRIMARY KEY (`a`)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_as_cs

query
SELECT * FROM u
----
a
1

# What is not there, and what is there already.
exec
ALTER TABLE u ADD COLUMN x INT, DROP COLUMN x;
ALTER TABLE u DROP COLUMN nothing;
ALTER TABLE u DROP CHECK nothing;
ALTER TABLE u ADD COLUMN x INT, MODIFY x BIGINT;
ALTER TABLE u ADD COLUMN x INT, RENAME COLUMN x TO y;
ALTER TABLE u ADD COLUMN x INT, ADD COLUMN x INT;
ALTER TABLE u ADD COLUMN x INT, ADD INDEX (y);
ALTER TABLE u ADD COLUMN x INT, ADD CHECK (y > 0)
----
ERROR 1091 (42000): Can't DROP 'x'; check that column/key exists
ERROR 1091 (42000): Can't DROP 'nothing'; check that column/key exists
ERROR 3821 (HY000): Check constraint 'nothing' is not found in the table.
ERROR 1054 (42S22): Unknown column 'x' in 'u'
ERROR 1054 (42S22): Unknown column 'x' in 'u'
ERROR 1060 (42S21): Duplicate column name 'x'
ERROR 1072 (42000): Key column 'y' doesn't exist in table
ERROR 1054 (42S22): column "y" could not be found in any table in scope

query
SELECT * FROM u, u
----
ERROR 1066 (42000): Not unique table/alias: 'u'

query
SHOW CREATE TABLE u
----
Table | Create Table
u | CREATE TABLE `u` (
  `a` int NOT NULL,
  PRIMARY KEY (`a`)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_as_cs

query
CHECK TABLE t, u
----
Table | Op | Msg_type | Msg_text
d.t | check | status | OK
d.u | check | status | OK

# A check that is not there is an error beside a column that is dropped, and nothing changes.
exec
CREATE TABLE v (a INT PRIMARY KEY, b INT, CONSTRAINT cb CHECK (b > 0));
ALTER TABLE v DROP COLUMN b, DROP CHECK typo;
ALTER TABLE v DROP CHECK typo, DROP COLUMN b;
INSERT INTO v VALUES (1, 0)
----
ok, 0 rows
ERROR 3821 (HY000): Check constraint 'typo' is not found in the table.
ERROR 3821 (HY000): Check constraint 'typo' is not found in the table.
ERROR 3819 (HY000): Check constraint "cb" violated

exec
ALTER TABLE v DROP COLUMN b, DROP CHECK cb;
INSERT INTO v VALUES (1)
----
ok, 0 rows
ok, 1 rows

# Keys and checks read the names that later clauses give.
exec
CREATE TABLE w (id INT PRIMARY KEY, a INT, x INT);
INSERT INTO w VALUES (1, 1, 2), (2, 3, 4);
ALTER TABLE w ADD INDEX kb (b), ADD CONSTRAINT cy CHECK (y > 0), CHANGE a b INT, RENAME COLUMN x TO y
----
ok, 0 rows
ok, 2 rows
ok, 0 rows

query
SHOW CREATE TABLE w
----
Table | Create Table
w | CREATE TABLE `w` (
  `id` int NOT NULL,
  `b` int,
  `y` int,
  PRIMARY KEY (`id`),
  KEY `kb` (`b`),
  CONSTRAINT `cy` CHECK (`y` > 0)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_as_cs

exec
INSERT INTO w VALUES (3, 1, 0)
----
ERROR 3819 (HY000): Check constraint "cy" violated

query
SELECT id FROM w WHERE b = 3
----
id
2

# The key is of the column that has the name in the end.
exec
ALTER TABLE w DROP CHECK cy;
ALTER TABLE w ADD KEY ky (y), CHANGE b b BIGINT, RENAME COLUMN y TO z, RENAME COLUMN b TO y
----
ok, 0 rows
ok, 0 rows

query
SHOW CREATE TABLE w
----
Table | Create Table
w | CREATE TABLE `w` (
  `id` int NOT NULL,
  `y` bigint,
  `z` int,
  PRIMARY KEY (`id`),
  KEY `kb` (`y`),
  KEY `ky` (`y`)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_as_cs

query
CHECK TABLE v, w
----
Table | Op | Msg_type | Msg_text
d.v | check | status | OK
d.w | check | status | OK

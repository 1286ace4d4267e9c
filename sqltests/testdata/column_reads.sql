# What a generated column, a default that is an expression, and a CHECK may not read.

exec
CREATE TABLE g (id INT AUTO_INCREMENT PRIMARY KEY, g INT AS (id + 1))
----
ERROR 3109 (HY000): Generated column 'g' cannot refer to auto-increment column.

exec
CREATE TABLE g (id INT AUTO_INCREMENT PRIMARY KEY, g INT AS (id + 1) STORED)
----
ERROR 3109 (HY000): Generated column 'g' cannot refer to auto-increment column.

exec
CREATE TABLE g (id INT AUTO_INCREMENT PRIMARY KEY, d INT DEFAULT (id + 1))
----
ERROR 3768 (HY000): Default value expression of column 'd' cannot refer to an auto-increment column.

exec
CREATE TABLE g (a INT, g INT AS (h + 1), h INT AS (a + 1))
----
ERROR 3107 (HY000): Generated column can refer only to generated columns defined prior to it.

exec
CREATE TABLE g (a INT, g INT AS (g + 1))
----
ERROR 3107 (HY000): Generated column can refer only to generated columns defined prior to it.

exec
CREATE TABLE g (a INT, d INT DEFAULT (e + 1), e INT DEFAULT (a + 1))
----
ERROR 3767 (HY000): default value of column "e" cannot refer to a column defined after it if those columns have an expression default value

exec
CREATE TABLE g (a INT, d INT DEFAULT (g + 1), g INT AS (a + 1))
----
ERROR 3767 (HY000): Default value expression of column 'd' cannot refer to a column defined after it if that column is a generated column or has an expression as default value.

exec
CREATE TABLE g (a INT, g DOUBLE AS (RAND()))
----
ERROR 3763 (HY000): Expression of generated column 'g' contains a disallowed function: rand.

exec
CREATE TABLE g (a INT, g DATETIME AS (NOW()))
----
ERROR 3763 (HY000): Expression of generated column 'g' contains a disallowed function: current_timestamp.

exec
CREATE TABLE g (a INT, g VARCHAR(99) AS (CONCAT(a, USER())))
----
ERROR 3763 (HY000): Expression of generated column 'g' contains a disallowed function: user.

exec
CREATE TABLE g (a INT, g INT AS (SUM(a)))
----
ERROR 1111 (HY000): Invalid use of group function

exec
CREATE TABLE g (a INT, d INT DEFAULT (SUM(a)))
----
ERROR 1111 (HY000): Invalid use of group function

exec
CREATE TABLE g (a INT, g INT AS ((SELECT 1)))
----
ERROR 3769 (HY000): default value on column `g` may not contain subqueries

exec
CREATE TABLE g (a INT, g INT AS (a + 1) DEFAULT 5)
----
ERROR 1221 (HY000): Incorrect usage of DEFAULT and generated column

exec
CREATE TABLE g (a INT DEFAULT NOW())
----
ERROR 1067 (42000): only datetime/timestamp may declare default values of now()/current_timestamp() without surrounding parentheses

exec
CREATE TABLE g (a INT, CONSTRAINT c CHECK (a > 1), CONSTRAINT c CHECK (a > 2))
----
ERROR 3822 (HY000): Duplicate check constraint name 'c'.

exec
CREATE TABLE g (a INT, d VARCHAR(40) DEFAULT (UUID()), e DOUBLE DEFAULT (RAND()), f INT DEFAULT (a + 1), g INT AS (a + 1), h INT AS (g + 1), k INT DEFAULT 5, CONSTRAINT c CHECK (k > 1))
----
ok, 0 rows

exec
INSERT INTO g (a) VALUES (1)
----
ok, 1 rows

query
SELECT a, f, g, h, k FROM g
----
a | f | g | h | k
1 | 2 | 2 | 3 | 5

exec
ALTER TABLE g DROP a
----
ERROR 3766 (HY000): cannot drop column "a" as default value of column "a" references it

exec
ALTER TABLE g RENAME COLUMN a TO b
----
ERROR 3108 (HY000): Column 'a' has a generated column dependency.

exec
ALTER TABLE g CHANGE g b INT AS (a + 1)
----
ERROR 3108 (HY000): Column 'g' has a generated column dependency.

exec
ALTER TABLE g MODIFY a INT AUTO_INCREMENT PRIMARY KEY
----
ERROR 3768 (HY000): Default value expression of column 'f' cannot refer to an auto-increment column.

exec
ALTER TABLE g ADD x INT AS (y + 1), ADD y INT AS (a)
----
ERROR 1054 (42S22): column "y" could not be found in any table in scope

exec
ALTER TABLE g ADD y INT AS (a), ADD x INT AS (y + 1)
----
ok, 0 rows

exec
ALTER TABLE g DROP h, DROP x, DROP y, DROP g, DROP f, DROP a
----
ok, 0 rows

exec
ALTER TABLE g RENAME COLUMN k TO l
----
ERROR 3959 (HY000): can't alter column "k" because it would invalidate check constraint "c"

exec
ALTER TABLE g ADD id INT AUTO_INCREMENT PRIMARY KEY, ADD m INT AS (id)
----
ERROR 3109 (HY000): Generated column 'm' cannot refer to auto-increment column.

query
SHOW CREATE TABLE g
----
Table | Create Table
g | CREATE TABLE `g` (
  `d` varchar(40) DEFAULT (uuid()),
  `e` double DEFAULT (rand()),
  `k` int DEFAULT '5',
  CONSTRAINT `c` CHECK (`k` > 1)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_as_cs

query
CHECK TABLE g
----
Table | Op | Msg_type | Msg_text
d.g | check | status | OK

# A table has a column.
exec
CREATE TABLE one (a INT, b INT AS (a + 1))
----
ok, 0 rows

exec
ALTER TABLE one DROP b, DROP a
----
ERROR 1090 (42000): You can't delete all columns with ALTER TABLE; use DROP TABLE instead

exec
ALTER TABLE one DROP a, DROP b
----
ERROR 1090 (42000): You can't delete all columns with ALTER TABLE; use DROP TABLE instead

exec
ALTER TABLE one DROP a, DROP b, ADD c INT
----
ok, 0 rows

query
SHOW CREATE TABLE one
----
Table | Create Table
one | CREATE TABLE `one` (
  `c` int
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_as_cs

query
CHECK TABLE one
----
Table | Op | Msg_type | Msg_text
d.one | check | status | OK

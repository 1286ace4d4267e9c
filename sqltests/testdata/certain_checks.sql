# A CHECK calls no function that gives another value at another time, wherever it stands, and reads no variable.
exec
CREATE TABLE t (a INT)
----
ok, 0 rows

exec
CREATE TABLE u (a VARCHAR(20), CHECK (CURRENT_USER = 'x'))
----
ERROR 3814 (HY000): An expression of a check constraint '' contains disallowed function: current_user

exec
CREATE TABLE u (a DATETIME, CONSTRAINT later CHECK (UNIX_TIMESTAMP(a) > UNIX_TIMESTAMP(NOW())))
----
ERROR 3814 (HY000): An expression of a check constraint 'later' contains disallowed function: now

exec
CREATE TABLE u (a INT CHECK (a < ABS(RAND())))
----
ERROR 3814 (HY000): An expression of a check constraint '' contains disallowed function: rand

exec
CREATE TABLE u (a INT, CHECK (a < @x))
----
ERROR 3816 (HY000): An expression of a check constraint '' cannot refer to a user or system variable

exec
ALTER TABLE t ADD CONSTRAINT c CHECK (CURRENT_USER = 'root@')
----
ERROR 3814 (HY000): An expression of a check constraint 'c' contains disallowed function: current_user

exec
ALTER TABLE t ADD COLUMN z INT CHECK (z < @@max_connections)
----
ERROR 3816 (HY000): An expression of a check constraint '' cannot refer to a user or system variable

exec
ALTER TABLE t ADD COLUMN z INT CHECK (z < 5)
----
ok, 0 rows

exec
INSERT INTO t VALUES (1, 5)
----
ERROR 3819 (HY000): Check constraint "t_chk_1" violated

query
SELECT * FROM t JOIN t
----
ERROR 1066 (42000): Not unique table/alias: 't'

# A key's columns are spelled as they are declared.
exec
CREATE TABLE keyed (Id INT, Val1 INT, b BIT(4) DEFAULT 5, PRIMARY KEY (ID), KEY idx (VAL1), UNIQUE KEY u (vAL1, iD));
CREATE INDEX later ON keyed (VaL1)
----
ok, 0 rows
ok, 0 rows

query
SHOW CREATE TABLE keyed
----
Table | Create Table
keyed | CREATE TABLE `keyed` (
  `Id` int NOT NULL,
  `Val1` int,
  `b` bit(4) DEFAULT b'101',
  PRIMARY KEY (`Id`),
  KEY `idx` (`Val1`),
  UNIQUE KEY `u` (`Val1`,`Id`),
  KEY `later` (`Val1`)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_as_cs

query
SELECT INDEX_NAME, COLUMN_NAME FROM information_schema.STATISTICS WHERE TABLE_NAME = 'keyed' ORDER BY INDEX_NAME, SEQ_IN_INDEX
----
INDEX_NAME | COLUMN_NAME
idx | Val1
later | Val1
PRIMARY | Id
u | Val1
u | Id

exec
INSERT INTO keyed (Id, Val1) VALUES (1, 2)
----
ok, 1 rows

query
SELECT id, val1, b + 0 FROM keyed WHERE VAL1 = 2
----
id | val1 | b + 0
1 | 2 | 5

exec
ALTER TABLE keyed RENAME COLUMN Val1 TO Value2;
DROP INDEX idx ON keyed
----
ok, 0 rows
ok, 0 rows

query
SHOW CREATE TABLE keyed
----
Table | Create Table
keyed | CREATE TABLE `keyed` (
  `Id` int NOT NULL,
  `Value2` int,
  `b` bit(4) DEFAULT b'101',
  PRIMARY KEY (`Id`),
  UNIQUE KEY `u` (`Value2`,`Id`),
  KEY `later` (`Value2`)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_as_cs

query
CHECK TABLE keyed
----
Table | Op | Msg_type | Msg_text
d.keyed | check | status | OK

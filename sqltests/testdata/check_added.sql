# A column that is added with a check, and constraints that are dropped by their name.

exec
CREATE TABLE c (id INT PRIMARY KEY, a INT, CONSTRAINT uq UNIQUE (a));
INSERT INTO c VALUES (1, 1), (2, 2);
ALTER TABLE c ADD COLUMN b INT DEFAULT 5 CHECK (b > 3);
ALTER TABLE c ADD COLUMN d INT CHECK (d > 3), ADD COLUMN e INT;
INSERT INTO c VALUES (3, 3, 1, 4, 0);
INSERT INTO c VALUES (3, 3, 4, 1, 0);
INSERT INTO c VALUES (3, 3, 4, 4, 0);
ALTER TABLE c ADD COLUMN f INT DEFAULT 1 CHECK (f > 3);
ALTER TABLE c ADD CONSTRAINT small CHECK (a < 3);
ALTER TABLE c ADD CONSTRAINT small CHECK (a < 30)
----
ok, 0 rows
ok, 2 rows
ok, 0 rows
ok, 0 rows
ERROR 3819 (HY000): Check constraint "c_chk_1" violated
ERROR 3819 (HY000): Check constraint "c_chk_2" violated
ok, 1 rows
ERROR 3819 (HY000): Check constraint "c_chk_3" violated
ERROR 3819 (HY000): Check constraint "small" violated
ok, 0 rows

query
SELECT * FROM c ORDER BY id
----
id | a | b | d | e
1 | 1 | 5 | NULL | NULL
2 | 2 | 5 | NULL | NULL
3 | 3 | 4 | 4 | 0

exec
INSERT INTO c VALUES (4, 3, 4, 4, 0);
ALTER TABLE c DROP CONSTRAINT uq;
INSERT INTO c VALUES (4, 3, 4, 4, 0);
ALTER TABLE c DROP CONSTRAINT uq;
ALTER TABLE c DROP CONSTRAINT small, DROP CONSTRAINT c_chk_1;
INSERT INTO c VALUES (5, 33, 0, 4, 0)
----
ERROR 1062 (23000): Duplicate entry '3' for key 'c.uq'
ok, 0 rows
ok, 1 rows
ERROR 1091 (42000): Can't DROP 'uq'; check that column/key exists
ok, 0 rows
ok, 1 rows

query
SHOW CREATE TABLE c
----
Table | Create Table
c | CREATE TABLE `c` (
  `id` int NOT NULL,
  `a` int,
  `b` int DEFAULT '5',
  `d` int,
  `e` int,
  PRIMARY KEY (`id`),
  CONSTRAINT `c_chk_2` CHECK (`d` > 3)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_as_cs

query
CHECK TABLE c
----
Table | Op | Msg_type | Msg_text
d.c | check | status | OK

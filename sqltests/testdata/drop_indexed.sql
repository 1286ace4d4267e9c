# DROP COLUMN takes the column out of its indexes; an index on it alone goes too.
exec
CREATE TABLE d (id INT PRIMARY KEY, a INT, b VARCHAR(10), c INT,
  KEY ka (a), UNIQUE KEY uab (a, b), KEY kabc (a, b, c), UNIQUE KEY ub (b));
INSERT INTO d VALUES (1, 1, 'x', 1), (2, 2, 'y', 2), (3, 1, 'z', NULL);
ALTER TABLE d DROP COLUMN b;
UPDATE d SET a = 7 WHERE id = 3;
ALTER TABLE d DROP COLUMN b;
INSERT INTO d VALUES (4, 7, 4);
----
ok, 0 rows
ok, 3 rows
ERROR 1062 (23000): Duplicate entry '1' for key 'd.uab'
ok, 1 rows
ok, 0 rows
ERROR 1062 (23000): Duplicate entry '7' for key 'd.uab'

query
SHOW CREATE TABLE d
----
Table | Create Table
d | CREATE TABLE `d` (
  `id` int NOT NULL,
  `a` int,
  `c` int,
  PRIMARY KEY (`id`),
  KEY `ka` (`a`),
  UNIQUE KEY `uab` (`a`),
  KEY `kabc` (`a`,`c`)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_as_cs

query
SELECT id FROM d WHERE a = 7
----
id
3

query
CHECK TABLE d
----
Table | Op | Msg_type | Msg_text
d.d | check | status | OK

exec
ALTER TABLE d DROP COLUMN a;
INSERT INTO d VALUES (4, 7), (5, 7);
----
ok, 0 rows
ok, 2 rows

query
SHOW CREATE TABLE d
----
Table | Create Table
d | CREATE TABLE `d` (
  `id` int NOT NULL,
  `c` int,
  PRIMARY KEY (`id`),
  KEY `kabc` (`c`)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_as_cs

query
CHECK TABLE d
----
Table | Op | Msg_type | Msg_text
d.d | check | status | OK

# Where no document has a value of the column, an index on several has entries of it all the same.
exec
CREATE TABLE e (id INT PRIMARY KEY, a INT, b INT, c VARBINARY(10), KEY k (a, b, c), KEY kc (c));
INSERT INTO e (id, a, c) VALUES (1, 5, 'x'), (2, 7, 'y');
ALTER TABLE e DROP COLUMN b;
----
ok, 0 rows
ok, 2 rows
ok, 0 rows

query
SELECT id FROM e WHERE a = 7 AND c = 'y'
----
id
2

query
CHECK TABLE e
----
Table | Op | Msg_type | Msg_text
d.e | check | status | OK

exec
ALTER TABLE e DROP COLUMN c;
INSERT INTO e VALUES (3, 7);
CREATE TABLE p (v VARCHAR(100), PRIMARY KEY (v(2)));
----
ok, 0 rows
ok, 1 rows
ERROR 1235 (42000): the primary key can't be on the beginning of column v

query
SELECT id FROM e WHERE a = 7
----
id
2
3

# phpMyAdmin's dumps make tables without their keys, and add them behind the rows: of a column _id a dump's session
# makes the primary key at once, and then it is there already.
exec
CREATE TABLE p (_id VARCHAR(255) NOT NULL, _doc JSON);
SET SQL_MODE = "NO_AUTO_VALUE_ON_ZERO";
CREATE TABLE p (_id VARCHAR(255) NOT NULL, _doc JSON) COMMENT='sample data';
INSERT INTO p (_id, _doc) VALUES ('a', '{"_id":"a","n":1.50}'), ('b', '{"_id":"b","n":2}');
INSERT INTO p (_id, _doc) VALUES ('a', '{"_id":"a"}');
ALTER TABLE p ADD PRIMARY KEY (_id)
----
ERROR 1235 (42000): a column _id must be the primary key
ok, 0 rows
ok, 0 rows
ok, 2 rows
ERROR 1062 (23000): Duplicate entry 'a' for key 'p.PRIMARY'
ok, 0 rows

query
SHOW WARNINGS
----
Level | Code | Message
Warning | 1068 | the primary key is there already

query
SHOW CREATE TABLE p
----
Table | Create Table
p | CREATE TABLE `p` (
  `_id` varchar(255) NOT NULL,
  `n` double DEFAULT NULL COMMENT '2 of 2: number',
  `_doc` json,
  PRIMARY KEY (`_id`)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_as_cs COMMENT='sample data'

exec
CREATE TABLE c (_id INT NOT NULL, n INT);
INSERT INTO c VALUES (1, 10), (2, 20);
ALTER TABLE c ADD PRIMARY KEY (_id), ADD KEY n (n);
CREATE TABLE k (a INT NOT NULL, n INT);
ALTER TABLE k ADD PRIMARY KEY (a);
ALTER TABLE k ADD PRIMARY KEY (a);
CREATE TABLE e (_id INT, n INT);
SET SQL_MODE = DEFAULT;
ALTER TABLE c ADD PRIMARY KEY (_id)
----
ok, 0 rows
ok, 2 rows
ok, 0 rows
ok, 0 rows
ok, 0 rows
ERROR 1068 (42000): Multiple primary key defined
ERROR 1235 (42000): a column _id must be the primary key
ok, 0 rows
ERROR 1068 (42000): Multiple primary key defined

query
SHOW CREATE TABLE c
----
Table | Create Table
c | CREATE TABLE `c` (
  `_id` int NOT NULL,
  `n` int,
  PRIMARY KEY (`_id`),
  KEY `n` (`n`)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_as_cs

query
SELECT p._id, n, _doc FROM p
----
_id | n | _doc
a | 1.5 | {"_id":"a","n":1.50}
b | 2 | {"_id":"b","n":2}

query
CHECK TABLE p, c
----
Table | Op | Msg_type | Msg_text
d.p | check | status | OK
d.c | check | status | OK

# Databases have the collation of their tables, and the engine that tables have is the default.
query
SELECT schema_name, default_character_set_name, default_collation_name FROM information_schema.schemata
----
SCHEMA_NAME | DEFAULT_CHARACTER_SET_NAME | DEFAULT_COLLATION_NAME
information_schema | utf8mb4 | utf8mb4_0900_bin
sqlfdb | utf8mb4 | utf8mb4_0900_bin
mysql | utf8mb4 | utf8mb4_0900_bin
performance_schema | utf8mb4 | utf8mb4_0900_bin
sys | utf8mb4 | utf8mb4_0900_bin
d | utf8mb4 | utf8mb4_0900_as_cs

exec
CREATE DATABASE ci COLLATE utf8mb4_0900_ai_ci
----
ok, 1 rows

query
SELECT default_collation_name FROM information_schema.schemata WHERE schema_name = 'ci'
----
DEFAULT_COLLATION_NAME
utf8mb4_0900_ai_ci

query
SELECT @@default_storage_engine
----
@@default_storage_engine
sqlfdb

exec
SET default_storage_engine = InnoDB;
SET default_storage_engine = Nothing
----
ok, 0 rows
ERROR 1231 (42000): Variable 'default_storage_engine' can't be set to the value of 'Nothing'

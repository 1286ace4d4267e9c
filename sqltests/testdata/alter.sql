exec
CREATE TABLE c (id INT PRIMARY KEY, a VARCHAR(10), b INT);
INSERT INTO c VALUES (1, '12', 3), (2, 'x', NULL);
ALTER TABLE c ADD COLUMN d INT NOT NULL DEFAULT 7;
ALTER TABLE c ADD COLUMN e VARCHAR(5) AFTER id, ADD COLUMN f INT FIRST;
----
ok, 0 rows
ok, 2 rows
ok, 0 rows
ok, 0 rows

query
SELECT * FROM c
----
f | id | e | a | b | d
NULL | 1 | NULL | 12 | 3 | 7
NULL | 2 | NULL | x | NULL | 7

exec
ALTER TABLE c MODIFY COLUMN a INT;
SET sql_mode = '';
ALTER TABLE c MODIFY COLUMN a INT;
SET sql_mode = DEFAULT;
DELETE FROM c WHERE id = 2;
ALTER TABLE c MODIFY COLUMN a INT;
ALTER TABLE c RENAME COLUMN b TO bb;
ALTER TABLE c DROP COLUMN e;
ALTER TABLE c CHANGE COLUMN d dd BIGINT NOT NULL;
ALTER TABLE c ALTER COLUMN bb SET DEFAULT 5;
INSERT INTO c (id, dd) VALUES (3, 4);
ALTER TABLE c MODIFY COLUMN f INT NOT NULL;
ALTER TABLE c DROP COLUMN nothing;
----
ERROR 1366 (HY000): Incorrect integer value: 'x' for column 'a' at row 2
ok, 0 rows
ok, 0 rows
ok, 0 rows
ok, 1 rows
ok, 0 rows
ok, 0 rows
ok, 0 rows
ok, 0 rows
ok, 0 rows
ok, 1 rows
ERROR 1138 (22004): Invalid use of NULL value: column 'f'
ERROR 1091 (42000): Can't DROP 'nothing'; check that column/key exists

query
SELECT * FROM c
----
f | id | a | bb | dd
NULL | 1 | 12 | 3 | 7
NULL | 3 | NULL | 5 | 4

query
SHOW CREATE TABLE c
----
Table | Create Table
c | CREATE TABLE `c` (
  `f` int,
  `id` int NOT NULL,
  `a` int,
  `bb` int DEFAULT '5',
  `dd` bigint NOT NULL,
  PRIMARY KEY (`id`)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_as_cs

exec
ALTER TABLE c ADD CONSTRAINT positive CHECK (dd > 0);
INSERT INTO c (id, dd) VALUES (4, -1);
UPDATE c SET dd = -1;
ALTER TABLE c DROP CHECK positive;
INSERT INTO c (id, dd) VALUES (4, -1);
RENAME TABLE c TO c2;
SELECT * FROM c;
TRUNCATE TABLE c2;
DROP TABLE c2;
DROP TABLE c2;
DROP TABLE IF EXISTS c2;
----
ok, 0 rows
ERROR 3819 (HY000): Check constraint "positive" violated
ERROR 3819 (HY000): Check constraint "positive" violated
ok, 0 rows
ok, 1 rows
ok, 0 rows
ERROR 1146 (42S02): Table 'd.c' doesn't exist
ok, 3 rows
ok, 0 rows
ERROR 1051 (42S02): Unknown table 'd.c2'
ok, 0 rows

# Dates change the index's encoding of a column.
exec
CREATE TABLE dates (id INT PRIMARY KEY, at VARCHAR(30));
INSERT INTO dates VALUES (1, '2026-02-03'), (2, '2026-02-04 05:06:07'), (3, NULL);
ALTER TABLE dates MODIFY COLUMN at DATETIME;
INSERT INTO dates VALUES (4, '2026-02-05');
----
ok, 0 rows
ok, 3 rows
ok, 0 rows
ok, 1 rows

query
SELECT * FROM dates ORDER BY id
----
id | at
1 | 2026-02-03 00:00:00
2 | 2026-02-04 05:06:07
3 | NULL
4 | 2026-02-05 00:00:00

# An open table: a declared column takes over the keypath.
exec
CREATE TABLE o (_id VARCHAR(255) PRIMARY KEY, _doc JSON);
INSERT INTO o (_doc) VALUES ('{"_id":"a","n":"5","s":"x"}'), ('{"_id":"b","n":6}'), ('{"_id":"c"}');
ALTER TABLE o ADD COLUMN n INT;
ALTER TABLE o ADD COLUMN s INT NOT NULL;
ALTER TABLE o ADD COLUMN m INT NOT NULL DEFAULT 9;
OPTIMIZE TABLE o;
INSERT INTO o (_doc) VALUES ('{"_id":"d","n":"seven"}');
INSERT INTO o (_doc) VALUES ('{"_id":"d","n":8,"m":1}');
INSERT INTO o (_doc) VALUES ('{"_id":"e"}');
----
ok, 0 rows
ok, 3 rows
ok, 0 rows
ERROR 1366 (HY000): Incorrect int value: 'x' for column 's'
ok, 0 rows
ok, 0 rows
ERROR 1366 (HY000): Incorrect int value: 'seven' for column 'n'
ok, 1 rows
ok, 1 rows

query
SELECT _id, n, m, _doc FROM o
----
_id | n | m | _doc
a | 5 | 9 | {"_id":"a","n":5,"s":"x","m":9}
b | 6 | 9 | {"_id":"b","n":6,"m":9}
c | NULL | 9 | {"_id":"c","m":9}
d | 8 | 1 | {"_id":"d","n":8,"m":1}
e | NULL | 9 | {"_id":"e","m":9}

# Views.
exec
CREATE VIEW v AS SELECT _id, n + 1 AS following FROM o WHERE n IS NOT NULL;
CREATE VIEW v AS SELECT 1;
CREATE OR REPLACE VIEW v AS SELECT _id, n + 2 AS following FROM o WHERE n IS NOT NULL;
----
ok, 0 rows
ERROR 1050 (42S01): d.v: table already exists
ok, 0 rows

query
SELECT following FROM v ORDER BY following
----
following
7
8
10

query
SHOW TABLES
----
Tables_in_d
dates
o
v

exec
DROP VIEW v;
DROP VIEW v;
CREATE DATABASE d2;
CREATE DATABASE d2;
CREATE TABLE d2.x (id INT PRIMARY KEY);
DROP DATABASE d2;
SELECT * FROM d2.x;
CREATE TABLE `t__changes` (id INT PRIMARY KEY);
CREATE TABLE g (p POINT);
CREATE TABLE nested (id INT PRIMARY KEY, a JSON, `a.b` INT);
CREATE TABLE opt (_id VARCHAR(255) PRIMARY KEY, _doc JSON) ENGINE_ATTRIBUTE='{"max_depth":2,"excluded":["secret"]}';
INSERT INTO opt (_doc) VALUES ('{"_id":"a","a":{"b":{"c":1}},"secret":5}');
CREATE TABLE opt2 (_id VARCHAR(255) PRIMARY KEY, _doc JSON) ENGINE_ATTRIBUTE='{"nonsense":2}';
----
ok, 0 rows
ERROR 1051 (42S02): the view d.v does not exist
ok, 1 rows
ERROR 1007 (HY000): can't create database d2; database exists
ok, 0 rows
ok, 1 rows
ERROR 1049 (42000): Unknown database 'd2'
ERROR 1235 (42000): the name t__changes is reserved for a companion table
ERROR 1235 (42000): columns of type point are not supported
ERROR 1235 (42000): column a.b lies within column a
ok, 0 rows
ok, 1 rows
ERROR 1235 (42000): table options: unknown field "nonsense"

query
SELECT keypath, type, documents, entries FROM sqlfdb.keypaths WHERE `table` = 'opt' ORDER BY keypath
----
keypath | type | documents | entries
_id | string | 1 | 1
a | object | 1 | 1
a.b | object | 1 | 1

query
SELECT `table`, kind, documents, entries, keypaths FROM sqlfdb.tables ORDER BY `table`
----
table | kind | documents | entries | keypaths
dates | closed | 4 | 8 | 2
o | open | 5 | 14 | 4
opt | open | 1 | 3 | 3

query
SELECT table_name, column_name, column_type, column_comment FROM information_schema.columns WHERE table_schema = 'd' AND table_name IN ('o', 'opt') ORDER BY table_name, ordinal_position
----
TABLE_NAME | COLUMN_NAME | COLUMN_TYPE | COLUMN_COMMENT
o | _id | varchar(255) |
o | n | int |
o | m | int |
o | s | longtext | 1 of 5: string
opt | _id | varchar(255) |

# Comments and options.
exec
ALTER TABLE o COMMENT = 'it''s \'open\'';
ALTER TABLE opt ENGINE_ATTRIBUTE '{"excluded":["a.b"]}';
ALTER TABLE opt ENGINE_ATTRIBUTE = '{';
CREATE TABLE child (id INT PRIMARY KEY, p INT, FOREIGN KEY (p) REFERENCES dates (id));
SELECT * FROM child;
CREATE TABLE IF NOT EXISTS o (id INT PRIMARY KEY);
CREATE TABLE o (id INT PRIMARY KEY);
CREATE DATABASE IF NOT EXISTS d;
CREATE TABLE ft (id INT PRIMARY KEY, s TEXT, FULLTEXT (s));
----
ok, 0 rows
ok, 0 rows
ERROR 1235 (42000): table options must be a JSON object, not {
ok, 0 rows
ok, 0 rows
ok, 0 rows
ERROR 1050 (42S01): table with name o already exists
ok, 1 rows
ERROR 1235 (42000): FULLTEXT, SPATIAL and VECTOR indexes are not supported

query
SHOW CREATE TABLE o
----
Table | Create Table
o | CREATE TABLE `o` (
  `_id` varchar(255) NOT NULL,
  `_doc` json,
  `n` int,
  `m` int NOT NULL DEFAULT '9',
  `s` longtext DEFAULT NULL COMMENT '1 of 5: string',
  PRIMARY KEY (`_id`)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_as_cs COMMENT='it''s ''open'''

query settled
SELECT keypath, type, documents, entries FROM sqlfdb.keypaths WHERE `table` = 'opt' ORDER BY keypath
----
keypath | type | documents | entries
_id | string | 1 | 1
a | object | 1 | 1
secret | number | 1 | 1

query
SHOW TABLE STATUS LIKE 'o%'
----
Name | Engine | Version | Row_format | Rows | Avg_row_length | Data_length | Max_data_length | Index_length | Data_free | Auto_increment | Create_time | Update_time | Check_time | Collation | Checksum | Create_options | Comment
o | sqlfdb | 10 | Dynamic | 5 | 22 | 111 | 0 | 382 | 0 | NULL | NULL | NULL | NULL | utf8mb4_0900_as_cs | NULL |  | it's 'open'
opt | sqlfdb | 10 | Dynamic | 1 | 40 | 40 | 0 | 79 | 0 | NULL | NULL | NULL | NULL | utf8mb4_0900_as_cs | NULL | ENGINE_ATTRIBUTE='{"excluded":["a.b"]}' |

# All clauses of an ALTER TABLE are one change, the table's options among them.
exec
CREATE TABLE whole (id INT PRIMARY KEY, b INT COMMENT 'of b', c INT, KEY kc (c)) COMMENT 'old';
INSERT INTO whole VALUES (1, 1, 1), (2, 2, 2), (3, 2, 3);
ALTER TABLE whole COMMENT 'x', ADD COLUMN a INT, ADD INDEX ib (b), DROP PRIMARY KEY, ADD PRIMARY KEY (b);
ALTER TABLE whole ADD COLUMN a INT, DROP INDEX kc, COMMENT = 'x', ADD UNIQUE INDEX ub (b);
ALTER TABLE whole ADD COLUMN a INT, ADD COLUMN d DATE AFTER nothing, ENGINE_ATTRIBUTE '{"max_depth": 2}';
ALTER TABLE whole ADD COLUMN a INT, ENGINE_ATTRIBUTE '{"max_depth": 1000}';
ALTER TABLE whole ADD COLUMN a INT, RENAME TO nowhere.whole;
----
ok, 0 rows
ok, 3 rows
ERROR 1062 (23000): Duplicate entry '2' for key 'whole.PRIMARY'
ERROR 1062 (23000): Duplicate entry '2' for key 'whole.ub'
ERROR 1054 (42S22): Unknown column 'nothing' in 'whole'
ERROR 1235 (42000): table options: max_depth is at most 100, string_limit at most 4096, and none is negative
ERROR 1049 (42000): rename d.whole to nowhere.whole: unknown database

query
SHOW CREATE TABLE whole
----
Table | Create Table
whole | CREATE TABLE `whole` (
  `id` int NOT NULL,
  `b` int COMMENT 'of b',
  `c` int,
  PRIMARY KEY (`id`),
  KEY `kc` (`c`)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_as_cs COMMENT='old'

exec
ALTER TABLE whole COMMENT = 'it''s, COMMENT ''now''', ADD COLUMN a INT COMMENT 'a, COMMENT 1', ADD UNIQUE INDEX bc (b, c), ENGINE_ATTRIBUTE '{"max_depth": 3}';
ALTER TABLE whole RENAME TO entire, COMMENT 'renamed';
ALTER TABLE entire ADD COLUMN e INT DEFAULT (b + 1), MODIFY b BIGINT, RENAME COLUMN c TO cc, ADD UNIQUE INDEX ui (id);
----
ok, 0 rows
ok, 0 rows
ok, 0 rows

query
SHOW CREATE TABLE entire
----
Table | Create Table
entire | CREATE TABLE `entire` (
  `id` int NOT NULL,
  `b` bigint,
  `cc` int,
  `a` int COMMENT 'a, COMMENT 1',
  `e` int DEFAULT (`b` + 1),
  PRIMARY KEY (`id`),
  KEY `kc` (`cc`),
  UNIQUE KEY `bc` (`b`,`cc`),
  UNIQUE KEY `ui` (`id`)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_as_cs COMMENT='renamed' /*!80021 ENGINE_ATTRIBUTE='{"max_depth":3}' */

query
SELECT * FROM entire ORDER BY id
----
id | b | cc | a | e
1 | 1 | 1 | NULL | 2
2 | 2 | 2 | NULL | 3
3 | 2 | 3 | NULL | 3

exec
ALTER TABLE entire COMMENT 'both', ENGINE_ATTRIBUTE '{}';
----
ok, 0 rows

query
SELECT table_comment FROM information_schema.tables WHERE table_name = 'entire'
----
TABLE_COMMENT
both

# CREATE TABLE … SELECT is one change with its rows.
exec
CREATE TABLE copied (id INT PRIMARY KEY, b BIGINT UNIQUE) SELECT id, b FROM entire;
CREATE TABLE copied SELECT id, b FROM entire;
CREATE VIEW looks AS SELECT id FROM copied;
TRUNCATE TABLE looks;
CREATE TABLE counted (id INT AUTO_INCREMENT PRIMARY KEY, n INT) AUTO_INCREMENT = 40;
INSERT INTO counted (n) VALUES (1);
ALTER TABLE counted AUTO_INCREMENT = 70, DROP COLUMN nothing;
INSERT INTO counted (n) VALUES (2);
ALTER TABLE counted AUTO_INCREMENT = 90, ADD COLUMN m INT;
INSERT INTO counted (n) VALUES (3);
----
ERROR 1062 (23000): Duplicate entry '2' for key 'copied.b'
ok, 3 rows
ok, 0 rows
ERROR 1146 (42S02): Table 'd.looks' doesn't exist
ok, 0 rows
ok, 1 rows, id 40
ERROR 1091 (42000): Can't DROP 'nothing'; check that column/key exists
ok, 1 rows, id 41
ok, 0 rows
ok, 1 rows, id 90

query
SELECT id, n FROM counted ORDER BY n
----
id | n
40 | 1
41 | 2
90 | 3

query
SELECT COUNT(*) FROM copied
----
COUNT(*)
3

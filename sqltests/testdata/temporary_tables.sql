# Temporary tables: a session's own, in front of the others.

exec
CREATE TABLE base (id INT PRIMARY KEY, v VARCHAR(20));
INSERT INTO base VALUES (1,'one'), (2,'two'), (3,'three');
CREATE TEMPORARY TABLE tt (id INT PRIMARY KEY AUTO_INCREMENT, v VARCHAR(20), KEY kv (v), CHECK (id < 1000)) COMMENT='its';
INSERT INTO tt (v) VALUES ('two'), ('four');
INSERT INTO tt VALUES (1000, 'x');
INSERT INTO tt VALUES (1, 'x')
----
ok, 0 rows
ok, 3 rows
ok, 0 rows
ok, 2 rows, id 1
ERROR 3819 (HY000): Check constraint "tt_chk_1" violated
ERROR 1062 (23000): Duplicate entry '1' for key 'tt.PRIMARY'

query
SELECT * FROM tt JOIN base USING (v)
----
v | id | id
two | 1 | 2

query
SELECT v FROM tt WHERE id = 2
----
v
four

query
SHOW CREATE TABLE tt
----
Table | Create Table
tt | CREATE TEMPORARY TABLE `tt` (
  `id` int NOT NULL AUTO_INCREMENT,
  `v` varchar(20),
  PRIMARY KEY (`id`),
  KEY `kv` (`v`),
  CONSTRAINT `tt_chk_1` CHECK (`id` < 1000)
) AUTO_INCREMENT=1001 DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_as_cs COMMENT='its'

query
SHOW COLUMNS FROM tt
----
Field | Type | Null | Key | Default | Extra
id | int | NO | PRI | NULL | auto_increment
v | varchar(20) | YES | MUL | NULL |

query
SHOW INDEX FROM tt WHERE Key_name IN ('PRIMARY', 'kv')
----
Table | Non_unique | Key_name | Seq_in_index | Column_name | Collation | Cardinality | Sub_part | Packed | Null | Index_type | Comment | Index_comment | Visible | Expression
tt | 0 | PRIMARY | 1 | id | A | 2 | NULL | NULL |  | BTREE |  |  | YES | NULL
tt | 1 | kv | 1 | v | A | 2 | NULL | NULL | YES | BTREE |  |  | YES | NULL

query
SHOW TABLES
----
Tables_in_d
base

query
SELECT table_name FROM information_schema.tables WHERE table_schema = 'd'
----
TABLE_NAME
base

query
SELECT DISTINCT table_name FROM information_schema.columns WHERE table_schema = 'd'
----
TABLE_NAME
base

# Other sessions don't see it, and may have one of the same name.

query conn=other
SELECT * FROM tt
----
ERROR 1146 (42S02): Table 'd.tt' doesn't exist

exec conn=other
CREATE TEMPORARY TABLE tt (a INT);
INSERT INTO tt VALUES (7)
----
ok, 0 rows
ok, 1 rows

query conn=other
SELECT * FROM tt
----
a
7

query
SELECT COUNT(*) FROM tt
----
COUNT(*)
2

# It hides a table of its name, for its session.

exec
CREATE TEMPORARY TABLE base SELECT id * 10 AS x FROM base WHERE id > 1;
UPDATE base SET x = x + 1 WHERE x = 20
----
ok, 2 rows
ok, 1 rows

query
SELECT x FROM base
----
x
21
30

query conn=other
SELECT id FROM base
----
id
1
2
3

query
SELECT column_name FROM information_schema.columns WHERE table_schema = 'd' AND table_name = 'base'
----
COLUMN_NAME
id
v

query
SHOW COLUMNS FROM base
----
Field | Type | Null | Key | Default | Extra
x | bigint | NO |  | NULL |

exec
DROP TABLE base;
DROP TEMPORARY TABLE base;
DROP TEMPORARY TABLE IF EXISTS base
----
ok, 0 rows
ERROR 1146 (42S02): Table 'd.base' doesn't exist
ok, 0 rows

query
SELECT id FROM base
----
id
1
2
3

# To make and to drop one commits nothing and is not rolled back; its rows are.

exec
BEGIN;
INSERT INTO base VALUES (10, 'ten');
CREATE TEMPORARY TABLE u (a INT PRIMARY KEY, b INT, UNIQUE KEY (b));
INSERT INTO u VALUES (1, 1), (2, 2);
SAVEPOINT s;
INSERT INTO u VALUES (3, 3);
ROLLBACK TO s
----
ok, 0 rows
ok, 1 rows
ok, 0 rows
ok, 2 rows
ok, 0 rows
ok, 1 rows
ok, 0 rows

query
SELECT a FROM u
----
a
1
2

exec
ROLLBACK
----
ok, 0 rows

query
SELECT (SELECT COUNT(*) FROM u), (SELECT COUNT(*) FROM base)
----
(SELECT COUNT(*) FROM u) | (SELECT COUNT(*) FROM base)
0 | 3

exec
BEGIN;
INSERT INTO base VALUES (10, 'ten');
INSERT INTO u VALUES (4, 4);
DROP TEMPORARY TABLE u;
CREATE TEMPORARY TABLE u (other INT);
ROLLBACK
----
ok, 0 rows
ok, 1 rows
ok, 1 rows
ok, 0 rows
ok, 0 rows
ok, 0 rows

query
SELECT other, (SELECT COUNT(*) FROM base) FROM u RIGHT JOIN (SELECT 1) one ON TRUE
----
other | (SELECT COUNT(*) FROM base)
NULL | 3

# What fails makes none.

exec
CREATE TEMPORARY TABLE d1 SELECT 1 / 0 + JSON_EXTRACT('{', '$') AS a;
SELECT * FROM d1;
CREATE TEMPORARY TABLE tt (a INT);
CREATE TEMPORARY TABLE IF NOT EXISTS tt (a INT);
CREATE TEMPORARY TABLE f (a INT, FOREIGN KEY (a) REFERENCES base (id));
CREATE TABLE tt (a INT);
CREATE VIEW vv AS SELECT * FROM tt
----
ERROR 3141 (22032): Invalid JSON text in argument 1 to function json_extract: "found the end of the text, expected a key or '}'" at position 1.
ERROR 1146 (42S02): Table 'd.d1' doesn't exist
ERROR 1050 (42S01): table with name tt already exists
ok, 0 rows
ERROR 1215 (HY000): Cannot add foreign key constraint
ERROR 1050 (42S01): table with name tt already exists
ERROR 1352 (HY000): View's SELECT refers to a temporary table 'tt'

# ALTER TABLE, CREATE INDEX, TRUNCATE.

exec
CREATE TEMPORARY TABLE l LIKE base;
INSERT INTO l SELECT * FROM base;
ALTER TABLE l ADD COLUMN z INT DEFAULT 7, ADD UNIQUE KEY uz (v), ADD KEY two (v, z);
INSERT INTO l VALUES (4, 'one', 1);
CREATE INDEX iz ON l (z);
ALTER TABLE l MODIFY v VARCHAR(30) COLLATE utf8mb4_0900_ai_ci
----
ok, 0 rows
ok, 3 rows
ok, 0 rows
ERROR 1062 (23000): Duplicate entry 'one' for key 'l.uz'
ok, 0 rows
ok, 0 rows

query
SELECT * FROM l WHERE v = 'ONE' AND z = 7
----
id | v | z
1 | one | 7

query
SHOW CREATE TABLE l
----
Table | Create Table
l | CREATE TEMPORARY TABLE `l` (
  `id` int NOT NULL,
  `v` varchar(30) COLLATE utf8mb4_0900_ai_ci,
  `z` int DEFAULT '7',
  PRIMARY KEY (`id`),
  UNIQUE KEY `uz` (`v`),
  KEY `two` (`v`,`z`),
  KEY `iz` (`z`)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_as_cs

exec
ALTER TABLE l DROP COLUMN z;
ALTER TABLE l RENAME TO m;
REPLACE INTO m VALUES (1, 'uno');
INSERT INTO m VALUES (1, 'x') ON DUPLICATE KEY UPDATE v = 'un';
DELETE m FROM m JOIN base USING (id) WHERE base.v = 'two'
----
ok, 0 rows
ok, 0 rows
ok, 2 rows, id 1
ok, 2 rows, id 1
ok, 1 rows

query
SELECT * FROM m
----
id | v
1 | un
3 | three

query
CHECK TABLE m, tt
----
Table | Op | Msg_type | Msg_text
d.m | check | status | OK
d.tt | check | status | OK

exec
TRUNCATE TABLE m;
INSERT INTO m VALUES (5, 'five');
ALTER TABLE m ADD FOREIGN KEY (id) REFERENCES base (id)
----
ok, 2 rows
ok, 1 rows
ERROR 1215 (HY000): Cannot add foreign key constraint

query
SELECT * FROM m
----
id | v
5 | five

# Any document.

exec
CREATE TEMPORARY TABLE o (_id VARCHAR(255) PRIMARY KEY, _doc JSON);
INSERT INTO o (_doc) VALUES ('{"_id":"a","x":1,"l":[1,2]}'), ('{"_id":"b","x":2}')
----
ok, 0 rows
ok, 2 rows

query
SELECT * FROM o WHERE x = 1
----
_id | x | l
a | 1 | [1,2]

query
SELECT * FROM o__l
----
_id | _idx | _value
a | 0 | 1
a | 1 | 2

# A transaction that may not write writes to them all the same, but makes none.

exec
START TRANSACTION READ ONLY;
INSERT INTO o (_id, x) VALUES ('c', 3);
CREATE TEMPORARY TABLE ro (a INT);
INSERT INTO base VALUES (11, 'x');
COMMIT
----
ok, 0 rows
ok, 1 rows
ERROR 1792 (25006): cannot execute statement in a READ ONLY transaction
ERROR 1792 (25006): cannot execute statement in a READ ONLY transaction
ok, 0 rows

query
SELECT _id FROM o WHERE x = 3
----
_id
c

# Foreign keys are of the tables that others have.

exec
CREATE TABLE child (p INT, FOREIGN KEY (p) REFERENCES base (id));
CREATE TEMPORARY TABLE base (id INT PRIMARY KEY);
INSERT INTO base VALUES (100);
INSERT INTO child VALUES (3);
INSERT INTO child VALUES (100);
DELETE FROM base;
DROP TABLE base;
DELETE FROM base WHERE id = 3
----
ok, 0 rows
ok, 0 rows
ok, 1 rows
ok, 1 rows
ERROR 1452 (23000): Cannot add or update a child row: a foreign key constraint fails (`d`.`child`, CONSTRAINT `child_ibfk_1` FOREIGN KEY (`p`) REFERENCES `base` (`id`))
ok, 1 rows
ok, 0 rows
ERROR 1451 (23000): Cannot delete or update a parent row: a foreign key constraint fails (`d`.`child`, CONSTRAINT `child_ibfk_1` FOREIGN KEY (`p`) REFERENCES `base` (`id`))

# A kept program is not another table's.

query
SELECT v FROM base WHERE id = 1
----
v
one

exec
CREATE TEMPORARY TABLE base (id INT PRIMARY KEY, v VARCHAR(20));
INSERT INTO base VALUES (1, 'mine')
----
ok, 0 rows
ok, 1 rows

query
SELECT v FROM base WHERE id = 1
----
v
mine

query conn=other
SELECT v FROM base WHERE id = 1
----
v
one

query
SELECT `table` FROM sqlfdb.tables
----
table
base
child

query conn=other
CHECK TABLE base, child
----
Table | Op | Msg_type | Msg_text
d.base | check | status | OK
d.child | check | status | OK

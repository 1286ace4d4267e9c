# Primary keys changed, foreign keys, temporary tables, and the schemas that tools read.
exec
CREATE TABLE a (id INT, n INT NOT NULL, v VARCHAR(10))
----
ok, 0 rows

exec
INSERT INTO a VALUES (1,1,'x'),(2,2,'y'),(3,2,'z')
----
ok, 3 rows

exec
ALTER TABLE a ADD PRIMARY KEY (id)
----
ok, 0 rows

exec
INSERT INTO a VALUES (1,5,'q')
----
ERROR 1062 (23000): Duplicate entry '1' for key 'a.PRIMARY'

exec
ALTER TABLE a DROP PRIMARY KEY
----
ok, 0 rows

exec
INSERT INTO a VALUES (1,5,'q')
----
ok, 1 rows

exec
ALTER TABLE a ADD PRIMARY KEY (id)
----
ERROR 1062 (23000): Duplicate entry '1' for key 'a.PRIMARY'

exec
ALTER TABLE a ADD PRIMARY KEY (id,n)
----
ok, 0 rows

exec
ALTER TABLE a DROP PRIMARY KEY, ADD PRIMARY KEY (n,id)
----
ok, 0 rows

query
SHOW CREATE TABLE a
----
Table | Create Table
a | CREATE TABLE `a` (
  `id` int NOT NULL,
  `n` int NOT NULL,
  `v` varchar(10),
  PRIMARY KEY (`n`,`id`)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_as_cs

query
SELECT * FROM a ORDER BY n,id
----
id | n | v
1 | 1 | x
2 | 2 | y
3 | 2 | z
1 | 5 | q

exec
ALTER TABLE a DROP PRIMARY KEY, ADD COLUMN ai INT AUTO_INCREMENT PRIMARY KEY FIRST
----
ok, 0 rows

query
SELECT * FROM a ORDER BY ai
----
ai | id | n | v
1 | 1 | 1 | x
2 | 2 | 2 | y
3 | 3 | 2 | z
4 | 1 | 5 | q

exec
CREATE TABLE b (v VARCHAR(5))
----
ok, 0 rows

exec
INSERT INTO b VALUES ('x'),('y')
----
ok, 2 rows

exec
ALTER TABLE b ADD COLUMN id INT NOT NULL AUTO_INCREMENT UNIQUE
----
ok, 0 rows

query
SELECT COUNT(DISTINCT id), MIN(id), MAX(id) FROM b
----
COUNT(DISTINCT id) | MIN(id) | MAX(id)
2 | 1 | 2

exec
ALTER TABLE b ADD COLUMN id2 INT NOT NULL AUTO_INCREMENT
----
ERROR 1075 (42000): Incorrect table definition; there can be only one auto column and it must be defined as a key

exec
INSERT INTO b (v) VALUES ('z')
----
ok, 1 rows, id 3

query
SELECT MAX(id), LAST_INSERT_ID() FROM b
----
MAX(id) | LAST_INSERT_ID()
3 | 3

exec
CREATE TABLE c (id INT PRIMARY KEY, email VARCHAR(50), t TEXT, KEY p (t(5)), UNIQUE KEY f ((LOWER(email))))
----
ok, 0 rows

exec
INSERT INTO c VALUES (1,'A@x','hello world')
----
ok, 1 rows

exec
INSERT INTO c VALUES (2,'a@X','hello')
----
ERROR 1062 (23000): Duplicate entry 'a@x' for key 'c.f'

query
SHOW INDEX FROM c
----
Table | Non_unique | Key_name | Seq_in_index | Column_name | Collation | Cardinality | Sub_part | Packed | Null | Index_type | Comment | Index_comment | Visible | Expression
c | 0 | PRIMARY | 1 | id | A | 1 | NULL | NULL |  | BTREE |  |  | YES | NULL
c | 0 | f | 1 | NULL | A | 1 | NULL | NULL | YES | BTREE |  |  | YES | lower(`email`)
c | 1 | p | 1 | t | A | 1 | 5 | NULL | YES | BTREE |  |  | YES | NULL

query
SHOW CREATE TABLE c
----
Table | Create Table
c | CREATE TABLE `c` (
  `id` int NOT NULL,
  `email` varchar(50),
  `t` text,
  PRIMARY KEY (`id`),
  UNIQUE KEY `f` ((lower(`email`))),
  KEY `p` (`t`(5))
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_as_cs

query
SELECT id FROM c WHERE t LIKE 'hello%'
----
id
1

exec
CREATE TABLE par (id INT PRIMARY KEY)
----
ok, 0 rows

exec
CREATE TABLE ch (id INT PRIMARY KEY, p INT, CONSTRAINT fk1 FOREIGN KEY (p) REFERENCES par (id) ON DELETE CASCADE ON UPDATE CASCADE)
----
ok, 0 rows

exec
CREATE TABLE ch2 (id INT PRIMARY KEY, p INT, CONSTRAINT fk2 FOREIGN KEY (p) REFERENCES par (id) ON DELETE SET NULL)
----
ok, 0 rows

exec
CREATE TABLE ch3 (id INT PRIMARY KEY, p INT, CONSTRAINT fk3 FOREIGN KEY (p) REFERENCES par (id))
----
ok, 0 rows

exec
INSERT INTO ch VALUES (1,1)
----
ERROR 1452 (23000): Cannot add or update a child row: a foreign key constraint fails (`d`.`ch`, CONSTRAINT `fk1` FOREIGN KEY (`p`) REFERENCES `par` (`id`) ON DELETE CASCADE ON UPDATE CASCADE)

exec
INSERT INTO par VALUES (1),(2),(3)
----
ok, 3 rows

exec
INSERT INTO ch VALUES (1,1),(2,2),(3,NULL)
----
ok, 3 rows

exec
INSERT INTO ch2 VALUES (1,1),(2,2)
----
ok, 2 rows

exec
INSERT INTO ch3 VALUES (1,3)
----
ok, 1 rows

exec
DELETE FROM par WHERE id=3
----
ERROR 1451 (23000): Cannot delete or update a parent row: a foreign key constraint fails (`d`.`ch3`, CONSTRAINT `fk3` FOREIGN KEY (`p`) REFERENCES `par` (`id`))

exec
UPDATE par SET id=33 WHERE id=3
----
ERROR 1451 (23000): Cannot delete or update a parent row: a foreign key constraint fails (`d`.`ch3`, CONSTRAINT `fk3` FOREIGN KEY (`p`) REFERENCES `par` (`id`))

exec
DELETE FROM par WHERE id=1
----
ok, 1 rows

query
SELECT * FROM ch
----
id | p
2 | 2
3 | NULL

query
SELECT * FROM ch2
----
id | p
1 | NULL
2 | 2

exec
UPDATE par SET id=22 WHERE id=2
----
ERROR 1451 (23000): Cannot delete or update a parent row: a foreign key constraint fails (`d`.`ch2`, CONSTRAINT `fk2` FOREIGN KEY (`p`) REFERENCES `par` (`id`) ON DELETE SET NULL)

exec
DELETE FROM ch2
----
ok, 2 rows

exec
UPDATE par SET id=22 WHERE id=2
----
ok, 1 rows

query
SELECT * FROM ch
----
id | p
2 | 22
3 | NULL

exec
DROP TABLE par
----
ERROR 3730 (HY000): Cannot drop table 'par' referenced by a foreign key constraint 'fk1' on table 'ch'.

exec
TRUNCATE TABLE par
----
ERROR 1701 (42000): Cannot truncate a table referenced in a foreign key constraint (`d`.`ch`, CONSTRAINT `fk1` FOREIGN KEY (`p`) REFERENCES `par` (`id`) ON DELETE CASCADE ON UPDATE CASCADE)

exec
SET foreign_key_checks=0
----
ok, 0 rows

exec
INSERT INTO ch3 VALUES (9,99)
----
ok, 1 rows

exec
SET foreign_key_checks=1
----
ok, 0 rows

exec
INSERT INTO ch3 VALUES (10,99)
----
ERROR 1452 (23000): Cannot add or update a child row: a foreign key constraint fails (`d`.`ch3`, CONSTRAINT `fk3` FOREIGN KEY (`p`) REFERENCES `par` (`id`))

query
SELECT CONSTRAINT_NAME, COLUMN_NAME, REFERENCED_TABLE_NAME, REFERENCED_COLUMN_NAME FROM information_schema.KEY_COLUMN_USAGE WHERE TABLE_SCHEMA=DATABASE() AND REFERENCED_TABLE_NAME IS NOT NULL ORDER BY 1
----
CONSTRAINT_NAME | COLUMN_NAME | REFERENCED_TABLE_NAME | REFERENCED_COLUMN_NAME
fk1 | p | par | id
fk2 | p | par | id
fk3 | p | par | id

query
SELECT CONSTRAINT_NAME, CONSTRAINT_TYPE FROM information_schema.TABLE_CONSTRAINTS WHERE TABLE_SCHEMA=DATABASE() AND TABLE_NAME='ch' ORDER BY 1
----
CONSTRAINT_NAME | CONSTRAINT_TYPE
fk1 | FOREIGN KEY
PRIMARY | PRIMARY KEY

exec
ALTER TABLE ch DROP FOREIGN KEY fk1
----
ok, 0 rows

exec
INSERT INTO ch VALUES (50,50)
----
ok, 1 rows

exec
ALTER TABLE ch ADD FOREIGN KEY (p) REFERENCES par (id)
----
ERROR 1452 (23000): Cannot add or update a child row: a foreign key constraint fails (`d`.`ch`, CONSTRAINT `ch_ibfk_1` FOREIGN KEY (`p`) REFERENCES `par` (`id`))

exec
DELETE FROM ch WHERE id=50
----
ok, 1 rows

exec
ALTER TABLE ch ADD FOREIGN KEY (p) REFERENCES par (id)
----
ok, 0 rows

query
SHOW CREATE TABLE ch
----
Table | Create Table
ch | CREATE TABLE `ch` (
  `id` int NOT NULL,
  `p` int,
  PRIMARY KEY (`id`),
  KEY `fk1` (`p`),
  CONSTRAINT `ch_ibfk_1` FOREIGN KEY (`p`) REFERENCES `par` (`id`)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_as_cs

exec
CREATE TEMPORARY TABLE tt (id INT PRIMARY KEY, v TEXT)
----
ok, 0 rows

exec
INSERT INTO tt VALUES (1,'x')
----
ok, 1 rows

query
SELECT * FROM tt
----
id | v
1 | x

exec
CREATE TEMPORARY TABLE tt2 AS SELECT * FROM a
----
ok, 4 rows

query
SELECT COUNT(*) FROM tt2
----
COUNT(*)
4

query
SHOW TABLES LIKE 'tt%'
----
Tables_in_d (tt%)

exec
DROP TEMPORARY TABLE tt
----
ok, 0 rows

query
SELECT * FROM tt
----
ERROR 1146 (42S02): Table 'd.tt' doesn't exist

query
SELECT user, host FROM mysql.user ORDER BY 1 LIMIT 3
----
user | host
root | %

query
SELECT COUNT(*)>0 FROM mysql.help_topic
----
COUNT(*)>0
0

query
SELECT COUNT(*)>=0 FROM performance_schema.session_variables WHERE variable_name='version'
----
COUNT(*)>=0
1

query
SELECT COUNT(*)>0 FROM performance_schema.global_status
----
COUNT(*)>0
1

query
SELECT COUNT(*)>=0 FROM performance_schema.threads
----
COUNT(*)>=0
1

query
SELECT * FROM sys.version
----
sys_version | mysql_version
2.1.2 | 8.0.31-sqlfdb

query
SELECT COUNT(*)>=0 FROM sys.schema_table_statistics
----
COUNT(*)>=0
1

query
SELECT COUNT(*)>=0 FROM mysql.innodb_table_stats
----
COUNT(*)>=0
1

query
SELECT COUNT(*)>=0 FROM performance_schema.events_statements_summary_by_digest
----
COUNT(*)>=0
1

query
SHOW DATABASES LIKE 'sys'
----
Database (sys)
sys

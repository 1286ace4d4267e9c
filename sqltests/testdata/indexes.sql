exec
CREATE TABLE u (id INT PRIMARY KEY, email VARCHAR(50) UNIQUE, a INT, b INT, KEY ab (a, b), UNIQUE KEY uab (a, b));
INSERT INTO u VALUES (1, 'x@y', 1, 1), (2, 'X@y', 1, 2), (3, NULL, NULL, 1), (4, NULL, NULL, 1);
INSERT INTO u VALUES (5, 'x@y', 5, 5);
INSERT INTO u VALUES (5, 'z@y', 1, 2);
UPDATE u SET b = 1 WHERE id = 2;
UPDATE u SET b = 2 WHERE id = 2;
UPDATE u SET b = b + 10;
REPLACE INTO u VALUES (9, 'x@y', 9, 9);
INSERT INTO u VALUES (10, 'x@y', 10, 10) ON DUPLICATE KEY UPDATE a = a + 1;
INSERT IGNORE INTO u VALUES (11, 'x@y', 11, 11), (12, 'new', 12, 12);
----
ok, 0 rows
ok, 4 rows
ERROR 1062 (23000): Duplicate entry 'x@y' for key 'u.email'
ERROR 1062 (23000): Duplicate entry '1-2' for key 'u.uab'
ERROR 1062 (23000): Duplicate entry '1-1' for key 'u.uab'
ok, 0 rows
ok, 4 rows
ok, 2 rows
ok, 2 rows
ok, 1 rows

query
SELECT * FROM u
----
id | email | a | b
2 | X@y | 1 | 12
3 | NULL | NULL | 11
4 | NULL | NULL | 11
9 | x@y | 10 | 9
12 | new | 12 | 12

query
SHOW INDEX FROM u
----
Table | Non_unique | Key_name | Seq_in_index | Column_name | Collation | Cardinality | Sub_part | Packed | Null | Index_type | Comment | Index_comment | Visible | Expression
u | 0 | PRIMARY | 1 | id | A | 5 | NULL | NULL |  | BTREE |  |  | YES | NULL
u | 0 | email | 1 | email | A | 4 | NULL | NULL | YES | BTREE |  |  | YES | NULL
u | 1 | ab | 1 | a | A | 4 | NULL | NULL | YES | BTREE |  |  | YES | NULL
u | 1 | ab | 2 | b | A | 5 | NULL | NULL | YES | BTREE |  |  | YES | NULL
u | 0 | uab | 1 | a | A | 4 | NULL | NULL | YES | BTREE |  |  | YES | NULL
u | 0 | uab | 2 | b | A | 5 | NULL | NULL | YES | BTREE |  |  | YES | NULL

query
SHOW CREATE TABLE u
----
Table | Create Table
u | CREATE TABLE `u` (
  `id` int NOT NULL,
  `email` varchar(50),
  `a` int,
  `b` int,
  PRIMARY KEY (`id`),
  UNIQUE KEY `email` (`email`),
  KEY `ab` (`a`,`b`),
  UNIQUE KEY `uab` (`a`,`b`)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_as_cs

exec
ALTER TABLE u DROP INDEX ab, RENAME INDEX uab TO two;
DROP INDEX nothing ON u;
CREATE UNIQUE INDEX ua ON u (a);
INSERT INTO u VALUES (20, 'q', 9, 1);
UPDATE u SET a = 12 WHERE id = 9;
DROP INDEX ua ON u;
UPDATE u SET a = 12 WHERE id = 9;
CREATE UNIQUE INDEX ua ON u (a);
ALTER TABLE u DROP COLUMN a;
DROP TABLE u;
----
ok, 0 rows
ERROR 1091 (HY000): error: can't drop 'nothing'; check that column/key exists
ok, 0 rows
ok, 1 rows
ERROR 1062 (23000): Duplicate entry '12' for key 'u.ua'
ok, 0 rows
ok, 1 rows
ERROR 1062 (23000): Duplicate entry '12' for key 'u.ua'
ERROR 1062 (23000): Duplicate entry '11' for key 'u.two'
ok, 0 rows

# A unique index on a collation that ignores case, and on keypaths that are not declared.
exec
CREATE TABLE ci (id INT PRIMARY KEY, s VARCHAR(20) COLLATE utf8mb4_0900_ai_ci UNIQUE);
INSERT INTO ci VALUES (1, 'Straße'), (2, 'é');
INSERT INTO ci VALUES (3, 'E');
CREATE TABLE o (_id VARCHAR(255) PRIMARY KEY, _doc JSON);
INSERT INTO o (_doc) VALUES ('{"_id":"a","user":{"email":"x"}}'), ('{"_id":"b","user":{"email":"y"}}'), ('{"_id":"c"}');
CREATE UNIQUE INDEX email ON o (`user.email`);
INSERT INTO o (_doc) VALUES ('{"_id":"d","user":{"email":"y"}}');
INSERT INTO o (_doc) VALUES ('{"_id":"d","user":{"email":"z"}}');
UPDATE o SET `user.email` = 'x' WHERE _id = 'd';
INSERT INTO o VALUES ('a', '{"n":1}') ON DUPLICATE KEY UPDATE n = 2, seen = true;
----
ok, 0 rows
ok, 2 rows
ERROR 1062 (23000): Duplicate entry 'E' for key 'ci.s'
ok, 0 rows
ok, 3 rows
ok, 0 rows
ERROR 1062 (23000): Duplicate entry 'y' for key 'o.email'
ok, 1 rows
ERROR 1062 (23000): Duplicate entry 'x' for key 'o.email'
ok, 2 rows

query
SELECT _doc FROM o
----
_doc
{"_id":"a","user":{"email":"x"},"n":2,"seen":true}
{"_id":"b","user":{"email":"y"}}
{"_id":"c"}
{"_id":"d","user":{"email":"z"}}

query
SELECT * FROM sqlfdb.indexes
----
database | table | index | columns | is_unique | state | progress
d | ci | s | s | 1 | readable |
d | o | email | user.email | 1 | readable |

# Statements over several tables.
exec
CREATE TABLE p (id INT PRIMARY KEY, n INT, name VARCHAR(10));
CREATE TABLE q (id INT PRIMARY KEY, pid INT, v INT);
INSERT INTO p VALUES (1, 10, 'one'), (2, 20, 'two'), (3, 30, 'three');
INSERT INTO q VALUES (1, 1, 100), (2, 1, 101), (3, 2, 200);
UPDATE p JOIN q ON p.id = q.pid SET p.n = q.v WHERE q.id IN (1, 3);
UPDATE q SET v = (SELECT n FROM p WHERE p.id = q.pid);
DELETE q FROM q JOIN p ON p.id = q.pid WHERE p.name = 'two';
DELETE FROM d.q WHERE id = 2;
CREATE TABLE twin LIKE p;
CREATE TABLE made AS SELECT id, name FROM p WHERE n > 50;
INSERT INTO twin SELECT * FROM p;
WITH c AS (SELECT id, n FROM p) SELECT * FROM c;
----
ok, 0 rows
ok, 0 rows
ok, 3 rows
ok, 3 rows
ok, 2 rows
ok, 1 rows
ok, 1 rows
ok, 1 rows
ok, 0 rows
ok, 2 rows
ok, 3 rows
ok, 0 rows

query
SELECT p.id, p.n, q.v FROM p LEFT JOIN q ON p.id = q.pid ORDER BY p.id
----
id | n | v
1 | 100 | 100
2 | 200 | NULL
3 | 30 | NULL

query
WITH big (i) AS (SELECT id FROM p WHERE n > 50) SELECT i, name FROM big JOIN p ON p.id = i ORDER BY i
----
i | name
1 | one
2 | two

query
SELECT x.name, (SELECT COUNT(*) FROM made) AS many FROM twin x WHERE EXISTS (SELECT 1 FROM made WHERE made.id = x.id) ORDER BY many, x.name
----
name | many
one | 2
two | 2

query
SELECT name FROM p UNION SELECT `user.email` FROM o ORDER BY 1
----
name
NULL
one
three
two
x
y
z

query
SHOW CREATE TABLE made
----
Table | Create Table
made | CREATE TABLE `made` (
  `id` int NOT NULL,
  `name` varchar(10)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_as_cs

query
DESCRIBE o
----
Field | Type | Null | Key | Default | Extra
_id | varchar(255) | NO | PRI | NULL |
user.email | longtext | YES | UNI | NULL |
n | bigint | YES |  | NULL |
seen | tinyint(1) | YES |  | NULL |

query
SHOW FULL COLUMNS FROM o
----
Field | Type | Collation | Null | Key | Default | Extra | Privileges | Comment
_id | varchar(255) | utf8mb4_0900_bin | NO | PRI | NULL |  | insert,references,select,update |
user.email | longtext | utf8mb4_0900_as_cs | YES | UNI | NULL |  | insert,references,select,update | 3 of 4: string
n | bigint | NULL | YES |  | NULL |  | insert,references,select,update | 1 of 4: number
seen | tinyint(1) | NULL | YES |  | NULL |  | insert,references,select,update | 1 of 4: boolean

query
SELECT table_name, table_type, table_collation FROM information_schema.tables WHERE table_schema = 'd' ORDER BY table_name
----
TABLE_NAME | TABLE_TYPE | TABLE_COLLATION
ci | BASE TABLE | utf8mb4_0900_as_cs
made | BASE TABLE | utf8mb4_0900_as_cs
o | BASE TABLE | utf8mb4_0900_as_cs
p | BASE TABLE | utf8mb4_0900_as_cs
q | BASE TABLE | utf8mb4_0900_as_cs
twin | BASE TABLE | utf8mb4_0900_as_cs

query
SELECT index_name, column_name, non_unique FROM information_schema.statistics WHERE table_schema = 'd' ORDER BY table_name, index_name
----
INDEX_NAME | COLUMN_NAME | NON_UNIQUE
PRIMARY | id | 0
s | s | 0
email | user.email | 0
PRIMARY | _id | 0
PRIMARY | id | 0
PRIMARY | id | 0
PRIMARY | id | 0

query
SHOW TABLES FROM sqlfdb
----
Tables_in_sqlfdb
indexes
jobs
keypaths
map_errors
map_indexes
processes
tables

query
SHOW DATABASES
----
Database
d
information_schema
mysql
performance_schema
sqlfdb
sys

# Primary keys that ALTER TABLE adds. NULLs and equal values leave the table as it is.
exec
CREATE TABLE a (i INT, j INT, KEY j (j));
INSERT INTO a VALUES (1, 1), (NULL, 2);
ALTER TABLE a ADD PRIMARY KEY (i);
DELETE FROM a WHERE i IS NULL;
INSERT INTO a VALUES (1, 3);
ALTER TABLE a ADD PRIMARY KEY (i);
ALTER TABLE a ADD PRIMARY KEY (nope);
ALTER TABLE a ADD PRIMARY KEY (i, j);
ALTER TABLE a ADD PRIMARY KEY (i);
INSERT INTO a VALUES (1, 3);
INSERT INTO a VALUES (NULL, 3)
----
ok, 0 rows
ok, 2 rows
ERROR 1138 (22004): Invalid use of NULL value: column 'i'
ok, 1 rows
ok, 1 rows
ERROR 1062 (23000): Duplicate entry '1' for key 'a.PRIMARY'
ERROR 1072 (42000): Key column 'nope' doesn't exist in table
ok, 0 rows
ERROR 1068 (42000): Multiple primary key defined
ERROR 1062 (23000): Duplicate entry '1-3' for key 'a.PRIMARY'
ERROR 1048 (23000): column name 'i' is non-nullable but attempted to set a value of null

query
SHOW CREATE TABLE a
----
Table | Create Table
a | CREATE TABLE `a` (
  `i` int NOT NULL,
  `j` int NOT NULL,
  PRIMARY KEY (`i`,`j`),
  KEY `j` (`j`)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_as_cs

query
EXPLAIN SELECT * FROM a WHERE i = 1 AND j = 3
----
id | select_type | table | partitions | type | possible_keys | key | key_len | ref | rows | filtered | Extra
1 | SIMPLE | a | NULL | ref | PRIMARY,j | PRIMARY | NULL | const | 2 | 50 | Using where; Using index

query
SELECT * FROM a WHERE j = 3
----
i | j
1 | 3

# The feed begins anew, as after TRUNCATE TABLE.
query
SELECT i, j, deleted, _doc FROM a__changes
----
i | j | deleted | _doc
1 | 1 | 0 | {"i":1,"j":1}
1 | 3 | 0 | {"i":1,"j":3}

# Another key in its place, and none: the columns stay NOT NULL.
exec
ALTER TABLE a DROP PRIMARY KEY, ADD PRIMARY KEY (i);
ALTER TABLE a DROP PRIMARY KEY, ADD PRIMARY KEY (j);
ALTER TABLE a DROP PRIMARY KEY;
ALTER TABLE a DROP PRIMARY KEY;
INSERT INTO a VALUES (1, 3);
UPDATE a SET i = 7 WHERE j = 1;
DELETE FROM a WHERE j = 3 LIMIT 1
----
ERROR 1062 (23000): Duplicate entry '1' for key 'a.PRIMARY'
ok, 0 rows
ok, 0 rows
ERROR 1091 (HY000): error: can't drop 'PRIMARY'; check that column/key exists
ok, 1 rows
ok, 1 rows
ok, 1 rows

query
SHOW CREATE TABLE a
----
Table | Create Table
a | CREATE TABLE `a` (
  `i` int NOT NULL,
  `j` int NOT NULL,
  KEY `j` (`j`)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_as_cs

query
SELECT * FROM a ORDER BY i
----
i | j
1 | 3
7 | 1

# Columns that count themselves up: the rows that are there are numbered.
exec
ALTER TABLE a ADD n INT AUTO_INCREMENT;
ALTER TABLE a ADD n INT AUTO_INCREMENT UNIQUE FIRST;
INSERT INTO a (i, j) VALUES (8, 8);
ALTER TABLE a DROP INDEX n;
ALTER TABLE a DROP INDEX n, ADD PRIMARY KEY (n);
INSERT INTO a (i, j) VALUES (9, 9);
ALTER TABLE a DROP PRIMARY KEY;
ALTER TABLE a ADD m INT PRIMARY KEY;
ALTER TABLE a DROP COLUMN n, ADD COLUMN id BIGINT UNSIGNED AUTO_INCREMENT PRIMARY KEY FIRST;
INSERT INTO a (i, j) VALUES (10, 10)
----
ERROR 1075 (42000): Incorrect table definition; there can be only one auto column and it must be defined as a key
ok, 0 rows
ok, 1 rows, id 3
ERROR 1075 (42000): Incorrect table definition; there can be only one auto column and it must be defined as a key
ok, 0 rows
ok, 1 rows, id 4
ERROR 1075 (42000): Incorrect table definition; there can be only one auto column and it must be defined as a key
ERROR 1068 (42000): Multiple primary key defined
ok, 0 rows
ok, 1 rows, id 5

query
SELECT * FROM a
----
id | i | j
1 | 7 | 1
2 | 1 | 3
3 | 8 | 8
4 | 9 | 9
5 | 10 | 10

query
SHOW CREATE TABLE a
----
Table | Create Table
a | CREATE TABLE `a` (
  `id` bigint unsigned NOT NULL AUTO_INCREMENT,
  `i` int NOT NULL,
  `j` int NOT NULL,
  PRIMARY KEY (`id`),
  KEY `j` (`j`)
) AUTO_INCREMENT=6 DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_as_cs

exec
CREATE TABLE one (v INT);
INSERT INTO one VALUES (5), (6);
ALTER TABLE one ADD c INT PRIMARY KEY;
ALTER TABLE one MODIFY v BIGINT AUTO_INCREMENT PRIMARY KEY;
INSERT INTO one VALUES ();
ALTER TABLE one CHANGE v w INT KEY;
ALTER TABLE one ADD CONSTRAINT PRIMARY KEY (v);
CREATE TABLE many (v TINYINT UNSIGNED);
INSERT INTO many WITH RECURSIVE r (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r WHERE n < 200) SELECT n FROM r;
ALTER TABLE many ADD id TINYINT AUTO_INCREMENT PRIMARY KEY;
ALTER TABLE many ADD id TINYINT UNSIGNED AUTO_INCREMENT KEY
----
ok, 0 rows
ok, 2 rows
ERROR 1062 (23000): Duplicate entry '0' for key 'one.PRIMARY'
ok, 0 rows
ok, 1 rows, id 7
ERROR 1068 (42000): Multiple primary key defined
ERROR 1068 (42000): Multiple primary key defined
ok, 0 rows
ok, 200 rows
ERROR 1264 (22003): Out of range value for column 'id': 128
ok, 0 rows

query
SELECT * FROM one
----
v
5
6
7

query
SELECT MAX(id), COUNT(*), SUM(id = v) FROM many
----
MAX(id) | COUNT(*) | SUM(id = v)
200 | 200 | 200

# What a dump of phpMyAdmin does at its end.
exec
CREATE TABLE dumped (id INT NOT NULL, name VARCHAR(20));
INSERT INTO dumped VALUES (3, 'c'), (41, 'x');
ALTER TABLE dumped ADD PRIMARY KEY (id), ADD UNIQUE KEY name (name);
ALTER TABLE dumped MODIFY id INT NOT NULL AUTO_INCREMENT;
INSERT INTO dumped (name) VALUES ('y');
ALTER TABLE dumped MODIFY id INT NOT NULL AUTO_INCREMENT, AUTO_INCREMENT = 100;
INSERT INTO dumped (name) VALUES ('z');
INSERT INTO dumped (name) VALUES ('z')
----
ok, 0 rows
ok, 2 rows
ok, 0 rows
ok, 0 rows
ok, 1 rows, id 42
ok, 0 rows
ok, 1 rows, id 100
ERROR 1062 (23000): Duplicate entry 'z' for key 'dumped.name'

query
SELECT * FROM dumped
----
id | name
3 | c
41 | x
42 | y
100 | z

# The columns of a key get other types, and go.
exec
CREATE TABLE m (id INT NOT NULL, s VARCHAR(10) NOT NULL, PRIMARY KEY (s));
INSERT INTO m VALUES (1, '10'), (2, '9'), (3, '100'), (1, '09');
ALTER TABLE m MODIFY s INT;
DELETE FROM m WHERE s = '09';
ALTER TABLE m MODIFY s INT
----
ok, 0 rows
ok, 4 rows
ERROR 1062 (23000): Duplicate entry '9' for key 'm.PRIMARY'
ok, 1 rows
ok, 0 rows

query
SELECT * FROM m WHERE s > 9
----
id | s
1 | 10
3 | 100

exec
ALTER TABLE m MODIFY s BIGINT;
ALTER TABLE m CHANGE s q VARCHAR(30), ADD KEY (id);
ALTER TABLE m MODIFY q VARCHAR(1);
ALTER TABLE m MODIFY q VARCHAR(40) COLLATE utf8mb4_0900_ai_ci;
INSERT INTO m VALUES (4, 'é');
INSERT INTO m VALUES (5, 'E');
ALTER TABLE m ADD PRIMARY KEY (id);
ALTER TABLE m DROP PRIMARY KEY, ADD PRIMARY KEY (q(3));
ALTER TABLE m DROP PRIMARY KEY, ADD PRIMARY KEY (id, q);
ALTER TABLE m DROP COLUMN q
----
ok, 0 rows
ok, 0 rows
ERROR 1265 (01000): Data truncated for column 'q' at row 1
ok, 0 rows
ok, 1 rows
ERROR 1062 (23000): Duplicate entry 'E' for key 'm.PRIMARY'
ERROR 1068 (42000): Multiple primary key defined
ERROR 1235 (42000): the primary key can't be on the beginning of column q
ok, 0 rows
ok, 0 rows

query
SELECT * FROM m WHERE id > 1
----
id
2
3
4

query
SHOW CREATE TABLE m
----
Table | Create Table
m | CREATE TABLE `m` (
  `id` int NOT NULL,
  PRIMARY KEY (`id`),
  KEY `id` (`id`)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_as_cs

# Keys of every kind, generated columns, checks.
exec
CREATE TABLE k (e ENUM('a','b') NOT NULL, b VARBINARY(10), d DATETIME(3), n DECIMAL(10,2), g INT AS (CAST(n * 2 AS SIGNED)) STORED, CHECK (n < 100), PRIMARY KEY (d));
INSERT INTO k (e, b, d, n) VALUES ('a', x'0102', '2020-01-01 10:00:00.123', 1.5), ('b', x'00ff', '2020-01-01 10:00:00.124', 2.5);
ALTER TABLE k DROP PRIMARY KEY, ADD PRIMARY KEY (b);
ALTER TABLE k DROP PRIMARY KEY, ADD PRIMARY KEY (n, e);
ALTER TABLE k DROP PRIMARY KEY, ADD PRIMARY KEY (g);
ALTER TABLE k DROP PRIMARY KEY, ADD PRIMARY KEY (e);
ALTER TABLE k MODIFY e ENUM('b','a','c') NOT NULL;
INSERT INTO k (e, n) VALUES ('c', 100);
INSERT INTO k (e, n) VALUES ('a', 1)
----
ok, 0 rows
ok, 2 rows
ok, 0 rows
ok, 0 rows
ok, 0 rows
ok, 0 rows
ok, 0 rows
ERROR 1364 (HY000): Field 'b' doesn't have a default value
ERROR 1364 (HY000): Field 'b' doesn't have a default value

query
SELECT e, HEX(b), d, n, g FROM k ORDER BY e
----
e | HEX(b) | d | n | g
b | 00FF | 2020-01-01 10:00:00.124 | 2.50 | 5
a | 0102 | 2020-01-01 10:00:00.123 | 1.50 | 3

# Foreign keys need the key they refer to.
exec
CREATE TABLE p (id INT PRIMARY KEY, u INT);
CREATE TABLE c (pid INT, FOREIGN KEY (pid) REFERENCES p (id) ON DELETE SET NULL);
INSERT INTO p VALUES (1, 1), (2, 2);
INSERT INTO c VALUES (1);
ALTER TABLE p DROP PRIMARY KEY;
ALTER TABLE p DROP PRIMARY KEY, ADD PRIMARY KEY (u);
ALTER TABLE p DROP PRIMARY KEY, ADD PRIMARY KEY (id, u);
ALTER TABLE p MODIFY id BIGINT;
ALTER TABLE c ADD PRIMARY KEY (pid);
INSERT INTO c VALUES (3);
DELETE FROM p WHERE id = 1
----
ok, 0 rows
ok, 0 rows
ok, 2 rows
ok, 1 rows
ERROR 1553 (HY000): Cannot drop index 'PRIMARY': needed in a foreign key constraint
ERROR 1553 (HY000): Cannot drop index 'PRIMARY': needed in a foreign key constraint
ok, 0 rows
ERROR 1833 (HY000): Cannot change column 'id': used in a foreign key constraint 'c_ibfk_1' of table 'd.c'
ERROR 1830 (HY000): Column 'pid' cannot be NOT NULL: needed in a foreign key constraint 'c_ibfk_1' SET NULL
ERROR 1452 (23000): Cannot add or update a child row: a foreign key constraint fails (`d`.`c`, CONSTRAINT `c_ibfk_1` FOREIGN KEY (`pid`) REFERENCES `p` (`id`) ON DELETE SET NULL)
ok, 1 rows

query
SELECT * FROM c
----
pid
NULL

# Open tables keep their documents as they are.
exec
CREATE TABLE o (_id VARCHAR(20) PRIMARY KEY, n INT, _doc JSON);
INSERT INTO o (_doc) VALUES ('{"_id": "x", "n": 1, "z": [5]}'), ('{"n": 2, "_id": "y"}');
ALTER TABLE o DROP PRIMARY KEY;
ALTER TABLE o DROP PRIMARY KEY, ADD PRIMARY KEY (n);
INSERT INTO o (_doc) VALUES ('{"_id": "x", "n": 2}');
INSERT INTO o (_doc) VALUES ('{"_id": "x", "n": 3}')
----
ok, 0 rows
ok, 2 rows
ERROR 1235 (42000): a column _id must be the primary key
ok, 0 rows
ERROR 1062 (23000): Duplicate entry '2' for key 'o.PRIMARY'
ok, 1 rows

query
SELECT n, _doc FROM o
----
n | _doc
1 | {"_id":"x","n":1,"z":[5]}
2 | {"n":2,"_id":"y"}
3 | {"_id":"x","n":3}

query
SELECT n, _value FROM o__z
----
n | _value
1 | 5

# A statement that fails behind takes back the key, too.
exec
ALTER TABLE o DROP PRIMARY KEY, ADD PRIMARY KEY (_id);
ALTER TABLE p DROP PRIMARY KEY, ADD PRIMARY KEY (id), ADD UNIQUE KEY (nope)
----
ERROR 1062 (23000): Duplicate entry 'x' for key 'o.PRIMARY'
ERROR 1072 (42000): Key column 'nope' doesn't exist in table

query
SHOW CREATE TABLE p
----
Table | Create Table
p | CREATE TABLE `p` (
  `id` int NOT NULL,
  `u` int NOT NULL,
  PRIMARY KEY (`id`,`u`)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_as_cs

# It is one transaction.
exec
CREATE TABLE big (i INT, t TEXT);
INSERT INTO big VALUES (1, REPEAT('x', 60000)), (2, REPEAT('x', 60000)), (3, REPEAT('x', 60000)), (4, REPEAT('x', 60000));
INSERT INTO big SELECT i + 4, t FROM big;
INSERT INTO big SELECT i + 8, t FROM big;
INSERT INTO big SELECT i + 16, t FROM big;
INSERT INTO big SELECT i + 32, t FROM big;
INSERT INTO big SELECT i + 64, t FROM big;
INSERT INTO big SELECT i + 128, t FROM big WHERE i <= 64;
ALTER TABLE big ADD PRIMARY KEY (i)
----
ok, 0 rows
ok, 4 rows
ok, 4 rows
ok, 8 rows
ok, 16 rows
ok, 32 rows
ok, 64 rows
ok, 64 rows
ERROR 1197 (HY000): the primary key of table d.big can't be changed: its rows are too large for one transaction. Make another table of them with sqlfdb_bulk_writes = 'batched'

# A temporary table, too.
exec
CREATE TEMPORARY TABLE tmp (a INT);
INSERT INTO tmp VALUES (1), (2);
ALTER TABLE tmp ADD id INT AUTO_INCREMENT PRIMARY KEY FIRST;
INSERT INTO tmp (a) VALUES (3);
ALTER TABLE tmp DROP PRIMARY KEY, ADD PRIMARY KEY (a), ADD KEY (id);
INSERT INTO tmp (a) VALUES (3)
----
ok, 0 rows
ok, 2 rows
ok, 0 rows
ok, 1 rows, id 3
ok, 0 rows
ERROR 1062 (23000): Duplicate entry '3' for key 'tmp.PRIMARY'

query
SELECT * FROM tmp
----
id | a
1 | 1
2 | 2
3 | 3

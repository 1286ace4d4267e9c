# What the migrations of other programs say, and people.
exec
CREATE TABLE t (id INT PRIMARY KEY, name VARCHAR(10), date INT, status INT);
INSERT INTO t VALUES (1, 'a', 20240506, 2);
----
ok, 0 rows
ok, 1 rows

# Words that are names in MySQL without backquotes.
exec
ALTER TABLE t ADD COLUMN value INT AFTER name, ADD CONSTRAINT action UNIQUE (status);
ALTER TABLE t CHANGE COLUMN name title VARCHAR(20) NOT NULL DEFAULT 'x';
ALTER TABLE t CHANGE date day DATE;
ALTER TABLE t MODIFY day DATE AFTER status;
SAVEPOINT name;
CREATE DATABASE IF NOT EXISTS data;
DROP DATABASE IF EXISTS data;
CREATE DATABASE status;
DROP DATABASE status;
CREATE TABLE p (id INT, CONSTRAINT type PRIMARY KEY (id), CONSTRAINT comment CHECK (id > 0));
----
ok, 0 rows
ok, 0 rows
ok, 0 rows
ok, 0 rows
ok, 0 rows
ok, 1 rows
ok, 1 rows
ok, 1 rows
ok, 1 rows
ok, 0 rows

# A column that is given a name beside other clauses has it for them.
exec
ALTER TABLE t CHANGE title name VARCHAR(30), ADD COLUMN more INT AFTER name, ADD INDEX by_name (name, status), ADD UNIQUE INDEX one (day, name);
ALTER TABLE t CHANGE more less BIGINT, CHANGE value price DECIMAL(5,2) DEFAULT 1.5 FIRST, DROP INDEX one, ADD INDEX one (price, less);
----
ok, 0 rows
ok, 0 rows

query
SHOW CREATE TABLE t
----
Table | Create Table
t | CREATE TABLE `t` (
  `price` decimal(5,2) DEFAULT '1.5',
  `id` int NOT NULL,
  `name` varchar(30),
  `less` bigint,
  `status` int,
  `day` date,
  PRIMARY KEY (`id`),
  UNIQUE KEY `action` (`status`),
  KEY `by_name` (`name`,`status`),
  KEY `one` (`price`,`less`)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_as_cs

query
SELECT * FROM t
----
price | id | name | less | status | day
NULL | 1 | a | NULL | 2 | 2024-05-06

# SERIAL is unsigned.
exec
CREATE TABLE parent (id SERIAL PRIMARY KEY, n INT);
CREATE TABLE child (parent BIGINT UNSIGNED, FOREIGN KEY (parent) REFERENCES parent (id));
ALTER TABLE p ADD COLUMN n SERIAL;
----
ok, 0 rows
ok, 0 rows
ok, 0 rows

query
SHOW COLUMNS FROM parent
----
Field | Type | Null | Key | Default | Extra
id | bigint unsigned | NO | PRI | NULL | auto_increment
n | int | YES |  | NULL |

query
SHOW COLUMNS FROM p
----
Field | Type | Null | Key | Default | Extra
id | int | NO | PRI | NULL |
n | bigint unsigned | NO | UNI | NULL | auto_increment

exec
DROP TABLE child, parent, p
----
ok, 0 rows

# What information_schema and SHOW say of tables: exact figures, declared columns
# and keys, keypaths.

exec
CREATE TABLE o (_id VARCHAR(20) PRIMARY KEY, n INT, _doc JSON) COMMENT 'it''s open' ENGINE_ATTRIBUTE='{"max_depth": 3}';
CREATE TABLE c (id INT AUTO_INCREMENT PRIMARY KEY, `a b` INT DEFAULT 5, `order` VARCHAR(5) NOT NULL DEFAULT 'it''s', g INT GENERATED ALWAYS AS (`a b` + 1) STORED, at DATETIME(3) DEFAULT CURRENT_TIMESTAMP(3) ON UPDATE CURRENT_TIMESTAMP(3), u VARCHAR(36) DEFAULT (UUID()), e ENUM('x','y''z') COMMENT 'q''s', t TEXT COLLATE utf8mb4_0900_ai_ci, UNIQUE KEY ua (`a b`), KEY k (`order`, e) COMMENT 'k''c', CONSTRAINT `ch k` CHECK (`a b` > 0), CONSTRAINT off CHECK (id < 9) NOT ENFORCED);
INSERT INTO o (_id, n, _doc) VALUES ('1', 5, '{"tags": ["a", "b"], "s": {"x": true}, "m": 1}'), ('2', NULL, '{"s": {"x": false}, "m": "one"}'), ('3', 7, '{"m": null}');
INSERT INTO c (`a b`, `order`, e, t, at) VALUES (1, 'p', 'x', 'T', '2020-01-02 03:04:05.678'), (2, 'q', 'y''z', NULL, '2020-01-02');
CREATE VIEW v AS SELECT _id, m FROM o
----
ok, 0 rows
ok, 0 rows
ok, 3 rows
ok, 2 rows, id 1
ok, 0 rows

query
SELECT table_name, table_type, engine, row_format, table_rows, avg_row_length, data_length, index_length, auto_increment, table_collation, create_options, table_comment FROM information_schema.tables WHERE table_schema = 'd'
----
TABLE_NAME | TABLE_TYPE | ENGINE | ROW_FORMAT | TABLE_ROWS | AVG_ROW_LENGTH | DATA_LENGTH | INDEX_LENGTH | AUTO_INCREMENT | TABLE_COLLATION | CREATE_OPTIONS | TABLE_COMMENT
c | BASE TABLE | sqlfdb | Dynamic | 2 | 123 | 247 | 618 | 3 | utf8mb4_0900_as_cs |  |
o | BASE TABLE | sqlfdb | Dynamic | 3 | 42 | 127 | 430 | NULL | utf8mb4_0900_as_cs | ENGINE_ATTRIBUTE='{"max_depth":3}' | it's open
v | VIEW | NULL | NULL | NULL | NULL | NULL | NULL | NULL | NULL | NULL | VIEW

query
SELECT `table`, documents, bytes, entry_bytes FROM sqlfdb.tables
----
table | documents | bytes | entry_bytes
c | 2 | 247 | 618
o | 3 | 127 | 430

query
SHOW TABLE STATUS WHERE Name = 'c'
----
Name | Engine | Version | Row_format | Rows | Avg_row_length | Data_length | Max_data_length | Index_length | Data_free | Auto_increment | Create_time | Update_time | Check_time | Collation | Checksum | Create_options | Comment
c | sqlfdb | 10 | Dynamic | 2 | 123 | 247 | 0 | 618 | 0 | 3 | NULL | NULL | NULL | utf8mb4_0900_as_cs | NULL |  |

query
SHOW TABLE STATUS LIKE 'nothing'
----
Name | Engine | Version | Row_format | Rows | Avg_row_length | Data_length | Max_data_length | Index_length | Data_free | Auto_increment | Create_time | Update_time | Check_time | Collation | Checksum | Create_options | Comment

exec
SHOW TABLE STATUS FROM nothing
----
ERROR 1049 (42000): Unknown database 'nothing'

query
SELECT column_name, ordinal_position, column_default, is_nullable, column_type, character_maximum_length, numeric_precision, datetime_precision, collation_name, column_key, extra, column_comment, generation_expression FROM information_schema.columns WHERE table_schema = DATABASE() AND table_name IN ('c', 'v')
----
COLUMN_NAME | ORDINAL_POSITION | COLUMN_DEFAULT | IS_NULLABLE | COLUMN_TYPE | CHARACTER_MAXIMUM_LENGTH | NUMERIC_PRECISION | DATETIME_PRECISION | COLLATION_NAME | COLUMN_KEY | EXTRA | COLUMN_COMMENT | GENERATION_EXPRESSION
id | 1 | NULL | NO | int | NULL | 10 | NULL | NULL | PRI | auto_increment |  |
a b | 2 | 5 | YES | int | NULL | 10 | NULL | NULL | UNI |  |  |
order | 3 | it's | NO | varchar(5) | 5 | NULL | NULL | utf8mb4_0900_as_cs | MUL |  |  |
g | 4 | NULL | YES | int | NULL | 10 | NULL | NULL |  | STORED GENERATED |  | `a b` + 1
at | 5 | CURRENT_TIMESTAMP(3) | YES | datetime(3) | NULL | NULL | 3 | NULL |  | DEFAULT_GENERATED on update CURRENT_TIMESTAMP(3) |  |
u | 6 | uuid() | YES | varchar(36) | 36 | NULL | NULL | utf8mb4_0900_as_cs |  | DEFAULT_GENERATED |  |
e | 7 | NULL | YES | enum('x','y''z') | 3 | NULL | NULL | utf8mb4_0900_bin |  |  | q's |
t | 8 | NULL | YES | text | 16383 | NULL | NULL | utf8mb4_0900_ai_ci |  |  |  |
_id | 1 | NULL | NO | varchar(20) | 20 | NULL | NULL | utf8mb4_0900_bin |  |  |  |
m | 2 | NULL | YES | json | NULL | NULL | NULL | NULL |  |  |  |

query
SELECT column_name, data_type, column_key, column_comment FROM information_schema.columns WHERE table_schema = 'd' AND 'o' = table_name ORDER BY ordinal_position
----
COLUMN_NAME | DATA_TYPE | COLUMN_KEY | COLUMN_COMMENT
_id | varchar | PRI |
n | int |  |
tags | json |  | 1 of 3: array
s.x | tinyint |  | 2 of 3: boolean
m | json |  | 3 of 3: 1 null, 1 number, 1 string

exec
SET sqlfdb_show_keypath_indexes = ON
----
ok, 0 rows

query
SELECT index_name, non_unique, seq_in_index, column_name, cardinality, nullable, index_comment, expression FROM information_schema.statistics WHERE table_schema = 'd'
----
INDEX_NAME | NON_UNIQUE | SEQ_IN_INDEX | COLUMN_NAME | CARDINALITY | NULLABLE | INDEX_COMMENT | EXPRESSION
PRIMARY | 0 | 1 | id | 2 |  |  | NULL
ua | 0 | 1 | a b | 2 | YES |  | NULL
k | 1 | 1 | order | 2 |  | k'c | NULL
k | 1 | 2 | e | 2 | YES | k'c | NULL
id | 1 | 1 | id | 2 |  | cardinality: exact | NULL
a b | 1 | 1 | a b | 2 |  | cardinality: exact | NULL
order | 1 | 1 | order | 2 |  | cardinality: upper bound | NULL
g | 1 | 1 | g | 2 |  | cardinality: upper bound | NULL
at | 1 | 1 | at | 2 |  | cardinality: upper bound | NULL
u | 1 | 1 | u | 2 |  | cardinality: upper bound | NULL
e | 1 | 1 | e | 2 |  | cardinality: upper bound | NULL
t | 1 | 1 | t | 2 | YES | cardinality: exact | NULL
PRIMARY | 0 | 1 | _id | 3 |  |  | NULL
_id | 1 | 1 | _id | 3 |  | cardinality: exact | NULL
tags | 1 | 1 | tags | 0 | YES | cardinality: exact | NULL
tags[*] | 1 | 1 | NULL | 2 | YES | cardinality: upper bound | json_extract(`_doc`,'$.tags[*]')
s | 1 | 1 | NULL | 0 | YES | cardinality: exact | json_extract(`_doc`,'$.s')
s.x | 1 | 1 | s.x | 2 | YES | cardinality: upper bound | NULL
m | 1 | 1 | m | 3 | YES | cardinality: exact | NULL
n | 1 | 1 | n | 3 | YES | cardinality: upper bound | NULL

query
SHOW INDEX FROM c WHERE Key_name = 'k'
----
Table | Non_unique | Key_name | Seq_in_index | Column_name | Collation | Cardinality | Sub_part | Packed | Null | Index_type | Comment | Index_comment | Visible | Expression
c | 1 | k | 1 | order | A | 2 | NULL | NULL |  | BTREE |  | k'c | YES | NULL
c | 1 | k | 2 | e | A | 2 | NULL | NULL | YES | BTREE |  | k'c | YES | NULL

query
SHOW KEYS FROM v
----
Table | Non_unique | Key_name | Seq_in_index | Column_name | Collation | Cardinality | Sub_part | Packed | Null | Index_type | Comment | Index_comment | Visible | Expression

exec
SHOW INDEX FROM nothing
----
ERROR 1146 (42S02): Table 'd.nothing' doesn't exist

query
SELECT constraint_name, table_name, column_name, ordinal_position FROM information_schema.key_column_usage WHERE constraint_schema = 'd'
----
CONSTRAINT_NAME | TABLE_NAME | COLUMN_NAME | ORDINAL_POSITION
PRIMARY | c | id | 1
ua | c | a b | 1
PRIMARY | o | _id | 1

query
SELECT constraint_name, table_name, constraint_type, enforced FROM information_schema.table_constraints WHERE table_schema = 'd'
----
CONSTRAINT_NAME | TABLE_NAME | CONSTRAINT_TYPE | ENFORCED
PRIMARY | c | PRIMARY KEY | YES
ua | c | UNIQUE | YES
ch k | c | CHECK | YES
off | c | CHECK | NO
PRIMARY | o | PRIMARY KEY | YES

query
SELECT constraint_name, check_clause FROM information_schema.check_constraints WHERE constraint_schema = 'd'
----
CONSTRAINT_NAME | CHECK_CLAUSE
ch k | (`a b` > 0)
off | (`id` < 9)

query
SELECT * FROM information_schema.engines
----
ENGINE | SUPPORT | COMMENT | TRANSACTIONS | XA | SAVEPOINTS
sqlfdb | DEFAULT | JSON documents, every keypath indexed; transactions | YES | NO | YES
BUCKET | YES | JSON documents in an object store, as files; indexes that are declared | NO | NO | NO

query
SHOW ENGINES
----
Engine | Support | Comment | Transactions | XA | Savepoints
sqlfdb | DEFAULT | JSON documents, every keypath indexed; transactions | YES | NO | YES
BUCKET | YES | JSON documents in an object store, as files; indexes that are declared | NO | NO | NO

query
SHOW CREATE TABLE o
----
Table | Create Table
o | CREATE TABLE `o` (
  `_id` varchar(20) NOT NULL,
  `n` int,
  `tags` json DEFAULT NULL COMMENT '1 of 3: array',
  `s.x` tinyint(1) DEFAULT NULL COMMENT '2 of 3: boolean',
  `m` json DEFAULT NULL COMMENT '3 of 3: 1 null, 1 number, 1 string',
  `_doc` json,
  PRIMARY KEY (`_id`)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_as_cs COMMENT='it''s open' /*!80021 ENGINE_ATTRIBUTE='{"max_depth":3}' */

query
SHOW CREATE TABLE c
----
Table | Create Table
c | CREATE TABLE `c` (
  `id` int NOT NULL AUTO_INCREMENT,
  `a b` int DEFAULT '5',
  `order` varchar(5) NOT NULL DEFAULT 'it''s',
  `g` int GENERATED ALWAYS AS (`a b` + 1) STORED,
  `at` datetime(3) DEFAULT CURRENT_TIMESTAMP(3) ON UPDATE CURRENT_TIMESTAMP(3),
  `u` varchar(36) DEFAULT (uuid()),
  `e` enum('x','y''z') COMMENT 'q''s',
  `t` text COLLATE utf8mb4_0900_ai_ci,
  PRIMARY KEY (`id`),
  UNIQUE KEY `ua` (`a b`),
  KEY `k` (`order`,`e`) COMMENT 'k''c',
  CONSTRAINT `ch k` CHECK (`a b` > 0),
  CONSTRAINT `off` CHECK (`id` < 9) /*!80016 NOT ENFORCED */
) AUTO_INCREMENT=3 DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_as_cs

query
SHOW COLUMNS FROM c LIKE 'a%'
----
Field | Type | Null | Key | Default | Extra
a b | int | YES | UNI | 5 |
at | datetime(3) | YES |  | CURRENT_TIMESTAMP(3) | DEFAULT_GENERATED on update CURRENT_TIMESTAMP(3)

query
SHOW FULL FIELDS FROM o WHERE Field <> 'n'
----
Field | Type | Collation | Null | Key | Default | Extra | Privileges | Comment
_id | varchar(20) | utf8mb4_0900_bin | NO | PRI | NULL |  | insert,references,select,update |
tags | json | NULL | YES |  | NULL |  | insert,references,select,update | 1 of 3: array
s.x | tinyint(1) | NULL | YES |  | NULL |  | insert,references,select,update | 2 of 3: boolean
m | json | NULL | YES |  | NULL |  | insert,references,select,update | 3 of 3: 1 null, 1 number, 1 string

query
DESCRIBE v
----
Field | Type | Null | Key | Default | Extra
_id | varchar(20) | NO |  | NULL |
m | json | YES |  | NULL |

# A correlated subquery's outer conditions say nothing of the inner table.

query
SELECT COUNT(*) FROM information_schema.tables o WHERE o.table_schema = 'd' AND EXISTS (SELECT 1 FROM information_schema.tables i WHERE o.table_schema = 'd' AND i.table_schema = 'sqlfdb')
----
COUNT(*)
3

query
SELECT k.table_name, k.column_name, t.constraint_type FROM information_schema.key_column_usage k JOIN information_schema.table_constraints t ON k.constraint_name = t.constraint_name AND k.table_name = t.table_name AND k.table_schema = t.table_schema WHERE t.table_schema = 'd' ORDER BY 1, 2
----
TABLE_NAME | COLUMN_NAME | CONSTRAINT_TYPE
c | a b | UNIQUE
c | id | PRIMARY KEY
o | _id | PRIMARY KEY

prepared
: d
: c
SELECT column_name FROM information_schema.columns WHERE table_schema = ? AND table_name = ? AND column_key <> ''
----
COLUMN_NAME
id
a b
order

# Statements about the last one's errors.

exec
SELECT * FROM nothing
----
ERROR 1146 (42S02): Table 'd.nothing' doesn't exist

query
SHOW ERRORS
----
Level | Code | Message
Error | 1146 | Table 'd.nothing' doesn't exist

query
SHOW WARNINGS
----
Level | Code | Message
Error | 1146 | Table 'd.nothing' doesn't exist

query
SHOW COUNT(*) ERRORS
----
@@session.error_count
1

query
SELECT @@error_count, @@warning_count
----
@@error_count | @@warning_count
1 | 1

query
SHOW ERRORS
----
Level | Code | Message

query
SELECT 1/0
----
1/0
NULL

query
SHOW COUNT(*) WARNINGS
----
@@session.warning_count
1

query
SHOW ERRORS LIMIT 1
----
Level | Code | Message

query
SHOW GRANTS
----
Grants for root@%
GRANT ALL PRIVILEGES ON *.* TO `root`@`%` WITH GRANT OPTION

query
SHOW GRANTS FOR CURRENT_USER()
----
Grants for root@%
GRANT ALL PRIVILEGES ON *.* TO `root`@`%` WITH GRANT OPTION

exec
SHOW GRANTS FOR bob@localhost
----
ERROR 1141 (42000): There is no such grant defined for user 'bob' on host 'localhost'

# Reading a view does not end the transaction.

exec
BEGIN;
INSERT INTO o (_id) VALUES ('4');
SAVEPOINT s;
INSERT INTO o (_id) SELECT CONCAT(_id, '0') FROM v;
ROLLBACK TO SAVEPOINT s
----
ok, 0 rows
ok, 1 rows
ok, 0 rows
ok, 4 rows
ok, 0 rows

query
SELECT COUNT(*) FROM v
----
COUNT(*)
4

query
SHOW CREATE TABLE v
----
View | Create View | character_set_client | collation_connection
v | CREATE VIEW `v` AS SELECT _id, m FROM o | utf8mb4 | utf8mb4_0900_bin

exec
ROLLBACK
----
ok, 0 rows

query
SELECT COUNT(*) FROM o
----
COUNT(*)
3

# Names that an expression's text must quote.

exec
INSERT INTO c (`a b`, `order`) VALUES (-1, 'r');
INSERT INTO c (`a b`, `order`) VALUES (8, 'r')
----
ERROR 3819 (HY000): Check constraint "ch k" violated
ok, 1 rows, id 4

query
SELECT `a b`, `order`, g FROM c WHERE `a b` = 8
----
a b | order | g
8 | r | 9

# Indexes on keypaths that nobody declared: every keypath is indexed, whatever it
# holds, so that an index is a name for it, and a unique one a rule.

exec
CREATE TABLE k (_id INT PRIMARY KEY, n INT, _doc JSON, UNIQUE KEY (`a.b`), KEY nc (n, c) COMMENT 'two', KEY (n));
INSERT INTO k (_doc) VALUES ('{"_id":1,"a":{"b":"x"},"c":1,"t":"long"}'), ('{"_id":2,"a":{"b":"y"},"t":2}');
INSERT INTO k (_doc) VALUES ('{"_id":3,"a":{"b":"x"}}');
CREATE INDEX text ON k (t);
CREATE UNIQUE INDEX mixed ON k (c, t);
CREATE INDEX unknown ON k (not_there);
ALTER TABLE k ADD INDEX more (t), ADD INDEX beginning (t(3));
CREATE INDEX whole ON k (_doc);
CREATE TABLE closed (id INT PRIMARY KEY, t TEXT, j JSON, KEY (nothing));
CREATE TABLE closed (id INT PRIMARY KEY, t TEXT, j JSON);
CREATE INDEX t ON closed (t);
CREATE INDEX j ON closed (j);
CREATE INDEX n ON closed (nothing)
----
ok, 0 rows
ok, 2 rows
ERROR 1062 (23000): Duplicate entry 'x' for key 'k.a.b'
ok, 0 rows
ok, 0 rows
ok, 0 rows
ok, 0 rows
ERROR 3152 (42000): JSON column '_doc' supports indexing only via generated columns on a specified JSON path
ERROR 1072 (42000): Key column 'nothing' doesn't exist in table
ok, 0 rows
ERROR 1170 (42000): blob/text column 't' used in key specification without a key length
ERROR 3152 (42000): JSON column 'j' supports indexing only via generated columns on a specified JSON path
ERROR 1072 (42000): Key column 'nothing' doesn't exist in table

query
SHOW CREATE TABLE k
----
Table | Create Table
k | CREATE TABLE `k` (
  `_id` int NOT NULL,
  `n` int,
  `a.b` longtext DEFAULT NULL COMMENT '2 of 2: string',
  `c` bigint DEFAULT NULL COMMENT '1 of 2: number',
  `t` json DEFAULT NULL COMMENT '2 of 2: 1 number, 1 string',
  `_doc` json,
  PRIMARY KEY (`_id`),
  UNIQUE KEY `a.b` (`a.b`),
  KEY `nc` (`n`,`c`) COMMENT 'two',
  KEY `n` (`n`),
  KEY `text` (`t`),
  UNIQUE KEY `mixed` (`c`,`t`),
  KEY `unknown` (`not_there`),
  KEY `more` (`t`),
  KEY `beginning` (`t`(3))
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_as_cs

query
SHOW INDEX FROM k WHERE Key_name IN ('mixed', 'a.b')
----
Table | Non_unique | Key_name | Seq_in_index | Column_name | Collation | Cardinality | Sub_part | Packed | Null | Index_type | Comment | Index_comment | Visible | Expression
k | 0 | a.b | 1 | a.b | A | 2 | NULL | NULL | YES | BTREE |  |  | YES | NULL
k | 0 | mixed | 1 | c | A | 2 | NULL | NULL | YES | BTREE |  |  | YES | NULL
k | 0 | mixed | 2 | t | A | 2 | NULL | NULL | YES | BTREE |  |  | YES | NULL
k | 1 | a.b | 1 | a.b | A | 2 | NULL | NULL |  | BTREE |  | cardinality: exact | YES | NULL

# Statements of SHOW that the engine's parser does not know.

query
SHOW STORAGE ENGINES
----
Engine | Support | Comment | Transactions | XA | Savepoints
sqlfdb | DEFAULT | JSON documents, every keypath indexed; transactions | YES | NO | YES
BUCKET | YES | JSON documents in an object store, as files; indexes that are declared | NO | NO | NO

query
SHOW OPEN TABLES FROM d
----
Database | Table | In_use | Name_locked

query
SHOW PROFILES
----
Query_ID | Duration | Query

query
SHOW TABLE STATUS FROM d WHERE rows > 2 AND name = 'o'
----
Name | Engine | Version | Row_format | Rows | Avg_row_length | Data_length | Max_data_length | Index_length | Data_free | Auto_increment | Create_time | Update_time | Check_time | Collation | Checksum | Create_options | Comment
o | sqlfdb | 10 | Dynamic | 3 | 42 | 127 | 0 | 430 | 0 | NULL | NULL | NULL | NULL | utf8mb4_0900_as_cs | NULL | ENGINE_ATTRIBUTE='{"max_depth":3}' | it's open

# A statement of a dump program for MySQL 5 and MariaDB.

exec
SET SQL_MODE = CONCAT(@@sql_mode, ',NO_AUTO_CREATE_USER,NO_KEY_OPTIONS')
----
ok, 0 rows

query
SELECT @@sql_mode
----
@@sql_mode
ONLY_FULL_GROUP_BY,STRICT_TRANS_TABLES,NO_ENGINE_SUBSTITUTION

# The engine's answers about the current database, whatever is asked for.
query
SHOW EVENTS FROM d
----
Db | Name | Definer | Time zone | Type | Execute at | Interval value | Interval field | Starts | Ends | Status | Originator | CHARACTER_SET_CLIENT | COLLATION_CONNECTION | Database Collation

query
SHOW EVENTS FROM d LIKE 'a%'
----
Db | Name | Definer | Time zone | Type | Execute at | Interval value | Interval field | Starts | Ends | Status | Originator | CHARACTER_SET_CLIENT | COLLATION_CONNECTION | Database Collation

query
SHOW EVENTS FROM d WHERE Name = 'a'
----
Db | Name | Definer | Time zone | Type | Execute at | Interval value | Interval field | Starts | Ends | Status | Originator | CHARACTER_SET_CLIENT | COLLATION_CONNECTION | Database Collation

query
SHOW EVENTS FROM nothing
----
ERROR 1049 (42000): Unknown database 'nothing'

query
SELECT @@version, VERSION(), @@global.version
----
@@version | VERSION() | @@global.version
8.0.31-sqlfdb | 8.0.31-sqlfdb | 8.0.31-sqlfdb

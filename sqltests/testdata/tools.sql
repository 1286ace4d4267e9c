# What tools send when they connect and browse, for a table that is declared, one that is open, and a view. What
# Metabase, Superset, Grafana, DBeaver, Connector/J, Connector/NET and the ODBC driver send is told anew, after their
# public sources. The sources of Tableau, Power BI, Looker and Looker Studio are not public: of them there are the
# statements of the drivers that they use, and charts of the shape that they are known to make.
exec
CREATE TABLE customers (id INT NOT NULL AUTO_INCREMENT PRIMARY KEY, name VARCHAR(60) NOT NULL COMMENT 'as billed',
  email VARCHAR(120), joined DATE, UNIQUE KEY email (email));
CREATE TABLE sales (id BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY, customer_id INT NOT NULL, placed DATETIME NOT NULL,
  total DECIMAL(10,2) NOT NULL DEFAULT 0.00, status ENUM('open','paid') DEFAULT 'open', paid TINYINT(1), note TEXT,
  KEY placed (placed, total),
  CONSTRAINT of_customer FOREIGN KEY (customer_id) REFERENCES customers (id) ON DELETE CASCADE) COMMENT='what was sold';
CREATE TABLE events (_id VARCHAR(255) PRIMARY KEY, _doc JSON);
INSERT INTO events (_doc) VALUES ('{"_id":"a","at":"2024-03-01T10:00:00Z","user":{"name":"Zoë","age":41},"tags":["x"]}'),
  ('{"_id":"b","at":"2024-03-02T10:00:00Z","user":{"name":"Ana"},"n":2.5}');
CREATE VIEW paid AS SELECT id, total FROM sales WHERE status = 'paid';
INSERT INTO customers (name, email, joined) VALUES ('Ana', 'ana@example.com', '2024-01-05'), ('Zoë', NULL, '2024-02-10');
INSERT INTO sales (customer_id, placed, total, status, paid) VALUES (1, '2024-03-01 10:00:00', 12.50, 'paid', 1),
  (1, '2024-03-02 11:30:00', 7.25, 'open', 0), (2, '2024-04-01 09:15:00', 99.90, 'paid', 1)
----
ok, 0 rows
ok, 0 rows
ok, 0 rows
ok, 2 rows
ok, 0 rows
ok, 2 rows, id 1
ok, 3 rows, id 1

# Metabase: its time zone, tables with sizes, columns, keys, privileges, samples, and a chart by month.
query
SELECT @@GLOBAL.time_zone AS global_tz, TIME_FORMAT(TIMEDIFF(NOW(), CONVERT_TZ(NOW(), @@GLOBAL.time_zone, '+00:00')), '%H:%i') AS offset
----
global_tz | offset
SYSTEM | 00:00

query
SELECT table_schema, table_name, table_type, table_comment, table_rows FROM information_schema.tables WHERE table_schema = 'd' ORDER BY table_name
----
TABLE_SCHEMA | TABLE_NAME | TABLE_TYPE | TABLE_COMMENT | TABLE_ROWS
d | customers | BASE TABLE |  | 2
d | events | BASE TABLE |  | 2
d | paid | VIEW | VIEW | NULL
d | sales | BASE TABLE | what was sold | 3

query
SELECT c.column_name AS `name`, c.ordinal_position - 1 AS `position`, c.table_name AS `table-name`, UPPER(c.data_type) AS `database-type`,
c.extra = 'auto_increment' AS `database-is-auto-increment`, c.is_nullable = 'NO' AND c.column_default IS NULL AS `required`,
c.column_key = 'PRI' AS `pk?`, NULLIF(c.column_comment, '') AS `field-comment`
FROM information_schema.columns AS c WHERE c.table_schema NOT IN ('information_schema', 'mysql', 'performance_schema', 'sys', 'sqlfdb')
AND c.table_name IN ('sales', 'events') ORDER BY `table-name`, `position`
----
name | position | table-name | database-type | database-is-auto-increment | required | pk? | field-comment
_id | 0 | events | VARCHAR | 0 | 1 | 1 | NULL
at | 1 | events | LONGTEXT | 0 | 0 | 0 | 2 of 2: string
user.name | 2 | events | LONGTEXT | 0 | 0 | 0 | 2 of 2: string
user.age | 3 | events | BIGINT | 0 | 0 | 0 | 1 of 2: number
tags | 4 | events | JSON | 0 | 0 | 0 | 1 of 2: array
n | 5 | events | DOUBLE | 0 | 0 | 0 | 1 of 2: number
id | 0 | sales | BIGINT | 1 | 1 | 1 | NULL
customer_id | 1 | sales | INT | 0 | 1 | 0 | NULL
placed | 2 | sales | DATETIME | 0 | 1 | 0 | NULL
total | 3 | sales | DECIMAL | 0 | 0 | 0 | NULL
status | 4 | sales | ENUM | 0 | 0 | 0 | NULL
paid | 5 | sales | TINYINT | 0 | 0 | 0 | NULL
note | 6 | sales | TEXT | 0 | 0 | 0 | NULL

query
SELECT a.table_name AS `fk-table-name`, a.column_name AS `fk-column-name`, a.referenced_table_name AS `pk-table-name`,
a.referenced_column_name AS `pk-column-name` FROM information_schema.key_column_usage AS a
JOIN information_schema.table_constraints AS b USING (constraint_schema, constraint_name, table_name)
WHERE b.constraint_type = 'FOREIGN KEY' AND a.referenced_table_schema IS NOT NULL AND a.table_schema = 'd' ORDER BY 1, 2
----
fk-table-name | fk-column-name | pk-table-name | pk-column-name
sales | customer_id | customers | id

query
SELECT table_name, index_name, seq_in_index, column_name FROM information_schema.statistics WHERE table_schema = 'd' ORDER BY 1, 2, 3
----
TABLE_NAME | INDEX_NAME | SEQ_IN_INDEX | COLUMN_NAME
customers | email | 1 | email
customers | PRIMARY | 1 | id
events | PRIMARY | 1 | _id
sales | of_customer | 1 | customer_id
sales | placed | 1 | placed
sales | placed | 2 | total
sales | PRIMARY | 1 | id

query
SELECT STR_TO_DATE(CONCAT(DATE_FORMAT(`sales`.`placed`, '%Y-%m'), '-01'), '%Y-%m-%d') AS `placed`, SUM(`sales`.`total`) AS `sum`
FROM `sales` GROUP BY STR_TO_DATE(CONCAT(DATE_FORMAT(`sales`.`placed`, '%Y-%m'), '-01'), '%Y-%m-%d')
ORDER BY STR_TO_DATE(CONCAT(DATE_FORMAT(`sales`.`placed`, '%Y-%m'), '-01'), '%Y-%m-%d') ASC
----
placed | sum
2024-03-01 | 19.75
2024-04-01 | 99.90

query
SELECT `source`.`id` AS `id`, `Customers`.`name` AS `Customers__name` FROM (SELECT `sales`.`id` AS `id`, `sales`.`customer_id` AS `customer_id`
FROM `sales` WHERE `sales`.`paid` = TRUE) AS `source` LEFT JOIN `customers` AS `Customers` ON `source`.`customer_id` = `Customers`.`id` LIMIT 1048575
----
id | Customers__name
1 | Ana
3 | Zoë

# Superset, by SQLAlchemy's reflection.
query
SELECT DATABASE(), @@version_comment, @@lower_case_table_names
----
DATABASE() | @@version_comment | @@lower_case_table_names
d | sqlfdb | 0

query
SHOW VARIABLES LIKE 'sql_mode'
----
Variable_name | Value
sql_mode | NO_ENGINE_SUBSTITUTION,ONLY_FULL_GROUP_BY,STRICT_TRANS_TABLES

query
SHOW FULL TABLES FROM `d`
----
Tables_in_d | Table_type
customers | BASE TABLE
events | BASE TABLE
paid | VIEW
sales | BASE TABLE

query
SHOW CREATE TABLE `sales`
----
Table | Create Table
sales | CREATE TABLE `sales` (
  `id` bigint NOT NULL AUTO_INCREMENT,
  `customer_id` int NOT NULL,
  `placed` datetime NOT NULL,
  `total` decimal(10,2) NOT NULL DEFAULT '0.00',
  `status` enum('open','paid') DEFAULT 'open',
  `paid` tinyint(1),
  `note` text,
  PRIMARY KEY (`id`),
  KEY `of_customer` (`customer_id`),
  KEY `placed` (`placed`,`total`),
  CONSTRAINT `of_customer` FOREIGN KEY (`customer_id`) REFERENCES `customers` (`id`) ON DELETE CASCADE
) AUTO_INCREMENT=4 DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_as_cs COMMENT='what was sold'

query
SHOW CREATE TABLE `events`
----
Table | Create Table
events | CREATE TABLE `events` (
  `_id` varchar(255) NOT NULL,
  `at` longtext DEFAULT NULL COMMENT '2 of 2: string',
  `user.name` longtext DEFAULT NULL COMMENT '2 of 2: string',
  `user.age` bigint DEFAULT NULL COMMENT '1 of 2: number',
  `tags` json DEFAULT NULL COMMENT '1 of 2: array',
  `n` double DEFAULT NULL COMMENT '1 of 2: number',
  `_doc` json,
  PRIMARY KEY (`_id`)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_as_cs

query
SHOW CREATE TABLE `paid`
----
View | Create View | character_set_client | collation_connection
paid | CREATE VIEW `paid` AS SELECT id, total FROM sales WHERE status = 'paid' | utf8mb4 | utf8mb4_0900_bin

query
SELECT table_schema, table_name, column_name FROM information_schema.columns WHERE (table_schema, table_name, LOWER(column_name)) IN (('d', 'customers', 'id'))
----
TABLE_SCHEMA | TABLE_NAME | COLUMN_NAME
d | customers | id

query
SELECT DATE(placed) AS __timestamp, COUNT(*) AS count FROM sales WHERE placed >= STR_TO_DATE('2024-03-01 00:00:00.000000', '%Y-%m-%d %H:%i:%s.%f')
AND placed < STR_TO_DATE('2024-05-01 00:00:00.000000', '%Y-%m-%d %H:%i:%s.%f') GROUP BY DATE(placed) ORDER BY count DESC, __timestamp LIMIT 10000
----
__timestamp | count
2024-03-01 | 1
2024-03-02 | 1
2024-04-01 | 1

query
SELECT DATE_ADD(DATE(placed), INTERVAL HOUR(placed) HOUR) AS hour, SUM(total) AS total FROM sales GROUP BY DATE_ADD(DATE(placed), INTERVAL HOUR(placed) HOUR) ORDER BY hour
----
hour | total
2024-03-01 10:00:00 | 12.50
2024-03-02 11:00:00 | 7.25
2024-04-01 09:00:00 | 99.90

# Grafana: its editor, and a series of times.
query
SELECT DISTINCT TABLE_SCHEMA FROM information_schema.TABLES WHERE TABLE_TYPE != 'SYSTEM VIEW' ORDER BY TABLE_SCHEMA
----
TABLE_SCHEMA
d

query
SELECT table_name FROM information_schema.tables WHERE table_schema = 'd' ORDER BY table_name
----
TABLE_NAME
customers
events
paid
sales

query
SELECT column_name, data_type FROM information_schema.columns WHERE table_schema = DATABASE() AND table_name = 'sales'
AND data_type IN ('timestamp','datetime','bigint','int','double','float') ORDER BY column_name
----
COLUMN_NAME | DATA_TYPE
customer_id | int
id | bigint
placed | datetime

query
SELECT column_name, data_type FROM information_schema.columns WHERE table_schema = 'd' AND table_name = 'events'
AND data_type IN ('text','tinytext','mediumtext','longtext','varchar','char') ORDER BY column_name
----
COLUMN_NAME | DATA_TYPE
_id | varchar
at | longtext
user.name | longtext

query
SELECT UNIX_TIMESTAMP(placed) DIV 86400 * 86400 AS "time", AVG(total) AS "total", status AS metric FROM sales
WHERE placed BETWEEN FROM_UNIXTIME(1709251200) AND FROM_UNIXTIME(1714521600) GROUP BY 1, 3 ORDER BY 1
----
time | total | metric
1709251200 | 12.500000 | paid
1709337600 | 7.250000 | open
1711929600 | 99.900000 | paid

# DBeaver.
query
SELECT * FROM information_schema.SCHEMATA WHERE SCHEMA_NAME = 'd'
----
CATALOG_NAME | SCHEMA_NAME | DEFAULT_CHARACTER_SET_NAME | DEFAULT_COLLATION_NAME | SQL_PATH | DEFAULT_ENCRYPTION
def | d | utf8mb4 | utf8mb4_0900_as_cs | NULL | NO

query
SHOW FULL TABLES FROM `d` LIKE 'sales'
----
Tables_in_d | Table_type
sales | BASE TABLE

query
SHOW TABLE STATUS FROM `d` LIKE 'sales'
----
Name | Engine | Version | Row_format | Rows | Avg_row_length | Data_length | Max_data_length | Index_length | Data_free | Auto_increment | Create_time | Update_time | Check_time | Collation | Checksum | Create_options | Comment
sales | sqlfdb | 10 | Dynamic | 3 | 93 | 281 | 0 | 560 | 0 | 4 | NULL | NULL | NULL | utf8mb4_0900_as_cs | NULL |  | what was sold

query
SELECT COLUMN_NAME, ORDINAL_POSITION, COLUMN_DEFAULT, IS_NULLABLE, DATA_TYPE, CHARACTER_MAXIMUM_LENGTH, NUMERIC_PRECISION, NUMERIC_SCALE,
COLUMN_TYPE, COLUMN_KEY, EXTRA FROM information_schema.COLUMNS WHERE TABLE_SCHEMA = 'd' AND TABLE_NAME = 'sales' ORDER BY ORDINAL_POSITION
----
COLUMN_NAME | ORDINAL_POSITION | COLUMN_DEFAULT | IS_NULLABLE | DATA_TYPE | CHARACTER_MAXIMUM_LENGTH | NUMERIC_PRECISION | NUMERIC_SCALE | COLUMN_TYPE | COLUMN_KEY | EXTRA
id | 1 | NULL | NO | bigint | NULL | 19 | 0 | bigint | PRI | auto_increment
customer_id | 2 | NULL | NO | int | NULL | 10 | 0 | int | MUL |
placed | 3 | NULL | NO | datetime | NULL | NULL | NULL | datetime | MUL |
total | 4 | 0.00 | NO | decimal | NULL | 10 | 2 | decimal(10,2) |  |
status | 5 | open | YES | enum | 4 | NULL | NULL | enum('open','paid') |  |
paid | 6 | NULL | YES | tinyint | NULL | 3 | 0 | tinyint(1) |  |
note | 7 | NULL | YES | text | 16383 | NULL | NULL | text |  |

query
SELECT INDEX_NAME, NON_UNIQUE, SEQ_IN_INDEX, COLUMN_NAME, COLLATION, SUB_PART, NULLABLE, INDEX_TYPE FROM INFORMATION_SCHEMA.STATISTICS
WHERE TABLE_SCHEMA = 'd' AND TABLE_NAME = 'sales' ORDER BY TABLE_NAME, INDEX_NAME, SEQ_IN_INDEX
----
INDEX_NAME | NON_UNIQUE | SEQ_IN_INDEX | COLUMN_NAME | COLLATION | SUB_PART | NULLABLE | INDEX_TYPE
of_customer | 1 | 1 | customer_id | A | NULL |  | BTREE
placed | 1 | 1 | placed | A | NULL |  | BTREE
placed | 1 | 2 | total | A | NULL |  | BTREE
PRIMARY | 0 | 1 | id | A | NULL |  | BTREE

query
SELECT kc.CONSTRAINT_NAME, kc.TABLE_NAME, kc.COLUMN_NAME, kc.ORDINAL_POSITION FROM INFORMATION_SCHEMA.KEY_COLUMN_USAGE kc
WHERE kc.TABLE_SCHEMA = 'd' AND kc.REFERENCED_TABLE_NAME IS NULL ORDER BY kc.CONSTRAINT_NAME, kc.TABLE_NAME, kc.ORDINAL_POSITION
----
CONSTRAINT_NAME | TABLE_NAME | COLUMN_NAME | ORDINAL_POSITION
email | customers | email | 1
PRIMARY | customers | id | 1
PRIMARY | events | _id | 1
PRIMARY | sales | id | 1

query
SELECT cc.CONSTRAINT_NAME, cc.CHECK_CLAUSE, tc.TABLE_NAME FROM INFORMATION_SCHEMA.CHECK_CONSTRAINTS cc
JOIN INFORMATION_SCHEMA.TABLE_CONSTRAINTS tc ON cc.CONSTRAINT_SCHEMA = tc.CONSTRAINT_SCHEMA AND cc.CONSTRAINT_NAME = tc.CONSTRAINT_NAME
WHERE tc.TABLE_SCHEMA = 'd' AND tc.CONSTRAINT_TYPE = 'CHECK'
----
CONSTRAINT_NAME | CHECK_CLAUSE | TABLE_NAME

query
SELECT * FROM information_schema.ROUTINES WHERE ROUTINE_SCHEMA = 'd' ORDER BY ROUTINE_NAME
----
SPECIFIC_NAME | ROUTINE_CATALOG | ROUTINE_SCHEMA | ROUTINE_NAME | ROUTINE_TYPE | DATA_TYPE | CHARACTER_MAXIMUM_LENGTH | CHARACTER_OCTET_LENGTH | NUMERIC_PRECISION | NUMERIC_SCALE | DATETIME_PRECISION | CHARACTER_SET_NAME | COLLATION_NAME | DTD_IDENTIFIER | ROUTINE_BODY | ROUTINE_DEFINITION | EXTERNAL_NAME | EXTERNAL_LANGUAGE | PARAMETER_STYLE | IS_DETERMINISTIC | SQL_DATA_ACCESS | SQL_PATH | SECURITY_TYPE | CREATED | LAST_ALTERED | SQL_MODE | ROUTINE_COMMENT | DEFINER | CHARACTER_SET_CLIENT | COLLATION_CONNECTION | DATABASE_COLLATION

query
SHOW FULL TRIGGERS FROM `d`
----
Trigger | Event | Table | Statement | Timing | Created | sql_mode | Definer | character_set_client | collation_connection | Database Collation

query
SELECT * FROM information_schema.EVENTS WHERE EVENT_SCHEMA = 'd'
----
EVENT_CATALOG | EVENT_SCHEMA | EVENT_NAME | DEFINER | TIME_ZONE | EVENT_BODY | EVENT_DEFINITION | EVENT_TYPE | EXECUTE_AT | INTERVAL_VALUE | INTERVAL_FIELD | SQL_MODE | STARTS | ENDS | STATUS | ON_COMPLETION | CREATED | LAST_ALTERED | LAST_EXECUTED | EVENT_COMMENT | ORIGINATOR | CHARACTER_SET_CLIENT | COLLATION_CONNECTION | DATABASE_COLLATION

query
SELECT PARTITION_NAME FROM INFORMATION_SCHEMA.PARTITIONS WHERE TABLE_SCHEMA = 'd' AND TABLE_NAME = 'sales'
----
PARTITION_NAME

query
SELECT TABLE_NAME, IS_UPDATABLE FROM INFORMATION_SCHEMA.VIEWS WHERE TABLE_SCHEMA = 'd' AND TABLE_NAME = 'paid'
----
TABLE_NAME | IS_UPDATABLE
paid | YES

# Tableau and Power BI, by drivers of ODBC and Connector/NET.
exec
SET NAMES utf8mb4;
SET character_set_results = NULL;
SET SQL_AUTO_IS_NULL = 0;
SET autocommit = 1;
SET sql_select_limit = 18446744073709551615
----
ok, 0 rows
ok, 0 rows
ok, 0 rows
ok, 0 rows
ok, 0 rows

query
SELECT TABLE_SCHEMA AS TABLE_CAT, NULL AS TABLE_SCHEM, TABLE_NAME, IF(TABLE_TYPE = 'BASE TABLE' OR TABLE_TYPE = 'SYSTEM VERSIONED', 'TABLE', TABLE_TYPE) AS TABLE_TYPE,
TABLE_COMMENT AS REMARKS FROM INFORMATION_SCHEMA.TABLES WHERE TABLE_SCHEMA = 'd' AND (TABLE_TYPE IN ('BASE TABLE', 'VIEW')) ORDER BY TABLE_SCHEMA, TABLE_NAME
----
TABLE_CAT | TABLE_SCHEM | TABLE_NAME | TABLE_TYPE | REMARKS
d | NULL | customers | TABLE |
d | NULL | events | TABLE |
d | NULL | paid | VIEW | VIEW
d | NULL | sales | TABLE | what was sold

query
SELECT TABLE_NAME, COLUMN_NAME, ORDINAL_POSITION AS KEY_SEQ, 'PRIMARY' AS PK_NAME FROM INFORMATION_SCHEMA.COLUMNS
WHERE COLUMN_KEY = 'pri' AND TABLE_SCHEMA = BINARY 'd' AND TABLE_NAME = BINARY 'sales' ORDER BY TABLE_SCHEMA, TABLE_NAME, ORDINAL_POSITION
----
TABLE_NAME | COLUMN_NAME | KEY_SEQ | PK_NAME
sales | id | 1 | PRIMARY

query
SELECT A.REFERENCED_TABLE_NAME AS PKTABLE_NAME, A.REFERENCED_COLUMN_NAME AS PKCOLUMN_NAME, A.TABLE_NAME AS FKTABLE_NAME, A.COLUMN_NAME AS FKCOLUMN_NAME,
A.POSITION_IN_UNIQUE_CONSTRAINT AS KEY_SEQ, RC.UPDATE_RULE, RC.DELETE_RULE, A.CONSTRAINT_NAME AS FK_NAME FROM INFORMATION_SCHEMA.KEY_COLUMN_USAGE A
JOIN INFORMATION_SCHEMA.REFERENTIAL_CONSTRAINTS RC ON RC.CONSTRAINT_SCHEMA = A.CONSTRAINT_SCHEMA AND RC.CONSTRAINT_NAME = A.CONSTRAINT_NAME
WHERE A.TABLE_SCHEMA = 'd' AND A.REFERENCED_TABLE_NAME = 'customers' ORDER BY FKTABLE_NAME, KEY_SEQ
----
PKTABLE_NAME | PKCOLUMN_NAME | FKTABLE_NAME | FKCOLUMN_NAME | KEY_SEQ | UPDATE_RULE | DELETE_RULE | FK_NAME
customers | id | sales | customer_id | 1 | NO ACTION | CASCADE | of_customer

query
SHOW KEYS FROM `d`.`sales`
----
Table | Non_unique | Key_name | Seq_in_index | Column_name | Collation | Cardinality | Sub_part | Packed | Null | Index_type | Comment | Index_comment | Visible | Expression
sales | 0 | PRIMARY | 1 | id | A | 3 | NULL | NULL |  | BTREE |  |  | YES | NULL
sales | 1 | of_customer | 1 | customer_id | A | 3 | NULL | NULL |  | BTREE |  |  | YES | NULL
sales | 1 | placed | 1 | placed | A | 3 | NULL | NULL |  | BTREE |  |  | YES | NULL
sales | 1 | placed | 2 | total | A | 3 | NULL | NULL |  | BTREE |  |  | YES | NULL

query
SHOW FULL COLUMNS FROM `d`.`events`
----
Field | Type | Collation | Null | Key | Default | Extra | Privileges | Comment
_id | varchar(255) | utf8mb4_0900_bin | NO | PRI | NULL |  | insert,references,select,update |
at | longtext | utf8mb4_0900_as_cs | YES |  | NULL |  | insert,references,select,update | 2 of 2: string
user.name | longtext | utf8mb4_0900_as_cs | YES |  | NULL |  | insert,references,select,update | 2 of 2: string
user.age | bigint | NULL | YES |  | NULL |  | insert,references,select,update | 1 of 2: number
tags | json | NULL | YES |  | NULL |  | insert,references,select,update | 1 of 2: array
n | double | NULL | YES |  | NULL |  | insert,references,select,update | 1 of 2: number

query
SELECT `sales`.`status` AS `status`, SUM(`sales`.`total`) AS `sum:total:ok` FROM `sales` GROUP BY 1 ORDER BY 1
----
status | sum:total:ok
open | 7.25
paid | 112.40

query
SELECT `status`, SUM(`total`) AS `a0`, COUNT(DISTINCT `customer_id`) AS `a1` FROM (SELECT `id`, `customer_id`, `total`, `status` FROM `d`.`sales`) AS `_` GROUP BY `status` ORDER BY `status` LIMIT 1001
----
status | a0 | a1
open | 7.25 | 1
paid | 112.40 | 2

query
SHOW VARIABLES WHERE Variable_name IN ('max_allowed_packet', 'lower_case_table_names', 'sql_mode', 'autocommit')
----
Variable_name | Value
autocommit | ON
lower_case_table_names | 0
max_allowed_packet | 67108864
sql_mode | NO_ENGINE_SUBSTITUTION,ONLY_FULL_GROUP_BY,STRICT_TRANS_TABLES

# Looker Studio, by Connector/J.
query
SELECT @@session.auto_increment_increment AS auto_increment_increment, @@character_set_client AS character_set_client,
@@character_set_connection AS character_set_connection, @@character_set_results AS character_set_results, @@init_connect AS init_connect,
@@interactive_timeout AS interactive_timeout, @@license AS license, @@lower_case_table_names AS lower_case_table_names,
@@net_write_timeout AS net_write_timeout, @@sql_mode AS sql_mode, @@time_zone AS time_zone, @@transaction_isolation AS transaction_isolation,
@@wait_timeout AS wait_timeout
----
auto_increment_increment | character_set_client | character_set_connection | character_set_results | init_connect | interactive_timeout | license | lower_case_table_names | net_write_timeout | sql_mode | time_zone | transaction_isolation | wait_timeout
1 | utf8mb4 | utf8mb4 |  |  | 28800 | GPL | 0 | 60 | NO_ENGINE_SUBSTITUTION,ONLY_FULL_GROUP_BY,STRICT_TRANS_TABLES | SYSTEM | SERIALIZABLE | 28800

query
SELECT clmn0_, SUM(clmn1_) AS total FROM (SELECT DATE_FORMAT(t0.placed, '%Y%m%d') AS clmn0_, t0.total AS clmn1_ FROM (SELECT * FROM sales) t0) t GROUP BY clmn0_ ORDER BY clmn0_ ASC LIMIT 100
----
clmn0_ | total
20240301 | 12.50
20240302 | 7.25
20240401 | 99.90

query
CHECK TABLE customers, sales, events
----
Table | Op | Msg_type | Msg_text
d.customers | check | status | OK
d.sales | check | status | OK
d.events | check | status | OK

# MySQL's default is no limit, and so it is when a driver sets it; another is one.
exec
SET sql_select_limit = 2
----
ok, 0 rows

query
SELECT id, @@sql_select_limit FROM sales ORDER BY id
----
id | @@sql_select_limit
1 | 2
2 | 2

exec
SET sql_select_limit = DEFAULT
----
ok, 0 rows

query
SELECT id, @@sql_select_limit FROM sales ORDER BY id
----
id | @@sql_select_limit
1 | 18446744073709551615
2 | 18446744073709551615
3 | 18446744073709551615

# Superset's grains of time: weeks that begin on Sunday and on Monday, months, quarters, years.
query
SELECT DATE(DATE_SUB(placed, INTERVAL DAYOFWEEK(placed) - 1 DAY)) AS sunday,
DATE(DATE_SUB(placed, INTERVAL DAYOFWEEK(DATE_SUB(placed, INTERVAL 1 DAY)) - 1 DAY)) AS monday,
DATE(DATE_SUB(placed, INTERVAL DAYOFMONTH(placed) - 1 DAY)) AS month,
MAKEDATE(YEAR(placed), 1) + INTERVAL QUARTER(placed) QUARTER - INTERVAL 1 QUARTER AS quarter,
DATE(DATE_SUB(placed, INTERVAL DAYOFYEAR(placed) - 1 DAY)) AS year, COUNT(*) AS count FROM sales GROUP BY 1, 2, 3, 4, 5 ORDER BY 1
----
sunday | monday | month | quarter | year | count
2024-02-25 | 2024-02-26 | 2024-03-01 | 2024-01-01 | 2024-01-01 | 2
2024-03-31 | 2024-04-01 | 2024-04-01 | 2024-04-01 | 2024-01-01 | 1

# Superset's grains of seconds and minutes.
query
SELECT DATE_ADD(DATE(placed), INTERVAL (HOUR(placed)*60*60 + MINUTE(placed)*60 + SECOND(placed)) SECOND) AS second,
DATE_ADD(DATE(placed), INTERVAL (HOUR(placed)*60 + MINUTE(placed)) MINUTE) AS minute, SUM(total) AS total FROM sales GROUP BY 1, 2 ORDER BY 1
----
second | minute | total
2024-03-01 10:00:00 | 2024-03-01 10:00:00 | 12.50
2024-03-02 11:30:00 | 2024-03-02 11:30:00 | 7.25
2024-04-01 09:15:00 | 2024-04-01 09:15:00 | 99.90

# Connector/NET, which Power BI uses.
query
SELECT TABLE_NAME, TABLE_TYPE FROM INFORMATION_SCHEMA.TABLES WHERE TABLE_TYPE != 'VIEW' AND TABLE_SCHEMA LIKE 'd' ORDER BY TABLE_NAME
----
TABLE_NAME | TABLE_TYPE
customers | BASE TABLE
events | BASE TABLE
sales | BASE TABLE

query
SELECT COLUMN_NAME, DATA_TYPE, COLUMN_DEFAULT FROM INFORMATION_SCHEMA.COLUMNS WHERE TABLE_SCHEMA LIKE 'd' AND TABLE_NAME LIKE 'customers' ORDER BY ORDINAL_POSITION
----
COLUMN_NAME | DATA_TYPE | COLUMN_DEFAULT
id | int | NULL
name | varchar | NULL
email | varchar | NULL
joined | date | NULL

query
SELECT C.table_name, C.column_name, C.data_type FROM information_schema.columns C JOIN information_schema.views V ON C.table_schema=V.table_schema AND C.table_name=V.table_name  WHERE C.table_schema='d' AND C.table_name='paid'
----
TABLE_NAME | COLUMN_NAME | DATA_TYPE
paid | id | bigint
paid | total | decimal

query
SELECT TABLE_NAME, IS_UPDATABLE FROM INFORMATION_SCHEMA.VIEWS WHERE TABLE_SCHEMA LIKE 'd'
----
TABLE_NAME | IS_UPDATABLE
paid | YES

query
SELECT * FROM INFORMATION_SCHEMA.TRIGGERS WHERE TRIGGER_SCHEMA LIKE 'd'
----
TRIGGER_CATALOG | TRIGGER_SCHEMA | TRIGGER_NAME | EVENT_MANIPULATION | EVENT_OBJECT_CATALOG | EVENT_OBJECT_SCHEMA | EVENT_OBJECT_TABLE | ACTION_ORDER | ACTION_CONDITION | ACTION_STATEMENT | ACTION_ORIENTATION | ACTION_TIMING | ACTION_REFERENCE_OLD_TABLE | ACTION_REFERENCE_NEW_TABLE | ACTION_REFERENCE_OLD_ROW | ACTION_REFERENCE_NEW_ROW | CREATED | SQL_MODE | DEFINER | CHARACTER_SET_CLIENT | COLLATION_CONNECTION | DATABASE_COLLATION

query
SELECT * FROM INFORMATION_SCHEMA.PARAMETERS WHERE 1=2
----
SPECIFIC_CATALOG | SPECIFIC_SCHEMA | SPECIFIC_NAME | ORDINAL_POSITION | PARAMETER_MODE | PARAMETER_NAME | DATA_TYPE | CHARACTER_MAXIMUM_LENGTH | CHARACTER_OCTET_LENGTH | NUMERIC_PRECISION | NUMERIC_SCALE | DATETIME_PRECISION | CHARACTER_SET_NAME | COLLATION_NAME | DTD_IDENTIFIER | ROUTINE_TYPE

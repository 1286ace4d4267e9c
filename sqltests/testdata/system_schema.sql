# The databases mysql, performance_schema and sys: read-only, most of their tables empty.

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

query
SELECT schema_name FROM information_schema.schemata
----
SCHEMA_NAME
information_schema
sqlfdb
mysql
performance_schema
sys
d

query
SHOW TABLES FROM mysql
----
Tables_in_mysql
columns_priv
component
db
default_roles
engine_cost
event
func
general_log
global_grants
gtid_executed
help_category
help_keyword
help_relation
help_topic
innodb_index_stats
innodb_table_stats
password_history
plugin
proc
procs_priv
proxies_priv
role_edges
server_cost
servers
slow_log
tables_priv
time_zone
time_zone_leap_second
time_zone_name
time_zone_transition
time_zone_transition_type
user

query
SHOW TABLES FROM sys
----
Tables_in_sys
host_summary
innodb_buffer_stats_by_schema
innodb_buffer_stats_by_table
innodb_lock_waits
memory_global_total
metrics
processlist
schema_auto_increment_columns
schema_index_statistics
schema_object_overview
schema_redundant_indexes
schema_table_lock_waits
schema_table_statistics
schema_table_statistics_with_buffer
schema_tables_with_full_table_scans
schema_unused_indexes
session
session_ssl_status
statement_analysis
statements_with_errors_or_warnings
statements_with_full_table_scans
sys_config
user_summary
version

query
SELECT Host, User, plugin, authentication_string, Select_priv, ssl_type, max_questions, account_locked FROM mysql.user
----
Host | User | plugin | authentication_string | Select_priv | ssl_type | max_questions | account_locked
% | root | mysql_native_password |  | Y |  | 0 | N

query
SHOW COLUMNS FROM performance_schema.threads LIKE 'PROCESSLIST%'
----
Field | Type | Null | Key | Default | Extra
PROCESSLIST_ID | bigint unsigned | YES |  | NULL |
PROCESSLIST_USER | varchar(32) | YES |  | NULL |
PROCESSLIST_HOST | varchar(255) | YES |  | NULL |
PROCESSLIST_DB | varchar(64) | YES |  | NULL |
PROCESSLIST_COMMAND | varchar(16) | YES |  | NULL |
PROCESSLIST_TIME | bigint | YES |  | NULL |
PROCESSLIST_STATE | varchar(64) | YES |  | NULL |
PROCESSLIST_INFO | longtext | YES |  | NULL |

exec
UPDATE mysql.user SET authentication_string = '';
INSERT INTO mysql.func VALUES ('a', 1, 'b', 'function');
DELETE FROM mysql.user;
TRUNCATE TABLE mysql.user;
ALTER TABLE mysql.user ADD x INT;
CREATE TABLE mysql.x (a INT);
CREATE TEMPORARY TABLE mysql.x (a INT);
CREATE TABLE performance_schema.x (a INT);
CREATE TABLE sys.x AS SELECT 1;
CREATE VIEW sys.x AS SELECT 1;
CREATE DATABASE mysql;
CREATE DATABASE IF NOT EXISTS Sys;
DROP DATABASE performance_schema;
DROP DATABASE mysql
----
ERROR 1290 (HY000): Database mysql is read-only.
ERROR 1288 (HY000): table doesn't support INSERT INTO
ERROR 1290 (HY000): Database mysql is read-only.
ERROR 1290 (HY000): Database mysql is read-only.
ERROR 1290 (HY000): Database mysql is read-only.
ERROR 1290 (HY000): Database mysql is read-only.
ERROR 1290 (HY000): Database mysql is read-only.
ERROR 1290 (HY000): Database performance_schema is read-only.
ERROR 1290 (HY000): Database sys is read-only.
ERROR 1235 (42000): database sys holds no views
ERROR 1007 (HY000): can't create database mysql; database exists
ok, 1 rows
ERROR 1235 (42000): database performance_schema can't be dropped
ERROR 1235 (42000): database mysql can't be dropped

query
SELECT User FROM mysql.user
----
User
root

# What is known of variables and connections.

query
SELECT * FROM performance_schema.global_variables WHERE variable_name IN ('VERSION', 'autocommit', 'max_connections')
----
VARIABLE_NAME | VARIABLE_VALUE
autocommit | ON
max_connections | 151
version | 8.0.31-sqlfdb

exec
SET sql_mode = 'ANSI_QUOTES'
----
ok, 0 rows

query
SELECT variable_value FROM performance_schema.session_variables WHERE variable_name = 'sql_mode'
----
variable_value
ANSI_QUOTES

exec
SET sql_mode = DEFAULT
----
ok, 0 rows

query
SELECT variable_name FROM performance_schema.global_status WHERE variable_name IN ('Threads_connected', 'UPTIME', 'Questions')
----
variable_name
Questions
Threads_connected
Uptime

query
SELECT USER, DB, COMMAND, STATE FROM performance_schema.processlist WHERE ID = CONNECTION_ID()
----
USER | DB | COMMAND | STATE
root | d | Query | running

query
SELECT NAME, TYPE, PROCESSLIST_USER, PROCESSLIST_DB, HISTORY FROM performance_schema.threads WHERE PROCESSLIST_ID = CONNECTION_ID()
----
NAME | TYPE | PROCESSLIST_USER | PROCESSLIST_DB | HISTORY
thread/sql/one_connection | FOREGROUND | root | d | NO

query
SELECT USER, CURRENT_CONNECTIONS > 0 FROM performance_schema.users
----
USER | CURRENT_CONNECTIONS > 0
root | 1

query
SELECT user, db, command FROM sys.session WHERE conn_id = CONNECTION_ID()
----
user | db | command
root@127.0.0.1 | d | Query

query
SELECT sys_version FROM sys.version
----
sys_version
2.1.2

query
SELECT variable, value FROM sys.sys_config WHERE variable LIKE 'statement%'
----
variable | value
statement_performance_analyzer.limit | 100
statement_performance_analyzer.view | NULL
statement_truncate_len | 64

exec
CREATE TABLE a (id TINYINT UNSIGNED AUTO_INCREMENT PRIMARY KEY);
INSERT INTO a VALUES (NULL), (NULL)
----
ok, 0 rows
ok, 2 rows, id 1

query
SELECT * FROM sys.schema_auto_increment_columns
----
table_schema | table_name | column_name | data_type | column_type | is_signed | is_unsigned | max_value | auto_increment | auto_increment_ratio
d | a | id | tinyint | tinyint unsigned | 0 | 1 | 255 | 3 | 0.0118

# Time zones: Django asks for one, others for names.

query
SELECT 1 FROM mysql.time_zone LIMIT 1
----
1
1

query
SELECT Name FROM mysql.time_zone_name WHERE Name IN ('Europe/Paris', 'UTC', 'Nowhere/None')
----
Name
Europe/Paris
UTC

# Empty ones.

query
SELECT COUNT(*) FROM performance_schema.events_statements_summary_by_digest
----
COUNT(*)
0

query
SELECT * FROM performance_schema.data_locks l JOIN performance_schema.threads t USING (THREAD_ID)
----
ENGINE | ENGINE_LOCK_ID | ENGINE_TRANSACTION_ID | THREAD_ID | EVENT_ID | OBJECT_SCHEMA | OBJECT_NAME | PARTITION_NAME | SUBPARTITION_NAME | INDEX_NAME | OBJECT_INSTANCE_BEGIN | LOCK_TYPE | LOCK_MODE | LOCK_STATUS | LOCK_DATA | NAME | TYPE | PROCESSLIST_ID | PROCESSLIST_USER | PROCESSLIST_HOST | PROCESSLIST_DB | PROCESSLIST_COMMAND | PROCESSLIST_TIME | PROCESSLIST_STATE | PROCESSLIST_INFO | PARENT_THREAD_ID | ROLE | INSTRUMENTED | HISTORY | CONNECTION_TYPE | THREAD_OS_ID | RESOURCE_GROUP | EXECUTION_ENGINE | CONTROLLED_MEMORY | MAX_CONTROLLED_MEMORY | TOTAL_MEMORY | MAX_TOTAL_MEMORY | TELEMETRY_ACTIVE

query
SELECT name FROM mysql.proc WHERE db = 'd'
----
name

query
SELECT table_name FROM sys.schema_redundant_indexes
----
table_name

query
SELECT COUNT(*) FROM mysql.help_topic
----
COUNT(*)
0

exec
USE performance_schema;
USE d
----
ok, 0 rows
ok, 0 rows

query
SELECT * FROM mysql.nothing
----
ERROR 1146 (42S02): Table 'mysql.nothing' doesn't exist

query
SELECT privilege_type, is_grantable FROM information_schema.user_privileges WHERE grantee = '''root''@''%''' LIMIT 2
----
PRIVILEGE_TYPE | IS_GRANTABLE
SELECT | YES
INSERT | YES

query
SELECT * FROM information_schema.user_attributes
----
USER | HOST | ATTRIBUTE
root | % | NULL

query
SELECT COUNT(*) FROM information_schema.schema_privileges
----
COUNT(*)
0

query
CHECK TABLE a
----
Table | Op | Msg_type | Msg_text
d.a | check | status | OK

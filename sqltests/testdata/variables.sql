exec
CREATE TABLE t (_id VARCHAR(255) PRIMARY KEY, _doc JSON);
INSERT INTO t (_doc) VALUES ('{"_id":"a","n":1}'), ('{"_id":"b","n":2}');
SET sqlfdb_full_scans = 'deny';
SELECT * FROM t;
SELECT * FROM t LIMIT 1;
SELECT _id FROM t WHERE _id = 'a';
UPDATE t SET n = n + 1;
SET sqlfdb_full_scans = warn;
UPDATE t SET n = n + 1;
----
ok, 0 rows
ok, 2 rows
ok, 0 rows
ERROR 1175 (HY000): The statement reads all of d.t, and sqlfdb_full_scans is deny; add a condition that a keypath's index can use, or a LIMIT
ok, 0 rows
ok, 0 rows
ERROR 1175 (HY000): The statement reads all of d.t, and sqlfdb_full_scans is deny; add a condition that a keypath's index can use, or a LIMIT
ok, 0 rows
ok, 2 rows

query
SHOW WARNINGS
----
Level | Code | Message
Warning | 1175 | The statement reads all of d.t

exec
SET sqlfdb_full_scans = nonsense;
SET sqlfdb_use_index = OFF;
SET sqlfdb_long_reads = 'continue';
SET SESSION sqlfdb_bulk_writes = batched;
SET GLOBAL sqlfdb_full_scans = allow;
----
ERROR 1231 (42000): Variable 'sqlfdb_full_scans' can't be set to the value of 'nonsense'
ok, 0 rows
ok, 0 rows
ok, 0 rows
ok, 0 rows

query
SHOW VARIABLES LIKE 'sqlfdb%'
----
Variable_name | Value
sqlfdb_batch_rows | 65536
sqlfdb_bucket_prices | get=0.0004,put=0.005,delete=0,list=0.005,gb=0
sqlfdb_bulk_writes | batched
sqlfdb_executor | auto
sqlfdb_full_scans | warn
sqlfdb_jobs | run
sqlfdb_join_bytes | 134217728
sqlfdb_long_reads | continue
sqlfdb_map_batch | 100
sqlfdb_map_update | wait
sqlfdb_map_wait | 30
sqlfdb_programs | ON
sqlfdb_show_companions | OFF
sqlfdb_show_keypath_indexes | OFF
sqlfdb_statement_bytes | 1073741824
sqlfdb_use_index | OFF

query
SELECT @@sqlfdb_use_index, @@sqlfdb_full_scans
----
@@sqlfdb_use_index | @@sqlfdb_full_scans
0 | warn

exec
SET autocommit = 0;
----
ok, 0 rows

query
SHOW VARIABLES LIKE 'autocommit'
----
Variable_name | Value
autocommit | OFF

query
SHOW SESSION VARIABLES WHERE Variable_name IN ('autocommit', 'sql_notes', 'autocommit_') AND Value = 'OFF'
----
Variable_name | Value
autocommit | OFF

query
SHOW GLOBAL VARIABLES WHERE `variable_name` LIKE 'AUTOC%' OR value = 'utf8mb4_0900_bin'
----
Variable_name | Value
autocommit | ON
collation_connection | utf8mb4_0900_bin
collation_database | utf8mb4_0900_bin
collation_server | utf8mb4_0900_bin

exec
SET autocommit = 1;
----
ok, 0 rows

exec
CREATE TABLE t (_id VARCHAR(255) PRIMARY KEY, _doc JSON);
INSERT INTO t (_doc) VALUES ('{"_id":"a","n":1,"s":"x"}'), ('{"_id":"b","n":2,"s":"y"}'), ('{"_id":"c","n":3,"s":"x"}');
----
ok, 0 rows
ok, 3 rows

query
SHOW STATUS WHERE variable_name LIKE 'sqlfdb_last_%' AND variable_name <> 'sqlfdb_last_seconds'
----
Variable_name | Value
sqlfdb_last_bytes | 0
sqlfdb_last_conflicts | 0
sqlfdb_last_counters | 0
sqlfdb_last_documents | 0
sqlfdb_last_keys | 0
sqlfdb_last_read_versions | 0
sqlfdb_last_retries | 0
sqlfdb_last_rows | 3

query
SELECT s FROM t WHERE n = 2
----
s
y

query
SHOW STATUS WHERE variable_name LIKE 'sqlfdb_last_%' AND variable_name <> 'sqlfdb_last_seconds'
----
Variable_name | Value
sqlfdb_last_bytes | 25
sqlfdb_last_conflicts | 0
sqlfdb_last_counters | 0
sqlfdb_last_documents | 1
sqlfdb_last_keys | 1
sqlfdb_last_read_versions | 1
sqlfdb_last_retries | 0
sqlfdb_last_rows | 1

query
SHOW SESSION STATUS LIKE 'SQLFDB_LAST_key%'
----
Variable_name | Value
sqlfdb_last_keys | 1

query
SHOW GLOBAL STATUS LIKE 'sqlfdb%'
----
Variable_name | Value

query
SHOW STATUS LIKE 'Com_insert'
----
Variable_name | Value
Com_insert | 1

query
SELECT * FROM t WHERE _id = 'a'
----
_id | n | s
a | 1 | x

query
SHOW WARNINGS
----
Level | Code | Message

query
SHOW STATUS LIKE 'sqlfdb_last_documents'
----
Variable_name | Value
sqlfdb_last_documents | 1

query
SELECT _id FROM t WHERE UPPER(s) = 'X' ORDER BY _id
----
_id
a
c

query
SHOW STATUS LIKE 'sqlfdb_last_documents'
----
Variable_name | Value
sqlfdb_last_documents | 0

exec
UPDATE t SET n = 5 WHERE s = 'x'
----
ok, 2 rows

query
SHOW STATUS WHERE variable_name LIKE 'sqlfdb_last_%' AND variable_name <> 'sqlfdb_last_seconds'
----
Variable_name | Value
sqlfdb_last_bytes | 75
sqlfdb_last_conflicts | 0
sqlfdb_last_counters | 0
sqlfdb_last_documents | 3
sqlfdb_last_keys | 0
sqlfdb_last_read_versions | 1
sqlfdb_last_retries | 0
sqlfdb_last_rows | 2

query
SELECT 1
----
1
1

query
SHOW STATUS WHERE variable_name LIKE 'sqlfdb_last_%' AND variable_name <> 'sqlfdb_last_seconds'
----
Variable_name | Value
sqlfdb_last_bytes | 0
sqlfdb_last_conflicts | 0
sqlfdb_last_counters | 0
sqlfdb_last_documents | 0
sqlfdb_last_keys | 0
sqlfdb_last_read_versions | 0
sqlfdb_last_retries | 0
sqlfdb_last_rows | 1

exec
SELECT nosuch(1)
----
ERROR 1305 (42000): function: 'nosuch' not found

prepared
: 2
SELECT s FROM t WHERE n = ?
----
s
y

query
SHOW STATUS LIKE 'sqlfdb_last_documents'
----
Variable_name | Value
sqlfdb_last_documents | 1

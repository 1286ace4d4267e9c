# Who reads what is known of keypaths, and stores new ones, does not conflict with the numbering of them.
exec
CREATE TABLE t (_id VARCHAR(50) PRIMARY KEY, _doc JSON);
SET sqlfdb_show_keypath_indexes = ON;
BEGIN;
SELECT keypath FROM sqlfdb.keypaths WHERE `table` = 't';
INSERT INTO t (_doc) VALUES ('{"_id":"1","a":1}');
SELECT keypath, documents FROM sqlfdb.keypaths WHERE `table` = 't';
INSERT INTO t (_doc) VALUES ('{"_id":"2","b":[1]}');
SELECT keypath, documents FROM sqlfdb.keypaths WHERE `table` = 't';
COMMIT;
BEGIN;
SELECT documents FROM sqlfdb.tables WHERE `table` = 't';
INSERT INTO t (_doc) VALUES ('{"_id":"3","c":1}');
COMMIT;
BEGIN;
SELECT index_name FROM information_schema.statistics WHERE table_name = 't' AND index_name = 'c';
SELECT table_rows FROM information_schema.tables WHERE table_name = 't';
INSERT INTO t (_doc) VALUES ('{"_id":"4","d":1}');
COMMIT;
BEGIN;
SHOW COLUMNS FROM t;
SHOW TABLES;
SELECT * FROM t WHERE _id = '4';
INSERT INTO t (_doc) VALUES ('{"_id":"5","e":{"f":[{"g":1}]}}');
COMMIT;
----
ok, 0 rows
ok, 0 rows
ok, 0 rows
ok, 0 rows
ok, 1 rows
ok, 0 rows
ok, 1 rows
ok, 0 rows
ok, 0 rows
ok, 0 rows
ok, 0 rows
ok, 1 rows
ok, 0 rows
ok, 0 rows
ok, 0 rows
ok, 0 rows
ok, 1 rows
ok, 0 rows
ok, 0 rows
ok, 0 rows
ok, 0 rows
ok, 0 rows
ok, 1 rows
ok, 0 rows

# It conflicts with who stores a keypath that was known already, or not.
exec
BEGIN;
SELECT COUNT(*) FROM sqlfdb.keypaths WHERE `table` = 't';
----
ok, 0 rows
ok, 0 rows

exec conn=other
INSERT INTO t (_doc) VALUES ('{"_id":"6","new":1}');
----
ok, 1 rows

exec
INSERT INTO t (_doc) VALUES ('{"_id":"7","mine":1}');
COMMIT;
BEGIN;
SELECT COUNT(*) FROM information_schema.statistics WHERE table_name = 't';
----
ok, 1 rows
ERROR 1213 (40001): conflict with a concurrent transaction; try restarting transaction
ok, 0 rows
ok, 0 rows

exec conn=other
INSERT INTO t (_doc) VALUES ('{"_id":"8","newer":1}');
----
ok, 1 rows

exec
INSERT INTO t (_doc) VALUES ('{"_id":"9","mine too":1}');
COMMIT;
----
ok, 1 rows
ERROR 1213 (40001): conflict with a concurrent transaction; try restarting transaction

query
SELECT _id FROM t ORDER BY _id
----
_id
1
2
3
4
5
6
8

exec
CHECK TABLE t
----
ok, 0 rows

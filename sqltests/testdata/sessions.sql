# How transactions begin, go on and end.
exec
CREATE TABLE t (_id VARCHAR(50) PRIMARY KEY, _doc JSON);
START TRANSACTION READ WRITE;
INSERT INTO t (_id) VALUES ('rw');
COMMIT WORK;
BEGIN WORK;
INSERT INTO t (_id) VALUES ('lost');
ROLLBACK WORK;
START TRANSACTION WITH CONSISTENT SNAPSHOT, READ ONLY;
INSERT INTO t (_id) VALUES ('ro');
COMMIT;
START TRANSACTION READ ONLY, WITH CONSISTENT SNAPSHOT;
INSERT INTO t (_id) VALUES ('ro');
UPDATE t SET n = 1;
DELETE FROM t;
REPLACE INTO t (_id) VALUES ('ro');
CREATE TABLE ro (id INT PRIMARY KEY);
TRUNCATE TABLE t;
DROP TABLE t;
COMMIT;
START TRANSACTION READ ONLY, READ WRITE;
START TRANSACTION READ;
COMMIT AND RELEASE;
COMMIT AND CHAIN RELEASE;
----
ok, 0 rows
ok, 0 rows
ok, 1 rows
ok, 0 rows
ok, 0 rows
ok, 1 rows
ok, 0 rows
ok, 0 rows
ERROR 1792 (25006): cannot execute statement in a READ ONLY transaction
ok, 0 rows
ok, 0 rows
ERROR 1792 (25006): cannot execute statement in a READ ONLY transaction
ERROR 1792 (25006): cannot execute statement in a READ ONLY transaction
ERROR 1792 (25006): cannot execute statement in a READ ONLY transaction
ERROR 1792 (25006): cannot execute statement in a READ ONLY transaction
ERROR 1792 (25006): cannot execute statement in a READ ONLY transaction
ERROR 1792 (25006): cannot execute statement in a READ ONLY transaction
ERROR 1792 (25006): cannot execute statement in a READ ONLY transaction
ok, 0 rows
ERROR 1064 (42000): syntax error at position 29 near 'ONLY'
ERROR 1064 (42000): syntax error at position 23 near 'READ'
ERROR 1064 (42000): syntax error at position 19 near 'RELEASE'
ERROR 1064 (42000): syntax error: COMMIT can't both begin a transaction and end the connection

query
SELECT _id FROM t
----
_id
rw

# The version that a consistent snapshot reads is the one of its beginning; a plain BEGIN's is that of its first read.
exec
START TRANSACTION WITH CONSISTENT SNAPSHOT
----
ok, 0 rows

exec conn=plain
BEGIN
----
ok, 0 rows

exec conn=other
INSERT INTO t (_id) VALUES ('later')
----
ok, 1 rows

query
SELECT _id FROM t
----
_id
rw

query conn=plain
SELECT _id FROM t
----
_id
later
rw

exec
COMMIT
----
ok, 0 rows

exec conn=plain
COMMIT
----
ok, 0 rows

# AND CHAIN begins the next transaction with the same access.
exec
BEGIN;
INSERT INTO t (_id) VALUES ('kept');
COMMIT AND CHAIN;
INSERT INTO t (_id) VALUES ('lost');
ROLLBACK AND CHAIN;
INSERT INTO t (_id) VALUES ('lost too');
ROLLBACK AND NO CHAIN NO RELEASE;
INSERT INTO t (_id) VALUES ('kept too');
ROLLBACK;
START TRANSACTION READ ONLY;
COMMIT AND CHAIN;
INSERT INTO t (_id) VALUES ('ro');
ROLLBACK;
COMMIT AND CHAIN;
INSERT INTO t (_id) VALUES ('lost');
ROLLBACK;
----
ok, 0 rows
ok, 1 rows
ok, 0 rows
ok, 1 rows
ok, 0 rows
ok, 1 rows
ok, 0 rows
ok, 1 rows
ok, 0 rows
ok, 0 rows
ok, 0 rows
ERROR 1792 (25006): cannot execute statement in a READ ONLY transaction
ok, 0 rows
ok, 0 rows
ok, 1 rows
ok, 0 rows

query
SELECT _id FROM t
----
_id
kept
kept too
later
rw

# RELEASE ends the connection.
exec conn=released
BEGIN;
INSERT INTO t (_id) VALUES ('released');
COMMIT RELEASE;
SELECT 1;
----
ok, 0 rows
ok, 1 rows
ok, 0 rows
error: invalid connection

query
SELECT _id FROM t WHERE _id = 'released'
----
_id
released

# Savepoints: nested, of the same name again, in any case, unknown.
exec
BEGIN;
INSERT INTO t (_id) VALUES ('s0');
SAVEPOINT a;
INSERT INTO t (_id) VALUES ('s1');
SAVEPOINT b;
INSERT INTO t (_id) VALUES ('s2');
SAVEPOINT A;
INSERT INTO t (_id) VALUES ('s3');
ROLLBACK TO a;
----
ok, 0 rows
ok, 1 rows
ok, 0 rows
ok, 1 rows
ok, 0 rows
ok, 1 rows
ok, 0 rows
ok, 1 rows
ok, 0 rows

query
SELECT _id FROM t WHERE _id LIKE 's%'
----
_id
s0
s1
s2

exec
ROLLBACK WORK TO SAVEPOINT `b`;
ROLLBACK TO a;
RELEASE SAVEPOINT b;
ROLLBACK TO b;
RELEASE SAVEPOINT b;
----
ok, 0 rows
ERROR 1305 (42000): SAVEPOINT a does not exist
ok, 0 rows
ERROR 1305 (42000): SAVEPOINT b does not exist
ERROR 1305 (42000): SAVEPOINT b does not exist

query
SELECT _id FROM t WHERE _id LIKE 's%'
----
_id
s0
s1

exec
ROLLBACK;
SAVEPOINT outside;
ROLLBACK TO outside;
RELEASE SAVEPOINT outside;
BEGIN;
SAVEPOINT ended;
COMMIT;
ROLLBACK TO ended;
----
ok, 0 rows
ok, 0 rows
ERROR 1305 (42000): SAVEPOINT outside does not exist
ERROR 1305 (42000): SAVEPOINT outside does not exist
ok, 0 rows
ok, 0 rows
ok, 0 rows
ERROR 1305 (42000): SAVEPOINT ended does not exist

# SET TRANSACTION is about the next transaction alone.
exec
SET TRANSACTION READ ONLY;
INSERT INTO t (_id) VALUES ('ro');
INSERT INTO t (_id) VALUES ('x1');
SET TRANSACTION READ ONLY;
SELECT 1;
BEGIN;
INSERT INTO t (_id) VALUES ('ro');
COMMIT;
INSERT INTO t (_id) VALUES ('x2');
SET SESSION TRANSACTION READ ONLY;
INSERT INTO t (_id) VALUES ('ro');
BEGIN;
INSERT INTO t (_id) VALUES ('ro');
COMMIT;
START TRANSACTION READ WRITE;
INSERT INTO t (_id) VALUES ('x3');
COMMIT;
SET TRANSACTION READ WRITE;
INSERT INTO t (_id) VALUES ('x4');
INSERT INTO t (_id) VALUES ('ro');
SET LOCAL TRANSACTION READ WRITE;
BEGIN;
SET TRANSACTION READ ONLY;
SET TRANSACTION ISOLATION LEVEL SERIALIZABLE;
COMMIT;
----
ok, 0 rows
ERROR 1792 (25006): cannot execute statement in a READ ONLY transaction
ok, 1 rows
ok, 0 rows
ok, 0 rows
ok, 0 rows
ERROR 1792 (25006): cannot execute statement in a READ ONLY transaction
ok, 0 rows
ok, 1 rows
ok, 0 rows
ERROR 1792 (25006): cannot execute statement in a READ ONLY transaction
ok, 0 rows
ERROR 1792 (25006): cannot execute statement in a READ ONLY transaction
ok, 0 rows
ok, 0 rows
ok, 1 rows
ok, 0 rows
ok, 0 rows
ok, 1 rows
ERROR 1792 (25006): cannot execute statement in a READ ONLY transaction
ok, 0 rows
ok, 0 rows
ERROR 1568 (25001): Transaction characteristics can't be changed while a transaction is in progress
ERROR 1568 (25001): Transaction characteristics can't be changed while a transaction is in progress
ok, 0 rows

query
SELECT _id FROM t WHERE _id = 'ro' OR _id LIKE 'x%'
----
_id
x1
x2
x3
x4

# All isolation levels can be set, and are shown.
exec
SET TRANSACTION ISOLATION LEVEL SERIALIZABLE
----
ok, 0 rows

query
SELECT @@transaction_isolation
----
@@transaction_isolation
SERIALIZABLE

exec
SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED
----
ok, 0 rows

query
SELECT @@transaction_isolation, @@tx_isolation, @@session.tx_isolation
----
@@transaction_isolation | @@tx_isolation | @@session.tx_isolation
READ-COMMITTED | READ-COMMITTED | READ-COMMITTED

exec
SET SESSION TRANSACTION ISOLATION LEVEL READ UNCOMMITTED, READ ONLY
----
ok, 0 rows

query
SELECT @@transaction_isolation, @@transaction_read_only, @@tx_read_only
----
@@transaction_isolation | @@transaction_read_only | @@tx_read_only
READ-UNCOMMITTED | 1 | 1

exec
SET LOCAL TRANSACTION READ WRITE, ISOLATION LEVEL REPEATABLE READ
----
ok, 0 rows

query
SELECT @@transaction_isolation, @@transaction_read_only
----
@@transaction_isolation | @@transaction_read_only
REPEATABLE-READ | 0

exec
SET tx_isolation = 'SERIALIZABLE'
----
ok, 0 rows

query
SELECT @@transaction_isolation
----
@@transaction_isolation
SERIALIZABLE

exec
SET transaction_isolation = 'READ-COMMITTED';
SET transaction_isolation = 'NONSENSE';
SET TRANSACTION ISOLATION LEVEL NONSENSE;
----
ok, 0 rows
ERROR 1231 (42000): Variable 'transaction_isolation' can't be set to the value of 'NONSENSE'
ERROR 1064 (42000): syntax error at position 41 near 'NONSENSE'

# Locking reads are read as what they lock is checked at COMMIT.
query
SELECT _id FROM t WHERE _id = 'rw' FOR UPDATE
----
_id
rw

query
SELECT _id FROM t WHERE _id = 'rw' FOR UPDATE NOWAIT
----
_id
rw

query
SELECT _id FROM t WHERE _id = 'rw' FOR UPDATE SKIP LOCKED
----
_id
rw

query
SELECT _id FROM t WHERE _id = 'rw' FOR UPDATE OF t
----
_id
rw

query
SELECT x._id FROM t x JOIN t y ON x._id = y._id WHERE x._id = 'rw' FOR UPDATE OF x, y NOWAIT
----
_id
rw

query
SELECT _id FROM t WHERE _id = 'rw' FOR SHARE
----
_id
rw

query
SELECT _id FROM t WHERE _id = 'rw' FOR SHARE OF t SKIP LOCKED
----
_id
rw

query
SELECT _id FROM t WHERE _id = 'rw' LOCK IN SHARE MODE
----
_id
rw

prepared
: rw
SELECT _id FROM t WHERE _id = ? FOR SHARE NOWAIT
----
_id
rw

exec
BEGIN;
SELECT _id FROM t WHERE _id = 'rw' FOR SHARE;
----
ok, 0 rows
ok, 0 rows

exec conn=other
UPDATE t SET n = 1 WHERE _id = 'rw'
----
ok, 1 rows

exec
COMMIT;
BEGIN;
SELECT _id FROM t WHERE _id = 'rw' FOR UPDATE;
COMMIT;
BEGIN;
SELECT _id FROM t WHERE _id = 'rw';
----
ERROR 1213 (40001): conflict with a concurrent transaction; try restarting transaction
ok, 0 rows
ok, 0 rows
ok, 0 rows
ok, 0 rows
ok, 0 rows

exec conn=other
UPDATE t SET n = 2 WHERE _id = 'rw'
----
ok, 1 rows

exec
COMMIT
----
ok, 0 rows

# What commits by itself before it runs, whether it fails or not.
exec
DELETE FROM t;
BEGIN;
INSERT INTO t (_id) VALUES ('01 BEGIN');
BEGIN;
ROLLBACK;
BEGIN;
INSERT INTO t (_id) VALUES ('02 START TRANSACTION');
START TRANSACTION READ ONLY;
ROLLBACK;
BEGIN;
INSERT INTO t (_id) VALUES ('03 CREATE TABLE');
CREATE TABLE u (id INT PRIMARY KEY, n INT);
ROLLBACK;
BEGIN;
INSERT INTO t (_id) VALUES ('04 CREATE TABLE of one that is there');
CREATE TABLE u (id INT PRIMARY KEY);
ROLLBACK;
BEGIN;
INSERT INTO t (_id) VALUES ('05 CREATE TABLE IF NOT EXISTS');
CREATE TABLE IF NOT EXISTS u (id INT PRIMARY KEY);
ROLLBACK;
BEGIN;
INSERT INTO t (_id) VALUES ('06 ALTER TABLE');
ALTER TABLE u ADD COLUMN m INT;
ROLLBACK;
BEGIN;
INSERT INTO t (_id) VALUES ('07 ALTER TABLE that fails');
ALTER TABLE u DROP COLUMN nothing;
ROLLBACK;
BEGIN;
INSERT INTO t (_id) VALUES ('08 ALTER TABLE of an option');
ALTER TABLE u COMMENT = 'x';
ROLLBACK;
BEGIN;
INSERT INTO t (_id) VALUES ('09 CREATE INDEX');
CREATE INDEX i ON u (n);
ROLLBACK;
BEGIN;
INSERT INTO t (_id) VALUES ('10 RENAME TABLE');
RENAME TABLE u TO v;
ROLLBACK;
BEGIN;
INSERT INTO t (_id) VALUES ('11 TRUNCATE TABLE');
TRUNCATE TABLE v;
ROLLBACK;
BEGIN;
INSERT INTO t (_id) VALUES ('12 CREATE VIEW');
CREATE VIEW w AS SELECT id FROM v;
ROLLBACK;
BEGIN;
INSERT INTO t (_id) VALUES ('13 DROP VIEW');
DROP VIEW w;
ROLLBACK;
BEGIN;
INSERT INTO t (_id) VALUES ('14 DROP TABLE');
DROP TABLE v;
ROLLBACK;
BEGIN;
INSERT INTO t (_id) VALUES ('15 DROP TABLE of none');
DROP TABLE v;
ROLLBACK;
BEGIN;
INSERT INTO t (_id) VALUES ('16 CREATE DATABASE');
CREATE DATABASE e;
ROLLBACK;
BEGIN;
INSERT INTO t (_id) VALUES ('17 DROP DATABASE');
DROP DATABASE e;
ROLLBACK;
BEGIN;
INSERT INTO t (_id) VALUES ('18 LOCK TABLES');
LOCK TABLES t WRITE;
ROLLBACK;
UNLOCK TABLES;
BEGIN;
INSERT INTO t (_id) VALUES ('19 ANALYZE TABLE');
ANALYZE TABLE t;
ROLLBACK;
BEGIN;
INSERT INTO t (_id) VALUES ('20 CHECK TABLE');
CHECK TABLE t;
ROLLBACK;
BEGIN;
INSERT INTO t (_id) VALUES ('21 FLUSH TABLES');
FLUSH TABLES;
ROLLBACK;
SET autocommit = 0;
INSERT INTO t (_id) VALUES ('22 autocommit becomes 1');
SET autocommit = 1;
ROLLBACK;
PREPARE p FROM 'CREATE TABLE prepared (id INT PRIMARY KEY)';
BEGIN;
INSERT INTO t (_id) VALUES ('23 EXECUTE of a CREATE TABLE');
EXECUTE p;
ROLLBACK;
----
ok, 9 rows
ok, 0 rows
ok, 1 rows
ok, 0 rows
ok, 0 rows
ok, 0 rows
ok, 1 rows
ok, 0 rows
ok, 0 rows
ok, 0 rows
ok, 1 rows
ok, 0 rows
ok, 0 rows
ok, 0 rows
ok, 1 rows
ERROR 1050 (42S01): table with name u already exists
ok, 0 rows
ok, 0 rows
ok, 1 rows
ok, 0 rows
ok, 0 rows
ok, 0 rows
ok, 1 rows
ok, 0 rows
ok, 0 rows
ok, 0 rows
ok, 1 rows
ERROR 1091 (42000): Can't DROP 'nothing'; check that column/key exists
ok, 0 rows
ok, 0 rows
ok, 1 rows
ok, 0 rows
ok, 0 rows
ok, 0 rows
ok, 1 rows
ok, 0 rows
ok, 0 rows
ok, 0 rows
ok, 1 rows
ok, 0 rows
ok, 0 rows
ok, 0 rows
ok, 1 rows
ok, 0 rows
ok, 0 rows
ok, 0 rows
ok, 1 rows
ok, 0 rows
ok, 0 rows
ok, 0 rows
ok, 1 rows
ok, 0 rows
ok, 0 rows
ok, 0 rows
ok, 1 rows
ok, 0 rows
ok, 0 rows
ok, 0 rows
ok, 1 rows
ERROR 1051 (42S02): Unknown table 'd.v'
ok, 0 rows
ok, 0 rows
ok, 1 rows
ok, 1 rows
ok, 0 rows
ok, 0 rows
ok, 1 rows
ok, 1 rows
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
ok, 1 rows
ok, 0 rows
ok, 0 rows
ok, 0 rows
ok, 1 rows
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

query
SELECT _id FROM t
----
_id
01 BEGIN
02 START TRANSACTION
03 CREATE TABLE
04 CREATE TABLE of one that is there
05 CREATE TABLE IF NOT EXISTS
06 ALTER TABLE
07 ALTER TABLE that fails
08 ALTER TABLE of an option
09 CREATE INDEX
10 RENAME TABLE
11 TRUNCATE TABLE
12 CREATE VIEW
13 DROP VIEW
14 DROP TABLE
15 DROP TABLE of none
16 CREATE DATABASE
17 DROP DATABASE
18 LOCK TABLES
19 ANALYZE TABLE
20 CHECK TABLE
21 FLUSH TABLES
22 autocommit becomes 1
23 EXECUTE of a CREATE TABLE

# What does not.
exec
DELETE FROM t;
BEGIN;
INSERT INTO t (_id) VALUES ('x');
SET autocommit = 1;
SELECT 1;
PREPARE q FROM 'DROP TABLE t';
DEALLOCATE PREPARE q;
EXPLAIN SELECT * FROM t;
SHOW TABLES;
USE d;
SET sql_mode = DEFAULT;
UNLOCK TABLES;
KILL 4000000000;
ROLLBACK;
SET autocommit = 0;
INSERT INTO t (_id) VALUES ('y');
SET autocommit = 0;
ROLLBACK;
SET autocommit = 1;
----
ok, 23 rows
ok, 0 rows
ok, 1 rows
ok, 0 rows
ok, 0 rows
ok, 0 rows
ok, 0 rows
ok, 0 rows
ok, 0 rows
ok, 0 rows
ok, 0 rows
ok, 0 rows
ERROR 1094 (HY000): Unknown thread id: 4000000000
ok, 0 rows
ok, 0 rows
ok, 1 rows
ok, 0 rows
ok, 0 rows
ok, 0 rows

query
SELECT _id FROM t
----
_id

# A prepared statement of the binary protocol commits before it runs as well.
exec
BEGIN;
INSERT INTO t (_id) VALUES ('before');
----
ok, 0 rows
ok, 1 rows

prepared
: 1
INSERT INTO t (_id) VALUES (?)
----
ok, 1 rows

prepared
TRUNCATE TABLE prepared
----
ok, 0 rows

exec
ROLLBACK
----
ok, 0 rows

query
SELECT _id FROM t
----
_id
1
before

# Locks are not waited for; their timeouts can be set.
exec
SET lock_wait_timeout = 5;
SET innodb_lock_wait_timeout = 5;
SET SESSION innodb_lock_wait_timeout = 3;
----
ok, 0 rows
ok, 0 rows
ok, 0 rows

query
SELECT @@lock_wait_timeout, @@innodb_lock_wait_timeout
----
@@lock_wait_timeout | @@innodb_lock_wait_timeout
5 | 3

# The time of a SELECT.
exec
SET max_execution_time = 50;
SELECT SLEEP(20);
SELECT _id FROM t WHERE SLEEP(20) = 0 UNION SELECT 'x';
SELECT /*+ MAX_EXECUTION_TIME(0) */ SLEEP(0.1);
SELECT /*+ MAX_EXECUTION_TIME(9300000000000) */ SLEEP(0.05);
INSERT INTO t (_id) SELECT SLEEP(0.1);
SET max_execution_time = 0;
SELECT /*+ MAX_EXECUTION_TIME(50) */ SLEEP(20);
SELECT /*+ NO_MERGE(t) MAX_EXECUTION_TIME(50) */ SLEEP(20) UNION SELECT 1;
SELECT SLEEP(0.1);
----
ok, 0 rows
ERROR 3024 (HY000): Query execution was interrupted, maximum statement execution time exceeded
ERROR 3024 (HY000): Query execution was interrupted, maximum statement execution time exceeded
ok, 0 rows
ok, 0 rows
ok, 1 rows
ok, 0 rows
ERROR 3024 (HY000): Query execution was interrupted, maximum statement execution time exceeded
ERROR 3024 (HY000): Query execution was interrupted, maximum statement execution time exceeded
ok, 0 rows

exec
KILL 4000000000;
KILL QUERY 4000000000;
KILL CONNECTION 4000000000;
----
ERROR 1094 (HY000): Unknown thread id: 4000000000
ERROR 1094 (HY000): Unknown thread id: 4000000000
ERROR 1094 (HY000): Unknown thread id: 4000000000

# RENAME TABLE changes all names at once or none, also of tables in other databases.
exec
CREATE TABLE a (id INT PRIMARY KEY);
CREATE TABLE b (id INT PRIMARY KEY);
INSERT INTO a VALUES (1);
INSERT INTO b VALUES (2);
RENAME TABLE a TO tmp, b TO a, tmp TO b;
----
ok, 0 rows
ok, 0 rows
ok, 1 rows
ok, 1 rows
ok, 0 rows

query
SELECT a.id, b.id FROM a, b
----
id | id
2 | 1

exec
RENAME TABLE a TO c, b TO c;
RENAME TABLE a TO c, nothing TO e;
RENAME TABLE a TO b;
RENAME TABLE a TO nowhere.a;
RENAME TABLE a TO A;
CREATE DATABASE f;
RENAME TABLE a TO f.a, d.b TO `f`.b;
CREATE VIEW v AS SELECT id FROM f.a;
RENAME TABLE v TO w;
RENAME TABLE w TO f.w;
RENAME TABLE f.a TO sqlfdb.a;
----
ERROR 1050 (42S01): d.c: table already exists
ERROR 1146 (42S02): Table 'd.nothing' doesn't exist
ERROR 1050 (42S01): d.b: table already exists
ERROR 1049 (42000): rename d.a to nowhere.a: unknown database
ok, 0 rows
ok, 1 rows
ok, 0 rows
ok, 0 rows
ok, 0 rows
ERROR 1146 (42S02): Table 'd.w' doesn't exist
ERROR 1105 (HY000): tables cannot be renamed on database sqlfdb

query
SELECT a.id, b.id FROM f.a, f.b, w
----
id | id
2 | 1

exec
DROP TABLE f.a, f.nothing;
SELECT id FROM f.a;
DROP TABLE f.a, f.b;
DROP VIEW w;
DROP DATABASE f;
----
ERROR 1051 (42S02): Unknown table 'f.nothing'
ok, 0 rows
ok, 0 rows
ok, 0 rows
ok, 1 rows

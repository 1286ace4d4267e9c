# A statement that fails leaves nothing behind; the transaction goes on.
exec
CREATE TABLE t (_id VARCHAR(255) PRIMARY KEY, _doc JSON);
INSERT INTO t (_doc) VALUES ('{"_id":"a","n":1}');
INSERT INTO t (_doc) VALUES ('{"_id":"b"}'), ('{"_id":"c"}'), ('{"_id":"a"}');
SELECT 1;
----
ok, 0 rows
ok, 1 rows
ERROR 1062 (23000): Duplicate entry 'a' for key 't.PRIMARY'
ok, 0 rows

query
SELECT _id FROM t
----
_id
a

exec
BEGIN;
INSERT INTO t (_doc) VALUES ('{"_id":"d"}');
INSERT INTO t (_doc) VALUES ('{"_id":"e"}'), ('{"_id":"f"}'), ('{"_id":"a"}');
INSERT INTO t (_doc) VALUES ('{"_id":"g"}');
SAVEPOINT one;
INSERT INTO t (_doc) VALUES ('{"_id":"h"}');
SAVEPOINT two;
DELETE FROM t WHERE _id = 'd';
----
ok, 0 rows
ok, 1 rows
ERROR 1062 (23000): Duplicate entry 'a' for key 't.PRIMARY'
ok, 1 rows
ok, 0 rows
ok, 1 rows
ok, 0 rows
ok, 1 rows

query
SELECT _id FROM t
----
_id
a
g
h

exec
ROLLBACK TO SAVEPOINT two
----
ok, 0 rows

query
SELECT _id FROM t
----
_id
a
d
g
h

exec
ROLLBACK TO SAVEPOINT one;
RELEASE SAVEPOINT one;
ROLLBACK TO SAVEPOINT one;
----
ok, 0 rows
ok, 0 rows
ERROR 1305 (42000): SAVEPOINT one does not exist

query
SELECT _id FROM t
----
_id
a
d
g

exec
COMMIT
----
ok, 0 rows

query conn=other
SELECT _id FROM t
----
_id
a
d
g

# Conflicts: the second to commit gets 1213, and nothing of it remains.
exec
BEGIN;
UPDATE t SET n = 2 WHERE _id = 'a';
----
ok, 0 rows
ok, 1 rows

exec conn=other
BEGIN;
UPDATE t SET n = 3 WHERE _id = 'a';
COMMIT;
----
ok, 0 rows
ok, 1 rows
ok, 0 rows

exec
INSERT INTO t (_doc) VALUES ('{"_id":"lost"}');
COMMIT;
SELECT 1;
----
ok, 1 rows
ERROR 1213 (40001): conflict with a concurrent transaction; try restarting transaction
ok, 0 rows

query
SELECT _id, n FROM t
----
_id | n
a | 3
d | NULL
g | NULL

# A statement's scans don't see its own writes.
exec
CREATE TABLE n (id BIGINT PRIMARY KEY, v BIGINT);
INSERT INTO n VALUES (1, 10), (2, 20), (3, 30);
INSERT INTO n SELECT id + 3, v FROM n;
INSERT INTO n SELECT id + 6, v FROM n WHERE id IN (SELECT id FROM n);
UPDATE n SET id = id + 100 WHERE v = 10;
UPDATE n SET v = v + (SELECT COUNT(*) FROM n);
INSERT IGNORE INTO n SELECT id + 1, v FROM n;
----
ok, 0 rows
ok, 3 rows
ok, 3 rows
ok, 6 rows
ok, 4 rows
ok, 12 rows
ok, 8 rows

query
SELECT COUNT(*), MIN(id), MAX(id), SUM(v) FROM n
----
COUNT(*) | MIN(id) | MAX(id) | SUM(v)
20 | 2 | 111 | 640

exec
INSERT IGNORE INTO n VALUES (1, 1), (2, 2), (1000, 1000), (1000, 1001);
DELETE FROM n;
----
ok, 2 rows
ok, 22 rows

query
SELECT COUNT(*) FROM n
----
COUNT(*)
0

# autocommit off: the transaction begins by itself, and ends with COMMIT.
exec
SET autocommit = 0;
INSERT INTO n VALUES (1, 1);
----
ok, 0 rows
ok, 1 rows

query conn=other
SELECT COUNT(*) FROM n
----
COUNT(*)
0

exec
COMMIT;
SET autocommit = 1;
----
ok, 0 rows
ok, 0 rows

query conn=other
SELECT COUNT(*) FROM n
----
COUNT(*)
1

# A read-only transaction refuses writes.
exec
START TRANSACTION READ ONLY;
INSERT INTO n VALUES (2, 2);
COMMIT;
----
ok, 0 rows
ERROR 1792 (25006): cannot execute statement in a READ ONLY transaction
ok, 0 rows

# DDL ends the transaction that it is in.
exec
BEGIN;
INSERT INTO n VALUES (5, 5);
CREATE TABLE ddl (id INT PRIMARY KEY);
ROLLBACK;
----
ok, 0 rows
ok, 1 rows
ok, 0 rows
ok, 0 rows

query conn=other
SELECT id FROM n
----
id
1
5

# Views, derived tables and common table expressions name keypaths that no
# document has, or has any more.
exec
CREATE TABLE t (_id VARCHAR(255) PRIMARY KEY, _doc JSON);
CREATE TABLE u (_id VARCHAR(255) PRIMARY KEY, _doc JSON);
CREATE VIEW v AS SELECT _id, n, a.later FROM t a;
----
ok, 0 rows
ok, 0 rows
ok, 0 rows

query
SELECT * FROM v
----
_id | n | later

query
SELECT COUNT(*) FROM (SELECT n FROM t WHERE m > 1) q
----
COUNT(*)
0

query
WITH c AS (SELECT n FROM t), d AS (SELECT n AS k FROM c) SELECT * FROM c JOIN d ON c.n = d.k
----
n | k

exec
INSERT INTO t (_id, n) VALUES ('a', 1), ('b', 2);
INSERT INTO u (_id, k) VALUES ('x', 1);
----
ok, 2 rows
ok, 1 rows

query
SELECT v.n, u.k FROM v JOIN u ON u.k = n
----
n | k
1 | 1

query
SELECT _id, (SELECT COUNT(*) FROM (SELECT 1 FROM u WHERE u.k = n) x) AS c FROM t
----
_id | c
a | 1
b | 0

query
SELECT nosuch FROM (SELECT n FROM t) q
----
ERROR 1054 (42S22): column "nosuch" could not be found in any table in scope

query
SELECT nosuch FROM v
----
ERROR 1054 (42S22): column "nosuch" could not be found in any table in scope

exec
TRUNCATE t;
----
ok, 2 rows

query
SELECT n FROM v
----
n

# The warnings are those of the last statement.
query
SELECT first FROM t LIMIT 1
----
first

query
SELECT second FROM t LIMIT 1
----
second

query
SHOW WARNINGS LIMIT 10
----
Level | Code | Message
Warning | 1054 | No document of d.t has the keypath `second`

query
SHOW WARNINGS
----
Level | Code | Message
Warning | 1054 | No document of d.t has the keypath `second`

exec
DROP TABLE IF EXISTS nosuch;
----
ok, 0 rows

query
SHOW WARNINGS
----
Level | Code | Message
Note | 1051 | Unknown table 'nosuch'

# A transaction that only reads writes nothing, and defines nothing.
exec
INSERT INTO t (_id, n) VALUES ('a', 1), ('b', 2);
START TRANSACTION READ ONLY;
UPDATE t SET n = 5;
TRUNCATE t;
DROP TABLE t;
CREATE TABLE w (a INT);
SELECT 1;
COMMIT;
SET SESSION TRANSACTION READ ONLY;
UPDATE t SET n = 5;
DELETE FROM t;
BEGIN;
INSERT INTO t (_id) VALUES ('c');
ROLLBACK;
TRUNCATE t;
SET SESSION TRANSACTION READ WRITE;
UPDATE t SET n = n + 1;
----
ok, 2 rows
ok, 0 rows
ERROR 1792 (25006): cannot execute statement in a READ ONLY transaction
ERROR 1792 (25006): cannot execute statement in a READ ONLY transaction
ERROR 1792 (25006): cannot execute statement in a READ ONLY transaction
ERROR 1792 (25006): cannot execute statement in a READ ONLY transaction
ok, 0 rows
ok, 0 rows
ok, 0 rows
ERROR 1792 (25006): cannot execute statement in a READ ONLY transaction
ERROR 1792 (25006): cannot execute statement in a READ ONLY transaction
ok, 0 rows
ERROR 1792 (25006): cannot execute statement in a READ ONLY transaction
ok, 0 rows
ERROR 1792 (25006): cannot execute statement in a READ ONLY transaction
ok, 0 rows
ok, 2 rows

query
SELECT _id, n FROM t
----
_id | n
a | 2
b | 3

# A document is never nothing: an UPDATE to NULL says so.
exec
UPDATE t SET _doc = NULL WHERE _id = 'a';
UPDATE t SET _doc = JSON_EXTRACT(_doc, '$.nosuch');
INSERT INTO t (_doc) VALUES ('{"_id":"a","n":7}') ON DUPLICATE KEY UPDATE _doc = NULL;
INSERT INTO t (_id, _doc) VALUES ('c', NULL);
UPDATE t SET _doc = JSON_SET(_doc, '$.n', 9) WHERE _id = 'a';
----
ERROR 1048 (23000): column name '_doc' is non-nullable but attempted to set a value of null
ERROR 1048 (23000): column name '_doc' is non-nullable but attempted to set a value of null
ERROR 1048 (23000): column name '_doc' is non-nullable but attempted to set a value of null
ok, 1 rows
ok, 1 rows

query
SELECT _id, _doc FROM t
----
_id | _doc
a | {"_id":"a","n":9}
b | {"_id":"b","n":3}
c | {"_id":"c"}

# What tools ask.
query
SELECT table_name, view_definition, is_updatable FROM information_schema.views WHERE table_schema = 'd'
----
TABLE_NAME | VIEW_DEFINITION | IS_UPDATABLE
v | SELECT _id, n, a.later FROM t a | YES

query
SELECT @@version_comment
----
@@version_comment
sqlfdb

# Two columns of one INSERT, one below the other: neither order may lose a value.
exec
CREATE TABLE nested (_id VARCHAR(255) PRIMARY KEY, _doc JSON);
INSERT INTO nested (_id, `a.b`, a) VALUES ('1', 3, 4);
INSERT INTO nested (_id, a, `a.b`) VALUES ('2', 4, 3);
INSERT INTO nested (_id, `a.b`, `a.c`) VALUES ('3', 3, 4);
----
ok, 0 rows
ERROR 3146 (22032): column a: keypath leads through a value that is not an object: a is a number, so a.b can't be below it
ERROR 3146 (22032): column a.b: keypath leads through a value that is not an object: a is a number, so a.b can't be below it
ok, 1 rows

query
SELECT _doc FROM nested
----
_doc
{"_id":"3","a":{"b":3,"c":4}}

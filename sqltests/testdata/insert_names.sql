# Queries in an INSERT name columns of the tables that they read, not of the one that is inserted into.

exec
CREATE TABLE t (_id VARCHAR(255) PRIMARY KEY, _doc JSON);
CREATE TABLE u (_id VARCHAR(255) PRIMARY KEY, _doc JSON);
INSERT INTO u (_id, n) VALUES ('1', 1), ('2', 2);
INSERT INTO t (_id, n) SELECT _id, none FROM u WHERE n = 1;
----
ok, 0 rows
ok, 0 rows
ok, 2 rows
ok, 1 rows

query
SHOW WARNINGS
----
Level | Code | Message
Warning | 1054 | No document of d.u has the keypath `none`

exec
INSERT INTO t (_id, n) SELECT _id, n FROM u WHERE other = 3;
INSERT INTO t (_id, n) SELECT _id, n FROM u WHERE n = (SELECT third FROM t LIMIT 1);
INSERT INTO t (_id, n) VALUES ('3', (SELECT fourth FROM u LIMIT 1));
REPLACE INTO t (_id, n) VALUES ('3', (SELECT fifth FROM u LIMIT 1));
INSERT INTO t (_id, n) SELECT _id, n FROM u WHERE n = 1 ON DUPLICATE KEY UPDATE n = sixth;
INSERT INTO t (_id, n) SELECT _id, n FROM u WHERE n = 1 ON DUPLICATE KEY UPDATE seventh = 7;
INSERT INTO t (_id, n) SELECT x._id, x.eighth FROM (SELECT _id, eighth FROM u WHERE n = 2) x;
INSERT INTO t (_id, n) WITH c AS (SELECT ninth FROM u LIMIT 1) SELECT '5', ninth FROM c;
----
ok, 0 rows
ok, 0 rows
ok, 1 rows
ok, 2 rows
ok, 0 rows
ok, 2 rows
ok, 1 rows
ok, 1 rows

query
SELECT _id, n, seventh FROM t
----
_id | n | seventh
1 | NULL | 7
2 | NULL | NULL
3 | NULL | NULL
5 | NULL | NULL

# What a query names of derived tables is not taken for a keypath.

exec
INSERT INTO t (_id, n) SELECT x._id, tenth FROM (SELECT _id FROM u) x;
----
ERROR 1054 (42S22): column "tenth" could not be found in any table in scope

# A CHECK over `_doc` sees the whole document that will be stored.

exec
CREATE TABLE t (_id VARCHAR(255) PRIMARY KEY, _doc JSON, CONSTRAINT small CHECK (JSON_LENGTH(_doc) < 4));
INSERT INTO t (_id, a) VALUES ('a', 1);
INSERT INTO t (_doc) VALUES ('{"_id":"b","a":1,"b":2}');
INSERT INTO t (_id, a, b, c) VALUES ('c', 1, 2, 3);
INSERT INTO t (_doc) VALUES ('{"_id":"d","a":1,"b":2,"c":3}');
INSERT INTO t (a, b, c) VALUES (1, 2, 3);
UPDATE t SET b = 2, c = 3 WHERE _id = 'a';
UPDATE t SET b = 7 WHERE _id = 'a';
UPDATE t SET c = 3 WHERE _id = 'b';
UPDATE t SET _doc = '{"_id":"b","x":1,"y":2,"z":3}' WHERE _id = 'b';
INSERT INTO t (_id, a) VALUES ('a', 1) ON DUPLICATE KEY UPDATE c = 3;
REPLACE INTO t (_id, a, b, c) VALUES ('a', 1, 2, 3);
INSERT IGNORE INTO t (_id, a, b, c) VALUES ('e', 1, 2, 3);
----
ok, 0 rows
ok, 1 rows
ok, 1 rows
ERROR 3819 (HY000): Check constraint "small" violated
ERROR 3819 (HY000): Check constraint "small" violated
ERROR 3819 (HY000): Check constraint "small" violated
ERROR 3819 (HY000): Check constraint "small" violated
ok, 1 rows
ERROR 3819 (HY000): Check constraint "small" violated
ERROR 3819 (HY000): Check constraint "small" violated
ERROR 3819 (HY000): Check constraint "small" violated
ERROR 3819 (HY000): Check constraint "small" violated
ok, 0 rows

query
SELECT _doc FROM t ORDER BY _id
----
_doc
{"_id":"a","a":1,"b":7}
{"_id":"b","a":1,"b":2}

query
SHOW CREATE TABLE t
----
Table | Create Table
t | CREATE TABLE `t` (
  `_id` varchar(255) NOT NULL,
  `a` bigint DEFAULT NULL COMMENT '2 of 2: number',
  `b` bigint DEFAULT NULL COMMENT '2 of 2: number',
  `_doc` json,
  PRIMARY KEY (`_id`),
  CONSTRAINT `small` CHECK (json_length(_doc) < 4)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_as_cs

query
SELECT CHECK_CLAUSE FROM information_schema.check_constraints
----
CHECK_CLAUSE
(json_length(_doc) < 4)

exec
ALTER TABLE t ADD CONSTRAINT has_a CHECK (JSON_CONTAINS_PATH(_doc, 'one', '$.a') AND _id <> 'z');
ALTER TABLE t ADD CONSTRAINT none CHECK (JSON_LENGTH(_doc) < 2);
INSERT INTO t (_id, b) VALUES ('f', 1);
INSERT INTO t (_id, a) VALUES ('z', 1);
INSERT INTO t (_id, a) VALUES ('f', 1);
ALTER TABLE t DROP CHECK has_a;
INSERT INTO t (_id, b) VALUES ('g', 1);
CREATE TABLE g (_id VARCHAR(255) PRIMARY KEY, n INT, m INT AS (n + 1) STORED, _doc JSON, CHECK (_doc->'$.m' < 10 AND m > n));
INSERT INTO g (_id, n) VALUES ('1', 8);
INSERT INTO g (_id, n) VALUES ('2', 9);
UPDATE g SET n = 9;
UPDATE g SET n = 1
----
ok, 0 rows
ERROR 3819 (HY000): Check constraint "none" violated
ERROR 3819 (HY000): Check constraint "has_a" violated
ERROR 3819 (HY000): Check constraint "has_a" violated
ok, 1 rows
ok, 0 rows
ok, 1 rows
ok, 0 rows
ok, 1 rows
ERROR 3819 (HY000): Check constraint "g_chk_1" violated
ERROR 3819 (HY000): Check constraint "g_chk_1" violated
ok, 1 rows

query
SELECT _doc FROM g
----
_doc
{"_id":"1","n":1,"m":2}

exec
CREATE TABLE u (_id VARCHAR(255) PRIMARY KEY, _doc JSON, CHECK (a < 5));
INSERT INTO u (_id, a) VALUES ('1', 1);
INSERT INTO u (_id, b) VALUES ('2', 1);
----
ERROR 1054 (42S22): column "a" could not be found in any table in scope
ERROR 1146 (42S02): Table 'd.u' doesn't exist
ERROR 1146 (42S02): Table 'd.u' doesn't exist

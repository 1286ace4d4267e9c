exec
CREATE TABLE t (_id VARCHAR(255) PRIMARY KEY, _doc JSON);
INSERT INTO t (_doc) VALUES ('{"_id":"a","name":"Ann","n":1,"address":{"zipcode":"10462","city":"Bronx"},"tags":["x","y"]}');
INSERT INTO t (_id, name, `address.zipcode`) VALUES ('b', 'Bob', '10001');
INSERT INTO t (_doc) VALUES ('{"name":"no id"}');
----
ok, 0 rows
ok, 1 rows
ok, 1 rows
ok, 1 rows

query
SELECT * FROM t
----
_id | name | n | address.zipcode | address.city | tags
<uuid> | no id | NULL | NULL | NULL | NULL
a | Ann | 1 | 10462 | Bronx | ["x","y"]
b | Bob | NULL | 10001 | NULL | NULL

query
SELECT _id, _doc FROM t
----
_id | _doc
<uuid> | {"_id":"<uuid>","name":"no id"}
a | {"_id":"a","name":"Ann","n":1,"address":{"zipcode":"10462","city":"Bronx"},"tags":["x","y"]}
b | {"_id":"b","name":"Bob","address":{"zipcode":"10001"}}

exec
UPDATE t SET `address.zipcode` = '10463' WHERE _id = 'a';
DELETE FROM t WHERE name = 'no id';
----
ok, 1 rows
ok, 1 rows

query
SELECT _doc FROM t
----
_doc
{"_id":"a","name":"Ann","n":1,"address":{"zipcode":"10463","city":"Bronx"},"tags":["x","y"]}
{"_id":"b","name":"Bob","address":{"zipcode":"10001"}}

exec
BEGIN;
INSERT INTO t (_doc) VALUES ('{"_id":"c"}');
----
ok, 0 rows
ok, 1 rows

query
SELECT _id FROM t
----
_id
a
b
c

query conn=other
SELECT _id FROM t
----
_id
a
b

exec
ROLLBACK
----
ok, 0 rows

query
SELECT _id FROM t
----
_id
a
b

exec
INSERT INTO t (_doc) VALUES ('{"_id":"a"}')
----
ERROR 1062 (23000): Duplicate entry 'a' for key 't.PRIMARY'

query
SHOW COLUMNS FROM t
----
Field | Type | Null | Key | Default | Extra
_id | varchar(255) | NO | PRI | NULL |
name | longtext | YES |  | NULL |
n | bigint | YES |  | NULL |
address.zipcode | longtext | YES |  | NULL |
address.city | longtext | YES |  | NULL |
tags | json | YES |  | NULL |

query
SHOW CREATE TABLE t
----
Table | Create Table
t | CREATE TABLE `t` (
  `_id` varchar(255) NOT NULL,
  `name` longtext DEFAULT NULL COMMENT '2 of 2: string',
  `n` bigint DEFAULT NULL COMMENT '1 of 2: number',
  `address.zipcode` longtext DEFAULT NULL COMMENT '2 of 2: string',
  `address.city` longtext DEFAULT NULL COMMENT '1 of 2: string',
  `tags` json DEFAULT NULL COMMENT '1 of 2: array',
  `_doc` json,
  PRIMARY KEY (`_id`)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_as_cs

query
SELECT missing, nam FROM t
----
missing | nam
NULL | NULL
NULL | NULL

query
SHOW WARNINGS
----
Level | Code | Message
Warning | 1054 | No document of d.t has the keypath `nam`; did you mean `name`?
Warning | 1054 | No document of d.t has the keypath `missing`

# Paths into documents too, where they stand in a condition.

query
SELECT _id FROM t WHERE _doc->>'$.nam' = 'x' OR JSON_VALUE(_doc, '$.name') = 'nobody'
----
_id

query
SHOW WARNINGS
----
Level | Code | Message
Warning | 1054 | No document of d.t has the keypath `nam`; did you mean `name`?

query
SELECT COUNT(*) FROM t WHERE _doc->'$.name' = 'nobody'
----
COUNT(*)
0

query
SHOW WARNINGS
----
Level | Code | Message

exec
CREATE TABLE c (id INT PRIMARY KEY AUTO_INCREMENT, s VARCHAR(20) NOT NULL, d DECIMAL(10,2), at DATETIME, b VARBINARY(10), e ENUM('x','y'), j JSON);
INSERT INTO c (s, d, at, b, e, j) VALUES ('one', 1.5, '2026-01-02 03:04:05', x'00ff', 'y', '{"b":1,"a":2}');
INSERT INTO c (s) VALUES ('two'), ('three');
----
ok, 0 rows
ok, 1 rows, id 1
ok, 2 rows, id 2

query
SELECT id, s, d, at, HEX(b), e, j FROM c
----
id | s | d | at | HEX(b) | e | j
1 | one | 1.50 | 2026-01-02 03:04:05 | 00FF | y | {"b":1,"a":2}
2 | two | NULL | NULL | NULL | NULL | NULL
3 | three | NULL | NULL | NULL | NULL | NULL

exec
UPDATE c SET d = d * 2, s = CONCAT(s, '!') WHERE id = 1;
DELETE FROM c WHERE id = 2;
REPLACE INTO c (id, s) VALUES (3, 'THREE');
INSERT INTO c (id, s) VALUES (3, 'x') ON DUPLICATE KEY UPDATE s = CONCAT(s, '+');
----
ok, 1 rows
ok, 1 rows
ok, 2 rows, id 2
ok, 2 rows, id 2

query
SELECT id, s, d FROM c
----
id | s | d
1 | one! | 3.00
3 | THREE+ | NULL

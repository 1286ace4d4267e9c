# Indexes that nobody declared are shown to who asks for them.
exec
CREATE TABLE o (_id VARCHAR(20) PRIMARY KEY, n INT, _doc JSON, KEY by_n (n));
INSERT INTO o (_doc) VALUES ('{"_id":"a","n":1,"s":"x","a":{"b":[1]},"x y":null}'), ('{"_id":"b","n":2,"s":"y","x y":true}');
----
ok, 0 rows
ok, 2 rows

query
SHOW INDEX FROM o
----
Table | Non_unique | Key_name | Seq_in_index | Column_name | Collation | Cardinality | Sub_part | Packed | Null | Index_type | Comment | Index_comment | Visible | Expression
o | 0 | PRIMARY | 1 | _id | A | 2 | NULL | NULL |  | BTREE |  |  | YES | NULL
o | 1 | by_n | 1 | n | A | 2 | NULL | NULL | YES | BTREE |  |  | YES | NULL

query
SELECT index_name FROM information_schema.statistics WHERE table_schema = 'd'
----
INDEX_NAME
PRIMARY
by_n

exec
SET sqlfdb_show_keypath_indexes = ON
----
ok, 0 rows

query
SHOW INDEX FROM o
----
Table | Non_unique | Key_name | Seq_in_index | Column_name | Collation | Cardinality | Sub_part | Packed | Null | Index_type | Comment | Index_comment | Visible | Expression
o | 0 | PRIMARY | 1 | _id | A | 2 | NULL | NULL |  | BTREE |  |  | YES | NULL
o | 1 | by_n | 1 | n | A | 2 | NULL | NULL | YES | BTREE |  |  | YES | NULL
o | 1 | _id | 1 | _id | A | 2 | NULL | NULL |  | BTREE |  | cardinality: exact | YES | NULL
o | 1 | n | 1 | n | A | 2 | NULL | NULL |  | BTREE |  | cardinality: upper bound | YES | NULL
o | 1 | s | 1 | s | A | 2 | NULL | NULL |  | BTREE |  | cardinality: upper bound | YES | NULL
o | 1 | a | 1 | NULL | A | 0 | NULL | NULL | YES | BTREE |  | cardinality: exact | YES | json_extract(`_doc`,'$.a')
o | 1 | a.b | 1 | a.b | A | 0 | NULL | NULL | YES | BTREE |  | cardinality: exact | YES | NULL
o | 1 | a.b[*] | 1 | NULL | A | 1 | NULL | NULL | YES | BTREE |  | cardinality: exact | YES | json_extract(`_doc`,'$.a.b[*]')
o | 1 | x y | 1 | x y | A | 2 | NULL | NULL | YES | BTREE |  | cardinality: exact | YES | NULL

exec
SET sqlfdb_show_keypath_indexes = DEFAULT
----
ok, 0 rows

query
SELECT keypath, type, entries FROM sqlfdb.keypaths WHERE `table` = 'o'
----
keypath | type | entries
_id | string | 2
n | number | 2
s | string | 2
a | object | 1
a.b | array | 1
a.b[*] | number | 1
x y | null | 1
x y | boolean | 1

# What SHOW CREATE TABLE lists, SHOW COLUMNS does, and * is: _doc, which is left out of *, stands in the first alone, since it makes the table open.
query
SHOW CREATE TABLE o
----
Table | Create Table
o | CREATE TABLE `o` (
  `_id` varchar(20) NOT NULL,
  `n` int,
  `s` longtext DEFAULT NULL COMMENT '2 of 2: string',
  `a.b` json DEFAULT NULL COMMENT '1 of 2: array',
  `x y` tinyint(1) DEFAULT NULL COMMENT '2 of 2: 1 null, 1 boolean',
  `_doc` json,
  PRIMARY KEY (`_id`),
  KEY `by_n` (`n`)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_as_cs

query
SHOW COLUMNS FROM o
----
Field | Type | Null | Key | Default | Extra
_id | varchar(20) | NO | PRI | NULL |
n | int | YES | MUL | NULL |
s | longtext | YES |  | NULL |
a.b | json | YES |  | NULL |
x y | tinyint(1) | YES |  | NULL |

query
SELECT * FROM o
----
_id | n | s | a.b | x y
a | 1 | x | [1] | NULL
b | 2 | y | NULL | 1

# Adminer says this to each session; a dump has set the time zone, too.
exec
SET sql_quote_show_create = 1, autocommit = 1
----
ok, 0 rows

query
SHOW COLUMNS FROM o
----
Field | Type | Null | Key | Default | Extra
_id | varchar(20) | NO | PRI | NULL |
n | int | YES | MUL | NULL |
s | longtext | YES |  | NULL |
a.b | json | YES |  | NULL |
x y | tinyint(1) | YES |  | NULL |

exec
SET time_zone = '+00:00'
----
ok, 0 rows

query
SHOW COLUMNS FROM o
----
Field | Type | Null | Key | Default | Extra
_id | varchar(20) | NO | PRI | NULL |
_doc | json | YES |  | NULL |

query
SHOW CREATE TABLE o
----
Table | Create Table
o | CREATE TABLE `o` (
  `_id` varchar(20) NOT NULL,
  `n` int,
  `_doc` json,
  PRIMARY KEY (`_id`),
  KEY `by_n` (`n`)
) DEFAULT CHARSET=utf8mb4 /*!80000 COLLATE=utf8mb4_0900_as_cs */ /*M!100100 COLLATE=utf8mb4_bin */

query
SELECT * FROM o
----
_id | _doc
a | {"_id":"a","n":1,"s":"x","a":{"b":[1]},"x y":null}
b | {"_id":"b","n":2,"s":"y","x y":true}

exec
SET time_zone = DEFAULT
----
ok, 0 rows

query
DESCRIBE o s
----
Field | Type | Null | Key | Default | Extra
s | longtext | YES |  | NULL |

# CREATE TABLE with columns, keys and options of its own beside a query.
exec
CREATE TABLE src (id INT NOT NULL, b VARCHAR(10) DEFAULT 'x', c DECIMAL(10,2), PRIMARY KEY (id));
INSERT INTO src VALUES (1,'a',1.5), (2,'b',2.5), (3,'b',3.5);
CREATE TABLE keyed (PRIMARY KEY (id)) SELECT id, b FROM src;
CREATE TABLE numbered (id INT NOT NULL AUTO_INCREMENT PRIMARY KEY, KEY(b)) SELECT b FROM src;
CREATE TABLE both_named (a INT, B VARCHAR(50), n TINYINT DEFAULT 7) SELECT id AS a, 5 AS z, b FROM src;
CREATE TABLE constrained (a INT, g INT AS (id * 10), v INT AS (id + 1) VIRTUAL, CHECK (id < 100), UNIQUE (b(5), id), FOREIGN KEY (id) REFERENCES src (id), KEY ((LOWER(b)))) ENGINE=InnoDB COMMENT='hi' AS SELECT id, b FROM src;
CREATE TABLE other.t (id INT) SELECT 1 AS id;
----
ok, 0 rows
ok, 3 rows
ok, 3 rows
ok, 3 rows, id 1
ok, 3 rows
ok, 3 rows
ERROR 1049 (42000): Unknown database 'other'

query
SHOW CREATE TABLE keyed
----
Table | Create Table
keyed | CREATE TABLE `keyed` (
  `id` int NOT NULL,
  `b` varchar(10) DEFAULT 'x',
  PRIMARY KEY (`id`)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_as_cs

query
SHOW CREATE TABLE numbered
----
Table | Create Table
numbered | CREATE TABLE `numbered` (
  `id` int NOT NULL AUTO_INCREMENT,
  `b` varchar(10) DEFAULT 'x',
  PRIMARY KEY (`id`),
  KEY `b` (`b`)
) AUTO_INCREMENT=4 DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_as_cs

query
SELECT * FROM numbered
----
id | b
1 | a
2 | b
3 | b

query
SHOW CREATE TABLE both_named
----
Table | Create Table
both_named | CREATE TABLE `both_named` (
  `n` tinyint DEFAULT '7',
  `a` int,
  `z` tinyint NOT NULL,
  `B` varchar(50)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_as_cs

query
SELECT * FROM both_named
----
n | a | z | B
7 | 1 | 5 | a
7 | 2 | 5 | b
7 | 3 | 5 | b

query
SHOW CREATE TABLE constrained
----
Table | Create Table
constrained | CREATE TABLE `constrained` (
  `a` int,
  `g` int GENERATED ALWAYS AS (`id` * 10) VIRTUAL,
  `v` int GENERATED ALWAYS AS (`id` + 1) VIRTUAL,
  `id` int NOT NULL,
  `b` varchar(10) DEFAULT 'x',
  KEY `id` (`id`),
  KEY `functional_index` ((lower(`b`))),
  UNIQUE KEY `b` (`b`(5),`id`),
  CONSTRAINT `constrained_ibfk_1` FOREIGN KEY (`id`) REFERENCES `src` (`id`),
  CONSTRAINT `constrained_chk_1` CHECK (`id` < 100)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_as_cs COMMENT='hi'

query
SELECT * FROM constrained
----
a | g | v | id | b
NULL | 10 | 2 | 1 | a
NULL | 20 | 3 | 2 | b
NULL | 30 | 4 | 3 | b

# Queries of every form.
exec
CREATE TABLE q1 SELECT id FROM src UNION SELECT id + 1 FROM src;
CREATE TABLE q2 (KEY (id)) SELECT id FROM src UNION ALL (SELECT 9) ORDER BY id DESC LIMIT 2;
CREATE TABLE q3 (SELECT id, b FROM src);
CREATE TABLE q4 (PRIMARY KEY (id)) ((SELECT id, b FROM src WHERE id > 1));
CREATE TABLE q5 AS TABLE src;
CREATE TABLE q6 (column_1 VARCHAR(5)) VALUES ROW(1,'x'), ROW(2,'yy');
CREATE TABLE q7 AS WITH w AS (SELECT id, b FROM src) SELECT * FROM w WHERE id > 1;
CREATE TABLE q8 (id BIGINT PRIMARY KEY) WITH RECURSIVE w (id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM w WHERE id < 4) SELECT * FROM w;
CREATE TABLE q9 SELECT NULL AS nothing, 'it''s; (SELECT' AS `a,b`;
CREATE TABLE q10 (k VARCHAR(20) COMMENT 'a, (b) SELECT', KEY (k)) DEFAULT CHARSET = utf8mb4, COMMENT = 'IGNORE AS SELECT' SELECT CONCAT(b, id) AS k FROM src
----
ok, 4 rows
ok, 2 rows
ok, 3 rows
ok, 2 rows
ok, 3 rows
ok, 2 rows
ok, 2 rows
ok, 4 rows
ok, 1 rows
ok, 3 rows

query
SELECT (SELECT COUNT(*) FROM q1), (SELECT GROUP_CONCAT(id ORDER BY id) FROM q2), (SELECT COUNT(*) FROM q3), (SELECT COUNT(*) FROM q4), (SELECT COUNT(*) FROM q5), (SELECT COUNT(*) FROM q6), (SELECT COUNT(*) FROM q7), (SELECT SUM(id) FROM q8), (SELECT GROUP_CONCAT(k) FROM q10)
----
(SELECT COUNT(*) FROM q1) | (SELECT GROUP_CONCAT(id ORDER BY id) FROM q2) | (SELECT COUNT(*) FROM q3) | (SELECT COUNT(*) FROM q4) | (SELECT COUNT(*) FROM q5) | (SELECT COUNT(*) FROM q6) | (SELECT COUNT(*) FROM q7) | (SELECT SUM(id) FROM q8) | (SELECT GROUP_CONCAT(k) FROM q10)
4 | 3,9 | 3 | 2 | 3 | 2 | 2 | 10 | a1,b2,b3

query
SHOW CREATE TABLE q6
----
Table | Create Table
q6 | CREATE TABLE `q6` (
  `column_0` tinyint NOT NULL,
  `column_1` varchar(5)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_as_cs

query
SHOW CREATE TABLE q9
----
Table | Create Table
q9 | CREATE TABLE `q9` (
  `nothing` binary(0),
  `a,b` varchar(13) NOT NULL
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_as_cs

query
SHOW CREATE TABLE q10
----
Table | Create Table
q10 | CREATE TABLE `q10` (
  `k` varchar(20) COMMENT 'a, (b) SELECT',
  KEY `k` (`k`)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_ai_ci COMMENT='IGNORE AS SELECT'

# What fails leaves nothing behind.
exec
CREATE TABLE not_there (UNIQUE (b)) SELECT id, b FROM src;
CREATE TABLE not_there (CHECK (id < 3)) SELECT id FROM src;
CREATE TABLE not_there (FOREIGN KEY (id) REFERENCES src (id)) SELECT CAST(4 AS SIGNED) AS id;
CREATE TABLE not_there (id INT, FOREIGN KEY (id) REFERENCES src (id)) SELECT 4 AS id;
CREATE TABLE not_there (a TINYINT) SELECT 300 AS a;
CREATE TABLE not_there (g INT AS (id * 10)) SELECT id, 3 AS g FROM src;
CREATE TABLE not_there (n INT NOT NULL) SELECT NULL AS n;
CREATE TABLE not_there (id INT) SELECT id, id FROM src;
CREATE TABLE not_there (id INT, id INT) SELECT id FROM src;
CREATE TABLE not_there (KEY (nothing)) SELECT id FROM src;
CREATE TABLE not_there (id INT) SELECT nothing FROM src;
CREATE TABLE not_there (id INT) SELECT * FROM not_there;
CREATE TABLE not_there (id INT) SELECT 1 AS id INTO @x;
CREATE TABLE not_there (id NOTHING) SELECT 1 AS id;
CREATE TABLE not_there (id INT, SELECT 1;
CREATE TABLE q1 (id INT) SELECT 1 AS id
----
ERROR 1062 (23000): Duplicate entry 'b' for key 'not_there.b'
ERROR 3819 (HY000): Check constraint "not_there_chk_1" violated
ERROR 3780 (HY000): Referencing column 'id' and referenced column 'id' in foreign key constraint 'not_there_ibfk_1' are incompatible.
ERROR 1452 (23000): Cannot add or update a child row: a foreign key constraint fails (`d`.`not_there`, CONSTRAINT `not_there_ibfk_1` FOREIGN KEY (`id`) REFERENCES `src` (`id`))
ERROR 1264 (22003): 300 out of range for tinyint
ERROR 3105 (HY000): The value specified for generated column "g" in table "not_there" is not allowed.
ERROR 1048 (23000): column name 'n' is non-nullable but attempted to set a value of null
ERROR 1060 (42S21): duplicate column name: `id`
ERROR 1060 (42S21): duplicate column name: `id`
ERROR 1072 (42000): Key column 'nothing' doesn't exist in table
ERROR 1054 (42S22): column "nothing" could not be found in any table in scope
ERROR 1146 (42S02): Table 'd.not_there' doesn't exist
ERROR 1064 (42000): syntax error at position 39 near 'SELECT'
ERROR 1064 (42000): syntax error at position 35 near 'NOTHING'
ERROR 1064 (42000): syntax error at position 39 near 'SELECT'
ERROR 1050 (42S01): table with name q1 already exists

query
SELECT COUNT(*) FROM information_schema.tables WHERE table_name = 'not_there'
----
COUNT(*)
0

# Duplicates.
exec
CREATE TABLE ignored (UNIQUE (b)) IGNORE SELECT id, b FROM src;
CREATE TABLE replaced (UNIQUE (b)) REPLACE AS SELECT id, b FROM src;
CREATE TABLE ignored2 IGNORE AS SELECT id FROM src
----
ok, 2 rows
ok, 4 rows, id 1
ok, 3 rows

query
SELECT * FROM ignored
----
id | b
1 | a
2 | b

query
SELECT * FROM replaced
----
id | b
1 | a
3 | b

# IF NOT EXISTS makes nothing and inserts nothing.
exec
CREATE TABLE IF NOT EXISTS ignored (PRIMARY KEY (id)) SELECT * FROM src;
CREATE TABLE IF NOT EXISTS ignored SELECT * FROM src
----
ok, 0 rows
ok, 0 rows

query
SHOW WARNINGS
----
Level | Code | Message
Note | 1050 | Table 'ignored' already exists

query
SELECT COUNT(*) FROM ignored
----
COUNT(*)
2

# Temporary tables, one in the place of that which it is read from.
exec
CREATE TEMPORARY TABLE tt (PRIMARY KEY (id)) ENGINE=InnoDB SELECT id, b FROM src;
CREATE TEMPORARY TABLE src (KEY (b)) SELECT * FROM src WHERE id > 1;
CREATE TEMPORARY TABLE tt (id INT) SELECT 1 AS id
----
ok, 3 rows
ok, 2 rows
ERROR 1050 (42S01): table with name tt already exists

query
SELECT (SELECT COUNT(*) FROM tt), (SELECT GROUP_CONCAT(id) FROM src)
----
(SELECT COUNT(*) FROM tt) | (SELECT GROUP_CONCAT(id) FROM src)
3 | 2,3

exec
DROP TEMPORARY TABLE src
----
ok, 0 rows

# Parameters.
exec
PREPARE p FROM 'CREATE TABLE prepared (KEY (b), n INT) SELECT b, ? AS n FROM src WHERE id > ?';
SET @n = 5, @i = 1;
EXECUTE p USING @n, @i;
DROP TABLE prepared;
EXECUTE p USING @n, @i
----
ok, 0 rows
ok, 0 rows
ok, 2 rows
ok, 0 rows
ok, 2 rows

query
SELECT * FROM prepared
----
b | n
b | 5
b | 5

# Open collections.
exec
CREATE TABLE people (_id VARCHAR(50) PRIMARY KEY, _doc JSON);
INSERT INTO people (_doc) VALUES ('{"_id":"a","email":"A@x","n":1,"o":{"p":2}}'), ('{"_id":"b","email":"B@x","tags":[1]}');
CREATE TABLE copies (PRIMARY KEY (_id), KEY (email)) SELECT _id, _doc FROM people;
CREATE TABLE flat (email VARCHAR(20), UNIQUE (email)) SELECT * FROM people;
CREATE TABLE twice SELECT people._id FROM people, flat
----
ok, 0 rows
ok, 2 rows
ok, 2 rows
ok, 2 rows
ERROR 1062 (23000): Duplicate entry 'a' for key 'twice.PRIMARY'

query
SELECT _id, _doc FROM copies WHERE email = 'B@x'
----
_id | _doc
b | {"_id":"b","email":"B@x","tags":[1]}

query
SHOW CREATE TABLE copies
----
Table | Create Table
copies | CREATE TABLE `copies` (
  `_id` varchar(50) NOT NULL,
  `email` longtext DEFAULT NULL COMMENT '2 of 2: string',
  `n` bigint DEFAULT NULL COMMENT '1 of 2: number',
  `o.p` bigint DEFAULT NULL COMMENT '1 of 2: number',
  `tags` json DEFAULT NULL COMMENT '1 of 2: array',
  `_doc` json,
  PRIMARY KEY (`_id`),
  KEY `email` (`email`)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_as_cs

query
SELECT * FROM flat
----
_id | email | n | o.p | tags
a | A@x | 1 | 2 | NULL
b | B@x | NULL | NULL | [1]

query
CHECK TABLE keyed, numbered, both_named, constrained, ignored, replaced, tt, copies, flat
----
Table | Op | Msg_type | Msg_text
d.keyed | check | status | OK
d.numbered | check | status | OK
d.both_named | check | status | OK
d.constrained | check | status | OK
d.ignored | check | status | OK
d.replaced | check | status | OK
d.tt | check | status | OK
d.copies | check | status | OK
d.flat | check | status | OK

# A computed text of a known length is VARCHAR, which a key may be on.
exec
CREATE TABLE texts (n VARCHAR(20), t TEXT);
INSERT INTO texts VALUES ('é','x');
CREATE TABLE lengths (KEY (v), KEY (u)) SELECT 'x' v, UPPER(n) u, CONCAT(n,'-',n) cn, LEFT(n,2) l, t, CONCAT(t,'x') ct, REPEAT('a',600) r FROM texts
----
ok, 0 rows
ok, 1 rows
ok, 1 rows

query
SHOW CREATE TABLE lengths
----
Table | Create Table
lengths | CREATE TABLE `lengths` (
  `v` varchar(1) NOT NULL,
  `u` varchar(20),
  `cn` varchar(41),
  `l` varchar(20),
  `t` text,
  `ct` longtext,
  `r` longtext NOT NULL,
  KEY `v` (`v`),
  KEY `u` (`u`)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_as_cs

query
SELECT v, u, cn, l, t, ct, LENGTH(r) FROM lengths WHERE v = 'x'
----
v | u | cn | l | t | ct | LENGTH(r)
x | É | é-é | é | x | xx | 600

query
CHECK TABLE lengths
----
Table | Op | Msg_type | Msg_text
d.lengths | check | status | OK

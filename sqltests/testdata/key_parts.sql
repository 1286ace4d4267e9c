# UNIQUE on the beginning of a column: equal beginnings are refused in every kind of write.
exec
CREATE TABLE q (a INT PRIMARY KEY, v VARCHAR(10), UNIQUE KEY (v(1)));
INSERT INTO q VALUES (1, 'ab'), (2, 'bc'), (3, NULL), (4, NULL), (5, 'Ab');
INSERT INTO q VALUES (6, 'ac');
INSERT IGNORE INTO q VALUES (6, 'bx'), (7, 'cx');
REPLACE INTO q VALUES (8, 'az');
INSERT INTO q VALUES (9, 'cc') ON DUPLICATE KEY UPDATE v = 'dd';
UPDATE q SET v = 'be' WHERE a = 8;
UPDATE q SET v = NULL WHERE a = 2;
UPDATE q SET v = 'be' WHERE a = 8;
----
ok, 0 rows
ok, 5 rows
ERROR 1062 (23000): Duplicate entry 'a' for key 'q.v'
ok, 1 rows
ok, 2 rows
ok, 2 rows
ERROR 1062 (23000): Duplicate entry 'b' for key 'q.v'
ok, 1 rows
ok, 1 rows

query
SELECT * FROM q ORDER BY a
----
a | v
2 | NULL
3 | NULL
4 | NULL
5 | Ab
7 | dd
8 | be

exec
BEGIN;
INSERT INTO q VALUES (20, 'xyz');
INSERT INTO q VALUES (21, 'xab');
ROLLBACK;
INSERT INTO q VALUES (21, 'xab');
----
ok, 0 rows
ok, 1 rows
ERROR 1062 (23000): Duplicate entry 'x' for key 'q.v'
ok, 0 rows
ok, 1 rows

query
SHOW CREATE TABLE q
----
Table | Create Table
q | CREATE TABLE `q` (
  `a` int NOT NULL,
  `v` varchar(10),
  PRIMARY KEY (`a`),
  UNIQUE KEY `v` (`v`(1))
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_as_cs

query
SHOW COLUMNS FROM q
----
Field | Type | Null | Key | Default | Extra
a | int | NO | PRI | NULL |
v | varchar(10) | YES | MUL | NULL |

query
SELECT index_name, seq_in_index, column_name, sub_part, expression, non_unique FROM information_schema.statistics WHERE table_name = 'q' AND index_name = 'v' AND non_unique = 0
----
INDEX_NAME | SEQ_IN_INDEX | COLUMN_NAME | SUB_PART | EXPRESSION | NON_UNIQUE
v | 1 | v | 1 | NULL | 0

query
SELECT constraint_name, column_name FROM information_schema.key_column_usage WHERE table_name = 'q'
----
CONSTRAINT_NAME | COLUMN_NAME
PRIMARY | a
v | v

query
CHECK TABLE q
----
Table | Op | Msg_type | Msg_text
d.q | check | status | OK

# Characters in the column's collation, or bytes; several columns, of which one is NULL.
exec
CREATE TABLE kinds (id INT PRIMARY KEY, v VARCHAR(20) COLLATE utf8mb4_0900_ai_ci, t TEXT, b BLOB, bi BINARY(4), vb VARBINARY(9), c CHAR(8), n INT, UNIQUE u1 (v(2)), UNIQUE u2 (t(3)), UNIQUE u3 (b(2)), UNIQUE u4 (bi(2)), UNIQUE u5 (vb(3)), UNIQUE u6 (n, c(2)), KEY plain (v(4), n), KEY whole (v(20)));
INSERT INTO kinds VALUES (1, 'ábc', 'hello', x'010203', 'ab', 'abcd', 'abcd', 1);
INSERT INTO kinds (id, v) VALUES (2, 'ABX');
INSERT INTO kinds (id, v) VALUES (2, 'ÁÄ');
INSERT INTO kinds (id, t) VALUES (3, 'helX');
INSERT INTO kinds (id, t) VALUES (3, 'Hello');
INSERT INTO kinds (id, b) VALUES (4, x'010299');
INSERT INTO kinds (id, b) VALUES (4, x'0103');
INSERT INTO kinds (id, bi) VALUES (5, 'abc');
INSERT INTO kinds (id, vb) VALUES (5, 'abcx');
INSERT INTO kinds (id, n, c) VALUES (5, 1, 'abzz');
INSERT INTO kinds (id, n, c) VALUES (5, 2, 'abzz'), (6, NULL, 'abzz'), (7, NULL, 'abzz');
UPDATE kinds SET n = 2 WHERE id = 7;
----
ok, 0 rows
ok, 1 rows
ERROR 1062 (23000): Duplicate entry 'AB' for key 'kinds.u1'
ok, 1 rows
ERROR 1062 (23000): Duplicate entry 'hel' for key 'kinds.u2'
ok, 1 rows
ERROR 1062 (23000): Duplicate entry '\x01\x02' for key 'kinds.u3'
ok, 1 rows
ERROR 1062 (23000): Duplicate entry 'ab' for key 'kinds.u4'
ERROR 1062 (23000): Duplicate entry 'abc' for key 'kinds.u5'
ERROR 1062 (23000): Duplicate entry '1-ab' for key 'kinds.u6'
ok, 3 rows
ERROR 1062 (23000): Duplicate entry '2-ab' for key 'kinds.u6'

query
SELECT index_name, seq_in_index, column_name, sub_part FROM information_schema.statistics WHERE table_name = 'kinds' AND (non_unique = 0 OR index_name IN ('plain', 'whole')) ORDER BY 1, 2
----
INDEX_NAME | SEQ_IN_INDEX | COLUMN_NAME | SUB_PART
plain | 1 | v | 4
plain | 2 | n | NULL
PRIMARY | 1 | id | NULL
u1 | 1 | v | 2
u2 | 1 | t | 3
u3 | 1 | b | 2
u4 | 1 | bi | 2
u5 | 1 | vb | 3
u6 | 1 | n | NULL
u6 | 2 | c | 2
whole | 1 | v | NULL

query
CHECK TABLE kinds
----
Table | Op | Msg_type | Msg_text
d.kinds | check | status | OK

# Keys that are added, and columns that are changed, later.
exec
CREATE TABLE w (id INT PRIMARY KEY, v VARCHAR(10), n INT);
INSERT INTO w VALUES (1, 'aa', 1), (2, 'ab', 2), (3, 'b', 3);
CREATE UNIQUE INDEX u ON w (v(1));
ALTER TABLE w ADD UNIQUE u (v(2)), ADD COLUMN m INT DEFAULT 7;
ALTER TABLE w ADD UNIQUE (v(11));
ALTER TABLE w ADD UNIQUE (n(1));
ALTER TABLE w ADD KEY (v(0));
INSERT INTO w VALUES (4, 'abc', 4, 5);
ALTER TABLE w RENAME COLUMN v TO vv;
INSERT INTO w VALUES (4, 'ABc', 4, 5);
DELETE FROM w WHERE id = 4;
ALTER TABLE w MODIFY vv VARCHAR(10) COLLATE utf8mb4_0900_ai_ci;
INSERT INTO w VALUES (4, 'ABc', 4, 5);
ALTER TABLE w MODIFY vv INT;
CREATE TABLE w2 LIKE w;
----
ok, 0 rows
ok, 3 rows
ERROR 1062 (23000): Duplicate entry 'a' for key 'w.u'
ok, 0 rows
ERROR 1089 (HY000): incorrect prefix key 'v'; the used key part isn't a string, the used length is longer than the key part, or the storage engine doesn't support unique prefix keys
ERROR 1089 (HY000): incorrect prefix key 'n'; the used key part isn't a string, the used length is longer than the key part, or the storage engine doesn't support unique prefix keys
ERROR 1391 (HY000): key part 'v' length cannot be 0
ERROR 1062 (23000): Duplicate entry 'ab' for key 'w.u'
ok, 0 rows
ok, 1 rows
ok, 1 rows
ok, 0 rows
ERROR 1062 (23000): Duplicate entry 'AB' for key 'w.u'
ERROR 1089 (HY000): Incorrect prefix key; the used key part isn't a string, the used length is longer than the key part, or the storage engine doesn't support unique prefix keys
ok, 0 rows

query
SHOW CREATE TABLE w2
----
Table | Create Table
w2 | CREATE TABLE `w2` (
  `id` int NOT NULL,
  `vv` varchar(10) COLLATE utf8mb4_0900_ai_ci,
  `n` int,
  `m` int DEFAULT '7',
  PRIMARY KEY (`id`),
  UNIQUE KEY `u` (`vv`(2))
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_as_cs

exec
INSERT INTO w2 SELECT * FROM w;
INSERT INTO w2 VALUES (4, 'ABc', 4, 5);
TRUNCATE TABLE w2;
INSERT INTO w2 VALUES (4, 'ABc', 4, 5);
ALTER TABLE w DROP INDEX u;
INSERT INTO w VALUES (5, 'ABc', 4, 5);
ALTER TABLE w2 DROP COLUMN vv;
----
ok, 3 rows
ERROR 1062 (23000): Duplicate entry 'AB' for key 'w2.u'
ok, 3 rows
ok, 1 rows
ok, 0 rows
ok, 1 rows
ok, 0 rows

query
SHOW CREATE TABLE w2
----
Table | Create Table
w2 | CREATE TABLE `w2` (
  `id` int NOT NULL,
  `n` int,
  `m` int DEFAULT '7',
  PRIMARY KEY (`id`)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_as_cs

query
CHECK TABLE w, w2
----
Table | Op | Msg_type | Msg_text
d.w | check | status | OK
d.w2 | check | status | OK

# Parts that are expressions.
exec
CREATE TABLE fn (id INT PRIMARY KEY AUTO_INCREMENT, a INT, b VARCHAR(20), j JSON, d DATETIME, KEY ((a + 1)), KEY fl ((LOWER(b))), UNIQUE KEY ue ((LOWER(b)), a));
INSERT INTO fn (a, b, j, d) VALUES (1, 'Foo', '{"a": 5}', '2020-01-02 03:04:05'), (2, 'BAR', '{"a": 6}', NULL), (1, 'bar', NULL, NULL);
INSERT INTO fn (a, b) VALUES (1, 'FOO');
INSERT INTO fn (a, b) VALUES (1, 'FOO') ON DUPLICATE KEY UPDATE b = 'fooo';
INSERT INTO fn VALUES (10, 1, 'FOO', NULL, NULL), (11, 1, NULL, NULL, NULL), (12, 1, NULL, NULL, NULL);
CREATE INDEX ij ON fn ((CAST(j->'$.a' AS UNSIGNED)));
ALTER TABLE fn ADD INDEX iy (a, (YEAR(d)) DESC), ADD UNIQUE INDEX ((IF(a > 1, a, NULL)));
----
ok, 0 rows
ok, 3 rows, id 1
ERROR 1062 (23000): Duplicate entry 'foo-1' for key 'fn.ue'
ok, 2 rows, id 1
ok, 3 rows, id 10
ok, 0 rows
ok, 0 rows

query
SHOW CREATE TABLE fn
----
Table | Create Table
fn | CREATE TABLE `fn` (
  `id` int NOT NULL AUTO_INCREMENT,
  `a` int,
  `b` varchar(20),
  `j` json,
  `d` datetime,
  PRIMARY KEY (`id`),
  KEY `functional_index` ((`a` + 1)),
  KEY `fl` ((lower(`b`))),
  UNIQUE KEY `ue` ((lower(`b`)),`a`),
  KEY `ij` ((convert(json_extract(`j`, '$.a'), unsigned))),
  KEY `iy` (`a`,(year(`d`))),
  UNIQUE KEY `functional_index_2` ((if((`a` > 1),`a`,NULL)))
) AUTO_INCREMENT=13 DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_as_cs

query
SHOW COLUMNS FROM fn
----
Field | Type | Null | Key | Default | Extra
id | int | NO | PRI | NULL | auto_increment
a | int | YES | MUL | NULL |
b | varchar(20) | YES |  | NULL |
j | json | YES |  | NULL |
d | datetime | YES |  | NULL |

query
SELECT column_name FROM information_schema.columns WHERE table_name = 'fn' ORDER BY ordinal_position
----
COLUMN_NAME
id
a
b
j
d

query
SELECT index_name, seq_in_index, column_name, expression FROM information_schema.statistics WHERE table_name = 'fn' AND index_name IN ('functional_index', 'functional_index_2', 'fl', 'ue', 'ij', 'iy')
----
INDEX_NAME | SEQ_IN_INDEX | COLUMN_NAME | EXPRESSION
functional_index | 1 | NULL | `a` + 1
fl | 1 | NULL | lower(`b`)
ue | 1 | NULL | lower(`b`)
ue | 2 | a | NULL
ij | 1 | NULL | convert(json_extract(`j`, '$.a'), unsigned)
iy | 1 | a | NULL
iy | 2 | NULL | year(`d`)
functional_index_2 | 1 | NULL | if((`a` > 1),`a`,NULL)

query
SELECT * FROM fn ORDER BY id
----
id | a | b | j | d
1 | 1 | fooo | {"a":5} | 2020-01-02 03:04:05
2 | 2 | BAR | {"a":6} | NULL
3 | 1 | bar | NULL | NULL
10 | 1 | FOO | NULL | NULL
11 | 1 | NULL | NULL | NULL
12 | 1 | NULL | NULL | NULL

query
SELECT id FROM fn WHERE LOWER(b) = 'bar' ORDER BY id
----
id
2
3

query
EXPLAIN FORMAT=TREE SELECT id FROM fn WHERE lower(fn.B) = 'foo'
----
EXPLAIN
-> Project: fn.id
    -> Filter: (lower(fn.B) = 'foo')
        -> Index range scan on fn using b
             range: `b` in all values
             entries only: no document is read
             keys: 6 counted of 6; 0 documents lack the keypath
             tight
             residual: (lower(fn.B) = 'foo')
             cost: 0.3, a full scan costs 6.0
             lost: `lower(b)` in 'foo', keys: 1 counted of 4: cost 2.0, the chosen one costs 0.3

query
EXPLAIN FORMAT=TREE SELECT id FROM fn x WHERE x.a + 1 = 3 AND x.b IS NOT NULL
----
EXPLAIN
-> Project: x.id
    -> Filter: (((x.a + 1) = 3) AND (NOT(x.b IS NULL)))
        -> Index lookup on x using functional_index
             range: `(a + 1)` in 3
             keys: 1 counted of 6
             not tight: the filter stays
             residual: ((x.a + 1) = 3) AND (NOT(x.b IS NULL))
             cost: 2.0, a full scan costs 6.0
             lost: `b` in not null, keys: 4 counted of 4: cost 8.2, the chosen one costs 2.0

query
EXPLAIN SELECT id FROM fn WHERE CAST(j->'$.a' AS UNSIGNED) = 5
----
id | select_type | table | partitions | type | possible_keys | key | key_len | ref | rows | filtered | Extra
1 | SIMPLE | fn | NULL | ref | ij | ij | NULL | const | 1 | 100 | Using where

query
SELECT id FROM fn WHERE CAST(j->'$.a' AS UNSIGNED) = 5
----
id
1

query
SELECT id FROM fn WHERE a = 1 AND YEAR(d) = 2020
----
id
1

query
SELECT x.id, y.id FROM fn x JOIN fn y ON LOWER(x.b) = LOWER(y.b) AND x.id < y.id WHERE LOWER(x.b) = 'bar'
----
id | id
2 | 3

exec
UPDATE fn SET a = 5 WHERE LOWER(b) = 'fooo';
UPDATE fn SET b = 'BAR' WHERE LOWER(b) = 'foo' AND a = 1;
DELETE FROM fn WHERE a + 1 = 6;
----
ok, 1 rows
ERROR 1062 (23000): Duplicate entry 'bar-1' for key 'fn.ue'
ok, 1 rows

query
SELECT id, a, b FROM fn ORDER BY id
----
id | a | b
2 | 2 | BAR
3 | 1 | bar
10 | 1 | FOO
11 | 1 | NULL
12 | 1 | NULL

exec
ALTER TABLE fn DROP COLUMN b;
ALTER TABLE fn RENAME COLUMN b TO c;
ALTER TABLE fn MODIFY b VARCHAR(30) COLLATE utf8mb4_0900_ai_ci;
ALTER TABLE fn MODIFY b VARCHAR(20) NOT NULL DEFAULT '';
DELETE FROM fn WHERE b IS NULL;
ALTER TABLE fn MODIFY b VARCHAR(20) NOT NULL DEFAULT '' FIRST;
CREATE TABLE fn2 LIKE fn;
----
ERROR 3837 (HY000): Column 'b' has a functional index dependency and cannot be dropped or renamed.
ERROR 3837 (HY000): Column 'b' has a functional index dependency and cannot be dropped or renamed.
ERROR 1235 (42000): another type for column b, which an index on an expression reads
ERROR 1138 (22004): Invalid use of NULL value: column 'b'
ok, 2 rows
ok, 0 rows
ok, 0 rows

query
SHOW CREATE TABLE fn2
----
Table | Create Table
fn2 | CREATE TABLE `fn2` (
  `b` varchar(20) NOT NULL DEFAULT '',
  `id` int NOT NULL AUTO_INCREMENT,
  `a` int,
  `j` json,
  `d` datetime,
  PRIMARY KEY (`id`),
  KEY `functional_index` ((`a` + 1)),
  KEY `fl` ((lower(`b`))),
  UNIQUE KEY `ue` ((lower(`b`)),`a`),
  KEY `ij` ((convert(json_extract(`j`, '$.a'), unsigned))),
  KEY `iy` (`a`,(year(`d`))),
  UNIQUE KEY `functional_index_2` ((if((`a` > 1),`a`,NULL)))
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_as_cs

exec
ALTER TABLE fn RENAME INDEX ue TO renamed;
ALTER TABLE fn DROP INDEX fl, DROP INDEX renamed, DROP COLUMN b;
----
ok, 0 rows
ok, 0 rows

query
SHOW CREATE TABLE fn
----
Table | Create Table
fn | CREATE TABLE `fn` (
  `id` int NOT NULL AUTO_INCREMENT,
  `a` int,
  `j` json,
  `d` datetime,
  PRIMARY KEY (`id`),
  KEY `functional_index` ((`a` + 1)),
  KEY `ij` ((convert(json_extract(`j`, '$.a'), unsigned))),
  KEY `iy` (`a`,(year(`d`))),
  UNIQUE KEY `functional_index_2` ((if((`a` > 1),`a`,NULL)))
) AUTO_INCREMENT=13 DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_as_cs

query
CHECK TABLE fn, fn2
----
Table | Op | Msg_type | Msg_text
d.fn | check | status | OK
d.fn2 | check | status | OK

# What MySQL refuses.
exec
CREATE TABLE bad (a INT, PRIMARY KEY ((a + 1)));
CREATE TABLE bad (a INT, KEY ((a)));
CREATE TABLE bad (a INT, KEY ((a + RAND())));
CREATE TABLE bad (a INT, KEY k ((NOW())));
CREATE TABLE bad (a INT PRIMARY KEY AUTO_INCREMENT, KEY ((a + 1)));
CREATE TABLE bad (a JSON, KEY ((a->'$.x')));
CREATE TABLE bad (a INT, KEY ((nosuch + 1)));
CREATE TABLE bad (a INT, KEY ((nosuch(a))));
----
ERROR 3756 (HY000): The primary key cannot be a functional index
ERROR 3762 (HY000): Functional index on a column is not supported. Consider using a regular index instead.
ERROR 3758 (HY000): Expression of functional index 'functional_index' contains a disallowed function.
ERROR 3758 (HY000): Expression of functional index 'k' contains a disallowed function.
ERROR 3754 (HY000): Functional index 'functional_index' cannot refer to an auto-increment column.
ERROR 3753 (HY000): Cannot create a functional index on a function that returns a JSON or GEOMETRY value.
ERROR 1054 (42S22): column "nosuch" could not be found in any table in scope
ERROR 1305 (42000): function: 'nosuch' not found

query
SHOW TABLES LIKE 'bad'
----
Tables_in_d (bad)

exec
CREATE TABLE made (a INT, _sqlfdb_part1 INT);
CREATE TABLE open (_id VARCHAR(20) PRIMARY KEY, _doc JSON, KEY ((LOWER(email))));
CREATE TABLE open (_id VARCHAR(20) PRIMARY KEY, email VARCHAR(20), _doc JSON, UNIQUE KEY (email(3)));
----
ERROR 1235 (42000): the column name _sqlfdb_part1 is reserved
ERROR 1235 (42000): an index on an expression in an open collection
ERROR 1235 (42000): a unique index on the beginning of a column in an open collection

# MariaDB's conditions.
exec
CREATE INDEX IF NOT EXISTS ix ON q (a);
----
ok, 0 rows

exec
CREATE INDEX IF NOT EXISTS ix ON q (a);
----
ok, 0 rows

query
SHOW WARNINGS
----
Level | Code | Message
Note | 1061 | Duplicate key name 'ix'

exec
DROP INDEX IF EXISTS ix ON q;
DROP INDEX IF EXISTS ix ON q;
----
ok, 0 rows
ok, 0 rows

query
SHOW WARNINGS
----
Level | Code | Message
Note | 1091 | Can't DROP 'ix'; check that column/key exists

exec
DROP INDEX ix ON q;
----
ERROR 1091 (HY000): error: can't drop 'ix'; check that column/key exists

exec
ALTER TABLE q ADD KEY IF NOT EXISTS ix (a);
ALTER TABLE q ADD INDEX IF NOT EXISTS ix (a);
ALTER TABLE q ADD UNIQUE INDEX IF NOT EXISTS ix (a);
ALTER TABLE q DROP INDEX IF EXISTS ix;
ALTER TABLE q DROP KEY IF EXISTS ix;
ALTER TABLE q DROP KEY IF EXISTS ix, ADD COLUMN zzz INT;
ALTER TABLE q ADD COLUMN IF NOT EXISTS zzz INT;
----
ok, 0 rows
ok, 0 rows
ok, 0 rows
ok, 0 rows
ok, 0 rows
ERROR 1064 (42000): syntax error at position 26 near 'IF'
ERROR 1064 (42000): syntax error at position 28 near 'IF'

# A cascade computes the parts anew; the changes show nothing of them.
exec
CREATE TABLE parent (p VARCHAR(10) PRIMARY KEY);
CREATE TABLE child (id INT PRIMARY KEY, p VARCHAR(10), FOREIGN KEY (p) REFERENCES parent (p) ON UPDATE CASCADE, UNIQUE KEY beginning (p(2)), KEY up ((UPPER(p))));
INSERT INTO parent VALUES ('abc'), ('xyz');
INSERT INTO child VALUES (1, 'abc');
UPDATE parent SET p = 'cde' WHERE p = 'abc';
----
ok, 0 rows
ok, 0 rows
ok, 2 rows
ok, 1 rows
ok, 1 rows

query
SELECT * FROM child WHERE UPPER(p) = 'CDE'
----
id | p
1 | cde

query
CHECK TABLE child, parent
----
Table | Op | Msg_type | Msg_text
d.child | check | status | OK
d.parent | check | status | OK

query
SELECT seq IS NOT NULL, id, _doc FROM child__changes
----
seq IS NOT NULL | id | _doc
1 | 1 | {"id":1,"p":"cde"}

# Expressions of keys and of generated columns in WHERE, ORDER BY and joins.
exec
CREATE TABLE computed (id INT PRIMARY KEY, Email VARCHAR(50), a INT, up VARCHAR(50) AS (UPPER(EMAIL)), a7 INT AS (a * 7), third DECIMAL(5,1) AS (a / 3), KEY (up), KEY (a7), KEY ((LOWER(email)), a));
INSERT INTO computed (id, email, a) VALUES (1, 'Bo', 1), (2, 'al', 2), (3, 'Cy', 3), (4, 'DI', 4), (5, 'ed', 5), (6, 'Flo', 6);
CREATE TABLE mails (mail VARCHAR(20), n INT);
INSERT INTO mails VALUES ('bo', 14), ('ed', 21)
----
ok, 0 rows
ok, 6 rows
ok, 0 rows
ok, 2 rows

query
EXPLAIN FORMAT=TREE SELECT * FROM computed WHERE upper(email) = 'BO'
----
EXPLAIN
-> Filter: (upper(computed.email) = 'BO')
    -> Index lookup on computed using up
         range: `up` in 'BO'
         keys: 1 counted of 6
         not tight: the filter stays
         residual: (upper(computed.email) = 'BO')
         cost: 2.0, a full scan costs 6.0

query
EXPLAIN FORMAT=TREE SELECT id FROM computed ORDER BY LOWER(Email), a LIMIT 2
----
EXPLAIN
-> Limit: 2 rows
    -> Project: computed.id
        -> Index range scan on computed using functional_index
             range: index `functional_index` in all values
             order: index `functional_index`: cost 4.1, sorting costs 6.6
             ends after: 2
             keys: about 2 of 6
             tight
             cost: 4.1, a full scan costs 6.0
             lost: order by `lower(Email)`: cost 6.5, the chosen one costs 4.1

query
SELECT id FROM computed WHERE LOWER(email) > 'bo' ORDER BY LOWER(Email) DESC LIMIT 2
----
id
6
5

query
SELECT id FROM computed ORDER BY UPPER(Email) LIMIT 1 OFFSET 2
----
id
3

query
EXPLAIN FORMAT=TREE SELECT id FROM mails JOIN computed ON a * 7 = n
----
EXPLAIN
-> Project: computed.id
    -> Join, inner, lookup: ((computed.a * 7) = mails.n)
        -> Index range scan on mails using n
             range: `n` in all values
             entries only: no document is read
             keys: 2 counted of 2; 0 documents lack the keypath
             tight
             cost: 0.1, a full scan costs 2.0
        -> Look up in batches: computed: `a7` = mails.n
             for about 2 rows, documents for each: about 1.0
             cost: 7.8
             documents: about 2 of 6
             lost: the whole side, hashed: cost 9.4

query
SELECT id FROM mails JOIN computed ON LOWER(computed.email) = mail OR a * 7 = n ORDER BY id
----
id
1
2
3
5

# What a column rounds is not its expression.
query
EXPLAIN FORMAT=TREE SELECT id FROM computed WHERE a / 3 = 0.6667
----
EXPLAIN
-> Project: computed.id
    -> Filter: ((computed.a / 3) = 0.6667)
        -> Index range scan on computed using a
             range: `a` in (-∞, -4000000000000000000], [1.999799999999979996, 2.000400000000020004], [4000000000000000000, +∞)
             entries only: no document is read
             keys: 1 counted of 6
             not tight: the filter stays
             residual: ((computed.a / 3) = 0.6667)
             cost: 0.1, a full scan costs 6.0

query
SELECT id FROM computed WHERE a / 3 = 0.6667
----
id

# Expressions of an index, of checks that are added, and of generated columns that are added compare as statements do.
exec
CREATE TABLE compared (id INT PRIMARY KEY, s VARCHAR(20), n BIGINT, x DOUBLE);
INSERT INTO compared VALUES (1, 'a', 9007199254740993, 9007199254740992e0), (2, 'L', 1, 1);
ALTER TABLE compared ADD INDEX less ((s < 'C')), ADD INDEX most ((GREATEST(s, 'C'))), ADD INDEX equal ((n = x));
ALTER TABLE compared ADD INDEX middle ((REGEXP_SUBSTR(s, '[a-k]')));
INSERT INTO compared VALUES (3, 'b', 9007199254740993, 9007199254740992e0), (4, 'Z', 2, 2);
ALTER TABLE compared ADD COLUMN early INT AS (IF(s < 'C', 1, 0)) STORED;
ALTER TABLE compared ADD CHECK (s <> 'q' AND GREATEST(s, 'B') <> 'a');
ALTER TABLE compared ADD CHECK (s < 'm');
----
ok, 0 rows
ok, 2 rows
ok, 0 rows
ok, 0 rows
ok, 2 rows
ok, 0 rows
ok, 0 rows
ERROR 3819 (HY000): Check constraint "compared_chk_2" violated

query
SELECT id, early FROM compared ORDER BY id
----
id | early
1 | 1
2 | 0
3 | 1
4 | 0

query
SELECT id FROM compared FORCE INDEX (less) WHERE (s < 'C') = 1 ORDER BY id
----
id
1
3

query
SELECT id FROM compared FORCE INDEX (most) WHERE GREATEST(s, 'C') = 'C' ORDER BY id
----
id
1
3

query
SELECT id FROM compared FORCE INDEX (equal) WHERE (n = x) = 1 ORDER BY id
----
id
2
4

query
SELECT id FROM compared FORCE INDEX (middle) WHERE REGEXP_SUBSTR(s, '[a-k]') = 'b'
----
id
3

exec
DELETE FROM compared WHERE id = 4;
ALTER TABLE compared ADD CHECK (s < 'm');
INSERT INTO compared (id, s) VALUES (5, 'z');
----
ok, 1 rows
ok, 0 rows
ERROR 3819 (HY000): Check constraint "compared_chk_2" violated

query
CHECK TABLE compared
----
Table | Op | Msg_type | Msg_text
d.compared | check | status | OK

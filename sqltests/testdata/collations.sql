# Primary keys in collations that take different strings for equal, and what names or mixes collations.

exec
CREATE TABLE k (_id VARCHAR(255) COLLATE utf8mb4_0900_ai_ci PRIMARY KEY, _doc JSON);
INSERT INTO k (_id, v) VALUES ('a', 1), ('b', 2), ('É', 3)
----
ok, 0 rows
ok, 3 rows

exec
INSERT INTO k (_id, v) VALUES ('A', 1)
----
ERROR 1062 (23000): Duplicate entry 'A' for key 'k.PRIMARY'

exec
INSERT INTO k (_id, v) VALUES ('x', 1), ('X', 2)
----
ERROR 1062 (23000): Duplicate entry 'X' for key 'k.PRIMARY'

query
SELECT _id, v FROM k WHERE _id = 'A'
----
_id | v
a | 1

query
SELECT _id, v FROM k WHERE _id IN ('A', 'e', 'q')
----
_id | v
a | 1
É | 3

query
SELECT _id, v FROM k WHERE _id > 'A' ORDER BY _id DESC
----
_id | v
É | 3
b | 2

query
SELECT _id, v FROM k WHERE _id BETWEEN 'A' AND 'B'
----
_id | v
a | 1
b | 2

query
SELECT _id, v FROM k WHERE _id LIKE 'E%'
----
_id | v
É | 3

query
EXPLAIN FORMAT=TREE SELECT * FROM k WHERE _id = 'A'
----
EXPLAIN
-> Index range scan on k using PRIMARY
     range: primary key in 'A'
     keys: 1 counted of 3
     tight
     cost: 1.0, a full scan costs 3.0

# REPLACE stores the new spelling; ON DUPLICATE KEY UPDATE keeps the old one.

exec
REPLACE INTO k (_id, v) VALUES ('A', 10);
INSERT IGNORE INTO k (_id, v) VALUES ('B', 20), ('c', 5);
INSERT INTO k (_id, v) VALUES ('C', 50) ON DUPLICATE KEY UPDATE v = v + 100
----
ok, 2 rows
ok, 1 rows
ok, 2 rows

query
SELECT _id, v FROM k ORDER BY _id
----
_id | v
A | 10
b | 2
c | 105
É | 3

# A change of case alone is stored; the key of another document is not taken.

exec
UPDATE k SET _id = 'B' WHERE _id = 'b';
UPDATE k SET _id = 'a' WHERE _id = 'b';
UPDATE IGNORE k SET _id = 'a' WHERE _id = 'b';
UPDATE k SET v = 4 WHERE _id = 'e';
DELETE FROM k WHERE _id = 'C'
----
ok, 1 rows
ERROR 1062 (23000): Duplicate entry 'a' for key 'k.PRIMARY'
ok, 0 rows
ok, 1 rows
ok, 1 rows

query
SELECT _id, v FROM k ORDER BY _id
----
_id | v
A | 10
B | 2
É | 4

query
SELECT _id, deleted FROM k__changes WHERE _id = 'b' ORDER BY seq
----
_id | deleted
b | 1
B | 0

# Within a transaction, and again once it is rolled back.

exec
BEGIN;
INSERT INTO k (_id) VALUES ('t');
INSERT INTO k (_id) VALUES ('T');
DELETE FROM k WHERE _id = 'T';
INSERT INTO k (_id) VALUES ('T');
ROLLBACK;
INSERT INTO k (_id) VALUES ('t')
----
ok, 0 rows
ok, 1 rows
ERROR 1062 (23000): Duplicate entry 'T' for key 'k.PRIMARY'
ok, 1 rows
ok, 1 rows
ok, 0 rows
ok, 1 rows

# Two transactions at once.

exec
BEGIN;
INSERT INTO k (_id) VALUES ('u')
----
ok, 0 rows
ok, 1 rows

exec conn=other
INSERT INTO k (_id) VALUES ('U')
----
ok, 1 rows

exec
COMMIT
----
ERROR 1213 (40001): conflict with a concurrent transaction; try restarting transaction

query
SELECT _id FROM k WHERE _id = 'u'
----
_id
U

# From the table's collation, as from a dump of MySQL; with a number in front and behind.

exec
CREATE TABLE m (id VARCHAR(20) NOT NULL, n INT, PRIMARY KEY (id)) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci;
INSERT INTO m VALUES ('a', 1);
INSERT INTO m VALUES ('Ä', 1);
CREATE TABLE p (a VARCHAR(30) COLLATE utf8mb4_0900_ai_ci, n INT, v INT, PRIMARY KEY (a, n));
INSERT INTO p VALUES ('de', 1, 1), ('DE', 2, 2), ('fr', 1, 1);
INSERT INTO p VALUES ('De', 2, 9);
UPDATE p SET a = UPPER(a)
----
ok, 0 rows
ok, 1 rows
ERROR 1062 (23000): Duplicate entry 'Ä' for key 'm.PRIMARY'
ok, 0 rows
ok, 3 rows
ERROR 1062 (23000): Duplicate entry 'De-2' for key 'p.PRIMARY'
ok, 2 rows

query
SELECT * FROM p WHERE a = 'dE' AND n = 2
----
a | n | v
DE | 2 | 2

query
SELECT * FROM p WHERE (a, n) IN (('dE', 2), ('FR', 1)) ORDER BY a, n
----
a | n | v
DE | 2 | 2
FR | 1 | 1

query
SHOW CREATE TABLE m
----
Table | Create Table
m | CREATE TABLE `m` (
  `id` varchar(20) NOT NULL,
  `n` int,
  PRIMARY KEY (`id`)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_ai_ci

query
CHECK TABLE k, m, p
----
Table | Op | Msg_type | Msg_text
d.k | check | status | OK
d.m | check | status | OK
d.p | check | status | OK

# A CREATE … SELECT and a copy between spellings.

exec
INSERT INTO p SELECT LOWER(a), n + 10, v FROM p;
INSERT INTO p SELECT LOWER(a), n, v FROM p
----
ok, 3 rows
ERROR 1062 (23000): Duplicate entry 'de-1' for key 'p.PRIMARY'

query
SELECT a, n FROM p ORDER BY a, n
----
a | n
DE | 1
DE | 2
de | 11
de | 12
FR | 1
fr | 11

# Columns of several collations.

exec
CREATE TABLE t (_id INT PRIMARY KEY, s VARCHAR(50), ci VARCHAR(50) COLLATE utf8mb4_0900_ai_ci, sv VARCHAR(50) COLLATE utf8mb4_sv_0900_ai_ci, g VARCHAR(50) COLLATE utf8mb4_general_ci, b VARCHAR(50) COLLATE utf8mb4_bin, l VARCHAR(50) CHARACTER SET latin1);
INSERT INTO t VALUES (1,'a','a','a','a','a','a'),(2,'A','A','A','A','A','A'),(3,'ä','ä','ä','ä','ä','ä'),(4,'z','z','z','z','z','z'),(5,'ss','ss','ss','ss','ss','ss'),(6,'ß','ß','ß','ß','ß','ß'),(7,'x�éba','x�éba','x�éba','x','x','x')
----
ok, 0 rows
ok, 7 rows

query
SELECT _id FROM t WHERE ci = sv
----
ERROR 1267 (HY000): Illegal mix of collations (utf8mb4_0900_ai_ci,IMPLICIT) and (utf8mb4_sv_0900_ai_ci,IMPLICIT) for operation '='

query
SELECT _id FROM t WHERE ci <= sv
----
ERROR 1267 (HY000): Illegal mix of collations (utf8mb4_0900_ai_ci,IMPLICIT) and (utf8mb4_sv_0900_ai_ci,IMPLICIT) for operation '<='

query
SELECT _id FROM t WHERE ci IN ('x', sv)
----
ERROR 1267 (HY000): Illegal mix of collations (utf8mb4_0900_ai_ci,IMPLICIT) and (utf8mb4_sv_0900_ai_ci,IMPLICIT) for operation ' IN '

query
SELECT _id FROM t WHERE ci BETWEEN 'a' AND sv
----
ERROR 1267 (HY000): Illegal mix of collations (utf8mb4_0900_ai_ci,IMPLICIT) and (utf8mb4_sv_0900_ai_ci,IMPLICIT) for operation 'between'

query
SELECT _id FROM t WHERE ci LIKE sv
----
ERROR 1267 (HY000): Illegal mix of collations (utf8mb4_0900_ai_ci,IMPLICIT) and (utf8mb4_sv_0900_ai_ci,IMPLICIT) for operation 'like'

query
SELECT a._id FROM t a JOIN t b ON a.ci = b.sv
----
ERROR 1267 (HY000): Illegal mix of collations (utf8mb4_0900_ai_ci,IMPLICIT) and (utf8mb4_sv_0900_ai_ci,IMPLICIT) for operation '='

query
SELECT ci FROM t UNION SELECT sv FROM t
----
ERROR 1271 (HY000): Illegal mix of collations for operation 'UNION'

query
SELECT 'a' COLLATE utf8mb4_bin = 'A' COLLATE utf8mb4_0900_ai_ci
----
ERROR 1267 (HY000): Illegal mix of collations (utf8mb4_bin,EXPLICIT) and (utf8mb4_0900_ai_ci,EXPLICIT) for operation '='

query
SELECT 'a' COLLATE nonsense = 'A'
----
ERROR 1273 (HY000): Unknown collation: nonsense

query
SELECT _id FROM t WHERE ci = sv COLLATE utf8mb4_sv_0900_ai_ci ORDER BY _id
----
_id
1
2
3
4
5
6
7

query
SELECT _id FROM t WHERE ci = b ORDER BY _id
----
_id
1
2
3
4
5
6

query
SELECT _id FROM t WHERE s = ci ORDER BY _id
----
_id
1
2
3
4
5
6
7

query
SELECT _id FROM t WHERE s = 'A' COLLATE utf8mb4_0900_ai_ci ORDER BY _id
----
_id
1
2
3

query
SELECT _id FROM t WHERE s COLLATE utf8mb4_general_ci = 'A' ORDER BY _id
----
_id
1
2
3

query
SELECT _id FROM t WHERE ci = 'A' COLLATE utf8mb4_bin
----
_id
2

query
SELECT _id FROM t WHERE g = 'SS' ORDER BY _id
----
_id
5
6

query
SELECT _id FROM t WHERE l = 'A' ORDER BY _id
----
_id
1
2

query
SELECT _id FROM t ORDER BY s COLLATE utf8mb4_swedish_ci, _id
----
_id
1
2
5
6
7
4
3

query
SELECT MIN(_id), COUNT(*) FROM t GROUP BY s COLLATE utf8mb4_unicode_ci ORDER BY 1
----
MIN(_id) | COUNT(*)
1 | 3
4 | 1
5 | 2
7 | 1

query
SELECT ci, COUNT(*) FROM t GROUP BY ci HAVING ci > 'A' ORDER BY 1
----
ci | COUNT(*)
ss | 2
x�éba | 1
z | 1

query
SELECT COUNT(DISTINCT s COLLATE utf8mb4_0900_ai_ci), COUNT(DISTINCT s), COUNT(DISTINCT ci), COUNT(DISTINCT sv) FROM t
----
COUNT(DISTINCT s COLLATE utf8mb4_0900_ai_ci) | COUNT(DISTINCT s) | COUNT(DISTINCT ci) | COUNT(DISTINCT sv)
4 | 7 | 4 | 5

query
SELECT GROUP_CONCAT(DISTINCT ci ORDER BY ci), GROUP_CONCAT(DISTINCT s ORDER BY s) FROM t WHERE _id < 7
----
GROUP_CONCAT(DISTINCT ci ORDER BY ci) | GROUP_CONCAT(DISTINCT s ORDER BY s)
a,ss,z | a,A,ä,ss,ß,z

query
SELECT _id, RANK() OVER (ORDER BY ci) r, SUM(_id) OVER (ORDER BY ci) s, LAG(ci) OVER (ORDER BY ci, _id) l FROM t WHERE _id < 7 ORDER BY _id
----
_id | r | s | l
1 | 1 | 6 | NULL
2 | 1 | 6 | a
3 | 1 | 6 | A
4 | 6 | 21 | ß
5 | 4 | 17 | ä
6 | 4 | 17 | ss

query
SELECT _id, ci LIKE 'A%', s LIKE 'A%', ci LIKE 'A%' COLLATE utf8mb4_bin, g LIKE 'S_', ci LIKE '%B_', s LIKE '%b_', s LIKE '%', s NOT LIKE 'A%' FROM t ORDER BY _id
----
_id | ci LIKE 'A%' | s LIKE 'A%' | ci LIKE 'A%' COLLATE utf8mb4_bin | g LIKE 'S_' | ci LIKE '%B_' | s LIKE '%b_' | s LIKE '%' | s NOT LIKE 'A%'
1 | 1 | 0 | 0 | 0 | 0 | 0 | 1 | 1
2 | 1 | 1 | 1 | 0 | 0 | 0 | 1 | 0
3 | 1 | 0 | 0 | 0 | 0 | 0 | 1 | 1
4 | 0 | 0 | 0 | 0 | 0 | 0 | 1 | 1
5 | 0 | 0 | 0 | 1 | 0 | 0 | 1 | 1
6 | 0 | 0 | 0 | 0 | 0 | 0 | 1 | 1
7 | 0 | 0 | 0 | 0 | 1 | 1 | 1 | 1

query
SELECT _id FROM t WHERE ci LIKE 'AX%' OR ci LIKE 'X%' ORDER BY _id
----
_id
7

query
EXPLAIN FORMAT=TREE SELECT _id FROM t WHERE ci LIKE 'ab%'
----
EXPLAIN
-> Project: t._id
    -> Filter: t.ci LIKE 'ab%'
        -> Index range scan on t using ci
             range: `ci` in ['ab', 'ab'…)
             entries only: no document is read
             keys: 0 counted of 7
             not tight: the filter stays
             residual: t.ci LIKE 'ab%'
             cost: 0.0, a full scan costs 7.0

query
EXPLAIN FORMAT=TREE SELECT _id FROM t WHERE ci LIKE 'ab%' COLLATE utf8mb4_bin
----
EXPLAIN
-> Project: t._id
    -> Filter: t.ci LIKE 'ab%' COLLATE utf8mb4_bin
        -> Index range scan on t using ci
             range: `ci` in ['ab', 'ab'…)
             entries only: no document is read
             keys: 0 counted of 7
             not tight: the filter stays
             residual: t.ci LIKE 'ab%' COLLATE utf8mb4_bin
             cost: 0.0, a full scan costs 7.0

query
EXPLAIN FORMAT=TREE SELECT _id FROM t WHERE s LIKE 'ab%' COLLATE utf8mb4_0900_ai_ci
----
EXPLAIN
-> Project: t._id
    -> Filter: t.s LIKE 'ab%' COLLATE utf8mb4_0900_ai_ci
        -> Index range scan on t using s
             range: `s` in not null
             entries only: no document is read
             keys: 7 counted of 7
             not tight: the filter stays
             residual: t.s LIKE 'ab%' COLLATE utf8mb4_0900_ai_ci
             cost: 0.4, a full scan costs 7.0

query
SELECT 'a%' LIKE 'a|%' ESCAPE '|', 'a' LIKE 'a\\', 'a\\' LIKE 'a\\', 'x' LIKE 'x' ESCAPE '', 'a' LIKE NULL, '' LIKE '', '' LIKE '%', 'ab' LIKE '%%b', 'aab' LIKE 'a%ab'
----
'a%' LIKE 'a|%' ESCAPE '|' | 'a' LIKE 'a\\' | 'a\\' LIKE 'a\\' | 'x' LIKE 'x' ESCAPE '' | 'a' LIKE NULL | '' LIKE '' | '' LIKE '%' | 'ab' LIKE '%%b' | 'aab' LIKE 'a%ab'
1 | 0 | 1 | 1 | NULL | 1 | 1 | 1 | 1

query
SELECT 'a' LIKE 'b' ESCAPE 'xy'
----
ERROR 1210 (HY000): Incorrect arguments to ESCAPE

query
SELECT _id, FIELD('A', s), FIELD('A', NULL, ci), LOCATE('B', ci), LOCATE('B', s), LOCATE('b', s), LOCATE('A', ci, 2), INSTR(ci, 'A'), FIND_IN_SET('A', CONCAT('q,', ci)), LOCATE('', ci), LOCATE('x', '') FROM t ORDER BY _id
----
_id | FIELD('A', s) | FIELD('A', NULL, ci) | LOCATE('B', ci) | LOCATE('B', s) | LOCATE('b', s) | LOCATE('A', ci, 2) | INSTR(ci, 'A') | FIND_IN_SET('A', CONCAT('q,', ci)) | LOCATE('', ci) | LOCATE('x', '')
1 | 0 | 2 | 0 | 0 | 0 | 0 | 1 | 2 | 1 | 0
2 | 1 | 2 | 0 | 0 | 0 | 0 | 1 | 2 | 1 | 0
3 | 0 | 2 | 0 | 0 | 0 | 0 | 1 | 2 | 1 | 0
4 | 0 | 0 | 0 | 0 | 0 | 0 | 0 | 0 | 1 | 0
5 | 0 | 0 | 0 | 0 | 0 | 0 | 0 | 0 | 1 | 0
6 | 0 | 0 | 0 | 0 | 0 | 0 | 0 | 0 | 1 | 0
7 | 0 | 0 | 4 | 0 | 4 | 5 | 5 | 0 | 1 | 0

query
SELECT GREATEST(ci, 'B'), LEAST(ci, 'B'), STRCMP(ci, 'A'), STRCMP(s, 'A'), NULLIF(ci, 'A'), CASE ci WHEN 'A' THEN 1 ELSE 0 END FROM t WHERE _id < 4 ORDER BY _id
----
GREATEST(ci, 'B') | LEAST(ci, 'B') | STRCMP(ci, 'A') | STRCMP(s, 'A') | NULLIF(ci, 'A') | CASE ci WHEN 'A' THEN 1 ELSE 0 END
B | a | 0 | -1 | NULL | 1
B | A | 0 | 0 | NULL | 1
B | ä | 0 | 1 | NULL | 1

query
SELECT COLLATION(s), COLLATION(ci), COLLATION('x'), COLLATION(CONCAT(ci, 'x')), COLLATION(g), COLLATION(l), COLLATION(ci COLLATE utf8mb4_bin) FROM t LIMIT 1
----
COLLATION(s) | COLLATION(ci) | COLLATION('x') | COLLATION(CONCAT(ci, 'x')) | COLLATION(g) | COLLATION(l) | COLLATION(ci COLLATE utf8mb4_bin)
utf8mb4_0900_as_cs | utf8mb4_0900_ai_ci | utf8mb4_0900_as_cs | utf8mb4_0900_ai_ci | utf8mb4_0900_ai_ci | utf8mb4_sv_0900_ai_ci | utf8mb4_bin

exec
UPDATE t SET ci = 'a' WHERE ci = 'A' AND _id = 2;
UPDATE t SET ci = UPPER(ci) WHERE _id < 4
----
ok, 1 rows
ok, 3 rows

query
SELECT ci FROM t WHERE _id < 4 ORDER BY _id
----
ci
A
A
Ä

# What a column says of itself outlives SHOW CREATE TABLE; utf8mb4_0900_bin is shown as the other name of its order.

exec
CREATE TABLE z (_id VARCHAR(20) COLLATE utf8mb4_0900_bin PRIMARY KEY, b VARCHAR(9) COLLATE utf8mb4_0900_bin, c VARCHAR(9) COLLATE utf8mb4_0900_as_cs, d VARCHAR(9)) COLLATE utf8mb4_0900_ai_ci;
CREATE TABLE like_z LIKE z;
INSERT INTO like_z VALUES ('a','a','a','a'),('A','A','A','A'),('é','é','é','é');
CREATE TABLE y (_id VARCHAR(20) PRIMARY KEY, b VARCHAR(9) COLLATE utf8mb4_0900_bin, e VARCHAR(9) COLLATE utf8mb4_0900_ai_ci)
----
ok, 0 rows
ok, 0 rows
ok, 3 rows
ok, 0 rows

query
SHOW CREATE TABLE like_z
----
Table | Create Table
like_z | CREATE TABLE `like_z` (
  `_id` varchar(20) COLLATE utf8mb4_bin NOT NULL,
  `b` varchar(9) COLLATE utf8mb4_bin,
  `c` varchar(9) COLLATE utf8mb4_0900_as_cs,
  `d` varchar(9),
  PRIMARY KEY (`_id`)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_ai_ci

query
SHOW CREATE TABLE y
----
Table | Create Table
y | CREATE TABLE `y` (
  `_id` varchar(20) NOT NULL,
  `b` varchar(9) COLLATE utf8mb4_bin,
  `e` varchar(9) COLLATE utf8mb4_0900_ai_ci,
  PRIMARY KEY (`_id`)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_as_cs

query
SELECT b = 'A', c = 'A', d = 'A', b > 'A', c > 'A' FROM like_z ORDER BY b
----
b = 'A' | c = 'A' | d = 'A' | b > 'A' | c > 'A'
1 | 1 | 1 | 0 | 0
0 | 0 | 1 | 1 | 0
0 | 0 | 0 | 1 | 1

query
SELECT _id FROM like_z__changes ORDER BY seq
----
_id
a
A
é

query
SELECT _id FROM like_z WHERE _id = 'A'
----
_id
A

# CHECK, generated columns, and keys that an UPDATE or a duplicate spells anew.

exec
CREATE TABLE c (id INT PRIMARY KEY, s VARCHAR(20) COLLATE utf8mb4_0900_ai_ci CHECK (s LIKE 'A%'), p VARCHAR(20) CHECK (p LIKE 'a|%' ESCAPE '|'), g INT AS (LOCATE('B', s)) STORED);
INSERT INTO c (id, s, p) VALUES (1, 'abc', 'a%');
INSERT INTO c (id, s, p) VALUES (2, 'xbc', 'a%');
INSERT INTO c (id, s, p) VALUES (3, 'Abc', 'ab');
CREATE TABLE w (_id VARCHAR(20) COLLATE utf8mb4_0900_ai_ci PRIMARY KEY, n INT);
INSERT INTO w VALUES ('a', 1);
INSERT INTO w VALUES ('A', 2) ON DUPLICATE KEY UPDATE _id = VALUES(_id), n = VALUES(n);
INSERT INTO w VALUES ('b', 1), ('B', 2), ('b', 3) ON DUPLICATE KEY UPDATE n = n + VALUES(n);
ALTER TABLE w RENAME COLUMN _id TO id;
DELETE x FROM w x JOIN w y ON x.id = y.id WHERE y.id = 'B'
----
ok, 0 rows
ok, 1 rows
ERROR 3819 (HY000): Check constraint "c_chk_1" violated
ERROR 3819 (HY000): Check constraint "c_chk_2" violated
ok, 0 rows
ok, 1 rows
ok, 2 rows
ok, 5 rows
ok, 0 rows
ok, 1 rows

query
SELECT * FROM c
----
id | s | p | g
1 | abc | a% | 2

query
SHOW CREATE TABLE c
----
Table | Create Table
c | CREATE TABLE `c` (
  `id` int NOT NULL,
  `s` varchar(20) COLLATE utf8mb4_0900_ai_ci,
  `p` varchar(20),
  `g` int GENERATED ALWAYS AS (locate('B',`s`)) STORED,
  PRIMARY KEY (`id`),
  CONSTRAINT `c_chk_1` CHECK (`s` LIKE 'A%'),
  CONSTRAINT `c_chk_2` CHECK (`p` LIKE 'a|%' ESCAPE '|')
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_as_cs

query
SELECT * FROM w
----
id | n
A | 2

query
SELECT x.id FROM w x NATURAL JOIN w y WHERE x.id = 'a'
----
id
A

# A table that says utf8mb4_0900_bin compares as bytes, one that says nothing does not, and SHOW CREATE TABLE tells them apart.

exec
CREATE TABLE bytes (_id VARCHAR(9) PRIMARY KEY, s VARCHAR(9), _doc JSON) COLLATE utf8mb4_0900_bin;
CREATE TABLE says_nothing (_id VARCHAR(9) PRIMARY KEY, s VARCHAR(9), _doc JSON);
CREATE TABLE says_default (_id VARCHAR(9) PRIMARY KEY, s VARCHAR(9), _doc JSON) COLLATE utf8mb4_0900_as_cs;
CREATE TABLE key_too (_id VARCHAR(9) COLLATE utf8mb4_0900_as_cs PRIMARY KEY, s VARCHAR(9));
INSERT INTO bytes (_id, s, u) VALUES ('a', 'a', 'a'), ('B', 'B', 'B');
INSERT INTO says_nothing (_id, s, u) VALUES ('a', 'a', 'a'), ('B', 'B', 'B');
INSERT INTO says_default (_id, s, u) VALUES ('a', 'a', 'a'), ('B', 'B', 'B')
----
ok, 0 rows
ok, 0 rows
ok, 0 rows
ok, 0 rows
ok, 2 rows
ok, 2 rows
ok, 2 rows

query
SELECT _id < 'B', s < 'B', u < 'B' FROM bytes WHERE _id = 'a'
----
_id < 'B' | s < 'B' | u < 'B'
0 | 0 | 0

query
SELECT _id < 'B', s < 'B', u < 'B' FROM says_nothing WHERE _id = 'a'
----
_id < 'B' | s < 'B' | u < 'B'
0 | 1 | 1

query
SELECT _id < 'B', s < 'B', u < 'B' FROM says_default WHERE _id = 'a'
----
_id < 'B' | s < 'B' | u < 'B'
0 | 1 | 1

query
SHOW CREATE TABLE bytes
----
Table | Create Table
bytes | CREATE TABLE `bytes` (
  `_id` varchar(9) NOT NULL,
  `s` varchar(9),
  `u` longtext DEFAULT NULL COMMENT '2 of 2: string',
  `_doc` json,
  PRIMARY KEY (`_id`)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin

query
SHOW CREATE TABLE says_nothing
----
Table | Create Table
says_nothing | CREATE TABLE `says_nothing` (
  `_id` varchar(9) NOT NULL,
  `s` varchar(9),
  `u` longtext DEFAULT NULL COMMENT '2 of 2: string',
  `_doc` json,
  PRIMARY KEY (`_id`)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_as_cs

query
SHOW CREATE TABLE says_default
----
Table | Create Table
says_default | CREATE TABLE `says_default` (
  `_id` varchar(9) NOT NULL,
  `s` varchar(9),
  `u` longtext DEFAULT NULL COMMENT '2 of 2: string',
  `_doc` json,
  PRIMARY KEY (`_id`)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_as_cs

query
SHOW CREATE TABLE key_too
----
Table | Create Table
key_too | CREATE TABLE `key_too` (
  `_id` varchar(9) COLLATE utf8mb4_0900_as_cs NOT NULL,
  `s` varchar(9),
  PRIMARY KEY (`_id`)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_as_cs

exec
ALTER TABLE says_nothing COLLATE utf8mb4_0900_bin;
ALTER TABLE bytes CONVERT TO CHARACTER SET utf8mb4;
ALTER TABLE says_default COLLATE utf8mb4_0900_ai_ci
----
ok, 0 rows
ok, 0 rows
ok, 0 rows

query
SELECT table_name, table_collation FROM information_schema.tables WHERE table_name IN ('bytes', 'says_nothing', 'says_default', 'key_too', 'm') ORDER BY table_name
----
TABLE_NAME | TABLE_COLLATION
bytes | utf8mb4_0900_ai_ci
key_too | utf8mb4_0900_as_cs
m | utf8mb4_0900_ai_ci
says_default | utf8mb4_0900_ai_ci
says_nothing | utf8mb4_bin

# IN of a subquery compares as = does, and with the index as without.
exec
CREATE TABLE mixed_in (_id VARCHAR(255) PRIMARY KEY, dc VARCHAR(40) COLLATE utf8mb4_0900_ai_ci, da VARCHAR(40) COLLATE utf8mb4_0900_as_ci, _doc JSON);
----
ok, 0 rows

query
SELECT 1 FROM mixed_in WHERE da IN (SELECT dc FROM mixed_in)
----
ERROR 1267 (HY000): Illegal mix of collations (utf8mb4_0900_as_ci,IMPLICIT) and (utf8mb4_0900_ai_ci,IMPLICIT) for operation ' IN '

query
SELECT 1 FROM mixed_in AS m WHERE da IN (SELECT dc FROM mixed_in AS n WHERE n._id = m._id)
----
ERROR 1267 (HY000): Illegal mix of collations (utf8mb4_0900_as_ci,IMPLICIT) and (utf8mb4_0900_ai_ci,IMPLICIT) for operation ' IN '

query
SELECT 1 FROM mixed_in WHERE (da, _id) IN (SELECT dc, _id FROM mixed_in)
----
ERROR 1267 (HY000): Illegal mix of collations (utf8mb4_0900_as_ci,IMPLICIT) and (utf8mb4_0900_ai_ci,IMPLICIT) for operation ' IN '

query
SELECT 1 FROM mixed_in WHERE da IN (SELECT da FROM mixed_in) OR da NOT IN (SELECT _id FROM mixed_in) OR dc IN (SELECT 'a')
----
1

exec
SET sqlfdb_use_index = OFF;
----
ok, 0 rows

query
SELECT 1 FROM mixed_in AS m WHERE da IN (SELECT dc FROM mixed_in AS n WHERE n._id = m._id)
----
ERROR 1267 (HY000): Illegal mix of collations (utf8mb4_0900_as_ci,IMPLICIT) and (utf8mb4_0900_ai_ci,IMPLICIT) for operation ' IN '

exec
SET sqlfdb_use_index = ON;
----
ok, 0 rows

# MODIFY that changes values computes generated columns anew, and checks must hold.
exec
SET sql_mode = '';
CREATE TABLE t (id INT PRIMARY KEY, a INT, g INT AS (a + 1) STORED, CHECK (a > 200));
INSERT INTO t (id, a) VALUES (1, 300);
ALTER TABLE t MODIFY a TINYINT
----
ok, 0 rows
ok, 0 rows
ok, 1 rows
ERROR 3819 (HY000): Check constraint "t_chk_1" violated

query
SHOW CREATE TABLE t
----
Table | Create Table
t | CREATE TABLE `t` (
  `id` int NOT NULL,
  `a` int,
  `g` int GENERATED ALWAYS AS (`a` + 1) STORED,
  PRIMARY KEY (`id`),
  CONSTRAINT `t_chk_1` CHECK (`a` > 200)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_as_cs

query
SELECT * FROM t
----
id | a | g
1 | 300 | 301

exec
DROP TABLE t;
CREATE TABLE t (id INT PRIMARY KEY, a INT, g INT AS (a + 1) STORED, h INT AS (g * 2), s TINYINT AS (g) STORED, p VARCHAR(9) AS (CONCAT('<', a, '>')), KEY (g), KEY (h));
INSERT INTO t (id, a) VALUES (1, 100), (2, -7);
ALTER TABLE t MODIFY s SMALLINT AS (g) STORED;
INSERT INTO t (id, a) VALUES (3, 300);
ALTER TABLE t MODIFY s SMALLINT AS (g) STORED, MODIFY a TINYINT
----
ok, 0 rows
ok, 0 rows
ok, 2 rows
ok, 0 rows
ok, 1 rows
ok, 0 rows

query
SHOW WARNINGS
----
Level | Code | Message
Warning | 1264 | Out of range value for column 'a' at row 3

query
SELECT * FROM t ORDER BY id
----
id | a | g | h | s | p
1 | 100 | 101 | 202 | 101 | <100>
2 | -7 | -6 | -12 | -6 | <-7>
3 | 127 | 128 | 256 | 128 | <127>

query
SELECT id FROM t WHERE g = 128
----
id
3

query
SELECT id FROM t WHERE h > 202 OR g = 301 ORDER BY h
----
id
3

query
CHECK TABLE t
----
Table | Op | Msg_type | Msg_text
d.t | check | status | OK

# A generated column takes the nearest, too.
exec
DROP TABLE t;
CREATE TABLE t (id INT PRIMARY KEY, a VARCHAR(9), g VARCHAR(3) AS (CONCAT(a, '')) STORED, n TINYINT AS (LENGTH(a) * 40));
INSERT INTO t (id, a) VALUES (1, '1.2'), (2, '90'), (3, NULL);
ALTER TABLE t MODIFY a DECIMAL(6, 3)
----
ok, 0 rows
ok, 0 rows
ok, 3 rows
ok, 0 rows

query
SHOW WARNINGS
----
Level | Code | Message
Warning | 1265 | Data truncated for column 'g' at row 1
Warning | 1264 | Out of range value for column 'n' at row 1
Warning | 1265 | Data truncated for column 'g' at row 2
Warning | 1264 | Out of range value for column 'n' at row 2

query
SELECT * FROM t ORDER BY id
----
id | a | g | n
1 | 1.200 | 1.2 | 127
2 | 90.000 | 90. | 127
3 | NULL | NULL | NULL

# What gets equal in a unique index of generated values is refused.
exec
DROP TABLE t;
CREATE TABLE t (id INT PRIMARY KEY, a INT, g INT AS (a + 1) STORED UNIQUE);
INSERT INTO t (id, a) VALUES (1, 300), (2, 400);
ALTER TABLE t MODIFY a TINYINT
----
ok, 0 rows
ok, 0 rows
ok, 2 rows
ERROR 1062 (23000): Duplicate entry '128' for key 't.g'

query
SELECT * FROM t WHERE g > 300 ORDER BY g
----
id | a | g
1 | 300 | 301
2 | 400 | 401

# NULL becomes a value of a column that is NOT NULL then.
exec
DROP TABLE t;
CREATE TABLE t (id INT PRIMARY KEY, a INT, g INT AS (a + 1), CONSTRAINT c CHECK (a <> 0));
INSERT INTO t (id, a) VALUES (1, NULL), (2, 5);
ALTER TABLE t MODIFY a INT NOT NULL;
ALTER TABLE t DROP CHECK c, MODIFY a INT NOT NULL
----
ok, 0 rows
ok, 0 rows
ok, 2 rows
ERROR 3819 (HY000): Check constraint "c" violated
ok, 0 rows

query
SELECT * FROM t ORDER BY g
----
id | a | g
1 | 0 | 1
2 | 5 | 6

query
CHECK TABLE t
----
Table | Op | Msg_type | Msg_text
d.t | check | status | OK

# Strict rules round.
exec
SET sql_mode = DEFAULT;
CREATE TABLE r (id INT PRIMARY KEY, d DOUBLE, g INT AS (d * 10) STORED, CONSTRAINT c CHECK (d < 2));
INSERT INTO r (id, d) VALUES (1, 1.6);
ALTER TABLE r MODIFY d INT
----
ok, 0 rows
ok, 0 rows
ok, 1 rows
ERROR 3819 (HY000): Check constraint "c" violated

query
SELECT * FROM r
----
id | d | g
1 | 1.6 | 16

exec
ALTER TABLE r DROP CHECK c;
ALTER TABLE r MODIFY d INT
----
ok, 0 rows
ok, 0 rows

query
SELECT * FROM r WHERE g = 20
----
id | d | g
1 | 2 | 20

# The check is of the column's type of then.
exec
CREATE TABLE k (id INT PRIMARY KEY, s VARCHAR(9), n INT, CONSTRAINT below CHECK (s < '5'), CONSTRAINT off CHECK (n < 2) NOT ENFORCED);
INSERT INTO k VALUES (1, '10', 1), (2, '40', 7);
ALTER TABLE k MODIFY s INT;
ALTER TABLE k MODIFY n BIGINT;
ALTER TABLE k DROP CHECK below, MODIFY s INT, ADD CHECK (s < 50)
----
ok, 0 rows
ok, 2 rows
ERROR 3819 (HY000): Check constraint "below" violated
ok, 0 rows
ok, 0 rows

query
SELECT * FROM k ORDER BY s
----
id | s | n
1 | 10 | 1
2 | 40 | 7

# So it is where a key moves the rows.
exec
CREATE TABLE p (d DOUBLE PRIMARY KEY, g INT AS (d * 10) STORED, n INT NOT NULL AS (NULLIF(d, 4)) STORED, KEY (g), CONSTRAINT c CHECK (d < 2));
INSERT INTO p (d) VALUES (1.6), (0.2);
ALTER TABLE p MODIFY d INT;
ALTER TABLE p DROP CHECK c;
ALTER TABLE p MODIFY d INT
----
ok, 0 rows
ok, 2 rows
ERROR 3819 (HY000): Check constraint "c" violated
ok, 0 rows
ok, 0 rows

query
SELECT * FROM p ORDER BY g
----
d | g | n
0 | 0 | 0
2 | 20 | 2

exec
DROP TABLE p;
CREATE TABLE p (d DOUBLE PRIMARY KEY, n INT NOT NULL AS (NULLIF(d, 4)) STORED);
INSERT INTO p (d) VALUES (3.7);
ALTER TABLE p MODIFY d INT
----
ok, 0 rows
ok, 0 rows
ok, 1 rows
ERROR 1138 (22004): Invalid use of NULL value: column 'n'

query
SELECT * FROM p
----
d | n
3.7 | 4

# Another expression has others follow.
exec
CREATE TABLE e (id INT PRIMARY KEY, a INT, g INT AS (a + 1) STORED, h INT AS (g * 2) STORED, CONSTRAINT c CHECK (g < 100));
INSERT INTO e (id, a) VALUES (1, 5);
ALTER TABLE e MODIFY g INT AS (a * 100) STORED;
ALTER TABLE e MODIFY g INT AS (a * 10) STORED
----
ok, 0 rows
ok, 1 rows
ERROR 3819 (HY000): Check constraint "c" violated
ok, 0 rows

query
SELECT * FROM e
----
id | a | g | h
1 | 5 | 50 | 100

# So do tables that take any document, and temporary ones.
exec
CREATE TABLE o (_id INT PRIMARY KEY, _doc JSON, d DOUBLE, g INT AS (d * 10) STORED, CONSTRAINT c CHECK (d < 2));
INSERT INTO o (_id, d) VALUES (1, 1.4), (2, 1.6);
ALTER TABLE o MODIFY d INT;
DELETE FROM o WHERE _id = 2;
ALTER TABLE o MODIFY d INT;
CREATE TEMPORARY TABLE y (id INT PRIMARY KEY, d DOUBLE, g INT AS (d * 10) STORED, CONSTRAINT c CHECK (d < 2));
INSERT INTO y (id, d) VALUES (1, 1.4), (2, 1.6);
ALTER TABLE y MODIFY d INT;
DELETE FROM y WHERE id = 2;
ALTER TABLE y MODIFY d INT
----
ok, 0 rows
ok, 2 rows
ERROR 3819 (HY000): Check constraint "c" violated
ok, 1 rows
ok, 0 rows
ok, 0 rows
ok, 2 rows
ERROR 3819 (HY000): Check constraint "c" violated
ok, 1 rows
ok, 0 rows

query
SELECT _doc FROM o
----
_doc
{"_id":1,"d":1,"g":10}

query
SELECT * FROM y
----
id | d | g
1 | 1 | 10

query
CHECK TABLE t, r, k, p, e, o
----
Table | Op | Msg_type | Msg_text
d.t | check | status | OK
d.r | check | status | OK
d.k | check | status | OK
d.p | check | status | OK
d.e | check | status | OK
d.o | check | status | OK

# A column that a check reads keeps its name.
exec
CREATE TABLE c (id INT PRIMARY KEY, a INT, CONSTRAINT c CHECK (a > 0));
INSERT INTO c VALUES (1, 5);
ALTER TABLE c CHANGE a b TINYINT;
ALTER TABLE c CHANGE a b INT;
ALTER TABLE c CHANGE a A TINYINT
----
ok, 0 rows
ok, 1 rows
ERROR 3959 (HY000): can't alter column "a" because it would invalidate check constraint "c"
ERROR 3959 (HY000): can't alter column "a" because it would invalidate check constraint "c"
ok, 0 rows

query
SHOW CREATE TABLE c
----
Table | Create Table
c | CREATE TABLE `c` (
  `id` int NOT NULL,
  `A` tinyint,
  PRIMARY KEY (`id`),
  CONSTRAINT `c` CHECK (a > 0)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_as_cs

exec
INSERT INTO c VALUES (2, 0)
----
ERROR 3819 (HY000): Check constraint "c" violated

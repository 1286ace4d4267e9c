# Generated columns and expressions that are defaults, of rows that were there before.
exec
CREATE TABLE t (id INT PRIMARY KEY, a INT)
----
ok, 0 rows

exec
INSERT INTO t VALUES (1,10),(2,NULL),(3,30)
----
ok, 3 rows

exec
ALTER TABLE t ADD b INT AS (a+1)
----
ok, 0 rows

exec
ALTER TABLE t ADD c INT AS (a+2) STORED
----
ok, 0 rows

exec
ALTER TABLE t ADD d INT AS (a+3) FIRST
----
ok, 0 rows

exec
ALTER TABLE t ADD e INT AS (a+4) STORED AFTER id
----
ok, 0 rows

exec
ALTER TABLE t ADD f INT AS (5), ADD g VARCHAR(10) AS (CONCAT('x',a)) STORED
----
ok, 0 rows

query
SELECT * FROM t
----
d | id | e | a | b | c | f | g
13 | 1 | 14 | 10 | 11 | 12 | 5 | x10
NULL | 2 | NULL | NULL | NULL | NULL | 5 | NULL
33 | 3 | 34 | 30 | 31 | 32 | 5 | x30

exec
ALTER TABLE t ADD u INT DEFAULT (1+2), ADD v VARCHAR(10) DEFAULT (CONCAT('a','b')) FIRST
----
ok, 0 rows

query
SELECT v,id,u FROM t
----
v | id | u
ab | 1 | 3
ab | 2 | 3
ab | 3 | 3

exec
ALTER TABLE t ADD w INT DEFAULT (a*2) FIRST
----
ok, 0 rows

query
SELECT w,id FROM t
----
w | id
NULL | 2
20 | 1
60 | 3

exec
ALTER TABLE t ADD z INT NOT NULL DEFAULT (7*6) AFTER id
----
ok, 0 rows

query
SELECT id,z FROM t
----
id | z
1 | 42
2 | 42
3 | 42

exec
CREATE TABLE g (v INT AS (id*2) VIRTUAL, id INT PRIMARY KEY, s INT AS (id+v) STORED)
----
ok, 0 rows

exec
INSERT INTO g (id) VALUES (1),(2)
----
ok, 2 rows

query
SELECT * FROM g
----
v | id | s
2 | 1 | 3
4 | 2 | 6

exec
INSERT INTO g VALUES (DEFAULT,3,DEFAULT)
----
ok, 1 rows

exec
UPDATE g SET v=DEFAULT, id=4 WHERE id=3
----
ok, 1 rows

exec
INSERT INTO g (id,v) VALUES (9,DEFAULT)
----
ok, 1 rows

exec
REPLACE INTO g (id,s) VALUES (9,DEFAULT);
INSERT INTO g (s,id) VALUES (DEFAULT,20),(DEFAULT,21);
INSERT INTO g (s,id,v) VALUES (DEFAULT,22,DEFAULT) ON DUPLICATE KEY UPDATE s=DEFAULT, v=DEFAULT;
DELETE FROM g WHERE id > 21
----
ok, 2 rows
ok, 2 rows
ok, 1 rows
ok, 1 rows

exec
INSERT INTO g (id,v,s) VALUES (10,5,DEFAULT)
----
ERROR 3105 (HY000): The value specified for generated column "v" in table "g" is not allowed.

exec
INSERT INTO g (id,v) VALUES (10,5)
----
ERROR 3105 (HY000): The value specified for generated column "v" in table "g" is not allowed.

exec
UPDATE g SET v=5
----
ERROR 3105 (HY000): The value specified for generated column "v" in table "g" is not allowed.

query
SELECT * FROM g
----
v | id | s
2 | 1 | 3
4 | 2 | 6
8 | 4 | 12
18 | 9 | 27
40 | 20 | 60
42 | 21 | 63

query
SELECT * FROM g WHERE v=8
----
v | id | s
8 | 4 | 12

query
SELECT * FROM g WHERE s>5 ORDER BY s DESC
----
v | id | s
42 | 21 | 63
40 | 20 | 60
18 | 9 | 27
8 | 4 | 12
4 | 2 | 6

exec
ALTER TABLE g MODIFY s INT AS (id+100) STORED
----
ok, 0 rows

query
SELECT * FROM g
----
v | id | s
2 | 1 | 101
4 | 2 | 102
8 | 4 | 104
18 | 9 | 109
40 | 20 | 120
42 | 21 | 121

exec
ALTER TABLE g DROP COLUMN s, ADD COLUMN x DATETIME DEFAULT CURRENT_TIMESTAMP
----
ok, 0 rows

query
CHECK TABLE g
----
Table | Op | Msg_type | Msg_text
d.g | check | status | OK

query
CHECK TABLE t
----
Table | Op | Msg_type | Msg_text
d.t | check | status | OK

query
CHECK TABLE t, g
----
Table | Op | Msg_type | Msg_text
d.t | check | status | OK
d.g | check | status | OK

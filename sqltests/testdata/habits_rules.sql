# Rules of declared tables: parts of keys, numbers too large, CHECK, keys without a primary one, ENUM.
exec
CREATE TABLE p1 (id INT PRIMARY KEY, v CHAR(10), UNIQUE KEY (v(1)))
----
ok, 0 rows

exec
INSERT INTO p1 VALUES (1,'abc')
----
ok, 1 rows

exec
INSERT INTO p1 VALUES (2,'axy')
----
ERROR 1062 (23000): Duplicate entry 'a' for key 'p1.v'

exec
INSERT INTO p1 VALUES (3,'bxy')
----
ok, 1 rows

exec
UPDATE p1 SET v='az' WHERE id=3
----
ERROR 1062 (23000): Duplicate entry 'a' for key 'p1.v'

exec
CREATE TABLE p2 (id INT PRIMARY KEY, v VARCHAR(10), UNIQUE KEY (v(2)))
----
ok, 0 rows

exec
INSERT INTO p2 VALUES (1,'éab'),(2,'éxy')
----
ok, 2 rows

exec
INSERT INTO p2 VALUES (3,'éay')
----
ERROR 1062 (23000): Duplicate entry 'éa' for key 'p2.v'

exec
CREATE TABLE p3 (id INT PRIMARY KEY, v TEXT, UNIQUE KEY (v(1)))
----
ok, 0 rows

exec
INSERT INTO p3 VALUES (1,'abc'),(2,'axy')
----
ERROR 1062 (23000): Duplicate entry 'a' for key 'p3.v'

exec
CREATE TABLE p4 (id INT PRIMARY KEY, v BINARY(4), UNIQUE KEY (v(1)))
----
ok, 0 rows

exec
INSERT INTO p4 VALUES (1,'abc'),(2,'axy')
----
ERROR 1062 (23000): Duplicate entry 'a' for key 'p4.v'

exec
CREATE TABLE p5 (id INT PRIMARY KEY, v VARBINARY(10), UNIQUE KEY (v(1)))
----
ok, 0 rows

exec
INSERT INTO p5 VALUES (1,'abc'),(2,'axy')
----
ERROR 1062 (23000): Duplicate entry 'a' for key 'p5.v'

exec
CREATE TABLE p6 (id INT PRIMARY KEY, v BLOB, UNIQUE KEY (v(1)))
----
ok, 0 rows

exec
INSERT INTO p6 VALUES (1,'abc'),(2,'axy')
----
ERROR 1062 (23000): Duplicate entry 'a' for key 'p6.v'

exec
INSERT INTO p6 VALUES (1,'abc'),(2,'bxy')
----
ok, 2 rows

exec
INSERT INTO p6 VALUES (5,'azz') ON DUPLICATE KEY UPDATE v='new'
----
ok, 2 rows

query
SELECT * FROM p6
----
id | v
1 | new
2 | bxy

exec
CREATE TABLE ti (id TINYINT AUTO_INCREMENT PRIMARY KEY, x INT)
----
ok, 0 rows

exec
INSERT INTO ti VALUES (999,1)
----
ERROR 1264 (22003): 999 out of range for tinyint

exec
INSERT INTO ti VALUES (-200,1)
----
ERROR 1264 (22003): -200 out of range for tinyint

exec
INSERT INTO ti (x) VALUES (1)
----
ok, 1 rows, id 1

exec
INSERT INTO ti VALUES (127,1)
----
ok, 1 rows, id 127

exec
INSERT INTO ti (x) VALUES (2)
----
ERROR 1062 (23000): Duplicate entry '127' for key 'ti.PRIMARY'

query
SELECT * FROM ti
----
id | x
1 | 1
127 | 1

exec
CREATE TABLE ck (id INT PRIMARY KEY, a INT)
----
ok, 0 rows

exec
INSERT INTO ck VALUES (1,1)
----
ok, 1 rows

exec
ALTER TABLE ck MODIFY a INT CHECK (a > 0)
----
ok, 0 rows

exec
INSERT INTO ck VALUES (2,-1)
----
ERROR 3819 (HY000): Check constraint "ck_chk_1" violated

exec
ALTER TABLE ck MODIFY a BIGINT CHECK (a < 100)
----
ok, 0 rows

exec
INSERT INTO ck VALUES (2,1000)
----
ERROR 3819 (HY000): Check constraint "ck_chk_2" violated

exec
INSERT INTO ck VALUES (3,5)
----
ok, 1 rows

query
SHOW CREATE TABLE ck
----
Table | Create Table
ck | CREATE TABLE `ck` (
  `id` int NOT NULL,
  `a` bigint,
  PRIMARY KEY (`id`),
  CONSTRAINT `ck_chk_1` CHECK (`a` > 0),
  CONSTRAINT `ck_chk_2` CHECK (`a` < 100)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_as_cs

exec
CREATE TABLE nk (a INT, b INT, UNIQUE KEY (a))
----
ok, 0 rows

exec
INSERT INTO nk VALUES (1,1)
----
ok, 1 rows

exec
INSERT INTO nk VALUES (1,2) ON DUPLICATE KEY UPDATE b=b+10
----
ok, 2 rows, id 1

exec
INSERT INTO nk VALUES (NULL,2),(NULL,3) ON DUPLICATE KEY UPDATE b=b+10
----
ok, 2 rows, id 1

query
SELECT * FROM nk ORDER BY a,b
----
a | b
NULL | 2
NULL | 3
1 | 11

exec
REPLACE INTO nk VALUES (1,77)
----
ok, 2 rows, id 1

query
SELECT * FROM nk ORDER BY a,b
----
a | b
NULL | 2
NULL | 3
1 | 77

exec
CREATE TABLE e (id INT PRIMARY KEY, e ENUM('a','b','c') DEFAULT 'b', n ENUM('x','y') NOT NULL)
----
ok, 0 rows

exec
INSERT INTO e (id) VALUES (1)
----
ok, 1 rows

query
SELECT * FROM e
----
id | e | n
1 | b | x

exec
INSERT INTO e VALUES (2,0,'x')
----
ERROR 1265 (01000): Data truncated for column 'e' at row 1

exec
INSERT INTO e VALUES (3,4,'x')
----
ERROR 1265 (01000): Data truncated for column 'e' at row 1

exec
INSERT INTO e VALUES (4,3,'x')
----
ok, 1 rows

exec
INSERT INTO e VALUES (5,'zz','x')
----
ERROR 1265 (01000): Data truncated for column 'e' at row 1

exec
INSERT INTO e VALUES (6,'3',2)
----
ok, 1 rows

exec
INSERT INTO e VALUES (7,'','x')
----
ERROR 1265 (01000): Data truncated for column 'e' at row 1

query
SELECT id, e, e+0, n, n+0 FROM e ORDER BY id
----
id | e | e+0 | n | n+0
1 | b | 2 | x | 1
4 | c | 3 | x | 1
6 | c | 3 | y | 2

exec
ALTER TABLE e MODIFY e ENUM('a','b')
----
ERROR 1265 (01000): Data truncated for column 'e' at row 2

exec
ALTER TABLE e MODIFY e ENUM('c','b','a','d')
----
ok, 0 rows

query
SELECT id, e, e+0 FROM e ORDER BY id
----
id | e | e+0
1 | b | 2
4 | c | 1
6 | c | 1

query
SELECT id FROM e WHERE e='c' ORDER BY id
----
id
4
6

query
SELECT id FROM e WHERE e=1 ORDER BY id
----
id
4
6

query
SELECT e, COUNT(*) FROM e GROUP BY e ORDER BY e
----
e | COUNT(*)
c | 2
b | 1

exec
ALTER TABLE e ALTER e SET DEFAULT 'q'
----
ERROR 1067 (42000): Invalid default value for 'e'

exec
ALTER TABLE e MODIFY e ENUM('c','b') DEFAULT 'z'
----
ERROR 1067 (42000): Invalid default value for 'e'

exec
CREATE TABLE e2 (e ENUM('a','b') DEFAULT 'x')
----
ERROR 1067 (42000): Invalid default value for 'e'

exec
SET sql_mode=''
----
ok, 0 rows

exec
INSERT INTO e VALUES (12,0,'x')
----
ok, 1 rows

exec
INSERT INTO e VALUES (13,'zz','x')
----
ok, 1 rows

exec
INSERT INTO e VALUES (14,99,'x')
----
ok, 1 rows

query
SELECT id, e, e+0, e='' FROM e WHERE id>9
----
id | e | e+0 | e=''
12 |  | 0 | 1
13 |  | 0 | 1
14 |  | 0 | 1

exec
ALTER TABLE e MODIFY e ENUM('b','a','d')
----
ok, 0 rows

query
SELECT id, e, e+0 FROM e ORDER BY id
----
id | e | e+0
1 | b | 1
4 |  | 0
6 |  | 0
12 |  | 0
13 |  | 0
14 |  | 0

exec
SET sql_mode=DEFAULT
----
ok, 0 rows

query
CHECK TABLE p1, p2, p3, p4, p5, p6, ti, ck, nk, e
----
Table | Op | Msg_type | Msg_text
d.p1 | check | status | OK
d.p2 | check | status | OK
d.p3 | check | status | OK
d.p4 | check | status | OK
d.p5 | check | status | OK
d.p6 | check | status | OK
d.ti | check | status | OK
d.ck | check | status | OK
d.nk | check | status | OK
d.e | check | status | OK

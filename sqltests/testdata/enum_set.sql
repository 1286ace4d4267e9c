# ENUM and SET: numbers, empty members, casts, and what is not among the members.
exec
CREATE TABLE e (id INT PRIMARY KEY, s SET('a','b','c'), m ENUM('x','y','z') NOT NULL, n ENUM('1','2','3'));
INSERT INTO e VALUES (1, '', 'x', '1'), (2, 'a,c', 'y', '2'), (3, 'b', 'z', NULL), (4, NULL, 'x', '3'), (5, 3, 2, 3);
INSERT INTO e VALUES (6, 'a', 0, '1');
INSERT INTO e VALUES (6, 'a', 4, '1');
INSERT INTO e VALUES (6, 'a', '', '1');
INSERT INTO e VALUES (6, 8, 'x', '1')
----
ok, 0 rows
ok, 5 rows
ERROR 1265 (01000): Data truncated for column 'm' at row 1
ERROR 1265 (01000): Data truncated for column 'm' at row 1
ERROR 1265 (01000): Data truncated for column 'm' at row 1
ERROR 1265 (01000): Data truncated for column 's' at row 1

query
SELECT id, CAST(s AS CHAR), CAST(m AS CHAR), CAST(s AS SIGNED), CAST(m AS UNSIGNED), CAST(n AS SIGNED), CAST(n AS CHAR), s + 0, CAST(s AS DECIMAL(5,2)), CONCAT(s, '|', m) FROM e ORDER BY id
----
id | CAST(s AS CHAR) | CAST(m AS CHAR) | CAST(s AS SIGNED) | CAST(m AS UNSIGNED) | CAST(n AS SIGNED) | CAST(n AS CHAR) | s + 0 | CAST(s AS DECIMAL(5,2)) | CONCAT(s, '|', m)
1 |  | x | 0 | 1 | 1 | 1 | 0 | 0.00 | |x
2 | a,c | y | 5 | 2 | 2 | 2 | 5 | 5.00 | a,c|y
3 | b | z | 2 | 3 | NULL | NULL | 2 | 2.00 | b|z
4 | NULL | x | NULL | 1 | 3 | 3 | NULL | NULL | NULL
5 | a,b | y | 3 | 2 | 3 | 3 | 3 | 3.00 | a,b|y

query
SELECT GROUP_CONCAT(s ORDER BY id), GROUP_CONCAT(m ORDER BY id) FROM e
----
GROUP_CONCAT(s ORDER BY id) | GROUP_CONCAT(m ORDER BY id)
,a,c,b,a,b | x,y,z,x,y

exec
SET sql_mode = '';
INSERT INTO e VALUES (7, 'd', 'x', '1'), (8, 'a,d', '', '1'), (9, 'a', 0, ''), (10, 9, 4, '7');
INSERT INTO e (id, s, n) VALUES (11, 'a', '1')
----
ok, 0 rows
ok, 4 rows
ok, 1 rows

query
SELECT id, s, m, n, m + 0, n + 0, s + 0 FROM e WHERE id > 6 ORDER BY id
----
id | s | m | n | m + 0 | n + 0 | s + 0
7 |  | x | 1 | 1 | 1 | 0
8 | a |  | 1 | 0 | 1 | 1
9 | a |  |  | 0 | 0 | 1
10 | a |  |  | 0 | 0 | 1
11 | a | x | 1 | 1 | 1 | 1

query
SELECT id FROM e WHERE m = '' ORDER BY id
----
id
8
9
10

exec
SET sql_mode = DEFAULT;
CREATE TABLE d (id INT, m ENUM('a','b') DEFAULT 0);
CREATE TABLE d (id INT, m ENUM('a','b') DEFAULT 1);
CREATE TABLE d (id INT, m ENUM('a','b') DEFAULT '');
CREATE TABLE d (id INT, m ENUM('a','a'));
CREATE TABLE d (id INT, m SET('a,b'));
CREATE TABLE d (id INT PRIMARY KEY, m ENUM('a','b') DEFAULT 'b', s SET('x','y') DEFAULT 'y,x', t SET('x','y') DEFAULT '', u SET('','x'), v ENUM('','x'));
INSERT INTO d (id, v, u) VALUES (1, '', '');
INSERT INTO d (id, u) VALUES (2, ',x'), (3, 'x'), (4, 1), (5, 2), (6, 3)
----
ok, 0 rows
ERROR 1067 (42000): Invalid default value for 'm'
ERROR 1067 (42000): Invalid default value for 'm'
ERROR 1067 (42000): Invalid default value for 'm'
ERROR 1291 (HY000): duplicate entry: a
ERROR 1367 (22007): values cannot contain a comma
ok, 0 rows
ok, 1 rows
ok, 5 rows

query
SHOW CREATE TABLE d
----
Table | Create Table
d | CREATE TABLE `d` (
  `id` int NOT NULL,
  `m` enum('a','b') DEFAULT 'b',
  `s` set('x','y') DEFAULT 'y,x',
  `t` set('x','y') DEFAULT '',
  `u` set('','x'),
  `v` enum('','x'),
  PRIMARY KEY (`id`)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_as_cs

query
SELECT *, u + 0, v + 0 FROM d ORDER BY id
----
id | m | s | t | u | v | u + 0 | v + 0
1 | b | x,y |  |  |  | 0 | 1
2 | b | x,y |  | x | NULL | 3 | NULL
3 | b | x,y |  | x | NULL | 2 | NULL
4 | b | x,y |  |  | NULL | 1 | NULL
5 | b | x,y |  | x | NULL | 2 | NULL
6 | b | x,y |  | x | NULL | 3 | NULL

# No member that a row has may go.
exec
CREATE TABLE f (id INT PRIMARY KEY, m ENUM('a','b','c'), s SET('a','b','c'));
INSERT INTO f VALUES (1, 'a', 'a'), (2, 'b', 'b'), (3, 'c', 'a,c');
ALTER TABLE f MODIFY m ENUM('a','b');
ALTER TABLE f MODIFY s SET('a','b');
DELETE FROM f WHERE id = 3;
ALTER TABLE f MODIFY m ENUM('b','a');
ALTER TABLE f MODIFY s SET('b','a')
----
ok, 0 rows
ok, 3 rows
ERROR 1265 (01000): Data truncated for column 'm' at row 3
ERROR 1265 (01000): Data truncated for column 's' at row 3
ok, 1 rows
ok, 0 rows
ok, 0 rows

query
SELECT id, m, m + 0, s, s + 0 FROM f ORDER BY id
----
id | m | m + 0 | s | s + 0
1 | a | 2 | a | 2
2 | b | 1 | b | 1

# A statement that has been run before counts its rows anew.
exec
INSERT INTO e VALUES (30, 'a', 4, '1');
INSERT INTO e VALUES (30, 'a', 5, '1');
INSERT INTO e VALUES (30, 'a', 6, '1');
INSERT INTO e VALUES (30, 'q', 'x', '1');
INSERT INTO e VALUES (30, 'a', 'x', '1'), (31, 'a', 'w', '1')
----
ERROR 1265 (01000): Data truncated for column 'm' at row 1
ERROR 1265 (01000): Data truncated for column 'm' at row 1
ERROR 1265 (01000): Data truncated for column 'm' at row 1
ERROR 1265 (01000): Data truncated for column 's' at row 1
ERROR 1265 (01000): Data truncated for column 'm' at row 2

exec
CREATE TABLE w (id INT PRIMARY KEY, n INT NOT NULL, c CHAR(2), m ENUM('', 'a') NOT NULL, s SET('x', '', 'y'));
SET sql_mode = '';
INSERT INTO w (id, c) VALUES (1, 'abc')
----
ok, 0 rows
ok, 0 rows
ok, 1 rows

query
SHOW WARNINGS
----
Level | Code | Message
Warning | 1364 | Field 'n' doesn't have a default value
Warning | 1265 | Data truncated for column 'c' at row 1

exec
INSERT INTO w (id, c) VALUES (2, 'abc')
----
ok, 1 rows

query
SHOW WARNINGS
----
Level | Code | Message
Warning | 1364 | Field 'n' doesn't have a default value
Warning | 1265 | Data truncated for column 'c' at row 1

exec
UPDATE w SET m = 'q', s = 'x,,y' WHERE id = 1;
UPDATE w SET s = ',' WHERE id = 2
----
ok, 1 rows
ok, 1 rows

query
SELECT id, m, m + 0, s + 0, CAST(s AS CHAR), m = '' FROM w ORDER BY id
----
id | m | m + 0 | s + 0 | CAST(s AS CHAR) | m = ''
1 |  | 0 | 7 | x,,y | 1
2 |  | 1 | 2 |  | 1

query
SELECT id FROM w WHERE m = 0
----
id
1

query
SELECT s + 0, COUNT(*) FROM w GROUP BY s + 0 ORDER BY 1
----
s + 0 | COUNT(*)
2 | 1
7 | 1

exec
ALTER TABLE w MODIFY m ENUM('b', 'a') NOT NULL;
ALTER TABLE w MODIFY s SET('y', 'z');
SET sql_mode = DEFAULT
----
ok, 0 rows
ok, 0 rows
ok, 0 rows

query
SELECT id, m, m + 0, s, s + 0 FROM w ORDER BY id
----
id | m | m + 0 | s | s + 0
1 |  | 0 | y | 1
2 |  | 0 |  | 0

query
CHECK TABLE w
----
Table | Op | Msg_type | Msg_text
d.w | check | status | OK

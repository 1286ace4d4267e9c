# MODIFY to another type under lenient rules keeps of each value what fits, as MySQL does, with warnings.
exec
SET sql_mode = '';
CREATE TABLE m (id INT PRIMARY KEY, s VARCHAR(30), n INT, d DOUBLE, t DATETIME, k INT, KEY (s));
INSERT INTO m VALUES (1, '12abc', 300, 1.6, '2020-01-02 03:04:05', 1), (2, 'xyz', -5, -3.5, '2021-12-31 23:59:59', 2), (3, '99999999999', 100000, 1e20, '2000-01-01', 3), (4, ' 7 ', 7, 7, NULL, 4), (5, NULL, NULL, NULL, NULL, 5);
ALTER TABLE m MODIFY s INT
----
ok, 0 rows
ok, 0 rows
ok, 5 rows
ok, 0 rows

query
SHOW WARNINGS
----
Level | Code | Message
Warning | 1265 | Data truncated for column 's' at row 1
Warning | 1366 | Incorrect integer value: 'xyz' for column 's' at row 2
Warning | 1264 | Out of range value for column 's' at row 3

exec
ALTER TABLE m MODIFY n TINYINT
----
ok, 0 rows

query
SHOW WARNINGS
----
Level | Code | Message
Warning | 1264 | Out of range value for column 'n' at row 1
Warning | 1264 | Out of range value for column 'n' at row 3

exec
ALTER TABLE m MODIFY d INT
----
ok, 0 rows

query
SHOW WARNINGS
----
Level | Code | Message
Warning | 1264 | Out of range value for column 'd' at row 3

exec
ALTER TABLE m MODIFY k INT UNSIGNED, MODIFY t INT
----
ok, 0 rows

query
SHOW WARNINGS
----
Level | Code | Message
Warning | 1264 | Out of range value for column 't' at row 1
Warning | 1264 | Out of range value for column 't' at row 2
Warning | 1264 | Out of range value for column 't' at row 3

query
SELECT * FROM m ORDER BY id
----
id | s | n | d | t | k
1 | 12 | 127 | 2 | 2147483647 | 1
2 | 0 | -5 | -4 | 2147483647 | 2
3 | 2147483647 | 127 | 2147483647 | 2147483647 | 3
4 | 7 | 7 | 7 | NULL | 4
5 | NULL | NULL | NULL | NULL | 5

query
SELECT id FROM m WHERE s BETWEEN 0 AND 12 ORDER BY s
----
id
2
4
1

exec
ALTER TABLE m MODIFY n VARCHAR(2), MODIFY d DECIMAL(3, 1)
----
ok, 0 rows

query
SHOW WARNINGS
----
Level | Code | Message
Warning | 1265 | Data truncated for column 'n' at row 1
Warning | 1265 | Data truncated for column 'n' at row 3
Warning | 1264 | Out of range value for column 'd' at row 3

query
SELECT id, n, d FROM m ORDER BY id
----
id | n | d
1 | 12 | 2.0
2 | -5 | -4.0
3 | 12 | 99.9
4 | 7 | 7.0
5 | NULL | NULL

query
CHECK TABLE m
----
Table | Op | Msg_type | Msg_text
d.m | check | status | OK

exec
DROP TABLE m;
CREATE TABLE m (id INT PRIMARY KEY, s VARCHAR(30), c CHAR(20), e ENUM('a', 'b'), t TEXT, d DECIMAL(10, 4), y INT, b BLOB, g VARCHAR(9));
INSERT INTO m VALUES (1, 'hello world', 'grün ist', 'a', '2020-01-05 x', 12.3456, 2024, '12x', 'a,c'), (2, 'b', 'x', 'b', 'nope', -999.9999, 1800, 'z', 'b');
ALTER TABLE m MODIFY s VARCHAR(5), MODIFY c CHAR(3), MODIFY t DATE, MODIFY d INT UNSIGNED, MODIFY y YEAR, MODIFY b INT, MODIFY g SET('a', 'b')
----
ok, 0 rows
ok, 0 rows
ok, 2 rows
ok, 0 rows

query
SHOW WARNINGS
----
Level | Code | Message
Warning | 1265 | Data truncated for column 's' at row 1
Warning | 1265 | Data truncated for column 'c' at row 1
Warning | 1265 | Data truncated for column 't' at row 1
Warning | 1265 | Data truncated for column 't' at row 2
Warning | 1264 | Out of range value for column 'd' at row 2
Warning | 1264 | Out of range value for column 'y' at row 2
Warning | 1265 | Data truncated for column 'b' at row 1
Warning | 1366 | Incorrect integer value: 'z' for column 'b' at row 2
Warning | 1265 | Data truncated for column 'g' at row 1

query
SELECT id, s, c, e, CAST(t AS CHAR), d, y, b, g FROM m ORDER BY id
----
id | s | c | e | CAST(t AS CHAR) | d | y | b | g
1 | hello | grü | a | 2020-01-05 | 12 | 2024 | 12 | a
2 | b | x | b | 0000-00-00 | 0 | 0 | 0 | b

exec
ALTER TABLE m MODIFY e INT, MODIFY s DOUBLE
----
ok, 0 rows

query
SHOW WARNINGS
----
Level | Code | Message
Warning | 1366 | Incorrect double value: 'hello' for column 's' at row 1
Warning | 1366 | Incorrect double value: 'b' for column 's' at row 2

query
SELECT id, e, s FROM m ORDER BY id
----
id | e | s
1 | 1 | 0
2 | 2 | 0

exec
CREATE TABLE j (id INT PRIMARY KEY, a VARCHAR(20), b VARCHAR(20));
INSERT INTO j VALUES (1, '{"a": 1}', '[1]'), (2, 'no', '"x"');
ALTER TABLE j MODIFY a JSON;
ALTER TABLE j MODIFY b JSON
----
ok, 0 rows
ok, 2 rows
ERROR 3140 (22032): Invalid JSON text in value for column 'a' at row 2: 'no'
ok, 0 rows

query
SELECT * FROM j ORDER BY id
----
id | a | b
1 | {"a": 1} | [1]
2 | no | "x"

query
CHECK TABLE m, j
----
Table | Op | Msg_type | Msg_text
d.m | check | status | OK
d.j | check | status | OK

# What is unique stays so, and a key too.
exec
CREATE TABLE q (id VARCHAR(10) PRIMARY KEY, u INT, UNIQUE (u));
INSERT INTO q VALUES ('1x', 300), ('2', 400);
ALTER TABLE q MODIFY u TINYINT;
ALTER TABLE q MODIFY id INT;
INSERT INTO q VALUES (3, 301)
----
ok, 0 rows
ok, 2 rows
ERROR 1062 (23000): Duplicate entry '127' for key 'q.u'
ok, 0 rows
ok, 1 rows

query
SELECT * FROM q ORDER BY id
----
id | u
1 | 300
2 | 400
3 | 301

query
CHECK TABLE q
----
Table | Op | Msg_type | Msg_text
d.q | check | status | OK

# Strict modes refuse it, and leave everything.
exec
SET sql_mode = DEFAULT;
CREATE TABLE s (id INT PRIMARY KEY, s VARCHAR(30), x VARCHAR(9), n INT, d DOUBLE, t DATETIME, k INT);
INSERT INTO s VALUES (1, '12abc', 'x', 300, 1.6, '2020-01-02 03:04:05', 1), (2, 'xyz', 'y', -5, -2.5, '2021-12-31 23:59:59', NULL);
ALTER TABLE s MODIFY s INT;
ALTER TABLE s MODIFY x INT;
ALTER TABLE s MODIFY s DATE;
ALTER TABLE s MODIFY s DATETIME;
ALTER TABLE s MODIFY x TIME;
ALTER TABLE s MODIFY x YEAR;
ALTER TABLE s MODIFY n YEAR;
ALTER TABLE s MODIFY s VARCHAR(3);
ALTER TABLE s MODIFY s VARBINARY(3);
ALTER TABLE s MODIFY s DECIMAL(10, 2);
ALTER TABLE s MODIFY x DECIMAL(10, 2);
ALTER TABLE s MODIFY s DOUBLE;
ALTER TABLE s MODIFY s ENUM('xyz');
ALTER TABLE s MODIFY s SET('xyz');
ALTER TABLE s MODIFY s JSON;
ALTER TABLE s MODIFY n TINYINT;
ALTER TABLE s MODIFY n INT UNSIGNED;
ALTER TABLE s MODIFY n VARCHAR(2);
ALTER TABLE s MODIFY n DECIMAL(3, 1);
ALTER TABLE s MODIFY d TINYINT UNSIGNED;
ALTER TABLE s MODIFY t BIGINT, MODIFY n TINYINT;
ALTER TABLE s MODIFY t INT;
ALTER TABLE s MODIFY k INT NOT NULL
----
ok, 0 rows
ok, 0 rows
ok, 2 rows
ERROR 1265 (01000): Data truncated for column 's' at row 1
ERROR 1366 (HY000): Incorrect integer value: 'x' for column 'x' at row 1
ERROR 1292 (22007): Incorrect date value: '12abc' for column 's' at row 1
ERROR 1292 (22007): Incorrect datetime value: '12abc' for column 's' at row 1
ERROR 1292 (22007): Incorrect time value: 'x' for column 'x' at row 1
ERROR 1366 (HY000): Incorrect integer value: 'x' for column 'x' at row 1
ERROR 1264 (22003): Out of range value for column 'n' at row 1
ERROR 1265 (01000): Data truncated for column 's' at row 1
ERROR 1265 (01000): Data truncated for column 's' at row 1
ERROR 1265 (01000): Data truncated for column 's' at row 1
ERROR 1366 (HY000): Incorrect decimal value: 'x' for column 'x' at row 1
ERROR 1265 (01000): Data truncated for column 's' at row 1
ERROR 1265 (01000): Data truncated for column 's' at row 1
ERROR 1265 (01000): Data truncated for column 's' at row 1
ERROR 3140 (22032): Invalid JSON text in value for column 's' at row 1: '12abc'
ERROR 1264 (22003): Out of range value for column 'n' at row 1
ERROR 1264 (22003): Out of range value for column 'n' at row 2
ERROR 1265 (01000): Data truncated for column 'n' at row 1
ERROR 1264 (22003): Out of range value for column 'n' at row 1
ERROR 1264 (22003): Out of range value for column 'd' at row 2
ERROR 1264 (22003): Out of range value for column 'n' at row 1
ERROR 1264 (22003): Out of range value for column 't' at row 1
ERROR 1138 (22004): Invalid use of NULL value: column 'k'

query
SELECT * FROM s ORDER BY id
----
id | s | x | n | d | t | k
1 | 12abc | x | 300 | 1.6 | 2020-01-02 03:04:05 | 1
2 | xyz | y | -5 | -2.5 | 2021-12-31 23:59:59 | NULL

query
SHOW CREATE TABLE s
----
Table | Create Table
s | CREATE TABLE `s` (
  `id` int NOT NULL,
  `s` varchar(30),
  `x` varchar(9),
  `n` int,
  `d` double,
  `t` datetime,
  `k` int,
  PRIMARY KEY (`id`)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_as_cs

query
CHECK TABLE s
----
Table | Op | Msg_type | Msg_text
d.s | check | status | OK

# In strict mode every value must fit the new type of its column, and nothing changes where one does not.
exec
CREATE TABLE c (e ENUM('a','b','c'), s SET('x','y','z'), v VARCHAR(10), n INT, d DATETIME);
INSERT INTO c VALUES ('a', 'x,y', 'abcdefgh', 1000, NULL), ('b', 'z', '2020', NULL, '2020-01-01 10:00:00');
ALTER TABLE c MODIFY e ENUM('a','c');
ALTER TABLE c MODIFY s SET('x','y');
ALTER TABLE c MODIFY v VARCHAR(5);
ALTER TABLE c MODIFY v CHAR(5);
ALTER TABLE c MODIFY n TINYINT;
ALTER TABLE c MODIFY n INT NOT NULL;
ALTER TABLE c MODIFY v INT;
ALTER TABLE c MODIFY v DATE;
ALTER TABLE c MODIFY e ENUM('c','b','a','d'), MODIFY s SET('z','y','x'), MODIFY v VARCHAR(8), MODIFY n SMALLINT, MODIFY d DATE
----
ok, 0 rows
ok, 2 rows
ERROR 1265 (01000): Data truncated for column 'e' at row 2
ERROR 1265 (01000): Data truncated for column 's' at row 2
ERROR 1265 (01000): Data truncated for column 'v' at row 1
ERROR 1265 (01000): Data truncated for column 'v' at row 1
ERROR 1264 (22003): Out of range value for column 'n' at row 1
ERROR 1138 (22004): Invalid use of NULL value: column 'n'
ERROR 1366 (HY000): Incorrect integer value: 'abcdefgh' for column 'v' at row 1
ERROR 1292 (22007): Incorrect date value: 'abcdefgh' for column 'v' at row 1
ok, 0 rows

query
SELECT e + 0, e, s, v, n, d FROM c
----
e + 0 | e | s | v | n | d
3 | a | y,x | abcdefgh | 1000 | NULL
2 | b | z | 2020 | NULL | 2020-01-01

# Without strict rules what is no member any more is 0.
exec
SET sql_mode = '';
ALTER TABLE c MODIFY e ENUM('a','c');
SET sql_mode = DEFAULT
----
ok, 0 rows
ok, 0 rows
ok, 0 rows

query
SELECT e, s FROM c
----
e | s
a | y,x
 | z

# Numbers below the range of an AUTO_INCREMENT column.
exec
CREATE TABLE t (id TINYINT AUTO_INCREMENT PRIMARY KEY, v INT);
INSERT INTO t VALUES (-999, 1);
INSERT INTO t VALUES (-128, 1), (-5, 2), (NULL, 3), ('-200', 4);
INSERT INTO t VALUES (-128, 1), (-5, 2), (NULL, 3), (DEFAULT, 4);
INSERT INTO t SELECT -300, 5;
INSERT INTO t SELECT id - 100, 5 FROM t;
INSERT INTO t VALUES (999, 5);
REPLACE INTO t VALUES (-129, 5);
INSERT IGNORE INTO t VALUES (-999, 6)
----
ok, 0 rows
ERROR 1264 (22003): -999 out of range for tinyint
ERROR 1264 (22003): -200 out of range for tinyint
ok, 4 rows, id -128
ERROR 1264 (22003): -300 out of range for tinyint
ERROR 1264 (22003): -228 out of range for tinyint
ERROR 1264 (22003): 999 out of range for tinyint
ERROR 1264 (22003): -129 out of range for tinyint
ok, 0 rows

query
SELECT * FROM t
----
id | v
-128 | 1
-5 | 2
1 | 3
2 | 4

prepared
: -1000
INSERT INTO t VALUES (?, 7)
----
ERROR 1264 (22003): -1000 out of range for tinyint

exec
UPDATE c SET e = 'c' WHERE e IS NULL
----
ok, 0 rows

# Number 0 of an ENUM stays.
exec
CREATE TABLE zero (id INT PRIMARY KEY, e ENUM('a','b'));
INSERT IGNORE INTO zero VALUES (1, 'none'), (2, 'b');
ALTER TABLE zero MODIFY e ENUM('b','c')
----
ok, 0 rows
ok, 2 rows
ok, 0 rows

query
SELECT id, e, e + 0 FROM zero
----
id | e | e + 0
1 |  | 0
2 | b | 1

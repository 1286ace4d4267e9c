# Statements read what they need of many rows at once, and answer as one that goes from row to row.

exec
CREATE TABLE s (id INT PRIMARY KEY, v INT);
INSERT INTO s (id, v) WITH RECURSIVE c (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 700) SELECT n, n FROM c;
CREATE TABLE k (id INT PRIMARY KEY, e VARCHAR(20), v INT, UNIQUE (e));
CREATE TABLE a (id INT AUTO_INCREMENT PRIMARY KEY, e VARCHAR(20), v INT, UNIQUE (e));
CREATE TABLE d (_id VARCHAR(255) PRIMARY KEY, _doc JSON);
----
ok, 0 rows
ok, 700 rows
ok, 0 rows
ok, 0 rows
ok, 0 rows

# An INSERT that reads its own table sees it as it was.

exec
INSERT INTO s (id, v) SELECT id + 700, v FROM s;
INSERT INTO s (id, v) SELECT id + 10000, (SELECT COUNT(*) FROM s) FROM s WHERE id <= 600;
INSERT INTO d (_id, n) SELECT CONCAT('k', id), v FROM s WHERE id <= 700;
INSERT INTO d (_id, n, m) SELECT CONCAT('z', n), n, (SELECT COUNT(*) FROM d) FROM d;
----
ok, 700 rows
ok, 600 rows
ok, 700 rows
ok, 700 rows

query
SELECT COUNT(*), SUM(v), MAX(v), MIN(id), MAX(id) FROM s
----
COUNT(*) | SUM(v) | MAX(v) | MIN(id) | MAX(id)
2000 | 1330700 | 1400 | 1 | 10600

query
SELECT COUNT(*), MIN(m), MAX(m) FROM d
----
COUNT(*) | MIN(m) | MAX(m)
1400 | 700 | 700

# Rows of one statement that have the same key.

exec
INSERT INTO k VALUES (1, 'a', 1), (2, 'b', 2), (1, 'c', 3);
INSERT INTO k VALUES (1, 'a', 1), (2, 'b', 2), (3, 'a', 3), (4, 'd', 4);
INSERT IGNORE INTO k VALUES (1, 'a', 1), (2, 'b', 2), (3, 'a', 3), (1, 'd', 4), (5, 'e', 5);
REPLACE INTO k VALUES (1, 'x', 10), (1, 'y', 11), (7, 'y', 12), (2, 'x', 13), (2, 'e', 14);
INSERT INTO k VALUES (20, 'm', 1), (20, 'n', 2), (21, 'm', 3), (22, 'q', 4) ON DUPLICATE KEY UPDATE v = v * 10 + VALUES(v), e = CONCAT(e, 'u');
----
ERROR 1062 (23000): Duplicate entry '1' for key 'k.PRIMARY'
ERROR 1062 (23000): Duplicate entry 'a' for key 'k.e'
ok, 3 rows
ok, 11 rows
ok, 5 rows

query
SELECT * FROM k ORDER BY id
----
id | e | v
2 | e | 14
7 | y | 12
20 | mu | 12
21 | m | 3
22 | q | 4

exec
DELETE FROM k;
INSERT INTO k SELECT id, CONCAT('e', id % 300), v FROM s WHERE id <= 700;
INSERT IGNORE INTO k SELECT id, CONCAT('e', id % 300), v FROM s WHERE id <= 700;
INSERT INTO k SELECT id + 1000, CONCAT('e', id % 300), 1 FROM s WHERE id <= 700 ON DUPLICATE KEY UPDATE v = v + 1;
----
ok, 5 rows
ERROR 1062 (23000): Duplicate entry 'e1' for key 'k.e'
ok, 300 rows
ok, 1400 rows

query
SELECT COUNT(*), MIN(v), MAX(v), SUM(v) FROM k
----
COUNT(*) | MIN(v) | MAX(v) | SUM(v)
300 | 4 | 302 | 45850

exec
REPLACE INTO k SELECT id, CONCAT('e', id % 100), v FROM s WHERE id <= 700;
----
ok, 1600 rows

query
SELECT COUNT(*), MIN(id), MAX(id), SUM(v) FROM k
----
COUNT(*) | MIN(id) | MAX(id) | SUM(v)
100 | 601 | 700 | 65050

# The row that fails is the one that is named, and nothing of the statement is kept.

exec
INSERT INTO k VALUES (2000, 'r1', 1), (2001, 'r2', 'none'), (2000, 'r3', 2);
INSERT INTO k VALUES (2000, 'r1', 1), (2000, 'r3', 2), (2001, 'r2', 'none');
INSERT INTO k VALUES (2000, 'r1', 1), (NULL, 'r3', 2), (2001, 'r2', 'none');
INSERT INTO k VALUES (2000, 'r1', 1), (2001, 'this text is far too long for the column', 2), (2000, 'r2', 2);
INSERT INTO k SELECT 3000, 'r1', 1 UNION ALL SELECT 3000, 'r2', 2 UNION ALL SELECT 3001, 'r3', (SELECT id FROM s);
INSERT INTO k SELECT 3000, 'r1', 1 UNION ALL SELECT 3002, 'r2', (SELECT id FROM s) UNION ALL SELECT 3000, 'r3', 1;
INSERT INTO d (_id, _doc) VALUES ('f1', '{"n": 1}'), ('f2', '{"n": '), ('f1', '{}');
INSERT INTO d (_id, _doc) VALUES ('f1', '{"n": 1}'), ('f1', '{}'), ('f2', '{"n": ');
INSERT INTO d (_doc) VALUES ('{"_id": "f1"}'), ('{"n": 1}'), ('{"_id": ["x"]}'), ('{"_id": "f1"}');
----
ERROR 1366 (HY000): error: 'none' is not a valid value for 'int'
ERROR 1062 (23000): Duplicate entry '2000' for key 'k.PRIMARY'
ERROR 1048 (23000): column name 'id' is non-nullable but attempted to set a value of null
ERROR 1406 (22001): string 'this text is far too long for the column' is too large for column 'e'
ERROR 1062 (23000): Duplicate entry '3000' for key 'k.PRIMARY'
ERROR 1242 (21000): the subquery returned more than 1 row
ERROR 3140 (22032): Invalid JSON text: "found the end of the text, expected a value" at position 6 in value for column 'd._doc'.
ERROR 1062 (23000): Duplicate entry 'f1' for key 'd.PRIMARY'
ERROR 3146 (22032): column _id: not a value of the primary key's type: an array

query
SELECT COUNT(*) FROM k WHERE id >= 2000
----
COUNT(*)
0

exec
INSERT IGNORE INTO k VALUES (2000, 'r1', 1), (2001, 'r2', 'none'), (2000, 'r3', 2), (2002, 'this text is far too long for the column', 2), (NULL, 'r4', 99999999999), (2003, 'r5', '12x');
----
ok, 5 rows

query
SHOW WARNINGS
----
Level | Code | Message
Warning | 1048 | Column 'id' cannot be null
Warning | 1366 | Incorrect integer value: 'none' for column 'v' at row 2
Warning | 1062 | Duplicate entry '2000' for key 'k.PRIMARY'
Warning | 1265 | Data truncated for column 'e' at row 4
Warning | 1264 | Out of range value for column 'v' at row 5
Warning | 1265 | Data truncated for column 'v' at row 6

query
SELECT * FROM k WHERE id >= 2000 OR id = 0 ORDER BY id
----
id | e | v
0 | r4 | 2147483647
2000 | r1 | 1
2001 | r2 | 0
2002 | this text is far too | 2
2003 | r5 | 12

# Numbers of AUTO_INCREMENT, given and not, in one statement.

exec
INSERT INTO a (id, e, v) VALUES (NULL, 'a', 1), (100, 'b', 2), (NULL, 'c', 3), (0, 'd', 4);
INSERT IGNORE INTO a (e, v) VALUES ('a', 1), ('e', 2), ('b', 3), ('f', 4);
INSERT INTO a (e, v) VALUES ('a', 1), ('g', 2), ('g', 3) ON DUPLICATE KEY UPDATE v = v + 100;
REPLACE INTO a (e, v) VALUES ('a', 7), ('a', 8), ('h', 9);
----
ok, 4 rows, id 1
ok, 2 rows, id 104
ok, 5 rows, id 108
ok, 5 rows, id 108

query
SELECT e, v FROM a ORDER BY e
----
e | v
a | 8
b | 2
c | 3
d | 4
e | 2
f | 4
g | 102
h | 9

query
SELECT COUNT(DISTINCT id), SUM(id > 100) FROM a
----
COUNT(DISTINCT id) | SUM(id > 100)
8 | 7

# Keys that are changed.

exec
UPDATE s SET id = id + 1 WHERE id <= 600;
UPDATE s SET id = id + 1 WHERE id <= 600 ORDER BY id DESC;
UPDATE s SET id = id + 1000000;
UPDATE s SET id = -id WHERE id % 2 = 0;
UPDATE s SET v = v + 1 WHERE v > 0;
UPDATE d SET n = n + 1 WHERE n >= 0;
UPDATE d SET _id = CONCAT('u', _id) WHERE n > 5;
DELETE FROM k WHERE id > 2000 OR id = 0;
UPDATE k SET e = CONCAT('w', id);
UPDATE k SET e = 'same' WHERE id > 690;
UPDATE IGNORE k SET e = 'same' WHERE id > 690;
UPDATE k SET id = 690 WHERE id > 690 LIMIT 1;
----
ERROR 1062 (23000): Duplicate entry '2' for key 's.PRIMARY'
ERROR 1062 (23000): Duplicate entry '601' for key 's.PRIMARY'
ok, 2000 rows
ok, 1000 rows
ok, 2000 rows
ok, 1400 rows
ok, 1392 rows
ok, 4 rows
ok, 101 rows
ERROR 1062 (23000): Duplicate entry 'same' for key 'k.e'
ok, 1 rows
ERROR 1062 (23000): Duplicate entry '690' for key 'k.PRIMARY'

query
SELECT COUNT(*), SUM(v), MIN(id), MAX(id) FROM s
----
COUNT(*) | SUM(v) | MIN(id) | MAX(id)
2000 | 1332700 | -1010600 | 1010599

query
SELECT COUNT(*), SUM(n), MIN(_id), MAX(_id) FROM d
----
COUNT(*) | SUM(n) | MIN(_id) | MAX(_id)
1400 | 492100 | k1 | z4

query
SELECT COUNT(*), COUNT(DISTINCT e), SUM(e = 'same') FROM k
----
COUNT(*) | COUNT(DISTINCT e) | SUM(e = 'same')
101 | 101 | 1

# Queries in a condition, of the table that is changed.

exec
DELETE FROM s WHERE v = (SELECT MAX(v) FROM s);
UPDATE s SET v = (SELECT COUNT(*) FROM d) WHERE id < 0;
DELETE FROM s WHERE EXISTS (SELECT 1 FROM s AS x WHERE x.v = s.v AND x.id < s.id);
DELETE FROM d WHERE n IN (SELECT n + 1 FROM d);
----
ok, 600 rows
ok, 700 rows
ok, 1049 rows
ok, 1398 rows

query
SELECT COUNT(*), SUM(v) FROM s
----
COUNT(*) | SUM(v)
351 | 124250

query
SELECT COUNT(*), SUM(n) FROM d
----
COUNT(*) | SUM(n)
2 | 4

# Numbers of the statement before.

exec
CREATE TABLE r (id INT PRIMARY KEY, v INT);
INSERT INTO r VALUES (1, 0), (2, 0), (3, 0), (4, 0), (5, 0), (6, 0);
INSERT INTO a (e, v) VALUES ('i', 1);
INSERT INTO a (e, v) VALUES ('j', LAST_INSERT_ID()), ('k', LAST_INSERT_ID()), ('l', LAST_INSERT_ID());
----
ok, 0 rows
ok, 6 rows
ok, 1 rows, id 113
ok, 3 rows, id 114

query
SELECT COUNT(DISTINCT v) FROM a WHERE e IN ('j', 'k', 'l')
----
COUNT(DISTINCT v)
1

# In a transaction, over its own writes.

exec
BEGIN;
INSERT INTO r VALUES (8, 8), (9, 9);
UPDATE r SET v = v + 1 WHERE id >= 7;
DELETE FROM r WHERE v >= 10;
INSERT INTO r VALUES (9, 90), (10, 100);
INSERT INTO r VALUES (11, 110), (10, 100);
REPLACE INTO r VALUES (10, 101), (8, 88);
UPDATE r SET v = v + 1 WHERE id >= 7;
COMMIT;
----
ok, 0 rows
ok, 2 rows
ok, 2 rows
ok, 1 rows
ok, 2 rows
ERROR 1062 (23000): Duplicate entry '10' for key 'r.PRIMARY'
ok, 4 rows, id 114
ok, 3 rows
ok, 0 rows

query
SELECT * FROM r ORDER BY id LIMIT 12
----
id | v
1 | 0
2 | 0
3 | 0
4 | 0
5 | 0
6 | 0
8 | 89
9 | 91
10 | 102

exec
CHECK TABLE s, k, a, d, r;
----
ok, 0 rows

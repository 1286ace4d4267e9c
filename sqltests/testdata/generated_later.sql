# Rows that were there before get the values of a new column that is computed.
exec
CREATE TABLE g (id INT PRIMARY KEY, a INT);
INSERT INTO g VALUES (1, 10), (2, 20), (3, NULL);
ALTER TABLE g ADD b INT AS (a + 1) STORED;
ALTER TABLE g ADD c INT AS (a + 2) VIRTUAL FIRST;
ALTER TABLE g ADD h INT AS (5) AFTER id, ADD i INT AS (a * 2);
----
ok, 0 rows
ok, 3 rows
ok, 0 rows
ok, 0 rows
ok, 0 rows

query
SELECT * FROM g ORDER BY id
----
c | id | h | a | b | i
12 | 1 | 5 | 10 | 11 | 20
22 | 2 | 5 | 20 | 21 | 40
NULL | 3 | 5 | NULL | NULL | NULL

exec
ALTER TABLE g ADD x INT DEFAULT (a + 100);
ALTER TABLE g ADD y INT DEFAULT (a + 200) FIRST;
ALTER TABLE g ADD z INT NOT NULL DEFAULT (id + 2) AFTER id;
----
ok, 0 rows
ok, 0 rows
ok, 0 rows

query
SELECT * FROM g ORDER BY id
----
y | c | id | z | h | a | b | i | x
210 | 12 | 1 | 3 | 5 | 10 | 11 | 20 | 110
220 | 22 | 2 | 4 | 5 | 20 | 21 | 40 | 120
NULL | NULL | 3 | 5 | 5 | NULL | NULL | NULL | NULL

exec
ALTER TABLE g MODIFY i INT AS (a * 3), CHANGE h hh INT AS (id + 6);
ALTER TABLE g ADD n INT NOT NULL AS (a) STORED;
ALTER TABLE g ADD t TINYINT AS (a * 100) STORED;
----
ok, 0 rows
ERROR 1138 (22004): Invalid use of NULL value: column 'n'
ERROR 1264 (22003): Out of range value for column 't': 1000

query
SELECT id, i, hh FROM g WHERE i > 20 OR hh = 9 ORDER BY id
----
id | i | hh
1 | 30 | 7
2 | 60 | 8
3 | NULL | 9

query
CHECK TABLE g
----
Table | Op | Msg_type | Msg_text
d.g | check | status | OK

exec
CREATE TABLE o (_id INT PRIMARY KEY, _doc JSON);
INSERT INTO o VALUES (1, '{"a": 1, "b": 7, "d": 8}'), (2, '{"a": 2}');
ALTER TABLE o ADD a INT;
ALTER TABLE o ADD b INT AS (a + 1) STORED, ADD d INT DEFAULT (a + 2);
----
ok, 0 rows
ok, 2 rows
ok, 0 rows
ok, 0 rows

query
SELECT _id, _doc FROM o ORDER BY _id
----
_id | _doc
1 | {"_id":1,"a":1,"b":2,"d":8}
2 | {"_id":2,"a":2,"b":3,"d":4}

query
CHECK TABLE o
----
Table | Op | Msg_type | Msg_text
d.o | check | status | OK

exec
CREATE TABLE c (id TINYINT AUTO_INCREMENT PRIMARY KEY, v INT);
INSERT INTO c VALUES (999, 1);
INSERT INTO c VALUES (NULL, 2);
INSERT IGNORE INTO c VALUES (999, 3);
CREATE TABLE v (s VARCHAR(10) AUTO_INCREMENT PRIMARY KEY);
CREATE TABLE v (s DECIMAL(5, 0) AUTO_INCREMENT PRIMARY KEY);
----
ok, 0 rows
ERROR 1264 (22003): 999 out of range for tinyint
ok, 1 rows, id 1
ok, 1 rows, id 127
ERROR 1063 (42000): Incorrect column specifier for column 's'
ERROR 1063 (42000): Incorrect column specifier for column 's'

query
SELECT * FROM c ORDER BY id
----
id | v
1 | 2
127 | 3

query
CHECK TABLE c
----
Table | Op | Msg_type | Msg_text
d.c | check | status | OK

exec
CREATE TABLE ty (id INT PRIMARY KEY, ti TINYINT, si SMALLINT UNSIGNED, mi MEDIUMINT, bi BIGINT UNSIGNED, f FLOAT, d DOUBLE, de DECIMAL(65,30), bo BOOLEAN, bt BIT(10), y YEAR, da DATE, ts TIMESTAMP(3), dt DATETIME(6), tm TIME, c CHAR(3), vc VARCHAR(20) COLLATE utf8mb4_0900_ai_ci, tx TEXT, bn BINARY(3), vb VARBINARY(5), bl BLOB, en ENUM('a','b''c','d,e'), se SET('x','y','z'), js JSON);
INSERT INTO ty VALUES (1, -128, 65535, -8388608, 18446744073709551615, 1.1, 1e300, 12345678901234567890.123456789012345678901234567890, true, b'1010101010', 2026, '2026-01-02', '2026-01-02 03:04:05.678', '2026-01-02 03:04:05.678901', '-12:34:56.5', 'abc', 'Ünï', 'text', x'0001ff', x'ff00', x'00', 'b''c', 'x,z', '{"k":[1,2.50]}');
INSERT INTO ty (id) VALUES (2);
INSERT INTO ty (id, ti) VALUES (3, 200);
INSERT INTO ty (id, vc) VALUES (3, 'this string is far too long');
INSERT INTO ty (id, da) VALUES (3, 'not a date');
INSERT INTO ty (id, en) VALUES (3, 'q');
INSERT INTO ty (id, js) VALUES (3, '{');
INSERT INTO ty (id, de) VALUES (3, 'abc');
INSERT INTO ty (id) VALUES (NULL);
INSERT INTO ty (ti) VALUES (1);
----
ok, 0 rows
ok, 1 rows
ok, 1 rows
ERROR 1264 (22003): 200 out of range for tinyint
ERROR 1406 (22001): string 'this string is far too long' is too large for column 'vc'
ERROR 1292 (22007): Incorrect datetime value: 'not a date'
ERROR 1265 (01000): Data truncated for column 'en' at row 1
ERROR 3140 (22032): Invalid JSON text: "found the end of the text, expected a key or '}'" at position 1 in value for column 'ty.js'.
ERROR 1366 (HY000): number has no digits
ERROR 1048 (23000): column name 'id' is non-nullable but attempted to set a value of null
ERROR 1364 (HY000): Field 'id' doesn't have a default value

query
SELECT ti, si, mi, bi, f, d, de, bo, bt + 0, y FROM ty WHERE id = 1
----
ti | si | mi | bi | f | d | de | bo | bt + 0 | y
-128 | 65535 | -8388608 | 18446744073709551615 | 1.1 | 1e+300 | 12345678901234567890.123456789012345678901234567890 | 1 | 682 | 2026

query
SELECT da, ts, dt, tm, c, vc, tx, HEX(bn), HEX(vb), HEX(bl), en, se, js FROM ty WHERE id = 1
----
da | ts | dt | tm | c | vc | tx | HEX(bn) | HEX(vb) | HEX(bl) | en | se | js
2026-01-02 | 2026-01-02 03:04:05.678 | 2026-01-02 03:04:05.678901 | -12:34:57 | abc | Ünï | text | 0001FF | FF00 | 00 | b'c | x,z | {"k":[1,2.50]}

exec
UPDATE ty SET ti = ti + 1, de = de * 2, dt = dt + INTERVAL 1 DAY, se = 'y', en = 'd,e', tm = '01:02:03' WHERE id = 1;
----
ok, 1 rows

query
SELECT ti, de, dt, se, en, tm FROM ty WHERE id = 1
----
ti | de | dt | se | en | tm
-127 | 24691357802469135780.246913578024691357802469135780 | 2026-01-03 03:04:05.678901 | y | d,e | 01:02:03

query
SELECT id FROM ty WHERE vc = 'uni'
----
id
1

query
SHOW CREATE TABLE ty
----
Table | Create Table
ty | CREATE TABLE `ty` (
  `id` int NOT NULL,
  `ti` tinyint,
  `si` smallint unsigned,
  `mi` mediumint,
  `bi` bigint unsigned,
  `f` float,
  `d` double,
  `de` decimal(65,30),
  `bo` tinyint(1),
  `bt` bit(10),
  `y` year,
  `da` date,
  `ts` timestamp(3),
  `dt` datetime(6),
  `tm` time,
  `c` char(3),
  `vc` varchar(20) COLLATE utf8mb4_0900_ai_ci,
  `tx` text,
  `bn` binary(3),
  `vb` varbinary(5),
  `bl` blob,
  `en` enum('a','b''c','d,e'),
  `se` set('x','y','z'),
  `js` json,
  PRIMARY KEY (`id`)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_as_cs

exec
CREATE TABLE gen (id INT PRIMARY KEY AUTO_INCREMENT, a INT, b INT GENERATED ALWAYS AS (a * 2) STORED, c INT DEFAULT (a + 1), s VARCHAR(10) DEFAULT 'dflt', u TIMESTAMP NULL ON UPDATE CURRENT_TIMESTAMP);
INSERT INTO gen (a) VALUES (1), (2);
UPDATE gen SET a = 10 WHERE id = 1;
INSERT INTO gen (id, a) VALUES (100, 5);
INSERT INTO gen (a) VALUES (6);
INSERT INTO gen (b) VALUES (6);
----
ok, 0 rows
ok, 2 rows, id 1
ok, 1 rows
ok, 1 rows, id 100
ok, 1 rows, id 101
ERROR 3105 (HY000): The value specified for generated column "b" in table "gen" is not allowed.

query
SELECT id, a, b, c, s, u IS NULL FROM gen
----
id | a | b | c | s | u IS NULL
1 | 10 | 20 | 2 | dflt | 0
2 | 2 | 4 | 3 | dflt | 1
100 | 5 | 10 | 6 | dflt | 1
101 | 6 | 12 | 7 | dflt | 1

exec
CREATE TABLE dk (d DATE, t DECIMAL(10,2), PRIMARY KEY (d, t));
INSERT INTO dk VALUES ('2026-01-02', 1.5), ('2025-12-31', 10), ('2026-01-02', -3);
INSERT INTO dk VALUES ('2026-01-02', 1.50);
CREATE TABLE bk (b VARBINARY(10) PRIMARY KEY);
INSERT INTO bk VALUES (x'00'), (x'ff'), ('a');
----
ok, 0 rows
ok, 3 rows
ERROR 1062 (23000): Duplicate entry '2026-01-02-1.50' for key 'dk.PRIMARY'
ok, 0 rows
ok, 3 rows

query
SELECT * FROM dk
----
d | t
2025-12-31 | 10.00
2026-01-02 | -3.00
2026-01-02 | 1.50

query
SELECT HEX(b) FROM bk
----
HEX(b)
00
61
FF

# What _doc brings for a key must be a value of its type; dates are stored as the type stores them.
exec
CREATE TABLE nk (_id BIGINT PRIMARY KEY, _doc JSON);
INSERT INTO nk (_doc) VALUES ('{"_id":5}'), ('{"_id":1e1}');
INSERT INTO nk (_doc) VALUES ('{"_id":"6"}');
INSERT INTO nk (_doc) VALUES ('{"_id":6.5}');
INSERT INTO nk (_doc) VALUES ('{"_id":true}');
INSERT INTO nk (_doc) VALUES ('{}');
INSERT INTO nk (_doc) VALUES ('{"_id":5.0}');
CREATE TABLE atk (at DATETIME PRIMARY KEY, _doc JSON);
INSERT INTO atk (_doc) VALUES ('{"at":"2026-01-02T03:04:05Z","n":1}');
INSERT INTO atk (_doc) VALUES ('{"at":"2026-01-02 03:04:05"}');
CREATE TABLE hk (_id INT, n INT);
CREATE TABLE hk (n INT);
INSERT INTO hk VALUES (1), (2);
UPDATE hk SET n = n + 1;
DELETE FROM hk WHERE n = 3;
----
ok, 0 rows
ok, 2 rows
ERROR 3146 (22032): column _id: not a value of the primary key's type: "6"
ERROR 3146 (22032): column _id: not a value of the primary key's type: 6.5
ERROR 3146 (22032): column _id: not a value of the primary key's type: true
ERROR 1364 (HY000): Field '_id' doesn't have a default value
ERROR 1062 (23000): Duplicate entry '5' for key 'nk.PRIMARY'
ok, 0 rows
ok, 1 rows
ERROR 1062 (23000): Duplicate entry '2026-01-02 03:04:05' for key 'atk.PRIMARY'
ERROR 1235 (42000): a column _id must be the primary key
ok, 0 rows
ok, 2 rows
ok, 2 rows
ok, 1 rows

query
SELECT _id, _doc FROM nk
----
_id | _doc
5 | {"_id":5}
10 | {"_id":1e1}

query
SELECT _doc FROM atk
----
_doc
{"at":"2026-01-02 03:04:05","n":1}

query
SELECT _id, deleted FROM hk__changes
----
_id | deleted
<uuid> | 0
<uuid> | 1

# The results' character set is no matter of what is stored.
exec
CREATE TABLE members (id INT PRIMARY KEY, e ENUM('ä','b'), s SET('ö','c'));
SET character_set_results = latin1;
INSERT INTO members VALUES (1, 'ä', 'c,ö'), (2, 'b', '');
UPDATE members SET e = 'ä' WHERE id = 2;
SET character_set_results = utf8mb4;
----
ok, 0 rows
ok, 0 rows
ok, 2 rows
ok, 1 rows
ok, 0 rows

query
SELECT id, e, s, HEX(e), HEX(s) FROM members
----
id | e | s | HEX(e) | HEX(s)
1 | ä | ö,c | C3A4 | C3B62C63
2 | ä |  | C3A4 |

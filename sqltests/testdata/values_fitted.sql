# What a column can't hold is refused in strict mode, and becomes the nearest that it can hold otherwise, with a warning.
exec
CREATE TABLE t (id INT PRIMARY KEY AUTO_INCREMENT, a TINYINT, b VARCHAR(3), d INT NOT NULL, e ENUM('x','y'), u INT UNSIGNED, m DECIMAL(3,1), f CHAR(5), g SET('p','q'), h VARBINARY(2), ts DATETIME, dbl DOUBLE)
----
ok, 0 rows

exec
INSERT INTO t (d, e) VALUES (1, 0)
----
ERROR 1265 (01000): Data truncated for column 'e' at row 1

exec
INSERT INTO t (a, d) VALUES (999, 1)
----
ERROR 1264 (22003): 999 out of range for tinyint

exec
INSERT INTO t (id, d, f) VALUES (1, 7, 'abc      '), (2, 8, ' d ')
----
ok, 2 rows, id 1

exec
UPDATE t SET e = 0
----
ERROR 1265 (01000): Data truncated for column 'e' at row 1

exec
UPDATE t SET f = 'xy   ' WHERE id = 2
----
ok, 1 rows

query
SELECT id, LENGTH(f), f = 'abc', f FROM t
----
id | LENGTH(f) | f = 'abc' | f
1 | 3 | 1 | abc
2 | 2 | 0 | xy

exec
SET sql_mode = ''
----
ok, 0 rows

exec
INSERT INTO t (id, a, b, e, u, m) VALUES (3, 999, 'wxyz', 'q', -1, 12345)
----
ok, 1 rows, id 3

query
SHOW WARNINGS
----
Level | Code | Message
Warning | 1364 | Field 'd' doesn't have a default value
Warning | 1264 | Out of range value for column 'a' at row 1
Warning | 1265 | Data truncated for column 'b' at row 1
Warning | 1265 | Data truncated for column 'e' at row 1
Warning | 1264 | Out of range value for column 'u' at row 1
Warning | 1264 | Out of range value for column 'm' at row 1

exec
INSERT INTO t (id, d) VALUES (4, NULL)
----
ERROR 1048 (23000): column name 'd' is non-nullable but attempted to set a value of null

exec
INSERT INTO t (id, a, d, f, g, h, dbl) VALUES (4, 'abc', ' 12 ', 'abc   z', 'p,z', 'abc', '1e5z'), (5, -200, NULL, 'é é é é ', 'q', 'a', '')
----
ok, 2 rows, id 4

query
SHOW WARNINGS
----
Level | Code | Message
Warning | 1048 | Column 'd' cannot be null
Warning | 1366 | Incorrect integer value: 'abc' for column 'a' at row 1
Warning | 1265 | Data truncated for column 'f' at row 1
Warning | 1265 | Data truncated for column 'g' at row 1
Warning | 1265 | Data truncated for column 'h' at row 1
Warning | 1265 | Data truncated for column 'dbl' at row 1
Warning | 1264 | Out of range value for column 'a' at row 2
Warning | 1265 | Data truncated for column 'f' at row 2
Warning | 1366 | Incorrect double value: '' for column 'dbl' at row 2

exec
INSERT INTO t VALUES ()
----
ok, 1 rows, id 6

query
SHOW WARNINGS
----
Level | Code | Message
Warning | 1364 | Field 'd' doesn't have a default value

exec
INSERT INTO t (id, d, ts) SELECT 7, NULL, 'never' UNION ALL SELECT 8, '8z', '2020-13-01'
----
ok, 2 rows, id 7

query
SHOW WARNINGS
----
Level | Code | Message
Warning | 1048 | Column 'd' cannot be null
Warning | 1265 | Data truncated for column 'ts' at row 1
Warning | 1265 | Data truncated for column 'd' at row 2
Warning | 1265 | Data truncated for column 'ts' at row 2

exec
UPDATE t SET a = '7x', d = NULL, b = 'äöüß' WHERE id < 3
----
ok, 2 rows

query
SHOW WARNINGS
----
Level | Code | Message
Warning | 1265 | Data truncated for column 'a' at row 1
Warning | 1048 | Column 'd' cannot be null
Warning | 1265 | Data truncated for column 'b' at row 1
Warning | 1265 | Data truncated for column 'a' at row 2
Warning | 1048 | Column 'd' cannot be null
Warning | 1265 | Data truncated for column 'b' at row 2

exec
INSERT INTO t (id, d) VALUES (1, 1) ON DUPLICATE KEY UPDATE a = 900, m = -1000
----
ok, 2 rows, id 6

query
SELECT * FROM t
----
id | a | b | d | e | u | m | f | g | h | ts | dbl
1 | 127 | äöü | 0 | NULL | NULL | -99.9 | abc | NULL | NULL | NULL | NULL
2 | 7 | äöü | 0 | NULL | NULL | NULL | xy | NULL | NULL | NULL | NULL
3 | 127 | wxy | 0 |  | 0 | 99.9 | NULL | NULL | NULL | NULL | NULL
4 | 0 | NULL | 12 | NULL | NULL | NULL | abc | p | ab | NULL | 100000
5 | -128 | NULL | 0 | NULL | NULL | NULL | é é é | q | a | NULL | 0
6 | NULL | NULL | 0 | NULL | NULL | NULL | NULL | NULL | NULL | NULL | NULL
7 | NULL | NULL | 0 | NULL | NULL | NULL | NULL | NULL | NULL | 0000-00-00 00:00:00 | NULL
8 | NULL | NULL | 8 | NULL | NULL | NULL | NULL | NULL | NULL | 0000-00-00 00:00:00 | NULL

# IGNORE does the same in strict mode.
exec
SET sql_mode = 'STRICT_ALL_TABLES,NO_ZERO_DATE'
----
ok, 0 rows

exec
INSERT IGNORE INTO t (id, a, b, d) VALUES (20, 999, 'äöüß', NULL)
----
ok, 1 rows, id 20

query
SHOW WARNINGS
----
Level | Code | Message
Warning | 1048 | Column 'd' cannot be null
Warning | 1264 | Out of range value for column 'a' at row 1
Warning | 1265 | Data truncated for column 'b' at row 1

query
SELECT id, a, b, d FROM t WHERE id = 20
----
id | a | b | d
20 | 127 | äöü | 0

exec
INSERT INTO t (d, ts) VALUES (1, '0000-00-00')
----
ERROR 1292 (22007): Incorrect datetime value: '0000-00-00' for column 'ts' at row 1

exec
SET sql_mode = 'NO_ZERO_DATE'
----
ok, 0 rows

exec
INSERT INTO t (d, ts) VALUES (1, '0000-00-00')
----
ok, 1 rows, id 22

query
SHOW WARNINGS
----
Level | Code | Message
Warning | 1264 | Out of range value for column 'ts' at row 1

exec
SET sql_mode = DEFAULT
----
ok, 0 rows

query
CHECK TABLE t
----
Table | Op | Msg_type | Msg_text
d.t | check | status | OK

# A SET is cast to its text, and a CHECK of MODIFY is kept.
exec
CREATE TABLE s (g SET('a', 'b'), n INT, m INT);
INSERT INTO s VALUES ('a,b', 5, 1), ('', 6, 1)
----
ok, 0 rows
ok, 2 rows

query
SELECT CAST(g AS CHAR), CAST(g AS CHAR(1)), CAST(g AS UNSIGNED), GROUP_CONCAT(g) FROM s GROUP BY g
----
CAST(g AS CHAR) | CAST(g AS CHAR(1)) | CAST(g AS UNSIGNED) | GROUP_CONCAT(g)
a,b | a | 3 | a,b
 |  | 0 |

exec
ALTER TABLE s MODIFY n INT CHECK (n < 3)
----
ERROR 3819 (HY000): Check constraint "s_chk_1" violated

exec
ALTER TABLE s MODIFY n INT CHECK (n < 9), CHANGE m m INT CHECK (m > 0)
----
ok, 0 rows

exec
INSERT INTO s VALUES ('a', 9, 1)
----
ERROR 3819 (HY000): Check constraint "s_chk_1" violated

exec
INSERT INTO s VALUES ('a', 1, 0)
----
ERROR 3819 (HY000): Check constraint "s_chk_2" violated

exec
ALTER TABLE s CHANGE m k INT CHECK (k > 0)
----
ERROR 1235 (42000): CHECK in CHANGE of column m to k is not supported

exec
CREATE TABLE bad (e ENUM('x', 'y') DEFAULT 'z')
----
ERROR 1067 (42000): Invalid default value for 'e'

# CHAR has a default that is computed, and no text is nearly JSON.

exec
CREATE TABLE keyed (k CHAR(36) PRIMARY KEY DEFAULT (UUID()), i INT)
----
ok, 0 rows

exec
INSERT INTO keyed VALUES (DEFAULT, 1), (UUID(), 2)
----
ok, 2 rows

exec
INSERT INTO keyed (i) VALUES (3)
----
ok, 1 rows

query
SELECT i, LENGTH(k) FROM keyed ORDER BY i
----
i | LENGTH(k)
1 | 36
2 | 36
3 | 36

exec
CREATE TABLE held (id INT PRIMARY KEY, v JSON)
----
ok, 0 rows

exec
INSERT IGNORE INTO held VALUES (1, 'val1')
----
ERROR 3140 (22032): Invalid JSON text: "found val1, expected a value" at position 0 in value for column 'held.v'.

query
SELECT * FROM held
----
id | v

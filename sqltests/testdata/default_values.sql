# A literal that can't be a column's default is named by the column, as in MySQL.
exec
CREATE TABLE x (a INT DEFAULT 'abc');
CREATE TABLE x (b TINYINT DEFAULT 300);
CREATE TABLE x (a INT, b INT UNSIGNED DEFAULT -1);
CREATE TABLE x (a VARCHAR(2) DEFAULT 'abc');
CREATE TABLE x (a CHAR(2) DEFAULT 'abc');
CREATE TABLE x (a BINARY(2) DEFAULT 'abc');
CREATE TABLE x (a DATE DEFAULT 'nope');
CREATE TABLE x (a DATE DEFAULT '2020-02-30');
CREATE TABLE x (a DATETIME NOT NULL DEFAULT '0000-00-00 00:00:00');
CREATE TABLE x (a DATETIME DEFAULT '2020-01-01 25:00:00');
CREATE TABLE x (a TIME DEFAULT 'x');
CREATE TABLE x (a YEAR DEFAULT 1800);
CREATE TABLE x (a DECIMAL(3, 1) DEFAULT 100);
CREATE TABLE x (a DECIMAL(3, 1) DEFAULT 'x');
CREATE TABLE x (a DOUBLE DEFAULT 'x');
CREATE TABLE x (a ENUM('a', 'b') DEFAULT 'c');
CREATE TABLE x (a SET('a', 'b') DEFAULT 'c');
CREATE TABLE x (a INT NOT NULL DEFAULT NULL);
CREATE TABLE x (a INT PRIMARY KEY DEFAULT NULL);
CREATE TABLE x (a INT AUTO_INCREMENT PRIMARY KEY DEFAULT 5);
CREATE TABLE x (a DATETIME(3) DEFAULT NOW());
CREATE TABLE x (a TEXT DEFAULT 'abc');
CREATE TABLE x (a BLOB DEFAULT 'abc');
CREATE TABLE x (a JSON DEFAULT '{}');
CREATE TABLE x (a TEXT NOT NULL DEFAULT NULL);
SET sql_mode = 'NO_AUTO_VALUE_ON_ZERO';
CREATE TABLE dumped (a TEXT DEFAULT 'abc', b DATETIME NOT NULL DEFAULT '0000-00-00 00:00:00');
SET sql_mode = DEFAULT;
CREATE TABLE d1 (a INT DEFAULT '12', b BOOL DEFAULT TRUE, c VARCHAR(5) DEFAULT 12, d BINARY(3) DEFAULT 'abc', e DECIMAL(5, 2) DEFAULT '1.239', f DOUBLE DEFAULT '1e3', g DATE DEFAULT '20200101', h TIME DEFAULT '10:11', i TEXT DEFAULT NULL, j TEXT DEFAULT ('t'), k JSON DEFAULT (JSON_ARRAY()), l INT DEFAULT -3);
INSERT INTO d1 () VALUES ()
----
ERROR 1067 (42000): Invalid default value for 'a'
ERROR 1067 (42000): Invalid default value for 'b'
ERROR 1067 (42000): Invalid default value for 'b'
ERROR 1067 (42000): Invalid default value for 'a'
ERROR 1067 (42000): Invalid default value for 'a'
ERROR 1067 (42000): Invalid default value for 'a'
ERROR 1067 (42000): Invalid default value for 'a'
ERROR 1067 (42000): Invalid default value for 'a'
ok, 0 rows
ERROR 1067 (42000): Invalid default value for 'a'
ERROR 1067 (42000): Invalid default value for 'a'
ERROR 1067 (42000): Invalid default value for 'a'
ERROR 1067 (42000): Invalid default value for 'a'
ERROR 1067 (42000): Invalid default value for 'a'
ERROR 1067 (42000): Invalid default value for 'a'
ERROR 1067 (42000): Invalid default value for 'a'
ERROR 1067 (42000): Invalid default value for 'a'
ERROR 1067 (42000): Invalid default value for 'a'
ERROR 1067 (42000): Invalid default value for 'a'
ERROR 1067 (42000): Invalid default value for 'a'
ERROR 1067 (42000): Invalid default value for 'a'
ERROR 1101 (42000): BLOB, TEXT, GEOMETRY or JSON column 'a' can't have a default value
ERROR 1101 (42000): BLOB, TEXT, GEOMETRY or JSON column 'a' can't have a default value
ERROR 1101 (42000): BLOB, TEXT, GEOMETRY or JSON column 'a' can't have a default value
ERROR 1067 (42000): Invalid default value for 'a'
ok, 0 rows
ok, 0 rows
ok, 0 rows
ok, 0 rows
ok, 1 rows

query
SELECT * FROM d1
----
a | b | c | d | e | f | g | h | i | j | k | l
12 | 1 | 12 | abc | 1.24 | 1000 | 2020-01-01 | 10:11:00 | NULL | t | [] | -3

exec
ALTER TABLE d1 ALTER a SET DEFAULT 'x';
ALTER TABLE d1 ALTER c SET DEFAULT 'abcdefgh';
ALTER TABLE d1 ALTER i SET DEFAULT 'x';
ALTER TABLE d1 MODIFY a TINYINT DEFAULT 300;
ALTER TABLE d1 ADD m INT DEFAULT 'q';
ALTER TABLE d1 ALTER nothing SET DEFAULT 3
----
ERROR 1067 (42000): Invalid default value for 'a'
ERROR 1067 (42000): Invalid default value for 'c'
ERROR 1101 (42000): BLOB, TEXT, GEOMETRY or JSON column 'i' can't have a default value
ERROR 1067 (42000): Invalid default value for 'a'
ERROR 1067 (42000): Invalid default value for 'm'
ERROR 1054 (42S22): Unknown column 'nothing' in 'd1'

# DEFAULT(column) is a value.
exec
CREATE TABLE t (id INT PRIMARY KEY, a INT DEFAULT 5, b VARCHAR(10) DEFAULT 'bb', c INT NOT NULL, d INT DEFAULT (a + 1), e DATETIME DEFAULT CURRENT_TIMESTAMP, f INT DEFAULT NULL, g DECIMAL(4, 2) DEFAULT -1.5, h DATE DEFAULT '2020-01-02');
CREATE TABLE u (id INT PRIMARY KEY, a INT DEFAULT 6, z INT DEFAULT 9);
INSERT INTO t (id, a, b, c) VALUES (1, 1, 'x', 1);
INSERT INTO u VALUES (1, 5, 1), (2, 6, 9);
INSERT INTO t (id, a, b, c) VALUES (1, 2, 'y', 2) ON DUPLICATE KEY UPDATE a = DEFAULT(a), b = DEFAULT, c = c + 1
----
ok, 0 rows
ok, 0 rows
ok, 1 rows
ok, 2 rows
ok, 2 rows

query
SELECT id, a, b, c FROM t
----
id | a | b | c
1 | 5 | bb | 2

exec
INSERT INTO t (id, a, b, c) VALUES (1, 2, 'y', 2) ON DUPLICATE KEY UPDATE b = DEFAULT(b), a = DEFAULT(a) + 1, f = DEFAULT(a);
INSERT INTO t (id, c, d) VALUES (1, 2, 9) ON DUPLICATE KEY UPDATE d = DEFAULT, f = DEFAULT(a) * 2
----
ok, 2 rows
ok, 2 rows

query
SELECT id, a, b, c, d, f FROM t
----
id | a | b | c | d | f
1 | 6 | bb | 2 | 7 | 10

exec
INSERT INTO t (id, a, b, c) SELECT 2, DEFAULT(a), DEFAULT(b), 3 FROM t;
INSERT INTO t (id, a, b, c) SELECT 3, DEFAULT(a) + 1, CONCAT(DEFAULT(b), '!'), 3 FROM t WHERE id = 1;
INSERT INTO t (id, a, c, f) VALUES (4, DEFAULT(a), 7, DEFAULT(a)), (5, DEFAULT, 7, DEFAULT(g));
INSERT INTO t SET id = 6, a = DEFAULT(a) * 2, c = 1;
REPLACE INTO t (id, a, c) VALUES (6, DEFAULT(a), 1)
----
ok, 1 rows
ok, 1 rows
ok, 2 rows
ok, 1 rows
ok, 2 rows

query
SELECT id, a, b, c, f FROM t ORDER BY id
----
id | a | b | c | f
1 | 6 | bb | 2 | 10
2 | 5 | bb | 3 | NULL
3 | 6 | bb! | 3 | NULL
4 | 5 | bb | 7 | 5
5 | 5 | bb | 7 | -2
6 | 5 | bb | 1 | NULL

exec
UPDATE t SET a = DEFAULT(a) + 1, b = DEFAULT, f = DEFAULT(a) WHERE id = 1;
UPDATE t SET b = CONCAT(DEFAULT(b), 'z'), g = DEFAULT WHERE id IN (2, 3)
----
ok, 1 rows
ok, 2 rows

query
SELECT id, a, b, f, g FROM t ORDER BY id
----
id | a | b | f | g
1 | 6 | bb | 5 | -1.50
2 | 5 | bbz | NULL | -1.50
3 | 6 | bbz | NULL | -1.50
4 | 5 | bb | 5 | -1.50
5 | 5 | bb | -2 | -1.50
6 | 5 | bb | NULL | -1.50

query
SELECT DEFAULT(a), DEFAULT(b), DEFAULT(f), DEFAULT(g), DEFAULT(h), DEFAULT(a) + 1 FROM t WHERE id = 1
----
DEFAULT(a) | DEFAULT(b) | DEFAULT(f) | DEFAULT(g) | DEFAULT(h) | DEFAULT(a) + 1
5 | bb | NULL | -1.50 | 2020-01-02 | 6

query
SELECT id FROM t WHERE a = DEFAULT(a) AND b <> DEFAULT(t.b) ORDER BY DEFAULT(a), id
----
id
2

query
SELECT t.id, DEFAULT(t.a), DEFAULT(u.a), DEFAULT(z) FROM t JOIN u ON u.id = t.id AND u.a < DEFAULT(u.a)
----
id | DEFAULT(t.a) | DEFAULT(u.a) | DEFAULT(z)
1 | 5 | 6 | 9

query
SELECT (SELECT MAX(DEFAULT(z)) FROM u) m, COUNT(*) FROM t GROUP BY DEFAULT(t.a)
----
m | COUNT(*)
9 | 6

query
SELECT DEFAULT(e) > NOW() - INTERVAL 1 HOUR FROM t WHERE id = 1
----
DEFAULT(e) > NOW() - INTERVAL 1 HOUR
1

exec
PREPARE s FROM 'SELECT id FROM u WHERE z = DEFAULT(z) AND id = ?';
SET @id = 2
----
ok, 0 rows
ok, 0 rows

query
EXECUTE s USING @id
----
id
2

exec
UPDATE t JOIN u ON u.id = t.id SET t.a = DEFAULT(z), u.z = DEFAULT(t.a);
DELETE FROM u WHERE z = DEFAULT(u.a) - 1
----
ok, 4 rows
ok, 2 rows

query
SELECT * FROM u
----
id | a | z

query
SELECT DEFAULT(c) FROM t
----
ERROR 1364 (HY000): Field 'c' doesn't have a default value

query
SELECT DEFAULT(d) FROM t
----
ERROR 3773 (HY000): DEFAULT function cannot be used with default value expressions

query
SELECT DEFAULT(nope) FROM t
----
ERROR 1054 (42S22): Unknown column 'nope' in 'field list'

query
SELECT DEFAULT(a) FROM t JOIN u
----
ERROR 1052 (23000): Column 'a' in field list is ambiguous

query
SELECT DEFAULT(a)
----
ERROR 1054 (42S22): Unknown column 'a' in 'field list'

exec
UPDATE t SET c = DEFAULT WHERE id = 1;
UPDATE t SET c = DEFAULT(c) WHERE id = 1;
INSERT INTO t (id, c) VALUES (12, DEFAULT);
INSERT INTO t VALUES (12, 1, 'x', DEFAULT, 1, NULL, 1, 1, NULL);
INSERT INTO t (id) VALUES (13);
CREATE VIEW v AS SELECT DEFAULT(a) FROM t
----
ERROR 1364 (HY000): Field 'c' doesn't have a default value
ERROR 1364 (HY000): Field 'c' doesn't have a default value
ERROR 1364 (HY000): Field 'c' doesn't have a default value
ERROR 1364 (HY000): Field 'c' doesn't have a default value
ERROR 1364 (HY000): Field 'c' doesn't have a default value
ERROR 1235 (42000): DEFAULT(column) is not supported in views

query
SELECT id, c FROM t ORDER BY id
----
id | c
1 | 2
2 | 3
3 | 3
4 | 7
5 | 7
6 | 1

query
CHECK TABLE t, u, d1
----
Table | Op | Msg_type | Msg_text
d.t | check | status | OK
d.u | check | status | OK
d.d1 | check | status | OK

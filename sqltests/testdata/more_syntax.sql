# DEFAULT for a generated column is what it computes; any other value is refused.
exec
CREATE TABLE g (id INT PRIMARY KEY, a INT, b INT AS (a+1), c INT AS (a+2) STORED);
INSERT INTO g VALUES (1,2,DEFAULT,DEFAULT),(2,4,DEFAULT,DEFAULT);
INSERT INTO g (id,a,b) VALUES (3,2,DEFAULT);
UPDATE g SET b=DEFAULT, a=7 WHERE id=1;
INSERT INTO g (id,a,b) VALUES (2,2,DEFAULT) ON DUPLICATE KEY UPDATE b=DEFAULT, a=9;
REPLACE INTO g VALUES (3,5,DEFAULT,DEFAULT)
----
ok, 0 rows
ok, 2 rows
ok, 1 rows
ok, 1 rows
ok, 2 rows
ok, 2 rows

query
SELECT * FROM g ORDER BY id
----
id | a | b | c
1 | 7 | 8 | 9
2 | 9 | 10 | 11
3 | 5 | 6 | 7

exec
INSERT INTO g VALUES (8,2,3,DEFAULT);
UPDATE g SET b=5, a=7
----
ERROR 3105 (HY000): The value specified for generated column "b" in table "g" is not allowed.
ERROR 3105 (HY000): The value specified for generated column "b" in table "g" is not allowed.

exec
CHECK TABLE g
----
ok, 0 rows

# INTERVAL with several numbers is no interval of a date.
query
SELECT INTERVAL(23,1,15,17,30,44,200) a, INTERVAL(10,1,10,100,1000) b, INTERVAL(22,23,30,44,200) c, INTERVAL(NULL,1,2) d, DATE_ADD('2020-01-01', INTERVAL(1+1) DAY) e
----
a | b | c | d | e
3 | 2 | 0 | -1 | 2020-01-03

query
SELECT N'x' a, n'it''s' b, 'N''y' c, CONCAT(N'ä', N'b') d
----
a | b | c | d
x | it's | N'y | äb

exec
CREATE TABLE s (_id INT PRIMARY KEY, t TEXT(20), u TEXT(70), v TEXT(100000) NOT NULL, w BLOB(300000), y YEAR(4));
INSERT INTO s VALUES (1, N'a', 'b', 'c', 'd', 2020)
----
ok, 0 rows
ok, 1 rows

query
SHOW CREATE TABLE s
----
Table | Create Table
s | CREATE TABLE `s` (
  `_id` int NOT NULL,
  `t` tinytext,
  `u` text,
  `v` mediumtext NOT NULL,
  `w` mediumblob,
  `y` year,
  PRIMARY KEY (`_id`)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_as_cs

query
SELECT y, t FROM s WHERE t = N'a'
----
y | t
2020 | a

# Conditions of CASE are those of WHERE.
query
SELECT CASE WHEN '1x' THEN 1 ELSE 0 END a, CASE WHEN 'x' THEN 1 ELSE 0 END b, CASE WHEN '0.5' THEN 1 ELSE 0 END c, CASE WHEN CAST('true' AS JSON) THEN 1 ELSE 0 END d, CASE WHEN CAST('0' AS JSON) THEN 1 ELSE 0 END e, CASE WHEN CAST('"a"' AS JSON) THEN 1 ELSE 0 END f, CASE WHEN CAST('null' AS JSON) THEN 1 ELSE 0 END g, CASE WHEN CAST('[]' AS JSON) THEN 1 ELSE 0 END h, CASE WHEN TIME('10:00') THEN 1 END i
----
a | b | c | d | e | f | g | h | i
1 | 0 | 1 | 1 | 0 | 0 | 0 | 1 | 1

# Casts of JSON and of long texts to DECIMAL are exact.
query
SELECT CAST('12345678901234567890.123' AS DECIMAL(30,3)) a, CAST('12345678901234567890' AS DECIMAL(20)) b, CAST(CAST('1234.5' AS JSON) AS DECIMAL(4,1)) c, CAST(CAST('"12.5"' AS JSON) AS DECIMAL(4)) d, CAST(CAST('true' AS JSON) AS DECIMAL(4)) e, CAST('x' AS DECIMAL(3)) f
----
a | b | c | d | e | f
12345678901234567890.123 | 12345678901234567890 | 999.9 | 13 | 1 | 0

query
SELECT CAST(X'20' AS DECIMAL), CAST(X'20' AS DECIMAL(5,1)), CAST('1.6' AS DECIMAL), LENGTH(QUOTE(REPEAT('it''s', 20000)))
----
CAST(X'20' AS DECIMAL) | CAST(X'20' AS DECIMAL(5,1)) | CAST('1.6' AS DECIMAL) | LENGTH(QUOTE(REPEAT('it''s', 20000)))
32 | 32.0 | 2 | 100002

query
CHECK TABLE nothing, Nothing
----
ERROR 1066 (42000): Not unique table/alias: 'Nothing'

query
CHECK TABLE nothing, other
----
Table | Op | Msg_type | Msg_text
d.nothing | check | Error | Table 'd.nothing' doesn't exist
d.nothing | check | status | Operation failed
d.other | check | Error | Table 'd.other' doesn't exist
d.other | check | status | Operation failed

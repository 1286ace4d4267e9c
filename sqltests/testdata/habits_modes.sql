# SET, byte strings, CHAR, AUTO_INCREMENT of other types, and SQL modes.
exec
CREATE TABLE s (id INT PRIMARY KEY, s SET('a','b','c'))
----
ok, 0 rows

exec
INSERT INTO s VALUES (1,'a,c'),(2,''),(3,5),(4,'c,a,a'),(5,NULL)
----
ok, 5 rows

exec
INSERT INTO s VALUES (6,'a,z')
----
ERROR 1265 (01000): Data truncated for column 's' at row 1

exec
INSERT INTO s VALUES (7,8)
----
ERROR 1265 (01000): Data truncated for column 's' at row 1

query
SELECT id, s, s+0, CAST(s AS CHAR), CONCAT(s,'!'), LENGTH(s) FROM s ORDER BY id
----
id | s | s+0 | CAST(s AS CHAR) | CONCAT(s,'!') | LENGTH(s)
1 | a,c | 5 | a,c | a,c! | 3
2 |  | 0 |  | ! | 0
3 | a,c | 5 | a,c | a,c! | 3
4 | a,c | 5 | a,c | a,c! | 3
5 | NULL | NULL | NULL | NULL | NULL

query
SELECT GROUP_CONCAT(s ORDER BY id SEPARATOR ';') FROM s
----
GROUP_CONCAT(s ORDER BY id SEPARATOR ';')
a,c;;a,c;a,c

query
SELECT id FROM s WHERE s='a,c' ORDER BY id
----
id
1
3
4

query
SELECT id FROM s WHERE FIND_IN_SET('c',s) ORDER BY id
----
id
1
3
4

query
SELECT id FROM s WHERE s & 4 ORDER BY id
----
id
1
3
4

query
SELECT id FROM s WHERE s LIKE '%c%' ORDER BY id
----
id
1
3
4

exec
CREATE TABLE s2 (id INT PRIMARY KEY, s SET('','x','y'))
----
ok, 0 rows

exec
INSERT INTO s2 VALUES (1,''),(2,'x'),(3,'x,'),(4,1),(5,3)
----
ok, 5 rows

query
SELECT id,s,s+0,CAST(s AS CHAR) FROM s2 ORDER BY id
----
id | s | s+0 | CAST(s AS CHAR)
1 |  | 0 |
2 | x | 2 | x
3 | x | 3 | x
4 |  | 1 |
5 | x | 3 | x

exec
CREATE TABLE u8 (id INT PRIMARY KEY, v VARCHAR(20))
----
ok, 0 rows

exec
INSERT INTO u8 VALUES (1, _utf8mb4 X'C328')
----
ERROR 1300 (HY000): invalid string for charset utf8mb4: '[195 40]'

exec
INSERT INTO u8 VALUES (2, X'FF41')
----
ERROR 1300 (HY000): invalid string for charset utf8mb4: '[255 65]'

exec
SET sql_mode=''
----
ok, 0 rows

exec
INSERT INTO u8 VALUES (3, X'FF41')
----
ok, 1 rows

exec
INSERT INTO u8 VALUES (4, X'41FF42')
----
ok, 1 rows

query
SELECT id,v,HEX(v) FROM u8
----
id | v | HEX(v)
3 |  |
4 | A | 41

exec
SET sql_mode=DEFAULT
----
ok, 0 rows

exec
CREATE TABLE c (id INT PRIMARY KEY, v CHAR(5))
----
ok, 0 rows

exec
INSERT INTO c VALUES (1,'abc  '),(2,'abc'),(3,'  a'),(4,'abcde   ')
----
ok, 4 rows

query
SELECT id, LENGTH(v), CONCAT('[',v,']'), v='abc', v='abc  ' FROM c
----
id | LENGTH(v) | CONCAT('[',v,']') | v='abc' | v='abc  '
3 | 3 | [  a] | 0 | 0
1 | 3 | [abc] | 1 | 0
2 | 3 | [abc] | 1 | 0
4 | 5 | [abcde] | 0 | 0

query
SELECT id FROM c WHERE v='abc' ORDER BY id
----
id
1
2

query
SELECT id FROM c WHERE v='abc  ' ORDER BY id
----
id

query
SELECT v, COUNT(*) FROM c GROUP BY v ORDER BY v
----
v | COUNT(*)
  a | 1
abc | 2
abcde | 1

exec
UPDATE c SET v='zz   ' WHERE id=3
----
ok, 1 rows

query
SELECT LENGTH(v) FROM c WHERE id=3
----
LENGTH(v)
2

exec
CREATE TABLE cu (v CHAR(5) PRIMARY KEY)
----
ok, 0 rows

exec
INSERT INTO cu VALUES ('a')
----
ok, 1 rows

exec
INSERT INTO cu VALUES ('a  ')
----
ERROR 1062 (23000): Duplicate entry 'a' for key 'cu.PRIMARY'

exec
CREATE TABLE ai1 (id VARCHAR(10) AUTO_INCREMENT PRIMARY KEY)
----
ERROR 1063 (42000): Incorrect column specifier for column 'id'

exec
CREATE TABLE ai2 (id DATETIME AUTO_INCREMENT PRIMARY KEY)
----
ERROR 1063 (42000): Incorrect column specifier for column 'id'

exec
CREATE TABLE ai3 (id DECIMAL(5,0) AUTO_INCREMENT PRIMARY KEY)
----
ERROR 1063 (42000): Incorrect column specifier for column 'id'

exec
CREATE TABLE ai4 (id JSON AUTO_INCREMENT, KEY(id))
----
ERROR 3152 (42000): JSON column 'id' supports indexing only via generated columns on a specified JSON path

exec
CREATE TABLE ai5 (id INT PRIMARY KEY, b BIT(8) AUTO_INCREMENT, KEY(b))
----
ERROR 1063 (42000): Incorrect column specifier for column 'b'

exec
CREATE TABLE ai6 (id INT PRIMARY KEY)
----
ok, 0 rows

exec
ALTER TABLE ai6 ADD t TEXT AUTO_INCREMENT
----
ERROR 1075 (42000): Incorrect table definition; there can be only one auto column and it must be defined as a key

exec
ALTER TABLE ai6 MODIFY id CHAR(3) AUTO_INCREMENT
----
ERROR 1063 (42000): Incorrect column specifier for column 'id'

exec
CREATE TABLE ai7 (id INT AUTO_INCREMENT, b INT AUTO_INCREMENT, PRIMARY KEY (id), KEY(b))
----
ERROR 1075 (42000): Incorrect table definition; there can be only one auto column and it must be defined as a key

exec
CREATE TABLE ai8 (id INT AUTO_INCREMENT DEFAULT 5 PRIMARY KEY)
----
ERROR 1067 (42000): Invalid default value for 'id'

exec
CREATE TABLE ai9 (id INT PRIMARY KEY, b INT AUTO_INCREMENT)
----
ERROR 1075 (42000): Incorrect table definition; there can be only one auto column and it must be defined as a key

exec
SET sql_mode='PIPES_AS_CONCAT'
----
ok, 0 rows

query
SELECT 'a' || 'b', 1 || 2
----
'a' || 'b' | 1 || 2
ab | 12

exec
SET sql_mode='ANSI'
----
ok, 0 rows

query
SELECT @@sql_mode
----
@@sql_mode
REAL_AS_FLOAT,PIPES_AS_CONCAT,ANSI_QUOTES,IGNORE_SPACE,ONLY_FULL_GROUP_BY,ANSI

query
SELECT 'a' || 'b' AS "x y"
----
x y
ab

exec
SET sql_mode='NO_BACKSLASH_ESCAPES'
----
ok, 0 rows

query
SELECT 'a\nb', LENGTH('\n'), 'x' LIKE '\x'
----
a\nb | LENGTH('\\n') | 'x' LIKE '\\\\x'
a\nb | 2 | 0

exec
SET sql_mode='HIGH_NOT_PRECEDENCE'
----
ok, 0 rows

query
SELECT NOT 1 BETWEEN -5 AND 5
----
! 1 BETWEEN -5 AND 5
1

exec
SET sql_mode=''
----
ok, 0 rows

query
SELECT NOT 1 BETWEEN -5 AND 5
----
NOT 1 BETWEEN -5 AND 5
0

exec
SET sql_mode='IGNORE_SPACE'
----
ok, 0 rows

query
SELECT COUNT (*) FROM c
----
COUNT (*)
4

exec
SET sql_mode=''
----
ok, 0 rows

exec
CREATE TABLE z (id INT PRIMARY KEY, d DATE)
----
ok, 0 rows

exec
SET sql_mode='NO_ZERO_DATE,STRICT_TRANS_TABLES'
----
ok, 0 rows

exec
INSERT INTO z VALUES (1,'0000-00-00')
----
ERROR 1292 (22007): Incorrect date value: '0000-00-00' for column 'd' at row 1

exec
SET sql_mode='STRICT_TRANS_TABLES'
----
ok, 0 rows

exec
INSERT INTO z VALUES (2,'0000-00-00')
----
ok, 1 rows

exec
SET sql_mode='NO_ZERO_DATE'
----
ok, 0 rows

exec
INSERT INTO z VALUES (3,'0000-00-00')
----
ok, 1 rows

exec
SET sql_mode=''
----
ok, 0 rows

exec
INSERT INTO z VALUES (4,'2024-02-31')
----
ok, 1 rows

query
SELECT * FROM z
----
id | d
2 | 0000-00-00
3 | 0000-00-00
4 | 0000-00-00

query
SELECT id, COUNT(*) , v FROM c GROUP BY v ORDER BY id LIMIT 1
----
id | COUNT(*) | v
1 | 2 | abc

exec
SET sql_mode='ONLY_FULL_GROUP_BY'
----
ok, 0 rows

query
SELECT id, COUNT(*) , v FROM c GROUP BY v ORDER BY id LIMIT 1
----
ERROR 1055 (42000): expression 'c.id' doesn't appear in the group by expressions

exec
SET sql_mode='STRICT_ALL_TABLES'
----
ok, 0 rows

exec
INSERT INTO c VALUES (9,'toolongvalue')
----
ERROR 1406 (22001): string 'toolongvalue' is too large for column 'v'

exec
SET sql_mode=''
----
ok, 0 rows

exec
INSERT INTO c VALUES (9,'toolongvalue')
----
ok, 1 rows

query
SELECT v FROM c WHERE id=9
----
v
toolo

exec
SET sql_mode='PAD_CHAR_TO_FULL_LENGTH'
----
ok, 0 rows

exec
SET sql_mode='REAL_AS_FLOAT,ALLOW_INVALID_DATES'
----
ok, 0 rows

exec
SET sql_mode='TRADITIONAL'
----
ok, 0 rows

query
SELECT @@sql_mode
----
@@sql_mode
STRICT_TRANS_TABLES,STRICT_ALL_TABLES,NO_ZERO_IN_DATE,NO_ZERO_DATE,ERROR_FOR_DIVISION_BY_ZERO,TRADITIONAL,NO_ENGINE_SUBSTITUTION

exec
INSERT INTO z VALUES (10, 1/0)
----
ok, 1 rows

exec
SET sql_mode='NOSUCH'
----
ERROR 1231 (42000): Variable 'sql_mode' can't be set to the value of 'NOSUCH'

exec
SET sql_mode='ANSI_QUOTES'
----
ok, 0 rows

query
SELECT "v" FROM c WHERE id=1
----
v
abc

exec
SET sql_mode='NO_AUTO_VALUE_ON_ZERO'
----
ok, 0 rows

exec
CREATE TABLE nz (id INT AUTO_INCREMENT PRIMARY KEY)
----
ok, 0 rows

exec
INSERT INTO nz VALUES (0)
----
ok, 1 rows

query
SELECT * FROM nz
----
id
0

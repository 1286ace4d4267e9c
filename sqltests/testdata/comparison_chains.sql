# Syntax that the engine's parser does not know, and functions that the engine has otherwise than MySQL.
exec
CREATE TABLE c (id INT PRIMARY KEY AUTO_INCREMENT, a INT DEFAULT 5, b INT DEFAULT 6, c INT, d DATE);
INSERT INTO c (a, b, c, d) VALUES (1, 1, 1, '2024-01-02'), (2, 2, 1, '2005-03-04'), (3, 4, 0, NULL), (NULL, 1, 1, '2024-01-02')
----
ok, 0 rows
ok, 4 rows, id 1

query
SELECT 1=1=1, 2=2=1, 1=1=2, 3>2>1, 1<2<3, 1 <=> 1 <=> NULL, 1=1<>1=1, 5 = 2+3 = 1, (1=1)=1=1, 1+1=2=1+0, NOT 1=1=1, -1=-1=1, 1<<1=2=1, 8>>1=4=1, ABS(-1)=1=1
----
1=1=1 | 2=2=1 | 1=1=2 | 3>2>1 | 1<2<3 | 1 <=> 1 <=> NULL | 1=1<>1=1 | 5 = 2+3 = 1 | (1=1)=1=1 | 1+1=2=1+0 | NOT 1=1=1 | -1=-1=1 | 1<<1=2=1 | 8>>1=4=1 | ABS(-1)=1=1
1 | 1 | 0 | 0 | 1 | 0 | 0 | 1 | 1 | 1 | 0 | 1 | 1 | 1 | 1

query
SELECT a FROM c WHERE a = b = c ORDER BY a
----
a
1
2
3

query
SELECT a FROM c WHERE a = b = c AND a < b < c
----
a
1
2

query
SELECT a = b = c = 1, a >= b >= c FROM c ORDER BY a
----
a = b = c = 1 | a >= b >= c
NULL | NULL
1 | 1
1 | 1
1 | 1

query
SELECT x.a FROM c x JOIN c y ON x.a = y.a = 1 ORDER BY 1
----
a
1
2
3

exec
UPDATE c SET a = b = c, b = a = c = 1 WHERE b = 4 OR b = 1 = 1
----
ok, 2 rows

query
SELECT a, b, c FROM c ORDER BY 1, 2, 3
----
a | b | c
0 | 1 | 0
1 | 1 | 1
1 | 1 | 1
2 | 2 | 1

exec
SET @x = 1 = 1 = 1
----
ok, 0 rows

query
SELECT @x, CASE WHEN 1=1=1 THEN 'y' END y, IF(1=1=0,1,2) i, (SELECT 1=1=1) s, 1 = 1 = (SELECT 1) t
----
@x | y | i | s | t
1 | y | 2 | 1 | 1

query
SELECT SUBSTRING('abcdef' FROM 2) a, SUBSTRING('abcdef' FROM 2 FOR 3) b, SUBSTR(SUBSTRING('abcdef' FROM 2) FROM 2 FOR 1) c, MID('abc' FROM 2) d
----
a | b | c | d
bcdef | bcd | c | bc

query
SELECT {d '2024-01-02'} a, {ts '2024-01-02 03:04:05'} b, {t '10:11:12'} c, {fn UPPER('x')} d
----
a | b | c | d
2024-01-02 | 2024-01-02 03:04:05 | 10:11:12 | X

query
SELECT id FROM c WHERE d >= {d '2024-01-01'} ORDER BY id
----
id
1
4

query
SELECT CAST(-2.5 AS UNSIGNED) a, CAST(-2.5e0 AS UNSIGNED) b, CAST(-2 AS UNSIGNED) c, CAST(-2.0 AS UNSIGNED) d, CAST(-0.4 AS UNSIGNED) e, CAST(CAST(-1 AS UNSIGNED) AS SIGNED) f, CAST(18446744073709551615.4 AS UNSIGNED) g, CAST(99999999999999999999.9 AS UNSIGNED) h
----
a | b | c | d | e | f | g | h
0 | 18446744073709551614 | 18446744073709551614 | 0 | 0 | -1 | 18446744073709551615 | 18446744073709551615

query
SELECT DATE_FORMAT('2005-01-01', '%y %%y %Y') a, DATE_FORMAT(d, '%y') b FROM c WHERE d < '2010-01-01'
----
a | b
05 %y 2005 | 05

query
SELECT TIME_FORMAT('100:00:00', '%H %k %h %I %l') a, TIME_FORMAT('-10:11:12.5', '%T.%f %p') b, TIME_FORMAT('x', '%H') c
----
a | b | c
100 100 04 04 4 | -10:11:12.500000 AM | NULL

query
SELECT FROM_UNIXTIME(1447430881.5) a, FROM_UNIXTIME(1447430881) + 0 b, FROM_UNIXTIME(0.5, '%s.%f') c, FROM_UNIXTIME(-1) d, TO_DAYS(950501) e, TO_DAYS('0000-01-01') f
----
a | b | c | d | e | f
2015-11-13 16:08:01.5 | 20151113160801 | 00.500000 | NULL | 728779 | 1

query
SELECT FROM_BASE64('?') a, UNCOMPRESS('any') b, FORMAT_BYTES(1048576) c, FORMAT_PICO_TIME(3501) d, UTC_DATE() = DATE(UTC_TIMESTAMP()) e, CURDATE() + 0 > 20200101 f, CURTIME() + 0 >= 0 g
----
a | b | c | d | e | f | g
NULL | NULL | 1.00 MiB | 3.50 ns | 1 | 1 | 1

query
SELECT JSON_TYPE(CAST(CAST(1.5 AS DECIMAL(3,1)) AS JSON)) a, JSON_TYPE(CAST(CAST(1 AS UNSIGNED) AS JSON)) b, JSON_TYPE(CAST(d AS JSON)) c FROM c WHERE id = 1
----
a | b | c
DECIMAL | UNSIGNED INTEGER | DATE

exec
DELETE FROM c RETURNING a
----
ERROR 1235 (42000): RETURNING is not supported: MySQL has none

exec
INSERT INTO c (a) VALUES (1) RETURNING a, b
----
ERROR 1235 (42000): RETURNING is not supported: MySQL has none

exec
REPLACE INTO c (a) VALUES (1) RETURNING *
----
ERROR 1235 (42000): RETURNING is not supported: MySQL has none

exec
UPDATE c SET a = DEFAULT(b)
----
ok, 4 rows

exec
INSERT INTO c (a, b) VALUES (DEFAULT(b), DEFAULT)
----
ok, 1 rows, id 5

query
SELECT DEFAULT(a) FROM c
----
DEFAULT(a)
5
5
5
5
5

exec
UPDATE c SET a = DEFAULT(a)
----
ok, 5 rows

query
SELECT COUNT(*), MIN(a), MAX(a) FROM c
----
COUNT(*) | MIN(a) | MAX(a)
5 | 5 | 5

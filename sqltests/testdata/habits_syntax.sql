# WITH ROLLUP, sizes of types, CREATE TABLE … SELECT with keys, IF NOT EXISTS.
exec
CREATE TABLE r (a INT, b VARCHAR(5), v INT)
----
ok, 0 rows

exec
INSERT INTO r VALUES (1,'x',10),(1,'y',20),(2,'x',5),(NULL,'z',1)
----
ok, 4 rows

query
SELECT a, b, SUM(v), GROUPING(a), GROUPING(b) FROM r GROUP BY a, b WITH ROLLUP
----
a | b | SUM(v) | GROUPING(a) | GROUPING(b)
NULL | z | 1 | 0 | 0
NULL | NULL | 1 | 0 | 1
1 | x | 10 | 0 | 0
1 | y | 20 | 0 | 0
1 | NULL | 30 | 0 | 1
2 | x | 5 | 0 | 0
2 | NULL | 5 | 0 | 1
NULL | NULL | 36 | 1 | 1

query
SELECT a, COUNT(*) FROM r GROUP BY a WITH ROLLUP
----
a | COUNT(*)
NULL | 1
1 | 2
2 | 1
NULL | 4

query
SELECT IF(GROUPING(a),'all',a) x, SUM(v) FROM r GROUP BY a WITH ROLLUP HAVING SUM(v)>5
----
x | SUM(v)
1 | 30
all | 36

query
SELECT a, SUM(v) FROM r GROUP BY a WITH ROLLUP ORDER BY GROUPING(a), a DESC
----
a | SUM(v)
2 | 5
1 | 30
NULL | 1
NULL | 36

exec
CREATE TABLE tm (a TEXT(10), b TEXT(300), c BLOB(70000), d YEAR(4))
----
ok, 0 rows

query
SHOW CREATE TABLE tm
----
Table | Create Table
tm | CREATE TABLE `tm` (
  `a` tinytext,
  `b` text,
  `c` mediumblob,
  `d` year
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_as_cs

exec
INSERT INTO tm VALUES ('0123456789ab','x','y',2024)
----
ok, 1 rows

exec
CREATE TABLE ctas (id INT PRIMARY KEY, KEY (v)) SELECT 1 id, 'x' v
----
ok, 1 rows

query
SHOW CREATE TABLE ctas
----
Table | Create Table
ctas | CREATE TABLE `ctas` (
  `id` int NOT NULL,
  `v` varchar(1) NOT NULL,
  PRIMARY KEY (`id`),
  KEY `v` (`v`)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_as_cs

exec
CREATE TABLE ctas2 (PRIMARY KEY (a,b)) SELECT a,b,v FROM r WHERE a IS NOT NULL
----
ok, 3 rows

query
SELECT * FROM ctas2
----
a | b | v
1 | x | 10
1 | y | 20
2 | x | 5

exec
CREATE TABLE ctas3 (n INT AUTO_INCREMENT PRIMARY KEY) SELECT b FROM r
----
ok, 4 rows, id 1

query
SELECT * FROM ctas3
----
n | b
1 | x
2 | y
3 | x
4 | z

exec
CREATE INDEX IF NOT EXISTS ix ON r (v)
----
ok, 0 rows

exec
CREATE INDEX IF NOT EXISTS ix ON r (v)
----
ok, 0 rows

exec
CREATE INDEX ix ON r (v)
----
ERROR 1061 (42000): Duplicate key name 'ix'

exec
DROP INDEX IF EXISTS nope ON r
----
ok, 0 rows

exec
INSERT INTO r VALUES (9,'q',1) RETURNING a
----
ERROR 1235 (42000): RETURNING is not supported: MySQL has none

exec
CREATE SCHEMA b21_noschema
----
ok, 1 rows

exec
DROP SCHEMA b21_noschema
----
ok, 1 rows

query
SELECT BIT_COUNT(29), CRC32('MySQL'), ELT(2,'a','b'), FIELD('b','a','b'), FIND_IN_SET('b','a,b,c'), TRUNCATE(1.999,1), TRUNCATE(-1.999,1), ROUND(-1.5), ROUND(2.5), ROUND(1.298,1), ROUND(23.298,-1), RADIANS(90), DEGREES(PI()), COT(12), ATAN2(-2,2), LOG(2,65536), LOG10(100), MOD(34.5,3)
----
BIT_COUNT(29) | CRC32('MySQL') | ELT(2,'a','b') | FIELD('b','a','b') | FIND_IN_SET('b','a,b,c') | TRUNCATE(1.999,1) | TRUNCATE(-1.999,1) | ROUND(-1.5) | ROUND(2.5) | ROUND(1.298,1) | ROUND(23.298,-1) | RADIANS(90) | DEGREES(PI()) | COT(12) | ATAN2(-2,2) | LOG(2,65536) | LOG10(100) | MOD(34.5,3)
4 | 3259397556 | b | 2 | 2 | 1.9 | -1.9 | -2 | 3 | 1.3 | 20 | 1.5707963267948966 | 180 | -1.5726734063976895 | -0.7853981633974483 | 16 | 2 | 1.5

query
SELECT DATEDIFF('2007-12-31 23:59:59','2007-12-30'), TIMEDIFF('2000-01-01 00:00:00','2000-01-01 00:00:00.000001'), TIMESTAMPDIFF(MONTH,'2003-02-01','2003-05-01'), DATE_FORMAT('2009-10-04 22:23:00','%W %M %Y'), DATE_FORMAT('1997-10-04 22:23:00','%D %y %a %d %m %b %j'), DATE_FORMAT('1999-01-01','%X %V'), TIME_FORMAT('100:00:00','%H %k %h %I %l'), LAST_DAY('2003-02-05'), DAYNAME('2007-02-03'), YEARWEEK('1987-01-01'), FROM_DAYS(730669), TO_DAYS('2007-10-07')
----
DATEDIFF('2007-12-31 23:59:59','2007-12-30') | TIMEDIFF('2000-01-01 00:00:00','2000-01-01 00:00:00.000001') | TIMESTAMPDIFF(MONTH,'2003-02-01','2003-05-01') | DATE_FORMAT('2009-10-04 22:23:00','%W %M %Y') | DATE_FORMAT('1997-10-04 22:23:00','%D %y %a %d %m %b %j') | DATE_FORMAT('1999-01-01','%X %V') | TIME_FORMAT('100:00:00','%H %k %h %I %l') | LAST_DAY('2003-02-05') | DAYNAME('2007-02-03') | YEARWEEK('1987-01-01') | FROM_DAYS(730669) | TO_DAYS('2007-10-07')
1 | -00:00:00.000001 | 3 | Sunday October 2009 | 4th 97 Sat 04 10 Oct 277 | 1998 52 | 100 100 04 04 4 | 2003-02-28 | Saturday | 198652 | 2000-07-03 | 733321

query
CHECK TABLE r, tm, ctas2, ctas3
----
Table | Op | Msg_type | Msg_text
d.r | check | status | OK
d.tm | check | status | OK
d.ctas2 | check | status | OK
d.ctas3 | check | status | OK

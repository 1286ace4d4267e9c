# TIME(n): n digits behind the point of the seconds, to which values are rounded. Plain TIME is TIME(0).

exec
CREATE TABLE tt(id int primary key, a time, b time(1), c time(3), d time(6), e time(0), key(a), key(c), unique key(d));
----
ok, 0 rows

query
SHOW CREATE TABLE tt
----
Table | Create Table
tt | CREATE TABLE `tt` (
  `id` int NOT NULL,
  `a` time,
  `b` time(1),
  `c` time(3),
  `d` time(6),
  `e` time,
  PRIMARY KEY (`id`),
  KEY `a` (`a`),
  KEY `c` (`c`),
  UNIQUE KEY `d` (`d`)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_as_cs

query
SELECT column_name, column_type, data_type, datetime_precision FROM information_schema.columns WHERE table_schema='b21s' AND table_name='tt' ORDER BY ordinal_position
----
COLUMN_NAME | COLUMN_TYPE | DATA_TYPE | DATETIME_PRECISION

exec
INSERT INTO tt VALUES (1,'10:00:00.6','10:00:00.66','10:00:00.6666','10:00:00.666666','10:00:00.4');
INSERT INTO tt VALUES (2,'-10:00:00.6','-10:00:00.66','-10:00:00.6666','-10:00:00.666666','23:59:59.9');
INSERT INTO tt VALUES (3,102030,102030.56,102030.5678,'1 10:20:30.5', 5.5);
INSERT INTO tt VALUES (4,'10:00','10:00:00','1000','100','10');
INSERT INTO tt VALUES (5,'838:59:59','-838:59:59','00:00:00.0005','00:00:00.0000005', '00:00:00.499999');
INSERT INTO tt VALUES (6,NULL,NULL,NULL,NULL,NULL);
INSERT INTO tt VALUES (7,'2024-01-01 10:20:30.7', timestamp'2024-01-01 10:20:30.75', now(6)-now(6), '0','0');
----
ok, 1 rows
ok, 1 rows
ok, 1 rows
ok, 1 rows
ok, 1 rows
ok, 1 rows
ok, 1 rows

query
SELECT * FROM tt ORDER BY id
----
id | a | b | c | d | e
1 | 10:00:01 | 10:00:00.7 | 10:00:00.667 | 10:00:00.666666 | 10:00:00
2 | -10:00:01 | -10:00:00.7 | -10:00:00.667 | -10:00:00.666666 | 24:00:00
3 | 10:20:30 | 10:20:30.6 | 10:20:30.568 | 34:20:30.500000 | 00:00:06
4 | 10:00:00 | 10:00:00.0 | 00:10:00.000 | 00:01:00.000000 | 00:00:10
5 | 838:59:59 | -838:59:59.0 | 00:00:00.001 | 00:00:00.000001 | 00:00:00
6 | NULL | NULL | NULL | NULL | NULL
7 | 10:20:31 | 10:20:30.8 | 00:00:00.000 | 00:00:00.000000 | 00:00:00

query
SELECT id FROM tt WHERE a='10:00:01'
----
id
1

query
SELECT id FROM tt WHERE a='10:00:00.6'
----
id

query
SELECT id FROM tt WHERE c=100000.667 OR c>'00:00:00.0004' ORDER BY id
----
id
1
3
4
5

query
SELECT id, a FROM tt WHERE a BETWEEN '10:00:00' AND '10:20:30' ORDER BY a
----
id | a
4 | 10:00:00
1 | 10:00:01
3 | 10:20:30

query
SELECT id, c FROM tt ORDER BY c
----
id | c
6 | NULL
2 | -10:00:00.667
7 | 00:00:00.000
5 | 00:00:00.001
4 | 00:10:00.000
1 | 10:00:00.667
3 | 10:20:30.568

query
SELECT a, COUNT(*) FROM tt GROUP BY a ORDER BY a
----
a | COUNT(*)
NULL | 1
-10:00:01 | 1
10:00:00 | 1
10:00:01 | 1
10:20:30 | 1
10:20:31 | 1
838:59:59 | 1

query
SELECT MAX(a), MIN(b), MAX(c), MAX(d), MIN(d) FROM tt
----
MAX(a) | MIN(b) | MAX(c) | MAX(d) | MIN(d)
838:59:59 | -838:59:59.0 | 10:20:30.568 | 34:20:30.500000 | -10:00:00.666666

query
SELECT SUM(a), SUM(c), AVG(e) FROM tt WHERE id<4
----
SUM(a) | SUM(c) | AVG(e)
102030 | 102030.568 | 113335.3333

query
SELECT CAST('12:30:45.678' AS TIME(2)), CAST('12:30:45.678' AS TIME), CAST('12:30:45.678' AS TIME(0)), CAST('12:30:45.678' AS TIME(6))
----
CAST('12:30:45.678' AS TIME(2)) | CAST('12:30:45.678' AS TIME) | CAST('12:30:45.678' AS TIME(0)) | CAST('12:30:45.678' AS TIME(6))
12:30:45.68 | 12:30:46 | 12:30:46 | 12:30:45.678000

query
SELECT CAST(123045.6 AS TIME), CAST(NULL AS TIME(3)), CAST('x' AS TIME), CAST(TIMESTAMP'2024-01-01 10:20:30.55' AS TIME(1)), CAST('2024-01-01 10:20:30' AS TIME)
----
CAST(123045.6 AS TIME) | CAST(NULL AS TIME(3)) | CAST('x' AS TIME) | CAST(TIMESTAMP'2024-01-01 10:20:30.55' AS TIME(1)) | CAST('2024-01-01 10:20:30' AS TIME)
12:30:46 | NULL | NULL | 10:20:30.6 | 10:20:30

query
SELECT CAST('10:00:00' AS TIME(7))
----
ERROR 1426 (42000): Too-big precision specified for 'CAST'. Maximum is 6.

query
SELECT CONVERT('12:30:45.678', TIME(2)), CONCAT(CAST('12:30:45.678' AS TIME(2)),'x'), CAST(CAST('12:30:45.5' AS TIME(3)) AS CHAR)
----
CONVERT('12:30:45.678', TIME(2)) | CONCAT(CAST('12:30:45.678' AS TIME(2)),'x') | CAST(CAST('12:30:45.5' AS TIME(3)) AS CHAR)
12:30:45.68 | 12:30:45.68x | 12:30:45.500

query
SELECT LENGTH(CURTIME(3)), LENGTH(CURTIME()), LENGTH(CURRENT_TIME(6)), LENGTH(CURRENT_TIME), LENGTH(UTC_TIME(2)), LENGTH(UTC_TIME()), LENGTH(LOCALTIME(2))
----
LENGTH(CURTIME(3)) | LENGTH(CURTIME()) | LENGTH(CURRENT_TIME(6)) | LENGTH(CURRENT_TIME) | LENGTH(UTC_TIME(2)) | LENGTH(UTC_TIME()) | LENGTH(LOCALTIME(2))
12 | 8 | 15 | 8 | 11 | 8 | 22

query
SELECT MAKETIME(10,20,30), MAKETIME(10,20,30.5), MAKETIME(-10,20,30.25), MAKETIME(900,0,0)
----
MAKETIME(10,20,30) | MAKETIME(10,20,30.5) | MAKETIME(-10,20,30.25) | MAKETIME(900,0,0)
10:20:30 | 10:20:30.5 | -10:20:30.25 | 838:59:59

query
SELECT SEC_TO_TIME(3661), SEC_TO_TIME(3661.5), SEC_TO_TIME(-3661.123), SEC_TO_TIME('3661.5')
----
SEC_TO_TIME(3661) | SEC_TO_TIME(3661.5) | SEC_TO_TIME(-3661.123) | SEC_TO_TIME('3661.5')
01:01:01 | 01:01:01.5 | -01:01:01.123 | 01:01:01.500000

query
SELECT TIMEDIFF('10:00:00','09:00:00'), TIMEDIFF('10:00:00.5','09:00:00'), TIMEDIFF('2024-01-02 00:00:00','2024-01-01 10:00:00.25'), TIMEDIFF('2024-01-02 00:00:00','10:00:00')
----
TIMEDIFF('10:00:00','09:00:00') | TIMEDIFF('10:00:00.5','09:00:00') | TIMEDIFF('2024-01-02 00:00:00','2024-01-01 10:00:00.25') | TIMEDIFF('2024-01-02 00:00:00','10:00:00')
01:00:00 | 01:00:00.5 | 13:59:59.75 | NULL

query
SELECT TIMEDIFF(a, b), TIMEDIFF(c,a), TIMEDIFF(e,a) FROM tt WHERE id IN (1,2) ORDER BY id
----
TIMEDIFF(a, b) | TIMEDIFF(c,a) | TIMEDIFF(e,a)
00:00:00.3 | -00:00:00.333 | -00:00:01
-00:00:00.3 | 00:00:00.333 | 34:00:01

query
SELECT ADDTIME(a,'01:00:00'), ADDTIME(a,'01:00:00.5'), SUBTIME(c, '00:00:01'), ADDTIME(d, 1) FROM tt WHERE id IN (1,2) ORDER BY id
----
ADDTIME(a,'01:00:00') | ADDTIME(a,'01:00:00.5') | SUBTIME(c, '00:00:01') | ADDTIME(d, 1)
11:00:01 | 11:00:01.5 | 09:59:59.667 | 10:00:01.666666
-09:00:01 | -09:00:00.5 | -10:00:01.667 | -09:59:59.666666

query
SELECT ADDTIME('10:00:00','01:00:00.5'), ADDTIME('10:00:00.000','01:00:00'), ADDTIME(TIMESTAMP'2024-01-01 10:00:00', '1:00')
----
ADDTIME('10:00:00','01:00:00.5') | ADDTIME('10:00:00.000','01:00:00') | ADDTIME(TIMESTAMP'2024-01-01 10:00:00', '1:00')
11:00:00.500000 | 11:00:00 | 2024-01-01 11:00:00

query
SELECT TIME('10:20:30.5'), TIME(TIMESTAMP'2024-01-01 10:20:30.25'), TIME(a), TIME(c) FROM tt WHERE id=1
----
TIME('10:20:30.5') | TIME(TIMESTAMP'2024-01-01 10:20:30.25') | TIME(a) | TIME(c)
10:20:30.5 | 10:20:30.25 | 10:00:01 | 10:00:00.667

query
SELECT a + INTERVAL 1 SECOND, a + INTERVAL 1.5 SECOND, c + INTERVAL 1 MINUTE, a + INTERVAL 5 MICROSECOND, DATE_ADD(b, INTERVAL '1:1' HOUR_MINUTE) FROM tt WHERE id IN (1,2) ORDER BY id
----
a + INTERVAL 1 SECOND | a + INTERVAL 1.5 SECOND | c + INTERVAL 1 MINUTE | a + INTERVAL 5 MICROSECOND | DATE_ADD(b, INTERVAL '1:1' HOUR_MINUTE)
10:00:02 | 10:00:02.5 | 10:01:00.667 | 10:00:01.000005 | 11:01:00.7
-10:00:00 | -09:59:59.5 | -09:59:00.667 | -10:00:00.999995 | -08:59:00.7

query
SELECT COALESCE(a, c), IFNULL(a,d), IF(1,a,c), CASE WHEN id=1 THEN a ELSE c END, GREATEST(a,c), LEAST(a,b), NULLIF(a,c) FROM tt WHERE id=1
----
COALESCE(a, c) | IFNULL(a,d) | IF(1,a,c) | CASE WHEN id=1 THEN a ELSE c END | GREATEST(a,c) | LEAST(a,b) | NULLIF(a,c)
10:00:01.000 | 10:00:01.000000 | 10:00:01.000 | 10:00:01.000 | 10:00:01.000 | 10:00:00.7 | 10:00:01

query
SELECT a FROM tt WHERE id=1 UNION SELECT c FROM tt WHERE id=1 UNION SELECT d FROM tt WHERE id=4
----
a
10:00:01.000000
10:00:00.667000
00:01:00.000000

query
SELECT a+0, b+0, c+0, d+0, a*2, -c FROM tt WHERE id=1
----
a+0 | b+0 | c+0 | d+0 | a*2 | -c
100001 | 100000.7 | 100000.667 | 100000.666666 | 200002 | -100000.667

query
SELECT HOUR(a), SECOND(c), MICROSECOND(c), MICROSECOND(b), TIME_TO_SEC(a), TIME_FORMAT(c,'%H-%i-%s-%f') FROM tt WHERE id=1
----
HOUR(a) | SECOND(c) | MICROSECOND(c) | MICROSECOND(b) | TIME_TO_SEC(a) | TIME_FORMAT(c,'%H-%i-%s-%f')
10 | 0 | 667000 | 700000 | 36001 | 10-00-00-667000

exec
UPDATE tt SET a=c WHERE id=1;
----
ok, 0 rows

query
SELECT a, c FROM tt WHERE id=1
----
a | c
10:00:01 | 10:00:00.667

exec
UPDATE tt SET a=ADDTIME(a,'00:00:00.5'), e = '09:00:00.5' WHERE id=1;
----
ok, 1 rows

query
SELECT a, e FROM tt WHERE id=1
----
a | e
10:00:02 | 09:00:01

exec
CREATE TABLE td(id int, a time default '10:00:00.6', b time(2) default '10:00:00.666', c time(3) default (curtime(3)), d time as (addtime(b,'1:00:00')));
----
ok, 0 rows

query
SHOW CREATE TABLE td
----
Table | Create Table
td | CREATE TABLE `td` (
  `id` int,
  `a` time DEFAULT '10:00:01',
  `b` time(2) DEFAULT '10:00:00.67',
  `c` time(3) DEFAULT (curtime(3)),
  `d` time GENERATED ALWAYS AS (addtime(`b`,'1:00:00')) VIRTUAL
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_as_cs

exec
INSERT INTO td(id) VALUES(1);
----
ok, 1 rows

query
SELECT a,b,LENGTH(c),d FROM td
----
a | b | LENGTH(c) | d
10:00:01 | 10:00:00.67 | 12 | 11:00:01

exec
ALTER TABLE tt MODIFY c TIME;
----
ok, 0 rows

query
SELECT id,c FROM tt ORDER BY id
----
id | c
1 | 10:00:01
2 | -10:00:01
3 | 10:20:31
4 | 00:10:00
5 | 00:00:00
6 | NULL
7 | 00:00:00

query
SHOW CREATE TABLE tt
----
Table | Create Table
tt | CREATE TABLE `tt` (
  `id` int NOT NULL,
  `a` time,
  `b` time(1),
  `c` time,
  `d` time(6),
  `e` time,
  PRIMARY KEY (`id`),
  KEY `a` (`a`),
  KEY `c` (`c`),
  UNIQUE KEY `d` (`d`)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_as_cs

exec
ALTER TABLE tt MODIFY a TIME(2), ADD z TIME(4) NOT NULL DEFAULT '1:00:00.55555';
----
ok, 0 rows

query
SELECT id,a,z FROM tt ORDER BY id
----
id | a | z
1 | 10:00:02.00 | 01:00:00.5556
2 | -10:00:01.00 | 01:00:00.5556
3 | 10:20:30.00 | 01:00:00.5556
4 | 10:00:00.00 | 01:00:00.5556
5 | 838:59:59.00 | 01:00:00.5556
6 | NULL | 01:00:00.5556
7 | 10:20:31.00 | 01:00:00.5556

exec
CREATE TABLE tl LIKE tt;
----
ok, 0 rows

query
SHOW CREATE TABLE tl
----
Table | Create Table
tl | CREATE TABLE `tl` (
  `id` int NOT NULL,
  `a` time(2),
  `b` time(1),
  `c` time,
  `d` time(6),
  `e` time,
  `z` time(4) NOT NULL DEFAULT '01:00:00.5556',
  PRIMARY KEY (`id`),
  KEY `a` (`a`),
  KEY `c` (`c`),
  UNIQUE KEY `d` (`d`)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_as_cs

exec
CREATE TABLE ts AS SELECT a, c, CURTIME(3) x, MAKETIME(1,2,3.5) m, CAST('10:00:00' AS TIME(4)) k FROM tt;
----
ok, 7 rows

query
SHOW CREATE TABLE ts
----
Table | Create Table
ts | CREATE TABLE `ts` (
  `a` time(2),
  `c` time,
  `x` time(3),
  `m` time(1),
  `k` time(4)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_as_cs

query
SELECT x.id, y.id FROM tt x JOIN tt y ON x.a=y.e ORDER BY 1,2
----
id | id

query
SELECT id FROM tt WHERE a IN ('10:00:01','10:00:02') ORDER BY id
----
id
1

query
SELECT id FROM tt WHERE a NOT IN (SELECT c FROM tt WHERE c IS NOT NULL) ORDER BY id
----
id
1
3
4
5

query
SELECT * FROM JSON_TABLE('["10:00:00.6","11:00"]', '$[*]' COLUMNS(t TIME PATH '$', u TIME(2) PATH '$')) j
----
t | u
10:00:01 | 10:00:00.60
11:00:00 | 11:00:00.00

exec
CREATE TABLE tp(t time(2) primary key, u time, unique(u));
INSERT INTO tp VALUES ('10:00:00.111','1:0:0.4'),('10:00:00.119','1:0:0.5');
INSERT INTO tp VALUES ('10:00:00.114','5:0:0');
INSERT INTO tp VALUES ('11:00:00.114','1:0:0.1');
----
ok, 0 rows
ok, 2 rows
ERROR 1062 (23000): Duplicate entry '10:00:00.11' for key 'tp.PRIMARY'
ERROR 1062 (23000): Duplicate entry '01:00:00' for key 'tp.u'

query
SELECT * FROM tp WHERE t='10:00:00.12'
----
t | u
10:00:00.12 | 01:00:01

query
SELECT TIME '10:20:30.25', TIME '10:20:30' = '10:20:30.0', TIME '10:00:00' < 110000
----
TIME '10:20:30.25' | TIME '10:20:30' = '10:20:30.0' | TIME '10:00:00' < 110000
10:20:30.25 | 1 | 1

query
SELECT JSON_OBJECT('t', a, 'c', d) FROM tt WHERE id=1
----
JSON_OBJECT('t', a, 'c', d)
{"t":"10:00:02.000000","c":"10:00:00.666666"}

exec
CREATE TABLE bad(t time(7));
----
ERROR 1426 (42000): TIME only supports a length from 0 to 6

query
CHECK TABLE tt
----
Table | Op | Msg_type | Msg_text
d.tt | check | status | OK

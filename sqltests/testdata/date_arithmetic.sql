# Literals of dates and times in arithmetic, calls and results; fractions in intervals, in definitions and SET too.

exec
CREATE TABLE k(id int primary key, a time(1), d datetime(3));
INSERT INTO k VALUES (1,'10:00:00','2024-01-01 10:00:00'),(2,'11:00:00.5','2024-01-01 10:00:00.25');
----
ok, 0 rows
ok, 2 rows

query
SELECT id, ADDTIME(a,'01:00:00') FROM k WHERE a < TIME '12:00:00'
----
id | ADDTIME(a,'01:00:00')
1 | 11:00:00.0
2 | 12:00:00.5

query
SELECT id, ADDTIME(a,'01:00:00') FROM k WHERE a < TIME '12:00:00'
----
id | ADDTIME(a,'01:00:00')
1 | 11:00:00.0
2 | 12:00:00.5

query
SELECT id, ADDTIME(a,'01:00:00.25') FROM k WHERE a < TIME '10:30:00.5'
----
id | ADDTIME(a,'01:00:00.25')
1 | 11:00:00.25

query
SELECT id, ADDTIME(a,'01:00:00.25') FROM k WHERE a < TIME '11:00:00.75'
----
id | ADDTIME(a,'01:00:00.25')
1 | 11:00:00.25
2 | 12:00:00.75

query
SELECT id FROM k WHERE d >= TIMESTAMP '2024-01-01 10:00:00'
----
id
1
2

query
SELECT id FROM k WHERE d >= TIMESTAMP '2024-01-01 10:00:00.1'
----
id
2

query
SELECT id FROM k WHERE d >= TIMESTAMP '2024-01-01 10:00:00.3'
----
id

query
SELECT id FROM k WHERE d = TIMESTAMP '2024-01-01 10:00:00.25'
----
id
2

query
SELECT id, MAKETIME(1,2,3.5) FROM k WHERE id=1
----
id | MAKETIME(1,2,3.5)
1 | 01:02:03.5

query
SELECT id, MAKETIME(1,2,3.25) FROM k WHERE id=1
----
id | MAKETIME(1,2,3.25)
1 | 01:02:03.25

query
SELECT id, MAKETIME(1,2,3) FROM k WHERE id=1
----
id | MAKETIME(1,2,3)
1 | 01:02:03

query
SELECT id, CAST('10:00:00.5' AS TIME(1)) FROM k WHERE id=1
----
id | CAST('10:00:00.5' AS TIME(1))
1 | 10:00:00.5

query
SELECT id, CAST('10:00:00.56' AS TIME(2)) FROM k WHERE id=1
----
id | CAST('10:00:00.56' AS TIME(2))
1 | 10:00:00.56

query
SELECT id, CAST('10:00:00.56' AS TIME(0)) FROM k WHERE id=1
----
id | CAST('10:00:00.56' AS TIME(0))
1 | 10:00:01

query
SELECT id, DATE '2024-01-31' + 1 FROM k WHERE id=1
----
id | DATE '2024-01-31' + 1
1 | 20240132

query
SELECT id, DATE '2024-02-28' + 2 FROM k WHERE id=2
----
id | DATE '2024-02-28' + 2
2 | 20240230

query
SELECT id, TIME '10:00:00' + 2 FROM k WHERE id=2
----
id | TIME '10:00:00' + 2
2 | 100002

query
SELECT id, TIME '10:00:00.5' + 2 FROM k WHERE id=2
----
id | TIME '10:00:00.5' + 2
2 | 100002.5

query
SELECT id, TIME '10:00:00.55' + 2 FROM k WHERE id=2
----
id | TIME '10:00:00.55' + 2
2 | 100002.55

query
SELECT id, d + INTERVAL 1 SECOND, d + INTERVAL 1.0001 SECOND FROM k
----
id | d + INTERVAL 1 SECOND | d + INTERVAL 1.0001 SECOND
1 | 2024-01-01 10:00:01.000 | 2024-01-01 10:00:01.0001
2 | 2024-01-01 10:00:01.250 | 2024-01-01 10:00:01.2501

query
SELECT id, d + INTERVAL 2.5 SECOND, d + INTERVAL 1.00001 SECOND FROM k
----
id | d + INTERVAL 2.5 SECOND | d + INTERVAL 1.00001 SECOND
1 | 2024-01-01 10:00:02.500 | 2024-01-01 10:00:01.00001
2 | 2024-01-01 10:00:02.750 | 2024-01-01 10:00:01.25001

query
SELECT d+0, d*1 FROM k
----
d+0 | d*1
20240101100000.000 | 20240101100000.000
20240101100000.250 | 20240101100000.250

query
SELECT CASE WHEN id=1 THEN DATE '2024-01-01' ELSE DATE '2024-01-02' END x FROM k
----
x
2024-01-01
2024-01-02

query
SELECT COALESCE(NULL, DATE '2024-01-01'), IFNULL(NULL, TIME '10:00:00'), GREATEST(DATE '2024-01-01', DATE '2023-01-01'), CONCAT(DATE '2024-01-01', ''), DATEDIFF(DATE '2024-01-05', DATE '2024-01-01'), YEAR(DATE '2024-05-01'), DATE_FORMAT(TIMESTAMP '2024-05-01 10:00:00', '%Y'), LENGTH(TIMESTAMP '2024-05-01 10:00:00'), CAST(DATE '2024-01-01' AS CHAR), CAST(DATE '2024-01-31' AS SIGNED), MAX(DATE '2024-01-01')
----
COALESCE(NULL, DATE '2024-01-01') | IFNULL(NULL, TIME '10:00:00') | GREATEST(DATE '2024-01-01', DATE '2023-01-01') | CONCAT(DATE '2024-01-01', '') | DATEDIFF(DATE '2024-01-05', DATE '2024-01-01') | YEAR(DATE '2024-05-01') | DATE_FORMAT(TIMESTAMP '2024-05-01 10:00:00', '%Y') | LENGTH(TIMESTAMP '2024-05-01 10:00:00') | CAST(DATE '2024-01-01' AS CHAR) | CAST(DATE '2024-01-31' AS SIGNED) | MAX(DATE '2024-01-01')
2024-01-01 | 10:00:00 | 2024-01-01 | 2024-01-01 | 4 | 2024 | 2024 | 19 | 2024-01-01 | 20240131 | 2024-01-01

query
SELECT JSON_OBJECT('d', DATE '2024-01-01', 't', TIMESTAMP '2024-01-01 10:00:00')
----
JSON_OBJECT('d', DATE '2024-01-01', 't', TIMESTAMP '2024-01-01 10:00:00')
{"d":"2024-01-01","t":"2024-01-01 10:00:00.000000"}

query
SELECT DATE '2024-01-31' UNION SELECT DATE '2024-02-01'
----
DATE '2024-01-31'
2024-01-31
2024-02-01

query
SELECT * FROM k WHERE d > DATE '2024-01-01' AND id + 1 > 2
----
id | a | d
2 | 11:00:00.5 | 2024-01-01 10:00:00.250

exec
INSERT INTO k VALUES (3, TIME '10:00:00.55', TIMESTAMP '2024-01-01 10:00:00.5555');
----
ok, 1 rows

query
SELECT * FROM k WHERE id=3
----
id | a | d
3 | 10:00:00.6 | 2024-01-01 10:00:00.556

exec
UPDATE k SET d = DATE '2024-03-01' WHERE id=3;
----
ok, 1 rows

query
SELECT * FROM k WHERE id=3
----
id | a | d
3 | 10:00:00.6 | 2024-03-01 00:00:00.000

query
SELECT SUM(DATE '2024-01-31' + id) FROM k
----
SUM(DATE '2024-01-31' + id)
60720399

query
SELECT id FROM k ORDER BY DATE '2024-01-31' - id
----
id
3
2
1

query
SELECT DATE '2024-02-30'
----
ERROR 1525 (HY000): Incorrect DATE value: '2024-02-30'

query
SELECT DATE 'foo' + 1
----
ERROR 1525 (HY000): Incorrect DATE value: 'foo'

query
SELECT TIME '25:61:00'
----
ERROR 1525 (HY000): Incorrect TIME value: '25:61:00'

exec
CREATE TABLE df(id int, d datetime(3) default (now(3) + interval 1.5 second), e datetime(6) default (timestamp('2024-01-01 00:00:00.25') + interval 1.5 second), f date default (date '2024-01-01' + interval 1 month), g int default (date '2024-01-31' + 1), h time(2) default (time '10:00:00.5'), i datetime(1) as (e - interval 0.5 second));
----
ok, 0 rows

query
SHOW CREATE TABLE df
----
Table | Create Table
df | CREATE TABLE `df` (
  `id` int,
  `d` datetime(3) DEFAULT (NOW(3) + INTERVAL 1.5 SECOND),
  `e` datetime(6) DEFAULT (timestamp('2024-01-01 00:00:00.25') + INTERVAL 1.5 SECOND),
  `f` date DEFAULT (convert('2024-01-01', date) + INTERVAL 1 MONTH),
  `g` int DEFAULT (convert('2024-01-31', date) + 1),
  `h` time(2) DEFAULT ('10:00:00.5'),
  `i` datetime(1) GENERATED ALWAYS AS (`e` - INTERVAL 0.5 SECOND) VIRTUAL
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_as_cs

exec
INSERT INTO df(id) VALUES (1);
----
ok, 1 rows

query
SELECT e,f,g,h,i FROM df
----
e | f | g | h | i
2024-01-01 00:00:01.750000 | 2024-02-01 | 20240132 | 10:00:00.50 | 2024-01-01 00:00:01.3

exec
ALTER TABLE df ADD j datetime(2) default (timestamp('2024-01-01') + interval '1.25' second), ADD CHECK (f > '2020-01-01' + interval 1.5 day);
----
ok, 0 rows

query
SELECT e,f,g,h,i,j FROM df
----
e | f | g | h | i | j
2024-01-01 00:00:01.750000 | 2024-02-01 | 20240132 | 10:00:00.50 | 2024-01-01 00:00:01.3 | 2024-01-01 00:00:01.25

exec
SET @a = DATE '2024-01-31' + 1, @b = '2024-01-31' + INTERVAL 1 DAY, @c = TIME('10:00:00') + INTERVAL 1.25 SECOND, @d = CAST('10:00:00.678' AS TIME(2));
----
ok, 0 rows

query
SELECT @a,@b,@c,@d
----
@a | @b | @c | @d
2025 | 2024-02-01 | 10:00:01.250000 | 10:00:00.680000

# The columns of WITH RECURSIVE have the types of the part that is not recursive.
query
WITH RECURSIVE s AS (SELECT CAST('2024-01-01' AS DATE) AS x UNION ALL SELECT x + INTERVAL 1 MONTH FROM s WHERE x < '2024-03-01') SELECT x FROM s
----
x
2024-01-01
2024-02-01
2024-03-01

query
WITH RECURSIVE s AS (SELECT CURDATE() AS x, 1 AS n UNION ALL SELECT x + INTERVAL 1 DAY, n + 1 FROM s WHERE n < 2) SELECT x = CURDATE(), n FROM s
----
x = CURDATE() | n
1 | 1
0 | 2

query
WITH RECURSIVE s AS (SELECT CAST('2024-01-01' AS DATE) AS x, 0 AS n UNION ALL SELECT x + INTERVAL 7 HOUR, n+1 FROM s WHERE n < 3) SELECT * FROM s
----
x | n
2024-01-01 | 0
2024-01-01 | 1
2024-01-01 | 2
2024-01-01 | 3

query
WITH RECURSIVE s AS (SELECT CAST('2024-01-01 10:00:00' AS DATETIME) AS x, 0 AS n UNION ALL SELECT x + INTERVAL 1.5 SECOND, n+1 FROM s WHERE n < 3) SELECT * FROM s
----
x | n
2024-01-01 10:00:00 | 0
2024-01-01 10:00:02 | 1
2024-01-01 10:00:04 | 2
2024-01-01 10:00:06 | 3

query
WITH RECURSIVE s AS (SELECT CAST('10:00:00' AS TIME) AS x, 0 AS n UNION ALL SELECT ADDTIME(x, '00:30:00'), n+1 FROM s WHERE n < 3) SELECT * FROM s
----
x | n
10:00:00 | 0
10:30:00 | 1
11:00:00 | 2
11:30:00 | 3

query
WITH RECURSIVE s (d) AS (SELECT DATE '2024-02-27' UNION ALL SELECT DATE_ADD(d, INTERVAL 1 DAY) FROM s WHERE d < DATE '2024-03-01') SELECT d, DAYNAME(d), d = '2024-02-28', CONCAT(d) FROM s ORDER BY d DESC
----
d | DAYNAME(d) | d = '2024-02-28' | CONCAT(d)
2024-03-01 | Friday | 0 | 2024-03-01
2024-02-29 | Thursday | 0 | 2024-02-29
2024-02-28 | Wednesday | 1 | 2024-02-28
2024-02-27 | Tuesday | 0 | 2024-02-27

query
WITH RECURSIVE s (d) AS (SELECT DATE '2024-02-27' UNION SELECT DATE_ADD(d, INTERVAL 1 DAY) FROM s WHERE d < '2024-03-01'), e AS (SELECT d AS day, COUNT(*) c FROM s GROUP BY d) SELECT s.d, e.c FROM s LEFT JOIN e ON e.day = s.d WHERE s.d > '2024-02-28'
----
d | c
2024-02-29 | 1
2024-03-01 | 1

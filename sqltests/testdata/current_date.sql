# The current day is the session's: in one of these zones it is another one than in UTC, whenever this runs.

exec
CREATE TABLE t (id INT PRIMARY KEY, d DATE, at DATETIME);
SET time_zone = '+14:00';
INSERT INTO t VALUES (1, CURDATE(), NOW()), (2, CURDATE() - INTERVAL 1 DAY, NOW() - INTERVAL 1 DAY)
----
ok, 0 rows
ok, 0 rows
ok, 2 rows

query
SELECT CURDATE() = DATE(NOW()) AS a, CURRENT_DATE = DATE(NOW()) AS b, CURRENT_DATE() + 0 = DATE(NOW()) + 0 AS c, DATEDIFF(CURDATE(), NOW()) AS e, CONCAT(CURDATE()) = LEFT(NOW(), 10) AS f, UTC_TIMESTAMP() = UTC_DATE() + INTERVAL TIME_TO_SEC(UTC_TIME()) SECOND AS g, MICROSECOND(UTC_TIMESTAMP()) AS h
----
a | b | c | e | f | g | h
1 | 1 | 1 | 0 | 1 | 1 | 0

query
SELECT id FROM t WHERE d = CURDATE()
----
id
1

query
SELECT id FROM t WHERE at >= CURDATE()
----
id
1

query
SELECT id FROM t WHERE DATE(at) = CURDATE()
----
id
1

exec
SET time_zone = '-12:00';
UPDATE t SET d = DATE(NOW()), at = NOW() WHERE id = 2
----
ok, 0 rows
ok, 1 rows

query
SELECT CURDATE() = DATE(NOW()) AS a, CURRENT_DATE = DATE(NOW()) AS b, CURRENT_DATE() + 0 = DATE(NOW()) + 0 AS c, DATEDIFF(CURDATE(), NOW()) AS e, CONCAT(CURDATE()) = LEFT(NOW(), 10) AS f, UTC_TIMESTAMP() = UTC_DATE() + INTERVAL TIME_TO_SEC(UTC_TIME()) SECOND AS g, MICROSECOND(UTC_TIMESTAMP()) AS h
----
a | b | c | e | f | g | h
1 | 1 | 1 | 0 | 1 | 1 | 0

query
SELECT id FROM t WHERE d = CURDATE()
----
id
2

query
SELECT UTC_TIMESTAMP(7)
----
ERROR 1426 (42000): Too-big precision specified for 'utc_timestamp'. Maximum is 6.

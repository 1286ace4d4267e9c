# Where the clocks of a zone change, and hours around it.
query
SELECT CONVERT_TZ('2024-03-31 00:30:00', 'UTC', 'Europe/Berlin') a, CONVERT_TZ('2024-03-31 01:00:00', 'UTC', 'Europe/Berlin') b, CONVERT_TZ('2024-10-27 00:30:00', 'UTC', 'Europe/Berlin') c, CONVERT_TZ('2024-10-27 01:30:00', 'UTC', 'Europe/Berlin') d
----
a | b | c | d
2024-03-31 01:30:00 | 2024-03-31 03:00:00 | 2024-10-27 02:30:00 | 2024-10-27 02:30:00

query
SELECT CONVERT_TZ('2024-03-10 06:59:59', 'UTC', 'America/New_York') a, CONVERT_TZ('2024-03-10 07:00:00', 'UTC', 'America/New_York') b, CONVERT_TZ('2024-11-03 05:30:00', 'UTC', 'america/new_york') c, CONVERT_TZ('2024-03-10 12:00', 'America/New_York', 'Asia/Tokyo') d
----
a | b | c | d
2024-03-10 01:59:59 | 2024-03-10 03:00:00 | 2024-11-03 01:30:00 | 2024-03-11 01:00:00

# A time that is skipped is the moment of the change; of two it is the first.
query
SELECT CONVERT_TZ('2024-03-31 02:30:00', 'Europe/Berlin', 'UTC') a, CONVERT_TZ('2024-10-27 02:30:00', 'Europe/Berlin', '+00:00') b, CONVERT_TZ('2024-07-10', '+05:30', 'Europe/London') c
----
a | b | c
2024-03-31 01:00:00 | 2024-10-27 00:30:00 | 2024-07-09 19:30:00

# What no TIMESTAMP can be stays; a zone or a time that is none gives NULL.
query
SELECT CONVERT_TZ('1960-01-01', 'UTC', 'Europe/Berlin') a, CONVERT_TZ('9999-12-31 23:59:59', '+00:00', '+05:00') b, CONVERT_TZ('0000-00-00', 'UTC', 'Europe/Berlin') c, CONVERT_TZ(NULL, 'UTC', 'UTC') d, CONVERT_TZ('2024-01-01', 'Nowhere', 'UTC') e, CONVERT_TZ('x', 'UTC', 'UTC') f, CONVERT_TZ('2024-01-01', '+15:00', 'UTC') g, CONVERT_TZ('2024-01-01', 'Local', 'UTC') h
----
a | b | c | d | e | f | g | h
1960-01-01 00:00:00 | 9999-12-31 23:59:59 | NULL | NULL | NULL | NULL | NULL | NULL

exec
SET time_zone = 'Europe/Berlin'
----
ok, 0 rows

query
SELECT FROM_UNIXTIME(1711846799) a, FROM_UNIXTIME(1711846800) b, FROM_UNIXTIME(1729987199) c, FROM_UNIXTIME(1729990800) d, FROM_UNIXTIME(1711846800.5) e, FROM_UNIXTIME(1711846800, '%Y %H') f
----
a | b | c | d | e | f
2024-03-31 01:59:59 | 2024-03-31 03:00:00 | 2024-10-27 01:59:59 | 2024-10-27 02:00:00 | 2024-03-31 03:00:00.5 | 2024 03

query
SELECT UNIX_TIMESTAMP('2024-03-31 02:30:00') a, UNIX_TIMESTAMP('2024-10-27 02:30:00') b, UNIX_TIMESTAMP('2024-03-31 03:00:00') c, UNIX_TIMESTAMP('2024-03-31 01:59:59') d, UNIX_TIMESTAMP('1970-01-01 01:00:01') e
----
a | b | c | d | e
1711846800 | 1729989000 | 1711846800 | 1711846799 | 1

exec
SET timestamp = 1711846800
----
ok, 0 rows

query
SELECT NOW(), CURDATE(), CURTIME(), UTC_TIMESTAMP(), UNIX_TIMESTAMP(), LOCALTIME()
----
NOW() | CURDATE() | CURTIME() | UTC_TIMESTAMP() | UNIX_TIMESTAMP() | LOCALTIME()
2024-03-31 03:00:00 | 2024-03-31 | 03:00:00 | 2024-03-31 01:00:00 | 1711846800 | 2024-03-31 03:00:00

exec
SET time_zone = 'America/New_York';
SET timestamp = 1710054000;
CREATE TABLE t (i INT PRIMARY KEY, at DATETIME DEFAULT CURRENT_TIMESTAMP);
INSERT INTO t (i) VALUES (1)
----
ok, 0 rows
ok, 0 rows
ok, 0 rows
ok, 1 rows

query
SELECT at, NOW(), UNIX_TIMESTAMP(NOW()) FROM t
----
at | NOW() | UNIX_TIMESTAMP(NOW())
2024-03-10 03:00:00 | 2024-03-10 03:00:00 | 1710054000

exec
SET timestamp = DEFAULT
----
ok, 0 rows

query
SELECT TIMESTAMPDIFF(SECOND, NOW(), SYSDATE()) < 60, UNIX_TIMESTAMP(SYSDATE()) - UNIX_TIMESTAMP() < 60
----
TIMESTAMPDIFF(SECOND, NOW(), SYSDATE()) < 60 | UNIX_TIMESTAMP(SYSDATE()) - UNIX_TIMESTAMP() < 60
1 | 1

# The hour that comes twice.
exec
SET time_zone = 'Europe/Berlin';
SET timestamp = 1729989000
----
ok, 0 rows
ok, 0 rows

query
SELECT NOW(), CURTIME()
----
NOW() | CURTIME()
2024-10-27 02:30:00 | 02:30:00

exec
SET timestamp = 1729992600
----
ok, 0 rows

query
SELECT NOW(), CURTIME()
----
NOW() | CURTIME()
2024-10-27 02:30:00 | 02:30:00

exec
SET time_zone = 'America/New_York';
SET timestamp = 1730613600
----
ok, 0 rows
ok, 0 rows

query
SELECT NOW(3), CURTIME()
----
NOW(3) | CURTIME()
2024-11-03 01:00:00 | 01:00:00

exec
SET time_zone = 'Australia/Lord_Howe';
SET timestamp = 1712413800
----
ok, 0 rows
ok, 0 rows

query
SELECT NOW(), CURTIME()
----
NOW() | CURTIME()
2024-04-07 01:30:00 | 01:30:00

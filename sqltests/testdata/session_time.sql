# SET timestamp stops the session's clock, but for SYSDATE().
exec
CREATE TABLE ts (id INT PRIMARY KEY, t TIMESTAMP DEFAULT CURRENT_TIMESTAMP, d DATETIME(6) DEFAULT NOW(6) ON UPDATE NOW(6));
SET time_zone = '+00:00';
SET timestamp = 1600000000.25;
INSERT INTO ts (id) VALUES (1)
----
ok, 0 rows
ok, 0 rows
ok, 0 rows
ok, 1 rows

query
SELECT UNIX_TIMESTAMP(), @@timestamp, NOW(), CURRENT_TIMESTAMP, CURDATE(), CURTIME(), LOCALTIME(), UTC_DATE(), SYSDATE() > '2026-01-01'
----
UNIX_TIMESTAMP() | @@timestamp | NOW() | CURRENT_TIMESTAMP | CURDATE() | CURTIME() | LOCALTIME() | UTC_DATE() | SYSDATE() > '2026-01-01'
1600000000 | 1.60000000025e+09 | 2020-09-13 12:26:40 | 2020-09-13 12:26:40 | 2020-09-13 | 12:26:40 | 2020-09-13 12:26:40 | 2020-09-13 | 1

query
SELECT * FROM ts WHERE t = NOW()
----
id | t | d
1 | 2020-09-13 12:26:40 | 2020-09-13 12:26:40.250000

exec
SET timestamp = 1500000000;
UPDATE ts SET id = 2
----
ok, 0 rows
ok, 1 rows

prepared
SELECT NOW(), t, d FROM ts
----
NOW() | t | d
2017-07-14 02:40:00 | 2020-09-13 12:26:40 | 2017-07-14 02:40:00.000000

exec
SET timestamp = DEFAULT
----
ok, 0 rows

query
SELECT NOW() > '2026-01-01', @@timestamp > 1790000000
----
NOW() > '2026-01-01' | @@timestamp > 1790000000
1 | 1

exec
SET timestamp = 1500000000;
SET timestamp = 0
----
ok, 0 rows
ok, 0 rows

query
SELECT NOW() > '2026-01-01'
----
NOW() > '2026-01-01'
1

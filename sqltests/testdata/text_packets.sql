# Functions that make a long text of a short one give NULL where it is longer than a packet.
query
SELECT LPAD('a', 2000000000, 'b'), RPAD('a', 2000000000, 'b'), SPACE(2000000000), REPEAT('ab', 2000000000), LENGTH(SPACE(1000000)), LENGTH(LPAD('a', 1000000, 'bc'))
----
LPAD('a', 2000000000, 'b') | RPAD('a', 2000000000, 'b') | SPACE(2000000000) | REPEAT('ab', 2000000000) | LENGTH(SPACE(1000000)) | LENGTH(LPAD('a', 1000000, 'bc'))
NULL | NULL | NULL | NULL | 1000000 | 1000000

query
SHOW WARNINGS
----
Level | Code | Message
Warning | 1301 | Result of lpad() was larger than max_allowed_packet (67108864) - truncated
Warning | 1301 | Result of rpad() was larger than max_allowed_packet (67108864) - truncated
Warning | 1301 | Result of space() was larger than max_allowed_packet (67108864) - truncated
Warning | 1301 | Result of repeat() was larger than max_allowed_packet (67108864) - truncated

query
SELECT LENGTH(TO_BASE64(TO_BASE64(REPEAT('a', 60000000)))), LENGTH(TO_BASE64(IF(1, REPEAT('a', 70000), ''))), TO_BASE64(REPEAT('a', 58)), TO_BASE64(NULL), TO_BASE64(''), TO_BASE64('é'), TO_BASE64(_latin1 X'E9'), TO_BASE64(X'FF00'), FROM_BASE64(TO_BASE64(UNHEX('FF00'))) = X'FF00', TO_BASE64(12.50)
----
LENGTH(TO_BASE64(TO_BASE64(REPEAT('a', 60000000)))) | LENGTH(TO_BASE64(IF(1, REPEAT('a', 70000), ''))) | TO_BASE64(REPEAT('a', 58)) | TO_BASE64(NULL) | TO_BASE64('') | TO_BASE64('é') | TO_BASE64(_latin1 X'E9') | TO_BASE64(X'FF00') | FROM_BASE64(TO_BASE64(UNHEX('FF00'))) = X'FF00' | TO_BASE64(12.50)
NULL | 94564 | YWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFh
YQ== | NULL |  | w6k= | 6Q== | /wA= | 1 | MTIuNTA=

query
SHOW WARNINGS
----
Level | Code | Message
Warning | 1301 | Result of to_base64() was larger than max_allowed_packet (67108864) - truncated

query
SELECT LPAD('hi', 4, '?'), RPAD('hi', 1, '?'), LPAD('hi', '5', 'xy'), CONCAT('[', SPACE(2.4), ']'), SPACE(0), SPACE(-1), SPACE(NULL), LPAD('a', NULL, 'b'), LPAD(NULL, 1, 'b')
----
LPAD('hi', 4, '?') | RPAD('hi', 1, '?') | LPAD('hi', '5', 'xy') | CONCAT('[', SPACE(2.4), ']') | SPACE(0) | SPACE(-1) | SPACE(NULL) | LPAD('a', NULL, 'b') | LPAD(NULL, 1, 'b')
??hi | h | xyxhi | [  ] |  |  | NULL | NULL | NULL

query
SELECT REPLACE(REPEAT('a', 1000000), 'a', REPEAT('b', 100000)), REPLACE('www.mysql.com', 'w', 'Ww'), REPLACE('abc', '', 'x'), REPLACE('abc', 'b', ''), REPLACE(NULL, 'a', 'b'), REPLACE('a', 'a', NULL), REPLACE(121, 1, 3)
----
REPLACE(REPEAT('a', 1000000), 'a', REPEAT('b', 100000)) | REPLACE('www.mysql.com', 'w', 'Ww') | REPLACE('abc', '', 'x') | REPLACE('abc', 'b', '') | REPLACE(NULL, 'a', 'b') | REPLACE('a', 'a', NULL) | REPLACE(121, 1, 3)
NULL | WwWwWw.mysql.com | abc | ac | NULL | NULL | 323

query
SELECT LENGTH(CONCAT(REPEAT('a', 40000000), REPEAT('b', 20000000))), CONCAT(REPEAT('a', 40000000), REPEAT('b', 40000000)), CONCAT('a', 1, 2.50, TRUE), CONCAT('a', NULL), CONCAT(CAST('[1]' AS JSON), DATE '2024-01-01', x'41')
----
LENGTH(CONCAT(REPEAT('a', 40000000), REPEAT('b', 20000000))) | CONCAT(REPEAT('a', 40000000), REPEAT('b', 40000000)) | CONCAT('a', 1, 2.50, TRUE) | CONCAT('a', NULL) | CONCAT(CAST('[1]' AS JSON), DATE '2024-01-01', x'41')
60000000 | NULL | a12.501 | NULL | [1]2024-01-01A

query
SHOW WARNINGS
----
Level | Code | Message
Warning | 1301 | Result of concat() was larger than max_allowed_packet (67108864) - truncated

# What doubles on each level ends there.
query
WITH a AS (SELECT REPEAT('a', 10000000) AS c), b AS (SELECT CONCAT(c, c) AS c FROM a), d AS (SELECT CONCAT(c, c) AS c FROM b), e AS (SELECT CONCAT(c, c) AS c FROM d), f AS (SELECT CONCAT(c, c) AS c FROM e) SELECT c FROM f
----
c
NULL

query
WITH RECURSIVE r AS (SELECT 1 AS n, REPEAT('a', 1000000) AS c UNION ALL SELECT n + 1, CONCAT(c, c) FROM r WHERE n < 12) SELECT n, LENGTH(c) FROM r
----
n | LENGTH(c)
1 | 1000000
2 | 2000000
3 | 4000000
4 | 8000000
5 | 16000000
6 | 32000000
7 | 64000000
8 | NULL
9 | NULL
10 | NULL
11 | NULL
12 | NULL

exec
SET max_allowed_packet = 10240
----
ok, 0 rows

query
SELECT LENGTH(REPEAT('ab', 5120)), LENGTH(REPEAT('ab', 5121)), LENGTH(CONCAT(REPEAT('a', 4000), REPEAT('b', 7000))), LPAD('a', 2560, 'b') IS NULL, LPAD('a', 2561, 'b') IS NULL
----
LENGTH(REPEAT('ab', 5120)) | LENGTH(REPEAT('ab', 5121)) | LENGTH(CONCAT(REPEAT('a', 4000), REPEAT('b', 7000))) | LPAD('a', 2560, 'b') IS NULL | LPAD('a', 2561, 'b') IS NULL
10240 | NULL | NULL | 0 | 1

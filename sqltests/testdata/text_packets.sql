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
Warning | 1301 | Result of lpad() was larger than max_allowed_packet (1073741824) - truncated
Warning | 1301 | Result of rpad() was larger than max_allowed_packet (1073741824) - truncated
Warning | 1301 | Result of space() was larger than max_allowed_packet (1073741824) - truncated
Warning | 1301 | Result of repeat() was larger than max_allowed_packet (1073741824) - truncated

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

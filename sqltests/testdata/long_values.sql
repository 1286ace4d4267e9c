# Functions of texts that are longer than a TEXT column, or would be longer than a packet.
query
SELECT LENGTH(ELT(2, 'a', REPEAT('b', 70000))), ELT(1.4, 'a', 'b'), ELT(3, 'a', 'b'), ELT(0, 'a'), ELT(NULL, 'a'), ELT('x', 'a'), ELT(2, 'a', 7), HEX(ELT(1, X'00ff', 'a'))
----
LENGTH(ELT(2, 'a', REPEAT('b', 70000))) | ELT(1.4, 'a', 'b') | ELT(3, 'a', 'b') | ELT(0, 'a') | ELT(NULL, 'a') | ELT('x', 'a') | ELT(2, 'a', 7) | HEX(ELT(1, X'00ff', 'a'))
70000 | a | NULL | NULL | NULL | NULL | 7 | 00FF

query
SELECT ELT(1)
----
ERROR 1582 (42000): function 'ELT' expected 2 or more arguments, 1 received

query
SELECT LENGTH(EXPORT_SET(5, 'Y', 'N', ',', 4)), EXPORT_SET(18446744073709551615, REPEAT('a', 60000000), 'N') IS NULL, MAKE_SET(3, REPEAT('a', 40000000), REPEAT('a', 40000000)) IS NULL
----
LENGTH(EXPORT_SET(5, 'Y', 'N', ',', 4)) | EXPORT_SET(18446744073709551615, REPEAT('a', 60000000), 'N') IS NULL | MAKE_SET(3, REPEAT('a', 40000000), REPEAT('a', 40000000)) IS NULL
7 | 1 | 1

query
SHOW WARNINGS
----
Level | Code | Message
Warning | 1301 | Result of export_set() was larger than max_allowed_packet (67108864) - truncated
Warning | 1301 | Result of make_set() was larger than max_allowed_packet (67108864) - truncated

query
SELECT LENGTH(DATE_FORMAT('2024-09-08', REPEAT('%W %y %% ', 3000))), RIGHT(DATE_FORMAT('2024-09-08', REPEAT('%W %y %% é%', 300)), 30), DATE_FORMAT('2024-09-08', ''), DATE_FORMAT('2024-09-08', '%'), LENGTH(TIME_FORMAT('10:11:12', REPEAT('%T', 3000)))
----
LENGTH(DATE_FORMAT('2024-09-08', REPEAT('%W %y %% ', 3000))) | RIGHT(DATE_FORMAT('2024-09-08', REPEAT('%W %y %% é%', 300)), 30) | DATE_FORMAT('2024-09-08', '') | DATE_FORMAT('2024-09-08', '%') | LENGTH(TIME_FORMAT('10:11:12', REPEAT('%T', 3000)))
36000 |  é%W 24 % é%W 24 % é%W 24 % é% |  | % | 24000

query
SELECT CONVERT(REPEAT('aé€', 50000) USING utf8mb4) = REPEAT('aé€', 50000), CHAR_LENGTH(CONVERT(REPEAT('aé€', 50000) USING utf8mb3)), CONVERT('é' USING ascii), CONVERT(NULL USING utf8mb4)
----
CONVERT(REPEAT('aé€', 50000) USING utf8mb4) = REPEAT('aé€', 50000) | CHAR_LENGTH(CONVERT(REPEAT('aé€', 50000) USING utf8mb3)) | CONVERT('é' USING ascii) | CONVERT(NULL USING utf8mb4)
1 | 150000 | ? | NULL

query
SELECT REGEXP_REPLACE(REPEAT('a', 60000), 'a', REPEAT('b', 2000)) IS NULL, LENGTH(REGEXP_REPLACE(REPEAT('a', 60000), 'a', REPEAT('b', 2000), 1, 5)), LENGTH(REGEXP_REPLACE(REPEAT('ab', 1000), '(a)(b)', '$2$1-')), REGEXP_REPLACE('ab', 'a', NULL)
----
REGEXP_REPLACE(REPEAT('a', 60000), 'a', REPEAT('b', 2000)) IS NULL | LENGTH(REGEXP_REPLACE(REPEAT('a', 60000), 'a', REPEAT('b', 2000), 1, 5)) | LENGTH(REGEXP_REPLACE(REPEAT('ab', 1000), '(a)(b)', '$2$1-')) | REGEXP_REPLACE('ab', 'a', NULL)
1 | 61999 | 3000 | NULL

query
SELECT REPEAT('a', 100000) LIKE CONCAT(REPEAT('_', 99999), '%'), REPEAT('a', 100000) LIKE REPEAT('a', 99999)
----
REPEAT('a', 100000) LIKE CONCAT(REPEAT('_', 99999), '%') | REPEAT('a', 100000) LIKE REPEAT('a', 99999)
1 | 0

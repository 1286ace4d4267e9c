# CONVERT … USING: a text of another character set, whose length is its own there. The answers are MariaDB's, but for
# the character sets that texts are not converted to.
query
SELECT CONVERT('aé€😀' USING latin1), HEX(CONVERT('aé€😀' USING latin1)), LENGTH(CONVERT('aé€' USING latin1)), CHAR_LENGTH(CONVERT('aé€' USING latin1)), CONCAT(CONVERT('aé' USING latin1), 'b'), UPPER(CONVERT('é' USING latin1))
----
CONVERT('aé€😀' USING latin1) | HEX(CONVERT('aé€😀' USING latin1)) | LENGTH(CONVERT('aé€' USING latin1)) | CHAR_LENGTH(CONVERT('aé€' USING latin1)) | CONCAT(CONVERT('aé' USING latin1), 'b') | UPPER(CONVERT('é' USING latin1))
aé€? | 61E9803F | 3 | 3 | aéb | É

query
SELECT HEX(CONVERT('aé€' USING utf32)), LENGTH(CONVERT('aé€' USING utf32)), HEX(CONVERT('aé€' USING utf16)), CONVERT('aé' USING utf16) = 'aé', HEX(CONVERT('aé€😀' USING utf8mb3)), CONVERT('aé€😀' USING ascii)
----
HEX(CONVERT('aé€' USING utf32)) | LENGTH(CONVERT('aé€' USING utf32)) | HEX(CONVERT('aé€' USING utf16)) | CONVERT('aé' USING utf16) = 'aé' | HEX(CONVERT('aé€😀' USING utf8mb3)) | CONVERT('aé€😀' USING ascii)
00000061000000E9000020AC | 12 | 006100E920AC | 1 | 61C3A9E282AC3F | a???

query
SELECT CONVERT(12 USING utf8mb4), CONVERT(1.50 USING utf8mb4), CONVERT(1.5e0 USING latin1), CONVERT(TRUE USING utf8mb4), CONVERT(-5 USING ascii), HEX(CONVERT(12 USING utf32)), CONVERT(DATE'2020-01-02' USING latin1), CONVERT(TIME'10:11:12' USING utf8mb4), CONVERT(NULL USING latin1)
----
CONVERT(12 USING utf8mb4) | CONVERT(1.50 USING utf8mb4) | CONVERT(1.5e0 USING latin1) | CONVERT(TRUE USING utf8mb4) | CONVERT(-5 USING ascii) | HEX(CONVERT(12 USING utf32)) | CONVERT(DATE'2020-01-02' USING latin1) | CONVERT(TIME'10:11:12' USING utf8mb4) | CONVERT(NULL USING latin1)
12 | 1.50 | 1.5 | 1 | -5 | 0000003100000032 | 2020-01-02 | 10:11:12 | NULL

query
SELECT CONVERT(x'C3A9' USING latin1), CONVERT(x'C3A9' USING utf8mb4), CONVERT(x'FF' USING utf8mb4), HEX(CONVERT('aé€😀' USING binary)), HEX(CONVERT(CONVERT('aé' USING latin1) USING binary)), CHARSET(CONVERT('a' USING binary)), CHARSET(CONVERT(12 USING latin1))
----
CONVERT(x'C3A9' USING latin1) | CONVERT(x'C3A9' USING utf8mb4) | CONVERT(x'FF' USING utf8mb4) | HEX(CONVERT('aé€😀' USING binary)) | HEX(CONVERT(CONVERT('aé' USING latin1) USING binary)) | CHARSET(CONVERT('a' USING binary)) | CHARSET(CONVERT(12 USING latin1))
Ã© | é | ? | 61C3A9E282ACF09F9880 | 61E9 | binary | latin1

query
SELECT CHAR_LENGTH(CONVERT(REPEAT('aé€', 50000) USING latin1)), LENGTH(CONVERT(REPEAT('aé€', 50000) USING latin1)), LENGTH(CONVERT(UNHEX(REPEAT('E9', 100000)) USING latin1))
----
CHAR_LENGTH(CONVERT(REPEAT('aé€', 50000) USING latin1)) | LENGTH(CONVERT(REPEAT('aé€', 50000) USING latin1)) | LENGTH(CONVERT(UNHEX(REPEAT('E9', 100000)) USING latin1))
150000 | 150000 | 100000

query
SELECT CONVERT('a' USING latin2)
----
ERROR 1235 (42000): Text is not converted to character set 'latin2': use utf8mb4

exec
CREATE TABLE t (_id VARCHAR(20) PRIMARY KEY, s VARCHAR(20), e ENUM('one', 'zwö'), d DECIMAL(5,2), j JSON, tm TIME(2))
----
ok, 0 rows

exec
INSERT INTO t VALUES ('a', 'aé€', 'zwö', 1.5, '{"k": "ü"}', '01:02:03.4'), ('b', CONVERT('é😀' USING latin1), NULL, NULL, NULL, NULL)
----
ok, 2 rows

query
SELECT _id, CONVERT(s USING latin1), LENGTH(CONVERT(s USING latin1)), CONVERT(e USING latin1), CONVERT(d USING latin1), CONVERT(j USING ascii), CONVERT(tm USING ascii) FROM t ORDER BY _id
----
_id | CONVERT(s USING latin1) | LENGTH(CONVERT(s USING latin1)) | CONVERT(e USING latin1) | CONVERT(d USING latin1) | CONVERT(j USING ascii) | CONVERT(tm USING ascii)
a | aé€ | 3 | zwö | 1.50 | {"k":"??"} | 01:02:03.40
b | é? | 2 | NULL | NULL | NULL | NULL

query
SELECT _id FROM t WHERE CONVERT(s USING latin1) = 'aé€'
----
_id
a

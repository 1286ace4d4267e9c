# LPAD, RPAD and INSERT count characters, and bytes of byte strings.
query
SELECT LPAD('ä',3,'öü') a, RPAD('ä',4,'öü') b, LPAD('äöü',2,'x') c, HEX(LPAD(x'E4',3,x'C3')) d, LPAD('abc',-1,'x') e, LPAD(7,3,0) f
----
a | b | c | d | e | f
öüä | äöüö | äö | C3C3E4 | NULL | 007

query
SELECT INSERT('Quadratic',3,4,'What') a, INSERT('Quadratic',-1,4,'What') b, INSERT('Quadratic',3,100,'What') c, INSERT('äöü',2,1,'x') d, INSERT('abc',4,1,'x') e, INSERT('abc',3,0,'x') f, INSERT('abc',1,-1,'x') g, INSERT(NULL,1,1,'x') h
----
a | b | c | d | e | f | g | h
QuWhattic | Quadratic | QuWhat | äxü | abc | abxc | x | NULL

# A text that is a count counts for the integer that it begins with.
query
SELECT CONCAT('[',SPACE('1.9'),']') a, CONCAT('[',SPACE(2.5),']') b, REPEAT('a','2.9') c, LEFT('abcdef','2.9') d, SUBSTRING('abcdef','2.9') e, RIGHT('abc','1.9') f, ELT('1.9','a','b') g, LPAD('a','2.9','x') h
----
a | b | c | d | e | f | g | h
[ ] | [   ] | aa | ab | bcdef | c | a | xa

query
SELECT BIN(5) a, BIN(-1) b, BIN('5x') c, BIN('') d, SOUNDEX('Hello') e, SOUNDEX('123') f, SOUNDEX('') g
----
a | b | c | d | e | f | g
101 | 1111111111111111111111111111111111111111111111111111111111111111 | 101 | NULL | H400 |  |

query
SELECT FORMAT(1234567.891,2) a, FORMAT('1234.5abc',1) b, FORMAT(1234567.891,2,'de_DE') c, FORMAT(12345678901234567890.12,1) d, FORMAT(-0.001,2) e, FORMAT(1234.5678,40) f, FORMAT(1234567.891,2,'en_IN') g, FORMAT(NULL,1) h, FORMAT(1e20,0) i
----
a | b | c | d | e | f | g | h | i
1,234,567.89 | 1,234.5 | 1.234.567,89 | 12,345,678,901,234,567,890.1 | 0.00 | 1,234.567800000000000000000000000000 | 12,34,567.89 | NULL | 100,000,000,000,000,000,000

# A DECIMAL that is too small has its last number; one without decimals is rounded.
query
SELECT CAST(1234.5 AS DECIMAL(4,1)) a, CAST(-12345 AS DECIMAL(4,1)) b, CAST('99999' AS DECIMAL(3)) c, CAST(99.96 AS DECIMAL(3,1)) d, CAST(2.56 AS DECIMAL) e, CAST('2.5' AS DECIMAL(3)) f
----
a | b | c | d | e | f
999.9 | -999.9 | 999 | 99.9 | 3 | 3

query
SHOW WARNINGS
----
Level | Code | Message
Warning | 1264 | Out of range value for a cast to DECIMAL(4,1)
Warning | 1264 | Out of range value for a cast to DECIMAL(4,1)
Warning | 1264 | Out of range value for a cast to DECIMAL(3,0)
Warning | 1264 | Out of range value for a cast to DECIMAL(3,1)

query
SELECT CAST(-2.5 AS UNSIGNED) a, CAST(-2 AS UNSIGNED) b, CAST('-2.5' AS UNSIGNED) c, CAST(2.5 AS UNSIGNED) d, CAST('99999999999999999999' AS UNSIGNED) e
----
a | b | c | d | e
0 | 18446744073709551614 | 18446744073709551614 | 3 | 18446744073709551615

exec
CREATE TABLE c (_id INT PRIMARY KEY, d DECIMAL(10,3), INDEX (d));
INSERT INTO c VALUES (1, 5), (2, 98.7), (3, 99.96), (4, 5000), (5, -5000), (6, NULL)
----
ok, 0 rows
ok, 6 rows

query
SELECT _id, CAST(d AS DECIMAL(3,1)) x, CAST(d AS DECIMAL(2)) y FROM c ORDER BY _id
----
_id | x | y
1 | 5.0 | 5
2 | 98.7 | 99
3 | 99.9 | 99
4 | 99.9 | 99
5 | -99.9 | -99
6 | NULL | NULL

query
SELECT _id FROM c WHERE CAST(d AS DECIMAL(3,1)) = 99.9
----
_id
3
4

query
SELECT _id FROM c WHERE CAST(d AS DECIMAL(3,1)) > 98
----
_id
2
3
4

query
SELECT _id FROM c WHERE CAST(d AS DECIMAL(2)) <= -99
----
_id
5

# Bits are those of 64 bits without a sign.
query
SELECT ~0 a, ~-1 b, ~5 & 3 c, ~NULL d, ~'5' e, 5 | -1 f, -1 ^ 1 g, 1 << 63 h, 1 << 64 i, -1 >> 1 j, -1 & 255 k, 5 | 2.5 l
----
a | b | c | d | e | f | g | h | i | j | k | l
18446744073709551615 | 0 | 2 | NULL | 18446744073709551610 | 18446744073709551615 | 18446744073709551614 | 9223372036854775808 | 0 | 9223372036854775807 | 255 | 7

query
SELECT _id, d | 1 a, -_id & 7 b, ~_id c FROM c ORDER BY _id
----
_id | a | b | c
1 | 5 | 7 | 18446744073709551614
2 | 99 | 6 | 18446744073709551613
3 | 101 | 5 | 18446744073709551612
4 | 5001 | 4 | 18446744073709551611
5 | 18446744073709546617 | 3 | 18446744073709551610
6 | NULL | 2 | 18446744073709551609

query
SELECT _id, NTH_VALUE(d, 2) OVER (ORDER BY _id) n, NTH_VALUE(d, 1) OVER (PARTITION BY d > 50 ORDER BY _id) m, CUME_DIST() OVER (ORDER BY d > 50) q, CUME_DIST() OVER w r FROM c WINDOW w AS (ORDER BY _id) ORDER BY _id
----
_id | n | m | q | r
1 | NULL | 5.000 | 0.5 | 0.16666666666666666
2 | 98.700 | 98.700 | 1 | 0.3333333333333333
3 | 98.700 | 98.700 | 1 | 0.5
4 | 98.700 | 98.700 | 1 | 0.6666666666666666
5 | 98.700 | 5.000 | 0.5 | 0.8333333333333334
6 | 98.700 | NULL | 0.16666666666666666 | 1

query
SELECT NTH_VALUE(d, 0) OVER (ORDER BY _id) FROM c
----
ERROR 1210 (HY000): Incorrect arguments to nth_value

query
SELECT HEX(AES_ENCRYPT('text','key')) a, CAST(AES_DECRYPT(AES_ENCRYPT('text','key'),'key') AS CHAR) b, AES_DECRYPT('abc','key') c, AES_ENCRYPT(NULL,'k') d, HEX(AES_ENCRYPT('','a key that is longer than 16 bytes')) e
----
a | b | c | d | e
15E36637363712FC2E699B9C95B75393 | text | NULL | NULL | DE3B3062D98264E78D51F3FF7A1F8FF2

exec
SET block_encryption_mode = 'aes-256-cbc'
----
ok, 0 rows

query
SELECT HEX(AES_ENCRYPT('text','key','0123456789abcdef')) a, CAST(AES_DECRYPT(AES_ENCRYPT('text','key','0123456789abcdef'),'key','0123456789abcdef') AS CHAR) b
----
a | b
39B083A54C0F1886C45FC459BB3F4F07 | text

query
SELECT UUID_SHORT() > 0 a, UUID_SHORT() < UUID_SHORT() b, BENCHMARK(10, 1+1) c, BENCHMARK(-1,1) d, BENCHMARK(NULL,1) e, CURRENT_ROLE() f
----
a | b | c | d | e | f
1 | 1 | 0 | NULL | NULL | NONE

exec
CHECK TABLE c
----
ok, 0 rows

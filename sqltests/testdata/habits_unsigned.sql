# Integers beyond 63 bits: exact where they fit, 1690 where not.
query
SELECT CAST(18446744073709551615 AS UNSIGNED)-1, 9223372036854775808+1
----
CAST(18446744073709551615 AS UNSIGNED)-1 | 9223372036854775808+1
18446744073709551614 | 9223372036854775809

exec
CREATE TABLE u (id INT PRIMARY KEY, u BIGINT UNSIGNED, s BIGINT, t TINYINT)
----
ok, 0 rows

exec
INSERT INTO u VALUES (1,18446744073709551615,9223372036854775807,-128),(2,9223372036854775808,-9223372036854775808,127),(3,0,0,0)
----
ok, 3 rows

query
SELECT u-1, u+0, u*1, u DIV 1 FROM u WHERE id<3
----
u-1 | u+0 | u*1 | u DIV 1
9223372036854775807 | 9223372036854775808 | 9223372036854775808 | 9223372036854775808
18446744073709551614 | 18446744073709551615 | 18446744073709551615 | 18446744073709551615

query
SELECT u-1 FROM u WHERE id=3
----
ERROR 1690 (22003): BIGINT UNSIGNED value is out of range in '(u.u - 1)'

query
SELECT u+1 FROM u
----
ERROR 1690 (22003): BIGINT UNSIGNED value is out of range in '(u.u + 1)'

query
SELECT s+1 FROM u WHERE id=1
----
ERROR 1690 (22003): BIGINT value is out of range in '(u.s + 1)'

query
SELECT s-1 FROM u WHERE id=2
----
ERROR 1690 (22003): BIGINT value is out of range in '(u.s - 1)'

query
SELECT s*2 FROM u WHERE id=1
----
ERROR 1690 (22003): BIGINT value is out of range in '(u.s * 2)'

query
SELECT -s FROM u WHERE id=2
----
ERROR 1690 (22003): BIGINT value is out of range in '-u.s'

query
SELECT -t, -(-128), -u FROM u WHERE id IN (3)
----
-t | -(-128) | -u
0 | 128 | 0

query
SELECT -t FROM u WHERE id=1
----
-t
128

query
SELECT -(-128), -(-9223372036854775807)
----
-(-128) | -(-9223372036854775807)
128 | 9223372036854775807

query
SELECT 9223372036854775807+1
----
ERROR 1690 (22003): BIGINT value is out of range in '(9223372036854775807 + 1)'

query
SELECT 9223372036854775807*2
----
ERROR 1690 (22003): BIGINT value is out of range in '(9223372036854775807 * 2)'

query
SELECT 18446744073709551615+1
----
ERROR 1690 (22003): BIGINT UNSIGNED value is out of range in '(18446744073709551615 + 1)'

query
SELECT 1e308*10
----
ERROR 1690 (22003): DOUBLE value is out of range in '(1e+308 * 10)'

query
SELECT 1e308+1e308, 1
----
ERROR 1690 (22003): DOUBLE value is out of range in '(1e+308 + 1e+308)'

query
SELECT EXP(1000)
----
ERROR 1690 (22003): DOUBLE value is out of range in 'exp(1000)'

query
SELECT POW(10,400)
----
ERROR 1690 (22003): DOUBLE value is out of range in 'power(10, 400)'

query
SELECT u % 10, u MOD 7, u / 2, u | 1, u & 255, u >> 1, ~u FROM u WHERE id=1
----
u % 10 | u MOD 7 | u / 2 | u | 1 | u & 255 | u >> 1 | ~u
5 | 1 | 9223372036854775807.5000 | 18446744073709551615 | 255 | 9223372036854775807 | 0

query
SELECT SUM(u), AVG(u), MAX(u), MIN(u) FROM u
----
SUM(u) | AVG(u) | MAX(u) | MIN(u)
27670116110564327423 | 9223372036854775807.6667 | 18446744073709551615 | 0

query
SELECT SUM(s) FROM u WHERE id=1 OR id=1
----
SUM(s)
9223372036854775807

query
SELECT ABS(s) FROM u WHERE id=2
----
ERROR 1690 (22003): BIGINT value is out of range in 'abs(u.s)'

query
SELECT s DIV -1 FROM u WHERE id=2
----
ERROR 1690 (22003): BIGINT value is out of range in '(u.s div -1)'

query
SELECT u - s FROM u WHERE id=1
----
u - s
9223372036854775808

query
SELECT CAST(-1 AS UNSIGNED), CAST(-1 AS UNSIGNED)+0, CAST(-1 AS UNSIGNED) DIV 2
----
CAST(-1 AS UNSIGNED) | CAST(-1 AS UNSIGNED)+0 | CAST(-1 AS UNSIGNED) DIV 2
18446744073709551615 | 18446744073709551615 | 9223372036854775807

exec
UPDATE u SET u=u-1 WHERE id=1
----
ok, 1 rows

exec
UPDATE u SET u=u-1 WHERE id=2
----
ok, 1 rows

exec
UPDATE u SET u=u-1 WHERE id=3
----
ERROR 1690 (22003): BIGINT UNSIGNED value is out of range in '(u.u - 1)'

exec
UPDATE u SET s=s+1 WHERE id=1
----
ERROR 1690 (22003): BIGINT value is out of range in '(u.s + 1)'

exec
UPDATE u SET u=u+2 WHERE id=1
----
ERROR 1690 (22003): BIGINT UNSIGNED value is out of range in '(u.u + 2)'

query
SELECT * FROM u
----
id | u | s | t
1 | 18446744073709551614 | 9223372036854775807 | -128
2 | 9223372036854775807 | -9223372036854775808 | 127
3 | 0 | 0 | 0

query
SELECT u FROM u WHERE u-1 = 18446744073709551613
----
ERROR 1690 (22003): BIGINT UNSIGNED value is out of range in '(u.u - 1)'

query
SELECT u FROM u WHERE u = 18446744073709551614
----
u
18446744073709551614

query
SELECT 5 - CAST(6 AS UNSIGNED)
----
ERROR 1690 (22003): BIGINT UNSIGNED value is out of range in '(5 - convert(6, unsigned))'

exec
SET sql_mode='NO_UNSIGNED_SUBTRACTION'
----
ok, 0 rows

query
SELECT 5 - CAST(6 AS UNSIGNED)
----
ERROR 1690 (22003): BIGINT UNSIGNED value is out of range in '(5 - convert(6, unsigned))'

query
SELECT CAST(18446744073709551615 AS UNSIGNED)-1
----
CAST(18446744073709551615 AS UNSIGNED)-1
18446744073709551614

query
CHECK TABLE u
----
Table | Op | Msg_type | Msg_text
d.u | check | status | OK

# Functions whose result is beyond its type are 1690, as 1e308*10 is.
exec
CREATE TABLE n (id INT PRIMARY KEY, t TINYINT, s BIGINT, u BIGINT UNSIGNED, d DECIMAL(5,2), f DOUBLE, v VARCHAR(20), j JSON);
INSERT INTO n VALUES (1,-128,-9223372036854775808,18446744073709551615,-1.50,1e308,'-1e400','1e20000'), (2,127,-9223372036854775807,0,0.00,-0.5,'-5x','1.50'), (3,NULL,NULL,NULL,NULL,NULL,NULL,NULL)
----
ok, 0 rows
ok, 3 rows

query
SELECT EXP(1000)
----
ERROR 1690 (22003): DOUBLE value is out of range in 'exp(1000)'

query
SELECT EXP(f) FROM n WHERE id = 1
----
ERROR 1690 (22003): DOUBLE value is out of range in 'exp(n.f)'

query
SELECT POW(10,400)
----
ERROR 1690 (22003): DOUBLE value is out of range in 'power(10, 400)'

query
SELECT POW(-1,0.5)
----
ERROR 1690 (22003): DOUBLE value is out of range in 'power(-1, 0.5)'

query
SELECT POWER(0,-1)
----
ERROR 1690 (22003): DOUBLE value is out of range in 'power(0, -1)'

query
SELECT COT(0)
----
ERROR 1690 (22003): DOUBLE value is out of range in 'cot(0)'

query
SELECT DEGREES(f) FROM n WHERE id = 1
----
ERROR 1690 (22003): DOUBLE value is out of range in 'degrees(n.f)'

query
SELECT ABS(s) FROM n WHERE id = 1
----
ERROR 1690 (22003): BIGINT value is out of range in 'abs(n.s)'

query
SELECT id, EXP(d), POW(d,2), RADIANS(d), DEGREES(d), ABS(t), ABS(u), ABS(d), ABS(f), ABS(v), ABS(j) FROM n ORDER BY id
----
id | EXP(d) | POW(d,2) | RADIANS(d) | DEGREES(d) | ABS(t) | ABS(u) | ABS(d) | ABS(f) | ABS(v) | ABS(j)
1 | 0.22313016014842982 | 2.25 | -0.026179938779914945 | -85.94366926962348 | 128 | 18446744073709551615 | 1.50 | 1e+308 | 1.7976931348623157e+308 | 1.7976931348623157e+308
2 | 1 | 0 | 0 | 0 | 127 | 0 | 0.00 | 0.5 | 5 | 1.5
3 | NULL | NULL | NULL | NULL | NULL | NULL | NULL | NULL | NULL | NULL

query
SELECT id, ABS(s), COT(s) FROM n WHERE id > 1 ORDER BY id
----
id | ABS(s) | COT(s)
2 | 9223372036854775807 | -0.01180089813058452
3 | NULL | NULL

# A text or JSON that is a number beyond DOUBLE counts for the largest one.
query
SELECT id, v + 0, v - 1, v / 2, j + 1, j - 1, CAST(v AS DOUBLE) FROM n ORDER BY id
----
id | v + 0 | v - 1 | v / 2 | j + 1 | j - 1 | CAST(v AS DOUBLE)
1 | -1.7976931348623157e+308 | -1.7976931348623157e+308 | -8.988465674311579e+307 | 1.7976931348623157e+308 | 1.7976931348623157e+308 | -1.7976931348623157e+308
2 | -5 | -6 | -2.5 | 2.5 | 0.5 | -5
3 | NULL | NULL | NULL | NULL | NULL | NULL

query
SELECT '1e400' + 0, '-1e400' + 0, CAST('1e20000' AS JSON) + 1, CAST('1e400' AS DOUBLE), CAST('-1e400' AS DOUBLE), '1e-400' + 1
----
'1e400' + 0 | '-1e400' + 0 | CAST('1e20000' AS JSON) + 1 | CAST('1e400' AS DOUBLE) | CAST('-1e400' AS DOUBLE) | '1e-400' + 1
1.7976931348623157e+308 | -1.7976931348623157e+308 | 1.7976931348623157e+308 | 1.7976931348623157e+308 | -1.7976931348623157e+308 | 1

query
SELECT CAST('1e20000' AS JSON) * 2
----
ERROR 1690 (22003): DOUBLE value is out of range in '(convert('1e20000', json) * 2)'

# In arithmetic a text counts for the number that it begins with, with its sign. DIV cuts the exact quotient.
exec
CREATE TABLE texts (id INT PRIMARY KEY, v VARCHAR(20), f DOUBLE, d DECIMAL(10,3));
INSERT INTO texts VALUES (1,'-5x',-5,-5.5), (2,'-5',5.7,5.999), (3,' -5.5x',-7.5,2.999), (4,'+3',1e10,0.001), (5,'.5x',0,0), (6,'-.5e1z',1,1), (7,'1e',2,2), (8,'--5',3,3), (9,' 7 ',NULL,NULL), (10,'0x1A',5,5)
----
ok, 0 rows
ok, 10 rows

query
SELECT id, v+0, v-1, v*2, v/2, v DIV 2, v%2, -v, ABS(v), 7 DIV v FROM texts ORDER BY id
----
id | v+0 | v-1 | v*2 | v/2 | v DIV 2 | v%2 | -v | ABS(v) | 7 DIV v
1 | -5 | -6 | -10 | -2.5 | -2 | -1 | 5 | 5 | -1
2 | -5 | -6 | -10 | -2.5 | -2 | -1 | 5 | 5 | -1
3 | -5.5 | -6.5 | -11 | -2.75 | -2 | -1.5 | 5.5 | 5.5 | -1
4 | 3 | 2 | 6 | 1.5 | 1 | 1 | -3 | 3 | 2
5 | 0.5 | -0.5 | 1 | 0.25 | 0 | 0.5 | -0.5 | 0.5 | 14
6 | -5 | -6 | -10 | -2.5 | -2 | -1 | 5 | 5 | -1
7 | 1 | 0 | 2 | 0.5 | 0 | 1 | -1 | 1 | 7
8 | 0 | -1 | 0 | 0 | 0 | 0 | -0 | 0 | NULL
9 | 7 | 6 | 14 | 3.5 | 3 | 1 | -7 | 7 | 1
10 | 0 | -1 | 0 | 0 | 0 | 0 | -0 | 0 | NULL

query
SELECT id, f DIV 2, d DIV 2, f DIV d, 10 DIV d, f % 2, d % 2 FROM texts ORDER BY id
----
id | f DIV 2 | d DIV 2 | f DIV d | 10 DIV d | f % 2 | d % 2
1 | -2 | -2 | 0 | -1 | -1 | -1.500
2 | 2 | 2 | 0 | 1 | 1.7000000000000002 | 1.999
3 | -3 | 1 | -2 | 3 | -1.5 | 0.999
4 | 5000000000 | 0 | 10000000000000 | 10000 | 0 | 0.001
5 | 0 | 0 | NULL | NULL | 0 | 0.000
6 | 0 | 0 | 1 | 10 | 1 | 1.000
7 | 1 | 1 | 1 | 5 | 0 | 0.000
8 | 1 | 1 | 1 | 3 | 1 | 1.000
9 | NULL | NULL | NULL | NULL | NULL | NULL
10 | 2 | 2 | 1 | 2 | 1 | 1.000

query
SELECT '-5x'+0, ' -5.5x'*2, '+3x'+0, '.5x'+0, '-.5e1z'+0, '1e'+0, '--5'+0, '-5x' DIV 2, '-5x'%3, '-5x'/2, 10%'3.5', 10%3.5e0
----
'-5x'+0 | ' -5.5x'*2 | '+3x'+0 | '.5x'+0 | '-.5e1z'+0 | '1e'+0 | '--5'+0 | '-5x' DIV 2 | '-5x'%3 | '-5x'/2 | 10%'3.5' | 10%3.5e0
-5 | -11 | 3 | 0.5 | -5 | 1 | 0 | -2 | -2 | -2.5 | 3 | 3

query
SELECT 2.999 DIV 1, 5.999 DIV 2, -2.999 DIV 1, 1e20 DIV 1e3, 0.5 DIV 0.001, 1.5 DIV 0, 7 DIV NULL
----
2.999 DIV 1 | 5.999 DIV 2 | -2.999 DIV 1 | 1e20 DIV 1e3 | 0.5 DIV 0.001 | 1.5 DIV 0 | 7 DIV NULL
2 | 2 | -2 | 100000000000000000 | 500 | NULL | NULL

query
SELECT 1e20 DIV 3
----
ERROR 1690 (22003): BIGINT value is out of range in '(1e+20 div 3)'

query
SELECT id FROM texts WHERE v + 1 = -4 ORDER BY id
----
id
1
2
6

query
SELECT id FROM texts WHERE f DIV 2 = -2 ORDER BY id
----
id
1

query
CHECK TABLE texts
----
Table | Op | Msg_type | Msg_text
d.texts | check | status | OK

# JSON as a text is as it is written.
query
SELECT CAST(CAST('1.0' AS JSON) AS CHAR), CAST(CAST('1e2' AS JSON) AS CHAR), CAST(CAST('"a"' AS JSON) AS CHAR), CAST(CAST('null' AS JSON) AS CHAR), CAST(CAST('[1.0, 2.50]' AS JSON) AS CHAR), CAST(CAST('1.50' AS JSON) AS CHAR(3))
----
CAST(CAST('1.0' AS JSON) AS CHAR) | CAST(CAST('1e2' AS JSON) AS CHAR) | CAST(CAST('"a"' AS JSON) AS CHAR) | CAST(CAST('null' AS JSON) AS CHAR) | CAST(CAST('[1.0, 2.50]' AS JSON) AS CHAR) | CAST(CAST('1.50' AS JSON) AS CHAR(3))
1.0 | 1e2 | "a" | null | [1.0,2.50] | 1.5

query
SELECT id, CAST(j AS CHAR), CAST(j AS CHAR) = '1.50' FROM n ORDER BY id
----
id | CAST(j AS CHAR) | CAST(j AS CHAR) = '1.50'
1 | 1e20000 | 0
2 | 1.50 | 1
3 | NULL | NULL

query
CHECK TABLE n
----
Table | Op | Msg_type | Msg_text
d.n | check | status | OK

# Dates count for their digits, also those that functions give.
query
SELECT DATE('2022-11-19 11:53:45') + 0, -DATE('2022-11-18'), DATE('2022-11-19 11:53:45') & DATE('2022-11-11 11:53:45'), DATE(NOW()) - CURDATE(), DATE('2022-11-17') * 1.5, DATE('2022-11-16') DIV 100, ~DATE('2022-11-15'), TIMESTAMP'2022-11-19 11:53:44' DIV 10
----
DATE('2022-11-19 11:53:45') + 0 | -DATE('2022-11-18') | DATE('2022-11-19 11:53:45') & DATE('2022-11-11 11:53:45') | DATE(NOW()) - CURDATE() | DATE('2022-11-17') * 1.5 | DATE('2022-11-16') DIV 100 | ~DATE('2022-11-15') | TIMESTAMP'2022-11-19 11:53:44' DIV 10
20221119 | -20221118 | 20221111 | 0 | 30331675.5 | 202211 | 18446744073689330500 | 2022111911534

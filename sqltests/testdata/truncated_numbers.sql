# A text that is a number in part counts for that, with a warning.
exec
CREATE TABLE w (id INT PRIMARY KEY, n INT, v VARCHAR(10));
INSERT INTO w VALUES (1, 3, '3abc'), (2, 4, '4')
----
ok, 0 rows
ok, 2 rows

query
SELECT '3abc' + 1
----
'3abc' + 1
4

query
SHOW WARNINGS
----
Level | Code | Message
Warning | 1292 | Truncated incorrect DOUBLE value: '3abc'

query
SELECT id FROM w WHERE n = '3abc'
----
id
1

query
SHOW WARNINGS
----
Level | Code | Message
Warning | 1292 | Truncated incorrect DOUBLE value: '3abc'

query
SELECT id FROM w WHERE v = 3
----
id
1

query
SHOW WARNINGS
----
Level | Code | Message
Warning | 1292 | Truncated incorrect DOUBLE value: '3abc'

query
SELECT ABS('3x'), -'4y', '5z' * 2, 'a' = 0, ' 3 ' + 1, '4' + 1, ROUND('2.5x')
----
ABS('3x') | -4 | '5z' * 2 | 'a' = 0 | ' 3 ' + 1 | '4' + 1 | ROUND('2.5x')
3 | -4 | 10 | 1 | 4 | 5 | 2

query
SHOW WARNINGS
----
Level | Code | Message
Warning | 1292 | Truncated incorrect DOUBLE value: 'a'
Warning | 1292 | Truncated incorrect DOUBLE value: '5z'

query
SELECT SUM(v) FROM w
----
SUM(v)
7

query
SELECT id FROM w WHERE n = '4'
----
id
2

query
SHOW WARNINGS
----
Level | Code | Message

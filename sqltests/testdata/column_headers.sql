# A column without a name is called as its expression is written, however the parser reads that.
query
SELECT NOT 1, NOT 1 BETWEEN 0 AND 5, NOT (1 = 2)
----
NOT 1 | NOT 1 BETWEEN 0 AND 5 | NOT (1 = 2)
0 | 0 | 1

query
SELECT 3 = 2 = 0, 1 < 2 < 3, 5 > 4 > 3 AS named, 2 <> 2 = 0
----
3 = 2 = 0 | 1 < 2 < 3 | named | 2 <> 2 = 0
1 | 1 | 0 | 1

query
SELECT 1 = ANY (SELECT 1), 5 > ALL (SELECT 1), 5 > SOME (SELECT 1)
----
1 = ANY (SELECT 1) | 5 > ALL (SELECT 1) | 5 > SOME (SELECT 1)
1 | 1 | 1

query
SELECT INTERVAL(2, 1, 3), DATE_ADD('2024-01-31 10:00:00', INTERVAL '1 2' DAY_HOUR), SUBSTRING('abc' FROM 2 FOR 1), {d '2024-01-31'} + INTERVAL 1 DAY
----
INTERVAL(2, 1, 3) | DATE_ADD('2024-01-31 10:00:00', INTERVAL '1 2' DAY_HOUR) | SUBSTRING('abc' FROM 2 FOR 1) | {d '2024-01-31'} + INTERVAL 1 DAY
1 | 2024-02-01 12:00:00 | b | 2024-02-01

query
SELECT x.`1 < 2 < 3`, x.b FROM (SELECT 1 < 2 < 3, 1 = ANY (SELECT 1) AS b) AS x
----
1 < 2 < 3 | b
1 | 1

query
SELECT CAST('[1]' AS JSON), 1 MEMBER OF ('[1]'), 1 IS UNKNOWN, 1 < 2 IS NOT UNKNOWN, 'a' 'b'
----
CAST('[1]' AS JSON) | 1 MEMBER OF ('[1]') | 1 IS UNKNOWN | 1 < 2 IS NOT UNKNOWN | 'a' 'b'
[1] | 1 | 0 | 1 | ab

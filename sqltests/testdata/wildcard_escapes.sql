# A backslash before % and _ stays in a text: a pattern of LIKE needs it.

exec
CREATE TABLE t (_id VARCHAR(20) PRIMARY KEY, s VARCHAR(20), _doc JSON);
INSERT INTO t (_id, s, _doc) VALUES ('a', '50%', '{"n": "50%"}'), ('b', '505', '{"n": "505"}'), ('c', 'a_b', '{"n": "a_b"}'), ('d', 'axb', '{"n": "axb"}'), ('e', 'a\\b', '{"n": "a\\\\b"}')
----
ok, 0 rows
ok, 5 rows

query
SELECT HEX('\%'), HEX('a\_b'), HEX("\%"), HEX('\\%'), HEX('\x'), HEX('\n\'\0'), HEX(N'\_')
----
HEX('\%') | HEX('a\_b') | HEX("\%") | HEX('\\%') | HEX('\x') | HEX('\n\'\0') | HEX( '\_')
5C25 | 615C5F62 | 5C25 | 5C25 | 78 | 0A2700 | 5C5F

query
SELECT s FROM t WHERE s LIKE '50\%'
----
s
50%

query
SELECT s FROM t WHERE s LIKE 'a\_b'
----
s
a_b

query
SELECT n FROM t WHERE n LIKE 'a\_%'
----
n
a_b

query
SELECT s FROM t WHERE s NOT LIKE "a\_%" AND s LIKE 'a%' ORDER BY s
----
s
a\b
axb

query
SELECT s FROM t WHERE s LIKE 'a\\\\b'
----
s
a\b

query
SELECT s FROM t WHERE s LIKE CONCAT('5', '\%', '%') OR s LIKE '5|%' ESCAPE '|'
----
s

query
SELECT '\%', 'a\_b' LIKE 'a\_b', CONCAT('\_', s) AS x FROM t WHERE _id = 'a'
----
\% | 'a\_b' LIKE 'a\_b' | x
\% | 0 | \_50%

query
SELECT TRIM(LEADING FROM '  a '), 'a\_b' LIKE 'a_b'
----
TRIM(LEADING FROM '  a ') | 'a\_b' LIKE 'a_b'
a  | 0

exec
CREATE VIEW v AS SELECT s FROM t WHERE s LIKE 'a\_b'
----
ok, 0 rows

query
SELECT * FROM v
----
s
a_b

exec
PREPARE p FROM 'SELECT s FROM t WHERE s LIKE ''50\%'''
----
ok, 0 rows

query
EXECUTE p
----
s
50%

exec
SET @pattern = '50\%'
----
ok, 0 rows

query
SELECT s FROM t WHERE s LIKE @pattern
----
s
50%

exec
CREATE TABLE checked (s VARCHAR(20), CHECK (s NOT LIKE 'z\%'))
----
ok, 0 rows

exec
INSERT INTO checked VALUES ('zz'), ('z%')
----
ERROR 3819 (HY000): Check constraint "checked_chk_1" violated

exec
INSERT INTO checked VALUES ('zz'), ('\%')
----
ok, 2 rows

query
SELECT HEX(s) FROM checked ORDER BY s
----
HEX(s)
5C25
7A7A

query
SHOW TABLES LIKE 'che\_ked'
----
Tables_in_d

query
EXPLAIN FORMAT=TREE SELECT s FROM t WHERE s LIKE 'a\_b%'
----
EXPLAIN
-> Project: t.s
    -> Filter: t.s LIKE 'a\\_b%'
        -> Index range scan on t using s
             range: `s` in ['a_b', 'a_b'…)
             entries only: no document is read
             keys: 1 counted of 5
             not tight: the filter stays
             residual: t.s LIKE 'a\\_b%'
             cost: 0.1, a full scan costs 5.0

# What else people write.
query
SELECT TRIM(TRAILING FROM ' a '), TRIM(BOTH FROM ' a '), TRIM('*' FROM '*a*'), CAST('3' AS SIGNED INT), CONVERT('4', UNSIGNED INT)
----
TRIM(TRAILING FROM ' a ') | TRIM(BOTH FROM ' a ') | TRIM('*' FROM '*a*') | CAST('3' AS SIGNED INT) | CONVERT('4', UNSIGNED INT)
 a | a | a | 3 | 4

# Names of columns have the backslash once, as in the text.
exec
CREATE VIEW named AS SELECT LENGTH('\%') FROM t
----
ok, 0 rows

query
SELECT `LENGTH('\%')` FROM named LIMIT 1
----
LENGTH('\%')
2

exec
CREATE TABLE copied AS SELECT CONCAT('a\%') FROM t
----
ok, 5 rows

query
SELECT `CONCAT('a\%')` FROM copied LIMIT 1
----
CONCAT('a\%')
a\%

query
SELECT `NOT 'a' LIKE 'a\%'` FROM (SELECT NOT 'a' LIKE 'a\%' FROM t) AS q LIMIT 1
----
NOT 'a' LIKE 'a\%'
1

query
SELECT TRIM(LEADING FROM ' \%'), CAST('1\%' AS SIGNED INT), DATE_FORMAT('2020-01-02', '\%Y')
----
TRIM(LEADING FROM ' \%') | CAST('1\%' AS SIGNED INT) | DATE_FORMAT('2020-01-02', '\%Y')
\% | 1 | \2020

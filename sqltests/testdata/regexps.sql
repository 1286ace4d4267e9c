# REGEXP and REGEXP_LIKE compile a pattern once, and again where it changes from row to row.
exec
CREATE TABLE t (id INT PRIMARY KEY, s VARCHAR(50), p VARCHAR(20), c VARCHAR(20) COLLATE utf8mb4_0900_ai_ci, _doc JSON);
INSERT INTO t (id, s, p, c) VALUES (1, 'abc', '^a', 'ABC'), (2, 'bcd', 'd$', 'abd'), (3, NULL, 'x', NULL), (4, 'x\ny', 'x.y', 'Zoë'), (5, '', '^$', 'zoe'), (6, '12', '[0-9]+', '34');
INSERT INTO t (_doc) VALUES ('{"_id":0,"id":7,"s":"naïve","p":"ï","tags":"q1"}')
----
ok, 0 rows
ok, 6 rows
ok, 1 rows

query
SELECT id, s REGEXP '^[ab]', s NOT REGEXP 'c', s RLIKE p, REGEXP_LIKE(s, p, 'n'), REGEXP_LIKE(c, 'a', 'c'), c REGEXP 'a', REGEXP_LIKE(s, NULL), REGEXP_LIKE(s, 'B', 'ci'), REGEXP_LIKE(s, 'B', 'ic') FROM t ORDER BY id
----
id | s REGEXP '^[ab]' | s NOT REGEXP 'c' | s RLIKE p | REGEXP_LIKE(s, p, 'n') | REGEXP_LIKE(c, 'a', 'c') | c REGEXP 'a' | REGEXP_LIKE(s, NULL) | REGEXP_LIKE(s, 'B', 'ci') | REGEXP_LIKE(s, 'B', 'ic')
1 | 1 | 0 | 1 | 1 | 0 | 1 | NULL | 1 | 0
2 | 1 | 0 | 1 | 1 | 1 | 1 | NULL | 1 | 0
3 | NULL | NULL | NULL | NULL | NULL | NULL | NULL | NULL | NULL
4 | 0 | 1 | 0 | 1 | 0 | 0 | NULL | 0 | 0
5 | 0 | 1 | 1 | 1 | 0 | 0 | NULL | 0 | 0
6 | 0 | 1 | 1 | 1 | 0 | 0 | NULL | 0 | 0
7 | 0 | 1 | 1 | 1 | NULL | NULL | NULL | 0 | 0

query
SELECT id FROM t WHERE s REGEXP '^[a-n]' AND id > 1 ORDER BY id
----
id
2
7

query
SELECT id, id REGEXP '^[1-3]$' FROM t WHERE _doc->>'$.tags' REGEXP '^q[0-9]' OR c REGEXP 'zo.$' ORDER BY id
----
id | id REGEXP '^[1-3]$'
4 | 0
5 | 0
7 | 0

query
SELECT COUNT(*), SUM(s REGEXP 'b') FROM t GROUP BY s REGEXP '[0-9]' ORDER BY 1, 2
----
COUNT(*) | SUM(s REGEXP 'b')
1 | NULL
1 | 0
5 | 2

query
SELECT a.id, b.id FROM t a JOIN t b ON a.s REGEXP b.p ORDER BY a.id, b.id
----
id | id
1 | 1
2 | 2
4 | 3
5 | 5
6 | 6
7 | 7

query
SELECT id FROM t WHERE s REGEXP ''
----
ERROR 3685 (HY000): Illegal argument to a regular expression.

query
SELECT id FROM t WHERE s REGEXP '('
----
ERROR 1105 (HY000): the given regular expression is invalid

query
SELECT id FROM t WHERE REGEXP_LIKE(s, 'a', 'z')
----
ERROR 1105 (HY000): Invalid argument to regexp_like

# A pattern that has very many ways to match ends with an error, in each of the functions; so does it behind a match.
query
SELECT CONCAT(REPEAT('a', 60), 'b') REGEXP '^(?=a)(a+)+$'
----
ERROR 3699 (HY000): Timeout exceeded in regular expression match.

query
SELECT id FROM t WHERE CONCAT(s, REPEAT('a', 60), 'b') REGEXP '(a|aa)+$'
----
ERROR 3699 (HY000): Timeout exceeded in regular expression match.

query
SELECT REGEXP_LIKE(CONCAT(REPEAT('a', 60), 'b'), '^(A+)+$', 'i')
----
REGEXP_LIKE(CONCAT(REPEAT('a', 60), 'b'), '^(A+)+$', 'i')
0

query
SELECT REGEXP_REPLACE(CONCAT('x', REPEAT('a', 60), 'b'), 'x|(a+)+$', '-')
----
ERROR 3699 (HY000): Timeout exceeded in regular expression match.

query
SELECT REGEXP_INSTR(CONCAT('x', REPEAT('a', 60), 'b'), '^x.*|(a+)+$', 2)
----
ERROR 3699 (HY000): Timeout exceeded in regular expression match.

query
SELECT REGEXP_SUBSTR(CONCAT('x', REPEAT('a', 60), 'b'), 'x|(a+)+$', 1, 2)
----
ERROR 3699 (HY000): Timeout exceeded in regular expression match.

query
SELECT REGEXP_REPLACE('a.b.c', '[.]', '-'), REGEXP_REPLACE('aaa', 'a', 'x', 1, 2), REGEXP_INSTR('dog cat dog', 'dog', 2), REGEXP_INSTR('dog cat dog', 'DOG', 1, 2, 1, 'i'), REGEXP_SUBSTR('abc def ghi', '[a-z]+', 1, 3), REGEXP_SUBSTR('abc', 'x'), REGEXP_REPLACE(NULL, 'a', 'b'), REGEXP_INSTR('a', NULL)
----
REGEXP_REPLACE('a.b.c', '[.]', '-') | REGEXP_REPLACE('aaa', 'a', 'x', 1, 2) | REGEXP_INSTR('dog cat dog', 'dog', 2) | REGEXP_INSTR('dog cat dog', 'DOG', 1, 2, 1, 'i') | REGEXP_SUBSTR('abc def ghi', '[a-z]+', 1, 3) | REGEXP_SUBSTR('abc', 'x') | REGEXP_REPLACE(NULL, 'a', 'b') | REGEXP_INSTR('a', NULL)
a-b-c | axa | 9 | 12 | ghi | NULL | NULL | NULL

query
SELECT id, REGEXP_REPLACE(s, p, '_'), REGEXP_SUBSTR(s, p), REGEXP_INSTR(s, p) FROM t ORDER BY id
----
id | REGEXP_REPLACE(s, p, '_') | REGEXP_SUBSTR(s, p) | REGEXP_INSTR(s, p)
1 | _bc | a | 1
2 | bc_ | d | 3
3 | NULL | NULL | NULL
4 | x
y | NULL | 0
5 |  |  | 1
6 | _ | 12 | 1
7 | na_ve | ï | 3

query
CHECK TABLE t
----
Table | Op | Msg_type | Msg_text
d.t | check | status | OK

# Positions, occurrences and parts: of a text beside others, of characters of two bytes, of NULL, and outside of the text.
query
SELECT REGEXP_INSTR('äbcäbc', 'b', 3), REGEXP_INSTR('äbcäbc', 'b.', 1, 2, 1), REGEXP_SUBSTR('äbcäbc', 'c.', 1), REGEXP_SUBSTR('äbcäbc', 'c.', 1, 2), REGEXP_INSTR('abc', 'b', NULL), REGEXP_SUBSTR('abc', 'b', 1, NULL), REGEXP_INSTR('abc', 'b', 1, 1, NULL), REGEXP_SUBSTR('ABC', 'b', 1, 1, 'i')
----
REGEXP_INSTR('äbcäbc', 'b', 3) | REGEXP_INSTR('äbcäbc', 'b.', 1, 2, 1) | REGEXP_SUBSTR('äbcäbc', 'c.', 1) | REGEXP_SUBSTR('äbcäbc', 'c.', 1, 2) | REGEXP_INSTR('abc', 'b', NULL) | REGEXP_SUBSTR('abc', 'b', 1, NULL) | REGEXP_INSTR('abc', 'b', 1, 1, NULL) | REGEXP_SUBSTR('ABC', 'b', 1, 1, 'i')
5 | 7 | cä | NULL | NULL | NULL | NULL | B

query
SELECT REGEXP_INSTR('abc', 'b', 9)
----
ERROR 3686 (HY000): Index out of bounds in regular expression search.

query
SELECT REGEXP_SUBSTR('abc', 'b', 0)
----
ERROR 3686 (HY000): Index out of bounds in regular expression search.

query
SELECT REGEXP_INSTR('abc', '(b')
----
ERROR 1105 (HY000): the given regular expression is invalid

# REGEXP_REPLACE keeps its pattern from row to row, and evaluates each operand once, also inside itself.
query
SELECT REGEXP_REPLACE('abcabc', 'b', 'X', 3) a, REGEXP_REPLACE('abcabc', '(a)(b)', '$2$1-') b, REGEXP_REPLACE('abcabc', 'b', 'X', 1, 2) c, REGEXP_REPLACE('aé😀x😀', '😀', '\\$', 2) d, REGEXP_REPLACE('abc', 'x*', '-') e, REGEXP_REPLACE('', 'a*', '-') f, REGEXP_REPLACE('abc', 'B', 'X', 1, 0, 'i') g, REGEXP_REPLACE('abc', 'b', NULL) h, REGEXP_REPLACE('abc', '(?<x>b)', '[${x}]') i
----
a | b | c | d | e | f | g | h | i
abcaXc | ba-cba-c | abcaXc | aé$x$ | -a-b-c- |  | aXc | NULL | a[b]c

query
SELECT id, REGEXP_REPLACE(s, p, '<$0>') FROM t ORDER BY id
----
id | REGEXP_REPLACE(s, p, '<$0>')
1 | <a>bc
2 | bc<d>
3 | NULL
4 | x
y
5 |
6 | <12>
7 | na<ï>ve

query
SELECT REGEXP_REPLACE('abc', 'b', 'X', 4)
----
ERROR 3686 (HY000): Index out of bounds in regular expression search.

query
SELECT REGEXP_REPLACE('abc', 'b', 'X', 0)
----
ERROR 3686 (HY000): Index out of bounds in regular expression search.

query
WITH RECURSIVE n AS (SELECT 1 i UNION ALL SELECT i + 1 FROM n WHERE i < 300) SELECT MAX(REGEXP_REPLACE(REGEXP_REPLACE(REGEXP_REPLACE(REGEXP_REPLACE(REGEXP_REPLACE(REGEXP_REPLACE(REGEXP_REPLACE(REGEXP_REPLACE(REGEXP_REPLACE(CONCAT('  A.', i, ', b  '), '[,.]', ' '), ' +', ' '), '^ ', ''), ' $', ''), 'A', 'a'), '9', '#'), '#', '-'), '--+', '='), '[a-z]', '*')) m FROM n
----
m
* 88 *

# A pattern that needs nothing of ICU's is matched without it, in a time that grows with the text.
query
SELECT CONCAT(REPEAT('a', 60), 'b') REGEXP '^(a+)+$' a, 'x1' REGEXP '^[a-z][0-9]$' b, 'X1' REGEXP '^[a-z][0-9]$' c, REGEXP_LIKE('X1', '^[a-z]\\d$', 'i') d, REGEXP_SUBSTR('a12b345', '[0-9]+', 1, 2) e, REGEXP_INSTR('a12b345', '[0-9]+', 1, 2) f, REGEXP_INSTR('a12b345', '[0-9]+', 1, 2, 1) g, REGEXP_SUBSTR('abc', '[0-9]') h, REGEXP_REPLACE(' a  b ', '^ +| +$', '') i, REGEXP_SUBSTR('é12', '[0-9]+') j
----
a | b | c | d | e | f | g | h | i | j
0 | 1 | 0 | 1 | 345 | 5 | 8 | NULL | a  b | 12

query
SELECT 'z' REGEXP '[:alpha:]' a, REGEXP_REPLACE('ab12', '[:digit:]', 'x') b, REGEXP_SUBSTR('ab12', '[:digit:]+') c, LENGTH(REGEXP_REPLACE(REPEAT('a', 2000), 'a[^b]*b|a', 'xy')) d, REGEXP_INSTR(REPEAT('a', 65000), '^b|a', 1, 4000) e
----
a | b | c | d | e
1 | abxx | 12 | 4000 | 4000

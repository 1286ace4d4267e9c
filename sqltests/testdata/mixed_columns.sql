# An undeclared column of scalars of several types is JSON. Where a text is asked for, its strings are texts, and a string that spells
# a number finds the number too.

exec
CREATE TABLE m (id INT PRIMARY KEY, j JSON, _doc JSON);
INSERT INTO m (id, j, _doc) VALUES (1, '"The Cat"', '{"t":"The Cat","p":77.7}'), (2, NULL, '{"t":"The Dog","p":"77.7"}'), (3, '1776', '{"t":1776,"p":5}'),
 (4, NULL, '{"t":"Ab","p":"abc"}'), (5, NULL, '{"t":null,"p":"9"}'), (6, NULL, '{"t":"x","p":100}'), (7, NULL, '{"p":"100.0"}')
----
ok, 0 rows
ok, 7 rows

query
SELECT id FROM m WHERE t LIKE 'The %'
----
id
1
2

query
EXPLAIN FORMAT=TREE SELECT id FROM m WHERE t LIKE 'The %'
----
EXPLAIN
-> Project: m.id
    -> Filter: json_unquote(m.t) LIKE 'The %'
        -> Index range scan on m using t
             range: `t` in ['The ', 'The '…)
             keys: 2 counted of 4
             not tight: the filter stays
             residual: json_unquote(m.t) LIKE 'The %'
             cost: 4.1, a full scan costs 7.0

query
SELECT id FROM m WHERE j LIKE 'The %' OR _doc->'$.t' LIKE 'The %'
----
id

query
SELECT id FROM m WHERE t REGEXP '^The' OR UPPER(t) = 'AB' OR t LIKE '17%' ORDER BY id
----
id
1
2
3
4

query
SELECT id, SUBSTRING(t, 1, 1), LENGTH(t), CONCAT(t, '!'), CAST(t AS CHAR), t, LENGTH(j) FROM m ORDER BY id
----
id | SUBSTRING(t, 1, 1) | LENGTH(t) | CONCAT(t, '!') | CAST(t AS CHAR) | t | LENGTH(j)
1 | T | 7 | The Cat! | The Cat | "The Cat" | 9
2 | T | 7 | The Dog! | The Dog | "The Dog" | NULL
3 | 1 | 4 | 1776! | 1776 | 1776 | 4
4 | A | 2 | Ab! | Ab | "Ab" | NULL
5 | NULL | NULL | NULL | NULL | NULL | NULL
6 | x | 1 | x! | x | "x" | NULL
7 | NULL | NULL | NULL | NULL | NULL | NULL

query
SELECT GROUP_CONCAT(t ORDER BY id) FROM m
----
GROUP_CONCAT(t ORDER BY id)
The Cat,The Dog,1776,Ab,x

query
SELECT x.t FROM (SELECT t FROM m ORDER BY id LIMIT 1) x WHERE x.t LIKE 'The %'
----
t
"The Cat"

query
SELECT id FROM m WHERE p = '77.7' ORDER BY id
----
id
1
2

query
SELECT id FROM m WHERE p <> '77.7' ORDER BY id
----
id
3
4
5
6
7

query
SELECT id FROM m WHERE p > '20' ORDER BY id
----
id
1
2
4
5
6

query
SELECT id FROM m WHERE p BETWEEN '6' AND '80' ORDER BY id
----
id
1
2

query
SELECT id FROM m WHERE p IN ('100', 'abc', '5') ORDER BY id
----
id
3
4
6

prepared
: 77.7
SELECT id FROM m WHERE p = ? ORDER BY id
----
id
1
2

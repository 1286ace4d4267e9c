# JSON_TABLE: what its columns are, in joins and in subqueries, which see the query around them.

exec
CREATE TABLE c (id VARCHAR(20) PRIMARY KEY, borders JSON, area INT);
INSERT INTO c VALUES ('CHE', '["AUT","FRA"]', 10), ('AUT', '["CHE"]', 20), ('FRA', '[]', 30);
----
ok, 0 rows
ok, 3 rows

# Numbers keep their digits and objects the order of their keys; what is no value of the column is as ON ERROR says.
query
SELECT jt.* FROM JSON_TABLE('[{"a":1,"b":[1,2]},{"a":"x","b":[]},{"b":3}]', '$[*]' COLUMNS (o FOR ORDINALITY, a INT PATH '$.a' DEFAULT '7' ON EMPTY DEFAULT '8' ON ERROR, e INT EXISTS PATH '$.a', NESTED PATH '$.b[*]' COLUMNS (n FOR ORDINALITY, b INT PATH '$'))) jt
----
o | a | e | n | b
1 | 1 | 1 | 1 | 1
1 | 1 | 1 | 2 | 2
2 | 8 | 1 | NULL | NULL
3 | 7 | 0 | NULL | NULL

query
SELECT * FROM JSON_TABLE('{"a":1}', '$' COLUMNS (a INT PATH '$.a', d DATE PATH '$.d', j JSON PATH '$')) jt
----
a | d | j
1 | NULL | {"a":1}

query
SELECT * FROM JSON_TABLE('[1,2', '$[*]' COLUMNS (a INT PATH '$')) jt
----
ERROR 3141 (22032): Invalid JSON text in argument 1 to function json_table: "found the end of the text, expected ',' or ']'" at position 4.

query
SELECT * FROM JSON_TABLE(NULL, '$[*]' COLUMNS (a INT PATH '$')) jt
----
a

query
SELECT * FROM JSON_TABLE('[12345678901234567890, 1.5, "a", null, true, {"x":1}, 123456789012345678901234567890, 1.10]', '$[*]' COLUMNS (a VARCHAR(30) PATH '$', b DOUBLE PATH '$', c DECIMAL(30,2) PATH '$', i INT PATH '$', j JSON PATH '$')) jt
----
a | b | c | i | j
12345678901234567890 | 1.2345678901234567e+19 | 12345678901234567890.00 | NULL | 12345678901234567890
1.5 | 1.5 | 1.50 | 2 | 1.5
a | NULL | NULL | NULL | "a"
NULL | NULL | NULL | NULL | null
true | 1 | 1.00 | 1 | true
NULL | NULL | NULL | NULL | {"x":1}
123456789012345678901234567890 | 1.2345678901234568e+29 | NULL | NULL | 123456789012345678901234567890
1.10 | 1.1 | 1.10 | 1 | 1.10

query
SELECT * FROM JSON_TABLE('[{"b":2,"a":1}]', '$[*]' COLUMNS (a VARCHAR(30) PATH '$.a' , x JSON PATH '$', y JSON PATH '$.*', z INT PATH '$.*' DEFAULT '-1' ON ERROR)) jt
----
a | x | y | z
1 | {"b":2,"a":1} | [2,1] | -1

query
SELECT * FROM JSON_TABLE('[{"d":"2024-05-01","t":"2024-05-01T10:11:12","s":"abcdef"}]', '$[*]' COLUMNS (d DATE PATH '$.d' , t DATETIME PATH '$.t', s VARCHAR(3) PATH '$.s', m INT PATH '$.m' ERROR ON EMPTY)) jt
----
ERROR 3665 (22035): Missing value for JSON_TABLE column 'm'

query
SELECT * FROM JSON_TABLE('[{"d":"2024-05-01","t":"2024-05-01T10:11:12","s":"abcdef"}]', '$[*]' COLUMNS (d DATE PATH '$.d' , t DATETIME PATH '$.t', s VARCHAR(3) PATH '$.s', x DATE PATH '$.s')) jt
----
d | t | s | x
2024-05-01 | 2024-05-01 10:11:12 | NULL | NULL

query
SELECT * FROM JSON_TABLE('[{"a":{"x":1}}]', '$[*]' COLUMNS (a INT PATH '$.a' ERROR ON ERROR)) jt
----
ERROR 3666 (2203F): Can't store an array or an object in the scalar column 'a' of JSON_TABLE

query
SELECT * FROM JSON_TABLE('{"a":[1,2],"b":["x","y"]}', '$' COLUMNS (NESTED PATH '$.a[*]' COLUMNS (a INT PATH '$'), NESTED PATH '$.b[*]' COLUMNS (b CHAR(1) PATH '$', n FOR ORDINALITY))) jt
----
a | b | n
1 | NULL | NULL
2 | NULL | NULL
NULL | x | 1
NULL | y | 2

query
SELECT * FROM JSON_TABLE('{"a":[],"b":[]}', '$' COLUMNS (o FOR ORDINALITY, NESTED PATH '$.a[*]' COLUMNS (a INT PATH '$'), NESTED PATH '$.b[*]' COLUMNS (b CHAR(1) PATH '$', n FOR ORDINALITY))) jt
----
o | a | b | n
1 | NULL | NULL | NULL

query
SELECT * FROM JSON_TABLE('[1]', '$[*' COLUMNS (a INT PATH '$')) jt
----
ERROR 3143 (42000): Invalid JSON path expression. The error is around character position 3 of '$[*'.

query
SELECT c.id, jt.* FROM c, JSON_TABLE(c.borders, '$[*]' COLUMNS (o FOR ORDINALITY, code VARCHAR(3) PATH '$')) jt ORDER BY c.id, jt.o LIMIT 2
----
id | o | code
AUT | 1 | CHE
CHE | 1 | AUT

query
SELECT * FROM JSON_TABLE(5, '$' COLUMNS (a INT PATH '$')) jt
----
ERROR 3146 (22032): Invalid data type for JSON data in argument 1 to function json_table; a JSON string or JSON type is required.

# Outer joins have a row where there is nothing to join.
query
SELECT c.id, d.id FROM c LEFT JOIN (SELECT * FROM c WHERE area > 1000) d ON TRUE
----
id | id
AUT | NULL
CHE | NULL
FRA | NULL

query
SELECT c.id, d.id FROM c LEFT JOIN c d ON TRUE AND d.area > 1000
----
id | id
AUT | NULL
CHE | NULL
FRA | NULL

query
SELECT c.id, d.id FROM c LEFT JOIN (SELECT * FROM c WHERE area > 1000) d ON 1
----
id | id
AUT | NULL
CHE | NULL
FRA | NULL

query
SELECT c.id, jt.code FROM c LEFT JOIN JSON_TABLE(c.borders, '$[*]' COLUMNS (code VARCHAR(3) PATH '$')) jt ON TRUE
----
id | code
AUT | CHE
CHE | AUT
CHE | FRA
FRA | NULL

query
SELECT c.id, jt.code FROM c LEFT JOIN JSON_TABLE(c.borders, '$[*]' COLUMNS (code VARCHAR(3) PATH '$')) jt ON 1
----
id | code
AUT | CHE
CHE | AUT
CHE | FRA
FRA | NULL

query
SELECT c.id, jt.code FROM c LEFT JOIN JSON_TABLE(c.borders, '$[*]' COLUMNS (code VARCHAR(3) PATH '$')) jt ON jt.code > 'B'
----
id | code
AUT | CHE
CHE | FRA
FRA | NULL

query
SELECT c.id, l.code FROM c LEFT JOIN LATERAL (SELECT d.id AS code FROM c d WHERE d.area > c.area) l ON TRUE
----
id | code
CHE | AUT
CHE | FRA
AUT | FRA
FRA | NULL

query
SELECT c.id, jt.o, jt.code FROM c LEFT JOIN JSON_TABLE(c.borders, '$[*]' COLUMNS (o FOR ORDINALITY, code VARCHAR(3) PATH '$')) jt ON jt.o = 1
----
id | o | code
AUT | 1 | CHE
CHE | 1 | AUT
FRA | NULL | NULL

query
SELECT c.id, jt.o FROM c RIGHT JOIN JSON_TABLE('[1,2]', '$[*]' COLUMNS (o FOR ORDINALITY)) jt ON c.id = 'FRA' AND jt.o = 2
----
id | o
NULL | 1
FRA | 2

# Subqueries.
query
SELECT c.id, (SELECT COUNT(*) FROM JSON_TABLE(c.borders, '$[*]' COLUMNS (code VARCHAR(3) PATH '$')) jt) n FROM c
----
id | n
AUT | 1
CHE | 2
FRA | 0

query
SELECT c.id, (SELECT GROUP_CONCAT(jt.code) FROM JSON_TABLE(c.borders, '$[*]' COLUMNS (code VARCHAR(3) PATH '$')) jt) n FROM c
----
id | n
AUT | CHE
CHE | AUT,FRA
FRA | NULL

query
SELECT c.id FROM c WHERE EXISTS (SELECT 1 FROM JSON_TABLE(c.borders, '$[*]' COLUMNS (code VARCHAR(3) PATH '$')) jt WHERE jt.code = 'FRA')
----
id
CHE

query
SELECT c.id FROM c WHERE 'FRA' IN (SELECT jt.code FROM JSON_TABLE(c.borders, '$[*]' COLUMNS (code VARCHAR(3) PATH '$')) jt)
----
id
CHE

query
SELECT c.id FROM c WHERE NOT EXISTS (SELECT 1 FROM JSON_TABLE(c.borders, '$[*]' COLUMNS (code VARCHAR(3) PATH '$')) jt)
----
id
FRA

query
SELECT c.id FROM c WHERE (SELECT COUNT(*) FROM JSON_TABLE(c.borders, '$[*]' COLUMNS (code VARCHAR(3) PATH '$')) jt) > 1
----
id
CHE

query
SELECT c.id, d.id, (SELECT COUNT(*) FROM JSON_TABLE(c.borders, '$[*]' COLUMNS (code VARCHAR(3) PATH '$')) jt) n FROM c JOIN c d ON c.area < d.area
----
id | id | n
AUT | FRA | 1
CHE | AUT | 2
CHE | FRA | 2

query
SELECT c.id, d.id, (SELECT COUNT(*) FROM JSON_TABLE(d.borders, '$[*]' COLUMNS (code VARCHAR(3) PATH '$')) jt) n FROM c JOIN c d ON c.area < d.area
----
id | id | n
CHE | AUT | 1
CHE | FRA | 0
AUT | FRA | 0

query
SELECT c.id, d.id FROM c JOIN c d ON c.area < d.area WHERE EXISTS (SELECT 1 FROM JSON_TABLE(d.borders, '$[*]' COLUMNS (code VARCHAR(3) PATH '$')) jt WHERE jt.code = c.id)
----
id | id
CHE | AUT

query
SELECT c.id FROM c ORDER BY (SELECT COUNT(*) FROM JSON_TABLE(c.borders, '$[*]' COLUMNS (code VARCHAR(3) PATH '$')) jt) DESC, c.id
----
id
CHE
AUT
FRA

query
SELECT c.id, jt.code FROM c, JSON_TABLE(c.borders, '$[*]' COLUMNS (code VARCHAR(3) PATH '$')) jt WHERE jt.code IN (SELECT id FROM c x WHERE x.area > c.area)
----
id | code
CHE | AUT
CHE | FRA

query
SELECT c.id, x.n FROM c, LATERAL (SELECT COUNT(*) n FROM JSON_TABLE(c.borders, '$[*]' COLUMNS (code VARCHAR(3) PATH '$')) jt) x
----
id | n
AUT | 1
CHE | 2
FRA | 0

query
SELECT c.id, COUNT(jt.code) FROM c LEFT JOIN JSON_TABLE(c.borders, '$[*]' COLUMNS (code VARCHAR(3) PATH '$')) jt ON TRUE GROUP BY c.id
----
id | COUNT(jt.code)
AUT | 1
CHE | 2
FRA | 0

# IN that stays a subquery, and reads no other table in a LATERAL of its own.
exec
CREATE TABLE many (id INT PRIMARY KEY, area INT);
INSERT INTO many WITH RECURSIVE n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n WHERE i < 50) SELECT i, i FROM n;
----
ok, 0 rows
ok, 50 rows

query
SELECT id FROM c WHERE NOT (area < 25 AND area IN (SELECT d.area FROM many AS d WHERE d.id = (SELECT MIN(l.area) FROM c AS e, LATERAL (SELECT f.area FROM c AS f) AS l WHERE 10 >= c.area)))
----
id
AUT
FRA

# Behind a comma, with a join behind it.
query
SELECT c.id, jt.code, d.area FROM c, JSON_TABLE(c.borders, '$[*]' COLUMNS (code VARCHAR(3) PATH '$')) jt JOIN c AS d ON d.id = jt.code ORDER BY c.id, jt.code
----
id | code | area
AUT | CHE | 10
CHE | AUT | 20
CHE | FRA | 30

query
SELECT c.id, e.id, l.a, d.id FROM c, c AS e, LATERAL (SELECT c.area + e.area AS a) AS l LEFT JOIN c AS d ON d.area = l.a WHERE c.id < e.id ORDER BY c.id, e.id
----
id | id | a | id
AUT | CHE | 30 | FRA
AUT | FRA | 50 | NULL
CHE | FRA | 40 | NULL

query
SELECT x.code FROM (SELECT jt.code FROM c, JSON_TABLE(c.borders, '$[*]' COLUMNS (code VARCHAR(3) PATH '$')) jt JOIN c AS d ON d.id = jt.code) AS x WHERE EXISTS (SELECT 1 FROM c, JSON_TABLE(c.borders, '$[*]' COLUMNS (v VARCHAR(3) PATH '$')) j JOIN c AS d ON d.id = j.v WHERE d.id = x.code AND d.area > 15) ORDER BY 1
----
code
AUT
FRA

# Within a subquery that is computed before the statement is planned.
query
SELECT id FROM c WHERE area >= (SELECT MIN(d.area) FROM c AS d WHERE (SELECT COUNT(*) FROM JSON_TABLE(d.borders, '$[*]' COLUMNS (code VARCHAR(3) PATH '$')) jt) = 1)
----
id
AUT
FRA

query
SELECT id FROM c WHERE area >= (SELECT d.area FROM c AS d WHERE (SELECT MIN(e.area) FROM c AS e JOIN LATERAL (SELECT f.id FROM c AS f WHERE f.area > e.area AND f.id <> d.id) AS l ON l.id > 'A') <= 10 ORDER BY d.area DESC LIMIT 1)
----
id
FRA

exec
UPDATE c SET area = area + (SELECT COUNT(*) FROM JSON_TABLE(c.borders, '$[*]' COLUMNS (code VARCHAR(3) PATH '$')) jt)
----
ok, 2 rows

query
SELECT id, area FROM c
----
id | area
CHE | 12
AUT | 21
FRA | 30

exec
DELETE FROM c WHERE EXISTS (SELECT 1 FROM JSON_TABLE(c.borders, '$[*]' COLUMNS (code VARCHAR(3) PATH '$')) jt WHERE jt.code = 'CHE')
----
ok, 1 rows

query
SELECT id, area FROM c
----
id | area
CHE | 12
FRA | 30

query
CHECK TABLE c, many
----
Table | Op | Msg_type | Msg_text
d.c | check | status | OK
d.many | check | status | OK

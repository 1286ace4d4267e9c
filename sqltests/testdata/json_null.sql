# A JSON null in a declared column is a value, and no SQL NULL.

exec
CREATE TABLE t (id INT PRIMARY KEY, j JSON, g JSON AS (JSON_EXTRACT(j, '$')) STORED, h JSON AS (j->'$.a'), d JSON DEFAULT NULL, e JSON DEFAULT (JSON_EXTRACT('1', '$.a')), n JSON NOT NULL DEFAULT ('null'))
----
ok, 0 rows

exec
INSERT INTO t (id, j) VALUES (1, 'null'), (2, NULL), (3, '1'), (4, '{"a":null}'), (5, '"null"'), (6, 'null'), (7, CAST('null' AS JSON)), (8, JSON_EXTRACT('[null]', '$[0]')), (9, JSON_EXTRACT('[null]', '$[1]'))
----
ok, 9 rows

exec
INSERT INTO t (id) VALUES (10)
----
ok, 1 rows

exec
INSERT INTO t (id, j, d, e) VALUES (11, DEFAULT, DEFAULT, DEFAULT)
----
ok, 1 rows

query
SELECT id, j, j IS NULL, JSON_TYPE(j), JSON_TYPE(j) IS NULL, IFNULL(j, 'x'), COALESCE(j, 'y'), j <=> CAST('null' AS JSON), IF(j IS NULL, 'n', 'v') FROM t ORDER BY id
----
id | j | j IS NULL | JSON_TYPE(j) | JSON_TYPE(j) IS NULL | IFNULL(j, 'x') | COALESCE(j, 'y') | j <=> CAST('null' AS JSON) | IF(j IS NULL, 'n', 'v')
1 | null | 0 | NULL | 0 | null | null | 1 | v
2 | NULL | 1 | NULL | 1 | x | y | 0 | n
3 | 1 | 0 | INTEGER | 0 | 1 | 1 | 0 | v
4 | {"a":null} | 0 | OBJECT | 0 | {"a":null} | {"a":null} | 0 | v
5 | "null" | 0 | STRING | 0 | "null" | "null" | 0 | v
6 | null | 0 | NULL | 0 | null | null | 1 | v
7 | null | 0 | NULL | 0 | null | null | 1 | v
8 | null | 0 | NULL | 0 | null | null | 1 | v
9 | NULL | 1 | NULL | 1 | x | y | 0 | n
10 | NULL | 1 | NULL | 1 | x | y | 0 | n
11 | NULL | 1 | NULL | 1 | x | y | 0 | n

query
SELECT id, g, g IS NULL, h, h IS NULL, d IS NULL, e IS NULL, n, n IS NULL FROM t ORDER BY id
----
id | g | g IS NULL | h | h IS NULL | d IS NULL | e IS NULL | n | n IS NULL
1 | null | 0 | NULL | 1 | 1 | 1 | null | 0
2 | NULL | 1 | NULL | 1 | 1 | 1 | null | 0
3 | 1 | 0 | NULL | 1 | 1 | 1 | null | 0
4 | {"a":null} | 0 | null | 0 | 1 | 1 | null | 0
5 | "null" | 0 | NULL | 1 | 1 | 1 | null | 0
6 | null | 0 | NULL | 1 | 1 | 1 | null | 0
7 | null | 0 | NULL | 1 | 1 | 1 | null | 0
8 | null | 0 | NULL | 1 | 1 | 1 | null | 0
9 | NULL | 1 | NULL | 1 | 1 | 1 | null | 0
10 | NULL | 1 | NULL | 1 | 1 | 1 | null | 0
11 | NULL | 1 | NULL | 1 | 1 | 1 | null | 0

query
SELECT COUNT(j), COUNT(*), COUNT(DISTINCT j), COUNT(h), COUNT(d), COUNT(n) FROM t
----
COUNT(j) | COUNT(*) | COUNT(DISTINCT j) | COUNT(h) | COUNT(d) | COUNT(n)
7 | 11 | 4 | 1 | 0 | 11

query
SELECT MIN(j), MAX(j) FROM t
----
MIN(j) | MAX(j)
null | {"a":null}

query
SELECT COUNT(j) FROM t
----
COUNT(j)
7

query
SELECT COUNT(*) FROM t WHERE j IS NULL
----
COUNT(*)
4

query
SELECT COUNT(*) FROM t WHERE j IS NOT NULL
----
COUNT(*)
7

query
SELECT MIN(j) FROM t
----
MIN(j)
null

query
SELECT MAX(j) FROM t WHERE j < CAST('1' AS JSON)
----
MAX(j)
null

query
SELECT j, COUNT(*) FROM t WHERE j IS NOT NULL GROUP BY j ORDER BY j
----
j | COUNT(*)
null | 4
1 | 1
"null" | 1
{"a":null} | 1

query
SELECT id FROM t WHERE j IS NULL ORDER BY id
----
id
2
9
10
11

query
SELECT id FROM t WHERE NOT j IS NULL ORDER BY id
----
id
1
3
4
5
6
7
8

query
SELECT id FROM t WHERE j = CAST('null' AS JSON) ORDER BY id
----
id
1
6
7
8

query
SELECT id FROM t WHERE j <> CAST('null' AS JSON) ORDER BY id
----
id
3
4
5

query
SELECT id FROM t WHERE j <=> NULL ORDER BY id
----
id
2
9
10
11

query
SELECT id FROM t WHERE j IN (CAST('null' AS JSON), 1) ORDER BY id
----
id
1
3
6
7
8

query
SELECT id FROM t WHERE j < 1 ORDER BY id
----
id
1
6
7
8

query
SELECT id FROM t WHERE j IS NULL OR j = 1 ORDER BY id
----
id
2
3
9
10
11

query
SELECT id FROM t WHERE JSON_TYPE(j) = 'NULL' ORDER BY id
----
id
1
6
7
8

query
SELECT id FROM t WHERE j->'$' IS NULL ORDER BY id
----
id
2
9
10
11

query
SELECT id FROM t WHERE j->'$.a' IS NULL ORDER BY id
----
id
1
2
3
5
6
7
8
9
10
11

query
SELECT id FROM t WHERE j->>'$' = 'null' ORDER BY id
----
id
1
5
6
7
8

query
SELECT id FROM t WHERE JSON_UNQUOTE(j) = 'null' ORDER BY id
----
id
1
5
6
7
8

query
SELECT id FROM t WHERE JSON_CONTAINS(j, 'null') ORDER BY id
----
id
1
6
7
8

query
SELECT id FROM t WHERE JSON_LENGTH(j) = 1 ORDER BY id
----
id
1
3
4
5
6
7
8

query
SELECT id FROM t WHERE JSON_LENGTH(j) IS NULL ORDER BY id
----
id
2
9
10
11

query
SELECT id FROM t WHERE COALESCE(j, 5) = 5 ORDER BY id
----
id
2
9
10
11

query
SELECT id FROM t WHERE JSON_VALUE(j, '$') IS NULL ORDER BY id
----
id
1
2
4
6
7
8
9
10
11

query
SELECT id FROM t WHERE CAST('null' AS JSON) MEMBER OF(j) ORDER BY id
----
id
1
6
7
8

query
SELECT id, j FROM t ORDER BY j, id
----
id | j
2 | NULL
9 | NULL
10 | NULL
11 | NULL
1 | null
6 | null
7 | null
8 | null
3 | 1
5 | "null"
4 | {"a":null}

query
SELECT id, j FROM t ORDER BY j DESC, id LIMIT 6
----
id | j
4 | {"a":null}
5 | "null"
3 | 1
1 | null
6 | null
7 | null

query
SELECT id, j FROM t ORDER BY j LIMIT 6
----
id | j
2 | NULL
9 | NULL
10 | NULL
11 | NULL
1 | null
6 | null

query
SELECT j FROM t ORDER BY j LIMIT 5
----
j
NULL
NULL
NULL
NULL
null

query
SELECT id, j FROM t ORDER BY j IS NULL, j, id LIMIT 5
----
id | j
1 | null
6 | null
7 | null
8 | null
3 | 1

query
SELECT j, COUNT(*), COUNT(j) FROM t GROUP BY j ORDER BY j
----
j | COUNT(*) | COUNT(j)
NULL | 4 | 0
null | 4 | 4
1 | 1 | 1
"null" | 1 | 1
{"a":null} | 1 | 1

query
SELECT DISTINCT j FROM t ORDER BY j
----
j
NULL
null
1
"null"
{"a":null}

query
SELECT a.id, b.id FROM t a JOIN t b ON a.j = b.j ORDER BY 1, 2
----
id | id
1 | 1
1 | 6
1 | 7
1 | 8
3 | 3
4 | 4
5 | 5
6 | 1
6 | 6
6 | 7
6 | 8
7 | 1
7 | 6
7 | 7
7 | 8
8 | 1
8 | 6
8 | 7
8 | 8

query
SELECT a.id, b.id FROM t a LEFT JOIN t b ON a.j <=> b.j AND b.id < 4 ORDER BY 1, 2
----
id | id
1 | 1
2 | 2
3 | 3
4 | NULL
5 | NULL
6 | 1
7 | 1
8 | 1
9 | 2
10 | 2
11 | 2

query
SELECT id FROM t a WHERE EXISTS (SELECT 1 FROM t b WHERE b.j = a.j AND b.id <> a.id) ORDER BY id
----
id
1
6
7
8

query
SELECT id FROM t WHERE j IN (SELECT j FROM t WHERE id = 1) ORDER BY id
----
id
1
6
7
8

query
SELECT id FROM t WHERE j NOT IN (SELECT j FROM t WHERE id = 1) ORDER BY id
----
id
3
4
5

query
SELECT x.j, COUNT(*) FROM (SELECT j FROM t UNION SELECT h FROM t) x GROUP BY x.j ORDER BY 1
----
j | COUNT(*)
NULL | 1
null | 1
1 | 1
"null" | 1
{"a":null} | 1

query
SELECT JSON_ARRAYAGG(j) FROM t WHERE id < 4
----
JSON_ARRAYAGG(j)
[null,null,1]

query
SELECT GROUP_CONCAT(j ORDER BY id) FROM t
----
GROUP_CONCAT(j ORDER BY id)
null,1,{"a":null},"null",null,null,null

query
SELECT ROW_NUMBER() OVER (ORDER BY j, id), id, LAG(j) OVER (ORDER BY id) IS NULL FROM t ORDER BY id
----
ROW_NUMBER() OVER (ORDER BY j, id) | id | LAG(j) OVER (ORDER BY id) IS NULL
5 | 1 | 1
1 | 2 | 0
9 | 3 | 1
11 | 4 | 0
10 | 5 | 0
6 | 6 | 0
7 | 7 | 0
8 | 8 | 0
2 | 9 | 0
3 | 10 | 1
4 | 11 | 1

query
SELECT (SELECT j FROM t WHERE id = 6) IS NULL, (SELECT j FROM t WHERE id = 2) IS NULL
----
(SELECT j FROM t WHERE id = 6) IS NULL | (SELECT j FROM t WHERE id = 2) IS NULL
0 | 1

# What is written.
exec
INSERT INTO t (id, n) VALUES (12, NULL)
----
ERROR 1048 (23000): column name 'n' is non-nullable but attempted to set a value of null

exec
UPDATE t SET n = NULL WHERE id = 1
----
ERROR 1048 (23000): column name 'n' is non-nullable but attempted to set a value of null

exec
UPDATE t SET j = 'null' WHERE id = 2
----
ok, 1 rows

exec
UPDATE t SET j = NULL WHERE id = 1
----
ok, 1 rows

exec
UPDATE t SET j = JSON_SET(j, '$.b', 1) WHERE id IN (2, 4, 10)
----
ok, 1 rows

exec
UPDATE t SET d = 'null', e = 'null' WHERE id IN (3, 5)
----
ok, 2 rows

exec
UPDATE t SET d = DEFAULT, e = DEFAULT WHERE id = 3
----
ok, 1 rows

exec
INSERT INTO t (id, j) VALUES (6, NULL), (10, 'null') AS new ON DUPLICATE KEY UPDATE j = new.j
----
ok, 4 rows

exec
REPLACE INTO t (id, j) VALUES (5, NULL), (7, 'null')
----
ok, 4 rows

query
SELECT id, j, j IS NULL, g IS NULL, h IS NULL, d IS NULL, e IS NULL FROM t ORDER BY id
----
id | j | j IS NULL | g IS NULL | h IS NULL | d IS NULL | e IS NULL
1 | NULL | 1 | 1 | 1 | 1 | 1
2 | null | 0 | 0 | 1 | 1 | 1
3 | 1 | 0 | 0 | 1 | 1 | 1
4 | {"a":null,"b":1} | 0 | 0 | 0 | 1 | 1
5 | NULL | 1 | 1 | 1 | 1 | 1
6 | NULL | 1 | 1 | 1 | 1 | 1
7 | null | 0 | 0 | 1 | 1 | 1
8 | null | 0 | 0 | 1 | 1 | 1
9 | NULL | 1 | 1 | 1 | 1 | 1
10 | null | 0 | 0 | 1 | 1 | 1
11 | NULL | 1 | 1 | 1 | 1 | 1

query
CHECK TABLE t
----
Table | Op | Msg_type | Msg_text
d.t | check | status | OK

# Copies, and other columns.
exec
CREATE TABLE copied AS SELECT id, j, d FROM t
----
ok, 11 rows

query
SELECT id, j IS NULL, d IS NULL FROM copied ORDER BY id
----
id | j IS NULL | d IS NULL
1 | 1 | 1
2 | 0 | 1
3 | 0 | 1
4 | 0 | 1
5 | 1 | 1
6 | 1 | 1
7 | 0 | 1
8 | 0 | 1
9 | 1 | 1
10 | 0 | 1
11 | 1 | 1

exec
CREATE TABLE likened LIKE t
----
ok, 0 rows

exec
INSERT INTO likened (id, j, d) SELECT id, j, d FROM copied
----
ok, 11 rows

query
SELECT id, j IS NULL, g IS NULL, d IS NULL FROM likened ORDER BY id
----
id | j IS NULL | g IS NULL | d IS NULL
1 | 1 | 1 | 1
2 | 0 | 0 | 1
3 | 0 | 0 | 1
4 | 0 | 0 | 1
5 | 1 | 1 | 1
6 | 1 | 1 | 1
7 | 0 | 0 | 1
8 | 0 | 0 | 1
9 | 1 | 1 | 1
10 | 0 | 0 | 1
11 | 1 | 1 | 1

exec
ALTER TABLE copied ADD k JSON, ADD m JSON NOT NULL, ADD o JSON DEFAULT (CAST('null' AS JSON)), ADD p JSON AS (JSON_EXTRACT(j, '$')), ADD q JSON DEFAULT NULL
----
ok, 0 rows

exec
ALTER TABLE copied ADD CHECK (JSON_VALID(k))
----
ok, 0 rows

query
SELECT id, k IS NULL, m, m IS NULL, o, o IS NULL, p IS NULL, q IS NULL FROM copied ORDER BY id
----
id | k IS NULL | m | m IS NULL | o | o IS NULL | p IS NULL | q IS NULL
1 | 1 | null | 0 | null | 0 | 1 | 1
2 | 1 | null | 0 | null | 0 | 0 | 1
3 | 1 | null | 0 | null | 0 | 0 | 1
4 | 1 | null | 0 | null | 0 | 0 | 1
5 | 1 | null | 0 | null | 0 | 1 | 1
6 | 1 | null | 0 | null | 0 | 1 | 1
7 | 1 | null | 0 | null | 0 | 0 | 1
8 | 1 | null | 0 | null | 0 | 0 | 1
9 | 1 | null | 0 | null | 0 | 1 | 1
10 | 1 | null | 0 | null | 0 | 0 | 1
11 | 1 | null | 0 | null | 0 | 1 | 1

exec
INSERT INTO copied (id, j, m, k) VALUES (20, 'null', 'null', 'null'), (21, NULL, '1', NULL)
----
ok, 2 rows

query
SELECT id, j IS NULL, k IS NULL, m IS NULL, o IS NULL, p IS NULL, q IS NULL FROM copied WHERE id >= 20 ORDER BY id
----
id | j IS NULL | k IS NULL | m IS NULL | o IS NULL | p IS NULL | q IS NULL
20 | 0 | 0 | 0 | 0 | 0 | 1
21 | 1 | 1 | 0 | 0 | 1 | 1

exec
ALTER TABLE copied MODIFY j JSON NOT NULL
----
ERROR 1138 (22004): Invalid use of NULL value: column 'j'

exec
DELETE FROM copied WHERE j IS NULL
----
ok, 6 rows

exec
ALTER TABLE copied MODIFY j JSON NOT NULL
----
ok, 0 rows

exec
ALTER TABLE copied RENAME COLUMN k TO kk, CHANGE d dd JSON COMMENT 'null'
----
ERROR 3959 (HY000): can't alter column "k" because it would invalidate check constraint "copied_chk_1"

query
SELECT id, kk IS NULL, dd IS NULL FROM copied ORDER BY id
----
ERROR 1054 (42S22): column "kk" could not be found in any table in scope

query
CHECK TABLE copied, likened
----
Table | Op | Msg_type | Msg_text
d.copied | check | status | OK
d.likened | check | status | OK

exec
RENAME TABLE copied TO moved
----
ok, 0 rows

query
SELECT COUNT(*), COUNT(j), COUNT(kk) FROM moved
----
ERROR 1054 (42S22): column "kk" could not be found in any table in scope

exec
TRUNCATE moved
----
ok, 7 rows

exec
INSERT INTO moved (id, j, m) VALUES (1, 'null', 'null')
----
ok, 1 rows

query
SELECT j, j IS NULL, kk IS NULL FROM moved
----
ERROR 1054 (42S22): column "kk" could not be found in any table in scope

exec
CREATE VIEW v AS SELECT id, j FROM t WHERE j IS NOT NULL
----
ok, 0 rows

query
SELECT id, j IS NULL FROM v ORDER BY id
----
id | j IS NULL
2 | 0
3 | 0
4 | 0
7 | 0
8 | 0
10 | 0

query
SELECT COUNT(j) FROM v
----
COUNT(j)
6

# Another type, and back.
exec
CREATE TABLE typed (id INT PRIMARY KEY, v VARCHAR(20))
----
ok, 0 rows

exec
INSERT INTO typed VALUES (1, 'null'), (2, NULL), (3, '5'), (4, '"x"')
----
ok, 4 rows

exec
ALTER TABLE typed MODIFY v JSON
----
ok, 0 rows

query
SELECT id, v, v IS NULL FROM typed ORDER BY id
----
id | v | v IS NULL
1 | null | 0
2 | NULL | 1
3 | 5 | 0
4 | "x" | 0

query
SELECT id FROM typed WHERE v IS NULL
----
id
2

query
SELECT id FROM typed WHERE v = CAST('null' AS JSON)
----
id
1

query
SELECT COUNT(v), COUNT(DISTINCT v) FROM typed
----
COUNT(v) | COUNT(DISTINCT v)
3 | 3

query
SELECT id, v FROM typed ORDER BY v
----
id | v
2 | NULL
1 | null
3 | 5
4 | "x"

exec
INSERT INTO typed VALUES (5, NULL), (6, 'null')
----
ok, 2 rows

exec
ALTER TABLE typed MODIFY v INT
----
ERROR 1366 (HY000): Incorrect integer value: 'null' for column 'v' at row 1

exec
ALTER TABLE typed MODIFY v VARCHAR(10)
----
ok, 0 rows

query
SELECT id, v, v IS NULL FROM typed ORDER BY id
----
id | v | v IS NULL
1 | null | 0
2 | NULL | 1
3 | 5 | 0
4 | "x" | 0
5 | NULL | 1
6 | null | 0

query
SELECT id FROM typed WHERE v = 'null' ORDER BY id
----
id
1
6

exec
ALTER TABLE typed MODIFY v JSON NOT NULL
----
ERROR 1138 (22004): Invalid use of NULL value: column 'v'

exec
UPDATE typed SET v = '7' WHERE v IS NULL
----
ok, 2 rows

exec
ALTER TABLE typed MODIFY v JSON NOT NULL
----
ok, 0 rows

query
SELECT id, v FROM typed WHERE v IS NULL OR v = CAST('null' AS JSON) ORDER BY id
----
id | v
1 | null
6 | null

query
CHECK TABLE typed
----
Table | Op | Msg_type | Msg_text
d.typed | check | status | OK

exec
CREATE TABLE keyed (j JSON PRIMARY KEY)
----
ERROR 3152 (42000): JSON column 'j' supports indexing only via generated columns on a specified JSON path

exec
CREATE TABLE keyed (i INT, j JSON, PRIMARY KEY (i, j))
----
ERROR 3152 (42000): JSON column 'j' supports indexing only via generated columns on a specified JSON path

# An open table's documents leave a member out or have null there: both are NULL in its columns.
exec
CREATE TABLE o (_id INT PRIMARY KEY, j JSON, _doc JSON)
----
ok, 0 rows

exec
INSERT INTO o (_doc) VALUES ('{"_id": 1, "j": null}'), ('{"_id": 2}'), ('{"_id": 3, "j": 1}')
----
ok, 3 rows

exec
INSERT INTO o (_id, j) VALUES (4, 'null'), (5, NULL)
----
ok, 2 rows

query
SELECT _id, j IS NULL, _doc->'$.j' IS NULL FROM o ORDER BY _id
----
_id | j IS NULL | _doc->'$.j' IS NULL
1 | 1 | 0
2 | 1 | 1
3 | 0 | 0
4 | 1 | 0
5 | 1 | 0

query
SELECT COUNT(j), COUNT(_doc->'$.j') FROM o
----
COUNT(j) | COUNT(_doc->'$.j')
1 | 4

query
CHECK TABLE o
----
Table | Op | Msg_type | Msg_text
d.o | check | status | OK

query
SELECT JSON_TYPE(NULL) IS NULL, JSON_TYPE('null') IS NULL, JSON_TYPE(JSON_EXTRACT('[1]', '$[1]')) IS NULL
----
JSON_TYPE(NULL) IS NULL | JSON_TYPE('null') IS NULL | JSON_TYPE(JSON_EXTRACT('[1]', '$[1]')) IS NULL
1 | 0 | 1

# Without strict rules NOT NULL makes a JSON null of NULL.
exec
SET sql_mode = ''
----
ok, 0 rows

exec
CREATE TABLE lenient (id INT PRIMARY KEY, j JSON NOT NULL, k JSON)
----
ok, 0 rows

exec
INSERT INTO lenient (id, j) VALUES (1, NULL), (2, 'null')
----
ok, 2 rows

exec
INSERT INTO lenient (id) VALUES (3)
----
ok, 1 rows

exec
UPDATE lenient SET j = NULL WHERE id = 2
----
ok, 0 rows

query
SELECT id, j, j IS NULL, k IS NULL FROM lenient ORDER BY id
----
id | j | j IS NULL | k IS NULL
1 | null | 0 | 1
2 | null | 0 | 1
3 | null | 0 | 1

exec
ALTER TABLE lenient MODIFY k JSON NOT NULL
----
ok, 0 rows

exec
ALTER TABLE lenient MODIFY j INT
----
ok, 0 rows

query
SELECT id, j, k, k IS NULL FROM lenient ORDER BY id
----
id | j | k | k IS NULL
1 | 0 | null | 0
2 | 0 | null | 0
3 | 0 | null | 0

exec
SET sql_mode = DEFAULT
----
ok, 0 rows

query
CHECK TABLE lenient
----
Table | Op | Msg_type | Msg_text
d.lenient | check | status | OK

exec
CREATE TEMPORARY TABLE tmp (id INT, j JSON)
----
ok, 0 rows

exec
INSERT INTO tmp VALUES (1, 'null'), (2, NULL)
----
ok, 2 rows

query
SELECT id, j IS NULL FROM tmp ORDER BY id
----
id | j IS NULL
1 | 0
2 | 1

exec
ALTER TABLE tmp ADD k JSON DEFAULT NULL, MODIFY j TEXT
----
ok, 0 rows

query
SELECT id, j, j IS NULL, k IS NULL FROM tmp ORDER BY id
----
id | j | j IS NULL | k IS NULL
1 | null | 0 | 1
2 | NULL | 1 | 1

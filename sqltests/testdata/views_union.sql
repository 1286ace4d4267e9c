# Conditions on views, derived tables and common table expressions that are made by set operations are asked of each side.
exec
CREATE TABLE t (_id INT PRIMARY KEY, _doc JSON);
CREATE TABLE a (id INT PRIMARY KEY, k INT, s VARCHAR(10), KEY (k), KEY (s));
CREATE TABLE b (id INT PRIMARY KEY, k INT, s VARCHAR(10), KEY (k), KEY (s));
INSERT INTO a (id, k, s)
WITH RECURSIVE r (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM r WHERE i < 299)
SELECT i, i DIV 3, CONCAT(IF(i % 2, 'a', 'A'), i % 7) FROM r;
INSERT INTO b SELECT id, k + 1, s FROM a;
INSERT INTO t SELECT id, JSON_OBJECT('n', k, 's', s) FROM a;
CREATE TABLE c (id BIGINT PRIMARY KEY, k INT UNSIGNED, s VARCHAR(20), d DECIMAL(10, 2), y YEAR, e ENUM('x', 'Y', 'z'), dt DATE, bin VARCHAR(10) COLLATE utf8mb4_bin, ci VARCHAR(10) COLLATE utf8mb4_0900_ai_ci, KEY (k), KEY (s), KEY (d), KEY (y), KEY (e), KEY (dt), KEY (bin), KEY (ci));
INSERT INTO c SELECT id, k, s, k / 3, 2000 + k % 30, 1 + k % 3, DATE_ADD('2020-01-01', INTERVAL k DAY), s, s FROM a;
CREATE VIEW both_of AS SELECT 'a' AS kind, id, k, s FROM a UNION ALL SELECT 'b', id, k, s FROM b;
----
ok, 0 rows
ok, 0 rows
ok, 0 rows
ok, 300 rows
ok, 300 rows
ok, 300 rows
ok, 0 rows
ok, 300 rows
ok, 0 rows

# A side that gives another constant reads nothing.
query
EXPLAIN FORMAT=TREE SELECT * FROM both_of WHERE kind = 'b' AND k = 7
----
EXPLAIN
-> Project: both_of.kind, both_of.id, both_of.k, both_of.s
    -> Derived table both_of
        -> Union all
            -> Project: 'a' as kind, a.id, a.k, a.s
                -> No rows
            -> Project: 'b', b.id, b.k, b.s
                -> Index lookup on b using k
                     range: `k` in 7
                     keys: 3 counted of 300
                     tight
                     cost: 6.1, a full scan costs 300.0

query
SELECT * FROM both_of WHERE kind = 'b' AND k = 7
----
kind | id | k | s
b | 18 | 7 | A4
b | 19 | 7 | a5
b | 20 | 7 | A6

query
SHOW STATUS WHERE Variable_name IN ('sqlfdb_last_keys', 'sqlfdb_last_documents')
----
Variable_name | Value
sqlfdb_last_documents | 3
sqlfdb_last_keys | 3

# Rows that are equal are made one after the condition is asked as before it: where it can tell those apart it is asked of the result.
query
EXPLAIN SELECT * FROM (SELECT ci FROM c UNION SELECT ci FROM c) u WHERE ci > 'a5'
----
id | select_type | table | partitions | type | possible_keys | key | key_len | ref | rows | filtered | Extra
1 | PRIMARY | <derived2> | NULL | ALL | NULL | NULL | NULL | NULL | NULL | NULL |
2 | DERIVED | c | NULL | range | ci | ci | NULL | NULL | 42 | 100 | Using index
3 | UNION | c | NULL | range | ci | ci | NULL | NULL | 42 | 100 | Using index
NULL | UNION RESULT | <union2,3> | NULL | ALL | NULL | NULL | NULL | NULL | NULL | NULL | Using temporary

query
SELECT * FROM (SELECT ci FROM c UNION SELECT ci FROM c) u WHERE ci > 'a5'
----
ci
A6

query
SHOW STATUS WHERE Variable_name IN ('sqlfdb_last_keys', 'sqlfdb_last_documents')
----
Variable_name | Value
sqlfdb_last_documents | 0
sqlfdb_last_keys | 84

query
EXPLAIN FORMAT=TREE SELECT * FROM (SELECT ci FROM c UNION SELECT ci FROM c) u WHERE HEX(ci) = '4136'
----
EXPLAIN
-> Derived table u
    -> Filter: (hex(ci) = '4136')
        -> Union
            -> Project: c.ci
                -> Table scan on c
                     documents: 300, exactly
            -> Project: c.ci
                -> Table scan on c
                     documents: 300, exactly

query
SELECT * FROM (SELECT ci FROM c UNION SELECT ci FROM c) u WHERE HEX(ci) = '4136'
----
ci
A6

query
SELECT * FROM (SELECT ci FROM c WHERE id > 12 UNION SELECT ci FROM c) u WHERE HEX(ci) = '6136'
----
ci
a6

query
SELECT * FROM (SELECT ci FROM c UNION SELECT ci FROM c) u WHERE ci > 5
----
ci

query
SELECT * FROM (SELECT s FROM a UNION SELECT s FROM b) u WHERE HEX(s) = '4136'
----
s
A6

query
SELECT * FROM (SELECT k, s FROM a INTERSECT SELECT k, s FROM b) u WHERE k = 8
----
k | s

query
SHOW STATUS WHERE Variable_name IN ('sqlfdb_last_keys', 'sqlfdb_last_documents')
----
Variable_name | Value
sqlfdb_last_documents | 6
sqlfdb_last_keys | 6

query
SELECT * FROM (SELECT k, s FROM a EXCEPT SELECT k, s FROM b) u WHERE k = 8
----
k | s
8 | A3
8 | a4
8 | A5

query
SHOW STATUS WHERE Variable_name IN ('sqlfdb_last_keys', 'sqlfdb_last_documents')
----
Variable_name | Value
sqlfdb_last_documents | 6
sqlfdb_last_keys | 6

query
SELECT * FROM (SELECT k, s FROM a EXCEPT ALL SELECT k, s FROM b) u WHERE k = 8
----
k | s
8 | A3
8 | a4
8 | A5

query
SHOW STATUS WHERE Variable_name IN ('sqlfdb_last_keys', 'sqlfdb_last_documents')
----
Variable_name | Value
sqlfdb_last_documents | 6
sqlfdb_last_keys | 6

query
SELECT * FROM (SELECT k, id FROM a INTERSECT ALL SELECT k, id + 1 FROM a) u WHERE k = 8
----
k | id
8 | 25
8 | 26

# Set operations within others.
query
SELECT * FROM (SELECT id x, s y FROM a UNION SELECT 2, 'r' UNION ALL (SELECT id, s FROM b INTERSECT SELECT id, s FROM c)) u WHERE x = 2
----
x | y
2 | A2
2 | r
2 | A2

query
SHOW STATUS WHERE Variable_name IN ('sqlfdb_last_keys', 'sqlfdb_last_documents')
----
Variable_name | Value
sqlfdb_last_documents | 3
sqlfdb_last_keys | 0

query
SELECT * FROM (SELECT id x, s y FROM a EXCEPT (SELECT 2, 'r' UNION ALL (SELECT id, s FROM b INTERSECT SELECT id, s FROM a WHERE id < 50))) u WHERE x BETWEEN 48 AND 52
----
x | y
50 | A1
51 | a2
52 | A3

query
SHOW STATUS WHERE Variable_name IN ('sqlfdb_last_keys', 'sqlfdb_last_documents')
----
Variable_name | Value
sqlfdb_last_documents | 355
sqlfdb_last_keys | 0

# Columns by their places: under other names, one twice, in an order of their own.
query
SELECT * FROM (SELECT id x, id y FROM a UNION ALL SELECT id, k FROM b) u WHERE y = 3
----
x | y
3 | 3
6 | 3
7 | 3
8 | 3

query
SHOW STATUS WHERE Variable_name IN ('sqlfdb_last_keys', 'sqlfdb_last_documents')
----
Variable_name | Value
sqlfdb_last_documents | 1
sqlfdb_last_keys | 3

query
SELECT * FROM (SELECT k, id FROM a UNION ALL SELECT k, id FROM b) u WHERE id = 5
----
k | id
1 | 5
2 | 5

query
SHOW STATUS WHERE Variable_name IN ('sqlfdb_last_keys', 'sqlfdb_last_documents')
----
Variable_name | Value
sqlfdb_last_documents | 2
sqlfdb_last_keys | 0

query
SELECT * FROM (SELECT k, id FROM a UNION ALL SELECT k, id FROM b LIMIT 500) u WHERE id = 5
----
k | id
1 | 5
2 | 5

query
SELECT * FROM (SELECT 'a' AS kind, id FROM a UNION ALL SELECT 'b', id FROM b LIMIT 302) u WHERE kind = 'b'
----
kind | id
b | 0
b | 1

query
SELECT u.id, c.k FROM (SELECT k, id FROM a UNION ALL SELECT k, id FROM b LIMIT 500) u JOIN c ON c.id = u.id AND u.id = 5
----
id | k
5 | 1
5 | 1

# What is computed without a name.
query
SELECT * FROM (SELECT k, k + 1 FROM a UNION ALL SELECT id, k FROM b) u WHERE k = 3
----
k | k + 1
3 | 4
3 | 4
3 | 4
3 | 2

# Columns without names of their own in set operations within others, and one twice.
query
SELECT k + 1, k + 2 FROM a WHERE id < 4 UNION ALL SELECT id, k FROM b WHERE id < 2 UNION SELECT s, id FROM a WHERE id < 2
----
k + 1 | k + 2
1 | 2
2 | 3
0 | 1
1 | 1
A0 | 0
a1 | 1

query
SELECT * FROM (SELECT k, k FROM a UNION SELECT s, id FROM b UNION ALL SELECT d, id FROM c) AS u (x, y) WHERE y = 3
----
x | y
3 | 3
a3 | 3
0.33 | 3

query
SELECT s, id FROM a WHERE id < 2 UNION ALL (SELECT 1, 1 UNION SELECT s, id FROM a WHERE id < 1) ORDER BY 1, 2
----
s | id
1 | 1
A0 | 0
A0 | 0
a1 | 1

# A derived column that is no longer what the plan builder takes it for, in another set operation.
query
SELECT v FROM (SELECT dt AS v FROM c WHERE id < 3 UNION ALL SELECT d FROM c WHERE id < 9) u INTERSECT SELECT n FROM (SELECT _doc->>'$.n' AS n FROM t UNION ALL SELECT '0.67') w
----
v
0.67

query
SELECT v FROM (SELECT TIME '10:00:00' AS v UNION ALL SELECT 1.5) u INTERSECT SELECT s FROM t
----
v

# Columns of two types: what is the same number in both is looked up.
query
EXPLAIN SELECT * FROM (SELECT id, k FROM a UNION ALL SELECT id, k FROM c) u WHERE k = 3
----
id | select_type | table | partitions | type | possible_keys | key | key_len | ref | rows | filtered | Extra
1 | PRIMARY | <derived2> | NULL | ALL | NULL | NULL | NULL | NULL | NULL | NULL |
2 | DERIVED | a | NULL | ref | k | k | NULL | const | 3 | 100 | Using index
3 | UNION | c | NULL | ref | k | k | NULL | const | 3 | 100 | Using index

query
SELECT * FROM (SELECT id, k FROM a UNION ALL SELECT id, k FROM c) u WHERE k = 3
----
id | k
9 | 3
10 | 3
11 | 3
9 | 3
10 | 3
11 | 3

query
SHOW STATUS WHERE Variable_name IN ('sqlfdb_last_keys', 'sqlfdb_last_documents')
----
Variable_name | Value
sqlfdb_last_documents | 0
sqlfdb_last_keys | 6

query
SELECT * FROM (SELECT id, k AS v FROM a UNION ALL SELECT id, d FROM c) u WHERE v = 3
----
id | v
9 | 3.00
10 | 3.00
11 | 3.00
27 | 3.00
28 | 3.00
29 | 3.00

query
SHOW STATUS WHERE Variable_name IN ('sqlfdb_last_keys', 'sqlfdb_last_documents')
----
Variable_name | Value
sqlfdb_last_documents | 0
sqlfdb_last_keys | 6

query
SELECT * FROM (SELECT id, k AS v FROM a UNION ALL SELECT id, d FROM c) u WHERE CONCAT(v) = '3.00' AND id < 30
----
id | v
9 | 3.00
10 | 3.00
11 | 3.00
27 | 3.00
28 | 3.00
29 | 3.00

query
SELECT * FROM (SELECT id, k AS v FROM a UNION ALL SELECT id, s FROM c) u WHERE v = 3 AND id < 20
----
id | v
9 | 3
10 | 3
11 | 3

query
SELECT * FROM (SELECT id, k AS v FROM a UNION ALL SELECT id, s FROM c) u WHERE v = 'a3' AND id < 20
----
id | v
3 | a3
17 | a3

query
SELECT * FROM (SELECT id, NULL AS v FROM a UNION ALL SELECT id, k FROM c) u WHERE v = 3
----
id | v
9 | 3
10 | 3
11 | 3

query
SHOW STATUS WHERE Variable_name IN ('sqlfdb_last_keys', 'sqlfdb_last_documents')
----
Variable_name | Value
sqlfdb_last_documents | 0
sqlfdb_last_keys | 3

query
SELECT * FROM (SELECT id, NULL AS v FROM a UNION ALL SELECT id, k FROM c) u WHERE v IS NULL AND id < 3
----
id | v
0 | NULL
1 | NULL
2 | NULL

query
SELECT * FROM (SELECT id, y FROM c UNION ALL SELECT id, k + 2000 FROM a) u WHERE y = 3
----
id | y

query
SELECT * FROM (SELECT id, y FROM c UNION ALL SELECT id, y FROM c) u WHERE y = 3 AND id < 20
----
id | y

query
SELECT * FROM (SELECT id, e FROM c UNION ALL SELECT id, s FROM a) u WHERE e IN ('y', 'a3') AND id < 7
----
id | e
3 | a3

query
SELECT * FROM (SELECT id, e FROM c UNION SELECT id, e FROM c) u WHERE e = 2 AND id < 7
----
id | e
3 | Y
4 | Y
5 | Y

query
SELECT * FROM (SELECT id, dt FROM c UNION ALL SELECT id, '2020-01-05 12:00:00' FROM a) u WHERE dt >= '2020-01-05' AND dt < '2020-01-06' AND id < 15
----
id | dt
12 | 2020-01-05
13 | 2020-01-05
14 | 2020-01-05
0 | 2020-01-05 12:00:00
1 | 2020-01-05 12:00:00
2 | 2020-01-05 12:00:00
3 | 2020-01-05 12:00:00
4 | 2020-01-05 12:00:00
5 | 2020-01-05 12:00:00
6 | 2020-01-05 12:00:00
7 | 2020-01-05 12:00:00
8 | 2020-01-05 12:00:00
9 | 2020-01-05 12:00:00
10 | 2020-01-05 12:00:00
11 | 2020-01-05 12:00:00
12 | 2020-01-05 12:00:00
13 | 2020-01-05 12:00:00
14 | 2020-01-05 12:00:00

query
SELECT * FROM (SELECT id, bin FROM c UNION ALL SELECT id, bin FROM c) u WHERE bin = 'A3' AND id < 30
----
id | bin
10 | A3
24 | A3
10 | A3
24 | A3

query
SELECT * FROM (SELECT id, s AS v FROM a UNION ALL SELECT id, bin FROM c) u WHERE v = 'A3' AND id < 30
----
id | v
10 | A3
24 | A3
10 | A3
24 | A3

query
SELECT * FROM (SELECT _doc->'$.n' AS n, _id FROM t UNION ALL SELECT k, id FROM a) u WHERE n = 7
----
n | _id
7 | 21
7 | 22
7 | 23
7 | 21
7 | 22
7 | 23

query
SHOW STATUS WHERE Variable_name IN ('sqlfdb_last_keys', 'sqlfdb_last_documents')
----
Variable_name | Value
sqlfdb_last_documents | 3
sqlfdb_last_keys | 6

query
SELECT * FROM (SELECT n, _id FROM t UNION SELECT k, id FROM a) u WHERE n = 7
----
n | _id
7 | 21
7 | 22
7 | 23

query
SHOW STATUS WHERE Variable_name IN ('sqlfdb_last_keys', 'sqlfdb_last_documents')
----
Variable_name | Value
sqlfdb_last_documents | 0
sqlfdb_last_keys | 6

# A side that can't be asked is left alone, and the result is asked: limits, windows, groups without GROUP BY, random values.
query
SELECT * FROM ((SELECT s, id FROM a ORDER BY id LIMIT 5) UNION ALL SELECT s, id FROM b) u WHERE s = 'a3' AND id < 20
----
s | id
a3 | 3
a3 | 3
a3 | 17

query
SHOW STATUS WHERE Variable_name IN ('sqlfdb_last_keys', 'sqlfdb_last_documents')
----
Variable_name | Value
sqlfdb_last_documents | 25
sqlfdb_last_keys | 0

query
SELECT * FROM (SELECT s, id FROM a UNION ALL SELECT s, id FROM b ORDER BY id LIMIT 50) u WHERE s = 'a3' AND id < 20
----
s | id
a3 | 3
a3 | 3
a3 | 17
a3 | 17

query
SELECT * FROM (SELECT k, ROW_NUMBER() OVER (ORDER BY id) AS r FROM a UNION ALL SELECT k, id FROM b) u WHERE k = 8
----
k | r
8 | 25
8 | 26
8 | 27
8 | 21
8 | 22
8 | 23

query
SHOW STATUS WHERE Variable_name IN ('sqlfdb_last_keys', 'sqlfdb_last_documents')
----
Variable_name | Value
sqlfdb_last_documents | 300
sqlfdb_last_keys | 3

query
SELECT * FROM (SELECT 'all' AS s, COUNT(*) AS n FROM a UNION ALL SELECT s, COUNT(*) FROM b GROUP BY s) u WHERE s = 'a3'
----
s | n
a3 | 22

query
SHOW STATUS WHERE Variable_name IN ('sqlfdb_last_keys', 'sqlfdb_last_documents')
----
Variable_name | Value
sqlfdb_last_documents | 0
sqlfdb_last_keys | 22

query
SELECT COUNT(*) FROM (SELECT id, RAND() AS r FROM a UNION ALL SELECT id, 3 FROM b) u WHERE r > 2
----
COUNT(*)
300

# The group of no rows is one.
query
SELECT * FROM (SELECT 'x' AS kind, COUNT(*) AS n FROM a) u WHERE kind = 'y'
----
kind | n

# In joins, common table expressions, subqueries; recursion stays as it is.
query
WITH w AS (SELECT s, id FROM a UNION ALL SELECT s, id FROM b) SELECT x.id, y.s FROM w x JOIN w y ON x.id = y.id WHERE x.id < 11 AND y.s = 'a3'
----
id | s
3 | a3
3 | a3
3 | a3
3 | a3

query
SHOW STATUS WHERE Variable_name IN ('sqlfdb_last_keys', 'sqlfdb_last_documents')
----
Variable_name | Value
sqlfdb_last_documents | 22
sqlfdb_last_keys | 44

query
SELECT a.id, u.s FROM a LEFT JOIN (SELECT id, s FROM a UNION ALL SELECT id, s FROM b) u ON a.id = u.id AND u.id < 7 WHERE a.id IN (5, 8)
----
id | s
5 | a5
5 | a5
8 | NULL

query
SHOW STATUS WHERE Variable_name IN ('sqlfdb_last_keys', 'sqlfdb_last_documents')
----
Variable_name | Value
sqlfdb_last_documents | 2
sqlfdb_last_keys | 2

query
SELECT a.id, u.s FROM a LEFT JOIN (SELECT id, s FROM a UNION ALL SELECT id, s FROM b) u ON u.id = 7 WHERE a.id IN (5, 8)
----
id | s
5 | a0
5 | a0
8 | a0
8 | a0

query
SHOW STATUS WHERE Variable_name IN ('sqlfdb_last_keys', 'sqlfdb_last_documents')
----
Variable_name | Value
sqlfdb_last_documents | 2
sqlfdb_last_keys | 2

query
SELECT id FROM a WHERE id IN (SELECT u.k FROM (SELECT k, id FROM a UNION ALL SELECT k, id FROM b) u WHERE u.id = 77)
----
id
25
26

query
SELECT id, (SELECT COUNT(*) FROM (SELECT k, id FROM a UNION ALL SELECT k, id FROM b) u WHERE u.id = c.id) AS n FROM c WHERE id < 3
----
id | n
0 | 2
1 | 2
2 | 2

query
WITH RECURSIVE r AS (SELECT k, id FROM a WHERE id < 9 UNION ALL SELECT k + 1, id FROM r WHERE k < 3) SELECT * FROM r WHERE id = 5
----
k | id
1 | 5
2 | 5
3 | 5

prepared
: 7
: b
SELECT * FROM both_of WHERE k = ? AND kind = ?
----
kind | id | k | s
b | 18 | 7 | A4
b | 19 | 7 | a5
b | 20 | 7 | A6

prepared
: 8
: b
SELECT * FROM both_of WHERE k = ? AND kind = ?
----
kind | id | k | s
b | 21 | 8 | a0
b | 22 | 8 | A1
b | 23 | 8 | a2

# A condition that is NULL whatever the row reads nothing.
query
EXPLAIN FORMAT=TREE SELECT * FROM a WHERE k > 3 AND NULL = 3
----
EXPLAIN
-> No rows

query
SELECT COUNT(*) FROM a WHERE NULL
----
COUNT(*)
0

query
SHOW STATUS WHERE Variable_name IN ('sqlfdb_last_keys', 'sqlfdb_last_documents')
----
Variable_name | Value
sqlfdb_last_documents | 0
sqlfdb_last_keys | 0

query
SELECT COUNT(*) FROM a WHERE NULL OR k = 3
----
COUNT(*)
3

query
SELECT COUNT(*) FROM a WHERE NOT (NULL AND k = 3)
----
COUNT(*)
297

query
SELECT COUNT(*), COUNT(b.id) FROM a LEFT JOIN b ON NULL
----
COUNT(*) | COUNT(b.id)
300 | 0

exec
DELETE FROM a WHERE NULL;
UPDATE a SET k = 1 WHERE k = 3 AND NULL;
----
ok, 0 rows
ok, 0 rows

exec
CHECK TABLE a;
CHECK TABLE b;
CHECK TABLE c;
CHECK TABLE t;
----
ok, 0 rows
ok, 0 rows
ok, 0 rows
ok, 0 rows

# JSON beside a text is a text, in conditions too.
exec
CREATE TABLE kinds (_id INT PRIMARY KEY, _doc JSON);
INSERT INTO kinds (_doc) VALUES ('{"_id":1,"a":[]}'), ('{"_id":2,"a":{}}'), ('{"_id":3,"a":[1]}'), ('{"_id":4,"a":true}'), ('{"_id":5,"a":null}'), ('{"_id":6,"a":5}'), ('{"_id":7,"a":"x"}'), ('{"_id":8}')
----
ok, 0 rows
ok, 8 rows

query
SELECT GROUP_CONCAT(c ORDER BY c) FROM (SELECT IFNULL(x, '') AS c FROM kinds UNION ALL SELECT a FROM kinds) AS t WHERE c <= 'zz' AND c <> ''
----
GROUP_CONCAT(c ORDER BY c)
"x",[],[1],{},5,true

query
SELECT COUNT(*) FROM (SELECT IFNULL(x, '') AS c FROM kinds UNION ALL SELECT a FROM kinds) AS t WHERE NOT c > 'a b'
----
COUNT(*)
13

query
SELECT c FROM (SELECT IFNULL(x, '') AS c FROM kinds UNION ALL SELECT a FROM kinds) AS t WHERE c IN ('[]', '5', 'true') ORDER BY c
----
c
[]
5
true

query
CHECK TABLE kinds
----
Table | Op | Msg_type | Msg_text
d.kinds | check | status | OK

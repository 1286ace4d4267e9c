# Aliases of the select list in expressions of ORDER BY, where a column of the tables goes before them; a name by itself is the alias.
exec
CREATE TABLE v (_id INT PRIMARY KEY, a INT, b INT, c VARCHAR(10), _doc JSON);
INSERT INTO v (_id, a, b, c) VALUES (1, 1, 10, 'x'), (2, 2, 20, 'y'), (3, NULL, 30, NULL), (4, 2, NULL, 'z');
CREATE TABLE w (_id INT PRIMARY KEY, a INT, b INT);
INSERT INTO w VALUES (1, 1, 1), (2, 2, NULL), (5, 7, 7);
CREATE VIEW ordered AS SELECT a AS x, _id FROM v ORDER BY x IS NULL, x DESC, _id
----
ok, 0 rows
ok, 4 rows
ok, 0 rows
ok, 3 rows
ok, 0 rows

query
SELECT a AS x FROM v ORDER BY x IS NULL, x
----
x
1
2
2
NULL

query
SELECT a AS x, _id FROM v ORDER BY ISNULL(x), -x, _id
----
x | _id
2 | 2
2 | 4
1 | 1
NULL | 3

query
SELECT a AS b, _id FROM v ORDER BY b, _id
----
b | _id
NULL | 3
1 | 1
2 | 2
2 | 4

query
SELECT a AS b, _id FROM v ORDER BY b + 0, _id
----
b | _id
2 | 4
1 | 1
2 | 2
NULL | 3

query
SELECT b AS a, a AS b, _id FROM v ORDER BY a IS NULL, a, b IS NULL, b
----
a | b | _id
NULL | 2 | 4
10 | 1 | 1
20 | 2 | 2
30 | NULL | 3

query
SELECT a k, COUNT(*) AS n FROM v GROUP BY k ORDER BY n + 1 DESC, k
----
k | n
2 | 2
NULL | 1
1 | 1

query
SELECT a k, COUNT(*) AS n FROM v GROUP BY a ORDER BY ISNULL(n), -n, k
----
k | n
2 | 2
NULL | 1
1 | 1

query
SELECT a k, SUM(b) AS s FROM v GROUP BY k ORDER BY k IS NULL, k
----
k | s
1 | 10
2 | 20
NULL | 30

query
SELECT a k, SUM(b) AS s FROM v GROUP BY k ORDER BY s IS NULL, s
----
k | s
1 | 10
2 | 20
NULL | 30

query
SELECT DISTINCT a AS x FROM v ORDER BY x IS NULL, x
----
x
1
2
NULL

query
SELECT a AS x FROM v UNION SELECT a FROM w ORDER BY x IS NULL, x
----
x
1
2
7
NULL

query
SELECT a AS x FROM v UNION ALL SELECT a FROM w ORDER BY x + 0 DESC, x
----
x
7
2
2
2
1
1
NULL

query
SELECT a AS x FROM v UNION ALL SELECT a FROM w ORDER BY -x LIMIT 3
----
x
NULL
7
2

query
(SELECT a AS x FROM v) UNION ALL (SELECT a FROM w) ORDER BY COALESCE(x, 100) LIMIT 3
----
x
1
1
2

query
SELECT a AS x FROM v ORDER BY x IS NULL, x LIMIT 2
----
x
1
2

query
SELECT a AS x, (SELECT MAX(w.a) FROM w WHERE w._id = v._id) m FROM v ORDER BY m IS NULL, m, x
----
x | m
1 | 1
2 | 2
NULL | NULL
2 | NULL

query
SELECT a + b AS x, _id FROM v ORDER BY x IS NULL, x DESC, _id
----
x | _id
22 | 2
11 | 1
NULL | 3
NULL | 4

query
SELECT a + b AS x, _id FROM v ORDER BY CASE WHEN x IS NULL THEN 0 ELSE 1 END, x, _id
----
x | _id
NULL | 3
NULL | 4
11 | 1
22 | 2

query
SELECT a AS x, ROW_NUMBER() OVER (ORDER BY _id) AS rn FROM v ORDER BY rn + 0 DESC
----
x | rn
2 | 4
NULL | 3
2 | 2
1 | 1

query
SELECT SUM(a) AS x FROM v ORDER BY x + 1
----
x
5

query
SELECT a AS x, _id FROM v ORDER BY IF(x > 1, 0, 1), _id
----
x | _id
2 | 2
2 | 4
1 | 1
NULL | 3

query
SELECT a AS `x y`, _id FROM v ORDER BY `x y` IS NULL, `x y`, _id
----
x y | _id
1 | 1
2 | 2
2 | 4
NULL | 3

query
SELECT a AS x, _id FROM (SELECT * FROM v) t ORDER BY x IS NULL, x, _id
----
x | _id
1 | 1
2 | 2
2 | 4
NULL | 3

query
SELECT v.a AS x, w.a AS y FROM v JOIN w ON v._id = w._id ORDER BY x IS NULL, y DESC
----
x | y
2 | 2
1 | 1

query
SELECT a AS A1, _id FROM v ORDER BY a1 IS NULL, A1, _id
----
A1 | _id
1 | 1
2 | 2
2 | 4
NULL | 3

query
SELECT a AS x, _id FROM v HAVING x > 1 ORDER BY x + 1, _id
----
x | _id
2 | 2
2 | 4

query
SELECT c AS x, _id FROM v ORDER BY UPPER(x) DESC, _id
----
x | _id
z | 4
y | 2
x | 1
NULL | 3

query
SELECT c AS x, _id FROM v ORDER BY x COLLATE utf8mb4_bin DESC, _id
----
x | _id
z | 4
y | 2
x | 1
NULL | 3

query
SELECT a AS x, _id FROM v ORDER BY x IN (1), _id
----
x | _id
NULL | 3
2 | 2
2 | 4
1 | 1

query
SELECT a AS x, _id FROM v ORDER BY FIELD(x, 2, 1), _id
----
x | _id
NULL | 3
2 | 2
2 | 4
1 | 1

query
SELECT _id x FROM v ORDER BY RAND(1)*0 + x DESC
----
x
4
3
2
1

query
SELECT JSON_EXTRACT('{"a":1}', '$.a') AS j, _id FROM v ORDER BY j + _id DESC
----
j | _id
1 | 4
1 | 3
1 | 2
1 | 1

query
SELECT a AS x, _id FROM v GROUP BY a, _id ORDER BY x IS NULL, _id
----
x | _id
1 | 1
2 | 2
2 | 4
NULL | 3

query
SELECT MAX(b) AS mb, a FROM v GROUP BY a ORDER BY mb - a
----
mb | a
30 | NULL
10 | 1
20 | 2

query
WITH c AS (SELECT a AS y FROM v) SELECT y AS x FROM c ORDER BY x IS NULL, x
----
x
1
2
2
NULL

query
SELECT x FROM ordered LIMIT 2
----
x
2
2

query
SELECT (SELECT a AS x FROM v ORDER BY x IS NULL, x LIMIT 1) AS y, COUNT(*) FROM (SELECT a AS x FROM v ORDER BY x IS NULL DESC, x LIMIT 2) AS t WHERE x IS NULL
----
y | COUNT(*)
1 | 1

prepared
: 1
: 2
SELECT a + ? AS x, _id FROM v ORDER BY x IS NULL, x, _id LIMIT ?
----
x | _id
2 | 1
3 | 2

exec
PREPARE p FROM 'SELECT a AS x, _id FROM v ORDER BY x IS NULL, x, _id LIMIT ?';
SET @n = 3;
INSERT INTO w (_id, a) SELECT _id + 100 AS i, a FROM v ORDER BY -i LIMIT 1
----
ok, 0 rows
ok, 0 rows
ok, 1 rows

query
EXECUTE p USING @n
----
x | _id
1 | 1
2 | 2
2 | 4

query
SELECT * FROM w WHERE _id > 100
----
_id | a | b
104 | 2 | NULL

query
SELECT a AS x FROM w ORDER BY y + 1
----
ERROR 1054 (42S22): column "y" could not be found in any table in scope

query
SELECT nothing AS x FROM w ORDER BY x + 1
----
ERROR 1054 (42S22): column "nothing" could not be found in any table in scope

# A keypath that documents have goes before an alias, too.
exec
INSERT INTO v (_id, _doc) VALUES (5, '{"_id":5,"rank":1,"a":5}'), (6, '{"_id":6,"rank":0,"a":6}')
----
ok, 2 rows

query
SELECT a AS `rank`, _id FROM v WHERE _id > 4 ORDER BY `rank` + 0
----
rank | _id
6 | 6
5 | 5

query
SELECT a AS `rank`, _id FROM v WHERE _id > 4 ORDER BY `rank`
----
rank | _id
5 | 5
6 | 6

exec
INSERT INTO v (_id, a) WITH RECURSIVE n AS (SELECT 100 AS i UNION ALL SELECT i + 1 FROM n WHERE i < 600) SELECT i, IF(i % 10, i * 7 % 1000, NULL) FROM n
----
ok, 501 rows

query near
EXPLAIN FORMAT=TREE SELECT _id, a AS x FROM v ORDER BY x IS NULL, x LIMIT 5
----
EXPLAIN
-> Limit: 5 rows
    -> Project: v._id, v.a as x
        -> Project: v._id, v.a, v.b, v.c, v.a as x
            -> Index range scan on v using a
                 range: `a` in all values
                 entries only: no document is read
                 order: `a`, NULL at the other end: cost 0.2, sorting costs 624.7
                 ends after: 5
                 keys: about 5 of 507
                 tight
                 cost: 0.2, a full scan costs 507.0

query
SELECT a AS x FROM v ORDER BY x IS NULL, x LIMIT 5
----
x
1
1
2
2
2

# Columns of one name, and some that are named by their tables.
query
SELECT DISTINCT v._id, w._id, v.a AS x FROM v JOIN v AS w ON v._id = w._id + 1 WHERE v._id < 7 ORDER BY x + 0, v._id
----
_id | _id | x
3 | 2 | NULL
2 | 1 | 2
4 | 3 | 2
5 | 4 | 5
6 | 5 | 6

query
SELECT DISTINCT v.a AS x, w.a FROM v JOIN v AS w ON v._id = w._id + 1 WHERE v._id < 7 ORDER BY -x, w.a DESC
----
x | a
NULL | 2
6 | 5
5 | 2
2 | 1
2 | NULL

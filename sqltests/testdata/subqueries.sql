# Comparisons of JSON inside UNION and subqueries, which the engine analyses in parts.

exec
CREATE TABLE t (_id VARCHAR(255) PRIMARY KEY, _doc JSON);
INSERT INTO t (_doc) VALUES ('{"_id":"a","m":1}'), ('{"_id":"b","m":"A"}'), ('{"_id":"c","m":[3]}');

----
ok, 0 rows
ok, 3 rows

query
SELECT _id FROM t WHERE _id = 'z' UNION ALL SELECT _id FROM t WHERE _doc->'$.m' IN (5.5, 'A')
----
_id
b

query
SELECT _id FROM t WHERE _id = 'z' UNION ALL SELECT _id FROM t WHERE (_doc->'$.nosuch' NOT IN (5.50, 'A', 'á')) IS FALSE
----
_id

query
SELECT _id FROM t a WHERE EXISTS (SELECT 1 FROM t b WHERE b._id = a._id AND a._doc->'$.m' IN ('A', 'B'))
----
_id
b

query
SELECT _id FROM t a WHERE EXISTS (SELECT 1 FROM t b WHERE b._id = a._id AND b.m IN ('A', 'B'))
----
_id
b

query
SELECT _id FROM t a WHERE _id IN (SELECT _id FROM t b WHERE b.m IN ('A', 'B'))
----
_id
b

query
SELECT _id, (SELECT COUNT(*) FROM t b WHERE b.m IN ('A', 'B') AND a.m IN ('A', 'C')) AS c FROM t a
----
_id | c
a | 0
b | 1
c | 0

query
EXPLAIN FORMAT=TREE SELECT _id FROM t WHERE _id = 'z' UNION ALL SELECT _id FROM t WHERE _doc->'$.m' IN (5.5, 'A')
----
EXPLAIN
-> Union all
    -> Project: t._id
        -> Single-row index lookup on t using PRIMARY
             range: primary key in 'z'
             keys: about 1 of 1
             tight
             cost: 0.0, a full scan costs 3.0
    -> Project: t._id
        -> Index range scan on t using m
             range: $.m in 5.5, 'A'
             entries only: no document is read
             keys: 1 counted of 2
             tight
             cost: 0.1, a full scan costs 3.0

query
EXPLAIN FORMAT=TREE SELECT _id FROM t a WHERE EXISTS (SELECT 1 FROM t b WHERE b._id = a._id AND b._doc->'$.m' = 'A')
----
EXPLAIN
-> Project: a._id
    -> Join, semi, lookup: (b._id = a._id)
        -> Index lookup on b using m
             range: $.m in 'A'
             entries only: no document is read
             keys: 1 counted of 1
             tight
             cost: 0.1, a full scan costs 3.0
        -> Look up in batches: a: primary key = b._id
             entries only: no document is read
             for about 1 rows, documents for each: about 1.0
             cost: 2.9
             keys: about 1 of 3
             lost: the whole side, hashed: cost 3.2

query
EXPLAIN FORMAT=TREE SELECT _id FROM (SELECT * FROM t WHERE _doc->'$.m' = 'A') d WHERE d._id = 'b'
----
EXPLAIN
-> Project: t._id
    -> Filter: (json_extract(t._doc, '$.m') = "A")
        -> Single-row index lookup on t using PRIMARY
             range: primary key in 'b'
             keys: about 1 of 1
             tight
             residual: (json_extract(t._doc, '$.m') = "A")
             cost: 0.0, a full scan costs 3.0
             lost: $.m in 'A', keys: 1 counted of 1: cost 2.0, the chosen one costs 0.0

# IN of rows, and IN of a subquery that names the outer query's columns, are joins; where they can't be, the subquery's rows are hashed.

exec
CREATE TABLE p (_id INT PRIMARY KEY, _doc JSON);
CREATE TABLE q (_id INT PRIMARY KEY, _doc JSON);
INSERT INTO p (_id, _doc) WITH RECURSIVE c (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM c WHERE i < 99) SELECT i, IF(MOD(i, 10) = 9, JSON_OBJECT('y', MOD(i, 4)), JSON_OBJECT('x', MOD(i, 25), 'y', IF(MOD(i, 7) = 0, NULL, MOD(i, 4)))) FROM c;
INSERT INTO q (_id, _doc) VALUES (1, '{"x":3,"y":3}'), (2, '{"x":4.0,"y":0}'), (3, '{"x":5}'), (4, '{"x":"6","y":2}'), (5, '{"y":1}')
----
ok, 0 rows
ok, 0 rows
ok, 100 rows
ok, 5 rows

query
EXPLAIN FORMAT=TREE SELECT _id FROM p WHERE (x, y) IN (SELECT x, y FROM q)
----
EXPLAIN
-> Project: p._id
    -> Join, semi, lookup: ((q.x = p.x) AND (q.y = p.y))
        -> Table scan on q
             documents: 5, exactly
        -> Look up in batches: p: `x` = q.x
             for about 5 rows, documents for each: about 3.6
             cost: 48.1
             documents: about 18 of 100
             lost: the whole side, hashed: cost 151.0

query
SELECT _id, x, y FROM p WHERE (x, y) IN (SELECT x, y FROM q) ORDER BY _id
----
_id | x | y
3 | 3 | 3
4 | 4 | 0

query
EXPLAIN FORMAT=TREE SELECT _id FROM q WHERE q.y IN (SELECT p.y FROM p WHERE p.x = q.x)
----
EXPLAIN
-> Project: q._id
    -> Join, semi, lookup: ((p.x = q.x) AND (p.y = q.y))
        -> Table scan on q
             documents: 5, exactly
        -> Look up in batches: p: `x` = q.x
             for about 5 rows, documents for each: about 3.6
             cost: 48.1
             documents: about 18 of 100
             lost: the whole side, hashed: cost 151.0

query
SELECT _id FROM q WHERE q.y IN (SELECT p.y FROM p WHERE p.x = q.x) ORDER BY _id
----
_id
1
2

query
SELECT (x, y) IN (SELECT x, y FROM q) AS found, COUNT(*) FROM p GROUP BY found ORDER BY found
----
found | COUNT(*)
NULL | 45
0 | 53
1 | 2

query
SELECT found, COUNT(*) FROM (SELECT CASE WHEN (SELECT COUNT(*) FROM q WHERE q.x = p.x AND q.y = p.y) > 0 THEN 1 WHEN (SELECT COUNT(*) FROM q WHERE (q.x = p.x AND q.y = p.y) IS NULL) > 0 THEN NULL ELSE 0 END AS found FROM p) d GROUP BY found ORDER BY found
----
found | COUNT(*)
NULL | 45
0 | 53
1 | 2

query
SELECT COUNT(*) FROM p WHERE (x, y) NOT IN (SELECT x, y FROM q)
----
COUNT(*)
53

query
SELECT COUNT(*) FROM p WHERE (x, y) NOT IN (SELECT x, y FROM q WHERE q.x > p.y)
----
COUNT(*)
85

# A subquery without a row is NULL, behind NOT and <> too.
exec
CREATE TABLE ns (id INT PRIMARY KEY, a INT, b INT);
INSERT INTO ns VALUES (1, 1, 1), (2, 2, 2), (3, 3, 3);
----
ok, 0 rows
ok, 3 rows

query
SELECT a FROM ns WHERE NOT (a = (SELECT b FROM ns WHERE id = 99))
----
a

query
SELECT a FROM ns WHERE a <> (SELECT b FROM ns WHERE id = 99)
----
a

query
SELECT a FROM ns WHERE a <> (SELECT b FROM ns WHERE id = 1)
----
a
2
3

query
SELECT a FROM ns WHERE NOT (a <=> (SELECT b FROM ns WHERE id = 99))
----
a
1
2
3

query
SELECT a FROM ns WHERE NOT (a > (SELECT b FROM ns WHERE id = 2))
----
a
1
2

query
SELECT a FROM ns WHERE (SELECT b FROM ns WHERE id = 1) <> (SELECT b FROM ns WHERE id = 99)
----
a

query
SELECT a FROM ns WHERE (a, b) <> (SELECT a, b FROM ns WHERE id = 99)
----
a

query
SELECT a FROM ns WHERE a <> (SELECT b FROM ns)
----
ERROR 1242 (21000): the subquery returned more than 1 row

# 0 is -0, wherever a subquery's numbers are looked through.

exec
CREATE TABLE zero (_id VARCHAR(255) PRIMARY KEY, _doc JSON);
INSERT INTO zero (_doc) VALUES ('{"_id":"a","g":[{"x":-0.0,"k":"z"},{"x":1.0,"k":"y"}]}')
----
ok, 0 rows
ok, 1 rows

query
SELECT k FROM zero__g AS t1 WHERE t1.x IN (SELECT t2.x FROM zero__g AS t2 WHERE t1._idx >= t2._idx) ORDER BY 1
----
k
y
z

query
SELECT k, x IN (SELECT x FROM zero__g), x NOT IN (SELECT x FROM zero__g) FROM zero__g ORDER BY 1
----
k | x IN (SELECT x FROM zero__g) | x NOT IN (SELECT x FROM zero__g)
y | 1 | 0
z | 1 | 0

query
SELECT k FROM zero__g WHERE x IN (SELECT x FROM zero__g) OR k = 'nosuch' ORDER BY 1
----
k
y
z

query
SELECT 0 IN (SELECT x FROM zero__g), -0e0 IN (SELECT x FROM zero__g), 2 IN (SELECT x FROM zero__g)
----
0 IN (SELECT x FROM zero__g) | -0e0 IN (SELECT x FROM zero__g) | 2 IN (SELECT x FROM zero__g)
1 | 1 | 0

exec
SET sqlfdb_use_index = OFF
----
ok, 0 rows

query
SELECT k FROM zero__g AS t1 WHERE t1.x IN (SELECT t2.x FROM zero__g AS t2 WHERE t1._idx >= t2._idx) ORDER BY 1
----
k
y
z

query
SELECT k, x IN (SELECT x FROM zero__g), x NOT IN (SELECT x FROM zero__g) FROM zero__g ORDER BY 1
----
k | x IN (SELECT x FROM zero__g) | x NOT IN (SELECT x FROM zero__g)
y | 1 | 0
z | 1 | 0

query
SELECT k FROM zero__g WHERE x IN (SELECT x FROM zero__g) OR k = 'nosuch' ORDER BY 1
----
k
y
z

query
SELECT 0 IN (SELECT x FROM zero__g), -0e0 IN (SELECT x FROM zero__g), 2 IN (SELECT x FROM zero__g)
----
0 IN (SELECT x FROM zero__g) | -0e0 IN (SELECT x FROM zero__g) | 2 IN (SELECT x FROM zero__g)
1 | 1 | 0

exec
SET sqlfdb_use_index = ON
----
ok, 0 rows

query
CHECK TABLE zero
----
Table | Op | Msg_type | Msg_text
d.zero | check | status | OK

# Subqueries within derived tables and within others are planned after these, which leave them alone until then.
exec
SET sqlfdb_use_index = ON;
CREATE TABLE nd (_id VARCHAR(255) PRIMARY KEY, x INT, di INT, _doc JSON);
INSERT INTO nd (_doc) VALUES ('{"_id":"a","x":1,"di":0}'), ('{"_id":"b","x":2,"di":1}'), ('{"_id":"c","x":2,"di":7}');
----
ok, 0 rows
ok, 0 rows
ok, 3 rows

query
SELECT c.* FROM (SELECT b.x FROM (SELECT t.x, t._id FROM nd AS t WHERE t.di < 5 ORDER BY t._id) AS b) AS c
----
x
1
2

query
SELECT c.* FROM (SELECT b.x FROM (SELECT t.x, t._id FROM nd AS t WHERE t.di < 5 ORDER BY t._id DESC LIMIT 1) AS b LIMIT 5) AS c LIMIT 3
----
x
2

query
SELECT c.* FROM (SELECT b.x, (SELECT t.x FROM nd AS t WHERE t.di = b.x ORDER BY t._id LIMIT 1) AS m FROM nd AS b) AS c
----
x | m
1 | 2
2 | NULL
2 | NULL

query
SELECT c.* FROM (SELECT b.x, (SELECT COUNT(*) FROM (SELECT t.x FROM nd AS t WHERE t.di = b.x ORDER BY t._id) AS q) AS m FROM nd AS b) AS c
----
x | m
1 | 1
2 | 0
2 | 0

query
SELECT c.* FROM (SELECT b.x FROM nd AS b WHERE b.x = (SELECT t.x FROM nd AS t WHERE t._id = b._id ORDER BY t._id)) AS c
----
x
1
2
2

query
SELECT RANK() OVER (PARTITION BY a.x ORDER BY MIN(a._id)) AS r, a.x FROM nd AS a WHERE a.di <> (SELECT t.x FROM nd AS t WHERE t._id = a._id ORDER BY t._id) GROUP BY a.x
----
r | x
1 | 1
1 | 2

query
SELECT c.* FROM (SELECT b.n FROM (SELECT t.x, COUNT(*) AS n FROM nd AS t WHERE t.x > 0 GROUP BY t.x ORDER BY t.x) AS b JOIN (SELECT DISTINCT t.di FROM nd AS t WHERE t.di < 5 ORDER BY t.di) AS e ON e.di = b.x) AS c
----
n
1

query
EXPLAIN FORMAT=TREE SELECT c.* FROM (SELECT b.x FROM (SELECT t.x, t._id FROM nd AS t WHERE t.di < 5 ORDER BY t._id LIMIT 1) AS b) AS c
----
EXPLAIN
-> Project: b.x
    -> Derived table b
        -> Limit: 1 rows
            -> Project: t.x, t._id
                -> The first of these, given up for the second: once it has cost 3.2
                    -> Filter: (t.di < 5)
                        -> Table scan on t
                             order: primary key: cost 2.7, sorting costs 3.2
                             keys: about 3 of 3
                             documents: 3, exactly
                             residual: (t.di < 5)
                    -> Sort: t._id, keep 1
                        -> Filter: (t.di < 5)
                            -> Table scan on t
                                 documents: 3, exactly
                                 residual: (t.di < 5)
                                 lost: `di` in (-∞, 5), keys: 2 counted of 3: cost 4.1, a full scan costs 3.0

# EXISTS that one document by its key answers, before anything is deleted.
exec
CREATE TABLE by_key (id INT PRIMARY KEY, a INT, KEY (a));
CREATE TABLE deleted_from (_id VARCHAR(20) PRIMARY KEY, _doc JSON);
INSERT INTO by_key VALUES (1, 7), (2, 8);
INSERT INTO deleted_from (_doc) VALUES ('{"_id":"a"}');
DELETE FROM deleted_from WHERE EXISTS (SELECT 1 FROM by_key AS k WHERE k.id = 2 AND k.a = 7.0);
DELETE FROM deleted_from WHERE EXISTS (SELECT 1 FROM by_key AS k WHERE k.id = 2 AND k.a = 8.0)
----
ok, 0 rows
ok, 0 rows
ok, 2 rows
ok, 1 rows
ok, 0 rows
ok, 1 rows

# What comparisons give is the numbers 0 and 1, also in a subquery that IN looks through.

exec
CREATE TABLE truths (_id INT PRIMARY KEY, n INT);
INSERT INTO truths VALUES (1, 1), (2, 5)
----
ok, 0 rows
ok, 2 rows

query
SELECT _id, 1 IN (SELECT 2 > 1), 0 IN (SELECT 2 > 1), 1 = ANY (SELECT n > 3 FROM truths), 1 <> ALL (SELECT 2 > 1), (2 > 1) IN (SELECT 1), (1, 2) IN (SELECT 2 > 1, 2), '1' IN (SELECT TRUE), NULL IN (SELECT TRUE) FROM truths
----
_id | 1 IN (SELECT 2 > 1) | 0 IN (SELECT 2 > 1) | 1 = ANY (SELECT n > 3 FROM truths) | 1 <> ALL (SELECT 2 > 1) | (2 > 1) IN (SELECT 1) | (1, 2) IN (SELECT 2 > 1, 2) | '1' IN (SELECT TRUE) | NULL IN (SELECT TRUE)
1 | 1 | 0 | 1 | 0 | 1 | 1 | 1 | NULL
2 | 1 | 0 | 1 | 0 | 1 | 1 | 1 | NULL

query
SELECT _id FROM truths AS t WHERE t._id IN (SELECT u.n >= t._id FROM truths AS u WHERE u.n = t.n)
----
_id
1

query
SELECT _id FROM truths AS t WHERE NOT (t._id IN (SELECT (u.n >= t._id) IS TRUE FROM truths AS u WHERE u.n = t.n))
----
_id
2

query
SELECT _id FROM truths AS t WHERE t._id NOT IN (SELECT n > 0 FROM truths)
----
_id
2

query
CHECK TABLE truths
----
Table | Op | Msg_type | Msg_text
d.truths | check | status | OK

query
CHECK TABLE by_key, deleted_from
----
Table | Op | Msg_type | Msg_text
d.by_key | check | status | OK
d.deleted_from | check | status | OK

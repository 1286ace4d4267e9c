# Conditions of joins that the engine would lose, or compute where their fields are not read yet.

exec
CREATE TABLE b (id INT PRIMARY KEY, x INT, y INT);
INSERT INTO b VALUES (1, 1, 5), (2, 2, 6), (3, 2, NULL);
CREATE VIEW vb AS SELECT x AS c0 FROM b WHERE id < 3;
CREATE TABLE t (_id VARCHAR(255) PRIMARY KEY, _doc JSON);
INSERT INTO t (_doc) VALUES ('{"_id":"k","g":[{"x":1,"k":"y"},{"x":2,"k":"true"}]}');
----
ok, 0 rows
ok, 3 rows
ok, 0 rows
ok, 0 rows
ok, 1 rows

query
SELECT p.id, q.id FROM b AS p JOIN b AS q ON q.x = p.x AND q.x = (SELECT MAX(x) FROM b AS s WHERE s.x = q.x) ORDER BY 1, 2
----
id | id
1 | 1
2 | 2
2 | 3
3 | 2
3 | 3

query
SELECT p.id, q.id FROM b AS p JOIN b AS q ON q.x = p.x AND p.x = (SELECT MAX(x) FROM b AS s WHERE s.x = p.x) ORDER BY 1, 2
----
id | id
1 | 1
2 | 2
2 | 3
3 | 2
3 | 3

query
SELECT p.id, q.c0 FROM b AS p JOIN vb AS q ON q.c0 = (SELECT MAX(x) FROM b AS s WHERE s.x = q.c0) ORDER BY 1, 2
----
id | c0
1 | 1
1 | 2
2 | 1
2 | 2
3 | 1
3 | 2

query
SELECT p.id, q.c0 FROM b AS p JOIN (SELECT x AS c0 FROM b WHERE id < 3) AS q ON q.c0 = (SELECT MAX(id) FROM b AS s WHERE s.x <= q.c0 AND s.id <= p.id) ORDER BY 1, 2
----
id | c0
1 | 1
2 | 1
2 | 2
3 | 1

query
SELECT p.id, q.c0 FROM b AS p LEFT JOIN vb AS q ON q.c0 = (SELECT MAX(x) FROM b AS s WHERE s.x = q.c0 AND s.id = p.id) ORDER BY 1, 2
----
id | c0
1 | 1
2 | 2
3 | 2

query
SELECT p.id, q.id FROM b AS p LEFT JOIN b AS q ON q.x = p.x AND q.x = (SELECT MAX(x) FROM b AS s WHERE s.x = q.x AND s.id = p.id + 1) ORDER BY 1, 2
----
id | id
1 | NULL
2 | 2
2 | 3
3 | NULL

query
SELECT p.id, r.id FROM b AS p LEFT JOIN b AS q ON q.x = p.x JOIN b AS r ON r.id = p.id AND r.x = (SELECT MAX(x) FROM b AS s WHERE s.x = q.x) ORDER BY 1, 2
----
id | id
1 | 1
2 | 2
2 | 2
3 | 3
3 | 3

# The left join can be made last, and the condition above it stays.

query
SELECT MAX(p.k) FROM t__g AS p LEFT JOIN t AS q ON p._id < q._id JOIN t__g AS r ON r.k IN (SELECT c._id FROM t__changes AS c) AND p.x = r.x
----
MAX(p.k)
NULL

exec
SET sqlfdb_use_index = OFF
----
ok, 0 rows

query
SELECT MAX(p.k) FROM t__g AS p LEFT JOIN t AS q ON p._id < q._id JOIN t__g AS r ON r.k IN (SELECT c._id FROM t__changes AS c) AND p.x = r.x
----
MAX(p.k)
NULL

exec
SET sqlfdb_use_index = ON
----
ok, 0 rows

# Where the joins are a side that is filled with NULLs.

query
SELECT p.id, q.id, s.id FROM b AS p LEFT JOIN (b AS q LEFT JOIN b AS r ON r.id = q.id JOIN b AS s ON s.id = q.id AND r.y > 5) ON q.id = p.id ORDER BY 1
----
id | id | id
1 | NULL | NULL
2 | 2 | 2
3 | NULL | NULL

query
SELECT p.id, q.id FROM b AS p LEFT JOIN (b AS q JOIN b AS r ON r.x = q.x AND q.x IN (SELECT s.x FROM b AS s WHERE s.id > r.id)) ON q.id = p.id ORDER BY 1, 2
----
id | id
1 | NULL
2 | 2
3 | 3

# Cross joins become inner joins only by conditions on nothing else.

query
SELECT COUNT(*) FROM b AS p, b AS q, b AS r WHERE p.x = q.x OR r.x = 1
----
COUNT(*)
19

query
SELECT COUNT(*) FROM b AS p, b AS q, b AS r WHERE p.x = q.x OR EXISTS (SELECT 1 FROM b AS s WHERE s.y = r.y)
----
COUNT(*)
23

query
SELECT p.id, q.id, r.id FROM b AS p LEFT JOIN (b AS q CROSS JOIN b AS r) ON q.id = p.id AND p.id = 1 WHERE q.x = r.id
----
id | id | id
1 | 1 | 1

exec
UPDATE b AS p JOIN b AS q ON q.id = p.id AND q.x = (SELECT COUNT(*) FROM b AS s WHERE s.x = q.x) SET p.y = 100
----
ok, 3 rows

query
SELECT * FROM b ORDER BY id
----
id | x | y
1 | 1 | 100
2 | 2 | 100
3 | 2 | 100

# What an outer join fills is not joined without that join's condition.

exec
CREATE TABLE n (id INT PRIMARY KEY, x INT, z INT);
INSERT INTO n VALUES (1, 1, NULL), (2, 2, NULL), (3, 3, 3);
----
ok, 0 rows
ok, 3 rows

query
SELECT p.id, r.id, s.id FROM n AS p JOIN n AS q ON q.id = p.id LEFT JOIN n AS r ON r.id <=> p.z JOIN n AS s ON r.x = s.x AND p.id = s.id
----
id | id | id
3 | 3 | 3

exec
SET sqlfdb_use_index = OFF
----
ok, 0 rows

query
SELECT p.id, r.id, s.id FROM n AS p JOIN n AS q ON q.id = p.id LEFT JOIN n AS r ON r.id <=> p.z JOIN n AS s ON r.x = s.x AND p.id = s.id
----
id | id | id
3 | 3 | 3

exec
SET sqlfdb_use_index = ON
----
ok, 0 rows

# A condition of a later join on a derived table alone is asked.

exec
CREATE TABLE dt (id INT PRIMARY KEY, a INT, x INT);
INSERT INTO dt VALUES (1, 7, -2), (2, 5, 0), (3, -10, 1);
----
ok, 0 rows
ok, 3 rows

query
SELECT u.id, t3.a, w.id FROM dt AS u JOIN (SELECT x, a FROM dt LIMIT 3) t3 ON t3.x >= u.x JOIN dt AS w ON u.x >= w.x AND t3.a = 3
----
id | a | id

query
SELECT u.id, t3.a, w.id FROM dt AS u JOIN (SELECT x, a FROM dt LIMIT 3) t3 ON t3.x = u.x JOIN dt AS w ON u.x = w.x AND t3.a = 5
----
id | a | id
2 | 5 | 2

query
SELECT u.id, t3.c, w.id FROM dt AS u JOIN (SELECT COUNT(*) AS c, SUM(a) AS s FROM dt WHERE id > 10) t3 ON t3.c = u.x JOIN dt AS w ON u.x <=> w.x AND t3.s = 3
----
id | c | id

# A condition with a subquery, beside one that becomes an anti or a semi join.
exec
CREATE TABLE ev (_id VARCHAR(255) PRIMARY KEY, p INT, _doc JSON);
INSERT INTO ev (_doc) VALUES ('{"_id":"k002","p":2}');
CREATE TABLE ew (_id VARCHAR(255) PRIMARY KEY, _doc JSON);
INSERT INTO ew (_doc) VALUES ('{"_id":"k048"}');
CREATE TABLE ec (id INT PRIMARY KEY, s VARCHAR(400), x INT);
INSERT INTO ec VALUES (0, NULL, NULL);
----
ok, 0 rows
ok, 1 rows
ok, 0 rows
ok, 1 rows
ok, 0 rows
ok, 1 rows

query
SELECT c.id, w._id FROM ev AS v JOIN ec AS c ON c.id = v._id JOIN ew AS w ON c.x <=> w.nosuch AND c.s >= (SELECT 'a') WHERE NOT EXISTS (SELECT 1 FROM ev AS e WHERE v._all = e.p)
----
id | _id

query
SELECT c.id, w._id FROM ev AS v JOIN ec AS c ON c.id = v._id JOIN ew AS w ON c.x <=> w.nosuch AND (c.s IS NULL) >= (SELECT 1) WHERE NOT EXISTS (SELECT 1 FROM ev AS e WHERE v._all = e.p)
----
id | _id
0 | k048

query
SELECT c.id, w._id FROM ev AS v JOIN ec AS c ON c.id = v._id JOIN ew AS w ON c.x <=> w.nosuch AND c.s >= (SELECT 'a') WHERE EXISTS (SELECT 1 FROM ev AS e WHERE v.p = e.p)
----
id | _id

exec
SET sqlfdb_use_index = OFF;
----
ok, 0 rows

query
SELECT c.id, w._id FROM ev AS v JOIN ec AS c ON c.id = v._id JOIN ew AS w ON c.x <=> w.nosuch AND c.s >= (SELECT 'a') WHERE NOT EXISTS (SELECT 1 FROM ev AS e WHERE v._all = e.p)
----
id | _id

query
SELECT c.id, w._id FROM ev AS v JOIN ec AS c ON c.id = v._id JOIN ew AS w ON c.x <=> w.nosuch AND (c.s IS NULL) >= (SELECT 1) WHERE NOT EXISTS (SELECT 1 FROM ev AS e WHERE v._all = e.p)
----
id | _id
0 | k048

# NOT EXISTS holds where its condition is NULL, whatever subquery of it names the outer row.

query
SELECT p.id FROM b AS p WHERE NOT EXISTS (SELECT 1 FROM b AS q WHERE q.id IN (SELECT r.y FROM b AS r WHERE r.id = 3 AND r.x = p.x) OR q.y = 9) ORDER BY 1
----
id
1
2
3

query
SELECT p.id FROM b AS p WHERE NOT EXISTS (SELECT 1 FROM b AS q WHERE q.y > (SELECT MAX(r.y) FROM b AS r WHERE r.x > p.x)) ORDER BY 1
----
id
1
2
3

exec
SET sqlfdb_use_index = ON;
----
ok, 0 rows

query
SELECT p.id FROM b AS p WHERE NOT EXISTS (SELECT 1 FROM b AS q WHERE q.id IN (SELECT r.y FROM b AS r WHERE r.id = 3 AND r.x = p.x) OR q.y = 9) ORDER BY 1
----
id
1
2
3

query
SELECT p.id FROM b AS p WHERE NOT EXISTS (SELECT 1 FROM b AS q WHERE q.y > (SELECT MAX(r.y) FROM b AS r WHERE r.x > p.x)) ORDER BY 1
----
id
1
2
3

# A subquery of what EXISTS asks reads a table that is joined elsewhere.

exec
CREATE TABLE nx (id INT PRIMARY KEY, x INT, y INT);
INSERT INTO nx VALUES (1, 1, 5), (2, 2, 6), (3, 2, NULL);
----
ok, 0 rows
ok, 3 rows

query
SELECT p.id, q.id FROM nx AS p JOIN (SELECT id, x FROM nx WHERE id = 2) AS q ON q.id = p.id WHERE NOT EXISTS (SELECT 1 FROM nx AS r WHERE r.x <> p.x AND 0 >= (SELECT COUNT(*) FROM nx AS s WHERE s.y > q.x))
----
id | id
2 | 2

query
SELECT p.id, q.id FROM nx AS p JOIN (SELECT id, x FROM nx WHERE id = 2) AS q ON q.id = p.id WHERE EXISTS (SELECT 1 FROM nx AS r WHERE r.x <> p.x AND 2 = (SELECT COUNT(*) FROM nx AS s WHERE s.y > q.x))
----
id | id
2 | 2

query
SELECT p.id, l.id, q.id FROM nx AS p LEFT JOIN nx AS l ON l.id = p.id + 1 JOIN (SELECT id, x FROM nx WHERE id = 2) AS q ON q.id = p.id WHERE EXISTS (SELECT 1 FROM nx AS r WHERE r.x <> p.x AND 2 = (SELECT COUNT(*) FROM nx AS s WHERE s.y > q.x))
----
id | id | id
2 | 3 | 2

query
SELECT p.id, l.id, q.id FROM nx AS p LEFT JOIN nx AS l ON l.id = p.id + 1 JOIN (SELECT id, x FROM nx WHERE id = 2) AS q ON q.id = p.id WHERE NOT EXISTS (SELECT 1 FROM nx AS r WHERE r.x <> p.x AND 0 >= (SELECT COUNT(*) FROM nx AS s WHERE s.y > q.x))
----
id | id | id
2 | 3 | 2

exec
SET sqlfdb_use_index = OFF;
----
ok, 0 rows

query
SELECT p.id, q.id FROM nx AS p JOIN (SELECT id, x FROM nx WHERE id = 2) AS q ON q.id = p.id WHERE NOT EXISTS (SELECT 1 FROM nx AS r WHERE r.x <> p.x AND 0 >= (SELECT COUNT(*) FROM nx AS s WHERE s.y > q.x))
----
id | id
2 | 2

query
SELECT p.id, q.id FROM nx AS p JOIN (SELECT id, x FROM nx WHERE id = 2) AS q ON q.id = p.id WHERE EXISTS (SELECT 1 FROM nx AS r WHERE r.x <> p.x AND 2 = (SELECT COUNT(*) FROM nx AS s WHERE s.y > q.x))
----
id | id
2 | 2

query
SELECT p.id, l.id, q.id FROM nx AS p LEFT JOIN nx AS l ON l.id = p.id + 1 JOIN (SELECT id, x FROM nx WHERE id = 2) AS q ON q.id = p.id WHERE EXISTS (SELECT 1 FROM nx AS r WHERE r.x <> p.x AND 2 = (SELECT COUNT(*) FROM nx AS s WHERE s.y > q.x))
----
id | id | id
2 | 3 | 2

query
SELECT p.id, l.id, q.id FROM nx AS p LEFT JOIN nx AS l ON l.id = p.id + 1 JOIN (SELECT id, x FROM nx WHERE id = 2) AS q ON q.id = p.id WHERE NOT EXISTS (SELECT 1 FROM nx AS r WHERE r.x <> p.x AND 0 >= (SELECT COUNT(*) FROM nx AS s WHERE s.y > q.x))
----
id | id | id
2 | 3 | 2

exec
SET sqlfdb_use_index = ON;
CREATE TABLE jv (_id VARCHAR(255) PRIMARY KEY, dw VARCHAR(50), _doc JSON);
CREATE TABLE jw (_id VARCHAR(255) PRIMARY KEY, _doc JSON);
INSERT INTO jv (_doc) VALUES ('{"_id":"k030","dw":"it''s"}');
INSERT INTO jw (_doc) VALUES ('{"_id":"k030"}'), ('{"_id":"k031","g":[{"x":1,"k":"+2"},{"x":-0,"k":"a-b"}]}');
----
ok, 0 rows
ok, 0 rows
ok, 0 rows
ok, 1 rows
ok, 2 rows

query
SELECT t1._idx FROM jv t0 JOIN jw__g t1 ON t0.dw = t1.x JOIN jw t2 ON (t0._id = t2._id AND t0._id = t1._id)
----
_idx

query
SELECT t1._idx FROM jw t2 JOIN (jv t0 JOIN jw__g t1 ON t0.dw = t1.x) ON (t0._id = t2._id AND t0._id = t1._id)
----
_idx

query
SELECT t1._idx FROM jv t0 JOIN jw__g t1 ON t0.dw = t1.x JOIN jw t2 ON t0._id = t1._id
----
_idx

query
SELECT t1._idx, t2._id, t3._id FROM jv t0 JOIN jw__g t1 ON t0.dw = t1.x JOIN jw t2 ON t2._id = t0._id JOIN jw t3 ON t0._id < t1._id AND t3._id = t1._id AND t2._id < t1._id
----
_idx | _id | _id
1 | k030 | k031

query
SELECT t1._idx, t2._id, t3._id FROM jv t0 JOIN jw__g t1 ON t0.dw = t1.x JOIN jw t2 ON t2._id = t0._id JOIN jw t3 ON t0._id > t1._id AND t3._id = t1._id AND t2._id < t1._id
----
_idx | _id | _id

query
EXPLAIN FORMAT=TREE SELECT t1._idx FROM jv t0 JOIN jw__g t1 ON t0.dw = t1.x JOIN jw t2 ON (t0._id = t2._id AND t0._id = t1._id)
----
EXPLAIN
-> Project: t1._idx
    -> Join, inner, hash: (((t0.dw = t1.x) AND (t0._id = t1._id)) AND (t1._id = t2._id))
         rows: about 2, cost: 3.1
        -> Index range scan on t1 using g[*].x
             range: `x` in all values
             entries only: no document is read
             keys: 2 counted of 2; 0 elements lack the keypath
             tight
             cost: 0.1, a full scan costs 2.0
             lost: `g` in arrays that hold something, keys: 1 counted of 1: cost 2.0, the chosen one costs 0.1
        -> Hash: (t0.dw, t0._id, t2._id) looked up by (t1.x, t1._id, t1._id)
            -> Join, inner, hash: (t0._id = t2._id)
                 rows: about 1, cost: 4.1
                -> Index range scan on t0 using dw
                     range: `dw` in all values
                     entries only: no document is read
                     keys: 1 counted of 1; 0 documents lack the keypath
                     tight
                     cost: 0.1, a full scan costs 1.0
                -> Hash: (t2._id) looked up by (t0._id)
                    -> Table scan on t2
                         documents: 2, exactly

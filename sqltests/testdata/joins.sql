# A join whose condition is more than equalities is hashed by those that it has.

exec
CREATE TABLE a (_id VARCHAR(255) PRIMARY KEY, _doc JSON);
CREATE TABLE b (_id VARCHAR(255) PRIMARY KEY, _doc JSON);
INSERT INTO a (_doc) VALUES ('{"_id":"1","x":1,"y":1}'), ('{"_id":"2","x":1,"y":5}'), ('{"_id":"3","x":null,"y":1}'), ('{"_id":"4","y":1}'), ('{"_id":"5","x":2.5,"y":0}');
INSERT INTO b (_doc) VALUES ('{"_id":"p","x":1,"y":3}'), ('{"_id":"q","x":1.0,"y":6}'), ('{"_id":"r","x":null,"y":9}'), ('{"_id":"s","x":2.5,"y":9}'), ('{"_id":"t","y":9}')
----
ok, 0 rows
ok, 0 rows
ok, 5 rows
ok, 5 rows

query
EXPLAIN FORMAT=TREE SELECT a._id, b._id FROM a JOIN b ON a.x = b.x AND a.y < b.y
----
EXPLAIN
-> Project: a._id, b._id
    -> Join, inner, hash: ((a.x = b.x) AND (a.y < b.y))
        -> Table scan on b
             documents: 5, exactly
        -> Hash: (a.x) looked up by (b.x)
            -> Table scan on a
                 documents: 5, exactly

query
SELECT a._id, b._id FROM a JOIN b ON a.x = b.x AND a.y < b.y ORDER BY 1, 2
----
_id | _id
1 | p
1 | q
2 | q
5 | s

query
SELECT a._id, b._id FROM a LEFT JOIN b ON a.x = b.x AND a.y < b.y ORDER BY 1, 2
----
_id | _id
1 | p
1 | q
2 | q
3 | NULL
4 | NULL
5 | s

query
SELECT a._id, b._id FROM b RIGHT JOIN a ON a.x = b.x AND a.y + 2 < b.y ORDER BY 1, 2
----
_id | _id
1 | q
2 | NULL
3 | NULL
4 | NULL
5 | s

query
SELECT a._id, (SELECT COUNT(*) FROM a c JOIN b ON c.x = b.x AND c.y < b.y + a.y) FROM a ORDER BY 1
----
_id | (SELECT COUNT(*) FROM a c JOIN b ON c.x = b.x AND c.y < b.y + a.y)
1 | 4
2 | 5
3 | 4
4 | 4
5 | 4

# Where one side has few rows, the other is looked up by their values.

exec
CREATE TABLE l (_id VARCHAR(255) PRIMARY KEY, _doc JSON);
INSERT INTO l (_doc) SELECT JSON_OBJECT('_id', CONCAT(b._id, c._id, d._id), 'x', ROUND(ASCII(b._id) - 111 + ASCII(c._id) - 112), 'y', ASCII(d._id) - 100, 'b', b._id) FROM b JOIN b c JOIN b d
----
ok, 0 rows
ok, 125 rows

query
EXPLAIN FORMAT=TREE SELECT a._id, l._id FROM a JOIN l ON a.x = l.x AND a.y < l.y
----
EXPLAIN
-> Project: a._id, l._id
    -> Join, inner, lookup: ((a.x = l.x) AND (a.y < l.y))
        -> Table scan on a
             documents: 5, exactly
        -> Look up in batches: l: `x` = a.x
             for about 5 rows, documents for each: about 13.9
             cost: 161.3
             documents: about 69 of 125
             lost: the whole side, hashed: cost 188.5

query
EXPLAIN SELECT a._id, l._id FROM a JOIN l ON a.x = l.x AND a.y < l.y
----
id | select_type | table | partitions | type | possible_keys | key | key_len | ref | rows | filtered | Extra
1 | SIMPLE | a | NULL | ALL | NULL | NULL | NULL | NULL | 5 | 100 |
1 | SIMPLE | l | NULL | ref | NULL | x | NULL | a.x | 69 | 100 |

query
SELECT a._id, COUNT(*), MIN(l._id), MAX(l.y) FROM a JOIN l ON a.x = l.x AND a.y < l.y GROUP BY a._id ORDER BY 1
----
_id | COUNT(*) | MIN(l._id) | MAX(l.y)
1 | 5 | ppp | 16
2 | 5 | ppp | 16

query
SELECT a._id, l._id FROM a LEFT JOIN l ON l.x = a.x AND l.y < 14 AND l.b = 'p' ORDER BY 1, 2
----
_id | _id
1 | ppp
1 | ppq
2 | ppp
2 | ppq
3 | NULL
4 | NULL
5 | NULL

query
SELECT b._id, l._id, a._id FROM b JOIN l ON l._id = CONCAT(b._id, b._id, 'q') LEFT JOIN a ON a.x = l.x ORDER BY 1, 2, 3
----
_id | _id | _id
p | ppq | 1
p | ppq | 2
q | qqq | NULL
r | rrq | NULL
s | ssq | NULL
t | ttq | NULL

query
EXPLAIN FORMAT=TREE SELECT b._id, l._id FROM b JOIN l ON l._id = CONCAT(b._id, b._id, 'q') WHERE l.y > 3
----
EXPLAIN
-> Project: b._id, l._id
    -> Join, inner, lookup: (l._id = concat(b._id,b._id,'q'))
        -> Table scan on b
             documents: 5, exactly
        -> Filter: (l.y > 3)
            -> Look up in batches: l: primary key = concat(b._id,b._id,'q')
                 for about 5 rows, documents for each: about 1.0
                 cost: 19.5
                 documents: about 5 of 125
                 lost: the whole side, hashed: cost 69.8

exec
UPDATE a JOIN l ON a.x = l.x SET a.found = l._id WHERE l._id LIKE 'pp%';
SELECT _id, found FROM a WHERE found IS NOT NULL;
DELETE l FROM a JOIN l ON a.x = l.x WHERE a._id = '5'
----
ok, 2 rows
ok, 0 rows
ok, 0 rows

query
SELECT a._id, (SELECT MIN(l._id) FROM b JOIN l ON l.b = b._id AND l.x > 1 WHERE b.x = a.x) FROM a ORDER BY 1
----
_id | (SELECT MIN(l._id) FROM b JOIN l ON l.b = b._id AND l.x > 1 WHERE b.x = a.x)
1 | pqp
2 | pqp
3 | NULL
4 | NULL
5 | spp

# Semi and anti joins. One NULL in the list of NOT IN leaves everything out.

query
EXPLAIN FORMAT=TREE SELECT _id FROM l WHERE EXISTS (SELECT 1 FROM a WHERE a.x = l.x AND a.y < l.y)
----
EXPLAIN
-> Project: l._id
    -> Join, semi, lookup: ((a.x = l.x) AND (a.y < l.y))
        -> Table scan on a
             documents: 5, exactly
        -> Look up in batches: l: `x` = a.x
             for about 5 rows, documents for each: about 13.9
             cost: 161.3
             documents: about 69 of 125
             lost: the whole side, hashed: cost 188.5

query
SELECT COUNT(*), MIN(_id) FROM l WHERE EXISTS (SELECT 1 FROM a WHERE a.x = l.x AND a.y < l.y)
----
COUNT(*) | MIN(_id)
5 | ppp

query
EXPLAIN FORMAT=TREE SELECT _id FROM a WHERE NOT EXISTS (SELECT 1 FROM l WHERE a.x = l.x AND l.y = 12)
----
EXPLAIN
-> Project: a._id
    -> Join, anti, hash: ((a.x = l.x) AND (NOT((a.x = l.x) IS NULL)))
        -> Table scan on a
             documents: 5, exactly
        -> Hash
            -> Index lookup on l using y
                 range: `y` in 12
                 keys: 25 counted of 125
                 tight
                 cost: 51.2, a full scan costs 125.0

query
SELECT _id FROM a WHERE NOT EXISTS (SELECT 1 FROM l WHERE a.x = l.x AND l.y = 12)
----
_id
3
4
5

query
EXPLAIN FORMAT=TREE SELECT _id FROM l WHERE NOT EXISTS (SELECT 1 FROM a WHERE a.x = l.x) AND l.y = 12
----
EXPLAIN
-> Project: l._id
    -> Join, anti, hash: ((a.x = l.x) AND (NOT((a.x = l.x) IS NULL)))
        -> Index lookup on l using y
             range: `y` in 12
             keys: 25 counted of 125
             tight
             cost: 51.2, a full scan costs 125.0
        -> Hash
            -> Table scan on a
                 documents: 5, exactly

query
SELECT COUNT(*) FROM l WHERE NOT EXISTS (SELECT 1 FROM a WHERE a.x = l.x) AND l.y = 12
----
COUNT(*)
24

query
EXPLAIN FORMAT=TREE SELECT _id FROM l WHERE _id IN (SELECT found FROM a)
----
EXPLAIN
-> Project: l._id
    -> Join, inner, lookup: (l._id = a.found)
        -> Remove duplicates
            -> Project: a.found
                -> Distinct values of a using found
                     entries only: no document is read
                     keys: about 2 of 2
        -> Look up in batches: l: primary key = a.found
             entries only: no document is read
             for about 3 rows, documents for each: about 1.0
             cost: 8.7
             keys: about 3 of 125
             lost: the whole side, hashed: cost 125.6

query
SELECT _id FROM l WHERE _id IN (SELECT found FROM a)
----
_id
ppp

query
SELECT COUNT(*) FROM l WHERE _id NOT IN (SELECT found FROM a)
----
COUNT(*)
0

query
SELECT COUNT(*) FROM l WHERE _id NOT IN (SELECT found FROM a WHERE found IS NOT NULL)
----
COUNT(*)
124

# Child tables and changes beside their table.

exec
UPDATE l SET grades = JSON_ARRAY(JSON_OBJECT('p', y), JSON_OBJECT('p', x)) WHERE b IN ('p', 'q')
----
ok, 50 rows

query
EXPLAIN FORMAT=TREE SELECT g._id, g._idx, g.p FROM a JOIN l__grades g ON g._id = a.found WHERE g.p > 5
----
EXPLAIN
-> Project: g._id, g._idx, g.p
    -> Join, inner, hash: (g._id = a.found)
         rows: about 2, cost: 16.0
        -> Filter: (g.p > 5)
            -> Index range scan on g using grades[*].p
                 range: `p` in (5, +∞)
                 entries only: no document is read
                 keys: 55 counted of 100
                 not tight: the filter stays
                 residual: (g.p > 5)
                 cost: 2.8, a full scan costs 125.0
                 lost: `grades` in arrays that hold something, keys: 50 counted of 50: cost 102.5, the chosen one costs 2.8
        -> Hash: (a.found) looked up by (g._id)
            -> Table scan on a
                 documents: 5, exactly

query
SELECT g._id, g._idx, g.p FROM a JOIN l__grades g ON g._id = a.found WHERE g.p > 5
----
_id | _idx | p
ppp | 0 | 12
ppp | 0 | 12

query
SELECT a._id, g._id, g._idx, g.p FROM a LEFT JOIN l__grades g ON g._id = a.found ORDER BY 1, 3
----
_id | _id | _idx | p
1 | ppp | 0 | 12
1 | ppp | 1 | 1
2 | ppp | 0 | 12
2 | ppp | 1 | 1
3 | NULL | NULL | NULL
4 | NULL | NULL | NULL
5 | NULL | NULL | NULL

query
EXPLAIN FORMAT=TREE SELECT l.x, g.p FROM l__grades g JOIN l ON l._id = g._id WHERE g.p = 12
----
EXPLAIN
-> Project: l.x, g.p
    -> Join, inner, lookup: (l._id = g._id)
        -> Filter: (g.p = 12)
            -> Index lookup on g using grades[*].p
                 range: `p` in 12
                 entries only: no document is read
                 keys: 10 counted of 100
                 not tight: the filter stays
                 residual: (g.p = 12)
                 cost: 0.5, a full scan costs 125.0
                 lost: `grades` in arrays that hold something, keys: 50 counted of 50: cost 102.5, the chosen one costs 0.5
        -> Look up in batches: l: primary key = g._id
             for about 5 rows, documents for each: about 1.0
             cost: 19.5
             documents: about 5 of 125
             lost: the whole side, hashed: cost 188.5

query
SELECT l.x, g.p, COUNT(*) FROM l__grades g JOIN l ON l._id = g._id WHERE g.p = 12 GROUP BY 1, 2 ORDER BY 1
----
x | p | COUNT(*)
1 | 12 | 1
2 | 12 | 2
3 | 12 | 2
4 | 12 | 2
5 | 12 | 2
6 | 12 | 1

query
SELECT COUNT(*) FROM l__changes c JOIN l ON l._id = c._id WHERE l.y = 12
----
COUNT(*)
25

# A subquery on the same table gets another name, and is looked up none the less.

query
EXPLAIN FORMAT=TREE SELECT _id, x FROM l WHERE _id IN (SELECT _id FROM l WHERE x = 0.5 OR x = 7)
----
EXPLAIN
-> Project: l._id, l.x
    -> Join, inner, lookup: (l._id = l_1._id)
        -> Remove duplicates
            -> Project: l_1._id
                -> Index range scan on l_1 using x
                     range: `x` in 0.5, 7
                     entries only: no document is read
                     keys: 15 counted of 125
                     tight
                     cost: 0.8, a full scan costs 125.0
        -> Look up in batches: l: primary key = l_1._id
             for about 15 rows, documents for each: about 1.0
             cost: 58.5
             documents: about 15 of 125
             lost: the whole side, hashed: cost 190.5

query
SELECT COUNT(*) FROM l WHERE _id IN (SELECT _id FROM l WHERE x = 7 OR x = 8)
----
COUNT(*)
25

# Ranges, <=> and OR are looked up too, from either side.

exec
CREATE TABLE days (_id INT PRIMARY KEY, _doc JSON);
CREATE TABLE spans (_id INT PRIMARY KEY, _doc JSON);
INSERT INTO days (_id, _doc) WITH RECURSIVE c (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM c WHERE i < 199) SELECT i, JSON_OBJECT('day', i, 'k', MOD(i * 7, 100), 'name', CONCAT('d', LPAD(i, 3, '0'))) FROM c;
UPDATE days SET _doc = '{"day":null,"k":3}' WHERE _id = 7;
UPDATE days SET _doc = '{"k":5}' WHERE _id = 8;
INSERT INTO spans (_id, _doc) VALUES (1, '{"lo":5,"hi":9,"name":"d150"}'), (2, '{"lo":8,"hi":10.5}'), (3, '{"lo":50,"hi":40}'), (4, '{"lo":197,"name":"d198x"}'), (5, '{"hi":2,"name":"d003"}')
----
ok, 0 rows
ok, 0 rows
ok, 200 rows
ok, 1 rows
ok, 1 rows
ok, 5 rows

query
EXPLAIN FORMAT=TREE SELECT s._id, d._id FROM spans s JOIN days d ON d.day BETWEEN s.lo AND s.hi
----
EXPLAIN
-> Project: s._id, d._id
    -> Join, inner, lookup: (d.day BETWEEN s.lo AND s.hi)
        -> Table scan on s
             documents: 5, exactly
        -> Look up in batches: d: `day` >= s.lo AND `day` <= s.hi
             entries only: no document is read
             for about 5 rows, documents for each: about 10.0
             cost: 43.5
             keys: about 50 of 200
             lost: the whole side, read for each row: cost 1395.0

query
SELECT s._id, GROUP_CONCAT(d._id ORDER BY d._id) FROM spans s JOIN days d ON d.day BETWEEN s.lo AND s.hi GROUP BY s._id ORDER BY 1
----
_id | GROUP_CONCAT(d._id ORDER BY d._id)
1 | 5,6,9
2 | 9,10

query
SELECT s._id, COUNT(d._id), MIN(d.day) FROM spans s LEFT JOIN days d ON d.day > s.lo AND s.hi > d.day GROUP BY s._id ORDER BY 1
----
_id | COUNT(d._id) | MIN(d.day)
1 | 1 | 6
2 | 2 | 9
3 | 0 | NULL
4 | 0 | NULL
5 | 0 | NULL

query
SELECT s._id FROM spans s WHERE NOT EXISTS (SELECT 1 FROM days d WHERE d.day > s.lo AND d.day < s.hi) ORDER BY 1
----
_id
3
4
5

query
EXPLAIN FORMAT=TREE SELECT s._id FROM spans s WHERE NOT EXISTS (SELECT 1 FROM days d WHERE d.day > s.lo AND d.day < s.hi)
----
EXPLAIN
-> Project: s._id
    -> Join, anti, lookup: ((((d.day > s.lo) AND (d.day < s.hi)) AND (NOT((d.day > s.lo) IS NULL))) AND (NOT((d.day < s.hi) IS NULL)))
        -> Table scan on s
             documents: 5, exactly
        -> Look up in batches: d: `day` > s.lo AND `day` < s.hi
             entries only: no document is read
             for about 5 rows, documents for each: about 10.0
             cost: 43.5
             keys: about 50 of 200
             lost: the whole side, read for each row: cost 1200.0

query
SELECT d._id FROM days d WHERE EXISTS (SELECT 1 FROM spans s WHERE d.day >= s.lo AND d.day < s.hi) ORDER BY 1
----
_id
5
6
9
10

query
EXPLAIN FORMAT=TREE SELECT s._id, d._id FROM spans s LEFT JOIN days d ON d.day <=> s.hi
----
EXPLAIN
-> Project: s._id, d._id
    -> Join, left, lookup: (d.day <=> s.hi)
        -> Table scan on s
             documents: 5, exactly
        -> Look up in batches: d: `day` <=> s.hi
             entries only: no document is read
             for about 5 rows, documents for each: about 1.0
             cost: 11.0
             keys: about 5 of 200
             lost: the whole side, read for each row: cost 1200.0

query
SELECT s._id, d._id FROM spans s LEFT JOIN days d ON d.day <=> s.hi ORDER BY 1, 2
----
_id | _id
1 | 9
2 | NULL
3 | 40
4 | 7
4 | 8
5 | 2

query
EXPLAIN FORMAT=TREE SELECT s._id, d._id FROM spans s JOIN days d ON d.day = s.lo OR d.k = s.lo OR d.name = s.name
----
EXPLAIN
-> Project: s._id, d._id
    -> Join, inner, lookup: (((d.day = s.lo) OR (d.k = s.lo)) OR (d.name = s.name))
        -> Table scan on s
             documents: 5, exactly
        -> Look up in batches: d: `day` = s.lo OR `k` = s.lo OR `name` = s.name
             for about 5 rows, documents for each: about 4.0
             cost: 67.5
             documents: about 20 of 200
             lost: the whole side, read for each row: cost 1395.0

query
SELECT s._id, d._id FROM spans s JOIN days d ON d.day = s.lo OR d.k = s.lo OR d.name = s.name ORDER BY 1, 2
----
_id | _id
1 | 5
1 | 8
1 | 15
1 | 115
1 | 150
2 | 44
2 | 144
3 | 50
3 | 150
4 | 197
5 | 3

query
EXPLAIN SELECT s._id, d._id FROM spans s JOIN days d ON d.day = s.lo OR d.k = s.lo
----
id | select_type | table | partitions | type | possible_keys | key | key_len | ref | rows | filtered | Extra
1 | SIMPLE | s | NULL | ALL | NULL | NULL | NULL | NULL | 5 | 100 |
1 | SIMPLE | d | NULL | index_merge | NULL | day,k | NULL | s.lo, s.lo | 15 | 100 |

query
EXPLAIN SELECT s._id, d._id FROM spans s JOIN days d ON d._id >= s.hi AND d._id < s.hi + 2
----
id | select_type | table | partitions | type | possible_keys | key | key_len | ref | rows | filtered | Extra
1 | SIMPLE | s | NULL | ALL | NULL | NULL | NULL | NULL | 5 | 100 |
1 | SIMPLE | d | NULL | range | NULL | PRIMARY | NULL | s.hi, (s.hi + 2) | 50 | 100 | Using index

query
SELECT s._id, GROUP_CONCAT(d.name ORDER BY d.name) FROM spans s JOIN days d ON d.name >= s.name AND d.name < CONCAT(s.name, 'y') GROUP BY s._id ORDER BY 1
----
_id | GROUP_CONCAT(d.name ORDER BY d.name)
1 | d150
5 | d003

# An outer join whose NULLs a condition above rejects is an inner join, and keeps its condition.
exec
CREATE TABLE oj (_id INT PRIMARY KEY, k INT, v VARCHAR(10));
CREATE TABLE ok (_id INT PRIMARY KEY, k INT);
INSERT INTO oj VALUES (0, 7, 'abc'), (1, 7, 'x'), (2, 7, 'y');
INSERT INTO ok VALUES (0, 0), (1, 1)
----
ok, 0 rows
ok, 0 rows
ok, 3 rows
ok, 2 rows

query
SELECT t0._id, t1._id FROM oj AS t0 LEFT JOIN (oj AS t1 JOIN ok AS t2 ON t1._id = t2._id) ON t0.k <> t1.k JOIN oj AS t3 ON (t0.v <=> t3.v AND t1._id = ((t3.v = 'none') IS TRUE))
----
_id | _id

query
SELECT t0._id, t1._id FROM (oj AS t1 JOIN ok AS t2 ON t1._id = t2._id) RIGHT JOIN oj AS t0 ON t0.k <> t1.k JOIN oj AS t3 ON t0.v <=> t3.v WHERE t1._id = ((t3.v = 'none') IS TRUE)
----
_id | _id

query
SELECT t0._id, t1._id FROM oj AS t0 LEFT JOIN oj AS t1 ON t0._id = t1._id + 1 WHERE NOT (t1._id = 0)
----
_id | _id
2 | 1

query
SELECT t0._id, t1._id FROM oj AS t0 LEFT JOIN oj AS t1 ON t0._id = t1._id + 1 WHERE NOT (t1._id <=> 0)
----
_id | _id
0 | NULL
2 | 1

query
SELECT t0._id, t1._id FROM oj AS t0 LEFT JOIN ok AS t1 ON t0.k = t1.k WHERE NOT (t1._id < ANY (SELECT k FROM ok WHERE k > 100))
----
_id | _id
0 | NULL
1 | NULL
2 | NULL

query
SELECT t0._id, t1._id FROM oj AS t0 LEFT JOIN ok AS t1 ON t0.k = t1.k WHERE t1._id < ALL (SELECT k FROM ok WHERE k > 100)
----
_id | _id
0 | NULL
1 | NULL
2 | NULL

# DELETE from a join counts each document once that it deletes, and NULLs of an outer join are none.
exec
CREATE TABLE da (_id INT PRIMARY KEY, g INT, _doc JSON);
CREATE TABLE db (g INT, n VARCHAR(10) COLLATE utf8mb4_0900_ai_ci, PRIMARY KEY (g, n), _doc JSON);
INSERT INTO da (_id, g) VALUES (1, 1), (2, 2), (3, 3);
INSERT INTO db (g, n) VALUES (1, 'a'), (1, 'b'), (2, 'a');
BEGIN;
DELETE da FROM da JOIN db ON db.g = da.g;
ROLLBACK;
BEGIN;
DELETE da, db FROM da LEFT JOIN db ON db.g = da.g;
SELECT COUNT(*) FROM da, db;
ROLLBACK;
BEGIN;
DELETE db FROM da LEFT JOIN db ON db.g = da.g;
ROLLBACK;
BEGIN;
DELETE x, y FROM da AS x JOIN da AS y ON x._id > y._id;
ROLLBACK;
BEGIN;
DELETE FROM x, z USING da AS x JOIN da AS y JOIN db AS z ON z.g = y.g WHERE x._id < 3;
ROLLBACK;
DELETE da FROM da JOIN db ON db.g > da.g
----
ok, 0 rows
ok, 0 rows
ok, 3 rows
ok, 3 rows
ok, 0 rows
ok, 2 rows
ok, 0 rows
ok, 0 rows
ok, 6 rows
ok, 0 rows
ok, 0 rows
ok, 0 rows
ok, 3 rows
ok, 0 rows
ok, 0 rows
ok, 3 rows
ok, 0 rows
ok, 0 rows
ok, 5 rows
ok, 0 rows
ok, 1 rows

query
SELECT (SELECT GROUP_CONCAT(_id ORDER BY _id) FROM da) AS a, (SELECT COUNT(*) FROM db) AS b
----
a | b
2,3 | 3

query
CHECK TABLE da, db
----
Table | Op | Msg_type | Msg_text
d.da | check | status | OK
d.db | check | status | OK

# A text that spells -0 is the number 0, in a hash too.
exec
CREATE TABLE zeros (_id VARCHAR(255) PRIMARY KEY, _doc JSON);
INSERT INTO zeros (_doc) VALUES ('{"_id":"k1"}'), ('{"_id":"k2","a":["a",-0,"b"],"z":-0}'), ('{"_id":"k3","a":["c"],"z":"-0.0"}'), ('{"_id":"k4","a":[1,2],"z":"-0e3x"}')
----
ok, 0 rows
ok, 4 rows

query
SELECT e._id, e._idx FROM zeros__a AS e JOIN zeros AS t ON (e._id = t._id AND JSON_UNQUOTE(JSON_EXTRACT(t._doc, '$.z')) = e._idx) ORDER BY e._id
----
_id | _idx
k2 | 0
k3 | 0
k4 | 0

query
SELECT COUNT(*) FROM zeros__a AS e JOIN zeros AS t ON JSON_UNQUOTE(JSON_EXTRACT(t._doc, '$.z')) = e._idx
----
COUNT(*)
9

query
CHECK TABLE zeros
----
Table | Op | Msg_type | Msg_text
d.zeros | check | status | OK

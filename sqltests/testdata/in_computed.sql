# IN of a subquery that computes its column, and gives it no name: joins that the engine makes of it read the column, not what it is computed of.

exec
CREATE TABLE one (_id INT PRIMARY KEY, x INT, s VARCHAR(20));
CREATE TABLE l (_id INT PRIMARY KEY, x INT, s VARCHAR(20));
CREATE TABLE r (_id INT PRIMARY KEY, y INT, z INT, s VARCHAR(20), _doc JSON);
INSERT INTO one VALUES (1, 3, 'a');
INSERT INTO l VALUES (1, 11, 'a!'), (2, 12, 'b!'), (3, 13, 'c!'), (4, 1, NULL), (5, 0, 'a');
INSERT INTO r (_id, y, z, s) VALUES (10, 10, 0, 'a'), (20, 12, 0, 'c')
----
ok, 0 rows
ok, 0 rows
ok, 0 rows
ok, 1 rows
ok, 5 rows
ok, 2 rows

query
SELECT x FROM l WHERE x IN (SELECT y + 1 FROM r) ORDER BY x
----
x
11
13

query
SELECT x FROM l WHERE x IN (SELECT y < 11 FROM r) ORDER BY x
----
x
0
1

query
SELECT x FROM l WHERE x NOT IN (SELECT (y < 11) IS TRUE FROM r) ORDER BY x
----
x
11
12
13

query
SELECT x FROM l WHERE x IN (SELECT (x < 3) IS TRUE FROM one) ORDER BY x
----
x
0

query
SELECT x FROM l WHERE x IN (SELECT x = 3 FROM one) ORDER BY x
----
x
1

query
SELECT x FROM l WHERE x NOT IN (SELECT x > 3 FROM one) ORDER BY x
----
x
1
11
12
13

query
SELECT _id FROM one WHERE x IN (SELECT (y < 11) + 2 FROM r)
----
_id
1

query
SELECT _id FROM one WHERE _id IN (SELECT x < 5 FROM one)
----
_id
1

query
SELECT _id FROM one WHERE _id IN (SELECT (x < 5) IS TRUE FROM one AS o)
----
_id
1

query
SELECT s FROM l WHERE s IN (SELECT CONCAT(s, '!') FROM r) ORDER BY s
----
s
a!
c!

query
SELECT x FROM l WHERE (x, s) IN (SELECT y + 1, CONCAT(s, '!') FROM r) ORDER BY x
----
x
11
13

query
SELECT x FROM l WHERE x IN (SELECT y IS NULL FROM r WHERE z = 0) OR x = 13 ORDER BY x
----
x
0
13

query
SELECT x FROM l WHERE x = ANY (SELECT DISTINCT y + 1 FROM r ORDER BY y + 1 LIMIT 1)
----
x
11

query
SELECT x IN (SELECT y > 10 FROM r) AS i FROM l ORDER BY _id
----
i
0
0
0
1
1

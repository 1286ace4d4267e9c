# Reads along the index inside transactions, and statements that write what they read.

exec
CREATE TABLE t (_id VARCHAR(255) PRIMARY KEY, _doc JSON);
INSERT INTO t (_doc) VALUES ('{"_id":"a","n":1}'), ('{"_id":"b","n":2}'), ('{"_id":"c","n":3}'), ('{"_id":"d","n":4}'), ('{"_id":"e","n":5}');
UPDATE t SET n = n + 1 WHERE n >= 4;
UPDATE t SET n = n * 10 WHERE n = 2;
----
ok, 0 rows
ok, 5 rows
ok, 2 rows
ok, 1 rows

query
SELECT _id, n FROM t WHERE n > 0 ORDER BY _id
----
_id | n
a | 1
b | 20
c | 3
d | 5
e | 6

exec
BEGIN;
INSERT INTO t (_doc) VALUES ('{"_id":"f","n":20,"late":true}');
UPDATE t SET n = 21 WHERE n = 20;
DELETE FROM t WHERE n = 3;
----
ok, 0 rows
ok, 1 rows
ok, 2 rows
ok, 1 rows

query
SELECT _id, n FROM t WHERE n = 21 ORDER BY _id
----
_id | n
b | 21
f | 21

query
SELECT _id FROM t WHERE late
----
_id
f

query
SELECT _id FROM t WHERE late IS NULL ORDER BY _id
----
_id
a
b
d
e

query conn=other
SELECT _id, n FROM t WHERE n IN (3, 20, 21) ORDER BY _id
----
_id | n
b | 20
c | 3

exec
ROLLBACK
----
ok, 0 rows

query
SELECT _id, n FROM t WHERE n IN (3, 20, 21) ORDER BY _id
----
_id | n
b | 20
c | 3

exec
INSERT INTO t (_id, n) SELECT CONCAT(_id, '2'), n FROM t WHERE n BETWEEN 1 AND 10;
INSERT INTO t (_doc) VALUES ('{"_id":"g","n":"five"}');
UPDATE t SET n = 'six' WHERE n = 'five';
DELETE FROM t WHERE n = 1;
----
ok, 4 rows
ok, 1 rows
ok, 1 rows
ok, 2 rows

query
SELECT _id, n FROM t WHERE n > 0 ORDER BY _id
----
_id | n
b | 20
c | 3
c2 | 3
d | 5
d2 | 5
e | 6
e2 | 6
g | "six"

query
SELECT _id FROM t WHERE n = 'six'
----
_id
g

query
SELECT _id FROM t WHERE n = 6
----
_id
e
e2

prepared
: 6
SELECT _id FROM t WHERE n = ?
----
_id
e
e2

prepared
: six
SELECT _id FROM t WHERE _doc->'$.n' = ?
----
_id
g

prepared
: e2
SELECT _id, n FROM t WHERE _id = ?
----
_id | n
e2 | 6

query
SELECT _id FROM t WHERE _id = 'a' UNION ALL SELECT _id FROM t WHERE _id = 'b' UNION ALL SELECT _id FROM t WHERE _id = 'e'
----
_id
b
e

query
SELECT _id, (SELECT COUNT(*) FROM t b WHERE a.n = 6) AS c FROM t a WHERE a._id = 'e'
----
_id | c
e | 8

# A composite key, an integer key, and a table without a key.

exec
CREATE TABLE pair (x BIGINT, y VARCHAR(20), z DECIMAL(10,2), d DATE, PRIMARY KEY (x, y));
INSERT INTO pair VALUES (1, 'a', 1.10, '2020-01-01'), (1, 'b', 2.20, '2020-01-02'), (2, 'a', 3.30, '2020-01-03'), (-5, 'z', 4.40, NULL);
CREATE TABLE bare (x INT, s VARCHAR(20) COLLATE utf8mb4_0900_ai_ci);
INSERT INTO bare VALUES (1, 'Ab'), (2, 'aB'), (3, 'b'), (4, NULL);
----
ok, 0 rows
ok, 4 rows
ok, 0 rows
ok, 4 rows

query
SELECT * FROM pair WHERE x = 1 AND y = 'b'
----
x | y | z | d
1 | b | 2.20 | 2020-01-02

query
EXPLAIN FORMAT=TREE SELECT * FROM pair WHERE x = 1 AND y = 'b'
----
EXPLAIN
-> Filter: (pair.y = 'b')
    -> Index lookup on pair using PRIMARY
         range: primary key in 1
         keys: 2 counted of 4
         tight
         residual: (pair.y = 'b')
         cost: 2.0, a full scan costs 4.0
         lost: `y` in 'b', keys: 1 counted of 4: cost 2.0, the chosen one costs 2.0

query
SELECT * FROM pair WHERE x < 0
----
x | y | z | d
-5 | z | 4.40 | NULL

query
SELECT * FROM pair WHERE y = 'a' ORDER BY x
----
x | y | z | d
1 | a | 1.10 | 2020-01-01
2 | a | 3.30 | 2020-01-03

query
SELECT * FROM pair WHERE z = 2.2
----
x | y | z | d
1 | b | 2.20 | 2020-01-02

query
SELECT * FROM pair WHERE d > '2020-01-01' ORDER BY d
----
x | y | z | d
1 | b | 2.20 | 2020-01-02
2 | a | 3.30 | 2020-01-03

query
SELECT * FROM bare WHERE s = 'AB' ORDER BY x
----
x | s
1 | Ab
2 | aB

query
SELECT * FROM bare WHERE s LIKE 'a%' ORDER BY x
----
x | s
1 | Ab
2 | aB

query
SELECT * FROM bare WHERE x IN (2, 3, 7) AND s <> 'b'
----
x | s
2 | aB

exec
UPDATE bare SET x = 9 WHERE s = 'ab';
DELETE FROM bare WHERE x = 3;
----
ok, 2 rows
ok, 1 rows

query
SELECT * FROM bare ORDER BY x, s
----
x | s
4 | NULL
9 | Ab
9 | aB

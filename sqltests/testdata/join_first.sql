# LIMIT without ORDER BY over a join: no side is hashed as a whole where looking it up for as many rows as are taken reads less, until that has cost as much.
exec
CREATE TABLE digits (_id INT PRIMARY KEY);
INSERT INTO digits VALUES (0),(1),(2),(3),(4),(5),(6),(7),(8),(9);
CREATE TABLE o (_id INT PRIMARY KEY, _doc JSON);
INSERT INTO o (_doc) SELECT JSON_OBJECT('_id', a._id * 100 + b._id * 10 + c._id, 'p', CONCAT('p', b._id, c._id), 'n', a._id, 'z', 1) FROM digits a, digits b, digits c;
CREATE TABLE p (_id VARCHAR(20) PRIMARY KEY, _doc JSON);
INSERT INTO p (_doc) SELECT JSON_OBJECT('_id', CONCAT('p', a._id, b._id), 'n', a._id, 'm', b._id, 'u', a._id * 10 + b._id) FROM digits a, digits b
----
ok, 0 rows
ok, 10 rows
ok, 0 rows
ok, 1000 rows
ok, 0 rows
ok, 100 rows

query
EXPLAIN FORMAT=TREE SELECT o.z, p.m FROM o JOIN p ON p._id = o.p LIMIT 3
----
EXPLAIN
-> Limit: 3 rows
    -> Project: o.z, p.m
        -> The first of these, given up for the second: once it has cost 150.0
            -> Join, inner, lookup: (p._id = o.p)
                -> Table scan on o
                     documents: 1,000, exactly
                -> Look up in batches: p: primary key = o.p
                     for about 3 rows, documents for each: about 1.0
                     cost: 11.7
                     documents: about 3 of 100
                     lost: the whole side, hashed: cost 150.0
            -> Join, inner, hash: (p._id = o.p)
                 rows: about 985, cost: 1546.9
                -> Table scan on o
                     documents: 1,000, exactly
                -> Hash: (p._id) looked up by (o.p)
                    -> Index range scan on p using m
                         range: `m` in all values
                         entries only: no document is read
                         keys: 100 counted of 100; 0 documents lack the keypath
                         tight
                         cost: 5.0, a full scan costs 100.0

query
SELECT COUNT(*) FROM (SELECT o.z, p.m FROM o JOIN p ON p._id = o.p LIMIT 3) AS x
----
COUNT(*)
3

query
SHOW STATUS WHERE Variable_name IN ('sqlfdb_last_keys', 'sqlfdb_last_documents')
----
Variable_name | Value
sqlfdb_last_documents | 6
sqlfdb_last_keys | 0

query
SELECT COUNT(*) FROM (SELECT o.z, p.m FROM o LEFT JOIN p ON p.u = o._id LIMIT 7 OFFSET 4) AS x
----
COUNT(*)
7

query
SHOW STATUS WHERE Variable_name IN ('sqlfdb_last_keys', 'sqlfdb_last_documents')
----
Variable_name | Value
sqlfdb_last_documents | 11
sqlfdb_last_keys | 22

query
SELECT COUNT(*) FROM (SELECT o.z, p.m, q.m AS r FROM o JOIN p ON p._id = o.p JOIN p q ON q.u = o.n WHERE q.m < 5 LIMIT 10) AS x
----
COUNT(*)
10

# The condition is true of few rows, of which the walk meets none before it is given up.
query
SELECT o._id, p._id FROM o JOIN p ON p._id = o.p AND o.z + p.m = 10 AND o._id > 980 LIMIT 3
----
_id | _id
989 | p89
999 | p99

query
SELECT o._id, p._id FROM o JOIN p ON p.m = o.n AND o._id * p.u = 98901 LIMIT 2
----
_id | _id
999 | p99

query
SELECT o._id, p._id FROM o JOIN p ON p.m <=> o.n AND o._id + p.u = 1098 LIMIT 2
----
_id | _id
999 | p99

query
SELECT _id, EXISTS (SELECT 1 FROM o JOIN p ON p._id = o.p WHERE o.n = d._id AND p.m = d._id) AS e FROM digits d
----
_id | e
0 | 1
1 | 1
2 | 1
3 | 1
4 | 1
5 | 1
6 | 1
7 | 1
8 | 1
9 | 1

query
SELECT COUNT(*) FROM (SELECT o.z FROM o JOIN p ON p._id = o.p LIMIT 20000) AS x
----
COUNT(*)
1000

query
SELECT COUNT(*) FROM (SELECT o.z FROM o JOIN p ON p._id = o.p LIMIT 100 OFFSET 950) AS x
----
COUNT(*)
50

# Below what takes all rows, all are joined.
query
SELECT DISTINCT p.n FROM o JOIN p ON p._id = o.p WHERE p.n > 6 LIMIT 5
----
n
7
8
9

query
SELECT p.n, COUNT(*) FROM o JOIN p ON p._id = o.p WHERE p.n > 6 GROUP BY p.n LIMIT 5
----
n | COUNT(*)
7 | 100
8 | 100
9 | 100

exec
BEGIN;
DELETE FROM p WHERE _id <> 'p42';
UPDATE o SET z = 2 WHERE _id = 442
----
ok, 0 rows
ok, 99 rows
ok, 1 rows

query
SELECT COUNT(*), MIN(x._id), MIN(x.z) FROM (SELECT p._id, o.z FROM o JOIN p ON p._id = o.p LIMIT 40) AS x
----
COUNT(*) | MIN(x._id) | MIN(x.z)
10 | p42 | 1

exec
ROLLBACK;
SET sqlfdb_full_scans = 'deny'
----
ok, 0 rows
ok, 0 rows

query
SELECT o.z, p.m FROM o JOIN p ON p._id = o.p LIMIT 3
----
ERROR 1175 (HY000): The statement reads all of d.o, and sqlfdb_full_scans is deny; add a condition that a keypath's index can use, or a LIMIT

exec
SET sqlfdb_full_scans = 'allow';
CHECK TABLE o, p
----
ok, 0 rows
ok, 0 rows

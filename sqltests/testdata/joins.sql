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
plan
-> Project: a._id, b._id
    -> Join, inner, hash: ((a.x = b.x) AND (a.y < b.y))
        -> Scan b
             documents: 5, exactly
        -> Hash: (a.x) looked up by (b.x)
            -> Scan a
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

# What a condition on one column says of those that it is equal to is asked within derived tables too.
exec
CREATE TABLE o (_id VARCHAR(255) PRIMARY KEY, _doc JSON);
CREATE TABLE p (_id VARCHAR(255) PRIMARY KEY, ci VARCHAR(20) COLLATE utf8mb4_0900_ai_ci, n INT, _doc JSON);
INSERT INTO o (_doc) WITH RECURSIVE r AS (SELECT 0 AS i UNION ALL SELECT i + 1 FROM r WHERE i < 999) SELECT JSON_OBJECT('_id', CONCAT('o', i), 'c', i MOD 100, 'at', CONCAT('t', i), 's', IF(i MOD 3 = 0, 'a', 'b')) FROM r;
INSERT INTO p (_doc) VALUES ('{"_id":"p1","ci":"A","n":7,"x":7}'), ('{"_id":"p2","ci":"a","n":8,"x":"7"}'), ('{"_id":"p3","ci":"b","n":7,"x":7.0}')
----
ok, 0 rows
ok, 0 rows
ok, 1000 rows
ok, 3 rows

# The newest of each group, of one group: its documents alone are read.
query
SELECT o._id, o.at FROM o JOIN (SELECT c, MAX(at) AS last FROM o GROUP BY c) AS m ON m.c = o.c AND m.last = o.at WHERE o.c = 7
----
_id | at
o907 | t907

query
SHOW STATUS LIKE 'sqlfdb_last_documents'
----
Variable_name | Value
sqlfdb_last_documents | 11

query
SELECT o._id, m.last FROM o LEFT JOIN (SELECT c, MAX(at) AS last FROM o GROUP BY c) AS m ON m.c = o.c AND m.last = o.at WHERE o.c IN (7, 8) AND o.s = 'a' ORDER BY o._id
----
_id | last
o108 | NULL
o207 | NULL
o408 | NULL
o507 | NULL
o708 | NULL
o807 | NULL

query
SHOW STATUS LIKE 'sqlfdb_last_documents'
----
Variable_name | Value
sqlfdb_last_documents | 40

query
EXPLAIN FORMAT=TREE SELECT o._id, m.last FROM o LEFT JOIN (SELECT c, MAX(at) AS last FROM o GROUP BY c) AS m ON m.c = o.c AND m.last = o.at WHERE o.c BETWEEN 7 AND 8
----
EXPLAIN
-> Project: o._id, m.last
    -> Join, left, hash: ((m.c = o.c) AND (m.last = o.at))
         rows: about 20, cost: 199.0
        -> Index range scan on o using c
             range: `c` in [7, 8]
             keys: 20 counted of 1,000
             tight
             cost: 41.0, a full scan costs 1000.0
        -> Hash: (m.c, m.last) looked up by (o.c, o.at)
            -> Derived table m
                -> Project: o.c, max(o.at) as last
                    -> Group: by o.c: MAX(o.at), o.c
                         executor: interpreted: few rows
                        -> Index range scan on o using c
                             range: `c` in [7, 8]
                             keys: 20 counted of 1,000
                             tight
                             cost: 41.0, a full scan costs 1000.0

query
SELECT COUNT(*), COUNT(m.c), SUM(m.n) FROM (SELECT c, COUNT(*) AS n FROM o GROUP BY c) AS m RIGHT JOIN o ON m.c = o.c AND o.s = 'a' AND o.c < 50 WHERE o.c > 40
----
COUNT(*) | COUNT(m.c) | SUM(m.n)
590 | 30 | 300

# Conditions that the filled side of an outer join has itself say nothing of the other side.
query
SELECT COUNT(*), COUNT(m.c) FROM (SELECT c, COUNT(*) AS n FROM o GROUP BY c) AS m LEFT JOIN o ON m.c = o.c AND o.c = 7
----
COUNT(*) | COUNT(m.c)
109 | 109

query
SELECT COUNT(*), COUNT(o.c) FROM (SELECT c, COUNT(*) AS n FROM o GROUP BY c) AS m LEFT JOIN o ON m.c = o.c AND m.c = 7
----
COUNT(*) | COUNT(o.c)
109 | 10

query
SELECT COUNT(*), COUNT(o.c) FROM (SELECT c, COUNT(*) AS n FROM o GROUP BY c) AS m LEFT JOIN o ON m.c = o.c WHERE o.c IS NULL OR o.c = 7
----
COUNT(*) | COUNT(o.c)
10 | 10

# On both sides, where a condition is on a derived table's column.
query
SELECT m.c, COUNT(*), MIN(d.at) FROM o JOIN (SELECT DISTINCT c FROM o) AS m ON m.c = o.c JOIN (SELECT c, MAX(at) AS at FROM o GROUP BY c) AS d ON d.c = m.c WHERE m.c = 9 GROUP BY m.c
----
c | COUNT(*) | MIN(d.at)
9 | 10 | t909

query
EXPLAIN FORMAT=TREE SELECT o._id FROM o JOIN (SELECT DISTINCT c FROM o) AS m ON m.c = o.c JOIN (SELECT c, MAX(at) AS at FROM o GROUP BY c) AS d ON d.c = m.c WHERE m.c = 9
----
EXPLAIN
-> Project: o._id
    -> Join, inner, hash: ((m.c = o.c) AND (d.c = m.c))
         rows: about 985, cost: 126.9
        -> Derived table m
            -> Remove duplicates
                -> Project: o.c
                    -> Distinct values of o using c
                         range: `c` in 9
                         entries only: no document is read
                         keys: 10 counted of 1,000
                         tight
                         cost: 0.5, a full scan costs 1000.0
        -> Hash: (o.c, d.c) looked up by (m.c, m.c)
            -> Join, inner, lookup: (o.c = d.c)
                -> Derived table d
                    -> Project: o.c, max(o.at) as at
                        -> Group: by o.c: MAX(o.at), o.c
                             executor: interpreted: few rows
                            -> Index lookup on o using c
                                 range: `c` in 9
                                 keys: 10 counted of 1,000
                                 tight
                                 cost: 20.5, a full scan costs 1000.0
                -> Filter: (o.c = 9)
                    -> Look up in batches: o: `c` = d.c
                         entries only: no document is read
                         for about 1 rows, documents for each: about 9.8
                         cost: 23.4
                         keys: about 10 of 1,000
                         lost: the whole side, hashed: cost 25.7

# A derived table that takes no conditions.
query
EXPLAIN FORMAT=TREE SELECT o._id FROM o JOIN (SELECT c FROM o ORDER BY c LIMIT 500) AS m ON m.c = o.c WHERE m.c = 9
----
EXPLAIN
-> Project: o._id
    -> Join, inner, hash: (m.c = o.c)
         rows: about 10, cost: 127.5
        -> Derived table m
            -> Filter: (o.c = 9)
                -> Limit: 500 rows
                    -> Project: o.c
                        -> Index range scan on o using c
                             range: `c` in all values
                             entries only: no document is read
                             order: `c`: cost 25.0, sorting costs 1896.6
                             ends after: 500
                             keys: about 500 of 1,000
                             tight
                             cost: 2050.0, a full scan costs 1000.0
        -> Hash: (o.c) looked up by (m.c)
            -> Index lookup on o using c
                 range: `c` in 9
                 entries only: no document is read
                 keys: 10 counted of 1,000
                 tight
                 cost: 0.5, a full scan costs 1000.0

query
SELECT COUNT(*) FROM o JOIN (SELECT c FROM o ORDER BY c LIMIT 500) AS m ON m.c = o.c WHERE m.c = 9
----
COUNT(*)
100

# Equal texts need not be the same; nor are numbers the texts that spell them.
query
SELECT p._id, m.ci, m.n FROM p JOIN (SELECT ci, COUNT(*) AS n FROM p GROUP BY ci) AS m ON m.ci = p.ci WHERE p.ci = 'a' ORDER BY p._id
----
_id | ci | n
p1 | A | 2
p2 | A | 2

query
SELECT p._id, m.ci FROM p JOIN (SELECT DISTINCT ci FROM p) AS m ON m.ci = p.ci WHERE p.ci LIKE 'A' COLLATE utf8mb4_bin ORDER BY p._id
----
_id | ci
p1 | A

query
SELECT p._id, m.n FROM p JOIN (SELECT x, COUNT(*) AS n FROM p GROUP BY x) AS m ON m.x = p.x WHERE p.x = 7 ORDER BY p._id
----
_id | n
p1 | 2
p3 | 2

query
SELECT p._id, m.n FROM p JOIN (SELECT x, COUNT(*) AS n FROM p GROUP BY x) AS m ON m.x = p.n WHERE p.n = 7 ORDER BY p._id
----
_id | n
p1 | 2
p3 | 2

query
SELECT p._id, m.n FROM p JOIN (SELECT n, MIN(_id) AS x FROM p GROUP BY n) AS m ON m.n = p.x WHERE p.x = '7' ORDER BY p._id
----
_id | n
p1 | 7
p3 | 7

# Prepared, and in UPDATE.
prepared
: 7
SELECT COUNT(*), MAX(m.last) FROM o JOIN (SELECT c, MAX(at) AS last FROM o GROUP BY c) AS m ON m.c = o.c WHERE o.c = ?
----
COUNT(*) | MAX(m.last)
10 | t907

exec
UPDATE o JOIN (SELECT c, MAX(at) AS last FROM o GROUP BY c) AS m ON m.c = o.c AND m.last = o.at SET o.newest = true WHERE o.c = 7
----
ok, 1 rows

query
SELECT _id FROM o WHERE newest
----
_id
o907

query
CHECK TABLE o, p
----
Table | Op | Msg_type | Msg_text
d.o | check | status | OK
d.p | check | status | OK

# A condition that NULL satisfies says nothing of a derived table in an outer join within another one: the rows that it had not joined
# any more would leave the outer one NULLs.
exec
CREATE TABLE nestedo (_id INT PRIMARY KEY, x INT, z INT);
INSERT INTO nestedo VALUES (1, 5, 1), (2, 7, 1), (3, 7, 2), (4, NULL, 3)
----
ok, 0 rows
ok, 4 rows

query
SELECT a._id, b._id, d.x FROM nestedo AS a LEFT JOIN (nestedo AS b LEFT JOIN (SELECT x, MIN(z) AS z FROM nestedo GROUP BY x) AS d ON b.x = d.x) ON a.z = d.z AND a._id <> b._id WHERE b.x = 7 OR b.x IS NULL ORDER BY a._id, b._id
----
_id | _id | x
1 | 2 | 7
1 | 3 | 7
2 | 3 | 7
3 | NULL | NULL
4 | NULL | NULL

query
SELECT a._id, b._id, d.x FROM nestedo AS a LEFT JOIN (nestedo AS b LEFT JOIN (SELECT x, MIN(z) AS z FROM nestedo GROUP BY x) AS d ON b.x = d.x) ON a.z = d.z AND a._id <> b._id WHERE NOT b.x <=> 5 ORDER BY a._id, b._id
----
_id | _id | x
1 | 2 | 7
1 | 3 | 7
2 | 3 | 7
3 | NULL | NULL
4 | NULL | NULL

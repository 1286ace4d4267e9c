# Correlated subqueries that stay subqueries are planned for each outer row, with its values: they read what a statement of their own would, and give what they
# give with the index off.

exec
CREATE TABLE c (_id VARCHAR(20) PRIMARY KEY, zip VARCHAR(20) COLLATE utf8mb4_0900_ai_ci, n INT, _doc JSON);
INSERT INTO c (_doc) VALUES ('{"_id":"a","zip":"z1","n":3,"u":7}'), ('{"_id":"b","zip":"z2","n":250,"u":"z1"}'), ('{"_id":"c","zip":"none","n":-1}'), ('{"_id":"d","u":null}'), ('{"_id":"e","zip":"z1","n":3,"u":-0}'), ('{"_id":"f","zip":"Z1","n":0,"u":[1]}');
CREATE TABLE o (_id INT PRIMARY KEY, zip VARCHAR(20) COLLATE utf8mb4_0900_ai_ci, total DECIMAL(10,2), _doc JSON);
INSERT INTO o (_doc) WITH RECURSIVE n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n WHERE i < 120) SELECT JSON_OBJECT('_id', i, 'zip', CONCAT('z', i % 30), 'total', i * 7 % 121 * 3, 's', IF(i % 3, 'paid', 'open'), 'k', i % 25) FROM n;
CREATE TABLE few (_id INT PRIMARY KEY, k INT);
INSERT INTO few VALUES (1, 3), (2, 3), (3, 250)
----
ok, 0 rows
ok, 6 rows
ok, 0 rows
ok, 120 rows
ok, 0 rows
ok, 3 rows

query
SELECT _id, (SELECT COUNT(*) FROM o WHERE o.zip = c.zip) AS x FROM c ORDER BY _id
----
_id | x
a | 4
b | 4
c | 0
d | 0
e | 4
f | 4

query
SELECT _id, (SELECT o._id FROM o WHERE o.zip = c.zip ORDER BY o.total DESC LIMIT 1) AS x FROM c ORDER BY _id
----
_id | x
a | 31
b | 32
c | NULL
d | NULL
e | 31
f | 31

query
SELECT _id FROM c WHERE (SELECT MAX(o.total) FROM o WHERE o.zip = c.zip) > 300 ORDER BY _id
----
_id
b

query
SELECT _id, EXISTS (SELECT 1 FROM o WHERE o.zip = c.zip AND s = 'open') AS x FROM c ORDER BY _id
----
_id | x
a | 0
b | 0
c | 0
d | 0
e | 0
f | 0

query
SELECT _id FROM c WHERE n < 0 OR NOT EXISTS (SELECT 1 FROM o WHERE o.zip = c.zip) ORDER BY _id
----
_id
c
d

query
SELECT _id, (SELECT SUM(total) FROM o WHERE k = c.u) AS x FROM c ORDER BY _id
----
_id | x
a | 903.00
b | NULL
c | NULL
d | NULL
e | 894.00
f | NULL

query
SELECT _id, (SELECT MIN(o._id) FROM o WHERE o.total > c.n AND o.k BETWEEN c.n AND 20) AS x FROM c ORDER BY _id
----
_id | x
a | 3
b | NULL
c | 1
d | NULL
e | 3
f | 1

query
SELECT _id, (SELECT COUNT(*) FROM o WHERE o.zip = c.zip AND o.total > (SELECT AVG(p.total) FROM o p WHERE p.zip = c.zip AND p._id <> o._id)) AS x FROM c ORDER BY _id
----
_id | x
a | 2
b | 2
c | 0
d | 0
e | 2
f | 2

query
SELECT _id, (SELECT COUNT(*) FROM (SELECT o.k FROM o WHERE o.zip = c.zip) q WHERE q.k >= c.n) AS x FROM c ORDER BY _id
----
_id | x
a | 3
b | 0
c | 0
d | 0
e | 3
f | 4

query
SELECT _id, (SELECT COUNT(*) FROM o JOIN few ON few.k = o.k WHERE o.zip = CONCAT('z', few.k) AND o.total > c.n) AS x FROM c ORDER BY _id
----
_id | x
a | 2
b | 0
c | 2
d | 0
e | 2
f | 2

query
SELECT c.n, COUNT(*), (SELECT COUNT(*) FROM o WHERE o.total = c.n) AS x FROM c GROUP BY c.n ORDER BY c.n
----
n | COUNT(*) | x
NULL | 1 | 0
-1 | 1 | 0
0 | 1 | 0
3 | 2 | 1
250 | 1 | 0

query
SELECT c.n, MAX(zip) FROM c GROUP BY c.n HAVING (SELECT COUNT(*) FROM o WHERE o.total = c.n) > 0 ORDER BY c.n
----
n | MAX(zip)
3 | z1

query
SELECT SUM(n) AS x FROM c GROUP BY zip HAVING EXISTS (SELECT 1 FROM few WHERE few.k = c.zip OR few._id = LENGTH(c.zip))
----
x
6
250

query
SELECT SUM(n) AS x FROM c GROUP BY zip HAVING (SELECT COUNT(*) FROM o WHERE o.zip = c.zip) > 3 ORDER BY x
----
x
6
250

query
SELECT _id FROM c ORDER BY (SELECT MAX(o.total) FROM o WHERE o.zip = c.zip) DESC, _id
----
_id
b
a
e
f
c
d

query
SELECT a._id, b._id FROM c a JOIN c b ON a.zip = b.zip AND (SELECT COUNT(*) FROM o WHERE o.zip = a.zip AND o.total > b.n) > 2 ORDER BY 1, 2
----
_id | _id
a | a
a | e
a | f
e | a
e | e
e | f
f | a
f | e
f | f

query
SELECT _id, CASE WHEN n > 0 THEN (SELECT COUNT(*) FROM o WHERE o.k = c.n) END AS x FROM c ORDER BY _id
----
_id | x
a | 5
b | 0
c | NULL
d | NULL
e | 5
f | NULL

query
SELECT _id, (SELECT few.k FROM few WHERE few.k = c.n LIMIT 1) AS x FROM c ORDER BY _id
----
_id | x
a | 3
b | 250
c | NULL
d | NULL
e | 3
f | NULL

query
SELECT _id, (SELECT o._id FROM o WHERE o.zip = c.zip) FROM c
----
ERROR 1242 (21000): the subquery returned more than 1 row

# What was read, where 120 documents were read for each row.

exec
SELECT _id, (SELECT o._id FROM o WHERE o.zip = c.zip ORDER BY o.total DESC LIMIT 1) AS x FROM c
----
ok, 0 rows

query
SHOW STATUS WHERE Variable_name IN ('sqlfdb_last_documents', 'sqlfdb_last_keys')
----
Variable_name | Value
sqlfdb_last_documents | 128
sqlfdb_last_keys | 51

query
EXPLAIN FORMAT=TREE SELECT _id, (SELECT COUNT(*) FROM o WHERE o.zip = c.zip AND s = 'paid') AS x FROM c
----
EXPLAIN
-> Project: c._id, (subquery) as x
    -> Project: c._id, c.zip, c.n, (subquery) as x
        -> Table scan on c
             documents: 6, exactly
        -> Subquery #2
            -> Project: count(1)
                 planned for each outer row; as here for c.zip = 'z1'
                -> Aggregate: COUNT(1)
                    -> Filter: (o.s = 'paid')
                        -> Index range scan on o using zip
                             range: `zip` in 'z1'
                             keys: 4 counted of 120
                             tight
                             residual: (o.s = 'paid')
                             cost: 8.2, a full scan costs 120.0
                             lost: `s` in 'paid', keys: 80 counted of 120: cost 164.0, the chosen one costs 8.2
        -> Subquery #3
            -> Project: count(1), o.zip
                 instead, after 4 outer rows: computed once, found by o.zip = c.zip
                -> Group: by o.zip: COUNT(1), o.zip
                    -> Filter: (o.s = 'paid')
                        -> Table scan on o
                             documents: 120, exactly
                             residual: (o.s = 'paid')
                             lost: `s` in 'paid', keys: 80 counted of 120: cost 164.0, a full scan costs 120.0

query
EXPLAIN FORMAT=TREE SELECT a._id FROM c a JOIN c b ON a.zip = b.zip WHERE (SELECT COUNT(*) FROM o WHERE o.total = b.n) > 0
----
EXPLAIN
-> Project: a._id
    -> Filter: ((subquery) > 0)
        -> Join, inner, hash: (a.zip = b.zip)
             rows: about 36, cost: 23.4
            -> Table scan on a
                 documents: 6, exactly
            -> Hash: (b.zip) looked up by (a.zip)
                -> Table scan on b
                     documents: 6, exactly
        -> Subquery #2
            -> Project: count(1)
                 planned for each outer row, with its values
                -> Aggregate: COUNT(1)
                    -> Filter: (o.total = b.n)
                        -> Index range scan on o using total
                             range: `total` in not null
                             entries only: no document is read
                             keys: 120 counted of 120
                             not tight: the filter stays
                             residual: (o.total = b.n)
                             cost: 6.0, a full scan costs 120.0
                             no range: (o.total = b.n): neither side is a constant
        -> Subquery #3
            -> Project: count(1), o.total
                 instead, after 4 outer rows: computed once, found by o.total = b.n
                -> Group: by o.total: COUNT(1), o.total
                    -> Values and their counts of o using total
                         entries only: no document is read
                         keys: about 120 of 120

exec
CREATE VIEW vc AS SELECT _id AS id, zip AS place, n AS m FROM c WHERE n > 0
----
ok, 0 rows

query
EXPLAIN FORMAT=TREE SELECT id, (SELECT COUNT(*) FROM o WHERE o.zip = place) AS x FROM vc AS v WHERE id <> 'x'
----
EXPLAIN
-> Project: id, x
    -> Project: c._id as id, c.zip as place, c.n as m, (subquery) as x
        -> Filter: (c.n > 0)
            -> Index range scan on c using PRIMARY
                 range: primary key in ['', 'x'), ('x', …)
                 keys: 6 counted of 6
                 tight
                 residual: (c.n > 0)
                 cost: 6.0, a full scan costs 6.0
                 lost: `n` in (0, +∞), keys: 3 counted of 5: cost 6.1, the chosen one costs 6.0
        -> Subquery #2
            -> Project: count(1)
                 planned for each outer row; as here for c.zip = 'z1'
                -> Aggregate: COUNT(1)
                    -> Count of index keys of o using zip
                         range: `zip` in 'z1'
                         entries only: no document is read
                         keys: 4 counted of 120
                         tight
                         cost: 0.2, a full scan costs 120.0
        -> Subquery #3
            -> Project: count(1), o.zip
                 instead, after 4 outer rows: computed once, found by o.zip = c.zip
                -> Group: by o.zip: COUNT(1), o.zip
                    -> Table scan on o
                         documents: 120, exactly
                         residual: (o.zip = c.zip)
                         no range: (o.zip = c.zip): neither side is a constant

query
EXPLAIN SELECT _id FROM c WHERE n < 0 OR EXISTS (SELECT 1 FROM o WHERE o.zip = c.zip AND total > 100)
----
id | select_type | table | partitions | type | possible_keys | key | key_len | ref | rows | filtered | Extra
1 | PRIMARY | c | NULL | ALL | NULL | NULL | NULL | NULL | 6 | NULL | Using where
2 | DEPENDENT SUBQUERY | o | NULL | range | zip,total | zip | NULL | NULL | 4 | 72.5 | Using where; Planned for each outer row
3 | DEPENDENT SUBQUERY | o | NULL | ALL | total | NULL | NULL | NULL | 120 | 72.5 | Using where; Using temporary

analyze
EXPLAIN ANALYZE SELECT _id, (SELECT o._id FROM o WHERE o.zip = c.zip ORDER BY o.total DESC LIMIT 1) AS x FROM c
----
EXPLAIN
-> Project: c._id, (subquery) as x  (actual time=… rows=6 loops=1)
    -> Project: c._id, c.zip, c.n, (subquery) as x  (actual time=… rows=6 loops=1)
        -> Table scan on c  (actual time=… rows=6 loops=1)  (keys=0 documents=6 bytes=195)
             documents: 6, exactly
        -> Subquery #2
            -> Limit: 1 rows  (actual time=… rows=2 loops=2)
                 planned for each outer row; as here for c.zip = 'z1'
                -> Project: o._id  (actual time=… rows=2 loops=2)
                    -> The first of these, given up for the second: once it has cost 8.6  (actual time=… rows=2 loops=2)
                        -> Index range scan on o using total  (actual time=… rows=2 loops=2)  (keys=51 documents=2 bytes=100)
                             range: `total` in all values
                             order: `total` descending among `zip`: cost 5.2, sorting costs 8.6
                             only those among: `zip` in 'z1'
                             ends after: 1
                             keys: about 25 of 120
                             tight
                             cost: 5.2, a full scan costs 120.0
                             lost: order by `total` descending: cost 101.6, the chosen one costs 5.2
                        -> Sort: o.total DESC, keep 1  (never executed)
                            -> Index range scan on o using zip  (never executed)
                                 range: `zip` in 'z1'
                                 keys: 4 counted of 120
                                 tight
                                 cost: 8.2, a full scan costs 120.0
        -> Subquery #3
            -> Limit: 1 rows  (actual time=… rows=0 loops=2)
                 planned for each outer row; as here for c.zip = 'none'
                -> Project: o._id  (actual time=… rows=0 loops=2)
                    -> Sort: o.total DESC, keep 1  (actual time=… rows=0 loops=2)
                        -> Index range scan on o using zip  (actual time=… rows=0 loops=2)
                             range: `zip` in 'none'
                             keys: 0 counted of 120
                             tight
                             cost: 0.0, a full scan costs 120.0
        -> Subquery #4
            -> Table scan on o  (actual time=… rows=120 loops=1)  (keys=0 documents=120 bytes=6127)
                 instead, after 4 outer rows: read once, found by o.zip = c.zip
                 documents: 120, exactly
                 residual: (o.zip = c.zip)
                 no range: (o.zip = c.zip): neither side is a constant
Statement: keys=51 documents=128 bytes=6422 counters=0 rows=6 conflicts=0 retries=0 read versions=1 seconds=…

prepared
: 100
: 0
SELECT _id, (SELECT COUNT(*) FROM o WHERE o.zip = c.zip AND o.total > ?) AS x FROM c WHERE n > ? ORDER BY _id
----
_id | x
a | 2
b | 3
e | 2

# What writes reads what it has not changed.

exec
UPDATE c SET n = (SELECT COUNT(*) FROM o WHERE o.zip = c.zip) WHERE zip IS NOT NULL;
INSERT INTO few SELECT n + 1000 + (SELECT MAX(_id) FROM o WHERE o.zip = c.zip), 1 FROM c WHERE _id = 'a';
DELETE FROM c WHERE (SELECT COUNT(*) FROM o WHERE o.zip = c.zip) = 0 AND zip IS NOT NULL
----
ok, 5 rows
ok, 1 rows
ok, 1 rows

query
SELECT _id, n FROM c ORDER BY _id
----
_id | n
a | 4
b | 4
d | NULL
e | 4
f | 4

query
SELECT * FROM few ORDER BY _id
----
_id | k
1 | 3
2 | 3
3 | 250
1095 | 1

exec
SET sqlfdb_full_scans = deny
----
ok, 0 rows

analyze
SELECT _id, (SELECT COUNT(*) FROM o WHERE o.zip = c.zip AND s = 'paid') AS x FROM c WHERE _id = 'a'
----
_id | x
a | 4

analyze
SELECT _id, (SELECT MAX(s) FROM o WHERE o.total % 10 = c.n) AS x FROM c WHERE _id = 'a'
----
ERROR 1175 (HY000): The statement reads all of d.o, and sqlfdb_full_scans is deny; add a condition that a keypath's index can use, or a LIMIT

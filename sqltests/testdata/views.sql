# Conditions on views, derived tables and common table expressions find the ranges of the tables below.
exec
CREATE TABLE t (_id INT PRIMARY KEY, _doc JSON);
INSERT INTO t (_id, _doc)
WITH RECURSIVE r (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM r WHERE i < 999)
SELECT i, JSON_OBJECT('n', i DIV 5, 'u', i, 'status', IF(i % 100 = 0, 'rare', 'often')) FROM r;
CREATE TABLE c (_id INT PRIMARY KEY, region VARCHAR(10));
INSERT INTO c VALUES (1, 'eu'), (2, 'us'), (3, 'eu');
CREATE VIEW some AS SELECT _id, n, u, status FROM t WHERE n < 150;
CREATE VIEW rare AS SELECT * FROM some WHERE status = 'rare';
CREATE VIEW named (p, q) AS SELECT _id, n FROM t;
CREATE VIEW texts AS SELECT _id, _doc->>'$.status' AS state, _doc->'$.n' AS number, u + 1 AS following FROM t;
CREATE VIEW regions AS SELECT t._id AS id, t.n AS region_number, c.region AS name FROM t JOIN c ON t.n = c._id;
CREATE VIEW grouped AS SELECT n AS value, COUNT(*) AS c, MAX(u) AS most FROM t GROUP BY n HAVING c > 3;
CREATE VIEW first_ones AS SELECT _id, n AS value FROM t ORDER BY u LIMIT 20;
CREATE VIEW numbered AS SELECT n AS value, ROW_NUMBER() OVER (ORDER BY u) AS r FROM t WHERE n < 4;
----
ok, 0 rows
ok, 1000 rows
ok, 0 rows
ok, 3 rows
ok, 0 rows
ok, 0 rows
ok, 0 rows
ok, 0 rows
ok, 0 rows
ok, 0 rows
ok, 0 rows
ok, 0 rows

# A view over a view.
query
EXPLAIN FORMAT=TREE SELECT * FROM rare WHERE u < 300
----
EXPLAIN
-> Derived table rare
    -> Derived table some
        -> Filter: ((t.n < 150) AND (t.u < 300))
            -> Index lookup on t using status
                 range: `status` in 'rare'
                 keys: 10 counted of 1,000
                 tight
                 residual: (t.n < 150) AND (t.u < 300)
                 cost: 20.5, a full scan costs 1000.0
                 lost: `n` in (-∞, 150), keys: 750 counted of 1,000: cost 1537.5, the chosen one costs 20.5
                 lost: `u` in (-∞, 300), keys: 300 counted of 1,000: cost 615.0, the chosen one costs 20.5

query
SELECT * FROM rare WHERE u < 300
----
_id | n | u | status
0 | 0 | 0 | rare
100 | 20 | 100 | rare
200 | 40 | 200 | rare

query
EXPLAIN FORMAT=TREE SELECT _id FROM rare ORDER BY u DESC LIMIT 2
----
EXPLAIN
-> Limit: 2 rows
    -> Project: rare._id
        -> Sort: rare.u DESC
            -> Derived table rare
                -> Derived table some
                    -> Filter: (t.n < 150)
                        -> Index lookup on t using status
                             range: `status` in 'rare'
                             keys: 10 counted of 1,000
                             tight
                             residual: (t.n < 150)
                             cost: 20.5, a full scan costs 1000.0
                             lost: `n` in (-∞, 150), keys: 750 counted of 1,000: cost 1537.5, the chosen one costs 20.5

query
SELECT _id FROM rare ORDER BY u DESC LIMIT 2
----
_id
700
600

# Columns with other names.
query
EXPLAIN FORMAT=TREE SELECT * FROM named WHERE q = 7
----
EXPLAIN
-> Derived table named
    -> Project: t._id, t.n
        -> Index lookup on t using n
             range: `n` in 7
             entries only: no document is read
             keys: 5 counted of 1,000
             tight
             cost: 10.2, a full scan costs 1000.0

query
SELECT * FROM named x WHERE x.q = 7 AND x.p > 37
----
p | q
38 | 7
39 | 7

query
EXPLAIN FORMAT=TREE SELECT i FROM (SELECT _id AS i, n AS value FROM t) d WHERE value = 7
----
EXPLAIN
-> Project: d.i
    -> Derived table d
        -> Project: t._id as i, t.n as value
            -> Index lookup on t using n
                 range: `n` in 7
                 entries only: no document is read
                 keys: 5 counted of 1,000
                 tight
                 cost: 0.2, a full scan costs 1000.0

# Several conditions, none of which is lost.
query
EXPLAIN FORMAT=TREE SELECT * FROM (SELECT DISTINCT n AS value FROM t) d WHERE value BETWEEN 5 AND 7
----
EXPLAIN
-> Derived table d
    -> Remove duplicates
        -> Project: t.n as value
            -> Distinct values of t using n
                 range: `n` in [5, 7]
                 entries only: no document is read
                 keys: 15 counted of 1,000
                 tight
                 cost: 0.8, a full scan costs 1000.0

query
SELECT * FROM (SELECT DISTINCT n AS value FROM t) d WHERE value BETWEEN 5 AND 7
----
value
5
6
7

query
SELECT * FROM (SELECT DISTINCT n AS value FROM t) d WHERE value >= 5 AND value + 0 <= 7 AND value <> 6
----
value
5
7

# What is computed.
query
EXPLAIN FORMAT=TREE SELECT _id FROM texts WHERE state = 'rare' AND number < 30
----
EXPLAIN
-> Project: texts._id
    -> Derived table texts
        -> Project: t._id, json_unquote(json_extract(t._doc, '$.status')) as state, json_extract(t._doc, '$.n') as number, (t.u + 1) as following
            -> Filter: ((json_unquote(json_extract(t._doc, '$.status')) = 'rare') AND (json_extract(t._doc, '$.n') < 3e1))
                -> Index lookup on t using status
                     range: $.status in 'rare'
                     keys: 10 counted of 1,000
                     not tight: the filter stays
                     residual: (json_unquote(json_extract(t._doc, '$.status')) = 'rare') AND (json_extract(t._doc, '$.n') < 3e1)
                     cost: 20.5, a full scan costs 1000.0
                     lost: $.n in null, (-∞, 30), keys: 150 counted of 1,000: cost 307.5, the chosen one costs 20.5

query
SELECT _id, state, number FROM texts WHERE state = 'rare' AND number < 50
----
_id | state | number
0 | rare | 0
100 | rare | 20
200 | rare | 40

query
EXPLAIN FORMAT=TREE SELECT _id FROM texts WHERE following = 100
----
EXPLAIN
-> Project: texts._id
    -> Derived table texts
        -> Project: t._id, json_unquote(json_extract(t._doc, '$.status')) as state, json_extract(t._doc, '$.n') as number, (t.u + 1) as following
            -> Filter: ((t.u + 1) = 100)
                -> Index range scan on t using u
                     range: `u` in (-∞, -4000000000000000000], 99, [4000000000000000000, +∞)
                     keys: 1 counted of 1,000
                     not tight: the filter stays
                     residual: ((t.u + 1) = 100)
                     cost: 2.0, a full scan costs 1000.0

query
SELECT _id FROM texts WHERE following = 100
----
_id
99

# An order by what is computed, under its name.
query
EXPLAIN FORMAT=TREE SELECT _doc->'$.u' AS o FROM t ORDER BY o DESC LIMIT 2
----
EXPLAIN
-> Limit: 2 rows
    -> Project: json_extract(t._doc, '$.u') as o
        -> Project: t._id, t._doc, json_extract(t._doc, '$.u') as o
            -> Index range scan on t using u
                 range: $.u in all values
                 order: $.u descending: cost 4.1, sorting costs 1100.0
                 ends after: 2
                 keys: about 2 of 1,000
                 tight
                 cost: 4.1, a full scan costs 1000.0

query
SELECT _doc->'$.u' AS o FROM t ORDER BY o DESC LIMIT 2
----
o
999
998

# The column goes first where an order names it.
query
SELECT _doc->'$.n' AS u FROM t ORDER BY t.u DESC LIMIT 1
----
u
199

# Joins below.
query
EXPLAIN FORMAT=TREE SELECT * FROM regions WHERE region_number = 2 AND name = 'us'
----
EXPLAIN
-> Project: regions.id, regions.region_number, regions.name
    -> Derived table regions
        -> Project: t._id as id, t.n as region_number, c.region as name
            -> Join, inner, lookup: (t.n = c._id)
                -> Index lookup on c using region
                     range: `region` in 'us'
                     entries only: no document is read
                     keys: 1 counted of 3
                     tight
                     cost: 2.0, a full scan costs 3.0
                -> Filter: (t.n = 2)
                    -> Look up in batches: t: `n` = c._id
                         entries only: no document is read
                         for about 1 rows, documents for each: about 4.9
                         cost: 12.5
                         keys: about 5 of 1,000
                         lost: the whole side, hashed: cost 12.9

query
SELECT * FROM regions WHERE region_number = 2 AND name = 'us' AND id > 12
----
id | region_number | name
13 | 2 | us
14 | 2 | us

query
SELECT x.p, y.u FROM named x LEFT JOIN rare y ON y.u = x.p AND y.n < 10 WHERE x.q = 0
----
p | u
0 | 0
1 | NULL
2 | NULL
3 | NULL
4 | NULL

# Groups: by what they are grouped by, and by what is not known before.
query
EXPLAIN FORMAT=TREE SELECT * FROM grouped WHERE value = 7 AND most > 3
----
EXPLAIN
-> Project: grouped.value, grouped.c, grouped.most
    -> Derived table grouped
        -> Filter: (most > 3)
            -> Project: t.n as value, count(1) as c, max(t.u) as most
                -> Filter groups: (c > 3)
                    -> Project: count(1), max(t.u), t.n, t.n as value, count(1) as c, max(t.u) as most
                        -> Group: by t.n: COUNT(1), MAX(t.u), t.n
                            -> Index lookup on t using n
                                 range: `n` in 7
                                 keys: 5 counted of 1,000
                                 tight
                                 cost: 10.2, a full scan costs 1000.0

query
SELECT * FROM grouped WHERE value = 7 AND most > 3
----
value | c | most
7 | 5 | 39

query
SELECT * FROM grouped WHERE most = 39
----
value | c | most
7 | 5 | 39

# What must not go below: limits, windows, subqueries, and functions with other values each time.
query
SELECT COUNT(*) FROM first_ones WHERE value = 3
----
COUNT(*)
5

query
SELECT COUNT(*) FROM first_ones WHERE value = 4
----
COUNT(*)
0

query
SELECT * FROM numbered WHERE value = 2
----
value | r
2 | 11
2 | 12
2 | 13
2 | 14
2 | 15

query
SELECT COUNT(*) FROM (SELECT RAND() AS a, n FROM t) d WHERE a > 1 AND n = 7
----
COUNT(*)
0

query
SELECT value FROM (SELECT (SELECT MAX(_id) FROM c) AS most, n AS value FROM t WHERE u < 20) d WHERE most = value LIMIT 1
----
value
3

# Common table expressions, and one of them twice.
query
EXPLAIN FORMAT=TREE WITH w AS (SELECT _id AS id, n AS value FROM t) SELECT a.id FROM w a JOIN w b ON a.id = b.value WHERE b.value = 7 AND a.value = 1
----
EXPLAIN
-> Project: a.id
    -> Join, inner, hash: (a.id = b.value)
         rows: about 10,000, cost: 2270.0
        -> Derived table a
            -> Project: t._id as id, t.n as value
                -> Index lookup on t using n
                     range: `n` in 1
                     entries only: no document is read
                     keys: 5 counted of 1,000
                     tight
                     cost: 0.2, a full scan costs 1000.0
        -> Hash: (b.value) looked up by (a.id)
            -> Derived table b
                -> Project: t._id as id, t.n as value
                    -> Index lookup on t using n
                         range: `n` in 7
                         entries only: no document is read
                         keys: 5 counted of 1,000
                         tight
                         cost: 0.2, a full scan costs 1000.0

query
WITH w AS (SELECT _id AS id, n AS value FROM t) SELECT a.id, b.id FROM w a JOIN w b ON a.id = b.value WHERE b.value = 7 AND a.value = 1
----
id | id
7 | 35
7 | 36
7 | 37
7 | 38
7 | 39

# Fields that the same view gives twice.
query
SELECT a.q, b.q FROM named a JOIN named b ON a.p = b.p + 5 WHERE b.q = 3 AND a.p < 22
----
q | q
4 | 3
4 | 3

# The condition of a view stays beside those on it, also below a derived table that sorts it.
exec
CREATE TABLE cl (id INT PRIMARY KEY, a INT, KEY ax (a));
INSERT INTO cl VALUES (10, 0);
CREATE VIEW minus AS SELECT t0.a AS c0, t0.id AS c1, t0.a AS c2 FROM cl AS t0 WHERE t0.a = -10.00;
----
ok, 0 rows
ok, 1 rows
ok, 0 rows

query
SELECT q.k FROM (SELECT t0.c2 AS k FROM minus t0 WHERE (t0.c1 >= -1 OR t0.c2 <= 7) ORDER BY k DESC) q
----
k

query
SELECT q.k FROM (SELECT t0.c2 AS k FROM minus t0 WHERE (t0.c1 >= -1 OR t0.c2 <= 7) ORDER BY t0.c2 DESC LIMIT 5) q
----
k

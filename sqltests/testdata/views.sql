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
    -> Project: t._id
        -> Sort: t.u DESC, keep 2
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
-> Project: t._id as p, t.n as q
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
-> Project: t._id as i
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
-> Project: t._id
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
-> Project: t._id
    -> Filter: ((t.u + 1) = 100)
        -> Index range scan on t using u
             range: `u` in (-∞, -4000000000000000000], 99, [4000000000000000000, +∞)
             entries only: no document is read
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
                             executor: interpreted: few rows
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
-> Project: a._id as id
    -> Join, inner, hash: (a._id = b.n)
         rows: about 1, cost: 4.0
        -> Index lookup on a using n
             range: `n` in 1
             entries only: no document is read
             keys: 5 counted of 1,000
             tight
             cost: 0.2, a full scan costs 1000.0
        -> Hash: (b.n) looked up by (a._id)
            -> Index lookup on b using n
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

# Tables of a view that is a join, under names that the statement has too.
exec
CREATE VIEW pairs AS SELECT a._id AS x, b._id AS y, a.n AS n FROM t a JOIN t b ON a.n = b.u;
----
ok, 0 rows

query
SELECT p.x, p.y, a._id FROM pairs p JOIN c a ON a._id = p.y WHERE p.x IN (5, 7, 12) AND p.n IS NOT NULL
----
x | y | _id
5 | 1 | 1
7 | 1 | 1
12 | 2 | 2

query
EXPLAIN SELECT p.x, p.y, a._id FROM pairs p JOIN c a ON a._id = p.y WHERE p.x IN (5, 7, 12) AND p.n IS NOT NULL
----
id | select_type | table | partitions | type | possible_keys | key | key_len | ref | rows | filtered | Extra
1 | SIMPLE | a_1 | NULL | range | PRIMARY,n | PRIMARY | NULL | NULL | 3 | 100 |
1 | SIMPLE | b | NULL | ref | NULL | u | NULL | a_1.n | 3 | 100 | Using index
1 | SIMPLE | a | NULL | ALL | NULL | NULL | NULL | NULL | 3 | 100 | Using join buffer (hash join)

# What is done for a table is done for what selects from it: aggregates, groups, orders, keys alone.
exec
CREATE VIEW whole AS SELECT * FROM t;
CREATE VIEW often AS SELECT _id AS id, n AS value, u, _doc->>'$.status' AS state FROM t WHERE status = 'often';
----
ok, 0 rows
ok, 0 rows

query
EXPLAIN FORMAT=TREE SELECT COUNT(*) FROM whole
----
EXPLAIN
-> Project: count(1)
    -> Aggregate: COUNT(1)
         executor: interpreted: counters or the ends of entries tell it
        -> Counters of t using documents
             entries only: no document is read

query
EXPLAIN FORMAT=TREE SELECT MAX(u) FROM whole
----
EXPLAIN
-> Project: max(whole.u)
    -> Aggregate: MAX(t.u)
         executor: interpreted: counters or the ends of entries tell it
        -> First and last index key of t using u
             entries only: no document is read
             keys: about 2 of 1,000

query
EXPLAIN FORMAT=TREE SELECT COUNT(*) FROM often
----
EXPLAIN
-> Project: count(1)
    -> Aggregate: COUNT(1)
         executor: interpreted: counters or the ends of entries tell it
        -> Count of index keys of t using status
             range: `status` in 'often'
             entries only: no document is read
             keys: 990 counted of 1,000
             tight
             cost: 49.5, a full scan costs 1000.0

query
EXPLAIN FORMAT=TREE SELECT value, COUNT(*) FROM (SELECT n AS value FROM whole) d GROUP BY value
----
EXPLAIN
-> Project: value, count(1)
    -> Group: by t.n: COUNT(1), t.n as value
         executor: batch
        -> Values and their counts of t using n
             entries only: no document is read
             keys: about 1,000 of 1,000

query
EXPLAIN FORMAT=TREE SELECT id FROM often ORDER BY u LIMIT 2
----
EXPLAIN
-> Limit: 2 rows
    -> Project: t._id as id
        -> The first of these, given up for the second: once it has cost 1100.0
            -> Filter: (t.status = 'often')
                -> Index range scan on t using u
                     range: `u` in all values
                     order: `u`: cost 8.4, sorting costs 1100.0
                     keys: about 4 of 1,000
                     tight
                     residual: (t.status = 'often')
                     cost: 8.4, a full scan costs 1000.0
                     lost: order by `u` among `status`: cost 204.2, the chosen one costs 8.4
            -> Sort: t.u, keep 2
                -> Filter: (t.status = 'often')
                     executor: batch
                    -> Table scan on t
                         documents: 1,000, exactly
                         residual: (t.status = 'often')
                         lost: `status` in 'often', keys: 990 counted of 1,000: cost 2029.5, a full scan costs 1000.0

query
SELECT COUNT(*), MAX(u), MIN(u) FROM whole
----
COUNT(*) | MAX(u) | MIN(u)
1000 | 999 | 0

query
SHOW STATUS WHERE Variable_name IN ('sqlfdb_last_keys', 'sqlfdb_last_documents')
----
Variable_name | Value
sqlfdb_last_documents | 0
sqlfdb_last_keys | 2

query
SELECT state, COUNT(*) FROM often WHERE value BETWEEN 3 AND 5 AND u < 22 GROUP BY state
----
state | COUNT(*)
often | 7

# A view as the side of a join that is looked up, also where an outer join fills it with NULLs: its conditions are the join's.
query
EXPLAIN FORMAT=TREE SELECT c._id, o.id, o.u FROM c LEFT JOIN often o ON o.value = c._id AND o.u > 12 WHERE c.region = 'eu'
----
EXPLAIN
-> Project: c._id, t._id as id, t.u
    -> Join, left, lookup: (((t.status = 'often') AND (t.n = c._id)) AND (t.u > 12))
        -> Index lookup on c using region
             range: `region` in 'eu'
             entries only: no document is read
             keys: 2 counted of 3
             tight
             cost: 0.1, a full scan costs 3.0
        -> Look up in batches: t: `n` = c._id
             for about 2 rows, documents for each: about 4.9
             cost: 25.1
             documents: about 10 of 1,000
             lost: the whole side, hashed: cost 1500.4

query
SELECT c._id, o.id, o.u FROM c LEFT JOIN often o ON o.value = c._id AND o.u > 12 WHERE c.region = 'eu'
----
_id | id | u
1 | NULL | NULL
3 | 15 | 15
3 | 16 | 16
3 | 17 | 17
3 | 18 | 18
3 | 19 | 19

query
SELECT c._id, o.id, o.u, s.id FROM often s RIGHT JOIN c ON s.id = c._id * 100 LEFT JOIN often o ON o.u = c._id WHERE s.id IS NULL
----
_id | id | u | id
1 | 1 | 1 | NULL
2 | 2 | 2 | NULL
3 | 3 | 3 | NULL

# What is computed need not be NULL where an outer join fills it with NULLs: such a view is computed by itself.
query
SELECT c._id, x.is_there, x.id FROM c LEFT JOIN (SELECT _id AS id, IFNULL(n, 1) + 1 AS is_there FROM t WHERE u = 2) x ON x.id = c._id
----
_id | is_there | id
1 | NULL | NULL
2 | 1 | 2
3 | NULL | NULL

# The same view twice, a common table expression twice, and the table itself.
query
SELECT a.id, b.id, t._id FROM often a JOIN often b ON b.value = a.value JOIN t ON t.u = b.id + 1 WHERE a.id = 7
----
id | id | _id
7 | 5 | 6
7 | 6 | 7
7 | 7 | 8
7 | 8 | 9
7 | 9 | 10

query
WITH w AS (SELECT _id AS id, n AS value FROM t WHERE n < 100) SELECT a.id, b.id, (SELECT COUNT(*) FROM w WHERE value = b.value) AS alike FROM w a JOIN w b ON a.id = b.value WHERE a.value = 1
----
id | id | alike
5 | 25 | 5
5 | 26 | 5
5 | 27 | 5
5 | 28 | 5
5 | 29 | 5
6 | 30 | 5
6 | 31 | 5
6 | 32 | 5
6 | 33 | 5
6 | 34 | 5
7 | 35 | 5
7 | 36 | 5
7 | 37 | 5
7 | 38 | 5
7 | 39 | 5
8 | 40 | 5
8 | 41 | 5
8 | 42 | 5
8 | 43 | 5
8 | 44 | 5
9 | 45 | 5
9 | 46 | 5
9 | 47 | 5
9 | 48 | 5
9 | 49 | 5

query
EXPLAIN WITH w AS (SELECT _id AS id, n AS value FROM t WHERE n < 100) SELECT a.id, b.id, (SELECT COUNT(*) FROM w WHERE value = b.value) AS alike FROM w a JOIN w b ON a.id = b.value WHERE a.value = 1
----
id | select_type | table | partitions | type | possible_keys | key | key_len | ref | rows | filtered | Extra
1 | PRIMARY | a | NULL | ref | n | n | NULL | const | 5 | 100 | Using index
1 | PRIMARY | b | NULL | ref | NULL | n | NULL | a._id | 25 | NULL | Using where; Using index
2 | DEPENDENT SUBQUERY | t_1 | NULL | range | n | n | NULL | NULL | 500 | NULL | Using where; Using index; Planned for each outer row
3 | DEPENDENT SUBQUERY | t_1 | NULL | index | n | n | NULL | NULL | 500 | 100 | Using index; Using temporary

# Columns of the same name, of different ones, under their own and other names.
query
SELECT d.u, d.u AS id, d.id AS u, (SELECT MAX(o.u) FROM often o WHERE o.value = d.value) AS value FROM often d WHERE d.u IN (11, 12) ORDER BY d.u DESC
----
u | id | u | value
12 | 12 | 12 | 14
11 | 11 | 11 | 14

query
SELECT DISTINCT d.value AS u, d.state FROM often d WHERE d.u BETWEEN 11 AND 22 ORDER BY d.value DESC
----
u | state
4 | often
3 | often
2 | often

query
SELECT id AS a, u AS b FROM often WHERE u = 11 UNION SELECT value, id FROM often WHERE u = 12 ORDER BY b DESC
----
a | b
2 | 12
11 | 11

# The order of a derived table is the query's if that has none and reads nothing else.
query
SELECT value FROM (SELECT n AS value, u FROM t WHERE u < 12 ORDER BY u DESC) d WHERE value > 0 LIMIT 3
----
value
2
2
1

query
EXPLAIN FORMAT=TREE SELECT value FROM (SELECT n AS value, u FROM t WHERE u < 12 ORDER BY u DESC) d WHERE value > 0 LIMIT 3
----
EXPLAIN
-> Limit: 3 rows
    -> Project: t.n as value
        -> The first of these, given up for the second: once it has cost 26.3
            -> Filter: (t.n > 0)
                -> Index range scan on t using u
                     range: `u` in (-∞, 12)
                     order: `u` descending: cost 12.6, sorting costs 26.3
                     keys: about 6 of 12
                     tight
                     residual: (t.n > 0)
                     cost: 12.6, a full scan costs 1000.0
                     lost: order by `u` descending among `n`: cost 205.3, the chosen one costs 12.6
            -> Sort: t.u DESC, keep 3
                -> Filter: (t.n > 0)
                    -> Index range scan on t using u
                         range: `u` in (-∞, 12)
                         keys: 12 counted of 1,000
                         tight
                         residual: (t.n > 0)
                         cost: 24.6, a full scan costs 1000.0
                         lost: `n` in (0, +∞), keys: 995 counted of 1,000: cost 2039.7, the chosen one costs 24.6

# Hints of a view, and of a table that the statement has too.
query
EXPLAIN SELECT a.id FROM (SELECT x._id AS id, x.u FROM t x IGNORE INDEX (u) WHERE u = 5) a JOIN t x ON x._id = a.id
----
id | select_type | table | partitions | type | possible_keys | key | key_len | ref | rows | filtered | Extra
1 | SIMPLE | x | NULL | ALL | NULL | NULL | NULL | NULL | 1000 | 100 |
1 | SIMPLE | a | NULL | ALL | NULL | NULL | NULL | NULL | 1000 | NULL | Using where; Using join buffer (hash join)

# Correlated, in subqueries, outer columns of a view.
query
SELECT o.id FROM often o WHERE o.u < 30 AND EXISTS (SELECT 1 FROM t WHERE t._id = o.id + 70 AND t.status = 'rare')
----
id

query
SELECT o.id, (SELECT d.x FROM (SELECT t.u AS x, t._id FROM t) d WHERE d._id = o.value) AS x FROM often o WHERE o.u IN (55, 66)
----
id | x
55 | 11
66 | 13

exec
CHECK TABLE t;
CHECK TABLE c;
----
ok, 0 rows
ok, 0 rows

# A column that has no single value in a group, of a view as of a table.
exec
SELECT id FROM often GROUP BY state;
SELECT u, COUNT(*) FROM often GROUP BY id LIMIT 1
----
ERROR 1055 (42000): expression 't._id as id' doesn't appear in the group by expressions
ok, 0 rows

# In HAVING the plan builder names a column without its number, and an alias may have its name.
query
SELECT d.value AS n, COUNT(d.value) AS value FROM (SELECT n AS value FROM t) d GROUP BY d.value HAVING d.value BETWEEN 7 AND 8
----
n | value
7 | 5
8 | 5

query
SELECT d.u AS n, COUNT(d.u) AS u FROM (SELECT u FROM t) d GROUP BY d.u HAVING d.u BETWEEN 7 AND 8
----
n | u
7 | 1
8 | 1

query
SELECT d.value, MIN(d.value) AS m FROM (SELECT n AS value FROM t WHERE n < 5) d GROUP BY d.value HAVING EXISTS (SELECT 1 FROM c WHERE c._id = d.value)
----
value | m
1 | 1
2 | 2
3 | 3

# A derived table of a derived table's outer join, whose filled side has a condition of its own.
query
SELECT COUNT(*), MAX(c0), MAX(c1) FROM (SELECT COUNT(t3.c1) AS c0, MAX(t4._id) AS c1 FROM (SELECT COUNT(*) AS c0 FROM t AS a) AS t0 INNER JOIN (SELECT t2._id AS c1, t2._id AS c2 FROM t AS t1 JOIN t AS t2 ON t1._id = t2._id) AS t3 ON t0.c0 <=> -1 RIGHT JOIN t AS t4 ON t3.c2 = t4._id) AS c
----
COUNT(*) | MAX(c0) | MAX(c1)
1 | 0 | 999

query
SELECT COUNT(*), MAX(c0) > 0, MAX(c1) IS NULL FROM (SELECT COUNT(t3.c1) AS c0, MAX(t3.c2) AS c1 FROM (SELECT COUNT(*) AS c0 FROM t AS a) AS t0 INNER JOIN (SELECT t2._id AS c1, t2._id AS c2 FROM t AS t2) AS t3 ON t0.c0 > 0 AND t3.c1 <> 'nosuch' RIGHT JOIN t AS t4 ON t3.c2 = t4._id) AS c
----
COUNT(*) | MAX(c0) > 0 | MAX(c1) IS NULL
1 | 1 | 0

query
SELECT COUNT(*), COUNT(n), MIN(n) FROM (SELECT x.n AS n, t4._id FROM (SELECT COUNT(*) AS n FROM t AS a) AS x JOIN (SELECT t2._id AS c1 FROM t AS t1 JOIN t AS t2 ON t1._id = t2._id LEFT JOIN (SELECT _id AS f FROM t) AS o ON o.f = t2._id) AS t3 ON x.n > 0 RIGHT JOIN t AS t4 ON t3.c1 = t4._id) AS c
----
COUNT(*) | COUNT(n) | MIN(n)
1000 | 1000 | 1000

# A common table expression that is read twice, once around the other time: no column of the one is taken for one of the other.
query
WITH e AS (SELECT d.u, d.n AS n FROM (SELECT DISTINCT u, n FROM t WHERE _id < 20) AS d) SELECT COUNT(*) FROM e AS a WHERE a.n NOT IN (SELECT b.n FROM e AS b)
----
COUNT(*)
0

query
WITH e AS (SELECT d.m, d.n AS n FROM (SELECT n, MAX(_id) OVER (PARTITION BY n) AS m FROM t WHERE _id < 20) AS d) SELECT a.n, a.m FROM e AS a WHERE a.n <> ALL (SELECT b.n FROM e AS b WHERE b.n > 2) ORDER BY a.n, a.m LIMIT 3
----
n | m
0 | 4
0 | 4
0 | 4

query
WITH e AS (SELECT n, _id FROM t WHERE _id < 20) SELECT COUNT(*) FROM e AS a WHERE a.n NOT IN (SELECT b.n FROM (SELECT n, _id FROM e AS c ORDER BY _id DESC LIMIT 100) AS b)
----
COUNT(*)
0

query
WITH e AS (SELECT n, _id FROM t WHERE _id < 20) SELECT COUNT(*) FROM (SELECT n, _id FROM e AS c ORDER BY _id DESC LIMIT 5) AS b WHERE b.n IN (SELECT a.n FROM e AS a WHERE a._id < b._id)
----
COUNT(*)
4

query
WITH e AS (SELECT n, _id FROM t WHERE _id < 20), f AS (SELECT e.n AS m, COUNT(*) AS c FROM e GROUP BY e.n) SELECT f.m, (SELECT COUNT(*) FROM e WHERE e.n = f.m) - f.c AS same, (SELECT MAX(g.c) FROM f AS g WHERE g.m <> f.m) > 0 AS other FROM f ORDER BY f.m LIMIT 2
----
m | same | other
0 | 0 | 1
1 | 0 | 1

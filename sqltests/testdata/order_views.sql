# A view's table by another name, read in the order that a derived table asks for, with a condition that is tested of its rows: the engine
# looks at the plan again.

exec
CREATE TABLE t (id INT PRIMARY KEY, a INT, b INT, s VARCHAR(10));
INSERT INTO t WITH RECURSIVE n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n WHERE i < 500) SELECT i, i * 7 % 501, i % 5, IF(i % 2, 'x', 'y') FROM n;
CREATE VIEW v AS SELECT r.a AS c0, r.s AS c1 FROM t AS r WHERE (r.b, r.a) < (4, 100)
----
ok, 0 rows
ok, 500 rows
ok, 0 rows

query
SELECT d.c0 FROM (SELECT c0, c1 FROM v ORDER BY c0) AS d LIMIT 3
----
c0
1
2
3

query
EXPLAIN FORMAT=TREE SELECT d.c0 FROM (SELECT w.c0, w.c1 FROM v AS w ORDER BY w.c0 LIMIT 4) AS d WHERE d.c1 = 'x'
----
EXPLAIN
-> Project: d.c0
    -> Derived table d
        -> Filter: (c1 = 'x')
            -> Limit: 4 rows
                -> Project: r.a as c0, r.s as c1
                    -> The first of these, given up for the second: once it has cost 533.2
                        -> Filter: ((r.b < 4) OR ((r.b = 4) AND (r.a < 100)))
                            -> Index range scan on r using a
                                 range: `a` in all values
                                 order: `a`: cost 50.1, sorting costs 533.2
                                 keys: about 24 of 500
                                 tight
                                 residual: ((r.b < 4) OR ((r.b = 4) AND (r.a < 100)))
                                 cost: 50.1, a full scan costs 500.0
                                 lost: order by `a` among `b`: cost 150.1, the chosen one costs 50.1
                        -> Sort: r.a, keep 4
                            -> Filter: ((r.b < 4) OR ((r.b = 4) AND (r.a < 100)))
                                 executor: batch
                                -> Table scan on r
                                     documents: 500, exactly
                                     residual: ((r.b < 4) OR ((r.b = 4) AND (r.a < 100)))
                                     lost: `b` in (-∞, 4], keys: 500 counted of 500: cost 1025.0, a full scan costs 500.0

query
SELECT d.c0 FROM (SELECT w.c0, w.c1 FROM v AS w ORDER BY w.c0 LIMIT 4) AS d WHERE d.c1 = 'x'
----
c0
2

# What the walk is given up for finds its range within derived tables too.
query
EXPLAIN FORMAT=TREE SELECT d.c0 FROM (SELECT w.c0 FROM (SELECT r.a AS c0, r.s AS c1 FROM t AS r WHERE r.b = 3 AND r.s LIKE '%x') AS w ORDER BY w.c0 LIMIT 4) AS d
----
EXPLAIN
-> Derived table d
    -> Limit: 4 rows
        -> Project: r.a as c0
            -> The first of these, given up for the second: once it has cost 211.6
                -> Filter: r.s LIKE '%x'
                    -> Index range scan on r using a
                         range: `a` in all values
                         order: `a` among `b`: cost 78.9, sorting costs 211.6
                         only those among: `b` in 3
                         keys: about 118 of 500
                         tight
                         residual: r.s LIKE '%x'
                         cost: 78.9, a full scan costs 500.0
                         lost: order by `a`: cost 247.6, the chosen one costs 78.9
                -> Sort: r.a, keep 4
                    -> Filter: r.s LIKE '%x'
                        -> Index lookup on r using b
                             range: `b` in 3
                             keys: 100 counted of 500
                             tight
                             residual: r.s LIKE '%x'
                             cost: 205.0, a full scan costs 500.0
                             lost: `s` in strings, keys: 500 counted of 500: cost 1025.0, the chosen one costs 205.0

query
SELECT d.m, d.n FROM (SELECT MIN(c0) AS m, 1 AS n FROM v AS w WHERE w.c1 <> 'q') AS d WHERE d.m < 5
----
m | n
1 | 1

query
CHECK TABLE t
----
Table | Op | Msg_type | Msg_text
d.t | check | status | OK

# Joins of very many tables, which nobody tries all orders of.

exec
CREATE TABLE a (_id VARCHAR(255) PRIMARY KEY, _doc JSON);
INSERT INTO a (_id, n, m) VALUES ('1', 1, 1), ('2', 2, 1), ('3', 3, NULL), ('4', NULL, 2), ('5', 5, 2), ('6', 6, 2);
INSERT INTO a (_id) VALUES ('7');
----
ok, 0 rows
ok, 6 rows
ok, 1 rows

query
SELECT COUNT(*), SUM(t0.n), SUM(t14.n) FROM a t0 JOIN a t1 ON t1.n = t0.n JOIN a t2 ON t2.n = t1.n JOIN a t3 ON t3.n = t2.n JOIN a t4 ON t4.n = t3.n JOIN a t5 ON t5.n = t4.n JOIN a t6 ON t6.n = t5.n JOIN a t7 ON t7.n = t6.n JOIN a t8 ON t8.n = t7.n JOIN a t9 ON t9.n = t8.n JOIN a t10 ON t10.n = t9.n JOIN a t11 ON t11.n = t10.n JOIN a t12 ON t12.n = t11.n JOIN a t13 ON t13.n = t12.n JOIN a t14 ON t14.n = t13.n
----
COUNT(*) | SUM(t0.n) | SUM(t14.n)
5 | 17 | 17

query
SELECT COUNT(*), SUM(t0.n), SUM(t14.m) FROM a t0 JOIN a t1 ON t1.n = t0.n JOIN a t2 ON t2.n = t0.n JOIN a t3 ON t3.n = t0.n JOIN a t4 ON t4.n = t0.n JOIN a t5 ON t5.n = t0.n JOIN a t6 ON t6.n = t0.n JOIN a t7 ON t7.n = t0.n JOIN a t8 ON t8.n = t0.n JOIN a t9 ON t9.n = t0.n JOIN a t10 ON t10.n = t0.n JOIN a t11 ON t11.n = t0.n JOIN a t12 ON t12.n = t0.n JOIN a t13 ON t13.n = t0.n JOIN a t14 ON t14.n = t0.n WHERE t14.n > 1 AND t2.n < 6
----
COUNT(*) | SUM(t0.n) | SUM(t14.m)
3 | 10 | 3

query
SELECT COUNT(*), SUM(t0.n), SUM(t17.n) FROM a t0 JOIN a t1 ON t1.n = t0.n JOIN a t2 ON t2.n = t1.n JOIN a t3 ON t3.n = t2.n JOIN a t4 ON t4.n = t3.n JOIN a t5 ON t5.n = t4.n JOIN a t6 ON t6.n = t5.n JOIN a t7 ON t7.n = t6.n JOIN a t8 ON t8.n = t7.n JOIN a t9 ON t9.n = t8.n JOIN a t10 ON t10.n = t9.n JOIN a t11 ON t11.n = t10.n JOIN a t12 ON t12.n = t11.n JOIN a t13 ON t13.n = t12.n JOIN a t14 ON t14.n = t13.n JOIN a t15 ON t15.n = t14.n JOIN a t16 ON t16.n = t15.n JOIN a t17 ON t17.n = t16.n
----
COUNT(*) | SUM(t0.n) | SUM(t17.n)
5 | 17 | 17

query
SELECT COUNT(*), SUM(t0.n), SUM(t17.m) FROM a t0 JOIN a t1 ON t1.n = t0.n JOIN a t2 ON t2.n = t0.n JOIN a t3 ON t3.n = t0.n JOIN a t4 ON t4.n = t0.n JOIN a t5 ON t5.n = t0.n JOIN a t6 ON t6.n = t0.n JOIN a t7 ON t7.n = t0.n JOIN a t8 ON t8.n = t0.n JOIN a t9 ON t9.n = t0.n JOIN a t10 ON t10.n = t0.n JOIN a t11 ON t11.n = t0.n JOIN a t12 ON t12.n = t0.n JOIN a t13 ON t13.n = t0.n JOIN a t14 ON t14.n = t0.n JOIN a t15 ON t15.n = t0.n JOIN a t16 ON t16.n = t0.n JOIN a t17 ON t17.n = t0.n WHERE t17.n > 1 AND t2.n < 6
----
COUNT(*) | SUM(t0.n) | SUM(t17.m)
3 | 10 | 3

query
SELECT COUNT(*), SUM(t0.n), SUM(t13.n) FROM a t0 JOIN a t1 ON t1.n = t0.n JOIN a t2 ON t2.n = t1.n JOIN a t3 ON t3.n = t2.n JOIN a t4 ON t4.n = t3.n JOIN a t5 ON t5.n = t4.n JOIN a t6 ON t6.n = t5.n JOIN a t7 ON t7.n = t6.n JOIN a t8 ON t8.n = t7.n JOIN a t9 ON t9.n = t8.n JOIN a t10 ON t10.n = t9.n JOIN a t11 ON t11.n = t10.n JOIN a t12 ON t12.m = t3.m JOIN a t13 ON t13.m = t12.m AND t13.n > t3.n
----
COUNT(*) | SUM(t0.n) | SUM(t13.n)
5 | 17 | 22

query
SELECT COUNT(*), COUNT(t13.n) FROM a t0 JOIN a t1 ON t1.n = t0.n JOIN a t2 ON t2.n = t1.n JOIN a t3 ON t3.n = t2.n JOIN a t4 ON t4.n = t3.n JOIN a t5 ON t5.n = t4.n JOIN a t6 ON t6.n = t5.n JOIN a t7 ON t7.n = t6.n JOIN a t8 ON t8.n = t7.n JOIN a t9 ON t9.n = t8.n JOIN a t10 ON t10.n = t9.n JOIN a t11 ON t11.n = t10.n JOIN a t12 ON t12.m = t3.m LEFT JOIN a t13 ON t13.n = t12.m AND t13.n > t3.n
----
COUNT(*) | COUNT(t13.n)
10 | 0

query
SELECT t0._id, t13._id FROM a t0 JOIN a t1 ON t1.n = t0.n JOIN a t2 ON t2.n = t1.n JOIN a t3 ON t3.n = t2.n JOIN a t4 ON t4.n = t3.n JOIN a t5 ON t5.n = t4.n JOIN a t6 ON t6.n = t5.n JOIN a t7 ON t7.n = t6.n JOIN a t8 ON t8.n = t7.n JOIN a t9 ON t9.n = t8.n JOIN a t10 ON t10.n = t9.n JOIN a t11 ON t11.n = t10.n JOIN a t12 ON t12.n = t11.n JOIN a t13 ON t13.n = t12.n ORDER BY t0._id DESC LIMIT 2
----
_id | _id
6 | 6
5 | 5

query
SELECT COUNT(*) FROM a t0, a t1, a t2, a t3, a t4, a t5, a t6, a t7, a t8, a t9, a t10, a t11, a t12, a t13 WHERE t1.n = t0.n AND t2.n = t1.n AND t3.n = t2.n AND t4.n = t3.n AND t5.n = t4.n AND t6.n = t5.n AND t7.n = t6.n AND t8.n = t7.n AND t9.n = t8.n AND t10.n = t9.n AND t11.n = t10.n AND t12.n = t11.n AND t13.n = t12.n AND t13.n = 5
----
COUNT(*)
1

query
SELECT _id FROM a WHERE EXISTS (SELECT 1 FROM a t0 JOIN a t1 ON t1.n = t0.n JOIN a t2 ON t2.n = t1.n JOIN a t3 ON t3.n = t2.n JOIN a t4 ON t4.n = t3.n JOIN a t5 ON t5.n = t4.n JOIN a t6 ON t6.n = t5.n JOIN a t7 ON t7.n = t6.n JOIN a t8 ON t8.n = t7.n JOIN a t9 ON t9.n = t8.n JOIN a t10 ON t10.n = t9.n JOIN a t11 ON t11.n = t10.n JOIN a t12 ON t12.n = t11.n WHERE t0.m = a.n) ORDER BY _id
----
_id
1
2

# Of nine tables that one value joins, the last stays last where it is not the smallest and no condition is on it.

query
EXPLAIN FORMAT=TREE SELECT COUNT(*) FROM a t0 JOIN a t1 ON t1.n = t0.n JOIN a t2 ON t2.n = t1.n JOIN a t3 ON t3.n = t2.n JOIN a t4 ON t4.n = t3.n JOIN a t5 ON t5.n = t4.n JOIN a t6 ON t6.n = t5.n JOIN a t7 ON t7.n = t6.n JOIN a t8 ON t8.n = t7.n
----
EXPLAIN
-> Project: count(1)
    -> Aggregate: COUNT(1)
         executor: batch, from 256 rows on
        -> Filter: (NOT(t8.n IS NULL))
            -> Join, left, hash: (t8.n = t7.n)
                 rows: about 7, cost: 13.3
                -> Join, inner, hash: ((((((((((((((((t4.n = t3.n) AND (t0.n = t4.n)) AND (t0.n = t5.n)) AND (t0.n = t6.n)) AND (t0.n = t7.n)) AND (t1.n = t4.n)) AND (t1.n = t5.n)) AND (t1.n = t6.n)) AND (t1.n = t7.n)) AND (t2.n = t4.n)) AND (t2.n = t5.n)) AND (t2.n = t6.n)) AND (t2.n = t7.n)) AND (t3.n = t5.n)) AND (t3.n = t6.n)) AND (t3.n = t7.n))
                     rows: about 7, cost: 4.9
                    -> Join, inner, hash: ((((t2.n = t1.n) AND (t0.n = t2.n)) AND (t0.n = t3.n)) AND (t1.n = t3.n))
                         rows: about 7, cost: 5.1
                        -> Join, inner, hash: (t1.n = t0.n)
                             rows: about 7, cost: 20.3
                            -> Table scan on t0
                                 documents: 7, exactly
                            -> Hash: (t1.n) looked up by (t0.n)
                                -> Table scan on t1
                                     documents: 7, exactly
                        -> Hash: (t2.n, t2.n, t3.n, t3.n) looked up by (t1.n, t0.n, t0.n, t1.n)
                            -> Join, inner, hash: (t3.n = t2.n)
                                 rows: about 7, cost: 20.3
                                -> Table scan on t2
                                     documents: 7, exactly
                                -> Hash: (t3.n) looked up by (t2.n)
                                    -> Table scan on t3
                                         documents: 7, exactly
                    -> Hash: (t4.n, t4.n, t5.n, t6.n, t7.n, t4.n, t5.n, t6.n, t7.n, t4.n, t5.n, t6.n, t7.n, t5.n, t6.n, t7.n) looked up by (t3.n, t0.n, t0.n, t0.n, t0.n, t1.n, t1.n, t1.n, t1.n, t2.n, t2.n, t2.n, t2.n, t3.n, t3.n, t3.n)
                        -> Join, inner, hash: ((((t6.n = t5.n) AND (t4.n = t6.n)) AND (t4.n = t7.n)) AND (t5.n = t7.n))
                             rows: about 7, cost: 5.1
                            -> Join, inner, hash: (t5.n = t4.n)
                                 rows: about 7, cost: 20.3
                                -> Table scan on t4
                                     documents: 7, exactly
                                -> Hash: (t5.n) looked up by (t4.n)
                                    -> Table scan on t5
                                         documents: 7, exactly
                            -> Hash: (t6.n, t6.n, t7.n, t7.n) looked up by (t5.n, t4.n, t4.n, t5.n)
                                -> Join, inner, hash: (t7.n = t6.n)
                                     rows: about 7, cost: 20.3
                                    -> Table scan on t6
                                         documents: 7, exactly
                                    -> Hash: (t7.n) looked up by (t6.n)
                                        -> Table scan on t7
                                             documents: 7, exactly
                -> Hash: (t8.n) looked up by (t7.n)
                    -> Table scan on t8
                         documents: 7, exactly

exec
CREATE TABLE few (_id VARCHAR(255) PRIMARY KEY, n INT);
INSERT INTO few VALUES ('1', 1), ('9', 9);
----
ok, 0 rows
ok, 2 rows

query
EXPLAIN FORMAT=TREE SELECT COUNT(*) FROM a t0 JOIN a t1 ON t1.n = t0.n JOIN a t2 ON t2.n = t1.n JOIN a t3 ON t3.n = t2.n JOIN a t4 ON t4.n = t3.n JOIN a t5 ON t5.n = t4.n JOIN a t6 ON t6.n = t5.n JOIN a t7 ON t7.n = t6.n JOIN few t8 ON t8.n = t7.n
----
EXPLAIN
-> Project: count(1)
    -> Aggregate: COUNT(1)
         executor: batch, from 256 rows on
        -> Join, inner, lookup: ((((((((t1.n = t0.n) AND (t0.n = t2.n)) AND (t0.n = t3.n)) AND (t0.n = t4.n)) AND (t0.n = t5.n)) AND (t0.n = t6.n)) AND (t0.n = t7.n)) AND (t0.n = t8.n))
            -> Join, inner, lookup: (((((((t2.n = t1.n) AND (t1.n = t3.n)) AND (t1.n = t4.n)) AND (t1.n = t5.n)) AND (t1.n = t6.n)) AND (t1.n = t7.n)) AND (t1.n = t8.n))
                -> Join, inner, lookup: ((((((t3.n = t2.n) AND (t2.n = t4.n)) AND (t2.n = t5.n)) AND (t2.n = t6.n)) AND (t2.n = t7.n)) AND (t2.n = t8.n))
                    -> Join, inner, lookup: (((((t4.n = t3.n) AND (t3.n = t5.n)) AND (t3.n = t6.n)) AND (t3.n = t7.n)) AND (t3.n = t8.n))
                        -> Join, inner, lookup: ((((t5.n = t4.n) AND (t4.n = t6.n)) AND (t4.n = t7.n)) AND (t4.n = t8.n))
                            -> Join, inner, lookup: (((t6.n = t5.n) AND (t5.n = t7.n)) AND (t5.n = t8.n))
                                -> Join, inner, lookup: ((t7.n = t6.n) AND (t6.n = t8.n))
                                    -> Join, inner, lookup: (t8.n = t7.n)
                                        -> Index range scan on t8 using n
                                             range: `n` in all values
                                             entries only: no document is read
                                             keys: 2 counted of 2; 0 documents lack the keypath
                                             tight
                                             cost: 0.1, a full scan costs 2.0
                                        -> Look up in batches: t7: `n` = t8.n
                                             entries only: no document is read
                                             for about 2 rows, documents for each: about 1.0
                                             cost: 4.4
                                             keys: about 2 of 7
                                             lost: the whole side, hashed: cost 10.9
                                    -> Look up in batches: t6: `n` = t7.n
                                         entries only: no document is read
                                         for about 2 rows, documents for each: about 1.0
                                         cost: 4.4
                                         keys: about 2 of 7
                                         lost: the whole side, hashed: cost 10.9
                                -> Look up in batches: t5: `n` = t6.n
                                     entries only: no document is read
                                     for about 2 rows, documents for each: about 1.0
                                     cost: 4.4
                                     keys: about 2 of 7
                                     lost: the whole side, hashed: cost 10.9
                            -> Look up in batches: t4: `n` = t5.n
                                 entries only: no document is read
                                 for about 2 rows, documents for each: about 1.0
                                 cost: 4.4
                                 keys: about 2 of 7
                                 lost: the whole side, hashed: cost 10.9
                        -> Look up in batches: t3: `n` = t4.n
                             entries only: no document is read
                             for about 2 rows, documents for each: about 1.0
                             cost: 4.4
                             keys: about 2 of 7
                             lost: the whole side, hashed: cost 10.9
                    -> Look up in batches: t2: `n` = t3.n
                         entries only: no document is read
                         for about 2 rows, documents for each: about 1.0
                         cost: 4.4
                         keys: about 2 of 7
                         lost: the whole side, hashed: cost 10.9
                -> Look up in batches: t1: `n` = t2.n
                     entries only: no document is read
                     for about 2 rows, documents for each: about 1.0
                     cost: 4.4
                     keys: about 2 of 7
                     lost: the whole side, hashed: cost 10.9
            -> Look up in batches: t0: `n` = t1.n
                 entries only: no document is read
                 for about 2 rows, documents for each: about 1.0
                 cost: 4.4
                 keys: about 2 of 7
                 lost: the whole side, hashed: cost 10.9

query
SELECT COUNT(*), SUM(t0.n), SUM(t8.n) FROM a t0 JOIN a t1 ON t1.n = t0.n JOIN a t2 ON t2.n = t1.n JOIN a t3 ON t3.n = t2.n JOIN a t4 ON t4.n = t3.n JOIN a t5 ON t5.n = t4.n JOIN a t6 ON t6.n = t5.n JOIN a t7 ON t7.n = t6.n JOIN a t8 ON t8.n = t7.n
----
COUNT(*) | SUM(t0.n) | SUM(t8.n)
5 | 17 | 17

query
SELECT COUNT(*), SUM(t0.n), SUM(t8.n) FROM a t0 JOIN a t1 ON t1.n = t0.n JOIN a t2 ON t2.n = t1.n JOIN a t3 ON t3.n = t2.n JOIN a t4 ON t4.n = t3.n JOIN a t5 ON t5.n = t4.n JOIN a t6 ON t6.n = t5.n JOIN a t7 ON t7.n = t6.n JOIN few t8 ON t8.n = t7.n
----
COUNT(*) | SUM(t0.n) | SUM(t8.n)
1 | 1 | 1

query
SELECT COUNT(*), SUM(t0.n), SUM(t8.n) FROM a t0 JOIN a t1 ON t1.n = t0.n JOIN a t2 ON t2.n = t1.n JOIN a t3 ON t3.n = t2.n JOIN a t4 ON t4.n = t3.n JOIN a t5 ON t5.n = t4.n JOIN a t6 ON t6.n = t5.n JOIN a t7 ON t7.n = t6.n JOIN a t8 ON t8.n = t7.n WHERE t8.m > 1
----
COUNT(*) | SUM(t0.n) | SUM(t8.n)
2 | 11 | 11

query
CHECK TABLE a
----
Table | Op | Msg_type | Msg_text
d.a | check | status | OK

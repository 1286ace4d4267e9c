# Tables that commas join are joined by what WHERE compares, beside IN of a subquery too.
exec
CREATE TABLE c (c_id INT PRIMARY KEY, name VARCHAR(10));
CREATE TABLE o (o_id INT PRIMARY KEY, c_id INT, total INT);
CREATE TABLE l (o_id INT, line INT, q INT, PRIMARY KEY (o_id, line));
INSERT INTO c WITH RECURSIVE i AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM i WHERE n < 900) SELECT n, CONCAT('c', n) FROM i;
INSERT INTO o SELECT c_id, c_id % 300 + 1, c_id * 2 FROM c;
INSERT INTO l SELECT c_id, 1, c_id % 50 FROM c;
INSERT INTO l SELECT o_id, 2, 30 FROM l
----
ok, 0 rows
ok, 0 rows
ok, 0 rows
ok, 900 rows
ok, 900 rows
ok, 900 rows
ok, 900 rows

query
SELECT name, c.c_id, o.o_id, total, SUM(q) FROM c, o, l WHERE o.o_id IN (SELECT o_id FROM l GROUP BY o_id HAVING SUM(q) > 78) AND c.c_id = o.c_id AND o.o_id = l.o_id GROUP BY name, c.c_id, o.o_id, total ORDER BY total DESC LIMIT 3
----
name | c_id | o_id | total | SUM(q)
c300 | 300 | 899 | 1798 | 79
c250 | 250 | 849 | 1698 | 79
c200 | 200 | 799 | 1598 | 79

query
EXPLAIN FORMAT=TREE SELECT name, c.c_id, o.o_id, total, SUM(q) FROM c, o, l WHERE o.o_id IN (SELECT o_id FROM l GROUP BY o_id HAVING SUM(q) > 78) AND c.c_id = o.c_id AND o.o_id = l.o_id GROUP BY name, c.c_id, o.o_id, total ORDER BY total DESC LIMIT 3
----
EXPLAIN
-> Limit: 3 rows
    -> Project: c.name, c.c_id, o.o_id, o.total, sum(l.q)
        -> Sort: o.total DESC, keep 3
            -> Group: by c.name, c.c_id, o.o_id, o.total: SUM(l.q), c.name, c.c_id, o.o_id, o.total
                 executor: batch, from 256 rows on
                -> Join, inner, hash: (o.o_id = l.o_id)
                    -> Join, inner, hash: (c.c_id = o.c_id)
                        -> Index range scan on c using name
                             range: `name` in all values
                             entries only: no document is read
                             keys: 900 counted of 900; 0 documents lack the keypath
                             tight
                             cost: 45.0, a full scan costs 900.0
                        -> Hash: (o.c_id) looked up by (c.c_id)
                            -> Join, semi, hash: (o.o_id = l_1.o_id)
                                -> Table scan on o
                                     documents: 900, exactly
                                -> Hash
                                    -> Project: l_1.o_id
                                        -> Filter groups: (sum(l.q) > 78)
                                            -> Group: by l_1.o_id: SUM(l_1.q), l_1.o_id, l_1.q
                                                 executor: batch, from 256 rows on
                                                -> Index range scan on l_1 using q
                                                     range: `q` in all values
                                                     entries only: no document is read
                                                     keys: 1,800 counted of 1,800; 0 documents lack the keypath
                                                     tight
                                                     cost: 90.0, a full scan costs 1800.0
                    -> Hash: (l.o_id) looked up by (o.o_id)
                        -> Index range scan on l using q
                             range: `q` in all values
                             entries only: no document is read
                             keys: 1,800 counted of 1,800; 0 documents lack the keypath
                             tight
                             cost: 90.0, a full scan costs 1800.0

query
EXPLAIN FORMAT=TREE SELECT name, total FROM c, o, l WHERE o.o_id NOT IN (SELECT o_id FROM l WHERE q > 1) AND c.c_id = o.c_id AND o.o_id = l.o_id
----
EXPLAIN
-> Project: c.name, o.total
    -> Join, inner, hash: (o.o_id = l.o_id)
         rows: about 900, cost: 1845.0
        -> Table scan on l
             documents: 1,800, exactly
        -> Hash: (o.o_id) looked up by (l.o_id)
            -> Join, inner, hash: (c.c_id = o.c_id)
                 rows: about 450, cost: 1395.0
                -> Index range scan on c using name
                     range: `name` in all values
                     entries only: no document is read
                     keys: 900 counted of 900; 0 documents lack the keypath
                     tight
                     cost: 45.0, a full scan costs 900.0
                -> Hash: (o.c_id) looked up by (c.c_id)
                    -> Join, anti, hash: (o.o_id = l_1.o_id)
                        -> Table scan on o
                             documents: 900, exactly
                        -> Hash
                            -> Project: l_1.o_id
                                -> Index range scan on l_1 using q
                                     range: `q` in (1, +∞)
                                     entries only: no document is read
                                     keys: 1,764 counted of 1,800
                                     tight
                                     cost: 88.2, a full scan costs 1800.0

query
SELECT COUNT(*) FROM c, o, l WHERE o.o_id NOT IN (SELECT o_id FROM l WHERE q > 45) AND c.c_id = o.c_id AND o.o_id = l.o_id
----
COUNT(*)
1656

query
SELECT name, total, q FROM c, o, l WHERE o.total = (SELECT MAX(total) FROM o) AND c.c_id = o.c_id AND o.o_id = l.o_id ORDER BY q
----
name | total | q
c1 | 1800 | 0
c1 | 1800 | 30

# IN, NOT IN and EXISTS that ask one side of a join leave rows out before it; those that ask both, behind it.
query
SELECT COUNT(*), SUM(total) FROM c, o, l WHERE o.o_id NOT IN (SELECT o_id FROM l WHERE q > 40) AND c.c_id = o.c_id AND o.o_id = l.o_id
----
COUNT(*) | SUM(total)
1476 | 1317240

query
SELECT COUNT(*), SUM(total) FROM c, o, l WHERE o.c_id NOT IN (SELECT NULLIF(q, 30) FROM l) AND c.c_id = o.c_id AND o.o_id = l.o_id
----
COUNT(*) | SUM(total)
0 | NULL

query
SELECT COUNT(*), SUM(total) FROM c, o, l WHERE o.c_id NOT IN (SELECT q FROM l WHERE q IS NOT NULL) AND c.c_id = o.c_id AND o.o_id = l.o_id
----
COUNT(*) | SUM(total)
1506 | 1427688

query
SELECT COUNT(*), COUNT(l.q), SUM(total) FROM o LEFT JOIN l ON o.o_id = l.o_id AND l.line = 1 AND l.q > 30 WHERE o.c_id IN (SELECT q + 1 FROM l)
----
COUNT(*) | COUNT(l.q) | SUM(total)
150 | 57 | 99150

query
SELECT COUNT(*), COUNT(l.q), SUM(total) FROM o LEFT JOIN l ON o.o_id = l.o_id AND l.line = 1 AND l.q > 30 WHERE l.q NOT IN (SELECT q FROM l WHERE q < 40)
----
COUNT(*) | COUNT(l.q) | SUM(total)
180 | 180 | 169020

query
SELECT COUNT(*), COUNT(l.q), SUM(total) FROM o LEFT JOIN l ON o.o_id = l.o_id AND l.line = 1 AND l.q > 30 WHERE o.o_id > 860 AND NOT EXISTS (SELECT 1 FROM l AS other WHERE other.q = l.q AND other.q < 40)
----
COUNT(*) | COUNT(l.q) | SUM(total)
31 | 10 | 54510

query
SELECT COUNT(*), SUM(total) FROM c, o, l WHERE EXISTS (SELECT 1 FROM l AS other WHERE other.o_id = o.o_id AND other.q > c.c_id) AND c.c_id < 30 AND c.c_id = o.c_id AND o.o_id = l.o_id
----
COUNT(*) | SUM(total)
174 | 112872

query
EXPLAIN FORMAT=TREE SELECT COUNT(*), SUM(total) FROM o LEFT JOIN l ON o.o_id = l.o_id AND l.line = 1 WHERE o.c_id IN (SELECT q + 1 FROM l)
----
EXPLAIN
-> Project: count(1), sum(o.total)
    -> Aggregate: COUNT(1), SUM(o.total)
         executor: batch, from 256 rows on
        -> Join, left, lookup: ((o.o_id = l.o_id) AND (l.line = 1))
            -> Join, semi, hash: (o.c_id = (l_1.q + 1))
                -> Table scan on o
                     documents: 900, exactly
                -> Hash
                    -> Project: (l_1.q + 1)
                        -> Index range scan on l_1 using q
                             range: `q` in all values
                             entries only: no document is read
                             keys: 1,800 counted of 1,800; 0 documents lack the keypath
                             tight
                             cost: 90.0, a full scan costs 1800.0
            -> Look up in batches: l: primary key = o.o_id
                 entries only: no document is read
                 for about 450 rows, documents for each: about 2.0
                 cost: 1665.0
                 keys: about 900 of 1,800
                 lost: the whole side, hashed: cost 2790.0

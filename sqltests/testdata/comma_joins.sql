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
                -> Join, semi, hash: (o.o_id = l_1.o_id)
                    -> Join, inner, hash: (o.o_id = l.o_id)
                        -> Join, inner, hash: (c.c_id = o.c_id)
                            -> Index range scan on c using name
                                 range: `name` in all values
                                 entries only: no document is read
                                 keys: 900 counted of 900; 0 documents lack the keypath
                                 tight
                                 cost: 45.0, a full scan costs 900.0
                            -> Hash: (o.c_id) looked up by (c.c_id)
                                -> Table scan on o
                                     documents: 900, exactly
                        -> Hash: (l.o_id) looked up by (o.o_id)
                            -> Index range scan on l using q
                                 range: `q` in all values
                                 entries only: no document is read
                                 keys: 1,800 counted of 1,800; 0 documents lack the keypath
                                 tight
                                 cost: 90.0, a full scan costs 1800.0
                    -> Hash
                        -> Project: l_1.o_id
                            -> Filter groups: (sum(l.q) > 78)
                                -> Group: by l_1.o_id: SUM(l_1.q), l_1.o_id, l_1.q
                                     executor: interpreted: read without documents
                                    -> Index range scan on l_1 using q
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
         rows: about 900, cost: 2565.0
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

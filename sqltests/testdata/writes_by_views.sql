# What UPDATE and DELETE read by a plain view they read as by its table.
exec
CREATE TABLE a (id INT PRIMARY KEY, k INT, s VARCHAR(10), KEY (k));
CREATE TABLE t (id INT PRIMARY KEY, k INT, s VARCHAR(10), KEY (k));
INSERT INTO a (id, k, s)
WITH RECURSIVE r (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM r WHERE i < 299)
SELECT i, i DIV 3, CONCAT('a', i % 7) FROM r;
INSERT INTO t SELECT id, k, 'x' FROM a;
CREATE VIEW va AS SELECT id, k, s FROM a WHERE k < 80;
CREATE VIEW vt AS SELECT id AS number, k AS link, s FROM t WHERE k < 80;
CREATE VIEW vc AS SELECT id, k + 1 AS next FROM a;
----
ok, 0 rows
ok, 0 rows
ok, 300 rows
ok, 300 rows
ok, 0 rows
ok, 0 rows
ok, 0 rows

query
EXPLAIN FORMAT=TREE UPDATE t JOIN va ON va.k = t.id SET t.s = va.s WHERE t.id IN (4, 7)
----
EXPLAIN
-> Update
    -> Update Join
        -> Set: t.s = a.s
            -> Join, inner, lookup: (a.k = t.id)
                -> Index range scan on t using PRIMARY
                     range: primary key in 4, 7
                     keys: 2 counted of 300
                     tight
                     cost: 2.0, a full scan costs 300.0
                -> Filter: (a.k < 80)
                    -> Look up in batches: a: `k` = t.id
                         for about 2 rows, documents for each: about 3.0
                         cost: 16.5
                         documents: about 6 of 300
                         lost: the whole side, hashed: cost 375.4

exec
BEGIN;
UPDATE t JOIN va ON va.k = t.id SET t.s = va.s WHERE t.id IN (4, 7);
----
ok, 0 rows
ok, 2 rows

query
SHOW STATUS WHERE Variable_name IN ('sqlfdb_last_keys', 'sqlfdb_last_documents')
----
Variable_name | Value
sqlfdb_last_documents | 8
sqlfdb_last_keys | 6

exec
DELETE t FROM t JOIN va ON va.k = t.id AND va.id > 20 WHERE t.id IN (5, 7);
----
ok, 1 rows

query
SHOW STATUS WHERE Variable_name IN ('sqlfdb_last_keys', 'sqlfdb_last_documents')
----
Variable_name | Value
sqlfdb_last_documents | 8
sqlfdb_last_keys | 6

query
SELECT * FROM t WHERE id BETWEEN 3 AND 8
----
id | k | s
3 | 1 | x
4 | 1 | a5
5 | 1 | x
6 | 2 | x
8 | 2 | x

exec
ROLLBACK;
----
ok, 0 rows

query
EXPLAIN FORMAT=TREE UPDATE t SET s = 'q' WHERE id IN (SELECT id FROM va WHERE k = 3)
----
EXPLAIN
-> Update
    -> Update Join
        -> Set: t.s = 'q'
            -> Project: t.id, t.k, t.s
                -> Join, inner, lookup: (t.id = a.id)
                    -> Remove duplicates
                        -> Project: a.id
                            -> Index lookup on a using k
                                 range: `k` in 3
                                 keys: 3 counted of 300
                                 tight
                                 cost: 6.1, a full scan costs 300.0
                    -> Look up in batches: t: primary key = a.id
                         for about 3 rows, documents for each: about 1.0
                         cost: 11.7
                         documents: about 3 of 300
                         lost: the whole side, hashed: cost 450.6

# The table that is written, by a view of it: as it was before.
exec
BEGIN;
UPDATE t JOIN vt ON vt.number = t.id - 1 SET t.k = vt.link;
----
ok, 0 rows
ok, 80 rows

query
SELECT COUNT(*), SUM(k), SUM(id * k) FROM t
----
COUNT(*) | SUM(k) | SUM(id * k)
300 | 14770 | 2960280

exec
ROLLBACK;
BEGIN;
UPDATE t JOIN vt ON vt.link = t.id SET t.k = vt.number + 1000;
----
ok, 0 rows
ok, 0 rows
ok, 80 rows

query
SELECT COUNT(*), COUNT(IF(k >= 1000, 1, NULL)), SUM(IF(k >= 1000, id, 0)) FROM t
----
COUNT(*) | COUNT(IF(k >= 1000, 1, NULL)) | SUM(IF(k >= 1000, id, 0))
300 | 80 | 3160

exec
ROLLBACK;
BEGIN;
DELETE t FROM t JOIN vt ON vt.number = t.id + 1;
----
ok, 0 rows
ok, 0 rows
ok, 239 rows

query
SELECT COUNT(*), MIN(id) FROM t
----
COUNT(*) | MIN(id)
61 | 239

exec
ROLLBACK;
BEGIN;
UPDATE t SET k = k + 1 WHERE k IN (SELECT link FROM vt WHERE number < 30);
UPDATE t LEFT JOIN va ON va.id = t.id AND va.k < 2 SET t.s = IFNULL(va.s, 'none') WHERE t.k < 4;
UPDATE t JOIN vc ON vc.id = t.id SET t.k = vc.next WHERE t.id IN (100, 101);
UPDATE t JOIN va x ON x.id = t.id JOIN va y ON y.id = x.k SET t.s = CONCAT(x.s, y.s) WHERE x.k = 9;
UPDATE t, (SELECT MAX(link) AS most FROM vt) m SET t.s = 'most' WHERE t.k = m.most;
DELETE x FROM t x LEFT JOIN va ON va.id = x.id AND va.k > 1 WHERE va.id IS NULL;
----
ok, 0 rows
ok, 0 rows
ok, 30 rows
ok, 9 rows
ok, 2 rows
ok, 3 rows
ok, 3 rows
ok, 66 rows

query
SELECT COUNT(*), SUM(id), SUM(k), COUNT(DISTINCT s), MIN(s), MAX(s) FROM t
----
COUNT(*) | SUM(id) | SUM(k) | COUNT(DISTINCT s) | MIN(s) | MAX(s)
234 | 28665 | 9503 | 6 | a0a2 | x

query
SELECT * FROM t WHERE id IN (6, 27, 29, 100, 239)
----
id | k | s
6 | 3 | none
27 | 10 | a6a2
29 | 10 | a1a2
100 | 34 | x
239 | 79 | most

exec
ROLLBACK;
----
ok, 0 rows

# A view is not written by itself.
exec
UPDATE va SET s = 'x' WHERE id = 3;
UPDATE va JOIN t ON t.id = va.id SET va.s = 'x', t.s = 'y';
UPDATE va AS v JOIN t ON t.id = v.id SET v.s = 'x';
DELETE FROM va WHERE id = 3;
DELETE va FROM va JOIN t ON t.id = va.id;
DELETE va, t FROM va JOIN t ON t.id = va.id;
----
ok, 1 rows
ERROR 1288 (HY000): The target table va of the UPDATE is not updatable
ERROR 1288 (HY000): The target table v of the UPDATE is not updatable
ok, 1 rows
ERROR 1288 (HY000): table doesn't support DELETE FROM
ERROR 1288 (HY000): table doesn't support DELETE FROM

exec
CHECK TABLE a;
CHECK TABLE t;
----
ok, 0 rows
ok, 0 rows

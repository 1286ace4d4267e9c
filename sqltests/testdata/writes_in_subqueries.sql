# IN with a subquery in DELETE, and in what INSERT and REPLACE read, is a join: the rows are looked up.
exec
CREATE TABLE a (id INT PRIMARY KEY, k INT, KEY (k));
CREATE TABLE t (id INT PRIMARY KEY, k INT, s VARCHAR(10), KEY (k));
INSERT INTO a (id, k)
WITH RECURSIVE r (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM r WHERE i < 299)
SELECT i, i DIV 3 FROM r;
INSERT INTO t SELECT id, k, 'x' FROM a;
CREATE VIEW va AS SELECT id, k FROM a WHERE k < 80;
CREATE VIEW vt AS SELECT id, k FROM t WHERE k < 80;
CREATE VIEW u AS SELECT k, id FROM a UNION ALL SELECT k, id FROM t;
----
ok, 0 rows
ok, 0 rows
ok, 300 rows
ok, 300 rows
ok, 0 rows
ok, 0 rows
ok, 0 rows

query
EXPLAIN FORMAT=TREE DELETE FROM t WHERE id IN (SELECT id FROM va WHERE k = 3)
----
EXPLAIN
-> Delete
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

exec
BEGIN;
DELETE FROM t WHERE id IN (SELECT id FROM va WHERE k = 3);
----
ok, 0 rows
ok, 3 rows

query
SHOW STATUS WHERE Variable_name IN ('sqlfdb_last_keys', 'sqlfdb_last_documents')
----
Variable_name | Value
sqlfdb_last_documents | 6
sqlfdb_last_keys | 3

query
SELECT COUNT(*), SUM(id) FROM t WHERE k BETWEEN 2 AND 4
----
COUNT(*) | SUM(id)
6 | 60

exec
DELETE FROM t WHERE id IN (SELECT u.id FROM u WHERE u.k = 5);
----
ok, 3 rows

query
SHOW STATUS WHERE Variable_name IN ('sqlfdb_last_keys', 'sqlfdb_last_documents')
----
Variable_name | Value
sqlfdb_last_documents | 9
sqlfdb_last_keys | 6

exec
ROLLBACK;
----
ok, 0 rows

query
EXPLAIN DELETE FROM t WHERE id NOT IN (SELECT id FROM va WHERE k = 3) AND k < 3
----
id | select_type | table | partitions | type | possible_keys | key | key_len | ref | rows | filtered | Extra
1 | DELETE | t | NULL | range | k | k | NULL | NULL | 9 | 100 |
1 | DELETE | a | NULL | ref | k | k | NULL | const | 3 | 100 | Using join buffer (hash join)

# With an alias, rows, several tables, an order and a limit, and NULLs.
exec
BEGIN;
DELETE FROM t WHERE id NOT IN (SELECT id FROM va WHERE k = 1) AND k < 3;
DELETE x FROM t x WHERE x.id IN (SELECT id FROM va WHERE k = 6);
DELETE FROM t WHERE (id, k) IN (SELECT id, k FROM va WHERE k = 7);
DELETE x FROM t x JOIN a ON a.id = x.k WHERE a.k IN (SELECT k FROM va WHERE id = 30);
DELETE FROM t WHERE id IN (SELECT id FROM va WHERE k > 50) ORDER BY id DESC LIMIT 2;
DELETE FROM t WHERE id NOT IN (SELECT NULL FROM a);
DELETE FROM t WHERE id IN (SELECT NULL FROM a);
DELETE FROM t WHERE id IN (SELECT id FROM a WHERE k > 1000);
DELETE FROM t WHERE s IN (SELECT 'y' FROM a) OR id IN (SELECT id FROM va WHERE k = 20);
----
ok, 0 rows
ok, 6 rows
ok, 3 rows
ok, 3 rows
ok, 9 rows
ok, 2 rows
ok, 0 rows
ok, 0 rows
ok, 0 rows
ok, 3 rows

query
SELECT COUNT(*), SUM(id), SUM(k) FROM t
----
COUNT(*) | SUM(id) | SUM(k)
274 | 43197 | 14308

exec
ROLLBACK;
----
ok, 0 rows

# The table that is written is read as it was before.
exec
BEGIN;
DELETE FROM t WHERE id IN (SELECT k FROM vt);
----
ok, 0 rows
ok, 80 rows

query
SELECT COUNT(*), MIN(id) FROM t
----
COUNT(*) | MIN(id)
220 | 80

exec
ROLLBACK;
BEGIN;
DELETE FROM t WHERE k IN (SELECT id + 1 FROM t);
----
ok, 0 rows
ok, 0 rows
ok, 297 rows

query
SELECT COUNT(*), MAX(id) FROM t
----
COUNT(*) | MAX(id)
3 | 2

exec
ROLLBACK;
BEGIN;
INSERT INTO t SELECT id + 1000, k + 1000, 'i' FROM t WHERE id IN (SELECT k FROM vt);
INSERT INTO t SELECT id + 2000, k, 'j' FROM t WHERE id NOT IN (SELECT k + 1000 FROM t WHERE k < 40);
----
ok, 0 rows
ok, 0 rows
ok, 80 rows
ok, 340 rows

query
SELECT COUNT(*), SUM(id) FROM t
----
COUNT(*) | SUM(id)
720 | 895240

exec
ROLLBACK;
----
ok, 0 rows

query
EXPLAIN FORMAT=TREE INSERT INTO t SELECT id + 1000, k, 'n' FROM a WHERE id IN (SELECT id FROM va WHERE k = 3)
----
EXPLAIN
-> Insert
    -> Project: id, k, s
        -> Project: (a.id + 1000), a.k, 'n'
            -> Project: a.id, a.k
                -> Join, inner, lookup: (a.id = va.id)
                    -> Remove duplicates
                        -> Project: va.id
                            -> Index lookup on va using k
                                 range: `k` in 3
                                 keys: 3 counted of 300
                                 tight
                                 cost: 6.1, a full scan costs 300.0
                    -> Look up in batches: a: primary key = va.id
                         for about 3 rows, documents for each: about 1.0
                         cost: 11.7
                         documents: about 3 of 300
                         lost: the whole side, hashed: cost 450.6

exec
BEGIN;
INSERT INTO t SELECT id + 1000, k, 'n' FROM a WHERE id IN (SELECT id FROM va WHERE k = 3);
----
ok, 0 rows
ok, 3 rows

query
SHOW STATUS WHERE Variable_name IN ('sqlfdb_last_keys', 'sqlfdb_last_documents')
----
Variable_name | Value
sqlfdb_last_documents | 6
sqlfdb_last_keys | 3

exec
REPLACE INTO t SELECT id, k, 'r' FROM va WHERE id IN (SELECT id FROM vt WHERE k = 5);
INSERT INTO t SELECT id, k, 'd' FROM va WHERE id IN (SELECT id FROM u WHERE k = 6) ON DUPLICATE KEY UPDATE s = 'e';
CREATE TABLE c SELECT id, k FROM va WHERE id IN (SELECT id FROM u WHERE k = 6);
----
ok, 6 rows
ok, 6 rows
ok, 3 rows

query
SELECT s, COUNT(*), SUM(id) FROM t GROUP BY s
----
s | COUNT(*) | SUM(id)
e | 3 | 57
n | 3 | 3030
r | 3 | 48
x | 294 | 44745

query
SELECT * FROM c
----
id | k
18 | 6
19 | 6
20 | 6

exec
CHECK TABLE a;
CHECK TABLE t;
CHECK TABLE c;
----
ok, 0 rows
ok, 0 rows
ok, 0 rows

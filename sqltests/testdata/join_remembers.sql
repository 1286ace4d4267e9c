# A subquery in the condition of a join, as EXISTS becomes one, is run once for the values of the fields that it reads, not once for
# each pair of rows.

exec
CREATE TABLE a (_id VARCHAR(255) PRIMARY KEY, _doc JSON);
CREATE TABLE b (_id VARCHAR(255) PRIMARY KEY, _doc JSON);
CREATE TABLE c (_id VARCHAR(255) PRIMARY KEY, _doc JSON);
INSERT INTO a (_doc) WITH RECURSIVE n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n WHERE i < 20) SELECT JSON_OBJECT('_id', CONCAT('a', i), 'x', i, 'k', i % 5, 's', IF(i % 2, 'x', 'X')) FROM n;
INSERT INTO b (_doc) WITH RECURSIVE n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n WHERE i < 200) SELECT JSON_OBJECT('_id', CONCAT('b', i), 'x', i, 'z', i % 10, 'k', i % 3) FROM n;
INSERT INTO c (_doc) WITH RECURSIVE n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n WHERE i < 30) SELECT JSON_OBJECT('_id', CONCAT('c', i), 'y', i, 'z', i % 10) FROM n
----
ok, 0 rows
ok, 0 rows
ok, 0 rows
ok, 20 rows
ok, 200 rows
ok, 30 rows

# It reads b alone, which has 10 values: 30 documents for each, beside those of a and b.

query
SELECT COUNT(*) FROM a WHERE EXISTS (SELECT 1 FROM b WHERE b.x > a.x * 7 AND a.x + 15 > (SELECT MAX(c.y) FROM c WHERE c.z = b.z))
----
COUNT(*)
14

query
SHOW STATUS LIKE 'sqlfdb_last_documents'
----
Variable_name | Value
sqlfdb_last_documents | 574

query
SELECT COUNT(*) FROM a WHERE NOT EXISTS (SELECT 1 FROM b WHERE b.x > a.x * 7 AND a.x + 15 > (SELECT MAX(c.y) FROM c WHERE c.z = b.z))
----
COUNT(*)
6

query
SHOW STATUS LIKE 'sqlfdb_last_documents'
----
Variable_name | Value
sqlfdb_last_documents | 814

# It reads a alone.

query
SELECT COUNT(*) FROM a WHERE EXISTS (SELECT 1 FROM b WHERE b.k = a.k AND b.z = (SELECT MIN(c.y) FROM c WHERE c.z = a.x))
----
COUNT(*)
5

query
SHOW STATUS LIKE 'sqlfdb_last_documents'
----
Variable_name | Value
sqlfdb_last_documents | 580

query
SELECT COUNT(*) FROM a LEFT JOIN b ON b.x > a.x * 9 AND b.z < (SELECT MIN(c.y) FROM c WHERE c.z = b.k) WHERE b._id IS NOT NULL
----
COUNT(*)
918

query
SHOW STATUS LIKE 'sqlfdb_last_documents'
----
Variable_name | Value
sqlfdb_last_documents | 328

# Texts that a collation takes for equal are two, and so are values of two types.

query
SELECT COUNT(*), MIN(a.s), MAX(a.s) FROM a WHERE EXISTS (SELECT 1 FROM b WHERE b.x > a.x * 9 AND b.k + 88 = (SELECT ASCII(a.s) FROM c WHERE c.y = 1))
----
COUNT(*) | MIN(a.s) | MAX(a.s)
10 | X | X

# A subquery that gives several rows is an error, as it is for the first pair.

query
SELECT COUNT(*) FROM a WHERE EXISTS (SELECT 1 FROM b WHERE b.x > a.x * 7 AND a.x > (SELECT c.y FROM c WHERE c.z = b.z))
----
ERROR 1242 (21000): the subquery returned more than 1 row

# What gives something else each time is run each time.

query
SELECT COUNT(*) > 0 FROM a WHERE EXISTS (SELECT 1 FROM b WHERE b.x > a.x * 9 AND a.x > (SELECT RAND() - 1 + MAX(c.y) * 0 FROM c WHERE c.z = b.z))
----
COUNT(*) > 0
1

# A subquery that is planned for each row remembers by itself, beside a list of constants too.

query
SELECT COUNT(*) FROM c LEFT JOIN a ON (SELECT SUM(b.k) FROM b WHERE b.z = c.z AND b.x > a.x) IN (-0)
----
COUNT(*)
30

query
SELECT COUNT(*) FROM c LEFT JOIN a ON (SELECT COUNT(*) FROM b WHERE b.x = c.y + a.x) IN (2, 3)
----
COUNT(*)
30

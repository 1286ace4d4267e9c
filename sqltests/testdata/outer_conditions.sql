# Conditions of subqueries that name the outer query alone, or nothing: the engine takes them out of the subqueries.
exec
CREATE TABLE v (_id INT PRIMARY KEY, a INT, b INT, c VARCHAR(10));
INSERT INTO v VALUES (1, 1, 10, 'x'), (2, 2, 20, 'y'), (3, NULL, 30, NULL), (4, 2, NULL, 'z');
CREATE TABLE w (_id INT PRIMARY KEY, a INT, b INT);
INSERT INTO w VALUES (1, 1, 1), (2, 2, NULL), (5, 7, 7)
----
ok, 0 rows
ok, 4 rows
ok, 0 rows
ok, 3 rows

query
SELECT GROUP_CONCAT(_id ORDER BY _id) AS ids FROM v t0 WHERE NOT EXISTS (SELECT 1 FROM v t1 WHERE t0._id <> t1._id AND NULL)
----
ids
1,2,3,4

query
SELECT GROUP_CONCAT(_id ORDER BY _id) AS ids FROM v t0 WHERE NOT EXISTS (SELECT 1 FROM v t1 WHERE t0._id <> t1._id AND 1 = 0)
----
ids
1,2,3,4

query
SELECT GROUP_CONCAT(_id ORDER BY _id) AS ids FROM v t0 WHERE NOT EXISTS (SELECT 1 FROM v t1 WHERE t0._id <> t1._id AND t0.a > 1)
----
ids
1,3

query
SELECT GROUP_CONCAT(_id ORDER BY _id) AS ids FROM v t0 WHERE EXISTS (SELECT 1 FROM v t1 WHERE t0._id <> t1._id AND t0.a > 1)
----
ids
2,4

query
SELECT GROUP_CONCAT(_id ORDER BY _id) AS ids FROM v t0 WHERE NOT EXISTS (SELECT 1 FROM v t1 WHERE t0._id <> t1._id AND t0.a)
----
ids
3

query
SELECT GROUP_CONCAT(_id ORDER BY _id) AS ids FROM v t0 WHERE NOT EXISTS (SELECT 1 FROM v t1 WHERE t0._id <> t1._id AND NULL) AND NOT EXISTS (SELECT 1 FROM w t1 WHERE t0.a > 1 AND t1._id = t0._id)
----
ids
1,3,4

query
SELECT GROUP_CONCAT(_id ORDER BY _id) AS ids FROM v t0 WHERE EXISTS (SELECT 1 FROM v t1 WHERE t0._id <> t1._id AND NULL) IS NULL
----
ids
NULL

query
SELECT GROUP_CONCAT(_id ORDER BY _id) AS ids FROM v t0 WHERE EXISTS (SELECT 1 FROM w t1 WHERE t1._id = t0._id AND NOT EXISTS (SELECT 1 FROM w t2 WHERE t2._id = t1._id AND t0.a > 1))
----
ids
1

query
SELECT GROUP_CONCAT(_id ORDER BY _id) AS ids FROM v t0 WHERE NOT EXISTS (SELECT 1 FROM v t1 WHERE t1._id = t0._id AND t1._id NOT IN (SELECT w._id FROM w WHERE t0.a > 1 AND NULL))
----
ids
NULL

query
SELECT GROUP_CONCAT(_id ORDER BY _id) AS ids FROM v t0 WHERE EXISTS (SELECT 1 FROM v t1 WHERE t1._id = t0._id AND t1._id NOT IN (SELECT w._id FROM w WHERE t0.a > 1))
----
ids
1,3,4

query
SELECT GROUP_CONCAT(_id ORDER BY _id) AS ids FROM v t0 WHERE _id NOT IN (SELECT _id FROM w WHERE w._id = t0._id AND NULL)
----
ids
1,2,3,4

query
SELECT GROUP_CONCAT(_id ORDER BY _id) AS ids FROM v t0 WHERE _id NOT IN (SELECT b FROM w WHERE t0.a > 1)
----
ids
1,3

query
SELECT GROUP_CONCAT(_id ORDER BY _id) AS ids FROM v t0 WHERE _id IN (SELECT t1._id + t0.a FROM w t1 WHERE t0.b > 0 AND t1._id < 9)
----
ids
NULL

query
SELECT GROUP_CONCAT(_id ORDER BY _id) AS ids FROM v t0 WHERE _id IN (SELECT t1._id FROM w t1 WHERE t0.a > 1 UNION SELECT 3)
----
ids
2,3

query
SELECT GROUP_CONCAT(_id ORDER BY _id) AS ids FROM v t0 WHERE _id NOT IN (SELECT t1._id FROM w t1 WHERE t0.a > 1 UNION SELECT 3)
----
ids
1,4

query
SELECT GROUP_CONCAT(_id ORDER BY _id) AS ids FROM v t0 WHERE 0 IN (SELECT COUNT(*) FROM w t1 WHERE t1._id = t0._id AND t0.a > 100)
----
ids
1,2,3,4

query
SELECT GROUP_CONCAT(_id ORDER BY _id) AS ids FROM v t0 WHERE _id NOT IN (SELECT MAX(a) FROM w t1 WHERE t0.a > 100)
----
ids
NULL

query
SELECT GROUP_CONCAT(_id ORDER BY _id) AS ids FROM v t0 WHERE a >= ALL (SELECT a FROM w t1 WHERE t0.a > 1)
----
ids
1,3

query
SELECT GROUP_CONCAT(_id ORDER BY _id) AS ids FROM v t0 WHERE a = ANY (SELECT a FROM w t1 WHERE t0.a > 1)
----
ids
2,4

query
SELECT GROUP_CONCAT(_id ORDER BY _id) AS ids FROM v t0 WHERE EXISTS (SELECT 1 FROM v t1 LEFT JOIN (SELECT * FROM w WHERE t0.a > 1) t2 ON t1._id = t2._id WHERE t1._id = t0._id)
----
ids
1,2,3,4

query
SELECT GROUP_CONCAT(_id ORDER BY _id) AS ids FROM v t0 WHERE _id IN (SELECT t1._id FROM v t1 LEFT JOIN (SELECT * FROM w WHERE t0.a > 1) t2 ON t1._id = t2._id)
----
ids
1,2,3,4

query
SELECT GROUP_CONCAT(_id ORDER BY _id) AS ids FROM v t0 WHERE NOT EXISTS (SELECT 1 FROM (SELECT * FROM w WHERE t0.a > 1) t1 WHERE t0._id <> t1._id)
----
ids
1,3

query
SELECT GROUP_CONCAT(_id ORDER BY _id) AS ids FROM v t0 WHERE NOT EXISTS (SELECT 1 FROM (SELECT _id, COUNT(*) c FROM w WHERE t0.a > 1 GROUP BY _id) t1 WHERE t0._id <> t1._id)
----
ids
1,3

query
SELECT GROUP_CONCAT(_id ORDER BY _id) AS ids FROM v t0 WHERE NOT EXISTS (SELECT 1 FROM (SELECT COUNT(*) c FROM w WHERE t0.a > 1) t1 WHERE t0._id <> t1.c)
----
ids
NULL

query
SELECT GROUP_CONCAT(_id ORDER BY _id) AS ids FROM v t0 WHERE EXISTS (SELECT 1 FROM (SELECT COUNT(*) c FROM w WHERE t0.a > 1) t1)
----
ids
1,2,3,4

query
SELECT GROUP_CONCAT(_id ORDER BY _id) AS ids FROM v t0 WHERE EXISTS (SELECT 1 FROM v WHERE v._id = t0._id AND EXISTS (SELECT 1 FROM (SELECT COUNT(*) c FROM w WHERE t0.a > 1) t1 WHERE t1.c = 0))
----
ids
1,3

query
SELECT GROUP_CONCAT(_id ORDER BY _id) AS ids FROM v t0 WHERE EXISTS (SELECT 1 FROM v WHERE v._id = t0._id AND EXISTS (SELECT 1 FROM w t1 WHERE t0.a > 1 UNION SELECT 1 FROM w WHERE t0.a = 1))
----
ids
1,2,4

query
SELECT _id, NOT EXISTS (SELECT 1 FROM v t1 WHERE t0._id <> t1._id AND NULL) AS x, NOT EXISTS (SELECT 1 FROM v t1 WHERE t0._id <> t1._id AND t0.a > 1) AS y, t0._id NOT IN (SELECT b FROM w WHERE t0.a > 1) AS z FROM v t0 ORDER BY _id
----
_id | x | y | z
1 | 1 | 1 | 1
2 | 1 | 0 | NULL
3 | 1 | 1 | 1
4 | 1 | 0 | NULL

query
SELECT t0._id, t1._id FROM v t0 LEFT JOIN w t1 ON t0._id = t1._id AND NOT EXISTS (SELECT 1 FROM w t2 WHERE t2.a = t0.a AND (t0.a > 1 OR NULL)) ORDER BY t0._id
----
_id | _id
1 | 1
2 | NULL
3 | NULL
4 | NULL

query
SELECT a, COUNT(*) FROM v t0 GROUP BY a HAVING NOT EXISTS (SELECT 1 FROM w t2 WHERE t2.a = t0.a AND NULL) ORDER BY a
----
a | COUNT(*)
NULL | 1
1 | 1
2 | 2

exec
BEGIN;
UPDATE v t0 SET b = 99 WHERE NOT EXISTS (SELECT 1 FROM w t1 WHERE t0._id <> t1._id AND NULL);
UPDATE v t0 SET b = 98 WHERE NOT EXISTS (SELECT 1 FROM (SELECT * FROM w) t1 WHERE t0._id <> t1._id AND t0.a > 1);
DELETE FROM v WHERE 0 IN (SELECT COUNT(*) FROM w WHERE w._id = v._id AND v.a > 1)
----
ok, 0 rows
ok, 4 rows
ok, 2 rows
ok, 3 rows

query
SELECT * FROM v ORDER BY _id
----
_id | a | b | c
2 | 2 | 99 | y

exec
ROLLBACK
----
ok, 0 rows

# A subquery of which a condition is never true gives nothing.
query
SELECT GROUP_CONCAT(_id ORDER BY _id) AS ids FROM v t0 WHERE _id NOT IN (SELECT _id FROM w WHERE 1 = 0)
----
ids
1,2,3,4

query
SELECT GROUP_CONCAT(_id ORDER BY _id) AS ids FROM v t0 WHERE _id IN (SELECT _id FROM w WHERE NULL)
----
ids
NULL

query
SELECT GROUP_CONCAT(_id ORDER BY _id) AS ids FROM v t0 WHERE _id NOT IN (SELECT _id FROM w WHERE NULL)
----
ids
1,2,3,4

query
SELECT GROUP_CONCAT(_id ORDER BY _id) AS ids FROM v t0 WHERE _id NOT IN (SELECT _id FROM w WHERE (_id > 1 AND FALSE) OR (a > 2 AND FALSE))
----
ids
1,2,3,4

query
SELECT GROUP_CONCAT(_id ORDER BY _id) AS ids FROM v t0 WHERE (_id, a) IN (SELECT _id, a FROM w WHERE 1 = 0)
----
ids
NULL

query
SELECT GROUP_CONCAT(_id ORDER BY _id) AS ids FROM v t0 WHERE (_id, a) NOT IN (SELECT _id, a FROM w WHERE 1 = 0)
----
ids
1,2,3,4

query
SELECT GROUP_CONCAT(_id ORDER BY _id) AS ids FROM v t0 WHERE _id <> ALL (SELECT _id FROM w WHERE 1 = 0)
----
ids
1,2,3,4

query
SELECT GROUP_CONCAT(_id ORDER BY _id) AS ids FROM v t0 WHERE _id IN (SELECT _id FROM w WHERE _id > 1 AND NULL) OR _id = 4
----
ids
4

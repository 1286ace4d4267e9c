# The sign of -0 stays where rows pass through derived tables, subqueries and INSERT … SELECT.

exec
CREATE TABLE t (_id INT PRIMARY KEY, _doc JSON)
----
ok, 0 rows

exec
INSERT INTO t (_doc) VALUES ('{"_id": 1, "d": -0.0}'), ('{"_id": 2, "d": 1.5}'), ('{"_id": 3, "d": 0.0}')
----
ok, 3 rows

query
SELECT d FROM (SELECT d FROM t ORDER BY _id LIMIT 3) x
----
d
-0
1.5
0

query
SELECT x.d FROM (SELECT _id, d FROM t WHERE d < 5 OR _id > 7) x ORDER BY x._id
----
d
-0
1.5
0

query
SELECT (SELECT d FROM t WHERE _id = 1), (SELECT d FROM t WHERE _id = 3)
----
(SELECT d FROM t WHERE _id = 1) | (SELECT d FROM t WHERE _id = 3)
-0 | 0

query
WITH c AS (SELECT _id, d FROM t LIMIT 5) SELECT a.d, b.d FROM c a JOIN c b ON a._id = b._id WHERE a._id = 1
----
d | d
-0 | -0

query
SELECT d FROM t WHERE _id = 1 UNION ALL SELECT d FROM t WHERE _id = 3
----
d
-0
0

exec
CREATE TABLE u (id INT PRIMARY KEY, d DOUBLE, e DOUBLE DEFAULT (-d), f DOUBLE AS (d * 1))
----
ok, 0 rows

exec
INSERT INTO u (id, d) SELECT _id, d FROM t
----
ok, 3 rows

query
SELECT id, d, e, f FROM u ORDER BY id
----
id | d | e | f
1 | -0 | 0 | -0
2 | 1.5 | -1.5 | 1.5
3 | 0 | -0 | 0

query
SELECT id FROM u WHERE d = 0 ORDER BY id
----
id
1
3

query
CHECK TABLE u
----
Table | Op | Msg_type | Msg_text
d.u | check | status | OK

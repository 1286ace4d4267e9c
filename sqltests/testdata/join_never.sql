# Joins of which one side is empty because its condition is never true.

exec
CREATE TABLE x (_id VARCHAR(255) PRIMARY KEY, _doc JSON);
INSERT INTO x (_id, i, j) VALUES ('a', 0, 1), ('b', 1, 1), ('c', 2, 5);
----
ok, 0 rows
ok, 3 rows

query
SELECT COUNT(*), COUNT(t4._id) FROM x t0 LEFT JOIN (x t3 JOIN x t4 ON (SELECT MAX(t5.j) FROM x t5) = 0.3) ON t0.i <> t4.j WHERE t0.i < ANY (SELECT t6.i FROM x t6)
----
COUNT(*) | COUNT(t4._id)
2 | 0

query
SELECT COUNT(*) FROM x t0 LEFT JOIN (x t3 JOIN x t4 ON 7 = 0.3) ON t0.i <> t4.j WHERE t0.i < ANY (SELECT t6.i FROM x t6)
----
COUNT(*)
2

query
SELECT t0._id, t3._id, t4.j FROM x t0 LEFT JOIN (x t3 JOIN x t4 ON 7 = 0.3) ON t0.i <> t4.j WHERE t0.i IN (SELECT t6.i FROM x t6) ORDER BY t0._id
----
_id | _id | j
a | NULL | NULL
b | NULL | NULL
c | NULL | NULL

query
SHOW STATUS WHERE Variable_name IN ('sqlfdb_last_keys', 'sqlfdb_last_documents')
----
Variable_name | Value
sqlfdb_last_documents | 0
sqlfdb_last_keys | 6

query
SELECT t0._id, t4.j FROM x t0 LEFT JOIN (SELECT * FROM x WHERE FALSE) t4 ON t0.i = t4.j WHERE EXISTS (SELECT 1 FROM x t6 WHERE t6.i > t0.i) ORDER BY t0._id
----
_id | j
a | NULL
b | NULL

query
SELECT COUNT(*) FROM x t0 JOIN (x t3 JOIN x t4 ON 7 = 0.3) ON t0.i <> t4.j WHERE t0.i IN (SELECT t6.i FROM x t6)
----
COUNT(*)
0

query
SELECT t0._id, (SELECT COUNT(*) FROM x t1 LEFT JOIN (x t3 JOIN x t4 ON 1 = 2) ON t3.i = t1.i WHERE t1.i < t0.i AND t1.i < ANY (SELECT i FROM x)) AS n FROM x t0 ORDER BY t0._id
----
_id | n
a | 0
b | 1
c | 2

query
CHECK TABLE x
----
Table | Op | Msg_type | Msg_text
d.x | check | status | OK

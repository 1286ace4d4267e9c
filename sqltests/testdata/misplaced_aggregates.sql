# An aggregate in WHERE, or in the condition of a join, is refused: there are no groups yet. A subquery may ask for one of the query around it.

exec
CREATE TABLE t (_id VARCHAR(255) PRIMARY KEY, n INT, _doc JSON);
INSERT INTO t (_id, n) VALUES ('a', 1), ('b', 2)
----
ok, 0 rows
ok, 2 rows

query
SELECT COUNT(*) FROM t WHERE COUNT(*) > 1
----
ERROR 1111 (HY000): Invalid use of group function

query
SELECT _id FROM t JOIN t AS u ON MAX(t.n) = u.n
----
ERROR 1111 (HY000): Invalid use of group function

query
SELECT _id FROM t WHERE n IN (SELECT 2 FROM t AS u WHERE COUNT(*) > 1)
----
ERROR 1111 (HY000): Invalid use of group function

query
(SELECT n FROM t WHERE GROUP_CONCAT(n) = 'x') UNION (SELECT 2)
----
ERROR 1111 (HY000): Invalid use of group function

exec
UPDATE t SET n = 1 WHERE MAX(n) = 3;
DELETE FROM t WHERE MAX(n) = 3;
CREATE TABLE c AS SELECT n FROM t WHERE COUNT(*) = 1;
INSERT INTO t (_id) SELECT n FROM t WHERE MIN(n) = 1
----
ERROR 1111 (HY000): Invalid use of group function
ERROR 1111 (HY000): Invalid use of group function
ERROR 1140 (42000): In aggregated query without GROUP BY, nonaggregated column 't.n' is not determined
ERROR 1111 (HY000): Invalid use of group function

query
SELECT _id, SUM(n) OVER () AS s, (SELECT MAX(n) FROM t) AS m FROM t WHERE n < (SELECT MAX(n) FROM t)
----
_id | s | m
a | 1 | 2

query
SELECT MAX(n) FROM t HAVING EXISTS (SELECT 1 FROM t AS u WHERE MAX(t.n) > u.n)
----
MAX(n)
2

query
SELECT _id, n AS max FROM t WHERE n > 1 ORDER BY max
----
_id | max
b | 2

query
CHECK TABLE t
----
Table | Op | Msg_type | Msg_text
d.t | check | status | OK

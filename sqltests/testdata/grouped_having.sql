# Subqueries of HAVING that name expressions of GROUP BY.

exec
CREATE TABLE w (_id VARCHAR(255) PRIMARY KEY, _doc JSON);
CREATE TABLE v (_id VARCHAR(255) PRIMARY KEY, _doc JSON);
INSERT INTO w (_doc) VALUES ('{"_id":"k1","x":1,"s":"ab"}'), ('{"_id":"k2","x":2,"s":"ac"}'), ('{"_id":"k3","x":3,"s":"Bd"}'), ('{"_id":"k4","s":"ad"}'), ('{"_id":"k5","x":2}');
INSERT INTO v (_doc) VALUES ('{"_id":"v1","s":"INTEGER","x":1}'), ('{"_id":"v2","x":3,"s":"a"}');
----
ok, 0 rows
ok, 0 rows
ok, 5 rows
ok, 2 rows

query
SELECT JSON_TYPE(w._doc->'$.x') AS t, COUNT(*) FROM w GROUP BY JSON_TYPE(w._doc->'$.x') HAVING EXISTS (SELECT 1 FROM v WHERE v.s = JSON_TYPE(w._doc->'$.x')) ORDER BY t
----
t | COUNT(*)
INTEGER | 4

query
SELECT LEFT(s, 1) AS l, COUNT(*) FROM w AS t GROUP BY LEFT(s, 1) HAVING NOT EXISTS (SELECT 1 FROM v WHERE v.s = left(t.s, 1)) ORDER BY l
----
l | COUNT(*)
NULL | 1
B | 1

query
SELECT x + 1 AS y, COUNT(*) AS c FROM w GROUP BY x + 1 HAVING 3 IN (SELECT v.x FROM v WHERE v.x = w.x + 1 AND v.s <> 'b') OR COUNT(*) > (SELECT COUNT(*) FROM v WHERE v.x = w.x + 1) + 1
----
y | c
3 | 2

query
SELECT x > 1 AS g, COUNT(*) AS c FROM w GROUP BY x > 1 HAVING c > (SELECT COUNT(*) FROM v WHERE (v.x > 1) = (w.x > 1)) ORDER BY g
----
g | c
NULL | 1
1 | 3

prepared
: 1
: 1
: 1
SELECT x + ? AS y, COUNT(*) AS c FROM w GROUP BY x + ? HAVING EXISTS (SELECT 1 FROM v WHERE v.x = w.x + ?)
----
y | c
3 | 2

query
SELECT w.x + q.n AS y FROM w JOIN (SELECT 1 AS n) AS q GROUP BY w.x + q.n HAVING EXISTS (SELECT 1 FROM v WHERE v.x = w.x + q.n) ORDER BY y
----
y
3

# A column of it that stands by itself has no one value in a group.
query
SELECT COUNT(*) FROM w GROUP BY x + 1 HAVING EXISTS (SELECT 1 FROM v WHERE v.x = w.x + 1 AND w.x < 7)
----
ERROR 1146 (42S02): Table 'd.w' doesn't exist

exec
SET sqlfdb_use_index = OFF
----
ok, 0 rows

query
SELECT JSON_TYPE(w._doc->'$.x') AS t, COUNT(*) FROM w GROUP BY JSON_TYPE(w._doc->'$.x') HAVING EXISTS (SELECT 1 FROM v WHERE v.s = JSON_TYPE(w._doc->'$.x')) ORDER BY t
----
t | COUNT(*)
INTEGER | 4

query
SELECT x > 1 AS g, COUNT(*) AS c FROM w GROUP BY x > 1 HAVING c > (SELECT COUNT(*) FROM v WHERE (v.x > 1) = (w.x > 1)) ORDER BY g
----
g | c
NULL | 1
1 | 3

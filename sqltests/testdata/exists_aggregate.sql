# EXISTS of an aggregate without GROUP BY is true, whatever there is.
exec
CREATE TABLE a (id INT PRIMARY KEY, k INT);
CREATE TABLE b (id INT PRIMARY KEY, k INT);
INSERT INTO a VALUES (1,1),(2,2),(3,3);
INSERT INTO b VALUES (1,1),(2,1),(3,2);
----
ok, 0 rows
ok, 0 rows
ok, 3 rows
ok, 3 rows

query
SELECT 'always', GROUP_CONCAT(id) FROM a WHERE EXISTS (SELECT COUNT(*) FROM b WHERE b.k=a.k)
----
always | GROUP_CONCAT(id)
always | 1,2,3

query
SELECT 'never', GROUP_CONCAT(id) FROM a WHERE NOT EXISTS (SELECT COUNT(*) FROM b WHERE b.k=a.k)
----
never | GROUP_CONCAT(id)
never | NULL

query
SELECT 'having>1: 1', GROUP_CONCAT(id) FROM a WHERE EXISTS (SELECT COUNT(*) FROM b WHERE b.k=a.k HAVING COUNT(*)>1)
----
having>1: 1 | GROUP_CONCAT(id)
having>1: 1 | 1

query
SELECT 'having=0: 3', GROUP_CONCAT(id) FROM a WHERE EXISTS (SELECT COUNT(*) FROM b WHERE b.k=a.k HAVING COUNT(*)=0)
----
having=0: 3 | GROUP_CONCAT(id)
having=0: 3 | 3

query
SELECT 'not having>1: 2,3', GROUP_CONCAT(id) FROM a WHERE NOT EXISTS (SELECT COUNT(*) FROM b WHERE b.k=a.k HAVING COUNT(*)>1)
----
not having>1: 2,3 | GROUP_CONCAT(id)
not having>1: 2,3 | 2,3

query
SELECT 'offset 1: 1', GROUP_CONCAT(id) FROM a WHERE EXISTS (SELECT 1 FROM b WHERE b.k=a.k LIMIT 1 OFFSET 1)
----
offset 1: 1 | GROUP_CONCAT(id)
offset 1: 1 | 1

query
SELECT 'group having: 1', GROUP_CONCAT(id) FROM a WHERE EXISTS (SELECT k FROM b WHERE b.k=a.k GROUP BY k HAVING COUNT(*)>1)
----
group having: 1 | GROUP_CONCAT(id)
group having: 1 | 1

query
SELECT 'max: always', GROUP_CONCAT(id) FROM a WHERE EXISTS (SELECT MAX(id) FROM b WHERE b.k=a.k)
----
max: always | GROUP_CONCAT(id)
max: always | 1,2,3

query
SELECT 'limit agg: none', GROUP_CONCAT(id) FROM a WHERE EXISTS (SELECT MAX(id) FROM b WHERE b.k=a.k LIMIT 1 OFFSET 1)
----
limit agg: none | GROUP_CONCAT(id)
limit agg: none | NULL

query
SELECT 'select list', id, EXISTS (SELECT COUNT(*) FROM b WHERE b.k=a.k) e FROM a
----
select list | id | e
select list | 1 | 1
select list | 2 | 1
select list | 3 | 1

query
SELECT 'uncorrelated', GROUP_CONCAT(id) FROM a WHERE EXISTS (SELECT COUNT(*) FROM b WHERE k = 77)
----
uncorrelated | GROUP_CONCAT(id)
uncorrelated | 1,2,3

query
SELECT 'in', GROUP_CONCAT(id) FROM a WHERE 0 IN (SELECT COUNT(*) FROM b WHERE b.k=a.k)
----
in | GROUP_CONCAT(id)
in | 3

query
SELECT 'nested', GROUP_CONCAT(id) FROM a WHERE EXISTS (SELECT * FROM (SELECT COUNT(*) c FROM b WHERE k=77) x)
----
nested | GROUP_CONCAT(id)
nested | 1,2,3

query
SELECT 'distinct', GROUP_CONCAT(id) FROM a WHERE EXISTS (SELECT DISTINCT COUNT(*) FROM b WHERE b.k=a.k ORDER BY 1)
----
distinct | GROUP_CONCAT(id)
distinct | 1,2,3

query
SELECT 'limit 0: none', GROUP_CONCAT(id) FROM a WHERE EXISTS (SELECT 1 FROM b WHERE b.k=a.k LIMIT 0)
----
limit 0: none | GROUP_CONCAT(id)
limit 0: none | NULL

query
SELECT 'not limit 0: all', GROUP_CONCAT(id) FROM a WHERE NOT EXISTS (SELECT COUNT(*) FROM b WHERE b.k=a.k LIMIT 0)
----
not limit 0: all | GROUP_CONCAT(id)
not limit 0: all | 1,2,3

query
CHECK TABLE a, b
----
Table | Op | Msg_type | Msg_text
d.a | check | status | OK
d.b | check | status | OK

# Conditions on the outer query stay within what aggregates without GROUP BY, and within what an outer join asks.
query
SELECT GROUP_CONCAT(id ORDER BY id) FROM a WHERE EXISTS (SELECT COUNT(*) FROM b WHERE a.id > 1 HAVING COUNT(*) = 0)
----
GROUP_CONCAT(id ORDER BY id)
1

query
SELECT GROUP_CONCAT(id ORDER BY id) FROM a WHERE NOT EXISTS (SELECT COUNT(*) FROM b WHERE a.id > 1 HAVING COUNT(*) = 0)
----
GROUP_CONCAT(id ORDER BY id)
2,3

query
SELECT GROUP_CONCAT(id ORDER BY id) FROM a WHERE EXISTS (SELECT 1 FROM b LEFT JOIN b AS c ON c.id = b.id AND a.id > 1 WHERE c.id IS NULL)
----
GROUP_CONCAT(id ORDER BY id)
1

query
SELECT GROUP_CONCAT(id ORDER BY id) FROM a WHERE NOT EXISTS (SELECT 1 FROM b LEFT JOIN b AS c ON c.id = b.id AND a.id > 1 WHERE c.id IS NULL)
----
GROUP_CONCAT(id ORDER BY id)
2,3

query
SELECT GROUP_CONCAT(id ORDER BY id) FROM a WHERE NOT EXISTS (SELECT 1 FROM b LEFT JOIN (SELECT k, MIN(id) AS id FROM b GROUP BY k) AS c ON c.k = b.k AND c.id = a.id WHERE c.id >= a.k)
----
GROUP_CONCAT(id ORDER BY id)
2

# The names in a subquery of an expression are its own: what its tables have says nothing of the tables around it, and what neither has is
# of its first table.
exec
CREATE TABLE w (_id INT PRIMARY KEY, _doc JSON);
CREATE TABLE v (_id INT PRIMARY KEY, _doc JSON);
CREATE TABLE closed (_id INT PRIMARY KEY, x INT);
INSERT INTO w (_doc) VALUES ('{"_id": 1, "x": 1, "o": 10}'), ('{"_id": 2, "x": 2, "o": 20}'), ('{"_id": 3, "x": 3, "o": 30}');
INSERT INTO v (_doc) VALUES ('{"_id": 1, "x": 1, "s": 10}'), ('{"_id": 2, "x": 3, "s": 5}');
INSERT INTO closed VALUES (1, 1), (2, 2)
----
ok, 0 rows
ok, 0 rows
ok, 0 rows
ok, 3 rows
ok, 2 rows
ok, 2 rows

query
SELECT _id, s FROM w WHERE x IN (SELECT x FROM v)
----
_id | s
1 | NULL
3 | NULL

query
SHOW WARNINGS
----
Level | Code | Message
Warning | 1054 | No document of d.w has the keypath `s`

query
SELECT _id, nobody FROM w WHERE x IN (SELECT x FROM v)
----
_id | nobody
1 | NULL
3 | NULL

query
SHOW WARNINGS
----
Level | Code | Message
Warning | 1054 | No document of d.w has the keypath `nobody`

# The name of the table before it makes no difference.
query
SELECT _id, w.s FROM w WHERE x IN (SELECT x FROM v)
----
_id | s
1 | NULL
3 | NULL

query
SELECT _id FROM w WHERE s IS NULL AND EXISTS (SELECT 1 FROM v WHERE v.x = w.x AND s = 5) ORDER BY s
----
_id
3

query
SELECT _id, (SELECT MAX(s) FROM v WHERE v.x = w.x) AS most, s FROM w
----
_id | most | s
1 | 10 | NULL
2 | NULL | NULL
3 | 5 | NULL

query
SELECT s, COUNT(*) FROM w GROUP BY s HAVING COUNT(*) > (SELECT MIN(_id) FROM v WHERE s > 0)
----
s | COUNT(*)
NULL | 3

# A name that the tables of the subquery have not, and one around it has, is that one's.
query
SELECT _id FROM w WHERE EXISTS (SELECT 1 FROM v WHERE s = o AND v.x = w.x)
----
_id
1

query
SELECT _id FROM w WHERE 10 IN (SELECT o FROM v)
----
_id
1

query
SELECT _id FROM w WHERE EXISTS (SELECT 1 FROM v WHERE v.x = w.x AND EXISTS (SELECT 1 FROM closed WHERE closed.x = v.x AND o = 10 AND s = 10))
----
_id
1

# One that nobody has is of the subquery's first table that may have it.
query
SELECT _id FROM w WHERE EXISTS (SELECT 1 FROM v WHERE nobody IS NULL AND v.x = w.x)
----
_id
1
3

query
SHOW WARNINGS
----
Level | Code | Message
Warning | 1054 | No document of d.v has the keypath `nobody`

query
SELECT _id FROM w WHERE EXISTS (SELECT 1 FROM closed WHERE nobody IS NULL AND closed.x = w.x)
----
_id
1
2

query
SHOW WARNINGS
----
Level | Code | Message
Warning | 1054 | No document of d.w has the keypath `nobody`

query
SELECT _id, (SELECT nobody) FROM w
----
_id | (SELECT nobody)
1 | NULL
2 | NULL
3 | NULL

query
SELECT nobody FROM w WHERE x > ANY (SELECT nobody FROM v UNION SELECT s FROM v UNION SELECT 0)
----
nobody
NULL
NULL
NULL

query
SHOW WARNINGS
----
Level | Code | Message
Warning | 1054 | No document of d.v has the keypath `nobody`
Warning | 1054 | No document of d.w has the keypath `nobody`

# Where a derived table is among the tables around, nobody takes it.
query
SELECT _id FROM w, (SELECT 7 AS seven) d WHERE EXISTS (SELECT 1 FROM v WHERE v.x = w.x AND seven = 7)
----
_id
1
3

query
SELECT _id FROM w, (SELECT 7 AS seven) d WHERE EXISTS (SELECT 1 FROM v WHERE v.x = w.x AND nobody = 7)
----
ERROR 1054 (42S22): column "nobody" could not be found in any table in scope

query
SELECT _id, s FROM w WHERE x IN (SELECT y FROM (SELECT x AS y, s FROM v) AS d)
----
_id | s
1 | NULL
3 | NULL

query
WITH c AS (SELECT x, s FROM v) SELECT _id, s FROM w WHERE x IN (SELECT x FROM c)
----
_id | s
1 | NULL
3 | NULL

query
WITH c AS (SELECT x FROM v) SELECT _id, nobody FROM w WHERE _id = 1
----
_id | nobody
1 | NULL

query
WITH c AS (SELECT x FROM v) SELECT _id, nobody FROM w JOIN c ON c.x = w.x
----
ERROR 1054 (42S22): column "nobody" could not be found in any table in scope

# A common table expression goes before the table of its name.
query
WITH v AS (SELECT 3 AS x, 7 AS q) SELECT _id FROM w WHERE EXISTS (SELECT 1 FROM v WHERE q = 7 AND v.x > w.x)
----
_id
1
2

query
SELECT _id, s FROM w WHERE x IN (SELECT x FROM (SELECT x FROM v WHERE nobody IS NULL) AS d)
----
_id | s
1 | NULL
3 | NULL

exec
CREATE VIEW y AS SELECT x, s FROM v
----
ok, 0 rows

query
SELECT _id, s FROM w WHERE x IN (SELECT x FROM y)
----
_id | s
1 | NULL
3 | NULL

query
SELECT _id, s FROM w WHERE x IN (SELECT x FROM y WHERE s = o)
----
_id | s
1 | NULL

# A table that is in both.
query
SELECT _id FROM w WHERE o > (SELECT AVG(o) FROM w AS i WHERE nobody IS NULL AND s IS NULL)
----
_id
3

exec
UPDATE w SET o = (SELECT SUM(s) FROM v WHERE v.x = w.x) WHERE s IS NULL AND x IN (SELECT x FROM v);
DELETE FROM w WHERE s IS NULL AND _id = (SELECT MAX(_id) FROM closed WHERE s IS NULL)
----
ok, 1 rows
ok, 1 rows

query
SELECT * FROM w
----
_id | x | o
1 | 1 | 10
3 | 3 | 5

query
SELECT _id, s FROM w WHERE x NOT IN (SELECT x FROM v WHERE s = 5)
----
_id | s
1 | NULL

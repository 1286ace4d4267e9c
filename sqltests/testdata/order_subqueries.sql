# What is sorted by is a subquery: it sees the columns of its row, whatever is put behind that.

exec
CREATE TABLE w (_id VARCHAR(255) PRIMARY KEY, _doc JSON);
CREATE TABLE v (_id VARCHAR(255) PRIMARY KEY, _doc JSON);
INSERT INTO w (_doc) VALUES ('{"_id":"k1","x":1}'), ('{"_id":"k2","x":2}'), ('{"_id":"k3","x":3}'), ('{"_id":"k4"}');
INSERT INTO v (_doc) VALUES ('{"_id":"v1","s":"abab","x":1}'), ('{"_id":"v2","x":3,"b":[3]}');
----
ok, 0 rows
ok, 0 rows
ok, 4 rows
ok, 2 rows

# The first rows.
query
SELECT _id FROM w ORDER BY EXISTS (SELECT 1 FROM v WHERE JSON_EXTRACT(v._doc, '$.x') = w.x AND (v.nosuch < v.s) IS NULL) DESC, _id DESC LIMIT 3
----
_id
k3
k1
k4

query
SELECT _id FROM w ORDER BY x IN (SELECT b._value FROM v__b AS b WHERE b._idx <=> (SELECT MAX(x) FROM v WHERE x = 5) OR b._value = -0e0 OR b._value = 3) DESC, _id LIMIT 2
----
_id
k3
k1

query
SELECT _id FROM w ORDER BY x > 1 DESC, (SELECT MIN(v._id) FROM v WHERE v.x = w.x AND v._id > w._id) DESC, (SELECT COUNT(*) FROM v WHERE v.x >= w.x) DESC, _id LIMIT 2 OFFSET 1
----
_id
k2
k1

query
SELECT _id, (SELECT v._id FROM v WHERE v._id > w._id ORDER BY (SELECT MAX(a.x) FROM w AS a WHERE a.x < v.x AND a._id <> w._id) DESC LIMIT 1) AS v FROM w ORDER BY _id
----
_id | v
k1 | v2
k2 | v2
k3 | v2
k4 | v2

# All rows.
query
SELECT _id FROM w ORDER BY (SELECT MIN(v._id) FROM v WHERE v.x = w.x AND v._id > w._id) DESC, (SELECT COUNT(*) FROM v WHERE v.x >= w.x), _id
----
_id
k3
k1
k4
k2

query
SELECT GROUP_CONCAT(_id ORDER BY (SELECT MIN(JSON_EXTRACT(v._doc, '$.x')) FROM v WHERE v.x = w.x AND v._id > w._id) DESC, _id) FROM w
----
GROUP_CONCAT(_id ORDER BY (SELECT MIN(JSON_EXTRACT(v._doc, '$.x')) FROM v WHERE v.x = w.x AND v._id > w._id) DESC, _id)
k3,k1,k2,k4

query
SELECT x > 1 AS g, GROUP_CONCAT(DISTINCT _id ORDER BY x IS NULL, (SELECT MIN(JSON_EXTRACT(v._doc, '$.x')) FROM v WHERE v.x = w.x) DESC) FROM w GROUP BY g ORDER BY g
----
g | GROUP_CONCAT(DISTINCT _id ORDER BY x IS NULL, (SELECT MIN(JSON_EXTRACT(v._doc, '$.x')) FROM v WHERE v.x = w.x) DESC)
NULL | k4
0 | k1
1 | k3,k2

query
(SELECT _id, x FROM w) UNION ALL (SELECT _id, x FROM v) ORDER BY (SELECT COUNT(*) FROM w WHERE w.x > 2) > 0, x IS NULL, x, _id LIMIT 3
----
_id | x
k1 | 1
v1 | 1
k2 | 2

exec
DELETE FROM w ORDER BY EXISTS (SELECT 1 FROM v WHERE JSON_EXTRACT(v._doc, '$.x') = w.x AND (v.nosuch < v.s) IS NULL) DESC, _id DESC LIMIT 1;
UPDATE w SET y = 1 ORDER BY (SELECT MIN(v._id) FROM v WHERE v.x = w.x AND v._id > w._id) DESC, _id LIMIT 1;
----
ok, 1 rows
ok, 1 rows

query
SELECT _id, y FROM w ORDER BY _id
----
_id | y
k1 | 1
k2 | NULL
k4 | NULL

# What else is computed.
query
SELECT _id FROM w ORDER BY LOWER(CONCAT(y, _id)) DESC, UPPER(_id) DESC LIMIT 2
----
_id
k1
k4

query
SELECT COUNT(*), COUNT(DISTINCT _id) FROM (SELECT _id FROM w ORDER BY RAND(), _id LIMIT 3) AS r
----
COUNT(*) | COUNT(DISTINCT _id)
3 | 3

query
SELECT _id, s FROM v ORDER BY DATE(CONCAT('2024-01-', IF(_id = 'v1', '02', '01'))), s LIMIT 5
----
_id | s
v2 | NULL
v1 | abab

# Without the index.
exec
SET sqlfdb_use_index = OFF
----
ok, 0 rows

query
SELECT _id FROM w ORDER BY EXISTS (SELECT 1 FROM v WHERE JSON_EXTRACT(v._doc, '$.x') = w.x AND (v.nosuch < v.s) IS NULL) DESC, _id DESC LIMIT 3
----
_id
k1
k4
k2

query
SELECT _id FROM w ORDER BY x IN (SELECT b._value FROM v__b AS b WHERE b._idx <=> (SELECT MAX(x) FROM v WHERE x = 5) OR b._value = -0e0 OR b._value = 3) DESC, _id LIMIT 2
----
_id
k1
k2

query
SELECT _id FROM w ORDER BY x > 1 DESC, (SELECT MIN(v._id) FROM v WHERE v.x = w.x AND v._id > w._id) DESC, (SELECT COUNT(*) FROM v WHERE v.x >= w.x) DESC, _id LIMIT 2 OFFSET 1
----
_id
k1
k4

query
SELECT _id, (SELECT v._id FROM v WHERE v._id > w._id ORDER BY (SELECT MAX(a.x) FROM w AS a WHERE a.x < v.x AND a._id <> w._id) DESC LIMIT 1) AS v FROM w ORDER BY _id
----
_id | v
k1 | v2
k2 | v2
k4 | v2

query
SELECT GROUP_CONCAT(_id ORDER BY (SELECT MIN(JSON_EXTRACT(v._doc, '$.x')) FROM v WHERE v.x = w.x AND v._id > w._id) DESC, _id) FROM w
----
GROUP_CONCAT(_id ORDER BY (SELECT MIN(JSON_EXTRACT(v._doc, '$.x')) FROM v WHERE v.x = w.x AND v._id > w._id) DESC, _id)
k1,k2,k4

query
SELECT x > 1 AS g, GROUP_CONCAT(DISTINCT _id ORDER BY x IS NULL, (SELECT MIN(JSON_EXTRACT(v._doc, '$.x')) FROM v WHERE v.x = w.x) DESC) FROM w GROUP BY g ORDER BY g
----
g | GROUP_CONCAT(DISTINCT _id ORDER BY x IS NULL, (SELECT MIN(JSON_EXTRACT(v._doc, '$.x')) FROM v WHERE v.x = w.x) DESC)
NULL | k4
0 | k1
1 | k2

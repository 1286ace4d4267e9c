# A subquery that is planned for each outer row, by a column of a UNION that is of another type than its first side's.

exec
CREATE TABLE w (_id VARCHAR(255) PRIMARY KEY, _doc JSON);
CREATE TABLE v (_id VARCHAR(255) PRIMARY KEY, _doc JSON);
INSERT INTO w (_id, x) WITH RECURSIVE s AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM s WHERE i < 40) SELECT CONCAT('k', i), CASE i % 4 WHEN 0 THEN 'á' WHEN 1 THEN 1 WHEN 2 THEN 2.5 END FROM s;
INSERT INTO v (_doc) VALUES ('{"_id":"v1","f":true,"a":["á","b"]}');
----
ok, 0 rows
ok, 0 rows
ok, 40 rows
ok, 1 rows

query
SELECT c0, c1, (SELECT COUNT(*) FROM w WHERE w.x = COALESCE(t.c1, t.c0)) AS n, (SELECT COUNT(*) FROM w WHERE w.x = IF(t.c1 IS NULL, t.c0, t.c1)) AS m FROM ((SELECT f AS c0, JSON_LENGTH(_doc->'$.nosuch') AS c1 FROM v) UNION ALL (SELECT _value, _value FROM v__a)) AS t ORDER BY c0
----
c0 | c1 | n | m
1 | NULL | 10 | 10
á | á | 10 | 10
b | b | 0 | 0

query
SELECT c0 FROM ((SELECT f AS c0, JSON_LENGTH(_doc->'$.nosuch') AS c1 FROM v) UNION ALL (SELECT _value, _value FROM v__a)) AS t WHERE (SELECT MAX(w._id) FROM w WHERE GREATEST(t.c0, COALESCE(t.c1, t.c0)) = w.x) IS NULL ORDER BY c0
----
c0
b

exec
SET sqlfdb_use_index = OFF
----
ok, 0 rows

query
SELECT c0, c1, (SELECT COUNT(*) FROM w WHERE w.x = COALESCE(t.c1, t.c0)) AS n, (SELECT COUNT(*) FROM w WHERE w.x = IF(t.c1 IS NULL, t.c0, t.c1)) AS m FROM ((SELECT f AS c0, JSON_LENGTH(_doc->'$.nosuch') AS c1 FROM v) UNION ALL (SELECT _value, _value FROM v__a)) AS t ORDER BY c0
----
c0 | c1 | n | m
1 | NULL | 10 | 10
á | á | 10 | 10
b | b | 0 | 0

query
SELECT c0 FROM ((SELECT f AS c0, JSON_LENGTH(_doc->'$.nosuch') AS c1 FROM v) UNION ALL (SELECT _value, _value FROM v__a)) AS t WHERE (SELECT MAX(w._id) FROM w WHERE GREATEST(t.c0, COALESCE(t.c1, t.c0)) = w.x) IS NULL ORDER BY c0
----
c0
b

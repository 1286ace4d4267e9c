# UNION of JSON with NULL; row values of mixed types in a subquery.

exec
CREATE TABLE t (_id VARCHAR(255) PRIMARY KEY, js JSON, n INT, d DATE, s VARCHAR(10), _doc JSON);
INSERT INTO t (_id, js, n, d, s) VALUES ('a', '{"x":1}', 1, '2020-01-02', '1'), ('b', '[2]', 2, '2020-01-03', '2020-01-02'), ('c', NULL, NULL, NULL, NULL);
----
ok, 0 rows
ok, 3 rows

query
SELECT js FROM t WHERE _id = 'a' UNION SELECT NULL
----
js
{"x":1}
NULL

query
SELECT NULL UNION SELECT js FROM t WHERE _id = 'a'
----
NULL
NULL
{"x":1}

query
SELECT js FROM t WHERE _id = 'a' UNION ALL SELECT NULL UNION ALL SELECT js FROM t WHERE _id = 'b'
----
js
{"x":1}
NULL
[2]

query
SELECT NULL AS x UNION ALL SELECT NULL UNION ALL SELECT js FROM t WHERE _id = 'b'
----
x
NULL
NULL
[2]

query
SELECT z FROM t WHERE _id = 'a' UNION SELECT NULL
----
z
NULL

query
SELECT js FROM t WHERE _id = 'a' EXCEPT SELECT NULL
----
js
{"x":1}

query
SELECT js FROM t INTERSECT SELECT NULL
----
js
NULL

query
SELECT d FROM t WHERE _id = 'a' UNION SELECT NULL
----
d
2020-01-02
NULL

query
SELECT s FROM t WHERE _id = 'a' UNION SELECT NULL UNION SELECT 'x'
----
s
1
NULL
x

query
SELECT CAST(NULL AS CHAR) UNION SELECT 'x'
----
CAST(NULL AS CHAR)
NULL
x

query
SELECT _id FROM t WHERE (n, s) IN (SELECT s, n FROM t)
----
_id
a

query
SELECT _id FROM t WHERE (d, n) IN (SELECT s, n - 1 FROM t)
----
_id
a

query
SELECT _id FROM t WHERE (s, n) IN (SELECT d, n + 1 FROM t)
----
_id
b

query
SELECT _id FROM t WHERE (js, n) IN (SELECT js, s FROM t)
----
_id
a

query
SELECT _id FROM t WHERE (n, n) IN (SELECT 'abc', 1)
----
_id

query
SELECT _id FROM t WHERE (s, n) NOT IN (SELECT 5, 1)
----
_id
a
b

query
SELECT _id FROM t WHERE (s, 'q') IN (SELECT 1, 2)
----
_id

query
SELECT _id, (n, s) IN (SELECT 1, NULL) AS i, (n, s) IN (SELECT 1, 1) AS j, (n, s) NOT IN (SELECT 1.0, '1') AS k, (n, s) IN (SELECT 1, 1 FROM t WHERE n > 9) AS l FROM t
----
_id | i | j | k | l
a | NULL | 1 | 0 | 0
b | 0 | 0 | 1 | 0
c | NULL | NULL | NULL | 0

prepared
: 1
: 1
SELECT _id FROM t WHERE (n, s) IN (SELECT ?, ?)
----
_id
a

# null in JSON is none of several NULLs.
exec
CREATE TABLE jn (_id VARCHAR(255) PRIMARY KEY, n INT, m INT, _doc JSON);
INSERT INTO jn (_doc) VALUES ('{"_id":"a","x":null}'), ('{"_id":"b"}'), ('{"_id":"c","x":1}');
----
ok, 0 rows
ok, 3 rows

query
SELECT _id, _doc->'$.x' IN (NULL, NULL) AS a, _doc->'$.x' NOT IN (NULL, NULL) AS b, _doc->'$.x' IN (NULL, 1, NULL) AS c, _doc->'$.x' IN (n + 1, NULL, m + 1, 2) AS d FROM jn
----
_id | a | b | c | d
a | NULL | NULL | NULL | NULL
b | NULL | NULL | NULL | NULL
c | NULL | NULL | 1 | NULL

query
SELECT CAST('null' AS JSON) IN (NULL, NULL), CAST('null' AS JSON) IN (NULL, CAST('null' AS JSON), NULL)
----
CAST('null' AS JSON) IN (NULL, NULL) | CAST('null' AS JSON) IN (NULL, CAST('null' AS JSON), NULL)
NULL | 1

query
SELECT _id FROM jn WHERE _doc->'$.x' IN (NULL, 1, NULL)
----
_id
c

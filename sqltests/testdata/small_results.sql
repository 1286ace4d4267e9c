# Few rows are answered otherwise than many.

exec
CREATE TABLE t (_id VARCHAR(255) PRIMARY KEY, _doc JSON);
INSERT INTO t (_doc) VALUES ('{"_id":"a","n":-0.0,"m":1}'), ('{"_id":"b","n":1.5,"m":2}'), ('{"_id":"c","m":2}'), ('{"_id":"d","m":2}'), ('{"_id":"e","m":2}');
----
ok, 0 rows
ok, 5 rows

query
SELECT n, n * 1, CONCAT(n, '') FROM t WHERE _id = 'a'
----
n | n * 1 | CONCAT(n, '')
-0 | -0 | -0

query
SELECT n, n * 1 FROM t WHERE m = 1
----
n | n * 1
-0 | -0

query
SELECT n, n * 1 FROM t
----
n | n * 1
-0 | -0
1.5 | 1.5
NULL | NULL
NULL | NULL
NULL | NULL

query
SELECT n FROM t WHERE m = 1 AND EXISTS (SELECT 1 FROM t AS q WHERE q._id = 'a')
----
n
-0

query
SELECT (SELECT q.n FROM t AS q WHERE q._id = 'a') AS s FROM t WHERE _id = 'b'
----
s
-0

query
SELECT COUNT(DISTINCT UUID()) FROM t
----
COUNT(DISTINCT UUID())
5

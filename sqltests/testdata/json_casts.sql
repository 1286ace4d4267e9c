# Casts of what JSON holds. A number that is nearer to 0 than any DOUBLE counts for 0, not for the digits that it begins with.

exec
CREATE TABLE t (_id INT PRIMARY KEY, _doc JSON)
----
ok, 0 rows

exec
INSERT INTO t (_doc) VALUES ('{"_id": 1, "n": 123e-5000}'), ('{"_id": 2, "n": 123}'), ('{"_id": 3, "n": "123"}'), ('{"_id": 4, "n": 0}'), ('{"_id": 5}'), ('{"_id": 6, "n": null}')
----
ok, 6 rows

query
SELECT _id, CAST(_doc->'$.n' AS SIGNED), CAST(_doc->'$.n' AS DOUBLE), _doc->'$.n' + 0 FROM t ORDER BY _id
----
_id | CAST(_doc->'$.n' AS SIGNED) | CAST(_doc->'$.n' AS DOUBLE) | _doc->'$.n' + 0
1 | 0 | 0 | 0
2 | 123 | 123 | 123
3 | 123 | 123 | 123
4 | 0 | 0 | 0
5 | NULL | NULL | NULL
6 | NULL | NULL | 0

query
SELECT _id FROM t WHERE CAST(_doc->'$.n' AS SIGNED) = 123 ORDER BY _id
----
_id
2
3

query
SELECT _id FROM t WHERE CAST(_doc->'$.n' AS SIGNED) = 0 ORDER BY _id
----
_id
1
4

query
CHECK TABLE t
----
Table | Op | Msg_type | Msg_text
d.t | check | status | OK

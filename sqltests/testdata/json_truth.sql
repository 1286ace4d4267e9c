# JSON as a condition is true of numbers other than 0, and NULL of JSON's null: it isn't the value.
exec
CREATE TABLE t (_id INT PRIMARY KEY, _doc JSON);
INSERT INTO t (_doc) VALUES ('{"_id": 1, "f": null}'), ('{"_id": 2, "f": 5}'), ('{"_id": 3, "f": 0}'), ('{"_id": 4, "f": "a"}'), ('{"_id": 5}'), ('{"_id": 6, "f": true}')
----
ok, 0 rows
ok, 6 rows

query
SELECT _id FROM t WHERE (NOT (NOT (_doc->'$.f'))) IS NULL
----
_id
1
5

query
SELECT _id FROM t WHERE (NOT (NOT (_doc->'$.f'))) IS NOT NULL
----
_id
2
3
4
6

query
SELECT _id FROM t WHERE (NOT (NOT (_doc->'$.f'))) = 1
----
_id
2
6

query
SELECT _id FROM t WHERE (NOT (NOT (_doc->'$.f'))) IN (1, 5)
----
_id
2
6

query
SELECT _id FROM t WHERE (NOT (NOT f)) = 1 OR (NOT (NOT f)) IS NULL
----
_id
1
2
5
6

query
SELECT _id FROM t WHERE NOT (NOT (_doc->'$.f'))
----
_id
2
6

exec
CHECK TABLE t
----
ok, 0 rows

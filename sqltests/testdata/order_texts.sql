# What ->> and JSON_VALUE make of values is in the order of the keypath where the counts say that all of them are strings, or numbers that the type holds.
exec
CREATE TABLE t (_id INT PRIMARY KEY, _doc JSON);
INSERT INTO t (_id, _doc) VALUES (1, '{"s":"b","n":10,"d":1.5,"v":"x","m":"10"}'), (2, '{"s":"B","n":9,"d":-3,"v":null,"m":9}'), (3, '{"s":"","n":-1,"d":2e10,"v":"a","m":true}'), (4, '{"s":"é","n":100,"d":0.25,"v":"b","m":null}'), (5, '{"s":"b ","n":9,"d":0.1,"v":"A"}'), (6, '{"s":"a\\"","n":9007199254740993,"d":9007199254740993,"m":"true"}'), (7, '{"s":"b","n":9007199254740992,"d":9007199254740992,"v":null,"m":[1]}'), (8, '{"s":"z","n":0,"d":-0.0,"m":"null"}');
CREATE TABLE ci (_id INT PRIMARY KEY, _doc JSON) COLLATE utf8mb4_0900_ai_ci;
INSERT INTO ci (_id, _doc) VALUES (1, '{"s":"b"}'), (2, '{"s":"A"}'), (3, '{"s":"a"}'), (4, '{"s":"B"}')
----
ok, 0 rows
ok, 8 rows
ok, 0 rows
ok, 4 rows

query
EXPLAIN FORMAT=TREE SELECT _id, _doc->>'$.s' AS x FROM t ORDER BY x, _id LIMIT 3
----
EXPLAIN
-> Limit: 3 rows
    -> Project: t._id, json_unquote(json_extract(t._doc, '$.s')) as x
        -> Project: t._id, t._doc, json_unquote(json_extract(t._doc, '$.s')) as x
            -> Index range scan on t using s
                 range: $.s in all values
                 order: $.s: cost 6.2, sorting costs 9.3
                 ends after: 3
                 keys: about 3 of 8
                 tight
                 cost: 6.2, a full scan costs 8.0

query
SELECT _id, _doc->>'$.s' AS x FROM t ORDER BY x, _id LIMIT 3
----
_id | x
3 |
6 | a"
1 | b

query
SHOW STATUS WHERE Variable_name IN ('sqlfdb_last_keys', 'sqlfdb_last_documents')
----
Variable_name | Value
sqlfdb_last_documents | 3
sqlfdb_last_keys | 3

query
SELECT _id, _doc->>'$.s' FROM t ORDER BY 2 DESC, _id DESC
----
_id | _doc->>'$.s'
8 | z
4 | é
5 | b
2 | B
7 | b
1 | b
6 | a"
3 |

query
SELECT _id, s FROM t WHERE _doc->>'$.s' > 'b' ORDER BY JSON_VALUE(_doc, '$.s') DESC, n LIMIT 3
----
_id | s
8 | z
4 | é
5 | b

query
SELECT _id FROM t ORDER BY _doc->>'$.s' LIMIT 2 OFFSET 3
----
_id
7
2

query
SHOW STATUS WHERE Variable_name IN ('sqlfdb_last_keys', 'sqlfdb_last_documents')
----
Variable_name | Value
sqlfdb_last_documents | 2
sqlfdb_last_keys | 5

# A null in JSON is a text to ->>, and NULL to JSON_VALUE, as a missing value is to both.
query
EXPLAIN FORMAT=TREE SELECT _id FROM t ORDER BY _doc->>'$.v' LIMIT 3
----
EXPLAIN
-> Limit: 3 rows
    -> Project: t._id
        -> Sort: json_unquote(json_extract(t._doc, '$.v')), keep 3
            -> Table scan on t
                 documents: 8, exactly

query
SELECT _id, _doc->>'$.v' FROM t ORDER BY _doc->>'$.v', _id
----
_id | _doc->>'$.v'
6 | NULL
8 | NULL
3 | a
5 | A
4 | b
2 | null
7 | null
1 | x

query
EXPLAIN FORMAT=TREE SELECT _id, JSON_VALUE(_doc, '$.v') FROM t ORDER BY JSON_VALUE(_doc, '$.v'), _id DESC LIMIT 3
----
EXPLAIN
-> Limit: 3 rows
    -> Project: t._id, json_value(t._doc, '$.v')
        -> Sort: json_value(t._doc, '$.v'), t._id DESC, keep 3
            -> Table scan on t
                 documents: 8, exactly

query
SELECT _id, JSON_VALUE(_doc, '$.v') FROM t ORDER BY JSON_VALUE(_doc, '$.v'), _id DESC
----
_id | JSON_VALUE(_doc, '$.v')
8 | NULL
7 | NULL
6 | NULL
2 | NULL
3 | a
5 | A
4 | b
1 | x

query
SELECT _id, JSON_VALUE(_doc, '$.v') FROM t ORDER BY JSON_VALUE(_doc, '$.v') DESC, _id LIMIT 5
----
_id | JSON_VALUE(_doc, '$.v')
1 | x
4 | b
5 | A
3 | a
2 | NULL

# The texts of other values stand among those of strings.
query
SELECT _id, _doc->>'$.m' AS x FROM t ORDER BY x, _id
----
_id | x
5 | NULL
7 | [1]
1 | 10
2 | 9
4 | null
8 | null
3 | true
6 | true

query
SELECT _id, _doc->>'$.n' AS x FROM t ORDER BY x, _id
----
_id | x
3 | -1
8 | 0
1 | 10
4 | 100
2 | 9
5 | 9
7 | 9007199254740992
6 | 9007199254740993

query
EXPLAIN FORMAT=TREE SELECT _id FROM t ORDER BY JSON_VALUE(_doc, '$.n' RETURNING SIGNED) DESC LIMIT 2
----
EXPLAIN
-> Limit: 2 rows
    -> Project: t._id
        -> Index range scan on t using n
             range: $.n in all values
             entries only: no document is read
             order: $.n descending: cost 4.1, sorting costs 8.8
             ends after: 2
             keys: about 2 of 8
             tight
             cost: 4.1, a full scan costs 8.0

query
SELECT _id FROM t ORDER BY JSON_VALUE(_doc, '$.n' RETURNING SIGNED) DESC, _id LIMIT 5
----
_id
6
7
4
1
2

# DOUBLEs that are equal are sorted by what stands behind.
query
EXPLAIN FORMAT=TREE SELECT _id FROM t ORDER BY JSON_VALUE(_doc, '$.d' RETURNING DOUBLE) DESC, _id DESC LIMIT 3
----
EXPLAIN
-> Limit: 3 rows
    -> Project: t._id
        -> Sort within equal json_value(t._doc, '$.d', 0) DESC: json_value(t._doc, '$.d', 0) DESC, t._id DESC
            -> Index range scan on t using d
                 range: $.d in all values
                 order: $.d descending, then sorted within equal values: cost 8.6, sorting costs 9.3
                 keys: about 4 of 8
                 tight
                 cost: 8.6, a full scan costs 8.0

query
SELECT _id FROM t ORDER BY JSON_VALUE(_doc, '$.d' RETURNING DOUBLE) DESC, _id DESC
----
_id
7
6
3
1
4
5
8
2

query
SELECT _id FROM t ORDER BY JSON_VALUE(_doc, '$.d' RETURNING SIGNED), _id DESC
----
_id
2
8
5
4
1
3
7
6

query
SELECT _id FROM t ORDER BY JSON_VALUE(_doc, '$.n' RETURNING UNSIGNED), _id DESC
----
_id
3
8
5
2
1
4
7
6

query
SELECT _id FROM t ORDER BY JSON_VALUE(_doc, '$.s' RETURNING CHAR(1)), _id DESC
----
_id
3
6
7
1
2
5
4
8

# Another collation than the index's.
query
SELECT _id, _doc->>'$.s' AS x FROM ci ORDER BY x, _id
----
_id | x
3 | a
2 | A
1 | b
4 | B

query
SELECT _id, _doc->>'$.s' AS x FROM t ORDER BY _doc->>'$.s' COLLATE utf8mb4_bin, _id
----
_id | x
3 |
2 | B
6 | a"
1 | b
7 | b
5 | b
8 | z
4 | é

query
SELECT MIN(_doc->>'$.s'), MAX(_doc->>'$.s'), MAX(JSON_VALUE(_doc, '$.s')) FROM ci
----
MIN(_doc->>'$.s') | MAX(_doc->>'$.s') | MAX(JSON_VALUE(_doc, '$.s'))
a | B | B

# The least text is the first.
query
EXPLAIN FORMAT=TREE SELECT MIN(_doc->>'$.s'), MAX(_doc->>'$.s') FROM t
----
EXPLAIN
-> Project: min(json_unquote(json_extract(t._doc, '$.s'))), max(json_unquote(json_extract(t._doc, '$.s')))
    -> Aggregate: MAX(json_unquote(json_extract(t._doc, '$.s'))), MIN(json_unquote(json_extract(t._doc, '$.s')))
         executor: interpreted: counters or the ends of entries tell it
        -> First and last index key of t using s
             entries only: no document is read
             keys: about 2 of 8

query
SELECT MIN(_doc->>'$.s'), MAX(_doc->>'$.s'), MAX(JSON_VALUE(_doc, '$.s')) FROM t
----
MIN(_doc->>'$.s') | MAX(_doc->>'$.s') | MAX(JSON_VALUE(_doc, '$.s'))
 | z | z

query
SHOW STATUS WHERE Variable_name IN ('sqlfdb_last_keys', 'sqlfdb_last_documents')
----
Variable_name | Value
sqlfdb_last_documents | 0
sqlfdb_last_keys | 2

query
SELECT MIN(_doc->>'$.v'), MAX(_doc->>'$.v'), MIN(JSON_VALUE(_doc, '$.v')), MAX(JSON_VALUE(_doc, '$.v')) FROM t
----
MIN(_doc->>'$.v') | MAX(_doc->>'$.v') | MIN(JSON_VALUE(_doc, '$.v')) | MAX(JSON_VALUE(_doc, '$.v'))
a | x | a | x

query
SELECT MIN(_doc->>'$.m'), MAX(_doc->>'$.m'), MIN(_doc->'$.m'), COUNT(*) FROM t
----
MIN(_doc->>'$.m') | MAX(_doc->>'$.m') | MIN(_doc->'$.m') | COUNT(*)
[1] | true | null | 8

query
SELECT MIN(_doc->>'$.n'), MAX(_doc->>'$.n'), MAX(_doc->'$.n'), MAX(JSON_VALUE(_doc, '$.n' RETURNING SIGNED)) FROM t
----
MIN(_doc->>'$.n') | MAX(_doc->>'$.n') | MAX(_doc->'$.n') | MAX(JSON_VALUE(_doc, '$.n' RETURNING SIGNED))
-1 | 9007199254740993 | 9007199254740993 | 9007199254740993

query
SELECT MIN(_doc->>'$.s') FROM t WHERE n > 9
----
MIN(_doc->>'$.s')
a"

query
SELECT MIN(_doc->>'$.v') FROM t WHERE _doc->>'$.v' > 'a'
----
MIN(_doc->>'$.v')
A

query
SELECT MAX(JSON_VALUE(_doc, '$.d' RETURNING DOUBLE)), MIN(JSON_VALUE(_doc, '$.d' RETURNING SIGNED)) FROM t WHERE n < 50
----
MAX(JSON_VALUE(_doc, '$.d' RETURNING DOUBLE)) | MIN(JSON_VALUE(_doc, '$.d' RETURNING SIGNED))
2e+10 | -3

# DISTINCT by what is selected, as by its position.
query
EXPLAIN FORMAT=TREE SELECT DISTINCT _doc->>'$.s' FROM t ORDER BY _doc->>'$.s' DESC LIMIT 3
----
EXPLAIN
-> Limit: 3 rows
    -> Remove duplicates
        -> Project: json_unquote(json_extract(t._doc, '$.s')) as _doc ->> '$.s'
            -> Project: t._id, t._doc, json_unquote(json_extract(t._doc, '$.s')) as _doc ->> '$.s'
                -> Distinct values of t using s
                     entries only: no document is read
                     in the order of its values descending
                     keys: about 8 of 8

query
SELECT DISTINCT _doc->>'$.s' FROM t ORDER BY _doc->>'$.s' DESC LIMIT 3
----
_doc->>'$.s'
z
é
b

query
SELECT DISTINCT _doc->>'$.s', n > 9 FROM t ORDER BY n > 9, _doc->>'$.s' LIMIT 4
----
_doc->>'$.s' | n > 9
 | 0
B | 0
b  | 0
z | 0

query
SELECT DISTINCT JSON_VALUE(_doc, '$.v') AS v FROM t ORDER BY JSON_VALUE(_doc, '$.v')
----
v
NULL
a
A
b
x

query
SELECT _doc->>'$.s', COUNT(*) FROM t GROUP BY _doc->>'$.s' ORDER BY _doc->>'$.s' LIMIT 3
----
_doc->>'$.s' | COUNT(*)
 | 1
a" | 1
b | 2

query
EXPLAIN FORMAT=TREE SELECT _doc->>'$.s', COUNT(*) FROM t GROUP BY _doc->>'$.s' ORDER BY _doc->>'$.s' LIMIT 3
----
EXPLAIN
-> Limit: 3 rows
    -> Project: json_unquote(json_extract(t._doc, '$.s')), count(1)
        -> Group: by json_unquote(json_extract(t._doc, '$.s')): COUNT(1), t._doc
             executor: interpreted: groups come in order
            -> Values and their counts of t using s
                 entries only: no document is read
                 in the order of its values
                 keys: about 8 of 8

exec
CHECK TABLE t, ci
----
ok, 0 rows

# Aggregates of a path into documents that is no column read its entries: EXPLAIN tells it, and the answers with the index and without are the same.

exec
CREATE TABLE t (_id VARCHAR(255) PRIMARY KEY, _doc JSON);
INSERT INTO t (_doc) VALUES ('{"_id":"1","a":{"b":"x"},"n":1,"f":1.50,"z":0,"m":1}'),('{"_id":"2","a":{"b":"x"},"n":7,"f":1.5,"z":-0,"m":"1"}'),('{"_id":"3","a":{"b":"\\u0078"},"n":7,"f":2,"z":0,"m":[1]}'),('{"_id":"4","a":{"b":null},"n":null,"f":null,"m":null}'),('{"_id":"5","a":[{"b":"y"}],"m":true}'),('{"_id":"6","a":"y","n":12,"m":{"c":2}}'),('{"_id":"7","a":{"b":"X"},"n":-3,"m":"null"}');
CREATE TABLE e (_id INT PRIMARY KEY, _doc JSON);
INSERT INTO e VALUES (1, '{"m":1.0}'), (2, '{"m":1}'), (3, '{"m":"x"}'), (4, '{"m":"\\u0078"}')
----
ok, 0 rows
ok, 7 rows
ok, 0 rows
ok, 4 rows

query
EXPLAIN FORMAT=TREE SELECT _doc->>'$.a.b' AS x, COUNT(*) FROM t GROUP BY x
----
EXPLAIN
-> Project: json_unquote(json_extract(t._doc, '$.a.b')) as x, count(1)
    -> Group: by json_unquote(json_extract(t._doc, '$.a.b')) as x: COUNT(1), t._doc
         executor: interpreted: read within documents
        -> Values and their counts of t using a.b
             entries only: no document is read
             keys: about 5 of 5

query
SELECT _doc->>'$.a.b' AS x, COUNT(*) FROM t GROUP BY x ORDER BY x
----
x | COUNT(*)
NULL | 2
null | 1
x | 3
X | 1

query
SELECT _doc->'$.a.b' AS x, COUNT(*) FROM t GROUP BY x ORDER BY x
----
x | COUNT(*)
NULL | 2
null | 1
"x" | 3
"X" | 1

query
EXPLAIN FORMAT=TREE SELECT _doc->'$.a.b' AS x, COUNT(*) FROM t GROUP BY x ORDER BY x DESC LIMIT 2
----
EXPLAIN
-> Limit: 2 rows
    -> Project: json_extract(t._doc, '$.a.b') as x, count(1)
        -> Project: count(1), t._doc, json_extract(t._doc, '$.a.b') as x
            -> Group: by json_extract(t._doc, '$.a.b') as x: COUNT(1), t._doc
                 executor: interpreted: groups come in order
                -> Values and their counts of t using a.b
                     in the order of its values descending
                     documents: about 5 of 5

query
SELECT _doc->'$.a.b' AS x, COUNT(*) FROM t GROUP BY x ORDER BY x DESC LIMIT 2
----
x | COUNT(*)
"X" | 1
"x" | 3

query
SELECT JSON_VALUE(_doc, '$.a.b') AS x, COUNT(*), COUNT(JSON_VALUE(_doc, '$.a.b')) FROM t GROUP BY x ORDER BY x
----
x | COUNT(*) | COUNT(JSON_VALUE(_doc, '$.a.b'))
NULL | 3 | 0
x | 3 | 3
X | 1 | 1

query
EXPLAIN FORMAT=TREE SELECT JSON_UNQUOTE(JSON_EXTRACT(_doc, '$.n')) AS x, CONCAT(JSON_UNQUOTE(JSON_EXTRACT(_doc, '$.n')), '!') AS y, MAX(_doc->'$.n') FROM t WHERE _doc->'$.n' > 0 GROUP BY x HAVING COUNT(*) > 1
----
EXPLAIN
-> Project: json_unquote(json_extract(t._doc, '$.n')) as x, concat(json_unquote(json_extract(t._doc, '$.n')),'!') as y, max(json_extract(t._doc, '$.n'))
    -> Filter groups: (count(1) > 1)
        -> Project: count(1), max(json_extract(t._doc, '$.n')), t._doc, json_unquote(json_extract(t._doc, '$.n')) as x, concat(json_unquote(json_extract(t._doc, '$.n')),'!') as y
            -> Group: by json_unquote(json_extract(t._doc, '$.n')) as x: COUNT(1), MAX(json_extract(t._doc, '$.n')), t._doc
                 executor: interpreted: read within documents
                -> Values and their counts of t using n
                     range: $.n in (0, +∞), strings, objects, arrays, booleans
                     keys: 4 counted of 5
                     tight
                     cost: 0.2, a full scan costs 7.0

query
SELECT JSON_UNQUOTE(JSON_EXTRACT(_doc, '$.n')) AS x, CONCAT(JSON_UNQUOTE(JSON_EXTRACT(_doc, '$.n')), '!') AS y, MAX(_doc->'$.n') FROM t WHERE _doc->'$.n' > 0 GROUP BY x HAVING COUNT(*) > 1
----
x | y | MAX(_doc->'$.n')
7 | 7! | 7

query
EXPLAIN FORMAT=TREE SELECT COUNT(DISTINCT _doc->>'$.a.b'), COUNT(DISTINCT _doc->'$.a.b'), COUNT(_doc->'$.a.b'), COUNT(*) FROM t
----
EXPLAIN
-> Project: countdistinct([json_unquote(json_extract(t._doc, '$.a.b'))]), countdistinct([json_extract(t._doc, '$.a.b')]), count(json_extract(t._doc, '$.a.b')), count(1)
    -> Aggregate: COUNT(1), COUNT(json_extract(t._doc, '$.a.b')), COUNTDISTINCT([json_extract(t._doc, '$.a.b')]), COUNTDISTINCT([json_unquote(json_extract(t._doc, '$.a.b'))])
         executor: interpreted: read within documents
        -> Values and their counts of t using a.b
             entries only: no document is read
             keys: about 5 of 5

query
SELECT COUNT(DISTINCT _doc->>'$.a.b'), COUNT(DISTINCT _doc->'$.a.b'), COUNT(_doc->'$.a.b'), COUNT(*) FROM t
----
COUNT(DISTINCT _doc->>'$.a.b') | COUNT(DISTINCT _doc->'$.a.b') | COUNT(_doc->'$.a.b') | COUNT(*)
3 | 3 | 5 | 7

# null in JSON is a value to -> and ->>, and NULL to JSON_VALUE.

query
EXPLAIN FORMAT=TREE SELECT COUNT(_doc->'$.n'), COUNT(_doc->>'$.n') FROM t
----
EXPLAIN
-> Project: count(json_extract(t._doc, '$.n')), count(json_unquote(json_extract(t._doc, '$.n')))
    -> Aggregate: COUNT(json_extract(t._doc, '$.n')), COUNT(json_unquote(json_extract(t._doc, '$.n')))
         executor: interpreted: counters or the ends of entries tell it
        -> Counters of t using n
             entries only: no document is read

query
SELECT COUNT(_doc->'$.n'), COUNT(_doc->>'$.n') FROM t
----
COUNT(_doc->'$.n') | COUNT(_doc->>'$.n')
6 | 6

query
EXPLAIN FORMAT=TREE SELECT COUNT(JSON_VALUE(_doc, '$.n')) FROM t
----
EXPLAIN
-> Project: count(json_value(t._doc, '$.n'))
    -> Aggregate: COUNT(json_value(t._doc, '$.n'))
         executor: interpreted: read within documents
        -> Values and their counts of t using n
             documents: about 6 of 6

query
SELECT COUNT(JSON_VALUE(_doc, '$.n')) FROM t
----
COUNT(JSON_VALUE(_doc, '$.n'))
5

query
EXPLAIN FORMAT=TREE SELECT MIN(_doc->'$.n'), MAX(_doc->'$.n') FROM t
----
EXPLAIN
-> Project: min(json_extract(t._doc, '$.n')), max(json_extract(t._doc, '$.n'))
    -> Aggregate: MAX(json_extract(t._doc, '$.n')), MIN(json_extract(t._doc, '$.n'))
         executor: interpreted: counters or the ends of entries tell it
        -> First and last index key of t using n
             documents: about 2 of 6

query
SELECT MIN(_doc->'$.n'), MAX(_doc->'$.n') FROM t
----
MIN(_doc->'$.n') | MAX(_doc->'$.n')
null | 12

query
SELECT MIN(_doc->'$.n'), MAX(_doc->'$.n'), COUNT(*) FROM t WHERE _doc->'$.n' >= 1
----
MIN(_doc->'$.n') | MAX(_doc->'$.n') | COUNT(*)
1 | 12 | 4

query
EXPLAIN FORMAT=TREE SELECT SUM(_doc->'$.n'), AVG(_doc->'$.n'), SUM(_doc->>'$.n') FROM t
----
EXPLAIN
-> Project: sum(json_extract(t._doc, '$.n')), avg(json_extract(t._doc, '$.n')), sum(json_unquote(json_extract(t._doc, '$.n')))
    -> Aggregate: AVG(json_extract(t._doc, '$.n')), SUM(json_extract(t._doc, '$.n')), SUM(json_unquote(json_extract(t._doc, '$.n')))
         executor: interpreted: read within documents
        -> Values and their counts of t using n
             entries only: no document is read
             keys: about 6 of 6

query
SELECT SUM(_doc->'$.n'), AVG(_doc->'$.n'), SUM(_doc->>'$.n') FROM t
----
SUM(_doc->'$.n') | AVG(_doc->'$.n') | SUM(_doc->>'$.n')
24 | 4 | 24

query
EXPLAIN FORMAT=TREE SELECT SUM(_doc->>'$.f') FROM t
----
EXPLAIN
-> Project: sum(json_unquote(json_extract(t._doc, '$.f')))
    -> Aggregate: SUM(json_unquote(json_extract(t._doc, '$.f')))
         executor: interpreted: read within documents
        -> Values and their counts of t using f
             entries only: no document is read
             keys: about 4 of 4

query
SELECT SUM(_doc->>'$.f'), SUM(_doc->'$.f') FROM t
----
SUM(_doc->>'$.f') | SUM(_doc->'$.f')
5 | 5

# Numbers that are equal may be written in several ways, which the text of them tells apart: documents are read. An integer
# written as such has one text, but for 0, which may be -0: its documents are read one by one.

query
EXPLAIN FORMAT=TREE SELECT _doc->>'$.f' AS x, COUNT(*) FROM t GROUP BY x
----
EXPLAIN
-> Project: json_unquote(json_extract(t._doc, '$.f')) as x, count(1)
    -> Group: by json_unquote(json_extract(t._doc, '$.f')) as x: COUNT(1), t._doc
         executor: interpreted: few rows
        -> Table scan on t
             documents: 7, exactly

query
SELECT _doc->>'$.f' AS x, COUNT(*) FROM t GROUP BY x ORDER BY x
----
x | COUNT(*)
NULL | 3
1.5 | 1
1.50 | 1
2 | 1
null | 1

query
SELECT _doc->'$.f' AS x, COUNT(*) FROM t GROUP BY x ORDER BY x
----
x | COUNT(*)
NULL | 3
null | 1
1.50 | 2
2 | 1

query
EXPLAIN FORMAT=TREE SELECT _doc->>'$.z' AS x, COUNT(*) FROM t GROUP BY x
----
EXPLAIN
-> Project: json_unquote(json_extract(t._doc, '$.z')) as x, count(1)
    -> Group: by json_unquote(json_extract(t._doc, '$.z')) as x: COUNT(1), t._doc
         executor: interpreted: read within documents
        -> Values and their counts of t using z
             documents: about 3 of 3

query
SELECT _doc->>'$.z' AS x, COUNT(*) FROM t GROUP BY x ORDER BY x
----
x | COUNT(*)
NULL | 4
-0 | 1
0 | 2

query
EXPLAIN FORMAT=TREE SELECT DISTINCT _doc->>'$.a.b' AS x FROM t ORDER BY x
----
EXPLAIN
-> Remove duplicates
    -> Project: json_unquote(json_extract(t._doc, '$.a.b')) as x
        -> Sort: x
            -> Project: t._id, t._doc, json_unquote(json_extract(t._doc, '$.a.b')) as x
                -> Distinct values of t using a.b
                     entries only: no document is read
                     keys: about 5 of 5

query
SELECT DISTINCT _doc->>'$.a.b' AS x FROM t ORDER BY x
----
x
NULL
null
x
X

query
EXPLAIN FORMAT=TREE SELECT DISTINCT JSON_VALUE(_doc, '$.a.b') FROM t
----
EXPLAIN
-> Remove duplicates
    -> Project: json_value(t._doc, '$.a.b')
        -> Distinct values of t using a.b
             entries only: no document is read
             keys: about 5 of 5

query
SELECT DISTINCT JSON_VALUE(_doc, '$.n' RETURNING SIGNED) AS x FROM t ORDER BY x
----
x
NULL
-3
1
7
12

# What objects and arrays hold is in the documents.

query
SELECT _doc->'$.m' AS x, COUNT(*) FROM t GROUP BY x ORDER BY x
----
x | COUNT(*)
null | 1
1 | 1
"1" | 1
"null" | 1
{"c":2} | 1
[1] | 1
true | 1

# A condition on another keypath: the keys that it leads to are looked for among those of the path.

query
SELECT _doc->>'$.a.b' AS x, COUNT(*) FROM t WHERE n = 7 GROUP BY x
----
x | COUNT(*)
x | 2

# These ask for more than one path leads to, and read documents.

query
EXPLAIN FORMAT=TREE SELECT _doc->>'$.a.b' AS x, COUNT(_doc->'$.n') FROM t GROUP BY x
----
EXPLAIN
-> Project: json_unquote(json_extract(t._doc, '$.a.b')) as x, count(json_extract(t._doc, '$.n'))
    -> Group: by json_unquote(json_extract(t._doc, '$.a.b')) as x: COUNT(json_extract(t._doc, '$.n')), t._doc
         executor: interpreted: few rows
        -> Table scan on t
             documents: 7, exactly

query
EXPLAIN FORMAT=TREE SELECT _doc->'$.a[0].b' AS x, COUNT(*) FROM t GROUP BY x
----
EXPLAIN
-> Project: json_extract(t._doc, '$.a[0].b') as x, count(1)
    -> Group: by json_extract(t._doc, '$.a[0].b') as x: COUNT(1), t._doc
         executor: interpreted: few rows
        -> Table scan on t
             documents: 7, exactly

query
EXPLAIN FORMAT=TREE SELECT CONCAT(_doc->'$.a.b', '!') AS x, COUNT(*) FROM t GROUP BY x
----
EXPLAIN
-> Project: concat(json_extract(t._doc, '$.a.b'),'!') as x, count(1)
    -> Group: by concat(json_extract(t._doc, '$.a.b'),'!') as x: COUNT(1), t._doc
         executor: interpreted: few rows
        -> Table scan on t
             documents: 7, exactly

query
EXPLAIN FORMAT=TREE SELECT _doc->>'$.a.b' AS x, MAX(JSON_LENGTH(_doc)) FROM t GROUP BY x
----
EXPLAIN
-> Project: json_unquote(json_extract(t._doc, '$.a.b')) as x, max(json_length(t._doc))
    -> Group: by json_unquote(json_extract(t._doc, '$.a.b')) as x: MAX(json_length(t._doc)), t._doc
         executor: interpreted: few rows
        -> Table scan on t
             documents: 7, exactly

# In descending order too the first document of equal values is shown.

query
SELECT m, COUNT(*) FROM (SELECT _doc->'$.f' m FROM t) v GROUP BY m ORDER BY m DESC
----
m | COUNT(*)
2 | 1
1.50 | 2
null | 1
NULL | 3

query
SELECT m, COUNT(*) FROM e GROUP BY m ORDER BY m DESC
----
m | COUNT(*)
"x" | 2
1.0 | 2

# A path of a declared column of JSON.

exec
CREATE TABLE c (id INT PRIMARY KEY, doc JSON, k VARCHAR(10));
INSERT INTO c VALUES (1, '{"a":{"b":5}}', 'x'), (2, '{"a":{"b":5}}', 'y'), (3, '{"a":5}', 'x'), (4, NULL, 'x'), (5, '{"a":{"b":null}}', 'y'), (6, '{"a":{"b":"5"}}', 'y')
----
ok, 0 rows
ok, 6 rows

query
EXPLAIN FORMAT=TREE SELECT doc->>'$.a.b' AS x, COUNT(*) FROM c GROUP BY x
----
EXPLAIN
-> Project: json_unquote(json_extract(c.doc, '$.a.b')) as x, count(1)
    -> Group: by json_unquote(json_extract(c.doc, '$.a.b')) as x: COUNT(1), c.doc
         executor: interpreted: read within documents
        -> Values and their counts of c using doc.a.b
             documents: about 4 of 4

query
SELECT doc->>'$.a.b' AS x, COUNT(*) FROM c GROUP BY x ORDER BY x
----
x | COUNT(*)
NULL | 2
5 | 3
null | 1

query
SELECT doc->'$.a.b' AS x, COUNT(*) FROM c GROUP BY x ORDER BY x
----
x | COUNT(*)
NULL | 2
null | 1
5 | 2
"5" | 1

query
CHECK TABLE t, c, e
----
Table | Op | Msg_type | Msg_text
d.t | check | status | OK
d.c | check | status | OK
d.e | check | status | OK

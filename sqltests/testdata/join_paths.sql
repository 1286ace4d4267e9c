# Joins by what a JSON path of the looked-up side leads to.

exec
CREATE TABLE o (_id VARCHAR(255) PRIMARY KEY, _doc JSON);
CREATE TABLE t (_id VARCHAR(255) PRIMARY KEY, _doc JSON);
INSERT INTO t (_id, _doc) WITH RECURSIVE s AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM s WHERE i < 900) SELECT CONCAT('f', i), JSON_OBJECT('a', JSON_OBJECT('b', 1000 + i)) FROM s;
INSERT INTO t (_id, _doc) VALUES ('n5', '{"a":{"b":5}}'), ('n50', '{"a":{"b":5.0}}'), ('s5', '{"a":{"b":"5"}}'), ('s05', '{"a":{"b":" 05"}}'), ('x', '{"a":{"b":"x"}}'), ('X', '{"a":{"b":"X"}}'), ('true', '{"a":{"b":true}}'), ('null', '{"a":{"b":null}}'), ('none', '{"a":{}}'), ('object', '{"a":{"b":{"c":5}}}'), ('array', '{"a":{"b":[5]}}'), ('r', '{"a":{"b":5.4}}');
INSERT INTO o (_id, _doc) VALUES ('1', '{"n":5,"s":"5","j":5}'), ('2', '{"n":7,"s":"x","j":"x"}'), ('3', '{"n":null,"s":null,"j":null}'), ('4', '{"n":1003,"s":"true","j":true}'), ('5', '{"n":0,"s":"null","j":{"c":5}}');
----
ok, 0 rows
ok, 0 rows
ok, 900 rows
ok, 12 rows
ok, 5 rows

query
SELECT o._id, t._id FROM o JOIN t ON t._doc->'$.a.b' = o.n ORDER BY 1, 2
----
_id | _id
1 | n5
1 | n50
4 | f3

query
SELECT o._id, t._id FROM o JOIN t ON o.s = t._doc->'$.a.b' ORDER BY 1, 2
----
_id | _id
1 | s5
2 | x

query
SELECT o._id, t._id FROM o JOIN t ON JSON_EXTRACT(t._doc, '$.a.b') = o.j ORDER BY 1, 2
----
_id | _id
1 | n5
1 | n50
2 | x
4 | true
5 | object

query
SELECT o._id, t._id FROM o JOIN t ON t._doc->>'$.a.b' = o.s ORDER BY 1, 2
----
_id | _id
1 | n5
1 | s5
2 | x
4 | true
5 | null

query
SELECT o._id, t._id FROM o JOIN t ON t._doc->>'$.a.b' = o.n ORDER BY 1, 2
----
_id | _id
1 | n5
1 | n50
1 | s05
1 | s5
4 | f3
5 | X
5 | array
5 | null
5 | object
5 | true
5 | x

query
SELECT o._id, t._id FROM o JOIN t ON JSON_UNQUOTE(JSON_EXTRACT(t._doc, '$.a.b')) = o.j ORDER BY 1, 2
----
_id | _id
2 | x

query
SELECT o._id, t._id FROM o JOIN t ON JSON_VALUE(t._doc, '$.a.b') = o.s ORDER BY 1, 2
----
_id | _id
1 | n5
1 | s5
2 | x
4 | true

query
SELECT o._id, t._id FROM o JOIN t ON JSON_VALUE(t._doc, '$.a.b' RETURNING SIGNED) = o.n ORDER BY 1, 2
----
_id | _id
1 | n5
1 | n50
1 | r
1 | s05
1 | s5
4 | f3

query
SELECT o._id, t._id FROM o JOIN t ON o.n = JSON_VALUE(t._doc, '$.a.b' RETURNING DECIMAL(10,1)) ORDER BY 1, 2
----
_id | _id
1 | n5
1 | n50
1 | s05
1 | s5
4 | f3

query
SELECT o._id, t._id FROM o JOIN t ON o.s = JSON_VALUE(t._doc, '$.a.b' RETURNING CHAR(3)) ORDER BY 1, 2
----
_id | _id
1 | n5
1 | s5
2 | x
4 | true

query
SELECT o._id, t._id FROM o JOIN t ON o.j = JSON_VALUE(t._doc, '$.a.b' RETURNING JSON) ORDER BY 1, 2
----
_id | _id
1 | n5
1 | n50
2 | x
4 | true
5 | object

query
SELECT o._id, t._id FROM o LEFT JOIN t ON o.n = t._doc->'$.a.b' AND t._id > 'n' ORDER BY 1, 2
----
_id | _id
1 | n5
1 | n50
2 | NULL
3 | NULL
4 | NULL
5 | NULL

query
SELECT o._id, t._id FROM o LEFT JOIN t ON t._doc->'$.a.b' <=> o.j ORDER BY 1, 2
----
_id | _id
1 | n5
1 | n50
2 | x
3 | none
4 | true
5 | object

query
SELECT o._id, t._id FROM o LEFT JOIN t ON t._doc->>'$.a.b' <=> o.s ORDER BY 1, 2
----
_id | _id
1 | n5
1 | s5
2 | x
3 | none
4 | true
5 | null

query
SELECT o._id, t._id FROM o JOIN t ON t._doc->'$.a.b' <=> o.n OR t.`a.b` <=> o.j ORDER BY 1, 2
----
_id | _id
1 | n5
1 | n50
2 | x
3 | none
3 | null
4 | f3
4 | true
5 | object

query
SELECT o._id, COUNT(*) FROM o JOIN t ON t._doc->'$.a.b' > o.n AND t._doc->'$.a.b' < o.n + 3 GROUP BY o._id ORDER BY 1
----
_id | COUNT(*)
1 | 1
4 | 2

query
SELECT _id FROM o WHERE EXISTS (SELECT 1 FROM t WHERE t._doc->'$.a.b' = o.n) ORDER BY 1
----
_id
1
4

query
SELECT _id FROM o WHERE NOT EXISTS (SELECT 1 FROM t WHERE t._doc->>'$.a.b' = o.s) ORDER BY 1
----
_id
3

query
SELECT _id FROM o WHERE n IN (SELECT JSON_VALUE(t._doc, '$.a.b') FROM t) ORDER BY 1
----
_id
1
4
5

query
SELECT _id FROM o WHERE s NOT IN (SELECT t._doc->>'$.a.b' FROM t WHERE t._doc->>'$.a.b' IS NOT NULL) ORDER BY 1
----
_id

query
SELECT t._id FROM t WHERE JSON_VALUE(_doc, '$.a.b' RETURNING SIGNED) = 5 ORDER BY 1
----
_id
n5
n50
r
s05
s5

query
SELECT t._id FROM t WHERE JSON_VALUE(_doc, '$.a.b' RETURNING SIGNED) IS NULL ORDER BY 1
----
_id
X
array
none
null
object
x

query
EXPLAIN FORMAT=TREE SELECT o._id, t._id FROM o JOIN t ON t._doc->'$.a.b' = o.n
----
EXPLAIN
-> Project: o._id, t._id
    -> Join, inner, lookup: (json_extract(t._doc, '$.a.b') = o.n)
        -> Index range scan on o using n
             range: `n` in all values
             entries only: no document is read
             keys: 5 counted of 5; 0 documents lack the keypath
             tight
             cost: 0.2, a full scan costs 5.0
        -> Look up in batches: t: `a.b` = o.n
             for about 5 rows, documents for each: about 1.0
             cost: 19.6
             documents: about 5 of 912
             lost: the whole side, hashed: cost 1369.0

query
EXPLAIN FORMAT=TREE SELECT o._id, t._id FROM o LEFT JOIN t ON o.s = t._doc->>'$.a.b'
----
EXPLAIN
-> Project: o._id, t._id
    -> Join, left, lookup: (o.s = json_unquote(json_extract(t._doc, '$.a.b')))
        -> Index range scan on o using s
             range: `s` in all values
             entries only: no document is read
             keys: 5 counted of 5; 0 documents lack the keypath
             tight
             cost: 0.2, a full scan costs 5.0
        -> Look up in batches: t: `a.b` = o.s
             for about 5 rows, documents for each: about 1.0
             cost: 19.6
             documents: about 5 of 912
             lost: the whole side, hashed: cost 1369.0

query
EXPLAIN FORMAT=TREE SELECT o._id, t._id FROM o JOIN t ON JSON_VALUE(t._doc, '$.a.b' RETURNING SIGNED) = o.n
----
EXPLAIN
-> Project: o._id, t._id
    -> Join, inner, lookup: (json_value(t._doc, '$.a.b', 0) = o.n)
        -> Index range scan on o using n
             range: `n` in all values
             entries only: no document is read
             keys: 5 counted of 5; 0 documents lack the keypath
             tight
             cost: 0.2, a full scan costs 5.0
        -> Look up in batches: t: `a.b` = o.n
             for about 5 rows, documents for each: about 5.0
             cost: 63.5
             documents: about 25 of 912
             lost: the whole side, hashed: cost 1369.0

query
EXPLAIN FORMAT=TREE SELECT _id FROM o WHERE EXISTS (SELECT 1 FROM t WHERE JSON_VALUE(t._doc, '$.a.b') = o.s)
----
EXPLAIN
-> Project: o._id
    -> Join, semi, lookup: (json_value(t._doc, '$.a.b') = o.s)
        -> Index range scan on o using s
             range: `s` in all values
             entries only: no document is read
             keys: 5 counted of 5; 0 documents lack the keypath
             tight
             cost: 0.2, a full scan costs 5.0
        -> Look up in batches: t: `a.b` = o.s
             for about 5 rows, documents for each: about 1.0
             cost: 19.6
             documents: about 5 of 912
             lost: the whole side, hashed: cost 1369.0

query
EXPLAIN SELECT o._id, t._id FROM o JOIN t ON t._doc->'$.a.b' = o.n
----
id | select_type | table | partitions | type | possible_keys | key | key_len | ref | rows | filtered | Extra
1 | SIMPLE | o | NULL | range | n | n | NULL | NULL | 5 | 100 | Using index
1 | SIMPLE | t | NULL | ref | NULL | a.b | NULL | o.n | 5 | 100 |

query
CHECK TABLE t
----
Table | Op | Msg_type | Msg_text
d.t | check | status | OK

# ANY, SOME and ALL of a subquery; the names and parameters in a WITH before a UNION;
# GROUP_CONCAT of several arguments.

exec
CREATE TABLE a (_id VARCHAR(255) PRIMARY KEY, n INT, d DECIMAL(6,2), s VARCHAR(20), _doc JSON);
CREATE TABLE b (_id VARCHAR(255) PRIMARY KEY, n INT, s VARCHAR(20), _doc JSON);
INSERT INTO a (_doc) VALUES ('{"_id":"1","n":1,"d":"1.5","s":"x","k":"p","v":1}'), ('{"_id":"2","n":2,"d":"2.5","s":"y","k":"p","v":"2"}'), ('{"_id":"3","n":3,"s":"Z","k":"q","v":3.0}'), ('{"_id":"4","k":"q"}');
INSERT INTO b (_doc) VALUES ('{"_id":"b1","n":2,"s":"y","v":2}'), ('{"_id":"b2","n":3,"s":"z","v":3}'), ('{"_id":"b3","v":null}');
----
ok, 0 rows
ok, 0 rows
ok, 4 rows
ok, 3 rows

query
SELECT _id FROM a WHERE n = ANY (SELECT n FROM b)
----
_id
2
3

query
SELECT _id, n = SOME (SELECT n FROM b) AS e, n <> ALL (SELECT n FROM b) AS ne, n <> ALL (SELECT n FROM b WHERE n IS NOT NULL) AS ne2 FROM a
----
_id | e | ne | ne2
1 | NULL | NULL | 1
2 | 1 | 0 | 0
3 | 1 | 0 | 0
4 | NULL | NULL | NULL

query
SELECT _id, n > ANY (SELECT n FROM b) AS g, n > ANY (SELECT n FROM b WHERE n > 0) AS g2, n >= ALL (SELECT n FROM b) AS l, n >= ALL (SELECT n FROM b WHERE n > 0) AS l2 FROM a
----
_id | g | g2 | l | l2
1 | NULL | 0 | 0 | 0
2 | NULL | 0 | 0 | 0
3 | 1 | 1 | NULL | 1
4 | NULL | NULL | NULL | NULL

query
SELECT _id, n < ANY (SELECT n FROM b) AS g, n < SOME (SELECT n FROM b WHERE n > 0) AS g2, n <= ALL (SELECT n FROM b) AS l, n <= ALL (SELECT n FROM b WHERE n > 0) AS l2 FROM a
----
_id | g | g2 | l | l2
1 | 1 | 1 | NULL | 1
2 | 1 | 1 | NULL | 1
3 | NULL | 0 | 0 | 0
4 | NULL | NULL | NULL | NULL

# Of no values ALL is true and ANY is false, of NULL too.
query
SELECT _id, n > ALL (SELECT n FROM b WHERE n > 9) AS a, n > ANY (SELECT n FROM b WHERE n > 9) AS b, n = ANY (SELECT n FROM b WHERE n > 9) AS c, n <> ALL (SELECT n FROM b WHERE n > 9) AS d, n = ALL (SELECT n FROM b WHERE n > 9) AS e, n <> ANY (SELECT n FROM b WHERE n > 9) AS f FROM a WHERE _id IN ('1', '4')
----
_id | a | b | c | d | e | f
1 | 1 | 0 | 0 | 1 | 1 | 0
4 | 1 | 0 | 0 | 1 | 1 | 0

query
SELECT _id, n = ALL (SELECT n FROM b WHERE n = 2) AS a, n = ALL (SELECT n FROM b WHERE n > 0) AS b, n = ALL (SELECT n FROM b) AS c, n <> ANY (SELECT n FROM b WHERE n = 2) AS d, n != SOME (SELECT n FROM b WHERE n > 0) AS e, n <> ANY (SELECT n FROM b) AS f FROM a
----
_id | a | b | c | d | e | f
1 | 0 | 0 | 0 | 1 | 1 | 1
2 | 1 | 0 | 0 | 0 | 1 | 1
3 | 0 | 0 | 0 | 1 | 1 | 1
4 | NULL | NULL | NULL | NULL | NULL | NULL

# Decimals with integers, strings in the column's collation, JSON, and mixed.
query
SELECT _id, d > ALL (SELECT n - 0.5 FROM b WHERE n < 3) AS d, s >= ALL (SELECT s FROM b WHERE s > '') AS s, v >= ANY (SELECT v FROM b) AS v, v > ALL (SELECT n FROM b WHERE n = 2) AS m FROM a
----
_id | d | s | v | m
1 | 0 | 0 | NULL | 0
2 | 1 | 0 | 1 | 1
3 | NULL | 1 | 1 | 1
4 | NULL | NULL | NULL | NULL

query
SELECT _id FROM a WHERE 2.50 > ALL (SELECT n FROM b WHERE n = 2) AND n > ALL (SELECT n - 1 FROM b WHERE b.n = a.n)
----
_id
1
2
3
4

query
SELECT _id FROM a WHERE NOT n > ANY (SELECT n FROM b WHERE n > 0) OR n = ANY ((SELECT 3 UNION SELECT 4))
----
_id
1
2
3

query
SELECT _id FROM a WHERE n >= ANY (WITH c AS (SELECT n FROM b WHERE n > 0) SELECT n FROM c) AND _id < ALL (SELECT _id FROM b)
----
_id
2
3

query
SELECT (n, s) = ANY (SELECT n, s FROM b WHERE n > 0) AS p FROM a
----
p
0
1
0
NULL

query
SELECT _id FROM a WHERE (n, s) > ANY (SELECT n, s FROM b)
----
ERROR 1241 (21000): operand should have 1 columns, but has 2

query
SELECT _id FROM a WHERE n > ALL (SELECT n, s FROM b)
----
ERROR 1241 (21000): operand should have 1 columns, but has 2

prepared
: 1
: 2
SELECT _id FROM a WHERE n + ? > ALL (SELECT n FROM b WHERE n <= ?)
----
_id
2
3

prepared
: 2
SELECT _id FROM a WHERE n = ANY (SELECT n FROM b WHERE n = ?)
----
_id
2

exec
CREATE VIEW w AS SELECT _id FROM a WHERE n > ANY (SELECT n FROM b WHERE n > 0);
UPDATE a SET n = n + 10 WHERE n > ANY (SELECT n FROM b WHERE n > 0);
UPDATE a SET n = n - 10 WHERE n > ALL (SELECT n FROM b WHERE n > 0);
DELETE FROM a WHERE n < ALL (SELECT n FROM b WHERE n < 0) AND _id = 'none';
----
ok, 0 rows
ok, 1 rows
ok, 1 rows
ok, 0 rows

query
SELECT * FROM w
----
_id
3

query
EXPLAIN FORMAT=TREE SELECT _id FROM a WHERE n > ANY (SELECT n FROM b WHERE n > 0) AND n <> ALL (SELECT n FROM b WHERE n > 2)
----
EXPLAIN
-> Project: a._id
    -> Filter: ((a.n > ANY (subquery)) AND (NOT((a.n IN (subquery)))))
        -> Table scan on a
             documents: 4, exactly
             residual: (a.n > ANY (subquery)) AND (NOT((a.n IN (subquery))))
             lost: `n` in all values, keys: 3 counted of 3; 1 documents lack the keypath: unusable: 1 documents lack the keypath and have no entry
             no range: (a.n > ANY (subquery)): (a.n > ANY (subquery)) is computed
             no range: (NOT((a.n IN (subquery)))): (a.n IN (subquery)) is computed
        -> Subquery #2
            -> Project: b.n
                -> Index range scan on b using n
                     range: `n` in (0, +∞)
                     entries only: no document is read
                     keys: 2 counted of 2
                     tight
                     cost: 0.1, a full scan costs 3.0
        -> Subquery #3
            -> Project: b.n
                -> Index range scan on b using n
                     range: `n` in (2, +∞)
                     entries only: no document is read
                     keys: 1 counted of 2
                     tight
                     cost: 0.1, a full scan costs 3.0

# A WITH before a UNION.
query
WITH c AS (SELECT t.v FROM b AS t) (SELECT v FROM c) UNION ALL (SELECT v FROM c) ORDER BY v
----
v
NULL
NULL
2
2
3
3

query
WITH c AS (SELECT t.v FROM b AS t WHERE t.v > 2), e AS (SELECT v AS x FROM c) SELECT v FROM c UNION ALL SELECT x FROM e
----
v
3
3

query
SELECT q.v FROM (WITH c AS (SELECT t.v FROM b AS t) SELECT v FROM c UNION SELECT v FROM c) AS q ORDER BY 1
----
v
NULL
2
3

query
SELECT _id FROM a WHERE v IN (WITH c AS (SELECT t.v FROM b AS t) SELECT v FROM c WHERE v = 3 UNION SELECT v FROM c WHERE v = 2)
----
_id
3

query
WITH c AS (WITH e AS (SELECT t.v FROM b AS t) SELECT v FROM e UNION ALL SELECT v FROM e) SELECT COUNT(*) FROM c UNION ALL SELECT COUNT(v) FROM c
----
COUNT(*)
6
4

prepared
: 2
: 3
: 1
SELECT * FROM (WITH c AS (SELECT t.v FROM b AS t WHERE t.v = ?) (SELECT v FROM c) UNION ALL (SELECT CAST(? AS JSON) FROM c) LIMIT ?) AS q
----
v
2

prepared
: 2
: 3
SELECT v FROM b WHERE v = ? UNION ALL SELECT v FROM b WHERE v = ? ORDER BY v DESC
----
v
3
2

prepared
: 1
SELECT v FROM b UNION ALL SELECT n FROM b LIMIT ?
----
v
2

prepared
: 2
SELECT ':v1', v FROM b WHERE v = ?
----
:v1 | v
:v1 | 2

exec
CREATE TABLE i (_id VARCHAR(255) PRIMARY KEY, _doc JSON);
INSERT INTO i (_id, x) WITH c AS (SELECT t._id, t.v FROM b AS t WHERE t.v = 2) SELECT _id, v FROM c UNION ALL SELECT CONCAT(_id, 'x'), v FROM c;
----
ok, 0 rows
ok, 2 rows

query
SELECT _id, x FROM i
----
_id | x
b1 | 2
b1x | 2

# GROUP_CONCAT.
query
SELECT GROUP_CONCAT(_id, '=', n ORDER BY _id) FROM a
----
GROUP_CONCAT(_id, '=', n ORDER BY _id)
1=1,2=2,3=3

query
SELECT GROUP_CONCAT(k, ':', v ORDER BY _id DESC SEPARATOR '; ') AS g FROM a
----
g
q:3.0; p:2; p:1

query
SELECT k, GROUP_CONCAT(n, s SEPARATOR '') AS g FROM a GROUP BY k HAVING g IS NOT NULL ORDER BY k
----
k | g
p | 1x2y
q | 3Z

query
SELECT GROUP_CONCAT(DISTINCT x, y ORDER BY z DESC) AS g FROM (SELECT 'a' AS x, 'bc' AS y, 1 AS z UNION ALL SELECT 'ab', 'c', 2 UNION ALL SELECT 'a', 'bc', 3 UNION ALL SELECT 'a', NULL, 4) AS q
----
g
abc,abc

exec
SET group_concat_max_len = 6
----
ok, 0 rows

query
SELECT GROUP_CONCAT(_id, '=', n ORDER BY _id) AS g FROM a
----
g
1=1,2=

# A value that doesn't fit the subquery's type is in it as little as any other one: beside a NULL that is unknown.
exec
CREATE TABLE short_texts (_id VARCHAR(255) PRIMARY KEY, k CHAR(3), n INT, _doc JSON);
INSERT INTO short_texts (_id, k) VALUES ('longer than three', NULL), ('abc', 'abc')
----
ok, 0 rows
ok, 2 rows

query
SELECT _id, _id IN (SELECT k FROM short_texts) AS found, _id NOT IN (SELECT k FROM short_texts) AS absent, (_id IN (SELECT k FROM short_texts)) IS NULL AS unknown FROM short_texts ORDER BY _id
----
_id | found | absent | unknown
abc | 1 | 0 | 0
longer than three | NULL | NULL | 1

query
SELECT _id IN (SELECT NULL FROM short_texts) AS n, _id IN (SELECT NULL FROM short_texts WHERE k = 'no') AS none, 5 IN (SELECT NULL) AS five, NULL IN (SELECT NULL) AS nulls, _id NOT IN (SELECT NULL FROM short_texts) AS n2 FROM short_texts WHERE k = 'abc'
----
n | none | five | nulls | n2
NULL | 0 | NULL | NULL | NULL

query
SELECT f._id FROM short_texts__changes AS f WHERE (f.seq IN (SELECT k FROM short_texts)) IS NULL ORDER BY 1
----
_id
abc
longer than three

query
CHECK TABLE short_texts
----
Table | Op | Msg_type | Msg_text
d.short_texts | check | status | OK

# In a derived table, a common table expression and a view.
exec
CREATE VIEW most AS SELECT _id, n FROM a WHERE n >= ALL (SELECT n FROM b WHERE n > 0)
----
ok, 0 rows

query
SELECT d._id FROM (SELECT _id FROM a WHERE n >= ALL (SELECT n FROM b WHERE n > 0) UNION ALL SELECT _id FROM a WHERE n < ANY (SELECT n FROM b WHERE n > 0)) AS d ORDER BY d._id
----
_id
1
2
3

query
WITH w AS (SELECT _id FROM a WHERE n > ALL (SELECT n FROM b WHERE n > 9)) SELECT COUNT(*) AS n FROM w
----
n
4

query
SELECT * FROM most
----
_id | n
3 | 3

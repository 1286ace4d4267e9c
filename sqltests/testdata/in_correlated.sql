# IN of a subquery that names the outer query's columns, outside of a condition's conjuncts: of rows that are equal, and else of those that may be, each found by
# the outer row's values. NOT IN among the conjuncts is joined.
exec
CREATE TABLE o (_id INT PRIMARY KEY, zip VARCHAR(20) COLLATE utf8mb4_0900_ai_ci, k INT, s VARCHAR(9), _doc JSON);
INSERT INTO o (_doc) WITH RECURSIVE n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n WHERE i < 50) SELECT JSON_OBJECT('_id', i, 'zip', CONCAT('z', i), 's', IF(i % 3, 'paid', 'open'), 'k', IF(i % 7, i % 25, NULL)) FROM n;
CREATE TABLE v (_id INT PRIMARY KEY, _doc JSON);
INSERT INTO v (_doc) WITH RECURSIVE n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n WHERE i < 60) SELECT JSON_OBJECT('_id', i, 'g', i % 6, 'x', i, 'm', CASE i % 5 WHEN 0 THEN CAST(i AS JSON) WHEN 1 THEN JSON_QUOTE(CONCAT(i, '')) WHEN 2 THEN NULL WHEN 3 THEN CAST('[1]' AS JSON) ELSE CAST('true' AS JSON) END, 't', CONCAT('Z', i, IF(i % 2, ' ', ''))) FROM n;
INSERT INTO v (_doc) VALUES ('{"_id":61,"g":1}'), ('{"_id":62,"g":2,"x":null,"t":null}'), ('{"_id":63,"x":7}'), ('{"_id":64,"g":9,"t":""}')
----
ok, 0 rows
ok, 50 rows
ok, 0 rows
ok, 60 rows
ok, 4 rows

query
EXPLAIN FORMAT=TREE SELECT o._id, o.k IN (SELECT v.x FROM v WHERE v.g = o._id % 6) AS a FROM o
----
EXPLAIN
-> Project: o._id, CASE WHEN EXISTS (subquery) THEN true WHEN EXISTS (subquery) THEN NULL ELSE false END as a
    -> Project: o._id, o.zip, o.k, o.s, CASE WHEN EXISTS (subquery) THEN true WHEN EXISTS (subquery) THEN NULL ELSE false END as a
        -> Index range scan on o using k
             range: `k` in all values
             entries only: no document is read
             keys: 50 counted of 50; 0 documents lack the keypath
             tight
             cost: 2.5, a full scan costs 50.0
        -> Subquery #2
            -> Limit: 1 rows
                 planned for each outer row; as here for o._id = 25, o.k = 0
                -> Project: 1
                    -> Filter: (v.g = 1)
                        -> Index lookup on v using x
                             range: `x` in 0
                             keys: 0 counted of 61
                             tight
                             residual: (v.g = 1)
                             cost: 0.0, a full scan costs 64.0
                             lost: `g` in 1, keys: 11 counted of 63: cost 22.5, the chosen one costs 0.0
        -> Subquery #3
            -> Table scan on v
                 instead, after 4 outer rows: read once, found by v.x = o.k
                 documents: 64, exactly
                 residual: (v.g = (o._id % 6)) AND (v.x = o.k) IS NULL
                 lost: `g` in not null, keys: 63 counted of 63: cost 129.1, a full scan costs 64.0
                 no range: (v.g = (o._id % 6)): neither side is a constant
                 no range: (v.x = o.k) IS NULL: neither side is a constant
        -> Subquery #4
            -> Limit: 1 rows
                 planned for each outer row; as here for o._id = 25, o.k = 0
                -> Project: 1
                    -> Filter: (v.x = 0) IS NULL
                        -> Index lookup on v using g
                             range: `g` in 1
                             keys: 11 counted of 63
                             tight
                             residual: (v.x = 0) IS NULL
                             cost: 22.5, a full scan costs 64.0
                             lost: `x` in null, strings, objects, arrays, booleans, keys: 1 counted of 1; 2 documents lack the keypath: unusable: 2 documents lack the keypath and have no entry

query
SELECT o._id, o.k IN (SELECT v.x FROM v WHERE v.g = o._id % 6) AS a, o.k NOT IN (SELECT v.x FROM v WHERE v.g = o._id % 6) AS b FROM o WHERE o._id < 26
----
_id | a | b
7 | NULL | NULL
14 | NULL | NULL
21 | NULL | NULL
25 | NULL | NULL
1 | 1 | 0
2 | 1 | 0
3 | 1 | 0
4 | 1 | 0
5 | 1 | 0
6 | 1 | 0
8 | 1 | 0
9 | 1 | 0
10 | 1 | 0
11 | 1 | 0
12 | 1 | 0
13 | 1 | 0
15 | 1 | 0
16 | 1 | 0
17 | 1 | 0
18 | 1 | 0
19 | 1 | 0
20 | 1 | 0
22 | 1 | 0
23 | 1 | 0
24 | 1 | 0

query
SHOW STATUS WHERE Variable_name IN ('sqlfdb_last_keys', 'sqlfdb_last_documents')
----
Variable_name | Value
sqlfdb_last_documents | 156
sqlfdb_last_keys | 136

query
SELECT o._id, NULL IN (SELECT v.x FROM v WHERE v.g = o._id) AS n, o._id IN (SELECT v._id FROM v WHERE v.g = o.k) AS i, o._id = ANY (SELECT v.x FROM v WHERE v.g = o._id % 3 + 7) AS e FROM o WHERE o._id < 9
----
_id | n | i | e
7 | 0 | 0 | 0
1 | NULL | 1 | 0
2 | NULL | 1 | NULL
3 | NULL | 1 | 0
4 | NULL | 1 | 0
5 | NULL | 1 | NULL
6 | 0 | 0 | 0
8 | 0 | 0 | NULL

query
SELECT o._id FROM o WHERE o._id < 40 AND (o.k = 3 OR o.k IN (SELECT v.x FROM v WHERE v.g = o._id % 6))
----
_id
1
2
3
4
5
6
8
9
10
11
12
13
15
16
17
18
19
20
22
23
24

query
SELECT o._id FROM o WHERE o._id < 40 AND (o.k = 3 OR NOT (o.k IN (SELECT v.x FROM v WHERE v.g = o._id % 6)))
----
_id
27
3
29
30
33
34
36
39

query
EXPLAIN FORMAT=TREE SELECT o._id FROM o WHERE o._id < 40 AND o.k NOT IN (SELECT v.x FROM v WHERE v.g = o._id % 6)
----
EXPLAIN
-> Project: o._id
    -> Join, anti, hash: ((((v.g = (o._id % 6)) AND (NOT((v.x = o.k) IS FALSE))) AND (NOT((v.g = (o._id % 6)) IS NULL))) AND (NOT((NOT((v.x = o.k) IS FALSE)) IS NULL)))
        -> Filter: (o._id < 40)
            -> Index range scan on o using k
                 range: `k` in all values
                 entries only: no document is read
                 keys: 50 counted of 50; 0 documents lack the keypath
                 tight
                 residual: (o._id < 40)
                 cost: 2.5, a full scan costs 50.0
                 lost: primary key in (-∞, 40), keys: 39 counted of 50: cost 39.0, the chosen one costs 2.5
        -> Hash
            -> Table scan on v
                 documents: 64, exactly

query
SELECT o._id FROM o WHERE o._id < 40 AND o.k NOT IN (SELECT v.x FROM v WHERE v.g = o._id % 6)
----
_id
27
29
30
33
34
36
39

query
SELECT o._id FROM o WHERE o._id < 40 AND o.k <> ALL (SELECT v.m FROM v WHERE v.g = o._id % 6)
----
_id

query
SELECT o._id FROM o WHERE o._id < 40 AND NOT (o._id > 20 AND o.k IN (SELECT v.x FROM v WHERE v.g = o._id % 6))
----
_id
7
14
1
2
27
3
4
29
5
30
6
8
33
9
34
10
11
36
12
13
39
15
16
17
18
19
20

# NULL is in none of no values.
query
SELECT o._id FROM o WHERE o.k IS NULL AND o.k NOT IN (SELECT v.x FROM v WHERE v.g = o._id)
----
_id
7
14
21
28
35
42
49

query
SELECT o._id FROM o WHERE o._id < 40 AND (o.k, o._id % 6) NOT IN (SELECT v.x, v.g FROM v WHERE v._id <> o._id)
----
_id
27
3
4
29
5
30
6
33
9
34
10
11
36
12
39
15
16
17
18
22
23
24

query
SELECT o._id, o.k IN (SELECT v.m FROM v WHERE v.g = o._id % 6) AS m, CONCAT(o.k, '') IN (SELECT v._doc->>'$.m' FROM v WHERE v.g = o._id % 6) AS t, o._doc->'$.k' IN (SELECT v._doc->'$.m' FROM v WHERE v.g <= o._id % 6) AS j FROM o WHERE o._id < 20
----
_id | m | t | j
1 | NULL | NULL | NULL
2 | NULL | NULL | NULL
3 | NULL | 0 | NULL
4 | NULL | 0 | NULL
5 | 1 | 1 | NULL
6 | NULL | 0 | 0
7 | NULL | NULL | 1
8 | NULL | NULL | NULL
9 | NULL | 0 | NULL
10 | 1 | 1 | NULL
11 | NULL | 0 | NULL
12 | NULL | 0 | 0
13 | NULL | NULL | NULL
14 | NULL | NULL | 1
15 | 1 | 1 | NULL
16 | NULL | 0 | NULL
17 | NULL | 0 | NULL
18 | NULL | 0 | 0
19 | NULL | NULL | NULL

query
SELECT o._id, o.zip IN (SELECT v.t FROM v WHERE v.g = o._id % 6) AS c, o.zip IN (SELECT v.t COLLATE utf8mb4_0900_as_cs FROM v WHERE v.g = o._id % 6) AS d, CONCAT('Z', o.k) IN (SELECT v.t FROM v WHERE v._id > o._id) AS e FROM o WHERE o._id < 20
----
_id | c | d | e
1 | NULL | NULL | NULL
2 | 1 | 1 | NULL
3 | 0 | 0 | NULL
4 | 1 | 1 | NULL
5 | 0 | 0 | NULL
6 | 1 | 1 | NULL
7 | NULL | NULL | NULL
8 | 1 | 1 | NULL
9 | 0 | 0 | NULL
10 | 1 | 1 | NULL
11 | 0 | 0 | NULL
12 | 1 | 1 | NULL
13 | NULL | NULL | NULL
14 | 1 | 1 | NULL
15 | 0 | 0 | NULL
16 | 1 | 1 | NULL
17 | 0 | 0 | NULL
18 | 1 | 1 | NULL
19 | NULL | NULL | NULL

query
SELECT o._id, (o.k, o._id % 6) IN (SELECT v.x, v.g FROM v WHERE v._id <> o._id) AS r, (o.k, NULL) NOT IN (SELECT v.x, v.g FROM v WHERE v._id <> o._id) AS n FROM o WHERE o._id < 20
----
_id | r | n
7 | NULL | NULL
14 | NULL | NULL
1 | NULL | NULL
2 | NULL | NULL
3 | 0 | NULL
4 | 0 | NULL
5 | 0 | NULL
6 | 0 | NULL
8 | NULL | NULL
9 | 0 | NULL
10 | 0 | NULL
11 | 0 | NULL
12 | 0 | NULL
13 | NULL | NULL
15 | 0 | NULL
16 | 0 | NULL
17 | 0 | NULL
18 | 0 | NULL
19 | NULL | NULL

query
SELECT k, COUNT(*), k IN (SELECT v.x FROM v WHERE v.g = o.k % 6) AS i FROM o GROUP BY k HAVING k > 20 AND (k = 22 OR k IN (SELECT v.x FROM v WHERE v.g = o.k % 6)) ORDER BY k IN (SELECT v.x FROM v WHERE v.g = o.k % 6), k
----
k | COUNT(*) | i
21 | 1 | 1
22 | 2 | 1
23 | 2 | 1
24 | 1 | 1

query
SELECT MAX(k) IN (SELECT v.x FROM v WHERE v.g = o.s) AS i FROM o GROUP BY s
----
i
0
1

query
SELECT COUNT(*) FROM o WHERE CASE WHEN o.k IN (SELECT v.x FROM v WHERE v.g = o._id % 6) THEN 1 ELSE 0 END = 0
----
COUNT(*)
29

query
SELECT o._id, (SELECT MAX(v._id) FROM v WHERE v.x < o._id AND (v.g = 1 OR v.x IN (SELECT w.x FROM v w WHERE w.g = o._id % 6))) AS x FROM o WHERE o._id BETWEEN 10 AND 13
----
_id | x
10 | 7
11 | 7
12 | 7
13 | 63

query
SELECT a._id, b._id FROM o a LEFT JOIN o b ON b._id = a._id + 1 AND (b.k = 4 OR b.k IN (SELECT v.x FROM v WHERE v.g = a._id % 6)) WHERE a._id < 6
----
_id | _id
1 | NULL
2 | NULL
3 | 4
4 | NULL
5 | NULL

query
SELECT o.k IN (SELECT v.x FROM v WHERE v.g = o._id % 6), o.k NOT IN (SELECT v.x FROM v WHERE v.g = o._id % 6) IS NULL FROM o WHERE o._id = 1
----
o.k IN (SELECT v.x FROM v WHERE v.g = o._id % 6) | o.k NOT IN (SELECT v.x FROM v WHERE v.g = o._id % 6) IS NULL
1 | 0

query
SELECT o._id FROM o WHERE o.k = 3 OR o.zip IN (SELECT v.t, v.x FROM v WHERE v.g = o.k)
----
ERROR 1241 (21000): operand should have 1 columns, but has 2

# ANY and ALL of such a subquery likewise.
query
EXPLAIN FORMAT=TREE SELECT o._id FROM o WHERE o.k > ALL (SELECT v.x FROM v WHERE v.g = o._id % 6)
----
EXPLAIN
-> Project: o._id
    -> Join, anti, hash: ((((v.g = (o._id % 6)) AND (NOT((NOT((o.k > v.x))) IS FALSE))) AND (NOT((v.g = (o._id % 6)) IS NULL))) AND (NOT((NOT((NOT((o.k > v.x))) IS FALSE)) IS NULL)))
        -> Index range scan on o using k
             range: `k` in all values
             entries only: no document is read
             keys: 50 counted of 50; 0 documents lack the keypath
             tight
             cost: 2.5, a full scan costs 50.0
        -> Hash
            -> Table scan on v
                 documents: 64, exactly

query
SELECT o._id FROM o WHERE o._id < 30 AND o.k > ALL (SELECT v.x FROM v WHERE v.g = o._id % 9 + 3)
----
_id
7
14
21
25
26
3
4
5
8
12
13
16
17
22
23

query
SELECT o._id FROM o WHERE o._id < 12 AND o.k >= ANY (SELECT v.x FROM v WHERE v.g = o._id % 6 AND v.x > 7)
----
_id
8
9
10
11

query
SELECT o._id, o.k > ALL (SELECT v.x FROM v WHERE v.g = o._id % 4 + 3) AS a, o.k <= ANY (SELECT v.x FROM v WHERE v.g = o._id % 3) AS b, NOT (o.k = ALL (SELECT v.x FROM v WHERE v.g = o._id % 3 + 7)) AS c FROM o WHERE o._id < 12
----
_id | a | b | c
7 | 1 | NULL | 0
1 | 0 | 1 | 0
2 | 0 | 1 | NULL
3 | 1 | 1 | 0
4 | 0 | 1 | 0
5 | 0 | 1 | NULL
6 | 0 | 1 | 0
8 | 0 | 1 | NULL
9 | 0 | 1 | 0
10 | 0 | 1 | 0
11 | 1 | 1 | NULL

query
SHOW STATUS LIKE 'sqlfdb_last_documents'
----
Variable_name | Value
sqlfdb_last_documents | 41

query
SELECT o._id FROM o WHERE o._id < 20 AND (o.k = 3 OR o.k <> ANY (SELECT v.m FROM v WHERE v.g = o._id % 6 AND v.x < 9))
----
_id
1
2
3
4
6
8
9
10
11
12
13
15
16
17
18
19

query
SELECT o._id FROM o WHERE o._id < 20 AND (o.k = 3 OR o.zip < ALL (SELECT v.t FROM v WHERE v.g = o._id % 8 AND v.x > 55))
----
_id
1
2
3
4
5
6
7
9
10
11
12
13
14
15
16
17
18
19

exec
UPDATE o SET s = 'in' WHERE k = 4 OR k IN (SELECT v.x FROM v WHERE v.g = o._id % 6);
DELETE FROM o WHERE k NOT IN (SELECT v.x FROM v WHERE v.g = o._id % 6) AND s <> 'in'
----
ok, 22 rows
ok, 12 rows

query
SELECT COUNT(*), SUM(_id), COUNT(IF(s = 'in', 1, NULL)) FROM o
----
COUNT(*) | SUM(_id) | COUNT(IF(s = 'in', 1, NULL))
38 | 809 | 22

# A condition of the subquery that is NULL holds for no row, whether the index is used or not.

query
SELECT COUNT(*) FROM o WHERE k NOT IN (SELECT v.x FROM v WHERE v.g = o._id % 6 AND NULL) AND k <> ALL (SELECT v.x FROM v WHERE v.g >= o._id AND o.nosuch = 3)
----
COUNT(*)
38

exec
SET sqlfdb_use_index = OFF
----
ok, 0 rows

query
SELECT COUNT(*) FROM o WHERE k NOT IN (SELECT v.x FROM v WHERE v.g = o._id % 6 AND NULL) AND k <> ALL (SELECT v.x FROM v WHERE v.g >= o._id AND o.nosuch = 3)
----
COUNT(*)
38

query
SELECT COUNT(*) FROM o WHERE NULL NOT IN (SELECT v.x FROM v WHERE v.g >= o._id AND o.nosuch = 3)
----
COUNT(*)
38

exec
SET sqlfdb_use_index = ON
----
ok, 0 rows

exec
CHECK TABLE o, v
----
ok, 0 rows

# Keys are never NULL but in rows that an outer join makes. The subquery's table has so many rows that it is planned for each outer row.
query
SELECT COUNT(*) FROM v LEFT JOIN o AS n ON n._id < 0 WHERE (n._id NOT IN (SELECT o._id FROM o WHERE o._id = v.g)) IS NULL AND v.g = 1
----
COUNT(*)
11

query
SELECT COUNT(*) FROM v LEFT JOIN o AS n ON n._id < 0 WHERE v.g = 1
----
COUNT(*)
11

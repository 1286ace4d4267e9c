# Byte strings of declared columns are stored; they have entries in a key or a declared index only.
exec
CREATE TABLE b (_id INT PRIMARY KEY, plain VARBINARY(20), v VARBINARY(20), u VARBINARY(600), l BLOB, f BINARY(4), _doc JSON, KEY v (v), UNIQUE KEY u (u));
INSERT INTO b (_id, plain, v, u, l, f) VALUES (1, x'00', x'00', x'00', x'00', x'00'), (2, 'a', 'a', 'a', 'a', 'a'), (3, x'6100', x'6100', x'6100', x'6100', x'6100'), (4, x'ff', x'ff', x'ff', x'ff', x'ff');
INSERT INTO b (_id, v, u) VALUES (5, '', ''), (6, NULL, NULL), (7, 'é', 'é');
INSERT INTO b (_id, u) VALUES (8, 'a');
INSERT INTO b (_id, u) VALUES (8, REPEAT('x', 300));
INSERT INTO b (_id, u) VALUES (9, CONCAT(REPEAT('x', 300), 'y'));
INSERT INTO b (_id, u) VALUES (10, REPEAT('x', 300));
INSERT INTO b (_id, u) VALUES (11, NULL);
UPDATE b SET u = x'6100' WHERE _id = 2;
----
ok, 0 rows
ok, 4 rows
ok, 3 rows
ERROR 1062 (23000): Duplicate entry 'a' for key 'b.u'
ok, 1 rows
ok, 1 rows
ERROR 1062 (23000): Duplicate entry 'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx' for key 'b.u'
ok, 1 rows
ERROR 1062 (23000): Duplicate entry 'a\x00' for key 'b.u'

query
SELECT keypath, type, documents, entries FROM sqlfdb.keypaths WHERE `table` = 'b' ORDER BY keypath, type
----
keypath | type | documents | entries
_id | number | 10 | 10
u | null | 2 | 2
u | string | 8 | 8
v | null | 1 | 1
v | string | 6 | 6

query
SELECT _id FROM b WHERE v = 'a'
----
_id
2

query
EXPLAIN FORMAT=TREE SELECT _id FROM b WHERE v = x'61'
----
EXPLAIN
-> Project: b._id
    -> Filter: (b.v = 0x61)
        -> Index range scan on b using v
             range: `v` in strings, x'61'
             keys: 1 counted of 6
             not tight: the filter stays
             residual: (b.v = 0x61)
             cost: 2.0, a full scan costs 10.0

query
SELECT _id FROM b WHERE v > 'a' ORDER BY v DESC
----
_id
4
7
3

query
SELECT _id FROM b WHERE v BETWEEN x'00' AND 'a' ORDER BY _id
----
_id
1
2

query
SELECT _id FROM b WHERE v IN ('', x'FF', 'é') ORDER BY _id
----
_id
4
5
7

query
SELECT _id FROM b WHERE v <> 'a' ORDER BY _id
----
_id
1
3
4
5
7

query
SELECT _id FROM b WHERE v IS NULL ORDER BY _id
----
_id
6
8
9
11

query
SELECT _id FROM b WHERE u = REPEAT('x', 300)
----
_id
8

query
SELECT _id FROM b WHERE u > REPEAT('x', 299) ORDER BY _id
----
_id
4
7
8
9

query
SELECT _id FROM b WHERE NOT v = 'a' ORDER BY _id
----
_id
1
3
4
5
7

query
EXPLAIN FORMAT=TREE SELECT _id FROM b WHERE plain = 'a'
----
EXPLAIN
-> Project: b._id
    -> Filter: (b.plain = 'a')
        -> Table scan on b
             documents: 10, exactly
             residual: (b.plain = 'a')
             no range: (b.plain = 'a'): `plain` holds byte strings, which have entries in a declared index only

query
SELECT _id FROM b WHERE plain >= 'a' ORDER BY _id
----
_id
2
3
4

query
SELECT _id FROM b WHERE f = x'61000000'
----
_id
2
3

query
SELECT _id FROM b WHERE v = 0
----
_id
1
2
3
4
5
7

# An index on byte strings that are there, and its end.
exec
CREATE INDEX f ON b (f);
CREATE UNIQUE INDEX l ON b (plain);
INSERT INTO b (_id, plain) VALUES (20, 'a');
----
ok, 0 rows
ok, 0 rows
ERROR 1062 (23000): Duplicate entry 'a' for key 'b.l'

query settled
SELECT keypath, type, documents, entries FROM sqlfdb.keypaths WHERE `table` = 'b' AND keypath IN ('f', 'plain') ORDER BY keypath, type
----
keypath | type | documents | entries
f | string | 4 | 4
plain | string | 4 | 4

query
SELECT _id FROM b WHERE plain >= 'a' ORDER BY _id
----
_id
2
3
4

query
SELECT _id FROM b WHERE f > 'a' ORDER BY _id
----
_id
2
3
4

exec
DROP INDEX u ON b;
DROP INDEX l ON b;
INSERT INTO b (_id, plain, u) VALUES (20, 'a', 'é');
CREATE UNIQUE INDEX l ON b (plain);
UPDATE b SET v = NULL, f = 'zz' WHERE _id < 5;
DELETE FROM b WHERE _id = 3;
----
ok, 0 rows
ok, 0 rows
ok, 1 rows
ERROR 1062 (23000): Duplicate entry 'a' for key 'b.l'
ok, 4 rows
ok, 1 rows

query settled
SELECT keypath, type, documents, entries FROM sqlfdb.keypaths WHERE `table` = 'b' AND keypath IN ('u', 'plain', 'f', 'v') ORDER BY keypath, type
----
keypath | type | documents | entries
f | string | 3 | 3
u | null | 2 | 2
v | null | 4 | 4
v | string | 2 | 2

query
SELECT _id FROM b WHERE u = 'é' ORDER BY _id
----
_id
7
20

# Keys of bytes have ranges.
exec
CREATE TABLE k (_id VARBINARY(16) PRIMARY KEY, n INT);
INSERT INTO k VALUES (x'00', 1), (x'0001', 2), ('a', 3), (x'ff', 4);
INSERT INTO k VALUES (x'61', 5);
----
ok, 0 rows
ok, 4 rows
ERROR 1062 (23000): Duplicate entry '61' for key 'k.PRIMARY'

query
SELECT HEX(_id), n FROM k WHERE _id > x'00' AND _id <= 'a' ORDER BY _id
----
HEX(_id) | n
0001 | 2
61 | 3

query
EXPLAIN FORMAT=TREE SELECT n FROM k WHERE _id = x'ff'
----
EXPLAIN
-> Project: k.n
    -> Filter: (k._id = 0xFF)
        -> Single-row index lookup on k using PRIMARY
             range: primary key in x'ff'
             keys: about 1 of 1
             not tight: the filter stays
             residual: (k._id = 0xFF)
             cost: 0.0, a full scan costs 4.0

query
SELECT n FROM k WHERE _id = x'ff'
----
n
4

# Long byte strings that begin alike are not equal once they have another type.
exec
CREATE TABLE longer (id INT PRIMARY KEY, k VARBINARY(400) UNIQUE);
INSERT INTO longer VALUES (1, CONCAT(REPEAT('x', 300), 'a')), (2, CONCAT(REPEAT('x', 300), 'b'));
ALTER TABLE longer MODIFY k VARBINARY(500);
INSERT INTO longer VALUES (3, CONCAT(REPEAT('x', 300), 'b'));
----
ok, 0 rows
ok, 2 rows
ok, 0 rows
ERROR 1062 (23000): Duplicate entry 'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx' for key 'longer.k'

query
SELECT id, LENGTH(k) FROM longer WHERE k > CONCAT(REPEAT('x', 300), 'a')
----
id | LENGTH(k)
2 | 301

# Bytes that are no text can be put together.
exec
CREATE TABLE joined (id INT PRIMARY KEY, b VARBINARY(4), c BINARY(2), v VARCHAR(5));
INSERT INTO joined VALUES (1, x'ff00', x'fe41', 'a'), (2, 'x', 'yz', 'b'), (3, NULL, 'yz', 'c')
----
ok, 0 rows
ok, 3 rows

query
SELECT id, HEX(CONCAT(b, v)), HEX(CONCAT_WS('-', b, c, v)), LENGTH(CONCAT(c, b)), CONCAT(b, v) = 'xb', HEX(CONCAT(x'ff', 'a')) FROM joined ORDER BY id
----
id | HEX(CONCAT(b, v)) | HEX(CONCAT_WS('-', b, c, v)) | LENGTH(CONCAT(c, b)) | CONCAT(b, v) = 'xb' | HEX(CONCAT(x'ff', 'a'))
1 | FF0061 | FF002DFE412D61 | 4 | 0 | FF61
2 | 7862 | 782D797A2D62 | 3 | 1 | FF61
3 | NULL | 797A2D63 | NULL | NULL | FF61

query
SELECT id FROM joined WHERE CONCAT(b, v) = x'ff0061'
----
id
1

# A document comes back as it went in.
exec
CREATE TABLE t (_id VARCHAR(255) PRIMARY KEY, _doc JSON);
INSERT INTO t (_doc) VALUES ('{"z": 1, "_id": "a", "n": 12345678901234567890123, "f": 1.10, "e": 1E400, "s": "\\u00e9\\/", "a": [1, 1.0, {"b": null}]}');
INSERT INTO t (_doc) VALUES ('{"_id":"b","a":1,"a":2}');
INSERT INTO t (_doc) VALUES ('[1]');
INSERT INTO t (_doc) VALUES ('"x"');
INSERT INTO t (_doc) VALUES ('{"_id":');
INSERT INTO t (_doc) VALUES ('{"_id":null}');
INSERT INTO t (_doc) VALUES ('{"_id":["x"]}');
INSERT INTO t (_doc) VALUES ('{"_id":5,"":1,"a.b":2,"$":3,"A":4}');
INSERT INTO t (_id) VALUES (NULL);
INSERT INTO t VALUES ('c', '{"x":1}');
INSERT INTO t (_id, _doc, x) VALUES ('d', '{"_id":"other","x":1,"y":2}', 5);
INSERT INTO t (_id, x) VALUES ('e', NULL);
INSERT INTO t (_id, x) VALUES ('f', 'text'), ('g', 1.5), ('h', true);
----
ok, 0 rows
ok, 1 rows
ERROR 3140 (22032): Invalid JSON text: "Duplicate key "a" (a)." at position 17 in value for column 't._doc'.
ERROR 3140 (22032): a document must be a JSON object, not an array
ERROR 3140 (22032): a document must be a JSON object, not a string
ERROR 3140 (22032): Invalid JSON text: "found the end of the text, expected a value" at position 7 in value for column 't._doc'.
ERROR 1048 (23000): column name '_id' is non-nullable but attempted to set a value of null
ERROR 3146 (22032): column _id: not a value of the primary key's type: an array
ok, 1 rows
ERROR 1048 (23000): column name '_id' is non-nullable but attempted to set a value of null
ok, 1 rows
ok, 1 rows
ok, 1 rows
ok, 3 rows

query
SELECT _id, _doc FROM t
----
_id | _doc
5 | {"_id":5,"":1,"a.b":2,"$":3,"A":4}
a | {"z":1,"_id":"a","n":12345678901234567890123,"f":1.10,"e":1E400,"s":"\u00e9\/","a":[1,1.0,{"b":null}]}
c | {"_id":"c","x":1}
d | {"_id":"d","x":5,"y":2}
e | {"_id":"e","x":null}
f | {"_id":"f","x":"text"}
g | {"_id":"g","x":1.5}
h | {"_id":"h","x":true}

query
SELECT x FROM t WHERE x IS NOT NULL
----
x
1
5
"text"
1.5
true

# UPDATE changes a path and leaves the rest.
exec
UPDATE t SET `p.q` = 1 WHERE _id = 'c';
UPDATE t SET x = 'mixed' WHERE _id = 'c';
UPDATE t SET x = NULL WHERE _id = 'd';
UPDATE t SET _doc = JSON_SET(_doc, '$.y', 3) WHERE _id = 'd';
UPDATE t SET _doc = '{"only":1}' WHERE _id = 'e';
UPDATE t SET _doc = '{"only":1}', x = 9 WHERE _id = 'f';
UPDATE t SET _id = 'gg' WHERE _id = 'g';
UPDATE t SET _id = 'h' WHERE _id = 'gg';
UPDATE t SET `x.y` = 1 WHERE _id = 'h';
----
ok, 1 rows
ok, 1 rows
ok, 1 rows
ok, 1 rows
ok, 1 rows
ok, 1 rows
ok, 1 rows
ERROR 1062 (23000): Duplicate entry 'h' for key 't.PRIMARY'
ERROR 3146 (22032): column x.y: keypath leads through a value that is not an object: x is a boolean, so x.y can't be below it

query
SELECT _id, _doc FROM t
----
_id | _doc
5 | {"_id":5,"":1,"a.b":2,"$":3,"A":4}
a | {"z":1,"_id":"a","n":12345678901234567890123,"f":1.10,"e":1E400,"s":"\u00e9\/","a":[1,1.0,{"b":null}]}
c | {"_id":"c","x":"mixed","p":{"q":1}}
d | {"_id":"d","x":null,"y":3}
e | {"_id":"e","only":1}
f | {"_id":"f","only":1,"x":9}
gg | {"_id":"gg","x":1.5}
h | {"_id":"h","x":true}

exec
REPLACE INTO t (_doc) VALUES ('{"_id":"h","new":true}');
INSERT INTO t (_doc) VALUES ('{"_id":"h"}') ON DUPLICATE KEY UPDATE new = false, n = 5;
DELETE FROM t WHERE _id IN ('a', '5');
----
ok, 2 rows
ok, 2 rows
ok, 2 rows

query
SELECT _doc FROM t
----
_doc
{"_id":"c","x":"mixed","p":{"q":1}}
{"_id":"d","x":null,"y":3}
{"_id":"e","only":1}
{"_id":"f","only":1,"x":9}
{"_id":"gg","x":1.5}
{"_id":"h","new":false,"n":5}

prepared
: p1
: {"_id":"p2"}
SELECT ?, ?
----
? | ?
p1 | {"_id":"p2"}

prepared
: {"_id":"prepared","n":5}
INSERT INTO t (_doc) VALUES (?)
----
ok, 1 rows

prepared
: prepared
SELECT n, _doc FROM t WHERE _id = ?
----
n | _doc
5 | {"_id":"prepared","n":5}

prepared
: 6
: prepared
UPDATE t SET n = ? WHERE _id = ?
----
ok, 1 rows

prepared
: prepared
SELECT n FROM t WHERE _id = ?
----
n
6

# Names.
query
SELECT COUNT(*) AS total FROM t ORDER BY total
----
total
7

query
SELECT T.X, t.`P.Q` FROM t WHERE t._id = 'c'
----
X | P.Q
"mixed" | 1

query
SELECT a._id, b._id FROM t a JOIN t b ON a._id = b._id WHERE a.x = 9
----
_id | _id
f | f

query
SELECT nowhere.x FROM t
----
ERROR 1054 (42S22): Unknown column 'nowhere.x': the statement has no table 'nowhere'; a keypath is written in backquotes: `nowhere.x`

query
SELECT _id FROM t WHERE nokeypath = 1
----
_id

query
SHOW WARNINGS
----
Level | Code | Message
Warning | 1054 | No document of d.t has the keypath `nokeypath`

# Keys of other kinds, and none.
exec
CREATE TABLE k (a INT, b VARCHAR(10), v INT, PRIMARY KEY (b, a));
INSERT INTO k VALUES (1, 'x', 1), (2, 'x', 2), (1, 'y', 3), (1, 'x', 4);
INSERT INTO k VALUES (2, 'a', 2), (10, 'a', 10), (-1, 'a', -1);
UPDATE k SET a = a + 1 WHERE b = 'x' ORDER BY a DESC;
CREATE TABLE nokey (v INT);
INSERT INTO nokey VALUES (1), (1), (2);
UPDATE nokey SET v = 3 WHERE v = 2;
DELETE FROM nokey WHERE v = 1 LIMIT 1;
CREATE TABLE onlydoc (_doc JSON);
INSERT INTO onlydoc VALUES ('{"a":1}'), ('{"a":2}');
UPDATE onlydoc SET a = 5 WHERE a = 1;
DELETE FROM onlydoc WHERE a = 2;
----
ok, 0 rows
ERROR 1062 (23000): Duplicate entry 'x-1' for key 'k.PRIMARY'
ok, 3 rows
ok, 0 rows
ok, 0 rows
ok, 3 rows
ok, 1 rows
ok, 1 rows
ok, 0 rows
ok, 2 rows
ok, 1 rows
ok, 1 rows

query
SELECT * FROM k
----
a | b | v
-1 | a | -1
2 | a | 2
10 | a | 10

query
SELECT * FROM nokey
----
v
1
3

query
SELECT a, _doc FROM onlydoc
----
a | _doc
5 | {"_id":"<uuid>","a":5}

query
SELECT deleted, _doc FROM onlydoc__changes
----
deleted | _doc
0 | {"_id":"<uuid>","a":5}
1 | NULL

query
SELECT seq, _id, rev, deleted, _doc FROM t__changes WHERE _id IN ('a', 'c', 'h')
----
seq | _id | rev | deleted | _doc
<sequence> | a | 2-282b755ccb85b26cb76a662e6361397f | 1 | NULL
<sequence> | c | 3-ae44f47af387681c7b573974f0fed140 | 0 | {"_id":"c","x":"mixed","p":{"q":1}}
<sequence> | h | 4-7fda200cdec9e652e2714cb1c6a4fa17 | 0 | {"_id":"h","new":false,"n":5}

# An open table with declared columns: its rules hold for what _doc brings.
exec
CREATE TABLE rules (_id VARCHAR(255) PRIMARY KEY, n INT NOT NULL, s VARCHAR(3) DEFAULT 'abc', d INT GENERATED ALWAYS AS (n * 2) STORED, at DATETIME, CONSTRAINT small CHECK (n < 100), _doc JSON);
INSERT INTO rules (_doc) VALUES ('{"_id":"a","n":5}');
INSERT INTO rules (_doc) VALUES ('{"_id":"b"}');
INSERT INTO rules (_doc) VALUES ('{"_id":"b","n":null}');
INSERT INTO rules (_doc) VALUES ('{"_id":"b","n":"x"}');
INSERT INTO rules (_doc) VALUES ('{"_id":"b","n":500}');
INSERT INTO rules (_doc) VALUES ('{"_id":"b","n":5,"s":"toolong"}');
INSERT INTO rules (_doc) VALUES ('{"_id":"b","n":6,"s":"own","at":"2026-01-02 03:04:05"}');
INSERT INTO rules (_doc, n) VALUES ('{"_id":"c","n":500}', 7);
UPDATE rules SET _doc = '{"n":8}' WHERE _id = 'a';
UPDATE rules SET _doc = '{"n":800}' WHERE _id = 'a';
UPDATE rules SET _doc = '{}' WHERE _id = 'a';
UPDATE rules SET n = 9 WHERE _id = 'b';
----
ok, 0 rows
ok, 1 rows
ERROR 1364 (HY000): Field 'n' doesn't have a default value
ERROR 1048 (23000): column name 'n' is non-nullable but attempted to set a value of null
ERROR 1366 (HY000): Incorrect int value: 'x' for column 'n'
ERROR 3819 (HY000): Check constraint "small" violated
ERROR 1406 (22001): Data too long for column 's': toolong
ok, 1 rows
ok, 1 rows
ok, 1 rows
ERROR 3819 (HY000): Check constraint "small" violated
ERROR 1364 (HY000): Field 'n' doesn't have a default value
ok, 1 rows

query
SELECT _id, n, s, d, at, _doc FROM rules
----
_id | n | s | d | at | _doc
a | 8 | NULL | 16 | NULL | {"_id":"a","n":8,"d":16}
b | 9 | own | 18 | 2026-01-02 03:04:05 | {"_id":"b","n":9,"s":"own","at":"2026-01-02 03:04:05","d":18}
c | 7 | abc | 14 | NULL | {"_id":"c","n":7,"s":"abc","d":14}

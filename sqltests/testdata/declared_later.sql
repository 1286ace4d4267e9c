# A column that is added to an open table is there at once; the documents follow later.
# The background is held back, so that old documents stay; OPTIMIZE TABLE lets it finish.
exec
SET GLOBAL sqlfdb_jobs = 'hold';
CREATE TABLE o (_id INT PRIMARY KEY, _doc JSON);
INSERT INTO o (_doc) VALUES ('{"_id":1,"n":"5","s":"b"}'), ('{"_id":2,"n":6,"s":7}'), ('{"_id":3,"n":"x","s":{"a":1}}'), ('{"_id":4,"n":null}'), ('{"_id":5}'), ('{"_id":6,"n":2.5,"s":"B"}'), ('{"_id":7,"n":[5],"s":true}'), ('{"_id":8,"n":true}');
ALTER TABLE o ADD COLUMN n INT;
----
ok, 0 rows
ok, 0 rows
ok, 8 rows
ok, 0 rows

query
SELECT _id, n FROM o ORDER BY n, _id
----
_id | n
3 | NULL
4 | NULL
5 | NULL
7 | NULL
8 | 1
6 | 3
1 | 5
2 | 6

query
SHOW WARNINGS
----
Level | Code | Message
Warning | 1366 | Incorrect int value: 'x' for column 'n' of the document with the primary key '3'; it reads as NULL
Warning | 1366 | Incorrect int value: '[5]' for column 'n' of the document with the primary key '7'; it reads as NULL

query
SELECT kind, `table`, state, done, total, failed FROM sqlfdb.jobs
----
kind | table | state | done | total | failed
upgrade | o | held | 0 | 8 | 0

query
SELECT _id, n, _doc FROM o WHERE n = 5
----
_id | n | _doc
1 | 5 | {"_id":1,"n":5,"s":"b"}

query
SELECT _id FROM o WHERE n = 3
----
_id
6

query
SELECT _id FROM o WHERE n IS NULL
----
_id
3
4
5
7

query
SELECT _id FROM o WHERE n IS NOT NULL AND n < 6 ORDER BY n
----
_id
8
6
1

query
EXPLAIN FORMAT=TREE SELECT _id FROM o WHERE n = 5
----
EXPLAIN
-> Project: o._id
    -> Filter: (o.n = 5)
        -> Table scan on o
             documents: 8, exactly
             residual: (o.n = 5)
             lost: `n` in [4, 6], and in earlier field versions, keys: 5 counted of 6: cost 10.2, a full scan costs 8.0

# A column that no document has comes and goes, and the upgrade is not disturbed.
exec
ALTER TABLE o ADD COLUMN nothing INT;
ALTER TABLE o DROP COLUMN nothing;
ALTER TABLE o ADD COLUMN nothing INT DEFAULT 5;
ALTER TABLE o DROP COLUMN nothing;
----
ok, 0 rows
ok, 0 rows
ok, 0 rows
ok, 0 rows

query
EXPLAIN FORMAT=TREE SELECT _id FROM o WHERE n = 5
----
EXPLAIN
-> Project: o._id
    -> Filter: (o.n = 5)
        -> Table scan on o
             documents: 8, exactly
             residual: (o.n = 5)
             lost: `n` in [4, 6], and in earlier field versions, keys: 5 counted of 6: cost 10.2, a full scan costs 8.0

query
SELECT _doc FROM o WHERE _id < 3 ORDER BY _id
----
_doc
{"_id":1,"n":5,"s":"b"}
{"_id":2,"n":6,"s":7}

query
CHECK TABLE o
----
Table | Op | Msg_type | Msg_text
d.o | check | warning | the value 'x' of column 'n' does not fit int and reads as NULL, primary key '3'
d.o | check | warning | the value '[5]' of column 'n' does not fit int and reads as NULL, primary key '7'
d.o | check | status | OK

# What is written is of the new type; what did not fit is kept.
exec
INSERT INTO o (_doc) VALUES ('{"_id":9,"n":"y"}');
INSERT INTO o (_doc) VALUES ('{"_id":9,"n":5}');
UPDATE o SET _doc = JSON_SET(_doc, '$.t', 1) WHERE _id IN (1, 3);
----
ERROR 1366 (HY000): Incorrect int value: 'y' for column 'n'
ok, 1 rows
ok, 2 rows

# Another one, of strings, while the first is upgraded; and another type for it.
exec
ALTER TABLE o ADD COLUMN s VARCHAR(20) COLLATE utf8mb4_0900_ai_ci;
----
ok, 0 rows

query
SELECT _id, s FROM o WHERE s = 'b' ORDER BY _id
----
_id | s
1 | b
6 | B

query
SELECT _id, s FROM o WHERE s >= '7' ORDER BY s, _id
----
_id | s
2 | 7
1 | b
6 | B
7 | true

exec
ALTER TABLE o MODIFY n VARCHAR(10);
----
ok, 0 rows

query
SELECT _id, n, s FROM o ORDER BY _id
----
_id | n | s
1 | 5 | b
2 | 6 | 7
3 | x | {"a":1}
4 | NULL | NULL
5 | NULL | NULL
6 | 3 | B
7 | [5] | true
8 | 1 | NULL
9 | 5 | NULL

query
SELECT _id FROM o WHERE n = '5' ORDER BY _id
----
_id
1
9

query
CHECK TABLE o
----
Table | Op | Msg_type | Msg_text
d.o | check | status | OK

query
OPTIMIZE TABLE o
----
Table | Op | Msg_type | Msg_text
d.o | optimize | status | OK

query
SELECT kind, state, done, total, failed, message FROM sqlfdb.jobs
----
kind | state | done | total | failed | message
upgrade | done | 9 | 9 | 0 | NULL

query
SELECT _doc FROM o ORDER BY _id
----
_doc
{"_id":1,"n":"5","s":"b","t":1}
{"_id":2,"n":"6","s":"7"}
{"_id":3,"n":"x","s":"{\"a\":1}","t":1}
{"_id":4,"n":null}
{"_id":5}
{"_id":6,"n":"3","s":"B"}
{"_id":7,"n":"[5]","s":"true"}
{"_id":8,"n":"1"}
{"_id":9,"n":"5"}

query
CHECK TABLE o
----
Table | Op | Msg_type | Msg_text
d.o | check | status | OK

query
SELECT keypath, type, documents, entries FROM sqlfdb.keypaths WHERE `table` = 'o' AND keypath IN ('n', 's') ORDER BY keypath, type
----
keypath | type | documents | entries
n | null | 1 | 1
n | string | 7 | 7
s | string | 5 | 5

# A string's numbers are no numbers: undeclared text does not become JSON's text of it.
exec
CREATE TABLE p (_id INT PRIMARY KEY, _doc JSON);
INSERT INTO p (_doc) VALUES ('{"_id":1,"a":"x","d":"2026-02-03","j":"y","u":"z","e":"on"}'), ('{"_id":2,"a":"X","d":"soon","j":{"k":1},"u":"v","e":"off"}'), ('{"_id":3,"a":1.50,"d":20260204,"j":[1],"e":2}');
ALTER TABLE p ADD COLUMN none INT;
ALTER TABLE p ADD COLUMN j JSON;
----
ok, 0 rows
ok, 3 rows
ok, 0 rows
ok, 0 rows

# Nothing has to be upgraded: no document has the one, and the other holds anything.
query
SELECT kind, `table`, state FROM sqlfdb.jobs WHERE `table` = 'p'
----
kind | table | state

exec
ALTER TABLE p ADD COLUMN a TEXT;
ALTER TABLE p ADD COLUMN d DATE, ADD COLUMN e ENUM('on', 'off');
----
ok, 0 rows
ok, 0 rows

query
SELECT a, d, e, j FROM p ORDER BY _id
----
a | d | e | j
x | 2026-02-03 | on | "y"
X | NULL | off | {"k":1}
1.50 | 2026-02-04 | off | [1]

query
SELECT _id FROM p WHERE d >= '2026-02-03' ORDER BY d
----
_id
1
3

query
SELECT _id FROM p WHERE a = 'x'
----
_id
1

query
SELECT _id FROM p WHERE e = 'off' ORDER BY _id
----
_id
2
3

query
SELECT _id FROM p WHERE _doc->'$.j' = 'y'
----
_id
1

# A default, NOT NULL, and what a unique index or CHECK reads, are done at once.
exec
ALTER TABLE p ADD COLUMN u INT NOT NULL;
ALTER TABLE p ADD COLUMN u VARCHAR(5) NOT NULL DEFAULT 'w';
CREATE UNIQUE INDEX at ON p (w);
ALTER TABLE p ADD COLUMN w INT;
----
ERROR 1366 (HY000): Incorrect int value: 'z' for column 'u'
ok, 0 rows
ok, 0 rows
ok, 0 rows

query
SELECT kind, `table`, state FROM sqlfdb.jobs WHERE `table` = 'p' AND state <> 'done'
----
kind | table | state

query
SELECT _id, u, w, d, _doc FROM p
----
_id | u | w | d | _doc
1 | z | NULL | 2026-02-03 | {"_id":1,"a":"x","d":"2026-02-03","j":"y","u":"z","e":"on"}
2 | v | NULL | NULL | {"_id":2,"a":"X","d":"soon","j":{"k":1},"u":"v","e":"off"}
3 | w | NULL | 2026-02-04 | {"_id":3,"a":"1.50","d":"2026-02-04","j":[1],"e":"off","u":"w"}

query
CHECK TABLE p
----
Table | Op | Msg_type | Msg_text
d.p | check | warning | the value 'soon' of column 'd' does not fit date and reads as NULL, primary key '2'
d.p | check | status | OK

exec
UPDATE p SET d = '2026-02-05' WHERE d IS NULL;
----
ok, 1 rows

# A date that is spelled by a number is not read from a document, so it does not get in.
exec
INSERT INTO p (_doc) VALUES ('{"_id":4,"u":"q","d":20260206}');
OPTIMIZE TABLE p;
INSERT INTO p (_doc) VALUES ('{"_id":4,"u":"q","d":20260206}');
----
ERROR 1366 (HY000): Incorrect date value: '20260206' for column 'd'
ok, 0 rows
ERROR 1366 (HY000): Incorrect date value: '20260206' for column 'd'

query
SELECT _id, d FROM p
----
_id | d
1 | 2026-02-03
2 | 2026-02-05
3 | 2026-02-04

# The strings of a table in a collation of its own.
exec
CREATE TABLE c (_id INT PRIMARY KEY, _doc JSON) ENGINE_ATTRIBUTE '{"collation":"utf8mb4_0900_ai_ci"}';
INSERT INTO c (_doc) VALUES ('{"_id":1,"a":"b","j":"b"}'), ('{"_id":2,"a":"B","j":"B"}'), ('{"_id":3,"a":"c"}');
ALTER TABLE c ADD COLUMN a VARCHAR(10) COLLATE utf8mb4_0900_ai_ci, ADD COLUMN j JSON;
----
ok, 0 rows
ok, 3 rows
ok, 0 rows

query
SELECT _id FROM c WHERE a = 'b' ORDER BY _id
----
_id
1
2

query
SELECT _id FROM c WHERE j = 'b' ORDER BY _id
----
_id
1

query
CHECK TABLE c
----
Table | Op | Msg_type | Msg_text
d.c | check | status | OK

exec
ALTER TABLE c MODIFY a VARCHAR(10) COLLATE utf8mb4_bin;
----
ok, 0 rows

query
SELECT _id FROM c WHERE a = 'b' ORDER BY _id
----
_id
1

exec
ALTER TABLE c DROP COLUMN a;
ALTER TABLE c ADD COLUMN a INT;
INSERT INTO c (_id, a) VALUES (4, 4);
OPTIMIZE TABLE c;
SET GLOBAL sqlfdb_jobs = 'run';
----
ok, 0 rows
ok, 0 rows
ok, 1 rows
ok, 0 rows
ok, 0 rows

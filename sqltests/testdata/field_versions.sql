# Another type of a column is there at once; the documents follow later. The
# background is held back, so that old documents stay; OPTIMIZE TABLE lets it finish.
exec
SET sql_mode = ''
----
ok, 0 rows

exec
SET GLOBAL sqlfdb_jobs = 'hold';
CREATE TABLE n (id INT PRIMARY KEY, a INT, s VARCHAR(20), _doc JSON);
INSERT INTO n (id, a, s) VALUES (1, 5, 'x'), (2, 40, 'y'), (3, -7, 'z'), (4, NULL, 'n');
ALTER TABLE n MODIFY a VARCHAR(20);
----
ok, 0 rows
ok, 0 rows
ok, 4 rows
ok, 0 rows

query
SELECT id, a, HEX(a) FROM n ORDER BY a
----
id | a | HEX(a)
4 | NULL | NULL
3 | -7 | 2D37
2 | 40 | 3430
1 | 5 | 35

query
SELECT id FROM n WHERE a = '5'
----
id
1

query
SELECT id, a FROM n WHERE a > '4' ORDER BY a
----
id | a
2 | 40
1 | 5

query
SELECT id FROM n WHERE a IS NULL
----
id
4

query
SELECT id, a FROM n WHERE a LIKE '4%' OR a = '-7' ORDER BY id
----
id | a
2 | 40
3 | -7

query
EXPLAIN FORMAT=TREE SELECT id FROM n WHERE a = '5'
----
EXPLAIN
-> Project: n.id
    -> Filter: (n.a = '5')
        -> Table scan on n
             documents: 4, exactly
             residual: (n.a = '5')
             lost: `a` in '5', and in earlier field versions, keys: 3 counted of 3: cost 6.1, a full scan costs 4.0

query
SELECT kind, `table`, state, done, total, failed FROM sqlfdb.jobs
----
kind | table | state | done | total | failed
upgrade | n | held | 0 | 4 | 0

# Updates write the new form, also of columns that they don't name.
exec
UPDATE n SET s = 'changed' WHERE id = 2;
INSERT INTO n (id, a, s) VALUES (5, 'five', 'new');
UPDATE n SET a = 'seven' WHERE a = '-7';
----
ok, 1 rows
ok, 1 rows
ok, 1 rows

query
SELECT id, a FROM n WHERE a IN ('40', 'five', 'seven', '5') ORDER BY a DESC
----
id | a
3 | seven
5 | five
1 | 5
2 | 40

query
SELECT keypath, type, documents, entries FROM sqlfdb.keypaths WHERE `table` = 'n' AND keypath = 'a'
----
keypath | type | documents | entries
a | null | 1 | 1
a | number | 1 | 1
a | string | 3 | 3

query
SELECT id, a FROM n__changes JOIN n USING (id) WHERE deleted = 0 ORDER BY seq
----
id | a
1 | 5
4 | NULL
2 | 40
5 | five
3 | seven

query
CHECK TABLE n
----
Table | Op | Msg_type | Msg_text
d.n | check | status | OK

query
OPTIMIZE TABLE n
----
Table | Op | Msg_type | Msg_text
d.n | optimize | status | OK

query
SELECT kind, `table`, state, done, total, failed, message FROM sqlfdb.jobs
----
kind | table | state | done | total | failed | message
upgrade | n | done | 5 | 5 | 0 | NULL

query
SELECT keypath, type, documents, entries FROM sqlfdb.keypaths WHERE `table` = 'n' AND keypath = 'a'
----
keypath | type | documents | entries
a | null | 1 | 1
a | string | 4 | 4

query
SELECT id, a FROM n WHERE a >= '4' ORDER BY a
----
id | a
2 | 40
1 | 5
5 | five
3 | seven

query
EXPLAIN FORMAT=TREE SELECT id FROM n WHERE a = '5'
----
EXPLAIN
-> Project: n.id
    -> Index lookup on n using a
         range: `a` in '5'
         entries only: no document is read
         keys: 1 counted of 4
         tight
         cost: 0.1, a full scan costs 5.0

# Back to numbers: some texts are none.
exec
ALTER TABLE n MODIFY a INT;
----
ok, 0 rows

query
SELECT id, a FROM n ORDER BY a, id
----
id | a
3 | NULL
4 | NULL
5 | NULL
1 | 5
2 | 40

query
SHOW WARNINGS
----
Level | Code | Message
Warning | 1366 | Incorrect int value: 'seven' for column 'a' of the document with the primary key '3'; it reads as NULL
Warning | 1366 | Incorrect int value: 'five' for column 'a' of the document with the primary key '5'; it reads as NULL

query
SELECT id FROM n WHERE a IS NULL
----
id
3
4
5

query
SELECT id, a FROM n WHERE NOT (a <=> NULL) AND a < 41 ORDER BY a
----
id | a
1 | 5
2 | 40

query
CHECK TABLE n
----
Table | Op | Msg_type | Msg_text
d.n | check | warning | the value 'seven' of column 'a' does not fit int and reads as NULL, primary key '3'
d.n | check | warning | the value 'five' of column 'a' does not fit int and reads as NULL, primary key '5'
d.n | check | status | OK

# What did not fit is kept, also by an update of something else.
exec
UPDATE n SET s = 'other' WHERE id = 3;
----
ok, 1 rows

query
SELECT id, _doc->>'$.a' FROM n__changes WHERE id = 3
----
id | _doc->>'$.a'
3 | seven

query
OPTIMIZE TABLE n
----
Table | Op | Msg_type | Msg_text
d.n | optimize | status | OK

query
SELECT kind, state, done, total, failed, message FROM sqlfdb.jobs WHERE failed > 0
----
kind | state | done | total | failed | message
upgrade | done | 5 | 5 | 2 | 2 values do not fit their columns; CHECK TABLE names them: primary key '3', column 'a': 'seven'; primary key '5', column 'a': 'five'

query
SELECT id, a FROM n WHERE a > 0 ORDER BY a
----
id | a
1 | 5
2 | 40

query
SELECT id FROM n WHERE a IS NULL
----
id
3
4
5

query
CHECK TABLE n
----
Table | Op | Msg_type | Msg_text
d.n | check | warning | the value 'seven' of column 'a' does not fit int and reads as NULL, primary key '3'
d.n | check | warning | the value 'five' of column 'a' does not fit int and reads as NULL, primary key '5'
d.n | check | status | OK

# As JSON the value is there, as a number it is not.
query
SELECT id, _doc->>'$.a' FROM n__changes WHERE deleted = 0 AND _doc->'$.a' > 'a' ORDER BY id
----
id | _doc->>'$.a'
3 | seven
5 | five

exec
CREATE TABLE x (_id VARCHAR(5) PRIMARY KEY, a VARCHAR(9), _doc JSON);
INSERT INTO x (_id, a) VALUES ('1', 'one'), ('2', '2'), ('3', NULL);
ALTER TABLE x MODIFY a INT;
OPTIMIZE TABLE x;
----
ok, 0 rows
ok, 3 rows
ok, 0 rows
ok, 0 rows

query
SELECT _id, a, _doc FROM x WHERE _doc->'$.a' > 'a' AND a IS NULL
----
_id | a | _doc
1 | NULL | {"_id":"1","a":"one"}

# An update of the whole document may keep what did not fit, but not bring it in.
exec
UPDATE x SET _doc = JSON_SET(_doc, '$.b', 1) WHERE _id = '1';
UPDATE x SET _doc = JSON_SET(_doc, '$.a', 'two') WHERE _id = '1';
INSERT INTO x (_doc) VALUES ('{"_id":"4","a":"four"}');
----
ok, 1 rows
ERROR 1366 (HY000): Incorrect int value: 'two' for column 'a'
ERROR 1366 (HY000): Incorrect int value: 'four' for column 'a'

query
SELECT _id, a, _doc FROM x
----
_id | a | _doc
1 | NULL | {"_id":"1","a":"one","b":1}
2 | 2 | {"_id":"2","a":2}
3 | NULL | {"_id":"3","a":null}

exec
TRUNCATE TABLE x;
----
ok, 3 rows

# Other values in their place, and the same type once more.
exec
UPDATE n SET a = 700 WHERE id = 3;
UPDATE n SET a = 500 WHERE id = 5;
ALTER TABLE n MODIFY a INT;
OPTIMIZE TABLE n;
----
ok, 1 rows
ok, 1 rows
ok, 0 rows
ok, 0 rows

query
CHECK TABLE n
----
Table | Op | Msg_type | Msg_text
d.n | check | status | OK

query
SELECT id, a FROM n WHERE a >= 40 ORDER BY a
----
id | a
2 | 40
5 | 500
3 | 700

# Doubles are rounded, decimals keep their scale, several changes follow each other.
exec
CREATE TABLE m (id INT PRIMARY KEY, d DOUBLE, i INT, t VARCHAR(30), b DATE, _doc JSON);
INSERT INTO m (id, d, i, t, b) VALUES (1, 2.5, 1, '2026-02-03', '2026-01-01'), (2, 2.4, 20, '2026-12-24 10:00:00', '2026-01-02'), (3, -2.5, 300, 'soon', NULL), (4, 1e300, NULL, NULL, '1999-12-31');
ALTER TABLE m MODIFY d INT;
ALTER TABLE m MODIFY i DECIMAL(10,2);
ALTER TABLE m MODIFY t DATE;
ALTER TABLE m MODIFY b DATETIME;
----
ok, 0 rows
ok, 4 rows
ok, 0 rows
ok, 0 rows
ok, 0 rows
ok, 0 rows

query
SELECT * FROM m ORDER BY d, id
----
id | d | i | t | b
4 | NULL | NULL | NULL | 1999-12-31 00:00:00
3 | -3 | 300.00 | NULL | NULL
2 | 2 | 20.00 | 2026-12-24 | 2026-01-02 00:00:00
1 | 3 | 1.00 | 2026-02-03 | 2026-01-01 00:00:00

query
SELECT id, d FROM m WHERE d = 3
----
id | d
1 | 3

query
SELECT id, d FROM m WHERE d < 3 ORDER BY id
----
id | d
2 | 2
3 | -3

query
EXPLAIN FORMAT=TREE SELECT id FROM m WHERE d = 3
----
EXPLAIN
-> Project: m.id
    -> Filter: (m.d = 3)
        -> Table scan on m
             documents: 4, exactly
             residual: (m.d = 3)
             lost: `d` in [2, 4], and in earlier field versions, keys: 2 counted of 4: cost 4.1, a full scan costs 4.0

query
SELECT id, i FROM m WHERE i BETWEEN 1 AND 20 ORDER BY i
----
id | i
1 | 1.00
2 | 20.00

query
SELECT id, t FROM m WHERE t >= '2026-02-03' ORDER BY t DESC
----
id | t
2 | 2026-12-24
1 | 2026-02-03

query
SELECT id, b FROM m WHERE b > '2026-01-01' ORDER BY b
----
id | b
2 | 2026-01-02 00:00:00

exec
ALTER TABLE m MODIFY d VARCHAR(10);
ALTER TABLE m MODIFY i BIGINT;
ALTER TABLE m MODIFY t VARCHAR(30);
----
ok, 0 rows
ok, 0 rows
ok, 0 rows

query
SELECT * FROM m ORDER BY id
----
id | d | i | t | b
1 | 3 | 1 | 2026-02-03 | 2026-01-01 00:00:00
2 | 2 | 20 | 2026-12-24 | 2026-01-02 00:00:00
3 | -3 | 300 | soon | NULL
4 | 1e+300 | NULL | NULL | 1999-12-31 00:00:00

query
SELECT id FROM m WHERE d = '3' OR t = 'soon' ORDER BY id
----
id
1
3

exec
OPTIMIZE TABLE m;
----
ok, 0 rows

query
SELECT * FROM m ORDER BY id
----
id | d | i | t | b
1 | 3 | 1 | 2026-02-03 | 2026-01-01 00:00:00
2 | 2 | 20 | 2026-12-24 | 2026-01-02 00:00:00
3 | -3 | 300 | soon | NULL
4 | 1e+300 | NULL | NULL | 1999-12-31 00:00:00

query
SELECT id, t FROM m WHERE t >= '2' ORDER BY t
----
id | t
1 | 2026-02-03
2 | 2026-12-24
3 | soon

query
CHECK TABLE m
----
Table | Op | Msg_type | Msg_text
d.m | check | status | OK

# A collation: the entries move, the documents don't change.
exec
CREATE TABLE c (id INT PRIMARY KEY, w VARCHAR(20));
INSERT INTO c VALUES (1, 'Ärger'), (2, 'arger'), (3, 'zebra'), (4, 'Zebra');
ALTER TABLE c MODIFY w VARCHAR(20) COLLATE utf8mb4_0900_ai_ci;
----
ok, 0 rows
ok, 4 rows
ok, 0 rows

query
SELECT id FROM c WHERE w = 'ARGER' ORDER BY id
----
id
1
2

query
SELECT w FROM c WHERE w < 'b' ORDER BY w, id
----
w
Ärger
arger

query
SELECT COUNT(DISTINCT w) FROM c
----
COUNT(DISTINCT w)
2

query
SELECT COUNT(*) FROM c__changes WHERE rev LIKE '1-%'
----
COUNT(*)
4

exec
OPTIMIZE TABLE c;
----
ok, 0 rows

query
SELECT id FROM c WHERE w = 'ZEBRA' ORDER BY id
----
id
3
4

query
SELECT COUNT(*) FROM c__changes WHERE rev LIKE '1-%'
----
COUNT(*)
4

query
CHECK TABLE c
----
Table | Op | Msg_type | Msg_text
d.c | check | status | OK

# NOT NULL is proved first; so is what a unique index, a CHECK or a generated column
# rests on: those are rewritten at once, and refused when a value does not fit.
exec
CREATE TABLE p (id INT PRIMARY KEY, a INT, u VARCHAR(10) UNIQUE, k VARCHAR(10), g INT GENERATED ALWAYS AS (k + 1) STORED, CONSTRAINT ck CHECK (u <> '-1'));
INSERT INTO p (id, a, u, k) VALUES (1, 1, '1', '7'), (2, 2, 'two', '8');
ALTER TABLE p MODIFY a BIGINT NOT NULL;
ALTER TABLE p MODIFY u INT;
ALTER TABLE p MODIFY k INT;
INSERT INTO p (id, a, u, k) VALUES (3, NULL, '3', '9');
ALTER TABLE p MODIFY a BIGINT NULL;
INSERT INTO p (id, a, u, k) VALUES (3, NULL, '3', '9');
ALTER TABLE p MODIFY a BIGINT NOT NULL;
ALTER TABLE p MODIFY a VARCHAR(20) NOT NULL;
DELETE FROM p WHERE id = 3;
ALTER TABLE p MODIFY a VARCHAR(20) NOT NULL;
ALTER TABLE p ADD COLUMN v VARCHAR(5) NOT NULL DEFAULT 'x';
ALTER TABLE p MODIFY v INT NOT NULL;
ALTER TABLE p MODIFY id BIGINT;
----
ok, 0 rows
ok, 2 rows
ok, 0 rows
ok, 0 rows
ok, 0 rows
ERROR 1048 (23000): column name 'a' is non-nullable but attempted to set a value of null
ok, 0 rows
ok, 1 rows
ok, 0 rows
ok, 0 rows
ok, 1 rows
ok, 0 rows
ok, 0 rows
ok, 0 rows
ok, 0 rows

query
SELECT * FROM p ORDER BY id
----
id | a | u | k | g | v
1 | 1 | 1 | 7 | 8 | 0
2 | 2 | 0 | 8 | 9 | 0

# A rename rewrites, also what an upgrade has left.
exec
ALTER TABLE p RENAME COLUMN a TO aa;
ALTER TABLE p DROP COLUMN v;
----
ok, 0 rows
ok, 0 rows

query
SELECT id, aa FROM p WHERE aa = '2'
----
id | aa
2 | 2

query
CHECK TABLE p
----
Table | Op | Msg_type | Msg_text
d.p | check | status | OK

# An open table: only documents that have the column are concerned.
exec
CREATE TABLE o (_id VARCHAR(10) PRIMARY KEY, price INT, _doc JSON);
INSERT INTO o (_doc) VALUES ('{"_id":"a","price":5,"x":{"y":[1,2]}}'), ('{"_id":"b","price":"7"}'), ('{"_id":"c","x":1}');
ALTER TABLE o MODIFY price DECIMAL(8,2);
----
ok, 0 rows
ok, 3 rows
ok, 0 rows

query
SELECT _id, price, _doc FROM o
----
_id | price | _doc
a | 5.00 | {"_id":"a","price":5.00,"x":{"y":[1,2]}}
b | 7.00 | {"_id":"b","price":7.00}
c | NULL | {"_id":"c","x":1}

query
SELECT _id FROM o WHERE price = 7
----
_id
b

query
SELECT _id FROM o WHERE _doc->'$.price' = 5
----
_id
a

query
SELECT _id, price FROM o WHERE _doc->'$.x.y' IS NULL AND price > 1
----
_id | price
b | 7.00

exec
BEGIN;
UPDATE o SET price = price + 1 WHERE price IS NOT NULL;
ALTER TABLE o MODIFY price VARCHAR(10);
----
ok, 0 rows
ok, 2 rows
ok, 0 rows

query
SELECT _id, price, _doc FROM o
----
_id | price | _doc
a | 6.00 | {"_id":"a","price":"6.00","x":{"y":[1,2]}}
b | 8.00 | {"_id":"b","price":"8.00"}
c | NULL | {"_id":"c","x":1}

query
OPTIMIZE TABLE o
----
Table | Op | Msg_type | Msg_text
d.o | optimize | status | OK

query
SELECT _id, price, _doc FROM o WHERE price < '7'
----
_id | price | _doc
a | 6.00 | {"_id":"a","price":"6.00","x":{"y":[1,2]}}

query
SELECT kind, `table`, state, done, total, failed FROM sqlfdb.jobs WHERE `table` = 'o'
----
kind | table | state | done | total | failed
upgrade | o | done | 3 | 3 | 0

# Ranges of both versions: the same where the conversion keeps order, all of the former
# version where it doesn't.
exec
CREATE TABLE d (n INT PRIMARY KEY);
INSERT INTO d VALUES (0), (1), (2), (3), (4), (5), (6), (7), (8), (9);
CREATE TABLE big (id INT PRIMARY KEY, i INT, s VARCHAR(10), j INT);
INSERT INTO big SELECT 100 * a.n + 10 * b.n + c.n, 100 * a.n + 10 * b.n + c.n, CONCAT('s', 100 * a.n + 10 * b.n + c.n), IF(b.n = 3, c.n, NULL) FROM d a, d b, d c;
ALTER TABLE big MODIFY i BIGINT;
ALTER TABLE big MODIFY s VARCHAR(20);
ALTER TABLE big MODIFY j VARCHAR(20);
UPDATE big SET i = i + 1000 WHERE id % 100 = 7;
----
ok, 0 rows
ok, 10 rows
ok, 0 rows
ok, 1000 rows
ok, 0 rows
ok, 0 rows
ok, 0 rows
ok, 10 rows

query
EXPLAIN FORMAT=TREE SELECT id FROM big WHERE i BETWEEN 205 AND 209
----
EXPLAIN
-> Project: big.id
    -> Filter: ((big.i >= 205) AND (big.i <= 209))
        -> Index range scan on big using i
             range: `i` in [205, 209], and in earlier field versions
             keys: 4 counted of 1,000
             not tight: the filter stays
             residual: (big.i >= 205) AND (big.i <= 209)
             cost: 8.2, a full scan costs 1000.0

query
SELECT id, i FROM big WHERE i BETWEEN 205 AND 209 OR i BETWEEN 1200 AND 1210 ORDER BY i
----
id | i
205 | 205
206 | 206
208 | 208
209 | 209
207 | 1207

query
EXPLAIN FORMAT=TREE SELECT id FROM big WHERE s IN ('s15', 's999')
----
EXPLAIN
-> Project: big.id
    -> Filter: (big.s HASH IN ('s15', 's999'))
        -> Index range scan on big using s
             range: `s` in 's15', 's999', and in earlier field versions
             keys: 2 counted of 1,000
             not tight: the filter stays
             residual: (big.s IN ('s15', 's999'))
             cost: 4.1, a full scan costs 1000.0

query
SELECT id FROM big WHERE s IN ('s15', 's999') ORDER BY id
----
id
15
999

query
EXPLAIN FORMAT=TREE SELECT id FROM big WHERE j = '5'
----
EXPLAIN
-> Project: big.id
    -> Filter: (big.j = '5')
        -> Index lookup on big using j
             range: `j` in '5', and in earlier field versions
             keys: 100 counted of 100
             not tight: the filter stays
             residual: (big.j = '5')
             cost: 205.0, a full scan costs 1000.0

query
SELECT id FROM big WHERE j = '5' ORDER BY id
----
id
35
135
235
335
435
535
635
735
835
935

query
SELECT COUNT(*) FROM big WHERE j IS NULL
----
COUNT(*)
900

query
SELECT COUNT(*), MIN(i), MAX(i), COUNT(j) FROM big
----
COUNT(*) | MIN(i) | MAX(i) | COUNT(j)
1000 | 0 | 1907 | 100

exec
OPTIMIZE TABLE big;
----
ok, 0 rows

query
EXPLAIN FORMAT=TREE SELECT id FROM big WHERE j = '5'
----
EXPLAIN
-> Project: big.id
    -> Index lookup on big using j
         range: `j` in '5'
         entries only: no document is read
         keys: 10 counted of 100
         tight
         cost: 0.5, a full scan costs 1000.0

# A unique index has the upgrade finished first.
exec
CREATE TABLE q (id INT PRIMARY KEY, a INT, b VARCHAR(10), _doc JSON);
INSERT INTO q (id, a, b) VALUES (1, 10, '1'), (2, 20, '01'), (3, 30, 'x'), (4, 40, 'y');
ALTER TABLE q MODIFY a VARCHAR(10), MODIFY b INT;
CREATE UNIQUE INDEX qb ON q (b);
CREATE UNIQUE INDEX qa ON q (a);
INSERT INTO q (id, a, b) VALUES (5, '40', 5);
INSERT INTO q (id, a, b) VALUES (5, '41', 7);
UPDATE q SET b = 3 WHERE id = 2;
CREATE UNIQUE INDEX qb ON q (b);
INSERT INTO q (id, a, b) VALUES (6, '42', 3);
INSERT INTO q (id, a, b) VALUES (6, '42', NULL);
DELETE FROM q WHERE id IN (3, 4);
----
ok, 0 rows
ok, 4 rows
ok, 0 rows
ERROR 1062 (23000): Duplicate entry '1' for key 'q.qb'
ok, 0 rows
ERROR 1062 (23000): Duplicate entry '40' for key 'q.qa'
ok, 1 rows
ok, 1 rows
ok, 0 rows
ERROR 1062 (23000): Duplicate entry '3' for key 'q.qb'
ok, 1 rows
ok, 2 rows

query
SELECT state, done, failed FROM sqlfdb.jobs WHERE `table` = 'q'
----
state | done | failed
done | 4 | 2
failed | 1 | 0
done | 4 | 0
done | 5 | 0

query
SELECT * FROM q
----
id | a | b
1 | 10 | 1
2 | 20 | 3
5 | 41 | 7
6 | 42 | NULL

exec
TRUNCATE TABLE m;
SET GLOBAL sqlfdb_jobs = 'run';
----
ok, 4 rows
ok, 0 rows

# Values that become equal are refused where they must be unique, the mended ones are taken.
exec
CREATE TABLE u (id INT PRIMARY KEY, a VARCHAR(10) COLLATE utf8mb4_bin UNIQUE, b VARCHAR(10), UNIQUE KEY ab (a, b));
INSERT INTO u VALUES (1, '1', 'x'), (2, '01', 'x'), (3, NULL, 'x'), (4, NULL, 'x');
ALTER TABLE u MODIFY a INT;
UPDATE u SET a = 'a' WHERE id = 1;
UPDATE u SET a = 'A' WHERE id = 2;
ALTER TABLE u MODIFY a VARCHAR(10) COLLATE utf8mb4_0900_ai_ci;
ALTER TABLE u CHANGE a c VARCHAR(10) COLLATE utf8mb4_0900_ai_ci;
UPDATE u SET a = 'B' WHERE id = 2;
ALTER TABLE u MODIFY a VARCHAR(10) COLLATE utf8mb4_0900_ai_ci;
INSERT INTO u VALUES (5, 'b', 'y');
----
ok, 0 rows
ok, 4 rows
ERROR 1062 (23000): Duplicate entry '1' for key 'u.a'
ok, 1 rows
ok, 1 rows
ERROR 1062 (23000): Duplicate entry 'A' for key 'u.a'
ERROR 1062 (23000): Duplicate entry 'A' for key 'u.a'
ok, 1 rows
ok, 0 rows
ERROR 1062 (23000): Duplicate entry 'b' for key 'u.a'

query
SELECT * FROM u ORDER BY id
----
id | a | b
1 | a | x
2 | B | x
3 | NULL | x
4 | NULL | x

# The same type again tries what did not fit, and leaves alone what does.
exec
CREATE TABLE again (_id VARCHAR(9) PRIMARY KEY, v VARCHAR(9), _doc JSON);
INSERT INTO again (_id, v) VALUES ('a', 'x'), ('b', '1');
ALTER TABLE again MODIFY v DECIMAL(10,2);
OPTIMIZE TABLE again;
INSERT INTO again (_doc) VALUES ('{"_id":"c","v":7}');
UPDATE again SET v = 3 WHERE _id = 'a';
ALTER TABLE again MODIFY v DECIMAL(10,2);
OPTIMIZE TABLE again;
----
ok, 0 rows
ok, 2 rows
ok, 0 rows
ok, 0 rows
ok, 1 rows
ok, 1 rows
ok, 0 rows
ok, 0 rows

query
SELECT _doc FROM again
----
_doc
{"_id":"a","v":3.00}
{"_id":"b","v":1.00}
{"_id":"c","v":7}

# While the index is rebuilt all documents are still to be upgraded.
exec
SET GLOBAL sqlfdb_jobs = 'hold';
CREATE TABLE both_jobs (id INT PRIMARY KEY, v INT);
INSERT INTO both_jobs VALUES (1, 1), (2, 2), (3, 3);
ALTER TABLE both_jobs ENGINE_ATTRIBUTE = '{"max_depth":3}';
ALTER TABLE both_jobs MODIFY v VARCHAR(9);
----
ok, 0 rows
ok, 0 rows
ok, 3 rows
ok, 0 rows
ok, 0 rows

query
SELECT kind, state, done, total FROM sqlfdb.jobs WHERE `table` = 'both_jobs'
----
kind | state | done | total
rebuild | held | 0 | 3
upgrade | held | 0 | 3

exec
OPTIMIZE TABLE both_jobs;
SET GLOBAL sqlfdb_jobs = 'run';
----
ok, 0 rows
ok, 0 rows

query
SELECT kind, state, done, total FROM sqlfdb.jobs WHERE `table` = 'both_jobs'
----
kind | state | done | total
rebuild | done | 3 | 3
upgrade | done | 3 | 3

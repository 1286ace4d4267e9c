# Documents read as having the default of a new column at once, and get it later. The
# background is held back; OPTIMIZE TABLE lets it finish.
exec
SET GLOBAL sqlfdb_jobs = 'hold';
CREATE TABLE c (id INT PRIMARY KEY, a INT);
INSERT INTO c VALUES (1, 10), (2, 20), (3, 30);
ALTER TABLE c ADD COLUMN m INT NOT NULL DEFAULT 9, ADD COLUMN s VARCHAR(5) DEFAULT 'new' AFTER id, ADD COLUMN z INT NOT NULL, ADD COLUMN d DECIMAL(6,2) DEFAULT 1.5;
INSERT INTO c (id, a, z) VALUES (4, 40, 4);
INSERT INTO c (id, a, m, s, z, d) VALUES (5, 50, 5, NULL, 5, NULL);
----
ok, 0 rows
ok, 0 rows
ok, 3 rows
ok, 0 rows
ok, 1 rows
ok, 1 rows

query
SELECT * FROM c ORDER BY id
----
id | s | a | m | z | d
1 | new | 10 | 9 | 0 | 1.50
2 | new | 20 | 9 | 0 | 1.50
3 | new | 30 | 9 | 0 | 1.50
4 | new | 40 | 9 | 4 | 1.50
5 | NULL | 50 | 5 | 5 | NULL

query
SELECT kind, `table`, state, done, total FROM sqlfdb.jobs
----
kind | table | state | done | total
upgrade | c | held | 0 | 3

query
SELECT keypath, type, documents FROM sqlfdb.keypaths WHERE `table` = 'c' AND keypath IN ('m', 's') ORDER BY keypath, type
----
keypath | type | documents
m | number | 2
s | null | 1
s | string | 1

query
SELECT id FROM c WHERE m = 9 ORDER BY id
----
id
1
2
3
4

query
SELECT id FROM c WHERE s IS NULL
----
id
5

query
SELECT COUNT(*), COUNT(s), MIN(m), SUM(d) FROM c
----
COUNT(*) | COUNT(s) | MIN(m) | SUM(d)
5 | 4 | 5 | 6.00

query
EXPLAIN FORMAT=TREE SELECT id FROM c WHERE m = 9
----
EXPLAIN
-> Project: c.id
    -> Filter: (c.m = 9)
        -> Table scan on c
             documents: 5, exactly
             residual: (c.m = 9)
             no range: (c.m = 9): `m` is new, and its default is being written into the documents

query
CHECK TABLE c
----
Table | Op | Msg_type | Msg_text
d.c | check | status | OK

# Updates write it, also those of something else; deletes find what is there.
exec
UPDATE c SET a = 11 WHERE id = 1;
UPDATE c SET m = m + 1 WHERE s = 'new' AND id = 2;
UPDATE c SET s = NULL WHERE id = 3;
DELETE FROM c WHERE m = 10;
ALTER TABLE c ADD CONSTRAINT k CHECK (m < 9);
ALTER TABLE c MODIFY d VARCHAR(10);
----
ok, 1 rows
ok, 1 rows
ok, 1 rows
ok, 1 rows
ERROR 3819 (HY000): Check constraint "k" violated
ok, 0 rows

query
SELECT * FROM c ORDER BY id
----
id | s | a | m | z | d
1 | new | 11 | 9 | 0 | 1.50
3 | NULL | 30 | 9 | 0 | 1.50
4 | new | 40 | 9 | 4 | 1.50
5 | NULL | 50 | 5 | 5 | NULL

query
SELECT id FROM c WHERE d = '1.50' ORDER BY id
----
id
1
3
4

query
CHECK TABLE c
----
Table | Op | Msg_type | Msg_text
d.c | check | status | OK

exec
CREATE UNIQUE INDEX u ON c (m);
OPTIMIZE TABLE c;
----
ERROR 1062 (23000): Duplicate entry '9' for key 'c.u'
ok, 0 rows

query
SELECT * FROM c ORDER BY id
----
id | s | a | m | z | d
1 | new | 11 | 9 | 0 | 1.50
3 | NULL | 30 | 9 | 0 | 1.50
4 | new | 40 | 9 | 4 | 1.50
5 | NULL | 50 | 5 | 5 | NULL

query
SELECT keypath, type, documents FROM sqlfdb.keypaths WHERE `table` = 'c' AND keypath IN ('m', 's') ORDER BY keypath, type
----
keypath | type | documents
m | number | 4
s | null | 2
s | string | 2

query
EXPLAIN FORMAT=TREE SELECT id FROM c WHERE m = 9
----
EXPLAIN
-> Project: c.id
    -> Index lookup on c using m
         range: `m` in 9
         entries only: no document is read
         keys: 3 counted of 4
         tight
         cost: 0.2, a full scan costs 4.0

# What differs from document to document is written at once; so is what stands in a value.
exec
ALTER TABLE c ADD COLUMN e INT DEFAULT (a + 1);
ALTER TABLE c ADD COLUMN t.u INT DEFAULT 3;
ALTER TABLE c ADD COLUMN `t.u` INT DEFAULT 3;
ALTER TABLE c ADD COLUMN x DATE NOT NULL, ADD CONSTRAINT kx CHECK (x > '2000-01-01');
ALTER TABLE c ADD COLUMN y INT DEFAULT 7, ADD CONSTRAINT ky CHECK (y > 7);
ALTER TABLE c ADD COLUMN w INT DEFAULT 7, ADD UNIQUE INDEX wu (w);
----
ok, 0 rows
ERROR 1064 (42000): syntax error at position 28 near 't'
ok, 0 rows
ERROR 3819 (HY000): Check constraint "kx" violated
ERROR 3819 (HY000): Check constraint "ky" violated
ERROR 1062 (23000): Duplicate entry '7' for key 'c.wu'

query
SELECT id, e, `t.u`, w FROM c ORDER BY id
----
ERROR 1054 (42S22): column "w" could not be found in any table in scope

query
SELECT id, e, `t.u` FROM c ORDER BY id
----
id | e | t.u
1 | 12 | 3
3 | 31 | 3
4 | 41 | 3
5 | 51 | 3

# An open table: documents that have no value of the column, and some that have.
exec
CREATE TABLE o (_id INT PRIMARY KEY, _doc JSON);
INSERT INTO o (_doc) VALUES ('{"_id":1,"k":1}'), ('{"_id":2,"k":null}'), ('{"_id":3}');
ALTER TABLE o ADD COLUMN m VARCHAR(5) NOT NULL DEFAULT 'x';
ALTER TABLE o ADD COLUMN k INT DEFAULT 8;
INSERT INTO o (_doc) VALUES ('{"_id":4,"m":"y"}');
UPDATE o SET _doc = JSON_REMOVE(_doc, '$.k') WHERE _id = 3;
----
ok, 0 rows
ok, 3 rows
ok, 0 rows
ok, 0 rows
ok, 1 rows
ok, 1 rows

query
SELECT _id, m, k, _doc FROM o ORDER BY _id
----
_id | m | k | _doc
1 | x | 1 | {"_id":1,"k":1,"m":"x"}
2 | x | 8 | {"_id":2,"k":8,"m":"x"}
3 | x | NULL | {"_id":3,"m":"x"}
4 | y | 8 | {"_id":4,"m":"y","k":8}

query
SELECT _id FROM o WHERE m = 'x' AND _doc->>'$.m' = 'x' ORDER BY _id
----
_id
1
2
3

query
SELECT _id, _doc->>'$.m' FROM o__changes WHERE deleted = 0 ORDER BY _id
----
_id | _doc->>'$.m'
1 | x
2 | x
3 | x
4 | y

query
CHECK TABLE o
----
Table | Op | Msg_type | Msg_text
d.o | check | status | OK

exec
ALTER TABLE o ADD COLUMN t DATETIME DEFAULT CURRENT_TIMESTAMP;
ALTER TABLE o ENGINE_ATTRIBUTE = '{"key_scheme":"field"}';
ALTER TABLE o RENAME COLUMN m TO mm;
OPTIMIZE TABLE o;
SET GLOBAL sqlfdb_jobs = 'run';
----
ok, 0 rows
ok, 0 rows
ok, 0 rows
ok, 0 rows
ok, 0 rows

query
SELECT _id, mm, k, t > '2020-01-01', JSON_KEYS(_doc) FROM o ORDER BY _id
----
_id | mm | k | t > '2020-01-01' | JSON_KEYS(_doc)
1 | x | 1 | 1 | ["_id","k","t","mm"]
2 | x | 8 | 1 | ["_id","k","t","mm"]
3 | x | NULL | 1 | ["_id","t","mm"]
4 | y | 8 | 1 | ["_id","k","t","mm"]

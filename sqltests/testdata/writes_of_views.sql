# INSERT, REPLACE, UPDATE and DELETE of a plain view are of its table, whichever is the current database.
exec
CREATE TABLE t (id INT PRIMARY KEY AUTO_INCREMENT, k INT NOT NULL DEFAULT 1, s VARCHAR(10), g INT AS (k * 10) STORED, hidden INT DEFAULT 9, CHECK (k < 100));
CREATE TABLE u (id INT PRIMARY KEY, s VARCHAR(10));
INSERT INTO t (k, s) VALUES (1, 'a'), (2, 'b'), (3, 'c'), (60, 'd');
INSERT INTO u VALUES (1, 'u1'), (3, 'u3');
CREATE VIEW v AS SELECT id, k AS rank_, s AS name, k + 1 AS next, g FROM t WHERE k < 50;
CREATE VIEW w AS SELECT * FROM v WHERE id > 1;
CREATE VIEW x (number, word) AS SELECT y.id, y.s FROM t y;
CREATE VIEW all_t AS SELECT * FROM t;
CREATE VIEW c AS SELECT id, k FROM t WHERE k < 50 WITH CHECK OPTION;
CREATE VIEW grouped AS SELECT k, COUNT(*) n FROM t GROUP BY k;
CREATE VIEW twice AS SELECT t.id, u.s FROM t JOIN u ON u.id = t.id;
UPDATE v SET name = 'A' WHERE id = 1;
UPDATE v SET name = CONCAT(name, next), rank_ = rank_ + 1 WHERE v.next > 2 ORDER BY next DESC LIMIT 1;
UPDATE v y SET y.name = (SELECT u.s FROM u WHERE u.id = y.id) WHERE EXISTS (SELECT 1 FROM u WHERE u.id = y.id) AND y.id = 1;
UPDATE v SET name = 'none' WHERE id = 4;
UPDATE x SET word = UPPER(word) WHERE number = 2;
UPDATE all_t SET hidden = hidden + 1 WHERE id = 2
----
ok, 0 rows
ok, 0 rows
ok, 4 rows, id 1
ok, 2 rows
ok, 0 rows
ok, 0 rows
ok, 0 rows
ok, 0 rows
ok, 0 rows
ok, 0 rows
ok, 0 rows
ok, 1 rows
ok, 1 rows
ok, 1 rows
ok, 0 rows
ok, 1 rows
ok, 1 rows

query
SELECT * FROM t ORDER BY id
----
id | k | s | g | hidden
1 | 1 | u1 | 10 | 9
2 | 2 | B | 20 | 10
3 | 4 | c4 | 40 | 9
4 | 60 | d | 600 | 9

exec
UPDATE v SET rank_ = 100 WHERE id = 1;
UPDATE v SET next = 3;
UPDATE v SET hidden = 3;
UPDATE v SET name = 'x' WHERE hidden = 9;
UPDATE v SET name = hidden;
UPDATE v SET g = 3;
INSERT INTO v (rank_, name) VALUES (7, 'seven'), (70, 'unseen');
INSERT INTO x VALUES (20, 'twenty');
INSERT INTO x VALUES (20, 'again') ON DUPLICATE KEY UPDATE word = CONCAT(word, '+', VALUES(word));
REPLACE INTO x (number, word) VALUES (2, 'replaced');
INSERT INTO x SET number = 21, word = 'set';
INSERT INTO x SELECT id + 30, s FROM u;
INSERT IGNORE INTO x VALUES (20, 'ignored');
INSERT INTO all_t (k) VALUES (200);
INSERT INTO v (next) VALUES (3);
INSERT INTO v (hidden) VALUES (3)
----
ERROR 3819 (HY000): Check constraint "t_chk_1" violated
ERROR 1348 (HY000): Column 'next' is not updatable
ERROR 1054 (42S22): Unknown column 'hidden' in 'field list'
ERROR 1054 (42S22): Unknown column 'hidden' in 'where clause'
ERROR 1054 (42S22): Unknown column 'hidden' in 'where clause'
ERROR 3105 (HY000): The value specified for generated column "g" in table "v" is not allowed.
ok, 2 rows, id 5
ok, 1 rows, id 20
ERROR 1406 (22001): string 'twenty+again' is too large for column 's'
ok, 2 rows, id 5
ok, 1 rows, id 21
ok, 2 rows, id 31
ok, 0 rows
ERROR 3819 (HY000): Check constraint "t_chk_1" violated
ERROR 1348 (HY000): Column 'next' is not updatable
ERROR 1054 (42S22): Unknown column 'hidden' in 'field list'

query
SELECT * FROM t ORDER BY id
----
id | k | s | g | hidden
1 | 1 | u1 | 10 | 9
2 | 1 | replaced | 10 | 9
3 | 4 | c4 | 40 | 9
4 | 60 | d | 600 | 9
5 | 7 | seven | 70 | 9
6 | 70 | unseen | 700 | 9
20 | 1 | twenty | 10 | 9
21 | 1 | set | 10 | 9
31 | 1 | u1 | 10 | 9
33 | 1 | u3 | 10 | 9

exec
DELETE FROM w WHERE id < 3;
DELETE FROM v WHERE id IN (SELECT t.id FROM t WHERE t.id = v.id);
DELETE FROM v WHERE id = 6 OR EXISTS (SELECT 1 FROM u WHERE u.id = v.id AND name = v.name);
DELETE FROM v WHERE rank_ = 7;
DELETE v FROM v WHERE v.name = 'u1';
DELETE FROM v WHERE id = 4;
DELETE FROM x WHERE word LIKE 'u%' ORDER BY number DESC LIMIT 1
----
ok, 1 rows
ERROR 1288 (HY000): The target table v of the DELETE is not updatable
ERROR 1054 (42S22): column "name" could not be found in any table in scope
ok, 1 rows
ok, 2 rows
ok, 0 rows
ok, 1 rows

query
SELECT * FROM t ORDER BY id
----
id | k | s | g | hidden
3 | 4 | c4 | 40 | 9
4 | 60 | d | 600 | 9
6 | 70 | unseen | 700 | 9
20 | 1 | twenty | 10 | 9
21 | 1 | set | 10 | 9

exec
PREPARE p FROM 'UPDATE v SET name = ? WHERE id = ?';
SET @a = 'prepared', @b = 3
----
ok, 0 rows
ok, 0 rows

query
EXECUTE p USING @a, @b
----
----

----
----

query
SELECT name FROM v WHERE id = 3
----
name
prepared

query
EXPLAIN FORMAT=TREE UPDATE v SET name = 'y' WHERE id = 3
----
EXPLAIN
-> Update
    -> Set: v.s = 'y', v.g = ((v.k * 10))
        -> Filter: (v.k < 50)
            -> Single-row index lookup on v using PRIMARY
                 range: primary key in 3
                 keys: about 1 of 1
                 tight
                 residual: (v.k < 50)
                 cost: 0.0, a full scan costs 5.0
                 lost: `k` in (-∞, 50), keys: 3 counted of 5: cost 6.1, the chosen one costs 0.0

# Of other views they are refused.
exec
UPDATE c SET k = 60;
INSERT INTO c VALUES (90, 60);
DELETE FROM c WHERE id = 20;
UPDATE grouped SET k = 1;
DELETE FROM grouped;
INSERT INTO w (id, name, rank_) VALUES (40, 'w', 2);
UPDATE w SET name = 'ww' WHERE id = 40;
INSERT INTO grouped VALUES (1, 2);
UPDATE twice SET s = 'x'
----
ERROR 1235 (42000): INSERT and UPDATE of a view WITH CHECK OPTION are not supported
ERROR 1235 (42000): INSERT and UPDATE of a view WITH CHECK OPTION are not supported
ok, 1 rows
ERROR 1288 (HY000): The target table grouped of the UPDATE is not updatable
ERROR 1288 (HY000): The target table grouped of the DELETE is not updatable
ok, 1 rows, id 40
ok, 1 rows
ERROR 1471 (HY000): The target table grouped of the INSERT is not insertable-into
ERROR 1288 (HY000): The target table twice of the UPDATE is not updatable

query
SELECT COUNT(*) FROM t
----
COUNT(*)
5

query
CHECK TABLE t, u
----
Table | Op | Msg_type | Msg_text
d.t | check | status | OK
d.u | check | status | OK

exec conn=none
CREATE DATABASE other;
USE other;
DROP DATABASE other;
UPDATE d.v SET name = 'nowhere' WHERE id = 3;
INSERT INTO d.x VALUES (50, 'nowhere');
DELETE FROM d.x WHERE number = 50
----
ok, 1 rows
ok, 0 rows
ok, 1 rows
ok, 1 rows
ok, 1 rows, id 50
ok, 1 rows

query
SELECT name FROM v WHERE id = 3
----
name
nowhere

exec
SET sqlfdb_use_index = OFF;
UPDATE w SET name = 'unindexed' WHERE id = 3
----
ok, 0 rows
ok, 1 rows

query
SELECT name FROM v WHERE id = 3
----
name
unindexed

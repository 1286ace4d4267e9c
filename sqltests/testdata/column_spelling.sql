# Names of columns that spell no keypath are single keys of documents, in primary keys too.
exec
CREATE TABLE q (`a"b` INT PRIMARY KEY, `c\d` INT UNIQUE, `f..g` VARCHAR(4) COLLATE utf8mb4_0900_ai_ci, KEY (`f..g`));
INSERT INTO q VALUES (1, 2, 'x'), (2, 3, 'y');
INSERT INTO q VALUES (2, 4, 'z');
INSERT INTO q VALUES (3, 3, 'z');
UPDATE q SET `c\d` = 9, `a"b` = 5 WHERE `a"b` = 2;
ALTER TABLE q DROP PRIMARY KEY, ADD PRIMARY KEY (`f..g`, `c\d`);
INSERT INTO q VALUES (7, 9, 'Y');
INSERT INTO q VALUES (7, 8, 'Y');
DELETE FROM q WHERE `f..g` = 'X'
----
ok, 0 rows
ok, 2 rows
ERROR 1062 (23000): Duplicate entry '2' for key 'q.PRIMARY'
ERROR 1062 (23000): Duplicate entry '3' for key 'q.c\d'
ok, 1 rows
ok, 0 rows
ERROR 1062 (23000): Duplicate entry 'Y-9' for key 'q.PRIMARY'
ok, 1 rows
ok, 1 rows

query
SELECT * FROM q WHERE `f..g` = 'Y' AND `c\d` > 0
----
a"b | c\d | f..g
7 | 8 | Y
5 | 9 | y

query
SELECT _doc FROM q__changes WHERE deleted = 0
----
_doc
{"a\"b":5,"c\\d":9,"f..g":"y"}
{"a\"b":7,"c\\d":8,"f..g":"Y"}

exec
ALTER TABLE q DROP PRIMARY KEY, ADD PRIMARY KEY (`c\d`), MODIFY `f..g` VARCHAR(10);
ALTER TABLE q RENAME COLUMN `c\d` TO `c"d`
----
ok, 0 rows
ok, 0 rows

query
SELECT * FROM q WHERE `c"d` = 8
----
a"b | c"d | f..g
7 | 8 | Y

# A schema is a database.
exec
CREATE SCHEMA other;
CREATE SCHEMA IF NOT EXISTS other;
DROP SCHEMA other
----
ok, 1 rows
ok, 1 rows
ok, 1 rows

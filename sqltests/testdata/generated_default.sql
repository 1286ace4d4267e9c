# DEFAULT is the one value that a generated column may be given.
exec
CREATE TABLE g (id INT PRIMARY KEY, a INT, b INT AS (a + 1) STORED, c INT AS (a * 2) VIRTUAL);
CREATE TABLE u (id INT PRIMARY KEY, x INT);
INSERT INTO u VALUES (1, 5), (2, 6);
INSERT INTO g VALUES (1, 1, DEFAULT, DEFAULT);
INSERT INTO g (id, a, b) VALUES (2, 2, DEFAULT), (3, 3, DEFAULT);
INSERT INTO g SET id = 4, a = 4, c = DEFAULT;
REPLACE INTO g VALUES (1, 10, DEFAULT, DEFAULT), (5, 5, DEFAULT, DEFAULT);
UPDATE g SET b = DEFAULT;
UPDATE g SET b = DEFAULT, c = DEFAULT WHERE id = 3;
UPDATE g SET b = DEFAULT, a = a + 1 WHERE id = 3;
UPDATE g JOIN u ON g.id = u.id SET g.b = DEFAULT, u.x = u.x + 1;
UPDATE g JOIN u ON g.id = u.id SET g.b = DEFAULT;
UPDATE g z, u SET z.a = u.x, z.c = DEFAULT WHERE z.id = u.id;
INSERT INTO g (id, a) VALUES (1, 7) ON DUPLICATE KEY UPDATE b = DEFAULT;
INSERT INTO g VALUES (1, 9, DEFAULT, DEFAULT) ON DUPLICATE KEY UPDATE a = VALUES(a), c = DEFAULT;
UPDATE g SET b = 5
----
ok, 0 rows
ok, 0 rows
ok, 2 rows
ok, 1 rows
ok, 2 rows
ok, 1 rows
ok, 3 rows
ok, 0 rows
ok, 0 rows
ok, 1 rows
ok, 2 rows
ok, 0 rows
ok, 2 rows
ok, 0 rows
ok, 2 rows
ERROR 3105 (HY000): The value specified for generated column "b" in table "g" is not allowed.

query
SELECT * FROM g ORDER BY id
----
id | a | b | c
1 | 9 | 10 | 18
2 | 7 | 8 | 14
3 | 4 | 5 | 8
4 | 4 | 5 | 8
5 | 5 | 6 | 10

# A column is shown as it was declared.
exec
CREATE TABLE v (id INT PRIMARY KEY, a INT, b INT AS (a + 1), c INT GENERATED ALWAYS AS (a + 2) STORED, d INT AS (a + 3) VIRTUAL);
INSERT INTO v (id, a) VALUES (1, 1);
ALTER TABLE v ADD e INT AS (a + 4) VIRTUAL, ADD INDEX (d);
ALTER TABLE v MODIFY a BIGINT;
CREATE TABLE w LIKE v
----
ok, 0 rows
ok, 1 rows
ok, 0 rows
ok, 0 rows
ok, 0 rows

query
SHOW CREATE TABLE w
----
Table | Create Table
w | CREATE TABLE `w` (
  `id` int NOT NULL,
  `a` bigint,
  `b` int GENERATED ALWAYS AS (`a` + 1) VIRTUAL,
  `c` int GENERATED ALWAYS AS (`a` + 2) STORED,
  `d` int GENERATED ALWAYS AS (`a` + 3) VIRTUAL,
  `e` int GENERATED ALWAYS AS (`a` + 4) VIRTUAL,
  PRIMARY KEY (`id`),
  KEY `d` (`d`)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_as_cs

query
SELECT column_name, extra, generation_expression FROM information_schema.columns WHERE table_name = 'v' AND extra <> ''
----
COLUMN_NAME | EXTRA | GENERATION_EXPRESSION
b | VIRTUAL GENERATED | `a` + 1
c | STORED GENERATED | `a` + 2
d | VIRTUAL GENERATED | `a` + 3
e | VIRTUAL GENERATED | `a` + 4

query
SELECT * FROM v WHERE d = 4
----
id | a | b | c | d | e
1 | 1 | 2 | 3 | 4 | 5

query
SHOW COLUMNS FROM v WHERE Extra <> ''
----
Field | Type | Null | Key | Default | Extra
b | int | YES |  | NULL | VIRTUAL GENERATED
c | int | YES |  | NULL | STORED GENERATED
d | int | YES | MUL | NULL | VIRTUAL GENERATED
e | int | YES |  | NULL | VIRTUAL GENERATED

# A common table expression is not what a table's name with its database means.
exec
CREATE TABLE p (a INT PRIMARY KEY, b VARCHAR(10));
INSERT INTO p VALUES (7, 'seven'), (8, 'eight');
CREATE TABLE q (a INT PRIMARY KEY);
INSERT INTO q VALUES (7), (1)
----
ok, 0 rows
ok, 2 rows
ok, 0 rows
ok, 2 rows

query
WITH p AS (SELECT 1 AS a) SELECT * FROM d.p ORDER BY a
----
a | b
7 | seven
8 | eight

query
WITH p AS (SELECT 1 AS a) SELECT * FROM p
----
a
1

query
WITH P AS (SELECT 1 AS a) SELECT b FROM d.p ORDER BY b
----
b
eight
seven

query
WITH p AS (SELECT 1 AS a) SELECT p.a, x.a FROM d.p x JOIN p ON p.a < x.a ORDER BY x.a
----
a | a
1 | 7
1 | 8

query
WITH p (n) AS (SELECT 1 AS a) SELECT p.n, x.a, y.n FROM d.p x JOIN p JOIN p y ORDER BY x.a
----
n | a | n
1 | 7 | 1
1 | 8 | 1

query
WITH p AS (SELECT 1 AS a) SELECT * FROM q JOIN d.p USING (a)
----
a | b
7 | seven

query
WITH p AS (SELECT 1 AS a) SELECT a, (SELECT COUNT(*) FROM d.p) c FROM p
----
a | c
1 | 2

query
WITH p AS (SELECT 1 AS a) SELECT * FROM q WHERE a IN (SELECT a FROM d.p)
----
a
7

query
WITH p AS (SELECT 1 AS a) SELECT d.p.b FROM d.p ORDER BY d.p.a
----
b
seven
eight

query
WITH p AS (SELECT 1 AS a) (SELECT * FROM d.p) UNION ALL SELECT a, '' FROM p ORDER BY a
----
a | b
1 |
7 | seven
8 | eight

# In its own query, in those of others, within one another, and by itself.
query
WITH p AS (SELECT a + 1 AS n FROM d.p) SELECT * FROM p ORDER BY n
----
n
8
9

query
WITH p AS (SELECT a + 1 AS n FROM p WHERE a > 7) SELECT p.n, x.a FROM p JOIN d.p x ORDER BY x.a
----
n | a
9 | 7
9 | 8

query
WITH p AS (SELECT 1 AS a), r AS (SELECT * FROM p), s AS (SELECT * FROM d.p) SELECT r.a, s.* FROM r JOIN s ORDER BY s.a
----
a | a | b
1 | 7 | seven
1 | 8 | eight

query
WITH p AS (SELECT 1 AS a)
SELECT * FROM (WITH p AS (SELECT 2 AS a) SELECT p.a, (SELECT MAX(a) FROM d.p) m FROM p) x JOIN p
----
a | m | a
2 | 8 | 1

query
WITH RECURSIVE p AS (SELECT a FROM d.p UNION ALL SELECT a + 2 FROM p WHERE a < 10) SELECT * FROM p ORDER BY a
----
a
7
8
9
10
11

query
WITH tables AS (SELECT 1 AS n) SELECT table_name, n FROM information_schema.tables x JOIN tables
WHERE table_schema = 'd' ORDER BY table_name
----
TABLE_NAME | n
p | 1
q | 1

# In statements that write, in views, prepared.
exec
CREATE TABLE r AS WITH p AS (SELECT 1 AS n) SELECT n, b FROM d.p x JOIN p;
INSERT INTO r WITH p AS (SELECT 1 AS a) SELECT a, b FROM d.p
----
ok, 2 rows
ok, 2 rows

query
SELECT * FROM r ORDER BY n, b
----
n | b
1 | eight
1 | seven
7 | seven
8 | eight

exec
WITH p AS (SELECT 7 AS a) UPDATE d.p JOIN p x ON x.a = p.a SET b = 'x';
WITH p AS (SELECT 8 AS a) UPDATE d.p SET b = 'y' WHERE a IN (SELECT a FROM p)
----
ok, 1 rows
ok, 1 rows

query
SELECT * FROM p ORDER BY a
----
a | b
7 | x
8 | y

exec
CREATE VIEW v AS WITH p AS (SELECT 1 AS n) SELECT p.n, x.b FROM p JOIN d.p x;
CREATE VIEW w AS SELECT * FROM p
----
ok, 0 rows
ok, 0 rows

query
SELECT * FROM v ORDER BY b
----
n | b
1 | x
1 | y

query
WITH p AS (SELECT 1 AS n), w AS (SELECT 2 AS m) SELECT * FROM d.w ORDER BY a
----
a | b
7 | x
8 | y

exec
PREPARE s FROM 'WITH p AS (SELECT 1 AS n) SELECT * FROM d.p WHERE a > ? ORDER BY a';
SET @a = 7
----
ok, 0 rows
ok, 0 rows

query
EXECUTE s USING @a
----
a | b
8 | y

exec
WITH p AS (SELECT 8 AS a) DELETE FROM d.p WHERE a IN (SELECT a FROM p)
----
ok, 1 rows

query
SELECT * FROM p
----
a | b
7 | x

query
CHECK TABLE p, q, r
----
Table | Op | Msg_type | Msg_text
d.p | check | status | OK
d.q | check | status | OK
d.r | check | status | OK

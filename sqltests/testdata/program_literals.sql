# A program is kept of a statement's text. Literals that are no operands, that planning computes, or that have another
# spelling belong to it.

exec
CREATE TABLE t (id INT PRIMARY KEY, a INT, b INT, s VARCHAR(20), at DATETIME)
----
ok, 0 rows

exec
INSERT INTO t VALUES (0, 0, 0, '0', '2024-05-01 10:20:30'), (1, 1, 1, '1', '2024-05-02 10:20:30'), (2, 2, 2, '2', '2024-05-03 10:20:30'), (3, 3, 3, '3', '2024-05-04 10:20:30'), (4, 4, 4, '4', '2024-05-05 10:20:30'), (5, 5, 0, '5', '2024-05-06 10:20:30'), (6, 6, 1, '6', '2024-05-07 10:20:30'), (7, 0, 2, '7', '2024-05-08 10:20:30'), (8, 1, 3, '8', '2024-05-09 10:20:30'), (9, 2, 4, '9', '2024-05-10 10:20:30'), (10, 3, 0, '10', '2024-05-11 10:20:30'), (11, 4, 1, '11', '2024-05-12 10:20:30')
----
ok, 12 rows

# The time of a condition is the time of each run.

exec
SET timestamp = 1714900000
----
ok, 0 rows

query
SELECT COUNT(*) FROM t WHERE at < NOW()
----
COUNT(*)
4

query
SELECT COUNT(*) FROM t WHERE at < NOW()
----
COUNT(*)
4

query
SELECT COUNT(*) FROM t WHERE at < NOW()
----
COUNT(*)
4

exec
SET timestamp = 1715200000
----
ok, 0 rows

query
SELECT COUNT(*) FROM t WHERE at < NOW()
----
COUNT(*)
8

query
SELECT COUNT(*) FROM t WHERE DATE(at) = CURDATE()
----
COUNT(*)
1

query
SELECT COUNT(*) FROM t WHERE DATE(at) = CURDATE()
----
COUNT(*)
1

exec
SET timestamp = 1714900000
----
ok, 0 rows

query
SELECT id FROM t WHERE DATE(at) = CURDATE()
----
id
4

query
SELECT id, NOW() FROM t WHERE id = 3
----
id | NOW()
3 | 2024-05-05 09:06:40

query
SELECT id, NOW() FROM t WHERE id = 3
----
id | NOW()
3 | 2024-05-05 09:06:40

exec
SET timestamp = 1715200000
----
ok, 0 rows

query
SELECT id, NOW() FROM t WHERE id = 3
----
id | NOW()
3 | 2024-05-08 20:26:40

exec
SET timestamp = DEFAULT
----
ok, 0 rows

# Signs and zeros before a number.

exec
DELETE FROM t WHERE id = -0
----
ok, 1 rows

exec
DELETE FROM t WHERE id = -2
----
ok, 0 rows

exec
UPDATE t SET a = -0 WHERE id = 1
----
ok, 1 rows

exec
UPDATE t SET a = -7 WHERE id = 3
----
ok, 1 rows

exec
INSERT INTO t (id, a) VALUES (20, -0)
----
ok, 1 rows

exec
INSERT INTO t (id, a) VALUES (21, -7)
----
ok, 1 rows

query
SELECT id, a FROM t WHERE id IN (0, 1, 2, 3, 20, 21) ORDER BY id
----
id | a
1 | 0
2 | 2
3 | -7
20 | 0
21 | -7

query
SELECT id FROM t WHERE a > -1 AND b = 01 ORDER BY id
----
id
1
6
11

query
SELECT id FROM t WHERE a > -1 AND b = 01 ORDER BY id
----
id
1
6
11

query
SELECT id FROM t WHERE a > -1 AND b = 01 ORDER BY id
----
id
1
6
11

query
SELECT id FROM t WHERE a > -8 AND b = 01 ORDER BY id
----
id
1
6
11

query
SELECT id, 0 FROM t WHERE b = 00 ORDER BY id LIMIT 0
----
id | 0

query
SELECT id, 0 FROM t WHERE b = 00 ORDER BY id LIMIT 0
----
id | 0

query
SELECT id, 0 FROM t WHERE b = 00 ORDER BY id LIMIT 0
----
id | 0

query
SELECT id, 0 FROM t WHERE b = 00 ORDER BY id LIMIT 2
----
id | 0
5 | 0
10 | 0

# Conditions that planning computes, or makes two of.

query
SELECT COUNT(*) FROM t WHERE a BETWEEN 1 AND 5 AND 5=5
----
COUNT(*)
7

query
SELECT COUNT(*) FROM t WHERE a BETWEEN 1 AND 5 AND 5=5
----
COUNT(*)
7

query
SELECT COUNT(*) FROM t WHERE a BETWEEN 1 AND 5 AND 5=5
----
COUNT(*)
7

query
SELECT COUNT(*) FROM t WHERE a BETWEEN 1 AND 5 AND 5=3
----
COUNT(*)
0

query
SELECT COUNT(*) FROM t WHERE NOT (a = 1 OR b = 2) AND 2 = 2
----
COUNT(*)
8

query
SELECT COUNT(*) FROM t WHERE NOT (a = 1 OR b = 2) AND 2 = 2
----
COUNT(*)
8

query
SELECT COUNT(*) FROM t WHERE NOT (a = 1 OR b = 2) AND 2 = 2
----
COUNT(*)
8

query
SELECT COUNT(*) FROM t WHERE NOT (a = 1 OR b = 2) AND 2 = 3
----
COUNT(*)
0

query
SELECT COUNT(*) FROM t WHERE 5 = 5 AND NOT (a <> 5 OR b <> 6)
----
COUNT(*)
0

query
SELECT COUNT(*) FROM t WHERE 5 = 5 AND NOT (a <> 5 OR b <> 6)
----
COUNT(*)
0

query
SELECT COUNT(*) FROM t WHERE 5 = 5 AND NOT (a <> 5 OR b <> 6)
----
COUNT(*)
0

query
SELECT COUNT(*) FROM t WHERE 5 = 3 AND NOT (a <> 5 OR b <> 6)
----
COUNT(*)
0

query
SELECT id FROM t WHERE '2024-05-05' BETWEEN at AND s
----
id
3

query
SELECT id FROM t WHERE '2024-05-05' BETWEEN at AND s
----
id
3

query
SELECT id FROM t WHERE '2024-05-05' BETWEEN at AND s
----
id
3

query
SELECT id FROM t WHERE '2024-05-01' BETWEEN at AND s
----
id

# Warnings of planning come with each run.

exec
SELECT id FROM t WHERE a <> 1.0 / 0.0
----
ok, 0 rows

query
SHOW WARNINGS
----
Level | Code | Message
Warning | 1365 | Division by 0

exec
SELECT id FROM t WHERE a <> 1.0 / 0.0
----
ok, 0 rows

query
SHOW WARNINGS
----
Level | Code | Message
Warning | 1365 | Division by 0

exec
SELECT id FROM t WHERE a <> 1.0 / 0.0
----
ok, 0 rows

query
SHOW WARNINGS
----
Level | Code | Message
Warning | 1365 | Division by 0

exec
SELECT COUNT(*) FROM t WHERE a <> 5 AND b <> 1.5 % 0.0
----
ok, 0 rows

query
SHOW WARNINGS
----
Level | Code | Message
Warning | 1365 | Division by 0

exec
SELECT COUNT(*) FROM t WHERE a <> 5 AND b <> 1.5 % 0.0
----
ok, 0 rows

query
SHOW WARNINGS
----
Level | Code | Message
Warning | 1365 | Division by 0

exec
SELECT COUNT(*) FROM t WHERE a <> 5 AND b <> 1.5 % 0.0
----
ok, 0 rows

query
SHOW WARNINGS
----
Level | Code | Message
Warning | 1365 | Division by 0

# A program that gives way to planning warns as planning does.

exec
CREATE TABLE o (_id VARCHAR(20) PRIMARY KEY, _doc JSON);
INSERT INTO o (_id, a, s) VALUES ('1', 1, 'x');
SELECT _id, nope, z FROM o WHERE a = 1 AND s = 'x';
SELECT _id, nope, z FROM o WHERE a = 1 AND s = 'x';
SELECT _id, nope, z FROM o WHERE a = 1 AND s = 'x'
----
ok, 0 rows
ok, 1 rows
ok, 0 rows
ok, 0 rows
ok, 0 rows

exec conn=other
INSERT INTO o (_id, z) VALUES ('2', 'x')
----
ok, 1 rows

exec
SELECT _id, nope, z FROM o WHERE a = 1 AND s = 'x'
----
ok, 0 rows

query
SHOW WARNINGS
----
Level | Code | Message
Warning | 1054 | No document of d.o has the keypath `nope`

# Runs of programs count as statements.

exec conn=counted
REPLACE INTO t (id, a) VALUES (30, 1);
REPLACE INTO t (id, a) VALUES (30, 2);
REPLACE INTO t (id, a) VALUES (30, 3);
UPDATE t SET a = 4 WHERE id = 30;
UPDATE t SET a = 5 WHERE id = 30;
UPDATE t SET a = 6 WHERE id = 30;
DELETE FROM t WHERE id = 30;
DELETE FROM t WHERE id = 30;
DELETE FROM t WHERE id = 30
----
ok, 1 rows
ok, 2 rows
ok, 2 rows
ok, 1 rows
ok, 1 rows
ok, 1 rows
ok, 1 rows
ok, 0 rows
ok, 0 rows

query conn=counted
SHOW SESSION STATUS WHERE Variable_name IN ('Com_insert', 'Com_update', 'Com_delete')
----
Variable_name | Value
Com_delete | 3
Com_insert | 3
Com_update | 3

query
CHECK TABLE t, o
----
Table | Op | Msg_type | Msg_text
d.t | check | status | OK
d.o | check | status | OK

# MySQL's numbers for values that do not fit, and for what there is not.
exec
CREATE TABLE t (_id INT PRIMARY KEY, s SET('x','y'), ti TIME, y YEAR, b BIT(10), d DECIMAL(5,2), _doc JSON);
INSERT INTO t (_id, s) VALUES (1, 'x,z');
INSERT INTO t (_id, ti) VALUES (1, '25:61:00');
INSERT INTO t (_id, y) VALUES (1, 2156);
INSERT INTO t (_id, b) VALUES (1, 1024);
INSERT INTO t (_id, d) VALUES (1, 1e40);
CREATE TABLE u (_id INT PRIMARY KEY, ti TIME(3));
ALTER TABLE t MODIFY nosuch INT;
ALTER TABLE t RENAME COLUMN nosuch TO other;
ALTER TABLE t ALTER COLUMN nosuch SET DEFAULT 1;
SELECT 'a' = 'A' COLLATE latin1_swedish_ci
----
ok, 0 rows
ERROR 1265 (01000): value z was not found in the set
ERROR 1292 (22007): value 25:61:00 is not a valid Time
ERROR 1264 (22003): value 2156 is not a valid Year
ERROR 1406 (22001): 1024 is beyond the maximum value that can be held by 10 bits
ERROR 1264 (22003): Out of range value for column of Decimal type 
ok, 0 rows
ERROR 1054 (42S22): Unknown column 'nosuch' in 't'
ERROR 1054 (42S22): Unknown column 'nosuch' in 't'
ERROR 1054 (42S22): Unknown column 'nosuch' in 't'
ERROR 1253 (42000): COLLATION 'latin1_swedish_ci' is not valid for CHARACTER SET 'utf8mb4'

# A value that would be in a unique key twice is shown as SQL spells it.
exec
CREATE TABLE k (_id INT PRIMARY KEY, v VARCHAR(20), UNIQUE KEY uv (v));
INSERT INTO k VALUES (1, '2024-01-02'), (2, '2024-01-02 00:00:00');
ALTER TABLE k MODIFY v DATE
----
ok, 0 rows
ok, 2 rows
ERROR 1062 (23000): Duplicate entry '2024-01-02' for key 'k.uv'

# A database's collation holds: nothing warns of it.
exec
CREATE DATABASE b COLLATE utf8mb4_bin
----
ok, 1 rows

query
SHOW WARNINGS
----
Level | Code | Message

# Nor of an index with as many columns as another.
exec
CREATE TABLE i (_id INT PRIMARY KEY, a INT, b INT, KEY k1 (a));
CREATE INDEX k2 ON i (b)
----
ok, 0 rows
ok, 0 rows

query
SHOW WARNINGS
----
Level | Code | Message

query
SELECT COUNT(*) FROM t
----
COUNT(*)
0

# A keypath without backquotes is not a table's column.
exec
CREATE TABLE q (_id VARCHAR(20) PRIMARY KEY, _doc JSON);
INSERT INTO q (_doc) VALUES ('{"_id":"a","customer":{"name":"Zoë","address":{"city":"Malmö"}}}');
SELECT customer.name FROM q;
SELECT u.customer.name FROM q u;
SELECT customer.address.city FROM q;
SELECT _id FROM q ORDER BY customer.name;
SELECT q.total FROM q u;
UPDATE q SET customer.name = 'x' WHERE _id = 'a';
SELECT nosuch FROM q u JOIN nothing n ON n.x = u.x;
----
ok, 0 rows
ok, 1 rows
ERROR 1054 (42S22): Unknown column 'customer.name': the statement has no table 'customer'; a keypath is written in backquotes: `customer.name`
ERROR 1054 (42S22): Unknown column 'u.customer.name': the statement has no table 'customer'; a keypath is written in backquotes: u.`customer.name`
ERROR 1054 (42S22): Unknown column 'customer.address.city': the statement has no table 'address'; a keypath is written in backquotes: `customer.address.city`
ERROR 1054 (42S22): Unknown column 'customer.name': the statement has no table 'customer'; a keypath is written in backquotes: `customer.name`
ERROR 1054 (42S22): Unknown column 'q.total': the statement has no table 'q'; a keypath is written in backquotes: `q.total`
ERROR 1054 (42S22): Unknown column 'customer.name': the statement has no table 'customer'; a keypath is written in backquotes: `customer.name`
ERROR 1146 (42S02): Table 'd.nothing' doesn't exist

query
SELECT u.`customer.name` FROM q u WHERE EXISTS (SELECT 1 FROM q v WHERE v._id = u._id)
----
customer.name
Zoë

# What is read of a derived table is read by its name.
query
SELECT * FROM (SELECT _id, a AS _ID FROM i) AS d
----
ERROR 1060 (42S21): duplicate column name: `_ID`

query
SELECT 1 FROM (SELECT a, a FROM i UNION ALL SELECT a, b FROM i) AS d
----
ERROR 1060 (42S21): duplicate column name: `a`

query
WITH d (a, A) AS (SELECT a, b FROM i) SELECT 1 FROM d
----
ERROR 1060 (42S21): duplicate column name: `A`

query
SELECT _id FROM i WHERE a IN (SELECT a FROM (SELECT * FROM i AS x, i AS y) AS d)
----
ERROR 1052 (23000): ambiguous column name "a", it's present in all these tables: [d d]

query
SELECT * FROM (SELECT a, a FROM i UNION ALL SELECT a, b FROM i) AS d (x, y), (SELECT a, b FROM i UNION ALL SELECT a, a FROM i) AS e
----
x | y | a | b

exec
CREATE VIEW doubled AS SELECT a, a FROM i;
CREATE VIEW doubled (x, y) AS SELECT a, a FROM i;
INSERT INTO i (_id, a) SELECT a, a FROM (SELECT a, b AS a FROM i) AS d;
UPDATE i, (SELECT a, a FROM i) AS d SET b = 1;
DELETE FROM i WHERE EXISTS (SELECT 1 FROM (SELECT a, a FROM i) AS d)
----
ERROR 1060 (42S21): duplicate column name: `a`
ok, 0 rows
ERROR 1052 (23000): ambiguous column name "a", it's present in all these tables: [d d]
ERROR 1060 (42S21): duplicate column name: `a`
ERROR 1060 (42S21): duplicate column name: `a`

query
CHECK TABLE t, k, i, q
----
Table | Op | Msg_type | Msg_text
d.t | check | status | OK
d.k | check | status | OK
d.i | check | status | OK
d.q | check | status | OK

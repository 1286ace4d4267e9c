exec
CREATE TABLE t (_id VARCHAR(255) PRIMARY KEY, _doc JSON);
CREATE TABLE log (n INT PRIMARY KEY);
INSERT INTO t (_doc) VALUES ('{"_id":"a","grades":[{"score":90},{"score":95}],"tags":["x"]}'), ('{"_id":"b","grades":[{"score":10}]}'), ('{"_id":"c"}'), ('{"_id":"d"}'), ('{"_id":"e"}');
----
ok, 0 rows
ok, 0 rows
ok, 5 rows

# Who has read a range of elements, and writes, conflicts with who changes it.
exec
BEGIN;
INSERT INTO log VALUES (1);
----
ok, 0 rows
ok, 1 rows

prepared
SELECT _id, _idx, score FROM t__grades WHERE score > 91
----
_id | _idx | score
a | 1 | 95

exec conn=other
INSERT INTO t (_doc) VALUES ('{"_id":"f","grades":[{"score":99}]}')
----
ok, 1 rows

exec
COMMIT
----
ERROR 1213 (40001): conflict with a concurrent transaction; try restarting transaction

# Elements outside of the range are of no concern.
exec
BEGIN;
INSERT INTO log VALUES (2);
----
ok, 0 rows
ok, 1 rows

prepared
SELECT _id, _idx, score FROM t__grades WHERE score > 97
----
_id | _idx | score
f | 0 | 99

exec conn=other
INSERT INTO t (_doc) VALUES ('{"_id":"g","grades":[{"score":11}]}');
UPDATE t SET name = 'Ann' WHERE _id = 'a';
----
ok, 1 rows
ok, 1 rows

exec
COMMIT
----
ok, 0 rows

# A table that is read whole: another array is a conflict, a document without is none.
exec
BEGIN;
INSERT INTO log VALUES (3);
----
ok, 0 rows
ok, 1 rows

prepared
SELECT * FROM t__tags
----
_id | _idx | _value
a | 0 | x

exec conn=other
INSERT INTO t (_doc) VALUES ('{"_id":"h","tags":["y"]}');
----
ok, 1 rows

exec
COMMIT
----
ERROR 1213 (40001): conflict with a concurrent transaction; try restarting transaction

exec
BEGIN;
INSERT INTO log VALUES (4);
----
ok, 0 rows
ok, 1 rows

prepared
SELECT * FROM t__tags
----
_id | _idx | _value
a | 0 | x
h | 0 | y

exec conn=other
INSERT INTO t (_doc) VALUES ('{"_id":"i","tags":[]}'), ('{"_id":"j"}');
----
ok, 2 rows

exec
COMMIT
----
ok, 0 rows

# A condition that rests on every element having a value conflicts with one that has none.
exec
BEGIN;
INSERT INTO log VALUES (5);
----
ok, 0 rows
ok, 1 rows

prepared
SELECT _id FROM t__grades WHERE score IS NULL
----
_id

exec conn=other
UPDATE t SET grades = CAST('[{"score":90},{}]' AS JSON) WHERE _id = 'a'
----
ok, 1 rows

exec
COMMIT
----
ERROR 1213 (40001): conflict with a concurrent transaction; try restarting transaction

query
SELECT _id FROM t__grades WHERE score IS NULL
----
_id
a

query
SELECT n FROM log ORDER BY n
----
n
2
4

# Its own writes, and going back.
exec
BEGIN;
INSERT INTO t (_doc) VALUES ('{"_id":"k","tags":["z"],"new":[{"v":1}]}');
SAVEPOINT s;
UPDATE t SET tags = CAST('["z","zz"]' AS JSON) WHERE _id = 'k';
----
ok, 0 rows
ok, 1 rows
ok, 0 rows
ok, 1 rows

query
SELECT * FROM t__tags WHERE _value LIKE 'z%'
----
_id | _idx | _value
k | 0 | z
k | 1 | zz

query
SELECT * FROM t__new
----
_id | _idx | v
k | 0 | 1

exec
ROLLBACK TO SAVEPOINT s
----
ok, 0 rows

query
SELECT * FROM t__tags WHERE _value LIKE 'z%'
----
_id | _idx | _value
k | 0 | z

exec
DELETE FROM t WHERE _id = 'k'
----
ok, 1 rows

query
SELECT COUNT(*) FROM t__tags WHERE _value LIKE 'z%'
----
COUNT(*)
0

exec
ROLLBACK
----
ok, 0 rows

# A statement that writes what it reads sees what was there when it began.
exec
INSERT INTO t (_id, tags) SELECT CONCAT(_id, _idx), JSON_ARRAY(_value, _value) FROM t__tags;
----
ok, 2 rows

query
SELECT _id, COUNT(*) FROM t__tags GROUP BY _id ORDER BY _id
----
_id | COUNT(*)
a | 1
a0 | 2
h | 1
h0 | 2

# Reads without documents behind them can be refused, as full scans are.
exec
SET sqlfdb_full_scans = deny;
----
ok, 0 rows

prepared
SELECT COUNT(*) FROM t__tags WHERE _value = 'x'
----
COUNT(*)
3

prepared
SELECT COUNT(*) FROM t__grades WHERE _idx = 0 AND score + 1 > 0
----
COUNT(*)
4

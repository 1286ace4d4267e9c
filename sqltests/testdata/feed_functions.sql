exec
CREATE TABLE t (_id VARCHAR(255) PRIMARY KEY, _doc JSON);
CREATE TABLE pair (a INT, b VARCHAR(20), v INT, PRIMARY KEY (a, b));
CREATE TABLE `odd.na``me` (_id VARCHAR(255) PRIMARY KEY, _doc JSON);
CREATE TABLE none (v INT)
----
ok, 0 rows
ok, 0 rows
ok, 0 rows
ok, 0 rows

# Before the first change the newest sequence is the first there can be.
query
SELECT sqlfdb_last_seq('t'), sqlfdb_last_seq('d.t') = '00000000000000000000000000' AS same
----
sqlfdb_last_seq('t') | same
<sequence> | 1

exec
INSERT INTO t (_doc) VALUES ('{"_id":"a","n":1}'), ('{"_id":"b","n":2}');
INSERT INTO pair VALUES (1, 'x', 10), (1, 'y', 20);
INSERT INTO `odd.na``me` (_id) VALUES ('z');
SET @before = sqlfdb_last_seq('t');
INSERT INTO t (_doc) VALUES ('{"_id":"c","n":3}')
----
ok, 2 rows
ok, 2 rows
ok, 1 rows
ok, 0 rows
ok, 1 rows

query
SELECT sqlfdb_last_seq('t') > @before AS newer, (SELECT GROUP_CONCAT(_id) FROM t__changes WHERE seq > @before) AS what, sqlfdb_last_seq('t') = (SELECT MAX(seq) FROM t__changes) AS newest
----
newer | what | newest
1 | c | 1

query
SELECT sqlfdb_wait_changes('t', @before, 0), sqlfdb_wait_changes('t', sqlfdb_last_seq('t'), 0), sqlfdb_wait_changes('t', sqlfdb_last_seq('t'), 20), sqlfdb_wait_changes('t', NULL, 5)
----
sqlfdb_wait_changes('t', @before, 0) | sqlfdb_wait_changes('t', sqlfdb_last_seq('t'), 0) | sqlfdb_wait_changes('t', sqlfdb_last_seq('t'), 20) | sqlfdb_wait_changes('t', NULL, 5)
1 | 0 | 0 | NULL

query
SELECT sqlfdb_rev('t', 'a'), sqlfdb_rev('d.t', 'nobody'), sqlfdb_rev('t', NULL), sqlfdb_rev('pair', 1, 'y'), sqlfdb_rev('pair', 2, 'y'), sqlfdb_rev('`odd.na``me`', 'z'), sqlfdb_rev('`d`.`odd.na``me`', 'z')
----
sqlfdb_rev('t', 'a') | sqlfdb_rev('d.t', 'nobody') | sqlfdb_rev('t', NULL) | sqlfdb_rev('pair', 1, 'y') | sqlfdb_rev('pair', 2, 'y') | sqlfdb_rev('`odd.na``me`', 'z') | sqlfdb_rev('`d`.`odd.na``me`', 'z')
1-f95076d186d05bef864d2e8077e94347 | NULL | NULL | 1-ec02444d4785da17bb0905143a0003f7 | NULL | 1-4c50ac70e59e41b2065f8802be2f41de | 1-4c50ac70e59e41b2065f8802be2f41de

query
SELECT _id, sqlfdb_rev('t', _id) AS rev FROM t ORDER BY _id
----
_id | rev
a | 1-f95076d186d05bef864d2e8077e94347
b | 1-22479e462168a033f54ea992c5b4134b
c | 1-c991dd2fa2c5058548113b420175f6ff

query
SELECT _id, rev = sqlfdb_rev('t', _id) AS same FROM t__changes ORDER BY seq
----
_id | same
a | 1
b | 1
c | 1

# Optimistic locking: the second of two who have read the same revision changes nothing.
exec
SET @rev = sqlfdb_rev('t', 'a');
UPDATE t SET n = n + 1 WHERE _id = 'a' AND sqlfdb_rev('t', _id) = @rev;
UPDATE t SET n = n + 100 WHERE _id = 'a' AND sqlfdb_rev('t', _id) = @rev;
DELETE FROM t WHERE _id = 'a' AND sqlfdb_rev('t', _id) = @rev;
UPDATE t SET n = n + 10 WHERE _id = 'a' AND sqlfdb_rev('t', 'a') LIKE '2-%'
----
ok, 0 rows
ok, 1 rows
ok, 0 rows
ok, 0 rows
ok, 1 rows

query
SELECT _id, n, SUBSTRING_INDEX(sqlfdb_rev('t', _id), '-', 1) AS position FROM t ORDER BY _id
----
_id | n | position
a | 12 | 3
b | 2 | 1
c | 3 | 1

# A transaction sees its own revisions; the feed is of what is committed.
exec
BEGIN;
SET @seq = sqlfdb_last_seq('t');
UPDATE t SET n = 0 WHERE _id = 'b'
----
ok, 0 rows
ok, 0 rows
ok, 1 rows

query
SELECT SUBSTRING_INDEX(sqlfdb_rev('t', 'b'), '-', 1) AS position, sqlfdb_last_seq('t') = @seq AS unchanged
----
position | unchanged
2 | 1

exec
ROLLBACK;
DELETE FROM t WHERE _id = 'b'
----
ok, 0 rows
ok, 1 rows

query
SELECT sqlfdb_rev('t', 'b'), SUBSTRING_INDEX((SELECT rev FROM t__changes WHERE _id = 'b'), '-', 1) AS position
----
sqlfdb_rev('t', 'b') | position
NULL | 2

prepared
: t
: c
SELECT sqlfdb_rev(?, ?) LIKE '1-%' AS first
----
first
1

query
SELECT sqlfdb_last_seq('nothing')
----
ERROR 1146 (42S02): Table 'd.nothing' doesn't exist

query
SELECT sqlfdb_last_seq('a.b.c')
----
ERROR 1210 (HY000): "a.b.c" is no name of a table

query
SELECT sqlfdb_last_seq('`t')
----
ERROR 1210 (HY000): "`t" is no name of a table

query
SELECT sqlfdb_last_seq(5)
----
ERROR 1210 (HY000): Incorrect arguments to sqlfdb_last_seq: the first one is the name of a table

query
SELECT sqlfdb_last_seq()
----
ERROR 1582 (42000): function 'sqlfdb_last_seq' expected 1 arguments, 0 received

query
SELECT sqlfdb_rev('t')
----
ERROR 1582 (42000): function 'sqlfdb_rev' expected 2 or more arguments, 1 received

query
SELECT sqlfdb_rev('pair', 1)
----
ERROR 1210 (HY000): Incorrect arguments to sqlfdb_rev: the primary key of d.pair has 2 columns

query
SELECT sqlfdb_rev('none', 1)
----
ERROR 1210 (HY000): Incorrect arguments to sqlfdb_rev: the primary key of d.none has 0 columns

query
SELECT sqlfdb_wait_changes('t', 'x', 1)
----
ERROR 1210 (HY000): Incorrect arguments to sqlfdb_wait_changes: the second one is a sequence of 26 hexadecimal digits

query
SELECT sqlfdb_wait_changes('t', @seq, -1)
----
ERROR 1210 (HY000): Incorrect arguments to sqlfdb_wait_changes: the third one is a number of milliseconds

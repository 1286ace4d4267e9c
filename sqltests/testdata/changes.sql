exec
CREATE TABLE t (_id VARCHAR(255) PRIMARY KEY, _doc JSON);
INSERT INTO t (_doc) VALUES ('{"_id":"a","n":1}'), ('{"_id":"b","n":2}');
INSERT INTO t (_doc) VALUES ('{"_id":"c","n":3}');
UPDATE t SET n = 10 WHERE _id = 'a';
DELETE FROM t WHERE _id = 'b';
----
ok, 0 rows
ok, 2 rows
ok, 1 rows
ok, 1 rows
ok, 1 rows

query
SELECT _id, rev, deleted, _doc FROM t__changes ORDER BY seq
----
_id | rev | deleted | _doc
c | 1-c991dd2fa2c5058548113b420175f6ff | 0 | {"_id":"c","n":3}
a | 2-be8abad45d49c2e8b6d657f81e1e3b34 | 0 | {"_id":"a","n":10}
b | 2-c0f43f4ba091e8af819944fac5a587e5 | 1 | NULL

query
SELECT _id FROM t__changes WHERE seq > (SELECT MIN(seq) FROM t__changes) ORDER BY seq
----
_id
a
b

exec
SET @since = (SELECT seq FROM t__changes WHERE _id = 'a');
----
ok, 0 rows

query
SELECT _id, deleted FROM t__changes WHERE seq > @since ORDER BY seq LIMIT 10
----
_id | deleted
b | 1

# A condition on another row of the feed bounds nothing here.
query
SELECT c._id, (SELECT COUNT(*) FROM t__changes d WHERE c.seq > @since) AS n, (SELECT COUNT(*) FROM t__changes d WHERE d.seq > @since) AS later FROM t__changes c ORDER BY c.seq
----
_id | n | later
c | 0 | 1
a | 0 | 1
b | 3 | 1

query
SELECT _id FROM t__changes WHERE seq > '00000000000000000000000000' AND seq <= 'ffffffffffffffffffffffffff' ORDER BY seq DESC
----
_id
b
a
c

query
SELECT _id FROM t__changes WHERE seq > 'not a sequence'
----
_id

query
EXPLAIN FORMAT=TREE SELECT _id FROM t__changes WHERE seq > '00000000000000000000000000'
----
EXPLAIN
-> Project: t__changes._id
    -> Filter: (t__changes.seq > '<sequence>')
        -> Index range scan on t__changes using seq
             range: seq after <sequence>
             not tight: the filter stays

# Committed rows only.
exec
BEGIN;
UPDATE t SET n = 11 WHERE _id = 'c';
INSERT INTO t (_doc) VALUES ('{"_id":"d"}');
----
ok, 0 rows
ok, 1 rows
ok, 1 rows

query
SELECT _id, rev FROM t__changes ORDER BY seq
----
_id | rev
c | 1-c991dd2fa2c5058548113b420175f6ff
a | 2-be8abad45d49c2e8b6d657f81e1e3b34
b | 2-c0f43f4ba091e8af819944fac5a587e5

query conn=other
SELECT _id FROM t__changes ORDER BY seq
----
_id
c
a
b

exec
COMMIT
----
ok, 0 rows

query
SELECT _id, rev FROM t__changes ORDER BY seq
----
_id | rev
a | 2-be8abad45d49c2e8b6d657f81e1e3b34
b | 2-c0f43f4ba091e8af819944fac5a587e5
c | 2-bee0e1cd90da07f18b9cb1d011f49e8e
d | 1-bd68118b96aab0c2ff172ce3f2946a2d

# The same document inserted again: its revision goes on.
exec
INSERT INTO t (_doc) VALUES ('{"_id":"b"}')
----
ok, 1 rows

query
SELECT _id, rev, deleted FROM t__changes WHERE _id = 'b'
----
_id | rev | deleted
b | 3-4abb6865c52d1b8a006f3c098be983a0 | 0

query
SHOW TABLES
----
Tables_in_d
t

exec
SET sqlfdb_show_companions = ON
----
ok, 0 rows

query
SHOW TABLES
----
Tables_in_d
t
t__changes

exec
DELETE FROM t__changes;
UPDATE t__changes SET deleted = 0;
INSERT INTO t__changes (seq) VALUES ('x');
DROP TABLE t__changes;
SELECT * FROM nothing__changes;
----
ERROR 1288 (HY000): The target table t__changes of the DELETE is not updatable
ERROR 1288 (HY000): The target table t__changes of the UPDATE is not updatable
ERROR 1471 (HY000): The target table t__changes of the INSERT is not insertable-into
ERROR 1051 (42S02): Unknown table (table not found: t__changes)
ERROR 1146 (42S02): table not found: nothing__changes

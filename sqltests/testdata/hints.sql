exec
CREATE TABLE t (_id VARCHAR(255) PRIMARY KEY, _doc JSON);
INSERT INTO t (_doc) VALUES ('{"_id":"a","n":1,"s":"x","a":{"b.c":1},"tags":["p"]}'), ('{"_id":"b","n":2,"s":"y","a":{"b.c":2}}'), ('{"_id":"c","n":3,"s":"x"}'), ('{"_id":"d","n":4,"s":"z"}'), ('{"_id":"e","n":5,"s":"x"}'), ('{"_id":"f","n":6,"s":"x"}');
CREATE INDEX named ON t (s)
----
ok, 0 rows
ok, 6 rows
ok, 0 rows

query
EXPLAIN SELECT n FROM t WHERE n = 2 AND s = 'y' AND _id = 'b'
----
id | select_type | table | partitions | type | possible_keys | key | key_len | ref | rows | filtered | Extra
1 | SIMPLE | t | NULL | const | n,s,PRIMARY | PRIMARY | NULL | const | 1 | 2.78 | Using where

query
EXPLAIN SELECT n FROM t IGNORE INDEX (PRIMARY, n) WHERE n = 2 AND s = 'y' AND _id = 'b'
----
id | select_type | table | partitions | type | possible_keys | key | key_len | ref | rows | filtered | Extra
1 | SIMPLE | t | NULL | ref | s | s | NULL | const | 1 | NULL | Using where

query
EXPLAIN SELECT n FROM t USE KEY (n) WHERE n = 2 AND s = 'y' AND _id = 'b'
----
id | select_type | table | partitions | type | possible_keys | key | key_len | ref | rows | filtered | Extra
1 | SIMPLE | t | NULL | ref | n | n | NULL | const | 1 | NULL | Using where

query
EXPLAIN SELECT n FROM t AS u USE INDEX (named) WHERE n = 2 AND s = 'y'
----
id | select_type | table | partitions | type | possible_keys | key | key_len | ref | rows | filtered | Extra
1 | SIMPLE | u | NULL | ref | s | s | NULL | const | 1 | NULL | Using where

query
EXPLAIN SELECT * FROM t WHERE n > 0
----
id | select_type | table | partitions | type | possible_keys | key | key_len | ref | rows | filtered | Extra
1 | SIMPLE | t | NULL | ALL | n | NULL | NULL | NULL | 6 | 100 | Using where

query
EXPLAIN FORMAT=TREE SELECT * FROM t FORCE INDEX (n) WHERE n > 0 AND s = 'y'
----
EXPLAIN
-> Filter: (t.s = 'y')
    -> Index range scan on t using n
         range: `n` in (0, +∞)
         keys: 6 counted of 6
         tight
         residual: (t.s = 'y')
         cost: 12.3, a full scan costs 6.0
         no range: (t.s = 'y'): `s` is not among the indexes that a hint allows

query
EXPLAIN SELECT n FROM t USE INDEX (`a."b.c"`) WHERE `a."b.c"` = 2 AND n = 2
----
id | select_type | table | partitions | type | possible_keys | key | key_len | ref | rows | filtered | Extra
1 | SIMPLE | t | NULL | ref | a."b.c" | a."b.c" | NULL | const | 1 | NULL | Using where

query
EXPLAIN SELECT /*+ NO_INDEX(t n, s) */ n FROM t WHERE n = 2 AND s = 'y'
----
id | select_type | table | partitions | type | possible_keys | key | key_len | ref | rows | filtered | Extra
1 | SIMPLE | t | NULL | ALL | NULL | NULL | NULL | NULL | 6 | NULL | Using where

query
EXPLAIN SELECT /*+ INDEX(t s) */ n FROM t WHERE n = 2 AND s = 'x'
----
id | select_type | table | partitions | type | possible_keys | key | key_len | ref | rows | filtered | Extra
1 | SIMPLE | t | NULL | ref | s | s | NULL | const | 4 | NULL | Using where

query
EXPLAIN UPDATE t IGNORE INDEX (n) SET s = 'q' WHERE n = 2
----
id | select_type | table | partitions | type | possible_keys | key | key_len | ref | rows | filtered | Extra
1 | UPDATE | t | NULL | ALL | NULL | NULL | NULL | NULL | 6 | NULL | Using where

query
EXPLAIN SELECT x.n FROM t x IGNORE INDEX (n) JOIN t y ON y._id = x._id WHERE x.n = 2 AND y.n = 2
----
id | select_type | table | partitions | type | possible_keys | key | key_len | ref | rows | filtered | Extra
1 | SIMPLE | y | NULL | ref | n | n | NULL | const | 1 | 100 | Using index
1 | SIMPLE | x | NULL | eq_ref | NULL | PRIMARY | NULL | y._id | 1 | NULL | Using where

query
SELECT n FROM t IGNORE INDEX (PRIMARY, n) WHERE n = 2 AND s = 'y' AND _id = 'b'
----
n
2

query
SELECT * FROM t FORCE INDEX (n) WHERE n > 4
----
_id | n | s | a."b.c" | tags
e | 5 | x | NULL | NULL
f | 6 | x | NULL | NULL

exec
SELECT * FROM t USE INDEX (nosuch) WHERE n > 4;
SELECT * FROM t IGNORE INDEX (`a.nosuch`);
DELETE FROM t WHERE n = 77
----
ERROR 1176 (42000): Key 'nosuch' doesn't exist in table 't'
ERROR 1176 (42000): Key 'a.nosuch' doesn't exist in table 't'
ok, 0 rows

prepared
: 2
SELECT n FROM t FORCE INDEX (PRIMARY) WHERE n = ?
----
n
2

exec
CREATE TABLE c (_id VARCHAR(255) PRIMARY KEY, _doc JSON);
INSERT INTO c (_doc) VALUES ('{"_id":"a","sku":1,"items":[{"sku":"x","n":1},{"sku":"y","n":2}],"tags":["p","q"]}'), ('{"_id":"b","items":[{"sku":"x","n":3}],"tags":["p"]}'), ('{"_id":"c"}'), ('{"_id":"d"}'), ('{"_id":"e"}'), ('{"_id":"f"}')
----
ok, 0 rows
ok, 6 rows

query
EXPLAIN SELECT n FROM c__items FORCE INDEX (sku) WHERE sku = 'y' AND n = 2
----
id | select_type | table | partitions | type | possible_keys | key | key_len | ref | rows | filtered | Extra
1 | SIMPLE | c__items | NULL | ref | items[*].sku,items | items[*].sku | NULL | const | 1 | NULL | Using where

query
EXPLAIN SELECT n FROM c__items i IGNORE INDEX (sku) WHERE sku = 'y' AND n = 2
----
id | select_type | table | partitions | type | possible_keys | key | key_len | ref | rows | filtered | Extra
1 | SIMPLE | i | NULL | ref | items[*].n,items | items[*].n | NULL | const | 1 | NULL | Using where

query
EXPLAIN SELECT n FROM c__items USE INDEX (`items[*].sku`) WHERE sku = 'y' AND n = 2
----
id | select_type | table | partitions | type | possible_keys | key | key_len | ref | rows | filtered | Extra
1 | SIMPLE | c__items | NULL | ref | items[*].sku,items | items[*].sku | NULL | const | 1 | NULL | Using where

query
EXPLAIN SELECT n FROM c__items USE INDEX (n) WHERE sku = 'y' AND _id = 'a'
----
id | select_type | table | partitions | type | possible_keys | key | key_len | ref | rows | filtered | Extra
1 | SIMPLE | c__items | NULL | range | items | items | NULL | NULL | 2 | NULL | Using where

query
EXPLAIN SELECT _id FROM c__tags IGNORE INDEX (_value) WHERE _value = 'q'
----
id | select_type | table | partitions | type | possible_keys | key | key_len | ref | rows | filtered | Extra
1 | SIMPLE | c__tags | NULL | range | tags | tags | NULL | NULL | 2 | NULL | Using where

query
EXPLAIN SELECT _id FROM c__tags IGNORE INDEX (PRIMARY) WHERE _value = 'q' AND _id = 'a'
----
id | select_type | table | partitions | type | possible_keys | key | key_len | ref | rows | filtered | Extra
1 | SIMPLE | c__tags | NULL | ref | tags[*],tags | tags[*] | NULL | const | 1 | NULL | Using where; Using index

query
SELECT /*+ NO_INDEX(c__tags _value) */ _id FROM c__tags WHERE _value = 'q'
----
_id
a

exec
SELECT n FROM c__items USE INDEX (nosuch) WHERE n = 2;
SELECT n FROM c__items IGNORE INDEX (_idx) WHERE n = 2;
SELECT n FROM c__items IGNORE INDEX (tags) WHERE n = 2;
SELECT 1
----
ERROR 1176 (42000): Key 'nosuch' doesn't exist in table 'c__items'
ERROR 1176 (42000): Key '_idx' doesn't exist in table 'c__items'
ok, 0 rows
ok, 0 rows

query
CHECK TABLE c
----
Table | Op | Msg_type | Msg_text
d.c | check | status | OK

# Names of indexes ignore case, as columns' do.
query
EXPLAIN SELECT n FROM t USE INDEX (N) WHERE n = 2 AND s = 'y'
----
id | select_type | table | partitions | type | possible_keys | key | key_len | ref | rows | filtered | Extra
1 | SIMPLE | t | NULL | ref | n | n | NULL | const | 1 | NULL | Using where

query
EXPLAIN SELECT n FROM t IGNORE INDEX (`A."B.c"`, NAMED) WHERE `a."b.c"` = 2 AND s = 'y'
----
id | select_type | table | partitions | type | possible_keys | key | key_len | ref | rows | filtered | Extra
1 | SIMPLE | t | NULL | ALL | NULL | NULL | NULL | NULL | 6 | NULL | Using where

query
EXPLAIN SELECT n FROM c__items USE INDEX (`ITEMS[*].Sku`) WHERE sku = 'y' AND n = 2
----
id | select_type | table | partitions | type | possible_keys | key | key_len | ref | rows | filtered | Extra
1 | SIMPLE | c__items | NULL | ref | items[*].sku,items | items[*].sku | NULL | const | 1 | NULL | Using where

# What a hint for the optimizer names and there is not is left out.
exec conn=hinted
USE d;
SELECT /*+ INDEX(t nosuch) */ n FROM t WHERE n = 2
----
ok, 0 rows
ok, 0 rows

query conn=hinted
SHOW WARNINGS
----
Level | Code | Message
Warning | 3128 | Unresolved name `t` `nosuch` for INDEX hint

query
EXPLAIN SELECT /*+ INDEX(t nosuch) */ n FROM t WHERE n = 2
----
id | select_type | table | partitions | type | possible_keys | key | key_len | ref | rows | filtered | Extra
1 | SIMPLE | t | NULL | ref | n | n | NULL | const | 1 | 100 | Using index

query
EXPLAIN SELECT /*+ INDEX(u nosuch, S) NO_INDEX(u gone) */ n FROM t AS u WHERE n = 2 AND s = 'y'
----
id | select_type | table | partitions | type | possible_keys | key | key_len | ref | rows | filtered | Extra
1 | SIMPLE | u | NULL | ref | s | s | NULL | const | 1 | NULL | Using where

query
EXPLAIN SELECT /*+ NO_INDEX(t gone) */ n FROM t WHERE n = 2
----
id | select_type | table | partitions | type | possible_keys | key | key_len | ref | rows | filtered | Extra
1 | SIMPLE | t | NULL | ref | n | n | NULL | const | 1 | 100 | Using index

query
EXPLAIN SELECT /*+ INDEX(c__items nosuch) */ n FROM c__items WHERE sku = 'y'
----
id | select_type | table | partitions | type | possible_keys | key | key_len | ref | rows | filtered | Extra
1 | SIMPLE | c__items | NULL | ref | items[*].sku,items | items[*].sku | NULL | const | 1 | 100 | Using where

query
CHECK TABLE t, c
----
Table | Op | Msg_type | Msg_text
d.t | check | status | OK
d.c | check | status | OK

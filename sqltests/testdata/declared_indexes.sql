# Indexes on several columns have entries of their own, which CHECK TABLE proves.

exec
CREATE TABLE t (_id INT PRIMARY KEY, _doc JSON);
INSERT INTO t (_doc) VALUES ('{"_id":1,"a":1,"b":"x"}'), ('{"_id":2,"a":1}'), ('{"_id":3,"a":null,"b":"x"}'), ('{"_id":4}'), ('{"_id":5,"a":[1,2],"b":{"c":1}}');
CREATE INDEX ab ON t (a, b);
CREATE INDEX ba ON t (b DESC, a);
UPDATE t SET b = 'y' WHERE _id = 1;
UPDATE t SET a = 2 WHERE _id = 4;
DELETE FROM t WHERE _id = 2;
INSERT INTO t (_doc) VALUES ('{"_id":6,"a":1.0,"b":"y"}');
CREATE INDEX ab ON t (b, a);
CREATE INDEX through ON t (a, `b[*]`)
----
ok, 0 rows
ok, 5 rows
ok, 0 rows
ok, 0 rows
ok, 1 rows
ok, 1 rows
ok, 1 rows
ok, 1 rows
ERROR 1061 (42000): Duplicate key name 'ab'
ERROR 3143 (42000): invalid keypath: a column can't lead through the elements of an array; _doc->'$.b[*]' does, and the array's own table has a row for each

query
SELECT `index`, `columns`, is_unique, state, progress FROM sqlfdb.indexes WHERE `table` = 't'
----
index | columns | is_unique | state | progress
ab | a, b | 0 | readable |
ba | b, a | 0 | readable |

query
CHECK TABLE t
----
Table | Op | Msg_type | Msg_text
d.t | check | status | OK

# Unique ones find what is there already, and what comes.

exec
CREATE UNIQUE INDEX u ON t (b, a);
DELETE FROM t WHERE _id = 6;
CREATE UNIQUE INDEX u ON t (b, a);
INSERT INTO t (_doc) VALUES ('{"_id":7,"a":1,"b":"y"}');
INSERT INTO t (_doc) VALUES ('{"_id":7,"a":1}'), ('{"_id":8,"a":1}'), ('{"_id":9,"b":"y"}'), ('{"_id":10,"b":"y"}');
UPDATE t SET b = 'y' WHERE _id = 8
----
ERROR 1062 (23000): Duplicate entry 'y-1' for key 't.u'
ok, 1 rows
ok, 0 rows
ERROR 1062 (23000): Duplicate entry 'y-1' for key 't.u'
ok, 4 rows
ERROR 1062 (23000): Duplicate entry 'y-1' for key 't.u'

query
SELECT kind, state, done, total, message, error FROM sqlfdb.jobs WHERE `table` = 't'
----
kind | state | done | total | message | error
index | done | 5 | 5 | index ab | NULL
index | done | 5 | 5 | index ba | NULL
index | failed | 1 | 5 | index u | Duplicate entry 'y-1' for key 't.u'
index | done | 4 | 4 | index u | NULL

query
CHECK TABLE t
----
Table | Op | Msg_type | Msg_text
d.t | check | status | OK

# What changes encodings takes the entries along.

exec
ALTER TABLE t ENGINE_ATTRIBUTE '{"string_limit": 8}';
ALTER TABLE t COLLATE utf8mb4_0900_ai_ci;
INSERT INTO t (_doc) VALUES ('{"_id":11,"a":1,"b":"Y"}');
INSERT INTO t (_doc) VALUES ('{"_id":12,"a":7,"b":"a string that is longer than eight bytes"}');
INSERT INTO t (_doc) VALUES ('{"_id":13,"a":7,"b":"a string that is longer than others"}');
INSERT INTO t (_doc) VALUES ('{"_id":14,"a":7,"b":"A string that is longer than OTHERS"}');
ALTER TABLE t RENAME INDEX ab TO renamed;
DROP INDEX ba ON t
----
ok, 0 rows
ok, 0 rows
ERROR 1062 (23000): Duplicate entry 'Y-1' for key 't.u'
ok, 1 rows
ok, 1 rows
ERROR 1062 (23000): Duplicate entry 'A string that is longer than OTHERS-7' for key 't.u'
ok, 0 rows
ok, 0 rows

query
CHECK TABLE t
----
Table | Op | Msg_type | Msg_text
d.t | check | status | OK

query
SHOW CREATE TABLE t
----
Table | Create Table
t | CREATE TABLE `t` (
  `_id` int NOT NULL,
  `a` json DEFAULT NULL COMMENT '8 of 10: 6 number, 1 null, 1 array',
  `b` json DEFAULT NULL COMMENT '7 of 10: 6 string, 1 object',
  `b.c` bigint DEFAULT NULL COMMENT '1 of 10: number',
  `_doc` json,
  PRIMARY KEY (`_id`),
  KEY `renamed` (`a`,`b`),
  UNIQUE KEY `u` (`b`,`a`)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_ai_ci /*!80021 ENGINE_ATTRIBUTE='{"string_limit":8}' */

# Types, names and columns.

exec
CREATE TABLE c (id INT PRIMARY KEY, a INT, b VARCHAR(20), d DATE, KEY abd (a, b, d), UNIQUE KEY da (d, a));
INSERT INTO c VALUES (1, 1, 'x', '2020-01-01'), (2, 1, NULL, NULL), (3, NULL, 'y', '2020-01-02');
ALTER TABLE c MODIFY b INT;
SET sql_mode = '';
ALTER TABLE c MODIFY b INT;
SET sql_mode = DEFAULT;
OPTIMIZE TABLE c;
ALTER TABLE c RENAME COLUMN a TO `a.n`;
INSERT INTO c VALUES (4, 1, 5, '2020-01-01');
ALTER TABLE c MODIFY `a.n` BIGINT;
ALTER TABLE c DROP INDEX abd, DROP COLUMN b, ADD INDEX nd (`a.n`, d)
----
ok, 0 rows
ok, 3 rows
ERROR 1366 (HY000): Incorrect integer value: 'x' for column 'b' at row 1
ok, 0 rows
ok, 0 rows
ok, 0 rows
ok, 0 rows
ok, 0 rows
ERROR 1062 (23000): Duplicate entry '2020-01-01-1' for key 'c.da'
ok, 0 rows
ok, 0 rows

query
CHECK TABLE c
----
Table | Op | Msg_type | Msg_text
d.c | check | status | OK

query
SELECT `index`, `columns`, is_unique, state, progress FROM sqlfdb.indexes WHERE `table` = 'c'
----
index | columns | is_unique | state | progress
da | d, a.n | 1 | readable |
nd | a.n, d | 0 | readable |

exec
CREATE TABLE same LIKE c;
INSERT INTO same SELECT * FROM c;
TRUNCATE TABLE c;
INSERT INTO c SELECT * FROM same
----
ok, 0 rows
ok, 3 rows
ok, 3 rows
ok, 3 rows

query
CHECK TABLE c, same
----
Table | Op | Msg_type | Msg_text
d.c | check | status | OK
d.same | check | status | OK

# Held jobs leave an index to be built later; writers keep to it meanwhile.

exec
SET GLOBAL sqlfdb_jobs = hold;
CREATE UNIQUE INDEX later ON same (d, id);
CREATE INDEX n ON same (`a.n`, id);
INSERT INTO same VALUES (9, 9, '2020-01-09');
DELETE FROM same WHERE id = 1
----
ok, 0 rows
ok, 0 rows
ok, 0 rows
ok, 1 rows
ok, 1 rows

query
SELECT `index`, state, progress FROM sqlfdb.indexes WHERE `table` = 'same'
----
index | state | progress
da | readable |
nd | readable |
later | write-only | 0 %
n | write-only | 0 %

query
CHECK TABLE same
----
Table | Op | Msg_type | Msg_text
d.same | check | status | OK

exec
OPTIMIZE TABLE same;
SET GLOBAL sqlfdb_jobs = run
----
ok, 0 rows
ok, 0 rows

query
SELECT `index`, state, progress FROM sqlfdb.indexes WHERE `table` = 'same'
----
index | state | progress
da | readable |
nd | readable |
later | readable |
n | readable |

query
CHECK TABLE same
----
Table | Op | Msg_type | Msg_text
d.same | check | status | OK

# Indexes on keypaths that no column declares are no hindrance to a change of a column; one on the column is.
exec
CREATE TABLE m (_id INT PRIMARY KEY, v VARCHAR(20), _doc JSON);
INSERT INTO m (_doc) VALUES ('{"_id":1,"v":"x","k":1,"n":2}');
CREATE INDEX kn ON m (k, n);
CREATE INDEX vk ON m (v, k);
ALTER TABLE m MODIFY v TEXT;
ALTER TABLE m CHANGE v w JSON;
DROP INDEX vk ON m;
ALTER TABLE m MODIFY v TEXT;
ALTER TABLE m CHANGE v w TEXT;
----
ok, 0 rows
ok, 1 rows
ok, 0 rows
ok, 0 rows
ERROR 1170 (42000): blob/text column 'v' used in key specification without a key length
ERROR 3152 (42000): JSON column 'v' supports indexing only via generated columns on a specified JSON path
ok, 0 rows
ok, 0 rows
ok, 0 rows

query
SELECT _id, w, k FROM m WHERE k = 1 AND n > 1
----
_id | w | k
1 | x | 1

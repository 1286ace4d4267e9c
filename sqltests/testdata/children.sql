# A child table for every keypath with arrays: one row for each element.
exec
CREATE TABLE t (_id VARCHAR(255) PRIMARY KEY, _doc JSON);
INSERT INTO t (_doc) VALUES
 ('{"_id":"a","name":"Ann","grades":[{"score":90,"g":"A","by":{"name":"X"},"history":[1,2,[3]]},{"score":95.5,"g":"b"}]}'),
 ('{"_id":"b","name":"Bob","grades":[],"tags":["é","z","é"]}'),
 ('{"_id":"c","grades":"none","tags":["q"]}'),
 ('{"_id":"d","grades":[{"score":100,"g":"É","_id":"inner","_idx":7,"_value":"v"},{"score":null},{}]}'),
 ('{"_id":"e","grades":[null,7,"x",[1,2],true,{"score":90}]}'),
 ('{"_id":"f","grades":{"score":1}}'),
 ('{"_id":"g","address":{"tags":["home"]},"matrix":[[1,2],[3],[]]}');
----
ok, 0 rows
ok, 7 rows

query
SELECT * FROM t__tags
----
_id | _idx | _value
b | 0 | é
b | 2 | é
c | 0 | q
b | 1 | z

query
SELECT * FROM `t__address.tags`
----
_id | _idx | _value
g | 0 | home

# An array within an array is an element; it has no table of its own.
query
SELECT * FROM t__matrix
----
_id | _idx | _value
g | 0 | [1,2]
g | 1 | [3]
g | 2 | []

query
SELECT * FROM t__grades
----
_id | _idx | _value | score | g | by.name | history | "_id" | "_idx" | "_value"
a | 0 | {"score":90,"g":"A","by":{"name":"X"},"history":[1,2,[3]]} | 90 | A | X | [1,2,[3]] | NULL | NULL | NULL
a | 1 | {"score":95.5,"g":"b"} | 95.5 | b | NULL | NULL | NULL | NULL | NULL
d | 0 | {"score":100,"g":"É","_id":"inner","_idx":7,"_value":"v"} | 100 | É | NULL | NULL | inner | 7 | v
d | 1 | {"score":null} | NULL | NULL | NULL | NULL | NULL | NULL | NULL
d | 2 | {} | NULL | NULL | NULL | NULL | NULL | NULL | NULL
e | 0 | NULL | NULL | NULL | NULL | NULL | NULL | NULL | NULL
e | 1 | 7 | NULL | NULL | NULL | NULL | NULL | NULL | NULL
e | 2 | "x" | NULL | NULL | NULL | NULL | NULL | NULL | NULL
e | 3 | [1,2] | NULL | NULL | NULL | NULL | NULL | NULL | NULL
e | 4 | true | NULL | NULL | NULL | NULL | NULL | NULL | NULL
e | 5 | {"score":90} | 90 | NULL | NULL | NULL | NULL | NULL | NULL

query
SELECT * FROM t__grades__history
----
_id | _idx1 | _idx | _value
a | 0 | 0 | 1
a | 0 | 1 | 2
a | 0 | 2 | [3]

query
SELECT _id, _idx, JSON_TYPE(_value) FROM t__grades
----
_id | _idx | JSON_TYPE(_value)
a | 0 | OBJECT
a | 1 | OBJECT
d | 0 | OBJECT
d | 1 | OBJECT
d | 2 | OBJECT
e | 0 | NULL
e | 1 | INTEGER
e | 2 | STRING
e | 3 | ARRAY
e | 4 | BOOLEAN
e | 5 | OBJECT

# _idx is the position of JSON paths.
query
SELECT COUNT(*) FROM t JOIN t__grades g ON g._id = t._id WHERE t._id = 'a' AND (g._idx = 0 AND t._doc->'$.grades[0].score' = g.score OR g._idx = 1 AND t._doc->'$.grades[1].score' = g.score)
----
COUNT(*)
2

# Columns: what is named, what is listed.
query
SHOW COLUMNS FROM t__grades
----
Field | Type | Null | Key | Default | Extra
_id | varchar(255) | NO | PRI | NULL |
_idx | bigint | NO | PRI | NULL |
_value | json | YES |  | NULL |
score | double | YES |  | NULL |
g | longtext | YES |  | NULL |
by.name | longtext | YES |  | NULL |
history | json | YES |  | NULL |
"_id" | longtext | YES |  | NULL |
"_idx" | bigint | YES |  | NULL |
"_value" | longtext | YES |  | NULL |

query
SHOW CREATE TABLE t__tags
----
Table | Create Table
t__tags | CREATE TABLE `t__tags` (
  `_id` varchar(255) NOT NULL,
  `_idx` bigint NOT NULL,
  `_value` longtext COMMENT '4 of 4: string',
  PRIMARY KEY (`_id`,`_idx`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_bin COMMENT='the elements of tags of t'

query
SELECT column_name, column_type, column_key FROM information_schema.columns WHERE table_schema = 'd' AND table_name LIKE 't\_\_%'
----
COLUMN_NAME | COLUMN_TYPE | COLUMN_KEY

# Keys of elements that are called as the table's own columns, in quotes.
query
SELECT _id, _idx, `"_id"`, `"_idx"`, `"_value"`, `by.name` FROM t__grades WHERE `"_id"` = 'inner'
----
_id | _idx | "_id" | "_idx" | "_value" | by.name
d | 0 | inner | 7 | v | NULL

query
SELECT scor, Score, SCORE + 1 FROM t__grades WHERE _ID = 'd'
----
scor | Score | SCORE + 1
NULL | 100 | 101
NULL | NULL | NULL
NULL | NULL | NULL

query
SHOW WARNINGS
----
Level | Code | Message
Warning | 1054 | No element of d.t__grades has the keypath `scor`; did you mean `score`?

# No column leads to elements: a JSON path does, or their own table.
query
SELECT `grades[0].score` FROM t WHERE _id = 'a'
----
grades[0].score
NULL

query
SHOW WARNINGS
----
Level | Code | Message
Warning | 1054 | No document of d.t has the keypath `grades[0].score`; did you mean _doc->'$.grades[0].score'?

query
SELECT _doc->'$.grades[0].score' FROM t WHERE _id = 'a'
----
_doc->'$.grades[0].score'
90

query
SELECT `grades[*].scor` FROM t WHERE _id = 'a'
----
ERROR 3143 (42000): invalid keypath: a column can't lead through the elements of an array; _doc->'$.grades[*].scor' does, and the array's own table has a row for each

query
SELECT `grades.score`, `grade[1].scor` FROM t WHERE _id = 'a'
----
grades.score | grade[1].scor
NULL | NULL

query
SHOW WARNINGS
----
Level | Code | Message
Warning | 1054 | No document of d.t has the keypath `grade[1].scor`; did you mean _doc->'$.grades[*].score'?

query
SELECT _idx, `history[0]` FROM t__grades WHERE _id = 'a'
----
_idx | history[0]
0 | NULL
1 | NULL

query
SHOW WARNINGS
----
Level | Code | Message
Warning | 1054 | No element of d.t__grades has the keypath `history[0]`; did you mean `history`?

query
SELECT _idx, _value->'$.history[0]' FROM t__grades WHERE _id = 'a'
----
_idx | _value->'$.history[0]'
0 | 1
1 | NULL

query
SELECT _id FROM t WHERE MATCH (name) AGAINST ('Ann')
----
ERROR 1191 (HY000): no matching Full-Text index found on table `t`

query
SELECT _id FROM t WHERE name > 1e400
----
ERROR 1367 (22007): Illegal double '1e400' value found during parsing

# Filters.
query
SELECT _id, _idx, score FROM t__grades WHERE score > 90
----
_id | _idx | score
a | 1 | 95.5
d | 0 | 100

query
SELECT _id, _idx, score FROM t__grades WHERE score BETWEEN 90 AND 96
----
_id | _idx | score
a | 0 | 90
e | 5 | 90
a | 1 | 95.5

query
SELECT _id, _idx FROM t__grades WHERE score IN (90, 100) AND g = 'A'
----
_id | _idx
a | 0

query
SELECT _id, _idx, g FROM t__grades WHERE g LIKE 'É%' OR g = 'b'
----
_id | _idx | g
a | 1 | b
d | 0 | É

query
SELECT _id, _idx FROM t__grades WHERE score IS NULL
----
_id | _idx
d | 1
d | 2
e | 0
e | 1
e | 2
e | 3
e | 4

query
SELECT _id, _idx FROM t__grades WHERE score IS NOT NULL AND score < 95
----
_id | _idx
a | 0
e | 5

query
SELECT _id, _idx FROM t__grades WHERE NOT (score > 90)
----
_id | _idx
a | 0
e | 5

query
SELECT _id, _idx, _value FROM t__grades WHERE _value = 7 OR _value = 'x' OR _value = CAST('null' AS JSON)
----
_id | _idx | _value
e | 1 | 7
e | 2 | "x"

query
SELECT _id, _idx FROM t__grades WHERE _value IS NULL
----
_id | _idx
e | 0

query
SELECT _id, _idx FROM t__grades WHERE _value->'$.score' >= 95
----
_id | _idx
a | 1
d | 0

query
SELECT _id, _idx FROM t__grades WHERE _value->>'$.by.name' = 'X'
----
_id | _idx
a | 0

query
SELECT _id, _idx, _value FROM t__tags WHERE _value = 'é'
----
_id | _idx | _value
b | 0 | é
b | 2 | é

query
SELECT _id, _idx FROM t__tags WHERE _value >= 'q' ORDER BY _value DESC, _id, _idx
----
_id | _idx
b | 1
c | 0

query
SELECT _id, _idx1, _idx, _value FROM t__grades__history WHERE _value = 2
----
_id | _idx1 | _idx | _value
a | 0 | 1 | 2

query
SELECT COUNT(*), COUNT(score), SUM(score), MIN(score), MAX(g) FROM t__grades
----
COUNT(*) | COUNT(score) | SUM(score) | MIN(score) | MAX(g)
11 | 4 | 375.5 | 90 | É

query
SELECT COUNT(*) FROM t__grades WHERE _id = 'e'
----
COUNT(*)
6

query
SELECT _id, _idx FROM t__grades WHERE _id IN ('a', 'd') AND _idx = 1
----
_id | _idx
a | 1
d | 1

query
SELECT _idx, COUNT(*) FROM t__grades GROUP BY _idx ORDER BY _idx
----
_idx | COUNT(*)
0 | 3
1 | 3
2 | 2
3 | 1
4 | 1
5 | 1

query
SELECT _id, _idx, g FROM t__grades GROUP BY _id, _idx HAVING COUNT(*) = 1 AND g = 'A'
----
_id | _idx | g
a | 0 | A

# Joins, subqueries, aliases, views.
query
SELECT t.name, g.score, g.g FROM t JOIN t__grades g ON g._id = t._id WHERE g.score >= 90 ORDER BY g.score, t._id
----
name | score | g
Ann | 90 | A
NULL | 90 | NULL
Ann | 95.5 | b
NULL | 100 | É

query
SELECT name, _id, _idx, score FROM t LEFT JOIN t__grades USING (_id) ORDER BY _id, _idx
----
name | _id | _idx | score
Ann | a | 0 | 90
Ann | a | 1 | 95.5
Bob | b | NULL | NULL
NULL | c | NULL | NULL
NULL | d | 0 | 100
NULL | d | 1 | NULL
NULL | d | 2 | NULL
NULL | e | 0 | NULL
NULL | e | 1 | NULL
NULL | e | 2 | NULL
NULL | e | 3 | NULL
NULL | e | 4 | NULL
NULL | e | 5 | 90
NULL | f | NULL | NULL
NULL | g | NULL | NULL

query
SELECT g._id, g._idx, h._value FROM t__grades g LEFT JOIN t__grades__history h ON h._id = g._id AND h._idx1 = g._idx WHERE g.g IS NOT NULL ORDER BY g._id, g._idx, h._idx
----
_id | _idx | _value
a | 0 | 1
a | 0 | 2
a | 0 | [3]
a | 1 | NULL
d | 0 | NULL

query
SELECT a._id, a._idx, b._idx FROM t__tags a JOIN t__tags b ON a._id = b._id AND a._value = b._value AND a._idx < b._idx
----
_id | _idx | _idx
b | 0 | 2

query
SELECT _id FROM t WHERE EXISTS (SELECT 1 FROM t__grades g WHERE g._id = t._id AND g.score > 95)
----
_id
a
d

query
SELECT _id FROM t WHERE _id NOT IN (SELECT _id FROM t__grades) ORDER BY _id
----
_id
b
c
f
g

query
SELECT _id, (SELECT MAX(score) FROM t__grades g WHERE g._id = t._id) AS best FROM t ORDER BY _id
----
_id | best
a | 95.5
b | NULL
c | NULL
d | 100
e | 90
f | NULL
g | NULL

query
SELECT x._id, x.n FROM (SELECT _id, COUNT(*) AS n FROM t__grades GROUP BY _id) x WHERE x.n > 2
----
_id | n
d | 3
e | 6

query
WITH best AS (SELECT _id, MAX(score) AS m FROM t__grades GROUP BY _id) SELECT _id, m FROM best WHERE m > 90
----
_id | m
a | 95.5
d | 100

query
SELECT D.T__GRADES.score FROM D.T__GRADES WHERE T__Grades.score = 100
----
score
100

exec
CREATE VIEW good AS SELECT _id, _idx, score FROM t__grades WHERE score > 91;
----
ok, 0 rows

query
SELECT * FROM good WHERE score < 99
----
_id | _idx | score
a | 1 | 95.5

prepared
: 91
SELECT _id, score FROM t__grades WHERE score > ?
----
_id | score
a | 95.5
d | 100

# A name that neither table has: the first that is near may have it.
query
SELECT t._id, nowhere FROM t JOIN t__tags USING (_id)
----
_id | nowhere
b | NULL
b | NULL
b | NULL
c | NULL

# Names that change places.
query
SELECT t._idx, t.score, t__grades.name FROM t__grades t JOIN t t__grades ON t__grades._id = t._id WHERE t.score > 91
----
_idx | score | name
1 | 95.5 | Ann
0 | 100 | NULL

query
SHOW WARNINGS
----
Level | Code | Message

# The access path.
query
EXPLAIN FORMAT=TREE SELECT _id, score FROM t__grades WHERE score > 95
----
EXPLAIN
-> Project: t__grades._id, t__grades.score
    -> Filter: (t__grades.score > 95)
        -> Index range scan on t__grades using grades[*].score
             range: `score` in (95, +∞)
             entries only: no document is read
             keys: 2 counted of 4
             not tight: the filter stays
             residual: (t__grades.score > 95)
             cost: 0.1, a full scan costs 7.0
             lost: `grades` in arrays that hold something, keys: 3 counted of 4: cost 6.1, the chosen one costs 0.1

# With a second column, the documents are read.
query
EXPLAIN FORMAT=TREE SELECT _id, score, g FROM t__grades WHERE score > 95
----
EXPLAIN
-> Project: t__grades._id, t__grades.score, t__grades.g
    -> Filter: (t__grades.score > 95)
        -> Index range scan on t__grades using grades[*].score
             range: `score` in (95, +∞)
             keys: 2 counted of 4
             not tight: the filter stays
             residual: (t__grades.score > 95)
             cost: 4.1, a full scan costs 7.0
             lost: `grades` in arrays that hold something, keys: 3 counted of 4: cost 6.1, the chosen one costs 4.1

query
EXPLAIN SELECT _id, score FROM t__grades WHERE _id = 'a' AND score > 95
----
id | select_type | table | partitions | type | possible_keys | key | key_len | ref | rows | filtered | Extra
1 | SIMPLE | t__grades | NULL | ref | PRIMARY,grades[*].score,grades | PRIMARY | NULL | const | 1 | 28.57 | Using where

query
EXPLAIN FORMAT=TREE SELECT _id FROM t__grades WHERE score IS NULL
----
EXPLAIN
-> Project: t__grades._id
    -> Filter: t__grades.score IS NULL
        -> Index range scan on t__grades using grades
             range: `grades` in arrays that hold something
             keys: 3 counted of 4
             not tight: the filter stays
             residual: t__grades.score IS NULL
             cost: 6.1, a full scan costs 7.0
             lost: `score` in null, keys: 1 counted of 1; 6 elements lack the keypath: unusable: 6 documents lack the keypath and have no entry

# Each side of a join is read once.
query
EXPLAIN FORMAT=TREE SELECT g.score FROM t JOIN t__grades g ON g._id = t._id WHERE t.name = 'Ann'
----
EXPLAIN
-> Project: g.score
    -> Join, inner, lookup: (g._id = t._id)
        -> Index lookup on t using name
             range: `name` in 'Ann'
             entries only: no document is read
             keys: 1 counted of 2
             tight
             cost: 0.1, a full scan costs 7.0
        -> Look up in batches: g: primary key = t._id
             for about 1 rows, documents for each: about 1.0
             cost: 3.9
             documents: about 1 of 7
             lost: the whole side, hashed: cost 16.7

# Every document has an x, but not every element.
exec
CREATE TABLE some (_id VARCHAR(255) PRIMARY KEY, _doc JSON);
INSERT INTO some (_doc) VALUES ('{"_id":"a","list":[{"x":1},{}]}'), ('{"_id":"b","list":[{"x":2},{"y":3}]}'), ('{"_id":"c","list":[{"x":2}]}');
----
ok, 0 rows
ok, 3 rows

query
SELECT _id, _idx FROM some__list WHERE x IS NULL
----
_id | _idx
a | 1
b | 1

query
SELECT _id, _idx FROM some__list WHERE NOT (x <=> 2)
----
_id | _idx
a | 0
a | 1
b | 1

# Now every element has one, and its entries can be relied upon.
exec
DELETE FROM some WHERE _id <> 'c';
INSERT INTO some (_doc) VALUES ('{"_id":"d","list":[{"x":null}]}'), ('{"_id":"e","list":[{"x":3}]}'), ('{"_id":"f","list":[{"x":3}]}');
----
ok, 2 rows
ok, 3 rows

query
SELECT _id, _idx FROM some__list WHERE x IS NULL
----
_id | _idx
d | 0

query
EXPLAIN FORMAT=TREE SELECT _id, _idx FROM some__list WHERE x IS NULL
----
EXPLAIN
-> Project: some__list._id, some__list._idx
    -> Filter: some__list.x IS NULL
        -> Index range scan on some__list using list[*].x
             range: `x` in null
             entries only: no document is read
             keys: 1 counted of 1; 0 elements lack the keypath
             not tight: the filter stays
             residual: some__list.x IS NULL
             cost: 0.1, a full scan costs 4.0
             lost: `list` in arrays that hold something, keys: 4 counted of 4: cost 8.2, the chosen one costs 0.1

# Entries that do not tell all: long strings, the sign of a zero.
exec
INSERT INTO some (_doc) SELECT CONCAT('{"_id":"long","words":["', REPEAT('x', 300), 'a","', REPEAT('x', 300), 'b","y"],"zero":[-0.0,0.5,0,-0]}');
----
ok, 1 rows

query
SELECT _id, _idx, RIGHT(_value, 2), LENGTH(_value) FROM some__words WHERE _value > 'x'
----
_id | _idx | RIGHT(_value, 2) | LENGTH(_value)
long | 0 | xa | 301
long | 1 | xb | 301
long | 2 | y | 1

query
SELECT _id, _idx, _value FROM some__zero WHERE _value < 1
----
_id | _idx | _value
long | 0 | -0
long | 2 | 0
long | 3 | -0
long | 1 | 0.5

query
SELECT * FROM some__zero WHERE _value = 0
----
_id | _idx | _value
long | 0 | -0
long | 2 | 0
long | 3 | -0

query
EXPLAIN FORMAT=TREE SELECT _id FROM some__words WHERE _value = 'y'
----
EXPLAIN
-> Project: some__words._id
    -> Filter: (some__words._value = 'y')
        -> Index lookup on some__words using words[*]
             range: `_value` in 'y'
             entries only: no document is read
             keys: 1 counted of 3
             not tight: the filter stays
             residual: (some__words._value = 'y')
             cost: 0.1, a full scan costs 5.0
             lost: `words` in arrays that hold something, keys: 1 counted of 1: cost 2.0, the chosen one costs 0.1

# Documents below the depth that is indexed.
exec
CREATE TABLE deep (_id VARCHAR(255) PRIMARY KEY, _doc JSON) ENGINE_ATTRIBUTE='{"max_depth":2,"excluded":["x"]}';
INSERT INTO deep (_doc) VALUES ('{"_id":"a","p":{"q":[1,{"r":[2]}],"s":{"t":["u"]}},"x":[3,{"y":4}],"z":[{"w":5}]}');
----
ok, 0 rows
ok, 1 rows

query
SELECT * FROM `deep__p.q` WHERE _value = 1
----
_id | _idx | _value
a | 0 | 1

query
EXPLAIN FORMAT=TREE SELECT * FROM `deep__p.q` WHERE _value = 1
----
EXPLAIN
-> Filter: (deep__p.q._value = 1)
    -> Table scan on deep__p.q

query
SELECT * FROM `deep__p.s.t` WHERE _value = 'u'
----
_id | _idx | _value
a | 0 | "u"

query
SELECT * FROM `deep__p.q__r`
----
_id | _idx1 | _idx | _value
a | 1 | 0 | 2

query
SELECT _id, _idx, _value, y FROM deep__x WHERE y = 4
----
_id | _idx | _value | y
a | 1 | {"y":4} | 4

query
SELECT * FROM deep__z WHERE w = 5
----
_id | _idx | w
a | 0 | 5

query
SELECT * FROM `deep__q.s.t`
----
ERROR 1146 (42S02): Table 'd.deep__q.s.t' doesn't exist

# Nothing is written through them.
exec
INSERT INTO t__grades (_id, score) VALUES ('a', 1);
INSERT INTO t__grades SELECT * FROM t__grades;
REPLACE INTO t__grades (_id) VALUES ('a');
UPDATE t__grades SET score = 1 WHERE _id = 'a';
DELETE FROM t__grades WHERE _id = 'a';
DELETE g FROM t JOIN t__grades g ON t._id = g._id;
UPDATE t JOIN t__grades g ON t._id = g._id SET g.score = 1;
ALTER TABLE t__grades ADD COLUMN x INT;
CREATE INDEX i ON t__grades (score);
DROP TABLE t__grades;
DROP TABLE IF EXISTS t__grades;
TRUNCATE TABLE t__grades;
DELETE FROM t__changes;
----
ERROR 1471 (HY000): The target table t__grades of the INSERT is not insertable-into
ERROR 1471 (HY000): The target table t__grades of the INSERT is not insertable-into
ERROR 1471 (HY000): The target table t__grades of the REPLACE is not insertable-into
ERROR 1288 (HY000): The target table t__grades of the UPDATE is not updatable
ERROR 1288 (HY000): The target table t__grades of the DELETE is not updatable
ERROR 1288 (HY000): table doesn't support DELETE FROM
ERROR 1288 (HY000): The target table g of the UPDATE is not updatable
ERROR 1347 (HY000): 'd.t__grades' is not BASE TABLE: it shows the documents of another table
ERROR 1347 (HY000): 'd.t__grades' is not BASE TABLE: it shows the documents of another table
ERROR 1051 (42S02): Unknown table 'd.t__grades'
ok, 0 rows
ERROR 1347 (HY000): 'd.t__grades' is not BASE TABLE: it shows the documents of another table
ERROR 1288 (HY000): The target table t__changes of the DELETE is not updatable

query
SELECT * FROM t__name
----
ERROR 1146 (42S02): Table 'd.t__name' doesn't exist

# They serve to write elsewhere.
exec
UPDATE t JOIN t__grades g ON t._id = g._id SET t.best = g.score WHERE g.score = 100;
DELETE FROM t WHERE _id IN (SELECT _id FROM t__tags WHERE _value = 'q');
CREATE TABLE flat AS SELECT _id AS doc, _idx, score, g FROM t__grades WHERE score IS NOT NULL;
----
ok, 1 rows
ok, 1 rows
ok, 4 rows

query
SELECT _id, best FROM t WHERE best IS NOT NULL
----
_id | best
d | 100

query
SELECT doc, _idx, score, g FROM flat ORDER BY doc, _idx
----
doc | _idx | score | g
a | 0 | 90 | A
a | 1 | 95.5 | b
d | 0 | 100 | É
e | 5 | 90 | NULL

# A transaction sees its own writes, a statement does not.
exec
BEGIN;
INSERT INTO t (_doc) VALUES ('{"_id":"h","grades":[{"score":99},{"score":98}],"fresh":[1]}');
----
ok, 0 rows
ok, 1 rows

query
SELECT _id, _idx, score FROM t__grades WHERE score > 97 ORDER BY score
----
_id | _idx | score
h | 1 | 98
h | 0 | 99
d | 0 | 100

query
SELECT * FROM t__fresh
----
_id | _idx | _value
h | 0 | 1

exec
INSERT INTO t (_id, grades) SELECT CONCAT('copy', _idx), JSON_ARRAY(JSON_OBJECT('score', score)) FROM t__grades WHERE _id = 'h';
----
ok, 2 rows

query
SELECT _id, _idx, score FROM t__grades WHERE score IN (98, 99)
----
_id | _idx | score
copy1 | 0 | 98
h | 1 | 98
copy0 | 0 | 99
h | 0 | 99

exec
ROLLBACK
----
ok, 0 rows

query
SELECT _id, _idx, score FROM t__grades WHERE score > 97
----
_id | _idx | score
d | 0 | 100

query
SELECT * FROM t__fresh
----
_id | _idx

# A table or a view of that name is what the name means; quotes reach the child.
exec
CREATE TABLE IF NOT EXISTS t__grades (a INT PRIMARY KEY);
INSERT INTO t__grades VALUES (1);
CREATE VIEW t__tags AS SELECT 'view' AS v;
----
ok, 0 rows
ok, 1 rows
ok, 0 rows

query
SELECT * FROM t__grades
----
a
1

query
SELECT * FROM t__tags
----
v
view

query
SELECT _id, score FROM `t__"grades"` WHERE score > 95 AND `t__"grades"`._idx = 0
----
_id | score
d | 100

query
SELECT _value FROM `t__"tags"` WHERE _value = 'z'
----
_value
z

exec
SET sqlfdb_show_companions = ON
----
ok, 0 rows

query
SHOW TABLES
----
Tables_in_d
deep
deep__changes
deep__p.q
deep__z
flat
flat__changes
good
some
some__changes
some__list
some__words
some__zero
t
t__"grades"
t__"grades"__history
t__"tags"
t__address.tags
t__changes
t__grades
t__grades__changes
t__matrix
t__tags

query
SELECT table_name, table_rows FROM information_schema.tables WHERE table_schema = 'd' ORDER BY table_name
----
TABLE_NAME | TABLE_ROWS
deep | 1
deep__changes | NULL
deep__p.q | NULL
deep__z | 1
flat | 4
flat__changes | NULL
good | NULL
some | 5
some__changes | NULL
some__list | 4
some__words | 3
some__zero | 4
t | 6
t__"grades" | 11
t__"grades"__history | 3
t__"tags" | 3
t__address.tags | 1
t__changes | NULL
t__grades | 1
t__grades__changes | NULL
t__matrix | 3
t__tags | NULL

exec
SET sqlfdb_show_companions = OFF;
DROP TABLE t__grades;
DROP VIEW t__tags;
----
ok, 0 rows
ok, 0 rows
ok, 0 rows

query
SHOW TABLES
----
Tables_in_d
deep
flat
good
some
t

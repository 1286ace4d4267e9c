# Expressions with parameters in GROUP BY, HAVING, the select list and ORDER BY are the same if their parameters have the same values.

exec
CREATE TABLE t (_id VARCHAR(255) PRIMARY KEY, a INT, b INT, c INT, _doc JSON);
INSERT INTO t (_id, a, b, c) VALUES ('x', 1, 3, 5), ('y', 2, 3, 4), ('z', 2, 7, 4)
----
ok, 0 rows
ok, 3 rows

prepared
: 1
: 1
: 3
SELECT COUNT(*) FROM t GROUP BY IF(a IN (?), b, c) HAVING IF(a IN (?), b, c) > ?
----
COUNT(*)
2

prepared
: 1
: 1
: 3
SELECT COUNT(*) FROM t AS x JOIN t AS y ON x._id = y._id GROUP BY IF(x.a IN (?), y.b, x.c) HAVING IF(x.a IN (?), y.b, x.c) > ?
----
COUNT(*)
2

prepared
: 1
: 1
: 1
: 1
: 0
SELECT IF(a IN (?), b, c) AS v, COUNT(*) FROM t GROUP BY IF(a IN (?), b, c) HAVING IF(a IN (?), b, c) + IF(a IN (?), b, c) > ? ORDER BY v DESC
----
v | COUNT(*)
4 | 2
3 | 1

prepared
: a
: 2
: A
: a
: a
SELECT COUNT(*), CONCAT(_id, ?) AS v FROM t GROUP BY IF(a = ?, 1, 2), CONCAT(_id, ?), CONCAT(_id, ?) HAVING CONCAT(_id, ?) > 'ya' ORDER BY v
----
COUNT(*) | v
1 | za

# Other values are another expression, as they are where they stand in the text.

prepared
: 1
: 2
: 3
SELECT COUNT(*) FROM t GROUP BY IF(a IN (?), b, c) HAVING IF(a IN (?), b, c) > ?
----
ERROR 1054 (42S22): column "a" could not be found in any table in scope

query
SELECT COUNT(*) FROM t GROUP BY IF(a IN (1), b, c) HAVING IF(a IN (2), b, c) > 3
----
ERROR 1054 (42S22): column "a" could not be found in any table in scope

prepared
: A
: a
SELECT COUNT(*) FROM t GROUP BY CONCAT(_id, ?) HAVING CONCAT(_id, ?) > 'ya'
----
ERROR 1054 (42S22): column "_id" could not be found in any table in scope

prepared
: 1
: 2
: 3
SELECT COUNT(*) FROM t AS x GROUP BY IF(x.a IN (?), x.b, x.c) HAVING IF(x.a IN (?), x.b, x.c) > ?
----
ERROR 1054 (42S22): Unknown column 'x.a' in 'having clause'

# HAVING names a column that no group has: it is the column that is unknown, not its table.

query
SELECT COUNT(*) FROM t AS x HAVING x.a > 1
----
ERROR 1054 (42S22): Unknown column 'x.a' in 'having clause'

query
SELECT COUNT(*) FROM (SELECT a FROM t) AS x HAVING x.a > 1
----
ERROR 1054 (42S22): Unknown column 'x.a' in 'having clause'

query
SELECT COUNT(*) FROM nothing AS x HAVING x.a > 1
----
ERROR 1146 (42S02): Table 'd.nothing' doesn't exist

# One statement, values that change.

exec
PREPARE s FROM 'SELECT COUNT(*) AS n FROM t GROUP BY a > ? HAVING (a > ?) = 0';
SET @one = 1, @two = 2
----
ok, 0 rows
ok, 0 rows

query
EXECUTE s USING @one, @one
----
n
1

query
EXECUTE s USING @one, @two
----
ERROR 1054 (42S22): column "a" could not be found in any table in scope

query
EXECUTE s USING @two, @two
----
n
3

query
CHECK TABLE t
----
Table | Op | Msg_type | Msg_text
d.t | check | status | OK

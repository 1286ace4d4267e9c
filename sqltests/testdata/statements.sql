# Statements of MySQL that the engine's parser does not know.
exec
CREATE TABLE t (id INT PRIMARY KEY, s VARCHAR(20), s2 INT);
INSERT INTO t VALUES (1, 'a', 1), (2, 'b', 2);
----
ok, 0 rows
ok, 2 rows

# DO evaluates, and answers with OK.
exec
DO 1 + 1;
DO SLEEP(0), (SELECT MAX(id) FROM t), 'x,y', ROUND(1.5, 0);
DO (SELECT id FROM t);
DO nothing(1);
DO 1 +;
DO;
----
ok, 0 rows
ok, 0 rows
ERROR 1242 (21000): the subquery returned more than 1 row
ERROR 1305 (42000): function: 'nothing' not found
ERROR 1064 (42000): syntax error at position 3 near 'DO'
ERROR 1064 (42000): syntax error at position 3 near 'DO'

# A column, or a pattern for columns.
query
DESC t s
----
Field | Type | Null | Key | Default | Extra
s | varchar(20) | YES |  | NULL |

query
DESCRIBE t 's%'
----
Field | Type | Null | Key | Default | Extra
s | varchar(20) | YES |  | NULL |
s2 | int | YES |  | NULL |

query
EXPLAIN d.t `s2`;
----
Field | Type | Null | Key | Default | Extra
s2 | int | YES |  | NULL |

query
DESCRIBE t 'x%'
----
Field | Type | Null | Key | Default | Extra

exec
DESC nothing s;
DESC t s s2;
SHOW ENGINE INNODB STATUS;
----
ERROR 1146 (42S02): Table 'd.nothing' doesn't exist
ERROR 1064 (42000): syntax error at position 9 near 's'
ok, 0 rows

# ALTER VIEW is about one that is there.
exec
ALTER VIEW v AS SELECT 1 AS a;
CREATE VIEW v AS SELECT id FROM t;
ALTER VIEW v AS SELECT id, s FROM t WHERE id > 1;
ALTER VIEW v AS SELECT nothing FROM t;
ALTER VIEW v AS SELECT FROM;
----
ERROR 1146 (42S02): Table 'd.v' doesn't exist
ok, 0 rows
ok, 0 rows
ERROR 1054 (42S22): column "nothing" could not be found in any table in scope
ERROR 1064 (42000): syntax error at position 11 near 'VIEW'

query
SELECT * FROM v
----
id | s
2 | b

exec
ALTER ALGORITHM = UNDEFINED DEFINER = `root`@`localhost` SQL SECURITY DEFINER VIEW d.v (x, y) AS SELECT id, s FROM t;
PREPARE p FROM 'ALTER VIEW v AS SELECT 1';
----
ok, 0 rows
ERROR 1295 (HY000): This command is not supported in the prepared statement protocol yet

query
SELECT * FROM v ORDER BY x
----
x | y
1 | a
2 | b

# Names that are words of the engine's parser alone, and any behind a dot.
exec
CREATE TABLE copy (copy INT PRIMARY KEY, format VARCHAR(20), off INT, next INT, std DOUBLE, `order` INT, shared INT);
INSERT INTO copy (copy, format, off, next, `order`) VALUES (1, FORMAT(1234.5, 1), 7, NULL, 3), (2, 'b%', 8, 1, 4);
UPDATE copy SET shared = off, std = next + 1 WHERE copy.next = 1;
ALTER TABLE copy ADD COLUMN yes INT, ALGORITHM = COPY, LOCK = SHARED;
CREATE INDEX exclusive ON copy (off, next);
----
ok, 0 rows
ok, 2 rows
ok, 1 rows
ok, 0 rows
ok, 0 rows

query
SELECT c.copy, format, off AS off, c.order, c.shared, std FROM copy c WHERE off = 7 OR c.next = 1 ORDER BY next, copy
----
copy | format | off | order | shared | std
1 | 1,234.5 | 7 | 3 | NULL | NULL
2 | b% | 8 | 4 | 8 | 2

query
SELECT off, STD(next), SUBSTR('abc', 2), COUNT(*) AS substr FROM copy WHERE format LIKE '_|%' ESCAPE '|' OR format LIKE '1,%' GROUP BY off ORDER BY off
----
off | STD(next) | SUBSTR('abc', 2) | substr
7 | NULL | bc | 1
8 | 0 | bc | 1

exec
EXPLAIN FORMAT = TREE SELECT copy FROM copy;
DELETE FROM copy WHERE copy.copy = 1 AND format = '1,234.5';
SET GLOBAL general_log = OFF;
DROP TABLE copy;
----
ok, 0 rows
ok, 1 rows
ok, 0 rows
ok, 0 rows

# What there is not is named.
exec
XA START 'a';
HANDLER t OPEN;
HELP 'select';
RESET QUERY CACHE;
GET DIAGNOSTICS @n = NUMBER;
----
ERROR 1235 (42000): statements of this kind are not supported: XA
ERROR 1235 (42000): statements of this kind are not supported: HANDLER
ERROR 1235 (42000): statements of this kind are not supported: HELP
ERROR 1235 (42000): statements of this kind are not supported: RESET
ERROR 1235 (42000): statements of this kind are not supported: GET

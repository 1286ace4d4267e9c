# The names in a view are those of its database, whichever is the current one, and if there is none.
exec
CREATE TABLE t (id INT PRIMARY KEY, k INT, n INT);
INSERT INTO t VALUES (1, 1, 10), (2, 1, 20), (3, 2, 5);
CREATE VIEW v1 AS SELECT * FROM t;
CREATE VIEW v2 AS SELECT k, SUM(n) s FROM v1 GROUP BY k;
CREATE VIEW v3 AS SELECT k, SUM(n) s FROM t GROUP BY k WITH ROLLUP;
CREATE VIEW v4 AS SELECT id, (SELECT MAX(n) FROM t) m FROM t WHERE EXISTS (SELECT 1 FROM v1 WHERE v1.id = t.id)
----
ok, 0 rows
ok, 3 rows
ok, 0 rows
ok, 0 rows
ok, 0 rows
ok, 0 rows

exec conn=none
CREATE DATABASE other;
USE other;
DROP DATABASE other
----
ok, 1 rows
ok, 0 rows
ok, 1 rows

query conn=none
SELECT DATABASE(), v1.* FROM d.v1 ORDER BY id
----
DATABASE() | id | k | n
NULL | 1 | 1 | 10
NULL | 2 | 1 | 20
NULL | 3 | 2 | 5

query conn=none
SELECT v2.* FROM d.v1 JOIN d.v2 ON v1.k = v2.k ORDER BY id
----
k | s
1 | 30
1 | 30
2 | 5

query conn=none
SELECT * FROM d.v3
----
k | s
1 | 30
2 | 5
NULL | 35

query conn=none
SELECT * FROM d.v4 ORDER BY id
----
id | m
1 | 20
2 | 20
3 | 20

query conn=none
SELECT * FROM d.v1, t
----
ERROR 1046 (3D000): no database selected

query conn=none
SHOW COLUMNS FROM d.v2
----
Field | Type | Null | Key | Default | Extra
k | int | YES |  | NULL |
s | double | YES |  | NULL |

query conn=none
SELECT table_name, view_definition, check_option, is_updatable, security_type FROM information_schema.views WHERE table_schema = 'd' ORDER BY 1
----
TABLE_NAME | VIEW_DEFINITION | CHECK_OPTION | IS_UPDATABLE | SECURITY_TYPE
v1 | SELECT * FROM t | NONE | YES | DEFINER
v2 | SELECT k, SUM(n) s FROM v1 GROUP BY k | NONE | NO | DEFINER
v3 | SELECT k, SUM(n) s FROM t GROUP BY k WITH ROLLUP | NONE | NO | DEFINER
v4 | SELECT id, (SELECT MAX(n) FROM t) m FROM t WHERE EXISTS (SELECT 1 FROM v1 WHERE v1.id = t.id) | NONE | NO | DEFINER

exec conn=none
CREATE DATABASE other;
USE other;
CREATE TABLE t (id VARCHAR(5))
----
ok, 1 rows
ok, 0 rows
ok, 0 rows

query conn=none
SELECT * FROM d.v1 ORDER BY id
----
id | k | n
1 | 1 | 10
2 | 1 | 20
3 | 2 | 5

query conn=none
SELECT table_name, column_name, data_type FROM information_schema.columns WHERE table_schema = 'd' AND table_name LIKE 'v%' ORDER BY 1, 2
----
TABLE_NAME | COLUMN_NAME | DATA_TYPE
v1 | id | int
v1 | k | int
v1 | n | int
v2 | k | int
v2 | s | decimal
v3 | k | int
v3 | s | decimal
v4 | id | int
v4 | m | int

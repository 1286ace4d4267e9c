# ON UPDATE stamps a row that a statement changes, in MySQL's sense: no other.
exec
CREATE DATABASE stamped;
USE stamped;
CREATE TABLE t (i INT PRIMARY KEY, j INT, at DATETIME NULL ON UPDATE CURRENT_TIMESTAMP);
INSERT INTO t (i, j) VALUES (1, 1), (2, 2);
UPDATE t SET i = 2 WHERE i = 2;
UPDATE t SET j = j;
INSERT INTO t (i, j) VALUES (2, 9) ON DUPLICATE KEY UPDATE j = 2
----
ok, 1 rows
ok, 0 rows
ok, 0 rows
ok, 2 rows
ok, 0 rows
ok, 0 rows
ok, 0 rows

query
SELECT i, j, at IS NULL FROM t
----
i | j | at IS NULL
1 | 1 | 1
2 | 2 | 1

exec
UPDATE t SET j = 3 WHERE i = 1;
INSERT INTO t (i, j) VALUES (2, 9) ON DUPLICATE KEY UPDATE j = VALUES(j)
----
ok, 1 rows
ok, 2 rows

query
SELECT i, j, at IS NULL FROM t
----
i | j | at IS NULL
1 | 3 | 0
2 | 9 | 0

# One that is set is not stamped.
exec
UPDATE t SET at = NULL, j = j + 1;
INSERT INTO t (i, j) VALUES (2, 9) ON DUPLICATE KEY UPDATE j = 20, at = at;
INSERT INTO t (i, j) VALUES (1, 9) ON DUPLICATE KEY UPDATE at = '2020-01-01'
----
ok, 2 rows
ok, 2 rows
ok, 2 rows

query
SELECT * FROM t
----
i | j | at
1 | 4 | 2020-01-01 00:00:00
2 | 20 | NULL

# Of a join the rows that are changed are stamped, those that are read beside them not.
exec
CREATE TABLE u (a INT, at TIMESTAMP NULL ON UPDATE CURRENT_TIMESTAMP);
INSERT INTO u VALUES (1, NULL);
UPDATE u JOIN t ON a = i SET j = 77
----
ok, 0 rows
ok, 1 rows
ok, 1 rows

query
SELECT i, j, t.at > '2020-01-02' AS stamped, u.at FROM t JOIN u ON a = 1 ORDER BY i
----
i | j | stamped | at
1 | 77 | 1 | NULL
2 | 20 | NULL | NULL

exec
UPDATE u JOIN t ON a = i SET a = 3, u.at = '2020-01-01';
UPDATE u SET a = 4 WHERE a IN (SELECT 3)
----
ok, 1 rows
ok, 1 rows

query
SELECT a, at > '2020-01-02' FROM u
----
a | at > '2020-01-02'
4 | 1

# ON DUPLICATE KEY UPDATE and REPLACE of a table without a primary key change the row that a unique key finds.
exec
CREATE TABLE t (i INT, j VARCHAR(10), k INT, UNIQUE KEY (i), UNIQUE KEY (k));
INSERT INTO t VALUES (1, 'a', 1), (2, 'b', 2);
INSERT INTO t VALUES (1, 'z', 9) ON DUPLICATE KEY UPDATE j = CONCAT(j, VALUES(j));
INSERT INTO t VALUES (1, 'z', 9), (1, 'y', 9), (3, 'n', 3) ON DUPLICATE KEY UPDATE i = i + 10;
----
ok, 0 rows
ok, 2 rows
ok, 2 rows
ok, 4 rows

query
SELECT * FROM t ORDER BY i
----
i | j | k
1 | y | 9
2 | b | 2
3 | n | 3
11 | az | 1

exec
INSERT INTO t VALUES (11, 'z', 8) ON DUPLICATE KEY UPDATE i = 2;
INSERT IGNORE INTO t VALUES (11, 'z', 8), (12, 'm', 8) ON DUPLICATE KEY UPDATE i = 2;
INSERT IGNORE INTO t VALUES (2, 'n', 10), (4, 'o', 10);
UPDATE IGNORE t SET i = 2, j = 'never' WHERE i = 3;
UPDATE t SET j = 'then' WHERE i = 3;
REPLACE INTO t VALUES (2, 'p', 3);
INSERT INTO t SELECT 4, 'q', 20 UNION SELECT 5, 'r', 21 ON DUPLICATE KEY UPDATE j = CONCAT('was ', t.j);
----
ERROR 1062 (23000): Duplicate entry '2' for key 't.i'
ok, 1 rows
ok, 1 rows
ok, 0 rows
ok, 1 rows
ok, 3 rows
ok, 3 rows

query
SELECT * FROM t ORDER BY i
----
i | j | k
1 | y | 9
2 | p | 3
4 | was o | 10
5 | r | 21
11 | az | 1
12 | m | 8

query
CHECK TABLE t
----
Table | Op | Msg_type | Msg_text
d.t | check | status | OK

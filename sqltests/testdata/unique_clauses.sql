# A column that is made UNIQUE once more gets another key, named as ADD UNIQUE would.
exec
CREATE TABLE t (id INT PRIMARY KEY, n VARCHAR(20) UNIQUE, m INT);
INSERT INTO t VALUES (1, 'a', 1), (2, 'b', 1);
ALTER TABLE t CHANGE `n` `n` VARCHAR(30) UNIQUE;
ALTER TABLE t MODIFY n VARCHAR(30) UNIQUE KEY, ADD k INT UNIQUE;
ALTER TABLE t MODIFY m INT UNIQUE;
----
ok, 0 rows
ok, 2 rows
ok, 0 rows
ok, 0 rows
ERROR 1062 (23000): Duplicate entry '1' for key 't.m'

exec
UPDATE t SET m = id;
ALTER TABLE t MODIFY m BIGINT NOT NULL UNIQUE FIRST;
ALTER TABLE t CHANGE n o VARCHAR(30) UNIQUE AFTER k;
INSERT INTO t (id, o, m) VALUES (3, 'a', 3);
----
ok, 1 rows
ok, 0 rows
ERROR 1072 (42000): Key column 'o' doesn't exist in table
ERROR 1054 (42S22): Unknown column 'o' in 't'

query
SHOW CREATE TABLE t
----
Table | Create Table
t | CREATE TABLE `t` (
  `m` bigint NOT NULL,
  `id` int NOT NULL,
  `n` varchar(30),
  `k` int,
  PRIMARY KEY (`id`),
  UNIQUE KEY `n` (`n`),
  UNIQUE KEY `n_2` (`n`),
  UNIQUE KEY `n_3` (`n`),
  UNIQUE KEY `k` (`k`),
  UNIQUE KEY `m` (`m`)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_as_cs

query
CHECK TABLE t
----
Table | Op | Msg_type | Msg_text
d.t | check | status | OK

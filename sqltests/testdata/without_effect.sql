# Parameters of LIMIT and OFFSET that are no counts: NULL is 0, as in MySQL.
exec
CREATE TABLE t (id INT PRIMARY KEY);
INSERT INTO t VALUES (1), (2);
SET @a = NULL, @c = 2, @d = -1;
PREPARE p FROM 'SELECT ? FROM t LIMIT ?';
EXECUTE p USING @a, @a;
EXECUTE p USING @c, @c;
EXECUTE p USING @c, @d;
PREPARE p FROM 'SELECT id FROM t LIMIT ? OFFSET ?';
EXECUTE p USING @c, @a;
EXECUTE p USING @c, @d;
PREPARE p FROM '(SELECT id FROM t LIMIT ?) UNION ALL SELECT 3 LIMIT ? OFFSET ?';
EXECUTE p USING @c, @a, @a;
EXECUTE p USING @c, @d, @a;
EXECUTE p USING @d, @c, @a;
PREPARE p FROM 'DELETE FROM t LIMIT ?';
EXECUTE p USING @a;
EXECUTE p USING @d;
PREPARE p FROM 'UPDATE t SET id = id + 10 LIMIT ?';
EXECUTE p USING @a;
EXECUTE p USING @d;
PREPARE p FROM 'INSERT INTO t SELECT id + 20 FROM t LIMIT ?';
EXECUTE p USING @a;
EXECUTE p USING @d;
----
ok, 0 rows
ok, 2 rows
ok, 0 rows
ok, 0 rows
ok, 0 rows
ok, 0 rows
ERROR 1210 (HY000): Incorrect arguments to EXECUTE
ok, 0 rows
ok, 0 rows
ERROR 1210 (HY000): Incorrect arguments to EXECUTE
ok, 0 rows
ok, 0 rows
ERROR 1210 (HY000): Incorrect arguments to EXECUTE
ERROR 1210 (HY000): Incorrect arguments to EXECUTE
ok, 0 rows
ok, 0 rows
ERROR 1210 (HY000): Incorrect arguments to EXECUTE
ok, 0 rows
ok, 0 rows
ERROR 1210 (HY000): Incorrect arguments to EXECUTE
ok, 0 rows
ok, 0 rows
ERROR 1210 (HY000): Incorrect arguments to EXECUTE

# What there is nothing to be flushed of.
exec
FLUSH PRIVILEGES;
FLUSH LOCAL PRIVILEGES;
FLUSH HOSTS;
FLUSH LOGS;
FLUSH TABLES;
FLUSH STATUS;
----
ok, 0 rows
ok, 0 rows
ok, 0 rows
ok, 0 rows
ok, 0 rows
ok, 0 rows

query
SELECT COUNT(*) FROM information_schema.column_statistics WHERE schema_name = DATABASE() AND table_name = 't'
----
COUNT(*)
0

# Variables that nothing reads.
exec
SET GLOBAL sort_buffer_size = 1000000;
----
ok, 0 rows

query
SHOW WARNINGS
----
Level | Code | Message
Warning | 1235 | Variable 'sort_buffer_size' has no effect in sqlfdb

exec
SET GLOBAL sort_buffer_size = DEFAULT;
SET GLOBAL read_only = ON;
SET GLOBAL read_only = OFF;
SET GLOBAL require_secure_transport = ON;
SET GLOBAL wait_timeout = 28800;
----
ok, 0 rows
ERROR 1235 (42000): Variable 'read_only' has no effect in sqlfdb
ok, 0 rows
ERROR 1235 (42000): Variable 'require_secure_transport' has no effect in sqlfdb
ok, 0 rows

query
SHOW WARNINGS
----
Level | Code | Message

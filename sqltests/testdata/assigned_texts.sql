# Dates, times and ENUMs that are stored as texts, or where nothing is declared, are stored as they are written.

exec
CREATE TABLE v (id INT PRIMARY KEY, d DATE, dt DATETIME(3), tm TIME(6), e ENUM('x', 'y'), y YEAR);
INSERT INTO v VALUES (1, '2020-01-02', '2020-01-02 03:04:05.678', '01:02:03.5', 'y', 2020);
CREATE TABLE t (id INT PRIMARY KEY, a VARCHAR(30), b LONGTEXT COLLATE utf8mb4_0900_ai_ci, _doc JSON);
INSERT INTO t (id, a, b) SELECT 1, d, tm FROM v;
INSERT INTO t (b, id, a) SELECT dt, 2, e FROM v UNION ALL SELECT y, 3, y FROM v;
INSERT INTO t (id, a) SELECT 4, NULL UNION ALL SELECT 5, d FROM v;
INSERT INTO t (id, a, b) VALUES (6, (SELECT d FROM v), (SELECT e FROM v)), (7, 'as it is', (SELECT tm FROM v));
INSERT INTO t (id, u, w) SELECT 8, d, e FROM v;
REPLACE INTO t (id, a) SELECT 8, tm FROM v;
INSERT INTO t (id, a) SELECT 1, d FROM v ON DUPLICATE KEY UPDATE b = v.d;
INSERT INTO t SET id = 9, a = (SELECT e FROM v), u = (SELECT d FROM v)
----
ok, 0 rows
ok, 1 rows
ok, 0 rows
ok, 1 rows
ok, 2 rows
ok, 2 rows
ok, 2 rows
ok, 1 rows
ok, 2 rows
ok, 2 rows
ok, 1 rows

query
SELECT id, a, b, u, w FROM t ORDER BY id
----
id | a | b | u | w
1 | 2020-01-02 | 2020-01-02 | NULL | NULL
2 | y | 2020-01-02 03:04:05.678 | NULL | NULL
3 | 2020 | 2020 | NULL | NULL
4 | NULL | NULL | NULL | NULL
5 | 2020-01-02 | NULL | NULL | NULL
6 | 2020-01-02 | y | NULL | NULL
7 | as it is | 01:02:03.500000 | NULL | NULL
8 | 01:02:03.500000 | NULL | NULL | NULL
9 | y | NULL | 2020-01-02 | NULL

exec
CREATE TABLE s (id INT PRIMARY KEY, d DATE, tm TIME(6), e ENUM('x', 'y'), a VARCHAR(30), b TEXT, c VARCHAR(30), _doc JSON);
INSERT INTO s (id, d, tm, e) VALUES (1, '2020-01-02', '01:02:03.5', 'y');
UPDATE s SET a = d, b = tm, c = e, u = d, w = e;
UPDATE t JOIN s ON s.id = t.id SET t.a = s.tm, t.b = s.d
----
ok, 0 rows
ok, 1 rows
ok, 1 rows
ok, 1 rows

query
SELECT a, b, c, u, w FROM s
----
a | b | c | u | w
2020-01-02 | 01:02:03.500000 | y | 2020-01-02 | y

query
SELECT a, b FROM t WHERE id = 1
----
a | b
01:02:03.500000 | 2020-01-02

query
CHECK TABLE v, t, s
----
Table | Op | Msg_type | Msg_text
d.v | check | status | OK
d.t | check | status | OK
d.s | check | status | OK

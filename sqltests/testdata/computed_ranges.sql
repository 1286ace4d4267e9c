# Dates moved by an interval, days between dates, arithmetic of unsigned columns and of the primary key, and IN of what is rounded: all of them find ranges.
exec
CREATE TABLE t (id INT PRIMARY KEY, u BIGINT UNSIGNED, d DATE, m DATETIME, x DOUBLE, c DECIMAL(10,2), s VARCHAR(10));
INSERT INTO t WITH RECURSIVE i AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM i WHERE n < 3000) SELECT n, n * 11 % 3001, DATE('2024-01-01') + INTERVAL n % 900 DAY, TIMESTAMP('2024-01-01 10:00:00') + INTERVAL n % 900 DAY, n / 8, n / 100, 'x' FROM i;
INSERT INTO t (id, u) VALUES (4001, 9223372036854775808), (4002, NULL);
INSERT INTO t (id, d, m) VALUES (4003, '9999-12-31', '9999-12-31 23:59:59'), (4004, '1000-01-01', '1000-01-01 00:00:00')
----
ok, 0 rows
ok, 3000 rows
ok, 2 rows
ok, 2 rows

query
SELECT COUNT(*), MIN(id), MAX(id), COUNT(s) FROM t WHERE d + INTERVAL 1 DAY > '2026-06-17'
----
COUNT(*) | MIN(id) | MAX(id) | COUNT(s)
6 | 898 | 2699 | 6

query
SHOW STATUS WHERE Variable_name IN ('sqlfdb_last_keys', 'sqlfdb_last_documents')
----
Variable_name | Value
sqlfdb_last_documents | 28
sqlfdb_last_keys | 28

query
SELECT COUNT(*), MIN(id), MAX(id), COUNT(s) FROM t WHERE DATE_ADD(d, INTERVAL 1 MONTH) = '2024-02-29'
----
COUNT(*) | MIN(id) | MAX(id) | COUNT(s)
12 | 28 | 2730 | 12

query
SHOW STATUS WHERE Variable_name IN ('sqlfdb_last_keys', 'sqlfdb_last_documents')
----
Variable_name | Value
sqlfdb_last_documents | 52
sqlfdb_last_keys | 52

query
SELECT COUNT(*), MIN(id), MAX(id), COUNT(s) FROM t WHERE DATE_SUB(d, INTERVAL 1 MONTH) = '2024-02-29'
----
COUNT(*) | MIN(id) | MAX(id) | COUNT(s)
12 | 88 | 2790 | 12

query
SHOW STATUS WHERE Variable_name IN ('sqlfdb_last_keys', 'sqlfdb_last_documents')
----
Variable_name | Value
sqlfdb_last_documents | 52
sqlfdb_last_keys | 52

query
SELECT COUNT(*), MIN(id), MAX(id), COUNT(s) FROM t WHERE DATE_ADD(d, INTERVAL 11 MONTH) BETWEEN '2025-12-30' AND '2026-01-01'
----
COUNT(*) | MIN(id) | MAX(id) | COUNT(s)
9 | 395 | 2197 | 9

query
SHOW STATUS WHERE Variable_name IN ('sqlfdb_last_keys', 'sqlfdb_last_documents')
----
Variable_name | Value
sqlfdb_last_documents | 45
sqlfdb_last_keys | 45

query
SELECT COUNT(*), MIN(id), MAX(id), COUNT(s) FROM t WHERE '2024-01-03 10:00:00' >= m - INTERVAL 2 HOUR
----
COUNT(*) | MIN(id) | MAX(id) | COUNT(s)
12 | 1 | 4004 | 11

query
SHOW STATUS WHERE Variable_name IN ('sqlfdb_last_keys', 'sqlfdb_last_documents')
----
Variable_name | Value
sqlfdb_last_documents | 32
sqlfdb_last_keys | 32

query
SELECT COUNT(*), MIN(id), MAX(id), COUNT(s) FROM t WHERE NOT m + INTERVAL 1 YEAR < '2027-06-17'
----
COUNT(*) | MIN(id) | MAX(id) | COUNT(s)
6 | 898 | 2699 | 6

query
SHOW STATUS WHERE Variable_name IN ('sqlfdb_last_keys', 'sqlfdb_last_documents')
----
Variable_name | Value
sqlfdb_last_documents | 25
sqlfdb_last_keys | 25

query
SELECT COUNT(*), MIN(id), MAX(id), COUNT(s) FROM t WHERE DATE_SUB(d, INTERVAL 1 DAY) IN ('2024-01-04', '2026-06-17 12:00:00')
----
COUNT(*) | MIN(id) | MAX(id) | COUNT(s)
4 | 4 | 2704 | 4

query
SHOW STATUS WHERE Variable_name IN ('sqlfdb_last_keys', 'sqlfdb_last_documents')
----
Variable_name | Value
sqlfdb_last_documents | 64
sqlfdb_last_keys | 64

query
SELECT COUNT(*), MIN(id), MAX(id), COUNT(s) FROM t WHERE DATEDIFF(d, '2026-06-15') > 0
----
COUNT(*) | MIN(id) | MAX(id) | COUNT(s)
10 | 897 | 4003 | 9

query
SHOW STATUS WHERE Variable_name IN ('sqlfdb_last_keys', 'sqlfdb_last_documents')
----
Variable_name | Value
sqlfdb_last_documents | 31
sqlfdb_last_keys | 31

query
SELECT COUNT(*), MIN(id), MAX(id), COUNT(s) FROM t WHERE DATEDIFF('2024-01-03', m) >= 0
----
COUNT(*) | MIN(id) | MAX(id) | COUNT(s)
12 | 1 | 4004 | 11

query
SHOW STATUS WHERE Variable_name IN ('sqlfdb_last_keys', 'sqlfdb_last_documents')
----
Variable_name | Value
sqlfdb_last_documents | 32
sqlfdb_last_keys | 32

query
SELECT COUNT(*), MIN(id), MAX(id), COUNT(s) FROM t WHERE DATEDIFF(m, '2024-01-03') = -1
----
COUNT(*) | MIN(id) | MAX(id) | COUNT(s)
4 | 1 | 2701 | 4

query
SHOW STATUS WHERE Variable_name IN ('sqlfdb_last_keys', 'sqlfdb_last_documents')
----
Variable_name | Value
sqlfdb_last_documents | 27
sqlfdb_last_keys | 27

query
SELECT COUNT(*), MIN(id), MAX(id), COUNT(s) FROM t WHERE u + 1 = 5
----
COUNT(*) | MIN(id) | MAX(id) | COUNT(s)
1 | 546 | 546 | 1

query
SHOW STATUS WHERE Variable_name IN ('sqlfdb_last_keys', 'sqlfdb_last_documents')
----
Variable_name | Value
sqlfdb_last_documents | 2
sqlfdb_last_keys | 2

query
SELECT COUNT(*), MIN(id), MAX(id), COUNT(s) FROM t WHERE u * 2 < 5
----
ERROR 1690 (22003): BIGINT UNSIGNED value is out of range in '(t.u * 2)'

query
SHOW STATUS WHERE Variable_name IN ('sqlfdb_last_keys', 'sqlfdb_last_documents')
----
Variable_name | Value
sqlfdb_last_documents | 3
sqlfdb_last_keys | 3

query
SELECT COUNT(*), MIN(id), MAX(id), COUNT(s) FROM t WHERE u DIV 10 = 3 AND u / 3 > 12
----
COUNT(*) | MIN(id) | MAX(id) | COUNT(s)
3 | 549 | 2186 | 3

query
SHOW STATUS WHERE Variable_name IN ('sqlfdb_last_keys', 'sqlfdb_last_documents')
----
Variable_name | Value
sqlfdb_last_documents | 6
sqlfdb_last_keys | 6

query
SELECT COUNT(*), MIN(id), MAX(id), COUNT(s) FROM t WHERE u + -1 < 3
----
COUNT(*) | MIN(id) | MAX(id) | COUNT(s)
3 | 273 | 1910 | 3

query
SHOW STATUS WHERE Variable_name IN ('sqlfdb_last_keys', 'sqlfdb_last_documents')
----
Variable_name | Value
sqlfdb_last_documents | 5
sqlfdb_last_keys | 5

query
SELECT COUNT(*), MIN(id), MAX(id), COUNT(s) FROM t WHERE id + 1 = 5
----
COUNT(*) | MIN(id) | MAX(id) | COUNT(s)
1 | 4 | 4 | 1

query
SHOW STATUS WHERE Variable_name IN ('sqlfdb_last_keys', 'sqlfdb_last_documents')
----
Variable_name | Value
sqlfdb_last_documents | 1
sqlfdb_last_keys | 0

query
SELECT COUNT(*), MIN(id), MAX(id), COUNT(s) FROM t WHERE id - 1 < 2
----
COUNT(*) | MIN(id) | MAX(id) | COUNT(s)
2 | 1 | 2 | 2

query
SHOW STATUS WHERE Variable_name IN ('sqlfdb_last_keys', 'sqlfdb_last_documents')
----
Variable_name | Value
sqlfdb_last_documents | 3
sqlfdb_last_keys | 0

query
SELECT COUNT(*), MIN(id), MAX(id), COUNT(s) FROM t WHERE 2990 < id * 1 - 0
----
COUNT(*) | MIN(id) | MAX(id) | COUNT(s)
14 | 2991 | 4004 | 10

query
SHOW STATUS WHERE Variable_name IN ('sqlfdb_last_keys', 'sqlfdb_last_documents')
----
Variable_name | Value
sqlfdb_last_documents | 3004
sqlfdb_last_keys | 0

query
SELECT COUNT(*), MIN(id), MAX(id), COUNT(s) FROM t WHERE id * 2 BETWEEN 5 AND 10
----
COUNT(*) | MIN(id) | MAX(id) | COUNT(s)
3 | 3 | 5 | 3

query
SHOW STATUS WHERE Variable_name IN ('sqlfdb_last_keys', 'sqlfdb_last_documents')
----
Variable_name | Value
sqlfdb_last_documents | 3
sqlfdb_last_keys | 0

query
SELECT COUNT(*), MIN(id), MAX(id), COUNT(s) FROM t WHERE id + 1 IN (5, 7)
----
COUNT(*) | MIN(id) | MAX(id) | COUNT(s)
2 | 4 | 6 | 2

query
SHOW STATUS WHERE Variable_name IN ('sqlfdb_last_keys', 'sqlfdb_last_documents')
----
Variable_name | Value
sqlfdb_last_documents | 2
sqlfdb_last_keys | 0

query
SELECT COUNT(*), MIN(id), MAX(id), COUNT(s) FROM t WHERE id DIV 1000 = 3
----
COUNT(*) | MIN(id) | MAX(id) | COUNT(s)
1 | 3000 | 3000 | 1

query
SHOW STATUS WHERE Variable_name IN ('sqlfdb_last_keys', 'sqlfdb_last_documents')
----
Variable_name | Value
sqlfdb_last_documents | 1001
sqlfdb_last_keys | 0

query
SELECT COUNT(*), MIN(id), MAX(id), COUNT(s) FROM t WHERE FLOOR(x) IN (5, 7)
----
COUNT(*) | MIN(id) | MAX(id) | COUNT(s)
16 | 40 | 63 | 16

query
SHOW STATUS WHERE Variable_name IN ('sqlfdb_last_keys', 'sqlfdb_last_documents')
----
Variable_name | Value
sqlfdb_last_documents | 33
sqlfdb_last_keys | 33

query
SELECT COUNT(*), MIN(id), MAX(id), COUNT(s) FROM t WHERE ROUND(c) IN (5, 7.0)
----
COUNT(*) | MIN(id) | MAX(id) | COUNT(s)
200 | 450 | 749 | 200

query
SHOW STATUS WHERE Variable_name IN ('sqlfdb_last_keys', 'sqlfdb_last_documents')
----
Variable_name | Value
sqlfdb_last_documents | 403
sqlfdb_last_keys | 403

query
SELECT COUNT(*), MIN(id), MAX(id), COUNT(s) FROM t WHERE CEIL(x) IN (5.5, 374)
----
COUNT(*) | MIN(id) | MAX(id) | COUNT(s)
8 | 2985 | 2992 | 8

query
SHOW STATUS WHERE Variable_name IN ('sqlfdb_last_keys', 'sqlfdb_last_documents')
----
Variable_name | Value
sqlfdb_last_documents | 34
sqlfdb_last_keys | 34

# What is less than 0 of an unsigned column is what it is without the index.
query
SELECT COUNT(s) FROM t WHERE u - 3 > 2990
----
ERROR 1690 (22003): BIGINT UNSIGNED value is out of range in '(t.u - 3)'

exec
SET sqlfdb_use_index = OFF
----
ok, 0 rows

query
SELECT COUNT(s) FROM t WHERE u - 3 > 2990
----
ERROR 1690 (22003): BIGINT UNSIGNED value is out of range in '(t.u - 3)'

query
SELECT COUNT(*), MIN(id), MAX(id), COUNT(s) FROM t WHERE d + INTERVAL 1 DAY > '2026-06-17'
----
COUNT(*) | MIN(id) | MAX(id) | COUNT(s)
6 | 898 | 2699 | 6

query
SELECT COUNT(*), MIN(id), MAX(id), COUNT(s) FROM t WHERE DATE_ADD(d, INTERVAL 1 MONTH) = '2024-02-29'
----
COUNT(*) | MIN(id) | MAX(id) | COUNT(s)
12 | 28 | 2730 | 12

query
SELECT COUNT(*), MIN(id), MAX(id), COUNT(s) FROM t WHERE DATE_SUB(d, INTERVAL 1 MONTH) = '2024-02-29'
----
COUNT(*) | MIN(id) | MAX(id) | COUNT(s)
12 | 88 | 2790 | 12

query
SELECT COUNT(*), MIN(id), MAX(id), COUNT(s) FROM t WHERE DATE_ADD(d, INTERVAL 11 MONTH) BETWEEN '2025-12-30' AND '2026-01-01'
----
COUNT(*) | MIN(id) | MAX(id) | COUNT(s)
9 | 395 | 2197 | 9

query
SELECT COUNT(*), MIN(id), MAX(id), COUNT(s) FROM t WHERE '2024-01-03 10:00:00' >= m - INTERVAL 2 HOUR
----
COUNT(*) | MIN(id) | MAX(id) | COUNT(s)
12 | 1 | 4004 | 11

query
SELECT COUNT(*), MIN(id), MAX(id), COUNT(s) FROM t WHERE NOT m + INTERVAL 1 YEAR < '2027-06-17'
----
COUNT(*) | MIN(id) | MAX(id) | COUNT(s)
6 | 898 | 2699 | 6

query
SELECT COUNT(*), MIN(id), MAX(id), COUNT(s) FROM t WHERE DATE_SUB(d, INTERVAL 1 DAY) IN ('2024-01-04', '2026-06-17 12:00:00')
----
COUNT(*) | MIN(id) | MAX(id) | COUNT(s)
4 | 4 | 2704 | 4

query
SELECT COUNT(*), MIN(id), MAX(id), COUNT(s) FROM t WHERE DATEDIFF(d, '2026-06-15') > 0
----
COUNT(*) | MIN(id) | MAX(id) | COUNT(s)
10 | 897 | 4003 | 9

query
SELECT COUNT(*), MIN(id), MAX(id), COUNT(s) FROM t WHERE DATEDIFF('2024-01-03', m) >= 0
----
COUNT(*) | MIN(id) | MAX(id) | COUNT(s)
12 | 1 | 4004 | 11

query
SELECT COUNT(*), MIN(id), MAX(id), COUNT(s) FROM t WHERE DATEDIFF(m, '2024-01-03') = -1
----
COUNT(*) | MIN(id) | MAX(id) | COUNT(s)
4 | 1 | 2701 | 4

query
SELECT COUNT(*), MIN(id), MAX(id), COUNT(s) FROM t WHERE u + 1 = 5
----
COUNT(*) | MIN(id) | MAX(id) | COUNT(s)
1 | 546 | 546 | 1

query
SELECT COUNT(*), MIN(id), MAX(id), COUNT(s) FROM t WHERE u * 2 < 5
----
ERROR 1690 (22003): BIGINT UNSIGNED value is out of range in '(t.u * 2)'

query
SELECT COUNT(*), MIN(id), MAX(id), COUNT(s) FROM t WHERE u DIV 10 = 3 AND u / 3 > 12
----
COUNT(*) | MIN(id) | MAX(id) | COUNT(s)
3 | 549 | 2186 | 3

query
SELECT COUNT(*), MIN(id), MAX(id), COUNT(s) FROM t WHERE u + -1 < 3
----
COUNT(*) | MIN(id) | MAX(id) | COUNT(s)
3 | 273 | 1910 | 3

query
SELECT COUNT(*), MIN(id), MAX(id), COUNT(s) FROM t WHERE id + 1 = 5
----
COUNT(*) | MIN(id) | MAX(id) | COUNT(s)
1 | 4 | 4 | 1

query
SELECT COUNT(*), MIN(id), MAX(id), COUNT(s) FROM t WHERE id - 1 < 2
----
COUNT(*) | MIN(id) | MAX(id) | COUNT(s)
2 | 1 | 2 | 2

query
SELECT COUNT(*), MIN(id), MAX(id), COUNT(s) FROM t WHERE 2990 < id * 1 - 0
----
COUNT(*) | MIN(id) | MAX(id) | COUNT(s)
14 | 2991 | 4004 | 10

query
SELECT COUNT(*), MIN(id), MAX(id), COUNT(s) FROM t WHERE id * 2 BETWEEN 5 AND 10
----
COUNT(*) | MIN(id) | MAX(id) | COUNT(s)
3 | 3 | 5 | 3

query
SELECT COUNT(*), MIN(id), MAX(id), COUNT(s) FROM t WHERE id + 1 IN (5, 7)
----
COUNT(*) | MIN(id) | MAX(id) | COUNT(s)
2 | 4 | 6 | 2

query
SELECT COUNT(*), MIN(id), MAX(id), COUNT(s) FROM t WHERE id DIV 1000 = 3
----
COUNT(*) | MIN(id) | MAX(id) | COUNT(s)
1 | 3000 | 3000 | 1

query
SELECT COUNT(*), MIN(id), MAX(id), COUNT(s) FROM t WHERE FLOOR(x) IN (5, 7)
----
COUNT(*) | MIN(id) | MAX(id) | COUNT(s)
16 | 40 | 63 | 16

query
SELECT COUNT(*), MIN(id), MAX(id), COUNT(s) FROM t WHERE ROUND(c) IN (5, 7.0)
----
COUNT(*) | MIN(id) | MAX(id) | COUNT(s)
200 | 450 | 749 | 200

query
SELECT COUNT(*), MIN(id), MAX(id), COUNT(s) FROM t WHERE CEIL(x) IN (5.5, 374)
----
COUNT(*) | MIN(id) | MAX(id) | COUNT(s)
8 | 2985 | 2992 | 8

query
CHECK TABLE t
----
Table | Op | Msg_type | Msg_text
d.t | check | status | OK

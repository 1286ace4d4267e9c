# A constant text beside a date or a time that spells none is refused, whatever rows there are.

exec
CREATE TABLE t (_id INT PRIMARY KEY, d DATE, m DATETIME(6), q TIME(6), n INT, KEY dn (d, n))
----
ok, 0 rows

query
SELECT _id FROM t WHERE d = '2020-02-30'
----
ERROR 1525 (HY000): Incorrect DATE value: '2020-02-30'

exec
INSERT INTO t VALUES (1, '2020-01-01', '2020-01-01 01:02:03', '10:00:00', 1), (2, NULL, NULL, NULL, NULL)
----
ok, 2 rows

query
SELECT _id FROM t WHERE d = '2020-02-30'
----
ERROR 1525 (HY000): Incorrect DATE value: '2020-02-30'

query
SELECT _id FROM t WHERE n = 7 AND m > 'yesterday'
----
ERROR 1525 (HY000): Incorrect DATETIME value: 'yesterday'

query
SELECT _id FROM t WHERE n = 7 AND LAST_DAY(q) > '10:00:00'
----
ERROR 1525 (HY000): Incorrect DATE value: '10:00:00'

query
SELECT _id FROM t WHERE n = 7 AND DATE_ADD(q, INTERVAL 1 DAY) IN ('-00:00:01')
----
ERROR 1525 (HY000): Incorrect DATETIME value: '-00:00:01'

query
SELECT _id FROM t WHERE _id = 2 AND DATE_SUB(q, INTERVAL 1 MONTH) = '838:59:59'
----
ERROR 1525 (HY000): Incorrect DATETIME value: '838:59:59'

query
SELECT _id FROM t WHERE n = 7 AND q = '25:61:00'
----
ERROR 1525 (HY000): Incorrect TIME value: '25:61:00'

query
SELECT _id FROM t WHERE n = 7 AND d BETWEEN '2020-01-01' AND ''
----
ERROR 1525 (HY000): Incorrect DATE value: ''

query
SELECT _id FROM t WHERE n = 7 AND '2020-13-01' <=> d
----
ERROR 1525 (HY000): Incorrect DATE value: '2020-13-01'

query
SELECT _id FROM t WHERE (n, d) = (7, 'abc')
----
ERROR 1525 (HY000): Incorrect DATE value: 'abc'

query
SELECT _id FROM t WHERE n = 7 AND d = x'41'
----
ERROR 1525 (HY000): Incorrect DATE value: 'A'

query
SELECT CASE d WHEN 'abc' THEN 1 END FROM t WHERE _id = 2
----
ERROR 1525 (HY000): Incorrect DATE value: 'abc'

query
SELECT NULLIF(m, 'abc') FROM t WHERE _id = 2
----
ERROR 1525 (HY000): Incorrect DATETIME value: 'abc'

prepared
: abc
SELECT _id FROM t WHERE n = 7 AND m = ?
----
ERROR 1525 (HY000): Incorrect DATETIME value: 'abc'

exec
UPDATE t SET n = 2 WHERE n = 7 AND d = 'abc'
----
ERROR 1525 (HY000): Incorrect DATE value: 'abc'

# What is computed of rows is NULL there.

query
SELECT _id, d = CONCAT('a', n), d IN (SELECT 'abc') FROM t ORDER BY _id
----
_id | d = CONCAT('a', n) | d IN (SELECT 'abc')
1 | NULL | NULL
2 | NULL | NULL

# These are spelled in ways that MySQL takes.

query
SELECT _id FROM t WHERE d = '20200101' AND d = '2020-1-1' AND m = '2020-01-01T01:02:03' AND q = '0 10:0:0'
----
_id
1

query
CHECK TABLE t
----
Table | Op | Msg_type | Msg_text
d.t | check | status | OK

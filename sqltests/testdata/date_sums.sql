# Sums of dates and intervals.

exec
CREATE TABLE t (_id VARCHAR(255) PRIMARY KEY, n INT, d DATE, dt DATETIME(6), s VARCHAR(40), _doc JSON);
INSERT INTO t (_id, n, d, dt, s) VALUES ('a', 1, '2020-01-01', '2020-01-01 10:00:00.5', '2020-01-31'), ('b', 2, '2020-01-31', '2020-02-29 23:59:59.999999', '2020-01-31 10:00:00.25'), ('c', NULL, NULL, NULL, NULL);
CREATE VIEW v AS SELECT _id, d + INTERVAL 1 DAY AS next, dt - INTERVAL 1 DAY AS before_it FROM t;
----
ok, 0 rows
ok, 3 rows
ok, 0 rows

query
SELECT d + INTERVAL 1 DAY, d + INTERVAL 1 HOUR, d - INTERVAL 1 MONTH, INTERVAL n DAY + d FROM t ORDER BY _id
----
d + INTERVAL 1 DAY | d + INTERVAL 1 HOUR | d - INTERVAL 1 MONTH | INTERVAL n DAY + d
2020-01-02 | 2020-01-01 01:00:00 | 2019-12-01 | 2020-01-02
2020-02-01 | 2020-01-31 01:00:00 | 2019-12-31 | 2020-02-02
NULL | NULL | NULL | NULL

query
SELECT dt + INTERVAL 1 DAY, dt + INTERVAL 1 MICROSECOND, dt - INTERVAL n HOUR FROM t ORDER BY _id
----
dt + INTERVAL 1 DAY | dt + INTERVAL 1 MICROSECOND | dt - INTERVAL n HOUR
2020-01-02 10:00:00.5 | 2020-01-01 10:00:00.500001 | 2020-01-01 09:00:00.5
2020-03-01 23:59:59.999999 | 2020-03-01 00:00:00 | 2020-02-29 21:59:59.999999
NULL | NULL | NULL

query
SELECT s + INTERVAL 1 DAY, s + INTERVAL 1 MONTH FROM t ORDER BY _id
----
s + INTERVAL 1 DAY | s + INTERVAL 1 MONTH
2020-02-01 | 2020-02-29
2020-02-01 10:00:00.250000 | 2020-02-29 10:00:00.250000
NULL | NULL

query
SELECT (d + INTERVAL 1 DAY) + INTERVAL 1 MONTH - INTERVAL 1 YEAR FROM t ORDER BY _id
----
(d + INTERVAL 1 DAY) + INTERVAL 1 MONTH - INTERVAL 1 YEAR
2019-02-02
2019-03-01
NULL

query
SELECT d + INTERVAL 1 DAY AS k, COUNT(*) FROM t GROUP BY d + INTERVAL 1 DAY HAVING d + INTERVAL 1 DAY > '2020-01-02' ORDER BY d + INTERVAL 1 DAY
----
k | COUNT(*)
2020-02-01 | 1

query
SELECT * FROM v WHERE next > '2020-01-10'
----
_id | next | before_it
b | 2020-02-01 | 2020-02-28 23:59:59.999999

query
SELECT t.n FROM t JOIN t AS u ON u.d = t.d + INTERVAL 30 DAY
----
n
1

query
SELECT CASE WHEN d + INTERVAL 1 DAY > '2020-01-10' THEN d - INTERVAL 1 DAY ELSE d END, ROW_NUMBER() OVER (PARTITION BY d + INTERVAL 1 DAY ORDER BY d - INTERVAL 1 DAY) FROM t ORDER BY _id
----
CASE WHEN d + INTERVAL 1 DAY > '2020-01-10' THEN d - INTERVAL 1 DAY ELSE d END | ROW_NUMBER() OVER (PARTITION BY d + INTERVAL 1 DAY ORDER BY d - INTERVAL 1 DAY)
2020-01-01 | 1
2020-01-30 | 1
NULL | 1

prepared
: 30
SELECT _id FROM t WHERE d IN ('2020-01-01' + INTERVAL ? DAY, NULL)
----
_id
b

query
EXPLAIN FORMAT=TREE SELECT _id FROM t WHERE dt >= '2020-01-01' AND dt < '2020-01-01' + INTERVAL 1 DAY
----
EXPLAIN
-> Project: t._id
    -> Filter: ((t.dt >= '2020-01-01') AND (t.dt < 2020-01-02 00:00:00 +0000 UTC))
        -> Index range scan on t using dt
             range: `dt` in strings, ['2019-12-31 23:59:59', '2020-01-02 00:00:01']
             entries only: no document is read
             keys: 1 counted of 2
             not tight: the filter stays
             residual: (t.dt >= '2020-01-01') AND (t.dt < 2020-01-02 00:00:00 +0000 UTC)
             cost: 0.1, a full scan costs 3.0

exec
INSERT INTO t (_id, d) VALUES ('x', '2020-05-05' + INTERVAL 1 DAY);
UPDATE t SET d = d + INTERVAL 1 DAY WHERE d = '2020-05-05' + INTERVAL 1 DAY;
----
ok, 1 rows
ok, 1 rows

query
SELECT d FROM t WHERE _id = 'x'
----
d
2020-05-07

# Months that add up to a December, units of several parts, amounts that are rounded, and the ends of what dates there are.
exec
CREATE TABLE ends (_id INT PRIMARY KEY, t TIME, d DATE, dt DATETIME(6), ts TIMESTAMP(3) NULL, _doc JSON);
INSERT INTO ends (_id, t, d, dt, ts) VALUES (1, '10:00:00', '2024-12-31', '2024-12-31 23:59:59.999999', '2024-12-31 23:59:59.999'), (2, '-800:00:00', '0001-02-01', '0001-01-01 10:00:00', NULL), (3, '838:59:59', '9999-12-31', '9999-12-31 23:59:59.999999', NULL), (4, NULL, '2024-02-29', '2024-02-29', NULL)
----
ok, 0 rows
ok, 4 rows

query
SELECT DATE_ADD('2024-12-15', INTERVAL 12 MONTH), '2024-01-31' + INTERVAL 23 MONTH, DATE_SUB('2024-12-15', INTERVAL -4 QUARTER), TIMESTAMPADD(MONTH, 12, '2024-12-15'), ADDDATE('2024-12-15', INTERVAL '1-0' YEAR_MONTH), ADDDATE('2024-12-15', 31), SUBDATE('2024-12-15', '31x')
----
DATE_ADD('2024-12-15', INTERVAL 12 MONTH) | '2024-01-31' + INTERVAL 23 MONTH | DATE_SUB('2024-12-15', INTERVAL -4 QUARTER) | TIMESTAMPADD(MONTH, 12, '2024-12-15') | ADDDATE('2024-12-15', INTERVAL '1-0' YEAR_MONTH) | ADDDATE('2024-12-15', 31) | SUBDATE('2024-12-15', '31x')
2025-12-15 | 2025-12-31 | 2025-12-15 | 2025-12-15 | 2025-12-15 | 2025-01-15 | 2024-11-14

query
SELECT _id, d + INTERVAL 12 MONTH AS a, d - INTERVAL 12 MONTH AS b, d + INTERVAL '1-2' YEAR_MONTH AS c, d - INTERVAL 1 DAY AS d, TIMESTAMPADD(SQL_TSI_QUARTER, 4, d) AS e, d + INTERVAL '-1 2:3' DAY_MINUTE AS f FROM ends ORDER BY _id
----
_id | a | b | c | d | e | f
1 | 2025-12-31 | 2023-12-31 | 2026-02-28 | 2024-12-30 | 2025-12-31 | 2024-12-29 21:57:00
2 | 0002-02-01 | 0000-02-01 | 0002-04-01 | 0001-01-31 | 0002-02-01 | 0001-01-30 21:57:00
3 | NULL | 9998-12-31 | NULL | 9999-12-30 | NULL | 9999-12-29 21:57:00
4 | 2025-02-28 | 2023-02-28 | 2025-04-29 | 2024-02-28 | 2025-02-28 | 2024-02-27 21:57:00

query
SELECT _id, dt + INTERVAL 1 MICROSECOND AS a, ts + INTERVAL 1 DAY AS b, dt - INTERVAL 1 YEAR AS c, dt - INTERVAL 2 YEAR AS d, dt + INTERVAL 1.5 SECOND AS e, dt + INTERVAL 1.5 DAY AS f, dt + INTERVAL '1.5' DAY AS g FROM ends ORDER BY _id
----
_id | a | b | c | d | e | f | g
1 | 2025-01-01 00:00:00 | 2025-01-01 23:59:59.999 | 2023-12-31 23:59:59.999999 | 2022-12-31 23:59:59.999999 | 2025-01-01 00:00:01.499999 | 2025-01-02 23:59:59.999999 | 2025-01-01 23:59:59.999999
2 | 0001-01-01 10:00:00.000001 | NULL | 0000-01-01 10:00:00 | NULL | 0001-01-01 10:00:01.5 | 0001-01-03 10:00:00 | 0001-01-02 10:00:00
3 | NULL | NULL | 9998-12-31 23:59:59.999999 | 9997-12-31 23:59:59.999999 | NULL | NULL | NULL
4 | 2024-02-29 00:00:00.000001 | NULL | 2023-02-28 00:00:00 | 2022-02-28 00:00:00 | 2024-02-29 00:00:01.5 | 2024-03-02 00:00:00 | 2024-03-01 00:00:00

query
SELECT _id, t + INTERVAL 1 HOUR AS a, t - INTERVAL 50 HOUR AS b, t + INTERVAL '1:1' MINUTE_SECOND AS c, t + INTERVAL 1 DAY > '2000-01-01' AS d FROM ends ORDER BY _id
----
_id | a | b | c | d
1 | 11:00:00 | -40:00:00 | 10:01:01 | 1
2 | -799:00:00 | NULL | -799:58:59 | 1
3 | NULL | 788:59:59 | NULL | 1
4 | NULL | NULL | NULL | NULL

query
SELECT 20240101 + INTERVAL 1 DAY, 20240101101112 + INTERVAL 1 HOUR, '0000-00-00' + INTERVAL 1 DAY, 'soon' + INTERVAL 1 DAY, '2024-01-01' + INTERVAL 9223372036854775807 DAY, '2024-01-01' + INTERVAL 200000 DAY, '0001-01-01' - INTERVAL 1 DAY
----
20240101 + INTERVAL 1 DAY | 20240101101112 + INTERVAL 1 HOUR | '0000-00-00' + INTERVAL 1 DAY | 'soon' + INTERVAL 1 DAY | '2024-01-01' + INTERVAL 9223372036854775807 DAY | '2024-01-01' + INTERVAL 200000 DAY | '0001-01-01' - INTERVAL 1 DAY
2024-01-02 | 2024-01-01 11:11:12 | NULL | NULL | NULL | 2571-08-01 | 0000-00-00

exec
SELECT '9999-12-31' + INTERVAL 1 DAY
----
ok, 0 rows

query
SHOW WARNINGS
----
Level | Code | Message
Warning | 1441 | Datetime function: datetime field overflow

query
SELECT '2024-01-01' + INTERVAL 1 FORTNIGHT
----
ERROR 1064 (42000): unknown unit of an interval: FORTNIGHT

query
SELECT GROUP_CONCAT(_id ORDER BY _id) AS ids FROM ends WHERE (d - INTERVAL 2 YEAR) IN ('0001-01-01')
----
ids
NULL

query
SELECT GROUP_CONCAT(_id ORDER BY _id) AS ids FROM ends WHERE (d - INTERVAL 2 YEAR) IN ('2022-12-31', '0001-01-01')
----
ids
1

query
SELECT GROUP_CONCAT(_id ORDER BY _id) AS ids FROM ends WHERE (d - INTERVAL 2 YEAR) NOT IN ('2022-12-31', '0001-01-01')
----
ids
3,4

query
SELECT GROUP_CONCAT(_id ORDER BY _id) AS ids FROM ends WHERE (d - INTERVAL 2 YEAR) = '2022-12-31'
----
ids
1

query
SELECT GROUP_CONCAT(_id ORDER BY _id) AS ids FROM ends WHERE (d - INTERVAL 2 YEAR) <=> NULL
----
ids
2

query
SELECT GROUP_CONCAT(_id ORDER BY _id) AS ids FROM ends WHERE (d + INTERVAL 1 YEAR) BETWEEN '0001-01-02' AND '2025-12-31'
----
ids
1,2,4

query
SELECT GROUP_CONCAT(_id ORDER BY _id) AS ids FROM ends WHERE (d + INTERVAL 1 YEAR) NOT BETWEEN '0001-01-02' AND '2025-12-31'
----
ids
NULL

query
SELECT GROUP_CONCAT(_id ORDER BY _id) AS ids FROM ends WHERE NOT (d + INTERVAL 1 YEAR) <=> '2025-12-31'
----
ids
2,3,4

query
SELECT GROUP_CONCAT(_id ORDER BY _id) AS ids FROM ends WHERE d + INTERVAL 12 MONTH = '2025-12-31'
----
ids
1

query
SELECT GROUP_CONCAT(_id ORDER BY _id) AS ids FROM ends WHERE d + INTERVAL 12 MONTH > '2025-12-30'
----
ids
1

query
SELECT GROUP_CONCAT(_id ORDER BY _id) AS ids FROM ends WHERE TIMESTAMPADD(MONTH, 10, d) = '2024-12-29'
----
ids
4

query
SELECT GROUP_CONCAT(_id ORDER BY _id) AS ids FROM ends WHERE DATE_SUB(dt, INTERVAL -12 MONTH) >= '2025-12-31'
----
ids
1

query
SELECT GROUP_CONCAT(_id ORDER BY _id) AS ids FROM ends WHERE t + INTERVAL 1 HOUR > '10:59:59'
----
ids
1

query
SELECT GROUP_CONCAT(_id ORDER BY _id) AS ids FROM ends WHERE t + INTERVAL 1 HOUR IN ('-799:00:00', '11:00:00')
----
ids
1,2

query
SELECT GROUP_CONCAT(_id ORDER BY _id) AS ids FROM ends WHERE d - INTERVAL 1 YEAR < '2023-03-01'
----
ids
2,4

exec
UPDATE ends SET d = d + INTERVAL 12 MONTH WHERE d + INTERVAL 12 MONTH = '2025-12-31'
----
ok, 1 rows

query
SELECT d FROM ends WHERE _id = 1
----
d
2025-12-31

# A name that is a unit of several parts keeps its letters.
query
SELECT year_month FROM (SELECT 1 AS year_month) AS t
----
year_month
1

# What spells no date has none, and the other documents have theirs.
exec
CREATE TABLE spelled (_id INT PRIMARY KEY, _doc JSON);
INSERT INTO spelled (_doc) VALUES ('{"_id":1,"at":"2024-02-29T10:00:00Z"}'), ('{"_id":2,"at":"soon"}'), ('{"_id":3,"at":"2024-13-01"}'), ('{"_id":4}'), ('{"_id":5,"at":"2023-01-01"}')
----
ok, 0 rows
ok, 5 rows

query
SELECT _id, DATE_FORMAT(at, '%Y-%m') AS m, DATEDIFF(at, '2024-01-01') AS d, DATEDIFF('2024-01-01', at) AS e, YEARWEEK(at) AS y, YEARWEEK(at, 3) AS z, WEEK(at) AS w, DAYNAME(at) AS n FROM spelled ORDER BY _id
----
_id | m | d | e | y | z | w | n
1 | 2024-02 | 59 | -59 | 202408 | 202409 | 8 | Thursday
2 | NULL | NULL | NULL | NULL | NULL | NULL | NULL
3 | NULL | NULL | NULL | NULL | NULL | NULL | NULL
4 | NULL | NULL | NULL | NULL | NULL | NULL | NULL
5 | 2023-01 | -365 | 365 | 202301 | 202252 | 1 | Sunday

query
SELECT DATE_FORMAT(at, '%Y') AS y, COUNT(*) FROM spelled GROUP BY y ORDER BY y
----
y | COUNT(*)
NULL | 3
2023 | 1
2024 | 1

query
SELECT _id FROM spelled WHERE DATE_FORMAT(at, '%Y-%m') = '2024-02' OR DATEDIFF(at, '2023-01-02') = -1 ORDER BY _id
----
_id
1
5

query
SELECT DATE_FORMAT(at, '%Y-%m') FROM spelled WHERE _id = 2
----
DATE_FORMAT(at, '%Y-%m')
NULL

query
SHOW WARNINGS
----
Level | Code | Message
Warning | 1292 | Incorrect datetime value: 'soon'

query
SELECT DATE_FORMAT('nonsense', '%Y') IS NULL, CONCAT(DATE_FORMAT('2024-01-05', '%d'), 'é') = 'é05', HEX(DATE_FORMAT('2024-01-05', '%d'))
----
DATE_FORMAT('nonsense', '%Y') IS NULL | CONCAT(DATE_FORMAT('2024-01-05', '%d'), 'é') = 'é05' | HEX(DATE_FORMAT('2024-01-05', '%d'))
1 | 0 | 3035

query
CHECK TABLE spelled
----
Table | Op | Msg_type | Msg_text
d.spelled | check | status | OK

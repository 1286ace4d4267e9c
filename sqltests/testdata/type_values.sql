# What dates, times and texts count for beside values of other types, as MySQL's
# manual says ("Type Conversion in Expression Evaluation", "Conversion Between Date and Time Types").
exec
CREATE TABLE v (k INT PRIMARY KEY, t TIME, d DATE, dt DATETIME, dt3 DATETIME(3), y YEAR, b BIT(8), st SET('a','b','c'), en ENUM('x','y'), n INT, s VARCHAR(40), vb VARBINARY(40), j JSON);
INSERT INTO v VALUES (1, '10:00:00', '2020-01-02', '2020-01-02 00:00:00', '2020-01-02 03:04:05.5', 2020, 5, 'a,b', 'y', 100000, '10:00:00', '2020-01-02', '"10:00:00"');
INSERT INTO v VALUES (2, '-01:02:03', '1999-12-31', '1999-12-31 10:00:00', '1999-12-31 10:00:00', 1999, 255, 'c', 'x', 19991231, '1999-12-31', '10', '10');
INSERT INTO v (k) VALUES (3);
----
ok, 0 rows
ok, 1 rows
ok, 1 rows
ok, 1 rows

query
SELECT SUM(t), AVG(t), SUM(d), SUM(dt), SUM(dt3), SUM(y), SUM(b), MIN(t), MAX(d) FROM v
----
SUM(t) | AVG(t) | SUM(d) | SUM(dt) | SUM(dt3) | SUM(y) | SUM(b) | MIN(t) | MAX(d)
89797 | 44898.5000 | 40191333 | 40191333100000 | 40191333130405.500 | 4019 | 260 | -01:02:03 | 2020-01-02

query
SELECT t + 0, d + 0, dt + 0, dt3 + 0, y + 0, -t, -y, -b, t * 2, d DIV 10000, t % 100, d & 255 FROM v ORDER BY k
----
t + 0 | d + 0 | dt + 0 | dt3 + 0 | y + 0 | -t | -y | -b | t * 2 | d DIV 10000 | t % 100 | d & 255
100000 | 20200102 | 20200102000000 | 20200102030405.500 | 2020 | -100000 | -2020 | -5 | 200000 | 2020 | 0 | 166
-10203 | 19991231 | 19991231100000 | 19991231100000.000 | 1999 | 10203 | -1999 | -255 | -20406 | 1999 | -3 | 191
NULL | NULL | NULL | NULL | NULL | NULL | NULL | NULL | NULL | NULL | NULL | NULL

query
SELECT ABS('1'), ABS('-2.5x'), ABS(t), ROUND(d), ABS(st), ROUND(en), SIGN(t), CAST('12abc' AS SIGNED), CAST('-7.9' AS SIGNED), CAST('9007199254740993' AS SIGNED), CAST(t AS SIGNED), CAST(dt AS DECIMAL(20,0)) FROM v WHERE k < 3 ORDER BY k
----
ABS('1') | ABS('-2.5x') | ABS(t) | ROUND(d) | ABS(st) | ROUND(en) | SIGN(t) | CAST('12abc' AS SIGNED) | CAST('-7.9' AS SIGNED) | CAST('9007199254740993' AS SIGNED) | CAST(t AS SIGNED) | CAST(dt AS DECIMAL(20,0))
1 | 2.5 | 100000 | 20200102 | 3 | 2 | 1 | 12 | -7 | 9007199254740993 | 100000 | 20200102000000
1 | 2.5 | 10203 | 19991231 | 4 | 1 | -1 | 12 | -7 | 9007199254740993 | -10203 | 19991231100000

query
SELECT STDDEV(n), VARIANCE(y), STDDEV(t) FROM v
----
STDDEV(n) | VARIANCE(y) | STDDEV(t)
9.9456155e+06 | 110.25 | 55101.5

query
SELECT CONCAT(t, '|', d, '|', dt, '|', y, '|', n), UPPER(d), LEFT(t, 3), LENGTH(d), CAST(t AS CHAR), CAST(d AS CHAR) FROM v WHERE k < 3 ORDER BY k
----
CONCAT(t, '|', d, '|', dt, '|', y, '|', n) | UPPER(d) | LEFT(t, 3) | LENGTH(d) | CAST(t AS CHAR) | CAST(d AS CHAR)
10:00:00|2020-01-02|2020-01-02 00:00:00|2020|100000 | 2020-01-02 | 10: | 10 | 10:00:00 | 2020-01-02
-01:02:03|1999-12-31|1999-12-31 10:00:00|1999|19991231 | 1999-12-31 | -01 | 10 | -01:02:03 | 1999-12-31

query
SELECT GREATEST(t, '09:00:00'), LEAST(d, dt), GREATEST(t, t), GREATEST(n, 5), LEAST(vb, 'a') FROM v WHERE k < 3 ORDER BY k
----
GREATEST(t, '09:00:00') | LEAST(d, dt) | GREATEST(t, t) | GREATEST(n, 5) | LEAST(vb, 'a')
10:00:00 | 2020-01-02 00:00:00 | 10:00:00 | 100000 | 2020-01-02
09:00:00 | 1999-12-31 00:00:00 | -01:02:03 | 19991231 | 10

query
SELECT COALESCE(t, 'none'), IFNULL(d, 'none'), IF(k = 3, 0, t), IFNULL(t, 1), COALESCE(j, t) FROM v ORDER BY k
----
COALESCE(t, 'none') | IFNULL(d, 'none') | IF(k = 3, 0, t) | IFNULL(t, 1) | COALESCE(j, t)
10:00:00 | 2020-01-02 | 10:00:00 | 10:00:00 | "10:00:00"
-01:02:03 | 1999-12-31 | -01:02:03 | -01:02:03 | 10
none | none | 0 | 1 | NULL

query
SELECT k FROM v WHERE t = n
----
k
1

query
SELECT k FROM v WHERE d = n
----
k
2

query
SELECT a.k, b.k FROM v a JOIN v b ON a.t = b.s ORDER BY 1, 2
----
k | k
1 | 1

query
SELECT a.k, b.k FROM v a JOIN v b ON a.d = b.vb ORDER BY 1, 2
----
k | k
1 | 1

query
SELECT k FROM v WHERE t IN (SELECT s FROM v) ORDER BY k
----
k
1

query
SELECT k FROM v WHERE dt IN (FALSE) OR dt IN (SELECT j FROM v) ORDER BY k
----
k

query
SELECT k FROM v WHERE dt BETWEEN 19991231100000 AND n * 1000000 + 150000 ORDER BY k
----
k
2

query
SELECT k FROM v WHERE d NOT IN (SELECT d FROM v WHERE k = 1)
----
k
2

exec
UPDATE v SET n = 7 WHERE st <=> 99;
UPDATE v SET n = 8 WHERE st <=> 4;
ALTER TABLE v ADD COLUMN n INT;
----
ok, 0 rows
ok, 1 rows
ERROR 1060 (42S21): Duplicate column name 'n'

query
SELECT k, n FROM v WHERE n = 8
----
k | n
2 | 8

# What is searched is a text.
query
SELECT k, LOCATE('-01-', d), INSTR(dt, ':'), LOCATE('"', j), LOCATE('x', en), FIND_IN_SET('a', st), LOCATE(1, n, 1) FROM v WHERE LOCATE('0', d) > 0 OR j IS NOT NULL ORDER BY k
----
k | LOCATE('-01-', d) | INSTR(dt, ':') | LOCATE('"', j) | LOCATE('x', en) | FIND_IN_SET('a', st) | LOCATE(1, n, 1)
1 | 5 | 14 | 1 | 0 | 1 | 1
2 | 0 | 14 | 0 | 1 | 0 | 0

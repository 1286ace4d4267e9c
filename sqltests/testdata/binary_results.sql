# Results of prepared statements come in binary, with the decimals of their types.

exec
CREATE TABLE c (_id INT PRIMARY KEY, q TIME(6), d6 DATETIME(6), d3 DATETIME(3), d0 DATETIME, t6 TIMESTAMP(6), t0 TIMESTAMP, y YEAR, x DECIMAL(10,3), b BIT(16), e ENUM('a', 'b'), d DATE);
INSERT INTO c VALUES (1, '09:59:59.999999', '2020-01-01 01:02:03.000004', '2020-01-01 01:02:03.5678', '2020-01-01 01:02:03', '2020-01-01 01:02:03.000004', '2020-01-01 01:02:03', 2020, 1.5, 16706, 'b', '2020-02-03'),
  (2, '-100:00:00.5', '2020-01-01', '2020-01-01', '2020-01-01', '2020-01-01', '2020-01-01', 1999, 1, 16963, 'a', '2020-02-03');
CREATE VIEW v AS SELECT * FROM c;
CREATE TABLE o (_id VARCHAR(255) PRIMARY KEY, q TIME(6), _doc JSON);
INSERT INTO o (_doc) VALUES ('{"_id":"a","q":"09:59:59.999999"}')
----
ok, 0 rows
ok, 2 rows
ok, 0 rows
ok, 0 rows
ok, 1 rows

prepared
: 0
SELECT * FROM c WHERE _id > ?
----
_id | q | d6 | d3 | d0 | t6 | t0 | y | x | b | e | d
1 | 09:59:59.999999 | 2020-01-01 01:02:03.000004 | 2020-01-01 01:02:03.568 | 2020-01-01 01:02:03 | 2020-01-01 01:02:03.000004 | 2020-01-01 01:02:03 | 2020 | 1.500 | AB | b | 2020-02-03
2 | -100:00:00.500000 | 2020-01-01 00:00:00.000000 | 2020-01-01 00:00:00.000 | 2020-01-01 00:00:00 | 2020-01-01 00:00:00.000000 | 2020-01-01 00:00:00 | 1999 | 1.000 | BC | a | 2020-02-03

prepared
: 0
SELECT * FROM v WHERE _id > ?
----
_id | q | d6 | d3 | d0 | t6 | t0 | y | x | b | e | d
1 | 09:59:59.999999 | 2020-01-01 01:02:03.000004 | 2020-01-01 01:02:03.568 | 2020-01-01 01:02:03 | 2020-01-01 01:02:03.000004 | 2020-01-01 01:02:03 | 2020 | 1.500 | AB | b | 2020-02-03
2 | -100:00:00.500000 | 2020-01-01 00:00:00.000000 | 2020-01-01 00:00:00.000 | 2020-01-01 00:00:00 | 2020-01-01 00:00:00.000000 | 2020-01-01 00:00:00 | 1999 | 1.000 | BC | a | 2020-02-03

prepared
: 0
SELECT t.t6, t.t0, t.q, t.x, t.b, t.y FROM (SELECT * FROM v WHERE _id > ?) AS t
----
t6 | t0 | q | x | b | y
2020-01-01 01:02:03.000004 | 2020-01-01 01:02:03 | 09:59:59.999999 | 1.500 | AB | 2020
2020-01-01 00:00:00.000000 | 2020-01-01 00:00:00 | -100:00:00.500000 | 1.000 | BC | 1999

prepared
: 0
SELECT MAX(q), MIN(q), MAX(d6), MAX(d3), MAX(t6), MAX(t0), MAX(y), MAX(x), MAX(d) FROM v WHERE _id > ?
----
MAX(q) | MIN(q) | MAX(d6) | MAX(d3) | MAX(t6) | MAX(t0) | MAX(y) | MAX(x) | MAX(d)
09:59:59.999999 | -100:00:00.500000 | 2020-01-01 01:02:03.000004 | 2020-01-01 01:02:03.568 | 2020-01-01 01:02:03.000004 | 2020-01-01 01:02:03 | 2020 | 1.500 | 2020-02-03

prepared
: 0
SELECT TIMEDIFF(q, '00:00:00.1'), DATE_ADD(q, INTERVAL 1 MICROSECOND), IFNULL(t6, d0), TIME(d6) FROM c WHERE _id > ?
----
TIMEDIFF(q, '00:00:00.1') | DATE_ADD(q, INTERVAL 1 MICROSECOND) | IFNULL(t6, d0) | TIME(d6)
09:59:59.899999 | 10:00:00.000000 | 2020-01-01 01:02:03.000004 | 01:02:03.000004
-100:00:00.600000 | -100:00:00.499999 | 2020-01-01 00:00:00.000000 | 00:00:00.000000

prepared
: Z
SELECT t.q FROM (SELECT q FROM o WHERE _id <> ?) AS t
----
q
09:59:59.999999

# A subquery that is planned with the statement has a result of its own.

prepared
: 1
SELECT t0, (SELECT MAX(t6) FROM c) AS m, t6 IN (SELECT t6 FROM v) AS i FROM c WHERE _id = ?
----
t0 | m | i
2020-01-01 01:02:03 | 2020-01-01 01:02:03.000004 | 1

query
CHECK TABLE c, o
----
Table | Op | Msg_type | Msg_text
d.c | check | status | OK
d.o | check | status | OK

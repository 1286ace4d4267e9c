# EXTRACT takes the parts of a time out of a text that spells one without a date, as HOUR and its like do.

exec
CREATE TABLE t (_id VARCHAR(255) PRIMARY KEY, _doc JSON);
INSERT INTO t (_id, at) VALUES ('a', '10:11:12.5'), ('b', '2024-02-03T04:05:06Z'), ('c', '2024-02-03'), ('d', '26:00:01'), ('e', 'noon'), ('f', NULL)
----
ok, 0 rows
ok, 6 rows

query
SELECT _id, EXTRACT(HOUR FROM at) AS h, EXTRACT(MINUTE FROM at) AS m, EXTRACT(SECOND FROM at) AS s, EXTRACT(MICROSECOND FROM at) AS u FROM t ORDER BY _id
----
_id | h | m | s | u
a | 10 | 11 | 12 | 500000
b | 4 | 5 | 6 | 0
c | 0 | 0 | 0 | 0
d | 26 | 0 | 1 | 0
e | NULL | NULL | NULL | NULL
f | NULL | NULL | NULL | NULL

query
SELECT EXTRACT(HOUR FROM at) AS h, COUNT(*) AS n FROM t GROUP BY h ORDER BY h
----
h | n
NULL | 2
0 | 1
4 | 1
10 | 1
26 | 1

query
SELECT _id FROM t WHERE EXTRACT(hour FROM at) = 10
----
_id
a

query
SELECT EXTRACT(HOUR FROM TIME('34:00:01')), EXTRACT(MINUTE FROM '2024-02-03 04:05:06'), EXTRACT(YEAR FROM '2024-02-03 04:05:06'), EXTRACT(HOUR_MINUTE FROM '2024-02-03 04:05:06')
----
EXTRACT(HOUR FROM TIME('34:00:01')) | EXTRACT(MINUTE FROM '2024-02-03 04:05:06') | EXTRACT(YEAR FROM '2024-02-03 04:05:06') | EXTRACT(HOUR_MINUTE FROM '2024-02-03 04:05:06')
34 | 5 | 2024 | 405

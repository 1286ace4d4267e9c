# Dates and times in documents may be spelled otherwise than the index encodes them: their entries are texts, which have
# another order. ORDER BY, MIN and MAX, groups and their likes give what they give with the index off.

exec
CREATE TABLE t (_id VARCHAR(10) PRIMARY KEY, d DATE, v DATETIME, x TIME, _doc JSON);
INSERT INTO t (_id) WITH RECURSIVE n AS (SELECT 0 AS i UNION ALL SELECT i + 1 FROM n WHERE i < 59) SELECT CONCAT('z', i) FROM n;
INSERT INTO t (_doc) VALUES ('{"_id":"a","d":"2026-02-05 10:00:00","v":"2026-02-05T10:00:00Z","x":"9:00:00"}'), ('{"_id":"b","d":"2026-02-03","v":"2026-02-03 00:00:00","x":"08:00:00"}'), ('{"_id":"c","d":"2026-02-04","v":"2026-02-04","x":"10:00"}'), ('{"_id":"e","d":"2026-02-03 01:00:00","v":"2026-02-06 00:00:00","x":"12:00:00"}')
----
ok, 0 rows
ok, 60 rows
ok, 4 rows

query
SELECT _id, d FROM t WHERE d IS NOT NULL ORDER BY d, _id
----
_id | d
b | 2026-02-03
e | 2026-02-03
c | 2026-02-04
a | 2026-02-05

query
SELECT _id, d FROM t WHERE d > '2026-02-03' ORDER BY d DESC LIMIT 1
----
_id | d
a | 2026-02-05

query
SELECT _id, v FROM t WHERE v IS NOT NULL ORDER BY v
----
_id | v
b | 2026-02-03 00:00:00
c | 2026-02-04 00:00:00
a | 2026-02-05 10:00:00
e | 2026-02-06 00:00:00

query
EXPLAIN FORMAT=TREE SELECT _id, v FROM t WHERE v IS NOT NULL ORDER BY v
----
EXPLAIN
-> Project: t._id, t.v
    -> Sort: t.v
        -> Index range scan on t using v
             range: `v` in not null
             entries only: no document is read
             keys: 4 counted of 4
             tight
             cost: 0.2, a full scan costs 64.0

query
SELECT _id, x FROM t WHERE x IS NOT NULL ORDER BY x DESC
----
_id | x
e | 12:00:00
c | 10:00:00
a | 09:00:00
b | 08:00:00

query
SELECT MAX(v) FROM t
----
MAX(v)
2026-02-06 00:00:00

query
EXPLAIN FORMAT=TREE SELECT MAX(v) FROM t
----
EXPLAIN
-> Project: max(t.v)
    -> Aggregate: MAX(t.v)
         executor: interpreted: few rows
        -> Distinct values of t using v
             entries only: no document is read
             keys: about 4 of 4

query
SELECT MIN(v), MAX(v), MIN(d), MAX(d), MIN(x), MAX(x) FROM t
----
MIN(v) | MAX(v) | MIN(d) | MAX(d) | MIN(x) | MAX(x)
2026-02-03 00:00:00 | 2026-02-06 00:00:00 | 2026-02-03 | 2026-02-05 | 08:00:00 | 12:00:00

query
SELECT MIN(d), MAX(d) FROM t WHERE d < '2026-02-05' AND d > '2026-01-01'
----
MIN(d) | MAX(d)
2026-02-03 | 2026-02-04

query
SELECT d, COUNT(*), MIN(_id), MAX(v) FROM t WHERE d IS NOT NULL GROUP BY d ORDER BY d
----
d | COUNT(*) | MIN(_id) | MAX(v)
2026-02-03 | 2 | b | 2026-02-06 00:00:00
2026-02-04 | 1 | c | 2026-02-04 00:00:00
2026-02-05 | 1 | a | 2026-02-05 10:00:00

query
SELECT d, COUNT(*) FROM t WHERE d IS NOT NULL GROUP BY d ORDER BY d DESC LIMIT 2
----
d | COUNT(*)
2026-02-05 | 1
2026-02-04 | 1

query
SELECT DISTINCT d FROM t ORDER BY d DESC LIMIT 2
----
d
2026-02-05
2026-02-04

query
SELECT _id, ROW_NUMBER() OVER (ORDER BY v) AS n FROM t WHERE v IS NOT NULL ORDER BY _id
----
_id | n
a | 3
b | 1
c | 2
e | 4

query
SELECT _id FROM t WHERE v = (SELECT MAX(v) FROM t)
----
_id
e

# Once all are spelled as they are encoded, the index has their order.
exec
UPDATE t SET d = NULL, v = NULL, x = NULL WHERE _id IN ('a', 'c', 'e');
UPDATE t SET d = '2026-02-05', v = '2026-02-05 10:00:00', x = '09:00:00' WHERE _id = 'a'
----
ok, 3 rows
ok, 1 rows

query
SELECT MAX(v) FROM t
----
MAX(v)
2026-02-05 10:00:00

query
EXPLAIN FORMAT=TREE SELECT MAX(v) FROM t
----
EXPLAIN
-> Project: max(t.v)
    -> Aggregate: MAX(t.v)
         executor: interpreted: counters or the ends of entries tell it
        -> First and last index key of t using v
             entries only: no document is read
             keys: about 2 of 4

query
SELECT _id, v FROM t WHERE v IS NOT NULL ORDER BY v
----
_id | v
b | 2026-02-03 00:00:00
a | 2026-02-05 10:00:00

query
CHECK TABLE t
----
Table | Op | Msg_type | Msg_text
d.t | check | status | OK

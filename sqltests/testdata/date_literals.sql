# DATE '…' and TIMESTAMP '…' are dates, beside texts too: those compare with them as the dates that they spell.
exec
CREATE TABLE t (_id INT PRIMARY KEY, day DATE, stamp DATETIME(3), _doc JSON);
INSERT INTO t (_doc) VALUES ('{"_id": 1, "at": "2024-05-01T03:00:00Z", "day": "2024-05-01", "stamp": "2024-05-01 03:00:00"}'), ('{"_id": 2, "at": "2024-5-1", "day": "2024-05-02", "stamp": "2024-05-01 00:00:00.250"}'), ('{"_id": 3, "at": "2024-05-02", "j": "2024-05-01"}'), ('{"_id": 4, "at": "2024-05-01 12:00:00", "j": 5}'), ('{"_id": 5, "at": "never"}')
----
ok, 0 rows
ok, 5 rows

query
SELECT _id FROM t WHERE at = DATE '2024-05-01'
----
_id
2

query
SELECT _id FROM t WHERE at < TIMESTAMP '2024-05-01 12:00:00'
----
_id
1
2

query
SELECT _id FROM t WHERE timestamp'2024-05-01 12:00:00' >= at
----
_id
4
1
2

query
SELECT _id FROM t WHERE at BETWEEN DATE '2024-05-01' AND TIMESTAMP '2024-05-01 23:59:59.5'
----
_id
4
1
2

query
SELECT _id FROM t WHERE at IN (DATE '2024-05-01', DATE '2024-05-02')
----
_id
3
2

query
SELECT _id, at < DATE '2024-05-02' AS earlier FROM t
----
_id | earlier
4 | 1
1 | 1
3 | 0
2 | 1
5 | NULL

query
SELECT '2024-5-1' < DATE '2024-05-02', '2024-5-1' = DATE '2024-05-01', DATE '2024-05-01' = 20240501, DATE '2024-05-01' < TIMESTAMP '2024-05-01 00:00:01'
----
'2024-5-1' < DATE '2024-05-02' | '2024-5-1' = DATE '2024-05-01' | DATE '2024-05-01' = 20240501 | DATE '2024-05-01' < TIMESTAMP '2024-05-01 00:00:01'
1 | 1 | 1 | 1

query
SELECT _id FROM t WHERE day = DATE '2024-05-01' OR stamp = TIMESTAMP '2024-05-01 00:00:00.25'
----
_id
1
2

# What spells no date is refused beside a date.
query
SELECT _id FROM t WHERE day = DATE 'soon'
----
ERROR 1525 (HY000): Incorrect DATE value: 'soon'

# The same text without the word before it is a text: so it stays, and the literal with it.
query
SELECT _id FROM t WHERE at = DATE '2024-05-02' OR at = '2024-05-02'
----
_id
3

# JSON has dates as texts.
query
SELECT _id FROM t WHERE _doc->'$.at' = DATE '2024-05-02' OR j = DATE '2024-05-01'
----
_id
3

query
SELECT _id FROM t WHERE j = CAST('2024-05-01' AS DATE)
----
_id
3

prepared
: 2
SELECT _id FROM t WHERE at >= TIMESTAMP '2024-05-01 03:00:00' AND _id > ?
----
_id
4
3

exec
CREATE VIEW early AS SELECT _id FROM t WHERE at < TIMESTAMP '2024-05-01 12:00:00'
----
ok, 0 rows

query
SELECT * FROM early
----
_id
1
2

exec
UPDATE t SET at = 'noon' WHERE at = TIMESTAMP '2024-05-01 12:00:00';
DELETE FROM t WHERE at < TIMESTAMP '2024-05-01 03:00:00'
----
ok, 1 rows
ok, 1 rows

query
SELECT _id, at FROM t WHERE NOT (at < DATE '2024-05-01')
----
_id | at
1 | 2024-05-01T03:00:00Z
3 | 2024-05-02

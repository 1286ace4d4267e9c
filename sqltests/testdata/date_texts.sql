# Dates as documents have them, in texts: what they spell has ranges.
exec
CREATE TABLE digits (_id INT PRIMARY KEY);
INSERT INTO digits VALUES (0),(1),(2),(3),(4),(5),(6),(7),(8),(9);
CREATE TABLE t (_id INT PRIMARY KEY, stamp DATETIME, _doc JSON);
INSERT INTO t (_doc) SELECT JSON_OBJECT('_id', n, 'at', DATE_FORMAT(at, '%Y-%m-%dT%H:%i:%sZ'), 'stamp', DATE_FORMAT(at, '%Y-%m-%dT%H:%i:%sZ')) FROM (SELECT a._id * 100 + b._id * 10 + c._id AS n, '2022-01-01' + INTERVAL (a._id * 100 + b._id * 10 + c._id) * 26 HOUR AS at FROM digits a, digits b, digits c) AS x;
INSERT INTO t (_doc) VALUES ('{"_id": 2001, "at": "2024-5-1"}'), ('{"_id": 2002, "at": "20240501"}'), ('{"_id": 2003, "at": "2024/05/01"}'), ('{"_id": 2004, "at": "2024-05-01 12:00"}'), ('{"_id": 2005, "at": "2024-04-30T23:30:00-02:00"}'), ('{"_id": 2006, "at": "2024-05-1"}'), ('{"_id": 2007, "at": "1 May 2024"}'), ('{"_id": 2008, "at": null}'), ('{"_id": 2009}')
----
ok, 0 rows
ok, 10 rows
ok, 0 rows
ok, 1000 rows
ok, 9 rows

query
EXPLAIN FORMAT=TREE SELECT _id FROM t WHERE DATE(at) = '2024-05-01'
----
EXPLAIN
-> Project: t._id
    -> Filter: (DATE(t.at) = '2024-05-01')
        -> Index range scan on t using at
             range: `at` in ['2024-04-29', '2024-05-03'…), ['2024-05-1', '2024-05-1 '…), ['2024-05-1'…, '2024-05-2 '…), ['2024-05-2'…, '2024-05-3 '…), ['2024-4-', '2024-5-'…), ['2024/04/29', '2024/05/03'…), ['20240429', '20240503'…)
             entries only: no document is read
             keys: 11 counted of 1,007
             not tight: the filter stays
             residual: (DATE(t.at) = '2024-05-01')
             cost: 0.6, a full scan costs 1009.0

query
SELECT _id, at FROM t WHERE DATE(at) = '2024-05-01' ORDER BY _id
----
_id | at
786 | 2024-05-01T12:00:00Z
2001 | 2024-5-1
2002 | 20240501
2003 | 2024/05/01
2004 | 2024-05-01 12:00
2005 | 2024-04-30T23:30:00-02:00
2006 | 2024-05-1

query
SHOW STATUS WHERE Variable_name IN ('sqlfdb_last_keys', 'sqlfdb_last_documents')
----
Variable_name | Value
sqlfdb_last_documents | 0
sqlfdb_last_keys | 11

query
SELECT COUNT(_doc) FROM t WHERE at >= STR_TO_DATE('2024-12-01', '%Y-%m-%d')
----
COUNT(_doc)
16

query
SHOW STATUS WHERE Variable_name IN ('sqlfdb_last_keys', 'sqlfdb_last_documents')
----
Variable_name | Value
sqlfdb_last_documents | 19
sqlfdb_last_keys | 19

query
SELECT COUNT(_doc) FROM t WHERE at BETWEEN CAST('2023-02-25' AS DATE) AND CAST('2023-03-01' AS DATETIME)
----
COUNT(_doc)
4

query
SHOW STATUS WHERE Variable_name IN ('sqlfdb_last_keys', 'sqlfdb_last_documents')
----
Variable_name | Value
sqlfdb_last_documents | 10
sqlfdb_last_keys | 10

query
SELECT COUNT(_doc) FROM t WHERE DATE_FORMAT(_doc->>'$.at', '%Y-%m') = '2023-02'
----
COUNT(_doc)
26

query
SHOW STATUS WHERE Variable_name IN ('sqlfdb_last_keys', 'sqlfdb_last_documents')
----
Variable_name | Value
sqlfdb_last_documents | 31
sqlfdb_last_keys | 31

# A column of dates whose documents spell them otherwise than its entries do.
query
EXPLAIN FORMAT=TREE SELECT _id FROM t WHERE stamp < '2022-01-03'
----
EXPLAIN
-> Project: t._id
    -> Filter: (t.stamp < '2022-01-03')
        -> Index range scan on t using stamp
             range: `stamp` in ['0000', '2021'…), ['2022-01-01', '2022-01-05'…), ['2022-01-1', '2022-01-1 '…), ['2022-01-1'…, '2022-01-2 '…), ['2022-01-2'…, '2022-01-3 '…), ['2022-01-3'…, '2022-01-5'…), ['2022-1-', '2022-1-'…), ['2022/01/01', '2022/01/05'…), ['20220101', '20220105'…), (-∞, '2022-01-03 00:00:01']
             entries only: no document is read
             keys: 5 counted of 1,000
             not tight: the filter stays
             residual: (t.stamp < '2022-01-03')
             cost: 5.2, a full scan costs 1009.0

query
SELECT _id, stamp FROM t WHERE stamp < '2022-01-03'
----
_id | stamp
0 | 2022-01-01 00:00:00
1 | 2022-01-02 02:00:00

query
SHOW STATUS WHERE Variable_name IN ('sqlfdb_last_keys', 'sqlfdb_last_documents')
----
Variable_name | Value
sqlfdb_last_documents | 0
sqlfdb_last_keys | 5

query
SELECT COUNT(_doc) FROM t WHERE YEAR(stamp) = 2023 AND stamp < '2023-01-20'
----
COUNT(_doc)
18

query
SHOW STATUS WHERE Variable_name IN ('sqlfdb_last_keys', 'sqlfdb_last_documents')
----
Variable_name | Value
sqlfdb_last_documents | 23
sqlfdb_last_keys | 23

exec
SET sqlfdb_use_index = OFF
----
ok, 0 rows

query
SELECT _id, at FROM t WHERE DATE(at) = '2024-05-01' ORDER BY _id
----
_id | at
786 | 2024-05-01T12:00:00Z
2001 | 2024-5-1
2002 | 20240501
2003 | 2024/05/01
2004 | 2024-05-01 12:00
2005 | 2024-04-30T23:30:00-02:00
2006 | 2024-05-1

query
SELECT SUM(at >= STR_TO_DATE('2024-12-01', '%Y-%m-%d')), SUM(at BETWEEN CAST('2023-02-25' AS DATE) AND CAST('2023-03-01' AS DATETIME)), SUM(DATE_FORMAT(_doc->>'$.at', '%Y-%m') = '2023-02'), SUM(YEAR(stamp) = 2023 AND stamp < '2023-01-20') FROM t
----
SUM(at >= STR_TO_DATE('2024-12-01', '%Y-%m-%d')) | SUM(at BETWEEN CAST('2023-02-25' AS DATE) AND CAST('2023-03-01' AS DATETIME)) | SUM(DATE_FORMAT(_doc->>'$.at', '%Y-%m') = '2023-02') | SUM(YEAR(stamp) = 2023 AND stamp < '2023-01-20')
16 | 4 | 26 | 18

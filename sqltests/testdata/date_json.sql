# Functions of dates over JSON values: a string is read as its text, and what is no string is no date.

exec
CREATE TABLE t (_id VARCHAR(20) PRIMARY KEY, _doc JSON);
INSERT INTO t (_doc) VALUES ('{"_id":"s","at":"2024-05-06 07:08:09"}'), ('{"_id":"n","at":20240506,"days":739377}'), ('{"_id":"z","at":null}'), ('{"_id":"o","at":{"a":1}}'), ('{"_id":"x","at":"no date"}'), ('{"_id":"-"}')
----
ok, 0 rows
ok, 6 rows

query
SELECT _id, DATE(_doc->'$.at') v FROM t ORDER BY _id
----
_id | v
- | NULL
n | NULL
o | NULL
s | 2024-05-06
x | NULL
z | NULL

query
SELECT _id, YEAR(_doc->'$.at') v FROM t ORDER BY _id
----
_id | v
- | NULL
n | NULL
o | NULL
s | 2024
x | NULL
z | NULL

query
SELECT _id, MONTH(_doc->'$.at') v FROM t ORDER BY _id
----
_id | v
- | NULL
n | NULL
o | NULL
s | 5
x | NULL
z | NULL

query
SELECT _id, DAY(_doc->'$.at') v FROM t ORDER BY _id
----
_id | v
- | NULL
n | NULL
o | NULL
s | 6
x | NULL
z | NULL

query
SELECT _id, DAYOFMONTH(_doc->'$.at') v FROM t ORDER BY _id
----
_id | v
- | NULL
n | NULL
o | NULL
s | 6
x | NULL
z | NULL

query
SELECT _id, DAYNAME(_doc->'$.at') v FROM t ORDER BY _id
----
_id | v
- | NULL
n | NULL
o | NULL
s | Monday
x | NULL
z | NULL

query
SELECT _id, MONTHNAME(_doc->'$.at') v FROM t ORDER BY _id
----
_id | v
- | NULL
n | NULL
o | NULL
s | May
x | NULL
z | NULL

query
SELECT _id, DAYOFWEEK(_doc->'$.at') v FROM t ORDER BY _id
----
_id | v
- | NULL
n | NULL
o | NULL
s | 2
x | NULL
z | NULL

query
SELECT _id, DAYOFYEAR(_doc->'$.at') v FROM t ORDER BY _id
----
_id | v
- | NULL
n | NULL
o | NULL
s | 127
x | NULL
z | NULL

query
SELECT _id, WEEKDAY(_doc->'$.at') v FROM t ORDER BY _id
----
_id | v
- | NULL
n | NULL
o | NULL
s | 0
x | NULL
z | NULL

query
SELECT _id, WEEK(_doc->'$.at') v FROM t ORDER BY _id
----
_id | v
- | NULL
n | NULL
o | NULL
s | 18
x | NULL
z | NULL

query
SELECT _id, WEEK(_doc->'$.at', 1) v FROM t ORDER BY _id
----
_id | v
- | NULL
n | NULL
o | NULL
s | 19
x | NULL
z | NULL

query
SELECT _id, WEEKOFYEAR(_doc->'$.at') v FROM t ORDER BY _id
----
_id | v
- | NULL
n | NULL
o | NULL
s | 19
x | NULL
z | NULL

query
SELECT _id, YEARWEEK(_doc->'$.at') v FROM t ORDER BY _id
----
_id | v
- | NULL
n | NULL
o | NULL
s | 202418
x | NULL
z | NULL

query
SELECT _id, QUARTER(_doc->'$.at') v FROM t ORDER BY _id
----
_id | v
- | NULL
n | NULL
o | NULL
s | 2
x | NULL
z | NULL

query
SELECT _id, LAST_DAY(_doc->'$.at') v FROM t ORDER BY _id
----
_id | v
- | NULL
n | NULL
o | NULL
s | 2024-05-31
x | NULL
z | NULL

query
SELECT _id, TO_DAYS(_doc->'$.at') v FROM t ORDER BY _id
----
_id | v
- | NULL
n | NULL
o | NULL
s | 739377
x | NULL
z | NULL

query
SELECT _id, HOUR(_doc->'$.at') v FROM t ORDER BY _id
----
_id | v
- | NULL
n | NULL
o | NULL
s | 7
x | NULL
z | NULL

query
SELECT _id, MINUTE(_doc->'$.at') v FROM t ORDER BY _id
----
_id | v
- | NULL
n | NULL
o | NULL
s | 8
x | NULL
z | NULL

query
SELECT _id, SECOND(_doc->'$.at') v FROM t ORDER BY _id
----
_id | v
- | NULL
n | NULL
o | NULL
s | 9
x | NULL
z | NULL

query
SELECT _id, MICROSECOND(_doc->'$.at') v FROM t ORDER BY _id
----
_id | v
- | NULL
n | NULL
o | NULL
s | 0
x | NULL
z | NULL

query
SELECT _id, TIME(_doc->'$.at') v FROM t ORDER BY _id
----
_id | v
- | NULL
n | NULL
o | NULL
s | 07:08:09.000000
x | NULL
z | NULL

query
SELECT _id, TIME_TO_SEC(_doc->'$.at') v FROM t ORDER BY _id
----
_id | v
- | NULL
n | NULL
o | NULL
s | 25689
x | NULL
z | NULL

query
SELECT _id, TIMESTAMP(_doc->'$.at') v FROM t ORDER BY _id
----
_id | v
- | NULL
n | NULL
o | NULL
s | 2024-05-06 07:08:09
x | NULL
z | NULL

query
SELECT _id, TIMESTAMP(_doc->'$.at', '01:00:00') v FROM t ORDER BY _id
----
_id | v
- | NULL
n | NULL
o | NULL
s | 2024-05-06 08:08:09
x | NULL
z | NULL

query
SELECT _id, UNIX_TIMESTAMP(_doc->'$.at') v FROM t ORDER BY _id
----
_id | v
- | NULL
n | NULL
o | NULL
s | 1714979289.000000
x | 0
z | NULL

query
SELECT _id, DATE_FORMAT(_doc->'$.at', '%Y-%m-%d') v FROM t ORDER BY _id
----
_id | v
- | NULL
n | NULL
o | NULL
s | 2024-05-06
x | NULL
z | NULL

query
SELECT _id, TIME_FORMAT(_doc->'$.at', '%H') v FROM t ORDER BY _id
----
_id | v
- | NULL
n | NULL
o | NULL
s | 07
x | NULL
z | NULL

query
SELECT _id, DATEDIFF(_doc->'$.at', '2024-05-01') v FROM t ORDER BY _id
----
_id | v
- | NULL
n | NULL
o | NULL
s | 5
x | NULL
z | NULL

query
SELECT _id, DATEDIFF('2024-06-01', _doc->'$.at') v FROM t ORDER BY _id
----
_id | v
- | NULL
n | NULL
o | NULL
s | 26
x | NULL
z | NULL

query
SELECT _id, TIMESTAMPDIFF(DAY, _doc->'$.at', '2024-05-09') v FROM t ORDER BY _id
----
_id | v
- | NULL
n | NULL
o | NULL
s | 2
x | NULL
z | NULL

query
SELECT _id, TIMESTAMPDIFF(DAY, '2024-05-09', _doc->'$.at') v FROM t ORDER BY _id
----
_id | v
- | NULL
n | NULL
o | NULL
s | -2
x | NULL
z | NULL

query
SELECT _id, TIMEDIFF(_doc->'$.at', '2024-05-06 00:00:00') v FROM t ORDER BY _id
----
_id | v
- | NULL
n | NULL
o | NULL
s | 07:08:09.000000
x | NULL
z | NULL

query
SELECT _id, _doc->'$.at' + INTERVAL 1 DAY v FROM t ORDER BY _id
----
_id | v
- | NULL
n | NULL
o | NULL
s | 2024-05-07 07:08:09
x | NULL
z | NULL

query
SELECT _id, DATE_ADD(_doc->'$.at', INTERVAL 1 MONTH) v FROM t ORDER BY _id
----
_id | v
- | NULL
n | NULL
o | NULL
s | 2024-06-06 07:08:09
x | NULL
z | NULL

query
SELECT _id, DATE_SUB(_doc->'$.at', INTERVAL 1 HOUR) v FROM t ORDER BY _id
----
_id | v
- | NULL
n | NULL
o | NULL
s | 2024-05-06 06:08:09
x | NULL
z | NULL

query
SELECT _id, ADDDATE(_doc->'$.at', 1) v FROM t ORDER BY _id
----
_id | v
- | NULL
n | NULL
o | NULL
s | 2024-05-07 07:08:09
x | NULL
z | NULL

query
SELECT _id, TIMESTAMPADD(DAY, 1, _doc->'$.at') v FROM t ORDER BY _id
----
_id | v
- | NULL
n | NULL
o | NULL
s | 2024-05-07 07:08:09
x | NULL
z | NULL

query
SELECT _id, EXTRACT(YEAR FROM _doc->'$.at') v FROM t ORDER BY _id
----
_id | v
- | NULL
n | NULL
o | NULL
s | 2024
x | NULL
z | NULL

query
SELECT _id, STR_TO_DATE(_doc->'$.at', '%Y-%m-%d %H:%i:%s') v FROM t ORDER BY _id
----
_id | v
- | NULL
n | NULL
o | NULL
s | NULL
x | NULL
z | NULL

query
SELECT _id, CAST(_doc->'$.at' AS DATE) v FROM t ORDER BY _id
----
_id | v
- | NULL
n | NULL
o | NULL
s | 2024-05-06
x | NULL
z | NULL

query
SELECT _id, CAST(_doc->'$.at' AS DATETIME) v FROM t ORDER BY _id
----
_id | v
- | NULL
n | NULL
o | NULL
s | 2024-05-06 07:08:09
x | NULL
z | NULL

query
SELECT _id, CAST(_doc->'$.at' AS TIME) v FROM t ORDER BY _id
----
_id | v
- | NULL
n | NULL
o | NULL
s | 07:08:09
x | NULL
z | NULL

query
SELECT _id, CONVERT_TZ(_doc->'$.at', '+00:00', '+01:00') v FROM t ORDER BY _id
----
_id | v
- | NULL
n | NULL
o | NULL
s | 2024-05-06 08:08:09
x | NULL
z | NULL

query
SELECT _id, FROM_UNIXTIME(_doc->'$.days') v FROM t ORDER BY _id
----
_id | v
- | NULL
n | 1970-01-09 13:22:57
o | NULL
s | NULL
x | NULL
z | NULL

query
SELECT _id, FROM_DAYS(_doc->'$.days') v FROM t ORDER BY _id
----
_id | v
- | NULL
n | 2024-05-06
o | NULL
s | NULL
x | NULL
z | NULL

query
SELECT _id, STR_TO_DATE(_doc->>'$.at', '%Y-%m-%d %H:%i:%s') v FROM t ORDER BY _id
----
_id | v
- | NULL
n | NULL
o | NULL
s | 2024-05-06 07:08:09
x | NULL
z | NULL

query
SELECT MONTHNAME('no date') a, WEEKOFYEAR('no date') b, TIME_FORMAT('2024-05-06 07:08:09', '%H:%i') c, TIME_FORMAT('no time', '%H') d, STR_TO_DATE(NULL, '%Y') e, STR_TO_DATE('2024', NULL) f
----
a | b | c | d | e | f
NULL | NULL | 07:08 | NULL | NULL | NULL

query
SELECT DATE(_doc->'$.at') FROM t WHERE _id = 'o'
----
DATE(_doc->'$.at')
NULL

query
SHOW WARNINGS
----
Level | Code | Message
Warning | 3156 | Invalid JSON value for CAST to DATETIME: {"a":1}

query
SELECT _id FROM t WHERE DATE(_doc->'$.at') IS NULL ORDER BY _id
----
_id
-
n
o
x
z

query
SELECT YEAR(_doc->'$.at') y, COUNT(*) n FROM t GROUP BY y ORDER BY y
----
y | n
NULL | 5
2024 | 1

exec
INSERT INTO t (_doc) SELECT JSON_OBJECT('_id', CONCAT('d', n), 'at', DATE_FORMAT('2024-01-01' + INTERVAL n DAY, '%Y-%m-%dT%H:%i:%sZ')) FROM (WITH RECURSIVE r (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r WHERE n < 300) SELECT n FROM r) r
----
ok, 300 rows

query
SELECT COUNT(*) n, MIN(_id) a, MAX(_id) z FROM t WHERE DATE(_doc->'$.at') = '2024-05-06'
----
n | a | z
2 | d126 | s

exec
SET sqlfdb_use_index = OFF
----
ok, 0 rows

query
SELECT COUNT(*) n, MIN(_id) a, MAX(_id) z FROM t WHERE DATE(_doc->'$.at') = '2024-05-06'
----
n | a | z
2 | d126 | s

exec
SET sqlfdb_use_index = ON
----
ok, 0 rows

query
SELECT COUNT(*) n, MIN(_id) a, MAX(_id) z FROM t WHERE YEAR(_doc->'$.at') = 2024
----
n | a | z
301 | d1 | s

exec
SET sqlfdb_use_index = OFF
----
ok, 0 rows

query
SELECT COUNT(*) n, MIN(_id) a, MAX(_id) z FROM t WHERE YEAR(_doc->'$.at') = 2024
----
n | a | z
301 | d1 | s

exec
SET sqlfdb_use_index = ON
----
ok, 0 rows

query
SELECT COUNT(*) n, MIN(_id) a, MAX(_id) z FROM t WHERE DATE_FORMAT(_doc->'$.at', '%Y-%m') = '2024-05'
----
n | a | z
32 | d121 | s

exec
SET sqlfdb_use_index = OFF
----
ok, 0 rows

query
SELECT COUNT(*) n, MIN(_id) a, MAX(_id) z FROM t WHERE DATE_FORMAT(_doc->'$.at', '%Y-%m') = '2024-05'
----
n | a | z
32 | d121 | s

exec
SET sqlfdb_use_index = ON
----
ok, 0 rows

query
SELECT COUNT(*) n, MIN(_id) a, MAX(_id) z FROM t WHERE _doc->'$.at' + INTERVAL 1 DAY > '2024-10-01'
----
n | a | z
28 | d273 | d300

exec
SET sqlfdb_use_index = OFF
----
ok, 0 rows

query
SELECT COUNT(*) n, MIN(_id) a, MAX(_id) z FROM t WHERE _doc->'$.at' + INTERVAL 1 DAY > '2024-10-01'
----
n | a | z
28 | d273 | d300

exec
SET sqlfdb_use_index = ON
----
ok, 0 rows

query
SELECT COUNT(*) n, MIN(_id) a, MAX(_id) z FROM t WHERE DATEDIFF(_doc->'$.at', '2024-05-06') BETWEEN 0 AND 2
----
n | a | z
4 | d126 | s

exec
SET sqlfdb_use_index = OFF
----
ok, 0 rows

query
SELECT COUNT(*) n, MIN(_id) a, MAX(_id) z FROM t WHERE DATEDIFF(_doc->'$.at', '2024-05-06') BETWEEN 0 AND 2
----
n | a | z
4 | d126 | s

exec
SET sqlfdb_use_index = ON
----
ok, 0 rows

query
SELECT COUNT(*) n, MIN(_id) a, MAX(_id) z FROM t WHERE NOT DATE(_doc->'$.at') = '2024-05-06'
----
n | a | z
299 | d1 | d99

exec
SET sqlfdb_use_index = OFF
----
ok, 0 rows

query
SELECT COUNT(*) n, MIN(_id) a, MAX(_id) z FROM t WHERE NOT DATE(_doc->'$.at') = '2024-05-06'
----
n | a | z
299 | d1 | d99

exec
SET sqlfdb_use_index = ON
----
ok, 0 rows

query
SELECT COUNT(*) n, MIN(_id) a, MAX(_id) z FROM t WHERE DATE(_doc->'$.at') IS NOT NULL
----
n | a | z
301 | d1 | s

exec
SET sqlfdb_use_index = OFF
----
ok, 0 rows

query
SELECT COUNT(*) n, MIN(_id) a, MAX(_id) z FROM t WHERE DATE(_doc->'$.at') IS NOT NULL
----
n | a | z
301 | d1 | s

exec
SET sqlfdb_use_index = ON
----
ok, 0 rows

query
SELECT COUNT(*) n, MIN(_id) a, MAX(_id) z FROM t WHERE MONTH(_doc->'$.at') = 5
----
n | a | z
32 | d121 | s

exec
SET sqlfdb_use_index = OFF
----
ok, 0 rows

query
SELECT COUNT(*) n, MIN(_id) a, MAX(_id) z FROM t WHERE MONTH(_doc->'$.at') = 5
----
n | a | z
32 | d121 | s

exec
SET sqlfdb_use_index = ON
----
ok, 0 rows

query
SELECT COUNT(*) n, MIN(_id) a, MAX(_id) z FROM t WHERE EXTRACT(YEAR FROM _doc->'$.at') = 2023
----
n | a | z
0 | NULL | NULL

exec
SET sqlfdb_use_index = OFF
----
ok, 0 rows

query
SELECT COUNT(*) n, MIN(_id) a, MAX(_id) z FROM t WHERE EXTRACT(YEAR FROM _doc->'$.at') = 2023
----
n | a | z
0 | NULL | NULL

exec
SET sqlfdb_use_index = ON
----
ok, 0 rows

query settled
EXPLAIN FORMAT=TREE SELECT _id FROM t WHERE DATE(_doc->'$.at') = '2024-05-06'
----
EXPLAIN
-> Project: t._id
    -> Filter: (DATE(json_extract(t._doc, '$.at')) = '2024-05-06')
        -> Index range scan on t using at
             range: $.at in [20240504, 20240509), [20240504000000, 20240509000000), ['2024-05-04', '2024-05-08'…), ['2024-05-4', '2024-05-8'…), ['2024-5-', '2024-5-'…), ['2024/05/04', '2024/05/08'…), ['20240504', '20240508'…)
             keys: 7 counted of 303
             not tight: the filter stays
             residual: (DATE(json_extract(t._doc, '$.at')) = '2024-05-06')
             cost: 14.3, a full scan costs 306.0

query settled
EXPLAIN FORMAT=TREE SELECT _id FROM t WHERE _doc->'$.at' + INTERVAL 1 DAY > '2024-08-01'
----
EXPLAIN
-> Project: t._id
    -> Filter: ((json_extract(t._doc, '$.at') + INTERVAL 1 DAY) > '2024-08-01')
        -> Index range scan on t using at
             range: $.at in [20240723, 99991232), [20240723000000, 99991232000000), ['2024-07-23', '2024-12-31'…), ['2024-12-3'…, '2024-12-9'…), ['2024-7-', '2024-9-'…), ['2024/07/23', '2024/12/31'…), ['20240723', '20241231'…), ['2025', '9999'…)
             keys: 97 counted of 303
             not tight: the filter stays
             residual: ((json_extract(t._doc, '$.at') + INTERVAL 1 DAY) > '2024-08-01')
             cost: 198.8, a full scan costs 306.0

query settled
EXPLAIN FORMAT=TREE SELECT _id FROM t WHERE MONTH(_doc->'$.at') = 5
----
EXPLAIN
-> Project: t._id
    -> Filter: (month(json_extract(t._doc, '$.at')) = 5)
        -> Table scan on t
             documents: 306, exactly
             residual: (month(json_extract(t._doc, '$.at')) = 5)
             lost: $.at in all values, keys: 305 counted of 305: cost 625.2, a full scan costs 306.0
             no range: (month(json_extract(t._doc, '$.at')) = 5): month(json_extract(t._doc, '$.at')) is computed

# CAST to DATETIME and TIME leaves no more digits behind the second than the type has: in comparisons, groups and
# functions too.

exec
CREATE TABLE t (id INT PRIMARY KEY, dt DATETIME(6), t TIME(6), s VARCHAR(30));
CREATE TABLE j (_id VARCHAR(20) PRIMARY KEY, _doc JSON);
INSERT INTO t VALUES (1, '2011-04-05 08:46:06.423456', '10:11:12.4', '2011-04-05 08:46:06.4'), (2, '2011-04-05 08:46:06.1', '10:11:12.1', '2011-04-05 08:46:06.1'), (3, '2011-12-31 23:59:59.7', '23:59:59.7', '2011-12-31 23:59:59.7'), (4, NULL, NULL, 'none');
INSERT INTO j (_doc) VALUES ('{"_id": "a", "at": "2011-04-05 08:46:06.4"}'), ('{"_id": "b", "at": "2011-04-05 08:46:06.1"}'), ('{"_id": "c", "at": "2011-12-31 23:59:59.7"}'), ('{"_id": "d", "at": 20110405084606}')
----
ok, 0 rows
ok, 0 rows
ok, 4 rows
ok, 4 rows

query
SELECT id FROM t WHERE CAST(dt AS DATETIME) = '2011-04-05 08:46:06' ORDER BY id
----
id
1
2

query
SELECT CAST(dt AS DATETIME) AS at, COUNT(*) FROM t GROUP BY at ORDER BY at
----
at | COUNT(*)
NULL | 1
2011-04-05 08:46:06 | 2
2012-01-01 00:00:00 | 1

query
SELECT DISTINCT CAST(s AS DATETIME) AS at FROM t ORDER BY at
----
at
NULL
2011-04-05 08:46:06
2012-01-01 00:00:00

query
SELECT CAST(at AS DATETIME) AS second, COUNT(*) FROM j GROUP BY second ORDER BY second
----
second | COUNT(*)
NULL | 1
2011-04-05 08:46:06 | 2
2012-01-01 00:00:00 | 1

query
SELECT id, MICROSECOND(CAST(dt AS DATETIME)), MICROSECOND(CAST(dt AS DATETIME(1))), CAST(dt AS DATETIME) + 0, DATE_FORMAT(CAST(dt AS DATETIME), '%s.%f'), CAST(CAST(dt AS DATETIME) AS TIME(3)) FROM t ORDER BY id
----
id | MICROSECOND(CAST(dt AS DATETIME)) | MICROSECOND(CAST(dt AS DATETIME(1))) | CAST(dt AS DATETIME) + 0 | DATE_FORMAT(CAST(dt AS DATETIME), '%s.%f') | CAST(CAST(dt AS DATETIME) AS TIME(3))
1 | 0 | 400000 | 20110405084606 | 06.000000 | 08:46:06.000
2 | 0 | 100000 | 20110405084606 | 06.000000 | 08:46:06.000
3 | 0 | 700000 | 20120101000000 | 00.000000 | 00:00:00.000
4 | NULL | NULL | NULL | NULL | NULL

query
SELECT id FROM t WHERE CAST(dt AS DATETIME) >= '2012-01-01'
----
id
3

query
SELECT id FROM t WHERE CAST(s AS DATETIME) >= '2012-01-01'
----
id
3

query
SELECT _id FROM j WHERE CAST(at AS DATETIME) >= '2012-01-01'
----
_id
c

query
SELECT _id FROM j WHERE CAST(at AS DATETIME) < '2011-12-31 23:59:59' ORDER BY _id
----
_id
a
b

query
SELECT id FROM t WHERE CONVERT(dt, DATETIME) = CAST('2011-04-05 08:46:05.6' AS DATETIME) ORDER BY id
----
id
1
2

query
SELECT CAST('9999-12-31 23:59:59.9' AS DATETIME) AS behind, CAST('2011-04-05 08:46:06.567' AS DATETIME(2)) AS two, CAST(NULL AS DATETIME) AS none
----
behind | two | none
NULL | 2011-04-05 08:46:06.57 | NULL

query
EXPLAIN FORMAT=TREE SELECT id FROM t WHERE dt >= CAST('2011-05-01' AS DATETIME)
----
EXPLAIN
-> Project: t.id
    -> Filter: (t.dt >= 2011-05-01 00:00:00 +0000 UTC)
        -> Index range scan on t using dt
             range: `dt` in strings, ['2011-04-30 23:59:59', +∞)
             entries only: no document is read
             keys: 1 counted of 3
             not tight: the filter stays
             residual: (t.dt >= 2011-05-01 00:00:00 +0000 UTC)
             cost: 0.1, a full scan costs 4.0

exec
CREATE TABLE seconds AS SELECT id, CAST(dt AS DATETIME) AS at FROM t
----
ok, 4 rows

query
SELECT id FROM seconds WHERE at = '2011-04-05 08:46:06' ORDER BY id
----
id
1
2

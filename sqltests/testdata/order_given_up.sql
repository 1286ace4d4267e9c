# Walks in the order that is asked for, where all that the condition finds lies at the end of that order: they are given up for
# reading what it finds, and sorting.

exec
CREATE TABLE t (_id VARCHAR(255) PRIMARY KEY, _doc JSON);
INSERT INTO t (_doc) WITH RECURSIVE n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n WHERE i < 2000) SELECT JSON_OBJECT('_id', CONCAT('k', LPAD(i, 4, '0')), 'b', i, 'a', IF(i > 1970, 'far', IF(i <= 30, 'near', 'else')), 'c', i % 3, 'm', i % 7) FROM n;
UPDATE t SET _doc = JSON_REMOVE(_doc, '$.m') WHERE b % 2 = 0
----
ok, 0 rows
ok, 2000 rows
ok, 1000 rows

query
EXPLAIN FORMAT=TREE SELECT _id, b, m FROM t WHERE a = 'far' ORDER BY b LIMIT 3
----
EXPLAIN
-> Limit: 3 rows
    -> Project: t._id, t.b, t.m
        -> The first of these, given up for the second: once it has cost 66.3
            -> Index range scan on t using b
                 range: `b` in all values
                 order: `b` among `a`: cost 31.4, sorting costs 66.3
                 only those among: `a` in 'far'
                 ends after: 3
                 keys: about 194 of 2,000
                 tight
                 cost: 31.4, a full scan costs 2000.0
                 lost: order by `b`: cost 813.3, the chosen one costs 31.4
            -> Sort: t.b, keep 3
                -> Index lookup on t using a
                     range: `a` in 'far'
                     keys: 30 counted of 2,000
                     tight
                     cost: 61.5, a full scan costs 2000.0

query
SELECT _id, b, m FROM t WHERE a = 'far' ORDER BY b LIMIT 3
----
_id | b | m
k1971 | 1971 | 4
k1972 | 1972 | NULL
k1973 | 1973 | 6

query
SHOW STATUS WHERE Variable_name IN ('sqlfdb_last_keys', 'sqlfdb_last_documents')
----
Variable_name | Value
sqlfdb_last_documents | 30
sqlfdb_last_keys | 693

# What EXPLAIN ANALYZE shows adds up to it.

analyze
EXPLAIN ANALYZE SELECT _id, b, m FROM t WHERE a = 'far' ORDER BY b LIMIT 3
----
EXPLAIN
-> Limit: 3 rows  (actual time=… rows=3 loops=1)
    -> Project: t._id, t.b, t.m  (actual time=… rows=3 loops=1)
        -> The first of these, given up for the second: once it has cost 66.3  (actual time=… rows=3 loops=1)
            -> Index range scan on t using b  (actual time=… rows=0 loops=1)  (keys=663 documents=0 bytes=0)
                 range: `b` in all values
                 order: `b` among `a`: cost 31.4, sorting costs 66.3
                 only those among: `a` in 'far'
                 ends after: 3
                 keys: about 194 of 2,000
                 tight
                 cost: 31.4, a full scan costs 2000.0
                 lost: order by `b`: cost 813.3, the chosen one costs 31.4
            -> Sort: t.b, keep 3  (actual time=… rows=3 loops=1)
                -> Index lookup on t using a  (actual time=… rows=30 loops=1)  (keys=30 documents=30 bytes=1290)
                     range: `a` in 'far'
                     keys: 30 counted of 2,000
                     tight
                     cost: 61.5, a full scan costs 2000.0
Statement: keys=693 documents=30 bytes=1290 counters=0 rows=3 conflicts=0 retries=0 read versions=1 seconds=…

# Where they lie at its beginning, the other way is not begun.

analyze
EXPLAIN ANALYZE SELECT _id, b, m FROM t WHERE a = 'near' ORDER BY b LIMIT 3
----
EXPLAIN
-> Limit: 3 rows  (actual time=… rows=3 loops=1)
    -> Project: t._id, t.b, t.m  (actual time=… rows=3 loops=1)
        -> The first of these, given up for the second: once it has cost 66.3  (actual time=… rows=3 loops=1)
            -> Index range scan on t using b  (actual time=… rows=3 loops=1)  (keys=33 documents=3 bytes=126)
                 range: `b` in all values
                 order: `b` among `a`: cost 31.4, sorting costs 66.3
                 only those among: `a` in 'near'
                 ends after: 3
                 keys: about 194 of 2,000
                 tight
                 cost: 31.4, a full scan costs 2000.0
                 lost: order by `b`: cost 813.3, the chosen one costs 31.4
            -> Sort: t.b, keep 3  (never executed)
                -> Index lookup on t using a  (never executed)
                     range: `a` in 'near'
                     keys: 30 counted of 2,000
                     tight
                     cost: 61.5, a full scan costs 2000.0
Statement: keys=33 documents=3 bytes=126 counters=0 rows=3 conflicts=0 retries=0 read versions=1 seconds=…

query
SELECT _id, b, m FROM t WHERE a = 'near' ORDER BY b LIMIT 3 OFFSET 4
----
_id | b | m
k0005 | 5 | 5
k0006 | 6 | NULL
k0007 | 7 | 0

query
EXPLAIN SELECT _id, b, m FROM t WHERE a = 'far' ORDER BY b LIMIT 3
----
id | select_type | table | partitions | type | possible_keys | key | key_len | ref | rows | filtered | Extra
1 | SIMPLE | t | NULL | range | a | b | NULL | NULL | 194 | 100 |
1 | SIMPLE | t | NULL | ref | a | a | NULL | const | 30 | 100 | Used if the walk before is given up; Using filesort

query
EXPLAIN FORMAT=JSON SELECT _id, b, m FROM t WHERE a = 'far' ORDER BY b LIMIT 3
----
EXPLAIN
{
  "query_plan": {
    "operation": "Limit",
    "detail": "3 rows",
    "select_id": 1,
    "select_type": "SIMPLE",
    "inputs": [
      {
        "operation": "Project",
        "detail": "t._id, t.b, t.m",
        "select_id": 1,
        "select_type": "SIMPLE",
        "inputs": [
          {
            "operation": "The first of these, given up for the second",
            "detail": "once it has cost 66.3",
            "select_id": 1,
            "select_type": "SIMPLE",
            "inputs": [
              {
                "operation": "Index range scan on t using b",
                "select_id": 1,
                "select_type": "SIMPLE",
                "table_name": "t",
                "access_type": "range",
                "possible_keys": [
                  "a"
                ],
                "key": "b",
                "ranges": [
                  {
                    "key": "b",
                    "spans": "all values"
                  }
                ],
                "keys": {
                  "estimated": 194,
                  "counted": false,
                  "bound": 2000
                },
                "documents": 2000,
                "tight": true,
                "cost": 31.36,
                "full_scan_cost": 2000,
                "lost_candidates": [
                  {
                    "candidate": "order by `b`",
                    "why": "cost 813.3, the chosen one costs 31.4"
                  }
                ],
                "facts": [
                  "order: `b` among `a`: cost 31.4, sorting costs 66.3",
                  "only those among: `a` in 'far'",
                  "ends after: 3"
                ]
              },
              {
                "operation": "Sort",
                "detail": "t.b, keep 3",
                "select_id": 1,
                "select_type": "SIMPLE",
                "extra": [
                  "Using filesort"
                ],
                "inputs": [
                  {
                    "operation": "Index lookup on t using a",
                    "select_id": 1,
                    "select_type": "SIMPLE",
                    "table_name": "t",
                    "access_type": "ref",
                    "possible_keys": [
                      "a"
                    ],
                    "key": "a",
                    "ref": "const",
                    "ranges": [
                      {
                        "key": "a",
                        "spans": "'far'"
                      }
                    ],
                    "keys": {
                      "estimated": 30,
                      "counted": true,
                      "bound": 2000
                    },
                    "documents": 2000,
                    "tight": true,
                    "cost": 61.5,
                    "full_scan_cost": 2000
                  }
                ]
              }
            ]
          }
        ]
      }
    ]
  },
  "program": "yes"
}

# What lacks the keypath comes first, or last; what is skipped is skipped once.

query
SELECT _id, m FROM t WHERE a = 'far' ORDER BY m, _id LIMIT 3 OFFSET 13
----
_id | m
k1998 | NULL
k2000 | NULL
k1981 | 0

query
SHOW STATUS WHERE Variable_name IN ('sqlfdb_last_keys', 'sqlfdb_last_documents')
----
Variable_name | Value
sqlfdb_last_documents | 30
sqlfdb_last_keys | 30

query
SELECT _id, m FROM t WHERE a = 'far' ORDER BY m DESC, _id DESC LIMIT 3 OFFSET 13
----
_id | m
k1995 | 0
k1981 | 0
k2000 | NULL

query
SELECT _id, b FROM t WHERE a = 'near' ORDER BY b DESC LIMIT 3 OFFSET 4
----
_id | b
k0026 | 26
k0025 | 25
k0024 | 24

query
SHOW STATUS WHERE Variable_name IN ('sqlfdb_last_keys', 'sqlfdb_last_documents')
----
Variable_name | Value
sqlfdb_last_documents | 30
sqlfdb_last_keys | 730

# A filter that only the documents tell.

query
SELECT _id, b FROM t WHERE c + b > 1998 ORDER BY b LIMIT 2
----
_id | b
k1997 | 1997
k1999 | 1999

query
SHOW STATUS WHERE Variable_name IN ('sqlfdb_last_keys', 'sqlfdb_last_documents')
----
Variable_name | Value
sqlfdb_last_documents | 3040
sqlfdb_last_keys | 1232

query
SELECT _id, b FROM t WHERE c >= 0 AND m + b > 1999 ORDER BY b LIMIT 2
----
_id | b
k1999 | 1999

query
SHOW STATUS WHERE Variable_name IN ('sqlfdb_last_keys', 'sqlfdb_last_documents')
----
Variable_name | Value
sqlfdb_last_documents | 2988
sqlfdb_last_keys | 1180

# Nothing is given up for what would be refused.

exec
SET sqlfdb_full_scans = deny
----
ok, 0 rows

query
EXPLAIN FORMAT=TREE SELECT _id, b FROM t WHERE c >= 0 AND m + b > 1999 ORDER BY b LIMIT 2
----
EXPLAIN
-> Limit: 2 rows
    -> Project: t._id, t.b
        -> Filter: ((t.c >= 0) AND ((t.m + t.b) > 1999))
            -> Index range scan on t using b
                 range: `b` in not null
                 order: `b`: cost 50.3, sorting costs 2033.3
                 keys: about 24 of 2,000
                 not tight: the filter stays
                 residual: (t.c >= 0) AND ((t.m + t.b) > 1999)
                 cost: 50.3, a full scan costs 2000.0
                 lost: order by `b` among `m`: cost 226.4, the chosen one costs 50.3
                 no range: ((t.m + t.b) > 1999): (t.m + t.b) is computed

exec
SET sqlfdb_full_scans = allow;
SET sqlfdb_long_reads = 'continue'
----
ok, 0 rows
ok, 0 rows

query
SELECT _id, b FROM t WHERE a = 'far' ORDER BY b LIMIT 3
----
_id | b
k1971 | 1971
k1972 | 1972
k1973 | 1973

# As a prepared statement.

exec
PREPARE p FROM 'SELECT _id, b FROM t WHERE a = ? ORDER BY b LIMIT 2';
SET @a = 'far'
----
ok, 0 rows
ok, 0 rows

query
EXECUTE p USING @a
----
_id | b
k1971 | 1971
k1972 | 1972

query
SHOW STATUS WHERE Variable_name IN ('sqlfdb_last_keys', 'sqlfdb_last_documents')
----
Variable_name | Value
sqlfdb_last_documents | 30
sqlfdb_last_keys | 676

# Within other statements.

exec
CREATE VIEW v AS SELECT _id, a, b FROM t
----
ok, 0 rows

query
SELECT _id, (SELECT MAX(u.b) FROM t u WHERE u.c = t.c AND u.b < 9) AS x FROM t WHERE a = 'far' ORDER BY b LIMIT 3
----
_id | x
k1971 | 6
k1972 | 7
k1973 | 8

query
SELECT o.b, (SELECT b FROM t WHERE a = 'far' AND b > o.b ORDER BY b LIMIT 1) AS f FROM t AS o WHERE o._id IN ('k0001', 'k1999', 'k2000')
----
b | f
1 | 1971
1999 | 2000
2000 | NULL

query
SELECT q.b, t.c FROM (SELECT b, _id FROM t WHERE a = 'far' ORDER BY b LIMIT 2) AS q JOIN t ON t._id = q._id ORDER BY q.b
----
b | c
1971 | 0
1972 | 1

query
SELECT o.b, q.b AS f FROM t AS o JOIN LATERAL (SELECT b FROM (SELECT b, a FROM t) AS i WHERE a = 'far' AND b > o.b ORDER BY b LIMIT 1) AS q WHERE o._id IN ('k0001', 'k1990')
----
b | f
1 | 1971
1990 | 1991

query
SELECT b + 1 AS n FROM v WHERE a = 'far' ORDER BY b LIMIT 2
----
n
1972
1973

query
SELECT b FROM t WHERE a = 'far' UNION ALL (SELECT b FROM t WHERE a = 'far' ORDER BY b LIMIT 1) ORDER BY b LIMIT 3
----
b
1971
1971
1972

query
SELECT (SELECT b FROM t WHERE a = 'far' ORDER BY b LIMIT 1) AS f, (SELECT GROUP_CONCAT(b) FROM (SELECT b FROM t WHERE a = 'far' ORDER BY b LIMIT 2) AS q) AS g
----
f | g
1971 | 1971,1972

query
CHECK TABLE t
----
Table | Op | Msg_type | Msg_text
d.t | check | status | OK

# Declared indexes in plans: first columns with single values, and a range of the next.

exec
CREATE TABLE t (_id INT PRIMARY KEY, _doc JSON);
INSERT INTO t (_doc) WITH RECURSIVE n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n WHERE i < 3000) SELECT JSON_OBJECT('_id', i, 'a', i % 5, 'b', i % 500, 'c', CONCAT('s', i % 7), 'd', IF(i % 3 = 0, NULL, i)) FROM n;
UPDATE t SET _doc = JSON_REMOVE(_doc, '$.d') WHERE _id % 2 = 0;
CREATE INDEX abd ON t (a, b, d);
CREATE INDEX cb ON t (c, b)
----
ok, 0 rows
ok, 3000 rows
ok, 1500 rows
ok, 0 rows
ok, 0 rows

query
EXPLAIN FORMAT=TREE SELECT _doc FROM t WHERE a = 3 AND b = 33
----
EXPLAIN
-> Project: t._doc
    -> Filter: (t.a = 3)
        -> Index lookup on t using b
             range: `b` in 33
             keys: 6 counted of 3,000
             tight
             residual: (t.a = 3)
             cost: 12.3, a full scan costs 3000.0
             lost: `a` in 3, keys: 600 counted of 3,000: cost 1230.0, the chosen one costs 12.3
             lost: index `abd` in `a` in 3 and `b` in 33, keys: 6 counted of 3,000: cost 12.3, the chosen one costs 12.3

query
SELECT _id FROM t WHERE a = 3 AND b = 33
----
_id
33
533
1033
1533
2033
2533

query
EXPLAIN SELECT _doc FROM t WHERE a = 3 AND b < 20
----
id | select_type | table | partitions | type | possible_keys | key | key_len | ref | rows | filtered | Extra
1 | SIMPLE | t | NULL | range | a,b,abd | abd | NULL | NULL | 24 | 100 |

query
EXPLAIN FORMAT=TREE SELECT _doc FROM t WHERE a IN (1, 3) AND b BETWEEN 11 AND 13 AND d IS NULL
----
EXPLAIN
-> Project: t._doc
    -> Filter: t.d IS NULL
        -> Index range scan on t using abd
             range: index `abd` in `a` in 1, 3 and `b` in [11, 13]
             keys: 12 counted of 3,000
             tight
             residual: t.d IS NULL
             cost: 24.6, a full scan costs 3000.0
             lost: `a` in 1, 3, keys: 1,200 counted of 3,000: cost 2460.0, the chosen one costs 24.6
             lost: `b` in [11, 13], keys: 18 counted of 3,000: cost 36.9, the chosen one costs 24.6
             lost: `d` in null, keys: 500 counted of 500; 1,500 documents lack the keypath: unusable: 1500 documents lack the keypath and have no entry

query
SELECT _id, d FROM t WHERE a IN (1, 3) AND b BETWEEN 11 AND 13 AND d IS NULL
----
_id | d
1011 | NULL
2511 | NULL
513 | NULL
2013 | NULL

query
SELECT _id, d FROM t WHERE a = 1 AND b = 11 AND d IS NULL
----
_id | d
1011 | NULL
2511 | NULL

query
EXPLAIN FORMAT=TREE SELECT _id, d FROM t WHERE a = 1 AND b = 11 AND d IS NULL
----
EXPLAIN
-> Project: t._id, t.d
    -> Index lookup on t using abd
         range: index `abd` in `a` in 1 and `b` in 11 and `d` in null
         keys: 2 counted of 2,000
         tight
         cost: 4.1, a full scan costs 3000.0
         lost: `a` in 1, keys: 600 counted of 3,000: cost 1230.0, the chosen one costs 4.1
         lost: `b` in 11, keys: 6 counted of 3,000: cost 12.3, the chosen one costs 4.1
         lost: `d` in null, keys: 500 counted of 500; 1,500 documents lack the keypath: unusable: 1500 documents lack the keypath and have no entry

query
EXPLAIN FORMAT=TREE SELECT _id FROM t WHERE a = 1 AND b = 11 AND _doc->'$.d' IS NULL
----
EXPLAIN
-> Project: t._id
    -> Filter: json_extract(t._doc, '$.d') IS NULL
        -> Index lookup on t using abd
             range: index `abd` in `a` in 1 and `b` in 11 and $.d in no value
             keys: 2 counted of 2,000
             not tight: the filter stays
             residual: json_extract(t._doc, '$.d') IS NULL
             cost: 4.1, a full scan costs 3000.0
             lost: `a` in 1, keys: 600 counted of 3,000: cost 1230.0, the chosen one costs 4.1
             lost: `b` in 11, keys: 6 counted of 3,000: cost 12.3, the chosen one costs 4.1
             lost: $.d in no value, keys: 0 counted of 0; 1,500 documents lack the keypath: unusable: 1500 documents lack the keypath and have no entry

query
SELECT _id, d FROM t WHERE a = 1 AND b = 11 AND _doc->'$.d' IS NULL
----
_id | d

# Order behind an equality reads what is returned.

query
EXPLAIN FORMAT=TREE SELECT _doc FROM t WHERE a = 3 ORDER BY b LIMIT 3
----
EXPLAIN
-> Limit: 3 rows
    -> Project: t._doc
        -> Index lookup on t using abd
             range: index `abd` in `a` in 3
             order: index `abd`: cost 6.2, sorting costs 1464.2
             ends after: 3
             keys: about 3 of 598
             tight
             cost: 6.2, a full scan costs 3000.0
             lost: order by `b` among `a`: cost 140.0, the chosen one costs 6.2
             lost: order by `b`: cost 56.9, the chosen one costs 6.2

query
SELECT _id, b FROM t WHERE a = 3 ORDER BY b LIMIT 3
----
_id | b
3 | 3
503 | 3
1003 | 3

query
SHOW STATUS LIKE 'sqlfdb_last_documents'
----
Variable_name | Value
sqlfdb_last_documents | 3

query
SELECT _id, b FROM t WHERE a = 3 ORDER BY b DESC, _id DESC LIMIT 3 OFFSET 2
----
_id | b
1998 | 498
1498 | 498
998 | 498

query
SHOW STATUS LIKE 'sqlfdb_last_documents'
----
Variable_name | Value
sqlfdb_last_documents | 7

query
SELECT _id, b, d FROM t WHERE a = 3 AND b = 3 ORDER BY d, _id LIMIT 4
----
_id | b | d
3 | 3 | NULL
1503 | 3 | NULL
503 | 3 | 503
1003 | 3 | 1003

query
EXPLAIN FORMAT=TREE SELECT _doc FROM t WHERE a = 3 AND b > 100 ORDER BY b, d DESC LIMIT 3
----
EXPLAIN
-> Limit: 3 rows
    -> Project: t._doc
        -> Sort within equal t.b: t.b, t.d DESC
            -> Index range scan on t using abd
                 range: index `abd` in `a` in 3 and `b` in (100, +∞)
                 order: index `abd`, then sorted within equal values: cost 20.8, sorting costs 1068.0
                 keys: about 9 of 480
                 tight
                 cost: 20.8, a full scan costs 3000.0
                 lost: order by `b` among `a`: cost 157.0, the chosen one costs 20.8
                 lost: order by `b`: cost 173.1, the chosen one costs 20.8

query
SELECT _id, b, d FROM t WHERE a = 3 AND b > 100 ORDER BY b, d DESC LIMIT 3
----
_id | b | d
2603 | 103 | 2603
1603 | 103 | 1603
1103 | 103 | 1103

query
EXPLAIN FORMAT=TREE SELECT _doc FROM t WHERE c = 's3' AND b = 17 ORDER BY _id DESC LIMIT 2
----
EXPLAIN
-> Limit: 2 rows
    -> Project: t._doc
        -> Index lookup on t using cb
             range: index `cb` in `c` in 's3' and `b` in 17
             order: index `cb` descending: cost 2.0, sorting costs 2.0
             ends after: 2
             keys: about 1 of 1
             tight
             cost: 2.0, a full scan costs 3000.0
             lost: order by primary key descending within one value of `c`: cost 900.9, the chosen one costs 2.0
             lost: order by primary key descending within one value of `b`: cost 12.6, the chosen one costs 2.0
             lost: order by primary key descending: cost 3000.0, the chosen one costs 2.0

query
EXPLAIN FORMAT=TREE SELECT _doc FROM t ORDER BY c DESC, b DESC LIMIT 2
----
EXPLAIN
-> Limit: 2 rows
    -> Project: t._doc
        -> Index range scan on t using cb
             range: index `cb` in all values
             order: index `cb` descending: cost 4.1, sorting costs 3300.0
             ends after: 2
             keys: about 2 of 3,000
             tight
             cost: 4.1, a full scan costs 3000.0
             lost: order by `c` descending: cost 1257.4, the chosen one costs 4.1

query
SELECT c, b, _id FROM t ORDER BY c DESC, b DESC, _id DESC LIMIT 2
----
c | b | _id
s6 | 498 | 2498
s6 | 497 | 1497

exec
DELETE FROM t WHERE a = 4 ORDER BY b LIMIT 10;
UPDATE t SET b = b + 1 WHERE a = 3 ORDER BY b DESC LIMIT 5
----
ok, 10 rows
ok, 5 rows

# Hints call an index by its name.

query
EXPLAIN FORMAT=TREE SELECT _doc FROM t IGNORE INDEX (abd) WHERE a = 3 AND b = 33
----
EXPLAIN
-> Project: t._doc
    -> Filter: (t.a = 3)
        -> Index lookup on t using b
             range: `b` in 33
             keys: 6 counted of 2,990
             tight
             residual: (t.a = 3)
             cost: 12.3, a full scan costs 2990.0
             lost: `a` in 3, keys: 600 counted of 2,990: cost 1230.0, the chosen one costs 12.3

query
EXPLAIN FORMAT=TREE SELECT _doc FROM t FORCE INDEX (abd) WHERE a = 3
----
EXPLAIN
-> Project: t._doc
    -> Index lookup on t using abd
         range: index `abd` in `a` in 3
         keys: 600 counted of 2,990
         tight
         cost: 1230.0, a full scan costs 2990.0

query
EXPLAIN FORMAT=TREE SELECT _doc FROM t USE INDEX (cb) WHERE a = 3 AND b = 33 AND c = 's1'
----
EXPLAIN
-> Project: t._doc
    -> Filter: (t.a = 3)
        -> Index lookup on t using cb
             range: index `cb` in `c` in 's1' and `b` in 33
             keys: 1 counted of 2,990
             tight
             residual: (t.a = 3)
             cost: 2.0, a full scan costs 2990.0
             no range: (t.a = 3): `a` is not among the indexes that a hint allows

query
EXPLAIN FORMAT=TREE SELECT _doc FROM t USE INDEX (cb) WHERE a = 3 ORDER BY b LIMIT 3
----
EXPLAIN
-> Limit: 3 rows
    -> Project: t._doc
        -> Sort: t.b, keep 3
            -> Filter: (t.a = 3)
                 executor: batch
                -> Table scan on t
                     documents: 2,990, exactly
                     residual: (t.a = 3)
                     no range: (t.a = 3): `a` is not among the indexes that a hint allows

query
EXPLAIN FORMAT=JSON SELECT _doc FROM t WHERE a = 3 AND b = 33
----
EXPLAIN
{
  "query_plan": {
    "operation": "Project",
    "detail": "t._doc",
    "select_id": 1,
    "select_type": "SIMPLE",
    "inputs": [
      {
        "operation": "Filter",
        "detail": "(t.a = 3)",
        "select_id": 1,
        "select_type": "SIMPLE",
        "inputs": [
          {
            "operation": "Index lookup on t using b",
            "select_id": 1,
            "select_type": "SIMPLE",
            "table_name": "t",
            "access_type": "ref",
            "possible_keys": [
              "a",
              "b",
              "abd"
            ],
            "key": "b",
            "ref": "const",
            "ranges": [
              {
                "key": "b",
                "spans": "33"
              }
            ],
            "keys": {
              "estimated": 6,
              "counted": true,
              "bound": 2990
            },
            "documents": 2990,
            "tight": true,
            "residual": "(t.a = 3)",
            "cost": 12.3,
            "full_scan_cost": 2990,
            "lost_candidates": [
              {
                "candidate": "`a` in 3",
                "keys": {
                  "estimated": 600,
                  "counted": true,
                  "bound": 2990
                },
                "why": "cost 1230.0, the chosen one costs 12.3"
              },
              {
                "candidate": "index `abd` in `a` in 3 and `b` in 33",
                "keys": {
                  "estimated": 6,
                  "counted": true,
                  "bound": 2990
                },
                "why": "cost 12.3, the chosen one costs 12.3"
              }
            ]
          }
        ]
      }
    ]
  },
  "program": "yes"
}

# While an index is built, or a column upgraded, it is not used.

exec
SET GLOBAL sqlfdb_jobs = hold;
CREATE INDEX later ON t (d, a);
----
ok, 0 rows
ok, 0 rows

query
EXPLAIN FORMAT=TREE SELECT _doc FROM t WHERE d = 3 AND a = 3
----
EXPLAIN
-> Project: t._doc
    -> Filter: (t.a = 3)
        -> Index lookup on t using d
             range: `d` in 3
             keys: 0 counted of 998
             tight
             residual: (t.a = 3)
             cost: 0.0, a full scan costs 2990.0
             lost: `a` in 3, keys: 600 counted of 2,990: cost 1230.0, the chosen one costs 0.0

exec
SET GLOBAL sqlfdb_jobs = run;
OPTIMIZE TABLE t
----
ok, 0 rows
ok, 0 rows

query
EXPLAIN FORMAT=TREE SELECT _doc FROM t WHERE d = 3 AND a = 3
----
EXPLAIN
-> Project: t._doc
    -> Filter: (t.a = 3)
        -> Index lookup on t using d
             range: `d` in 3
             keys: 0 counted of 998
             tight
             residual: (t.a = 3)
             cost: 0.0, a full scan costs 2990.0
             lost: `a` in 3, keys: 600 counted of 2,990: cost 1230.0, the chosen one costs 0.0
             lost: index `later` in `d` in 3 and `a` in 3, keys: 0 counted of 998: cost 0.0, the chosen one costs 0.0

query
CHECK TABLE t
----
Table | Op | Msg_type | Msg_text
d.t | check | status | OK

# Strings that are longer than what is indexed of them are sorted by all of them, behind others too.
exec
CREATE TABLE ls (_id VARCHAR(20) PRIMARY KEY, _doc JSON) ENGINE_ATTRIBUTE='{"string_limit":24}';
INSERT INTO ls (_doc) VALUES ('{"_id":"k1","s":"b","i":1}'), (JSON_OBJECT('_id', 'k2', 's', CONCAT(REPEAT('a', 60), 'e'), 'i', 1)), (JSON_OBJECT('_id', 'k3', 's', CONCAT(REPEAT('a', 61), 'e'), 'i', 1)),
  ('{"_id":"k4","s":"a","i":1}'), (JSON_OBJECT('_id', 'k5', 's', CONCAT(REPEAT('a', 62), 'e'), 'i', 0));
CREATE INDEX si ON ls (s, i);
----
ok, 0 rows
ok, 5 rows
ok, 0 rows

query
SELECT _id, LENGTH(s) FROM ls USE INDEX (si) ORDER BY s DESC LIMIT 4
----
_id | LENGTH(s)
k1 | 1
k2 | 61
k3 | 62
k5 | 63

query
SELECT _id, LENGTH(s) FROM ls USE INDEX (si) ORDER BY s LIMIT 4
----
_id | LENGTH(s)
k4 | 1
k5 | 63
k3 | 62
k2 | 61

query
EXPLAIN FORMAT=TREE SELECT _id FROM ls USE INDEX (si) ORDER BY s DESC LIMIT 4
----
EXPLAIN
-> Limit: 4 rows
    -> Project: ls._id
        -> Index range scan on ls using si
             range: index `si` in all values
             order: index `si` descending: cost 8.2, sorting costs 6.0
             ends after: 4
             keys: about 4 of 5
             tight
             cost: 8.2, a full scan costs 5.0

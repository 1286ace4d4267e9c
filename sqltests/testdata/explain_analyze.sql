exec
CREATE TABLE t (_id VARCHAR(255) PRIMARY KEY, _doc JSON);
INSERT INTO t (_doc) VALUES ('{"_id":"a","n":1,"s":"x","tags":["p"]}'), ('{"_id":"b","n":2,"s":"y"}'), ('{"_id":"c","n":3,"s":"x","tags":["p","q"]}'), ('{"_id":"d","n":4,"s":"z"}'), ('{"_id":"e","n":5,"s":"x"}'), ('{"_id":"f","n":6,"s":"x"}');
----
ok, 0 rows
ok, 6 rows

analyze
EXPLAIN ANALYZE SELECT _id, s FROM t WHERE n = 2
----
EXPLAIN
-> Project: t._id, t.s  (actual time=… rows=1 loops=1)
    -> Index lookup on t using n  (actual time=… rows=1 loops=1)  (keys=1 documents=1 bytes=25)
         range: `n` in 2
         keys: 1 counted of 6
         tight
         cost: 2.0, a full scan costs 6.0
Statement: keys=1 documents=1 bytes=25 counters=0 rows=1 conflicts=0 retries=0 read versions=1 seconds=…

analyze
EXPLAIN ANALYZE FORMAT=TREE SELECT s, MAX(LENGTH(s)) FROM t WHERE UPPER(s) = 'X' GROUP BY s
----
EXPLAIN
-> Project: t.s, max(length(t.s))  (actual time=… rows=1 loops=1)
    -> Group: by t.s: MAX(length(t.s)), t.s  (actual time=… rows=1 loops=1)
         executor: interpreted: few rows
        -> Filter: (upper(t.s) = 'X')  (actual time=… rows=1 loops=1)
            -> Distinct values of t using s  (actual time=… rows=1 loops=1)  (keys=4 documents=0 bytes=0)
                 range: `s` in 'X' in any case
                 entries only: no document is read
                 residual, of each value: (upper(t.s) = 'X')
                 keys: 4 counted of 6
                 not tight: the filter stays
                 residual: (upper(t.s) = 'X')
                 cost: 0.2, a full scan costs 6.0
Statement: keys=4 documents=0 bytes=0 counters=0 rows=1 conflicts=0 retries=0 read versions=1 seconds=…

analyze
EXPLAIN ANALYZE FORMAT=JSON SELECT s FROM t WHERE _id = 'a'
----
EXPLAIN
{
  "query_plan": {
    "operation": "Project",
    "detail": "t.s",
    "select_id": 1,
    "select_type": "SIMPLE",
    "actual": {
      "rows": 1,
      "loops": 1,
      "first_row_ms": …,
      "last_row_ms": …,
      "keys": 0,
      "documents": 0,
      "bytes": 0
    },
    "inputs": [
      {
        "operation": "Single-row index lookup on t using PRIMARY",
        "select_id": 1,
        "select_type": "SIMPLE",
        "table_name": "t",
        "access_type": "const",
        "possible_keys": [
          "PRIMARY"
        ],
        "key": "PRIMARY",
        "ref": "const",
        "ranges": [
          {
            "key": "PRIMARY",
            "spans": "'a'"
          }
        ],
        "keys": {
          "estimated": 1,
          "counted": false,
          "bound": 1
        },
        "documents": 6,
        "tight": true,
        "cost": 0,
        "full_scan_cost": 6,
        "actual": {
          "rows": 1,
          "loops": 1,
          "first_row_ms": …,
          "last_row_ms": …,
          "keys": 0,
          "documents": 1,
          "bytes": 38
        }
      }
    ]
  },
  "program": "yes",
  "statement": {
    "bytes": 38,
    "conflicts": 0,
    "counters": 0,
    "documents": 1,
    "keys": 0,
    "read_versions": 1,
    "retries": 0,
    "rows": 1,
    "seconds": …
  }
}

analyze
EXPLAIN ANALYZE SELECT x.s FROM t x WHERE LENGTH(x.s) < (SELECT SUM(LENGTH(y.s)) FROM t y WHERE y.s = x.s)
----
EXPLAIN
-> Project: x.s  (actual time=… rows=4 loops=1)
    -> Filter: (length(x.s) < (subquery))  (actual time=… rows=4 loops=1)
        -> Index range scan on x using s  (actual time=… rows=6 loops=1)  (keys=6 documents=0 bytes=0)
             range: `s` in not null
             entries only: no document is read
             keys: 6 counted of 6
             not tight: the filter stays
             residual: (length(x.s) < (subquery))
             cost: 0.3, a full scan costs 6.0
             no range: (length(x.s) < (subquery)): neither side is a constant
        -> Subquery #2
            -> Project: sum(length(y.s))
                -> Aggregate: SUM(length(y.s))
                    -> Filter: (y.s = x.s)
                        -> Index range scan on y using s  (actual time=… rows=36 loops=6)  (keys=36 documents=0 bytes=0)
                             range: `s` in not null
                             entries only: no document is read
                             keys: 6 counted of 6
                             not tight: the filter stays
                             residual: (y.s = x.s)
                             cost: 0.3, a full scan costs 6.0
                             no range: (y.s = x.s): neither side is a constant
Statement: keys=42 documents=0 bytes=0 counters=0 rows=4 conflicts=0 retries=0 read versions=1 seconds=…

analyze
EXPLAIN ANALYZE SELECT s FROM t WHERE nosuch = 1 LIMIT 5
----
EXPLAIN
-> Limit: 5 rows  (actual time=… rows=0 loops=1)
    -> Project: t.s  (actual time=… rows=0 loops=1)
        -> Index lookup on t using nosuch  (actual time=… rows=0 loops=1)
             range: `nosuch` in 1
             no document has `nosuch`
             ends after: 5
             keys: 0 counted of 0
             tight
             cost: 0.0, a full scan costs 6.0
Statement: keys=0 documents=0 bytes=0 counters=0 rows=0 conflicts=0 retries=0 read versions=1 seconds=…

analyze
EXPLAIN ANALYZE SELECT * FROM t__tags WHERE _value = 'p'
----
EXPLAIN
-> Filter: (t__tags._value = 'p')  (actual time=… rows=2 loops=1)
    -> Index lookup on t__tags using tags[*]  (actual time=… rows=2 loops=1)  (keys=2 documents=0 bytes=0)
         range: `_value` in 'p'
         entries only: no document is read
         keys: 2 counted of 3
         not tight: the filter stays
         residual: (t__tags._value = 'p')
         cost: 0.1, a full scan costs 6.0
         lost: `tags` in arrays that hold something, keys: 2 counted of 2: cost 4.1, the chosen one costs 0.1
Statement: keys=2 documents=0 bytes=0 counters=0 rows=2 conflicts=0 retries=0 read versions=1 seconds=…

query
SELECT * FROM t WHERE _id = 'a'
----
_id | n | s | tags
a | 1 | x | ["p"]

# Of a side that is looked up in batches the rows are those of the join.
exec
CREATE TABLE many (_id VARCHAR(255) PRIMARY KEY, _doc JSON);
INSERT INTO many (_doc) SELECT JSON_OBJECT('_id', CONCAT('k', n), 'n', n, 'm', n) FROM (WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 100) SELECT n FROM c) d
----
ok, 0 rows
ok, 100 rows

analyze
EXPLAIN ANALYZE SELECT y._id FROM many x JOIN many y ON y.m = x.n WHERE x._id IN ('k1', 'k2')
----
EXPLAIN
-> Project: y._id  (actual time=… rows=2 loops=1)
    -> Join, inner, lookup: (y.m = x.n)  (actual time=… rows=2 loops=1)
        -> Index range scan on x using PRIMARY  (actual time=… rows=2 loops=1)  (keys=0 documents=2 bytes=48)
             range: primary key in 'k1', 'k2'
             keys: 2 counted of 100
             tight
             cost: 2.0, a full scan costs 100.0
             lost: `n` in all values, keys: 100 counted of 100; 0 documents lack the keypath: cost 5.0, the chosen one costs 2.0
        -> Look up in batches: y: `m` = x.n  (actual time=… rows=2 loops=1)  (keys=2 documents=0 bytes=0)
             entries only: no document is read
             for about 2 rows, documents for each: about 1.0
             cost: 4.4
             keys: about 2 of 100
             lost: the whole side, hashed: cost 150.4
Statement: keys=2 documents=2 bytes=48 counters=0 rows=2 conflicts=0 retries=0 read versions=1 seconds=…

query
CHECK TABLE many
----
Table | Op | Msg_type | Msg_text
d.many | check | status | OK

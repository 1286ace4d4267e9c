exec
CREATE TABLE t (_id VARCHAR(255) PRIMARY KEY, _doc JSON);
INSERT INTO t (_doc) VALUES ('{"_id":"a","n":1}'), ('{"_id":"b","n":2}');
INSERT INTO t (_doc) VALUES ('{"_id":"c","n":3}');
UPDATE t SET n = 10 WHERE _id = 'a';
DELETE FROM t WHERE _id = 'b';
----
ok, 0 rows
ok, 2 rows
ok, 1 rows
ok, 1 rows
ok, 1 rows

query
SELECT _id, rev, deleted, _doc FROM t__changes ORDER BY seq
----
_id | rev | deleted | _doc
c | 1-c991dd2fa2c5058548113b420175f6ff | 0 | {"_id":"c","n":3}
a | 2-be8abad45d49c2e8b6d657f81e1e3b34 | 0 | {"_id":"a","n":10}
b | 2-c0f43f4ba091e8af819944fac5a587e5 | 1 | NULL

query
SELECT _id FROM t__changes WHERE seq > (SELECT MIN(seq) FROM t__changes) ORDER BY seq
----
_id
a
b

exec
SET @since = (SELECT seq FROM t__changes WHERE _id = 'a');
----
ok, 0 rows

query
SELECT _id, deleted FROM t__changes WHERE seq > @since ORDER BY seq LIMIT 10
----
_id | deleted
b | 1

# A condition on another row of the feed bounds nothing here.
query
SELECT c._id, (SELECT COUNT(*) FROM t__changes d WHERE c.seq > @since) AS n, (SELECT COUNT(*) FROM t__changes d WHERE d.seq > @since) AS later FROM t__changes c ORDER BY c.seq
----
_id | n | later
c | 0 | 1
a | 0 | 1
b | 3 | 1

query
SELECT _id FROM t__changes WHERE seq > '00000000000000000000000000' AND seq <= 'ffffffffffffffffffffffffff' ORDER BY seq DESC
----
_id
b
a
c

query
SELECT _id FROM t__changes WHERE seq > 'not a sequence'
----
_id

query
EXPLAIN FORMAT=TREE SELECT _id FROM t__changes WHERE seq > '00000000000000000000000000'
----
EXPLAIN
-> Project: t__changes._id
    -> Index range scan on t__changes using seq
         range: `seq` in ('<sequence>', …)
         entries only: no document is read
         keys: 3 counted of 3
         tight
         cost: 3.0, a full scan costs 3.0

# Committed rows only.
exec
BEGIN;
UPDATE t SET n = 11 WHERE _id = 'c';
INSERT INTO t (_doc) VALUES ('{"_id":"d"}');
----
ok, 0 rows
ok, 1 rows
ok, 1 rows

query
SELECT _id, rev FROM t__changes ORDER BY seq
----
_id | rev
c | 1-c991dd2fa2c5058548113b420175f6ff
a | 2-be8abad45d49c2e8b6d657f81e1e3b34
b | 2-c0f43f4ba091e8af819944fac5a587e5

query conn=other
SELECT _id FROM t__changes ORDER BY seq
----
_id
c
a
b

exec
COMMIT
----
ok, 0 rows

query
SELECT _id, rev FROM t__changes ORDER BY seq
----
_id | rev
a | 2-be8abad45d49c2e8b6d657f81e1e3b34
b | 2-c0f43f4ba091e8af819944fac5a587e5
c | 2-bee0e1cd90da07f18b9cb1d011f49e8e
d | 1-bd68118b96aab0c2ff172ce3f2946a2d

# The same document inserted again: its revision goes on.
exec
INSERT INTO t (_doc) VALUES ('{"_id":"b"}')
----
ok, 1 rows

query
SELECT _id, rev, deleted FROM t__changes WHERE _id = 'b'
----
_id | rev | deleted
b | 3-4abb6865c52d1b8a006f3c098be983a0 | 0

query
SHOW TABLES
----
Tables_in_d
t

exec
SET sqlfdb_show_companions = ON
----
ok, 0 rows

query
SHOW TABLES
----
Tables_in_d
t
t__changes

exec
DELETE FROM t__changes;
UPDATE t__changes SET deleted = 0;
INSERT INTO t__changes (seq) VALUES ('x');
DROP TABLE t__changes;
SELECT * FROM nothing__changes;
----
ERROR 1288 (HY000): The target table t__changes of the DELETE is not updatable
ERROR 1288 (HY000): The target table t__changes of the UPDATE is not updatable
ERROR 1471 (HY000): The target table t__changes of the INSERT is not insertable-into
ERROR 1051 (42S02): Unknown table 'd.t__changes'
ERROR 1146 (42S02): Table 'd.nothing__changes' doesn't exist

# How a feed is read: along its sequences, or by the keys of documents.
exec
CREATE TABLE f (_id VARCHAR(255) PRIMARY KEY, _doc JSON);
INSERT INTO f (_id, n) VALUES ('a', 1), ('b', 2), ('c', 3), ('d', 4), ('e', 5), ('f', 6);
DELETE FROM f WHERE _id = 'c'
----
ok, 0 rows
ok, 6 rows
ok, 1 rows

query
EXPLAIN FORMAT=TREE SELECT * FROM f__changes WHERE _id IN ('b', 'c') AND seq > '00000000000000000000000000'
----
EXPLAIN
-> Filter: (f__changes.seq > '<sequence>')
    -> Index range scan on f__changes using PRIMARY
         range: primary key in 'b', 'c'
         keys: 2 counted of 5
         tight
         residual: (f__changes.seq > '<sequence>')
         cost: 2.0, a full scan costs 6.0
         lost: `seq` in ('<sequence>', …), keys: 6 counted of 6: the chosen one reads 2 keys

query
EXPLAIN SELECT _id FROM f__changes WHERE seq > '00' OR _id = 'a'
----
id | select_type | table | partitions | type | possible_keys | key | key_len | ref | rows | filtered | Extra
1 | SIMPLE | f__changes | NULL | ALL | NULL | NULL | NULL | NULL | 5 | NULL | Using where; Using index

query
EXPLAIN FORMAT=TREE SELECT _id FROM f__changes WHERE seq > '00' OR _id = 'a'
----
EXPLAIN
-> Project: f__changes._id
    -> Filter: ((f__changes.seq > '00') OR (f__changes._id = 'a'))
        -> Table scan on f__changes
             entries only: no document is read
             documents: 5, exactly
             residual: ((f__changes.seq > '00') OR (f__changes._id = 'a'))
             no range: seq in ('00', …) or _id in 'a': sequences and keys are not united

query
EXPLAIN SELECT _id FROM f__changes WHERE seq BETWEEN '0' AND 'f' ORDER BY seq DESC LIMIT 2
----
id | select_type | table | partitions | type | possible_keys | key | key_len | ref | rows | filtered | Extra
1 | SIMPLE | f__changes | NULL | range | seq | seq | NULL | NULL | 2 | 100 | Using index

query
EXPLAIN FORMAT=JSON SELECT _id, _doc FROM f__changes WHERE seq <= 'F' AND NOT deleted ORDER BY seq LIMIT 2
----
EXPLAIN
{
  "query_plan": {
    "operation": "Limit",
    "detail": "2 rows",
    "select_id": 1,
    "select_type": "SIMPLE",
    "inputs": [
      {
        "operation": "Project",
        "detail": "f__changes._id, f__changes._doc",
        "select_id": 1,
        "select_type": "SIMPLE",
        "inputs": [
          {
            "operation": "Filter",
            "detail": "(NOT(f__changes.deleted))",
            "select_id": 1,
            "select_type": "SIMPLE",
            "inputs": [
              {
                "operation": "Index range scan on f__changes using seq",
                "select_id": 1,
                "select_type": "SIMPLE",
                "table_name": "f__changes",
                "access_type": "range",
                "possible_keys": [
                  "seq"
                ],
                "key": "seq",
                "ranges": [
                  {
                    "key": "seq",
                    "spans": "['', 'F']"
                  }
                ],
                "keys": {
                  "estimated": 6,
                  "counted": true,
                  "bound": 6
                },
                "documents": 6,
                "tight": true,
                "residual": "(NOT(f__changes.deleted))",
                "cost": 6,
                "full_scan_cost": 6,
                "no_range": [
                  "(NOT(f__changes.deleted)): `deleted` has no ranges in a feed of changes"
                ]
              }
            ]
          }
        ]
      }
    ]
  },
  "program": "no: it reads no table of documents"
}

query
EXPLAIN FORMAT=TREE SELECT MAX(seq) FROM f__changes WHERE seq < 'f'
----
EXPLAIN
-> Project: max(f__changes.seq)
    -> Aggregate: MAX(f__changes.seq)
         executor: interpreted: read from entries
        -> Index range scan on f__changes using seq
             range: `seq` in ['', 'f')
             entries only: no document is read
             only the last change
             keys: 6 counted of 6
             tight
             cost: 6.0, a full scan costs 6.0

query
EXPLAIN FORMAT=TREE SELECT c.rev, f.n FROM f__changes c JOIN f ON f._id = c._id WHERE c._id = 'b'
----
EXPLAIN
-> Project: c.rev, f.n
    -> Join, inner, lookup: (f._id = c._id)
        -> Single-row index lookup on c using PRIMARY
             range: primary key in 'b'
             entries only: no document is read
             keys: 1 counted of 5
             tight
             cost: 1.0, a full scan costs 5.0
        -> Look up in batches: f: primary key = c._id
             for about 1 rows, documents for each: about 1.0
             cost: 3.9
             documents: about 1 of 5
             lost: the whole side, hashed: cost 7.7

query
EXPLAIN FORMAT=TREE SELECT c.deleted, f.n FROM f JOIN f__changes c ON c._id = f._id WHERE f.n = 2
----
EXPLAIN
-> Project: c.deleted, f.n
    -> Join, inner, lookup: (c._id = f._id)
        -> Index lookup on f using n
             range: `n` in 2
             entries only: no document is read
             keys: 1 counted of 5
             tight
             cost: 0.1, a full scan costs 5.0
        -> Look up in batches: c: primary key = f._id
             entries only: no document is read
             for about 1 rows, documents for each: about 1.0
             cost: 3.9
             keys: about 1 of 5
             lost: the whole side, hashed: cost 7.7

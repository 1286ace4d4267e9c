# A scalar subquery in a condition that depends on no row is run once, before the statement is planned: its value is a constant.

exec
CREATE TABLE t (_id INT PRIMARY KEY, _doc JSON);
CREATE TABLE u (_id INT PRIMARY KEY, d DATE, n DECIMAL(10,3), s VARCHAR(20) COLLATE utf8mb4_0900_ai_ci, b VARBINARY(10), e ENUM('x','y','z'), j JSON, dt DATETIME(3), tm TIME, _doc JSON);
CREATE TABLE none (_id INT PRIMARY KEY, _doc JSON);
INSERT INTO t (_id, _doc) WITH RECURSIVE c (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM c WHERE i < 199) SELECT i, JSON_OBJECT('x', MOD(i, 20), 's', CONCAT('v', i), 'd', '2020-01-02') FROM c;
INSERT INTO u (_id, d, n, s, b, e, j, dt, tm) VALUES (1, '2020-01-02', 1.5, 'Äb', '12', 'y', '{"a":1}', '2020-01-02 03:04:05.678', '10:00:00'), (2, '2021-01-02', 2.5, 'c', 'zz', 'z', '[1]', '2021-01-02', '11:00:00')
----
ok, 0 rows
ok, 0 rows
ok, 0 rows
ok, 200 rows
ok, 2 rows

query
EXPLAIN FORMAT=TREE SELECT _id FROM t WHERE x = (SELECT MAX(_id) FROM u) AND s > (SELECT s FROM t WHERE _id = 5)
----
EXPLAIN
-> Project: t._id
    -> Filter: (t.s > 'v5')
        -> Index lookup on t using x
             range: `x` in 2
             keys: 10 counted of 200
             tight
             residual: (t.s > 'v5')
             cost: 20.5, a full scan costs 200.0
             lost: `s` in ('v5', …), keys: 54 counted of 200: cost 110.7, the chosen one costs 20.5
    -> Subquery #2, run before the statement was planned: 2
        -> Project: max(u._id)
            -> Aggregate: MAX(u._id)
                -> First and last document of u
                     documents: about 2 of 2
    -> Subquery #3, run before the statement was planned: 'v5'
        -> Project: t.s
            -> Single-row index lookup on t using PRIMARY
                 range: primary key in 5
                 keys: about 1 of 1
                 tight
                 cost: 0.0, a full scan costs 200.0

query
EXPLAIN SELECT _id FROM t WHERE x = (SELECT MAX(_id) FROM u)
----
id | select_type | table | partitions | type | possible_keys | key | key_len | ref | rows | filtered | Extra
1 | PRIMARY | t | NULL | ref | x | x | NULL | const | 10 | 100 | Using index
2 | SUBQUERY | u | NULL | index | NULL | PRIMARY | NULL | NULL | 2 | 100 | Select tables optimized away

query
EXPLAIN FORMAT=JSON SELECT _id FROM t WHERE _id = (SELECT MIN(_id) FROM u)
----
EXPLAIN
{
  "query_plan": {
    "operation": "Single-row index lookup on t using PRIMARY",
    "select_id": 1,
    "select_type": "PRIMARY",
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
        "spans": "1"
      }
    ],
    "keys": {
      "estimated": 1,
      "counted": false,
      "bound": 1
    },
    "documents": 200,
    "tight": true,
    "cost": 0,
    "full_scan_cost": 200,
    "inputs": [
      {
        "operation": "Project",
        "detail": "min(u._id)",
        "select_id": 2,
        "select_type": "SUBQUERY",
        "subquery": true,
        "value": "1",
        "inputs": [
          {
            "operation": "Aggregate",
            "detail": "MIN(u._id)",
            "select_id": 2,
            "select_type": "SUBQUERY",
            "inputs": [
              {
                "operation": "First and last document of u",
                "select_id": 2,
                "select_type": "SUBQUERY",
                "table_name": "u",
                "access_type": "index",
                "key": "PRIMARY",
                "keys": {
                  "estimated": 2,
                  "counted": false,
                  "bound": 2
                },
                "extra": [
                  "Select tables optimized away"
                ]
              }
            ]
          }
        ]
      }
    ]
  },
  "program": "no: programs have no Subquery"
}

analyze
EXPLAIN ANALYZE SELECT COUNT(*) FROM t WHERE x = (SELECT MAX(n) FROM u WHERE n < 2.1) + 1.5
----
EXPLAIN
-> Project: count(1)  (actual time=… rows=1 loops=1)
    -> Aggregate: COUNT(1)  (actual time=… rows=1 loops=1)
         executor: interpreted: counters or the ends of entries tell it
        -> Count of index keys of t using x  (actual time=… rows=1 loops=1)  (keys=10 documents=0 bytes=0)
             range: `x` in 3
             entries only: no document is read
             keys: 10 counted of 200
             tight
             cost: 0.5, a full scan costs 200.0
    -> Subquery #2, run before the statement was planned: 1.5
        -> Project: max(u.n)  (actual time=… rows=1 loops=1)
            -> Aggregate: MAX(u.n)  (actual time=… rows=1 loops=1)
                -> Filter: (u.n < 2.1)  (actual time=… rows=1 loops=1)
                    -> Distinct values of u using n  (actual time=… rows=1 loops=1)  (keys=1 documents=0 bytes=0)
                         range: `n` in (-∞, 2.101]
                         entries only: no document is read
                         residual, of each value: (u.n < 2.1)
                         keys: 1 counted of 2
                         not tight: the filter stays
                         residual: (u.n < 2.1)
                         cost: 0.1, a full scan costs 2.0
Statement: keys=11 documents=0 bytes=0 counters=0 rows=1 conflicts=0 retries=0 read versions=1 seconds=…

query
EXPLAIN FORMAT=TREE UPDATE t SET y = 1 WHERE x = (SELECT COUNT(*) FROM none)
----
EXPLAIN
-> Update
    -> Set: t.y = 1
        -> Index lookup on t using x
             range: `x` in 0
             keys: 10 counted of 200
             tight
             cost: 20.5, a full scan costs 200.0
    -> Subquery #2, run before the statement was planned: 0
        -> Project: count(1)
            -> Aggregate: COUNT(1)
                -> Counters of none using documents
                     entries only: no document is read

query
EXPLAIN FORMAT=TREE SELECT _id FROM t WHERE (SELECT COUNT(*) FROM u) > 3
----
EXPLAIN
-> No rows
    -> Subquery #2, run before the statement was planned: 2
        -> Project: count(1)
            -> Aggregate: COUNT(1)
                -> Counters of u using documents
                     entries only: no document is read

# Several rows are an error, also in EXPLAIN, and whatever the outer table holds.

exec
SELECT _id FROM t WHERE _id = (SELECT _id FROM u);
SELECT _id FROM t WHERE (SELECT _id FROM u) = _id;
SELECT _id FROM t WHERE _id <> (SELECT _id FROM u);
SELECT _id FROM t WHERE NOT _id = (SELECT _id FROM u);
SELECT _id FROM t WHERE _id < (SELECT _id FROM u);
SELECT _id FROM t WHERE _id <=> (SELECT _id FROM u);
SELECT _id FROM t WHERE _id BETWEEN 1 AND (SELECT _id FROM u);
SELECT _id FROM t WHERE _id IN (7, (SELECT _id FROM u));
SELECT _id FROM t WHERE x = 1 OR _id = (SELECT _id FROM u);
SELECT _id FROM t WHERE x = 1 AND _id = (SELECT _id FROM u) + 1;
SELECT _id FROM t WHERE (_id, x) = (SELECT _id, 1 FROM u);
SELECT _id FROM none WHERE _id = (SELECT _id FROM u);
SELECT COUNT(*) FROM t GROUP BY x HAVING COUNT(*) > (SELECT _id FROM u);
SELECT t._id FROM t JOIN u ON t.x = (SELECT _id FROM u) AND t._id = u._id;
SELECT t._id FROM u LEFT JOIN t ON t.x = (SELECT _id FROM u);
SELECT _id FROM u a WHERE EXISTS (SELECT 1 FROM t WHERE t._id = a._id AND t.x = (SELECT _id FROM u));
SELECT _id, (SELECT MAX(x) FROM t WHERE _id = (SELECT _id FROM u)) FROM u;
SELECT _id FROM (SELECT _id FROM t WHERE x = (SELECT _id FROM u)) d;
WITH c AS (SELECT _id FROM t WHERE x = (SELECT _id FROM u)) SELECT * FROM c;
UPDATE t SET y = 1 WHERE x = (SELECT _id FROM u);
DELETE FROM t WHERE x = (SELECT _id FROM u);
INSERT INTO none (_id) SELECT _id FROM t WHERE x = (SELECT _id FROM u);
EXPLAIN SELECT _id FROM t WHERE _id = (SELECT _id FROM u);
SELECT _id FROM t WHERE x = (SELECT _id + RAND() * 0 FROM u);
SET sql_select_limit = 1;
SELECT _id FROM t WHERE _id = (SELECT _id FROM u);
SET sql_select_limit = DEFAULT
----
ERROR 1242 (21000): the subquery returned more than 1 row
ERROR 1242 (21000): the subquery returned more than 1 row
ERROR 1242 (21000): the subquery returned more than 1 row
ERROR 1242 (21000): the subquery returned more than 1 row
ERROR 1242 (21000): the subquery returned more than 1 row
ERROR 1242 (21000): the subquery returned more than 1 row
ERROR 1242 (21000): the subquery returned more than 1 row
ERROR 1242 (21000): the subquery returned more than 1 row
ERROR 1242 (21000): the subquery returned more than 1 row
ERROR 1242 (21000): the subquery returned more than 1 row
ERROR 1242 (21000): the subquery returned more than 1 row
ERROR 1242 (21000): the subquery returned more than 1 row
ERROR 1242 (21000): the subquery returned more than 1 row
ERROR 1242 (21000): the subquery returned more than 1 row
ERROR 1242 (21000): the subquery returned more than 1 row
ERROR 1242 (21000): the subquery returned more than 1 row
ERROR 1242 (21000): the subquery returned more than 1 row
ERROR 1242 (21000): the subquery returned more than 1 row
ERROR 1242 (21000): the subquery returned more than 1 row
ERROR 1242 (21000): the subquery returned more than 1 row
ERROR 1242 (21000): the subquery returned more than 1 row
ERROR 1242 (21000): the subquery returned more than 1 row
ERROR 1242 (21000): the subquery returned more than 1 row
ERROR 1242 (21000): the subquery returned more than 1 row
ok, 0 rows
ERROR 1242 (21000): the subquery returned more than 1 row
ok, 0 rows

# As many columns as the other side.

exec
SELECT _id FROM u WHERE (_id, n) = (SELECT _id FROM u WHERE _id = 1);
SELECT _id FROM u WHERE _id = (SELECT _id, n FROM u WHERE _id = 1)
----
ERROR 1241 (21000): operand should have 2 columns, but has 1
ERROR 1241 (21000): operand should have 1 columns, but has 2

# No row is NULL.

query
SELECT COUNT(*) FROM t WHERE x = (SELECT _id FROM none)
----
COUNT(*)
0

query
SELECT COUNT(*) FROM t WHERE NOT x = (SELECT _id FROM none)
----
COUNT(*)
0

query
SELECT COUNT(*) FROM t WHERE nosuch <=> (SELECT _id FROM none)
----
COUNT(*)
200

query
SELECT COUNT(*) FROM t WHERE x NOT IN (3, (SELECT _id FROM none))
----
COUNT(*)
0

query
SELECT COUNT(*) FROM u WHERE (_id, nosuch) <=> (SELECT _id, _id FROM none)
----
COUNT(*)
0

query
SELECT COUNT(*) FROM t WHERE COALESCE((SELECT _id FROM none), 3) = x
----
COUNT(*)
10

# One is its value.

query
SELECT COUNT(*) FROM t WHERE x BETWEEN (SELECT MIN(_id) FROM u) AND (SELECT MAX(_id) FROM u)
----
COUNT(*)
20

query
SELECT COUNT(*) FROM t WHERE x IN (3, (SELECT MIN(_id) FROM u), (SELECT _id FROM none))
----
COUNT(*)
20

query
SELECT COUNT(*) FROM t WHERE x >= (SELECT MAX(_id) FROM u) + 15
----
COUNT(*)
30

query
SELECT COUNT(*) FROM t WHERE x = 5 OR x = (SELECT MIN(_id) FROM u)
----
COUNT(*)
20

query
SELECT _id FROM u WHERE (_id, n) = (SELECT _id, n FROM u WHERE _id = 1)
----
_id
1

query
SELECT _id FROM u WHERE _id = (SELECT MAX(_id) FROM u WHERE _id < (SELECT MAX(_id) FROM u))
----
_id
1

query
SELECT _id FROM u a WHERE EXISTS (SELECT 1 FROM t WHERE t._id = a._id AND t.x = (SELECT MIN(_id) FROM u))
----
_id
1

query
SELECT t._id, u._id FROM u LEFT JOIN t ON t._id = (SELECT MAX(_id) FROM u) + u._id ORDER BY 2
----
_id | _id
3 | 1
4 | 2

query
SELECT x, COUNT(*) FROM t GROUP BY x HAVING COUNT(*) + x > (SELECT 27 FROM u LIMIT 1) ORDER BY x
----
x | COUNT(*)
18 | 10
19 | 10

query
WITH c AS (SELECT _id FROM u) SELECT _id FROM t WHERE _id = (SELECT MAX(_id) FROM c)
----
_id
2

query
WITH RECURSIVE c (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM c WHERE i < (SELECT MAX(_id) FROM u)) SELECT * FROM c
----
i
0
1
2

query
SELECT COUNT(*) FROM t WHERE _id > (SELECT RAND() * 0)
----
COUNT(*)
199

# It compares as its column does.

query
SELECT _id FROM u WHERE d = (SELECT d FROM t WHERE _id = 0)
----
_id
1

query
SELECT _id FROM u WHERE d > (SELECT dt FROM u WHERE _id = 1)
----
_id
2

query
SELECT _id FROM u WHERE dt >= (SELECT dt FROM u WHERE _id = 1) ORDER BY _id
----
_id
1
2

query
SELECT _id FROM u WHERE tm >= (SELECT tm FROM u WHERE _id = 2)
----
_id
2

query
SELECT _id FROM u WHERE n = (SELECT 1.5e0)
----
_id
1

query
SELECT _id FROM u WHERE s = (SELECT 'aB')
----
_id
1

query
SELECT _id FROM u WHERE s = (SELECT UPPER(s) FROM u WHERE _id = 1)
----
_id
1

query
SELECT _id FROM u WHERE s = (SELECT UPPER(s) COLLATE utf8mb4_bin FROM u WHERE _id = 1)
----
_id

query
SELECT _id FROM t WHERE x = (SELECT b FROM u WHERE _id = 1) ORDER BY _id
----
_id
12
32
52
72
92
112
132
152
172
192

query
SELECT _id FROM u WHERE b = (SELECT b FROM u WHERE _id = 1)
----
_id
1

query
SELECT _id FROM u WHERE e = (SELECT e FROM u WHERE _id = 1)
----
_id
1

query
SELECT _id FROM u WHERE j = (SELECT j FROM u WHERE _id = 1)
----
_id
1

query
SELECT _id FROM u WHERE _doc = (SELECT _doc FROM u WHERE _id = 2)
----
_id
2

query
SELECT _id FROM u WHERE (SELECT 1) MEMBER OF (j)
----
_id
2

# Of each execution, and in views; a view is shown without being run.

prepared
: 2
SELECT _id FROM t WHERE _id = (SELECT MAX(_id) FROM u WHERE _id < ?)
----
_id
1

exec
PREPARE p FROM 'SELECT MAX(_id) INTO @found FROM t WHERE _id = (SELECT MAX(_id) FROM u)';
EXECUTE p
----
ok, 0 rows
ok, 1 rows

query
SELECT @found
----
@found
2

exec
INSERT INTO u (_id) VALUES (11);
EXECUTE p
----
ok, 1 rows
ok, 1 rows

query
SELECT @found
----
@found
11

exec
DELETE FROM u WHERE _id = 11;
CREATE VIEW one AS SELECT _id FROM t WHERE x = (SELECT MIN(_id) FROM u);
CREATE VIEW several AS SELECT _id FROM t WHERE x = (SELECT _id FROM u)
----
ok, 1 rows
ok, 0 rows
ok, 0 rows

query
SELECT COUNT(*) FROM one
----
COUNT(*)
10

query
SHOW COLUMNS FROM several
----
Field | Type | Null | Key | Default | Extra
_id | int | NO |  | NULL |

exec
SELECT * FROM several;
UPDATE t SET y = 1 WHERE x = (SELECT x FROM t WHERE _id = 3);
DELETE FROM t WHERE x = (SELECT MAX(_id) FROM u);
INSERT INTO none (_id) SELECT _id FROM t WHERE x = (SELECT MIN(_id) FROM u)
----
ERROR 1242 (21000): the subquery returned more than 1 row
ok, 10 rows
ok, 10 rows
ok, 10 rows

# A value of a column whose collation is not by bytes finds a range of one like it.

exec
CREATE TABLE w (_id INT PRIMARY KEY, s VARCHAR(20) COLLATE utf8mb4_0900_ai_ci);
INSERT INTO w WITH RECURSIVE n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n WHERE i < 40) SELECT i, CONCAT(IF(i % 2, 'é', 'E'), i % 20) FROM n
----
ok, 0 rows
ok, 40 rows

query
EXPLAIN FORMAT=TREE SELECT COUNT(*) FROM w WHERE s = (SELECT MAX(s) FROM w WHERE _id = 7)
----
EXPLAIN
-> Project: count(1)
    -> Aggregate: COUNT(1)
         executor: interpreted: counters or the ends of entries tell it
        -> Count of index keys of w using s
             range: `s` in 'é7'
             entries only: no document is read
             keys: 2 counted of 40
             tight
             cost: 0.1, a full scan costs 40.0
    -> Subquery #2, run before the statement was planned: 'é7'
        -> Project: max(w.s)
            -> Aggregate: MAX(w.s)
                -> Single-row index lookup on w using PRIMARY
                     range: primary key in 7
                     keys: about 1 of 1
                     tight
                     cost: 0.0, a full scan costs 40.0

query
SELECT COUNT(*), MIN(_id) FROM w WHERE s = (SELECT MAX(s) FROM w WHERE _id = 7)
----
COUNT(*) | MIN(_id)
2 | 7

query
SELECT COUNT(*) FROM w WHERE s IN ('x', (SELECT MAX(s) FROM w WHERE _id = 7))
----
COUNT(*)
2

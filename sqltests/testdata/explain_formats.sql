exec
CREATE TABLE t (_id VARCHAR(255) PRIMARY KEY, _doc JSON);
INSERT INTO t (_doc) VALUES ('{"_id":"a","n":1,"s":"x","tags":["p"]}'), ('{"_id":"b","n":2,"s":"y"}'), ('{"_id":"c","n":3,"s":"x","tags":["p","q"]}'), ('{"_id":"d","n":4,"s":"z"}'), ('{"_id":"e","n":5,"s":"x"}'), ('{"_id":"f","n":6,"s":"x"}');
----
ok, 0 rows
ok, 6 rows

query
EXPLAIN FORMAT=JSON SELECT _id FROM t WHERE n = 2 AND s LIKE 'y%' AND LENGTH(s) = 1
----
EXPLAIN
{
  "query_plan": {
    "operation": "Project",
    "detail": "t._id",
    "select_id": 1,
    "select_type": "SIMPLE",
    "inputs": [
      {
        "operation": "Filter",
        "detail": "(t.s LIKE 'y%' AND (length(t.s) = 1))",
        "select_id": 1,
        "select_type": "SIMPLE",
        "inputs": [
          {
            "operation": "Index lookup on t using n",
            "select_id": 1,
            "select_type": "SIMPLE",
            "table_name": "t",
            "access_type": "ref",
            "possible_keys": [
              "n",
              "s"
            ],
            "key": "n",
            "ref": "const",
            "ranges": [
              {
                "key": "n",
                "spans": "2"
              }
            ],
            "keys": {
              "estimated": 1,
              "counted": true,
              "bound": 6
            },
            "documents": 6,
            "tight": true,
            "residual": "t.s LIKE 'y%' AND (length(t.s) = 1)",
            "cost": 2.05,
            "full_scan_cost": 6,
            "lost_candidates": [
              {
                "candidate": "`s` in ['y', 'y'…)",
                "keys": {
                  "estimated": 1,
                  "counted": true,
                  "bound": 6
                },
                "why": "cost 2.0, the chosen one costs 2.0"
              }
            ],
            "no_range": [
              "(length(t.s) = 1): length(t.s) is computed"
            ]
          }
        ]
      }
    ]
  },
  "program": "yes"
}

query
EXPLAIN FORMAT = 'json' SELECT 1
----
EXPLAIN
{
  "query_plan": {
    "operation": "Project",
    "detail": "1",
    "select_id": 1,
    "select_type": "SIMPLE",
    "inputs": [
      {
        "operation": "One row",
        "select_id": 1,
        "select_type": "SIMPLE",
        "extra": [
          "No tables used"
        ]
      }
    ]
  },
  "program": "no: it is no SELECT, INSERT, UPDATE or DELETE of one table"
}

query
EXPLAIN FORMAT=JSON SELECT x.s, (SELECT MAX(n) FROM t) FROM t x JOIN t y ON x.n = y.n WHERE x.n = 2
----
EXPLAIN
{
  "query_plan": {
    "operation": "Project",
    "detail": "x.s, (subquery)",
    "select_id": 1,
    "select_type": "PRIMARY",
    "inputs": [
      {
        "operation": "Join, inner, lookup",
        "detail": "(x.n = y.n)",
        "select_id": 1,
        "select_type": "PRIMARY",
        "inputs": [
          {
            "operation": "Index lookup on x using n",
            "select_id": 1,
            "select_type": "PRIMARY",
            "table_name": "x",
            "access_type": "ref",
            "possible_keys": [
              "n"
            ],
            "key": "n",
            "ref": "const",
            "ranges": [
              {
                "key": "n",
                "spans": "2"
              }
            ],
            "keys": {
              "estimated": 1,
              "counted": true,
              "bound": 6
            },
            "documents": 6,
            "tight": true,
            "cost": 2.05,
            "full_scan_cost": 6
          },
          {
            "operation": "Look up in batches: y",
            "detail": "`n` = x.n",
            "select_id": 1,
            "select_type": "PRIMARY",
            "table_name": "y",
            "access_type": "ref",
            "key": "n",
            "ref": "x.n",
            "keys": {
              "estimated": 1,
              "counted": false,
              "bound": 6
            },
            "index_only": true,
            "lost_candidates": [
              {
                "candidate": "the whole side, hashed",
                "why": "cost 9.2"
              }
            ],
            "facts": [
              "for about 1 rows, documents for each: about 1.0",
              "cost: 2.2"
            ]
          }
        ]
      },
      {
        "operation": "Project",
        "detail": "max(t.n)",
        "select_id": 2,
        "select_type": "SUBQUERY",
        "subquery": true,
        "inputs": [
          {
            "operation": "Aggregate",
            "detail": "MAX(t.n)",
            "select_id": 2,
            "select_type": "SUBQUERY",
            "inputs": [
              {
                "operation": "First and last index key of t using n",
                "select_id": 2,
                "select_type": "SUBQUERY",
                "table_name": "t",
                "access_type": "index",
                "key": "n",
                "keys": {
                  "estimated": 2,
                  "counted": false,
                  "bound": 6
                },
                "index_only": true,
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
  "program": "no: it is no SELECT, INSERT, UPDATE or DELETE of one table"
}

query
EXPLAIN FORMAT=TRADITIONAL SELECT * FROM t WHERE n = 2
----
id | select_type | table | partitions | type | possible_keys | key | key_len | ref | rows | filtered | Extra
1 | SIMPLE | t | NULL | ref | n | n | NULL | const | 1 | 100 |

prepared
EXPLAIN FORMAT=JSON SELECT _id FROM t WHERE n = 2
----
ok, 0 rows

exec
EXPLAIN FORMAT=XML SELECT 1
----
ERROR 1791 (HY000): Unknown EXPLAIN format name: 'xml'

exec
EXPLAIN ANALYZE DELETE FROM t WHERE n = 2
----
ERROR 1235 (42000): EXPLAIN ANALYZE of a statement other than SELECT: it would be executed

exec
EXPLAIN ANALYZE FORMAT=TRADITIONAL SELECT 1
----
ERROR 1235 (42000): EXPLAIN ANALYZE with the format traditional

query
SELECT COUNT(*) FROM t
----
COUNT(*)
6

exec
PREPARE p FROM 'EXPLAIN FORMAT=JSON SELECT _id FROM t WHERE n = ?';
SET @n = 3
----
ok, 0 rows
ok, 0 rows

query
EXECUTE p USING @n
----
EXPLAIN
{
  "query_plan": {
    "operation": "Project",
    "detail": "t._id",
    "select_id": 1,
    "select_type": "SIMPLE",
    "inputs": [
      {
        "operation": "Index lookup on t using n",
        "select_id": 1,
        "select_type": "SIMPLE",
        "table_name": "t",
        "access_type": "ref",
        "possible_keys": [
          "n"
        ],
        "key": "n",
        "ref": "const",
        "ranges": [
          {
            "key": "n",
            "spans": "3"
          }
        ],
        "keys": {
          "estimated": 1,
          "counted": true,
          "bound": 6
        },
        "documents": 6,
        "index_only": true,
        "tight": true,
        "cost": 0.05,
        "full_scan_cost": 6
      }
    ]
  }
}

query
EXPLAIN DELETE FROM t
----
id | select_type | table | partitions | type | possible_keys | key | key_len | ref | rows | filtered | Extra
1 | DELETE | t | NULL | ALL | NULL | NULL | NULL | NULL | 6 | 100 |

query
EXPLAIN FORMAT=TREE DELETE FROM t
----
EXPLAIN
-> Delete: all rows
    -> Table scan on t
         documents: 6, exactly

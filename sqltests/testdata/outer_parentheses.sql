# Parentheses around the whole of a query, and of one whose plan is asked for.

exec
CREATE TABLE t (_id VARCHAR(255) PRIMARY KEY, _doc JSON);
INSERT INTO t (_doc) VALUES ('{"_id":"a","n":1}'), ('{"_id":"b","n":2}')
----
ok, 0 rows
ok, 2 rows

query
(SELECT _id, n  +  1 FROM t ORDER BY n DESC LIMIT 1)
----
_id | n  +  1
b | 3

query
((SELECT (n) FROM t WHERE (n > 1)));
----
(n)
2

query
(WITH c AS (SELECT n FROM t) SELECT MAX(n) FROM c)
----
MAX(n)
2

query
((SELECT n FROM t WHERE n = 1) UNION ALL (SELECT n FROM t WHERE n = 2))
----
n
1
2

query
EXPLAIN FORMAT=TREE (SELECT _id FROM t WHERE n = 2)
----
EXPLAIN
-> Project: t._id
    -> Index lookup on t using n
         range: `n` in 2
         entries only: no document is read
         keys: 1 counted of 2
         tight
         cost: 0.1, a full scan costs 2.0

query
EXPLAIN FORMAT=JSON ((SELECT _id FROM t))
----
EXPLAIN
{
  "query_plan": {
    "operation": "Table scan on t",
    "select_id": 1,
    "select_type": "SIMPLE",
    "table_name": "t",
    "access_type": "ALL",
    "documents": 2
  },
  "program": "yes"
}

query
DESC (SELECT _id FROM t)
----
id | select_type | table | partitions | type | possible_keys | key | key_len | ref | rows | filtered | Extra
1 | SIMPLE | t | NULL | ALL | NULL | NULL | NULL | NULL | 2 | 100 |

query
(SELECT 1
----
ERROR 1064 (42000): syntax error at position 10 near '1'

query
(SELECT 1))
----
ERROR 1064 (42000): syntax error at position 12 near '1'

query
EXPLAIN ((n))
----
ERROR 1064 (42000): syntax error at position 12 near 'n'

exec
CREATE TABLE t (_id VARCHAR(255) PRIMARY KEY, _doc JSON);
INSERT INTO t (_doc) VALUES ('{"_id":"a","n":1,"s":"x","m":5,"address":{"zipcode":"10462"},"ok":true}'), ('{"_id":"b","n":2,"s":"y","m":"five","address":{"zipcode":"10463"}}'), ('{"_id":"c","n":3,"s":"x","m":[5],"ok":false}'), ('{"_id":"d","n":null,"s":"z","tags":["p","q"]}'), ('{"_id":"e","n":5.5,"s":"é"}'), ('{"_id":"f","n":6,"s":"x"}'), ('{"_id":"g","n":7,"s":"x"}'), ('{"_id":"h","n":8,"s":"x"}'), ('{"_id":"i","n":9,"s":"x"}'), ('{"_id":"j","n":10,"s":"x"}');
----
ok, 0 rows
ok, 10 rows

query
EXPLAIN FORMAT=TREE SELECT _id FROM t WHERE _id = 'a'
----
EXPLAIN
-> Single-row index lookup on t using PRIMARY
     range: primary key in 'a'
     keys: about 1 of 1
     tight
     cost: 0.0, a full scan costs 10.0

query
EXPLAIN FORMAT=TREE SELECT _id FROM t WHERE n = 2
----
EXPLAIN
-> Project: t._id
    -> Index lookup on t using n
         range: `n` in 2
         entries only: no document is read
         keys: 1 counted of 9
         tight
         cost: 0.1, a full scan costs 10.0

query
EXPLAIN FORMAT=TREE SELECT _id FROM t WHERE `address.zipcode` = '10462' AND n > 1 AND s LIKE 'x%' AND LENGTH(s) = 1
----
EXPLAIN
-> Project: t._id
    -> Filter: (((t.n > 1) AND t.s LIKE 'x%') AND (length(t.s) = 1))
        -> Index lookup on t using address.zipcode
             range: `address.zipcode` in '10462'
             keys: 1 counted of 2
             tight
             residual: (t.n > 1) AND t.s LIKE 'x%' AND (length(t.s) = 1)
             cost: 2.0, a full scan costs 10.0
             lost: `n` in (1, +∞), keys: 8 counted of 9: cost 16.4, the chosen one costs 2.0
             lost: `s` in ['x', 'x'…), keys: 7 counted of 10: cost 14.3, the chosen one costs 2.0
             no range: (length(t.s) = 1): length(t.s) is computed

query
EXPLAIN FORMAT=TREE SELECT _id FROM t WHERE UPPER(s) = 'X'
----
EXPLAIN
-> Project: t._id
    -> Filter: (upper(t.s) = 'X')
        -> Index range scan on t using s
             range: `s` in 'X' in any case
             entries only: no document is read
             keys: 7 counted of 10
             not tight: the filter stays
             residual: (upper(t.s) = 'X')
             cost: 0.4, a full scan costs 10.0

query
EXPLAIN FORMAT=TREE SELECT _id FROM t WHERE n > 0
----
EXPLAIN
-> Project: t._id
    -> Index range scan on t using n
         range: `n` in (0, +∞)
         entries only: no document is read
         keys: 9 counted of 9
         tight
         cost: 0.5, a full scan costs 10.0

query
EXPLAIN FORMAT=TREE SELECT _id FROM t WHERE n IS NULL
----
EXPLAIN
-> Project: t._id
    -> Index range scan on t using n
         range: `n` in null
         entries only: no document is read
         keys: 1 counted of 1; 0 documents lack the keypath
         tight
         cost: 0.1, a full scan costs 10.0

query
EXPLAIN FORMAT=TREE SELECT _id FROM t a WHERE a.n = 2
----
EXPLAIN
-> Project: a._id
    -> Index lookup on a using n
         range: `n` in 2
         entries only: no document is read
         keys: 1 counted of 9
         tight
         cost: 0.1, a full scan costs 10.0

query
EXPLAIN SELECT _id FROM t WHERE n = 2
----
id | select_type | table | partitions | type | possible_keys | key | key_len | ref | rows | filtered | Extra
1 | SIMPLE | t | NULL | ref | n | n | NULL | const | 1 | 100 | Using index

query
EXPLAIN FORMAT=TREE SELECT x.s, y.n FROM t x JOIN t y ON x.n = y.n WHERE x.n = 2 AND y.s = 'y'
----
EXPLAIN
-> Project: x.s, y.n
    -> Join, inner, hash: (x.n = y.n)
         rows: about 1, cost: 4.8
        -> Index lookup on x using n
             range: `n` in 2
             keys: 1 counted of 9
             tight
             cost: 2.0, a full scan costs 10.0
        -> Hash: (y.n) looked up by (x.n)
            -> Index lookup on y using s
                 range: `s` in 'y'
                 keys: 1 counted of 10
                 tight
                 cost: 2.0, a full scan costs 10.0

query
EXPLAIN FORMAT=TREE SELECT _id FROM t WHERE _doc->'$.m' = 5
----
EXPLAIN
-> Project: t._id
    -> Index lookup on t using m
         range: $.m in 5
         entries only: no document is read
         keys: 1 counted of 1
         tight
         cost: 0.1, a full scan costs 10.0

query
EXPLAIN FORMAT=TREE SELECT _id FROM t WHERE _doc->>'$.s' = 'y'
----
EXPLAIN
-> Project: t._id
    -> Filter: (json_unquote(json_extract(t._doc, '$.s')) = 'y')
        -> Index lookup on t using s
             range: $.s in 'y'
             keys: 1 counted of 10
             not tight: the filter stays
             residual: (json_unquote(json_extract(t._doc, '$.s')) = 'y')
             cost: 2.0, a full scan costs 10.0

query
EXPLAIN FORMAT=TREE UPDATE t SET n = 3 WHERE s = 'y'
----
EXPLAIN
-> Update
    -> Set: t.n = 3
        -> Index lookup on t using s
             range: `s` in 'y'
             keys: 1 counted of 10
             tight
             cost: 2.0, a full scan costs 10.0

query
EXPLAIN FORMAT=TREE DELETE FROM t WHERE nosuch = 'y'
----
EXPLAIN
-> Delete
    -> Index lookup on t using nosuch
         range: `nosuch` in 'y'
         no document has `nosuch`
         keys: 0 counted of 0
         tight
         cost: 0.0, a full scan costs 10.0

exec
SET sqlfdb_use_index = OFF
----
ok, 0 rows

query
EXPLAIN FORMAT=TREE SELECT _id FROM t WHERE n = 2
----
EXPLAIN
-> Project: t._id
    -> Filter: (t.n = 2)
        -> Table scan on t
             residual: (t.n = 2)
             no range: sqlfdb_use_index is OFF

exec
SET sqlfdb_use_index = ON
----
ok, 0 rows

query
EXPLAIN SELECT _id FROM t WHERE _id = 'a'
----
id | select_type | table | partitions | type | possible_keys | key | key_len | ref | rows | filtered | Extra
1 | SIMPLE | t | NULL | const | PRIMARY | PRIMARY | NULL | const | 1 | 100 |

query
EXPLAIN SELECT s, COUNT(*) FROM t WHERE n > 8 AND s LIKE 'x%' GROUP BY s ORDER BY s
----
id | select_type | table | partitions | type | possible_keys | key | key_len | ref | rows | filtered | Extra
1 | SIMPLE | t | NULL | range | NULL | s | NULL | NULL | 9 | NULL | Using where; Using index; Using filesort; Using temporary

query
EXPLAIN SELECT * FROM t x JOIN t y ON x.n = y.n WHERE x.n = 2 AND y.s = 'y'
----
id | select_type | table | partitions | type | possible_keys | key | key_len | ref | rows | filtered | Extra
1 | SIMPLE | x | NULL | ref | n | n | NULL | const | 1 | 100 |
1 | SIMPLE | y | NULL | ref | s | s | NULL | const | 1 | 100 | Using join buffer (hash join)

query
EXPLAIN SELECT * FROM t WHERE n = (SELECT MAX(n) FROM t) UNION SELECT * FROM t ORDER BY n
----
id | select_type | table | partitions | type | possible_keys | key | key_len | ref | rows | filtered | Extra
1 | PRIMARY | t | NULL | ref | n | n | NULL | const | 1 | 100 |
2 | UNION | t | NULL | ALL | NULL | NULL | NULL | NULL | 10 | 100 |
3 | SUBQUERY | t | NULL | index | NULL | n | NULL | NULL | 2 | 100 | Using index; Select tables optimized away
NULL | UNION RESULT | <union1,2> | NULL | ALL | NULL | NULL | NULL | NULL | NULL | NULL | Using temporary

query
EXPLAIN SELECT * FROM (SELECT s, COUNT(*) AS c FROM t GROUP BY s) g WHERE c > 1
----
id | select_type | table | partitions | type | possible_keys | key | key_len | ref | rows | filtered | Extra
1 | PRIMARY | <derived2> | NULL | ALL | NULL | NULL | NULL | NULL | NULL | NULL |
2 | DERIVED | t | NULL | index | NULL | s | NULL | NULL | 10 | 100 | Using index; Using temporary

query
EXPLAIN FORMAT=TREE SELECT _id FROM t WHERE nam = 'x' OR n = 2
----
EXPLAIN
-> Project: t._id
    -> Union of index ranges on t using nam, n
         range: `nam` in 'x'
         no document has `nam`
         range: `n` in 2
         entries only: no document is read
         keys: 1 counted of 9
         tight
         cost: 0.1, a full scan costs 10.0

query
EXPLAIN SELECT _id FROM t WHERE nam = 'x'
----
id | select_type | table | partitions | type | possible_keys | key | key_len | ref | rows | filtered | Extra
1 | SIMPLE | t | NULL | ref | nam | nam | NULL | const | 0 | 100 | no document has `nam`; Using index

query
SHOW WARNINGS
----
Level | Code | Message
Warning | 1054 | No document of d.t has the keypath `nam`
Note | 1003 | program: yes

# What is NULL of NULL is true of no document without the keypath, whatever else is computed.

query
EXPLAIN FORMAT=TREE SELECT _id FROM t WHERE UPPER(nam) = 'P'
----
EXPLAIN
-> Project: t._id
    -> Filter: (upper(t.nam) = 'P')
        -> Index range scan on t using nam
             range: `nam` in not null
             no document has `nam`
             keys: 0 counted of 0
             not tight: the filter stays
             residual: (upper(t.nam) = 'P')
             cost: 0.0, a full scan costs 10.0
             no range: (upper(t.nam) = 'P'): upper(t.nam) is computed

query
SELECT _id FROM t WHERE UPPER(nam) = 'P' OR LENGTH(_doc->>'$.nmae') > 3
----
_id

query
SHOW WARNINGS
----
Level | Code | Message
Warning | 1054 | No document of d.t has the keypath `nam`
Warning | 1054 | No document of d.t has the keypath `nmae`

query
SHOW STATUS LIKE 'sqlfdb_last_documents'
----
Variable_name | Value
sqlfdb_last_documents | 0

query
EXPLAIN INSERT INTO t (_id) VALUES ('zz')
----
id | select_type | table | partitions | type | possible_keys | key | key_len | ref | rows | filtered | Extra
1 | INSERT | t | NULL | ALL | NULL | NULL | NULL | NULL | NULL | NULL |

query
EXPLAIN REPLACE INTO t (_id, n) SELECT CONCAT(_id, 'z'), n FROM t WHERE n = 2
----
id | select_type | table | partitions | type | possible_keys | key | key_len | ref | rows | filtered | Extra
1 | REPLACE | t | NULL | ALL | NULL | NULL | NULL | NULL | NULL | NULL |
1 | SIMPLE | t | NULL | ref | n | n | NULL | const | 1 | 100 |

query
EXPLAIN SELECT 1
----
id | select_type | table | partitions | type | possible_keys | key | key_len | ref | rows | filtered | Extra
1 | SIMPLE | NULL | NULL | NULL | NULL | NULL | NULL | NULL | NULL | NULL | No tables used

query
EXPLAIN FORMAT=TREE SELECT u.s FROM t AS u WHERE EXISTS (SELECT 1 FROM t w WHERE w.n > LENGTH(u.s)) AND u.n IN (1, 2)
----
EXPLAIN
-> Project: u.s
    -> Join, semi, lookup: (w.n > length(u.s))
        -> Index range scan on u using n
             range: `n` in 1, 2
             keys: 2 counted of 9
             tight
             cost: 4.1, a full scan costs 10.0
        -> Look up in batches: w: `n` > length(u.s)
             entries only: no document is read
             for about 2 rows, documents for each: about 3.3
             cost: 8.1
             keys: about 7 of 10
             lost: the whole side, read for each row: cost 24.0

query
EXPLAIN SELECT n FROM t WHERE _id = 'a'
----
id | select_type | table | partitions | type | possible_keys | key | key_len | ref | rows | filtered | Extra
1 | SIMPLE | t | NULL | const | PRIMARY | PRIMARY | NULL | const | 1 | 100 |

query
SHOW WARNINGS
----
Level | Code | Message
Note | 1003 | program: yes

query
EXPLAIN FORMAT=TREE SELECT UPPER(s) FROM t WHERE _id = 'a'
----
EXPLAIN
-> Project: upper(t.s)
    -> Single-row index lookup on t using PRIMARY
         range: primary key in 'a'
         keys: about 1 of 1
         tight
         cost: 0.0, a full scan costs 10.0

query
SHOW WARNINGS
----
Level | Code | Message
Note | 1003 | program: yes

query
EXPLAIN FORMAT=JSON SELECT _id FROM t WHERE n > 1 ORDER BY n LIMIT 2 OFFSET 1
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
        "detail": "t._id",
        "select_id": 1,
        "select_type": "SIMPLE",
        "inputs": [
          {
            "operation": "Index range scan on t using n",
            "select_id": 1,
            "select_type": "SIMPLE",
            "table_name": "t",
            "access_type": "range",
            "possible_keys": [
              "n"
            ],
            "key": "n",
            "ranges": [
              {
                "key": "n",
                "spans": "(1, +∞)"
              }
            ],
            "keys": {
              "estimated": 3,
              "counted": false,
              "bound": 8
            },
            "documents": 10,
            "index_only": true,
            "tight": true,
            "cost": 0.15,
            "full_scan_cost": 10,
            "facts": [
              "order: `n`: cost 0.2, sorting costs 1.7",
              "skipped without being fetched: 1",
              "ends after: 2"
            ]
          }
        ]
      }
    ]
  },
  "program": "yes"
}

query
SHOW WARNINGS
----
Level | Code | Message
Note | 1003 | program: yes

query
EXPLAIN UPDATE t SET n = 2 WHERE _id = 'a'
----
id | select_type | table | partitions | type | possible_keys | key | key_len | ref | rows | filtered | Extra
1 | UPDATE | t | NULL | const | PRIMARY | PRIMARY | NULL | const | 1 | 100 |

query
SHOW WARNINGS
----
Level | Code | Message
Note | 1003 | program: yes

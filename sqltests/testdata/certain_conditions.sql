# A condition that every document satisfies, as the counts prove, is no reason to read anything, and needs no test.
exec
CREATE TABLE digits (_id INT PRIMARY KEY);
INSERT INTO digits VALUES (0),(1),(2),(3),(4),(5),(6),(7),(8),(9);
CREATE TABLE t (_id VARCHAR(255) PRIMARY KEY, _doc JSON);
INSERT INTO t (_doc) SELECT JSON_OBJECT('_id', CONCAT(a._id, b._id, c._id), 'name', CONCAT('n', c._id, b._id), 'city', CONCAT('c', b._id), 'age', a._id, 'tags', JSON_ARRAY(a._id)) FROM digits a, digits b, digits c;
CREATE TABLE other (_id INT PRIMARY KEY);
----
ok, 0 rows
ok, 10 rows
ok, 0 rows
ok, 1000 rows
ok, 0 rows

query
EXPLAIN FORMAT=TREE SELECT * FROM t WHERE name IS NOT NULL AND city IN ('c1', 'c2', 'c3', 'c4')
----
EXPLAIN
-> Index range scan on t using city
     range: `city` in 'c1', 'c2', 'c3', 'c4'
     every document satisfies: (NOT(t.name IS NULL))
     keys: 400 counted of 1,000
     tight
     cost: 820.0, a full scan costs 1000.0

query
SELECT COUNT(*) FROM t WHERE name IS NOT NULL AND city IN ('c1', 'c2', 'c3', 'c4')
----
COUNT(*)
400

query
SHOW STATUS WHERE Variable_name IN ('sqlfdb_last_keys', 'sqlfdb_last_documents')
----
Variable_name | Value
sqlfdb_last_documents | 0
sqlfdb_last_keys | 400

query
EXPLAIN FORMAT=TREE SELECT COUNT(*) FROM t WHERE name IS NOT NULL AND city = 'c1'
----
EXPLAIN
-> Project: count(1)
    -> Aggregate: COUNT(1)
         executor: interpreted: counters or the ends of entries tell it
        -> Count of index keys of t using city
             range: `city` in 'c1'
             every document satisfies: (NOT(t.name IS NULL))
             entries only: no document is read
             keys: 100 counted of 1,000
             tight
             cost: 5.0, a full scan costs 1000.0

query
SELECT COUNT(*) FROM t WHERE name IS NOT NULL AND city = 'c1'
----
COUNT(*)
100

query
SHOW STATUS WHERE Variable_name IN ('sqlfdb_last_keys', 'sqlfdb_last_documents')
----
Variable_name | Value
sqlfdb_last_documents | 0
sqlfdb_last_keys | 100

query
EXPLAIN FORMAT=JSON SELECT _id FROM t WHERE name IS NOT NULL AND city = 'c1'
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
        "operation": "Index lookup on t using city",
        "select_id": 1,
        "select_type": "SIMPLE",
        "table_name": "t",
        "access_type": "ref",
        "possible_keys": [
          "city"
        ],
        "key": "city",
        "ref": "const",
        "ranges": [
          {
            "key": "city",
            "spans": "'c1'"
          }
        ],
        "certain": [
          "(NOT(t.name IS NULL))"
        ],
        "keys": {
          "estimated": 100,
          "counted": true,
          "bound": 1000
        },
        "documents": 1000,
        "index_only": true,
        "tight": true,
        "cost": 5,
        "full_scan_cost": 1000
      }
    ]
  },
  "program": "yes"
}

query
SELECT age, COUNT(*) FROM t WHERE name IS NOT NULL AND NOT (_doc->'$.city' IS NULL) GROUP BY age HAVING age < 3
----
age | COUNT(*)
0 | 100
1 | 100
2 | 100

query
SHOW STATUS WHERE Variable_name IN ('sqlfdb_last_keys', 'sqlfdb_last_documents')
----
Variable_name | Value
sqlfdb_last_documents | 0
sqlfdb_last_keys | 1000

query
SELECT _id, age FROM t WHERE name IS NOT NULL ORDER BY age DESC, _id LIMIT 3
----
_id | age
900 | 9
901 | 9
902 | 9

# What no document has.
query
SELECT COUNT(*) FROM t WHERE nobody IS NULL AND (name IS NOT NULL OR age = 77) AND city = 'c1'
----
COUNT(*)
100

query
SHOW STATUS WHERE Variable_name IN ('sqlfdb_last_keys', 'sqlfdb_last_documents')
----
Variable_name | Value
sqlfdb_last_documents | 0
sqlfdb_last_keys | 100

# An array is a value; what it holds is another matter.
query
EXPLAIN FORMAT=TREE SELECT COUNT(*) FROM t WHERE tags IS NOT NULL AND _doc->'$.tags[0]' IS NOT NULL AND city = 'c1'
----
EXPLAIN
-> Project: count(1)
    -> Aggregate: COUNT(1)
         executor: batch, from 256 rows on
        -> Intersection of index ranges on t using city, tags
             range: `city` in 'c1'
             range: $.tags in null, numbers, strings, objects, filled arrays, booleans
             every document satisfies: (NOT(t.tags IS NULL))
             entries only: no document is read
             keys: about 1,100 of 2,000
             tight
             cost: 62.5, a full scan costs 1000.0
             lost: $.tags in null, numbers, strings, objects, filled arrays, booleans, keys: 1,000 counted of 1,000: cost 2050.0, an intersection costs 62.5
             lost: `city` in 'c1', keys: 100 counted of 1,000: cost 205.0, an intersection costs 62.5

query
SELECT COUNT(*) FROM t WHERE tags IS NOT NULL AND _doc->'$.tags[0]' IS NOT NULL AND city = 'c1'
----
COUNT(*)
100

# What writes tests its conditions, and chooses its ranges without those.
query
EXPLAIN FORMAT=TREE UPDATE t SET age = 1 WHERE name IS NOT NULL AND city = 'c1'
----
EXPLAIN
-> Update
    -> Set: t.age = 1
        -> Filter: (NOT(t.name IS NULL))
            -> Index lookup on t using city
                 range: `city` in 'c1'
                 every document satisfies: (NOT(t.name IS NULL))
                 keys: 100 counted of 1,000
                 tight
                 residual: (NOT(t.name IS NULL))
                 cost: 205.0, a full scan costs 1000.0

# So does a SELECT that may go on at newer versions.
exec
SET sqlfdb_long_reads = 'continue'
----
ok, 0 rows

query
EXPLAIN FORMAT=TREE SELECT * FROM t WHERE name IS NOT NULL AND city = 'c1'
----
EXPLAIN
-> Filter: (NOT(t.name IS NULL))
    -> Index lookup on t using city
         range: `city` in 'c1'
         every document satisfies: (NOT(t.name IS NULL))
         keys: 100 counted of 1,000
         tight
         residual: (NOT(t.name IS NULL))
         cost: 205.0, a full scan costs 1000.0

exec
SET sqlfdb_long_reads = 'error'
----
ok, 0 rows

# A transaction's own writes count.
exec
BEGIN;
INSERT INTO t (_doc) VALUES ('{"_id": "new", "city": "c1"}'), ('{"_id": "null", "city": "c1", "name": null}')
----
ok, 0 rows
ok, 2 rows

query
SELECT COUNT(*) FROM t WHERE name IS NOT NULL AND city = 'c1'
----
COUNT(*)
100

query
SELECT COUNT(*) FROM t WHERE _doc->'$.name' IS NOT NULL AND city = 'c1'
----
COUNT(*)
101

query
EXPLAIN FORMAT=TREE SELECT COUNT(*) FROM t WHERE _doc->'$.name' IS NOT NULL AND city = 'c1'
----
EXPLAIN
-> Project: count(1)
    -> Aggregate: COUNT(1)
         executor: batch, from 256 rows on
        -> Intersection of index ranges on t using city, name
             range: `city` in 'c1'
             range: $.name in all values
             entries only: no document is read
             keys: about 1,103 of 2,003
             tight
             cost: 60.2, a full scan costs 1002.0
             lost: $.name in all values, keys: 1,001 counted of 1,001: cost 2052.0, an intersection costs 60.2
             lost: `city` in 'c1', keys: 102 counted of 1,002: cost 209.1, an intersection costs 60.2

exec
DELETE FROM t WHERE _id = 'new'
----
ok, 1 rows

# JSON null is a value of a path, and NULL of a column.
query
SELECT COUNT(*), COUNT(name) FROM t WHERE _doc->'$.name' IS NOT NULL AND city = 'c1'
----
COUNT(*) | COUNT(name)
101 | 100

query
SELECT COUNT(*) FROM t WHERE name IS NOT NULL AND city = 'c1'
----
COUNT(*)
100

exec
SET sqlfdb_use_index = OFF
----
ok, 0 rows

query
SELECT COUNT(*), COUNT(name) FROM t WHERE _doc->'$.name' IS NOT NULL AND city = 'c1'
----
COUNT(*) | COUNT(name)
101 | 100

exec
SET sqlfdb_use_index = ON;
ROLLBACK
----
ok, 0 rows
ok, 0 rows

# A prepared statement is planned each time.
exec
PREPARE s FROM 'SELECT COUNT(*) FROM t WHERE name IS NOT NULL AND city = ?';
SET @c = 'c1'
----
ok, 0 rows
ok, 0 rows

query
EXECUTE s USING @c
----
COUNT(*)
100

exec
INSERT INTO t (_doc) VALUES ('{"_id": "new", "city": "c1"}')
----
ok, 1 rows

query
EXECUTE s USING @c
----
COUNT(*)
100

exec
DELETE FROM t WHERE _id = 'new'
----
ok, 1 rows

query
EXECUTE s USING @c
----
COUNT(*)
100

# The answer of a transaction that reads no documents rests on the counts.
exec conn=a
BEGIN
----
ok, 0 rows

query conn=a
SELECT COUNT(*) FROM t WHERE name IS NOT NULL AND city = 'c2'
----
COUNT(*)
100

exec conn=b
UPDATE t SET name = NULL WHERE _id = '020'
----
ok, 1 rows

query conn=a
SELECT COUNT(*) FROM t WHERE name IS NOT NULL AND city = 'c2'
----
COUNT(*)
100

exec conn=a
INSERT INTO other VALUES (1);
COMMIT
----
ok, 1 rows
ERROR 1213 (40001): conflict with a concurrent transaction; try restarting transaction

query
SELECT COUNT(*) FROM t WHERE name IS NOT NULL AND city = 'c2'
----
COUNT(*)
99

# Declared columns.
exec
CREATE TABLE d (_id INT PRIMARY KEY, n INT NOT NULL, m INT, at DATETIME, _doc JSON);
INSERT INTO d (_id, n, m, at) VALUES (1, 1, 1, '2024-01-01'), (2, 2, NULL, '2024-01-02'), (3, 3, 3, '2024-01-03'), (4, 1, 1, '2024-01-01')
----
ok, 0 rows
ok, 4 rows

query
EXPLAIN FORMAT=TREE SELECT * FROM d WHERE n IS NOT NULL AND m IS NOT NULL AND at IS NOT NULL AND n = 1
----
EXPLAIN
-> Filter: ((((NOT(d.n IS NULL)) AND (NOT(d.m IS NULL))) AND (NOT(d.at IS NULL))) AND (d.n = 1))
    -> Table scan on d
         every document satisfies: (NOT(d.n IS NULL))
         every document satisfies: (NOT(d.at IS NULL))
         documents: 4, exactly
         residual: (NOT(d.n IS NULL)) AND (NOT(d.m IS NULL)) AND (NOT(d.at IS NULL)) AND (d.n = 1)
         lost: `n` in 1, keys: 2 counted of 4: cost 4.1, a full scan costs 4.0
         lost: `m` in not null, keys: 3 counted of 3: cost 6.1, a full scan costs 4.0

query
SELECT _id FROM d WHERE n IS NOT NULL AND m IS NOT NULL AND at IS NOT NULL AND n < 3
----
_id
1
4

exec
INSERT INTO d (_doc) VALUES ('{"_id": 5, "n": 1, "m": 1, "at": null}')
----
ok, 1 rows

query
SELECT _id FROM d WHERE at IS NOT NULL AND n = 1
----
_id
1
4

exec
SET sqlfdb_use_index = OFF
----
ok, 0 rows

query
SELECT _id FROM d WHERE at IS NOT NULL AND n = 1
----
_id
1
4

exec
SET sqlfdb_use_index = ON
----
ok, 0 rows

# A hint keeps the way that it asks for.
query
EXPLAIN FORMAT=TREE SELECT * FROM t FORCE INDEX (city) WHERE city IS NOT NULL AND age = 5
----
EXPLAIN
-> Filter: (t.age = 5)
    -> Index range scan on t using city
         range: `city` in not null
         keys: 1,000 counted of 1,000
         tight
         residual: (t.age = 5)
         cost: 2050.0, a full scan costs 1000.0
         no range: (t.age = 5): `age` is not among the indexes that a hint allows

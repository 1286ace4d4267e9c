# Aggregates read counters and entries: EXPLAIN tells which.

exec
CREATE TABLE t (_id VARCHAR(255) PRIMARY KEY, _doc JSON);
INSERT INTO t (_doc) VALUES ('{"_id":"1","a":1,"b":"x","m":1.0,"tags":["p","q","p"]}'),('{"_id":"2","a":1,"b":"y","m":1,"tags":["q"]}'),('{"_id":"3","b":"y","m":"s"}'),('{"_id":"4","a":5,"b":"y","m":[1]}'),('{"_id":"5","a":null,"m":true}')
----
ok, 0 rows
ok, 5 rows

query
EXPLAIN FORMAT=TREE SELECT COUNT(*) FROM t
----
EXPLAIN
-> Project: count(1)
    -> Aggregate: COUNT(1)
         executor: interpreted: counters or the ends of entries tell it
        -> Counters of t using documents
             entries only: no document is read

query
EXPLAIN SELECT COUNT(*) FROM t
----
id | select_type | table | partitions | type | possible_keys | key | key_len | ref | rows | filtered | Extra
1 | SIMPLE | t | NULL | NULL | NULL | documents | NULL | NULL | NULL | 100 | Using index; Select tables optimized away

query
SELECT COUNT(*), COUNT(1) FROM t
----
COUNT(*) | COUNT(1)
5 | 5

query
EXPLAIN FORMAT=TREE SELECT COUNT(a), COUNT(*) FROM t
----
EXPLAIN
-> Project: count(t.a), count(1)
    -> Aggregate: COUNT(1), COUNT(t.a)
         executor: interpreted: counters or the ends of entries tell it
        -> Counters of t using a
             entries only: no document is read

query
SELECT COUNT(a), COUNT(*), COUNT(*) + COUNT(a) FROM t
----
COUNT(a) | COUNT(*) | COUNT(*) + COUNT(a)
3 | 5 | 8

query
EXPLAIN FORMAT=TREE SELECT COUNT(*) FROM t WHERE a IS NULL
----
EXPLAIN
-> Project: count(1)
    -> Aggregate: COUNT(1)
         executor: interpreted: counters or the ends of entries tell it
        -> Filter: t.a IS NULL
            -> Counters of t using a
                 entries only: no document is read
                 residual, of each value: t.a IS NULL

query
SELECT COUNT(*), COUNT(a) FROM t WHERE a IS NULL
----
COUNT(*) | COUNT(a)
2 | 0

query
EXPLAIN FORMAT=TREE SELECT COUNT(*) FROM t WHERE a IS NOT NULL
----
EXPLAIN
-> Project: count(1)
    -> Aggregate: COUNT(1)
         executor: interpreted: counters or the ends of entries tell it
        -> Counters of t using a
             range: `a` in not null
             entries only: no document is read
             keys: 0 counted of 3
             tight
             cost: 0.2, a full scan costs 5.0

query
SELECT COUNT(*), COUNT(a) FROM t WHERE a IS NOT NULL
----
COUNT(*) | COUNT(a)
3 | 3

query
EXPLAIN FORMAT=TREE SELECT COUNT(*) FROM t WHERE a > 0 AND a < 5
----
EXPLAIN
-> Project: count(1)
    -> Aggregate: COUNT(1)
         executor: interpreted: counters or the ends of entries tell it
        -> Count of index keys of t using a
             range: `a` in (0, 5)
             entries only: no document is read
             keys: 2 counted of 3
             tight
             cost: 0.1, a full scan costs 5.0

query
SELECT COUNT(*) FROM t WHERE a > 0 AND a < 5
----
COUNT(*)
2

query
EXPLAIN FORMAT=TREE SELECT COUNT(*) FROM t WHERE a = 1 OR b = 'y'
----
EXPLAIN
-> Project: count(1)
    -> Aggregate: COUNT(1)
         executor: interpreted: counters or the ends of entries tell it
        -> Count of index keys of t using a,  b
             range: `a` in 1
             range: `b` in 'y'
             entries only: no document is read
             keys: 5 counted of 7
             tight
             cost: 0.2, a full scan costs 5.0

query
SELECT COUNT(*) FROM t WHERE a = 1 OR b = 'y'
----
COUNT(*)
4

query
EXPLAIN FORMAT=TREE SELECT COUNT(*) FROM t WHERE JSON_CONTAINS(tags, '"p"')
----
EXPLAIN
-> Project: count(1)
    -> Aggregate: COUNT(1)
         executor: interpreted: counters or the ends of entries tell it
        -> Count of index keys of t using tags,  tags[*]
             range: `tags` in 'p'
             range: $.tags[*] in 'p'
             entries only: no document is read
             keys: 2 counted of 4
             tight
             cost: 0.1, a full scan costs 5.0

query
SELECT COUNT(*) FROM t WHERE JSON_CONTAINS(tags, '"p"')
----
COUNT(*)
1

query
EXPLAIN FORMAT=TREE SELECT COUNT(*) FROM t WHERE _doc->'$.b' = 'y'
----
EXPLAIN
-> Project: count(1)
    -> Aggregate: COUNT(1)
         executor: interpreted: counters or the ends of entries tell it
        -> Count of index keys of t using b
             range: $.b in 'y'
             entries only: no document is read
             keys: 3 counted of 4
             tight
             cost: 0.2, a full scan costs 5.0

query
EXPLAIN FORMAT=TREE SELECT MIN(a) + 1, MAX(a), COUNT(*), COUNT(a) FROM t
----
EXPLAIN
-> Project: (min(t.a) + 1), max(t.a), count(1), count(t.a)
    -> Aggregate: COUNT(1), COUNT(t.a), MAX(t.a), MIN(t.a)
         executor: interpreted: counters or the ends of entries tell it
        -> First and last index key of t using a
             entries only: no document is read
             keys: about 2 of 4

query
SELECT MIN(a) + 1, MAX(a), COUNT(*), COUNT(a) FROM t
----
MIN(a) + 1 | MAX(a) | COUNT(*) | COUNT(a)
2 | 5 | 5 | 3

query
EXPLAIN FORMAT=TREE SELECT MIN(b) FROM t WHERE b > 'x'
----
EXPLAIN
-> Project: min(t.b)
    -> Aggregate: MIN(t.b)
         executor: interpreted: counters or the ends of entries tell it
        -> First and last index key of t using b
             range: `b` in ('x', …)
             entries only: no document is read
             keys: about 2 of 4
             tight
             cost: 0.2, a full scan costs 5.0

query
SELECT MIN(b), MAX(b) FROM t WHERE b > 'x'
----
MIN(b) | MAX(b)
y | y

query
EXPLAIN FORMAT=TREE SELECT SUM(a), AVG(a), COUNT(DISTINCT a) FROM t WHERE a >= 1
----
EXPLAIN
-> Project: sum(t.a), avg(t.a), countdistinct([t.a])
    -> Aggregate: AVG(t.a), COUNTDISTINCT([t.a]), SUM(t.a)
         executor: interpreted: few rows
        -> Values and their counts of t using a
             range: `a` in [1, +∞)
             entries only: no document is read
             keys: 3 counted of 3
             tight
             cost: 0.2, a full scan costs 5.0

query
SELECT SUM(a), AVG(a), COUNT(DISTINCT a) FROM t WHERE a >= 1
----
SUM(a) | AVG(a) | COUNT(DISTINCT a)
7 | 2.3333 | 2

query
EXPLAIN FORMAT=TREE SELECT b, COUNT(*) c FROM t GROUP BY b HAVING c > 1 ORDER BY b
----
EXPLAIN
-> Project: t.b, count(1) as c
    -> Filter groups: (c > 1)
        -> Project: count(1), t.b, count(1) as c
            -> Group: by t.b: COUNT(1), t.b
                 executor: interpreted: groups come in order
                -> Values and their counts of t using b
                     entries only: no document is read
                     in the order of its values
                     keys: about 4 of 4

query
SELECT b, COUNT(*) c FROM t GROUP BY b ORDER BY b
----
b | c
NULL | 1
x | 1
y | 3

query
SELECT b, COUNT(*) c FROM t GROUP BY b HAVING c > 1 ORDER BY b
----
b | c
y | 3

query
EXPLAIN FORMAT=TREE SELECT DISTINCT a FROM t ORDER BY a
----
EXPLAIN
-> Remove duplicates
    -> Project: t.a
        -> Distinct values of t using a
             entries only: no document is read
             in the order of its values
             keys: about 4 of 4

query
EXPLAIN SELECT DISTINCT a FROM t ORDER BY a
----
id | select_type | table | partitions | type | possible_keys | key | key_len | ref | rows | filtered | Extra
1 | SIMPLE | t | NULL | index | NULL | a | NULL | NULL | 4 | 100 | Using index; Using index for group-by; Using temporary

query
SELECT DISTINCT a FROM t ORDER BY a
----
a
NULL
1
5

query
SELECT m, COUNT(*), COUNT(m) FROM t GROUP BY m ORDER BY m
----
m | COUNT(*) | COUNT(m)
1.0 | 2 | 2
"s" | 1 | 1
[1] | 1 | 1
true | 1 | 1

query
SELECT MIN(m), MAX(m) FROM t WHERE m < 'z'
----
MIN(m) | MAX(m)
1.0 | "s"

query
EXPLAIN FORMAT=TREE SELECT a, n FROM (SELECT a, COUNT(*) n FROM t GROUP BY a) x WHERE n > 1
----
EXPLAIN
-> Derived table x
    -> Filter: (n > 1)
        -> Project: t.a, count(1) as n
            -> Group: by t.a: COUNT(1), t.a
                 executor: interpreted: few rows
                -> Values and their counts of t using a
                     entries only: no document is read
                     keys: about 4 of 4

query
SELECT a, n FROM (SELECT a, COUNT(*) n FROM t GROUP BY a) x WHERE n > 1
----
a | n
NULL | 2
1 | 2

query
SELECT _id FROM t WHERE a = (SELECT MAX(a) FROM t)
----
_id
4

query
SELECT COUNT(*) FROM t WHERE a > (SELECT AVG(a) FROM t)
----
COUNT(*)
1

query
SELECT _id, (SELECT COUNT(*) FROM t y WHERE y.a = t.a) FROM t ORDER BY _id
----
_id | (SELECT COUNT(*) FROM t y WHERE y.a = t.a)
1 | 2
2 | 2
3 | 0
4 | 1
5 | 0

query
SELECT COUNT(*) FROM t UNION ALL SELECT MAX(a) FROM t
----
COUNT(*)
5
5

query
EXPLAIN FORMAT=TREE SELECT MIN(_id), MAX(_id), COUNT(*) FROM t
----
EXPLAIN
-> Project: min(t._id), max(t._id), count(1)
    -> Aggregate: COUNT(1), MAX(t._id), MIN(t._id)
         executor: interpreted: counters or the ends of entries tell it
        -> First and last document of t
             documents: about 2 of 5

query
SELECT MIN(_id), MAX(_id), COUNT(*) FROM t
----
MIN(_id) | MAX(_id) | COUNT(*)
1 | 5 | 5

query
EXPLAIN FORMAT=TREE SELECT MAX(_id) FROM t WHERE _id < '4'
----
EXPLAIN
-> Project: max(t._id)
    -> Aggregate: MAX(t._id)
         executor: interpreted: counters or the ends of entries tell it
        -> First and last document of t
             range: primary key in ['', '4')
             keys: about 2 of 5
             tight
             cost: 0.2, a full scan costs 5.0

query
SELECT MAX(_id), MIN(_id) FROM t WHERE _id < '4' AND _id > '1'
----
MAX(_id) | MIN(_id)
3 | 2

query
SELECT MAX(_id), COUNT(*) FROM t WHERE _id < '0'
----
MAX(_id) | COUNT(*)
NULL | 0

# The documents of a filter over another keypath are found among the entries.
query
EXPLAIN FORMAT=TREE SELECT a, COUNT(*) FROM t WHERE b = 'y' AND a > 0 GROUP BY a
----
EXPLAIN
-> Project: t.a, count(1)
    -> Group: by t.a: COUNT(1), t.a
         executor: interpreted: few rows
        -> Values and their counts of t using a
             entries only: no document is read
             range: `a` in (0, +∞)
             of the documents with `b` in 'y'
             cost: 0.9, reading documents costs 5.0
             keys: about 6 of 7

query
EXPLAIN FORMAT=TREE SELECT a, COUNT(*), SUM(a) FROM t WHERE b = 'y' OR b = 'x' GROUP BY a
----
EXPLAIN
-> Project: t.a, count(1), sum(t.a)
    -> Group: by t.a: COUNT(1), SUM(t.a), t.a
         executor: interpreted: few rows
        -> Values and their counts of t using a
             entries only: no document is read
             of the documents with `b` in 'x', 'y'
             cost: 1.2, reading documents costs 5.0
             keys: about 8 of 8

query
SELECT a, COUNT(*), SUM(a) FROM t WHERE b = 'y' OR b = 'x' GROUP BY a
----
a | COUNT(*) | SUM(a)
1 | 2 | 2
NULL | 1 | NULL
5 | 1 | 5

# Two columns: documents are read.
query
SELECT MAX(a), MAX(b), MIN(_id), MIN(a) FROM t
----
MAX(a) | MAX(b) | MIN(_id) | MIN(a)
5 | y | 1 | 1

query
EXPLAIN FORMAT=TREE SELECT a, COUNT(*) FROM t WHERE b = 'y' GROUP BY a
----
EXPLAIN
-> Project: t.a, count(1)
    -> Group: by t.a: COUNT(1), t.a
         executor: interpreted: few rows
        -> Values and their counts of t using a
             entries only: no document is read
             of the documents with `b` in 'y'
             cost: 1.1, reading documents costs 5.0
             keys: about 7 of 8

# Of the column no more entries than the conditions on it need.
exec
CREATE TABLE f (_id VARCHAR(255) PRIMARY KEY, a INT, b VARCHAR(10) COLLATE utf8mb4_0900_as_cs, u INT, _doc JSON);
INSERT INTO f (_doc) VALUES ('{"_id":"01","a":1,"b":"x","u":1}'), ('{"_id":"02","a":2,"b":"x","u":2}'), ('{"_id":"03","a":3,"b":"x","u":3}'), ('{"_id":"04","a":4,"b":"y","u":4}'), ('{"_id":"05","a":5,"b":"y","u":5}'), ('{"_id":"06","a":6,"b":"y","u":6}'), ('{"_id":"07","a":null,"b":"y","u":7}'), ('{"_id":"08","b":"y","u":8}'), ('{"_id":"09","a":9,"b":"z","u":9}'), ('{"_id":"10","a":10,"b":"z","u":10}');
----
ok, 0 rows
ok, 10 rows

query
EXPLAIN FORMAT=TREE SELECT COUNT(*) FROM f WHERE b = 'y' AND a > 4
----
EXPLAIN
-> Project: count(1)
    -> Aggregate: COUNT(1)
         executor: interpreted: few rows
        -> Values and their counts of f using a
             entries only: no document is read
             range: `a` in (4, +∞)
             of the documents with `b` in 'y'
             cost: 1.3, reading documents costs 8.2
             keys: about 9 of 18

query
SELECT COUNT(*), SUM(a) FROM f WHERE b = 'y' AND a > 4
----
COUNT(*) | SUM(a)
2 | 11

query
SELECT a, COUNT(*) FROM f WHERE b = 'y' AND (a > 4 OR a IS NULL) GROUP BY a
----
a | COUNT(*)
NULL | 2
5 | 1
6 | 1

query
SELECT COUNT(*), COUNT(a) FROM f WHERE b = 'y' AND a IS NULL
----
COUNT(*) | COUNT(a)
2 | 0

query
SELECT COUNT(*), SUM(a) FROM f WHERE b > 'x' AND a > 4 AND a <> 9 AND a % 5 = 0
----
COUNT(*) | SUM(a)
2 | 15

# One document is read rather than all keys of the other condition.
query
EXPLAIN FORMAT=TREE SELECT COUNT(*) FROM f WHERE u = 5 AND b > 'a'
----
EXPLAIN
-> Project: count(1)
    -> Aggregate: COUNT(1)
         executor: interpreted: few rows
        -> Values and their counts of f using u
             entries only: no document is read
             range: `u` in 5
             of the documents with `b` in ('a', …)
             cost: 1.6, reading documents costs 2.0
             keys: about 11 of 20

query
SELECT COUNT(*) FROM f WHERE u = 5 AND b > 'a'
----
COUNT(*)
1

exec
CREATE VIEW v AS SELECT b, COUNT(*) n, SUM(a) s FROM t GROUP BY b
----
ok, 0 rows

query
SELECT * FROM v ORDER BY b
----
b | n | s
NULL | 1 | NULL
x | 1 | 1
y | 3 | 6

# A transaction's own writes count, and a statement doesn't see its own.
exec
BEGIN;
INSERT INTO t (_doc) VALUES ('{"_id":"6","a":9,"b":"z"}');
DELETE FROM t WHERE _id = '1'
----
ok, 0 rows
ok, 1 rows
ok, 1 rows

query
SELECT COUNT(*), COUNT(a), MIN(a), MAX(a), SUM(a) FROM t
----
COUNT(*) | COUNT(a) | MIN(a) | MAX(a) | SUM(a)
5 | 3 | 1 | 9 | 15

query
SELECT b, COUNT(*) FROM t GROUP BY b ORDER BY b
----
b | COUNT(*)
NULL | 1
y | 3
z | 1

exec
INSERT INTO t (_id, a) SELECT CONCAT('n', COUNT(*)), MAX(a) + 1 FROM t
----
ok, 1 rows

query
SELECT COUNT(*), MAX(a), MAX(_id) FROM t
----
COUNT(*) | MAX(a) | MAX(_id)
6 | 10 | n5

exec
ROLLBACK
----
ok, 0 rows

# An answer that rests on a counter conflicts with whoever changes it; inserts don't conflict.
exec
CREATE TABLE total (_id INT PRIMARY KEY, n INT);
BEGIN;
INSERT INTO total SELECT 1, COUNT(*) FROM t
----
ok, 0 rows
ok, 0 rows
ok, 1 rows

exec conn=other
INSERT INTO t (_doc) VALUES ('{"_id":"7","a":2}')
----
ok, 1 rows

exec
COMMIT
----
ERROR 1213 (40001): conflict with a concurrent transaction; try restarting transaction

exec
BEGIN;
INSERT INTO total SELECT 2, COUNT(a) FROM t;
INSERT INTO t (_doc) VALUES ('{"_id":"8","b":"w"}')
----
ok, 0 rows
ok, 1 rows
ok, 1 rows

exec conn=other
INSERT INTO total VALUES (3, 3)
----
ok, 1 rows

exec
COMMIT
----
ok, 0 rows

exec
BEGIN;
INSERT INTO t (_doc) VALUES ('{"_id":"9","a":2}')
----
ok, 0 rows
ok, 1 rows

exec conn=other
INSERT INTO t (_doc) VALUES ('{"_id":"10","a":2}')
----
ok, 1 rows

exec
COMMIT
----
ok, 0 rows

# MAX is one seek: what is written below it is no conflict, what is written above is.
exec
BEGIN;
INSERT INTO total SELECT 4, MAX(a) FROM t WHERE a > 1
----
ok, 0 rows
ok, 1 rows

exec conn=other
UPDATE t SET a = 3 WHERE _id = '7'
----
ok, 1 rows

exec
COMMIT
----
ok, 0 rows

exec
BEGIN;
INSERT INTO total SELECT 5, MAX(a) FROM t WHERE a > 1
----
ok, 0 rows
ok, 1 rows

exec conn=other
UPDATE t SET a = 30 WHERE _id = '7'
----
ok, 1 rows

exec
COMMIT
----
ERROR 1213 (40001): conflict with a concurrent transaction; try restarting transaction

query
SELECT * FROM total ORDER BY _id
----
_id | n
2 | 4
3 | 3
4 | 5

exec
SET sqlfdb_full_scans = deny
----
ok, 0 rows

exec
SELECT COUNT(*), MAX(a) FROM t;
SELECT COUNT(*), MAX(a) FROM t WHERE b LIKE '%y'
----
ok, 0 rows
ERROR 1175 (HY000): The statement reads all of d.t, and sqlfdb_full_scans is deny; add a condition that a keypath's index can use, or a LIMIT

exec
SET sqlfdb_full_scans = allow
----
ok, 0 rows

# Aggregates of bits, and conditions on what is computed of a number.

exec
CREATE TABLE bits (_id VARCHAR(255) PRIMARY KEY, _doc JSON);
INSERT INTO bits (_doc) VALUES ('{"_id":"a","n":1,"m":2.5,"s":"x"}'), ('{"_id":"b","n":2,"m":2.5}'), ('{"_id":"c","n":7,"s":"y"}'), ('{"_id":"d","m":-1,"s":"x"}'), ('{"_id":"e","n":7,"b":9007199254740993}');
----
ok, 0 rows
ok, 5 rows

query
SELECT BIT_AND(n), BIT_OR(n), BIT_XOR(n) FROM bits
----
BIT_AND(n) | BIT_OR(n) | BIT_XOR(n)
0 | 7 | 3

query
SELECT n, BIT_XOR(n) FROM bits GROUP BY n ORDER BY n
----
n | BIT_XOR(n)
NULL | 0
1 | 1
2 | 2
7 | 0

query
EXPLAIN FORMAT=TREE SELECT BIT_XOR(n) FROM bits
----
EXPLAIN
-> Project: bitxor(bits.n)
    -> Aggregate: BITXOR(bits.n)
         executor: interpreted: few rows
        -> Values and their counts of bits using n
             entries only: no document is read
             keys: about 4 of 4

query
EXPLAIN FORMAT=TREE SELECT _id FROM bits WHERE n + 1 = 3
----
EXPLAIN
-> Project: bits._id
    -> Filter: ((bits.n + 1) = 3)
        -> Index range scan on bits using n
             range: `n` in (-∞, -4000000000000000000], 2, [4000000000000000000, +∞)
             entries only: no document is read
             keys: 1 counted of 4
             not tight: the filter stays
             residual: ((bits.n + 1) = 3)
             cost: 0.1, a full scan costs 5.0

query
SELECT _id FROM bits WHERE n + 1 = 3 OR 2 * n > 10
----
_id
b
c
e

query
SELECT _id FROM bits WHERE -n BETWEEN -2 AND 0 OR CAST(m AS SIGNED) = -1
----
_id
a
b
d

# Aggregates beside HAVING are those of their own text, also where what they compare is spelled otherwise once it is planned.

exec
CREATE TABLE beside_having (_id INT PRIMARY KEY, g INT, _doc JSON);
INSERT INTO beside_having (_doc) VALUES ('{"_id":1,"g":1,"s":"x"}'), ('{"_id":2,"g":1,"s":"1"}'), ('{"_id":3,"g":2}')
----
ok, 0 rows
ok, 3 rows

query
SELECT COUNT(*) AS c0, GROUP_CONCAT((_doc->>'$.s') IS TRUE ORDER BY _id) AS c1 FROM beside_having GROUP BY g HAVING g IS NOT NULL ORDER BY g
----
c0 | c1
2 | 0,1
1 | 0

query
SELECT COUNT(*) + 7 AS c0, COUNT(DISTINCT (_doc->>'$.s') IS TRUE) AS c1, GROUP_CONCAT(DISTINCT s IS FALSE) AS c2 FROM beside_having GROUP BY g HAVING MAX(_id) > 1 ORDER BY g
----
c0 | c1 | c2
9 | 2 | 1,0
8 | 1 | 0

query
SELECT SUM(_id) AS c0, GROUP_CONCAT((_doc->>'$.s') IS TRUE ORDER BY _id) AS c1 FROM beside_having GROUP BY g HAVING GROUP_CONCAT((_doc->>'$.s') IS TRUE ORDER BY _id) = '0,1'
----
c0 | c1
3 | 0,1

# An aggregate that a select list has twice, without an alias, under the name that the plan builder has for it.

exec
CREATE TABLE w (_id VARCHAR(255) PRIMARY KEY, _doc JSON);
INSERT INTO w (_doc) VALUES ('{"_id":"k1","x":1}'), ('{"_id":"k2","x":2}'), ('{"_id":"k3","x":3}'), ('{"_id":"k4"}'), ('{"_id":"k5","x":2}');
----
ok, 0 rows
ok, 5 rows

query
SELECT MIN(w.x), MIN(w.x) FROM w
----
MIN(w.x) | MIN(w.x)
1 | 1

query
SELECT min(w.x), MIN(w.x) AS b, MIN(w.x) + 1, SUM(w.x), SUM(w.x), AVG(w.x), AVG(w.x) FROM w
----
min(w.x) | b | MIN(w.x) + 1 | SUM(w.x) | SUM(w.x) | AVG(w.x) | AVG(w.x)
1 | 1 | 2 | 8 | 8 | 2.0000 | 2.0000

query
SELECT w.x, COUNT(w.x), COUNT(w.x), COUNT(DISTINCT w._id), COUNT(DISTINCT w._id) FROM w GROUP BY w.x HAVING COUNT(w.x) > 0 ORDER BY COUNT(w.x) DESC, w.x LIMIT 2
----
x | COUNT(w.x) | COUNT(w.x) | COUNT(DISTINCT w._id) | COUNT(DISTINCT w._id)
2 | 2 | 2 | 2 | 2
1 | 1 | 1 | 1 | 1

query
SELECT c0, c1 FROM (SELECT MAX(w.x), MAX(w.x) FROM w) AS q (c0, c1)
----
c0 | c1
3 | 3

query
(SELECT MIN(w.x), MIN(w.x) FROM w) UNION ALL (SELECT MAX(w.x), MAX(w.x) FROM w)
----
MIN(w.x) | MIN(w.x)
1 | 1
3 | 3

query
EXPLAIN FORMAT=TREE SELECT MIN(w.x), MIN(w.x) FROM w
----
EXPLAIN
-> Project: min(w.x), min(w.x)
    -> Aggregate: MIN(w.x)
         executor: interpreted: counters or the ends of entries tell it
        -> First and last index key of w using x
             entries only: no document is read
             keys: about 2 of 4

exec
SET sqlfdb_use_index = OFF
----
ok, 0 rows

query
SELECT MIN(w.x), MIN(w.x) FROM w
----
MIN(w.x) | MIN(w.x)
1 | 1

# Subqueries beside window functions read columns that SELECT does not name.

exec
CREATE TABLE a (id INT PRIMARY KEY, x INT, s VARCHAR(20));
INSERT INTO a VALUES (1, 1, 'p'), (2, 1, 'q'), (3, 2, 'r');
CREATE TABLE b (_id VARCHAR(20) PRIMARY KEY, _doc JSON);
INSERT INTO b (_doc) VALUES ('{"_id":"k","x":1,"m":"t"}'), ('{"_id":"l","x":2,"m":3}');
----
ok, 0 rows
ok, 3 rows
ok, 0 rows
ok, 2 rows

query
SELECT (SELECT COUNT(*) FROM b WHERE b.x = t.x) c, ROW_NUMBER() OVER (ORDER BY t.id) r FROM a t
----
c | r
1 | 1
1 | 2
1 | 3

query
SELECT (SELECT COUNT(*) FROM b WHERE b.x = t.x) c, SUM(t.id) OVER (PARTITION BY t.id) r FROM a t
----
c | r
1 | 1
1 | 2
1 | 3

query
SELECT (SELECT COUNT(*) FROM b WHERE b.x = t.x) c, SUM(t.id) OVER (PARTITION BY t.id) r, t.x FROM a t
----
c | r | x
1 | 1 | 1
1 | 2 | 1
1 | 3 | 2

query
SELECT ROW_NUMBER() OVER (ORDER BY t.id) r, s FROM a t ORDER BY (SELECT COUNT(*) FROM b WHERE b.x = t.x), id
----
r | s
1 | p
2 | q
3 | r

query
SELECT (SELECT COUNT(*) FROM b WHERE b.x = u.x) c, SUM(t.id) OVER (PARTITION BY t.id) r FROM a t JOIN a u ON t.id=u.id
----
c | r
1 | 1
1 | 2
1 | 3

query
SELECT (SELECT MAX(b.x) FROM b WHERE b.x = bb.x) c, SUM(t.id) OVER () r FROM a t LEFT JOIN b bb ON t.id = bb.x
----
c | r
1 | 6
2 | 6
NULL | 6

query
SELECT EXISTS (SELECT 1 FROM b WHERE b.x = t.x) c, t.id IN (SELECT b.x FROM b WHERE b.x = t.x) d, ROW_NUMBER() OVER (ORDER BY t.s DESC) r FROM a t
----
c | d | r
1 | 1 | 3
1 | 0 | 2
1 | 0 | 1

query
SELECT (SELECT COUNT(*) FROM b WHERE b.x = t.x) c, RANK() OVER (ORDER BY (SELECT COUNT(*) FROM b WHERE b.x = t.x)) r FROM a t
----
c | r
1 | 1
1 | 1
1 | 1

query
SELECT (SELECT SUM(z.id) OVER (ORDER BY z.id) FROM a z WHERE z.x = t.x LIMIT 1) c, (SELECT COUNT(*) FROM b WHERE b.x = t.x AND t.s = 'r') c2, ROW_NUMBER() OVER (ORDER BY t.id) r FROM a t
----
c | c2 | r
1 | 0 | 1
1 | 0 | 2
3 | 1 | 3

query
SELECT DISTINCT (SELECT COUNT(*) FROM b WHERE b.x = t.x) c, SUM(1) OVER () r FROM a t
----
c | r
1 | 3

query
SELECT COUNT(*) OVER () r FROM a t WHERE (SELECT COUNT(*) FROM b WHERE b.x = t.x) = 1
----
r
3
3
3

query
SELECT (SELECT COUNT(*) FROM b WHERE b.x = t.x AND EXISTS (SELECT 1 FROM a z WHERE z.id = t.x AND z.s <> t.s)) c, SUM(t.id) OVER (PARTITION BY t.id) r FROM a t
----
c | r
0 | 1
1 | 2
1 | 3

query
SELECT c + r FROM (SELECT (SELECT COUNT(*) FROM b WHERE b.x = t.x) c, ROW_NUMBER() OVER (ORDER BY t.id) r FROM a t) q
----
c + r
2
3
4

query
SELECT ROW_NUMBER() OVER (ORDER BY t.id) r FROM a t ORDER BY (SELECT MAX(b.x) FROM b WHERE b.x = t.x) DESC, id DESC LIMIT 2
----
r
3
2

query
CHECK TABLE a, b
----
Table | Op | Msg_type | Msg_text
d.a | check | status | OK
d.b | check | status | OK

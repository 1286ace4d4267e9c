# What a scalar subquery makes of a column compares in the column's collation.

exec
CREATE TABLE a (id INT PRIMARY KEY, t VARCHAR(9) COLLATE utf8mb4_0900_ai_ci);
CREATE TABLE b (id INT PRIMARY KEY, a INT, t VARCHAR(9) COLLATE utf8mb4_0900_ai_ci);
INSERT INTO a VALUES (1, 'x'), (2, 'X'), (3, 'y'), (4, NULL), (5, 'Ý');
INSERT INTO b VALUES (1, 1, 'm'), (2, 2, 'M'), (3, 3, 'n'), (4, 4, 'o'), (5, 5, 'N')
----
ok, 0 rows
ok, 0 rows
ok, 5 rows
ok, 5 rows

query
SELECT LOWER((SELECT CONCAT(b.t, '!') FROM b WHERE b.a = a.id)) AS s, COUNT(*) FROM a GROUP BY s ORDER BY s
----
s | COUNT(*)
m! | 2
n! | 2
o! | 1

query
SELECT COUNT(DISTINCT s), COUNT(*) FROM (SELECT (SELECT CONCAT(b.t, '!') FROM b WHERE b.a = a.id) AS s FROM a) x
----
COUNT(DISTINCT s) | COUNT(*)
3 | 5

query
SELECT COUNT(*) FROM (SELECT DISTINCT (SELECT CONCAT(MIN(b.t), '!') FROM b WHERE b.a = a.id) FROM a) x
----
COUNT(*)
3

query
SELECT id FROM a WHERE (SELECT CONCAT(b.t, '!') FROM b WHERE b.a = a.id) = 'm!' ORDER BY id
----
id
1
2

query
SELECT id FROM a WHERE CONCAT(t, '!') = (SELECT CONCAT(MAX(b.t), '!') FROM (SELECT 'X' AS t) b) ORDER BY id
----
id
1
2

query
SELECT id FROM a WHERE CONCAT(t, '!') IN (SELECT UPPER(CONCAT(a.t, '!')) FROM a) ORDER BY id
----
id
1
2
3
5

query
SELECT id, (SELECT CONCAT(b.t, '!') FROM b WHERE b.a = a.id) AS s FROM a ORDER BY s, id DESC
----
id | s
2 | M!
1 | m!
5 | N!
3 | n!
4 | o!

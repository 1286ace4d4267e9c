# DELETE from tables with aliases that USING joins.
exec
CREATE TABLE p (id INT PRIMARY KEY, name VARCHAR(10));
CREATE TABLE c (id INT, n INT, PRIMARY KEY (id, n));
CREATE TABLE d (id INT PRIMARY KEY, x INT);
INSERT INTO p VALUES (1, 'a'), (2, 'b'), (3, 'c'), (4, 'd');
INSERT INTO c VALUES (1, 1), (1, 2), (2, 1), (3, 1), (3, 2), (4, 1);
INSERT INTO d VALUES (1, 10), (2, 20), (3, 30)
----
ok, 0 rows
ok, 0 rows
ok, 0 rows
ok, 4 rows
ok, 6 rows
ok, 3 rows

exec
DELETE s FROM c s JOIN p e USING (id) WHERE e.name = 'a' AND n > 1;
DELETE FROM s USING c AS s JOIN p AS e USING (id) WHERE e.name = 'b';
DELETE s, z FROM c s JOIN p USING (id) LEFT JOIN d z USING (id) WHERE id = 3;
DELETE z FROM c RIGHT JOIN d z USING (id) WHERE c.id IS NULL AND id > 1
----
ok, 1 rows
ok, 1 rows
ok, 3 rows
ok, 1 rows

query
SELECT * FROM c ORDER BY id, n
----
id | n
1 | 1
4 | 1

query
SELECT * FROM d
----
id | x
1 | 10

query
CHECK TABLE c, d
----
Table | Op | Msg_type | Msg_text
d.c | check | status | OK
d.d | check | status | OK

# The literals of a view are not those of the statement that writes to it, however often it runs.
exec
CREATE TABLE t (tenant INT, id INT, n INT, price INT DEFAULT 7, PRIMARY KEY (tenant, id));
INSERT INTO t VALUES (1, 1, 0, 10), (1, 2, 0, 20), (2, 1, 0, 30), (2, 2, 0, 40);
CREATE TABLE u (id INT PRIMARY KEY, most INT, hidden INT);
INSERT INTO u VALUES (1, 15, 0), (2, 35, 0);
CREATE VIEW v AS SELECT id, n FROM t WHERE tenant = 1;
CREATE VIEW doubled AS SELECT tenant, id, price * 2 AS price FROM t;
CREATE VIEW named AS SELECT tenant, id, price AS cost FROM t;
UPDATE v SET n = 5 WHERE id = 1;
UPDATE v SET n = 6 WHERE id = 2;
UPDATE v SET n = 7 WHERE id = 1;
DELETE FROM v WHERE id = 1;
DELETE FROM v WHERE id = 2
----
ok, 0 rows
ok, 4 rows
ok, 0 rows
ok, 2 rows
ok, 0 rows
ok, 0 rows
ok, 0 rows
ok, 1 rows
ok, 1 rows
ok, 1 rows
ok, 1 rows
ok, 1 rows

query
SELECT * FROM t
----
tenant | id | n | price
2 | 1 | 0 | 30
2 | 2 | 0 | 40

# Nor are those of a default.
query
SELECT id FROM t WHERE price = DEFAULT(price) AND n = 7
----
id

query
SELECT id FROM t WHERE price = DEFAULT(price) AND n = 0
----
id

exec
UPDATE t SET price = 7 WHERE id = 2
----
ok, 1 rows

query
SELECT id FROM t WHERE price = DEFAULT(price) AND n = 0
----
id
2

query
SELECT id FROM t WHERE price = DEFAULT(price) AND n = 7
----
id

# A prepared statement is of the view, and of the default, that there are when it runs.
exec
INSERT INTO t (tenant, id, n) VALUES (1, 1, 0), (1, 2, 0);
PREPARE p FROM 'UPDATE v SET n = n + 100 WHERE id = ?';
PREPARE q FROM 'SELECT tenant, id FROM t WHERE price = DEFAULT(price) AND id = ?';
SET @id = 1
----
ok, 2 rows
ok, 0 rows
ok, 0 rows
ok, 0 rows

query
EXECUTE p USING @id
----
----

----
----

query
EXECUTE q USING @id
----
tenant | id
1 | 1

exec
CREATE OR REPLACE VIEW v AS SELECT id, n FROM t WHERE tenant = 2;
ALTER TABLE t ALTER price SET DEFAULT 30
----
ok, 0 rows
ok, 0 rows

query
EXECUTE p USING @id
----
----

----
----

query
EXECUTE q USING @id
----
tenant | id
2 | 1

query
SELECT * FROM t
----
tenant | id | n | price
1 | 1 | 100 | 7
1 | 2 | 0 | 7
2 | 1 | 100 | 30
2 | 2 | 0 | 7

exec
DROP VIEW v;
EXECUTE p USING @id
----
ok, 0 rows
ERROR 1146 (42S02): Table 'd.v' doesn't exist

# What a subquery names alone is not taken for another column of the table than the view has.
exec
DELETE FROM doubled WHERE EXISTS (SELECT 1 FROM u WHERE u.most < price);
DELETE FROM named WHERE EXISTS (SELECT 1 FROM u WHERE u.most < price);
UPDATE named SET cost = 1 WHERE id IN (SELECT named.id FROM u named WHERE named.most = 15);
UPDATE named SET cost = 1 WHERE id IN (SELECT id FROM u WHERE most = 15);
DELETE FROM doubled WHERE EXISTS (SELECT 1 FROM u WHERE u.most < doubled.price)
----
ERROR 1235 (42000): a subquery in a statement that writes to a view needs the table of `price` named
ERROR 1235 (42000): a subquery in a statement that writes to a view needs the table of `price` named
ERROR 1288 (HY000): The target table named of the UPDATE is not updatable
ok, 2 rows
ok, 0 rows

query
SELECT * FROM t
----
tenant | id | n | price
1 | 1 | 100 | 1
1 | 2 | 0 | 7
2 | 1 | 100 | 1
2 | 2 | 0 | 7

# Columns that the view calls otherwise are refused where they stand in texts.
exec
UPDATE named SET cost = DEFAULT(cost);
INSERT INTO named (tenant, id, cost) VALUES (9, 9, 1) AS new ON DUPLICATE KEY UPDATE cost = new.cost;
INSERT INTO named (tenant, id, cost) VALUES (9, 9, DEFAULT)
----
ERROR 1235 (42000): DEFAULT(column) in a statement that writes to a view is not supported
ERROR 1235 (42000): INSERT of a view with a name for the new row is not supported
ok, 1 rows

# A key that is a row, or EXISTS, beside the word default.
query
SELECT column_default FROM information_schema.columns WHERE table_name = 'u' ORDER BY (table_name, ordinal_position)
----
ERROR 1241 (21000): operand should have 1 columns, but has 2

exec
DELETE FROM u WHERE hidden = 'default' ORDER BY EXISTS (SELECT 1 FROM t) LIMIT 1
----
ok, 1 rows

query
CHECK TABLE t, u
----
Table | Op | Msg_type | Msg_text
d.t | check | status | OK
d.u | check | status | OK

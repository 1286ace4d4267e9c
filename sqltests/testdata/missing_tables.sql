# A table that there is not is named with its database, and beside it the one that was probably meant.
exec
CREATE TABLE orders (_id VARCHAR(255) PRIMARY KEY, _doc JSON);
CREATE TABLE products (_id VARCHAR(255) PRIMARY KEY, _doc JSON);
CREATE VIEW cheap AS SELECT _id FROM products;
CREATE DATABASE other;
CREATE TABLE other.people (_id VARCHAR(255) PRIMARY KEY, _doc JSON)
----
ok, 0 rows
ok, 0 rows
ok, 0 rows
ok, 1 rows
ok, 0 rows

query
SELECT * FROM order_s
----
ERROR 1146 (42S02): Table 'd.order_s' doesn't exist; did you mean 'orders'?

query
SELECT * FROM d.ORDER_
----
ERROR 1146 (42S02): Table 'd.order_' doesn't exist; did you mean 'orders'?

query
SELECT * FROM chaep
----
ERROR 1146 (42S02): Table 'd.chaep' doesn't exist; did you mean 'cheap'?

query
SELECT * FROM people
----
ERROR 1146 (42S02): Table 'd.people' doesn't exist; did you mean 'other.people'?

query
SELECT * FROM other.orders
----
ERROR 1146 (42S02): Table 'other.orders' doesn't exist; did you mean 'd.orders'?

query
SELECT * FROM nothing
----
ERROR 1146 (42S02): Table 'd.nothing' doesn't exist

exec
INSERT INTO prodcts (_id) VALUES ('a');
UPDATE oders SET a = 1;
DELETE FROM oder;
DROP TABLE oder;
DROP TABLE IF EXISTS oder;
TRUNCATE TABLE oders;
ALTER TABLE oders ADD COLUMN a INT;
RENAME TABLE oders TO o;
CREATE VIEW v AS SELECT * FROM oders
----
ERROR 1146 (42S02): Table 'd.prodcts' doesn't exist; did you mean 'products'?
ERROR 1146 (42S02): Table 'd.oders' doesn't exist; did you mean 'orders'?
ERROR 1146 (42S02): Table 'd.oder' doesn't exist; did you mean 'orders'?
ERROR 1051 (42S02): Unknown table 'd.oder'; did you mean 'orders'?
ok, 0 rows
ERROR 1146 (42S02): Table 'd.oders' doesn't exist; did you mean 'orders'?
ERROR 1146 (42S02): Table 'd.oders' doesn't exist; did you mean 'orders'?
ERROR 1146 (42S02): Table 'd.oders' doesn't exist; did you mean 'orders'?
ERROR 1146 (42S02): Table 'd.oders' doesn't exist; did you mean 'orders'?

prepared
: a
SELECT * FROM oders WHERE _id = ?
----
ERROR 1146 (42S02): Table 'd.oders' doesn't exist; did you mean 'orders'?

exec
BEGIN;
INSERT INTO orders (_id) VALUES ('a');
SELECT * FROM oders;
INSERT INTO orders (_id) VALUES ('b');
COMMIT
----
ok, 0 rows
ok, 1 rows
ERROR 1146 (42S02): Table 'd.oders' doesn't exist; did you mean 'orders'?
ok, 1 rows
ok, 0 rows

query
SELECT COUNT(*) FROM orders
----
COUNT(*)
2

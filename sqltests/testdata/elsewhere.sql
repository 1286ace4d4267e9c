# What people type who come from other databases, or who misspell: the error says what was meant.
exec
CREATE DATABASE elsewhere;
CREATE TABLE orders (_id VARCHAR(255) PRIMARY KEY, _doc JSON);
INSERT INTO orders (_doc) VALUES ('{"_id":"a","status":"paid","customer":{"name":"Zoë"},"items":[{"sku":"x"}]}');
show collections;
show dbs;
db.orders.find({});
create collection t;
DROP SEQUENCE IF EXISTS `seq`;
select top 3 * from orders;
select * from orders where status == 'paid';
select * from orders where 'x' in tags;
select items[0].sku from orders;
create index i on orders(customer.name);
select * from orders where status = 'paid;
select * from `orders;
select orders.status, orders.customer form orders;
select * from orders where status in;
use elsewere;
select * from elsewere.t;
drop database elsewere;
drop database nothing_like_it;
create table elsewere.t (id int);
select _doc.customer.name from orders;
DROP DATABASE elsewhere;
----
ok, 1 rows
ok, 0 rows
ok, 1 rows
ERROR 1064 (42000): syntax error at position 17 near 'collections'; collections are tables: SHOW TABLES
ERROR 1064 (42000): syntax error at position 9 near 'dbs'; SHOW DATABASES lists them
ERROR 1064 (42000): syntax error at position 3 near 'db'; statements are SQL: SELECT * FROM a collection, INSERT INTO it, UPDATE it
ERROR 1064 (42000): syntax error at position 18 near 'collection'; a collection is a table: CREATE TABLE name (_id VARCHAR(255) PRIMARY KEY, _doc JSON)
ERROR 1064 (42000): syntax error at position 14 near 'SEQUENCE'; sequences of MariaDB are not there; AUTO_INCREMENT is
ERROR 1064 (42000): syntax error at position 13 near '3'; LIMIT at the end is what takes the first rows
ERROR 1064 (42000): syntax error at position 37 near 'status'; equality is =
ERROR 1064 (42000): syntax error at position 39 near 'tags'; what an array holds is found by: value MEMBER OF (column)
ERROR 1064 (42000): syntax error at position 14 near '['; elements of arrays are rows of their own table, or _doc->'$.items[0].sku'
ERROR 1064 (42000): syntax error at position 35 near 'customer'; a keypath is written in backquotes: `customer.name`
ERROR 1064 (42000): syntax error at position 42 near 'paid'; the quote ' has no end
ERROR 1064 (42000): syntax error at position 22 near 'orders'; the quote ` has no end
ERROR 1064 (42000): syntax error at position 50 near 'orders'
ERROR 1064 (42000): syntax error at position 37 near 'in'
ERROR 1049 (42000): Unknown database 'elsewere'; did you mean 'elsewhere'?
ERROR 1049 (42000): Unknown database 'elsewere'; did you mean 'elsewhere'?
ERROR 1008 (HY000): Can't drop database 'elsewere'; database doesn't exist; did you mean 'elsewhere'?
ERROR 1008 (HY000): Can't drop database 'nothing_like_it'; database doesn't exist
ERROR 1049 (42000): Unknown database 'elsewere'; did you mean 'elsewhere'?
ERROR 1054 (42S22): Unknown column '_doc.customer.name': the statement has no table 'customer'; a keypath is written in backquotes: `customer.name`
ok, 1 rows

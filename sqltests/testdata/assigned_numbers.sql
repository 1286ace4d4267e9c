# A string that is given to an undeclared column of numbers or booleans is stored as the value that it spells.

exec
CREATE TABLE products (id INT PRIMARY KEY, _doc JSON);
INSERT INTO products (id, price, name, ok) VALUES (1, 10, 'a', true), (2, 20.5, 'b', false), (3, NULL, '5', NULL);
UPDATE products SET price = '77.70', ok = '0', name = '6' WHERE id = 1;
INSERT INTO products (id, price, ok) VALUES (4, '12.50', 'true'), (5, ' .5 ', '1'), (6, '+1e3', 'FALSE'), (7, '9007199254740993', '1');
REPLACE INTO products (id, price) VALUES (4, '-55.0');
INSERT INTO products (id, price) VALUES (5, '1') ON DUPLICATE KEY UPDATE price = VALUES(price) + '0.5';
INSERT INTO products (id, price) VALUES (6, '1') ON DUPLICATE KEY UPDATE price = '99.90';
INSERT INTO products (id, price) SELECT id + 7, CONCAT('1', id, '.00') FROM products WHERE id < 3;
PREPARE s FROM 'INSERT INTO products (id, price) VALUES (?, ?)';
SET @id = 10, @price = '3.10';
EXECUTE s USING @id, @price;
INSERT INTO products (id, _doc) VALUES (11, '{"price": 1}');
UPDATE products SET price = '77.70' WHERE id = 2
----
ok, 0 rows
ok, 3 rows
ok, 1 rows
ok, 4 rows
ok, 2 rows
ok, 2 rows
ok, 2 rows
ok, 2 rows
ok, 0 rows
ok, 0 rows
ok, 1 rows
ok, 1 rows
ok, 1 rows

query
SELECT _doc FROM products ORDER BY id
----
_doc
{"id":1,"price":77.70,"name":"6","ok":false}
{"id":2,"price":77.70,"name":"b","ok":false}
{"id":3,"price":null,"name":"5","ok":null}
{"id":4,"price":-55.0}
{"id":5,"price":1.5,"ok":true}
{"id":6,"price":99.90,"ok":false}
{"id":7,"price":9007199254740993,"ok":true}
{"id":8,"price":11.00}
{"id":9,"price":12.00}
{"id":10,"price":3.10}
{"id":11,"price":1}

query
SELECT id, price FROM products WHERE price > '20' ORDER BY price
----
id | price
1 | 77.70
2 | 77.70
6 | 99.90
7 | 9007199254740993

# Within a transaction its own rows decide: the first text makes the column mixed.
exec
BEGIN;
INSERT INTO products (id, price) VALUES (20, '007')
----
ok, 0 rows
ok, 1 rows

query
SHOW WARNINGS
----
Level | Code | Message
Warning | 1366 | Column 'products.price' holds only numbers (json): a text that is no number is stored as it is, and the column becomes mixed (json)

exec
INSERT INTO products (id, price) VALUES (21, '5')
----
ok, 1 rows

query
SHOW WARNINGS
----
Level | Code | Message

query
SELECT _doc FROM products WHERE id >= 20
----
_doc
{"id":20,"price":"007"}
{"id":21,"price":"5"}

exec
ROLLBACK;
INSERT INTO products (id, price, ok) VALUES (22, '5', 'maybe'), (23, '', '2'), (24, 'abc', '1'), (25, '6', NULL)
----
ok, 0 rows
ok, 4 rows

query
SHOW WARNINGS
----
Level | Code | Message
Warning | 1366 | Column 'products.ok' holds only booleans (tinyint(1)): a text that is no boolean is stored as it is, and the column becomes mixed (json)
Warning | 1366 | Column 'products.price' holds only numbers (json): a text that is no number is stored as it is, and the column becomes mixed (json)

query
SELECT _doc FROM products WHERE id >= 20
----
_doc
{"id":22,"price":5,"ok":"maybe"}
{"id":23,"price":"","ok":"2"}
{"id":24,"price":"abc","ok":true}
{"id":25,"price":6,"ok":null}

# What a document says itself stays.
exec
CREATE TABLE d (id INT PRIMARY KEY, _doc JSON);
INSERT INTO d VALUES (1, '{"a": {"n": 1}, "l": [1, 2]}');
INSERT INTO d (id, _doc) VALUES (2, '{"a": {"n": "5"}}');
DELETE FROM d WHERE id = 2;
INSERT INTO d (id, `a.n`) VALUES (3, '5.0');
INSERT INTO d (id, l) VALUES (4, '5');
UPDATE d SET _doc = JSON_SET(_doc, '$.a.n', '7') WHERE id = 1
----
ok, 0 rows
ok, 1 rows
ok, 1 rows
ok, 1 rows
ok, 1 rows
ok, 1 rows
ok, 1 rows

query
SELECT _doc FROM d
----
_doc
{"id":1,"a":{"n":"7"},"l":[1,2]}
{"id":3,"a":{"n":5.0}}
{"id":4,"l":"5"}

query
CHECK TABLE products, d
----
Table | Op | Msg_type | Msg_text
d.products | check | status | OK
d.d | check | status | OK

# Numbers in quotes, and one number among texts, as programs and people write them.
exec
CREATE TABLE products (_id VARCHAR(255) PRIMARY KEY, _doc JSON)
----
ok, 0 rows

exec
INSERT INTO products (_id,_doc) VALUES ('1','{"price":10.5,"n":1,"ok":true,"name":"Pen"}'),('2','{"price":20.25,"n":2,"ok":false,"name":"Ink"}'),('3','{"price":30,"n":3,"ok":true,"name":"Pad"}')
----
ok, 3 rows

exec
UPDATE products SET price='77.7' WHERE _id='1'
----
ok, 1 rows

query
SELECT _id, price, JSON_TYPE(_doc->'$.price') FROM products WHERE price=77.7
----
_id | price | JSON_TYPE(_doc->'$.price')
1 | 77.7 | DOUBLE

query
SELECT COUNT(*) FROM products WHERE price > '20'
----
COUNT(*)
3

query
SELECT MAX(price) FROM products
----
MAX(price)
77.7

exec
UPDATE products SET price='12.50' WHERE _id='2'
----
ok, 1 rows

query
SELECT _doc FROM products WHERE _id='2'
----
_doc
{"_id":"2","price":12.50,"n":2,"ok":false,"name":"Ink"}

exec
INSERT INTO products (_id, price, n, ok) VALUES ('4','5.00','7','1')
----
ok, 1 rows

query
SELECT _doc FROM products WHERE _id='4'
----
_doc
{"_id":"4","price":5.00,"n":7,"ok":true}

exec
UPDATE products SET ok='true' WHERE _id='4'
----
ok, 0 rows

query
SELECT _doc FROM products WHERE _id='4'
----
_doc
{"_id":"4","price":5.00,"n":7,"ok":true}

exec
UPDATE products SET ok='0' WHERE _id='4'
----
ok, 1 rows

query
SELECT _doc FROM products WHERE _id='4'
----
_doc
{"_id":"4","price":5.00,"n":7,"ok":false}

exec
PREPARE s FROM 'UPDATE products SET n=? WHERE _id=?'
----
ok, 0 rows

exec
SET @a='42', @b='3'
----
ok, 0 rows

exec
EXECUTE s USING @a,@b
----
ok, 1 rows

query
SELECT _doc FROM products WHERE _id='3'
----
_doc
{"_id":"3","price":30,"n":42,"ok":true,"name":"Pad"}

exec
UPDATE products SET price=' 5' WHERE _id='3'
----
ok, 1 rows

query
SELECT _doc FROM products WHERE _id='3'
----
_doc
{"_id":"3","price":5,"n":42,"ok":true,"name":"Pad"}

exec
UPDATE products SET price='5' WHERE _id='3'
----
ok, 0 rows

exec
UPDATE products SET price='many' WHERE _id='3'
----
ok, 1 rows

query
SELECT _id, price FROM products ORDER BY price
----
_id | price
4 | 5.00
2 | 12.50
1 | 77.7
3 | "many"

query
SHOW COLUMNS FROM products
----
Field | Type | Null | Key | Default | Extra
_id | varchar(255) | NO | PRI | NULL |
price | json | YES |  | NULL |
n | bigint | YES |  | NULL |
ok | tinyint(1) | YES |  | NULL |
name | longtext | YES |  | NULL |

exec
UPDATE products SET _doc=JSON_SET(_doc,'$.n','55') WHERE _id='2'
----
ok, 1 rows

query
SELECT _doc FROM products WHERE _id='2'
----
_doc
{"_id":"2","price":12.50,"n":"55","ok":false,"name":"Ink"}

exec
CREATE TABLE films (_id INT PRIMARY KEY, _doc JSON)
----
ok, 0 rows

exec
INSERT INTO films VALUES (1,'{"Title":"The Mummy"}'),(2,'{"Title":"The \\"Big\\" One"}'),(3,'{"Title":1941}'),(4,'{"Title":"Zorro"}'),(5,'{"Title":true}'),(6,'{"Title":"12 Monkeys"}')
----
ok, 6 rows

query
SELECT _id, Title FROM films WHERE Title LIKE 'The %' ORDER BY _id
----
_id | Title
1 | "The Mummy"
2 | "The \"Big\" One"

query
SELECT COUNT(*) FROM films WHERE Title LIKE '19%'
----
COUNT(*)
1

query
SELECT SUBSTRING(Title,1,1), LENGTH(Title), UPPER(Title), CONCAT(Title,'!'), CAST(Title AS CHAR) FROM films ORDER BY _id
----
SUBSTRING(Title,1,1) | LENGTH(Title) | UPPER(Title) | CONCAT(Title,'!') | CAST(Title AS CHAR)
T | 9 | THE MUMMY | The Mummy! | The Mummy
T | 13 | THE "BIG" ONE | The "Big" One! | The "Big" One
1 | 4 | 1941 | 1941! | 1941
Z | 5 | ZORRO | Zorro! | Zorro
t | 4 | TRUE | true! | true
1 | 10 | 12 MONKEYS | 12 Monkeys! | 12 Monkeys

query
SELECT GROUP_CONCAT(Title ORDER BY _id) FROM films
----
GROUP_CONCAT(Title ORDER BY _id)
The Mummy,The "Big" One,1941,Zorro,true,12 Monkeys

query
SELECT _id FROM films WHERE Title REGEXP '^The' ORDER BY _id
----
_id
1
2

query
SELECT _id FROM films WHERE Title = 'Zorro'
----
_id
4

query
SELECT _id FROM films WHERE Title = 1941
----
_id
3

query
SELECT _id FROM films WHERE Title = '1941'
----
_id
3

query
SELECT _id FROM films WHERE Title < '2000' ORDER BY _id
----
_id
3
6

query
SELECT _id FROM films WHERE Title IN ('1941','Zorro') ORDER BY _id
----
_id
3
4

query
SELECT _id FROM films WHERE Title > 'U'
----
_id
4
5

query
SELECT _doc->'$.Title' LIKE 'The %', _doc->'$.Title' FROM films WHERE _id=1
----
_doc->'$.Title' LIKE 'The %' | _doc->'$.Title'
0 | "The Mummy"

query
SELECT LEFT(_doc->'$.Title',1), LEFT(Title,1), TRIM(Title), REPLACE(Title,'The','A'), LOCATE('M',Title) FROM films WHERE _id=1
----
LEFT(_doc->'$.Title',1) | LEFT(Title,1) | TRIM(Title) | REPLACE(Title,'The','A') | LOCATE('M',Title)
" | T | The Mummy | A Mummy | 5

exec
CREATE TABLE dj (id INT PRIMARY KEY, j JSON)
----
ok, 0 rows

exec
INSERT INTO dj VALUES (1,'"The x"'),(2,'5')
----
ok, 2 rows

query
SELECT id, j LIKE 'The %', j LIKE '"The %', SUBSTRING(j,1,1) FROM dj ORDER BY id
----
id | j LIKE 'The %' | j LIKE '"The %' | SUBSTRING(j,1,1)
1 | 0 | 1 | "
2 | 0 | 0 | 5

# GROUP BY … WITH ROLLUP: the answers are MariaDB's, but where GROUPING, ORDER BY or no rows are in play.
exec
CREATE TABLE sales (id INT PRIMARY KEY, year INT, country VARCHAR(20), product VARCHAR(32), profit INT, d DATE, price DECIMAL(8,2));
INSERT INTO sales VALUES (1,2000,'Finland','Computer',1500,'2000-01-02',10.50),(2,2000,'Finland','Phone',100,'2000-02-02',1.25),(3,2000,'India','Calculator',150,'2000-02-03',2),(4,2000,'India','Computer',1200,'2000-05-02',3),(5,2000,'USA','Calculator',75,'2000-03-02',4),(6,2000,'USA','Computer',1500,'2000-01-02',5),(7,2001,'Finland','Phone',10,'2001-01-02',6),(8,2001,'USA','Calculator',50,'2001-01-05',7.75),(9,2001,'USA','Computer',2700,'2001-04-02',8),(10,2001,'USA','TV',250,'2001-01-02',9),(11,2001,NULL,'TV',NULL,NULL,NULL),(12,NULL,'USA',NULL,5,'2001-01-02',1)
----
ok, 0 rows
ok, 12 rows

exec
ALTER TABLE sales ADD INDEX (year, country)
----
ok, 0 rows

query
SELECT year, SUM(profit) FROM sales GROUP BY year WITH ROLLUP
----
year | SUM(profit)
NULL | 5
2000 | 4525
2001 | 3010
NULL | 7540

query
SELECT year, country, product, SUM(profit) AS profit FROM sales GROUP BY year, country, product WITH ROLLUP
----
year | country | product | profit
NULL | USA | NULL | 5
NULL | USA | NULL | 5
NULL | NULL | NULL | 5
2000 | Finland | Computer | 1500
2000 | Finland | Phone | 100
2000 | Finland | NULL | 1600
2000 | India | Calculator | 150
2000 | India | Computer | 1200
2000 | India | NULL | 1350
2000 | USA | Calculator | 75
2000 | USA | Computer | 1500
2000 | USA | NULL | 1575
2000 | NULL | NULL | 4525
2001 | NULL | TV | NULL
2001 | NULL | NULL | NULL
2001 | Finland | Phone | 10
2001 | Finland | NULL | 10
2001 | USA | Calculator | 50
2001 | USA | Computer | 2700
2001 | USA | TV | 250
2001 | USA | NULL | 3000
2001 | NULL | NULL | 3010
NULL | NULL | NULL | 7540

query
SELECT year, country, COUNT(*), COUNT(DISTINCT product), AVG(profit), MIN(d), MAX(d), SUM(price), AVG(price) FROM sales GROUP BY year, country WITH ROLLUP
----
year | country | COUNT(*) | COUNT(DISTINCT product) | AVG(profit) | MIN(d) | MAX(d) | SUM(price) | AVG(price)
NULL | USA | 1 | 0 | 5.0000 | 2001-01-02 | 2001-01-02 | 1.00 | 1.000000
NULL | NULL | 1 | 0 | 5.0000 | 2001-01-02 | 2001-01-02 | 1.00 | 1.000000
2000 | Finland | 2 | 2 | 800.0000 | 2000-01-02 | 2000-02-02 | 11.75 | 5.875000
2000 | India | 2 | 2 | 675.0000 | 2000-02-03 | 2000-05-02 | 5.00 | 2.500000
2000 | USA | 2 | 2 | 787.5000 | 2000-01-02 | 2000-03-02 | 9.00 | 4.500000
2000 | NULL | 6 | 3 | 754.1667 | 2000-01-02 | 2000-05-02 | 25.75 | 4.291667
2001 | NULL | 1 | 1 | NULL | NULL | NULL | NULL | NULL
2001 | Finland | 1 | 1 | 10.0000 | 2001-01-02 | 2001-01-02 | 6.00 | 6.000000
2001 | USA | 3 | 3 | 1000.0000 | 2001-01-02 | 2001-04-02 | 24.75 | 8.250000
2001 | NULL | 5 | 4 | 752.5000 | 2001-01-02 | 2001-04-02 | 30.75 | 7.687500
NULL | NULL | 12 | 4 | 685.4545 | 2000-01-02 | 2001-04-02 | 57.50 | 5.227273

query
SELECT country, GROUP_CONCAT(product ORDER BY product, id) FROM sales GROUP BY country WITH ROLLUP
----
country | GROUP_CONCAT(product ORDER BY product, id)
NULL | TV
Finland | Computer,Phone,Phone
India | Calculator,Computer
USA | Calculator,Calculator,Computer,Computer,TV
NULL | Calculator,Calculator,Calculator,Computer,Computer,Computer,Computer,Phone,Phone,TV,TV

query
SELECT COALESCE(country,'Total') c, SUM(profit) s FROM sales WHERE country IS NOT NULL GROUP BY country WITH ROLLUP
----
c | s
Finland | 1610
India | 1350
USA | 4580
Total | 7540

query
SELECT IFNULL(country,'Total') AS country, SUM(profit) s FROM sales WHERE country IS NOT NULL GROUP BY country WITH ROLLUP
----
country | s
Finland | 1610
India | 1350
USA | 4580
Total | 7540

query
SELECT year, country, SUM(profit) s FROM sales GROUP BY year, country WITH ROLLUP HAVING s > 200
----
year | country | s
2000 | Finland | 1600
2000 | India | 1350
2000 | USA | 1575
2000 | NULL | 4525
2001 | USA | 3000
2001 | NULL | 3010
NULL | NULL | 7540

query
SELECT year, country, SUM(profit) s FROM sales GROUP BY year, country WITH ROLLUP HAVING year IS NULL
----
year | country | s
NULL | USA | 5
NULL | NULL | 5
NULL | NULL | 7540

query
SELECT year, country, SUM(profit) FROM sales GROUP BY 1, 2 WITH ROLLUP
----
year | country | SUM(profit)
NULL | USA | 5
NULL | NULL | 5
2000 | Finland | 1600
2000 | India | 1350
2000 | USA | 1575
2000 | NULL | 4525
2001 | NULL | NULL
2001 | Finland | 10
2001 | USA | 3000
2001 | NULL | 3010
NULL | NULL | 7540

query
SELECT YEAR(d) AS y, MONTH(d) AS m, SUM(profit) FROM sales GROUP BY y, m WITH ROLLUP
----
y | m | SUM(profit)
NULL | NULL | NULL
NULL | NULL | NULL
2000 | 1 | 3000
2000 | 2 | 250
2000 | 3 | 75
2000 | 5 | 1200
2000 | NULL | 4525
2001 | 1 | 315
2001 | 4 | 2700
2001 | NULL | 3015
NULL | NULL | 7540

query
SELECT YEAR(d), SUM(profit) FROM sales GROUP BY YEAR(d) WITH ROLLUP
----
YEAR(d) | SUM(profit)
NULL | NULL
2000 | 4525
2001 | 3015
NULL | 7540

query
SELECT CONCAT(year,'-',country) k, COUNT(*) FROM sales GROUP BY year, country WITH ROLLUP
----
k | COUNT(*)
NULL | 1
NULL | 1
2000-Finland | 2
2000-India | 2
2000-USA | 2
NULL | 6
NULL | 1
2001-Finland | 1
2001-USA | 3
NULL | 5
NULL | 12

query
SELECT d, COUNT(*), MAX(price) FROM sales GROUP BY d WITH ROLLUP
----
d | COUNT(*) | MAX(price)
NULL | 1 | NULL
2000-01-02 | 2 | 10.50
2000-02-02 | 1 | 1.25
2000-02-03 | 1 | 2.00
2000-03-02 | 1 | 4.00
2000-05-02 | 1 | 3.00
2001-01-02 | 3 | 9.00
2001-01-05 | 1 | 7.75
2001-04-02 | 1 | 8.00
NULL | 12 | 10.50

query
SELECT price, COUNT(*) FROM sales GROUP BY price WITH ROLLUP
----
price | COUNT(*)
NULL | 1
1.00 | 1
1.25 | 1
2.00 | 1
3.00 | 1
4.00 | 1
5.00 | 1
6.00 | 1
7.75 | 1
8.00 | 1
9.00 | 1
10.50 | 1
NULL | 12

query
SELECT * FROM (SELECT year y, SUM(profit) s FROM sales GROUP BY year WITH ROLLUP) t WHERE y IS NULL ORDER BY s
----
y | s
NULL | 5
NULL | 7540

query
SELECT t.y, t.s, u.year FROM (SELECT year y, SUM(profit) s FROM sales GROUP BY year WITH ROLLUP) t LEFT JOIN (SELECT DISTINCT year FROM sales) u ON u.year = t.y ORDER BY t.s
----
y | s | year
NULL | 5 | NULL
2001 | 3010 | 2001
2000 | 4525 | 2000
NULL | 7540 | NULL

query
SELECT product FROM sales GROUP BY product WITH ROLLUP
----
product
NULL
Calculator
Computer
Phone
TV
NULL

query
SELECT COUNT(*) FROM sales GROUP BY product WITH ROLLUP
----
COUNT(*)
1
3
4
2
2
12

query
SELECT s.country, SUM(s.profit)/COUNT(*) FROM sales s JOIN (SELECT 2000 AS yy UNION SELECT 2001) y ON y.yy = s.year GROUP BY s.country WITH ROLLUP
----
country | SUM(s.profit)/COUNT(*)
NULL | NULL
Finland | 536.6667
India | 675.0000
USA | 915.0000
NULL | 685.0000

query
SELECT country, SUM(year), MAX(country), MIN(country) FROM sales GROUP BY country WITH ROLLUP
----
country | SUM(year) | MAX(country) | MIN(country)
NULL | 2001 | NULL | NULL
Finland | 6001 | Finland | Finland
India | 4000 | India | India
USA | 10003 | USA | USA
NULL | 22005 | USA | Finland

query
SELECT country, SUM(profit), SUM(profit)/(SELECT SUM(profit) FROM sales) FROM sales GROUP BY country WITH ROLLUP
----
country | SUM(profit) | SUM(profit)/(SELECT SUM(profit) FROM sales)
NULL | NULL | NULL
Finland | 1610 | 0.2135
India | 1350 | 0.1790
USA | 4580 | 0.6074
NULL | 7540 | 1.0000

query
SELECT year, country, SUM(profit) FROM sales WHERE id IN (SELECT id FROM sales WHERE profit > 60) GROUP BY year, country WITH ROLLUP
----
year | country | SUM(profit)
2000 | Finland | 1600
2000 | India | 1350
2000 | USA | 1575
2000 | NULL | 4525
2001 | USA | 2950
2001 | NULL | 2950
NULL | NULL | 7475

query
SELECT year, STDDEV(profit) > 0, BIT_OR(id), BIT_XOR(id), BIT_AND(id) FROM sales GROUP BY year WITH ROLLUP
----
year | STDDEV(profit) > 0 | BIT_OR(id) | BIT_XOR(id) | BIT_AND(id)
NULL | 0 | 12 | 12 | 12
2000 | 1 | 7 | 7 | 0
2001 | 1 | 15 | 7 | 0
NULL | 1 | 15 | 12 | 0

query
SELECT id, SUM(profit) FROM sales WHERE id < 4 GROUP BY id WITH ROLLUP
----
id | SUM(profit)
1 | 1500
2 | 100
3 | 150
NULL | 1750

query
SELECT year+1, SUM(profit) FROM sales GROUP BY year WITH ROLLUP
----
year+1 | SUM(profit)
NULL | 5
2001 | 4525
2002 | 3010
NULL | 7540

query
SELECT year+1 yp, SUM(profit) FROM sales GROUP BY yp WITH ROLLUP
----
yp | SUM(profit)
NULL | 5
2001 | 4525
2002 | 3010
NULL | 7540

query
SELECT year, country, SUM(profit) FROM sales GROUP BY year, country WITH ROLLUP LIMIT 5
----
year | country | SUM(profit)
NULL | USA | 5
NULL | NULL | 5
2000 | Finland | 1600
2000 | India | 1350
2000 | USA | 1575

query
SELECT CASE WHEN country IS NULL THEN 'all' ELSE country END c, SUM(profit) FROM sales WHERE country > '' GROUP BY country WITH ROLLUP
----
c | SUM(profit)
Finland | 1610
India | 1350
USA | 4580
all | 7540

query
SELECT year, country, SUM(CASE WHEN product='Computer' THEN profit ELSE 0 END) pc, SUM(IF(product='Phone',1,0)) FROM sales GROUP BY year, country WITH ROLLUP
----
year | country | pc | SUM(IF(product='Phone',1,0))
NULL | USA | 0 | 0
NULL | NULL | 0 | 0
2000 | Finland | 1500 | 1
2000 | India | 1200 | 0
2000 | USA | 1500 | 0
2000 | NULL | 4200 | 1
2001 | NULL | 0 | 0
2001 | Finland | 0 | 1
2001 | USA | 2700 | 0
2001 | NULL | 2700 | 1
NULL | NULL | 6900 | 2

query
SELECT LEFT(country,1) l, COUNT(DISTINCT year, product) FROM sales GROUP BY LEFT(country,1) WITH ROLLUP
----
l | COUNT(DISTINCT year, product)
NULL | 1
F | 3
I | 2
U | 5
NULL | 7

query
(SELECT year, SUM(profit) FROM sales GROUP BY year WITH ROLLUP) UNION ALL (SELECT country, SUM(profit) FROM sales GROUP BY country WITH ROLLUP)
----
year | SUM(profit)
NULL | 5
2000 | 4525
2001 | 3010
NULL | 7540
NULL | NULL
Finland | 1610
India | 1350
USA | 4580
NULL | 7540

query
SELECT product, year, COUNT(*) FROM sales GROUP BY product, year WITH ROLLUP HAVING COUNT(*) > 1
----
product | year | COUNT(*)
Calculator | 2000 | 2
Calculator | NULL | 3
Computer | 2000 | 3
Computer | NULL | 4
Phone | NULL | 2
TV | 2001 | 2
TV | NULL | 2
NULL | NULL | 12

query
SELECT year, SUM(profit) s FROM sales GROUP BY year WITH ROLLUP HAVING year IS NULL
----
year | s
NULL | 5
NULL | 7540

query
SELECT year, country, SUM(profit) s, GROUPING(year) gy, GROUPING(country) gc, GROUPING(year, country) g FROM sales GROUP BY year, country WITH ROLLUP
----
year | country | s | gy | gc | g
NULL | USA | 5 | 0 | 0 | 0
NULL | NULL | 5 | 0 | 1 | 1
2000 | Finland | 1600 | 0 | 0 | 0
2000 | India | 1350 | 0 | 0 | 0
2000 | USA | 1575 | 0 | 0 | 0
2000 | NULL | 4525 | 0 | 1 | 1
2001 | NULL | NULL | 0 | 0 | 0
2001 | Finland | 10 | 0 | 0 | 0
2001 | USA | 3000 | 0 | 0 | 0
2001 | NULL | 3010 | 0 | 1 | 1
NULL | NULL | 7540 | 1 | 1 | 3

query
SELECT year, country, SUM(profit) s FROM sales GROUP BY year, country WITH ROLLUP HAVING GROUPING(year, country) <> 0
----
year | country | s
NULL | NULL | 5
2000 | NULL | 4525
2001 | NULL | 3010
NULL | NULL | 7540

query
SELECT IF(GROUPING(year), 'All years', year) AS year, IF(GROUPING(country),'All',country) AS country, SUM(profit) p FROM sales GROUP BY year, country WITH ROLLUP ORDER BY GROUPING(year) DESC, p DESC
----
year | country | p
All years | All | 7540
2000 | All | 4525
2001 | All | 3010
2001 | USA | 3000
2000 | Finland | 1600
2000 | USA | 1575
2000 | India | 1350
2001 | Finland | 10
NULL | USA | 5
NULL | All | 5
2001 | NULL | NULL

query
SELECT year, SUM(profit) p FROM sales GROUP BY year WITH ROLLUP ORDER BY p DESC LIMIT 2
----
year | p
NULL | 7540
2000 | 4525

query
SELECT year, SUM(profit) FROM sales GROUP BY year WITH ROLLUP ORDER BY year DESC
----
year | SUM(profit)
2001 | 3010
2000 | 4525
NULL | 5
NULL | 7540

query
SELECT year, SUM(profit) FROM sales GROUP BY year WITH ROLLUP ORDER BY SUM(profit), year IS NULL
----
year | SUM(profit)
NULL | 5
2001 | 3010
2000 | 4525
NULL | 7540

query
SELECT year y, COUNT(*) FROM sales GROUP BY y WITH ROLLUP ORDER BY y IS NULL, y DESC
----
y | COUNT(*)
2001 | 5
2000 | 6
NULL | 1
NULL | 12

query
SELECT DISTINCT country IS NULL FROM sales GROUP BY year, country WITH ROLLUP ORDER BY 1
----
country IS NULL
0
1

query
SELECT year, COUNT(*) FROM sales WHERE id > 100 GROUP BY year WITH ROLLUP
----
year | COUNT(*)
NULL | 0

query
SELECT *, 1 FROM sales GROUP BY year WITH ROLLUP
----
ERROR 1235 (42000): WITH ROLLUP of SELECT * is not supported: name the columns

query
SELECT year, RANK() OVER (ORDER BY SUM(profit)) FROM sales GROUP BY year WITH ROLLUP
----
ERROR 1235 (42000): window functions beside WITH ROLLUP are not supported

query
SELECT year, profit FROM sales GROUP BY year WITH ROLLUP
----
ERROR 1055 (42000): expression 'sales.profit' doesn't appear in the group by expressions

exec
CREATE VIEW rv AS SELECT year, SUM(profit) p, GROUPING(year) g FROM sales GROUP BY year WITH ROLLUP
----
ok, 0 rows

query
SELECT * FROM rv WHERE g = 1
----
year | p | g
NULL | 7540 | 1

query
SHOW CREATE VIEW rv
----
View | Create View | character_set_client | collation_connection
rv | CREATE VIEW `rv` AS SELECT year, SUM(profit) p, GROUPING(year) g FROM sales GROUP BY year WITH ROLLUP | utf8mb4 | utf8mb4_0900_bin

exec
CREATE TABLE rt AS SELECT year, country, SUM(profit) p FROM sales GROUP BY year, country WITH ROLLUP
----
ok, 11 rows

query
SELECT COUNT(*) FROM rt
----
COUNT(*)
11

query
SHOW CREATE TABLE rt
----
Table | Create Table
rt | CREATE TABLE `rt` (
  `year` int,
  `country` varchar(20),
  `p` decimal(32,0)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_as_cs

exec
CREATE TABLE ri (y INT, p INT)
----
ok, 0 rows

exec
INSERT INTO ri SELECT year, SUM(profit) FROM sales GROUP BY year WITH ROLLUP
----
ok, 4 rows

query
SELECT * FROM ri ORDER BY p
----
y | p
NULL | 5
2001 | 3010
2000 | 4525
NULL | 7540

exec
SET @p = 60
----
ok, 0 rows

exec
PREPARE s FROM 'SELECT year, SUM(profit + ?) FROM sales WHERE profit > ? GROUP BY year WITH ROLLUP LIMIT ?'
----
ok, 0 rows

exec
SET @a=1, @b=60, @c=9
----
ok, 0 rows

query
EXECUTE s USING @a, @b, @c
----
year | SUM(profit + ?)
2000 | 4531
2001 | 2952
NULL | 7483

query
WITH c AS (SELECT * FROM sales WHERE profit > 60) SELECT year, COUNT(*) FROM c GROUP BY year WITH ROLLUP
----
year | COUNT(*)
2000 | 6
2001 | 2
NULL | 8

query
SELECT s.year, (SELECT SUM(p) FROM (SELECT country, SUM(profit) p FROM sales i WHERE i.year = s.year GROUP BY country WITH ROLLUP) x) FROM sales s WHERE s.id IN (1, 7)
----
year | (SELECT SUM(p) FROM (SELECT country, SUM(profit) p FROM sales i WHERE i.year = s.year GROUP BY country WITH ROLLUP) x)
2000 | 9050
2001 | 6020

query
SELECT SQL_CALC_FOUND_ROWS year, COUNT(*) FROM sales GROUP BY year WITH ROLLUP LIMIT 1
----
year | COUNT(*)
NULL | 1

query
SELECT FOUND_ROWS()
----
FOUND_ROWS()
4

query
SELECT year, GROUPING(country) FROM sales GROUP BY year WITH ROLLUP
----
ERROR 3580 (HY000): Argument #0 of GROUPING function is not in GROUP BY

query
SELECT GROUPING(year) FROM sales GROUP BY year
----
ERROR 1305 (42000): function: 'grouping' not found

query
SELECT GROUPING(y), YEAR(d) y FROM sales GROUP BY y WITH ROLLUP
----
GROUPING(y) | y
0 | NULL
0 | 2000
0 | 2001
1 | NULL

query
SELECT ANY_VALUE(country), year FROM sales GROUP BY year WITH ROLLUP
----
ANY_VALUE(country) | year
USA | NULL
Finland | 2000
Finland | 2001
Finland | NULL

query
SELECT sales.year, SUM(profit) FROM sales GROUP BY year WITH ROLLUP
----
year | SUM(profit)
NULL | 5
2000 | 4525
2001 | 3010
NULL | 7540

query
SELECT year, SUM(profit) AS `sum of it`, max(year) FROM sales GROUP BY sales.year WITH ROLLUP
----
year | sum of it | max(year)
NULL | 5 | NULL
2000 | 4525 | 2000
2001 | 3010 | 2001
NULL | 7540 | 2001

query
SELECT column_name, ordinal_position FROM information_schema.columns WHERE table_name = 'rv' ORDER BY 2
----
COLUMN_NAME | ORDINAL_POSITION
year | 1
p | 2
g | 3

exec
CREATE TABLE docs (_id VARCHAR(255) PRIMARY KEY, _doc JSON);
INSERT INTO docs (_id, _doc) VALUES ('1', '{"a": {"b": "x", "c": 1}, "n": 1}'), ('2', '{"a": {"b": "x", "c": 2}, "n": 2.5}'), ('3', '{"a": {"b": "y"}, "n": 10}'), ('4', '{"n": 100}')
----
ok, 0 rows
ok, 4 rows

query
SELECT t._id, SUM(n) FROM docs t GROUP BY t.`a.b`, `a.c` WITH ROLLUP
----
ERROR 1055 (42000): expression 't._id' doesn't appear in the group by expressions

query
SELECT year, country, (SELECT MAX(id) FROM sales i WHERE i.year = sales.year) FROM sales GROUP BY year, country WITH ROLLUP
----
ERROR 1235 (42000): subqueries that name what is grouped by, beside WITH ROLLUP, are not supported

query
SELECT `a.b`, `a.c`, SUM(n), COUNT(*), GROUPING(`a.b`, `a.c`) FROM docs GROUP BY `a.b`, `a.c` WITH ROLLUP
----
a.b | a.c | SUM(n) | COUNT(*) | GROUPING(`a.b`, `a.c`)
NULL | NULL | 100 | 1 | 0
NULL | NULL | 100 | 1 | 1
x | 1 | 1 | 1 | 0
x | 2 | 2.5 | 1 | 0
x | NULL | 3.5 | 2 | 1
y | NULL | 10 | 1 | 0
y | NULL | 10 | 1 | 1
NULL | NULL | 113.5 | 4 | 3

query
SELECT _doc->>'$.a.b' AS b, SUM(n) FROM docs GROUP BY b WITH ROLLUP
----
b | SUM(n)
NULL | 100
x | 3.5
y | 10
NULL | 113.5

query
SELECT SUM(profit) FROM sales WITH ROLLUP
----
ERROR 1105 (HY000): table function: 'with_rollup' not found

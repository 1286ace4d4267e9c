# A number out of its column's range is refused by whatever gives it to the column.

exec
CREATE TABLE r (id INT PRIMARY KEY, a TINYINT, b SMALLINT UNSIGNED, c DECIMAL(4,1), e FLOAT, f INT, g BIGINT UNSIGNED, h BIGINT, k BOOLEAN);
CREATE TABLE o (_id VARCHAR(9) PRIMARY KEY, n TINYINT, _doc JSON);
CREATE TABLE s (id INT PRIMARY KEY, v BIGINT);
INSERT INTO r (id, a) VALUES (1, 120), (2, 0);
INSERT INTO o (_id, n, m) VALUES ('x', 1, 1);
INSERT INTO s VALUES (1, 4000000000), (2, 5);
UPDATE r SET a = 128;
UPDATE r SET a = a + 10;
UPDATE r SET a = '300' WHERE id = 1;
UPDATE r SET a = -129 WHERE id = 2;
UPDATE r SET b = -1;
UPDATE r SET b = 65536;
UPDATE r SET c = 1000;
UPDATE r SET e = 1e300;
UPDATE r SET f = 3000000000;
UPDATE r SET g = -1;
UPDATE r SET g = 1e30;
UPDATE r SET h = 9223372036854775808;
UPDATE r SET k = 200;
UPDATE r JOIN s ON s.id = r.id SET r.f = s.v;
INSERT INTO r (id, a) VALUES (1, 5) ON DUPLICATE KEY UPDATE a = a + 200;
UPDATE o SET n = n + 500;
UPDATE o SET n = 100, m = 500
----
ok, 0 rows
ok, 0 rows
ok, 0 rows
ok, 2 rows
ok, 1 rows
ok, 2 rows
ERROR 1264 (22003): 128 out of range for tinyint
ERROR 1264 (22003): 130 out of range for tinyint
ERROR 1264 (22003): 300 out of range for tinyint
ERROR 1264 (22003): -129 out of range for tinyint
ERROR 1264 (22003): -1 out of range for smallint unsigned
ERROR 1264 (22003): 65536 out of range for smallint unsigned
ERROR 1264 (22003): Out of range value for column of Decimal type 
ERROR 1264 (22003): 1e+300 out of range for float
ERROR 1264 (22003): 3000000000 out of range for int
ERROR 1264 (22003): -1 out of range for bigint unsigned
ERROR 1264 (22003): 1e+30 out of range for bigint unsigned
ERROR 1264 (22003): 9223372036854775808 out of range for bigint
ERROR 1264 (22003): 200 out of range for tinyint(1)
ERROR 1264 (22003): 4000000000 out of range for int
ERROR 1264 (22003): 320 out of range for tinyint
ERROR 1264 (22003): 501 out of range for tinyint
ok, 1 rows

query
SELECT * FROM r
----
id | a | b | c | e | f | g | h | k
1 | 120 | NULL | NULL | NULL | NULL | NULL | NULL | NULL
2 | 0 | NULL | NULL | NULL | NULL | NULL | NULL | NULL

query
SELECT _id, n, m FROM o
----
_id | n | m
x | 100 | 500

# What is in the range is taken as ever.

exec
UPDATE r SET a = 127, b = 65535, c = 999.9, e = 3.4e38, f = -2147483648, g = 18446744073709551615, h = '-9223372036854775808', k = TRUE WHERE id = 1;
UPDATE r SET a = 1.6, b = '7', f = NULL, k = 2 WHERE id = 2;
UPDATE r SET a = a, b = b + 0;
UPDATE IGNORE r SET a = 1000 WHERE id = 2
----
ok, 1 rows
ok, 1 rows
ok, 0 rows
ok, 1 rows

query
SELECT * FROM r
----
id | a | b | c | e | f | g | h | k
1 | 127 | 65535 | 999.9 | 3.4e+38 | -2147483648 | 18446744073709551615 | -9223372036854775808 | 1
2 | 127 | 7 | NULL | NULL | NULL | NULL | NULL | 2

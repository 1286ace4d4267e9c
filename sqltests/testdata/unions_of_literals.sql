# Drivers of ODBC ask for their types by a long UNION of literals. The engine alone takes exponential time for it.
query
SELECT 'BIT' AS TYPE_NAME, -7 AS DATA_TYPE, 1 AS COLUMN_SIZE, '' AS LITERAL_PREFIX, NULL AS CREATE_PARAMS, NULL AS n
UNION SELECT 'BOOL', -7, 1, '', NULL, NULL UNION SELECT 'TINYINT', -6, 3, '', NULL, NULL
UNION SELECT 'BIGINT', -5, 19, '', NULL, NULL UNION SELECT 'BIGINT UNSIGNED', -5, 20, '', NULL, NULL
UNION SELECT 'LONG VARBINARY', -4, 16777215, '''', NULL, NULL UNION SELECT 'VARBINARY', -3, 255, '''', 'length', NULL
UNION SELECT 'BINARY', -2, 255, '''', 'length', NULL UNION SELECT 'TEXT', -1, 65535, '''', NULL, NULL
UNION SELECT 'LONGTEXT', -1, 2147483647, '''', NULL, NULL UNION SELECT 'CHAR', 1, 255, '''', 'length', NULL
UNION SELECT 'NUMERIC', 2, 65, '', 'precision,scale', NULL UNION SELECT 'DECIMAL', 3, 65, '', 'precision,scale', NULL
UNION SELECT 'INT', 4, 10, '', NULL, NULL UNION SELECT 'SMALLINT', 5, 5, '', NULL, NULL
UNION SELECT 'FLOAT', 7, 10, '', 'precision,scale', NULL UNION SELECT 'DOUBLE', 8, 17, '', NULL, NULL
UNION SELECT 'DATE', 91, 10, '''', NULL, NULL UNION SELECT 'TIME', 92, 18, '''', NULL, NULL
UNION SELECT 'DATETIME', 93, 27, '''', NULL, NULL UNION SELECT 'TIMESTAMP', 93, 27, '''', NULL, NULL
UNION SELECT 'VARCHAR', 12, 255, '''', 'length', NULL UNION SELECT 'ENUM', 12, 255, '''', NULL, NULL
UNION SELECT 'SET', 12, 255, '''', NULL, NULL UNION SELECT 'BIT', -7, 1, '', NULL, NULL
ORDER BY DATA_TYPE, TYPE_NAME
----
TYPE_NAME | DATA_TYPE | COLUMN_SIZE | LITERAL_PREFIX | CREATE_PARAMS | n
BIT | -7 | 1 |  | NULL | NULL
BOOL | -7 | 1 |  | NULL | NULL
TINYINT | -6 | 3 |  | NULL | NULL
BIGINT | -5 | 19 |  | NULL | NULL
BIGINT UNSIGNED | -5 | 20 |  | NULL | NULL
LONG VARBINARY | -4 | 16777215 | ' | NULL | NULL
VARBINARY | -3 | 255 | ' | length | NULL
BINARY | -2 | 255 | ' | length | NULL
LONGTEXT | -1 | 2147483647 | ' | NULL | NULL
TEXT | -1 | 65535 | ' | NULL | NULL
CHAR | 1 | 255 | ' | length | NULL
NUMERIC | 2 | 65 |  | precision,scale | NULL
DECIMAL | 3 | 65 |  | precision,scale | NULL
INT | 4 | 10 |  | NULL | NULL
SMALLINT | 5 | 5 |  | NULL | NULL
FLOAT | 7 | 10 |  | precision,scale | NULL
DOUBLE | 8 | 17 |  | NULL | NULL
ENUM | 12 | 255 | ' | NULL | NULL
SET | 12 | 255 | ' | NULL | NULL
VARCHAR | 12 | 255 | ' | length | NULL
DATE | 91 | 10 | ' | NULL | NULL
TIME | 92 | 18 | ' | NULL | NULL
DATETIME | 93 | 27 | ' | NULL | NULL
TIMESTAMP | 93 | 27 | ' | NULL | NULL

# The names are the first SELECT's.
query
SELECT 'a', 1, NULL UNION ALL SELECT 'bc', 200, NULL UNION ALL SELECT 'def', 70000, 'x' UNION ALL SELECT 'a', -5, NULL
----
a | 1 | NULL
a | 1 | NULL
bc | 200 | NULL
def | 70000 | x
a | -5 | NULL

query
SELECT COUNT(*), SUM(n), MAX(s) FROM (SELECT 1 AS n, 'a' AS s UNION SELECT 1000, 'bcd' UNION SELECT 70000, NULL
UNION SELECT 5000000000, 'zz') AS t
----
COUNT(*) | SUM(n) | MAX(s)
4 | 5000071001 | zz

exec
SELECT 1, 2 UNION SELECT 3, 4 UNION SELECT 5, 6 UNION SELECT 7
----
ERROR 1105 (HY000): cannot union two queries whose schemas are different lengths; left has 2 column(s) right has 1 column(s).

# Numbers beside texts are texts, as in any UNION.
query
SELECT 1 AS a UNION ALL SELECT 'x' UNION ALL SELECT 300 UNION ALL SELECT 'yy' UNION ALL SELECT NULL
----
a
1
x
300
yy
NULL

exec
CREATE TABLE k (id INT PRIMARY KEY, n INT)
----
ok, 0 rows

query
SELECT column_name FROM information_schema.columns WHERE column_key = 'pri' AND table_name = BINARY 'k' AND table_schema = 'd'
----
COLUMN_NAME
id

# Names don't depend on how many SELECTs there are.
query
SELECT NULL UNION SELECT 1
----
NULL
NULL
1

query
SELECT NULL UNION (SELECT 1 UNION SELECT 2 UNION SELECT 3)
----
NULL
NULL
1
2
3

query
SELECT NULL UNION SELECT 1 UNION SELECT 2 UNION SELECT 3
----
NULL
NULL
1
2
3

query
SELECT '', 'a"''b', 'a' 'b', 'a\tb', 00 UNION ALL SELECT 'a', 'a', 'a', 'a', 1
----
 | a"'b | 'a' 'b' | a\tb | 00
 | a"'b | ab | a	b | 0
a | a | a | a | 1

query
SELECT '', 'a"''b', 'a' 'b', 'a\tb', 00 UNION ALL SELECT 'a', 'a', 'a', 'a', 1 UNION ALL SELECT 'a', 'a', 'a', 'a', 1
UNION ALL SELECT 'a', 'a', 'a', 'a', 1
----
 | a"'b | 'a' 'b' | a\tb | 00
 | a"'b | ab | a	b | 0
a | a | a | a | 1
a | a | a | a | 1
a | a | a | a | 1

query
SELECT '', 'a"''b', 'a' 'b', 'a\tb', 00 UNION ALL (SELECT 'a', 'a', 'a', 'a', 1 UNION ALL SELECT 'a', 'a', 'a', 'a', 1
UNION ALL SELECT 'a', 'a', 'a', 'a', 1)
----
 | a"'b | 'a' 'b' | a\tb | 00
 | a"'b | ab | a	b | 0
a | a | a | a | 1
a | a | a | a | 1
a | a | a | a | 1

# SELECTs of literals from tables are no such chain.
exec
CREATE TABLE tl (a INT PRIMARY KEY);
INSERT INTO tl VALUES (1), (2)
----
ok, 0 rows
ok, 2 rows

query
SELECT NULL FROM tl UNION ALL (SELECT 1 FROM tl WHERE a = 1 UNION ALL SELECT 2 UNION ALL SELECT 3)
----
NULL
NULL
NULL
1
2
3

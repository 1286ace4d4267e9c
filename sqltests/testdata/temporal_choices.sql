# GREATEST, LEAST, COALESCE, IF, IFNULL, NULLIF and CASE of dates and times: what they give has a type, by which it is compared.

exec
CREATE TABLE t (id INT PRIMARY KEY, n INT, h TIME(6), d DATE, m DATETIME(6), m0 DATETIME, y YEAR);
INSERT INTO t VALUES (1, 7, '-838:59:59', '2020-01-02', '2020-01-02 03:04:05.678901', '2020-01-02 03:04:05', 2020), (2, 0, '10:11:12.5', '1999-12-31', '1999-12-31 23:59:59', '1999-12-31 23:59:59', 1999), (3, NULL, NULL, NULL, NULL, NULL, NULL)
----
ok, 0 rows
ok, 3 rows

query
SELECT id, GREATEST(h, h) = '-838:59:59' AS g, LEAST(h, h) >= '10:0:0' AS l, COALESCE(h, h) = '-838:59:59' AS c, IF(n, h, h) IN ('-838:59:59', 1) AS i, IFNULL(h, h) BETWEEN '-900:0:0' AND '10:20:00' AS b, CASE WHEN n THEN h ELSE h END = '-838:59:59' AS w, NULLIF(h, '00:00:00') <=> '-838:59:59' AS s FROM t ORDER BY id
----
id | g | l | c | i | b | w | s
1 | 1 | 0 | 1 | 1 | 1 | 1 | 1
2 | 0 | 1 | 0 | 0 | 1 | 0 | 0
3 | NULL | NULL | NULL | NULL | NULL | NULL | 0

query
SELECT id, '10:11:12.5' = COALESCE(h) AS c, NULLIF(COALESCE(h), '10:11:12.5') AS n, CASE COALESCE(h) WHEN '10:11:12.5' THEN 1 END AS w, (COALESCE(h), 1) = ('10:11:12.5', 1) AS r, (COALESCE(h), 1) IN (('10:11:12.5', 1), ('1:2:3', 2)) AS i, COALESCE(h) NOT IN ('10:11:12.5', NULL) AS o, COALESCE(h) = '-34 22:59:59' AS d FROM t ORDER BY id
----
id | c | n | w | r | i | o | d
1 | 0 | -838:59:59.000000 | NULL | 0 | 0 | NULL | 1
2 | 1 | NULL | 1 | 1 | 1 | 0 | 0
3 | NULL | NULL | NULL | NULL | NULL | NULL | NULL

query
SELECT id, GREATEST(h, h) = -8385959 AS g, GREATEST(h, h) > 101112 AS l, GREATEST(h, h) = 101112.5 AS f, COALESCE(h) IN (1, 101112.5) AS i, COALESCE(h) BETWEEN 101112.4 AND 101112.6 AS b FROM t ORDER BY id
----
id | g | l | f | i | b
1 | 1 | 0 | 0 | 0 | 0
2 | 0 | 1 | 1 | 1 | 1
3 | NULL | NULL | NULL | NULL | NULL

query
SELECT id FROM t WHERE h = 101112.5 AND h IN (3, 101112.5) AND h BETWEEN 101112.4 AND 101112.6
----
id
2

query
SELECT id FROM t WHERE h = -8385959 AND h IN (3, -8385959)
----
id
1

query
SELECT id FROM t GROUP BY id, h HAVING COALESCE(h) = '10:11:12.5' ORDER BY COALESCE(h) = '10:11:12.5'
----
id
2

query
SELECT COALESCE(h) = 'noon' FROM t
----
ERROR 1525 (HY000): Incorrect TIME value: 'noon'

# Dates of several types have one that holds them all, and a NULL has none of its own.
query
SELECT COALESCE(d, m), COALESCE(m0, m), IFNULL(d, m), IF(n, d, m), CASE WHEN n THEN d ELSE m END, GREATEST(d, m0), COALESCE(NULL, h), COALESCE(NULL, d), COALESCE(NULL, NULL, m) FROM t ORDER BY id
----
COALESCE(d, m) | COALESCE(m0, m) | IFNULL(d, m) | IF(n, d, m) | CASE WHEN n THEN d ELSE m END | GREATEST(d, m0) | COALESCE(NULL, h) | COALESCE(NULL, d) | COALESCE(NULL, NULL, m)
2020-01-02 00:00:00 | 2020-01-02 03:04:05 | 2020-01-02 00:00:00 | 2020-01-02 00:00:00 | 2020-01-02 00:00:00 | 2020-01-02 03:04:05 | -838:59:59 | 2020-01-02 | 2020-01-02 03:04:05.678901
1999-12-31 00:00:00 | 1999-12-31 23:59:59 | 1999-12-31 00:00:00 | 1999-12-31 23:59:59 | 1999-12-31 23:59:59 | 1999-12-31 23:59:59 | 10:11:12.500000 | 1999-12-31 | 1999-12-31 23:59:59
NULL | NULL | NULL | NULL | NULL | NULL | NULL | NULL | NULL

# The columns of derived tables have these types too, whether the tables are merged into the query or not.
query
SELECT c + 0, COALESCE(c, c) = '10:11:12.5', CONCAT(c) FROM (SELECT CASE WHEN n THEN h ELSE h END AS c FROM t) AS x
----
c + 0 | COALESCE(c, c) = '10:11:12.5' | CONCAT(c)
-8385959.000000 | 0 | -838:59:59.000000
101112.500000 | 1 | 10:11:12.500000
NULL | NULL | NULL

query
SELECT c + 0, COALESCE(c, c) = '10:11:12.5', CONCAT(c) FROM (SELECT CASE WHEN n THEN h ELSE h END AS c FROM t LIMIT 5) AS x
----
c + 0 | COALESCE(c, c) = '10:11:12.5' | CONCAT(c)
-8385959.000000 | 0 | -838:59:59.000000
101112.500000 | 1 | 10:11:12.500000
NULL | NULL | NULL

query
SELECT c + 0, COALESCE(c, c) > '2020-01-02', COALESCE(CASE WHEN c THEN c END, c) FROM (SELECT CASE WHEN n THEN d ELSE m END AS c FROM t LIMIT 5) AS x
----
c + 0 | COALESCE(c, c) > '2020-01-02' | COALESCE(CASE WHEN c THEN c END, c)
20200102000000.000000 | 0 | 2020-01-02 00:00:00
19991231235959.000000 | 0 | 1999-12-31 23:59:59
NULL | NULL | NULL

query
SELECT id FROM (SELECT id, CASE WHEN n THEN d ELSE m0 END AS c FROM t ORDER BY id LIMIT 5) AS x WHERE c IN ('1999-12-31 23:59:59') OR c = 20200102
----
id
1
2

query
CHECK TABLE t
----
Table | Op | Msg_type | Msg_text
d.t | check | status | OK

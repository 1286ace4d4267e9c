# A window function stands in the list or the ORDER BY of a SELECT alone. Elsewhere it is refused before it is planned.
exec
CREATE TABLE t (a INT PRIMARY KEY, b VARCHAR(9));
INSERT INTO t VALUES (1, 'x'), (2, 'y')
----
ok, 0 rows
ok, 2 rows

query
SELECT a, COUNT(*) FROM t GROUP BY a HAVING ROW_NUMBER() OVER () > 1
----
ERROR 3593 (HY000): You cannot use the window function 'row_number' in this context.

query
SELECT a FROM t HAVING RANK() OVER (ORDER BY a) = 1
----
ERROR 3593 (HY000): You cannot use the window function 'rank' in this context.

query
SELECT a FROM t GROUP BY a, RANK() OVER (ORDER BY a)
----
ERROR 3593 (HY000): You cannot use the window function 'rank' in this context.

query
SELECT a FROM t WHERE ROW_NUMBER() OVER () = 1
----
ERROR 3593 (HY000): You cannot use the window function 'row_number' in this context.

query
SELECT a, COUNT(*) FROM t WHERE ROW_NUMBER() OVER () = 1 GROUP BY a
----
ERROR 3593 (HY000): You cannot use the window function 'row_number' in this context.

query
SELECT 1 FROM t JOIN t u ON ROW_NUMBER() OVER () = 1
----
ERROR 3593 (HY000): You cannot use the window function 'row_number' in this context.

query
SELECT SUM(ROW_NUMBER() OVER ()) FROM t
----
ERROR 3593 (HY000): You cannot use the window function 'row_number' in this context.

query
SELECT GROUP_CONCAT(b ORDER BY ROW_NUMBER() OVER ()) FROM t
----
ERROR 3593 (HY000): You cannot use the window function 'row_number' in this context.

query
SELECT SUM(SUM(a) OVER ()) OVER () FROM t
----
ERROR 3593 (HY000): You cannot use the window function 'sum' in this context.

query
SELECT RANK() OVER (ORDER BY RANK() OVER (ORDER BY a)) FROM t
----
ERROR 3593 (HY000): You cannot use the window function 'rank' in this context.

query
SELECT a, RANK() OVER w FROM t GROUP BY a WINDOW w AS (ORDER BY SUM(RANK() OVER ()))
----
ERROR 3593 (HY000): You cannot use the window function 'rank' in this context.

query
SELECT 1 FROM t WHERE a = (SELECT COUNT(*) FROM t HAVING SUM(1) OVER () > 3)
----
ERROR 3593 (HY000): You cannot use the window function 'sum' in this context.

query
SELECT a FROM t UNION SELECT 3 ORDER BY RANK() OVER ()
----
ERROR 3593 (HY000): You cannot use the window function 'rank' in this context.

query
SELECT JSON_OBJECTAGG(b, a) OVER () FROM t
----
ERROR 1235 (42000): unsupported syntax: JSON_OBJECTAGG over a window

query
SELECT a FROM t ORDER BY SUM(a) OVER (ORDER BY b DESC)
----
a
2
1

query
SELECT a, IF(ROW_NUMBER() OVER (ORDER BY a) = 1, 'first', 'later') AS which FROM t WHERE a IN (SELECT a FROM t) ORDER BY a
----
a | which
1 | first
2 | later

exec
UPDATE t SET b = ROW_NUMBER() OVER ()
----
ERROR 3593 (HY000): You cannot use the window function 'row_number' in this context.

exec
DELETE FROM t WHERE ROW_NUMBER() OVER () = 1
----
ERROR 3593 (HY000): You cannot use the window function 'row_number' in this context.

exec
INSERT INTO t VALUES (ROW_NUMBER() OVER (), 'z')
----
ERROR 3593 (HY000): You cannot use the window function 'row_number' in this context.

exec
SET @x = RANK() OVER ()
----
ERROR 3593 (HY000): You cannot use the window function 'rank' in this context.

exec
CREATE VIEW v AS SELECT a FROM t HAVING ROW_NUMBER() OVER () = 1
----
ERROR 3593 (HY000): You cannot use the window function 'row_number' in this context.

exec
PREPARE p FROM 'SELECT a FROM t GROUP BY a HAVING RANK() OVER () > 1'
----
ERROR 3593 (HY000): You cannot use the window function 'rank' in this context.

# A DATE among dates with a time, and these among DATEs: compared as dates with a time, whatever the type of what is looked for.
exec
CREATE TABLE x (_id INT PRIMARY KEY, d DATE, dt DATETIME(6), ts TIMESTAMP NULL);
INSERT INTO x VALUES (1, '2024-01-01', '2024-01-01 00:00:00', '2024-01-01 00:00:00'), (2, '2024-01-02', '2024-01-02 10:00:00', '2024-01-02 10:00:00'), (3, '2024-01-03', NULL, NULL), (4, NULL, '2024-01-03 00:00:00.25', '2024-01-03 00:00:00')
----
ok, 0 rows
ok, 4 rows

query
SELECT _id, dt IN (SELECT d FROM x) AS a, d IN (SELECT dt FROM x) AS b, ts IN (SELECT d FROM x) AS c, d IN (SELECT ts FROM x) AS d, dt IN (SELECT ts FROM x) AS e, ts IN (SELECT dt FROM x) AS f FROM x ORDER BY 1
----
_id | a | b | c | d | e | f
1 | 1 | 1 | 1 | 1 | 1 | 1
2 | NULL | NULL | NULL | NULL | 1 | 1
3 | NULL | NULL | NULL | 1 | NULL | NULL
4 | NULL | NULL | 1 | NULL | NULL | NULL

query
SELECT _id, dt NOT IN (SELECT d FROM x WHERE d IS NOT NULL) q, d NOT IN (SELECT dt FROM x WHERE dt IS NOT NULL) q2 FROM x ORDER BY 1
----
_id | q | q2
1 | 0 | 0
2 | 1 | 1
3 | NULL | 1
4 | 1 | NULL

query
SELECT _id, dt = ANY (SELECT d FROM x) a, dt > ALL (SELECT d FROM x WHERE d IS NOT NULL) b, dt < ANY (SELECT d FROM x) c, d = ANY (SELECT dt FROM x) e, d <= ALL (SELECT dt FROM x WHERE dt IS NOT NULL) f FROM x ORDER BY 1
----
_id | a | b | c | e | f
1 | 1 | 0 | 1 | 1 | 1
2 | NULL | 0 | 1 | NULL | 0
3 | NULL | NULL | NULL | NULL | 0
4 | NULL | 1 | NULL | NULL | NULL

query
SELECT x._id, dt IN (SELECT d FROM x y WHERE y._id = x._id) a, d IN (SELECT dt FROM x y WHERE y._id = x._id) b, dt = ANY (SELECT d FROM x y WHERE y._id = x._id) c, d <> ALL (SELECT dt FROM x y WHERE y._id = x._id) e FROM x ORDER BY 1
----
_id | a | b | c | e
1 | 1 | 1 | 1 | 0
2 | 0 | 0 | 0 | 1
3 | NULL | NULL | NULL | NULL
4 | NULL | NULL | NULL | NULL

query
SELECT _id FROM x WHERE dt IN (SELECT d FROM x) ORDER BY 1
----
_id
1

query
SELECT _id FROM x WHERE d IN (SELECT dt FROM x) ORDER BY 1
----
_id
1

query
SELECT _id FROM x WHERE dt NOT IN (SELECT d FROM x WHERE d IS NOT NULL) ORDER BY 1
----
_id
2
4

query
SELECT _id FROM x WHERE dt IN (SELECT d FROM x y WHERE y._id = x._id) ORDER BY 1
----
_id
1

query
SELECT _id FROM x WHERE d IN (SELECT dt FROM x y WHERE y._id = x._id) ORDER BY 1
----
_id
1

query
SELECT _id FROM x WHERE dt > ALL (SELECT d FROM x y WHERE d IS NOT NULL) ORDER BY 1
----
_id
4

query
SELECT _id FROM x WHERE ts IN (SELECT d FROM x) OR _id = 9 ORDER BY 1
----
_id
1
4

query
SELECT _id FROM x WHERE d IN (SELECT ts FROM x) OR _id = 9 ORDER BY 1
----
_id
1
3

query
SELECT _id FROM x WHERE (d, _id) IN (SELECT dt, _id FROM x) ORDER BY 1
----
_id
1

query
SELECT _id, (dt, _id) IN (SELECT d, _id FROM x) a, (d,_id) IN (SELECT dt, _id FROM x) b, (d,_id) NOT IN (SELECT ts, _id FROM x) FROM x ORDER BY 1
----
_id | a | b | (d,_id) NOT IN (SELECT ts, _id FROM x)
1 | 1 | 1 | 0
2 | 0 | 0 | 1
3 | NULL | NULL | NULL
4 | NULL | NULL | NULL

query
SELECT _id, d IN (SELECT max(dt) FROM x) a, dt IN (SELECT max(d) FROM x) b, dt IN (SELECT d FROM x UNION SELECT NULL) FROM x ORDER BY 1
----
_id | a | b | dt IN (SELECT d FROM x UNION SELECT NULL)
1 | 0 | 0 | 1
2 | 0 | 0 | NULL
3 | 0 | NULL | NULL
4 | NULL | 0 | NULL

query
SELECT _id FROM x WHERE dt IN (SELECT d FROM x UNION SELECT d FROM x) ORDER BY 1
----
_id
1

query
SELECT _id FROM x WHERE d IN (SELECT dt FROM x GROUP BY dt) ORDER BY 1
----
_id
1

query
SELECT _id, CAST('2024-01-02 10:00' AS DATETIME) IN (SELECT d FROM x) AS a, CAST('2024-01-03' AS DATE) IN (SELECT ts FROM x) AS b, CAST(dt AS DATE) IN (SELECT d FROM x WHERE d IS NOT NULL) AS c FROM x ORDER BY _id
----
_id | a | b | c
1 | NULL | 1 | 1
2 | NULL | 1 | 1
3 | NULL | 1 | NULL
4 | NULL | 1 | 1

exec
DELETE FROM x WHERE dt IN (SELECT d FROM (SELECT d FROM x) y) OR _id = 3
----
ok, 2 rows

query
SELECT GROUP_CONCAT(_id) AS ids FROM x
----
ids
2,4

# LIMIT and OFFSET that are together more than a BIGINT has room for: all rows behind the OFFSET.
exec
CREATE TABLE t (_id INT PRIMARY KEY, a INT, INDEX (a));
INSERT INTO t VALUES (1, 1), (2, NULL), (3, 3), (4, 1), (5, -7);
----
ok, 0 rows
ok, 5 rows

query
SELECT _id FROM t ORDER BY a + 1, _id LIMIT 18446744073709551615 OFFSET 2
----
_id
1
4
3

query
SELECT _id, a * 2 FROM t ORDER BY a, _id DESC LIMIT 2, 18446744073709551615
----
_id | a * 2
4 | 2
1 | 2
3 | 6

query
SELECT _id FROM t ORDER BY a + 1, _id LIMIT 9223372036854775807 OFFSET 1
----
_id
5
1
4
3

query
SELECT _id FROM t ORDER BY a + 1, _id LIMIT 9223372036854775807 OFFSET 9223372036854775807
----
_id

query
SELECT _id FROM t ORDER BY a + 1, _id LIMIT 18446744073709551615
----
_id
2
5
1
4
3

query
SELECT _id FROM t ORDER BY a + 1, _id LIMIT 2 OFFSET 18446744073709551615
----
_id

prepared
SELECT _id FROM t ORDER BY a + 1, _id LIMIT 18446744073709551615 OFFSET 3
----
_id
4
3

exec
SET sqlfdb_use_index = OFF
----
ok, 0 rows

query
SELECT _id FROM t ORDER BY a, _id LIMIT 18446744073709551615 OFFSET 2
----
_id
1
4
3

query
CHECK TABLE t
----
Table | Op | Msg_type | Msg_text
d.t | check | status | OK

# Numbers that have more digits than memory are compared without being written out.
exec
CREATE TABLE t (_id VARCHAR(255) PRIMARY KEY, x DECIMAL(20,3), i BIGINT, f DOUBLE, _doc JSON);
INSERT INTO t (_id, x, i, f, n) VALUES ('a', 1, 1, 1.5, 7), ('b', NULL, -1, 0, NULL);
INSERT INTO t (_doc) VALUES ('{"_id":"c","x":2,"i":3,"f":4,"n":1e2147483000}')
----
ok, 0 rows
ok, 2 rows
ok, 1 rows

query
SELECT _id FROM t WHERE x <= CAST('1e2147483647' AS JSON) ORDER BY _id
----
_id
a
c

query
SELECT _id FROM t WHERE x >= CAST('-1e2147483647' AS JSON) AND i < CAST('1e2147483647' AS JSON) AND f < CAST('1e2147483647' AS JSON) ORDER BY _id
----
_id
a
c

query
SELECT _id FROM t WHERE x > CAST('1e-2147483647' AS JSON) ORDER BY _id
----
_id
a
c

query
SELECT _id FROM t WHERE x = CAST('1e-2147483647' AS JSON) OR n = CAST('1e2147483000' AS JSON) ORDER BY _id
----
_id
c

query
SELECT _id FROM t WHERE i + 1 < CAST('1e2147483647' AS JSON) ORDER BY _id
----
_id
a
b
c

query
SELECT _id FROM t WHERE i * 2 > CAST('1e-2147483647' AS JSON) ORDER BY _id
----
_id
a
c

query
SELECT _id FROM t WHERE n + 1 < CAST('1e2147483647' AS JSON) AND _id = 'a'
----
_id
a

query
CHECK TABLE t
----
Table | Op | Msg_type | Msg_text
d.t | check | status | OK

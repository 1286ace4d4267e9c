# A path through an array is asked for in several ways, since a value counts for an array of one. It is known if it is in
# one of them.

exec
CREATE TABLE t (_id VARCHAR(10) PRIMARY KEY, _doc JSON);
INSERT INTO t (_doc) VALUES ('{"_id":"a","items":[{"sku":"x"},{"sku":"y"}],"tags":["p"]}')
----
ok, 0 rows
ok, 1 rows

query
SELECT _id FROM t WHERE 'x' MEMBER OF (_doc->'$.items[*].sku')
----
_id
a

query
SHOW WARNINGS
----
Level | Code | Message

query
SELECT _id FROM t WHERE JSON_CONTAINS(_doc->'$.items[*].skew', '"x"')
----
_id

query
SHOW WARNINGS
----
Level | Code | Message
Warning | 1054 | No document of d.t has the keypath `items[*].skew`; did you mean _doc->'$.items[*].sku'?

query
CHECK TABLE t
----
Table | Op | Msg_type | Msg_text
d.t | check | status | OK

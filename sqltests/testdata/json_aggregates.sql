# What JSON_ARRAYAGG and JSON_OBJECTAGG make is written as what JSON_ARRAY and JSON_OBJECT make.
exec
CREATE TABLE t (a INT PRIMARY KEY, b VARCHAR(9), d JSON);
INSERT INTO t VALUES (1, 'w', '{"z": [1, 2], "a": 12345678901234567890.10}'), (2, 'x', '[ 1,  2 ]'), (3, 'y', NULL)
----
ok, 0 rows
ok, 3 rows

query
SELECT JSON_ARRAYAGG(a), JSON_ARRAYAGG(b), JSON_ARRAYAGG(d) FROM t
----
JSON_ARRAYAGG(a) | JSON_ARRAYAGG(b) | JSON_ARRAYAGG(d)
[1,2,3] | ["w","x","y"] | [{"z":[1,2],"a":12345678901234567890.10},[1,2],null]

query
SELECT JSON_OBJECTAGG(b, a), JSON_OBJECTAGG(b, d) FROM t
----
JSON_OBJECTAGG(b, a) | JSON_OBJECTAGG(b, d)
{"w":1,"x":2,"y":3} | {"w":{"z":[1,2],"a":12345678901234567890.10},"x":[1,2],"y":null}

query
SELECT JSON_OBJECTAGG('same', a) FROM t
----
JSON_OBJECTAGG('same', a)
{"same":3}

query
SELECT JSON_ARRAYAGG(JSON_OBJECT('b', b, 'a', JSON_ARRAY(a))) FROM t
----
JSON_ARRAYAGG(JSON_OBJECT('b', b, 'a', JSON_ARRAY(a)))
[{"b":"w","a":[1]},{"b":"x","a":[2]},{"b":"y","a":[3]}]

query
SELECT JSON_ARRAYAGG(a / 3), JSON_ARRAYAGG(1.50), JSON_ARRAYAGG(1e0), JSON_ARRAYAGG(TRUE), JSON_ARRAYAGG(a > 1), JSON_ARRAYAGG(x'00ff'), JSON_ARRAYAGG(NULL), JSON_ARRAYAGG(CAST('2020-01-02' AS DATE)) FROM t WHERE a < 3
----
JSON_ARRAYAGG(a / 3) | JSON_ARRAYAGG(1.50) | JSON_ARRAYAGG(1e0) | JSON_ARRAYAGG(TRUE) | JSON_ARRAYAGG(a > 1) | JSON_ARRAYAGG(x'00ff') | JSON_ARRAYAGG(NULL) | JSON_ARRAYAGG(CAST('2020-01-02' AS DATE))
[0.3333,0.6667] | [1.50,1.50] | [1.0,1.0] | [true,true] | [false,true] | ["base64:type252:AP8=","base64:type252:AP8="] | [null,null] | ["2020-01-02","2020-01-02"]

query
SELECT JSON_ARRAY(1 / 3), JSON_ARRAY(1.50), JSON_ARRAY(1e0), JSON_ARRAY(TRUE), JSON_ARRAY(2 > 1), JSON_ARRAY(x'00ff'), JSON_ARRAY(NULL), JSON_ARRAY(CAST('2020-01-02' AS DATE))
----
JSON_ARRAY(1 / 3) | JSON_ARRAY(1.50) | JSON_ARRAY(1e0) | JSON_ARRAY(TRUE) | JSON_ARRAY(2 > 1) | JSON_ARRAY(x'00ff') | JSON_ARRAY(NULL) | JSON_ARRAY(CAST('2020-01-02' AS DATE))
[0.3333] | [1.50] | [1.0] | [true] | [true] | ["base64:type252:AP8="] | [null] | ["2020-01-02"]

query
SELECT JSON_ARRAYAGG(a), JSON_OBJECTAGG(b, a) FROM t WHERE a > 5
----
JSON_ARRAYAGG(a) | JSON_OBJECTAGG(b, a)
NULL | NULL

query
SELECT a > 1 AS later, JSON_ARRAYAGG(a) FROM t GROUP BY later ORDER BY later
----
later | JSON_ARRAYAGG(a)
0 | [1]
1 | [2,3]

query
SELECT JSON_ARRAYAGG(a) OVER (ORDER BY a), JSON_ARRAYAGG(b) OVER () FROM t ORDER BY a
----
JSON_ARRAYAGG(a) OVER (ORDER BY a) | JSON_ARRAYAGG(b) OVER ()
[1] | ["w"]
[1,2] | ["w","x"]
[1,2,3] | ["w","x","y"]

query
SELECT JSON_EXTRACT(JSON_ARRAYAGG(d), '$[0].a') FROM t
----
JSON_EXTRACT(JSON_ARRAYAGG(d), '$[0].a')
12345678901234567890.10

query
SELECT JSON_OBJECTAGG(NULL, a) FROM t
----
ERROR 3158 (22032): JSON documents may not contain NULL member names.

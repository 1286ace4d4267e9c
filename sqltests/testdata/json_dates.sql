# Dates and decimals within JSON that functions make: a DATE has no time of day.
exec
CREATE TABLE e (id INT PRIMARY KEY, hired DATE, at DATETIME, t TIME, p DECIMAL(4,2));
INSERT INTO e VALUES (1, '1986-06-26', '2020-01-02 03:04:05', '10:11:12', 1.50)
----
ok, 0 rows
ok, 1 rows

query
SELECT JSON_OBJECT('d', hired, 'at', at, 'p', p), JSON_ARRAY(hired, p), JSON_SET('{}', '$.d', hired) FROM e
----
JSON_OBJECT('d', hired, 'at', at, 'p', p) | JSON_ARRAY(hired, p) | JSON_SET('{}', '$.d', hired)
{"d":"1986-06-26","at":"2020-01-02 03:04:05.000000","p":1.50} | ["1986-06-26",1.50] | {"d":"1986-06-26"}

query
SELECT JSON_ARRAYAGG(hired), JSON_ARRAYAGG(at), JSON_ARRAYAGG(t), JSON_ARRAYAGG(p), JSON_OBJECTAGG(id, hired) FROM e
----
JSON_ARRAYAGG(hired) | JSON_ARRAYAGG(at) | JSON_ARRAYAGG(t) | JSON_ARRAYAGG(p) | JSON_OBJECTAGG(id, hired)
["1986-06-26"] | ["2020-01-02 03:04:05.000000"] | ["10:11:12.000000"] | [1.50] | {"1":"1986-06-26"}

query
SELECT CAST(hired AS JSON), '1986-06-26' MEMBER OF (JSON_ARRAY(hired)) AS m, hired MEMBER OF ('["1986-06-26"]') AS n FROM e
----
CAST(hired AS JSON) | m | n
"1986-06-26" | 1 | 1

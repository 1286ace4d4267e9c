# Arithmetic of integers beyond 63 bits is exact where it fits, and error 1690 where not.

exec
CREATE TABLE s (id INT PRIMARY KEY, u BIGINT UNSIGNED, i BIGINT, t TINYINT, d DOUBLE);
INSERT INTO s VALUES (1,18446744073709551615,9223372036854775807,-128,1e308),(2,0,-9223372036854775808,127,-1e308),(3,5,7,3,2.5),(4,NULL,NULL,NULL,NULL);
CREATE TABLE o (_id INT PRIMARY KEY, _doc JSON);
INSERT INTO o (_doc) VALUES ('{"_id":1,"u":18446744073709551615}'), ('{"_id":2,"u":3}')
----
ok, 0 rows
ok, 4 rows
ok, 0 rows
ok, 2 rows

query
select cast(18446744073709551615 as unsigned)-1, 9223372036854775808+1, 18446744073709551615 div 1, -(-128), 9223372036854775807 div -1
----
cast(18446744073709551615 as unsigned)-1 | 9223372036854775808+1 | 18446744073709551615 div 1 | -(-128) | 9223372036854775807 div -1
18446744073709551614 | 9223372036854775809 | 18446744073709551615 | 128 | -9223372036854775807

query
select u-1 from s where id=1
----
u-1
18446744073709551614

query
select u+0 from s where id=1
----
u+0
18446744073709551615

query
select u*1 from s where id=1
----
u*1
18446744073709551615

query
select u div 1, u div 0, i div 2, t div 3 from s where id<3
----
u div 1 | u div 0 | i div 2 | t div 3
18446744073709551615 | NULL | 4611686018427387903 | -42
0 | NULL | -4611686018427387904 | 42

query
select u-1 from s where id=2
----
ERROR 1690 (22003): BIGINT UNSIGNED value is out of range in '(s.u - 1)'

query
select u+1 from s where id=1
----
ERROR 1690 (22003): BIGINT UNSIGNED value is out of range in '(s.u + 1)'

query
select i+1 from s where id=1
----
ERROR 1690 (22003): BIGINT value is out of range in '(s.i + 1)'

query
select i-1 from s where id=2
----
ERROR 1690 (22003): BIGINT value is out of range in '(s.i - 1)'

query
select i*2 from s where id=1
----
ERROR 1690 (22003): BIGINT value is out of range in '(s.i * 2)'

query
select i*-1 from s where id=2
----
ERROR 1690 (22003): BIGINT value is out of range in '(s.i * -1)'

query
select -i from s where id=2
----
ERROR 1690 (22003): BIGINT value is out of range in '-s.i'

query
select -t, -u from s where id in (1,3) order by id
----
-t | -u
128 | -18446744073709551615
-3 | -5

query
select d*10 from s where id=1
----
ERROR 1690 (22003): DOUBLE value is out of range in '(s.d * 10)'

query
select 1e308*10
----
ERROR 1690 (22003): DOUBLE value is out of range in '(1e+308 * 10)'

query
select 1e308+1e308
----
ERROR 1690 (22003): DOUBLE value is out of range in '(1e+308 + 1e+308)'

query
select cast(1 as unsigned)-2
----
ERROR 1690 (22003): BIGINT UNSIGNED value is out of range in '(convert(1, unsigned) - 2)'

query
select 9223372036854775807*2
----
ERROR 1690 (22003): BIGINT value is out of range in '(9223372036854775807 * 2)'

query
select -9223372036854775808, -9223372036854775807-1, - 9223372036854775808, -18446744073709551615
----
-9223372036854775808 | -9223372036854775807-1 | - 9223372036854775808 | -18446744073709551615
-9223372036854775808 | -9223372036854775808 | -9223372036854775808 | -18446744073709551615

exec
update s set u=u-1 where id=1
----
ok, 1 rows

query
select u from s where id=1
----
u
18446744073709551614

exec
update s set u=u-10 where id=3
----
ERROR 1690 (22003): BIGINT UNSIGNED value is out of range in '(s.u - 10)'

query
select u from s where id=3
----
u
5

query
select id from s where u-1 = 18446744073709551613 order by id
----
ERROR 1690 (22003): BIGINT UNSIGNED value is out of range in '(s.u - 1)'

query
select id from s where u > 10 and u-1 > 5 order by id
----
id
1

query
select sum(u), sum(i), avg(u) from s
----
sum(u) | sum(i) | avg(u)
18446744073709551619 | 6 | 6148914691236517206.3333

query
select u*i from s where id=3
----
u*i
35

query
select u+i, u-i from s where id=1
----
ERROR 1690 (22003): BIGINT UNSIGNED value is out of range in '(s.u + s.i)'

query
select u % 10, i % 10 from s order by id
----
u % 10 | i % 10
4 | 7
0 | -8
5 | 7
NULL | NULL

query
select 5-7, 5*-3, 7 div -2, 0-0, 3 - null, true+true
----
5-7 | 5*-3 | 7 div -2 | 0-0 | 3 - null | true+true
-2 | -15 | -3 | 0 | NULL | 2

query
select id, u+1 x from s where id>1 order by u+1 desc
----
id | x
3 | 6
2 | 1
4 | NULL

query
SELECT _id, u - 1, u DIV 1, u * 1 FROM o ORDER BY _id
----
ERROR 1690 (22003): BIGINT value is out of range in '(o.u div 1)'

query
SELECT _id FROM o WHERE u - 1 = 18446744073709551614
----
_id
1

exec
UPDATE o SET u = u - 2
----
ok, 2 rows

query
SELECT _doc FROM o ORDER BY _id
----
_doc
{"_id":1,"u":18446744073709551613}
{"_id":2,"u":1}

exec
UPDATE o SET u = u - 2
----
ok, 2 rows

query
SELECT 5 - 200, 1 - 40000, (SELECT x FROM (SELECT 200 AS x) AS d) - 300, IF(1, 200, 0) - 300, 200 - 4000000000
----
5 - 200 | 1 - 40000 | (SELECT x FROM (SELECT 200 AS x) AS d) - 300 | IF(1, 200, 0) - 300 | 200 - 4000000000
-195 | -39999 | -100 | -100 | -3999999800

query
CHECK TABLE s, o
----
Table | Op | Msg_type | Msg_text
d.s | check | status | OK
d.o | check | status | OK

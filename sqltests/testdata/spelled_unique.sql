# UNIQUE and foreign keys compare dates and times, however documents spell them.

exec
CREATE TABLE a (_id VARCHAR(5) PRIMARY KEY, d DATE, v DATETIME, x TIME, c INT, _doc JSON, UNIQUE(d), UNIQUE(v), UNIQUE(x));
INSERT INTO a (_doc) VALUES ('{"_id":"1","d":"2026-02-05T10:00:00Z"}');
INSERT INTO a (_id,d) VALUES ('12','2026-02-06');
INSERT INTO a (_doc) VALUES ('{"_id":"5","v":"2026-02-05T23:30:00+02:00"}');
INSERT INTO a (_doc) VALUES ('{"_id":"8","x":"8:00:00"}');
INSERT INTO a (_id,v) VALUES ('7','2026-02-05 23:30:00')
----
ok, 0 rows
ok, 1 rows
ok, 1 rows
ok, 1 rows
ok, 1 rows
ok, 1 rows

exec
INSERT INTO a (_id,d) VALUES ('2','2026-02-05')
----
ERROR 1062 (23000): Duplicate entry '2026-02-05' for key 'a.d'

exec
INSERT INTO a (_doc) VALUES ('{"_id":"3","d":"2026-02-05T10:00:00Z"}')
----
ERROR 1062 (23000): Duplicate entry '2026-02-05T10:00:00Z' for key 'a.d'

exec
INSERT INTO a (_doc) VALUES ('{"_id":"4","d":"2026-02-05 12:00:00"}')
----
ERROR 1062 (23000): Duplicate entry '2026-02-05 12:00:00' for key 'a.d'

exec
INSERT INTO a (_id,v) VALUES ('6','2026-02-05 21:30:00')
----
ERROR 1062 (23000): Duplicate entry '2026-02-05 21:30:00' for key 'a.v'

exec
INSERT INTO a (_id,x) VALUES ('9','08:00:00')
----
ERROR 1062 (23000): Duplicate entry '08:00:00' for key 'a.x'

exec
INSERT INTO a (_doc) VALUES ('{"_id":"13","d":"2026-02-06T00:00:00Z"}')
----
ERROR 1062 (23000): Duplicate entry '2026-02-06T00:00:00Z' for key 'a.d'

exec
UPDATE a SET d='2026-02-05' WHERE _id='12'
----
ERROR 1062 (23000): Duplicate entry '2026-02-05' for key 'a.d'

exec
INSERT INTO a (_id,d,c) VALUES ('10','2026-02-05',1) ON DUPLICATE KEY UPDATE c=100
----
ok, 2 rows

exec
REPLACE INTO a (_id,x,c) VALUES ('11','08:00:00',1)
----
ok, 2 rows

exec
UPDATE a SET c = c + 7 WHERE _id='1'
----
ok, 1 rows

query
SELECT _id, d, v, x, c FROM a ORDER BY _id
----
_id | d | v | x | c
1 | 2026-02-05 | NULL | NULL | 107
11 | NULL | NULL | 08:00:00 | 1
12 | 2026-02-06 | NULL | NULL | NULL
5 | NULL | 2026-02-05 21:30:00 | NULL | NULL
7 | NULL | 2026-02-05 23:30:00 | NULL | NULL

query
CHECK TABLE a
----
Table | Op | Msg_type | Msg_text
d.a | check | status | OK

exec
CREATE TABLE p (k INT PRIMARY KEY, d DATE UNIQUE, _doc JSON);
CREATE TABLE f (_id VARCHAR(5) PRIMARY KEY, d DATE, _doc JSON, FOREIGN KEY (d) REFERENCES p(d) ON DELETE CASCADE ON UPDATE CASCADE);
INSERT INTO p (_doc) VALUES ('{"k":1,"d":"2026-01-01T00:00:00Z"}');
INSERT INTO p VALUES (2,'2026-01-02',DEFAULT);
INSERT INTO f (_id,d) VALUES ('a','2026-01-01');
INSERT INTO f (_doc) VALUES ('{"_id":"b","d":"2026-01-02 10:00:00"}'),('{"_id":"c","d":"2026-01-02"}')
----
ok, 0 rows
ok, 0 rows
ok, 1 rows
ok, 1 rows
ok, 1 rows
ok, 2 rows

exec
INSERT INTO f (_id,d) VALUES ('z','2026-01-03')
----
ERROR 1452 (23000): Cannot add or update a child row: a foreign key constraint fails (`d`.`f`, CONSTRAINT `f_ibfk_1` FOREIGN KEY (`d`) REFERENCES `p` (`d`) ON DELETE CASCADE ON UPDATE CASCADE)

exec
DELETE FROM p WHERE k = 2;
UPDATE p SET d = '2026-05-05' WHERE k = 1
----
ok, 1 rows
ok, 1 rows

query
SELECT _id, d FROM f ORDER BY _id
----
_id | d
a | 2026-05-05

query
CHECK TABLE f
----
Table | Op | Msg_type | Msg_text
d.f | check | status | OK

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

# Numbers with more digits than their column has, numbers as texts, texts as numbers, truths.
exec
CREATE TABLE n (_id VARCHAR(5) PRIMARY KEY, n DECIMAL(6,2), i INT, o BOOL, s VARCHAR(9), y YEAR, _doc JSON, UNIQUE(n), UNIQUE(i), UNIQUE(o), UNIQUE(s), UNIQUE(y));
INSERT INTO n (_doc) VALUES ('{"_id":"1","n":1.001,"i":2.4,"o":true,"s":5,"y":"2001"}')
----
ok, 0 rows
ok, 1 rows

exec
INSERT INTO n (_id,n) VALUES ('n',1.00)
----
ERROR 1062 (23000): Duplicate entry '1.00' for key 'n.n'

exec
INSERT INTO n (_doc) VALUES ('{"_id":"n","n":1.002}')
----
ERROR 1062 (23000): Duplicate entry '1.002' for key 'n.n'

exec
INSERT INTO n (_id,i) VALUES ('i',2)
----
ERROR 1062 (23000): Duplicate entry '2' for key 'n.i'

exec
INSERT INTO n (_doc) VALUES ('{"_id":"i","i":"2"}')
----
ERROR 1062 (23000): Duplicate entry '2' for key 'n.i'

exec
INSERT INTO n (_doc) VALUES ('{"_id":"i","i":1.5}')
----
ERROR 1062 (23000): Duplicate entry '1.5' for key 'n.i'

exec
INSERT INTO n (_id,o) VALUES ('o',1)
----
ERROR 1062 (23000): Duplicate entry '1' for key 'n.o'

exec
INSERT INTO n (_id,s) VALUES ('s','5')
----
ERROR 1062 (23000): Duplicate entry '5' for key 'n.s'

exec
INSERT INTO n (_doc) VALUES ('{"_id":"s","s":5}')
----
ERROR 1062 (23000): Duplicate entry '5' for key 'n.s'

exec
INSERT INTO n (_id,y) VALUES ('y',2001)
----
ERROR 1062 (23000): Duplicate entry '2001' for key 'n.y'

exec
INSERT INTO n (_id,n) VALUES ('n1',1.01), ('n2',0.99)
----
ok, 2 rows

exec
INSERT INTO n (_id,i) VALUES ('i1',3), ('i2',1)
----
ok, 2 rows

exec
INSERT INTO n (_id,s) VALUES ('s1','50'), ('s2','5x')
----
ok, 2 rows

exec
INSERT INTO n (_id,o) VALUES ('o1',0)
----
ok, 1 rows

exec
INSERT INTO n (_doc) VALUES ('{"_id":"i3","i":-7.4}')
----
ok, 1 rows

exec
INSERT INTO n (_id,i) VALUES ('i4',-7)
----
ERROR 1062 (23000): Duplicate entry '-7' for key 'n.i'

exec
INSERT INTO n (_id,i) VALUES ('i5',-8)
----
ok, 1 rows

query
SELECT _id, n, i, o, s, y FROM n ORDER BY _id
----
_id | n | i | o | s | y
1 | 1.00 | 2 | 1 | 5 | 2001
i1 | NULL | 3 | NULL | NULL | NULL
i2 | NULL | 1 | NULL | NULL | NULL
i3 | NULL | -7 | NULL | NULL | NULL
i5 | NULL | -8 | NULL | NULL | NULL
n1 | 1.01 | NULL | NULL | NULL | NULL
n2 | 0.99 | NULL | NULL | NULL | NULL
o1 | NULL | NULL | 0 | NULL | NULL
s1 | NULL | NULL | NULL | 50 | NULL
s2 | NULL | NULL | NULL | 5x | NULL

query
CHECK TABLE n
----
Table | Op | Msg_type | Msg_text
d.n | check | status | OK

exec
CREATE TABLE q (n DECIMAL(6,2) PRIMARY KEY, _doc JSON);
CREATE TABLE r (_id VARCHAR(5) PRIMARY KEY, n DECIMAL(6,2), _doc JSON, FOREIGN KEY (n) REFERENCES q(n));
INSERT INTO q (n) VALUES (1.00);
INSERT INTO r (_doc) VALUES ('{"_id":"x","n":1.001}')
----
ok, 0 rows
ok, 0 rows
ok, 1 rows
ok, 1 rows

exec
DELETE FROM q
----
ERROR 1451 (23000): Cannot delete or update a parent row: a foreign key constraint fails (`d`.`r`, CONSTRAINT `r_ibfk_1` FOREIGN KEY (`n`) REFERENCES `q` (`n`))

query
CHECK TABLE r
----
Table | Op | Msg_type | Msg_text
d.r | check | status | OK

# Foreign keys between columns whose types differ in their definition. MySQL compares what is stored: numbers of members, bytes of a DECIMAL, fractions of as many bytes.

exec
CREATE TABLE p (id INT PRIMARY KEY, e ENUM('a','b') NOT NULL, s SET('a','b'), d DECIMAL(3,1), t DATETIME(1), b BIT(8), UNIQUE KEY (e), UNIQUE KEY (s), UNIQUE KEY (d), UNIQUE KEY (t), UNIQUE KEY (b))
----
ok, 0 rows

exec
INSERT INTO p VALUES (1, 'a', 'a', 1.0, '2026-01-01 10:00:00.5', 1), (2, 'b', 'a,b', -2.5, '2026-01-01 11:00:00', 9)
----
ok, 2 rows

exec
CREATE TABLE ce (id INT PRIMARY KEY, e ENUM('b','a','c'), FOREIGN KEY (e) REFERENCES p (e) ON UPDATE CASCADE ON DELETE CASCADE)
----
ok, 0 rows

exec
INSERT INTO ce VALUES (1, 'b'), (2, 'a'), (3, NULL)
----
ok, 3 rows

exec
INSERT INTO ce VALUES (4, 'c')
----
ERROR 1452 (23000): Cannot add or update a child row: a foreign key constraint fails (`d`.`ce`, CONSTRAINT `ce_ibfk_1` FOREIGN KEY (`e`) REFERENCES `p` (`e`) ON DELETE CASCADE ON UPDATE CASCADE)

exec
CREATE TABLE cs (id INT PRIMARY KEY, s SET('b','a','c'), FOREIGN KEY (s) REFERENCES p (s) ON UPDATE CASCADE)
----
ok, 0 rows

exec
INSERT INTO cs VALUES (1, 'b'), (3, 'a,b')
----
ok, 2 rows

exec
INSERT INTO cs VALUES (4, 'a')
----
ERROR 1452 (23000): Cannot add or update a child row: a foreign key constraint fails (`d`.`cs`, CONSTRAINT `cs_ibfk_1` FOREIGN KEY (`s`) REFERENCES `p` (`s`) ON UPDATE CASCADE)

exec
CREATE TABLE cd (id INT PRIMARY KEY, d DECIMAL(4,2), FOREIGN KEY (d) REFERENCES p (d))
----
ok, 0 rows

exec
INSERT INTO cd VALUES (1, 1)
----
ok, 1 rows

exec
INSERT INTO cd VALUES (2, -2.5)
----
ERROR 1452 (23000): Cannot add or update a child row: a foreign key constraint fails (`d`.`cd`, CONSTRAINT `cd_ibfk_1` FOREIGN KEY (`d`) REFERENCES `p` (`d`))

exec
INSERT INTO cd VALUES (2, -2.05)
----
ok, 1 rows

query
SELECT id, d FROM cd ORDER BY id
----
id | d
1 | 1.00
2 | -2.05

exec
CREATE TABLE ct (id INT PRIMARY KEY, t DATETIME(2), FOREIGN KEY (t) REFERENCES p (t))
----
ok, 0 rows

exec
INSERT INTO ct VALUES (1, '2026-01-01 10:00:00.5'), (2, '2026-01-01 11:00:00')
----
ok, 2 rows

exec
INSERT INTO ct VALUES (3, '2026-01-01 10:00:00.55')
----
ERROR 1452 (23000): Cannot add or update a child row: a foreign key constraint fails (`d`.`ct`, CONSTRAINT `ct_ibfk_1` FOREIGN KEY (`t`) REFERENCES `p` (`t`))

exec
CREATE TABLE ct3 (id INT PRIMARY KEY, t DATETIME(3), FOREIGN KEY (t) REFERENCES p (t))
----
ok, 0 rows

exec
INSERT INTO ct3 VALUES (1, '2026-01-01 11:00:00')
----
ERROR 1452 (23000): Cannot add or update a child row: a foreign key constraint fails (`d`.`ct3`, CONSTRAINT `ct3_ibfk_1` FOREIGN KEY (`t`) REFERENCES `p` (`t`))

exec
CREATE TABLE cb (id INT PRIMARY KEY, b BIT(4), FOREIGN KEY (b) REFERENCES p (b) ON UPDATE CASCADE)
----
ok, 0 rows

exec
INSERT INTO cb VALUES (1, 1), (2, 9)
----
ok, 2 rows

exec
INSERT INTO cb VALUES (3, 2)
----
ERROR 1452 (23000): Cannot add or update a child row: a foreign key constraint fails (`d`.`cb`, CONSTRAINT `cb_ibfk_1` FOREIGN KEY (`b`) REFERENCES `p` (`b`) ON UPDATE CASCADE)

exec
DELETE FROM p WHERE id = 1
----
ERROR 1451 (23000): Cannot delete or update a parent row: a foreign key constraint fails (`d`.`cb`, CONSTRAINT `cb_ibfk_1` FOREIGN KEY (`b`) REFERENCES `p` (`b`) ON UPDATE CASCADE)

exec
DELETE FROM cs
----
ok, 2 rows

exec
DELETE FROM cd
----
ok, 2 rows

exec
DELETE FROM ct
----
ok, 2 rows

exec
UPDATE p SET b = 10 WHERE id = 2
----
ok, 1 rows

exec
UPDATE p SET b = 16 WHERE id = 2
----
ERROR 1451 (23000): Cannot delete or update a parent row: a foreign key constraint fails (`d`.`cb`, CONSTRAINT `cb_ibfk_1` FOREIGN KEY (`b`) REFERENCES `p` (`b`) ON UPDATE CASCADE)

query
SELECT id, b + 0 FROM cb ORDER BY id
----
id | b + 0
1 | 1
2 | 10

exec
DELETE FROM cb
----
ok, 2 rows

query
SELECT id, e, e + 0 FROM ce ORDER BY id
----
id | e | e + 0
1 | b | 1
2 | a | 2
3 | NULL | NULL

exec
DELETE FROM p WHERE id = 1
----
ok, 1 rows

query
SELECT id, e, e + 0 FROM ce ORDER BY id
----
id | e | e + 0
2 | a | 2
3 | NULL | NULL

exec
UPDATE p SET e = 'a' WHERE id = 2
----
ok, 1 rows

query
SELECT id, e, e + 0 FROM ce ORDER BY id
----
id | e | e + 0
2 | b | 1
3 | NULL | NULL

exec
ALTER TABLE ce MODIFY e ENUM('c','b','a')
----
ERROR 1832 (HY000): Cannot change column 'e': used in a foreign key constraint 'ce_ibfk_1'

exec
ALTER TABLE ce MODIFY e ENUM('b','a','c','d')
----
ok, 0 rows

exec
ALTER TABLE p MODIFY d DECIMAL(5,2)
----
ERROR 1833 (HY000): Cannot change column 'd': used in a foreign key constraint 'cd_ibfk_1' of table 'd.cd'

query
SELECT id, e, e + 0 FROM ce ORDER BY id
----
id | e | e + 0
2 | b | 1
3 | NULL | NULL

# What is refused.
exec
CREATE TABLE x (i INT UNSIGNED, id INT PRIMARY KEY, FOREIGN KEY (i) REFERENCES p (id))
----
ERROR 3780 (HY000): Referencing column 'i' and referenced column 'id' in foreign key constraint 'x_ibfk_1' are incompatible.

exec
CREATE TABLE x (i BIGINT, FOREIGN KEY (i) REFERENCES p (id))
----
ERROR 3780 (HY000): Referencing column 'i' and referenced column 'id' in foreign key constraint 'x_ibfk_1' are incompatible.

exec
CREATE TABLE x (i DECIMAL(5,0), FOREIGN KEY (i) REFERENCES p (id))
----
ERROR 3780 (HY000): Referencing column 'i' and referenced column 'id' in foreign key constraint 'x_ibfk_1' are incompatible.

exec
CREATE TABLE x (s SET('a','b','c','d','e','f','g','h','i'), FOREIGN KEY (s) REFERENCES p (s))
----
ERROR 3780 (HY000): Referencing column 's' and referenced column 's' in foreign key constraint 'x_ibfk_1' are incompatible.

exec
CREATE TABLE x (s ENUM('a','b'), FOREIGN KEY (s) REFERENCES p (s))
----
ERROR 3780 (HY000): Referencing column 's' and referenced column 's' in foreign key constraint 'x_ibfk_1' are incompatible.

exec
CREATE TABLE x (t DATE, FOREIGN KEY (t) REFERENCES p (t))
----
ERROR 3780 (HY000): Referencing column 't' and referenced column 't' in foreign key constraint 'x_ibfk_1' are incompatible.

query
CHECK TABLE p, ce, cs, cd, ct, cb
----
Table | Op | Msg_type | Msg_text
d.p | check | status | OK
d.ce | check | status | OK
d.cs | check | status | OK
d.cd | check | status | OK
d.ct | check | status | OK
d.cb | check | status | OK

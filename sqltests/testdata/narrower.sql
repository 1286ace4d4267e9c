# A MEDIUMINT is narrower than an INT, though the engine holds both in 32 bits.
exec
CREATE TABLE n (_id INT PRIMARY KEY, a INT);
INSERT INTO n VALUES (1, 5), (2, 2000000000);
ALTER TABLE n MODIFY a MEDIUMINT NOT NULL;
----
ok, 0 rows
ok, 2 rows
ERROR 1264 (22003): Out of range value for column 'a' at row 2

exec
UPDATE n SET a = 7 WHERE _id = 2;
ALTER TABLE n MODIFY a MEDIUMINT NOT NULL;
----
ok, 1 rows
ok, 0 rows

query
SELECT * FROM n WHERE a > 5
----
_id | a
2 | 7

# A primary key stays what CREATE TABLE made it.
exec
CREATE TABLE a (i INT, j INT);
ALTER TABLE a ADD PRIMARY KEY (i);
CREATE TABLE b (i INT PRIMARY KEY, j INT NOT NULL);
ALTER TABLE b DROP PRIMARY KEY;
ALTER TABLE b DROP PRIMARY KEY, ADD PRIMARY KEY (j);
----
ok, 0 rows
ERROR 1235 (42000): the primary key of table d.a can't be changed: make another table of its rows
ok, 0 rows
ERROR 1235 (42000): the primary key of table d.b can't be changed: make another table of its rows
ERROR 1235 (42000): the primary key of table d.b can't be changed: make another table of its rows

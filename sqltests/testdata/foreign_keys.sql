# Foreign keys: what they refuse, what they cascade, and how they are shown and altered.

exec
SET foreign_key_checks = 0;
DROP DATABASE d;
CREATE DATABASE d;
USE d;
SET foreign_key_checks = 1
----
ok, 0 rows
ok, 1 rows
ok, 1 rows
ok, 0 rows
ok, 0 rows

exec
create table p(id int primary key, n int);
create table c(id int primary key, p int, foreign key (p) references p(id) on delete cascade on update cascade)
----
ok, 0 rows
ok, 0 rows

query
show create table c
----
Table | Create Table
c | CREATE TABLE `c` (
  `id` int NOT NULL,
  `p` int,
  PRIMARY KEY (`id`),
  KEY `p` (`p`),
  CONSTRAINT `c_ibfk_1` FOREIGN KEY (`p`) REFERENCES `p` (`id`) ON DELETE CASCADE ON UPDATE CASCADE
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_as_cs

exec
insert into c values (1,5);
insert into p values (1,1),(2,2),(3,3);
insert into c values (1,1),(2,1),(3,2),(4,null);
update c set p=9 where id=1;
update p set id=10 where id=1
----
ERROR 1452 (23000): Cannot add or update a child row: a foreign key constraint fails (`d`.`c`, CONSTRAINT `c_ibfk_1` FOREIGN KEY (`p`) REFERENCES `p` (`id`) ON DELETE CASCADE ON UPDATE CASCADE)
ok, 3 rows
ok, 4 rows
ERROR 1452 (23000): Cannot add or update a child row: a foreign key constraint fails (`d`.`c`, CONSTRAINT `c_ibfk_1` FOREIGN KEY (`p`) REFERENCES `p` (`id`) ON DELETE CASCADE ON UPDATE CASCADE)
ok, 1 rows

query
select * from c order by id
----
id | p
1 | 10
2 | 10
3 | 2
4 | NULL

exec
delete from p where id=10
----
ok, 1 rows

query
select * from c order by id
----
id | p
3 | 2
4 | NULL

exec
delete from p where id=2
----
ok, 1 rows

query
select * from c
----
id | p
4 | NULL

exec
drop table p;
truncate table p;
insert ignore into c values (7,77),(8,3)
----
ERROR 3730 (HY000): Cannot drop table 'p' referenced by a foreign key constraint 'c_ibfk_1' on table 'c'.
ERROR 1701 (42000): Cannot truncate a table referenced in a foreign key constraint (`d`.`c`, CONSTRAINT `c_ibfk_1` FOREIGN KEY (`p`) REFERENCES `p` (`id`) ON DELETE CASCADE ON UPDATE CASCADE)
ok, 1 rows

query
show warnings
----
Level | Code | Message
Warning | 1452 | Cannot add or update a child row: a foreign key constraint fails (`d`.`c`, CONSTRAINT `c_ibfk_1` FOREIGN KEY (`p`) REFERENCES `p` (`id`) ON DELETE CASCADE ON UPDATE CASCADE)

query
select * from c
----
id | p
4 | NULL
8 | 3

exec
create table r(id int primary key, p int, constraint rp foreign key (p) references p(id));
insert into r values (1,3);
delete from p where id=3;
delete from p;
update p set id=4 where id=3;
update p set n=4 where id=3;
replace into p values (3,5);
alter table r drop foreign key rp;
delete from p where id=3
----
ok, 0 rows
ok, 1 rows
ERROR 1451 (23000): Cannot delete or update a parent row: a foreign key constraint fails (`d`.`r`, CONSTRAINT `rp` FOREIGN KEY (`p`) REFERENCES `p` (`id`))
ERROR 1451 (23000): Cannot delete or update a parent row: a foreign key constraint fails (`d`.`r`, CONSTRAINT `rp` FOREIGN KEY (`p`) REFERENCES `p` (`id`))
ERROR 1451 (23000): Cannot delete or update a parent row: a foreign key constraint fails (`d`.`r`, CONSTRAINT `rp` FOREIGN KEY (`p`) REFERENCES `p` (`id`))
ok, 1 rows
ERROR 1451 (23000): Cannot delete or update a parent row: a foreign key constraint fails (`d`.`r`, CONSTRAINT `rp` FOREIGN KEY (`p`) REFERENCES `p` (`id`))
ok, 0 rows
ok, 1 rows

query
select * from c
----
id | p
4 | NULL

exec
alter table r add constraint rp2 foreign key (p) references p(id);
update r set p=null;
alter table r add constraint rp2 foreign key (p) references p(id) on delete set null
----
ERROR 1452 (23000): Cannot add or update a child row: a foreign key constraint fails (`d`.`r`, CONSTRAINT `rp2` FOREIGN KEY (`p`) REFERENCES `p` (`id`))
ok, 1 rows
ok, 0 rows

query
show create table r
----
Table | Create Table
r | CREATE TABLE `r` (
  `id` int NOT NULL,
  `p` int,
  PRIMARY KEY (`id`),
  KEY `rp` (`p`),
  CONSTRAINT `rp2` FOREIGN KEY (`p`) REFERENCES `p` (`id`) ON DELETE SET NULL
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_as_cs

exec
insert into p values (1,1);
insert into r values (2,1);
delete from p
----
ok, 1 rows
ok, 1 rows
ok, 1 rows

query
select * from r
----
id | p
1 | NULL
2 | NULL

exec
drop table p;
set foreign_key_checks=0;
drop table p;
insert into r values (9,9);
set foreign_key_checks=1;
insert into r values (10,9);
create table p(id int primary key);
insert into r values (10,9);
drop table r, c, p
----
ERROR 3730 (HY000): Cannot drop table 'p' referenced by a foreign key constraint 'c_ibfk_1' on table 'c'.
ok, 0 rows
ok, 0 rows
ok, 1 rows
ok, 0 rows
ERROR 1452 (23000): Cannot add or update a child row: a foreign key constraint fails (`d`.`r`, CONSTRAINT `rp2` FOREIGN KEY (`p`) REFERENCES `p` (`id`) ON DELETE SET NULL)
ok, 0 rows
ERROR 1452 (23000): Cannot add or update a child row: a foreign key constraint fails (`d`.`r`, CONSTRAINT `rp2` FOREIGN KEY (`p`) REFERENCES `p` (`id`) ON DELETE SET NULL)
ok, 0 rows

exec
SET foreign_key_checks = 0;
DROP DATABASE d;
CREATE DATABASE d;
USE d;
SET foreign_key_checks = 1
----
ok, 0 rows
ok, 1 rows
ok, 1 rows
ok, 0 rows
ok, 0 rows

exec
create table p(id int primary key, u int, v int, unique key uv (u,v), key w(v));
create table c(id int primary key, a int, b int, d int, foreign key (a) references p(id), constraint ab foreign key (b,d) references p(u,v) on delete set null on update cascade, constraint dd foreign key (d) references p(v))
----
ok, 0 rows
ok, 0 rows

query
select constraint_name, table_name, constraint_type from information_schema.table_constraints where table_schema='d' order by 2,1
----
CONSTRAINT_NAME | TABLE_NAME | CONSTRAINT_TYPE
ab | c | FOREIGN KEY
c_ibfk_1 | c | FOREIGN KEY
dd | c | FOREIGN KEY
PRIMARY | c | PRIMARY KEY
PRIMARY | p | PRIMARY KEY
uv | p | UNIQUE

query
select constraint_name, table_name, column_name, ordinal_position, position_in_unique_constraint, referenced_table_schema, referenced_table_name, referenced_column_name from information_schema.key_column_usage where table_schema='d' order by 2,1,4
----
CONSTRAINT_NAME | TABLE_NAME | COLUMN_NAME | ORDINAL_POSITION | POSITION_IN_UNIQUE_CONSTRAINT | REFERENCED_TABLE_SCHEMA | REFERENCED_TABLE_NAME | REFERENCED_COLUMN_NAME
ab | c | b | 1 | 1 | d | p | u
ab | c | d | 2 | 2 | d | p | v
c_ibfk_1 | c | a | 1 | 1 | d | p | id
dd | c | d | 1 | 1 | d | p | v
PRIMARY | c | id | 1 | NULL | NULL | NULL | NULL
PRIMARY | p | id | 1 | NULL | NULL | NULL | NULL
uv | p | u | 1 | NULL | NULL | NULL | NULL
uv | p | v | 2 | NULL | NULL | NULL | NULL

query
select * from information_schema.referential_constraints where constraint_schema='d' order by 3
----
CONSTRAINT_CATALOG | CONSTRAINT_SCHEMA | CONSTRAINT_NAME | UNIQUE_CONSTRAINT_CATALOG | UNIQUE_CONSTRAINT_SCHEMA | UNIQUE_CONSTRAINT_NAME | MATCH_OPTION | UPDATE_RULE | DELETE_RULE | TABLE_NAME | REFERENCED_TABLE_NAME
def | d | ab | def | d | uv | NONE | CASCADE | SET NULL | c | p
def | d | c_ibfk_1 | def | d | PRIMARY | NONE | NO ACTION | NO ACTION | c | p
def | d | dd | def | d | NULL | NONE | NO ACTION | NO ACTION | c | p

exec
alter table c drop constraint dd;
alter table c drop constraint nope;
alter table c drop foreign key nope;
alter table c rename column b to bb;
alter table p rename column u to uu;
alter table p change id pid int;
rename table p to pp;
alter table c rename to cc
----
ok, 0 rows
ERROR 1091 (42000): Can't DROP 'nope'; check that column/key exists
ERROR 1091 (42000): Can't DROP 'nope'; check that column/key exists
ok, 0 rows
ok, 0 rows
ok, 0 rows
ok, 0 rows
ok, 0 rows

query
select constraint_name, column_name, referenced_table_name, referenced_column_name from information_schema.key_column_usage where table_schema='d' and referenced_table_name is not null order by 1,2
----
CONSTRAINT_NAME | COLUMN_NAME | REFERENCED_TABLE_NAME | REFERENCED_COLUMN_NAME
ab | bb | pp | uu
ab | d | pp | v
cc_ibfk_1 | a | pp | pid

exec
alter table cc drop column bb;
alter table pp drop column uu;
alter table pp drop index uv;
alter table cc drop index a;
alter table cc modify a bigint;
alter table cc modify a int not null;
alter table cc modify bb int not null;
alter table pp modify v bigint;
insert into pp values (1,1,1);
insert into cc values (1,1,1,1);
update pp set uu=2
----
ERROR 1828 (HY000): Cannot drop column 'bb': needed in a foreign key constraint 'ab'
ERROR 1829 (HY000): Cannot drop column 'uu': needed in a foreign key constraint 'ab' of table 'cc'
ERROR 1553 (HY000): Cannot drop index 'uv': needed in a foreign key constraint
ERROR 1553 (HY000): Cannot drop index 'a': needed in a foreign key constraint
ERROR 1832 (HY000): Cannot change column 'a': used in a foreign key constraint 'cc_ibfk_1'
ok, 0 rows
ERROR 1830 (HY000): Column 'bb' cannot be NOT NULL: needed in a foreign key constraint 'ab' SET NULL
ERROR 1833 (HY000): Cannot change column 'v': used in a foreign key constraint 'ab' of table 'd.cc'
ok, 1 rows
ok, 1 rows
ok, 1 rows

query
select * from cc
----
id | a | bb | d
1 | 1 | 2 | 1

exec
delete from pp;
alter table cc drop foreign key c_ibfk_1;
alter table cc drop foreign key cc_ibfk_1;
delete from pp
----
ERROR 1451 (23000): Cannot delete or update a parent row: a foreign key constraint fails (`d`.`cc`, CONSTRAINT `cc_ibfk_1` FOREIGN KEY (`a`) REFERENCES `pp` (`pid`))
ERROR 1091 (42000): Can't DROP 'c_ibfk_1'; check that column/key exists
ok, 0 rows
ok, 1 rows

query
select * from cc
----
id | a | bb | d
1 | 1 | NULL | NULL

exec
SET foreign_key_checks = 0;
DROP DATABASE d;
CREATE DATABASE d;
USE d;
SET foreign_key_checks = 1
----
ok, 0 rows
ok, 1 rows
ok, 1 rows
ok, 0 rows
ok, 0 rows

exec
create table users (id varchar(36) primary key, name varchar(20));
create table posts (id int primary key auto_increment, user_id varchar(36) not null, title text, constraint fk_user foreign key (user_id) references users(id) on delete cascade);
insert into users values ('Ann','a'),('ann','b');
insert into posts (user_id,title) values ('Ann','d'),('ann','y');
delete from users where id='Ann'
----
ok, 0 rows
ok, 0 rows
ok, 2 rows
ok, 2 rows, id 1
ok, 1 rows

query
select * from posts
----
id | user_id | title
2 | ann | y

exec
create table ci (k varchar(10) collate utf8mb4_general_ci primary key);
create table cs (k varchar(10) collate utf8mb4_bin, foreign key (k) references ci(k));
create table ci2 (k varchar(10) collate utf8mb4_general_ci, foreign key (k) references ci(k) on update cascade on delete cascade);
insert into ci values ('Abc');
insert into ci2 values ('ABC'),('abc');
delete from ci where k='abc'
----
ok, 0 rows
ERROR 3780 (HY000): Referencing column 'k' and referenced column 'k' in foreign key constraint 'cs_ibfk_1' are incompatible.
ok, 0 rows
ok, 1 rows
ok, 2 rows
ok, 1 rows

query
select * from ci2
----
k

exec
create table o (a int, b int, primary key (a,b));
create table l (a int, b int, n int, primary key (a,b,n), foreign key (a,b) references o(a,b) on update cascade on delete cascade);
insert into o values (1,1),(1,2);
insert into l values (1,1,1),(1,1,2),(1,2,1);
update o set b=3 where b=1
----
ok, 0 rows
ok, 0 rows
ok, 2 rows
ok, 3 rows
ok, 1 rows

query
select * from l order by a,b,n
----
a | b | n
1 | 2 | 1
1 | 3 | 1
1 | 3 | 2

exec
update o set a=a+1
----
ok, 2 rows

query
select * from l order by a,b,n
----
a | b | n
2 | 2 | 1
2 | 3 | 1
2 | 3 | 2

exec
delete o from o join l on o.a=l.a and o.b=l.b where l.n=2
----
ok, 1 rows

query
select * from l
----
a | b | n
2 | 2 | 1

exec
create table d (id int primary key, p int default 5, g int as (p*2) stored, check (p < 100), foreign key (p) references o2(id));
create table o2 (id int primary key);
create table d (id int primary key, p int default 5, g int as (p*2) stored, check (p < 100), foreign key (p) references o2(id) on update cascade on delete set null);
insert into o2 values (5),(6);
insert into d (id) values (1)
----
ERROR 1824 (HY000): Failed to open the referenced table 'o2'
ok, 0 rows
ok, 0 rows
ok, 2 rows
ok, 1 rows

query
select * from d
----
id | p | g
1 | 5 | 10

exec
update o2 set id=7 where id=5
----
ok, 1 rows

query
select * from d
----
id | p | g
1 | 7 | 14

exec
update o2 set id=700 where id=7
----
ERROR 3819 (HY000): Check constraint "d_chk_1" violated

query
select * from d
----
id | p | g
1 | 7 | 14

exec
delete from o2
----
ok, 2 rows

query
select * from d
----
id | p | g
1 | NULL | NULL

exec
create table bad1 (a int, foreign key (b) references o2(id));
create table bad2 (a int, foreign key (a) references o2(nope));
create table bad3 (a bigint, foreign key (a) references o2(id));
create table bad4 (a int, foreign key (a) references nope(id));
create table bad5 (a int not null, foreign key (a) references o2(id) on delete set null);
create table bad6 (a int, b int, foreign key (a,b) references o2(id));
create table bad7 (a int, foreign key (a) references d(p), foreign key (a) references d(g));
create table bad8 (a int, constraint k foreign key (a) references o2(id), constraint k foreign key (a) references o2(id));
create table bad9 (a int unsigned, foreign key (a) references o2(id));
create table tree (id int primary key, parent int, foreign key (parent) references tree(id) on delete cascade);
insert into tree values (1,null),(2,1),(3,2),(4,9);
insert into tree values (1,null),(2,1),(3,2);
insert into tree values (4,4);
delete from tree where id=1
----
ERROR 1072 (42000): Key column 'b' doesn't exist in table
ERROR 3734 (HY000): Failed to add the foreign key constraint. Missing column 'nope' for constraint 'bad2_ibfk_1' in the referenced table 'o2'
ERROR 3780 (HY000): Referencing column 'a' and referenced column 'id' in foreign key constraint 'bad3_ibfk_1' are incompatible.
ERROR 1824 (HY000): Failed to open the referenced table 'nope'
ERROR 1830 (HY000): Column 'a' cannot be NOT NULL: needed in a foreign key constraint 'bad5_ibfk_1' SET NULL
ERROR 1239 (42000): Incorrect foreign key definition for 'bad6_ibfk_1': Key reference and table reference don't match
ERROR 1822 (HY000): Failed to add the foreign key constraint. Missing index for constraint 'bad7_ibfk_2' in the referenced table 'd'
ERROR 1826 (HY000): Duplicate foreign key constraint name 'k'
ERROR 3780 (HY000): Referencing column 'a' and referenced column 'id' in foreign key constraint 'bad9_ibfk_1' are incompatible.
ok, 0 rows
ERROR 1452 (23000): Cannot add or update a child row: a foreign key constraint fails (`d`.`tree`, CONSTRAINT `tree_ibfk_1` FOREIGN KEY (`parent`) REFERENCES `tree` (`id`) ON DELETE CASCADE)
ok, 3 rows
ok, 1 rows
ok, 1 rows

query
select * from tree
----
id | parent
4 | 4

exec
create table j (id int primary key references o2(id), x int references o2(id))
----
ok, 0 rows

query
show create table j
----
Table | Create Table
j | CREATE TABLE `j` (
  `id` int NOT NULL,
  `x` int,
  PRIMARY KEY (`id`)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_as_cs

exec
insert into j values (99,99)
----
ok, 1 rows

query
show create table tree
----
Table | Create Table
tree | CREATE TABLE `tree` (
  `id` int NOT NULL,
  `parent` int,
  PRIMARY KEY (`id`),
  KEY `parent` (`parent`),
  CONSTRAINT `tree_ibfk_1` FOREIGN KEY (`parent`) REFERENCES `tree` (`id`) ON DELETE CASCADE
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_as_cs

exec
create table lk like tree
----
ok, 0 rows

query
show create table lk
----
Table | Create Table
lk | CREATE TABLE `lk` (
  `id` int NOT NULL,
  `parent` int,
  PRIMARY KEY (`id`),
  KEY `parent` (`parent`)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_as_cs

exec
truncate tree;
rename table tree to tree2
----
ok, 1 rows
ok, 0 rows

query
show create table tree2
----
Table | Create Table
tree2 | CREATE TABLE `tree2` (
  `id` int NOT NULL,
  `parent` int,
  PRIMARY KEY (`id`),
  KEY `parent` (`parent`),
  CONSTRAINT `tree2_ibfk_1` FOREIGN KEY (`parent`) REFERENCES `tree2` (`id`) ON DELETE CASCADE
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_as_cs

exec
drop table tree2;
alter table d drop column g;
alter table d add column q int, add constraint fq foreign key (q) references o2(id);
insert into d (id,q) values (9,9);
start transaction;
insert into o2 values (50);
insert into d (id,q) values (50,50);
rollback
----
ok, 0 rows
ok, 0 rows
ok, 0 rows
ERROR 1452 (23000): Cannot add or update a child row: a foreign key constraint fails (`d`.`d`, CONSTRAINT `d_ibfk_1` FOREIGN KEY (`p`) REFERENCES `o2` (`id`) ON DELETE SET NULL ON UPDATE CASCADE)
ok, 0 rows
ok, 1 rows
ERROR 1452 (23000): Cannot add or update a child row: a foreign key constraint fails (`d`.`d`, CONSTRAINT `d_ibfk_1` FOREIGN KEY (`p`) REFERENCES `o2` (`id`) ON DELETE SET NULL ON UPDATE CASCADE)
ok, 0 rows

query
select count(*) from d
----
count(*)
1

exec
set foreign_key_checks=0;
insert into d (id,q) values (60,60);
set foreign_key_checks=1;
update d set id=61 where id=60;
update d set q=62 where id=61
----
ok, 0 rows
ok, 1 rows
ok, 0 rows
ok, 1 rows
ERROR 1452 (23000): Cannot add or update a child row: a foreign key constraint fails (`d`.`d`, CONSTRAINT `fq` FOREIGN KEY (`q`) REFERENCES `o2` (`id`))

exec
create table k1 (k varchar(10) primary key) collate utf8mb4_general_ci;
create table k2 (k varchar(10), foreign key (k) references k1(k)) collate utf8mb4_general_ci;
alter table k2 convert to character set utf8mb4 collate utf8mb4_0900_as_cs;
alter table k1 convert to character set utf8mb4 collate utf8mb4_0900_as_cs;
set foreign_key_checks = 0;
create table k4 (a bigint, foreign key (a) references k3(id));
create table k3 (id int primary key);
set foreign_key_checks = 1;
insert into k3 values (1);
insert into k4 values (1)
----
ok, 0 rows
ok, 0 rows
ok, 0 rows
ok, 0 rows
ok, 0 rows
ok, 0 rows
ok, 0 rows
ok, 0 rows
ok, 1 rows
ERROR 1452 (23000): Cannot add or update a child row: a foreign key constraint fails (`d`.`k4`, CONSTRAINT `k4_ibfk_1` FOREIGN KEY (`a`) REFERENCES `k3` (`id`))

exec
insert into k1 values ('a');
insert into k2 values ('A');
delete ignore from k1;
update ignore k1 set k = 'b'
----
ok, 1 rows
ok, 1 rows
ERROR 1451 (23000): Cannot delete or update a parent row: a foreign key constraint fails (`d`.`k2`, CONSTRAINT `k2_ibfk_1` FOREIGN KEY (`k`) REFERENCES `k1` (`k`))
ok, 0 rows

query
select * from k1
----
k
a

# Of several unique keys that are taken the primary one counts, then those that take no NULL, then as they are declared.

exec
create table keys1 (id int primary key, u int unique, a int, unique key ua (a), w int not null, unique key uw (w));
insert into keys1 values (1, 1, 1, 1), (2, 2, 2, 2), (3, 3, 3, 3), (4, 4, 4, 4);
insert into keys1 values (1, 2, 3, 4) on duplicate key update a = 10;
insert into keys1 values (9, 2, 3, 4) on duplicate key update a = 20;
insert into keys1 values (9, 2, 3, 9) on duplicate key update a = 30
----
ok, 0 rows
ok, 4 rows
ok, 2 rows, id 1
ok, 2 rows, id 1
ok, 2 rows, id 1

query
select * from keys1
----
id | u | a | w
1 | 1 | 10 | 1
2 | 2 | 30 | 2
3 | 3 | 3 | 3
4 | 4 | 20 | 4

exec
SET foreign_key_checks = 0;
DROP DATABASE d;
CREATE DATABASE d;
USE d;
SET foreign_key_checks = 1
----
ok, 0 rows
ok, 1 rows
ok, 1 rows
ok, 0 rows
ok, 0 rows

exec
create table p (id int primary key, n int, key (n));
create table c (id int primary key, p int, q int, constraint f foreign key (p) references p(id));
alter table c drop foreign key f, drop column p
----
ok, 0 rows
ok, 0 rows
ok, 0 rows

query
show create table c
----
Table | Create Table
c | CREATE TABLE `c` (
  `id` int NOT NULL,
  `q` int,
  PRIMARY KEY (`id`)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_as_cs

exec
alter table c add column p int, add constraint f foreign key (p) references p(id), add constraint g foreign key (q) references p(n);
alter table c drop column p, drop foreign key f;
alter table c drop index g, drop foreign key g;
alter table c add column p int not null default 0, add constraint f foreign key (p) references p(id);
insert into p values (0,0);
insert into c (id) values (1);
alter table c rename column p to pp, add column p int, drop foreign key f, add constraint h foreign key (pp) references p(id)
----
ok, 0 rows
ok, 0 rows
ok, 0 rows
ok, 0 rows
ok, 1 rows
ok, 1 rows
ok, 0 rows

query
show create table c
----
Table | Create Table
c | CREATE TABLE `c` (
  `id` int NOT NULL,
  `q` int,
  `pp` int NOT NULL DEFAULT '0',
  `p` int,
  PRIMARY KEY (`id`),
  KEY `f` (`pp`),
  CONSTRAINT `h` FOREIGN KEY (`pp`) REFERENCES `p` (`id`)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_0900_as_cs

exec
create table if not exists c (id int primary key, p int, constraint z foreign key (p) references p(id));
create table `we``ird` (`a``b` int primary key);
create table `ch``ild` (`x``y` int, constraint `k``k` foreign key (`x``y`) references `we``ird` (`a``b`));
alter table c add constraint f2 foreign key (nope) references p(id);
alter table c modify pp int null, drop foreign key h;
begin;
create table tt (a int, foreign key (a) references p(id));
rollback;
insert into tt values (77);
delete from p;
insert into tt values (0);
delete p, tt from p join tt on tt.a = p.id
----
ok, 0 rows
ok, 0 rows
ok, 0 rows
ERROR 1072 (42000): Key column 'nope' doesn't exist in table
ok, 0 rows
ok, 0 rows
ok, 0 rows
ok, 0 rows
ERROR 1452 (23000): Cannot add or update a child row: a foreign key constraint fails (`d`.`tt`, CONSTRAINT `tt_ibfk_1` FOREIGN KEY (`a`) REFERENCES `p` (`id`))
ok, 1 rows
ERROR 1452 (23000): Cannot add or update a child row: a foreign key constraint fails (`d`.`tt`, CONSTRAINT `tt_ibfk_1` FOREIGN KEY (`a`) REFERENCES `p` (`id`))
ok, 0 rows

# A database of another character set or collation than are here: its tables have the nearest, which a dump names.
exec
CREATE DATABASE l1 CHARACTER SET latin1;
CREATE DATABASE l2 COLLATE utf8mb4_general_ci;
CREATE DATABASE l3 CHARACTER SET binary;
CREATE TABLE l1.q (a VARCHAR(5));
CREATE TABLE l2.q (a VARCHAR(5));
CREATE TABLE l3.q (a VARCHAR(5))
----
ok, 1 rows
ok, 1 rows
ok, 1 rows
ok, 0 rows
ok, 0 rows
ok, 0 rows

query
SHOW CREATE DATABASE l1
----
Database | Create Database
l1 | CREATE DATABASE `l1` /*!40100 DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_sv_0900_ai_ci */

query
SHOW CREATE DATABASE l2
----
Database | Create Database
l2 | CREATE DATABASE `l2` /*!40100 DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_ai_ci */

query
SHOW CREATE DATABASE l3
----
Database | Create Database
l3 | CREATE DATABASE `l3` /*!40100 DEFAULT CHARACTER SET binary COLLATE binary */

query
SELECT table_schema, table_collation FROM information_schema.tables WHERE table_name = 'q' ORDER BY 1
----
TABLE_SCHEMA | TABLE_COLLATION
l1 | utf8mb4_sv_0900_ai_ci
l2 | utf8mb4_0900_ai_ci
l3 | binary

query
SELECT schema_name, default_character_set_name, default_collation_name FROM information_schema.schemata WHERE schema_name LIKE 'l_' ORDER BY 1
----
SCHEMA_NAME | DEFAULT_CHARACTER_SET_NAME | DEFAULT_COLLATION_NAME
l1 | latin1 | latin1_swedish_ci
l2 | utf8mb4 | utf8mb4_general_ci
l3 | binary | binary

exec
DROP DATABASE l1;
DROP DATABASE l2;
DROP DATABASE l3
----
ok, 1 rows
ok, 1 rows
ok, 1 rows

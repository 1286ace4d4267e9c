# Names: separators, reserved names and odd characters in keys are quoted, as
# keypaths quote them.
exec
CREATE TABLE odd__names (id INT, part VARCHAR(10), _doc JSON, PRIMARY KEY (part, id));
INSERT INTO odd__names (_doc) VALUES ('{"id":1,"part":"p","a__b":[1],"_c":[2],"changes":[3],"d.e":[4],"Ω x":[5],"":[6],"Case":[7],"case":[8],"rows":[{"id":9,"part":"q","x.y":1,"x":{"y":2}}]}');
SET sqlfdb_show_companions = ON;
----
ok, 0 rows
ok, 1 rows
ok, 0 rows

query
SHOW TABLES LIKE 'odd%'
----
Tables_in_d (odd%)
odd__names
odd__names__""
odd__names__"_c"
odd__names__"a__b"
odd__names__"changes"
odd__names__"d.e"
odd__names__Case
odd__names__changes
odd__names__rows
odd__names__Ω x

query
SELECT _value FROM `odd__names__"a__b"` UNION ALL SELECT _value FROM `odd__names__"_c"` UNION ALL SELECT _value FROM `odd__names__"changes"` UNION ALL
SELECT _value FROM `odd__names__"d.e"` UNION ALL SELECT _value FROM `odd__names__Ω x` UNION ALL SELECT _value FROM `odd__names__""`
----
_value
1
2
3
4
5
6

query
SELECT * FROM odd__names__Case JOIN odd__names__case b USING (part, id)
----
part | id | _idx | _value | _idx | _value
p | 1 | 0 | 7 | 0 | 8

query
SELECT * FROM odd__names__rows
----
part | id | _idx | "id" | "part" | "x.y" | x.y
p | 1 | 0 | 9 | q | 1 | 2

query
SELECT r.id, r.part, r.`"id"`, r.`"x.y"`, r.`x.y` FROM odd__names__rows r WHERE r.`"part"` = 'q' AND r.id = 1
----
id | part | "id" | "x.y" | x.y
1 | p | 9 | 1 | 2

# A key that is called as the feed, within elements.
exec
INSERT INTO odd__names (_doc) VALUES ('{"id":2,"part":"p","rows":[{"changes":["x"]}]}')
----
ok, 1 rows

query
SELECT * FROM odd__names__rows__changes
----
part | id | _idx1 | _idx | _value
p | 2 | 0 | 0 | x

query
SELECT COUNT(*) FROM odd__names__changes
----
COUNT(*)
2

query
SHOW COLUMNS FROM odd__names__rows
----
Field | Type | Null | Key | Default | Extra
part | varchar(10) | NO | PRI | NULL |
id | int | NO | PRI | NULL |
_idx | bigint | NO | PRI | NULL |
"id" | bigint | YES |  | NULL |
"part" | longtext | YES |  | NULL |
"x.y" | bigint | YES |  | NULL |
x.y | bigint | YES |  | NULL |
changes | json | YES |  | NULL |

# Declared columns, a hidden key, a key that is called as a position.
exec
CREATE TABLE closed (n BIGINT UNSIGNED PRIMARY KEY, list JSON, note TEXT);
INSERT INTO closed VALUES (18446744073709551615, '[1, "x", {"k": 2.50}]', '[1,2]'), (2, NULL, NULL), (3, '{"in":[5]}', NULL);
CREATE TABLE keyless (_doc JSON);
INSERT INTO keyless (_doc) VALUES ('{"v":[1,2]}');
CREATE TABLE clash (_idx INT PRIMARY KEY, _doc JSON);
INSERT INTO clash (_doc) VALUES ('{"_idx":4,"v":["a","b"]}');
----
ok, 0 rows
ok, 3 rows
ok, 0 rows
ok, 1 rows
ok, 0 rows
ok, 1 rows

query
SELECT * FROM closed__list WHERE n > 9223372036854775807
----
n | _idx | _value | k
18446744073709551615 | 0 | 1 | NULL
18446744073709551615 | 1 | "x" | NULL
18446744073709551615 | 2 | {"k":2.50} | 2.5

query
SELECT * FROM `closed__list.in`
----
n | _idx | _value
3 | 0 | 5

query
SELECT * FROM closed__note
----
ERROR 1146 (42S02): Table 'd.closed__note' doesn't exist

query
SELECT COUNT(*), COUNT(DISTINCT k._id), MAX(_value) FROM keyless JOIN keyless__v k ON keyless._id = k._id
----
COUNT(*) | COUNT(DISTINCT k._id) | MAX(_value)
2 | 1 | 2

query
SELECT * FROM clash__v WHERE _idx = 4 ORDER BY _idx_ DESC
----
_idx | _idx_ | _value
4 | 1 | b
4 | 0 | a

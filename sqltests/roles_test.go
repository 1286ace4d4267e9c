package sqltests

import (
	"database/sql"
	"os"
	"strings"
	"testing"

	"github.com/sqlfdb/sqlfdb/server"
	"github.com/sqlfdb/sqlfdb/sqltests/harness"
)

// inOrder runs statements, each with the number of its error, "" for none, or with its rows behind "=".
func inOrder(t *testing.T, c *sql.Conn, steps ...[2]string) {
	t.Helper()
	for _, step := range steps {
		stmt, want := step[0], step[1]
		if rows, ok := strings.CutPrefix(want, "="); ok {
			var got []string
			each(t, c, stmt, func(row []string) { got = append(got, strings.Join(row, "|")) })
			if strings.Join(got, "\n") != rows {
				t.Errorf("%s:\n%s\nwant\n%s", stmt, strings.Join(got, "\n"), rows)
			}
			continue
		}
		got := harness.Exec(c, stmt)
		if failed := strings.HasPrefix(got, "ERROR"); want == "" && failed || want != "" && !strings.HasPrefix(got,
			"ERROR "+want) {
			t.Errorf("%s: %s, want %q", stmt, got, want)
		}
	}
}

// TestRoles: roles are made, granted, made active, and taken away; their privileges count while they are active.
func TestRoles(t *testing.T) {
	p := newPeople(t, server.Options{RootPassword: "p"})
	root := p.as("root:p")
	shopOf(t, root)
	inOrder(t, root, [][2]string{
		{"CREATE ROLE reader, writer, 'chief'@'%'", ""},
		{"CREATE ROLE reader", "1396"},
		{"CREATE ROLE IF NOT EXISTS reader", ""},
		{"DROP ROLE nobody", "1396"},
		{"DROP ROLE IF EXISTS nobody", ""},
		{"GRANT SELECT ON shop.* TO reader", ""},
		{"GRANT INSERT, UPDATE, DELETE ON shop.* TO writer", ""},
		{"GRANT reader TO writer", ""},
		{"GRANT writer TO reader", "4027"},
		{"GRANT reader TO reader", "4027"},
		{"GRANT nobody TO writer", "3523"},
		{"GRANT reader TO nobody", "3523"},
		{"GRANT SELECT TO writer", "1064"},
		{"CREATE USER ann IDENTIFIED BY 'a' DEFAULT ROLE reader", ""},
		{"CREATE USER ben IDENTIFIED BY 'b', cat IDENTIFIED BY 'c'", ""},
		{"GRANT reader, writer TO ben", ""},
		{"GRANT writer TO cat WITH ADMIN OPTION", ""},
		{"SET DEFAULT ROLE chief TO ben", "3530"},
		{"SET DEFAULT ROLE reader TO nobody", "3523"},
		{"SHOW GRANTS FOR ben", "=GRANT USAGE ON *.* TO `ben`@`%`\nGRANT `reader`@`%`,`writer`@`%` TO `ben`@`%`"},
		{"SHOW GRANTS FOR ben USING reader", "=GRANT USAGE ON *.* TO `ben`@`%`\nGRANT SELECT ON `shop`.* TO `ben`@`%`\n" +
			"GRANT `reader`@`%`,`writer`@`%` TO `ben`@`%`"},
		{"SHOW GRANTS FOR ben USING chief", "3530"},
		{"SHOW GRANTS FOR writer", "=GRANT USAGE ON *.* TO `writer`@`%`\n" +
			"GRANT INSERT, UPDATE, DELETE ON `shop`.* TO `writer`@`%`\nGRANT `reader`@`%` TO `writer`@`%`"},
		{"SELECT CURRENT_ROLE()", "=NONE"},
		{"SET ROLE reader", "3530"},
		{"SELECT from_user, to_user, with_admin_option FROM mysql.role_edges ORDER BY 1, 2",
			"=reader|ann|N\nreader|ben|N\nreader|writer|N\nwriter|ben|N\nwriter|cat|Y"},
		{"SELECT user, default_role_user FROM mysql.default_roles", "=ann|reader"},
		{"SELECT user FROM mysql.user WHERE account_locked = 'Y' ORDER BY 1", "=chief\nreader\nwriter"},
	}...)
	if _, err := p.try("reader"); err == nil || !strings.Contains(err.Error(), "3118") {
		t.Errorf("a log-in as a role: %v", err)
	}
	ann, ben, cat := p.as("ann:a"), p.as("ben:b"), p.as("cat:c")
	inOrder(t, ann, [][2]string{
		{"SELECT CURRENT_ROLE()", "=`reader`@`%`"},
		{"SELECT total FROM shop.orders ORDER BY total", "=5\n7"},
		{"SELECT COUNT(*) FROM shop.orders__lines", "=2"},
		{"DELETE FROM shop.orders", "1142"},
		{"SHOW GRANTS", "=GRANT USAGE ON *.* TO `ann`@`%`\nGRANT SELECT ON `shop`.* TO `ann`@`%`\n" +
			"GRANT `reader`@`%` TO `ann`@`%`"},
		{"SET ROLE writer", "3530"},
		{"SELECT CURRENT_ROLE()", "=`reader`@`%`"},
		{"SET ROLE NONE", ""},
		{"SELECT total FROM shop.orders", "1142"},
		{"USE shop", "1044"},
		{"SELECT schema_name FROM information_schema.schemata WHERE schema_name = 'shop'", "="},
		{"SHOW GRANTS", "=GRANT USAGE ON *.* TO `ann`@`%`\nGRANT `reader`@`%` TO `ann`@`%`"},
		{"SET ROLE DEFAULT", ""},
		{"USE shop", ""},
		{"GRANT reader TO ben", "1227"},
		{"CREATE ROLE mine", "1227"},
		{"DROP ROLE reader", "1227"},
		{"SET DEFAULT ROLE NONE TO ben", "1227"},
		{"SELECT role_name, is_default FROM information_schema.applicable_roles", "=reader|YES"},
		{"SELECT role_name FROM information_schema.enabled_roles", "=reader"},
	}...)
	inOrder(t, ben, [][2]string{
		{"SELECT CURRENT_ROLE()", "=NONE"},
		{"SELECT total FROM shop.orders", "1142"},
		{"SET ROLE writer", ""},
		{"SELECT COUNT(*) FROM shop.orders", "=2"}, // writer has reader
		{"INSERT INTO shop.secret VALUES (5, 5)", ""},
		{"CREATE TABLE shop.t (id INT PRIMARY KEY)", "1142"},
		{"SET ROLE ALL EXCEPT writer, nobody", ""},
		{"SELECT CURRENT_ROLE()", "=`reader`@`%`"},
		{"INSERT INTO shop.secret VALUES (6, 6)", "1142"},
		{"SET ROLE ALL", ""},
		{"SELECT CURRENT_ROLE()", "=`reader`@`%`,`writer`@`%`"},
		{"SET DEFAULT ROLE writer TO ben", ""},
		{"SET DEFAULT ROLE ALL TO ben", ""},
	}...)
	inOrder(t, p.as("ben:b"), [2]string{"SELECT CURRENT_ROLE()", "=`reader`@`%`,`writer`@`%`"})
	inOrder(t, cat, [][2]string{
		{"GRANT writer TO ann", ""},
		{"GRANT reader TO ann", "1227"},
		{"REVOKE writer FROM ann", ""},
		{"REVOKE ADMIN OPTION FOR writer FROM cat", ""},
		{"GRANT writer TO ann", "1227"},
	}...)
	// What is taken away, or renamed, or dropped, counts at the next statement.
	inOrder(t, root, [][2]string{{"REVOKE writer FROM ben", ""}, {"RENAME USER reader TO other", "3532"},
		{"RENAME USER ann TO anna", ""}}...)
	inOrder(t, ben, [][2]string{{"SELECT CURRENT_ROLE()", "=`reader`@`%`"},
		{"INSERT INTO shop.secret VALUES (6, 6)", "1142"},
		{"SELECT COUNT(*) FROM shop.secret", "=2"}}...)
	inOrder(t, root, [2]string{"DROP ROLE reader", ""})
	inOrder(t, ben, [][2]string{{"SELECT CURRENT_ROLE()", "=NONE"}, {"SELECT COUNT(*) FROM shop.secret", "1142"}}...)
	inOrder(t, root, [][2]string{
		{"SHOW GRANTS FOR ben", "=GRANT USAGE ON *.* TO `ben`@`%`"},
		{"SHOW GRANTS FOR writer", "=GRANT USAGE ON *.* TO `writer`@`%`\n" +
			"GRANT INSERT, UPDATE, DELETE ON `shop`.* TO `writer`@`%`"},
		{"REVOKE ALL PRIVILEGES, GRANT OPTION FROM writer", ""},
		{"SHOW GRANTS FOR writer", "=GRANT USAGE ON *.* TO `writer`@`%`"},
		{"GRANT chief TO root", ""}, {"SET ROLE chief", ""}, {"SELECT CURRENT_ROLE()", "=`chief`@`%`"}, {"SET ROLE NONE", ""},
	}...)
}

// TestMandatoryRoles: the variable's roles are everybody's, and neither revoked nor dropped.
func TestMandatoryRoles(t *testing.T) {
	p := newPeople(t, server.Options{RootPassword: "p"})
	root := p.as("root:p")
	defer harness.MustExec(t, root, "SET GLOBAL mandatory_roles = DEFAULT",
		"SET GLOBAL activate_all_roles_on_login = OFF")
	shopOf(t, root)
	inOrder(t, root, [][2]string{
		{"CREATE ROLE everyone", ""}, {"GRANT SELECT ON shop.orders TO everyone", ""},
		{"CREATE USER dan IDENTIFIED BY 'd'", ""},
		{"SET GLOBAL mandatory_roles = '`everyone`@`%`, nobody'", ""},
		{"SET GLOBAL mandatory_roles = 'a b'", "1231"},
		{"SELECT @@mandatory_roles", "=`everyone`@`%`, nobody"},
		{"REVOKE everyone FROM dan", "3628"}, {"DROP ROLE everyone", "3628"}, {"DROP USER everyone", "3628"},
	}...)
	dan := p.as("dan:d")
	inOrder(t, dan, [][2]string{
		{"SELECT COUNT(*) FROM shop.orders", "1142"},
		{"SHOW GRANTS", "=GRANT USAGE ON *.* TO `dan`@`%`\nGRANT `everyone`@`%` TO `dan`@`%`"},
		{"SET ROLE everyone", ""}, {"SELECT COUNT(*) FROM shop.orders", "=2"},
		{"SET GLOBAL mandatory_roles = ''", "1227"},
	}...)
	inOrder(t, root, [][2]string{{"SHOW GRANTS FOR dan", "=GRANT USAGE ON *.* TO `dan`@`%`"},
		{"SET GLOBAL activate_all_roles_on_login = ON", ""}}...)
	inOrder(t, p.as("dan:d"), [][2]string{{"SELECT CURRENT_ROLE()", "=`everyone`@`%`"},
		{"SELECT COUNT(*) FROM shop.orders", "=2"}}...)
	inOrder(t, root, [2]string{"SET GLOBAL mandatory_roles = ''", ""})
	inOrder(t, dan, [][2]string{{"SELECT COUNT(*) FROM shop.orders", "1142"}, {"SELECT CURRENT_ROLE()", "=NONE"}}...)
}

// TestUsersOfMariaDB: what mariadb-dump --system=users writes of MariaDB 10.11 is read, but for what it says twice.
func TestUsersOfMariaDB(t *testing.T) {
	p := newPeople(t, server.Options{RootPassword: "p"})
	root := p.as("root:p")
	harness.MustExec(t, root, "CREATE DATABASE d", "CREATE TABLE d.t (id INT PRIMARY KEY, a INT, b INT, c INT)",
		"CREATE TABLE d.u (id INT PRIMARY KEY, e INT)")
	text, err := os.ReadFile("testdata/users_of_mariadb.txt")
	if err != nil {
		t.Fatal(err)
	}
	var failed []string
	for stmt := range strings.SplitSeq(string(text), ";\n") {
		if got := harness.Exec(root, stmt); strings.HasPrefix(got, "ERROR") && strings.TrimSpace(stmt) != "" {
			failed = append(failed, got)
		}
	}
	if len(failed) != 1 || !strings.HasPrefix(failed[0], "ERROR 1396 (HY000): Operation CREATE ROLE failed for 'writer'") {
		t.Errorf("failed: %q", failed)
	}
	inOrder(t, root, [][2]string{
		{"SHOW GRANTS FOR u", "=GRANT USAGE ON *.* TO `u`@`%`\nGRANT `writer`@`%` TO `u`@`%` WITH ADMIN OPTION"},
		{"SHOW GRANTS FOR writer", "=GRANT USAGE ON *.* TO `writer`@`%`\nGRANT INSERT ON `d`.`t` TO `writer`@`%`\n" +
			"GRANT `reader`@`%` TO `writer`@`%`"},
		{"SHOW GRANTS FOR w", "=GRANT USAGE ON *.* TO `w`@`%`\nGRANT SELECT ON `d`.`u` TO `w`@`%`\n" +
			"GRANT SELECT (`id`, `a`), INSERT (`a`), UPDATE (`c`), REFERENCES (`b`) ON `d`.`t` TO `w`@`%`"},
		{"SELECT user, default_role_user FROM mysql.default_roles", "=v|reader"},
		{"SELECT user FROM mysql.user WHERE user LIKE '%dump%'", "="},
		{"SHOW CREATE USER u", "=CREATE USER `u`@`%` IDENTIFIED WITH 'mysql_native_password' AS " +
			"'*B69027D44F6E5EDC07F1AEAD1477967B16F28227' REQUIRE NONE PASSWORD EXPIRE DEFAULT ACCOUNT UNLOCK"},
		{"SHOW CREATE USER v@localhost", "=CREATE USER `v`@`localhost` IDENTIFIED WITH 'mysql_native_password' AS " +
			"'*7446F64EFCFB1294A6DE20CAE7E49C2377A9AA25' DEFAULT ROLE `reader`@`%` REQUIRE NONE PASSWORD EXPIRE DEFAULT " +
			"ACCOUNT UNLOCK"},
		{"SHOW CREATE USER nobody", "1141"},
		// As dumps ask: MariaDB's roles have no hosts.
		{"/*!40100 SET @@SQL_MODE='' */", ""},
		{"SHOW GRANTS FOR u", "=GRANT USAGE ON *.* TO `u`@`%`\nGRANT `writer` TO `u`@`%` WITH ADMIN OPTION"},
		{"SHOW GRANTS FOR reader", "=GRANT USAGE ON *.* TO `reader`\nGRANT SELECT ON `d`.* TO `reader`"},
	}...)
	inOrder(t, p.as("u:x"), [2]string{"SET ROLE writer", ""})
	inOrder(t, p.as("v:y"), [2]string{"SELECT CURRENT_ROLE()", "=`reader`@`%`"})
	for _, who := range []string{"s", "s:invalid", "mariadb.sys"} {
		if _, err := p.try(who); err == nil {
			t.Errorf("%s logs in", who)
		}
	}
	// What MySQL's SHOW CREATE USER says is read, too; MariaDB's GRANT makes accounts, of who may make them.
	inOrder(t, root, [][2]string{
		{"CREATE USER `my`@`%` IDENTIFIED WITH 'mysql_native_password' AS '*B69027D44F6E5EDC07F1AEAD1477967B16F28227' " +
			"REQUIRE NONE PASSWORD EXPIRE DEFAULT ACCOUNT UNLOCK PASSWORD HISTORY DEFAULT PASSWORD REUSE INTERVAL DEFAULT " +
			"PASSWORD REQUIRE CURRENT DEFAULT", ""},
		{"CREATE USER via IDENTIFIED VIA unix_socket", "1524"},
		{"CREATE USER via IDENTIFIED VIA unix_socket OR mysql_native_password USING PASSWORD('v')", ""},
		{"GRANT SELECT ON d.* TO made IDENTIFIED BY 'm'", ""},
		{"GRANT SELECT ON d.* TO unmade", "1410"},
		{"GRANT ALL ON d.* TO chief IDENTIFIED BY 'c' WITH GRANT OPTION", ""},
		{"GRANT USAGE ON *.* TO made IDENTIFIED BY 'n' REQUIRE SSL", ""},
		{"ALTER USER via PASSWORD EXPIRE", ""},
	}...)
	inOrder(t, p.as("my:x"), [2]string{"SELECT 1", ""})
	inOrder(t, p.as("chief:c"), [][2]string{{"GRANT SELECT ON d.* TO v@localhost", ""},
		{"GRANT SELECT ON d.* TO eve IDENTIFIED BY 'e'", "1227"},
		{"GRANT SELECT ON d.* TO u IDENTIFIED BY 'e'", "1227"}, {"GRANT SELECT ON d.* TO chief IDENTIFIED BY 'd'", ""}}...)
	for who, code := range map[string]string{"made:m": "1045", "made:n": "1045", "via:v": "1862", "chief:c": "1045"} {
		if _, err := p.try(who); err == nil || !strings.Contains(err.Error(), code) {
			t.Errorf("%s: %v", who, err)
		}
	}
	harness.MustExec(t, root, "ALTER USER via IDENTIFIED BY 'w'", "ALTER USER made REQUIRE NONE")
	p.as("via:w")
	p.as("made:n")
}

// TestPrivilegesOfSubqueries: a table that is read by a subquery needs SELECT, wherever in a statement that stands.
func TestPrivilegesOfSubqueries(t *testing.T) {
	p := newPeople(t, server.Options{RootPassword: "p"})
	root := p.as("root:p")
	harness.MustExec(t, root, "CREATE DATABASE shop", "CREATE TABLE shop.rel (id INT PRIMARY KEY, sec INT)",
		"INSERT INTO shop.rel VALUES (1, 2)", "CREATE DATABASE mine", "CREATE TABLE mine.t (id INT PRIMARY KEY, a INT)",
		"CREATE USER nobody IDENTIFIED BY 'n'", "CREATE USER clerk IDENTIFIED BY 'c'", "GRANT ALL ON mine.* TO nobody, clerk",
		"GRANT SELECT (id) ON shop.rel TO clerk")
	for who, denied := range map[string]string{"nobody:n": "1142", "clerk:c": "1143"} {
		c := p.as(who)
		harness.MustExec(t, c, "USE mine", "PREPARE one FROM 'SELECT ?'")
		for _, read := range []string{"(SELECT sec FROM shop.rel)", "CAST((SELECT GROUP_CONCAT(sec) FROM shop.rel) AS JSON)",
			"(SELECT COUNT(*) FROM mysql.user)", "(SELECT MAX(x) FROM (SELECT sec AS x FROM shop.rel) y)"} {
			want := denied
			if strings.Contains(read, "mysql") {
				want = "1142"
			}
			for _, what := range []string{"TABLES", "FULL TABLES", "DATABASES", "TABLE STATUS", "TRIGGERS", "EVENTS",
				"COLLATION", "CHARACTER SET", "STATUS", "VARIABLES", "PROCEDURE STATUS", "FUNCTION STATUS", "COLUMNS FROM t",
				"FULL COLUMNS FROM t", "INDEX FROM t", "GLOBAL VARIABLES", "GLOBAL STATUS"} {
				inOrder(t, c, [2]string{"SHOW " + what + " WHERE " + read + " = 1", want})
			}
			inOrder(t, c, [][2]string{{"SET @x = " + read, want}, {"SELECT 1 LIMIT " + read, "1"},
				{"SELECT 1 ORDER BY " + read, want},
				{"SELECT * FROM JSON_TABLE(" + read + ", '$' COLUMNS (a INT PATH '$')) j", "1"},
				{"EXPLAIN SELECT " + read, want}, {"SELECT 1 UNION SELECT 2 ORDER BY " + read, want},
				{"DO " + read, "1"}, {"KILL " + read, "1"}, {"EXECUTE one USING " + read, "1"}, {"CALL p(" + read + ")", "1"},
				{"SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = " + read, "1"},
				{"PREPARE two FROM 'SELECT " + strings.ReplaceAll(read, "'", "''") + "'", ""},
				{"EXECUTE two", want}, {"SHOW OPEN TABLES WHERE " + read + " = 1", "="},
				{"INSERT INTO t VALUES (1, " + read + ")", want}, {"REPLACE INTO t VALUES (1, " + read + ")", "1"},
				{"INSERT INTO t VALUES (1, 1) ON DUPLICATE KEY UPDATE a = " + read, want}, {"UPDATE t SET a = " + read, want},
				{"DELETE FROM t WHERE a = " + read, want}, {"DELETE FROM t ORDER BY " + read + " LIMIT 1", want},
				{"CREATE TABLE u (id INT PRIMARY KEY, a INT DEFAULT " + read + ")", "1"},
				{"CREATE TABLE u (id INT PRIMARY KEY, a INT CHECK (a = " + read + "))", "1"},
				{"CREATE TABLE u (id INT PRIMARY KEY, a INT AS (" + read + "))", "1"},
				{"CREATE TABLE u AS SELECT " + read + " AS a", "1"}, {"CREATE VIEW v AS SELECT " + read + " AS a", want},
				{"ALTER TABLE t ADD COLUMN b INT DEFAULT " + read, "1"}, {"ALTER TABLE t ADD CHECK (a = " + read + ")", "1"},
				{"LOAD DATA LOCAL INFILE 'x' INTO TABLE t SET a = " + read, "1"}, {"HANDLER t READ FIRST WHERE a = " + read, "1"},
			}...)
		}
		inOrder(t, c, [][2]string{{"SHOW TABLES WHERE (SELECT COUNT(*) FROM t) = 0", "=t"},
			{"SHOW TABLES LIKE 't'", "=t"}}...)
	}
	inOrder(t, p.as("clerk:c"), [2]string{"SHOW TABLES FROM mine WHERE (SELECT MAX(id) FROM shop.rel) = 1", "=t"})
}

// TestPrivilegesThroughRoles: who may not do everything changes no account that may through a role, and grants no role
// that may through another one.
func TestPrivilegesThroughRoles(t *testing.T) {
	p := newPeople(t, server.Options{RootPassword: "p"})
	root := p.as("root:p")
	inOrder(t, root, [][2]string{
		{"CREATE ROLE almighty, chief, mere", ""}, {"GRANT ALL ON *.* TO almighty", ""}, {"GRANT almighty TO chief", ""},
		{"CREATE USER dba IDENTIFIED BY 'd' DEFAULT ROLE chief", ""}, {"CREATE USER plain IDENTIFIED BY 'p'", ""},
		{"CREATE USER maker IDENTIFIED BY 'm', hander IDENTIFIED BY 'h'", ""},
		{"GRANT CREATE USER, DROP ROLE, SELECT ON *.* TO maker WITH GRANT OPTION", ""},
		{"GRANT ROLE_ADMIN, CREATE USER ON *.* TO hander", ""},
	}...)
	inOrder(t, p.as("maker:m"), [][2]string{
		{"ALTER USER dba IDENTIFIED BY 'x'", "1227"}, {"ALTER USER dba ACCOUNT LOCK", "1227"}, {"DROP USER dba", "1227"},
		{"RENAME USER dba TO other", "1227"}, {"DROP ROLE chief", "1227"}, {"DROP ROLE almighty", "1227"},
		{"GRANT SELECT ON *.* TO dba", "1227"}, {"GRANT SELECT ON *.* TO dba IDENTIFIED BY 'x'", "1227"},
		{"REVOKE SELECT ON *.* FROM dba", "1227"}, {"REVOKE ALL PRIVILEGES, GRANT OPTION FROM chief", "1227"},
		{"ALTER USER plain IDENTIFIED BY 'q'", ""}, {"GRANT SELECT ON *.* TO plain", ""}, {"DROP ROLE mere", ""},
	}...)
	inOrder(t, p.as("hander:h"), [][2]string{
		{"GRANT almighty TO hander", "1227"}, {"GRANT chief TO hander", "1227"}, {"GRANT dba TO hander", "1227"},
		{"CREATE USER eve IDENTIFIED BY 'e' DEFAULT ROLE chief", "1227"}, {"GRANT plain TO hander", ""},
	}...)
	// Of oneself: the role that is not active is one's own.
	dba := p.as("dba:d")
	inOrder(t, dba, [][2]string{{"SET ROLE NONE", ""}, {"ALTER USER plain IDENTIFIED BY 'r'", "1227"},
		{"ALTER USER CURRENT_USER() IDENTIFIED BY 'e'", ""}, {"SET ROLE chief", ""},
		{"ALTER USER plain IDENTIFIED BY 'r'", ""}, {"GRANT almighty TO plain", ""}}...)
	p.as("dba:e")
}

// TestDatabasePatterns: privileges on databases by a pattern. As in MySQL the narrowest level that fits counts alone,
// for the account and for each of its roles. "_" stands for any character only where a "%" makes the name a pattern.
func TestDatabasePatterns(t *testing.T) {
	p := newPeople(t, server.Options{RootPassword: "p"})
	root := p.as("root:p")
	for _, name := range []string{"app_a", "app_b", "appxc", "app_a_old", "other", "a%b", "aab"} {
		inOrder(t, root, [][2]string{{"CREATE DATABASE `" + name + "`", ""},
			{"CREATE TABLE `" + name + "`.t (_id INT PRIMARY KEY)", ""}, {"INSERT INTO `" + name + "`.t VALUES (1)", ""}}...)
	}
	inOrder(t, root, [][2]string{
		{"CREATE USER ann IDENTIFIED BY 'a', ben IDENTIFIED BY 'b', cat IDENTIFIED BY 'c', dan IDENTIFIED BY 'd'", ""},
		{"CREATE ROLE writer", ""},
		{"GRANT SELECT ON `app\\_%`.* TO ann WITH GRANT OPTION", ""},
		{"GRANT INSERT, SELECT ON app_b.* TO ann", ""},
		{"GRANT SELECT ON `app_%`.* TO ben", ""},
		{"GRANT SELECT, INSERT, DELETE ON `%`.* TO cat", ""},
		{"GRANT SELECT ON `app%`.* TO cat", ""},
		{"GRANT INSERT ON app_a.t TO cat", ""},
		{"GRANT SELECT ON `a\\%b`.* TO dan", ""},
		{"GRANT DELETE ON `APP\\_%`.* TO writer", ""},
		{"GRANT SELECT ON `app\\_%`.t TO dan", "1146"},
		{"SHOW GRANTS FOR ann", "=GRANT USAGE ON *.* TO `ann`@`%`\n" +
			"GRANT SELECT ON `app\\_%`.* TO `ann`@`%` WITH GRANT OPTION\nGRANT SELECT, INSERT ON `app_b`.* TO `ann`@`%`"},
		{"SHOW GRANTS FOR dan", "=GRANT USAGE ON *.* TO `dan`@`%`\nGRANT SELECT ON `a\\%b`.* TO `dan`@`%`"},
		{"SELECT Db, Select_priv, Insert_priv FROM mysql.db WHERE User = 'ann' ORDER BY 1", "=app_b|Y|Y\napp\\_%|Y|N"},
	}...)
	ann, ben, cat, dan := p.as("ann:a"), p.as("ben:b"), p.as("cat:c"), p.as("dan:d")
	inOrder(t, ann, [][2]string{
		{"SHOW DATABASES LIKE 'a%'", "=app_a\napp_a_old\napp_b"},
		{"SELECT _id FROM app_a.t", "=1"}, {"SELECT _id FROM app_a_old.t", "=1"}, {"SELECT _id FROM APP_A.t", "=1"},
		{"SELECT _id FROM appxc.t", "1142"}, {"SELECT _id FROM other.t", "1142"}, {"USE other", "1044"}, {"USE app_a", ""},
		{"INSERT INTO app_a.t VALUES (2)", "1142"}, {"INSERT INTO app_b.t VALUES (2)", ""},
		{"GRANT SELECT ON app_a.* TO dan", ""}, {"GRANT SELECT ON app_b.* TO dan", "1044"},
		{"GRANT SELECT ON `app\\_%`.* TO dan", ""}, {"GRANT SELECT ON `app%`.* TO dan", "1044"},
		{"GRANT SELECT ON `%`.* TO dan", "1044"},
		{"SELECT TABLE_SCHEMA FROM information_schema.TABLES WHERE TABLE_NAME = 't' " +
			"ORDER BY 1", "=app_a\napp_a_old\napp_b"},
	}...)
	inOrder(t, ben, [][2]string{{"SELECT _id FROM appxc.t", "=1"}, {"SELECT _id FROM aab.t", "1142"}}...)
	inOrder(t, cat, [][2]string{{"DELETE FROM other.t", ""}, {"DELETE FROM appxc.t", "1142"},
		{"INSERT INTO app_a.t VALUES (3)", ""}, {"INSERT INTO app_b.t VALUES (3)", "1142"}}...)
	inOrder(t, dan, [][2]string{{"SELECT _id FROM `a%b`.t", "=1"}, {"SELECT _id FROM aab.t", "1142"}}...)
	inOrder(t, root, [][2]string{
		{"GRANT writer TO ann", ""}, {"SET DEFAULT ROLE writer TO ann", ""},
		{"REVOKE SELECT ON `app\\_a%`.* FROM ann", "1141"},
		{"REVOKE INSERT ON app_b.* FROM ann", ""},
	}...)
	ann = p.as("ann:a")
	inOrder(t, ann, [][2]string{{"DELETE FROM app_b.t WHERE _id = 2", ""}, {"INSERT INTO app_b.t VALUES (2)", "1142"},
		{"SELECT _id FROM app_a.t WHERE _id = 1", "=1"}, {"GRANT DELETE ON app_a.* TO dan", ""}}...)
	inOrder(t, root, [][2]string{{"REVOKE SELECT, GRANT OPTION ON `app\\_%`.* FROM ann", ""},
		{"SHOW GRANTS FOR ann", "=GRANT USAGE ON *.* TO `ann`@`%`\nGRANT SELECT ON `app_b`.* TO `ann`@`%`\n" +
			"GRANT `writer`@`%` TO `ann`@`%`"},
	}...)
	inOrder(t, ann, [2]string{"SELECT _id FROM app_a.t", "1142"})
}

package sqltests

import (
	"context"
	"database/sql"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sqlfdb/sqlfdb/server"
	"github.com/sqlfdb/sqlfdb/server/secure"
	"github.com/sqlfdb/sqlfdb/sqltests/harness"
)

// people serves a store with a certificate, and opens connections of its users.
type people struct {
	t      *testing.T
	server *server.Server
}

func newPeople(t *testing.T, opts server.Options) people {
	t.Helper()
	return people{t, harness.ServeStore(t, harness.NewStore(t), opts)}
}

// as is a connection of a user, who gives a password behind a colon.
func (p people) as(who string) *sql.Conn {
	p.t.Helper()
	c, err := p.try(who)
	if err != nil {
		p.t.Fatalf("%s: %v", who, err)
	}
	return c
}

func (p people) try(who string) (*sql.Conn, error) {
	name, parameters, _ := strings.Cut(who, "?")
	return logIn(p.t, name+"@tcp("+p.server.Addr().String()+")/?"+parameters)
}

// expect runs statements that fail, each with the number of its error, or that don't: "".
func expect(t *testing.T, c *sql.Conn, errors map[string]string) {
	t.Helper()
	for stmt, want := range errors {
		got := harness.Exec(c, stmt)
		if want == "" && strings.HasPrefix(got, "ERROR") || want != "" && !strings.HasPrefix(got, "ERROR "+want) {
			t.Errorf("%s: %s, want %q", stmt, got, want)
		}
	}
}

// shopOf makes a database of a few tables.
func shopOf(t *testing.T, root *sql.Conn) {
	t.Helper()
	harness.MustExec(t, root, "CREATE DATABASE shop", "CREATE DATABASE other", "USE shop",
		"CREATE TABLE orders (_id VARCHAR(20) PRIMARY KEY, _doc JSON)",
		`INSERT INTO orders (_doc) VALUES ('{"_id":"1","total":5,"lines":[{"a":1},{"a":2}]}'), ('{"_id":"2","total":7}')`,
		"CREATE TABLE secret (id INT PRIMARY KEY, v INT)", "INSERT INTO secret VALUES (1, 2)",
		"CREATE TABLE other.hidden (id INT PRIMARY KEY)", "INSERT INTO other.hidden VALUES (1)",
		"CREATE VIEW shop.shown AS SELECT id FROM other.hidden")
}

// TestReader: two statements make somebody who reads a database and does nothing else.
func TestReader(t *testing.T) {
	p := newPeople(t, server.Options{RootPassword: "p"})
	root := p.as("root:p")
	shopOf(t, root)
	harness.MustExec(t, root, "CREATE USER bi IDENTIFIED BY 'x'", "GRANT SELECT ON shop.* TO bi")
	bi := p.as("bi:x")
	harness.MustExec(t, bi, "USE shop")
	// As a dump of MariaDB's users has it.
	harness.MustExec(t, root, "CREATE USER app IDENTIFIED BY PASSWORD '*B69027D44F6E5EDC07F1AEAD1477967B16F28227'")
	expect(t, p.as("app:x"), map[string]string{"SELECT 1": "", "SELECT * FROM shop.orders": "1142"})
	// A table that is not there is not told by one that they may not know of.
	_, err := bi.ExecContext(context.Background(), "SELECT * FROM shop.hidden")
	if err == nil || strings.Contains(err.Error(), "other") {
		t.Errorf("SELECT * FROM shop.hidden: %v", err)
	}
	expect(t, bi, map[string]string{
		"USE other": "1044", "CREATE DATABASE mine": "1044", "DROP DATABASE shop": "1044",
		"ALTER DATABASE shop COLLATE utf8mb4_bin": "1044",
		"USE shop": "", "SELECT * FROM shop.orders": "", "SELECT * FROM shop.shown": "",
		"SELECT * FROM shop.orders__changes": "",
		"SELECT * FROM shop.orders__lines":   "", "EXPLAIN SELECT * FROM shop.orders": "",
		"SHOW CREATE TABLE shop.orders": "",
		"SHOW COLUMNS FROM shop.orders": "", "SELECT COUNT(*) FROM sqlfdb.tables": "", "SET @x = 1": "",
		"CHECK TABLE shop.orders":                                   "",
		"WITH c AS (SELECT total FROM shop.orders) SELECT * FROM c": "", "SELECT 1": "", "DESCRIBE shop.orders": "",
		"SHOW VARIABLES LIKE 'version'": "", "SHOW STATUS LIKE 'Uptime'": "", "SHOW PROCESSLIST": "",
		"SHOW TABLE STATUS FROM shop":                               "",
		"INSERT INTO shop.orders (_doc) VALUES ('{\"_id\":\"3\"}')": "1142",
		"UPDATE shop.orders SET total = 1":                          "1142",
		"DELETE FROM shop.orders":                                   "1142",
		"REPLACE INTO shop.secret VALUES (1, 1)":                    "1142",
		"TRUNCATE TABLE shop.orders":                                "1142",
		"DROP TABLE shop.orders":                                    "1142", "CREATE TABLE shop.t (id INT)": "1142",
		"ALTER TABLE shop.orders ADD COLUMN a INT": "1142",
		"ALTER TABLE shop.orders COMMENT 'x'":      "1142", "CREATE INDEX i ON shop.secret (v)": "1142",
		"DROP INDEX i ON shop.secret":        "1142",
		"RENAME TABLE shop.orders TO shop.x": "1142", "CREATE VIEW shop.v AS SELECT 1": "1142",
		"DROP VIEW shop.shown":            "1142",
		"CREATE TABLE shop.t AS SELECT 1": "1142", "CREATE TEMPORARY TABLE shop.t (id INT)": "1044",
		"INSERT INTO shop.secret SELECT 3, 4":                                    "1142",
		"INSERT INTO shop.secret VALUES (1, 1) ON DUPLICATE KEY UPDATE v = 3":    "1142",
		"UPDATE shop.secret s JOIN shop.orders o ON TRUE SET s.v = 1":            "1142",
		"DELETE s FROM shop.secret s JOIN shop.orders o ON TRUE":                 "1142",
		"LOCK TABLES shop.orders WRITE":                                          "1044",
		"OPTIMIZE TABLE shop.orders":                                             "1142",
		"ANALYZE TABLE shop.orders":                                              "1142",
		"EXPLAIN UPDATE shop.orders SET total = 1":                               "1142",
		"EXPLAIN SELECT * FROM other.hidden":                                     "1142",
		"LOAD DATA LOCAL INFILE 'x' INTO TABLE shop.secret":                      "1142",
		"DELETE FROM shop.orders__lines":                                         "1142",
		"SELECT * FROM other.hidden":                                             "1142",
		"SELECT 1 FROM dual WHERE EXISTS (SELECT 1 FROM other.hidden)":           "1142",
		"SELECT (SELECT COUNT(*) FROM other.hidden)":                             "1142",
		"WITH c AS (SELECT * FROM other.hidden) SELECT * FROM c":                 "1142",
		"SELECT 1 UNION SELECT id FROM other.hidden":                             "1142",
		"SELECT * FROM (SELECT * FROM other.hidden) d":                           "1142",
		"SELECT * FROM shop.orders WHERE total IN (SELECT id FROM other.hidden)": "1142",
		"SELECT * FROM other.hidden__changes":                                    "1142",
		"SELECT * FROM shop.orders ORDER BY (SELECT MAX(id) FROM other.hidden)":  "1142",
		"SHOW CREATE TABLE other.hidden":                                         "1142",
		"SELECT * FROM shop.orders o JOIN other.hidden h ON o.total = h.id":      "1142",
		"SHOW COLUMNS FROM other.hidden":                                         "1142",
		"SHOW INDEX FROM other.hidden":                                           "1142",
		"SHOW TABLES FROM other":                                                 "1044",
		"CHECK TABLE other.hidden":                                               "1142",
		"SET @y = (SELECT COUNT(*) FROM other.hidden)":                           "1142",
		"DO (SELECT COUNT(*) FROM other.hidden)":                                 "1",
		"SET GLOBAL max_connections = 10":                                        "1227",
		"SET @@GLOBAL.max_connections = 10":                                      "1227",
		"SET PERSIST max_connections = 10":                                       "1",
		"FLUSH TABLES":                                                           "1227",
		"CREATE USER eve":                                                        "1227",
		"DROP USER bi":                                                           "1227",
		"GRANT SELECT ON shop.* TO bi":                                           "1044",
		"GRANT ALL ON *.* TO bi":                                                 "1045",
		"ALTER USER root IDENTIFIED BY 'x'":                                      "1227",
		"SHOW GRANTS FOR root":                                                   "1044",
		"SELECT * FROM mysql.user":                                               "1142",
		"SHOW CREATE DATABASE other":                                             "1044",
	})
	for q, want := range map[string]string{
		"SHOW TABLES FROM shop":     "orders\nsecret\nshown",
		"SHOW DATABASES LIKE '%o%'": "information_schema\nperformance_schema\nshop",
		"SELECT DISTINCT table_schema FROM information_schema.tables WHERE table_schema IN ('shop', 'other')": "shop",
		"SELECT DISTINCT `database` FROM sqlfdb.tables":                                                       "shop",
		"SHOW GRANTS": "GRANT USAGE ON *.* TO `bi`@`%`\nGRANT SELECT ON `shop`.* TO `bi`@`%`",
	} {
		var got []string
		each(t, bi, q, func(row []string) { got = append(got, row[0]) })
		if strings.Join(got, "\n") != want {
			t.Errorf("%s: %q", q, got)
		}
	}
	// Prepared by the protocol, and by its key, as programs are.
	for _, name := range []string{"shop.secret", "shop.secret", "other.hidden", "other.hidden"} {
		_, err := root.ExecContext(context.Background(), "SELECT id FROM "+name+" WHERE id = ?", 1)
		if err != nil {
			t.Error(err)
		}
		_, err = bi.ExecContext(context.Background(), "SELECT id FROM "+name+" WHERE id = ?", 1)
		if denied := err != nil && strings.Contains(err.Error(), "1142"); denied != strings.HasPrefix(name, "other") {
			t.Errorf("%s by its key: %v", name, err)
		}
		expect(t, bi, map[string]string{"SELECT id FROM other.hidden WHERE id = 1": "1142"})
	}
	harness.MustExec(t, bi, "PREPARE s FROM 'DELETE FROM shop.orders'")
	expect(t, bi, map[string]string{"EXECUTE s": "1142"})
	// What is taken away is gone at the next statement.
	prepared, err := bi.PrepareContext(context.Background(), "SELECT v FROM shop.secret WHERE id = ?")
	if err != nil {
		t.Fatal(err)
	}
	defer prepared.Close()
	if _, err := prepared.Exec(1); err != nil {
		t.Error(err)
	}
	harness.MustExec(t, root, "REVOKE SELECT ON shop.* FROM bi")
	if _, err := prepared.Exec(1); err == nil || !strings.Contains(err.Error(), "1142") {
		t.Errorf("prepared before: %v", err)
	}
	expect(t, bi, map[string]string{"SELECT * FROM shop.orders": "1142", "USE shop": "1044"})
	harness.MustExec(t, root, "DROP USER bi")
	if _, err := p.try("bi:x"); err == nil || !strings.Contains(err.Error(), "1045") {
		t.Errorf("a user that was dropped: %v", err)
	}
	harness.MustExec(t, root, "CHECK TABLE shop.orders, shop.secret")
}

// TestAccounts: accounts are made, changed and dropped; what they are called, where they come from, and how they show
// their passwords.
func TestAccounts(t *testing.T) {
	certificate, err := secure.Ensure(filepath.Join(t.TempDir(), "cert.pem"))
	if err != nil {
		t.Fatal(err)
	}
	p := newPeople(t, server.Options{RootPassword: "p", Certificate: certificate})
	root := p.as("root:p")
	expect(t, root, map[string]string{"DROP USER nobody": "1396", "GRANT SELECT ON *.* TO nobody": "1410",
		"REVOKE SELECT ON *.* FROM nobody": "1141", "SHOW GRANTS FOR nobody": "1141",
		"CREATE USER a IDENTIFIED WITH x BY 'y'": "1524",
		"CREATE USER":                            "1064",
		"GRANT SELECT ON nothing.there TO root":  "1146",
		"GRANT FILE ON shop.* TO root":           "1221",
		"GRANT SHUTDOWN ON shop.t TO root":       "1144", "ALTER USER root IDENTIFIED BY 'q'": "1290",
		"DROP USER IF EXISTS nobody": ""})
	harness.MustExec(t, root, "CREATE USER native IDENTIFIED WITH mysql_native_password BY 'n'",
		"CREATE USER sha IDENTIFIED BY 's'",
		"CREATE USER tls@'%' IDENTIFIED WITH mysql_native_password BY 't' REQUIRE SSL",
		"CREATE USER here@localhost IDENTIFIED WITH mysql_native_password BY 'h', "+
			"'here'@'%' IDENTIFIED WITH 'mysql_native_password' BY 'e'",
		"CREATE USER far@'10.%' IDENTIFIED WITH mysql_native_password BY 'f'",
		"CREATE USER none IDENTIFIED WITH mysql_native_password",
		"CREATE USER IF NOT EXISTS sha IDENTIFIED BY 'other'")
	expect(t, root, map[string]string{"CREATE USER sha": "1396", "RENAME USER sha TO native": "1396"})
	const encrypt = "?tls=skip-verify"
	check := func(want map[string]bool) {
		t.Helper()
		for who, ok := range want {
			if c, err := p.try(who); (err == nil) != ok {
				t.Errorf("%s: %v", who, err)
			} else if ok {
				c.Close()
			} else if !strings.Contains(err.Error(), "1045") && !strings.Contains(err.Error(), "3118") {
				t.Errorf("%s: %v", who, err)
			}
		}
	}
	check(map[string]bool{"native:n": true, "native:x": false, "native": false, "native:n" + encrypt: true,
		"sha:s" + encrypt: true,
		"sha:x" + encrypt: false, "sha" + encrypt: false, "sha:s": false, "tls:t": false, "tls:t" + encrypt: true,
		"here:h": true, "here:e": false,
		"far:f": false, "none": true, "none:x": false, "nobody": false, "nobody:x" + encrypt: false})
	check(map[string]bool{"sha:s" + encrypt: true, "sha:x" + encrypt: false}) // the password is remembered now
	for _, method := range []string{"mysql_native_password", "caching_sha2_password"} {
		var n int
		each(t, root, "SELECT COUNT(*) FROM mysql.user WHERE plugin = '"+method+"'", func(row []string) { n++ })
		if n != 1 {
			t.Error(method)
		}
	}
	harness.MustExec(t, root, "ALTER USER sha IDENTIFIED BY 's2'", "ALTER USER native ACCOUNT LOCK",
		"RENAME USER here@localhost TO there@localhost",
		"SET PASSWORD FOR none = 'now'", "ALTER USER tls REQUIRE NONE")
	check(map[string]bool{"sha:s" + encrypt: false, "sha:s2" + encrypt: true, "native:n": false, "there:h": true,
		"here:e": true, "none:now": true,
		"none": false, "tls:t": true})
	harness.MustExec(t, p.as("none:now"), "SET PASSWORD = 'mine'", "ALTER USER CURRENT_USER() IDENTIFIED BY 'mine2'",
		"ALTER USER USER() IDENTIFIED BY 'mine'")
	check(map[string]bool{"none:mine": true, "none:now": false})
	harness.MustExec(t, root, "ALTER USER native ACCOUNT UNLOCK", "DROP USER sha, none")
	check(map[string]bool{"native:n": true, "sha:s2" + encrypt: false})
	// Several statements in one text, of which one is of accounts.
	several := p.as("root:p?multiStatements=true")
	harness.MustExec(t, several,
		"CREATE DATABASE d; CREATE USER m IDENTIFIED WITH mysql_native_password BY ';'; "+
			"GRANT ALL ON d.* TO m WITH GRANT OPTION; SELECT 1")
	m := p.as("m:;")
	harness.MustExec(t, m, "CREATE TABLE d.t (id INT PRIMARY KEY)", "INSERT INTO d.t VALUES (1)",
		"GRANT SELECT ON d.t TO native", "DROP TABLE d.t")
	expect(t, m, map[string]string{"GRANT SELECT ON *.* TO native": "1045", "GRANT CREATE USER ON *.* TO m": "1045"})
}

// TestReadersOfOne: a WITH of a table's name, somewhere in a statement, opens no table elsewhere in it: no companion
// table either.
func TestReadersOfOne(t *testing.T) {
	p := newPeople(t, server.Options{RootPassword: "p"})
	root := p.as("root:p")
	harness.MustExec(t, root, "CREATE DATABASE shop", "CREATE TABLE shop.mine (id INT PRIMARY KEY)",
		"CREATE TABLE shop.secret (id INT PRIMARY KEY)", "CREATE VIEW shop.shown AS SELECT id FROM shop.secret",
		"CREATE TABLE shop.orders (_id VARCHAR(9) PRIMARY KEY, _doc JSON)",
		`INSERT INTO shop.orders (_doc) VALUES ('{"_id":"a","lines":[1]}')`,
		"CREATE USER one IDENTIFIED WITH mysql_native_password BY 'x'", "GRANT SELECT ON shop.mine TO one")
	one := p.as("one:x")
	harness.MustExec(t, one, "USE shop")
	want := map[string]string{"WITH mine AS (SELECT 1 AS a) SELECT * FROM mine": "", "SELECT * FROM mine": "",
		"WITH free AS (SELECT 1 AS a) SELECT * FROM free": ""}
	for _, name := range []string{"orders", "orders__changes", "orders__lines", "shown", "secret"} {
		inner := "(WITH " + name + " AS (SELECT 1 AS a) SELECT * FROM " + name + ") x"
		want["SELECT 1 FROM "+name+" UNION ALL SELECT a FROM "+inner] = "1142"
		want["SELECT (SELECT COUNT(*) FROM "+name+") FROM "+inner] = "1142"
	}
	expect(t, one, want)
}

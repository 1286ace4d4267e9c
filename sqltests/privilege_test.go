package sqltests

import (
	"context"
	"database/sql"
	"io"
	"strings"
	"testing"

	"github.com/sqlfdb/sqlfdb/server"
	"github.com/sqlfdb/sqlfdb/sqltests/harness"
)

// TestMetadataPrivileges: information_schema and SHOW tell a user of those tables
// only that the user may read.
func TestMetadataPrivileges(t *testing.T) {
	store := harness.NewStore(t)
	defer store.Close()
	s, err := server.Start(context.Background(), store,
		server.Options{Listen: "127.0.0.1:0", Output: io.Discard, RootPassword: "p"})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = s.Close(context.Background()) }()
	open := func(user string) *sql.Conn {
		db, err := sql.Open("mysql", user+"@tcp("+s.Addr().String()+")/")
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { db.Close() })
		c, err := db.Conn(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { c.Close() })
		return c
	}
	root := open("root:p")
	harness.MustExec(t, root, "CREATE DATABASE a", "CREATE DATABASE b", "CREATE TABLE a.seen (id INT PRIMARY KEY)",
		"CREATE TABLE a.hidden (id INT PRIMARY KEY)", "CREATE TABLE b.hidden (id INT PRIMARY KEY)")
	harness.MustExec(t, root, "CREATE USER bob IDENTIFIED BY 'x'", "GRANT SELECT ON a.seen TO bob")
	bob := open("bob:x")
	for _, q := range []string{
		"SELECT table_schema, table_name FROM information_schema.tables WHERE table_schema IN ('a', 'b')",
		"SELECT table_schema, table_name FROM information_schema.columns WHERE table_schema IN ('a', 'b')",
		"SELECT table_schema, table_name FROM information_schema.table_constraints",
		"SELECT DISTINCT table_schema, table_name FROM information_schema.statistics",
	} {
		var got []string
		each(t, bob, q, func(row []string) { got = append(got, strings.Join(row, ".")) })
		if len(got) != 1 || got[0] != "a.seen" {
			t.Errorf("%s: %v", q, got)
		}
	}
	for _, q := range []string{"SHOW CREATE TABLE %", "SHOW COLUMNS FROM %", "SHOW INDEX FROM %"} {
		for table, allowed := range map[string]bool{"a.seen": true, "a.hidden": false, "b.hidden": false} {
			got := harness.Query(bob, strings.ReplaceAll(q, "%", table))
			if denied := strings.HasPrefix(got, "ERROR") && strings.Contains(got, "denied"); denied == allowed {
				t.Errorf("%s of %s: %s", q, table, got)
			}
		}
	}
}

// TestUsersOfRoot: with and without a password of root, the grant tables can't be written to, and root sees what it may
// do.
func TestUsersOfRoot(t *testing.T) {
	for _, password := range []string{"", "p"} {
		s := harness.ServeStore(t, harness.NewStore(t), server.Options{RootPassword: password})
		c, err := logIn(t, "root:"+password+"@tcp("+s.Addr().String()+")/")
		if err != nil {
			t.Fatal(err)
		}
		for _, stmt := range []string{"UPDATE mysql.user SET authentication_string = ''", "DELETE FROM mysql.user",
			"TRUNCATE TABLE mysql.user", "ALTER TABLE mysql.user DROP COLUMN plugin"} {
			if got := harness.Exec(c, stmt); !strings.HasPrefix(got, "ERROR 1290 (HY000)") {
				t.Errorf("with password %q: %s: %s", password, stmt, got)
			}
		}
		for _, stmt := range []string{"DROP USER root", "DROP ROLE root",
			"RENAME USER root TO bob", "ALTER USER root ACCOUNT LOCK", "REVOKE SELECT ON *.* FROM root",
			"GRANT PROXY ON root TO root"} {
			if got := harness.Exec(c, stmt); !strings.HasPrefix(got, "ERROR 1235 (42000)") {
				t.Errorf("with password %q: %s: %s", password, stmt, got)
			}
		}
		for _, q := range []string{"SELECT User FROM mysql.user", "SELECT grantee FROM information_schema.user_privileges",
			"SELECT COUNT(*) FROM mysql.time_zone_name JOIN mysql.time_zone USING (Time_zone_id)"} {
			if got := harness.Query(c, q); strings.HasPrefix(got, "ERROR") || len(strings.Split(got, "\n")) < 2 {
				t.Errorf("with password %q: %s: %s", password, q, got)
			}
		}
		if got := harness.Query(c, "SHOW GRANTS"); !strings.Contains(got, "GRANT ALL PRIVILEGES ON *.* TO `root`@`%`") {
			t.Errorf("with password %q: SHOW GRANTS: %s", password, got)
		}
		if got := harness.Query(c, "SELECT CURRENT_USER() IS NOT NULL"); strings.Contains(got, "ERROR") {
			t.Errorf("with password %q: %s", password, got)
		}
	}
}

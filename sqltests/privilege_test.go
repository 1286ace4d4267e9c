package sqltests

import (
	"context"
	"database/sql"
	"io"
	"strings"
	"testing"

	"github.com/sqlfdb/sqlfdb/server"
)

// TestMetadataPrivileges: information_schema and SHOW tell a user of those tables
// only that the user may read.
func TestMetadataPrivileges(t *testing.T) {
	store := newStore(t)
	defer store.Close()
	s, err := server.Start(context.Background(), store, server.Options{Listen: "127.0.0.1:0", Output: io.Discard, RootPassword: "p"})
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
	mustExec(t, root, "CREATE DATABASE a", "CREATE DATABASE b", "CREATE TABLE a.seen (id INT PRIMARY KEY)",
		"CREATE TABLE a.hidden (id INT PRIMARY KEY)", "CREATE TABLE b.hidden (id INT PRIMARY KEY)")
	users := s.Backend().Users()
	editor := users.Editor()
	users.AddSuperUser(editor, "bob", "%", "x")
	for _, u := range editor.GetUsersByUsername("bob") {
		u.IsSuperUser = false
		u.PrivilegeSet.ClearGlobal()
		u.PrivilegeSet.AddTable("a", "seen", 0) // SELECT is the first of the engine's privileges
		editor.PutUser(u)
	}
	editor.Close()
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
			got := query(bob, strings.ReplaceAll(q, "%", table))
			if denied := strings.HasPrefix(got, "ERROR") && strings.Contains(got, "denied"); denied == allowed {
				t.Errorf("%s of %s: %s", q, table, got)
			}
		}
	}
}

// TestUsersAreNotKept: what would be forgotten when the server ends is refused, with and
// without a password of root, and does nothing; SHOW GRANTS tells what root may do.
func TestUsersAreNotKept(t *testing.T) {
	for _, password := range []string{"", "p"} {
		store := newStore(t)
		s, err := server.Start(context.Background(), store, server.Options{Listen: "127.0.0.1:0", Output: io.Discard, RootPassword: password})
		if err != nil {
			t.Fatal(err)
		}
		db, err := sql.Open("mysql", "root:"+password+"@tcp("+s.Addr().String()+")/")
		if err != nil {
			t.Fatal(err)
		}
		c, err := db.Conn(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		mustExec(t, c, "CREATE DATABASE a")
		for _, stmt := range []string{
			"CREATE USER bob IDENTIFIED BY 'x'", "CREATE USER IF NOT EXISTS bob", "ALTER USER root IDENTIFIED BY 'x'", "DROP USER root", "DROP USER IF EXISTS bob",
			"CREATE ROLE r", "DROP ROLE IF EXISTS r", "GRANT SELECT ON a.* TO root", "GRANT ALL ON *.* TO root WITH GRANT OPTION", "REVOKE SELECT ON a.* FROM root",
			"RENAME USER root TO bob", "GRANT r TO root",
		} {
			if got := exec(c, stmt); !strings.HasPrefix(got, "ERROR 1235 (42000)") {
				t.Errorf("with password %q: %s: %s", password, stmt, got)
			}
		}
		for _, stmt := range []string{"UPDATE mysql.user SET authentication_string = ''", "DELETE FROM mysql.user",
			"TRUNCATE TABLE mysql.user", "ALTER TABLE mysql.user DROP COLUMN plugin"} {
			if got := exec(c, stmt); !strings.HasPrefix(got, "ERROR 1290 (HY000)") {
				t.Errorf("with password %q: %s: %s", password, stmt, got)
			}
		}
		for _, q := range []string{"SELECT User FROM mysql.user", "SELECT grantee FROM information_schema.user_privileges",
			"SELECT COUNT(*) FROM mysql.time_zone_name JOIN mysql.time_zone USING (Time_zone_id)"} {
			if got := query(c, q); strings.HasPrefix(got, "ERROR") || len(strings.Split(got, "\n")) < 2 {
				t.Errorf("with password %q: %s: %s", password, q, got)
			}
		}
		if got := query(c, "SHOW GRANTS"); !strings.Contains(got, "GRANT ALL PRIVILEGES ON *.* TO `root`@`%`") {
			t.Errorf("with password %q: SHOW GRANTS: %s", password, got)
		}
		if got := query(c, "SELECT CURRENT_USER() IS NOT NULL"); strings.Contains(got, "ERROR") {
			t.Errorf("with password %q: %s", password, got)
		}
		db.Close()
		if err := s.Close(context.Background()); err != nil {
			t.Error(err)
		}
		if err := store.Close(); err != nil {
			t.Error(err)
		}
	}
}

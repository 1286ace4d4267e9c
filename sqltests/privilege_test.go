package sqltests

import (
	"context"
	"database/sql"
	"io"
	"strings"
	"testing"

	"github.com/sqlfdb/sqlfdb/kv/pebblekv"
	"github.com/sqlfdb/sqlfdb/server"
)

// TestMetadataPrivileges: information_schema and SHOW tell a user of those tables
// only that the user may read.
func TestMetadataPrivileges(t *testing.T) {
	store, err := pebblekv.Open(t.TempDir(), pebblekv.Options{})
	if err != nil {
		t.Fatal(err)
	}
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
	// Users are kept in memory; what these answer is another matter.
	_ = exec(root, "CREATE USER bob IDENTIFIED BY 'x';\nGRANT SELECT ON a.seen TO bob")
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

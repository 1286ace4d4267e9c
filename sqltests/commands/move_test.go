package commands

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sqlfdb/sqlfdb/sqltests/harness"
)

// TestMove: backup and restore, and export and import, move a store to every engine from every engine; nothing in it
// changes on the way.
func TestMove(t *testing.T) {
	t.Parallel()
	done := func(t *testing.T, stdin string, args ...string) string {
		t.Helper()
		o := harness.Run(t, harness.Call{Args: args, Stdin: stdin})
		if o.Exit != 0 {
			t.Fatalf("%q: %s", args, o.Stderr)
		}
		return o.Stdout
	}
	var documents strings.Builder
	for i := range 400 {
		fmt.Fprintf(&documents, `{"_id":"k%03d","n":%d.50,"tags":["a",{"b":%d}],"text":"%s"}`+"\n", i, i, i,
			strings.Repeat("é", i*40))
	}
	for _, from := range harness.Engines {
		for _, to := range harness.Engines {
			t.Run(from.Name+" to "+to.Name, func(t *testing.T) {
				first, second, third := from.Place(t), to.Place(t), to.Place(t)
				done(t, documents.String(), "import", "--store", first, "--table", "d.t", "-")
				p := harness.Spawn(t, harness.Call{Args: []string{"serve", "--store", first, "--listen",
					"127.0.0.1:0"}})
				db := harness.Connect(t, p.Addr, "d", "")
				harness.ExecAll(t, db, "UPDATE t SET n = n + 1 WHERE n < 100", "DELETE FROM t WHERE n > 380",
					"CREATE TABLE closed (id INT AUTO_INCREMENT PRIMARY KEY, s VARCHAR(20) UNIQUE)",
					"INSERT INTO closed (s) VALUES ('x'), ('y')")
				changes := harness.Texts(t, db, "SELECT * FROM t__changes ORDER BY seq")
				ids := harness.Texts(t, db, "SELECT id FROM closed ORDER BY id")
				harness.CheckAll(t, db)
				p.Stop()
				want := done(t, "", "export", "--store", first, "--table", "d.t")
				if n := strings.Count(want, "\n"); n != 380 {
					t.Fatalf("%d documents are exported", n)
				}
				file := filepath.Join(t.TempDir(), "file")
				done(t, "", "backup", "--store", first, file)
				done(t, "", "restore", "--store", second, file)
				done(t, "", "check", "--store", second)
				if got := done(t, "", "export", "--store", second, "--table", "d.t"); got != want {
					t.Errorf("restored: %.300s\nbefore: %.300s", got, want)
				}
				p = harness.Spawn(t, harness.Call{Args: []string{"serve", "--store", second, "--listen",
					"127.0.0.1:0"}})
				db = harness.Connect(t, p.Addr, "d", "")
				if got := harness.Texts(t, db, "SELECT * FROM t__changes ORDER BY seq"); strings.Join(got,
					"\n") != strings.Join(changes,
					"\n") {
					t.Errorf("the feed: %.300q\nbefore: %.300q", got, changes)
				}
				harness.ExecAll(t, db, "INSERT INTO closed (s) VALUES ('z')", "INSERT INTO t (_id) VALUES ('new')")
				if got := harness.Texts(t, db, "SELECT id FROM closed ORDER BY id"); len(got) != 3 ||
					strings.Join(got[:2], " ") != strings.Join(ids, " ") {
					t.Errorf("numbers given: %v, before %v", got, ids)
				}
				if got := harness.Texts(t, db,
					"SELECT _id FROM t__changes ORDER BY seq DESC LIMIT 1"); strings.Join(got, " ") != "new" {
					t.Errorf("the last change: %v", got)
				}
				harness.CheckAll(t, db)
				p.Stop()
				done(t, want, "import", "--store", third, "--table", "d.t", "-")
				done(t, "", "check", "--store", third)
				if got := done(t, "", "export", "--store", third, "--table", "d.t"); got != want {
					t.Errorf("imported: %.300s\nbefore: %.300s", got, want)
				}
			})
		}
	}
}

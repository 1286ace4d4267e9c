package commands

import (
	"database/sql"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sqlfdb/sqlfdb/sqltests/harness"
)

// TestUsersInBackup: a copy of a store that is served, and one that goes on from it, carry accounts, roles and
// privileges, passwords too.
func TestUsersInBackup(t *testing.T) {
	t.Parallel()
	harness.Embedded(t)
	dir := t.TempDir()
	p := harness.Spawn(t, harness.ServeCall(t, filepath.Join(dir, "store")))
	db := harness.Connect(t, p.Addr, "", "")
	harness.ExecAll(t, db, "CREATE DATABASE d", "CREATE TABLE d.t (id INT PRIMARY KEY, a INT, b INT)",
		"INSERT INTO d.t VALUES (1, 2, 3)", "CREATE ROLE r, gone", "GRANT SELECT (id, a) ON d.t TO r",
		"CREATE USER u IDENTIFIED WITH mysql_native_password BY 'x' DEFAULT ROLE r")
	full, more := filepath.Join(dir, "full"), filepath.Join(dir, "more")
	run := func(args ...string) {
		t.Helper()
		if o := harness.Run(t, harness.Call{Args: args}); o.Exit != 0 {
			t.Fatalf("%v: %+v", args, o)
		}
	}
	run("backup", "--dsn", p.DSN(), full)
	harness.ExecAll(t, db, "DROP ROLE gone", "GRANT SELECT (b) ON d.t TO r",
		"CREATE USER v IDENTIFIED WITH mysql_native_password BY 'y'")
	run("backup", "--dsn", p.DSN(), "--since", full, more)
	p.Stop()
	for name, files := range map[string][]string{"one": {full}, "two": {full, more}} {
		into := filepath.Join(dir, name)
		run(append([]string{"restore", "--store", "pebble:" + into}, files...)...)
		p := harness.Spawn(t, harness.ServeCall(t, into))
		grants := harness.Texts(t, harness.Connect(t, p.Addr, "", ""), "SHOW GRANTS FOR r")
		columns, vs := "(`id`, `a`)", false
		if len(files) == 2 {
			columns, vs = "(`id`, `a`, `b`)", true
		}
		if want := "GRANT SELECT " + columns + " ON `d`.`t` TO `r`@`%`"; grants[len(grants)-1] != want {
			t.Errorf("%s: %q, want %q", name, grants, want)
		}
		for user, ok := range map[string]bool{"u:x": true, "u:z": false, "v:y": vs} {
			as, err := sql.Open("mysql", user+"@tcp("+p.Addr.String()+")/")
			if err != nil {
				t.Fatal(err)
			}
			defer as.Close()
			if err := as.Ping(); (err == nil) != ok {
				t.Errorf("%s: %s: %v", name, user, err)
			}
			if user == "u:x" {
				if got := strings.Join(harness.Texts(t, as, "SELECT a FROM d.t"), ","); got != "2" {
					t.Errorf("%s: %s reads %q", name, user, got)
				}
			}
		}
		p.Stop()
	}
}

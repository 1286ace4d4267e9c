package commands

import (
	"database/sql"
	"fmt"
	"os"
	osexec "os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/sqlfdb/sqlfdb/sqltests/harness"
)

// TestBackup: what a server kept is there after a backup and a restore elsewhere, and its feeds go on.
func TestBackup(t *testing.T) {
	t.Parallel()
	harness.Embedded(t)
	work := t.TempDir()
	first, second := filepath.Join(work, "first"), filepath.Join(work, "second")
	p := harness.Spawn(t, harness.ServeCall(t, first))
	db := harness.Connect(t, p.Addr, "", "")
	harness.ExecAll(t, db, "CREATE DATABASE d", "CREATE DATABASE `e.e``e`", "USE d",
		"CREATE TABLE d.t (_id VARCHAR(255) PRIMARY KEY, _doc JSON)",
		"CREATE TABLE d.f (_id VARCHAR(255) PRIMARY KEY, _doc JSON) ENGINE_ATTRIBUTE '{\"key_scheme\": \"field\"}'",
		"CREATE TABLE d.closed (id INT AUTO_INCREMENT PRIMARY KEY, s VARCHAR(20) UNIQUE, n DECIMAL(20,3))",
		"CREATE TABLE d.two (a INT, b VARCHAR(10) COLLATE utf8mb4_0900_ai_ci, c INT, PRIMARY KEY (a, b))",
		"CREATE TABLE `e.e``e`.`t ``x.y` (k INT)",
		"CREATE MAP INDEX kept ON d.t AS 'function (doc) { emit([doc.n, doc.tags], doc.big.length); }' INTERACTIVE",
		"CREATE MAP INDEX behind ON d.f AS 'function (doc) { doc.tags.forEach(function (x) { emit(x); }); }'",
		"CREATE VIEW d.v AS SELECT _id, n FROM t WHERE n > 3",
		"INSERT INTO d.closed (s, n) VALUES ('x', 1.5), ('y', NULL), ('z', 99999999999999999.999)",
		"INSERT INTO d.two VALUES (1, 'Ä', 1), (1, 'b', 2)", "INSERT INTO `e.e``e`.`t ``x.y` VALUES (1), (1), (2)")
	for i := range 16 {
		for _, table := range []string{"t", "f"} {
			harness.MustExec(t, db, fmt.Sprintf(
				`INSERT INTO d.%s (_doc) VALUES ('{"_id": "k%02d", "n": %d, "tags": ["a", {"b": %d}], "big": "%s"}')`, table, i, i,
				i, strings.Repeat("é", i*100)))
		}
	}
	harness.ExecAll(t, db, "DELETE FROM d.t WHERE n % 4 = 1", "UPDATE d.t SET n = n + 0.5 WHERE n % 4 = 2",
		"UPDATE d.f SET tags = NULL WHERE n < 9",
		"ALTER TABLE d.closed MODIFY n VARCHAR(40)", "OPTIMIZE TABLE d.closed") // no job changes the entries later
	queries := []string{"SELECT * FROM d.t__changes ORDER BY seq", "SELECT *, _doc FROM d.f__changes",
		"SELECT * FROM d.two__changes", "SELECT * FROM `e.e``e`.`t ``x.y__changes`",
		"SELECT *, _doc FROM d.t", "SELECT *, _doc FROM d.f", "SELECT * FROM d.closed", "SELECT * FROM d.two",
		"SELECT * FROM `e.e``e`.`t ``x.y`", "SELECT * FROM d.v",
		"SELECT * FROM d.t__map__kept", "SELECT * FROM d.f__map__behind",
		"SELECT `table`, `index`, signature, state, sequence, `rows`, bytes, errors, definition FROM sqlfdb.map_indexes",
		"SELECT * FROM sqlfdb.map_errors", "SELECT * FROM d.t__tags",
		"SELECT * FROM sqlfdb.keypaths ORDER BY `database`, `table`, keypath, type",
		"SHOW COLUMNS FROM d.closed",
		"SELECT sqlfdb_last_seq('d.t')", "SELECT _id, sqlfdb_rev('d.t', _id) FROM d.t"}
	results := func(db *sql.DB) (out []string) {
		for _, q := range queries {
			out = append(out, q+"\n"+strings.Join(harness.Texts(t, db, q), "\n"))
		}
		return out
	}
	before := results(db)
	last := harness.Texts(t, db, "SELECT sqlfdb_last_seq('d.t')")[0]
	file := filepath.Join(work, "store.backup")
	if o := harness.Run(t, harness.Call{Args: []string{"backup", "--store", "pebble:" + first, file}}); o.Exit == 0 ||
		!strings.Contains(o.Stderr, "in use by another process") {
		t.Errorf("a backup of a store that is served: %+v", o)
	}
	p.Kill()
	if o := harness.Run(t, harness.Call{Args: []string{"backup", "--store", "pebble:" + first, file}}); o.Exit != 0 ||
		!strings.Contains(o.Stderr, "keys") {
		t.Fatalf("%+v", o)
	}
	if o := harness.Run(t, harness.Call{Args: []string{"restore", "--verify", file}}); o.Exit != 0 ||
		!strings.Contains(o.Stderr, "are whole") {
		t.Errorf("%+v", o)
	}
	if o := harness.Run(t, harness.Call{Args: []string{"restore", "--store", "pebble:" + second, file}}); o.Exit != 0 {
		t.Fatalf("%+v", o)
	}
	if o := harness.Run(t, harness.Call{Args: []string{"restore", "--store", "pebble:" + second, file}}); o.Exit == 0 ||
		!strings.Contains(o.Stderr, "not empty") {
		t.Errorf("once more: %+v", o)
	}
	if o := harness.Run(t, harness.Call{Args: []string{"check", "--store", "pebble:" + second}}); o.Exit != 0 {
		t.Errorf("%+v", o)
	}
	p = harness.Spawn(t, harness.ServeCall(t, second))
	db = harness.Connect(t, p.Addr, "d", "")
	for i, after := range results(db) {
		if after != before[i] {
			t.Errorf("restored: %.2000s\nbefore: %.2000s", after, before[i])
		}
	}
	harness.CheckAll(t, db)
	// The feed goes on: what comes now sorts behind, and a follower sees just that.
	harness.ExecAll(t, db, `REPLACE INTO t (_doc) VALUES ('{"_id": "k00", "n": 100}')`,
		"DELETE FROM t WHERE _id = 'k03'",
		`INSERT INTO t (_id) VALUES ('k01')`, `INSERT INTO t (_id) VALUES ('new')`)
	o := harness.Run(t, harness.Call{Args: []string{"changes", "--table", "d.t", "--since", last, "--dsn", p.DSN()}})
	if lines := strings.Split(strings.TrimSpace(o.Stdout), "\n"); len(lines) != 4 ||
		!strings.Contains(lines[0], `"k00"`) || !strings.Contains(lines[1], `"k03"`) || !strings.Contains(lines[3], `"new"`) {
		t.Errorf("after the restore: %+v", o)
	}
	if seqs := harness.Texts(t, db, "SELECT seq FROM t__changes WHERE seq > ? ORDER BY seq", last); len(seqs) != 4 ||
		!strings.HasPrefix(seqs[0], "01") || !strings.HasPrefix(last, "00") {
		t.Errorf("%v after %s", seqs, last)
	}
	if ids := harness.Texts(t, db,
		"SELECT COUNT(*), COUNT(DISTINCT _id), SUM(deleted) FROM t__changes"); ids[0] != "17 | 17 | 4" {
		t.Errorf("documents, keys and tombstones: %v", ids)
	}
	harness.MustExec(t, db, "INSERT INTO closed (s) VALUES ('new')")
	if id := harness.Texts(t, db, "SELECT id > 3 FROM closed WHERE s = 'new'"); len(id) != 1 || id[0] != "1" {
		t.Errorf("the next id: %v", id)
	}
	harness.CheckAll(t, db)
	p.Stop()
}

// TestBackupFiles: a backup that fails or is interrupted leaves no file that looks like one, and a restore that is
// killed leaves no store that serves.
func TestBackupFiles(t *testing.T) {
	harness.Embedded(t)
	work := t.TempDir()
	store := "pebble:" + filepath.Join(work, "store")
	var lines strings.Builder
	for i := range 6000 {
		fmt.Fprintf(&lines, `{"_id":"k%06d","a":%d,"text":"%s","list":[1,2,3,4,5,6,7,8]}`+"\n", i, i,
			strings.Repeat("text ", 60))
	}
	if o := harness.Run(t, harness.Call{Args: []string{"import", "--store", store, "--table", "d.t",
		writeFile(t, "in.jsonl", lines.String())}}); o.Exit != 0 {
		t.Fatalf("%+v", o)
	}
	file := filepath.Join(work, "file")
	leaves := func(what string, names ...string) {
		t.Helper()
		found, err := os.ReadDir(work)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, f := range found {
			if !f.IsDir() {
				got = append(got, f.Name())
			}
		}
		if strings.Join(got, " ") != strings.Join(names, " ") {
			t.Errorf("%s leaves %q, want %q", what, got, names)
		}
	}
	cmd := osexec.Command(harness.Command(t), "backup", "--store", store, file)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	harness.Eventually(t, func() string { return "the backup does not begin" }, func() bool {
		_, partial := os.Stat(file + ".partial")
		_, whole := os.Stat(file)
		return partial == nil || whole == nil
	})
	_ = cmd.Process.Signal(syscall.SIGINT)
	if err := cmd.Wait(); err == nil {
		t.Log("the backup was faster than its interruption")
		if err := os.Remove(file); err != nil {
			t.Fatal(err)
		}
	}
	leaves("an interrupted backup")
	if o := harness.Run(t, harness.Call{Args: []string{"backup", "--store", "pebble:" + filepath.Join(work, "none"),
		file}}); o.Exit == 0 {
		t.Errorf("of no store: %+v", o)
	}
	if err := os.WriteFile(file, []byte("of yesterday"), 0o600); err != nil {
		t.Fatal(err)
	}
	if o := harness.Run(t, harness.Call{Args: []string{"backup", "--store", store,
		filepath.Join(work, "no", "such", "place")}}); o.Exit == 0 {
		t.Errorf("where nothing can be written: %+v", o)
	}
	// The shell's limit of a file's size is a full disk to the command.
	limited := osexec.Command("sh", "-c", `trap "" XFSZ; ulimit -f 1000; exec "$0" "$@"`, harness.Command(t), "backup",
		"--store",
		store, file)
	if out, err := limited.CombinedOutput(); err == nil || !strings.Contains(string(out), "file too large") {
		t.Errorf("a full disk: %v: %s", err, out)
	}
	leaves("a full disk", "file")
	if b, err := os.ReadFile(file); err != nil || string(b) != "of yesterday" {
		t.Errorf("the former file holds %.20q, %v", b, err)
	}
	if o := harness.Run(t, harness.Call{Args: []string{"restore", "--store", "pebble:" + filepath.Join(work, "x"),
		file}}); o.Exit == 0 ||
		!strings.Contains(o.Stderr, "not a backup file") {
		t.Errorf("%+v", o)
	}
	if o := harness.Run(t, harness.Call{Args: []string{"backup", "--store", store, file}}); o.Exit != 0 {
		t.Fatalf("%+v", o)
	}
	leaves("a backup", "file")
	whole, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	const times = 32 // the fractions of seconds in a copy's times have no trailing zeros
	if o := harness.Run(t, harness.Call{Args: []string{"backup", "--store", store,
		"-"}}); o.Exit != 0 || max(len(o.Stdout), len(whole))-min(len(o.Stdout), len(whole)) > times {
		t.Errorf("to standard output: %d, %d bytes, want %d", o.Exit, len(o.Stdout), len(whole))
	}
	// Killed in the middle: nobody serves what is there, and restoring again makes it whole.
	half := filepath.Join(work, "half")
	killed := osexec.Command(harness.Command(t), "restore", "--store", "pebble:"+half, "-")
	in, err := killed.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := killed.Start(); err != nil {
		t.Fatal(err)
	}
	if _, err := in.Write(whole[:len(whole)-2<<20]); err != nil {
		t.Fatal(err)
	}
	time.Sleep(100 * time.Millisecond) // it waits for the rest
	_ = killed.Process.Kill()
	_ = killed.Wait()
	o := harness.Run(t, harness.Call{Args: []string{"serve", "--store", "pebble:" + half, "--listen", "127.0.0.1:0"}})
	if o.Exit == 0 || !strings.Contains(o.Stderr, "restore it again") {
		t.Errorf("a half-restored store is served: %+v", o)
	}
	cut := writeFile(t, "cut", string(whole[:len(whole)-1000]))
	if o := harness.Run(t, harness.Call{Args: []string{"restore", "--store", "pebble:" + half, cut}}); o.Exit == 0 ||
		!strings.Contains(o.Stderr, "truncated") {
		t.Errorf("%+v", o)
	}
	if o := harness.Run(t, harness.Call{Args: []string{"restore", "--store", "pebble:" + half, "-"},
		Stdin: string(whole)}); o.Exit != 0 {
		t.Errorf("again: %+v", o)
	}
	a := harness.Run(t, harness.Call{Args: []string{"export", "--store", store, "--table", "d.t"}})
	b := harness.Run(t, harness.Call{Args: []string{"export", "--store", "pebble:" + half, "--table", "d.t"}})
	if a.Exit != 0 || b.Exit != 0 || a.Stdout != b.Stdout || len(a.Stdout) < 1<<20 {
		t.Errorf("exports of %d and %d bytes", len(a.Stdout), len(b.Stdout))
	}
	if o := harness.Run(t, harness.Call{Args: []string{"check", "--store", "pebble:" + half}}); o.Exit != 0 {
		t.Errorf("%+v", o)
	}
}

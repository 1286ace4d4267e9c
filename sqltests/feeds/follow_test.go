package feeds

import (
	"bytes"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	osexec "os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/sqlfdb/sqlfdb/server"
	"github.com/sqlfdb/sqlfdb/sqltests/harness"
)

// followed are the lines that a follower has written, as its table would be: documents by key. They must be in the
// order of their sequences, without a repetition.
func followed(t *testing.T, text string) (documents map[string]string, seqs []string) {
	t.Helper()
	documents = map[string]string{}
	last := ""
	for _, line := range strings.Split(strings.TrimSpace(text), "\n") {
		var c struct {
			Seq     string          `json:"seq"`
			ID      string          `json:"_id"`
			Rev     string          `json:"rev"`
			Deleted bool            `json:"deleted"`
			Doc     json.RawMessage `json:"_doc"`
		}
		if err := json.Unmarshal([]byte(line), &c); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		if c.Seq <= last || c.ID == "" || c.Rev == "" {
			t.Fatalf("after %s: %s", last, line)
		}
		last = c.Seq
		seqs = append(seqs, c.Seq)
		if c.Deleted {
			delete(documents, c.ID)
		} else {
			documents[c.ID] = string(bytes.TrimSpace(c.Doc))
		}
	}
	return documents, seqs
}

// awaitOutput waits until something has been written.
func awaitOutput(t *testing.T, out *harness.Output, what, text string) {
	t.Helper()
	harness.Eventually(t, func() string { return fmt.Sprintf("%s: %q does not come after %s", what, text, out) },
		func() bool { return strings.Contains(out.String(), text) })
}

// TestFollowCut: a follower whose connections are lost in the middle of what they read misses and repeats nothing.
func TestFollowCut(t *testing.T) {
	for _, e := range harness.Engines {
		f := harness.ServeFleet(t, e.Fresh(t), 1, server.Options{})
		db := f.Connect("", "")
		harness.MustExec(t, db, "CREATE DATABASE d", "CREATE TABLE d.t (_id VARCHAR(255) PRIMARY KEY, _doc JSON)")
		for i := range 10 {
			var values []string
			for k := range 250 {
				values = append(values, fmt.Sprintf(`('{"_id": "k%d-%03d", "text": "%s"}')`, i, k, strings.Repeat("x", 150)))
			}
			harness.MustExec(t, db, "INSERT INTO d.t (_doc) VALUES "+strings.Join(values, ", "))
		}
		harness.MustExec(t, db, "DELETE FROM d.t WHERE _id LIKE 'k3-1%'")
		want := harness.Texts(t, db, "SELECT seq FROM d.t__changes ORDER BY seq")
		follower := osexec.Command(harness.Command(t), "changes", "--table", "d.t", "--follow", "--dsn",
			"root@tcp("+harness.Cutting(t, f, seedOf(t), 20_000, 150_000).String()+")/")
		out, said := &harness.Output{}, &harness.Output{}
		follower.Stdout, follower.Stderr = out, said
		if err := follower.Start(); err != nil {
			t.Fatal(err)
		}
		defer follower.Process.Kill()
		awaitOutput(t, out, "the last of the first changes", want[len(want)-1])
		if _, seqs := followed(t, out.String()); !slices.Equal(seqs, want) {
			t.Errorf("%d changes of %d", len(seqs), len(want))
		}
		for i := range 60 { // while others write
			harness.MustExec(t, db, fmt.Sprintf("REPLACE INTO d.t (_id, text) VALUES ('k5-%03d', REPEAT('é', 2000))",
				i),
				fmt.Sprintf("DELETE FROM d.t WHERE _id = 'k6-%03d'", i))
		}
		last := harness.Texts(t, db, "SELECT sqlfdb_last_seq('d.t')")[0]
		awaitOutput(t, out, "the last change", last)
		if err := errors.Join(follower.Process.Signal(syscall.SIGTERM), follower.Wait()); err != nil ||
			!strings.Contains(said.String(), "--since "+last) {
			t.Errorf("%v: %s", err, said.String())
		}
		documents, _ := followed(t, out.String())
		if source := contents(t, db, "SELECT _id, _doc FROM d.t"); !maps.Equal(source, documents) {
			t.Errorf("the lines give %d documents, there are %d", len(documents), len(source))
		}
		if n := strings.Count(said.String(), "lost the server"); n < 3 {
			t.Errorf("%d connections were lost", n)
		}
	}
}

// TestFollowRestored: a follower whose server goes on elsewhere, with a restored store, misses and repeats nothing; it
// says so where the backup was older than what it has seen, and goes on with what comes now.
func TestFollowRestored(t *testing.T) {
	for _, e := range harness.Engines {
		places, file := []string{e.Place(t), e.Place(t), e.Place(t)}, filepath.Join(t.TempDir(), "backup")
		p := harness.Spawn(t, harness.Call{Args: []string{"serve", "--store", places[0], "--listen", "127.0.0.1:0"}})
		move := func(from, to string, write func(db *sql.DB)) {
			t.Helper()
			p.Stop()
			for _, c := range [][]string{{"backup", "--store", from, file}, {"restore", "--store", to, file}} {
				if o := harness.Run(t, harness.Call{Args: c}); o.Exit != 0 {
					t.Fatalf("%v: %+v", c, o)
				}
			}
			if write != nil { // behind the backup
				p = harness.Spawn(t, harness.Call{Args: []string{"serve", "--store", from, "--listen", string(p.Addr)}})
				write(harness.Connect(t, p.Addr, "d", ""))
				p.Kill()
			}
			p = harness.Spawn(t, harness.Call{Args: []string{"serve", "--store", to, "--listen", string(p.Addr)}})
		}
		db := harness.Connect(t, p.Addr, "", "")
		harness.ExecAll(t, db, "CREATE DATABASE d", "CREATE TABLE d.t (_id VARCHAR(255) PRIMARY KEY, _doc JSON)")
		follower := osexec.Command(harness.Command(t), "changes", "--table", "d.t", "--follow", "--dsn", p.DSN())
		stdout, stderr := &harness.Output{}, &harness.Output{}
		follower.Stdout, follower.Stderr = stdout, stderr
		if err := follower.Start(); err != nil {
			t.Fatal(err)
		}
		defer follower.Process.Kill()
		for i := range 20 {
			harness.ExecAll(t, db, fmt.Sprintf("INSERT INTO d.t (_id, n) VALUES ('k%02d', %d)", i, i))
		}
		harness.ExecAll(t, db, "DELETE FROM d.t WHERE n < 3")
		awaitOutput(t, stdout, "of the first store", `"k19"`)
		newest := func() string {
			t.Helper()
			return harness.Texts(t, harness.Connect(t, p.Addr, "d", ""), "SELECT sqlfdb_last_seq('t')")[0]
		}
		move(places[0], places[1], nil)
		db = harness.Connect(t, p.Addr, "d", "")
		harness.ExecAll(t, db, "UPDATE t SET n = n + 100 WHERE n > 15", "INSERT INTO t (_id, n) VALUES ('k01', 1)")
		if !strings.HasPrefix(newest(), "01") {
			t.Errorf("the first sequence of a restored store is %s", newest())
		}
		awaitOutput(t, stdout, "of the second store", newest())
		documents, seqs := followed(t, stdout.String())
		if source := contents(t, db, "SELECT _id, _doc FROM t"); !maps.Equal(source, documents) {
			t.Errorf("%s: the lines give %v, there is %v", e.Name, documents, source)
		}
		if text := stderr.String(); !strings.Contains(text, "lost the server") || strings.Contains(text, "warning") {
			t.Errorf("standard error says %s", text)
		}
		// What is written behind the backup is gone with the second store.
		var gone string
		move(places[1], places[2], func(db *sql.DB) {
			harness.ExecAll(t, db, "INSERT INTO t (_id, n) VALUES ('gone', 1)", "DELETE FROM t WHERE _id = 'k05'")
			gone = newest()
			awaitOutput(t, stdout, "behind the backup", gone)
		})
		awaitOutput(t, stderr, "of a backup that is older", "sequence "+gone+" is behind the newest change")
		db = harness.Connect(t, p.Addr, "d", "")
		harness.ExecAll(t, db, "UPDATE t SET n = n + 1", "INSERT INTO t (_id, n) VALUES ('gone', 2)")
		if !strings.HasPrefix(newest(), "02") {
			t.Errorf("the first sequence of a store restored twice is %s", newest())
		}
		awaitOutput(t, stdout, "of the third store", newest())
		documents, more := followed(t, stdout.String())
		if source := contents(t, db, "SELECT _id, _doc FROM t"); !maps.Equal(source, documents) ||
			!slices.Equal(more[:len(seqs)], seqs) {
			t.Errorf("%s: the lines give %v, there is %v", e.Name, documents, source)
		}
		harness.CheckAll(t, db)
	}
}

// TestChangesCommand: what `sqlfdb changes` takes and refuses, and what it says to go on from where it could not
// write everything.
func TestChangesCommand(t *testing.T) {
	t.Parallel()
	s, db := harness.Database(t)
	dsn := "root@tcp(" + s.Addr().String() + ")/"
	harness.ExecAll(t, db, "CREATE TABLE t (_id VARCHAR(255) PRIMARY KEY, _doc JSON)",
		"CREATE TABLE two (a INT, b VARCHAR(10), PRIMARY KEY (a, b))",
		"CREATE TABLE hidden (n INT)", "CREATE DATABASE `x.y`",
		"CREATE TABLE `x.y`.`a.``b c` (_id VARCHAR(255) PRIMARY KEY, _doc JSON)",
		"INSERT INTO two VALUES (1, 'x'), (2, 'y')", "DELETE FROM two WHERE a = 1", "INSERT INTO hidden VALUES (7), (7)",
		"INSERT INTO `x.y`.`a.``b c` (_id) VALUES ('k')")
	for i := range 8 {
		var values []string
		for k := range 250 {
			values = append(values, fmt.Sprintf(`('{"_id": "k%02d-%03d", "text": "%s"}')`, i, k, strings.Repeat("é", 40)))
		}
		harness.MustExec(t, db, "INSERT INTO t (_doc) VALUES "+strings.Join(values, ", "))
	}
	changes := func(args ...string) harness.Outcome {
		t.Helper()
		return harness.Run(t, harness.Call{Args: append([]string{"changes", "--dsn", dsn}, args...)})
	}
	newest := harness.Texts(t, db, "SELECT sqlfdb_last_seq('t')")[0]
	for _, since := range []string{"0", newest[1:], newest + "0", strings.Replace(newest, "0", "G", 1),
		strings.Replace(newest, "0", "A", 1), "last", " " + newest[1:]} {
		if o := changes("--table", "d.t", "--since", since); o.Exit == 0 || o.Stdout != "" ||
			!strings.Contains(o.Stderr, "want 26 digits") {
			t.Errorf("--since %q: %+v", since, o)
		}
	}
	if o := changes("--table", "d.t", "--since", "f"+newest[1:]); o.Exit != 0 ||
		!strings.Contains(o.Stderr, "behind the newest change, "+newest) {
		t.Errorf("behind the newest change: %+v", o)
	}
	if o := changes("--table", "d.t", "--since", newest); o.Exit != 0 || o.Stdout != "" ||
		strings.Contains(o.Stderr, "warning") {
		t.Errorf("at the newest change: %+v", o)
	}
	for table, want := range map[string][]string{
		"d.two":                 {`"a":1,"b":"x"`, `"a":2,"b":"y"`},
		"d.hidden":              {`,"n":7}`, `"deleted":false`},
		"`x.y`.`a.``b c`":       {`"_id":"k"`},
		"d.two__changes":        nil,
		"`x.y`.nothing":         nil,
		"`x.y`.`a.``b c` extra": nil,
	} {
		o := changes("--table", table)
		if (o.Exit == 0) != (want != nil) {
			t.Errorf("%s: %+v", table, o)
		}
		lines := strings.Split(strings.TrimSpace(o.Stdout), "\n")
		for _, w := range want {
			if len(lines) != len(want) || !strings.Contains(o.Stdout, w) {
				t.Errorf("%s: %q lacks %s", table, o.Stdout, w)
			}
		}
	}
	// The shell's limit of a file's size is a full disk to the command. What it says to go on from leaves no gap.
	file := filepath.Join(t.TempDir(), "lines")
	limited := osexec.Command("sh", "-c", `trap "" XFSZ; ulimit -f 200; exec "$0" "$@" >`+file, harness.Command(t),
		"changes",
		"--dsn", dsn, "--table", "d.t")
	said, err := limited.CombinedOutput()
	since := regexp.MustCompile("--since ([0-9a-f]{26})").FindSubmatch(said)
	if err == nil || since == nil {
		t.Fatalf("a full disk: %v: %s", err, said)
	}
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	rest := changes("--table", "d.t", "--since", string(since[1]))
	ids := map[string]bool{}
	written := strings.Split(string(b), "\n")
	// the last one may be cut
	for _, line := range append(written[:len(written)-1], strings.Split(strings.TrimSpace(rest.Stdout), "\n")...) {
		var c struct {
			ID string `json:"_id"`
		}
		if err := json.Unmarshal([]byte(line), &c); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		ids[c.ID] = true
	}
	if len(ids) != 2000 || len(written) < 100 || strings.Contains(rest.Stdout, "k00-000") {
		t.Errorf("%d documents: %d lines, then from %s", len(ids), len(written), since[1])
	}
	// A table that is dropped ends its followers; the reason is told.
	follower := osexec.Command(harness.Command(t), "changes", "--dsn", dsn, "--table", "d.two", "--follow")
	stdout, stderr := &harness.Output{}, &harness.Output{}
	follower.Stdout, follower.Stderr = stdout, stderr
	if err := follower.Start(); err != nil {
		t.Fatal(err)
	}
	defer follower.Process.Kill()
	ended := make(chan error, 1)
	go func() { ended <- follower.Wait() }()
	awaitOutput(t, stdout, "of two", `"b":"y"`)
	harness.MustExec(t, db, "INSERT INTO two VALUES (3, 'z')")
	awaitOutput(t, stdout, "of two", `"b":"z"`)
	harness.MustExec(t, db, "DROP TABLE two")
	select {
	case err := <-ended:
		if err == nil || !strings.Contains(stderr.String(), "two") {
			t.Errorf("of a table that was dropped: %v: %s", err, stderr.String())
		}
	case <-time.After(harness.Patience):
		t.Errorf("the follower of a table that was dropped goes on: %s", stderr.String())
	}
	harness.CheckAll(t, db)
}

// feedEvent is what a follower says where a feed begins anew.
type feedEvent struct {
	Event              string `json:"event"`
	Collection, Former int64
}

// follower is a running `sqlfdb changes --follow`.
type follower struct {
	*osexec.Cmd
	out, said *harness.Output
}

func follow(t *testing.T, args ...string) follower {
	t.Helper()
	f := follower{Cmd: osexec.Command(harness.Command(t), append([]string{"changes", "--follow"}, args...)...),
		out:  &harness.Output{},
		said: &harness.Output{}}
	f.Stdout, f.Stderr = f.out, f.said
	if err := f.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = f.Process.Kill() })
	return f
}

// since are the arguments to go on from where the follower has ended.
func (f follower) since(t *testing.T) []string {
	t.Helper()
	m := regexp.MustCompile("go on with (--since [0-9a-f]{26} --collection [0-9]+)\n").FindStringSubmatch(f.said.String())
	if m == nil {
		t.Fatalf("it does not say how to go on: %s", f.said.String())
	}
	return strings.Fields(m[1])
}

// feeds are the lines of a follower, apart by its events.
func feeds(t *testing.T, text string) (parts []string, events []feedEvent) {
	t.Helper()
	parts = []string{""}
	for _, line := range strings.SplitAfter(strings.TrimSpace(text), "\n") {
		var e feedEvent
		if err := json.Unmarshal([]byte(line), &e); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		if e.Event == "" {
			parts[len(parts)-1] += line
			continue
		}
		events, parts = append(events, e), append(parts, "")
	}
	return parts, events
}

// awaitStanding returns once a follower of d.t that has been stopped has no statement on its way: it has none, or one
// that has waited for a second. Between DROP and CREATE a statement would find no table, and end it.
func awaitStanding(t *testing.T, db *sql.DB) {
	t.Helper()
	time.Sleep(100 * time.Millisecond)
	harness.Eventually(t, func() string { return "the follower's statements do not end" }, func() bool {
		return len(harness.Texts(t, db, "SELECT info FROM information_schema.processlist WHERE info LIKE '%d`.`t%'"+
			" AND time < 1 AND id <> CONNECTION_ID()")) == 0
	})
}

// TestFollowAnew: a follower whose table is truncated, made anew, or takes another one's name says so between the
// changes of the former feed and those of the new one, which it gives from the first: also where all of it happens
// while it does not look, or while it does not run.
func TestFollowAnew(t *testing.T) {
	s, db := harness.Database(t)
	dsn := "root@tcp(" + s.Addr().String() + ")/"
	harness.MustExec(t, db, "CREATE TABLE t (_id VARCHAR(255) PRIMARY KEY, _doc JSON)",
		"CREATE TABLE other (_id VARCHAR(255) PRIMARY KEY, _doc JSON)",
		"INSERT INTO other (_id, n) VALUES ('before', 1)", "INSERT INTO t (_id, n) VALUES ('a', 1), ('b', 2)")
	f := follow(t, "--table", "d.t", "--dsn", dsn)
	n := 0
	expect := func(f follower, events int) {
		t.Helper()
		n++
		last := fmt.Sprintf("last%d", n)
		harness.MustExec(t, db, "INSERT INTO t (_id) VALUES ('"+last+"')")
		awaitOutput(t, f.out, "the last change", `"`+last+`"`)
		parts, told := feeds(t, f.out.String())
		if len(told) != events {
			t.Fatalf("%d events: %s", len(told), f.out.String())
		}
		collection := harness.Texts(t, db, "SELECT collection FROM sqlfdb.tables WHERE `table` = 't'")[0]
		if events > 0 {
			if e := told[events-1]; e.Event != "new feed" || fmt.Sprint(e.Collection) != collection || e.Former == 0 ||
				e.Former == e.Collection {
				t.Errorf("the collection is %s: %+v", collection, e)
			}
			if strings.Count(f.said.String(), "begin anew") != events {
				t.Errorf("standard error says %s", f.said.String())
			}
		}
		documents, seqs := followed(t, parts[events])
		if source := contents(t, db, "SELECT _id, _doc FROM t"); !maps.Equal(source, documents) {
			t.Errorf("after %d events the lines give %v, there is %v", events, documents, source)
		}
		if want := harness.Texts(t, db, "SELECT seq FROM t__changes ORDER BY seq"); events > 0 && !slices.Equal(seqs,
			want) {
			t.Errorf("sequences %v, not %v", seqs, want)
		}
	}
	expect(f, 0)
	harness.MustExec(t, db, "TRUNCATE TABLE t")
	awaitOutput(t, f.out, "of TRUNCATE", "new feed") // at once, before there is a change
	expect(f, 1)
	harness.MustExec(t, db, "DELETE FROM t", "ALTER TABLE t COMMENT 'said'", "INSERT INTO t (_id) VALUES ('c')")
	awaitOutput(t, f.out, "the change", `"c"`)
	harness.MustExec(t, db,
		"RENAME TABLE t TO away, other TO t") // whose first changes are before all of the former feed's
	expect(f, 2)
	if !strings.Contains(f.out.String(), `"before"`) {
		t.Errorf("the first change of the other table is missing: %s", f.out.String())
	}
	if err := f.Process.Signal(syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	awaitStanding(t, db)
	harness.MustExec(t, db, "DROP TABLE t", "CREATE TABLE t (_id VARCHAR(255) PRIMARY KEY, _doc JSON)",
		"INSERT INTO t (_id, n) VALUES ('a', 3)")
	if err := f.Process.Signal(syscall.SIGCONT); err != nil {
		t.Fatal(err)
	}
	expect(f, 3)
	if err := errors.Join(f.Process.Signal(syscall.SIGTERM), f.Wait()); err != nil {
		t.Errorf("%v: %s", err, f.said.String())
	}
	g := follow(t, append(f.since(t), "--table", "d.t", "--dsn", dsn)...)
	harness.MustExec(t, db, "INSERT INTO t (_id) VALUES ('d')")
	awaitOutput(t, g.out, "the next change", `"d"`)
	if text := g.out.String(); strings.Count(text, "\n") != 1 || g.said.String() != "" {
		t.Errorf("it goes on with %s and says %s", text, g.said.String())
	}
	if err := errors.Join(g.Process.Signal(syscall.SIGTERM), g.Wait()); err != nil {
		t.Errorf("%v: %s", err, g.said.String())
	}
	harness.MustExec(t, db, "TRUNCATE TABLE t", "INSERT INTO t (_id) VALUES ('e')")
	o := harness.Run(t, harness.Call{Args: append([]string{"changes", "--table", "d.t", "--dsn", dsn}, g.since(t)...)})
	if parts, events := feeds(t, o.Stdout); o.Exit != 0 || len(events) != 1 || strings.TrimSpace(parts[0]) != "" ||
		!strings.Contains(parts[1], `"e"`) || strings.Contains(o.Stderr, "warning") {
		t.Errorf("a follower that did not run: %+v", o)
	}
	harness.CheckAll(t, db)
}

// TestFollowAnewWhileEmpty: a follower that waits for the first change of a table notices when the table is truncated,
// and reads the new feed.
func TestFollowAnewWhileEmpty(t *testing.T) {
	s, db := harness.Database(t)
	harness.MustExec(t, db, "CREATE TABLE t (_id VARCHAR(255) PRIMARY KEY, _doc JSON)")
	f := follow(t, "--table", "d.t", "--dsn", "root@tcp("+s.Addr().String()+")/")
	for running := ""; !strings.Contains(running, "sqlfdb_wait_changes"); time.Sleep(5 * time.Millisecond) {
		running = strings.Join(harness.Texts(t, db,
			"SELECT info FROM information_schema.processlist WHERE info LIKE '%d`.`t%'"),
			"\n")
	}
	harness.MustExec(t, db, "TRUNCATE TABLE t")
	awaitOutput(t, f.out, "of TRUNCATE", "new feed")
	harness.MustExec(t, db, "INSERT INTO t (_id) VALUES ('a')")
	awaitOutput(t, f.out, "the first change", `"a"`)
	harness.CheckAll(t, db)
}

// TestFollowGone: a follower whose table is dropped or renamed ends, says which it may be, and how to go on: by the new
// name it misses and repeats nothing.
func TestFollowGone(t *testing.T) {
	s, db := harness.Database(t)
	dsn := "root@tcp(" + s.Addr().String() + ")/"
	harness.MustExec(t, db, "CREATE DATABASE e", "CREATE TABLE e.u (_id VARCHAR(255) PRIMARY KEY, _doc JSON)",
		"CREATE TABLE t (_id VARCHAR(255) PRIMARY KEY, _doc JSON)", "INSERT INTO t (_id) VALUES ('a')",
		"INSERT INTO e.u (_id) VALUES ('u')")
	for _, c := range []struct{ table, first, statement string }{{"d.t", "a", "RENAME TABLE t TO r"},
		{"d.r", "b", "DROP TABLE r"}, {"e.u", "u", "DROP DATABASE e"}} {
		var args []string
		if c.table == "d.r" {
			args = []string{"--since", harness.Texts(t, db, "SELECT MAX(seq) FROM r__changes WHERE _id = 'a'")[0]}
			harness.MustExec(t, db, "INSERT INTO r (_id) VALUES ('b')")
		}
		f := follow(t, append(args, "--table", c.table, "--dsn", dsn)...)
		awaitOutput(t, f.out, "the first change", `"`+c.first+`"`)
		harness.MustExec(t, db, c.statement)
		err := f.Wait()
		if said := f.said.String(); err == nil || !strings.Contains(said, "was dropped or renamed") ||
			!strings.Contains(said, "give its new name") || strings.Contains(said, "lost") {
			t.Errorf("%s: %v: %s", c.statement, err, said)
		}
		if c.table == "d.t" {
			harness.MustExec(t, db, "INSERT INTO r (_id) VALUES ('again')")
			o := harness.Run(t, harness.Call{Args: append([]string{"changes", "--table", "d.r", "--dsn", dsn},
				f.since(t)...)})
			if o.Exit != 0 || strings.Count(o.Stdout, "\n") != 1 || !strings.Contains(o.Stdout, `"again"`) {
				t.Errorf("by the new name: %+v", o)
			}
		}
	}
	harness.CheckAll(t, db)
}

package commands

import (
	"context"
	"database/sql"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/go-sql-driver/mysql"

	"github.com/sqlfdb/sqlfdb/internal/testseed"
	"github.com/sqlfdb/sqlfdb/sqltests/harness"
)

var (
	crashRounds = flag.Int("crash-rounds", 5, "how often TestCrash kills the server")
	crashSeed   = flag.Uint64("crash-seed", 0, "the seed of TestCrash; 0 takes one from the clock")
)

const crashWriters = 4

// crashOptions are set in turn: each makes the index be rebuilt.
var crashOptions = []string{`{"excluded":["pad"]}`, `{"max_depth":1}`, `{"string_limit":8}`, `{}`}

// absent is the content of a document that is not there.
const absent = ""

// unsure is a change whose outcome the writer was not told: after the crash all of its
// documents have the content before, or all have the content after.
type unsure struct {
	keys          []string
	before, after []string
}

// crashWriter changes documents that nobody else changes, and remembers what was acknowledged.
type crashWriter struct {
	id    int
	rand  *rand.Rand
	known map[string]string // by _id: the content last acknowledged; deleted ones are absent
	keys  []string          // of known, in the order of their first write
	next  int
	maybe *unsure
	acked int
	pick  func() change // instead of choose
}

func (w *crashWriter) document(key string, version int) string {
	pad := strings.Repeat("x", w.rand.IntN(400))
	if w.rand.IntN(50) == 0 {
		pad = strings.Repeat("long ", 30_000)
	}
	return fmt.Sprintf(`{"_id":"%s","v":%d,"nested":{"writer":%d,"list":[%d,"%c",null]},"pad":"%s"}`,
		key, version, w.id, w.rand.IntN(1000), 'a'+rune(w.rand.IntN(26)), pad)
}

func (w *crashWriter) fresh() string {
	w.next++
	return fmt.Sprintf("w%d-%06d", w.id, w.next)
}

// some is a key of a document that is there.
func (w *crashWriter) some() (string, bool) {
	for range 5 {
		if len(w.keys) == 0 {
			break
		}
		if k := w.keys[w.rand.IntN(len(w.keys))]; w.known[k] != absent {
			return k, true
		}
	}
	return "", false
}

// change is a statement or transaction and what it makes of documents.
type change struct {
	statements []string
	args       [][]any
	keys       []string
	after      []string
}

func (w *crashWriter) choose() change {
	key, ok := w.some()
	switch n := w.rand.IntN(10); {
	case ok && n < 2: // one path
		v := w.rand.IntN(1_000_000)
		old := w.known[key]
		head, rest, _ := strings.Cut(old, `"v":`)
		_, rest, _ = strings.Cut(rest, ",")
		return change{[]string{"UPDATE t SET v = ? WHERE _id = ?"}, [][]any{{v, key}}, []string{key},
			[]string{fmt.Sprintf(`%s"v":%d,%s`, head, v, rest)}}
	case ok && n < 4: // the whole document
		doc := w.document(key, w.rand.IntN(1000))
		return change{[]string{"UPDATE t SET _doc = ? WHERE _id = ?"}, [][]any{{doc, key}}, []string{key}, []string{doc}}
	case ok && n < 6:
		return change{[]string{"DELETE FROM t WHERE _id = ?"}, [][]any{{key}}, []string{key}, []string{absent}}
	case ok && n < 8: // several statements
		a, b := w.fresh(), w.fresh()
		da, db := w.document(a, 1), w.document(b, 2)
		return change{
			[]string{"BEGIN", "INSERT INTO t (_doc) VALUES (?), (?)", "DELETE FROM t WHERE _id = ?", "COMMIT"},
			[][]any{nil, {da, db}, {key}, nil},
			[]string{a, b, key}, []string{da, db, absent}}
	}
	key = w.fresh()
	doc := w.document(key, 0)
	return change{[]string{"INSERT INTO t (_doc) VALUES (?)"}, [][]any{{doc}}, []string{key}, []string{doc}}
}

// work changes documents until the server is gone.
func (w *crashWriter) work(t *testing.T, conn *sql.Conn) {
	ctx := context.Background()
	pick := w.choose
	if w.pick != nil {
		pick = w.pick
	}
	for {
		c := pick()
		var err error
		for i, s := range c.statements {
			if _, err = conn.ExecContext(ctx, s, c.args[i]...); err != nil {
				break
			}
		}
		var refused *mysql.MySQLError
		switch {
		case err == nil:
			for i, k := range c.keys {
				w.set(k, c.after[i])
			}
			w.acked++
			continue
		case errors.As(err, &refused) && refused.Number == 1213:
			if _, err := conn.ExecContext(ctx, "ROLLBACK"); err == nil {
				continue
			}
		case errors.As(err, &refused) && refused.Number != 1180 && refused.Number != 1053:
			t.Errorf("writer %d: %v: %v", w.id, c.statements, err)
		}
		w.maybe = &unsure{keys: c.keys, after: c.after}
		for _, k := range c.keys {
			w.maybe.before = append(w.maybe.before, w.known[k])
		}
		return
	}
}

func (w *crashWriter) set(key, content string) {
	if _, seen := w.known[key]; !seen {
		w.keys = append(w.keys, key)
	}
	w.known[key] = content
}

// verify compares what is stored with what was acknowledged, settles the change that was not, and
// takes the writer's documents out of stored.
func (w *crashWriter) verify(t *testing.T, stored map[string]string) {
	t.Helper()
	if m := w.maybe; m != nil {
		same := func(want []string) bool {
			for i, k := range m.keys {
				if stored[k] != want[i] {
					return false
				}
			}
			return true
		}
		switch {
		case same(m.after):
			for i, k := range m.keys {
				w.set(k, m.after[i])
			}
		case same(m.before):
		default:
			t.Errorf("writer %d: an unacknowledged change of %v is there by half", w.id, m.keys)
		}
		w.maybe = nil
	}
	lost := 0
	for _, k := range w.keys {
		if stored[k] != w.known[k] {
			if lost++; lost <= 3 {
				t.Errorf("document %s is %.120q, acknowledged was %.120q", k, stored[k], w.known[k])
			}
		}
		delete(stored, k)
	}
	if lost > 3 {
		t.Errorf("writer %d: %d documents of %d differ", w.id, lost, len(w.keys))
	}
}

// stored reads every document of a table.
func stored(t testing.TB, db *sql.DB, table string) map[string]string {
	t.Helper()
	rows, err := db.Query("SELECT _id, _doc FROM " + table)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	out := map[string]string{}
	for rows.Next() {
		var id, doc string
		if err := rows.Scan(&id, &doc); err != nil {
			t.Fatal(err)
		}
		if _, twice := out[id]; twice {
			t.Errorf("document %s came twice", id)
		}
		out[id] = doc
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return out
}

// TestCrash kills the server while clients write and indexes are rebuilt, again and again: what
// was acknowledged is there with its last content, what was not is there whole or not
// at all, and CHECK TABLE finds nothing.
func TestCrash(t *testing.T) {
	seed := testseed.Of(t, "crash-seed", *crashSeed)
	random := rand.New(rand.NewPCG(seed, 1))
	rounds := *crashRounds
	if testing.Short() {
		rounds = min(rounds, 2)
	}
	dir := t.TempDir()
	writers := make([]*crashWriter, crashWriters)
	for i := range writers {
		writers[i] = &crashWriter{id: i, rand: rand.New(rand.NewPCG(seed, uint64(100+i))), known: map[string]string{}}
	}
	p := harness.Spawn(t, harness.ServeCall(t, dir))
	harness.ExecAll(t, harness.Connect(t, p.Addr, "", ""), "CREATE DATABASE d",
		"CREATE TABLE d.t (_id VARCHAR(255) PRIMARY KEY, _doc JSON)",
		"CREATE MAP INDEX kept ON d.t AS 'function (doc) { emit(doc.v, doc.nested.writer); }' INTERACTIVE",
		"CREATE MAP INDEX behind ON d.t AS 'function (doc) { emit([doc.nested.writer, doc.v]); }' BACKGROUND")
	for round := range rounds {
		db := harness.Connect(t, p.Addr, "d", "")
		var running sync.WaitGroup
		for _, w := range writers {
			conn, err := db.Conn(context.Background())
			if err != nil {
				t.Fatal(err)
			}
			running.Add(1)
			go func() {
				defer running.Done()
				w.work(t, conn)
				_ = conn.Close()
			}()
		}
		running.Add(1)
		go func() {
			defer running.Done()
			// It may end before the server, or not at all: a conflict is an answer too.
			_, err := db.Exec("ALTER TABLE t ENGINE_ATTRIBUTE '" + crashOptions[round%len(crashOptions)] + "'")
			t.Logf("round %d: ALTER TABLE: %v", round, err)
		}()
		time.Sleep(time.Duration(20+random.IntN(900)) * time.Millisecond)
		p.Kill()
		running.Wait()
		_ = db.Close()

		p = harness.Spawn(t, harness.ServeCall(t, dir))
		db = harness.Connect(t, p.Addr, "d", "")
		harness.Check(t, db, "d.t")
		all := stored(t, db, "d.t")
		documents := len(all)
		for _, w := range writers {
			w.verify(t, all)
		}
		for id, doc := range all {
			t.Errorf("a document that nobody has written: %s %.100s", id, doc)
		}
		var live int
		if err := db.QueryRow("SELECT COUNT(*) FROM t__changes WHERE deleted = 0").Scan(&live); err != nil ||
			live != documents {
			t.Errorf("the changes show %d documents, there are %d (%v)", live, documents, err)
		}
		for _, index := range []string{"kept", "behind"} {
			var rows int
			if err := db.QueryRow("SELECT COUNT(*) FROM t__map__" + index).Scan(&rows); err != nil || rows != documents {
				t.Errorf("the map index %s has %d rows, there are %d documents (%v)", index, rows, documents, err)
			}
		}
		acked := 0
		for _, w := range writers {
			acked += w.acked
		}
		t.Logf("round %d: %d changes acknowledged so far, %d documents", round, acked, documents)
		if t.Failed() {
			t.FailNow()
		}
		_ = db.Close()
	}
	p.Kill()
	if o := harness.Run(t, harness.Call{Args: []string{"check", "--store", harness.StoreIn(t, dir)}}); o.Exit != 0 {
		t.Errorf("check of the store: %+v", o)
	}
}

// TestCrashImport kills the server during an import: the documents that the command reports as
// stored are there, whole, and a second import stores the rest. The second half of the input comes
// when the server has been killed, so that the import is never faster.
func TestCrashImport(t *testing.T) {
	const documents = 20_000
	lines := make([]string, documents)
	want := map[string]string{}
	for i := range lines {
		id := fmt.Sprintf("i%06d", i)
		lines[i] = fmt.Sprintf(`{"_id":"%s","n":%d,"group":"g%d","tags":["a","b%d"],"text":"%s"}`, id, i, i%100, i%7,
			strings.Repeat("z", i%200))
		want[id] = lines[i]
	}
	file := writeFile(t, "documents.jsonl", strings.Join(lines, "\n")+"\n")
	half := func(lines []string) io.Reader { return strings.NewReader(strings.Join(lines, "\n") + "\n") }
	killed := make(chan struct{})
	input := io.MultiReader(harness.Stuck{Reader: half(lines[:documents/2]), Until: killed}, half(lines[documents/2:]))
	dir := t.TempDir()
	p := harness.Spawn(t, harness.ServeCall(t, dir))
	done := make(chan harness.Outcome, 1)
	go func() {
		done <- harness.Run(t, harness.Call{Args: []string{"import", "--dsn", p.DSN(), "--table", "d.t", "-"},
			Input: input})
	}()
	// The server goes when some of the documents are there.
	db := harness.Connect(t, p.Addr, "", "")
	harness.Eventually(t, func() string { return "nothing is imported" }, func() bool {
		var n int
		err := db.QueryRow("SELECT COUNT(*) FROM d.t").Scan(&n)
		return err == nil && n > 2000
	})
	p.Kill()
	close(killed)
	o := <-done
	if o.Exit == 0 {
		t.Fatalf("the import ended well without a server: %s", o.Stdout)
	}
	var acknowledged int
	if _, err := fmt.Sscanf(o.Stdout, "%d documents stored", &acknowledged); err != nil {
		t.Fatalf("the import did not say what it has stored: %+v", o)
	}
	p = harness.Spawn(t, harness.ServeCall(t, dir))
	db = harness.Connect(t, p.Addr, "", "")
	harness.Check(t, db, "d.t")
	there := stored(t, db, "d.t")
	t.Logf("%d acknowledged, %d there: %s", acknowledged, len(there), strings.TrimSpace(o.Stderr))
	if len(there) < acknowledged || acknowledged == 0 || len(there) > documents/2 {
		t.Errorf("%d documents are there, %d were acknowledged", len(there), acknowledged)
	}
	for id, doc := range there {
		if want[id] != doc {
			t.Errorf("document %s is %.100q", id, doc)
		}
	}
	o = harness.Run(t, harness.Call{Args: []string{"import", "--dsn", p.DSN(), "--table", "d.t", file}})
	wants(t, "the second import", o.Stdout, fmt.Sprintf("%d documents stored", documents-len(there)),
		fmt.Sprintf("%d refused", len(there)))
	wants(t, "the second import", o.Stderr, "Duplicate entry")
	if again := stored(t, db, "d.t"); len(again) != documents {
		t.Errorf("%d documents after the second import", len(again))
	}
	harness.Check(t, db, "d.t")
	p.Stop()
}

// TestSecondServe: one process at a time has a store open, and the other is told so.
func TestSecondServe(t *testing.T) {
	harness.Embedded(t)
	dir := t.TempDir()
	p := harness.Spawn(t, harness.ServeCall(t, dir))
	for _, args := range [][]string{
		{"serve", "--store", harness.StoreIn(t, dir), "--listen", "127.0.0.1:0"},
		{"check", "--store", harness.StoreIn(t, dir)},
		{"export", "--store", harness.StoreIn(t, dir), "--table", "d.t"},
	} {
		o := harness.Run(t, harness.Call{Args: args})
		if o.Exit == 0 || !strings.Contains(o.Stderr, dir) || !strings.Contains(o.Stderr, "process") {
			t.Errorf("%v on a store that a server has open: %+v", args, o)
		}
	}
	harness.ExecAll(t, harness.Connect(t, p.Addr, "", ""), "CREATE DATABASE d")
	p.Kill()
	// The lock goes with the process, whatever ended it.
	p = harness.Spawn(t, harness.ServeCall(t, dir))
	p.Stop()
	if _, err := os.Stat(filepath.Join(dir)); err != nil {
		t.Error(err)
	}
}

// TestTerminate: SIGTERM lets running statements finish; what they wrote is there
// afterwards, and an open transaction is gone.
func TestTerminate(t *testing.T) {
	dir := t.TempDir()
	p := harness.Spawn(t, harness.ServeCall(t, dir))
	db := harness.Connect(t, p.Addr, "", "")
	harness.ExecAll(t, db, "CREATE DATABASE d", "CREATE TABLE d.t (_id VARCHAR(255) PRIMARY KEY, _doc JSON)")
	open, err := db.Conn(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range []string{"BEGIN", `INSERT INTO d.t (_doc) VALUES ('{"_id":"open"}')`} {
		if _, err := open.ExecContext(context.Background(), s); err != nil {
			t.Fatal(err)
		}
	}
	var running sync.WaitGroup
	var finished atomic.Int32
	for i := range 3 {
		conn, err := db.Conn(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		running.Add(1)
		go func() {
			defer running.Done()
			var slept int
			if i == 0 {
				err = conn.QueryRowContext(context.Background(), "SELECT SLEEP(1.5)").Scan(&slept)
			} else {
				_, err = conn.ExecContext(context.Background(),
					fmt.Sprintf("INSERT INTO d.t (_id, n) VALUES ('late%d', SLEEP(1.5))", i))
			}
			if err != nil {
				t.Errorf("a statement that ran when SIGTERM came: %v", err)
				return
			}
			finished.Add(1)
		}()
	}
	harness.Eventually(t, func() string { return "the statements don't run" }, func() bool {
		return finished.Load() > 0 || harness.Number(
			t, db, "SELECT COUNT(*) FROM information_schema.PROCESSLIST WHERE COMMAND = 'Query' AND INFO LIKE "+
				"'%SLEEP(1.5)%' AND ID <> CONNECTION_ID()") == 3
	})
	p.Stop() // when they have ended
	running.Wait()
	if finished.Load() != 3 {
		t.Errorf("%d of 3 statements finished", finished.Load())
	}
	wants(t, "the server's output", p.Stderr.String(), "stopping")
	p = harness.Spawn(t, harness.ServeCall(t, dir))
	db = harness.Connect(t, p.Addr, "", "")
	got := stored(t, db, "d.t")
	if len(got) != 2 || got["late1"] == "" || got["late2"] == "" {
		t.Errorf("after the restart: %v", got)
	}
	harness.Check(t, db, "d.t")
	p.Stop()
}

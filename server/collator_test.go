package server

import (
	"context"
	stdsql "database/sql"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/sqlfdb/sqlfdb/collation/collationtest"
	"github.com/sqlfdb/sqlfdb/kv"
	"github.com/sqlfdb/sqlfdb/kv/pebblekv"
)

// wire is a server over a store, and a connection to it.
type wire struct {
	t   *testing.T
	s   *Server
	db  *stdsql.DB
	log *strings.Builder
}

func dial(t *testing.T, store kv.Store, opts Options) *wire {
	t.Helper()
	w := &wire{t: t, log: &strings.Builder{}}
	opts.Listen, opts.Output, opts.Log = "127.0.0.1:0", io.Discard, w.log
	var err error
	if w.s, err = Start(context.Background(), store, opts); err != nil {
		t.Fatal(err)
	}
	if w.db, err = stdsql.Open("mysql", "root@tcp("+w.s.Addr().String()+")/"); err != nil {
		t.Fatal(err)
	}
	w.db.SetMaxOpenConns(1) // one session
	return w
}

func (w *wire) close() {
	w.t.Helper()
	w.db.Close()
	if err := w.s.Close(context.Background()); err != nil {
		w.t.Error(err)
	}
}

func (w *wire) exec(statements ...string) {
	w.t.Helper()
	for _, q := range statements {
		if _, err := w.db.Exec(q); err != nil {
			w.t.Fatalf("%.200s: %v", q, err)
		}
	}
}

// rows is a query's result, a line for each row, or its error.
func (w *wire) rows(q string) string {
	w.t.Helper()
	rows, err := w.db.Query(q)
	if err != nil {
		return err.Error()
	}
	defer rows.Close()
	columns, err := rows.Columns()
	if err != nil {
		w.t.Fatal(err)
	}
	var out []string
	for rows.Next() {
		values := make([]stdsql.NullString, len(columns))
		into := make([]any, len(columns))
		for i := range values {
			into[i] = &values[i]
		}
		if err := rows.Scan(into...); err != nil {
			w.t.Fatal(err)
		}
		var cells []string
		for _, v := range values {
			cells = append(cells, v.String)
		}
		out = append(out, strings.Join(cells, "|"))
	}
	if err := rows.Err(); err != nil {
		return err.Error()
	}
	return strings.Join(out, "\n")
}

// idle waits until no job is left to do.
func (w *wire) idle() {
	w.t.Helper()
	const left = "SELECT COUNT(*) FROM sqlfdb.jobs WHERE state NOT IN ('done', 'failed')"
	for began := time.Now(); w.rows(left) != "0"; time.Sleep(5 * time.Millisecond) {
		if time.Since(began) > 5*time.Minute {
			w.t.Fatalf("jobs don't end:\n%s", w.rows("SELECT * FROM sqlfdb.jobs"))
		}
	}
}

// TestCollatorChanges: a program with another collator opens the store: answers are right
// from the first statement on, with writers meanwhile, and the index is used again
// when it is rebuilt. A table whose key is collated is refused, and can be dropped.
func TestCollatorChanges(t *testing.T) {
	store, err := pebblekv.Open(t.TempDir(), pebblekv.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	w := dial(t, store, Options{})
	w.exec("CREATE DATABASE d", "USE d",
		"CREATE TABLE t (_id VARCHAR(20) PRIMARY KEY, email VARCHAR(50), UNIQUE KEY (email), _doc JSON)",
		"CREATE TABLE keyed (k VARCHAR(20) COLLATE utf8mb4_0900_ai_ci PRIMARY KEY, n INT)",
		"INSERT INTO keyed VALUES ('a', 1)")
	words := []string{"zoo", "Äpfel", "apfel", "Apfel", "日本", "", "äpfel"}
	var values []string
	for i := range 120 {
		values = append(values, fmt.Sprintf(
			`('{"_id":"k%03d","email":"m%d@x","s":"%s %d","n":%d,"tags":["%s","b"],"o":{"x":null}}')`, i, i, words[i%len(words)],
			i%10, i%7, words[(i+1)%len(words)]))
	}
	w.exec("INSERT INTO t (_doc) VALUES " + strings.Join(values, ","))
	queries := []string{
		"SELECT _id FROM t WHERE s = 'apfel 2'", "SELECT _id FROM t WHERE s >= 'Äpfel 3' AND s < 'z' ORDER BY s, _id",
		"SELECT _id FROM t WHERE n = 3 ORDER BY _id",
		"SELECT s, COUNT(*) FROM t GROUP BY s ORDER BY s", "SELECT _id FROM t WHERE s LIKE 'Ä%' ORDER BY _id",
		"SELECT COUNT(*) FROM t WHERE JSON_CONTAINS(tags, '\"zoo\"')",
		"SELECT COUNT(*), COUNT(email) FROM t", "SELECT _id FROM t WHERE email = 'm7@x'",
		"SELECT COUNT(*) FROM t WHERE missing IS NULL",
		"SELECT keypath, type, documents, entries FROM sqlfdb.keypaths WHERE `table` = 't' ORDER BY 1, 2",
		"SELECT TABLE_NAME, TABLE_ROWS FROM information_schema.TABLES WHERE TABLE_NAME = 't'",
	}
	answers := func() (out []string) {
		for _, q := range queries {
			w.exec("SET sqlfdb_use_index = ON")
			on := w.rows(q)
			w.exec("SET sqlfdb_use_index = OFF")
			if off := w.rows(q); off != on {
				t.Errorf("%s\nwith the index: %s\nwithout: %s", q, on, off)
			}
			out = append(out, on)
		}
		w.exec("SET sqlfdb_use_index = ON")
		if got := w.rows("CHECK TABLE t"); !strings.HasSuffix(got, "d.t|check|status|OK") {
			t.Error(got)
		}
		return out
	}
	want := answers()
	const explain = "EXPLAIN FORMAT=TREE SELECT _id FROM t WHERE s = 'apfel 2'"
	if got := w.rows(explain); strings.Contains(got, "Table scan on") {
		t.Fatalf("no index is used:\n%s", got)
	}
	w.close()

	defer collationtest.Pretend("UCA 7.0.0 CLDR 25 key 1")()
	w = dial(t, store, Options{HoldJobs: true})
	w.exec("USE d")
	compare := func(when string) {
		t.Helper()
		for i, got := range answers() {
			if got != want[i] {
				t.Errorf("%s: %s\ngot %s\nwant %s", when, queries[i], got, want[i])
			}
		}
	}
	compare("held")
	if got := w.rows(explain); !strings.Contains(got, "until it is rebuilt") {
		t.Errorf("EXPLAIN does not say why:\n%s", got)
	}
	if got := w.rows("SELECT kind, `table`, state FROM sqlfdb.jobs"); got != "rebuild|t|held" {
		t.Errorf("jobs: %s", got)
	}
	if !strings.Contains(w.log.String(), "export the table") {
		t.Errorf("the log does not say what to do: %s", w.log)
	}
	for _, q := range []string{"SELECT * FROM keyed", "INSERT INTO keyed VALUES ('b', 2)"} {
		if got := w.rows(q); !strings.Contains(got, "export the table") {
			t.Errorf("%s: %s", q, got)
		}
	}
	w.exec("UPDATE t SET n = n WHERE _id < 'k010'", "UPDATE t SET s = CONCAT(s, '!') WHERE _id < 'k010'",
		"UPDATE t SET s = SUBSTRING(s, 1, CHAR_LENGTH(s) - 1) WHERE _id < 'k010'",
		`INSERT INTO t (_doc) VALUES ('{"_id":"new","s":"neu"}')`, "DELETE FROM t WHERE _id = 'new'")
	compare("held, after writes")
	for _, q := range []string{`INSERT INTO t (_id, email) VALUES ('dup', 'm5@x')`,
		`INSERT INTO t (_id, email) VALUES ('dup', 'm50@x')`} {
		if got := w.rows(q); !strings.Contains(got, "1062") {
			t.Errorf("a unique key was not checked: %s: %s", q, got)
		}
	}
	if _, err := w.s.Backend().Jobs().RunOnce(context.Background()); err != nil {
		t.Fatal(err)
	}
	w.exec("SET GLOBAL sqlfdb_jobs = 'run'")
	w.idle()
	compare("rebuilt")
	if got := w.rows(explain); strings.Contains(got, "Table scan on") {
		t.Errorf("the index is not used after the rebuild:\n%s", got)
	}
	if got := w.rows("SELECT kind, `table`, state, progress FROM sqlfdb.jobs"); got != "rebuild|t|done|100 %" {
		t.Errorf("jobs: %s", got)
	}
	w.exec("DROP TABLE keyed")
	w.close()
}

// TestTwoServers: two servers over one store share the work, and each sees what
// the other has begun.
func TestTwoServers(t *testing.T) {
	store, err := pebblekv.Open(t.TempDir(), pebblekv.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	one, two := dial(t, store, Options{}), dial(t, store, Options{})
	one.exec("CREATE DATABASE d", "USE d", "CREATE TABLE t (_id VARCHAR(20) PRIMARY KEY, _doc JSON)")
	two.exec("USE d")
	var values []string
	for i := range 400 {
		values = append(values, fmt.Sprintf(`('{"_id":"k%03d","s":"%s","n":%d,"pad":"%s"}')`, i,
			[]string{"a", "A", "b", "c", "d", "e", "f", "g", "h"}[i%9], i%5, strings.Repeat("x", 1500)))
	}
	one.exec("INSERT INTO t (_doc) VALUES " + strings.Join(values, ","))
	const q = "SELECT COUNT(*) FROM t WHERE s = 'a'"
	for round, alter := range []string{"ALTER TABLE t COLLATE utf8mb4_0900_ai_ci",
		`ALTER TABLE t ENGINE_ATTRIBUTE '{"excluded":["pad"]}'`, "ALTER TABLE t COLLATE utf8mb4_0900_as_cs"} {
		a, b := one, two
		if round%2 == 1 {
			a, b = two, one
		}
		a.exec(alter)
		want := "90"
		if round == 2 {
			want = "45"
		}
		for _, w := range []*wire{a, b} {
			if got := w.rows(q); got != want {
				t.Errorf("%s: %s documents, want %s", alter, got, want)
			}
		}
		b.exec(fmt.Sprintf("UPDATE t SET n = %d WHERE _id = 'k001'", round))
		a.idle()
		for _, w := range []*wire{a, b} {
			if got := w.rows(q); got != want {
				t.Errorf("%s, rebuilt: %s documents, want %s", alter, got, want)
			}
			if got := w.rows("EXPLAIN FORMAT=TREE " + q); strings.Contains(got, "Table scan on") {
				t.Errorf("%s: no index is used:\n%s", alter, got)
			}
		}
	}
	if got := two.rows("CHECK TABLE t"); got != "d.t|check|status|OK" {
		t.Error(got)
	}
	if one.log.Len()+two.log.Len() > 0 {
		t.Errorf("logged: %s%s", one.log, two.log)
	}
	one.close()
	two.close()
}

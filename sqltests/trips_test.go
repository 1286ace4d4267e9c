package sqltests

import (
	"context"
	"database/sql"
	"flag"
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/cockroachdb/datadriven"

	"github.com/sqlfdb/sqlfdb/kv"
	"github.com/sqlfdb/sqlfdb/kv/latencykv"
	"github.com/sqlfdb/sqlfdb/kv/pebblekv"
	"github.com/sqlfdb/sqlfdb/server"
	"github.com/sqlfdb/sqlfdb/sqltests/harness"
)

var traceTrips = flag.Bool("trips-trace", false, "show what each round trip of TestTrips is waited for by")

// farStore is an empty store whose round trips are counted. It makes versions grow where nobody
// writes, as FoundationDB's do, by a commit.
func farStore(t *testing.T) (store *latencykv.Store, pass func()) {
	t.Helper()
	base := harness.InMemory(t, pebblekv.Options{})
	store = latencykv.New(base)
	t.Cleanup(func() {
		if err := store.Close(); err != nil {
			t.Error(err)
		}
	})
	return store, func() {
		err := kv.Transact(context.Background(), base, kv.TransactOptions{}, func(tx kv.Transaction) error {
			tx.AddWriteConflict(kv.PointRange([]byte("nobody's")))
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

// farServer serves a store without background work, with a connection to it. What is
// defined is known to it, but nothing of how many documents have what.
func farServer(t *testing.T, store *latencykv.Store, do func(c *sql.Conn)) {
	t.Helper()
	ctx := context.Background()
	s, err := server.Start(ctx, store, server.Options{Listen: "127.0.0.1:0", HoldJobs: true,
		Log: harness.TestLog{T: t}})
	if err != nil {
		t.Fatal(err)
	}
	s.Backend().Jobs().Stop()
	pool := harness.Connect(t, s.Addr(), "", "?interpolateParams=true")
	c, err := pool.Conn(ctx)
	if err != nil {
		t.Fatal(err)
	}
	for _, stmt := range []string{"CREATE DATABASE IF NOT EXISTS d", "USE d", "SELECT COUNT(*) FROM sqlfdb.keypaths"} {
		if _, err := c.ExecContext(ctx, stmt); err != nil {
			t.Fatal(err)
		}
	}
	do(c)
	_ = c.Close()
	_ = pool.Close()
	if err := s.Close(ctx); err != nil {
		t.Error(err)
	}
}

// TestTrips holds statements to the round trips that they wait for, one after the other, in
// a store that is far away. Its commands:
//
//	exec      statements separated by ";\n", uncounted: rows affected, or the error
//	fill      documents t(0…n-1), with n=NUMBER
//	trips     statements separated by ";\n", on one connection to a new server: the round trips of each and its
//	          rows, or the error
//
// A number that has grown is a wait that was not there. Statements have @N replaced
// by N rows of values.
func TestTrips(t *testing.T) {
	store, pass := farStore(t)
	datadriven.RunTest(t, "testdata/round_trips", func(t *testing.T, td *datadriven.TestData) string {
		var out strings.Builder
		farServer(t, store, func(c *sql.Conn) {
			switch td.Cmd {
			case "exec":
				out.WriteString(harness.Exec(c, td.Input))
			case "fill":
				n := 0
				td.ScanArgs(t, "n", &n)
				fillFar(t, c, n)
			case "trips":
				for _, stmt := range strings.Split(td.Input, ";\n") {
					var waits strings.Builder
					if *traceTrips {
						store.Watch(func(w latencykv.Wait) { fmt.Fprintf(&waits, "  %s %q\n    %s\n", w.Op, w.Key, callers()) })
					}
					pass()
					before := store.Trips()
					result := farResult(c, withRows(stmt))
					fmt.Fprintf(&out, "%d: %s\n", store.Trips()-before, result)
					store.Watch(nil)
					if *traceTrips {
						t.Logf("%s\n%s", stmt, waits.String())
					}
				}
			default:
				t.Fatalf("unknown command %s", td.Cmd)
			}
		})
		return out.String()
	})
}

// farResult runs a statement: its rows, those that it changed, or the error.
func farResult(c *sql.Conn, stmt string) string {
	switch word, _, _ := strings.Cut(stmt, " "); word {
	case "SELECT", "SHOW", "EXPLAIN", "CHECK":
		rows, err := c.QueryContext(context.Background(), stmt)
		if err != nil {
			return harness.ErrorText(err)
		}
		defer rows.Close()
		n := 0
		for rows.Next() {
			n++
		}
		if err := rows.Err(); err != nil {
			return harness.ErrorText(err)
		}
		return fmt.Sprintf("%d rows", n)
	}
	return strings.TrimSuffix(harness.Exec(c, stmt), "\n")
}

// withRows replaces @N in a statement by N rows of two values.
func withRows(stmt string) string {
	head, number, ok := strings.Cut(stmt, "@")
	if !ok {
		return stmt
	}
	var n int
	var rest string
	if _, err := fmt.Sscanf(number, "%d", &n); err != nil {
		return stmt
	}
	_, rest, _ = strings.Cut(number, fmt.Sprint(n))
	rows := make([]string, n)
	for i := range rows {
		rows[i] = fmt.Sprintf("(%d, 'many%d')", 10_000+i, i)
	}
	return head + strings.Join(rows, ",") + rest
}

// fillFar stores documents in t.
func fillFar(t *testing.T, c *sql.Conn, n int) {
	t.Helper()
	const batch = 500
	for from := 0; from < n; from += batch {
		rows := make([]string, 0, batch)
		for i := from; i < min(n, from+batch); i++ {
			group := "rest"
			if i%3 == 0 {
				group = "big"
			}
			rows = append(rows, fmt.Sprintf(`('k%05d', '{"n": %d, "g": "%s", "few": %d, "ten": %d, "tags": ["a%d", "b%d"], `+
				`"items": [{"sku": %d, "q": %d}], "name": {"first": "f%d", "last": "a longer text that fills the document, `+
				`number %d"}}')`,
				i, i, group, i/3, i/10, i%50, i%7, i%100, i%9, i%20, i))
		}
		if _, err := c.ExecContext(context.Background(),
			"INSERT INTO t (_id, _doc) VALUES "+strings.Join(rows, ",")); err != nil {
			t.Fatal(err)
		}
	}
}

// callers names the functions of this repository that led here.
func callers() string {
	pcs := make([]uintptr, 60)
	frames := runtime.CallersFrames(pcs[:runtime.Callers(3, pcs)])
	var names []string
	for more := true; more && len(names) < 8; {
		var f runtime.Frame
		f, more = frames.Next()
		if name := f.Function[strings.LastIndex(f.Function, "/")+1:]; strings.Contains(f.Function, "sqlfdb/") &&
			!strings.HasPrefix(name, "latencykv") {
			names = append(names, fmt.Sprintf("%s:%d", name, f.Line))
		}
	}
	return strings.Join(names, " < ")
}

// TestThousandDocuments: an index lookup of 1,000 documents over a network of 5 ms waits less than 100 ms
// for it. The round trips are the proof: the clock also measures a busy machine.
func TestThousandDocuments(t *testing.T) {
	const latency = 5 * time.Millisecond
	store, pass := farStore(t)
	farServer(t, store, func(c *sql.Conn) {
		if got := harness.Exec(c, "CREATE TABLE t (_id VARCHAR(255) PRIMARY KEY, _doc JSON)"); got != "ok, 0 rows\n" {
			t.Fatal(got)
		}
		fillFar(t, c, 3000)
		for _, text := range []string{"SELECT * FROM t WHERE g = 'big'", "SELECT _id, `name.last` FROM t WHERE n < 1000"} {
			pass()
			store.SetLatency(latency)
			before, began := store.Trips(), time.Now()
			got := farResult(c, text)
			took, trips := time.Since(began), store.Trips()-before
			store.SetLatency(0)
			t.Logf("%s: %s in %v, %d round trips", text, got, took, trips)
			if got != "1000 rows" {
				t.Errorf("%s: %s", text, got)
			}
			if waited := time.Duration(trips) * latency; waited >= 100*time.Millisecond {
				t.Errorf("%s: %d round trips of %v are %v", text, trips, latency, waited)
			}
		}
	})
}

package sqlbackend

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/dolthub/go-mysql-server/sql"

	"github.com/sqlfdb/sqlfdb/catalog"
	"github.com/sqlfdb/sqlfdb/kv/pebblekv"
	"github.com/sqlfdb/sqlfdb/tables"
)

// TestRememberedPaths: a statement reads the same along the path that was chosen by what the process remembers as
// along the one that was chosen by asking the store, alone and in a join.
func TestRememberedPaths(t *testing.T) {
	ctx := context.Background()
	store, err := pebblekv.Open(t.TempDir(), pebblekv.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	cat, err := catalog.Open(ctx, store)
	if err != nil {
		t.Fatal(err)
	}
	backend, err := NewEngine(store, cat, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer backend.Close()
	session := newSession(backend, sql.NewBaseSession())
	run := func(query string) (read tables.Work, expected float64) {
		t.Helper()
		if err := session.CommandBegin(); err != nil {
			t.Fatal(err)
		}
		defer session.CommandEnd()
		c := sql.NewContext(ctx, sql.WithSession(session))
		_, rows, _, err := backend.Engine.Query(c, query)
		for err == nil {
			_, err = rows.Next(c)
		}
		if !errors.Is(err, io.EOF) {
			t.Fatalf("%.200s: %v", query, err)
		}
		if err := rows.Close(c); err != nil {
			t.Fatal(err)
		}
		return session.work.running.Work, joiner{ctx: c}.sizeOf(session.work.plan).rows
	}
	run("CREATE DATABASE d")
	session.SetCurrentDatabase("d")
	load := func(table string, n int, document func(i int) string) {
		run("CREATE TABLE " + table + " (_id INT PRIMARY KEY, _doc JSON)")
		var values []string
		for i := range n {
			if values = append(values, fmt.Sprintf("(%d, '%s')", i, document(i))); len(values) == 500 || i == n-1 {
				run("INSERT INTO " + table + " VALUES " + strings.Join(values, ", "))
				values = nil
			}
		}
	}
	load("o", 4000, func(i int) string {
		return fmt.Sprintf(`{"tenth":%d,"half":%d,"few":%d,"k":%d,"text":"%040d"}`, i%10, i%2, i%500, i/10*7%300, i)
	})
	load("u", 300, func(i int) string { return fmt.Sprintf(`{"k":%d,"text":"%040d"}`, i, i) })
	statements := []string{
		"SELECT text FROM o WHERE tenth = 3",
		"SELECT text FROM o WHERE half = 1",
		"SELECT text FROM o WHERE half = 1 AND few = 7",
		"SELECT text FROM o WHERE tenth = 3 AND half = 1",
		"SELECT o.text, u.text FROM o JOIN u ON u.k = o.k WHERE o.tenth = 3",
	}
	first := make([]tables.Work, len(statements))
	for i, q := range statements {
		first[i], _ = run(q) // what it has asked and counted is remembered
		if again, _ := run(q); again != first[i] {
			t.Errorf("%s: read %+v, then %+v", q, first[i], again)
		}
	}
	for i, q := range statements {
		if again, _ := run(q); again != first[i] {
			t.Errorf("%s: read %+v, and after other statements %+v", q, first[i], again)
		}
	}
	// A join is told how many rows there are, not how many were counted until the path was chosen.
	if _, rows := run(statements[0]); rows < 200 || rows > 800 {
		t.Errorf("%s: %v rows are expected, there are 400", statements[0], rows)
	}
}

package bench

import (
	"context"
	"database/sql"
	"errors"
	"flag"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/go-sql-driver/mysql"

	"github.com/sqlfdb/sqlfdb/catalog"
	"github.com/sqlfdb/sqlfdb/kv"
	"github.com/sqlfdb/sqlfdb/kv/kvopen"
	"github.com/sqlfdb/sqlfdb/server"
)

var (
	engineStore = flag.String(
		"store", "", "the store of BenchmarkEngines and BenchmarkInserters, as --store takes it, without a database "+
			"bench; by default an embedded one in a new directory")
	besideStore     = flag.String("beside", "", "another store, which BenchmarkEngines compares with the first")
	engineDocuments = flag.Int("engine-documents", 20_000, "how many documents the collection of BenchmarkEngines holds")
)

const (
	engineDatabase = "bench"
	// engineGroup is how many documents have one value, lie in a range, are inserted by a statement or are read
	// from a feed.
	engineGroup = 100
)

// openBench opens the store of a name, makes the benchmarks' database in it, and drops that when the benchmark ends.
func openBench(b *testing.B, name string) (kv.Store, *catalog.Catalog) {
	b.Helper()
	ctx := context.Background()
	if name == "" {
		name = "pebble:" + b.TempDir()
	}
	store, err := kvopen.Open(name, kvopen.Options{})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { closeStore(b, store) })
	cat, err := catalog.Open(ctx, store)
	if err != nil {
		b.Fatal(err)
	}
	if err := cat.CreateDatabase(ctx, engineDatabase, ""); err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		if err := cat.DropDatabase(ctx, engineDatabase); err != nil {
			b.Error(err)
		}
	})
	return store, cat
}

// served is a server of a store with a collection, and connections to it.
type served struct {
	conns []*sql.Conn
	since string       // the sequence behind which the feed has engineGroup changes
	next  atomic.Int64 // numbers of new documents
}

// serveEngine fills bench.t in a store and serves it, with so many connections.
func serveEngine(b *testing.B, name string, connections int) *served {
	b.Helper()
	ctx := context.Background()
	store, _ := openBench(b, name)
	srv, err := server.Start(ctx, store, server.Options{Listen: "127.0.0.1:0"})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		if err := srv.Close(ctx); err != nil {
			b.Error(err)
		}
	})
	db, err := sql.Open("mysql", (&mysql.Config{User: "root", Net: "tcp", Addr: srv.Addr().String(),
		DBName:               engineDatabase,
		AllowNativePasswords: true, InterpolateParams: true, Logger: &mysql.NopLogger{}}).FormatDSN())
	if err != nil {
		b.Fatal(err)
	}
	s := &served{}
	b.Cleanup(func() {
		checkTable(b, s.conns[0], "t")
		checkTable(b, s.conns[0], "imported")
		for _, c := range s.conns {
			c.Close()
		}
		db.Close()
	})
	for range connections {
		c, err := db.Conn(ctx)
		if err != nil {
			b.Fatal(err)
		}
		s.conns = append(s.conns, c)
	}
	for _, table := range []string{"t", "imported"} {
		if err := execute(ctx, s.conns[0], "CREATE TABLE "+table+" (_id VARCHAR(255) PRIMARY KEY, _doc JSON)"); err != nil {
			b.Fatal(err)
		}
	}
	for from := 0; from < *engineDocuments; from += engineGroup {
		if err := execute(ctx, s.conns[0], insertOf("t", from)); err != nil {
			b.Fatal(err)
		}
	}
	err = s.conns[0].QueryRowContext(ctx, fmt.Sprintf("SELECT seq FROM t__changes ORDER BY seq DESC LIMIT 1 OFFSET %d",
		engineGroup)).Scan(&s.since)
	if err != nil {
		b.Fatal(err)
	}
	return s
}

// insertOf is a statement that inserts engineGroup documents.
func insertOf(table string, from int) string {
	var q strings.Builder
	q.WriteString("INSERT INTO " + table + " (_doc) VALUES ")
	for i := from; i < from+engineGroup; i++ {
		if i > from {
			q.WriteByte(',')
		}
		fmt.Fprintf(&q, `('{"_id":"k%09d","n":%d,"hundredth":%d,"name":"name %d","city":"city %d","price":%d.25,`+
			`"active":%t,"address":{"street":"street %d","zip":"%05d"},"note":"a note of some length %d"}')`,
			i, i, i/engineGroup, i, i%500, i%300, i%2 == 0, i%700, i%99_999, i)
	}
	return q.String()
}

func execute(ctx context.Context, c *sql.Conn, query string) error {
	_, err := c.ExecContext(ctx, query)
	return err
}

// engineStatements are what is measured; run executes one on a connection, the i-th of all connections'.
func engineStatements(documents int) []struct {
	name string
	run  func(ctx context.Context, s *served, c *sql.Conn, i int) error
} {
	rows := func(ctx context.Context, c *sql.Conn, want int, query string, args ...any) error {
		rows, err := c.QueryContext(ctx, query, args...)
		if err != nil {
			return err
		}
		defer rows.Close()
		n := 0
		for rows.Next() {
			n++
		}
		if n != want && rows.Err() == nil {
			return fmt.Errorf("%s: %d rows, want %d", query, n, want)
		}
		return rows.Err()
	}
	at := func(i, of int) int { return i * 7919 % of }
	key := func(i int) string { return fmt.Sprintf("k%09d", at(i, documents)) }
	return []struct {
		name string
		run  func(ctx context.Context, s *served, c *sql.Conn, i int) error
	}{
		{"key", func(ctx context.Context, _ *served, c *sql.Conn, i int) error {
			return rows(ctx, c, 1, "SELECT _id, city FROM t WHERE _id = ?", key(i))
		}},
		{"equality", func(ctx context.Context, _ *served, c *sql.Conn, i int) error {
			return rows(ctx, c, engineGroup, "SELECT _id, city FROM t WHERE hundredth = ?", at(i, documents/engineGroup))
		}},
		{"range", func(ctx context.Context, _ *served, c *sql.Conn, i int) error {
			from := at(i, documents-engineGroup)
			return rows(ctx, c, engineGroup, "SELECT _id, city FROM t WHERE n BETWEEN ? AND ?", from, from+engineGroup-1)
		}},
		{"changes", func(ctx context.Context, s *served, c *sql.Conn, i int) error {
			return rows(ctx, c, engineGroup, "SELECT seq, _id, _doc FROM t__changes WHERE seq > ? ORDER BY seq LIMIT ?", s.since,
				engineGroup)
		}},
		{"update", func(ctx context.Context, _ *served, c *sql.Conn, i int) error {
			res, err := c.ExecContext(ctx, "UPDATE t SET price = price + 1 WHERE _id = ?", key(i))
			if err != nil {
				return err
			}
			if n, err := res.RowsAffected(); n != 1 {
				return errors.Join(fmt.Errorf("%d rows updated", n), err)
			}
			return nil
		}},
		{"import", func(ctx context.Context, s *served, c *sql.Conn, _ int) error {
			return execute(ctx, c, insertOf("imported", engineGroup*int(s.next.Add(1)-1)))
		}},
	}
}

// round runs statements on the first connections, so many on each, and returns the time it took. The first statement
// is the from-th of all.
func (s *served) round(connections, each, from int,
	run func(ctx context.Context, s *served, c *sql.Conn, i int) error) (time.Duration, error) {
	ctx := context.Background()
	errs := make([]error, connections)
	var all sync.WaitGroup
	began := time.Now()
	for n, c := range s.conns[:connections] {
		all.Go(func() {
			for i := 0; i < each && errs[n] == nil; i++ {
				errs[n] = run(ctx, s, c, from+i*connections+n)
			}
		})
	}
	all.Wait()
	return time.Since(began), errors.Join(errs...)
}

// BenchmarkEngines measures statements on one store, or on two side by side, over loopback, with 1, 8 and 32
// connections: a document by its key, 100 documents by an equality and by a range, the last 100 changes with their
// documents, a changed field, 100 inserted documents. Rounds of two stores go by turns, and the ratio
// of the medians is reported as "times".
func BenchmarkEngines(b *testing.B) {
	sizes := []int{1, 8, 32}
	stores := []*served{serveEngine(b, *engineStore, sizes[len(sizes)-1])}
	if *besideStore != "" {
		stores = append(stores, serveEngine(b, *besideStore, sizes[len(sizes)-1]))
	}
	for _, st := range engineStatements(*engineDocuments) {
		for _, connections := range sizes {
			b.Run(fmt.Sprintf("%s/connections=%d", st.name, connections), func(b *testing.B) {
				const each = 8 // of a connection in a round
				took := make([][]time.Duration, len(stores))
				from := 0
				for b.Loop() {
					for i, s := range stores {
						d, err := s.round(connections, each, from, st.run)
						if err != nil {
							b.Fatal(err)
						}
						took[i] = append(took[i], d)
					}
					from += connections * each
				}
				first := median(took[0])
				b.ReportMetric(float64(connections*each)/first.Seconds(), "statements/s")
				if len(stores) > 1 {
					second := median(took[1])
					b.ReportMetric(float64(connections*each)/second.Seconds(), "beside/s")
					b.ReportMetric(float64(second)/float64(first), "times")
				}
			})
		}
	}
}

package bench

import (
	"context"
	"database/sql"
	"flag"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-sql-driver/mysql"

	"github.com/sqlfdb/sqlfdb/catalog"
	"github.com/sqlfdb/sqlfdb/kv"
	"github.com/sqlfdb/sqlfdb/kv/pebblekv"
	"github.com/sqlfdb/sqlfdb/server"
	"github.com/sqlfdb/sqlfdb/transfer"
)

var (
	sqlDocuments = flag.Int("sql-documents", 20_000, "how many documents the collections of BenchmarkSQL hold")
	targets      = flag.Bool("targets", false, "BenchmarkSQL fails where a statement costs more than it may")
)

// wideKeypaths is how many keypaths the wide collection has.
const wideKeypaths = 3000

// narrowDocument has ten keypaths. Ten documents of all share a value of tenth.
func narrowDocument(i, documents int) string {
	return fmt.Sprintf(`{"_id":"k%08d","tenth":%d,"name":"name %d","city":"city %d","n":%d,"price":%d.25,`+
		`"active":%t,"address":{"street":"street %d","zip":"%05d"},"note":"a note of some length %d"}`,
		i, i%max(1, documents/10), i, i%500, i%1000, i%300, i%2 == 0, i%700, i%99_999, i)
}

// wideDocument has some of the wide collection's keypaths.
func wideDocument(i, documents int) string {
	var b strings.Builder
	fmt.Fprintf(&b, `{"_id":"k%08d","tenth":%d,"name":"name %d"`, i, i%max(1, documents/10), i)
	for j := range 6 {
		fmt.Fprintf(&b, `,"path%04d":%d`, (i*6+j)%(wideKeypaths-3), i)
	}
	b.WriteByte('}')
	return b.String()
}

// load stores the documents of a table that it makes.
func load(b *testing.B, cat *catalog.Catalog, name string, documents int, document func(i, documents int) string) {
	b.Helper()
	ctx := context.Background()
	def, err := cat.CreateTable(ctx, &catalog.Table{Database: "d", Name: name, Open: true, DocumentColumn: 1,
		Columns: []catalog.Column{{Name: "_id", Type: "varchar(255)", Length: 255}}, PrimaryKey: []int{0}})
	if err != nil {
		b.Fatal(err)
	}
	sink, err := transfer.NewStoreSink(cat, def, transfer.RefuseDuplicates)
	if err != nil {
		b.Fatal(err)
	}
	lines, out := io.Pipe()
	go func() {
		for i := range documents {
			if _, err := io.WriteString(out, document(i, documents)+"\n"); err != nil {
				return
			}
		}
		out.Close()
	}()
	src, err := transfer.NewSource(lines, name+".jsonl", transfer.FormatLines)
	if err != nil {
		b.Fatal(err)
	}
	var p transfer.Progress
	if err := transfer.Import(ctx, src, sink, &p, transfer.ImportOptions{MaxErrors: 0}); err != nil {
		b.Fatal(err)
	}
}

// serveStore serves a store in which the tables narrow, wide and small hold documents, and
// connects to it.
func serveStore(b *testing.B) *sql.Conn {
	b.Helper()
	store, cat := emptyStore(b)
	load(b, cat, "narrow", *sqlDocuments, narrowDocument)
	load(b, cat, "wide", min(*sqlDocuments, 20_000), wideDocument)
	load(b, cat, "small", 1000, narrowDocument)
	conn, err := serve(b, store).Conn(context.Background())
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { conn.Close() })
	return conn
}

// emptyStore is a store with an empty database d.
func emptyStore(b *testing.B) (kv.Store, *catalog.Catalog) {
	b.Helper()
	ctx := context.Background()
	store, err := pebblekv.Open(b.TempDir(), pebblekv.Options{})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { closeStore(b, store) })
	cat, err := catalog.Open(ctx, store)
	if err != nil {
		b.Fatal(err)
	}
	if err := cat.CreateDatabase(ctx, "d", ""); err != nil {
		b.Fatal(err)
	}
	return store, cat
}

// serve serves a store, and connects to its database d.
func serve(b testing.TB, store kv.Store) *sql.DB {
	b.Helper()
	ctx := context.Background()
	s, err := server.Start(ctx, store, server.Options{Listen: "127.0.0.1:0"})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		if err := s.Close(ctx); err != nil {
			b.Error(err)
		}
	})
	db, err := sql.Open("mysql", (&mysql.Config{User: "root", Net: "tcp", Addr: s.Addr().String(), DBName: "d",
		AllowNativePasswords: true, InterpolateParams: true, Logger: &mysql.NopLogger{}}).FormatDSN())
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { db.Close() })
	return db
}

func closeStore(b testing.TB, store kv.Store) {
	if err := store.Close(); err != nil {
		b.Error(err)
	}
}

// statement is one thing that is measured: run executes it for the i-th time.
type statement struct {
	name string
	run  func(b *testing.B, i int)
}

// BenchmarkSQL measures statements over loopback. Those that have a target run in turns with what they
// are compared with, and the ratio of the medians is reported as "times": a
// machine that is busy with something else slows both.
func BenchmarkSQL(b *testing.B) {
	conn := serveStore(b)
	ctx := context.Background()
	drain := func(b *testing.B, rows *sql.Rows, err error, want int) {
		if err != nil {
			b.Fatal(err)
		}
		n := 0
		for rows.Next() {
			n++
		}
		if err := rows.Err(); err != nil || n != want {
			b.Fatalf("%d rows, want %d: %v", n, want, err)
		}
		_ = rows.Close()
	}
	text := func(name string, want int, query func(i int) string) statement {
		return statement{name, func(b *testing.B, i int) {
			rows, err := conn.QueryContext(ctx, query(i))
			drain(b, rows, err, want)
		}}
	}
	prepared := func(name string, want int, query string, args func(i int) []any) statement {
		var stmt *sql.Stmt
		return statement{name, func(b *testing.B, i int) {
			if stmt == nil {
				var err error
				if stmt, err = conn.PrepareContext(ctx, query); err != nil {
					b.Fatal(err)
				}
			}
			rows, err := stmt.QueryContext(ctx, args(i)...)
			drain(b, rows, err, want)
		}}
	}
	changed := func(name string, query func(i int) string) statement {
		return statement{name, func(b *testing.B, i int) {
			res, err := conn.ExecContext(ctx, query(i))
			if err != nil {
				b.Fatal(err)
			}
			if n, err := res.RowsAffected(); err != nil || n != 1 {
				b.Fatalf("%d rows affected, %v", n, err)
			}
		}}
	}
	key := func(i, n int) string { return fmt.Sprintf("k%08d", i*7919%n) }
	narrow, wide := *sqlDocuments, min(*sqlDocuments, 20_000)

	one := text("select-1", 1, func(int) string { return "SELECT 1" })
	onePrepared := prepared("select-1-prepared", 1, "SELECT ?", func(i int) []any { return []any{i} })
	pk := text("key/narrow", 1, func(i int) string {
		return "SELECT _id, name FROM narrow WHERE _id = '" + key(i, narrow) + "'"
	})
	pkPrepared := prepared("key/narrow/prepared", 1, "SELECT _id, name FROM narrow WHERE _id = ?",
		func(i int) []any { return []any{key(i, narrow)} })

	for _, c := range []struct {
		statement
		base  statement
		limit float64 // 0: none
	}{
		{onePrepared, one, 0},
		{pk, one, 2},
		{pkPrepared, onePrepared, 2},
		{text("key/wide", 1, func(i int) string { return "SELECT _id, name FROM wide WHERE _id = '" + key(i, wide) + "'" }),
			one, 2},
		{prepared("key/wide/prepared", 1, "SELECT _id, name FROM wide WHERE _id = ?",
			func(i int) []any { return []any{key(i, wide)} }), onePrepared, 2},
		{text("key/narrow/document", 1, func(i int) string {
			return "SELECT _doc FROM narrow WHERE _id = '" + key(i, narrow) +
				"'"
		}), one, 2},
		{text("equality-10", 10, func(i int) string {
			return fmt.Sprintf("SELECT _id, name FROM narrow WHERE tenth = %d", i*31%(narrow/10))
		}), pk, 3},
		{prepared("equality-10/prepared", 10, "SELECT _id, name FROM narrow WHERE tenth = ?",
			func(i int) []any { return []any{i * 31 % (narrow / 10)} }), pkPrepared, 3},
		{text("equality-10/wide", 10, func(i int) string {
			return fmt.Sprintf("SELECT _id, name FROM wide WHERE tenth = %d", i*31%(wide/10))
		}), pk, 3},
	} {
		b.Run(c.name, func(b *testing.B) { compare(b, c.statement, c.base, c.limit) })
	}

	inserted := 0
	for _, s := range []statement{
		one,
		changed("insert", func(int) string {
			inserted++
			return "INSERT INTO narrow (_doc) VALUES ('" + narrowDocument(10_000_000+inserted, 10_000_000) + "')"
		}),
		changed("update-path", func(i int) string {
			inserted++
			return fmt.Sprintf("UPDATE narrow SET n = %d WHERE _id = '%s'", 1_000_000+inserted, key(i, narrow))
		}),
		changed("update-path/wide", func(i int) string {
			inserted++
			return fmt.Sprintf("UPDATE wide SET tenth = %d WHERE _id = '%s'", 1_000_000+inserted, key(i, wide))
		}),
		text("scan-1000", 1000, func(int) string { return "SELECT _id, name FROM small" }),
		text("scan-1000/documents", 1000, func(int) string { return "SELECT _doc FROM small" }),
		text("range-1000", 1000, func(int) string { return "SELECT _id, name FROM small WHERE n >= 0" }),
		text("count", 1, func(int) string { return "SELECT COUNT(*) FROM small" }),
		text("order-limit-10", 10, func(int) string { return "SELECT _id, name FROM small ORDER BY price LIMIT 10" }),
	} {
		b.Run(s.name, func(b *testing.B) {
			for i := 0; b.Loop(); i++ {
				s.run(b, i)
			}
		})
	}
	for _, table := range []string{"narrow", "wide", "small"} {
		checkTable(b, conn, table)
	}
}

// compare runs a statement and another one in turns, and reports the medians.
func compare(b *testing.B, s, base statement, limit float64) {
	var took, baseTook []time.Duration
	for i := range 20 {
		base.run(b, i)
		s.run(b, i)
	}
	b.ResetTimer()
	for i := 0; b.Loop(); i++ {
		began := time.Now()
		base.run(b, i)
		between := time.Now()
		s.run(b, i)
		baseTook = append(baseTook, between.Sub(began))
		took = append(took, time.Since(between))
	}
	own, other := median(took), median(baseTook)
	times := float64(own) / float64(other)
	b.ReportMetric(float64(own), "ns/own")
	b.ReportMetric(float64(other), "ns/"+strings.ReplaceAll(base.name, "/", "-"))
	b.ReportMetric(times, "times")
	if limit > 0 {
		b.ReportMetric(limit, "times-allowed")
		if *targets && b.N > 100 && times > limit {
			b.Errorf("%s takes %.2f times %s, at most %.0f are allowed", s.name, times, base.name, limit)
		}
	}
}

func median(d []time.Duration) time.Duration {
	slices.Sort(d)
	return d[len(d)/2]
}

func checkTable(b *testing.B, conn *sql.Conn, table string) {
	b.Helper()
	var name, op, kind, message string
	if err := conn.QueryRowContext(context.Background(), "CHECK TABLE "+table).Scan(&name, &op, &kind,
		&message); err != nil || message != "OK" {
		b.Errorf("CHECK TABLE %s: %s %v", table, message, err)
	}
}

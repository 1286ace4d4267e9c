package bench

import (
	"context"
	"database/sql"
	"flag"
	"fmt"
	"testing"

	"github.com/go-sql-driver/mysql"

	"github.com/sqlfdb/sqlfdb/catalog"
	"github.com/sqlfdb/sqlfdb/kv/pebblekv"
	"github.com/sqlfdb/sqlfdb/server"
)

var (
	equalityDocuments = flag.Int("equality-documents", 20_000,
		"how many documents the collection of BenchmarkEquality holds")
	equalityStore = flag.String("equality-store", "",
		"a directory that keeps BenchmarkEquality's collection for the next run")
)

// serveDocuments serves a store whose table d.t holds the first documents of
// Document's sequence, and connects to it. A store that holds the table already is
// served as it is.
func serveDocuments(b *testing.B, dir string, documents int) *sql.Conn {
	b.Helper()
	ctx := context.Background()
	store, err := pebblekv.Open(dir, pebblekv.Options{})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { closeStore(b, store) })
	cat, err := catalog.Open(ctx, store)
	if err != nil {
		b.Fatal(err)
	}
	if err := cat.CreateDatabase(ctx, "d", ""); err == nil {
		load(b, cat, "t", documents, func(i, _ int) string {
			d, err := Document(i)
			if err != nil {
				panic(err)
			}
			return string(d.Raw())
		})
	}
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
	conn, err := db.Conn(ctx)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { conn.Close() })
	return conn
}

// BenchmarkEquality compares an equality with a SELECT by the primary key, in
// one collection of which a tenth of a per mille is equal.
func BenchmarkEquality(b *testing.B) {
	dir := *equalityStore
	if dir == "" {
		dir = b.TempDir()
	}
	n := *equalityDocuments
	conn := serveDocuments(b, dir, n)
	values, each := n, 1 // of tenth, and documents of each
	if values > 100_000 {
		values, each = 100_000, n/100_000
	}
	ctx := context.Background()
	var prepared = map[string]*sql.Stmt{}
	run := func(b *testing.B, want int, query string, args ...any) {
		stmt := prepared[query]
		if len(args) > 0 && stmt == nil {
			var err error
			if stmt, err = conn.PrepareContext(ctx, query); err != nil {
				b.Fatal(err)
			}
			prepared[query] = stmt
		}
		var rows *sql.Rows
		var err error
		if stmt != nil {
			rows, err = stmt.QueryContext(ctx, args...)
		} else {
			rows, err = conn.QueryContext(ctx, query)
		}
		if err != nil {
			b.Fatal(err)
		}
		got := 0
		for rows.Next() {
			got++
		}
		if err := rows.Err(); err != nil || got != want {
			b.Fatalf("%s: %d rows, want %d: %v", query, got, want, err)
		}
		_ = rows.Close()
	}
	key := func(i int) string { return fmt.Sprintf("doc-%09d", i*7919%n) }
	one := statement{"select-1", func(b *testing.B, _ int) { run(b, 1, "SELECT 1") }}
	pk := statement{"key", func(b *testing.B, i int) { run(b, 1, "SELECT _id, city FROM t WHERE _id = '"+key(i)+"'") }}
	pkPrepared := statement{"key/prepared", func(b *testing.B,
		i int) {
		run(b, 1, "SELECT _id, city FROM t WHERE _id = ?", key(i))
	}}
	// From 10,000 documents of 20,000 down there's one of each; so ten values give ten.
	ten := func(i int) (int, []any) {
		v := i * 31 % (values - 10)
		if each > 1 {
			return each, []any{v}
		}
		return 10, []any{v, v + 1, v + 2, v + 3, v + 4, v + 5, v + 6, v + 7, v + 8, v + 9}
	}
	equality := "SELECT _id, city FROM t WHERE tenth = %d"
	equalityPrepared := "SELECT _id, city FROM t WHERE tenth = ?"
	if each == 1 {
		equality = "SELECT _id, city FROM t WHERE tenth IN (%d,%d,%d,%d,%d,%d,%d,%d,%d,%d)"
		equalityPrepared = "SELECT _id, city FROM t WHERE tenth IN (?,?,?,?,?,?,?,?,?,?)"
	}
	for _, c := range []struct {
		statement
		base  statement
		limit float64
	}{
		{pk, one, 2},
		{statement{"equality", func(b *testing.B, i int) {
			want, values := ten(i)
			run(b, want, fmt.Sprintf(equality, values...))
		}}, pk, 3},
		{statement{"equality/prepared", func(b *testing.B, i int) {
			want, values := ten(i)
			run(b, want, equalityPrepared, values...)
		}}, pkPrepared, 3},
	} {
		b.Run(c.name, func(b *testing.B) { compare(b, c.statement, c.base, c.limit) })
	}
}

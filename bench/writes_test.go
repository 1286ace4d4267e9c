package bench

import (
	"context"
	"database/sql"
	"fmt"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/go-sql-driver/mysql"

	"github.com/sqlfdb/sqlfdb/internal/processor"
	"github.com/sqlfdb/sqlfdb/kv"
	"github.com/sqlfdb/sqlfdb/kv/pebblekv"
	"github.com/sqlfdb/sqlfdb/server"
)

// BenchmarkWrites are prepared writes of one document by eight connections: of documents that nobody else writes, and
// of one that all write.
func BenchmarkWrites(b *testing.B) {
	const clients, documents = 8, 20_000
	ctx := context.Background()
	store, err := pebblekv.Open(b.TempDir(), pebblekv.Options{})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { closeStore(b, store) })
	s, err := server.Start(ctx, store, server.Options{Listen: "127.0.0.1:0"})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		if err := s.Close(ctx); err != nil {
			b.Error(err)
		}
	})
	db, err := sql.Open("mysql", (&mysql.Config{User: "root", Net: "tcp", Addr: s.Addr().String(),
		AllowNativePasswords: true, Logger: &mysql.NopLogger{}}).FormatDSN())
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { db.Close() })
	db.SetMaxIdleConns(2 * clients)
	id := func(i int) string { return fmt.Sprintf("doc-%09d", i) }
	text := func(i int) string {
		d, err := Document(i)
		if err != nil {
			b.Fatal(err)
		}
		return d.Text()
	}
	run := func(text string, args ...any) {
		if _, err := db.ExecContext(ctx, text, args...); err != nil {
			b.Fatal(err)
		}
	}
	fill := func(from, to int) {
		for i := from; i < to; i += 100 {
			values, args := "", []any{}
			for j := i; j < min(i+100, to); j++ {
				values, args = values+",(?,?)", append(args, id(j), text(j))
			}
			run("INSERT INTO w.d (_id, _doc) VALUES "+values[1:], args...)
		}
	}
	run("CREATE DATABASE w")
	run("CREATE TABLE w.d (_id VARCHAR(255) PRIMARY KEY, _doc JSON)")
	run("CREATE TABLE w.n (_id VARCHAR(255) PRIMARY KEY, _doc JSON)")
	run(`INSERT INTO w.n (_id, _doc) VALUES ('x', '{"n":0}')`)
	fill(0, documents)
	next, spent := documents, documents
	for _, w := range []struct {
		name, text string
		args       func(i int64) []any
		before     func(times int)
	}{
		{"insert", "INSERT INTO w.d (_id, _doc) VALUES (?, ?)",
			func(i int64) []any { return []any{id(next + int(i)), text(next + int(i))} }, func(int) {}},
		{"update", "UPDATE w.d SET city = ? WHERE _id = ?",
			func(i int64) []any { return []any{fmt.Sprint("text ", i), id(rand.IntN(documents))} }, func(int) {}},
		{"delete", "DELETE FROM w.d WHERE _id = ?", func(i int64) []any { return []any{id(spent + int(i))} },
			func(times int) { spent = next; fill(next, next+times) }},
		{"counter", "UPDATE w.n SET n = n + 1 WHERE _id = ?", func(int64) []any { return []any{"x"} }, func(int) {}},
	} {
		b.Run(w.name, func(b *testing.B) {
			w.before(b.N)
			var done atomic.Int64
			var group, ready sync.WaitGroup
			ready.Add(clients)
			begin := make(chan struct{})
			for range clients {
				group.Go(func() {
					conn, err := db.Conn(ctx)
					if err != nil {
						b.Error(err)
						return
					}
					defer conn.Close()
					stmt, err := conn.PrepareContext(ctx, w.text)
					ready.Done()
					<-begin
					for err == nil {
						i := done.Add(1) - 1
						if i >= int64(b.N) {
							return
						}
						_, err = stmt.ExecContext(ctx, w.args(i)...)
					}
					b.Error(err)
				})
			}
			ready.Wait()
			before, used := figures(store), processor.Time()
			b.ReportAllocs()
			b.ResetTimer()
			close(begin)
			group.Wait()
			b.StopTimer()
			next += b.N
			after := figures(store)
			per := func(name, unit string, of float64) {
				b.ReportMetric((after[name]-before[name])/of, unit)
			}
			n := float64(b.N)
			b.ReportMetric(float64((processor.Time()-used).Microseconds())/n, "cpu-µs/op")
			per("commits_total", "commits/sync", max(after["sync_seconds"]-before["sync_seconds"], 1))
			per("log_written_bytes_total", "log-B/op", n)
			per("commit_conflicts_total", "conflicts/op", n)
		})
	}
}

// figures are those of a store by their names; of a histogram the count.
func figures(store kv.Store) map[string]float64 {
	out := map[string]float64{}
	for _, f := range store.Figures() {
		if out[f.Name] = f.Value; f.Count > 0 {
			out[f.Name] = float64(f.Count)
		}
	}
	return out
}

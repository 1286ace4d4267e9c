package bench

import (
	"context"
	"database/sql"
	"flag"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/go-sql-driver/mysql"

	"github.com/sqlfdb/sqlfdb/catalog"
	"github.com/sqlfdb/sqlfdb/kv/pebblekv"
	"github.com/sqlfdb/sqlfdb/server"
)

var (
	sizesMillion = flag.Bool("sizes-million", false, "BenchmarkSizes measures a collection of 1,000,000 documents too")
	sizesStore   = flag.String("sizes-store", "", "a directory that keeps BenchmarkSizes' collections for the next run")
	sizesLimit   = flag.Bool("sizes-limit", false, "BenchmarkSizes fails where a statement whose answer is as large costs more than 1.5 times as much in a larger collection")
)

// mostTimes is how much more a statement may cost in a larger collection, if its ranges hold as many keys.
const mostTimes = 1.5

// sizedDocument is one of n documents. Of each value of one, ten and thousand there are as many as the name
// says, however large the collection; n is a permutation of the documents, and friend another one.
func sizedDocument(i, n int) string {
	return fmt.Sprintf(`{"_id":"k%08d","one":%d,"ten":%d,"thousand":%d,"n":%d,"friend":%d,"hundredth":%d,"name":"name %d","address":{"city":"city %d","zip":"%05d"}}`,
		i, i, i%(n/10), i%(n/1000), permuted(i, n), permuted(i+n/3, n), i*31%100, i, i%700, i%99_999)
}

// permuted is a permutation of the numbers below n, which is a power of ten.
func permuted(i, n int) int { return i * 7919 % n }

// sized is a statement that is measured at several sizes.
type sized struct {
	name string
	// query is its text for a random number, in a table of n documents.
	query func(table string, r, n int) string
	rows  int
	// limited says that it costs the same at each size. Of the others the time for a key is told.
	limited bool
}

var sizedStatements = []sized{
	{"key", func(t string, r, n int) string {
		return fmt.Sprintf("SELECT _id, name FROM %s WHERE _id = 'k%08d'", t, r)
	}, 1, true},
	{"equality-1", func(t string, r, n int) string { return fmt.Sprintf("SELECT _id, name FROM %s WHERE one = %d", t, r) }, 1, true},
	{"equality-10", func(t string, r, n int) string {
		return fmt.Sprintf("SELECT _id, name FROM %s WHERE ten = %d", t, r%(n/10))
	}, 10, true},
	{"equality-1000", func(t string, r, n int) string {
		return fmt.Sprintf("SELECT _id, name FROM %s WHERE thousand = %d", t, r%(n/1000))
	}, 1000, true},
	{"equality-1000-keys", func(t string, r, n int) string {
		return fmt.Sprintf("SELECT _id FROM %s WHERE thousand = %d", t, r%(n/1000))
	}, 1000, true},
	{"range-100", func(t string, r, n int) string {
		from := r % (n - 100)
		return fmt.Sprintf("SELECT _id, name FROM %s WHERE n BETWEEN %d AND %d", t, from, from+99)
	}, 100, true},
	{"order-limit-10", func(t string, r, n int) string {
		return fmt.Sprintf("SELECT _id, name FROM %s ORDER BY n DESC LIMIT 10", t)
	}, 10, true},
	{"equality-order-limit-10", func(t string, r, n int) string {
		return fmt.Sprintf("SELECT _id, name FROM %s WHERE thousand = %d ORDER BY n LIMIT 10", t, r%(n/1000))
	}, 10, true},
	{"page", func(t string, r, n int) string {
		return fmt.Sprintf("SELECT _id, n FROM %s WHERE (n, _id) > (%d, 'k') ORDER BY n, _id LIMIT 10", t, r%(n-10))
	}, 10, true},
	{"count", func(t string, r, n int) string { return "SELECT COUNT(*) FROM " + t }, 1, true},
	{"count-where", func(t string, r, n int) string {
		return fmt.Sprintf("SELECT COUNT(*) FROM %s WHERE thousand = %d", t, r%(n/1000))
	}, 1, true},
	{"min", func(t string, r, n int) string { return "SELECT MIN(n) FROM " + t }, 1, true},
	{"max", func(t string, r, n int) string { return "SELECT MAX(n) FROM " + t }, 1, true},
	{"join-10", func(t string, r, n int) string {
		return fmt.Sprintf("SELECT a._id, b.name FROM %s a JOIN %s b ON b.one = a.friend WHERE a.ten = %d", t, t, r%(n/10))
	}, 10, true},
	{"group-100", func(t string, r, n int) string {
		return "SELECT hundredth, COUNT(*) FROM " + t + " GROUP BY hundredth"
	}, 100, false},
	{"distinct-100", func(t string, r, n int) string { return "SELECT COUNT(DISTINCT hundredth) FROM " + t }, 1, false},
	{"sum", func(t string, r, n int) string { return "SELECT SUM(n) FROM " + t }, 1, false},
}

// BenchmarkSizes runs statements over collections of 10,000, 100,000 and, by flag, 1,000,000 documents in turns,
// and reports how many times the time at 10,000 each takes at the others: a machine that is busy with something
// else slows all of them. Of statements that walk an index to its end it reports the time for a key.
func BenchmarkSizes(b *testing.B) {
	sizes := []int{10_000, 100_000}
	if *sizesMillion {
		sizes = append(sizes, 1_000_000)
	}
	conn := serveSizes(b, sizes)
	for _, s := range sizedStatements {
		b.Run(s.name, func(b *testing.B) { measureSizes(b, conn, s, sizes) })
	}
}

func measureSizes(b *testing.B, conn *sql.Conn, s sized, sizes []int) {
	r := rand.New(rand.NewPCG(1, 2))
	took := make([][]time.Duration, len(sizes))
	run := func(size int) time.Duration {
		query := s.query(tableOf(size), r.IntN(size), size)
		began := time.Now()
		rows, err := conn.QueryContext(context.Background(), query)
		if err != nil {
			b.Fatal(query, err)
		}
		n := 0
		for rows.Next() {
			n++
		}
		if err := rows.Err(); err != nil || n != s.rows {
			b.Fatalf("%s: %d rows, want %d: %v", query, n, s.rows, err)
		}
		return time.Since(began)
	}
	if s.limited {
		for range 30 {
			for _, size := range sizes {
				run(size)
			}
		}
	}
	b.ResetTimer()
	for b.Loop() {
		for i, size := range sizes {
			took[i] = append(took[i], run(size))
		}
	}
	smallest := median(took[0])
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(float64(smallest.Microseconds()), "µs-at-10k")
	for i, size := range sizes {
		m := median(took[i])
		if !s.limited {
			b.ReportMetric(float64(m.Nanoseconds())/float64(size), "ns/key-at-"+shortSize(size))
			continue
		}
		if i == 0 {
			continue
		}
		times := float64(m) / float64(smallest)
		b.ReportMetric(times, "times-at-"+shortSize(size))
		if *sizesLimit && b.N >= 50 && times > mostTimes {
			b.Errorf("%s takes %.2f times as long in %d documents as in %d, at most %.1f are allowed", s.name, times, size, sizes[0], mostTimes)
		}
	}
}

func shortSize(n int) string {
	if n == 1_000_000 {
		return "1m"
	}
	return fmt.Sprintf("%dk", n/1000)
}

func tableOf(size int) string { return "t" + shortSize(size) }

// serveSizes serves a store with a table of each size, and connects to it.
func serveSizes(b *testing.B, sizes []int) *sql.Conn {
	b.Helper()
	ctx := context.Background()
	dir := *sizesStore
	if dir == "" {
		dir = b.TempDir()
	}
	store, err := pebblekv.Open(dir, pebblekv.Options{})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { closeStore(b, store) })
	cat, err := catalog.Open(ctx, store)
	if err != nil {
		b.Fatal(err)
	}
	if err := cat.CreateDatabase(ctx, "d", ""); err != nil && !strings.Contains(err.Error(), "exists") {
		b.Fatal(err)
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
	db, err := sql.Open("mysql", (&mysql.Config{User: "root", Net: "tcp", Addr: s.Addr().String(), DBName: "d", AllowNativePasswords: true, InterpolateParams: true, Logger: &mysql.NopLogger{}}).FormatDSN())
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { db.Close() })
	conn, err := db.Conn(ctx)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { conn.Close() })
	for _, size := range sizes {
		var n int
		if err := conn.QueryRowContext(ctx, "SELECT COUNT(*) FROM "+tableOf(size)).Scan(&n); err != nil {
			load(b, cat, tableOf(size), size, sizedDocument)
		} else if n != size {
			b.Fatalf("%s holds %d documents: %s is the store of a run that was broken off", tableOf(size), n, dir)
		}
	}
	return conn
}

//go:build unix

package bench

import (
	"context"
	"database/sql"
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-sql-driver/mysql"

	"github.com/sqlfdb/sqlfdb/catalog"
	"github.com/sqlfdb/sqlfdb/document"
	"github.com/sqlfdb/sqlfdb/internal/processor"
	"github.com/sqlfdb/sqlfdb/kv"
	"github.com/sqlfdb/sqlfdb/kv/pebblekv"
	"github.com/sqlfdb/sqlfdb/server"
	"github.com/sqlfdb/sqlfdb/tables"
)

var (
	sizesMillion = flag.Bool("sizes-million", false, "BenchmarkSizes measures a collection of 1,000,000 documents too")
	sizesStore   = flag.String("sizes-store", "", "a directory that keeps BenchmarkSizes' collections for the next run")
	sizesLimit   = flag.Bool(
		"sizes-limit", false,
		"BenchmarkSizes fails where a statement whose answer is as large costs more than 1.5 times as much processor "+
			"time in a larger collection")
	sizesReads = flag.String(
		"sizes-reads", "warm",
		"what BenchmarkSizes reads: warm, the same few documents again and again; cached, other ones every time, "+
			"which are all in the engine's cache; cold, other ones every time over a cache of 16 MiB, which holds nearly "+
			"nothing of a large collection (the system's cache of files does)")
)

// The caches hold everything, or nearly nothing of a large collection.
const (
	warmCache = 1 << 30
	coldCache = 16 << 20
)

// The values of -sizes-reads.
const (
	readsWarm   = "warm"
	readsCached = "cached"
	readsCold   = "cold"
)

// warmNumbers is how many numbers the statements are run with, in turns, where the cache is warm.
const warmNumbers = 8

// maxTimes is how much more a statement may cost in a larger collection, if its ranges hold as many keys.
const maxTimes = 1.5

// sizedDocument is one of n documents. Of each value of one, ten and thousand there are as many as the name
// says, however large the collection; n is a permutation of the documents, and friend another one.
func sizedDocument(i, n int) string {
	return fmt.Sprintf(`{"_id":"k%08d","one":%d,"ten":%d,"thousand":%d,"n":%d,"friend":%d,"hundredth":%d,`+
		`"name":"name %d","address":{"city":"city %d","zip":"%05d"}}`,
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
	cost  cost
}

// cost says what is told of a statement.
type cost int

const (
	// sameCost: it costs the same at each size, which -sizes-limit holds it to.
	sameCost cost = iota
	// moreKeys: it is compared, and not held to the limit. The documents that are wanted lie farther apart in a larger
	// collection's order, so more of its keys are walked, up to what reading all that satisfy the condition costs.
	moreKeys
	// perKey: it walks an index to its end; the time for a key is told.
	perKey
)

var sizedStatements = []sized{
	{"key", func(t string, r, n int) string {
		return fmt.Sprintf("SELECT _id, name FROM %s WHERE _id = 'k%08d'", t, r)
	}, 1, sameCost},
	{"equality-1", func(t string, r, n int) string { return fmt.Sprintf("SELECT _id, name FROM %s WHERE one = %d", t, r) },
		1, sameCost},
	{"equality-10", func(t string, r, n int) string {
		return fmt.Sprintf("SELECT _id, name FROM %s WHERE ten = %d", t, r%(n/10))
	}, 10, sameCost},
	{"equality-1000", func(t string, r, n int) string {
		return fmt.Sprintf("SELECT _id, name FROM %s WHERE thousand = %d", t, r%(n/1000))
	}, 1000, sameCost},
	{"equality-1000-keys", func(t string, r, n int) string {
		return fmt.Sprintf("SELECT _id FROM %s WHERE thousand = %d", t, r%(n/1000))
	}, 1000, sameCost},
	{"range-100", func(t string, r, n int) string {
		from := r % (n - 100)
		return fmt.Sprintf("SELECT _id, name FROM %s WHERE n BETWEEN %d AND %d", t, from, from+99)
	}, 100, sameCost},
	{"order-limit-10", func(t string, r, n int) string {
		return fmt.Sprintf("SELECT _id, name FROM %s ORDER BY n DESC LIMIT 10", t)
	}, 10, sameCost},
	{"equality-order-limit-10", func(t string, r, n int) string {
		return fmt.Sprintf("SELECT _id, name FROM %s WHERE thousand = %d ORDER BY n LIMIT 10", t, r%(n/1000))
	}, 10, moreKeys},
	{"declared-order-limit-10", func(t string, r, n int) string {
		return fmt.Sprintf("SELECT _id, name FROM %s WHERE hundredth = %d ORDER BY n LIMIT 10", t, r%100)
	}, 10, sameCost},
	{"page", func(t string, r, n int) string {
		return fmt.Sprintf("SELECT _id, n FROM %s WHERE (n, _id) > (%d, 'k') ORDER BY n, _id LIMIT 10", t, r%(n-10))
	}, 10, sameCost},
	{"count", func(t string, r, n int) string { return "SELECT COUNT(*) FROM " + t }, 1, sameCost},
	{"count-where", func(t string, r, n int) string {
		return fmt.Sprintf("SELECT COUNT(*) FROM %s WHERE thousand = %d", t, r%(n/1000))
	}, 1, sameCost},
	{"min", func(t string, r, n int) string { return "SELECT MIN(n) FROM " + t }, 1, sameCost},
	{"max", func(t string, r, n int) string { return "SELECT MAX(n) FROM " + t }, 1, sameCost},
	{"join-10", func(t string, r, n int) string {
		return fmt.Sprintf("SELECT a._id, b.name FROM %s a JOIN %s b ON b.one = a.friend WHERE a.ten = %d", t, t, r%(n/10))
	}, 10, sameCost},
	{"changes-1000", func(t string, r, n int) string {
		return fmt.Sprintf("SELECT seq, _id, rev, deleted FROM %s__changes WHERE seq > '%s' ORDER BY seq LIMIT 1000", t,
			changePoint(t, r))
	}, 1000, sameCost},
	{"changes-1000-documents", func(t string, r, n int) string {
		return fmt.Sprintf("SELECT seq, _doc FROM %s__changes WHERE seq > '%s' ORDER BY seq LIMIT 1000", t, changePoint(t, r))
	}, 1000, sameCost},
	{"changes-1000-desc", func(t string, r, n int) string {
		return fmt.Sprintf("SELECT seq, _id, rev, deleted FROM %s__changes WHERE seq > '%s' ORDER BY seq DESC LIMIT 1000", t,
			changePoint(t, r))
	}, 1000, sameCost},
	{"changes-by-key-10", func(t string, r, n int) string {
		var keys []string
		for i := range 10 {
			keys = append(keys, fmt.Sprintf("'k%08d'", (r+i*n/10)%n))
		}
		return fmt.Sprintf("SELECT seq, rev FROM %s__changes WHERE _id IN (%s)", t, strings.Join(keys, ", "))
	}, 10, sameCost},
	{"changes-newest", func(t string, r, n int) string { return "SELECT MAX(seq) FROM " + t + "__changes" }, 1, sameCost},
	{"group-100", func(t string, r, n int) string {
		return "SELECT hundredth, COUNT(*) FROM " + t + " GROUP BY hundredth"
	}, 100, perKey},
	{"distinct-100", func(t string, r, n int) string { return "SELECT COUNT(DISTINCT hundredth) FROM " + t }, 1, perKey},
	{"sum", func(t string, r, n int) string { return "SELECT SUM(n) FROM " + t }, 1, perKey},
}

// changePoints are sequences of each table behind which at least 1,000 changes follow.
var changePoints = map[string][]string{}

func changePoint(table string, r int) string {
	points := changePoints[table]
	return points[r%len(points)]
}

// findChangePoints takes some from a table that holds so many documents.
func findChangePoints(b *testing.B, conn *sql.Conn, table string, size int) {
	b.Helper()
	changePoints[table] = nil
	for i := range warmNumbers {
		var seq string
		query := fmt.Sprintf("SELECT seq FROM %s__changes ORDER BY seq LIMIT 1 OFFSET %d", table, i*(size-2000)/warmNumbers)
		if err := conn.QueryRowContext(context.Background(), query).Scan(&seq); err != nil {
			b.Fatal(query, err)
		}
		changePoints[table] = append(changePoints[table], seq)
	}
}

// BenchmarkSizes runs statements over collections of 10,000, 100,000 and, by flag, 1,000,000 documents in turns,
// and reports how many times what it takes at 10,000 each takes at the others: by the clock, and in processor time
// (cpu), which a machine that is busy with something else changes less. Client and server are one process. Of
// statements that walk an index to its end it reports the time for a key. The first ones are no statements: they get
// the same documents as some of the statements from the store, which is the least that those can cost.
func BenchmarkSizes(b *testing.B) {
	sizes := []int{10_000, 100_000}
	if *sizesMillion {
		sizes = append(sizes, 1_000_000)
	}
	if !slices.Contains([]string{readsWarm, readsCached, readsCold}, *sizesReads) {
		b.Fatal("-sizes-reads is warm, cached or cold")
	}
	conn, store, cat := serveSizes(b, sizes)
	for _, size := range sizes {
		findChangePoints(b, conn, tableOf(size), size)
	}
	if *sizesReads == readsCached {
		for _, size := range sizes {
			readAll(b, conn, tableOf(size))
		}
	}
	for _, n := range []int{1, 10, 1000} {
		b.Run(fmt.Sprintf("store-get-%d", n), func(b *testing.B) {
			measureSizes(b, sizes, sized{}, func(size, number int) func() {
				return getDocuments(b, store, cat, size, number,
					n)
			})
		})
	}
	for _, s := range sizedStatements {
		b.Run(s.name, func(b *testing.B) {
			measureSizes(b, sizes, s, func(size, number int) func() {
				query := s.query(tableOf(size), number, size)
				return func() {
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
				}
			})
		})
	}
}

// readAll reads a table's documents, and the entries that the statements use.
func readAll(b *testing.B, conn *sql.Conn, table string) {
	for _, column := range []string{"CHAR_LENGTH(name) + n", "one", "ten", "thousand", "n"} {
		var n float64
		if err := conn.QueryRowContext(context.Background(),
			fmt.Sprintf("SELECT SUM(%s) FROM %s", column, table)).Scan(&n); err != nil {
			b.Fatal(err)
		}
	}
}

// getDocuments returns what reads the documents that have one value of a member of which there are n of each, by
// their keys, in a transaction.
func getDocuments(b *testing.B, store kv.Store, cat *catalog.Catalog, size, number, n int) func() {
	begin := func() kv.Transaction {
		tx, err := store.Begin(context.Background(), kv.TransactionOptions{})
		if err != nil {
			b.Fatal(err)
		}
		return tx
	}
	tx := begin()
	defer tx.Cancel()
	view, err := cat.View(tx.Snapshot())
	if err != nil {
		b.Fatal(err)
	}
	def, ok := view.Table("d", tableOf(size))
	if !ok {
		b.Fatal("no table of ", size)
	}
	var keys [][]byte
	for i := number % (size / n); i < size; i += size / n {
		d, err := document.Parse(fmt.Appendf(nil, `{"_id":"k%08d"}`, i), document.Limits{})
		if err != nil {
			b.Fatal(err)
		}
		pk, _, err := tables.PrimaryKeyOf(def, d)
		if err != nil {
			b.Fatal(err)
		}
		keys = append(keys, def.Keys().Document(pk, 0))
	}
	return func() {
		tx := begin()
		defer tx.Cancel()
		for _, k := range keys {
			if v, err := tx.Get(k).Get(); err != nil || v == nil {
				b.Fatalf("%x is not there: %v", k, err)
			}
		}
	}
}

// measureSizes measures what prepare returns for a size and a number, at each size in turns.
func measureSizes(b *testing.B, sizes []int, s sized, prepare func(size, number int) func()) {
	r := rand.New(rand.NewPCG(1, 2))
	clock, cpu := make([][]time.Duration, len(sizes)), make([][]time.Duration, len(sizes))
	numbers := make([][]int, len(sizes))
	for i, size := range sizes {
		for range warmNumbers {
			numbers[i] = append(numbers[i], r.IntN(size))
			if s.cost != perKey {
				prepare(size, numbers[i][len(numbers[i])-1])()
			}
		}
	}
	b.ResetTimer()
	for turn := 0; b.Loop(); turn++ {
		for i, size := range sizes {
			number := numbers[i][turn%warmNumbers]
			if *sizesReads != readsWarm {
				number = r.IntN(size)
			}
			run := prepare(size, number)
			began, used := time.Now(), processor.Time()
			run()
			clock[i], cpu[i] = append(clock[i], time.Since(began)), append(cpu[i], processor.Time()-used)
		}
	}
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(float64(median(clock[0]).Nanoseconds())/1000, "µs-at-10k")
	b.ReportMetric(float64(median(cpu[0]).Nanoseconds())/1000, "cpu-µs-at-10k")
	for i, size := range sizes {
		if s.cost == perKey {
			b.ReportMetric(float64(median(cpu[i]).Nanoseconds())/float64(size), "cpu-ns/key-at-"+shortSize(size))
			continue
		}
		if i == 0 {
			continue
		}
		times := float64(median(cpu[i])) / float64(median(cpu[0]))
		b.ReportMetric(float64(median(clock[i]))/float64(median(clock[0])), "times-at-"+shortSize(size))
		b.ReportMetric(times, "cpu-times-at-"+shortSize(size))
		if *sizesLimit && b.N >= 50 && times > maxTimes && s.query != nil && s.cost == sameCost {
			b.Errorf("%s takes %.2f times as much processor time in %d documents as in %d, at most %.1f are allowed", s.name,
				times, size, sizes[0], maxTimes)
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
func serveSizes(b *testing.B, sizes []int) (*sql.Conn, kv.Store, *catalog.Catalog) {
	b.Helper()
	ctx := context.Background()
	dir := *sizesStore
	if dir == "" {
		dir = b.TempDir()
	}
	opts := pebblekv.Options{BlockCacheBytes: warmCache}
	if *sizesReads == readsCold {
		opts.BlockCacheBytes = coldCache
	}
	store, err := pebblekv.Open(dir, opts)
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
	for _, size := range sizes {
		var n int
		if err := conn.QueryRowContext(ctx, "SELECT COUNT(*) FROM "+tableOf(size)).Scan(&n); err != nil {
			load(b, cat, tableOf(size), size, sizedDocument)
		} else if n != size {
			b.Fatalf("%s holds %d documents: %s is the store of a run that was broken off", tableOf(size), n, dir)
		}
		if _, err := conn.ExecContext(ctx, "CREATE INDEX hundredth_n ON "+tableOf(size)+" (hundredth, n)"); err != nil &&
			!strings.Contains(err.Error(), "Duplicate key name") {
			b.Fatal(err)
		}
	}
	return conn, store, cat
}

package bench

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"flag"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/sqlfdb/sqlfdb/catalog"
	"github.com/sqlfdb/sqlfdb/keyspace"
	"github.com/sqlfdb/sqlfdb/kv"
	"github.com/sqlfdb/sqlfdb/kv/latencykv"
	"github.com/sqlfdb/sqlfdb/kv/pebblekv"
	"github.com/sqlfdb/sqlfdb/lanes"
)

// What FoundationDB's manual says of one process of the ssd engine, and how many processes hold each key.
const (
	publishedReads  = 55_000 // a second
	publishedWrites = 20_000
	replicas        = 3
)

var (
	scaleServers = flag.String("scale-servers", "", "how many servers the clusters of TestScale have, with commas; "+
		"empty: 12, and a part of the statements")
	scaleOnly = flag.String("scale-only", "", "measure the statements of TestScale alone whose names have this in them")
	scaleTime = flag.Duration("scale-time", 1500*time.Millisecond, "how long TestScale measures a statement")
)

// scaled is a store over a cluster, with some collections that statements go to by turns.
type scaled struct {
	base        kv.Store
	far         *latencykv.Store
	db          *sql.DB
	collections []*keyspace.Collection
	next        atomic.Int64
}

// scaledStatement is a statement whose rate is looked for.
type scaledStatement struct {
	name string
	rows int
	run  func(s *scaled, c *sql.Conn, in int) error
}

func (s *scaled) insert(c *sql.Conn, in, rows int) error {
	var tuples []string
	for range rows {
		d, err := Document(int(s.next.Add(1)))
		if err != nil {
			return err
		}
		// Keys at random, so that documents and entries are all over their ranges.
		text := strings.Replace(d.Text(), `"_id":"`, fmt.Sprintf(`"_id":"%016x`, rand.Uint64()), 1)
		tuples = append(tuples, "('"+text+"')")
	}
	_, err := c.ExecContext(context.Background(), fmt.Sprintf("INSERT INTO c%d (_doc) VALUES %s", in,
		strings.Join(tuples, ", ")))
	return err
}

var scaledStatements = []scaledStatement{
	{"INSERT of one", 1, func(s *scaled, c *sql.Conn, in int) error { return s.insert(c, in, 1) }},
	{"INSERT of 50", 50, func(s *scaled, c *sql.Conn, in int) error { return s.insert(c, in, 50) }},
	{"SELECT by key", 1, func(_ *scaled, c *sql.Conn, in int) error {
		rows, err := c.QueryContext(context.Background(), fmt.Sprintf("SELECT _doc FROM c%d WHERE _id = '%016x'", in,
			rand.Uint64()))
		if err != nil {
			return err
		}
		for rows.Next() {
		}
		_ = rows.Close()
		return rows.Err()
	}},
}

// The keys that all statements, or all that write to a collection, meet at. Behind them come two for each collection.
const (
	anywhere = iota
	definitions
	firstOfCollection
)

// part is where a key belongs: to one of the above, to a collection's feed, or to its counters.
func (s *scaled) part(key []byte) int {
	if bytes.Equal(key, keyspace.SchemaVersion()) {
		return definitions
	}
	for i, c := range s.collections {
		_, part := keyspace.IndexOf(key)
		switch {
		case !bytes.HasPrefix(key, c.All().Start):
		case within(c.Changes(), key), within(c.Beside(), key):
			return firstOfCollection + 2*i
		case part != keyspace.PartOther:
			return firstOfCollection + 2*i + 1
		}
	}
	return anywhere
}

func within(r kv.Range, key []byte) bool {
	return bytes.Compare(r.Start, key) <= 0 && bytes.Compare(key, r.End) < 0
}

// team is the servers of a part. Each part that many meet at is one shard, and the shards take turns.
func team(part, servers int, key []byte) []int {
	first := (part - 1) * replicas
	if part == anywhere {
		h := fnv.New64a()
		_, _ = h.Write(key)
		first = int(h.Sum64() % uint64(servers))
	}
	out := make([]int, replicas)
	for i := range out {
		out[i] = (first + i) % servers
	}
	return out
}

// openScaled opens a store with collections.
func openScaled(t *testing.T, collections int) *scaled {
	t.Helper()
	base, err := pebblekv.Open(t.TempDir(), pebblekv.Options{})
	if err != nil {
		t.Fatal(err)
	}
	s := &scaled{base: base, far: latencykv.New(base)}
	store := lanes.New(s.far)
	t.Cleanup(func() { closeStore(t, store) })
	ctx := context.Background()
	cat, err := catalog.Open(ctx, store)
	if err != nil {
		t.Fatal(err)
	}
	if err := cat.CreateDatabase(ctx, "d", ""); err != nil {
		t.Fatal(err)
	}
	for i := range collections {
		def, err := cat.CreateTable(ctx, &catalog.Table{Database: "d", Name: fmt.Sprint("c", i), Open: true,
			DocumentColumn: 1, Columns: []catalog.Column{{Name: "_id", Type: "varchar(255)", Length: 255}},
			PrimaryKey: []int{0}})
		if err != nil {
			t.Fatal(err)
		}
		s.collections = append(s.collections, keyspace.NewCollection(def.ID, 1))
	}
	s.db = serve(t, store)
	c := s.connect(t)
	for i := range collections { // keypaths get their numbers, and counters their lanes
		for range 40 {
			if err := s.insert(c, i, 1); err != nil {
				t.Fatal(err)
			}
		}
	}
	return s
}

func (s *scaled) connect(t *testing.T) *sql.Conn {
	t.Helper()
	c, err := s.db.Conn(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c
}

// pass makes the next transaction read at a newer version, as it does in a cluster whether anybody writes or not.
func (s *scaled) pass() error {
	return kv.Transact(context.Background(), s.base, kv.TransactOptions{}, func(tx kv.Transaction) error {
		tx.AddWriteConflict(kv.PointRange([]byte("nobody's")))
		return nil
	})
}

// needs counts the keys of each part that a statement reads and writes.
func (s *scaled) needs(t *testing.T, stmt scaledStatement) (reads, writes []float64) {
	t.Helper()
	const times = 20
	c := s.connect(t)
	count := func(read, write time.Duration) (out []float64) {
		cluster := &latencykv.Cluster{Read: read, Write: write,
			Team: func(key []byte) []int { return []int{min(s.part(key), firstOfCollection+1)} }}
		s.far.SetCluster(cluster)
		defer s.far.SetCluster(nil)
		for range times {
			if err := errors.Join(s.pass(), stmt.run(s, c, 0)); err != nil {
				t.Fatal(err)
			}
		}
		for part := range firstOfCollection + 2 {
			out = append(out, float64(cluster.Busy(part))/times)
		}
		return out
	}
	return count(1, 0), count(0, 1)
}

// bound is the statements a second that a cluster of published servers does: as many as the one with the most to do. Of
// the servers that have a key, the ones with little to write read it.
func bound(reads, writes []float64, servers, collections int) float64 {
	loads := make([]float64, servers) // seconds for a statement
	for i := range loads {
		loads[i] = replicas * writes[anywhere] / publishedWrites / float64(servers)
	}
	for i := range 2 * collections {
		for _, server := range team(firstOfCollection+i, servers, nil) {
			loads[server] += writes[firstOfCollection+i%2] / publishedWrites / float64(collections)
		}
	}
	all := 0.0
	for _, n := range reads {
		all += n / publishedReads / float64(servers)
	}
	return 1 / max(slices.Max(loads)+all, reads[definitions]/publishedReads/replicas)
}

// rate is the statements a second of many clients of a cluster of published servers. They are run by servers that are
// slower, so that this machine has no more to do than it can: a hundred statements a second, or fewer of many rows.
func (s *scaled) rate(t *testing.T, stmt scaledStatement, servers int, expected float64) float64 {
	t.Helper()
	slowness := expected * float64(max(1, stmt.rows/10)) / 100
	slower := func(perSecond float64) time.Duration {
		return time.Duration(float64(time.Second) / perSecond * slowness)
	}
	cluster := &latencykv.Cluster{Read: slower(publishedReads), Write: slower(publishedWrites),
		Team: func(key []byte) []int { return team(s.part(key), servers, key) }}
	s.far.SetCluster(cluster)
	s.far.SetLatency(time.Millisecond)
	defer s.far.SetCluster(nil)
	defer s.far.SetLatency(0)
	var done atomic.Int64
	var failed atomic.Value
	var all sync.WaitGroup
	ended := make(chan struct{})
	for i := range min(4*servers, 128) {
		c, err := s.db.Conn(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		all.Go(func() {
			defer c.Close()
			for n := i; ; n++ {
				select {
				case <-ended:
					return
				default:
				}
				if err := stmt.run(s, c, n%len(s.collections)); err != nil {
					failed.Store(err)
					return
				}
				done.Add(1)
			}
		})
	}
	all.Go(func() {
		for {
			select {
			case <-ended:
				return
			case <-time.After(2 * time.Millisecond):
			}
			if err := s.pass(); err != nil {
				failed.Store(err)
			}
		}
	})
	time.Sleep(*scaleTime) // until the queues are as long as they get
	before, began := done.Load(), time.Now()
	time.Sleep(*scaleTime)
	rate := float64(done.Load()-before) / time.Since(began).Seconds() * slowness
	close(ended)
	all.Wait()
	if err, _ := failed.Load().(error); err != nil {
		t.Fatal(err)
	}
	return rate
}

// TestScale: statements of many clients over clusters of servers with queues go as fast as the server with the most to
// do, which the keys of a statement tell. docs/developing/scale.md has its figures.
func TestScale(t *testing.T) {
	if testing.Short() {
		t.Skip("it waits for queues")
	}
	clusters := *scaleServers
	if clusters == "" {
		clusters = "12"
	}
	for _, collections := range []int{8, 1} {
		if *scaleServers == "" && collections == 1 {
			break
		}
		s := openScaled(t, collections)
		for _, stmt := range scaledStatements {
			if *scaleServers == "" && stmt.rows > 1 || !strings.Contains(stmt.name, *scaleOnly) {
				continue
			}
			reads, writes := s.needs(t, stmt)
			t.Logf("%d collections, %s: keys read %.1f, of definitions %.1f; written %.1f, in the feed %.1f, counters %.1f",
				collections, stmt.name, reads[anywhere]+reads[2]+reads[3], reads[definitions], writes[anywhere], writes[2],
				writes[3])
			for field := range strings.SplitSeq(clusters, ",") {
				servers, err := strconv.Atoi(field)
				if err != nil {
					t.Fatal(err)
				}
				want := bound(reads, writes, servers, collections)
				got := s.rate(t, stmt, servers, want)
				t.Logf("%d collections, %d servers, %s: %.0f a second, computed %.0f", collections, servers, stmt.name,
					got*float64(stmt.rows), want*float64(stmt.rows))
				if got > 1.25*want || got < 0.6*want {
					t.Errorf("%d collections, %d servers, %s: %.0f statements a second, computed %.0f", collections, servers,
						stmt.name, got, want)
				}
			}
		}
	}
}

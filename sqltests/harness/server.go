package harness

import (
	"context"
	"database/sql"
	"io"
	"sync/atomic"
	"testing"
	"time"

	"github.com/sqlfdb/sqlfdb/kv"
	"github.com/sqlfdb/sqlfdb/kv/pebblekv"
	"github.com/sqlfdb/sqlfdb/server"
)

// Database makes a database and connects to it.
func Database(t testing.TB) (*server.Server, *sql.DB) {
	t.Helper()
	s := Start(t)
	if _, err := Connect(t, s.Addr(), "", "").Exec("CREATE DATABASE d"); err != nil {
		t.Fatal(err)
	}
	return s, Connect(t, s.Addr(), "d", "?interpolateParams=true")
}

// ServeStore serves a store in this process until the test ends, and closes it then. What the server logs is shown with
// the test, unless opts say where it goes.
func ServeStore(t testing.TB, store kv.Store, opts server.Options) *server.Server {
	t.Helper()
	opts.Listen, opts.Output = "127.0.0.1:0", io.Discard
	if opts.Log == nil {
		opts.Log = TestLog{t}
	}
	s, err := server.Start(context.Background(), store, opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(context.Background()); err != nil {
			t.Error(err)
		}
		if err := store.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// Serve is startWaiting with the database d, which it opens.
func Serve(t testing.TB) *sql.DB {
	t.Helper()
	s := StartWaiting(t)
	if _, err := Connect(t, s.Addr(), "", "").Exec("CREATE DATABASE d"); err != nil {
		t.Fatal(err)
	}
	return Connect(t, s.Addr(), "d", "?maxAllowedPacket=0")
}

// StartShort serves a store whose transactions live for that time, and whose reads are started before they are asked
// for.
func StartShort(t *testing.T, life time.Duration) (*sql.Conn, *sql.DB) {
	t.Helper()
	conn, db, _ := StartCounted(t, life)
	return conn, db
}

// beginnings is a store that counts the transactions that have been begun.
type beginnings struct {
	kv.Store
	count atomic.Int64
}

func (s *beginnings) Begin(ctx context.Context, opts kv.TransactionOptions) (kv.Transaction, error) {
	s.count.Add(1)
	return s.Store.Begin(ctx, opts)
}

// StartCounted is startShort; begun is how many transactions the server has begun.
func StartCounted(t *testing.T, life time.Duration) (conn *sql.Conn, db *sql.DB, begun func() int64) {
	t.Helper()
	base := InMemory(t, pebblekv.Options{TransactionLife: life})
	store := &beginnings{Store: waiting{base}}
	s, err := server.Start(context.Background(), store,
		server.Options{Listen: "127.0.0.1:0", Output: io.Discard, Log: TestLog{t}, HoldJobs: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		s.Close(context.Background())
		store.Close()
	})
	if conn, err = Connect(t, s.Addr(), "", "").Conn(context.Background()); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	MustLive(t, conn, "CREATE DATABASE f", "USE f")
	return conn, Connect(t, s.Addr(), "f", ""), store.count.Load
}

// Start serves a fresh store.
func Start(t testing.TB) *server.Server {
	t.Helper()
	return startOver(t, NewStore(t))
}

// StartWaiting is start over a store whose reads are started before they are asked for.
func StartWaiting(t testing.TB) *server.Server {
	t.Helper()
	return startOver(t, waiting{NewStore(t)})
}

// startOver serves a fresh store, which it closes.
func startOver(t testing.TB, store kv.Store) *server.Server {
	t.Helper()
	s := ServeStore(t, store, server.Options{})
	// A new store's first job is the sweep's walk. What it writes shows in sqlfdb.jobs and in estimates of sizes: so it
	// has ended.
	db := Connect(t, s.Addr(), "", "")
	Eventually(t, func() string { return "the first sweep does not end" },
		func() bool { return Number(t, db, "SELECT COUNT(*) FROM sqlfdb.jobs") == 0 })
	_ = db.Close()
	return s
}

// TestLog shows what the server logs with the test that failed.
type TestLog struct{ T testing.TB }

// Write implements io.Writer.
func (l TestLog) Write(b []byte) (int, error) {
	l.T.Logf("server: %s", b)
	return len(b), nil
}

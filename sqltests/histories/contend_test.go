package histories

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"flag"
	"math"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/go-sql-driver/mysql"

	"github.com/sqlfdb/sqlfdb/kv"
	"github.com/sqlfdb/sqlfdb/kv/faultkv"
	"github.com/sqlfdb/sqlfdb/server"
	"github.com/sqlfdb/sqlfdb/sqltests/harness"
)

var (
	contendSeed   = flag.Uint64("contend-seed", 0, "the seed of TestCycles and TestReplay; 0 picks one")
	contendRounds = flag.Int(
		"contend-rounds", 1, "how many histories TestCycles and TestReplay check under each adversity")
	contendTimes = flag.Int("contend-times", 40, "how many transactions each of their clients runs")
)

// A contender is one of the clients whose transactions meet each other.
type contender interface {
	// transact runs one transaction. It reports whether the connection can be used again.
	transact(conn *sql.Conn) bool
}

// An adversity is what happens to a server while clients contend.
type adversity string

const (
	calm     adversity = "calm"
	killed   adversity = "killed"   // kill -9 of the process, and another one after it
	faulty   adversity = "faulty"   // faults of the store
	cut      adversity = "cut"      // connections that are lost, at any byte
	unguard  adversity = "unguard"  // a store that forgets what was read: anomalies must show
	outdated adversity = "outdated" // a store that reads the past: anomalies must show
)

// contend serves a store of an engine by a number of servers, has it prepared and lets all contenders run their
// transactions at once. It returns connections to servers that are calm again.
func contend(t testing.TB, e harness.Engine, under adversity, servers int, seed uint64, prepare func(*sql.DB),
	all []contender) *sql.DB {
	t.Helper()
	random := rand.New(rand.NewPCG(seed, 77))
	const params = "?clientFoundRows=true"
	if under == killed {
		return contendKilled(t, e, servers, random, prepare, all)
	}
	store := e.Fresh(t)
	var faults *faultkv.Store
	var broken atomic.Bool
	switch under {
	case faulty:
		faults = faultkv.New(store)
		store = faults
	case unguard:
		store = unguarded{store, &broken}
	case outdated:
		store = &past{Store: store, broken: &broken}
	}
	f := harness.ServeFleet(t, store, servers, server.Options{})
	prepare(f.Connect("", ""))
	broken.Store(true)
	db := f.Connect("d", params)
	if under == cut {
		db = harness.Connect(t, harness.Cutting(t, f, seed, 300, 4300), "d", params)
	}
	if faults != nil {
		kinds := faultkv.Faults()
		faults.Inject(func(c faultkv.Call) faultkv.Fault {
			of := 400
			if c.Op == faultkv.Commit {
				of = 8
			}
			if random.IntN(of) > 0 {
				return faultkv.None
			}
			return kinds[random.IntN(len(kinds))]
		})
	}
	contendOn(t, db, all, *contendTimes, new(atomic.Bool))
	broken.Store(false)
	if faults != nil {
		if _, met := faults.Inject(nil); met == 0 {
			t.Error("no operation has met a fault")
		}
	}
	return f.Connect("d", "")
}

// contendKilled is contend while servers are killed: the only one, which another one follows when all clients have lost
// theirs, or each of several in turn, while the others go on.
func contendKilled(t testing.TB, e harness.Engine, servers int, random *rand.Rand, prepare func(*sql.DB),
	all []contender) *sql.DB {
	t.Helper()
	const params = "?clientFoundRows=true"
	var f *harness.Fleet
	if servers == 1 {
		f = harness.SpawnFleet(t, e.Place(t), 1)
	} else {
		f = harness.FleetOf(t, e, servers, server.Options{})
	}
	prepare(f.Connect("", ""))
	var gone atomic.Bool
	var killing sync.WaitGroup
	waits := make([]time.Duration, servers)
	for i := range waits {
		waits[i] = time.Duration(50+random.IntN(400)) * time.Millisecond
	}
	killing.Go(func() {
		defer gone.Store(true)
		for _, wait := range waits {
			time.Sleep(wait)
			gone.Store(servers == 1)
			if err := f.KillNext(); err != nil {
				t.Error(err)
				return
			}
		}
	})
	contendOn(t, f.Connect("d", params), all, math.MaxInt, &gone)
	killing.Wait()
	contendOn(t, f.Connect("d", params), all, *contendTimes/2, new(atomic.Bool))
	return f.Connect("d", "")
}

// contendOn lets the contenders run, each up to a number of transactions or until the server is gone.
func contendOn(t testing.TB, db *sql.DB, all []contender, most int, gone *atomic.Bool) {
	var running sync.WaitGroup
	for _, c := range all {
		running.Go(func() {
			var conn *sql.Conn
			defer func() {
				if conn != nil {
					_ = conn.Close()
				}
			}()
			lost := 0
			for range most {
				if gone.Load() {
					return
				}
				if conn == nil {
					var err error
					if conn, err = db.Conn(context.Background()); err != nil {
						if lost++; lost > 100 && !gone.Load() {
							t.Errorf("no connection: %v", err)
							return
						}
						continue
					}
				}
				if !c.transact(conn) {
					// Not back into the pool: a transaction may be open in it.
					_ = conn.Raw(func(any) error { return driver.ErrBadConn })
					_ = conn.Close()
					conn = nil
				}
			}
		})
	}
	running.Wait()
	_ = db.Close()
}

// An ending is what a client knows of a statement that failed.
type ending int

const (
	endingRefused ending = iota // nothing has happened, says the server
	endingUnknown               // nobody says what has happened
	endingWrong                 // an error that there is no reason for
)

// endingOf tells what an error says of what was to happen. commits says whether the statement would have
// committed something.
func endingOf(err error, commits bool) ending {
	var refused *mysql.MySQLError
	if !errors.As(err, &refused) { // the connection
		if commits {
			return endingUnknown
		}
		return endingRefused
	}
	switch refused.Number {
	case 1213, 1205:
		return endingRefused
	case 1180, 1053: // not known, going down
		return endingUnknown
	}
	return endingWrong
}

// unguarded is a store whose transactions conflict with nothing that they have read: snapshot isolation with lost
// updates. It is what the checkers must find.
type unguarded struct {
	kv.Store
	broken *atomic.Bool
}

func (s unguarded) Begin(ctx context.Context, opts kv.TransactionOptions) (kv.Transaction, error) {
	tx, err := s.Store.Begin(ctx, opts)
	if err != nil || !s.broken.Load() {
		return tx, err
	}
	return unguardedTx{tx, tx.Snapshot()}, nil
}

type unguardedTx struct {
	kv.Transaction
	snapshot kv.Reader
}

func (t unguardedTx) Get(key []byte) kv.FutureValue { return t.snapshot.Get(key) }

func (t unguardedTx) Range(r kv.Range, opts kv.RangeOptions) kv.Iterator {
	return t.snapshot.Range(r, opts)
}

func (t unguardedTx) AddReadConflict(kv.Range) {}

// past is a store whose every third transaction begins at a version of some time ago: what only reads is serializable,
// and not strictly so.
type past struct {
	kv.Store
	broken *atomic.Bool

	mu    sync.Mutex
	count int
	old   map[bool][]kv.Transaction // by NoReadYourWrites
}

func (s *past) Begin(ctx context.Context, opts kv.TransactionOptions) (kv.Transaction, error) {
	if !s.broken.Load() {
		return s.Store.Begin(ctx, opts)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.old == nil {
		s.old = map[bool][]kv.Transaction{}
	}
	tx, err := s.Store.Begin(context.WithoutCancel(ctx), opts)
	if err != nil {
		return nil, err
	}
	if s.count++; s.count%3 != 0 {
		return tx, nil
	}
	queue := append(s.old[opts.NoReadYourWrites], tx)
	if len(queue) <= 4 {
		s.old[opts.NoReadYourWrites] = queue
		return s.Store.Begin(ctx, opts)
	}
	s.old[opts.NoReadYourWrites] = queue[1:]
	return queue[0], nil
}

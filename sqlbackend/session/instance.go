package session

import (
	"context"
	"sync"
	"sync/atomic"

	sqle "github.com/dolthub/go-mysql-server"
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"

	"github.com/sqlfdb/sqlfdb/bucket/pool"
	"github.com/sqlfdb/sqlfdb/catalog"
	"github.com/sqlfdb/sqlfdb/jobs"
	"github.com/sqlfdb/sqlfdb/kv"
	"github.com/sqlfdb/sqlfdb/kv/ahead"
	"github.com/sqlfdb/sqlfdb/sqlbackend/accounts"
	"github.com/sqlfdb/sqlfdb/sqlbackend/hold"
	"github.com/sqlfdb/sqlfdb/sqlbackend/mysqlerr"
	"github.com/sqlfdb/sqlfdb/sqlbackend/setting"
)

// Instance holds the state that the sessions over one store share.
type Instance struct {
	// Engine is go-mysql-server's engine; package server serves it.
	Engine *sqle.Engine

	Store       kv.Store
	Catalog     *catalog.Catalog
	Definitions *definitions
	Users       *Users
	Buckets     *pool.Pool
	Bucket      string // address of the bucket that is the store, for new tables; empty if it is none
	Moves       Moves
	Jobs        *jobs.Runner
	Awaiting    atomic.Int64    // number of statements that wait for a job
	Ctx         context.Context // for transactions: ends with Close
	Cancel      context.CancelFunc

	Closing  context.Context // for waits: ends when the server begins to close, or with Close
	EndWaits context.CancelCauseFunc
	Kill     func(connection uint32, kill Kill) bool         // see OnKill
	Traffic  func(connection uint32) (received, sent uint64) // see OnTraffic

	Ahead atomic.Pointer[ahead.Options] // how transactions read ahead; nil: not at all, for BenchmarkReadAhead

	Hooks         Hooks
	CountPrograms func() (kept int, runs int64)
	Maps          knownMaps

	rows rowQueues // of statements that write one row

	counts atomic.Pointer[countsAt] // at the newest version that a session has planned at

	Memory *hold.Process // the memory that the sessions hold

	pulse sync.Once // see keepTemporaries

	Mu       sync.Mutex
	Sessions map[uint32]*Session
	batches  map[string]struct{} // the statements in batches that run here
	spent    [][]byte            // markers of commits whose outcome is known
}

// NewInstance returns the shared state of sessions over a store and its catalog. bucket is the address of the bucket
// that is the store; empty if it is none.
func NewInstance(store kv.Store, cat *catalog.Catalog, bucket string) *Instance {
	buckets := &pool.Pool{}
	b := &Instance{
		Buckets:     buckets,
		Bucket:      bucket,
		Store:       store,
		Catalog:     cat,
		Definitions: &definitions{catalog: cat, buckets: buckets, bucket: bucket, ByID: map[int64]*Definition{}},
		Sessions:    map[uint32]*Session{},
		Memory:      hold.NewProcess(),
		batches:     map[string]struct{}{},
		rows:        rowQueues{behind: map[rowOf][]chan struct{}{}},
	}
	b.Ahead.Store(&ahead.Options{OnlyAgain: !store.ReadsWait()})
	b.Ctx, b.Cancel = context.WithCancel(context.Background())
	b.Closing, b.EndWaits = context.WithCancelCause(b.Ctx)
	return b
}

// Place returns the place of a table's documents according to its definition.
func (b *Instance) Place(at *catalog.Bucket) pool.Place { return placeIn(at, b.Bucket) }

func placeIn(at *catalog.Bucket, bucket string) pool.Place {
	return pool.Place{Address: at.In(bucket), Collection: at.Collection, CacheBytes: at.CacheBytes}
}

// Session finds the session of a connection.
func (b *Instance) Session(connection uint32) (*Session, bool) {
	b.Mu.Lock()
	defer b.Mu.Unlock()
	s, ok := b.Sessions[connection]
	return s, ok
}

// BeginRun notes that a statement in batches runs on this instance.
func (b *Instance) BeginRun(run string) {
	b.Mu.Lock()
	defer b.Mu.Unlock()
	b.batches[run] = struct{}{}
}

// EndRun notes that it no longer does.
func (b *Instance) EndRun(run string) {
	b.Mu.Lock()
	defer b.Mu.Unlock()
	delete(b.batches, run)
}

// IsRunning reports whether a statement in batches runs on this instance.
func (b *Instance) IsRunning(run string) bool {
	b.Mu.Lock()
	defer b.Mu.Unlock()
	_, ok := b.batches[run]
	return ok
}

// forget drops a session that has ended; its connection may have a new one.
func (b *Instance) forget(s *Session) {
	s.Held.Close()
	b.Mu.Lock()
	defer b.Mu.Unlock()
	if b.Sessions[s.ID()] == s {
		delete(b.Sessions, s.ID())
	}
}

// CheckPrefix begins the name of the table that CHECK TABLE reads; databases and tables follow it.
const CheckPrefix = "check" + CheckSeparator

// CheckSeparator separates them.
const CheckSeparator = "\x1f"

// Version is the version that clients see, also as @@version. Tools decide by it which statements they send.
const Version = "8.0.31-sqlfdb"

// SystemDatabase is the name of the database that describes the others.
const SystemDatabase = "sqlfdb"

// DefaultJoinBytes is the memory, in bytes, for the side of a join that is held as a whole: see setting.JoinBytes.
const DefaultJoinBytes = 128 << 20

// JoinBytes is the session's limit of the bytes that a join may hold.
func JoinBytes(ctx *sql.Context) int {
	if v, err := ctx.GetSessionVariable(ctx, setting.JoinBytes); err == nil {
		if n, _, err := types.Int64.Convert(ctx, v); err == nil {
			if bytes, ok := n.(int64); ok {
				return int(bytes)
			}
		}
	}
	return DefaultJoinBytes
}

// Users are the accounts that may connect: those in the store, and root, whose password may be the server's.
type Users struct {
	Given string // hash of root's password; empty if the store has it
	// Plugin is the authentication plugin of accounts whose statement names none: see Options.
	Plugin string

	mu      sync.Mutex
	version int64 // version of the definitions that the set comes from
	set     *accounts.Set
}

// In returns the accounts of definitions, with root among them. It must not be changed.
func (u *Users) In(view *catalog.View) (*accounts.Set, error) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.set != nil && u.version == view.Version() {
		return u.set, nil
	}
	set, err := u.Decode(view)
	if err == nil {
		u.version, u.set = view.Version(), set
	}
	return set, err
}

// Decode decodes the accounts of definitions.
func (u *Users) Decode(view *catalog.View) (*accounts.Set, error) {
	set, err := accounts.Decode(view.Accounts())
	if err != nil {
		return nil, err
	}
	root := set.Find(accounts.RootUser, "%")
	if root == nil {
		set.Accounts = append(set.Accounts, *accounts.Root(""))
		root = &set.Accounts[len(set.Accounts)-1]
	}
	if u.Given != "" {
		root.Plugin, root.Hash = accounts.Native, u.Given
	}
	return set, nil
}

// Waiting returns a context for a statement that may wait forever: it ends with the statement, and when the server
// begins to close. The function why replaces an error that the latter caused.
func (b *Instance) Waiting(ctx context.Context) (waits context.Context, stop func(), why func(error) error) {
	waits, cancel := context.WithCancel(ctx)
	unhook := context.AfterFunc(b.Closing, cancel)
	return waits, func() { unhook(); cancel() }, func(err error) error {
		if err != nil && ctx.Err() == nil && b.Closing.Err() != nil {
			return mysqlerr.ErrClosing
		}
		return err
	}
}

// MaxIdentifier is the longest name of a database or table, in characters.
const MaxIdentifier = 64

package harness

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"net"
	"slices"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/go-sql-driver/mysql"

	"github.com/sqlfdb/sqlfdb/kv"
	"github.com/sqlfdb/sqlfdb/server"
)

// A Fleet is the servers of one store: processes, or, of a store that one process at a time opens, as many servers
// within this one, which share nothing but the store. Connections go to them in turn.
type Fleet struct {
	t       testing.TB
	network string // of addresses that mean any of them
	begin   func() (*member, error)

	mu      sync.Mutex
	members []*member
	next    int
}

// A member is one server of a fleet.
type member struct {
	addr   net.Addr
	server *server.Server // nil for a process
	Store  *severable     // the server's way to the store; nil for a process
	die    func()
	conns  map[net.Conn]struct{} // under the fleet's lock
	dead   bool
}

// fleets numbers the fleets.
var fleets atomic.Int64

func newFleet(t testing.TB, size int, begin func() (*member, error)) *Fleet {
	t.Helper()
	f := &Fleet{t: t, network: fmt.Sprintf("fleet%d", fleets.Add(1)), begin: begin}
	mysql.RegisterDialContext(f.network, func(ctx context.Context, _ string) (net.Conn, error) { return f.dial(ctx) })
	t.Cleanup(func() { mysql.DeregisterDialContext(f.network) })
	for range size {
		if err := f.add(); err != nil {
			t.Fatal(err)
		}
	}
	return f
}

// SpawnFleet starts processes that serve the store of a place.
func SpawnFleet(t testing.TB, place string, size int) *Fleet {
	t.Helper()
	return newFleet(t, size, func() (*member, error) {
		p, err := trySpawn(t, Call{Args: []string{"serve", "--store", place, "--listen", "127.0.0.1:0"}})
		if err != nil {
			return nil, err
		}
		return &member{addr: p.Addr, die: p.Kill}, nil
	})
}

// ServeFleet starts servers of a store in this process. The store is closed when the test ends.
func ServeFleet(t testing.TB, store kv.Store, size int, opts server.Options) *Fleet {
	t.Helper()
	t.Cleanup(func() {
		if err := store.Close(); err != nil {
			t.Error(err)
		}
	})
	opts.Listen, opts.Output, opts.Log = "127.0.0.1:0", io.Discard, TestLog{t}
	var left sync.WaitGroup
	t.Cleanup(left.Wait)
	return newFleet(t, size, func() (*member, error) {
		own := &severable{Store: store}
		s, err := server.Start(context.Background(), own, opts)
		if err != nil {
			return nil, err
		}
		var once sync.Once
		end := func(ctx context.Context) {
			once.Do(func() {
				left.Go(func() {
					if err := s.Close(ctx); err != nil && !errors.Is(err, kv.ErrClosed) {
						t.Error(err)
					}
				})
			})
		}
		t.Cleanup(func() { end(context.Background()) })
		return &member{addr: s.Addr(), server: s, Store: own, die: func() {
			own.Severed.Store(true)
			over, cancel := context.WithCancel(context.Background())
			cancel()
			end(over)
		}}, nil
	})
}

// FleetOf starts servers of a new store of an engine: processes if several may have it open.
func FleetOf(t testing.TB, e Engine, size int, opts server.Options) *Fleet {
	t.Helper()
	if e.Shared {
		return SpawnFleet(t, e.Place(t), size)
	}
	return ServeFleet(t, e.Fresh(t), size, opts)
}

// add starts one more server.
func (f *Fleet) add() error {
	m, err := f.begin()
	if err != nil {
		return err
	}
	m.conns = map[net.Conn]struct{}{}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.members = append(f.members, m)
	return nil
}

// Member is the server of a number, from 0 in the order of their starts.
func (f *Fleet) Member(i int) *member {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.members[i]
}

// Kill ends a server as kill -9 does: its clients lose their connections, and what it has not committed it will not.
func (f *Fleet) Kill(m *member) {
	f.mu.Lock()
	m.dead = true
	conns := make([]net.Conn, 0, len(m.conns))
	for c := range m.conns {
		conns = append(conns, c)
	}
	f.mu.Unlock()
	if m.server != nil { // a process takes its connections with it
		for _, c := range conns {
			_ = c.Close()
		}
	}
	m.die()
}

// KillNext kills the server that has run for the longest time, and starts another one.
func (f *Fleet) KillNext() error {
	f.mu.Lock()
	i := slices.IndexFunc(f.members, func(m *member) bool { return !m.dead })
	m := f.members[i]
	f.mu.Unlock()
	f.Kill(m)
	return f.add()
}

// dial connects to the next server.
func (f *Fleet) dial(ctx context.Context) (net.Conn, error) {
	f.mu.Lock()
	var m *member
	for range f.members {
		f.next = (f.next + 1) % len(f.members)
		if m = f.members[f.next]; !m.dead {
			break
		}
	}
	f.mu.Unlock()
	if m == nil || m.dead {
		return nil, errors.New("no server is left")
	}
	return f.dialMember(ctx, m)
}

func (f *Fleet) dialMember(ctx context.Context, m *member) (net.Conn, error) {
	c, err := (&net.Dialer{}).DialContext(ctx, "tcp", m.addr.String())
	if err != nil {
		return nil, err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if m.dead {
		_ = c.Close()
		return nil, errors.New("the server is gone")
	}
	m.conns[c] = struct{}{}
	return &memberConn{c.(*net.TCPConn), f, m}, nil
}

// memberConn is a connection that its server's end ends.
type memberConn struct {
	*net.TCPConn
	fleet *Fleet
	of    *member
}

func (c *memberConn) Close() error {
	c.fleet.mu.Lock()
	delete(c.of.conns, c.TCPConn)
	c.fleet.mu.Unlock()
	return c.TCPConn.Close()
}

// dsn is the name of a database on whichever server.
func (f *Fleet) dsn(database, params string) string {
	return "root@" + f.network + "(any)/" + database + params
}

// Connect opens a pool of connections to all servers.
func (f *Fleet) Connect(database, params string) *sql.DB {
	f.t.Helper()
	db, err := sql.Open("mysql", f.dsn(database, params))
	if err != nil {
		f.t.Fatal(err)
	}
	f.t.Cleanup(func() { db.Close() })
	return db
}

// Only opens a pool of connections to one server.
func (f *Fleet) Only(m *member, database, params string) *sql.DB {
	f.t.Helper()
	config, err := mysql.ParseDSN("root@tcp(" + m.addr.String() + ")/" + database + params)
	if err != nil {
		f.t.Fatal(err)
	}
	config.DialFunc = func(ctx context.Context, _, _ string) (net.Conn, error) { return f.dialMember(ctx, m) }
	connector, err := mysql.NewConnector(config)
	if err != nil {
		f.t.Fatal(err)
	}
	db := sql.OpenDB(connector)
	f.t.Cleanup(func() { db.Close() })
	return db
}

// severable is one server's way to a store that others use too: when it is severed, nothing that has not been committed
// is.
type severable struct {
	kv.Store
	Severed atomic.Bool
	Left    atomic.Int64 // how many commits are left before it is severed; 0 or less: any number
}

// Begin implements kv.Store.
func (s *severable) Begin(ctx context.Context, opts kv.TransactionOptions) (kv.Transaction, error) {
	if s.Severed.Load() {
		return nil, kv.ErrClosed
	}
	tx, err := s.Store.Begin(ctx, opts)
	if err != nil {
		return nil, err
	}
	return &severableTx{tx, s}, nil
}

type severableTx struct {
	kv.Transaction
	store *severable
}

// Commit implements kv.Transaction.
func (t *severableTx) Commit() error {
	if t.store.Severed.Load() {
		t.Cancel()
		return kv.ErrClosed
	}
	err := t.Transaction.Commit()
	if t.store.Left.Add(-1) == 0 {
		t.store.Severed.Store(true)
	}
	return err
}

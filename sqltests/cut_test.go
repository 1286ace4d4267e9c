package sqltests

import (
	"context"
	"database/sql"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/go-sql-driver/mysql"

	"github.com/sqlfdb/sqlfdb/kv"
	"github.com/sqlfdb/sqlfdb/server"
	"github.com/sqlfdb/sqlfdb/sqltests/harness"
)

var cutEvery = flag.Int("cut-every", 9,
	"of the packets of a conversation, TestCuts ends the connection behind every n-th")

// openStore is a store that knows how many of its transactions are open.
type openStore struct {
	kv.Store
	open atomic.Int64
}

func (s *openStore) Begin(ctx context.Context, opts kv.TransactionOptions) (kv.Transaction, error) {
	tx, err := s.Store.Begin(ctx, opts)
	if err != nil {
		return nil, err
	}
	s.open.Add(1)
	return &openTransaction{Transaction: tx, store: s}, nil
}

type openTransaction struct {
	kv.Transaction
	store *openStore
	once  sync.Once
}

func (t *openTransaction) end() { t.once.Do(func() { t.store.open.Add(-1) }) }

func (t *openTransaction) Commit() error {
	defer t.end()
	return t.Transaction.Commit()
}

func (t *openTransaction) Cancel() {
	defer t.end()
	t.Transaction.Cancel()
}

// A cutter passes connections on to a server, and ends each where it is told to.
type cutter struct {
	listener net.Listener
	to       net.Addr
	up       bool  // packets to the server count, otherwise those to the client
	after    int   // that many packets are passed on
	half     bool  // and then the first half of one more
	cuts     int64 // connections that were ended so
	running  sync.WaitGroup
	mu       sync.Mutex
}

func newCutter(t testing.TB, to net.Addr) *cutter {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	c := &cutter{listener: listener, to: to}
	t.Cleanup(func() {
		_ = listener.Close()
		c.running.Wait()
	})
	c.running.Go(func() {
		for {
			client, err := listener.Accept()
			if err != nil {
				return
			}
			c.running.Go(func() { c.pass(client) })
		}
	})
	return c
}

// set says where connections from now on end.
func (c *cutter) set(up bool, after int, half bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.up, c.after, c.half, c.cuts = up, after, half, 0
}

// cut is how many connections have been ended since.
func (c *cutter) cut() int64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.cuts
}

func (c *cutter) pass(client net.Conn) {
	defer client.Close()
	server, err := net.Dial("tcp", c.to.String())
	if err != nil {
		return
	}
	defer server.Close()
	c.mu.Lock()
	up, after, half := c.up, c.after, c.half
	c.mu.Unlock()
	ended := make(chan bool, 2) // whether it was cut
	forward := func(to, from net.Conn, most int) { ended <- passPackets(to, from, most, half) }
	const all = 1 << 30
	if up {
		go forward(server, client, after)
		go forward(client, server, all)
	} else {
		go forward(client, server, after)
		go forward(server, client, all)
	}
	if <-ended {
		c.mu.Lock()
		c.cuts++
		c.mu.Unlock()
	}
	_ = client.Close()
	_ = server.Close()
	<-ended
}

// passPackets passes packets of MySQL's protocol on, at most so many (and half of the next). It reports
// whether there was one more.
func passPackets(to io.Writer, from io.Reader, most int, half bool) bool {
	head := make([]byte, 4)
	for n := 0; ; n++ {
		if _, err := io.ReadFull(from, head); err != nil {
			return false
		}
		packet := make([]byte, 4+(int(head[0])|int(head[1])<<8|int(head[2])<<16))
		copy(packet, head)
		if _, err := io.ReadFull(from, packet[4:]); err != nil {
			return false
		}
		if n == most {
			if half {
				_, _ = to.Write(packet[:4+(len(packet)-4)/2])
			}
			return true
		}
		if _, err := to.Write(packet); err != nil {
			return false
		}
	}
}

// A talk is what one client says: each step is a statement, or several that are sent as one.
type talk struct {
	name    string
	params  string
	prepare bool
	steps   [][]string
	batched bool // a statement that was interrupted has done a part, and goes on when it is given again
}

var talks = []talk{
	{name: "statements", steps: [][]string{
		{`INSERT INTO t (_doc) VALUES ('{"_id": "new", "n": 5, "tags": ["a", "b"], "fresh": {"x": 1}}')`},
		{"UPDATE t SET n = n + 1 WHERE _id = 'k3'"}, {"SELECT * FROM t"}, {"DELETE FROM t WHERE n = 7"},
		{"INSERT INTO c (n) VALUES (1), (2)"}, {"REPLACE INTO t (_id, n) VALUES ('k1', 70), ('k20', 80)"},
		{"INSERT INTO t (_id, n) VALUES ('k1', 0) ON DUPLICATE KEY UPDATE n = n + 1000"}, {"DELETE FROM t"}}},
	{name: "transaction", steps: [][]string{
		{"BEGIN"}, {"UPDATE t SET n = n + 1"}, {"INSERT INTO c (n) SELECT n FROM t"}, {"SAVEPOINT s"},
		{"DELETE FROM t WHERE n > 3"}, {"ROLLBACK TO SAVEPOINT s"}, {"SELECT COUNT(*) FROM t"}, {"COMMIT"},
		{"SET autocommit = 0"}, {"DELETE FROM t WHERE n > 5"}, {"SELECT _id FROM t FOR UPDATE"}, {"COMMIT"},
		{"UPDATE c SET n = n + 1"}, {"ROLLBACK"}, {"UPDATE c SET n = n + 10"}, {"COMMIT"},
		{"CREATE TABLE e (id INT PRIMARY KEY)"}}},
	{name: "several at once", params: "?multiStatements=true", steps: [][]string{
		{"UPDATE t SET n = n + 1", "INSERT INTO c (n) VALUES (7)", "SELECT _id FROM t WHERE n > 3",
			"DELETE FROM t WHERE _id = 'k5'"}, {"BEGIN", "UPDATE t SET n = 0", "DELETE FROM c", "COMMIT"},
		{"UPDATE t SET n = n + 1"}}},
	{name: "prepared", prepare: true, steps: [][]string{
		{"UPDATE t SET n = n + 1 WHERE n >= 0"}, {"SELECT _id, n FROM t"}, {"INSERT INTO c (n) VALUES (3)"}, {"BEGIN"},
		{"DELETE FROM t WHERE n > 4"}, {"DELETE FROM c"}, {"COMMIT"}}},
	{name: "load", params: "?allowAllFiles=true", steps: [][]string{
		{"LOAD DATA LOCAL INFILE 'Reader::cut' INTO TABLE t FIELDS TERMINATED BY ';' (_id, n)"}, {"SELECT COUNT(*) FROM t"},
		{"BEGIN"}, {"LOAD DATA LOCAL INFILE 'Reader::cut2' INTO TABLE t FIELDS TERMINATED BY ';' (_id, n)"}, {"COMMIT"}}},
	{name: "definitions", steps: [][]string{
		{"CREATE TABLE e (id INT AUTO_INCREMENT PRIMARY KEY, a INT)"}, {"INSERT INTO e (a) VALUES (1), (2)"},
		{"ALTER TABLE e ADD COLUMN b INT DEFAULT 4"}, {"CREATE UNIQUE INDEX ua ON e (a, b)"},
		{"ALTER TABLE e RENAME COLUMN b TO d"},
		{"RENAME TABLE e TO f, f TO e"}, {"TRUNCATE TABLE e"}, {"DROP TABLE e"}}},
	{name: "batches", batched: true, steps: [][]string{
		{"SET sqlfdb_bulk_writes = 'batched', sqlfdb_batch_rows = 2"}, {"UPDATE t SET n = n + 100"},
		{"INSERT INTO c (n) SELECT n FROM t"}, {"DELETE FROM t WHERE n > 3"}}},
}

// lineReader gives one line with each read, so that each is a packet.
type lineReader struct{ left []string }

func (l *lineReader) Read(b []byte) (int, error) {
	if len(l.left) == 0 {
		return 0, io.EOF
	}
	n := copy(b, l.left[0])
	l.left = l.left[1:]
	return n, nil
}

// A cutRun is a server whose clients are cut off.
type cutRun struct {
	t     *testing.T
	store *openStore
	db    *sql.DB // one connection, which is not
	cut   *cutter
}

// reset makes the tables what they are before each talk.
func (r *cutRun) reset() {
	r.t.Helper()
	harness.MustExec(r.t, r.db, "DROP TABLE IF EXISTS e, f, t, c",
		"CREATE TABLE t (_id VARCHAR(255) PRIMARY KEY, _doc JSON)",
		"CREATE TABLE c (id INT AUTO_INCREMENT PRIMARY KEY, n INT)",
		"INSERT INTO t (_id, n) VALUES ('k0', 0), ('k1', 1), ('k2', 2), ('k3', 3), ('k4', 4), ('k5', 5), ('k6', 6), "+
			"('k7', 7)")
}

// state is what is committed: rows, and of each document how often it was changed.
func (r *cutRun) state() string {
	r.t.Helper()
	var b strings.Builder
	for _, name := range harness.Texts(r.t, r.db, "SHOW TABLES") {
		fmt.Fprintf(&b, "%s: %v\n", name, harness.Texts(r.t, r.db,
			"SELECT column_name FROM information_schema.columns WHERE table_schema = 'd' AND table_name = ? ORDER BY "+
				"ordinal_position", name))
		query := fmt.Sprintf("SELECT rev, deleted, _doc FROM %s__changes ORDER BY rev", name)
		if name == "c" { // numbers that a statement took and did not use are not given again
			query = "SELECT LEFT(c.rev, 2), c.deleted, x.n FROM c__changes c LEFT JOIN c x ON x.id = c.id ORDER BY 1, 2, 3"
		} else if name != "t" {
			query = fmt.Sprintf("SELECT LEFT(rev, 2), deleted FROM %s__changes ORDER BY 1, 2", name)
		}
		for _, row := range harness.Texts(r.t, r.db, query) {
			b.WriteString("  " + row + "\n")
		}
	}
	fmt.Fprintln(&b, harness.Texts(r.t, r.db, "SELECT `index`, columns, state FROM sqlfdb.indexes"))
	return b.String()
}

// settled waits until nothing is left of clients: no session, no transaction.
func (r *cutRun) settled(what string) {
	r.t.Helper()
	for began := time.Now(); ; time.Sleep(time.Millisecond) {
		sessions := harness.Texts(r.t, r.db,
			"SELECT ID, COMMAND, TIME, STATE, INFO FROM information_schema.PROCESSLIST WHERE ID <> CONNECTION_ID()")
		if open := r.store.open.Load(); len(sessions) == 0 && open == 0 {
			return
		} else if time.Since(began) > harness.Patience {
			r.t.Fatalf("%s: left behind: sessions %v, %d transactions", what, sessions, open)
		}
	}
}

// hold lets one client have its talk, and returns how many steps it knows to be done, and the error of the next.
func (r *cutRun) hold(k talk, addr net.Addr) (done int, err error) {
	db, err := sql.Open("mysql", "root@tcp("+addr.String()+")/d"+k.params)
	if err != nil {
		r.t.Fatal(err)
	}
	defer db.Close()
	ctx := context.Background()
	conn, err := db.Conn(ctx)
	if err != nil {
		return 0, err
	}
	defer conn.Close()
	for _, step := range k.steps {
		statement := strings.Join(step, "; ")
		switch {
		case k.prepare:
			var p *sql.Stmt
			if p, err = conn.PrepareContext(ctx, statement); err == nil {
				if strings.HasPrefix(statement, "SELECT") {
					err = harness.ReadAll(p.QueryContext(ctx))
				} else {
					_, err = p.ExecContext(ctx)
				}
				_ = p.Close()
			}
		case strings.HasPrefix(statement, "SELECT"):
			err = harness.ReadAll(conn.QueryContext(ctx, statement))
		default:
			_, err = conn.ExecContext(ctx, statement)
		}
		if err != nil {
			return done, err
		}
		done++
	}
	return done, nil
}

// states are the committed states of a talk: behind each step, and of a step of several statements behind each
// of them.
func (r *cutRun) states(k talk) [][]string {
	r.t.Helper()
	r.reset()
	ctx := context.Background()
	db := harness.Connect(r.t, r.cut.to, "d", k.params)
	conn, err := db.Conn(ctx)
	if err != nil {
		r.t.Fatal(err)
	}
	defer db.Close()
	defer conn.Close()
	out := [][]string{{r.state()}}
	for _, step := range k.steps {
		var states []string
		for _, statement := range step {
			if _, err := conn.ExecContext(ctx, statement); err != nil {
				r.t.Fatalf("%s: %v", statement, err)
			}
			states = append(states, r.state())
		}
		out = append(out, states)
	}
	return out
}

// TestCuts: whichever packet of a conversation is the last that passes, in whichever direction, what was acknowledged
// has happened once, the statement that was under way has happened once or not at all, what came after it has not; and
// nothing is left of the client.
func TestCuts(t *testing.T) {
	for _, e := range harness.Engines {
		store := &openStore{Store: e.Fresh(t)}
		s := harness.ServeStore(t, store, server.Options{HoldJobs: true})
		db := harness.Connect(t, s.Addr(), "", "")
		db.SetMaxOpenConns(1)
		harness.MustExec(t, db, "CREATE DATABASE d", "USE d", "SET GLOBAL local_infile = 1")
		r := &cutRun{store: store, db: db, cut: newCutter(t, s.Addr())}
		for _, name := range []string{"cut", "cut2"} {
			mysql.RegisterReaderHandler(name, func() io.Reader {
				return &lineReader{[]string{name + "a;1\n", name + "b;2\n", name + "c;3\n", name + "d;4\n"}}
			})
			t.Cleanup(func() { mysql.DeregisterReaderHandler(name) })
		}
		for _, k := range talks {
			t.Run(e.Name+"/"+strings.ReplaceAll(k.name, " ", "_"), func(t *testing.T) {
				r.t = t
				states := r.states(k)
				r.settled(k.name)
				for _, up := range []bool{true, false} {
					for after := 0; ; after += *cutEvery {
						if !r.once(k, states, up, after, (after / *cutEvery)%2 == 1) {
							break
						}
						if *cutEvery == 1 {
							r.once(k, states, up, after, after%2 == 0)
						}
					}
				}
			})
		}
	}
}

// once cuts a talk off. It returns false where it was over before.
func (r *cutRun) once(k talk, states [][]string, up bool, after int, half bool) bool {
	r.t.Helper()
	direction := map[bool]string{true: "to the server", false: "to the client"}[up]
	what := fmt.Sprintf("%s, cut after %d packets %s", k.name, after, direction)
	if half {
		what += " and a half"
	}
	r.reset()
	r.cut.set(up, after, half)
	done, err := r.hold(k, r.cut.listener.Addr())
	var refused *mysql.MySQLError
	if errors.As(err, &refused) {
		r.t.Fatalf("%s: %v", what, err)
	}
	r.settled(what)
	allowed := states[done]
	allowed = allowed[len(allowed)-1:]
	if err != nil {
		allowed = append(slices.Clone(allowed), states[done+1]...)
	}
	state := r.state()
	if k.batched && err != nil {
		// An interrupted statement is listed, and goes on when it is given again.
		if listed := harness.Texts(r.t, r.db,
			"SELECT message FROM sqlfdb.jobs WHERE kind = 'statement'"); len(listed) > 0 {
			again := k
			again.steps = [][]string{k.steps[0], k.steps[done]}
			if _, err := r.hold(again, r.cut.to); err != nil {
				r.t.Fatalf("%s: again: %v", what, err)
			}
			r.settled(what)
			state, allowed = r.state(), states[done+1]
		}
	}
	if !slices.Contains(allowed, state) {
		r.t.Fatalf("%s: after %d steps and %v there is\n%swant one of\n%s", what, done, err, state,
			strings.Join(allowed, "or\n"))
	}
	for _, name := range harness.Texts(r.t, r.db, "SHOW TABLES") {
		harness.Check(r.t, r.db, name)
	}
	return err != nil || r.cut.cut() > 0
}

package commands

import (
	"context"
	"database/sql"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"math/rand/v2"
	"net"
	"net/http"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/sqlfdb/sqlfdb/internal/testseed"
	"github.com/sqlfdb/sqlfdb/sqltests/harness"
)

var (
	soakFor = flag.Duration("soak", 0,
		"how long TestSoak works and attacks; 0 is some seconds, behind which nothing is said of levels and times")
	soakSeed = flag.Uint64("soak-seed", 0, "the seed of TestSoak; 0 draws one")
)

const (
	soakWorkers  = 6
	soakPause    = 10 * time.Millisecond // between the statements of a worker: the machine has room left
	soakAccounts = 200
	soakRing     = 500 // rows of one worker, written over and over
)

// A soaking is a server under load and attack.
type soaking struct {
	t       *testing.T
	addr    atomic.Value // address
	process atomic.Pointer[harness.Process]
	restart atomic.Int64 // how often it was killed: what overlaps one is neither measured nor judged
	over    context.Context

	mu     sync.Mutex
	took   map[string][]time.Duration
	recent []time.Duration // since the last log
	errors map[string]int
}

// TestSoak: clients work while others attack by all that ends badly elsewhere: statements that eat memory, long and
// deep ones, killed ones, clients that go in the middle, connections that never log in, packets that are none, sessions
// left open, definitions that change; and once the server is killed. No acknowledged commit is lost, memory,
// descriptors, goroutines and the disk level off, and at the end SIGTERM ends it in good order.
func TestSoak(t *testing.T) {
	harness.Embedded(t)
	seed := testseed.Of(t, "soak-seed", *soakSeed)
	length := *soakFor
	if length == 0 {
		length = 4 * time.Second
	}
	dir := t.TempDir()
	metrics := freeAddress(t)
	serve := harness.Call{Args: []string{"serve", "--store", "pebble:" + dir, "--listen", "127.0.0.1:0",
		"--memory", givenMemory, "--cache", "64MiB", "--metrics", metrics}}
	over, stop := context.WithTimeout(context.Background(), length)
	defer stop()
	s := &soaking{t: t, over: over, took: map[string][]time.Duration{}, errors: map[string]int{}}
	s.begin(harness.Spawn(t, serve))
	s.define()
	var load sync.WaitGroup
	workers := make([]*soakWorker, soakWorkers)
	for i := range workers {
		workers[i] = &soakWorker{soaking: s, id: i, random: rand.New(rand.NewPCG(seed, uint64(i)))}
		load.Go(workers[i].work)
	}
	for i, attack := range []func(*rand.Rand) error{s.eat, s.long, s.produce, s.produce, s.knock, s.leave, s.redefine,
		s.watch} {
		load.Go(func() { s.attack(rand.New(rand.NewPCG(seed, uint64(100+i))), attack) })
	}
	time.Sleep(length / 8)
	s.restart.Add(1)
	s.process.Load().Kill()
	s.begin(harness.Spawn(t, serve))
	s.restart.Add(1)
	s.verify(workers, true)
	levels := s.sample(metrics, dir, length)
	s.restart.Add(1)
	s.process.Load().Stop()
	stop()
	load.Wait()
	s.begin(harness.Spawn(t, serve))
	s.verify(workers, false)
	harness.CheckAll(t, harness.Connect(t, s.address(), "", ""))
	s.process.Load().Stop()
	s.tell(levels)
	if *soakFor > 0 {
		judgeLevels(t, levels)
		s.judgeTimes()
	}
}

func (s *soaking) begin(p *harness.Process) {
	s.process.Store(p)
	s.addr.Store(p.Addr)
}

func (s *soaking) address() harness.Address { return s.addr.Load().(harness.Address) }

// define makes the tables.
func (s *soaking) define() {
	db := harness.Connect(s.t, s.address(), "", "")
	harness.MustExec(s.t, db, "CREATE DATABASE d",
		"CREATE TABLE d.t (_id VARCHAR(255) PRIMARY KEY, n INT, s TEXT, _doc JSON)",
		"CREATE TABLE d.w (_id VARCHAR(255) PRIMARY KEY, n INT, s TEXT, _doc JSON)",
		"INSERT INTO d.t (_id, n, s) VALUES ('a', 1, 'x'), ('b', 2, 'y')",
		"CREATE DATABASE work",
		"CREATE TABLE work.accounts (id INT PRIMARY KEY, balance INT)",
		"CREATE TABLE work.acts (id INT PRIMARY KEY, n INT)",
		"CREATE TABLE work.documents (_id VARCHAR(255) PRIMARY KEY, _doc JSON)",
		"CREATE TABLE work.side (id INT PRIMARY KEY, n INT, s VARCHAR(100))",
		"INSERT INTO work.side WITH RECURSIVE c AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM c WHERE i < 500)"+
			" SELECT i, i % 10, 'side' FROM c",
		fmt.Sprintf("INSERT INTO work.accounts WITH RECURSIVE c AS (SELECT 0 AS i UNION ALL SELECT i + 1 FROM c"+
			" WHERE i < %d) SELECT i, 1000 FROM c", soakAccounts-1))
}

// open is a connection to the server of now, and the number of restarts that it has seen. The caller closes both.
func (s *soaking) open(database string) (*sql.DB, *sql.Conn, error) {
	db, err := sql.Open("mysql", "root@tcp("+s.address().String()+")/"+database+"?maxAllowedPacket=0")
	if err != nil {
		return nil, nil, err
	}
	ctx, cancel := context.WithTimeout(context.Background(), harness.Patience)
	defer cancel()
	conn, err := db.Conn(ctx)
	if err != nil {
		return nil, nil, errors.Join(err, db.Close())
	}
	return db, conn, nil
}

// measure notes how long something took, and which error it had.
func (s *soaking) measure(what string, restarts int64, began time.Time, err error) {
	took := time.Since(began)
	if s.restart.Load() != restarts || restarts%2 == 1 {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if err == nil {
		s.took[what] = append(s.took[what], took)
		s.recent = append(s.recent, took)
		return
	}
	n := harness.ErrorNumber(err)
	s.errors[fmt.Sprintf("%s: %d", what, n)]++
	if n == 0 || n == 1105 {
		s.t.Errorf("%s: %v", what, err)
	}
}

// soakWorker works as clients do.
type soakWorker struct {
	*soaking
	id     int
	random *rand.Rand
	done   int // acts of it that were acknowledged
	unsure int // the act whose outcome it was not told; 0 if there is none
	known  sync.Mutex
}

func (w *soakWorker) work() {
	for w.over.Err() == nil {
		restarts := w.restart.Load()
		db, conn, err := w.open("work")
		if err != nil {
			w.measure("connect", restarts, time.Now(), err)
			time.Sleep(50 * time.Millisecond)
			continue
		}
		for w.over.Err() == nil && w.restart.Load() == restarts {
			if err = w.step(conn, restarts); err != nil && harness.ErrorNumber(err) == 0 {
				break
			}
			time.Sleep(soakPause)
		}
		_ = conn.Close()
		_ = db.Close()
	}
}

// step is a statement or a transaction of a worker.
func (w *soakWorker) step(conn *sql.Conn, restarts int64) error {
	ctx, cancel := context.WithTimeout(context.Background(), harness.Patience)
	defer cancel()
	ask := func(what, stmt string, args ...any) error {
		began := time.Now()
		err := throughAll(conn.QueryContext(ctx, stmt, args...))
		w.measure(what, restarts, began, err)
		return err
	}
	switch n := w.random.IntN(10); {
	case n < 3:
		return ask("read by key", "SELECT * FROM accounts WHERE id = ?", w.random.IntN(soakAccounts))
	case n < 4:
		return ask("read by index", "SELECT _id, tag FROM documents WHERE n = ?", w.random.IntN(50))
	case n < 5:
		return ask("sum", "SELECT COUNT(*), SUM(balance) FROM accounts")
	case n < 8:
		doc := fmt.Sprintf(`{"n":%d,"tag":"t%d","list":[1,2,{"a":%d}],"pad":"%s"}`, w.random.IntN(50), w.random.IntN(9),
			w.random.IntN(9), strings.Repeat("x", w.random.IntN(2000)))
		key := fmt.Sprintf("w%d-%d", w.id, w.random.IntN(soakRing))
		return ask("write", "REPLACE INTO documents (_id, _doc) VALUES (?, ?)", key, doc)
	case n < 9:
		return ask("delete", "DELETE FROM documents WHERE _id = ?", fmt.Sprintf("w%d-%d", w.id, w.random.IntN(soakRing)))
	}
	w.known.Lock()
	defer w.known.Unlock()
	began := time.Now()
	err := w.transfer(ctx, conn)
	w.measure("transaction", restarts, began, err)
	return err
}

// transfer is a transaction that moves money between accounts, and leaves its number. The caller holds known.
func (w *soakWorker) transfer(ctx context.Context, conn *sql.Conn) error {
	act := w.done + 1
	if w.unsure > 0 {
		act = w.unsure + 1
	}
	from, to, amount := w.random.IntN(soakAccounts), w.random.IntN(soakAccounts), w.random.IntN(50)
	for _, stmt := range []string{
		"BEGIN",
		fmt.Sprintf("UPDATE accounts SET balance = balance - %d WHERE id = %d", amount, from),
		fmt.Sprintf("UPDATE accounts SET balance = balance + %d WHERE id = %d", amount, to),
		fmt.Sprintf("REPLACE INTO acts VALUES (%d, %d)", w.id*soakRing+act%soakRing, act),
	} {
		if _, err := conn.ExecContext(ctx, stmt); err != nil {
			_, _ = conn.ExecContext(ctx, "ROLLBACK")
			return err
		}
	}
	_, err := conn.ExecContext(ctx, "COMMIT")
	switch {
	case err == nil:
		w.done, w.unsure = act, 0
	case harness.ErrorNumber(err) == 0: // the connection is gone: nobody knows
		w.unsure = act
	}
	return err
}

// verify finds each worker's last acknowledged act, and the money. While the workers go on there may be more acts.
func (s *soaking) verify(workers []*soakWorker, running bool) {
	s.t.Helper()
	db := harness.Connect(s.t, s.address(), "work", "")
	if sum := harness.Number(s.t, db, "SELECT SUM(balance) FROM accounts"); sum != 1000*soakAccounts {
		s.t.Errorf("the accounts hold %d", sum)
	}
	for _, w := range workers {
		w.known.Lock()
		done, unsure := w.done, max(w.unsure, w.done)
		last := harness.Number(s.t, db, fmt.Sprintf("SELECT COALESCE(MAX(n), 0) FROM acts WHERE id BETWEEN %d AND %d",
			w.id*soakRing, w.id*soakRing+soakRing-1))
		w.known.Unlock()
		if last < int64(done) || last > int64(unsure) {
			s.t.Errorf("worker %d: the last act is %d, acknowledged are %d, %d at most were tried", w.id, last, done, unsure)
		}
	}
	if !running {
		s.t.Logf("no acknowledged act is lost")
	}
}

// attack attacks again and again.
func (s *soaking) attack(random *rand.Rand, attack func(*rand.Rand) error) {
	for s.over.Err() == nil {
		restarts := s.restart.Load()
		if err := attack(random); err != nil && restarts == s.restart.Load() && restarts%2 == 0 {
			if n := harness.ErrorNumber(err); n == 1105 {
				s.t.Errorf("%.600v", err)
			}
		}
		time.Sleep(time.Duration(random.IntN(200)) * time.Millisecond)
	}
}

// run runs a statement on a connection of its own; sometimes it is killed, its connection is, or its client goes.
func (s *soaking) run(random *rand.Rand, stmt string) error {
	db, conn, err := s.open("d")
	if err != nil {
		return err
	}
	defer db.Close()
	defer conn.Close()
	ctx, cancel := context.WithTimeout(context.Background(), harness.Patience)
	defer cancel()
	after := time.Duration(random.IntN(2000)) * time.Millisecond
	switch random.IntN(4) {
	case 0:
		var leave context.CancelFunc
		ctx, leave = context.WithTimeout(ctx, after)
		defer leave()
	case 1:
		var id int
		if err := conn.QueryRowContext(ctx, "SELECT CONNECTION_ID()").Scan(&id); err != nil {
			return err
		}
		kill := time.AfterFunc(after, func() { _, _ = db.Exec(fmt.Sprintf("KILL QUERY %d", id)) })
		defer kill.Stop()
	case 2:
		_, _ = conn.ExecContext(ctx, "SET max_execution_time = 1000")
	}
	if err = throughAll(conn.QueryContext(ctx, stmt)); err != nil {
		err = fmt.Errorf("%.150s… (%d bytes): %w", stmt, len(stmt), err)
	}
	return err
}

// eat asks a statement that holds much memory.
func (s *soaking) eat(random *rand.Rand) error {
	if random.IntN(2) == 0 {
		return s.run(random, randomGreed(random))
	}
	return s.run(random, greedyStatements()[random.IntN(len(greedyStatements()))])
}

// long asks what sleeps with a long text, or names many keys.
func (s *soaking) long(random *rand.Rand) error {
	if random.IntN(2) == 0 {
		return s.run(random, "SELECT SLEEP(2), '"+strings.Repeat("a b ", 500_000)+"'")
	}
	return s.run(random, "DELETE FROM t WHERE _id IN ('key'"+strings.Repeat(", 'key'", 20_000)+")")
}

// produce asks a long or deep statement.
func (s *soaking) produce(random *rand.Rand) error {
	of := productions()
	what := of[random.IntN(len(of))]
	if what.name == "users" || what.name == "grant" {
		return nil
	}
	return s.run(random, what.text(1<<(10+random.IntN(9))))
}

// knock opens connections that don't log in, and sends what is no protocol.
func (s *soaking) knock(random *rand.Rand) error {
	var silent []net.Conn
	for range 1 + random.IntN(150) {
		c, err := net.DialTimeout("tcp", s.address().String(), time.Second)
		if err != nil {
			break
		}
		silent = append(silent, c)
	}
	noise := make([]byte, random.IntN(10_000))
	for i := range noise {
		noise[i] = byte(random.IntN(256))
	}
	for i, c := range silent {
		if i%3 == 0 {
			_ = c.SetDeadline(time.Now().Add(100 * time.Millisecond))
			_, _ = c.Write(noise[:random.IntN(len(noise)+1)])
		}
	}
	time.Sleep(time.Duration(random.IntN(500)) * time.Millisecond)
	for _, c := range silent {
		_ = c.Close()
	}
	return nil
}

// leave leaves sessions with what they hold.
func (s *soaking) leave(random *rand.Rand) error {
	db, conn, err := s.open("d")
	if err != nil {
		return err
	}
	defer db.Close()
	defer conn.Close()
	ctx, cancel := context.WithTimeout(context.Background(), harness.Patience)
	defer cancel()
	for _, stmt := range []string{
		"SET @kept = REPEAT('a', 1000000)", "CREATE TEMPORARY TABLE own (id INT PRIMARY KEY)",
		"INSERT INTO own VALUES (1), (2)",
		fmt.Sprintf("DO GET_LOCK('l%d', 0)", random.IntN(5)), "BEGIN", "INSERT INTO w (n) VALUES (1)", "SAVEPOINT here",
	} {
		if random.IntN(4) > 0 {
			_, _ = conn.ExecContext(ctx, stmt)
		}
	}
	for i := range random.IntN(50) {
		if _, err := conn.PrepareContext(ctx, fmt.Sprintf("SELECT ?, %d", i)); err != nil {
			return err
		}
	}
	return nil
}

// redefine changes definitions beside the workers', and looks tables through.
func (s *soaking) redefine(random *rand.Rand) error {
	db, conn, err := s.open("work")
	if err != nil {
		return err
	}
	defer db.Close()
	defer conn.Close()
	ctx, cancel := context.WithTimeout(context.Background(), harness.Patience)
	defer cancel()
	of := []string{
		"ALTER TABLE side ADD COLUMN more INT DEFAULT 3", "ALTER TABLE side DROP COLUMN more", "CREATE INDEX i ON side (n)",
		"DROP INDEX i ON side", "ALTER TABLE side MODIFY s VARCHAR(120)", "ALTER TABLE side MODIFY s VARCHAR(100)",
		"CREATE TABLE IF NOT EXISTS made (id INT PRIMARY KEY, n INT, KEY (n))",
		"INSERT IGNORE INTO made VALUES (1, 2), (3, 4)",
		"DROP TABLE IF EXISTS made", "CHECK TABLE documents", "ANALYZE TABLE documents", "TRUNCATE TABLE d.w",
		"UPDATE side SET n = n + 1",
	}
	_, err = conn.ExecContext(ctx, of[random.IntN(len(of))])
	return err
}

// watch asks what tools ask that watch a server.
func (s *soaking) watch(random *rand.Rand) error {
	db, conn, err := s.open("work")
	if err != nil {
		return err
	}
	defer db.Close()
	defer conn.Close()
	ctx, cancel := context.WithTimeout(context.Background(), harness.Patience)
	defer cancel()
	of := []string{
		"SHOW FULL PROCESSLIST", "SHOW GLOBAL STATUS", "SHOW GLOBAL VARIABLES", "SHOW TABLE STATUS",
		"SELECT * FROM information_schema.columns", "SELECT * FROM sqlfdb.tables", "SELECT * FROM sqlfdb.jobs",
		"SHOW ENGINE INNODB STATUS",
	}
	return throughAll(conn.QueryContext(ctx, of[random.IntN(len(of))]))
}

// A level is what a server takes at a moment.
type level struct {
	at                                  time.Duration
	memory, descriptors, routines, disk int64
}

// sample looks at the levels until the time is over.
func (s *soaking) sample(metrics, dir string, length time.Duration) []level {
	began := time.Now()
	every := max(length/240, time.Second/2)
	var levels []level
	for s.over.Err() == nil {
		p := s.process.Load()
		select {
		case <-p.Ended:
			s.t.Errorf("the server has ended: %.3000s", p.Stderr.String())
			return levels
		case <-time.After(every):
		}
		levels = append(levels, level{time.Since(began), memoryNow(s.t, p), int64(descriptors(s.t, p)),
			goroutines(s.t, metrics), folderBytes(dir)})
		if l := levels[len(levels)-1]; len(levels)%10 == 0 {
			s.mu.Lock()
			recent := slices.Sorted(slices.Values(append(s.recent, 0)))
			s.recent = nil
			s.mu.Unlock()
			s.t.Logf("%6.0f s: %5d MiB of memory, %4d descriptors, %5d goroutines, %5d MiB on disk, p50 %v, longest %v",
				l.at.Seconds(), l.memory>>20, l.descriptors, l.routines, l.disk>>20, part(recent, 0.5), part(recent, 1))
		}
	}
	return levels
}

// part is how long the given part of what was measured took at most.
func part(sorted []time.Duration, part float64) time.Duration {
	return sorted[int(part*float64(len(sorted)-1))]
}

const (
	soakSpread   = 10          // times the median that 99 of 100 keep to
	longestStall = time.Second // of any statement
	soakFirst    = 8           // the part that tells how fast the machine is, and what else it does
	soakWorse    = 3           // times what it was in that part
)

// judgeTimes fails where a kind of statement has more than one slow one in a hundred, one that stalls, or becomes
// slower. What was so from the beginning is the machine's.
func (s *soaking) judgeTimes() {
	for _, what := range slices.Sorted(maps.Keys(s.took)) {
		of := s.took[what]
		first := slices.Sorted(slices.Values(of[:len(of)/soakFirst+1]))
		later := slices.Sorted(slices.Values(of[len(of)/soakFirst:]))
		p50, p99, longest := part(later, 0.5), part(later, 0.99), part(later, 1)
		if most := soakWorse * part(first, 0.5); p50 > most {
			s.t.Errorf("%s: p50 %v, at first %v", what, p50, most/soakWorse)
		}
		if most := max(soakSpread*p50, soakWorse*part(first, 0.99)); p99 > most {
			s.t.Errorf("%s: p99 %v beside p50 %v; %v is the most", what, p99, p50, most)
		}
		if most := max(longestStall, soakWorse*part(first, 1)); longest > most {
			s.t.Errorf("%s: one of %d took %v; %v is the most", what, len(of), longest, most)
		}
	}
}

// tell logs what was measured.
func (s *soaking) tell(levels []level) {
	for _, what := range slices.Sorted(maps.Keys(s.took)) {
		of := slices.Sorted(slices.Values(s.took[what]))
		s.t.Logf("%-14s %7d times: p50 %v, p99 %v, p99.9 %v, longest %v", what, len(of), part(of, 0.5), part(of, 0.99),
			part(of, 0.999), part(of, 1))
	}
	s.t.Logf("errors of the workers: %v", s.errors)
	for _, which := range levelKinds {
		if len(levels) > 0 {
			s.t.Logf("%s: %d at first, %d in the middle, %d at the end, %d at most", which.name,
				which.median(levels[:len(levels)/4+1]), which.median(levels[len(levels)/4:3*len(levels)/4+1]),
				which.median(levels[3*len(levels)/4:]), which.most(levels))
		}
	}
}

// levelKind is a kind of level, and how far it may rise behind the first quarter.
type levelKind struct {
	name  string
	of    func(level) int64
	slack int64
}

var levelKinds = []levelKind{
	{"bytes of memory", func(l level) int64 { return l.memory }, 128 << 20},
	{"descriptors", func(l level) int64 { return l.descriptors }, 50},
	{"goroutines", func(l level) int64 { return l.routines }, 100},
	{"bytes on disk", func(l level) int64 { return l.disk }, 64 << 20},
}

func (k levelKind) median(of []level) int64 {
	values := make([]int64, len(of))
	for i, l := range of {
		values[i] = k.of(l)
	}
	slices.Sort(values)
	return values[len(values)/2]
}

func (k levelKind) most(of []level) (most int64) {
	for _, l := range of {
		most = max(most, k.of(l))
	}
	return most
}

// judgeLevels fails where the last quarter stands above the second.
func judgeLevels(t *testing.T, levels []level) {
	t.Helper()
	n := len(levels)
	if n < 4 {
		t.Fatalf("%d looks at the levels are too few", n)
	}
	for _, which := range levelKinds {
		before, after := which.median(levels[n/4:n/2]), which.median(levels[3*n/4:])
		if after > before+before/4+which.slack {
			t.Errorf("%s rise: %d in the second quarter, %d in the last", which.name, before, after)
		}
	}
	if most := levelKinds[0].most(levels); most > maxMemory {
		t.Errorf("%d bytes of memory", most)
	}
}

// memoryNow is what a process has in memory, in bytes.
func memoryNow(t *testing.T, p *harness.Process) int64 { return memoryField(t, p, "VmRSS:") }

// goroutines asks the metrics of a server.
func goroutines(t *testing.T, address string) int64 {
	answer, err := http.Get("http://" + address + "/metrics")
	if err != nil {
		t.Log(err)
		return 0
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Log(err)
	}
	_, rest, _ := strings.Cut(string(text), "\ngo_goroutines ")
	line, _, _ := strings.Cut(rest, "\n")
	n, err := strconv.ParseInt(line, 10, 64)
	if err != nil {
		t.Log(err)
	}
	return n
}

// folderBytes is what the files of a folder take.
func folderBytes(dir string) (all int64) {
	_ = filepath.WalkDir(dir, func(_ string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return nil // files come and go
		}
		if info, err := d.Info(); err == nil {
			all += info.Size()
		}
		return nil
	})
	return all
}

// freeAddress is an address that nobody listens at.
func freeAddress(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

package feeds

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/sqlfdb/sqlfdb/sqltests/harness"
)

// beforeAll stands before every sequence.
const beforeAll = "00000000000000000000000000"

// The consumer's proof: d's tables are the source, r's are replicas that consumers keep by nothing but the feeds.
const (
	proofAccounts = 6
	proofMoney    = 1000 // on all accounts of d.a and d.b together
)

// proofTables are the source's tables and their keys.
var proofTables = map[string]string{"t": "_id", "f": "_id", "num": "id", "a": "id", "b": "id"}

func proofSetUp(t testing.TB, db *sql.DB) {
	harness.ExecAll(t, db, "CREATE DATABASE d", "CREATE DATABASE r",
		"CREATE TABLE d.t (_id VARCHAR(255) PRIMARY KEY, _doc JSON)",
		`CREATE TABLE d.f (_id VARCHAR(255) PRIMARY KEY, _doc JSON) ENGINE_ATTRIBUTE '{"key_scheme": "field"}'`,
		"CREATE TABLE d.num (id BIGINT AUTO_INCREMENT PRIMARY KEY, w INT, s VARCHAR(40))",
		"CREATE TABLE d.a (id INT PRIMARY KEY, n INT)", "CREATE TABLE d.b (id INT PRIMARY KEY, n INT)",
		"CREATE TABLE r.checkpoint (id INT PRIMARY KEY, seq VARCHAR(26), applied BIGINT)",
		"CREATE TABLE r.feeds (name VARCHAR(20) PRIMARY KEY, collection BIGINT)",
		"CREATE TABLE r.bounded (_id VARCHAR(255) PRIMARY KEY, _doc JSON)",
		"INSERT INTO r.checkpoint VALUES (1, '"+beforeAll+"', 0), (2, '"+beforeAll+"', 0)",
		"INSERT INTO d.t (_id, n) VALUES ('k00', 0)") // there is something to apply, however soon the first round ends
	for name, key := range proofTables {
		harness.ExecAll(t, db, fmt.Sprintf("CREATE TABLE r.%s (%s %s PRIMARY KEY, _doc JSON)", name, key,
			map[string]string{"_id": "VARCHAR(255)", "id": "BIGINT"}[key]),
			fmt.Sprintf("INSERT INTO r.feeds VALUES ('%s', 0)", name))
	}
	for id := range proofAccounts {
		n := 0
		if id == 0 {
			n = proofMoney
		}
		harness.ExecAll(t, db, fmt.Sprintf("INSERT INTO d.a VALUES (%d, %d)", id, n),
			fmt.Sprintf("INSERT INTO d.b VALUES (%d, 0)", id))
	}
}

// proofWorld is what those who work on one server share.
type proofWorld struct {
	t       *testing.T
	stop    chan struct{}
	running sync.WaitGroup
	done    map[string]*atomic.Int64 // by kind of work
}

// work does something again and again, each on a connection of its own, until it is stopped.
func (w *proofWorld) work(addr harness.Address, random *rand.Rand, params, kind string, pause time.Duration,
	do func(conn *sql.Conn, random *rand.Rand) error) {
	if w.done[kind] == nil {
		w.done[kind] = new(atomic.Int64)
	}
	count := w.done[kind]
	w.running.Go(func() {
		ctx := context.Background()
		db, err := sql.Open("mysql", "root@tcp("+string(addr)+")/d"+params)
		if err != nil {
			return
		}
		defer db.Close()
		var conn *sql.Conn
		defer func() {
			if conn != nil {
				_ = conn.Close()
			}
		}()
		for {
			select {
			case <-w.stop:
				return
			case <-time.After(pause * time.Duration(random.IntN(1000)) / 1000):
			}
			if conn == nil {
				if conn, err = db.Conn(ctx); err != nil {
					conn = nil
					time.Sleep(5 * time.Millisecond)
					continue
				}
			}
			if err = do(conn, random); err == nil {
				count.Add(1)
				continue
			}
			if _, err := conn.ExecContext(ctx, "ROLLBACK"); err != nil { // the server is gone
				_ = conn.Close()
				conn = nil
			}
			time.Sleep(time.Duration(random.IntN(5)) * time.Millisecond)
		}
	})
}

// proofWrite is one change of the source, of one table or of several.
func proofWrite(conn *sql.Conn, r *rand.Rand) error {
	key, n := fmt.Sprintf("k%02d", r.IntN(60)), r.IntN(1000)
	switch r.IntN(10) {
	case 0:
		if r.IntN(10) == 0 { // several chunks
			return harness.ExecOn(conn,
				fmt.Sprintf(`REPLACE INTO t (_doc) VALUES ('{"_id": "k%02d", "n": %d, "text": "%s"}')`,
					r.IntN(6), n, strings.Repeat("x", 120_000)))
		}
		return harness.ExecOn(conn, fmt.Sprintf(
			`REPLACE INTO t (_doc) VALUES ('{"_id": "%s", "n": %d, "tags": [%d, %d]}'), ('{"_id": "k%02d", "w": %d}')`, key, n,
			n%5, n%7, r.IntN(60), n))
	case 1:
		return harness.ExecOn(conn, fmt.Sprintf("UPDATE t SET n = n + 1, u = %d WHERE _id >= '%s' LIMIT 3", n, key))
	case 2:
		return harness.ExecOn(conn, fmt.Sprintf("DELETE FROM t WHERE _id = '%s'", key))
	case 3:
		return harness.ExecOn(conn, fmt.Sprintf("INSERT INTO num (w, s) VALUES (%d, '%s'), (%d, 'x')", n, key, n+1))
	case 4:
		return harness.ExecOn(conn,
			fmt.Sprintf("DELETE FROM num WHERE id < (SELECT x FROM (SELECT MAX(id) - %d AS x FROM num) y)",
				30+r.IntN(30)))
	case 5:
		return harness.ExecOn(conn, fmt.Sprintf(
			`INSERT INTO f (_id, n, g0, o) VALUES ('%s', %d, %d, '{"p": %d}') ON DUPLICATE KEY UPDATE n = n + 1, g0 = NULL`, key,
			n, n%4, n))
	}
	// Money moves, in one transaction with changes of everything else.
	moves := []string{"BEGIN",
		fmt.Sprintf("UPDATE a SET n = n - %d WHERE id = %d", n, r.IntN(proofAccounts)),
		fmt.Sprintf("UPDATE b SET n = n + %d WHERE id = %d", n, r.IntN(proofAccounts)),
		fmt.Sprintf("INSERT INTO num (w, s) VALUES (%d, 'moved')", n),
		fmt.Sprintf("REPLACE INTO f (_id, n) VALUES ('%s', %d)", key, n)}
	if r.IntN(3) == 0 {
		id := r.IntN(proofAccounts)
		moves = append(moves, fmt.Sprintf("UPDATE a SET n = n + %d WHERE id = %d", n, id),
			fmt.Sprintf("UPDATE b SET n = n - %d WHERE id = %d", n, id),
			"SAVEPOINT s", "DELETE FROM t WHERE n > 500", "ROLLBACK TO SAVEPOINT s",
			fmt.Sprintf("DELETE FROM t WHERE _id = '%s'", key))
	}
	end := "COMMIT"
	if r.IntN(8) == 0 {
		end = "ROLLBACK"
	}
	return harness.ExecOn(conn, append(moves, end)...)
}

// proofBatches is one statement in batches.
func proofBatches(conn *sql.Conn, r *rand.Rand) error {
	return harness.ExecOn(conn, "SET sqlfdb_bulk_writes = 'batched', sqlfdb_batch_rows = 7", []string{
		"UPDATE f SET n = n + 1", fmt.Sprintf("UPDATE t SET bulk = %d WHERE _id > 'k%02d'", r.IntN(100), r.IntN(60)),
		"INSERT INTO num (w, s) SELECT 1, _id FROM f", "DELETE FROM num WHERE w = 1",
	}[r.IntN(4)])
}

// proofDefine changes a definition of the source. fills: also so that documents are written by jobs.
func proofDefine(conn *sql.Conn, r *rand.Rand, fills bool) error {
	i, on := r.IntN(3), []string{"t", "f", "num"}[r.IntN(3)]
	of := []string{"n", "n", "w"}[slices.Index([]string{"t", "f", "num"}, on)]
	all := []string{
		fmt.Sprintf("CREATE INDEX i%d ON %s (%s, u)", i, on, of), fmt.Sprintf("DROP INDEX i%d ON %s", i, on),
		fmt.Sprintf("CREATE UNIQUE INDEX u%d ON num (id, w)", i), fmt.Sprintf("DROP INDEX u%d ON num", i),
		fmt.Sprintf("CREATE INDEX ia ON %s (n, id)", []string{"a", "b"}[r.IntN(2)]), "DROP INDEX ia ON a",
		fmt.Sprintf("ALTER TABLE f RENAME COLUMN g%d TO g%d", i, r.IntN(3)), "ALTER TABLE f ADD COLUMN g0 INT",
		"ALTER TABLE f DROP COLUMN g0",
		fmt.Sprintf("ALTER TABLE num RENAME COLUMN e%d TO e%d", i, r.IntN(3)),
		fmt.Sprintf("ALTER TABLE num DROP COLUMN e%d", i),
		fmt.Sprintf("ALTER TABLE %s DROP COLUMN x%d", on, i), "TRUNCATE TABLE " + []string{"f", "num"}[r.IntN(2)],
	}
	if fills {
		all = append(all, fmt.Sprintf("ALTER TABLE %s ADD COLUMN x%d INT DEFAULT %d", on, i, r.IntN(9)),
			fmt.Sprintf("ALTER TABLE num ADD COLUMN e%d VARCHAR(9) DEFAULT 'e' NOT NULL", i),
			fmt.Sprintf("ALTER TABLE %s MODIFY x%d VARCHAR(20)", on, i),
			fmt.Sprintf(`ALTER TABLE t ENGINE_ATTRIBUTE '{"max_depth": %d}'`, 1+r.IntN(4)))
	}
	return harness.ExecOn(conn, all[r.IntN(len(all))])
}

// rowsIn are the rows of a query, each as one text; unlike texts it may fail.
func rowsIn(tx harness.Querier, query string, args ...any) (out [][]string, err error) {
	rows, err := tx.QueryContext(context.Background(), query, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	columns, err := rows.Columns()
	if err != nil {
		return nil, err
	}
	values, into := make([]sql.NullString, len(columns)), make([]any, len(columns))
	for i := range values {
		into[i] = &values[i]
	}
	for rows.Next() {
		if err := rows.Scan(into...); err != nil {
			return nil, err
		}
		row := make([]string, len(values))
		for i, v := range values {
			if row[i] = v.String; !v.Valid {
				row[i] = "NULL"
			}
		}
		out = append(out, row)
	}
	return out, rows.Err()
}

// consumeAll applies all changes of all feeds and moves the checkpoint, in one transaction, and returns how many there
// were. One checkpoint serves all feeds: sequences are of the store's commits. A feed that has begun anew, by a
// TRUNCATE, is known by its table's collection.
func (w *proofWorld) consumeAll(conn *sql.Conn) (n int64, err error) {
	ctx := context.Background()
	if err := harness.ExecOn(conn, "BEGIN"); err != nil {
		return 0, err
	}
	at, err := rowsIn(conn, "SELECT seq FROM r.checkpoint WHERE id = 1 FOR UPDATE")
	if err != nil {
		return 0, err
	}
	feeds, err := rowsIn(conn,
		"SELECT s.`table`, s.collection, f.collection FROM sqlfdb.tables s JOIN r.feeds f ON f.name = s.`table` WHERE "+
			"s.`database` = 'd'")
	if err != nil {
		return 0, err
	}
	if len(feeds) != len(proofTables) {
		return 0, fmt.Errorf("feeds: %v", feeds)
	}
	next := at[0][0]
	for _, feed := range feeds {
		name, since := feed[0], at[0][0]
		if feed[1] != feed[2] {
			since = beforeAll
			if err := harness.ExecOn(conn, "DELETE FROM r."+name,
				fmt.Sprintf("UPDATE r.feeds SET collection = %s WHERE name = '%s'",
					feed[1], name)); err != nil {
				return 0, err
			}
			n++
		}
		for _, apply := range []string{
			"DELETE FROM r.%[1]s WHERE %[2]s IN (SELECT %[2]s FROM d.%[1]s__changes WHERE seq > ? AND deleted)",
			"REPLACE INTO r.%[1]s (%[2]s, _doc) SELECT %[2]s, _doc FROM d.%[1]s__changes WHERE seq > ? AND NOT deleted",
		} {
			result, err := conn.ExecContext(ctx, fmt.Sprintf(apply, name, proofTables[name]), since)
			if err != nil {
				return 0, err
			}
			changed, err := result.RowsAffected()
			if err != nil {
				return 0, err
			}
			n += changed
		}
		last, err := rowsIn(conn, "SELECT sqlfdb_last_seq(?)", "d."+name)
		if err != nil {
			return 0, err
		}
		next = max(next, last[0][0])
	}
	// The replica is the source at one version: no transaction is there by half.
	money, err := rowsIn(conn, "SELECT (SELECT SUM(n) FROM r.a) + (SELECT SUM(n) FROM r.b)")
	if err != nil {
		return 0, err
	}
	if money[0][0] != fmt.Sprint(proofMoney) {
		w.t.Errorf("after %s: there is %s of the money", at[0][0], money[0][0])
	}
	if _, err := conn.ExecContext(ctx, "UPDATE r.checkpoint SET seq = ?, applied = applied + ? WHERE id = 1", next,
		n); err != nil {
		return 0, err
	}
	return n, harness.ExecOn(conn, "COMMIT")
}

// consumeSome applies a bounded number of the changes of one feed, row by row.
func (w *proofWorld) consumeSome(conn *sql.Conn) (int64, error) {
	ctx := context.Background()
	if err := harness.ExecOn(conn, "BEGIN"); err != nil {
		return 0, err
	}
	at, err := rowsIn(conn, "SELECT seq FROM r.checkpoint WHERE id = 2 FOR UPDATE")
	if err != nil {
		return 0, err
	}
	changes, err := rowsIn(conn, "SELECT seq, _id, deleted, _doc FROM t__changes WHERE seq > ? ORDER BY seq LIMIT 50",
		at[0][0])
	if err != nil || len(changes) == 0 {
		return 0, errors.Join(err, harness.ExecOn(conn, "ROLLBACK"))
	}
	for _, c := range changes {
		if c[2] == "1" {
			_, err = conn.ExecContext(ctx, "DELETE FROM r.bounded WHERE _id = ?", c[1])
		} else {
			_, err = conn.ExecContext(ctx, "REPLACE INTO r.bounded (_doc) VALUES (?)", c[3])
		}
		if err != nil {
			return 0, err
		}
	}
	if _, err := conn.ExecContext(ctx, "UPDATE r.checkpoint SET seq = ?, applied = applied + ? WHERE id = 2",
		changes[len(changes)-1][0], len(changes)); err != nil {
		return 0, err
	}
	return int64(len(changes)), harness.ExecOn(conn, "COMMIT")
}

// drained lets a consumer go on until there is nothing more.
func drained(t *testing.T, conn *sql.Conn, consume func(*sql.Conn) (int64, error)) {
	t.Helper()
	for n, failures := int64(1), 0; n > 0; {
		var err error
		if n, err = consume(conn); err != nil {
			n = 1
			// The jobs of the server write too.
			if failures++; harness.ErrorNumber(err) != 1213 || failures > 100 {
				t.Fatal(err)
			}
			harness.MustExec(t, conn, "ROLLBACK")
		}
	}
}

// compare compares the replicas with the source.
func compareReplicas(t *testing.T, db *sql.DB) (documents int) {
	t.Helper()
	pairs := map[string]string{"t": "bounded"}
	sides := func(source, replica, of, from string) {
		have, want := contents(t, db, fmt.Sprintf(of, "r."+replica)), contents(t, db, fmt.Sprintf(of, "d."+source))
		documents += len(want)
		if !maps.Equal(have, want) {
			for _, key := range slices.Sorted(maps.Keys(want)) {
				if have[key] != want[key] {
					t.Errorf("r.%s: %s is %.200q, in the source %.200q", replica, key, have[key], want[key])
				}
			}
			t.Fatalf("r.%s has %d documents, d.%s %d%s", replica, len(have), source, len(want), from)
		}
	}
	for name, key := range proofTables {
		of := "SELECT " + key + ", _doc FROM %s"
		if key == "id" { // without `_doc`: column by column
			var columns []string
			for _, c := range harness.Texts(
				t, db, "SELECT column_name FROM information_schema.columns WHERE table_schema = 'd' AND table_name = ? ORDER BY 1",
				name) {
				columns = append(columns, "COALESCE(`"+c+"`, 'NULL')")
			}
			of = "SELECT id, CONCAT_WS('|', " + strings.Join(columns, ", ") + ") FROM %s"
		}
		sides(name, name, of, "")
		if other, too := pairs[name]; too {
			sides(name, other, of, ", by the bounded consumer")
		}
	}
	return documents
}

// TestFeedConsumer: consumers tail the feeds, with their checkpoints in the transactions of their effects, while
// writers change documents of several tables at once, in batches too, definitions change and tables are truncated, and
// the server is killed or stopped; whenever they have read to the end, the replicas equal the source, and at no time is
// a transaction there by half.
func TestFeedConsumer(t *testing.T) {
	seed := seedOf(t)
	for _, e := range harness.Engines {
		t.Run(e.Name, func(t *testing.T) {
			serve := harness.Call{Args: []string{"serve", "--store", e.Place(t), "--listen", "127.0.0.1:0"}}
			p := harness.Spawn(t, serve)
			proofSetUp(t, harness.Connect(t, p.Addr, "", ""))
			for round := range *feedRounds {
				random := rand.New(rand.NewPCG(seed+uint64(round), 77))
				// A process that was killed holds its jobs for ten seconds: so in short runs they write documents where it is
				// stopped.
				stopped := round%2 == 1
				fills := stopped || *feedRounds > 3 && round%4 == 0
				w := &proofWorld{t: t, stop: make(chan struct{}), done: map[string]*atomic.Int64{}}
				source := func(n int) *rand.Rand { return rand.New(rand.NewPCG(seed+uint64(round), uint64(n))) }
				for id := range 7 {
					w.work(p.Addr, source(id), "", "writes", 0, proofWrite)
				}
				w.work(p.Addr, source(100), "", "statements in batches", 20*time.Millisecond, proofBatches)
				w.work(p.Addr, source(101), "", "definitions", 150*time.Millisecond,
					func(conn *sql.Conn, r *rand.Rand) error { return proofDefine(conn, r, fills) })
				for id := range 2 { // who share the checkpoints: their rows make them take turns
					w.work(p.Addr, source(200+id), "", "runs over all feeds", 10*time.Millisecond,
						func(conn *sql.Conn, _ *rand.Rand) error {
							_, err := w.consumeAll(conn)
							return err
						})
					w.work(p.Addr, source(300+id), "", "runs over one", 2*time.Millisecond, func(conn *sql.Conn,
						_ *rand.Rand) error {
						_, err := w.consumeSome(conn)
						return err
					})
				}
				time.Sleep(time.Duration(300+random.IntN(700)) * time.Millisecond)
				// on a busy machine
				harness.Eventually(t, func() string { return "nobody writes" },
					func() bool { return w.done["writes"].Load() >= 50 })
				if stopped {
					p.Stop()
				} else {
					p.Kill()
				}
				close(w.stop)
				w.running.Wait()
				p = harness.Spawn(t, serve)
				db := harness.Connect(t, p.Addr, "d", "")
				if fills {
					harness.WaitForJobs(t, db)
				}
				conn, err := db.Conn(context.Background())
				if err != nil {
					t.Fatal(err)
				}
				drained(t, conn, w.consumeAll)
				drained(t, conn, w.consumeSome)
				documents := compareReplicas(t, db)
				harness.CheckAll(t, db)
				var counts []string
				for _, kind := range slices.Sorted(maps.Keys(w.done)) {
					counts = append(counts, fmt.Sprintf("%d %s", w.done[kind].Load(), kind))
				}
				applied := harness.Texts(t, db, "SELECT applied FROM r.checkpoint ORDER BY id")
				t.Logf("seed %d: %d documents, %v changes applied; %s", seed+uint64(round), documents, applied,
					strings.Join(counts, ", "))
				if slices.Contains(applied, "0") {
					t.Error("nothing was applied")
				}
				_ = conn.Close()
				_ = db.Close()
			}
		})
	}
}

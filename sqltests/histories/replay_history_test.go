package histories

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/go-sql-driver/mysql"

	"github.com/sqlfdb/sqlfdb/sqltests/harness"
)

// replayWorld is what the clients of a history share.
type replayWorld struct {
	t     testing.TB
	under adversity
	began time.Time
	last  atomic.Int64 // the last number of a transaction
}

func (w *replayWorld) now() int64 { return time.Since(w.began).Nanoseconds() }

// replayClient runs transactions of any reads and writes, and notes what it saw.
type replayClient struct {
	*replayWorld
	id       int
	random   *rand.Rand
	conn     *sql.Conn
	history  []passage
	numbered map[int]int64 // by the number of a transaction: the AUTO_INCREMENT value that it was told
}

// fetch reads all rows as text, their columns joined.
func (c *replayClient) fetch(query string) ([]string, error) {
	rows, err := c.conn.QueryContext(context.Background(), query)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	columns, err := rows.Columns()
	if err != nil {
		return nil, err
	}
	var all []string
	for rows.Next() {
		values, targets := make([]sql.NullString, len(columns)), make([]any, len(columns))
		for i := range values {
			targets[i] = &values[i]
		}
		if err := rows.Scan(targets...); err != nil {
			return nil, err
		}
		var texts []string
		for _, v := range values {
			texts = append(texts, plainWhole(v))
		}
		all = append(all, strings.Join(texts, ","))
	}
	return all, rows.Err()
}

// plainWhole is the text of a number, without what a DOUBLE or DECIMAL adds to a whole one.
func plainWhole(v sql.NullString) string {
	if !v.Valid {
		return "NULL"
	}
	if f, err := strconv.ParseFloat(v.String, 64); err == nil && f == float64(int64(f)) {
		return strconv.FormatInt(int64(f), 10)
	}
	return v.String
}

// do runs a statement and notes what it answers.
func (c *replayClient) do(m *move) error {
	if strings.HasPrefix(m.query, "SELECT") {
		rows, err := c.fetch(m.query)
		if err != nil {
			return err
		}
		if !strings.Contains(m.query, "ORDER BY") {
			slices.Sort(rows)
		}
		m.saw = strings.Join(rows, "|")
		return nil
	}
	r, err := c.conn.ExecContext(context.Background(), m.query)
	var refused *mysql.MySQLError
	if errors.As(err, &refused) && refused.Number == 1062 {
		m.saw = "duplicate"
		return nil
	}
	if err != nil {
		return err
	}
	n, err := r.RowsAffected()
	m.saw = strconv.FormatInt(n, 10)
	return err
}

// number inserts the row that tells where a transaction stands.
func (c *replayClient) number(x int, query string) error {
	r, err := c.conn.ExecContext(context.Background(), query)
	if err != nil {
		return err
	}
	id, err := r.LastInsertId()
	c.numbered[x] = id
	return err
}

// savepoint moves.
var (
	setSavepoint = move{query: "SAVEPOINT s", saw: "0", apply: func(s *replayState) string {
		s.saved = s.clone()
		return "0"
	}}
	toSavepoint = move{query: "ROLLBACK TO SAVEPOINT s", saw: "0", apply: func(s *replayState) string {
		s.t, s.p = s.saved.t, s.saved.p
		s.saved = s.clone()
		return "0"
	}}
)

// transact implements contender.
func (c *replayClient) transact(conn *sql.Conn) bool {
	c.conn = conn
	if c.random.IntN(10) == 0 { // scans, whatever the index says
		if _, err := conn.ExecContext(context.Background(), "SET sqlfdb_use_index = OFF"); err != nil {
			return false
		}
		defer func() { _, _ = conn.ExecContext(context.Background(), "SET sqlfdb_use_index = ON") }()
	}
	p := passage{client: c.id, call: c.now()}
	switch c.random.IntN(8) {
	case 0, 1: // one SELECT alone
		m := replayQuestion(c.random, false)
		if c.random.IntN(10) == 0 {
			m = move{query: "SELECT COUNT(*) FROM t__changes WHERE NOT deleted",
				apply: func(s *replayState) string { return s.count(anyRow) }}
		}
		err := c.do(&m)
		if err == nil {
			p.moves = append(p.moves, m)
		}
		return c.end(p, err, false)
	case 2: // a statement alone that reads and writes: what it has read is in the log
		m := replayQuestion(c.random, true)
		p.x = int(c.last.Add(1))
		m.query = strings.Replace(m.query, "SELECT ", fmt.Sprintf("INSERT INTO log (x, v) SELECT %d, ", p.x), 1)
		p.moves = append(p.moves, m)
		return c.end(p, c.number(p.x, m.query), true)
	case 3:
		return c.several(p, "START TRANSACTION READ ONLY", false)
	}
	begin := []string{"BEGIN", "START TRANSACTION WITH CONSISTENT SNAPSHOT", "SET autocommit = 0"}
	return c.several(p, begin[c.random.IntN(len(begin))], true)
}

// end notes a transaction with what its last statement has met.
func (c *replayClient) end(p passage, err error, commits bool) bool {
	p.end = c.now()
	var refused *mysql.MySQLError
	usable := err == nil || errors.As(err, &refused)
	if err != nil {
		switch endingOf(err, commits) {
		case endingRefused:
			p.outcome = deedUndone
		case endingUnknown:
			p.outcome = deedUnknown
		case endingWrong:
			p.outcome = deedUndone
			if c.under != unguard {
				c.t.Errorf("%v: %v", p, err)
			}
		}
		if len(p.moves) > 0 && p.moves[len(p.moves)-1].saw == "" &&
			strings.HasPrefix(p.moves[len(p.moves)-1].query, "INSERT INTO log") && p.outcome == deedUndone {
			p.moves = nil // it has told nothing
		}
	}
	c.history = append(c.history, p)
	return usable
}

// several runs a transaction of several statements.
func (c *replayClient) several(p passage, begin string, writes bool) bool {
	ctx := context.Background()
	if _, err := c.conn.ExecContext(ctx, begin); err != nil {
		var refused *mysql.MySQLError
		return errors.As(err, &refused)
	}
	if begin == "SET autocommit = 0" {
		defer func() { _, _ = c.conn.ExecContext(ctx, "SET autocommit = 1") }()
	}
	failed := func(err error) bool {
		if usable := c.end(p, err, false); !usable {
			return false
		}
		_, err = c.conn.ExecContext(ctx, "ROLLBACK")
		return err == nil
	}
	moves := 1 + c.random.IntN(4)
	place := -1
	if writes {
		p.x = int(c.last.Add(1))
		place = c.random.IntN(moves + 1)
	}
	saved := false
	for i := range moves + 1 {
		if i == place {
			if err := c.number(p.x, fmt.Sprintf("INSERT INTO log (x) VALUES (%d)", p.x)); err != nil {
				return failed(err)
			}
		}
		if i == moves {
			break
		}
		var next []move
		switch n := c.random.IntN(10); {
		case n < 4 || !writes:
			next = append(next, replayQuestion(c.random, false))
		case n == 4 && !saved && i >= place: // the log's row stays
			saved = true
			next = append(next, setSavepoint, replayChange(c.random), replayQuestion(c.random, false), toSavepoint)
		default:
			next = append(next, replayChange(c.random))
		}
		for _, m := range next {
			if err := c.do(&m); err != nil {
				return failed(err)
			}
			p.moves = append(p.moves, m)
		}
	}
	end := "COMMIT"
	if writes && c.random.IntN(12) == 0 {
		end = "ROLLBACK"
	}
	_, err := c.conn.ExecContext(ctx, end)
	if err == nil && end == "ROLLBACK" {
		p.outcome = deedUndone
	}
	return c.end(p, err, writes && end == "COMMIT")
}

// replayHistory runs one history and returns what is wrong with it.
func replayHistory(t testing.TB, e harness.Engine, under adversity, servers int, seed uint64) []string {
	t.Helper()
	w := &replayWorld{t: t, under: under, began: time.Now()}
	start := &replayState{t: map[int]replayRow{}, p: map[int]int{}}
	prepare := func(db *sql.DB) {
		harness.ExecAll(t, db, "CREATE DATABASE d",
			"CREATE TABLE d.t (_id INT PRIMARY KEY, u INT UNIQUE, _doc JSON)",
			"CREATE TABLE d.p (_id INT PRIMARY KEY, k INT, _doc JSON)",
			"CREATE TABLE d.log (id BIGINT AUTO_INCREMENT PRIMARY KEY, x INT, v BIGINT)",
			"CREATE UNIQUE INDEX gw ON d.t (g, w)", "CREATE INDEX gn ON d.t (g, n)")
		random := rand.New(rand.NewPCG(seed, 55))
		for id := range replayIDs / 2 {
			row, text := randomRow(random, id)
			if start.takes(row, id) {
				continue
			}
			start.t[id] = row
			harness.ExecAll(t, db, fmt.Sprintf("INSERT INTO d.t (_doc) VALUES ('%s')", text))
		}
		for id := range replayPs {
			start.p[id] = random.IntN(replayNs)
			harness.ExecAll(t, db, fmt.Sprintf("INSERT INTO d.p (_id, k) VALUES (%d, %d)", id, start.p[id]))
		}
	}
	clients, all := make([]*replayClient, 6), make([]contender, 6)
	for id := range clients {
		clients[id] = &replayClient{replayWorld: w, id: id, random: rand.New(rand.NewPCG(seed, uint64(id))),
			numbered: map[int]int64{}}
		all[id] = clients[id]
	}
	definitions := &definer{t: t, random: rand.New(rand.NewPCG(seed, 98)), statements: []string{
		"CREATE INDEX x%d ON t (n, g)", "DROP INDEX x%d ON t", "CREATE UNIQUE INDEX u%d ON t (u, n)", "DROP INDEX u%d ON t",
		"CREATE INDEX x%d ON p (k, _id)", "DROP INDEX x%d ON p",
		"ALTER TABLE t ADD COLUMN e%d INT DEFAULT 3", "ALTER TABLE t DROP COLUMN e%d", "ALTER TABLE p MODIFY k BIGINT",
		"ALTER TABLE p MODIFY k INT", "CREATE INDEX x%d ON log (x, v)", "DROP INDEX x%d ON log",
		`ALTER TABLE t ENGINE_ATTRIBUTE '{"max_depth": 2}'`, `ALTER TABLE t ENGINE_ATTRIBUTE '{}'`,
		"ALTER TABLE t RENAME COLUMN e0 TO e%d", "ALTER TABLE t ADD COLUMN o%d TEXT",
	}}
	if under != unguard && under != outdated { // which would show in the definitions
		all = append(all, definitions)
	}
	db := contend(t, e, under, servers, seed, prepare, all)
	// The order of commits, and what statements that have written what they had read have read.
	places, values, ids := map[int]int{}, map[int]string{}, map[int]int64{}
	rows, err := db.Query("SELECT c.seq, l.id, l.x, l.v FROM log__changes c JOIN log l ON l.id = c.id ORDER BY c.seq")
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	for last := ""; rows.Next(); {
		var seq string
		var x int
		var id int64
		var v sql.NullString
		if err := rows.Scan(&seq, &id, &x, &v); err != nil {
			t.Fatal(err)
		}
		if seq <= last {
			t.Fatalf("sequence %s after %s", seq, last)
		}
		if _, twice := places[x]; twice {
			return []string{fmt.Sprintf("number %d has committed twice", x)}
		}
		last, places[x], values[x], ids[x] = seq, len(places), plainWhole(v), id
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	var wrong []string
	var history []passage
	count := map[deedOutcome]int{}
	for _, c := range clients {
		for _, p := range c.history {
			count[p.outcome]++
			if n := len(p.moves); n == 1 && strings.HasPrefix(p.moves[0].query, "INSERT INTO log") {
				p.moves = slices.Clone(p.moves)
				if v, there := values[p.x]; there {
					p.moves[0].saw = v
				} else {
					p.moves = nil
				}
			}
			if told, there := c.numbered[p.x], ids[p.x]; p.outcome == deedDone && p.x > 0 && there > 0 && told != there {
				wrong = append(wrong, fmt.Sprintf("client %d was told of AUTO_INCREMENT %d, there is %d", p.client, told, there))
			}
			history = append(history, p)
		}
	}
	final := passage{client: len(clients), call: w.now(),
		moves: []move{{query: "SELECT _id, n FROM t WHERE n IS NOT NULL",
			apply: func(s *replayState) string { return s.pairs(s.where(nBetween(-1e6, 1e6))) }}}}
	last := &replayClient{replayWorld: w}
	if last.conn, err = db.Conn(context.Background()); err != nil {
		t.Fatal(err)
	}
	defer last.conn.Close()
	if err := last.do(&final.moves[0]); err != nil {
		if under == unguard { // which may have lost counts, too
			return []string{"lost: " + err.Error()}
		}
		t.Fatal(err)
	}
	final.end = w.now()
	t.Logf("%s: transactions: %d done, %d of them or unknown ones with writes, %d unknown, %d refused or rolled "+
		"back; %d changes of "+
		"definitions", under, count[deedDone], len(places), count[deedUnknown], count[deedUndone], definitions.done)
	if under != unguard {
		harness.CheckAll(t, db)
	}
	return append(wrong, checkReplay(start, append(history, final), places)...)
}

// TestReplay: concurrent transactions of any reads and writes see what they would see one after the other in the order
// of their changes' sequences, also when the server is killed, the store has faults or connections are lost.
func TestReplay(t *testing.T) {
	seed := seedOfContenders(t)
	for _, e := range harness.Engines {
		for _, under := range []adversity{calm, killed, faulty, cut} {
			for _, servers := range fleetSizes(under) {
				t.Run(fmt.Sprintf("%s/%s/%d", e.Name, under, servers), func(t *testing.T) {
					for round := range *contendRounds {
						for i, a := range replayHistory(t, e, under, servers, seed+uint64(round)) {
							if i < 5 {
								t.Errorf("seed %d: %s", seed+uint64(round), a)
							}
						}
					}
				})
			}
		}
	}
}

// TestReplayShows: the histories of stores that are not serializable, or not strictly, show it.
func TestReplayShows(t *testing.T) {
	seed := seedOfContenders(t)
	for _, e := range harness.Engines {
		for under, shows := range map[adversity]string{unguard: "write: ", outdated: "read: "} {
			t.Run(e.Name+"/"+string(under), func(t *testing.T) {
				for round := range 20 {
					if slices.ContainsFunc(replayHistory(t, e, under, 1, seed+uint64(round)),
						func(a string) bool { return strings.HasPrefix(a, shows) }) {
						return
					}
				}
				t.Errorf("no history shows %s", shows)
			})
		}
	}
}

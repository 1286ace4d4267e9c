package histories

import (
	"context"
	"database/sql"
	"errors"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/anishathalye/porcupine"
	"github.com/go-sql-driver/mysql"

	"github.com/sqlfdb/sqlfdb/internal/testseed"
	"github.com/sqlfdb/sqlfdb/sqltests/harness"
)

var (
	historySeed   = flag.Uint64("history-seed", 0, "the seed of the histories of transactions; 0 picks one")
	historyRounds = flag.Int("history-rounds", 2, "how many histories are checked")
)

// The transactions of a history are lists of steps on a few documents, each of which has a list,
// and the length of its list as an indexed number. What clients saw is checked from
// outside: there must be one order of all transactions, which agrees with real time, in which
// each would have seen that.

const historyKeys = 5

// step is one statement of a transaction.
type step struct {
	op  string // append, read, all, longer, insert, delete
	key int
	n   int
	// What was seen: a list, "-" for no document; all lists; a number.
	saw string
}

// lists is the state: of each document its list, noList if there is none.
type lists [historyKeys]string

const noList = "-"

// apply does a step on a state, and tells what it must have seen.
func (s step) apply(l *lists) string {
	switch s.op {
	case "append": // rows found
		if l[s.key] == noList {
			return "0"
		}
		l[s.key] += strconv.Itoa(s.n) + ","
		return "1"
	case "read":
		return l[s.key]
	case "all":
		return strings.Join(l[:], " ")
	case "longer":
		count := 0
		for _, text := range l {
			if text != noList && strings.Count(text, ",") >= s.n {
				count++
			}
		}
		return strconv.Itoa(count)
	case "insert": // rows inserted, or that there is one
		if l[s.key] != noList {
			return "duplicate"
		}
		l[s.key] = ""
		return "1"
	case "delete":
		was := l[s.key]
		l[s.key] = noList
		if was == noList {
			return "0"
		}
		return "1"
	}
	panic("no step " + s.op)
}

// happened is the outcome of a transaction: whether it is known to have happened. One that is known
// not to have is in no history.
type happened bool

// serial is the specification: transactions one after the other.
var serial = porcupine.NondeterministicModel{
	Init: func() []interface{} {
		var l lists
		for k := range l {
			l[k] = noList
		}
		return []interface{}{l}
	},
	Step: func(state, input, output interface{}) []interface{} {
		l := state.(lists)
		for _, s := range input.([]step) {
			if saw := s.apply(&l); bool(output.(happened)) && saw != s.saw {
				return nil
			}
		}
		if output.(happened) {
			return []interface{}{l}
		}
		return []interface{}{l, state}
	},
	Equal: func(a, b interface{}) bool { return a.(lists) == b.(lists) },
}

// run does a step in a transaction.
func (s *step) run(ctx context.Context, conn *sql.Conn) error {
	var err error
	changed := func(query string) {
		var r sql.Result
		if r, err = conn.ExecContext(ctx, query); err == nil {
			var n int64
			n, err = r.RowsAffected()
			s.saw = strconv.FormatInt(n, 10)
		}
	}
	switch s.op {
	case "append":
		changed(fmt.Sprintf("UPDATE h SET l = CONCAT(l, '%d,'), n = n + 1 WHERE _id = %d", s.n, s.key))
	case "insert":
		changed(fmt.Sprintf("INSERT INTO h (_id, l, n) VALUES (%d, '', 0)", s.key))
		var refused *mysql.MySQLError
		if errors.As(err, &refused) && refused.Number == 1062 {
			s.saw, err = "duplicate", nil
		}
	case "delete":
		changed(fmt.Sprintf("DELETE FROM h WHERE _id = %d", s.key))
	case "longer":
		err = conn.QueryRowContext(ctx, fmt.Sprintf("SELECT COUNT(*) FROM h WHERE n >= %d", s.n)).Scan(&s.saw)
	case "read", "all":
		query := "SELECT _id, l FROM h"
		if s.op == "read" {
			query += fmt.Sprintf(" WHERE _id = %d", s.key)
		}
		var rows *sql.Rows
		if rows, err = conn.QueryContext(ctx, query); err != nil {
			return err
		}
		defer rows.Close()
		var l lists
		for k := range l {
			l[k] = noList
		}
		for rows.Next() {
			var k int
			var text string
			if err := rows.Scan(&k, &text); err != nil {
				return err
			}
			l[k] = text
		}
		err = rows.Err()
		if s.saw = strings.Join(l[:], " "); s.op == "read" {
			s.saw = l[s.key]
		}
	}
	return err
}

// historyClient runs transactions and writes down what it saw.
type historyClient struct {
	id      int
	random  *rand.Rand
	began   time.Time // of the history
	history []porcupine.Operation
}

func (c *historyClient) steps() []step {
	ops := []string{"append", "append", "append", "read", "read", "all", "longer", "insert", "delete"}
	steps := make([]step, 1+c.random.IntN(4))
	for i := range steps {
		steps[i] = step{op: ops[c.random.IntN(len(ops))], key: c.random.IntN(historyKeys), n: c.random.IntN(1000)}
		if steps[i].op == "longer" {
			steps[i].n = c.random.IntN(4)
		}
	}
	return steps
}

// transact runs one transaction and notes it, unless it is known not to have happened. It reports
// whether the connection can be used again.
func (c *historyClient) transact(ctx context.Context, conn *sql.Conn) bool {
	steps := c.steps()
	explicit := len(steps) > 1 || c.random.IntN(2) == 0
	call := time.Since(c.began).Nanoseconds()
	note := func(known happened) {
		end := time.Since(c.began).Nanoseconds()
		if !known {
			end = math.MaxInt64
		}
		c.history = append(c.history, porcupine.Operation{ClientId: c.id, Input: steps, Output: known, Call: call,
			Return: end})
	}
	if explicit {
		if _, err := conn.ExecContext(ctx, "BEGIN"); err != nil {
			return false
		}
	}
	for i := range steps {
		err := steps[i].run(ctx, conn)
		if err == nil {
			continue
		}
		var refused *mysql.MySQLError
		if errors.As(err, &refused) {
			if explicit {
				_, err = conn.ExecContext(ctx, "ROLLBACK")
				return err == nil
			}
			return true
		}
		if !explicit {
			note(false) // the server is gone
		}
		return false
	}
	if !explicit {
		note(true)
		return true
	}
	_, err := conn.ExecContext(ctx, "COMMIT")
	var refused *mysql.MySQLError
	switch {
	case err == nil:
		note(true)
	case errors.As(err, &refused):
		// 1213 and 1205 tell that nothing has happened.
		if refused.Number != 1213 && refused.Number != 1205 {
			note(false)
		}
	default:
		note(false)
		return false
	}
	return true
}

// define changes definitions until the function that it returns is called, which tells how many: those of other
// tables, and in the second life of a history that of its own table.
func define(t *testing.T, db *sql.DB, life int) (ended func() int) {
	stmts := []string{"CREATE TABLE IF NOT EXISTS other (id INT PRIMARY KEY, a INT)",
		"INSERT IGNORE INTO other VALUES (1, 2)", "ALTER TABLE other MODIFY a VARCHAR(9)"}
	if life > 0 {
		stmts = append(stmts, "CREATE INDEX hn ON h (n, _id)", "ALTER TABLE h MODIFY n BIGINT", "DROP INDEX hn ON h",
			"ALTER TABLE h MODIFY n INT", "ALTER TABLE h ADD COLUMN m INT DEFAULT 4", "ALTER TABLE h DROP COLUMN m")
	}
	stmts = append(stmts, "DROP TABLE other")
	ctx, stop := context.WithCancel(context.Background())
	var running sync.WaitGroup
	done := 0
	running.Go(func() {
		for i := 0; ctx.Err() == nil; {
			_, err := db.ExecContext(context.Background(), stmts[i%len(stmts)])
			var refused *mysql.MySQLError
			switch {
			case err == nil:
				i, done = i+1, done+1
			case !errors.As(err, &refused): // the server is gone
				return
			case refused.Number != 1213 && refused.Number != 1205:
				t.Errorf("%s: %v", stmts[i%len(stmts)], err)
				return
			}
			time.Sleep(5 * time.Millisecond)
		}
	})
	return func() int {
		stop()
		running.Wait()
		return done
	}
}

// TestHistories: transactions of concurrent clients, some of whose servers are killed, are strictly
// serializable, whatever is defined beside them.
func TestHistories(t *testing.T) {
	seed := testseed.Of(t, "history-seed", *historySeed)
	for round := range *historyRounds {
		dir := t.TempDir()
		p := harness.Spawn(t, harness.ServeCall(t, dir))
		db := harness.Connect(t, p.Addr, "", "")
		harness.ExecAll(t, db, "CREATE DATABASE d", "CREATE TABLE d.h (_id INT PRIMARY KEY, l TEXT, n INT, _doc JSON)")
		began := time.Now()
		clients := make([]*historyClient, 6)
		for id := range clients {
			clients[id] = &historyClient{id: id, random: rand.New(rand.NewPCG(seed+uint64(round), uint64(id))), began: began}
		}
		for life := range 2 {
			var running sync.WaitGroup
			db := harness.Connect(t, p.Addr, "d", "?clientFoundRows=true")
			for _, c := range clients {
				running.Go(func() {
					conn, err := db.Conn(context.Background())
					if err != nil {
						return
					}
					defer conn.Close()
					most := 25
					if life == 0 {
						most = 150 // the server does not live so long
					}
					for range most {
						if !c.transact(context.Background(), conn) {
							return
						}
					}
				})
			}
			definitions := define(t, db, life)
			if life == 0 {
				time.Sleep(time.Duration(30+rand.New(rand.NewPCG(seed, uint64(round))).IntN(200)) * time.Millisecond)
				p.Kill()
			}
			running.Wait()
			t.Logf("round %d: %d definitions meanwhile", round, definitions())
			_ = db.Close()
			if life == 0 {
				p = harness.Spawn(t, harness.ServeCall(t, dir))
			}
		}
		var history []porcupine.Operation
		unknown := 0
		for _, c := range clients {
			for _, o := range c.history {
				if !o.Output.(happened) {
					unknown++
				}
			}
			history = append(history, c.history...)
		}
		began = time.Now()
		result := porcupine.CheckOperationsTimeout(serial.ToModel(), history, harness.Patience)
		t.Logf("round %d: %d transactions, %d of unknown outcome: %s in %v", round, len(history), unknown, result,
			time.Since(began).Round(time.Millisecond))
		if result != porcupine.Ok {
			for _, o := range history {
				t.Logf("client %d, %d to %d, %v: %+v", o.ClientId, o.Call, o.Return, o.Output, o.Input)
			}
			t.Errorf("the history is %s", result)
		}
		db = harness.Connect(t, p.Addr, "d", "")
		harness.CheckAll(t, db)
		_ = db.Close()
		p.Stop()
	}
}

// TestHistoryChecker: the checker finds what isolation levels below allow.
func TestHistoryChecker(t *testing.T) {
	at := func(client int, call, end int64, steps ...step) porcupine.Operation {
		return porcupine.Operation{ClientId: client, Input: steps, Output: happened(true), Call: call, Return: end}
	}
	begin := at(0, 0, 1, step{op: "insert", key: 0, saw: "1"}, step{op: "insert", key: 1, saw: "1"})
	for name, c := range map[string]struct {
		history []porcupine.Operation
		ok      bool
	}{
		"one after the other": {[]porcupine.Operation{begin,
			at(1, 2, 3, step{op: "append", key: 0, n: 7, saw: "1"}), at(2, 4, 5, step{op: "read", key: 0, saw: "7,"})}, true},
		"stale read": {[]porcupine.Operation{begin,
			at(1, 2, 3, step{op: "append", key: 0, n: 7, saw: "1"}), at(2, 4, 5, step{op: "read", key: 0, saw: ""})}, false},
		"write skew": {[]porcupine.Operation{begin,
			at(1, 2, 9, step{op: "read", key: 0, saw: ""}, step{op: "append", key: 1, n: 1, saw: "1"}),
			at(2, 2, 9, step{op: "read", key: 1, saw: ""}, step{op: "append", key: 0, n: 2, saw: "1"})}, false},
		"phantom": {[]porcupine.Operation{begin,
			at(1, 2, 9, step{op: "longer", n: 1, saw: "0"}, step{op: "append", key: 1, n: 1, saw: "1"}),
			at(2, 2, 9, step{op: "longer", n: 1, saw: "0"}, step{op: "append", key: 0, n: 2, saw: "1"})}, false},
		"unknown, seen": {[]porcupine.Operation{begin,
			{ClientId: 1, Input: []step{{op: "append", key: 0, n: 7}}, Output: happened(false), Call: 2, Return: math.MaxInt64},
			at(2, 4, 5, step{op: "read", key: 0, saw: "7,"})}, true},
		"unknown, seen and gone": {[]porcupine.Operation{begin,
			{ClientId: 1, Input: []step{{op: "append", key: 0, n: 7}}, Output: happened(false), Call: 2, Return: math.MaxInt64},
			at(2, 4, 5, step{op: "read", key: 0, saw: "7,"}), at(2, 6, 7, step{op: "read", key: 0, saw: ""})}, false},
	} {
		if ok := porcupine.CheckOperations(serial.ToModel(), c.history); ok != c.ok {
			t.Errorf("%s: %v", name, ok)
		}
	}
}

package histories

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/go-sql-driver/mysql"

	"github.com/sqlfdb/sqlfdb/internal/testseed"
	"github.com/sqlfdb/sqlfdb/sqltests/harness"
)

// Keys of the histories: the lists, and the registers behind them.
const (
	listKeys      = 6
	registerKeys  = 4
	firstRegister = 100
)

// cycleTables are the lists, each kept twice, as text and as an array, and the registers, whose revisions tell the
// order of their versions.
func cycleTables(t testing.TB) func(*sql.DB) {
	return func(db *sql.DB) {
		harness.ExecAll(t, db, "CREATE DATABASE d",
			"CREATE TABLE d.l (_id INT PRIMARY KEY, v TEXT, _doc JSON)",
			"CREATE TABLE d.r (_id INT PRIMARY KEY, v INT, _doc JSON)",
			"CREATE INDEX kn ON d.l (k, n)", "CREATE UNIQUE INDEX nk ON d.l (n, k)", "CREATE UNIQUE INDEX vi ON d.r (v, _id)")
		for k := range listKeys {
			harness.ExecAll(t, db,
				fmt.Sprintf(`INSERT INTO d.l (_doc) VALUES ('{"_id": %d, "k": %d, "v": "", "a": [], "n": 0}')`, k, k))
		}
		for k := range registerKeys {
			harness.ExecAll(t, db, fmt.Sprintf("INSERT INTO d.r (_id, v) VALUES (%d, 0)", firstRegister+k))
		}
	}
}

// cycleWorld is what the clients of a history share.
type cycleWorld struct {
	began time.Time
	last  atomic.Int64 // the last value written

	mu    sync.Mutex
	order map[int]map[int]int // of registers: the revision at which each value was seen
	wrong []string            // what is wrong whatever stands before what
}

// say notes what is wrong.
func (w *cycleWorld) say(format string, args ...any) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.wrong = append(w.wrong, fmt.Sprintf(format, args...))
}

func (w *cycleWorld) now() int64 { return time.Since(w.began).Nanoseconds() }

func (w *cycleWorld) fresh() int { return int(w.last.Add(1)) }

// seen notes a register's value with its revision, `position-hash`.
func (w *cycleWorld) seen(key, value int, rev string) error {
	text, _, _ := strings.Cut(rev, "-")
	place, err := strconv.Atoi(text)
	if err != nil {
		return fmt.Errorf("revision %q of register %d", rev, key)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if value == 0 {
		return nil
	}
	if had, known := w.order[key][value]; known && had != place {
		w.wrong = append(w.wrong, fmt.Sprintf("value %d of register %d has revisions %d and %d", value, key, had, place))
	}
	w.order[key][value] = place
	return nil
}

// cycleClient runs transactions on lists and registers, and notes what it saw.
type cycleClient struct {
	*cycleWorld
	id     int
	random *rand.Rand
	deeds  []deed
	conn   *sql.Conn
	now    *deed // the transaction that runs
	wrote  map[int]bool
}

func (c *cycleClient) exec(format string, args ...any) (int64, error) {
	r, err := c.conn.ExecContext(context.Background(), fmt.Sprintf(format, args...))
	if err != nil {
		return 0, err
	}
	return r.RowsAffected()
}

func (c *cycleClient) note(d deed, o deedOutcome) {
	d.outcome, d.end = o, c.cycleWorld.now()
	if o == deedUnknown {
		d.end = math.MaxInt64
	}
	c.deeds = append(c.deeds, d)
}

// undo notes values that must never be seen.
func (c *cycleClient) undo(key int, values ...int) {
	d := deed{client: c.id, call: c.cycleWorld.now(), outcome: deedUndone}
	for _, v := range values {
		d.accesses = append(d.accesses, access{write: true, key: key, value: v})
	}
	c.deeds = append(c.deeds, d)
}

func parseList(text string) ([]int, error) {
	values := []int{}
	for _, word := range strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune("[], ", r) }) {
		n, err := strconv.Atoi(word)
		if err != nil {
			return nil, fmt.Errorf("a list that is no list: %q", text)
		}
		values = append(values, n)
	}
	return values, nil
}

// Ways to read one list, and all.
var (
	waysOfOne = []string{
		"SELECT v FROM l WHERE _id = %d", "SELECT v FROM l WHERE k = %d", "SELECT a FROM l WHERE _id = %d",
		"SELECT a FROM l WHERE k = %d",
		"SELECT v FROM l WHERE CONCAT(k) = '%d'", "SELECT _doc->>'$.v' FROM l WHERE _id = %d FOR UPDATE",
		"SELECT v FROM l WHERE _doc->'$.k' = %d AND n >= 0",
		"SELECT COALESCE(GROUP_CONCAT(_value ORDER BY _idx), '') FROM l__a WHERE _id = %d",
		"SELECT l.v FROM r JOIN l ON l.k = r._id - 100 + %d WHERE r._id = 100",
		"SELECT v FROM l WHERE k >= %[1]d ORDER BY k LIMIT 1",
		"SELECT v FROM l FORCE INDEX (kn) WHERE k = %d AND n >= 0",
		"SELECT v FROM l FORCE INDEX (kn) WHERE k = %d ORDER BY n DESC LIMIT 1",
		"SELECT v FROM l FORCE INDEX (nk) WHERE n >= 0 AND k = %d",
		"SELECT COALESCE(GROUP_CONCAT(e._value ORDER BY e._idx), '') FROM l JOIN l__a e ON e._id = l._id WHERE l.k = %d",
		"SELECT MAX(v) FROM l WHERE _id = %d", "SELECT v FROM l WHERE k = %d OR k = -1",
		"SELECT IF(%d >= 0, MAX(v), 0) FROM l WHERE k = %[1]d GROUP BY k",
	}
	waysOfAll = []string{
		"SELECT _id, v FROM l", "SELECT k, a FROM l", "SELECT _id, v FROM l ORDER BY n DESC, _id",
		"SELECT k, v FROM l WHERE k BETWEEN 0 AND 100",
		"SELECT l._id, COALESCE(GROUP_CONCAT(e._value ORDER BY e._idx), '') FROM l LEFT JOIN l__a e ON e._id = l._id " +
			"GROUP BY l._id",
		"SELECT k, v FROM l FORCE INDEX (kn) WHERE k >= 0 ORDER BY k, n",
		"SELECT k, v FROM l FORCE INDEX (nk) WHERE n >= 0 ORDER BY n",
		"SELECT _id, v FROM l WHERE _id < 3 UNION ALL SELECT _id, a FROM l WHERE _id >= 3",
		// the feed, of which reads make no conflicts: the last one
		"SELECT _id, _doc->>'$.v' FROM l__changes WHERE NOT deleted",
	}
)

// readOne reads one list.
func (c *cycleClient) readOne(key int) error {
	var text string
	way := waysOfOne[c.random.IntN(len(waysOfOne))]
	if err := c.conn.QueryRowContext(context.Background(), fmt.Sprintf(way, key)).Scan(&text); err != nil {
		return fmt.Errorf("%s: %w", fmt.Sprintf(way, key), err)
	}
	saw, err := parseList(text)
	c.now.accesses = append(c.now.accesses, access{key: key, saw: saw})
	return err
}

// someWay is a way to read all lists. only: the transaction only reads.
func (c *cycleClient) someWay(only bool) string {
	ways := waysOfAll
	if !only {
		ways = ways[:len(ways)-1]
	}
	return ways[c.random.IntN(len(ways))]
}

// readAll reads all lists in one of waysOfAll.
func (c *cycleClient) readAll(way string) error {
	rows, err := c.conn.QueryContext(context.Background(), way)
	if err != nil {
		return err
	}
	defer rows.Close()
	count := 0
	for rows.Next() {
		var key int
		var text string
		if err := rows.Scan(&key, &text); err != nil {
			return err
		}
		saw, err := parseList(text)
		if err != nil {
			return err
		}
		c.now.accesses = append(c.now.accesses, access{key: key, saw: saw})
		count++
	}
	if err := rows.Err(); err != nil {
		return err
	}
	if count != listKeys {
		return fmt.Errorf("%s: %d lists of %d", way, count, listKeys)
	}
	return nil
}

// readRegister reads a register with its revision.
func (c *cycleClient) readRegister(key int) error {
	var value int
	var rev string
	if err := c.conn.QueryRowContext(context.Background(),
		fmt.Sprintf("SELECT v, sqlfdb_rev('d.r', _id) FROM r WHERE _id = %d", key)).Scan(&value, &rev); err != nil {
		return err
	}
	var saw []int
	if value != 0 {
		saw = []int{value}
	}
	c.now.accesses = append(c.now.accesses, access{key: key, saw: saw})
	if c.wrote[key] {
		return nil // its revision will be another one
	}
	return c.seen(key, value, rev)
}

// append appends a value to a list.
func (c *cycleClient) append(key int, explicit bool) error {
	value := c.fresh()
	const change = "v = CONCAT(v, '%[2]d,'), a = JSON_ARRAY_APPEND(a, '$', %[2]d), n = n + 1"
	var format string
	switch c.random.IntN(6) {
	case 0:
		format = "INSERT INTO l (_id, v) VALUES (%[1]d, 'none') ON DUPLICATE KEY UPDATE " + change
	case 1:
		format = "UPDATE l SET " + change + " WHERE k = %[1]d"
	case 2:
		format = "UPDATE l SET " + change + " WHERE k <= %[1]d ORDER BY k DESC LIMIT 1"
	case 3:
		if explicit { // reads, and writes the whole document
			if err := c.readOne(key); err != nil {
				return err
			}
			saw := c.now.accesses[len(c.now.accesses)-1].saw
			text := ""
			for _, v := range append(saw[:len(saw):len(saw)], value) {
				text += strconv.Itoa(v) + ","
			}
			format = fmt.Sprintf(`REPLACE INTO l (_doc) VALUES ('{"_id": %%[1]d, "k": %%[1]d, "v": "%s", "a": [%s], "n": `+
				`%d, "by": %%[2]d}')`, text, strings.TrimSuffix(text, ","), len(saw)+1)
			break
		}
		fallthrough
	default:
		format = "UPDATE l SET " + change + " WHERE _id = %[1]d"
	}
	c.now.accesses = append(c.now.accesses, access{write: true, key: key, value: value})
	c.wrote[key] = true
	n, err := c.exec(format, key, value)
	if err == nil && n == 0 {
		err = fmt.Errorf("list %d is not there", key)
	}
	return err
}

// put writes a register.
func (c *cycleClient) put(key int) error {
	value := c.fresh()
	c.now.accesses = append(c.now.accesses, access{write: true, key: key, value: value})
	c.wrote[key] = true
	format := "UPDATE r SET v = %[2]d WHERE _id = %[1]d"
	if c.random.IntN(3) == 0 {
		format = "REPLACE INTO r (_id, v) VALUES (%d, %d)"
	}
	_, err := c.exec(format, key, value)
	return err
}

// fail runs a statement that fails after it has written, or undoes one by a savepoint: what it wrote is never seen.
func (c *cycleClient) fail(key int) error {
	value := c.fresh()
	c.undo(key, value)
	var format string
	var number uint16
	switch c.random.IntN(3) {
	case 0:
		for _, s := range []string{"SAVEPOINT s",
			"UPDATE l SET v = CONCAT(v, '%[2]d,'), a = JSON_ARRAY_APPEND(a, '$', %[2]d) WHERE _id = %[1]d",
			"ROLLBACK TO SAVEPOINT s", "RELEASE SAVEPOINT s"} {
			if strings.Contains(s, "%") {
				s = fmt.Sprintf(s, key, value)
			}
			if _, err := c.exec("%s", s); err != nil {
				return err
			}
		}
		return nil
	case 1:
		format, number = "INSERT INTO l (_id, k, v) VALUES (%[1]d + 1000, %[1]d, '%[2]d,'), (%[1]d, %[1]d, '%[2]d,')", 1062
	case 2:
		format, number = "UPDATE l SET v = CONCAT(v, '%[2]d,'), a = JSON_ARRAY_APPEND(a, '$', %[2]d), _id = IF(_id = "+
			"5, 0, _id)", 1062
	}
	_, err := c.exec(format, key, value)
	var refused *mysql.MySQLError
	if errors.As(err, &refused) && refused.Number == number {
		return nil
	}
	if err == nil {
		err = fmt.Errorf("it does not fail: %s", fmt.Sprintf(format, key, value))
	}
	return err
}

// transact implements contender.
func (c *cycleClient) transact(conn *sql.Conn) bool {
	c.conn, c.wrote = conn, map[int]bool{}
	c.now = &deed{client: c.id, call: c.cycleWorld.now()}
	list, register := c.random.IntN(listKeys), firstRegister+c.random.IntN(registerKeys)
	switch c.random.IntN(6) {
	case 0: // one statement alone that writes
		if c.random.IntN(3) == 0 {
			return c.alone(c.put(register))
		}
		return c.alone(c.append(list, false))
	case 1: // one that reads
		switch c.random.IntN(3) {
		case 0:
			return c.alone(c.readRegister(register))
		case 1:
			return c.alone(c.readAll(c.someWay(true)))
		}
		return c.alone(c.readOne(list))
	case 2:
		return c.optimistic(list)
	case 3:
		return c.several("START TRANSACTION READ ONLY", true)
	}
	begin := []string{"BEGIN", "START TRANSACTION", "START TRANSACTION WITH CONSISTENT SNAPSHOT", "SET autocommit = 0"}
	return c.several(begin[c.random.IntN(len(begin))], false)
}

// alone ends a transaction of one statement.
func (c *cycleClient) alone(err error) bool {
	if err == nil {
		c.note(*c.now, deedDone)
		return true
	}
	outcome, ok := c.judge(err, len(c.wrote) > 0)
	c.note(*c.now, outcome)
	return ok
}

// judge tells what an error says of a transaction, and whether the connection can be used again.
func (c *cycleClient) judge(err error, commits bool) (deedOutcome, bool) {
	var refused *mysql.MySQLError
	usable := errors.As(err, &refused)
	switch endingOf(err, commits) {
	case endingUnknown:
		return deedUnknown, usable
	case endingWrong:
		c.say("client %d: %v: %v", c.id, *c.now, err)
	}
	return deedUndone, usable
}

// several runs a transaction of several statements.
func (c *cycleClient) several(begin string, only bool) bool {
	if _, err := c.exec("%s", begin); err != nil {
		_, ok := c.judge(err, false)
		return ok
	}
	if begin == "SET autocommit = 0" {
		defer func() { _, _ = c.conn.ExecContext(context.Background(), "SET autocommit = 1") }()
	}
	for range 1 + c.random.IntN(4) {
		list, register := c.random.IntN(listKeys), firstRegister+c.random.IntN(registerKeys)
		var err error
		switch n := c.random.IntN(12); {
		case n < 3:
			err = c.readOne(list)
		case n == 3:
			err = c.readAll(c.someWay(only))
		case n < 6:
			err = c.readRegister(register)
		case only:
		case n < 9:
			err = c.append(list, true)
		case n == 9:
			err = c.fail(list)
		default:
			err = c.put(register)
		}
		if err != nil {
			outcome, ok := c.judge(err, false)
			c.note(*c.now, outcome)
			if ok {
				_, err = c.exec("ROLLBACK")
				ok = err == nil
			}
			return ok
		}
	}
	end := "COMMIT"
	if c.random.IntN(12) == 0 {
		end = "ROLLBACK"
	}
	_, err := c.exec("%s", end)
	switch {
	case err != nil:
		outcome, ok := c.judge(err, end == "COMMIT" && len(c.wrote) > 0)
		c.note(*c.now, outcome)
		return ok
	case end == "COMMIT":
		c.note(*c.now, deedDone)
	default:
		c.note(*c.now, deedUndone)
	}
	return true
}

// optimistic reads a list and appends to what it has read, if that is still there: by its revision.
func (c *cycleClient) optimistic(key int) bool {
	var text, rev string
	if err := c.conn.QueryRowContext(context.Background(),
		fmt.Sprintf("SELECT v, sqlfdb_rev('d.l', _id) FROM l WHERE _id = %d", key)).Scan(&text, &rev); err != nil {
		return c.alone(err)
	}
	saw, err := parseList(text)
	read := access{key: key, saw: saw}
	c.now.accesses = append(c.now.accesses, read)
	if !c.alone(err) {
		return false
	}
	value := c.fresh()
	c.now = &deed{client: c.id, call: c.cycleWorld.now(), accesses: []access{read, {write: true, key: key, value: value}}}
	c.wrote[key] = true
	n, err := c.exec("UPDATE l SET v = '%s%d,', a = JSON_ARRAY_APPEND(a, '$', %d), n = n + 1 WHERE _id = %d AND "+
		"sqlfdb_rev('d.l', _id) = '%s'", text, value, value, key, rev)
	if err == nil && n == 0 {
		c.note(*c.now, deedUndone) // somebody was faster
		return true
	}
	return c.alone(err)
}

// cycleHistory runs one history and returns its anomalies.
func cycleHistory(t testing.TB, e harness.Engine, under adversity, servers int, seed uint64) []string {
	t.Helper()
	w := &cycleWorld{began: time.Now(), order: map[int]map[int]int{}}
	for k := range registerKeys {
		w.order[firstRegister+k] = map[int]int{}
	}
	clients, all := make([]*cycleClient, 6), make([]contender, 6)
	for id := range clients {
		clients[id] = &cycleClient{cycleWorld: w, id: id, random: rand.New(rand.NewPCG(seed, uint64(id)))}
		all[id] = clients[id]
	}
	definitions := &definer{t: t, random: rand.New(rand.NewPCG(seed, 98)), statements: []string{
		"CREATE INDEX x%d ON l (k, v)", "DROP INDEX x%d ON l", "CREATE UNIQUE INDEX u%d ON l (k, n)", "DROP INDEX u%d ON l",
		"CREATE INDEX x%d ON r (v, _id)", "DROP INDEX x%d ON r",
		"ALTER TABLE l ADD COLUMN e%d INT DEFAULT 3", "ALTER TABLE l DROP COLUMN e%d", "ALTER TABLE l MODIFY v TEXT",
		"ALTER TABLE l MODIFY v VARCHAR(9000)", "ALTER TABLE r ADD COLUMN e%d INT", "ALTER TABLE r MODIFY v BIGINT",
		"ALTER TABLE r MODIFY v INT", `ALTER TABLE l ENGINE_ATTRIBUTE '{"max_depth": 1}'`,
		`ALTER TABLE l ENGINE_ATTRIBUTE '{}'`, "ALTER TABLE l RENAME COLUMN e0 TO e%d",
	}}
	if under != unguard && under != outdated { // which would show in the definitions
		all = append(all, definitions)
	}
	db := contend(t, e, under, servers, seed, cycleTables(t), all)
	conn, err := db.Conn(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	// Everything is read in the end, the lists both ways.
	last := &cycleClient{cycleWorld: w, id: len(clients), random: rand.New(rand.NewPCG(seed, 99)), conn: conn}
	for _, way := range waysOfAll[:2] {
		last.now = &deed{client: last.id, call: w.now()}
		err := last.readAll(way)
		for k := 0; k < registerKeys && err == nil; k++ {
			err = last.readRegister(firstRegister + k)
		}
		if err != nil {
			if under != unguard {
				t.Fatal(err)
			}
			last.say("lost: %v", err) // a store that guards nothing may also have lost index entries
		}
		last.note(*last.now, deedDone)
	}
	var deeds []deed
	count := map[deedOutcome]int{}
	for _, c := range append(clients, last) {
		for _, d := range c.deeds {
			count[d.outcome]++
			deeds = append(deeds, d)
		}
	}
	t.Logf("%s: transactions: %d done, %d unknown, %d refused or rolled back; %d changes of definitions", under,
		count[deedDone], count[deedUnknown], count[deedUndone], definitions.done)
	if under != unguard {
		harness.CheckAll(t, db)
	}
	return append(w.wrong, checkCycles(deeds, w.order)...)
}

// seedOfContenders is the seed that was given, or one from the clock.
func seedOfContenders(t testing.TB) uint64 {
	t.Helper()
	return testseed.Of(t, "contend-seed", *contendSeed)
}

// TestCycles: what concurrent transactions see of lists and registers has no cycle, also when the server
// is killed, the store has faults or connections are lost.
func TestCycles(t *testing.T) {
	seed := seedOfContenders(t)
	for _, e := range harness.Engines {
		for _, under := range []adversity{calm, killed, faulty, cut} {
			for _, servers := range fleetSizes(under) {
				t.Run(fmt.Sprintf("%s/%s/%d", e.Name, under, servers), func(t *testing.T) {
					for round := range *contendRounds {
						for i, a := range cycleHistory(t, e, under, servers, seed+uint64(round)) {
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

// TestCyclesShow: the histories of stores that are not serializable, or not strictly, show it.
func TestCyclesShow(t *testing.T) {
	seed := seedOfContenders(t)
	for _, e := range harness.Engines {
		for under, want := range map[adversity]string{unguard: "(lost|incompatible order|G-single|G2): ",
			outdated: "[^:]*-realtime: "} {
			t.Run(e.Name+"/"+string(under), func(t *testing.T) {
				for round := range 20 {
					found := cycleHistory(t, e, under, 1, seed+uint64(round))
					if slices.ContainsFunc(found, regexp.MustCompile("^"+want).MatchString) {
						return
					}
				}
				t.Errorf("no history shows %s", want)
			})
		}
	}
}

package law2

import (
	"context"
	"database/sql"
	"errors"
	"flag"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/sqlfdb/sqlfdb/internal/testseed"
	"github.com/sqlfdb/sqlfdb/sqltests/harness"
)

var (
	law2Seed = flag.Uint64(
		"law2-seed", 0, "seed of the random collections and predicates of law 2; 0 takes the one of all random tests")
	law2World      = flag.Uint64("law2-world", 0, "the first random collection of law 2")
	law2Statements = flag.Int("law2-statements", 1000, "how many random predicates of law 2 to run")
	law2Failures   = flag.Int("law2-failures", 1, "stop law 2 after that many failures")
)

const statementsPerWorld = 60

// statement is one random statement with a condition.
type statement struct {
	kind     string // select, count, order, partition, delete, update
	where    predicate
	prepared bool
	by       operand // of order
	desc     bool
	limit    int
}

func (w *world) statement() statement {
	s := statement{kind: "select", where: w.predicate(w.r.IntN(3)), prepared: w.chance(30)}
	switch w.r.IntN(16) {
	case 0:
		s.kind = "count"
	case 1, 2:
		s.kind, s.by, s.desc, s.limit = "order", w.operand(), w.chance(50), 1+w.r.IntN(8)
	case 3:
		s.kind = "partition"
	case 4:
		s.kind = one(w.r, []string{"delete", "update"})
	}
	return s
}

// connections have the index on and off. Within a transaction there is one of
// them, which changes its setting.
type connections struct {
	pool        *sql.DB
	on, off     *sql.Conn
	transaction bool
}

// settings are a way to run statements: in turns, in batches along the index and row by row without it, or the other
// way round.
func settings(index string) string {
	executors := map[bool]string{true: "interpreted", false: "batch"}
	along := (turns.Add(1)-1)/2%2 == 0
	return "SET sqlfdb_use_index = " + index + ", sqlfdb_executor = " + executors[along == (index == "ON")]
}

// turns counts how often settings were asked for: twice each time.
var turns atomic.Int64

func open(pool *sql.DB) (connections, error) {
	c := connections{pool: pool}
	for setting, to := range map[string]**sql.Conn{"ON": &c.on, "OFF": &c.off} {
		conn, err := pool.Conn(context.Background())
		if err != nil {
			return c, err
		}
		*to = conn
		if _, err := conn.ExecContext(context.Background(), settings(setting)); err != nil {
			return c, err
		}
	}
	return c, nil
}

func (c connections) close() {
	_ = c.on.Close()
	_ = c.off.Close()
}

// answers runs a statement both ways.
func (c connections) answers(s statement, table string, where func(*writer)) (on, off []string) {
	if !c.transaction {
		return s.run(c.on, "BEGIN", "ROLLBACK", table, where), s.run(c.off, "BEGIN", "ROLLBACK", table, where)
	}
	setting := func(value string) { _, _ = c.on.ExecContext(context.Background(), settings(value)) }
	on = s.run(c.on, "SAVEPOINT s", "ROLLBACK TO SAVEPOINT s", table, where)
	setting("OFF")
	defer setting("ON")
	return on, s.run(c.on, "SAVEPOINT s", "ROLLBACK TO SAVEPOINT s", table, where)
}

// text is the statement over a table.
func (s statement) text(table string, where func(*writer)) (string, []any) {
	w := &writer{prepared: s.prepared}
	switch s.kind {
	case "count":
		w.WriteString("SELECT COUNT(*) FROM " + table)
	case "delete":
		w.WriteString("DELETE FROM " + table)
	case "update":
		w.WriteString("UPDATE " + table + " SET _doc = JSON_SET(_doc, '$.touched', 1)")
	default:
		w.WriteString("SELECT _id FROM " + table)
	}
	w.WriteString(" WHERE ")
	where(w)
	if s.kind == "order" {
		w.WriteString(" ORDER BY ")
		s.by.write(w)
		if s.desc {
			w.WriteString(" DESC")
		}
		fmt.Fprintf(w, ", _id LIMIT %d", s.limit)
	}
	return w.String(), w.args
}

// matches are the documents for which the condition is t.
func (w *world) matches(p predicate, t tri) []jsonModel {
	var out []jsonModel
	for _, d := range w.documents {
		if p.holds(w.row(d)) == t {
			out = append(out, d)
		}
	}
	return out
}

// want is what the evaluator says, in the form in which run gives its answer.
func (w *world) want(s statement) []string {
	found := w.matches(s.where, yes)
	switch s.kind {
	case "count", "delete", "update":
		return []string{fmt.Sprint(len(found))}
	case "order":
		slices.SortFunc(found, func(a, b jsonModel) int {
			c := orderOf(s.by.value(w.row(a)), s.by.value(w.row(b)))
			if s.desc {
				c = -c
			}
			if c == 0 {
				c = strings.Compare(id(a), id(b))
			}
			return c
		})
		found = found[:min(s.limit, len(found))]
	}
	ids := make([]string, len(found))
	for i, d := range found {
		ids[i] = id(d)
	}
	if s.kind != "order" {
		slices.Sort(ids)
	}
	return ids
}

// orderOf is ORDER BY's: NULL first.
func orderOf(a, b sqlValue) int {
	switch {
	case a.isNull() && b.isNull():
		return 0
	case a.isNull():
		return -1
	case b.isNull():
		return 1
	}
	c, _ := compareSQL(a, b)
	return c
}

// run gives the answer of the server.
func (s statement) run(c *sql.Conn, begin, undo, table string, where func(*writer)) []string {
	ctx := context.Background()
	text, args := s.text(table, where)
	if s.kind == "delete" || s.kind == "update" {
		if _, err := c.ExecContext(ctx, begin); err != nil {
			return []string{harness.ErrorText(err)}
		}
		defer func() { _, _ = c.ExecContext(ctx, undo) }()
		res, err := c.ExecContext(ctx, text, args...)
		if err != nil {
			return []string{harness.ErrorText(err)}
		}
		n, _ := res.RowsAffected()
		return []string{fmt.Sprint(n)}
	}
	rows, err := c.QueryContext(ctx, text, args...)
	if err != nil {
		return []string{harness.ErrorText(err)}
	}
	defer rows.Close()
	out := []string{}
	for rows.Next() {
		var id string
		if err := rows.Scan(&id); err != nil {
			return []string{harness.ErrorText(err)}
		}
		out = append(out, id)
	}
	if err := rows.Err(); err != nil {
		return []string{harness.ErrorText(err)}
	}
	if s.kind != "order" {
		slices.Sort(out)
	}
	return out
}

// modelled calls f, and tells whether the evaluator says how everything in it
// compares.
func modelled(f func()) (ok bool) {
	defer func() {
		if r := recover(); r != nil {
			if err, isErr := r.(error); !isErr || !errors.Is(err, errNotModelled) {
				panic(r)
			}
			ok = false
		}
	}()
	f()
	return true
}

// differs runs a statement both ways and compares with the evaluator. It is
// empty if all agree, or if the evaluator doesn't say.
func (w *world) differs(c connections, s statement) (difference string) {
	if !modelled(func() { difference = w.difference(c, s) }) {
		return ""
	}
	return difference
}

func (w *world) difference(c connections, s statement) string {
	if s.kind == "partition" {
		return w.partition(c, s)
	}
	want := w.want(s)
	on, off := c.answers(s, w.table, s.where.write)
	return compareAnswers(want, on, off)
}

func compareAnswers(want, on, off []string) string {
	if slices.Equal(want, on) && slices.Equal(want, off) {
		return ""
	}
	return fmt.Sprintf("evaluated  %s\nindex ON   %s\nindex OFF  %s", shown(want), shown(on), shown(off))
}

func shown(rows []string) string {
	more := ""
	if len(rows) > 40 {
		rows, more = rows[:40], fmt.Sprintf(" and %d more", len(rows)-40)
	}
	return strings.Join(rows, " ") + more
}

// partition splits a collection into the documents for which the condition is
// true, false and NULL.
func (w *world) partition(c connections, s statement) string {
	negated := func(out *writer) { out.WriteString("NOT ("); s.where.write(out); out.WriteString(")") }
	null := func(out *writer) { writeTruth(out, s.where); out.WriteString(" IS NULL") }
	for i, where := range []func(*writer){s.where.write, negated, null} {
		var want []string
		for _, d := range w.matches(s.where, []tri{yes, no, unknown}[i]) {
			want = append(want, id(d))
		}
		slices.Sort(want)
		on, off := c.answers(s, w.table, where)
		if d := compareAnswers(want, on, off); d != "" {
			return []string{"WHERE p\n", "WHERE NOT p\n", "WHERE p IS NULL\n"}[i] + d
		}
	}
	return ""
}

// TestLaw2 is law 2, the access path never changes the answer, over random collections
// and predicates: index ON = index OFF = a plain evaluation in memory.
func TestLaw2(t *testing.T) {
	seed := testseed.Of(t, "law2-seed", *law2Seed)
	pool := harness.Serve(t)
	c, err := open(pool)
	if err != nil {
		t.Fatal(err)
	}
	defer c.close()
	budget := *law2Statements
	if testing.Short() {
		budget = min(budget, 200)
	}
	failures, ran, skipped, indexed, worlds := 0, 0, 0, 0, 0
	for number := *law2World; ran < budget && failures < *law2Failures; number++ {
		w := newWorld(seed, number)
		worlds++
		if err := w.fill(c.on); err != nil {
			t.Fatalf("seed %d, world %d: %v\n%s;\n%s;", seed, number, err, w.create(w.table), w.insert(w.table))
		}
		before := w.documents
		for n := range statementsPerWorld {
			if n == statementsPerWorld/2 {
				// The second half meets documents that have changed: half of the times in
				// a transaction that has not committed.
				if w.chance(40) {
					if err := w.alter(c.on); err != nil {
						t.Fatalf("seed %d, world %d: %v\n%s;\n%s;", seed, number, err, w.create(w.table), w.insert(w.table))
					}
				}
				if w.chance(50) {
					c.transaction = true
					_, _ = c.on.ExecContext(context.Background(), "BEGIN")
				}
				for range 1 + w.r.IntN(4) {
					if err := w.change(c.on); err != nil {
						t.Fatalf("seed %d, world %d, in a transaction: %v: %v\n%s;\n%s;", seed, number, c.transaction, err,
							w.create(w.table), w.insert(w.table))
					}
				}
			}
			s := w.statement()
			ran++
			if !w.modelled(s) {
				skipped++
				continue
			}
			if d := w.differs(c, s); d != "" {
				failures++
				t.Errorf("seed %d, world %d, statement %d (-law2-seed %d -law2-world %d)\n%s", seed, number, n, seed, number,
					w.shrink(c, s))
				if failures >= *law2Failures {
					break
				}
			}
			if n%10 == 0 {
				text, args := s.text(w.table, s.where.write)
				if !strings.HasPrefix(text, "UPDATE") && !strings.Contains(harness.Query(c.on,
					"EXPLAIN FORMAT=TREE "+text, args...),
					"Table scan on") {
					indexed++
				}
			}
		}
		if c.transaction {
			c.transaction = false
			end := one(w.r, []string{"COMMIT", "ROLLBACK"})
			if failures > 0 { // the tables that a failure was looked for in are a conflict
				end = "ROLLBACK"
			}
			_, err := c.on.ExecContext(context.Background(), end)
			if err != nil && !strings.HasPrefix(harness.ErrorText(err),
				"ERROR 1213") { // with what upgrades the documents
				t.Fatal(err)
			}
			if err != nil || end == "ROLLBACK" {
				w.documents, w.inferred = before, nil
			}
			s := statement{kind: "select", where: condition{v: booleanLiteral(true)}}
			if d := w.differs(c, s); d != "" {
				t.Errorf("seed %d, world %d: after %s\n%s", seed, number, end, d)
			}
		}
		harness.Check(t, pool, w.table)
		if _, err := c.on.ExecContext(context.Background(), "DROP TABLE "+w.table); err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("%d statements over %d collections, %d of them left out; %d of every tenth read along an index", ran, worlds,
		skipped, indexed)
	if indexed == 0 && failures == 0 {
		t.Error("no statement used an index")
	}
}

func (w *world) fill(c *sql.Conn) error {
	if _, err := c.ExecContext(context.Background(), w.create(w.table)); err != nil {
		return err
	}
	if len(w.documents) == 0 {
		return nil
	}
	_, err := c.ExecContext(context.Background(), w.insert(w.table))
	return err
}

// modelled reports whether the evaluator says what the answer is.
func (w *world) modelled(s statement) bool { return modelled(func() { w.want(s) }) }

// shrink looks for fewer documents and a simpler condition that still fail, and
// describes what it finds as a script.
func (w *world) shrink(c connections, s statement) string {
	original := c
	if c.transaction { // a table made in it would commit it
		var err error
		if c, err = open(c.pool); err != nil {
			return err.Error()
		}
		defer c.close()
	}
	deadline := time.Now().Add(40 * time.Second)
	attempt := 0
	fails := func(documents []jsonModel, s statement) string {
		if time.Now().After(deadline) {
			return ""
		}
		attempt++
		small := w.with(documents)
		small.table = fmt.Sprintf("%s_%d", w.table, attempt)
		if small.fill(c.on) != nil {
			return ""
		}
		defer func() { _, _ = c.on.ExecContext(context.Background(), "DROP TABLE "+small.table) }()
		return small.differs(c, s)
	}
	documents := w.documents
	difference := fails(documents, s)
	if difference == "" {
		return fmt.Sprintf("it fails in its own table only:\n%s", w.script(s, w.differs(original, s)))
	}
	for again := true; again; {
		again = false
		for _, p := range s.where.simpler() {
			simpler := s
			simpler.where = p
			if d := fails(documents, simpler); d != "" {
				s, difference, again = simpler, d, true
				break
			}
		}
		if again {
			continue
		}
		for _, kind := range []string{"select", "count"} {
			simpler := s
			simpler.kind, simpler.prepared = kind, false
			if s.kind != "select" || s.prepared {
				if d := fails(documents, simpler); d != "" {
					s, difference, again = simpler, d, true
					break
				}
			}
		}
	}
	for size := len(documents) / 2; size > 0; size /= 2 {
		for at := 0; at+size <= len(documents); {
			fewer := slices.Delete(slices.Clone(documents), at, at+size)
			if d := fails(fewer, s); d != "" {
				documents, difference = fewer, d
			} else {
				at += size
			}
		}
	}
	documents, difference = shrinkMembers(documents, difference, func(d []jsonModel) string { return fails(d, s) })
	return w.with(documents).script(s, difference)
}

// shrinkMembers takes members out of the documents.
func shrinkMembers(documents []jsonModel, difference string, fails func([]jsonModel) string) ([]jsonModel, string) {
	for i := range documents {
		for m := 1; m < len(documents[i].members); {
			fewer := slices.Clone(documents)
			fewer[i].members = slices.Delete(slices.Clone(documents[i].members), m, m+1)
			if d := fails(fewer); d != "" {
				documents, difference = fewer, d
			} else {
				m++
			}
		}
	}
	return documents, difference
}

// script can be pasted into a client.
func (w *world) script(s statement, difference string) string {
	how := ""
	if s.prepared {
		how = "prepared: "
		s.prepared = false
	}
	text, _ := s.text(w.table, s.where.write)
	out := w.create(w.table) + ";\n"
	if len(w.documents) > 0 {
		out += w.insert(w.table) + ";\n"
	}
	return out + how + text + ";\n" + difference
}

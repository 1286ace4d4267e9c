package sqlbackend

import (
	"encoding/json"
	"fmt"
	"io"
	"reflect"
	"strings"
	"time"

	"github.com/dolthub/go-mysql-server/sql"

	"github.com/sqlfdb/sqlfdb/sqlbackend/mysqlerr"
	"github.com/sqlfdb/sqlfdb/tables"
)

// actual is what a node of a plan has done.
type actual struct {
	loops, rows int64
	first, all  time.Duration // until its first rows, and to the ends: with what stands below it
	work        tables.Work   // of the node alone
}

// analysis is what EXPLAIN ANALYZE gathers while the statement runs.
type analysis struct {
	nodes    map[sql.Node]*actual
	shown    map[sql.Node]sql.Node // of nodes that run in the place of others: those, which are explained
	entering sql.Node              // its iterator is being built
	before   time.Duration         // what the subqueries took that were run to plan the statement
}

// analyze runs the query of an EXPLAIN ANALYZE and gathers what its nodes do.
func (x *executor) analyze(ctx *sql.Context, s *Session, n sql.Node) (*analysis, error) {
	if !n.IsReadOnly() {
		return nil, mysqlerr.Unsupported("EXPLAIN ANALYZE of a statement that writes")
	}
	a := s.beginAnalysis()
	defer func() { s.work.analysis = nil }()
	iter, err := x.engine.Build(ctx, n, nil)
	if err != nil {
		return nil, err
	}
	for {
		if _, err = iter.Next(ctx); err != nil {
			break
		}
		s.work.running.rows++
	}
	if err == io.EOF {
		err = nil
	}
	if failed := iter.Close(ctx); err == nil {
		err = failed
	}
	return a, err
}

// evaluatedQuery is a subquery that has been run before its statement is planned, for EXPLAIN.
type evaluatedQuery struct {
	plan sql.Node
	gave string // its values
}

// NoteEvaluated implements subquery.Session.
func (s *Session) NoteEvaluated(n sql.Node, gave string) {
	s.evaluated = append(s.evaluated, evaluatedQuery{plan: n, gave: gave})
}

// Before implements subquery.Session.
func (s *Session) Before() (end func()) {
	w := &s.work
	executed, planned := w.executed, w.plan
	restore := func() { w.executed, w.plan = executed, planned } // the statement itself is still to come
	if !s.Explains() {
		return restore
	}
	a, began := s.beginAnalysis(), time.Now()
	return func() {
		w.analysis, a.before = nil, a.before+time.Since(began)
		restore()
	}
}

// Running implements subquery.Session.
func (s *Session) Running(n sql.Node) (end func()) {
	planned := s.work.plan
	s.work.plan = n
	return func() { s.work.plan = planned }
}

// beginAnalysis gathers what nodes do from now on, beside what those have done that have run to plan the statement.
func (s *Session) beginAnalysis() *analysis {
	if s.analysis == nil {
		s.analysis, s.work.places = &analysis{nodes: map[sql.Node]*actual{}}, map[any]*tables.Work{}
	}
	s.work.analysis = s.analysis
	return s.analysis
}

// timed builds a node's iterator so that it counts for the analysis; nil where
// there is none, or the node is the one that this has just been called for.
func (x *executor) timed(ctx *sql.Context, n sql.Node, row sql.Row) (sql.RowIter, error) {
	s, ok := ctx.Session.(*Session)
	if !ok || s.work.analysis == nil || reflect.TypeOf(n).Kind() != reflect.Pointer {
		return nil, nil
	}
	a := s.work.analysis
	if a.entering == n {
		a.entering = nil
		return nil, nil
	}
	a.entering = n
	began := time.Now()
	iter, err := x.engine.Build(ctx, n, row)
	a.entering = nil
	if err != nil {
		return nil, err
	}
	return a.watch(n, iter, began), nil
}

// stand has what a plan does counted for another one of the same shape, which is explained.
func (a *analysis) stand(running, explained sql.Node) {
	if reflect.TypeOf(running).Kind() != reflect.Pointer || reflect.TypeOf(running) != reflect.TypeOf(explained) {
		return
	}
	if a.shown == nil {
		a.shown = map[sql.Node]sql.Node{}
	}
	a.shown[running] = explained
	below, shown := running.Children(), explained.Children()
	for i := range min(len(below), len(shown)) {
		a.stand(below[i], shown[i])
	}
}

// watch makes a node's iterator count for the analysis.
func (a *analysis) watch(n sql.Node, iter sql.RowIter, began time.Time) sql.RowIter {
	if explained, ok := a.shown[n]; ok {
		n = explained
	}
	of := a.nodes[n]
	if of == nil {
		of = &actual{}
		a.nodes[n] = of
	}
	of.loops++
	out := &timedIter{RowIter: iter, of: of}
	out.spend(began)
	return out
}

// watched is the iterator of a node that another node builds as a part of its own.
func watched(ctx *sql.Context, n sql.Node, iter sql.RowIter) sql.RowIter {
	if s, ok := ctx.Session.(*Session); ok && s.work.analysis != nil {
		return s.work.analysis.watch(n, iter, time.Now())
	}
	return iter
}

// timedIter counts what an iterator gives, and how long it takes.
type timedIter struct {
	sql.RowIter
	of      *actual
	spent   time.Duration
	started bool
}

// Next implements sql.RowIter.
func (i *timedIter) Next(ctx *sql.Context) (sql.Row, error) {
	began := time.Now()
	row, err := i.RowIter.Next(ctx)
	i.spend(began)
	if err == nil {
		i.given()
		i.of.rows++
	}
	return row, err
}

// given notes how long the first row has taken, or the end if there is none.
func (i *timedIter) given() {
	if !i.started {
		i.started = true
		i.of.first += i.spent
	}
}

func (i *timedIter) spend(began time.Time) {
	d := time.Since(began)
	i.spent += d
	i.of.all += d
}

// Close implements sql.RowIter.
func (i *timedIter) Close(ctx *sql.Context) error {
	began := time.Now()
	err := i.RowIter.Close(ctx)
	i.spend(began)
	i.given()
	return err
}

// observe adds what the nodes have done to what is told of them.
func (n *explainedNode) observe(s *Session, a *analysis) {
	n.each(func(n *explainedNode) {
		if n.counted {
			return
		}
		n.actual = a.nodes[n.node]
		if n.node == nil || reflect.TypeOf(n.node).Kind() != reflect.Pointer {
			return
		}
		for _, at := range []any{n.at, n.node} {
			if w := s.work.places[at]; at != nil && w != nil {
				if n.actual == nil {
					n.actual = &actual{}
				}
				n.actual.work = *w
				delete(s.work.places, at) // two nodes may share it: a path in a subquery
				break
			}
		}
	})
}

// actualText is what a node has done, for FORMAT=TREE. Nothing is known of nodes
// above the tables of a subquery that the engine copies for each outer row.
func (n *explainedNode) actualText() string {
	a := n.actual
	if a == nil {
		executed := false
		n.each(func(n *explainedNode) { executed = executed || n.actual != nil })
		if executed {
			return ""
		}
		return "  (never executed)"
	}
	text := ""
	// of a path in a plan that was copied only its work is known
	if worked := a.work != (tables.Work{}); a.loops > 0 || !worked {
		text = fmt.Sprintf("  (actual time=%.3f..%.3f rows=%d loops=%d)", perLoop(a.first, a.loops), perLoop(a.all, a.loops),
			a.rows, a.loops)
	}
	if a.work != (tables.Work{}) {
		text += "  (" + strings.Join(workTexts(a.work), " ") + ")"
	}
	return text
}

// perLoop is a time in milliseconds, on average, as MySQL tells it.
func perLoop(d time.Duration, loops int64) float64 {
	return float64(d.Microseconds()) / 1000 / float64(max(loops, 1))
}

func workTexts(w tables.Work) []string {
	texts := []string{fmt.Sprintf("keys=%d", w.Entries), fmt.Sprintf("documents=%d", w.Documents),
		fmt.Sprintf("bytes=%d", w.Bytes)}
	if w.Counters > 0 {
		texts = append(texts, fmt.Sprintf("counters=%d", w.Counters))
	}
	return texts
}

type jsonActual struct {
	Rows      int64   `json:"rows"`
	Loops     int64   `json:"loops"`
	FirstMS   float64 `json:"first_row_ms"`
	MS        float64 `json:"last_row_ms"`
	Keys      int64   `json:"keys"`
	Documents int64   `json:"documents"`
	Bytes     int64   `json:"bytes"`
	Counters  int64   `json:"counters,omitempty"`
}

func (a *actual) json() *jsonActual {
	if a == nil {
		return nil
	}
	return &jsonActual{a.rows, a.loops, perLoop(a.first, a.loops), perLoop(a.all, a.loops), a.work.Entries,
		a.work.Documents, a.work.Bytes, a.work.Counters}
}

// jsonStatement is what the whole statement has done.
type jsonStatement map[string]json.Number

func statementJSON(f *figures) *jsonStatement {
	out := jsonStatement{}
	for _, f := range f.named() {
		out[f.name] = json.Number(f.value)
	}
	return &out
}

// statementText is what the whole statement has done, in a line of FORMAT=TREE.
func statementText(f *figures) string {
	var texts []string
	for _, f := range f.named() {
		texts = append(texts, strings.ReplaceAll(f.name, "_", " ")+"="+f.value)
	}
	return "Statement: " + strings.Join(texts, " ")
}

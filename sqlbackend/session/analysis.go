package session

import (
	"reflect"
	"time"

	"github.com/dolthub/go-mysql-server/sql"

	"github.com/sqlfdb/sqlfdb/tables"
)

// Actual is what a node of a plan has done.
type Actual struct {
	Loops, Rows int64
	First, All  time.Duration // until its first rows, and to the ends: with what stands below it
	Work        tables.Work   // of the node alone
}

// Analysis is what EXPLAIN ANALYZE gathers while the statement runs.
type Analysis struct {
	Nodes    map[sql.Node]*Actual
	shown    map[sql.Node]sql.Node // of nodes that run in the place of others: those, which are explained
	Entering sql.Node              // its iterator is being built
	Before   time.Duration         // what the subqueries took that were run to plan the statement
}

// EvaluatedQuery is a subquery that has been run before its statement is planned, for EXPLAIN.
type EvaluatedQuery struct {
	Plan sql.Node
	Gave string // its values
}

// Stand has what a plan does counted for another one of the same shape, which is explained.
func (a *Analysis) Stand(running, explained sql.Node) {
	if reflect.TypeOf(running).Kind() != reflect.Pointer || reflect.TypeOf(running) != reflect.TypeOf(explained) {
		return
	}
	if a.shown == nil {
		a.shown = map[sql.Node]sql.Node{}
	}
	a.shown[running] = explained
	below, shown := running.Children(), explained.Children()
	for i := range min(len(below), len(shown)) {
		a.Stand(below[i], shown[i])
	}
}

// Watch makes a node's iterator count for the analysis.
func (a *Analysis) Watch(n sql.Node, iter sql.RowIter, began time.Time) sql.RowIter {
	if explained, ok := a.shown[n]; ok {
		n = explained
	}
	of := a.Nodes[n]
	if of == nil {
		of = &Actual{}
		a.Nodes[n] = of
	}
	of.Loops++
	out := &timedIter{RowIter: iter, of: of}
	out.spend(began)
	return out
}

// timedIter counts what an iterator gives, and how long it takes.
type timedIter struct {
	sql.RowIter
	of      *Actual
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
		i.of.Rows++
	}
	return row, err
}

// given notes how long the first row has taken, or the end if there is none.
func (i *timedIter) given() {
	if !i.started {
		i.started = true
		i.of.First += i.spent
	}
}

func (i *timedIter) spend(began time.Time) {
	d := time.Since(began)
	i.spent += d
	i.of.All += d
}

// Close implements sql.RowIter.
func (i *timedIter) Close(ctx *sql.Context) error {
	began := time.Now()
	err := i.RowIter.Close(ctx)
	i.spend(began)
	i.given()
	return err
}

// PerLoop is a time in milliseconds, on average, as MySQL shows it.
func PerLoop(d time.Duration, loops int64) float64 {
	return float64(d.Microseconds()) / 1000 / float64(max(loops, 1))
}

type JSONActual struct {
	Rows      int64   `json:"rows"`
	Loops     int64   `json:"loops"`
	FirstMS   float64 `json:"first_row_ms"`
	MS        float64 `json:"last_row_ms"`
	Keys      int64   `json:"keys"`
	Documents int64   `json:"documents"`
	Bytes     int64   `json:"bytes"`
	Counters  int64   `json:"counters,omitempty"`
}

// JSON is what EXPLAIN ANALYZE FORMAT=JSON says of it.
func (a *Actual) JSON() *JSONActual {
	if a == nil {
		return nil
	}
	return &JSONActual{a.Rows, a.Loops, PerLoop(a.First, a.Loops), PerLoop(a.All, a.Loops), a.Work.Entries,
		a.Work.Documents, a.Work.Bytes, a.Work.Counters}
}

// NoteGiven notes what a node has given that has no iterator of its own.
func (s *Session) NoteGiven(n sql.Node, rows int64, took time.Duration) {
	if s.Work.Analysis != nil {
		i := s.Work.Analysis.Watch(n, nil, time.Now()).(*timedIter)
		i.spent += took
		i.of.All += took
		i.of.Rows += rows
		i.given()
	}
}

// Watched is the iterator of a node that another node builds as a part of its own.
func Watched(ctx *sql.Context, n sql.Node, iter sql.RowIter) sql.RowIter {
	if s, ok := ctx.Session.(*Session); ok && s.Work.Analysis != nil {
		return s.Work.Analysis.Watch(n, iter, time.Now())
	}
	return iter
}

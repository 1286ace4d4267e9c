package session

import (
	"reflect"
	"time"

	"github.com/dolthub/go-mysql-server/sql"

	"github.com/sqlfdb/sqlfdb/tables"
)

// Actual holds the figures of a node of a plan that has run.
type Actual struct {
	Loops, Rows int64
	First, All  time.Duration // until the first rows, and in total: with the nodes below it
	Work        tables.Work   // of the node alone
}

// Analysis collects the figures of EXPLAIN ANALYZE while the statement runs.
type Analysis struct {
	Nodes    map[sql.Node]*Actual
	shown    map[sql.Node]sql.Node // maps nodes to the explained nodes that they run for
	Entering sql.Node              // its iterator is being built
	Before   time.Duration         // time of the subqueries that ran to plan the statement
}

// EvaluatedQuery is a subquery that has been run before its statement is planned, for EXPLAIN.
type EvaluatedQuery struct {
	Plan sql.Node
	Gave string // its values
}

// Stand counts the work of a running plan for the explained one, which has the same shape.
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

// Watch wraps a node's iterator so that it counts for the analysis.
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

// timedIter counts the rows of an iterator, and its time.
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

// given notes the time until the first row, or until the end if there is none.
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

// PerLoop returns the average time per loop in milliseconds, as MySQL shows it.
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

// JSON returns the figures as EXPLAIN ANALYZE FORMAT=JSON shows them.
func (a *Actual) JSON() *JSONActual {
	if a == nil {
		return nil
	}
	return &JSONActual{a.Rows, a.Loops, PerLoop(a.First, a.Loops), PerLoop(a.All, a.Loops), a.Work.Entries,
		a.Work.Documents, a.Work.Bytes, a.Work.Counters}
}

// NoteGiven notes the rows of a node that has no iterator of its own.
func (s *Session) NoteGiven(n sql.Node, rows int64, took time.Duration) {
	if s.Work.Analysis != nil {
		i := s.Work.Analysis.Watch(n, nil, time.Now()).(*timedIter)
		i.spent += took
		i.of.All += took
		i.of.Rows += rows
		i.given()
	}
}

// Watched returns the iterator of a node that another node builds as a part of its own, watched by the analysis if
// there is one.
func Watched(ctx *sql.Context, n sql.Node, iter sql.RowIter) sql.RowIter {
	if s, ok := ctx.Session.(*Session); ok && s.Work.Analysis != nil {
		return s.Work.Analysis.Watch(n, iter, time.Now())
	}
	return iter
}

package session

import (
	"time"

	"github.com/dolthub/go-mysql-server/sql"

	"github.com/sqlfdb/sqlfdb/sqlbackend/rewrite"
	"github.com/sqlfdb/sqlfdb/sqlbackend/subquery"
	"github.com/sqlfdb/sqlfdb/sqlbackend/tree"
	"github.com/sqlfdb/sqlfdb/sqlbackend/value"
	"github.com/sqlfdb/sqlfdb/tables"
)

// Planning holds the notes from planning the running command. The rules of the planner read it.
type Planning struct {
	session *Session
	// plain is the plan that the rules before the engine's have left, if it is plain; see Leaving.
	plain         sql.Node
	groupsChecked bool                // FullGroupRule has checked all groupings of the planned statement
	alone         int                 // subqueries that are being planned separately: their results are not sent
	Results       value.ResultColumns // of the statement planned last
	// Scans has the notes of the running EXPLAIN about tables that it reads as a whole.
	Scans map[tree.Place]any // access paths
	// Evaluated are the subqueries that ran to plan the statement, and analysis the figures of all nodes.
	Evaluated []EvaluatedQuery
	analysis  *Analysis
	Joined    map[OperandOf]JoinOperand // known operands of joins
	Sharing   map[SharingAt]float64     // known numbers of documents that share a value; package join sets it
}

// begin clears the notes on the earlier command, except its result's columns.
func (p *Planning) begin() {
	*p = Planning{session: p.session, groupsChecked: p.groupsChecked, alone: p.alone, Results: p.Results}
}

var (
	_ rewrite.Planner  = (*Planning)(nil)
	_ subquery.Session = (*Planning)(nil)
)

// Planner implements rewrite.Planned.
func (s *Session) Planner() rewrite.Planner { return &s.Planning }

// Subqueries implements subquery.Planned.
func (s *Session) Subqueries() subquery.Session { return &s.Planning }

// Selects implements subquery.Session.
func (p *Planning) Selects() bool { return p.session.Parsed.Selects() }

// ReadsFreely implements subquery.Session.
func (p *Planning) ReadsFreely() bool {
	if p.session.Repeatable && p.OnlySelects() {
		return true
	}
	t, ok := p.session.GetTransaction().(*Transaction)
	return ok && t.ReadsFreely()
}

// Explains implements subquery.Session.
func (p *Planning) Explains() bool { return p.session.Parsed.Explains() }

// OnlySelects implements rewrite.Planner.
func (p *Planning) OnlySelects() bool { return p.session.Parsed.OnlySelects() }

// IsAlias implements rewrite.Planner.
func (p *Planning) IsAlias(name string) bool { return p.session.Parsed.IsAlias(name) }

// NoteTables implements rewrite.Planner.
func (p *Planning) NoteTables(before, after sql.Schema) { p.Results.NoteTables(before, after) }

// PlanSeparately implements subquery.Session.
func (p *Planning) PlanSeparately(plan func() error) error {
	p.alone++
	defer func() { p.alone-- }()
	return plan()
}

// KnownRow implements subquery.Session.
func (p *Planning) KnownRow(ctx *sql.Context, columns sql.Schema) (row []any, ok bool, err error) {
	if p.session.Batch == nil {
		return nil, false, nil
	}
	return p.session.Batch.Scalar(ctx, columns)
}

// KeepRow implements subquery.Session.
func (p *Planning) KeepRow(row []any) error {
	if p.session.Batch == nil {
		return nil
	}
	return p.session.Batch.KeepScalar(row)
}

// Resume implements subquery.Session.
func (p *Planning) Resume(ctx *sql.Context) error {
	return p.session.Backend.Hooks.Resume(ctx, p.session)
}

// Watched implements subquery.Session.
func (p *Planning) Watched(before subquery.Watcher) subquery.Watcher {
	switch {
	case p.session.Work.Analysis == nil:
		return nil
	case before != nil:
		return before
	}
	return p.session.Backend.Hooks.Watch(p.session)
}

// Evaluating implements rewrite.Planner.
func (p *Planning) Evaluating() bool { return p.alone > 0 }

// CheckedGroups implements rewrite.Planner.
func (p *Planning) CheckedGroups() *bool { return &p.groupsChecked }

// NoteEvaluated implements subquery.Session.
func (p *Planning) NoteEvaluated(n sql.Node, gave string) {
	p.Evaluated = append(p.Evaluated, EvaluatedQuery{Plan: n, Gave: gave})
}

// Before implements subquery.Session.
func (p *Planning) Before() (end func()) {
	w := &p.session.Work
	executed, planned := w.Executed, w.Plan
	restore := func() { w.Executed, w.Plan = executed, planned } // the statement itself has not run yet
	if !p.session.Parsed.Explains() {
		return restore
	}
	a, began := p.BeginAnalysis(), time.Now()
	return func() {
		w.Analysis, a.Before = nil, a.Before+time.Since(began)
		restore()
	}
}

// Running implements subquery.Session.
func (p *Planning) Running(n sql.Node) (end func()) {
	planned := p.session.Work.Plan
	p.session.Work.Plan = n
	return func() { p.session.Work.Plan = planned }
}

// BeginAnalysis begins to collect the figures of nodes, beside those of nodes that ran to plan the statement.
func (p *Planning) BeginAnalysis() *Analysis {
	if p.analysis == nil {
		p.analysis, p.session.Work.Places = &Analysis{Nodes: map[sql.Node]*Actual{}}, map[any]*tables.Work{}
	}
	p.session.Work.Analysis = p.analysis
	return p.analysis
}

package buckettable

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/transform"

	bucket "github.com/sqlfdb/sqlfdb/bucket/plan"
	"github.com/sqlfdb/sqlfdb/document"
	"github.com/sqlfdb/sqlfdb/sqlbackend/pushdown"
	"github.com/sqlfdb/sqlfdb/sqlbackend/session"
	"github.com/sqlfdb/sqlfdb/sqlbackend/setting"
)

// access is how a statement finds the documents of a table.
type access struct {
	path    bucket.Path
	lost    []bucket.Lost
	prices  bucket.Prices
	reasons []string
	filters []sql.Expression // conditions on the documents that count for the limit
	// conjuncts are all conditions on the table.
	conjuncts []sql.Expression
}

// readsAll reports whether all documents may be read.
func (a *access) readsAll() bool {
	return a.path.Kind == bucket.Scan && !a.path.Covers && (a.path.Query.Limit == 0 || len(a.filters) > 0)
}

// holds reports whether a row satisfies the filters.
func (a *access) holds(ctx *sql.Context, row sql.Row) (bool, error) {
	for _, f := range a.filters {
		v, err := sql.EvaluateCondition(ctx, f, row)
		if err != nil || !sql.IsTrue(v) {
			return false, err
		}
	}
	return true, nil
}

// wanted is a statement's demand on a table.
type wanted struct {
	conjuncts []sql.Expression
	order     sql.SortFields
	limit     int  // of documents that satisfy the conjuncts; 0: all
	sorted    bool // order stands between the table and the limit
	// keysAlone: no column but the key is used above the filters.
	keysAlone bool
	sought    []Sought // by a join
}

// accessFor chooses how documents are found.
func (t *Table) accessFor(ctx *sql.Context, w wanted) (*access, error) {
	prices, err := PricesOf(ctx)
	if err != nil {
		return nil, err
	}
	c, err := t.open(ctx)
	if err != nil {
		return nil, err
	}
	a := &access{prices: prices, conjuncts: w.conjuncts}
	k := known{}
	if setting.On(ctx, setting.UseIndex) {
		k = t.knownFrom(ctx, w.conjuncts)
	} else {
		k.reasons = []string{setting.UseIndex + " is OFF"}
	}
	for _, s := range w.sought {
		k.seek(t, s)
	}
	q := k.query
	q.Documents = t.rows.Def.Bucket.Documents()
	q.OnlyIDs = w.keysAlone && len(k.exactly) == len(w.conjuncts)
	if filters, ok := t.bound(w.conjuncts); ok {
		order, ok := t.orderOf(ctx, w.order)
		switch {
		case !w.sorted:
			q.Limit = w.limit
		case ok:
			q.Order, q.Limit = order, w.limit
		}
		if q.Limit > 0 {
			a.filters = filters
		}
	}
	a.path, a.lost = bucket.Choose(q, c.Indexes(), prices)
	a.reasons = k.reasons
	return a, nil
}

// bound are conditions to be evaluated on a row of the table; ok is false if they depend on more than the row.
func (t *Table) bound(conjuncts []sql.Expression) (out []sql.Expression, ok bool) {
	for _, c := range conjuncts {
		alone := true
		next, _, err := transform.Expr(c, func(e sql.Expression) (sql.Expression, transform.TreeIdentity, error) {
			switch e := e.(type) {
			case *expression.GetField:
				if i := t.columnAt(e); i >= 0 {
					return e.WithIndex(i), transform.NewTree, nil
				}
				alone = false
			case *plan.Subquery:
				alone = false
			case sql.NonDeterministicExpression:
				alone = alone && !e.IsNonDeterministic() // it is evaluated twice
			}
			return e, transform.SameTree, nil
		})
		if err != nil || !alone {
			return nil, false
		}
		out = append(out, next)
	}
	return out, true
}

// columnAt is the place of a field in the table's rows; -1: it is another table's.
func (t *Table) columnAt(f *expression.GetField) int {
	if !t.rows.Place.Holds(f) {
		return -1
	}
	return slices.IndexFunc(t.rows.Columns, func(c session.Column) bool { return strings.EqualFold(c.Name, f.Name()) })
}

// orderOf is an order by one keypath, as entries may be in.
func (t *Table) orderOf(ctx *sql.Context, fields sql.SortFields) (*bucket.Order, bool) {
	if len(fields) != 1 {
		return nil, false
	}
	f := fields[0]
	o, _, ok := pushdown.OrderingOf(ctx, f.Column, resolver{t})
	desc := f.Order == sql.Descending
	if !ok || o.Column.PrimaryKeyPart > 0 || o.Text || o.Returned != nil || f.NullOrdering != sql.NullsFirst {
		return nil, false
	}
	if o.JSON && !t.rows.Def.BucketCounts(o.Column.Keypath)[document.KindNull].IsZero() {
		return nil, false // a JSON null is not where a missing value is
	}
	return &bucket.Order{Path: o.Column.Keypath, Desc: desc}, true
}

// planner gives the tables of a plan their access paths.
type planner struct{ ctx *sql.Context }

// Plan is the rule that plans how the tables of a statement that are in buckets are read. It may run again.
func Plan(ctx *sql.Context, n sql.Node) (sql.Node, transform.TreeIdentity, error) {
	if s, err := session.Of(ctx); err != nil || !s.UsesBuckets {
		return n, transform.SameTree, nil
	}
	p := &planner{ctx: ctx}
	next, changed, err := p.node(n, above{})
	if err != nil || !changed {
		return n, transform.SameTree, err
	}
	return next, transform.NewTree, nil
}

// above is what the nodes above a node do with its rows.
type above struct {
	wanted
	needs   []sql.Expression // the expressions that read the rows, if nothing else does
	needsOf bool             // needs is known
	dropped *bool            // set if the filters right above the table are answered
}

// node plans below a node; changed reports whether out is another node.
func (p *planner) node(n sql.Node, w above) (out sql.Node, changed bool, err error) {
	switch n := n.(type) {
	case *plan.ResolvedTable:
		if t, ok := n.UnderlyingTable().(*Table); ok {
			return p.table(n, t, w)
		}
		return n, false, nil
	case *plan.TableAlias:
		return p.single(n, n.Child, w)
	case *plan.Limit:
		next := above{needs: w.needs, needsOf: w.needsOf}
		if l, ok := limitOf(p.ctx, n.Limit); ok && !n.CalcFoundRows {
			next.limit = l
		}
		return p.single(n, n.Child, next)
	case *plan.Offset:
		if skip, ok := limitOf(p.ctx, n.Offset); ok && w.limit > 0 {
			w.limit += skip
		} else {
			w.limit = 0
		}
		return p.single(n, n.Child, w)
	case *plan.TopN:
		next := above{needs: w.needs, needsOf: w.needsOf}
		if l, ok := limitOf(p.ctx, n.Limit); ok && !n.CalcFoundRows {
			next.limit, next.order, next.sorted = l, n.Fields, true
		}
		next.need(fieldExpressions(n.Fields)...)
		return p.single(n, n.Child, next)
	case *plan.Sort:
		next := above{needs: w.needs, needsOf: w.needsOf}
		if !w.sorted {
			next.limit, next.order, next.sorted = w.limit, n.SortFields, true
		}
		next.need(fieldExpressions(n.SortFields)...)
		return p.single(n, n.Child, next)
	case *plan.Project:
		if len(w.conjuncts) > 0 { // they are about the rows above
			w = above{}
		}
		w.needs, w.needsOf = n.Projections, true
		return p.single(n, n.Child, w)
	case *plan.GroupBy:
		next := above{needsOf: true}
		next.need(n.SelectedExprs...)
		next.need(n.GroupByExprs...)
		return p.single(n, n.Child, next)
	case *plan.Filter:
		return p.filter(n, w)
	case *plan.InsertInto:
		source, changed, err := p.node(n.Source, above{})
		if err != nil || !changed {
			return n, false, err
		}
		return n.WithSource(source), true, nil
	}
	return p.children(n)
}

// need adds expressions that read the rows.
func (w *above) need(list ...sql.Expression) {
	w.needs = append(w.needs[:len(w.needs):len(w.needs)], list...)
}

func fieldExpressions(fields sql.SortFields) []sql.Expression {
	var out []sql.Expression
	for _, f := range fields {
		out = append(out, f.Column)
	}
	return out
}

// filter plans below a filter, which is dropped if all documents that are found satisfy it.
func (p *planner) filter(n *plan.Filter, w above) (sql.Node, bool, error) {
	w.conjuncts = append(expression.SplitConjunction(n.Expression), w.conjuncts...)
	if w.dropped == nil {
		w.dropped = new(bool)
	}
	child, changed, err := p.node(n.Child, w)
	if err != nil || !changed {
		return n, false, err
	}
	if *w.dropped {
		return child, true, nil
	}
	next, err := n.WithChildren(child)
	return next, true, err
}

// single plans below a node with one child.
func (p *planner) single(n, child sql.Node, w above) (sql.Node, bool, error) {
	below, changed, err := p.node(child, w)
	if err != nil || !changed {
		return n, false, err
	}
	next, err := n.WithChildren(below)
	return next, true, err
}

// children plans below a node that does not bear on the rows.
func (p *planner) children(n sql.Node) (sql.Node, bool, error) {
	list := n.Children()
	next, any := slices.Clone(list), false
	for i, c := range list {
		planned, changed, err := p.node(c, above{})
		if err != nil {
			return nil, false, err
		}
		if changed {
			next[i], any = planned, true
		}
	}
	if !any {
		return n, false, nil
	}
	out, err := n.WithChildren(next...)
	return out, true, err
}

// table plans how one table is read.
func (p *planner) table(n *plan.ResolvedTable, t *Table, w above) (sql.Node, bool, error) {
	if t.access != nil && t.access.path.Covers {
		return n, false, nil // the conditions that it satisfies have gone from the plan
	}
	w.keysAlone = !t.rows.Writes.Changes && t.joined == nil &&
		(len(t.rows.Columns) == 1 || w.needsOf && t.keysAlone(w.needs))
	a, err := t.accessFor(p.ctx, w.wanted)
	if err != nil {
		return nil, false, err
	}
	if a.path.Covers && w.dropped != nil {
		*w.dropped = true
	}
	next := *t
	next.access = a
	out, err := n.WithTable(&next)
	return out, true, err
}

// keysAlone reports whether expressions read no column but a table's key.
func (t *Table) keysAlone(list []sql.Expression) bool {
	for _, e := range list {
		if transform.InspectExpr(e, func(e sql.Expression) bool {
			switch e := e.(type) {
			case *expression.GetField:
				return !t.rows.Place.Holds(e) || !t.rows.IsKeyColumn(e.Name())
			case *plan.Subquery:
				return true
			}
			return false
		}) {
			return false
		}
	}
	return true
}

// limitOf is a number of rows that a statement names.
func limitOf(ctx *sql.Context, e sql.Expression) (int, bool) {
	if e == nil {
		return 0, false
	}
	if _, literal := e.(*expression.Literal); !literal {
		return 0, false
	}
	v, err := e.Eval(ctx, nil)
	if err != nil {
		return 0, false
	}
	var n int64
	if _, err := fmt.Sscan(fmt.Sprint(v), &n); err != nil || n <= 0 || n > math.MaxInt32 {
		return 0, false
	}
	return int(n), true
}

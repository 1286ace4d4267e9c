package aggregate

import (
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/expression/function/aggregation"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/types"

	"github.com/sqlfdb/sqlfdb/costing"
	"github.com/sqlfdb/sqlfdb/document"
	"github.com/sqlfdb/sqlfdb/indexes"
	"github.com/sqlfdb/sqlfdb/kv"
	"github.com/sqlfdb/sqlfdb/ordered"
	"github.com/sqlfdb/sqlfdb/sqlbackend/order"
	"github.com/sqlfdb/sqlfdb/sqlbackend/pushdown"
	"github.com/sqlfdb/sqlfdb/sqlbackend/table"
	"github.com/sqlfdb/sqlfdb/sqlbackend/tree"
	"github.com/sqlfdb/sqlfdb/tables"
)

// MIN(n) of the rows that satisfy a condition is the n of the first such row in the order of n, and MAX(n) the n of
// the last. Where many rows satisfy the condition, few are read before that row; any other way reads all of them.
// The costs are compared as for ORDER BY n LIMIT 1.

// extremum is the argument of an aggregation's only MIN or MAX.
type extremum struct {
	of  sql.Expression
	max bool
}

// soleExtremum recognizes an aggregation of all rows by MIN or MAX of one expression.
func soleExtremum(n *plan.GroupBy) (x extremum, ok bool) {
	if len(n.GroupByExprs) > 0 || len(n.SelectedExprs) != 1 {
		return x, false
	}
	switch e := n.SelectedExprs[0].(type) {
	case *aggregation.Min:
		x.of = tree.Unwrapped(e.Child)
	case *aggregation.Max:
		x.of, x.max = tree.Unwrapped(e.Child), true
	default:
		return x, false
	}
	return x, true
}

// fallback is the plan that runs if a walk in order is given up.
type fallback struct {
	node sql.Node // below the aggregation
	path *Path    // the path of its table; nil: documents are read
	cost float64  // of the path; 0: the cost of reading the documents
	// elsewhere: the walk fails with tables.ErrGivenUp, and the caller runs another node; node is nil.
	elsewhere bool
}

// end returns the table below a MIN or MAX, read in order up to the first row that satisfies the conditions, and its
// path. It is nil where given costs less, or the order is not the one in which MIN and MAX compare.
func (r aggregating) end(n *plan.GroupBy, path *Path, given *fallback) (sql.Node, *table.AccessPath, error) {
	x, ok := soleExtremum(n)
	if !ok || path != nil && path.method == readEnds || path != nil && path.tuple == nil && path.filter == nil &&
		len(path.Residual) == 0 {
		return nil, nil, nil
	}
	way := sql.Ascending
	if x.max {
		way = sql.Descending
	}
	input, ok := order.SortInputOf(sql.SortFields{{Column: x.of, Order: way}}, n.Child)
	if !ok || !input.ReadsOneTable() {
		return nil, nil, nil
	}
	if f, ok := x.of.(*expression.GetField); !ok || !input.Table.IsKeyColumn(f.Name()) {
		input.Filters = append(input.Filters, expression.NewNot(expression.NewIsNull(x.of)))
	}
	above := order.RowLimit{Rows: 1}
	p, err := order.NewPlan(r.ctx, &input, above)
	if p == nil || err != nil {
		return nil, nil, err
	}
	p.Instead = &costing.Sorted{Name: "looking at all", Reading: given.cost, Rows: 1}
	met, zero, err := meetsExtremum(p, x)
	if !met || err != nil {
		return nil, nil, err
	}
	chosen, err := p.Choose()
	if chosen == nil || err != nil || path != nil && path.cost() <= max(1, chosen.Order.Choice.Cost) {
		return nil, nil, err
	}
	o := order.Orderer{Ctx: r.ctx}
	reads := given.path != nil && r.session.Parsed.OnlySelects()
	if chosen.Order.Bound.Cost > 0 && !reads && !o.GivesUp(&input, chosen) {
		return nil, nil, nil
	}
	walk, err := input.Rebuilt(r.ctx, chosen)
	if err != nil {
		return nil, nil, err
	}
	if chosen.Order.Bound.Cost == 0 || given.elsewhere {
		if zero {
			return nil, nil, nil
		}
		return plan.NewLimit(expression.NewLiteral(int64(1), types.Int64), walk), chosen, nil
	}
	bounded := order.NewBoundedOrder(walk, given.node, 0,
		order.Costs{Walk: chosen.Order.Choice.Cost, Bound: chosen.Order.Bound.Cost},
		above)
	if zero {
		bounded.Doubted, err = order.OverRows(input.Table, x.of)
	}
	return bounded, chosen, err
}

// cost is the cost of reading the path to its end, in documents scanned.
func (p *Path) cost() float64 {
	if p.filter == nil && (p.Candidate == nil || p.counters || p.method == readEnds) {
		return CollectedKey * float64(p.keys)
	}
	return p.Choice.Cost
}

// meetsExtremum reports whether the first row in the plan's order has the least value for MIN, or the greatest for
// MAX, written as in the first document with that value. zero: this may fail for the value 0.
func meetsExtremum(p *order.Plan, x extremum) (met, zero bool, err error) {
	f := p.Fields[0]
	if f.Part > 0 {
		return f.Exact, false, nil
	}
	counts, ok := p.Resolver.CountsOf(f.Column.Keypath)
	if !ok || !ordersAsRead(f.Column, counts) || f.Column.Shape == pushdown.ShapeString &&
		!f.Column.Collation.IsIdentity() {
		return false, false, p.Resolver.Err
	}
	if !x.max {
		return true, false, nil
	}
	// In descending order the last document of equal values comes first.
	if f.Column.Shape == pushdown.ShapeJSON && (!spellingOf(columnUse{}, counts).Whole ||
		!counts[document.KindString].IsZero()) {
		return false, false, nil
	}
	if f.Column.Shape != pushdown.ShapeJSON && f.Column.Shape != pushdown.ShapeFloat && !types.IsFloat(x.of.Type()) {
		return true, false, nil
	}
	zero, err = hasZero(p, f.Column)
	return err == nil, zero, err
}

// hasZero reports whether a document has the number 0, which may be written as -0.
func hasZero(p *order.Plan, c pushdown.Column) (bool, error) {
	zero, err := ordered.AppendNumber(nil, "0")
	if err != nil {
		return false, err
	}
	number, ok, err := p.Estimator.Number(c.Keypath)
	if err != nil || !ok {
		return false, err
	}
	versions := p.Table.Def.Versions(c, indexes.Point(zero))
	e := p.Table.Def.Collection.Entries(p.Estimator.From, number, versions, tables.ScanOptions{Streaming: kv.StreamSmall})
	defer e.Close()
	return e.Next(), e.Err()
}

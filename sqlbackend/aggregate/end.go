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

// MIN(n) of the rows that satisfy a condition is the n of the first of them in the order of n, as MAX(n) is that of the
// last. Where many rows satisfy the condition few are met before that one, while all else that answers it looks at
// each. The choice is that of ORDER BY n LIMIT 1.

// extremum is what a MIN or a MAX alone asks for.
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

// fallback is what is run if a walk in order is given up.
type fallback struct {
	node sql.Node // below the aggregation
	path *Path    // that it is read along; nil: documents are read
	cost float64  // of it; 0: of reading the documents
	// elsewhere: the walk fails with tables.ErrGivenUp, and another node is run; node is nil.
	elsewhere bool
}

// end is the table below a MIN or a MAX read in order up to the first row that satisfies the conditions, and how it is
// read; nil where the path, or reading documents if that is nil, costs less or the order is not that of MIN and MAX.
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

// cost is what it costs to read the path to its end.
func (p *Path) cost() float64 {
	if p.filter == nil && (p.Candidate == nil || p.counters || p.method == readEnds) {
		return CollectedKey * float64(p.keys)
	}
	return p.Choice.Cost
}

// meetsExtremum reports whether the first row in the plan's order has the least value as MIN compares, or the greatest
// as MAX does, written as in the first document that has it; but for 0, if zero.
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

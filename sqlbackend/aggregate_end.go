package sqlbackend

import (
	"slices"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/expression/function/aggregation"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/transform"
	"github.com/dolthub/go-mysql-server/sql/types"

	"github.com/sqlfdb/sqlfdb/costing"
	"github.com/sqlfdb/sqlfdb/document"
	"github.com/sqlfdb/sqlfdb/indexes"
	"github.com/sqlfdb/sqlfdb/kv"
	"github.com/sqlfdb/sqlfdb/ordered"
	"github.com/sqlfdb/sqlfdb/sqlbackend/pushdown"
	"github.com/sqlfdb/sqlfdb/sqlbackend/tree"
	"github.com/sqlfdb/sqlfdb/sqlbackend/value"
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
	node sql.Node       // below the aggregation
	path *aggregatePath // that it is read along; nil: documents are read
	cost float64        // of it; 0: of reading the documents
	// elsewhere: the walk fails with tables.ErrGivenUp, and another node is run; node is nil.
	elsewhere bool
}

// end is the table below a MIN or a MAX read in order up to the first row that satisfies the conditions, and how it is
// read; nil where the path, or reading documents if that is nil, costs less or the order is not that of MIN and MAX.
func (r aggregating) end(n *plan.GroupBy, path *aggregatePath, given *fallback) (sql.Node, *accessPath, error) {
	x, ok := soleExtremum(n)
	if !ok || path != nil && path.method == readEnds || path != nil && path.tuple == nil && path.filter == nil &&
		len(path.residual) == 0 {
		return nil, nil, nil
	}
	order := sql.Ascending
	if x.max {
		order = sql.Descending
	}
	site, ok := siteOf(sql.SortFields{{Column: x.of, Order: order}}, n.Child)
	if !ok || !site.isAlone() {
		return nil, nil, nil
	}
	if f, ok := x.of.(*expression.GetField); !ok || !site.table.isKeyColumn(f.Name()) {
		site.filters = append(site.filters, expression.NewNot(expression.NewIsNull(x.of)))
	}
	above := taken{rows: 1}
	p, err := newOrderPlan(r.ctx, &site, above)
	if p == nil || err != nil {
		return nil, nil, err
	}
	p.instead = &costing.Sorted{Name: "looking at all", Reading: given.cost, Rows: 1}
	met, zero, err := p.meetsExtremum(x)
	if !met || err != nil {
		return nil, nil, err
	}
	chosen, err := p.choose()
	if chosen == nil || err != nil || path != nil && path.cost() <= max(1, chosen.order.choice.Cost) {
		return nil, nil, err
	}
	o := orderer{ctx: r.ctx}
	if chosen.order.bound.Cost > 0 && !(given.path != nil && r.session.OnlySelects()) && !o.givesUp(&site, chosen) {
		return nil, nil, nil
	}
	walk, err := site.rebuilt(r.ctx, chosen)
	if err != nil {
		return nil, nil, err
	}
	if chosen.order.bound.Cost == 0 || given.elsewhere {
		if zero {
			return nil, nil, nil
		}
		return plan.NewLimit(expression.NewLiteral(int64(1), types.Int64), walk), chosen, nil
	}
	bounded := newBoundedOrder(walk, given.node, 0, costs{walk: chosen.order.choice.Cost, bound: chosen.order.bound.Cost},
		above)
	if zero {
		bounded.doubted, err = site.table.overRows(x.of)
	}
	return bounded, chosen, err
}

// overRows is an expression over the rows of a table alone.
func (t *Table) overRows(e sql.Expression) (sql.Expression, error) {
	out, _, err := transform.Expr(e, func(e sql.Expression) (sql.Expression, transform.TreeIdentity, error) {
		f, ok := e.(*expression.GetField)
		if !ok {
			return e, transform.SameTree, nil
		}
		at := slices.IndexFunc(t.columns, func(c column) bool { return strings.EqualFold(c.name, f.Name()) })
		return f.WithIndex(at), transform.NewTree, nil
	})
	return out, err
}

// cost is what it costs to read the path to its end.
func (p *aggregatePath) cost() float64 {
	if p.filter == nil && (p.candidate == nil || p.counters || p.method == readEnds) {
		return collectedKey * float64(p.keys)
	}
	return p.choice.Cost
}

// isAlone reports whether nothing but filters and names stands between a sort and its table, and the filters read
// no other's columns.
func (s *orderSite) isAlone() bool {
	for _, n := range s.between {
		if _, ok := n.(*plan.TableAlias); !ok {
			return false
		}
	}
	conjuncts := s.conjuncts()
	if s.table == nil || s.table.def.Rebuilding() || anySubquery(conjuncts) {
		return false
	}
	for _, c := range conjuncts {
		foreign := false
		sql.Inspect(c, func(e sql.Expression) bool {
			if f, ok := e.(*expression.GetField); ok && !s.table.place.Holds(f) {
				foreign = true
			}
			return !foreign
		})
		if foreign {
			return false
		}
	}
	return true
}

// meetsExtremum reports whether the first row in the plan's order has the least value as MIN compares, or the greatest
// as MAX does, written as in the first document that has it; but for 0, if zero.
func (p *orderPlan) meetsExtremum(x extremum) (met, zero bool, err error) {
	f := p.fields[0]
	if f.part > 0 {
		return f.exact, false, nil
	}
	counts, ok := p.resolver.countsOf(f.column.Keypath)
	if !ok || !ordersAsRead(f.column, counts) || f.column.Shape == pushdown.ShapeString &&
		!f.column.Collation.IsIdentity() {
		return false, false, p.resolver.err
	}
	if !x.max {
		return true, false, nil
	}
	// In descending order the last document of equal values comes first.
	if f.column.Shape == pushdown.ShapeJSON && (!spellingOf(columnUse{}, counts).whole ||
		!counts[document.KindString].IsZero()) {
		return false, false, nil
	}
	if f.column.Shape != pushdown.ShapeJSON && f.column.Shape != pushdown.ShapeFloat && !types.IsFloat(x.of.Type()) {
		return true, false, nil
	}
	zero, err = p.hasZero(f.column)
	return err == nil, zero, err
}

// hasZero reports whether a document has the number 0, which may be written as -0.
func (p *orderPlan) hasZero(c pushdown.Column) (bool, error) {
	zero, err := ordered.AppendNumber(nil, "0")
	if err != nil {
		return false, err
	}
	number, ok, err := p.estimator.Number(c.Keypath)
	if err != nil || !ok {
		return false, err
	}
	versions := p.table.def.versions(c, indexes.Point(zero))
	e := p.table.def.collection.Entries(p.estimator.From, number, versions, tables.ScanOptions{Streaming: kv.StreamSmall})
	defer e.Close()
	return e.Next(), e.Err()
}

// IsZero reports whether a value is a number that may be written as 0 and as -0.
func isZero(v any) bool {
	switch v := v.(type) {
	case float64:
		return v == 0
	case float32:
		return v == 0
	case value.JSON:
		return v.Held.Type() == document.TypeNumber && document.CompareNumbers(v.Held.Number(), "0") == 0
	}
	return false
}

package subquery

import (
	"fmt"
	"io"
	"reflect"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/transform"

	"github.com/sqlfdb/sqlfdb/sqlbackend/compare"
	"github.com/sqlfdb/sqlfdb/sqlbackend/hold"
	"github.com/sqlfdb/sqlfdb/sqlbackend/pushdown"
	"github.com/sqlfdb/sqlfdb/sqlbackend/rewrite"
	"github.com/sqlfdb/sqlfdb/sqlbackend/tree"
)

// Value is a scalar subquery, or EXISTS, that reads columns of the outer query. It is planned each time it is
// evaluated, with the values of these columns as constants. So its conditions find ranges, and its aggregates and
// orders are planned as in a separate statement. It is for one execution of a statement, and not safe for concurrent
// use.
type Value struct {
	// Standing is the subquery as the engine plans it for any outer row: *plan.Subquery or *plan.ExistsSubquery. It
	// has the type, and shows the engine the columns that are read; it isn't run.
	Standing sql.Expression
	// Outer are the columns of the outer query that the subquery reads, at their current places in the plan.
	Outer []sql.Expression
	*Bound
}

// Placed implements tree.Placed.
func (*Value) Placed() {}

// Bound is the part that all copies of a Value share.
type Bound struct {
	Evaluator Evaluator
	Query     sql.Node // as the plan builder has made it
	exists    bool
	columns   []sql.ColumnId // of the outer query
	steady    bool           // the outer values determine the result
	given     map[string]any // results by outer values, while they are few; nil before the first
	bytes     int
	key       []byte
	Watcher   Watcher // for EXPLAIN ANALYZE

	size   uint64 // rows of its largest table
	asked  uint64 // how often the result was not known
	once   *onceRead
	groups *Grouped
}

var (
	_ sql.Expression                 = (*Value)(nil)
	_ sql.NonDeterministicExpression = (*Value)(nil)
	_ sql.CollationCoercible         = (*Value)(nil)
)

// Type implements sql.Expression.
func (b *Value) Type() sql.Type { return b.Standing.Type() }

// CollationCoercibility implements sql.CollationCoercible.
func (b *Value) CollationCoercibility(ctx *sql.Context) (sql.CollationID, byte) {
	return sql.GetCoercibility(ctx, b.Standing)
}

// IsNonDeterministic implements sql.NonDeterministicExpression, as the subquery itself does.
func (b *Value) IsNonDeterministic() bool { return true }

// IsNullable implements sql.Expression.
func (b *Value) IsNullable() bool { return b.Standing.IsNullable() }

// Resolved implements sql.Expression.
func (b *Value) Resolved() bool { return b.Standing.Resolved() }

// String implements fmt.Stringer.
func (b *Value) String() string { return b.Standing.String() }

// Children implements sql.Expression.
func (b *Value) Children() []sql.Expression {
	return append([]sql.Expression{b.Standing}, b.Outer...)
}

// WithChildren implements sql.Expression. If a rule has replaced the subquery by another expression, that takes its
// place.
func (b *Value) WithChildren(children ...sql.Expression) (sql.Expression, error) {
	if len(children) != 1+len(b.Outer) {
		return nil, sql.ErrInvalidChildrenNumber.New(b, len(children), 1+len(b.Outer))
	}
	switch children[0].(type) {
	case *plan.Subquery, *plan.ExistsSubquery:
		return &Value{children[0], children[1:], b.Bound}, nil
	}
	return children[0], nil
}

// Eval implements sql.Expression.
func (b *Value) Eval(ctx *sql.Context, row sql.Row) (interface{}, error) {
	values, key, known, err := b.valuesOf(ctx, b.Outer, row)
	if err != nil {
		return nil, err
	}
	if !known {
		return b.run(ctx, values)
	}
	if v, ok := b.given[string(key)]; ok {
		return v, nil
	}
	b.asked++
	v, known, groups, err := b.ofGroup(ctx, values)
	if known || err != nil {
		return v, err
	}
	var query sql.Expression
	if groups == nil {
		if query, err = b.overHeld(ctx, row); err != nil {
			return nil, err
		}
	}
	if query != nil {
		v, err = query.Eval(ctx, row)
	} else {
		v, err = b.run(ctx, values)
	}
	if err != nil {
		return nil, err
	}
	switch {
	case groups == nil:
	case b.exists && v == true: // no group has these rows: what equals what is not known
		groups.drop()
	default:
		groups.none, groups.known = v, true
	}
	b.keep(string(key), v, hold.RowBytes(sql.Row{v}))
	return v, nil
}

// valuesOf returns the values of the outer columns in a row, and their key if they determine the query's result.
func (b *Bound) valuesOf(ctx *sql.Context, outer []sql.Expression, row sql.Row) (values []any, key []byte,
	known bool, err error) {
	values = make([]any, len(outer))
	key, known = b.key[:0], b.steady
	for i, e := range outer {
		v, err := e.Eval(ctx, row)
		if err != nil {
			return nil, nil, false, err
		}
		values[i] = v
		if known {
			key, known = rewrite.AppendExactKey(key, v)
		}
	}
	b.key = key
	return values, key, known, nil
}

// keep remembers the query's result for outer values, up to a bound.
func (b *Bound) keep(key string, v any, size int) {
	const entry = 64
	if size += entry + len(key); b.bytes+size > rewrite.RememberedBytes {
		return
	}
	if b.given == nil {
		b.given = map[string]any{}
	}
	b.bytes += size
	b.given[key] = v
}

// Planned returns the plan of the query with values for the outer columns.
func (b *Value) Planned(ctx *sql.Context, values []any) (sql.Node, error) {
	return b.bound(ctx, b.Outer, values)
}

// bound returns the plan of the query with values for the outer columns.
func (b *Bound) bound(ctx *sql.Context, outer []sql.Expression, values []any) (sql.Node, error) {
	constants := make(map[sql.ColumnId]*compare.ScalarValue, len(values))
	for i, e := range outer {
		v, err := sql.UnwrapAny(ctx, values[i])
		if err != nil {
			return nil, err
		}
		collation, coercibility := sql.GetCoercibility(ctx, e)
		constants[b.columns[i]] = &compare.ScalarValue{Value: v, Typ: e.Type(), Collation: collation,
			Coercibility: coercibility}
	}
	query, err := withConstants(b.Query, constants)
	if err != nil {
		return nil, err
	}
	s := b.Evaluator
	s.Ctx = ctx
	return s.Planned(query)
}

// run plans and runs the query with values for the outer columns.
func (b *Value) run(ctx *sql.Context, values []any) (any, error) {
	n, err := b.Planned(ctx, values)
	if err != nil {
		return nil, err
	}
	s := b.Evaluator.Session
	defer s.Running(n)()
	if w := s.Watched(b.Watcher); w != nil {
		b.Watcher = w
		defer w.Watch(ctx, n, b.OuterText(ctx, values))()
	}
	rows, err := b.Evaluator.Analyzer.ExecBuilder.Build(ctx, n, nil)
	if err != nil {
		return nil, err
	}
	if b.exists {
		_, err := rows.Next(ctx)
		if closed := rows.Close(ctx); err == nil || err == io.EOF {
			return err == nil, closed
		}
		return nil, err
	}
	row, err := onlyRow(ctx, rows, 1)
	if err != nil {
		return nil, err
	}
	return row[0], nil
}

// withConstants returns a query with constants in place of columns of the outer query.
func withConstants(n sql.Node, constants map[sql.ColumnId]*compare.ScalarValue) (sql.Node, error) {
	var bound sql.ColSet
	for id := range constants {
		bound.Add(id)
	}
	retyped := map[*compare.ScalarValue]bool{} // constants whose columns had another type to the plan builder
	var nodes func(n sql.Node) (sql.Node, transform.TreeIdentity, error)
	expressions := func(e sql.Expression) (sql.Expression, transform.TreeIdentity, error) {
		switch e := e.(type) {
		case *expression.GetField:
			if c := constants[e.Id()]; c != nil {
				if !reflect.DeepEqual(c.Typ, e.Type()) {
					retyped[c] = true
				}
				return c, transform.NewTree, nil
			}
		case *plan.Subquery:
			query, same, err := nodes(e.Query)
			if err != nil || bool(same) && !e.Correlated().Intersects(bound) {
				return e, transform.SameTree, err
			}
			return e.WithQuery(query).WithCorrelated(e.Correlated().Difference(bound)), transform.NewTree, nil
		}
		if len(retyped) > 0 && transform.InspectExpr(e, func(e sql.Expression) bool {
			c,
				ok := e.(*compare.ScalarValue)
			return ok && retyped[c]
		}) {
			next, changed, err := compare.Rechosen(e)
			return next, transform.TreeIdentity(!changed), err
		}
		return e, transform.SameTree, nil
	}
	nodes = func(n sql.Node) (sql.Node, transform.TreeIdentity, error) {
		return transform.NodeWithOpaque(n, func(n sql.Node) (sql.Node, transform.TreeIdentity, error) {
			n, same, err := tree.NodeExpressions(n, expressions)
			if err != nil {
				return n, same, err
			}
			d, ok := n.(*plan.SubqueryAlias)
			if !ok || !d.Correlated.Intersects(bound) {
				return n, same, nil
			}
			given := make(map[sql.ColumnId]sql.Expression, len(d.ScopeMapping))
			for id, e := range d.ScopeMapping {
				if given[id], _, err = transform.Expr(e, expressions); err != nil {
					return n, same, err
				}
			}
			return d.WithScopeMapping(given).WithCorrelated(d.Correlated.Difference(bound)), transform.NewTree, nil
		})
	}
	out, _, err := nodes(n)
	return out, err
}

// OuterText returns the outer columns with values, as EXPLAIN shows them.
func (b *Value) OuterText(ctx *sql.Context, values []any) string {
	texts := make([]string, len(b.Outer))
	for i, e := range b.Outer {
		v, err := sql.UnwrapAny(ctx, values[i])
		if err != nil {
			v = nil
		}
		texts[i] = fmt.Sprintf("%s = %s", e, pushdown.ConstantsText(ctx,
			[]sql.Expression{&compare.ScalarValue{Value: v, Typ: e.Type()}}))
	}
	return strings.Join(texts, ", ")
}

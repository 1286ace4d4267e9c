package subquery

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/transform"

	"github.com/sqlfdb/sqlfdb/sqlbackend/compare"
	"github.com/sqlfdb/sqlfdb/sqlbackend/hold"
	"github.com/sqlfdb/sqlfdb/sqlbackend/operator"
	"github.com/sqlfdb/sqlfdb/sqlbackend/rewrite"
	"github.com/sqlfdb/sqlfdb/sqlbackend/setting"
	"github.com/sqlfdb/sqlfdb/sqlbackend/tree"
	"github.com/sqlfdb/sqlfdb/sqlbackend/value"
)

// A correlated subquery is planned for each outer row, which takes as long as reading some hundreds of rows. If it
// selects rows equal to a column of the outer row, planning may at some point have taken as long as reading its
// table. Then the table's rows are read, and held by that column. From then on the query runs as the engine has
// planned it for any outer row, over the rows that are equal. All its conditions stay.

const (
	// rowsPlanned is the number of rows that are read in the time of planning a subquery once.
	rowsPlanned = 128
	// plannedFirst is how often a subquery is planned in any case.
	plannedFirst = 4
	// mostEqual bounds the held rows that an outer row equals: with more of them, the subquery is planned.
	mostEqual = 4 * rowsPlanned
)

// ReadOnce has the rows below a condition in a correlated subquery, which are the same for each outer row. They are
// read for the first one, and held by the columns that the condition compares with columns of the outer row. It is
// for one execution of a statement, and not safe for concurrent use.
type ReadOnce struct {
	Of     sql.Node
	equal  []equality
	rows   map[string][]sql.Row // without the outer row
	memory hold.Memory
	key    []byte
}

// equality is a condition that an expression over a row equals an expression over the outer row.
type equality struct {
	own, outer sql.Expression
	typ        compare.KeyType
}

var _ operator.Node = (*ReadOnce)(nil)

// Schema implements sql.Node.
func (n *ReadOnce) Schema() sql.Schema { return n.Of.Schema() }

// Resolved implements sql.Node.
func (n *ReadOnce) Resolved() bool { return true }

// IsReadOnly implements sql.Node.
func (n *ReadOnce) IsReadOnly() bool { return true }

// String implements fmt.Stringer.
func (n *ReadOnce) String() string { return n.Of.String() }

// Children implements sql.Node. It returns none: the held rows' plan does not run for each outer row.
func (n *ReadOnce) Children() []sql.Node { return nil }

// WithChildren implements sql.Node.
func (n *ReadOnce) WithChildren(children ...sql.Node) (sql.Node, error) {
	return plan.NillaryWithChildren(n, children...)
}

// ConditionText returns the condition by which rows are found.
func (n *ReadOnce) ConditionText() string {
	texts := make([]string, len(n.equal))
	for i, e := range n.equal {
		texts[i] = fmt.Sprintf("%s = %s", operator.ExprText(e.own), operator.ExprText(e.outer))
	}
	return strings.Join(texts, " AND ")
}

// Build implements operator.Node. It returns the rows that equal the outer one, each with the outer one before it.
func (n *ReadOnce) Build(ctx *sql.Context, _ sql.NodeExecBuilder, outer sql.Row) (sql.RowIter, error) {
	key, null, err := n.keyOf(ctx, outer, func(e equality) sql.Expression { return e.outer })
	if err != nil || null {
		return sql.RowsToRowIter(), err
	}
	return &equalRows{outer, n.rows[string(key)]}, nil
}

// equalRows returns held rows with the outer row before each.
type equalRows struct {
	outer sql.Row
	rows  []sql.Row
}

// Next implements sql.RowIter.
func (r *equalRows) Next(ctx *sql.Context) (sql.Row, error) {
	if len(r.rows) == 0 {
		return nil, io.EOF
	}
	row := r.rows[0]
	r.rows = r.rows[1:]
	return append(append(make(sql.Row, 0, len(r.outer)+len(row)), r.outer...), row...), ctx.Err()
}

// Close implements sql.RowIter.
func (r *equalRows) Close(*sql.Context) error { return nil }

// few reports whether reading the rows that equal an outer row takes no longer than planning the query for it.
func (n *ReadOnce) few(ctx *sql.Context, outer sql.Row) bool {
	key, _, err := n.keyOf(ctx, outer, func(e equality) sql.Expression { return e.outer })
	return err == nil && len(n.rows[string(key)]) <= mostEqual
}

// keyOf returns the key of one side of the equalities for a row; null says that one of them is NULL, which equals
// nothing.
func (n *ReadOnce) keyOf(ctx *sql.Context, row sql.Row, side func(equality) sql.Expression) (key []byte, null bool,
	err error) {
	key = n.key[:0]
	for _, e := range n.equal {
		v, err := side(e).Eval(ctx, row)
		if err != nil || v == nil {
			return nil, v == nil, err
		}
		part, err := e.typ.Key(ctx, v)
		if err != nil {
			return nil, false, err
		}
		key = value.AppendKeyPart(key, 'k', []byte(part))
	}
	n.key = key
	return key, false, nil
}

// fill reads the rows; it returns false if there are too many to hold.
func (n *ReadOnce) fill(ctx *sql.Context, engine sql.NodeExecBuilder, outer sql.Row) (whole bool, err error) {
	query, _, err := transform.Node(n.Of, plan.PrependRowInPlan(outer, false))
	if err != nil {
		return false, err
	}
	rows, err := engine.Build(ctx, query, outer)
	if err != nil {
		return false, err
	}
	defer func() {
		if closed := rows.Close(ctx); err == nil {
			err = closed
		}
		if !whole || err != nil {
			n.rows = nil
			n.memory.ReleaseAll()
		}
	}()
	var owner hold.RowOwner
	n.rows = map[string][]sql.Row{}
	const entry = 64
	for bytes := 0; bytes <= rewrite.RememberedBytes; {
		row, err := rows.Next(ctx)
		if err == io.EOF {
			return true, nil
		}
		if err != nil {
			return false, err
		}
		key, null, err := n.keyOf(ctx, row, func(e equality) sql.Expression { return e.own })
		if err != nil {
			return false, err
		}
		if null { // NULL equals nothing
			bytes += entry
			continue
		}
		row = owner.Own(slices.Clone(row[len(outer):]), 0)
		size := entry + len(key) + hold.RowBytes(row)
		if err := n.memory.Hold(ctx, size); err != nil {
			return false, err
		}
		bytes += size
		n.rows[string(key)] = append(n.rows[string(key)], row)
	}
	return false, nil
}

// onceRead is a subquery as planned for any outer row, over rows that are read once.
type onceRead struct {
	query    sql.Expression // nil if the rows can't be held
	rows     *ReadOnce
	standing sql.Expression // the original subquery
	width    int            // of the outer row
}

// readsOnceAfter returns how often the query is planned before its rows are read once.
func (b *Bound) readsOnceAfter() uint64 { return plannedFirst + b.size/rowsPlanned }

// Once returns the rows that are read once, and after how many outer rows; nil if none are. width is the number of
// the outer row's columns.
func (b *Value) Once(ctx *sql.Context, width int) (rows *ReadOnce, after uint64) {
	switch {
	case b.once != nil && b.once.query == nil, !b.mayReadOnce(ctx):
		return nil, 0
	case b.once != nil:
		rows = b.once.rows
	default:
		_, rows = readOnce(ctx, b.Standing, width)
	}
	return rows, b.readsOnceAfter()
}

// mayReadOnce reports whether the query may read rows that no outer row needs.
func (b *Value) mayReadOnce(ctx *sql.Context) bool {
	return b.steady && b.Evaluator.Session.ReadsFreely() && setting.Of(ctx, setting.FullScans) == "allow"
}

// overHeld returns the subquery over rows that are read once; nil if it must be planned for the outer row.
func (b *Value) overHeld(ctx *sql.Context, outer sql.Row) (sql.Expression, error) {
	if b.once == nil && b.asked > b.readsOnceAfter() && b.mayReadOnce(ctx) {
		query, rows := readOnce(ctx, b.Standing, len(outer))
		b.once = &onceRead{rows: rows, standing: b.Standing, width: len(outer)}
		if rows == nil {
			return nil, nil
		}
		// Errors in rows that no outer row needs must not show.
		whole, err := rows.fill(ctx, b.Evaluator.Analyzer.ExecBuilder, outer)
		if killed := ctx.Err(); killed != nil {
			return nil, killed
		}
		if whole && err == nil {
			b.once.query = query
		}
	}
	o := b.once
	if o != nil && o.query != nil && o.standing == b.Standing && o.width == len(outer) && o.rows.few(ctx, outer) {
		return o.query, nil
	}
	return nil, nil
}

// readOnce returns a subquery with its rows read once, for outer rows of width columns; nil if no condition has an
// equality with them.
func readOnce(ctx *sql.Context, standing sql.Expression, width int) (sql.Expression, *ReadOnce) {
	exists, ok := standing.(*plan.ExistsSubquery)
	q, scalar := standing.(*plan.Subquery)
	if ok {
		q = exists.Query
	}
	if !ok && !scalar || rewrite.UnnestsOuter(q) {
		return nil, nil
	}
	query, rows := heldBelow(compare.Comparer{Ctx: ctx}, q.Query, width)
	if rows == nil {
		return nil, nil
	}
	q = q.WithQuery(query)
	if ok {
		return plan.NewExistsSubquery(q), rows
	}
	return q, rows
}

// Unbounded is a node that stops a walk in favor of another plan for the same rows.
type Unbounded interface{ Unbounded() sql.Node }

// heldBelow returns a query with its rows held below its lowest condition with such equalities.
func heldBelow(c compare.Comparer, n sql.Node, width int) (sql.Node, *ReadOnce) {
	if walk, ok := n.(Unbounded); ok {
		return heldBelow(c, walk.Unbounded(), width)
	}
	switch n.(type) {
	case *plan.Project, *plan.GroupBy, *plan.Having, *plan.Filter, *plan.Sort, *plan.TopN, *plan.Limit, *plan.Offset,
		*plan.Distinct, *plan.TableAlias:
	default:
		return n, nil
	}
	child := n.Children()[0]
	next, held := heldBelow(c, child, width)
	if f, ok := n.(*plan.Filter); ok && held == nil && oneTable(child) && !readsOuter(child, width) {
		if equal := equalities(c, f.Expression, width); len(equal) > 0 {
			held = &ReadOnce{Of: child, equal: equal}
			next = held
		}
	}
	if held == nil {
		return n, nil
	}
	out, err := n.WithChildren(next)
	if err != nil {
		return n, nil
	}
	return out, held
}

// equalities returns the equalities in a condition between columns of a row and the outer row, which has width
// columns.
func equalities(c compare.Comparer, condition sql.Expression, width int) []equality {
	var out []equality
	for _, e := range expression.SplitConjunction(condition) {
		equals, ok := e.(*expression.Equals)
		if !ok {
			continue
		}
		own, outer := equals.Left(), equals.Right()
		at, column := columnAt(own)
		from, other := columnAt(outer)
		if !column || !other || at < width == (from < width) {
			continue
		}
		typ, ok := c.EqualKey(own, outer)
		if !ok {
			continue
		}
		if at < width {
			own, outer = outer, own
		}
		out = append(out, equality{own, outer, typ})
	}
	return out
}

// columnAt returns the index in a row of an operand that is a column.
func columnAt(e sql.Expression) (int, bool) {
	e = tree.Unwrapped(e)
	if w, ok := e.(*tree.WeightKey); ok {
		e = tree.Unwrapped(w.Child)
	}
	f, ok := e.(*expression.GetField)
	if !ok {
		return 0, false
	}
	return f.Index(), true
}

// oneTable reports whether a node reads one table: a join may have very many rows.
func oneTable(n sql.Node) bool {
	one := true
	transform.Inspect(n, func(n sql.Node) bool {
		if n != nil && len(n.Children()) > 1 {
			one = false
		}
		return one
	})
	return one
}

// readsOuter reports whether a node reads columns of the outer row, or may.
func readsOuter(n sql.Node, width int) bool {
	found := false
	tree.InspectPlan(n, func(n sql.Node) {}, func(e sql.Expression) {
		f, ok := e.(*expression.GetField)
		found = found || ok && f.Index() < width
	})
	return found
}

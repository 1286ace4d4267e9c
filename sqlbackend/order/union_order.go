package order

import (
	"math"
	"reflect"
	"slices"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/analyzer"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/transform"
	"github.com/dolthub/go-mysql-server/sql/types"

	"github.com/sqlfdb/sqlfdb/sqlbackend/compare"
	"github.com/sqlfdb/sqlfdb/sqlbackend/rewrite"
	"github.com/sqlfdb/sqlfdb/sqlbackend/setting"
	"github.com/sqlfdb/sqlfdb/sqlbackend/tree"
)

// UnionRule puts the order and the LIMIT of a UNION ALL on each of its sides as well. The first three rows of all
// are among the first three of each side, which a side may read in that order. It does the same for a derived table
// that is a UNION ALL, and has each of its sides aggregated separately.
//
// It works on queries as the plan builder has made them, and is idempotent: a side with a LIMIT gets no other.
func UnionRule(ctx *sql.Context, _ *analyzer.Analyzer, n sql.Node, _ *plan.Scope, _ analyzer.RuleSelector,
	flags *sql.QueryFlags) (sql.Node, transform.TreeIdentity, error) {
	if _, set := n.(*plan.SetOp); !set && !flags.SubqueryIsSet() || !setting.UsesIndex(ctx) {
		return n, transform.SameTree, nil
	}
	return unionParts{rewrite.ViewConditions{Comparer: compare.Comparer{Ctx: ctx}}}.node(n)
}

// unionParts is one run of the rule.
type unionParts struct{ conditions rewrite.ViewConditions }

func (u unionParts) node(n sql.Node) (sql.Node, transform.TreeIdentity, error) {
	next := n
	var err error
	switch at := n.(type) {
	case *plan.CreateView:
		return n, transform.SameTree, nil
	case *plan.Limit:
		next, err = orderDerivedUnion(at)
	case *plan.SetOp:
		next, err = orderUnion(at)
	case *plan.GroupBy:
		next, err = rewrite.AggregateUnion(u.conditions, at)
	}
	if err != nil {
		return n, transform.SameTree, err
	}
	same := transform.TreeIdentity(next == n)
	next, unchanged, err := tree.EachSubquery(next, u.node)
	if err != nil {
		return n, transform.SameTree, err
	}
	next, below, err := tree.EachChild(next, u.node)
	return next, same && unchanged && below, err
}

// unionOrder is the order and the number of the rows needed of a UNION ALL.
type unionOrder struct {
	schema sql.Schema
	by     []sql.SortField // sort fields; at has their positions
	at     []int           // position of the column in schema, for each of by
	rows   int64
}

// maxOfSide is the largest number of rows that a side is limited to. For more, a limit is not expected to save
// reads.
const maxOfSide = 1 << 20

// literalCount returns the number of a LIMIT or an OFFSET written as a literal; 0 for none.
func literalCount(e sql.Expression) (int64, bool) {
	if e == nil {
		return 0, true
	}
	l, ok := e.(*expression.Literal)
	if !ok {
		return 0, false
	}
	switch v := l.Value().(type) {
	case int8:
		return int64(v), v >= 0
	case int16:
		return int64(v), v >= 0
	case int32:
		return int64(v), v >= 0
	case int64:
		return v, v >= 0
	case uint8:
		return int64(v), true
	case uint16:
		return int64(v), true
	case uint32:
		return int64(v), true
	case uint64:
		return int64(v), v <= math.MaxInt64
	}
	return 0, false
}

// takes sets how many rows are needed, and reports whether a side may be limited to them.
func (u *unionOrder) takes(limit, offset sql.Expression) bool {
	rows, ok := literalCount(limit)
	skip, known := literalCount(offset)
	u.rows = min(rows, maxOfSide) + min(skip, maxOfSide)
	return ok && known && u.rows <= maxOfSide
}

// orderUnion orders and limits the sides of a UNION ALL with an order and a limit of its own.
func orderUnion(n *plan.SetOp) (sql.Node, error) {
	if !rewrite.IsUnionAll(n) || n.Limit == nil || len(n.SortFields) == 0 {
		return n, nil
	}
	u := unionOrder{schema: n.Schema()}
	if !u.takes(n.Limit, n.Offset) {
		return n, nil
	}
	for _, f := range n.SortFields {
		field, ok := tree.Unwrapped(f.Column).(*expression.GetField)
		if !ok {
			return n, nil
		}
		// Columns are found by name, as in operator.columnSort.
		at := slices.IndexFunc(u.schema, func(c *sql.Column) bool { return strings.EqualFold(c.Name, field.Name()) })
		if at < 0 {
			return n, nil
		}
		u.at, u.by = append(u.at, at), append(u.by, f)
	}
	return u.ofSides(n)
}

// orderDerivedUnion does so for a limit above a sort of a derived table that is a UNION ALL.
func orderDerivedUnion(n *plan.Limit) (sql.Node, error) {
	between := []sql.Node{n}
	var offset sql.Expression
	var input SortInput
	for at := n.Child; ; at = at.Children()[0] {
		switch at := at.(type) {
		case *plan.Offset:
			if offset != nil || input.Fields != nil {
				return n, nil
			}
			offset = at.Offset
		case *plan.Sort:
			if input.Fields != nil {
				return n, nil
			}
			input.Fields = slices.Clone(at.SortFields)
		case *plan.Project:
			if !input.Through(func(f *expression.GetField) (sql.Expression, bool) { return rewrite.Projected(at, f) }) {
				return n, nil
			}
		case *plan.SubqueryAlias:
			set, ok := at.Child.(*plan.SetOp)
			if !ok || !rewrite.IsUnionAll(set) || set.Limit != nil || set.Offset != nil || len(set.SortFields) > 0 ||
				n.CalcFoundRows {
				return n, nil
			}
			u := unionOrder{schema: set.Schema()}
			if !u.takes(n.Limit, offset) || !u.orders(at, input.Fields) {
				return n, nil
			}
			next, err := u.ofSides(set)
			if err != nil || next == sql.Node(set) {
				return n, err
			}
			return rewrite.Over(between, at.WithChild(next))
		default:
			return n, nil
		}
		between = append(between, at)
	}
}

// orders sets the order to a sort of a derived table by its columns; false for other sorts.
func (u *unionOrder) orders(d *plan.SubqueryAlias, fields sql.SortFields) bool {
	positions := map[sql.ColumnId]int{}
	d.Columns().ForEach(func(id sql.ColumnId) { positions[id] = len(positions) })
	if len(positions) != len(u.schema) || len(fields) == 0 {
		return false
	}
	for _, f := range fields {
		field, ok := f.Column.(*expression.GetField)
		if !ok {
			return false
		}
		at, ok := positions[field.Id()]
		if !ok || !reflect.DeepEqual(field.Type(), u.schema[at].Type) {
			return false
		}
		u.at, u.by = append(u.at, at), append(u.by, f)
	}
	return true
}

// ofSides returns a UNION ALL with its sides ordered and limited where possible.
func (u *unionOrder) ofSides(n *plan.SetOp) (sql.Node, error) {
	left, err := u.ofSide(n.Left())
	if err != nil {
		return n, err
	}
	right, err := u.ofSide(n.Right())
	if err != nil || left == n.Left() && right == n.Right() {
		return n, err
	}
	return n.WithChildren(left, right)
}

// ofSide returns a side ordered and limited; the side unchanged where it can't be put in the order of all.
func (u *unionOrder) ofSide(n sql.Node) (sql.Node, error) {
	selects := n
	switch at := n.(type) {
	case *plan.SetOp:
		if !rewrite.IsUnionAll(at) || at.Limit != nil || at.Offset != nil || len(at.SortFields) > 0 {
			return n, nil
		}
		return u.ofSides(at)
	case *plan.Project:
		if rewrite.ConvertsColumns(at) {
			return u.ofConverted(at)
		}
	case *plan.Distinct:
		selects = at.Child
	}
	p, ok := selects.(*plan.Project)
	if !ok || len(p.Projections) != len(u.schema) {
		return n, nil
	}
	fields := make(sql.SortFields, len(u.by))
	for i, f := range u.by {
		column := selected(p.Projections[u.at[i]])
		if column == nil || !keepsOrder(column.Type(), u.schema[u.at[i]].Type) {
			return n, nil
		}
		fields[i] = sql.SortField{Column: column, Order: f.Order, NullOrdering: f.NullOrdering}
	}
	return plan.NewLimit(expression.NewLiteral(u.rows, types.Int64), plan.NewSort(fields, n)), nil
}

// ofConverted is ofSide for a projection that converts the columns of a side to the other side's types.
func (u *unionOrder) ofConverted(n *plan.Project) (sql.Node, error) {
	given := n.Child.Schema()
	for _, at := range u.at {
		if _, plain := n.Projections[at].(*expression.GetField); !plain &&
			!rewrite.KeepsNumber(given[at].Type, u.schema[at].Type) {
			return n, nil
		}
	}
	child, err := u.ofSide(n.Child)
	if err != nil || child == n.Child {
		return n, err
	}
	return n.WithChildren(child)
}

// keepsOrder reports whether values of one type keep their order when they are converted to the other.
func keepsOrder(from, to sql.Type) bool {
	return reflect.DeepEqual(from, to) || rewrite.KeepsNumber(from, to)
}

// selected returns a field that reads a selected expression above its projection; nil where it has no column ID.
func selected(e sql.Expression) *expression.GetField {
	switch e := e.(type) {
	case *expression.GetField:
		return e
	case *expression.Alias:
		if e.Id() != 0 {
			return expression.NewGetFieldWithTable(int(e.Id()), 0, e.Type(), "", "", e.Name(), e.IsNullable())
		}
	}
	return nil
}

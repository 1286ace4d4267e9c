package rewrite

import (
	"reflect"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/transform"
	"github.com/dolthub/go-mysql-server/sql/types"

	"github.com/sqlfdb/sqlfdb/sqlbackend/compare"
	"github.com/sqlfdb/sqlfdb/sqlbackend/functions"
	"github.com/sqlfdb/sqlfdb/sqlbackend/tree"
)

// A set operation gives its columns the numbers of its first side's columns, which may be 0, or the same for two. So
// a condition on it is put in terms of positions: the number of a field is the position of its column, counted from
// 1.

// ofUnion returns a derived table made by a set operation, with a condition added to the sides that can have it. The
// second result says whether all rows of the derived table then satisfy it.
func (v ViewConditions) ofUnion(d *plan.SubqueryAlias, n *plan.SetOp,
	condition sql.Expression) (next *plan.SubqueryAlias, all bool) {
	positions := map[sql.ColumnId]int{}
	d.Columns().ForEach(func(id sql.ColumnId) { positions[id] = len(positions) })
	schema := n.Schema()
	if len(positions) != len(schema) {
		return d, false
	}
	condition, ok := v.inTermsOf(condition, func(f *expression.GetField) (sql.Expression, bool) {
		at, ok := positions[f.Id()]
		if !ok || !reflect.DeepEqual(f.Type(), schema[at].Type) || v.Class(f) == compare.ClassJSON && !givesColumns(n, at) {
			return nil, false
		}
		return fieldAt(at, schema[at]), true
	})
	if !ok {
		return d, false
	}
	child, all := v.ofSides(n, condition)
	if child == sql.Node(n) {
		return d, all
	}
	return d.WithChild(child), all
}

// givesColumns reports whether a query gives columns of tables, constants, or results of JSON functions at a
// position, on each side of its set operations. Other expressions of JSON, such as IFNULL(a, ”), may turn out to be
// texts, and all sides with them: conditions then compare texts.
func givesColumns(n sql.Node, at int) bool {
	switch n := n.(type) {
	case *plan.SetOp:
		return givesColumns(n.Left(), at) && givesColumns(n.Right(), at)
	case *plan.Project:
		if at >= len(n.Projections) {
			return false
		}
		if ConvertsColumns(n) {
			return givesColumns(n.Child, at)
		}
		switch e := tree.Unaliased(n.Projections[at]).(type) {
		case *expression.GetField, *expression.Literal:
			return true
		case sql.FunctionExpression:
			return strings.HasPrefix(strings.ToLower(e.FunctionName()), "json_")
		}
		return false
	case *plan.Distinct, *plan.Sort, *plan.Having, *plan.Limit, *plan.Offset:
		return givesColumns(n.Children()[0], at)
	case *plan.GroupBy, *plan.Window:
		return false
	}
	return true
}

// fieldAt returns the field that reads the column at a position, here counted from 0.
func fieldAt(at int, c *sql.Column) *expression.GetField {
	return expression.NewGetFieldWithTable(at+1, 0, c.Type, "", "", c.Name, c.Nullable)
}

// ofSides adds a condition on positions to the sides of a set operation.
func (v ViewConditions) ofSides(n *plan.SetOp, condition sql.Expression) (next sql.Node, all bool) {
	if n.Limit != nil || n.Offset != nil || (n.Distinct || n.SetOpType != plan.UnionType) &&
		!v.respectsEquality(condition) {
		return n, false
	}
	left, leftAll := v.ofSide(n.Left(), condition)
	right, rightAll := v.ofSide(n.Right(), condition)
	switch n.SetOpType {
	case plan.IntersectType:
		all = leftAll || rightAll
	case plan.ExceptType:
		all = leftAll
	default:
		all = leftAll && rightAll
	}
	if left == n.Left() && right == n.Right() {
		return n, all
	}
	next, err := n.WithChildren(left, right)
	if err != nil {
		return n, false
	}
	return next, all
}

// ofSide adds a condition on positions to a query, or to the lower part of one.
func (v ViewConditions) ofSide(n sql.Node, condition sql.Expression) (next sql.Node, all bool) {
	if d := derivedWhole(n); d != nil {
		return v.underSide(n, condition, tableFields(d, d.Name()))
	}
	switch at := n.(type) {
	case *plan.SetOp:
		return v.ofSides(at, condition)
	case *plan.Project:
		if ConvertsColumns(at) {
			return v.ofConverted(at, condition)
		}
		child, ok := v.underSide(at.Child, condition, at.Projections)
		if !ok {
			return n, false
		}
		return plan.NewProject(at.Projections, child), true
	case *plan.Distinct:
		if !v.respectsEquality(condition) {
			return n, false
		}
	case *plan.Sort, *plan.Having:
	default:
		return n, false
	}
	return v.overSide(n, condition)
}

// underSide adds a condition on positions below a node whose expressions at those positions are columns.
func (v ViewConditions) underSide(n sql.Node, condition sql.Expression, columns []sql.Expression) (next sql.Node,
	ok bool) {
	inner, ok := v.inTermsOf(condition, func(f *expression.GetField) (sql.Expression, bool) {
		at := int(f.Id()) - 1
		if at >= len(columns) {
			return nil, false
		}
		return tree.Unaliased(columns[at]), true
	})
	if !ok {
		return n, false
	}
	return v.under(n, inner)
}

// overSide adds a condition on positions to the node below one that has the same columns.
func (v ViewConditions) overSide(n sql.Node, condition sql.Expression) (next sql.Node, all bool) {
	child := n.Children()[0]
	below, all := v.ofSide(child, condition)
	if below == child {
		return n, all
	}
	next, err := n.WithChildren(below)
	if err != nil {
		return n, false
	}
	return next, all
}

// ConvertsColumns reports whether a projection only converts the columns of one side of a set operation to the types
// of the other side's. The node below has them at the same positions. Aliases that a user writes have numbers.
func ConvertsColumns(n *plan.Project) bool {
	schema := n.Child.Schema()
	if len(schema) != len(n.Projections) {
		return false
	}
	aliased := false
	for i, e := range n.Projections {
		if a, ok := e.(*expression.Alias); ok {
			if a.Id() != 0 || a.Name() != schema[i].Name {
				return false
			}
			aliased = true
		}
		fields, name := 0, ""
		sql.Inspect(e, func(e sql.Expression) bool {
			if f, ok := e.(*expression.GetField); ok {
				fields, name = fields+1, f.Name()
			}
			return true
		})
		if fields != 1 || name != schema[i].Name {
			return false
		}
	}
	return aliased
}

// ofConverted is ofSide for such a projection.
func (v ViewConditions) ofConverted(n *plan.Project, condition sql.Expression) (next sql.Node, all bool) {
	given, compares := n.Child.Schema(), v.compares(condition)
	inner, ok := v.inTermsOf(condition, func(f *expression.GetField) (sql.Expression, bool) {
		at := int(f.Id()) - 1
		if at >= len(given) {
			return nil, false
		}
		field := fieldAt(at, given[at])
		value := tree.Unaliased(n.Projections[at])
		if c, ok := value.(*compare.Conversion); ok && compares && KeepsNumber(field.Type(), c.Typ) {
			return field, true
		}
		value, _, err := transform.Expr(value, func(e sql.Expression) (sql.Expression, transform.TreeIdentity, error) {
			if _, ok := e.(*expression.GetField); ok {
				return field, transform.NewTree, nil
			}
			return e, transform.SameTree, nil
		})
		return value, err == nil
	})
	if !ok {
		return n, false
	}
	return v.overSide(n, inner)
}

// KeepsNumber reports whether the numbers of a type compare alike once they are converted to another type: to more
// digits of the same exact number.
func KeepsNumber(from, to sql.Type) bool {
	if !types.IsInteger(from) && !types.IsDecimal(from) {
		return false
	}
	if types.IsInteger(to) {
		return types.IsSigned(from) && to == types.Int64 || types.IsUnsigned(from) && to == types.Uint64
	}
	digits, scale, _ := functions.DecimalDigits(from)
	most, fraction, _ := functions.DecimalDigits(to)
	return types.IsDecimal(to) && scale <= fraction && digits-scale <= most-fraction
}

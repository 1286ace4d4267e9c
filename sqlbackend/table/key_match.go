package table

import (
	"slices"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/transform"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/dolthub/vitess/go/sqltypes"

	"github.com/sqlfdb/sqlfdb/sqlbackend/pushdown"
	"github.com/sqlfdb/sqlfdb/sqlbackend/session"
	"github.com/sqlfdb/sqlfdb/sqlbackend/tree"
	"github.com/sqlfdb/sqlfdb/sqlbackend/value"
)

// Keyed replaces expressions in conjuncts by the columns that hold their values. swapped are the indexes of the
// changed conjuncts.
func (t *Table) Keyed(conjuncts []sql.Expression) (out []sql.Expression, swapped []int) {
	if len(t.Def.Computed) == 0 {
		return conjuncts, nil
	}
	out = slices.Clone(conjuncts)
	for i, c := range conjuncts {
		next, same, err := t.inPlace(c)
		if err == nil && same == transform.NewTree {
			out[i], swapped = next, append(swapped, i)
		}
	}
	return out, swapped
}

// Computed returns the column that holds the values of an expression; nil if there is none.
func (t *Table) Computed(e sql.Expression) *expression.GetField {
	if len(t.Def.Computed) == 0 || len(e.Children()) == 0 {
		return nil
	}
	i, ok := t.Def.Computed[session.WithoutParentheses(t.plainText(e))]
	if !ok || !t.reads(e) {
		return nil
	}
	c := &t.Def.SQLColumns[i]
	if !t.Def.Columns[i].Hidden && !keepsValues(c, e) {
		return nil
	}
	return expression.NewGetFieldWithTable(0, int(t.Place.ID), c.Typ, t.Def.Database, t.Place.Name, c.Name, true)
}

// keepsValues reports whether a generated column has exactly the values of its expression. A value that does not fit
// its type is never stored, in any SQL mode, but some types round.
func keepsValues(c *session.Column, e sql.Expression) bool {
	of := e.Type()
	switch {
	case c.Unit == session.UnitBool:
		return false
	case types.IsInteger(c.Typ):
		return types.IsInteger(of)
	case types.IsTextOnly(c.Typ):
		return c.Typ.Type() != sqltypes.Char && sameCollation(c.Typ, of)
	case types.IsDecimal(c.Typ):
		scale, ok := exactScale(e)
		return ok && scale <= int(c.Typ.(sql.DecimalType).Scale())
	case c.Typ == types.Float64, types.IsTime(c.Typ):
		return c.Typ.Equals(of)
	}
	return false
}

// sameCollation reports whether two types are texts of the same collation.
func sameCollation(a, b sql.Type) bool {
	x, ok := value.CollationOfType(a)
	y, also := value.CollationOfType(b)
	return ok && also && x == y
}

// exactScale returns the number of decimals of sums and products of exact numbers.
func exactScale(e sql.Expression) (scale int, ok bool) {
	switch e := tree.Unwrapped(e).(type) {
	case *expression.GetField, *expression.Literal:
		if d, ok := e.Type().(sql.DecimalType); ok {
			return int(d.Scale()), true
		}
		return 0, types.IsInteger(e.Type())
	case *expression.Arithmetic:
		left, ok := exactScale(e.LeftChild)
		right, also := exactScale(e.RightChild)
		switch e.Op {
		case "+", "-":
			return max(left, right), ok && also
		case "*":
			return left + right, ok && also
		}
	}
	return 0, false
}

// inPlace replaces expressions by columns, the largest first, as one may be inside another.
func (t *Table) inPlace(e sql.Expression) (sql.Expression, transform.TreeIdentity, error) {
	if field := t.Computed(e); field != nil {
		return field, transform.NewTree, nil
	}
	if len(e.Children()) == 0 {
		return e, transform.SameTree, nil
	}
	children, same := slices.Clone(e.Children()), transform.SameTree
	for i, child := range children {
		next, identity, err := t.inPlace(child)
		if err != nil {
			return e, transform.SameTree, err
		}
		if identity == transform.NewTree {
			children[i], same = next, transform.NewTree
		}
	}
	if same == transform.SameTree {
		return e, same, nil
	}
	next, err := e.WithChildren(children...)
	return next, transform.NewTree, err
}

// reads reports whether an expression reads no other table's columns.
func (t *Table) reads(e sql.Expression) bool {
	return !transform.InspectExpr(e, func(e sql.Expression) bool {
		f, ok := e.(*expression.GetField)
		return ok && !t.Place.Holds(f)
	})
}

// KeepSwapped keeps the filters for conjuncts in which columns replace expressions. The index only finds their rows.
func KeepSwapped(split *pushdown.Result, swapped []int) {
	split.Certain = slices.DeleteFunc(split.Certain, func(n int) bool { return slices.Contains(swapped, n) })
	for i := range split.Candidates {
		c := &split.Candidates[i]
		for _, n := range swapped {
			if slices.Contains(c.Answers, n) && !slices.Contains(c.Residual, n) {
				c.Tight, c.Residual = false, append(slices.Clone(c.Residual), n)
				slices.Sort(c.Residual)
			}
		}
	}
}

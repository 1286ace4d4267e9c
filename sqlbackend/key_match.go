package sqlbackend

import (
	"slices"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/transform"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/dolthub/vitess/go/sqltypes"

	"github.com/sqlfdb/sqlfdb/catalog"
	"github.com/sqlfdb/sqlfdb/sqlbackend/pushdown"
	"github.com/sqlfdb/sqlfdb/sqlbackend/statement"
	"github.com/sqlfdb/sqlfdb/sqlbackend/syntax"
	"github.com/sqlfdb/sqlfdb/sqlbackend/tree"
	"github.com/sqlfdb/sqlfdb/sqlbackend/value"
)

// computedOf are the columns that documents hold the values of expressions in, by the texts of those: the hidden
// columns of keys, and generated columns.
func computedOf(def *catalog.Table) map[string]int {
	out := map[string]int{}
	for i, c := range def.Columns {
		switch {
		case c.Generated == "" || c.Virtual || c.Hidden && isBuilding(def, c.Name):
		case c.Hidden:
			out[withoutParentheses(c.Generated)] = i
		default:
			text := asDeclared(def, withoutParentheses(c.Generated))
			if _, there := out[text]; !there {
				out[text] = i
			}
		}
	}
	return out
}

// isBuilding reports whether documents don't all have the values of a hidden column yet.
func isBuilding(def *catalog.Table, hidden string) bool {
	return slices.ContainsFunc(def.Indexes, func(x catalog.Index) bool {
		return x.Building != 0 && slices.Contains(x.Columns, hidden)
	})
}

// asDeclared is an expression's text with the names of columns as plainText has them.
func asDeclared(def *catalog.Table, text string) string {
	var e syntax.Edits
	for _, t := range statement.Tokenize(text) {
		if name, ok := statement.UnquotedName(text, t); ok {
			if i, ok := def.Column(name); ok {
				e.Add(t.Start, t.End, def.Columns[i].Name)
			}
		}
	}
	return e.Apply(text)
}

// keyed are conjuncts with the columns that hold the values of expressions in the place of those, and which of them
// have any.
func (t *Table) keyed(conjuncts []sql.Expression) (out []sql.Expression, swapped []int) {
	if len(t.def.computed) == 0 {
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

// computed is the column that holds the values of an expression; nil if there is none.
func (t *Table) computed(e sql.Expression) *expression.GetField {
	if len(t.def.computed) == 0 || len(e.Children()) == 0 {
		return nil
	}
	i, ok := t.def.computed[withoutParentheses(t.plainText(e))]
	if !ok || !t.reads(e) {
		return nil
	}
	c := &t.def.columns[i]
	if !t.def.Columns[i].Hidden && !keepsValues(c, e) {
		return nil
	}
	return expression.NewGetFieldWithTable(0, int(t.place.ID), c.typ, t.def.Database, t.place.Name, c.name, true)
}

// keepsValues reports whether a generated column has the values of its expression as they are. What does not fit its
// type is never stored, whatever the SQL mode; but some types round.
func keepsValues(c *column, e sql.Expression) bool {
	of := e.Type()
	switch {
	case c.unit == unitBool:
		return false
	case types.IsInteger(c.typ):
		return types.IsInteger(of)
	case types.IsTextOnly(c.typ):
		return c.typ.Type() != sqltypes.Char && sameCollation(c.typ, of)
	case types.IsDecimal(c.typ):
		scale, ok := exactScale(e)
		return ok && scale <= int(c.typ.(sql.DecimalType).Scale())
	case c.typ == types.Float64, types.IsTime(c.typ):
		return c.typ.Equals(of)
	}
	return false
}

// sameCollation reports whether two types are of texts that compare alike.
func sameCollation(a, b sql.Type) bool {
	x, ok := value.CollationOfType(a)
	y, also := value.CollationOfType(b)
	return ok && also && x == y
}

// exactScale is how many decimals the sums and products of numbers have.
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

// inPlace puts columns in the place of expressions: the greatest first, since one may be within another.
func (t *Table) inPlace(e sql.Expression) (sql.Expression, transform.TreeIdentity, error) {
	if field := t.computed(e); field != nil {
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

// reads reports whether an expression is of the table's columns, and of no other table's.
func (t *Table) reads(e sql.Expression) bool {
	return !transform.InspectExpr(e, func(e sql.Expression) bool {
		f, ok := e.(*expression.GetField)
		return ok && !t.place.Holds(f)
	})
}

// keepSwapped keeps the filters in which columns stood for expressions: the index finds their rows, and is not taken
// for more than that.
func keepSwapped(split *pushdown.Result, swapped []int) {
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

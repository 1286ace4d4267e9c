package sqlbackend

import (
	"slices"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/transform"

	"github.com/sqlfdb/sqlfdb/sqlbackend/pushdown"
)

// keyed are conjuncts with the hidden columns of indexes in the place of the expressions that those have the values of,
// and which of them have any.
func (t *Table) keyed(conjuncts []sql.Expression) (out []sql.Expression, swapped []int) {
	hidden := map[string]*column{}
	for i := t.def.Visible(); i < len(t.def.Columns); i++ {
		if text := t.def.Columns[i].Generated; text != "" {
			hidden[text] = &t.def.columns[i]
		}
	}
	if len(hidden) == 0 {
		return conjuncts, nil
	}
	out = slices.Clone(conjuncts)
	for i, c := range conjuncts {
		next, same, err := t.inPlace(c, hidden)
		if err == nil && same == transform.NewTree {
			out[i], swapped = next, append(swapped, i)
		}
	}
	return out, swapped
}

// inPlace puts hidden columns in the place of expressions: the greatest first, since one may be within another.
func (t *Table) inPlace(e sql.Expression, hidden map[string]*column) (sql.Expression, transform.TreeIdentity, error) {
	if len(e.Children()) == 0 {
		return e, transform.SameTree, nil
	}
	if c := hidden[t.plainText(e)]; c != nil && t.reads(e) {
		field := expression.NewGetFieldWithTable(0, int(t.place.id), c.typ, t.def.Database, t.place.name, c.name, true)
		return field, transform.NewTree, nil
	}
	children, same := slices.Clone(e.Children()), transform.SameTree
	for i, child := range children {
		next, identity, err := t.inPlace(child, hidden)
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
		return ok && !t.place.holds(f)
	})
}

// keepSwapped keeps the filters in whose place hidden columns stood: the index finds their rows, and is not taken for
// more than that.
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

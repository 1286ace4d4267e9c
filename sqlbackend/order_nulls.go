package sqlbackend

import (
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/expression/function"
	"github.com/dolthub/go-mysql-server/sql/plan"

	"github.com/sqlfdb/sqlfdb/indexes"
	"github.com/sqlfdb/sqlfdb/ordered"
	"github.com/sqlfdb/sqlfdb/sqlbackend/pushdown"
	"github.com/sqlfdb/sqlfdb/tables"
)

// NULL is less than any value: it comes first in ascending order and last in descending. ORDER BY a IS NULL, a puts it
// at the other end: the entries of values are walked as they are, and those of NULL, and the documents without the
// keypath, apart.

// sortsNothing reports whether all rows have the same values for a sort's fields, as in ORDER BY NULL.
func sortsNothing(fields sql.SortFields) bool {
	for _, f := range fields {
		if _, constant := f.Column.(*expression.Literal); !constant {
			return false
		}
	}
	return true
}

// unsorted is what a sort that sorts nothing becomes; nil for any other node.
func unsorted(n sql.Node) sql.Node {
	switch n := n.(type) {
	case *plan.Sort:
		if sortsNothing(n.SortFields) {
			return n.Child
		}
	case *plan.TopN:
		if sortsNothing(n.Fields) && !n.CalcFoundRows {
			return plan.NewLimit(n.Limit, n.Child)
		}
	}
	return nil
}

// tidied leaves out of a sort, whose fields the site has over the leaf's rows, those that are constants, and those that
// test whether the field behind them is NULL: where it would come first, or last, anyway; and where it would not and
// that field is the first that is left, the site's NULLs stand apart.
func (s *orderSite) tidied(fields sql.SortFields) sql.SortFields {
	if sortsNothing(s.fields) {
		return fields
	}
	var kept, own sql.SortFields
	for i, f := range s.fields {
		if sortsNothing(s.fields[i : i+1]) {
			continue
		}
		if i+1 < len(s.fields) {
			if first, ok := nullsFirst(f, s.fields[i+1]); ok {
				natural := first == (s.fields[i+1].Order == sql.Ascending)
				if natural || len(own) == 0 {
					s.apart = s.apart || !natural
					continue
				}
			}
		}
		kept, own = append(kept, fields[i]), append(own, f)
	}
	s.fields = own
	return kept
}

// nullsFirst reports whether a field of a sort puts the rows first in which the next field is NULL, or last; ok is
// false where it tells something else.
func nullsFirst(test, next sql.SortField) (first, ok bool) {
	e, not := test.Column, false
	if n, is := e.(*expression.Not); is {
		e, not = n.Child, true
	}
	var tested sql.Expression
	switch e := e.(type) {
	case *expression.IsNull:
		tested = e.Child
	case *function.IsNull:
		tested = e.Child
	default:
		return false, false
	}
	a, field := tested.(*expression.GetField)
	b, same := next.Column.(*expression.GetField)
	if !field || !same || a.Name() != b.Name() || a.TableId() != b.TableId() || a.Table() != b.Table() {
		return false, false
	}
	return not == (test.Order == sql.Ascending), true
}

// nullsApart puts a walk's NULLs at the other end of its order.
func (o *pathOrder) nullsApart() {
	nulls := indexes.Point(ordered.AppendNull(nil))
	values := indexes.Spans{{Start: nulls[0].End}}
	var out, last []tables.OrderedSpan
	for _, s := range o.spans {
		for _, v := range (indexes.Spans{s.Span}).Intersect(values) {
			out = append(out, tables.OrderedSpan{Span: v, Keys: s.Keys})
		}
		for _, v := range (indexes.Spans{s.Span}).Intersect(nulls) {
			last = append(last, tables.OrderedSpan{Span: v, Keys: s.Keys})
		}
	}
	o.spans, o.apart = append(out, last...), true
}

// standsApart reports whether the field's NULLs may be read apart: those of JSON are values, and a primary key has
// none.
func (f *orderField) standsApart() bool { return f.part > 0 || f.column.Shape != pushdown.ShapeJSON }

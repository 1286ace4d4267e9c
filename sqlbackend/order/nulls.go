package order

import (
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/expression/function"
	"github.com/dolthub/go-mysql-server/sql/plan"
)

// NULL is less than any value: it comes first in ascending order and last in descending order. ORDER BY a IS NULL, a
// puts it at the other end. The entries of values are then walked as they are; the NULL entries and the documents
// without the keypath are read separately.

// sortsNothing reports whether all rows have the same values for a sort's fields, as in ORDER BY NULL.
func sortsNothing(fields sql.SortFields) bool {
	for _, f := range fields {
		if _, constant := f.Column.(*expression.Literal); !constant {
			return false
		}
	}
	return true
}

// unsorted returns the plan without the sort if all rows are equal for it; nil for any other node.
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

// tidied drops fields from a sort; s.Fields are the same fields over the leaf's rows. It drops constants, and tests
// whether the next field is NULL that put NULLs where they come anyway. Where such a test puts them at the other end
// and no field is before it, it is dropped too, and nullsMoved is set.
func (s *SortInput) tidied(fields sql.SortFields) sql.SortFields {
	if sortsNothing(s.Fields) {
		return fields
	}
	var kept, own sql.SortFields
	for i, f := range s.Fields {
		if sortsNothing(s.Fields[i : i+1]) {
			continue
		}
		if i+1 < len(s.Fields) {
			if first, ok := nullsFirst(f, s.Fields[i+1]); ok {
				natural := first == (s.Fields[i+1].Order == sql.Ascending)
				if natural || len(own) == 0 {
					s.nullsMoved = s.nullsMoved || !natural
					continue
				}
			}
		}
		kept, own = append(kept, fields[i]), append(own, f)
	}
	s.Fields = own
	return kept
}

// nullsFirst reports whether a field of a sort puts the rows first in which the next field is NULL, or last. ok is
// false where the field is no such test.
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

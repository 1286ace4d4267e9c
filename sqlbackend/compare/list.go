package compare

import (
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/transform"

	"github.com/sqlfdb/sqlfdb/sqlbackend/tree"
	"github.com/sqlfdb/sqlfdb/sqlbackend/value"
)

// Row values, and lists whose elements are of other types than what is looked
// for, become comparisons of scalars under AND and OR. The engine compares a row
// as one value, to which NULL is equal to NULL and unequal to anything else, where
// SQL's answer is NULL; and it converts the elements of a list to the type of
// the left side, which is not how = compares them.

// maxListed bounds the elements that become comparisons of their own. Longer
// lists stay the engine's, which hashes them: beside those, a row with a NULL is
// not in the list rather than perhaps in it.
const maxListed = 1000

// compareRows is a comparison of row values, scalar by scalar from the left.
func (c Comparer) compareRows(e sql.Expression, left, right expression.Tuple) (sql.Expression, transform.TreeIdentity,
	error) {
	next, err := c.rowComparison(e, left, right)
	return next, transform.NewTree, err
}

func (c Comparer) rowComparison(e sql.Expression, left, right []sql.Expression) (sql.Expression, error) {
	last := len(left) == 1
	switch e.(type) {
	case *expression.Equals, *expression.NullSafeEquals:
		first, err := c.scalars(e, left[0], right[0])
		if err != nil || last {
			return first, err
		}
		rest, err := c.rowComparison(e, left[1:], right[1:])
		return expression.NewAnd(first, rest), err
	}
	if last {
		return c.scalars(e, left[0], right[0])
	}
	strict := sql.Expression(expression.NewLessThan(left[0], right[0]))
	switch e.(type) {
	case *expression.GreaterThan, *expression.GreaterThanOrEqual:
		strict = expression.NewGreaterThan(left[0], right[0])
	}
	before, err := c.scalars(strict, left[0], right[0])
	if err != nil {
		return nil, err
	}
	equal, err := c.scalars(expression.NewEquals(left[0], right[0]), left[0], right[0])
	if err != nil {
		return nil, err
	}
	rest, err := c.rowComparison(e, left[1:], right[1:])
	return expression.NewOr(before, expression.NewAnd(equal, rest)), err
}

// scalars is a comparison like e of two other operands.
func (c Comparer) scalars(e, left, right sql.Expression) (sql.Expression, error) {
	e, err := e.WithChildren(left, right)
	if err != nil {
		return nil, err
	}
	e, _, err = c.Compared(e)
	return e, err
}

// equalRows is (a, b) IN ((1, 2), …); nil if it stays as it is.
func (c Comparer) equalRows(left, list expression.Tuple) (sql.Expression, error) {
	if len(list) > maxListed {
		return nil, nil
	}
	rows := make([]sql.Expression, len(list))
	for i, r := range list {
		row, ok := r.(expression.Tuple)
		if !ok || len(row) != len(left) {
			return nil, nil
		}
		var err error
		if rows[i], err = c.rowComparison(expression.NewEquals(left, row), left, row); err != nil {
			return nil, err
		}
	}
	return anyOf(rows), nil
}

// anyOf is the OR of conditions, no deeper than it must be.
func anyOf(list []sql.Expression) sql.Expression {
	if len(list) == 1 {
		return list[0]
	}
	half := len(list) / 2
	return expression.NewOr(anyOf(list[:half]), anyOf(list[half:]))
}

// inMixed is IN where a number is looked for among texts, a text among numbers,
// either among JSON or byte strings, or a byte string among numbers: those elements are compared one by one. It is nil
// if there are none.
func (c Comparer) inMixed(e *expression.InTuple, list expression.Tuple) (sql.Expression, error) {
	left := c.Class(e.Left())
	if isEnum(e.Left()) {
		left = ClassText
	}
	bytes := value.IsBytes(e.Left())
	if c.kind(e.Left()).temporal() && len(list) <= maxListed {
		return c.inTemporals(e, list)
	}
	if left != ClassNumber && left != ClassText && !bytes || len(list) > maxListed {
		return nil, nil
	}
	var same, other []sql.Expression
	for _, element := range list {
		class := c.Class(element)
		if isEnum(element) {
			class = ClassText
		}
		switch {
		case class == ClassNull, bytes && (value.IsBytes(element) || class == ClassText), class == left && !bytes:
			same = append(same, element)
		case class == ClassNumber || class == ClassText || class == ClassJSON || value.IsBytes(element) ||
			c.kind(element).temporal():
			other = append(other, element)
		default:
			return nil, nil
		}
	}
	return c.splitIn(e, same, other)
}

// inColumns is IN with columns in the list, 5 IN (a, b): those are compared one by
// one, each of which may have a range. It is nil if there are none.
func (c Comparer) inColumns(e *expression.InTuple, list expression.Tuple) (sql.Expression, error) {
	if len(list) > maxListed {
		return nil, nil
	}
	var same, other []sql.Expression
	for _, element := range list {
		if _, column := tree.Unwrapped(element).(*expression.GetField); column {
			other = append(other, element)
		} else {
			same = append(same, element)
		}
	}
	return c.splitIn(e, same, other)
}

// inNulls is IN where null in JSON may be looked for among several NULLs, of which the engine takes the second for
// equal to it: what may be NULL is compared one by one. It is nil if there are none.
func (c Comparer) inNulls(e *expression.InTuple, list expression.Tuple) (sql.Expression, error) {
	if c.Class(e.Left()) != ClassJSON {
		return nil, nil
	}
	var same, other []sql.Expression
	null, nulls := sql.Expression(nil), 0
	for _, element := range list {
		switch {
		case c.Class(element) == ClassNull:
			null = element
			nulls++
		case element.IsNullable():
			other = append(other, element)
			nulls++
		default:
			same = append(same, element)
		}
	}
	if nulls < 2 || len(other) > maxListed {
		return nil, nil
	}
	if null != nil {
		same = append(same, null)
	}
	if len(other) == 0 {
		in, _, err := c.in(expression.NewInTuple(e.Left(), expression.NewTuple(same...)))
		return in, err
	}
	return c.splitIn(e, same, other)
}

// inTemporals is IN where other values than dates, or than times, are in a list
// with which one is looked for; nil if there are none.
func (c Comparer) inTemporals(e *expression.InTuple, list expression.Tuple) (sql.Expression, error) {
	left := c.kind(e.Left())
	var same, other []sql.Expression
	for _, element := range list {
		l, literal := element.(*expression.Literal)
		k := c.kind(element)
		if k == left || k == kindNull || literal && (k == kindText || k == kindNumber && spellsTemporal(left, l)) {
			same = append(same, element)
		} else {
			other = append(other, element)
		}
	}
	return c.splitIn(e, same, other)
}

// splitIn is IN of which some elements are compared one by one; nil if there are
// no such elements.
func (c Comparer) splitIn(e *expression.InTuple, same, other []sql.Expression) (sql.Expression, error) {
	if len(other) == 0 {
		return nil, nil
	}
	for i, element := range other {
		var err error
		if other[i], err = c.scalars(expression.NewEquals(e.Left(), element), e.Left(), element); err != nil {
			return nil, err
		}
	}
	if len(same) > 0 {
		in, _, err := c.in(expression.NewInTuple(e.Left(), expression.NewTuple(same...)))
		if err != nil {
			return nil, err
		}
		other = append(other, in)
	}
	return anyOf(other), nil
}

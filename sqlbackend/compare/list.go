package compare

import (
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/transform"

	"github.com/sqlfdb/sqlfdb/sqlbackend/tree"
	"github.com/sqlfdb/sqlfdb/sqlbackend/value"
)

// Row values, and lists whose elements have other types than the left side, become comparisons of scalars under AND
// and OR. The engine compares a row as one value, in which NULL is equal to NULL and unequal to other values, where
// SQL's answer is NULL. And it converts the elements of a list to the type of the left side, unlike =.

// maxListed bounds the elements that become separate comparisons. The engine hashes longer lists: with those, a row
// with a NULL counts as not in the list, instead of NULL.
const maxListed = 1000

// compareRows returns a comparison of row values, scalar by scalar from the left.
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

// scalars returns a comparison like e with two other operands.
func (c Comparer) scalars(e, left, right sql.Expression) (sql.Expression, error) {
	e, err := e.WithChildren(left, right)
	if err != nil {
		return nil, err
	}
	e, _, err = c.Compared(e)
	return e, err
}

// equalRows returns (a, b) IN ((1, 2), …) as comparisons; nil if it stays unchanged.
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

// anyOf returns the OR of conditions, with the least depth.
func anyOf(list []sql.Expression) sql.Expression {
	if len(list) == 1 {
		return list[0]
	}
	half := len(list) / 2
	return expression.NewOr(anyOf(list[:half]), anyOf(list[half:]))
}

// inMixed returns IN that compares some elements one by one: texts for a number, numbers for a text, JSON or byte
// strings for either, or numbers for a byte string. It returns nil if there are none.
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

// inColumns returns IN with columns in the list, 5 IN (a, b), that compares these one by one, since each may have a
// range. It returns nil if there are none.
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

// inNulls returns IN for a JSON value, whose null the engine takes for equal to the second of several NULLs. It
// compares elements that may be NULL one by one. It returns nil if there are none.
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

// inTemporals returns IN for a date or a time that compares elements of other kinds one by one; nil if there are
// none.
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

// splitIn returns IN that compares some elements one by one; nil if there are no such elements.
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

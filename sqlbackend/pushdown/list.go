package pushdown

import (
	"fmt"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/shopspring/decimal"

	"github.com/sqlfdb/sqlfdb/indexes"
)

// in analyses IN over constants: the union of equalities.
func (a *analysis) in(left, right sql.Expression) *node {
	return a.rejecting(a.inOf(left, right), left)
}

func (a *analysis) inOf(left, right sql.Expression) *node {
	tuple, ok := strip(right).(expression.Tuple)
	if !ok {
		return notUnderstood("IN without a list")
	}
	if row, isRow := strip(left).(expression.Tuple); isRow {
		return a.inRows(row, tuple)
	}
	if choices, ok := a.choicesOf(left); ok {
		return choose(choices, func(value sql.Expression) *node { return a.in(dressed(left, value), right) })
	}
	if isConstant(left) {
		var any []*node
		for _, element := range tuple {
			any = append(any, a.comparison(opEqual, left, element))
		}
		return either(any...)
	}
	if a.steps += len(tuple) / elementsOfStep; a.steps > maxSteps {
		return notUnderstood(tooMuch) // it is one of many values of CASE or the like
	}
	v, reason, ok := a.viewOf(left)
	if !ok {
		if n := a.inComputed(left, tuple); n != nil {
			return n
		}
		return notUnderstood(reason)
	}
	yes := make([]indexes.Span, 0, len(tuple))
	no := v.domain().spans()
	exact, decided := true, true
	for _, element := range tuple {
		c, ok := constantOf(a.ctx, element)
		if !ok {
			return notUnderstood("an element of IN is not a constant")
		}
		if c.kind == constantNull {
			no = nil // no value is known to be outside the list
			continue
		}
		c = c.collate(left, element)
		if !v.hashes(c) && !(v.column.Shape == ShapeNumber && c.kind == constantNumber && sameNumbers(left, element)) {
			// The engine converts elements of IN to the type of the left
			// side, which is not how = compares them.
			if !v.converts(c) {
				return notUnderstood(fmt.Sprintf("an element of IN, %s, is of another type", c))
			}
			exact = false
		}
		o, reason, ok := v.compare(a, opEqual, c)
		if !ok {
			return notUnderstood(reason)
		}
		yes = append(yes, o.yes...)
		exact, decided = exact && o.yesExact, decided && o.noExact
	}
	o := outcome{yes: indexes.NewSpans(yes...), no: no, yesExact: exact, noExact: exact && decided}
	if o.noExact && no != nil {
		o.no = v.domain().without(o.yes)
	}
	return a.understood(v, o)
}

// inComputed analyses IN of a computed expression whose elements are of its type: each value that IN finds equals an
// element as = compares them. It returns nil if an element has another type.
func (a *analysis) inComputed(left sql.Expression, list expression.Tuple) *node {
	_, of := partOf(left)
	_, moved := a.movedDateOf(left)
	var any []*node
	for _, element := range list {
		c, ok := constantOf(a.ctx, element)
		switch {
		case !ok:
			return nil
		case c.kind == constantNull:
			any = append(any, &node{leaf: always(truthNull)})
			continue
		case c.kind == constantNumber && (c.integer || isWhole(c.text) || sameNumbers(left, element)) &&
			types.IsNumber(left.Type()):
		case c.kind == constantString && types.IsTextOnly(left.Type()):
		case (of == dayPart || moved) && (c.kind == constantString || c.kind == constantTime):
		default:
			return nil
		}
		n := a.comparison(opEqual, left, element)
		if n.reason != "" {
			return nil
		}
		any = append(any, n)
	}
	if len(any) == 0 {
		return nil
	}
	return loosely(either(any...))
}

// isWhole reports whether a number is the same value as an integer and as a DOUBLE.
func isWhole(literal string) bool {
	d, ok := computable(literal)
	return ok && d.IsInteger() && d.Abs().LessThan(decimal.New(1, 15))
}

// loosely marks the outcome of a predicate as not exact. The caller must own the node.
func loosely(n *node) *node {
	n.loose = true
	return n
}

// elementsOfStep is the number of elements of IN that count as one analysed expression.
const elementsOfStep = 64

// maxRows bounds the rows of IN that are analysed one by one.
const maxRows = 20_000

// inRows analyses IN over row values: any of the rows.
func (a *analysis) inRows(row, list expression.Tuple) *node {
	if len(list) > maxRows {
		return notUnderstood(fmt.Sprintf("IN with more than %d rows", maxRows))
	}
	var any []*node
	for _, element := range list {
		right, ok := strip(element).(expression.Tuple)
		if !ok || len(right) != len(row) || len(row) == 0 {
			return notUnderstood("an element of IN is no row")
		}
		any = append(any, a.rows(opEqual, row, right))
	}
	if len(any) == 0 {
		return notUnderstood("IN without a list")
	}
	return loosely(either(any...))
}

// ExactNumbers is implemented by a type of mixed numbers that compares and hashes them exactly.
type ExactNumbers interface {
	PushdownExactNumbers()
}

// sameNumbers reports whether two operands are of one type that hashes numbers as =
// compares them.
func sameNumbers(left, element sql.Expression) bool {
	if left.Type() == types.Float64 && element.Type() == types.Float64 {
		return true
	}
	_, l := left.Type().(ExactNumbers)
	_, e := element.Type().(ExactNumbers)
	return l && e
}

// hashes reports whether IN compares the view with the constant as = does.
func (v view) hashes(c constant) bool {
	switch {
	case v.as == asLength:
		return c.kind == constantNumber && c.integer
	case v.as == asNumber:
		return c.kind == constantNumber
	case v.as == asJSON:
		return c.isJSON()
	case v.as.text():
		return c.kind == constantString
	}
	switch v.column.Shape {
	case ShapeNumber, ShapeBoolean:
		return c.kind == constantNumber && c.integer || c.kind == constantBoolean
	case ShapeString, ShapeEnum:
		return c.kind == constantString
	case ShapeJSON:
		return c.isJSON()
	}
	return false
}

// isJSON reports whether the constant compares with JSON as the JSON value of the same kind does.
func (c constant) isJSON() bool {
	switch c.kind {
	case constantNumber, constantString, constantBoolean, constantJSON:
		return true
	}
	return false
}

// converts reports whether the elements of IN for which hashes is false are converted without harm: IN finds at least
// all values that = finds equal.
func (v view) converts(c constant) bool {
	if v.as != asColumn {
		return false
	}
	switch v.column.Shape {
	case ShapeNumber, ShapeYear, ShapeFloat:
		return c.kind == constantNumber
	case ShapeDate, ShapeDatetime, ShapeTime:
		return c.kind == constantString || c.kind == constantTime
	case ShapeBytes:
		return c.kind == constantString || c.kind == constantBytes
	}
	return false
}

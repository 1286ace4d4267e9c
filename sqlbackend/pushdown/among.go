package pushdown

import (
	"fmt"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"

	"github.com/sqlfdb/sqlfdb/document"
	"github.com/sqlfdb/sqlfdb/indexes"
	"github.com/sqlfdb/sqlfdb/ordered"
)

// amongElements analyses operand MEMBER OF (array) of a constant array: the union of equalities with its elements,
// compared as JSON. With nested, the elements of arrays among them count too.
func (a *analysis) amongElements(operand sql.Expression, array constant, nested bool) *node {
	v, reason, ok := a.viewOf(operand)
	if !ok {
		return notUnderstood(reason)
	}
	if array.kind == constantNull {
		return a.understood(v, outcome{yesExact: true, noExact: true})
	}
	value, reason, ok := documentOfConstant(array)
	if !ok {
		return notUnderstood(reason)
	}
	exact, ok := v.amongExactly(operand)
	if !ok {
		return notUnderstood(shorten(operand) + " is compared as another type than it has inside of JSON")
	}
	c := Comparison{analysis: a, view: v, op: opEqual}
	o := outcome{yesExact: exact}
	var yes []indexes.Span
	for elements := members(value); len(elements) > 0; elements = elements[1:] {
		e := elements[0]
		if nested && e.Type() == document.TypeArray {
			elements = append(elements, members(e)...)
			continue
		}
		k, same := c.elementOf(e)
		if !same {
			continue
		}
		if a.steps++; a.steps > maxSteps {
			return notUnderstood(tooMuch)
		}
		equal, reason, ok := v.compare(a, opEqual, k)
		if !ok {
			return notUnderstood(fmt.Sprintf("an element of the array: %s", reason))
		}
		yes, o.yesExact = append(yes, equal.yes...), o.yesExact && equal.yesExact
	}
	o.yes, o.no, o.noExact = indexes.NewSpans(yes...), v.domain().spans(), o.yesExact
	if o.noExact {
		o.no = v.domain().without(o.yes)
	}
	return a.understood(v, o)
}

// amongExactly reports whether elements of arrays can be compared with the view's values, and whether values that are
// equal in SQL are then also equal as JSON.
func (v view) amongExactly(operand sql.Expression) (exact, ok bool) {
	boolean := types.IsBoolean(operand.Type()) // a boolean inside of JSON
	switch {
	case v.cast || v.double || v.as == asLength || v.as == asNumber:
		return false, false
	case v.as.text():
		return false, true
	case v.as == asJSON || v.column.Shape == ShapeJSON:
		return true, true
	case v.column.Shape == ShapeNumber:
		return types.IsInteger(operand.Type()), !boolean
	case v.column.Shape == ShapeString:
		return v.column.Collation.IsIdentity(), true
	case v.column.Shape == ShapeBoolean:
		return true, boolean
	}
	return false, false
}

// elementOf returns an element of an array as a constant that compares with the operand. It returns false if the
// operand has no values of the element's type.
func (c *Comparison) elementOf(e document.Value) (constant, bool) {
	switch {
	case !c.OfText() && (c.view.as == asJSON || c.view.column.Shape == ShapeJSON):
		return constant{kind: constantJSON, value: e}, true
	case !c.OfText() && c.view.column.Shape == ShapeBoolean:
		return constant{kind: constantBoolean, boolean: e.Bool(), text: e.Text()}, e.Type() == document.TypeBool
	}
	return c.scalar(e)
}

// withinConstant analyses JSON_CONTAINS(array, candidate) of a constant array.
func (a *analysis) withinConstant(array constant, candidate sql.Expression) *node {
	if scalar, ok := quotedScalar(candidate); ok {
		return a.amongElements(scalar, array, true)
	}
	n := a.amongElements(candidate, array, true)
	if n.reason != "" || !types.IsJSON(candidate.Type()) {
		return notUnderstood(shorten(candidate) + " may be more than one value")
	}
	if n.target != "" {
		// Arrays and objects, because their elements and members may each be contained.
		o := &n.leaf
		o.yes = o.yes.Union(classSpans(ordered.ClassArray)).Union(classSpans(ordered.ClassObject))
		o.no = o.no.Union(classSpans(ordered.ClassArray)).Union(classSpans(ordered.ClassObject))
		o.yesExact, o.noExact = false, false
	}
	return n
}

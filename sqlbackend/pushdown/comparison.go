package pushdown

import (
	"fmt"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/types"

	"github.com/sqlfdb/sqlfdb/document"
	"github.com/sqlfdb/sqlfdb/indexes"
)

// Comparison is "operand op value" for values that are known only while a
// statement runs: those of a join's other side. It is immutable.
type Comparison struct {
	analysis *analysis
	view     view
	op       operator
	nullSafe bool
	value    sql.Expression
	// Of a membership, what is asked, whether it is asked of elements, and the entries that count there.
	member   membership
	elements bool
	allowed  indexes.Spans
}

// NewComparison analyses a comparison of a join, =, <=>, <, <=, > or >=, of whose two operands
// the one at that position, 0 or 1, is to be looked up. It is false, with the reason in words, where that has no
// spans or leads to more than the values of one keypath.
func NewComparison(ctx *sql.Context, e sql.Expression, at int, resolver Resolver) (*Comparison, string, bool) {
	op, nullSafe, ok := operatorOf(e)
	if !ok {
		return nil, shorten(e) + " is no comparison", false
	}
	operand, value := e.Children()[at], e.Children()[1-at]
	if at == 1 {
		op = op.flip()
	}
	c := &Comparison{
		analysis: &analysis{ctx: ctx, resolver: resolver},
		op:       op, nullSafe: nullSafe, value: strip(value),
	}
	v, reason, ok := c.analysis.viewOf(operand)
	switch {
	case !ok:
		return nil, reason, false
	case v.cast || v.double || v.as == asLength:
		return nil, shorten(operand) + " is computed", false
	case v.reach != nil:
		return nil, v.column.Label() + " leads to several keypaths", false
	case v.column.PrimaryKeyPart > 1:
		return nil, v.column.Label() + " is not the first column of the primary key", false
	}
	c.view = v
	return c, "", true
}

func operatorOf(e sql.Expression) (op operator, nullSafe, ok bool) {
	switch e.(type) {
	case *expression.Equals:
		return opEqual, false, true
	case *expression.NullSafeEquals:
		return opEqual, true, true
	case *expression.LessThan:
		return opLess, false, true
	case *expression.LessThanOrEqual:
		return opLessOrEqual, false, true
	case *expression.GreaterThan:
		return opGreater, false, true
	case *expression.GreaterThanOrEqual:
		return opGreaterOrEqual, false, true
	}
	return 0, false, false
}

// Column is what the operand reads; of a path into a document, what the path leads to.
func (c *Comparison) Column() Column { return c.view.column }

// OfText reports whether the operand is the text of a JSON value: ->>, or JSON_VALUE.
func (c *Comparison) OfText() bool { return c.view.as.text() }

// Converted reports whether the operand is a value as a number that it is converted to: JSON_VALUE … RETURNING.
func (c *Comparison) Converted() bool { return c.view.as == asNumber }

// Wide reports whether the spans hold all values of a kind, or many of them, whatever the value is that is compared: it
// has to be seen of each what it is converted to.
func (c *Comparison) Wide(kind document.Kind) bool {
	text, boolean := kind == document.KindString, kind == document.KindBool
	switch {
	case c.Converted():
		return text || boolean
	case !c.OfText():
		return false
	case c.op != opEqual:
		return !text
	}
	return text && types.IsNumber(c.value.Type())
}

// SameOperand reports whether another comparison is of the same value, read in the same way: a document for
// which one operand is NULL has NULL for the other.
func (c *Comparison) SameOperand(o *Comparison) bool {
	return !c.Membership() && !o.Membership() && c.view.as == o.view.as && c.view.returned == o.view.returned &&
		c.view.target() == o.view.target()
}

// PrimaryKey reports whether the spans are over the primary key's first column.
func (c *Comparison) PrimaryKey() bool { return c.view.column.PrimaryKeyPart == 1 }

// Equal reports whether it is = or <=>.
func (c *Comparison) Equal() bool { return c.op == opEqual }

// Text is the comparison with that for its value.
func (c *Comparison) Text(operand, value string) string {
	if c.Membership() {
		return c.memberText(operand, value)
	}
	op := map[operator]string{opEqual: "=", opLess: "<", opLessOrEqual: "<=", opGreater: ">", opGreaterOrEqual: ">="}[c.op]
	if c.nullSafe {
		op = "<=>"
	}
	return fmt.Sprintf("%s %s %s", operand, op, value)
}

// Spans are the encoded values that the operand may have where the comparison with the value is
// true: none for NULL, all where nothing shows where such a value is. null is that it is true
// of NULL instead, of which not every document has an entry.
func (c *Comparison) Spans(ctx *sql.Context, value any) (spans indexes.Spans, null bool) {
	if w, err := sql.UnwrapAny(ctx, value); err == nil {
		value = w
	}
	k := constantOfValue(c.value, value)
	if c.Membership() {
		return c.memberSpans(k), false
	}
	return c.comparedSpans(k)
}

// comparedSpans are Spans for a value that is known.
func (c *Comparison) comparedSpans(k constant) (spans indexes.Spans, null bool) {
	if k.kind == constantNull {
		return nil, c.nullSafe && !c.PrimaryKey()
	}
	yes := indexes.Everything()
	compared := true
	if k.kind == constantJSON && !c.Converted() && (c.OfText() || c.view.column.Shape != ShapeJSON) {
		if k, compared = c.scalar(k.value); !compared && c.op == opEqual {
			return nil, false // no value is equal to one of another type
		}
	}
	if compared {
		if o, _, ok := c.view.compare(c.analysis, c.op, k); ok {
			yes = o.yes
		}
	}
	if c.PrimaryKey() {
		return yes.Intersect(c.view.domain().spans()), false
	}
	return yes.Intersect(present), false
}

// scalar is a JSON value as a constant of the operand's type, as which it compares
// with the operand's values as JSON; it is false for one of another type.
func (c *Comparison) scalar(v document.Value) (constant, bool) {
	switch shape := c.view.column.Shape; {
	case c.OfText():
		if v.Type() == document.TypeString {
			return constant{kind: constantString, text: v.Str()}, true
		}
	case shape == ShapeNumber && v.Type() == document.TypeNumber:
		return constant{kind: constantNumber, text: v.Number()}, true
	case shape == ShapeString && v.Type() == document.TypeString:
		return constant{kind: constantString, text: v.Str()}, true
	}
	return constant{}, false
}

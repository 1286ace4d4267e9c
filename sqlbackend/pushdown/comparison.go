package pushdown

import (
	"fmt"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/types"

	"github.com/sqlfdb/sqlfdb/document"
	"github.com/sqlfdb/sqlfdb/indexes"
)

// Comparison is "operand op value" where the value, from a join's other side, is known only while a statement runs.
// It is immutable.
type Comparison struct {
	analysis *analysis
	view     view
	op       operator
	nullSafe bool
	value    sql.Expression
	// For a membership: its kind, whether the keypath is the elements', and the entries that count there.
	member   membership
	elements bool
	allowed  indexes.Spans
}

// NewComparison analyses a comparison of a join, =, <=>, <, <=, > or >=. The operand at position at, 0 or 1, is the
// one to look up. It returns false, with the reason in words, where that operand has no spans or leads to several
// keypaths.
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

// Column is the column that the operand reads; for a path into a document, the values at the path.
func (c *Comparison) Column() Column { return c.view.column }

// OfText reports whether the operand is the text of a JSON value: ->>, or JSON_VALUE.
func (c *Comparison) OfText() bool { return c.view.as.text() }

// Converted reports whether the operand is a value converted to a number: JSON_VALUE … RETURNING.
func (c *Comparison) Converted() bool { return c.view.as == asNumber }

// Wide reports whether the spans hold all values of a kind, or many of them, for any compared value. Then each
// value's conversion must be checked.
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

// SameOperand reports whether another comparison reads the same value in the same way: then both operands are NULL in
// the same documents.
func (c *Comparison) SameOperand(o *Comparison) bool {
	return !c.Membership() && !o.Membership() && c.view.as == o.view.as && c.view.returned == o.view.returned &&
		c.view.target() == o.view.target()
}

// PrimaryKey reports whether the spans are over the primary key's first column.
func (c *Comparison) PrimaryKey() bool { return c.view.column.PrimaryKeyPart == 1 }

// Equal reports whether the operator is = or <=>.
func (c *Comparison) Equal() bool { return c.op == opEqual }

// Text returns the comparison as text with the given operand and value.
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

// Spans returns the encoded values of the operand for which the comparison with the value may be true. There are none
// for NULL, and all where the value's place is unknown. If null is set, the comparison is true for NULL instead, for
// which not every document has an entry.
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

// comparedSpans is Spans for a known value.
func (c *Comparison) comparedSpans(k constant) (spans indexes.Spans, null bool) {
	if k.kind == constantNull {
		return nil, c.nullSafe && !c.PrimaryKey()
	}
	yes := indexes.Everything()
	compared := true
	if k.kind == constantJSON && !c.Converted() && (c.OfText() || c.view.column.Shape != ShapeJSON) {
		if k, compared = c.scalar(k.value); !compared && c.op == opEqual {
			return nil, false // no value equals a value of another type
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

// scalar returns a JSON value as a constant of the operand's type, which compares with the operand's values as JSON
// does. It returns false for values of another type.
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

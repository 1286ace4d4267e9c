package pushdown

import (
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"

	"github.com/sqlfdb/sqlfdb/document"
	"github.com/sqlfdb/sqlfdb/indexes"
)

// Equality is "operand = value" for values that are known only while a
// statement runs: those of a join's other side. It is immutable.
type Equality struct {
	analysis *analysis
	view     view
	value    sql.Expression
}

// NewEquality analyses the operand of a join's equality that is to be looked up;
// value is the other one. It is false, with the reason in words, where the operand has no
// spans or leads to more than the values of one keypath.
func NewEquality(ctx *sql.Context, operand, value sql.Expression, resolver Resolver) (*Equality, string, bool) {
	e := &Equality{analysis: &analysis{ctx: ctx, resolver: resolver, views: map[string]view{}}, value: strip(value)}
	if _, ok := strip(operand).(*expression.GetField); !ok {
		return nil, shorten(operand) + " is computed", false
	}
	v, reason, ok := e.analysis.viewOf(operand)
	switch {
	case !ok:
		return nil, reason, false
	case v.reach != nil || v.as != asColumn:
		return nil, v.column.name() + " leads to several keypaths", false
	case v.column.PrimaryKeyPart > 1:
		return nil, v.column.name() + " is not the first column of the primary key", false
	}
	e.view = v
	return e, "", true
}

// Column is what the operand reads.
func (e *Equality) Column() Column { return e.view.column }

// PrimaryKey reports whether the spans are over the primary key's first column.
func (e *Equality) PrimaryKey() bool { return e.view.column.PrimaryKeyPart == 1 }

// Spans are the encoded values that the operand may have where it is equal to the
// value: none for NULL, all where nothing tells where such a value is.
func (e *Equality) Spans(ctx *sql.Context, value any) indexes.Spans {
	if w, err := sql.UnwrapAny(ctx, value); err == nil {
		value = w
	}
	c := constantOfValue(e.value, value)
	if c.kind == constantJSON && e.view.column.Shape != ShapeJSON {
		var ok bool
		if c, ok = e.scalar(c.value); !ok {
			return nil
		}
	}
	o, _, ok := e.view.compare(e.analysis, opEqual, c)
	yes := o.yes
	if !ok {
		yes = indexes.Everything()
	}
	if e.PrimaryKey() {
		return yes.Intersect(e.view.domain().spans())
	}
	return yes.Intersect(present)
}

// scalar is a JSON value as a constant of the column's type, as which it compares
// with the column's values as JSON. No value is equal to one of another type.
func (e *Equality) scalar(v document.Value) (constant, bool) {
	switch shape := e.view.column.Shape; {
	case shape == ShapeNumber && v.Type() == document.TypeNumber:
		return constant{kind: constantNumber, text: v.Number()}, true
	case shape == ShapeString && v.Type() == document.TypeString:
		return constant{kind: constantString, text: v.Str()}, true
	}
	return constant{}, false
}

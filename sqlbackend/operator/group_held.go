package operator

import (
	"bytes"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/types"

	"github.com/sqlfdb/sqlfdb/sqlbackend/functions"
	"github.com/sqlfdb/sqlfdb/sqlbackend/hold"
	"github.com/sqlfdb/sqlfdb/sqlbackend/value"
)

// heldArray is the buffer of JSON_ARRAYAGG.
type heldArray struct {
	expr    sql.Expression
	text    []byte // of the array so far, without the closing bracket
	holding hold.Memory
}

// Update implements sql.AggregationBuffer.
func (a *heldArray) Update(ctx *sql.Context, row sql.Row) error {
	v, err := aggregatedJSON(ctx, a.expr, row)
	if err != nil {
		return err
	}
	mark := byte(',')
	if a.text == nil {
		mark = '['
	}
	a.text = append(append(a.text, mark), v...)
	return a.holding.Hold(ctx, 1+len(v))
}

// Eval implements sql.AggregationBuffer. It is NULL without rows.
func (a *heldArray) Eval(*sql.Context) (any, error) {
	if a.text == nil {
		return nil, nil
	}
	return value.OwnJSON(append(a.text[:len(a.text):len(a.text)], ']'))
}

// Dispose implements sql.Disposable.
func (a *heldArray) Dispose() {
	a.holding.ReleaseAll()
	expression.Dispose(a.expr)
}

// aggregatedJSON returns a value's JSON text, as a member of an array or object.
func aggregatedJSON(ctx *sql.Context, e sql.Expression, row sql.Row) ([]byte, error) {
	v, err := e.Eval(ctx, row)
	if err != nil {
		return nil, err
	}
	j, err := functions.MemberJSON(e.Type(), v)
	return j.Raw(), err
}

// heldObject is the buffer of JSON_OBJECTAGG.
type heldObject struct {
	key, value sql.Expression
	members    value.JSONMembers
	holding    hold.Memory
}

// Update implements sql.AggregationBuffer.
func (o *heldObject) Update(ctx *sql.Context, row sql.Row) error {
	key, err := o.key.Eval(ctx, row)
	if err != nil {
		return err
	}
	if key == nil {
		return functions.NullMemberName()
	}
	name, err := value.TextOf(ctx, key)
	if err != nil {
		return err
	}
	v, err := aggregatedJSON(ctx, o.value, row)
	if err != nil {
		return err
	}
	name = strings.Clone(name)
	n := len(v)
	if before := o.members.Set(name, bytes.Clone(v)); before != nil {
		n -= len(before)
	} else {
		n += hold.KeyBytes + len(name)
	}
	return o.holding.Hold(ctx, n)
}

// Eval implements sql.AggregationBuffer. It is NULL without rows.
func (o *heldObject) Eval(*sql.Context) (any, error) {
	if o.members.Len() == 0 {
		return nil, nil
	}
	return o.members.Object()
}

// Dispose implements sql.Disposable.
func (o *heldObject) Dispose() {
	o.holding.ReleaseAll()
	expression.Dispose(o.key)
	expression.Dispose(o.value)
}

// heldOne is the buffer of MAX, MIN or ANY_VALUE of texts or JSON. It holds one value.
type heldOne struct {
	sql.AggregationBuffer
	bytes   int
	holding hold.Memory
}

// newHeldOne returns a heldOne, or the engine's buffer for other values, which take little memory.
func newHeldOne(e sql.Aggregation) (sql.AggregationBuffer, error) {
	children := e.Children()
	if t := children[0].Type(); !types.IsText(t) && !types.IsJSON(t) {
		return e.NewBuffer()
	}
	owned, err := e.WithChildren(append([]sql.Expression{&ownedText{expression.UnaryExpression{Child: children[0]}}},
		children[1:]...)...)
	if err != nil {
		return nil, err
	}
	b, err := owned.(sql.Aggregation).NewBuffer()
	return &heldOne{AggregationBuffer: b}, err
}

// Update implements sql.AggregationBuffer.
func (h *heldOne) Update(ctx *sql.Context, row sql.Row) error {
	if err := h.AggregationBuffer.Update(ctx, row); err != nil {
		return err
	}
	v, err := h.Eval(ctx)
	if err != nil {
		return err
	}
	before := h.bytes
	h.bytes = hold.ValueBytes(v)
	return h.holding.Hold(ctx, h.bytes-before)
}

// Dispose implements sql.Disposable.
func (h *heldOne) Dispose() {
	h.holding.ReleaseAll()
	h.AggregationBuffer.Dispose()
}

// ownedText is a text or JSON with bytes of its own, see hold.RowOwner.
type ownedText struct{ expression.UnaryExpression }

// Type implements sql.Expression.
func (o *ownedText) Type() sql.Type { return o.Child.Type() }

// String implements fmt.Stringer.
func (o *ownedText) String() string { return o.Child.String() }

// Eval implements sql.Expression.
func (o *ownedText) Eval(ctx *sql.Context, row sql.Row) (any, error) {
	v, err := o.Child.Eval(ctx, row)
	if owned := hold.OwnedValue(v); owned != nil {
		v = owned
	}
	return v, err
}

// WithChildren implements sql.Expression.
func (o *ownedText) WithChildren(children ...sql.Expression) (sql.Expression, error) {
	if len(children) != 1 {
		return nil, sql.ErrInvalidChildrenNumber.New(o, len(children), 1)
	}
	return &ownedText{expression.UnaryExpression{Child: children[0]}}, nil
}

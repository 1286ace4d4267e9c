package operator

import (
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/types"

	"github.com/sqlfdb/sqlfdb/sqlbackend/hold"
)

// heldArray is JSON_ARRAYAGG.
type heldArray struct {
	expr    sql.Expression
	values  []any
	holding hold.Memory
}

// Update implements sql.AggregationBuffer.
func (a *heldArray) Update(ctx *sql.Context, row sql.Row) error {
	v, err := aggregatedJSON(ctx, a.expr, row)
	if err != nil {
		return err
	}
	a.values = append(a.values, v)
	return a.holding.Hold(ctx, hold.ValueBytes(v))
}

// Eval implements sql.AggregationBuffer.
func (a *heldArray) Eval(*sql.Context) (any, error) { return types.JSONDocument{Val: a.values}, nil }

// Dispose implements sql.Disposable.
func (a *heldArray) Dispose() {
	a.holding.ReleaseAll()
	expression.Dispose(a.expr)
}

// aggregatedJSON is a value as it stands in an array or object that is put together.
func aggregatedJSON(ctx *sql.Context, e sql.Expression, row sql.Row) (any, error) {
	v, err := e.Eval(ctx, row)
	if err != nil {
		return nil, err
	}
	if owned := hold.OwnedValue(v); owned != nil {
		v = owned
	}
	if j, ok := v.(sql.JSONWrapper); ok {
		return j.ToInterface()
	}
	return v, nil
}

// heldObject is JSON_OBJECTAGG.
type heldObject struct {
	key, value sql.Expression
	values     map[string]any
	holding    hold.Memory
}

// Update implements sql.AggregationBuffer.
func (o *heldObject) Update(ctx *sql.Context, row sql.Row) error {
	key, err := o.key.Eval(ctx, row)
	if err != nil {
		return err
	}
	if key == nil {
		return sql.ErrJSONObjectAggNullKey.New()
	}
	v, err := aggregatedJSON(ctx, o.value, row)
	if err != nil {
		return err
	}
	if key, _, err = types.LongText.Convert(ctx, key); err != nil {
		return nil // as the engine does
	}
	name, ok := hold.OwnedValue(key).(string)
	if !ok {
		return nil
	}
	n := hold.ValueBytes(v)
	if before, ok := o.values[name]; ok {
		n -= hold.ValueBytes(before)
	} else {
		n += hold.KeyBytes + len(name)
	}
	if o.values == nil {
		o.values = map[string]any{}
	}
	o.values[name] = v
	return o.holding.Hold(ctx, n)
}

// Eval implements sql.AggregationBuffer.
func (o *heldObject) Eval(*sql.Context) (any, error) {
	if len(o.values) == 0 {
		return nil, nil
	}
	return types.JSONDocument{Val: o.values}, nil
}

// Dispose implements sql.Disposable.
func (o *heldObject) Dispose() {
	o.holding.ReleaseAll()
	expression.Dispose(o.key)
	expression.Dispose(o.value)
}

// heldOne is MAX, MIN or ANY_VALUE of texts or JSON, of which one is held.
type heldOne struct {
	sql.AggregationBuffer
	bytes   int
	holding hold.Memory
}

// newHeldOne is the buffer of such an aggregate, or of one of other values, which take little.
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

// ownedText is a text or JSON with bytes of its own, see rowOwner.
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

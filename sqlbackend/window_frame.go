package sqlbackend

import (
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/types"
)

// peerFrame is the frame of an aggregate over a window with ORDER BY and no frame
// of its own: up to the last peer of the current row. The engine takes the whole
// partition for some aggregates, and the rows up to the current one for others.
type peerFrame struct{}

var _ sql.WindowFrame = peerFrame{}

// NewFramer implements sql.WindowFrame.
func (peerFrame) NewFramer(w *sql.WindowDefinition) (sql.WindowFramer, error) {
	return &peerFramer{order: w.OrderBy}, nil
}

// String implements fmt.Stringer. A user wrote no frame.
func (peerFrame) String() string { return "" }

// UnboundedFollowing implements sql.WindowFrame.
func (peerFrame) UnboundedFollowing() bool { return false }

// UnboundedPreceding implements sql.WindowFrame.
func (peerFrame) UnboundedPreceding() bool { return true }

// StartCurrentRow implements sql.WindowFrame.
func (peerFrame) StartCurrentRow() bool { return false }

// EndCurrentRow implements sql.WindowFrame.
func (peerFrame) EndCurrentRow() bool { return true }

// StartNPreceding implements sql.WindowFrame.
func (peerFrame) StartNPreceding() sql.Expression { return nil }

// StartNFollowing implements sql.WindowFrame.
func (peerFrame) StartNFollowing() sql.Expression { return nil }

// EndNPreceding implements sql.WindowFrame.
func (peerFrame) EndNPreceding() sql.Expression { return nil }

// EndNFollowing implements sql.WindowFrame.
func (peerFrame) EndNFollowing() sql.Expression { return nil }

// framed gives an aggregate over a window its frame.
func framed(e sql.WindowAdaptableExpression) (*sql.WindowDefinition, bool) {
	w := e.Window()
	if _, aggregate := e.(sql.Aggregation); !aggregate || w.Frame != nil || len(w.OrderBy) == 0 {
		return w, false
	}
	next := *w
	next.Frame = peerFrame{}
	return &next, true
}

// rankKeys makes what a window sorts comparable by ==, which is how the engine
// finds the peers of a rank: decimals, and strings that may be equal though they differ.
func rankKeys(fields sql.SortFields) (sql.SortFields, bool) {
	any := false
	out := make(sql.SortFields, len(fields))
	for i, f := range fields {
		out[i] = f
		if f.Column.Resolved() && types.IsDecimal(f.Column.Type()) {
			out[i].Column, out[i].Column2, any = &numberKey{expression.UnaryExpression{Child: f.Column}}, nil, true
		}
		if coll, ok := collationOfType(f.Column.Type()); ok && !coll.IsIdentity() {
			out[i].Column, out[i].Column2, any = newWeightKey(unwrapped(f.Column), coll), nil, true
		}
	}
	return out, any
}

// numberKey is a number in its one spelling.
type numberKey struct {
	expression.UnaryExpression
}

var _ sql.Expression = (*numberKey)(nil)

// Type implements sql.Expression.
func (k *numberKey) Type() sql.Type { return numberType{} }

// Eval implements sql.Expression.
func (k *numberKey) Eval(ctx *sql.Context, row sql.Row) (interface{}, error) {
	v, err := k.Child.Eval(ctx, row)
	if err != nil || v == nil {
		return nil, err
	}
	key, _, err := numberType{}.Convert(ctx, v)
	return key, err
}

// WithChildren implements sql.Expression.
func (k *numberKey) WithChildren(children ...sql.Expression) (sql.Expression, error) {
	if len(children) != 1 {
		return nil, sql.ErrInvalidChildrenNumber.New(k, len(children), 1)
	}
	return &numberKey{expression.UnaryExpression{Child: children[0]}}, nil
}

// String implements fmt.Stringer.
func (k *numberKey) String() string { return k.Child.String() }

package compare

import (
	"context"
	"strings"
	"sync"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/types"

	"github.com/sqlfdb/sqlfdb/sqlbackend/functions"
	"github.com/sqlfdb/sqlfdb/sqlbackend/hold"
	"github.com/sqlfdb/sqlfdb/sqlbackend/value"
)

// peerFrame is the frame of an aggregate over a window with ORDER BY and no frame of its own: up to the last peer of
// the current row. The engine takes the whole partition for some aggregates, and the rows up to the current one for
// others.
type peerFrame struct{}

var _ sql.WindowFrame = peerFrame{}

// NewFramer implements sql.WindowFrame.
func (peerFrame) NewFramer(w *sql.WindowDefinition) (sql.WindowFramer, error) {
	return &functions.PeerFramer{Order: w.OrderBy}, nil
}

// String implements fmt.Stringer. The user wrote no frame.
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

// framed gives an aggregate over a window its frame, and replaces a RANGE frame by one of ours.
func framed(e sql.WindowAdaptableExpression) (*sql.WindowDefinition, bool) {
	w := e.Window()
	next := *w
	if w.Frame != nil {
		if _, done := w.Frame.(rangeFrame); done || !strings.HasPrefix(w.Frame.String(), "RANGE") {
			return w, false
		}
		next.Frame = rangeFrame{w.Frame}
		return &next, true
	}
	if _, aggregate := e.(sql.Aggregation); !aggregate || len(w.OrderBy) == 0 {
		return w, false
	}
	next.Frame = peerFrame{}
	return &next, true
}

// rankKeys makes the sort values of a window comparable by ==, which is how the engine finds the peers of a rank.
func rankKeys(fields sql.SortFields) (sql.SortFields, bool) {
	any := false
	out := make(sql.SortFields, len(fields))
	for i, f := range fields {
		out[i] = f
		if _, done := f.Column.(*PeerKey); done || !f.Column.Resolved() || types.IsInteger(f.Column.Type()) {
			continue
		}
		out[i].Column, out[i].Column2, any = newPeerKey(f.Column), nil, true
	}
	return out, any
}

// PeerKey is a value as a pointer that equal values share.
type PeerKey struct {
	expression.UnaryExpression
	seen *peers
}

type peers struct {
	mu    sync.Mutex
	byKey map[string]*hold.Peer
}

var _ sql.Expression = (*PeerKey)(nil)

func newPeerKey(e sql.Expression) sql.Expression {
	return &PeerKey{expression.UnaryExpression{Child: e}, &peers{byKey: map[string]*hold.Peer{}}}
}

// Type implements sql.Expression.
func (k *PeerKey) Type() sql.Type { return peerType{k.Child.Type()} }

// Eval implements sql.Expression.
func (k *PeerKey) Eval(ctx *sql.Context, row sql.Row) (interface{}, error) {
	v, err := k.Child.Eval(ctx, row)
	if err != nil || v == nil {
		return nil, err
	}
	key, err := value.AppendRowKey(ctx, nil, v, k.Child.Type())
	if err != nil {
		return nil, err
	}
	k.seen.mu.Lock()
	defer k.seen.mu.Unlock()
	p, ok := k.seen.byKey[string(key)]
	if !ok {
		p = &hold.Peer{Value: v}
		k.seen.byKey[string(key)] = p
	}
	return p, nil
}

// WithChildren implements sql.Expression.
func (k *PeerKey) WithChildren(children ...sql.Expression) (sql.Expression, error) {
	if len(children) != 1 {
		return nil, sql.ErrInvalidChildrenNumber.New(k, len(children), 1)
	}
	return newPeerKey(children[0]), nil
}

// String implements fmt.Stringer.
func (k *PeerKey) String() string { return k.Child.String() }

// peerType compares the values behind the pointers of a PeerKey.
type peerType struct {
	value.ColumnType
}

// Compare implements sql.Type.
func (t peerType) Compare(ctx context.Context, a, b interface{}) (int, error) {
	if p, ok := a.(*hold.Peer); ok {
		a = p.Value
	}
	if p, ok := b.(*hold.Peer); ok {
		b = p.Value
	}
	return t.ColumnType.Compare(ctx, a, b)
}

package hold

import (
	"sync/atomic"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/dolthub/vitess/go/mysql"

	"github.com/sqlfdb/sqlfdb/sqlbackend/mysqlerr"
)

// A statement holds the rows that it needs more than once, or before its first result. Among them are rows to be
// sorted, groups, and given rows that must not come again. VarStatementBytes is the setting that limits them: a
// statement that holds more ends with an error, and the server goes on.

// DefaultStatementBytes is how many bytes a statement may hold by default: 1 GiB.
const DefaultStatementBytes = 1 << 30

// Budget is about how many bytes a session holds: its running statement in rows, and all that it has made in large
// values.
type Budget struct {
	Bytes   atomic.Int64 // in rows, of the running statement
	allowed atomic.Int64 // 0: not read yet

	values *atomic.Int64 // bytes of large values that are still there; see Value
	visit  Visit

	prepared atomic.Int64 // see KeepPrepared
	process  *Process
}

// NewBudget is the budget of a session, which counts in the process's too.
func NewBudget(p *Process) *Budget {
	b := &Budget{values: new(atomic.Int64), process: p}
	p.join(b)
	return b
}

// Close takes the session out of the process's count.
func (b *Budget) Close() {
	b.Leave()
	b.process.leave(b)
}

// Begin forgets the rows of the statement before.
func (b *Budget) Begin() {
	b.Bytes.Store(0)
	b.allowed.Store(0)
}

// Held is about how many bytes the session holds.
func (b *Budget) Held() int64 { return b.Bytes.Load() + b.values.Load() }

// most is how many bytes the running statement may hold: the session's setting, read once a statement.
func (b *Budget) most(ctx *sql.Context) int64 {
	if n := b.allowed.Load(); n > 0 {
		return n
	}
	n := statementBytes(ctx)
	if share := b.process.limit.Load() / statementShare; share > 0 && share < n {
		n = share
	}
	b.allowed.Store(n)
	return n
}

// statementShare: one statement may hold this part, a fourth, of the bytes that all statements may hold. A value is
// counted only when it is made, and may be as large as the values that it is made of.
const statementShare = 4

// exceeded is the error for a statement that would hold more than it may.
func (b *Budget) exceeded(ctx *sql.Context) error {
	return mysql.NewSQLError(mysqlerr.CapacityExceeded, "HY000",
		"Memory capacity of %d bytes for '%s' exceeded. The statement holds more than that in rows and values",
		b.most(ctx), VarStatementBytes)
}

// Memory counts the bytes that one iterator holds, in its statement's budget. The zero value holds nothing.
type Memory struct {
	of    *Budget
	bytes int64
}

// budgetOf is the budget of a context's session; nil where it has none.
func budgetOf(ctx *sql.Context) *Budget {
	if s, ok := ctx.Session.(interface{ Memory() *Budget }); ok {
		return s.Memory()
	}
	return nil
}

// bytesPerLook is by how many bytes rows grow between checks of the whole process's limit.
const bytesPerLook = 8 << 20

// Hold notes that the iterator holds n bytes more; that is an error where the statement, or the process, holds too
// much by then.
func (h *Memory) Hold(ctx *sql.Context, n int) error {
	if h.of == nil {
		if h.of = budgetOf(ctx); h.of == nil {
			return nil
		}
	}
	h.bytes += int64(n)
	now := h.of.Bytes.Add(int64(n))
	if now > h.of.most(ctx) {
		return h.of.exceeded(ctx)
	}
	if now/bytesPerLook != (now-int64(n))/bytesPerLook {
		return h.of.process.allows()
	}
	return nil
}

// Release notes that n bytes are held no longer.
func (h *Memory) Release(n int64) {
	if h.of != nil {
		h.bytes -= n
		h.of.Bytes.Add(-n)
	}
}

// ReleaseAll notes that nothing is held any longer.
func (h *Memory) ReleaseAll() { h.Release(h.bytes) }

// statementBytes is the session's setting.
func statementBytes(ctx *sql.Context) int64 {
	if v, err := ctx.GetSessionVariable(ctx, VarStatementBytes); err == nil {
		if n, _, err := types.Int64.Convert(ctx, v); err == nil {
			if bytes, ok := n.(int64); ok {
				return bytes
			}
		}
	}
	return DefaultStatementBytes
}

// KeyBytes is about how much memory a key of a map takes, beside its own bytes.
const KeyBytes = 48

// SeenKeys are keys that have been met. The zero value has none.
type SeenKeys struct {
	keys    map[string]struct{}
	holding Memory
}

// Again reports whether a key has been met before.
func (s *SeenKeys) Again(ctx *sql.Context, key []byte) (bool, error) {
	if _, again := s.keys[string(key)]; again {
		return true, nil
	}
	if s.keys == nil {
		s.keys = map[string]struct{}{}
	}
	s.keys[string(key)] = struct{}{}
	return false, s.holding.Hold(ctx, KeyBytes+len(key))
}

// Release forgets them.
func (s *SeenKeys) Release() {
	s.keys = nil
	s.holding.ReleaseAll()
}

// GroupBytes is about how much memory a group takes for each of its columns.
const GroupBytes = 128

// HeldRows are rows that the node above holds.
type HeldRows struct{ plan.UnaryNode }

var _ sql.Node = (*HeldRows)(nil)

// HoldRows is a node whose rows are held.
func HoldRows(n sql.Node) sql.Node { return &HeldRows{plan.UnaryNode{Child: n}} }

// Schema implements sql.Node.
func (h *HeldRows) Schema() sql.Schema { return h.Child.Schema() }

// IsReadOnly implements sql.Node.
func (h *HeldRows) IsReadOnly() bool { return h.Child.IsReadOnly() }

// String implements fmt.Stringer.
func (h *HeldRows) String() string { return h.Child.String() }

// WithChildren implements sql.Node.
func (h *HeldRows) WithChildren(children ...sql.Node) (sql.Node, error) {
	if len(children) != 1 {
		return nil, sql.ErrInvalidChildrenNumber.New(h, len(children), 1)
	}
	return HoldRows(children[0]), nil
}

// Build builds the rows' iterator.
func (h *HeldRows) Build(ctx *sql.Context, engine sql.NodeExecBuilder, row sql.Row) (sql.RowIter, error) {
	child, err := engine.Build(ctx, h.Child, row)
	if err != nil || plan.IsEmptyIter(child) {
		return child, err
	}
	return &HeldIter{RowIter: child}, nil
}

// HeldIter counts the rows that it gives as held until it is closed.
type HeldIter struct {
	sql.RowIter
	RowOwner
	holding  Memory
	Extra    int  // bytes that a row takes beside its own
	Trailing int  // values that the node above puts behind a row
	Kept     bool // also once it is closed
}

// Next implements sql.RowIter.
func (i *HeldIter) Next(ctx *sql.Context) (sql.Row, error) {
	row, err := i.RowIter.Next(ctx)
	if err != nil {
		i.RowOwner = RowOwner{}
		return nil, err
	}
	row = i.Own(row, i.Trailing)
	if err := i.holding.Hold(ctx, RowBytes(row)+i.Extra); err != nil {
		return nil, err
	}
	return row, nil
}

// Close implements sql.RowIter.
func (i *HeldIter) Close(ctx *sql.Context) error {
	i.RowOwner = RowOwner{}
	if !i.Kept {
		i.holding.ReleaseAll()
	}
	return i.RowIter.Close(ctx)
}

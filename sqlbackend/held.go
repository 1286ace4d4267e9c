package sqlbackend

import (
	"sync/atomic"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/dolthub/vitess/go/mysql"

	"github.com/sqlfdb/sqlfdb/sqlbackend/mysqlerr"
)

// A statement holds what it needs more than once, or before it can give its first row: rows to be sorted, groups, the rows
// that it has given and must not give again. How much that may be is a setting (VarStatementBytes): a statement that
// holds more ends with an error, and the server goes on.

// defaultStatementBytes is what a statement may hold unless it is told otherwise.
const defaultStatementBytes = 1 << 30

// held is about how many bytes the running statement holds.
type held struct {
	bytes atomic.Int64
	most  int64 // 0: not asked for yet
}

// heldMemory is what one iterator holds of it. The zero value holds nothing.
type heldMemory struct {
	of    *held
	bytes int64
}

// add notes that the iterator holds n bytes more; that is an error where the statement holds too much by then.
func (h *heldMemory) add(ctx *sql.Context, n int) error {
	if h.of == nil {
		s, ok := ctx.Session.(interface{ memory() *held })
		if !ok {
			return nil
		}
		h.of = s.memory()
		if h.of.most == 0 {
			h.of.most = statementBytes(ctx)
		}
	}
	h.bytes += int64(n)
	if h.of.bytes.Add(int64(n)) <= h.of.most {
		return nil
	}
	return mysql.NewSQLError(mysqlerr.CapacityExceeded, "HY000",
		"Memory capacity of %d bytes for '%s' exceeded. The statement sorts, groups or tells apart more than that", h.of.most, VarStatementBytes)
}

// release notes that n bytes are held no longer.
func (h *heldMemory) release(n int64) {
	if h.of != nil {
		h.bytes -= n
		h.of.bytes.Add(-n)
	}
}

// releaseAll notes that nothing is held any longer.
func (h *heldMemory) releaseAll() { h.release(h.bytes) }

// statementBytes is the session's setting.
func statementBytes(ctx *sql.Context) int64 {
	if v, err := ctx.GetSessionVariable(ctx, VarStatementBytes); err == nil {
		if n, _, err := types.Int64.Convert(ctx, v); err == nil {
			if bytes, ok := n.(int64); ok {
				return bytes
			}
		}
	}
	return defaultStatementBytes
}

// keyBytes is about how much memory a key of a map takes, beside its own bytes.
const keyBytes = 48

// seenKeys are keys that have been met. The zero value has none.
type seenKeys struct {
	keys    map[string]struct{}
	holding heldMemory
}

// again reports whether a key has been met before.
func (s *seenKeys) again(ctx *sql.Context, key []byte) (bool, error) {
	if _, again := s.keys[string(key)]; again {
		return true, nil
	}
	if s.keys == nil {
		s.keys = map[string]struct{}{}
	}
	s.keys[string(key)] = struct{}{}
	return false, s.holding.add(ctx, keyBytes+len(key))
}

// release forgets them.
func (s *seenKeys) release() {
	s.keys = nil
	s.holding.releaseAll()
}

// groupBytes is about how much memory a group takes for each of its columns.
const groupBytes = 128

// heldRows are rows that the node above holds.
type heldRows struct{ plan.UnaryNode }

var _ sql.Node = (*heldRows)(nil)

// holdRows is a node whose rows are held.
func holdRows(n sql.Node) sql.Node { return &heldRows{plan.UnaryNode{Child: n}} }

// Schema implements sql.Node.
func (h *heldRows) Schema() sql.Schema { return h.Child.Schema() }

// IsReadOnly implements sql.Node.
func (h *heldRows) IsReadOnly() bool { return h.Child.IsReadOnly() }

// String implements fmt.Stringer.
func (h *heldRows) String() string { return h.Child.String() }

// WithChildren implements sql.Node.
func (h *heldRows) WithChildren(children ...sql.Node) (sql.Node, error) {
	if len(children) != 1 {
		return nil, sql.ErrInvalidChildrenNumber.New(h, len(children), 1)
	}
	return holdRows(children[0]), nil
}

// heldIter counts the rows that it gives as held until it is closed.
type heldIter struct {
	sql.RowIter
	rowOwner
	holding heldMemory
	beside  int  // bytes that a row takes beside its own
	behind  int  // values that the node above puts behind a row
	kept    bool // also once it is closed
}

// Next implements sql.RowIter.
func (i *heldIter) Next(ctx *sql.Context) (sql.Row, error) {
	row, err := i.RowIter.Next(ctx)
	if err != nil {
		i.rowOwner = rowOwner{}
		return nil, err
	}
	row = i.own(row, i.behind)
	if err := i.holding.add(ctx, rowBytes(row)+i.beside); err != nil {
		return nil, err
	}
	return row, nil
}

// Close implements sql.RowIter.
func (i *heldIter) Close(ctx *sql.Context) error {
	i.rowOwner = rowOwner{}
	if !i.kept {
		i.holding.releaseAll()
	}
	return i.RowIter.Close(ctx)
}

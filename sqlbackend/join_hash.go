package sqlbackend

import (
	"fmt"
	"io"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/types"

	"github.com/sqlfdb/sqlfdb/collation"
)

// hashedSide is the right side of a semi or anti join that is read once and
// hashed by what the condition says to be equal. The engine hashes for inner and left
// joins only.
type hashedSide struct {
	plan.UnaryNode
	keys []hashKey
}

// hashKey is an equality that rows are hashed by.
type hashKey struct {
	conjunct int  // of the join's condition
	turned   bool // the right side's operand stands first
	typ      keyType
}

var (
	_ sql.Node               = (*hashedSide)(nil)
	_ sql.CollationCoercible = (*hashedSide)(nil)
	_ explained              = (*hashedSide)(nil)
)

// Schema implements sql.Node.
func (s *hashedSide) Schema() sql.Schema { return s.Child.Schema() }

// IsReadOnly implements sql.Node.
func (s *hashedSide) IsReadOnly() bool { return s.Child.IsReadOnly() }

// WithChildren implements sql.Node.
func (s *hashedSide) WithChildren(children ...sql.Node) (sql.Node, error) {
	if len(children) != 1 {
		return nil, sql.ErrInvalidChildrenNumber.New(s, len(children), 1)
	}
	return &hashedSide{UnaryNode: plan.UnaryNode{Child: children[0]}, keys: s.keys}, nil
}

// CollationCoercibility implements sql.CollationCoercible.
func (s *hashedSide) CollationCoercibility(ctx *sql.Context) (sql.CollationID, byte) {
	return sql.GetCoercibility(ctx, s.Child)
}

// String implements fmt.Stringer.
func (s *hashedSide) String() string {
	p := sql.NewTreePrinter()
	_ = p.WriteNode("Hash")
	_ = p.WriteChildren(s.Child.String())
	return p.String()
}

func (s *hashedSide) explain() explanation {
	return explanation{operation: "Hash", extra: []string{"Using join buffer (hash join)"}}
}

// hashKey is how an equality's operands get keys that are equal where they are.
func (j joiner) hashKey(e equalPair) (hashKey, bool) {
	c := j.comparer
	k := hashKey{conjunct: e.conjunct, turned: e.turned}
	if t, ok := c.keyOf(e.left, e.right); ok {
		k.typ = t
		return k, true
	}
	k.typ = keyType{columnType: types.LongText, class: c.class(e.left), coll: collation.Binary}
	if c.class(e.right) != k.typ.class {
		return k, false
	}
	switch k.typ.class {
	case classNumber:
		return k, true
	case classText:
		k.typ.coll = c.textCollation(e.left, e.right)
		return k, true
	}
	return k, false
}

// hashSource finds rows of a side that is hashed as a whole.
type hashSource struct {
	of          *batchJoin
	left, right []sql.Expression // of joined rows
	keys        []hashKey
	rows        map[string][]foundRow // nil until the side is read
	all, nulls  []foundRow            // nulls are those that have a NULL for a key
}

func (i *batchJoin) hashSource(side *hashedSide) (*hashSource, error) {
	h := &hashSource{of: i, keys: side.keys}
	conjuncts := expression.SplitConjunction(i.join.Filter)
	for _, k := range side.keys {
		e, ok := conjuncts[k.conjunct].(*expression.Equals)
		if !ok {
			return nil, fmt.Errorf("sqlbackend: a join by %s", conjuncts[k.conjunct])
		}
		l, r := e.Left(), e.Right()
		if k.turned {
			l, r = r, l
		}
		h.left, h.right = append(h.left, l), append(h.right, r)
	}
	return h, nil
}

// find implements joinSource. A condition that may be NULL leaves a row of an anti
// join out as one that is true does; so there the rows count too that only NULL keeps
// from being equal.
func (h *hashSource) find(ctx *sql.Context, rows []sql.Row) ([][]foundRow, int, error) {
	if h.rows == nil {
		if err := h.read(ctx); err != nil {
			return nil, 0, err
		}
	}
	found := make([][]foundRow, len(rows))
	for at, row := range rows {
		key, null, err := h.key(ctx, h.left, h.of.joined(row, nil))
		switch {
		case err != nil:
			return nil, 0, err
		case null && h.of.join.Op.IsAnti():
			found[at] = h.all
		case null:
		default:
			found[at] = h.rows[key]
			if len(h.nulls) > 0 && h.of.join.Op.IsAnti() {
				found[at] = append(found[at][:len(found[at]):len(found[at])], h.nulls...)
			}
		}
	}
	return found, 0, nil
}

// read reads and hashes the side.
func (h *hashSource) read(ctx *sql.Context) error {
	it, err := h.of.engine.Build(ctx, h.of.side, h.of.before())
	if err != nil {
		return err
	}
	h.rows = map[string][]foundRow{}
	for {
		row, err := it.Next(ctx)
		if err == io.EOF {
			return it.Close(ctx)
		}
		var key string
		var null bool
		if err == nil {
			key, null, err = h.key(ctx, h.right, h.of.joined(nil, row))
		}
		if err != nil {
			_ = it.Close(ctx)
			return err
		}
		f := foundRow{row: row}
		if null {
			h.nulls = append(h.nulls, f)
		} else {
			h.rows[key] = append(h.rows[key], f)
		}
		if h.of.join.Op.IsAnti() {
			h.all = append(h.all, f)
		}
	}
}

// key is what a joined row is hashed by, unless something of it is NULL.
func (h *hashSource) key(ctx *sql.Context, operands []sql.Expression, joined sql.Row) (key string, null bool, err error) {
	for n, e := range operands {
		v, err := e.Eval(ctx, joined)
		if err != nil || v == nil {
			return "", v == nil, err
		}
		part, err := h.keys[n].typ.key(ctx, v)
		if err != nil {
			return "", false, err
		}
		key += fmt.Sprintf("%d:", len(part)) + part
	}
	return key, false, nil
}

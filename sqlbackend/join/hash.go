package join

import (
	"fmt"
	"io"
	"slices"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/types"

	"github.com/sqlfdb/sqlfdb/sqlbackend/compare"
	"github.com/sqlfdb/sqlfdb/sqlbackend/functions"
	"github.com/sqlfdb/sqlfdb/sqlbackend/hold"
	"github.com/sqlfdb/sqlfdb/sqlbackend/session"
	"github.com/sqlfdb/sqlfdb/sqlbackend/table"
)

// HashedSide is the right side of a semi or anti join that is read once and hashed by the condition's equalities.
// The engine hashes only for inner and left joins.
type HashedSide struct {
	plan.UnaryNode
	keys []hashKey
}

// hashKey is an equality that rows are hashed by.
type hashKey struct {
	conjunct int  // index in the join's condition
	turned   bool // the right side's operand comes first
	known    bool // where the equality is NULL, the join's condition is false
	typ      compare.KeyType
}

var (
	_ sql.Node               = (*HashedSide)(nil)
	_ sql.CollationCoercible = (*HashedSide)(nil)
	_ table.Explained        = (*HashedSide)(nil)
)

// Schema implements sql.Node.
func (s *HashedSide) Schema() sql.Schema { return s.Child.Schema() }

// IsReadOnly implements sql.Node.
func (s *HashedSide) IsReadOnly() bool { return s.Child.IsReadOnly() }

// WithChildren implements sql.Node.
func (s *HashedSide) WithChildren(children ...sql.Node) (sql.Node, error) {
	if len(children) != 1 {
		return nil, sql.ErrInvalidChildrenNumber.New(s, len(children), 1)
	}
	return &HashedSide{UnaryNode: plan.UnaryNode{Child: children[0]}, keys: s.keys}, nil
}

// CollationCoercibility implements sql.CollationCoercible.
func (s *HashedSide) CollationCoercibility(ctx *sql.Context) (sql.CollationID, byte) {
	return sql.GetCoercibility(ctx, s.Child)
}

// String implements fmt.Stringer.
func (s *HashedSide) String() string {
	p := sql.NewTreePrinter()
	_ = p.WriteNode("Hash")
	_ = p.WriteChildren(s.Child.String())
	return p.String()
}

func (s *HashedSide) Explain() table.Explanation {
	return table.Explanation{Operation: "Hash", Extra: []string{"Using join buffer (hash join)"}}
}

// hashKey returns how an equality's operands are hashed, so that equal operands have equal keys.
func (j Joiner) hashKey(e equalPair) (hashKey, bool) {
	t, ok := j.Comparer.EqualKey(e.left, e.right)
	return hashKey{conjunct: e.conjunct, turned: e.turned, typ: t}, ok
}

// hashSource finds rows of a side that is hashed as a whole. A side larger than may be held is read again for each
// batch, and only its rows for that batch are held.
type hashSource struct {
	of    *batchJoin
	probe func(*sql.Context, sql.Row) (key interface{}, null bool, err error) // key of a row of the other side
	entry func(*sql.Context, sql.Row) (key interface{}, null bool, err error) // key of a row of the hashed side
	build func(*sql.Context) (sql.RowIter, error)                             // reads the hashed side
	// keep is called with the hashed rows of a side that fits into memory; nil: it is not called.
	keep func(map[interface{}][]sql.Row)

	// nullsMeet: a row with a NULL key is joined with every row, and every row with such rows. An anti join needs that,
	// as it drops the rows for which its condition is true or NULL.
	nullsMeet bool

	limit    int // number of bytes held
	rows     map[interface{}][]sql.Row
	nulls    []sql.Row // rows with a NULL key, if nullsMeet
	all      []sql.Row // all rows, if nullsMeet
	read     bool
	inPasses bool
}

// hashSource returns the source of a semi or an anti join.
func (i *batchJoin) hashSource(ctx *sql.Context, side *HashedSide) (*hashSource, error) {
	var left, right []sql.Expression // operands over joined rows
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
		left, right = append(left, l), append(right, r)
	}
	return &hashSource{
		of:        i,
		nullsMeet: i.join.Op.IsAnti() && slices.ContainsFunc(side.keys, func(k hashKey) bool { return !k.known }),
		limit:     session.JoinBytes(ctx),
		probe: func(ctx *sql.Context, row sql.Row) (interface{}, bool, error) {
			return hashKeyOf(ctx, side.keys, left, i.alone(row))
		},
		entry: func(ctx *sql.Context, row sql.Row) (interface{}, bool, error) {
			return hashKeyOf(ctx, side.keys, right, i.joined(nil, row))
		},
		build: func(ctx *sql.Context) (sql.RowIter, error) { return i.engine.Build(ctx, i.side, i.before()) },
	}, nil
}

// hashLookupSource returns the source of an inner or a left join that the engine hashes.
func (i *batchJoin) hashLookupSource(ctx *sql.Context, side *plan.HashLookup) *hashSource {
	probe, entry := integers(side.LeftProbeKey), integers(side.RightEntryKey)
	if len(probe) != len(entry) {
		probe, entry = nil, nil
	}
	h := &hashSource{
		of:    i,
		limit: session.JoinBytes(ctx),
		probe: func(ctx *sql.Context, row sql.Row) (interface{}, bool, error) {
			joined := i.alone(row)[:len(i.parent)+i.width]
			if key, null, ok := integerKey(probe, joined); ok {
				return key, null, nil
			}
			return lookupKey(ctx, side, side.LeftProbeKey, joined)
		},
		entry: func(ctx *sql.Context, row sql.Row) (interface{}, bool, error) {
			if key, null, ok := integerKey(entry, row); ok {
				return key, null, nil
			}
			return lookupKey(ctx, side, side.RightEntryKey, row)
		},
		build: func(ctx *sql.Context) (sql.RowIter, error) {
			it, err := i.engine.Build(ctx, side.Child, i.before())
			if err != nil {
				return nil, err
			}
			return session.Watched(ctx, side, it), nil
		},
		keep: func(rows map[interface{}][]sql.Row) {
			side.Mutex.Lock()
			defer side.Mutex.Unlock()
			side.Lookup = &rows
		},
	}
	side.Mutex.Lock()
	defer side.Mutex.Unlock()
	if side.Lookup != nil { // set by an earlier execution of the same plan
		h.rows, h.read = *side.Lookup, true
	}
	return h
}

// integers returns the places in a row of the columns that a key consists of; nil unless all are of integers.
func integers(key sql.Expression) []int {
	list, several := key.(expression.Tuple)
	if !several {
		list = expression.Tuple{key}
	}
	var out []int
	for _, e := range list {
		f, ok := e.(*expression.GetField)
		if !ok || !types.IsInteger(f.Type()) {
			return nil
		}
		out = append(out, f.Index())
	}
	return out
}

// integerKey is lookupKey for integers of 64 bits with a sign, up to four; ok is false for others.
func integerKey(fields []int, row sql.Row) (key interface{}, null, ok bool) {
	var values [4]int64
	if len(fields) == 0 || len(fields) > len(values) {
		return nil, false, false
	}
	for n, at := range fields {
		if at >= len(row) {
			return nil, false, false
		}
		if row[at] == nil {
			return nil, true, true
		}
		if values[n], ok = functions.AsInt64(row[at]); !ok {
			return nil, false, false
		}
	}
	if len(fields) == 1 {
		return values[0], false, true
	}
	return values, false, true
}

// lookupKey returns the key by which a row is hashed. null: one of the values is NULL, which equals no value. As a
// key, NULL would make all documents that lack the values equal.
func lookupKey(ctx *sql.Context, side *plan.HashLookup, e sql.Expression, row sql.Row) (key interface{}, null bool,
	err error) {
	v, err := e.Eval(ctx, row)
	if err != nil {
		return nil, false, err
	}
	values, several := v.([]interface{})
	if v == nil || several && slices.Contains(values, nil) {
		return nil, true, nil
	}
	for i, x := range values {
		if f, ok := x.(float64); ok && f == 0 {
			values[i] = 0.0 // -0 equals it, but has another hash
		}
	}
	key, err = side.GetHashKey(ctx, &compare.ScalarValue{Value: v, Typ: e.Type()}, nil)
	return key, false, err
}

// find implements joinSource. An anti join drops a row if the condition is NULL, just as if it is true. So its
// candidates include the rows for which only a NULL prevents equality.
func (h *hashSource) find(ctx *sql.Context, rows []sql.Row) ([]*candidates, int, error) {
	if !h.read && !h.inPasses {
		if err := h.readAll(ctx); err != nil {
			return nil, 0, err
		}
	}
	if h.inPasses {
		return h.pass(ctx, rows)
	}
	found, all := make([]*candidates, len(rows)), make([]candidates, len(rows))
	for at, row := range rows {
		key, null, err := h.probe(ctx, row)
		c := &all[at]
		found[at] = c
		switch {
		case err != nil:
			return nil, 0, err
		case null && h.nullsMeet:
			c.held = append(c.two[:0], h.all)
		case null:
		default:
			c.held = append(c.two[:0], h.rows[key], h.nulls)
		}
	}
	return found, MaxBatch, nil
}

// eachRow calls visit for the side's rows with their keys, until visit returns false.
func (h *hashSource) eachRow(ctx *sql.Context, visit func(row sql.Row, key interface{},
	null bool) (more bool)) (err error) {
	it, err := h.build(ctx)
	if err != nil {
		return err
	}
	defer func() {
		if failed := it.Close(ctx); err == nil {
			err = failed
		}
	}()
	var owner hold.RowOwner
	for {
		row, err := it.Next(ctx)
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		row = owner.Own(row, 0)
		key, null, err := h.entry(ctx, row)
		if err != nil {
			return err
		}
		if !visit(row, key, null) {
			return nil
		}
	}
}

// readAll reads and hashes the side, unless it is too large; then it sets inPasses.
func (h *hashSource) readAll(ctx *sql.Context) error {
	rows, bytes, anti := map[interface{}][]sql.Row{}, 0, h.nullsMeet
	err := h.eachRow(ctx, func(row sql.Row, key interface{}, null bool) bool {
		if bytes += hold.RowBytes(row); bytes > h.limit {
			h.inPasses = true
			return false
		}
		switch {
		case !null:
			rows[key] = append(rows[key], row)
		case anti:
			h.nulls = append(h.nulls, row)
		}
		if anti {
			h.all = append(h.all, row)
		}
		return true
	})
	if h.inPasses {
		h.nulls, h.all = nil, nil
		h.of.most = maxPassed
		return err
	}
	h.rows, h.read = rows, true
	if h.keep != nil && err == nil {
		h.keep(rows)
	}
	return err
}

// maxPassed is how many small rows are looked up in one pass.
const maxPassed = 64 * MaxBatch

// pass finds the matches for the first of the other side's rows, for as many as their matches can be held. If the
// first row's can't be held, its candidates are the whole side, row by row.
func (h *hashSource) pass(ctx *sql.Context, rows []sql.Row) ([]*candidates, int, error) {
	anti := h.nullsMeet
	keys, nulls := make([]interface{}, len(rows)), make([]bool, len(rows))
	wanted := map[interface{}][]sql.Row{}
	for at, row := range rows {
		var err error
		if keys[at], nulls[at], err = h.probe(ctx, row); err != nil {
			return nil, 0, err
		}
		if !nulls[at] {
			wanted[keys[at]] = nil
		}
	}
	var unknown []sql.Row // rows with a NULL key
	bytes, tooMany := 0, false
	err := h.eachRow(ctx, func(row sql.Row, key interface{}, null bool) bool {
		switch list, ok := wanted[key]; {
		case null && anti:
			unknown = append(unknown, row)
		case null || !ok:
			return true
		default:
			wanted[key] = append(list, row)
		}
		for bytes += hold.RowBytes(row); bytes > h.limit && len(rows) > 1; {
			rows = rows[:len(rows)/2]
			fewer := map[interface{}][]sql.Row{}
			for at := range rows {
				if !nulls[at] {
					fewer[keys[at]] = wanted[keys[at]]
				}
			}
			wanted, bytes = fewer, bytesOfRows(unknown)
			for _, list := range wanted {
				bytes += bytesOfRows(list)
			}
		}
		tooMany = bytes > h.limit
		return !tooMany
	})
	if err != nil {
		return nil, 0, err
	}
	found := make([]*candidates, len(rows))
	for at := range rows {
		switch {
		case tooMany, nulls[at] && anti:
			found[at] = &candidates{rest: &rereading{build: h.build}}
		case nulls[at]:
			found[at] = &candidates{}
		default:
			found[at] = &candidates{held: [][]sql.Row{wanted[keys[at]], unknown}}
		}
	}
	return found, maxPassed, nil
}

func bytesOfRows(rows []sql.Row) int {
	n := 0
	for _, row := range rows {
		n += hold.RowBytes(row)
	}
	return n
}

// rereading reads the rows of a side once more.
type rereading struct {
	build func(*sql.Context) (sql.RowIter, error)
	it    sql.RowIter
}

func (r *rereading) next(ctx *sql.Context) (foundRow, error) {
	if r.it == nil {
		var err error
		if r.it, err = r.build(ctx); err != nil {
			return foundRow{}, err
		}
	}
	row, err := r.it.Next(ctx)
	return foundRow{row: row}, err
}

func (r *rereading) close(ctx *sql.Context) error {
	if r.it == nil {
		return nil
	}
	return r.it.Close(ctx)
}

// hashKeyOf returns the key by which a joined row is hashed. null: one of the operands is NULL.
func hashKeyOf(ctx *sql.Context, keys []hashKey, operands []sql.Expression, joined sql.Row) (key interface{}, null bool,
	err error) {
	if len(operands) == 1 {
		v, err := operands[0].Eval(ctx, joined)
		if err != nil || v == nil {
			return nil, v == nil, err
		}
		part, err := keys[0].typ.Key(ctx, v)
		return part, false, err
	}
	whole := ""
	for n, e := range operands {
		v, err := e.Eval(ctx, joined)
		if err != nil || v == nil {
			return nil, v == nil, err
		}
		part, err := keys[n].typ.Key(ctx, v)
		if err != nil {
			return nil, false, err
		}
		whole += fmt.Sprintf("%d:", len(part)) + part
	}
	return whole, false, nil
}

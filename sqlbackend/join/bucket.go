package join

import (
	"fmt"
	"io"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/transform"

	"github.com/sqlfdb/sqlfdb/sqlbackend/buckettable"
	"github.com/sqlfdb/sqlfdb/sqlbackend/hold"
	"github.com/sqlfdb/sqlfdb/sqlbackend/mysqlerr"
	"github.com/sqlfdb/sqlfdb/sqlbackend/operator"
	"github.com/sqlfdb/sqlfdb/sqlbackend/pushdown"
	"github.com/sqlfdb/sqlfdb/sqlbackend/session"
	"github.com/sqlfdb/sqlfdb/sqlbackend/tree"
)

// BucketSide is a side of a join that is a table in a bucket, looked up by the values of the other side's rows. Many
// rows are looked up at once, so that requests run in parallel. Once that has cost more than reading the table by
// its own conditions, the table is read so, once.
type BucketSide struct {
	plan.UnaryNode // filters over a table in a bucket
	by             []bucketKey
}

// bucketKey is an equality by which a BucketSide is looked up.
type bucketKey struct {
	*seek
	column pushdown.Column
	hash   hashKey
	own    []int // the place of the side's operand in the join's condition, for within
}

var (
	_ sql.Node               = (*BucketSide)(nil)
	_ sql.CollationCoercible = (*BucketSide)(nil)
)

// Schema implements sql.Node.
func (s *BucketSide) Schema() sql.Schema { return s.Child.Schema() }

// IsReadOnly implements sql.Node.
func (s *BucketSide) IsReadOnly() bool { return s.Child.IsReadOnly() }

// WithChildren implements sql.Node.
func (s *BucketSide) WithChildren(children ...sql.Node) (sql.Node, error) {
	if len(children) != 1 {
		return nil, sql.ErrInvalidChildrenNumber.New(s, len(children), 1)
	}
	return &BucketSide{UnaryNode: plan.UnaryNode{Child: children[0]}, by: s.by}, nil
}

// CollationCoercibility implements sql.CollationCoercible.
func (s *BucketSide) CollationCoercibility(ctx *sql.Context) (sql.CollationID, byte) {
	return sql.GetCoercibility(ctx, s.Child)
}

// String implements fmt.Stringer.
func (s *BucketSide) String() string {
	p := sql.NewTreePrinter()
	_ = p.WriteNode("BucketLookup")
	_ = p.WriteChildren(s.Child.String())
	return p.String()
}

// bucketOf returns the table in a bucket below a side's filters, with their conditions; nil if the side is none.
func bucketOf(n sql.Node) (t *buckettable.Table, conjuncts []sql.Expression) {
	for {
		switch at := n.(type) {
		case *plan.Filter:
			conjuncts = append(conjuncts, expression.SplitConjunction(at.Expression)...)
			n = at.Child
		case *plan.TableAlias:
			n = at.Child
		case *plan.PrependNode: // in a subquery that is evaluated for each row of the outer query
			n = at.Child
		case *plan.ResolvedTable:
			t, _ := at.UnderlyingTable().(*buckettable.Table)
			return t, conjuncts
		default:
			return nil, nil
		}
	}
}

// inBucket plans a join that looks a side in a bucket up; nil if that takes more requests, or no side is in a
// bucket.
func (j Joiner) inBucket(m *Matching) (sql.Node, error) {
	op := m.join.Op
	if len(m.equal) == 0 {
		return nil, nil
	}
	right, err := j.bucketSide(m, sideRight)
	if err != nil {
		return nil, err
	}
	var left *BucketSide
	if !op.IsLeftOuter() && !op.IsAnti() {
		if left, err = j.bucketSide(m, sideLeft); err != nil {
			return nil, err
		}
	}
	sides := [2]sql.Node{m.Left, m.Right}
	switch {
	case right != nil && (left == nil || j.SizeOf(m.Left).Rows <= j.SizeOf(m.Right).Rows):
		sides[1] = right
	case left != nil:
		sides[0] = left
	default:
		return nil, nil
	}
	next := plan.NewJoin(sides[0], sides[1], lookupOf(op), m.join.Filter).WithScopeLen(m.join.ScopeLen)
	return next.WithComment(m.join.Comment()), nil
}

// lookupOf returns the join type for a join that looks one side up.
func lookupOf(op plan.JoinType) plan.JoinType {
	switch {
	case op.IsHash() && op.IsLeftOuter():
		return plan.JoinTypeLeftOuterLookup
	case op.IsHash():
		return plan.JoinTypeLookup
	}
	return op.AsLookup()
}

type joinSide int

const (
	sideLeft joinSide = iota
	sideRight
)

// bucketSide makes a side of a join one that is looked up in a bucket; nil if that is impossible or not worth it.
func (j Joiner) bucketSide(m *Matching, which joinSide) (*BucketSide, error) {
	n, other := m.Right, m.Left
	if which == sideLeft {
		n, other = other, n
	}
	t, conjuncts := bucketOf(n)
	if t == nil || AnySubquery(conjuncts) {
		return nil, nil
	}
	side := &BucketSide{}
	var columns []pushdown.Column
	var conditions, values []string
	for _, e := range m.equal {
		// own is the place of the side's operand; in a turned pair the right side's operand comes first.
		own := 1
		if e.turned == (which == sideRight) {
			own = 0
		}
		c := m.Conjuncts[e.conjunct]
		operand, value := c.Children()[own], c.Children()[1-own]
		key, ok := j.hashKey(e)
		if !ok || !sameEachTime(value) || m.join.Op.IsAnti() && !m.knows(c) {
			continue
		}
		comparison, ok := t.Comparison(j.Ctx, c, own)
		if !ok || !j.comparable(comparison, operand, value) {
			continue
		}
		text := operator.ExprText(tree.Unwrapped(value))
		side.by = append(side.by, bucketKey{hash: key, column: comparison.Column(), own: []int{e.conjunct, own},
			seek: &seek{comparison: comparison, value: []int{e.conjunct, 1 - own}, text: text}})
		columns = append(columns, comparison.Column())
		conditions = append(conditions, operator.ExprText(tree.Unwrapped(operand))+" = "+text)
		values = append(values, text)
	}
	if len(side.by) == 0 {
		return nil, nil
	}
	joined, err := t.Joining(j.Ctx, conjuncts, columns, buckettable.Joined{Condition: strings.Join(conditions, " AND "),
		Values: strings.Join(values, ", "), Rows: j.SizeOf(other).Rows})
	if err != nil || joined == nil {
		return nil, err
	}
	side.Child, err = withBucket(n, joined)
	return side, err
}

// sameEachTime reports whether an expression has the same value each time it is evaluated for a row.
func sameEachTime(e sql.Expression) bool {
	return !transform.InspectExpr(e, func(e sql.Expression) bool {
		n, ok := e.(sql.NonDeterministicExpression)
		return ok && n.IsNonDeterministic()
	})
}

// withBucket replaces the table of a side.
func withBucket(n sql.Node, t *buckettable.Table) (sql.Node, error) {
	out, _, err := transform.Node(n, func(n sql.Node) (sql.Node, transform.TreeIdentity, error) {
		rt, ok := n.(*plan.ResolvedTable)
		if !ok {
			return n, transform.SameTree, nil
		}
		next, err := rt.ReplaceTable(t)
		return next, transform.NewTree, err
	})
	return out, err
}

// bucketSource finds rows of a table in a bucket.
type bucketSource struct {
	of        *batchJoin
	side      *BucketSide
	below     func(sql.Node) sql.Node
	conjuncts []sql.Expression // of the join's condition
	own       []sql.Expression // the side's operands, over joined rows
	other     []sql.Expression // the other side's operands
	keys      []hashKey
	limit     int     // number of bytes held
	spent     float64 // cost of the requests so far
	whole     *hashSource
}

func (i *batchJoin) bucketSource(ctx *sql.Context, side *BucketSide, below func(sql.Node) sql.Node) (*bucketSource,
	error) {
	b := &bucketSource{of: i, side: side, below: below, conjuncts: expression.SplitConjunction(i.join.Filter),
		limit: session.JoinBytes(ctx)}
	if i.given != nil {
		t, _ := bucketOf(side.Child)
		i.pkOf = t.IDOf
	}
	for _, by := range side.by {
		if by.own[0] >= len(b.conjuncts) {
			return nil, fmt.Errorf("sqlbackend: a join by %s has lost a part of its condition", by)
		}
		b.keys = append(b.keys, by.hash)
		b.own = append(b.own, within(b.conjuncts, by.own))
		b.other = append(b.other, within(b.conjuncts, by.value))
	}
	return b, nil
}

// most is how many rows are looked up together. It is lower with several keys: an index may need all combinations of
// their values.
func (b *bucketSource) most() int {
	if len(b.side.by) > 1 {
		return firstBatch
	}
	return buckettable.MostSought
}

// find implements joinSource.
func (b *bucketSource) find(ctx *sql.Context, rows []sql.Row) ([]*candidates, int, error) {
	if b.whole != nil {
		return b.whole.find(ctx, rows)
	}
	for rows = rows[:min(len(rows), b.most())]; ; rows = rows[:max(1, len(rows)/4)] {
		sought := make([]buckettable.Sought, len(b.side.by))
		keys, nulls := make([]any, len(rows)), make([]bool, len(rows))
		for at, row := range rows {
			joined := b.of.joined(row, nil)
			var err error
			if keys[at], nulls[at], err = hashKeyOf(ctx, b.keys, b.other, joined); err != nil {
				return nil, 0, err
			}
			if nulls[at] {
				continue
			}
			for n, by := range b.side.by {
				spans, _, err := by.spans(ctx, b.conjuncts, joined)
				if err != nil {
					return nil, 0, err
				}
				sought[n].Column = by.column
				sought[n].Spans = sought[n].Spans.Union(spans)
			}
		}
		t, _ := bucketOf(b.side.Child)
		looking, price, err := t.Looking(ctx, sought)
		if err != nil {
			return nil, 0, mysqlerr.Of(ctx, err)
		}
		whole, all, err := t.Whole(ctx)
		if err != nil {
			return nil, 0, mysqlerr.Of(ctx, err)
		}
		if b.spent += price; b.spent > all {
			b.readWhole(whole)
			return b.whole.find(ctx, rows)
		}
		found, fits, err := b.read(ctx, looking)
		if err != nil {
			return nil, 0, err
		}
		if !fits && len(rows) > 1 {
			continue
		}
		out := make([]*candidates, len(rows))
		for at := range rows {
			switch {
			case nulls[at]:
				out[at] = &candidates{}
			case !fits:
				out[at] = &candidates{rest: &rereading{build: func(ctx *sql.Context) (sql.RowIter, error) {
					return b.open(ctx, looking)
				}}}
			default:
				out[at] = &candidates{held: [][]sql.Row{found[keys[at]]}}
			}
		}
		return out, b.most(), nil
	}
}

// read reads the looked-up rows, by their keys; fits is false where they are more than may be held.
func (b *bucketSource) read(ctx *sql.Context, looking *buckettable.Table) (found map[any][]sql.Row, fits bool,
	err error) {
	it, err := b.open(ctx, looking)
	if err != nil {
		return nil, false, err
	}
	defer func() {
		if failed := it.Close(ctx); err == nil {
			err = failed
		}
	}()
	found = map[any][]sql.Row{}
	var owner hold.RowOwner
	for bytes := 0; ; {
		row, err := it.Next(ctx)
		if err == io.EOF {
			return found, true, nil
		}
		if err != nil {
			return nil, false, err
		}
		row = owner.Own(row, 0)
		key, null, err := hashKeyOf(ctx, b.keys, b.own, b.of.joined(nil, row))
		if err != nil {
			return nil, false, err
		}
		if !null {
			found[key] = append(found[key], row)
		}
		if bytes += hold.RowBytes(row); bytes > b.limit {
			return nil, false, nil
		}
	}
}

// open reads the side with a table that reads only some of its documents.
func (b *bucketSource) open(ctx *sql.Context, looking *buckettable.Table) (sql.RowIter, error) {
	n, err := withBucket(b.side.Child, looking)
	if err != nil {
		return nil, err
	}
	if s, ok := ctx.Session.(*session.Session); ok && s.Work.Analysis != nil {
		s.Work.Analysis.Stand(n, b.side.Child)
	}
	return b.of.engine.Build(ctx, b.below(n), b.of.parent)
}

// readWhole makes the side be read by its own conditions from now on, and hashed.
func (b *bucketSource) readWhole(t *buckettable.Table) {
	b.whole = &hashSource{of: b.of, limit: b.limit,
		probe: func(ctx *sql.Context, row sql.Row) (any, bool, error) {
			return hashKeyOf(ctx, b.keys, b.other, b.of.joined(row, nil))
		},
		entry: func(ctx *sql.Context, row sql.Row) (any, bool, error) {
			return hashKeyOf(ctx, b.keys, b.own, b.of.joined(nil, row))
		},
		build: func(ctx *sql.Context) (sql.RowIter, error) { return b.open(ctx, t) },
	}
}

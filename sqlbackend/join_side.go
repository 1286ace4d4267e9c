package sqlbackend

import (
	"fmt"
	"slices"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/transform"

	"github.com/sqlfdb/sqlfdb/costing"
	"github.com/sqlfdb/sqlfdb/indexes"
	"github.com/sqlfdb/sqlfdb/sqlbackend/compare"
	"github.com/sqlfdb/sqlfdb/sqlbackend/mysqlerr"
	"github.com/sqlfdb/sqlfdb/tables"
)

// joinSide is the side of a join that is read in batches, by the values that the
// rows of the other side have. It stands below the engine's own join node, so
// that all rules which look for joins find it, and the executor builds an iterator of
// ours for both (see batchJoin).
type joinSide struct {
	plan.UnaryNode // filters over a batchTable
	way            *joinWay
}

// joinWay is how a joinSide is looked up. It is immutable.
type joinWay struct {
	legs legs
	// What the choice was made from.
	outer     int64   // rows of the other side
	perKey    float64 // documents for each of its rows
	each      float64 // what one of them costs
	cost      float64
	instead   float64 // what reading the side as a whole would cost
	hashed    bool    // once, and not for each row of the other side
	documents int64
	first     int // how many rows of the other side are taken at first; 0 where that is not known
}

var (
	_ sql.Node               = (*joinSide)(nil)
	_ sql.CollationCoercible = (*joinSide)(nil)
)

// Schema implements sql.Node.
func (s *joinSide) Schema() sql.Schema { return s.Child.Schema() }

// IsReadOnly implements sql.Node.
func (s *joinSide) IsReadOnly() bool { return s.Child.IsReadOnly() }

// WithChildren implements sql.Node.
func (s *joinSide) WithChildren(children ...sql.Node) (sql.Node, error) {
	if len(children) != 1 {
		return nil, sql.ErrInvalidChildrenNumber.New(s, len(children), 1)
	}
	return &joinSide{UnaryNode: plan.UnaryNode{Child: children[0]}, way: s.way}, nil
}

// CollationCoercibility implements sql.CollationCoercible.
func (s *joinSide) CollationCoercibility(ctx *sql.Context) (sql.CollationID, byte) {
	return sql.GetCoercibility(ctx, s.Child)
}

// String implements fmt.Stringer.
func (s *joinSide) String() string { return s.text(s.Child.String()) }

// DebugString implements sql.DebugStringer.
func (s *joinSide) DebugString() string { return s.text(sql.DebugString(s.Child)) }

func (s *joinSide) text(child string) string {
	p := sql.NewTreePrinter()
	_ = p.WriteNode("LookupInBatches(%s)", s.way)
	_ = p.WriteChildren(child)
	return p.String()
}

// String is the condition that the side is looked up by.
func (w *joinWay) String() string {
	parts := make([]string, len(w.legs))
	for i, l := range w.legs {
		if parts[i] = l.String(); len(w.legs) > 1 && len(l.parts) > 0 && !l.any {
			parts[i] = "(" + parts[i] + ")"
		}
	}
	return strings.Join(parts, " OR ")
}

// explanation is what EXPLAIN tells of the side's table.
func (w *joinWay) explanation(table string) explanation {
	found := min(int64(float64(w.outer)*w.perKey+0.5), w.documents)
	e := explanation{
		operation: "Look up in batches: " + table, detail: w.String(), table: table,
		estimate: &costing.Estimate{Keys: found, Bound: w.documents},
		facts: []string{
			fmt.Sprintf("for about %s rows, documents for each: about %.1f", grouped(w.outer), w.perKey),
			fmt.Sprintf("cost: %.1f", w.cost),
		},
		lost: []lostWay{{way: "the whole side, read for each row", why: fmt.Sprintf("cost %.1f", w.instead)}},
		at:   w,
	}
	if w.hashed {
		e.lost[0].way = "the whole side, hashed"
	}
	var keys, refs []string
	for _, l := range w.legs {
		name := l.column.Label()
		if l.primaryKey {
			name = "PRIMARY"
		}
		keys, refs = append(keys, name), append(refs, l.values())
	}
	e.key, e.ref = strings.Join(keys, ","), strings.Join(refs, ", ")
	switch {
	case len(w.legs) > 1:
		e.access = "index_merge"
	case !w.legs.equal():
		e.access = "range"
	case w.legs[0].primaryKey:
		e.access = "eq_ref"
	default:
		e.access = "ref"
	}
	return e
}

// inOrder is a node's children, of a join the side first that is read first.
func inOrder(n sql.Node) []sql.Node {
	children := n.Children()
	if join, ok := n.(*plan.JoinNode); ok {
		if _, right, batched := batchSide(join); batched && !right {
			return []sql.Node{children[1], children[0]}
		}
	}
	return children
}

// batchTable is a table that is read batch by batch.
type batchTable struct {
	*Table
	way    *joinWay
	needed []bool // the columns that are read of its rows; nil is all of them
	batch  *batch // nil in a plan
}

// batchChild is a child table that is read batch by batch.
type batchChild struct {
	*childTable
	way   *joinWay
	batch *batch // nil in a plan
}

// batch is what a batchTable or a batchChild reads next, and where it is.
type batch struct {
	leg   *leg // nil is the whole table
	spans indexes.Spans
	docs  tables.Each // what is being read
}

// bound is the side's plan, reading that batch.
func (s *joinSide) bound(b *batch) (sql.Node, error) {
	n, _, err := transform.Node(s.Child, func(n sql.Node) (sql.Node, transform.TreeIdentity, error) {
		rt, ok := n.(*plan.ResolvedTable)
		if !ok {
			return n, transform.SameTree, nil
		}
		var bound sql.Table
		switch t := rt.UnderlyingTable().(type) {
		case *batchTable:
			bound = &batchTable{Table: t.Table, way: t.way, needed: t.needed, batch: b}
		case *batchChild:
			bound = &batchChild{childTable: t.childTable, way: t.way, batch: b}
		case *batchFeed:
			bound = &batchFeed{changesTable: t.changesTable, way: t.way, batch: b}
		default:
			return n, transform.SameTree, nil
		}
		next, err := rt.ReplaceTable(bound)
		return next, transform.NewTree, err
	})
	return n, err
}

// PartitionRows implements sql.Table.
func (t *batchTable) PartitionRows(ctx *sql.Context, _ sql.Partition) (sql.RowIter, error) {
	if t.batch != nil {
		if c := t.coveredBy(t.batch.leg); c != nil {
			rows, err := t.entryRows(ctx, c)
			return rows, mysqlerr.Of(ctx, err)
		}
	}
	docs, err := t.batch.open(ctx, t.Table)
	if err != nil {
		return nil, mysqlerr.Of(ctx, err)
	}
	if docs == nil {
		return sql.RowsToRowIter(), nil
	}
	return t.rows(t.way, docs), nil
}

// PartitionRows implements sql.Table.
func (t *batchChild) PartitionRows(ctx *sql.Context, _ sql.Partition) (sql.RowIter, error) {
	docs, err := t.batch.open(ctx, t.elements)
	if err != nil {
		return nil, mysqlerr.Of(ctx, err)
	}
	if docs == nil {
		return sql.RowsToRowIter(), nil
	}
	return &childIter{table: t.childTable, at: t.way, docs: docs}, nil
}

// open starts reading the batch's documents; nil means that there are none.
func (b *batch) open(ctx *sql.Context, t *Table) (tables.Each, error) {
	if b == nil {
		return nil, fmt.Errorf("sqlbackend: %s is read without a batch", t.def)
	}
	if b.leg == nil {
		if err := t.session.allowScan(ctx, t.def); err != nil {
			return nil, err
		}
	}
	r, err := t.reader(ctx)
	if err != nil {
		return nil, err
	}
	c := t.def.collection
	b.docs = nil
	switch {
	case b.leg == nil:
		b.docs = c.GetEach(r, indexes.Everything())
		return b.docs, nil
	case b.leg.primaryKey:
		b.docs = c.GetEach(r, b.spans)
		return b.docs, nil
	}
	keypath := b.leg.column.Keypath
	number, known, err := c.Number(r, keypath)
	if err == nil && known {
		b.docs = c.LookupEach(r, number, t.def.fieldVersion(keypath), b.spans)
	}
	return b.docs, err
}

// sideOf takes a side of a join apart that may be looked up: filters over one
// table of ours. conjuncts are all conditions on the table, those that its access path
// answers among them.
func sideOf(n sql.Node) (s lookable, ok bool) {
	for {
		switch at := n.(type) {
		case *plan.Filter:
			s.conjuncts = append(s.conjuncts, expression.SplitConjunction(at.Expression)...)
			n = at.Child
			continue
		case *plan.TableAlias:
			s.alias, n = at, at.Child
			continue
		case *plan.IndexedTableAccess:
			var path *accessPath
			switch p := plan.GetIndexLookup(at).Ranges.(type) {
			case *accessPath:
				path = p
			case *childPath:
				path = p.accessPath
			case *feedPath:
				path = p.accessPath
			default:
				return s, false
			}
			for i, c := range path.conjuncts {
				if !slices.Contains(path.residual, i) {
					s.conjuncts = append(s.conjuncts, c)
				}
			}
			s.resolved, ok = at.TableNode.(*plan.ResolvedTable)
		case *plan.ResolvedTable:
			s.resolved, ok = at, true
		}
		break
	}
	if !ok {
		return s, false
	}
	switch t := s.resolved.UnderlyingTable().(type) {
	case *Table:
		s.table = t
	case *lookupTable:
		s.table = t.Table
	case *childTable:
		s.child, s.table = t, t.elements
	case *childLookup:
		s.child, s.table = t.childTable, t.elements
	case *changesTable:
		s.feed, s.table = t, t.documentTable()
	default:
		return s, false
	}
	return s, s.table.drives() == nil && !anySubquery(s.conjuncts)
}

// lookable is a side of a join that may be looked up.
type lookable struct {
	table     *Table
	child     *childTable   // which table is the elements of, or nil
	feed      *changesTable // whose documents' table it is, or nil
	resolved  *plan.ResolvedTable
	alias     *plan.TableAlias // nil without
	conjuncts []sql.Expression
}

func anySubquery(conditions []sql.Expression) bool {
	found := false
	for _, c := range conditions {
		if c == nil {
			continue
		}
		sql.Inspect(c, func(e sql.Expression) bool {
			switch e.(type) {
			case *plan.Subquery, *plan.ExistsSubquery, *compare.InSubquery:
				found = true
			}
			return !found
		})
	}
	return found
}

// node is the side read along a way.
func (s lookable) node(w *joinWay) (sql.Node, error) {
	var read sql.Table = &batchTable{Table: s.table, way: w}
	switch {
	case s.child != nil:
		read = &batchChild{childTable: s.child, way: w}
	case s.feed != nil:
		read = &batchFeed{changesTable: s.feed, way: w}
	}
	table, err := s.resolved.ReplaceTable(read)
	if err != nil {
		return nil, err
	}
	n := sql.Node(table)
	if s.alias != nil {
		if n, err = s.alias.WithChildren(n); err != nil {
			return nil, err
		}
	}
	if len(s.conjuncts) > 0 {
		n = plan.NewFilter(expression.JoinAnd(s.conjuncts...), n)
	}
	return &joinSide{UnaryNode: plan.UnaryNode{Child: n}, way: w}, nil
}

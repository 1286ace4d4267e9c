package join

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
	"github.com/sqlfdb/sqlfdb/sqlbackend/companion"
	"github.com/sqlfdb/sqlfdb/sqlbackend/compare"
	"github.com/sqlfdb/sqlfdb/sqlbackend/mysqlerr"
	"github.com/sqlfdb/sqlfdb/sqlbackend/session"
	"github.com/sqlfdb/sqlfdb/sqlbackend/table"
	"github.com/sqlfdb/sqlfdb/tables"
)

// Side is a side of a join that is read in batches, by the values of the other side's rows. It is a child of the
// engine's own join node, so that all rules for joins find the join. The executor builds a batchJoin for both.
type Side struct {
	plan.UnaryNode // filters over a BatchTable
	way            *Way
}

// Way is how a Side is looked up. It is immutable.
type Way struct {
	Legs Legs
	// Estimates that the choice is based on. Costs are in documents read by a full scan.
	Outer     int64   // rows of the other side
	PerKey    float64 // documents found by each of these rows
	Each      float64 // cost of one of these documents
	Cost      float64
	Instead   float64 // cost of reading the side as a whole
	Hashed    bool    // Instead is for reading the side once and hashing it, not for each row of the other side
	Documents int64
	First     int // number of rows in the first batch; 0: not known
}

var (
	_ sql.Node               = (*Side)(nil)
	_ sql.CollationCoercible = (*Side)(nil)
)

// Schema implements sql.Node.
func (s *Side) Schema() sql.Schema { return s.Child.Schema() }

// IsReadOnly implements sql.Node.
func (s *Side) IsReadOnly() bool { return s.Child.IsReadOnly() }

// WithChildren implements sql.Node.
func (s *Side) WithChildren(children ...sql.Node) (sql.Node, error) {
	if len(children) != 1 {
		return nil, sql.ErrInvalidChildrenNumber.New(s, len(children), 1)
	}
	return &Side{UnaryNode: plan.UnaryNode{Child: children[0]}, way: s.way}, nil
}

// CollationCoercibility implements sql.CollationCoercible.
func (s *Side) CollationCoercibility(ctx *sql.Context) (sql.CollationID, byte) {
	return sql.GetCoercibility(ctx, s.Child)
}

// String implements fmt.Stringer.
func (s *Side) String() string { return s.text(s.Child.String()) }

// DebugString implements sql.DebugStringer.
func (s *Side) DebugString() string { return s.text(sql.DebugString(s.Child)) }

func (s *Side) text(child string) string {
	p := sql.NewTreePrinter()
	_ = p.WriteNode("LookupInBatches(%s)", s.way)
	_ = p.WriteChildren(child)
	return p.String()
}

// String returns the condition by which the side is looked up.
func (w *Way) String() string {
	parts := make([]string, len(w.Legs))
	for i, l := range w.Legs {
		if parts[i] = l.String(); len(w.Legs) > 1 && len(l.parts) > 0 && !l.any {
			parts[i] = "(" + parts[i] + ")"
		}
	}
	return strings.Join(parts, " OR ")
}

// Explanation describes the side's table, for EXPLAIN.
func (w *Way) Explanation(tab string) table.Explanation {
	found := min(int64(float64(w.Outer)*w.PerKey+0.5), w.Documents)
	e := table.Explanation{
		Operation: "Look up in batches: " + tab, Detail: w.String(), Table: tab,
		Estimate: &costing.Estimate{Keys: found, Bound: w.Documents},
		Facts: []string{
			fmt.Sprintf("for about %s rows, documents for each: about %.1f", session.Grouped(w.Outer), w.PerKey),
			fmt.Sprintf("cost: %.1f", w.Cost),
		},
		Lost: []table.LostWay{{Way: "the whole side, read for each row", Why: fmt.Sprintf("cost %.1f", w.Instead)}},
		At:   w,
	}
	if w.Hashed {
		e.Lost[0].Way = "the whole side, hashed"
	}
	var keys, refs []string
	for _, l := range w.Legs {
		name := l.column.Label()
		if l.primaryKey {
			name = "PRIMARY"
		}
		keys, refs = append(keys, name), append(refs, l.values())
	}
	e.Key, e.Ref = strings.Join(keys, ","), strings.Join(refs, ", ")
	switch {
	case len(w.Legs) > 1:
		e.Access = "index_merge"
	case !w.Legs.equal():
		e.Access = "range"
	case w.Legs[0].primaryKey:
		e.Access = "eq_ref"
	default:
		e.Access = "ref"
	}
	return e
}

// InOrder returns a node's children; of a join, the side that is read first comes first.
func InOrder(n sql.Node) []sql.Node {
	children := n.Children()
	if join, ok := n.(*plan.JoinNode); ok {
		if _, right, batched := batchSide(join); batched && !right {
			return []sql.Node{children[1], children[0]}
		}
	}
	return children
}

// BatchTable is a table that is read batch by batch.
type BatchTable struct {
	*table.Table
	Way    *Way
	Needed []bool // columns that are read of its rows; nil: all of them
	batch  *batch // nil in a plan
}

// BatchChild is a child table that is read batch by batch.
type BatchChild struct {
	*companion.ChildTable
	Way   *Way
	batch *batch // nil in a plan
}

// batch is what a BatchTable, a BatchChild or a BatchFeed reads next, and how far it has read.
type batch struct {
	leg   *leg // nil: the whole table
	spans indexes.Spans
	docs  tables.Each // documents being read
}

// bound returns the side's plan, reading that batch.
func (s *Side) bound(b *batch) (sql.Node, error) {
	n, _, err := transform.Node(s.Child, func(n sql.Node) (sql.Node, transform.TreeIdentity, error) {
		rt, ok := n.(*plan.ResolvedTable)
		if !ok {
			return n, transform.SameTree, nil
		}
		var bound sql.Table
		switch t := rt.UnderlyingTable().(type) {
		case *BatchTable:
			bound = &BatchTable{Table: t.Table, Way: t.Way, Needed: t.Needed, batch: b}
		case *BatchChild:
			bound = &BatchChild{ChildTable: t.ChildTable, Way: t.Way, batch: b}
		case *BatchFeed:
			bound = &BatchFeed{ChangesTable: t.ChangesTable, Way: t.Way, batch: b}
		default:
			return n, transform.SameTree, nil
		}
		next, err := rt.ReplaceTable(bound)
		return next, transform.NewTree, err
	})
	return n, err
}

// PartitionRows implements sql.Table.
func (t *BatchTable) PartitionRows(ctx *sql.Context, _ sql.Partition) (sql.RowIter, error) {
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
	return t.Rows(t.Way, docs), nil
}

// PartitionRows implements sql.Table.
func (t *BatchChild) PartitionRows(ctx *sql.Context, _ sql.Partition) (sql.RowIter, error) {
	docs, err := t.batch.open(ctx, t.Elements)
	if err != nil {
		return nil, mysqlerr.Of(ctx, err)
	}
	if docs == nil {
		return sql.RowsToRowIter(), nil
	}
	return &companion.ChildIter{Table: t.ChildTable, At: t.Way, Docs: docs}, nil
}

// open starts reading the batch's documents; nil: there are none.
func (b *batch) open(ctx *sql.Context, t *table.Table) (tables.Each, error) {
	if b == nil {
		return nil, fmt.Errorf("sqlbackend: %s is read without a batch", t.Def)
	}
	if b.leg == nil {
		if err := t.Session.AllowScan(ctx, t.Def); err != nil {
			return nil, err
		}
	}
	r, err := t.Reader(ctx)
	if err != nil {
		return nil, err
	}
	c := t.Def.Collection
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
		b.docs = c.LookupEach(r, number, t.Def.FieldVersion(keypath), b.spans)
	}
	return b.docs, err
}

// SideOf takes apart a side of a join that may be looked up: filters over one document table. Its Conjuncts are all
// conditions on the table, with the ones that its access path answers.
func SideOf(n sql.Node) (s Lookable, ok bool) {
	for {
		switch at := n.(type) {
		case *plan.Filter:
			s.Conjuncts = append(s.Conjuncts, expression.SplitConjunction(at.Expression)...)
			n = at.Child
			continue
		case *plan.TableAlias:
			s.alias, n = at, at.Child
			continue
		case *plan.IndexedTableAccess:
			var path *table.AccessPath
			switch p := plan.GetIndexLookup(at).Ranges.(type) {
			case *table.AccessPath:
				path = p
			case *companion.ChildPath:
				path = p.AccessPath
			case *companion.FeedPath:
				path = p.AccessPath
			default:
				return s, false
			}
			for i, c := range path.Conjuncts {
				if !slices.Contains(path.Residual, i) {
					s.Conjuncts = append(s.Conjuncts, c)
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
	case *table.Table:
		s.table = t
	case *table.LookupTable:
		s.table = t.Table
	case *companion.ChildTable:
		s.child, s.table = t, t.Elements
	case *companion.ChildLookup:
		s.child, s.table = t.ChildTable, t.Elements
	case *companion.ChangesTable:
		s.feed, s.table = t, t.DocumentTable()
	default:
		return s, false
	}
	return s, s.table.Driver() == nil && !AnySubquery(s.Conjuncts)
}

// Lookable is a side of a join that may be looked up.
type Lookable struct {
	table     *table.Table
	child     *companion.ChildTable   // the child table whose elements table has; nil: none
	feed      *companion.ChangesTable // the change feed whose documents table has; nil: none
	resolved  *plan.ResolvedTable
	alias     *plan.TableAlias // nil: none
	Conjuncts []sql.Expression
}

func AnySubquery(conditions []sql.Expression) bool {
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

// Node returns the side read in a way.
func (s Lookable) Node(w *Way) (sql.Node, error) {
	var read sql.Table = &BatchTable{Table: s.table, Way: w}
	switch {
	case s.child != nil:
		read = &BatchChild{ChildTable: s.child, Way: w}
	case s.feed != nil:
		read = &BatchFeed{ChangesTable: s.feed, Way: w}
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
	if len(s.Conjuncts) > 0 {
		n = plan.NewFilter(expression.JoinAnd(s.Conjuncts...), n)
	}
	return &Side{UnaryNode: plan.UnaryNode{Child: n}, way: w}, nil
}

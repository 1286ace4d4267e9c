package order

import (
	"slices"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/plan"

	"github.com/sqlfdb/sqlfdb/sqlbackend/join"
	"github.com/sqlfdb/sqlfdb/sqlbackend/rewrite"
	"github.com/sqlfdb/sqlfdb/sqlbackend/table"
	"github.com/sqlfdb/sqlfdb/sqlbackend/tree"
)

// orderLeaf is a table of a plan, with the path chosen without regard to order.
type orderLeaf struct {
	Table *table.Table
	node  sql.TableNode     // of the table
	path  *table.AccessPath // nil: a full scan
}

// leafOf recognizes a table of documents that is read once, from one end to the other.
func leafOf(n sql.Node) (orderLeaf, bool) {
	switch n := n.(type) {
	case *plan.ResolvedTable:
		t, ok := n.UnderlyingTable().(*table.Table)
		return orderLeaf{Table: t, node: n}, ok
	case *plan.IndexedTableAccess:
		if n.Typ != plan.ItaTypeStatic {
			return orderLeaf{}, false
		}
		path, ok := plan.GetIndexLookup(n).Ranges.(*table.AccessPath)
		if !ok || path.Order != nil {
			return orderLeaf{}, false
		}
		t, ok := n.Table.(*table.LookupTable)
		if !ok {
			return orderLeaf{}, false
		}
		return orderLeaf{Table: t.Table, node: n.TableNode, path: path}, true
	}
	return orderLeaf{}, false
}

// with returns the leaf read along another path.
func (l orderLeaf) with(ctx *sql.Context, path *table.AccessPath) (sql.Node, bool, error) {
	n, err := plan.NewStaticIndexedAccessForTableNode(ctx, l.node, sql.IndexLookup{Index: path.Index(), Ranges: path})
	if err != nil {
		return nil, false, err
	}
	return n, true, nil
}

// SortInput is a table whose rows are sorted, with the nodes between the sort and the table.
type SortInput struct {
	orderLeaf
	Fields sql.SortFields // over the leaf's rows
	// between are the nodes above the leaf and its filters, from the top.
	between []sql.Node
	// Filters are the conjuncts that are tested directly above the leaf.
	Filters []sql.Expression
	// Filtered: filters further above also drop rows.
	Filtered bool
	// nullsMoved: the first field's NULLs come at the end opposite to their natural one.
	nullsMoved bool
}

// SortInputOf finds the table below a sort, and rewrites the sort's fields over the table's rows.
func SortInputOf(fields sql.SortFields, child sql.Node) (s SortInput, ok bool) {
	leaf, ok := s.descend(fields, child)
	if !ok {
		return s, false
	}
	if s.orderLeaf, ok = leafOf(leaf); !ok {
		return s, false
	}
	s.lowestFilters()
	return s, true
}

// input is SortInputOf for a table that is already planned. A derived table is planned after the query that reads
// it.
func (o Orderer) input(fields sql.SortFields, child sql.Node) (SortInput, bool) {
	s, ok := SortInputOf(fields, child)
	return s, ok && (o.inner || !s.isDerived())
}

// isDerived reports whether the table is inside a derived table.
func (s *SortInput) isDerived() bool {
	return slices.ContainsFunc(s.between, func(n sql.Node) bool { _, is := n.(*plan.SubqueryAlias); return is })
}

// descend walks down from a sort to a table or a join, through nodes that keep the order of rows.
func (s *SortInput) descend(fields sql.SortFields, child sql.Node) (leaf sql.Node, ok bool) {
	s.Fields = append(sql.SortFields(nil), fields...)
	for at := child; ; {
		switch at.(type) {
		case *plan.ResolvedTable, *plan.IndexedTableAccess, *plan.JoinNode:
			return at, true
		}
		children := at.Children()
		if len(children) != 1 {
			return nil, false
		}
		switch n := at.(type) {
		case *plan.Filter, *plan.TableAlias:
		case *plan.Project:
			if !s.Through(func(f *expression.GetField) (sql.Expression, bool) { return rewrite.Projected(n, f) }) {
				return nil, false
			}
		case *plan.SubqueryAlias:
			if !s.Through(func(f *expression.GetField) (sql.Expression, bool) {
				e, ok := n.ScopeMapping[f.Id()]
				return e, ok
			}) {
				return nil, false
			}
		default:
			return nil, false
		}
		s.between = append(s.between, at)
		at = children[0]
	}
}

// Through replaces the fields by the expressions that they stand for below a node.
func (s *SortInput) Through(below func(*expression.GetField) (sql.Expression, bool)) bool {
	for i, f := range s.Fields {
		e := f.Column
		if field, ok := tree.Unwrapped(e).(*expression.GetField); ok {
			if e, ok = below(field); !ok {
				return false
			}
		}
		if a, ok := tree.Unwrapped(e).(*expression.Alias); ok {
			e = a.Child
		}
		if r, ok := f.Column.(*tree.Retype); ok {
			e = tree.WithType(tree.Unwrapped(e), r.Target)
		}
		s.Fields[i].Column = e
	}
	return true
}

// lowestFilters moves the conjuncts of the filters directly above the leaf from between to Filters.
func (s *SortInput) lowestFilters() {
	kept := s.between
	var aliases []sql.Node
	for len(kept) > 0 {
		last := kept[len(kept)-1]
		f, ok := last.(*plan.Filter)
		if _, alias := last.(*plan.TableAlias); !ok && !alias {
			break
		}
		if ok {
			s.Filters = append(s.Filters, expression.SplitConjunction(f.Expression)...)
		} else {
			aliases = append([]sql.Node{last}, aliases...)
		}
		kept = kept[:len(kept)-1]
	}
	for _, n := range kept {
		if _, ok := n.(*plan.Filter); ok {
			s.Filtered = true
		}
	}
	s.between = append(kept[:len(kept):len(kept)], aliases...)
}

// conjuncts returns all conditions on the leaf's documents: the tested ones, and the ones that the path answers.
func (s *SortInput) conjuncts() []sql.Expression {
	all := append([]sql.Expression(nil), s.Filters...)
	if s.path == nil {
		return all
	}
	answered := make([]bool, len(s.path.Conjuncts))
	for i := range answered {
		answered[i] = true
	}
	for _, i := range s.path.Residual {
		answered[i] = false
	}
	for i, e := range s.path.Conjuncts {
		if answered[i] {
			all = append(all, e)
		}
	}
	return all
}

// Rebuilt returns the nodes between the sort and the leaf, with the leaf read along a path and a filter for the
// conjuncts that the path leaves.
func (s *SortInput) Rebuilt(ctx *sql.Context, path *table.AccessPath) (sql.Node, error) {
	n, _, err := s.with(ctx, path)
	if err != nil {
		return nil, err
	}
	// Conditions belong above the table's aliases, whose names their columns have.
	named := len(s.between)
	for named > 0 {
		if _, ok := s.between[named-1].(*plan.TableAlias); !ok {
			break
		}
		named--
	}
	if n, err = rewrite.Over(s.between[named:], n); err != nil {
		return nil, err
	}
	var residual []sql.Expression
	for _, i := range path.Residual {
		residual = append(residual, path.Conjuncts[i])
	}
	if len(residual) > 0 {
		n = plan.NewFilter(expression.JoinAnd(residual...), n)
	}
	return rewrite.Over(s.between[:named], n)
}

// above returns the nodes between the sort and the leaf over another node.
func (s *SortInput) above(n sql.Node) (sql.Node, error) { return rewrite.Over(s.between, n) }

// beginning returns the path to the first of the leaf's rows, in the path's own order; false where that reads no
// less.
func (l orderLeaf) beginning(above RowLimit) (*table.AccessPath, bool) {
	if l.path == nil || l.path.Candidate == nil {
		if above.skip == 0 {
			return nil, false // a scan ends when no more rows are needed
		}
		path := &table.AccessPath{Table: l.Table, Chosen: -1}
		if l.path != nil {
			*path = *l.path
		}
		path.Order = &table.PathOrder{Scan: true, Skip: above.skip, Rows: above.Rows}
		return path, true
	}
	c := l.path.Candidate
	if len(c.Parts) != 1 || c.Parts[0].Repeats() || c.NeedsAllPresent || len(l.path.Residual) > 0 {
		return nil, false
	}
	part := &c.Parts[0]
	path := *l.path
	path.Order = &table.PathOrder{Scan: part.PrimaryKey, Part: part, Skip: above.skip, Rows: above.Rows}
	if !part.PrimaryKey {
		if len(l.Table.Def.Versions(part.Column, part.Spans)) != 1 {
			return nil, false
		}
		path.Order.Spans = table.OrderedSpans(part.Spans)
	}
	return &path, true
}

// ReadsOneTable reports whether only aliases and filters are between a sort and its table, and the filters read only
// its columns. It is false if a filter has a subquery, or while the table's index is rebuilt.
func (s *SortInput) ReadsOneTable() bool {
	for _, n := range s.between {
		if _, ok := n.(*plan.TableAlias); !ok {
			return false
		}
	}
	conjuncts := s.conjuncts()
	if s.Table == nil || s.Table.Def.Rebuilding() || join.AnySubquery(conjuncts) {
		return false
	}
	for _, c := range conjuncts {
		foreign := false
		sql.Inspect(c, func(e sql.Expression) bool {
			if f, ok := e.(*expression.GetField); ok && !s.Table.Place.Holds(f) {
				foreign = true
			}
			return !foreign
		})
		if foreign {
			return false
		}
	}
	return true
}

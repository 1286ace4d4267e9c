package aggregate

import (
	"bytes"
	"slices"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/plan"

	"github.com/sqlfdb/sqlfdb/collation"
	"github.com/sqlfdb/sqlfdb/costing"
	"github.com/sqlfdb/sqlfdb/document"
	"github.com/sqlfdb/sqlfdb/indexes"
	"github.com/sqlfdb/sqlfdb/sqlbackend/order"
	"github.com/sqlfdb/sqlfdb/sqlbackend/pushdown"
	"github.com/sqlfdb/sqlfdb/sqlbackend/rewrite"
	"github.com/sqlfdb/sqlfdb/sqlbackend/session"
	"github.com/sqlfdb/sqlfdb/sqlbackend/table"
	"github.com/sqlfdb/sqlfdb/sqlbackend/tree"
)

// SortedGroups returns the plan of a sort above DISTINCT or GROUP BY of one column whose table is read value by
// value, if the values come in the sort's order. Then nothing is sorted, and only the groups that are returned are
// read.
func SortedGroups(o order.Orderer, fields sql.SortFields, child sql.Node, above order.RowLimit) (sql.Node,
	bool, error) {
	s := order.SortInput{Fields: slices.Clone(fields)}
	if len(fields) != 1 {
		return nil, false, nil
	}
	source, ok := belowGroups(&s, child)
	if !ok {
		return nil, false, nil
	}
	access, path, ok := aggregateAccess(source)
	if !ok {
		return nil, false, nil
	}
	sorted, err := meets(o, path, s.Fields[0].Column)
	if err != nil || !sorted {
		return nil, false, err
	}
	next := *path
	next.Ordered, next.descending = true, fields[0].Order == sql.Descending
	if most := above.Most(); !s.Filtered && len(path.Residual) == 0 && most > 0 && path.method == readValues {
		next.most = most
	}
	resolved, ok := access.TableNode.(*plan.ResolvedTable)
	if !ok {
		return nil, false, nil
	}
	along, err := plan.NewStaticIndexedAccessForTableNode(o.Ctx, resolved,
		sql.IndexLookup{Index: next.index(), Ranges: &next})
	if err != nil {
		return nil, false, err
	}
	n, err := replaced(child, access, along)
	return n, err == nil, err
}

// belowGroups walks down from a sort to the input of an aggregation by one expression, or to the table that is
// aggregated above the sort. It rewrites the sort's field as an expression of that input.
func belowGroups(s *order.SortInput, n sql.Node) (source sql.Node, ok bool) {
	for {
		switch at := n.(type) {
		case *plan.Having:
			s.Filtered, n = true, at.Child
		case *plan.Project:
			if !s.Through(func(f *expression.GetField) (sql.Expression, bool) { return rewrite.Projected(at, f) }) {
				return nil, false
			}
			n = at.Child
		case *plan.Distinct:
			p, ok := at.Child.(*plan.Project)
			if !ok || !s.Through(func(f *expression.GetField) (sql.Expression, bool) { return rewrite.Projected(p, f) }) {
				return nil, false
			}
			return p.Child, true
		case *plan.GroupBy:
			if len(at.GroupByExprs) != 1 || !s.Through(func(f *expression.GetField) (sql.Expression,
				bool) {
				return named(at.SelectedExprs, f)
			}) {
				return nil, false
			}
			return at.Child, groupedBy(at.GroupByExprs)[tree.Unwrapped(s.Fields[0].Column).String()]
		case *plan.IndexedTableAccess:
			return at, true
		default:
			return nil, false
		}
	}
}

// aggregateAccess finds the table that is read value by value below an aggregation.
func aggregateAccess(n sql.Node) (access *plan.IndexedTableAccess, path *Path, ok bool) {
	switch n := n.(type) {
	case *plan.Filter:
		return aggregateAccess(n.Child)
	case *plan.TableAlias:
		return aggregateAccess(n.Child)
	case *plan.IndexedTableAccess:
		path, ok = plan.GetIndexLookup(n).Ranges.(*Path)
		return n, path, ok
	}
	return nil, nil, false
}

// meets reports whether a path gives the values of a column in the order of a sort by an expression.
func meets(o order.Orderer, path *Path, by sql.Expression) (bool, error) {
	if path.Ordered || path.tuple != nil || path.filter != nil || path.method != readValues &&
		path.method != readEntries || path.column.PrimaryKeyPart > 0 {
		return false, nil
	}
	t := path.Table
	spans := indexes.Everything()
	if path.Candidate != nil {
		spans = path.Candidate.Parts[0].Spans
	}
	if len(t.Def.Versions(path.column, spans)) != 1 {
		return false, nil
	}
	s, err := session.Of(o.Ctx)
	if err != nil {
		return false, err
	}
	read, err := s.Readers.Plan()
	if err != nil {
		return false, err
	}
	resolver := &table.LookupResolver{Table: t, Read: read}
	f := resolver.OrderFields(o.Ctx, sql.SortFields{{Column: by}})[0]
	if f.Reason != "" || f.Part > 0 || f.Containers > 0 || f.Column.Keypath != path.column.Keypath {
		return false, resolver.Err
	}
	return f.Column.Shape == path.column.Shape || path.use.path != nil && !f.Nulls, resolver.Err
}

// named returns the expression that a list of selected expressions has for a field.
func named(selected []sql.Expression, f *expression.GetField) (sql.Expression, bool) {
	return rewrite.Projected(&plan.Project{Projections: selected}, f)
}

// replaced returns a tree of nodes, each with one child, with one node replaced.
func replaced(n, old, with sql.Node) (sql.Node, error) {
	if n == old {
		return with, nil
	}
	child, err := replaced(n.Children()[0], old, with)
	if err != nil {
		return nil, err
	}
	return n.WithChildren(child)
}

// stepAlike gives the values of all entries with the same bytes as the walk's current entry, sorted. The entries
// don't hold these values, so they are read from the documents.
func (i *Rows) stepAlike(ctx *sql.Context) error {
	encoded := bytes.Clone(i.walk.Value())
	var alike []document.Value
	for i.on && bytes.Equal(i.walk.Value(), encoded) {
		if len(alike)%table.RowsPerCheck == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		switch v, err := i.fetch(i.walk); err {
		case nil:
			alike = append(alike, v)
		case session.ErrLeft:
		default:
			return err
		}
		i.on = i.walk.Next()
	}
	coll := i.Path.column.Collation
	if i.Path.column.Shape == pushdown.ShapeJSON {
		coll = collation.Default
	}
	slices.SortStableFunc(alike, func(a, b document.Value) int {
		if i.Path.descending {
			a, b = b, a
		}
		return document.Compare(a, b, coll)
	})
	for _, v := range alike {
		value, err := i.read(v)
		if err != nil {
			return err
		}
		i.give(value, 1)
	}
	return i.walk.Err()
}

// stepsOfValue is about how many keys are read to get from one value to the next, at most.
const stepsOfValue = 25

// limitedKeys estimates how many keys are read up to a LIMIT's last value.
func (p *Path) limitedKeys(e costing.Estimate) *costing.Estimate {
	if p.most > 0 && p.most < e.Keys/stepsOfValue {
		e.Keys, e.Exact = p.most*stepsOfValue, false
	}
	return &e
}

package order

import (
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/transform"

	"github.com/sqlfdb/sqlfdb/sqlbackend/compare"
	"github.com/sqlfdb/sqlfdb/sqlbackend/join"
	"github.com/sqlfdb/sqlfdb/sqlbackend/table"
)

// planReads is the set of columns that a plan reads.
type planReads struct {
	fields []readField
	whole  map[sql.TableId]bool // tables of whose rows all columns are read
	within int                  // depth of the current subqueries that see the tables around them
}

// readField is a field that may be a column of each of some tables; nil: of any table.
type readField struct {
	*expression.GetField
	tables *sql.FastIntSet
}

// readsOf gathers the columns that a plan reads; all columns of its result are needed.
func readsOf(root sql.Node) *planReads {
	r := &planReads{whole: map[sql.TableId]bool{}}
	r.node(root, true)
	return r
}

// of returns which columns of a table are read.
func (r *planReads) of(t *table.Table) []bool {
	out := make([]bool, len(t.Columns))
	if r.whole[t.Place.ID] {
		for i := range out {
			out[i] = true
		}
		return out
	}
	for _, f := range r.fields {
		if f.tables == nil || f.tables.Contains(int(t.Place.ID)) {
			t.EachNamed(f.Name(), func(column int) { out[column] = true })
		}
	}
	return out
}

// node gathers the columns that a node and the nodes below it read. whole: the node above reads all columns of the
// rows; otherwise it has fields for the columns that it reads.
func (r *planReads) node(n sql.Node, whole bool) {
	switch n := n.(type) {
	case *plan.ResolvedTable:
		r.whole[n.Id()] = r.whole[n.Id()] || whole
	case *plan.IndexedTableAccess:
		r.whole[n.Id()] = r.whole[n.Id()] || whole
	case *plan.Project:
		for _, e := range n.Projections {
			// A field passed on as it is counts as read only if a node above has a field for it.
			if _, field := e.(*expression.GetField); !field || whole {
				r.expression(n, e)
			}
		}
		r.node(n.Child, readsByPlace(n))
		return
	case *plan.SubqueryAlias:
		if whole = true; n.IsLateral || n.OuterScopeVisibility {
			r.within++
			defer func() { r.within-- }()
		}
	case *plan.GroupBy, *plan.Window:
		whole = false
	case *plan.JoinNode:
		r.expressions(n)
		r.node(n.Left(), whole)
		r.node(n.Right(), whole && !n.Op.IsPartial())
		return
	case *plan.Filter, *plan.Having, *plan.Sort, *plan.TopN, *plan.Limit, *plan.Offset, *plan.TableAlias,
		*plan.StripRowNode, *plan.HashLookup,
		*GroupSort, *StandIn, *join.Side, *join.HashedSide, *join.BucketSide, *LimitedDrive:
	case *BoundedOrder:
		if n.Doubted != nil {
			r.expression(n, n.Doubted)
		}
	default:
		whole = true
	}
	r.expressions(n)
	for _, child := range n.Children() {
		r.node(child, whole)
	}
}

// readsByPlace reports whether a projection reads columns of its child by position, because several have one name.
func readsByPlace(p *plan.Project) bool {
	for _, e := range p.Projections {
		if transform.InspectExpr(e, func(e sql.Expression) bool {
			_, place := e.(*compare.ResultColumn)
			return place
		}) {
			return true
		}
	}
	return false
}

// expressions gathers the columns that the expressions of a node read, without the nodes below it.
func (r *planReads) expressions(n sql.Node) {
	if e, ok := n.(sql.Expressioner); ok {
		for _, e := range e.Expressions() {
			r.expression(n, e)
		}
	}
}

// expression gathers the columns that an expression of a node reads.
func (r *planReads) expression(n sql.Node, e sql.Expression) {
	sql.Inspect(e, func(e sql.Expression) bool {
		switch e := e.(type) {
		case *expression.GetField:
			r.fields = append(r.fields, readField{e, r.tablesOf(n, e)})
		case *plan.ExistsSubquery:
			r.subquery(e.Query, false)
			return false
		case *plan.Subquery:
			r.subquery(e, true)
		}
		return true
	})
}

func (r *planReads) subquery(sq *plan.Subquery, whole bool) {
	r.within++
	r.node(sq.Query, whole)
	r.within--
}

// tablesOf returns the tables that a node's field may belong to. Without a table's name these are the tables below
// the node; in a subquery any table, as nil.
func (r *planReads) tablesOf(n sql.Node, f *expression.GetField) *sql.FastIntSet {
	if id := f.TableId(); id != 0 {
		set := sql.NewFastIntSet(int(id))
		return &set
	}
	if r.within > 0 {
		return nil
	}
	var below sql.FastIntSet
	transform.Inspect(n, func(n sql.Node) bool {
		if t, ok := n.(plan.TableIdNode); ok {
			below.Add(int(t.Id()))
		}
		return true
	})
	return &below
}

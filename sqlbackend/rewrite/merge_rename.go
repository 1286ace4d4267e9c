package rewrite

import (
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/transform"

	"github.com/sqlfdb/sqlfdb/sqlbackend/tree"
)

// tableRenaming maps the numbers of tables to their new names and numbers.
type tableRenaming map[sql.TableId]renamedTable

// renamedTable is the new name and number of a table.
type renamedTable struct {
	name    string
	id      sql.TableId
	shift   sql.ColumnId // added to the numbers of its columns
	columns sql.ColSet   // the columns to renumber, by their old numbers; empty means all
}

// part renames the tables of a part and the fields in it that read them.
func (r tableRenaming) part(p *mergedPart) error {
	from, err := r.node(p.from)
	if err != nil {
		return err
	}
	p.from = from
	for i, c := range p.conditions {
		if p.conditions[i], _, err = r.expression(c); err != nil {
			return err
		}
	}
	for id, c := range p.columns {
		if p.columns[id], _, err = r.expression(c); err != nil {
			return err
		}
	}
	order := make(sql.SortFields, len(p.order))
	for i, f := range p.order {
		order[i] = f
		if order[i].Column, _, err = r.expression(f.Column); err != nil {
			return err
		}
	}
	if p.order != nil {
		p.order = order
	}
	return nil
}

// node renames the tables of a FROM, and the fields in its conditions that read them.
func (r tableRenaming) node(n sql.Node) (sql.Node, error) {
	if join, ok := n.(*plan.JoinNode); ok {
		left, err := r.node(join.Left())
		if err != nil {
			return n, err
		}
		right, err := r.node(join.Right())
		if err != nil {
			return n, err
		}
		next := *join
		if join.Filter != nil {
			if next.Filter, _, err = r.expression(join.Filter); err != nil {
				return n, err
			}
		}
		return next.WithChildren(left, right)
	}
	t, ok := n.(plan.TableIdNode)
	if !ok {
		return n, nil
	}
	to, ok := r[t.Id()]
	if !ok {
		return n, nil
	}
	switch n := n.(type) {
	case *plan.TableAlias:
		if rt, ok := n.Child.(*plan.ResolvedTable); ok {
			return to.table(rt, n.Name())
		}
	case *plan.ResolvedTable:
		return to.table(n, n.Name())
	case *plan.SubqueryAlias:
		return n.WithName(to.name).(*plan.SubqueryAlias).WithId(to.id), nil
	}
	return n, nil
}

// table returns a table under its new name and number. It keeps the hints for the name that the statement gives it.
func (r renamedTable) table(n *plan.ResolvedTable, called string) (sql.Node, error) {
	var columns sql.ColSet
	given := n.Columns()
	for id, ok := given.Next(1); ok; id, ok = given.Next(id + 1) {
		columns.Add(id + r.shift)
	}
	if t, ok := n.UnderlyingTable().(tree.Placeable); ok {
		if t.At().ID != 0 {
			called = t.At().Called
		}
		there, err := n.WithTable(t.PlacedAt(tree.Place{ID: r.id, Name: strings.ToLower(r.name),
			Called: strings.ToLower(called)}))
		if err != nil {
			return n, err
		}
		n = there.(*plan.ResolvedTable)
	}
	n = n.WithId(r.id).WithColumns(columns).(*plan.ResolvedTable)
	return plan.NewTableAlias(r.name, n).WithId(r.id).WithColumns(columns), nil
}

func (r tableRenaming) expression(e sql.Expression) (sql.Expression, transform.TreeIdentity, error) {
	return transform.Expr(e, r.field) // aliases keep their names: a derived table's column aliases have been removed
}

// field renames one expression without its children.
func (r tableRenaming) field(e sql.Expression) (sql.Expression, transform.TreeIdentity, error) {
	switch e := e.(type) {
	case *expression.GetField:
		to, ok := r[e.TableId()]
		// the plan builder may give two views of one name one number
		if !ok || !to.columns.Empty() && !to.columns.Contains(e.Id()) {
			return e, transform.SameTree, nil
		}
		return expression.NewGetFieldWithTable(int(e.Id()+to.shift), int(to.id), e.Type(), e.Database(), to.name, e.Name(),
			e.IsNullable()), transform.NewTree, nil
	case *plan.Subquery:
		query, same, err := transform.NodeWithOpaque(e.Query, func(n sql.Node) (sql.Node, transform.TreeIdentity, error) {
			return tree.NodeExpressions(n, r.field)
		})
		if err != nil || bool(same) {
			return e, transform.SameTree, err
		}
		return e.WithQuery(query), transform.NewTree, nil
	}
	return e, transform.SameTree, nil
}

package table

import (
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/analyzer"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/transform"

	"github.com/sqlfdb/sqlfdb/sqlbackend/tree"
)

// StoredRows implements tree.Stored.
func (*Table) StoredRows() {}

func (t *Table) At() tree.Place { return t.Place }

func (t *Table) PlacedAt(p tree.Place) sql.Table {
	there := *t
	there.Place = p
	return &there
}

// PlaceRule sets each table's place. It is idempotent.
func PlaceRule(_ *sql.Context, _ *analyzer.Analyzer, n sql.Node, _ *plan.Scope, _ analyzer.RuleSelector,
	flags *sql.QueryFlags) (sql.Node, transform.TreeIdentity, error) {
	if tree.IsPlain(n, flags) {
		return placedPlain(n)
	}
	return transform.NodeWithOpaque(n, placeNode)
}

func placeNode(n sql.Node) (sql.Node, transform.TreeIdentity, error) {
	switch n := n.(type) {
	case *plan.ResolvedTable:
		if t, ok := n.UnderlyingTable().(tree.Placeable); ok && t.At().ID == n.Id() {
			return n, transform.SameTree, nil
		}
		return placed(n, n.Name())
	case *plan.TableAlias:
		rt, ok := n.Child.(*plan.ResolvedTable)
		if !ok {
			return n, transform.SameTree, nil
		}
		child, same, err := placed(rt, n.Name())
		if err != nil || same {
			return n, transform.SameTree, err
		}
		next, err := n.WithChildren(child)
		return next, transform.NewTree, err
	}
	return tree.NodeExpressions(n, func(e sql.Expression) (sql.Expression, transform.TreeIdentity, error) {
		sq, ok := e.(*plan.Subquery)
		if !ok {
			return e, transform.SameTree, nil
		}
		query, same, err := transform.NodeWithOpaque(sq.Query, placeNode)
		if err != nil || same {
			return e, transform.SameTree, err
		}
		return sq.WithQuery(query), transform.NewTree, nil
	})
}

// placed sets the place of a node's table.
func placed(n *plan.ResolvedTable, name string) (sql.Node, transform.TreeIdentity, error) {
	at := tree.Place{ID: n.Id(), Name: strings.ToLower(name)}
	t, ok := n.UnderlyingTable().(tree.Placeable)
	if !ok {
		return n, transform.SameTree, nil
	}
	if given := t.At(); given.ID == at.ID && given.Name == at.Name {
		return n, transform.SameTree, nil
	}
	at.Called = at.Name
	there := t.PlacedAt(at)
	next, err := n.WithTable(there)
	if err != nil {
		return n, transform.SameTree, err
	}
	return next, transform.NewTree, nil
}

// PlannedAccessRule removes the aliases of tables that are read along an access path and filtered, as the engine
// does when it plans such a path. The engine plans nested derived tables more than once. With an alias it would look
// for a path for the filter alone, and lose the conditions that the path has answered.
func PlannedAccessRule(_ *sql.Context, _ *analyzer.Analyzer, n sql.Node, _ *plan.Scope, _ analyzer.RuleSelector,
	flags *sql.QueryFlags) (sql.Node, transform.TreeIdentity, error) {
	if tree.IsPlain(n, flags) {
		return n, transform.SameTree, nil
	}
	return transform.Node(n, func(n sql.Node) (sql.Node, transform.TreeIdentity, error) {
		f, ok := n.(*plan.Filter)
		if !ok {
			return n, transform.SameTree, nil
		}
		alias, ok := f.Child.(*plan.TableAlias)
		if !ok {
			return n, transform.SameTree, nil
		}
		access, ok := alias.Child.(*plan.IndexedTableAccess)
		if !ok {
			return n, transform.SameTree, nil
		}
		return plan.NewFilter(f.Expression, access), transform.NewTree, nil
	})
}

package sqlbackend

import (
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/analyzer"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/transform"

	"github.com/sqlfdb/sqlfdb/sqlbackend/tree"
)

// place tells a table where in its statement it stands. The engine asks it for
// lookups without telling, and a filter above it may also read fields of an outer
// query's tables, the same table under another name among them.
type place struct {
	id   sql.TableId
	name string // alias or name, lower-cased
	// called is what the statement calls it, where a rule has given it another name.
	called string
}

// holds reports whether a field is one of the table's at that place.
func (p place) holds(f *expression.GetField) bool {
	return p.id != 0 && f.TableId() == p.id && strings.EqualFold(f.Table(), p.name)
}

// placeable is a table that is told its place.
type placeable interface {
	sql.Table
	at() place
	placedAt(place) sql.Table
}

// StoredRows implements tree.Stored.
func (*Table) StoredRows() {}

// StoredRows implements tree.Stored.
func (*childTable) StoredRows() {}

func (t *Table) at() place        { return t.place }
func (t *childTable) at() place   { return t.place }
func (t *changesTable) at() place { return t.place }
func (t *infoTable) at() place    { return t.place }

func (t *Table) placedAt(p place) sql.Table {
	there := *t
	there.place = p
	return &there
}

func (t *childTable) placedAt(p place) sql.Table {
	there := *t
	there.place = p
	return &there
}

func (t *changesTable) placedAt(p place) sql.Table {
	there := *t
	there.place = p
	there.documents = t.documents && t.session.namesDocument(p)
	return &there
}

func (t *infoTable) placedAt(p place) sql.Table {
	there := *t
	there.place = p
	return &there
}

// placeRule tells every table its place. It is idempotent.
func placeRule(_ *sql.Context, _ *analyzer.Analyzer, n sql.Node, _ *plan.Scope, _ analyzer.RuleSelector,
	flags *sql.QueryFlags) (sql.Node, transform.TreeIdentity, error) {
	if tree.IsPlain(n, flags) {
		return placedPlain(n)
	}
	return transform.NodeWithOpaque(n, placeNode)
}

func placeNode(n sql.Node) (sql.Node, transform.TreeIdentity, error) {
	switch n := n.(type) {
	case *plan.ResolvedTable:
		if t, ok := n.UnderlyingTable().(placeable); ok && t.at().id == n.Id() {
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

// placed is the node with a table that knows its place.
func placed(n *plan.ResolvedTable, name string) (sql.Node, transform.TreeIdentity, error) {
	at := place{id: n.Id(), name: strings.ToLower(name)}
	t, ok := n.UnderlyingTable().(placeable)
	if !ok {
		return n, transform.SameTree, nil
	}
	if given := t.at(); given.id == at.id && given.name == at.name {
		return n, transform.SameTree, nil
	}
	at.called = at.name
	there := t.placedAt(at)
	next, err := n.WithTable(there)
	if err != nil {
		return n, transform.SameTree, err
	}
	return next, transform.NewTree, nil
}

// plannedAccessRule takes the aliases away from tables that are read along an access path and filtered, as the engine
// does where it plans such a path. It plans nested derived tables more than once, and where there is an alias it would
// look for a path for the filter alone, and lose the conditions that the path has answered.
func plannedAccessRule(_ *sql.Context, _ *analyzer.Analyzer, n sql.Node, _ *plan.Scope, _ analyzer.RuleSelector,
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

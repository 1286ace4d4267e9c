package sqlbackend

import (
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/analyzer"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/transform"

	"github.com/sqlfdb/sqlfdb/sqlbackend/table"
	"github.com/sqlfdb/sqlfdb/sqlbackend/tree"
)

// updateJoinRule lets an UPDATE that reads a join, as one with IN (SELECT …) does, write the tables that are joined.
// The engine's rule of that purpose looks for them by name in another case than it reads their rows by, and refuses
// tables without a primary key. It also takes a table of that name inside a view or a derived table, whose columns
// are others.
func updateJoinRule(ctx *sql.Context, _ *analyzer.Analyzer, n sql.Node, _ *plan.Scope, _ analyzer.RuleSelector,
	_ *sql.QueryFlags) (sql.Node, transform.TreeIdentity, error) {
	update, ok := n.(*plan.Update)
	if !ok {
		return n, transform.SameTree, nil
	}
	source, ok := update.Child.(*plan.UpdateSource)
	if !ok || !readsJoin(source) {
		return n, transform.SameTree, nil
	}
	joined, updaters := map[string]sql.UpdatableTable{}, map[string]sql.RowUpdater{}
	joinedTables(source, joined)
	for _, e := range source.UpdateExprs {
		set, ok := e.(*expression.SetField)
		if !ok {
			continue
		}
		field := set.LeftChild.(*expression.GetField)
		name := field.Table()
		t, ok := joined[strings.ToLower(name)]
		if !ok {
			return nil, transform.SameTree, plan.ErrUpdateForTableNotSupported.New(name)
		}
		if _, stamp := set.RightChild.(*sql.ColumnDefaultValue); stamp && !table.DocumentsOf(t).Writes.Sets(field.Name()) {
			continue // the list has the columns of every joined table
		}
		for _, c := range source.Child.Schema() {
			if strings.EqualFold(c.Source, name) && updaters[c.Source] == nil {
				updaters[c.Source] = t.Updater(ctx)
			}
		}
	}
	next, err := update.WithChildren(plan.NewUpdateJoin(updaters, source))
	return next, transform.NewTree, err
}

// joinedTables finds the tables of a join by the names that they have in it, without tables in views and derived
// tables.
func joinedTables(n sql.Node, joined map[string]sql.UpdatableTable) {
	name, table := "", (*plan.ResolvedTable)(nil)
	switch n := n.(type) {
	case *plan.SubqueryAlias:
		return
	case *plan.TableAlias:
		name, table = n.Name(), resolvedBelow(n.Child)
	case *plan.ResolvedTable, *plan.IndexedTableAccess:
		if table = resolvedBelow(n); table != nil {
			name = table.Name()
		}
	}
	if table != nil {
		if t, ok := table.UnderlyingTable().(sql.UpdatableTable); ok {
			joined[strings.ToLower(name)] = t
		}
		return
	}
	for _, child := range n.Children() {
		joinedTables(child, joined)
	}
}

func resolvedBelow(n sql.Node) *plan.ResolvedTable {
	switch n := n.(type) {
	case *plan.ResolvedTable:
		return n
	case *plan.IndexedTableAccess:
		t, _ := n.TableNode.(*plan.ResolvedTable)
		return t
	}
	return nil
}

// updateNullsRule lets the columns of the derived tables and views that an UPDATE joins be NULL. The engine refuses
// an UPDATE that reads a NULL in a column that can't have one. It counts as such also columns that an outer join
// within a derived table fills with NULLs. The rule is idempotent.
func updateNullsRule(_ *sql.Context, _ *analyzer.Analyzer, n sql.Node, _ *plan.Scope, _ analyzer.RuleSelector,
	flags *sql.QueryFlags) (sql.Node, transform.TreeIdentity, error) {
	if !analyzer.FlagIsSet(flags, sql.QFlagUpdate) {
		return n, transform.SameTree, nil
	}
	return transform.Node(n, func(n sql.Node) (sql.Node, transform.TreeIdentity, error) {
		source, ok := n.(*plan.UpdateSource)
		if !ok {
			return n, transform.SameTree, nil
		}
		return transform.Node(source, func(n sql.Node) (sql.Node, transform.TreeIdentity, error) {
			d, ok := n.(*plan.SubqueryAlias)
			if !ok {
				return n, transform.SameTree, nil
			}
			child, same, err := nullableResult(d.Child)
			if err != nil || bool(same) {
				return n, transform.SameTree, err
			}
			next, err := d.WithChildren(child)
			return next, transform.NewTree, err
		})
	})
}

// nullableResult is a query whose result's columns may be NULL.
func nullableResult(n sql.Node) (sql.Node, transform.TreeIdentity, error) {
	switch n.(type) {
	case *plan.Project, *plan.GroupBy, *plan.Window, *plan.Sort, *plan.TopN, *plan.Limit, *plan.Offset, *plan.Distinct,
		*plan.Having, *plan.SetOp:
	default:
		return n, transform.SameTree, nil
	}
	children, all := append([]sql.Node(nil), n.Children()...), transform.SameTree
	for i, child := range children {
		next, same, err := nullableResult(child)
		if err != nil {
			return n, transform.SameTree, err
		}
		children[i], all = next, all && same
	}
	if !all {
		var err error
		if n, err = n.WithChildren(children...); err != nil {
			return n, transform.SameTree, err
		}
	}
	next, same, err := tree.NodeExpressions(n, func(e sql.Expression) (sql.Expression, transform.TreeIdentity, error) {
		f, ok := e.(*expression.GetField)
		if !ok || f.IsNullable() {
			return e, transform.SameTree, nil
		}
		return expression.NewGetFieldWithTable(int(f.Id()), int(f.TableId()), f.Type(), f.Database(), f.Table(), f.Name(),
			true), transform.NewTree, nil
	})
	return next, all && same, err
}

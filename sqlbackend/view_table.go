package sqlbackend

import (
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/analyzer"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/transform"
)

// viewTableRule gives a view the number by which its fields name their table. The engine
// numbers the view by the name of its first column, and its fields by its own name. So
// the planner of joins does not see which conditions need the view, and may ask them
// where it isn't read yet. It is idempotent.
func viewTableRule(_ *sql.Context, _ *analyzer.Analyzer, n sql.Node, _ *plan.Scope, _ analyzer.RuleSelector, flags *sql.QueryFlags) (sql.Node, transform.TreeIdentity, error) {
	if isPlain(n, flags) {
		return n, transform.SameTree, nil
	}
	v := viewTables{root: n}
	return transform.NodeWithOpaque(n, v.node)
}

// viewTables numbers the views of a statement.
type viewTables struct {
	root   sql.Node
	tables map[sql.ColumnId]sql.TableId // of the fields; nil until a derived table is seen
}

func (v *viewTables) node(n sql.Node) (sql.Node, transform.TreeIdentity, error) {
	if derived, ok := n.(*plan.SubqueryAlias); ok {
		if v.tables == nil {
			v.tables = map[sql.ColumnId]sql.TableId{}
			v.collect(v.root)
		}
		columns := derived.Columns()
		for c, ok := columns.Next(1); ok; c, ok = columns.Next(c + 1) {
			if table, read := v.tables[c]; read && table != derived.Id() {
				return derived.WithId(table), transform.NewTree, nil
			}
		}
		return n, transform.SameTree, nil
	}
	return inSubqueries(n, v.node)
}

// collect gathers the tables of the fields of a plan and of the subqueries in it.
func (v *viewTables) collect(n sql.Node) {
	transform.Inspect(n, func(n sql.Node) bool {
		e, ok := n.(sql.Expressioner)
		if !ok {
			return true
		}
		for _, e := range e.Expressions() {
			sql.Inspect(e, func(e sql.Expression) bool {
				switch e := e.(type) {
				case *expression.GetField:
					if e.Id() != 0 && e.TableId() != 0 {
						v.tables[e.Id()] = e.TableId()
					}
				case *plan.Subquery:
					v.collect(e.Query)
				}
				return true
			})
		}
		return true
	})
}

// inSubqueries changes the nodes of the subqueries in a node's own expressions.
func inSubqueries(n sql.Node, change transform.NodeFunc) (sql.Node, transform.TreeIdentity, error) {
	return transform.OneNodeExpressions(n, func(e sql.Expression) (sql.Expression, transform.TreeIdentity, error) {
		sq, ok := e.(*plan.Subquery)
		if !ok {
			return e, transform.SameTree, nil
		}
		query, same, err := transform.NodeWithOpaque(sq.Query, change)
		if err != nil || same {
			return e, transform.SameTree, err
		}
		return sq.WithQuery(query), transform.NewTree, nil
	})
}

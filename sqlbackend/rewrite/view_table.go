package rewrite

import (
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/analyzer"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/transform"

	"github.com/sqlfdb/sqlfdb/sqlbackend/tree"
)

// ViewTableRule prepares views like derived tables. The engine numbers a view by the name of its first column, and
// the view's fields by the view's own name. So the planner of joins does not see which conditions need the view, and
// may check them before it is read. The rule gives the view the number by which its fields name their table. It also
// tells the engine where each of the view's columns comes from, so that conditions and orders of the statement reach
// the tables below. It is idempotent.
func ViewTableRule(_ *sql.Context, _ *analyzer.Analyzer, n sql.Node, _ *plan.Scope, _ analyzer.RuleSelector,
	flags *sql.QueryFlags) (sql.Node, transform.TreeIdentity, error) {
	if tree.IsPlain(n, flags) {
		return n, transform.SameTree, nil
	}
	v := viewTables{root: n}
	return transform.NodeWithOpaque(n, v.node)
}

// viewTables numbers the views of a statement.
type viewTables struct {
	root   sql.Node
	tables map[sql.ColumnId]sql.TableId // by the numbers of the fields; nil until a derived table is seen
}

func (v *viewTables) node(n sql.Node) (sql.Node, transform.TreeIdentity, error) {
	if derived, ok := n.(*plan.SubqueryAlias); ok {
		derived, united := unitedInOrder(derived)
		derived, told := withSources(derived)
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
		return derived, transform.TreeIdentity(!told && !united), nil
	}
	return inSubqueries(n, v.node)
}

// unitedInOrder returns a derived table whose set operation, if it has one, uses its columns' numbers, and whether
// that changes it. The plan builder numbers a set operation by its first side's columns, and the engine takes the
// least number for the first column's.
func unitedInOrder(derived *plan.SubqueryAlias) (*plan.SubqueryAlias, bool) {
	set, ok := derived.Child.(*plan.SetOp)
	if !ok {
		return derived, false
	}
	columns, schema := derived.Columns(), set.Schema()
	if columns.Len() != len(schema) || set.Columns().Equals(columns) {
		return derived, false
	}
	mapping := make(map[sql.ColumnId]sql.Expression, len(schema))
	columns.ForEach(func(id sql.ColumnId) {
		c := schema[len(mapping)]
		mapping[id] = expression.NewGetFieldWithTable(int(id), 0, c.Type, "", "", c.Name, c.Nullable)
	})
	return derived.WithChild(set.WithColumns(columns).(sql.Node)).WithScopeMapping(mapping), true
}

// withSources returns a derived table that knows the expressions of its columns below it, and whether it changed.
func withSources(derived *plan.SubqueryAlias) (*plan.SubqueryAlias, bool) {
	if derived.ScopeMapping != nil {
		return derived, false
	}
	columns, sources := derived.Columns(), outputs(derived.Child)
	if len(sources) == 0 || columns.Len() != len(sources) {
		return derived, false
	}
	mapping := make(map[sql.ColumnId]sql.Expression, len(sources))
	at := sql.ColumnId(0)
	for _, source := range sources {
		at, _ = columns.Next(at + 1)
		mapping[at] = source
	}
	return derived.WithScopeMapping(mapping), true
}

// outputs returns the fields that read a node's columns from above it; nil where they aren't known.
func outputs(n sql.Node) []sql.Expression {
	switch n := n.(type) {
	case *plan.Project:
		return projectedFields(n)
	case *plan.ResolvedTable:
		return tableFields(n, n.Name())
	case *plan.TableAlias:
		return tableFields(n, n.Name())
	case *plan.SubqueryAlias:
		return tableFields(n, n.Name())
	case *plan.Filter, *plan.Having, *plan.Distinct, *plan.Sort, *plan.Limit, *plan.Offset:
		return outputs(n.Children()[0])
	}
	return nil
}

func projectedFields(n *plan.Project) []sql.Expression {
	out := make([]sql.Expression, len(n.Projections))
	for i, e := range n.Projections {
		switch e := e.(type) {
		case *expression.GetField:
			out[i] = e
		case *expression.Alias:
			out[i] = expression.NewGetFieldWithTable(int(e.Id()), 0, e.Type(), "", "", e.Name(), e.IsNullable())
		}
		if field, ok := out[i].(*expression.GetField); !ok || field.Id() == 0 {
			return nil
		}
	}
	return out
}

func tableFields(n plan.TableIdNode, name string) []sql.Expression {
	columns, schema := n.Columns(), n.Schema()
	if columns.Len() != len(schema) {
		return nil
	}
	out := make([]sql.Expression, len(schema))
	at := sql.ColumnId(0)
	for i, c := range schema {
		at, _ = columns.Next(at + 1)
		out[i] = expression.NewGetFieldWithTable(int(at), int(n.Id()), c.Type, c.DatabaseSource, name, c.Name, c.Nullable)
	}
	return out
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
	return tree.NodeExpressions(n, func(e sql.Expression) (sql.Expression, transform.TreeIdentity, error) {
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

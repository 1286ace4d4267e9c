package rewrite

import (
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/analyzer"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/transform"

	"github.com/sqlfdb/sqlfdb/sqlbackend/compare"
)

// SelectedTypesRule makes the columns of a CREATE TABLE … SELECT that hold MAX and MIN nullable, which the plan
// builder does not.
func SelectedTypesRule(_ *sql.Context, _ *analyzer.Analyzer, n sql.Node, _ *plan.Scope, _ analyzer.RuleSelector,
	_ *sql.QueryFlags) (sql.Node, transform.TreeIdentity, error) {
	if copier, ok := n.(*plan.TableCopier); ok {
		nullableExtremes(copier)
	}
	return n, transform.SameTree, nil
}

func nullableExtremes(n *plan.TableCopier) {
	create, ok := n.Destination.(*plan.CreateTable)
	selected := compare.ResultExpressions(n.Source)
	if !ok || len(selected) != len(create.PkSchema().Schema) {
		return
	}
	for i, e := range selected {
		if a, ok := e.(*expression.Alias); ok {
			e = a.Child
		}
		f, ok := e.(*expression.GetField)
		if ok && (strings.HasPrefix(f.Name(), "max(") || strings.HasPrefix(f.Name(), "min(")) {
			create.PkSchema().Schema[i].Nullable = true
		}
	}
}

package sqlbackend

import (
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/analyzer"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/transform"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"
)

// selectedTypesRule makes the columns of a CREATE TABLE … SELECT of the types that its query has once it is planned.
// The plan builder calls every SUM and AVG a DOUBLE.
func selectedTypesRule(ctx *sql.Context, _ *analyzer.Analyzer, n sql.Node, _ *plan.Scope, _ analyzer.RuleSelector,
	_ *sql.QueryFlags) (sql.Node, transform.TreeIdentity, error) {
	if copier, ok := n.(*plan.TableCopier); ok {
		nullableExtremes(copier)
	}
	create, ok := n.(*plan.CreateTable)
	if !ok || create.Select() == nil || create.PkSchema().Schema == nil {
		return n, transform.SameTree, nil
	}
	s, ok := ctx.Session.(*Session)
	if !ok {
		return n, transform.SameTree, nil
	}
	if stmt, ok := s.statement().(*ast.DDL); !ok || stmt.TableSpec != nil {
		return n, transform.SameTree, nil
	}
	spec := &plan.TableSpec{Collation: create.Collation}
	return plan.NewCreateTableSelect(create.Database(), create.Name(), create.IfNotExists(), create.Temporary(),
		create.Select(), spec), transform.NewTree, nil
}

func nullableExtremes(n *plan.TableCopier) {
	create, ok := n.Destination.(*plan.CreateTable)
	selected := resultExpressions(n.Source)
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

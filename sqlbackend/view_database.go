package sqlbackend

import (
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/analyzer"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/transform"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"github.com/sqlfdb/sqlfdb/sqlbackend/statement"
)

// GetCurrentDatabase implements sql.Session.
func (s *Session) GetCurrentDatabase() string {
	if s.ofView != "" {
		return s.ofView
	}
	return s.BaseSession.GetCurrentDatabase()
}

// namesUnqualified tells whether the running statement itself names a table without its database.
func (s *Session) namesUnqualified() bool {
	found := false
	_ = statement.Walk(func(n ast.SQLNode) (bool, error) {
		if t, ok := n.(*ast.AliasedTableExpr); ok {
			name, plain := t.Expr.(ast.TableName)
			found = found || plain && name.DbQualifier.IsEmpty()
		}
		return true, nil
	}, s.statement())
	return found
}

// viewsBoundRule comes once a statement is bound: DATABASE() is its own again.
func viewsBoundRule(ctx *sql.Context, _ *analyzer.Analyzer, n sql.Node, _ *plan.Scope, _ analyzer.RuleSelector,
	_ *sql.QueryFlags) (sql.Node, transform.TreeIdentity, error) {
	if s, ok := ctx.Session.(*Session); ok {
		s.ofView = ""
	}
	return n, transform.SameTree, nil
}

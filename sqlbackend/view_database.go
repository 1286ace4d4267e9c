package sqlbackend

import (
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/analyzer"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/transform"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"github.com/sqlfdb/sqlfdb/sqlbackend/session"
	"github.com/sqlfdb/sqlfdb/sqlbackend/statement"
)

// namesUnqualified reports whether the running statement itself names a table without its database.
func namesUnqualified(s *session.Session) bool {
	found := false
	_ = statement.Walk(func(n ast.SQLNode) (bool, error) {
		if t, ok := n.(*ast.AliasedTableExpr); ok {
			name, plain := t.Expr.(ast.TableName)
			found = found || plain && name.DbQualifier.IsEmpty()
		}
		return true, nil
	}, s.Parsed.Statement())
	return found
}

// viewsBoundRule comes once a statement is bound: DATABASE() is its own again.
func viewsBoundRule(ctx *sql.Context, _ *analyzer.Analyzer, n sql.Node, _ *plan.Scope, _ analyzer.RuleSelector,
	_ *sql.QueryFlags) (sql.Node, transform.TreeIdentity, error) {
	if s, ok := ctx.Session.(*session.Session); ok {
		s.OfView, s.Views = "", 0
	}
	return n, transform.SameTree, nil
}

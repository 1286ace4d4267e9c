package sqlbackend

import (
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/analyzer"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/transform"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"github.com/sqlfdb/sqlfdb/sqlbackend/session"
)

// commitRule keeps statements that read a view from ending the transaction: the engine
// binds the view's CREATE VIEW and treats the whole as a statement that commits.
func commitRule(ctx *sql.Context, _ *analyzer.Analyzer, n sql.Node, _ *plan.Scope, _ analyzer.RuleSelector,
	flags *sql.QueryFlags) (sql.Node, transform.TreeIdentity, error) {
	s, ok := ctx.Session.(*session.Session)
	if ok && flags != nil && flags.IsSet(sql.QFlagDDL) && !defines(s) {
		flags.Unset(sql.QFlagDDL)
	}
	return n, transform.SameTree, nil
}

// defines reports whether the running command is about definitions.
func defines(s *session.Session) bool {
	for i, stmt := range s.Parsed.All {
		switch stmt.(type) {
		case ast.SelectStatement, *ast.Insert, *ast.Update, *ast.Delete, *ast.Load, *ast.Show, *ast.Explain, *ast.Set:
			return false
		case *ast.Execute:
			if i == 0 {
				continue // the statement that it runs follows
			}
		}
		return true
	}
	return true
}

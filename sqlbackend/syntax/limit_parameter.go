package syntax

import (
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/analyzer"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/transform"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/dolthub/vitess/go/mysql"

	"github.com/sqlfdb/sqlfdb/sqlbackend/tree"
)

// LimitParameterRule replaces a NULL parameter of LIMIT or OFFSET by 0 and refuses a negative one, as MySQL does. The
// engine expects a number that is not negative; the parser checks literals.
func LimitParameterRule(_ *sql.Context, _ *analyzer.Analyzer, n sql.Node, _ *plan.Scope,
	_ analyzer.RuleSelector, flags *sql.QueryFlags) (sql.Node, transform.TreeIdentity, error) {
	if tree.IsPlain(n, flags) {
		return n, transform.SameTree, nil
	}
	return transform.NodeWithOpaque(n, func(n sql.Node) (sql.Node, transform.TreeIdentity, error) {
		switch n := n.(type) {
		case *plan.Limit:
			to, same, err := limitParameter(n.Limit)
			if same || err != nil {
				return n, transform.SameTree, err
			}
			next, err := n.WithExpressions(to)
			return next, transform.NewTree, err
		case *plan.Offset:
			to, same, err := limitParameter(n.Offset)
			if same || err != nil {
				return n, transform.SameTree, err
			}
			next, err := n.WithExpressions(to)
			return next, transform.NewTree, err
		case *plan.SetOp:
			limit, same, err := limitParameter(n.Limit)
			if err != nil {
				return n, transform.SameTree, err
			}
			offset, sameOffset, err := limitParameter(n.Offset)
			if same && sameOffset || err != nil {
				return n, transform.SameTree, err
			}
			return n.WithLimit(limit).WithOffset(offset), transform.NewTree, nil
		}
		return n, transform.SameTree, nil
	})
}

func limitParameter(e sql.Expression) (to sql.Expression, same transform.TreeIdentity, err error) {
	l, ok := e.(*expression.Literal)
	if !ok {
		return e, transform.SameTree, nil
	}
	switch v := l.Value().(type) {
	case nil:
		return expression.NewLiteral(int64(0), types.Int64), transform.NewTree, nil
	case int64:
		if v < 0 {
			return e, transform.SameTree, mysql.NewSQLError(1210, "HY000", "Incorrect arguments to EXECUTE")
		}
	}
	return e, transform.SameTree, nil
}

package sqlbackend

import (
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/analyzer"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/transform"
	"github.com/dolthub/go-mysql-server/sql/types"
)

// decimalsRule notes the decimals of a statement's TIMESTAMP columns, which the engine's description of a result leaves
// out. It changes nothing. The whole statement comes behind its subqueries.
func decimalsRule(ctx *sql.Context, _ *analyzer.Analyzer, n sql.Node, _ *plan.Scope, _ analyzer.RuleSelector, _ *sql.QueryFlags) (sql.Node, transform.TreeIdentity, error) {
	s, ok := ctx.Session.(*Session)
	if !ok {
		return n, transform.SameTree, nil
	}
	s.decimals = s.decimals[:0]
	for i, c := range n.Schema() {
		t, ok := c.Type.(sql.DatetimeType)
		if !ok || !types.IsTimestampType(c.Type) || t.Precision() == 0 {
			continue
		}
		for len(s.decimals) <= i {
			s.decimals = append(s.decimals, 0)
		}
		s.decimals[i] = uint32(t.Precision())
	}
	return n, transform.SameTree, nil
}

// ResultDecimals tells how many decimals the seconds have in a TIMESTAMP column of the running statement's result.
func (s *Session) ResultDecimals(column int) uint32 {
	if column >= len(s.decimals) {
		return 0
	}
	return s.decimals[column]
}

package session

import (
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/analyzer"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/transform"
	"github.com/dolthub/go-mysql-server/sql/types"

	"github.com/sqlfdb/sqlfdb/sqlbackend/value"
)

// DecimalsRule notes the decimals of a statement's TIMESTAMP and TIME columns. It changes nothing, and skips
// subqueries that are planned while rows are computed: the notes may be in use to send rows. The whole statement is
// planned after its subqueries.
func DecimalsRule(ctx *sql.Context, _ *analyzer.Analyzer, n sql.Node, _ *plan.Scope, _ analyzer.RuleSelector,
	_ *sql.QueryFlags) (sql.Node, transform.TreeIdentity, error) {
	s, ok := ctx.Session.(*Session)
	if !ok || s.Planning.Evaluating() {
		return n, transform.SameTree, nil
	}
	s.Planning.Results.Decimals = s.Planning.Results.Decimals[:0]
	for i, c := range n.Schema() {
		digits := 0
		switch t := c.Type.(type) {
		case value.TimeType:
			digits = t.Digits
		case types.TimeType: // a computed one, whose decimals are not known
			digits = 6
		case sql.DatetimeType:
			if types.IsTimestampType(t) {
				digits = t.Precision()
			}
		}
		if digits == 0 {
			continue
		}
		s.Planning.Results.Decimals = value.Fill(s.Planning.Results.Decimals, i)
		s.Planning.Results.Decimals[i] = uint32(digits)
	}
	return n, transform.SameTree, nil
}

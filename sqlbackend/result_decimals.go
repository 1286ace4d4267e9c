package sqlbackend

import (
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/analyzer"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/transform"
	"github.com/dolthub/go-mysql-server/sql/types"

	"github.com/sqlfdb/sqlfdb/sqlbackend/value"
)

// decimalsRule notes the decimals of a statement's TIMESTAMP and TIME columns. It changes nothing, and notes nothing of
// subqueries that are planned while rows are computed: whoever sends the rows may be reading. The whole statement comes
// behind its subqueries.
func decimalsRule(ctx *sql.Context, _ *analyzer.Analyzer, n sql.Node, _ *plan.Scope, _ analyzer.RuleSelector,
	_ *sql.QueryFlags) (sql.Node, transform.TreeIdentity, error) {
	s, ok := ctx.Session.(*Session)
	if !ok || s.evaluating > 0 {
		return n, transform.SameTree, nil
	}
	s.results.Decimals = s.results.Decimals[:0]
	for i, c := range n.Schema() {
		digits := 0
		switch t := c.Type.(type) {
		case value.TimeType:
			digits = t.Digits
		case types.TimeType: // a computed one: not known
			digits = 6
		case sql.DatetimeType:
			if types.IsTimestampType(t) {
				digits = t.Precision()
			}
		}
		if digits == 0 {
			continue
		}
		s.results.Decimals = value.Fill(s.results.Decimals, i)
		s.results.Decimals[i] = uint32(digits)
	}
	return n, transform.SameTree, nil
}

// NoteTables notes what a statement calls the tables of its result's columns before it is merged with them, and after.
func (s *Session) NoteTables(before, after sql.Schema) {
	s.results.Tables = nil
	for i, c := range before {
		if c.Source == "" || i >= len(after) || after[i].Source == c.Source {
			continue
		}
		s.results.Tables = value.Fill(s.results.Tables, i)
		s.results.Tables[i] = c.Source
	}
}

// ResultColumn tells of a column of the running statement's result.
func (s *Session) ResultColumn(i int) (c value.ResultColumn) {
	if i < len(s.results.Decimals) {
		c.Decimals = s.results.Decimals[i]
	}
	if i < len(s.results.Tables) {
		c.Table = s.results.Tables[i]
	}
	return c
}

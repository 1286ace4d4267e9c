package sqlbackend

import (
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/analyzer"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/transform"
	"github.com/dolthub/go-mysql-server/sql/types"
)

// ResultColumn is what the engine's description of a result's column leaves out.
type ResultColumn struct {
	Decimals uint32 // how many the seconds of a TIMESTAMP have
	Table    string // what the statement calls a view or derived table of which the column is; empty for others
}

// resultColumns are those of the statement that was planned last.
type resultColumns struct {
	decimals []uint32
	tables   []string
}

// decimalsRule notes the decimals of a statement's TIMESTAMP columns. It changes nothing, and notes nothing of subqueries that are planned while
// rows are computed: whoever sends the rows may be reading. The whole statement comes behind its
// subqueries.
func decimalsRule(ctx *sql.Context, _ *analyzer.Analyzer, n sql.Node, _ *plan.Scope, _ analyzer.RuleSelector, _ *sql.QueryFlags) (sql.Node, transform.TreeIdentity, error) {
	s, ok := ctx.Session.(*Session)
	if !ok || s.evaluating > 0 {
		return n, transform.SameTree, nil
	}
	s.results.decimals = s.results.decimals[:0]
	for i, c := range n.Schema() {
		t, ok := c.Type.(sql.DatetimeType)
		if !ok || !types.IsTimestampType(c.Type) || t.Precision() == 0 {
			continue
		}
		s.results.decimals = fill(s.results.decimals, i)
		s.results.decimals[i] = uint32(t.Precision())
	}
	return n, transform.SameTree, nil
}

// noteTables notes what a statement calls the tables of its result's columns before it is merged with them, and after.
func (s *Session) noteTables(before, after sql.Schema) {
	s.results.tables = nil
	for i, c := range before {
		if c.Source == "" || i >= len(after) || after[i].Source == c.Source {
			continue
		}
		s.results.tables = fill(s.results.tables, i)
		s.results.tables[i] = c.Source
	}
}

// fill is a list that has an element at i.
func fill[T any](list []T, i int) []T {
	for len(list) <= i {
		var none T
		list = append(list, none)
	}
	return list
}

// ResultColumn tells of a column of the running statement's result.
func (s *Session) ResultColumn(i int) (c ResultColumn) {
	if i < len(s.results.decimals) {
		c.Decimals = s.results.decimals[i]
	}
	if i < len(s.results.tables) {
		c.Table = s.results.tables[i]
	}
	return c
}

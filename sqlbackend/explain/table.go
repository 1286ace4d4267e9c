package explain

import (
	"cmp"
	"slices"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"

	"github.com/sqlfdb/sqlfdb/sqlbackend/table"
)

// tableRows is EXPLAIN without a format: MySQL's table, a row for each table of
// the statement.
func (n *explainedNode) tableRows() []sql.Row {
	var rows []sql.Row
	n.each(func(n *explainedNode) {
		if n.Table != "" || len(n.children) == 0 && len(n.Extra) > 0 {
			rows = append(rows, n.tableRow())
		}
	})
	// 0 is last
	slices.SortStableFunc(rows, func(a, b sql.Row) int { return cmp.Compare(a[0].(uint64)-1, b[0].(uint64)-1) })
	for _, row := range rows {
		if row[0] == uint64(0) {
			row[0] = nil
		}
	}
	return rows
}

// tableRow is the row of one table. Columns of which nothing is known are NULL.
func (n *explainedNode) tableRow() sql.Row {
	var possible, rows, filtered any
	if n.Table != "" && n.At != nil {
		filtered = 100.0
	}
	estimate := n.Estimate
	residual := n.filtered
	if p := n.Path; p != nil {
		if keys := p.PossibleKeys(); keys != "" {
			possible = keys
		}
		if estimate == nil {
			estimate = p.ChosenEstimate()
		}
		residual = residual || len(p.Residual) > 0
	}
	if estimate != nil {
		rows = uint64(estimate.Keys)
	}
	extra := slices.Concat(n.extraFirst(residual), n.Extra, n.above)
	if residual {
		filtered = nil
		if n.Path != nil && n.Path.Documents > 0 && len(n.Path.Residual) > 0 {
			if share, ok := n.Path.FilteredShare(); ok {
				filtered = float64(int(share*10000+0.5)) / 100
			}
		}
	}
	return sql.Row{
		n.selectID, n.kind, textOrNull(n.Table), nil, textOrNull(n.Access), possible, textOrNull(n.Key), nil,
		textOrNull(n.Ref), rows, filtered, strings.Join(distinctTexts(extra), "; "),
	}
}

// extraFirst are the texts that MySQL shows first in Extra.
func (n *explainedNode) extraFirst(residual bool) []string {
	var extra []string
	if n.Path != nil {
		if why := n.Path.Empty(); why != "" {
			extra = append(extra, why)
		}
	}
	if residual {
		extra = append(extra, "Using where")
	}
	if n.EntriesOnly {
		extra = append(extra, "Using index")
	}
	return extra
}

func distinctTexts(list []string) []string {
	var out []string
	for _, s := range list {
		out = table.AppendNew(out, s)
	}
	return out
}

func textOrNull(s string) any {
	if s == "" {
		return nil
	}
	return s
}

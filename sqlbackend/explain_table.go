package sqlbackend

import (
	"cmp"
	"slices"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
)

// tableRows is EXPLAIN without a format: MySQL's table, a row for each table of
// the statement.
func (n *explainedNode) tableRows() []sql.Row {
	var rows []sql.Row
	n.each(func(n *explainedNode) {
		if n.table != "" || len(n.children) == 0 && len(n.extra) > 0 {
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
	if n.table != "" && n.at != nil {
		filtered = 100.0
	}
	estimate := n.estimate
	residual := n.filtered
	if p := n.path; p != nil {
		if keys := p.possibleKeys(); keys != "" {
			possible = keys
		}
		if estimate == nil {
			estimate = p.chosenEstimate()
		}
		residual = residual || len(p.residual) > 0
	}
	if estimate != nil {
		rows = uint64(estimate.Keys)
	}
	extra := slices.Concat(n.extraFirst(residual), n.extra, n.above)
	if residual {
		filtered = nil
		if n.path != nil && n.path.documents > 0 && len(n.path.residual) > 0 {
			if share, ok := n.path.filteredShare(); ok {
				filtered = float64(int(share*10000+0.5)) / 100
			}
		}
	}
	return sql.Row{
		n.selectID, n.kind, textOrNull(n.table), nil, textOrNull(n.access), possible, textOrNull(n.key), nil,
		textOrNull(n.ref), rows, filtered, strings.Join(distinctTexts(extra), "; "),
	}
}

// extraFirst is what MySQL tells first in Extra.
func (n *explainedNode) extraFirst(residual bool) []string {
	var extra []string
	if n.path != nil {
		if why := n.path.empty(); why != "" {
			extra = append(extra, why)
		}
	}
	if residual {
		extra = append(extra, "Using where")
	}
	if n.entriesOnly {
		extra = append(extra, "Using index")
	}
	return extra
}

// possibleKeys lists the indexes of all candidates.
func (p *accessPath) possibleKeys() string {
	var names []string
	for _, c := range p.split {
		for _, part := range c.Parts {
			names = appendNew(names, indexName(part))
		}
	}
	return strings.Join(names, ",")
}

func distinctTexts(list []string) []string {
	var out []string
	for _, s := range list {
		out = appendNew(out, s)
	}
	return out
}

func textOrNull(s string) any {
	if s == "" {
		return nil
	}
	return s
}

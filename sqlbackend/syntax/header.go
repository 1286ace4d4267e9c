package syntax

import (
	"cmp"
	"slices"
	"strings"

	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"github.com/sqlfdb/sqlfdb/sqlbackend/statement"
)

// namedAsWritten names the columns of a result as they stand in a text that has been parsed in another spelling: with
// those replacements, of which each place is one in the text.
func namedAsWritten(stmt ast.Statement, text string, e Edits) {
	if len(e) == 0 {
		return
	}
	spelled, parsed := e.ordered(), e.Apply(text)
	_ = statement.Walk(func(n ast.SQLNode) (bool, error) {
		a, ok := n.(*ast.AliasedExpr)
		if !ok || a.InputExpression == "" || a.StartParsePos >= a.EndParsePos {
			return true, nil
		}
		switch a.Expr.(type) {
		case *ast.SQLVal, *ast.ColName: // these have names of their own
			return true, nil
		}
		if a.EndParsePos > len(parsed) ||
			trimmedItem(parsed[a.StartParsePos:a.EndParsePos]) != trimmedItem(a.InputExpression) {
			return true, nil // it has been named in another text
		}
		if start, end, changed := spelled.written(a.StartParsePos, a.EndParsePos); changed && end <= len(text) {
			a.InputExpression = trimmedItem(text[start:end])
		}
		return true, nil
	}, stmt)
}

// trimmedItem is an item of a list without what stands between items.
func trimmedItem(text string) string { return strings.Trim(text, ", \t\r\n") }

// ordered are the replacements that Apply makes, in their order.
func (e Edits) ordered() Edits {
	ordered := slices.Clone(e)
	slices.SortStableFunc(ordered, func(a, b replacement) int { return cmp.Compare(a.start, b.start) })
	pos := 0
	return slices.DeleteFunc(ordered, func(r replacement) bool {
		if r.start < pos {
			return true
		}
		pos = r.end
		return false
	})
}

// written is where a part of the text that ordered replacements have made stood before them, and whether they changed
// it.
func (e Edits) written(start, end int) (from, to int, changed bool) {
	longer, from, to := 0, -1, -1
	for _, r := range e {
		first := r.start + longer // of the replacement
		last := first + len(r.with)
		if from < 0 && start < last {
			from = min(start-longer, r.start)
		}
		if to < 0 && end <= first {
			to = end - longer
			break
		}
		if last > start && first < end {
			changed = true
		}
		if to < 0 && end < last {
			to = r.end
			break
		}
		longer += len(r.with) - (r.end - r.start)
	}
	if from < 0 {
		from = start - longer
	}
	if to < 0 {
		to = end - longer
	}
	return from, to, changed
}

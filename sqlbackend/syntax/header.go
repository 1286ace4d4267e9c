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

// place is where a place in the text that replacements have made was before them.
func (e Edits) place(at int) int {
	_, to, _ := e.ordered().written(0, at)
	return to
}

// definitionAsWritten makes the places of what a definition defines those in the text before replacements.
func (e Edits) definitionAsWritten(stmt ast.Statement) {
	if d, ok := stmt.(*ast.DDL); ok && d.SubStatementPositionEnd > 0 {
		d.SubStatementPositionStart, d.SubStatementPositionEnd = e.place(d.SubStatementPositionStart),
			e.place(d.SubStatementPositionEnd)
	}
}

// maxNamedEscapes bounds the work of namesAsWritten, which looks at all replacements for each column.
const maxNamedEscapes = 1000

// namesAsWritten is namedAsWritten of wildcardEscapes, also where other replacements were made behind them: in a text
// that has no two backslashes before a wildcard, those in a name are of one.
func (e Edits) namesAsWritten(stmt ast.Statement, text string) {
	if strings.Contains(text, `\\%`) || strings.Contains(text, `\\_`) {
		if len(e) <= maxNamedEscapes {
			namedAsWritten(stmt, text, e)
		}
		return
	}
	plain := strings.NewReplacer(`\\%`, `\%`, `\\_`, `\_`)
	name := func(n ast.SQLNode) (bool, error) {
		if a, ok := n.(*ast.AliasedExpr); ok {
			a.InputExpression = plain.Replace(a.InputExpression)
			if name := plain.Replace(a.As.String()); name != a.As.String() {
				a.As = ast.NewColIdent(name)
			}
		}
		return true, nil
	}
	_ = statement.Walk(name, stmt)
	if d, ok := stmt.(*ast.DDL); ok {
		if d.ViewSpec != nil {
			_ = statement.Walk(name, d.ViewSpec.ViewExpr)
		}
		if d.OptSelect != nil {
			_ = statement.Walk(name, d.OptSelect.Select)
		}
	}
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

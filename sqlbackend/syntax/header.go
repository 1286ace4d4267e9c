package syntax

import (
	"cmp"
	"slices"
	"strings"

	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"github.com/sqlfdb/sqlfdb/sqlbackend/statement"
)

// namedAsWritten names the columns of a result as they stand in the user's text, where another spelling of it has
// been parsed. The edits lead from that text to the parsed one.
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
		case *ast.SQLVal, *ast.ColName: // these have other names
			return true, nil
		}
		if a.EndParsePos > len(parsed) ||
			trimmedItem(parsed[a.StartParsePos:a.EndParsePos]) != trimmedItem(a.InputExpression) {
			return true, nil // it has its name from another text
		}
		if start, end, changed := spelled.written(a.StartParsePos, a.EndParsePos); changed && end <= len(text) {
			a.InputExpression = trimmedItem(text[start:end])
		}
		return true, nil
	}, stmt)
}

// place returns the position before the edits of a position after them.
func (e Edits) place(at int) int {
	_, to, _ := e.ordered().written(0, at)
	return to
}

// definitionAsWritten sets the positions of a definition's query to those before the edits.
func (e Edits) definitionAsWritten(stmt ast.Statement) {
	if d, ok := stmt.(*ast.DDL); ok && d.SubStatementPositionEnd > 0 {
		d.SubStatementPositionStart, d.SubStatementPositionEnd = e.place(d.SubStatementPositionStart),
			e.place(d.SubStatementPositionEnd)
	}
}

// maxNamedEscapes bounds the work of namesAsWritten, which looks at all edits for each column.
const maxNamedEscapes = 1000

// namesAsWritten is namedAsWritten for the edits of wildcardEscapes, even if other edits were made after them. If the
// text has no two backslashes before a wildcard, two in a name come from one.
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

// trimmedItem returns an item of a list without separators and spaces around it.
func trimmedItem(text string) string { return strings.Trim(text, ", \t\r\n") }

// ordered returns the edits that Apply makes, in their order.
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

// written returns the positions before ordered edits of a part of the text after them, and whether they changed it.
func (e Edits) written(start, end int) (from, to int, changed bool) {
	longer, from, to := 0, -1, -1
	for _, r := range e {
		first := r.start + longer // start of the replacement
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

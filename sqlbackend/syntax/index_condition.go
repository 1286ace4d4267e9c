package syntax

import (
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"github.com/sqlfdb/sqlfdb/sqlbackend/statement"
)

// translateIfIndex removes the condition of CREATE INDEX IF NOT EXISTS and DROP INDEX IF EXISTS.
func translateIfIndex(text string, tokens []statement.Token) (string, bool) {
	first, last := ifIndex(text, tokens)
	if last == 0 {
		return "", false
	}
	return text[:tokens[first].Start] + text[tokens[last].End:], true
}

// ifIndex returns the range of the condition in such a statement; 0 if it has none.
func ifIndex(text string, tokens []statement.Token) (first, last int) {
	is := func(at int, words ...string) bool {
		for n, w := range words {
			if at+n >= len(tokens) || !tokens[at+n].Is(text, w) {
				return false
			}
		}
		return true
	}
	switch {
	case is(0, "DROP", "INDEX", "IF", "EXISTS"):
		return 2, 3
	case is(0, "CREATE", "INDEX", "IF", "NOT", "EXISTS"):
		return 2, 4
	case is(0, "CREATE", "UNIQUE", "INDEX", "IF", "NOT", "EXISTS"):
		return 3, 5
	case !is(0, "ALTER", "TABLE") || NextClause(text) != "":
		return 0, 0
	}
	at := 3
	if is(at, ".") {
		at += 2
	}
	if is(at, "ADD", "UNIQUE") {
		at++
	}
	switch {
	case is(at+1, "INDEX"), is(at+1, "KEY"):
	default:
		return 0, 0
	}
	switch {
	case is(at, "DROP") && is(at+2, "IF", "EXISTS"):
		return at + 2, at + 3
	case (is(at, "ADD") || is(at, "UNIQUE")) && is(at+2, "IF", "NOT", "EXISTS"):
		return at + 2, at + 4
	}
	return 0, 0
}

// markIfIndex notes the condition of such a statement in its parsed form.
func markIfIndex(stmt ast.Statement, query string) {
	a, ok := stmt.(*ast.AlterTable)
	if !ok || len(a.Statements) != 1 || a.Statements[0].IndexSpec == nil {
		return
	}
	if _, last := ifIndex(query, statement.Tokenize(query)); last > 0 {
		a.Statements[0].IfExists = true
	}
}

package syntax

import (
	"errors"
	"slices"
	"strings"

	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"github.com/sqlfdb/sqlfdb/sqlbackend/statement"
)

// translateStatement rewrites whole statements that the engine's parser does not know.
func translateStatement(text string, tokens []statement.Token) (string, bool) {
	word := func(i int, words string) bool { return i < len(tokens) && tokens[i].Is(text, words) }
	switch {
	case word(0, "DO"):
		return translateDo(text, tokens)
	case word(0, "DESCRIBE"), word(0, "DESC"), word(0, "EXPLAIN"):
		return translateDescribe(text, tokens)
	case word(0, "ALTER") && word(1, "SCHEMA"):
		return "ALTER DATABASE" + text[tokens[1].End:], true
	case word(0, "SHOW") && word(1, "EXTENDED"): // with hidden columns, of which there are none
		return text[:tokens[0].End] + text[tokens[1].End:], true
	case word(0, "SHOW") && word(1, "FULL") && word(2, "TRIGGERS"):
		return text[:tokens[0].End] + text[tokens[1].End:], true
	case word(0, "CREATE"):
		return viewWithoutParentheses(text, tokens)
	case word(0, "ALTER"):
		if at := alteredView(text, tokens); at > 0 {
			return "CREATE OR REPLACE " + text[tokens[1].Start:], true
		}
		if word(1, "TABLE") {
			return splitAdds(text, tokens)
		}
	}
	return "", false
}

// viewWithoutParentheses removes the parentheses around the whole query of a view.
func viewWithoutParentheses(text string, tokens []statement.Token) (string, bool) {
	if last := len(tokens) - 1; tokens[last].Is(text, ";") {
		tokens = tokens[:last]
	}
	view := slices.IndexFunc(tokens[:min(len(tokens), maxBeforeView)],
		func(t statement.Token) bool { return t.Is(text, "VIEW") })
	if view < 0 || !tokens[len(tokens)-1].Is(text, ")") {
		return "", false
	}
	for i := view; i+1 < len(tokens); i++ {
		if !tokens[i].Is(text, "AS") {
			continue
		}
		depth, open := 0, i+1
		for j, t := range tokens[open:] {
			switch {
			case t.Is(text, "("):
				depth++
			case t.Is(text, ")"):
				depth--
			}
			if depth == 0 {
				if j == 0 || open+j < len(tokens)-1 {
					return "", false
				}
				return text[:tokens[i].End] + " " + strings.TrimSpace(text[tokens[open].End:t.Start]) + text[t.End:], true
			}
		}
	}
	return "", false
}

// translateOuter removes the parentheses around the whole of a query, also after EXPLAIN.
func translateOuter(text string, tokens []statement.Token, closing func(int) int, e *Edits) {
	word := func(i int, words string) bool { return i < len(tokens) && tokens[i].Is(text, words) }
	at, last := 0, len(tokens)-1
	if word(0, "EXPLAIN") || word(0, "DESCRIBE") || word(0, "DESC") {
		if at = 1; word(at, "ANALYZE") {
			at++
		}
		if word(at, "FORMAT") {
			at += 3 // = and a name
		}
	}
	if word(last, ";") {
		last--
	}
	open := at
	for ; word(open, "(") && closing(open) == last-(open-at); open++ {
	}
	if !word(open, "SELECT") && !word(open, "WITH") && !word(open, "(") {
		return
	}
	for i := at; i < open; i++ {
		e.Add(tokens[i].Start, tokens[i].End, "")
		e.Add(tokens[closing(i)].Start, tokens[closing(i)].End, "")
	}
}

// maxBeforeView bounds the tokens before VIEW: OR REPLACE ALGORITHM = … DEFINER = … SQL SECURITY ….
const maxBeforeView = 16

// resultOfDo is the user variable that DO assigns to: no other statement of the engine evaluates an expression and
// answers with OK.
const resultOfDo = "@`sqlfdb do`"

// translateDo turns DO expression, expression … into SET.
func translateDo(text string, tokens []statement.Token) (string, bool) {
	var sets []string
	depth, start := 0, tokens[0].End
	for i, t := range tokens[1:] {
		switch {
		case t.Is(text, "("):
			depth++
		case t.Is(text, ")"):
			depth--
		case t.Is(text, ",") && depth == 0, t.Is(text, ";") && i == len(tokens)-2:
			sets = append(sets, resultOfDo+" = ("+text[start:t.Start]+")")
			start = t.End
		}
	}
	if last := tokens[len(tokens)-1]; start < last.End {
		sets = append(sets, resultOfDo+" = ("+text[start:last.End]+")")
	}
	return "SET " + strings.Join(sets, ", "), len(sets) > 0
}

// translateDescribe turns DESCRIBE table column, where the column may be a pattern, into SHOW COLUMNS … LIKE.
func translateDescribe(text string, tokens []statement.Token) (string, bool) {
	if last := len(tokens) - 1; tokens[last].Is(text, ";") {
		tokens = tokens[:last]
	}
	at := len(tokens) - 1
	if at != 2 && !(at == 4 && tokens[2].Is(text, ".")) {
		return "", false
	}
	for _, t := range []statement.Token{tokens[1], tokens[at-1]} {
		if _, ok := statement.UnquotedName(text, t); !ok {
			return "", false
		}
	}
	pattern := text[tokens[at].Start:tokens[at].End]
	if tokens[at].Kind != statement.TokenString {
		name, ok := statement.UnquotedName(text, tokens[at])
		if !ok {
			return "", false
		}
		pattern = "'" + strings.NewReplacer("'", "''", `\`, `\\`).Replace(name) + "'"
	}
	return "SHOW COLUMNS FROM " + text[tokens[1].Start:tokens[at-1].End] + " LIKE " + pattern, true
}

// alteredView returns the place of VIEW in ALTER [ALGORITHM = …] [DEFINER = …] [SQL SECURITY …] VIEW; 0 if there is
// none.
func alteredView(text string, tokens []statement.Token) int {
	for i := 1; i < len(tokens); i++ {
		switch {
		case tokens[i].Is(text, "VIEW"):
			return i
		case tokens[i].Is(text, "TABLE"), tokens[i].Is(text, "DATABASE"), tokens[i].Is(text, "SCHEMA"),
			tokens[i].Is(text, "AS"), tokens[i].Is(text, "("):
			return 0
		}
	}
	return 0
}

// markAlterView marks a parsed ALTER VIEW, in its translated form, as one whose view must exist.
func markAlterView(stmt ast.Statement, query string) {
	d, ok := stmt.(*ast.DDL)
	if !ok || d.ViewSpec == nil || !statement.NextToken(query, 0).Is(query, "ALTER") {
		return
	}
	d.IfExists = true
}

// AltersView reports whether a statement was an ALTER VIEW, see markAlterView.
func AltersView(d *ast.DDL) bool { return d.ViewSpec != nil && d.OrReplace && d.IfExists }

// unknownStatements has the beginnings of statements that MySQL has and sqlfdb does not.
var unknownStatements = []string{"XA", "HANDLER", "HELP", "GET", "INSTALL", "UNINSTALL", "CLONE", "RESTART", "SHUTDOWN",
	"PURGE", "BINLOG", "RESET", "CACHE INDEX", "LOAD INDEX", "LOAD XML",
	"IMPORT TABLE", "ALTER INSTANCE", "ALTER SERVER", "CREATE SERVER", "DROP SERVER", "CREATE TABLESPACE",
	"ALTER TABLESPACE", "DROP TABLESPACE", "CREATE LOGFILE", "ALTER FUNCTION", "CREATE FUNCTION",
	"DROP FUNCTION", "LOCK INSTANCE", "UNLOCK INSTANCE", "CREATE AGGREGATE",
	"SHOW PROFILE", "SHOW CREATE FUNCTION"}

// orUnknown returns, for a statement of MySQL's that sqlfdb does not have, an error that says so instead of a syntax
// error. The error is a plain one, like those of statement.TooComplex.
func orUnknown(text string, err error) error {
	tokens := statement.Tokenize(text)
	if len(tokens) > 0 && (tokens[0].Is(text, "INSERT") || tokens[0].Is(text, "REPLACE") || tokens[0].Is(text, "DELETE")) {
		for _, t := range tokens {
			if t.Is(text, "RETURNING") {
				return errors.New("RETURNING is not supported: MySQL has none")
			}
		}
	}
	switch {
	case len(tokens) > maxAssigning:
		if !tokens[0].Is(text, "SET") && assigns(text, tokens) {
			return errAssigning
		}
	case groups(text, tokens):
		return errAssignment
	}
	for _, begin := range unknownStatements {
		words := strings.Fields(begin)
		alike := len(tokens) >= len(words)
		for i, w := range words {
			alike = alike && tokens[i].Is(text, w)
		}
		if alike {
			return errors.New("statements of this kind are not supported: " + begin)
		}
	}
	return err
}

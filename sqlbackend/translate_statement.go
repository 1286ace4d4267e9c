package sqlbackend

import (
	"errors"
	"strings"

	ast "github.com/dolthub/vitess/go/vt/sqlparser"
)

// translateStatement rewrites whole statements that the engine's parser does not know.
func translateStatement(text string, tokens []sqlToken) (string, bool) {
	word := func(i int, words string) bool { return i < len(tokens) && tokens[i].is(text, words) }
	switch {
	case word(0, "DO"):
		return translateDo(text, tokens)
	case word(0, "DESCRIBE"), word(0, "DESC"), word(0, "EXPLAIN"):
		return translateDescribe(text, tokens)
	case word(0, "ALTER"):
		if at := alteredView(text, tokens); at > 0 {
			return "CREATE OR REPLACE " + text[tokens[1].start:], true
		}
	}
	return "", false
}

// resultOfDo is the user variable that DO assigns to: the engine knows no other statement that evaluates and answers with OK.
const resultOfDo = "@`sqlfdb do`"

// translateDo makes SET of DO expression, expression …
func translateDo(text string, tokens []sqlToken) (string, bool) {
	var sets []string
	depth, start := 0, tokens[0].end
	for i, t := range tokens[1:] {
		switch {
		case t.is(text, "("):
			depth++
		case t.is(text, ")"):
			depth--
		case t.is(text, ",") && depth == 0, t.is(text, ";") && i == len(tokens)-2:
			sets = append(sets, resultOfDo+" = ("+text[start:t.start]+")")
			start = t.end
		}
	}
	if last := tokens[len(tokens)-1]; start < last.end {
		sets = append(sets, resultOfDo+" = ("+text[start:last.end]+")")
	}
	return "SET " + strings.Join(sets, ", "), len(sets) > 0
}

// translateDescribe makes SHOW COLUMNS … LIKE of DESCRIBE table column, where the column may be a pattern.
func translateDescribe(text string, tokens []sqlToken) (string, bool) {
	if last := len(tokens) - 1; tokens[last].is(text, ";") {
		tokens = tokens[:last]
	}
	at := len(tokens) - 1
	if at != 2 && !(at == 4 && tokens[2].is(text, ".")) {
		return "", false
	}
	for _, t := range []sqlToken{tokens[1], tokens[at-1]} {
		if _, ok := unquotedName(text, t); !ok {
			return "", false
		}
	}
	pattern := text[tokens[at].start:tokens[at].end]
	if tokens[at].kind != tokenString {
		name, ok := unquotedName(text, tokens[at])
		if !ok {
			return "", false
		}
		pattern = "'" + strings.NewReplacer("'", "''", `\`, `\\`).Replace(name) + "'"
	}
	return "SHOW COLUMNS FROM " + text[tokens[1].start:tokens[at-1].end] + " LIKE " + pattern, true
}

// alteredView is where VIEW stands in ALTER [ALGORITHM = …] [DEFINER = …] [SQL SECURITY …] VIEW; 0: nowhere.
func alteredView(text string, tokens []sqlToken) int {
	for i := 1; i < len(tokens); i++ {
		switch {
		case tokens[i].is(text, "VIEW"):
			return i
		case tokens[i].is(text, "TABLE"), tokens[i].is(text, "DATABASE"), tokens[i].is(text, "SCHEMA"), tokens[i].is(text, "AS"), tokens[i].is(text, "("):
			return 0
		}
	}
	return 0
}

// markAlterView notes at what was read of a translated ALTER VIEW that the view must be there.
func markAlterView(stmt ast.Statement, query string) {
	d, ok := stmt.(*ast.DDL)
	if !ok || d.ViewSpec == nil || !nextToken(query, 0).is(query, "ALTER") {
		return
	}
	d.IfExists = true
}

// altersView reports whether a statement was an ALTER VIEW, see markAlterView.
func altersView(d *ast.DDL) bool { return d.ViewSpec != nil && d.OrReplace && d.IfExists }

// unknownStatements are the beginnings of statements that MySQL has and sqlfdb has not.
var unknownStatements = []string{"XA", "HANDLER", "HELP", "GET", "INSTALL", "UNINSTALL", "CLONE", "RESTART", "SHUTDOWN", "PURGE", "BINLOG", "RESET", "CACHE INDEX", "LOAD INDEX", "LOAD XML",
	"IMPORT TABLE", "ALTER INSTANCE", "ALTER SERVER", "CREATE SERVER", "DROP SERVER", "CREATE TABLESPACE", "ALTER TABLESPACE", "DROP TABLESPACE", "CREATE LOGFILE", "ALTER FUNCTION", "CREATE FUNCTION",
	"DROP FUNCTION", "SET ROLE", "SET DEFAULT ROLE", "LOCK INSTANCE", "UNLOCK INSTANCE", "CREATE AGGREGATE", "SHOW PROFILE", "SHOW CREATE USER", "SHOW CREATE FUNCTION"}

// orUnknown tells of a statement that could not be read that it is one of MySQL's, instead of where the syntax is wrong. The error is a plain one, as tooComplex.
func orUnknown(text string, err error) error {
	tokens := tokenize(text)
	for _, begin := range unknownStatements {
		words := strings.Fields(begin)
		alike := len(tokens) >= len(words)
		for i, w := range words {
			alike = alike && tokens[i].is(text, w)
		}
		if alike {
			return errors.New("statements of this kind are not supported: " + begin)
		}
	}
	return err
}

package syntax

import (
	"slices"
	"strconv"
	"strings"

	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"github.com/sqlfdb/sqlfdb/sqlbackend/functions"
	"github.com/sqlfdb/sqlfdb/sqlbackend/statement"
)

// NextClause returns the text after the next comma outside parentheses, empty if the statement has none.
func NextClause(text string) string {
	depth := 0
	for pos := 0; ; {
		t := statement.NextToken(text, pos)
		switch pos = t.End; {
		case t.Kind == statement.TokenEnd, t.Is(text, ";"):
			return ""
		case t.Is(text, "("):
			depth++
		case t.Is(text, ")"):
			depth--
		case t.Is(text, ",") && depth == 0:
			return text[t.End:]
		}
	}
}

// freeWords are words of the engine's parser that MySQL takes for names. true: before a parenthesis the word is a
// function or a type.
var freeWords = map[string]bool{
	"copy": false, "encrypted": false, "escape": false, "exclusive": false, "inplace": false, "next": false, "off": false,
	"plan": false, "shared": false, "transactional": false, "versioning": false, "yes": false,
	"bit_and": true, "bit_or": true, "bit_xor": true, "format": true, "group_concat": true, "json_arrayagg": true,
	"json_objectagg": true, "now": true, "std": true, "stddev": true, "stddev_pop": true,
	"stddev_samp": true, "substr": true, "substring": true, "var_pop": true, "var_samp": true, "variance": true,
	"vector": true,
}

// translateName puts a word into backquotes that only MySQL takes for a name: one of freeWords, or any after a dot.
func translateName(text string, tokens []statement.Token, i int, e *Edits) bool {
	t := tokens[i]
	if t.Kind != statement.TokenWord {
		return false
	}
	before := func(words ...string) bool {
		for _, w := range words {
			if i > 0 && tokens[i-1].Is(text, w) {
				return true
			}
		}
		return false
	}
	calls := i+1 < len(tokens) && tokens[i+1].Is(text, "(") && !before("INTO", "TABLE", "EXISTS")
	qualified := i > 1 && before(".") && (tokens[i-2].Kind == statement.TokenQuoted ||
		tokens[i-2].Kind == statement.TokenWord)
	function, free := freeWords[strings.ToLower(text[t.Start:t.End])]
	switch {
	case calls && (function || !free), qualified && text[tokens[i-2].Start] == '@':
		return false
	case qualified, onlyName(text, tokens, i):
	case !free, before("ALGORITHM", "LOCK", "FETCH"):
		return false
	case before("=") && (tokens[0].Is(text, "CREATE") || tokens[0].Is(text, "ALTER") || tokens[0].Is(text, "SET")):
		return false // the value of an option, or of a variable
	case before("EXPLAIN", "ANALYZE", "DESCRIBE", "DESC") && i+1 < len(tokens) && tokens[i+1].Is(text, "="):
		return false // FORMAT =
	case t.Is(text, "ESCAPE") && i+1 < len(tokens) &&
		(tokens[i+1].Kind == statement.TokenString || tokens[i+1].Is(text, "?")):
		return false // LIKE … ESCAPE
	}
	name, ok := statement.UnquotedName(text, t)
	if ok {
		e.Add(t.Start, t.End, "`"+name+"`")
	}
	return ok
}

// onlyName reports whether a word stands where MySQL expects a name, but the engine's parser takes no name that is a
// word of its own.
func onlyName(text string, tokens []statement.Token, i int) bool {
	behind := func(back int, words ...string) bool {
		for _, w := range words {
			if i >= back && tokens[i-back].Is(text, w) {
				return true
			}
		}
		return false
	}
	followed := func(words ...string) bool {
		for _, w := range words {
			if i+1 < len(tokens) && tokens[i+1].Is(text, w) {
				return true
			}
		}
		return false
	}
	switch defines := tokens[0].Is(text, "CREATE") || tokens[0].Is(text, "ALTER") || tokens[0].Is(text, "DROP"); {
	case behind(1, "SAVEPOINT"):
		return true
	case !defines:
		return false
	case behind(1, "CONSTRAINT"):
		return followed("UNIQUE", "PRIMARY", "FOREIGN", "CHECK")
	case i == 2 && behind(1, "DATABASE", "SCHEMA"):
		return !tokens[i].Is(text, "IF")
	case i > 2 && behind(1, "EXISTS"):
		return tokens[1].Is(text, "DATABASE") || tokens[1].Is(text, "SCHEMA")
	case !tokens[0].Is(text, "ALTER"):
		return false
	}
	return behind(1, "AFTER") || behind(1, "CHANGE") && !tokens[i].Is(text, "COLUMN") || behind(1, "COLUMN") &&
		behind(2, "CHANGE")
}

// translateSized turns INTERVAL(n, …) without a unit after it into interval_of(n, …). It turns TEXT(n) and BLOB(n)
// into TEXT or TINYTEXT and the like, and YEAR(4) into YEAR.
func translateSized(text string, tokens []statement.Token, i int, closing func(int) int, e *Edits) {
	if i+1 >= len(tokens) || !tokens[i+1].Is(text, "(") {
		return
	}
	end := closing(i + 1)
	t := tokens[i]
	if t.Is(text, "INTERVAL") {
		unit := ""
		if end+1 < len(tokens) {
			unit, _ = statement.UnquotedName(text, tokens[end+1])
		}
		if _, ok := functions.IntervalUnits[strings.TrimPrefix(strings.ToUpper(unit), "SQL_TSI_")]; !ok {
			e.Add(t.End, t.End, "_of")
		}
		return
	}
	if i == 0 || end != i+3 || end >= len(tokens) || !tokens[0].Is(text, "CREATE") && !tokens[0].Is(text, "ALTER") {
		return
	}
	if before := tokens[i-1]; before.Kind != statement.TokenQuoted &&
		(before.Kind != statement.TokenWord || operatorWord(text[before.Start:before.End])) {
		return // it is a call
	}
	size, err := strconv.ParseUint(text[tokens[i+2].Start:tokens[i+2].End], 10, 32)
	word := strings.ToUpper(text[t.Start:t.End])
	switch {
	case err != nil:
	case word == "YEAR" && size == 4:
		e.Add(t.Start, tokens[end].End, word)
	case word != "YEAR":
		if word == "TEXT" {
			size *= functions.LongestCharacter
		}
		prefix := "LONG"
		switch {
		case size < 1<<8:
			prefix = "TINY"
		case size < 1<<16:
			prefix = ""
		case size < 1<<24:
			prefix = "MEDIUM"
		}
		e.Add(t.Start, tokens[end].End, prefix+word)
	}
}

// nationalStrings replaces the N of N'text', which the engine's parser takes for a name, by a space. The text keeps
// its length.
func nationalStrings(query string) string {
	if !strings.Contains(query, "N'") && !strings.Contains(query, "n'") {
		return query
	}
	var out []byte
	tokens := statement.Tokenize(query)
	for i, t := range tokens {
		if i == 0 || t.Kind != statement.TokenString || query[t.Start] != '\'' {
			continue
		}
		if n := tokens[i-1]; n.End == t.Start && n.Is(query, "N") && (i < 2 || !tokens[i-2].Is(query, ".")) {
			if out == nil {
				out = []byte(query)
			}
			out[n.Start] = ' '
		}
	}
	if out == nil {
		return query
	}
	return string(out)
}

// wildcardEscapes keeps the backslash of \% and \_ in texts, which a pattern of LIKE needs: the engine's parser drops
// it, as it does before any letter.
func wildcardEscapes(query string, options ast.ParserOptions) (e Edits) {
	if !strings.Contains(query, `\%`) && !strings.Contains(query, `\_`) {
		return nil
	}
	for _, t := range statement.Tokenize(query) {
		if t.Kind != statement.TokenString || query[t.Start] == '"' && options.AnsiQuotes {
			continue
		}
		for i := t.Start; i+1 < t.End; i++ {
			if query[i] != '\\' {
				continue
			}
			if i++; query[i] == '%' || query[i] == '_' {
				e.Add(i, i, `\`)
			}
		}
	}
	return e
}

// translateUnit puts a unit of several parts after an INTERVAL into backquotes, where the engine's parser takes only
// a name. It removes the prefix of a unit that is the argument of a function, such as SQL_TSI_DAY.
func translateUnit(text string, tokens []statement.Token, i int, e *Edits) bool {
	t := tokens[i]
	if t.Kind != statement.TokenWord || i == 0 {
		return false
	}
	name := strings.ToUpper(text[t.Start:t.End])
	argument := tokens[i-1].Is(text, "(")
	if plain, prefixed := strings.CutPrefix(name, "SQL_TSI_"); prefixed && argument &&
		len(functions.IntervalUnits[plain].Parts) == 1 {
		e.Add(t.Start, t.End, plain)
		return true
	}
	if len(functions.IntervalUnits[name].Parts) < 2 || argument {
		return false
	}
	e.Add(t.Start, t.End, "`"+text[t.Start:t.End]+"`")
	return true
}

// translateRow removes the word ROW from ROW(1, 2), except in VALUES.
func translateRow(text string, tokens []statement.Token, i int, e *Edits) {
	if i == 0 || i+1 >= len(tokens) || !tokens[i+1].Is(text, "(") || tokens[i-1].Is(text, "VALUES") ||
		i > 1 && tokens[i-1].Is(text, ",") && tokens[i-2].Is(text, ")") && statement.Holds(text, "values") {
		return
	}
	e.Add(tokens[i].Start, tokens[i].End, "")
}

// translateExists removes the second pair of parentheses in EXISTS ((SELECT …)).
func translateExists(text string, tokens []statement.Token, i int, closing func(int) int, e *Edits) {
	if i+3 >= len(tokens) || !tokens[i+1].Is(text, "(") || !tokens[i+2].Is(text, "(") {
		return
	}
	if end := closing(i + 2); end == closing(i+1)-1 {
		e.Add(tokens[i+2].Start, tokens[i+2].End, "")
		e.Add(tokens[end].Start, tokens[end].End, "")
	}
}

// translateEnclosed removes the parentheses from (SELECT …) ORDER BY … and LIMIT, where the SELECT has no such clause
// of its own.
func translateEnclosed(text string, tokens []statement.Token, closing func(int) int, e *Edits) {
	if !tokens[0].Is(text, "(") || len(tokens) < 2 || !tokens[1].Is(text, "SELECT") {
		return
	}
	end := closing(0)
	if end+1 >= len(tokens) || !tokens[end+1].Is(text, "ORDER") && !tokens[end+1].Is(text, "LIMIT") {
		return
	}
	for i := 1; i < end; i++ {
		switch t := tokens[i]; {
		case t.Is(text, "("):
			i = closing(i)
		case t.Is(text, "ORDER"), t.Is(text, "LIMIT"), t.Is(text, "UNION"), t.Is(text, "INTERSECT"), t.Is(text, "EXCEPT"),
			t.Is(text, "INTO"), t.Is(text, "FOR"), t.Is(text, "LOCK"):
			return
		}
	}
	e.Add(tokens[0].Start, tokens[0].End, "")
	e.Add(tokens[end].Start, tokens[end].End, "")
}

// modifiers are words after a statement's first one that say how to run it, and change nothing here. A DELETE IGNORE
// fails if a foreign key prevents it.
var modifiers = map[string][]string{
	"INSERT":  {"LOW_PRIORITY", "HIGH_PRIORITY", "DELAYED"},
	"REPLACE": {"LOW_PRIORITY", "DELAYED"},
	"UPDATE":  {"LOW_PRIORITY"},
	"DELETE":  {"LOW_PRIORITY", "QUICK", "IGNORE"},
	"SELECT":  {"SQL_SMALL_RESULT", "SQL_BIG_RESULT", "SQL_BUFFER_RESULT", "HIGH_PRIORITY"},
}

// ignoredModifier reports whether a word is one of modifiers; other modifiers may stand between it and the
// statement's first word.
func ignoredModifier(text string, tokens []statement.Token, i int) bool {
	t := tokens[i]
	if i == 0 || t.Kind != statement.TokenWord {
		return false
	}
	first := i - 1
	for first > 0 && slices.ContainsFunc([]string{"ALL", "DISTINCT", "DISTINCTROW", "STRAIGHT_JOIN", "HIGH_PRIORITY",
		"SQL_SMALL_RESULT", "SQL_BIG_RESULT", "SQL_BUFFER_RESULT", "SQL_NO_CACHE", "SQL_CALC_FOUND_ROWS",
		"LOW_PRIORITY", "QUICK"}, func(word string) bool { return tokens[first].Is(text, word) }) {
		first--
	}
	return slices.ContainsFunc(modifiers[strings.ToUpper(text[tokens[first].Start:tokens[first].End])],
		func(word string) bool { return t.Is(text, word) })
}

package sqlbackend

import (
	"strings"

	"github.com/sqlfdb/sqlfdb/sqlbackend/statement"
)

// freeWords are words of the engine's parser that MySQL takes for names. true: the name of a function too, or of a type, before a parenthesis.
var freeWords = map[string]bool{
	"copy": false, "encrypted": false, "escape": false, "exclusive": false, "inplace": false, "next": false, "off": false, "plan": false, "shared": false, "transactional": false, "versioning": false, "yes": false,
	"bit_and": true, "bit_or": true, "bit_xor": true, "format": true, "group_concat": true, "json_arrayagg": true, "json_objectagg": true, "now": true, "std": true, "stddev": true, "stddev_pop": true,
	"stddev_samp": true, "substr": true, "substring": true, "var_pop": true, "var_samp": true, "variance": true, "vector": true,
}

// translateName puts a word into backquotes that is a name for MySQL alone: one of freeWords, or any behind a dot.
func translateName(text string, tokens []statement.Token, i int, e *edits) bool {
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
	qualified := i > 1 && before(".") && (tokens[i-2].Kind == statement.TokenQuoted || tokens[i-2].Kind == statement.TokenWord)
	function, free := freeWords[strings.ToLower(text[t.Start:t.End])]
	switch {
	case calls && (function || !free), qualified && text[tokens[i-2].Start] == '@':
		return false
	case qualified:
	case !free, before("ALGORITHM", "LOCK", "FETCH"):
		return false
	case before("=") && (tokens[0].Is(text, "CREATE") || tokens[0].Is(text, "ALTER") || tokens[0].Is(text, "SET")):
		return false // the value of an option, or of a variable
	case before("EXPLAIN", "ANALYZE", "DESCRIBE", "DESC") && i+1 < len(tokens) && tokens[i+1].Is(text, "="):
		return false // FORMAT =
	case t.Is(text, "ESCAPE") && i+1 < len(tokens) && (tokens[i+1].Kind == statement.TokenString || tokens[i+1].Is(text, "?")):
		return false // LIKE … ESCAPE
	}
	name, ok := statement.UnquotedName(text, t)
	if ok {
		e.add(t.Start, t.End, "`"+name+"`")
	}
	return ok
}

// translateUnit puts a unit of several parts behind an INTERVAL into backquotes, where the engine's parser takes a name alone, and takes
// the prefix from one that is the argument of a function, such as SQL_TSI_DAY.
func translateUnit(text string, tokens []statement.Token, i int, e *edits) bool {
	t := tokens[i]
	if t.Kind != statement.TokenWord || i == 0 {
		return false
	}
	name := strings.ToUpper(text[t.Start:t.End])
	argument := tokens[i-1].Is(text, "(")
	if plain, prefixed := strings.CutPrefix(name, "SQL_TSI_"); prefixed && argument && len(intervalUnits[plain].parts) == 1 {
		e.add(t.Start, t.End, plain)
		return true
	}
	if len(intervalUnits[name].parts) < 2 || argument {
		return false
	}
	e.add(t.Start, t.End, "`"+text[t.Start:t.End]+"`")
	return true
}

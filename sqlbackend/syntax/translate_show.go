package syntax

import "github.com/sqlfdb/sqlfdb/sqlbackend/statement"

// translateShow rewrites statements of SHOW that the engine's parser refuses. A SHOW of things that sqlfdb does not
// have returns no rows.
func translateShow(text string, tokens []statement.Token) (string, bool) {
	word := func(i int, words string) bool { return i < len(tokens) && tokens[i].Is(text, words) }
	if !word(0, "SHOW") {
		return "", false
	}
	switch {
	case word(1, "STORAGE") && word(2, "ENGINES"):
		return "SHOW ENGINES", true
	case word(1, "OPEN") && word(2, "TABLES"):
		return "SELECT '' AS `Database`, '' AS `Table`, 0 AS `In_use`, 0 AS `Name_locked` FROM dual WHERE FALSE", true
	case word(1, "ENGINE") && len(tokens) > 3 && (word(3, "STATUS") || word(3, "MUTEX") || word(3, "LOGS")):
		return "SELECT '' AS `Type`, '' AS `Name`, '' AS `Status` FROM dual WHERE FALSE", true
	case word(1, "PROFILES"):
		return "SELECT 0 AS `Query_ID`, 0 AS `Duration`, '' AS `Query` FROM dual WHERE FALSE", true
	case word(1, "TABLE") && word(2, "STATUS"):
		var e Edits
		for i := 3; i < len(tokens); i++ {
			if word(i, "ROWS") { // a column of the result, and a word of the parser's
				e.Add(tokens[i].Start, tokens[i].End, "`Rows`")
			}
		}
		return e.Apply(text), len(e) > 0
	}
	return "", false
}

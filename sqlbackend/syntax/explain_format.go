package syntax

import (
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/vitess/go/mysql"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"github.com/sqlfdb/sqlfdb/sqlbackend/mysqlerr"
	"github.com/sqlfdb/sqlfdb/sqlbackend/statement"
)

// The engine's parser knows neither FORMAT=JSON nor a format after ANALYZE, and takes ANALYZE only before a SELECT.
// So the text is translated to formats with names of ours, and these to formats that the engine's plan builder knows.
const (
	formatPrefix  = "sqlfdb_"
	formatAnalyze = "analyze_"
	// engineJSON is the format that means JSON in the engine's plans: it sets both flags that a tree's format does
	// not.
	engineJSON = "debug_estimates"
)

// IsJSONFormat reports whether the plan builder has read engineJSON.
func IsJSONFormat(o sql.DescribeOptions) bool { return o.Debug && o.Estimates }

// translateExplain rewrites EXPLAIN [ANALYZE] [FORMAT = name].
func translateExplain(text string, tokens []statement.Token) (string, bool) {
	word := func(i int, words string) bool { return i < len(tokens) && tokens[i].Is(text, words) }
	if !word(0, "EXPLAIN") && !word(0, "DESCRIBE") && !word(0, "DESC") {
		return "", false
	}
	at, name := 1, ""
	analyzes := word(at, "ANALYZE")
	if analyzes {
		at++
		name = "tree"
	}
	if word(at, "FORMAT") && word(at+1, "=") && at+2 < len(tokens) {
		name = strings.ToLower(strings.Trim(text[tokens[at+2].Start:tokens[at+2].End], "'\"`"))
		at += 3
	}
	if name == "" || at >= len(tokens) {
		return "", false
	}
	if analyzes {
		name = formatAnalyze + name
	}
	return "EXPLAIN FORMAT=`" + formatPrefix + strings.ReplaceAll(name, "`", "") + "` " + text[tokens[at].Start:], true
}

// ExplainFormat replaces the format that translateExplain has named by one that the plan builder knows.
func ExplainFormat(e *ast.Explain) error {
	name := strings.ToLower(e.ExplainFormat)
	if name == "" || name == engineJSON {
		return nil
	}
	name = strings.TrimPrefix(name, formatPrefix)
	if rest, analyzes := strings.CutPrefix(name, formatAnalyze); analyzes {
		name, e.Analyze = rest, true
		if _, selects := e.Statement.(ast.SelectStatement); !selects {
			return mysqlerr.Unsupported("EXPLAIN ANALYZE of a statement other than SELECT: it would be executed")
		}
	}
	switch {
	case name == "json":
		e.ExplainFormat = engineJSON
	case name == "tree":
		e.ExplainFormat = ast.TreeStr
	case name == "traditional" && !e.Analyze:
		e.ExplainFormat = ""
	case name == "traditional":
		return mysqlerr.Unsupported("EXPLAIN ANALYZE with the format traditional")
	default:
		return mysql.NewSQLError(1791, "HY000", "Unknown EXPLAIN format name: '%s'", name)
	}
	return nil
}

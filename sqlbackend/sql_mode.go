package sqlbackend

import (
	"strings"

	"github.com/dolthub/go-mysql-server/sql"

	"github.com/sqlfdb/sqlfdb/sqlbackend/setting"
	"github.com/sqlfdb/sqlfdb/sqlbackend/statement"
)

// Plain is a text of a session's client, spelled as it is without SQL modes up to its first semicolon.
func (b *Backend) Plain(connection uint32, text string) (string, error) {
	var v any
	if s, ok := b.Session(connection); ok {
		v, _ = s.GetSessionVariable(nil, setting.Modes)
	} else {
		_, v, _ = sql.SystemVariables.GetGlobal(setting.Modes)
	}
	modes, ok := v.(string)
	if !ok || modes == sql.DefaultSqlMode || modes == "" {
		return text, nil
	}
	on := func(mode string) bool { return strings.Contains(modes, mode) }
	return statement.Dialect{
		Quotes: on("ANSI_QUOTES"), Pipes: on("PIPES_AS_CONCAT"), Backslash: on("NO_BACKSLASH_ESCAPES"),
		HighNot: on("HIGH_NOT_PRECEDENCE"),
	}.Plain(text)
}

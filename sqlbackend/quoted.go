package sqlbackend

import (
	"slices"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"

	"github.com/sqlfdb/sqlfdb/sqlbackend/statement"
)

// quoteColumns puts the names of columns in an expression's text into quotes. The
// engine hands over the expressions of checks, defaults and generated columns with
// plain names, and could not read those with spaces, dots or reserved words again.
func (d *definition) quoteColumns(text string) string {
	if text == "" {
		return ""
	}
	var names []string
	for i := range d.Columns {
		if name := d.Columns[i].Name; strings.Trim(name, "0123456789.") != "" { // not what may be a number
			names = append(names, name)
		}
	}
	slices.SortFunc(names, func(a, b string) int { return len(b) - len(a) }) // `a b` before `a`
	var out strings.Builder
	for i := 0; i < len(text); {
		if c := text[i]; c == '\'' || c == '"' || c == '`' {
			end := statement.QuotedEnd(text, i)
			out.WriteString(text[i:end])
			i = end
			continue
		}
		name := ""
		if i == 0 || !statement.IsNameByte(text[i-1]) {
			name = statement.NameAt(text[i:], names)
		}
		if name == "" {
			out.WriteByte(text[i])
			i++
			continue
		}
		out.WriteString(sql.QuoteIdentifier(name))
		i += len(name)
	}
	return out.String()
}

package sqlbackend

import (
	"context"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/vitess/go/mysql"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"
)

// longestShown is the length in bytes of a name that is told in full.
const longestShown = 256

// unquotedKeypath explains an unknown table or column by a name with a dot that is
// not in backquotes: customer.name is the column name of a table customer, which
// the statement does not have. It returns nil if there is no such name.
func unquotedKeypath(query string, e *mysql.SQLError) error {
	if e.Num != mysql.ERNoSuchTable && e.Num != mysql.ERBadFieldError {
		return nil
	}
	stmt, _, err := newParser(sql.GlobalParser).ParseOneWithOptions(context.Background(), query, ast.ParserOptions{})
	if err != nil || stmt == nil {
		return nil
	}
	sources := map[string]bool{"new": true, "old": true, "values": true}
	for _, s := range collectNames([]ast.Statement{stmt}).sources {
		sources[s.alias] = true
	}
	var found *ast.ColName
	_ = walkStatement(func(n ast.SQLNode) (bool, error) {
		c, ok := n.(*ast.ColName)
		if ok && found == nil && !c.Qualifier.Name.IsEmpty() && !sources[strings.ToLower(c.Qualifier.Name.String())] {
			found = c
		}
		return found == nil, nil
	}, stmt)
	if found == nil {
		return nil
	}
	first, table := found.Qualifier.DbQualifier.String(), found.Qualifier.Name.String()
	if len(first)+len(table)+len(found.Name.String()) > longestShown {
		return nil
	}
	written, meant := table+"."+found.Name.String(), "`"+table+"."+found.Name.String()+"`"
	if first != "" {
		if sources[strings.ToLower(first)] {
			meant = first + "." + meant
		} else {
			meant = "`" + first + "." + written + "`"
		}
		written = first + "." + written
	}
	return mysql.NewSQLError(mysql.ERBadFieldError, "42S22",
		"Unknown column '%s': the statement has no table '%s'; a keypath is written in backquotes: %s", written, table, meant)
}

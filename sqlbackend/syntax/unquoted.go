package syntax

import (
	"context"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/vitess/go/mysql"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"github.com/sqlfdb/sqlfdb/sqlbackend/statement"
)

// LongestShown is the greatest length in bytes of a name that is shown in full.
const LongestShown = 256

// unquotedKeypath explains an unknown table or column by a name with a dot that is not in backquotes. There
// customer.name is the column name of a table customer, which the statement does not have. It returns nil if there is
// no such name.
func unquotedKeypath(query string, e *mysql.SQLError) error {
	if e.Num != mysql.ERNoSuchTable && e.Num != mysql.ERBadFieldError {
		return nil
	}
	stmt, _, err := NewParser(sql.GlobalParser).ParseOneWithOptions(context.Background(), query, ast.ParserOptions{})
	if err != nil || stmt == nil {
		return nil
	}
	sources := map[string]bool{"new": true, "old": true, "values": true}
	for _, s := range statement.CollectNames([]ast.Statement{stmt}).Sources {
		sources[s.Alias] = true
	}
	var found *ast.ColName
	_ = statement.Walk(func(n ast.SQLNode) (bool, error) {
		c, ok := n.(*ast.ColName)
		if ok && found == nil && !c.Qualifier.Name.IsEmpty() && !sources[strings.ToLower(c.Qualifier.Name.String())] {
			found = c
		}
		return found == nil, nil
	}, stmt)
	if found == nil {
		return notOfGroups(stmt, e)
	}
	first, table := found.Qualifier.DbQualifier.String(), found.Qualifier.Name.String()
	if len(first)+len(table)+len(found.Name.String()) > LongestShown {
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
	meant = strings.Replace(meant, "`_doc.", "`", 1)
	return mysql.NewSQLError(mysql.ERBadFieldError, "42S22",
		"Unknown column '%s': the statement has no table '%s'; a keypath is written in backquotes: %s", written, table, meant)
}

// notOfGroups explains a table that the statement has but HAVING does not see. The plan builder looks there for the
// columns of groups alone, and says that it knows no such table. A table under its own name may really be missing.
func notOfGroups(stmt ast.Statement, e *mysql.SQLError) error {
	missing, ok := strings.CutPrefix(e.Message, "table not found: ")
	if !ok || e.Num != mysql.ERNoSuchTable {
		return nil
	}
	var found *ast.ColName
	_ = statement.Walk(func(n ast.SQLNode) (bool, error) {
		s, ok := n.(*ast.Select)
		if !ok || s.Having == nil || !callsSo(s.From, missing) {
			return found == nil, nil
		}
		walkOutside(s.Having.Expr, func(n ast.SQLNode) bool {
			if c, ok := n.(*ast.ColName); ok && found == nil && strings.EqualFold(c.Qualifier.Name.String(), missing) {
				found = c
			}
			return found == nil
		})
		return found == nil, nil
	}, stmt)
	if found == nil {
		return nil
	}
	return mysql.NewSQLError(mysql.ERBadFieldError, "42S22", "Unknown column '%s.%s' in 'having clause'", missing,
		found.Name.String())
}

// callsSo reports whether a table of a FROM has that name as its alias.
func callsSo(from ast.TableExprs, name string) bool {
	found := false
	_ = statement.Walk(func(n ast.SQLNode) (bool, error) {
		switch n := n.(type) {
		case *ast.Subquery:
			return false, nil
		case *ast.AliasedTableExpr:
			found = found || strings.EqualFold(n.As.String(), name)
		}
		return !found, nil
	}, from)
	return found
}

package sqlbackend

import (
	"errors"
	"fmt"
	"strings"

	"github.com/dolthub/vitess/go/mysql"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"github.com/sqlfdb/sqlfdb/catalog"
	"github.com/sqlfdb/sqlfdb/sqlbackend/statement"
	"github.com/sqlfdb/sqlfdb/sqlbackend/syntax"
)

// errUnknownTable is MySQL's number for a DROP TABLE of a table that there is not.
const errUnknownTable = 1051

// NameMissing gives the error of a table that there is not MySQL's text, and names the table that was probably meant.
// It is called behind the statement.
func (s *Session) NameMissing(err error) error {
	var e *mysql.SQLError
	if !errors.As(err, &e) || e.Num != mysql.ERNoSuchTable && e.Num != errUnknownTable {
		return err
	}
	name := strings.TrimSuffix(strings.TrimPrefix(e.Message, "Unknown table ("), ")")
	name, engines := strings.CutPrefix(name, "table not found: ")
	name, ours := strings.CutSuffix(name, ": table doesn't exist")
	if !engines && !ours || len(name) > syntax.LongestShown {
		return err
	}
	defer s.closeReading()
	view, failed := s.definitions()
	if failed != nil {
		return err
	}
	database := s.namedWith(name)
	if database == "" {
		if in, rest, ok := strings.Cut(name, "."); ok {
			if proper, _, there := view.Database(in); there {
				database, name = proper, rest
			}
		}
	}
	if database == "" {
		if database = s.GetCurrentDatabase(); database == "" {
			return err
		}
	}
	format := "Table '%s.%s' doesn't exist%s"
	if e.Num == errUnknownTable {
		format = "Unknown table '%s.%s'%s"
	}
	return mysql.NewSQLError(e.Num, e.State, format, database, name, meantTable(view, database, name))
}

// namedWith is the database that the command's statements name with a table; empty: none.
func (s *Session) namedWith(name string) string {
	found := ""
	for _, stmt := range s.parsed {
		_ = statement.Walk(func(n ast.SQLNode) (bool, error) {
			if t, ok := n.(ast.TableName); ok && strings.EqualFold(t.Name.String(), name) {
				found = t.DbQualifier.String()
			}
			return found == "", nil
		}, stmt)
		if ddl, ok := stmt.(*ast.DDL); ok && found == "" {
			for _, t := range append(ast.TableNames{ddl.Table}, ddl.FromTables...) {
				if strings.EqualFold(t.Name.String(), name) {
					found = t.DbQualifier.String()
				}
			}
		}
	}
	return found
}

// meantTable is what an error says of the table or view that was probably meant: one of a name like it, or one of its
// name in another database.
func meantTable(view *catalog.View, database, name string) string {
	if meant := statement.Nearest(name, tablesAndViews(view, database)); meant != "" && !strings.EqualFold(meant, name) {
		return fmt.Sprintf("; did you mean '%s'?", meant)
	}
	for _, other := range view.Databases() {
		for _, there := range tablesAndViews(view, other) {
			if strings.EqualFold(there, name) && !strings.EqualFold(other, database) {
				return fmt.Sprintf("; did you mean '%s.%s'?", other, there)
			}
		}
	}
	return ""
}

func tablesAndViews(view *catalog.View, database string) []string {
	var names []string
	for _, t := range view.Tables(database) {
		names = append(names, t.Name)
	}
	for _, v := range view.Views(database) {
		names = append(names, v.Name)
	}
	return names
}

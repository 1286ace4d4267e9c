package sqlbackend

import (
	"errors"
	"fmt"
	"strings"

	"github.com/dolthub/vitess/go/mysql"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"github.com/sqlfdb/sqlfdb/catalog"
	"github.com/sqlfdb/sqlfdb/sqlbackend/privilege"
	"github.com/sqlfdb/sqlfdb/sqlbackend/session"
	"github.com/sqlfdb/sqlfdb/sqlbackend/statement"
	"github.com/sqlfdb/sqlfdb/sqlbackend/syntax"
)

// errUnknownTable is MySQL's number for a DROP TABLE of a table that there is not.
const errUnknownTable = 1051

// nameMissing gives the error of a missing table or database MySQL's text. It names the one that was probably meant,
// among the tables that the session's account may see. It is called after the statement.
func nameMissing(s *session.Session, err error) error {
	var e *mysql.SQLError
	if !errors.As(err, &e) {
		return err
	}
	switch e.Num {
	case mysql.ERBadDb, mysql.ERDbDropExists:
		return nameDatabase(s, e)
	case mysql.ERNoSuchTable, errUnknownTable:
	default:
		return err
	}
	name := strings.TrimSuffix(strings.TrimPrefix(e.Message, "Unknown table ("), ")")
	name, engines := strings.CutPrefix(name, "table not found: ")
	name, ours := strings.CutSuffix(name, ": table doesn't exist")
	if !engines && !ours || len(name) > syntax.LongestShown {
		return err
	}
	defer s.Readers.Close()
	view, failed := s.Readers.Definitions()
	if failed != nil {
		return err
	}
	database := namedWith(s, name)
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
	return mysql.NewSQLError(e.Num, e.State, format, database, name, meantTable(s, view, database, name))
}

// nameDatabase is nameMissing for a database.
func nameDatabase(s *session.Session, e *mysql.SQLError) error {
	_, name, ok := strings.Cut(e.Message, "database not found: ")
	if !ok || len(name) > syntax.LongestShown {
		return e
	}
	format := "Unknown database '%s'%s"
	if e.Num == mysql.ERDbDropExists {
		name, format = strings.TrimSuffix(name, ")"), "Can't drop database '%s'; database doesn't exist%s"
	}
	defer s.Readers.Close()
	view, err := s.Readers.Definitions()
	if err != nil {
		return e
	}
	visible, err := privilege.Sees(s)
	if err != nil {
		return e
	}
	var there []string
	for _, d := range view.Databases() {
		if visible == nil || visible(d, "") {
			there = append(there, d)
		}
	}
	meant := ""
	if near := statement.Nearest(name, there); near != "" {
		meant = fmt.Sprintf("; did you mean '%s'?", near)
	}
	return mysql.NewSQLError(e.Num, e.State, format, name, meant)
}

// namedWith is the database that the command's statements name with a table; empty: none.
func namedWith(s *session.Session, name string) string {
	found := ""
	for _, stmt := range s.Parsed.All {
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

// meantTable is an error's text on the table or view that was probably meant: one of a name like it, or one of its
// name in another database.
func meantTable(s *session.Session, view *catalog.View, database, name string) string {
	visible, err := privilege.Sees(s)
	if err != nil {
		return ""
	}
	seen := func(database string) (names []string) {
		for _, name := range tablesAndViews(view, database) {
			if visible == nil || visible(database, name) {
				names = append(names, name)
			}
		}
		return names
	}
	if meant := statement.Nearest(name, seen(database)); meant != "" && !strings.EqualFold(meant, name) {
		return fmt.Sprintf("; did you mean '%s'?", meant)
	}
	for _, other := range view.Databases() {
		for _, there := range seen(other) {
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

package companion

import (
	"strings"

	"github.com/dolthub/vitess/go/mysql"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"github.com/sqlfdb/sqlfdb/sqlbackend/session"
	"github.com/sqlfdb/sqlfdb/sqlbackend/statement"
)

// MySQL's error numbers for tables that can't be written to.
const (
	ErrNonUpdatable  = 1288
	ErrNonInsertable = 1471
	errWrongObject   = 1347
)

// usesCompanion reports whether the running command may use the companion table of this name. It fails for a command
// that writes to it, as companions are read-only. A command that creates or drops tables does not see them, so that
// a table may have such a name.
func usesCompanion(s *session.Session, database, name string) (bool, error) {
	if len(s.Parsed.All) == 0 {
		return true, nil
	}
	is := func(t ast.TableName) bool { return strings.EqualFold(t.Name.String(), name) }
	any := func(list ast.TableNames) bool {
		for _, t := range list {
			if is(t) {
				return true
			}
		}
		return false
	}
	none := func(operation string) error {
		return mysql.NewSQLError(ErrNonUpdatable, "HY000", "The target table %s of the %s is not updatable", name,
			operation)
	}
	noTable := mysql.NewSQLError(errWrongObject, "HY000",
		"'%s.%s' is not BASE TABLE: it shows the documents of another table", database, name)
	switch stmt := s.Parsed.All[0].(type) {
	case *ast.Insert:
		if is(stmt.Table) {
			return false, mysql.NewSQLError(ErrNonInsertable, "HY000", "The target table %s of the %s is not insertable-into",
				name, strings.ToUpper(stmt.Action))
		}
	case *ast.Load:
		if is(stmt.Table) {
			return false, mysql.NewSQLError(ErrNonInsertable, "HY000",
				"The target table %s of the LOAD is not insertable-into",
				name)
		}
	case *ast.Update:
		if isOnly(stmt.TableExprs, name) {
			return false, none("UPDATE")
		}
	case *ast.Delete:
		if any(stmt.Targets) || len(stmt.Targets) == 0 && isOnly(stmt.TableExprs, name) {
			return false, none("DELETE")
		}
	case *ast.AlterTable:
		if is(stmt.Table) {
			return false, noTable
		}
	case *ast.DDL:
		switch stmt.Action {
		case ast.CreateStr:
			return !is(stmt.Table), nil
		case ast.DropStr:
			return !any(stmt.FromTables), nil
		case ast.RenameStr:
			if any(stmt.FromTables) {
				return false, noTable
			}
			return !any(stmt.ToTables), nil
		}
		if is(stmt.Table) {
			return false, noTable
		}
	}
	return true, nil
}

// isOnly reports whether a FROM names this table and no other.
func isOnly(from ast.TableExprs, name string) bool {
	tables := statement.TableNames(from)
	return len(tables) == 1 && strings.EqualFold(tables[0], name)
}

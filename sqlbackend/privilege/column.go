package privilege

import (
	"slices"

	"github.com/dolthub/vitess/go/mysql"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"github.com/sqlfdb/sqlfdb/catalog"
	"github.com/sqlfdb/sqlfdb/sqlbackend/accounts"
	"github.com/sqlfdb/sqlfdb/sqlbackend/session"
)

// onColumns reports whether an account has the needed privileges on some of the table's columns.
func onColumns(a *accounts.Account, n accounts.Need) bool {
	if n.Database == "" || n.Table == "" {
		return false
	}
	p := a.OnAnyColumn(n.Database, n.Table)
	return n.OfColumns && p != 0 || !n.Any && n.Privileges != 0 && p.Has(n.Privileges)
}

// columnsGranted reports, by an error, whether an account has the privileges that a statement needs on each column
// that it uses of a table.
func columnsGranted(s *session.Session, view *catalog.View, a *accounts.Account, n accounts.Need, stmt ast.Statement,
	current string) error {
	if n.OfColumns {
		return nil
	}
	var failed error
	lookUp := func(database, table string) (names []string, open, ok bool) {
		names, open, ok, err := columnsOf(s, view, database, table)
		if err != nil && failed == nil {
			failed = err
		}
		return names, open, ok
	}
	denied := accounts.TableDenied(a, n.Command, n.Table)
	uses, ok := accounts.UsesOf(stmt, current, n, lookUp)
	if failed != nil {
		return s.SQLError(failed)
	}
	if !ok {
		return denied
	}
	granted := func(column string) bool { return a.OnColumn(n.Database, n.Table, column).Has(n.Privileges) }
	if uses.Whole {
		t, there := view.Table(n.Database, n.Table)
		if !there || t.Open || slices.ContainsFunc(t.Columns, func(c catalog.Column) bool { return !granted(c.Name) }) {
			return denied
		}
	}
	for _, column := range uses.Columns {
		if !granted(column) {
			return mysql.NewSQLError(1143, "42000", "%s command denied to user %s for column '%s' in table '%s'", n.Command,
				a.Spelled(), column, n.Table)
		}
	}
	return nil
}

// columnsOf are the columns that a table has, and the keypaths of its documents if it is open.
func columnsOf(s *session.Session, view *catalog.View, database, table string) (names []string, open, ok bool,
	err error) {
	t, ok := view.Table(database, table)
	if !ok {
		return nil, false, false, nil
	}
	for _, c := range t.Columns {
		if !c.Hidden {
			names = append(names, c.Name)
		}
	}
	if !t.Open {
		return names, false, true, nil
	}
	def, err := s.Backend.Definitions.Of(t)
	if err != nil {
		return nil, false, false, err
	}
	r, err := s.Readers.Plan()
	if err != nil {
		return nil, false, false, err
	}
	keypaths, err := def.Collection.Dictionary().All(r)
	return append(names, keypaths...), true, err == nil, err
}

// Whole makes a function that reports whether the session's account may read all columns of a table; nil: of all
// tables.
func Whole(s *session.Session) (func(database, table string) bool, error) {
	a, err := s.Login.Account()
	if err != nil || a.IsRoot() {
		return nil, err
	}
	return func(database, table string) bool { return a.OnTable(database, table) != 0 }, nil
}

// ShowsColumn reports whether an account may know of a column of a table that it may know of: not where its privileges
// are on others alone.
func ShowsColumn(a *accounts.Account, database, table, column string) bool {
	return a.OnTable(database, table)&^accounts.GrantOption != 0 || a.OnAnyColumn(database, table) == 0 ||
		a.OnColumn(database, table, column)&^accounts.GrantOption != 0
}

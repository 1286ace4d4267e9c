// Package privilege checks the privileges of a session's account, and runs the statements that change accounts and
// roles.
package privilege

import (
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"github.com/sqlfdb/sqlfdb/catalog"
	"github.com/sqlfdb/sqlfdb/sqlbackend/accounts"
	"github.com/sqlfdb/sqlfdb/sqlbackend/session"
)

// Authorize checks whether a session's account may run a statement. Definitions of views that it meets are not
// checked: they read with the rights of their creators, who needed those rights then.
func Authorize(s *session.Session, ctx *sql.Context, stmt ast.Statement) error {
	a, err := s.Login.Account()
	if err != nil || a.IsRoot() {
		return err
	}
	current := ctx.GetCurrentDatabase()
	all, ok := needs(stmt, current)
	if !ok {
		if a.Global().Has(accounts.Super) {
			return nil
		}
		return accounts.Needed("SUPER")
	}
	if len(all) == 0 {
		return nil
	}
	view, err := s.Readers.Definitions()
	if err != nil {
		return s.SQLError(err)
	}
	for _, n := range all {
		if err := Grants(s, view, a, n); err != nil {
			if onColumns(a, n) {
				err = columnsGranted(s, view, a, n, stmt, current)
			}
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// AuthorizeParsed is Authorize for a statement that has just been parsed, unless it is a definition that another one
// has met.
func AuthorizeParsed(s *session.Session, ctx *sql.Context, stmt ast.Statement) error {
	if len(s.Parsed.All) > 0 {
		if _, prepares := s.Parsed.All[0].(*ast.Prepare); !prepares {
			return nil
		}
	}
	if err := Authorize(s, ctx, stmt); err != nil {
		return err
	}
	if x, ok := stmt.(*ast.Execute); ok {
		if prepared, ok := s.Backend.Engine.PreparedDataCache.GetCachedStmt(s.ID(), x.Name); ok {
			return Authorize(s, ctx, prepared)
		}
	}
	return nil
}

// Needing is a statement of ours that lists the privileges that it needs; current is the session's current database.
type Needing interface {
	Needs(current string) []accounts.Need
}

// needs is accounts.Needs, also for the statements that are ours.
func needs(stmt ast.Statement, current string) (all []accounts.Need, ok bool) {
	injected, ours := stmt.(ast.InjectedStatement)
	if !ours {
		return accounts.Needs(stmt, current)
	}
	switch n := injected.Statement.(type) {
	case Needing:
		return n.Needs(current), true
	case *session.TransactionControl, session.FailingStatement, accountStatement:
		return nil, true
	}
	return nil, false
}

// Grants reports, by an error, whether an account has the privileges that a statement needs.
func Grants(s *session.Session, view *catalog.View, a *accounts.Account, n accounts.Need) error {
	has := func(p accounts.Privileges) bool {
		return p.Has(n.Privileges) || n.Any && p&n.Privileges != 0
	}
	switch {
	case n.Database == "" && n.Table == "":
		if !has(a.Global()) {
			return accounts.Needed(strings.Join(n.Privileges.Names(), ", "))
		}
		return nil
	case n.Database == "":
		return nil // no database is selected, as the engine will report
	case n.Table == "" && n.Privileges == 0:
		if !SeesDatabase(a, n.Database) {
			return accounts.DatabaseDenied(a, n.Database)
		}
		return nil
	case n.Table == "":
		if !has(a.OnDatabase(n.Database)) {
			return accounts.DatabaseDenied(a, n.Database)
		}
		return nil
	}
	if reads := n.Privileges == accounts.Select || n.Any; reads && OpenToAll(n.Database, n.Table) {
		return nil
	}
	if n.Shadowed && !Exists(s, view, n.Database, n.Table) {
		return nil
	}
	table := n.Table
	if t, ok := view.Table(n.Database, table); ok && t.Temporary() {
		return nil // the session's own
	}
	if strings.EqualFold(n.Database, session.SystemDatabase) && strings.HasPrefix(table, session.CheckPrefix) {
		return grantsCheck(s, view, a, table)
	}
	if base, ok := CompanionBase(view, n.Database, table); ok {
		table = base
		if n.Privileges&^accounts.Select != 0 && !n.Any {
			n.Privileges |= accounts.Update // it writes the table's documents
		}
	}
	if !has(a.OnTable(n.Database, table)) {
		return accounts.TableDenied(a, n.Command, n.Table)
	}
	return nil
}

// grantsCheck is Grants for CHECK TABLE, which is a SELECT from a table that names others.
func grantsCheck(s *session.Session, view *catalog.View, a *accounts.Account, table string) error {
	parts := strings.Split(table[len(session.CheckPrefix):], session.CheckSeparator)
	for i := 0; i+1 < len(parts); i += 2 {
		database := parts[i]
		if database == "" {
			database = s.GetCurrentDatabase()
		}
		need := accounts.Need{Privileges: accounts.Select, Database: database, Table: parts[i+1], Command: "SELECT"}
		if err := Grants(s, view, a, need); err != nil {
			return err
		}
	}
	return nil
}

// OpenToAll reports whether everybody may read a table of the system; it shows each user only what that user may know
// of.
func OpenToAll(database, table string) bool {
	switch strings.ToLower(database) {
	case sql.InformationSchemaDatabaseName:
		return true
	case session.SystemDatabase:
		return !strings.HasPrefix(table, session.CheckPrefix)
	case "performance_schema":
		table = strings.ToLower(table)
		return strings.HasSuffix(table, "_variables") || strings.HasSuffix(table, "_status") || table == "variables_info"
	}
	return false
}

// SeesDatabase reports whether an account may know of a database.
func SeesDatabase(a *accounts.Account, name string) bool {
	switch strings.ToLower(name) {
	case sql.InformationSchemaDatabaseName, session.SystemDatabase, "performance_schema":
		return true
	}
	return a.SeesDatabase(name)
}

// CompanionBase is the table that a companion table belongs to: the longest name before two underscores that is a
// table's.
func CompanionBase(view *catalog.View, database, name string) (base string, ok bool) {
	if _, there := view.Table(database, name); there {
		return "", false
	}
	if _, there := view.View(database, name); there {
		return "", false
	}
	for i := len(name) - 1; i > 0; i-- {
		if strings.HasPrefix(name[i:], "__") {
			if _, ok := view.Table(database, name[:i]); ok {
				return name[:i], true
			}
		}
	}
	return "", false
}

// Sees makes a function that reports whether the session's account may know of a table, or of a database where table
// is empty; nil: of all.
func Sees(s *session.Session) (func(database, table string) bool, error) {
	a, err := s.Login.Account()
	if err != nil || a.IsRoot() {
		return nil, err
	}
	view, err := s.Readers.Definitions()
	if err != nil {
		return nil, s.SQLError(err)
	}
	return func(database, table string) bool {
		if table == "" {
			return SeesDatabase(a, database)
		}
		if OpenToAll(database, table) {
			return true
		}
		if base, ok := CompanionBase(view, database, table); ok {
			return a.OnTable(database, base) != 0
		}
		return a.SeesTable(database, table)
	}, nil
}

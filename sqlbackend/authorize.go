package sqlbackend

import (
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"github.com/sqlfdb/sqlfdb/catalog"
	"github.com/sqlfdb/sqlfdb/sqlbackend/accounts"
)

// authorize checks whether a session's account may run a statement. Definitions of views that it meets are not checked:
// they read with the rights of who made them, who needed those rights then.
func (s *Session) authorize(ctx *sql.Context, stmt ast.Statement) error {
	a, err := s.account()
	if err != nil || a.IsRoot() {
		return err
	}
	current := ctx.GetCurrentDatabase()
	all, ok := s.needs(stmt, current)
	if !ok {
		if a.Global().Has(accounts.Super) {
			return nil
		}
		return accounts.Needed("SUPER")
	}
	if len(all) == 0 {
		return nil
	}
	view, err := s.definitions()
	if err != nil {
		return s.SQLError(err)
	}
	for _, n := range all {
		if err := s.grants(view, a, n); err != nil {
			return err
		}
	}
	return nil
}

// authorizeParsed is authorize for a statement that has just been parsed, unless it is a definition that another one
// has met.
func (s *Session) authorizeParsed(ctx *sql.Context, stmt ast.Statement) error {
	if len(s.parsed) > 0 {
		if _, prepares := s.parsed[0].(*ast.Prepare); !prepares {
			return nil
		}
	}
	if err := s.authorize(ctx, stmt); err != nil {
		return err
	}
	if x, ok := stmt.(*ast.Execute); ok {
		if prepared, ok := s.backend.Engine.PreparedDataCache.GetCachedStmt(s.ID(), x.Name); ok {
			return s.authorize(ctx, prepared)
		}
	}
	return nil
}

// needs is accounts.Needs, also for the statements that are ours.
func (s *Session) needs(stmt ast.Statement, current string) (all []accounts.Need, ok bool) {
	injected, ours := stmt.(ast.InjectedStatement)
	if !ours {
		return accounts.Needs(stmt, current)
	}
	need := func(p accounts.Privileges, what, database, table string) {
		if database == "" {
			database = current
		}
		all = append(all, accounts.Need{Privileges: p, Database: database, Table: table, Command: what})
	}
	switch n := injected.Statement.(type) {
	case *alterOption:
		need(accounts.Alter, "ALTER", n.database, n.table)
	case *renameTables:
		for _, r := range n.list {
			need(accounts.Alter|accounts.Drop, "ALTER", r.From.Database, r.From.Name)
			need(accounts.Create|accounts.Insert, "CREATE", r.To.Database, r.To.Name)
		}
	case *maintenance:
		for _, t := range n.tables {
			need(accounts.Select|accounts.Insert, "SELECT, INSERT", t.database, t.name)
		}
	case *mapStatement:
		p, what := n.need()
		need(p, what, n.database, n.table)
	case *transactionControl, failingStatement, accountStatement, leftOut:
	default:
		return nil, false
	}
	return all, true
}

// grants reports, by an error, whether an account has what a statement needs.
func (s *Session) grants(view *catalog.View, a *accounts.Account, n accounts.Need) error {
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
		return nil // none is selected, as the engine will say
	case n.Table == "" && n.Privileges == 0:
		if !seesDatabase(a, n.Database) {
			return accounts.DatabaseDenied(a, n.Database)
		}
		return nil
	case n.Table == "":
		if !has(a.OnDatabase(n.Database)) {
			return accounts.DatabaseDenied(a, n.Database)
		}
		return nil
	}
	if reads := n.Privileges == accounts.Select || n.Any; reads && openToAll(n.Database, n.Table) {
		return nil
	}
	if n.Shadowed && !s.exists(view, n.Database, n.Table) {
		return nil
	}
	table := n.Table
	if t, ok := view.Table(n.Database, table); ok && t.Temporary() {
		return nil // the session's own
	}
	if strings.EqualFold(n.Database, systemDatabase) && strings.HasPrefix(table, checkPrefix) {
		return s.grantsCheck(view, a, table)
	}
	if base, ok := companionBase(view, n.Database, table); ok {
		table = base
		if n.Privileges&^accounts.Select != 0 && !n.Any {
			n.Privileges |= accounts.Update // what it writes is the table's documents
		}
	}
	if !has(a.OnTable(n.Database, table)) {
		return accounts.TableDenied(a, n.Command, n.Table)
	}
	return nil
}

// grantsCheck is grants for CHECK TABLE, which is a SELECT from a table that names others.
func (s *Session) grantsCheck(view *catalog.View, a *accounts.Account, table string) error {
	parts := strings.Split(table[len(checkPrefix):], checkSeparator)
	for i := 0; i+1 < len(parts); i += 2 {
		database := parts[i]
		if database == "" {
			database = s.GetCurrentDatabase()
		}
		need := accounts.Need{Privileges: accounts.Select, Database: database, Table: parts[i+1], Command: "SELECT"}
		if err := s.grants(view, a, need); err != nil {
			return err
		}
	}
	return nil
}

// openToAll reports whether everybody may read a table of the system, which shows each what they may know of.
func openToAll(database, table string) bool {
	switch strings.ToLower(database) {
	case sql.InformationSchemaDatabaseName:
		return true
	case systemDatabase:
		return !strings.HasPrefix(table, checkPrefix)
	case "performance_schema":
		table = strings.ToLower(table)
		return strings.HasSuffix(table, "_variables") || strings.HasSuffix(table, "_status") || table == "variables_info"
	}
	return false
}

// seesDatabase reports whether an account may know of a database.
func seesDatabase(a *accounts.Account, name string) bool {
	switch strings.ToLower(name) {
	case sql.InformationSchemaDatabaseName, systemDatabase, "performance_schema":
		return true
	}
	return a.SeesDatabase(name)
}

// companionBase is the table that a companion table is of: what is before two underscores, the longest that there is.
func companionBase(view *catalog.View, database, name string) (base string, ok bool) {
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

// sees tells which tables and databases a session's account may know of; nil: all.
func (s *Session) sees() (func(database, table string) bool, error) {
	a, err := s.account()
	if err != nil || a.IsRoot() {
		return nil, err
	}
	view, err := s.definitions()
	if err != nil {
		return nil, s.SQLError(err)
	}
	return func(database, table string) bool {
		if table == "" {
			return seesDatabase(a, database)
		}
		if openToAll(database, table) {
			return true
		}
		if base, ok := companionBase(view, database, table); ok {
			table = base
		}
		return a.SeesTable(database, table)
	}, nil
}

// MayUse reports, by an error, whether a connection's account may know of a database that it wants to use.
func (b *Backend) MayUse(connection uint32, database string) error {
	s, ok := b.Session(connection)
	if !ok || database == "" {
		return nil
	}
	a, err := s.account()
	if err != nil || a.IsRoot() || seesDatabase(a, database) {
		return err
	}
	return accounts.DatabaseDenied(a, database)
}

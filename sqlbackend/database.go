package sqlbackend

import (
	"errors"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"github.com/sqlfdb/sqlfdb/catalog"
	"github.com/sqlfdb/sqlfdb/sqlbackend/mysqlerr"
	"github.com/sqlfdb/sqlfdb/sqlbackend/rollup"
	"github.com/sqlfdb/sqlfdb/sqlbackend/setting"
	"github.com/sqlfdb/sqlfdb/sqlbackend/syntax"
	"github.com/sqlfdb/sqlfdb/tables"
)

// Database is one database as the running command sees it.
type Database struct {
	noRoutines
	backend   *Backend
	name      string
	collation string
}

var (
	_ sql.Database     = (*Database)(nil)
	_ sql.TableCreator = (*Database)(nil)

	_ sql.TemporaryTableCreator  = (*Database)(nil)
	_ sql.TemporaryTableDatabase = (*Database)(nil)

	_ sql.TableDropper     = (*Database)(nil)
	_ sql.TableRenamer     = (*Database)(nil)
	_ sql.ViewDatabase     = (*Database)(nil)
	_ sql.CollatedDatabase = (*Database)(nil)
	_ sql.SchemaValidator  = (*Database)(nil)

	_ sql.TriggerDatabase         = (*Database)(nil)
	_ sql.StoredProcedureDatabase = (*Database)(nil)
)

// cachedTable is a table made for the running command, with what it was made
// of: more statements parsed may name more columns.
type cachedTable struct {
	def        *catalog.Table
	statements int
	table      sql.Table
}

// Name implements sql.Database.
func (d *Database) Name() string { return d.name }

// GetTableInsensitive implements sql.Database. The engine calls it several
// times per statement.
func (d *Database) GetTableInsensitive(ctx *sql.Context, name string) (sql.Table, bool, error) {
	if d.name == "" {
		return nil, false, nil
	}
	s, err := sessionOf(ctx)
	if err != nil {
		return nil, false, err
	}
	s.useNextAccess()
	view, err := s.definitions()
	if err != nil {
		return nil, false, s.SQLError(err)
	}
	def, ok := view.Table(d.name, name)
	if s.drops() && s.temporaryStatement() && (!ok || !def.Temporary()) {
		return nil, false, nil
	}
	if !ok {
		t, err := d.companion(ctx, s, view, name)
		if err != nil {
			return nil, false, s.SQLError(err)
		}
		return t, t != nil, nil
	}
	key := strings.ToLower(d.name) + "\x00" + strings.ToLower(name)
	if c, ok := s.tables[key]; ok && c.def == def && c.statements == len(s.parsed) {
		return c.table, true, nil
	}
	t, err := d.table(ctx, s, def)
	if errors.Is(err, tables.ErrCollator) && s.drops() {
		return newSystemTable(d.name, def.Name, nil), true, nil
	}
	if err != nil {
		return nil, false, s.SQLError(err)
	}
	if s.tables == nil {
		s.tables = map[string]cachedTable{}
	}
	s.tables[key] = cachedTable{def: def, statements: len(s.parsed), table: t}
	return t, true, nil
}

// table makes a table for the running command.
func (d *Database) table(ctx *sql.Context, s *Session, def *catalog.Table) (*Table, error) {
	full, err := d.backend.definitions.of(def)
	if err != nil {
		return nil, err
	}
	r, err := s.planReader()
	if err != nil {
		return nil, err
	}
	if t, ok := s.GetTransaction().(*Transaction); ok && !t.ended && def.Temporary() {
		if err := t.owns(def); err != nil {
			return nil, err
		}
	}
	find := func(name string) (string, bool, error) { return full.index(r, name) }
	if err := s.resolveHints(ctx, full.Name, find); err != nil {
		return nil, err
	}
	sh, err := s.shapeOf(ctx, full, r)
	if err != nil {
		return nil, err
	}
	t, err := s.newTable(full, r, sh)
	if err != nil {
		return nil, err
	}
	n := s.commandNames()
	t.writes = n.Writes[strings.ToLower(def.Name)]
	if t.writes.Inserts && (t.writes.Whole || len(t.writes.Columns) > 0) {
		t.named = map[string]bool{}
		if t.writes.Whole {
			for i := range t.columns {
				t.named[strings.ToLower(t.columns[i].name)] = true
			}
		}
		for _, c := range t.writes.Columns {
			t.named[strings.ToLower(c)] = true
		}
	}
	return t, nil
}

// GetTableNames implements sql.Database.
func (d *Database) GetTableNames(ctx *sql.Context) ([]string, error) {
	if d.name == "" {
		return nil, nil
	}
	s, err := sessionOf(ctx)
	if err != nil {
		return nil, err
	}
	view, err := s.definitions()
	if err != nil {
		return nil, s.SQLError(err)
	}
	companions := setting.On(ctx, setting.ShowCompanions)
	sees, err := s.sees()
	if err != nil {
		return nil, s.SQLError(err)
	}
	var out []string
	for _, t := range view.Tables(d.name) {
		if sees != nil && !sees(d.name, t.Name) {
			continue
		}
		out = append(out, t.Name)
		if companions {
			more, err := s.companionsOf(view, t)
			if err != nil {
				return nil, s.SQLError(err)
			}
			out = append(out, more...)
		}
	}
	return out, nil
}

// GetCollation implements sql.CollatedDatabase.
func (d *Database) GetCollation(*sql.Context) sql.CollationID { return collationID(d.collation) }

// SetCollation implements sql.CollatedDatabase.
func (d *Database) SetCollation(ctx *sql.Context, collation sql.CollationID) error {
	return changeDefinitions(ctx, func(c *catalog.Change) error {
		return c.AlterDatabase(d.name, collationName(collation))
	})
}

// DropTable implements sql.TableDropper.
func (d *Database) DropTable(ctx *sql.Context, name string) error {
	return dropTables(ctx, []catalog.Name{{Database: d.name, Name: name}})
}

// RenameTable implements sql.TableRenamer.
func (d *Database) RenameTable(ctx *sql.Context, oldName, newName string) error {
	s, err := sessionOf(ctx)
	if err != nil {
		return err
	}
	to := catalog.Name{Database: d.name, Name: newName}
	if alter, ok := s.statement().(*ast.AlterTable); ok {
		for _, x := range alter.Statements { // the engine does not hand its database on
			if len(x.ToTables) == 1 && x.ToTables[0].Name.String() == newName && !x.ToTables[0].DbQualifier.IsEmpty() {
				to.Database = x.ToTables[0].DbQualifier.String()
			}
		}
	}
	return changeDefinitions(ctx, func(c *catalog.Change) error {
		return c.Rename([]catalog.Renaming{{From: catalog.Name{Database: d.name, Name: oldName}, To: to}})
	})
}

// CreateView implements sql.ViewDatabase.
func (d *Database) CreateView(ctx *sql.Context, name, selectStatement, createStatement string) error {
	mode := sql.LoadSqlMode(ctx)
	s, err := sessionOf(ctx)
	if err != nil {
		return err
	}
	if stmt, ok := s.statement().(*ast.DDL); ok && syntax.AltersView(stmt) {
		if _, there, err := d.GetViewDefinition(ctx, name); err != nil || !there {
			if err == nil {
				err = sql.ErrTableNotFound.New(d.name + "." + name)
			}
			return err
		}
	}
	if err := s.refuseTemporarySources(d.name); err != nil {
		return err
	}
	return changeDefinitions(ctx, func(c *catalog.Change) error {
		return c.PutView(catalog.SQLView{
			Database:        d.name,
			Name:            name,
			TextDefinition:  rollup.Written(selectStatement),
			CreateStatement: rollup.Written(createStatement),
			SQLMode:         mode.String(),
		}, catalog.PutViewOptions{Replace: s.tolerated().replaces})
	})
}

// DropView implements sql.ViewDatabase.
func (d *Database) DropView(ctx *sql.Context, name string) error {
	s, err := sessionOf(ctx)
	if err != nil {
		return err
	}
	if s.tolerated().replaces {
		return nil // CreateView is next: others see the one view or the other
	}
	if _, ok, err := d.GetViewDefinition(ctx, name); err != nil || !ok {
		if err == nil {
			err = sql.ErrViewDoesNotExist.New(d.name, name)
		}
		return err
	}
	return changeDefinitions(ctx, func(c *catalog.Change) error {
		err := c.DropView(d.name, name)
		if errors.Is(err, catalog.ErrNoTable) {
			err = sql.ErrViewDoesNotExist.New(d.name, name) // another session was faster
		}
		return err
	})
}

// GetViewDefinition implements sql.ViewDatabase.
func (d *Database) GetViewDefinition(ctx *sql.Context, name string) (sql.ViewDefinition, bool, error) {
	if d.name == "" {
		return sql.ViewDefinition{}, false, nil
	}
	s, err := sessionOf(ctx)
	if err != nil {
		return sql.ViewDefinition{}, false, err
	}
	view, err := s.definitions()
	if err != nil {
		return sql.ViewDefinition{}, false, s.SQLError(err)
	}
	v, ok := view.View(d.name, name)
	if _, hidden := s.own.now.Table(d.name, name); hidden {
		return sql.ViewDefinition{}, false, nil
	}
	if ok && s.GetCurrentDatabase() == "" && !s.namesUnqualified() {
		s.ofView = d.name // the engine wants one to bind any view, though its names are of this one
	}
	return viewDefinition(v), ok, nil
}

// AllViews implements sql.ViewDatabase.
func (d *Database) AllViews(ctx *sql.Context) ([]sql.ViewDefinition, error) {
	if d.name == "" {
		return nil, nil
	}
	s, err := sessionOf(ctx)
	if err != nil {
		return nil, err
	}
	view, err := s.definitions()
	if err != nil {
		return nil, s.SQLError(err)
	}
	sees, err := s.sees()
	if err != nil {
		return nil, s.SQLError(err)
	}
	var out []sql.ViewDefinition
	for _, v := range view.Views(d.name) {
		if sees != nil && !sees(d.name, v.Name) {
			continue
		}
		out = append(out, viewDefinition(v))
		// information_schema binds every definition to describe it, and leaves out
		// those whose columns it does not find: the session is told their names.
		options := sql.NewSqlModeFromString(v.SQLMode).ParserOptions()
		if _, _, _, err := s.backend.Engine.Parser.ParseWithOptions(ctx, v.CreateStatement, ';', false, options); err != nil {
			continue
		}
	}
	return out, nil
}

func viewDefinition(v catalog.SQLView) sql.ViewDefinition {
	return sql.ViewDefinition{
		Name:                v.Name,
		TextDefinition:      v.TextDefinition,
		CreateViewStatement: v.CreateStatement,
		SqlMode:             v.SQLMode,
	}
}

// noRoutines is a database without triggers, stored procedures and events. The
// engine asks for them in many statements, and takes a database that does not
// know the question for broken once users have passwords.
type noRoutines struct{}

// GetTriggers implements sql.TriggerDatabase.
func (noRoutines) GetTriggers(*sql.Context) ([]sql.TriggerDefinition, error) { return nil, nil }

// CreateTrigger implements sql.TriggerDatabase.
func (noRoutines) CreateTrigger(*sql.Context, sql.TriggerDefinition) error {
	return mysqlerr.Unsupported("triggers are not supported")
}

// DropTrigger implements sql.TriggerDatabase.
func (noRoutines) DropTrigger(_ *sql.Context, name string) error {
	return sql.ErrTriggerDoesNotExist.New(name)
}

// GetStoredProcedure implements sql.StoredProcedureDatabase.
func (noRoutines) GetStoredProcedure(*sql.Context, string) (sql.StoredProcedureDetails, bool, error) {
	return sql.StoredProcedureDetails{}, false, nil
}

// GetStoredProcedures implements sql.StoredProcedureDatabase.
func (noRoutines) GetStoredProcedures(*sql.Context) ([]sql.StoredProcedureDetails, error) {
	return nil, nil
}

// SaveStoredProcedure implements sql.StoredProcedureDatabase.
func (noRoutines) SaveStoredProcedure(*sql.Context, sql.StoredProcedureDetails) error {
	return mysqlerr.Unsupported("stored procedures are not supported")
}

// DropStoredProcedure implements sql.StoredProcedureDatabase.
func (noRoutines) DropStoredProcedure(_ *sql.Context, name string) error {
	return sql.ErrStoredProcedureDoesNotExist.New(name)
}

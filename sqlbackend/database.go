package sqlbackend

import (
	"errors"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"github.com/sqlfdb/sqlfdb/catalog"
	"github.com/sqlfdb/sqlfdb/sqlbackend/companion"
	"github.com/sqlfdb/sqlfdb/sqlbackend/ddl"
	"github.com/sqlfdb/sqlfdb/sqlbackend/information"
	"github.com/sqlfdb/sqlfdb/sqlbackend/privilege"
	"github.com/sqlfdb/sqlfdb/sqlbackend/rollup"
	"github.com/sqlfdb/sqlfdb/sqlbackend/session"
	"github.com/sqlfdb/sqlfdb/sqlbackend/setting"
	"github.com/sqlfdb/sqlfdb/sqlbackend/syntax"
)

// Database is one database as the running command sees it.
type Database struct {
	information.NoRoutines
	backend   *session.Instance
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

// Name implements sql.Database.
func (d *Database) Name() string { return d.name }

// GetTableInsensitive implements sql.Database. The engine calls it several
// times per statement.
func (d *Database) GetTableInsensitive(ctx *sql.Context, name string) (sql.Table, bool, error) {
	return ddl.FindTable(ctx, d.name, name)
}

// GetTableNames implements sql.Database.
func (d *Database) GetTableNames(ctx *sql.Context) ([]string, error) {
	if d.name == "" {
		return nil, nil
	}
	s, err := session.Of(ctx)
	if err != nil {
		return nil, err
	}
	view, err := s.Readers.Definitions()
	if err != nil {
		return nil, s.SQLError(err)
	}
	companions := setting.On(ctx, setting.ShowCompanions)
	sees, err := privilege.Sees(s)
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
			more, err := companion.Names(s, view, t)
			if err != nil {
				return nil, s.SQLError(err)
			}
			out = append(out, more...)
		}
	}
	return out, nil
}

// GetCollation implements sql.CollatedDatabase.
func (d *Database) GetCollation(*sql.Context) sql.CollationID {
	return session.CollationID(d.collation)
}

// SetCollation implements sql.CollatedDatabase.
func (d *Database) SetCollation(ctx *sql.Context, collation sql.CollationID) error {
	return session.ChangeDefinitions(ctx, func(c *catalog.Change) error {
		return c.AlterDatabase(d.name, session.CollationName(collation))
	})
}

// DropTable implements sql.TableDropper.
func (d *Database) DropTable(ctx *sql.Context, name string) error {
	return ddl.DropTables(ctx, []catalog.Name{{Database: d.name, Name: name}})
}

// RenameTable implements sql.TableRenamer.
func (d *Database) RenameTable(ctx *sql.Context, oldName, newName string) error {
	s, err := session.Of(ctx)
	if err != nil {
		return err
	}
	to := catalog.Name{Database: d.name, Name: newName}
	if alter, ok := s.Parsed.Statement().(*ast.AlterTable); ok {
		for _, x := range alter.Statements { // the engine does not hand its database on
			if len(x.ToTables) == 1 && x.ToTables[0].Name.String() == newName && !x.ToTables[0].DbQualifier.IsEmpty() {
				to.Database = x.ToTables[0].DbQualifier.String()
			}
		}
	}
	return session.ChangeDefinitions(ctx, func(c *catalog.Change) error {
		return c.Rename([]catalog.Renaming{{From: catalog.Name{Database: d.name, Name: oldName}, To: to}})
	})
}

// CreateView implements sql.ViewDatabase.
func (d *Database) CreateView(ctx *sql.Context, name, selectStatement, createStatement string) error {
	mode := sql.LoadSqlMode(ctx)
	s, err := session.Of(ctx)
	if err != nil {
		return err
	}
	if stmt, ok := s.Parsed.Statement().(*ast.DDL); ok && syntax.AltersView(stmt) {
		if _, there, err := d.GetViewDefinition(ctx, name); err != nil || !there {
			if err == nil {
				err = sql.ErrTableNotFound.New(d.name + "." + name)
			}
			return err
		}
	}
	if err := s.Own.RefuseSources(d.name); err != nil {
		return err
	}
	return session.ChangeDefinitions(ctx, func(c *catalog.Change) error {
		return c.PutView(catalog.SQLView{
			Database:        d.name,
			Name:            name,
			TextDefinition:  rollup.Written(selectStatement),
			CreateStatement: rollup.Written(createStatement),
			SQLMode:         mode.String(),
		}, catalog.PutViewOptions{Replace: ddl.Tolerated(s).Replaces})
	})
}

// DropView implements sql.ViewDatabase.
func (d *Database) DropView(ctx *sql.Context, name string) error {
	s, err := session.Of(ctx)
	if err != nil {
		return err
	}
	if ddl.Tolerated(s).Replaces {
		return nil // CreateView is next: others see the one view or the other
	}
	if _, ok, err := d.GetViewDefinition(ctx, name); err != nil || !ok {
		if err == nil {
			err = sql.ErrViewDoesNotExist.New(d.name, name)
		}
		return err
	}
	return session.ChangeDefinitions(ctx, func(c *catalog.Change) error {
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
	s, err := session.Of(ctx)
	if err != nil {
		return sql.ViewDefinition{}, false, err
	}
	view, err := s.Readers.Definitions()
	if err != nil {
		return sql.ViewDefinition{}, false, s.SQLError(err)
	}
	v, ok := view.View(d.name, name)
	if _, hidden := s.Own.Now.Table(d.name, name); hidden {
		return sql.ViewDefinition{}, false, nil
	}
	if ok {
		s.Views++
	}
	if ok && s.GetCurrentDatabase() == "" && !namesUnqualified(s) {
		s.OfView = d.name // the engine wants one to bind any view, though its names are of this one
	}
	return ddl.ViewDefinition(v), ok, nil
}

// AllViews implements sql.ViewDatabase.
func (d *Database) AllViews(ctx *sql.Context) ([]sql.ViewDefinition, error) {
	if d.name == "" {
		return nil, nil
	}
	s, err := session.Of(ctx)
	if err != nil {
		return nil, err
	}
	view, err := s.Readers.Definitions()
	if err != nil {
		return nil, s.SQLError(err)
	}
	sees, err := privilege.Sees(s)
	if err != nil {
		return nil, s.SQLError(err)
	}
	var out []sql.ViewDefinition
	for _, v := range view.Views(d.name) {
		if sees != nil && !sees(d.name, v.Name) {
			continue
		}
		out = append(out, ddl.ViewDefinition(v))
		// information_schema binds every definition to describe it, and leaves out
		// tables whose columns it does not find: the session gets their names.
		options := sql.NewSqlModeFromString(v.SQLMode).ParserOptions()
		if _, _, _, err := s.Backend.Engine.Parser.ParseWithOptions(ctx, v.CreateStatement, ';', false,
			options); err != nil {
			continue
		}
	}
	return out, nil
}

// StoresCollections marks a database whose tables are a store's.
func (*Database) StoresCollections() {}

// ValidateSchema implements sql.SchemaValidator.
func (d *Database) ValidateSchema(schema sql.Schema) error {
	for _, c := range schema {
		if strings.EqualFold(c.Name, session.DocumentColumn) {
			continue
		}
		if _, err := session.TypeText(c.Type); err != nil {
			return err
		}
	}
	return nil
}

// CreateTable implements sql.TableCreator.
func (d *Database) CreateTable(ctx *sql.Context, name string, schema sql.PrimaryKeySchema, coll sql.CollationID,
	comment string) error {
	return ddl.CreateTable(ctx, d.name, name, schema, coll, comment)
}

// CreateTemporaryTable implements sql.TemporaryTableCreator.
func (d *Database) CreateTemporaryTable(ctx *sql.Context, name string, schema sql.PrimaryKeySchema,
	coll sql.CollationID) error {
	return ddl.CreateTemporaryTable(ctx, d.name, name, schema, coll)
}

// GetAllTemporaryTables implements sql.TemporaryTableDatabase.
func (d *Database) GetAllTemporaryTables(ctx *sql.Context) ([]sql.Table, error) {
	s, err := session.Of(ctx)
	if err != nil {
		return nil, err
	}
	var out []sql.Table
	for _, def := range s.Own.Now.All() {
		if def.Database != d.name {
			continue
		}
		if t, ok, err := d.GetTableInsensitive(ctx, def.Name); err != nil {
			return nil, err
		} else if ok {
			out = append(out, t)
		}
	}
	return out, nil
}

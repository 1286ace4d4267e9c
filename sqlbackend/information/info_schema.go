package information

import (
	"errors"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/dolthub/vitess/go/sqltypes"

	"github.com/sqlfdb/sqlfdb/catalog"
	"github.com/sqlfdb/sqlfdb/kv"
	"github.com/sqlfdb/sqlfdb/sqlbackend/accounts"
	"github.com/sqlfdb/sqlfdb/sqlbackend/mysqlerr"
	"github.com/sqlfdb/sqlfdb/sqlbackend/session"
	"github.com/sqlfdb/sqlfdb/sqlbackend/table"
	"github.com/sqlfdb/sqlfdb/sqlbackend/tree"
	"github.com/sqlfdb/sqlfdb/tables"
)

// Schema is information_schema. The tables that describe collections are ours: the engine
// knows neither the counts nor the indexes of keypaths, and makes every table with all its
// columns for each of them. The others are the engine's.
type Schema struct {
	sql.Database // the engine's
	Backend      *session.Instance
}

// GetTableInsensitive implements sql.Database.
func (d *Schema) GetTableInsensitive(ctx *sql.Context, name string) (sql.Table, bool, error) {
	stored, temporary := strings.CutPrefix(strings.ToLower(name), temporaryPrefix)
	inner, ok, err := d.Database.GetTableInsensitive(ctx, stored)
	if err != nil || !ok {
		return inner, ok, err
	}
	fill, ours := infoTables[strings.ToLower(stored)]
	if !ours {
		return inner, true, nil
	}
	schema := make(sql.Schema, len(inner.Schema()))
	for i, c := range inner.Schema() {
		c = c.Copy()
		c.Nullable = c.Nullable || strings.HasSuffix(c.Name, "_TIME") // nobody has noted them
		c.DatabaseSource = sql.InformationSchemaDatabaseName
		if c.Name == "COLUMN_KEY" { // MariaDB's driver for ODBC asks for 'pri', which no member of an enumeration is here
			c.Type = types.MustCreateString(sqltypes.VarChar, 3, sql.Collation_Information_Schema_Default)
		}
		schema[i] = c
	}
	t := &infoTable{backend: d.Backend, name: inner.Name(), schema: schema, fill: fill, temporary: temporary}
	if temporary {
		t.name = temporaryPrefix + t.name
		for _, c := range schema {
			c.Source = t.name
		}
	}
	if s, failed := session.Of(ctx); failed == nil && s.Dumping.On() && strings.EqualFold(stored, "views") {
		return dumpedViews{t}, true, nil
	}
	return t, true, nil
}

// temporaryPrefix begins the names of the tables that describe the session's temporary tables. SHOW reads them, since
// the other tables don't list temporary ones.
const temporaryPrefix = "temporary_"

// infoTables are the tables of information_schema that we fill, by name.
var infoTables = map[string]func(*infoReading) error{
	"schemata":                (*infoReading).schemata,
	"tables":                  (*infoReading).tables,
	"columns":                 (*infoReading).columns,
	"views":                   (*infoReading).views,
	"statistics":              (*infoReading).statistics,
	"key_column_usage":        (*infoReading).keyColumns,
	"table_constraints":       (*infoReading).constraints,
	"referential_constraints": (*infoReading).references,
	"tables_extensions":       (*infoReading).tableExtensions,
	"engines":                 (*infoReading).engines,
	"user_privileges":         readUserPrivileges,
	"user_attributes":         readAttributes,
	"schema_privileges":       readSchemaPrivileges,
	"table_privileges":        readTablePrivileges,
	"column_privileges":       readColumnPrivileges,
	"applicable_roles":        readApplicable,
	"enabled_roles":           readEnabled,
	"role_table_grants":       readRoleTables,
	"role_column_grants":      readRoleColumns,

	"administrable_role_authorizations": readAdministrable,
	// Histograms, of which there are none: counts are exact.
	"column_statistics": func(*infoReading) error { return nil },
}

// infoTable is one of information_schema's tables, made when it is read.
type infoTable struct {
	backend *session.Instance
	name    string
	schema  sql.Schema
	fill    func(*infoReading) error
	place   tree.Place
	// temporary: it lists temporary tables, and no others.
	temporary bool
}

var _ sql.Table = (*infoTable)(nil)

// Name implements sql.Table.
func (t *infoTable) Name() string { return t.name }

// Database implements sql.Databaseable.
func (t *infoTable) Database() string { return sql.InformationSchemaDatabaseName }

// String implements sql.Table.
func (t *infoTable) String() string { return t.name }

// Schema implements sql.Table.
func (t *infoTable) Schema() sql.Schema { return t.schema }

// Collation implements sql.Table.
func (t *infoTable) Collation() sql.CollationID { return sql.Collation_Information_Schema_Default }

// Partitions implements sql.Table.
func (t *infoTable) Partitions(*sql.Context) (sql.PartitionIter, error) {
	return sql.PartitionsToPartitionIter(table.WholeTable{}), nil
}

// PartitionRows implements sql.Table.
func (t *infoTable) PartitionRows(ctx *sql.Context, _ sql.Partition) (sql.RowIter, error) {
	return t.read(ctx, &infoBounds{})
}

func (t *infoTable) read(ctx *sql.Context, within *infoBounds) (sql.RowIter, error) {
	s, err := session.Of(ctx)
	if err != nil {
		return nil, err
	}
	r, err := s.Readers.Answer()
	if err != nil {
		return nil, mysqlerr.Of(ctx, err)
	}
	restore, err := useNamed(s, within)
	if err != nil {
		return nil, mysqlerr.Of(ctx, err)
	}
	defer restore()
	reading := &infoReading{ctx: ctx, session: s, from: r, within: within, temporary: t.temporary}
	if err := t.fill(reading); err != nil {
		return nil, mysqlerr.Of(ctx, err)
	}
	return sql.RowsToRowIter(reading.rows...), nil
}

// infoReading fills one of information_schema's tables for one statement, from
// definitions and counters: no collection is scanned.
type infoReading struct {
	ctx     *sql.Context
	session *session.Session
	from    kv.Reader // with the session's own writes
	within  *infoBounds
	rows    []sql.Row
	account *accounts.Account // see own
	// temporary: of temporary tables, see infoTable.
	temporary bool
}

func (i *infoReading) emit(values ...any) { i.rows = append(i.rows, values) }

// infoCatalog is the catalog name that MySQL gives everything.
const infoCatalog = "def"

// infoSubject is a table that information_schema describes.
type infoSubject struct {
	schema, name string
	def          *session.Definition // nil for tables without a collection
	table        sql.Table           // nil where def is not
}

// databases visits the databases that the session's user may see.
func (i *infoReading) databases(visit func(shown, db sql.Database) error) error {
	for _, shown := range i.session.Backend.Engine.Analyzer.Catalog.AllDatabases(i.ctx) {
		if !i.within.hasDatabase(shown.Name()) {
			continue
		}
		if err := visit(shown, shown); err != nil {
			return err
		}
	}
	return nil
}

// tablesOf visits the tables of a database whose names the user may know.
func (i *infoReading) tablesOf(shown, db sql.Database, visit func(infoSubject) error) error {
	var view *catalog.View
	var err error
	if _, ours := db.(Collections); ours && db.Name() != "" {
		if view, err = i.session.Readers.Definitions(); err != nil {
			return err
		}
	}
	var names []string
	if i.temporary {
		for _, t := range i.session.Own.Now.All() {
			if t.Database == db.Name() {
				names = append(names, t.Name)
			}
		}
	} else {
		if names, err = shown.GetTableNames(i.ctx); err != nil {
			return err
		}
		if view != nil {
			view = view.Stored()
		}
	}
	for _, name := range names {
		if !i.within.hasTable(name) {
			continue
		}
		subject := infoSubject{schema: db.Name(), name: name}
		if view != nil {
			if t, ok := view.Table(db.Name(), name); ok {
				if subject.def, err = i.session.Backend.Definitions.Of(t); errors.Is(err, tables.ErrCollator) {
					continue // it can't be used
				}
				if err != nil {
					return err
				}
			}
		}
		if subject.def == nil {
			t, ok, err := db.GetTableInsensitive(i.ctx, name)
			if err != nil {
				return err
			}
			if !ok {
				continue
			}
			subject.name, subject.table = t.Name(), t
		}
		if err := visit(subject); err != nil {
			return err
		}
	}
	return nil
}

// collections visits the tables that hold documents.
func (i *infoReading) collections(visit func(*session.Definition) error) error {
	return i.databases(func(shown, db sql.Database) error {
		if _, ours := db.(Collections); !ours {
			return nil
		}
		return i.tablesOf(shown, db, func(t infoSubject) error {
			if t.def == nil {
				return nil
			}
			return visit(t.def)
		})
	})
}

// viewsOf lists a database's views.
func (i *infoReading) viewsOf(db sql.Database) ([]sql.ViewDefinition, error) {
	v, ok := db.(sql.ViewDatabase)
	if !ok {
		return nil, nil
	}
	return v.AllViews(i.ctx)
}

// Collections is a database whose tables are a store's.
type Collections interface{ StoresCollections() }

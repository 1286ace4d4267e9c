package information

import (
	"fmt"
	"sort"
	"strings"
	"sync"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/types"

	"github.com/sqlfdb/sqlfdb/sqlbackend/mysqlerr"
	"github.com/sqlfdb/sqlfdb/sqlbackend/session"
	"github.com/sqlfdb/sqlfdb/sqlbackend/systemschema"
)

// ReadOnlyDatabase is the common part of the read-only databases: `sqlfdb`, and MySQL's.
type ReadOnlyDatabase struct {
	NoRoutines
	Named string
}

// Name implements sql.Database.
func (d ReadOnlyDatabase) Name() string { return d.Named }

// IsReadOnly implements sql.ReadOnlyDatabase.
func (d ReadOnlyDatabase) IsReadOnly() bool { return true }

// CreateView implements sql.ViewDatabase.
func (d ReadOnlyDatabase) CreateView(*sql.Context, string, string, string) error {
	return mysqlerr.Unsupported("database %s holds no views", d.Named)
}

// DropView implements sql.ViewDatabase.
func (d ReadOnlyDatabase) DropView(_ *sql.Context, name string) error {
	return sql.ErrViewDoesNotExist.New(d.Named, name)
}

// GetViewDefinition implements sql.ViewDatabase.
func (d ReadOnlyDatabase) GetViewDefinition(*sql.Context, string) (sql.ViewDefinition, bool, error) {
	return sql.ViewDefinition{}, false, nil
}

// AllViews implements sql.ViewDatabase.
func (d ReadOnlyDatabase) AllViews(*sql.Context) ([]sql.ViewDefinition, error) { return nil, nil }

// mysqlDatabase is `mysql`, `performance_schema` or `sys`: their tables are made when they are read, and most are
// empty.
type mysqlDatabase struct {
	ReadOnlyDatabase
	backend *session.Instance
}

var (
	_ sql.Database         = (*mysqlDatabase)(nil)
	_ sql.ReadOnlyDatabase = (*mysqlDatabase)(nil)
	_ sql.ViewDatabase     = (*mysqlDatabase)(nil)
)

// FindMysqlDatabase is the system database of a name; nil if there is none, or the store has one of that name.
func FindMysqlDatabase(b *session.Instance, ctx *sql.Context, name string) (sql.Database, error) {
	if name = systemschema.Is(name); name == "" {
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
	if _, _, stored := view.Database(name); stored {
		return nil, nil
	}
	return &mysqlDatabase{ReadOnlyDatabase{Named: name}, b}, nil
}

// GetTableNames implements sql.Database.
func (d *mysqlDatabase) GetTableNames(*sql.Context) ([]string, error) {
	var out []string
	for _, t := range systemschema.Tables(d.Named) {
		out = append(out, t.Name)
	}
	return out, nil
}

// GetTableInsensitive implements sql.Database.
func (d *mysqlDatabase) GetTableInsensitive(_ *sql.Context, name string) (sql.Table, bool, error) {
	t := systemschema.Find(d.Named, name)
	if t == nil {
		return nil, false, nil
	}
	schema, err := systemColumns(t)
	if err != nil {
		return nil, false, err
	}
	none := func(*sql.Context, func(sql.Row)) error { return nil }
	table := &systemTable{database: d.Named, name: t.Name, schema: schema, fill: none}
	if fill := systemRows[d.Named+"."+t.Name]; fill != nil {
		table.fill = func(ctx *sql.Context, emit func(sql.Row)) error {
			r := &systemReading{ctx: ctx, backend: d.backend, schema: schema, emit: emit}
			if err := fill(r); err != nil {
				return err
			}
			return r.err
		}
	}
	return table, true, nil
}

// madeColumns are the columns of system tables, by table: their types are read once.
var madeColumns sync.Map

func systemColumns(t *systemschema.Table) (sql.Schema, error) {
	key := t.Database + "." + t.Name
	if made, ok := madeColumns.Load(key); ok {
		return made.(sql.Schema).Copy(), nil
	}
	var out sql.Schema
	for _, c := range t.Columns {
		typ, err := session.ParseType(c.Type)
		if err != nil {
			return nil, err
		}
		if text, ok := typ.(sql.TypeWithCollation); ok && types.IsTextOnly(typ) && t.Database != "mysql" {
			if typ, err = text.WithNewCollation(sql.Collation_Information_Schema_Default); err != nil {
				return nil, err
			}
		}
		out = append(out, &sql.Column{Name: c.Name, Type: typ, Nullable: c.Nullable, PrimaryKey: c.Key,
			Source: t.Name, DatabaseSource: t.Database})
	}
	madeColumns.Store(key, out)
	return out.Copy(), nil
}

// systemReading fills a system table for one statement.
type systemReading struct {
	ctx     *sql.Context
	backend *session.Instance
	schema  sql.Schema
	emit    func(sql.Row)
	err     error
}

// row is a row with some values. Columns that are not named are NULL, or empty where they can't be.
func (r *systemReading) row(values map[string]any) {
	row := make(sql.Row, len(r.schema))
	for i, c := range r.schema {
		v, named := values[c.Name]
		if !named && !c.Nullable {
			v = c.Type.Zero()
		}
		if v == nil {
			continue
		}
		converted, _, err := c.Type.Convert(r.ctx, v)
		if err != nil && r.err == nil {
			r.err = fmt.Errorf("sqlbackend: column %s of %s: %w", c.Name, c.Source, err)
		}
		row[i] = converted
	}
	r.emit(row)
}

// ShowDatabases is SHOW DATABASES: the engine would list `mysql` beside the provider's databases.
func ShowDatabases(ctx *sql.Context, n *plan.ShowDatabases) (sql.RowIter, error) {
	var rows []sql.Row
	for _, db := range n.Catalog.AllDatabases(ctx) {
		rows = append(rows, sql.Row{db.Name()})
	}
	sort.Slice(rows, func(i, j int) bool { return strings.Compare(rows[i][0].(string), rows[j][0].(string)) < 0 })
	return sql.RowsToRowIter(rows...), nil
}

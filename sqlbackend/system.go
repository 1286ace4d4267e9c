package sqlbackend

import (
	"errors"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"

	"github.com/sqlfdb/sqlfdb/costing"
	"github.com/sqlfdb/sqlfdb/document"
	"github.com/sqlfdb/sqlfdb/indexes"
	"github.com/sqlfdb/sqlfdb/jobs"
	"github.com/sqlfdb/sqlfdb/sqlbackend/mysqlerr"
	"github.com/sqlfdb/sqlfdb/tables"
)

// systemDatabase is the name of the database that describes the others.
const systemDatabase = "sqlfdb"

// omittedType stands for a type where entries were left out because of their
// keys' size.
const omittedType = "omitted"

// systemDB is the database `sqlfdb`.
type systemDB struct {
	readOnlyDatabase
	backend *Backend
}

var (
	_ sql.Database         = (*systemDB)(nil)
	_ sql.ReadOnlyDatabase = (*systemDB)(nil)
)

// GetTableNames implements sql.Database.
func (d *systemDB) GetTableNames(*sql.Context) ([]string, error) {
	return []string{"indexes", "jobs", "keypaths", mapErrorsTable, mapIndexesTable, "processes", "tables"}, nil
}

// GetTableInsensitive implements sql.Database.
func (d *systemDB) GetTableInsensitive(_ *sql.Context, name string) (sql.Table, bool, error) {
	text := func(n string) systemColumn { return systemColumn{n, types.LongText} }
	number := func(n string) systemColumn { return systemColumn{n, types.Int64} }
	if t, ok := d.checkTable(name); ok {
		return t, true, nil
	}
	if t, ok := d.mapTables(name); ok {
		return t, true, nil
	}
	switch strings.ToLower(name) {
	case "keypaths":
		return newSystemTable(systemDatabase, "keypaths", d.keypaths, text("database"), text("table"), text("keypath"),
			text("type"),
			number("documents"), number("entries"), number("bytes")), true, nil
	case "tables":
		return newSystemTable(systemDatabase, "tables", d.tables, text("database"), text("table"), text("kind"),
			number("collection"),
			text("key_scheme"), number("documents"), number("bytes"), number("entries"), number("entry_bytes"),
			number("keypaths")), true, nil
	case "indexes":
		return newSystemTable(systemDatabase, "indexes", d.indexes, text("database"), text("table"), text("index"),
			text("columns"),
			systemColumn{"is_unique", types.Boolean}, text("state"), text("progress")), true, nil
	case "processes":
		return d.processesTable(), true, nil
	case "jobs":
		return d.jobsTable(), true, nil
	}
	return nil, false, nil
}

// eachTable visits the definitions of all tables.
func (d *systemDB) eachTable(ctx *sql.Context, visit func(*definition) error) error {
	s, err := sessionOf(ctx)
	if err != nil {
		return err
	}
	view, err := s.definitions()
	if err != nil {
		return err
	}
	sees, err := s.sees()
	if err != nil {
		return err
	}
	for _, database := range view.Databases() {
		for _, t := range view.Tables(database) {
			if sees != nil && !sees(database, t.Name) {
				continue
			}
			def, err := d.backend.definitions.of(t)
			if errors.Is(err, tables.ErrCollator) {
				continue // it can't be used: the server's log says why
			}
			if err != nil {
				return err
			}
			if err := visit(def); err != nil {
				return err
			}
		}
	}
	return nil
}

func (d *systemDB) keypaths(ctx *sql.Context, emit func(sql.Row)) error {
	s, err := sessionOf(ctx)
	if err != nil {
		return err
	}
	r, err := s.answerReader()
	if err != nil {
		return err
	}
	return d.eachTable(ctx, func(def *definition) error {
		names, err := def.collection.Dictionary().All(r)
		if err != nil {
			return err
		}
		all, err := def.collection.Statistics(r).Keypaths()
		if err != nil {
			return err
		}
		for i, name := range names {
			byType := map[document.Type]costing.Count{}
			for kind, c := range all[int64(i+1)] {
				if t := kind.Type(); t != document.TypeNone {
					byType[t] = byType[t].Add(c)
				}
			}
			for t := document.TypeNull; t <= document.TypeObject; t++ {
				if c, ok := byType[t]; ok && !c.IsZero() {
					emit(sql.Row{def.Database, def.Name, name, t.String(), c.Documents, c.Entries, c.Bytes})
				}
			}
			if c := all[int64(i+1)][indexes.KindOmitted]; !c.IsZero() {
				emit(sql.Row{def.Database, def.Name, name, omittedType, c.Documents, c.Entries, c.Bytes})
			}
		}
		// Keypaths that are too long to be numbered have one counter together.
		if c := all[indexes.OverlongKeypath][indexes.KindOmitted]; !c.IsZero() {
			emit(sql.Row{def.Database, def.Name, nil, omittedType, c.Documents, c.Entries, c.Bytes})
		}
		return nil
	})
}

func (d *systemDB) tables(ctx *sql.Context, emit func(sql.Row)) error {
	s, err := sessionOf(ctx)
	if err != nil {
		return err
	}
	r, err := s.answerReader()
	if err != nil {
		return err
	}
	return d.eachTable(ctx, func(def *definition) error {
		stats := def.collection.Statistics(r)
		documents, bytes, err := stats.Documents()
		if err != nil {
			return err
		}
		entries, entryBytes, err := stats.Entries()
		if err != nil {
			return err
		}
		all, err := stats.Keypaths()
		if err != nil {
			return err
		}
		kind := "closed"
		if def.Open {
			kind = "open"
		}
		scheme := def.Options.KeyScheme
		if scheme == "" {
			scheme = "document"
		}
		emit(sql.Row{def.Database, def.Name, kind, def.ID, scheme, documents, bytes, entries, entryBytes, int64(len(all))})
		return nil
	})
}

func (d *systemDB) indexes(ctx *sql.Context, emit func(sql.Row)) error {
	s, err := sessionOf(ctx)
	if err != nil {
		return err
	}
	r, err := s.planReader()
	if err != nil {
		return err
	}
	all, err := jobs.List(r)
	if err != nil {
		return err
	}
	return d.eachTable(ctx, func(def *definition) error {
		for i := range def.Table.Indexes {
			idx, unique := &def.Table.Indexes[i], int8(0)
			if idx.Unique {
				unique = 1
			}
			state, progress := def.indexState(idx, all)
			emit(sql.Row{def.Database, def.Name, idx.Name, strings.Join(def.partTexts(idx, strings.Clone), ", "), unique, state,
				progress})
		}
		return nil
	})
}

// systemTable is a read-only table whose rows are made when it is read.
type systemTable struct {
	database, name string
	schema         sql.Schema
	fill           func(ctx *sql.Context, emit func(sql.Row)) error
}

type systemColumn struct {
	name string
	typ  sql.Type
}

func newSystemTable(database, name string, fill func(*sql.Context, func(sql.Row)) error,
	columns ...systemColumn) *systemTable {
	t := &systemTable{database: database, name: name, fill: fill}
	for _, c := range columns {
		t.schema = append(t.schema, &sql.Column{Name: c.name, Type: c.typ, Nullable: true, Source: name,
			DatabaseSource: database})
	}
	return t
}

// Name implements sql.Table.
func (t *systemTable) Name() string { return t.name }

// String implements sql.Table.
func (t *systemTable) String() string { return t.name }

// Schema implements sql.Table.
func (t *systemTable) Schema() sql.Schema { return t.schema }

// Collation implements sql.Table.
func (t *systemTable) Collation() sql.CollationID { return sql.Collation_Default }

// Partitions implements sql.Table.
func (t *systemTable) Partitions(*sql.Context) (sql.PartitionIter, error) {
	return sql.PartitionsToPartitionIter(wholeTable{}), nil
}

// PartitionRows implements sql.Table.
func (t *systemTable) PartitionRows(ctx *sql.Context, _ sql.Partition) (sql.RowIter, error) {
	var rows []sql.Row
	if err := t.fill(ctx, func(r sql.Row) { rows = append(rows, r) }); err != nil {
		return nil, mysqlerr.Of(ctx, err)
	}
	return sql.RowsToRowIter(rows...), nil
}

package information

import (
	"encoding/json"
	"errors"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"

	"github.com/sqlfdb/sqlfdb/catalog"
	"github.com/sqlfdb/sqlfdb/costing"
	"github.com/sqlfdb/sqlfdb/document"
	"github.com/sqlfdb/sqlfdb/indexes"
	"github.com/sqlfdb/sqlfdb/jobs"
	"github.com/sqlfdb/sqlfdb/sqlbackend/mysqlerr"
	"github.com/sqlfdb/sqlfdb/sqlbackend/privilege"
	"github.com/sqlfdb/sqlfdb/sqlbackend/session"
	"github.com/sqlfdb/sqlfdb/sqlbackend/table"
	"github.com/sqlfdb/sqlfdb/tables"
)

// omittedType stands for a type where entries were left out because of their
// keys' size.
const omittedType = "omitted"

// System is the database `sqlfdb`.
type System struct {
	ReadOnlyDatabase
	backend *session.Instance
}

var (
	_ sql.Database         = (*System)(nil)
	_ sql.ReadOnlyDatabase = (*System)(nil)
)

// GetTableNames implements sql.Database.
func (d *System) GetTableNames(*sql.Context) ([]string, error) {
	return []string{"indexes", "jobs", "keypaths", mapErrorsTable, mapIndexesTable, "processes", "tables"}, nil
}

// GetTableInsensitive implements sql.Database.
func (d *System) GetTableInsensitive(_ *sql.Context, name string) (sql.Table, bool, error) {
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
		return NewSystemTable(session.SystemDatabase, "keypaths", d.keypaths, text("database"), text("table"),
			text("keypath"),
			text("type"),
			number("documents"), number("entries"), number("bytes")), true, nil
	case "tables":
		return NewSystemTable(session.SystemDatabase, "tables", d.tables, text("database"), text("table"), text("kind"),
			number("collection"),
			text("key_scheme"), number("documents"), number("bytes"), number("entries"), number("entry_bytes"),
			number("keypaths")), true, nil
	case "indexes":
		return NewSystemTable(session.SystemDatabase, "indexes", d.indexes, text("database"), text("table"), text("index"),
			text("columns"),
			systemColumn{"is_unique", types.Boolean}, text("state"), text("progress")), true, nil
	case "processes":
		return processesTable(d), true, nil
	case "jobs":
		return d.jobsTable(), true, nil
	}
	return nil, false, nil
}

// eachTable visits the definitions of all tables.
func eachTable(ctx *sql.Context, visit func(*session.Definition) error) error {
	s, err := session.Of(ctx)
	if err != nil {
		return err
	}
	view, err := s.Readers.Definitions()
	if err != nil {
		return err
	}
	sees, err := privilege.Whole(s) // these tables show all keypaths
	if err != nil {
		return err
	}
	for _, database := range view.Databases() {
		for _, t := range view.Tables(database) {
			if sees != nil && !sees(database, t.Name) {
				continue
			}
			def, err := s.Backend.Definitions.Of(t)
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

func (d *System) keypaths(ctx *sql.Context, emit func(sql.Row)) error {
	s, err := session.Of(ctx)
	if err != nil {
		return err
	}
	r, err := s.Readers.Answer()
	if err != nil {
		return err
	}
	return eachTable(ctx, func(def *session.Definition) error {
		names, err := def.Collection.Dictionary().All(r)
		if err != nil {
			return err
		}
		all, err := def.Collection.Statistics(r).Keypaths()
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

func (d *System) tables(ctx *sql.Context, emit func(sql.Row)) error {
	s, err := session.Of(ctx)
	if err != nil {
		return err
	}
	r, err := s.Readers.Answer()
	if err != nil {
		return err
	}
	return eachTable(ctx, func(def *session.Definition) error {
		stats := def.Collection.Statistics(r)
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

func (d *System) indexes(ctx *sql.Context, emit func(sql.Row)) error {
	_, _, all, err := jobsOf(ctx)
	if err != nil {
		return err
	}
	return eachTable(ctx, func(def *session.Definition) error {
		for i := range def.Table.Indexes {
			idx, unique := &def.Table.Indexes[i], int8(0)
			if idx.Unique {
				unique = 1
			}
			state, progress := indexState(def, idx, all)
			emit(sql.Row{def.Database, def.Name, idx.Name, strings.Join(table.PartTexts(def, idx, strings.Clone), ", "),
				unique,
				state,
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

// NewSystemTable is a table of a system database, whose rows fill emits when it is read.
func NewSystemTable(database, name string, fill func(*sql.Context, func(sql.Row)) error,
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
	return sql.PartitionsToPartitionIter(table.WholeTable{}), nil
}

// PartitionRows implements sql.Table.
func (t *systemTable) PartitionRows(ctx *sql.Context, _ sql.Partition) (sql.RowIter, error) {
	var rows []sql.Row
	if err := t.fill(ctx, func(r sql.Row) { rows = append(rows, r) }); err != nil {
		return nil, mysqlerr.Of(ctx, err)
	}
	return sql.RowsToRowIter(rows...), nil
}

// indexState is the state and the progress of a declared index, as sqlfdb.indexes shows
// them.
func indexState(d *session.Definition, idx *catalog.Index, all []jobs.Job) (state, progress string) {
	switch {
	case idx.Building != 0:
		state = "write-only"
		for i := range all {
			if all[i].ID != idx.Building {
				continue
			}
			var at BuildCheckpoint
			if len(all[i].Checkpoint) > 0 && json.Unmarshal(all[i].Checkpoint, &at) == nil && at.Proving || idx.Number == 0 {
				state = "being proved"
			}
			if p, ok := progressOf(all[i].Progress).(string); ok {
				progress = p
			}
		}
		return state, progress
	case d.Rebuilding():
		return "rebuilding", "see " + session.SystemDatabase + ".jobs"
	}
	return "readable", ""
}

// BuildCheckpoint is where a build goes on.
type BuildCheckpoint struct {
	// Proving: all documents have their entries, and are being compared.
	Proving bool   `json:",omitempty"`
	Next    []byte `json:",omitempty"` // primary key
}

// NewSystem is the database sqlfdb of a server.
func NewSystem(b *session.Instance) *System {
	return &System{ReadOnlyDatabase{Named: session.SystemDatabase}, b}
}

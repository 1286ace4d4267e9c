package buckettable

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"github.com/sqlfdb/sqlfdb/bucket/collection"
	"github.com/sqlfdb/sqlfdb/bucket/layout"
	"github.com/sqlfdb/sqlfdb/bucket/pool"
	"github.com/sqlfdb/sqlfdb/catalog"
	"github.com/sqlfdb/sqlfdb/sqlbackend/mysqlerr"
	"github.com/sqlfdb/sqlfdb/sqlbackend/session"
	"github.com/sqlfdb/sqlfdb/sqlbackend/table"
)

var (
	_ sql.IndexAlterableTable   = (*Table)(nil)
	_ sql.IndexAddressableTable = (*Table)(nil)
)

// Prepare opens a collection that is about to become a table, and makes the wanted indexes that it lacks. It fails if
// there is no such bucket, and reads all documents if their keypaths are not known.
func Prepare(ctx context.Context, c *pool.Collection, wanted []catalog.Index) error {
	opened, err := c.Open(ctx)
	if err != nil {
		return err
	}
	if err := opened.Learn(ctx); err != nil {
		return err
	}
	err = opened.List(ctx, "", func(string) error { return errSome })
	if err == nil {
		c.Counted(0)
	} else if !errors.Is(err, errSome) {
		return err
	}
	for _, idx := range wanted {
		x, err := indexOf(idx.Name, idx.Columns)
		if err != nil {
			return err
		}
		x.Comment = idx.Comment
		there, ok := opened.Index(x.Name)
		switch {
		case ok && there.Equal(x):
			continue
		case ok:
			return mysqlerr.Unsupported("the bucket has an index %s of other fields", x.Name)
		}
		if err := opened.CreateIndex(ctx, x); err != nil {
			return err
		}
	}
	return nil
}

// errSome: there are documents.
var errSome = errors.New("there are some")

// indexOf is the index of some columns.
func indexOf(name string, columns []string) (layout.Index, error) {
	x := layout.Index{Name: name}
	for _, c := range columns {
		path, err := session.ColumnKeypath(c)
		if err != nil {
			return x, err
		}
		x.Fields = append(x.Fields, layout.Field{Path: path})
	}
	return x, x.Check()
}

// CreateIndex implements sql.IndexAlterableTable.
func (t *Table) CreateIndex(ctx *sql.Context, def sql.IndexDef) error {
	if def.IsUnique() || def.IsFullText() || def.IsSpatial() || def.IsVector() {
		return mysqlerr.Unsupported("a table in a bucket has no unique, FULLTEXT, SPATIAL and VECTOR indexes")
	}
	var columns []string
	for _, c := range def.Columns {
		if c.Length > 0 || strings.EqualFold(c.Name, session.DocumentColumn) {
			return mysqlerr.Unsupported("an index of a table in a bucket is on whole columns")
		}
		columns = append(columns, table.SpelledColumn(t.rows.Def.Table, c.Name))
	}
	if def.Name == "" {
		def.Name = strings.Join(columns, "_1_") + "_1" // as Sengo names them
	}
	x, err := indexOf(def.Name, columns)
	if err != nil {
		return Error(ctx, err)
	}
	x.Comment = def.Comment
	c, err := t.open(ctx)
	if err != nil {
		return err
	}
	if there, ok := c.Index(def.Name); ok {
		ddl, _ := t.rows.Session.Parsed.Statement().(*ast.DDL)
		if ddl != nil && ddl.TableSpec != nil && there.Equal(x) {
			return nil // the bucket had it before CREATE TABLE
		}
		return sql.ErrDuplicateKey.New(def.Name)
	}
	return t.defined(ctx, c.CreateIndex(ctx, x))
}

// DropIndex implements sql.IndexAlterableTable.
func (t *Table) DropIndex(ctx *sql.Context, name string) error {
	c, err := t.open(ctx)
	if err != nil {
		return err
	}
	for _, x := range c.Indexes() {
		if strings.EqualFold(x.Name, name) {
			return t.defined(ctx, c.DropIndex(ctx, x.Name))
		}
	}
	return sql.ErrCantDropFieldOrKey.New(name)
}

// defined is the error of a change of indexes, which the statement must not make again.
func (t *Table) defined(ctx *sql.Context, err error) error {
	t.rows.Session.Repeatable = false
	if errors.Is(err, collection.ErrIndex) {
		return mysqlerr.Unsupported("%s", err)
	}
	return Error(ctx, err)
}

// RenameIndex implements sql.IndexAlterableTable.
func (*Table) RenameIndex(*sql.Context, string, string) error {
	return mysqlerr.Unsupported("an index in a bucket has its entries under its name: make another one, and drop this one")
}

// GetIndexes implements sql.IndexAddressable: the indexes that a statement shows or changes. The planner gets none,
// since it would take them for access paths of its own.
func (t *Table) GetIndexes(*sql.Context) ([]sql.Index, error) {
	if t.rows.Session.Parsed.Names().Uses(strings.ToLower(t.Name())) {
		return nil, nil
	}
	primary := catalog.Index{Name: "PRIMARY", Unique: true, Columns: []string{layout.ID}}
	out := []sql.Index{&table.DeclaredIndex{Def: t.rows.Def, Idx: primary}}
	for _, idx := range t.rows.Def.BucketIndexes() {
		out = append(out, &table.DeclaredIndex{Def: t.rows.Def, Idx: idx})
	}
	return out, nil
}

// IndexedAccess implements sql.IndexAddressable. There is no lookup of the engine's.
func (t *Table) IndexedAccess(*sql.Context, sql.IndexLookup) sql.IndexedTable { return lookup{t} }

// PreciseMatch implements sql.IndexAddressable.
func (*Table) PreciseMatch() bool { return false }

type lookup struct{ *Table }

// LookupPartitions implements sql.IndexedTable.
func (l lookup) LookupPartitions(*sql.Context, sql.IndexLookup) (sql.PartitionIter, error) {
	return nil, fmt.Errorf("sqlbackend: a lookup in %s, which has none", l.rows.Def)
}

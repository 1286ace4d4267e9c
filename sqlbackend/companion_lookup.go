package sqlbackend

import (
	"fmt"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"

	"github.com/sqlfdb/sqlfdb/collation"
	"github.com/sqlfdb/sqlfdb/document"
	"github.com/sqlfdb/sqlfdb/sqlbackend/mysqlerr"
	"github.com/sqlfdb/sqlfdb/sqlbackend/pushdown"
)

var (
	_ sql.IndexSearchableTable = (*changesTable)(nil)
	_ sql.IndexedTable         = (*changesTable)(nil)
	_ sql.StatisticsTable      = (*changesTable)(nil)
)

// A feed is read along its sequences, or by the keys of documents: what the collection remembers of each
// document tells its last change.

// LookupForExpressions implements sql.IndexSearchable.
func (t *changesTable) LookupForExpressions(ctx *sql.Context, conjuncts ...sql.Expression) (sql.IndexLookup,
	*sql.FuncDepSet, sql.Expression, bool, error) {
	path, err := t.plan(ctx, conjuncts)
	if err != nil {
		return sql.IndexLookup{}, nil, nil, false, mysqlerr.Of(ctx, err)
	}
	if path == nil {
		return sql.IndexLookup{}, nil, nil, false, nil
	}
	if path.candidate == nil {
		t.session.noteScan(t.place, path.accessPath)
		return sql.IndexLookup{}, nil, nil, false, nil
	}
	var residual []sql.Expression
	for _, i := range path.residual {
		residual = append(residual, conjuncts[i])
	}
	return path.asLookup(), &sql.FuncDepSet{}, expression.JoinAnd(residual...), true, nil
}

// SkipIndexCosting implements sql.IndexSearchable.
func (t *changesTable) SkipIndexCosting() bool { return true }

// PreciseMatch implements sql.IndexAddressable.
func (t *changesTable) PreciseMatch() bool { return true }

// GetIndexes implements sql.IndexAddressable.
func (t *changesTable) GetIndexes(*sql.Context) ([]sql.Index, error) { return nil, nil }

// IndexedAccess implements sql.IndexAddressable.
func (t *changesTable) IndexedAccess(_ *sql.Context, lookup sql.IndexLookup) sql.IndexedTable {
	path, ok := lookup.Ranges.(*feedPath)
	if !ok {
		return nil
	}
	along := *t
	along.path = path
	return &along
}

// LookupPartitions implements sql.IndexedTable.
func (t *changesTable) LookupPartitions(ctx *sql.Context, _ sql.IndexLookup) (sql.PartitionIter, error) {
	return t.Partitions(ctx)
}

// RowCount implements sql.StatisticsTable: deleted documents have a row as well, and are not counted.
func (t *changesTable) RowCount(ctx *sql.Context) (uint64, bool, error) {
	n, _, err := t.documentTable().counted(ctx)
	return uint64(max(n, 0)), false, mysqlerr.Of(ctx, err)
}

// DataLength implements sql.StatisticsTable.
func (t *changesTable) DataLength(*sql.Context) (uint64, error) { return 0, nil }

// documentTable is the table whose changes these are, with the columns of the primary key.
func (t *changesTable) documentTable() *Table {
	d := &Table{session: t.session, def: t.def, place: t.place}
	for _, k := range t.def.PrimaryKey {
		d.columns = append(d.columns, t.def.columns[k])
	}
	return d
}

// feedResolver tells pushdown what the columns of a feed are in the store.
type feedResolver struct {
	table     *changesTable
	documents lookupResolver
}

var _ pushdown.Resolver = (*feedResolver)(nil)

// Column implements pushdown.Resolver: seq is a string without an entry, and of the primary key the
// first column has ranges.
func (r *feedResolver) Column(f *expression.GetField) (pushdown.Column, string, bool) {
	if !r.table.place.Holds(f) {
		return pushdown.Column{}, fmt.Sprintf("%s is another table's", f), false
	}
	for i := range r.documents.table.columns {
		if c := &r.documents.table.columns[i]; strings.EqualFold(feedKeyName(c.name), f.Name()) {
			out, reason, ok := r.documents.column(c)
			if ok && out.PrimaryKeyPart != 1 {
				return pushdown.Column{}, fmt.Sprintf("`%s` is not the first column of the primary key", f.Name()), false
			}
			return out, reason, ok
		}
	}
	if strings.EqualFold(f.Name(), sequenceColumn) {
		return pushdown.Column{
			Keypath: sequenceColumn, Path: document.Keypath{{Name: sequenceColumn}}, Name: sequenceColumn,
			Shape: pushdown.ShapeString, Collation: collation.Binary,
		}, "", true
	}
	return pushdown.Column{}, fmt.Sprintf("`%s` has no ranges in a feed of changes", f.Name()), false
}

// Keypath implements pushdown.Resolver.
func (r *feedResolver) Keypath(path document.Keypath) (pushdown.Column, string, bool) {
	return pushdown.Column{}, fmt.Sprintf("%s has no ranges in a feed of changes", path), false
}

// Stubs implements pushdown.Resolver.
func (r *feedResolver) Stubs(document.Keypath, byte) bool { return false }

// Holds implements pushdown.Resolver.
func (r *feedResolver) Holds(document.Keypath, byte) bool { return true }

// HasTexts implements pushdown.Resolver.
func (r *feedResolver) HasTexts(pushdown.Column) bool { return false }

// Certain implements pushdown.Resolver.
func (r *feedResolver) Certain(pushdown.Column, pushdown.Among) bool { return false }

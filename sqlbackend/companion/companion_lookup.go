package companion

import (
	"fmt"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"

	"github.com/sqlfdb/sqlfdb/collation"
	"github.com/sqlfdb/sqlfdb/document"
	"github.com/sqlfdb/sqlfdb/sqlbackend/mysqlerr"
	"github.com/sqlfdb/sqlfdb/sqlbackend/pushdown"
	"github.com/sqlfdb/sqlfdb/sqlbackend/table"
)

var (
	_ sql.IndexSearchableTable = (*ChangesTable)(nil)
	_ sql.IndexedTable         = (*ChangesTable)(nil)
	_ sql.StatisticsTable      = (*ChangesTable)(nil)
)

// A feed is read along its sequences, or by the keys of documents: each document's metadata has its last change.

// LookupForExpressions implements sql.IndexSearchable.
func (t *ChangesTable) LookupForExpressions(ctx *sql.Context, conjuncts ...sql.Expression) (sql.IndexLookup,
	*sql.FuncDepSet, sql.Expression, bool, error) {
	path, err := t.plan(ctx, conjuncts)
	if err != nil {
		return sql.IndexLookup{}, nil, nil, false, mysqlerr.Of(ctx, err)
	}
	if path == nil {
		return sql.IndexLookup{}, nil, nil, false, nil
	}
	if path.Candidate == nil {
		table.NoteScan(t.Session, t.Place, path.AccessPath)
		return sql.IndexLookup{}, nil, nil, false, nil
	}
	var residual []sql.Expression
	for _, i := range path.Residual {
		residual = append(residual, conjuncts[i])
	}
	return path.AsLookup(), &sql.FuncDepSet{}, expression.JoinAnd(residual...), true, nil
}

// SkipIndexCosting implements sql.IndexSearchable.
func (t *ChangesTable) SkipIndexCosting() bool { return true }

// PreciseMatch implements sql.IndexAddressable.
func (t *ChangesTable) PreciseMatch() bool { return true }

// GetIndexes implements sql.IndexAddressable.
func (t *ChangesTable) GetIndexes(*sql.Context) ([]sql.Index, error) { return nil, nil }

// IndexedAccess implements sql.IndexAddressable.
func (t *ChangesTable) IndexedAccess(_ *sql.Context, lookup sql.IndexLookup) sql.IndexedTable {
	path, ok := lookup.Ranges.(*FeedPath)
	if !ok {
		return nil
	}
	along := *t
	along.path = path
	return &along
}

// LookupPartitions implements sql.IndexedTable.
func (t *ChangesTable) LookupPartitions(ctx *sql.Context, _ sql.IndexLookup) (sql.PartitionIter, error) {
	return t.Partitions(ctx)
}

// RowCount implements sql.StatisticsTable. Deleted documents have a row, too, but are not counted.
func (t *ChangesTable) RowCount(ctx *sql.Context) (uint64, bool, error) {
	n, _, err := t.DocumentTable().Counted(ctx)
	return uint64(max(n, 0)), false, mysqlerr.Of(ctx, err)
}

// DataLength implements sql.StatisticsTable.
func (t *ChangesTable) DataLength(*sql.Context) (uint64, error) { return 0, nil }

// DocumentTable is the table whose changes the feed has, with only the columns of the primary key.
func (t *ChangesTable) DocumentTable() *table.Table {
	d := &table.Table{Session: t.Session, Def: t.def, Place: t.Place}
	for _, k := range t.def.PrimaryKey {
		d.Columns = append(d.Columns, t.def.SQLColumns[k])
	}
	return d
}

// FeedResolver describes the columns of a feed in the store, for pushdown.
type FeedResolver struct {
	Table     *ChangesTable
	Documents table.LookupResolver
}

var _ pushdown.Resolver = (*FeedResolver)(nil)

// Column implements pushdown.Resolver. seq is a string without entries; of the primary key, only the first column
// has ranges.
func (r *FeedResolver) Column(f *expression.GetField) (pushdown.Column, string, bool) {
	if !r.Table.Place.Holds(f) {
		return pushdown.Column{}, fmt.Sprintf("%s is another table's", f), false
	}
	for i := range r.Documents.Table.Columns {
		if c := &r.Documents.Table.Columns[i]; strings.EqualFold(FeedKeyName(c.Name), f.Name()) {
			out, reason, ok := r.Documents.ColumnNamed(c)
			if ok && out.PrimaryKeyPart != 1 {
				return pushdown.Column{}, fmt.Sprintf("`%s` is not the first column of the primary key", f.Name()), false
			}
			return out, reason, ok
		}
	}
	if strings.EqualFold(f.Name(), table.SequenceColumn) {
		return pushdown.Column{
			Keypath: table.SequenceColumn, Path: document.Keypath{{Name: table.SequenceColumn}}, Name: table.SequenceColumn,
			Shape: pushdown.ShapeString, Collation: collation.Binary,
		}, "", true
	}
	return pushdown.Column{}, fmt.Sprintf("`%s` has no ranges in a feed of changes", f.Name()), false
}

// Keypath implements pushdown.Resolver.
func (r *FeedResolver) Keypath(path document.Keypath) (pushdown.Column, string, bool) {
	return pushdown.Column{}, fmt.Sprintf("%s has no ranges in a feed of changes", path), false
}

// Stubs implements pushdown.Resolver.
func (r *FeedResolver) Stubs(document.Keypath, byte) bool { return false }

// Holds implements pushdown.Resolver.
func (r *FeedResolver) Holds(document.Keypath, byte) bool { return true }

// HasTexts implements pushdown.Resolver.
func (r *FeedResolver) HasTexts(pushdown.Column) bool { return false }

// Certain implements pushdown.Resolver.
func (r *FeedResolver) Certain(pushdown.Column, pushdown.Among) bool { return false }

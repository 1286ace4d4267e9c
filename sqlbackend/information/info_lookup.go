package information

import (
	"fmt"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/transform"

	"github.com/sqlfdb/sqlfdb/catalog"
	"github.com/sqlfdb/sqlfdb/sqlbackend/functions"
	"github.com/sqlfdb/sqlfdb/sqlbackend/session"
	"github.com/sqlfdb/sqlfdb/sqlbackend/table"
	"github.com/sqlfdb/sqlfdb/sqlbackend/tree"
)

// infoBounds are the databases and tables that a statement asks
// information_schema for; nil stands for all. All filters stay: the bounds only
// save making rows that they would drop. It is the engine's collection of ranges.
type infoBounds struct {
	databases, tables []string
}

var (
	_ sql.IndexSearchableTable = (*infoTable)(nil)
	_ sql.RangeCollection      = (*infoBounds)(nil)
	_ sql.Range                = infoRange{}
)

func (b *infoBounds) hasDatabase(name string) bool { return infoNamed(b.databases, name) }

func (b *infoBounds) hasTable(name string) bool { return infoNamed(b.tables, name) }

// infoNamed reports whether one of the names may equal the name in
// information_schema's collation. Beyond ASCII the collation itself decides, later.
func infoNamed(names []string, name string) bool {
	if names == nil || !functions.IsASCII(name) {
		return true
	}
	for _, n := range names {
		if !functions.IsASCII(n) || strings.EqualFold(strings.TrimRight(n, " "), strings.TrimRight(name, " ")) {
			return true
		}
	}
	return false
}

// useNamed bounds the transaction's view until restore: reads of information_schema then depend on the definitions
// that the bounds name, and on no others.
func useNamed(s *session.Session, b *infoBounds) (restore func(), err error) {
	restore = func() {}
	if b.databases == nil || b.tables == nil {
		return restore, nil
	}
	view, err := s.Readers.Definitions()
	if err != nil {
		return restore, err
	}
	for _, database := range b.databases {
		for _, name := range b.tables {
			database, name := strings.TrimRight(database, " "), strings.TrimRight(name, " ")
			if !functions.IsASCII(database) || !functions.IsASCII(name) {
				return restore, nil
			}
			view.Table(database, name)
			view.View(database, name)
		}
	}
	if t, ok := s.GetTransaction().(*session.Transaction); ok && t.View != nil {
		was := t.View
		t.View = was.Bounded()
		restore = func() { t.View = was }
	}
	return restore, nil
}

// LookupForExpressions implements sql.IndexSearchable.
func (t *infoTable) LookupForExpressions(ctx *sql.Context, conjuncts ...sql.Expression) (sql.IndexLookup,
	*sql.FuncDepSet, sql.Expression, bool, error) {
	b := &infoBounds{}
	for _, c := range conjuncts {
		column, names := t.condition(ctx, c)
		switch {
		case names == nil:
		case strings.EqualFold(column, "table_schema"), strings.EqualFold(column, "constraint_schema"):
			b.databases = names
		case strings.EqualFold(column, "table_name"):
			b.tables = names
		}
	}
	if b.databases == nil && b.tables == nil {
		return sql.IndexLookup{}, nil, nil, false, nil
	}
	index := infoIndex{&table.DeclaredIndex{
		Def: &session.Definition{Table: &catalog.Table{Database: sql.InformationSchemaDatabaseName, Name: t.name}},
		Idx: catalog.Index{Name: "names"},
	}}
	return sql.IndexLookup{Index: index, Ranges: b}, &sql.FuncDepSet{}, expression.JoinAnd(conjuncts...), true, nil
}

// condition reads `column = constant` and `column IN (constants)` of the table's
// columns; of any other condition it gives no names.
func (t *infoTable) condition(ctx *sql.Context, e sql.Expression) (column string, names []string) {
	switch e := tree.Unwrapped(e).(type) {
	case *expression.Equals:
		left, right := tree.Unwrapped(e.Left()), tree.Unwrapped(e.Right())
		f, ok := left.(*expression.GetField)
		if !ok {
			f, ok = right.(*expression.GetField)
			right = left
		}
		if ok && t.place.Holds(f) {
			if name, constant := infoConstant(ctx, right); constant {
				return f.Name(), []string{name}
			}
		}
	case *expression.InTuple:
		f, ok := tree.Unwrapped(e.Left()).(*expression.GetField)
		list, isList := tree.Unwrapped(e.Right()).(expression.Tuple)
		if !ok || !isList || !t.place.Holds(f) {
			return "", nil
		}
		for _, element := range list {
			name, constant := infoConstant(ctx, element)
			if !constant {
				return "", nil
			}
			names = append(names, name)
		}
		return f.Name(), names
	}
	return "", nil
}

// infoConstant is the value of an expression that reads no row, if it is text.
func infoConstant(ctx *sql.Context, e sql.Expression) (string, bool) {
	constant := !transform.InspectExpr(e, func(e sql.Expression) bool {
		switch e.(type) {
		case *expression.Literal, expression.Tuple, *tree.Retype:
			return false
		}
		f, ok := e.(sql.FunctionExpression)
		return !ok || !strings.EqualFold(f.FunctionName(), "database") && !strings.EqualFold(f.FunctionName(), "schema")
	})
	if !constant {
		return "", false
	}
	v, err := e.Eval(ctx, nil)
	if err != nil {
		return "", false
	}
	s, ok := v.(string)
	return s, ok
}

// SkipIndexCosting implements sql.IndexSearchable.
func (t *infoTable) SkipIndexCosting() bool { return true }

// PreciseMatch implements sql.IndexAddressable: LookupForExpressions gives all
// filters back.
func (t *infoTable) PreciseMatch() bool { return true }

// GetIndexes implements sql.IndexAddressable.
func (t *infoTable) GetIndexes(*sql.Context) ([]sql.Index, error) { return nil, nil }

// IndexedAccess implements sql.IndexAddressable.
func (t *infoTable) IndexedAccess(*sql.Context, sql.IndexLookup) sql.IndexedTable {
	return &boundedInfoTable{t}
}

// boundedInfoTable is one of information_schema's tables within bounds.
type boundedInfoTable struct {
	*infoTable
}

var _ sql.IndexedTable = (*boundedInfoTable)(nil)

// LookupPartitions implements sql.IndexedTable.
func (t *boundedInfoTable) LookupPartitions(_ *sql.Context, lookup sql.IndexLookup) (sql.PartitionIter, error) {
	b, ok := lookup.Ranges.(*infoBounds)
	if !ok {
		return nil, fmt.Errorf("sqlbackend: information_schema.%s: a lookup with %T", t.name, lookup.Ranges)
	}
	return sql.PartitionsToPartitionIter(infoPartition{b}), nil
}

// PartitionRows implements sql.Table.
func (t *boundedInfoTable) PartitionRows(ctx *sql.Context, p sql.Partition) (sql.RowIter, error) {
	if within, ok := p.(infoPartition); ok {
		return t.read(ctx, within.bounds)
	}
	return t.infoTable.PartitionRows(ctx, p)
}

type infoPartition struct {
	bounds *infoBounds
}

// Key implements sql.Partition.
func (infoPartition) Key() []byte { return []byte("names") }

// infoIndex is the bounds in the form of an index, for the engine.
type infoIndex struct {
	*table.DeclaredIndex
}

// IsGenerated implements sql.Index.
func (infoIndex) IsGenerated() bool { return true }

// CanSupport implements sql.Index.
func (infoIndex) CanSupport(*sql.Context, ...sql.Range) bool { return true }

// Len implements sql.RangeCollection.
func (b *infoBounds) Len() int { return 1 }

// Equals implements sql.RangeCollection.
func (b *infoBounds) Equals(other sql.RangeCollection) (bool, error) {
	o, ok := other.(*infoBounds)
	return ok && o == b, nil
}

// ToRanges implements sql.RangeCollection.
func (b *infoBounds) ToRanges() []sql.Range { return []sql.Range{infoRange{b}} }

// String implements fmt.Stringer.
func (b *infoBounds) String() string {
	var parts []string
	if b.databases != nil {
		parts = append(parts, "databases "+strings.Join(b.databases, ", "))
	}
	if b.tables != nil {
		parts = append(parts, "tables "+strings.Join(b.tables, ", "))
	}
	return strings.Join(parts, "; ")
}

// DebugString implements sql.DebugStringer.
func (b *infoBounds) DebugString() string { return b.String() }

// infoRange is an infoBounds as the engine's range.
type infoRange struct {
	bounds *infoBounds
}

// Equals implements sql.Range.
func (r infoRange) Equals(other sql.Range) (bool, error) {
	o, ok := other.(infoRange)
	return ok && o == r, nil
}

// String implements fmt.Stringer.
func (r infoRange) String() string { return r.bounds.String() }

// DebugString implements sql.DebugStringer.
func (r infoRange) DebugString() string { return r.bounds.String() }

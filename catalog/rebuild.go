package catalog

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/sqlfdb/sqlfdb/collation"
	"github.com/sqlfdb/sqlfdb/keyspace"
	"github.com/sqlfdb/sqlfdb/kv"
)

// When a change of a definition, or of the collator, makes the index hold other keypaths or
// other bytes, a new version of the index is begun. Every writer puts the documents that it
// touches into the new version; a job does the rest. A document's generation determines the
// version that its entries are in.

// FormerIndex is a version of the index that some documents are still in.
type FormerIndex struct {
	// Version is its number, the v of its keys.
	Version int64
	// Below: documents of a generation below it are in it, unless they are in an earlier
	// FormerIndex.
	Below int64
	// Definition has the parts of the table's definition of then that say which values had
	// entries: of the columns only those of byte strings.
	Definition *Table
}

// entered are the parts of a definition that say which values have entries. It is small,
// since it stands beside the whole definition in one value of the store.
func (t *Table) entered() *Table {
	out := &Table{
		ID: t.ID, Database: t.Database, Name: t.Name, Open: t.Open, DocumentColumn: t.DocumentColumn, Options: t.Options,
		Generation: t.Generation, IndexVersion: t.IndexVersion, Collator: t.Collator, Collation: t.Collation,
	}
	for range t.PrimaryKey {
		out.PrimaryKey = append(out.PrimaryKey, -1) // their number is all that counts
	}
	for _, c := range t.Columns {
		if c.Class == ClassBytes || slices.ContainsFunc(c.Earlier, func(e Encoding) bool { return e.Class == ClassBytes }) {
			out.Columns = append(out.Columns, Column{Name: c.Name, Type: c.Type, Class: c.Class, FieldVersion: c.FieldVersion,
				Earlier: c.Earlier})
			if t.BytesIndexed(c.Name) {
				out.Indexes = append(out.Indexes, Index{Columns: []string{c.Name}, Bytes: true})
			}
		}
	}
	return out.Clone()
}

// Rebuilding reports whether some documents may not be in the index yet.
func (t *Table) Rebuilding() bool { return len(t.Formers) > 0 }

// CurrentFrom is the generation from which on documents are in the present
// version of the index.
func (t *Table) CurrentFrom() int64 {
	if n := len(t.Formers); n > 0 {
		return t.Formers[n-1].Below
	}
	return 0
}

// FormerOf is the former version of the index that a document of a generation is
// in; ok is false when it is in the present one.
func (t *Table) FormerOf(generation int64) (i int, ok bool) {
	for i := range t.Formers {
		if generation < t.Formers[i].Below {
			return i, true
		}
	}
	return 0, false
}

// CollatorVersion is the version of the sort keys in the present index.
func (t *Table) CollatorVersion() string {
	if t.Collator == "" {
		return collation.FirstVersion
	}
	return t.Collator
}

// Reindex begins a new version of the index, in which values are encoded by t and this
// program's collator. before is the definition until now; t may differ from it.
func (t *Table) Reindex(before *Table) {
	def := before.entered()
	t.Generation = max(t.Generation, before.Generation) + 1
	t.Formers = append(slices.Clone(before.Formers), FormerIndex{Version: before.indexVersion(), Below: t.Generation,
		Definition: def})
	t.IndexVersion = before.indexVersion() + 1
	t.Collator = collation.Version()
}

// Reindexed forgets the former versions of the index and removes their entries
// and counters: all documents are in the present one.
func (t *Table) Reindexed(w kv.Writer) {
	for i := range t.Formers {
		w.ClearRange(t.FormerKeys(i).Index())
	}
	t.Formers = nil
}

// FormerKeys are the collection's keys with a former version of the index.
func (t *Table) FormerKeys(i int) *keyspace.Collection {
	return keyspace.NewCollectionAt(t.ID, max(1, len(t.PrimaryKey)), t.Formers[i].Version)
}

func (t *Table) indexVersion() int64 { return max(t.IndexVersion, keyspace.FirstIndexVersion) }

// Formats of definitions. Programs that know no formats understand the first.
const (
	firstFormat      = 1
	generationFormat = 2 // documents have generations, or the index has versions
	declaredFormat   = 3 // a column was not declared at an earlier generation, or byte strings have entries
	indexFormat      = 4 // a declared index has entries of its own, or is being built
	foreignKeyFormat = 5 // the table has foreign keys
	hiddenFormat     = 6 // the table has hidden columns
	partsFormat      = 7 // documents don't all have the values of hidden columns, or have values of dropped ones
	nullFormat       = 8 // a JSON null is a value of some column

	mapFormat  = 9  // the table has map indexes
	timeFormat = 10 // a TIME column has fewer than six digits

	buildFormat = 11 // a map index is built in parts, or in the background by a job

	longKeyFormat = 12 // a map index cuts long keys

	bucketFormat = 13 // the documents are in an object store

	// definitionFormat is the greatest format that this program understands.
	definitionFormat = bucketFormat
)

// ErrNewer: a newer program has defined the table, or has written its index.
var ErrNewer = errors.New("the table is of a newer program")

// format is the least that a program must understand to use the table.
func (t *Table) format() int {
	if t.Bucket != nil {
		return bucketFormat
	}
	if slices.ContainsFunc(t.MapGroups, func(g MapGroup) bool { return g.Long }) {
		return longKeyFormat
	}
	if slices.ContainsFunc(t.MapGroups, func(g MapGroup) bool {
		return len(g.Parts) > 0 || g.Building != 0 && !g.Interactive
	}) {
		return buildFormat
	}
	if slices.ContainsFunc(t.Columns, roundsTimes) {
		return timeFormat
	}
	if len(t.Maps) > 0 {
		return mapFormat
	}
	if slices.ContainsFunc(t.Columns, keepsNull) {
		return nullFormat
	}
	if t.Parting() {
		return partsFormat
	}
	if t.Visible() < len(t.Columns) {
		return hiddenFormat
	}
	if len(t.ForeignKeys) > 0 {
		return foreignKeyFormat
	}
	if slices.ContainsFunc(t.Indexes, func(x Index) bool { return x.Number != 0 || x.Building != 0 }) {
		return indexFormat
	}
	for i := range t.Columns {
		c := &t.Columns[i]
		if slices.ContainsFunc(c.Earlier, Encoding.Undeclared) || c.Class == ClassBytes && t.BytesIndexed(c.Name) {
			return declaredFormat
		}
	}
	if t.Generation > 0 || t.indexVersion() > keyspace.FirstIndexVersion || t.CollatorVersion() != collation.FirstVersion {
		return generationFormat
	}
	return firstFormat
}

// roundsTimes reports whether a column is a TIME(n) of fewer than six digits. Programs of before know TIME(6) alone.
func roundsTimes(c Column) bool {
	return c.Type == "time" || strings.HasPrefix(c.Type, "time(") && c.Type != "time(6)"
}

// keepsNull reports whether a JSON null is a value of the column, or was in documents of before.
func keepsNull(c Column) bool {
	return c.KeepsNull || slices.ContainsFunc(c.Earlier, func(e Encoding) bool { return e.KeepsNull })
}

// Understood fails with ErrNewer when this program must not use the table. It can
// be dropped all the same.
func (t *Table) Understood() error {
	if t.Format > definitionFormat {
		return fmt.Errorf("catalog: table %s: %w: its definition has format %d, this program reads up to %d",
			t, ErrNewer, t.Format, definitionFormat)
	}
	if v := t.CollatorVersion(); collation.CompareVersions(v, collation.Version()) > 0 {
		return fmt.Errorf("catalog: table %s: %w: its strings are ordered by the collator %q, this program has %q",
			t, ErrNewer, v, collation.Version())
	}
	return nil
}

package catalog

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/sqlfdb/sqlfdb/keyspace"
)

// Table is the definition of one table. A Table that a View hands out is
// shared and must not be changed; Clone it first.
type Table struct {
	// ID is the collection's number. TRUNCATE TABLE gives a new one.
	ID       int64
	Database string
	Name     string
	// Open tables take any document; closed ones have just their columns.
	Open bool
	// DocumentColumn is the place among Columns where `_doc` was declared, or
	// -1 for a closed table. `_doc` itself is not in Columns.
	DocumentColumn int
	Columns        []Column
	// PrimaryKey lists the key's columns as indexes into Columns, in key
	// order. It is empty when the key is hidden.
	PrimaryKey []int
	Options    Options
	// Generation counts the changes of how columns are encoded. Documents are
	// written with the generation of their time.
	Generation int64 `json:",omitempty"`
	// IndexVersion is the version of the index that is written; 0 is the first.
	IndexVersion int64 `json:",omitempty"`
	// Formers are the versions of the index that some documents are still in,
	// the oldest first. While there are any, the index can't be read.
	Formers []FormerIndex `json:",omitempty"`
	// Collator is the version of the present index's sort keys; empty is the
	// first: see CollatorVersion.
	Collator string `json:",omitempty"`
	// Format is the least that a program must know of definitions to use this one.
	Format int `json:",omitempty"`
	// Collation is the table's default collation (MySQL's name); empty means
	// the product's default.
	Collation string  `json:",omitempty"`
	Comment   string  `json:",omitempty"`
	Indexes   []Index `json:",omitempty"`
	// LastIndex is the greatest number that an index was given.
	LastIndex int64   `json:",omitempty"`
	Checks    []Check `json:",omitempty"`
	// ForeignKeys are the constraints of this table on others.
	ForeignKeys []ForeignKey `json:",omitempty"`
	// Maps are the map indexes and design documents, MapGroups their stored rows.
	Maps      []Map      `json:",omitempty"`
	MapGroups []MapGroup `json:",omitempty"`
	// Bucket is the place of the documents if they are in an object store; nil: they are in this one.
	Bucket *Bucket `json:",omitempty"`
	// LastMap is the greatest number that a group was given.
	LastMap int64 `json:",omitempty"`
}

// Column is one declared column. Its value stands in the document at the
// keypath that its name spells.
type Column struct {
	Name string
	// Type is the SQL type as text, collation and attributes included.
	Type      string
	Nullable  bool
	Default   string `json:",omitempty"` // expression text; empty means none
	OnUpdate  string `json:",omitempty"`
	Generated string `json:",omitempty"`
	Virtual   bool   `json:",omitempty"`
	// NamedVirtual: a generated column that was declared VIRTUAL. Its values are stored as any other column's.
	NamedVirtual  bool   `json:",omitempty"`
	AutoIncrement bool   `json:",omitempty"`
	Comment       string `json:",omitempty"`
	// KeepsNull: a JSON null in a document is a value of the column, and only a document that lacks the keypath
	// is NULL. Columns without it read both as NULL.
	KeepsNull bool `json:",omitempty"`
	// Class is how the index and the primary key encode the column's values
	// where JSON alone does not: see the ClassX constants. Empty is for text
	// types (a key is then the text) and, outside keys, for values as JSON has them.
	Class string `json:",omitempty"`
	// Length is the greatest number of characters (of bytes for ClassBytes) of
	// a text column; 0 means no limit.
	Length int64 `json:",omitempty"`
	// Collation is the column's own collation (MySQL's name), if it has one.
	Collation string `json:",omitempty"`
	// FieldVersion is the number of the column's type; it grows when ALTER
	// TABLE changes the type.
	FieldVersion int64 `json:",omitempty"`
	// Earlier are the former encodings that documents may still have, the oldest
	// first. They go when all documents have been upgraded.
	Earlier []Encoding `json:",omitempty"`
	// Misfits: some documents hold a value that could not be converted to the
	// type. Such a value reads as NULL.
	Misfits bool `json:",omitempty"`
	// Hidden: the column is a part of an index, and no statement sees it: the value of Generated, or
	// the beginning of another column. Hidden columns stand behind all others.
	Hidden bool `json:",omitempty"`
	// PrefixOf is the column that it is the beginning of, PrefixLength the number of characters, or of bytes.
	PrefixOf     string `json:",omitempty"`
	PrefixLength int64  `json:",omitempty"`
}

// Classes of declared columns: all but ClassNumber stand as JSON strings in the
// document.
const (
	ClassNumber   = "number"   // integers, decimals, doubles: JSON numbers
	ClassDate     = "date"     // "2006-01-02"
	ClassTime     = "time"     // "[-]hhh:mm:ss[.ffffff]"
	ClassDatetime = "datetime" // "2006-01-02 15:04:05[.ffffff]"
	ClassBytes    = "bytes"    // base64; indexed only in a key or a declared index
)

// Options are the table options that MySQL has no word for.
type Options struct {
	MaxDepth int      `json:"max_depth,omitempty"` // names in an indexed keypath; 0 means DefaultMaxDepth
	Excluded []string `json:"excluded,omitempty"`  // keypaths that are not indexed
	// bytes of a sort key that are indexed; 0 means DefaultStringLimit
	StringLimit   int    `json:"string_limit,omitempty"`
	ListedColumns int    `json:"listed_columns,omitempty"` // 0 means DefaultListedColumns
	KeyScheme     string `json:"key_scheme,omitempty"`     // KeySchemeField, or empty: documents are whole
	Collation     string `json:"collation,omitempty"`      // of undeclared strings (MySQL's name); empty means the table's
}

// KeySchemeField is the key scheme with one key for each field of a document.
// It holds for documents that are written from now on.
const KeySchemeField = "field"

// Defaults of Options.
const (
	DefaultMaxDepth      = 5
	DefaultStringLimit   = 256
	DefaultListedColumns = 512
)

// Index is a declared index.
type Index struct {
	Name    string
	Columns []string
	Unique  bool   `json:",omitempty"`
	Comment string `json:",omitempty"`
	// Lengths are how many characters, or bytes, of each column the statement that declared the index named, 0 for all;
	// nil where all are 0. They are only shown: the entries are of whole values.
	Lengths []int64 `json:",omitempty"`
	// Bytes: byte strings in its columns have entries. It is unset for indexes that were
	// declared before such entries existed.
	Bytes bool `json:",omitempty"`
	// Number is the number of the index's own entries. 0 is for an index that has none: it
	// uses its keypath's entries, or an earlier program has declared it.
	Number int64 `json:",omitempty"`
	// Building is the number of the job that gives entries to the documents older than the
	// index, and proves them to be unique; 0 when that is done. Writers keep to the index
	// meanwhile, statements don't read it.
	Building int64 `json:",omitempty"`
}

// Check is a CHECK constraint; Expression is its text.
type Check struct {
	Name       string
	Expression string
	Enforced   bool
}

// SQLView is a view's definition.
type SQLView struct {
	Database, Name string
	TextDefinition string // the SELECT
	CreateStatement,
	SQLMode string
}

// Depth is the number of names in the longest indexed keypath.
func (o Options) Depth() int {
	if o.MaxDepth > 0 {
		return o.MaxDepth
	}
	return DefaultMaxDepth
}

// SortKeyLimit is the number of bytes of a sort key that are indexed.
func (o Options) SortKeyLimit() int {
	if o.StringLimit > 0 {
		return o.StringLimit
	}
	return DefaultStringLimit
}

// Listed is the number of columns that are listed.
func (o Options) Listed() int {
	if o.ListedColumns > 0 {
		return o.ListedColumns
	}
	return DefaultListedColumns
}

// AddIndex adds a declared index. One on several columns gets entries of its own.
func (t *Table) AddIndex(idx Index) {
	idx.Number = 0
	if len(idx.Columns) > 1 {
		t.LastIndex++
		idx.Number = t.LastIndex
	}
	t.Indexes = append(t.Indexes, idx)
}

// Clone returns a copy that may be changed.
func (t *Table) Clone() *Table {
	c := *t
	c.Columns = slices.Clone(t.Columns)
	for i := range c.Columns {
		c.Columns[i].Earlier = slices.Clone(c.Columns[i].Earlier)
	}
	c.PrimaryKey = slices.Clone(t.PrimaryKey)
	c.Formers = slices.Clone(t.Formers)
	c.Options.Excluded = slices.Clone(t.Options.Excluded)
	c.Indexes = slices.Clone(t.Indexes)
	for i := range c.Indexes {
		c.Indexes[i].Columns = slices.Clone(c.Indexes[i].Columns)
		c.Indexes[i].Lengths = slices.Clone(c.Indexes[i].Lengths)
	}
	c.Checks = slices.Clone(t.Checks)
	c.ForeignKeys = cloneForeignKeys(t.ForeignKeys)
	c.cloneMaps(t)
	return &c
}

// Dead reports whether a column was a part of an index that is gone, and documents may still have its values.
func (c *Column) Dead() bool { return c.Hidden && c.Generated == "" && c.PrefixOf == "" }

// Parting reports whether a job has documents to give the values of hidden columns, or to take them from.
func (t *Table) Parting() bool {
	for i := t.Visible(); i < len(t.Columns); i++ {
		c := &t.Columns[i]
		if c.Dead() || slices.ContainsFunc(t.Indexes, func(x Index) bool {
			return x.Building != 0 && slices.Contains(x.Columns, c.Name)
		}) {
			return true
		}
	}
	return false
}

// Visible is the number of columns that are not hidden.
func (t *Table) Visible() int {
	n := len(t.Columns)
	for n > 0 && t.Columns[n-1].Hidden {
		n--
	}
	return n
}

// Column finds a declared column by name, ignoring case.
func (t *Table) Column(name string) (int, bool) {
	for i := range t.Columns {
		if strings.EqualFold(t.Columns[i].Name, name) {
			return i, true
		}
	}
	return -1, false
}

// BytesIndexed reports whether byte strings in a declared column have entries:
// some declared index is on it, or was.
func (t *Table) BytesIndexed(column string) bool {
	if i, ok := t.Column(column); ok && t.Columns[i].Dead() {
		return true
	}
	return slices.ContainsFunc(t.Indexes, func(x Index) bool {
		return x.Bytes && slices.ContainsFunc(x.Columns, func(c string) bool { return strings.EqualFold(c, column) })
	})
}

// UndeclaredCollation names the collation of the strings that no column
// declares; empty means the product's default.
func (t *Table) UndeclaredCollation() string {
	if t.Options.Collation != "" {
		return t.Options.Collation
	}
	return t.Collation
}

// Keys returns the keys of the table's collection.
func (t *Table) Keys() *keyspace.Collection {
	return keyspace.NewCollectionAt(t.ID, max(1, len(t.PrimaryKey)), t.indexVersion())
}

// String is the table's name with its database.
func (t *Table) String() string { return t.Database + "." + t.Name }

func (t *Table) marshal() ([]byte, error) {
	b, err := json.Marshal(t)
	if err != nil {
		return nil, fmt.Errorf("catalog: encode table %s: %w", t, err)
	}
	return b, nil
}

package session

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/dolthub/go-mysql-server/sql"

	"github.com/sqlfdb/sqlfdb/bucket/pool"
	"github.com/sqlfdb/sqlfdb/catalog"
	"github.com/sqlfdb/sqlfdb/collation"
	"github.com/sqlfdb/sqlfdb/costing"
	"github.com/sqlfdb/sqlfdb/document"
	"github.com/sqlfdb/sqlfdb/indexes"
	"github.com/sqlfdb/sqlfdb/kv/tuple"
	"github.com/sqlfdb/sqlfdb/ordered"
	"github.com/sqlfdb/sqlfdb/sqlbackend/compare"
	"github.com/sqlfdb/sqlfdb/sqlbackend/statement"
	"github.com/sqlfdb/sqlfdb/sqlbackend/syntax"
	"github.com/sqlfdb/sqlfdb/tables"
)

// DocumentColumn is the name of the column that holds the whole document.
const DocumentColumn = "_doc"

// HiddenKeyColumn carries the key of a table without a primary key through UPDATE and DELETE; other statements do not
// see it.
const HiddenKeyColumn = "_sqlfdb_key"

// Definition is a table's definition with structures that are derived from it. It is made once per definition and
// shared by all statements. It is immutable.
type Definition struct {
	*catalog.Table
	Collection   *tables.Collection
	Encoder      *indexes.Encoder
	SQLColumns   []Column // the declared columns, in the definition's order
	SQLCollation *collation.Collation
	Typing       *typing
	Computed     map[string]int // see computedOf
	Grain        int64          // granularity of the store's estimates (kv.Store.EstimateGrain)
	// Bucket has the documents if they are in an object store; Collection then has none.
	Bucket *pool.Collection
}

// Column is one column of a table.
type Column struct {
	Name     string
	Keypath  document.Keypath
	Typ      sql.Type
	Declared int  // its index in the definition's columns; -1 when inferred
	Document bool // `_doc`
	Key      bool // the hidden key
	Unit     Unit
	// Unsettled says that documents may hold values that do not fit, or are in a former type.
	Unsettled bool
	// Undeclared says that this is the column as documents had it before it was declared.
	Undeclared bool
	Takes      compare.Taker // for an inferred column
	Mixed      bool          // an inferred column of scalars that is JSON
	KeepsNull  bool          // see catalog.Column
}

// definitions caches the newest definition of each collection.
type definitions struct {
	catalog *catalog.Catalog
	buckets *pool.Pool
	bucket  string // see Instance.Bucket
	Mu      sync.Mutex
	ByID    map[int64]*Definition
}

// Of returns the Definition of a table that a catalog view returned.
func (ds *definitions) Of(t *catalog.Table) (*Definition, error) {
	ds.Mu.Lock()
	d := ds.ByID[t.ID]
	ds.Mu.Unlock()
	if d != nil && d.Table == t {
		return d, nil
	}
	d, err := NewDefinition(ds.catalog, t)
	if err != nil {
		return nil, err
	}
	if at := t.Bucket; at != nil {
		d.Bucket = ds.buckets.Of(placeIn(at, ds.bucket))
	}
	ds.Mu.Lock()
	ds.ByID[t.ID] = d
	ds.Mu.Unlock()
	return d, nil
}

// NewDefinition returns the definition of a table for SQL.
func NewDefinition(cat *catalog.Catalog, t *catalog.Table) (*Definition, error) {
	enc, err := indexes.NewEncoder(t)
	if err != nil {
		return nil, err
	}
	d := &Definition{Table: t, Encoder: enc, SQLCollation: UndeclaredCollation(t), Computed: computedOf(t),
		Grain: cat.Store().EstimateGrain()}
	for i := range t.Columns {
		c, err := ColumnAt(t, i)
		if err != nil {
			return nil, err
		}
		d.SQLColumns = append(d.SQLColumns, c)
	}
	if d.Typing, err = newTyping(t, d.SQLColumns); err != nil {
		return nil, err
	}
	if d.Collection, err = tables.OpenTyped(cat, t, d.Typing); err != nil {
		return nil, err
	}
	return d, nil
}

// ColumnKeypath is document.NamedKeypath for a possible column name.
func ColumnKeypath(name string) (document.Keypath, error) {
	path := document.NamedKeypath(name)
	if path.HasArray() {
		return nil, fmt.Errorf(
			"sqlbackend: %w: a column can't lead through the elements of an array; _doc->'$.%s' does, and the array's "+
				"own table has a row for each", document.ErrKeypath, name)
	}
	return path, nil
}

// IsKey reports whether the declared column is part of the primary key.
func (d *Definition) IsKey(declared int) bool {
	for _, k := range d.PrimaryKey {
		if k == declared {
			return true
		}
	}
	return false
}

// Hidden reports whether the table has no primary key of its own.
func (d *Definition) Hidden() bool { return len(d.PrimaryKey) == 0 }

// AppendKey appends one element of a primary key: a SQL value of the column.
func (d *Definition) AppendKey(ctx *sql.Context, dst []byte, c *Column, v any) ([]byte, error) {
	value, err := ToJSON(ctx, c, v)
	if err != nil {
		return nil, err
	}
	return tables.AppendKeyValue(dst, &d.Columns[c.Declared], value)
}

// ColumnNamed finds a declared column by name, ignoring case.
func (d *Definition) ColumnNamed(name string) *Column {
	for i := range d.SQLColumns {
		if strings.EqualFold(d.SQLColumns[i].Name, name) {
			return &d.SQLColumns[i]
		}
	}
	return nil
}

// DecodeKey returns the values of the primary key's columns in an encoded key; for a hidden key its text.
func (d *Definition) DecodeKey(ctx *sql.Context, pk []byte) ([]any, error) {
	if d.Hidden() {
		x, err := d.decodeKeyElement(&pk, collation.Binary)
		return []any{x.Text}, err
	}
	values := make([]any, 0, len(d.PrimaryKey))
	for _, i := range d.PrimaryKey {
		c := &d.SQLColumns[i]
		x, err := d.decodeKeyElement(&pk, d.Encoder.Collation(c.Name))
		if err != nil {
			return nil, err
		}
		var value any
		if x.Class == ordered.ClassBytes {
			value, err = ConvertValue(ctx, c, []byte(x.Text))
		} else {
			var v document.Value
			if x.Class == ordered.ClassNumber {
				v, err = document.NumberValue(x.Text)
			} else {
				v, err = document.StringValue(x.Text)
			}
			if err == nil {
				value, err = FromJSON(ctx, c, v)
			}
		}
		if err != nil {
			return nil, fmt.Errorf("sqlbackend: primary key of %s: %w", d, err)
		}
		values = append(values, value)
	}
	return values, nil
}

// decodeKeyElement removes and decodes the first element of an encoded key.
func (d *Definition) decodeKeyElement(pk *[]byte, c *collation.Collation) (ordered.Decoded, error) {
	rest, enc, err := tuple.DecodeBytes(*pk)
	if err != nil {
		return ordered.Decoded{}, fmt.Errorf("sqlbackend: primary key of %s: %w", d, err)
	}
	*pk = rest
	x, err := ordered.Decode(enc, ordered.DecodeOptions{Collation: c, Limit: tables.MaxPrimaryKey})
	if err != nil {
		return x, fmt.Errorf("sqlbackend: primary key of %s: %w", d, err)
	}
	return x, nil
}

// computedOf returns the columns in which documents hold the values of expressions, by the expressions' texts: hidden
// columns of keys, and generated columns.
func computedOf(def *catalog.Table) map[string]int {
	out := map[string]int{}
	for i, c := range def.Columns {
		switch {
		case c.Generated == "" || c.Virtual || c.Hidden && isBuilding(def, c.Name):
		case c.Hidden:
			out[WithoutParentheses(c.Generated)] = i
		default:
			text := asDeclared(def, WithoutParentheses(c.Generated))
			if _, there := out[text]; !there {
				out[text] = i
			}
		}
	}
	return out
}

// isBuilding reports whether some documents lack the values of a hidden column so far.
func isBuilding(def *catalog.Table, hidden string) bool {
	return slices.ContainsFunc(def.Indexes, func(x catalog.Index) bool {
		return x.Building != 0 && slices.Contains(x.Columns, hidden)
	})
}

// asDeclared returns an expression's text with the names of columns in plainText's form.
func asDeclared(def *catalog.Table, text string) string {
	var e syntax.Edits
	for _, t := range statement.Tokenize(text) {
		if name, ok := statement.UnquotedName(text, t); ok {
			if i, ok := def.Column(name); ok {
				e.Add(t.Start, t.End, def.Columns[i].Name)
			}
		}
	}
	return e.Apply(text)
}

// WithoutParentheses removes the parentheses around a whole text.
func WithoutParentheses(text string) string {
	for strings.HasPrefix(text, "(") && strings.HasSuffix(text, ")") {
		depth := 0
		for i, c := range text {
			switch c {
			case '(':
				depth++
			case ')':
				if depth--; depth == 0 && i < len(text)-1 {
					return text
				}
			}
		}
		text = text[1 : len(text)-1]
	}
	return text
}

// Excludes reports whether the options exclude a keypath or one above it.
func (d *Definition) Excludes(path document.Keypath) bool {
	excluded := indexes.FlattenOptions(d.Options).Excluded
	if excluded == nil {
		return false
	}
	var spelled []byte
	for n, step := range path {
		if n > 0 {
			spelled = append(spelled, '.')
		}
		spelled = document.Keypath{{Name: step.Name}}.Append(spelled)
		if excluded(spelled) {
			return true
		}
		if step.Array {
			if spelled = append(spelled, "[*]"...); excluded(spelled) {
				return true
			}
		}
	}
	return false
}

var IntegerKinds = []document.Kind{document.KindInt53, document.KindInt64, document.KindUint64, document.KindBigInt}

// Only reports whether the counts have no values but nulls and those kinds.
func Only(counts costing.Keypath, kinds ...document.Kind) bool {
	for kind, n := range counts {
		if kind != document.KindNull && kind != indexes.KindOmitted && !n.IsZero() && !slices.Contains(kinds, kind) {
			return false
		}
	}
	return true
}

// QuoteColumns quotes the names of columns in an expression's text. The engine returns the expressions of checks,
// defaults and generated columns with plain names, and could not read names with spaces, dots or reserved words
// again.
func (d *Definition) QuoteColumns(text string) string {
	if text == "" {
		return ""
	}
	var names []string
	for i := range d.Columns {
		if name := d.Columns[i].Name; strings.Trim(name, "0123456789.") != "" { // skip names that may be numbers
			names = append(names, name)
		}
	}
	slices.SortFunc(names, func(a, b string) int { return len(b) - len(a) }) // `a b` before `a`
	var out strings.Builder
	for i := 0; i < len(text); {
		if c := text[i]; c == '\'' || c == '"' || c == '`' {
			end := statement.QuotedEnd(text, i)
			out.WriteString(text[i:end])
			i = end
			continue
		}
		name := ""
		if i == 0 || !statement.IsNameByte(text[i-1]) {
			name = statement.NameAt(text[i:], names)
		}
		if name == "" {
			out.WriteByte(text[i])
			i++
			continue
		}
		out.WriteString(sql.QuoteIdentifier(name))
		i += len(name)
	}
	return out.String()
}

// OpenCollection returns the collection of a definition, which reads documents by their SQL types.
func (b *Instance) OpenCollection(def *catalog.Table) (*tables.Collection, error) {
	d, err := b.Definitions.Of(def)
	if err != nil {
		return nil, err
	}
	return d.Collection, nil
}

// CollationID returns the engine's collation of that name.
func CollationID(name string) sql.CollationID {
	if name == "" {
		return sql.Collation_Default
	}
	id, err := sql.ParseCollation("", name, false)
	if err != nil || id == sql.Collation_Unspecified {
		return sql.Collation_Default
	}
	return id
}

package session

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"github.com/sqlfdb/sqlfdb/costing"
	"github.com/sqlfdb/sqlfdb/document"
	"github.com/sqlfdb/sqlfdb/kv"
	"github.com/sqlfdb/sqlfdb/kv/ahead"
	"github.com/sqlfdb/sqlfdb/sqlbackend/compare"
)

// MaxColumnName is the length in characters of MySQL's longest column name.
// Longer keypaths are not listed: tools choke on them.
const MaxColumnName = 64

// Shape selects the columns of a statement's table. The engine pays for every column in every statement, so a
// statement sees the columns that it names, and the whole list is made only where it is needed.
type Shape struct {
	Named    []string // undeclared columns that the statement names
	List     bool     // every keypath that can be listed
	Document bool     // `_doc`
	Key      bool     // the hidden key
	Optional bool     // an INSERT: `_doc` may hold the value of a NOT NULL column
	Indexed  bool     // the named columns belong to an index that is being made
	// Expressions are the parts of an index being made that are no columns: see syntax.KeyMark.
	Expressions []string
}

// Layout returns the columns of a statement's table: the declared ones, the inferred ones in the order of their first
// appearance, `_doc`.
func (d *Definition) Layout(r kv.Reader, s Shape) ([]Column, sql.Schema, error) {
	columns := slices.Clone(d.SQLColumns[:d.Visible()])
	schema := make(sql.Schema, 0, len(columns)+len(s.Named)+2)
	for i := range columns {
		schema = append(schema, d.sqlColumn(i, s.Optional))
	}
	if d.Open && (s.List || len(s.Named) > 0) {
		inferred, sqlColumns, err := d.Inferred(r, s)
		if err != nil {
			return nil, nil, err
		}
		columns = append(columns, inferred...)
		schema = append(schema, sqlColumns...)
	}
	for _, name := range s.Expressions {
		columns = append(columns, Column{Name: name, Keypath: document.Keypath{{Name: name}}, Typ: indexedType, Declared: -1,
			Unit: InferredUnit(indexedType)})
		schema = append(schema, &sql.Column{Name: name, Type: indexedType, Nullable: true, Source: d.Name,
			DatabaseSource: d.Database})
	}
	if d.Open && s.Document {
		columns = append(columns, Column{Name: DocumentColumn, Typ: types.JSON, Declared: -1, Document: true, Unit: UnitJSON})
		schema = append(schema, &sql.Column{Name: DocumentColumn, Type: types.JSON, Nullable: true,
			Source: d.Name, DatabaseSource: d.Database, Comment: "the whole document"})
	}
	if s.Key && d.Hidden() {
		columns = append(columns, Column{Name: HiddenKeyColumn, Typ: types.LongBlob, Declared: -1, Key: true})
		schema = append(schema, &sql.Column{Name: HiddenKeyColumn, Type: types.LongBlob, Nullable: true,
			Source: d.Name, DatabaseSource: d.Database})
	}
	return columns, schema, nil
}

// VirtualGenerated is the text of SHOW COLUMNS for a VIRTUAL column.
const VirtualGenerated = "VIRTUAL GENERATED"

// sqlColumn returns the engine's column for a declared one.
func (d *Definition) sqlColumn(i int, optional bool) *sql.Column {
	def := &d.Columns[i]
	c := &sql.Column{
		Name:           def.Name,
		Type:           d.SQLColumns[i].Typ,
		Nullable:       def.Nullable || (optional && d.Open && !def.AutoIncrement),
		Source:         d.Name,
		DatabaseSource: d.Database,
		PrimaryKey:     d.IsKey(i),
		Comment:        def.Comment,
		AutoIncrement:  def.AutoIncrement,
		Virtual:        def.Virtual,
	}
	if def.AutoIncrement {
		c.Extra = "auto_increment"
	}
	if e, ok := c.Type.(sql.EnumType); ok && def.Default == "" && !def.Nullable && e.NumberOfElements() > 0 {
		first, _ := e.At(1) // the value in an INSERT that doesn't name the column
		c.Default = sql.NewUnresolvedColumnDefaultValue(ast.String(ast.NewStrVal([]byte(first))))
	}
	if def.Default != "" {
		c.Default = sql.NewUnresolvedColumnDefaultValue(d.QuoteColumns(def.Default))
	}
	if def.Generated != "" {
		c.Generated = sql.NewUnresolvedColumnDefaultValue(d.QuoteColumns(def.Generated))
		c.Extra = "STORED GENERATED"
		if def.Virtual || def.NamedVirtual {
			c.Extra = VirtualGenerated
		}
	}
	if def.OnUpdate != "" {
		c.OnUpdate = sql.NewUnresolvedColumnDefaultValue(def.OnUpdate)
	}
	return c
}

// Inferred returns the columns of undeclared keypaths.
func (d *Definition) Inferred(r kv.Reader, s Shape) ([]Column, sql.Schema, error) {
	if d.Bucket != nil {
		return d.inferredOfBucket(s)
	}
	stats := d.Collection.Statistics(r)
	var columns []Column
	var schema sql.Schema
	add := func(name string, path document.Keypath, counts costing.Keypath, documents int64) {
		column, c := d.inferred(s, name, path, counts)
		if documents >= 0 {
			c.Comment = CountComment(counts, documents)
		}
		columns, schema = append(columns, column), append(schema, c)
	}
	if !s.List {
		d.StartCounts(r, s.Named)
		for _, name := range s.Named {
			path, err := ColumnKeypath(name)
			if err != nil {
				return nil, nil, err
			}
			number, ok, err := d.Collection.Dictionary().Lookup(r, path.String())
			if err != nil {
				return nil, nil, err
			}
			var counts costing.Keypath
			if ok {
				if counts, err = stats.Keypath(number); err != nil {
					return nil, nil, err
				}
			}
			add(name, path, counts, -1)
		}
		return columns, schema, nil
	}
	d.StartListing(r)
	documents, _, err := stats.Documents()
	if err != nil {
		return nil, nil, err
	}
	all, err := stats.Keypaths()
	if err != nil {
		return nil, nil, err
	}
	keypaths, err := d.Collection.Dictionary().All(r)
	if err != nil {
		return nil, nil, err
	}
	taken, listed := d.takenNames()
	for i, name := range keypaths {
		counts := all[int64(i+1)]
		if len(columns) >= d.Options.Listed() {
			break
		}
		if !IsColumn(counts) || !listed(name) {
			continue
		}
		path, err := document.ParseKeypath(name)
		if err != nil || path.HasArray() {
			continue
		}
		taken[strings.ToLower(name)] = true
		add(name, path, counts, documents)
	}
	// A statement with * may also name keypaths that are not listed.
	for _, name := range s.Named {
		if taken[strings.ToLower(name)] {
			continue
		}
		path, err := ColumnKeypath(name)
		if err != nil {
			return nil, nil, err
		}
		number, _, err := d.Collection.Dictionary().Lookup(r, path.String())
		if err != nil {
			return nil, nil, err
		}
		taken[strings.ToLower(name)] = true
		add(name, path, all[number], -1)
	}
	return columns, schema, nil
}

// inferred returns the column of an undeclared keypath.
func (d *Definition) inferred(s Shape, name string, path document.Keypath, counts costing.Keypath) (Column,
	*sql.Column) {
	typ := InferredType(counts, d.SQLCollation)
	if s.Indexed {
		typ = indexedType
	}
	column := Column{Name: name, Keypath: path, Typ: typ, Declared: -1, Unit: InferredUnit(typ),
		Takes: compare.TakerOf(counts), Mixed: !s.Indexed && compare.IsMixedColumn(counts, typ)}
	return column, &sql.Column{Name: name, Type: typ, Nullable: true, Source: d.Name, DatabaseSource: d.Database}
}

// takenNames returns the names of declared columns and `_doc`, in lower case. listed reports whether a further column
// can be listed under a name.
func (d *Definition) takenNames() (taken map[string]bool, listed func(name string) bool) {
	taken = map[string]bool{DocumentColumn: true}
	for i := range d.SQLColumns {
		taken[strings.ToLower(d.SQLColumns[i].Name)] = true
	}
	return taken, func(name string) bool {
		return !taken[strings.ToLower(name)] && utf8.RuneCountInString(name) <= MaxColumnName
	}
}

// StartListing begins to read the list of all keypaths.
func (d *Definition) StartListing(r kv.Reader) {
	d.Collection.Statistics(r).StartAll()
	d.Collection.Dictionary().StartAll(r)
}

// StartCounts begins to read the counts of columns whose keypaths are known, and of documents: planning needs both.
func (d *Definition) StartCounts(r kv.Reader, names []string) {
	if !ahead.Of(r).Starts() {
		return
	}
	paths := make([]string, 0, len(names))
	for _, name := range names {
		if path, err := ColumnKeypath(name); err == nil {
			paths = append(paths, path.String())
		}
	}
	d.StartCountsAt(r, paths)
}

// StartCountsAt is StartCounts for spelled keypaths.
func (d *Definition) StartCountsAt(r kv.Reader, paths []string) {
	numbers := make([]int64, 0, len(paths))
	for _, path := range paths {
		if n, ok := d.Collection.Dictionary().Cached([]byte(path)); ok {
			numbers = append(numbers, n)
		}
	}
	if len(numbers) > 0 {
		d.Collection.Statistics(r).Start(numbers...)
	}
}

// IsColumn reports whether a keypath is listed as a column: some document has
// a scalar or an array there.
func IsColumn(counts costing.Keypath) bool {
	for kind, c := range counts {
		if kind.Type() != document.TypeNone && kind != document.KindObject && !c.IsZero() {
			return true
		}
	}
	return false
}

// CountComment describes how many documents have a keypath, and with which types.
func CountComment(counts costing.Keypath, documents int64) string {
	byType := map[document.Type]int64{}
	var total int64
	for kind, c := range counts {
		if kind.Type() == document.TypeNone {
			continue
		}
		byType[kind.Type()] += c.Documents
		total += c.Documents
	}
	var kinds []document.Type
	for t := range byType {
		kinds = append(kinds, t)
	}
	slices.SortFunc(kinds, func(a, b document.Type) int {
		if byType[a] != byType[b] {
			return int(min(max(byType[b]-byType[a], -1), 1))
		}
		return int(a) - int(b)
	})
	text := fmt.Sprintf("%s of %s: ", Grouped(total), Grouped(documents))
	for i, t := range kinds {
		if i > 0 {
			text += ", "
		}
		if len(kinds) > 1 {
			text += Grouped(byType[t]) + " "
		}
		text += t.String()
	}
	return text
}

// Grouped returns a number with commas.
func Grouped(n int64) string {
	s := strconv.FormatInt(n, 10)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// Find resolves the name of an undeclared column to its keypath: the one spelled so, or the first that differs only
// in case.
func (d *Definition) Find(r kv.Reader, name string) (spelled string, there bool, err error) {
	path, err := ColumnKeypath(name)
	if err != nil {
		return "", false, nil
	}
	return d.FindKeypath(r, path.String())
}

// FindKeypath finds a keypath in the spelling of documents, ignoring case; one of the same case takes precedence.
func (d *Definition) FindKeypath(r kv.Reader, given string) (spelled string, there bool, err error) {
	if d.Bucket != nil {
		spelled, there = d.findInBucket(given)
		return spelled, there, nil
	}
	if _, ok, err := d.Collection.Dictionary().Lookup(r, given); err != nil || ok {
		return given, ok, err
	}
	all, err := d.Collection.Dictionary().All(r)
	if err != nil {
		return "", false, err
	}
	for _, p := range all {
		if strings.EqualFold(p, given) {
			return p, true, nil
		}
	}
	return given, false, nil
}

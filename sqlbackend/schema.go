package sqlbackend

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

// maxColumnName is the length in characters of MySQL's longest column name.
// Longer keypaths are not listed: tools choke on them.
const maxColumnName = 64

// shape says which columns a statement's table has. The engine pays for every
// column in every statement, so a statement sees what it names, and the whole
// list is made only where it is asked for.
type shape struct {
	named    []string // undeclared columns that the statement names
	list     bool     // every keypath, as far as it is listed
	document bool     // `_doc`
	key      bool     // the hidden key
	optional bool     // an INSERT: `_doc` may hold what a column must not lack
	indexed  bool     // the named columns are those of an index that is made
	// expressions are the parts of an index that is made which are no columns: see KeyMark.
	expressions []string
}

// layout makes the columns of a statement's table: the declared ones, the
// inferred ones in the order of their first appearance, `_doc`.
func (d *definition) layout(r kv.Reader, s shape) ([]column, sql.Schema, error) {
	columns := slices.Clone(d.columns[:d.Visible()])
	schema := make(sql.Schema, 0, len(columns)+len(s.named)+2)
	for i := range columns {
		schema = append(schema, d.sqlColumn(i, s.optional))
	}
	if d.Open && (s.list || len(s.named) > 0) {
		inferred, sqlColumns, err := d.inferred(r, s)
		if err != nil {
			return nil, nil, err
		}
		columns = append(columns, inferred...)
		schema = append(schema, sqlColumns...)
	}
	for _, name := range s.expressions {
		columns = append(columns, column{name: name, keypath: document.Keypath{{Name: name}}, typ: indexedType, declared: -1,
			unit: inferredUnit(indexedType)})
		schema = append(schema, &sql.Column{Name: name, Type: indexedType, Nullable: true, Source: d.Name,
			DatabaseSource: d.Database})
	}
	if d.Open && s.document {
		columns = append(columns, column{name: documentColumn, typ: types.JSON, declared: -1, document: true, unit: unitJSON})
		schema = append(schema, &sql.Column{Name: documentColumn, Type: types.JSON, Nullable: true,
			Source: d.Name, DatabaseSource: d.Database, Comment: "the whole document"})
	}
	if s.key && d.hidden() {
		columns = append(columns, column{name: hiddenKeyColumn, typ: types.LongBlob, declared: -1, key: true})
		schema = append(schema, &sql.Column{Name: hiddenKeyColumn, Type: types.LongBlob, Nullable: true,
			Source: d.Name, DatabaseSource: d.Database})
	}
	return columns, schema, nil
}

// virtualGenerated is what is told of a generated column that was declared VIRTUAL.
const virtualGenerated = "VIRTUAL GENERATED"

// sqlColumn is the engine's column of a declared one.
func (d *definition) sqlColumn(i int, optional bool) *sql.Column {
	def := &d.Columns[i]
	c := &sql.Column{
		Name:           def.Name,
		Type:           d.columns[i].typ,
		Nullable:       def.Nullable || (optional && d.Open && !def.AutoIncrement),
		Source:         d.Name,
		DatabaseSource: d.Database,
		PrimaryKey:     d.isKey(i),
		Comment:        def.Comment,
		AutoIncrement:  def.AutoIncrement,
		Virtual:        def.Virtual,
	}
	if def.AutoIncrement {
		c.Extra = "auto_increment"
	}
	if e, ok := c.Type.(sql.EnumType); ok && def.Default == "" && !def.Nullable && e.NumberOfElements() > 0 {
		first, _ := e.At(1) // what an INSERT gives that doesn't name the column
		c.Default = sql.NewUnresolvedColumnDefaultValue(ast.String(ast.NewStrVal([]byte(first))))
	}
	if def.Default != "" {
		c.Default = sql.NewUnresolvedColumnDefaultValue(d.quoteColumns(def.Default))
	}
	if def.Generated != "" {
		c.Generated = sql.NewUnresolvedColumnDefaultValue(d.quoteColumns(def.Generated))
		c.Extra = "STORED GENERATED"
		if def.Virtual || def.NamedVirtual {
			c.Extra = virtualGenerated
		}
	}
	if def.OnUpdate != "" {
		c.OnUpdate = sql.NewUnresolvedColumnDefaultValue(def.OnUpdate)
	}
	return c
}

// inferred makes the columns of undeclared keypaths.
func (d *definition) inferred(r kv.Reader, s shape) ([]column, sql.Schema, error) {
	stats := d.collection.Statistics(r)
	var columns []column
	var schema sql.Schema
	add := func(name string, path document.Keypath, counts costing.Keypath, documents int64) {
		typ := inferredType(counts, d.collation)
		if s.indexed {
			typ = indexedType
		}
		columns = append(columns, column{name: name, keypath: path, typ: typ, declared: -1, unit: inferredUnit(typ),
			takes: compare.TakerOf(counts),
			mixed: !s.indexed && compare.IsMixedColumn(counts, typ)})
		c := &sql.Column{Name: name, Type: typ, Nullable: true, Source: d.Name, DatabaseSource: d.Database}
		if documents >= 0 {
			c.Comment = countComment(counts, documents)
		}
		schema = append(schema, c)
	}
	if !s.list {
		d.startCounts(r, s.named)
		for _, name := range s.named {
			path, err := columnKeypath(name)
			if err != nil {
				return nil, nil, err
			}
			number, ok, err := d.collection.Dictionary().Lookup(r, path.String())
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
	d.startListing(r)
	documents, _, err := stats.Documents()
	if err != nil {
		return nil, nil, err
	}
	all, err := stats.Keypaths()
	if err != nil {
		return nil, nil, err
	}
	keypaths, err := d.collection.Dictionary().All(r)
	if err != nil {
		return nil, nil, err
	}
	taken := map[string]bool{documentColumn: true}
	for i := range d.columns {
		taken[strings.ToLower(d.columns[i].name)] = true
	}
	listed := func(name string) bool {
		return !taken[strings.ToLower(name)] && utf8.RuneCountInString(name) <= maxColumnName
	}
	for i, name := range keypaths {
		counts := all[int64(i+1)]
		if len(columns) >= d.Options.Listed() {
			break
		}
		if !isColumn(counts) || !listed(name) {
			continue
		}
		path, err := document.ParseKeypath(name)
		if err != nil || path.HasArray() {
			continue
		}
		taken[strings.ToLower(name)] = true
		add(name, path, counts, documents)
	}
	// A statement with * may also name what is not listed.
	for _, name := range s.named {
		if taken[strings.ToLower(name)] {
			continue
		}
		path, err := columnKeypath(name)
		if err != nil {
			return nil, nil, err
		}
		number, _, err := d.collection.Dictionary().Lookup(r, path.String())
		if err != nil {
			return nil, nil, err
		}
		taken[strings.ToLower(name)] = true
		add(name, path, all[number], -1)
	}
	return columns, schema, nil
}

// startListing begins to read what tells of all keypaths.
func (d *definition) startListing(r kv.Reader) {
	d.collection.Statistics(r).StartAll()
	d.collection.Dictionary().StartAll(r)
}

// startCounts begins to read the counts of columns, so far as their keypaths are known, and of
// documents: planning wants both.
func (d *definition) startCounts(r kv.Reader, names []string) {
	if !ahead.Of(r).Starts() {
		return
	}
	paths := make([]string, 0, len(names))
	for _, name := range names {
		if path, err := columnKeypath(name); err == nil {
			paths = append(paths, path.String())
		}
	}
	d.startCountsAt(r, paths)
}

// startCountsAt is startCounts for spelled keypaths.
func (d *definition) startCountsAt(r kv.Reader, paths []string) {
	numbers := make([]int64, 0, len(paths))
	for _, path := range paths {
		if n, ok := d.collection.Dictionary().Cached([]byte(path)); ok {
			numbers = append(numbers, n)
		}
	}
	if len(numbers) > 0 {
		d.collection.Statistics(r).Start(numbers...)
	}
}

// isColumn reports whether a keypath is listed as a column: some document has
// a scalar or an array there.
func isColumn(counts costing.Keypath) bool {
	for kind, c := range counts {
		if kind.Type() != document.TypeNone && kind != document.KindObject && !c.IsZero() {
			return true
		}
	}
	return false
}

// countComment says how many documents have a keypath, and of which types.
func countComment(counts costing.Keypath, documents int64) string {
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
	text := fmt.Sprintf("%s of %s: ", grouped(total), grouped(documents))
	for i, t := range kinds {
		if i > 0 {
			text += ", "
		}
		if len(kinds) > 1 {
			text += grouped(byType[t]) + " "
		}
		text += t.String()
	}
	return text
}

// grouped writes a number with commas.
func grouped(n int64) string {
	s := strconv.FormatInt(n, 10)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// find resolves the name of an undeclared column to the keypath that it means:
// the one spelled so, or the first that differs only in case.
func (d *definition) find(r kv.Reader, name string) (spelled string, there bool, err error) {
	path, err := columnKeypath(name)
	if err != nil {
		return "", false, nil
	}
	return d.findKeypath(r, path.String())
}

// findKeypath finds a keypath as documents have it, in whatever case it is given; that of the same case goes before
// others.
func (d *definition) findKeypath(r kv.Reader, given string) (spelled string, there bool, err error) {
	if _, ok, err := d.collection.Dictionary().Lookup(r, given); err != nil || ok {
		return given, ok, err
	}
	all, err := d.collection.Dictionary().All(r)
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

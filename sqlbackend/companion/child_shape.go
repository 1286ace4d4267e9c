package companion

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"

	"github.com/sqlfdb/sqlfdb/catalog"
	"github.com/sqlfdb/sqlfdb/costing"
	"github.com/sqlfdb/sqlfdb/document"
	"github.com/sqlfdb/sqlfdb/indexes"
	"github.com/sqlfdb/sqlfdb/kv"
	"github.com/sqlfdb/sqlfdb/sqlbackend/session"
	"github.com/sqlfdb/sqlfdb/sqlbackend/table"
	"github.com/sqlfdb/sqlfdb/sqlbackend/value"
	"github.com/sqlfdb/sqlfdb/tables"
)

// Names of a child table's columns besides the keypaths of the elements. If an element has a key of such a name, its
// column is quoted, `"_idx"`, as any keypath may be.
const (
	positionColumn = "_idx"
	valueColumn    = "_value"
)

// child is an array of a table's documents, seen as a table of its elements.
type child struct {
	Def  *session.Definition
	Path document.Keypath // ends in the elements, as grades[*]
	// reserved are the columns that are no keypaths, in their order: the primary key's, the positions from the
	// outermost array on, and `_value`.
	reserved []ChildColumn
}

// ChildColumn is a column of a child table. Its Keypath starts at the document's root.
type ChildColumn struct {
	session.Column
	Part  childPart
	At    int              // index of the part of the key, or of the array
	inner document.Keypath // the keypath within the element, for PartKeypath
}

// childPart says where a child table's column gets its values.
type childPart uint8

const (
	PartKey      childPart = iota // a column of the document's key
	PartPosition                  // the position of the element, or of an element around it
	PartValue                     // the element itself
	PartKeypath                   // a keypath of the element
)

func newChild(def *session.Definition, path document.Keypath) *child {
	c := &child{Def: def, Path: path}
	add := func(part childPart, at int, col session.Column) {
		for slices.ContainsFunc(c.reserved, func(r ChildColumn) bool { return strings.EqualFold(r.Name, col.Name) }) {
			col.Name += "_" // a primary key's column has this name
		}
		c.reserved = append(c.reserved, ChildColumn{Column: col, Part: part, At: at})
	}
	if def.Hidden() {
		add(PartKey, 0, session.Column{Name: tables.HiddenKey, Keypath: document.Keypath{{Name: tables.HiddenKey}},
			Typ: value.NewTextType(def.SQLCollation), Declared: -1, Unit: session.UnitText})
	}
	for i, k := range def.PrimaryKey {
		add(PartKey, i, def.SQLColumns[k])
	}
	arrays := 0
	for _, step := range path {
		if step.Array {
			arrays++
		}
	}
	for i := range arrays {
		name := positionColumn
		if i < arrays-1 {
			name = fmt.Sprintf("%s%d", positionColumn, i+1)
		}
		add(PartPosition, i, session.Column{Name: name, Typ: types.Int64, Declared: -1, Unit: session.UnitInt64})
	}
	add(PartValue, 0, session.Column{Name: valueColumn, Keypath: path, Typ: types.JSON, Declared: -1,
		Unit: session.UnitJSON})
	return c
}

// reservedColumn finds a reserved column by name.
func (c *child) reservedColumn(name string) *ChildColumn {
	for i := range c.reserved {
		if strings.EqualFold(c.reserved[i].Name, name) {
			return &c.reserved[i]
		}
	}
	return nil
}

// findArray resolves the keypath in a child table's name to an array of some document: the one spelled so, or the
// first that differs only in case. An array beyond the index's reach is assumed to exist.
func findArray(d *session.Definition, r kv.Reader, path document.Keypath) (document.Keypath, bool, error) {
	known, err := isArray(d, r, path)
	if err != nil || known {
		return path, known, err
	}
	all, err := d.Collection.Dictionary().All(r)
	if err != nil {
		return nil, false, err
	}
	array, elements := arrayOf(path).String(), path.String()
	for _, spelled := range all {
		if !strings.EqualFold(spelled, array) && !strings.EqualFold(spelled, elements) {
			continue
		}
		other, err := document.ParseKeypath(spelled)
		if err != nil {
			continue
		}
		other[len(other)-1].Array = true
		if known, err = isArray(d, r, other); err != nil || known {
			return other, known, err
		}
	}
	known, err = mayBeArray(d, r, path)
	return path, known, err
}

// isArray reports whether the index knows arrays at a keypath, or elements that were once there.
func isArray(d *session.Definition, r kv.Reader, path document.Keypath) (bool, error) {
	dictionary := d.Collection.Dictionary()
	if _, ok, err := dictionary.Lookup(r, path.String()); err != nil || ok {
		return ok, err
	}
	counts, err := CountsOfKeypath(d, r, arrayOf(path))
	return !counts[document.KindArray].IsZero(), err
}

// CountsOfKeypath returns the counts of a keypath; nil if no document ever had it.
func CountsOfKeypath(d *session.Definition, r kv.Reader, path document.Keypath) (costing.Keypath, error) {
	number, ok, err := d.Collection.Dictionary().Lookup(r, path.String())
	if err != nil || !ok {
		return nil, err
	}
	return d.Collection.Statistics(r).Keypath(number)
}

// mayBeArray reports whether a keypath that the index does not reach may have arrays.
func mayBeArray(d *session.Definition, r kv.Reader, path document.Keypath) (bool, error) {
	array := arrayOf(path)
	if Unindexed(d.Options, array) == "" {
		return false, nil
	}
	if len(array) <= d.Options.Depth() {
		return true, nil // excluded from the index
	}
	above := array[:d.Options.Depth()]
	counts, err := CountsOfKeypath(d, r, arrayOf(above))
	if above[len(above)-1].Array {
		return !counts[document.KindArray].IsZero(), err
	}
	return !counts[document.KindObject].IsZero(), err
}

// Unindexed returns the reason why values at a keypath have no entries; "" if they have.
func Unindexed(o catalog.Options, path document.Keypath) string {
	if len(path) > o.Depth() {
		return fmt.Sprintf("is below the depth of %d names that is indexed", o.Depth())
	}
	if path[len(path)-1].Array && len(path) == o.Depth() {
		return fmt.Sprintf("is in an array at the depth of %d names, below which nothing is indexed", o.Depth())
	}
	if len(path.String()) > table.MaxSpelledKeypath {
		return "is too long to be indexed"
	}
	if excluded := indexes.FlattenOptions(o).Excluded; excluded != nil {
		for n := range path {
			prefix := path[:n+1]
			if excluded(prefix.Append(nil)) || prefix[n].Array && excluded(arrayOf(prefix).Append(nil)) {
				return "is excluded from the index"
			}
		}
	}
	return ""
}

// find resolves a column's name to a keypath of the elements: the one spelled so, or the first that differs only in
// case.
func (c *child) find(r kv.Reader, name string) (inner document.Keypath, there bool, err error) {
	inner, err = session.ColumnKeypath(name)
	if err != nil {
		return nil, false, nil
	}
	dictionary := c.Def.Collection.Dictionary()
	full := slices.Concat(c.Path, inner)
	if _, ok, err := dictionary.Lookup(r, full.String()); err != nil || ok {
		return inner, ok, err
	}
	all, err := dictionary.All(r)
	if err != nil {
		return nil, false, err
	}
	spelled := full.String()
	for _, p := range all {
		if !strings.EqualFold(p, spelled) {
			continue
		}
		if below, ok := c.below(p); ok {
			return below, true, nil
		}
	}
	return inner, false, nil
}

// below returns the keypath within the elements of a full keypath. It is false if that is not below the elements, or
// goes through a further array.
func (c *child) below(spelled string) (document.Keypath, bool) {
	if !strings.HasPrefix(spelled, c.Path.String()+".") {
		return nil, false
	}
	path, err := document.ParseKeypath(spelled)
	if err != nil || len(path) <= len(c.Path) || !slices.Equal(path[:len(c.Path)], c.Path) {
		return nil, false
	}
	inner := path[len(c.Path):]
	return inner, !inner.HasArray()
}

// columnName returns the column name of a keypath of the elements.
func (c *child) columnName(inner document.Keypath) string {
	name := inner.String()
	if c.reservedColumn(name) == nil {
		return name
	}
	name = spellName(inner[0].Name, true)
	if len(inner) > 1 {
		name += "." + inner[1:].String()
	}
	return name
}

// childShape says which columns of a child table a statement uses besides the key and the positions.
type childShape struct {
	list  bool // all keypaths that are listed
	value bool // the column `_value`
	named []ChildColumn
}

// layout makes the columns of a statement's child table. name is the table's name.
func (c *child) layout(r kv.Reader, name string, sh childShape) ([]ChildColumn, sql.Schema, error) {
	d := c.Def
	var columns []ChildColumn
	var schema sql.Schema
	add := func(col ChildColumn, comment string) {
		columns = append(columns, col)
		structural := col.Part == PartKey || col.Part == PartPosition
		schema = append(schema, &sql.Column{Name: col.Name, Type: col.Typ, Nullable: !structural, PrimaryKey: structural,
			Source: name, DatabaseSource: d.Database, Comment: comment})
	}
	inferred := func(col ChildColumn, counts costing.Keypath) ChildColumn {
		col.Typ = session.InferredType(counts, d.SQLCollation)
		col.Unit = session.InferredUnit(col.Typ)
		return col
	}
	elements, err := CountsOfKeypath(d, r, c.Path)
	if err != nil {
		return nil, nil, err
	}
	rows := elements.Total().Entries
	for _, col := range c.reserved {
		if col.Part != PartValue {
			add(col, "")
			continue
		}
		comment := ""
		if sh.list && Unindexed(d.Options, c.Path) == "" {
			comment = elementComment(elements, rows)
		}
		if sh.value || sh.list && (comment == "" || scalars(elements)) {
			add(inferred(col, elements), comment)
		}
	}
	taken := map[string]bool{}
	keypath := func(inner document.Keypath, name string) ChildColumn {
		return ChildColumn{Column: session.Column{Name: name, Keypath: slices.Concat(c.Path, inner), Declared: -1},
			Part:  PartKeypath,
			inner: inner}
	}
	if sh.list {
		all, err := d.Collection.Statistics(r).Keypaths()
		if err != nil {
			return nil, nil, err
		}
		spelled, err := d.Collection.Dictionary().All(r)
		if err != nil {
			return nil, nil, err
		}
		for i, p := range spelled {
			if len(taken) >= d.Options.Listed() {
				break
			}
			inner, ok := c.below(p)
			if !ok || !session.IsColumn(all[int64(i+1)]) {
				continue
			}
			name := c.columnName(inner)
			if lower := strings.ToLower(name); taken[lower] || utf8.RuneCountInString(name) > session.MaxColumnName {
				continue
			}
			taken[strings.ToLower(name)] = true
			add(inferred(keypath(inner, name), all[int64(i+1)]), elementComment(all[int64(i+1)], rows))
		}
	}
	for _, col := range sh.named {
		if taken[strings.ToLower(col.Name)] {
			continue
		}
		taken[strings.ToLower(col.Name)] = true
		col = keypath(col.inner, col.Name)
		counts, err := CountsOfKeypath(d, r, col.Keypath)
		if err != nil {
			return nil, nil, err
		}
		add(inferred(col, counts), "")
	}
	return columns, schema, nil
}

// scalars reports whether some element is not an object.
func scalars(elements costing.Keypath) bool {
	for kind, n := range elements {
		if kind != document.KindObject && kind != indexes.KindOmitted && !n.IsZero() {
			return true
		}
	}
	return false
}

// elementComment is session.CountComment for elements.
func elementComment(counts costing.Keypath, rows int64) string {
	byEntries := costing.Keypath{}
	for kind, n := range counts {
		byEntries[kind] = costing.Count{Documents: n.Entries}
	}
	return session.CountComment(byEntries, rows)
}

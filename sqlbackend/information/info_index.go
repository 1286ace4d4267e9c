package information

import (
	"math"
	"slices"

	"github.com/sqlfdb/sqlfdb/catalog"
	"github.com/sqlfdb/sqlfdb/costing"
	"github.com/sqlfdb/sqlfdb/document"
	"github.com/sqlfdb/sqlfdb/sqlbackend/privilege"
	"github.com/sqlfdb/sqlfdb/sqlbackend/session"
	"github.com/sqlfdb/sqlfdb/sqlbackend/setting"
	"github.com/sqlfdb/sqlfdb/sqlbackend/table"
)

// cardinality is how many distinct values an index has: exact where the counts alone
// determine it, an upper bound elsewhere. Counting the distinct values of a keypath would
// read its entries, and information_schema reads no entries.
type cardinality struct {
	values int64
	exact  bool
}

func (c cardinality) comment() string {
	if c.exact {
		return "cardinality: exact"
	}
	return "cardinality: upper bound"
}

// valuesOf is how many distinct values there can be at most by the counts. Null and each of
// the two booleans is a value. An object or an array is not: its entry only says that it is
// there.
func valuesOf(counts costing.Keypath) cardinality {
	c := cardinality{exact: true}
	for kind, n := range counts {
		switch kind.Type() {
		case document.TypeNull:
			c.values += min(1, n.Entries)
		case document.TypeBool:
			c.values += min(2, n.Entries)
			c.exact = c.exact && n.Entries <= 1
		case document.TypeNumber, document.TypeString:
			c.values += n.Entries
			c.exact = c.exact && n.Entries <= 1
		case document.TypeNone: // entries that were too large for a key
			c.values += max(n.Documents, n.Entries)
			c.exact = false
		}
	}
	return c
}

// shownIndex is one index as STATISTICS and SHOW INDEX show it.
type shownIndex struct {
	name    string
	unique  bool
	comment string
	parts   []shownPart
}

type shownPart struct {
	column     string // empty: the expression is indexed
	length     any    // of the indexed beginning of the column; nil: the whole column is indexed
	expression string
	nullable   bool
	values     cardinality
}

// declaredIndexes lists the primary key and the declared indexes of a table.
func declaredIndexes(d *session.Definition, counts map[string]costing.Keypath, documents int64) []shownIndex {
	var out []shownIndex
	if !d.Hidden() {
		out = append(out, declaredOf(d, catalog.Index{Name: "PRIMARY", Unique: true, Columns: keyNames(d.Table)}, counts,
			documents))
	}
	for _, idx := range slices.Concat(d.Table.Indexes, d.BucketIndexes()) {
		out = append(out, declaredOf(d, idx, counts, documents))
	}
	return out
}

// keypathIndexes lists the index of every keypath that some document has. Tools that look for indexes which nobody
// declared drop them, or warn of each, so these are shown on request only.
func keypathIndexes(d *session.Definition, stats costing.Statistics, keypaths []string,
	counts map[string]costing.Keypath,
	documents int64) ([]shownIndex, error) {
	columns := map[string]bool{} // names that SHOW COLUMNS lists
	for i := range d.SQLColumns[:d.Visible()] {
		columns[d.SQLColumns[i].Keypath.String()] = true
	}
	if d.Open {
		listed, _, err := d.Inferred(stats.From, session.Shape{List: true})
		if err != nil {
			return nil, err
		}
		for i := range listed {
			columns[listed[i].Keypath.String()] = true
		}
	}
	var out []shownIndex
	for _, name := range keypaths {
		own := counts[name]
		if c := d.ColumnNamed(name); c != nil && d.Columns[c.Declared].Hidden || own.Total().IsZero() {
			continue
		}
		path, err := document.ParseKeypath(name)
		if err != nil {
			return nil, err
		}
		part := shownPart{values: valuesOf(own)}
		part.nullable = !own[document.KindNull].IsZero() || own.Total().Documents < documents
		part.values.exact = part.values.exact || isUnique(d, name)
		if columns[name] {
			part.column = name
		} else {
			part.expression = "json_extract(`" + session.DocumentColumn + "`," + quoteText(path.JSONPath()) + ")"
		}
		out = append(out, shownIndex{name: name, comment: part.values.comment(), parts: []shownPart{part}})
	}
	return out, nil
}

// isUnique reports whether no two documents have one value at the keypath.
func isUnique(d *session.Definition, keypath string) bool {
	return slices.ContainsFunc(uniqueIndexes(d), func(x catalog.Index) bool {
		if len(x.Columns) != 1 {
			return false
		}
		path, err := session.ColumnKeypath(x.Columns[0])
		return err == nil && path.String() == keypath
	})
}

// declaredOf is a declared index with the cardinality of each prefix of its columns.
func declaredOf(d *session.Definition, idx catalog.Index, counts map[string]costing.Keypath,
	documents int64) shownIndex {
	shown := shownIndex{name: idx.Name, unique: idx.Unique, comment: idx.Comment}
	values := cardinality{values: 1, exact: true}
	for i, name := range idx.Columns {
		path, err := session.ColumnKeypath(name)
		if err != nil {
			continue
		}
		own, nullable := counts[path.String()], true
		if n := declaredIndexOf(d, name); n >= 0 {
			nullable = d.Columns[n].Nullable
		}
		c := valuesOf(own)
		containers := own[document.KindObject].Documents + own[document.KindArray].Documents
		c.values, c.exact = c.values+containers, c.exact && containers == 0
		if lacking := documents - own.Total().Documents; lacking > 0 && own[document.KindNull].IsZero() {
			c.values++ // documents without the keypath are NULL to SQL
		}
		values = cardinality{values: product(values.values, c.values, documents), exact: values.exact && c.exact}
		if last := i == len(idx.Columns)-1; last && idx.Name == "PRIMARY" {
			values = cardinality{values: documents, exact: true}
		} else if last && idx.Unique && i == 0 {
			values.exact = containers == 0 // values that are not null are all different
		}
		part := shownPart{nullable: nullable, values: values}
		var length int64
		if part.column, length, part.expression = table.ShownPartOf(d, &idx, i); length > 0 {
			part.length = length
		}
		shown.parts = append(shown.parts, part)
	}
	return shown
}

// product is a·b, at most the limit.
func product(a, b, limit int64) int64 {
	if a != 0 && b > math.MaxInt64/a {
		return limit
	}
	return min(a*b, limit)
}

// declaredIndexOf is the place of a declared column, or -1.
func declaredIndexOf(d *session.Definition, name string) int {
	if c := d.ColumnNamed(name); c != nil {
		return c.Declared
	}
	return -1
}

// statistics fills STATISTICS.
func (i *infoReading) statistics() error {
	all := setting.On(i.ctx, VarShowKeypathIndexes)
	return i.collections(func(def *session.Definition) error {
		keypaths, err := def.Collection.Dictionary().All(i.from)
		if err != nil {
			return err
		}
		stats := def.Collection.Statistics(i.from)
		documents, _, err := stats.Documents()
		if err != nil {
			return err
		}
		numbered, err := stats.Keypaths()
		if err != nil {
			return err
		}
		counts := make(map[string]costing.Keypath, len(keypaths))
		for n, name := range keypaths {
			counts[name] = numbered[int64(n+1)]
		}
		shown := declaredIndexes(def, counts, documents)
		if all {
			more, err := keypathIndexes(def, stats, keypaths, counts, documents)
			if err != nil {
				return err
			}
			shown = append(shown, more...)
		}
		for _, idx := range shown {
			nonUnique := 1
			if idx.unique {
				nonUnique = 0
			}
			for n, part := range idx.parts {
				if !privilege.ShowsColumn(i.own(), def.Database, def.Name, part.column) {
					continue
				}
				var column, expression any = part.column, nil
				if part.column == "" {
					column, expression = nil, part.expression
				}
				var values any = part.values.values
				if def.Bucket != nil {
					values = nil // nobody counts them
				}
				nullable := ""
				if part.nullable {
					nullable = "YES"
				}
				i.emit(infoCatalog, def.Database, def.Name, nonUnique, def.Database, idx.name, uint32(n+1), column, "A",
					values, part.length, nil, nullable, "BTREE", "", idx.comment, "YES", expression)
			}
		}
		return nil
	})
}

// uniqueIndexes are the primary key and the unique indexes.
func uniqueIndexes(d *session.Definition) []catalog.Index {
	var out []catalog.Index
	if !d.Hidden() {
		out = append(out, catalog.Index{Name: "PRIMARY", Unique: true, Columns: keyNames(d.Table)})
	}
	return append(out, slices.DeleteFunc(slices.Clone(d.Table.Indexes),
		func(x catalog.Index) bool { return !x.Unique })...)
}

// keyColumns fills KEY_COLUMN_USAGE.
func (i *infoReading) keyColumns() error {
	return i.collections(func(def *session.Definition) error {
		for _, idx := range uniqueIndexes(def) {
			for n := range idx.Columns {
				column, _, expression := table.ShownPartOf(def, &idx, n)
				if expression != "" || !privilege.ShowsColumn(i.own(), def.Database, def.Name, column) {
					continue
				}
				i.emit(infoCatalog, def.Database, idx.Name, infoCatalog, def.Database, def.Name, column, uint32(n+1), nil,
					nil, nil,
					nil)
			}
		}
		for _, f := range def.ForeignKeys {
			for n, column := range f.Columns {
				place := uint32(n + 1)
				i.emit(infoCatalog, def.Database, f.Name, infoCatalog, def.Database, def.Name, column, place, place,
					f.ParentDatabase, f.ParentTable, f.ParentColumns[n])
			}
		}
		return nil
	})
}

// constraints fills TABLE_CONSTRAINTS.
func (i *infoReading) constraints() error {
	return i.collections(func(def *session.Definition) error {
		for _, idx := range uniqueIndexes(def) {
			kind := "UNIQUE"
			if idx.Name == "PRIMARY" {
				kind = "PRIMARY KEY"
			}
			i.emit(infoCatalog, def.Database, idx.Name, def.Database, def.Name, kind, "YES")
		}
		for _, f := range def.ForeignKeys {
			i.emit(infoCatalog, def.Database, f.Name, def.Database, def.Name, "FOREIGN KEY", "YES")
		}
		for _, c := range def.Checks {
			enforced := "YES"
			if !c.Enforced {
				enforced = "NO"
			}
			i.emit(infoCatalog, def.Database, c.Name, def.Database, def.Name, "CHECK", enforced)
		}
		return nil
	})
}

// references fills REFERENTIAL_CONSTRAINTS.
func (i *infoReading) references() error {
	action := func(a string) string {
		if a == "" {
			return "NO ACTION"
		}
		return a
	}
	view, err := i.session.Readers.Definitions()
	if err != nil {
		return err
	}
	view = view.Stored()
	return i.collections(func(def *session.Definition) error {
		for _, f := range def.ForeignKeys {
			var unique any
			if parent, ok := view.Table(f.ParentDatabase, f.ParentTable); ok {
				for n := range parent.Indexes {
					if x := &parent.Indexes[n]; x.Unique && x.Covers(f.ParentColumns) {
						unique = x.Name
					}
				}
				if key := (&catalog.Index{Columns: keyNames(parent)}); key.Covers(f.ParentColumns) {
					unique = "PRIMARY"
				}
			}
			i.emit(infoCatalog, def.Database, f.Name, infoCatalog, f.ParentDatabase, unique, "NONE",
				action(f.OnUpdate), action(f.OnDelete), def.Name, f.ParentTable)
		}
		return nil
	})
}

func keyNames(t *catalog.Table) []string {
	var names []string
	for _, i := range t.PrimaryKey {
		names = append(names, t.Columns[i].Name)
	}
	return names
}

// VarShowKeypathIndexes is the variable that makes SHOW INDEX list the indexes of keypaths beside the declared ones.
const VarShowKeypathIndexes = "sqlfdb_show_keypath_indexes"

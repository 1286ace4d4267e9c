package sqlbackend

import (
	"fmt"
	"slices"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/types"

	"github.com/sqlfdb/sqlfdb/catalog"
	"github.com/sqlfdb/sqlfdb/costing"
	"github.com/sqlfdb/sqlfdb/document"
	"github.com/sqlfdb/sqlfdb/indexes"
	"github.com/sqlfdb/sqlfdb/kv"
	"github.com/sqlfdb/sqlfdb/ordered"
	"github.com/sqlfdb/sqlfdb/sqlbackend/compare"
	"github.com/sqlfdb/sqlfdb/sqlbackend/pushdown"
	"github.com/sqlfdb/sqlfdb/sqlbackend/value"
)

// lookupResolver tells pushdown what the columns of a statement's table are in
// the index. What a column's values are stored as is known from the counts at
// the version that the statement is planned at.
type lookupResolver struct {
	table  *Table
	read   kv.Reader // without conflicts
	counts []countedKeypath
	err    error // the first failure to read; no answer counts then
	// declared are the declared indexes that the statement may read; nil where they are
	// not asked for.
	declared *declaredReader
	unknown  []string // keypaths into the document that were asked for and that no document has
	known    []string // those that some document has
	proofs   []countProof
	texts    map[string]bool // by keypath: what HasTexts has found
}

var _ pushdown.Resolver = (*lookupResolver)(nil)

// countedKeypath is what the counts of a keypath, as it is spelled, were found to be.
type countedKeypath struct {
	keypath string
	counts  costing.Keypath
}

// maxCountedKeypaths bounds those that are kept, among which each is sought; the others are read once more.
const maxCountedKeypaths = 32

// Column implements pushdown.Resolver.
func (r *lookupResolver) Column(f *expression.GetField) (pushdown.Column, string, bool) {
	if !r.table.place.Holds(f) {
		return pushdown.Column{}, fmt.Sprintf("%s is another table's", f), false
	}
	for i := range r.table.columns {
		if c := &r.table.columns[i]; strings.EqualFold(c.name, f.Name()) {
			return r.present(c)
		}
	}
	if c := r.table.def.column(f.Name()); c != nil && r.table.def.Columns[c.declared].Hidden {
		out, reason, ok := r.present(c)
		out.Name, out.Index = r.table.def.Columns[c.declared].Generated, r.table.def.indexWith(c.name)
		return out, reason, ok
	}
	return pushdown.Column{}, fmt.Sprintf("%s is no column of the table", f), false
}

// column describes a column whose values the index tells.
func (r *lookupResolver) column(c *column) (pushdown.Column, string, bool) {
	out, reason, ok := r.present(c)
	if ok && out.Unordered != "" {
		return pushdown.Column{}, out.Unordered, false
	}
	return out, reason, ok
}

// present describes a column of which the index tells at least where it is there.
func (r *lookupResolver) present(c *column) (pushdown.Column, string, bool) {
	d := r.table.def
	none := func(reason string, args ...any) (pushdown.Column, string, bool) {
		return pushdown.Column{}, fmt.Sprintf("`%s` ", c.name) + fmt.Sprintf(reason, args...), false
	}
	switch {
	case c.document:
		return pushdown.Column{Document: true}, "", true
	case c.key:
		return none("is the hidden key")
	}
	out := pushdown.Column{Keypath: c.keypath.String(), Path: c.keypath, Name: c.name, StringLimit: d.encoder.Limit(),
		KeepsNull: c.keepsNull}
	out.Collation = d.encoder.Collation(out.Keypath)
	if coll, ok := value.CollationOfType(c.typ); ok && coll != out.Collation {
		return none("compares in another collation than the index's")
	}
	if c.declared >= 0 {
		def := &d.Columns[c.declared]
		if len(d.PrimaryKey) > 0 && d.PrimaryKey[0] == c.declared {
			// The encoding of a key is that of the column's value, whatever
			// the document holds.
			out.PrimaryKeyPart, out.StringLimit = 1, 0
			if reason := r.table.session.hides(r.table.place, d, "", true); reason != "" {
				return none("%s", reason)
			}
			out.Shape = shapeOf(c, nil)
			if out.Shape == pushdown.ShapeOther || out.Shape == pushdown.ShapeJSON || out.Shape == pushdown.ShapeEnum {
				return none("is of type %s, which has no ranges", c.typ)
			}
			return out, "", true
		}
		switch {
		case def.Virtual:
			return none("is virtual: it is not stored")
		case def.Class == catalog.ClassBytes && !d.BytesIndexed(def.Name):
			return none("holds byte strings, which have entries in a declared index only")
		case def.FillsBelow() > 0:
			return none("is new, and its default is being written into the documents")
		}
	}
	if reason := r.table.session.hides(r.table.place, d, out.Keypath, false); reason != "" &&
		!r.declared.hides(out.Keypath, reason) {
		return none("%s", reason)
	}
	if c.keypath.HasArray() {
		return none("leads through an array: no single value is read there")
	}
	if reason, ok := r.indexed(c.keypath); !ok {
		if c.declared < 0 && c.unit == unitJSON && len(c.keypath) > d.Options.Depth() && !r.table.def.Rebuilding() {
			return pushdown.Column{Path: c.keypath, Keypath: out.Keypath, Name: c.name, Shape: pushdown.ShapeJSON,
				Stubbed: true}, "", true
		}
		return none("%s", reason)
	}
	counts, ok := r.countsOf(out.Keypath)
	if !ok {
		return none("can't be read")
	}
	if c.unsettled {
		if !d.unsettledShape(c, counts, &out) || out.Shape >= pushdown.ShapeTime {
			return none("is of type %s, and its documents are being upgraded or don't all fit", c.typ)
		}
		return out, "", true
	}
	out.Shape = shapeOf(c, counts)
	if out.Shape == pushdown.ShapeOther {
		reason := "holds values that are not of its type"
		if shapeOf(c, nil) == pushdown.ShapeOther {
			reason = fmt.Sprintf("is of type %s, which has no ranges", c.typ)
		}
		return presenceOnly(out, reason)
	}
	if !indexedAsRead(c.typ, out) {
		return presenceOnly(out, "compares in another collation than the index's")
	}
	if of, ok := c.typ.(sql.EnumType); ok {
		out.Members = of.Values()
	}
	if dt, ok := c.typ.(sql.DecimalType); ok && c.declared >= 0 && !only(counts, integerKinds...) {
		out.Rounded, out.Scale = true, int(dt.Scale())
	}
	if t, ok := c.typ.(value.TimeType); ok && t.Digits < 6 && d.Open && !c.key { // its documents may have more digits
		out.Rounded = true
	}
	return out, "", true
}

// presenceOnly is a column of which the index tells which documents have it, not what value they have.
func presenceOnly(c pushdown.Column, reason string) (pushdown.Column, string, bool) {
	c.Shape, c.Unordered = pushdown.ShapeOther, fmt.Sprintf("`%s` ", c.Name)+reason
	return c, "", true
}

// Keypath implements pushdown.Resolver.
func (r *lookupResolver) Keypath(path document.Keypath) (pushdown.Column, string, bool) {
	spelled := path.String()
	if reason, ok := r.indexed(path); !ok {
		return pushdown.Column{}, spelled + " " + reason, false
	}
	if reason := r.table.session.hides(r.table.place, r.table.def, spelled, false); reason != "" &&
		!r.declared.hides(spelled, reason) {
		return pushdown.Column{}, spelled + " " + reason, false
	}
	d := r.table.def
	if class := d.encoder.Class(spelled); class != "" && class != catalog.ClassNumber {
		return pushdown.Column{}, spelled + " is indexed as the declared column's type", false
	}
	if _, unsettled := d.unsettledColumn(path); unsettled {
		// A conjunct on the column, which a value that does not fit satisfies as NULL, and
		// one on the value as JSON would be intersected.
		return pushdown.Column{}, spelled + " is a column whose values are being upgraded or don't all fit", false
	}
	if c := d.column(spelled); c != nil && d.Columns[c.declared].Virtual {
		return pushdown.Column{}, spelled + " is a declared column with an index of its own", false
	}
	counts, ok := r.countsOf(spelled)
	if !ok {
		return pushdown.Column{}, spelled + " can't be read", false
	}
	if counts.Total().IsZero() {
		r.unknown = append(r.unknown, spelled)
	} else {
		r.known = append(r.known, spelled)
	}
	return pushdown.Column{
		Keypath: spelled, Path: path, Shape: pushdown.ShapeJSON,
		Collation: d.encoder.Collation(spelled), StringLimit: d.encoder.Limit(),
		Integers: counts[document.KindFloat].IsZero() && counts[document.KindBigNum].IsZero(),
	}, "", true
}

// nowhere lists the keypaths that no document has. One path may be asked for through arrays and not, as MySQL takes a
// value for an array of one: it is somewhere if it is in one of these ways, and is listed once if it is in none.
func (r *lookupResolver) nowhere() []string {
	seen := map[string]bool{}
	plain := func(path string) string { return strings.ReplaceAll(path, "[*]", "") }
	for _, path := range r.known {
		seen[plain(path)] = true
	}
	var found []string
	for _, path := range r.unknown {
		if !seen[plain(path)] {
			seen[plain(path)] = true
			found = append(found, path)
		}
	}
	return found
}

// Stubs implements pushdown.Resolver.
func (r *lookupResolver) Stubs(path document.Keypath, class byte) bool {
	o := r.table.def.Options
	if len(path) >= o.Depth() {
		return true
	}
	excluded := indexes.FlattenOptions(o).Excluded
	return class == ordered.ClassArray && excluded != nil && excluded(append(path.Append(nil), "[*]"...))
}

// Holds implements pushdown.Resolver.
func (r *lookupResolver) Holds(path document.Keypath, class byte) bool {
	counts, ok := r.countsOf(path.String())
	return !ok || !counts[indexes.KindOmitted].IsZero() || !counts[kindOfClass[class]].IsZero()
}

// HasTexts implements pushdown.Resolver.
func (r *lookupResolver) HasTexts(c pushdown.Column) bool {
	has, known := r.texts[c.Keypath]
	if known {
		return has
	}
	d := r.table.def
	part := costing.Part{Keypath: c.Keypath, Spans: textSpans}
	// fewer than one
	none, err := d.estimator(r.read).Few(costing.Candidate{Parts: []costing.Part{part}, EntriesOnly: true}, 1)
	if err != nil {
		r.err = err
		return false
	}
	if r.texts == nil {
		r.texts = map[string]bool{}
	}
	r.texts[c.Keypath] = !none
	return !none
}

// textSpans are all texts.
var textSpans = indexes.Spans{{Start: ordered.ClassStart(ordered.ClassString),
	End: ordered.ClassEnd(ordered.ClassString)}}

// kindOfClass is how the values of a class that holds others are counted.
var kindOfClass = map[byte]document.Kind{ordered.ClassObject: document.KindObject,
	ordered.ClassArray: document.KindArray}

// maxSpelledKeypath is the length of the longest keypath that has entries.
const maxSpelledKeypath = 8_000

// indexed reports whether values at a keypath have entries.
func (r *lookupResolver) indexed(path document.Keypath) (string, bool) {
	o := r.table.def.Options
	if r.table.def.Rebuilding() {
		return "has no index until it is rebuilt: see " + systemDatabase + ".jobs", false
	}
	if r.table.def.belowUnsettled(path) {
		return "lies in a column whose documents are being upgraded", false
	}
	if len(path) > o.Depth() {
		return fmt.Sprintf("is below the depth of %d names that is indexed", o.Depth()), false
	}
	if len(path.String()) > maxSpelledKeypath {
		return "is too long to be indexed", false
	}
	if r.table.def.excludes(path) {
		return "is excluded from the index", false
	}
	return "", true
}

// excludes reports whether the options exclude a keypath or one on the way to it.
func (d *definition) excludes(path document.Keypath) bool {
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

func (r *lookupResolver) countsOf(keypath string) (costing.Keypath, bool) {
	for i := range r.counts {
		if r.counts[i].keypath == keypath {
			return r.counts[i].counts, true
		}
	}
	var c costing.Keypath
	number, ok, err := r.table.def.collection.Dictionary().Lookup(r.read, keypath)
	if !ok {
		c = costing.Keypath{}
	}
	if err == nil && ok {
		c, err = r.table.def.collection.Statistics(r.read).Keypath(number)
	}
	if err == nil && ok {
		err = r.table.session.restOnKinds(r.table.def.collection.Statistics(r.read), number, c)
	}
	if err != nil {
		r.err = err
		return nil, false
	}
	if len(r.counts) < maxCountedKeypaths {
		r.counts = append(r.counts, countedKeypath{keypath, c})
	}
	return c, true
}

// entersAll reports whether all values at a keypath have entries.
func (r *lookupResolver) entersAll(keypath string) bool {
	counts, ok := r.countsOf(keypath)
	return ok && counts[indexes.KindOmitted].IsZero()
}

// restOnKinds makes it a conflict of the running transaction that another one stores the
// first value of a kind at a keypath, or the first that has no entry: which ranges hold
// the values that a condition is about rests on there being none. The counters that
// change with each document are left out.
func (s *Session) restOnKinds(read costing.Statistics, number int64, counts costing.Keypath) error {
	if s == nil {
		return nil
	}
	t, ok := s.GetTransaction().(*Transaction)
	if !ok || t.ended {
		return nil
	}
	w, err := t.begin()
	if err != nil {
		return err
	}
	for _, absent := range read.Absent(number, counts) {
		w.AddReadConflict(absent)
	}
	return nil
}

var integerKinds = []document.Kind{document.KindInt53, document.KindInt64, document.KindUint64, document.KindBigInt}

// only reports whether the counts know of no values but nulls and those kinds.
func only(counts costing.Keypath, kinds ...document.Kind) bool {
	for kind, n := range counts {
		if kind != document.KindNull && kind != indexes.KindOmitted && !n.IsZero() && !slices.Contains(kinds, kind) {
			return false
		}
	}
	return true
}

// shapeOf is how a column's values compare and are indexed: ShapeOther where
// the index can't tell how the column reads them. Documents hold their values as
// they came, so a declared column may read a number from a string.
func shapeOf(c *column, counts costing.Keypath) pushdown.Shape {
	shape, stored := pushdown.ShapeOther, []document.Kind(nil)
	switch c.unit {
	case unitJSON:
		return pushdown.ShapeJSON
	case unitText:
		shape, stored = pushdown.ShapeString, []document.Kind{document.KindString}
	case unitInt64, unitNumber:
		switch {
		case types.IsInteger(c.typ), isNarrowBit(c.typ):
			shape, stored = pushdown.ShapeNumber, integerKinds
		case types.IsYear(c.typ):
			shape, stored = pushdown.ShapeYear, integerKinds
		}
	case unitFloat:
		shape = pushdown.ShapeFloat
		stored = append([]document.Kind{document.KindFloat, document.KindBigNum}, integerKinds...)
	case unitDouble:
		shape, stored = pushdown.ShapeNumber, []document.Kind{document.KindInt53, document.KindFloat}
	case unitDecimal:
		shape = pushdown.ShapeNumber
		stored = append([]document.Kind{document.KindFloat, document.KindBigNum}, integerKinds...)
	case unitBool:
		shape, stored = pushdown.ShapeBoolean, []document.Kind{document.KindBool}
	default:
		switch {
		case classOf(c.typ) == catalog.ClassDate:
			shape, stored = pushdown.ShapeDate, []document.Kind{document.KindString}
		case classOf(c.typ) == catalog.ClassDatetime:
			shape, stored = pushdown.ShapeDatetime, []document.Kind{document.KindString}
		case classOf(c.typ) == catalog.ClassTime:
			shape, stored = pushdown.ShapeTime, []document.Kind{document.KindString}
		case classOf(c.typ) == catalog.ClassBytes:
			shape, stored = pushdown.ShapeBytes, []document.Kind{document.KindString}
		case types.IsEnum(c.typ):
			shape, stored = pushdown.ShapeEnum, []document.Kind{document.KindString}
		}
	}
	if !only(counts, stored...) {
		return pushdown.ShapeOther
	}
	return shape
}

// isNarrowBit tells whether a type is a BIT of fewer than 64 bits: to one of 64
// the engine makes a great number of a negative one.
func isNarrowBit(t sql.Type) bool {
	bit, ok := t.(types.BitType)
	return ok && bit.NumberOfBits() < 64
}

// indexedAsRead tells whether the texts of an ENUM compare as the index has
// them.
func indexedAsRead(t sql.Type, c pushdown.Column) bool {
	e, ok := t.(sql.EnumType)
	if !ok {
		return true
	}
	coll, ok := value.CollationOfType(compare.TextIn(e.Collation()))
	return ok && coll == c.Collation
}

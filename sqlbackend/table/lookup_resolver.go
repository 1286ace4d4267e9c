package table

import (
	"fmt"
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
	"github.com/sqlfdb/sqlfdb/sqlbackend/session"
	"github.com/sqlfdb/sqlfdb/sqlbackend/value"
)

// LookupResolver describes the columns of a statement's table in the index, for pushdown. The types of a column's
// stored values are known from the counts at the version at which the statement is planned.
type LookupResolver struct {
	Table  *Table
	Read   kv.Reader // without conflicts
	counts []countedKeypath
	Err    error // the first read error, after which no answer is valid
	// Declared are the declared indexes that the statement may read; nil if they are not used.
	Declared *DeclaredReader
	unknown  []string // looked-up keypaths that no document has
	known    []string // looked-up keypaths that some document has
	Proofs   []countProof
	texts    map[string]bool // by keypath: results of HasTexts
}

var _ pushdown.Resolver = (*LookupResolver)(nil)

// countedKeypath has the counts of a keypath, as it is spelled.
type countedKeypath struct {
	keypath string
	counts  costing.Keypath
}

// maxCountedKeypaths is the largest number of keypaths whose counts are kept and searched; others are read again.
const maxCountedKeypaths = 32

// Column implements pushdown.Resolver.
func (r *LookupResolver) Column(f *expression.GetField) (pushdown.Column, string, bool) {
	if !r.Table.Place.Holds(f) {
		return pushdown.Column{}, fmt.Sprintf("%s is another table's", f), false
	}
	for i := range r.Table.Columns {
		if c := &r.Table.Columns[i]; strings.EqualFold(c.Name, f.Name()) {
			return r.present(c)
		}
	}
	if c := r.Table.Def.ColumnNamed(f.Name()); c != nil && r.Table.Def.Columns[c.Declared].Hidden {
		out, reason, ok := r.present(c)
		out.Name, out.Index = r.Table.Def.Columns[c.Declared].Generated, indexWith(r.Table.Def, c.Name)
		return out, reason, ok
	}
	return pushdown.Column{}, fmt.Sprintf("%s is no column of the table", f), false
}

// ColumnNamed describes a column if the index has its values in order.
func (r *LookupResolver) ColumnNamed(c *session.Column) (pushdown.Column, string, bool) {
	out, reason, ok := r.present(c)
	if ok && out.Unordered != "" {
		return pushdown.Column{}, out.Unordered, false
	}
	return out, reason, ok
}

// present describes a column if the index shows at least which documents have it.
func (r *LookupResolver) present(c *session.Column) (pushdown.Column, string, bool) {
	d := r.Table.Def
	none := func(reason string, args ...any) (pushdown.Column, string, bool) {
		return pushdown.Column{}, fmt.Sprintf("`%s` ", c.Name) + fmt.Sprintf(reason, args...), false
	}
	switch {
	case c.Document:
		return pushdown.Column{Document: true}, "", true
	case c.Key:
		return none("is the hidden key")
	}
	out := pushdown.Column{Keypath: c.Keypath.String(), Path: c.Keypath, Name: c.Name, StringLimit: d.Encoder.Limit(),
		KeepsNull: c.KeepsNull}
	out.Collation = d.Encoder.Collation(out.Keypath)
	if coll, ok := value.CollationOfType(c.Typ); ok && coll != out.Collation {
		return none("compares in another collation than the index's")
	}
	if c.Declared >= 0 {
		def := &d.Columns[c.Declared]
		if len(d.PrimaryKey) > 0 && d.PrimaryKey[0] == c.Declared {
			// A key is encoded by the column's type, whatever type the document's value has.
			out.PrimaryKeyPart, out.StringLimit = 1, 0
			if reason := hides(r.Table.Session, r.Table.Place, d, "", true); reason != "" {
				return none("%s", reason)
			}
			out.Shape = ShapeOf(c, nil)
			if out.Shape == pushdown.ShapeOther || out.Shape == pushdown.ShapeJSON || out.Shape == pushdown.ShapeEnum {
				return none("is of type %s, which has no ranges", c.Typ)
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
	if reason := hides(r.Table.Session, r.Table.Place, d, out.Keypath, false); reason != "" &&
		!r.Declared.hides(out.Keypath, reason) {
		return none("%s", reason)
	}
	if c.Keypath.HasArray() {
		return none("leads through an array: no single value is read there")
	}
	if reason, ok := r.indexed(c.Keypath); !ok {
		if c.Declared < 0 && c.Unit == session.UnitJSON && len(c.Keypath) > d.Options.Depth() && !r.Table.Def.Rebuilding() {
			return pushdown.Column{Path: c.Keypath, Keypath: out.Keypath, Name: c.Name, Shape: pushdown.ShapeJSON,
				Stubbed: true}, "", true
		}
		return none("%s", reason)
	}
	counts, ok := r.CountsOf(out.Keypath)
	if !ok {
		return none("can't be read")
	}
	if c.Unsettled {
		if !unsettledShape(d, c, counts, &out) || out.Shape >= pushdown.ShapeTime {
			return none("is of type %s, and its documents are being upgraded or don't all fit", c.Typ)
		}
		return out, "", true
	}
	out.Shape = ShapeOf(c, counts)
	if out.Shape == pushdown.ShapeOther {
		reason := "holds values that are not of its type"
		if ShapeOf(c, nil) == pushdown.ShapeOther {
			reason = fmt.Sprintf("is of type %s, which has no ranges", c.Typ)
		}
		return presenceOnly(out, reason)
	}
	if !indexedAsRead(c.Typ, out) {
		return presenceOnly(out, "compares in another collation than the index's")
	}
	if of, ok := c.Typ.(sql.EnumType); ok {
		out.Members = of.Values()
	}
	if dt, ok := c.Typ.(sql.DecimalType); ok && c.Declared >= 0 && !session.Only(counts, session.IntegerKinds...) {
		out.Rounded, out.Scale = true, int(dt.Scale())
	}
	if t, ok := c.Typ.(value.TimeType); ok && t.Digits < 6 && d.Open && !c.Key { // documents may have more
		out.Rounded = true
	}
	return out, "", true
}

// presenceOnly describes a column for which the index shows which documents have it, but not their values.
func presenceOnly(c pushdown.Column, reason string) (pushdown.Column, string, bool) {
	c.Shape, c.Unordered = pushdown.ShapeOther, fmt.Sprintf("`%s` ", c.Name)+reason
	return c, "", true
}

// Keypath implements pushdown.Resolver.
func (r *LookupResolver) Keypath(path document.Keypath) (pushdown.Column, string, bool) {
	spelled := path.String()
	if reason, ok := r.indexed(path); !ok {
		return pushdown.Column{}, spelled + " " + reason, false
	}
	if reason := hides(r.Table.Session, r.Table.Place, r.Table.Def, spelled, false); reason != "" &&
		!r.Declared.hides(spelled, reason) {
		return pushdown.Column{}, spelled + " " + reason, false
	}
	d := r.Table.Def
	if class := d.Encoder.Class(spelled); class != "" && class != catalog.ClassNumber {
		return pushdown.Column{}, spelled + " is indexed as the declared column's type", false
	}
	if _, unsettled := d.UnsettledColumn(path); unsettled {
		// Else conjuncts on the column and on the value as JSON would be intersected. A value that does not fit satisfies
		// a conjunct on the column as NULL.
		return pushdown.Column{}, spelled + " is a column whose values are being upgraded or don't all fit", false
	}
	if c := d.ColumnNamed(spelled); c != nil && d.Columns[c.Declared].Virtual {
		return pushdown.Column{}, spelled + " is a declared column with an index of its own", false
	}
	counts, ok := r.CountsOf(spelled)
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
		Collation: d.Encoder.Collation(spelled), StringLimit: d.Encoder.Limit(),
		Integers: counts[document.KindFloat].IsZero() && counts[document.KindBigNum].IsZero(),
	}, "", true
}

// nowhere lists the looked-up keypaths that no document has. A path may be looked up through arrays and not, as
// MySQL takes a value for an array of one. It is listed, once, if no document has it in either form.
func (r *LookupResolver) nowhere() []string {
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
func (r *LookupResolver) Stubs(path document.Keypath, class byte) bool {
	o := r.Table.Def.Options
	if len(path) >= o.Depth() {
		return true
	}
	excluded := indexes.FlattenOptions(o).Excluded
	return class == ordered.ClassArray && excluded != nil && excluded(append(path.Append(nil), "[*]"...))
}

// Holds implements pushdown.Resolver.
func (r *LookupResolver) Holds(path document.Keypath, class byte) bool {
	counts, ok := r.CountsOf(path.String())
	return !ok || !counts[indexes.KindOmitted].IsZero() || !counts[kindOfClass[class]].IsZero()
}

// HasTexts implements pushdown.Resolver.
func (r *LookupResolver) HasTexts(c pushdown.Column) bool {
	has, known := r.texts[c.Keypath]
	if known {
		return has
	}
	d := r.Table.Def
	part := costing.Part{Keypath: c.Keypath, Spans: textSpans}
	// Fewer than one entry: none.
	none, err := Estimator(d, r.Read).Few(costing.Candidate{Parts: []costing.Part{part}, EntriesOnly: true}, 1)
	if err != nil {
		r.Err = err
		return false
	}
	if r.texts == nil {
		r.texts = map[string]bool{}
	}
	r.texts[c.Keypath] = !none
	return !none
}

// textSpans has all texts.
var textSpans = indexes.Spans{{Start: ordered.ClassStart(ordered.ClassString),
	End: ordered.ClassEnd(ordered.ClassString)}}

// kindOfClass is the kind by which objects and arrays are counted.
var kindOfClass = map[byte]document.Kind{ordered.ClassObject: document.KindObject,
	ordered.ClassArray: document.KindArray}

// MaxSpelledKeypath is the length of the longest keypath that has entries.
const MaxSpelledKeypath = 8_000

// indexed reports whether values at a keypath have entries, or the reason why not.
func (r *LookupResolver) indexed(path document.Keypath) (string, bool) {
	o := r.Table.Def.Options
	if r.Table.Def.Rebuilding() {
		return "has no index until it is rebuilt: see " + session.SystemDatabase + ".jobs", false
	}
	if r.Table.Def.BelowUnsettled(path) {
		return "lies in a column whose documents are being upgraded", false
	}
	if len(path) > o.Depth() {
		return fmt.Sprintf("is below the depth of %d names that is indexed", o.Depth()), false
	}
	if len(path.String()) > MaxSpelledKeypath {
		return "is too long to be indexed", false
	}
	if r.Table.Def.Excludes(path) {
		return "is excluded from the index", false
	}
	return "", true
}

// CountsOf returns the counts of a keypath; false after a read error.
func (r *LookupResolver) CountsOf(keypath string) (costing.Keypath, bool) {
	for i := range r.counts {
		if r.counts[i].keypath == keypath {
			return r.counts[i].counts, true
		}
	}
	var c costing.Keypath
	number, ok, err := r.Table.Def.Collection.Dictionary().Lookup(r.Read, keypath)
	if !ok {
		c = costing.Keypath{}
	}
	if err == nil && ok {
		c, err = r.Table.Def.Collection.Statistics(r.Read).Keypath(number)
	}
	if err == nil && ok {
		err = restOnKinds(r.Table.Session, r.Table.Def.Collection.Statistics(r.Read), number, c)
	}
	if err != nil {
		r.Err = err
		return nil, false
	}
	if len(r.counts) < maxCountedKeypaths {
		r.counts = append(r.counts, countedKeypath{keypath, c})
	}
	return c, true
}

// EntersAll reports whether all values at a keypath have entries.
func (r *LookupResolver) EntersAll(keypath string) bool {
	counts, ok := r.CountsOf(keypath)
	return ok && counts[indexes.KindOmitted].IsZero()
}

// restOnKinds adds read conflicts to the running transaction. It then conflicts with one that stores the first value
// of a kind at a keypath, or the first without an entry, as ranges rely on there being none. The counters that
// change with each document are not added.
func restOnKinds(s *session.Session, read costing.Statistics, number int64, counts costing.Keypath) error {
	if s == nil {
		return nil
	}
	t, ok := s.GetTransaction().(*session.Transaction)
	if !ok || t.Ended || t.ReadsFreely() {
		return nil
	}
	w, err := t.Begin()
	if err != nil {
		return err
	}
	for _, absent := range read.Absent(number, counts) {
		w.AddReadConflict(absent)
	}
	return nil
}

// ShapeOf returns how a column's values compare and are indexed. It is ShapeOther if the index does not have the
// values as the column reads them. Documents keep values as they came, so a declared column may read a number from a
// string.
func ShapeOf(c *session.Column, counts costing.Keypath) pushdown.Shape {
	shape, stored := pushdown.ShapeOther, []document.Kind(nil)
	switch c.Unit {
	case session.UnitJSON:
		return pushdown.ShapeJSON
	case session.UnitText:
		shape, stored = pushdown.ShapeString, []document.Kind{document.KindString}
	case session.UnitInt64, session.UnitNumber:
		switch {
		case types.IsInteger(c.Typ), isNarrowBit(c.Typ):
			shape, stored = pushdown.ShapeNumber, session.IntegerKinds
		case types.IsYear(c.Typ):
			shape, stored = pushdown.ShapeYear, session.IntegerKinds
		}
	case session.UnitFloat:
		shape = pushdown.ShapeFloat
		stored = append([]document.Kind{document.KindFloat, document.KindBigNum}, session.IntegerKinds...)
	case session.UnitDouble:
		shape, stored = pushdown.ShapeNumber, []document.Kind{document.KindInt53, document.KindFloat}
	case session.UnitDecimal:
		shape = pushdown.ShapeNumber
		stored = append([]document.Kind{document.KindFloat, document.KindBigNum}, session.IntegerKinds...)
	case session.UnitBool:
		shape, stored = pushdown.ShapeBoolean, []document.Kind{document.KindBool}
	default:
		switch {
		case session.ClassOf(c.Typ) == catalog.ClassDate:
			shape, stored = pushdown.ShapeDate, []document.Kind{document.KindString}
		case session.ClassOf(c.Typ) == catalog.ClassDatetime:
			shape, stored = pushdown.ShapeDatetime, []document.Kind{document.KindString}
		case session.ClassOf(c.Typ) == catalog.ClassTime:
			shape, stored = pushdown.ShapeTime, []document.Kind{document.KindString}
		case session.ClassOf(c.Typ) == catalog.ClassBytes:
			shape, stored = pushdown.ShapeBytes, []document.Kind{document.KindString}
		case types.IsEnum(c.Typ):
			shape, stored = pushdown.ShapeEnum, []document.Kind{document.KindString}
		}
	}
	if !session.Only(counts, stored...) {
		return pushdown.ShapeOther
	}
	return shape
}

// isNarrowBit reports whether a type is a BIT of fewer than 64 bits. For 64 bits the engine turns a negative number
// into a large one.
func isNarrowBit(t sql.Type) bool {
	bit, ok := t.(types.BitType)
	return ok && bit.NumberOfBits() < 64
}

// indexedAsRead reports whether the texts of an ENUM compare as in the index.
func indexedAsRead(t sql.Type, c pushdown.Column) bool {
	e, ok := t.(sql.EnumType)
	if !ok {
		return true
	}
	coll, ok := value.CollationOfType(compare.TextIn(e.Collation()))
	return ok && coll == c.Collation
}

package table

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/shopspring/decimal"

	"github.com/sqlfdb/sqlfdb/catalog"
	"github.com/sqlfdb/sqlfdb/document"
	"github.com/sqlfdb/sqlfdb/indexes"
	"github.com/sqlfdb/sqlfdb/kv"
	"github.com/sqlfdb/sqlfdb/kv/tuple"
	"github.com/sqlfdb/sqlfdb/ordered"
	"github.com/sqlfdb/sqlfdb/sqlbackend/mysqlerr"
	"github.com/sqlfdb/sqlfdb/sqlbackend/pushdown"
	"github.com/sqlfdb/sqlfdb/sqlbackend/session"
	"github.com/sqlfdb/sqlfdb/tables"
)

// checkUnique fails if another document has the same values in the columns of a unique index. It reads the values'
// entries with conflicts: two transactions that store the same value conflict. While the index is built, older
// documents may have no entries yet; the proof compares these (RFC 0011).
func (e *Editor) checkUnique(ctx *sql.Context, w *tables.Tx, pk []byte, d document.Document) error {
	for _, idx := range uniqueOrder(e.Table.Def) {
		taken, text, err := FindDuplicate(e.Table.Def, ctx, w, idx, pk, d)
		if err != nil {
			return err
		}
		if taken != nil {
			return e.duplicate(ctx, w, taken, text, idx.Name, false)
		}
	}
	return nil
}

// uniqueOrder returns the unique indexes in MySQL's order: indexes without nullable columns come first. ON DUPLICATE
// KEY UPDATE uses the first index whose values are in use.
func uniqueOrder(d *session.Definition) []*catalog.Index {
	var filled, others []*catalog.Index
	for i := range d.Table.Indexes {
		idx := &d.Table.Indexes[i]
		if !idx.Unique {
			continue
		}
		nullable := func(name string) bool {
			place, ok := d.Table.Column(name)
			return !ok || d.Table.Columns[place].Nullable
		}
		if slices.ContainsFunc(idx.Columns, nullable) {
			others = append(others, idx)
		} else {
			filled = append(filled, idx)
		}
	}
	return append(filled, others...)
}

// uniqueMember is one column of a unique index with a document's value.
type uniqueMember struct {
	keypath document.Keypath
	column  *session.Column // nil: the keypath is not declared
	value   any             // SQL value, for a declared column
	json    document.Value
}

// FindDuplicate finds a document other than pk with doc's values in the index's columns. It returns the document's
// key and the values as text. NULL equals nothing.
func FindDuplicate(d *session.Definition, ctx *sql.Context, r kv.Reader, idx *catalog.Index, pk []byte,
	doc document.Document) ([]byte,
	string, error) {
	members := make([]uniqueMember, len(idx.Columns))
	texts := make([]string, len(idx.Columns))
	for i, name := range idx.Columns {
		m := &members[i]
		if m.column = d.ColumnNamed(name); m.column != nil {
			m.keypath = m.column.Keypath
		} else {
			var err error
			if m.keypath, err = session.ColumnKeypath(name); err != nil {
				return nil, "", err
			}
		}
		v, ok := doc.Lookup(m.keypath)
		if !ok || v.IsNull() {
			return nil, "", nil
		}
		m.json, texts[i] = v, v.Text()
		if v.Type() == document.TypeString {
			texts[i] = v.Str()
		}
		if m.column != nil {
			var err error
			if m.value, err = session.ReadColumn(ctx, m.column, v); err != nil || m.value == nil {
				return nil, "", err
			}
			if raw, ok := m.value.([]byte); ok {
				texts[i] = shownBytes(raw)
			}
		}
	}
	rows, err := equalMembers(d, ctx, r, idx, members)
	if err != nil {
		return nil, "", err
	}
	defer rows.Close()
	for rows.Next() {
		if bytes.Equal(rows.PK(), pk) {
			continue
		}
		same, err := same(d, ctx, members, rows.Document())
		if err != nil {
			return nil, "", err
		}
		if same {
			return bytes.Clone(rows.PK()), strings.Join(texts, "-"), nil
		}
	}
	return nil, "", rows.Err()
}

// shownBytes returns a byte string as in MySQL's messages.
func shownBytes(raw []byte) string {
	const shown = 64
	var out []byte
	for _, b := range raw[:min(len(raw), shown)] {
		if b >= ' ' && b <= '~' {
			out = append(out, b)
		} else {
			out = fmt.Appendf(out, `\x%02X`, b)
		}
	}
	return string(out)
}

// same reports whether a document has the members' values.
func same(d *session.Definition, ctx *sql.Context, members []uniqueMember, doc document.Document) (bool, error) {
	for _, m := range members {
		v, ok := doc.Lookup(m.keypath)
		if !ok || v.IsNull() {
			return false, nil
		}
		order := 0
		if strung := m.json.Type() == document.TypeString && v.Type() == document.TypeString; m.column == nil && strung {
			if !d.Encoder.Collation(m.keypath.String()).Equal(m.json.Str(), v.Str()) {
				return false, nil
			}
		} else if m.column == nil {
			order = document.Compare(m.json, v, d.SQLCollation)
		} else {
			other, err := session.ReadColumn(ctx, m.column, v)
			if err != nil || other == nil {
				return false, err
			}
			if order, err = m.column.Typ.Compare(ctx, m.value, other); err != nil {
				return false, err
			}
		}
		if order != 0 {
			return false, nil
		}
	}
	return true, nil
}

// equalInIndex walks the documents with about the members' values in the index's own entries. ok is false if the
// entries are not reliable.
func equalInIndex(d *session.Definition, ctx *sql.Context, r kv.Reader, idx *catalog.Index,
	members []uniqueMember) (rows tables.Rows, ok bool, err error) {
	if idx.Number == 0 || d.Rebuilding() {
		return nil, false, nil
	}
	var prefix []byte
	var last indexes.Span // of the last member's values, if documents may have more digits than its column
	for i, m := range members {
		if KeepsOut(d, m.keypath) || m.column != nil && m.column.Unsettled {
			return nil, false, nil
		}
		path, v := m.keypath.String(), m.json
		if m.column != nil {
			if v, err = session.ToJSON(ctx, m.column, m.value); err != nil {
				return nil, false, err
			}
		}
		if i == len(members)-1 {
			if rounded, ok := m.rounded(v); ok {
				last = rounded
				break
			}
		}
		value, _, indexed, err := d.Encoder.AppendLeaf(nil, document.Leaf{Path: []byte(path), Value: v, Kind: v.Kind()})
		if err != nil || !indexed {
			return nil, false, err
		}
		prefix = tuple.AppendBytes(prefix, indexes.FoldValue(value, d.Encoder.Collation(path)))
	}
	if omits, err := d.Collection.Omits(r, idx.Number); err != nil || omits {
		return nil, false, err
	}
	declared := tables.Declared{Number: idx.Number, Columns: len(idx.Columns),
		Ranges: []indexes.DeclaredRange{{Prefix: prefix, Span: last}}}
	return d.Collection.LookupDeclared(r, declared, tables.ScanOptions{}), true, nil
}

// rounded returns the span of the numbers that a member's column rounds to a number; false for other columns.
func (m uniqueMember) rounded(number document.Value) (indexes.Span, bool) {
	if m.column == nil || number.Type() != document.TypeNumber {
		return indexes.Span{}, false
	}
	scale := int32(0)
	if t, ok := m.column.Typ.(sql.DecimalType); ok {
		scale = int32(t.Scale())
	} else if !types.IsInteger(m.column.Typ) {
		return indexes.Span{}, false
	}
	n, err := decimal.NewFromString(number.Text())
	if err != nil {
		return indexes.Span{}, false
	}
	half := decimal.New(5, -scale-1)
	low, err := ordered.AppendNumber(nil, n.Sub(half).String())
	if err != nil {
		return indexes.Span{}, false
	}
	high, err := ordered.AppendNumber(nil, n.Add(half).String())
	if err != nil {
		return indexes.Span{}, false
	}
	return indexes.Span{Start: low, End: indexes.Point(high)[0].End}, true
}

// alike are documents that have about the values of some members. First come those whose entries are of these values,
// then those that write them otherwise, whose entries are of another class. It implements tables.Rows.
type alike struct {
	tables.Rows // nil: none is being read
	definition  *session.Definition
	ctx         *sql.Context
	from        kv.Reader
	left        []uniqueMember // whose other spellings are still to be read
	seen        map[string]bool
	work        tables.Work
	err         error
}

// equalMembers walks the documents that have about the members' values. idx is on these members, in their order; nil:
// the entries of the first are walked.
func equalMembers(d *session.Definition, ctx *sql.Context, r kv.Reader, idx *catalog.Index,
	members []uniqueMember) (tables.Rows, error) {
	a := &alike{definition: d, ctx: ctx, from: r, left: members}
	ok := false
	var err error
	if idx != nil {
		a.Rows, ok, err = equalInIndex(d, ctx, r, idx, members)
	}
	if err == nil && !ok {
		a.Rows, err = equalTo(d, ctx, r, members[0])
	}
	return a, err
}

// Next implements tables.Rows.
func (a *alike) Next() bool {
	for a.err == nil {
		for a.Rows != nil && a.Rows.Next() {
			if a.seen == nil {
				return true
			}
			if pk := string(a.Rows.PK()); !a.seen[pk] {
				a.seen[pk] = true
				return true
			}
		}
		a.end()
		if a.err != nil || len(a.left) == 0 {
			return false
		}
		m := a.left[0]
		if a.left = a.left[1:]; a.seen == nil {
			a.seen = map[string]bool{}
		}
		a.Rows, a.err = otherSpellings(a.definition, a.ctx, a.from, m)
	}
	return false
}

func (a *alike) end() {
	if a.Rows != nil {
		a.err = a.Rows.Err()
		a.work = a.work.Plus(a.Rows.Read())
		a.Rows.Close()
		a.Rows = nil
	}
}

// Err implements tables.Rows.
func (a *alike) Err() error { return a.err }

// Close implements tables.Rows.
func (a *alike) Close() {
	a.end()
	a.left = nil
}

// Read implements tables.Rows.
func (a *alike) Read() tables.Work {
	if a.Rows == nil {
		return a.work
	}
	return a.work.Plus(a.Rows.Read())
}

// otherSpellings walks the documents that may write a member's value otherwise than its column: a date as a text in
// another form, a number as a text, a text as a number, 1 as true. It is nil if none does.
func otherSpellings(d *session.Definition, ctx *sql.Context, r kv.Reader, m uniqueMember) (tables.Rows, error) {
	path := m.keypath.String()
	if m.column == nil || KeepsOut(d, m.keypath) {
		return nil, nil
	}
	texts := indexes.Spans{{Start: ordered.ClassStart(ordered.ClassString), End: ordered.ClassEnd(ordered.ClassString)}}
	switch d.Encoder.Class(path) {
	case catalog.ClassDate, catalog.ClassDatetime:
	case catalog.ClassTime:
		return lookupSpans(d, r, m.keypath, texts)
	default:
		spans := m.otherClasses(d)
		if spans == nil {
			return nil, nil
		}
		return lookupSpans(d, r, m.keypath, spans)
	}
	any, err := lookupSpans(d, r, m.keypath, texts)
	if err != nil || any == nil {
		return nil, err
	}
	some, err := any.Next(), any.Err()
	any.Close()
	day, ok := m.value.(time.Time)
	if err != nil || !some || !ok {
		return nil, err
	}
	c := pushdown.Column{Keypath: path, Path: m.keypath, Collation: d.Encoder.Collation(path),
		StringLimit: d.Encoder.Limit()}
	return lookupSpans(d, r, m.keypath, pushdown.TextsOfDay(ctx, c, day))
}

// otherClasses returns the spans of a number as a text and as a truth, and of a text that spells a number; nil for
// other values.
func (m uniqueMember) otherClasses(d *session.Definition) indexes.Spans {
	var spans indexes.Spans
	if s, ok := m.value.(string); ok {
		if enc, err := ordered.AppendNumber(nil, s); err == nil && s != "" {
			return indexes.Point(enc)
		}
		return nil
	}
	if !types.IsNumber(m.column.Typ) && !types.IsYear(m.column.Typ) {
		return nil
	}
	text := fmt.Sprint(m.value)
	start, end, _ := ordered.StringSpan(d.Encoder.Collation(m.keypath.String()), text, d.Encoder.Limit())
	spans = append(spans, indexes.Span{Start: start, End: end})
	if text == "0" || text == "1" {
		spans = append(spans, indexes.Point(ordered.AppendBool(nil, text == "1"))...)
	}
	return indexes.NewSpans(spans...)
}

// KeepsOut reports whether the table's options exclude the values at a keypath from the index.
func KeepsOut(d *session.Definition, path document.Keypath) bool {
	return len(path) > d.Options.Depth() || len(path.String()) > MaxSpelledKeypath || d.Excludes(path)
}

// equalTo walks the documents whose value at a member's keypath is about equal to the member's; nil if no document
// ever had the keypath.
func equalTo(d *session.Definition, ctx *sql.Context, r kv.Reader, m uniqueMember) (tables.Rows, error) {
	path := m.keypath.String()
	v := m.json
	if m.column != nil {
		var err error
		if v, err = session.ToJSON(ctx, m.column, m.value); err != nil {
			return nil, err
		}
	}
	var spans indexes.Spans
	if v.Type() == document.TypeString && d.Encoder.Class(path) == "" {
		start, end, _ := ordered.StringSpan(d.Encoder.Collation(path), v.Str(), d.Encoder.Limit())
		spans = indexes.NewSpans(indexes.Span{Start: start, End: end})
	} else {
		enc, _, indexed, err := d.Encoder.AppendLeaf(nil, document.Leaf{Path: []byte(path), Value: v, Kind: v.Kind()})
		if err != nil {
			return nil, err
		}
		if !indexed {
			if _, ok, err := d.Collection.Number(r, path); err != nil || !ok {
				return nil, err
			}
			return nil, mysqlerr.Unsupported("column %s can't have a unique key: its values are not indexed", path)
		}
		spans = indexes.Point(enc)
		if rounded, ok := m.rounded(v); ok {
			spans = indexes.NewSpans(rounded)
		}
	}
	return lookupSpans(d, r, m.keypath, spans)
}

// lookupSpans walks the documents with a value at a keypath in some spans; nil if no document ever had the keypath.
func lookupSpans(d *session.Definition, r kv.Reader, keypath document.Keypath,
	spans indexes.Spans) (tables.Rows, error) {
	path := keypath.String()
	versions := d.Versions(pushdown.Column{Path: keypath, Keypath: path}, spans)
	number, ok := d.Collection.Dictionary().Cached([]byte(path))
	if !ok {
		var err error
		number, ok, err = d.Collection.NumberOf(r, path, fmt.Sprintf("%x", spans), func(n int64) (ranges []kv.Range) {
			for _, v := range versions {
				for _, s := range v.Spans {
					ranges = append(ranges, d.Collection.Keys().EntrySpan(n, v.Version, s.Start, s.End))
				}
			}
			return ranges
		})
		if err != nil || !ok {
			return nil, err
		}
	}
	return d.Collection.Lookup(r, number, versions, tables.LookupOptions{}), nil
}

package table

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/sqlfdb/sqlfdb/collation"
	"github.com/sqlfdb/sqlfdb/costing"
	"github.com/sqlfdb/sqlfdb/document"
	"github.com/sqlfdb/sqlfdb/indexes"
	"github.com/sqlfdb/sqlfdb/kv"
	"github.com/sqlfdb/sqlfdb/kv/tuple"
	"github.com/sqlfdb/sqlfdb/ordered"
	"github.com/sqlfdb/sqlfdb/sqlbackend/pushdown"
	"github.com/sqlfdb/sqlfdb/sqlbackend/session"
	"github.com/sqlfdb/sqlfdb/tables"
)

// PathOrder is the order in which an access path reads documents, and how many it reads.
type PathOrder struct {
	// Field is the field by which the documents are ordered; nil if no order is wanted.
	Field      *OrderField
	First      bool // the first rows are read, in any order
	Descending bool
	// Scan: documents are read in the order of their primary keys, within Part's spans if there is one. Otherwise
	// Part's keypath is walked within Spans.
	Scan  bool
	Part  *pushdown.Part
	Spans []tables.OrderedSpan
	// Missing: the documents without the keypath are added, with ByKeys found by the keys of the others. AllPresent:
	// the path relies on there being none.
	Missing, ByKeys, AllPresent bool
	// NullsMoved: these documents, and the entries of NULL, come at the end opposite to NULL's natural one. They are
	// last in Spans.
	NullsMoved bool
	// Among are the only documents wanted; nil: all.
	Among *pushdown.Part
	// Skip rows are skipped, then Rows rows are read. Rows is costing.All if the end depends on a filter, or if all are
	// read.
	Skip, Rows int64
	Whole      bool // the whole collection is read
	Prefix     int  // number of fields by which the rows are already sorted; 0: all

	Expect int64         // number of documents expected to be read; 0: not known
	Bound  costing.Bound // limit of the reads; beyond it reading fails with tables.ErrGivenUp

	// Columns are the columns of a declared index that order the documents. They follow From columns with one value
	// each.
	Columns []pushdown.Column
	From    int
	Ties    int // see tables.OrderedOptions

	Way     costing.OrderedWay
	Choice  costing.OrderChoice
	Ways    []costing.OrderedWay
	KeyText string // bounds of the primary key within a value, for EXPLAIN
}

// OrderedSpans returns spans of values, with any primary keys.
func OrderedSpans(spans indexes.Spans) []tables.OrderedSpan {
	out := make([]tables.OrderedSpan, len(spans))
	for i, s := range spans {
		out[i].Span = s
	}
	return out
}

// openOrdered starts reading in the path's order.
func (p *AccessPath) openOrdered(t *Table, r kv.Reader) (tables.Rows, error) {
	o, c := p.Order, t.Def.Collection
	if o.Scan {
		spans := indexes.Everything()
		if o.Part != nil {
			spans = o.Part.Spans
		}
		if len(spans) == 0 {
			return nil, nil
		}
		rows := c.Scan(r, spans, tables.ScanOptions{Reverse: o.Descending, Skip: o.Skip})
		return tables.Bounded(rows, o.Bound), nil
	}
	if o.Part.Declared != nil {
		return p.openDeclared(t, r)
	}
	number, ok, err := c.Number(r, o.Part.Column.Keypath)
	if err != nil {
		return nil, err
	}
	if o.AllPresent {
		if err := p.Confirm(t, r, o.Part, number, ok); err != nil {
			return nil, err
		}
	}
	opts := tables.OrderedOptions{
		Keypath: number, Unknown: !ok, Version: t.Def.FieldVersion(o.Part.Column.Keypath), Spans: o.Spans,
		Reverse: o.Descending,
		Missing: o.Missing, MissingByKeys: o.ByKeys, Lacking: o.Way.Missing, Path: o.Part.Column.Path, Skip: o.Skip,
		Limit: o.Rows,
		Bound: o.Bound, MissingMoved: o.NullsMoved,
	}
	if o.Rows == costing.All {
		opts.Limit, opts.Expect = -1, o.Expect
	}
	if o.Field != nil && o.Field.Part == 0 {
		opts.Group, opts.Compare = entryGroups(o.Field.Column), byValue(o.Field.Column)
	}
	if o.Among != nil {
		number, ok, err := c.Number(r, o.Among.Column.Keypath)
		if err != nil {
			return nil, err
		}
		opts.Among = &tables.KeySet{Keypath: number, Unknown: !ok, Versions: t.Def.Versions(o.Among.Column, o.Among.Spans)}
	}
	return c.Ordered(r, opts), nil
}

// entryGroups returns the group of an entry that doesn't show the order of its values: objects, arrays, and strings
// longer than their indexed part. nil: the entry shows it.
func entryGroups(c pushdown.Column) func(value []byte) []byte {
	return func(value []byte) []byte {
		switch value[0] {
		case ordered.ClassObject, ordered.ClassArray:
			return value[:1]
		case ordered.ClassString:
			if c.StringLimit <= 0 || len(value) <= c.StringLimit {
				return nil
			}
			d, err := ordered.Decode(value, ordered.DecodeOptions{Collation: c.Collation, Limit: c.StringLimit})
			if err != nil || d.Truncated {
				return value
			}
		}
		return nil
	}
}

// byValue compares documents by their values at the column's keypath. Strings in JSON compare in the default
// collation, not the table's.
func byValue(c pushdown.Column) func(a, b document.Document) int {
	coll := c.Collation
	if c.Shape == pushdown.ShapeJSON {
		coll = collation.Default
	}
	return func(a, b document.Document) int {
		va, _ := a.Lookup(c.Path)
		vb, _ := b.Lookup(c.Path)
		return document.Compare(va, vb, coll)
	}
}

// explain adds the order to an explanation.
func (o *PathOrder) explain(e *Explanation) {
	add := func(format string, args ...any) { e.Facts = append(e.Facts, fmt.Sprintf(format, args...)) }
	if o.Field != nil {
		text := "order: " + o.Way.Name
		if o.Prefix > 0 {
			text += ", then sorted within equal values"
		}
		add("%s: %s", text, strings.TrimPrefix(o.Choice.Why[o.Choice.Chosen], "chosen: "))
		e.Estimate = &costing.Estimate{Keys: o.Choice.Keys, Bound: o.Way.Keys}
	}
	if o.First {
		o.explainFirst(e)
	}
	if o.KeyText != "" {
		add("%s", o.KeyText)
	}
	if o.Among != nil {
		add("only those among: %s in %s", PartName(*o.Among), o.Among.Text)
	}
	if o.Missing {
		place, how := "before", ""
		if o.Descending != o.NullsMoved {
			place = "behind"
		}
		if o.ByKeys {
			how = ", found by the keys of the others"
		}
		add("%s them: %s documents without the keypath%s", place, session.Grouped(o.Way.Missing), how)
	}
	if o.Skip > 0 {
		add("skipped without being fetched: %s", session.Grouped(o.Skip))
	}
	if o.Rows != costing.All {
		add("ends after: %s", session.Grouped(o.Rows))
	}
	for i, why := range o.Choice.Why {
		if i != o.Choice.Chosen {
			way := "order by "
			if o.First {
				way = "first rows by "
			}
			e.Lost = append(e.Lost, LostWay{Way: way + o.Ways[i].Name, Why: why})
		}
	}
}

// MoveNulls moves a walk's NULLs to the other end of its order.
func (o *PathOrder) MoveNulls() {
	nulls := indexes.Point(ordered.AppendNull(nil))
	values := indexes.Spans{{Start: nulls[0].End}}
	var out, last []tables.OrderedSpan
	for _, s := range o.Spans {
		for _, v := range (indexes.Spans{s.Span}).Intersect(values) {
			out = append(out, tables.OrderedSpan{Span: v, Keys: s.Keys})
		}
		for _, v := range (indexes.Spans{s.Span}).Intersect(nulls) {
			last = append(last, tables.OrderedSpan{Span: v, Keys: s.Keys})
		}
	}
	o.Spans, o.NullsMoved = append(out, last...), true
}

// CanMoveNulls reports whether a field's NULLs may be read separately. JSON's nulls are values and may not; a
// primary key has none.
func (f *OrderField) CanMoveNulls() bool { return f.Part > 0 || f.Column.Shape != pushdown.ShapeJSON }

// Decides reports whether rows equal by this field are equal by another field of the same keypath. A column has NULL
// for a JSON null and for a missing value.
func (o *OrderField) Decides(f *OrderField) bool {
	a, b := &o.Column, &f.Column
	return o.Exact && !o.Nulls || a.Shape == b.Shape && a.Collation == b.Collation && a.Rounded == b.Rounded
}

// Direction is the text for the direction of an order in EXPLAIN.
func Direction(descending bool) string {
	if descending {
		return " descending"
	}
	return ""
}

// explainFirst adds the reason why the first rows are read along a path.
func (o *PathOrder) explainFirst(e *Explanation) {
	e.Facts = append(e.Facts, fmt.Sprintf("first rows: %s: %s", o.Way.Name,
		strings.TrimPrefix(o.Choice.Why[o.Choice.Chosen], "chosen: ")))
	e.Estimate = &costing.Estimate{Keys: o.Choice.Keys, Bound: o.Way.Keys}
}

// Ranged reports whether the spans exclude any values.
func (s *declaredSpans) Ranged() bool { return s.Fixed > 0 || s.bounded }

// openDeclared starts reading in the order of a declared index.
func (p *AccessPath) openDeclared(t *Table, r kv.Reader) (tables.Rows, error) {
	o := p.Order
	declared, err := DeclaredRead(t.Def, r, o.Part.Declared)
	if err != nil {
		return nil, err
	}
	opts := tables.OrderedOptions{Declared: &declared, Reverse: o.Descending, Skip: o.Skip, Limit: o.Rows, Ties: o.Ties,
		Bound: o.Bound}
	if o.Rows == costing.All {
		opts.Limit, opts.Expect = -1, o.Expect
	}
	if len(o.Columns) > 0 {
		opts.Group, opts.Compare = packedGroups(o.From, o.Columns), byValues(o.Columns)
	}
	return t.Def.Collection.Ordered(r, opts), nil
}

// packedGroups returns the group of entries of a declared index that don't show the order of their documents: the
// ones with the same beginning of long strings.
func packedGroups(from int, columns []pushdown.Column) func(values []byte) []byte {
	truncated := make([]func([]byte) []byte, len(columns))
	for i, c := range columns {
		truncated[i] = entryGroups(c)
		if c.Collation != nil && !c.Collation.IsIdentity() {
			truncated[i] = func(value []byte) []byte {
				if value[0] == ordered.ClassString && !bytes.Contains(value, []byte{0x01}) {
					return value
				}
				return nil
			}
		}
	}
	return func(values []byte) []byte {
		rest := values
		for range from {
			var err error
			if rest, err = tuple.Skip(rest); err != nil {
				return nil // Check reports it; such an entry has no known order
			}
		}
		for _, group := range truncated {
			next, value, err := tuple.DecodeBytes(rest)
			if err != nil || len(value) == 0 {
				return nil
			}
			if rest = next; group(value) != nil {
				return values[:len(values)-len(rest)]
			}
		}
		return nil
	}
}

// byValues compares documents by their values at the columns' keypaths, one after the other. A null and a missing
// value are equal, and so are strings that are equal in a column's collation.
func byValues(columns []pushdown.Column) func(a, b document.Document) int {
	by := make([]func(a, b document.Document) int, len(columns))
	for i, c := range columns {
		by[i] = byValue(c)
	}
	return func(a, b document.Document) int {
		for i := range columns {
			c := &columns[i]
			va, _ := a.Lookup(c.Path)
			vb, _ := b.Lookup(c.Path)
			strung := c.Shape == pushdown.ShapeString && va.Type() == document.TypeString && vb.Type() == document.TypeString
			order := 0
			switch {
			case (va.IsZero() || va.IsNull()) && (vb.IsZero() || vb.IsNull()):
			case strung && !c.Collation.IsIdentity():
				order = c.Collation.CompareKeys(va.Str(), vb.Str())
			default:
				order = by[i](a, b)
			}
			if order != 0 {
				return order
			}
		}
		return 0
	}
}

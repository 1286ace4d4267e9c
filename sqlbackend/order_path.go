package sqlbackend

import (
	"fmt"
	"strings"

	"github.com/sqlfdb/sqlfdb/collation"
	"github.com/sqlfdb/sqlfdb/costing"
	"github.com/sqlfdb/sqlfdb/document"
	"github.com/sqlfdb/sqlfdb/indexes"
	"github.com/sqlfdb/sqlfdb/kv"
	"github.com/sqlfdb/sqlfdb/ordered"
	"github.com/sqlfdb/sqlfdb/sqlbackend/pushdown"
	"github.com/sqlfdb/sqlfdb/tables"
)

// pathOrder is the order in which an access path reads documents, and how many.
type pathOrder struct {
	// field is what the documents come in the order of; nil where no order is asked for.
	field      *orderField
	first      bool // the first rows are read, whatever their order
	descending bool
	// scan: documents are read in the order of their primary keys, within the part's
	// spans if there is one. Otherwise the part's keypath is walked in the spans.
	scan  bool
	part  *pushdown.Part
	spans []tables.OrderedSpan
	// missing adds the documents without the keypath, found by the keys of the others if
	// byKeys; allPresent rests on there being none.
	missing, byKeys, allPresent bool
	// apart: they, and the entries of NULL, stand at the other end than NULL does by itself; spans has these last.
	apart bool
	// among are the only documents wanted; nil if all are.
	among *pushdown.Part
	// skip and rows are what is taken; rows is costing.All where a filter or nothing above
	// says when to stop.
	skip, rows int64
	whole      bool // the collection is read to its end
	prefix     int  // fields that the rows are sorted by already, where others follow

	expect int64         // documents that are likely to be read; 0 if that is not known
	bound  costing.Bound // what may be read: beyond it reading fails with tables.ErrGivenUp

	// columns are those of a declared index that order the documents, behind from others,
	// which have one value.
	columns []pushdown.Column
	from    int
	ties    int // as tables.OrderedOptions has it

	way     costing.OrderedWay
	choice  costing.OrderChoice
	ways    []costing.OrderedWay
	keyText string // the primary key's bounds within a value
}

// orderedSpans are spans of values with any primary keys.
func orderedSpans(spans indexes.Spans) []tables.OrderedSpan {
	out := make([]tables.OrderedSpan, len(spans))
	for i, s := range spans {
		out[i].Span = s
	}
	return out
}

// openOrdered starts reading in the path's order.
func (p *accessPath) openOrdered(t *Table, r kv.Reader) (tables.Rows, error) {
	o, c := p.order, t.def.collection
	if o.scan {
		spans := indexes.Everything()
		if o.part != nil {
			spans = o.part.Spans
		}
		if len(spans) == 0 {
			return nil, nil
		}
		rows := c.Scan(r, spans, tables.ScanOptions{Reverse: o.descending, Skip: o.skip})
		return tables.Bounded(rows, o.bound), nil
	}
	if o.part.Declared != nil {
		return p.openDeclared(t, r)
	}
	number, ok, err := c.Number(r, o.part.Column.Keypath)
	if err != nil {
		return nil, err
	}
	if o.allPresent {
		if err := p.confirm(t, r, o.part, number, ok); err != nil {
			return nil, err
		}
	}
	opts := tables.OrderedOptions{
		Keypath: number, Unknown: !ok, Version: t.def.fieldVersion(o.part.Column.Keypath), Spans: o.spans,
		Reverse: o.descending,
		Missing: o.missing, MissingByKeys: o.byKeys, Lacking: o.way.Missing, Path: o.part.Column.Path, Skip: o.skip,
		Limit: o.rows,
		Bound: o.bound, MissingApart: o.apart,
	}
	if o.rows == costing.All {
		opts.Limit, opts.Expect = -1, o.expect
	}
	if o.field != nil && o.field.part == 0 {
		opts.Group, opts.Compare = entryGroups(o.field.column), byValue(o.field.column)
	}
	if o.among != nil {
		number, ok, err := c.Number(r, o.among.Column.Keypath)
		if err != nil {
			return nil, err
		}
		opts.Among = &tables.KeySet{Keypath: number, Unknown: !ok, Versions: t.def.versions(o.among.Column, o.among.Spans)}
	}
	return c.Ordered(r, opts), nil
}

// entryGroups are the groups of entries that don't tell the order of their values: the
// objects, the arrays, and strings that are longer than what is indexed of them.
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

// byValue compares documents by the value at the column's keypath. Strings within JSON
// compare in the default collation, whatever the table's is.
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

// explain adds to an explanation what the order tells.
func (o *pathOrder) explain(e *explanation) {
	add := func(format string, args ...any) { e.facts = append(e.facts, fmt.Sprintf(format, args...)) }
	if o.field != nil {
		text := "order: " + o.way.Name
		if o.prefix > 0 {
			text += ", then sorted within equal values"
		}
		add("%s: %s", text, strings.TrimPrefix(o.choice.Why[o.choice.Chosen], "chosen: "))
		e.estimate = &costing.Estimate{Keys: o.choice.Keys, Bound: o.way.Keys}
	}
	if o.first {
		o.explainFirst(e)
	}
	if o.keyText != "" {
		add("%s", o.keyText)
	}
	if o.among != nil {
		add("only those among: %s in %s", partName(*o.among), o.among.Text)
	}
	if o.missing {
		place, how := "before", ""
		if o.descending != o.apart {
			place = "behind"
		}
		if o.byKeys {
			how = ", found by the keys of the others"
		}
		add("%s them: %s documents without the keypath%s", place, grouped(o.way.Missing), how)
	}
	if o.skip > 0 {
		add("skipped without being fetched: %s", grouped(o.skip))
	}
	if o.rows != costing.All {
		add("ends after: %s", grouped(o.rows))
	}
	for i, why := range o.choice.Why {
		if i != o.choice.Chosen {
			way := "order by "
			if o.first {
				way = "first rows by "
			}
			e.lost = append(e.lost, lostWay{way: way + o.ways[i].Name, why: why})
		}
	}
}

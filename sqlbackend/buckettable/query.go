package buckettable

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"

	"github.com/sqlfdb/sqlfdb/bucket/layout"
	"github.com/sqlfdb/sqlfdb/bucket/plan"
	"github.com/sqlfdb/sqlfdb/collation"
	"github.com/sqlfdb/sqlfdb/document"
	"github.com/sqlfdb/sqlfdb/indexes"
	"github.com/sqlfdb/sqlfdb/ordered"
	"github.com/sqlfdb/sqlfdb/sqlbackend/pushdown"
	"github.com/sqlfdb/sqlfdb/sqlbackend/session"
	"github.com/sqlfdb/sqlfdb/sqlbackend/table"
	"github.com/sqlfdb/sqlfdb/sqlbackend/value"
)

// resolver describes the columns of a table in a bucket.
type resolver struct{ table *Table }

var _ pushdown.Resolver = resolver{}

// Column implements pushdown.Resolver.
func (r resolver) Column(f *expression.GetField) (pushdown.Column, string, bool) {
	none := func(reason string) (pushdown.Column, string, bool) {
		return pushdown.Column{}, fmt.Sprintf("%s %s", f, reason), false
	}
	rows := r.table.rows
	if !rows.Place.Holds(f) {
		return none("is another table's")
	}
	for i := range rows.Columns {
		c := &rows.Columns[i]
		if !strings.EqualFold(c.Name, f.Name()) {
			continue
		}
		switch {
		case c.Document:
			return pushdown.Column{Document: true}, "", true
		case c.Key:
			return none("is the hidden key")
		}
		return r.present(c)
	}
	return none("is no column of the table")
}

// present describes a column by the known facts about its values.
func (r resolver) present(c *session.Column) (pushdown.Column, string, bool) {
	d := r.table.rows.Def
	out := pushdown.Column{Keypath: c.Keypath.String(), Path: c.Keypath, Name: c.Name, Collation: collation.Binary,
		KeepsNull: c.KeepsNull}
	if coll, ok := value.CollationOfType(c.Typ); ok && coll != collation.Binary {
		return pushdown.Column{}, fmt.Sprintf("`%s` compares in another collation than an index", c.Name), false
	}
	if c.Declared >= 0 && d.IsKey(c.Declared) {
		out.PrimaryKeyPart = 1
		out.Shape = pushdown.ShapeString
		return out, "", true
	}
	out.Shape = table.ShapeOf(c, d.BucketCounts(out.Keypath))
	switch out.Shape {
	case pushdown.ShapeNumber, pushdown.ShapeBoolean, pushdown.ShapeString, pushdown.ShapeJSON, pushdown.ShapeFloat:
		if t, ok := c.Typ.(sql.DecimalType); ok && c.Declared >= 0 {
			out.Rounded, out.Scale = true, int(t.Scale())
		}
		return out, "", true
	}
	return pushdown.Column{}, fmt.Sprintf("`%s` holds values that are not of its type, or not indexed as it reads them",
		c.Name), false
}

// Keypath implements pushdown.Resolver.
func (r resolver) Keypath(path document.Keypath) (pushdown.Column, string, bool) {
	spelled := path.String()
	if path.HasArray() {
		return pushdown.Column{}, spelled + " leads through an array", false
	}
	if spelled == layout.ID {
		return pushdown.Column{}, spelled + " is asked for as JSON", false
	}
	counts := r.table.rows.Def.BucketCounts(spelled)
	return pushdown.Column{Keypath: spelled, Path: path, Shape: pushdown.ShapeJSON, Collation: collation.Binary,
		Integers: counts[document.KindFloat].IsZero() && counts[document.KindBigNum].IsZero()}, "", true
}

// Stubs implements pushdown.Resolver.
func (resolver) Stubs(document.Keypath, byte) bool { return true }

// Holds implements pushdown.Resolver.
func (resolver) Holds(document.Keypath, byte) bool { return true }

// HasTexts implements pushdown.Resolver.
func (resolver) HasTexts(pushdown.Column) bool { return true }

// Certain implements pushdown.Resolver.
func (resolver) Certain(pushdown.Column, pushdown.Among) bool { return false }

// known is the query that conjuncts make for the documents that are looked for.
type known struct {
	query   plan.Query
	exactly map[int]bool // the conjuncts that the query expresses exactly
	reasons []string     // why others are not in the query
}

// knownFrom makes a query of conjuncts. It may ask for too much, never for too little.
func (t *Table) knownFrom(ctx *sql.Context, conjuncts []sql.Expression) known {
	k := known{query: plan.Query{Equal: map[string][]document.Value{}, Range: map[string]plan.Range{}},
		exactly: map[int]bool{}}
	if len(conjuncts) == 0 {
		return k
	}
	split := pushdown.Split(ctx, conjuncts, resolver{t}, pushdown.Options{Explain: t.rows.Session.Parsed.Explains()})
	k.reasons = split.Reasons
	for i := range split.Candidates {
		c := &split.Candidates[i]
		switch {
		case len(c.Parts) == 0: // nothing satisfies it
			k.query.IDs, k.query.HasIDs = nil, true
			return k
		case len(c.Parts) > 1 || c.Spans.IsEverything():
			continue
		}
		if c.PrimaryKey {
			if t.askKey(&k.query, c.Spans) && c.Tight {
				k.answered(c.Answers)
			}
			continue
		}
		path := c.Column.Keypath
		if values, ok := pointsOf(c.Spans); ok {
			// A missing value is in the entry of null.
			if c.NeedsAllPresent && !slices.ContainsFunc(values, document.Value.IsNull) {
				values = append(values, document.NullValue())
			}
			k.query.Equal[path] = values
			if c.Tight && !c.NeedsAllPresent {
				k.answered(c.Answers)
			}
			continue
		}
		r := hullOf(c.Spans)
		if c.NeedsAllPresent {
			r.Low = nil
		}
		if r != (plan.Range{}) {
			k.query.Range[path] = r
		}
	}
	return k
}

func (k *known) answered(conjuncts []int) {
	for _, i := range conjuncts {
		k.exactly[i] = true
	}
}

// askKey adds the documents' ids, or their beginning, to a query. It reports whether that expresses the spans
// exactly.
func (t *Table) askKey(q *plan.Query, spans indexes.Spans) bool {
	if values, ok := pointsOf(spans); ok {
		q.HasIDs = true
		for _, v := range values {
			if v.Type() == document.TypeString {
				q.IDs = append(q.IDs, v.Str())
			}
		}
		return true
	}
	if len(spans) != 1 || len(spans[0].Start) == 0 || spans[0].Start[0] != ordered.ClassString {
		return false
	}
	prefix, err := ordered.Decode(spans[0].Start, ordered.DecodeOptions{Collation: collation.Binary})
	if err != nil || prefix.Text == "" {
		return false
	}
	start, end, exact := ordered.PrefixSpan(collation.Binary, prefix.Text, 0)
	if !bytes.Equal(start, spans[0].Start) || !bytes.Equal(end, spans[0].End) {
		return false
	}
	q.Prefix = prefix.Text
	return exact
}

// pointsOf are the values in spans if they are some and no more, none of them an object or an array.
func pointsOf(spans indexes.Spans) ([]document.Value, bool) {
	var values []document.Value
	for _, s := range spans {
		if bytes.Equal(s.Start, ordered.ClassStart(ordered.ClassNull)) &&
			bytes.Equal(s.End, ordered.ClassEnd(ordered.ClassNull)) {
			values = append(values, document.NullValue())
			continue
		}
		if !s.IsPoint() {
			return nil, false
		}
		v, ok := valueOf(s.Start)
		if !ok {
			return nil, false
		}
		values = append(values, v)
	}
	return values, true
}

// valueOf decodes a value; ok is false for an object or an array, and for bytes that are no encoding.
func valueOf(enc []byte) (v document.Value, ok bool) {
	d, err := ordered.Decode(enc, ordered.DecodeOptions{Collation: collation.Binary})
	if err != nil || d.Truncated {
		return v, false
	}
	switch d.Class {
	case ordered.ClassNull:
		return document.NullValue(), true
	case ordered.ClassNumber:
		v, err = document.NumberValue(d.Text)
	case ordered.ClassString:
		v, err = document.StringValue(d.Text)
	case ordered.ClassBool:
		v = document.BoolValue(d.Flag != 0)
	default:
		return v, false
	}
	return v, err == nil
}

// hullOf is an interval that holds all of the spans.
func hullOf(spans indexes.Spans) plan.Range {
	if len(spans) == 0 {
		return plan.Range{}
	}
	return plan.Range{Low: lowOf(spans[0].Start), High: highOf(spans[len(spans)-1].End)}
}

// end takes the byte off an encoding that makes it the next one.
func end(enc []byte) []byte {
	if n := len(enc); n > 1 && enc[n-1] == 0 {
		return enc[:n-1]
	}
	return enc
}

// lowOf is a value that is not above the values from an encoding on; nil: none is below.
func lowOf(enc []byte) *document.Value {
	if len(enc) == 0 {
		return nil
	}
	for _, e := range [][]byte{enc, end(enc)} {
		if v, ok := valueOf(e); ok {
			return &v
		}
	}
	switch {
	case enc[0] <= ordered.ClassNull:
		return nil
	case enc[0] <= ordered.ClassNumber:
		v, err := document.NumberValue("-9e" + strconv.Itoa(document.MaxExponent-1))
		if err != nil {
			return nil
		}
		return &v
	}
	v, err := document.StringValue("")
	if err != nil {
		return nil
	}
	return &v
}

// highOf is a value that is not below the values before an encoding; nil: none is above.
func highOf(enc []byte) *document.Value {
	if len(enc) == 0 {
		return nil
	}
	for _, e := range [][]byte{enc, end(enc)} {
		if v, ok := valueOf(e); ok {
			return &v
		}
	}
	if enc[0] <= ordered.ClassNumber && len(enc) == 1 || enc[0] <= ordered.ClassNull {
		v := document.NullValue()
		return &v
	}
	if enc[0] < ordered.ClassString || enc[0] == ordered.ClassString && len(enc) == 1 {
		v, err := document.StringValue("")
		if err != nil {
			return nil
		}
		return &v
	}
	return nil
}

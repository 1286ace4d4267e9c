package table

import (
	"fmt"
	"slices"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/types"

	"github.com/sqlfdb/sqlfdb/collation"
	"github.com/sqlfdb/sqlfdb/costing"
	"github.com/sqlfdb/sqlfdb/document"
	"github.com/sqlfdb/sqlfdb/indexes"
	"github.com/sqlfdb/sqlfdb/sqlbackend/functions"
	"github.com/sqlfdb/sqlfdb/sqlbackend/pushdown"
	"github.com/sqlfdb/sqlfdb/sqlbackend/session"
	"github.com/sqlfdb/sqlfdb/sqlbackend/tree"
	"github.com/sqlfdb/sqlfdb/sqlbackend/value"
)

// OrderField is one field of a sort.
type OrderField struct {
	Column     pushdown.Column
	Descending bool
	// Part is the position in the primary key, from 1; 0: another column.
	Part int
	// Exact: values that are equal for the sort are equal in the index, so that their documents are in the order of
	// their primary keys.
	Exact bool
	// Containers is how many documents have an object or an array there. Their entries don't show their order.
	Containers int64
	// Nulls: some entries are NULL for the sort, as missing values are.
	Nulls bool
	// NullsMoved: the sort has NULLs at the end opposite to their natural one.
	NullsMoved bool
	Reason     string // why the index does not have the order; "" if it has
}

// OrderFields returns how the index orders the fields of a sort.
func (r *LookupResolver) OrderFields(ctx *sql.Context, fields sql.SortFields) []OrderField {
	out := make([]OrderField, len(fields))
	for i, f := range fields {
		out[i] = r.orderField(ctx, f.Column)
		out[i].Descending = f.Order == sql.Descending
	}
	return out
}

func (r *LookupResolver) orderField(ctx *sql.Context, e sql.Expression) OrderField {
	none := func(reason string) OrderField { return OrderField{Reason: reason} }
	if field := r.Table.Computed(tree.Unwrapped(e)); field != nil {
		if types.IsTextOnly(field.Type()) && !sameCollation(field.Type(), e.Type()) {
			return none(fmt.Sprintf("%s sorts in another collation than the index's", e))
		}
		e = field
	}
	switch e := tree.Unwrapped(e).(type) {
	case *expression.GetField:
		if part, ok := r.keyPart(e); ok {
			return part
		}
	case *functions.JSONFunction:
	default:
		return none(fmt.Sprintf("%s is computed", e))
	}
	o, reason, ok := pushdown.OrderingOf(ctx, tree.Unwrapped(e), r)
	if !ok {
		return none(reason)
	}
	if _, unsettled := r.Table.Def.UnsettledColumn(o.Column.Path); unsettled {
		return none("its documents are being upgraded or don't all fit")
	}
	counts, ok := r.CountsOf(o.Column.Keypath)
	if !ok {
		return none("can't be read")
	}
	if !counts[indexes.KindOmitted].IsZero() {
		return none("some of its values have no entries")
	}
	out := OrderField{Column: o.Column, Nulls: !o.JSON && !counts[document.KindNull].IsZero()}
	if o.Text || o.Returned != nil {
		if coll, ok := value.CollationOfType(e.Type()); ok && coll != o.Column.Collation {
			return none(fmt.Sprintf("%s sorts in another collation than the index's", e))
		}
		if out.Column.Shape, ok = convertedShape(o, counts); !ok {
			return none(fmt.Sprintf("%s sorts what it makes of the values", e))
		}
	}
	if out.Exact, out.Reason = IndexOrder(out.Column, counts); out.Reason == "" && r.SpelledOtherwise(out.Column) {
		out.Reason = "some of its dates or times are spelled otherwise, and have texts for entries"
	}
	if out.Reason == "" && o.Column.Shape == pushdown.ShapeJSON {
		out.Containers = counts[document.KindObject].Documents + counts[document.KindArray].Documents
	}
	return out
}

// SpelledOtherwise reports whether a column of dates or times has values whose entries are texts, since they are not
// spelled as the index encodes them: 2026-02-05T10:00:00Z, or a date with a time of day in a DATE.
func (r *LookupResolver) SpelledOtherwise(c pushdown.Column) bool {
	switch c.Shape {
	case pushdown.ShapeDate, pushdown.ShapeTime, pushdown.ShapeDatetime:
		return r.HasTexts(c)
	}
	return false
}

// convertedShape returns the shape of ->>'s and JSON_VALUE's results at a keypath, if by the counts all results have
// that shape and the values' order. Strings become texts, integers integers, and numbers the nearest DOUBLE. A null
// becomes NULL for JSON_VALUE, and a text for ->>.
func convertedShape(o pushdown.Ordering, counts costing.Keypath) (shape pushdown.Shape, ok bool) {
	switch {
	case o.Text && o.JSON:
		return pushdown.ShapeString, session.Only(counts, document.KindString) && counts[document.KindNull].IsZero()
	case o.Text:
		return pushdown.ShapeString, o.Returned == nil && session.Only(counts, document.KindString)
	case o.Returned == types.Float64:
		return pushdown.ShapeFloat, session.Only(counts, document.KindInt53, document.KindInt64, document.KindUint64,
			document.KindFloat)
	case o.Returned == types.Int64:
		return pushdown.ShapeNumber, session.Only(counts, document.KindInt53, document.KindInt64)
	}
	return pushdown.ShapeOther, false
}

// keyPart recognizes a column of the primary key whose encoded values are in the column's order.
func (r *LookupResolver) keyPart(f *expression.GetField) (OrderField, bool) {
	t := r.Table
	if !t.Place.Holds(f) {
		return OrderField{}, false
	}
	for i := range t.Columns {
		c := &t.Columns[i]
		if !strings.EqualFold(c.Name, f.Name()) || c.Declared < 0 || c.Key || c.Document {
			continue
		}
		part := slices.Index(t.Def.PrimaryKey, c.Declared)
		if part < 0 {
			return OrderField{}, false
		}
		exact, ok := KeyOrders(t.Def, c)
		return OrderField{Part: part + 1, Exact: exact}, ok
	}
	return OrderField{}, false
}

// KeyOrders reports whether encoded keys are in the order of one of their columns. exact: equal values are the same,
// so that within one value the next column orders.
func KeyOrders(d *session.Definition, c *session.Column) (exact, ok bool) {
	switch ShapeOf(c, nil) {
	case pushdown.ShapeOther, pushdown.ShapeJSON, pushdown.ShapeEnum, pushdown.ShapeYear:
		return false, false
	}
	coll := d.Encoder.Collation(c.Keypath.String())
	own, text := value.CollationOfType(c.Typ)
	if text && own != coll {
		return false, false
	}
	return !text || coll.IsIdentity(), true
}

// IndexOrder reports whether entries are in the order of a column's values; reason says why not. exact: equal values
// have equal entries.
func IndexOrder(c pushdown.Column, counts costing.Keypath) (exact bool, reason string) {
	switch c.Shape {
	case pushdown.ShapeNumber:
		return !c.Rounded, "" // rounding keeps the order
	case pushdown.ShapeBoolean, pushdown.ShapeDate:
		return true, ""
	case pushdown.ShapeFloat, pushdown.ShapeTime, pushdown.ShapeDatetime:
		return false, ""
	case pushdown.ShapeString:
		return c.Collation.IsIdentity(), ""
	case pushdown.ShapeJSON:
		if c.Collation != collation.Default && !counts[document.KindString].IsZero() {
			return false, "strings in JSON compare in another collation than the index's"
		}
		return true, ""
	}
	return false, "the index has its values in another order"
}

// FollowKey returns how many of the first fields are the primary key's columns in turn, beginning with the column
// from, in one direction. whole: no more fields decide the order. A hidden key has no columns, so no field follows
// it.
func FollowKey(fields []OrderField, from, keyParts int, descending bool) (n int, whole bool) {
	for n < len(fields) && from+n <= keyParts {
		f := fields[n]
		if f.Reason != "" || f.Part != from+n || f.Descending != descending {
			return n, false
		}
		n++
		if !f.Exact && n < len(fields) {
			return n, false
		}
	}
	return n, n == len(fields) || keyParts > 0
}

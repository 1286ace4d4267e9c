package sqlbackend

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
	"github.com/sqlfdb/sqlfdb/sqlbackend/tree"
	"github.com/sqlfdb/sqlfdb/sqlbackend/value"
)

// orderField is one expression that rows are sorted by.
type orderField struct {
	column     pushdown.Column
	descending bool
	// part is the place in the primary key, from 1; 0 is another column.
	part int
	// exact: values that the sort finds equal are equal in the index, so that documents with
	// one value stand in the order of their primary keys.
	exact bool
	// containers is how many documents have an object or an array there: their
	// entries don't tell their order.
	containers int64
	// nulls: some entries are NULL to the sort, as missing values are.
	nulls bool
	// apart: the sort has them at the other end.
	apart  bool
	reason string // why the index does not have the order; empty if it has
}

// orderFields says what the index knows of the fields of a sort.
func (r *lookupResolver) orderFields(ctx *sql.Context, fields sql.SortFields) []orderField {
	out := make([]orderField, len(fields))
	for i, f := range fields {
		out[i] = r.orderField(ctx, f.Column)
		out[i].descending = f.Order == sql.Descending
	}
	return out
}

func (r *lookupResolver) orderField(ctx *sql.Context, e sql.Expression) orderField {
	none := func(reason string) orderField { return orderField{reason: reason} }
	if field := r.table.computed(tree.Unwrapped(e)); field != nil {
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
	if _, unsettled := r.table.def.unsettledColumn(o.Column.Path); unsettled {
		return none("its documents are being upgraded or don't all fit")
	}
	counts, ok := r.countsOf(o.Column.Keypath)
	if !ok {
		return none("can't be read")
	}
	if !counts[indexes.KindOmitted].IsZero() {
		return none("some of its values have no entries")
	}
	out := orderField{column: o.Column, nulls: !o.JSON && !counts[document.KindNull].IsZero()}
	if o.Text || o.Returned != nil {
		if coll, ok := value.CollationOfType(e.Type()); ok && coll != o.Column.Collation {
			return none(fmt.Sprintf("%s sorts in another collation than the index's", e))
		}
		if out.column.Shape, ok = convertedShape(o, counts); !ok {
			return none(fmt.Sprintf("%s sorts what it makes of the values", e))
		}
	}
	out.exact, out.reason = indexOrder(out.column, counts)
	if out.reason == "" && o.Column.Shape == pushdown.ShapeJSON {
		out.containers = counts[document.KindObject].Documents + counts[document.KindArray].Documents
	}
	return out
}

// convertedShape is what ->> and JSON_VALUE make of the values at a keypath where the counts say that all of them have
// it and that it has their order: texts of strings, integers of integers, and the nearest DOUBLE of numbers. JSON_VALUE
// makes NULL of a null, ->> a text.
func convertedShape(o pushdown.Ordering, counts costing.Keypath) (shape pushdown.Shape, ok bool) {
	switch {
	case o.Text && o.JSON:
		return pushdown.ShapeString, only(counts, document.KindString) && counts[document.KindNull].IsZero()
	case o.Text:
		return pushdown.ShapeString, o.Returned == nil && only(counts, document.KindString)
	case o.Returned == types.Float64:
		return pushdown.ShapeFloat, only(counts, document.KindInt53, document.KindInt64, document.KindUint64,
			document.KindFloat)
	case o.Returned == types.Int64:
		return pushdown.ShapeNumber, only(counts, document.KindInt53, document.KindInt64)
	}
	return pushdown.ShapeOther, false
}

// keyPart recognizes a column of the primary key whose encoded values are in the order of
// the column's.
func (r *lookupResolver) keyPart(f *expression.GetField) (orderField, bool) {
	t := r.table
	if !t.place.Holds(f) {
		return orderField{}, false
	}
	for i := range t.columns {
		c := &t.columns[i]
		if !strings.EqualFold(c.name, f.Name()) || c.declared < 0 || c.key || c.document {
			continue
		}
		part := slices.Index(t.def.PrimaryKey, c.declared)
		if part < 0 {
			return orderField{}, false
		}
		exact, ok := t.def.keyOrders(c)
		return orderField{part: part + 1, exact: exact}, ok
	}
	return orderField{}, false
}

// keyOrders reports whether encoded keys are in the order of a column of theirs, and whether values that are equal are
// the same ones: within one value of a column the next one orders.
func (d *definition) keyOrders(c *column) (exact, ok bool) {
	switch shapeOf(c, nil) {
	case pushdown.ShapeOther, pushdown.ShapeJSON, pushdown.ShapeEnum, pushdown.ShapeYear:
		return false, false
	}
	coll := d.encoder.Collation(c.keypath.String())
	own, text := value.CollationOfType(c.typ)
	if text && own != coll {
		return false, false
	}
	return !text || coll.IsIdentity(), true
}

// indexOrder tells whether entries are in the order of a column's values, or why not, and
// whether equal values have equal entries.
func indexOrder(c pushdown.Column, counts costing.Keypath) (exact bool, reason string) {
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

// followKey is how many of the fields, from the first, are the primary key's columns in
// turn, from one of them on, in one direction. whole: nothing is left to sort by behind
// them. A hidden key has no columns: no field is behind it.
func followKey(fields []orderField, from, keyParts int, descending bool) (n int, whole bool) {
	for n < len(fields) && from+n <= keyParts {
		f := fields[n]
		if f.reason != "" || f.part != from+n || f.descending != descending {
			return n, false
		}
		n++
		if !f.exact && n < len(fields) {
			return n, false
		}
	}
	return n, n == len(fields) || keyParts > 0
}

package sqlbackend

import (
	"slices"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"

	"github.com/sqlfdb/sqlfdb/catalog"
	"github.com/sqlfdb/sqlfdb/collation"
	"github.com/sqlfdb/sqlfdb/costing"
	"github.com/sqlfdb/sqlfdb/document"
	"github.com/sqlfdb/sqlfdb/indexes"
	"github.com/sqlfdb/sqlfdb/ordered"
	"github.com/sqlfdb/sqlfdb/sqlbackend/pushdown"
)

// A column is unsettled while documents hold a former type's values, and after that if
// some values did not fit. What SQL reads is then not what the index holds, so that
// ranges over it are widened, never tight, and not used where NULL satisfies the
// predicate: a value that does not fit reads as NULL, wherever its entry stands.

// unsettledColumn finds the declared column with that keypath if it is unsettled.
func (d *definition) unsettledColumn(path document.Keypath) (*column, bool) {
	for i := range d.columns {
		if c := &d.columns[i]; c.unsettled && c.keypath.Equal(path) {
			return c, true
		}
	}
	return nil, false
}

// belowUnsettled reports whether a keypath leads through or into the value of an
// unsettled column. Documents before and after an upgrade have different entries there.
func (d *definition) belowUnsettled(path document.Keypath) bool {
	for i := range d.columns {
		c := &d.columns[i]
		n := len(c.keypath)
		if !c.unsettled || len(path) < n {
			continue
		}
		same := true
		for k := range n {
			same = same && path[k].Name == c.keypath[k].Name
		}
		if same && (len(path) > n || path[n-1].Array) {
			return true
		}
	}
	return false
}

// fieldVersion is the field version of a keypath's entries that are written now.
func (d *definition) fieldVersion(keypath string) int64 {
	if c := d.column(keypath); c != nil && c.keypath.String() == keypath {
		return d.Columns[c.declared].FieldVersion
	}
	return 0
}

// versions are the field versions that a range over a keypath reads, with what
// it reads in each.
func (d *definition) versions(col pushdown.Column, spans indexes.Spans) []indexes.VersionSpans {
	c, unsettled := d.unsettledColumn(col.Path)
	if !unsettled {
		return indexes.InVersion(d.fieldVersion(col.Keypath), spans)
	}
	def := &d.Columns[c.declared]
	widened := spans
	if col.Shape != pushdown.ShapeJSON {
		widened = spans.Union(foreignValues(col.Shape))
	}
	out := indexes.InVersion(def.FieldVersion, widened)
	for i := range d.typing.unsettled {
		u := &d.typing.unsettled[i]
		if u.now.declared != c.declared {
			continue
		}
		for j := range u.earlier {
			read := indexes.Everything()
			switch {
			case col.Shape == pushdown.ShapeJSON:
			case u.keepsEncoding(j, d.Table):
				read = widened
			default:
				read = foreignValues(pushdown.ShapeOther) // all but null, which stays null
			}
			out = append(out, indexes.VersionSpans{Version: def.Earlier[j].FieldVersion, Spans: read})
		}
	}
	return out
}

// loosen makes candidates over unsettled columns keep their filters, and drops
// those that rest on which documents read as NULL.
func (d *definition) loosen(candidates []pushdown.Candidate, conjuncts int) []pushdown.Candidate {
	if len(d.typing.unsettled) == 0 {
		return candidates
	}
	out := candidates[:0:0]
	for _, c := range candidates {
		loose := false
		parts := slices.Clone(c.Parts)
		for i := range parts {
			p := &parts[i]
			if p.PrimaryKey {
				continue
			}
			if _, ok := d.unsettledColumn(p.Column.Path); !ok {
				continue
			}
			loose = true
			if p.Text != "" && len(d.versions(p.Column, p.Spans)) > 1 {
				p.Text += ", and in earlier field versions"
			}
		}
		if loose && c.NeedsAllPresent {
			continue
		}
		if loose {
			c.Parts, c.Tight = parts, false
			if len(parts) == 1 {
				c.Text = parts[0].Text
			}
			c.Residual = all(conjuncts)
		}
		out = append(out, c)
	}
	return out
}

// foreignValues are the encoded values other than null that a column of a shape
// may read as one of its own though they are not encoded as such.
func foreignValues(shape pushdown.Shape) indexes.Spans {
	own := map[pushdown.Shape]byte{
		pushdown.ShapeNumber: ordered.ClassNumber, pushdown.ShapeBoolean: ordered.ClassBool,
		pushdown.ShapeString: ordered.ClassString,
		pushdown.ShapeDate:   ordered.ClassDate, pushdown.ShapeDatetime: ordered.ClassDatetime,
	}[shape]
	any := indexes.Spans{{Start: ordered.ClassEnd(ordered.ClassNull)}}
	if own == 0 {
		return any
	}
	return any.Intersect(indexes.Spans{{Start: ordered.ClassStart(own), End: ordered.ClassEnd(own)}}.Complement())
}

// keepsEncoding reports whether the ranges that hold in the column's present
// encoding hold in a former one too, with the slack of a rounded column.
func (u *unsettledColumn) keepsEncoding(former int, t *catalog.Table) bool {
	chain := []*column{&u.now}
	for j := former; j < len(u.earlier); j++ {
		chain = append(chain, &u.earlier[j].column)
	}
	// Numbers and strings that were undeclared are as those of a declared column; what
	// else a document held is foreign to the column.
	text := func(c *column) bool { return c.unit == unitText || c.undeclared }
	// What is rounded to doubles has no bound on what rounding it allows for.
	number := func(c *column) bool {
		_, rounds := scaleOf(c.typ)
		return rounds || c.undeclared || c.unit == unitDouble && c != &u.now
	}
	all := func(ok func(*column) bool) bool {
		return !slices.ContainsFunc(chain, func(c *column) bool { return !ok(c) })
	}
	place := u.now.declared
	was := collationOr(t.Columns[place].Earlier[former].Collation, collationOr(t.Collation, collation.Default))
	return all(number) || all(text) && was == columnCollation(t, place)
}

// leastScale is the number of decimals to which a column's numbers have been
// rounded at any of its types; false where a type does not round to decimals.
func (d *definition) leastScale(c *column) (int, bool) {
	least, ok := scaleOf(c.typ)
	for i := range d.typing.unsettled {
		u := &d.typing.unsettled[i]
		if u.now.declared != c.declared {
			continue
		}
		for j := range u.earlier {
			if n, rounds := scaleOf(u.earlier[j].typ); rounds {
				least = min(least, n)
			}
		}
	}
	return least, ok
}

func scaleOf(t sql.Type) (int, bool) {
	if dt, ok := t.(sql.DecimalType); ok {
		return int(dt.Scale()), true
	}
	return 0, types.IsInteger(t)
}

// unsettledShape is how a column compares whose documents can't tell it by their
// counts; it sets what rounding the ranges must allow for.
func (d *definition) unsettledShape(c *column, counts costing.Keypath, out *pushdown.Column) bool {
	out.Shape = shapeOf(c, nil)
	if out.Shape != pushdown.ShapeNumber || only(counts, integerKinds...) && c.unit != unitDouble {
		return out.Shape != pushdown.ShapeOther
	}
	if c.unit == unitDouble {
		// Greater integers and longer decimals are rounded to doubles.
		return !slices.ContainsFunc([]document.Kind{document.KindInt64, document.KindUint64, document.KindBigInt,
			document.KindBigNum},
			func(k document.Kind) bool { return !counts[k].IsZero() })
	}
	scale, ok := d.leastScale(c)
	out.Rounded, out.Scale = true, scale
	return ok
}

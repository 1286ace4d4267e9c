package session

import (
	"slices"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"

	"github.com/sqlfdb/sqlfdb/catalog"
	"github.com/sqlfdb/sqlfdb/collation"
	"github.com/sqlfdb/sqlfdb/document"
	"github.com/sqlfdb/sqlfdb/indexes"
	"github.com/sqlfdb/sqlfdb/ordered"
	"github.com/sqlfdb/sqlfdb/sqlbackend/pushdown"
)

// UnsettledColumn finds the declared column with that keypath if it is unsettled.
func (d *Definition) UnsettledColumn(path document.Keypath) (*Column, bool) {
	for i := range d.SQLColumns {
		if c := &d.SQLColumns[i]; c.Unsettled && c.Keypath.Equal(path) {
			return c, true
		}
	}
	return nil, false
}

// BelowUnsettled reports whether a keypath leads through or into the value of an
// unsettled column. Documents before and after an upgrade have different entries there.
func (d *Definition) BelowUnsettled(path document.Keypath) bool {
	for i := range d.SQLColumns {
		c := &d.SQLColumns[i]
		n := len(c.Keypath)
		if !c.Unsettled || len(path) < n {
			continue
		}
		same := true
		for k := range n {
			same = same && path[k].Name == c.Keypath[k].Name
		}
		if same && (len(path) > n || path[n-1].Array) {
			return true
		}
	}
	return false
}

// FieldVersion returns the field version of a keypath's newly written entries.
func (d *Definition) FieldVersion(keypath string) int64 {
	if c := d.ColumnNamed(keypath); c != nil && c.Keypath.String() == keypath {
		return d.Columns[c.Declared].FieldVersion
	}
	return 0
}

// Versions returns the field versions that a range over a keypath reads, with its spans in each.
func (d *Definition) Versions(col pushdown.Column, spans indexes.Spans) []indexes.VersionSpans {
	c, unsettled := d.UnsettledColumn(col.Path)
	if !unsettled {
		return indexes.InVersion(d.FieldVersion(col.Keypath), spans)
	}
	def := &d.Columns[c.Declared]
	widened := spans
	if col.Shape != pushdown.ShapeJSON {
		widened = spans.Union(foreignValues(col.Shape))
	}
	out := indexes.InVersion(def.FieldVersion, widened)
	for i := range d.Typing.Unsettled {
		u := &d.Typing.Unsettled[i]
		if u.now.Declared != c.Declared {
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

// Loosen makes candidates over unsettled columns keep their filters, and drops candidates that depend on which
// documents read as NULL.
func (d *Definition) Loosen(candidates []pushdown.Candidate, conjuncts int) []pushdown.Candidate {
	if len(d.Typing.Unsettled) == 0 {
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
			if _, ok := d.UnsettledColumn(p.Column.Path); !ok {
				continue
			}
			loose = true
			if p.Text != "" && len(d.Versions(p.Column, p.Spans)) > 1 {
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
			c.Residual = All(conjuncts)
		}
		out = append(out, c)
	}
	return out
}

// foreignValues returns the encoded values other than null that a column of a shape may read as its own although they
// are not encoded as such.
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

// keepsEncoding reports whether ranges in the column's present encoding hold in a former one too, with the slack of a
// rounded column.
func (u *unsettledColumn) keepsEncoding(former int, t *catalog.Table) bool {
	chain := []*Column{&u.now}
	for j := former; j < len(u.earlier); j++ {
		chain = append(chain, &u.earlier[j].Column)
	}
	// Undeclared numbers and strings are like a declared column's; other values of a document are foreign to the
	// column.
	text := func(c *Column) bool { return c.Unit == UnitText || c.Undeclared }
	// Values rounded to doubles have no bound on the rounding.
	number := func(c *Column) bool {
		_, rounds := scaleOf(c.Typ)
		return rounds || c.Undeclared || c.Unit == UnitDouble && c != &u.now
	}
	all := func(ok func(*Column) bool) bool {
		return !slices.ContainsFunc(chain, func(c *Column) bool { return !ok(c) })
	}
	place := u.now.Declared
	was := CollationOr(t.Columns[place].Earlier[former].Collation, CollationOr(t.Collation, collation.Default))
	return all(number) || all(text) && was == ColumnCollation(t, place)
}

// LeastScale returns the least number of decimals to which a column's numbers have been rounded with any of its
// types; false where a type does not round to decimals.
func (d *Definition) LeastScale(c *Column) (int, bool) {
	least, ok := scaleOf(c.Typ)
	for i := range d.Typing.Unsettled {
		u := &d.Typing.Unsettled[i]
		if u.now.Declared != c.Declared {
			continue
		}
		for j := range u.earlier {
			if n, rounds := scaleOf(u.earlier[j].Typ); rounds {
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

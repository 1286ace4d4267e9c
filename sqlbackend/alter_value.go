package sqlbackend

import (
	"errors"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/vitess/go/mysql"

	"github.com/sqlfdb/sqlfdb/document"
	"github.com/sqlfdb/sqlfdb/sqlbackend/compare"
	"github.com/sqlfdb/sqlfdb/sqlbackend/functions"
)

// conform makes a document's value for a column what the column stores, or
// fails when it does not fit.
func conform(ctx *sql.Context, d document.Document, c *column, required bool) (document.Document, error) {
	v, _ := d.Lookup(c.keypath)
	if c.readsNull(v) {
		if required {
			return d, errNullInColumn(c.name)
		}
		return d, nil
	}
	value, err := fromJSON(ctx, c, v)
	if err != nil {
		return d, err
	}
	next, err := toJSON(ctx, c, value)
	if err != nil || next.Text() == v.Text() {
		return d, err
	}
	return d.With(c.keypath, next)
}

// reform makes a document's value for a column what it stores once the column has
// another type, or fails when it does not fit.
func reform(ctx *sql.Context, d document.Document, from, to *column, required bool) (document.Document, error) {
	v, _ := d.Lookup(to.keypath)
	if required && from.readsNull(v) {
		return d, errNullInColumn(to.name)
	}
	next, ok := convertStored(ctx, from, to, v)
	if !ok {
		return d, &unfit{to, v}
	}
	if next.Text() == v.Text() {
		return d, nil
	}
	return to.put(d, next)
}

// reformed is reform under lenient rules: what is no member of an ENUM or a SET is left out, and NOT NULL makes its
// type's value of NULL, with warnings. Of other types a value that does not fit is refused.
func reformed(ctx *sql.Context, d document.Document, from, to *column, required bool,
	r *compare.AssignmentRules) (document.Document, error) {
	v, _ := d.Lookup(to.keypath)
	var x any
	switch null := from.readsNull(v); {
	case null && required:
		functions.Warn(ctx, mysql.ERWarnDataTruncated, compare.Truncated+" for column '%s' at row %d", to.name,
			compare.AssignedBy(ctx, r).Row)
		x = compare.ImplicitDefault(to.typ)
	case null || typeFamilyOf(to.typ) != familyMember:
		return reform(ctx, d, from, to, required)
	default:
		next, err := reform(ctx, d, from, to, required)
		if !errors.As(err, new(*unfit)) {
			return next, err
		}
		s := sourceOf(ctx, from, v)
		if x = s.number; x == nil || s.member {
			x, _ = s.scalar()
		}
		if x, _, err = r.Wrapped(to.typ, to.name, -1).Convert(ctx, x); err != nil {
			return d, err
		}
	}
	stored, err := toJSON(ctx, to, x)
	if err != nil {
		return d, err
	}
	return to.put(d, stored)
}

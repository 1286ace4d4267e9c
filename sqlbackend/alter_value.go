package sqlbackend

import (
	"errors"
	"strings"

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
		return d, &unfit{from, to, v}
	}
	if next.Text() == v.Text() {
		return d, nil
	}
	return to.put(d, next)
}

// reformed is reform under lenient rules: of a value that does not fit the nearest is kept that does, and NOT NULL
// makes its type's value of NULL, with warnings. No text is nearly JSON.
func reformed(ctx *sql.Context, d document.Document, from, to *column, required bool,
	r *compare.AssignmentRules) (document.Document, error) {
	v, _ := d.Lookup(to.keypath)
	var x any
	switch null := from.readsNull(v); {
	case null && required:
		functions.Warn(ctx, mysql.ERWarnDataTruncated, compare.Truncated+" for column '%s' at row %d", to.name,
			compare.AssignedBy(ctx, r).Row)
		x = compare.ImplicitDefault(to.typ)
	case null:
		return reform(ctx, d, from, to, required)
	default:
		next, err := reform(ctx, d, from, to, required)
		if !errors.As(err, new(*unfit)) || typeFamilyOf(to.typ) == familyJSON {
			return next, err
		}
		x, _, err = r.Wrapped(to.typ, to.name, -1).Convert(ctx, sourceOf(ctx, from, v).given(to))
		if err != nil {
			return d, err
		}
	}
	stored, err := toJSON(ctx, to, x)
	if err != nil {
		return d, err
	}
	return to.put(d, stored)
}

// given is a value as an INSERT would give it to a column.
func (s source) given(to *column) any {
	family := typeFamilyOf(to.typ)
	switch {
	case s.bytes != nil && (family == familyText || family == familyBytes):
		return s.bytes
	case s.bytes != nil:
		return string(s.bytes)
	case (s.moment != nil || s.span != nil) && family == familyNumber:
		return strings.NewReplacer("-", "", ":", "", " ", "").Replace(s.text)
	case s.number != nil && (family == familyNumber || family == familyMember && !s.member):
		return s.number
	}
	text, _ := s.scalar()
	return text
}

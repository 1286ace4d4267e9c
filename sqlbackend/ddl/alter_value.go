package ddl

import (
	"errors"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/vitess/go/mysql"

	"github.com/sqlfdb/sqlfdb/document"
	"github.com/sqlfdb/sqlfdb/sqlbackend/compare"
	"github.com/sqlfdb/sqlfdb/sqlbackend/functions"
	"github.com/sqlfdb/sqlfdb/sqlbackend/session"
	"github.com/sqlfdb/sqlfdb/sqlbackend/table"
)

// conform converts a document's value for a column to the form that the column stores, or fails when it does not fit.
func conform(ctx *sql.Context, d document.Document, c *session.Column, required bool) (document.Document, error) {
	v, _ := d.Lookup(c.Keypath)
	if c.ReadsNull(v) {
		if required {
			return d, table.ErrNullInColumn(c.Name)
		}
		return d, nil
	}
	value, err := session.FromJSON(ctx, c, v)
	if err != nil {
		return d, err
	}
	next, err := session.ToJSON(ctx, c, value)
	if err != nil || next.Text() == v.Text() {
		return d, err
	}
	return d.With(c.Keypath, next)
}

// reform converts a document's value for a column to the form of the column's new type, or fails when it does not
// fit.
func reform(ctx *sql.Context, d document.Document, from, to *session.Column, required bool) (document.Document, error) {
	v, _ := d.Lookup(to.Keypath)
	if required && from.ReadsNull(v) {
		return d, table.ErrNullInColumn(to.Name)
	}
	next, ok := session.ConvertStored(ctx, from, to, v)
	if !ok {
		return d, &unfit{from, to, v}
	}
	if next.Text() == v.Text() {
		return d, nil
	}
	return to.Put(d, next)
}

// reformed is reform under lenient rules: a value that does not fit becomes the nearest one that does, and NULL
// becomes a value for NOT NULL, with warnings. For JSON there is no nearest text.
func reformed(ctx *sql.Context, d document.Document, from, to *session.Column, required bool,
	r *compare.AssignmentRules) (document.Document, error) {
	v, _ := d.Lookup(to.Keypath)
	var x any
	switch null := from.ReadsNull(v); {
	case null && required:
		functions.Warn(ctx, mysql.ERWarnDataTruncated, compare.Truncated+" for column '%s' at row %d", to.Name,
			compare.AssignedBy(ctx, r).Row)
		x = compare.ImplicitDefault(to.Typ)
	case null:
		return reform(ctx, d, from, to, required)
	default:
		next, err := reform(ctx, d, from, to, required)
		if !errors.As(err, new(*unfit)) || session.TypeFamilyOf(to.Typ) == session.FamilyJSON {
			return next, err
		}
		x, _, err = r.Wrapped(to.Typ, to.Name, -1).Convert(ctx, given(session.SourceOf(ctx, from, v), to))
		if err != nil {
			return d, err
		}
	}
	stored, err := session.ToJSON(ctx, to, x)
	if err != nil {
		return d, err
	}
	return to.Put(d, stored)
}

// given returns a value as an INSERT would give it to a column.
func given(s session.Source, to *session.Column) any {
	family := session.TypeFamilyOf(to.Typ)
	switch {
	case s.Bytes != nil && (family == session.FamilyText || family == session.FamilyBytes):
		return s.Bytes
	case s.Bytes != nil:
		return string(s.Bytes)
	case (s.Moment != nil || s.Span != nil) && family == session.FamilyNumber:
		return strings.NewReplacer("-", "", ":", "", " ", "").Replace(s.Text)
	case s.Number != nil && (family == session.FamilyNumber || family == session.FamilyMember && !s.Member):
		return s.Number
	}
	text, _ := s.Scalar()
	return text
}

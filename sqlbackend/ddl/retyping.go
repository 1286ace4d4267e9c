package ddl

import (
	"errors"
	"slices"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/dolthub/vitess/go/mysql"
	"github.com/dolthub/vitess/go/sqltypes"

	"github.com/sqlfdb/sqlfdb/catalog"
	"github.com/sqlfdb/sqlfdb/document"
	"github.com/sqlfdb/sqlfdb/indexes"
	"github.com/sqlfdb/sqlfdb/kv"
	"github.com/sqlfdb/sqlfdb/sqlbackend/compare"
	"github.com/sqlfdb/sqlfdb/sqlbackend/mysqlerr"
	"github.com/sqlfdb/sqlfdb/sqlbackend/session"
	"github.com/sqlfdb/sqlfdb/sqlbackend/table"
	"github.com/sqlfdb/sqlfdb/tables"
)

// retyping is an ALTER TABLE that gives a column another type or collation, makes it NOT NULL, or declares it: see
// declaring.go.
//
// The type changes at once and documents follow later: values are converted when read, written values have the new
// type, and a job writes the rest. Some columns are rewritten in the same transaction instead, since something must
// be proved first. They are columns of a unique index, columns that a generated column or a CHECK reads, and
// AUTO_INCREMENT columns. So are binary strings: documents hold them as base64, which as text would be read as
// something else. NOT NULL is proved by the counts where they can, otherwise by reading the documents.
type retyping struct {
	name string // of the column, which stays
	to   catalog.Column
	// retypes says that the type or collation changes, not NULL alone.
	retypes bool
	// declares says that there was no such column, but documents may have such values.
	declares bool
	// drops says that the column goes, with the values that documents have.
	drops bool
	// fits says that a changed type must hold every value.
	fits bool
	// nearest says that values that do not fit become the nearest ones that do, and NULL becomes a value, in the same
	// transaction.
	nearest bool
	// absent is the value for documents that have none when the column is declared: nil when there is no such value,
	// or it is not known beforehand.
	absent any
	// fills, set by decide, is the JSON of that value for documents which don't have it yet.
	fills string
	// idle, set by decide, says that no document has to change, now or later.
	idle bool
	// upgrades, set by decide, says that documents are upgraded later.
	upgrades bool
}

// isLater reports whether documents are upgraded later.
func (r *retyping) isLater() bool { return r != nil && r.upgrades }

// isIdle reports whether no document has to change.
func (r *retyping) isIdle() bool { return r != nil && r.idle }

// later makes the edit, and lets documents keep their former encoding.
func (r *retyping) later(def *catalog.Table, edit func(*catalog.Table) error) error {
	if r.declares {
		return r.declare(def, edit)
	}
	i, ok := def.Column(r.name)
	if !ok {
		return sql.ErrTableColumnNotFound.New(def.Name, r.name)
	}
	was := def.Columns[i]
	if err := edit(def); err != nil {
		return err
	}
	if i, ok = def.Column(r.to.Name); !ok {
		return sql.ErrTableColumnNotFound.New(def.Name, r.to.Name)
	}
	c := &def.Columns[i]
	c.Type, c.Class, c.Length, c.Collation, c.KeepsNull = was.Type, was.Class, was.Length, was.Collation, was.KeepsNull
	def.Retype(i, r.to)
	return nil
}

// decide finds out whether documents may be upgraded later, and proves NOT NULL.
func (r *retyping) decide(ctx *sql.Context, cat *catalog.Catalog, w *tables.Tx, before *catalog.Table) error {
	if r.declares {
		return r.decideDeclared(ctx, cat, w, before)
	}
	if r.drops {
		return r.decideDropped(cat, w, before)
	}
	i, ok := before.Column(r.name)
	if !ok {
		return sql.ErrTableColumnNotFound.New(before.Name, r.name)
	}
	from, err := session.NewDefinition(cat, before)
	if err != nil {
		return err
	}
	documents, _, err := from.Collection.Statistics(w).Documents()
	if err != nil {
		return err
	}
	r.upgrades = r.retypes && documents > 0 && r.free(before, i)
	if c := &from.SQLColumns[i]; r.upgrades && c.KeepsNull && !r.to.KeepsNull {
		// In the new type a JSON null is a text, or an invalid value; ranges take it for NULL.
		if r.upgrades, err = holdsNoNull(from, w, c); err != nil {
			return err
		}
	}
	if r.retypes && !r.upgrades || documents == 0 || r.to.Nullable && (!r.fits || !r.retypes) {
		return nil
	}
	after := before.Clone()
	after.Columns[i] = r.to
	to, err := session.ColumnAt(after, i)
	if err != nil {
		return err
	}
	err = r.prove(ctx, w, from, &to, documents)
	if refused := (*mysql.SQLError)(nil); r.nearest && errors.As(err, &refused) {
		r.upgrades = false
		return nil
	}
	r.idle = err == nil && !r.retypes
	return err
}

// free reports whether nothing but the column itself depends on its values.
func (r *retyping) free(t *catalog.Table, place int) bool {
	c := &t.Columns[place]
	return r.encodable(c) && unread(t, c.Name)
}

// encodable reports whether a column's own definition allows documents with its values in a former encoding.
func (r *retyping) encodable(c *catalog.Column) bool {
	if c.AutoIncrement || r.to.AutoIncrement || c.Generated != "" || r.to.Generated != "" {
		return false
	}
	if c.Class == catalog.ClassBytes || r.to.Class == catalog.ClassBytes {
		return false
	}
	// The index identifies a column by the spelling of its keypath.
	path, err := session.ColumnKeypath(c.Name)
	return err == nil && path.String() == c.Name
}

// unread reports whether no unique index, foreign key, CHECK or generated column depends on the values of a column.
func unread(t *catalog.Table, name string) bool {
	for _, idx := range t.Indexes {
		if idx.Unique && slices.ContainsFunc(idx.Columns, func(n string) bool { return strings.EqualFold(n, name) }) {
			return false
		}
	}
	for _, f := range t.ForeignKeys {
		if slices.ContainsFunc(f.Columns, func(n string) bool { return strings.EqualFold(n, name) }) {
			return false
		}
	}
	// In doubt, a name in an expression counts as a use.
	reads := func(expression string) bool {
		return strings.Contains(strings.ToLower(expression), strings.ToLower(name))
	}
	return !slices.ContainsFunc(t.Checks, func(x catalog.Check) bool { return reads(x.Expression) }) &&
		!slices.ContainsFunc(t.Columns, func(o catalog.Column) bool {
			return reads(o.Generated) ||
				strings.EqualFold(o.PrefixOf, name)
		})
}

// prove fails when a document has a value that does not fit the column's new type, or has none although it is NOT
// NULL.
func (r *retyping) prove(ctx *sql.Context, w *tables.Tx, from *session.Definition, to *session.Column,
	documents int64) error {
	was := from.ColumnNamed(r.name)
	// While the index is rebuilt, its counts are estimates where keys are long.
	certain := !was.Unsettled && !from.Rebuilding() && (!r.retypes || widens(was.Typ, to.Typ))
	if r.to.Nullable && !was.Unsettled && converts(was.Typ, to.Typ) {
		return nil
	}
	if certain {
		there, err := notNull(from, w, was)
		if err != nil || there == documents {
			return err
		}
	}
	rows := from.Collection.Scan(w, indexes.Everything(), tables.ScanOptions{Streaming: kv.StreamAll})
	defer rows.Close()
	for n := 0; rows.Next(); n++ {
		if n%table.RowsPerCheck == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		v, _ := rows.Document().Lookup(was.Keypath)
		if was.ReadsNull(v) {
			if r.to.Nullable {
				continue
			}
			return table.ErrNullInColumn(to.Name)
		}
		if _, err := session.ReadStored(ctx, was, v); err != nil && !r.retypes {
			return table.ErrNullInColumn(to.Name) // it reads as NULL
		}
		if r.retypes {
			if _, ok := session.ConvertStored(ctx, was, to, v); !ok {
				return (&unfit{was, to, v}).at(ctx, n+1)
			}
		}
	}
	return rows.Err()
}

// notNull counts the documents in which a column is not NULL.
func notNull(d *session.Definition, r kv.Reader, c *session.Column) (int64, error) {
	number, ok, err := d.Collection.Number(r, c.Keypath.String())
	if err != nil || !ok {
		return 0, err
	}
	counts, err := d.Collection.Statistics(r).Keypath(number)
	if err != nil {
		return 0, err
	}
	var n int64
	for kind, count := range counts {
		if (kind != document.KindNull || c.KeepsNull) && kind != indexes.KindOmitted {
			n += count.Documents
		}
	}
	return n, nil
}

// holdsNoNull reports whether the counts prove that no document has a JSON null for a column.
func holdsNoNull(d *session.Definition, r kv.Reader, c *session.Column) (bool, error) {
	if d.Rebuilding() || c.Unsettled || table.KeepsOut(d, c.Keypath) {
		return false, nil
	}
	number, ok, err := d.Collection.Number(r, c.Keypath.String())
	if err != nil || !ok {
		return err == nil, err
	}
	counts, err := d.Collection.Statistics(r).Keypath(number)
	return counts[document.KindNull].IsZero(), err
}

// widens reports whether every value of one type is a value of another, so that no conversion can fail.
func widens(from, to sql.Type) bool {
	same, err := session.SameStorage(from, to)
	if err == nil && same {
		return true
	}
	switch {
	case session.TypeFamilyOf(from) == session.FamilyText && session.TypeFamilyOf(to) == session.FamilyText:
		return session.LengthOf(to) == 0 && types.IsTextBlob(to) && maxBytes(to) >= maxBytes(from) ||
			session.LengthOf(from) > 0 && session.LengthOf(to) >= session.LengthOf(from)
	case types.IsInteger(from) && types.IsInteger(to):
		return types.IsUnsigned(from) == types.IsUnsigned(to) && integerBytes(to) >= integerBytes(from)
	}
	return false
}

// maxBytes returns the greatest length of a text of a type, in bytes.
func maxBytes(t sql.Type) int64 {
	if s, ok := t.(sql.StringType); ok {
		return s.MaxByteLength()
	}
	return 0
}

// converts reports whether every value of one type can be converted to another, perhaps in another form.
func converts(from, to sql.Type) bool {
	switch family := session.TypeFamilyOf(from); {
	case widens(from, to):
		return true
	case session.TypeFamilyOf(to) == session.FamilyText:
		long := session.LengthOf(to) == 0 || session.LengthOf(to) >= 255
		return long && (family == session.FamilyNumber || family == session.FamilyTemporal || types.IsEnum(from))
	}
	return types.IsInteger(from) && types.IsFloat(to)
}

// integerBytes returns the size of an integer type in bytes.
func integerBytes(t sql.Type) int {
	switch t.Type() {
	case sqltypes.Int8, sqltypes.Uint8:
		return 1
	case sqltypes.Int16, sqltypes.Uint16:
		return 2
	case sqltypes.Int24, sqltypes.Uint24:
		return 3
	case sqltypes.Int32, sqltypes.Uint32:
		return 4
	}
	return 8
}

// unfit is the error for a value that can't be converted to the new type of its column.
type unfit struct {
	from, to *session.Column
	value    document.Value
}

// Error implements error.
func (u *unfit) Error() string { return table.ErrUnfit(u.to, u.value).Error() }

// at returns the error of ALTER TABLE for the value in a row, counted from 1.
func (u *unfit) at(ctx *sql.Context, row int) error {
	given := given(session.SourceOf(ctx, u.from, u.value), u.to)
	if session.TypeFamilyOf(u.to.Typ) == session.FamilyJSON {
		return mysql.NewSQLError(mysqlerr.InvalidJSON, "22032",
			"Invalid JSON text in value for column '%s' at row %d: '%.100s'", u.to.Name, row, given)
	}
	return compare.Refusal(ctx, u.to.Typ, u.to.Name, row, given)
}

// inRow returns an error that the document in a row, counted from 1, has caused.
func inRow(ctx *sql.Context, err error, row int) error {
	if u := (*unfit)(nil); errors.As(err, &u) {
		return u.at(ctx, row)
	}
	return err
}

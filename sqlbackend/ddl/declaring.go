package ddl

import (
	"slices"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression/function"

	"github.com/sqlfdb/sqlfdb/catalog"
	"github.com/sqlfdb/sqlfdb/collation"
	"github.com/sqlfdb/sqlfdb/sqlbackend/companion"
	"github.com/sqlfdb/sqlfdb/sqlbackend/compare"
	"github.com/sqlfdb/sqlfdb/sqlbackend/session"
	"github.com/sqlfdb/sqlfdb/tables"
)

// A column that is added to an open table takes over the values that documents have at its keypath. For them it is a
// column whose former type was any JSON: it is declared at once and the documents follow later. Until then their
// values are indexed as undeclared ones are.
//
// Every document without a value for the new column gets the default, in open tables and others. For NOT NULL without
// a default it gets the type's implicit default. If no document has a value, and the default is the same for all,
// documents without a value read as the default, and are rewritten later. Until then there is no range over the
// column, since such documents have no entry.
//
// Where some documents have a value and others get the default, a value must not read as NULL because it does not
// fit. So all are written at once, and a value that does not fit is refused.

// decideDeclared decides how the documents change when a column is added to their table.
func (r *retyping) decideDeclared(ctx *sql.Context, cat *catalog.Catalog, w *tables.Tx, before *catalog.Table) error {
	r.idle, r.upgrades, r.fills = false, false, "" // left by an earlier attempt
	d, err := session.NewDefinition(cat, before)
	if err != nil {
		return err
	}
	if r.idle, err = holdsNone(d, w, r.name); err != nil {
		return err
	}
	if r.idle {
		documents, err := documentsIfAny(w, d)
		if err != nil || documents == 0 || r.absent == nil || !r.encodable(&r.to) || !unread(before, r.name) {
			return err
		}
		r.fills, err = r.absentText(ctx)
		r.upgrades = err == nil && r.fills != ""
		return err
	}
	if r.idle = r.standsAsUndeclared(before); r.idle {
		return nil
	}
	r.upgrades = r.to.Nullable && r.to.Default == "" && r.encodable(&r.to) && unread(before, r.name)
	return nil
}

// decideDropped finds out whether documents have values of a dropped column. Byte strings have no entries, so no
// count includes them.
func (r *retyping) decideDropped(cat *catalog.Catalog, w *tables.Tx, before *catalog.Table) error {
	place, ok := before.Column(r.name)
	if !ok {
		return sql.ErrTableColumnNotFound.New(before.Name, r.name)
	}
	c := &before.Columns[place]
	isBytes := func(e catalog.Encoding) bool { return e.Class == catalog.ClassBytes }
	if c.Generated != "" || c.Class == catalog.ClassBytes || slices.ContainsFunc(c.Earlier, isBytes) {
		return nil
	}
	inSeveral := func(idx catalog.Index) bool { return len(idx.Columns) > 1 && placeIn(&idx, c.Name) >= 0 }
	if slices.ContainsFunc(before.Indexes, inSeveral) {
		return nil // its entries change
	}
	d, err := session.NewDefinition(cat, before)
	if err != nil {
		return err
	}
	r.idle, err = holdsNone(d, w, c.Name)
	return err
}

// absentText returns the JSON that documents without a value read as. It is empty when it can't be put into every
// document: within another value there may be no place for it.
func (r *retyping) absentText(ctx *sql.Context) (string, error) {
	alone := &catalog.Table{Columns: []catalog.Column{r.to}}
	c, err := session.ColumnAt(alone, 0)
	if err != nil || len(c.Keypath) != 1 {
		return "", err
	}
	x, err := session.ConvertValue(ctx, &c, r.absent)
	if err != nil {
		return "", err
	}
	v, err := session.ToJSON(ctx, &c, x)
	if err != nil || c.ReadsNull(v) {
		return "", err
	}
	if _, err := session.FromJSON(ctx, &c, v); err != nil {
		return "", nil // such as a date of zeros: it is written at once, as before
	}
	return v.Text(), nil
}

// absentValue returns the value of a new column for documents that have none: the default, or the implicit one of NOT
// NULL. It is nil when there is no such value, or when it differs between documents.
func absentValue(ctx *sql.Context, c *sql.Column) (any, error) {
	switch {
	case c.Generated != nil || c.AutoIncrement:
		return nil, nil
	case c.Default == nil && c.Nullable:
		return nil, nil
	case c.Default == nil:
		return compare.ImplicitDefault(c.Type), nil
	}
	if _, now := c.Default.Expr.(*function.Now); !now && !c.Default.IsLiteral() {
		return nil, nil
	}
	return compare.AssignedDefault(c.Default).Eval(ctx, nil)
}

// standsAsUndeclared reports whether the column takes any value unchanged, and the index holds it like a value of an
// undeclared keypath: it is JSON in their collation.
func (r *retyping) standsAsUndeclared(before *catalog.Table) bool {
	typ, err := session.ParseType(r.to.Type)
	return err == nil && session.TypeFamilyOf(typ) == session.FamilyJSON && r.to.Generated == "" &&
		r.to.Collation == "" && session.CollationOr(before.Collation,
		collation.Default) == session.UndeclaredCollation(before)
}

// holdsNone reports whether the counts prove that no document has a value of any kind at the keypath that a name
// spells.
func holdsNone(d *session.Definition, w *tables.Tx, name string) (bool, error) {
	statistics := d.Collection.Statistics(w)
	if documents, _, err := statistics.Documents(); err != nil || documents == 0 {
		return err == nil, err
	}
	path, err := session.ColumnKeypath(name)
	if err != nil {
		return false, err
	}
	if d.Rebuilding() || companion.Unindexed(d.Options, path) != "" {
		return false, nil
	}
	number, ok, err := d.Collection.Number(w, path.String())
	if err != nil || !ok {
		return err == nil, err
	}
	counts, err := statistics.Keypath(number)
	return len(counts) == 0, err
}

// declare makes the edit, which adds the column, and then lets documents keep the encoding of undeclared values.
func (r *retyping) declare(def *catalog.Table, edit func(*catalog.Table) error) error {
	undeclared := session.UndeclaredCollation(def).Name()
	if err := edit(def); err != nil {
		return err
	}
	place, ok := def.Column(r.to.Name)
	if !ok {
		return sql.ErrTableColumnNotFound.New(def.Name, r.to.Name)
	}
	def.Declare(place, undeclared, r.fills)
	return nil
}

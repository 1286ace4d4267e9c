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

// A column that is added to an open table takes over what documents have at its
// keypath. To them it is a column whose former type was any JSON: it is declared at once
// and they follow later. So long their values are indexed as undeclared ones are.
//
// Every document that has no value of a new column gets the default, of an open table and
// of others, or for NOT NULL what stands for none in the type. Where no document has a value, and the default is the
// same for all, documents without one read as having it, and they too follow later. There is no range over the column
// until then, since what reads so has no entry.
//
// Where some have a value and others get the default, a value must not read as NULL
// because it does not fit. So all are written at once, and one that does not fit is refused.

// decideDeclared finds out what is to become of the documents of a table that a
// column is added to.
func (r *retyping) decideDeclared(ctx *sql.Context, cat *catalog.Catalog, w *tables.Tx, before *catalog.Table) error {
	r.idle, r.upgrades, r.fills = false, false, "" // of an attempt before this one
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

// decideDropped finds out whether documents have values of a column that goes.
// Those of a byte string have no entries, so that no count includes them.
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

// absentText is the JSON that documents without a value read as, or empty when it
// can't be put into every document: below another value there may be no place for it.
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
		return "", nil // such as a date of zeros: it is written as it always was
	}
	return v.Text(), nil
}

// absentValue is what documents get that have no value of a new column: the
// default, or what NOT NULL makes of none. It is nil when there is no such value, or when it is
// another one for each document.
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

// standsAsUndeclared reports whether the column takes any value, as it is, and the
// index holds it as that of an undeclared keypath: JSON in the collation of those.
func (r *retyping) standsAsUndeclared(before *catalog.Table) bool {
	typ, err := session.ParseType(r.to.Type)
	return err == nil && session.TypeFamilyOf(typ) == session.FamilyJSON && r.to.Generated == "" &&
		r.to.Collation == "" && session.CollationOr(before.Collation,
		collation.Default) == session.UndeclaredCollation(before)
}

// holdsNone reports whether the counts prove that no document has a value, of any
// kind, at the keypath that a name spells.
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

// declare is edit, which adds the column, after which documents keep the encoding
// of undeclared values.
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

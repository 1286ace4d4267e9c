package sqlbackend

import (
	"github.com/dolthub/go-mysql-server/sql"

	"github.com/sqlfdb/sqlfdb/catalog"
	"github.com/sqlfdb/sqlfdb/collation"
	"github.com/sqlfdb/sqlfdb/tables"
)

// A column that is added to an open table takes over what documents have at its
// keypath. To them it is a column whose former type was any JSON: it is declared at once
// and they follow later. So long their values are indexed as undeclared ones are.
//
// A column with a default, or one that is NOT NULL, is given to every document that has
// no value, so a value must not read as NULL because it does not fit: such a column
// is declared later only by a change of its type.

// decideDeclared finds out what is to become of the documents of a table that a
// column is added to.
func (r *retyping) decideDeclared(cat *catalog.Catalog, w *tables.Tx, before *catalog.Table) error {
	d, err := newDefinition(cat, before)
	if err != nil {
		return err
	}
	if r.idle, err = d.holdsNone(w, r.name); err != nil || r.idle {
		return err
	}
	if r.idle = r.standsAsUndeclared(before); r.idle {
		return nil
	}
	r.upgrades = r.to.Nullable && r.to.Default == "" && r.encodable(&r.to) && unread(before, r.name)
	return nil
}

// standsAsUndeclared reports whether the column takes any value, as it is, and the
// index holds it as that of an undeclared keypath: JSON in the collation of those.
func (r *retyping) standsAsUndeclared(before *catalog.Table) bool {
	typ, err := parseType(r.to.Type)
	return err == nil && typeFamilyOf(typ) == familyJSON && r.to.Generated == "" &&
		r.to.Collation == "" && collationOr(before.Collation, collation.Default) == undeclaredCollation(before)
}

// holdsNone reports whether the counts prove that no document has a value, of any
// kind, at the keypath that a name spells.
func (d *definition) holdsNone(w *tables.Tx, name string) (bool, error) {
	statistics := d.collection.Statistics(w)
	if documents, _, err := statistics.Documents(); err != nil || documents == 0 {
		return err == nil, err
	}
	path, err := columnKeypath(name)
	if err != nil {
		return false, err
	}
	if d.Rebuilding() || unindexed(d.Options, path) != "" {
		return false, nil
	}
	number, ok, err := d.collection.Dictionary().Lookup(w, path.String())
	if err != nil || !ok {
		return err == nil, err
	}
	counts, err := statistics.Keypath(number)
	return len(counts) == 0, err
}

// declare is edit, which adds the column, after which documents keep the encoding
// of undeclared values.
func (r *retyping) declare(def *catalog.Table, edit func(*catalog.Table) error) error {
	undeclared := undeclaredCollation(def).Name()
	if err := edit(def); err != nil {
		return err
	}
	place, ok := def.Column(r.to.Name)
	if !ok {
		return sql.ErrTableColumnNotFound.New(def.Name, r.to.Name)
	}
	def.Declare(place, undeclared)
	return nil
}

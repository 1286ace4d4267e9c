package catalog

import (
	"slices"
	"strings"

	"github.com/sqlfdb/sqlfdb/keyspace"
	"github.com/sqlfdb/sqlfdb/kv"
)

// ForeignKey is a FOREIGN KEY constraint: Columns of the table that has it stand for ParentColumns of the parent. The
// parent may be the same table, and may be missing.
type ForeignKey struct {
	Name           string
	Columns        []string
	ParentDatabase string
	ParentTable    string
	ParentColumns  []string
	// OnUpdate and OnDelete are the actions as MySQL writes them; empty is its default, which is NO ACTION.
	OnUpdate string `json:",omitempty"`
	OnDelete string `json:",omitempty"`
}

// Actions of foreign keys that change the child's rows.
const (
	ActionCascade = "CASCADE"
	ActionSetNull = "SET NULL"
)

// Parent is the name of the table that the foreign key refers to.
func (f *ForeignKey) Parent() Name { return Name{f.ParentDatabase, f.ParentTable} }

// Reference is a foreign key as the table that it refers to sees it.
type Reference struct {
	Child *Table
	Key   *ForeignKey
}

// References are the foreign keys that refer to a table, in the order of the children's names.
func (v *View) References(databaseName, name string) []Reference {
	if _, hidden := v.own.Table(databaseName, name); hidden {
		return nil
	}
	all := v.s.references.Load()
	if all == nil {
		found, stored := map[Name][]Reference{}, &View{s: v.s}
		for _, database := range stored.Databases() {
			for _, t := range stored.Tables(database) {
				for i := range t.ForeignKeys {
					parent := t.ForeignKeys[i].Parent().lower()
					found[parent] = append(found[parent], Reference{t, &t.ForeignKeys[i]})
				}
			}
		}
		all = &found
		v.s.references.Store(all)
	}
	refs := (*all)[Name{databaseName, name}.lower()]
	v.uses.note(databaseName, name, false) // see newlyReferred
	for _, r := range refs {
		v.uses.note(r.Child.Database, r.Child.Name, false)
	}
	return refs
}

// newlyReferred makes transactions conflict that use tables to which t's new foreign keys refer: they may change rows
// that t's rows depend on.
func (c *Change) newlyReferred(t *Table) {
	var had []ForeignKey
	if before, ok := c.view.Table(t.Database, t.Name); ok {
		had = before.ForeignKeys
	}
	for i := range t.ForeignKeys {
		parent := t.ForeignKeys[i].Parent().lower()
		if !slices.ContainsFunc(had, func(f ForeignKey) bool { return f.Parent().lower() == parent }) {
			c.tx.AddWriteConflict(kv.PointRange(keyspace.Table(parent.Database, parent.Name)))
		}
	}
}

// followRenaming makes foreign keys refer to a table by the name that it has now. Names that the server has made of
// the old one follow it.
func (c *Change) followRenaming(r Renaming) error {
	for _, ref := range c.view.References(r.From.Database, r.From.Name) {
		edit := func(t *Table) error {
			for i := range t.ForeignKeys {
				if f := &t.ForeignKeys[i]; f.Parent().lower() == r.From.lower() {
					f.ParentDatabase, f.ParentTable = r.To.Database, r.To.Name
				}
			}
			return nil
		}
		if _, err := c.AlterTable(ref.Child.Database, ref.Child.Name, edit); err != nil {
			return err
		}
	}
	if t, ok := c.view.Table(r.To.Database, r.To.Name); !ok || len(t.ForeignKeys) == 0 {
		return nil
	}
	_, err := c.AlterTable(r.To.Database, r.To.Name, func(t *Table) error {
		for i := range t.ForeignKeys {
			f := &t.ForeignKeys[i]
			if number, made := strings.CutPrefix(f.Name, r.From.Name+madeForeignKey); made {
				f.Name = r.To.Name + madeForeignKey + number
			}
		}
		return nil
	})
	return err
}

// FollowColumn renames a column in foreign keys: the table's own, and other tables' that refer to it.
func (c *Change) FollowColumn(databaseName, name, from, to string) error {
	rename := func(columns []string) {
		for i := range columns {
			if strings.EqualFold(columns[i], from) {
				columns[i] = to
			}
		}
	}
	self := Name{databaseName, name}.lower()
	edit := func(t *Table) error {
		for i := range t.ForeignKeys {
			f := &t.ForeignKeys[i]
			if (Name{t.Database, t.Name}).lower() == self {
				rename(f.Columns)
			}
			if f.Parent().lower() == self {
				rename(f.ParentColumns)
			}
		}
		return nil
	}
	refs := c.view.References(databaseName, name)
	if t, ok := c.view.Table(databaseName, name); ok && len(t.ForeignKeys) > 0 {
		refs = append(slices.Clone(refs), Reference{Child: t})
	}
	for _, ref := range refs {
		if _, err := c.AlterTable(ref.Child.Database, ref.Child.Name, edit); err != nil {
			return err
		}
	}
	return nil
}

// madeForeignKey stands between the table's name and a number in the names that foreign keys get.
const madeForeignKey = "_ibfk_"

// HasKey reports whether the primary key or an index of a table begins with some columns, in their order. An index has
// the columns of the primary key behind its own. The beginning of a column is none.
func (t *Table) HasKey(columns []string) bool {
	var primary []string
	for _, i := range t.PrimaryKey {
		primary = append(primary, t.Columns[i].Name)
	}
	begins := func(key []string) bool {
		return len(key) >= len(columns) && slices.EqualFunc(key[:len(columns)], columns, strings.EqualFold)
	}
	return begins(primary) || slices.ContainsFunc(t.Indexes, func(x Index) bool {
		key := slices.Clone(x.Columns)
		if n := slices.IndexFunc(x.Lengths, func(length int64) bool { return length > 0 }); n >= 0 {
			return begins(key[:n])
		}
		for _, name := range primary {
			if !holdsName(key, name) {
				key = append(key, name)
			}
		}
		return begins(key)
	})
}

// Covers reports whether an index is on some columns, in any order, and on no others.
func (x *Index) Covers(columns []string) bool {
	others := func(name string) bool { return !holdsName(columns, name) }
	return len(x.Columns) == len(columns) && !slices.ContainsFunc(x.Columns, others)
}

func holdsName(names []string, name string) bool {
	return slices.ContainsFunc(names, func(n string) bool { return strings.EqualFold(n, name) })
}

// cloneForeignKeys copies foreign keys with their columns.
func cloneForeignKeys(keys []ForeignKey) []ForeignKey {
	out := slices.Clone(keys)
	for i := range out {
		out[i].Columns, out[i].ParentColumns = slices.Clone(out[i].Columns), slices.Clone(out[i].ParentColumns)
	}
	return out
}

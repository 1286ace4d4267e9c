package catalog

import (
	"slices"
	"strings"
)

// ForeignKey is a FOREIGN KEY constraint: Columns of the table that has it stand for the ParentColumns, which are a
// whole unique key, of the parent, which may be the same table, and may be missing.
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
	all := v.s.references.Load()
	if all == nil {
		found := map[Name][]Reference{}
		for _, database := range v.Databases() {
			for _, t := range v.Tables(database) {
				for i := range t.ForeignKeys {
					parent := t.ForeignKeys[i].Parent().lower()
					found[parent] = append(found[parent], Reference{t, &t.ForeignKeys[i]})
				}
			}
		}
		all = &found
		v.s.references.Store(all)
	}
	return (*all)[Name{databaseName, name}.lower()]
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

// madeForeignKey stands between the table's name and a number in the names that foreign keys get.
const madeForeignKey = "_ibfk_"

// IsUniqueKey reports whether some columns, in any order, are the primary key or a unique index of a table.
func (t *Table) IsUniqueKey(columns []string) bool {
	if len(t.PrimaryKey) == len(columns) && !slices.ContainsFunc(t.PrimaryKey, func(i int) bool {
		return !holdsName(columns, t.Columns[i].Name)
	}) {
		return true
	}
	return slices.ContainsFunc(t.Indexes, func(x Index) bool { return x.Unique && x.Covers(columns) })
}

// Covers reports whether an index is on some columns, in any order, and on no others.
func (x *Index) Covers(columns []string) bool { return sameNames(x.Columns, columns) }

func holdsName(names []string, name string) bool {
	return slices.ContainsFunc(names, func(n string) bool { return strings.EqualFold(n, name) })
}

func sameNames(a, b []string) bool {
	return len(a) == len(b) && !slices.ContainsFunc(a, func(n string) bool { return !holdsName(b, n) })
}

// cloneForeignKeys copies foreign keys with their columns.
func cloneForeignKeys(keys []ForeignKey) []ForeignKey {
	out := slices.Clone(keys)
	for i := range out {
		out[i].Columns, out[i].ParentColumns = slices.Clone(out[i].Columns), slices.Clone(out[i].ParentColumns)
	}
	return out
}

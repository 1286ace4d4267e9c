package companion

import (
	"slices"
	"strings"

	"github.com/sqlfdb/sqlfdb/kv"
	"github.com/sqlfdb/sqlfdb/sqlbackend/session"
	"github.com/sqlfdb/sqlfdb/sqlbackend/table"
)

// hides returns the reason why a hint excludes the index of a child table's column; "" if none does. A hint names
// the index by the column's name, or as for the documents' table.
func (t *ChildTable) hides(c *ChildColumn) string {
	return table.HintAt(t.Session, t.Place).Hides(func(name string) bool {
		if c.Part == PartKey {
			return table.IsIndex(t.Def, name, "", true)
		}
		return strings.EqualFold(name, c.Name) || table.IsIndex(t.Def, name, c.Keypath.String(), false)
	})
}

// index finds an index of the documents, or an indexed column of the elements, by name.
func (c *child) index(r kv.Reader, name string) (found string, there bool, err error) {
	if i := slices.IndexFunc(c.reserved, func(col ChildColumn) bool {
		return strings.EqualFold(col.Name,
			name)
	}); i >= 0 {
		return c.reserved[i].Name, c.reserved[i].Part != PartPosition, nil
	}
	if found, there, err := table.Index(c.Def, r, name); err != nil || there {
		return found, there, err
	}
	inner, err := session.ColumnKeypath(name)
	if err != nil {
		return "", false, nil
	}
	return c.Def.FindKeypath(r, slices.Concat(c.Path, inner).String())
}

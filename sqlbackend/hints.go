package sqlbackend

import (
	"slices"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/vitess/go/mysql"

	"github.com/sqlfdb/sqlfdb/costing"
	"github.com/sqlfdb/sqlfdb/document"
	"github.com/sqlfdb/sqlfdb/kv"
	"github.com/sqlfdb/sqlfdb/sqlbackend/statement"
	"github.com/sqlfdb/sqlfdb/sqlbackend/tree"
)

// resolveHints finds the indexes that a statement's hints name at a table. It refuses USE, FORCE and IGNORE INDEX of
// one that the table has not; of a hint for the optimizer such a name is left out with a warning, as in MySQL.
func (s *Session) resolveHints(ctx *sql.Context, table string, find statement.IndexFinder) error {
	n, lower := s.commandNames(), strings.ToLower(table)
	for _, name := range n.Hinted[lower] {
		if _, there, err := find(name); err != nil {
			return err
		} else if !there {
			return noSuchKey(name, table)
		}
	}
	if len(n.Hints) == 0 {
		return nil
	}
	for _, src := range n.Sources {
		if h := n.Hints[src.Alias]; h != nil && src.Table == lower {
			if err := h.Resolve(ctx, table, find); err != nil {
				return err
			}
		}
	}
	return nil
}

// hintAt is the hint for the table at a place of the running statement; nil is
// none.
func (s *Session) hintAt(at tree.Place) *statement.IndexHint {
	if hints := s.commandNames().Hints; hints != nil {
		return hints[at.Called]
	}
	return nil
}

// choose chooses how the table at a place is read, along an index wherever there
// is one if a hint forces it. A test may want another choice.
func (s *Session) choose(at tree.Place, documents int64, candidates []costing.Candidate,
	estimates []costing.Estimate) costing.Choice {
	if s.choosing != nil {
		return s.choosing(documents, candidates, estimates)
	}
	if h := s.hintAt(at); h != nil && h.Force {
		return costing.ChooseIndex(documents, candidates, estimates)
	}
	return costing.Choose(documents, candidates, estimates)
}

// hides says why a hint leaves an index of the table at a place out; empty if
// none does. The index is that of a keypath, or of the primary key.
func (s *Session) hides(at tree.Place, d *definition, keypath string, primary bool) string {
	return s.hintAt(at).Hides(func(name string) bool { return d.isIndex(name, keypath, primary) })
}

// hidesDeclared reports whether a hint leaves a declared index with entries of its own
// out, at a place; named tells that one allows it by its name.
func (s *Session) hidesDeclared(at tree.Place, name string) (hidden, named bool) {
	h := s.hintAt(at)
	if h == nil {
		return false, false
	}
	is := func(n string) bool { return strings.EqualFold(n, name) }
	named = slices.ContainsFunc(h.Only, is)
	return h.None || slices.ContainsFunc(h.Without, is) || len(h.Only) > 0 && !named, named
}

// isIndex reports whether an index is the one that a hint calls by a name.
func (d *definition) isIndex(name, keypath string, primary bool) bool {
	if strings.EqualFold(name, "PRIMARY") {
		return primary
	}
	for _, i := range d.Indexes {
		if strings.EqualFold(i.Name, name) && i.Number != 0 {
			return false // it has entries of its own
		}
		if strings.EqualFold(i.Name, name) && len(i.Columns) > 0 {
			name = i.Columns[0]
			break
		}
	}
	if primary {
		return len(d.PrimaryKey) > 0 && strings.EqualFold(d.Columns[d.PrimaryKey[0]].Name, name)
	}
	path, err := document.ParseKeypath(name)
	if err != nil {
		return name == keypath
	}
	of, err := document.ParseKeypath(keypath)
	return err == nil && (path.String() == keypath || withoutArrays(of).String() == path.String())
}

// hides says why a hint leaves the index of a child table's column out; empty if none
// does. A hint calls it by the column's name, or as its documents' table would.
func (t *childTable) hides(c *childColumn) string {
	return t.session.hintAt(t.place).Hides(func(name string) bool {
		if c.part == partKey {
			return t.def.isIndex(name, "", true)
		}
		return strings.EqualFold(name, c.name) || t.def.isIndex(name, c.keypath.String(), false)
	})
}

// index finds an index of the documents, or a column of the elements that has one.
func (c *child) index(r kv.Reader, name string) (found string, there bool, err error) {
	if i := slices.IndexFunc(c.reserved, func(col childColumn) bool { return strings.EqualFold(col.name, name) }); i >= 0 {
		return c.reserved[i].name, c.reserved[i].part != partPosition, nil
	}
	if found, there, err := c.def.index(r, name); err != nil || there {
		return found, there, err
	}
	inner, err := columnKeypath(name)
	if err != nil {
		return "", false, nil
	}
	return c.def.findKeypath(r, slices.Concat(c.path, inner).String())
}

// noSuchKey is the error of a hint at an index that a table has not.
func noSuchKey(name, table string) error {
	return mysql.NewSQLError(mysql.ERKeyDoesNotExist, "42000", "Key '%s' doesn't exist in table '%s'", name, table)
}

// index finds an index: PRIMARY, one that CREATE INDEX made, a column's or a keypath's.
func (d *definition) index(r kv.Reader, name string) (found string, there bool, err error) {
	if strings.EqualFold(name, "PRIMARY") {
		return name, !d.hidden(), nil
	}
	for _, i := range d.Indexes {
		if strings.EqualFold(i.Name, name) {
			return i.Name, true, nil
		}
	}
	if c := d.column(name); c != nil {
		return c.name, true, nil
	}
	if path, err := document.ParseKeypath(name); err == nil {
		return d.findKeypath(r, path.String())
	}
	return "", false, nil
}

package table

import (
	"slices"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/vitess/go/mysql"

	"github.com/sqlfdb/sqlfdb/costing"
	"github.com/sqlfdb/sqlfdb/document"
	"github.com/sqlfdb/sqlfdb/kv"
	"github.com/sqlfdb/sqlfdb/sqlbackend/session"
	"github.com/sqlfdb/sqlfdb/sqlbackend/statement"
	"github.com/sqlfdb/sqlfdb/sqlbackend/tree"
)

// ResolveHints finds the indexes that a statement's hints name for a table. USE, FORCE and IGNORE INDEX of an
// unknown index fail. From optimizer hints unknown names are removed with a warning, as in MySQL.
func ResolveHints(s *session.Session, ctx *sql.Context, table string, find statement.IndexFinder) error {
	n, lower := s.Parsed.Names(), strings.ToLower(table)
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

// HintAt returns the hint for the table at a place of the running statement; nil: none.
func HintAt(s *session.Session, at tree.Place) *statement.IndexHint {
	if hints := s.Parsed.Names().Hints; hints != nil {
		return hints[at.Called]
	}
	return nil
}

// Choose chooses how the table at a place is read. If a hint forces an index, it is read along one wherever
// possible.
func Choose(s *session.Session, at tree.Place, documents int64, candidates []costing.Candidate,
	estimates []costing.Estimate) costing.Choice {
	if h := HintAt(s, at); h != nil && h.Force {
		return costing.ChooseIndex(documents, candidates, estimates)
	}
	return s.Choose(documents, candidates, estimates)
}

// hides returns the reason why a hint excludes the index of a keypath, or of the primary key, of the table at a
// place; "" if none does.
func hides(s *session.Session, at tree.Place, d *session.Definition, keypath string, primary bool) string {
	return HintAt(s, at).Hides(func(name string) bool { return IsIndex(d, name, keypath, primary) })
}

// hidesDeclared reports whether a hint excludes a declared index with entries of its own; named: a hint allows it by
// name.
func hidesDeclared(s *session.Session, at tree.Place, name string) (hidden, named bool) {
	h := HintAt(s, at)
	if h == nil {
		return false, false
	}
	is := func(n string) bool { return strings.EqualFold(n, name) }
	named = slices.ContainsFunc(h.Only, is)
	return h.None || slices.ContainsFunc(h.Without, is) || len(h.Only) > 0 && !named, named
}

// IsIndex reports whether the index of a keypath, or of the primary key, has a name in hints.
func IsIndex(d *session.Definition, name, keypath string, primary bool) bool {
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
	return err == nil && (path.String() == keypath || WithoutArrays(of).String() == path.String())
}

// noSuchKey is the error for a hint with an index that the table does not have.
func noSuchKey(name, table string) error {
	return mysql.NewSQLError(mysql.ERKeyDoesNotExist, "42000", "Key '%s' doesn't exist in table '%s'", name, table)
}

// Index finds an index by name: PRIMARY, one made by CREATE INDEX, a column's or a keypath's.
func Index(d *session.Definition, r kv.Reader, name string) (found string, there bool, err error) {
	if strings.EqualFold(name, "PRIMARY") {
		return name, !d.Hidden(), nil
	}
	for _, i := range d.Indexes {
		if strings.EqualFold(i.Name, name) {
			return i.Name, true, nil
		}
	}
	if c := d.ColumnNamed(name); c != nil {
		return c.Name, true, nil
	}
	if path, err := document.ParseKeypath(name); err == nil {
		return d.FindKeypath(r, path.String())
	}
	return "", false, nil
}

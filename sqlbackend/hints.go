package sqlbackend

import (
	"slices"
	"strings"

	"github.com/dolthub/vitess/go/mysql"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"github.com/sqlfdb/sqlfdb/costing"
	"github.com/sqlfdb/sqlfdb/document"
	"github.com/sqlfdb/sqlfdb/kv"
)

// indexHint is what a statement says of the indexes of one of its tables, in
// USE, FORCE or IGNORE INDEX or in an optimizer hint. An index is called by its
// keypath, by PRIMARY, or by the name that CREATE INDEX gave it. A hint changes
// no answer.
type indexHint struct {
	only    []string // USE, FORCE; nil is all
	without []string // IGNORE
	none    bool     // NO_INDEX without a list
	force   bool     // a full scan is the last resort
}

// hint adds the hints at a table in FROM, UPDATE or DELETE.
func (n *names) hint(t *ast.AliasedTableExpr, alias, table string) {
	if t.Hints == nil {
		return
	}
	var list []string
	for _, c := range t.Hints.Indexes {
		list = append(list, c.String())
	}
	h := n.hintOf(alias)
	switch t.Hints.Type {
	case ast.IgnoreStr:
		h.without = append(h.without, list...)
	case ast.ForceStr:
		h.force = true
		fallthrough
	default:
		h.only = append(h.only, list...)
	}
	if n.hinted == nil {
		n.hinted = map[string][]string{}
	}
	n.hinted[table] = append(n.hinted[table], list...)
}

func (n *names) hintOf(alias string) *indexHint {
	if n.hints == nil {
		n.hints = map[string]*indexHint{}
	}
	if n.hints[alias] == nil {
		n.hints[alias] = &indexHint{}
	}
	return n.hints[alias]
}

// comments reads the optimizer hints INDEX, JOIN_INDEX, NO_INDEX and
// NO_JOIN_INDEX in the comments of a statement. Names in them that mean nothing are
// left alone, as in MySQL; those about the order of joins are the engine's.
func (n *names) comments(list ast.Comments) {
	for _, c := range list {
		text, ok := strings.CutPrefix(string(c), "/*+")
		if !ok {
			continue
		}
		text = strings.TrimSuffix(text, "*/")
		tokens := tokenize(text)
		for i := 0; i+2 < len(tokens); i++ {
			use := tokens[i].is(text, "INDEX") || tokens[i].is(text, "JOIN_INDEX")
			if (use || tokens[i].is(text, "NO_INDEX") || tokens[i].is(text, "NO_JOIN_INDEX")) && tokens[i+1].is(text, "(") {
				n.optimizerHint(text, tokens[i+2:], use)
			}
		}
	}
}

// optimizerHint reads TABLE [INDEX [, INDEX …]]).
func (n *names) optimizerHint(text string, tokens []sqlToken, use bool) {
	table, ok := unquotedName(text, tokens[0])
	if !ok {
		return
	}
	h := n.hintOf(strings.ToLower(table))
	var list []string
	for _, t := range tokens[1:] {
		if t.is(text, ")") {
			break
		}
		if name, ok := unquotedName(text, t); ok && !t.is(text, ",") {
			list = append(list, name)
		}
	}
	switch {
	case use:
		h.force = true
		h.only = append(h.only, list...)
	case len(list) == 0:
		h.none = true
	default:
		h.without = append(h.without, list...)
	}
}

// hintAt is the hint for the table at a place of the running statement; nil is
// none.
func (s *Session) hintAt(at place) *indexHint {
	if hints := s.commandNames().hints; hints != nil {
		return hints[at.name]
	}
	return nil
}

// choose chooses how the table at a place is read, along an index wherever there
// is one if a hint forces it. A test may want another choice.
func (s *Session) choose(at place, documents int64, candidates []costing.Candidate, estimates []costing.Estimate) costing.Choice {
	if s.choosing != nil {
		return s.choosing(documents, candidates, estimates)
	}
	if h := s.hintAt(at); h != nil && h.force {
		return costing.ChooseIndex(documents, candidates, estimates)
	}
	return costing.Choose(documents, candidates, estimates)
}

// hides says why a hint leaves an index of the table at a place out; empty if
// none does. The index is that of a keypath, or of the primary key.
func (s *Session) hides(at place, d *definition, keypath string, primary bool) string {
	return s.hintAt(at).hides(func(name string) bool { return d.isIndex(name, keypath, primary) })
}

// hides says why a hint leaves an index out, of which is tells its names; empty if it does
// not. No hint leaves none out.
func (h *indexHint) hides(is func(name string) bool) string {
	switch {
	case h == nil:
		return ""
	case h.none, slices.ContainsFunc(h.without, is):
		return "is left out by a hint"
	case len(h.only) > 0 && !slices.ContainsFunc(h.only, is):
		return "is not among the indexes that a hint allows"
	}
	return ""
}

// hidesDeclared reports whether a hint leaves a declared index with entries of its own
// out, at a place; named tells that one allows it by its name.
func (s *Session) hidesDeclared(at place, name string) (hidden, named bool) {
	h := s.hintAt(at)
	if h == nil {
		return false, false
	}
	is := func(n string) bool { return strings.EqualFold(n, name) }
	named = slices.ContainsFunc(h.only, is)
	return h.none || slices.ContainsFunc(h.without, is) || len(h.only) > 0 && !named, named
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

// checkHints refuses a statement that hints at an index which the table has not,
// as MySQL does.
func (s *Session) checkHints(d *definition, r kv.Reader) error {
	for _, name := range s.commandNames().hinted[strings.ToLower(d.Name)] {
		there, err := d.hasIndex(r, name)
		if err != nil {
			return err
		}
		if !there {
			return noSuchKey(name, d.Name)
		}
	}
	return nil
}

// hides says why a hint leaves the index of a child table's column out; empty if none
// does. A hint calls it by the column's name, or as its documents' table would.
func (t *childTable) hides(c *childColumn) string {
	return t.session.hintAt(t.place).hides(func(name string) bool {
		if c.part == partKey {
			return t.def.isIndex(name, "", true)
		}
		return strings.EqualFold(name, c.name) || t.def.isIndex(name, c.keypath.String(), false)
	})
}

// checkChildHints is checkHints for a child table.
func (s *Session) checkChildHints(c *child, r kv.Reader, table string) error {
	for _, name := range s.commandNames().hinted[strings.ToLower(table)] {
		there, err := c.hasIndex(r, name)
		if err != nil {
			return err
		}
		if !there {
			return noSuchKey(name, table)
		}
	}
	return nil
}

// hasIndex reports whether a name is that of an index of the documents, or of a column of
// the elements that has one.
func (c *child) hasIndex(r kv.Reader, name string) (bool, error) {
	if i := slices.IndexFunc(c.reserved, func(col childColumn) bool { return strings.EqualFold(col.name, name) }); i >= 0 {
		return c.reserved[i].part != partPosition, nil
	}
	if there, err := c.def.hasIndex(r, name); err != nil || there {
		return there, err
	}
	inner, err := columnKeypath(name)
	if err != nil {
		return false, nil
	}
	_, there, err := c.def.collection.Dictionary().Lookup(r, slices.Concat(c.path, inner).String())
	return there, err
}

// noSuchKey is the error of a hint at an index that a table has not.
func noSuchKey(name, table string) error {
	return mysql.NewSQLError(mysql.ERKeyDoesNotExist, "42000", "Key '%s' doesn't exist in table '%s'", name, table)
}

func (d *definition) hasIndex(r kv.Reader, name string) (bool, error) {
	if strings.EqualFold(name, "PRIMARY") {
		return !d.hidden(), nil
	}
	for _, i := range d.Indexes {
		if strings.EqualFold(i.Name, name) {
			return true, nil
		}
	}
	if d.column(name) != nil {
		return true, nil
	}
	path, err := document.ParseKeypath(name)
	if err != nil {
		return false, nil
	}
	_, known, err := d.collection.Dictionary().Lookup(r, path.String())
	return known, err
}

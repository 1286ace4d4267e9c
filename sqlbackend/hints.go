package sqlbackend

import (
	"fmt"
	"slices"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
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
	// optional are the hints for the optimizer, until it is known which of the indexes that they name there are.
	optional []optionalHint
}

// optionalHint is a hint for the optimizer: names of indexes that there are not are left out, with a warning.
type optionalHint struct {
	word  string // INDEX, NO_INDEX
	use   bool
	names []string
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
// NO_JOIN_INDEX in the comments of a statement. Those about the order of joins are the engine's.
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
				n.optimizerHint(text, tokens[i+2:], optionalHint{word: strings.ToUpper(text[tokens[i].start:tokens[i].end]), use: use})
			}
		}
	}
}

// optimizerHint reads TABLE [INDEX [, INDEX …]]).
func (n *names) optimizerHint(text string, tokens []sqlToken, hint optionalHint) {
	table, ok := unquotedName(text, tokens[0])
	if !ok {
		return
	}
	for _, t := range tokens[1:] {
		if t.is(text, ")") {
			break
		}
		if name, ok := unquotedName(text, t); ok && !t.is(text, ",") {
			hint.names = append(hint.names, name)
		}
	}
	h := n.hintOf(strings.ToLower(table))
	h.optional = append(h.optional, hint)
}

// indexFinder finds an index of a table by the name that a hint calls it by; found is its name as the table has it.
type indexFinder func(name string) (found string, there bool, err error)

// resolveHints finds the indexes that a statement's hints name at a table. It refuses USE, FORCE and IGNORE INDEX of one that
// the table has not; of a hint for the optimizer such a name is left out with a warning, as in MySQL.
func (s *Session) resolveHints(ctx *sql.Context, table string, find indexFinder) error {
	n, lower := s.commandNames(), strings.ToLower(table)
	for _, name := range n.hinted[lower] {
		if _, there, err := find(name); err != nil {
			return err
		} else if !there {
			return noSuchKey(name, table)
		}
	}
	if len(n.hints) == 0 {
		return nil
	}
	for _, src := range n.sources {
		if h := n.hints[src.alias]; h != nil && src.table == lower {
			if err := h.resolve(ctx, table, find); err != nil {
				return err
			}
		}
	}
	return nil
}

// resolve calls the indexes as the table does.
func (h *indexHint) resolve(ctx *sql.Context, table string, find indexFinder) error {
	for _, list := range [][]string{h.only, h.without} {
		for i, name := range list {
			found, there, err := find(name)
			if err != nil {
				return err
			}
			if there {
				list[i] = found
			}
		}
	}
	for _, o := range h.optional {
		var known []string
		for _, name := range o.names {
			found, there, err := find(name)
			if err != nil {
				return err
			}
			if there {
				known = append(known, found)
				continue
			}
			ctx.Session.Warn(&sql.Warning{Level: "Warning", Code: mysqlUnresolvedHint, Message: fmt.Sprintf("Unresolved name `%s` `%s` for %s hint", table, name, o.word)})
		}
		switch {
		case len(known) < len(o.names) && len(known) == 0:
		case o.use:
			h.force, h.only = true, append(h.only, known...)
		case len(known) == 0:
			h.none = true
		default:
			h.without = append(h.without, known...)
		}
	}
	h.optional = nil
	return nil
}

// mysqlUnresolvedHint is ER_UNRESOLVED_HINT_NAME.
const mysqlUnresolvedHint = 3128

// hintAt is the hint for the table at a place of the running statement; nil is
// none.
func (s *Session) hintAt(at place) *indexHint {
	if hints := s.commandNames().hints; hints != nil {
		return hints[at.called]
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

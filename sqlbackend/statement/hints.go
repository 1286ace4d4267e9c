package statement

import (
	"fmt"
	"slices"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"
)

// IndexHint is a statement's hint on the indexes of one of its tables: USE, FORCE or IGNORE
// INDEX, or an optimizer hint. An index is called by its keypath, by PRIMARY, or by the
// name that CREATE INDEX gave it. A hint changes no answer.
type IndexHint struct {
	Only    []string // USE, FORCE; nil is all
	Without []string // IGNORE
	None    bool     // NO_INDEX without a list
	Force   bool     // a full scan is the last resort
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
func (n *Names) hint(t *ast.AliasedTableExpr, alias, table string) {
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
		h.Without = append(h.Without, list...)
	case ast.ForceStr:
		h.Force = true
		fallthrough
	default:
		h.Only = append(h.Only, list...)
	}
	if n.Hinted == nil {
		n.Hinted = map[string][]string{}
	}
	n.Hinted[table] = append(n.Hinted[table], list...)
}

func (n *Names) hintOf(alias string) *IndexHint {
	if n.Hints == nil {
		n.Hints = map[string]*IndexHint{}
	}
	if n.Hints[alias] == nil {
		n.Hints[alias] = &IndexHint{}
	}
	return n.Hints[alias]
}

// comments reads the optimizer hints INDEX, JOIN_INDEX, NO_INDEX and
// NO_JOIN_INDEX in the comments of a statement. Those about the order of joins are the engine's.
func (n *Names) comments(list ast.Comments) {
	for _, c := range list {
		text, ok := strings.CutPrefix(string(c), "/*+")
		if !ok {
			continue
		}
		text = strings.TrimSuffix(text, "*/")
		tokens := Tokenize(text)
		for i := 0; i+2 < len(tokens); i++ {
			use := tokens[i].Is(text, "INDEX") || tokens[i].Is(text, "JOIN_INDEX")
			if (use || tokens[i].Is(text, "NO_INDEX") || tokens[i].Is(text, "NO_JOIN_INDEX")) && tokens[i+1].Is(text, "(") {
				n.optimizerHint(text, tokens[i+2:], optionalHint{word: strings.ToUpper(text[tokens[i].Start:tokens[i].End]),
					use: use})
			}
		}
	}
}

// optimizerHint reads TABLE [INDEX [, INDEX …]]).
func (n *Names) optimizerHint(text string, tokens []Token, hint optionalHint) {
	table, ok := UnquotedName(text, tokens[0])
	if !ok {
		return
	}
	for _, t := range tokens[1:] {
		if t.Is(text, ")") {
			break
		}
		if name, ok := UnquotedName(text, t); ok && !t.Is(text, ",") {
			hint.names = append(hint.names, name)
		}
	}
	h := n.hintOf(strings.ToLower(table))
	h.optional = append(h.optional, hint)
}

// IndexFinder finds an index of a table by the name that a hint calls it by; found is its name as the table has it.
type IndexFinder func(name string) (found string, there bool, err error)

// Resolve calls the indexes as the table does.
func (h *IndexHint) Resolve(ctx *sql.Context, table string, find IndexFinder) error {
	for _, list := range [][]string{h.Only, h.Without} {
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
			ctx.Session.Warn(&sql.Warning{Level: "Warning", Code: mysqlUnresolvedHint,
				Message: fmt.Sprintf("Unresolved name `%s` `%s` for %s hint", table, name, o.word)})
		}
		switch {
		case len(known) < len(o.names) && len(known) == 0:
		case o.use:
			h.Force, h.Only = true, append(h.Only, known...)
		case len(known) == 0:
			h.None = true
		default:
			h.Without = append(h.Without, known...)
		}
	}
	h.optional = nil
	return nil
}

// mysqlUnresolvedHint is ER_UNRESOLVED_HINT_NAME.
const mysqlUnresolvedHint = 3128

// Hides is the reason why a hint excludes an index, or empty; is reports whether a name is
// one of the index's. A nil hint excludes none.
func (h *IndexHint) Hides(is func(name string) bool) string {
	switch {
	case h == nil:
		return ""
	case h.None, slices.ContainsFunc(h.Without, is):
		return "is left out by a hint"
	case len(h.Only) > 0 && !slices.ContainsFunc(h.Only, is):
		return "is not among the indexes that a hint allows"
	}
	return ""
}

package sqlbackend

import (
	"cmp"
	"regexp"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"github.com/sqlfdb/sqlfdb/catalog"
	"github.com/sqlfdb/sqlfdb/document"
	"github.com/sqlfdb/sqlfdb/kv"
	"github.com/sqlfdb/sqlfdb/sqlbackend/functions"
	"github.com/sqlfdb/sqlfdb/sqlbackend/statement"
	"github.com/sqlfdb/sqlfdb/sqlbackend/syntax"
)

// shapeOf says which columns a table has for the running command.
func (s *Session) shapeOf(ctx *sql.Context, d *definition, r kv.Reader) (shape, error) {
	n := s.commandNames()
	table := strings.ToLower(d.Name)
	if !n.Uses(table) {
		// Not a table of the statement's FROM: SHOW COLUMNS lists everything, and
		// definitions (ALTER TABLE, SHOW CREATE TABLE) are about what is declared.
		sh := shape{document: true, list: n.Show}
		for _, c := range n.Indexed {
			if _, ok := syntax.MarkedExpression(c); ok {
				sh.expressions = append(sh.expressions, c)
			}
		}
		if d.Open {
			sh.indexed = len(n.Indexed) > 0
			for _, c := range n.Indexed {
				if _, marked := syntax.MarkedExpression(c); !marked && d.column(c) == nil && !strings.EqualFold(c, documentColumn) {
					sh.named = append(sh.named, c)
				}
			}
		}
		return sh, nil
	}
	w := n.Writes[table]
	sh := shape{
		list: n.Starred(table) && !(w.Inserts && !n.Reads(table)),
		document: n.Mentions(documentColumn) || (w.Inserts && len(w.Columns) == 0) || len(d.columns) == 0 ||
			(w.Inserts || w.Changes) && d.checksDocuments(),
		key:      w.Changes,
		optional: w.Inserts,
	}
	if !d.Open {
		return sh, nil
	}
	seen := map[string]bool{documentColumn: true, hiddenKeyColumn: true}
	for _, c := range n.Columns {
		lower := strings.ToLower(c.Name)
		if seen[lower] || d.column(c.Name) != nil || !n.Qualifies(c, table) {
			continue
		}
		spelled, there, err := d.find(r, c.Name)
		if err != nil {
			return shape{}, err
		}
		if !there {
			mine, err := s.adopts(ctx, n, table, r, c)
			if err != nil {
				return shape{}, err
			}
			if !mine {
				continue
			}
			if !w.Sets(c.Name) {
				if err := s.warnUnknown(ctx, d, r, c.Name); err != nil {
					return shape{}, err
				}
			}
		}
		if seen[lower] = true; len(sh.named) >= maxNamedColumns {
			return shape{}, syntax.ErrColumns
		}
		if !strings.EqualFold(spelled, c.Name) {
			spelled = c.Name
		}
		sh.named = append(sh.named, spelled)
	}
	return sh, nil
}

// maxNamedColumns is how many keypaths of a table a statement may name: the engine looks through all of them for each.
const maxNamedColumns = 10_000

// completeInsert writes the columns of an INSERT that lists none into it, when
// its ON DUPLICATE KEY UPDATE names keypaths: they become columns of the
// statement's table, and the engine would want values for them. An INSERT of a dump
// gets the columns that dumps hold.
func (s *Session) completeInsert(ctx *sql.Context, insert *ast.Insert) {
	if statement.EmptyRows(insert.Rows) {
		return
	}
	t := s.namedTable(ctx, insert.Table)
	if t == nil {
		return
	}
	s.restoreGenerated(ctx, t, insert)
	if len(insert.Columns) > 0 {
		return
	}
	if names := restoredColumns(t, insert); names != nil {
		for _, name := range names {
			insert.Columns = append(insert.Columns, ast.NewColIdent(name))
		}
		return
	}
	if !givesDefaults(t, insert) && (!t.Open || len(insert.OnDup) == 0) {
		return
	}
	for i := range t.Visible() {
		insert.Columns = append(insert.Columns, ast.NewColIdent(t.Columns[i].Name))
	}
	if t.Open {
		insert.Columns = append(insert.Columns, ast.NewColIdent(documentColumn))
	}
}

// commandNames is what the running command names.
func (s *Session) commandNames() *statement.Names {
	if s.names == nil || s.names.Statements != len(s.parsed) {
		s.names = statement.CollectNames(s.parsed)
	}
	return s.names
}

// adopts reports whether a column that no document of the table has is taken
// for one of its keypaths all the same: nothing else that is read in the same block, or
// in one that it sees, can have it, and no earlier table there takes it, nor one in a block within.
func (s *Session) adopts(ctx *sql.Context, n *statement.Names, table string, r kv.Reader, c statement.ColumnName) (bool,
	error) {
	if n.Writes[table].Sets(c.Name) || c.Qualifier != "" {
		return true, nil
	}
	if n.Aliases[strings.ToLower(c.Name)] {
		return false, nil
	}
	view, err := s.definitions()
	if err != nil {
		return false, err
	}
	first := ""
	for block := c.Block; block > 0; block = n.Around[block] {
		for _, src := range n.Sources {
			if src.Block != block {
				continue
			}
			if src.Derived || src.Database == "" && n.Common[src.Table] {
				return false, nil
			}
			if src.Table == table {
				first = cmp.Or(first, table)
				continue
			}
			has, open, known, err := s.sourceHas(ctx, r, view, src, c.Name)
			switch {
			case err != nil || has || !known:
				return false, err
			case open:
				first = cmp.Or(first, src.Table)
			}
		}
	}
	return first == table, nil
}

// sourceHas reports whether a table that the statement names has a column, and
// whether it would take a column that it has not. What is no table, a view or a
// common table expression, is not known.
func (s *Session) sourceHas(ctx *sql.Context, r kv.Reader, view *catalog.View, src statement.SourceName,
	column string) (has, open, known bool, err error) {
	database := src.Database
	if database == "" {
		database = ctx.GetCurrentDatabase()
	}
	t, ok := view.Table(database, src.Table)
	if !ok {
		if _, isView := view.View(database, src.Table); isView {
			return false, false, false, nil
		}
		c, _, err := s.findChild(r, view, database, src.Table)
		if err != nil || c == nil {
			return false, false, false, err
		}
		if c.reservedColumn(column) != nil {
			return true, true, true, nil
		}
		_, has, err := c.find(r, column)
		return has, true, true, err
	}
	d, err := s.backend.definitions.of(t)
	if err != nil {
		return false, false, false, err
	}
	if d.column(column) != nil {
		return true, d.Open, true, nil
	}
	if !d.Open {
		return false, false, true, nil
	}
	_, has, err = d.find(r, column)
	return has, true, true, err
}

// childShape says which columns a child table has for the running command, which
// knows it by a name.
func (s *Session) childShape(ctx *sql.Context, child *child, r kv.Reader, name string) (childShape, error) {
	n := s.commandNames()
	table := strings.ToLower(name)
	if !n.Uses(table) {
		return childShape{list: true}, nil
	}
	sh := childShape{list: n.Starred(table)}
	seen := map[string]bool{}
	for _, c := range n.Columns {
		lower := strings.ToLower(c.Name)
		if seen[lower] || !n.Qualifies(c, table) {
			continue
		}
		if col := child.reservedColumn(c.Name); col != nil {
			sh.value = sh.value || col.part == partValue
			continue
		}
		inner, there, err := child.find(r, c.Name)
		if err != nil {
			return childShape{}, err
		}
		if !there {
			if len(inner) == 0 {
				continue
			}
			mine, err := s.adopts(ctx, n, table, r, c)
			if err != nil {
				return childShape{}, err
			}
			if !mine {
				continue
			}
			if err := s.warnUnknownInChild(ctx, child, r, name, c.Name); err != nil {
				return childShape{}, err
			}
		}
		seen[lower] = true
		sh.named = append(sh.named, childColumn{column: column{name: c.Name}, inner: inner})
	}
	return sh, nil
}

// warnUnknownInChild tells that no element has a keypath, and which one comes
// nearest.
func (s *Session) warnUnknownInChild(ctx *sql.Context, c *child, r kv.Reader, table, name string) error {
	if inner, err := columnKeypath(name); err == nil &&
		unindexed(c.def.Options, append(c.path[:len(c.path):len(c.path)], inner...)) != "" {
		return nil // what is not indexed is not known either
	}
	all, err := c.def.collection.Dictionary().All(r)
	if err != nil {
		return err
	}
	var candidates []string
	for i := range c.reserved {
		candidates = append(candidates, c.reserved[i].name)
	}
	for _, p := range all {
		if inner, ok := c.below(p); ok {
			candidates = append(candidates, c.columnName(inner))
		}
	}
	s.warnColumn(ctx, "No element of "+c.def.Database+"."+table+" has", name, "_value", candidates)
	return nil
}

// warnUnknown tells that no document has a keypath, and which one comes nearest.
func (s *Session) warnUnknown(ctx *sql.Context, d *definition, r kv.Reader, name string) error {
	if path, err := columnKeypath(name); err == nil && (len(path) > d.Options.Depth() || d.excludes(path)) {
		return nil // what isn't indexed isn't known either
	}
	all, err := d.collection.Dictionary().All(r)
	if err != nil {
		return err
	}
	candidates := make([]string, 0, len(all)+len(d.columns))
	for i := range d.columns {
		candidates = append(candidates, d.columns[i].name)
	}
	s.warnColumn(ctx, "No document of "+d.String()+" has", name, "_doc", append(candidates, all...))
	return nil
}

// elementNumber is what stands in a name for one element of an array, as in a JSON path.
var elementNumber = regexp.MustCompile(`\[\d+\]`)

// warnColumn warns of a name once in a command. whole is the column of which a
// JSON path reads what no column leads to.
func (s *Session) warnColumn(ctx *sql.Context, none, name, whole string, candidates []string) {
	key := none + "\x00" + strings.ToLower(name)
	if s.warned[key] {
		return
	}
	if s.warned == nil {
		s.warned = map[string]bool{}
	}
	s.warned[key] = true
	text := none + " the keypath `" + name + "`"
	switch near := document.Nearest(name, candidates); {
	case near == "":
	case strings.Contains(near, "[*]"): // no column leads there
		if elements := elementNumber.ReplaceAllString(name, "[*]"); elements == near {
			near = name
		}
		text += "; did you mean " + whole + "->'$." + near + "'?"
	default:
		text += "; did you mean `" + near + "`?"
	}
	functions.Warn(ctx, warningUnknownKeypath, "%s", text)
}

// warningUnknownKeypath is MySQL's number for an unknown column.
const warningUnknownKeypath = 1054

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
)

// shapeOf says which columns a table has for the running command.
func (s *Session) shapeOf(ctx *sql.Context, d *definition, r kv.Reader) (shape, error) {
	n := s.commandNames()
	table := strings.ToLower(d.Name)
	if !n.uses(table) {
		// Not a table of the statement's FROM: SHOW COLUMNS lists everything, and
		// definitions (ALTER TABLE, SHOW CREATE TABLE) are about what is declared.
		sh := shape{document: true, list: n.show}
		if d.Open {
			sh.indexed = len(n.indexed) > 0
			for _, c := range n.indexed {
				if d.column(c) == nil && !strings.EqualFold(c, documentColumn) {
					sh.named = append(sh.named, c)
				}
			}
		}
		return sh, nil
	}
	w := n.writes[table]
	sh := shape{
		list:     n.starred(table) && !(w.inserts && !n.reads(table)),
		document: n.mentions(documentColumn) || (w.inserts && len(w.columns) == 0) || len(d.columns) == 0 || (w.inserts || w.changes) && d.checksDocuments(),
		key:      w.changes,
		optional: w.inserts,
	}
	if !d.Open {
		return sh, nil
	}
	seen := map[string]bool{documentColumn: true, hiddenKeyColumn: true}
	for _, c := range n.columns {
		lower := strings.ToLower(c.name)
		if seen[lower] || d.column(c.name) != nil || !n.qualifies(c, table) {
			continue
		}
		spelled, there, err := d.find(r, c.name)
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
			if !w.sets(c.name) {
				if err := s.warnUnknown(ctx, d, r, c.name); err != nil {
					return shape{}, err
				}
			}
		}
		seen[lower] = true
		if !strings.EqualFold(spelled, c.name) {
			spelled = c.name
		}
		sh.named = append(sh.named, spelled)
	}
	return sh, nil
}

// completeInsert writes the columns of an INSERT that lists none into it, when
// its ON DUPLICATE KEY UPDATE names keypaths: they become columns of the
// statement's table, and the engine would want values for them. An INSERT of a dump
// gets the columns that dumps hold.
func (s *Session) completeInsert(ctx *sql.Context, insert *ast.Insert) {
	if len(insert.Columns) > 0 || emptyRows(insert.Rows) {
		return
	}
	database := insert.Table.DbQualifier.String()
	if database == "" {
		database = ctx.GetCurrentDatabase()
	}
	view, err := s.definitions()
	if err != nil {
		return
	}
	t, ok := view.Table(database, insert.Table.Name.String())
	if !ok {
		return
	}
	if names := restoredColumns(t, insert); names != nil {
		for _, name := range names {
			insert.Columns = append(insert.Columns, ast.NewColIdent(name))
		}
		return
	}
	if !t.Open || len(insert.OnDup) == 0 {
		return
	}
	for i := range t.Columns {
		insert.Columns = append(insert.Columns, ast.NewColIdent(t.Columns[i].Name))
	}
	insert.Columns = append(insert.Columns, ast.NewColIdent(documentColumn))
}

// commandNames is what the running command names.
func (s *Session) commandNames() *names {
	if s.names == nil || s.names.statements != len(s.parsed) {
		s.names = collectNames(s.parsed)
	}
	return s.names
}

// reads reports whether the table stands in a FROM, not only behind INTO.
func (n *names) reads(table string) bool {
	count := 0
	for _, src := range n.sources {
		if src.table == table {
			count++
		}
	}
	return count > 1
}

// qualifies reports whether a column with this qualifier may be one of the
// table.
func (n *names) qualifies(c columnName, table string) bool {
	if c.qualifier == "" {
		return true
	}
	for _, src := range n.sources {
		if src.table == table && src.alias == c.qualifier {
			return true
		}
	}
	return false
}

// sets reports whether the statement writes the column.
func (w writes) sets(column string) bool {
	for _, list := range [][]string{w.columns, w.onDuplicate} {
		for _, c := range list {
			if strings.EqualFold(c, column) {
				return true
			}
		}
	}
	return false
}

// adopts reports whether a column that no document of the table has is taken
// for one of its keypaths all the same: nothing else that is read in the same block, or
// in one that it sees, can have it, and no earlier table there takes it, nor one in a block within.
func (s *Session) adopts(ctx *sql.Context, n *names, table string, r kv.Reader, c columnName) (bool, error) {
	if n.writes[table].sets(c.name) || c.qualifier != "" {
		return true, nil
	}
	if n.aliases[strings.ToLower(c.name)] {
		return false, nil
	}
	view, err := s.definitions()
	if err != nil {
		return false, err
	}
	first := ""
	for block := c.block; block > 0; block = n.around[block] {
		for _, src := range n.sources {
			if src.block != block {
				continue
			}
			if src.derived || src.database == "" && n.common[src.table] {
				return false, nil
			}
			if src.table == table {
				first = cmp.Or(first, table)
				continue
			}
			has, open, known, err := s.sourceHas(ctx, r, view, src, c.name)
			switch {
			case err != nil || has || !known:
				return false, err
			case open:
				first = cmp.Or(first, src.table)
			}
		}
	}
	return first == table, nil
}

// sourceHas reports whether a table that the statement names has a column, and
// whether it would take a column that it has not. What is no table, a view or a
// common table expression, is not known.
func (s *Session) sourceHas(ctx *sql.Context, r kv.Reader, view *catalog.View, src sourceName, column string) (has, open, known bool, err error) {
	database := src.database
	if database == "" {
		database = ctx.GetCurrentDatabase()
	}
	t, ok := view.Table(database, src.table)
	if !ok {
		if _, isView := view.View(database, src.table); isView {
			return false, false, false, nil
		}
		c, _, err := s.findChild(r, view, database, src.table)
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
	if !n.uses(table) {
		return childShape{list: true}, nil
	}
	sh := childShape{list: n.starred(table)}
	seen := map[string]bool{}
	for _, c := range n.columns {
		lower := strings.ToLower(c.name)
		if seen[lower] || !n.qualifies(c, table) {
			continue
		}
		if col := child.reservedColumn(c.name); col != nil {
			sh.value = sh.value || col.part == partValue
			continue
		}
		inner, there, err := child.find(r, c.name)
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
			if err := s.warnUnknownInChild(ctx, child, r, name, c.name); err != nil {
				return childShape{}, err
			}
		}
		seen[lower] = true
		sh.named = append(sh.named, childColumn{column: column{name: c.name}, inner: inner})
	}
	return sh, nil
}

// warnUnknownInChild tells that no element has a keypath, and which one comes
// nearest.
func (s *Session) warnUnknownInChild(ctx *sql.Context, c *child, r kv.Reader, table, name string) error {
	if inner, err := columnKeypath(name); err == nil && unindexed(c.def.Options, append(c.path[:len(c.path):len(c.path)], inner...)) != "" {
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
	warn(ctx, warningUnknownKeypath, "%s", text)
}

// warningUnknownKeypath is MySQL's number for an unknown column.
const warningUnknownKeypath = 1054

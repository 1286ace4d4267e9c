package sqlbackend

import (
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

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
		document: n.mentions(documentColumn) || (w.inserts && len(w.columns) == 0) || len(d.columns) == 0,
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
			mine, err := s.adopts(ctx, n, d, r, c)
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
// statement's table, and the engine would want values for them.
func (s *Session) completeInsert(ctx *sql.Context, insert *ast.Insert) {
	if len(insert.Columns) > 0 || len(insert.OnDup) == 0 || emptyRows(insert.Rows) {
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
	if !ok || !t.Open {
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
		if src.table == table && (src.alias == c.qualifier || src.table == c.qualifier) {
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
// for one of its keypaths all the same: nothing else that the statement reads
// can have it, and no earlier table of the statement takes it.
func (s *Session) adopts(ctx *sql.Context, n *names, d *definition, r kv.Reader, c columnName) (bool, error) {
	table := strings.ToLower(d.Name)
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
	for _, src := range n.sources {
		near := src.block == c.block
		if src.derived {
			if near {
				return false, nil
			}
			continue
		}
		if src.table == table {
			if first == "" && near {
				first = table
			}
			continue
		}
		database := src.database
		if database == "" {
			database = ctx.GetCurrentDatabase()
		}
		other, ok := view.Table(database, src.table)
		if !ok { // a view, a common table expression
			if near {
				return false, nil
			}
			continue
		}
		od, err := s.backend.definitions.of(other)
		if err != nil {
			return false, err
		}
		if od.column(c.name) != nil {
			return false, nil
		}
		if !od.Open {
			continue
		}
		if _, there, err := od.find(r, c.name); err != nil || there {
			return false, err
		}
		if first == "" && near {
			first = src.table
		}
	}
	return first == table, nil
}

// warnUnknown tells that no document has a keypath, and which one comes nearest.
func (s *Session) warnUnknown(ctx *sql.Context, d *definition, r kv.Reader, name string) error {
	key := d.String() + "\x00" + strings.ToLower(name)
	if s.warned[key] {
		return nil
	}
	if s.warned == nil {
		s.warned = map[string]bool{}
	}
	s.warned[key] = true
	all, err := d.collection.Dictionary().All(r)
	if err != nil {
		return err
	}
	candidates := make([]string, 0, len(all)+len(d.columns))
	for i := range d.columns {
		candidates = append(candidates, d.columns[i].name)
	}
	candidates = append(candidates, all...)
	text := "No document of " + d.String() + " has the keypath `" + name + "`"
	if near := document.Nearest(name, candidates); near != "" {
		text += "; did you mean `" + near + "`?"
	}
	warn(ctx, warningUnknownKeypath, "%s", text)
	return nil
}

// warningUnknownKeypath is MySQL's number for an unknown column.
const warningUnknownKeypath = 1054

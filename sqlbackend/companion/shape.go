package companion

import (
	"cmp"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"

	"github.com/sqlfdb/sqlfdb/catalog"
	"github.com/sqlfdb/sqlfdb/kv"
	"github.com/sqlfdb/sqlfdb/sqlbackend/session"
	"github.com/sqlfdb/sqlfdb/sqlbackend/statement"
	"github.com/sqlfdb/sqlfdb/sqlbackend/syntax"
	"github.com/sqlfdb/sqlfdb/sqlbackend/table"
)

// TableShape returns the columns of a table for the running command.
func TableShape(s *session.Session, ctx *sql.Context, d *session.Definition, r kv.Reader) (session.Shape, error) {
	n := s.Parsed.Names()
	tab := strings.ToLower(d.Name)
	if !n.Uses(tab) {
		// The table is not in the statement's FROM: SHOW COLUMNS lists all columns, and definitions (ALTER TABLE, SHOW
		// CREATE TABLE) need the declared ones.
		sh := session.Shape{Document: true, List: n.Show}
		for _, c := range n.Indexed {
			if _, ok := syntax.MarkedExpression(c); ok {
				sh.Expressions = append(sh.Expressions, c)
			}
		}
		if d.Open {
			sh.Indexed = len(n.Indexed) > 0
			for _, c := range n.Indexed {
				if _, marked := syntax.MarkedExpression(c); !marked && d.ColumnNamed(c) == nil &&
					!strings.EqualFold(c, session.DocumentColumn) {
					sh.Named = append(sh.Named, c)
				}
			}
		}
		return sh, nil
	}
	w := n.Writes[tab]
	sh := session.Shape{
		List: n.Starred(tab) && !(w.Inserts && !n.Reads(tab)),
		Document: n.Mentions(session.DocumentColumn) || (w.Inserts && len(w.Columns) == 0) || len(d.SQLColumns) == 0 ||
			(w.Inserts || w.Changes) && table.ChecksDocuments(d),
		Key:      w.Changes,
		Optional: w.Inserts,
	}
	if !d.Open {
		return sh, nil
	}
	seen := map[string]bool{session.DocumentColumn: true, session.HiddenKeyColumn: true}
	for _, c := range n.Columns {
		lower := strings.ToLower(c.Name)
		if seen[lower] || d.ColumnNamed(c.Name) != nil || !n.Qualifies(c, tab) {
			continue
		}
		spelled, there, err := d.Find(r, c.Name)
		if err != nil {
			return session.Shape{}, err
		}
		if !there {
			mine, err := adopts(s, ctx, n, tab, r, c)
			if err != nil {
				return session.Shape{}, err
			}
			if !mine {
				continue
			}
			if !w.Sets(c.Name) {
				if err := s.WarnUnknown(ctx, d, r, c.Name); err != nil {
					return session.Shape{}, err
				}
			}
		}
		if seen[lower] = true; len(sh.Named) >= table.MaxNamedColumns {
			return session.Shape{}, syntax.ErrColumns
		}
		if !strings.EqualFold(spelled, c.Name) {
			spelled = c.Name
		}
		sh.Named = append(sh.Named, spelled)
	}
	return sh, nil
}

// adopts reports whether a column that no document of the table has is still taken as one of its keypaths. No other
// table that the column's block can see may have it, and no earlier table, nor one in an inner block, may take it.
func adopts(s *session.Session, ctx *sql.Context, n *statement.Names, table string, r kv.Reader,
	c statement.ColumnName) (bool,
	error) {
	if n.Writes[table].Sets(c.Name) || c.Qualifier != "" {
		return true, nil
	}
	if n.Aliases[strings.ToLower(c.Name)] {
		return false, nil
	}
	view, err := s.Readers.Definitions()
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
			has, open, known, err := sourceHas(s, ctx, r, view, src, c.Name)
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

// sourceHas reports whether a table that the statement names has a column, and whether it is open: it would take an
// unknown column. known is false for views and common table expressions.
func sourceHas(s *session.Session, ctx *sql.Context, r kv.Reader, view *catalog.View, src statement.SourceName,
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
		c, _, err := findChild(s, r, view, database, src.Table)
		if err != nil || c == nil {
			return false, false, false, err
		}
		if c.reservedColumn(column) != nil {
			return true, true, true, nil
		}
		_, has, err := c.find(r, column)
		return has, true, true, err
	}
	d, err := s.Backend.Definitions.Of(t)
	if err != nil {
		return false, false, false, err
	}
	if d.ColumnNamed(column) != nil {
		return true, d.Open, true, nil
	}
	if !d.Open {
		return false, false, true, nil
	}
	_, has, err = d.Find(r, column)
	return has, true, true, err
}

// childTableShape returns the columns of a child table for the running command; name is the table's name there.
func childTableShape(s *session.Session, ctx *sql.Context, child *child, r kv.Reader, name string) (childShape, error) {
	n := s.Parsed.Names()
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
			sh.value = sh.value || col.Part == PartValue
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
			mine, err := adopts(s, ctx, n, table, r, c)
			if err != nil {
				return childShape{}, err
			}
			if !mine {
				continue
			}
			if err := warnUnknownInChild(s, ctx, child, r, name, c.Name); err != nil {
				return childShape{}, err
			}
		}
		seen[lower] = true
		sh.named = append(sh.named, ChildColumn{Column: session.Column{Name: c.Name}, inner: inner})
	}
	return sh, nil
}

// warnUnknownInChild warns that no element has a keypath, and names the most similar one.
func warnUnknownInChild(s *session.Session, ctx *sql.Context, c *child, r kv.Reader, table, name string) error {
	if inner, err := session.ColumnKeypath(name); err == nil &&
		Unindexed(c.Def.Options, append(c.Path[:len(c.Path):len(c.Path)], inner...)) != "" {
		return nil // unindexed keypaths are not known
	}
	all, err := c.Def.Collection.Dictionary().All(r)
	if err != nil {
		return err
	}
	var candidates []string
	for i := range c.reserved {
		candidates = append(candidates, c.reserved[i].Name)
	}
	for _, p := range all {
		if inner, ok := c.below(p); ok {
			candidates = append(candidates, c.columnName(inner))
		}
	}
	s.WarnColumn(ctx, "No element of "+c.Def.Database+"."+table+" has", name, "_value", candidates)
	return nil
}

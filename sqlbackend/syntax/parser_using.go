package syntax

import (
	"fmt"
	"maps"
	"strings"

	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"github.com/sqlfdb/sqlfdb/sqlbackend/statement"
)

// joinsOn writes the USING of a DELETE as ON: the plan builder forgets the aliases of tables that USING joins, and so
// the table to delete from. NATURAL joins stay, and USING whose left column could belong to several tables.
func joinsOn(stmt ast.Statement) {
	d, ok := stmt.(*ast.Delete)
	if !ok {
		return
	}
	columns := map[string]string{} // the qualified column for a bare name
	for _, e := range d.TableExprs {
		joinOn(e, columns)
	}
	if len(columns) == 0 {
		return
	}
	_ = statement.Walk(qualifying(columns), d.Where, d.OrderBy)
}

// qualifying adds the tables to bare names of columns, outside of subqueries.
func qualifying(columns map[string]string) func(ast.SQLNode) (bool, error) {
	return func(n ast.SQLNode) (bool, error) {
		if c, ok := n.(*ast.ColName); ok && c.Qualifier.IsEmpty() {
			if table, joined := columns[c.Name.Lowered()]; joined {
				c.Qualifier = ast.TableName{Name: ast.NewTableIdent(table)}
			}
		}
		_, inner := n.(*ast.Subquery)
		return !inner, nil
	}
}

// joinOn writes the USING of a table expression as ON, and notes the columns.
func joinOn(e ast.TableExpr, columns map[string]string) {
	j, ok := e.(*ast.JoinTableExpr)
	if !ok {
		return
	}
	joinOn(j.LeftExpr, columns)
	joinOn(j.RightExpr, columns)
	left, right := joinedName(j.LeftExpr), joinedName(j.RightExpr)
	var on ast.Expr
	for _, c := range j.Condition.Using {
		of := left
		if known, joined := columns[c.Lowered()]; joined && of == "" {
			of = known
		}
		if of == "" || right == "" {
			return
		}
		equal := ast.Expr(&ast.ComparisonExpr{Operator: ast.EqualStr, Left: columnNamed(of, c), Right: columnNamed(right, c)})
		if on != nil {
			equal = &ast.AndExpr{Left: on, Right: equal}
		}
		on = equal
	}
	for _, c := range j.Condition.Using {
		switch {
		case j.Join == ast.RightJoinStr:
			columns[c.Lowered()] = right
		case columns[c.Lowered()] == "":
			columns[c.Lowered()] = left
		}
	}
	if on != nil {
		j.Condition = ast.JoinCondition{On: on}
	}
}

func columnNamed(table string, name ast.ColIdent) *ast.ColName {
	return &ast.ColName{Name: name, Qualifier: ast.TableName{Name: ast.NewTableIdent(table)}}
}

// joinedName returns the name of a single table of a join; "" for anything else.
func joinedName(e ast.TableExpr) string {
	t, ok := e.(*ast.AliasedTableExpr)
	if !ok {
		return ""
	}
	if name, ok := t.Expr.(ast.TableName); ok && t.As.IsEmpty() {
		return name.Name.String()
	}
	return t.As.String()
}

// renameShadowing renames common table expressions if a statement also reads a table of that name with its database,
// d.t. The plan builder looks for common table expressions by a table's name, whatever its database.
func renameShadowing(stmt ast.Statement, query string) {
	if !statement.Holds(query, "with") {
		return
	}
	if d, ok := stmt.(*ast.DDL); ok && d.OptSelect != nil { // CREATE TABLE ... SELECT
		stmt = d.OptSelect.Select
	}
	names := commonNames{qualified: map[string]bool{}}
	common := false
	_ = statement.Walk(func(n ast.SQLNode) (bool, error) {
		switch n := n.(type) {
		case *ast.With:
			common = common || n != nil
		case *ast.AliasedTableExpr:
			if n == nil {
				return true, nil
			}
			if t, ok := n.Expr.(ast.TableName); ok && !t.DbQualifier.IsEmpty() {
				names.qualified[strings.ToLower(t.Name.String())] = true
			}
		}
		return true, nil
	}, stmt)
	if common && len(names.qualified) > 0 {
		names.walk(nil, stmt)
	}
}

// commonNames has the names of tables that a statement reads with their databases.
type commonNames struct {
	qualified map[string]bool
	renamed   int
}

// walk gives uses of common table expressions within a node their new names. The map leads from the visible old
// names, in lower case, to the new ones. A name that stays maps to "", and hides an outer one.
func (c *commonNames) walk(named map[string]string, nodes ...ast.SQLNode) {
	_ = statement.Walk(func(n ast.SQLNode) (bool, error) {
		if with := withOf(n); with != nil && *with != nil {
			all := *with
			*with = nil
			c.walk(c.define(named, all), n)
			*with = all
			return false, nil
		}
		t, ok := n.(*ast.AliasedTableExpr)
		if !ok || t == nil {
			return true, nil
		}
		table, ok := t.Expr.(ast.TableName)
		if !ok || !table.DbQualifier.IsEmpty() || named[strings.ToLower(table.Name.String())] == "" {
			return true, nil
		}
		if t.As.IsEmpty() {
			t.As = table.Name
		}
		t.Expr = ast.TableName{Name: ast.NewTableIdent(named[strings.ToLower(table.Name.String())])}
		return true, nil
	}, nodes...)
}

// define adds the names that a WITH defines to the visible names, and returns all.
func (c *commonNames) define(named map[string]string, with *ast.With) map[string]string {
	named = maps.Clone(named)
	if named == nil {
		named = map[string]string{}
	}
	for _, e := range with.Ctes {
		name, next := strings.ToLower(e.As.String()), ""
		if c.qualified[name] {
			c.renamed++
			next = fmt.Sprintf("%s (with %d)", name, c.renamed)
		}
		if with.Recursive {
			named[name] = next
		}
		c.walk(named, e.Expr)
		named[name] = next
		if next != "" {
			e.As = ast.NewTableIdent(next)
		}
	}
	return named
}

// withOf returns a pointer to a node's WITH, nil for nodes that have none.
func withOf(n ast.SQLNode) **ast.With {
	switch n := n.(type) {
	case *ast.Select:
		if n != nil {
			return &n.With
		}
	case *ast.SetOp:
		if n != nil {
			return &n.With
		}
	case *ast.Insert:
		return &n.With
	case *ast.Update:
		return &n.With
	case *ast.Delete:
		return &n.With
	}
	return nil
}

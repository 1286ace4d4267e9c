package syntax

import (
	"fmt"
	"maps"
	"strings"

	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"github.com/sqlfdb/sqlfdb/sqlbackend/statement"
)

// commonApart renames the common table expressions of a statement that also reads a table of such a name with its
// database, d.t: the plan builder looks for common table expressions by a table's name alone.
func commonApart(stmt ast.Statement, query string) {
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

// commonNames are the names of tables that a statement reads with their databases.
type commonNames struct {
	qualified map[string]bool
	renamed   int
}

// walk gives the tables within a node that are common table expressions their new names. It is told those that are
// there, by their old ones in lower case; a name that is kept hides an outer one, as "".
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

// define adds what a WITH defines to the names that are there.
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

// withOf is where a node has its WITH, nil for others.
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

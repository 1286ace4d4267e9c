package syntax

import (
	"slices"
	"strings"

	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"github.com/sqlfdb/sqlfdb/sqlbackend/statement"
)

// columnsForHaving returns aggregates of columns that subqueries of HAVING name only within expressions of GROUP BY.
// The plan builder shows HAVING the columns of aggregates. It shows a column of GROUP BY only where that column is
// grouped by itself, not within an expression.
func columnsForHaving(s *ast.Select) ast.SelectExprs {
	if len(s.GroupBy) == 0 || !hasSubquery(s.Having.Expr) {
		return nil
	}
	h := &havingColumns{grouped: map[string]bool{}}
	_ = statement.Walk(func(n ast.SQLNode) (bool, error) {
		if t, ok := n.(*ast.AliasedTableExpr); ok {
			name, _ := t.Expr.(ast.TableName)
			if !t.As.IsEmpty() {
				name.Name = t.As
			}
			h.tables = append(h.tables, name.Name.String())
		}
		_, within := n.(*ast.Subquery)
		return !within, nil
	}, s.From)
	for _, g := range s.GroupBy {
		switch g.(type) {
		case *ast.ColName, *ast.SQLVal, ast.InjectedExpr:
			continue
		}
		h.grouped[unqualified(g)] = true
		walkOutside(g, func(n ast.SQLNode) bool {
			if c, ok := n.(*ast.ColName); ok && h.column(c) < 0 {
				h.columns = append(h.columns, groupedColumn{name: c})
			}
			return true
		})
	}
	if len(h.columns) == 0 {
		return nil
	}
	_ = statement.Walk(func(n ast.SQLNode) (bool, error) {
		query, ok := n.(*ast.Subquery)
		if ok {
			_ = statement.Walk(h.visit, query)
		}
		return !ok, nil
	}, s.Having.Expr)
	var out ast.SelectExprs
	for _, c := range h.columns {
		if c.named && !c.alone {
			out = append(out, &ast.AliasedExpr{Expr: anyValue(c.name)})
		}
	}
	return out
}

// havingColumns collects the columns of GROUP BY's expressions that subqueries of HAVING name.
type havingColumns struct {
	tables  []string        // of FROM
	grouped map[string]bool // the expressions, by their texts
	columns []groupedColumn
}

type groupedColumn struct {
	name  *ast.ColName
	named bool // within a grouped expression
	alone bool // elsewhere, where it may have several values in a group
}

// visit records the columns in a node of a subquery; it is for statement.Walk.
func (h *havingColumns) visit(n ast.SQLNode) (bool, error) {
	if c, ok := n.(*ast.ColName); ok {
		if i := h.column(c); i >= 0 {
			h.columns[i].alone = true
		}
		return false, nil
	}
	e, ok := n.(ast.Expr)
	if !ok || !h.grouped[unqualified(e)] {
		return true, nil
	}
	_ = statement.Walk(func(n ast.SQLNode) (bool, error) {
		if c, ok := n.(*ast.ColName); ok {
			if i := h.column(c); i >= 0 {
				h.columns[i].named = true
			}
		}
		return true, nil
	}, e)
	return false, nil
}

// column returns the index of the column that a name may mean; -1 if there is none.
func (h *havingColumns) column(name *ast.ColName) int {
	table := name.Qualifier.Name.String()
	if table != "" && !slices.Contains(h.tables, table) { // a table of the subquery
		return -1
	}
	return slices.IndexFunc(h.columns, func(c groupedColumn) bool {
		of := c.name.Qualifier.Name.String()
		return c.name.Name.Equal(name.Name) && (of == "" || table == "" || of == table)
	})
}

// unqualified returns the text of an expression in lower case, without the tables of its columns and the numbers of
// its parameters.
func unqualified(e ast.Expr) string {
	buf := ast.NewTrackedBuffer(func(buf *ast.TrackedBuffer, n ast.SQLNode) {
		if c, ok := n.(*ast.ColName); ok {
			n = c.Name
		}
		n.Format(buf)
	})
	buf.Myprintf("%v", e)
	text := strings.ToLower(buf.String())
	if shape, ok := parameterShape(text); ok {
		return shape
	}
	return text
}

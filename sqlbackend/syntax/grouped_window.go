package syntax

import (
	"fmt"
	"strconv"
	"strings"

	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"github.com/sqlfdb/sqlfdb/sqlbackend/mysqlerr"
	"github.com/sqlfdb/sqlfdb/sqlbackend/statement"
)

// groupedName is the name of the derived table that windowsOverGroups makes.
const groupedName = "grouped"

// GroupedPrefix begins the names of columns of that derived table which are not selected.
const GroupedPrefix = groupedName + " column "

// windowsOverGroups splits a SELECT with windows over groups, which the plan builder has no plan for. The groups
// become a derived table, and the windows are over its rows. Its columns are the expressions with aggregates, the
// grouped expressions, and each column elsewhere.
func windowsOverGroups(s *ast.Select) {
	if !hasWindows(s) || len(s.GroupBy) == 0 && !HasAggregates(s) {
		return
	}
	w := windowSplit{outer: s, columns: map[string]string{}}
	w.split()
	if w.refused != "" {
		failSelect(s, mysqlerr.Unsupported("%s is not supported", w.refused))
	}
}

// isWindow reports whether a node is a window function.
func isWindow(n ast.SQLNode) (*ast.FuncExpr, bool) {
	f, ok := n.(*ast.FuncExpr)
	return f, ok && f.Over != nil
}

// windowed reports whether an expression has a window function outside subqueries.
func windowed(e ast.Expr) bool {
	found := false
	walkOutside(e, func(n ast.SQLNode) bool {
		_, is := isWindow(n)
		found = found || is
		return !found
	})
	return found
}

func hasWindows(s *ast.Select) bool {
	for _, p := range selectParts(s) {
		if windowed(*p) {
			return true
		}
	}
	return false
}

// HasAggregates reports whether a node of a statement has an aggregate.
func HasAggregates(s *ast.Select) bool {
	for _, p := range selectParts(s) {
		if len(aggregatesOf(*p)) > 0 {
			return true
		}
	}
	return false
}

// windowSplit splits one SELECT.
type windowSplit struct {
	outer   *ast.Select
	inner   ast.SelectExprs
	columns map[string]string // the names of the inner columns, by their text
	grouped map[string]bool   // the texts of the grouped expressions
	refused string            // the part that can't be split; empty if there is none
}

func (w *windowSplit) split() {
	s := w.outer
	places, ok := w.plainColumns()
	if !ok {
		return
	}
	w.grouped = map[string]bool{}
	for i, e := range s.GroupBy {
		if v, ok := e.(*ast.SQLVal); ok && v.Type == ast.IntVal {
			place, ok := places[string(v.Val)]
			if !ok {
				w.refused = "the position of a window function in GROUP BY"
				return
			}
			s.GroupBy[i] = place
			continue
		}
		w.grouped[ast.String(e)] = true
	}
	for _, root := range w.roots() {
		w.substitute(root)
	}
	inner := &ast.Select{
		Comments: s.Comments, QueryOpts: ast.QueryOpts{StraightJoinHint: s.QueryOpts.StraightJoinHint},
		SelectExprs: w.inner, From: s.From, Where: s.Where, GroupBy: s.GroupBy, Having: s.Having,
	}
	s.From = ast.TableExprs{&ast.AliasedTableExpr{Expr: &ast.Subquery{Select: inner}, As: ast.NewTableIdent(groupedName)}}
	s.Where, s.GroupBy, s.Having, s.QueryOpts.StraightJoinHint = nil, nil, nil, false
}

// plainColumns turns the selected expressions without windows into columns of the derived table. It returns the
// expressions by their positions, which GROUP BY may use.
func (w *windowSplit) plainColumns() (places map[string]ast.Expr, ok bool) {
	places = map[string]ast.Expr{}
	for i, e := range w.outer.SelectExprs {
		item, ok := e.(*ast.AliasedExpr)
		if !ok {
			w.refused = "* beside window functions over groups"
			return nil, false
		}
		if item.As.IsEmpty() {
			item.As = ast.NewColIdent(shownName(item))
		}
		if windowed(item.Expr) {
			if hasSubquery(item.Expr) {
				w.refused = "a subquery in an expression with a window function over groups"
				return nil, false
			}
			continue
		}
		column := w.column(item.Expr, item.As.String())
		places[fmt.Sprint(i+1)] = item.Expr
		item.Expr, item.InputExpression = column, ""
	}
	return places, true
}

// shownName returns the name that the client sees of a selected expression without an alias.
func shownName(item *ast.AliasedExpr) string {
	if c, ok := item.Expr.(*ast.ColName); ok {
		return c.Name.String()
	}
	if item.InputExpression != "" {
		return item.InputExpression
	}
	return ast.String(item.Expr)
}

// column returns the column of the derived table for an expression, and adds it if needed. HAVING and GROUP BY may
// use its alias.
func (w *windowSplit) column(e ast.Expr, alias string) ast.Expr {
	text := ast.String(e)
	name, ok := w.columns[text]
	if !ok || alias != "" && !strings.EqualFold(alias, name) {
		if name = alias; name == "" || w.isTaken(name) {
			name = GroupedPrefix + strconv.Itoa(len(w.inner)+1)
		}
		w.inner = append(w.inner, &ast.AliasedExpr{Expr: e, As: ast.NewColIdent(name)})
		w.columns[text] = name
	}
	return &ast.ColName{Name: ast.NewColIdent(name), Qualifier: ast.TableName{Name: ast.NewTableIdent(groupedName)}}
}

func (w *windowSplit) isTaken(name string) bool {
	for _, e := range w.inner {
		if e.(*ast.AliasedExpr).As.EqualString(name) {
			return true
		}
	}
	return false
}

// roots returns the expressions that stay in the outer SELECT, also those within windows.
func (w *windowSplit) roots() []*ast.Expr {
	s := w.outer
	var out []*ast.Expr
	for _, e := range s.SelectExprs {
		if item := e.(*ast.AliasedExpr); windowed(item.Expr) {
			out = append(out, &item.Expr)
		}
	}
	for _, o := range s.OrderBy {
		if c, ok := o.Expr.(*ast.ColName); ok && c.Qualifier.IsEmpty() && w.selects(c.Name) {
			continue
		}
		out = append(out, &o.Expr)
	}
	for _, d := range s.Window {
		out = append(out, windowParts((*ast.Over)(d))...)
	}
	return out
}

func (w *windowSplit) selects(name ast.ColIdent) bool {
	for _, e := range w.outer.SelectExprs {
		if e.(*ast.AliasedExpr).As.Equal(name) {
			return true
		}
	}
	return false
}

// windowParts returns the expressions that a window partitions and orders by.
func windowParts(o *ast.Over) []*ast.Expr {
	var out []*ast.Expr
	for i := range o.PartitionBy {
		out = append(out, &o.PartitionBy[i])
	}
	for _, by := range o.OrderBy {
		out = append(out, &by.Expr)
	}
	return out
}

// substitute puts columns of the derived table into an expression of the outer SELECT.
func (w *windowSplit) substitute(root *ast.Expr) {
	var from []ast.Expr
	var further []*ast.Expr
	walkStatementOnce(*root, func(n ast.SQLNode) bool {
		if f, ok := isWindow(n); ok {
			for _, e := range f.Exprs {
				if a, ok := e.(*ast.AliasedExpr); ok {
					further = append(further, &a.Expr)
				}
			}
			further = append(further, windowParts(f.Over)...)
			return false
		}
		e, ok := n.(ast.Expr)
		if !ok {
			return true
		}
		if _, ok := e.(*ast.Subquery); ok {
			w.refused = "a subquery in a window over groups, or in ORDER BY beside one"
			return false
		}
		_, name := e.(*ast.ColName)
		f, call := e.(*ast.FuncExpr)
		_, concat := e.(*ast.GroupConcatExpr)
		_, literal := e.(*ast.SQLVal)
		if name || concat || call && f.IsAggregate() || !literal && w.stands(ast.String(e)) {
			from = append(from, e)
			return false
		}
		return true
	})
	for _, e := range from {
		*root = ast.ReplaceExpr(*root, e, w.column(e, ""))
	}
	for _, e := range further {
		w.substitute(e)
	}
}

// stands reports whether an expression with this text is grouped by, or is a column of the derived table already.
func (w *windowSplit) stands(text string) bool {
	_, known := w.columns[text]
	return known || w.grouped[text]
}

// walkStatementOnce is statement.Walk for a visit function without errors.
func walkStatementOnce(e ast.Expr, visit func(n ast.SQLNode) bool) {
	_ = statement.Walk(func(n ast.SQLNode) (bool, error) { return visit(n), nil }, e)
}

package syntax

import (
	"slices"
	"strconv"
	"strings"

	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"github.com/sqlfdb/sqlfdb/sqlbackend/statement"
)

// MaxOrderAliases bounds how often a command is planned again for another alias.
const MaxOrderAliases = 32

// UnfoundColumn is the lowered name that a message of the plan builder tells of.
func UnfoundColumn(message string) (string, bool) {
	rest, ok := strings.CutPrefix(message, "column ")
	if !ok {
		return "", false
	}
	quoted, err := strconv.QuotedPrefix(rest)
	if err != nil || rest[len(quoted):] != " could not be found in any table in scope" {
		return "", false
	}
	name, err := strconv.Unquote(quoted)
	return strings.ToLower(strings.ReplaceAll(strings.Trim(name, "`"), "``", "`")), err == nil
}

// OrderAliases puts what aliases stand for into the expressions of ORDER BY that name them. What is to be evaluated
// once becomes a derived table, in whose rows they are columns: so does a SELECT DISTINCT, whose rows the columns of
// its own tables would make distinct.
func OrderAliases(stmt ast.Statement, names []string) {
	if len(names) == 0 {
		return
	}
	var derived []*ast.Select
	EachAliasInOrder(stmt, names, func(s *ast.Select, _ *ast.Order, _ *ast.ColName, e *ast.AliasedExpr) {
		if (s.QueryOpts.Distinct || onceEvaluated(e.Expr) && sortsResult(s)) && !slices.Contains(derived, s) {
			derived = append(derived, s)
		}
	})
	EachAliasInOrder(stmt, names, func(s *ast.Select, o *ast.Order, name *ast.ColName, e *ast.AliasedExpr) {
		if !slices.Contains(derived, s) {
			o.Expr = ast.ReplaceExpr(o.Expr, name, &ast.ParenExpr{Expr: e.Expr})
		}
	})
	for _, s := range derived {
		inner := *s
		inner.OrderBy, inner.Limit, inner.Into, inner.Lock, inner.QueryOpts.SQLCalcFoundRows = nil, nil, nil, "", false
		shown := distinctColumns(&inner, s.OrderBy, names)
		if shown == nil {
			shown = ast.SelectExprs{&ast.StarExpr{}}
		}
		*s = ast.Select{
			QueryOpts:   ast.QueryOpts{SQLCalcFoundRows: s.QueryOpts.SQLCalcFoundRows},
			SelectExprs: shown,
			From:        ast.TableExprs{derivedRows(&inner)},
			OrderBy:     s.OrderBy, Limit: s.Limit, Into: s.Into, Lock: s.Lock,
		}
	}
}

// onceEvaluated reports whether an expression can't be evaluated a second time, or takes a query to do so.
func onceEvaluated(e ast.Expr) bool {
	once := false
	_ = statement.Walk(func(n ast.SQLNode) (bool, error) {
		switch n := n.(type) {
		case *ast.Subquery:
			once = true
		case *ast.FuncExpr:
			once = once || n.Over != nil || n.Name.EqualString("rand") || n.Name.EqualString("uuid") ||
				n.Name.EqualString("uuid_short")
		case *ast.AssignmentExpr:
			once = true
		}
		return !once, nil
	}, e)
	return once
}

// sortsResult reports whether ORDER BY names only what is selected.
func sortsResult(s *ast.Select) bool {
	selected := map[string]bool{}
	for _, e := range s.SelectExprs {
		a, ok := e.(*ast.AliasedExpr)
		if !ok {
			return false
		}
		name := a.As.Lowered()
		if c, column := a.Expr.(*ast.ColName); column && a.As.IsEmpty() {
			name = c.Name.Lowered()
		}
		if selected[name] {
			return false // a derived table has no two columns of a name
		}
		selected[name] = true
	}
	within := true
	_ = statement.Walk(func(n ast.SQLNode) (bool, error) {
		switch n := n.(type) {
		case *ast.ColName:
			within = within && n.Qualifier.IsEmpty() && selected[n.Name.Lowered()]
		case *ast.Subquery:
			within = false
		case *ast.FuncExpr:
			within = within && !n.IsAggregate() && n.Over == nil
		}
		return within, nil
	}, s.OrderBy)
	return within
}

// EachAliasInOrder visits where expressions of ORDER BY name an alias of the same SELECT that has one of names, or any
// if there are none: not as the whole expression, which is the alias anyway, and not in subqueries, where it could be a
// column of theirs.
func EachAliasInOrder(stmt ast.SQLNode, names []string,
	visit func(*ast.Select, *ast.Order, *ast.ColName, *ast.AliasedExpr)) {
	switch of := stmt.(type) {
	case *ast.Explain:
		stmt = of.Statement
	case *ast.DDL:
		if of.ViewSpec != nil {
			stmt = of.ViewSpec.ViewExpr
		} else if of.OptSelect != nil {
			stmt = of.OptSelect.Select
		}
	}
	_ = statement.Walk(func(n ast.SQLNode) (bool, error) {
		s, ok := n.(*ast.Select)
		if !ok {
			return true, nil
		}
		for _, o := range s.OrderBy {
			if _, whole := o.Expr.(*ast.ColName); whole {
				continue
			}
			var named []*ast.ColName
			walkOutside(o.Expr, func(n ast.SQLNode) bool {
				if c, ok := n.(*ast.ColName); ok && c.Qualifier.IsEmpty() &&
					(len(names) == 0 || slices.Contains(names, c.Name.Lowered())) {
					named = append(named, c)
				}
				return true
			})
			for _, c := range named {
				if e := aliasOf(s.SelectExprs, c.Name); e != nil {
					visit(s, o, c, e)
				}
			}
		}
		return true, nil
	}, stmt)
}

// aliasOf is what has an alias in a select list; nil if nothing has.
func aliasOf(list ast.SelectExprs, name ast.ColIdent) *ast.AliasedExpr {
	for _, e := range list {
		if a, ok := e.(*ast.AliasedExpr); ok && a.As.Equal(name) {
			return a
		}
	}
	return nil
}

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

// UnfoundColumn returns the lower-cased column name in a message of the plan builder; false for other messages.
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

// OrderAliases replaces aliases within expressions of ORDER BY and GROUP BY by the selected expressions. A query
// becomes a derived table, with the aliases as columns, if ORDER BY must evaluate an expression only once. So does a
// SELECT DISTINCT: the columns of its own tables would make more rows distinct.
func OrderAliases(stmt ast.Statement, names []string) {
	if len(names) == 0 {
		return
	}
	var derived []*ast.Select
	EachAlias(stmt, names, func(s *ast.Select, n NamedAlias) {
		e := n.Meant
		if n.Grouped {
			*n.Clause = ast.ReplaceExpr(*n.Clause, n.Name, aliasMeant(s.SelectExprs, n))
			return
		}
		if (s.QueryOpts.Distinct || onceEvaluated(e.Expr) && sortsResult(s)) && !slices.Contains(derived, s) {
			derived = append(derived, s)
		}
	})
	EachAlias(stmt, names, func(s *ast.Select, n NamedAlias) {
		if !n.Grouped && !slices.Contains(derived, s) {
			*n.Clause = ast.ReplaceExpr(*n.Clause, n.Name, &ast.ParenExpr{Expr: n.Meant.Expr})
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

// onceEvaluated reports whether an expression can't be evaluated a second time, or contains a query.
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

// sortsResult reports whether ORDER BY names only selected columns.
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
			return false // a derived table can't have two columns of one name
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

// NamedAlias is a use of a SELECT's alias within an expression of its ORDER BY or GROUP BY.
type NamedAlias struct {
	Clause  *ast.Expr // the expression in the list of ORDER BY or GROUP BY
	Grouped bool      // it is in GROUP BY
	Name    *ast.ColName
	Meant   *ast.AliasedExpr
}

// EachAlias visits the expressions of ORDER BY and GROUP BY that name an alias of the same SELECT, one of names, or
// any if names is empty. It skips subqueries, where the name could be a column of theirs. It also skips an alias as
// the whole expression, which needs no change. Only in the GROUP BY of a subquery does it visit that one: it could be
// an outer column.
func EachAlias(stmt ast.SQLNode, names []string, visit func(*ast.Select, NamedAlias)) {
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
	within := map[*ast.Select]bool{}
	_ = statement.Walk(func(n ast.SQLNode) (bool, error) {
		if q, ok := n.(*ast.Subquery); ok {
			_ = statement.Walk(func(n ast.SQLNode) (bool, error) {
				if s, ok := n.(*ast.Select); ok {
					within[s] = true
				}
				return true, nil
			}, q.Select)
			return false, nil
		}
		return true, nil
	}, stmt)
	_ = statement.Walk(func(n ast.SQLNode) (bool, error) {
		s, ok := n.(*ast.Select)
		if !ok {
			return true, nil
		}
		for _, o := range s.OrderBy {
			if _, whole := o.Expr.(*ast.ColName); !whole {
				aliasesIn(s, &o.Expr, false, names, visit)
			}
		}
		for i := range s.GroupBy {
			if _, whole := s.GroupBy[i].(*ast.ColName); !whole || within[s] {
				aliasesIn(s, &s.GroupBy[i], true, names, visit)
			}
		}
		return true, nil
	}, stmt)
}

// aliasesIn is EachAlias for one expression of a clause.
func aliasesIn(s *ast.Select, clause *ast.Expr, grouped bool, names []string, visit func(*ast.Select, NamedAlias)) {
	var named []*ast.ColName
	walkOutside(*clause, func(n ast.SQLNode) bool {
		if c, ok := n.(*ast.ColName); ok && c.Qualifier.IsEmpty() &&
			(len(names) == 0 || slices.Contains(names, c.Name.Lowered())) {
			named = append(named, c)
		}
		return true
	})
	for _, c := range named {
		if e := aliasOf(s.SelectExprs, c.Name); e != nil {
			visit(s, NamedAlias{Clause: clause, Grouped: grouped, Name: c, Meant: e})
		}
	}
}

// aliasMeant returns the replacement of an alias in GROUP BY. It is the position of the alias in the list if the
// alias is the whole expression and no star stands before it.
func aliasMeant(list ast.SelectExprs, n NamedAlias) ast.Expr {
	if *n.Clause != ast.Expr(n.Name) && (len(aggregatesOf(n.Meant.Expr)) > 0 || windowed(n.Meant.Expr)) {
		return n.Name // aggregates and windows can't be grouped by
	}
	if *n.Clause == ast.Expr(n.Name) {
		for i, e := range list {
			if _, star := e.(*ast.StarExpr); star {
				break
			}
			if e == ast.SelectExpr(n.Meant) {
				return ast.NewIntVal([]byte(strconv.Itoa(i + 1)))
			}
		}
	}
	return &ast.ParenExpr{Expr: n.Meant.Expr}
}

// aliasOf returns the item of a select list with an alias; nil if there is none.
func aliasOf(list ast.SelectExprs, name ast.ColIdent) *ast.AliasedExpr {
	for _, e := range list {
		if a, ok := e.(*ast.AliasedExpr); ok && a.As.Equal(name) {
			return a
		}
	}
	return nil
}

package syntax

import (
	"strings"

	ast "github.com/dolthub/vitess/go/vt/sqlparser"
)

// UnionFound turns a set operation whose first SELECT has SQL_CALC_FOUND_ROWS into a derived table: the plan builder
// keeps that option for a SELECT alone.
func UnionFound(stmt ast.Statement) ast.Statement {
	union, ok := stmt.(*ast.SetOp)
	if !ok || union.Limit == nil {
		return stmt
	}
	s, _ := firstSelect(union)
	if s == nil || !s.QueryOpts.SQLCalcFoundRows || !hasDistinctNames(s) {
		return stmt
	}
	s.QueryOpts.SQLCalcFoundRows = false
	all := *union
	all.OrderBy, all.Limit, all.Into, all.Lock = nil, nil, nil, ""
	return &ast.Select{
		QueryOpts:   ast.QueryOpts{SQLCalcFoundRows: true},
		SelectExprs: ast.SelectExprs{&ast.StarExpr{}},
		From:        ast.TableExprs{derivedRows(&all)},
		OrderBy:     union.OrderBy, Limit: union.Limit, Into: union.Into, Lock: union.Lock,
	}
}

// hasDistinctNames reports whether no two columns of a SELECT have one name, as a derived table requires.
func hasDistinctNames(s *ast.Select) bool {
	names := map[string]bool{}
	for _, e := range s.SelectExprs {
		switch e := e.(type) {
		case *ast.StarExpr:
			if len(s.SelectExprs) > 1 || tablesInJoin(s.From) > 1 {
				return false
			}
		case *ast.AliasedExpr:
			name := e.As.Lowered()
			if c, column := e.Expr.(*ast.ColName); column && name == "" {
				name = c.Name.Lowered()
			} else if name == "" {
				name = strings.ToLower(ast.String(e.Expr))
			}
			if names[name] {
				return false
			}
			names[name] = true
		}
	}
	return true
}

// derivedRows returns a query as a derived table.
func derivedRows(query ast.SelectStatement) *ast.AliasedTableExpr {
	return &ast.AliasedTableExpr{Expr: &ast.Subquery{Select: query}, As: ast.NewTableIdent("derived rows"),
		Auth: ast.AuthInformation{AuthType: ast.AuthType_IGNORE}}
}

package syntax

import (
	"strconv"
	"strings"

	ast "github.com/dolthub/vitess/go/vt/sqlparser"
)

// The engine puts a projection over both sides of each set operation whose columns' types differ. It asks each
// projection for the columns below it once for each column, so a chain of them takes exponential time. ODBC drivers
// read the list of types with a UNION of some forty SELECTs of literals, whose types differ by their lengths.

// literalChain is the least number of SELECTs in a chain of set operations whose types are made equal.
const literalChain = 4

// LiteralUnions gives the literals of long chains of SELECTs without tables equal types, column by column.
func LiteralUnions(stmt ast.Statement) {
	done := map[ast.SelectStatement]bool{}
	_ = ast.Walk(func(n ast.SQLNode) (bool, error) {
		if top, ok := n.(*ast.SetOp); ok && !done[top] {
			var parts []*ast.Select
			if literalParts(top, done, &parts) && len(parts) >= literalChain {
				equalTypes(parts)
			}
		}
		return true, nil
	}, stmt)
}

// literalParts collects the SELECTs of a chain, and reports whether all select literals alone.
func literalParts(s ast.SelectStatement, done map[ast.SelectStatement]bool, parts *[]*ast.Select) bool {
	switch s := s.(type) {
	case *ast.SetOp:
		done[s] = true
		left := literalParts(s.Left, done, parts)
		return literalParts(s.Right, done, parts) && left
	case *ast.ParenSelect:
		return literalParts(s.Select, done, parts)
	case *ast.Select:
		if len(s.From) > 0 {
			return false
		}
		for _, e := range s.SelectExprs {
			if x, ok := e.(*ast.AliasedExpr); !ok || literalKind(x.Expr) == notLiteral {
				return false
			}
		}
		*parts = append(*parts, s)
		return len(s.SelectExprs) == len((*parts)[0].SelectExprs)
	}
	return false
}

type kindOfLiteral int

const (
	notLiteral kindOfLiteral = iota
	nullLiteral
	integerLiteral
	textLiteral
)

func literalKind(e ast.Expr) kindOfLiteral {
	if u, ok := e.(*ast.UnaryExpr); ok && u.Operator == ast.MinusStr {
		if literalKind(u.Expr) == integerLiteral {
			return integerLiteral
		}
		return notLiteral
	}
	switch e := e.(type) {
	case *ast.NullVal:
		return nullLiteral
	case *ast.SQLVal:
		switch e.Type {
		case ast.StrVal:
			return textLiteral
		case ast.IntVal:
			if _, err := strconv.ParseInt(string(e.Val), 10, 64); err == nil {
				return integerLiteral
			}
		}
	}
	return notLiteral
}

func equalTypes(parts []*ast.Select) {
	for i := range parts[0].SelectExprs {
		var kinds [textLiteral + 1]bool
		for _, p := range parts {
			kinds[literalKind(p.SelectExprs[i].(*ast.AliasedExpr).Expr)] = true
		}
		typ := "char"
		switch {
		case kinds[integerLiteral] && kinds[textLiteral], !kinds[integerLiteral] && !kinds[textLiteral]:
			continue
		case kinds[integerLiteral]:
			typ = "signed"
		}
		for _, p := range parts {
			x := p.SelectExprs[i].(*ast.AliasedExpr)
			if p == parts[0] && x.As.IsEmpty() {
				x.As = ast.NewColIdent(literalName(x))
			}
			x.Expr = &ast.ConvertExpr{Name: "cast", Expr: x.Expr, Type: &ast.ConvertType{Type: typ}}
		}
	}
}

// literalName returns the engine's name for a selected literal, or other expression, without an alias.
func literalName(x *ast.AliasedExpr) string {
	if v, ok := x.Expr.(*ast.SQLVal); ok && v.Type == ast.StrVal {
		if text := string(v.Val); strings.ReplaceAll(text, "'", "''") == x.InputExpression {
			return text
		}
	}
	return x.InputExpression
}

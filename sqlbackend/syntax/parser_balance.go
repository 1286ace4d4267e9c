package syntax

import (
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"github.com/sqlfdb/sqlfdb/sqlbackend/statement"
)

// unbalanced is how many operands of one AND or OR the engine can nest one inside the other without harm.
const unbalanced = 32

// balance makes trees of low depth of the conditions of WHERE, HAVING and ON. The parser makes a OR b OR c … as deep
// as it is long, and the engine's work grows with the square of the depth. Each rule checks for each part whether all
// expressions below it are resolved. The order of the operands stays, and so does the meaning of the condition.
func balance(stmt ast.SQLNode) {
	_ = statement.Walk(func(n ast.SQLNode) (bool, error) {
		switch n := n.(type) {
		case *ast.Where:
			if n != nil {
				n.Expr = balanced(n.Expr)
			}
		case *ast.JoinTableExpr:
			n.Condition.On = balanced(n.Condition.On)
		}
		return true, nil
	}, stmt)
}

func balanced(e ast.Expr) ast.Expr {
	switch e := e.(type) {
	case *ast.ParenExpr:
		e.Expr = balanced(e.Expr)
	case *ast.NotExpr:
		e.Expr = balanced(e.Expr)
	case *ast.OrExpr:
		return balancedChain(e, orOperands, func(l, r ast.Expr) ast.Expr { return &ast.OrExpr{Left: l, Right: r} })
	case *ast.AndExpr:
		return balancedChain(e, andOperands, func(l, r ast.Expr) ast.Expr { return &ast.AndExpr{Left: l, Right: r} })
	}
	return e
}

// balancedChain returns a chain of one operator as a tree.
func balancedChain(e ast.Expr, operands func(ast.Expr) (l, r ast.Expr, ok bool),
	join func(l, r ast.Expr) ast.Expr) ast.Expr {
	var parts []ast.Expr
	rest := []ast.Expr{e} // the next operand is last
	for len(rest) > 0 {
		next := rest[len(rest)-1]
		rest = rest[:len(rest)-1]
		if l, r, ok := operands(next); ok {
			rest = append(rest, r, l)
			continue
		}
		parts = append(parts, balanced(next))
	}
	if len(parts) < unbalanced {
		return e
	}
	for len(parts) > 1 {
		pairs := parts[:0]
		for i := 0; i < len(parts); i += 2 {
			if i+1 == len(parts) {
				pairs = append(pairs, parts[i])
				break
			}
			pairs = append(pairs, join(parts[i], parts[i+1]))
		}
		parts = pairs
	}
	return parts[0]
}

func orOperands(e ast.Expr) (l, r ast.Expr, ok bool) {
	if or, is := e.(*ast.OrExpr); is {
		return or.Left, or.Right, true
	}
	return nil, nil, false
}

func andOperands(e ast.Expr) (l, r ast.Expr, ok bool) {
	if and, is := e.(*ast.AndExpr); is {
		return and.Left, and.Right, true
	}
	return nil, nil, false
}

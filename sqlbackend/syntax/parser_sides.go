package syntax

import (
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"github.com/sqlfdb/sqlfdb/sqlbackend/statement"
)

// namedSides names the columns of set operations that are sides of others: the plan builder finds them by numbers,
// which those that are computed without a name, and those that stand twice, have not for themselves. They get the names
// that they have anyway.
func namedSides(stmt ast.SQLNode, query string) {
	if !statement.Holds(query, "union") && !statement.Holds(query, "intersect") && !statement.Holds(query, "except") {
		return
	}
	_ = statement.Walk(func(n ast.SQLNode) (bool, error) {
		if set, ok := n.(*ast.SetOp); ok && set != nil {
			for _, side := range []ast.SelectStatement{set.Left, set.Right} {
				if first, nested := firstSelect(side); nested {
					nameColumns(first)
				}
			}
		}
		return true, nil
	}, stmt)
}

// firstSelect is the SELECT that names the columns of a query, nil if none does, and whether a set operation stands
// around it.
func firstSelect(s ast.SelectStatement) (first *ast.Select, nested bool) {
	for {
		switch at := s.(type) {
		case *ast.ParenSelect:
			s = at.Select
		case *ast.SetOp:
			s, nested = at.Left, true
		case *ast.Select:
			return at, nested
		default:
			return nil, false
		}
	}
}

func nameColumns(s *ast.Select) {
	seen := map[string]bool{}
	for _, e := range s.SelectExprs {
		e, ok := e.(*ast.AliasedExpr)
		if !ok || !e.As.IsEmpty() {
			continue
		}
		name := literalName(e)
		if c, ok := e.Expr.(*ast.ColName); ok {
			text := ast.String(c)
			if !seen[text] {
				seen[text] = true
				continue
			}
			name = c.Name.String()
		}
		if name != "" {
			e.As = ast.NewColIdent(name)
		}
	}
}

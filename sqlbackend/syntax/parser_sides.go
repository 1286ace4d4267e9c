package syntax

import (
	"slices"

	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"github.com/sqlfdb/sqlfdb/sqlbackend/statement"
)

// namedSides names the columns of set operations that are sides of others. The plan builder finds these columns by
// numbers, which computed columns without a name and repeated columns do not have for themselves. They get the names
// that they have in the result anyway.
func namedSides(stmt ast.SQLNode, query string) {
	balancedUnions(stmt, query)
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

// longChain is the least number of SELECTs in a chain of UNIONs that is built as a tree. mixedChain is the least
// number where they have literals of several kinds.
const (
	longChain  = 5
	mixedChain = 8
)

// balancedUnions turns long chains of UNIONs of one kind into trees, which have the same rows in the same order. The
// plan builder puts a projection over both sides of each whose columns' types differ. Each projection asks for the
// columns below once for every column, so the time is exponential in the depth.
func balancedUnions(stmt ast.SQLNode, query string) {
	if !statement.Holds(query, "union") || statement.Holds(query, "recursive") {
		return
	}
	made := map[ast.SelectStatement]bool{}
	_ = statement.Walk(func(n ast.SQLNode) (bool, error) {
		top, ok := n.(*ast.SetOp)
		if !ok || top == nil || made[top] {
			return true, nil
		}
		if sides := chainOf(top); len(sides) >= mixedChain || len(sides) >= longChain && !mixedLiterals(sides) {
			half := len(sides) / 2
			top.Left, top.Right = unionTree(top.Type, sides[:half], made), unionTree(top.Type, sides[half:], made)
		}
		return true, nil
	}, stmt)
}

// mixedLiterals reports whether the sides of a UNION have literals of several kinds in one column. Types are
// converted in pairs: a tree of such sides gives other texts than the chain.
func mixedLiterals(sides []ast.SelectStatement) bool {
	kinds := map[int]ast.ValType{}
	for _, side := range sides {
		s, ok := side.(*ast.Select)
		if !ok {
			continue
		}
		for i, e := range s.SelectExprs {
			item, ok := e.(*ast.AliasedExpr)
			if !ok {
				break
			}
			v, ok := item.Expr.(*ast.SQLVal)
			if !ok {
				continue
			}
			if kind, known := kinds[i]; known && kind != v.Type {
				return true
			}
			kinds[i] = v.Type
		}
	}
	return false
}

// chainOf returns the sides of a chain of UNIONs of one kind, nil for other set operations.
func chainOf(top *ast.SetOp) []ast.SelectStatement {
	switch top.Type {
	case ast.UnionStr, ast.UnionAllStr, ast.UnionDistinctStr:
	default:
		return nil
	}
	sides := []ast.SelectStatement{top.Right}
	at := top.Left
	for {
		set, ok := at.(*ast.SetOp)
		if !ok || set.Type != top.Type || len(set.OrderBy) > 0 || set.Limit != nil || set.With != nil || set.Into != nil ||
			set.Lock != "" {
			break
		}
		sides, at = append(sides, set.Right), set.Left
	}
	sides = append(sides, at)
	slices.Reverse(sides)
	return sides
}

func unionTree(kind string, sides []ast.SelectStatement, made map[ast.SelectStatement]bool) ast.SelectStatement {
	if len(sides) == 1 {
		return sides[0]
	}
	half := len(sides) / 2
	u := &ast.SetOp{Type: kind, Left: unionTree(kind, sides[:half], made), Right: unionTree(kind, sides[half:], made)}
	made[u] = true
	return u
}

// firstSelect returns the SELECT that names the columns of a query, nil if there is none, and whether a set operation
// is around it.
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

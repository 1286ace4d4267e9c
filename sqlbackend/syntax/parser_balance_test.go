package syntax

import (
	"fmt"
	"strings"
	"testing"

	ast "github.com/dolthub/vitess/go/vt/sqlparser"
)

// TestBalance: long conditions become trees of little depth, with their operands in the order
// that they had; short ones stay.
func TestBalance(t *testing.T) {
	var depth func(e ast.Expr) int
	depth = func(e ast.Expr) int {
		switch e := e.(type) {
		case *ast.OrExpr:
			return 1 + max(depth(e.Left), depth(e.Right))
		case *ast.AndExpr:
			return 1 + max(depth(e.Left), depth(e.Right))
		case *ast.NotExpr:
			return depth(e.Expr)
		case *ast.ParenExpr:
			return depth(e.Expr)
		}
		return 0
	}
	for _, c := range []struct {
		terms, depth int
	}{{unbalanced - 1, unbalanced - 2}, {unbalanced, 5}, {1000, 10}, {5000, 13}} {
		for _, joint := range []string{" OR ", " AND "} {
			terms := make([]string, c.terms)
			for i := range terms {
				terms[i] = fmt.Sprintf("n = %d", i)
			}
			chain := strings.Join(terms, joint)
			for _, query := range []string{
				"SELECT 1 FROM t WHERE " + chain,
				"SELECT 1 FROM t WHERE NOT (" + chain + ")",
				"DELETE FROM t WHERE " + chain,
				"SELECT 1 FROM t JOIN u ON " + chain,
			} {
				stmt, err := ast.Parse(query)
				if err != nil {
					t.Fatal(err)
				}
				before := ast.String(stmt)
				balance(stmt)
				if after := ast.String(stmt); after != before {
					t.Fatalf("%.60s… became %.200s", before, after)
				}
				var got int
				switch s := stmt.(type) {
				case *ast.Delete:
					got = depth(s.Where.Expr)
				case *ast.Select:
					if s.Where == nil {
						got = depth(s.From[0].(*ast.JoinTableExpr).Condition.On)
					} else {
						got = depth(s.Where.Expr)
					}
				}
				if got != c.depth {
					t.Errorf("%.60s… of %d terms: depth %d, not %d", query, c.terms, got, c.depth)
				}
			}
		}
	}
}

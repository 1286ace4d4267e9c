package sqlbackend

import ast "github.com/dolthub/vitess/go/vt/sqlparser"

// walkStatement is ast.Walk that also visits what the parser's own leaves out of a
// UNION, INTERSECT or EXCEPT: the WITH before it, and ORDER BY and LIMIT behind it.
func walkStatement(visit ast.Visit, nodes ...ast.SQLNode) error {
	return ast.Walk(func(n ast.SQLNode) (bool, error) {
		further, err := visit(n)
		if set, ok := n.(*ast.SetOp); ok && set != nil && further && err == nil {
			err = walkStatement(visit, set.With, set.OrderBy, set.Limit)
		}
		return further, err
	}, nodes...)
}

package statement

import ast "github.com/dolthub/vitess/go/vt/sqlparser"

// Walk is ast.Walk that also visits the parts of a UNION, INTERSECT or EXCEPT that the
// parser's own leaves out. These are the WITH before it, and ORDER BY and LIMIT behind it.
func Walk(visit ast.Visit, nodes ...ast.SQLNode) error {
	return ast.Walk(func(n ast.SQLNode) (bool, error) {
		further, err := visit(n)
		if set, ok := n.(*ast.SetOp); ok && set != nil && further && err == nil {
			err = Walk(visit, set.With, set.OrderBy, set.Limit)
		}
		return further, err
	}, nodes...)
}

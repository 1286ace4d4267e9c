package sqlbackend

import (
	"context"

	"github.com/dolthub/go-mysql-server/sql"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"
)

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

// CountParameters is how many parameters a statement has that is to be prepared, as
// the parser of an Engine reads it; ok is false where it can't be read.
func CountParameters(ctx context.Context, query string, options ast.ParserOptions) (n int, ok bool) {
	stmt, _, err := newParser(sql.GlobalParser).ParseOneWithOptions(ctx, query, options)
	if err != nil || stmt == nil {
		return 0, false
	}
	_ = walkStatement(func(node ast.SQLNode) (bool, error) {
		if v, ok := node.(*ast.SQLVal); ok && v.Type == ast.ValArg {
			n++
		}
		return true, nil
	}, stmt)
	return n, true
}

package syntax

import (
	"slices"

	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"github.com/sqlfdb/sqlfdb/sqlbackend/rollup"
	"github.com/sqlfdb/sqlfdb/sqlbackend/statement"
)

// expandRollups replaces what is grouped WITH ROLLUP in a statement, from the inside.
func expandRollups(stmt ast.SQLNode, query string) error {
	if !statement.Holds(query, rollup.Mark) {
		return nil
	}
	if d, ok := stmt.(*ast.DDL); ok && d.OptSelect != nil { // CREATE TABLE ... SELECT
		stmt = d.OptSelect.Select
	}
	var found []*ast.Select
	_ = statement.Walk(func(n ast.SQLNode) (bool, error) {
		if s, ok := n.(*ast.Select); ok {
			found = append(found, s)
		}
		return true, nil
	}, stmt)
	for _, s := range slices.Backward(found) {
		if err := rollup.Expand(s); err != nil {
			return err
		}
	}
	return nil
}

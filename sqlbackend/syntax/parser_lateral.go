package syntax

import (
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"github.com/sqlfdb/sqlfdb/sqlbackend/statement"
)

// lateralAfterComma turns a, l JOIN b ON c in FROM, where l is a JSON_TABLE or LATERAL, into (a JOIN l ON TRUE) JOIN
// b ON c. The plan builder shows l the tables before the comma only if l stands alone.
func lateralAfterComma(stmt ast.SQLNode, query string) {
	if !statement.Holds(query, "join") || !statement.Holds(query, "json_table") && !statement.Holds(query, "lateral") {
		return
	}
	_ = statement.Walk(func(n ast.SQLNode) (bool, error) {
		if s, ok := n.(*ast.Select); ok && s != nil {
			s.From = joinedToLateral(s.From)
		}
		return true, nil
	}, stmt)
}

func joinedToLateral(from ast.TableExprs) ast.TableExprs {
	var out ast.TableExprs
	for _, item := range from {
		leaf := lateralLeaf(item)
		if leaf == nil || len(out) == 0 {
			out = append(out, item)
			continue
		}
		all := out[0]
		for _, t := range out[1:] {
			all = crossed(all, t)
		}
		leaf.LeftExpr = crossed(all, leaf.LeftExpr)
		out = ast.TableExprs{item}
	}
	return out
}

// lateralLeaf returns the innermost join of a chain whose first table is lateral, nil for others. A right join gives
// rows without such a table. NATURAL and USING compare names, and would see more of them.
func lateralLeaf(item ast.TableExpr) *ast.JoinTableExpr {
	for {
		join, ok := item.(*ast.JoinTableExpr)
		if !ok || join.Join != ast.JoinStr && join.Join != ast.LeftJoinStr || len(join.Condition.Using) > 0 {
			return nil
		}
		switch t := join.LeftExpr.(type) {
		case *ast.JSONTableExpr:
			return join
		case *ast.AliasedTableExpr:
			if t.Lateral {
				return join
			}
			return nil
		}
		item = join.LeftExpr
	}
}

func crossed(left, right ast.TableExpr) ast.TableExpr {
	return &ast.JoinTableExpr{LeftExpr: left, Join: ast.JoinStr, RightExpr: right,
		Condition: ast.JoinCondition{On: ast.BoolVal(true)}}
}

package explain

import (
	"fmt"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/plan"

	"github.com/sqlfdb/sqlfdb/sqlbackend/operator"
	"github.com/sqlfdb/sqlfdb/sqlbackend/session"
	"github.com/sqlfdb/sqlfdb/sqlbackend/table"
)

// engineNode explains a node of go-mysql-server's that reads no table itself.
func engineNode(n sql.Node) table.Explanation {
	switch n := n.(type) {
	case *plan.Project:
		return table.Explanation{Operation: "Project", Detail: expressionsText(n.Projections)}
	case *plan.Filter:
		return table.Explanation{Operation: "Filter", Detail: operator.ExprText(n.Expression)}
	case *operator.OrNulls:
		return table.Explanation{Operation: "Filter, or a row of NULLs", Detail: operator.ExprText(n.Condition)}
	case *plan.Having:
		return table.Explanation{Operation: "Filter groups", Detail: operator.ExprText(n.Cond)}
	case *plan.Sort:
		return table.Explanation{Operation: "Sort", Detail: operator.SortText(n.SortFields),
			Extra: []string{"Using filesort"}}
	case *plan.TopN:
		return table.Explanation{Operation: "Sort",
			Detail: operator.SortText(n.Fields) + ", keep " + operator.ExprText(n.Limit),
			Extra:  []string{"Using filesort"}}
	case *plan.Limit:
		return table.Explanation{Operation: "Limit", Detail: operator.ExprText(n.Limit) + " rows"}
	case *plan.Offset:
		return table.Explanation{Operation: "Skip", Detail: operator.ExprText(n.Offset) + " rows"}
	case *plan.GroupBy:
		e := table.Explanation{Operation: "Aggregate", Detail: expressionsText(n.SelectedExprs)}
		if len(n.GroupByExprs) > 0 {
			e.Operation, e.Extra = "Group", []string{"Using temporary"}
			e.Detail = "by " + expressionsText(n.GroupByExprs) + ": " + e.Detail
		}
		return e
	case *plan.Window:
		return table.Explanation{Operation: "Window", Detail: expressionsText(n.SelectExprs),
			Extra: []string{"Using temporary"}}
	case *plan.Distinct, *plan.OrderedDistinct:
		return table.Explanation{Operation: "Remove duplicates", Extra: []string{"Using temporary"}}
	case *plan.JoinNode:
		return joinText(n)
	case *plan.HashLookup:
		return table.Explanation{Operation: "Hash", Detail: operator.ExprText(n.RightEntryKey) + " looked up by " +
			operator.ExprText(n.LeftProbeKey),
			Extra: []string{"Using join buffer (hash join)"}}
	case *plan.CachedResults:
		return table.Explanation{Operation: "Keep the rows, to give them again"}
	case *plan.SetOp:
		return table.Explanation{Operation: setOperationName(n)}
	case *plan.SubqueryAlias:
		return table.Explanation{Operation: "Derived table " + n.Name()}
	case *plan.InsertInto:
		return table.Explanation{Operation: insertName(n)}
	case *plan.UpdateSource:
		return table.Explanation{Operation: "Set", Detail: setText(n.UpdateExprs)}
	case *plan.Update:
		return table.Explanation{Operation: "Update"}
	case *plan.DeleteFrom:
		return table.Explanation{Operation: "Delete"}
	case *plan.Truncate: // of a DELETE without a condition; there is no EXPLAIN of a TRUNCATE
		return table.Explanation{Operation: "Delete", Detail: "all rows"}
	case *plan.EmptyTable:
		return table.Explanation{Operation: "No rows", Extra: []string{"Impossible WHERE"}}
	case *plan.Values:
		return table.Explanation{Operation: "Rows", Detail: fmt.Sprintf("%d given", len(n.ExpressionTuples))}
	}
	name, _, _ := strings.Cut(n.String(), "\n")
	return table.Explanation{Operation: strings.TrimSpace(name)}
}

func insertName(n *plan.InsertInto) string {
	if n.IsReplace {
		return "Replace"
	}
	return "Insert"
}

func setOperationName(n *plan.SetOp) string {
	name := map[int]string{plan.UnionType: "Union", plan.IntersectType: "Intersect",
		plan.ExceptType: "Except"}[n.SetOpType]
	if !n.Distinct {
		name += " all"
	}
	if len(n.SortFields) > 0 {
		name += ", sort by " + operator.SortText(n.SortFields)
	}
	if n.Limit != nil {
		name += ", keep " + operator.ExprText(n.Limit)
	}
	if n.Offset != nil {
		name += ", skip " + operator.ExprText(n.Offset)
	}
	return name
}

// joinText explains a join. Its costs and rows are the engine's own estimates, by which it
// has chosen the order.
func joinText(n *plan.JoinNode) table.Explanation {
	kind := "nested loop"
	switch {
	case n.Op.IsHash():
		kind = "hash"
	case n.Op.IsMerge():
		kind = "merge"
	case n.Op.IsLookup():
		kind = "lookup"
	case n.Op.IsRange():
		kind = "range"
	}
	side := "inner"
	switch {
	case n.Op.IsCross():
		side = "cross"
	case n.Op.IsLeftOuter():
		side = "left"
	case n.Op.IsFullOuter():
		side = "full outer"
	case n.Op.IsSemi():
		side = "semi"
	case n.Op.IsAnti():
		side = "anti"
	}
	e := table.Explanation{Operation: "Join, " + side + ", " + kind}
	if n.Filter != nil {
		e.Detail = operator.ExprText(n.Filter)
	}
	if n.HasStats {
		e.Facts = append(e.Facts, fmt.Sprintf("rows: about %s, cost: %.1f", session.Grouped(int64(n.EstimatedRowCount)),
			n.Cost))
	}
	return e
}

func setText(list []sql.Expression) string {
	texts := make([]string, len(list))
	for i, e := range list {
		texts[i] = strings.TrimPrefix(operator.ExprText(e), "SET ")
	}
	return strings.Join(texts, ", ")
}

func expressionsText(list []sql.Expression) string {
	texts := make([]string, len(list))
	for i, e := range list {
		texts[i] = operator.ExprText(e)
	}
	return strings.Join(texts, ", ")
}

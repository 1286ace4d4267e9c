package sqlbackend

import (
	"fmt"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/plan"

	"github.com/sqlfdb/sqlfdb/sqlbackend/operator"
)

// engineNode explains a node of go-mysql-server's that reads no table itself.
func engineNode(n sql.Node) explanation {
	switch n := n.(type) {
	case *plan.Project:
		return explanation{operation: "Project", detail: expressionsText(n.Projections)}
	case *plan.Filter:
		return explanation{operation: "Filter", detail: operator.ExprText(n.Expression)}
	case *operator.OrNulls:
		return explanation{operation: "Filter, or a row of NULLs", detail: operator.ExprText(n.Condition)}
	case *plan.Having:
		return explanation{operation: "Filter groups", detail: operator.ExprText(n.Cond)}
	case *plan.Sort:
		return explanation{operation: "Sort", detail: sortText(n.SortFields), extra: []string{"Using filesort"}}
	case *plan.TopN:
		return explanation{operation: "Sort", detail: sortText(n.Fields) + ", keep " + operator.ExprText(n.Limit),
			extra: []string{"Using filesort"}}
	case *plan.Limit:
		return explanation{operation: "Limit", detail: operator.ExprText(n.Limit) + " rows"}
	case *plan.Offset:
		return explanation{operation: "Skip", detail: operator.ExprText(n.Offset) + " rows"}
	case *plan.GroupBy:
		e := explanation{operation: "Aggregate", detail: expressionsText(n.SelectedExprs)}
		if len(n.GroupByExprs) > 0 {
			e.operation, e.extra = "Group", []string{"Using temporary"}
			e.detail = "by " + expressionsText(n.GroupByExprs) + ": " + e.detail
		}
		return e
	case *plan.Window:
		return explanation{operation: "Window", detail: expressionsText(n.SelectExprs), extra: []string{"Using temporary"}}
	case *plan.Distinct, *plan.OrderedDistinct:
		return explanation{operation: "Remove duplicates", extra: []string{"Using temporary"}}
	case *plan.JoinNode:
		return joinText(n)
	case *plan.HashLookup:
		return explanation{operation: "Hash", detail: operator.ExprText(n.RightEntryKey) + " looked up by " +
			operator.ExprText(n.LeftProbeKey),
			extra: []string{"Using join buffer (hash join)"}}
	case *plan.CachedResults:
		return explanation{operation: "Keep the rows, to give them again"}
	case *plan.SetOp:
		return explanation{operation: setOperationName(n)}
	case *plan.SubqueryAlias:
		return explanation{operation: "Derived table " + n.Name()}
	case *plan.InsertInto:
		return explanation{operation: insertName(n)}
	case *plan.UpdateSource:
		return explanation{operation: "Set", detail: setText(n.UpdateExprs)}
	case *plan.Update:
		return explanation{operation: "Update"}
	case *plan.DeleteFrom:
		return explanation{operation: "Delete"}
	case *plan.Truncate: // of a DELETE without a condition; there is no EXPLAIN of a TRUNCATE
		return explanation{operation: "Delete", detail: "all rows"}
	case *plan.EmptyTable:
		return explanation{operation: "No rows", extra: []string{"Impossible WHERE"}}
	case *plan.Values:
		return explanation{operation: "Rows", detail: fmt.Sprintf("%d given", len(n.ExpressionTuples))}
	}
	name, _, _ := strings.Cut(n.String(), "\n")
	return explanation{operation: strings.TrimSpace(name)}
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
		name += ", sort by " + sortText(n.SortFields)
	}
	if n.Limit != nil {
		name += ", keep " + operator.ExprText(n.Limit)
	}
	if n.Offset != nil {
		name += ", skip " + operator.ExprText(n.Offset)
	}
	return name
}

// joinText explains a join; what it is thought to cost and to give are the
// engine's own estimates, by which it has chosen the order.
func joinText(n *plan.JoinNode) explanation {
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
	e := explanation{operation: "Join, " + side + ", " + kind}
	if n.Filter != nil {
		e.detail = operator.ExprText(n.Filter)
	}
	if n.HasStats {
		e.facts = append(e.facts, fmt.Sprintf("rows: about %s, cost: %.1f", grouped(int64(n.EstimatedRowCount)), n.Cost))
	}
	return e
}

func sortText(fields sql.SortFields) string {
	texts := make([]string, len(fields))
	for i, f := range fields {
		texts[i] = operator.ExprText(f.Column)
		if f.Order == sql.Descending {
			texts[i] += " DESC"
		}
	}
	return strings.Join(texts, ", ")
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

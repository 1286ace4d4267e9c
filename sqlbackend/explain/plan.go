package explain

import (
	"fmt"
	"slices"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/plan"

	"github.com/sqlfdb/sqlfdb/costing"
	"github.com/sqlfdb/sqlfdb/sqlbackend/aggregate"
	"github.com/sqlfdb/sqlfdb/sqlbackend/buckettable"
	"github.com/sqlfdb/sqlfdb/sqlbackend/companion"
	"github.com/sqlfdb/sqlfdb/sqlbackend/compile"
	"github.com/sqlfdb/sqlfdb/sqlbackend/join"
	"github.com/sqlfdb/sqlfdb/sqlbackend/order"
	"github.com/sqlfdb/sqlfdb/sqlbackend/session"
	"github.com/sqlfdb/sqlfdb/sqlbackend/subquery"
	"github.com/sqlfdb/sqlfdb/sqlbackend/table"
	"github.com/sqlfdb/sqlfdb/sqlbackend/tree"
)

// explainedNode is one node of a plan as EXPLAIN shows it. The three formats are
// made from the tree of them.
type explainedNode struct {
	table.Explanation
	node     sql.Node
	selectID uint64
	kind     string          // MySQL's select_type
	filtered bool            // a filter stands above the table
	above    []string        // what the nodes above do, for the column Extra
	actual   *session.Actual // EXPLAIN ANALYZE: what it has done, as far as that is known
	subquery bool            // the query of an expression of the node above it
	gave     string          // what the subquery gave when it was run to plan the statement
	counted  bool            // actual is known, and is not in the analysis
	children []*explainedNode
}

// explainer makes the tree from a plan.
type explainer struct {
	ctx *sql.Context
	ids uint64
	// bound are the subqueries that are planned for each outer row, as far as they are explained.
	bound map[*subquery.Bound]bool
}

// explainPlan explains a plan, and the subqueries that have been run to make it.
func explainPlan(ctx *sql.Context, n sql.Node, evaluated []session.EvaluatedQuery) (*explainedNode, error) {
	e := &explainer{ctx: ctx}
	root, err := e.node(n, surroundings{id: e.nextID(), kind: "SIMPLE"})
	if err != nil {
		return nil, err
	}
	for _, q := range evaluated {
		child, err := e.node(q.Plan, surroundings{id: e.nextID(), kind: "SUBQUERY"})
		if err != nil {
			return nil, err
		}
		child.subquery, child.gave = true, q.Gave
		root.children = append(root.children, child)
	}
	if e.ids > 1 {
		root.each(func(n *explainedNode) {
			if n.kind == "SIMPLE" {
				n.kind = "PRIMARY"
			}
		})
	}
	return root, nil
}

func (n *explainedNode) each(f func(*explainedNode)) {
	f(n)
	for _, child := range n.children {
		child.each(f)
	}
}

func (e *explainer) nextID() uint64 {
	e.ids++
	return e.ids
}

// surroundings are what the nodes above a node say of it.
type surroundings struct {
	id       uint64
	kind     string // MySQL's select_type
	alias    string
	filtered bool // a filter stands directly above
	joined   bool // it is below a join
	extra    []string
}

func (e *explainer) node(n sql.Node, at surroundings) (*explainedNode, error) {
	switch n := n.(type) {
	case *plan.TableAlias:
		at.alias = n.Name()
		return e.node(n.Child, at)
	case *join.Side:
		return e.node(n.Child, at) // its table says it
	case *join.BucketSide:
		return e.node(n.Child, at)
	case *order.LimitedDrive:
		return e.node(n.Child, at)
	case *order.StandIn:
		return e.node(n.Child, at)
	case *plan.IndexedTableAccess:
		return e.lookup(n, at)
	case *plan.ResolvedTable:
		return e.table(n, at)
	case *plan.SubqueryAlias:
		return e.derived(n, at)
	case *subquery.Rows:
		told, err := e.node(n.Query, at) // as it stands
		if err == nil {
			told.bindingTo("")
		}
		return told, err
	}
	out := &explainedNode{node: n, selectID: at.id, kind: at.kind, filtered: at.filtered, above: at.extra}
	if ours, ok := n.(table.Explained); ok {
		out.Explanation = ours.Explain()
	} else {
		out.Explanation = engineNode(n)
	}
	_, filters := n.(*plan.Filter)
	if at.kind == "SIMPLE" || at.kind == "PRIMARY" || at.kind == "DERIVED" {
		if by := compile.Executor(e.ctx, n); by != "" && (!filters || !at.joined) {
			out.Facts = append(out.Facts, "executor: "+by)
		}
	}
	out.filtered = filters
	if err := e.below(n, out, at); err != nil {
		return nil, err
	}
	return out, e.subqueries(n, out)
}

// below explains the node's children.
func (e *explainer) below(n sql.Node, out *explainedNode, at surroundings) error {
	if out.Table == "" { // otherwise they are shown with it
		at.extra = slices.Concat(at.extra, out.Extra)
	}
	switch n := n.(type) {
	case *plan.Filter:
		at.filtered = true
	case *plan.JoinNode:
		at.joined, at.filtered = true, false
	case *plan.InsertInto:
		return e.insert(n, out, at)
	case *plan.Update:
		at.kind, at.filtered = "UPDATE", false
	case *plan.DeleteFrom, *plan.Truncate:
		at.kind, at.filtered = "DELETE", false
	default:
		at.filtered = false
	}
	for i, child := range join.InOrder(n) {
		next := at
		if i > 0 {
			next.extra = nil // sorting and grouping are shown with the first table
		}
		separate, ok := n.(*aggregate.SeparateAggregates)
		_, groups := n.(*aggregate.SeparateGroups)
		if _, bounded := n.(*order.BoundedOrder); bounded && i > 0 || ok && i == len(separate.Pieces) || groups && i == 2 {
			next.extra = []string{"Used if the walk before is given up"}
		}
		if _, ok := n.(*plan.SetOp); ok && i > 0 {
			next = surroundings{id: e.nextID(), kind: "UNION"}
		}
		explained, err := e.node(child, next)
		if err != nil {
			return err
		}
		out.children = append(out.children, explained)
	}
	if set, ok := n.(*plan.SetOp); ok && set.Distinct {
		out.united()
	}
	return nil
}

// united makes a set operation the last line of EXPLAIN's table, as MySQL has it:
// what removes the duplicates of all its parts.
func (n *explainedNode) united() {
	var ids []string
	for _, child := range n.children {
		if inner, ok := child.node.(*plan.SetOp); ok && inner.Distinct {
			ids = append(ids, strings.TrimSuffix(strings.TrimPrefix(child.Table, "<union"), ">"))
			child.Table = ""
			continue
		}
		ids = append(ids, fmt.Sprint(child.selectID))
	}
	n.Table, n.kind, n.Access, n.selectID = "<union"+strings.Join(ids, ",")+">", "UNION RESULT", "ALL", 0
	n.Extra = append(n.Extra, "Using temporary")
}

// insert explains an INSERT or REPLACE: its table, and the query that it takes
// rows from.
func (e *explainer) insert(n *plan.InsertInto, out *explainedNode, at surroundings) error {
	out.kind = "INSERT"
	if n.IsReplace {
		out.kind = "REPLACE"
	}
	if named, ok := n.Destination.(sql.Nameable); ok {
		out.Table, out.Access = named.Name(), "ALL"
	}
	source, err := e.node(n.Source, surroundings{id: at.id, kind: "SIMPLE"})
	out.children = append(out.children, source)
	return err
}

// derived explains a derived table or a view.
func (e *explainer) derived(n *plan.SubqueryAlias, at surroundings) (*explainedNode, error) {
	id := e.nextID()
	out := &explainedNode{node: n, Explanation: engineNode(n), selectID: at.id, kind: at.kind, filtered: at.filtered,
		above: at.extra}
	out.Table, out.Access = fmt.Sprintf("<derived%d>", id), "ALL"
	kind := "DERIVED"
	if !n.Correlated.Empty() {
		kind = "DEPENDENT DERIVED"
	}
	child, err := e.node(n.Child, surroundings{id: id, kind: kind})
	out.children = append(out.children, child)
	return out, err
}

// subqueries explains the queries in a node's expressions.
func (e *explainer) subqueries(n sql.Node, out *explainedNode) error {
	expressioner, ok := n.(sql.Expressioner)
	if !ok {
		return nil
	}
	var err error
	for _, expr := range expressioner.Expressions() {
		sql.Inspect(expr, func(expr sql.Expression) bool {
			if bound, ok := expr.(*subquery.Value); ok && err == nil {
				var children []*explainedNode
				children, err = e.planEach(n, bound)
				out.children = append(out.children, children...)
				return false
			}
			sq, ok := expr.(*plan.Subquery)
			if !ok || err != nil {
				return err == nil
			}
			kind := "SUBQUERY"
			if !sq.Correlated().Empty() {
				kind = "DEPENDENT SUBQUERY"
			}
			var child *explainedNode
			if child, err = e.node(sq.Query, surroundings{id: e.nextID(), kind: kind}); err == nil {
				child.subquery = true
				out.children = append(out.children, child)
			}
			return false
		})
	}
	return err
}

// named is the node of a table.
func (at surroundings) named(n sql.Node, name string) *explainedNode {
	if at.alias != "" {
		name = at.alias
	} else if alias := placeNameOf(n); alias != "" && !strings.EqualFold(alias, name) {
		name = alias // the engine drops the alias of a table that it reads along a path
	}
	out := &explainedNode{node: n, selectID: at.id, kind: at.kind, filtered: at.filtered, above: at.extra}
	out.Table = name
	return out
}

// placeNameOf is the name by which a statement knows the table of a node; empty
// where it is none of ours.
func placeNameOf(n sql.Node) string {
	if t, ok := n.(sql.TableNode); ok {
		if t, ok := t.UnderlyingTable().(tree.Placeable); ok {
			return t.At().Name
		}
	}
	return ""
}

// lookup explains a table that is read along an access path, or looked up by the
// engine for each row of a join.
func (e *explainer) lookup(n *plan.IndexedTableAccess, at surroundings) (*explainedNode, error) {
	out := at.named(n, n.Name())
	switch p := plan.GetIndexLookup(n).Ranges.(type) {
	case *table.AccessPath:
		out.Explanation = p.Explanation(out.Table)
	case *companion.ChildPath:
		out.Explanation = p.Explanation(out.Table)
	case *aggregate.Path:
		out.Explanation = p.Explanation(out.Table)
	case *companion.FeedPath:
		out.Explanation = p.Explanation(out.Table)
	case *companion.MapPath:
		out.Explanation = p.Explanation(out.Table)
	case sql.Describable:
		out.Operation, out.Access = "Read "+out.Table, "range"
		out.Detail = p.Describe(sql.DescribeOptions{})
	default:
		out.Operation, out.Access = "Look up in "+out.Table, "ref"
		if name := n.Index(); name != nil {
			out.Key = name.ID()
		}
		out.Ref = expressionsText(n.Expressions())
	}
	return out, nil
}

// table explains a table that is read as a whole.
func (e *explainer) table(n *plan.ResolvedTable, at surroundings) (*explainedNode, error) {
	out := at.named(n, n.Name())
	if plan.IsDualTable(n.UnderlyingTable()) {
		out.Table, out.Operation, out.Extra = "", "One row", []string{"No tables used"}
		return out, nil
	}
	out.Operation, out.Access = "Table scan on "+out.Table, "ALL"
	switch t := n.UnderlyingTable().(type) {
	case *companion.ChildTable:
		path, err := t.Plan(e.ctx, nil)
		if err != nil {
			return nil, err
		}
		if path != nil && path.Candidate != nil {
			out.Explanation = path.Explanation(out.Table)
			out.Access, out.At = "ALL", t
		}
	case *join.BatchTable:
		out.Explanation = t.Way.Explanation(out.Table)
		out.EntriesOnly = t.EntriesOnly()
	case *join.BatchChild:
		out.Explanation = t.Way.Explanation(out.Table)
	case *join.BatchFeed:
		out.Explanation = t.Way.Explanation(out.Table)
		out.EntriesOnly = !t.Documents
	case *companion.MapTable:
		path := t.Path
		if path == nil {
			var err error
			if path, err = t.Everything(e.ctx); err != nil {
				return nil, err
			}
		}
		out.Explanation = path.Explanation(out.Table)
		out.At = t
	case *companion.ChangesTable:
		if path, ok := t.Session.Planning.Scans[t.Place].(*table.AccessPath); ok {
			out.Explanation = path.Explanation(out.Table)
		} else {
			documents, _, err := t.RowCount(e.ctx)
			if err != nil {
				return nil, err
			}
			out.Estimate = &costing.Estimate{Keys: int64(documents), Bound: int64(documents), Exact: true}
		}
		out.EntriesOnly, out.At = !t.Documents, t
	case *buckettable.Table:
		told, err := t.Explain(e.ctx, out.Table)
		if err != nil {
			return nil, err
		}
		out.Explanation = told
	case *table.Table:
		if path, ok := t.Session.Planning.Scans[t.Place].(*table.AccessPath); ok {
			out.Explanation = path.Explanation(out.Table)
			out.At = t
			break
		}
		documents, _, err := t.Counted(e.ctx)
		if err != nil {
			return nil, err
		}
		out.Estimate = &costing.Estimate{Keys: documents, Bound: documents, Exact: true}
	}
	if out.At == nil {
		out.At = n.UnderlyingTable()
	}
	return out, nil
}

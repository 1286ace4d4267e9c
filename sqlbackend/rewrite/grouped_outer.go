package rewrite

import (
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/analyzer"
	"github.com/dolthub/go-mysql-server/sql/analyzer/analyzererrors"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/transform"

	"github.com/sqlfdb/sqlfdb/sqlbackend/operator"
	"github.com/sqlfdb/sqlfdb/sqlbackend/syntax"
	"github.com/sqlfdb/sqlfdb/sqlbackend/tree"
)

// GroupedRule hands the columns of grouped rows up to correlated subqueries above a GROUP BY or window functions, in
// SELECT, HAVING and ORDER BY. The plan builder hands up only the columns that stand in SELECT itself. A subquery
// with any other column would read the wrong value.
//
// It is idempotent, and runs before all rules that make copies of expressions, so that aggregates keep their numbers:
// see NumberedConcat.
func GroupedRule(ctx *sql.Context, _ *analyzer.Analyzer, n sql.Node, _ *plan.Scope, _ analyzer.RuleSelector,
	flags *sql.QueryFlags) (sql.Node, transform.TreeIdentity, error) {
	if !analyzer.FlagIsSet(flags, sql.QFlagAggregation) && !analyzer.FlagIsSet(flags, sql.QFlagScalarSubquery) {
		return n, transform.SameTree, nil
	}
	return groupings{full: sql.LoadSqlMode(ctx).ModeEnabled(sql.OnlyFullGroupBy)}.within(n)
}

type groupings struct {
	full bool // ONLY_FULL_GROUP_BY
}

// within handles each GROUP BY of a statement and of its subqueries.
func (g groupings) within(n sql.Node) (sql.Node, transform.TreeIdentity, error) {
	next, same, err := tree.EachSubquery(n, g.within)
	if err != nil {
		return n, transform.SameTree, err
	}
	var above sql.Node
	if groupedBelow(next) != nil {
		above, err = g.selection(next)
	} else if windowBelow(next) != nil {
		above, err = throughWindow(next)
	}
	if err != nil {
		return n, transform.SameTree, err
	}
	if above != nil {
		next, same = above, transform.NewTree
	}
	next, below, err := tree.EachChild(next, g.within)
	return next, same && below, err
}

// groupedBelow returns the GROUP BY of the SELECT that a node is a part of, nil if it has none.
func groupedBelow(n sql.Node) *plan.GroupBy {
	for {
		switch of := n.(type) {
		case *plan.GroupBy:
			return of
		case *plan.Project, *plan.Having, *plan.Filter, *plan.Sort, *plan.TopN, *plan.Limit, *plan.Offset, *plan.Distinct,
			*plan.Window:
			n = n.Children()[0]
		default:
			return nil
		}
	}
}

// selection handles one SELECT with GROUP BY, from its uppermost node down. It returns nil if nothing changes.
func (g groupings) selection(top sql.Node) (sql.Node, error) {
	var chain []sql.Node // the nodes above the GROUP BY, from the uppermost
	n := top
	for {
		if _, ok := n.(*plan.GroupBy); ok {
			break
		}
		chain = append(chain, n)
		n = n.Children()[0]
	}
	group := n.(*plan.GroupBy)
	selected, changed := operator.NumberAggregates(group.SelectedExprs)
	repeated, err := syntax.PlainRepeated(chain)
	if err != nil {
		return nil, err
	}
	numbered, err := operator.NumberFields(chain, selected)
	if err != nil {
		return nil, err
	}
	outer, err := numberGrouped(chain, group.Child)
	if err != nil {
		return nil, err
	}
	selected, plain, err := syntax.PlainArguments(selected)
	if err != nil {
		return nil, err
	}
	changed = changed || repeated || numbered || outer || plain
	wanted, highest, err := g.outerColumns(group, chain)
	if err != nil {
		return nil, err
	}
	if len(wanted) == 0 && !changed {
		return nil, nil
	}
	out, err := letThrough(chain, highest, plan.NewGroupBy(append(selected, wanted...), group.GroupByExprs, group.Child),
		wanted)
	if err == nil && len(wanted) > 0 && !resultAbove(chain, highest) {
		out = plan.NewProject(outputs(top), out)
	}
	return out, err
}

// outerColumns returns the columns of grouped rows that subqueries above read and that the groups don't give yet. The
// second result is the place in the chain of the uppermost node with such a subquery. It returns no columns if they
// can't be handed up: more columns would make more rows distinct, or become columns of the result.
func (g groupings) outerColumns(group *plan.GroupBy, chain []sql.Node) (wanted []sql.Expression, highest int,
	err error) {
	grouped, have := map[string]bool{}, sql.ColSet{}
	for _, e := range group.GroupByExprs {
		grouped[groupText(e)] = true
	}
	for _, e := range group.SelectedExprs {
		if f, ok := e.(*expression.GetField); ok {
			have.Add(f.Id())
		}
	}
	rows := columnsOf(group.Child)
	highest = -1
	for i, n := range chain {
		x, ok := n.(sql.Expressioner)
		if !ok {
			continue
		}
		var look func(e sql.Expression, determined bool)
		look = func(e sql.Expression, determined bool) {
			q, ok := e.(*plan.Subquery)
			if !ok {
				determined = determined || grouped[groupText(e)]
				for _, child := range e.Children() {
					look(child, determined)
				}
				return
			}
			determined = determined || !g.full || grouped[groupText(q)]
			for _, f := range FieldsWithin(q.Query, rows) {
				if highest < 0 {
					highest = i
				}
				if have.Contains(f.Id()) {
					continue
				}
				if err == nil && !determined && !determinedBy(group, f) {
					err = analyzererrors.ErrValidationGroupBy.New(f.String())
				}
				have.Add(f.Id())
				wanted = append(wanted, f)
			}
		}
		for _, e := range x.Expressions() {
			if operator.HoldsSubquery(e) {
				look(e, false)
			}
		}
	}
	if err != nil || len(wanted) == 0 {
		return nil, -1, err
	}
	for _, n := range chain[highest+1:] {
		switch n.(type) {
		case *plan.Distinct, *plan.Window:
			return nil, -1, nil
		}
	}
	if !resultAbove(chain, highest) && outputs(chain[0]) == nil {
		return nil, -1, nil
	}
	return wanted, highest, nil
}

// numberGrouped sets the column numbers of the fields above a GROUP BY, and in the subqueries there, that name
// columns of the grouped rows. In HAVING, the plan builder leaves out the numbers of aggregates' arguments.
func numberGrouped(chain []sql.Node, rows sql.Node) (changed bool, err error) {
	var columns map[string]*expression.GetField
	for i, n := range chain {
		next, same, err := tree.NodeExpressions(n, func(e sql.Expression) (sql.Expression, transform.TreeIdentity, error) {
			f, field := e.(*expression.GetField)
			q, subquery := e.(*plan.Subquery)
			if !subquery && (!field || f.Id() != 0 || f.Table() == "") {
				return e, transform.SameTree, nil
			}
			if columns == nil {
				columns = fieldsOf(rows, map[string]*expression.GetField{})
			}
			if subquery {
				return withNumbers(q, columns)
			}
			if numbered, ok := columns[fieldName(f.Table(), f.Name())]; ok {
				return numbered, transform.NewTree, nil
			}
			return e, transform.SameTree, nil
		})
		if err != nil {
			return false, err
		}
		if !same {
			chain[i], changed = next, true
		}
	}
	return changed, nil
}

// fieldsOf adds the columns of the tables, views and derived tables that a FROM reads, under table and column name.
func fieldsOf(n sql.Node, out map[string]*expression.GetField) map[string]*expression.GetField {
	if t, ok := n.(plan.TableIdNode); ok {
		for _, e := range tableFields(t, t.Name()) {
			f := e.(*expression.GetField)
			out[fieldName(f.Table(), f.Name())] = f
		}
		return out
	}
	for _, child := range n.Children() {
		fieldsOf(child, out)
	}
	return out
}

// withNumbers returns a subquery whose unnumbered fields get the numbers of the outer columns that they name.
func withNumbers(q *plan.Subquery, columns map[string]*expression.GetField) (sql.Expression, transform.TreeIdentity,
	error) {
	correlated := q.Correlated().Copy()
	number := func(e sql.Expression) (sql.Expression, transform.TreeIdentity, error) {
		switch e := e.(type) {
		case *expression.GetField:
			if f, ok := columns[fieldName(e.Table(), e.Name())]; ok && e.Id() == 0 {
				correlated.Add(f.Id())
				return f, transform.NewTree, nil
			}
		case *plan.Subquery:
			next, same, err := withNumbers(e, columns)
			if nested, ok := next.(*plan.Subquery); ok && !bool(same) {
				given := nested.Correlated()
				for _, f := range columns {
					if given.Contains(f.Id()) {
						correlated.Add(f.Id())
					}
				}
			}
			return next, same, err
		}
		return e, transform.SameTree, nil
	}
	query, same, err := transform.NodeWithOpaque(q.Query,
		func(n sql.Node) (sql.Node, transform.TreeIdentity, error) { return tree.NodeExpressions(n, number) })
	if err != nil || same {
		return q, transform.SameTree, err
	}
	return q.WithQuery(query).WithCorrelated(correlated), transform.NewTree, nil
}

// groupText returns an expression's text as the plan builder compares it.
func groupText(e sql.Expression) string { return strings.ToLower(tree.Unaliased(e).String()) }

// determinedBy reports whether an expression has one value in each group.
func determinedBy(group *plan.GroupBy, e sql.Expression) bool {
	if len(group.GroupByExprs) == 0 {
		return true // MySQL has another error for it, and so has the engine where it sees it
	}
	keys := make([]sql.Expression, len(group.GroupByExprs))
	for i, k := range group.GroupByExprs {
		keys[i] = tree.Unaliased(k)
	}
	return undetermined(plan.NewGroupBy([]sql.Expression{e}, keys, group.Child)) == nil
}

func among(projections []sql.Expression, id sql.ColumnId) bool {
	for _, e := range projections {
		if f, ok := e.(*expression.GetField); ok && f.Id() == id {
			return true
		}
	}
	return false
}

// columnsOf returns the columns of the tables, views and derived tables that a FROM reads.
func columnsOf(n sql.Node) sql.ColSet {
	var out sql.ColSet
	if t, ok := n.(plan.TableIdNode); ok {
		return t.Columns()
	}
	for _, child := range n.Children() {
		out = out.Union(columnsOf(child))
	}
	return out
}

// FieldsWithin returns the columns out of rows that a subquery names, each once.
func FieldsWithin(query sql.Node, rows sql.ColSet) []*expression.GetField {
	var out []*expression.GetField
	var seen sql.ColSet
	var nodes func(n sql.Node)
	expressions := func(e sql.Expression) bool {
		switch e := e.(type) {
		case *plan.Subquery:
			nodes(e.Query)
		case *expression.GetField:
			if rows.Contains(e.Id()) && !seen.Contains(e.Id()) {
				seen.Add(e.Id())
				out = append(out, e)
			}
		}
		return true
	}
	nodes = func(n sql.Node) {
		if x, ok := n.(sql.Expressioner); ok {
			for _, e := range x.Expressions() {
				sql.Inspect(e, expressions)
			}
		}
		for _, child := range n.Children() {
			nodes(child)
		}
	}
	nodes(query)
	return out
}

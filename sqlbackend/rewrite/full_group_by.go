package rewrite

import (
	"slices"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/analyzer"
	"github.com/dolthub/go-mysql-server/sql/analyzer/analyzererrors"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/transform"
	"github.com/dolthub/vitess/go/mysql"

	"github.com/sqlfdb/sqlfdb/sqlbackend/mysqlerr"
	"github.com/sqlfdb/sqlfdb/sqlbackend/syntax"
)

// FullGroupRule refuses, under ONLY_FULL_GROUP_BY, selected or sorted expressions above a grouping of tables that
// have no single value in a group. In SELECT a AS b … GROUP BY b, where the tables have a column b too, that column
// is grouped by, as in MySQL. So a may have several values in a group. The rule sees the query as the plan builder
// has made it, with all of its conditions, on which values may depend. It does not judge groupings of outer joins and
// derived tables, for which MySQL knows more dependences.
func FullGroupRule(ctx *sql.Context, _ *analyzer.Analyzer, n sql.Node, scope *plan.Scope, _ analyzer.RuleSelector,
	flags *sql.QueryFlags) (sql.Node, transform.TreeIdentity, error) {
	if !analyzer.FlagIsSet(flags, sql.QFlagAggregation) || !scope.IsEmpty() || scope.RecursionDepth() > 0 ||
		!sql.LoadSqlMode(ctx).ModeEnabled(sql.OnlyFullGroupBy) {
		return n, transform.SameTree, nil
	}
	plain := true
	err := fullyGrouped(n, nil, &plain)
	if s := plannerOf(ctx); s != nil {
		*s.CheckedGroups() = plain && err == nil
	}
	return n, transform.SameTree, err
}

// fullyGrouped checks the groupings in a node; above holds the expressions over the node's rows. It sets plain to
// false if a grouping reads anything but tables.
func fullyGrouped(n sql.Node, above []sql.Expression, plain *bool) error {
	switch n := n.(type) {
	case *plan.CreateView, *plan.ShowColumns, *plan.ShowCreateTable, *plan.ShowIndexes:
		return nil
	case *plan.Project:
		whole := len(above) == 0
		above = above[:len(above):len(above)]
		for _, e := range n.Projections {
			// The query above may not read every column that a lower projection hands up. And columns for a window
			// may be grouped by in another spelling, with other parameters.
			_, column := e.(*expression.GetField)
			if a, alias := e.(*expression.Alias); (whole || !column) &&
				!(alias && strings.HasPrefix(a.Name(), syntax.GroupedPrefix)) {
				above = append(above, e)
			}
		}
	case *plan.Sort, *plan.TopN:
		if !isOneGroup(n) { // MySQL does not sort one row
			above = append(above[:len(above):len(above)], n.(sql.Expressioner).Expressions()...)
		}
	case *plan.Having:
		above = append(above[:len(above):len(above)], n.Expressions()...)
	case *plan.Distinct, *plan.Limit, *plan.Offset:
	case *plan.GroupBy:
		*plain = *plain && plainTables(n.Child)
		if err := determinedAbove(n, above); err != nil {
			return err
		}
		above = nil
	default:
		above = nil
	}
	if x, ok := n.(sql.Expressioner); ok {
		for _, e := range x.Expressions() {
			var err error
			sql.Inspect(e, func(e sql.Expression) bool {
				if q, ok := e.(*plan.Subquery); ok && err == nil {
					err = fullyGrouped(q.Query, nil, plain)
				}
				return err == nil
			})
			if err != nil {
				return err
			}
		}
	}
	for _, child := range n.Children() {
		if err := fullyGrouped(child, above, plain); err != nil {
			return err
		}
	}
	return nil
}

// isOneGroup reports whether a node sorts the one group of all rows.
func isOneGroup(n sql.Node) bool {
	for {
		switch at := n.(type) {
		case *plan.Sort, *plan.TopN, *plan.Project, *plan.Having, *plan.Distinct:
			n = at.Children()[0]
		case *plan.GroupBy:
			return len(at.GroupByExprs) == 0
		default:
			return false
		}
	}
}

// determinedAbove returns an error if an expression above a grouping reads a column that the group does not
// determine.
func determinedAbove(g *plan.GroupBy, above []sql.Expression) error {
	for _, e := range g.GroupByExprs {
		a, ok := e.(*expression.Alias)
		if ok && slices.ContainsFunc(g.SelectedExprs, func(e sql.Expression) bool {
			_, aggregate := e.(sql.Aggregation)
			return aggregate && strings.EqualFold(e.String(), a.Child.String())
		}) {
			return mysql.NewSQLError(mysqlerr.WrongGroupField, "42000", "Can't group on '%s'", a.Name())
		}
	}
	if !plainTables(g.Child) {
		return nil
	}
	tables := map[string]bool{}
	for _, c := range g.Child.Schema() {
		tables[strings.ToLower(c.Source)] = true
	}
	columns := map[string]bool{} // columns of the tables that are handed up unchanged, without those of outer queries
	for _, e := range g.SelectedExprs {
		if f, ok := e.(*expression.GetField); ok && tables[strings.ToLower(f.Table())] {
			columns[strings.ToLower(f.String())] = true
		}
	}
	if len(columns) == 0 {
		return nil
	}
	grouped := map[string]bool{}
	for _, e := range g.GroupByExprs {
		e = groupedExpression(e)
		grouped[strings.ToLower(e.String())] = true
		if a, ok := e.(*expression.Alias); ok {
			grouped[strings.ToLower(groupedExpression(a.Child).String())] = true
		}
	}
	var known *dependences
	for _, e := range above {
		for undeterminedColumn(e, columns, grouped) != nil {
			if known == nil {
				known = dependencesOf(g)
			}
			if known.columns(grouped) {
				continue
			}
			f := undeterminedColumn(e, columns, grouped)
			if len(g.GroupByExprs) == 0 {
				return mysql.NewSQLError(mysqlerr.MixOfGroup, "42000",
					"In aggregated query without GROUP BY, nonaggregated column '%s' is not determined", f)
			}
			return analyzererrors.ErrValidationGroupBy.New(f.String())
		}
	}
	return nil
}

// undeterminedColumn returns a handed-up column that an expression reads and a group does not determine; nil if there
// is none.
func undeterminedColumn(e sql.Expression, columns, grouped map[string]bool) *expression.GetField {
	text := strings.ToLower(e.String())
	if grouped[text] {
		return nil
	}
	switch e := e.(type) {
	case *expression.GetField:
		if columns[text] {
			return e
		}
		return nil
	case *plan.Subquery:
		return nil
	}
	for _, child := range e.Children() {
		if f := undeterminedColumn(child, columns, grouped); f != nil {
			return f
		}
	}
	return nil
}

// plainTables reports whether a node is a table, or an inner join of tables, perhaps filtered.
func plainTables(n sql.Node) bool {
	switch n := n.(type) {
	case *plan.Filter:
		return plainTables(n.Child)
	case *plan.TableAlias:
		return plainTables(n.Child)
	case *plan.ResolvedTable:
		return true
	case *plan.JoinNode:
		return (n.Op.IsInner() || n.Op.IsCross()) && plainTables(n.Left()) && plainTables(n.Right())
	}
	return false
}

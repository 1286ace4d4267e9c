package rewrite

import (
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/analyzer"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/transform"

	"github.com/sqlfdb/sqlfdb/sqlbackend/tree"
)

// DerivedNamesRule refuses derived tables, common table expressions and views that have two columns of one name, as
// MySQL does (error 1060): queries read their columns by name.
func DerivedNamesRule(_ *sql.Context, _ *analyzer.Analyzer, n sql.Node, _ *plan.Scope, _ analyzer.RuleSelector,
	_ *sql.QueryFlags) (sql.Node, transform.TreeIdentity, error) {
	switch n.(type) {
	case *plan.ShowColumns, *plan.ShowCreateTable, *plan.ShowIndexes:
		return n, transform.SameTree, nil // a view in it is not read
	}
	return n, transform.SameTree, duplicateColumn(n)
}

// columnNames returns the names of a node's columns. It does without the node's schema: the engine looks up the
// default of each projected column among the columns below. So each level of nested derived tables multiplies the
// time by its number of columns.
func columnNames(n sql.Node) []string {
	switch n := n.(type) {
	case *plan.SubqueryAlias:
		if len(n.ColumnNames) > 0 {
			return n.ColumnNames
		}
		return columnNames(n.Child)
	case *plan.Project:
		names := make([]string, len(n.Projections))
		for i, e := range n.Projections {
			names[i] = transform.ExpressionToColumn(e, plan.AliasSubqueryString(e)).Name
		}
		return names
	case *plan.Filter, *plan.Sort, *plan.Limit, *plan.Offset, *plan.Distinct, *plan.TopN, *plan.Having, *plan.TableAlias:
		return columnNames(n.Children()[0])
	}
	schema := n.Schema()
	names := make([]string, len(schema))
	for i, c := range schema {
		names[i] = c.Name
	}
	return names
}

// duplicateColumn returns an error if a derived table anywhere in a plan has two columns of one name.
func duplicateColumn(n sql.Node) error {
	var found error
	tree.InspectPlan(n, func(n sql.Node) {
		switch n := n.(type) {
		case *plan.InsertInto:
			if found == nil {
				found = duplicateColumn(n.Source) // not among its children
			}
		case *plan.SubqueryAlias:
			names := map[string]bool{}
			for _, given := range columnNames(n) {
				name := strings.ToLower(given)
				if names[name] && found == nil {
					found = sql.ErrDuplicateColumn.New(given)
				}
				names[name] = true
			}
		}
	}, func(sql.Expression) {})
	return found
}

package sqlbackend

import (
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/analyzer"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/transform"
)

// derivedNamesRule refuses derived tables, common table expressions and views that have two columns of one name, as MySQL does (error
// 1060): what is read of them is read by its name.
func derivedNamesRule(_ *sql.Context, _ *analyzer.Analyzer, n sql.Node, _ *plan.Scope, _ analyzer.RuleSelector, _ *sql.QueryFlags) (sql.Node, transform.TreeIdentity, error) {
	switch n.(type) {
	case *plan.ShowColumns, *plan.ShowCreateTable, *plan.ShowIndexes:
		return n, transform.SameTree, nil // a view in it is not read
	}
	return n, transform.SameTree, duplicateColumn(n)
}

// duplicateColumn is an error if a derived table anywhere in a plan has two columns of one name.
func duplicateColumn(n sql.Node) error {
	var found error
	inspectPlan(n, func(n sql.Node) {
		switch n := n.(type) {
		case *plan.InsertInto:
			if found == nil {
				found = duplicateColumn(n.Source) // not among its children
			}
		case *plan.SubqueryAlias:
			names := map[string]bool{}
			for _, c := range n.Schema() {
				name := strings.ToLower(c.Name)
				if names[name] && found == nil {
					found = sql.ErrDuplicateColumn.New(c.Name)
				}
				names[name] = true
			}
		}
	}, func(sql.Expression) {})
	return found
}

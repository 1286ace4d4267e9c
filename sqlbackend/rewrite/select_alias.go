package rewrite

import (
	"slices"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/analyzer"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/transform"

	"github.com/sqlfdb/sqlfdb/sqlbackend/tree"
)

// SelectAliases wraps the engine's rule that assigns fields their places in the rows, and runs selectAliasRule first.
// A subquery in the place of its alias would otherwise read the wrong places within another subquery.
func SelectAliases(assign analyzer.RuleFunc) analyzer.RuleFunc {
	return tree.InTurn(selectAliasRule, tree.KeepNumbers(assign))
}

// selectAliasRule replaces an alias of a select list by its expression where a subquery of the same list names it:
// SELECT a + b AS c, (SELECT c). The engine's own rule for this goes by the name alone. It also takes a subquery's
// own column for the outer query's alias, if the column comes out of a set operation or another projection.
func selectAliasRule(_ *sql.Context, _ *analyzer.Analyzer, n sql.Node, _ *plan.Scope, _ analyzer.RuleSelector,
	flags *sql.QueryFlags) (sql.Node, transform.TreeIdentity, error) {
	if !flags.SubqueryIsSet() {
		return n, transform.SameTree, nil
	}
	return newSelectAliases(nil).node(n)
}

// selectAliases are the aliases of a query's select lists that have been met so far.
type selectAliases struct {
	named map[string]sql.Expression // by the lowered name
	outer *selectAliases            // the outer query's aliases; nil if there is none
}

func newSelectAliases(outer *selectAliases) *selectAliases {
	return &selectAliases{named: map[string]sql.Expression{}, outer: outer}
}

// node handles a node and all nodes below it.
func (s *selectAliases) node(n sql.Node) (sql.Node, transform.TreeIdentity, error) {
	same := transform.SameTree
	if p, ok := n.(*plan.Project); ok {
		next, again, err := tree.NodeExpressions(p, func(e sql.Expression) (sql.Expression, transform.TreeIdentity, error) {
			return s.expression(e, p.Child)
		})
		if err != nil {
			return n, transform.SameTree, err
		}
		n, same = next, again
	}
	next, below, err := tree.EachChild(n, s.node)
	return next, same && below, err
}

// expression handles one expression of a select list over a node; its children have been handled.
func (s *selectAliases) expression(e sql.Expression, over sql.Node) (sql.Expression, transform.TreeIdentity, error) {
	switch e := e.(type) {
	case *expression.Alias:
		if !e.Unreferencable() {
			s.named[strings.ToLower(e.Name())] = e.Child
		}
	case *expression.GetField:
		if e.Table() != "" {
			return e, transform.SameTree, nil
		}
		if alias, ok := s.ofOuter(strings.ToLower(e.Name())); ok && !givesColumn(over, e.Name()) {
			return alias, transform.NewTree, nil
		}
	case *plan.Subquery:
		query, same, err := newSelectAliases(s).node(e.Query)
		if err != nil || same {
			return e, transform.SameTree, err
		}
		return e.WithQuery(query), transform.NewTree, nil
	}
	return e, transform.SameTree, nil
}

// ofOuter returns the expression of an outer query's alias, unless this query has an alias of that name.
func (s *selectAliases) ofOuter(name string) (sql.Expression, bool) {
	if _, own := s.named[name]; own {
		return nil, false
	}
	for outer := s.outer; outer != nil; outer = outer.outer {
		if e, ok := outer.named[name]; ok {
			return e, true
		}
	}
	return nil, false
}

// givesColumn reports whether a node gives a column of that name that is no table's column.
func givesColumn(n sql.Node, name string) bool {
	return slices.ContainsFunc(n.Schema(), func(c *sql.Column) bool {
		return c.Source == "" &&
			strings.EqualFold(c.Name, name)
	})
}

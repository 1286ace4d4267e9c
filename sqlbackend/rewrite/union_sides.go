package rewrite

import (
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/analyzer"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/transform"

	"github.com/sqlfdb/sqlfdb/sqlbackend/tree"
)

// SidesRule removes the projections that the plan builder put on the sides of UNION, INTERSECT and EXCEPT to give
// their columns one type; ResultTypeRule gives them that type. It runs before all rules that change queries. After
// them, an expression in the place of a view's column could not be distinguished from a projection that the user
// wrote. It is idempotent.
func SidesRule(_ *sql.Context, _ *analyzer.Analyzer, n sql.Node, _ *plan.Scope, _ analyzer.RuleSelector,
	flags *sql.QueryFlags) (sql.Node, transform.TreeIdentity, error) {
	if tree.IsPlain(n, flags) {
		return n, transform.SameTree, nil
	}
	return transform.NodeWithOpaque(n, bareSides)
}

func bareSides(n sql.Node) (sql.Node, transform.TreeIdentity, error) {
	n, same, err := tree.NodeExpressions(n, func(e sql.Expression) (sql.Expression, transform.TreeIdentity, error) {
		sub, ok := e.(*plan.Subquery)
		if !ok {
			return e, transform.SameTree, nil
		}
		query, same, err := transform.NodeWithOpaque(sub.Query, bareSides)
		if err != nil || same {
			return e, transform.SameTree, err
		}
		return sub.WithQuery(query), transform.NewTree, nil
	})
	if err != nil {
		return n, transform.SameTree, err
	}
	set, ok := n.(*plan.SetOp)
	if !ok {
		return n, same, nil
	}
	left, converted := bareSide(set.Left())
	right, also := bareSide(set.Right())
	if !converted || !also {
		return n, same, nil
	}
	next, err := set.WithChildren(left, right)
	return next, transform.NewTree, err
}

// bareSide returns a side of a set operation without the plan builder's projection that converts its columns, false
// if there is none. A projection that the user wrote gives its aliases numbers, or computes something else.
func bareSide(n sql.Node) (sql.Node, bool) {
	p, ok := n.(*plan.Project)
	if !ok {
		return n, false
	}
	switch p.Child.(type) {
	case *plan.Project, *plan.SetOp, *plan.Distinct, *plan.Sort, *plan.Limit, *plan.Offset, *plan.Having, *plan.Filter,
		*plan.GroupBy:
	default:
		return n, false
	}
	schema := p.Child.Schema()
	if len(schema) != len(p.Projections) {
		return n, false
	}
	aliased := false
	for i, e := range p.Projections {
		if a, ok := e.(*expression.Alias); ok {
			if a.Id() != 0 || a.Name() != schema[i].Name {
				return n, false
			}
			e, aliased = a.Child, true
			if convert, ok := e.(*expression.Convert); ok {
				e = convert.Child
			}
			if enum, ok := e.(*expression.EnumToString); ok {
				e = enum.Enum
			}
		}
		if f, ok := e.(*expression.GetField); !ok || f.Name() != schema[i].Name {
			return n, false
		}
	}
	return p.Child, aliased
}

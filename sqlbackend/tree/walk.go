package tree

import (
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/transform"
)

// EachChild is a node with change applied to each of its children: the node itself if none of them is changed.
func EachChild(n sql.Node, change transform.NodeFunc) (sql.Node, transform.TreeIdentity, error) {
	children, any := append([]sql.Node(nil), n.Children()...), false
	for i, child := range children {
		next, same, err := change(child)
		if err != nil {
			return n, transform.SameTree, err
		}
		if !same {
			children[i], any = next, true
		}
	}
	if !any {
		return n, transform.SameTree, nil
	}
	next, err := n.WithChildren(children...)
	if err != nil {
		return n, transform.SameTree, err
	}
	return next, transform.NewTree, nil
}

// EachSubquery is a node with change applied to the query of each subquery in its own expressions.
func EachSubquery(n sql.Node, change transform.NodeFunc) (sql.Node, transform.TreeIdentity, error) {
	return NodeExpressions(n, func(e sql.Expression) (sql.Expression, transform.TreeIdentity, error) {
		q, ok := e.(*plan.Subquery)
		if !ok {
			return e, transform.SameTree, nil
		}
		query, same, err := change(q.Query)
		if err != nil || bool(same) {
			return e, transform.SameTree, err
		}
		return q.WithQuery(query), transform.NewTree, nil
	})
}

// ReadsVariable reports whether an expression reads a user's or a system variable.
func ReadsVariable(e sql.Expression) bool {
	return transform.InspectExpr(e, func(e sql.Expression) bool {
		switch e.(type) {
		case *expression.UserVar, *expression.SystemVar:
			return true
		}
		return false
	})
}

// Mentions reports whether an expression names one of columns, itself or in its subqueries.
func Mentions(e sql.Expression, columns sql.ColSet) bool {
	return transform.InspectExpr(e, func(e sql.Expression) bool {
		switch e := e.(type) {
		case *expression.GetField:
			return columns.Contains(e.Id())
		case *plan.Subquery:
			return e.Correlated().Intersects(columns)
		}
		return false
	})
}

// TablesOf are the tables whose fields a node's rows have.
func TablesOf(n sql.Node) sql.FastIntSet {
	var ids sql.FastIntSet
	transform.Inspect(n, func(n sql.Node) bool {
		if t, ok := n.(plan.TableIdNode); ok {
			ids.Add(int(t.Id()))
		}
		_, opaque := n.(sql.OpaqueNode)
		return !opaque
	})
	return ids
}

// Unaliased is an expression without the name that SELECT gives it.
func Unaliased(e sql.Expression) sql.Expression {
	if a, ok := e.(*expression.Alias); ok {
		return a.Child
	}
	return e
}

// ReadsRecursion reports whether a query reads the rows that a recursive one around it has given last.
func ReadsRecursion(n sql.Node) bool {
	defined, read := map[string]bool{}, map[string]bool{}
	InspectPlan(n, func(n sql.Node) {
		switch n := n.(type) {
		case *plan.RecursiveCte:
			defined[n.Name()] = true
		case *plan.RecursiveTable:
			read[n.Name()] = true
		}
	}, func(sql.Expression) {})
	for name := range read {
		if !defined[name] {
			return true
		}
	}
	return false
}

// InspectPlan visits the nodes and expressions of a plan, derived tables and subqueries included.
func InspectPlan(n sql.Node, node func(sql.Node), expr func(sql.Expression)) {
	transform.Inspect(n, func(n sql.Node) bool {
		if n == nil {
			return false
		}
		node(n)
		x, ok := n.(sql.Expressioner)
		if !ok {
			return true
		}
		for _, e := range x.Expressions() {
			InspectExpression(e, node, expr)
		}
		return true
	})
}

// InspectExpression is InspectPlan of an expression.
func InspectExpression(e sql.Expression, node func(sql.Node), expr func(sql.Expression)) {
	sql.Inspect(e, func(e sql.Expression) bool {
		if e == nil {
			return false
		}
		expr(e)
		if q, ok := e.(*plan.Subquery); ok {
			InspectPlan(q.Query, node, expr)
		}
		return true
	})
}

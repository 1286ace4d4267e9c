package compare

import (
	"reflect"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/analyzer"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/transform"
	"github.com/dolthub/go-mysql-server/sql/types"

	"github.com/sqlfdb/sqlfdb/sqlbackend/tree"
)

// ReferenceRule gives what reads a computed column, an aggregate, what has an alias, or one of a derived table, the
// type of what is computed, where ResultTypeRule or CompareRule have given that another one than the plan builder
// foresaw, or mergeRule while a subquery in it had none settled: arithmetic of a YEAR is a BIGINT. Between texts there
// is nothing to choose. It stands behind CompareRule, which it has look again at what it changes. It is idempotent.
func ReferenceRule(ctx *sql.Context, a *analyzer.Analyzer, n sql.Node, scope *plan.Scope, sel analyzer.RuleSelector,
	flags *sql.QueryFlags) (sql.Node, transform.TreeIdentity, error) {
	if tree.IsPlain(n, flags) {
		return n, transform.SameTree, nil
	}
	next, same, err := transform.NodeWithOpaque(n, references{}.node)
	if err != nil || same {
		return n, transform.SameTree, err
	}
	next, _, err = CompareRule(ctx, a, next, scope, sel, flags)
	return next, transform.NewTree, err
}

// references are the types of what the query at hand computes, by the columns' numbers.
type references map[sql.ColumnId]sql.Type

func (r references) node(n sql.Node) (sql.Node, transform.TreeIdentity, error) {
	next, same, err := tree.NodeExpressions(n, r.expression)
	if err != nil {
		return n, transform.SameTree, err
	}
	switch n := next.(type) {
	case *plan.SetOp: // its columns have the numbers of those of its left side
		clear(r)
	case *plan.SubqueryAlias:
		schema, i := n.Schema(), 0
		n.Columns().ForEach(func(id sql.ColumnId) {
			if i < len(schema) {
				r[id] = schema[i].Type
			}
			i++
		})
		mappedNode, unchanged := mapped(n, func(id sql.ColumnId) (sql.Type, bool) {
			inside, ok := n.ScopeMapping[id].(*expression.GetField)
			t, known := r[id]
			return t, ok && known && mistakenType(inside.Type(), t)
		})
		return mappedNode, same && unchanged, nil
	}
	return next, same, nil
}

func (r references) expression(e sql.Expression) (sql.Expression, transform.TreeIdentity, error) {
	switch e := e.(type) {
	case *plan.Subquery:
		query, same, err := transform.NodeWithOpaque(e.Query, references{}.node)
		if err != nil || same {
			return e, transform.SameTree, err
		}
		return e.WithQuery(query), transform.NewTree, nil
	case *expression.GetField:
		if t, ok := r[e.Id()]; ok && mistakenType(e.Type(), t) {
			return fieldOfType(e, t), transform.NewTree, nil
		}
	case sql.IdExpression:
		if id := e.Id(); id != 0 && e.Resolved() {
			r[id] = e.Type()
		}
	}
	return e, transform.SameTree, nil
}

// mistakenType reports whether a type is not the one that it was taken for, beyond what two texts differ in.
func mistakenType(from, is sql.Type) bool {
	return carried(is) && !(types.IsText(from) && types.IsText(is)) && !reflect.DeepEqual(from, is)
}

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

// ReferenceRule gives fields that read a computed column the type of its expression: an aggregate, an alias, or a
// column of a derived table. The type may differ from the one that the plan builder foresaw, since ResultTypeRule or
// CompareRule has changed it: arithmetic of a YEAR is a BIGINT. Or MergeRule has run while a subquery in it had no
// settled type. Types of texts stay. It runs after CompareRule, and applies CompareRule again to its changes. It is
// idempotent.
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

// references are the types of the current query's computed columns, by the columns' numbers.
type references map[sql.ColumnId]sql.Type

func (r references) node(n sql.Node) (sql.Node, transform.TreeIdentity, error) {
	next, same, err := tree.NodeExpressions(n, r.expression)
	if err != nil {
		return n, transform.SameTree, err
	}
	switch n := next.(type) {
	case *plan.SetOp: // its columns have the numbers of its left side's columns
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

// mistakenType reports whether a type differs from the expected one, ignoring differences between two texts.
func mistakenType(from, is sql.Type) bool {
	return carried(is) && !(types.IsText(from) && types.IsText(is)) && !reflect.DeepEqual(from, is)
}

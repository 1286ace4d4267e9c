package syntax

import (
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/plan"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"github.com/sqlfdb/sqlfdb/sqlbackend/functions"
)

// distinguishRepeated lets a select list repeat an aggregate that stands there without an alias. The plan builder
// takes the second for the name of the first where its text equals that name, as in SELECT MIN(t.a), MIN(t.a).
func distinguishRepeated(s *ast.Select) {
	type met struct{ unnamed, again bool }
	var found map[string]met
	text := func(e ast.SelectExpr) (a *ast.AliasedExpr, text string, ok bool) {
		a, ok = e.(*ast.AliasedExpr)
		if !ok {
			return nil, "", false
		}
		list := aggregatesOf(a.Expr)
		if len(list) != 1 || list[0] != a.Expr {
			return nil, "", false
		}
		return a, strings.ToLower(ast.String(a.Expr)), true
	}
	repeated := false
	for _, e := range s.SelectExprs {
		if a, text, ok := text(e); ok {
			if found == nil {
				found = map[string]met{}
			}
			m, before := found[text]
			found[text] = met{m.unnamed || a.As.IsEmpty(), before}
			repeated = repeated || before
		}
	}
	if !repeated {
		return
	}
	first := map[string]bool{}
	for _, e := range s.SelectExprs {
		a, text, ok := text(e)
		if !ok || !found[text].unnamed || !found[text].again {
			continue
		}
		if first[text] {
			a.Expr = injected(&repeatedAggregate{text: ast.String(a.Expr)}, a.Expr)
		}
		first[text] = true
	}
}

// repeatedAggregate is an aggregate that a select list has repeated. It is for the plan builder alone.
type repeatedAggregate struct {
	expression.UnaryExpression
	text string // as it stands in the statement
}

// WithResolvedChildren implements ast.Injectable.
func (r *repeatedAggregate) WithResolvedChildren(children []any) (any, error) {
	if len(children) == 1 {
		if e, ok := children[0].(sql.Expression); ok {
			return r.WithChildren(e)
		}
	}
	return nil, sql.ErrInvalidChildrenNumber.New(r, len(children), 1)
}

// WithChildren implements sql.Expression.
func (r *repeatedAggregate) WithChildren(children ...sql.Expression) (sql.Expression, error) {
	if len(children) != 1 {
		return nil, sql.ErrInvalidChildrenNumber.New(r, len(children), 1)
	}
	return &repeatedAggregate{expression.UnaryExpression{Child: children[0]}, r.text}, nil
}

// Type implements sql.Expression.
func (r *repeatedAggregate) Type() sql.Type { return r.Child.Type() }

// Eval implements sql.Expression.
func (r *repeatedAggregate) Eval(ctx *sql.Context, row sql.Row) (interface{}, error) {
	return r.Child.Eval(ctx, row)
}

// String implements fmt.Stringer.
func (r *repeatedAggregate) String() string {
	if r.Child == nil { // in a statement that is not built yet
		return r.text
	}
	return r.Child.String()
}

// PlainRepeated removes the marks of repeated aggregates from the projections above a GROUP BY.
func PlainRepeated(chain []sql.Node) (changed bool, err error) {
	for i, n := range chain {
		p, ok := n.(*plan.Project)
		if !ok {
			continue
		}
		out, any := functions.Each(p.Projections, func(e sql.Expression) sql.Expression {
			alias, named := e.(*expression.Alias)
			if named {
				e = alias.Child
			}
			r, ok := e.(*repeatedAggregate)
			switch {
			case !ok && named:
				return alias
			case !ok:
				return e
			case !named:
				return r.Child
			}
			next := *alias
			next.Child = r.Child
			return &next
		})
		if !any {
			continue
		}
		if chain[i], err = p.WithExpressions(out...); err != nil {
			return false, err
		}
		changed = true
	}
	return changed, nil
}

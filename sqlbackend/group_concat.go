package sqlbackend

import (
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/expression/function/aggregation"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"
)

// concatenateAll makes GROUP_CONCAT of several arguments one of their
// concatenation: the engine takes the first alone. DISTINCT is about the arguments,
// of which several may give one text, so that it goes with them.
func concatenateAll(g *ast.GroupConcatExpr) {
	if len(g.Exprs) < 2 {
		return
	}
	for _, e := range g.Exprs {
		if _, ok := e.(*ast.AliasedExpr); !ok {
			return
		}
	}
	var whole ast.Expr = &ast.FuncExpr{Name: ast.NewColIdent("concat"), Exprs: g.Exprs}
	if g.Distinct != "" {
		whole = ast.InjectedExpr{
			Expression: &distinctArguments{text: "distinct " + ast.String(whole)},
			Children:   ast.Exprs{whole},
			Auth:       ast.AuthInformation{AuthType: ast.AuthType_IGNORE},
		}
		g.Distinct = ""
	}
	g.Exprs = ast.SelectExprs{&ast.AliasedExpr{Expr: whole}}
}

// distinctArguments is the concatenation of the arguments of a GROUP_CONCAT with
// DISTINCT.
type distinctArguments struct {
	expression.UnaryExpression
	text string // as it stands in the statement
}

// WithResolvedChildren implements ast.Injectable.
func (d *distinctArguments) WithResolvedChildren(children []any) (any, error) {
	if len(children) == 1 {
		if e, ok := children[0].(sql.Expression); ok {
			return d.WithChildren(e)
		}
	}
	return nil, sql.ErrInvalidChildrenNumber.New(d, len(children), 1)
}

// WithChildren implements sql.Expression.
func (d *distinctArguments) WithChildren(children ...sql.Expression) (sql.Expression, error) {
	if len(children) != 1 {
		return nil, sql.ErrInvalidChildrenNumber.New(d, len(children), 1)
	}
	return &distinctArguments{expression.UnaryExpression{Child: children[0]}, d.text}, nil
}

// Type implements sql.Expression.
func (d *distinctArguments) Type() sql.Type { return d.Child.Type() }

// Eval implements sql.Expression.
func (d *distinctArguments) Eval(ctx *sql.Context, row sql.Row) (interface{}, error) {
	return d.Child.Eval(ctx, row)
}

// String implements fmt.Stringer.
func (d *distinctArguments) String() string {
	if d.Child == nil { // in a statement that is not built yet
		return d.text
	}
	return "distinct " + d.Child.String()
}

// argumentsOf are the arguments that a GROUP_CONCAT of several takes once, if it does.
func argumentsOf(e *aggregation.GroupConcat) []sql.Expression {
	for _, child := range e.Children() {
		if d, ok := child.(*distinctArguments); ok {
			return d.Child.Children()
		}
	}
	return nil
}

// distinctRows leaves out the rows whose arguments are equal to those of one before.
type distinctRows struct {
	sql.AggregationBuffer
	arguments []sql.Expression
	seen      map[string]struct{}
}

// Update implements sql.AggregationBuffer.
func (d *distinctRows) Update(ctx *sql.Context, row sql.Row) error {
	var key []byte
	for _, e := range d.arguments {
		v, err := e.Eval(ctx, row)
		if err != nil || v == nil {
			return err // a row with NULL adds nothing
		}
		if key, err = appendRowKey(ctx, key, v, e.Type()); err != nil {
			return err
		}
	}
	if _, again := d.seen[string(key)]; again {
		return nil
	}
	d.seen[string(key)] = struct{}{}
	return d.AggregationBuffer.Update(ctx, row)
}

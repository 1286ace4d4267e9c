package functions

import (
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/expression/function/aggregation"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"github.com/sqlfdb/sqlfdb/sqlbackend/hold"
	"github.com/sqlfdb/sqlfdb/sqlbackend/value"
)

// ConcatenateAll turns GROUP_CONCAT of several arguments into one of their concatenation: the engine takes the first
// alone. DISTINCT compares the arguments, since different ones may give one text, so they stay with it.
func ConcatenateAll(g *ast.GroupConcatExpr) {
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

// argumentsOf returns the arguments that a GROUP_CONCAT of several compares for DISTINCT; nil without that.
func argumentsOf(e *aggregation.GroupConcat) []sql.Expression {
	for _, child := range e.Children() {
		if d, ok := child.(*distinctArguments); ok {
			return d.Child.Children()
		}
	}
	return nil
}

// NewConcatBuffer returns the buffer of GROUP_CONCAT. With DISTINCT, in a collation in which different strings are
// equal, it omits equal strings.
func NewConcatBuffer(e *aggregation.GroupConcat) (sql.AggregationBuffer, error) {
	b, err := newHeldConcat(e)
	if err != nil {
		return nil, err
	}
	if arguments := argumentsOf(e); arguments != nil {
		return &distinctRows{AggregationBuffer: b, arguments: arguments}, nil
	}
	if !strings.HasPrefix(e.String(), "group_concat(distinct") {
		return b, nil
	}
	for _, child := range e.Children() {
		if coll, ok := value.CollationOfType(child.Type()); ok && !coll.IsIdentity() {
			return &distinctConcat{AggregationBuffer: b, e: e, t: value.NewTextType(coll)}, nil
		}
	}
	return b, nil
}

// heldConcat is a GROUP_CONCAT that holds the sort keys and the text of each row. The engine's own holds the rows,
// and evaluates the sort keys for each comparison. It appends values of its own to these rows, so that a subquery
// would read wrong columns.
type heldConcat struct {
	sql.AggregationBuffer                  // the engine's, over rows of these values
	values                []sql.Expression // the text is the last one
	holding               hold.Memory
}

// appendedByEngine is the number of values that the engine appends to a row.
const appendedByEngine = 2

func newHeldConcat(e *aggregation.GroupConcat) (sql.AggregationBuffer, error) {
	values := e.Children()
	taken := make([]sql.Expression, len(values))
	for i, v := range values {
		taken[i] = expression.NewGetField(i, v.Type(), v.String(), true)
	}
	if len(taken) > 1 {
		taken[0] = &hold.StoppableKey{Expression: taken[0]}
	}
	of, err := e.WithChildren(taken...)
	if err != nil {
		return nil, err
	}
	b, err := of.(*aggregation.GroupConcat).NewBuffer()
	return &heldConcat{AggregationBuffer: b, values: values}, err
}

// Update implements sql.AggregationBuffer.
func (c *heldConcat) Update(ctx *sql.Context, row sql.Row) error {
	held := make(sql.Row, len(c.values), len(c.values)+appendedByEngine)
	for i := len(held) - 1; i >= 0; i-- {
		v, err := c.values[i].Eval(ctx, row)
		if err != nil {
			return err
		}
		if v == nil && i == len(held)-1 {
			return nil // NULL adds nothing
		}
		if owned := hold.OwnedValue(v); owned != nil {
			v = owned
		}
		held[i] = v
	}
	if err := c.holding.Hold(ctx, hold.RowBytes(held)+appendedByEngine*hold.AnyBytes+hold.ValueBytes("")); err != nil {
		return err
	}
	return c.AggregationBuffer.Update(ctx, held)
}

// Dispose implements sql.Disposable.
func (c *heldConcat) Dispose() {
	c.holding.ReleaseAll()
	c.AggregationBuffer.Dispose()
	for _, v := range c.values {
		expression.Dispose(v)
	}
}

// distinctConcat omits texts that equal an earlier one.
type distinctConcat struct {
	sql.AggregationBuffer
	e    *aggregation.GroupConcat
	t    value.TextType
	seen hold.SeenKeys
}

// Update implements sql.AggregationBuffer. A row's text is the function's result for that row alone.
func (d *distinctConcat) Update(ctx *sql.Context, row sql.Row) error {
	alone, err := newHeldConcat(d.e)
	if err != nil {
		return err
	}
	defer alone.Dispose()
	if err := alone.Update(ctx, row); err != nil {
		return err
	}
	v, err := alone.Eval(ctx)
	if err != nil || v == nil {
		return err
	}
	key, err := value.AppendRowKey(ctx, nil, v, d.t)
	if err != nil {
		return err
	}
	if again, err := d.seen.Again(ctx, key); err != nil || again {
		return err
	}
	return d.AggregationBuffer.Update(ctx, row)
}

// Dispose implements sql.Disposable.
func (d *distinctConcat) Dispose() {
	d.seen.Release()
	d.AggregationBuffer.Dispose()
}

// distinctRows omits rows whose arguments equal those of an earlier one.
type distinctRows struct {
	sql.AggregationBuffer
	arguments []sql.Expression
	seen      hold.SeenKeys
}

// Update implements sql.AggregationBuffer.
func (d *distinctRows) Update(ctx *sql.Context, row sql.Row) error {
	var key []byte
	for _, e := range d.arguments {
		v, err := e.Eval(ctx, row)
		if err != nil || v == nil {
			return err // a row with NULL adds nothing
		}
		if key, err = value.AppendRowKey(ctx, key, v, e.Type()); err != nil {
			return err
		}
	}
	if again, err := d.seen.Again(ctx, key); err != nil || again {
		return err
	}
	return d.AggregationBuffer.Update(ctx, row)
}

// Dispose implements sql.Disposable.
func (d *distinctRows) Dispose() {
	d.seen.Release()
	d.AggregationBuffer.Dispose()
}

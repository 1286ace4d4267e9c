package functions

import (
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/expression/function/aggregation/window"
	"github.com/dolthub/go-mysql-server/sql/transform"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/dolthub/vitess/go/mysql"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"
)

// nthValue is NTH_VALUE, which the plan builder knows as FIRST_VALUE with two arguments.
type nthValue struct {
	*window.FirstValue
	n int64
}

var (
	_ sql.FunctionExpression        = (*nthValue)(nil)
	_ sql.WindowAdaptableExpression = (*nthValue)(nil)
)

func newFirstValue(args ...sql.Expression) (sql.Expression, error) {
	n := int64(0) // none, which NewWindowFunction refuses: no rule drops its error
	switch len(args) {
	case 1:
		return window.NewFirstValue(args[0]), nil
	case 2:
		if l, ok := args[1].(*expression.Literal); ok {
			if of, in, err := types.Int64.Convert(sql.NewEmptyContext(), l.Val); err == nil && in == sql.InRange && of != nil {
				n = of.(int64)
			}
		}
		return &nthValue{window.NewFirstValue(args[0]).(*window.FirstValue), n}, nil
	}
	return nil, sql.ErrInvalidArgumentNumber.New("FIRST_VALUE", "1", len(args))
}

// FunctionName implements sql.FunctionExpression.
func (*nthValue) FunctionName() string { return "NTH_VALUE" }

// IsNullable implements sql.Expression.
func (*nthValue) IsNullable() bool { return true }

// WithId implements sql.IdExpression.
func (v *nthValue) WithId(id sql.ColumnId) sql.IdExpression {
	return &nthValue{v.FirstValue.WithId(id).(*window.FirstValue), v.n}
}

// WithWindow implements sql.WindowAdaptableExpression.
func (v *nthValue) WithWindow(w *sql.WindowDefinition) sql.WindowAdaptableExpression {
	return &nthValue{v.FirstValue.WithWindow(w).(*window.FirstValue), v.n}
}

// WithChildren implements sql.Expression.
func (v *nthValue) WithChildren(children ...sql.Expression) (sql.Expression, error) {
	next, err := v.FirstValue.WithChildren(children...)
	if err != nil {
		return nil, err
	}
	return &nthValue{next.(*window.FirstValue), v.n}, nil
}

// String implements fmt.Stringer: calls that differ in n have different texts.
func (v *nthValue) String() string {
	return "nth_value " + expression.NewLiteral(v.n, types.Int64).String() + " " + v.FirstValue.String()
}

// DebugString implements sql.DebugStringer.
func (v *nthValue) DebugString() string { return v.String() }

// NewWindowFunction implements sql.WindowAdaptableExpression.
func (v *nthValue) NewWindowFunction() (sql.WindowFunction, error) {
	if v.n < 1 {
		return nil, mysql.NewSQLError(mysql.ERWrongArguments, "HY000", "Incorrect arguments to nth_value")
	}
	first, err := v.FirstValue.NewWindowFunction()
	if err != nil {
		return nil, err
	}
	of, err := transform.Clone(v.Child)
	return &nthOfFrame{first, of, v.n}, err
}

// nthOfFrame computes NTH_VALUE.
type nthOfFrame struct {
	sql.WindowFunction
	of sql.Expression
	n  int64
}

// Compute implements sql.WindowFunction.
func (f *nthOfFrame) Compute(ctx *sql.Context, frame sql.WindowInterval, rows sql.WindowBuffer) any {
	if int64(frame.End-frame.Start) < f.n {
		return nil
	}
	v, err := f.of.Eval(ctx, rows[frame.Start+int(f.n)-1])
	if err != nil {
		return err
	}
	return v
}

// WindowCall returns FIRST_VALUE with two arguments for NTH_VALUE. For CUME_DIST it returns the number of rows up to
// the row's last peer, divided by the number of all rows. It returns nil for other calls.
func WindowCall(e *ast.FuncExpr) ast.Expr {
	if e.Over == nil {
		return nil
	}
	switch e.Name.Lowered() {
	case "nth_value":
		if len(e.Exprs) != 2 {
			return nil
		}
		call := *e
		call.Name = ast.NewColIdent("first_value")
		return &call
	case "cume_dist":
		peers := countOver(*e.Over, ast.RangeUnit, ast.CurrentRow)
		all := countOver(*e.Over, ast.RowsUnit, ast.UnboundedFollowing)
		double := &ast.ConvertExpr{Name: "CAST", Expr: peers, Type: &ast.ConvertType{Type: "double"}}
		return &ast.BinaryExpr{Left: double, Operator: ast.DivStr, Right: all}
	}
	return nil
}

// countOver counts a window's rows from its first one to a bound.
func countOver(over ast.Over, unit ast.FrameUnit, to ast.BoundType) ast.Expr {
	over.Frame = &ast.Frame{Unit: unit, Extent: &ast.FrameExtent{
		Start: &ast.FrameBound{Type: ast.UnboundedPreceding}, End: &ast.FrameBound{Type: to},
	}}
	if len(over.OrderBy) == 0 && over.NameRef.IsEmpty() {
		over.Frame = nil // all rows are peers
	}
	return &ast.FuncExpr{Name: ast.NewColIdent("count"), Exprs: ast.SelectExprs{&ast.StarExpr{}}, Over: &over}
}

package compare

import (
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/expression/function/aggregation"
	"github.com/dolthub/go-mysql-server/sql/types"

	"github.com/sqlfdb/sqlfdb/sqlbackend/tree"
	"github.com/sqlfdb/sqlfdb/sqlbackend/value"
)

// DeviationFunctions adds the standard deviations and variances. They are DOUBLEs, where the engine's have the
// argument's type: for integers they are rounded, and for dates they are invalid.
func DeviationFunctions(out map[string]sql.Function) {
	for _, name := range []string{"std", "stddev", "stddev_pop"} {
		out[name] = sql.Function1{Name: name, Fn: func(
			e sql.Expression) sql.Expression {
			return aggregation.NewStdDevPop(asDoubleNumber(e))
		}}
	}
	for _, name := range []string{"var_pop", "variance"} {
		out[name] = sql.Function1{Name: name, Fn: func(
			e sql.Expression) sql.Expression {
			return aggregation.NewVarPop(asDoubleNumber(e))
		}}
	}
	out["stddev_samp"] = sql.Function1{Name: "stddev_samp",
		Fn: func(e sql.Expression) sql.Expression { return aggregation.NewStdDevSamp(asDoubleNumber(e)) }}
	out["var_samp"] = sql.Function1{Name: "var_samp",
		Fn: func(e sql.Expression) sql.Expression { return aggregation.NewVarSamp(asDoubleNumber(e)) }}
}

// asDoubleNumber returns the number that a value counts as, as a DOUBLE.
func asDoubleNumber(e sql.Expression) sql.Expression {
	if !e.Resolved() || e.Type() == types.Float64 || types.IsNull(e) {
		return e
	}
	switch {
	case isEnum(e):
		e = &tree.EnumNumber{UnaryExpression: expression.UnaryExpression{Child: e}}
	default:
		e = numberOfTemporal(e)
	}
	return &value.SpelledNumber{UnaryExpression: expression.UnaryExpression{Child: e}}
}

// NumberedConcat is a GROUP_CONCAT that keeps the number of its column. The engine's own loses it when it is copied,
// and is then found by its text. That changes where a subquery is merged into a statement that reads the same table.
type NumberedConcat struct {
	*aggregation.GroupConcat
}

// NumberedCount is a COUNT(DISTINCT …) that keeps the number of its column, as NumberedConcat does: its argument's
// text changes once its comparisons are our own.
type NumberedCount struct {
	*aggregation.CountDistinct
}

// NumberedObject is a JSON_OBJECTAGG that keeps the number of its column, as NumberedConcat does.
type NumberedObject struct {
	*aggregation.JSONObjectAgg
}

// WithChildren implements sql.Expression.
func (c *NumberedCount) WithChildren(children ...sql.Expression) (sql.Expression, error) {
	return (&NumberedCount{aggregation.NewCountDistinct(children...)}).WithId(c.Id()), nil
}

// WithId implements sql.IdExpression.
func (c *NumberedCount) WithId(id sql.ColumnId) sql.IdExpression {
	return &NumberedCount{c.CountDistinct.WithId(id).(*aggregation.CountDistinct)}
}

// WithChildren implements sql.Expression.
func (c *NumberedConcat) WithChildren(children ...sql.Expression) (sql.Expression, error) {
	next, err := c.GroupConcat.WithChildren(children...)
	if err != nil {
		return nil, err
	}
	return &NumberedConcat{next.(*aggregation.GroupConcat).WithId(c.Id()).(*aggregation.GroupConcat)}, nil
}

// WithId implements sql.IdExpression.
func (c *NumberedConcat) WithId(id sql.ColumnId) sql.IdExpression {
	return &NumberedConcat{c.GroupConcat.WithId(id).(*aggregation.GroupConcat)}
}

// WithChildren implements sql.Expression.
func (o *NumberedObject) WithChildren(children ...sql.Expression) (sql.Expression, error) {
	next, err := o.JSONObjectAgg.WithChildren(children...)
	if err != nil {
		return nil, err
	}
	return &NumberedObject{next.(*aggregation.JSONObjectAgg).WithId(o.Id()).(*aggregation.JSONObjectAgg)}, nil
}

// WithId implements sql.IdExpression.
func (o *NumberedObject) WithId(id sql.ColumnId) sql.IdExpression {
	return &NumberedObject{o.JSONObjectAgg.WithId(id).(*aggregation.JSONObjectAgg)}
}

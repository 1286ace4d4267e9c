package sqlbackend

import (
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/expression/function/aggregation"
	"github.com/dolthub/go-mysql-server/sql/types"

	"github.com/sqlfdb/sqlfdb/sqlbackend/tree"
	"github.com/sqlfdb/sqlfdb/sqlbackend/value"
)

// deviationFunctions are the standard deviations and variances. They are DOUBLEs,
// where the engine's are of the argument's type: those of integers are rounded to one, and
// those of dates are none.
func deviationFunctions(out map[string]sql.Function) {
	for _, name := range []string{"std", "stddev", "stddev_pop"} {
		out[name] = sql.Function1{Name: name, Fn: func(e sql.Expression) sql.Expression { return aggregation.NewStdDevPop(asDoubleNumber(e)) }}
	}
	for _, name := range []string{"var_pop", "variance"} {
		out[name] = sql.Function1{Name: name, Fn: func(e sql.Expression) sql.Expression { return aggregation.NewVarPop(asDoubleNumber(e)) }}
	}
	out["stddev_samp"] = sql.Function1{Name: "stddev_samp", Fn: func(e sql.Expression) sql.Expression { return aggregation.NewStdDevSamp(asDoubleNumber(e)) }}
	out["var_samp"] = sql.Function1{Name: "var_samp", Fn: func(e sql.Expression) sql.Expression { return aggregation.NewVarSamp(asDoubleNumber(e)) }}
}

// asDoubleNumber is the number that a value counts for, as a DOUBLE.
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

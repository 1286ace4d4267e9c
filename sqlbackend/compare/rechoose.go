package compare

import (
	"slices"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/expression/function"
	"github.com/dolthub/go-mysql-server/sql/expression/function/aggregation"
	"github.com/dolthub/go-mysql-server/sql/transform"
	"github.com/dolthub/go-mysql-server/sql/types"

	"github.com/sqlfdb/sqlfdb/document"
	"github.com/sqlfdb/sqlfdb/sqlbackend/functions"
	"github.com/sqlfdb/sqlfdb/sqlbackend/tree"
	"github.com/sqlfdb/sqlfdb/sqlbackend/value"
)

// Rechosen returns a function that has converted its arguments to a common type with that type chosen again. The plan
// builder gives a column of a set operation in FROM its left side's type, and functions are made by that. It returns
// false for other functions.
func Rechosen(e sql.Expression) (sql.Expression, bool, error) {
	args, _ := functions.Each(e.Children(), asWritten)
	switch e := e.(type) {
	case *function.If:
		return NewIf(e.Children()[0], args[1], args[2]), true, nil
	case *tree.Case:
		values := args[len(e.Conditions):]
		if t, ok := numbersType(values); ok {
			values, _ = functions.Each(values, func(v sql.Expression) sql.Expression { return asType(v, t) })
			next, err := e.WithChildren(slices.Concat(e.Conditions, values)...)
			if err != nil {
				return e, false, err
			}
			next.(*tree.Case).Result = t
			return next, true, nil
		}
	case *tree.IfNull:
		return NewIfNull(args[0], args[1]), true, nil
	case *function.Coalesce:
		out, err := NewCoalesce(args...)
		return out, true, err
	case *extremumOf:
		out, err := NewExtremum(e.FunctionName(), args...)
		return out, true, err
	case *function.Greatest, *function.Least:
		out, err := NewExtremum(e.(sql.FunctionExpression).FunctionName(), args...)
		return out, true, err
	case *aggregation.StdDevPop, *aggregation.StdDevSamp, *aggregation.VarPop, *aggregation.VarSamp:
		args = slices.Clone(e.Children()) // with the children of its window
		args[0] = asDoubleNumber(asWritten(args[0]))
		out, err := e.WithChildren(args...)
		return out, true, err
	}
	return e, false, nil
}

// asWritten returns an argument without the conversions to the common type.
func asWritten(e sql.Expression) sql.Expression {
	for {
		switch of := e.(type) {
		case *Conversion:
			e = of.Child
		case *tree.JSONScalar:
			e = of.Child
		case *functions.SQLText:
			e = of.Child
		case *enumText:
			e = of.Child
		case *temporalValue:
			e = of.Child
		case *tree.Retype:
			e = of.Child
		case *value.SpelledNumber:
			e = of.Child
		case *tree.EnumNumber:
			e = of.Child
		case *functions.TemporalNumber:
			e = of.Child
		case *expression.Literal:
			return plainLiteral(of)
		default:
			return e
		}
	}
}

// plainLiteral returns the number or string that a literal was before it became JSON.
func plainLiteral(l *expression.Literal) sql.Expression {
	j, ok := l.Val.(value.JSON)
	if !ok {
		return l
	}
	switch j.Held.Type() {
	case document.TypeString:
		return expression.NewLiteral(j.Held.Str(), types.LongText)
	case document.TypeNumber:
		switch n := value.NumberValue(j.Held.Number()).(type) {
		case int64:
			return expression.NewLiteral(n, types.Int64)
		case uint64:
			return expression.NewLiteral(n, types.Uint64)
		case float64:
			return expression.NewLiteral(n, types.Float64)
		}
	}
	return l
}

// ofRetyped reports whether an expression has columns or CASEs that the plan builder gave another type.
func (r resultTypes) ofRetyped(e sql.Expression) bool {
	return len(r.retyped)+len(r.replaced) > 0 && transform.InspectExpr(e, func(e sql.Expression) bool {
		switch e := e.(type) {
		case *expression.GetField:
			return r.retyped[e.Id()]
		case *tree.Case:
			return r.replaced[e]
		}
		return false
	})
}

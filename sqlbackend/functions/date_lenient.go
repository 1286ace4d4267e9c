package functions

import (
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression/function"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/dolthub/vitess/go/mysql"

	"github.com/sqlfdb/sqlfdb/sqlbackend/mysqlerr"
)

// lenientDate is a function of dates that is NULL, with MySQL's warning, for a text that spells none. The engine ends
// the statement, so that one document would prevent reading the others.
type lenientDate struct {
	sql.FunctionExpression
}

var (
	_ sql.FunctionExpression = (*lenientDate)(nil)
	_ sql.CollationCoercible = (*lenientDate)(nil)
)

// LenientDates adds functions of dates that accept days which the calendar lacks.
func LenientDates(out map[string]sql.Function) {
	for name, of := range map[string]func(a sql.Expression) sql.Expression{"monthname": function.NewMonthName,
		"weekofyear": function.NewWeekOfYear} {
		out[name] = sql.Function1{Name: name, Fn: func(a sql.Expression) sql.Expression {
			return &lenientDate{of(a).(sql.FunctionExpression)}
		}}
	}
	out["datediff"] = sql.Function2{Name: "datediff", Fn: func(a, b sql.Expression) sql.Expression {
		return &lenientDate{function.NewDateDiff(a, b).(sql.FunctionExpression)}
	}}
	out["yearweek"] = sql.FunctionN{Name: "yearweek", Fn: func(args ...sql.Expression) (sql.Expression, error) {
		e, err := function.NewYearWeek(args...)
		if err != nil {
			return nil, err
		}
		return &lenientDate{e.(sql.FunctionExpression)}, nil
	}}
}

// Eval implements sql.Expression.
func (l *lenientDate) Eval(ctx *sql.Context, row sql.Row) (any, error) {
	v, err := l.FunctionExpression.Eval(ctx, row)
	switch {
	case err == nil:
	case types.ErrConvertingToTime.Is(err), types.ErrConvertingToTimeOutOfRange.Is(err),
		types.ErrConvertingToTimeType.Is(err):
		Warn(ctx, mysql.ERTruncatedWrongValue, "%s", mysqlerr.Shortened(err.Error()))
		return nil, nil
	case sql.ErrInvalidArgumentDetails.Is(err): // YEARWEEK has warned of it
		return nil, nil
	}
	return v, err
}

// WithChildren implements sql.Expression.
func (l *lenientDate) WithChildren(children ...sql.Expression) (sql.Expression, error) {
	next, err := l.FunctionExpression.WithChildren(children...)
	if err != nil {
		return nil, err
	}
	return &lenientDate{next.(sql.FunctionExpression)}, nil
}

// CollationCoercibility implements sql.CollationCoercible.
func (l *lenientDate) CollationCoercibility(ctx *sql.Context) (sql.CollationID, byte) {
	return sql.GetCoercibility(ctx, l.FunctionExpression)
}

package functions

import (
	"time"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/expression/function"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/shopspring/decimal"

	"github.com/sqlfdb/sqlfdb/sqlbackend/statement"
	"github.com/sqlfdb/sqlfdb/sqlbackend/tree"
)

// unixTimestamp is UNIX_TIMESTAMP of a date.
type unixTimestamp struct {
	*function.UnixTimestamp
}

var _ sql.FunctionExpression = (*unixTimestamp)(nil)

// NewUnixTimestamp returns UNIX_TIMESTAMP.
func NewUnixTimestamp(args ...sql.Expression) (sql.Expression, error) {
	if len(args) == 1 && tree.ReadsVariable(args[0]) { // the engine evaluates it without a session
		field := expression.NewGetField(0, args[0].Type(), "", true)
		e, err := function.NewUnixTimestamp(field)
		if u, ok := e.(*function.UnixTimestamp); ok && err == nil {
			u.Date = args[0]
			return &unixTimestamp{u}, nil
		}
		return e, err
	}
	e, err := function.NewUnixTimestamp(args...)
	if u, ok := e.(*function.UnixTimestamp); ok && err == nil {
		return &unixTimestamp{u}, nil
	}
	return e, err
}

// WithChildren implements sql.Expression.
func (u *unixTimestamp) WithChildren(children ...sql.Expression) (sql.Expression, error) {
	return NewUnixTimestamp(children...)
}

// Eval implements sql.Expression.
func (u *unixTimestamp) Eval(ctx *sql.Context, row sql.Row) (any, error) {
	if u.Date == nil || u.Date.Type().Equals(types.Timestamp) {
		return u.UnixTimestamp.Eval(ctx, row)
	}
	zone, err := sessionZone(ctx)
	if err != nil {
		return nil, err
	}
	v, err := u.Date.Eval(ctx, row)
	if err != nil || v == nil {
		return nil, err
	}
	date, _, err := types.DatetimeMaxPrecision.Convert(ctx, v)
	moment, ok := date.(time.Time)
	if err != nil || !ok {
		return u.UnixTimestamp.Eval(ctx, row) // the engine warns
	}
	micros := instantOf(moment, zone).UnixMicro()
	switch {
	case micros > function.MaxUnixTimeMicroSecs:
		return int64(0), nil
	case micros < 1e6:
		return u.Type().Zero(), nil
	}
	if t, ok := u.Type().(sql.DecimalType); ok {
		scale := int32(t.Scale())
		for i := scale; i < 6; i++ {
			micros /= 10
		}
		return decimal.New(micros, -scale), nil
	}
	return micros / 1e6, nil
}

// zoneOffset returns how far a time zone that is written as an offset, +01:00, is ahead of UTC.
func zoneOffset(zone string) (offset time.Duration, fixed bool) {
	if len(zone) != len("+00:00") || zone[0] != '+' && zone[0] != '-' || zone[3] != ':' {
		return 0, false
	}
	for _, at := range []int{1, 2, 4, 5} {
		if !statement.IsDigitByte(zone[at]) {
			return 0, false
		}
	}
	two := func(at int) time.Duration { return time.Duration(zone[at]-'0')*10 + time.Duration(zone[at+1]-'0') }
	offset = two(1)*time.Hour + two(4)*time.Minute
	if zone[0] == '-' {
		offset = -offset
	}
	return offset, true
}

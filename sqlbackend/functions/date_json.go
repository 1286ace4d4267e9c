package functions

import (
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/types"

	"github.com/sqlfdb/sqlfdb/document"
	"github.com/sqlfdb/sqlfdb/sqlbackend/mysqlerr"
	"github.com/sqlfdb/sqlfdb/sqlbackend/pushdown"
	"github.com/sqlfdb/sqlfdb/sqlbackend/value"
)

// DateFunctions maps functions of dates and times to the number of their first arguments that are dates or times, -1
// for all. The engine does not read JSON as a date, or ends the statement.
var DateFunctions = map[string]int{
	"adddate": 1, "convert_tz": 1, "date": 1, "date_add": 1, "date_format": 1, "date_sub": 1, "datediff": 2, "datetime": 2,
	"day": 1, "dayname": 1,
	"dayofmonth": 1, "dayofweek": 1, "dayofyear": 1, "extract": -1, "hour": 1, "last_day": 1, "microsecond": 1,
	"minute": 1, "month": 1, "monthname": 1,
	"quarter": 1, "second": 1, "subdate": 1, "time": 1, "time_of": 1, "time_format": 1, "time_to_sec": 1, "timediff": 2,
	"timestamp": 2, "timestampdiff": -1,
	"to_days": 1, "unix_timestamp": 1, "week": 1, "weekday": 1, "weekofyear": 1, "year": 1, "yearweek": 1,
}

// DatesOfNumbers are functions that turn numbers into dates.
var DatesOfNumbers = map[string]bool{"from_days": true, "from_unixtime": true}

// dateText is the text of a JSON string as functions of dates read it: for other JSON it is NULL, with a warning.
type dateText struct {
	expression.UnaryExpression
}

var (
	_ sql.Expression         = (*dateText)(nil)
	_ sql.CollationCoercible = (*dateText)(nil)
	_ pushdown.Operand       = (*dateText)(nil)
)

// DateOfJSON returns an expression whose JSON string counts as the date that it spells.
func DateOfJSON(e sql.Expression) sql.Expression {
	if !types.IsJSON(e.Type()) {
		return e
	}
	return &dateText{expression.UnaryExpression{Child: e}}
}

// PushdownOperand implements pushdown.Operand: a string is read as ->> reads it.
func (d *dateText) PushdownOperand() sql.Expression { return NewJSONFunction("json_unquote", d.Child) }

// Type implements sql.Expression.
func (d *dateText) Type() sql.Type { return types.LongText }

// IsNullable implements sql.Expression.
func (d *dateText) IsNullable() bool { return true }

// CollationCoercibility implements sql.CollationCoercible.
func (d *dateText) CollationCoercibility(*sql.Context) (sql.CollationID, byte) {
	return sql.Collation_Default, 4
}

// Eval implements sql.Expression.
func (d *dateText) Eval(ctx *sql.Context, row sql.Row) (any, error) {
	v, err := d.Child.Eval(ctx, row)
	if err != nil || v == nil {
		return nil, err
	}
	if v, err = sql.UnwrapAny(ctx, v); err != nil {
		return nil, err
	}
	value, err := value.ValueOf(v)
	if err != nil {
		return nil, err
	}
	if value.Type() != document.TypeString {
		Warn(ctx, errInvalidJSONForCast, "Invalid JSON value for CAST to DATETIME: %s", mysqlerr.Shortened(value.Text()))
		return nil, nil
	}
	return value.Str(), nil
}

// WithChildren implements sql.Expression.
func (d *dateText) WithChildren(children ...sql.Expression) (sql.Expression, error) {
	if len(children) != 1 {
		return nil, sql.ErrInvalidChildrenNumber.New(d, len(children), 1)
	}
	return &dateText{expression.UnaryExpression{Child: children[0]}}, nil
}

// String implements fmt.Stringer.
func (d *dateText) String() string { return d.Child.String() }

// errInvalidJSONForCast is MySQL's number for JSON that has no value of a type.
const errInvalidJSONForCast = 3156

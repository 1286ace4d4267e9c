package compare

import (
	"reflect"
	"slices"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/dolthub/vitess/go/sqltypes"

	"github.com/sqlfdb/sqlfdb/sqlbackend/functions"
	"github.com/sqlfdb/sqlfdb/sqlbackend/value"
)

// commonType returns the type of a column of UNION, INTERSECT or EXCEPT whose sides have columns of two types. It
// holds the values of both, as in MySQL, or is JSON for numbers beside JSON. Dates and times become a DATETIME, byte
// strings beside other values byte strings, and all others texts. It returns false where the engine's own choice
// stays.
func (c Comparer) commonType(left, right sql.Expression) (sql.Type, bool) {
	lk, rk := c.kind(left), c.kind(right)
	switch {
	case lk == kindOther || rk == kindOther || lk == kindNull && rk == kindNull:
		return nil, false
	case lk == kindNull:
		return asEnumText(right).Type(), true
	case rk == kindNull:
		return asEnumText(left).Type(), true
	case lk == kindNumber && rk == kindNumber:
		if t, ok := numbersType([]sql.Expression{left, right}); ok {
			return t, true
		}
		return commonNumber(left.Type(), right.Type())
	case (lk == kindJSON || lk == kindNumber) && (rk == kindJSON || rk == kindNumber):
		return types.JSON, true
	case lk == kindBytes || rk == kindBytes:
		return types.LongBlob, true
	case lk == kindDate && rk == kindDate:
		return commonDate(left.Type(), right.Type()), true
	case lk == kindTime && rk == kindTime:
		return functions.TimeLike([]sql.Expression{left, right}), true
	case lk.temporal() && rk.temporal() && lk != rk:
		return types.DatetimeMaxPrecision, true
	}
	return value.NewTextType(c.TextCollation(asEnumText(left), asEnumText(right))), true
}

func commonNumber(left, right sql.Type) (sql.Type, bool) {
	all := []sql.Type{left, right}
	if slices.ContainsFunc(all, types.IsFloat) {
		return types.Float64, true
	}
	if types.IsSigned(left) && types.IsSigned(right) {
		return types.Int64, true
	}
	if types.IsUnsigned(left) && types.IsUnsigned(right) {
		return types.Uint64, true
	}
	whole, scale := 0, 0
	for _, t := range all {
		d, s, ok := functions.DecimalDigits(t)
		if !ok {
			return nil, false
		}
		whole, scale = max(whole, d-s), max(scale, s)
	}
	whole = min(whole, types.DecimalTypeMaxPrecision-scale)
	return types.MustCreateDecimalType(uint8(whole+scale), uint8(scale)), true
}

// commonDate returns a DATETIME with as many fractional digits as the one of two dates that has more.
func commonDate(left, right sql.Type) sql.Type {
	if types.IsDateType(left) && types.IsDateType(right) {
		return types.Date
	}
	precision := 0
	for _, t := range []sql.Type{left, right} {
		of, ok := t.(sql.DatetimeType)
		if !ok {
			return types.DatetimeMaxPrecision
		}
		if !types.IsDateType(t) {
			precision = max(precision, of.Precision())
		}
	}
	return types.MustCreateDatetimeType(sqltypes.Datetime, precision)
}

// columnOfSide returns a reference to a column of one side of a set operation, from above that side. It refers by
// place if another column has its name, since the engine goes by the name where an alias has lost its number, or the
// numbers have another order. It also refers by place within a set operation. For each column with a number there,
// the engine's projection computes the default, and with it the whole schema below, which takes exponential time in
// chains.
func columnOfSide(schema sql.Schema, ids []sql.ColumnId, at int, byPlace bool) sql.Expression {
	for i, other := range schema {
		if byPlace || i != at && strings.EqualFold(other.Name, schema[at].Name) {
			return &ResultColumn{FromEnd: len(schema) - at, Column: schema[at]}
		}
	}
	return fieldOfColumn(ids[at], schema[at])
}

// united returns a column of one side of a set operation in the common type of the sides.
func united(e sql.Expression, t sql.Type) sql.Expression {
	if reflect.DeepEqual(e.Type(), t) {
		return e
	}
	_, text := t.(value.TextType)
	from := (Comparer{}).kind(e)
	switch {
	case from == kindNull:
	case types.IsTime(t) && from == kindTime:
		return onDate(e)
	case (text || t == types.LongBlob) && from != kindText && from != kindBytes:
		return converted(asPlainText(e), t)
	}
	return converted(e, t)
}

// asPlainText returns a value as MySQL converts it to a text: a string inside JSON keeps its quotes.
func asPlainText(e sql.Expression) sql.Expression {
	if k := (Comparer{}).kind(e); k == kindJSON || k == kindNumber {
		return expression.NewConvert(e, expression.ConvertToChar)
	}
	return asSQLText(asEnumText(e))
}

// engineSide returns a column of a side of a set operation as the plan builder converts it: to the type of a CAST.
func engineSide(field sql.Expression, c *sql.Column, to string) sql.Expression {
	convert := expression.NewConvert(field, to)
	switch {
	case c.Type.Equals(convert.Type()):
		return expression.NewAlias(c.Name, field)
	case types.IsText(convert.Type()) && types.IsEnum(c.Type):
		convert = expression.NewConvert(expression.NewEnumToString(field), to)
	}
	return expression.NewAlias(c.Name, convert)
}

package session

import (
	"context"
	"encoding/base64"
	"fmt"
	"strconv"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/dolthub/vitess/go/mysql"
	"github.com/dolthub/vitess/go/sqltypes"
	"github.com/shopspring/decimal"

	"github.com/sqlfdb/sqlfdb/document"
	"github.com/sqlfdb/sqlfdb/sqlbackend/compare"
	"github.com/sqlfdb/sqlfdb/sqlbackend/mysqlerr"
	"github.com/sqlfdb/sqlfdb/sqlbackend/value"
)

// Unit is the way that a column's values pass between JSON and SQL.
type Unit uint8

const (
	UnitOther   Unit = iota // through the type's own conversion, and as its text
	UnitJSON                // unchanged
	UnitText                // value.TextType: Go strings
	UnitString              // other strings
	UnitInt64               // BIGINT
	UnitDouble              // DOUBLE
	UnitNumber              // other integers, YEAR, BIT
	UnitFloat               // FLOAT
	UnitDecimal             // DECIMAL
	unitBytes               // binary strings
	UnitBool                // an inferred boolean
)

// UnitOf returns the unit of a declared column's type.
func UnitOf(t sql.Type) Unit {
	if _, ok := t.(value.TextType); ok {
		return UnitText
	}
	switch t.Type() {
	case sqltypes.TypeJSON:
		return UnitJSON
	case sqltypes.Int64:
		return UnitInt64
	case sqltypes.Float64:
		return UnitDouble
	case sqltypes.Float32:
		return UnitFloat
	case sqltypes.Decimal:
		return UnitDecimal
	case sqltypes.Bit, sqltypes.Year:
		return UnitNumber
	case sqltypes.Binary, sqltypes.VarBinary, sqltypes.Blob:
		return unitBytes
	case sqltypes.Char, sqltypes.VarChar, sqltypes.Text:
		return UnitString
	}
	if types.IsInteger(t) {
		return UnitNumber
	}
	return UnitOther
}

// InferredUnit returns the unit of an undeclared column's type.
func InferredUnit(t sql.Type) Unit {
	if t == sql.Type(inferredBool) {
		return UnitBool
	}
	return UnitOf(t)
}

// ReadsNull reports whether a column reads SQL NULL from a value: from a missing one, and from a JSON null unless
// that is a value of the column.
func (c *Column) ReadsNull(v document.Value) bool { return v.IsZero() || v.IsNull() && !c.KeepsNull }

// Put puts the result of ToJSON for a column into a document; a missing value removes the present one.
func (c *Column) Put(d document.Document, v document.Value) (document.Document, error) {
	if v.IsZero() {
		return d.Without(c.Keypath)
	}
	return d.With(c.Keypath, v)
}

// FromJSON returns the SQL value that a column reads from the value at its keypath.
func FromJSON(ctx context.Context, c *Column, v document.Value) (any, error) {
	if c.ReadsNull(v) {
		return nil, nil
	}
	if read, ok := plain(c, v); ok {
		return read, nil
	}
	return converted(ctx, c, v)
}

// converted is FromJSON by the conversion of the column's type.
func converted(ctx context.Context, c *Column, v document.Value) (any, error) {
	t := v.Type()
	switch c.Unit {
	case UnitJSON:
		return value.NewJSON(v), nil
	case UnitText, UnitString:
		if t == document.TypeString {
			if c.Declared < 0 {
				return v.Str(), nil
			}
			return ConvertValue(ctx, c, v.Str())
		}
		return ConvertValue(ctx, c, v.Text())
	case UnitInt64:
		if t == document.TypeNumber {
			if n, err := strconv.ParseInt(v.Number(), 10, 64); err == nil {
				return n, nil
			}
		}
	case UnitDouble:
		if t == document.TypeNumber {
			if f, err := strconv.ParseFloat(v.Number(), 64); err == nil {
				return f, nil
			}
		}
	case UnitFloat: // the type's own conversion returns the largest FLOAT for a value that is too large
		if t == document.TypeNumber {
			if f, err := strconv.ParseFloat(v.Number(), 32); err == nil {
				return float32(f), nil
			}
		}
	case UnitBool:
		if t == document.TypeBool {
			if v.Bool() {
				return int8(1), nil
			}
			return int8(0), nil
		}
	case UnitDecimal:
		if t == document.TypeNumber {
			if d, ok := value.LiteralDecimal(v.Number()); ok {
				return ConvertValue(ctx, c, d)
			}
		}
	case unitBytes:
		b, err := bytesOf(v)
		if err != nil {
			return nil, fmt.Errorf("sqlbackend: column %s: %w", c.Name, err)
		}
		return ConvertValue(ctx, c, b)
	}
	e, enum := c.Typ.(sql.EnumType)
	if enum && t == document.TypeNumber && v.Number() == "0" {
		return uint16(0), nil
	}
	if enum && t == document.TypeString {
		if at, ok := compare.EnumOfText(e, v.Str()); ok {
			return at, nil
		}
		return nil, mysql.NewSQLError(mysql.ERTruncatedWrongValueForField, "HY000",
			"Incorrect %s value: '%.100v' for column '%s'", c.Typ, v.Str(), c.Name)
	}
	return ConvertValue(ctx, c, scalarOf(v))
}

// scalarOf returns the SQL scalar of a JSON value, as ->> does.
func scalarOf(v document.Value) any {
	switch v.Type() {
	case document.TypeString:
		return v.Str()
	case document.TypeBool:
		if v.Bool() {
			return int8(1)
		}
		return int8(0)
	case document.TypeNumber:
		switch n := value.NumberValue(v.Number()).(type) {
		case value.RawJSON:
			return string(n)
		default:
			return n
		}
	}
	return v.Text()
}

// ConvertValue converts a value to a column's type; for a value that does not fit, the error names the column.
func ConvertValue(ctx context.Context, c *Column, v any) (any, error) {
	out, inRange, err := c.Typ.Convert(ctx, v)
	if err == nil && inRange == sql.InRange {
		return out, nil
	}
	switch {
	case err == nil:
		return nil, mysql.NewSQLError(mysqlerr.OutOfRange, "22003", "Out of range value for column '%s': %v", c.Name, v)
	case types.ErrLengthBeyondLimit.Is(err):
		return nil, mysql.NewSQLError(mysqlerr.DataTooLong, "22001", "Data too long for column '%s': %.100v", c.Name, v)
	case sql.ErrValueOutOfRange.Is(err):
		return nil, mysql.NewSQLError(mysqlerr.OutOfRange, "22003", "Out of range value for column '%s': %v", c.Name, v)
	}
	return nil, mysql.NewSQLError(mysql.ERTruncatedWrongValueForField, "HY000",
		"Incorrect %s value: '%.100v' for column '%s'", c.Typ, v, c.Name)
}

// ToJSON returns the JSON value of a column's SQL value in the document; it is missing for NULL where a JSON null is
// a value.
func ToJSON(ctx *sql.Context, c *Column, v any) (document.Value, error) {
	v, err := sql.UnwrapAny(ctx, v)
	if err != nil {
		return document.Value{}, err
	}
	switch {
	case v == nil && c.KeepsNull:
		return document.Value{}, nil
	case v == nil:
		return document.NullValue(), nil
	}
	if j, ok := v.(value.JSON); ok && (c.Unit == UnitJSON || c.Declared < 0) {
		return j.Value(), nil
	}
	value, err := toJSONAs(ctx, c, v)
	if err != nil {
		return document.Value{}, fmt.Errorf("sqlbackend: column %s: %w", c.Name, err)
	}
	return value, nil
}

func toJSONAs(ctx *sql.Context, c *Column, v any) (document.Value, error) {
	switch v := v.(type) {
	case string:
		switch c.Unit {
		case UnitText, UnitString:
			return document.StringValue(v)
		case unitBytes:
			return document.StringValue(base64.StdEncoding.EncodeToString([]byte(v)))
		case UnitJSON:
			if c.Declared >= 0 {
				j, err := value.ParseJSON(v)
				return j.Value(), err
			}
		}
		if c.Declared < 0 {
			return document.StringValue(v)
		}
	case []byte:
		if c.Unit == unitBytes {
			return document.StringValue(base64.StdEncoding.EncodeToString(v))
		}
		if c.Unit == UnitText || c.Unit == UnitString {
			return document.StringValue(string(v))
		}
	case int8:
		if c.Unit == UnitBool && (v == 0 || v == 1) {
			return document.BoolValue(v == 1), nil
		}
	case float32:
		if v == 0 {
			v = 0 // and not -0
		}
		if c.Unit == UnitFloat {
			return document.NumberValue(strconv.FormatFloat(float64(v), 'g', -1, 32))
		}
	case float64:
		if c.Unit == UnitDouble {
			return document.FloatValue(v)
		}
	case decimal.Decimal:
		return document.NumberValue(value.DecimalLiteral(v))
	case types.Timespan:
		if c.Unit == UnitOther {
			return document.StringValue(v.String()) // however many digits the column shows
		}
	}
	if c.Declared >= 0 {
		if out, ok, err := value.MemberJSON(ctx, c.Typ, v); ok || err != nil {
			return out, err
		}
	}
	if c.Declared >= 0 && (c.Unit == UnitOther) {
		text, err := c.Typ.SQL(ctx, nil, v)
		if err != nil {
			return document.Value{}, err
		}
		return document.StringValue(text.ToString())
	}
	return value.ValueOf(v)
}

// bytesOf decodes a binary column's base64.
func bytesOf(v document.Value) ([]byte, error) {
	if v.Type() != document.TypeString {
		return []byte(v.Text()), nil
	}
	b, err := base64.StdEncoding.DecodeString(v.Str())
	if err != nil {
		return nil, fmt.Errorf("a binary column holds base64: %w", err)
	}
	return b, nil
}

// KeyText returns a primary key for messages.
func (d *Definition) KeyText(ctx *sql.Context, values []any) string {
	columns := make([]*Column, len(d.PrimaryKey))
	for i, k := range d.PrimaryKey {
		columns[i] = &d.SQLColumns[k]
	}
	return valuesText(ctx, columns, values)
}

// valuesText returns the values of a unique key for messages, as clients see them.
func valuesText(ctx *sql.Context, columns []*Column, values []any) string {
	parts := make([]string, 0, len(values))
	for i, v := range values {
		if i >= len(columns) {
			break
		}
		if b, ok := v.([]byte); ok {
			parts = append(parts, fmt.Sprintf("%x", b))
		} else if text, err := columns[i].Typ.SQL(ctx, nil, v); err == nil {
			parts = append(parts, text.ToString())
		}
	}
	return strings.Join(parts, "-")
}

package sqlbackend

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

// unit is how a column's values pass between JSON and SQL.
type unit uint8

const (
	unitOther   unit = iota // through the type's own conversion, and as its text
	unitJSON                // as it is
	unitText                // textType: Go strings
	unitString              // other strings
	unitInt64               // BIGINT
	unitDouble              // DOUBLE
	unitNumber              // other integers, YEAR, BIT
	unitFloat               // FLOAT
	unitDecimal             // DECIMAL
	unitBytes               // binary strings
	unitBool                // an inferred boolean
)

// unitOf is the unit of a declared column's type.
func unitOf(t sql.Type) unit {
	if _, ok := t.(value.TextType); ok {
		return unitText
	}
	switch t.Type() {
	case sqltypes.TypeJSON:
		return unitJSON
	case sqltypes.Int64:
		return unitInt64
	case sqltypes.Float64:
		return unitDouble
	case sqltypes.Float32:
		return unitFloat
	case sqltypes.Decimal:
		return unitDecimal
	case sqltypes.Bit, sqltypes.Year:
		return unitNumber
	case sqltypes.Binary, sqltypes.VarBinary, sqltypes.Blob:
		return unitBytes
	case sqltypes.Char, sqltypes.VarChar, sqltypes.Text:
		return unitString
	}
	if types.IsInteger(t) {
		return unitNumber
	}
	return unitOther
}

// inferredUnit is the unit of an undeclared column's type.
func inferredUnit(t sql.Type) unit {
	if t == sql.Type(inferredBool) {
		return unitBool
	}
	return unitOf(t)
}

// readsNull reports whether a column reads SQL NULL from a value: a missing one, and a JSON null unless that is a value
// of the column.
func (c *column) readsNull(v document.Value) bool { return v.IsZero() || v.IsNull() && !c.keepsNull }

// put puts what toJSON has made of a column's value into a document: no value takes out what is there.
func (c *column) put(d document.Document, v document.Value) (document.Document, error) {
	if v.IsZero() {
		return d.Without(c.keypath)
	}
	return d.With(c.keypath, v)
}

// fromJSON is the SQL value that a column reads from the value at its keypath.
func fromJSON(ctx context.Context, c *column, v document.Value) (any, error) {
	t := v.Type()
	if c.readsNull(v) {
		return nil, nil
	}
	switch c.unit {
	case unitJSON:
		return value.NewJSON(v), nil
	case unitText, unitString:
		if t == document.TypeString {
			if c.declared < 0 {
				return v.Str(), nil
			}
			return convertValue(ctx, c, v.Str())
		}
		return convertValue(ctx, c, v.Text())
	case unitInt64:
		if t == document.TypeNumber {
			if n, err := strconv.ParseInt(v.Number(), 10, 64); err == nil {
				return n, nil
			}
		}
	case unitDouble:
		if t == document.TypeNumber {
			if f, err := strconv.ParseFloat(v.Number(), 64); err == nil {
				return f, nil
			}
		}
	case unitFloat: // the type's own conversion takes the largest FLOAT for one too large
		if t == document.TypeNumber {
			if f, err := strconv.ParseFloat(v.Number(), 32); err == nil {
				return float32(f), nil
			}
		}
	case unitBool:
		if t == document.TypeBool {
			if v.Bool() {
				return int8(1), nil
			}
			return int8(0), nil
		}
	case unitDecimal:
		if t == document.TypeNumber {
			if d, ok := value.LiteralDecimal(v.Number()); ok {
				return convertValue(ctx, c, d)
			}
		}
	case unitBytes:
		b, err := bytesOf(v)
		if err != nil {
			return nil, fmt.Errorf("sqlbackend: column %s: %w", c.name, err)
		}
		return convertValue(ctx, c, b)
	}
	e, enum := c.typ.(sql.EnumType)
	if enum && t == document.TypeNumber && v.Number() == "0" {
		return uint16(0), nil
	}
	if enum && t == document.TypeString {
		if at, ok := compare.EnumOfText(e, v.Str()); ok {
			return at, nil
		}
		return nil, mysql.NewSQLError(mysql.ERTruncatedWrongValueForField, "HY000",
			"Incorrect %s value: '%.100v' for column '%s'", c.typ, v.Str(), c.name)
	}
	return convertValue(ctx, c, scalarOf(v))
}

// scalarOf is the SQL scalar of a JSON value: what ->> gives.
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

// convertValue converts a value to a column's type; what does not fit is an
// error that names the column.
func convertValue(ctx context.Context, c *column, v any) (any, error) {
	out, inRange, err := c.typ.Convert(ctx, v)
	if err == nil && inRange == sql.InRange {
		return out, nil
	}
	switch {
	case err == nil:
		return nil, mysql.NewSQLError(mysqlerr.OutOfRange, "22003", "Out of range value for column '%s': %v", c.name, v)
	case types.ErrLengthBeyondLimit.Is(err):
		return nil, mysql.NewSQLError(mysqlerr.DataTooLong, "22001", "Data too long for column '%s': %.100v", c.name, v)
	case sql.ErrValueOutOfRange.Is(err):
		return nil, mysql.NewSQLError(mysqlerr.OutOfRange, "22003", "Out of range value for column '%s': %v", c.name, v)
	}
	return nil, mysql.NewSQLError(mysql.ERTruncatedWrongValueForField, "HY000",
		"Incorrect %s value: '%.100v' for column '%s'", c.typ, v, c.name)
}

// toJSON is the JSON value that a column's SQL value becomes in the document: none for NULL where a JSON null is a
// value.
func toJSON(ctx *sql.Context, c *column, v any) (document.Value, error) {
	v, err := sql.UnwrapAny(ctx, v)
	if err != nil {
		return document.Value{}, err
	}
	switch {
	case v == nil && c.keepsNull:
		return document.Value{}, nil
	case v == nil:
		return document.NullValue(), nil
	}
	if j, ok := v.(value.JSON); ok && (c.unit == unitJSON || c.declared < 0) {
		return j.Value(), nil
	}
	value, err := toJSONAs(ctx, c, v)
	if err != nil {
		return document.Value{}, fmt.Errorf("sqlbackend: column %s: %w", c.name, err)
	}
	return value, nil
}

func toJSONAs(ctx *sql.Context, c *column, v any) (document.Value, error) {
	switch v := v.(type) {
	case string:
		switch c.unit {
		case unitText, unitString:
			return document.StringValue(v)
		case unitBytes:
			return document.StringValue(base64.StdEncoding.EncodeToString([]byte(v)))
		case unitJSON:
			if c.declared >= 0 {
				j, err := value.ParseJSON(v)
				return j.Value(), err
			}
		}
		if c.declared < 0 {
			return document.StringValue(v)
		}
	case []byte:
		if c.unit == unitBytes {
			return document.StringValue(base64.StdEncoding.EncodeToString(v))
		}
		if c.unit == unitText || c.unit == unitString {
			return document.StringValue(string(v))
		}
	case int8:
		if c.unit == unitBool && (v == 0 || v == 1) {
			return document.BoolValue(v == 1), nil
		}
	case float32:
		if v == 0 {
			v = 0 // and not -0
		}
		if c.unit == unitFloat {
			return document.NumberValue(strconv.FormatFloat(float64(v), 'g', -1, 32))
		}
	case float64:
		if c.unit == unitDouble {
			return document.FloatValue(v)
		}
	case decimal.Decimal:
		return document.NumberValue(value.DecimalLiteral(v))
	case types.Timespan:
		if c.unit == unitOther {
			return document.StringValue(v.String()) // however many digits the column shows
		}
	}
	if c.declared >= 0 {
		if out, ok, err := value.MemberJSON(ctx, c.typ, v); ok || err != nil {
			return out, err
		}
	}
	if c.declared >= 0 && (c.unit == unitOther) {
		text, err := c.typ.SQL(ctx, nil, v)
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

// keyText is a primary key for messages.
func (d *definition) keyText(ctx *sql.Context, values []any) string {
	columns := make([]*column, len(d.PrimaryKey))
	for i, k := range d.PrimaryKey {
		columns[i] = &d.columns[k]
	}
	return valuesText(ctx, columns, values)
}

// valuesText is the values of a unique key for messages, as clients see them.
func valuesText(ctx *sql.Context, columns []*column, values []any) string {
	parts := make([]string, 0, len(values))
	for i, v := range values {
		if i >= len(columns) {
			break
		}
		if b, ok := v.([]byte); ok {
			parts = append(parts, fmt.Sprintf("%x", b))
		} else if text, err := columns[i].typ.SQL(ctx, nil, v); err == nil {
			parts = append(parts, text.ToString())
		}
	}
	return strings.Join(parts, "-")
}

package session

import (
	"time"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/vitess/go/sqltypes"
	"github.com/shopspring/decimal"

	"github.com/sqlfdb/sqlfdb/document"
	"github.com/sqlfdb/sqlfdb/exec"
	"github.com/sqlfdb/sqlfdb/sqlbackend/value"
)

// plain reads a value in the form in which its column's type writes it, which the type's slower conversion would
// return unchanged. Most values are in that form. ok is false for all others.
func plain(c *Column, v document.Value) (read any, ok bool) {
	switch c.Unit {
	case UnitText:
		t, ok := c.Typ.(value.TextType)
		if !ok || c.Declared < 0 || v.Type() != document.TypeString || int64(len(v.Text())-2) > t.Length() {
			return nil, false
		}
		return v.Str(), true
	case UnitNumber:
		n, ok := exec.DecimalNumber(v.Text(), 0)
		if !ok {
			return nil, false
		}
		return integerOf(c.Typ, n)
	case UnitDecimal:
		t, ok := c.Typ.(sql.DecimalType)
		if !ok || v.Type() != document.TypeNumber {
			return nil, false
		}
		text, behind := v.Text(), int(t.Scale())
		if behind > 0 && (len(text) < behind+2 || text[len(text)-behind-1] != '.') {
			return nil, false // the conversion keeps a number's digits
		}
		n, ok := exec.DecimalNumber(text, behind)
		if most := exec.Bound(int(t.Precision())); !ok || n > most || n < -most {
			return nil, false
		}
		return decimal.New(n, -int32(t.Scale())), true
	case UnitOther:
		form := exec.DateForm
		switch c.Typ.Type() {
		case sqltypes.Date:
		case sqltypes.Datetime:
			form = exec.ClockForm
		default:
			return nil, false
		}
		micros, ok := exec.PlainTime(v.Text(), form)
		return time.UnixMicro(micros).UTC(), ok
	}
	return nil, false
}

// integerOf returns an integer as the Go type of a declared column's type; ok is false where it has none.
func integerOf(t sql.Type, n int64) (v any, ok bool) {
	switch t.Type() {
	case sqltypes.Int8:
		return int8(n), n == int64(int8(n))
	case sqltypes.Int16:
		return int16(n), n == int64(int16(n))
	case sqltypes.Int24:
		return int32(n), n >= -1<<23 && n < 1<<23
	case sqltypes.Int32:
		return int32(n), n == int64(int32(n))
	case sqltypes.Uint8:
		return uint8(n), n == int64(uint8(n))
	case sqltypes.Uint16:
		return uint16(n), n == int64(uint16(n))
	case sqltypes.Uint24:
		return uint32(n), n >= 0 && n < 1<<24
	case sqltypes.Uint32:
		return uint32(n), n == int64(uint32(n))
	case sqltypes.Uint64:
		return uint64(n), n >= 0
	}
	return nil, false
}

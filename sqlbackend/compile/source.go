package compile

import (
	"context"
	"math"
	"slices"
	"time"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/dolthub/vitess/go/sqltypes"
	"github.com/shopspring/decimal"

	"github.com/sqlfdb/sqlfdb/document"
	"github.com/sqlfdb/sqlfdb/exec"
	"github.com/sqlfdb/sqlfdb/sqlbackend/functions"
	"github.com/sqlfdb/sqlfdb/sqlbackend/session"
	"github.com/sqlfdb/sqlfdb/sqlbackend/value"
)

// field is a column of the input.
func (c *compiler) field(f *expression.GetField) *exec.Expression {
	at, schema := f.Index(), c.in.schema()
	if at < 0 || at >= len(schema) || !types.TypesEqual(f.Type(), schema[at].Type) {
		return c.no("%s", f)
	}
	i, ok := c.column(at)
	if !ok {
		return c.no("the type of %s", f)
	}
	return exec.Field(i, c.types[i])
}

// column returns the index in the batches of a column of the input; false where it does not come in batches.
func (c *compiler) column(at int) (int, bool) {
	if i := slices.Index(c.columns, at); i >= 0 {
		return i, true
	}
	t, ok := c.in.column(c.ctx, at)
	if ok {
		c.columns, c.types = append(c.columns, at), append(c.types, t)
	}
	return len(c.types) - 1, ok
}

// source says how a column is read from documents; false where it is not.
func source(ctx *sql.Context, of *session.Column) (s exec.Source, ok bool) {
	if of.Document || of.Key || of.Unsettled || of.Undeclared || of.Mixed {
		return s, false
	}
	s = exec.Source{Path: of.Keypath, KeepsNull: of.KeepsNull, Slow: slow(ctx, of)}
	switch t := of.Typ; of.Unit {
	case session.UnitBool:
		s.Truth = true
	case session.UnitInt64:
		s.Least, s.Most = math.MinInt64, math.MaxInt64
	case session.UnitNumber:
		if s.Least, s.Most, ok = integerBounds(t); !ok {
			return s, false
		}
	case session.UnitDouble:
		s.Type.Kind = exec.Float
	case session.UnitDecimal:
		d, ok := t.(sql.DecimalType)
		if !ok || d.Precision() > 18 || of.Declared < 0 {
			return s, false
		}
		s.Type = exec.Type{Kind: exec.Decimal, Scale: int(d.Scale())}
		s.Most = exec.Bound(int(d.Precision()))
		s.Least = -s.Most
	case session.UnitText:
		s.Type.Kind, s.Longest = exec.Text, math.MaxInt
		if of.Declared >= 0 {
			s.Longest = int(min(t.(value.TextType).Length(), math.MaxInt32))
		}
	case session.UnitOther:
		if !isTemporal(t) {
			return s, false
		}
		s.Type.Kind, s.Clock = exec.Time, t.Type() == sqltypes.Datetime
	default:
		return s, false
	}
	return s, true
}

// integerBounds are the bounds of an integer type.
func integerBounds(t sql.Type) (least, most int64, ok bool) {
	switch t.Type() {
	case sqltypes.Int8:
		return math.MinInt8, math.MaxInt8, true
	case sqltypes.Int16:
		return math.MinInt16, math.MaxInt16, true
	case sqltypes.Int24:
		return -1 << 23, 1<<23 - 1, true
	case sqltypes.Int32:
		return math.MinInt32, math.MaxInt32, true
	case sqltypes.Uint8:
		return 0, math.MaxUint8, true
	case sqltypes.Uint16:
		return 0, math.MaxUint16, true
	case sqltypes.Uint24:
		return 0, 1<<24 - 1, true
	case sqltypes.Uint32:
		return 0, math.MaxUint32, true
	case sqltypes.Uint64:
		return 0, math.MaxInt64, true
	}
	return 0, 0, false
}

// slow reads a value as rows do.
func slow(ctx context.Context, of *session.Column) func(document.Value, *exec.Column, int) bool {
	t := exec.Type{}
	switch {
	case of.Unit == session.UnitDecimal:
		t = exec.Type{Kind: exec.Decimal, Scale: int(of.Typ.(sql.DecimalType).Scale())}
	case of.Unit == session.UnitDouble:
		t.Kind = exec.Float
	case of.Unit == session.UnitText:
		t.Kind = exec.Text
	case of.Unit == session.UnitOther:
		t.Kind = exec.Time
	}
	return func(v document.Value, into *exec.Column, row int) bool {
		read, err := session.FromJSON(ctx, of, v)
		return err == nil && put(read, t, into, row)
	}
}

// put puts a value that a row has into a column; false where it is none of its type.
func put(v any, t exec.Type, into *exec.Column, row int) bool {
	switch v := v.(type) {
	case nil:
		into.SetNull(row)
		return true
	case float64:
		if t.Kind == exec.Float {
			into.Floats[row] = v
		}
		return t.Kind == exec.Float
	case string:
		if t.Kind == exec.Text {
			into.Texts[row] = v
		}
		return t.Kind == exec.Text
	case time.Time:
		if t.Kind != exec.Time || v.Nanosecond()%1000 != 0 {
			return false
		}
		into.Ints[row] = v.UnixMicro()
		return true
	case decimal.Decimal:
		n := v.Coefficient() // entries have no zeros at the end
		more := int(v.Exponent()) + t.Scale
		if t.Kind != exec.Decimal || more < 0 || more > t.Scale || !n.IsInt64() {
			return false
		}
		var fits bool
		into.Ints[row], fits = exec.Scaled(n.Int64(), more)
		return fits
	}
	n, ok := functions.AsInt64(v)
	if !ok || t.Kind != exec.Int {
		return false
	}
	into.Ints[row] = n
	return true
}

// asInteger is an integer as columns of a type have it.
func asInteger(ctx *sql.Context, t sql.Type, n int64) (any, error) {
	v, _, err := t.Convert(ctx, n)
	return v, err
}

package compile

import (
	"context"
	"math"
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

// field is a column of the table, which is read from its documents.
func (c *compiler) field(f *expression.GetField) *exec.Expression {
	at := f.Index()
	if at < 0 || at >= len(c.table.Columns) || !types.TypesEqual(f.Type(), c.table.Columns[at].Typ) {
		return c.no("%s", f)
	}
	for i, column := range c.columns {
		if column == at {
			return exec.Field(i, c.sources[i].Type)
		}
	}
	s, ok := c.source(&c.table.Columns[at])
	if !ok {
		return c.no("the type of %s", f)
	}
	c.columns, c.sources = append(c.columns, at), append(c.sources, s)
	return exec.Field(len(c.sources)-1, s.Type)
}

// source says how a column is read from documents; false where it is not.
func (c *compiler) source(of *session.Column) (s exec.Source, ok bool) {
	if of.Document || of.Key || of.Unsettled || of.Undeclared || of.Mixed {
		return s, false
	}
	s = exec.Source{Path: of.Keypath, KeepsNull: of.KeepsNull, Slow: slow(c.ctx, of)}
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
	kind, scale := exec.Int, int32(0)
	switch {
	case of.Unit == session.UnitDecimal:
		kind, scale = exec.Decimal, int32(of.Typ.(sql.DecimalType).Scale())
	case of.Unit == session.UnitDouble:
		kind = exec.Float
	case of.Unit == session.UnitText:
		kind = exec.Text
	case of.Unit == session.UnitOther:
		kind = exec.Time
	}
	return func(v document.Value, into *exec.Column, row int) bool {
		read, err := session.FromJSON(ctx, of, v)
		if err != nil {
			return false
		}
		switch read := read.(type) {
		case nil:
			into.SetNull(row)
			return true
		case float64:
			if kind == exec.Float {
				into.Floats[row] = read
			}
			return kind == exec.Float
		case string:
			if kind == exec.Text {
				into.Texts[row] = read
			}
			return kind == exec.Text
		case time.Time:
			if kind != exec.Time || read.Nanosecond()%1000 != 0 {
				return false
			}
			into.Ints[row] = read.UnixMicro()
			return true
		case decimal.Decimal:
			if kind != exec.Decimal || read.Exponent() != -scale || !read.Coefficient().IsInt64() {
				return false
			}
			into.Ints[row] = read.Coefficient().Int64()
			return true
		}
		n, ok := functions.AsInt64(read)
		if !ok || kind != exec.Int {
			return false
		}
		into.Ints[row] = n
		return true
	}
}

// asInteger is an integer as columns of a type have it.
func asInteger(ctx *sql.Context, t sql.Type, n int64) (any, error) {
	v, _, err := t.Convert(ctx, n)
	return v, err
}

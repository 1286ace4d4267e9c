package functions

import (
	"fmt"
	"math"
	"math/bits"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/transform"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/shopspring/decimal"

	"github.com/sqlfdb/sqlfdb/document"
	"github.com/sqlfdb/sqlfdb/exec"
	"github.com/sqlfdb/sqlfdb/sqlbackend/hold"
	"github.com/sqlfdb/sqlfdb/sqlbackend/kernel"
	"github.com/sqlfdb/sqlfdb/sqlbackend/tree"
	"github.com/sqlfdb/sqlfdb/sqlbackend/value"
)

// SumOf is SUM or AVG. For integers and decimals it is an exact DECIMAL, for other types a DOUBLE, as in MySQL; the
// engine adds doubles. The sum of the numbers in JSON is exact too, though MySQL's type for it is DOUBLE.
type SumOf struct {
	expression.UnaryExpression
	average bool
	Over    *sql.WindowDefinition
	id      sql.ColumnId
}

var (
	_ sql.FunctionExpression        = (*SumOf)(nil)
	_ sql.Aggregation               = (*SumOf)(nil)
	_ sql.WindowAdaptableExpression = (*SumOf)(nil)
	_ sql.CollationCoercible        = (*SumOf)(nil)
)

// NewSum returns SUM.
func NewSum(e sql.Expression) sql.Expression {
	return &SumOf{UnaryExpression: expression.UnaryExpression{Child: e}}
}

// NewAverage returns AVG.
func NewAverage(e sql.Expression) sql.Expression {
	return &SumOf{UnaryExpression: expression.UnaryExpression{Child: e}, average: true}
}

// Digits that a SUM has in addition to its argument's, and additional decimals of an AVG.
const (
	sumDigits       = 22
	averageDecimals = 4
)

// Type implements sql.Expression.
func (s *SumOf) Type() sql.Type {
	digits, scale, ok := DecimalDigits(s.summed().Type())
	if !ok && !s.average && types.IsJSON(s.Argument().Type()) {
		return value.MixedNumber{ColumnType: types.Float64}
	}
	if !ok {
		return types.Float64
	}
	if s.average {
		digits, scale = digits+averageDecimals, scale+averageDecimals
	} else {
		digits += sumDigits
	}
	scale = min(scale, types.DecimalTypeMaxScale)
	return types.MustCreateDecimalType(uint8(min(digits, types.DecimalTypeMaxPrecision)), uint8(scale))
}

// DecimalDigits returns how many digits an exact number of a type has, and how many of them follow the point.
func DecimalDigits(t sql.Type) (digits, scale int, ok bool) {
	if dt, ok := t.(sql.DecimalType); ok {
		return int(dt.Precision()), int(dt.Scale()), true
	}
	switch {
	case t == types.Int8, t == types.Uint8, types.IsBoolean(t):
		return 3, 0, true
	case t == types.Int16, t == types.Uint16, types.IsYear(t):
		return 5, 0, true
	case t == types.Int24, t == types.Uint24:
		return 8, 0, true
	case t == types.Int32, t == types.Uint32:
		return 10, 0, true
	case types.IsSigned(t):
		return 19, 0, true
	case types.IsUnsigned(t), types.IsBit(t):
		return 20, 0, true
	case value.IsTimespan(t):
		fraction := 0
		if of, ok := t.(value.TimeType); ok {
			fraction = of.Digits
		}
		return 7 + fraction, fraction, true
	case types.IsDateType(t):
		return 8, 0, true
	case types.IsTime(t):
		fraction := 0
		if of, ok := t.(interface{ Precision() int }); ok {
			fraction = of.Precision()
		}
		return 14 + fraction, fraction, true
	}
	return 0, 0, false
}

// Argument returns the summed expression, without DISTINCT.
func (s *SumOf) Argument() sql.Expression {
	if d, ok := s.Child.(*expression.DistinctExpression); ok {
		return d.Child
	}
	return s.Child
}

// summed returns the summed expression in its own type.
func (s *SumOf) summed() sql.Expression {
	e := tree.Unwrapped(s.Argument())
	if t, ok := e.(*TemporalNumber); ok {
		return t.Child
	}
	return e
}

// FunctionName implements sql.FunctionExpression.
func (s *SumOf) FunctionName() string {
	if s.average {
		return "avg"
	}
	return "sum"
}

// Description implements sql.FunctionExpression.
func (s *SumOf) Description() string { return "returns the " + s.FunctionName() + " of all rows" }

// IsNullable implements sql.Expression.
func (s *SumOf) IsNullable() bool { return true }

// Resolved implements sql.Expression.
func (s *SumOf) Resolved() bool {
	return s.Child.Resolved() && expression.ExpressionsResolved(s.Over.ToExpressions()...)
}

// Children implements sql.Expression.
func (s *SumOf) Children() []sql.Expression {
	return append([]sql.Expression{s.Child}, s.Over.ToExpressions()...)
}

// WithChildren implements sql.Expression.
func (s *SumOf) WithChildren(children ...sql.Expression) (sql.Expression, error) {
	if len(children) < 1 {
		return nil, sql.ErrInvalidChildrenNumber.New(s, len(children), 1)
	}
	next := *s
	next.Child = children[0]
	if s.Over != nil {
		w, err := s.Over.FromExpressions(children[1:])
		if err != nil {
			return nil, err
		}
		next.Over = w
	}
	return &next, nil
}

// CollationCoercibility implements sql.CollationCoercible.
func (s *SumOf) CollationCoercibility(*sql.Context) (sql.CollationID, byte) {
	return sql.Collation_binary, 5
}

// Eval implements sql.Expression. A sum has no value for a single row.
func (s *SumOf) Eval(*sql.Context, sql.Row) (interface{}, error) {
	return nil, fmt.Errorf("sqlbackend: %s outside of an aggregation", s.FunctionName())
}

// Id implements sql.IdExpression.
func (s *SumOf) Id() sql.ColumnId { return s.id }

// WithId implements sql.IdExpression.
func (s *SumOf) WithId(id sql.ColumnId) sql.IdExpression {
	next := *s
	next.id = id
	return &next
}

// Window implements sql.WindowAdaptableExpression.
func (s *SumOf) Window() *sql.WindowDefinition { return s.Over }

// WithWindow implements sql.WindowAdaptableExpression.
func (s *SumOf) WithWindow(w *sql.WindowDefinition) sql.WindowAdaptableExpression {
	next := *s
	next.Over = w
	return &next
}

// String implements fmt.Stringer.
func (s *SumOf) String() string { return s.text(s.Child.String()) }

// DebugString implements sql.DebugStringer.
func (s *SumOf) DebugString() string { return s.text(sql.DebugString(s.Child)) }

func (s *SumOf) text(argument string) string {
	name := "SUM"
	if s.average {
		name = "AVG"
	}
	if s.Over == nil {
		return name + "(" + argument + ")"
	}
	return name + "(" + argument + ") " + s.Over.String()
}

// NewBuffer implements sql.Aggregation.
func (s *SumOf) NewBuffer() (sql.AggregationBuffer, error) {
	child, err := transform.Clone(s.Argument())
	if err != nil {
		return nil, err
	}
	b := &sumBuffer{expr: kernel.Of(child), total: newTotal(s.Type()), average: s.average}
	_, b.distinct = s.Child.(*expression.DistinctExpression)
	return b, nil
}

// sumBuffer adds the rows of one group.
type sumBuffer struct {
	expr     sql.Expression
	total    total
	average  bool
	distinct bool
	seen     hold.SeenKeys // of DISTINCT
}

// Update implements sql.AggregationBuffer.
func (b *sumBuffer) Update(ctx *sql.Context, row sql.Row) error { return b.UpdateTimes(ctx, row, 1) }

// UpdateTimes implements repeatable.
func (b *sumBuffer) UpdateTimes(ctx *sql.Context, row sql.Row, n int64) error {
	v, err := b.expr.Eval(ctx, row)
	if err != nil || v == nil {
		return err
	}
	if b.distinct {
		key, err := value.AppendRowKey(ctx, nil, v, b.expr.Type())
		if err != nil {
			return err
		}
		if again, err := b.seen.Again(ctx, key); err != nil || again {
			return err
		}
		n = 1
	}
	return b.total.add(ctx, v, n)
}

// Eval implements sql.AggregationBuffer.
func (b *sumBuffer) Eval(*sql.Context) (interface{}, error) { return b.total.result(b.average), nil }

// Dispose implements sql.Disposable.
func (b *sumBuffer) Dispose() {
	b.seen.Release()
	expression.Dispose(b.expr)
}

// total is a running sum that does not depend on the order: of doubles, or of integers and decimals. The latter stay
// in an int64 while they can.
type total struct {
	exact   bool
	mixed   bool  // exact while all values are numbers with moderate exponents
	scale   int32 // decimals of an exact result
	count   int64
	double  exec.DoubleSum
	small   int64
	decimal decimal.Decimal
}

func newTotal(t sql.Type) total {
	dt, ok := t.(sql.DecimalType)
	if !ok {
		return total{mixed: value.IsMixed(t)}
	}
	return total{exact: true, scale: int32(dt.Scale())}
}

// add adds a value a number of times.
func (t *total) add(ctx *sql.Context, v interface{}, times int64) error {
	v, err := sql.UnwrapAny(ctx, v)
	if err != nil || v == nil || times == 0 {
		return err
	}
	t.count += times
	if !t.exact {
		number, ok := ExactIn(v)
		if t.mixed = t.mixed && ok; !ok {
			t.double.Add(value.AsDouble(ctx, v), times)
			return nil
		}
		v = number
	}
	if n, ok := AsInt64(v); ok {
		if high, low := bits.Mul64(magnitude(n), uint64(times)); high == 0 && low <= math.MaxInt64 {
			product := n * times
			if sum := t.small + product; (sum > t.small) == (product > 0) {
				t.small = sum
				return nil
			}
		}
		v = decimal.NewFromInt(n)
	}
	d := asDecimal(ctx, v)
	if times > 1 {
		d = d.Mul(decimal.NewFromInt(times))
	}
	t.decimal = t.decimal.Add(d)
	return nil
}

func magnitude(n int64) uint64 {
	if n < 0 {
		return -uint64(n)
	}
	return uint64(n)
}

// result is nil for a sum of nothing.
func (t *total) result(average bool) interface{} {
	switch {
	case t.count == 0:
		return nil
	case t.mixed && t.decimal.IsZero():
		return t.small
	case t.mixed:
		return t.decimal.Add(decimal.NewFromInt(t.small))
	case !t.exact && average:
		return t.asDouble() / float64(t.count)
	case !t.exact:
		return t.asDouble()
	}
	sum := t.decimal.Add(decimal.NewFromInt(t.small))
	if average {
		sum = sum.DivRound(decimal.NewFromInt(t.count), t.scale)
	}
	return WithScale(sum, t.scale)
}

// asDouble returns the sum if it is not exact: the exact part is rounded once.
func (t *total) asDouble() float64 {
	exact := t.decimal.Add(decimal.NewFromInt(t.small))
	if exact.IsZero() {
		return t.double.Value()
	}
	rounded, _ := exact.Float64()
	sum := t.double.Clone()
	sum.Add(rounded, 1)
	return sum.Value()
}

// ExactIn returns the number in a JSON value as an int64 or a decimal, if it is a number and its exponent is
// moderate.
func ExactIn(v interface{}) (interface{}, bool) {
	j, ok := v.(value.JSON)
	if !ok || j.Held.Type() != document.TypeNumber {
		return v, false
	}
	switch n := value.NumberValue(j.Held.Number()).(type) {
	case int64, decimal.Decimal:
		return n, true
	default:
		if d, ok := value.LiteralDecimal(j.Held.Number()); ok {
			return d, true
		}
	}
	return v, false
}

// Result returns the value of SUM or AVG for a sum of count integers or decimals.
func (s *SumOf) Result(sum decimal.Decimal, count int64) any {
	t := newTotal(s.Type())
	t.decimal, t.count = sum, count
	return t.result(s.average)
}

// DoubleResult returns the value of SUM or AVG for a sum of count DOUBLEs.
func (s *SumOf) DoubleResult(sum float64, count int64) any {
	switch {
	case count == 0:
		return nil
	case s.average:
		return sum / float64(count)
	}
	return sum
}

// WithScale returns a decimal with the given number of decimals.
func WithScale(d decimal.Decimal, scale int32) decimal.Decimal {
	return d.Round(scale).Add(decimal.New(0, -scale))
}

// Scaled returns a value with the decimals of its type, if that is a DECIMAL.
func Scaled(v any, t sql.Type) any {
	of, ok := t.(sql.DecimalType)
	d, isDecimal := v.(decimal.Decimal)
	if !ok || !isDecimal {
		return v
	}
	return WithScale(d, int32(of.Scale()))
}

// AsInt64 returns an integer or a boolean as an int64.
func AsInt64(v interface{}) (int64, bool) {
	switch v := v.(type) {
	case int64:
		return v, true
	case int32:
		return int64(v), true
	case int16:
		return int64(v), true
	case int8:
		return int64(v), true
	case int:
		return int64(v), true
	case uint64:
		return int64(v), v <= math.MaxInt64
	case uint32:
		return int64(v), true
	case uint16:
		return int64(v), true
	case uint8:
		return int64(v), true
	case bool:
		if v {
			return 1, true
		}
		return 0, true
	}
	return 0, false
}

// asDecimal returns a value of an exact type as a decimal; a value that is no number counts as 0.
func asDecimal(ctx *sql.Context, v interface{}) decimal.Decimal {
	switch v := v.(type) {
	case decimal.Decimal:
		return v
	case string:
		if d, ok := value.LiteralDecimal(v); ok {
			return d
		}
	}
	if literal, err := value.NumberLiteral(v); err == nil {
		if d, ok := value.LiteralDecimal(literal); ok {
			return d
		}
	}
	f := value.AsDouble(ctx, v)
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return decimal.Zero
	}
	return decimal.NewFromFloat(f)
}

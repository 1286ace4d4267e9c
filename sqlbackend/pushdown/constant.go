package pushdown

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/shopspring/decimal"

	"github.com/sqlfdb/sqlfdb/collation"
	"github.com/sqlfdb/sqlfdb/document"
)

// Operand is implemented by expressions that stand around an operand without
// changing its value, only how it is compared or hashed.
type Operand interface {
	PushdownOperand() sql.Expression
}

// Condition is implemented by expressions that evaluate a value as a condition: true for a number other than 0, NULL
// for a value that is neither true nor false.
type Condition interface {
	sql.Expression
	PushdownCondition() sql.Expression
}

// strip removes the wrappers around an operand.
func strip(e sql.Expression) sql.Expression {
	for {
		switch w := e.(type) {
		case *expression.GetField, *expression.Literal, *expression.Equals:
			return e // fast path: the checks below take longer
		case Operand:
			e = w.PushdownOperand()
		case *expression.Alias:
			e = w.Child
		case *expression.Wrapper:
			if w.Unwrap() == nil {
				return e
			}
			e = w.Unwrap()
		default:
			return e
		}
	}
}

// constantKind is how a constant compares.
type constantKind uint8

const (
	constantOther   constantKind = iota // its comparison is not known
	constantNull                        // SQL NULL
	constantNumber                      // text is its JSON literal
	constantBoolean                     // TRUE and FALSE: numbers to columns, booleans to JSON values
	constantString                      // text
	constantTime                        // text in MySQL's notation of dates and times
	constantJSON                        // value
	constantBytes                       // text
)

// constant is an operand that reads no row.
type constant struct {
	kind    constantKind
	text    string
	boolean bool
	value   document.Value
	// collation is the collation in which the constant is compared, nil for the column's; mixed says that it is
	// unknown.
	collation *collation.Collation
	mixed     bool
	// integer says that it is a number of an integer type, which the engine compares and hashes unchanged.
	integer bool
}

// constantOf evaluates an operand that reads no row.
func constantOf(ctx *sql.Context, e sql.Expression) (constant, bool) {
	e = strip(e)
	if !isConstant(e) {
		return constant{}, false
	}
	v, err := e.Eval(ctx, nil)
	if err != nil {
		return constant{}, false
	}
	if w, err := sql.UnwrapAny(ctx, v); err == nil {
		v = w
	}
	return constantOfValue(e, v), true
}

func constantOfValue(e sql.Expression, v any) constant {
	number := func(s string) constant { return constant{kind: constantNumber, text: s, integer: true} }
	switch v := v.(type) {
	case nil:
		return constant{kind: constantNull}
	case bool:
		return constant{kind: constantBoolean, boolean: v, text: strconv.FormatBool(v)}
	case int:
		return number(strconv.Itoa(v))
	case int8:
		return number(strconv.FormatInt(int64(v), 10))
	case int16:
		return number(strconv.FormatInt(int64(v), 10))
	case int32:
		return number(strconv.FormatInt(int64(v), 10))
	case int64:
		return number(strconv.FormatInt(v, 10))
	case uint:
		return number(strconv.FormatUint(uint64(v), 10))
	case uint8:
		return number(strconv.FormatUint(uint64(v), 10))
	case uint16:
		return number(strconv.FormatUint(uint64(v), 10))
	case uint32:
		return number(strconv.FormatUint(uint64(v), 10))
	case uint64:
		return number(strconv.FormatUint(v, 10))
	case float64:
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return constant{}
		}
		return constant{kind: constantNumber, text: floatLiteral(v)}
	case decimal.Decimal:
		return constant{kind: constantNumber, text: v.String()}
	case string:
		switch {
		case types.IsBinaryType(e.Type()):
			return constant{kind: constantBytes, text: v} // compares as bytes, or as the number that its bytes make
		case types.IsTime(e.Type()):
			return constant{kind: constantTime, text: v}
		case !types.IsText(e.Type()):
			return constant{}
		}
		return constant{kind: constantString, text: v}
	case []byte:
		return constant{kind: constantBytes, text: string(v)}
	case time.Time:
		return constant{kind: constantTime, text: timeText(e.Type(), v)}
	case types.Timespan:
		return constant{kind: constantTime, text: v.String()}
	case document.Value:
		return constant{kind: constantJSON, value: v}
	case types.JSONBytes:
		text, err := v.GetBytes()
		if err != nil {
			return constant{}
		}
		return constantOfJSON(text)
	case sql.JSONWrapper:
		text, err := types.MarshallJson(v)
		if err != nil {
			return constant{}
		}
		return constantOfJSON(text)
	}
	return constant{}
}

// floatLiteral returns the shortest JSON number that reads back as f.
func floatLiteral(f float64) string {
	if size := math.Abs(f); size != 0 && (size < 1e-6 || size >= 1e21) {
		return strconv.FormatFloat(f, 'e', -1, 64)
	}
	return strconv.FormatFloat(f, 'f', -1, 64)
}

func constantOfJSON(text []byte) constant {
	v, err := document.ParseValue(text, document.Limits{})
	if err != nil {
		return constant{}
	}
	return constant{kind: constantJSON, value: v}
}

func timeText(t sql.Type, v time.Time) string {
	if t == types.Date {
		return v.Format("2006-01-02")
	}
	return strings.TrimSuffix(strings.TrimRight(v.Format("2006-01-02 15:04:05.000000"), "0"), ".")
}

// foldable lists the functions that give the same result for a whole statement
// and have no effect.
var foldable = map[string]bool{
	"abs": true, "ceil": true, "ceiling": true, "concat": true, "curdate": true, "current_date": true,
	"current_timestamp": true, "date": true, "date_add": true, "date_sub": true, "adddate": true, "subdate": true,
	"floor": true, "greatest": true, "if": true, "ifnull": true, "json_array": true, "json_object": true,
	"json_quote": true,
	"least":      true, "lcase": true, "lower": true, "mod": true, "now": true, "pow": true, "power": true, "repeat": true,
	"round": true, "timestamp": true, "ucase": true, "upper": true, "utc_timestamp": true, "coalesce": true,
}

// isConstant reports whether an expression reads no row, has no effect, and gives the same value each time within the
// statement.
func isConstant(e sql.Expression) bool {
	e = strip(e)
	switch e := e.(type) {
	case *expression.Literal:
		return true
	case *expression.GetField:
		return false
	case *expression.UnaryMinus, *expression.Arithmetic, *expression.Div, *expression.IntDiv, *expression.Mod,
		*expression.Convert, *expression.CollatedExpression, *expression.Interval, *expression.NamedLiteral,
		*expression.Not, *expression.And, *expression.Or, *expression.Equals, *expression.LessThan, *expression.GreaterThan,
		*expression.LessThanOrEqual, *expression.GreaterThanOrEqual, *expression.IsNull, *expression.IsTrue, AsTemporal:
	case sql.FunctionExpression:
		if !foldable[strings.ToLower(e.FunctionName())] {
			return false
		}
		if n, ok := e.(sql.NonDeterministicExpression); ok && n.IsNonDeterministic() {
			return false
		}
	default:
		return false
	}
	for _, child := range e.Children() {
		if child == nil || !isConstant(child) {
			return false
		}
	}
	return true
}

// truthOf returns the value of a constant as a condition.
func (c constant) truthOf() (truth, bool) {
	switch c.kind {
	case constantNull:
		return truthNull, true
	case constantBoolean:
		if c.boolean {
			return truthTrue, true
		}
		return truthFalse, true
	case constantNumber:
		if document.CompareNumbers(c.text, "0") != 0 {
			return truthTrue, true
		}
		return truthFalse, true
	}
	return truthNull, false
}

// ConstantsText returns expressions, their constants as EXPLAIN shows them: one by itself, several as a row.
func ConstantsText(ctx *sql.Context, list []sql.Expression) string {
	texts := make([]string, len(list))
	for i, e := range list {
		if c, ok := constantOf(ctx, e); ok && c.kind != constantOther {
			texts[i] = c.String()
		} else {
			texts[i] = Readable(e)
		}
	}
	if len(texts) == 1 {
		return texts[0]
	}
	return "(" + strings.Join(texts, ", ") + ")"
}

// String is the constant as EXPLAIN shows it.
func (c constant) String() string {
	switch c.kind {
	case constantNull:
		return "NULL"
	case constantString, constantTime:
		return quote(c.text)
	case constantJSON:
		return string(c.value.Raw())
	case constantBytes:
		return hexLiteral(c.text)
	}
	return c.text
}

// hexLiteral writes bytes as SQL does, shortened where there are many.
func hexLiteral(s string) string {
	const shown = 20
	if len(s) > shown {
		return fmt.Sprintf("x'%x…'", s[:shown])
	}
	return fmt.Sprintf("x'%x'", s)
}

// quote writes a string as SQL does, shortened where it is long.
func quote(s string) string {
	const shown = 40
	more := ""
	if r := []rune(s); len(r) > shown {
		s, more = string(r[:shown]), "…"
	}
	return "'" + strings.ReplaceAll(s, "'", "''") + more + "'"
}

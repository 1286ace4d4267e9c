package compare

import (
	"math"
	"strconv"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/expression/function/aggregation"
	"github.com/dolthub/go-mysql-server/sql/transform"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/dolthub/vitess/go/mysql"

	"github.com/sqlfdb/sqlfdb/sqlbackend/functions"
	"github.com/sqlfdb/sqlfdb/sqlbackend/tree"
	"github.com/sqlfdb/sqlfdb/sqlbackend/value"
)

// In arithmetic, in functions of numbers and in casts to one, a date or a time counts as the number of its digits. A
// text counts as the number that it begins with. The engine takes a TIME for 0, a date for seconds, and refuses most
// texts.

// numberFunctionNames are functions whose arguments are numbers.
var numberFunctionNames = map[string]bool{
	"abs": true, "acos": true, "asin": true, "atan": true, "bit_count": true, "ceil": true, "ceiling": true, "cos": true,
	"degrees": true, "exp": true,
	"floor": true, "ln": true, "log": true, "log10": true, "log2": true, "mod": true, "pow": true, "power": true,
	"radians": true, "round": true,
	"sign": true, "sin": true, "sqrt": true, "tan": true, "truncate": true,
}

// numericArguments converts the arguments of computations with numbers to numbers.
func (c Comparer) numericArguments(e sql.Expression) (sql.Expression, transform.TreeIdentity, error) {
	switch e := e.(type) {
	case *expression.Arithmetic, *expression.Div, *expression.IntDiv, *expression.Mod, *expression.BitOp:
		for _, operand := range e.Children() {
			if _, interval := operand.(*expression.Interval); interval {
				return e, transform.SameTree, nil
			}
		}
		return exactNumbers(c.asNumbers(e, numberOfTemporal, numberOfBytes, plainNumber, spelledOperand))
	case *expression.UnaryMinus:
		return exactNumbers(c.asNumbers(e, numberOfTemporal, numberOfSpelled, plainNumber, numberOfJSON, signedNumber))
	case *expression.Convert:
		return c.numberCast(e)
	case *functions.SumOf:
		return c.asNumbers(e, numberOfTemporal)
	}
	switch e.(type) {
	case *aggregation.BitAnd, *aggregation.BitOr, *aggregation.BitXor:
		return c.asNumbers(e, numberOfTemporal)
	}
	if f, ok := e.(*functions.ValueFunction); ok && f.Name == "abs" {
		return c.asNumbers(e, numberOfTemporal, numberOfSpelled, numberOfEnum, plainNumber, numberOfJSON)
	}
	if f, ok := e.(*functions.ValueFunction); ok && f.Name == "bit_not" {
		return c.asNumbers(e, numberOfTemporal)
	}
	if f, ok := e.(*functions.ValueFunction); ok && f.Name == "decimal_of" {
		return c.asNumbers(e, numberOfTemporal, functions.AsSQLScalar)
	}
	if f, ok := e.(sql.FunctionExpression); ok && numberFunctionNames[strings.ToLower(f.FunctionName())] {
		return c.asNumbers(e, numberOfTemporal, numberOfSpelled, numberOfEnum, plainNumber, doubleOfJSON)
	}
	return e, transform.SameTree, nil
}

// exactNumbers makes a computation with numbers exact.
func exactNumbers(e sql.Expression, same transform.TreeIdentity, err error) (sql.Expression, transform.TreeIdentity,
	error) {
	if err != nil {
		return e, same, err
	}
	exact, changed := Exactly(e)
	return exact, same && !transform.TreeIdentity(changed), nil
}

// asNumbers applies changes to the arguments of an expression, one after the other. ORDER BY and PARTITION BY of a
// window are no arguments.
func (c Comparer) asNumbers(e sql.Expression, changes ...func(sql.Expression) sql.Expression) (sql.Expression,
	transform.TreeIdentity, error) {
	args := e.Children()
	own := len(args)
	if w, ok := e.(sql.WindowAdaptableExpression); ok && w.Window() != nil {
		own = max(own-len(w.Window().ToExpressions()), 0)
	}
	numbers, any := args[:own:own], false
	for _, change := range changes {
		var changed bool
		numbers, changed = functions.Each(numbers, func(a sql.Expression) sql.Expression {
			if d, ok := a.(*expression.DistinctExpression); ok {
				if inner := functions.ResolvedChange(change, d.Child); !functions.SameExpression(inner, d.Child) {
					return expression.NewDistinctExpression(inner)
				}
				return a
			}
			return functions.ResolvedChange(change, a)
		})
		any = any || changed
	}
	return functions.Rebuild(e, append(numbers, args[own:]...), any)
}

func numberOfEnum(e sql.Expression) sql.Expression {
	if !isEnum(e) {
		return e
	}
	return &tree.EnumNumber{UnaryExpression: expression.UnaryExpression{Child: e}}
}

// numberOfSpelled returns the number that a text or a byte string counts as.
func numberOfSpelled(e sql.Expression) sql.Expression {
	l, literal := e.(*expression.Literal)
	switch k := (Comparer{}).kind(e); {
	case k == kindText && literal:
		return functions.DoubleLiteral(nil, l)
	case k == kindText, k == kindBytes && !literal:
		return &value.SpelledNumber{UnaryExpression: expression.UnaryExpression{Child: e}}
	}
	return e
}

// plainNumber returns a YEAR or a BIT as an integer: the engine's rules for these types differ from an integer's.
func plainNumber(e sql.Expression) sql.Expression {
	switch {
	case types.IsYear(e.Type()):
		return converted(e, types.Int64)
	case types.IsBit(e.Type()):
		return converted(e, types.Uint64)
	}
	return e
}

// spelledOperand returns a text in arithmetic as the DOUBLE that it counts as: the engine takes '-5x' for 0, and
// '1e400' for 1. A JSON number beyond DOUBLE becomes the largest one.
func spelledOperand(e sql.Expression) sql.Expression {
	if _, done := e.(*boundedNumber); done {
		return e
	}
	switch k := (Comparer{}).kind(e); {
	case k == kindJSON:
		return &boundedNumber{expression.UnaryExpression{Child: e}}
	case k != kindText:
		return e
	}
	if l, ok := e.(*expression.Literal); ok {
		if text, ok := l.Val.(string); ok && text != "" && value.NumberPrefix(text) == len(text) {
			return functions.DoubleLiteral(nil, l)
		}
	}
	return &value.SpelledNumber{UnaryExpression: expression.UnaryExpression{Child: e}}
}

// boundedNumber is JSON in which a number beyond DOUBLE is the largest one.
type boundedNumber struct {
	expression.UnaryExpression
}

// PushdownOperand implements pushdown.Operand.
func (n *boundedNumber) PushdownOperand() sql.Expression { return n.Child }

// Type implements sql.Expression.
func (n *boundedNumber) Type() sql.Type { return n.Child.Type() }

// Eval implements sql.Expression.
func (n *boundedNumber) Eval(ctx *sql.Context, row sql.Row) (interface{}, error) {
	v, err := n.Child.Eval(ctx, row)
	if err != nil || v == nil {
		return nil, err
	}
	plain, err := sql.UnwrapAny(ctx, v)
	if err != nil {
		return nil, err
	}
	if _, ok := plain.(value.JSON); ok {
		if f := value.AsDouble(ctx, plain); math.Abs(f) == math.MaxFloat64 {
			return f, nil
		}
	}
	return v, nil
}

// WithChildren implements sql.Expression.
func (n *boundedNumber) WithChildren(children ...sql.Expression) (sql.Expression, error) {
	if len(children) != 1 {
		return nil, sql.ErrInvalidChildrenNumber.New(n, len(children), 1)
	}
	return &boundedNumber{expression.UnaryExpression{Child: children[0]}}, nil
}

// String implements fmt.Stringer.
func (n *boundedNumber) String() string { return n.Child.String() }

// signedNumber returns an unsigned number in a type that can be below 0.
func signedNumber(e sql.Expression) sql.Expression {
	if _, literal := e.(*expression.Literal); !literal && types.IsUnsigned(e.Type()) {
		return converted(e, types.MustCreateDecimalType(20, 0))
	}
	return e
}

// doubleOfJSON returns the number that a JSON value counts as in functions of DOUBLEs.
func doubleOfJSON(e sql.Expression) sql.Expression {
	if !types.IsJSON(e.Type()) {
		return e
	}
	return &value.SpelledNumber{UnaryExpression: expression.UnaryExpression{Child: e}}
}

// numberFromJSON is the number that a JSON value counts as: itself, or the one that its text begins with.
type numberFromJSON struct {
	expression.UnaryExpression
}

var _ sql.Expression = (*numberFromJSON)(nil)

func numberOfJSON(e sql.Expression) sql.Expression {
	if !types.IsJSON(e.Type()) {
		return e
	}
	return &numberFromJSON{expression.UnaryExpression{Child: e}}
}

// Type implements sql.Expression.
func (n *numberFromJSON) Type() sql.Type { return value.MixedNumber{ColumnType: types.Float64} }

// Eval implements sql.Expression.
func (n *numberFromJSON) Eval(ctx *sql.Context, row sql.Row) (interface{}, error) {
	v, err := n.Child.Eval(ctx, row)
	if err != nil || v == nil {
		return nil, err
	}
	if v, err = sql.UnwrapAny(ctx, v); err != nil {
		return nil, err
	}
	if exact, ok := functions.ExactIn(v); ok {
		return exact, nil
	}
	return value.AsDouble(ctx, v), nil
}

// WithChildren implements sql.Expression.
func (n *numberFromJSON) WithChildren(children ...sql.Expression) (sql.Expression, error) {
	if len(children) != 1 {
		return nil, sql.ErrInvalidChildrenNumber.New(n, len(children), 1)
	}
	return &numberFromJSON{expression.UnaryExpression{Child: children[0]}}, nil
}

// String implements fmt.Stringer.
func (n *numberFromJSON) String() string { return n.Child.String() }

var _ sql.Expression = (*functions.TemporalNumber)(nil)

func numberOfTemporal(e sql.Expression) sql.Expression {
	if !(Comparer{}).kind(e).temporal() {
		return e
	}
	return &functions.TemporalNumber{UnaryExpression: expression.UnaryExpression{Child: e}}
}

// numberCast replaces the argument of a cast to a number by one that the engine converts as MySQL does. For a cast of
// a time to a date, it takes that time on the current day.
func (c Comparer) numberCast(e *expression.Convert) (sql.Expression, transform.TreeIdentity, error) {
	to := e.Type()
	if !e.Child.Resolved() {
		return e, transform.SameTree, nil
	}
	if (to == types.Date || types.IsDatetimeType(to)) && c.kind(e.Child) == kindTime {
		return functions.Rebuild(e, []sql.Expression{&temporalValue{expression.UnaryExpression{Child: e.Child},
			types.DatetimeMaxPrecision}}, true)
	}
	if types.IsTextOnly(to) && types.IsSet(e.Child.Type()) {
		return functions.Rebuild(e, []sql.Expression{asEnumText(e.Child)}, true)
	}
	if !types.IsNumber(to) {
		return c.temporalCast(e)
	}
	if bounded, changed := castWithinType(e); changed {
		return bounded, transform.NewTree, nil
	}
	switch c.kind(e.Child) {
	case kindTime, kindDate:
		return c.asNumbers(e, numberOfTemporal)
	case kindText:
		if _, done := e.Child.(*NumberText); !done {
			return functions.Rebuild(e, []sql.Expression{&NumberText{expression.UnaryExpression{Child: e.Child}, to}}, true)
		}
	}
	return e, transform.SameTree, nil
}

// NumberText is the part of a text that is a number, "0" if it begins with none.
type NumberText struct {
	expression.UnaryExpression
	to sql.Type
}

var _ sql.Expression = (*NumberText)(nil)

// Type implements sql.Expression.
func (t *NumberText) Type() sql.Type { return t.Child.Type() }

// Eval implements sql.Expression.
func (t *NumberText) Eval(ctx *sql.Context, row sql.Row) (interface{}, error) {
	v, err := t.Child.Eval(ctx, row)
	if err != nil || v == nil {
		return nil, err
	}
	text, err := value.TextOf(ctx, v)
	if err != nil {
		return nil, err
	}
	if types.IsInteger(t.to) {
		return t.whole(ctx, text), nil
	}
	value.WarnTruncated(ctx, text)
	text = strings.TrimLeft(text, " \t\r\n\v\f")
	text = text[:value.NumberPrefix(text)]
	if strings.Trim(text, "+-") == "" {
		return "0", nil
	}
	if f := value.TextNumber(text); types.IsFloat(t.to) && math.Abs(f) == math.MaxFloat64 {
		return strconv.FormatFloat(f, 'g', -1, 64), nil
	}
	return value.BoundedNumber(text), nil
}

// whole returns the integer that a text begins with, within 64 bits. As in MySQL a number above BIGINT is read as
// SIGNED by its bits.
func (t *NumberText) whole(ctx *sql.Context, text string) string {
	spelled, cut := spelledInteger(text)
	if cut {
		functions.Warn(ctx, mysql.ERTruncatedWrongValue, "Truncated incorrect INTEGER value: '%s'", text)
	}
	if n, err := strconv.ParseUint(spelled, 10, 64); err == nil && t.to == types.Int64 {
		return strconv.FormatInt(int64(n), 10)
	}
	return spelled
}

// WithChildren implements sql.Expression.
func (t *NumberText) WithChildren(children ...sql.Expression) (sql.Expression, error) {
	if len(children) != 1 {
		return nil, sql.ErrInvalidChildrenNumber.New(t, len(children), 1)
	}
	return &NumberText{expression.UnaryExpression{Child: children[0]}, t.to}, nil
}

// String implements fmt.Stringer.
func (t *NumberText) String() string { return t.Child.String() }

package compare

import (
	"fmt"
	"slices"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/expression/function"
	"github.com/dolthub/go-mysql-server/sql/types"

	"github.com/sqlfdb/sqlfdb/sqlbackend/functions"
	"github.com/sqlfdb/sqlfdb/sqlbackend/tree"
	"github.com/sqlfdb/sqlfdb/sqlbackend/value"
)

// chosen converts the possible values of an expression to a common type, if they are numbers or dates of several
// types, or of several kinds. The engine takes the type of the first, and truncates the others to it.
func chosen(values []sql.Expression) ([]sql.Expression, bool) {
	if t, ok := numbersType(values); ok {
		out, _ := functions.Each(values, func(v sql.Expression) sql.Expression { return asType(v, t) })
		return out, true
	}
	json, numbers := 0, 0
	for _, v := range values {
		switch (Comparer{}).Class(v) {
		case ClassJSON:
			json++
		case ClassNumber:
			numbers++
		case ClassNull:
		default:
			return mixedChoice(values)
		}
	}
	if json == 0 || numbers == 0 {
		return values, false
	}
	return functions.Each(values, tree.AsJSON)
}

// asType returns a value converted to a type that holds it.
func asType(e sql.Expression, t sql.Type) sql.Expression {
	if (Comparer{}).Class(e) == ClassNull {
		return e
	}
	if l, ok := e.(*expression.Literal); ok && t == types.Float64 && !types.IsFloat(l.Type()) {
		return &Conversion{expression.UnaryExpression{Child: e}, t} // Rechosen needs the literal's own type
	}
	return converted(e, t)
}

// NewIf returns IF.
func NewIf(condition, yes, no sql.Expression) sql.Expression {
	values, changed := chosen([]sql.Expression{yes, no})
	// The engine's IF would have 65 digits.
	if t := values[0].Type(); changed && types.IsDecimal(t) && (Comparer{}).Class(yes) == ClassNumber {
		return &tree.Case{Conditions: []sql.Expression{condition}, Values: values[:1], Other: values[1], Result: t,
			Text: function.NewIf(condition, yes, no).String()}
	}
	if t := values[0].Type(); changed && value.IsTimespan(t) {
		return &tree.Case{Conditions: []sql.Expression{condition}, Values: values[:1], Other: values[1], Result: t,
			Text: function.NewIf(condition, yes, no).String()}
	}
	if values[0].Type() == types.Float32 && values[1].Type() == types.Float32 {
		// The type of the engine's IF.
		values, _ = functions.Each(values, func(v sql.Expression) sql.Expression { return asType(v, types.Float64) })
	}
	return function.NewIf(condition, values[0], values[1])
}

// NewIfNull returns IFNULL.
func NewIfNull(left, right sql.Expression) sql.Expression {
	values, _ := chosen([]sql.Expression{left, right})
	return tree.NewIfNull(values[0], values[1])
}

// NewCoalesce returns COALESCE.
func NewCoalesce(values ...sql.Expression) (sql.Expression, error) {
	values, _ = chosen(values)
	return function.NewCoalesce(typedNull(values)...)
}

// typedNull gives a NULL before dates or times their type: COALESCE takes its type from its first argument.
func typedNull(values []sql.Expression) []sql.Expression {
	at := slices.IndexFunc(values, func(v sql.Expression) bool { return (Comparer{}).kind(v) != kindNull })
	if at <= 0 || !(Comparer{}).kind(values[at]).temporal() {
		return values
	}
	out := slices.Clone(values)
	for i := range out[:at] {
		out[i] = &Conversion{expression.UnaryExpression{Child: values[i]}, values[at].Type()}
	}
	return out
}

// NewExtremum returns GREATEST or LEAST.
func NewExtremum(name string, args ...sql.Expression) (sql.Expression, error) {
	args, _ = functions.Each(args, asEnumText)
	if f, ok := (Comparer{}).extremumOfNumbers(name, args); ok && len(args) > 1 {
		return f, nil
	}
	if f, ok := extremumOfMixed(name, args); ok && len(args) > 1 {
		return f, nil
	}
	if name == "least" {
		return function.NewLeast(args...)
	}
	return function.NewGreatest(args...)
}

// ownCase replaces a CASE whose values the engine would convert differently from MySQL.
func ownCase(e *expression.Case) (sql.Expression, bool) {
	values := make([]sql.Expression, 0, len(e.Branches)+1)
	for _, b := range e.Branches {
		values = append(values, b.Value)
	}
	if e.Else != nil {
		values = append(values, e.Else)
	}
	if !e.Resolved() {
		return e, false
	}
	values, changed := chosen(values)
	at := slices.IndexFunc(values, func(v sql.Expression) bool { return !types.IsNull(v) })
	if at < 0 || !changed && !types.IsDecimal(values[at].Type()) && !types.IsJSON(values[at].Type()) &&
		!functions.IsTime(values[at]) {
		return e, false
	}
	c := &tree.Case{Result: values[at].Type(), Values: values[:len(e.Branches)], Text: e.String()}
	for _, v := range values {
		if !types.IsNull(v) && !types.TypesEqual(v.Type(), c.Result) {
			return e, false
		}
	}
	for _, b := range e.Branches {
		if e.Expr != nil {
			c.Conditions = append(c.Conditions, expression.NewEquals(e.Expr, b.Cond))
		} else {
			c.Conditions = append(c.Conditions, b.Cond)
		}
	}
	if e.Else != nil {
		c.Other = values[len(e.Branches)]
	}
	return c, true
}

// fieldOf is FIELD: the place in a list of the first value equal to the first argument. Each equality is a separate
// expression, so that the comparison rule handles it.
type fieldOf struct {
	equal []sql.Expression
	text  string
}

var _ sql.FunctionExpression = (*fieldOf)(nil)

// NewField returns FIELD.
func NewField(args ...sql.Expression) (sql.Expression, error) {
	if len(args) < 2 {
		return nil, sql.ErrInvalidArgumentNumber.New("FIELD", "2 or more", len(args))
	}
	texts := make([]string, len(args))
	for i, a := range args {
		texts[i] = a.String()
	}
	f := &fieldOf{text: fmt.Sprintf("field(%s)", strings.Join(texts, ","))}
	for _, a := range args[1:] {
		f.equal = append(f.equal, expression.NewEquals(args[0], a))
	}
	return f, nil
}

// FunctionName implements sql.FunctionExpression.
func (f *fieldOf) FunctionName() string { return "field" }

// Description implements sql.FunctionExpression.
func (f *fieldOf) Description() string {
	return "returns the position of the first argument in the others"
}

// Resolved implements sql.Expression.
func (f *fieldOf) Resolved() bool { return expression.ExpressionsResolved(f.equal...) }

// Type implements sql.Expression.
func (f *fieldOf) Type() sql.Type { return types.Int64 }

// IsNullable implements sql.Expression.
func (f *fieldOf) IsNullable() bool { return false }

// Children implements sql.Expression.
func (f *fieldOf) Children() []sql.Expression { return f.equal }

// WithChildren implements sql.Expression.
func (f *fieldOf) WithChildren(children ...sql.Expression) (sql.Expression, error) {
	if len(children) != len(f.equal) {
		return nil, sql.ErrInvalidChildrenNumber.New(f, len(children), len(f.equal))
	}
	return &fieldOf{equal: children, text: f.text}, nil
}

// Eval implements sql.Expression: 0 if none is equal.
func (f *fieldOf) Eval(ctx *sql.Context, row sql.Row) (interface{}, error) {
	for i, e := range f.equal {
		equal, err := sql.EvaluateCondition(ctx, e, row)
		if err != nil {
			return nil, err
		}
		if sql.IsTrue(equal) {
			return int64(i + 1), nil
		}
	}
	return int64(0), nil
}

// String implements fmt.Stringer.
func (f *fieldOf) String() string { return f.text }

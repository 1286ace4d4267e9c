package compare

import (
	"fmt"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/transform"
	"github.com/dolthub/go-mysql-server/sql/types"

	"github.com/sqlfdb/sqlfdb/collation"
	"github.com/sqlfdb/sqlfdb/sqlbackend/functions"
	"github.com/sqlfdb/sqlfdb/sqlbackend/value"
)

// nullIf is NULLIF with its comparison as a separate expression, so that the comparison rule handles it.
type nullIf struct {
	value, equal sql.Expression
}

var (
	_ sql.FunctionExpression = (*nullIf)(nil)
	_ sql.CollationCoercible = (*nullIf)(nil)
)

func newNullIf(value, other sql.Expression) sql.Expression {
	return &nullIf{value: value, equal: expression.NewEquals(value, other)}
}

// FunctionName implements sql.FunctionExpression.
func (f *nullIf) FunctionName() string { return "nullif" }

// Description implements sql.FunctionExpression.
func (f *nullIf) Description() string {
	return "returns NULL if the arguments are equal, otherwise the first"
}

// Resolved implements sql.Expression.
func (f *nullIf) Resolved() bool { return f.value.Resolved() && f.equal.Resolved() }

// IsNullable implements sql.Expression.
func (f *nullIf) IsNullable() bool { return true }

// Type implements sql.Expression.
func (f *nullIf) Type() sql.Type { return f.value.Type() }

// Children implements sql.Expression.
func (f *nullIf) Children() []sql.Expression { return []sql.Expression{f.value, f.equal} }

// WithChildren implements sql.Expression.
func (f *nullIf) WithChildren(children ...sql.Expression) (sql.Expression, error) {
	if len(children) != 2 {
		return nil, sql.ErrInvalidChildrenNumber.New(f, len(children), 2)
	}
	return &nullIf{value: children[0], equal: children[1]}, nil
}

// Eval implements sql.Expression.
func (f *nullIf) Eval(ctx *sql.Context, row sql.Row) (interface{}, error) {
	equal, err := f.equal.Eval(ctx, row)
	if err != nil {
		return nil, err
	}
	if b, ok := equal.(bool); ok && b {
		return nil, nil
	}
	return f.value.Eval(ctx, row)
}

// CollationCoercibility implements sql.CollationCoercible.
func (f *nullIf) CollationCoercibility(ctx *sql.Context) (sql.CollationID, byte) {
	return sql.GetCoercibility(ctx, f.value)
}

// String implements fmt.Stringer.
func (f *nullIf) String() string {
	other := f.equal
	if children := f.equal.Children(); len(children) == 2 {
		other = children[1]
	}
	return fmt.Sprintf("nullif(%s,%s)", f.value, other)
}

// stringCompare is STRCMP in one of our collations.
type stringCompare struct {
	expression.BinaryExpressionStub
	typ value.TextType
}

var _ sql.FunctionExpression = (*stringCompare)(nil)

func newStringCompare(left, right sql.Expression, coll *collation.Collation) sql.Expression {
	return &stringCompare{expression.BinaryExpressionStub{LeftChild: left, RightChild: right}, value.NewTextType(coll)}
}

// FunctionName implements sql.FunctionExpression.
func (f *stringCompare) FunctionName() string { return "strcmp" }

// Description implements sql.FunctionExpression.
func (f *stringCompare) Description() string { return "compares two strings" }

// Type implements sql.Expression.
func (f *stringCompare) Type() sql.Type { return types.Int8 }

// WithChildren implements sql.Expression.
func (f *stringCompare) WithChildren(children ...sql.Expression) (sql.Expression, error) {
	if len(children) != 2 {
		return nil, sql.ErrInvalidChildrenNumber.New(f, len(children), 2)
	}
	return newStringCompare(children[0], children[1], f.typ.Coll), nil
}

// Eval implements sql.Expression.
func (f *stringCompare) Eval(ctx *sql.Context, row sql.Row) (interface{}, error) {
	left, err := f.LeftChild.Eval(ctx, row)
	if err != nil || left == nil {
		return nil, err
	}
	right, err := f.RightChild.Eval(ctx, row)
	if err != nil || right == nil {
		return nil, err
	}
	order, err := f.typ.Compare(ctx, left, right)
	return int8(order), err
}

// String implements fmt.Stringer.
func (f *stringCompare) String() string {
	return fmt.Sprintf("strcmp(%s,%s)", f.LeftChild, f.RightChild)
}

// extremumOf is GREATEST or LEAST of values that our code compares.
type extremumOf struct {
	args     []sql.Expression // with the type that they are compared in
	result   sql.Type         // nil means the arguments' own
	greatest bool
}

var _ sql.FunctionExpression = (*extremumOf)(nil)

// greatest replaces GREATEST and LEAST where all arguments are strings, all numbers, or JSON is among them; otherwise
// the engine's function stays.
func (c Comparer) greatest(e sql.Expression) (sql.Expression, transform.TreeIdentity, error) {
	name := strings.ToLower(e.(sql.FunctionExpression).FunctionName())
	args := append([]sql.Expression(nil), e.Children()...)
	if f, ok := c.extremumOfNumbers(name, args); ok {
		return f, transform.NewTree, nil
	}
	var seen [ClassJSON + 1]int
	for _, a := range args {
		seen[c.Class(a)]++
	}
	given := len(args) - seen[ClassNull]
	f := &extremumOf{args: args, greatest: name == "greatest"}
	switch {
	case given == 0:
		return e, transform.SameTree, nil
	case seen[ClassText] == given:
		f.result = value.NewTextType(c.TextCollation(args...))
		f.args, _ = functions.Each(args, func(a sql.Expression) sql.Expression { return c.typed(a, f.result) })
	default:
		return e, transform.SameTree, nil
	}
	return f, transform.NewTree, nil
}

// extremumOfNumbers returns GREATEST or LEAST of numbers, or of any values beside JSON.
func (c Comparer) extremumOfNumbers(name string, args []sql.Expression) (sql.Expression, bool) {
	f := &extremumOf{args: args, greatest: name == "greatest"}
	json, numbers, others := 0, 0, 0
	for _, a := range args {
		switch c.Class(a) {
		case ClassJSON:
			json++
		case ClassNumber:
			numbers++
			f.result = a.Type()
		case ClassNull:
		default:
			others++
		}
	}
	switch {
	case json > 0:
		f.args, _ = c.jsonOperands(args)
		f.result = types.JSON
	case numbers > 0 && others == 0:
		if t, ok := numbersType(args); ok {
			f.result = t
		}
		f.args, _ = c.exactly(args)
	default:
		return nil, false
	}
	return f, true
}

// FunctionName implements sql.FunctionExpression.
func (f *extremumOf) FunctionName() string {
	if f.greatest {
		return "greatest"
	}
	return "least"
}

// Description implements sql.FunctionExpression.
func (f *extremumOf) Description() string { return "returns the " + f.FunctionName() + " argument" }

// Resolved implements sql.Expression.
func (f *extremumOf) Resolved() bool { return expression.ExpressionsResolved(f.args...) }

// IsNullable implements sql.Expression.
func (f *extremumOf) IsNullable() bool { return true }

// Type implements sql.Expression.
func (f *extremumOf) Type() sql.Type { return f.result }

// Children implements sql.Expression.
func (f *extremumOf) Children() []sql.Expression { return f.args }

// WithChildren implements sql.Expression.
func (f *extremumOf) WithChildren(children ...sql.Expression) (sql.Expression, error) {
	if len(children) != len(f.args) {
		return nil, sql.ErrInvalidChildrenNumber.New(f, len(children), len(f.args))
	}
	return &extremumOf{args: children, result: f.result, greatest: f.greatest}, nil
}

// Eval implements sql.Expression: NULL if any argument is.
func (f *extremumOf) Eval(ctx *sql.Context, row sql.Row) (interface{}, error) {
	var best interface{}
	for i, a := range f.args {
		v, err := a.Eval(ctx, row)
		if err != nil || v == nil {
			return nil, err
		}
		if i == 0 {
			best = v
			continue
		}
		order, err := a.Type().Compare(ctx, v, best)
		if err != nil {
			return nil, err
		}
		if f.greatest && order > 0 || !f.greatest && order < 0 {
			best = v
		}
	}
	if types.IsJSON(f.result) {
		return best, nil
	}
	if f.result == types.Float64 {
		best = value.DoubleOf(best)
	}
	converted, _, err := f.result.Convert(ctx, best)
	return functions.Scaled(converted, f.result), err
}

// String implements fmt.Stringer.
func (f *extremumOf) String() string {
	args := make([]string, len(f.args))
	for i, a := range f.args {
		args[i] = a.String()
	}
	return f.FunctionName() + "(" + strings.Join(args, ",") + ")"
}

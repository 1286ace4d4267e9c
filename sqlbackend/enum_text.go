package sqlbackend

import (
	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/expression/function"
	"github.com/dolthub/go-mysql-server/sql/transform"
	"github.com/dolthub/go-mysql-server/sql/types"
)

// enumText is the text of an ENUM or SET value. The engine gives IFNULL and its
// like the ENUM's type when the other argument is a plain string, and panics when
// it converts that string.
type enumText struct {
	expression.UnaryExpression
}

var (
	_ sql.Expression         = (*enumText)(nil)
	_ sql.CollationCoercible = (*enumText)(nil)
)

// asEnumText is an ENUM or SET as its text, and anything else as it is.
func asEnumText(e sql.Expression) sql.Expression {
	if !e.Resolved() {
		return e
	}
	switch e.Type().(type) {
	case sql.EnumType, sql.SetType:
		return &enumText{expression.UnaryExpression{Child: e}}
	}
	return e
}

// enumsAsText makes text of the ENUMs among the values of which an expression
// gives one, unless all of them are of the same type.
func enumsAsText(e sql.Expression) (sql.Expression, bool) {
	var values []sql.Expression
	if c, ok := e.(*expression.Case); ok {
		for _, b := range c.Branches {
			values = append(values, b.Value)
		}
		if c.Else != nil {
			values = append(values, c.Else)
		}
	} else {
		values = e.Children()
	}
	if f, ok := e.(*function.If); ok {
		values = f.Children()[1:]
	}
	mixed := false
	for _, v := range values[min(1, len(values)):] {
		mixed = mixed || v.Resolved() && values[0].Resolved() && !types.TypesEqual(v.Type(), values[0].Type())
	}
	if !mixed {
		return e, false
	}
	if c, ok := e.(*expression.Case); ok {
		any := false
		branches := make([]expression.CaseBranch, len(c.Branches))
		for i, b := range c.Branches {
			text := asEnumText(b.Value)
			any = any || !sameExpression(text, b.Value)
			branches[i] = expression.CaseBranch{Cond: b.Cond, Value: text}
		}
		other := c.Else
		if other != nil {
			other = asEnumText(other)
			any = any || !sameExpression(other, c.Else)
		}
		if !any {
			return e, false
		}
		return expression.NewCase(c.Expr, branches, other), true
	}
	args, changed := each(values, asEnumText)
	if f, ok := e.(*function.If); ok {
		args = append([]sql.Expression{f.Children()[0]}, args...)
	}
	next, _, err := rebuild(e, args, changed)
	if err != nil {
		return e, false
	}
	return next, changed
}

// Type implements sql.Expression.
func (t *enumText) Type() sql.Type { return types.LongText }

// Eval implements sql.Expression.
func (t *enumText) Eval(ctx *sql.Context, row sql.Row) (interface{}, error) {
	v, err := t.Child.Eval(ctx, row)
	if err != nil || v == nil {
		return nil, err
	}
	if s, ok := v.(string); ok {
		return s, nil
	}
	text, err := t.Child.Type().SQL(ctx, nil, v)
	if err != nil {
		return nil, err
	}
	return text.ToString(), nil
}

// WithChildren implements sql.Expression.
func (t *enumText) WithChildren(children ...sql.Expression) (sql.Expression, error) {
	if len(children) != 1 {
		return nil, sql.ErrInvalidChildrenNumber.New(t, len(children), 1)
	}
	return &enumText{expression.UnaryExpression{Child: children[0]}}, nil
}

// CollationCoercibility implements sql.CollationCoercible.
func (t *enumText) CollationCoercibility(ctx *sql.Context) (sql.CollationID, byte) {
	return sql.GetCoercibility(ctx, t.Child)
}

// String implements fmt.Stringer.
func (t *enumText) String() string { return t.Child.String() }

// enumArguments is enumsAsText as a step of the comparison rule.
func enumArguments(e sql.Expression) (sql.Expression, transform.TreeIdentity) {
	switch e := e.(type) {
	case *expression.EnumToString: // what is under it may be text by now
		return &enumText{expression.UnaryExpression{Child: e.Children()[0]}}, transform.NewTree
	case *expression.Case:
	default:
		f, ok := e.(sql.FunctionExpression)
		if !ok || f.FunctionName() != "ifnull" && f.FunctionName() != "coalesce" && f.FunctionName() != "if" {
			return e, transform.SameTree
		}
	}
	if next, changed := enumsAsText(e); changed {
		return next, transform.NewTree
	}
	return e, transform.SameTree
}

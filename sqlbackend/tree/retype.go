package tree

import (
	"time"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/types"

	"github.com/sqlfdb/sqlfdb/collation"
	"github.com/sqlfdb/sqlfdb/sqlbackend/value"
)

// Retype gives an expression another type and leaves its value alone: the
// engine compares and sorts by the type of the operands.
type Retype struct {
	expression.UnaryExpression
	Target sql.Type
}

var (
	_ sql.Expression         = (*Retype)(nil)
	_ sql.FunctionExpression = (*Retype)(nil)
	_ sql.DebugStringer      = (*Retype)(nil)
	_ sql.CollationCoercible = (*Retype)(nil)
)

// WithType gives e the type t. Column references and other expressions are
// wrapped; a literal stays a literal, because rules of the engine ask for one.
func WithType(e sql.Expression, t sql.Type) sql.Expression {
	switch e := e.(type) {
	case *expression.Literal:
		return LiteralWithType(e, t)
	case *Retype:
		return &Retype{UnaryExpression: e.UnaryExpression, Target: t}
	}
	return &Retype{UnaryExpression: expression.UnaryExpression{Child: e}, Target: t}
}

// LiteralWithType is a literal of the same value under another type.
func LiteralWithType(l *expression.Literal, t sql.Type) sql.Expression {
	return expression.NewLiteral(l.Val, t)
}

// Unwrapped is e without Retype around it: the operand of a predicate.
func Unwrapped(e sql.Expression) sql.Expression {
	for {
		r, ok := e.(*Retype)
		if !ok {
			return e
		}
		e = r.Child
	}
}

// PushdownOperand returns the expression inside, for code that recognizes columns
// and can't name this type.
func (r *Retype) PushdownOperand() sql.Expression { return r.Child }

// Type implements sql.Expression.
func (r *Retype) Type() sql.Type { return r.Target }

// Eval implements sql.Expression.
func (r *Retype) Eval(ctx *sql.Context, row sql.Row) (interface{}, error) {
	return r.Child.Eval(ctx, row)
}

// WithChildren implements sql.Expression.
func (r *Retype) WithChildren(children ...sql.Expression) (sql.Expression, error) {
	if len(children) != 1 {
		return nil, sql.ErrInvalidChildrenNumber.New(r, len(children), 1)
	}
	return WithType(children[0], r.Target), nil
}

// String is the inner expression's: rules match expressions by their text, and
// a user wrote no retype.
func (r *Retype) String() string { return r.Child.String() }

// DebugString implements sql.DebugStringer.
func (r *Retype) DebugString() string { return sql.DebugString(r.Child) }

// FunctionName implements sql.FunctionExpression, which makes the engine's
// rules look inside.
func (r *Retype) FunctionName() string { return "retype" }

// Description implements sql.FunctionExpression.
func (r *Retype) Description() string { return "gives an expression another type" }

// CollationCoercibility implements sql.CollationCoercible.
func (r *Retype) CollationCoercibility(ctx *sql.Context) (sql.CollationID, byte) {
	return sql.GetCoercibility(ctx, r.Child)
}

// JSONScalar turns a SQL scalar into the JSON scalar that it is compared as.
type JSONScalar struct {
	expression.UnaryExpression
}

var _ sql.Expression = (*JSONScalar)(nil)

// AsJSON is e as a JSON operand. JSON stays as it is, a literal becomes a JSON
// literal, so that its conversion happens once.
func AsJSON(e sql.Expression) sql.Expression {
	if types.IsJSON(e.Type()) || types.IsNull(e) {
		return e
	}
	if l, ok := e.(*expression.Literal); ok {
		if v, err := value.JSONOf(DayOnly(l.Type(), l.Val)); err == nil {
			return expression.NewLiteral(v, types.JSON)
		}
	}
	return &JSONScalar{expression.UnaryExpression{Child: e}}
}

// PushdownOperand returns the scalar's expression.
func (j *JSONScalar) PushdownOperand() sql.Expression { return j.Child }

// Type implements sql.Expression.
func (j *JSONScalar) Type() sql.Type { return types.JSON }

// Eval implements sql.Expression.
func (j *JSONScalar) Eval(ctx *sql.Context, row sql.Row) (interface{}, error) {
	v, err := j.Child.Eval(ctx, row)
	if err != nil || v == nil {
		return nil, err
	}
	if v, err = sql.UnwrapAny(ctx, v); err != nil {
		return nil, err
	}
	return value.JSONOf(DayOnly(j.Child.Type(), v))
}

// DayOnly is a DATE as JSON has it, without a time of day, and any other value as it is.
func DayOnly(t sql.Type, v any) any {
	at, ok := v.(time.Time)
	switch {
	case !ok || !types.IsDateType(t):
		return v
	case IsZeroDate(at):
		return types.ZeroDateStr
	}
	return at.Format(sql.DateLayout)
}

// WithChildren implements sql.Expression.
func (j *JSONScalar) WithChildren(children ...sql.Expression) (sql.Expression, error) {
	if len(children) != 1 {
		return nil, sql.ErrInvalidChildrenNumber.New(j, len(children), 1)
	}
	return AsJSON(children[0]), nil
}

// String implements fmt.Stringer.
func (j *JSONScalar) String() string { return j.Child.String() }

// Unhashed keeps the engine from looking an IN's operand up in a hash table, which would
// ignore its type.
type Unhashed struct {
	expression.UnaryExpression
}

// AsUnhashed puts Unhashed around an expression, once.
func AsUnhashed(e sql.Expression) sql.Expression {
	if _, done := e.(*Unhashed); done {
		return e
	}
	return &Unhashed{expression.UnaryExpression{Child: e}}
}

// Type implements sql.Expression.
func (u *Unhashed) Type() sql.Type { return u.Child.Type() }

// Eval implements sql.Expression.
func (u *Unhashed) Eval(ctx *sql.Context, row sql.Row) (interface{}, error) {
	return u.Child.Eval(ctx, row)
}

// WithChildren implements sql.Expression.
func (u *Unhashed) WithChildren(children ...sql.Expression) (sql.Expression, error) {
	if len(children) != 1 {
		return nil, sql.ErrInvalidChildrenNumber.New(u, len(children), 1)
	}
	return AsUnhashed(children[0]), nil
}

// PushdownOperand returns the operand.
func (u *Unhashed) PushdownOperand() sql.Expression { return u.Child }

// String implements fmt.Stringer.
func (u *Unhashed) String() string { return u.Child.String() }

// WeightKey is the sort key of a string under a collation in which strings that differ may
// be equal. It is put around operands that the engine hashes: equal strings have equal
// keys.
type WeightKey struct {
	expression.UnaryExpression
	coll *collation.Collation
}

var (
	_ sql.Expression         = (*WeightKey)(nil)
	_ sql.FunctionExpression = (*WeightKey)(nil)
)

// NewWeightKey is the sort key of the string that e gives.
func NewWeightKey(e sql.Expression, coll *collation.Collation) sql.Expression {
	return &WeightKey{expression.UnaryExpression{Child: e}, coll}
}

// Type implements sql.Expression.
func (w *WeightKey) Type() sql.Type { return types.LongBlob }

// Eval implements sql.Expression. The key is a string of the characters with
// the numbers of its bytes: some of the engine's hashing wants valid UTF-8.
func (w *WeightKey) Eval(ctx *sql.Context, row sql.Row) (interface{}, error) {
	v, err := w.Child.Eval(ctx, row)
	if err != nil || v == nil {
		return nil, err
	}
	s, err := value.TextOf(ctx, v)
	if err != nil {
		return nil, err
	}
	key := w.coll.AppendKey(nil, s)
	out := make([]rune, len(key))
	for i, b := range key {
		out[i] = rune(b)
	}
	return string(out), nil
}

// WithChildren implements sql.Expression.
func (w *WeightKey) WithChildren(children ...sql.Expression) (sql.Expression, error) {
	if len(children) != 1 {
		return nil, sql.ErrInvalidChildrenNumber.New(w, len(children), 1)
	}
	return NewWeightKey(children[0], w.coll), nil
}

// String implements fmt.Stringer.
func (w *WeightKey) String() string { return w.Child.String() }

// FunctionName implements sql.FunctionExpression.
func (w *WeightKey) FunctionName() string { return "weight_key" }

// Description implements sql.FunctionExpression.
func (w *WeightKey) Description() string { return "returns the sort key of a string" }

package sqlbackend

import (
	"time"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/types"

	"github.com/sqlfdb/sqlfdb/collation"
	"github.com/sqlfdb/sqlfdb/sqlbackend/value"
)

// retype gives an expression another type and leaves its value alone: the
// engine compares and sorts by the type of the operands.
type retype struct {
	expression.UnaryExpression
	typ sql.Type
}

var (
	_ sql.Expression         = (*retype)(nil)
	_ sql.FunctionExpression = (*retype)(nil)
	_ sql.DebugStringer      = (*retype)(nil)
	_ sql.CollationCoercible = (*retype)(nil)
)

// withType gives e the type t. Column references and other expressions are
// wrapped; a literal stays a literal, because rules of the engine ask for one.
func withType(e sql.Expression, t sql.Type) sql.Expression {
	switch e := e.(type) {
	case *expression.Literal:
		return literalWithType(e, t)
	case *retype:
		return &retype{UnaryExpression: e.UnaryExpression, typ: t}
	}
	return &retype{UnaryExpression: expression.UnaryExpression{Child: e}, typ: t}
}

func literalWithType(l *expression.Literal, t sql.Type) sql.Expression {
	return expression.NewLiteral(l.Val, t)
}

// unwrapped is e without retype around it: what a predicate is about.
func unwrapped(e sql.Expression) sql.Expression {
	for {
		r, ok := e.(*retype)
		if !ok {
			return e
		}
		e = r.Child
	}
}

// PushdownOperand returns the expression inside, for code that recognizes columns
// and can't name this type.
func (r *retype) PushdownOperand() sql.Expression { return r.Child }

// Type implements sql.Expression.
func (r *retype) Type() sql.Type { return r.typ }

// Eval implements sql.Expression.
func (r *retype) Eval(ctx *sql.Context, row sql.Row) (interface{}, error) {
	return r.Child.Eval(ctx, row)
}

// WithChildren implements sql.Expression.
func (r *retype) WithChildren(children ...sql.Expression) (sql.Expression, error) {
	if len(children) != 1 {
		return nil, sql.ErrInvalidChildrenNumber.New(r, len(children), 1)
	}
	return withType(children[0], r.typ), nil
}

// String is the inner expression's: rules match expressions by their text, and
// a user wrote no retype.
func (r *retype) String() string { return r.Child.String() }

// DebugString implements sql.DebugStringer.
func (r *retype) DebugString() string { return sql.DebugString(r.Child) }

// FunctionName implements sql.FunctionExpression, which makes the engine's
// rules look inside.
func (r *retype) FunctionName() string { return "retype" }

// Description implements sql.FunctionExpression.
func (r *retype) Description() string { return "gives an expression another type" }

// CollationCoercibility implements sql.CollationCoercible.
func (r *retype) CollationCoercibility(ctx *sql.Context) (sql.CollationID, byte) {
	return sql.GetCoercibility(ctx, r.Child)
}

// jsonScalar turns a SQL scalar into the JSON scalar that it is compared as.
type jsonScalar struct {
	expression.UnaryExpression
}

var _ sql.Expression = (*jsonScalar)(nil)

// asJSON is e as a JSON operand. JSON stays as it is, a literal becomes a JSON
// literal, so that its conversion happens once.
func asJSON(e sql.Expression) sql.Expression {
	if types.IsJSON(e.Type()) || types.IsNull(e) {
		return e
	}
	if l, ok := e.(*expression.Literal); ok {
		if v, err := value.JSONOf(dayOnly(l.Type(), l.Val)); err == nil {
			return expression.NewLiteral(v, types.JSON)
		}
	}
	return &jsonScalar{expression.UnaryExpression{Child: e}}
}

// PushdownOperand returns the scalar's expression.
func (j *jsonScalar) PushdownOperand() sql.Expression { return j.Child }

// Type implements sql.Expression.
func (j *jsonScalar) Type() sql.Type { return types.JSON }

// Eval implements sql.Expression.
func (j *jsonScalar) Eval(ctx *sql.Context, row sql.Row) (interface{}, error) {
	v, err := j.Child.Eval(ctx, row)
	if err != nil || v == nil {
		return nil, err
	}
	if v, err = sql.UnwrapAny(ctx, v); err != nil {
		return nil, err
	}
	return value.JSONOf(dayOnly(j.Child.Type(), v))
}

// dayOnly is a DATE as JSON has it, without a time of day, and any other value as it is.
func dayOnly(t sql.Type, v any) any {
	at, ok := v.(time.Time)
	switch {
	case !ok || !types.IsDateType(t):
		return v
	case isZeroDate(at):
		return types.ZeroDateStr
	}
	return at.Format(sql.DateLayout)
}

// WithChildren implements sql.Expression.
func (j *jsonScalar) WithChildren(children ...sql.Expression) (sql.Expression, error) {
	if len(children) != 1 {
		return nil, sql.ErrInvalidChildrenNumber.New(j, len(children), 1)
	}
	return asJSON(children[0]), nil
}

// String implements fmt.Stringer.
func (j *jsonScalar) String() string { return j.Child.String() }

// unhashed keeps the engine from looking an IN's operand up in a hash table,
// where its type would not be asked.
type unhashed struct {
	expression.UnaryExpression
}

func asUnhashed(e sql.Expression) sql.Expression {
	if _, done := e.(*unhashed); done {
		return e
	}
	return &unhashed{expression.UnaryExpression{Child: e}}
}

// Type implements sql.Expression.
func (u *unhashed) Type() sql.Type { return u.Child.Type() }

// Eval implements sql.Expression.
func (u *unhashed) Eval(ctx *sql.Context, row sql.Row) (interface{}, error) {
	return u.Child.Eval(ctx, row)
}

// WithChildren implements sql.Expression.
func (u *unhashed) WithChildren(children ...sql.Expression) (sql.Expression, error) {
	if len(children) != 1 {
		return nil, sql.ErrInvalidChildrenNumber.New(u, len(children), 1)
	}
	return asUnhashed(children[0]), nil
}

// PushdownOperand returns the operand.
func (u *unhashed) PushdownOperand() sql.Expression { return u.Child }

// String implements fmt.Stringer.
func (u *unhashed) String() string { return u.Child.String() }

// weightKey is the sort key of a string under a collation in which strings
// that differ may be equal. It is put around what the engine hashes: equal
// strings have equal keys.
type weightKey struct {
	expression.UnaryExpression
	coll *collation.Collation
}

var (
	_ sql.Expression         = (*weightKey)(nil)
	_ sql.FunctionExpression = (*weightKey)(nil)
)

func newWeightKey(e sql.Expression, coll *collation.Collation) sql.Expression {
	return &weightKey{expression.UnaryExpression{Child: e}, coll}
}

// Type implements sql.Expression.
func (w *weightKey) Type() sql.Type { return types.LongBlob }

// Eval implements sql.Expression. The key is a string of the characters with
// the numbers of its bytes: some of the engine's hashing wants valid UTF-8.
func (w *weightKey) Eval(ctx *sql.Context, row sql.Row) (interface{}, error) {
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
func (w *weightKey) WithChildren(children ...sql.Expression) (sql.Expression, error) {
	if len(children) != 1 {
		return nil, sql.ErrInvalidChildrenNumber.New(w, len(children), 1)
	}
	return newWeightKey(children[0], w.coll), nil
}

// String implements fmt.Stringer.
func (w *weightKey) String() string { return w.Child.String() }

// FunctionName implements sql.FunctionExpression.
func (w *weightKey) FunctionName() string { return "weight_key" }

// Description implements sql.FunctionExpression.
func (w *weightKey) Description() string { return "returns the sort key of a string" }

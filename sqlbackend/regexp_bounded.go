package sqlbackend

import (
	"errors"
	"strings"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression/function"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/dolthub/vitess/go/mysql"
)

// boundedRegexp is REGEXP_INSTR, REGEXP_SUBSTR or REGEXP_REPLACE, whose matches are looked for by a matcher that has a limit before the engine does, which
// has none.
type boundedRegexp struct {
	sql.Expression // the engine's
	matches        *regexpLike
	position       sql.Expression // of the first character; nil: 1
}

var (
	_ sql.Expression         = (*boundedRegexp)(nil)
	_ sql.FunctionExpression = (*boundedRegexp)(nil)
	_ sql.CollationCoercible = (*boundedRegexp)(nil)
	_ sql.Disposable         = (*boundedRegexp)(nil)
)

// newBoundedRegexp is a function of the engine's with such a matcher.
func newBoundedRegexp(e sql.Expression) *boundedRegexp {
	args := e.Children()
	out := &boundedRegexp{Expression: e, matches: &regexpLike{text: args[0], pattern: args[1]}}
	at, flags := 2, 5 // where the position and the flags stand
	switch e.(type) {
	case *function.RegexpSubstr:
		flags = 4
	case *function.RegexpReplace:
		at = 3
	}
	if len(args) > at {
		out.position = args[at]
	}
	if len(args) > flags {
		out.matches.flags = args[flags]
	}
	return out
}

// FunctionName implements sql.FunctionExpression.
func (b *boundedRegexp) FunctionName() string {
	f, _ := b.Expression.(sql.FunctionExpression)
	return f.FunctionName()
}

// Description implements sql.FunctionExpression.
func (b *boundedRegexp) Description() string {
	f, _ := b.Expression.(sql.FunctionExpression)
	return f.Description()
}

// CollationCoercibility implements sql.CollationCoercible.
func (b *boundedRegexp) CollationCoercibility(ctx *sql.Context) (sql.CollationID, byte) {
	return sql.GetCoercibility(ctx, b.Expression)
}

// WithChildren implements sql.Expression.
func (b *boundedRegexp) WithChildren(children ...sql.Expression) (sql.Expression, error) {
	of, err := b.Expression.WithChildren(children...)
	if err != nil {
		return nil, err
	}
	return newBoundedRegexp(of), nil
}

// Eval implements sql.Expression.
func (b *boundedRegexp) Eval(ctx *sql.Context, row sql.Row) (any, error) {
	if err := b.everyMatch(ctx, row); err != nil {
		var limit *mysql.SQLError
		if ctx.Err() != nil || errors.As(err, &limit) && (limit.Num == errRegexpTimeOut || limit.Num == errRegexpStackOverflow) {
			return nil, err
		} // another one is the engine's to tell
	}
	return b.Expression.Eval(ctx, row)
}

// everyMatch looks for all matches.
func (b *boundedRegexp) everyMatch(ctx *sql.Context, row sql.Row) error {
	b.matches.folds = strings.HasSuffix(coercedCollation(ctx, b.matches).Name(), "_ci") // as the engine does
	known, err := b.matches.compile(ctx, row)
	if err != nil || !known {
		return err
	}
	text, ok, err := textAt(ctx, b.matches.text, row)
	if err != nil || !ok {
		return err
	}
	from := 0
	if b.position != nil {
		v, err := b.position.Eval(ctx, row)
		if err != nil || v == nil {
			return err
		}
		n, _, err := types.Int32.Convert(ctx, v)
		if err != nil {
			return err
		}
		if position, ok := n.(int32); ok && position > 0 {
			from = int(position) - 1
		}
	}
	matcher := b.matches.compiled.matcher
	if err := matcher.setText(ctx, text); err != nil {
		return err
	}
	p := pace{ctx: ctx}
	for found, err := matcher.find(ctx, from); found || err != nil; found, err = matcher.findNext(ctx) {
		if err != nil {
			return err
		}
		if !p.on() {
			return p.err
		}
	}
	return nil
}

// coercedCollation is the collation of an expression.
func coercedCollation(ctx *sql.Context, e sql.Expression) sql.CollationID {
	of, _ := sql.GetCoercibility(ctx, e)
	return of
}

// Dispose implements sql.Disposable.
func (b *boundedRegexp) Dispose() {
	b.matches.Dispose()
	if d, ok := b.Expression.(sql.Disposable); ok {
		d.Dispose()
	}
}

package hold

import (
	"time"
	"unicode/utf8"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/expression"
	"github.com/dolthub/go-mysql-server/sql/expression/function"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/dolthub/vitess/go/mysql"

	"github.com/sqlfdb/sqlfdb/sqlbackend/mysqlerr"
)

const (
	longestLock   = 64 // characters of a lock's name, as in MySQL
	wrongLockName = 3057
)

// lockPause is how long a session waits before it tries again to get a lock that another one has.
const lockPause = time.Millisecond

// waitingLock is GET_LOCK, whose wait ends when its statement is killed. The engine's own function does not stop
// then.
type waitingLock struct {
	*function.GetLock
}

var _ sql.CollationCoercible = (*waitingLock)(nil)

// NewGetLock is GET_LOCK in place of the engine's.
func NewGetLock(e *function.GetLock) sql.Expression { return &waitingLock{e} }

// Eval implements sql.Expression: it calls the engine's function again and again, each time without waiting.
func (l *waitingLock) Eval(ctx *sql.Context, row sql.Row) (any, error) {
	name, err := l.LeftChild.Eval(ctx, row)
	if err != nil || name == nil {
		return nil, err
	}
	if text, ok := name.(string); ok && utf8.RuneCountInString(text) > longestLock {
		return nil, mysql.NewSQLError(wrongLockName, "42000", "Incorrect user-level lock name '%s'.",
			mysqlerr.Shortened(text))
	}
	given, err := l.RightChild.Eval(ctx, row)
	if err != nil || given == nil {
		return nil, err
	}
	seconds, _, err := types.Int64.Convert(ctx, given)
	if err != nil {
		return nil, err
	}
	try, err := l.GetLock.WithChildren(expression.NewLiteral(name, l.LeftChild.Type()),
		expression.NewLiteral(int64(0), types.Int64))
	if err != nil {
		return nil, err
	}
	longest, began := seconds.(int64), time.Now()
	pause := time.NewTicker(lockPause)
	defer pause.Stop()
	for {
		got, err := try.Eval(ctx, nil)
		if err != nil || got != int8(0) {
			return got, err
		}
		if longest >= 0 && time.Since(began).Seconds() >= float64(longest) {
			return got, nil
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-pause.C:
		}
	}
}

// WithChildren implements sql.Expression.
func (l *waitingLock) WithChildren(children ...sql.Expression) (sql.Expression, error) {
	e, err := l.GetLock.WithChildren(children...)
	if err != nil {
		return nil, err
	}
	return NewGetLock(e.(*function.GetLock)), nil
}

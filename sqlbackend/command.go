package sqlbackend

import (
	"math"
	"time"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/dolthub/vitess/go/mysql"

	"github.com/sqlfdb/sqlfdb/sqlbackend/accounts"
	"github.com/sqlfdb/sqlfdb/sqlbackend/mysqlerr"
	"github.com/sqlfdb/sqlfdb/sqlbackend/session"
)

// The subjects of KILL.
const (
	KillQuery session.Kill = iota
	KillConnection
)

// OnKill sets the function that ends a connection's running command, or the connection; it
// reports whether there is a connection of this number. It is called before the first
// session begins.
func (b *Backend) OnKill(f func(connection uint32, kill session.Kill) bool) { b.Kill = f }

// kills is KILL.
func kills(ctx *sql.Context, n *plan.Kill) (sql.RowIter, error) {
	s, err := session.Of(ctx)
	if err != nil {
		return nil, err
	}
	if s.Backend.Kill == nil {
		return nil, mysqlerr.Unsupported("KILL needs a server")
	}
	kill := KillQuery
	if n.Kt == plan.KillType_Connection {
		kill = KillConnection
	}
	if of, ok := s.Backend.Session(n.ConnID); ok && of.Client().User != s.Client().User {
		a, err := s.Login.Account()
		if err != nil {
			return nil, err
		}
		if a.Global()&(accounts.ConnectionAdmin|accounts.Super) == 0 {
			return nil, mysql.NewSQLError(1095, mysql.SSUnknownSQLState, "You are not owner of thread %d", n.ConnID)
		}
	}
	if !s.Backend.Kill(n.ConnID, kill) {
		return nil, mysql.NewSQLError(mysql.ERNoSuchThread, mysql.SSUnknownSQLState, "Unknown thread id: %d", n.ConnID)
	}
	return sql.RowsToRowIter(sql.NewRow(types.NewOkResult(0))), nil
}

// EndWaits ends statements that wait for changes, now and later, with ErrClosing.
func (b *Backend) EndWaits() { b.Instance.EndWaits(mysqlerr.ErrClosing) }

// Patience is how long the client of a connection may send nothing, by its wait_timeout.
// ok is false where there is no session yet.
func (b *Backend) Patience(connection uint32) (patience time.Duration, ok bool) {
	return b.secondsOf(connection, "wait_timeout")
}

// WritePatience is how long a connection's client may leave written bytes unread, by its
// net_write_timeout. ok is false where there is no session yet.
func (b *Backend) WritePatience(connection uint32) (patience time.Duration, ok bool) {
	return b.secondsOf(connection, "net_write_timeout")
}

func (b *Backend) secondsOf(connection uint32, variable string) (d time.Duration, ok bool) {
	s, ok := b.Session(connection)
	if !ok {
		return 0, false
	}
	v, err := s.BaseSession.GetSessionVariable(nil, variable)
	if err != nil {
		return 0, false
	}
	seconds, ok := v.(int64)
	return time.Duration(min(seconds, math.MaxInt32)) * time.Second, ok
}

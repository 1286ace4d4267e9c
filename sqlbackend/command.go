package sqlbackend

import (
	"context"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/plan"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/dolthub/vitess/go/mysql"
	ast "github.com/dolthub/vitess/go/vt/sqlparser"

	"github.com/sqlfdb/sqlfdb/sqlbackend/accounts"
	"github.com/sqlfdb/sqlfdb/sqlbackend/mysqlerr"
	"github.com/sqlfdb/sqlfdb/sqlbackend/statement"
)

// Command is what the protocol handler knows of a command that it begins.
type Command struct {
	Query string
	Began time.Time // of the first attempt
	// Context ends with the command, and when it is killed.
	Context context.Context
	// Interrupt ends the command because its time is over. It may be called when the
	// command has ended.
	Interrupt func()
}

// Announce tells the session which statement its next command will run: where the
// engine has it parsed already, as a prepared one, it does not parse it again.
func (s *Session) Announce(c Command) {
	s.announcing = true
	s.command = c
	text := sql.RemoveSpaceAndDelimiter(c.Query, ';')
	if s.anew[text] {
		delete(s.anew, text)
		s.backend.Engine.PreparedDataCache.UncacheStmt(s.ID(), text)
		return
	}
	stmt, ok := s.backend.Engine.PreparedDataCache.GetCachedStmt(s.ID(), text)
	if ok {
		s.announced = []ast.Statement{stmt}
	}
}

// Released reports whether the last command asked for the end of its connection.
func (s *Session) Released() bool { return s.released }

// limitTime ends the running command when max_execution_time is over, or what the
// statement says of itself in /*+ MAX_EXECUTION_TIME(n) */. As in MySQL that is about SELECT
// alone.
func (s *Session) limitTime(stmt ast.Statement) {
	if _, ok := stmt.(ast.SelectStatement); !ok || s.command.Interrupt == nil {
		return
	}
	limit, ok := executionTime(stmt)
	if !ok {
		v, err := s.BaseSession.GetSessionVariable(nil, "max_execution_time")
		if err != nil {
			return
		}
		limit, _ = v.(int64)
	}
	if limit <= 0 {
		return
	}
	limit = min(limit, math.MaxUint32) // MySQL's greatest, and 49 days
	s.timer = time.AfterFunc(time.Until(s.command.Began.Add(time.Duration(limit)*time.Millisecond)), s.command.Interrupt)
}

// executionTime is the hint MAX_EXECUTION_TIME of a statement, in milliseconds.
func executionTime(stmt ast.Statement) (ms int64, ok bool) {
	for {
		switch n := stmt.(type) {
		case *ast.ParenSelect:
			stmt = n.Select
			continue
		case *ast.SetOp:
			stmt = n.Left
			continue
		case *ast.Select:
			for _, c := range n.Comments {
				text, hint := strings.CutPrefix(string(c), "/*+")
				if !hint {
					continue
				}
				tokens := statement.Tokenize(strings.TrimSuffix(text, "*/"))
				for i := 0; i+2 < len(tokens); i++ {
					if tokens[i].Is(text, "MAX_EXECUTION_TIME") && tokens[i+1].Is(text, "(") {
						n := tokens[i+2]
						ms, err := strconv.ParseInt(text[n.Start:n.End], 10, 64)
						return ms, err == nil
					}
				}
			}
		}
		return 0, false
	}
}

// Kill is what KILL ends.
type Kill uint8

// What KILL ends.
const (
	KillQuery Kill = iota
	KillConnection
)

// OnKill sets who ends what a connection runs, or the connection; it reports whether there
// is one of this number. It is called before the first session begins.
func (b *Backend) OnKill(f func(connection uint32, kill Kill) bool) { b.kill = f }

// kills is KILL.
func (x *executor) kills(ctx *sql.Context, n *plan.Kill) (sql.RowIter, error) {
	s, err := sessionOf(ctx)
	if err != nil {
		return nil, err
	}
	if s.backend.kill == nil {
		return nil, mysqlerr.Unsupported("KILL needs a server")
	}
	kill := KillQuery
	if n.Kt == plan.KillType_Connection {
		kill = KillConnection
	}
	if of, ok := s.backend.Session(n.ConnID); ok && of.Client().User != s.Client().User {
		a, err := s.account()
		if err != nil {
			return nil, err
		}
		if a.Global()&(accounts.ConnectionAdmin|accounts.Super) == 0 {
			return nil, mysql.NewSQLError(1095, mysql.SSUnknownSQLState, "You are not owner of thread %d", n.ConnID)
		}
	}
	if !s.backend.kill(n.ConnID, kill) {
		return nil, mysql.NewSQLError(mysql.ERNoSuchThread, mysql.SSUnknownSQLState, "Unknown thread id: %d", n.ConnID)
	}
	return sql.RowsToRowIter(sql.NewRow(types.NewOkResult(0))), nil
}

// EndWaits ends statements that wait for changes, now and later, with ErrClosing.
func (b *Backend) EndWaits() { b.endWaits(mysqlerr.ErrClosing) }

// waiting is a context for a statement that waits for what may never come: it ends
// with the statement, and when the server begins to close. why tells of an error whether it
// was that.
func (b *Backend) waiting(ctx context.Context) (waits context.Context, stop func(), why func(error) error) {
	waits, cancel := context.WithCancel(ctx)
	unhook := context.AfterFunc(b.closing, cancel)
	return waits, func() { unhook(); cancel() }, func(err error) error {
		if err != nil && ctx.Err() == nil && b.closing.Err() != nil {
			return mysqlerr.ErrClosing
		}
		return err
	}
}

// Patience is how long the client of a connection may send nothing, by its wait_timeout.
// ok is false where there is no session yet.
func (b *Backend) Patience(connection uint32) (patience time.Duration, ok bool) {
	return b.secondsOf(connection, "wait_timeout")
}

// WritePatience is how long the client of a connection may not read what is written to it, by its
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

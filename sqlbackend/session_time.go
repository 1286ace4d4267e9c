package sqlbackend

import (
	"context"
	"math"
	"time"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"
)

// varTimestamp is the variable that stops a session's clock: NOW() and all but SYSDATE() go by it.
const varTimestamp = "timestamp"

// timestampVariable is that variable; 0 is the clock.
func timestampVariable() sql.SystemVariable {
	return &sql.MysqlSystemVariable{
		Name: varTimestamp, Scope: sql.GetMysqlScope(sql.SystemVariableScope_Session), Dynamic: true,
		SetVarHintApplies: true, Type: types.NewSystemDoubleType(varTimestamp, 0, math.MaxInt32), Default: 0.0,
	}
}

// NewContext makes the context of a command, whose time is the session's.
func (b *Backend) NewContext(ctx context.Context, options ...sql.ContextOption) *sql.Context {
	c := sql.NewContext(ctx, options...)
	if s, ok := c.Session.(*Session); ok {
		if stopped := s.stoppedAt(c); stopped > 0 {
			whole, fraction := math.Modf(stopped)
			c.SetQueryTime(time.Unix(int64(whole), int64(math.Round(fraction*1e6))*1000))
		}
	}
	return c
}

// stoppedAt is what SET timestamp has said; 0 if the session goes by the clock.
func (s *Session) stoppedAt(ctx *sql.Context) float64 {
	v, err := s.BaseSession.GetSessionVariable(ctx, varTimestamp)
	if err != nil {
		return 0
	}
	stopped, _ := v.(float64)
	return stopped
}

// secondsOf is a time as the variable has it.
func secondsOf(t time.Time) float64 { return float64(t.UnixMicro()) / 1e6 }

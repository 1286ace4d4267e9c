package sqlbackend

import (
	"context"
	"math"
	"time"

	"github.com/dolthub/go-mysql-server/sql"

	"github.com/sqlfdb/sqlfdb/sqlbackend/session"
)

// NewContext makes the context of a command, whose time is the session's.
func (b *Backend) NewContext(ctx context.Context, options ...sql.ContextOption) *sql.Context {
	c := sql.NewContext(ctx, options...)
	if s, ok := c.Session.(*session.Session); ok {
		if stopped := s.StoppedAt(c); stopped > 0 {
			whole, fraction := math.Modf(stopped)
			c.SetQueryTime(time.Unix(int64(whole), int64(math.Round(fraction*1e6))*1000))
		}
	}
	return c
}

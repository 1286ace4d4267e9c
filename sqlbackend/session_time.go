package sqlbackend

import (
	"context"
	"math"
	"time"

	"github.com/dolthub/go-mysql-server/sql"

	"github.com/sqlfdb/sqlfdb/sqlbackend/functions"
	"github.com/sqlfdb/sqlfdb/sqlbackend/session"
)

// NewContext makes the context of a command, whose time is the session's.
func (b *Backend) NewContext(ctx context.Context, options ...sql.ContextOption) *sql.Context {
	c := sql.NewContext(ctx, options...)
	if s, ok := c.Session.(*session.Session); ok {
		now := c.QueryTime()
		if stopped := s.StoppedAt(c); stopped > 0 {
			whole, fraction := math.Modf(stopped)
			now = time.Unix(int64(whole), int64(math.Round(fraction*1e6))*1000)
		}
		c.SetQueryTime(functions.ShownInZone(c, now))
	}
	return c
}

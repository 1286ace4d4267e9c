package sqlbackend

import (
	"github.com/dolthub/go-mysql-server/sql"

	"github.com/sqlfdb/sqlfdb/sqlbackend/batch"
	"github.com/sqlfdb/sqlfdb/sqlbackend/companion"
	"github.com/sqlfdb/sqlfdb/sqlbackend/ddl"
	"github.com/sqlfdb/sqlfdb/sqlbackend/explain"
	"github.com/sqlfdb/sqlfdb/sqlbackend/session"
	"github.com/sqlfdb/sqlfdb/sqlbackend/subquery"
)

func sessionHooks() session.Hooks {
	return session.Hooks{
		Definer: ddl.Definer{},
		OpenTable: func(ctx *sql.Context, s *session.Session, d *session.Definition) (sql.Table, error) {
			return ddl.OpenAny(d.Database, ctx, s, d.Table)
		},
		LookForMarker: batch.LookForMarker,
		AwaitPrepared: companion.AwaitPrepared,
		Foresee:       foresee,
		SetOptions:    func(ctx *sql.Context, s *session.Session) error { return ddl.SetClauseOptions(s, ctx) },
		SetsOptions:   func(s *session.Session) bool { return len(ddl.OptionsAmong(s)) > 0 },
		TooLarge:      batch.TooLarge,
		Batchable: func(s *session.Session) bool {
			_, why := batch.Batchable(s)
			return why == ""
		},
		WarnOfBatches: batch.Warn,
		Resume:        func(ctx *sql.Context, s *session.Session) error { return batch.Resume(s, ctx) },
		Watch:         func(s *session.Session) subquery.Watcher { return &explain.BoundPlans{Session: s} },
	}
}

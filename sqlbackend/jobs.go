package sqlbackend

import (
	"context"
	"strings"
	"time"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"

	"github.com/sqlfdb/sqlfdb/jobs"
	"github.com/sqlfdb/sqlfdb/sqlbackend/companion"
	"github.com/sqlfdb/sqlfdb/sqlbackend/ddl"
	"github.com/sqlfdb/sqlfdb/sqlbackend/session"
	"github.com/sqlfdb/sqlfdb/tables"
)

// Jobs is the runner of the store's background work in this process. The caller of
// NewEngine starts it, and stops it before Close.
func (b *Backend) Jobs() *jobs.Runner { return b.Instance.Jobs }

// Awaiting is the number of statements that wait for background work and do nothing else.
func (b *Backend) Awaiting() int { return int(b.Instance.Awaiting.Load()) }

func newRunner(b *session.Instance, settings jobs.Options) *jobs.Runner {
	kinds := map[string]jobs.Kind{
		jobs.KindRebuild: jobs.Rebuild(b.Catalog, b.OpenCollection),
		jobs.KindSweep:   jobs.Sweep(b.Catalog, time.Now),
		ddl.JobUpgrade: {Step: func(ctx context.Context, tx *tables.Tx, job *jobs.Job) (bool, error) {
			return ddl.UpgradeStep(b, ctx, tx, job)
		}},
		ddl.JobIndex: {Step: func(ctx context.Context, tx *tables.Tx, job *jobs.Job) (bool, error) {
			return ddl.IndexStep(b, ctx, tx, job)
		}},
		ddl.JobParts: {Step: func(ctx context.Context, tx *tables.Tx, job *jobs.Job) (bool, error) {
			return ddl.PartsStep(b, ctx, tx, job)
		}},
		jobs.KindMap: jobs.BuildMaps(b.Catalog, b.OpenCollection),
	}
	settings.Follow = func(ctx context.Context) (worked, again bool, err error) {
		groups, worked, err := jobs.FollowMaps(ctx, b.Catalog, b.OpenCollection, companion.MapBatch())
		return worked, groups > 0, err
	}
	return jobs.NewRunner(b.Catalog, kinds, settings)
}

// jobsVariable is the system variable VarJobs: SET GLOBAL notifies the runner of the
// session's server.
func jobsVariable() sql.SystemVariable {
	return &sql.MysqlSystemVariable{
		Name:    ddl.VarJobs,
		Scope:   sql.GetMysqlScope(sql.SystemVariableScope_Global),
		Dynamic: true,
		Type:    types.NewSystemEnumType(ddl.VarJobs, ddl.JobsRun, ddl.JobsHold),
		Default: ddl.JobsRun,
		NotifyChanged: func(ctx *sql.Context, _ sql.SystemVariableScope, value sql.SystemVarValue) error {
			if ctx == nil {
				return nil
			}
			s, ok := ctx.Session.(*session.Session)
			if !ok {
				return nil
			}
			if word, _ := value.Val.(string); strings.EqualFold(word, ddl.JobsHold) {
				s.Backend.Jobs.Hold()
			} else {
				s.Backend.Jobs.Release()
			}
			return nil
		},
	}
}

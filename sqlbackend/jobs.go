package sqlbackend

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"

	"github.com/sqlfdb/sqlfdb/catalog"
	"github.com/sqlfdb/sqlfdb/jobs"
	"github.com/sqlfdb/sqlfdb/kv"
	"github.com/sqlfdb/sqlfdb/tables"
)

// VarJobs is the global variable that holds this process's background work.
const VarJobs = "sqlfdb_jobs"

const (
	jobsRun  = "run"
	jobsHold = "hold"
)

// Jobs is the runner of the store's background work in this process. The caller of
// NewEngine starts it, and stops it before Close.
func (b *Backend) Jobs() *jobs.Runner { return b.jobs }

// Awaiting is the number of statements that wait for background work and do nothing else.
func (b *Backend) Awaiting() int { return int(b.awaiting.Load()) }

func (b *Backend) newRunner(opts Options) *jobs.Runner {
	kinds := map[string]jobs.Kind{
		jobs.KindRebuild: jobs.Rebuild(b.catalog, b.openCollection),
		jobs.KindSweep:   jobs.Sweep(b.catalog, time.Now),
		jobUpgrade:       {Step: b.upgradeStep},
		jobIndex:         {Step: b.indexStep},
		jobParts:         {Step: b.partsStep},
		jobs.KindMap:     jobs.BuildMaps(b.catalog, b.openCollection),
	}
	settings := opts.Jobs
	settings.Held, settings.Report = opts.HoldJobs, opts.Report
	settings.Follow = func(ctx context.Context) (worked, again bool, err error) {
		groups, worked, err := jobs.FollowMaps(ctx, b.catalog, b.openCollection, mapBatch())
		return worked, groups > 0, err
	}
	return jobs.NewRunner(b.catalog, kinds, settings)
}

// openCollection is the collection of a definition as SQL's types read it.
func (b *Backend) openCollection(def *catalog.Table) (*tables.Collection, error) {
	d, err := b.definitions.of(def)
	if err != nil {
		return nil, err
	}
	return d.collection, nil
}

// jobsVariable is the system variable VarJobs: SET GLOBAL tells the runner of the
// session's server.
func jobsVariable() sql.SystemVariable {
	return &sql.MysqlSystemVariable{
		Name:    VarJobs,
		Scope:   sql.GetMysqlScope(sql.SystemVariableScope_Global),
		Dynamic: true,
		Type:    types.NewSystemEnumType(VarJobs, jobsRun, jobsHold),
		Default: jobsRun,
		NotifyChanged: func(ctx *sql.Context, _ sql.SystemVariableScope, value sql.SystemVarValue) error {
			if ctx == nil {
				return nil
			}
			s, ok := ctx.Session.(*Session)
			if !ok {
				return nil
			}
			if word, _ := value.Val.(string); strings.EqualFold(word, jobsHold) {
				s.backend.jobs.Hold()
			} else {
				s.backend.jobs.Release()
			}
			return nil
		},
	}
}

// jobsTable is sqlfdb.jobs.
func (d *systemDB) jobsTable() *systemTable {
	text := func(n string) systemColumn { return systemColumn{n, types.LongText} }
	number := func(n string) systemColumn { return systemColumn{n, types.Int64} }
	return newSystemTable(systemDatabase, "jobs", d.jobs, number("id"), text("kind"), text("database"), text("table"),
		text("state"),
		text("progress"), number("done"), number("total"), number("failed"), text("message"), text("error"))
}

// jobs emits the jobs, and leaves out the sweep while it rests.
func (d *systemDB) jobs(ctx *sql.Context, emit func(sql.Row)) error {
	s, err := sessionOf(ctx)
	if err != nil {
		return err
	}
	view, err := s.definitions()
	if err != nil {
		return err
	}
	r, err := s.planReader()
	if err != nil {
		return err
	}
	all, err := jobs.List(r)
	if err != nil {
		return err
	}
	sees, err := s.sees()
	if err != nil {
		return err
	}
	for i := range all {
		job := &all[i]
		if job.Rest > 0 && job.Error == "" {
			continue
		}
		database, table := job.Database, job.Table
		if t, ok := view.TableByID(job.Collection); ok {
			database, table = t.Database, t.Name // it may have been renamed
		}
		if sees != nil && (table == "" || !sees(database, table)) {
			continue
		}
		state := job.State
		if !state.Ended() && d.backend.jobs.Held() {
			state = jobs.StateHeld
		}
		p := job.Progress
		message := p.Message
		if len(p.Samples) > 0 {
			if message != "" {
				message += ": "
			}
			message += strings.Join(p.Samples, "; ")
		}
		failure := job.Error
		if job.Attempts > 1 && failure != "" {
			failure = fmt.Sprintf("%d times: %s", job.Attempts, failure)
		}
		emit(sql.Row{job.ID, job.Kind, orNull(database), orNull(table), string(state), progressOf(p), p.Done, orNull(p.Of),
			p.Failed, orNull(message), orNull(failure)})
	}
	return d.interrupted(r, view, emit)
}

// interrupted emits the statements in batches that have not come to their ends.
func (d *systemDB) interrupted(r kv.Reader, view *catalog.View, emit func(sql.Row)) error {
	for _, database := range view.Databases() {
		for _, t := range view.Tables(database) {
			it := r.Range(t.Keys().Bulks(), kv.RangeOptions{})
			for it.Next() {
				var m marker
				if err := json.Unmarshal(it.Value(), &m); err != nil {
					it.Close()
					return fmt.Errorf("sqlbackend: a statement in batches on %s: %w", t, err)
				}
				state := string(jobs.StateRunning)
				if !d.backend.isRunning(m.Run) {
					state = "interrupted"
				}
				progress := fmt.Sprintf("%s batches, since %s", grouped(m.Batches), m.Moved.Format(time.DateTime))
				emit(sql.Row{nil, "statement", t.Database, t.Name, state, progress, m.Rows, nil, int64(0), m.Statement, nil})
			}
			err := it.Err()
			it.Close()
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// progressOf is a job's progress for people.
func progressOf(p jobs.Progress) any {
	if p.Of <= 0 {
		return nil
	}
	return fmt.Sprintf("%d %%", min(100, p.Done*100/p.Of))
}

// orNull is NULL for nothing.
func orNull[T comparable](v T) any {
	var nothing T
	if v == nothing {
		return nil
	}
	return v
}

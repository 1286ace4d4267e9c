package information

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"

	"github.com/sqlfdb/sqlfdb/catalog"
	"github.com/sqlfdb/sqlfdb/jobs"
	"github.com/sqlfdb/sqlfdb/kv"
	"github.com/sqlfdb/sqlfdb/sqlbackend/batch"
	"github.com/sqlfdb/sqlfdb/sqlbackend/privilege"
	"github.com/sqlfdb/sqlfdb/sqlbackend/session"
)

// jobsTable is sqlfdb.jobs.
func (d *System) jobsTable() *systemTable {
	text := func(n string) systemColumn { return systemColumn{n, types.LongText} }
	number := func(n string) systemColumn { return systemColumn{n, types.Int64} }
	return NewSystemTable(session.SystemDatabase, "jobs", d.jobs, number("id"), text("kind"), text("database"),
		text("table"),
		text("state"),
		text("progress"), number("done"), number("total"), number("failed"), text("message"), text("error"))
}

// jobsOf are the jobs of the store as a session plans by them.
func jobsOf(ctx *sql.Context) (s *session.Session, r kv.Reader, all []jobs.Job, err error) {
	if s, err = session.Of(ctx); err != nil {
		return nil, nil, nil, err
	}
	if r, err = s.Readers.Plan(); err != nil {
		return nil, nil, nil, err
	}
	all, err = jobs.List(r)
	return s, r, all, err
}

// jobs emits the jobs, and leaves out the sweep while it rests.
func (d *System) jobs(ctx *sql.Context, emit func(sql.Row)) error {
	s, r, all, err := jobsOf(ctx)
	if err != nil {
		return err
	}
	view, err := s.Readers.Definitions()
	if err != nil {
		return err
	}
	sees, err := privilege.Sees(s)
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
		if !state.Ended() && d.backend.Jobs.Held() {
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

// interrupted emits the statements in batches that were interrupted before their end.
func (d *System) interrupted(r kv.Reader, view *catalog.View, emit func(sql.Row)) error {
	for _, database := range view.Databases() {
		for _, t := range view.Tables(database) {
			it := r.Range(t.Keys().Bulks(), kv.RangeOptions{})
			for it.Next() {
				var m batch.Marker
				if err := json.Unmarshal(it.Value(), &m); err != nil {
					it.Close()
					return fmt.Errorf("sqlbackend: a statement in batches on %s: %w", t, err)
				}
				state := string(jobs.StateRunning)
				if !d.backend.IsRunning(m.Run) {
					state = "interrupted"
				}
				progress := fmt.Sprintf("%s batches, since %s", session.Grouped(m.Batches), m.Moved.Format(time.DateTime))
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

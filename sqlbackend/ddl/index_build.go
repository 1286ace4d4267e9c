package ddl

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/dolthub/go-mysql-server/sql"

	"github.com/sqlfdb/sqlfdb/catalog"
	"github.com/sqlfdb/sqlfdb/indexes"
	"github.com/sqlfdb/sqlfdb/jobs"
	"github.com/sqlfdb/sqlfdb/kv"
	"github.com/sqlfdb/sqlfdb/sqlbackend/information"
	"github.com/sqlfdb/sqlfdb/sqlbackend/mysqlerr"
	"github.com/sqlfdb/sqlfdb/sqlbackend/session"
	"github.com/sqlfdb/sqlfdb/sqlbackend/table"
	"github.com/sqlfdb/sqlfdb/tables"
)

// Every writer maintains a declared index, beginning with the transaction that declares it. A job makes the entries
// of earlier documents, and then proves a unique index; statements use the index when the job is done. A job that
// finds two equal documents removes the index.

// JobIndex is the kind of the jobs that build declared indexes.
const JobIndex = "index"

// buildPending marks an index that has been added and has no job yet.
const buildPending = -1

// addIndex adds an index, and marks it as not built yet if it needs a build.
func addIndex(def *catalog.Table, idx catalog.Index) {
	def.AddIndex(idx)
	added := &def.Indexes[len(def.Indexes)-1]
	for _, name := range added.Columns {
		if i, ok := def.Column(name); ok && def.Columns[i].Virtual {
			added.Number = 0 // documents don't hold its values
		}
	}
	if added.Number != 0 || added.Unique {
		added.Building = buildPending
	}
}

// settleProved marks added indexes as built whose documents are proved to be unique, unless they have entries of
// their own.
func settleProved(def *catalog.Table) {
	for i := range def.Indexes {
		if x := &def.Indexes[i]; x.Building == buildPending && x.Number == 0 {
			x.Building = 0
		}
	}
}

// beginBuild makes the job of an added index, in the transaction that adds it. An empty table needs none: the job is
// 0.
func beginBuild(w jobs.Transaction, after *catalog.Table, documents int64) (job int64, err error) {
	i := slices.IndexFunc(after.Indexes, func(x catalog.Index) bool { return x.Building == buildPending })
	if i < 0 || documents == 0 {
		return 0, nil
	}
	return enqueueBuild(w, after, after.Indexes[i].Name, documents)
}

// begunBuild notes the job in the definition of the index that was added.
func begunBuild(def *catalog.Table, job int64) {
	for i := range def.Indexes {
		if def.Indexes[i].Building == buildPending {
			def.Indexes[i].Building = job
		}
	}
}

func enqueueBuild(tx jobs.Transaction, def *catalog.Table, name string, documents int64) (int64, error) {
	return jobs.Enqueue(tx, jobs.Job{Kind: JobIndex, Collection: def.ID, Database: def.Database, Table: def.Name,
		Progress: jobs.Progress{Of: documents, Message: "index " + name}})
}

// clearDropped removes the entries of the indexes that a definition no longer has.
func clearDropped(w kv.Writer, before, after *catalog.Table) {
	for _, x := range before.Indexes {
		if x.Number != 0 && !slices.ContainsFunc(after.Indexes,
			func(y catalog.Index) bool { return y.Number == x.Number }) {
			clearIndex(w, before, x.Number)
		}
	}
}

func clearIndex(w kv.Writer, def *catalog.Table, number int64) {
	w.ClearRange(def.Keys().DeclaredEntries(number))
	w.ClearRange(def.Keys().OmittedFrom(number))
}

// maxProved bounds the documents in one step of a proof.
const maxProved = 512

// IndexStep is one step of a build: some documents, in the order of their primary keys. The last step makes the index
// readable for statements.
func IndexStep(b *session.Instance, ctx context.Context, tx *tables.Tx, job *jobs.Job) (done bool, err error) {
	def := job.Definition
	i := slices.IndexFunc(def.Indexes, func(x catalog.Index) bool { return x.Building == job.ID })
	if i < 0 {
		job.Progress.Message = "the index is gone, or built"
		return true, nil
	}
	if def.Rebuilding() {
		return buildLater(b, tx, job, i)
	}
	var at information.BuildCheckpoint
	if len(job.Checkpoint) > 0 {
		if err := json.Unmarshal(job.Checkpoint, &at); err != nil {
			return false, fmt.Errorf("sqlbackend: checkpoint of a build: %w: %w", jobs.ErrPermanent, err)
		}
	}
	full, err := b.Definitions.Of(def)
	if err != nil {
		return false, err
	}
	idx := &def.Indexes[i]
	if idx.Number == 0 {
		at.Proving = true
	}
	budget := tables.UpgradeBudget{Documents: 4 * maxProved, Bytes: job.Budget, Size: upgradeSize}
	p := &job.Progress
	if !at.Proving {
		did, err := full.Collection.BuildDeclared(ctx, tx, idx.Number, at.Next, budget)
		if err != nil {
			return false, err
		}
		p.Done, p.Converted = p.Done+did.Documents, p.Converted+did.Entered
		p.Of = max(p.Of, p.Done)
		at.Next = did.Next
		if at.Next == nil && idx.Unique {
			at.Proving, p.Done, p.Of = true, 0, p.Done
			job.Checkpoint, err = json.Marshal(at)
			return false, err
		}
	} else {
		next, proved, twice, err := prove(full, ctx, tx, idx, at.Next, budget)
		if err != nil {
			return false, err
		}
		p.Done += proved
		p.Of = max(p.Of, p.Done)
		if twice != "" {
			job.Failure = twice
			return true, removeBuilt(b, ctx, tx, job, idx)
		}
		at.Next = next
	}
	if at.Next == nil {
		p.Of = p.Done
		return true, alterBuilt(b, tx, job, func(t *catalog.Table, i int) { t.Indexes[i].Building = 0 })
	}
	job.Checkpoint, err = json.Marshal(at)
	return false, err
}

// buildLater puts a build after the rebuild of the keypaths' entries, whose job has a greater number. Until then,
// each search for equal documents would read all of them.
func buildLater(b *session.Instance, tx *tables.Tx, job *jobs.Job, i int) (bool, error) {
	id, err := enqueueBuild(tx, job.Definition, job.Definition.Indexes[i].Name, job.Progress.Of)
	if err != nil {
		return false, err
	}
	job.Progress.Message = fmt.Sprintf("goes on as job %d, after the index is rebuilt", id)
	return true, alterBuilt(b, tx, job, func(t *catalog.Table, i int) { t.Indexes[i].Building = id })
}

// alterBuilt changes the definition of the index that a job builds.
func alterBuilt(b *session.Instance, tx *tables.Tx, job *jobs.Job, edit func(t *catalog.Table, i int)) error {
	def := job.Definition
	_, err := b.Catalog.AlterTableWithin(tx, def.Database, def.Name, func(t *catalog.Table) error {
		if i := slices.IndexFunc(t.Indexes, func(x catalog.Index) bool { return x.Building == job.ID }); i >= 0 {
			edit(t, i)
		}
		return nil
	})
	return err
}

// removeBuilt removes the index that a job builds.
func removeBuilt(b *session.Instance, ctx context.Context, tx *tables.Tx, job *jobs.Job, idx *catalog.Index) error {
	before := job.Definition
	if idx.Number != 0 {
		clearIndex(tx, before, idx.Number)
	}
	hidden := table.HiddenOf(before, idx)
	edit := func(t *catalog.Table) error {
		endParts(t, hidden)
		t.Indexes = slices.DeleteFunc(t.Indexes, func(x catalog.Index) bool { return x.Building == job.ID })
		return nil
	}
	if len(hidden) > 0 {
		if _, err := enqueueParts(tx, before, job.Progress.Of, "the values of an index that was given up"); err != nil {
			return err
		}
	}
	after := before.Clone()
	if err := edit(after); err != nil {
		return err
	}
	if encodesDifferently(before, after) {
		change, err := b.Catalog.Change(ctx, tx)
		if err != nil {
			return err
		}
		_, err = jobs.Reindex(tx, change, before.Database, before.Name,
			jobs.Progress{Message: "byte strings have no index any more", Of: job.Progress.Of}, edit)
		return err
	}
	_, err := b.Catalog.AlterTableWithin(tx, before.Database, before.Name, edit)
	return err
}

// prove goes through documents, beginning at the primary key from, until two are equal in a unique index: twice is
// then the text of the error. It reads without conflicts: documents that are written meanwhile are checked by their
// writers.
func prove(d *session.Definition, ctx context.Context, tx *tables.Tx, idx *catalog.Index, from []byte,
	budget tables.UpgradeBudget) (next []byte, proved int64, twice string, err error) {
	r, sqlCtx := tx.Snapshot(), sql.NewContext(ctx)
	var length int64
	err = d.Collection.DocumentsFrom(ctx, tx, from, func(pk []byte, doc indexes.Versioned) (bool, error) {
		if proved >= maxProved || length >= budget.Bytes && proved > 0 {
			next = bytes.Clone(pk)
			return false, nil
		}
		proved++
		length += int64(doc.Len())
		taken, text, err := table.FindDuplicate(d, sqlCtx, r, idx, bytes.Clone(pk), doc.Document)
		if err != nil || taken == nil {
			return err == nil, err
		}
		twice = fmt.Sprintf("Duplicate entry '%s' for key '%s.%s'", text, d.Name, idx.Name)
		return false, nil
	})
	return next, proved, twice, err
}

// awaitIndex builds a declared index with the given job, together with the background. If the statement ends early,
// the background does the rest.
func awaitIndex(t *table.Table, ctx *sql.Context, name string, job int64) error {
	const pause = 20 * time.Millisecond // while another process works on it
	b := t.Session.Backend
	b.Awaiting.Add(1)
	defer b.Awaiting.Add(-1)
	for {
		left, entries, failure, err := building(b, ctx, t.Def.ID, name, job)
		switch {
		case err != nil:
			return mysqlerr.Of(ctx, err)
		case failure != "":
			t.Session.Defined = false // nothing has changed
			if err := awaitParts(t, ctx); err != nil {
				return err
			}
			return mysqlerr.Of(ctx, failedBuild(failure))
		case !left:
			return nil
		case entries && b.Jobs.Held():
			ctx.Session.Warn(&sql.Warning{Level: "Note", Code: 1105,
				Message: fmt.Sprintf(
					"The index %s of %s is built when %s is %s again; statements don't use it until then. See %s.jobs", name,
					t.Def,
					VarJobs, JobsRun, session.SystemDatabase)})
			return nil
		}
		worked, err := b.Jobs.Advance(ctx, t.Def.ID)
		if err != nil {
			return mysqlerr.Of(ctx, err)
		}
		if worked {
			continue
		}
		select {
		case <-ctx.Done():
			return mysqlerr.Of(ctx, ctx.Err())
		case <-time.After(pause):
		}
	}
}

// building reports whether an index of a collection is being built, and whether it has entries. The text failure is
// the reason why the job, or its successor, has ended without the index.
func building(b *session.Instance, ctx context.Context, collection int64, name string, job int64) (left, entries bool,
	failure string, err error) {
	tx, err := b.Store.Begin(ctx, kv.TransactionOptions{})
	if err != nil {
		return false, false, "", err
	}
	defer tx.Cancel()
	r := tx.Snapshot()
	view, err := b.Catalog.View(r)
	if err != nil {
		return false, false, "", err
	}
	if def, ok := view.TableByID(collection); ok {
		if i := table.FindIndex(def, name); i >= 0 {
			idx := &def.Indexes[i]
			return idx.Building != 0, idx.Number != 0 || len(table.HiddenOf(def, idx)) > 0, "", nil
		}
	}
	all, err := jobs.List(r)
	for i := range all {
		j := &all[i]
		if j.ID >= job && (j.Kind == JobIndex || j.Kind == JobParts) && j.Collection == collection &&
			j.State == jobs.StateFailed && strings.HasSuffix(j.Error, "."+name+"'") {
			return false, false, j.Error, err
		}
	}
	return false, false, "", err
}

// VarJobs is the global variable that runs or suspends this process's background work.
const VarJobs = "sqlfdb_jobs"

const (
	JobsRun  = "run"
	JobsHold = "hold"
)

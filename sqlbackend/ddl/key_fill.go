package ddl

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/vitess/go/mysql"

	"github.com/sqlfdb/sqlfdb/catalog"
	"github.com/sqlfdb/sqlfdb/document"
	"github.com/sqlfdb/sqlfdb/indexes"
	"github.com/sqlfdb/sqlfdb/jobs"
	"github.com/sqlfdb/sqlfdb/sqlbackend/mysqlerr"
	"github.com/sqlfdb/sqlfdb/sqlbackend/session"
	"github.com/sqlfdb/sqlfdb/sqlbackend/table"
	"github.com/sqlfdb/sqlfdb/tables"
)

// When an index with hidden columns is added to a table with documents, writers maintain it at once. A job gives
// earlier documents their values; statements don't read the index until then. When an index is dropped, its hidden
// columns stay, without an expression, until a job has removed their values from the documents (RFC 0016).

// JobParts is the kind of the jobs that write the values of hidden columns into documents, or remove them.
const JobParts = "parts"

// enqueueParts makes such a job, for an index or for dropped ones.
func enqueueParts(tx jobs.Transaction, def *catalog.Table, documents int64, message string) (int64, error) {
	return jobs.Enqueue(tx, jobs.Job{Kind: JobParts, Collection: def.ID, Database: def.Database, Table: def.Name,
		Progress: jobs.Progress{Of: documents, Message: message}})
}

// deadParts returns the hidden columns of dropped indexes.
func deadParts(def *catalog.Table) (names []string) {
	for _, c := range def.Columns[def.Visible():] {
		if c.Dead() {
			names = append(names, c.Name)
		}
	}
	return names
}

// endParts removes the expressions of hidden columns.
func endParts(def *catalog.Table, names []string) {
	for i := range def.Columns {
		if c := &def.Columns[i]; c.Hidden && slices.Contains(names, c.Name) {
			c.Generated, c.PrefixOf, c.PrefixLength = "", "", 0
		}
	}
}

// partsLater reports whether a job writes hidden columns after the statement. It does not for a temporary table,
// which jobs don't know, nor beside other clauses, which can't be undone.
func partsLater(t *table.Table, before *catalog.Table) bool {
	return !before.Temporary() && !session.DefinesMore(t.Session)
}

// addParts is alterWithin for an index with hidden columns. The job is 0 if nothing is left to do.
func addParts(t *table.Table, ctx *sql.Context, c *catalog.Change, a alteration) (job int64, err error) {
	w, before, documents, err := forParts(t, ctx, c)
	if err != nil || documents == 0 || !partsLater(t, before) {
		return 0, errors.Join(err, alterWithin(t, ctx, c, a))
	}
	if job, err = enqueueParts(w, before, documents, "the values of an index's parts"); err != nil {
		return 0, err
	}
	_, err = c.AlterTable(t.Def.Database, t.Def.Name, func(def *catalog.Table) error {
		if err := a.edit(def); err != nil {
			return err
		}
		def.Indexes[len(def.Indexes)-1].Building = job
		return nil
	})
	return job, err
}

// dropParts is alterWithin for a dropped index with hidden columns; edit removes the index.
func dropParts(t *table.Table, ctx *sql.Context, c *catalog.Change, hidden []string, edit func(*catalog.Table) error,
	a alteration) error {
	w, before, documents, err := forParts(t, ctx, c)
	if err != nil || documents == 0 || !partsLater(t, before) {
		return errors.Join(err, alterWithin(t, ctx, c, a))
	}
	if _, err = enqueueParts(w, before, documents, "the values of an index that is gone"); err != nil {
		return err
	}
	after, err := c.AlterTable(t.Def.Database, t.Def.Name, func(def *catalog.Table) error {
		endParts(def, hidden)
		return edit(def)
	})
	if err == nil {
		clearDropped(w, before, after)
		table.AfterCommit(ctx, func(ctx *sql.Context) error { return awaitParts(t, ctx) })
	}
	return err
}

// forParts returns the transaction, the table's definition and its number of documents before such a change.
func forParts(t *table.Table, ctx *sql.Context, c *catalog.Change) (w *tables.Tx, before *catalog.Table,
	documents int64,
	err error) {
	if w, err = session.WritesOf(ctx); err != nil {
		return nil, nil, 0, err
	}
	before, ok := c.View().Table(t.Def.Database, t.Def.Name)
	if !ok {
		return nil, nil, 0, fmt.Errorf("sqlbackend: %s: %w", t.Def, catalog.ErrNoTable)
	}
	opened, err := session.NewDefinition(t.Session.Backend.Catalog, before)
	if err != nil {
		return nil, nil, 0, err
	}
	documents, err = documentsIfAny(w, opened)
	return w, before, documents, err
}

// awaitParts waits a little until the values of dropped parts are gone.
func awaitParts(t *table.Table, ctx *sql.Context) error {
	_, err := await(t, ctx, func(def *catalog.Table) bool { return len(deadParts(def)) > 0 })
	return mysqlerr.Of(ctx, err)
}

// partsCheckpoint is the progress of such a job: the primary key to continue from, and the hidden columns whose
// values it removes.
type partsCheckpoint struct {
	From []byte   `json:"from"`
	Dead []string `json:"dead"`
}

// PartsStep is one step of such a job: some documents, in the order of their primary keys.
func PartsStep(b *session.Instance, ctx context.Context, tx *tables.Tx, job *jobs.Job) (done bool, err error) {
	def := job.Definition
	at := slices.IndexFunc(def.Indexes, func(x catalog.Index) bool { return x.Building == job.ID })
	place := partsCheckpoint{Dead: deadParts(def)}
	if len(job.Checkpoint) > 0 {
		place = partsCheckpoint{}
		if err := json.Unmarshal(job.Checkpoint, &place); err != nil {
			return false, fmt.Errorf("sqlbackend: checkpoint of a job: %w: %w", jobs.ErrPermanent, err)
		}
	}
	// Only columns that were dropped when the job began: earlier documents would keep the values of later ones.
	dead := slices.DeleteFunc(deadParts(def), func(name string) bool { return !slices.Contains(place.Dead, name) })
	if at < 0 && len(dead) == 0 {
		job.Progress.Message = "nothing is left to write"
		return true, nil
	}
	full, err := b.Definitions.Of(def)
	if err != nil {
		return false, err
	}
	change := func(d document.Document) (document.Document, error) { return table.Without(full, d, dead) }
	var failed error
	if at >= 0 {
		session := session.New(b, sql.NewBaseSession())
		defer session.SessionEnd()
		sqlCtx := sql.NewContext(ctx, sql.WithSession(session))
		found, ok, err := FindTable(sqlCtx, def.Database, def.Name)
		if err != nil {
			return false, err
		}
		t, isTable := found.(*table.Table)
		if !ok || !isTable || t.Def.ID != def.ID || len(t.Def.Columns) != len(def.Columns) {
			return false, fmt.Errorf("sqlbackend: %s has changed under a job", def) // the step runs again
		}
		change = func(d document.Document) (document.Document, error) {
			next, err := t.ComputeParts(sqlCtx, d)
			if err != nil {
				failed = err
			}
			return next, err
		}
	}
	next, n, err := changeParts(full, ctx, tx, place.From, job.Budget, change)
	if failed != nil {
		job.Failure = failedPart(ctx, failed, def, &def.Indexes[at])
		return true, removeBuilt(b, ctx, tx, job, &def.Indexes[at])
	}
	if err != nil {
		return false, err
	}
	job.Progress.Done += n
	job.Progress.Of = max(job.Progress.Of, job.Progress.Done)
	if next != nil {
		job.Checkpoint, err = json.Marshal(partsCheckpoint{next, place.Dead})
		return false, err
	}
	job.Progress.Of = job.Progress.Done
	if at < 0 {
		_, err := b.Catalog.AlterTableWithin(tx, def.Database, def.Name, func(t *catalog.Table) error {
			table.RemoveHidden(t, dead)
			return nil
		})
		return true, err
	}
	proof := int64(0)
	if def.Indexes[at].Unique {
		if proof, err = enqueueBuild(tx, def, def.Indexes[at].Name, job.Progress.Of); err != nil {
			return false, err
		}
	}
	return true, alterBuilt(b, tx, job, func(t *catalog.Table, i int) { t.Indexes[i].Building = proof })
}

// changeParts changes the documents from a primary key on, as many as one step may; next is where to continue.
func changeParts(d *session.Definition, ctx context.Context, tx *tables.Tx, from []byte, budget int64,
	change func(document.Document) (document.Document, error)) (next []byte, n int64, err error) {
	length := int64(0)
	err = d.Collection.DocumentsFrom(ctx, tx, from, func(pk []byte, doc indexes.Versioned) (bool, error) {
		if n >= upgradeDocuments || n > 0 && (length >= budget || tx.Size() >= upgradeSize) {
			next = bytes.Clone(pk)
			return false, nil
		}
		n++
		length += int64(doc.Len())
		return true, d.Collection.Update(ctx, tx, bytes.Clone(pk), change)
	})
	return next, n, err
}

// failedPart returns the error, with its number, for a document that has no value for an index's part.
func failedPart(ctx context.Context, err error, def *catalog.Table, idx *catalog.Index) string {
	number, state := uint16(mysql.ERUnknownError), "HY000"
	var known *mysql.SQLError
	if errors.As(mysqlerr.Of(sql.NewContext(ctx), err), &known) {
		number, state, err = uint16(known.Num), known.State, errors.New(known.Message)
	}
	return fmt.Sprintf("%d %s %s in key '%s.%s'", number, state, err, def.Name, idx.Name)
}

// failedBuild returns the error of a statement whose index was given up.
func failedBuild(failure string) error {
	var number int
	var state string
	if n, _ := fmt.Sscanf(failure, "%d %s", &number, &state); n == 2 {
		return mysql.NewSQLError(number, state, "%s", failure[len(fmt.Sprintf("%d %s ", number, state)):])
	}
	return sql.NewUniqueKeyErr(failure, false, nil)
}

package batch

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/dolthub/go-mysql-server/sql"
	"github.com/dolthub/go-mysql-server/sql/types"
	"github.com/dolthub/vitess/go/mysql"
	"github.com/google/uuid"

	"github.com/sqlfdb/sqlfdb/changes"
	"github.com/sqlfdb/sqlfdb/indexes"
	"github.com/sqlfdb/sqlfdb/jobs"
	"github.com/sqlfdb/sqlfdb/kv"
	"github.com/sqlfdb/sqlfdb/sqlbackend/functions"
	"github.com/sqlfdb/sqlfdb/sqlbackend/mysqlerr"
	"github.com/sqlfdb/sqlfdb/sqlbackend/session"
	"github.com/sqlfdb/sqlfdb/sqlbackend/setting"
	"github.com/sqlfdb/sqlfdb/sqlbackend/table"
	"github.com/sqlfdb/sqlfdb/tables"
)

// With sqlfdb_bulk_writes = 'batched' an autocommit statement that is too large for one
// transaction, or takes too long for one, is run as several. Each runs the statement
// as it is, but reads the driving table in the order of its primary keys, from behind the
// last key that the batch before came to, and stops when it has changed enough. The same
// transaction moves a marker, which says how far the statement has come: so each
// document is changed by one batch, whatever happens, and the same statement goes on from
// the marker when it is given again.
//
// A statement is first tried as a whole; only one that fails by its size or time is run so.

// What a batch changes at most. The commits of several clients share the disk, and one
// of half the limit is no slower by the document than one of all of it.
const (
	BulkBytes     = 4 << 20
	BulkDocuments = 10_000
	bulkTime      = 2 * time.Second
)

// markerFormat is the first version of marker.
const markerFormat = 1

// Marker is what a batch leaves behind for the next.
type Marker struct {
	Format    int    `json:"format"`
	Run       string `json:"run"` // who has written it
	Database  string `json:"database"`
	Statement string `json:"statement"` // its beginning
	// the primary key, in the driving table, of the last row that was met
	After   []byte     `json:"after"`
	Met     int64      `json:"met,omitempty"`    // the rows of VALUES, or of a query without tables, that were met
	Left    int64      `json:"left,omitempty"`   // of LIMIT
	Rank    *rankBound `json:"rank,omitempty"`   // of ORDER BY with LIMIT
	Offset  int64      `json:"offset,omitempty"` // how far the file of a LOAD DATA was read
	Sum     []byte     `json:"sum,omitempty"`    // SHA-256 of what was read
	Rows    int64      `json:"rows"`
	Batches int64      `json:"batches"`
	// what the subqueries have given that were evaluated before anything was planned
	Scalars [][]storedValue `json:"scalars,omitempty"`
	// the newest change when the statement began, where it reads what it writes
	Since string `json:"since,omitempty"`
	// the newest change when the run had ended by an error, where it reads what it writes
	Until string     `json:"until,omitempty"`
	Runs  []interval `json:"runs,omitempty"` // such changes while runs before it ran
	Begun time.Time  `json:"begun"`
	jobs.BatchMoved
}

// shownStatement is how much of a statement its marker holds.
const shownStatement = 1000

// Run is a statement that is run in batches.
type Run struct {
	Shape  table.BatchShape
	digest []byte
	At     Marker
	stored []byte // the marker as it is in the store; nil: none
	// earlier is where another run of the statement stood, which this one goes on from.
	earlier *Marker
	expired bool // earlier is too old for that

	// What the next batch may change.
	Bytes     int64
	Documents int64
	Time      time.Duration

	// The attempt that runs.
	Began   time.Time
	next    Marker
	raw     []byte // the same as it is stored; nil: no more
	Last    []byte
	Given   int64
	since   string             // the newest change
	driving *tables.Collection // the driving table, where the statement writes to it
	limit   int64              // how many rows LIMIT leaves, of which the attempt has met
	passed  int64
	// texts is where the rows of VALUES stand, from how many of them were left out before the ones that were parsed, and
	// more whether some were behind these; taken is how many the batch before has taken.
	texts *rowTexts
	Rows  int // of VALUES, until texts is known
	From  int64
	More  bool
	Taken int64
	held  *heldRows // of a query that reads no table; nil: not made yet
	// first is the first row of VALUES that gets a number of AUTO_INCREMENT; -1: none that was parsed.
	first int64

	scalars  int        // how many subqueries have had their values
	rank     *rankBound // where the rows end that ORDER BY and LIMIT take; nil: nowhere
	ties     int64      // how many rows like the last of them have been taken
	ranking  bool       // the attempt looks for it, and is not being driven
	windowed bool       // last is the end of the window of a join
	Stopped  bool       // before the end of the driving table
	// done: the last batch has been committed.
	done bool
	// rebuilt is the node of the attempt's plan that took the place of the engine's.
	rebuilt sql.Node

	warnings []*sql.Warning // of the batches before
	affected uint64         // as the results of the batches say
	insertID uint64
	info     string
}

// LookForMarker compares the marker of the running statement with what is known of it, once for
// each transaction. The commit conflicts with another run that moves it.
func LookForMarker(t *session.Transaction, def *session.Definition) error {
	s := t.Session
	if t.Target != nil || !s.Repeatable || !inBatches(s) {
		return nil
	}
	t.Target = def
	b := runOf(s)
	var digest []byte
	if b != nil {
		digest = b.digest
	} else if shape, why := Batchable(s); why != "" {
		return nil
	} else {
		digest = digestOf(s, shape)
	}
	t.WholeRows = batchRows(s)
	w, err := t.Begin()
	if err != nil {
		return err
	}
	raw, err := w.Get(def.Collection.Keys().Bulk(digest)).Get()
	switch {
	case err != nil:
		return err
	case b == nil && raw != nil:
		if s.ResumableAt, err = w.ReadVersion(); err != nil {
			return err
		}
		s.Resumable = bytes.Clone(raw)
		return session.ErrResume
	case b != nil && !bytes.Equal(raw, b.stored):
		b.stored, b.At.Batches = raw, 0 // it belongs to another run now
		return mysql.NewSQLError(mysqlerr.Unknown, "HY000",
			"Another connection has given the same statement, and goes on with it in batches from where this one has come")
	}
	return nil
}

// batchRows is how many rows a statement changes that is not committed in batches, and
// how many a batch changes.
func batchRows(s *session.Session) int64 {
	v, err := s.GetSessionVariable(nil, setting.BatchRows)
	if err != nil {
		return changes.MaxInTransaction
	}
	n, _, err := types.Int64.Convert(context.Background(), v)
	if rows, ok := n.(int64); ok && err == nil {
		return rows
	}
	return changes.MaxInTransaction
}

// Worthwhile reports whether the command that just failed is to run again in a
// batch, or in a smaller one, and prepares that.
func Worthwhile(s *session.Session) bool {
	if !s.Repeatable || s.Defined || s.GetTransaction() != nil || !s.Oversized && !s.Outlasted && s.Resumable == nil ||
		!inBatches(s) {
		return false
	}
	if b := runOf(s); b != nil {
		return b.shrink()
	}
	shape, why := Batchable(s)
	if why != "" {
		return false
	}
	now := time.Now().UTC()
	b := &Run{first: -1, Shape: shape, digest: digestOf(s, shape), Bytes: BulkBytes,
		Documents: min(BulkDocuments, batchRows(s)),
		Time:      bulkTime, stored: s.Resumable}
	if shape.By == table.ByTuples {
		b.Rows = rowsOf(s)
	}
	b.At = Marker{Format: markerFormat, Database: s.GetCurrentDatabase(),
		Statement: shape.Text[:min(len(shape.Text), shownStatement)], Begun: now}
	if s.Resumable != nil {
		var earlier Marker
		err := json.Unmarshal(s.Resumable, &earlier)
		if err != nil || earlier.Format != markerFormat {
			return false
		}
		b.earlier, b.expired = &earlier, earlier.Outlived(s.Backend.Store, now, s.ResumableAt)
		if !b.expired {
			b.At = earlier
		}
	}
	b.At.Run = uuid.NewString()
	s.Batch, s.Resumable = b, nil
	s.Backend.BeginRun(b.At.Run)
	return true
}

// runOf is the statement in batches that a session runs; nil: it runs none.
func runOf(s *session.Session) *Run {
	b, _ := s.Batch.(*Run)
	return b
}

// Ranks implements batchProgress.
func (b *Run) Ranks() bool { return b.ranking }

// Driven implements batchProgress.
func (b *Run) Driven() bool { return b.Shape.By == table.ByKeys && !b.Shape.Joined }

// shrink makes the next attempt smaller; false if it can't be.
func (b *Run) shrink() bool {
	if b.Documents == 1 {
		return false
	}
	b.Documents, b.Taken = max(1, min(b.Documents, b.Given)/4), 0
	b.Bytes, b.Time = max(1, b.Bytes/4), max(time.Millisecond, b.Time/4)
	return true
}

// Next reports whether the command that just succeeded was a batch that is followed by
// another one, and prepares that.
func Next(s *session.Session) bool {
	b := runOf(s)
	if b == nil || b.done {
		return false
	}
	for _, w := range s.BaseSession.Warnings() {
		if len(b.warnings) < session.KeptNotes && !(w.Code == mysql.ERBadFieldError && b.warned(w)) {
			b.warnings = append(b.warnings, w)
		}
	}
	b.Bytes, b.Documents, b.Time = min(2*b.Bytes, BulkBytes), min(2*b.Documents, BulkDocuments, batchRows(s)),
		min(2*b.Time, bulkTime)
	s.Work.Again = true // the figures are the statement's
	return true
}

// warned reports whether a batch before has given the same warning: what is said of the statement's text is said once.
func (b *Run) warned(w *sql.Warning) bool {
	return slices.ContainsFunc(b.warnings, func(v *sql.Warning) bool { return *v == *w })
}

// Retry makes the next attempt at a batch smaller after a conflict: it then
// meets fewer.
func Retry(s *session.Session) {
	if s.Batch != nil {
		_ = runOf(s).shrink()
	}
}

// A Result is what the result of a statement without rows says.
type Result struct {
	Affected, InsertID uint64
	Info               string
}

// Finish takes the result of a batch. final is false if it is not the last one;
// what is sent to the client for the last is about all.
func Finish(s *session.Session, r Result) (all Result, final bool) {
	r.Affected += uint64(s.Replaced)
	b := runOf(s)
	if b == nil {
		return r, true
	}
	b.affected += r.Affected
	if b.insertID == 0 {
		b.insertID = r.InsertID
	}
	b.info = addNumbers(b.info, r.Info)
	if !b.done {
		return r, false
	}
	rows := b.affected
	if b.earlier != nil && !b.expired {
		rows += uint64(b.earlier.Rows)
	}
	s.BaseSession.SetLastQueryInfoInt(sql.RowCount, int64(rows))
	return Result{Affected: rows, InsertID: b.insertID, Info: b.info}, true
}

// addNumbers adds up the numbers of two texts that differ in those alone.
func addNumbers(a, b string) string {
	if a == "" {
		return b
	}
	x, y := strings.Fields(a), strings.Fields(b)
	if len(x) != len(y) {
		return b
	}
	out := b
	var sum strings.Builder
	for i, word := range y {
		var m, n int64
		at := strings.Index(out, word)
		sum.WriteString(out[:at])
		out = out[at+len(word):]
		if _, err := fmt.Sscanf(x[i]+" "+word, "%d %d", &m, &n); err == nil {
			word = fmt.Sprint(m + n)
		}
		sum.WriteString(word)
	}
	return sum.String() + out
}

// End ends the statement, and adds to its error what earlier batches have done.
func End(s *session.Session, err error) error {
	err = endLoad(s, err)
	b := runOf(s)
	s.Parameters, s.Resumable = nil, nil
	if b == nil {
		return err
	}
	s.Batch = nil
	b.letGo(s)
	s.Backend.EndRun(b.At.Run)
	if err != nil {
		interrupted(s, b)
	}
	var e *mysql.SQLError
	if b.At.Batches == 0 || !errors.As(err, &e) {
		return err
	}
	return mysql.NewSQLError(
		e.Num, e.State, "%s; %s rows were changed in %s batches before that and stay so, and the same statement, "+
			"given again within 24 hours, goes on behind them",
		e.Message, session.Grouped(b.At.Rows), session.Grouped(b.At.Batches))
}

// Warn says that the statement was not atomic.
func Warn(s *session.Session) {
	b := runOf(s)
	if b == nil || !b.done || s.Conflict {
		return
	}
	last := s.BaseSession.Warnings()
	for i := len(b.warnings) - 1; i >= 0; i-- {
		if !slices.ContainsFunc(last, func(v *sql.Warning) bool {
			return v.Code == mysql.ERBadFieldError &&
				*v == *b.warnings[i]
		}) {
			s.Warn(b.warnings[i])
		}
	}
	switch {
	case b.earlier != nil && b.expired:
		functions.WarnSession(s, mysql.ERUnknownError,
			"An earlier run of this statement was interrupted on %s after %s rows; that is too long ago to go on "+
				"from there, and the statement began anew",
			b.earlier.Moved.Format(time.DateTime), session.Grouped(b.earlier.Rows))
	case b.earlier != nil:
		functions.WarnSession(s, mysql.ERUnknownError,
			"The statement went on from where an earlier run was interrupted on %s, behind the %s rows that this had "+
				"changed",
			b.earlier.Moved.Format(time.DateTime), session.Grouped(b.earlier.Rows))
	}
	if b.At.Batches > 1 {
		functions.WarnSession(s, mysql.ERUnknownError,
			"The statement was larger than a transaction, and was committed in %s batches: it was not atomic",
			session.Grouped(b.At.Batches))
	}
}

// Begin begins an attempt.
func (b *Run) Begin() {
	b.Began, b.Last, b.Given, b.Stopped, b.rebuilt = time.Now(), nil, 0, false, nil
	b.limit, b.passed = 0, 0
	if b.scalars = 0; b.At.Batches == 0 {
		b.At.Scalars = nil
	}
	b.rank, b.ties, b.windowed = b.At.Rank, 0, false
}

// Full reports whether the batch that runs in t has changed enough.
func (b *Run) Full(t *session.Transaction) bool {
	return b.Given > 0 && (t.Changed >= b.Documents || t.Writes.Size() >= b.Bytes || time.Since(b.Began) >= b.Time)
}

// Room is how many more documents, and bytes, a batch may change that runs in t: one at least.
func (b *Run) Room(t *session.Transaction) (documents, bytes int64) {
	return max(1, b.Documents-t.Changed), max(1, b.Bytes-t.Writes.Size())
}

// Mark writes into a transaction how far the statement comes with it.
func (b *Run) Mark(t *session.Transaction) error {
	key := t.Target.Collection.Keys().Bulk(b.digest)
	b.next, b.raw = b.At, nil
	b.next.Rows, b.next.Moved = b.At.Rows+t.Changed, time.Now().UTC()
	if t.Session.Backend.Store.VersionRate() > 0 {
		var err error
		if b.next.Version, err = t.Writes.ReadVersion(); err != nil {
			return err
		}
	}
	if b.Stopped || t.Changed > 0 {
		b.next.Batches++
	}
	if !b.Stopped {
		if b.stored != nil {
			t.Keys = t.Target.Collection.Keys()
			t.Writes.Clear(key)
		}
		return nil
	}
	var err error
	b.next.Left = b.limit - b.passed
	if b.rank != nil {
		b.next.Rank = &rankBound{Values: b.rank.Values, Ties: b.rank.Ties - b.ties}
	}
	switch b.Shape.By {
	case table.ByKeys:
		b.next.After = b.Last
		b.markSince()
	case table.ByTuples, table.ByRows:
		b.next.Met = b.At.Met + b.Given
	case table.ByFile:
		if b.next.Offset, b.next.Sum, err = t.Session.Load.Position(); err != nil {
			return err
		}
	}
	if b.raw, err = json.Marshal(b.next); err != nil {
		return fmt.Errorf("sqlbackend: marker of a batch: %w", err)
	}
	t.Keys = t.Target.Collection.Keys()
	t.Writes.Set(key, b.raw)
	return nil
}

// Committed takes the marker over that the transaction has written.
func (b *Run) Committed(load *session.LoadFile) {
	b.At, b.stored, b.done, b.Taken = b.next, b.raw, !b.Stopped, b.Given
	if b.held != nil {
		b.held.warnings = nil
	}
	if load != nil {
		load.Settle()
	}
}

// Drives implements driver.
func (b *Run) Drives(t *table.Table) bool {
	return !b.ranking && b.Shape.By == table.ByKeys && strings.EqualFold(t.Def.Database, b.Shape.Database) &&
		strings.EqualFold(t.Def.Name, b.Shape.Table) && (b.Shape.Called == "" || t.Place.Name == b.Shape.Called)
}

// DrivingRows implements driver: what is left of the table that drives the statement.
func (b *Run) DrivingRows(ctx *sql.Context, t *table.Table, spans indexes.Spans) (sql.RowIter, error) {
	if b.Shape.Joined {
		return windowRows(t, ctx, b, spans)
	}
	r, err := t.Reader(ctx)
	if err != nil {
		return nil, mysqlerr.Of(ctx, err)
	}
	tx, err := session.CurrentTransaction(ctx)
	if err != nil {
		return nil, mysqlerr.Of(ctx, err)
	}
	if err := b.noteSince(t, r); err != nil {
		return nil, mysqlerr.Of(ctx, err)
	}
	b.Began = time.Now() // a long list takes its time to be planned, in each batch
	docs := t.Def.Collection.Scan(r, spans, tables.ScanOptions{After: b.At.After})
	return &drivingIter{RowIter: table.RowIter{Table: t, At: t, Docs: docs}, batch: b, tx: tx, from: r}, nil
}

// drivingIter gives rows until the batch is full.
type drivingIter struct {
	table.RowIter
	batch *Run
	tx    *session.Transaction
	from  kv.Reader
}

// Next implements sql.RowIter. All rows that it has given are dealt with before the batch ends: what is between it and
// the editor keeps rows back, but lets go of none.
func (i *drivingIter) Next(ctx *sql.Context) (sql.Row, error) {
	for {
		if i.batch.Full(i.tx) {
			i.batch.Stopped = true
			return nil, io.EOF
		}
		row, err := i.RowIter.Next(ctx)
		if err != nil {
			return nil, err
		}
		i.batch.Given++
		i.batch.Last = append(i.batch.Last[:0], i.Docs.PK()...)
		newer, err := i.batch.newer(i.Table, i.from, i.Docs.PK())
		if err != nil {
			return nil, mysqlerr.Of(ctx, err)
		}
		if !newer {
			return row, nil
		}
	}
}

// TooLarge is the error of a transaction that is over its size, with what helps; nil if that
// is not what happened.
func TooLarge(s *session.Session, err error) error {
	if !errors.Is(err, kv.ErrTooLarge) && !errors.Is(err, changes.ErrTooManyChanges) {
		return nil
	}
	var bytes, rows int64
	if t, ok := s.GetTransaction().(*session.Transaction); ok && t.Writes != nil {
		bytes, rows = t.Writes.Size(), t.Changed
	}
	var size *kv.SizeError
	if errors.As(err, &size) {
		bytes = max(bytes, size.Size)
	}
	what := "statement"
	if !s.Repeatable {
		what = "transaction"
	}
	in := ""
	if rows > 0 { // a change of definitions counts none
		in = " in " + session.Grouped(rows) + " rows"
	}
	text := fmt.Sprintf("The %s is too large: %s bytes%s so far; a transaction takes at most %s bytes of keys "+
		"and values, and %s rows",
		what, session.Grouped(bytes), in, session.Grouped(kv.MaxTransactionSize), session.Grouped(changes.MaxInTransaction))
	shape, why := Batchable(s)
	switch {
	case !s.Repeatable:
		text += "; commit more often, or write less at a time"
	case why == "" && inBatches(s):
		text += "; a single row is too large"
		if shape.Joined {
			text += ", or joined with too many"
		}
	case why == "":
		text += "; SET " + setting.BulkWrites + " = 'batched' commits it in parts, WHERE or LIMIT make it smaller"
	default:
		text += "; write less at a time"
		if inBatches(s) {
			text += " (it can't be committed in batches: it has " + why + ")"
		}
	}
	return mysql.NewSQLError(mysqlerr.TransactionTooLarge, "HY000", "%s", text)
}

// inBatches reports whether a statement that is too large for a transaction is committed in batches: it was asked for,
// or the statement is a dump's.
func inBatches(s *session.Session) bool {
	return setting.OfSession(s, setting.BulkWrites) == "batched" || s.Restoring()
}

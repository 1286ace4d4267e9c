package sqlbackend

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
	"github.com/sqlfdb/sqlfdb/sqlbackend/setting"
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
	bulkBytes     = 4 << 20
	bulkDocuments = 10_000
	bulkTime      = 2 * time.Second
)

// markerFormat is the first version of marker.
const markerFormat = 1

// marker is what a batch leaves behind for the next.
type marker struct {
	Format    int    `json:"format"`
	Run       string `json:"run"` // who has written it
	Database  string `json:"database"`
	Statement string `json:"statement"` // its beginning
	// the primary key, in the driving table, of the last row that was met
	After   []byte     `json:"after"`
	Met     int64      `json:"met,omitempty"`    // the rows of VALUES that were met
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
	Moved time.Time  `json:"moved"`
}

// shownStatement is how much of a statement its marker holds.
const shownStatement = 1000

// batchRun is a statement that is run in batches.
type batchRun struct {
	shape  batchShape
	digest []byte
	at     marker
	stored []byte // the marker as it is in the store; nil: none
	// earlier is where another run of the statement stood, which this one goes on from.
	earlier *marker
	expired bool // earlier is too old for that

	// What the next batch may change.
	bytes     int64
	documents int64
	time      time.Duration

	// The attempt that runs.
	began    time.Time
	next     marker
	raw      []byte // the same as it is stored; nil: no more
	last     []byte
	given    int64
	since    string             // the newest change
	driving  *tables.Collection // the driving table, where the statement writes to it
	limit    int64              // how many rows LIMIT leaves, of which the attempt has met
	passed   int64
	scalars  int        // how many subqueries have had their values
	rank     *rankBound // where the rows end that ORDER BY and LIMIT take; nil: nowhere
	ties     int64      // how many rows like the last of them have been taken
	ranking  bool       // the attempt looks for it, and is not being driven
	windowed bool       // last is the end of the window of a join
	stopped  bool       // before the end of the driving table
	// done: the last batch has been committed.
	done bool
	// rebuilt is the node of the attempt's plan that took the place of the engine's.
	rebuilt sql.Node

	warnings []*sql.Warning // of the batches before
	affected uint64         // as the results of the batches say
	insertID uint64
	info     string
}

// errResume ends an attempt to run a statement as a whole whose earlier run has left
// a marker.
var errResume = errors.New("sqlbackend: an earlier run of the statement has not come to its end")

// lookForMarker compares the marker of the running statement with what is known of it, once for
// each transaction. The commit conflicts with another run that moves it.
func (t *Transaction) lookForMarker(def *definition) error {
	s := t.session
	if t.target != nil || !s.repeatable || !s.inBatches() {
		return nil
	}
	t.target = def
	shape, why := s.batchable()
	if why != "" {
		return nil
	}
	b := s.batch
	t.wholeRows = s.batchRows()
	digest := s.digestOf(shape)
	w, err := t.begin()
	if err != nil {
		return err
	}
	raw, err := w.Get(def.collection.Keys().Bulk(digest)).Get()
	switch {
	case err != nil:
		return err
	case b == nil && raw != nil:
		s.resumable = bytes.Clone(raw)
		return errResume
	case b != nil && !bytes.Equal(raw, b.stored):
		b.stored, b.at.Batches = raw, 0 // it belongs to another run now
		return mysql.NewSQLError(mysqlerr.Unknown, "HY000",
			"Another connection has given the same statement, and goes on with it in batches from where this one has come")
	}
	return nil
}

// batchRows is how many rows a statement changes that is not committed in batches, and
// how many a batch changes.
func (s *Session) batchRows() int64 {
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

// checkSize counts a row that has been written, and fails where the statement is to be
// committed in batches or has to be.
func (t *Transaction) checkSize() error {
	t.changed++
	if t.wholeRows > 0 && t.changed > t.wholeRows && t.session.batch == nil {
		return &kv.SizeError{Err: kv.ErrTooLarge, Size: t.writes.Size(), Limit: kv.MaxTransactionSize}
	}
	return t.writes.CheckSize()
}

// BatchWorthwhile reports whether the command that just failed is to run again in a
// batch, or in a smaller one, and prepares that.
func (s *Session) BatchWorthwhile() bool {
	if !s.repeatable || s.defined || s.GetTransaction() != nil || !s.oversized && !s.outlasted && s.resumable == nil ||
		!s.inBatches() {
		return false
	}
	if b := s.batch; b != nil {
		return b.shrink()
	}
	shape, why := s.batchable()
	if why != "" {
		return false
	}
	now := time.Now().UTC()
	b := &batchRun{shape: shape, digest: s.digestOf(shape), bytes: bulkBytes, documents: min(bulkDocuments, s.batchRows()),
		time: bulkTime, stored: s.resumable}
	b.at = marker{Format: markerFormat, Database: s.GetCurrentDatabase(),
		Statement: shape.text[:min(len(shape.text), shownStatement)], Begun: now}
	if s.resumable != nil {
		var earlier marker
		err := json.Unmarshal(s.resumable, &earlier)
		if err != nil || earlier.Format != markerFormat {
			return false
		}
		b.earlier, b.expired = &earlier, now.Sub(earlier.Moved) > jobs.BatchLife
		if !b.expired {
			b.at = earlier
		}
	}
	b.at.Run = uuid.NewString()
	s.batch, s.resumable = b, nil
	s.backend.setRunning(b.at.Run, true)
	return true
}

// shrink makes the next attempt smaller; false if it can't be.
func (b *batchRun) shrink() bool {
	if b.documents == 1 {
		return false
	}
	b.documents = max(1, min(b.documents, b.given)/4)
	b.bytes, b.time = max(1, b.bytes/4), max(time.Millisecond, b.time/4)
	return true
}

// NextBatch reports whether the command that just succeeded was a batch that is followed by
// another one, and prepares that.
func (s *Session) NextBatch() bool {
	b := s.batch
	if b == nil || b.done {
		return false
	}
	for _, w := range s.BaseSession.Warnings() {
		if len(b.warnings) < keptNotes && !(w.Code == mysql.ERBadFieldError && b.warned(w)) {
			b.warnings = append(b.warnings, w)
		}
	}
	b.bytes, b.documents, b.time = min(2*b.bytes, bulkBytes), min(2*b.documents, bulkDocuments, s.batchRows()),
		min(2*b.time, bulkTime)
	s.work.again = true // the figures are the statement's
	return true
}

// warned reports whether a batch before has given the same warning: what is said of the statement's text is said once.
func (b *batchRun) warned(w *sql.Warning) bool {
	return slices.ContainsFunc(b.warnings, func(v *sql.Warning) bool { return *v == *w })
}

// RetryBatch makes the next attempt at a batch smaller after a conflict: it then
// meets fewer.
func (s *Session) RetryBatch() {
	if s.batch != nil {
		_ = s.batch.shrink()
	}
}

// A BatchResult is what the result of a statement without rows says.
type BatchResult struct {
	Affected, InsertID uint64
	Info               string
}

// FinishBatch takes the result of a batch. final is false if it is not the last one;
// what is sent to the client for the last is about all.
func (s *Session) FinishBatch(r BatchResult) (all BatchResult, final bool) {
	r.Affected += uint64(s.replaced)
	b := s.batch
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
	return BatchResult{Affected: rows, InsertID: b.insertID, Info: b.info}, true
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

// EndBatches ends the statement, and adds to its error what earlier batches have done.
func (s *Session) EndBatches(err error) error {
	err = s.endLoad(err)
	b := s.batch
	s.parameters, s.resumable = nil, nil
	if b == nil {
		return err
	}
	s.batch = nil
	s.backend.setRunning(b.at.Run, false)
	if err != nil {
		s.interrupted(b)
	}
	var e *mysql.SQLError
	if b.at.Batches == 0 || !errors.As(err, &e) {
		return err
	}
	return mysql.NewSQLError(
		e.Num, e.State, "%s; %s rows were changed in %s batches before that and stay so, and the same statement, given again within 24 hours, goes on behind them",
		e.Message, grouped(b.at.Rows), grouped(b.at.Batches))
}

// warnOfBatches says that the statement was not atomic.
func (s *Session) warnOfBatches() {
	b := s.batch
	if b == nil || !b.done || s.conflict {
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
			"An earlier run of this statement was interrupted on %s after %s rows; that is too long ago to go on from there, and the statement began anew",
			b.earlier.Moved.Format(time.DateTime), grouped(b.earlier.Rows))
	case b.earlier != nil:
		functions.WarnSession(s, mysql.ERUnknownError,
			"The statement went on from where an earlier run was interrupted on %s, behind the %s rows that this had changed",
			b.earlier.Moved.Format(time.DateTime), grouped(b.earlier.Rows))
	}
	if b.at.Batches > 1 {
		functions.WarnSession(s, mysql.ERUnknownError,
			"The statement was larger than a transaction, and was committed in %s batches: it was not atomic",
			grouped(b.at.Batches))
	}
}

// beginBatch begins an attempt.
func (b *batchRun) beginBatch() {
	b.began, b.last, b.given, b.stopped, b.rebuilt = time.Now(), nil, 0, false, nil
	b.limit, b.passed = 0, 0
	if b.scalars = 0; b.at.Batches == 0 {
		b.at.Scalars = nil
	}
	b.rank, b.ties, b.windowed = b.at.Rank, 0, false
}

// full reports whether the batch that runs in t has changed enough.
func (b *batchRun) full(t *Transaction) bool {
	return b.given > 0 && (t.changed >= b.documents || t.writes.Size() >= b.bytes || time.Since(b.began) >= b.time)
}

// room is how many more documents, and bytes, a batch may change that runs in t: one at least.
func (b *batchRun) room(t *Transaction) (documents, bytes int64) {
	return max(1, b.documents-t.changed), max(1, b.bytes-t.writes.Size())
}

// mark writes into a transaction how far the statement comes with it.
func (b *batchRun) mark(t *Transaction) error {
	key := t.target.collection.Keys().Bulk(b.digest)
	b.next, b.raw = b.at, nil
	b.next.Rows, b.next.Moved = b.at.Rows+t.changed, time.Now().UTC()
	if b.stopped || t.changed > 0 {
		b.next.Batches++
	}
	if !b.stopped {
		if b.stored != nil {
			t.keys = t.target.collection.Keys()
			t.writes.Clear(key)
		}
		return nil
	}
	var err error
	b.next.Left = b.limit - b.passed
	if b.rank != nil {
		b.next.Rank = &rankBound{Values: b.rank.Values, Ties: b.rank.Ties - b.ties}
	}
	switch b.shape.by {
	case byKeys:
		b.next.After = b.last
		b.markSince()
	case byTuples:
		b.next.Met = b.at.Met + b.given
	case byFile:
		if b.next.Offset, b.next.Sum, err = t.session.load.position(); err != nil {
			return err
		}
	}
	if b.raw, err = json.Marshal(b.next); err != nil {
		return fmt.Errorf("sqlbackend: marker of a batch: %w", err)
	}
	t.keys = t.target.collection.Keys()
	t.writes.Set(key, b.raw)
	return nil
}

// committed takes the marker over that the transaction has written.
func (b *batchRun) committed(load *loadFile) {
	b.at, b.stored, b.done = b.next, b.raw, !b.stopped
	if load != nil {
		load.settle()
	}
}

// drives returns the statement in batches that the table drives, or nil.
func (t *Table) drives() *batchRun {
	b := t.session.batch
	if b == nil || b.ranking || b.shape.by != byKeys || !strings.EqualFold(t.def.Database, b.shape.database) ||
		!strings.EqualFold(t.def.Name, b.shape.table) ||
		b.shape.called != "" && t.place.Name != b.shape.called {
		return nil
	}
	return b
}

// UsesIndex reports whether statements are planned: not where sqlfdb_use_index is OFF,
// and not in batches that read in the order of the primary key and stop between two rows.
func (s *Session) UsesIndex(ctx *sql.Context) bool {
	return setting.On(ctx, setting.UseIndex) && (s.batch == nil || s.batch.shape.by != byKeys || s.batch.shape.joined)
}

// drivingRows reads what is left of the table that drives a statement in batches.
func (t *Table) drivingRows(ctx *sql.Context, b *batchRun, spans indexes.Spans) (sql.RowIter, error) {
	if b.shape.joined {
		return t.windowRows(ctx, b, spans)
	}
	r, err := t.reader(ctx)
	if err != nil {
		return nil, mysqlerr.Of(ctx, err)
	}
	tx, err := currentTransaction(ctx)
	if err != nil {
		return nil, mysqlerr.Of(ctx, err)
	}
	if err := b.noteSince(t, r); err != nil {
		return nil, mysqlerr.Of(ctx, err)
	}
	docs := t.def.collection.Scan(r, spans, tables.ScanOptions{After: b.at.After})
	return &drivingIter{rowIter: rowIter{table: t, at: t, docs: docs}, batch: b, tx: tx, from: r}, nil
}

// drivingIter gives rows until the batch is full.
type drivingIter struct {
	rowIter
	batch *batchRun
	tx    *Transaction
	from  kv.Reader
}

// Next implements sql.RowIter. All rows that it has given are dealt with before the batch ends: what is between it and
// the editor keeps rows back, but lets go of none.
func (i *drivingIter) Next(ctx *sql.Context) (sql.Row, error) {
	for {
		if i.batch.full(i.tx) {
			i.batch.stopped = true
			return nil, io.EOF
		}
		row, err := i.rowIter.Next(ctx)
		if err != nil {
			return nil, err
		}
		i.batch.given++
		i.batch.last = append(i.batch.last[:0], i.docs.PK()...)
		newer, err := i.batch.newer(i.table, i.from, i.docs.PK())
		if err != nil {
			return nil, mysqlerr.Of(ctx, err)
		}
		if !newer {
			return row, nil
		}
	}
}

// tooLarge is the error of a transaction that is over its size, with what helps; nil if that
// is not what happened.
func (s *Session) tooLarge(err error) error {
	if !errors.Is(err, kv.ErrTooLarge) && !errors.Is(err, changes.ErrTooManyChanges) {
		return nil
	}
	var bytes, rows int64
	if t, ok := s.GetTransaction().(*Transaction); ok && t.writes != nil {
		bytes, rows = t.writes.Size(), t.changed
	}
	var size *kv.SizeError
	if errors.As(err, &size) {
		bytes = max(bytes, size.Size)
	}
	what := "statement"
	if !s.repeatable {
		what = "transaction"
	}
	in := ""
	if rows > 0 { // a change of definitions counts none
		in = " in " + grouped(rows) + " rows"
	}
	text := fmt.Sprintf("The %s is too large: %s bytes%s so far; a transaction takes at most %s bytes of keys and values, and %s rows",
		what, grouped(bytes), in, grouped(kv.MaxTransactionSize), grouped(changes.MaxInTransaction))
	shape, why := s.batchable()
	switch {
	case !s.repeatable:
		text += "; commit more often, or write less at a time"
	case why == "" && s.inBatches():
		text += "; a single row is too large"
		if shape.joined {
			text += ", or joined with too many"
		}
	case why == "":
		text += "; SET " + setting.BulkWrites + " = 'batched' commits it in parts, WHERE or LIMIT make it smaller"
	default:
		text += "; write less at a time"
		if s.inBatches() {
			text += " (it can't be committed in batches: it has " + why + ")"
		}
	}
	return mysql.NewSQLError(mysqlerr.TransactionTooLarge, "HY000", "%s", text)
}

package session

import (
	"fmt"

	"github.com/sqlfdb/sqlfdb/catalog"
	"github.com/sqlfdb/sqlfdb/costing"
	"github.com/sqlfdb/sqlfdb/kv"
	"github.com/sqlfdb/sqlfdb/kv/ahead"
)

// Readers are the readers of a session's running command: in its transaction, or, if the engine has begun none, at a
// version of their own.
type Readers struct {
	session *Session
	// outside is for a command outside any transaction: PREPARE and COM_INIT_DB bind names without beginning one.
	outside *reading
	counts  *countsAt // read last by planning
}

// reading is the store's transaction of a command that has no transaction of SQL.
type reading struct {
	tx   kv.Transaction
	view *catalog.View
}

// Definitions returns the catalog as the running command sees it: in its transaction, or, if the engine has begun
// none, at a version of its own.
func (r *Readers) Definitions() (*catalog.View, error) {
	if t, ok := r.session.GetTransaction().(*Transaction); ok && !t.Ended {
		return t.definitions()
	}
	own, err := r.open()
	if err != nil {
		return nil, err
	}
	if own.view == nil {
		if own.view, err = r.session.Backend.Catalog.View(own.tx.Snapshot()); err != nil {
			return nil, err
		}
	}
	own.view = own.view.With(r.session.Own.Now)
	return own.view, nil
}

// Plan returns the reader for planning: everything the transaction sees so far, without conflicts. It is valid until
// the transaction's next write, and remembers counts, so that laying a table out and planning read them once.
func (r *Readers) Plan() (kv.Reader, error) {
	if t, ok := r.session.GetTransaction().(*Transaction); ok && !t.Ended {
		w, err := t.Begin()
		if err != nil {
			return nil, err
		}
		if w.Wrote() {
			return costing.Remember(w.Snapshot(), costing.NewKnown()), nil
		}
		known, err := r.Counts()
		if err != nil {
			return nil, err
		}
		// The store's own reader: later writes must not be remembered.
		return costing.Remember(t.Committed, known), nil
	}
	own, err := r.open()
	if err != nil {
		return nil, err
	}
	version, err := own.tx.ReadVersion()
	if err != nil {
		return nil, err
	}
	return costing.Remember(own.tx.Snapshot(), r.CountsAt(version)), nil
}

// Counts returns the known counts at the version that planning reads at. It is nil outside of a transaction, and if
// the transaction's own writes count as well.
func (r *Readers) Counts() (*costing.Known, error) {
	t, ok := r.session.GetTransaction().(*Transaction)
	if !ok || t.Ended {
		return nil, nil
	}
	w, err := t.Begin()
	if err != nil || w.Wrote() {
		return nil, err
	}
	version, err := w.ReadVersion()
	if err != nil {
		return nil, err
	}
	return r.CountsAt(version), nil
}

// CountsNow returns Counts, also where no transaction has begun.
func (r *Readers) CountsNow() (*costing.Known, error) {
	if t, ok := r.session.GetTransaction().(*Transaction); ok && !t.Ended {
		return r.Counts()
	}
	own, err := r.open()
	if err != nil {
		return nil, err
	}
	version, err := own.tx.ReadVersion()
	if err != nil {
		return nil, err
	}
	return r.CountsAt(version), nil
}

// Answer returns the reader for data that an answer depends on: a transaction that writes conflicts with changes of
// it.
func (r *Readers) Answer() (kv.Reader, error) {
	if t, ok := r.session.GetTransaction().(*Transaction); ok && !t.Ended {
		w, err := t.Begin()
		if err == nil && t.ReadsFreely() {
			return w.Snapshot(), nil
		}
		t.checked = true
		return w, err
	}
	return r.Plan()
}

// countsAt has the known counts at one version.
type countsAt struct {
	version int64
	known   *costing.Known
}

// CountsAt returns the counts that this session, or another one, has read at a version. Sessions share those of the
// newest version: while nobody writes, statements read no counts.
func (r *Readers) CountsAt(version int64) *costing.Known {
	if r.counts != nil && r.counts.version == version {
		return r.counts.known
	}
	newest := &r.session.Backend.counts
	for {
		at := newest.Load()
		if at != nil && at.version == version {
			r.counts = at
			return at.known
		}
		mine := &countsAt{version: version}
		if at != nil {
			mine.known = at.known.Next()
		} else {
			mine.known = costing.NewKnown()
		}
		if at != nil && at.version > version || newest.CompareAndSwap(at, mine) {
			r.counts = mine
			return mine.known
		}
	}
}

// Committed returns a reader of the committed data at the command's version, without conflicts and without the
// transaction's own writes.
func (r *Readers) Committed() (kv.Reader, error) {
	if t, ok := r.session.GetTransaction().(*Transaction); ok && !t.Ended {
		if _, err := t.Begin(); err != nil {
			return nil, err
		}
		return t.Committed, nil
	}
	own, err := r.open()
	if err != nil {
		return nil, err
	}
	return own.tx.Snapshot(), nil
}

func (r *Readers) open() (*reading, error) {
	if r.outside == nil {
		tx, err := r.session.Backend.Store.Begin(r.session.Backend.Ctx, kv.TransactionOptions{})
		if err != nil {
			return nil, fmt.Errorf("sqlbackend: begin to read: %w", err)
		}
		if opts := r.session.Backend.Ahead.Load(); opts != nil {
			tx = ahead.New(tx, *opts)
		}
		r.outside = &reading{tx: tx}
	}
	return r.outside, nil
}

// Close ends the reads of a command outside any transaction.
func (r *Readers) Close() {
	if r.outside != nil {
		r.outside.tx.Cancel()
		r.outside = nil
	}
}

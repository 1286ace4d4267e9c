package sqlbackend

import (
	"time"

	"github.com/dolthub/go-mysql-server/sql"

	"github.com/sqlfdb/sqlfdb/kv"
	"github.com/sqlfdb/sqlfdb/tables"
)

// figures are what a statement has cost.
type figures struct {
	tables.Work
	rows         int64 // sent to the client, or changed
	conflicts    int64
	retries      int64
	readVersions int64
	time         time.Duration
}

// workLog keeps the figures of a session's statements. They are noted where
// reads end, by what the reads themselves have counted.
type workLog struct {
	last    figures // of the statement before the running command
	running figures
	began   time.Time
	// executed is set once the command runs a statement: preparing one, or one
	// that can't be planned, leaves the figures as they are.
	executed bool
	told     bool // running is of a command that has ended
	scanned  bool // it has read a whole collection
	plan     sql.Node
	// again is set when the running command is another attempt at the one before.
	again   bool
	readsAt kv.Reader // what the last read version was seen through
	// places are the figures of the parts of a plan; nil where nobody wants them.
	places   map[any]*tables.Work
	analysis *analysis // of the EXPLAIN ANALYZE that runs
}

// noteWork adds to the figures of the running statement what a read has cost,
// and to those of the part of the plan that caused it: the *accessPath, or the
// node or table where there is none. Iterators call it once, when they close.
func (s *Session) noteWork(at any, w tables.Work) {
	s.work.running.Work = s.work.running.Plus(w)
	if s.work.places == nil || at == nil {
		return
	}
	if sum := s.work.places[at]; sum != nil {
		*sum = sum.Plus(w)
		return
	}
	s.work.places[at] = &w
}

// noteVersion counts the read versions of the running statement: one for each
// transaction of the store that it reads through.
func (s *Session) noteVersion(through kv.Reader) {
	if s.work.readsAt != through {
		s.work.readsAt = through
		s.work.running.readVersions++
	}
}

// NoteRows adds rows that the running statement has sent or changed.
func (s *Session) NoteRows(n int) { s.work.running.rows += int64(n) }

// beginWork begins a command's figures; those of another attempt go on.
func (s *Session) beginWork() {
	w := &s.work
	w.plan = nil
	w.executed, w.told, w.scanned, w.places, w.readsAt = false, false, false, nil, nil
	if w.again {
		w.again = false
		return
	}
	w.last, w.running, w.began = w.running, figures{}, time.Now()
}

// endWork ends them. A command that asks for figures, or runs nothing, leaves
// those of the statement before it.
func (s *Session) endWork() {
	w := &s.work
	w.places, w.readsAt = nil, nil
	if !w.executed || s.asksForFigures() {
		w.running = w.last
		return
	}
	w.running.time = time.Since(w.began)
	if s.conflict && !s.outlasted {
		w.running.conflicts++
	}
	w.told = true
	s.warnOfWaste()
	s.warnOfContinuing()
	s.warnOfBatches()
}

// repeatWork makes the next command another attempt at the one that has ended.
func (s *Session) repeatWork() {
	s.work.again = true
	s.work.running.retries++
}

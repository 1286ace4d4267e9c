package session

import (
	"context"
	"slices"
	"sync"
	"time"
)

// rowQueues make statements that write the same document follow one another, if each is a transaction of its own.
// They save attempts that would end with a conflict, and decide nothing: commits are checked anyway. A statement is
// in one queue at most, so there are no deadlocks.
type rowQueues struct {
	mu     sync.Mutex
	behind map[rowOf][]chan struct{} // waiting statements by the row that another writes now, in order
	waits  RowWaits
}

// rowOf is a document of a collection.
type rowOf struct {
	collection int64
	key        string
}

// RowWaits counts the waits of statements for others that write the same row.
type RowWaits struct {
	Times, Now int64
	All, Most  time.Duration
}

// RowWaits returns the waits of statements for rows so far.
func (b *Instance) RowWaits() RowWaits {
	b.rows.mu.Lock()
	defer b.rows.mu.Unlock()
	return b.rows.waits
}

// enter waits until nobody else writes a row. turn is false if that takes longer than patience.
func (q *rowQueues) enter(ctx context.Context, row rowOf, patience func() time.Duration) (waited, turn bool,
	err error) {
	q.mu.Lock()
	if _, taken := q.behind[row]; !taken {
		q.behind[row] = nil
		q.mu.Unlock()
		return false, true, nil
	}
	mine := make(chan struct{})
	q.behind[row] = append(q.behind[row], mine)
	q.waits.Times++
	q.waits.Now++
	q.mu.Unlock()

	began, timer := time.Now(), time.NewTimer(patience())
	defer timer.Stop()
	select {
	case <-mine:
		turn = true
	case <-ctx.Done():
		err = ctx.Err()
	case <-timer.C:
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	took := time.Since(began)
	q.waits.Now--
	q.waits.All, q.waits.Most = q.waits.All+took, max(q.waits.Most, took)
	if turn {
		return true, true, nil
	}
	if at := slices.Index(q.behind[row], mine); at >= 0 {
		q.behind[row] = slices.Delete(q.behind[row], at, at+1)
	} else { // its turn came in between
		q.next(row)
	}
	return true, false, err
}

// leave lets the next statement write a row.
func (q *rowQueues) leave(row rowOf) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.next(row)
}

// next lets the next waiting statement go on. The caller holds mu.
func (q *rowQueues) next(row rowOf) {
	waiting := q.behind[row]
	if len(waiting) == 0 {
		delete(q.behind, row)
		return
	}
	q.behind[row] = waiting[1:]
	close(waiting[0])
}

// RowTurn is the place of a session's running command in the queue of the first row that it writes.
type RowTurn struct {
	session *Session
	row     rowOf
	asked   bool // it enters no other queue
	has     bool // it is its turn
	waited  bool // the running attempt has waited, so its earlier reads are old
}

// Await is called before the running command writes a row. If the command is a transaction of its own, and this is
// the first row, it waits for other such commands that write the row, at most for innodb_lock_wait_timeout. The
// result waited reports that it has waited and that its turn has come. The turn ends with the commit, or with the
// command.
func (t *RowTurn) Await(ctx context.Context, collection int64, pk []byte) (waited bool, err error) {
	s := t.session
	if t.asked || !s.Completes || !s.Repeatable || s.Batch != nil {
		return false, nil
	}
	t.asked, t.row = true, rowOf{collection, string(pk)}
	waited, t.has, err = s.Backend.rows.enter(ctx, t.row, func() time.Duration {
		v, err := s.BaseSession.GetSessionVariable(nil, "innodb_lock_wait_timeout")
		seconds, ok := v.(int64)
		if err != nil || !ok {
			return 0
		}
		return time.Duration(seconds) * time.Second
	})
	return waited && t.has, err
}

// ReadTooEarly notes that the running attempt had read before it waited for its row.
func (t *RowTurn) ReadTooEarly() { t.waited = true }

// IsFree reports whether the attempt that has just ended did nothing but wait for its row.
func (t *RowTurn) IsFree(err error) bool { return t.waited && t.session.RetryWorthwhile(err) }

// Leave lets the next statement write the row. It is called after each command.
func (t *RowTurn) Leave() {
	if t.has {
		t.session.Backend.rows.leave(t.row)
	}
	*t = RowTurn{session: t.session}
}

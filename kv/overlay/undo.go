package overlay

import (
	"errors"
	"fmt"
	"strings"
)

// Errors of savepoints and brackets.
var (
	// ErrNoSavepoint: the transaction has no savepoint of that name.
	ErrNoSavepoint = errors.New("no such savepoint")
	// ErrNoMark: a rollback to a bracket that had been released. Its writes
	// could not be undone any more, so the commit fails.
	ErrNoMark = errors.New("rollback to a bracket that was released")
)

// undo is one thing to take back: the newest version of a node, or a clear.
type undo struct {
	node  *node
	clear *clearedRange
}

// Mark names an open bracket. The zero Mark names none.
type Mark struct{ number uint64 }

// mark is an open bracket: where the undo log stood.
type mark struct {
	number uint64
	at     int
}

type savepoint struct {
	mark
	name string
}

// Begin opens a bracket around the writes that follow. Brackets nest.
func (t *Tx) Begin() Mark {
	m := t.mark()
	t.marks = append(t.marks, m)
	return Mark{m.number}
}

func (t *Tx) mark() mark {
	t.now()
	t.marked++
	return mark{number: t.marked, at: len(t.undo)}
}

// Release closes a bracket and the brackets within it, and keeps the writes. Releasing a
// closed bracket does nothing.
func (t *Tx) Release(m Mark) {
	for i := range t.marks {
		if t.marks[i].number == m.number {
			t.marks = t.marks[:i]
			break
		}
	}
	t.forget()
}

// RollbackTo undoes everything written since the bracket was opened, also in
// brackets released within it, and drops the savepoints made since. The
// bracket itself stays open. Iterators opened since must not be used any more.
func (t *Tx) RollbackTo(m Mark) {
	for i := range t.marks {
		if t.marks[i].number == m.number {
			t.marks = t.marks[:i+1]
			t.rollback(t.marks[i])
			return
		}
	}
	if !t.done {
		t.fail(ErrNoMark)
	}
}

// rollback undoes everything since at and drops the savepoints made since. Brackets opened
// since then stay open with nothing to undo: they may belong to the very statement that
// rolls back to a savepoint.
func (t *Tx) rollback(to mark) {
	for i := len(t.undo) - 1; i >= to.at; i-- {
		if c := t.undo[i].clear; c != nil {
			t.dropClear(c)
			continue
		}
		n := t.undo[i].node
		t.size -= t.cost(n.key, n.last)
		n.last = n.last.prev
		if n.last != nil {
			t.size += t.cost(n.key, n.last)
		} else {
			t.effect--
		}
	}
	t.undo = t.undo[:min(len(t.undo), to.at)]
	for i := range t.marks {
		t.marks[i].at = min(t.marks[i].at, to.at)
	}
	for n := len(t.savepoints); n > 0 && t.savepoints[n-1].number > to.number; n-- {
		t.savepoints = t.savepoints[:n-1]
	}
}

// forget drops the undo log when nobody can ask for it.
func (t *Tx) forget() {
	if len(t.marks)+len(t.savepoints) == 0 {
		clear(t.undo)
		t.undo = t.undo[:0]
	}
}

// Savepoint sets a savepoint, in place of one of the same name. Names compare
// without regard to case, as in MySQL.
func (t *Tx) Savepoint(name string) {
	if i := t.savepoint(name); i >= 0 {
		t.savepoints = append(t.savepoints[:i], t.savepoints[i+1:]...)
	}
	t.savepoints = append(t.savepoints, savepoint{t.mark(), name})
}

// Savepoints are the names of the savepoints that are there, the first one first.
func (t *Tx) Savepoints() []string {
	names := make([]string, len(t.savepoints))
	for i := range t.savepoints {
		names[i] = t.savepoints[i].name
	}
	return names
}

func (t *Tx) savepoint(name string) int {
	for i := range t.savepoints {
		if strings.EqualFold(t.savepoints[i].name, name) {
			return i
		}
	}
	return -1
}

// RollbackToSavepoint undoes all writes since the savepoint, which stays; later savepoints
// are dropped. It fails with ErrNoSavepoint.
func (t *Tx) RollbackToSavepoint(name string) error {
	i := t.savepoint(name)
	if i < 0 {
		return fmt.Errorf("overlay: roll back to savepoint %s: %w", name, ErrNoSavepoint)
	}
	t.rollback(t.savepoints[i].mark)
	return nil
}

// ReleaseSavepoint drops the savepoint and, as MySQL does, later ones. It fails with
// ErrNoSavepoint.
func (t *Tx) ReleaseSavepoint(name string) error {
	i := t.savepoint(name)
	if i < 0 {
		return fmt.Errorf("overlay: release savepoint %s: %w", name, ErrNoSavepoint)
	}
	t.savepoints = t.savepoints[:i]
	t.forget()
	return nil
}

// Fence begins a statement: the Statement readers made from now on see the present state,
// without the writes from now on. Restore puts the former fence back, for a statement that
// runs within another one.
func (t *Tx) Fence() (restore func()) {
	former := t.fence
	t.fence = t.now()
	return func() { t.fence = former }
}

package faultkv

import (
	"fmt"

	"github.com/sqlfdb/sqlfdb/kv"
)

// Fault is a fault that an operation meets.
type Fault int

const (
	// None: the operation goes through.
	None Fault = iota
	// Conflict: a commit that writes fails with kv.ErrConflict.
	Conflict
	// TooOld: the operation fails with kv.ErrTooOld, and so does everything
	// that follows in its transaction.
	TooOld
	// Unavailable: the operation fails with kv.ErrUnavailable, and so does
	// everything that follows in its transaction.
	Unavailable
	// Committed: a commit happens and fails with kv.ErrUnknownCommit.
	Committed
	// Lost: a commit does not happen and fails with kv.ErrUnknownCommit.
	Lost
	// Before: a commit fails with kv.ErrUnknownCommit and happens just before
	// the next commit does.
	Before
	// After: a commit fails with kv.ErrUnknownCommit and is tried just after the
	// next commit, if that happened.
	After
)

var faultNames = [...]string{"none", "conflict", "too old", "unavailable", "unknown, committed", "unknown, lost",
	"unknown, commits before the next", "unknown, tried after the next"}

// String names the fault.
func (f Fault) String() string { return faultNames[f] }

// Faults are all faults but None.
func Faults() []Fault {
	return []Fault{Conflict, TooOld, Unavailable, Committed, Lost, Before, After}
}

// OfCommits reports whether only commits that write meet the fault.
func (f Fault) OfCommits() bool { return f != TooOld && f != Unavailable && f != None }

// Op is a kind of operation.
type Op int

const (
	// Begin is a transaction's beginning.
	Begin Op = iota
	// Get is the read of one key.
	Get
	// Range is one step of a range read.
	Range
	// Estimate is an estimate of a range's size.
	Estimate
	// Commit is a commit that writes.
	Commit
)

// Call is one operation.
type Call struct {
	Number int64 // from 1 on, over all transactions of the store
	Op     Op
}

// error is the error of an operation that meets a fault; nil if the fault is none of the
// operation's.
func (f Fault) error(op Op) error {
	switch f {
	case None:
		return nil
	case TooOld:
		if op == Begin {
			return nil
		}
		return injected(kv.ErrTooOld)
	case Unavailable:
		return injected(kv.ErrUnavailable)
	case Conflict:
		if op == Commit {
			return injected(kv.ErrConflict)
		}
	default:
		if op == Commit {
			return injected(kv.ErrUnknownCommit)
		}
	}
	return nil
}

func injected(err error) error { return fmt.Errorf("faultkv: injected: %w", err) }

package kv

import (
	"errors"
	"fmt"
	"time"
)

// Errors of stores and transactions. Engines wrap them with the operation that failed;
// callers test with errors.Is.
var (
	// ErrConflict: another transaction committed a write to keys that this one read. Nothing
	// was written; the transaction may run again.
	ErrConflict = errors.New("conflict with a concurrent transaction")
	// ErrTooOld: the read version is no longer available, because the
	// transaction outlived its life or the store's conflict window. Nothing
	// was written; the transaction may run again.
	ErrTooOld = errors.New("transaction is too old to read or commit")
	// ErrUnknownCommit: the commit may have happened or not.
	ErrUnknownCommit = errors.New("outcome of the commit is unknown")
	// ErrUnavailable: the store can't be reached for now. Nothing was written.
	ErrUnavailable = errors.New("store is unavailable")
	// ErrTooLarge: the writes exceed MaxTransactionSize.
	ErrTooLarge = errors.New("transaction exceeds its size limit")
	// ErrKeyTooLarge: a key exceeds MaxKeySize.
	ErrKeyTooLarge = errors.New("key exceeds its size limit")
	// ErrValueTooLarge: a value exceeds MaxValueSize.
	ErrValueTooLarge = errors.New("value exceeds its size limit")
	// ErrUnreadable: the key carries a versionstamp that is only known at commit.
	ErrUnreadable = errors.New("key has a pending versionstamp")
	// ErrDone: the transaction has been committed or cancelled.
	ErrDone = errors.New("transaction has ended")
	// ErrClosed: the store has been closed.
	ErrClosed = errors.New("store is closed")
	// ErrLocked: another process has the store open.
	ErrLocked = errors.New("store is in use by another process")
	// ErrFailed: the store has met an error of its disk and takes no more writes
	// until it is opened again. Nothing was written.
	ErrFailed = errors.New("store has failed and takes no more writes")
	// ErrFull: the store's disk has less room than is to be kept free. Nothing was written.
	ErrFull = errors.New("the store's disk is nearly full")
	// ErrNoRoom: the writes would exceed the size of the whole store. Nothing was written.
	ErrNoRoom = errors.New("the store is full")
	// ErrReadOnly: the store was opened for reading only. Nothing was written.
	ErrReadOnly = errors.New("store is open for reading only")
	// ErrIncomplete: the place to be opened has only a part of a store.
	ErrIncomplete = errors.New("the store is not whole")
	// ErrDamaged: bytes of the store differ from the written ones. The rest can be read.
	ErrDamaged = errors.New("the store is damaged")
	// ErrBadOffset: a versionstamp does not fit at its offset.
	ErrBadOffset = errors.New("versionstamp is outside the key or value")
	// ErrReservedKey: a key at or above MaxKey, or an inverted range.
	ErrReservedKey = errors.New("key is outside the key space")
)

// SizeError has the size that exceeds a limit. It unwraps to ErrTooLarge, ErrKeyTooLarge or
// ErrValueTooLarge.
type SizeError struct {
	Err         error
	Size, Limit int64 // bytes
}

func (e *SizeError) Error() string {
	return fmt.Sprintf("%v: %d bytes, the limit is %d", e.Err, e.Size, e.Limit)
}

func (e *SizeError) Unwrap() error { return e.Err }

// LifeError says that a transaction was used for longer than the store lets it live. It
// unwraps to ErrTooOld. Running the same again takes as long again.
type LifeError struct {
	Limit time.Duration
}

func (e *LifeError) Error() string {
	return fmt.Sprintf("%v: it has outlived the %v that a read version lives", ErrTooOld, e.Limit)
}

func (e *LifeError) Unwrap() error { return ErrTooOld }

// Retryable reports whether the transaction that met err certainly wrote
// nothing and may succeed when it runs again from the start.
func Retryable(err error) bool {
	return errors.Is(err, ErrConflict) || errors.Is(err, ErrTooOld) || errors.Is(err, ErrUnavailable)
}

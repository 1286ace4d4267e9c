// Package kv is the contract of the ordered, transactional key-value store that everything
// above is written on. It has FoundationDB's semantics as Go interfaces, its limits, its
// errors and the one retry loop.
//
// It stores nothing itself and knows no engine. The contract is executable:
// kv/kvtest is the suite that every engine runs.
package kv

import "context"

// Limits of keys, values and transactions, in bytes. They are FoundationDB's,
// and every engine enforces them.
const (
	MaxKeySize         = 10_000
	MaxValueSize       = 100_000
	MaxTransactionSize = 10_000_000
)

// VersionstampSize is the length in bytes of the part of a versionstamp that the store
// fills in at commit. It is an 8-byte commit version and a 2-byte order within that
// version, both big-endian.
const VersionstampSize = 10

// MaxKey is the end of the key space: every key is below it.
var MaxKey = []byte{0xff}

// KeyValue is one pair. Its slices belong to the receiver.
type KeyValue struct {
	Key, Value []byte
}

// Range is the half-open interval [Start, End) of keys in byte order.
type Range struct {
	Start, End []byte
}

// PrefixRange returns the range of all keys that begin with prefix.
func PrefixRange(prefix []byte) Range {
	return Range{Start: prefix, End: PrefixEnd(prefix)}
}

// PrefixEnd returns the first key after every key that begins with prefix, or
// MaxKey when there is none. The result shares no memory with prefix.
func PrefixEnd(prefix []byte) []byte {
	for i := len(prefix) - 1; i >= 0; i-- {
		if prefix[i] != 0xff {
			end := append([]byte(nil), prefix[:i+1]...)
			end[i]++
			return end
		}
	}
	return MaxKey
}

// PointRange returns the range that holds key alone.
func PointRange(key []byte) Range {
	end := make([]byte, len(key)+1)
	copy(end, key)
	return Range{Start: end[:len(key)], End: end}
}

// Store is an open database. It is safe for concurrent use.
type Store interface {
	// Begin starts a transaction. The context bounds its whole life: when it
	// ends, operations of the transaction fail with its error.
	Begin(ctx context.Context, opts TransactionOptions) (Transaction, error)
	// ReadsWait reports whether a read waits for an answer from elsewhere, so that reads that are under way
	// at once take less time than one after the other. If not, a read takes its time where it begins.
	ReadsWait() bool
	// EstimateGrain is the step in bytes of EstimateSize's estimates. With a sample it is about as many bytes as one
	// sampled key stands for. A range of fewer bytes is estimated at none, or at that many. 0: estimates are as good for
	// small ranges as for large ones.
	EstimateGrain() int64
	// VersionRate is how many versions pass in a second, whether or not anybody writes: so versions are a clock that all
	// users of the store share. 0: versions do not follow the time, and one machine has the store to itself.
	VersionRate() int64
	// Format is the least format number that a program must know to read this store: the store may keep keys in a way of
	// its own. 0: any.
	Format() uint64
	// Figures are the store's figures about itself. It may be closing, or be closed.
	Figures() []Figure
	// Close waits for commits under way and releases the store. Transactions
	// still open fail with ErrClosed afterwards.
	Close() error
}

// TransactionOptions are the settings of one transaction; the zero value is
// the usual choice.
type TransactionOptions struct {
	// NoReadYourWrites lets the transaction's reads miss its own writes, for
	// callers that merge them in themselves (kv/overlay).
	NoReadYourWrites bool
	// Hold asks for a read version that stays readable for as long as the transaction is open.
	// A store that can't hold one ends the transaction when its life is over, with a
	// LifeError. A later commit of writes fails on every store.
	Hold bool
}

// Streaming is how many keys of a range the caller expects to read.
type Streaming int

const (
	// StreamIterate fetches a little first and more as the caller goes on.
	StreamIterate Streaming = iota
	// StreamAll fetches in the largest batches: the caller reads to the end.
	StreamAll
	// StreamSmall fetches a few keys at a time: the caller stops early.
	StreamSmall
)

// RangeOptions are the settings of one range read.
type RangeOptions struct {
	Limit     int  // at most this many pairs; 0 means no limit
	Reverse   bool // from the end of the range downwards
	Streaming Streaming
}

// FutureValue is the pending result of a Get.
type FutureValue interface {
	// Get waits for the value: nil when the key is absent, non-nil (perhaps
	// empty) when it is there. The caller must not change the slice.
	Get() ([]byte, error)
}

// FutureInt64 is a pending number.
type FutureInt64 interface {
	Get() (int64, error)
}

// Iterator walks a range. Reading begins when it is made, not at the first
// Next. It must be closed; it is not safe for concurrent use.
type Iterator interface {
	// Next moves to the next pair and reports whether there is one. After
	// false, Err distinguishes an end from a failure.
	Next() bool
	// Key and Value are the current pair. The slices are valid, and must not
	// be changed, until the next call of Next or Close.
	Key() []byte
	Value() []byte
	Err() error
	Close()
}

// Reader reads a store at one version.
type Reader interface {
	Get(key []byte) FutureValue
	Range(r Range, opts RangeOptions) Iterator
	// EstimateSize estimates the bytes of keys and values in the range,
	// without reading it and without a conflict range.
	EstimateSize(r Range) FutureInt64
}

// Writer writes to a store. Writes are buffered until commit; a key or a value over its
// limit makes the commit fail with ErrKeyTooLarge or ErrValueTooLarge. The slices may be
// reused after the call returns.
type Writer interface {
	Set(key, value []byte)
	Clear(key []byte)
	ClearRange(r Range)
	// Add adds the operand, a little-endian two's complement integer of any
	// length, to the value, which is cut or zero-extended to that length; an
	// absent value counts as zero. It reads nothing and conflicts with no other Add.
	Add(key, operand []byte)
	// SetVersionstampedKey sets a key whose VersionstampSize bytes from
	// offset are replaced with the commit's versionstamp.
	SetVersionstampedKey(key []byte, offset int, value []byte)
	// SetVersionstampedValue does the same within the value.
	SetVersionstampedValue(key, value []byte, offset int)
}

// Transaction reads at one version and commits all its writes or none.
//
// Reads through the transaction itself add conflict ranges: the commit fails with ErrConflict when another
// transaction has committed a write to one of them after the read version. Range reads conflict on what they have
// covered, gaps included, up to where the iterator got. A transaction that has read very many keys may conflict on
// keys between them too (JoinReads). Reads through Snapshot add none.
//
// A transaction may be read from several goroutines at once; its writes, its
// Commit and its Cancel may not run concurrently with anything else. Reading a key
// that carries a pending versionstamp fails with ErrUnreadable, unless
// NoReadYourWrites is set.
type Transaction interface {
	Reader
	Writer
	// Snapshot returns a view of the same version, with the same own writes,
	// whose reads cause no conflicts.
	Snapshot() Reader
	// ReadVersion is the version that all reads see.
	ReadVersion() (int64, error)
	AddReadConflict(r Range)
	AddWriteConflict(r Range)
	// Watch reports when the value of key becomes other than this transaction sees. It begins
	// once the transaction has committed, or at once if it only reads and is committed or
	// cancelled later.
	Watch(key []byte) (Watch, error)
	// Size is the approximate size in bytes of the transaction as the limit
	// MaxTransactionSize counts it: keys and values written, and the keys of
	// conflict ranges.
	Size() int64
	// Overhead is what Size counts for each write beside its keys and its value, in bytes.
	Overhead() int64
	// Commit makes the writes durable and visible, all at one version. A transaction that wrote nothing commits without
	// any check. The transaction is over afterwards, also after an error.
	Commit() error
	// Versionstamp is the stamp of a successful commit that wrote something.
	Versionstamp() ([VersionstampSize]byte, error)
	// Cancel ends the transaction; calling it after Commit does nothing.
	Cancel()
}

// Recalling is a transaction of a store that remembers the latest writes.
type Recalling interface {
	// Unwritten reports that nobody has written a key behind a version, up to the one that the transaction reads at. It
	// is false where that is not known.
	Unwritten(key []byte, since int64) bool
}

// Unwritten is Recalling.Unwritten of a transaction; it is false for one that remembers no writes.
func Unwritten(tx any, key []byte, since int64) bool {
	r, ok := tx.(Recalling)
	return ok && r.Unwritten(key, since)
}

// Expecting is a transaction that makes room for writes that are announced.
type Expecting interface {
	// Expect announces so many writes, with keys and values of so many bytes together.
	Expect(writes, keyBytes, valueBytes int)
}

// Expect announces writes to a transaction, as Expecting has it; others need not know.
func Expect(tx any, writes, keyBytes, valueBytes int) {
	if e, ok := tx.(Expecting); ok {
		e.Expect(writes, keyBytes, valueBytes)
	}
}

// Watch waits for a key to change.
type Watch interface {
	// Wait returns nil when the key has changed (or may have), or the error of the
	// context or the store.
	Wait(ctx context.Context) error
	Cancel()
}

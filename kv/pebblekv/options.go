package pebblekv

import (
	"fmt"
	"log/slog"
	"time"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/bloom"
	"github.com/cockroachdb/pebble/v2/vfs"
)

// Options are the settings of a store; zero fields take the defaults.
type Options struct {
	// TransactionLife is how long a transaction can be used; 60 s by default.
	TransactionLife time.Duration
	// ConflictWindowBytes bounds the memory of recent commits' writes, 48 MiB by default. Over
	// it, the oldest versions are forgotten, and writing transactions that read at them fail
	// with kv.ErrTooOld.
	ConflictWindowBytes int64
	// BlockCacheBytes is the size of the cache of disk blocks, 128 MiB by default.
	BlockCacheBytes int64
	// MemTableBytes is the size of one memtable, 32 MiB by default; up to four exist.
	MemTableBytes int64
	// MustExist makes Open fail where no store is, instead of making one.
	MustExist bool
	// ReadOnly opens a store that is there and writes nothing, not even to its folder: commits of
	// writes fail with kv.ErrReadOnly.
	ReadOnly bool
	// AcceptLoss opens a store whose logs lack commits that were acknowledged, as long as
	// Pebble can open it, and names the missing commits in the log.
	AcceptLoss bool
	// ReserveBytes is how many bytes of the disk stay free: with less, commits of writes fail
	// with kv.ErrFull. By default 512 MiB, but no more than a tenth of the disk. Less than 0:
	// none.
	ReserveBytes int64
	// FS is the file system, the machine's by default. For tests.
	FS vfs.FS
	// Logger receives failures and, at debug level, the engine's own news;
	// discarded by default.
	Logger *slog.Logger

	foldAfter int // commits whose sums are in the journal only
}

func (o Options) withDefaults() Options {
	if o.TransactionLife <= 0 {
		o.TransactionLife = 60 * time.Second
	}
	if o.ConflictWindowBytes <= 0 {
		o.ConflictWindowBytes = 48 << 20
	}
	if o.BlockCacheBytes <= 0 {
		o.BlockCacheBytes = 128 << 20
	}
	if o.MemTableBytes <= 0 {
		o.MemTableBytes = 32 << 20
	}
	if o.FS == nil {
		o.FS = vfs.Default
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	if o.foldAfter <= 0 {
		o.foldAfter = defaultFoldAfter
	}
	return o
}

// pebble returns Pebble's options: for two cores and a server of a few hundred
// mebibytes.
func (o Options) pebble(s *store) *pebble.Options {
	p := &pebble.Options{
		FS:                          failStopFS{o.FS, s},
		CacheSize:                   o.BlockCacheBytes,
		MemTableSize:                uint64(o.MemTableBytes),
		MemTableStopWritesThreshold: 4,
		// A load writes every key once to L0: let a few files gather before
		// they are compacted, and stall only when reads would suffer.
		L0CompactionThreshold:     4,
		L0CompactionFileThreshold: 200,
		L0StopWritesThreshold:     40,
		LBaseMaxBytes:             64 << 20,
		MaxOpenFiles:              1000,
		BytesPerSync:              1 << 20,
		FormatMajorVersion:        pebble.FormatNewest,
		ErrorIfNotExists:          !s.making,
		ReadOnly:                  o.ReadOnly,
		CompactionConcurrencyRange: func() (int, int) {
			return 1, 2
		},
		Logger: &engineLogger{s},
		EventListener: &pebble.EventListener{
			BackgroundError: s.backgroundError,
			FlushBegin: func(pebble.FlushInfo) {
				s.work.begin()
				s.unflushed.flushBegin()
			},
			FlushEnd: func(info pebble.FlushInfo) {
				s.unflushed.flushEnd(info)
				s.work.end()
			},
			CompactionBegin: func(pebble.CompactionInfo) { s.work.begin() },
			CompactionEnd:   func(pebble.CompactionInfo) { s.work.end() },
			WriteStallBegin: s.watched.stallBegin,
			WriteStallEnd:   s.watched.stallEnd,
			WALCreated:      func(pebble.WALCreateInfo) { s.work.changes.Add(1) },
			DataCorruption: func(info pebble.DataCorruptionInfo) {
				o.Logger.Error("pebblekv: corrupt data", "info", fmt.Sprint(info))
			},
		},
	}
	p.TargetFileSizes[0] = 4 << 20
	for i := range p.Levels {
		l := &p.Levels[i]
		// Documents are fetched one here, one there: a block is read and unpacked for each. In a
		// store of 1,000,000 documents, 1,000 of them took 4.1 times as long as in one of 10,000
		// with blocks of 16 KiB, and take 2.7 times. Files and imports stay as they were.
		l.BlockSize = 4 << 10
		l.IndexBlockSize = 32 << 10
		l.FilterType = pebble.TableFilter
		if i < len(p.Levels)-1 {
			// The last level holds nearly all keys, and a get that comes that
			// far nearly always finds its key.
			l.FilterPolicy = bloom.FilterPolicy(10)
		}
	}
	// Zstandard in the last levels saves an eighth of the disk, and unpacking a block of it takes
	// as long as all else that a get costs.
	p.ApplyCompressionSettings(func() pebble.DBCompressionSettings {
		return pebble.DBCompressionFastest
	})
	return p
}

// engineLogger takes Pebble's log. Pebble calls Fatalf where it can't go on
// and expects not to return.
type engineLogger struct{ s *store }

func (l *engineLogger) Infof(format string, args ...any) {
	l.s.opts.Logger.Debug("pebblekv: " + fmt.Sprintf(format, args...))
}

func (l *engineLogger) Errorf(format string, args ...any) {
	l.s.opts.Logger.Error("pebblekv: " + fmt.Sprintf(format, args...))
}

func (l *engineLogger) Fatalf(format string, args ...any) {
	var cause error
	for _, a := range args {
		if err, ok := a.(error); ok {
			cause = err
		}
	}
	l.s.stopped(engineError{fmt.Sprintf(format, args...), cause})
	// The goroutine may hold Pebble's locks over a half-done change. It must not go on; the
	// store no longer calls functions that need these locks.
	select {}
}

// engineError is Pebble's text of an error after which it can't go on.
type engineError struct {
	text  string
	cause error
}

func (e engineError) Error() string { return e.text }

func (e engineError) Unwrap() error { return e.cause }

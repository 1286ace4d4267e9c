//go:build fdb

package fdbkv

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/apple/foundationdb/bindings/go/src/fdb"

	"github.com/sqlfdb/sqlfdb/kv"
)

const (
	// apiVersion is FoundationDB 7.3's.
	apiVersion = 730
	// versionLife is how long a read version can be read at and committed from:
	// FoundationDB's, which no client can change.
	versionLife = 5 * time.Second
	// maxWatches is how many watches may wait at once, over all sessions of a process.
	maxWatches = 1_000_000
)

// Options are the settings of a store; zero fields take the defaults.
type Options struct {
	// Patience is how long an operation waits for a cluster that does not answer,
	// 3 s by default.
	Patience time.Duration
}

// opening guards the binding's map of open databases, which it does not guard itself.
var opening sync.Mutex

// store implements kv.Store. It never closes the binding's Database, which the binding
// keeps for the next one that opens the same cluster file.
type store struct {
	db       fdb.Database
	patience time.Duration

	mu      sync.Mutex
	closed  bool
	open    map[*transaction]struct{}
	watches map[*watch]struct{}
	commits sync.WaitGroup
}

// Open connects to the cluster that a cluster file names, and waits, within
// Patience, until it answers.
func Open(ctx context.Context, clusterFile string, opts Options) (kv.Store, error) {
	if opts.Patience <= 0 {
		opts.Patience = 3 * time.Second
	}
	path, err := filepath.Abs(clusterFile)
	if err != nil {
		return nil, fmt.Errorf("fdbkv: cluster file: %w", err)
	}
	if _, err := os.Stat(path); err != nil {
		return nil, fmt.Errorf("fdbkv: cluster file: %w", err)
	}
	db, err := connect(path, opts.Patience)
	if err != nil {
		return nil, fmt.Errorf("fdbkv: open %s: %w", path, err)
	}
	s := &store{db: db, patience: opts.Patience, open: map[*transaction]struct{}{}, watches: map[*watch]struct{}{}}
	tx, err := s.Begin(ctx, kv.TransactionOptions{})
	if err != nil {
		return nil, err
	}
	defer tx.Cancel()
	if _, err := tx.ReadVersion(); err != nil {
		if codeOf(err) == codeBadClusterFile {
			return nil, fmt.Errorf("fdbkv: %s is no cluster file: %w", path, err)
		}
		if errors.Is(err, kv.ErrUnavailable) {
			err = fmt.Errorf("is fdbserver running, and has the database been configured? %w", err)
		}
		return nil, fmt.Errorf("fdbkv: the cluster of %s does not answer: %w", path, err)
	}
	return s, nil
}

func connect(path string, patience time.Duration) (fdb.Database, error) {
	opening.Lock()
	defer opening.Unlock()
	if err := fdb.APIVersion(apiVersion); err != nil {
		return fdb.Database{}, err
	}
	db, err := fdb.OpenDatabase(path)
	if err != nil {
		return fdb.Database{}, err
	}
	life := versionLife + patience
	if err := db.Options().SetTransactionTimeout(life.Milliseconds()); err != nil {
		return fdb.Database{}, err
	}
	return db, db.Options().SetMaxWatches(maxWatches)
}

// ReadsWait implements kv.Store.
func (s *store) ReadsWait() bool { return true }

// sampleGrain is how many bytes a key of some 60 bytes stands for in the sample of a storage server. That is 250
// times the length of the key and 100 (fdbserver/storageserver.actor.cpp, isKeyValueInSample, with its knobs'
// defaults).
const sampleGrain = 250 * (100 + 60)

// EstimateGrain implements kv.Store.
func (s *store) EstimateGrain() int64 { return sampleGrain }

// VersionRate implements kv.Store, as the cluster's VERSIONS_PER_SECOND has it. A recovery skips some 100 seconds.
func (*store) VersionRate() int64 { return 1_000_000 }

// Format implements kv.Store.
func (s *store) Format() uint64 { return 0 }

// Begin implements kv.Store. It asks for the read version at once and does not wait for it.
func (s *store) Begin(ctx context.Context, opts kv.TransactionOptions) (kv.Transaction, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	tr, err := s.db.CreateTransaction()
	if err != nil {
		return nil, fmt.Errorf("fdbkv: begin: %w", translate(err))
	}
	if opts.NoReadYourWrites {
		if err := tr.Options().SetReadYourWritesDisable(); err != nil {
			return nil, fmt.Errorf("fdbkv: begin: %w", translate(err))
		}
	}
	t := &transaction{store: s, ctx: ctx, tr: tr, snap: tr.Snapshot(), ryw: !opts.NoReadYourWrites, begun: time.Now()}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return nil, fmt.Errorf("fdbkv: begin: %w", kv.ErrClosed)
	}
	s.open[t] = struct{}{}
	t.version = tr.GetReadVersion()
	t.stop = context.AfterFunc(ctx, tr.Cancel)
	return t, nil
}

// Close implements kv.Store.
func (s *store) Close() error {
	s.mu.Lock()
	if s.closed {
		s.mu.Unlock()
		return fmt.Errorf("fdbkv: close: %w", kv.ErrClosed)
	}
	s.closed = true
	open, watches := s.open, s.watches
	s.open, s.watches = map[*transaction]struct{}{}, map[*watch]struct{}{}
	s.mu.Unlock()
	s.commits.Wait()
	for t := range open {
		t.end(kv.ErrClosed)
		t.tr.Cancel()
	}
	for w := range watches {
		w.finish(kv.ErrClosed)
	}
	return nil
}

// committing counts a commit under way, which Close waits for; it reports false after Close.
func (s *store) committing() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return false
	}
	s.commits.Add(1)
	return true
}

func (s *store) forget(t *transaction) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.open, t)
}

// Package kvopen opens the store of a name such as pebble:DIR. Besides tests it is the one place that knows the
// engines: all other packages get an open store.
package kvopen

import (
	"fmt"
	"log/slog"
	"os"
	"strings"
	"time"

	"github.com/sqlfdb/sqlfdb/kv"
	"github.com/sqlfdb/sqlfdb/kv/pebblekv"
)

// Options are the settings of Open; zero fields take the engines' defaults.
type Options struct {
	// MustExist: a store that is not there is not made.
	MustExist bool
	// ReadOnly: an embedded store is read, and nothing is written, not even where it lies.
	ReadOnly bool
	// AcceptLoss: an embedded store opens though it lacks commits that it knows of; the log names them.
	AcceptLoss bool
	// ReserveBytes is the room on an embedded store's disk below which writes are refused; 0 is the
	// engine's default, less than 0 none.
	ReserveBytes int64
	// Logger gets the engine's events; nil discards them.
	Logger *slog.Logger
	// TransactionLife is how long a transaction lives in an embedded store.
	TransactionLife time.Duration
	// BlockCacheBytes is the size of an embedded store's cache of blocks.
	BlockCacheBytes int64
}

// Open opens the store that --store names: pebble:DIR, fdb:CLUSTER_FILE or the address of a bucket. It does not look
// at its content.
func Open(name string, opts Options) (kv.Store, error) {
	if IsBucket(name) {
		return openBucket(name, opts)
	}
	engine, place, ok := strings.Cut(name, ":")
	if !ok || place == "" {
		return nil, fmt.Errorf("--store %q: want pebble:DIR, fdb:CLUSTER_FILE, s3://BUCKET or file:///FOLDER", name)
	}
	switch engine {
	case "pebble":
	case "fdb":
		return openCluster(name)
	default:
		return nil, fmt.Errorf("--store %q: unknown engine %q; want pebble:DIR, fdb:CLUSTER_FILE, s3://BUCKET or "+
			"file:///FOLDER", name, engine)
	}
	if opts.MustExist || opts.ReadOnly {
		if _, err := os.Stat(place); err != nil {
			return nil, fmt.Errorf("--store %q: %w", name, err)
		}
	}
	return pebblekv.Open(place, pebblekv.Options{
		MustExist: opts.MustExist, ReadOnly: opts.ReadOnly, AcceptLoss: opts.AcceptLoss, ReserveBytes: opts.ReserveBytes,
		Logger: opts.Logger, TransactionLife: opts.TransactionLife, BlockCacheBytes: opts.BlockCacheBytes,
	})
}

// Step is how long the store of a name can be read at one version while it is copied; 0 means as long
// as it takes.
func Step(name string) time.Duration {
	if strings.HasPrefix(name, "fdb:") {
		return 2 * time.Second
	}
	return 0
}

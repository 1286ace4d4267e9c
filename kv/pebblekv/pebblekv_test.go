package pebblekv_test

import (
	"testing"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/sqlfdb/sqlfdb/kv"
	"github.com/sqlfdb/sqlfdb/kv/kvtest"
	"github.com/sqlfdb/sqlfdb/kv/pebblekv"
)

func open(t testing.TB, dir string, opts pebblekv.Options) kv.Store {
	t.Helper()
	s, err := pebblekv.Open(dir, opts)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestStore(t *testing.T) { suite(t, pebblekv.Options{}) }

// TestStoreSmall runs the suite with memtables so small that everything is
// flushed and compacted, and large transactions bypass them.
func TestStoreSmall(t *testing.T) {
	suite(t, pebblekv.Options{MemTableBytes: 128 << 10, BlockCacheBytes: 1 << 20})
}

func suite(t *testing.T, opts pebblekv.Options) {
	const life = 400 * time.Millisecond
	fs := map[kv.Store]vfs.FS{}
	onMem := func(t *testing.T, mem vfs.FS, life time.Duration) kv.Store {
		opts := opts
		opts.TransactionLife, opts.FS = life, mem
		s := open(t, "store", opts)
		fs[s] = mem
		return s
	}
	kvtest.Run(t, kvtest.Harness{
		Open:            func(t *testing.T) kv.Store { return onMem(t, vfs.NewMem(), 0) },
		OpenShortLived:  func(t *testing.T) kv.Store { return onMem(t, vfs.NewMem(), life) },
		TransactionLife: life,
		Reopen: func(t *testing.T, s kv.Store) kv.Store {
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
			return onMem(t, fs[s], 0)
		},
	})
}

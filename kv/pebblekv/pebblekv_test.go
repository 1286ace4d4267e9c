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

func TestStore(t *testing.T) {
	const life = 400 * time.Millisecond
	fs := map[kv.Store]vfs.FS{}
	onMem := func(t *testing.T, mem vfs.FS, life time.Duration) kv.Store {
		s := open(t, "store", pebblekv.Options{TransactionLife: life, FS: mem})
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

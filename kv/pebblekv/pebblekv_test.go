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
	kvtest.Run(t, kvtest.Harness{
		TransactionLife: life,
		Open: func(t *testing.T) kv.Store {
			mem := vfs.NewMem()
			s := open(t, "store", pebblekv.Options{TransactionLife: life, FS: mem})
			fs[s] = mem
			return s
		},
		Reopen: func(t *testing.T, s kv.Store) kv.Store {
			mem := fs[s]
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
			again := open(t, "store", pebblekv.Options{TransactionLife: life, FS: mem})
			fs[again] = mem
			return again
		},
	})
}

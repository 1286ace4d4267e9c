package bucketkv_test

import (
	"context"
	"testing"
	"time"

	"github.com/sqlfdb/sqlfdb/bucket/store"
	"github.com/sqlfdb/sqlfdb/kv"
	"github.com/sqlfdb/sqlfdb/kv/bucketkv"
	"github.com/sqlfdb/sqlfdb/kv/kvtest"
)

const key = "definitions"

func open(t testing.TB, s store.Store, opts bucketkv.Options) kv.Store {
	t.Helper()
	opened, err := bucketkv.Open(context.Background(), s, key, opts)
	if err != nil {
		t.Fatal(err)
	}
	return opened
}

// TestStore runs the engines' suite.
func TestStore(t *testing.T) {
	const life = 400 * time.Millisecond
	objects := map[kv.Store]*store.Mem{}
	over := func(t *testing.T, m *store.Mem, life time.Duration) kv.Store {
		s := open(t, m, bucketkv.Options{TransactionLife: life, MaxBytes: 1 << 30})
		objects[s] = m
		return s
	}
	kvtest.Run(t, kvtest.Harness{
		Open:            func(t *testing.T) kv.Store { return over(t, store.NewMem(), 0) },
		OpenShortLived:  func(t *testing.T) kv.Store { return over(t, store.NewMem(), life) },
		TransactionLife: life,
		Reopen: func(t *testing.T, s kv.Store) kv.Store {
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
			return over(t, objects[s], 0)
		},
	})
}

// TestLocalStore runs the suite where all keys are this process's alone: no request is made.
func TestLocalStore(t *testing.T) {
	kvtest.Run(t, kvtest.Harness{
		Open: func(t *testing.T) kv.Store {
			objects := store.NewCount(store.NewMem())
			t.Cleanup(func() {
				if r := objects.Requests(); r.Puts > 0 {
					t.Errorf("requests for local keys: %+v", r)
				}
			})
			return open(t, objects, bucketkv.Options{LocalBytes: 1 << 30, Local: []kv.Range{{End: kv.MaxKey}}})
		},
	})
}

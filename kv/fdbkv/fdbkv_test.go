//go:build fdb

package fdbkv_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/sqlfdb/sqlfdb/internal/fdbserver"
	"github.com/sqlfdb/sqlfdb/kv"
	"github.com/sqlfdb/sqlfdb/kv/fdbkv"
	"github.com/sqlfdb/sqlfdb/kv/kvtest"
)

// shared is the cluster of the tests that leave it as it was.
var shared struct {
	once    sync.Once
	cluster *fdbserver.Cluster
	dir     string
	err     error
}

func TestMain(m *testing.M) {
	code := m.Run()
	if shared.cluster != nil {
		_ = shared.cluster.Kill()
	}
	if shared.dir != "" {
		_ = os.RemoveAll(shared.dir)
	}
	os.Exit(code)
}

// cluster returns the shared one, or skips the test where FoundationDB is not installed.
func cluster(t testing.TB) *fdbserver.Cluster {
	t.Helper()
	shared.once.Do(func() {
		if shared.dir, shared.err = os.MkdirTemp("", "sqlfdb-fdb"); shared.err == nil {
			shared.cluster, shared.err = fdbserver.Start(context.Background(), shared.dir, "memory")
		}
	})
	started(t, shared.err)
	return shared.cluster
}

func started(t testing.TB, err error) {
	t.Helper()
	if errors.Is(err, fdbserver.ErrMissing) {
		t.Skipf("skipped: %v", err)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// own starts a cluster for one test, which may do to it what it likes.
func own(t *testing.T) *fdbserver.Cluster {
	t.Helper()
	c, err := fdbserver.Start(t.Context(), t.TempDir(), "ssd")
	started(t, err)
	t.Cleanup(func() {
		if err := c.Kill(); err != nil {
			t.Error(err)
		}
	})
	return c
}

func open(t testing.TB, c *fdbserver.Cluster) kv.Store {
	t.Helper()
	s, err := fdbkv.Open(context.Background(), c.File, fdbkv.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// empty clears a cluster.
func empty(t testing.TB, s kv.Store) {
	t.Helper()
	err := kv.Transact(context.Background(), s, kv.TransactOptions{Repeatable: true}, func(tx kv.Transaction) error {
		tx.ClearRange(kv.Range{Start: nil, End: kv.MaxKey})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestStore(t *testing.T) {
	kvtest.Run(t, kvtest.Harness{
		Open: func(t *testing.T) kv.Store {
			s := open(t, cluster(t))
			empty(t, s)
			return s
		},
		TransactionLife: 5 * time.Second,
		Reopen: func(t *testing.T, s kv.Store) kv.Store {
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
			return open(t, cluster(t))
		},
	})
}

// TestSize: Size tells what FoundationDB's limit counts, neither too little nor much more.
func TestSize(t *testing.T) {
	s := open(t, cluster(t))
	defer s.Close()
	empty(t, s)
	big, many := make([]byte, 2_000), make([]byte, 10)
	for name, write := range map[string]func(tx kv.Transaction, i int){
		"values": func(tx kv.Transaction, i int) { tx.Set(fmt.Appendf(nil, "v%08d", i), big) },
		"keys":   func(tx kv.Transaction, i int) { tx.Set(fmt.Appendf(nil, "k%08d%s", i, strings.Repeat("x", 60)), nil) },
		"adds":   func(tx kv.Transaction, i int) { tx.Add(fmt.Appendf(nil, "a%08d", i), many) },
		"clears": func(tx kv.Transaction, i int) { tx.Clear(fmt.Appendf(nil, "c%08d", i)) },
		"ranges": func(tx kv.Transaction, i int) {
			tx.ClearRange(kv.Range{Start: fmt.Appendf(nil, "r%08d", i), End: fmt.Appendf(nil, "r%08dx", i)})
		},
		"conflicts": func(tx kv.Transaction, i int) {
			tx.AddWriteConflict(kv.PointRange(fmt.Appendf(nil, "w%08d", 2*i)))
		},
		"stamps": func(tx kv.Transaction, i int) {
			tx.SetVersionstampedValue(fmt.Appendf(nil, "s%08d", i), make([]byte, 40), 5)
		},
	} {
		for _, blind := range []bool{true, false} {
			t.Run(fmt.Sprint(name, blind), func(t *testing.T) {
				for _, c := range []struct {
					part float64 // of the limit
					ok   bool
				}{{0.999, true}, {1.001, false}} {
					tx, err := s.Begin(context.Background(), kv.TransactionOptions{NoReadYourWrites: blind})
					if err != nil {
						t.Fatal(err)
					}
					for i := 0; float64(tx.Size()) < c.part*kv.MaxTransactionSize; i++ {
						write(tx, i)
					}
					size, err := tx.Size(), tx.Commit()
					if c.ok && err != nil {
						t.Errorf("size %d: %v", size, err)
					}
					var limit *kv.SizeError
					if !c.ok && (!errors.As(err, &limit) || limit.Err != kv.ErrTooLarge || limit.Size <= limit.Limit) {
						t.Errorf("size %d: %v", size, err)
					}
				}
			})
		}
	}
}

// TestOpenErrors: what is wrong with a cluster file is said, in bounded time.
func TestOpenErrors(t *testing.T) {
	dir := t.TempDir()
	bad, dead := filepath.Join(dir, "bad"), filepath.Join(dir, "dead")
	for path, text := range map[string]string{bad: "no cluster file\n", dead: "nobody:here@127.0.0.1:1\n"} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for path, want := range map[string]string{
		filepath.Join(dir, "none"): "no such file",
		bad:                        "is no cluster file",
		dead:                       "does not answer: is fdbserver running",
	} {
		began := time.Now()
		s, err := fdbkv.Open(t.Context(), path, fdbkv.Options{Patience: 100 * time.Millisecond})
		if err == nil {
			s.Close()
		}
		if err == nil || !strings.Contains(err.Error(), want) || time.Since(began) > time.Minute {
			t.Errorf("%s: %v after %v, want %q", path, err, time.Since(began), want)
		}
	}
}

// TestClusterGone: operations on a cluster that has gone fail in bounded time, and succeed by themselves
// when it is back, with all that was committed.
func TestClusterGone(t *testing.T) {
	c := own(t)
	s, err := fdbkv.Open(t.Context(), c.File, fdbkv.Options{Patience: time.Second})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	write := func(value string) error {
		tx, err := s.Begin(context.Background(), kv.TransactionOptions{})
		if err != nil {
			t.Fatal(err)
		}
		defer tx.Cancel()
		tx.Set([]byte("a"), []byte(value))
		return tx.Commit()
	}
	if err := write("before"); err != nil {
		t.Fatal(err)
	}
	watching, err := s.Begin(context.Background(), kv.TransactionOptions{})
	if err != nil {
		t.Fatal(err)
	}
	w, err := watching.Watch([]byte("a"))
	if err != nil {
		t.Fatal(err)
	}
	watching.Cancel()
	open, err := s.Begin(context.Background(), kv.TransactionOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer open.Cancel()
	if _, err := open.ReadVersion(); err != nil {
		t.Fatal(err)
	}
	if err := c.Kill(); err != nil {
		t.Fatal(err)
	}
	began := time.Now()
	for range 2 {
		if _, err := open.Get([]byte("a")).Get(); !errors.Is(err, kv.ErrUnavailable) {
			t.Errorf("read of a transaction that had begun: %v", err)
		}
	}
	if err := write("meanwhile"); !errors.Is(err, kv.ErrUnavailable) && !errors.Is(err, kv.ErrUnknownCommit) {
		t.Errorf("write: %v", err)
	}
	if took := time.Since(began); took > time.Minute {
		t.Errorf("it took %v to say so", took)
	}
	if err := c.Restart(); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	err = kv.Transact(ctx, s, kv.TransactOptions{Repeatable: true}, func(tx kv.Transaction) error {
		v, err := tx.Get([]byte("a")).Get()
		if err == nil && string(v) != "before" && string(v) != "meanwhile" && string(v) != "after" {
			return fmt.Errorf("it holds %q", v)
		}
		tx.Set([]byte("a"), []byte("after"))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Wait(ctx); err != nil {
		t.Errorf("watch: %v", err)
	}
}

// TestCancelledCommit: a context that ends during a commit leaves its outcome open, and says so.
func TestCancelledCommit(t *testing.T) {
	s := open(t, cluster(t))
	defer s.Close()
	empty(t, s)
	unknown := 0
	for i := range 200 {
		ctx, cancel := context.WithCancel(context.Background())
		tx, err := s.Begin(ctx, kv.TransactionOptions{})
		if err != nil {
			t.Fatal(err)
		}
		tx.Set(fmt.Appendf(nil, "k%d", i), nil)
		if _, err := tx.ReadVersion(); err != nil {
			t.Fatal(err)
		}
		time.AfterFunc(time.Duration(i)*20*time.Microsecond, cancel)
		err = tx.Commit()
		done, rerr := s.Begin(context.Background(), kv.TransactionOptions{})
		if rerr != nil {
			t.Fatal(rerr)
		}
		v, rerr := done.Get(fmt.Appendf(nil, "k%d", i)).Get()
		done.Cancel()
		cancel()
		switch {
		case rerr != nil:
			t.Fatal(rerr)
		case errors.Is(err, kv.ErrUnknownCommit):
			unknown++
		case err == nil && v == nil:
			t.Errorf("commit %d succeeded and is lost", i)
		case err != nil && v != nil:
			t.Errorf("commit %d failed with %v, and is there", i, err)
		}
	}
	t.Logf("%d outcomes unknown", unknown)
}

package bucketkv_test

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/sqlfdb/sqlfdb/bucket/store"
	"github.com/sqlfdb/sqlfdb/bucket/store/storetest"
	"github.com/sqlfdb/sqlfdb/internal/testseed"
	"github.com/sqlfdb/sqlfdb/kv"
	"github.com/sqlfdb/sqlfdb/kv/bucketkv"
	"github.com/sqlfdb/sqlfdb/kv/kvtest"
)

// always has the object asked for by every transaction.
const always = time.Nanosecond

// several are processes that have one object open. Transactions begin at each in turn.
type several struct {
	kv.Store
	others []kv.Store
	turn   atomic.Int64
}

func (s *several) Begin(ctx context.Context, opts kv.TransactionOptions) (kv.Transaction, error) {
	at := int(s.turn.Add(1)) % (len(s.others) + 1)
	if at == 0 {
		return s.Store.Begin(ctx, opts)
	}
	return s.others[at-1].Begin(ctx, opts)
}

func (s *several) Close() error {
	for _, o := range s.others {
		_ = o.Close()
	}
	return s.Store.Close()
}

// TestSeveral runs the suite where one transaction is one process's and the next one another's. A watch fires for
// another process's commit only once something begins where it waits.
func TestSeveral(t *testing.T) {
	kvtest.Run(t, kvtest.Harness{
		Open: func(t *testing.T) kv.Store {
			m := store.NewMem()
			o := bucketkv.Options{Refresh: always, MaxBytes: 1 << 30}
			return &several{Store: open(t, m, o), others: []kv.Store{open(t, m, o), open(t, m, o)}}
		},
		Without: []string{"Watches", "Estimates", "Limits", "Durability"},
	})
}

func ctx() context.Context { return context.Background() }

// add adds to a counter, once.
func add(c context.Context, s kv.Store, counter string, n byte) error {
	return kv.Transact(c, s, kv.TransactOptions{Marker: fmt.Appendf(nil, "marker %s %d", counter, rand.Int64()),
		Attempts: 60, LongestWait: time.Millisecond}, func(tx kv.Transaction) error {
		tx.Add([]byte(counter), []byte{n, 0, 0, 0})
		return nil
	})
}

func counted(t testing.TB, s kv.Store, counter string) int {
	t.Helper()
	tx, err := s.Begin(ctx(), kv.TransactionOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer tx.Cancel()
	v, err := tx.Get([]byte(counter)).Get()
	if err != nil {
		t.Fatal(err)
	}
	return int(binary.LittleEndian.Uint32(append(v, 0, 0, 0, 0)))
}

// TestFaults: whatever becomes of which request, what was acknowledged is there, once.
func TestFaults(t *testing.T) {
	for _, fault := range []storetest.Fault{storetest.Fails, storetest.Lost, storetest.Late, storetest.Crash,
		storetest.CrashBehind} {
		for at := 0; ; at++ {
			m := store.NewMem()
			faulty := &storetest.Faulty{Store: m, LateBy: 1, Choose: func(n int, _, _ string) storetest.Fault {
				if n == at {
					return fault
				}
				return storetest.Fine
			}}
			acknowledged, tried := faultyCommits(t, faulty)
			faulty.Settle()
			got := counted(t, open(t, m, bucketkv.Options{}), "n")
			crash := fault == storetest.Crash || fault == storetest.CrashBehind
			if got < acknowledged || got > tried || !crash && (got != tried || acknowledged != tried) {
				t.Errorf("fault %d at request %d: %d of %d commits acknowledged, %d done", fault, at, acknowledged, tried, got)
			}
			if faulty.Requests() <= at {
				break
			}
		}
	}
}

// faultyCommits opens a store over objects, and commits to it. Another process does so too, between.
func faultyCommits(t *testing.T, faulty *storetest.Faulty) (acknowledged, tried int) {
	opts := bucketkv.Options{Refresh: always}
	// The process that is killed gives up for it is no more, not for it finds out.
	c, cancel := context.WithTimeout(ctx(), 300*time.Millisecond)
	defer cancel()
	s, err := bucketkv.Open(c, faulty, key, opts)
	for n := 0; err != nil && n < 3; n++ {
		s, err = bucketkv.Open(c, faulty, key, opts)
	}
	if err != nil {
		return 0, 0
	}
	for range 3 {
		tried++
		switch err := add(c, s, "n", 1); {
		case err == nil:
			acknowledged++
		case c.Err() == nil && !errors.Is(err, kv.ErrUnknownCommit) && !kv.Retryable(err):
			t.Errorf("commit: %v", err)
		}
		if err := add(ctx(), open(t, faulty.Store, opts), "others", 1); err != nil {
			t.Error(err)
		}
	}
	return acknowledged, tried
}

// TestFaultsAtOnce: several processes, requests that fail, are lost and come late at random.
func TestFaultsAtOnce(t *testing.T) {
	rng := rand.New(rand.NewPCG(testseed.Of(t, "", 0), 3))
	m := store.NewMem()
	faulty := &storetest.Faulty{Store: m, LateBy: 3, Choose: func(int, string, string) storetest.Fault {
		return []storetest.Fault{storetest.Fails, storetest.Lost, storetest.Late, storetest.Fine, storetest.Fine,
			storetest.Fine, storetest.Fine, storetest.Fine, storetest.Fine, storetest.Fine, storetest.Fine,
			storetest.Fine}[rng.IntN(12)]
	}}
	var done atomic.Int64
	var wg sync.WaitGroup
	for range 4 {
		s := open(t, m, bucketkv.Options{})
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		wg.Go(func() {
			var s kv.Store
			for err := errors.New("not yet"); err != nil; {
				s, err = bucketkv.Open(ctx(), faulty, key, bucketkv.Options{Refresh: always})
			}
			for range 10 {
				if err := add(ctx(), s, "n", 1); err != nil {
					t.Errorf("commit: %v", err)
				} else {
					done.Add(1)
				}
			}
		})
	}
	wg.Wait()
	faulty.Settle()
	if got := counted(t, open(t, m, bucketkv.Options{}), "n"); got != int(done.Load()) {
		t.Errorf("%d commits were acknowledged, %d are done", done.Load(), got)
	}
}

// TestRequests: nothing is asked for while nothing begins, little while much does, and one PUT makes a commit.
func TestRequests(t *testing.T) {
	objects := store.NewCount(store.NewMem())
	s := open(t, objects, bucketkv.Options{Refresh: time.Hour})
	defer s.Close()
	if err := add(ctx(), s, "n", 1); err != nil {
		t.Fatal(err)
	}
	before := objects.Requests()
	for range 100 {
		counted(t, s, "n")
	}
	if r := objects.Requests().Minus(before); r.All() != 0 {
		t.Errorf("100 reads within the time have made %+v", r)
	}
	for range 10 {
		if err := add(ctx(), s, "n", 1); err != nil {
			t.Fatal(err)
		}
	}
	if r := objects.Requests().Minus(before); r.Puts != 10 || r.All() != 10 {
		t.Errorf("10 commits have made %+v", r)
	}
	other := open(t, objects, bucketkv.Options{Refresh: always})
	defer other.Close()
	before = objects.Requests()
	for range 5 {
		counted(t, other, "n")
	}
	if r := objects.Requests().Minus(before); r.Gets != 5 || r.BytesRead != 0 {
		t.Errorf("5 reads of what has not changed have made %+v", r)
	}
}

// TestOthersCommits: what another process commits is seen, wakes who waits for it, and conflicts with who has read it.
func TestOthersCommits(t *testing.T) {
	m := store.NewMem()
	a, b := open(t, m, bucketkv.Options{Refresh: always}), open(t, m, bucketkv.Options{Refresh: always})
	if err := add(ctx(), a, "n", 1); err != nil {
		t.Fatal(err)
	}
	counted(t, b, "n")
	tx, err := b.Begin(ctx(), kv.TransactionOptions{})
	if err != nil {
		t.Fatal(err)
	}
	watched, err := tx.Watch([]byte("n"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := tx.Get([]byte("n")).Get(); err != nil {
		t.Fatal(err)
	}
	tx.Set([]byte("other"), nil)
	if err := add(ctx(), a, "n", 1); err != nil {
		t.Fatal(err)
	}
	if err := tx.Commit(); !errors.Is(err, kv.ErrConflict) {
		t.Errorf("a commit after another's write of what it has read: %v", err)
	}
	within, cancel := context.WithTimeout(ctx(), time.Minute)
	defer cancel()
	if err := watched.Wait(within); err != nil {
		t.Errorf("the watch: %v", err)
	}
	if n := counted(t, b, "n"); n != 2 {
		t.Errorf("n is %d", n)
	}
}

// TestDamage: an object that is not as it was written, or not there any more, is refused, and never overwritten.
func TestDamage(t *testing.T) {
	m := store.NewMem()
	s := open(t, m, bucketkv.Options{Refresh: always})
	if err := add(ctx(), s, "n", 1); err != nil {
		t.Fatal(err)
	}
	whole, err := m.Get(ctx(), key, "")
	if err != nil {
		t.Fatal(err)
	}
	put := func(body []byte) {
		if _, err := m.Put(ctx(), key, body, store.Condition{}); err != nil {
			t.Fatal(err)
		}
	}
	for n := range whole.Body {
		bad := append([]byte(nil), whole.Body...)
		bad[n] ^= 0x40
		for _, body := range [][]byte{bad, whole.Body[:n]} {
			put(body)
			if _, err := bucketkv.Open(ctx(), m, key, bucketkv.Options{}); err == nil {
				t.Fatalf("byte %d: it opens", n)
			}
		}
	}
	if err := add(ctx(), s, "n", 1); !errors.Is(err, kv.ErrDamaged) {
		t.Errorf("a commit over what is damaged: %v", err)
	}
	put([]byte(strings.Replace(string(whole.Body), "definitions 1", "definitions 2", 1)))
	if _, err := bucketkv.Open(ctx(), m, key, bucketkv.Options{}); err == nil || !strings.Contains(err.Error(), "newer") {
		t.Errorf("a newer format: %v", err)
	}
	if err := m.Delete(ctx(), key, store.Condition{}); err != nil {
		t.Fatal(err)
	}
	if err := add(ctx(), s, "n", 1); !errors.Is(err, kv.ErrIncomplete) {
		t.Errorf("a commit when the object is gone: %v", err)
	}
	if _, err := bucketkv.Open(ctx(), m, key, bucketkv.Options{ReadOnly: true}); !errors.Is(err, kv.ErrIncomplete) {
		t.Errorf("read what is not there: %v", err)
	}
	other := open(t, m, bucketkv.Options{})
	if err := add(ctx(), other, "n", 1); err != nil {
		t.Fatal(err)
	}
	if err := add(ctx(), s, "n", 1); !errors.Is(err, kv.ErrIncomplete) {
		t.Errorf("a commit to another store: %v", err)
	}
}

// unconditional keeps to no condition.
type unconditional struct{ store.Store }

func (u unconditional) Put(c context.Context, key string, body []byte, _ store.Condition) (string, error) {
	return u.Store.Put(c, key, body, store.Condition{})
}

// TestRefusals: what can't be kept is refused, and leaves what there is.
func TestRefusals(t *testing.T) {
	m := store.NewMem()
	s := open(t, m, bucketkv.Options{MaxBytes: 1000, Local: []kv.Range{{Start: []byte("l"), End: []byte("m")}},
		LocalBytes: 500})
	write := func(s kv.Store, key string, bytes int) error {
		return kv.Transact(ctx(), s, kv.TransactOptions{Attempts: 1}, func(tx kv.Transaction) error {
			tx.Set([]byte(key), make([]byte, bytes))
			return nil
		})
	}
	for key, bytes := range map[string]int{"k": 1001, "l": 501} {
		if err := write(s, key, bytes); !errors.Is(err, kv.ErrNoRoom) {
			t.Errorf("%d bytes: %v", bytes, err)
		}
		if err := write(s, key, bytes/2); err != nil {
			t.Errorf("%d bytes: %v", bytes/2, err)
		}
	}
	again := open(t, m, bucketkv.Options{ReadOnly: true})
	tx, err := again.Begin(ctx(), kv.TransactionOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for key, want := range map[string]int{"k": 500, "l": 0} {
		if v, err := tx.Get([]byte(key)).Get(); err != nil || len(v) != want {
			t.Errorf("%s has %d bytes, %v", key, len(v), err)
		}
	}
	if err := write(again, "k", 1); !errors.Is(err, kv.ErrReadOnly) {
		t.Errorf("a write: %v", err)
	}
	if err := write(open(t, unconditional{store.NewMem()}, bucketkv.Options{}), "k", 1); !errors.Is(err,
		store.ErrUnconditional) {
		t.Errorf("a store without conditions: %v", err)
	}
}

// TestInterrupted: who stops waiting for a commit does not know what becomes of it.
func TestInterrupted(t *testing.T) {
	m := store.NewMem()
	faulty := &storetest.Faulty{Store: m}
	s := open(t, faulty, bucketkv.Options{Refresh: time.Hour})
	defer s.Close()
	if err := add(ctx(), s, "n", 1); err != nil {
		t.Fatal(err)
	}
	faulty.Delay = 200 * time.Millisecond
	c, cancel := context.WithTimeout(ctx(), 20*time.Millisecond)
	defer cancel()
	tx, err := s.Begin(c, kv.TransactionOptions{})
	if err != nil {
		t.Fatal(err)
	}
	tx.Add([]byte("n"), []byte{1, 0, 0, 0})
	began := time.Now()
	if err := tx.Commit(); !errors.Is(err, kv.ErrUnknownCommit) {
		t.Errorf("commit: %v", err)
	}
	if took := time.Since(began); took > 150*time.Millisecond {
		t.Errorf("it took %v to give up", took)
	}
	if err := add(ctx(), s, "n", 1); err != nil {
		t.Fatal(err)
	}
	if n := counted(t, s, "n"); n != 3 {
		t.Errorf("n is %d", n)
	}
}

package overlay_test

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/sqlfdb/sqlfdb/kv"
	"github.com/sqlfdb/sqlfdb/kv/overlay"
)

func get(t *testing.T, r kv.Reader, key string) string {
	t.Helper()
	v, err := r.Get([]byte(key)).Get()
	if err != nil {
		t.Fatalf("get %s: %v", key, err)
	}
	if v == nil {
		return "(absent)"
	}
	return string(v)
}

func scan(t *testing.T, r kv.Reader, start, end string, o kv.RangeOptions) (out []string) {
	t.Helper()
	it := r.Range(kv.Range{Start: []byte(start), End: []byte(end)}, o)
	defer it.Close()
	for it.Next() {
		out = append(out, string(it.Key())+"="+string(it.Value()))
	}
	if err := it.Err(); err != nil {
		t.Fatalf("range: %v", err)
	}
	return out
}

func number(n uint64) []byte { return binary.LittleEndian.AppendUint64(nil, n) }

// rows is a store of n rows r0000, r0001 ….
func rows(n int) *fakeStore {
	f := newFake(nil)
	for i := range n {
		f.pairs[fmt.Sprintf("r%04d", i)] = "v"
	}
	return f
}

// TestInsertSelect is INSERT INTO t SELECT id+1000 FROM t, in which every row
// scanned writes one further on in the scan's range.
func TestInsertSelect(t *testing.T) {
	tx := overlay.New(rows(500))
	for round := range 3 {
		mark := tx.Begin()
		restore := tx.Fence()
		it := tx.Statement().Range(kv.PrefixRange([]byte("r")), kv.RangeOptions{})
		n := 0
		for it.Next() {
			n++
			if n > 4000 {
				t.Fatal("the scan sees what it writes")
			}
			tx.Set(append(it.Key(), fmt.Sprintf("-%d", round)...), it.Value())
			tx.Add([]byte("count"), number(1))
		}
		it.Close()
		if want := 500 << round; n != want {
			t.Fatalf("round %d scanned %d rows, want %d", round, n, want)
		}
		restore()
		tx.Release(mark)
	}
	if got := len(scan(t, tx, "r", "s", kv.RangeOptions{})); got != 4000 {
		t.Fatalf("%d rows", got)
	}
	if got := get(t, tx, "count"); got != string(number(3500)) {
		t.Fatalf("count is %q", got)
	}
}

// TestUpdateForward is UPDATE t SET a = a+1 over an index on a, downwards too:
// each row's entry moves on in the range.
func TestUpdateForward(t *testing.T) {
	for _, reverse := range []bool{false, true} {
		f := newFake(nil)
		for i := range 100 {
			f.pairs[fmt.Sprintf("a%03d", 2*i+100)] = ""
		}
		tx := overlay.New(f)
		for range 3 {
			restore := tx.Fence()
			it := tx.Statement().Range(kv.PrefixRange([]byte("a")), kv.RangeOptions{Reverse: reverse})
			n := 0
			for it.Next() {
				var a int
				fmt.Sscanf(string(it.Key()), "a%d", &a)
				tx.Clear(it.Key())
				if reverse {
					a -= 3
				} else {
					a += 3
				}
				tx.Set([]byte(fmt.Sprintf("a%03d", a)), nil)
				n++
			}
			it.Close()
			if n != 100 {
				t.Fatalf("updated %d rows of 100", n)
			}
			restore()
		}
	}
}

// TestTrigger nests a statement in a statement: the inner one sees what the
// outer one wrote before it, the outer one never sees the inner one's.
func TestTrigger(t *testing.T) {
	tx := overlay.New(newFake(map[string]string{"a": "1"}))
	outerEnd := tx.Fence()
	outer := tx.Statement()
	tx.Set([]byte("b"), []byte("2"))
	innerEnd := tx.Fence()
	inner := tx.Statement()
	tx.Set([]byte("c"), []byte("3"))
	for _, tt := range []struct {
		name string
		r    kv.Reader
		want string
	}{
		{"outer", outer, "[a=1]"},
		{"inner", inner, "[a=1 b=2]"},
		{"all", tx, "[a=1 b=2 c=3]"},
		{"all, snapshot", tx.Snapshot(), "[a=1 b=2 c=3]"},
	} {
		if got := fmt.Sprint(scan(t, tt.r, "a", "z", kv.RangeOptions{})); got != tt.want {
			t.Errorf("%s sees %s, want %s", tt.name, got, tt.want)
		}
	}
	innerEnd()
	if got := fmt.Sprint(scan(t, tx.Statement(), "a", "z", kv.RangeOptions{})); got != "[a=1]" {
		t.Errorf("after the trigger the statement sees %s", got)
	}
	outerEnd()
	if got := fmt.Sprint(scan(t, tx.Statement(), "a", "z", kv.RangeOptions{})); got != "[a=1 b=2 c=3]" {
		t.Errorf("after the statement %s", got)
	}
}

func (f *fakeStore) conflictWords() string {
	var out []string
	for _, c := range f.conflicts {
		out = append(out, fmt.Sprintf("[%q, %q)", c.Start, c.End))
	}
	return strings.Join(out, " ")
}

// TestConflicts: what the writes determine adds none, everything else does.
func TestConflicts(t *testing.T) {
	pairs := map[string]string{"a": "1", "b": "2", "c": "3", "d": "4", "e": "5"}
	limit := func(n int) kv.RangeOptions { return kv.RangeOptions{Limit: n} }
	for _, tt := range []struct {
		name string
		do   func(tx *overlay.Tx)
		want string
	}{
		{"own set", func(tx *overlay.Tx) { tx.Set([]byte("a"), nil); get(t, tx, "a") }, ""},
		{"own clear", func(tx *overlay.Tx) { tx.Clear([]byte("a")); get(t, tx, "a") }, ""},
		{"own range clear", func(tx *overlay.Tx) { tx.ClearRange(kv.PrefixRange([]byte("a"))); get(t, tx, "a1") }, ""},
		{"own add after clear", func(tx *overlay.Tx) {
			tx.Clear([]byte("a"))
			tx.Add([]byte("a"), number(1))
			get(t, tx,
				"a")
		}, ""},
		{"own add", func(tx *overlay.Tx) { tx.Add([]byte("a"), number(1)); get(t, tx, "a") }, `["a", "a\x00")`},
		{"other key", func(tx *overlay.Tx) { tx.Set([]byte("a"), nil); get(t, tx, "b") }, `["b", "b\x00")`},
		{"own set that the statement doesn't see", func(tx *overlay.Tx) {
			tx.Fence()
			tx.Set([]byte("a"), nil)
			get(t, tx.Statement(), "a")
		}, `["a", "a\x00")`},
		{"snapshot", func(tx *overlay.Tx) {
			tx.Add([]byte("a"), number(1))
			get(t, tx.Snapshot(), "a")
			get(t, tx.StatementSnapshot(), "b")
			scan(t, tx.Snapshot(), "a", "z", limit(0))
		}, ""},
		{"range", func(tx *overlay.Tx) { scan(t, tx, "a", "z", limit(0)) }, `["a", "z")`},
		{"range with own", func(tx *overlay.Tx) { tx.Set([]byte("bb"), nil); scan(t, tx, "a", "z", limit(0)) }, `["a", "z")`},
		{"range with limit", func(tx *overlay.Tx) { scan(t, tx, "a", "z", limit(2)) }, `["a", "b\x00")`},
		{"range with limit and a deleted key", func(tx *overlay.Tx) {
			tx.Clear([]byte("a"))
			scan(t, tx, "a", "z", limit(2))
		}, `["a", "b\x00") ["b\x00", "c\x00")`},
		{"limit within own", func(tx *overlay.Tx) {
			tx.Set([]byte("0"), nil)
			tx.Set([]byte("aa"), nil)
			scan(t, tx, "0", "z", limit(1))
		}, `["0", "a\x00")`},
		{"range all cleared", func(tx *overlay.Tx) {
			tx.ClearRange(kv.Range{Start: []byte("0"), End: []byte("z")})
			tx.Set([]byte("c"), nil)
			scan(t, tx, "a", "e", limit(0))
		}, ""},
		{"range cleared at its ends", func(tx *overlay.Tx) {
			tx.ClearRange(kv.Range{Start: []byte("0"), End: []byte("b")})
			tx.ClearRange(kv.Range{Start: []byte("d"), End: []byte("d0")})
			tx.ClearRange(kv.Range{Start: []byte("d0"), End: []byte("z")})
			scan(t, tx, "a", "e", limit(0))
		}, `["b", "d")`},
	} {
		f := newFake(pairs)
		tt.do(overlay.New(f))
		if got := f.conflictWords(); got != tt.want {
			t.Errorf("%s: conflicts %s, want %s", tt.name, got, tt.want)
		}
	}
}

// TestDeletedAhead looks for the first rows behind many that the transaction
// has deleted: the range reads must grow, or each row costs one.
func TestDeletedAhead(t *testing.T) {
	for _, reverse := range []bool{false, true} {
		f := rows(2000)
		tx := overlay.New(f)
		for i := range 1500 {
			if reverse {
				i = 1999 - i
			}
			tx.Clear([]byte(fmt.Sprintf("r%04d", i)))
		}
		got := scan(t, tx, "r", "s", kv.RangeOptions{Limit: 2, Reverse: reverse})
		want := []string{"r1500=v", "r1501=v"}
		if reverse {
			want = []string{"r0499=v", "r0498=v"}
		}
		if !slices.Equal(got, want) || f.ranges > 12 {
			t.Errorf("reverse %v: %v in %d range reads", reverse, got, f.ranges)
		}
	}
}

// TestClearedAhead: a long clear is jumped over, not read.
func TestClearedAhead(t *testing.T) {
	for _, reverse := range []bool{false, true} {
		f := rows(2000)
		tx := overlay.New(f)
		for i := 10; i < 1990; i++ {
			tx.ClearRange(kv.Range{Start: []byte(fmt.Sprintf("r%04d", i)), End: []byte(fmt.Sprintf("r%04d", i+1))})
		}
		if got := len(scan(t, tx, "r", "s", kv.RangeOptions{Reverse: reverse})); got != 20 {
			t.Errorf("reverse %v: %d rows", reverse, got)
		}
		if f.read > 100 || f.ranges > 3 {
			t.Errorf("reverse %v: %d pairs read in %d range reads", reverse, f.read, f.ranges)
		}
		tx.Commit()
		if len(f.log) != 1 || len(f.pairs) != 20 {
			t.Errorf("touching clears were written as %d", len(f.log))
		}
	}
}

// TestNothingWritten: without writes the store's own iterator is handed on.
func TestNothingWritten(t *testing.T) {
	f := rows(3)
	tx := overlay.New(f)
	tx.Set([]byte("q"), nil)
	tx.ClearRange(kv.PrefixRange([]byte("s")))
	it := tx.Range(kv.PrefixRange([]byte("r")), kv.RangeOptions{})
	defer it.Close()
	if _, ok := it.(*fakeIterator); !ok {
		t.Fatalf("%T", it)
	}
}

func TestFailingRange(t *testing.T) {
	f := rows(10)
	f.failAt = 4
	tx := overlay.New(f)
	tx.Set([]byte("r00025"), nil)
	it := tx.Range(kv.PrefixRange([]byte("r")), kv.RangeOptions{})
	n := 0
	for it.Next() {
		n++
	}
	if n != 3 || !errors.Is(it.Err(), errFake) || it.Next() {
		t.Fatalf("%d rows, %v", n, it.Err())
	}
	it.Close()
	if it.Next() {
		t.Fatal("a pair after Close")
	}
}

func TestAdd(t *testing.T) {
	f := newFake(map[string]string{"wide": "\xff\xff\xff", "narrow": "\x01", "same": string(number(5))})
	tx := overlay.New(f)
	minus := number(^uint64(0))
	tx.Add([]byte("same"), number(1))
	tx.Add([]byte("same"), minus) // nothing is left of it
	tx.Add([]byte("absent"), number(1))
	before := tx.Get([]byte("absent"))
	tx.Add([]byte("absent"), minus)
	tx.Add([]byte("wide"), []byte{1, 0})
	tx.Add([]byte("narrow"), []byte{0xff})
	tx.Add([]byte("narrow"), []byte{1, 0}) // can't be folded: the carry of the first is lost
	tx.Set([]byte("own"), []byte{0xff, 0xff, 7})
	tx.Add([]byte("own"), []byte{1, 0})
	if v, _ := before.Get(); string(v) != string(number(1)) {
		t.Errorf("a value read before an add changed to %q", v)
	}
	for key, want := range map[string]string{
		"same": string(number(5)), "absent": "(absent)", "wide": "\x00\x00", "narrow": "\x01\x00", "own": "\x00\x00",
	} {
		if got := get(t, tx, key); got != want {
			t.Errorf("%s reads %q, want %q", key, got, want)
		}
	}
	if got := scan(t, tx, "a", "z", kv.RangeOptions{}); len(got) != 4 {
		t.Errorf("range %q", got)
	}
	if err := tx.Commit(); err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprintf("%q", f.log); got != `["add wide" "add narrow" "add narrow" "set own=\x00\x00"]` {
		t.Errorf("written %s", got)
	}
}

// TestStamps covers what the model leaves out: a clear that may or may not
// hold the key, and adds to a stamped value.
func TestStamps(t *testing.T) {
	stamp := newFake(nil).stamp
	for _, tt := range []struct {
		name  string
		clear kv.Range
		want  bool // the key is there after the commit
	}{
		{"around all", kv.Range{Start: []byte("c"), End: []byte("d")}, false},
		{"exactly all", kv.PrefixRange([]byte("chg")), false},
		{"before", kv.Range{Start: []byte("c"), End: []byte("chg")}, true},
		{"behind", kv.Range{Start: []byte("chh"), End: []byte("d")}, true},
		{"earlier stamps", kv.Range{Start: []byte("chg"), End: []byte("chg\x02")}, true},
		{"up to later stamps", kv.Range{Start: []byte("c"), End: []byte("chg\x80")}, false},
	} {
		f := newFake(nil)
		tx := overlay.New(f)
		tx.SetVersionstampedKey([]byte("chg"+pendingStamp), 3, []byte("v"))
		if got := scan(t, tx, "a", "z", kv.RangeOptions{}); got != nil {
			t.Errorf("a pending key is seen: %q", got)
		}
		tx.ClearRange(tt.clear)
		if err := tx.Commit(); err != nil {
			t.Fatal(err)
		}
		if _, ok := f.pairs["chg"+string(stamp[:])]; ok != tt.want {
			t.Errorf("clear %s: there %v, want %v", tt.name, ok, tt.want)
		}
	}

	f := newFake(nil)
	tx := overlay.New(f)
	tx.SetVersionstampedValue([]byte("k"), []byte(pendingStamp), 0)
	if got := get(t, tx, "k"); got != pendingStamp {
		t.Errorf("a stamped value reads %q", got)
	}
	tx.Add([]byte("k"), append([]byte{1}, make([]byte, 9)...))
	if got := get(t, tx, "k"); got != strings.Repeat("\x00", 10) {
		t.Errorf("with an add it reads %q", got)
	}
	if f.gets != 0 {
		t.Error("the store was asked")
	}
	tx.Commit()
	if got := f.pairs["k"]; got != littleAdd(string(stamp[:]), "\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00") {
		t.Errorf("committed %q", got)
	}
}

func TestBadWrites(t *testing.T) {
	for _, tt := range []struct {
		name string
		do   func(tx *overlay.Tx)
		want error
	}{
		{"inverted range", func(tx *overlay.Tx) { tx.ClearRange(kv.Range{Start: []byte("b"), End: []byte("a")}) },
			kv.ErrReservedKey},
		{"offset in key", func(tx *overlay.Tx) { tx.SetVersionstampedKey([]byte("0123456789"), 1, nil) }, kv.ErrBadOffset},
		{"offset in value", func(tx *overlay.Tx) { tx.SetVersionstampedValue([]byte("k"), make([]byte, 12), -1) },
			kv.ErrBadOffset},
		{"rollback to a released bracket", func(tx *overlay.Tx) {
			m := tx.Begin()
			tx.Set([]byte("a"), nil)
			tx.Release(m)
			tx.RollbackTo(m)
		}, overlay.ErrNoMark},
		{"size", func(tx *overlay.Tx) {
			for i := range 101 {
				tx.Set([]byte(fmt.Sprint(i)), make([]byte, kv.MaxValueSize))
			}
			if err := tx.CheckSize(); !errors.Is(err, kv.ErrTooLarge) {
				t.Errorf("CheckSize: %v", err)
			}
		}, kv.ErrTooLarge},
	} {
		f := newFake(nil)
		tx := overlay.New(f)
		tx.Set([]byte("k"), []byte("v"))
		tt.do(tx)
		if err := tx.Commit(); !errors.Is(err, tt.want) || len(f.pairs) != 0 || !f.done {
			t.Errorf("%s: %v, committed %d pairs", tt.name, err, len(f.pairs))
		}
	}
	var size *kv.SizeError
	tx := overlay.New(&fakeStore{size: kv.MaxTransactionSize + 1})
	if err := tx.Commit(); !errors.As(err, &size) || size.Size != kv.MaxTransactionSize+1 {
		t.Errorf("reads over the size: %v", err)
	}
}

func TestEnd(t *testing.T) {
	for _, end := range []func(tx *overlay.Tx){
		func(tx *overlay.Tx) { tx.Commit() },
		func(tx *overlay.Tx) { tx.Cancel() },
	} {
		tx := overlay.New(newFake(map[string]string{"a": "1"}))
		restore := tx.Fence()
		mark := tx.Begin()
		tx.Set([]byte("b"), nil)
		end(tx)
		restore()
		tx.RollbackTo(mark)
		if _, err := tx.Get([]byte("b")).Get(); !errors.Is(err, kv.ErrDone) {
			t.Errorf("get after the end: %v", err)
		}
		it := tx.Range(kv.PrefixRange([]byte("b")), kv.RangeOptions{})
		if it.Next() || !errors.Is(it.Err(), kv.ErrDone) {
			t.Errorf("range after the end: %v", it.Err())
		}
		tx.Set([]byte("c"), nil)
		if err := tx.Commit(); !errors.Is(err, kv.ErrDone) {
			t.Errorf("commit after the end: %v", err)
		}
	}
}

// TestSavepointRules are those of MySQL that the model doesn't spell out.
func TestSavepointRules(t *testing.T) {
	tx := overlay.New(newFake(nil))
	set := func(v string) { tx.Set([]byte("k"), []byte(v)) }
	tx.Savepoint("one")
	set("1")
	statement := tx.Begin()
	if err := tx.RollbackToSavepoint("ONE"); err != nil {
		t.Fatal(err)
	}
	tx.RollbackTo(statement) // of the statement ROLLBACK TO itself
	tx.Release(statement)
	if got := get(t, tx, "k"); got != "(absent)" || tx.Wrote() {
		t.Fatalf("k is %q", got)
	}
	set("2")
	tx.Savepoint("two")
	set("3")
	tx.Savepoint("one") // moves it here
	set("4")
	if err := tx.RollbackToSavepoint("two"); err != nil || get(t, tx, "k") != "2" {
		t.Fatalf("%v, k is %q", err, get(t, tx, "k"))
	}
	if err := tx.RollbackToSavepoint("one"); !errors.Is(err, overlay.ErrNoSavepoint) {
		t.Fatalf("a later savepoint is still there: %v", err)
	}
	tx.Savepoint("three")
	if err := tx.ReleaseSavepoint("two"); err != nil {
		t.Fatal(err)
	}
	if err := tx.ReleaseSavepoint("three"); !errors.Is(err, overlay.ErrNoSavepoint) {
		t.Fatalf("released with the one before: %v", err)
	}
	bracket := tx.Begin()
	tx.Savepoint("inner")
	set("5")
	tx.RollbackTo(bracket)
	if err := tx.RollbackToSavepoint("inner"); !errors.Is(err, overlay.ErrNoSavepoint) {
		t.Fatalf("undone with its bracket: %v", err)
	}
}

func TestEstimateSize(t *testing.T) {
	tx := overlay.New(rows(100))
	estimate := func(start, end string) int64 {
		n, err := tx.EstimateSize(kv.Range{Start: []byte(start), End: []byte(end)}).Get()
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	if got := estimate("r", "s"); got != 600 {
		t.Errorf("untouched: %d", got)
	}
	tx.Set([]byte("rr"), []byte("12345678"))
	if got := estimate("r", "s"); got != 610 {
		t.Errorf("with a write: %d", got)
	}
	tx.ClearRange(kv.PrefixRange([]byte("r")))
	tx.Set([]byte("rr"), []byte("1234"))
	if got := estimate("r", "s"); got != 6 {
		t.Errorf("cleared: %d", got)
	}
}

// TestOverhead: what a store counts for each write beside its bytes is counted, and taken back with it.
func TestOverhead(t *testing.T) {
	f := newFake(nil)
	f.overhead = 1000
	tx := overlay.New(f)
	for _, step := range []struct {
		do     func()
		writes int64
	}{
		{func() { tx.Set([]byte("a"), nil); tx.Add([]byte("b"), []byte{1}) }, 2},
		{func() { tx.Set([]byte("a"), []byte("again")) }, 2},
		{func() { tx.ClearRange(kv.PrefixRange([]byte("c"))) }, 3},
		{func() { tx.ClearRange(kv.PrefixRange([]byte("b"))) }, 4}, // the range, and the key in it
	} {
		step.do()
		if got := tx.Size() / f.overhead; got != step.writes {
			t.Errorf("%d writes are counted, want %d", got, step.writes)
		}
	}
}

// TestPassedOn: what the overlay adds nothing to comes from below.
func TestPassedOn(t *testing.T) {
	f := newFake(nil)
	tx := overlay.New(f)
	if v, err := tx.ReadVersion(); v != 7 || err != nil {
		t.Error(v, err)
	}
	if s, _ := tx.Versionstamp(); s != f.stamp {
		t.Error(s)
	}
	tx.AddReadConflict(kv.PrefixRange([]byte("a")))
	tx.AddWriteConflict(kv.PrefixRange([]byte("a")))
	if len(f.conflicts) != 1 {
		t.Error(f.conflicts)
	}
	if _, err := tx.Watch([]byte("a")); err == nil {
		t.Error("no watch")
	}
}

// TestReaders reads from several goroutines at once; the race detector watches.
func TestReaders(t *testing.T) {
	f := rows(300)
	tx := overlay.New(&locked{fakeStore: f})
	for i := range 300 {
		tx.Set([]byte(fmt.Sprintf("r%04d-", i)), nil)
		tx.Add([]byte(fmt.Sprintf("r%04d", i)), number(1))
	}
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for range 5 {
				it := tx.Snapshot().Range(kv.PrefixRange([]byte("r")), kv.RangeOptions{})
				n := 0
				for it.Next() {
					n++
				}
				it.Close()
				if n != 600 {
					t.Errorf("%d rows", n)
				}
				if v, err := tx.Snapshot().Get([]byte("r0007")).Get(); err != nil || len(v) != 8 {
					t.Errorf("%q, %v", v, err)
				}
			}
		})
	}
	wg.Wait()
}

// locked makes the fake's bookkeeping safe for several goroutines.
type locked struct {
	*fakeStore
	mu sync.Mutex
}

func (l *locked) Snapshot() kv.Reader { return lockedReader{l} }

type lockedReader struct{ l *locked }

func (r lockedReader) Get(key []byte) kv.FutureValue {
	r.l.mu.Lock()
	defer r.l.mu.Unlock()
	return r.l.fakeStore.Snapshot().Get(key)
}

func (r lockedReader) Range(rg kv.Range, o kv.RangeOptions) kv.Iterator {
	r.l.mu.Lock()
	defer r.l.mu.Unlock()
	return lockedIterator{r.l.fakeStore.Snapshot().Range(rg, o), r.l}
}

func (r lockedReader) EstimateSize(rg kv.Range) kv.FutureInt64 {
	return r.l.fakeStore.EstimateSize(rg)
}

type lockedIterator struct {
	kv.Iterator
	l *locked
}

func (it lockedIterator) Next() bool {
	it.l.mu.Lock()
	defer it.l.mu.Unlock()
	return it.Iterator.Next()
}

// wrapper is a reader around another.
type wrapper struct{ kv.Reader }

func (w wrapper) Unwrap() kv.Reader { return w.Reader }

// TestAtCommit: what is put off until the commit comes once, before the writes, and never where there is no commit; it
// finds its transaction from the readers that add conflicts, however they are wrapped.
func TestAtCommit(t *testing.T) {
	embedding := func(tx *overlay.Tx) kv.Reader { return struct{ *overlay.Tx }{tx} }
	for name, reader := range map[string]func(*overlay.Tx) kv.Reader{
		"the transaction": func(tx *overlay.Tx) kv.Reader { return tx },
		"what embeds it":  embedding,
		"a statement":     func(tx *overlay.Tx) kv.Reader { return wrapper{tx.Statement()} },
	} {
		f := newFake(nil)
		tx := overlay.New(f)
		tx.Set([]byte("k"), []byte("v"))
		for _, key := range []string{"a", "b", "a"} {
			overlay.Of(reader(tx)).AtCommit(key, func(base kv.Transaction) {
				if len(f.log) > 0 {
					t.Errorf("%s: behind %q", name, f.log)
				}
				base.AddReadConflict(kv.PointRange([]byte(key)))
			})
		}
		if len(f.conflicts) > 0 {
			t.Errorf("%s: before the commit: %v", name, f.conflicts)
		}
		if err := tx.Commit(); err != nil {
			t.Fatal(err)
		}
		if len(f.conflicts) != 2 || string(f.conflicts[0].Start) != "a" || string(f.conflicts[1].Start) != "b" {
			t.Errorf("%s: %v", name, f.conflicts)
		}
	}
	f := newFake(nil)
	tx := overlay.New(f)
	if overlay.Of(wrapper{tx.Snapshot()}) != nil || overlay.Of(f) != nil {
		t.Error("a reader without conflicts has a transaction for them")
	}
	tx.AtCommit("a", func(kv.Transaction) { t.Error("called without a commit") })
	tx.Cancel()
	tx.AtCommit("b", func(kv.Transaction) { t.Error("called after the end") })
	_ = tx.Commit()
}

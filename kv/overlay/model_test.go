package overlay_test

import (
	"bytes"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/sqlfdb/sqlfdb/kv"
	"github.com/sqlfdb/sqlfdb/kv/overlay"
	"github.com/sqlfdb/sqlfdb/kv/pebblekv"
)

// op is one write. The model of a transaction is the list of its writes:
// undoing cuts the list, a fence remembers its length, and a reader's view is
// the list played over the store's pairs.
type op struct {
	kind       string
	key, value string // of a clear of a range: start and end
	offset     int
}

// play applies the writes one after the other. Pending versionstamped keys
// are left out when stamp is nil, and stamped values stay as given.
func play(pairs map[string]string, ops []op, stamp *[kv.VersionstampSize]byte) map[string]string {
	m := maps.Clone(pairs)
	// What is added to each key, as folded; behind "-" it isn't added to the store's value.
	adds := map[string][]string{}
	for _, o := range ops {
		switch o.kind {
		case "set":
			m[o.key] = o.value
			adds[o.key] = []string{"-"}
		case "stamped value":
			m[o.key] = o.value
			if stamp != nil {
				m[o.key] = stamped(o.value, o.offset, *stamp)
			}
			adds[o.key] = []string{"-"}
		case "stamped key":
			if stamp != nil {
				m[stamped(o.key, o.offset, *stamp)] = o.value
			}
		case "forget":
			if stamp != nil {
				for offset := 0; offset <= len(o.key)-kv.VersionstampSize; offset++ {
					delete(m, stamped(o.key, offset, *stamp))
				}
			}
		case "clear":
			delete(m, o.key)
			adds[o.key] = []string{"-"}
		case "clear range":
			for k := range m {
				if o.key <= k && k < o.value {
					delete(m, k)
				}
			}
			for _, k := range allKeys {
				if o.key <= k && k < o.value {
					adds[k] = []string{"-"}
				}
			}
		case "add":
			m[o.key] = littleAdd(m[o.key], o.value)
			folded := adds[o.key]
			if n := len(folded); n > 0 && folded[n-1] != "-" && len(o.value) <= len(folded[n-1]) {
				folded[n-1] = littleAdd(folded[n-1], o.value)
			} else {
				adds[o.key] = append(folded, o.value)
			}
		}
	}
	// A total of zero leaves the store's value as it is. Under a wider add
	// that is the same state here, since the values are never wider than an add.
	for k, folded := range adds {
		if len(folded) == 1 && folded[0] != "-" && strings.Trim(folded[0], "\x00") == "" {
			if v, ok := pairs[k]; ok {
				m[k] = v
			} else {
				delete(m, k)
			}
		}
	}
	return m
}

// allKeys is a small space, so that everything meets everything, and a long
// row at its end, so that clears are worth jumping over.
var allKeys = func() (keys []string) {
	for _, p := range []string{"a", "b", "c", "d"} {
		keys = append(keys, p)
		for _, s := range []string{"1", "2", "3", "4", "5", "6"} {
			keys = append(keys, p+s)
		}
	}
	for i := range 80 {
		keys = append(keys, fmt.Sprintf("e%02d", i))
	}
	return keys
}()

const pendingStamp = "\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff"

func list(m map[string]string, start, end string, o kv.RangeOptions) (out []string) {
	keys := slices.Sorted(maps.Keys(m))
	if o.Reverse {
		slices.Reverse(keys)
	}
	for _, k := range keys {
		if start <= k && k < end && (o.Limit == 0 || len(out) < o.Limit) {
			out = append(out, fmt.Sprintf("%q=%q", k, m[k]))
		}
	}
	return out
}

func step(t interface{ Fatalf(string, ...any) }, it kv.Iterator, want []string) []string {
	if !it.Next() {
		if err := it.Err(); err != nil || len(want) > 0 {
			t.Fatalf("iterator ended before %v: %v", want, err)
		}
		return nil
	}
	got := fmt.Sprintf("%q=%q", it.Key(), it.Value())
	if len(want) == 0 || got != want[0] {
		t.Fatalf("iterator gave %s, want %v", got, want)
	}
	return want[1:]
}

// openIterator is one that stays open over writes.
type openIterator struct {
	it   kv.Iterator
	want []string
	ops  int // length of the list when it was opened
}

type bracket struct {
	mark overlay.Mark
	ops  int
}

type named struct {
	name string
	ops  int
}

type fence struct {
	restore func()
	former  []op
}

type machine struct {
	t          *rapid.T
	before     map[string]string
	tx         *overlay.Tx
	ops        []op
	brackets   []bracket
	savepoints []named
	fences     []fence
	fenced     []op // what Statement sees; nil for everything
	hasFence   bool
	iterators  []openIterator
}

func TestModel(t *testing.T) {
	testModel(t, func(t *rapid.T, before map[string]string) (kv.Transaction, outcome) {
		f := newFake(before)
		return f, func(stamp *[kv.VersionstampSize]byte) map[string]string {
			seen := map[string]bool{}
			for _, w := range f.log {
				w, _, _ = strings.Cut(w, "=")
				if seen[w] && !strings.HasPrefix(w, "add") {
					t.Fatalf("written twice: %q", f.log)
				}
				seen[w] = true
			}
			*stamp = f.stamp
			return f.pairs
		}
	})
}

// TestModelOverEngine is TestModel over the embedded engine.
func TestModelOverEngine(t *testing.T) {
	s, err := pebblekv.Open(t.TempDir(), pebblekv.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	begin := func(t *rapid.T, opts kv.TransactionOptions) kv.Transaction {
		tx, err := s.Begin(t.Context(), opts)
		if err != nil {
			t.Fatal(err)
		}
		return tx
	}
	all := kv.Range{Start: []byte{}, End: kv.MaxKey}
	testModel(t, func(t *rapid.T, before map[string]string) (kv.Transaction, outcome) {
		tx := begin(t, kv.TransactionOptions{})
		tx.ClearRange(all)
		for k, v := range before {
			tx.Set([]byte(k), []byte(v))
		}
		if err := tx.Commit(); err != nil {
			t.Fatal(err)
		}
		tx = begin(t, kv.TransactionOptions{NoReadYourWrites: true})
		return tx, func(stamp *[kv.VersionstampSize]byte) map[string]string {
			*stamp, _ = tx.Versionstamp() // none when nothing was written
			after := begin(t, kv.TransactionOptions{})
			defer after.Cancel()
			it := after.Range(all, kv.RangeOptions{})
			defer it.Close()
			pairs := map[string]string{}
			for it.Next() {
				pairs[string(it.Key())] = string(it.Value())
			}
			return pairs
		}
	})
}

// outcome says after a commit what the store holds, and with which stamp.
type outcome func(stamp *[kv.VersionstampSize]byte) map[string]string

// testModel runs random operations over a transaction that open begins on a
// store of the given pairs.
func testModel(t *testing.T, open func(t *rapid.T, before map[string]string) (kv.Transaction, outcome)) {
	rapid.Check(t, func(t *rapid.T) {
		before := map[string]string{}
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "pairs"), 0))
		for _, k := range allKeys {
			if i := r.IntN(9); i < 6 {
				before[k] = []string{"", "\x01", "\xff\xff", "\x00\x01", "\xff", "\x00\x00"}[i]
			}
		}
		base, after := open(t, before)
		m := &machine{t: t, before: before, tx: overlay.New(base)}
		t.Repeat(map[string]func(*rapid.T){
			"set": func(t *rapid.T) {
				k, v := m.key(t), rapid.SampledFrom([]string{"", "x", "yy", "\x05"}).Draw(t, "v")
				m.tx.Set([]byte(k), []byte(v))
				m.wrote(op{"set", k, v, 0})
			},
			"clear": func(t *rapid.T) {
				k := m.key(t)
				m.tx.Clear([]byte(k))
				m.wrote(op{"clear", k, "", 0})
			},
			"clear range": func(t *rapid.T) {
				start, end := m.bounds(t)
				m.tx.ClearRange(kv.Range{Start: []byte(start), End: []byte(end)})
				m.wrote(op{"clear range", start, end, 0})
			},
			"add": func(t *rapid.T) {
				k := m.key(t)
				// At least as wide as any value in the store.
				v := rapid.SampledFrom([]string{"\x01\x00", "\xff\xff", "\x01\x00\x00\x00", "\xff\xff\xff\xff",
					"\x07\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00"}).Draw(t, "operand")
				m.tx.Add([]byte(k), []byte(v))
				m.wrote(op{"add", k, v, 0})
			},
			"stamped value": func(t *rapid.T) {
				k := m.key(t)
				v := "v" + pendingStamp + rapid.SampledFrom([]string{"", "z"}).Draw(t, "end")
				m.tx.SetVersionstampedValue([]byte(k), []byte(v), 1)
				m.wrote(op{"stamped value", k, v, 1})
			},
			"stamped key": func(t *rapid.T) {
				k := m.template(t)
				v := rapid.SampledFrom([]string{"p", "q"}).Draw(t, "v")
				m.tx.SetVersionstampedKey([]byte(k), 2, []byte(v))
				m.wrote(op{"stamped key", k, v, 2})
			},
			"forget": func(t *rapid.T) {
				k := m.template(t)
				m.tx.ClearVersionstampedKey([]byte(k))
				m.wrote(op{"forget", k, "", 0})
			},
			"begin": func(t *rapid.T) {
				m.brackets = append(m.brackets, bracket{m.tx.Begin(), len(m.ops)})
			},
			"release": func(t *rapid.T) {
				if len(m.brackets) == 0 {
					t.Skip("no bracket is open")
				}
				i := rapid.IntRange(0, len(m.brackets)-1).Draw(t, "bracket")
				m.tx.Release(m.brackets[i].mark)
				m.brackets = m.brackets[:i]
			},
			"rollback": func(t *rapid.T) {
				if len(m.brackets) == 0 {
					t.Skip("no bracket is open")
				}
				i := rapid.IntRange(0, len(m.brackets)-1).Draw(t, "bracket")
				b := m.brackets[i]
				m.tx.RollbackTo(b.mark)
				m.brackets = m.brackets[:i+1]
				m.cut(b.ops, func(n named) bool { return n.ops > b.ops })
			},
			"savepoint": func(t *rapid.T) {
				name := m.name(t)
				m.tx.Savepoint(strings.ToUpper(name))
				m.savepoints = slices.DeleteFunc(m.savepoints, func(n named) bool { return n.name == name })
				// A savepoint within a bracket goes when the bracket is rolled
				// back. A write in between tells the two apart here.
				m.tx.Set([]byte("a"), []byte(name))
				m.wrote(op{"set", "a", name, 0})
				m.tx.Savepoint(name)
				m.savepoints = append(m.savepoints, named{name, len(m.ops)})
			},
			"rollback to savepoint": func(t *rapid.T) {
				name := m.name(t)
				err := m.tx.RollbackToSavepoint(name)
				i := m.find(name)
				if (err == nil) != (i >= 0) {
					t.Fatalf("savepoint %s of %v: %v", name, m.savepoints, err)
				}
				if i >= 0 {
					to := m.savepoints[i].ops
					m.savepoints = m.savepoints[:i+1]
					m.cut(to, func(named) bool { return false })
					for j := range m.brackets {
						m.brackets[j].ops = min(m.brackets[j].ops, to)
					}
				}
			},
			"release savepoint": func(t *rapid.T) {
				name := m.name(t)
				err := m.tx.ReleaseSavepoint(name)
				i := m.find(name)
				if (err == nil) != (i >= 0) {
					t.Fatalf("savepoint %s of %v: %v", name, m.savepoints, err)
				}
				if i >= 0 {
					m.savepoints = m.savepoints[:i]
				}
			},
			"fence": func(t *rapid.T) {
				f := fence{former: m.fenced}
				if !m.hasFence {
					f.former = nil
				}
				f.restore = m.tx.Fence()
				m.fences = append(m.fences, f)
				m.fenced, m.hasFence = slices.Clone(m.ops), true
			},
			"restore": func(t *rapid.T) {
				if len(m.fences) == 0 {
					t.Skip("nothing is fenced")
				}
				f := m.fences[len(m.fences)-1]
				m.fences = m.fences[:len(m.fences)-1]
				f.restore()
				m.fenced, m.hasFence = f.former, len(m.fences) > 0
			},
			"get": func(t *rapid.T) {
				k := m.key(t)
				r, want := m.reader(t)
				v, err := r.Get([]byte(k)).Get()
				w, ok := want[k]
				if err != nil || (v != nil) != ok || string(v) != w {
					t.Fatalf("%q is %q, %v; want %q, %v", k, v, err, w, ok)
				}
			},
			"range": func(t *rapid.T) {
				it, want := m.open(t)
				for len(want) > 0 {
					want = step(t, it, want)
				}
				step(t, it, nil)
				it.Close()
			},
			"open": func(t *rapid.T) {
				it, want := m.open(t)
				m.iterators = append(m.iterators, openIterator{it, want, len(m.ops)})
			},
			"next": func(t *rapid.T) {
				if len(m.iterators) == 0 {
					t.Skip("no iterator is open")
				}
				i := rapid.IntRange(0, len(m.iterators)-1).Draw(t, "iterator")
				o := &m.iterators[i]
				if len(o.want) == 0 {
					step(t, o.it, nil)
					o.it.Close()
					m.iterators = slices.Delete(m.iterators, i, i+1)
					return
				}
				o.want = step(t, o.it, o.want)
			},
			"": func(t *rapid.T) {
				if m.tx.Size() < base.Size() || len(m.ops) == 0 && (m.tx.Wrote() || m.tx.Size() != base.Size()) {
					t.Fatalf("%d writes, size %d, wrote %v", len(m.ops), m.tx.Size(), m.tx.Wrote())
				}
			},
		})
		for _, o := range m.iterators {
			for len(o.want) > 0 {
				o.want = step(t, o.it, o.want)
			}
			step(t, o.it, nil)
		}
		if err := m.tx.Commit(); err != nil {
			t.Fatal(err)
		}
		var stamp [kv.VersionstampSize]byte
		got := after(&stamp)
		if want := play(before, m.ops, &stamp); !maps.Equal(want, got) {
			t.Fatalf("committed %q\nwant %q\nwrites %v", got, want, m.ops)
		}
	})
}

func (m *machine) key(t *rapid.T) string {
	if rapid.IntRange(0, 9).Draw(t, "far") == 0 {
		return rapid.SampledFrom(allKeys).Draw(t, "key")
	}
	return rapid.SampledFrom(allKeys[:28]).Draw(t, "key")
}

func (m *machine) name(t *rapid.T) string {
	return rapid.SampledFrom([]string{"s1", "s2", "s3"}).Draw(t, "savepoint")
}

// template is one of versionstamped keys that no range splits.
func (m *machine) template(t *rapid.T) string {
	return rapid.SampledFrom([]string{"bs", "cs"}).Draw(t, "prefix") + pendingStamp +
		rapid.SampledFrom([]string{"", "1"}).Draw(t, "end")
}

func (m *machine) find(name string) int {
	return slices.IndexFunc(m.savepoints, func(n named) bool { return n.name == name })
}

func (m *machine) wrote(o op) { m.ops = append(m.ops[:len(m.ops):len(m.ops)], o) }

// cut takes back all writes from to on, and what was opened since.
func (m *machine) cut(to int, gone func(named) bool) {
	m.ops = m.ops[:to]
	m.savepoints = slices.DeleteFunc(m.savepoints, gone)
	m.iterators = slices.DeleteFunc(m.iterators, func(o openIterator) bool {
		if o.ops > to {
			o.it.Close()
			return true
		}
		return false
	})
	common := func(view []op) []op {
		n := 0
		for n < min(len(view), to) && view[n] == m.ops[n] {
			n++
		}
		return view[:n]
	}
	m.fenced = common(m.fenced)
	for i := range m.fences {
		m.fences[i].former = common(m.fences[i].former)
	}
}

func (m *machine) bounds(t *rapid.T) (start, end string) {
	start, end = m.key(t), rapid.SampledFrom([]string{m.key(t), m.key(t), "e", "e40", "f"}).Draw(t, "end")
	if start > end {
		start, end = end, start
	}
	return start, end
}

// reader draws a reader and returns what it must see.
func (m *machine) reader(t *rapid.T) (kv.Reader, map[string]string) {
	view := m.ops
	r := kv.Reader(m.tx)
	switch rapid.IntRange(0, 3).Draw(t, "reader") {
	case 1:
		r = m.tx.Snapshot()
	case 2:
		r = m.tx.Statement()
		if m.hasFence {
			view = m.fenced
		}
	case 3:
		r = m.tx.StatementSnapshot()
		if m.hasFence {
			view = m.fenced
		}
	}
	return r, play(m.before, view, nil)
}

func (m *machine) open(t *rapid.T) (kv.Iterator, []string) {
	r, view := m.reader(t)
	start, end := m.bounds(t)
	o := kv.RangeOptions{Limit: rapid.SampledFrom([]int{0, 0, 1, 2, 5}).Draw(t, "limit"),
		Reverse: rapid.Bool().Draw(t, "reverse")}
	s, e := []byte(start), []byte(end)
	it := r.Range(kv.Range{Start: s, End: e}, o)
	copy(s, "####")
	copy(e, "####")
	return it, list(view, start, end, o)
}

// TestModelShapes makes sure that the model itself adds as FoundationDB does.
func TestModelShapes(t *testing.T) {
	for _, tt := range []struct{ value, operand, want string }{
		{"", "\x01\x00", "\x01\x00"},
		{"\xff", "\x01\x00", "\x00\x01"},
		{"\xff\xff", "\x01", "\x00"},
		{"\x01\x02\x03", "", ""},
		{"\x00", "\xff\xff", "\xff\xff"},
	} {
		if got := littleAdd(tt.value, tt.operand); !bytes.Equal([]byte(got), []byte(tt.want)) {
			t.Errorf("%q + %q = %q, want %q", tt.value, tt.operand, got, tt.want)
		}
	}
}

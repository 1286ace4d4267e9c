package kvtest

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"github.com/sqlfdb/sqlfdb/internal/testseed"
	"github.com/sqlfdb/sqlfdb/kv"
)

// testBank moves money between accounts from several goroutines while readers
// check that none is lost or made.
func testBank(t *testing.T, h Harness) {
	s := h.open(t)
	const accounts, money = 12, 100
	account := func(i int) []byte { return fmt.Appendf(nil, "account/%02d", i) }
	amount := func(v []byte) int64 { return int64(binary.LittleEndian.Uint64(v)) }
	encode := func(n int64) []byte { return binary.LittleEndian.AppendUint64(nil, uint64(n)) }
	write(t, s, func(tx kv.Transaction) {
		for i := range accounts {
			tx.Set(account(i), encode(money))
		}
	})
	ctx := context.Background()
	var movers, readers sync.WaitGroup
	stop := make(chan struct{})
	for g := range 6 {
		movers.Go(func() {
			rng := rand.New(rand.NewPCG(uint64(g), 1))
			for range 60 * h.Examples {
				from, to := rng.IntN(accounts), rng.IntN(accounts)
				n := rng.Int64N(20)
				err := kv.Transact(ctx, s, kv.TransactOptions{}, func(tx kv.Transaction) error {
					a, err := tx.Get(account(from)).Get()
					if err != nil {
						return err
					}
					if amount(a) < n || from == to {
						return nil
					}
					tx.Set(account(from), encode(amount(a)-n))
					if rng.IntN(2) == 0 {
						tx.Add(account(to), encode(n))
						return nil
					}
					b, err := tx.Get(account(to)).Get()
					if err != nil {
						return err
					}
					tx.Set(account(to), encode(amount(b)+n))
					return nil
				})
				if err != nil {
					t.Errorf("move: %v", err)
					return
				}
			}
		})
	}
	for range 2 {
		readers.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
				}
				tx, err := s.Begin(ctx, kv.TransactionOptions{})
				if err != nil {
					t.Error(err)
					return
				}
				it := tx.Range(kv.PrefixRange([]byte("account/")), kv.RangeOptions{})
				var sum int64
				n := 0
				for ; it.Next(); n++ {
					sum += amount(it.Value())
				}
				err = it.Err()
				it.Close()
				tx.Cancel()
				if err != nil && kv.Retryable(err) {
					continue
				}
				if err != nil || sum != accounts*money || n != accounts {
					t.Errorf("%d accounts hold %d (%v)", n, sum, err)
					return
				}
			}
		})
	}
	movers.Wait()
	close(stop)
	readers.Wait()
}

// A record has the reads and writes of one committed transaction.
type record struct {
	stamp   [kv.VersionstampSize]byte
	version int64
	wrote   bool
	steps   []step
}

type step struct {
	write bool
	apply func(m map[string]string)
	check func(m map[string]string) string // the error, or empty
}

// testSerializable runs random transactions side by side, then runs the committed ones one
// after the other in the order of their versionstamps: each must have read what it reads
// then. Transactions that only read must have seen the state of their read version.
func testSerializable(t *testing.T, h Harness) {
	for _, keys := range []int{4, 40} {
		t.Run(fmt.Sprint(keys, " keys"), func(t *testing.T) { serializable(t, h, keys) })
	}
}

func serializable(t *testing.T, h Harness, keys int) {
	s := h.open(t)
	seed := testseed.Of(t, "", 0)
	var mu sync.Mutex
	var records []record
	committed, conflicts := 0, 0
	var wg sync.WaitGroup
	side := func(round, g int) {
		wg.Go(func() {
			rng := rand.New(rand.NewPCG(seed+uint64(round), uint64(g)))
			for i := range 150 * h.Examples {
				rec, err := randomTransaction(s, rng, keys, fmt.Sprintf("%d.%d.%d", round, g, i))
				mu.Lock()
				switch {
				case err == nil:
					records = append(records, rec)
					committed++
				case errors.Is(err, kv.ErrConflict):
					conflicts++
				case !kv.Retryable(err):
					t.Errorf("transaction: %v", err)
				}
				mu.Unlock()
			}
		})
	}
	// On one processor they may run one after the other.
	for round := 0; round < 50 && (committed == 0 || conflicts == 0); round++ {
		for g := range 8 {
			side(round, g)
		}
		wg.Wait()
		if t.Failed() {
			return
		}
	}
	t.Logf("%d committed, %d conflicts", committed, conflicts)
	if committed == 0 || conflicts == 0 {
		t.Fatalf("%d committed and %d conflicts test nothing", committed, conflicts)
	}
	var writers, readers []record
	for _, r := range records {
		if r.wrote {
			writers = append(writers, r)
		} else {
			readers = append(readers, r)
		}
	}
	slices.SortFunc(writers, func(a, b record) int { return bytes.Compare(a.stamp[:], b.stamp[:]) })
	slices.SortFunc(readers, func(a, b record) int { return int(a.version - b.version) })
	state := map[string]string{}
	run := func(r record, m map[string]string) {
		for _, st := range r.steps {
			if st.write {
				st.apply(m)
			} else if wrong := st.check(m); wrong != "" {
				t.Errorf("stamp %x, read version %d: %s", r.stamp, r.version, wrong)
			}
		}
	}
	for i := 0; i <= len(writers); i++ {
		for len(readers) > 0 && (i == len(writers) ||
			uint64(readers[0].version) < binary.BigEndian.Uint64(writers[i].stamp[:])) {
			run(readers[0], state)
			readers = readers[1:]
		}
		if i < len(writers) {
			if i > 0 && writers[i].stamp == writers[i-1].stamp {
				t.Errorf("two commits have stamp %x", writers[i].stamp)
			}
			run(writers[i], state)
		}
	}
	it := begin(t, s).Range(span("", "\xff"), kv.RangeOptions{})
	defer it.Close()
	got := map[string]string{}
	for it.Next() {
		got[string(it.Key())] = string(it.Value())
	}
	if it.Err() != nil || !maps.Equal(got, state) {
		t.Errorf("the store holds %q (%v), the transactions one after the other give %q", got, it.Err(), state)
	}
}

func randomTransaction(s kv.Store, rng *rand.Rand, keys int, name string) (record, error) {
	var rec record
	tx, err := s.Begin(context.Background(), kv.TransactionOptions{})
	if err != nil {
		return rec, err
	}
	defer tx.Cancel()
	if rec.version, err = tx.ReadVersion(); err != nil {
		return rec, err
	}
	key := func() string { return fmt.Sprintf("k%02d", rng.IntN(keys)) }
	readOnly := rng.IntN(5) == 0
	for n := 1 + rng.IntN(5); n > 0; n-- {
		kind := rng.IntN(7)
		if readOnly {
			kind %= 3
		}
		switch kind {
		case 0, 1:
			k := key()
			v, err := tx.Get([]byte(k)).Get()
			if err != nil {
				return rec, err
			}
			rec.steps = append(rec.steps, step{check: func(m map[string]string) string {
				w, ok := m[k]
				if ok != (v != nil) || w != string(v) {
					return fmt.Sprintf("read %q of %s, want %q (%v)", v, k, w, ok)
				}
				return ""
			}})
		case 2:
			a, b := key(), key()
			if a > b {
				a, b = b, a
			}
			opts := kv.RangeOptions{Limit: rng.IntN(4), Reverse: rng.IntN(2) == 0}
			got, err := scan(tx, span(a, b), opts)
			if err != nil {
				return rec, err
			}
			rec.steps = append(rec.steps, step{check: func(m map[string]string) string {
				if w := scanMap(m, a, b, opts); w != got {
					return fmt.Sprintf("scan [%s, %s) %+v gave %s, want %s", a, b, opts, got, w)
				}
				return ""
			}})
		case 3, 4:
			k, v := key(), fmt.Sprintf("%s.%d", name, n)
			tx.Set([]byte(k), []byte(v))
			rec.write(func(m map[string]string) { m[k] = v })
		case 5:
			k, v := key(), byte(rng.IntN(256))
			tx.Add([]byte(k), []byte{v, 0})
			rec.write(func(m map[string]string) { m[k] = addTwo(m[k], v) })
		case 6:
			a, b := key(), key()
			if a > b {
				a, b = b, a
			}
			tx.ClearRange(span(a, b))
			rec.write(func(m map[string]string) {
				maps.DeleteFunc(m, func(k, _ string) bool { return k >= a && k < b })
			})
			if a == b {
				tx.Clear([]byte(a))
				rec.write(func(m map[string]string) { delete(m, a) })
			}
		}
	}
	if err := tx.Commit(); err != nil {
		return rec, err
	}
	if rec.wrote {
		rec.stamp, err = tx.Versionstamp()
	}
	return rec, err
}

func (r *record) write(apply func(m map[string]string)) {
	r.wrote = true
	r.steps = append(r.steps, step{write: true, apply: apply})
}

// addTwo adds a byte to a value as two little-endian bytes.
func addTwo(v string, operand byte) string {
	b := append([]byte(v), 0, 0)[:2]
	n := binary.LittleEndian.Uint16(b) + uint16(operand)
	return string(binary.LittleEndian.AppendUint16(nil, n))
}

func scanMap(m map[string]string, start, end string, opts kv.RangeOptions) string {
	var keys []string
	for k := range m {
		if k >= start && k < end {
			keys = append(keys, k)
		}
	}
	slices.Sort(keys)
	if opts.Reverse {
		slices.Reverse(keys)
	}
	if opts.Limit > 0 && len(keys) > opts.Limit {
		keys = keys[:opts.Limit]
	}
	var out []string
	for _, k := range keys {
		out = append(out, k+"="+m[k])
	}
	return strings.Join(out, " ")
}

// testModel compares one transaction after the other with a map: all kinds of
// reads and writes, own writes seen or not.
func testModel(t *testing.T, h Harness) {
	s := h.open(t)
	rapid.Check(t, func(t *rapid.T) {
		err := kv.Transact(context.Background(), s, kv.TransactOptions{}, func(tx kv.Transaction) error {
			tx.ClearRange(span("", "\xff"))
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		stored := map[string]string{}
		var tx kv.Transaction
		var mine, seen map[string]string // with own writes; as reads see it
		ryw := true
		key := rapid.Custom(func(t *rapid.T) string {
			return rapid.SampledFrom([]string{"", "a", "a\x00", "a\x00\x00", "ab", "b", "c\xfe", "d", "dd", "\xfe\xff"}).Draw(t,
				"key")
		})
		val := rapid.SampledFrom([]string{"", "1", "\xff\xff", "long value"})
		start := func() {
			ryw = rapid.Bool().Draw(t, "ryw")
			var err error
			tx, err = s.Begin(context.Background(), kv.TransactionOptions{NoReadYourWrites: !ryw})
			if err != nil {
				t.Fatal(err)
			}
			mine = maps.Clone(stored)
			seen = mine
			if !ryw {
				seen = maps.Clone(stored)
			}
		}
		start()
		reader := func(t *rapid.T) kv.Reader {
			if rapid.Bool().Draw(t, "snapshot") {
				return tx.Snapshot()
			}
			return tx
		}
		bounds := func(t *rapid.T) (string, string) {
			a, b := key.Draw(t, "start"), key.Draw(t, "end")
			if rapid.IntRange(0, 5).Draw(t, "to the end") == 0 {
				b = "\xff"
			}
			if a > b {
				a, b = b, a
			}
			return a, b
		}
		t.Repeat(map[string]func(*rapid.T){
			"get": func(t *rapid.T) {
				k := key.Draw(t, "key")
				v, err := reader(t).Get([]byte(k)).Get()
				if err != nil {
					t.Fatal(err)
				}
				if w, ok := seen[k]; ok != (v != nil) || w != string(v) {
					t.Fatalf("got %q, want %q %v", v, w, ok)
				}
			},
			"scan": func(t *rapid.T) {
				a, b := bounds(t)
				opts := kv.RangeOptions{
					Limit:     rapid.IntRange(0, 4).Draw(t, "limit"),
					Reverse:   rapid.Bool().Draw(t, "reverse"),
					Streaming: kv.Streaming(rapid.IntRange(0, 2).Draw(t, "streaming")),
				}
				got, err := scan(reader(t), span(a, b), opts)
				if err != nil {
					t.Fatal(err)
				}
				if w := scanMap(seen, a, b, opts); got != w {
					t.Fatalf("got %q, want %q", got, w)
				}
			},
			"set": func(t *rapid.T) {
				k, v := key.Draw(t, "key"), val.Draw(t, "value")
				set(tx, k, v)
				mine[k] = v
			},
			"clear": func(t *rapid.T) {
				k := key.Draw(t, "key")
				tx.Clear([]byte(k))
				delete(mine, k)
			},
			"clear range": func(t *rapid.T) {
				a, b := bounds(t)
				tx.ClearRange(span(a, b))
				maps.DeleteFunc(mine, func(k, _ string) bool { return k >= a && k < b })
			},
			"add": func(t *rapid.T) {
				k, n := key.Draw(t, "key"), rapid.Byte().Draw(t, "operand")
				tx.Add([]byte(k), []byte{n, 0})
				mine[k] = addTwo(mine[k], n)
			},
			"commit": func(t *rapid.T) {
				if err := tx.Commit(); err != nil {
					t.Fatal(err)
				}
				stored = mine
				start()
			},
			"cancel": func(t *rapid.T) {
				tx.Cancel()
				start()
			},
		})
		tx.Cancel()
	})
}

package collection_test

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/sqlfdb/sqlfdb/bucket/collection"
	"github.com/sqlfdb/sqlfdb/bucket/store"
	"github.com/sqlfdb/sqlfdb/bucket/store/storetest"
	"github.com/sqlfdb/sqlfdb/internal/testseed"
)

var seedFlag = flag.Uint64("bucket-seed", 0, "the seed of random histories")

// step is one thing that a history does.
type step struct {
	write  map[string]string // documents by their ids; empty to delete
	create string
	drop   string
}

// history draws steps over few documents of few values, so that they meet in entries.
func history(rng *rand.Rand, n int) []step {
	steps := []step{{create: byName}, {create: byCategory}}
	have := map[string]bool{}
	for range n {
		s := step{write: map[string]string{}}
		for range 1 + rng.IntN(3)*rng.IntN(2) {
			id := fmt.Sprintf("d%d", rng.IntN(6))
			if rng.IntN(4) == 0 && have[id] {
				s.write[id] = ""
				continue
			}
			s.write[id] = fmt.Sprintf(`{"_id":%q,"name":"n%d","category":"c%d","priority":%d,"v":%d}`,
				id, rng.IntN(2), rng.IntN(2), rng.IntN(5), rng.IntN(1000))
		}
		for id, text := range s.write {
			have[id] = text != ""
		}
		steps = append(steps, s)
	}
	steps = append(steps, step{drop: "name_1"}, step{create: byStatus})
	return steps
}

// do does a step. It reports what went wrong.
func (s step) do(t *testing.T, c *collection.Collection) error {
	switch {
	case s.create != "":
		return c.CreateIndex(ctx, index(t, s.create))
	case s.drop != "":
		return c.DropIndex(ctx, s.drop)
	}
	var changes []collection.Change
	for id, text := range s.write {
		docs, err := c.Get(ctx, []string{id})
		if err != nil {
			return err
		}
		if docs[0] == nil && text == "" {
			continue
		}
		ch := collection.Change{ID: id, Old: docs[0]}
		if text != "" {
			ch.New = parse(t, text)
		}
		changes = append(changes, ch)
	}
	return c.Write(ctx, changes)
}

// contents are the documents that are there.
func contents(t *testing.T, c *collection.Collection) map[string]string {
	t.Helper()
	m := map[string]string{}
	err := c.List(ctx, "", func(id string) error {
		docs, err := c.Get(ctx, []string{id})
		if err == nil && docs[0] != nil {
			m[id] = docs[0].Body.Text()
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func (s step) applied(to map[string]string) map[string]string {
	m := maps.Clone(to)
	for id, text := range s.write {
		if text == "" {
			delete(m, id)
		} else {
			m[id] = text
		}
	}
	return m
}

// objects is an empty store. ETags tell bodies in every other one, and writes in those between.
func objects(n int) store.Store {
	if n%2 == 0 {
		return store.NewMem()
	}
	return storetest.NewVersions()
}

// Killed at any request, before or behind it: what was acknowledged is there, what was under way is there whole or not
// at all, and CHECK finds nothing once the next one has written.
func TestCrashAtEveryRequest(t *testing.T) {
	steps := history(rng(t), 12)
	for _, fault := range []storetest.Fault{storetest.Crash, storetest.CrashBehind} {
		for n := 0; ; n++ {
			mem := objects(n)
			faulty := &storetest.Faulty{Store: mem, Choose: func(i int, _, _ string) storetest.Fault {
				if i == n {
					return fault
				}
				return storetest.Fine
			}}
			want := map[string]string{}
			var broken *step
			c, err := collection.Open(ctx, faulty, "tasks", quick)
			if err == nil {
				for _, s := range steps {
					if err := s.do(t, c); err != nil {
						broken = &s
						break
					}
					want = s.applied(want)
				}
			}
			after := open(t, mem, "tasks", gone)
			if err := after.Recover(ctx); err != nil {
				t.Fatal(err)
			}
			got := contents(t, after)
			if !maps.Equal(got, want) && (broken == nil || !maps.Equal(got, broken.applied(want))) {
				t.Fatalf("fault %d at request %d: %v\nwant %v\nor with %v", fault, n, got, want, broken)
			}
			clean(t, after)
			write(t, after, "after", `{"_id":"after","name":"n1","category":"c1","priority":2}`)
			clean(t, open(t, mem, "tasks", gone))
			if t.Failed() {
				t.Fatalf("fault %d at request %d, in %v", fault, n, broken)
			}
			if err == nil && broken == nil {
				if n < 100 {
					t.Fatalf("only %d requests", n)
				}
				t.Logf("killed at each of %d requests", n)
				break
			}
		}
	}
}

// One request fails without saying so, loses its answer, or is done later than those behind it: the same client goes
// on.
func TestFaultAtEveryRequest(t *testing.T) {
	steps := history(rng(t), 10)
	for _, test := range []struct {
		fault storetest.Fault
		by    int
	}{{storetest.Fails, 0}, {storetest.Lost, 0}, {storetest.Late, 0}, {storetest.Late, 1}, {storetest.Late, 2},
		{storetest.Late, 4}} {
		refused := 0
		for n := 0; ; n++ {
			mem := objects(n)
			faulty := &storetest.Faulty{Store: mem, LateBy: test.by, Choose: func(i int, what,
				_ string) storetest.Fault {
				if i == n && (test.fault != storetest.Late || what == "put" || what == "delete") {
					return test.fault
				}
				return storetest.Fine
			}}
			o := quick
			o.Late = time.Millisecond
			c, err := collection.Open(ctx, faulty, "tasks", o)
			if err != nil {
				if !errors.Is(err, storetest.ErrInjected) {
					t.Fatal(err)
				}
				continue
			}
			want := map[string]string{}
			for _, s := range steps {
				err := s.do(t, c)
				// What is late is done before somebody else may write.
				faulty.Settle()
				if err == nil {
					want = s.applied(want)
					continue
				}
				refused++
				if !errors.Is(err, storetest.ErrInjected) && !errors.Is(err, collection.ErrIndex) {
					t.Fatalf("fault %d at request %d: %v", test.fault, n, err)
				}
				if got := contents(t, open(t, mem, "tasks", gone)); !maps.Equal(got, want) {
					if !maps.Equal(got, s.applied(want)) {
						t.Fatalf("fault %d at request %d: %v after an error, want %v or %v", test.fault, n, got, want,
							s)
					}
					want = s.applied(want)
				}
			}
			c.Flush(ctx)
			if got := contents(t, open(t, mem, "tasks", gone)); !maps.Equal(got, want) {
				t.Fatalf("fault %d by %d at request %d: %v, want %v", test.fault, test.by, n, got, want)
			}
			clean(t, open(t, mem, "tasks", gone))
			if t.Failed() {
				t.Fatalf("fault %d by %d at request %d", test.fault, test.by, n)
			}
			if n > faulty.Requests() {
				t.Logf("fault %d by %d at each of %d requests: %d steps were refused", test.fault, test.by, n, refused)
				break
			}
		}
	}
}

// Several servers write at once. No increment that was acknowledged is lost, the sum over two documents that are
// changed together stays, indexes come and go meanwhile, and CHECK is clean.
func TestManyServers(t *testing.T) {
	mem := store.NewMem()
	first := open(t, mem, "tasks", quick)
	if err := first.CreateIndex(ctx, index(t, byCategory)); err != nil {
		t.Fatal(err)
	}
	text := func(id string, n int64) string {
		return fmt.Sprintf(`{"_id":%q,"name":"n%d","category":"c%d","priority":%d,"n":%d}`, id, n%3, n%2, n%7, n)
	}
	accounts := []string{"a", "b", "c", "d"}
	for _, id := range accounts {
		write(t, first, id, text(id, 100))
	}
	write(t, first, "counter", text("counter", 0))
	seed := rng(t)
	var mu sync.Mutex
	counted := int64(0)
	number := func(d *collection.Doc) int64 {
		v, _ := d.Body.Member("n")
		var n int64
		fmt.Sscan(v.Number(), &n)
		return n
	}
	var wg sync.WaitGroup
	for i := range 3 {
		rng := rand.New(rand.NewPCG(seed.Uint64(), uint64(i)))
		o := collection.Options{Late: -1, Linger: time.Duration(i-1) * time.Millisecond}
		c := open(t, mem, "tasks", o)
		wg.Go(func() {
			for k := range 25 {
				if i == 0 && k%8 == 4 {
					if err := c.CreateIndex(ctx, index(t, byName)); err != nil {
						t.Error(err)
					}
				} else if i == 0 && k%8 == 0 && k > 0 {
					if err := c.DropIndex(ctx, "name_1"); err != nil {
						t.Error(err)
					}
				}
				ids := []string{"counter"}
				if rng.IntN(2) == 0 {
					j := rng.IntN(4)
					ids = []string{accounts[j], accounts[(j+1+rng.IntN(3))%4]}
				}
				docs, err := c.Get(ctx, ids)
				if err != nil {
					t.Error(err)
					return
				}
				var changes []collection.Change
				by := int64(1)
				for _, d := range docs {
					changes = append(changes, collection.Change{ID: d.ID, Old: d, New: parse(t, text(d.ID,
						number(d)+by))})
					by = -by
				}
				switch err := c.Write(ctx, changes); {
				case err == nil && len(ids) == 1:
					mu.Lock()
					counted++
					mu.Unlock()
				case err != nil && !errors.Is(err, collection.ErrChanged):
					t.Error(err)
				}
			}
			if err := c.Flush(ctx); err != nil && !errors.Is(err, store.ErrPrecondition) {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	last := open(t, mem, "tasks", quick)
	clean(t, last)
	docs, err := last.Get(ctx, append(accounts, "counter"))
	if err != nil {
		t.Fatal(err)
	}
	sum := int64(0)
	for _, d := range docs[:4] {
		sum += number(d)
	}
	if sum != 400 || number(docs[4]) != counted || counted == 0 {
		t.Errorf("the sum is %d, not 400; the counter %d, after %d increments", sum, number(docs[4]), counted)
	}
}

// A reader beside writers never misses a document that was there all the while with one value, and finds the ids of an
// entry in order if the documents are as they were.
func TestReaderBesideWriters(t *testing.T) {
	mem := store.NewMem()
	w := open(t, mem, "tasks", quick)
	x := index(t, byCategory)
	if err := w.CreateIndex(ctx, x); err != nil {
		t.Fatal(err)
	}
	draw := rng(t)
	for i := range 20 {
		id := fmt.Sprintf("d%02d", i)
		write(t, w, id, fmt.Sprintf(`{"_id":%q,"category":"c","priority":%d}`, id, draw.IntN(30)))
	}
	stop := make(chan struct{})
	var wg sync.WaitGroup
	reads := 0
	wg.Go(func() {
		r := open(t, mem, "tasks", quick)
		for {
			select {
			case <-stop:
				return
			default:
			}
			e, err := r.Entry(ctx, x, "c")
			if err != nil {
				t.Error(err)
				return
			}
			if len(e.IDs)+len(e.Moving) < 20 {
				t.Errorf("%d ids and %d that are moved: some are missing", len(e.IDs), len(e.Moving))
			}
			reads++
		}
	})
	for range 300 {
		id := fmt.Sprintf("d%02d", draw.IntN(20))
		write(t, w, id, fmt.Sprintf(`{"_id":%q,"category":"c","priority":%d}`, id, draw.IntN(30)))
	}
	close(stop)
	wg.Wait()
	if reads == 0 {
		t.Error("nothing was read")
	}
	clean(t, w)
}

func rng(t *testing.T) *rand.Rand {
	seed := testseed.Of(t, "bucket-seed", *seedFlag)
	return rand.New(rand.NewPCG(seed, seed))
}

// Who comes after a crash, and stays the writer for a while as servers do, ends what was begun, and goes on.
func TestHeirGoesOn(t *testing.T) {
	for name, work := range map[string]func(context.Context, *collection.Collection) error{
		"write": func(ctx context.Context, c *collection.Collection) error {
			return c.Write(ctx, []collection.Change{{ID: "b", New: parse(t, `{"_id":"b","name":"n"}`)}})
		},
		"check": func(ctx context.Context, c *collection.Collection) error {
			_, err := c.Check(ctx, collection.CheckOptions{})
			return err
		},
		"hold": func(ctx context.Context, c *collection.Collection) error {
			return c.Hold(ctx, func(func(context.Context) error) error { return nil })
		},
		"create": func(ctx context.Context, c *collection.Collection) error {
			return c.CreateIndex(ctx, index(t, byName))
		},
	} {
		mem := store.NewMem()
		f := &storetest.Faulty{Store: mem, Choose: func(_ int, what, key string) storetest.Fault {
			if what == "put" && strings.HasSuffix(key, "data/a.json") {
				return storetest.CrashBehind
			}
			return storetest.Fine
		}}
		first := open(t, f, "tasks", quick)
		if err := first.Write(ctx, []collection.Change{{ID: "a", New: parse(t, `{"_id":"a","name":"n"}`)}}); err == nil {
			t.Fatal("the store has not crashed")
		}
		heir := open(t, mem, "tasks", collection.Options{Linger: time.Hour, Late: -1, TakeOver: 1, Pause: 1000})
		bound, cancel := context.WithTimeout(ctx, time.Minute)
		defer cancel()
		if err := work(bound, heir); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if docs, err := heir.Get(ctx, []string{"a"}); err != nil || docs[0] == nil {
			t.Errorf("%s: the document is not there: %v", name, err)
		}
	}
}

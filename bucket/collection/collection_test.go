package collection_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/sqlfdb/sqlfdb/bucket/collection"
	"github.com/sqlfdb/sqlfdb/bucket/layout"
	"github.com/sqlfdb/sqlfdb/bucket/store"
	"github.com/sqlfdb/sqlfdb/bucket/store/storetest"
	"github.com/sqlfdb/sqlfdb/document"
)

var ctx = context.Background()

// quick are options for tests: nothing is waited for.
var quick = collection.Options{Linger: -1, Late: -1, Pause: 1000}

// gone are options of one who comes after a crash: whoever writes is gone.
var gone = collection.Options{Linger: -1, Late: -1, TakeOver: 1, Pause: 1000}

func open(t testing.TB, st store.Store, name string, o collection.Options) *collection.Collection {
	t.Helper()
	c, err := collection.Open(ctx, st, name, o)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func parse(t testing.TB, text string) *document.Document {
	t.Helper()
	d, err := document.Parse([]byte(text), document.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	return &d
}

func index(t testing.TB, text string) layout.Index {
	t.Helper()
	var x layout.Index
	if err := json.Unmarshal([]byte(text), &x); err != nil {
		t.Fatal(err)
	}
	return x
}

const (
	byName     = `{"name":"name_1","keys":[{"field":"name","order":1}]}`
	byCategory = `{"name":"category_1_priority_1","keys":[{"field":"category","order":1},{"field":"priority","order":1}]}`
	byStatus   = `{"name":"s","keys":[{"field":"category","order":1},{"field":"status","order":1},
		{"field":"priority","order":-1}]}`
)

// change is the change of what is there to text; of an empty text to nothing.
func change(t testing.TB, c *collection.Collection, id, text string) collection.Change {
	t.Helper()
	docs, err := c.Get(ctx, []string{id})
	if err != nil {
		t.Fatal(err)
	}
	ch := collection.Change{ID: id, Old: docs[0]}
	if text != "" {
		ch.New = parse(t, text)
	}
	return ch
}

func write(t testing.TB, c *collection.Collection, id, text string) {
	t.Helper()
	if err := c.Write(ctx, []collection.Change{change(t, c, id, text)}); err != nil {
		t.Fatal(err)
	}
}

func clean(t testing.TB, c *collection.Collection) {
	t.Helper()
	r, err := c.Check(ctx, collection.CheckOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range r.Violations {
		t.Error(v)
	}
}

func put(t testing.TB, st store.Store, key, body string) {
	t.Helper()
	if _, err := st.Put(ctx, key, []byte(body), store.Condition{}); err != nil {
		t.Fatal(err)
	}
}

// files are all objects but our own.
func files(t testing.TB, st store.Store) map[string]string {
	t.Helper()
	m := map[string]string{}
	err := store.All(ctx, st, "", func(i store.Info) error {
		o, err := st.Get(ctx, i.Key, "")
		if !strings.Contains(i.Key, "/sqlfdb/") {
			m[i.Key] = string(o.Body)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func ids(t testing.TB, c *collection.Collection, name, key string) string {
	t.Helper()
	x, ok := c.Index(name)
	if !ok {
		t.Fatalf("no index %s among %v", name, c.Indexes())
	}
	e, err := c.Entry(ctx, x, key)
	got, moving := e.IDs, e.Moving
	if err != nil || len(moving) > 0 {
		t.Fatalf("%v, %v", moving, err)
	}
	return strings.Join(got, " ")
}

// sengos writes the files that the description of Sengo's layout shows, and the documents that they speak of.
func sengos(t testing.TB, st store.Store) {
	put(t, st, "pets/data/64a1f2c3e4b5d6789a0b1c2d.json",
		"{\n  \"_id\": \"64a1f2c3e4b5d6789a0b1c2d\",\n  \"name\": \"Milo\"\n}\n")
	put(t, st, "pets/data/64a1f2c3e4b5d6789a0b1c2e.json", `{"_id":"64a1f2c3e4b5d6789a0b1c2e","name":"Milo"}`)
	put(t, st, "pets/data/64a1f2c3e4b5d6789a0b1c2f.json", `{"_id":"64a1f2c3e4b5d6789a0b1c2f","name":"Bella"}`)
	put(t, st, "pets/data/64a1f2c3e4b5d6789a0b1c30.json", `{"_id":"64a1f2c3e4b5d6789a0b1c30","name":"Bella"}`)
	put(t, st, "pets/indices/name_1.json",
		"{\n  \"name\": \"name_1\",\n  \"keys\": [{ \"field\": \"name\", \"order\": 1 }]\n}\n")
	put(t, st, "pets/indices/name_1/Milo.json", `["64a1f2c3e4b5d6789a0b1c2d", "64a1f2c3e4b5d6789a0b1c2e"]`)
	put(t, st, "pets/indices/name_1/Bella.json", `["64a1f2c3e4b5d6789a0b1c2f", "64a1f2c3e4b5d6789a0b1c30"]`)
	for id, priority := range map[string]int{"id3": 1, "id1": 2, "id2": 3} {
		put(t, st, "tasks/data/"+id+".json",
			fmt.Sprintf(`{"_id":%q,"category":"work","status":"active","priority":%d}`, id, priority))
	}
	put(t, st, "tasks/indices/category_1_priority_1.json", byCategory)
	put(t, st, "tasks/indices/category_1_priority_1/work.json", `["id3", "id1", "id2"]`)
	put(t, st, "tasks/indices/category_1_status_1_priority_1.json", `{"name":"category_1_status_1_priority_1","keys":[
		{"field":"category","order":1},{"field":"status","order":1},{"field":"priority","order":1}]}`)
	put(t, st, "tasks/indices/category_1_status_1_priority_1/work|active.json", `["id3", "id1", "id2"]`)
}

// A bucket that Sengo made opens with its indexes, is found to be whole, and stays in its layout.
func TestSengosBucket(t *testing.T) {
	st := store.NewMem()
	sengos(t, st)
	before := files(t, st)
	pets, tasks := open(t, st, "pets", quick), open(t, st, "tasks", quick)
	clean(t, pets)
	clean(t, tasks)
	if got := ids(t, pets, "name_1", "Milo"); got != "64a1f2c3e4b5d6789a0b1c2d 64a1f2c3e4b5d6789a0b1c2e" {
		t.Errorf("Milo: %s", got)
	}
	if got := ids(t, tasks, "category_1_priority_1", "work"); got != "id3 id1 id2" {
		t.Errorf("work: %s", got)
	}
	if after := files(t, st); !maps.Equal(before, after) {
		t.Errorf("opening and checking has changed files: %v", after)
	}
	write(t, pets, "new", `{"_id":"new","name":"Milo"}`)
	write(t, pets, "64a1f2c3e4b5d6789a0b1c2f", "")
	write(t, pets, "64a1f2c3e4b5d6789a0b1c30", `{"_id":"64a1f2c3e4b5d6789a0b1c30","name":"A/B"}`)
	write(t, tasks, "id4", `{"_id":"id4","category":"work","status":"done","priority":2.5}`)
	write(t, tasks, "id3", `{"_id":"id3","category":"work","status":"active","priority":9}`)
	clean(t, pets)
	clean(t, tasks)
	after := files(t, st)
	milo := `["64a1f2c3e4b5d6789a0b1c2d", "64a1f2c3e4b5d6789a0b1c2e"`
	for file, want := range map[string]string{
		"pets/indices/name_1/Milo.json":                                 milo + ", \"new\"]\n",
		"pets/indices/name_1/Bella.json":                                "",
		"pets/indices/name_1/A%2FB.json":                                "[\"64a1f2c3e4b5d6789a0b1c30\"]\n",
		"pets/data/new.json":                                            "{\"_id\":\"new\",\"name\":\"Milo\"}\n",
		"pets/data/64a1f2c3e4b5d6789a0b1c2f.json":                       "",
		"tasks/indices/category_1_priority_1/work.json":                 "[\"id1\", \"id4\", \"id2\", \"id3\"]\n",
		"tasks/indices/category_1_status_1_priority_1/work|active.json": "[\"id1\", \"id2\", \"id3\"]\n",
		"tasks/indices/category_1_status_1_priority_1/work|done.json":   "[\"id4\"]\n",
	} {
		if after[file] != want {
			t.Errorf("%s: %q, want %q", file, after[file], want)
		}
	}
	if !slices.Equal(slices.Sorted(maps.Keys(files(t, st))), slices.Sorted(maps.Keys(after))) {
		t.Error("files have changed")
	}
}

func TestRefused(t *testing.T) {
	st := store.NewMem()
	c := open(t, st, "pets", quick)
	write(t, c, "a", `{"_id":"a","name":"Milo"}`)
	before := files(t, st)
	other := change(t, c, "a", `{"_id":"a","name":"Otto"}`)
	other.Old.ETag = "0"
	many := make([]collection.Change, collection.MaxChanges+1)
	for i := range many {
		many[i] = collection.Change{ID: fmt.Sprint(i), New: parse(t, fmt.Sprintf(`{"_id":"%d"}`, i))}
	}
	for _, test := range []struct {
		changes []collection.Change
		want    error
	}{
		{[]collection.Change{{ID: "a", New: parse(t, `{"_id":"a"}`)}}, collection.ErrExists},
		{[]collection.Change{{ID: "b", New: parse(t, `{"_id":"b"}`)}, {ID: "a", New: parse(t,
			`{"_id":"a","name":"Milo"}`)}}, collection.ErrExists},
		{[]collection.Change{{ID: "b", New: parse(t, `{"_id":"b"}`)}, other}, collection.ErrChanged},
		{[]collection.Change{{ID: "b", New: parse(t, `{"_id":"c"}`)}}, collection.ErrDocument},
		{[]collection.Change{{ID: "b", New: parse(t, `{"_id":1}`)}}, collection.ErrDocument},
		{[]collection.Change{{ID: "", New: parse(t, `{"_id":""}`)}}, layout.ErrName},
		{many, collection.ErrTooLarge},
	} {
		if err := c.Write(ctx, test.changes); !errors.Is(err, test.want) {
			t.Errorf("%v, want %v", err, test.want)
		}
	}
	if after := files(t, st); !maps.Equal(before, after) {
		t.Errorf("what was refused has left %v", after)
	}
	clean(t, c)
}

func TestIndexes(t *testing.T) {
	st := store.NewMem()
	c := open(t, st, "tasks", quick)
	for i := range 50 {
		id := fmt.Sprintf("t%02d", i)
		write(t, c, id, fmt.Sprintf(`{"_id":%q,"category":"c%d","status":%d,"priority":%d}`, id, i%3, i%2, i*7%50))
	}
	for _, text := range []string{byName, byCategory, byStatus} {
		if err := c.CreateIndex(ctx, index(t, text)); err != nil {
			t.Fatal(err)
		}
		clean(t, c)
	}
	if err := c.CreateIndex(ctx, index(t, byName)); !errors.Is(err, collection.ErrIndex) {
		t.Errorf("a second index of one name: %v", err)
	}
	if got := ids(t, c, "name_1", "null"); len(strings.Fields(got)) != 50 {
		t.Errorf("documents without a name: %s", got)
	}
	other := open(t, st, "tasks", quick)
	if n := len(other.Indexes()); n != 3 {
		t.Fatalf("another sees %d indexes", n)
	}
	for _, name := range []string{"name_1", "category_1_priority_1"} {
		if err := c.DropIndex(ctx, name); err != nil {
			t.Fatal(err)
		}
	}
	clean(t, c)
	for file := range files(t, st) {
		if strings.Contains(file, "name_1") || strings.Contains(file, "category_1") {
			t.Errorf("%s is left", file)
		}
	}
	// Another who does not know yet reads no answer from what is gone, and writes what is there.
	x, _ := other.Index("name_1")
	if _, err := other.Entry(ctx, x, "null"); !errors.Is(err, collection.ErrIndex) {
		t.Errorf("an entry of a dropped index: %v", err)
	}
	write(t, other, "u", `{"_id":"u","category":"c1","status":1,"priority":1}`)
	clean(t, c)
	if err := c.CreateIndex(ctx, index(t, strings.ReplaceAll(byStatus, `"s"`, `"name_1"`))); !errors.Is(err,
		collection.ErrIndex) {
		t.Errorf("the name of an index that was just dropped: %v", err)
	}
	if err := c.CreateIndex(ctx, index(t, byName)); err != nil {
		t.Errorf("the same index again: %v", err)
	}
	clean(t, c)
	if err := c.DropIndex(ctx, "nothing"); !errors.Is(err, collection.ErrIndex) {
		t.Errorf("dropping nothing: %v", err)
	}
}

// Every damage that CHECK knows is found, named, and repaired where it is the index's.
func TestCheckFindsDamage(t *testing.T) {
	for _, test := range []struct{ file, body, want string }{
		{"tasks/indices/category_1_priority_1/work.json", `["id3", "id2"]`, `"id1" is missing`},
		{"tasks/indices/category_1_priority_1/work.json", `["id3", "id2", "id1"]`, `"id1" is out of order`},
		{"tasks/indices/category_1_priority_1/work.json", `["id3", "id1", "id1", "id2"]`, `"id1" is twice there`},
		{"tasks/indices/category_1_priority_1/work.json", `["id3", "id1", "x", "id2"]`, `"x" is no document`},
		{"tasks/indices/category_1_priority_1/work.json", `{"a":1}`, `an entry is an array of strings`},
		{"tasks/indices/category_1_priority_1/work.json", `[`, `an entry is an array of strings`},
		{"tasks/indices/category_1_priority_1/home.json", `["id1"]`, `"id1" has another value`},
		{"tasks/indices/category_1_priority_1/home.json", `[]`, `it is empty`},
		{"tasks/indices/category_1_priority_1/a/b.json", `[]`, `it is no entry`},
		{"tasks/indices/other/b.json", `[]`, `it belongs to no index`},
		{"tasks/data/id1.json", `{"_id":"id7","category":"work","status":"active","priority":2}`,
			`its _id is not "id1"`},
		{"tasks/data/id1.json", `{"_id":`, `no document`},
		{"tasks/data/a b.json", `{"_id":"a b"}`, `its name is that of no document`},
	} {
		st := store.NewMem()
		sengos(t, st)
		put(t, st, test.file, test.body)
		c := open(t, st, "tasks", quick)
		r, err := c.Check(ctx, collection.CheckOptions{Repair: true})
		if err != nil {
			t.Fatal(err)
		}
		if !slices.ContainsFunc(r.Violations, func(v collection.Violation) bool {
			return v.File == test.file && strings.Contains(v.Text, test.want)
		}) {
			t.Errorf("%s %s: found %v, not %s", test.file, test.body, r.Violations, test.want)
		}
		if strings.Contains(test.file, "/indices/category_1_priority_1/") {
			clean(t, c)
		}
	}
	st := store.NewMem()
	sengos(t, st)
	st.Delete(ctx, "tasks/indices/category_1_priority_1/work.json", store.Condition{})
	c := open(t, st, "tasks", quick)
	if r, _ := c.Check(ctx, collection.CheckOptions{Repair: true}); len(r.Violations) != 1 {
		t.Errorf("a missing entry: %v", r.Violations)
	}
	clean(t, c)
}

// rounds counts how often a request begins while none is under way: as many answers are waited for one after the other.
type rounds struct {
	store.Store
	under, n atomic.Int64
}

func (r *rounds) begin() func() {
	if r.under.Add(1) == 1 {
		r.n.Add(1)
	}
	return func() { r.under.Add(-1) }
}

func (r *rounds) Get(ctx context.Context, key, known string) (store.Object, error) {
	defer r.begin()()
	return r.Store.Get(ctx, key, known)
}

func (r *rounds) Put(ctx context.Context, key string, body []byte, cond store.Condition) (string, error) {
	defer r.begin()()
	return r.Store.Put(ctx, key, body, cond)
}

// An insert with two indexes takes the time of four requests: the writer's object, reads, entries, the document.
func TestInsertTakesFourRequestsTime(t *testing.T) {
	slow := &storetest.Faulty{Store: store.NewMem()}
	count := store.NewCount(slow)
	timed := &rounds{Store: count}
	c := open(t, timed, "tasks", collection.Options{Linger: time.Hour})
	for _, text := range []string{byName, byCategory} {
		if err := c.CreateIndex(ctx, index(t, text)); err != nil {
			t.Fatal(err)
		}
	}
	write(t, c, "a", `{"_id":"a","name":"Milo","category":"home"}`)
	slow.Delay = 100 * time.Millisecond
	before, n := count.Requests(), timed.n.Load()
	err := c.Write(ctx, []collection.Change{{ID: "b", New: parse(t, `{"_id":"b","name":"Otto","category":"work"}`)}})
	if err != nil {
		t.Fatal(err)
	}
	got := count.Requests().Minus(before)
	got.BytesRead, got.BytesWritten = 0, 0
	// Two entries and what may be there of the document and the catalog are read; then come four writes.
	if want := (store.Requests{Gets: 4, Puts: 4}); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
	if n = timed.n.Load() - n; n != 4 {
		t.Errorf("answers were waited for %d times, one after the other", n)
	}
	slow.Delay = 0
	if err := c.Flush(ctx); err != nil {
		t.Fatal(err)
	}
	clean(t, c)
}

// Who finds another writing waits; who finds one that is gone finishes its work first.
func TestTakeOver(t *testing.T) {
	mem := store.NewMem()
	first := open(t, mem, "pets", quick)
	if err := first.CreateIndex(ctx, index(t, byName)); err != nil {
		t.Fatal(err)
	}
	faulty := &storetest.Faulty{Store: mem, Choose: func(_ int, what, key string) storetest.Fault {
		if what == "put" && strings.Contains(key, "/data/") {
			return storetest.Crash
		}
		return storetest.Fine
	}}
	dying := open(t, faulty, "pets", quick)
	err := dying.Write(ctx, []collection.Change{{ID: "a", New: parse(t, `{"_id":"a","name":"Milo"}`)}})
	if !errors.Is(err, collection.ErrUnfinished) {
		t.Fatalf("a write that broke off: %v", err)
	}
	waiting := quick
	waiting.Wait = time.Millisecond
	other := open(t, mem, "pets", waiting)
	if err := other.Write(ctx, []collection.Change{{ID: "b", New: parse(t, `{"_id":"b"}`)}}); !errors.Is(err,
		collection.ErrBusy) {
		t.Errorf("beside another writer: %v", err)
	}
	if err := other.Recover(ctx); err != nil {
		t.Fatal(err)
	}
	if docs, err := other.Get(ctx, []string{"a"}); err != nil || docs[0] != nil {
		t.Errorf("a writer that may still be there was not waited for: %v, %v", docs, err)
	}
	later := open(t, mem, "pets", gone)
	write(t, later, "b", `{"_id":"b","name":"Otto"}`)
	if got := ids(t, later, "name_1", "Milo"); got != "a" {
		t.Errorf("Milo: %q", got)
	}
	clean(t, later)
	if docs, err := later.Get(ctx, []string{"a", "b", "c"}); err != nil || docs[0] == nil || docs[1] == nil ||
		docs[2] != nil {
		t.Errorf("%v, %v", docs, err)
	}
}

func TestBounds(t *testing.T) {
	for _, order := range []string{"1", "-1"} {
		st := store.NewMem()
		c := open(t, st, "tasks", quick)
		x := index(t, `{"name":"i","keys":[{"field":"c","order":1},{"field":"p","order":`+order+`}]}`)
		if err := c.CreateIndex(ctx, x); err != nil {
			t.Fatal(err)
		}
		var changes []collection.Change
		for i := range 200 {
			id := fmt.Sprintf("%03d", i)
			changes = append(changes, collection.Change{ID: id, New: parse(t, fmt.Sprintf(`{"_id":%q,"c":1,"p":%d}`,
				id, i/2))})
		}
		if err := c.Write(ctx, changes); err != nil {
			t.Fatal(err)
		}
		clean(t, c)
		e, err := c.Entry(ctx, x, "1")
		all := e.IDs
		if err != nil {
			t.Fatal(err)
		}
		low, high := document.IntValue(10), document.IntValue(12)
		if order == "-1" {
			low, high = high, low
		}
		got, err := c.Bounds(ctx, x, "1", all, &low, &high)
		slices.Sort(got)
		if err != nil || strings.Join(got, " ") != "020 021 022 023 024 025" {
			t.Errorf("order %s: %v, %v", order, got, err)
		}
		if got, err := c.Bounds(ctx, x, "1", all, nil, nil); err != nil || len(got) != 200 {
			t.Errorf("all: %d, %v", len(got), err)
		}
	}
}

// careless is a store that knows no conditions.
type careless struct{ store.Store }

func (c careless) Put(ctx context.Context, key string, body []byte, _ store.Condition) (string, error) {
	return c.Store.Put(ctx, key, body, store.Condition{})
}

// A store without conditions is refused before anything is written, and can be read.
func TestCarelessStore(t *testing.T) {
	mem := store.NewMem()
	sengos(t, mem)
	c := open(t, careless{mem}, "pets", quick)
	before := files(t, mem)
	err := c.Write(ctx, []collection.Change{{ID: "b", New: parse(t, `{"_id":"b","name":"Otto"}`)}})
	if !errors.Is(err, store.ErrUnconditional) {
		t.Errorf("a write: %v", err)
	}
	if after := files(t, mem); !maps.Equal(before, after) {
		t.Errorf("it has left %v", after)
	}
	if got := ids(t, c, "name_1", "Milo"); got != "64a1f2c3e4b5d6789a0b1c2d 64a1f2c3e4b5d6789a0b1c2e" {
		t.Errorf("Milo: %s", got)
	}
}

// Who could not end a write, or does not know whether it has begun, goes on at once when the bucket answers again.
func TestOwnWriteIsEnded(t *testing.T) {
	for _, key := range []string{"/data/", "/sqlfdb/writer", "/indices/"} {
		mem := store.NewMem()
		broken := false
		faulty := &storetest.Faulty{Store: mem, Choose: func(_ int, what, of string) storetest.Fault {
			if broken && strings.Contains(of, key) && what == "put" {
				return storetest.Lost
			}
			return storetest.Fine
		}}
		o := quick
		o.Linger, o.Wait = time.Hour, time.Millisecond
		c := open(t, faulty, "pets", o)
		if err := c.CreateIndex(ctx, index(t, byName)); err != nil {
			t.Fatal(err)
		}
		broken = true
		first := c.Write(ctx, []collection.Change{{ID: "a", New: parse(t, `{"_id":"a","name":"Milo"}`)}})
		broken = false
		write(t, c, "b", `{"_id":"b","name":"Otto"}`)
		if docs, err := c.Get(ctx, []string{"a"}); err != nil || first == nil && docs[0] == nil {
			t.Errorf("%s: acknowledged, and not there: %v", key, err)
		}
		if err := c.Flush(ctx); err != nil {
			t.Fatal(err)
		}
		clean(t, open(t, mem, "pets", quick))
	}
}

// A file that is no document is in nobody's way: others of its entry are written, and it is named where it is asked
// for.
func TestBrokenDocument(t *testing.T) {
	st := store.NewMem()
	sengos(t, st)
	put(t, st, "tasks/data/id1.json", `{"_id":`)
	c := open(t, st, "tasks", quick)
	write(t, c, "id4", `{"_id":"id4","category":"work","status":"active","priority":2.5}`)
	if got := ids(t, c, "category_1_priority_1", "work"); got != "id3 id1 id4 id2" && got != "id3 id4 id1 id2" {
		t.Errorf("work: %s", got)
	}
	if _, err := c.Get(ctx, []string{"id3", "id1"}); !errors.Is(err, collection.ErrDocument) ||
		!strings.Contains(err.Error(), "tasks/data/id1.json") {
		t.Errorf("reading it: %v", err)
	}
	one := collection.Change{ID: "id1", New: parse(t, `{"_id":"id1"}`)}
	if err := c.Write(ctx, []collection.Change{one}); !errors.Is(err, collection.ErrDocument) {
		t.Errorf("writing over it: %v", err)
	}
	write(t, c, "id5", `{"_id":"id5","category":"work","status":"active","priority":0}`)
	put(t, st, "tasks/data/id1.json", `{"_id":"id1","category":"work","status":"active","priority":2}`)
	clean(t, c)
}

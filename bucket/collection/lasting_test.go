package collection_test

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/sqlfdb/sqlfdb/bucket/collection"
	"github.com/sqlfdb/sqlfdb/bucket/layout"
	"github.com/sqlfdb/sqlfdb/bucket/store"
	"github.com/sqlfdb/sqlfdb/bucket/store/storetest"
	"github.com/sqlfdb/sqlfdb/document"
)

const milo = "pets/indices/name_1/Milo.json"

// An entry that can't be read refuses writes to it, and holds up no others; CHECK with repair writes it anew.
func TestBrokenEntry(t *testing.T) {
	st := store.NewMem()
	c := open(t, st, "pets", quick)
	if err := c.CreateIndex(ctx, index(t, byName)); err != nil {
		t.Fatal(err)
	}
	write(t, c, "a", `{"_id":"a","name":"Milo"}`)
	put(t, st, milo, "[")
	b := collection.Change{ID: "b", New: parse(t, `{"_id":"b","name":"Milo"}`)}
	if err := c.Write(ctx, []collection.Change{b}); err == nil || errors.Is(err, collection.ErrUnfinished) ||
		!strings.Contains(err.Error(), milo) {
		t.Errorf("a write to it: %v", err)
	}
	write(t, open(t, st, "pets", quick), "c", `{"_id":"c","name":"Otto"}`)
	if docs, err := c.Get(ctx, []string{"b"}); err != nil || docs[0] != nil {
		t.Errorf("what was refused: %v, %v", docs, err)
	}
	if r, err := c.Check(ctx, collection.CheckOptions{Repair: true}); err != nil || len(r.Violations) != 1 {
		t.Errorf("%v, %v", r.Violations, err)
	}
	write(t, c, "b", `{"_id":"b","name":"Milo"}`)
	clean(t, c)
}

// A writer that is gone has left work on an entry that can't be read: CHECK with repair ends it, wherever it is killed
// itself before.
func TestBrokenEntryOfOneWhoIsGone(t *testing.T) {
	for n := 0; ; n++ {
		mem := store.NewMem()
		if err := open(t, mem, "pets", quick).CreateIndex(ctx, index(t, byName)); err != nil {
			t.Fatal(err)
		}
		dying := open(t, &storetest.Faulty{Store: mem, Choose: func(_ int, what, key string) storetest.Fault {
			if what == "put" && strings.Contains(key, "/data/b") {
				return storetest.CrashBehind
			}
			return storetest.Fine
		}}, "pets", quick)
		_ = dying.Write(ctx, []collection.Change{{ID: "a", New: parse(t, `{"_id":"a","name":"Milo"}`)},
			{ID: "b", New: parse(t, `{"_id":"b","name":"Otto"}`)}})
		put(t, mem, milo, "[")
		next := collection.Change{ID: "c", New: parse(t, `{"_id":"c"}`)}
		if err := open(t, mem, "pets", gone).Write(ctx, []collection.Change{next}); !errors.Is(err,
			collection.ErrUnfinished) {
			t.Fatalf("behind it: %v", err)
		}
		killed := true
		faulty := &storetest.Faulty{Store: mem, Choose: func(i int, _, _ string) storetest.Fault {
			if i == n {
				return storetest.Crash
			}
			return storetest.Fine
		}}
		if c, err := collection.Open(ctx, faulty, "pets", gone); err == nil {
			_, err = c.Check(ctx, collection.CheckOptions{Repair: true})
			killed = err != nil
		}
		// Whoever comes next either can't go on, or finds all done.
		after := open(t, mem, "pets", gone)
		if err := after.Write(ctx, []collection.Change{next}); err != nil {
			if !errors.Is(err, collection.ErrUnfinished) {
				t.Fatal(err)
			}
			if _, err := after.Check(ctx, collection.CheckOptions{Repair: true}); err != nil {
				t.Fatal(err)
			}
		}
		clean(t, after)
		if got := ids(t, after, "name_1", "Milo") + ids(t, after, "name_1", "Otto"); got != "ab" {
			t.Errorf("killed at request %d: %q", n, got)
		}
		if t.Failed() || !killed {
			if n < 10 {
				t.Errorf("only %d requests", n)
			}
			break
		}
	}
}

// The last place of an entry is taken by a write that is tried twice, and one more is refused.
func TestFullEntry(t *testing.T) {
	st := store.NewMem()
	ids := make([]string, collection.MaxEntry-1)
	for i := range ids {
		ids[i] = fmt.Sprint("d", i)
	}
	put(t, st, "pets/data/d0.json", `{"_id":"d0","name":"Milo"}`)
	put(t, st, "pets/indices/name_1.json", byName)
	put(t, st, milo, string(layout.FormatEntry(ids)))
	failed := false
	c := open(t, &storetest.Faulty{Store: st, Choose: func(_ int, what, key string) storetest.Fault {
		if what == "put" && strings.Contains(key, "/data/a") && !failed {
			failed = true
			return storetest.Fails
		}
		return storetest.Fine
	}}, "pets", quick)
	write(t, c, "a", `{"_id":"a","name":"Milo"}`)
	if !failed {
		t.Error("it was not tried twice")
	}
	b := collection.Change{ID: "b", New: parse(t, `{"_id":"b","name":"Milo"}`)}
	if err := c.Write(ctx, []collection.Change{b}); !errors.Is(err, collection.ErrEntryFull) ||
		errors.Is(err, collection.ErrUnfinished) {
		t.Errorf("one more: %v", err)
	}
	write(t, c, "c", `{"_id":"c","name":"Otto"}`)
}

// Ids and values that look like a folder's own files are as good as others.
func TestDotsInFolder(t *testing.T) {
	d, err := store.NewDir(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	c := open(t, d, "pets", quick)
	if err := c.CreateIndex(ctx, index(t, byName)); err != nil {
		t.Fatal(err)
	}
	for _, id := range []string{".sqlfdb-lock", ".sqlfdb-1", "=sqlfdb-lock", ".", "..", "~"} {
		write(t, c, id, fmt.Sprintf(`{"_id":%q,"name":%q}`, id, id))
		if got := ids(t, c, "name_1", layout.Part(mustString(t, id))); got != id {
			t.Errorf("%s: %q", id, got)
		}
	}
	clean(t, c)
}

// The heir of a writer that had not begun, as one of its documents had changed, does nothing: that another document,
// which it was to delete, is gone is no sign that it had.
func TestGoneIsNotBegun(t *testing.T) {
	mem := store.NewMem()
	c := open(t, mem, "pets", quick)
	write(t, c, "a", `{"_id":"a"}`)
	write(t, c, "b", `{"_id":"b"}`)
	write(t, c, "c", `{"_id":"c"}`)
	dying := open(t, &storetest.Faulty{Store: mem, Choose: func(_ int, what, key string) storetest.Fault {
		if what == "put" && strings.HasSuffix(key, "/writer.json") {
			return storetest.CrashBehind
		}
		return storetest.Fine
	}}, "pets", quick)
	changes := []collection.Change{change(t, dying, "a", ""), change(t, dying, "b", `{"_id":"b","by":"dying"}`),
		change(t, dying, "c", `{"_id":"c","by":"dying"}`)}
	write(t, c, "a", "")
	write(t, c, "b", `{"_id":"b","by":"other"}`)
	before := files(t, mem)
	if err := dying.Write(ctx, changes); err == nil {
		t.Fatal("it was not killed")
	}
	later := open(t, mem, "pets", gone)
	if err := later.Recover(ctx); err != nil {
		t.Fatal(err)
	}
	if after := files(t, mem); fmt.Sprint(after) != fmt.Sprint(before) {
		t.Errorf("%v, want %v", after, before)
	}
	clean(t, later)
}

func mustString(t *testing.T, text string) document.Value {
	t.Helper()
	v, err := document.StringValue(text)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// A writer that is taken for gone while it makes an index writes over nothing of its heir's, and sends nothing once it
// knows.
func TestLostWhileMakingAnIndex(t *testing.T) {
	for _, at := range []string{"put pets/indices/name_1/", "list pets/indices/name_1/"} {
		mem := store.NewMem()
		write(t, open(t, mem, "pets", quick), "a", `{"_id":"a","name":"Milo"}`)
		var first *collection.Collection
		met, lost, behind := false, false, 0
		faulty := &storetest.Faulty{Store: mem, Choose: func(_ int, what, key string) storetest.Fault {
			if lost {
				behind++
			}
			lost = lost || met && what == "put" && strings.HasSuffix(key, "/writer.json")
			if first != nil && !met && strings.HasPrefix(what+" "+key, at) {
				met = true
				heir := open(t, mem, "pets", gone)
				if err := heir.Recover(ctx); err != nil {
					t.Error(err)
				}
				if err := heir.CreateIndex(ctx, index(t, byName)); err != nil {
					t.Error(err)
				}
				write(t, heir, "b", `{"_id":"b","name":"Milo"}`)
			}
			return storetest.Fine
		}}
		o := quick
		o.Hold = 4 // every renewal is due
		first = open(t, faulty, "pets", o)
		err := first.CreateIndex(ctx, index(t, byName))
		if err == nil || errors.Is(err, collection.ErrUnfinished) || !met {
			t.Errorf("%s: %v", at, err)
		}
		if strings.HasPrefix(at, "list") && (!lost || behind > 0) {
			t.Errorf("%s: %d requests behind the loss", at, behind)
		}
		last := open(t, mem, "pets", quick)
		if got := ids(t, last, "name_1", "Milo"); got != "a b" {
			t.Errorf("%s: %s", at, got)
		}
		clean(t, last)
	}
}

// Who found an index that Sengo made learns that it was dropped, however long ago that is.
func TestDroppedStaysDropped(t *testing.T) {
	mem := store.NewMem()
	sengos(t, mem)
	o := quick
	o.Fresh = 1
	reader := open(t, mem, "pets", o)
	if _, ok := reader.Index("name_1"); !ok {
		t.Fatal("it is not found")
	}
	other := open(t, mem, "pets", quick)
	if err := other.DropIndex(ctx, "name_1"); err != nil {
		t.Fatal(err)
	}
	text, err := mem.Get(ctx, "pets/sqlfdb/catalog.json", "")
	if err != nil {
		t.Fatal(err)
	}
	at := regexp.MustCompile(`"at":"[^"]*"`)
	if !at.Match(text.Body) {
		t.Fatalf("no time in %s", text.Body)
	}
	put(t, mem, "pets/sqlfdb/catalog.json", at.ReplaceAllString(string(text.Body), `"at":"2020-01-01T00:00:00Z"`))
	if err := other.CreateIndex(ctx, index(t, byCategory)); err != nil {
		t.Fatal(err)
	}
	if err := reader.Refresh(ctx); err != nil {
		t.Fatal(err)
	}
	if _, ok := reader.Index("name_1"); ok {
		t.Error("it is there again")
	}
	// A definition that comes later is one of an index again, for CHECK.
	put(t, mem, "pets/indices/name_1.json", byName)
	if _, ok := open(t, mem, "pets", quick).Index("name_1"); ok {
		t.Error("it is taken for whole")
	}
	if _, err := other.Check(ctx, collection.CheckOptions{Repair: true}); err != nil {
		t.Fatal(err)
	}
	clean(t, other)
	if got := ids(t, open(t, mem, "pets", quick), "name_1", "Milo"); len(strings.Fields(got)) != 2 {
		t.Errorf("Milo: %s", got)
	}
}

// An index whose definition somebody has put there is kept by writes, and read by nobody, until CHECK has written its
// entries; then all know it, also those who opened the collection before.
func TestDefinitionByHand(t *testing.T) {
	for _, written := range []bool{false, true} {
		mem := store.NewMem()
		put(t, mem, "pets/data/a.json", `{"_id":"a","name":"Milo"}`)
		if written {
			write(t, open(t, mem, "pets", quick), "b", `{"_id":"b","name":"Milo"}`)
		}
		put(t, mem, "pets/indices/name_1.json", byName)
		o := quick
		o.Fresh = 1
		before := open(t, mem, "pets", o)
		read := func(c *collection.Collection) bool {
			if err := c.Refresh(ctx); err != nil {
				t.Fatal(err)
			}
			_, ok := c.Index("name_1")
			return ok
		}
		if read(before) {
			t.Error("it is read before it is whole")
		}
		write(t, before, "c", `{"_id":"c","name":"Milo"}`)
		checking := false
		faulty := &storetest.Faulty{Store: mem, Choose: func(_ int, what, key string) storetest.Fault {
			if checking && what == "put" && key == milo && (read(before) || read(open(t, mem, "pets", quick))) {
				t.Error("it is read while it is written")
			}
			return storetest.Fine
		}}
		c := open(t, faulty, "pets", quick)
		if r, err := c.Check(ctx, collection.CheckOptions{}); err != nil || len(r.Violations) == 0 {
			t.Errorf("%v, %v", r.Violations, err)
		}
		if read(before) || read(c) {
			t.Error("it is read after a check that has found it incomplete")
		}
		checking = true
		if _, err := c.Check(ctx, collection.CheckOptions{Repair: true}); err != nil {
			t.Fatal(err)
		}
		if !read(before) || !read(c) || !read(open(t, mem, "pets", quick)) {
			t.Error("it is not known after it was repaired")
		}
		clean(t, before)
	}
}

// No document has an id under which none can be written.
func TestIDsOfNone(t *testing.T) {
	d, err := store.NewDir(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	s3 := storetest.NewServer(t, "pets-bucket", store.NewMem()).Open(t, "")
	for _, st := range []store.Store{d, store.NewMem(), s3} {
		put(t, st, "pets/data/.json", `{"_id":""}`)
		c := open(t, st, "pets", quick)
		docs, err := c.Get(ctx, []string{"", strings.Repeat("x", 300), strings.Repeat("x", 3000)})
		if err != nil || docs[0] != nil || docs[1] != nil || docs[2] != nil {
			t.Errorf("%s: %v, %v", st, docs, err)
		}
	}
}

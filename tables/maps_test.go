package tables_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/sqlfdb/sqlfdb/catalog"
	"github.com/sqlfdb/sqlfdb/internal/testseed"
	"github.com/sqlfdb/sqlfdb/kv"
	"github.com/sqlfdb/sqlfdb/kv/latencykv"
	"github.com/sqlfdb/sqlfdb/tables"
)

// TestFollowLong: however many changes are asked for, a step reads about as many bytes of documents as it is given.
func TestFollowLong(t *testing.T) {
	f := open(t, catalog.Options{})
	const documents, length, budget = 40, 90_000, 500_000
	for i := range documents {
		f.must(func(tx *tables.Tx) error {
			return f.insert(tx, fmt.Sprintf(`{"_id":"%d","t":%q}`, i, strings.Repeat("x", length)))
		})
	}
	def, err := f.cat.AlterTable(f.ctx, "d", "t", func(def *catalog.Table) error {
		_, _, err := def.PutMap(catalog.Map{Name: "m", Views: []catalog.MapView{{Name: "v",
			Function: "function (doc) { emit(doc.t.length); }"}}})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if f.c, err = tables.Open(f.cat, def); err != nil {
		t.Fatal(err)
	}
	g, err := f.c.MapGroup(1)
	if err != nil {
		t.Fatal(err)
	}
	counted := latencykv.New(f.store)
	steps := 0
	for done := false; !done && steps <= documents; steps++ {
		before := counted.Requests()
		tx, err := counted.Begin(f.ctx, kv.TransactionOptions{})
		if err != nil {
			t.Fatal(err)
		}
		within := tables.Within(tx)
		out, err := f.c.FollowMap(f.ctx, within, g, 10_000, budget)
		if err := errors.Join(err, within.Commit(), tx.Commit()); err != nil {
			t.Fatal(err)
		}
		// Of each document the text, in one value, and what it has emitted; beside them the changes.
		if n := counted.Requests() - before; n > 2*(budget/length+2)+6 {
			t.Errorf("step %d makes %d requests for %d changes", steps, n, out.Changes)
		}
		done = out.Done
	}
	if steps < documents*length/budget || steps > documents {
		t.Errorf("%d steps", steps)
	}
	f.clean()
}

// TestBuildMapConflicts: a document that is written while a step makes its rows is a conflict, also where it emits
// nothing before or after.
func TestBuildMapConflicts(t *testing.T) {
	f := open(t, catalog.Options{})
	f.must(func(tx *tables.Tx) error { return f.insert(tx, `{"_id":"a","n":1}`) })
	def, err := f.cat.AlterTable(f.ctx, "d", "t", func(def *catalog.Table) error {
		g, _, err := def.PutMap(catalog.Map{Name: "m", Interactive: true, Views: []catalog.MapView{{Name: "v",
			Function: "function (doc) { if (doc.n % 2) emit(doc.n); }"}}})
		if err == nil {
			g.Building = 1
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if f.c, err = tables.Open(f.cat, def); err != nil {
		t.Fatal(err)
	}
	g, err := f.c.MapGroup(1)
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{`{"_id":"a","n":2}`, `{"_id":"a","n":3}`, ""} {
		f.must(func(tx *tables.Tx) error { // as before the index
			tx.ClearRange(g.Keys.All())
			return nil
		})
		err := f.do(func(step *tables.Tx) error {
			if out, err := f.c.BuildMap(f.ctx, step, g, tables.Part{}, tables.UpgradeBudget{}); err != nil || out.Entered != 1 {
				t.Errorf("%+v, %v", out, err)
			}
			f.must(func(tx *tables.Tx) error {
				if text == "" {
					return f.delete(tx, "a")
				}
				return f.update(tx, text)
			})
			return nil
		})
		if !errors.Is(err, kv.ErrConflict) {
			t.Errorf("a step beside %s: %v", text, err)
		}
		f.must(func(tx *tables.Tx) error {
			if text != "" {
				return f.update(tx, `{"_id":"a","n":1}`)
			}
			return nil
		})
	}
}

// TestMaps writes documents at random while one group is built from the middle on, and another one follows the changes:
// at each version that is looked at, Check finds nothing wrong, and at the end each has what its documents emit.
func TestMaps(t *testing.T) {
	f := open(t, catalog.Options{})
	rnd := rand.New(rand.NewPCG(testseed.Of(t, "", 0), 24))
	const function = `function (doc) {
		if (doc.n % 7 === 6) throw 'seven';
		for (var i = 0; i < doc.n % 4; i++) emit([doc.n, i % 2], doc.t);
	}`
	write := func(n int) {
		for range n {
			f.must(func(tx *tables.Tx) error {
				for range 1 + rnd.IntN(4) {
					id := fmt.Sprintf("d%02d", rnd.IntN(40))
					text := fmt.Sprintf(`{"_id":%q,"n":%d,"t":"%d"}`, id, rnd.IntN(30), rnd.IntN(3))
					pk, _ := f.parse(text)
					_, there, err := f.c.Get(tx, pk).Get()
					switch {
					case err != nil:
						return err
					case !there:
						err = f.insert(tx, text)
					case rnd.IntN(4) == 0:
						err = f.delete(tx, id)
					default:
						err = f.update(tx, text)
					}
					if err != nil {
						return err
					}
				}
				return nil
			})
		}
	}
	write(20)
	alter := func(edit func(*catalog.Table) error) {
		def, err := f.cat.AlterTable(f.ctx, "d", "t", edit)
		if err != nil {
			t.Fatal(err)
		}
		if f.c, err = tables.Open(f.cat, def); err != nil {
			t.Fatal(err)
		}
	}
	alter(func(def *catalog.Table) error {
		for _, interactive := range []bool{true, false} {
			g, _, err := def.PutMap(catalog.Map{Name: fmt.Sprint("m", interactive), Interactive: interactive,
				Views: []catalog.MapView{{Name: "v", Function: function}}})
			if err != nil {
				return err
			}
			if interactive {
				g.Building = 1
			}
		}
		return nil
	})
	built, err := f.c.MapGroup(1)
	if err != nil {
		t.Fatal(err)
	}
	followed, err := f.c.MapGroup(2)
	if err != nil {
		t.Fatal(err)
	}
	next, done := []byte(nil), false
	for !done {
		write(2)
		f.must(func(tx *tables.Tx) error {
			out, err := f.c.BuildMap(f.ctx, tx, built, tables.Part{From: next}, tables.UpgradeBudget{Documents: 5})
			next, done = out.Next, out.Next == nil
			return err
		})
		f.must(func(tx *tables.Tx) error {
			_, err := f.c.FollowMap(f.ctx, tx, followed, 3, 0)
			return err
		})
		f.clean()
	}
	alter(func(def *catalog.Table) error { def.MapBuilt(1); return nil })
	write(20)
	f.clean()
	for behind := true; behind; {
		f.must(func(tx *tables.Tx) error {
			out, err := f.c.FollowMap(f.ctx, tx, followed, 7, 0)
			behind = !out.Done
			return err
		})
		f.clean()
	}
	f.must(func(tx *tables.Tx) error {
		a, err := built.Count(tx, 0)
		if err != nil {
			return err
		}
		b, err := followed.Count(tx, 0)
		if a != b || a.Entries == 0 {
			t.Errorf("%+v rows are kept, %+v follow", a, b)
		}
		return err
	})
	x, _ := f.parse(`{"_id":"x"}`)
	// What Check is to find, it finds.
	found := 0
	for _, damage := range []struct {
		what string
		do   func(tx *tables.Tx)
	}{
		{"a count", func(tx *tables.Tx) { tx.Add(built.Keys.Info(0), []byte{1}) }},
		{"a stray group", func(tx *tables.Tx) { tx.Set(f.c.Keys().Maps(9).Row(0, []byte{0x10}, x, 0), []byte("x")) }},
		{"a row of nobody", func(tx *tables.Tx) {
			tx.Set(built.Keys.Row(0, []byte{0x10}, x, 0),
				[]byte("\x04nullnull"))
		}},
	} {
		f.must(func(tx *tables.Tx) error { damage.do(tx); return nil })
		now := len(f.violations())
		if now <= found {
			t.Errorf("%s: nothing is found", damage.what)
		}
		found = now
	}
}

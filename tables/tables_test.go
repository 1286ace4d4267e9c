package tables_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/sqlfdb/sqlfdb/catalog"
	"github.com/sqlfdb/sqlfdb/changes"
	"github.com/sqlfdb/sqlfdb/document"
	"github.com/sqlfdb/sqlfdb/indexes"
	"github.com/sqlfdb/sqlfdb/kv"
	"github.com/sqlfdb/sqlfdb/kv/pebblekv"
	"github.com/sqlfdb/sqlfdb/tables"
)

type fixture struct {
	t     testing.TB
	ctx   context.Context
	store kv.Store
	cat   *catalog.Catalog
	c     *tables.Collection
}

func open(t testing.TB, options catalog.Options) *fixture {
	t.Helper()
	ctx := context.Background()
	store, err := pebblekv.Open(t.TempDir(), pebblekv.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := store.Close(); err != nil {
			t.Error(err)
		}
	})
	cat, err := catalog.Open(ctx, store)
	if err != nil {
		t.Fatal(err)
	}
	if err := cat.CreateDatabase(ctx, "d", ""); err != nil {
		t.Fatal(err)
	}
	def, err := cat.CreateTable(ctx, &catalog.Table{Database: "d", Name: "t", Open: true, Options: options,
		Columns: []catalog.Column{{Name: "_id", Type: "varchar(255)", Length: 255}}, PrimaryKey: []int{0}})
	if err != nil {
		t.Fatal(err)
	}
	c, err := tables.Open(cat, def)
	if err != nil {
		t.Fatal(err)
	}
	return &fixture{t: t, ctx: ctx, store: store, cat: cat, c: c}
}

// do runs fn in a transaction and commits it unless fn fails.
func (f *fixture) do(fn func(tx *tables.Tx) error) error {
	f.t.Helper()
	tx, err := tables.Begin(f.ctx, f.store)
	if err != nil {
		f.t.Fatal(err)
	}
	defer tx.Cancel()
	if err := fn(tx); err != nil {
		return err
	}
	return tx.Commit()
}

func (f *fixture) must(fn func(tx *tables.Tx) error) {
	f.t.Helper()
	if err := f.do(fn); err != nil {
		f.t.Fatal(err)
	}
}

func (f *fixture) parse(text string) (pk []byte, d document.Document) {
	f.t.Helper()
	d, err := document.Parse([]byte(text), document.Limits{})
	if err != nil {
		f.t.Fatal(err)
	}
	pk, d, err = tables.PrimaryKeyOf(f.c.Definition(), d)
	if err != nil {
		f.t.Fatal(err)
	}
	return pk, d
}

func (f *fixture) insert(tx *tables.Tx, text string) error {
	pk, d := f.parse(text)
	return f.c.Insert(f.ctx, tx, pk, d)
}

func (f *fixture) update(tx *tables.Tx, text string) error {
	pk, d := f.parse(text)
	return f.c.Update(f.ctx, tx, pk, func(document.Document) (document.Document, error) { return d, nil })
}

func (f *fixture) delete(tx *tables.Tx, id string) error {
	pk, _ := f.parse(fmt.Sprintf(`{"_id":%q}`, id))
	return f.c.Delete(f.ctx, tx, pk)
}

// read calls fn with a reader of committed state.
func (f *fixture) read(fn func(r kv.Reader)) {
	f.t.Helper()
	tx, err := f.store.Begin(f.ctx, kv.TransactionOptions{})
	if err != nil {
		f.t.Fatal(err)
	}
	defer tx.Cancel()
	fn(tx.Snapshot())
}

func (f *fixture) check() (sum tables.Summary, violations []string) {
	f.t.Helper()
	f.read(func(r kv.Reader) {
		var err error
		sum, err = f.c.Check(f.ctx, r, func(v tables.Violation) { violations = append(violations, v.Error()) })
		if err != nil {
			f.t.Fatal(err)
		}
	})
	return sum, violations
}

func (f *fixture) clean() tables.Summary {
	f.t.Helper()
	sum, violations := f.check()
	for _, v := range violations {
		f.t.Error(v)
	}
	return sum
}

func (f *fixture) rows(rows tables.Rows) []string {
	f.t.Helper()
	defer rows.Close()
	var out []string
	for rows.Next() {
		out = append(out, rows.Document().Text())
	}
	if err := rows.Err(); err != nil {
		f.t.Fatal(err)
	}
	return out
}

func TestInsertUpdateDelete(t *testing.T) {
	f := open(t, catalog.Options{})
	f.must(func(tx *tables.Tx) error { return f.insert(tx, `{"_id":"a","n":1,"tags":["x","y"],"o":{"p":null}}`) })
	if err := f.do(func(tx *tables.Tx) error { return f.insert(tx, `{"_id":"a"}`) }); !errors.Is(err,
		tables.ErrDuplicate) {
		t.Errorf("second insert: %v", err)
	}
	sum := f.clean()
	// _id, n, tags, two elements, o, o.p
	if sum.Documents != 1 || sum.Entries != 7 || sum.Keypaths != 6 || sum.Changes != 1 {
		t.Errorf("after insert: %+v", sum)
	}
	f.must(func(tx *tables.Tx) error {
		return f.update(tx, `{"_id":"a","n":1.50,"tags":["y"],"long":"`+strings.Repeat("é", 150_000)+`"}`)
	})
	if sum = f.clean(); sum.Documents != 1 || sum.Entries != 5 || sum.Changes != 1 {
		t.Errorf("after update: %+v", sum)
	}
	f.must(func(tx *tables.Tx) error { return f.update(tx, `{"_id":"a"}`) })
	if sum = f.clean(); sum.DocumentBytes != 11 {
		t.Errorf("after shrinking: %+v", sum)
	}
	f.must(func(tx *tables.Tx) error { return f.delete(tx, "a") })
	if sum = f.clean(); sum.Documents != 0 || sum.Entries != 0 || sum.Changes != 1 {
		t.Errorf("after delete: %+v", sum)
	}
	if err := f.do(func(tx *tables.Tx) error { return f.delete(tx, "a") }); !errors.Is(err, tables.ErrMissing) {
		t.Errorf("second delete: %v", err)
	}
	f.must(func(tx *tables.Tx) error { return f.insert(tx, `{"_id":"a"}`) })
	f.read(func(r kv.Reader) {
		pk, _ := f.parse(`{"_id":"a"}`)
		meta, ok, err := f.c.Rev(r, pk)
		if err != nil || !ok || meta.Rev.Position != 5 || meta.Deleted {
			t.Errorf("revision after re-insert: %+v %v %v", meta, ok, err)
		}
	})
	f.clean()
}

// TestManyChangesOfOneDocument: within a transaction a document has at most one
// pending change, and re-inserting takes the tombstone back.
func TestManyChangesOfOneDocument(t *testing.T) {
	f := open(t, catalog.Options{})
	f.must(func(tx *tables.Tx) error {
		return errors.Join(f.insert(tx, `{"_id":"a","n":1}`), f.insert(tx, `{"_id":"b"}`), f.update(tx, `{"_id":"a","n":2}`),
			f.delete(tx, "a"), f.insert(tx, `{"_id":"a","n":3}`))
	})
	f.clean()
	var ids []string
	f.read(func(r kv.Reader) {
		it := f.c.Log().Read(r, changes.ReadOptions{})
		defer it.Close()
		var last string
		for it.Next() {
			if s := it.Change().Sequence.String(); s <= last {
				t.Errorf("sequence %s after %s", s, last)
			} else {
				last = s
			}
			d, ok, err := f.c.Get(r, it.Change().PK).Get()
			if err != nil || !ok {
				t.Fatal(ok, err)
			}
			ids = append(ids, d.Text())
		}
	})
	if got := strings.Join(ids, " "); got != `{"_id":"b"} {"_id":"a","n":3}` {
		t.Errorf("feed: %s", got)
	}
}

// TestStatementRollback: what a rolled back bracket wrote leaves nothing behind.
func TestStatementRollback(t *testing.T) {
	f := open(t, catalog.Options{})
	f.must(func(tx *tables.Tx) error { return f.insert(tx, `{"_id":"a","n":1}`) })
	f.must(func(tx *tables.Tx) error {
		if err := f.update(tx, `{"_id":"a","n":2}`); err != nil {
			return err
		}
		mark := tx.Begin()
		err := errors.Join(f.update(tx, `{"_id":"a","n":3,"x":[1,2]}`), f.insert(tx, `{"_id":"b"}`), f.delete(tx, "a"))
		tx.RollbackTo(mark)
		tx.Release(mark)
		return err
	})
	if sum := f.clean(); sum.Documents != 1 || sum.Changes != 1 {
		t.Errorf("%+v", sum)
	}
	f.read(func(r kv.Reader) {
		if got := f.rows(f.c.Scan(r, indexes.Everything(), tables.ScanOptions{})); len(got) != 1 ||
			got[0] != `{"_id":"a","n":2}` {
			t.Errorf("documents: %s", got)
		}
	})
}

// TestChangesGivenBack: what was undone does not count among the changes of a
// transaction, and the numbers that come again are those of other documents.
func TestChangesGivenBack(t *testing.T) {
	f := open(t, catalog.Options{Excluded: []string{"n"}})
	f.must(func(tx *tables.Tx) error {
		insert := func(from, to int) error {
			for i := from; i < to; i++ {
				if err := f.insert(tx, fmt.Sprintf(`{"_id":"%d","n":1}`, i)); err != nil {
					return err
				}
			}
			return nil
		}
		const batch = 9_500
		if err := insert(0, 10); err != nil {
			return err
		}
		for round := range 14 { // 133,000 changes, more than 65,536 by each way
			if round%2 == 0 {
				mark := tx.Begin()
				if err := insert(100, 100+batch); err != nil {
					return fmt.Errorf("round %d: %w", round, err)
				}
				tx.RollbackTo(mark)
				tx.Release(mark)
				continue
			}
			tx.Savepoint("s")
			if err := insert(200, 200+batch); err != nil {
				return fmt.Errorf("round %d: %w", round, err)
			}
			if err := tx.RollbackToSavepoint("S"); err != nil {
				return err
			}
		}
		mark := tx.Begin()
		if err := errors.Join(insert(10, 15), f.delete(tx, "3")); err != nil {
			return err
		}
		tx.RollbackTo(mark)
		tx.Release(mark)
		return insert(15, 20)
	})
	if sum := f.clean(); sum.Documents != 15 || sum.Changes != 15 {
		t.Errorf("%+v", sum)
	}
}

// TestCheckNamesViolations: CHECK must find each kind of damage.
func TestCheckNamesViolations(t *testing.T) {
	damage := map[string]func(f *fixture, tx kv.Transaction, pk []byte){
		"an entry is missing": func(f *fixture, tx kv.Transaction, pk []byte) {
			it := tx.Range(f.c.Keys().Entries(), kv.RangeOptions{Limit: 1})
			defer it.Close()
			it.Next()
			tx.Clear(it.Key())
		},
		"an entry has no value in a document": func(f *fixture, tx kv.Transaction, pk []byte) {
			tx.Set(f.c.Keys().AppendEntry(nil, 1, 0, []byte{0x10}, pk, nil), nil)
		},
		"a count is wrong": func(f *fixture, tx kv.Transaction, pk []byte) {
			tx.Add(f.c.Keys().Counter(1, int64(document.KindString)),
				[]byte{1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0})
		},
		"the count of documents is wrong": func(f *fixture, tx kv.Transaction,
			pk []byte) {
			tx.Clear(f.c.Keys().InfoDocuments())
		},
		"the count of all entries is wrong": func(f *fixture, tx kv.Transaction,
			pk []byte) {
			tx.Clear(f.c.Keys().InfoEntries())
		},
		"a revision has no change in the feed": func(f *fixture, tx kv.Transaction,
			pk []byte) {
			tx.ClearRange(f.c.Keys().Changes())
		},
		"a document has no revision": func(f *fixture, tx kv.Transaction, pk []byte) { tx.Clear(f.c.Keys().Meta(pk)) },
		"a revision says that the document lives, but it is not there": func(f *fixture, tx kv.Transaction, pk []byte) {
			tx.ClearRange(f.c.Keys().DocumentChunks(pk))
		},
	}
	for what, harm := range damage {
		t.Run(what, func(t *testing.T) {
			f := open(t, catalog.Options{})
			f.must(func(tx *tables.Tx) error {
				return errors.Join(f.insert(tx, `{"_id":"a","n":1}`), f.insert(tx, `{"_id":"b","tags":["x"]}`))
			})
			f.clean()
			pk, _ := f.parse(`{"_id":"a"}`)
			err := kv.Transact(f.ctx, f.store, kv.TransactOptions{}, func(tx kv.Transaction) error {
				harm(f, tx, pk)
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
			if _, violations := f.check(); !strings.Contains(strings.Join(violations, "\n"), what) {
				t.Errorf("CHECK says %q", violations)
			}
		})
	}
}

// TestRandomWrites: whatever is written, documents = entries = counts = changes,
// and the documents are those of a map.
func TestRandomWrites(t *testing.T) {
	value := rapid.OneOf(
		rapid.Just("null"), rapid.Just("true"), rapid.Just("{}"), rapid.Just("[]"), rapid.Just(`[[1],{"x":[2]}]`),
		rapid.Just("12345678901234567890123"),
		rapid.Custom(func(t *rapid.T) string { return fmt.Sprint(rapid.IntRange(-5, 5).Draw(t, "int")) }),
		rapid.Custom(func(t *rapid.T) string {
			return fmt.Sprintf("%q", rapid.StringMatching("[a-zé]{0,4}").Draw(t, "string"))
		}),
		rapid.Custom(func(t *rapid.T) string {
			return fmt.Sprintf(`{"k":[%d,"s",{"m":1.5}]}`, rapid.IntRange(0, 3).Draw(t, "int"))
		}),
	)
	f := open(t, catalog.Options{})
	rapid.Check(t, func(rt *rapid.T) {
		f.must(func(tx *tables.Tx) error { return nil })
		model := map[string]string{}
		f.read(func(r kv.Reader) {
			rows := f.c.Scan(r, indexes.Everything(), tables.ScanOptions{})
			defer rows.Close()
			for rows.Next() {
				id, _ := rows.Document().Member("_id")
				model[id.Str()] = rows.Document().Text()
			}
		})
		for range rapid.IntRange(1, 3).Draw(rt, "transactions") {
			next := map[string]string{}
			for k, v := range model {
				next[k] = v
			}
			fail := rapid.Bool().Draw(rt, "roll back")
			stop := errors.New("roll back")
			err := f.do(func(tx *tables.Tx) error {
				for range rapid.IntRange(1, 6).Draw(rt, "writes") {
					id := rapid.SampledFrom([]string{"a", "b", "c", "d"}).Draw(rt, "id")
					text := fmt.Sprintf(`{"_id":%q,"p":%s,"q":%s}`, id, value.Draw(rt, "p"), value.Draw(rt, "q"))
					_, there := next[id]
					switch {
					case !there:
						if err := f.insert(tx, text); err != nil {
							rt.Fatal(err)
						}
						next[id] = text
					case rapid.Bool().Draw(rt, "delete"):
						if err := f.delete(tx, id); err != nil {
							rt.Fatal(err)
						}
						delete(next, id)
					default:
						if err := f.update(tx, text); err != nil {
							rt.Fatal(err)
						}
						next[id] = text
					}
				}
				if fail {
					return stop
				}
				return nil
			})
			if fail != errors.Is(err, stop) {
				rt.Fatal(err)
			}
			if !fail {
				model = next
			}
		}
		if _, violations := f.check(); len(violations) > 0 {
			rt.Fatal(violations)
		}
		f.read(func(r kv.Reader) {
			got := f.rows(f.c.Scan(r, indexes.Everything(), tables.ScanOptions{}))
			back := f.rows(f.c.Scan(r, indexes.Everything(), tables.ScanOptions{Reverse: true}))
			if len(got) != len(model) || len(back) != len(model) {
				rt.Fatalf("%d documents forwards, %d backwards, want %d", len(got), len(back), len(model))
			}
			for i, text := range got {
				d, err := document.Parse([]byte(text), document.Limits{})
				if err != nil {
					rt.Fatal(err)
				}
				id, _ := d.Member("_id")
				if model[id.Str()] != text || back[len(back)-1-i] != text {
					rt.Fatalf("document %s, want %s", text, model[id.Str()])
				}
			}
		})
	})
}

// TestUpdateWritesTheDifference: changing one of 20 fields writes the keys of that field,
// the document, its meta and the change, no more.
func TestUpdateWritesTheDifference(t *testing.T) {
	f := open(t, catalog.Options{})
	text := `{"_id":"a"`
	for i := range 20 {
		text += fmt.Sprintf(`,"f%d":%d`, i, i)
	}
	text += "}"
	f.must(func(tx *tables.Tx) error { return f.insert(tx, text) })
	w := &recorder{}
	m, err := indexes.NewMaintainer(f.c.Definition(), f.c.Dictionary())
	if err != nil {
		t.Fatal(err)
	}
	pk, old := f.parse(text)
	_, new := f.parse(strings.Replace(text, `"f7":7`, `"f7":8`, 1))
	delta, err := m.Update(f.ctx, w, pk, &indexes.Versioned{Document: old}, &indexes.Versioned{Document: new})
	if err != nil {
		t.Fatal(err)
	}
	if w.sets != 1 || w.clears != 1 || len(delta) != 0 {
		t.Errorf("%d sets, %d clears, %d counters; want 1, 1, 0", w.sets, w.clears, len(delta))
	}
}

// recorder counts writes.
type recorder struct {
	kv.Writer
	sets, clears int
}

func (r *recorder) Set(_, _ []byte) { r.sets++ }
func (r *recorder) Clear(_ []byte)  { r.clears++ }

// TestManyUpdatesOfOne: the limit of changes in a transaction counts documents,
// not how often one of them is changed.
func TestManyUpdatesOfOne(t *testing.T) {
	f := open(t, catalog.Options{})
	f.must(func(tx *tables.Tx) error {
		if err := f.insert(tx, `{"_id":"other"}`); err != nil {
			return err
		}
		if err := f.insert(tx, `{"_id":"a","n":0}`); err != nil {
			return err
		}
		for i := range 70_000 {
			if err := f.update(tx, fmt.Sprintf(`{"_id":"a","n":%d}`, i%7+1)); err != nil {
				return fmt.Errorf("update %d: %w", i, err)
			}
		}
		return f.update(tx, `{"_id":"other","n":1}`)
	})
	f.clean()
	f.read(func(r kv.Reader) {
		feed := f.c.Log().Read(r, changes.ReadOptions{})
		defer feed.Close()
		var order []string
		for feed.Next() {
			d, _, err := f.c.Get(r, feed.Change().PK).Get()
			if err != nil {
				t.Fatal(err)
			}
			order = append(order, d.Text())
		}
		if want := `[{"_id":"a","n":7} {"_id":"other","n":1}]`; fmt.Sprint(order) != want {
			t.Errorf("the feed is %v, want %s", order, want)
		}
	})
}

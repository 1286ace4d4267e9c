package jobs_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/sqlfdb/sqlfdb/catalog"
	"github.com/sqlfdb/sqlfdb/collation/collationtest"
	"github.com/sqlfdb/sqlfdb/costing"
	"github.com/sqlfdb/sqlfdb/document"
	"github.com/sqlfdb/sqlfdb/indexes"
	"github.com/sqlfdb/sqlfdb/jobs"
	"github.com/sqlfdb/sqlfdb/keyspace"
	"github.com/sqlfdb/sqlfdb/kv"
	"github.com/sqlfdb/sqlfdb/tables"
)

// world is a table with the documents that it must hold.
type world struct {
	t    *testing.T
	ctx  context.Context
	rnd  *rand.Rand
	cat  *catalog.Catalog
	name string
	docs map[string]string // text by packed primary key
	next int
}

func newWorld(t *testing.T, seed uint64) *world {
	t.Helper()
	cat := open(t)
	if err := cat.CreateDatabase(context.Background(), "d", ""); err != nil {
		t.Fatal(err)
	}
	_, err := cat.CreateTable(context.Background(), &catalog.Table{Database: "d", Name: "t", Open: true,
		Columns: []catalog.Column{{Name: "_id", Type: "varchar(255)", Length: 255},
			{Name: "b.x", Type: "blob", Class: catalog.ClassBytes}}, PrimaryKey: []int{0}})
	if err != nil {
		t.Fatal(err)
	}
	return &world{t: t, ctx: ctxOf(t), rnd: rand.New(rand.NewPCG(seed, 1)), cat: cat, name: "t", docs: map[string]string{}}
}

// reopen drops what the process knew.
func (w *world) reopen() {
	w.t.Helper()
	cat, err := catalog.Open(w.ctx, w.cat.Store())
	if err != nil {
		w.t.Fatal(err)
	}
	w.cat = cat
}

// within runs do on the collection as it is defined now.
func (w *world) within(do func(tx *tables.Tx, c *tables.Collection) error) error {
	return kv.Transact(w.ctx, w.cat.Store(),
		kv.TransactOptions{Transaction: kv.TransactionOptions{NoReadYourWrites: true}}, func(base kv.Transaction) error {
			tx := tables.Within(base)
			view, err := w.cat.View(tx)
			if err != nil {
				return err
			}
			def, ok := view.Table("d", w.name)
			if !ok {
				return catalog.ErrNoTable
			}
			c, err := tables.Open(w.cat, def)
			if err != nil {
				return err
			}
			if err := do(tx, c); err != nil {
				return err
			}
			return tx.Commit()
		})
}

func (w *world) value(depth int) string {
	switch n := w.rnd.IntN(12); {
	case n == 0:
		return "null"
	case n == 1:
		return "true"
	case n < 4:
		return fmt.Sprint(w.rnd.IntN(5))
	case n < 5:
		return "1.50"
	case n < 8 || depth > 3:
		return `"` + strings.Repeat(string([]rune("aÄzB日")[w.rnd.IntN(5)]), 1+w.rnd.IntN(12)) + `"`
	case n < 10:
		var b strings.Builder
		b.WriteString(`{`)
		for i, name := range []string{"x", "y"}[:w.rnd.IntN(3)] {
			if i > 0 {
				b.WriteString(",")
			}
			fmt.Fprintf(&b, "%q:%s", name, w.value(depth+1))
		}
		return b.String() + "}"
	}
	var parts []string
	for range w.rnd.IntN(3) {
		parts = append(parts, w.value(depth+1))
	}
	return "[" + strings.Join(parts, ",") + "]"
}

// write inserts, updates or deletes a few documents.
func (w *world) write() {
	w.t.Helper()
	keys := slices.Sorted(maps.Keys(w.docs))
	after := maps.Clone(w.docs)
	next := w.next
	type op struct{ pk, text string }
	var ops []op
	for range 1 + w.rnd.IntN(3) {
		text := fmt.Sprintf(`{"_id":"","a":%s,"b":%s}`, w.value(0), w.value(0))
		switch n := w.rnd.IntN(4); {
		case n < 2 || len(keys) == 0:
			next++
			ops = append(ops, op{"", strings.Replace(text, `""`, fmt.Sprintf(`"k%d"`, w.rnd.IntN(900)*1000+next), 1)})
		case n == 2:
			ops = append(ops, op{keys[w.rnd.IntN(len(keys))], text})
		default:
			ops = append(ops, op{keys[w.rnd.IntN(len(keys))], ""})
		}
	}
	err := w.within(func(tx *tables.Tx, c *tables.Collection) error {
		after = maps.Clone(w.docs)
		for _, o := range ops {
			pk := []byte(o.pk)
			old, there := after[o.pk]
			switch {
			case o.pk == "":
				d, err := document.Parse([]byte(o.text), document.Limits{})
				if err != nil {
					return err
				}
				if pk, _, err = tables.PrimaryKeyOf(c.Definition(), d); err != nil {
					return err
				}
				if err := c.Insert(w.ctx, tx, pk, d); err != nil {
					return err
				}
				after[string(pk)] = d.Text()
			case !there: // deleted by this transaction
			case o.text == "":
				if err := c.Delete(w.ctx, tx, pk); err != nil {
					return err
				}
				delete(after, o.pk)
			default:
				id := old[:strings.Index(old, `,"a":`)]
				d, err := document.Parse([]byte(id+o.text[strings.Index(o.text, `,"a":`):]), document.Limits{})
				if err != nil {
					return err
				}
				if err := c.Update(w.ctx, tx, pk, func(document.Document) (document.Document, error) {
					return d,
						nil
				}); err != nil {
					return err
				}
				after[o.pk] = d.Text()
			}
		}
		return nil
	})
	if err != nil {
		w.t.Fatal(err)
	}
	w.docs, w.next = after, next
}

// verify proves that the table holds the documents, checks clean, counts right and
// finds what it must.
func (w *world) verify() {
	w.t.Helper()
	err := w.within(func(tx *tables.Tx, c *tables.Collection) error {
		_, err := c.Check(w.ctx, tx.Snapshot(), func(v tables.Violation) { w.t.Errorf("check: %s", v.Error()) })
		if err != nil {
			return err
		}
		got := map[string]string{}
		rows := c.Scan(tx, indexes.Everything(), tables.ScanOptions{})
		defer rows.Close()
		counts := map[string]costing.Keypath{}
		// A fresh maintainer of the same definition counts what there must be.
		maintainer, err := indexes.NewMaintainer(c.Definition(), c.Dictionary())
		if err != nil {
			return err
		}
		hits := map[string][]string{} // keypath -> primary keys
		for rows.Next() {
			got[string(rows.PK())] = rows.Document().Text()
			v := indexes.Versioned{Document: rows.Document(), Generation: c.Definition().Generation}
			delta, err := maintainer.Entries(w.ctx, rows.PK(), v, func([]byte) error { return nil })
			if err != nil {
				return err
			}
			for _, x := range delta {
				name, _ := c.Dictionary().Name(x.Keypath)
				if counts[name] == nil {
					counts[name] = costing.Keypath{}
				}
				counts[name][x.Kind] = counts[name][x.Kind].Add(costing.Count{Documents: x.Documents, Entries: x.Entries,
					Bytes: x.Bytes})
				if n := len(hits[name]); n == 0 || hits[name][n-1] != string(rows.PK()) {
					hits[name] = append(hits[name], string(rows.PK()))
				}
			}
		}
		if err := rows.Err(); err != nil {
			return err
		}
		if !maps.Equal(got, w.docs) {
			w.t.Errorf("%d documents, want %d", len(got), len(w.docs))
		}
		stats := c.Statistics(tx)
		if n, size, err := stats.Documents(); err != nil || n != int64(len(w.docs)) {
			w.t.Errorf("%d documents of %d bytes counted, want %d: %v", n, size, len(w.docs), err)
		}
		if !c.Rebuilding() {
			w.verifyCounts(c, stats, counts)
		}
		for _, name := range []string{"a", "b", "a.x", "a[*]", "b.x.y"} {
			number, ok, err := c.Dictionary().Lookup(tx, name)
			if err != nil || !ok {
				continue
			}
			var found []string
			rows := c.Lookup(tx, number, indexes.InVersion(0, indexes.Everything()), tables.LookupOptions{Repeats: true})
			for rows.Next() {
				found = append(found, string(rows.PK()))
			}
			rows.Close()
			slices.Sort(found)
			if !slices.Equal(found, hits[name]) {
				w.t.Errorf("%s: %d found, want %d: %v", name, len(found), len(hits[name]), rows.Err())
			}
		}
		return nil
	})
	if err != nil {
		w.t.Fatal(err)
	}
}

func (w *world) verifyCounts(c *tables.Collection, stats costing.Statistics, want map[string]costing.Keypath) {
	w.t.Helper()
	all, err := stats.Keypaths()
	if err != nil {
		w.t.Error(err)
	}
	for number, kinds := range all {
		name, _ := c.Dictionary().Name(number)
		if !maps.Equal(kinds, want[name]) {
			w.t.Errorf("%s: counted %v, want %v", name, kinds, want[name])
		}
	}
	if len(all) != len(want) {
		w.t.Errorf("%d keypaths counted, want %d", len(all), len(want))
	}
}

// index is all that one version of a collection's index holds, spelled such that
// two collections can be compared.
func (w *world) index(name string) map[string]string {
	w.t.Helper()
	out := map[string]string{}
	was := w.name
	w.name = name
	defer func() { w.name = was }()
	err := w.within(func(tx *tables.Tx, c *tables.Collection) error {
		if _, err := c.Dictionary().All(tx); err != nil {
			return err
		}
		it := tx.Range(c.Keys().Index(), kv.RangeOptions{})
		defer it.Close()
		for it.Next() {
			e, err := c.Keys().SplitEntry(it.Key())
			if err == nil && bytes.HasPrefix(it.Key(), c.Keys().Entries().Start) {
				path, _ := c.Dictionary().Name(e.Keypath)
				out[fmt.Sprintf("entry %s %d %x %x %x", path, e.FieldVersion, e.Value, e.PK, e.Positions)] = ""
				continue
			}
			count, err := costing.DecodeCounter(it.Value())
			if err != nil {
				return err
			}
			if number, kind, err := c.Keys().SplitCounter(it.Key()); err == nil &&
				bytes.HasPrefix(it.Key(), c.Keys().AllCounters().Start) {
				path, _ := c.Dictionary().Name(number)
				count.Bytes = 0 // keypath numbers differ in length
				if !count.IsZero() {
					out[fmt.Sprintf("count %s %d", path, kind)] = fmt.Sprint(count)
				}
			} else if count.Bytes = 0; !count.IsZero() {
				out[fmt.Sprintf("info %x", it.Key()[len(c.Keys().Index().Start):])] = fmt.Sprint(count)
			}
		}
		return it.Err()
	})
	if err != nil {
		w.t.Fatal(err)
	}
	return out
}

// compareWithFresh: the index equals one that was built afresh, and nothing of
// another version is left.
func (w *world) compareWithFresh() {
	w.t.Helper()
	var def *catalog.Table
	err := w.within(func(tx *tables.Tx, c *tables.Collection) error {
		def = c.Definition().Clone()
		all := keyspace.NewCollectionAt(def.ID, 1, 0)
		r := kv.Range{Start: all.Index().Start, End: all.Changes().Start}
		it := tx.Range(r, kv.RangeOptions{})
		defer it.Close()
		for it.Next() {
			if !bytes.HasPrefix(it.Key(), c.Keys().Index().Start) {
				w.t.Errorf("left behind: %x", it.Key())
				break
			}
		}
		return it.Err()
	})
	if err != nil {
		w.t.Fatal(err)
	}
	fresh := def
	fresh.Name, fresh.Generation, fresh.IndexVersion = "fresh", 0, 0
	if _, err := w.cat.CreateTable(w.ctx, fresh); err != nil {
		w.t.Fatal(err)
	}
	was := w.name
	w.name = "fresh"
	err = w.within(func(tx *tables.Tx, c *tables.Collection) error {
		for pk, text := range w.docs {
			d, err := document.Parse([]byte(text), document.Limits{})
			if err != nil {
				return err
			}
			if err := c.Insert(w.ctx, tx, []byte(pk), d); err != nil {
				return err
			}
		}
		return nil
	})
	w.name = was
	if err != nil {
		w.t.Fatal(err)
	}
	got, want := w.index("t"), w.index("fresh")
	if len(want) == 0 && len(w.docs) > 0 {
		w.t.Error("nothing to compare with")
	}
	for k, v := range want {
		if there, ok := got[k]; !ok || there != v {
			w.t.Errorf("%s: %q, want %q", k, got[k], v)
		}
	}
	for k := range got {
		if _, ok := want[k]; !ok {
			w.t.Errorf("%s should not be there", k)
		}
	}
	if err := w.cat.DropTable(w.ctx, "d", "fresh"); err != nil {
		w.t.Fatal(err)
	}
}

// change begins a rebuild by one of the changes that ask for one.
func (w *world) change() {
	w.t.Helper()
	edit := func(t *catalog.Table) error {
		switch w.rnd.IntN(4) {
		case 0:
			t.Options.MaxDepth = 1 + w.rnd.IntN(4)
		case 1:
			t.Options.Excluded = [][]string{nil, {"a.x"}, {"b"}, {"a[*]", "b.y"}}[w.rnd.IntN(4)]
		case 2:
			t.Options.StringLimit = 4 + w.rnd.IntN(20)
		default:
			t.Collation = []string{"", "utf8mb4_0900_ai_ci", "utf8mb4_0900_bin", "utf8mb4_sv_0900_as_cs"}[w.rnd.IntN(4)]
		}
		return nil
	}
	err := kv.Transact(w.ctx, w.cat.Store(), kv.TransactOptions{}, func(tx kv.Transaction) error {
		change, err := w.cat.Change(context.Background(), tx)
		if err != nil {
			return err
		}
		_, err = jobs.Reindex(tx, change, "d", "t", jobs.Progress{Message: "options"}, edit)
		return err
	})
	if err != nil {
		w.t.Fatal(err)
	}
}

func (w *world) runner(budget int64) *jobs.Runner {
	open := func(def *catalog.Table) (*tables.Collection, error) { return tables.Open(w.cat, def) }
	return jobs.NewRunner(w.cat, map[string]jobs.Kind{jobs.KindRebuild: jobs.Rebuild(w.cat, open)},
		jobs.Options{Lease: time.Nanosecond, Budget: budget})
}

func (w *world) reconcile() {
	w.t.Helper()
	if refused, err := jobs.Reconcile(w.ctx, w.cat); err != nil || len(refused) > 0 {
		w.t.Fatal(refused, err)
	}
}

// TestRebuild: while the index is rebuilt, after changes of options and of the collator,
// by processes that die, writers go on; at each point the table is right, and in the end the
// index is what it would be if it had been built afresh.
func TestRebuild(t *testing.T) {
	for seed := range uint64(4) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			w := newWorld(t, seed)
			for range 12 {
				w.write()
			}
			w.verify()
			collators := 0
			for range 2 {
				changes := 1 + w.rnd.IntN(2)
				r := w.runner(1)
				for ended := false; !ended; {
					if changes > 0 && w.rnd.IntN(3) == 0 {
						changes--
						if w.rnd.IntN(2) == 0 {
							collators++
							t.Cleanup(collationtest.Pretend(fmt.Sprintf("UCA %d", 7+collators)))
							w.reopen()
							w.reconcile()
							r = w.runner(1)
						} else {
							w.change()
						}
						w.verify()
					}
					switch w.rnd.IntN(4) {
					case 0:
						w.write()
					case 1:
						w.reopen()
						r = w.runner(int64(1 + w.rnd.IntN(300)))
					default:
						worked, err := r.RunOnce(w.ctx)
						if err != nil {
							t.Fatal(err)
						}
						ended = !worked && changes == 0 && !w.active()
					}
					w.verify()
				}
				w.compareWithFresh()
			}
		})
	}
}

func (w *world) active() bool {
	w.t.Helper()
	found := false
	transact(w.t, w.cat, func(tx kv.Transaction) error {
		all, err := jobs.List(tx.Snapshot())
		for _, j := range all {
			found = found || !j.State.Ended()
		}
		return err
	})
	return found
}

// TestReconcile: a table of an older collator can't be opened before Reconcile, one
// whose key is collated can't at all, and one of a newer collator stays refused.
func TestReconcile(t *testing.T) {
	w := newWorld(t, 1)
	w.write()
	keyed := &catalog.Table{Database: "d", Name: "keyed", PrimaryKey: []int{0}, DocumentColumn: -1,
		Columns: []catalog.Column{{Name: "k", Type: "varchar(10)", Collation: "utf8mb4_0900_ai_ci"}}}
	if _, err := w.cat.CreateTable(w.ctx, keyed); err != nil {
		t.Fatal(err)
	}
	nothing := func(*tables.Tx, *tables.Collection) error { return nil }
	restore := collationtest.Pretend("UCA 7")
	if err := w.within(nothing); !errors.Is(err, tables.ErrCollator) {
		t.Errorf("opened the index of another collator: %v", err)
	}
	refused, err := jobs.Reconcile(w.ctx, w.cat)
	if err != nil || len(refused) != 1 || !strings.Contains(refused[0].Error(), "export the table") {
		t.Errorf("refused %v: %v", refused, err)
	}
	if err := w.within(nothing); err != nil {
		t.Error(err)
	}
	if refused, err := jobs.Reconcile(w.ctx, w.cat); err != nil || len(refused) != 1 || len(jobsOf(t, w.cat)) != 1 {
		t.Errorf("a second Reconcile: %v, %v, %v", refused, err, jobsOf(t, w.cat))
	}
	w.verify()
	restore()
	// This program is older than the table now.
	w.reopen()
	refused, err = jobs.Reconcile(w.ctx, w.cat)
	if err != nil || len(refused) != 1 || !errors.Is(refused[0], catalog.ErrNewer) {
		t.Errorf("refused %v: %v", refused, err)
	}
	if err := w.within(nothing); !errors.Is(err, catalog.ErrNewer) {
		t.Errorf("opened a newer program's table: %v", err)
	}
	if err := w.runner(1).Drain(w.ctx); err != nil {
		t.Errorf("a newer program's job: %v", err)
	}
	if job := jobsOf(t, w.cat)[0]; job.State != jobs.StateQueued || job.Error != "" {
		t.Errorf("a newer program's job: %+v", job)
	}
	if err := w.cat.DropTable(w.ctx, "d", "t"); err != nil {
		t.Error(err)
	}
}

func jobsOf(t *testing.T, cat *catalog.Catalog) (all []jobs.Job) {
	t.Helper()
	transact(t, cat, func(tx kv.Transaction) (err error) {
		all, err = jobs.List(tx.Snapshot())
		return err
	})
	return all
}

package jobs_test

import (
	"encoding/json"
	"slices"
	"testing"
	"time"

	"github.com/sqlfdb/sqlfdb/catalog"
	"github.com/sqlfdb/sqlfdb/jobs"
	"github.com/sqlfdb/sqlfdb/keyspace"
	"github.com/sqlfdb/sqlfdb/kv"
	"github.com/sqlfdb/sqlfdb/kv/faultkv"
	"github.com/sqlfdb/sqlfdb/kv/pebblekv"
	"github.com/sqlfdb/sqlfdb/tables"
)

// TestSweep: a marker that two walks meet goes, one that only the second meets
// stays, and so do keys of a collection that is newer than the walk before; what is left
// of a dropped table goes, what belongs to a table stays.
func TestSweep(t *testing.T) {
	ctx := ctxOf(t)
	cat := open(t)
	gone, there := table(t, cat, "gone"), table(t, cat, "there")
	if err := cat.DropTable(ctx, "d", "gone"); err != nil {
		t.Fatal(err)
	}
	left := [][]byte{gone.Keys().Document([]byte("\x01x\x00"), 0), keyspace.KeypathByName(gone.ID, "a"),
		keyspace.AutoIncrement(gone.ID)}
	kept := [][]byte{there.Keys().InfoDocuments(), keyspace.KeypathByName(there.ID, "a"), keyspace.AutoIncrement(there.ID)}
	old, young := there.Keys().Marker([]byte("old")), there.Keys().Marker([]byte("young"))
	defined := keyspace.DefinitionMarker([]byte("old"))
	transact(t, cat, func(tx kv.Transaction) error {
		for _, k := range append(append([][]byte{old, defined}, left...), kept...) {
			tx.Set(k, nil)
		}
		return nil
	})
	has := func(k []byte) (there bool) {
		transact(t, cat, func(tx kv.Transaction) error {
			v, err := tx.Get(k).Get()
			there = v != nil
			return err
		})
		return there
	}
	clock := time.Date(2020, 2, 2, 12, 0, 0, 0, time.UTC)
	late, recent := there.Keys().Bulk([]byte("late")), there.Keys().Bulk([]byte("recent"))
	transact(t, cat, func(tx kv.Transaction) error {
		tx.Set(late, []byte(`{"format":1,"moved":"2020-02-01T12:30:00Z"}`))
		tx.Set(recent, []byte(`{"format":1,"moved":"2020-02-02T11:30:00Z"}`))
		return nil
	})
	job := jobs.Job{Kind: jobs.KindSweep}
	walk := func() {
		t.Helper()
		err := kv.Transact(ctx, cat.Store(), kv.TransactOptions{Transaction: kv.TransactionOptions{NoReadYourWrites: true}},
			func(base kv.Transaction) error {
				tx := tables.Within(base)
				job.Rest = 0
				if done, err := jobs.Sweep(cat, func() time.Time { return clock }).Step(ctx, tx, &job); done || err != nil {
					t.Fatal(done, err)
				}
				return tx.Commit()
			})
		if err != nil || job.Rest == 0 {
			t.Fatal(err, job.Rest)
		}
	}
	walk()
	for _, k := range left {
		if !has(k) {
			t.Errorf("%x was cleared by the first walk: whoever makes the table may not have committed", k)
		}
	}
	if !has(old) || !has(defined) {
		t.Error("a marker was cleared by the first walk that met it")
	}
	transact(t, cat, func(tx kv.Transaction) error { tx.Set(young, nil); return nil })
	walk()
	for _, k := range left {
		if has(k) {
			t.Errorf("%x is left of a dropped table", k)
		}
	}
	if has(old) || has(defined) || !has(young) {
		t.Errorf("old markers there: %t, %t, young marker there: %t", has(old), has(defined), has(young))
	}
	for _, k := range kept {
		if !has(k) {
			t.Errorf("%x of a table is gone", k)
		}
	}
	if !has(late) || !has(recent) {
		t.Error("a statement in batches that could go on was forgotten")
	}
	clock = clock.Add(time.Hour)
	walk()
	if has(late) || !has(recent) {
		t.Errorf("of statements in batches: one of 24.5 h ago there %t, one of 1.5 h ago there %t", has(late), has(recent))
	}
}

// TestSweepWrongClock: of servers that share a store one has a clock that is days ahead. Its sweep leaves statements in
// batches alone that have moved of late by the store's versions, and clears those that have not; a restored store's
// versions may be of another store, and then the clock decides.
func TestSweepWrongClock(t *testing.T) {
	ctx := ctxOf(t)
	const day = 24 * time.Hour
	base, err := pebblekv.Open(t.TempDir(), pebblekv.Options{})
	if err != nil {
		t.Fatal(err)
	}
	store := faultkv.New(base)
	store.Pass(10 * day)
	cat := openOn(t, store)
	there := table(t, cat, "there")
	version := func(after time.Duration) (v int64) {
		transact(t, cat, func(tx kv.Transaction) (err error) {
			v, err = tx.ReadVersion()
			return err
		})
		return v + int64(after/time.Second)*store.VersionRate()
	}
	clock := time.Date(2020, 2, 2, 12, 0, 0, 0, time.UTC)
	marker := func(name string, age time.Duration, version int64) []byte {
		key := there.Keys().Bulk([]byte(name))
		value, err := json.Marshal(jobs.BatchMoved{Moved: clock.Add(-age), Version: version})
		if err != nil {
			t.Fatal(err)
		}
		transact(t, cat, func(tx kv.Transaction) error {
			tx.Set(key, value)
			return nil
		})
		return key
	}
	keys := map[string][]byte{
		"running":                       marker("running", 0, version(0)),
		"old":                           marker("old", 25*time.Hour, version(-2*day)),
		"of a clock ahead":              marker("of a clock ahead", -3*day, version(-2*day)),
		"of a program without versions": marker("of a program without versions", 25*time.Hour, 0),
		"of another store":              marker("of another store", 25*time.Hour, version(90*day)),
	}
	sweep := func(now time.Time) (left []string) {
		t.Helper()
		job := jobs.Job{Kind: jobs.KindSweep}
		err := kv.Transact(ctx, cat.Store(), kv.TransactOptions{Transaction: kv.TransactionOptions{NoReadYourWrites: true}},
			func(base kv.Transaction) error {
				tx := tables.Within(base)
				job.Rest, job.Checkpoint = 0, nil
				if _, err := jobs.Sweep(cat, func() time.Time { return now }).Step(ctx, tx, &job); err != nil {
					return err
				}
				return tx.Commit()
			})
		if err != nil || job.Rest == 0 {
			t.Fatal(err, job.Rest)
		}
		for name, key := range keys {
			transact(t, cat, func(tx kv.Transaction) error {
				v, err := tx.Get(key).Get()
				if v != nil {
					left = append(left, name)
				}
				return err
			})
		}
		slices.Sort(left)
		return left
	}
	want := func(what string, now time.Time, want ...string) {
		t.Helper()
		if left := sweep(now); !slices.Equal(left, want) {
			t.Errorf("%s: left are %q, want %q", what, left, want)
		}
	}
	want("a right clock", clock, "of a clock ahead", "running")
	want("a clock 30 h ahead", clock.Add(30*time.Hour), "of a clock ahead", "running")
	want("a clock 5 days ahead", clock.Add(5*day), "running")
	store.Pass(2 * day)
	want("2 days later, by the store alone", clock.Add(-time.Hour), "running")
	want("2 days later", clock.Add(2*day))
}

// TestOneSweep: a store has one sweep, which rests between its walks.
func TestOneSweep(t *testing.T) {
	ctx := ctxOf(t)
	cat := open(t)
	for range 2 {
		other, err := catalog.Open(ctx, cat.Store())
		if err != nil {
			t.Fatal(err)
		}
		if err := jobs.EnsureSweep(ctx, other); err != nil {
			t.Fatal(err)
		}
	}
	r := jobs.NewRunner(cat, map[string]jobs.Kind{jobs.KindSweep: jobs.Sweep(cat, time.Now)},
		jobs.Options{Lease: time.Nanosecond})
	if err := r.Drain(ctx); err != nil {
		t.Fatal(err)
	}
	all := jobsOf(t, cat)
	if len(all) != 1 || all[0].State != jobs.StateQueued || all[0].Rest == 0 || all[0].Beat != 1 {
		t.Errorf("%+v", all)
	}
}

// TestSweepTime: a marker of a process that is gone is cleared by the sweep, not before it is an hour old, by the clock
// of the process that sweeps.
func TestSweepTime(t *testing.T) {
	ctx := ctxOf(t)
	cat := open(t)
	marker := table(t, cat, "t").Keys().Marker([]byte("of one that died"))
	if err := jobs.EnsureSweep(ctx, cat); err != nil {
		t.Fatal(err)
	}
	now := time.Now()
	r := jobs.NewRunner(cat, map[string]jobs.Kind{jobs.KindSweep: jobs.Sweep(cat, time.Now)},
		jobs.Options{Now: func() time.Time { return now }})
	transact(t, cat, func(tx kv.Transaction) error { tx.Set(marker, nil); return nil })
	set := now
	for gone := false; !gone; now = now.Add(10 * time.Minute) {
		if _, err := r.RunOnce(ctx); err != nil {
			t.Fatal(err)
		}
		transact(t, cat, func(tx kv.Transaction) error {
			v, err := tx.Get(marker).Get()
			gone = v == nil
			return err
		})
		age := now.Sub(set)
		if gone && age < kv.MarkerLife {
			t.Fatalf("the marker goes after %v", age)
		}
		if !gone && age > 4*time.Hour {
			t.Fatal("the marker stays")
		}
	}
}

// TestSweepTemporaries: temporary tables of a process that has not counted on between two walks go, with what says that
// they are its; those of one that has stay, and the former's transactions find out.
func TestSweepTemporaries(t *testing.T) {
	ctx := ctxOf(t)
	cat := open(t)
	other, err := catalog.Open(ctx, cat.Store())
	if err != nil {
		t.Fatal(err)
	}
	if err := cat.CreateDatabase(ctx, "d", ""); err != nil {
		t.Fatal(err)
	}
	create := func(c *catalog.Catalog) (number int64) {
		t.Helper()
		transact(t, cat, func(tx kv.Transaction) error {
			ch, err := c.Change(ctx, tx)
			if err != nil {
				return err
			}
			ch.With(nil, func(n int64) { number = n })
			made, err := ch.CreateTemporary(&catalog.Table{Database: "d", Name: "t", DocumentColumn: -1})
			if err != nil || ch.Changed() || made.ID != number || !made.Temporary() {
				t.Fatal(err, ch.Changed(), made, number)
			}
			tx.Set(made.Keys().Document([]byte("\x01x\x00"), 0), nil)
			tx.Set(keyspace.KeypathByName(number, "a"), nil)
			return nil
		})
		return number
	}
	gone, lives := create(cat), create(other)
	job := jobs.Job{Kind: jobs.KindSweep}
	for range 2 {
		options := kv.TransactOptions{Transaction: kv.TransactionOptions{NoReadYourWrites: true}}
		err := kv.Transact(ctx, cat.Store(), options, func(base kv.Transaction) error {
			tx := tables.Within(base)
			job.Rest = 0
			if done, err := jobs.Sweep(cat, time.Now).Step(ctx, tx, &job); done || err != nil || job.Rest == 0 {
				t.Fatal(done, err, job.Rest)
			}
			return tx.Commit()
		})
		if err != nil {
			t.Fatal(err)
		}
		if err := other.KeepTemporaries(ctx); err != nil {
			t.Fatal(err)
		}
	}
	transact(t, cat, func(tx kv.Transaction) error {
		for _, c := range []struct {
			number int64
			owner  *catalog.Catalog
			want   bool
		}{{gone, cat, false}, {lives, other, true}} {
			has, err := c.owner.HasTemporary(tx, c.number)
			if err != nil {
				return err
			}
			document, err := tx.Get(keyspace.NewCollection(c.number, 1).Document([]byte("\x01x\x00"), 0)).Get()
			if err != nil {
				return err
			}
			keypath, err := tx.Get(keyspace.KeypathByName(c.number, "a")).Get()
			if has != c.want || document != nil != c.want || keypath != nil != c.want {
				t.Errorf("collection %d: is its process's: %t, document %t, keypath %t; want %t",
					c.number, has, document != nil, keypath != nil, c.want)
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
}

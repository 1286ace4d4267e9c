package jobs_test

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/sqlfdb/sqlfdb/catalog"
	"github.com/sqlfdb/sqlfdb/jobs"
	"github.com/sqlfdb/sqlfdb/kv"
	"github.com/sqlfdb/sqlfdb/kv/pebblekv"
	"github.com/sqlfdb/sqlfdb/tables"
)

func open(t *testing.T) *catalog.Catalog {
	t.Helper()
	store, err := pebblekv.Open(t.TempDir(), pebblekv.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return openOn(t, store)
}

// openOn opens the catalog of a store, and closes that when the test ends.
func openOn(t *testing.T, store kv.Store) *catalog.Catalog {
	t.Helper()
	t.Cleanup(func() {
		if err := store.Close(); err != nil {
			t.Error(err)
		}
	})
	cat, err := catalog.Open(context.Background(), store)
	if err != nil {
		t.Fatal(err)
	}
	return cat
}

func table(t *testing.T, cat *catalog.Catalog, name string) *catalog.Table {
	t.Helper()
	ctx := context.Background()
	if err := cat.CreateDatabase(ctx, "d", ""); err != nil && !errors.Is(err, catalog.ErrDatabaseExists) {
		t.Fatal(err)
	}
	def, err := cat.CreateTable(ctx, &catalog.Table{Database: "d", Name: name, Open: true})
	if err != nil {
		t.Fatal(err)
	}
	return def
}

func transact(t *testing.T, cat *catalog.Catalog, do func(kv.Transaction) error) {
	t.Helper()
	if err := kv.Transact(context.Background(), cat.Store(), kv.TransactOptions{}, do); err != nil {
		t.Fatal(err)
	}
}

func enqueue(t *testing.T, cat *catalog.Catalog, job jobs.Job) (id int64) {
	t.Helper()
	transact(t, cat, func(tx kv.Transaction) (err error) {
		id, err = jobs.Enqueue(tx, job)
		return err
	})
	return id
}

func find(t *testing.T, cat *catalog.Catalog, id int64) (job jobs.Job) {
	t.Helper()
	transact(t, cat, func(tx kv.Transaction) error {
		all, err := jobs.List(tx.Snapshot())
		for _, j := range all {
			if j.ID == id {
				job = j
			}
		}
		return err
	})
	return job
}

// tally is where the steps of these tests write: one key per unit, so that a unit
// done twice is seen.
func tally(id int64, unit uint64) []byte {
	return fmt.Appendf(nil, "\x02sf\x00tally %d %08d", id, unit)
}

// counting does one unit a step up to Progress.Of, each exactly once.
func counting(_ context.Context, tx *tables.Tx, job *jobs.Job) (bool, error) {
	n := uint64(0)
	if len(job.Checkpoint) > 0 {
		n = binary.BigEndian.Uint64(job.Checkpoint)
	}
	tx.Add(tally(job.ID, n), []byte{1, 0, 0, 0, 0, 0, 0, 0})
	job.Checkpoint = binary.BigEndian.AppendUint64(nil, n+1)
	job.Progress.Done++
	return job.Progress.Done == job.Progress.Of, nil
}

// checkTally: each unit was done once.
func checkTally(t *testing.T, cat *catalog.Catalog, id int64, units uint64) {
	t.Helper()
	transact(t, cat, func(tx kv.Transaction) error {
		for u := range units + 1 {
			want := byte(1)
			if u == units {
				want = 0
			}
			v, err := tx.Get(tally(id, u)).Get()
			if err != nil {
				return err
			}
			var got byte
			if len(v) > 0 {
				got = v[0]
			}
			if got != want {
				t.Errorf("job %d: unit %d was done %d times, want %d", id, u, got, want)
			}
		}
		return nil
	})
}

var countingKinds = map[string]jobs.Kind{"count": {Step: counting}}

func ctxOf(t *testing.T) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
	t.Cleanup(cancel)
	return ctx
}

// TestResume: another process goes on where the first one died.
func TestResume(t *testing.T) {
	cat := open(t)
	id := enqueue(t, cat, jobs.Job{Kind: "count", Progress: jobs.Progress{Of: 20}})
	ctx := ctxOf(t)
	for range 4 { // each process dies after five steps, without letting go
		r := jobs.NewRunner(cat, countingKinds, jobs.Options{Lease: time.Millisecond})
		for steps := 0; steps < 5; {
			worked, err := r.RunOnce(ctx)
			if err != nil {
				t.Fatal(err)
			}
			if worked {
				steps++
			} else {
				time.Sleep(time.Millisecond)
			}
		}
	}
	checkTally(t, cat, id, 20)
	if job := find(t, cat, id); job.State != jobs.StateDone || job.Progress.Done != 20 || job.Holder != "" {
		t.Errorf("%+v", job)
	}
}

// TestLease: what a living process holds is left alone, and taken over when
// it has stood still for the time of a lease.
func TestLease(t *testing.T) {
	cat := open(t)
	enqueue(t, cat, jobs.Job{Kind: "count", Progress: jobs.Progress{Of: 1000}})
	ctx := ctxOf(t)
	run := func(r *jobs.Runner) bool {
		worked, err := r.RunOnce(ctx)
		if err != nil {
			t.Fatal(err)
		}
		return worked
	}
	const lease = 10 * time.Second
	now := time.Now()
	opts := jobs.Options{Lease: lease, Now: func() time.Time { return now }}
	first, second := jobs.NewRunner(cat, countingKinds, opts), jobs.NewRunner(cat, countingKinds, opts)
	if !run(first) {
		t.Fatal("the first process did nothing")
	}
	for range 6 { // longer than a lease: each step renews it
		now = now.Add(lease / 5)
		if !run(first) {
			t.Fatal("the holder lost its job")
		}
		if run(second) {
			t.Fatal("two processes work on one job")
		}
	}
	if run(second) {
		t.Fatal("taken over at once")
	}
	now = now.Add(lease + time.Millisecond)
	if !run(second) {
		t.Fatal("not taken over after the lease")
	}
	if run(first) {
		t.Fatal("the first process went on with what the second has taken over")
	}
}

// TestManyProcesses: several runners in the background do each unit of each job once.
func TestManyProcesses(t *testing.T) {
	cat := open(t)
	var ids []int64
	for range 5 {
		ids = append(ids, enqueue(t, cat, jobs.Job{Kind: "count", Progress: jobs.Progress{Of: 12}}))
	}
	for range 3 {
		// The lease is so short that they take each other's jobs all the time.
		r := jobs.NewRunner(cat, countingKinds, jobs.Options{Lease: time.Microsecond, FirstWait: time.Millisecond})
		r.Start()
		defer r.Stop()
	}
	for _, id := range ids {
		waitFor(t, func() bool { return find(t, cat, id).State.Ended() })
		checkTally(t, cat, id, 12)
	}
}

func waitFor(t *testing.T, condition func() bool) {
	t.Helper()
	for began := time.Now(); !condition(); time.Sleep(5 * time.Millisecond) {
		if time.Since(began) > 5*time.Minute {
			t.Fatal("waited in vain")
		}
	}
}

// TestOneAtATime: the jobs of a collection run in their order, those of others beside.
func TestOneAtATime(t *testing.T) {
	cat := open(t)
	a, b := table(t, cat, "a"), table(t, cat, "b")
	first := enqueue(t, cat, jobs.Job{Kind: "count", Collection: a.ID, Progress: jobs.Progress{Of: 3}})
	second := enqueue(t, cat, jobs.Job{Kind: "count", Collection: a.ID, Progress: jobs.Progress{Of: 3}})
	other := enqueue(t, cat, jobs.Job{Kind: "count", Collection: b.ID, Progress: jobs.Progress{Of: 3}})
	r := jobs.NewRunner(cat, countingKinds, jobs.Options{})
	for range 3 {
		if got := find(t, cat, second).Progress.Done; got != 0 {
			t.Fatalf("the second job has done %d before the first ended", got)
		}
		if _, err := r.RunOnce(ctxOf(t)); err != nil {
			t.Fatal(err)
		}
	}
	if got := find(t, cat, other); got.State != jobs.StateDone {
		t.Errorf("the other collection's job waited: %+v", got)
	}
	if err := r.Drain(ctxOf(t)); err != nil {
		t.Fatal(err)
	}
	checkTally(t, cat, first, 3)
	checkTally(t, cat, second, 3)
}

// TestCollectionGone: DROP and TRUNCATE end the jobs of the collection, and RENAME does not.
func TestCollectionGone(t *testing.T) {
	ctx := ctxOf(t)
	cat := open(t)
	r := jobs.NewRunner(cat, countingKinds, jobs.Options{})
	for what, end := range map[string]func(name string) error{
		"drop":     func(name string) error { return cat.DropTable(ctx, "d", name) },
		"truncate": func(name string) error { return cat.TruncateTable(ctx, "d", name) },
		"rename":   func(name string) error { return cat.RenameTable(ctx, "d", name, "d", "new") },
	} {
		def := table(t, cat, what)
		id := enqueue(t, cat, jobs.Job{Kind: "count", Collection: def.ID, Progress: jobs.Progress{Of: 2}})
		if _, err := r.RunOnce(ctx); err != nil {
			t.Fatal(err)
		}
		if err := end(what); err != nil {
			t.Fatal(err)
		}
		if err := r.Drain(ctx); err != nil {
			t.Fatal(err)
		}
		job, want := find(t, cat, id), int64(1)
		if what == "rename" {
			want = 2
		}
		if job.State != jobs.StateDone || job.Progress.Done != want {
			t.Errorf("%s: %+v", what, job)
		}
	}
}

// TestEnqueueWithDefinition: a job comes with the change of a definition that
// asks for it, or not at all.
func TestEnqueueWithDefinition(t *testing.T) {
	ctx := ctxOf(t)
	cat := open(t)
	def := table(t, cat, "t")
	alter := func(fail error) error {
		return kv.Transact(ctx, cat.Store(), kv.TransactOptions{}, func(tx kv.Transaction) error {
			out, err := cat.AlterTableWithin(tx, "d", "t", func(def *catalog.Table) error { def.Comment = "c"; return nil })
			if err != nil {
				return err
			}
			if _, err := jobs.Enqueue(tx, jobs.Job{Kind: "look", Collection: out.ID}); err != nil {
				return err
			}
			return fail
		})
	}
	var seen []string
	r := jobs.NewRunner(cat, map[string]jobs.Kind{"look": {Step: func(_ context.Context, _ *tables.Tx,
		job *jobs.Job) (bool, error) {
		seen = append(seen, job.Definition.Comment)
		return true, nil
	}}}, jobs.Options{})
	no := errors.New("no")
	if err := alter(no); !errors.Is(err, no) {
		t.Fatal(err)
	}
	if err := r.Drain(ctx); err != nil || len(seen) > 0 {
		t.Fatalf("a job of a change that failed ran: %v %q", err, seen)
	}
	if err := alter(nil); err != nil {
		t.Fatal(err)
	}
	if err := r.Drain(ctx); err != nil || len(seen) != 1 || seen[0] != "c" {
		t.Fatalf("%v, steps saw %q of table %s", err, seen, def)
	}
}

// TestFailure: an error is kept where people see it and goes with the next
// success; a permanent one, or a panic, ends nothing else.
func TestFailure(t *testing.T) {
	ctx := ctxOf(t)
	cat := open(t)
	broken := true
	r := jobs.NewRunner(cat, map[string]jobs.Kind{
		"mend": {Step: func(ctx context.Context, tx *tables.Tx, job *jobs.Job) (bool, error) {
			job.Progress.Done++ // undone with the rest
			if broken {
				return false, errors.New("disk on fire")
			}
			return true, nil
		}},
		"never": {Step: func(context.Context, *tables.Tx, *jobs.Job) (bool, error) {
			return false, fmt.Errorf("%w: nonsense", jobs.ErrPermanent)
		}},
		"panic": {Step: func(context.Context, *tables.Tx, *jobs.Job) (bool, error) { panic("oops") }},
	}, jobs.Options{})
	mend, never, bang := enqueue(t, cat, jobs.Job{Kind: "mend"}), enqueue(t, cat, jobs.Job{Kind: "never"}),
		enqueue(t, cat, jobs.Job{Kind: "panic"})
	for range 3 {
		if _, err := r.RunOnce(ctx); err == nil {
			t.Fatal("no error")
		}
	}
	if job := find(t, cat, mend); job.State != jobs.StateRunning || job.Attempts != 3 || job.Error != "disk on fire" ||
		job.Progress.Done != 0 {
		t.Errorf("%+v", job)
	}
	if job := find(t, cat, never); job.State != jobs.StateFailed || job.Attempts != 1 ||
		!strings.Contains(job.Error, "nonsense") {
		t.Errorf("%+v", job)
	}
	if job := find(t, cat, bang); job.State != jobs.StateRunning || !strings.Contains(job.Error, "oops") {
		t.Errorf("%+v", job)
	}
	broken = false
	if _, err := r.RunOnce(ctx); err == nil {
		t.Fatal("the panic is gone")
	}
	if job := find(t, cat, mend); job.State != jobs.StateDone || job.Attempts != 0 || job.Error != "" ||
		job.Progress.Done != 1 {
		t.Errorf("%+v", job)
	}
}

// TestBackground: enqueued work begins at once though nobody polls, is held and
// released, and Stop leaves nothing running.
func TestBackground(t *testing.T) {
	cat := open(t)
	before := runtime.NumGoroutine()
	r := jobs.NewRunner(cat, countingKinds, jobs.Options{})
	r.Start()
	r.Start()
	time.Sleep(20 * time.Millisecond) // it waits for the watch by now
	id := enqueue(t, cat, jobs.Job{Kind: "count", Progress: jobs.Progress{Of: 3}})
	waitFor(t, func() bool { return find(t, cat, id).State == jobs.StateDone })
	r.Hold()
	held := enqueue(t, cat, jobs.Job{Kind: "count", Progress: jobs.Progress{Of: 3}})
	time.Sleep(50 * time.Millisecond)
	if job := find(t, cat, held); job.Progress.Done != 0 {
		t.Errorf("a held job went on: %+v", job)
	}
	r.Release()
	waitFor(t, func() bool { return find(t, cat, held).State == jobs.StateDone })
	long := enqueue(t, cat, jobs.Job{Kind: "count", Progress: jobs.Progress{Of: 1 << 40}})
	waitFor(t, func() bool { return find(t, cat, long).Progress.Done > 3 })
	r.Stop()
	r.Stop()
	if job := find(t, cat, long); job.Holder != "" || job.State != jobs.StateQueued {
		t.Errorf("the lease was not given up: %+v", job)
	}
	waitFor(t, func() bool { return runtime.NumGoroutine() <= before })
}

// TestConflicts: a step that conflicts with writers again and again gets a smaller
// budget, and the job no error.
func TestConflicts(t *testing.T) {
	ctx := ctxOf(t)
	cat := open(t)
	var mu sync.Mutex
	var budgets []int64
	key := []byte("\x02sf\x00hot")
	r := jobs.NewRunner(cat, map[string]jobs.Kind{"hot": {Step: func(ctx context.Context, tx *tables.Tx,
		job *jobs.Job) (bool, error) {
		mu.Lock()
		budgets = append(budgets, job.Budget)
		mu.Unlock()
		if _, err := tx.Get(key).Get(); err != nil {
			return false, err
		}
		if job.Budget > 1000 {
			transact(t, cat, func(tx kv.Transaction) error { tx.Set(key, []byte("x")); return nil })
		}
		tx.Set(tally(job.ID, 0), nil)
		return true, nil
	}}}, jobs.Options{Budget: 100_000})
	id := enqueue(t, cat, jobs.Job{Kind: "hot"})
	if err := r.Drain(ctx); err != nil {
		t.Fatal(err)
	}
	if job := find(t, cat, id); job.State != jobs.StateDone || job.Error != "" {
		t.Errorf("%+v", job)
	}
	if last := budgets[len(budgets)-1]; last > 1000 {
		t.Errorf("budgets %d", budgets)
	}
}

// TestKept: the last hundred jobs that have ended are kept, a quiet one is not.
func TestKept(t *testing.T) {
	cat := open(t)
	kinds := map[string]jobs.Kind{"count": {Step: counting}, "quiet": {Step: counting, Quiet: true}}
	r := jobs.NewRunner(cat, kinds, jobs.Options{})
	quiet := enqueue(t, cat, jobs.Job{Kind: "quiet", Progress: jobs.Progress{Of: 1}})
	first := enqueue(t, cat, jobs.Job{Kind: "count", Progress: jobs.Progress{Of: 1}})
	var last int64
	for range 100 {
		last = enqueue(t, cat, jobs.Job{Kind: "count", Progress: jobs.Progress{Of: 1}})
	}
	if err := r.Drain(ctxOf(t)); err != nil {
		t.Fatal(err)
	}
	if find(t, cat, quiet).ID != 0 || find(t, cat, first).ID != 0 || find(t, cat, last).ID != last {
		t.Error("the wrong ones were kept")
	}
}

// TestYield: while others are busy the background rests for several times as long as it works.
func TestYield(t *testing.T) {
	cat := open(t)
	const units, work = 8, 5 * time.Millisecond
	slow := map[string]jobs.Kind{"slow": {Step: func(ctx context.Context, tx *tables.Tx, job *jobs.Job) (bool, error) {
		time.Sleep(work)
		return counting(ctx, tx, job)
	}}}
	r := jobs.NewRunner(cat, slow, jobs.Options{})
	r.YieldTo(func() bool { return true })
	id := enqueue(t, cat, jobs.Job{Kind: "slow", Progress: jobs.Progress{Of: units}})
	began := time.Now()
	r.Start()
	defer r.Stop()
	waitFor(t, func() bool { return find(t, cat, id).State == jobs.StateDone })
	if took := time.Since(began); took < units*work+(units-1)*4*work {
		t.Errorf("%d steps of %s took %s", units, work, took)
	}
}

// TestFailureElsewhere: a process whose step fails after another one has taken its job over leaves the job to that; and
// a job that has failed several times lies as long with other processes as with its own.
func TestFailureElsewhere(t *testing.T) {
	ctx := ctxOf(t)
	cat := open(t)
	now := time.Now()
	opts := jobs.Options{Lease: 10 * time.Second, Now: func() time.Time { return now }}
	var second *jobs.Runner
	overtaken := false
	first := jobs.NewRunner(cat, map[string]jobs.Kind{"count": {Step: func(context.Context, *tables.Tx, *jobs.Job) (bool,
		error) {
		if overtaken {
			now = now.Add(11 * time.Second)
			if worked, err := second.RunOnce(ctx); !worked || err != nil {
				t.Errorf("the second process: %v, %v", worked, err)
			}
		}
		return false, errors.New("disk on fire")
	}}}, opts)
	second = jobs.NewRunner(cat, countingKinds, opts)
	id := enqueue(t, cat, jobs.Job{Kind: "count", Progress: jobs.Progress{Of: 3}})
	for range 5 {
		if _, err := first.RunOnce(ctx); err == nil {
			t.Fatal("no error")
		}
	}
	for _, c := range []struct {
		after time.Duration
		works bool
	}{{0, false}, {11 * time.Second, false}, {6 * time.Second, true}} { // 16 s after the fifth failure
		now = now.Add(c.after)
		if worked, err := second.RunOnce(ctx); worked != c.works || err != nil {
			t.Fatalf("%v later the second process works: %v, %v", c.after, worked, err)
		}
	}
	holder := find(t, cat, id).Holder
	if _, err := first.RunOnce(ctx); err != nil { // it looks, and sees that another one is at it
		t.Fatal(err)
	}
	now = now.Add(11 * time.Second)
	overtaken = true
	if _, err := first.RunOnce(ctx); err == nil {
		t.Fatal("the first process did not fail")
	}
	if job := find(t, cat, id); job.Holder != holder || job.Attempts != 0 || job.Progress.Done != 2 {
		t.Errorf("the job that the second process has taken over: %+v", job)
	}
}

package backup_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/sqlfdb/sqlfdb/backup"
	"github.com/sqlfdb/sqlfdb/catalog"
	"github.com/sqlfdb/sqlfdb/changes"
	"github.com/sqlfdb/sqlfdb/internal/testseed"
	"github.com/sqlfdb/sqlfdb/jobs"
	"github.com/sqlfdb/sqlfdb/keyspace"
	"github.com/sqlfdb/sqlfdb/kv"
	"github.com/sqlfdb/sqlfdb/kv/faultkv"
	"github.com/sqlfdb/sqlfdb/kv/pebblekv"
	"github.com/sqlfdb/sqlfdb/kv/tuple"
	"github.com/sqlfdb/sqlfdb/tables"
)

func openEmpty(t *testing.T) kv.Store {
	t.Helper()
	store, err := pebblekv.Open(t.TempDir(), pebblekv.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := store.Close(); err != nil {
			t.Error(err)
		}
	})
	return store
}

func transact(t *testing.T, store kv.Store, do func(kv.Transaction) error) {
	t.Helper()
	if err := kv.Transact(context.Background(), store, kv.TransactOptions{}, do); err != nil {
		t.Fatal(err)
	}
}

const collection = 7

// source is a store that holds so many documents of random bytes, changes of them, counters, a
// marker of each sort, and a job that a process works on.
func source(t *testing.T, documents int) kv.Store {
	t.Helper()
	store := openEmpty(t)
	cat, err := catalog.Open(context.Background(), store)
	if err != nil {
		t.Fatal(err)
	}
	if err := cat.CreateDatabase(context.Background(), "d", ""); err != nil {
		t.Fatal(err)
	}
	random := rand.New(rand.NewPCG(testseed.Of(t, "", 0), 2))
	keys := keyspace.NewCollection(collection, 1)
	log := changes.Log{Keys: keys}
	for at := 0; at < documents; at += 100 {
		transact(t, store, func(tx kv.Transaction) error {
			var orders changes.Orders
			for i := at; i < min(at+100, documents); i++ {
				pk := tuple.AppendString(nil, fmt.Sprintf("document %06d", i))
				value := make([]byte, random.IntN(300))
				for j := range value {
					value[j] = byte(random.Uint32())
				}
				tx.Set(keys.Document(pk, 0), value)
				tx.Add(keys.InfoDocuments(), []byte{1, 0, 0, 0, 0, 0, 0, 0})
				if err := log.Append(unstamped{tx}, &orders, pk, changes.Meta{}, value); err != nil {
					return err
				}
			}
			return nil
		})
	}
	transact(t, store, func(tx kv.Transaction) error {
		tx.Set(keys.Document(tuple.AppendString(nil, "large"), 0), bytes.Repeat([]byte{0xff, 0, 'x'}, kv.MaxValueSize/3))
		tx.Set(keys.Document(tuple.AppendString(nil, "long"+strings.Repeat("k", kv.MaxKeySize-100)), 0), nil)
		tx.Set(keys.Marker([]byte("a")), nil)
		tx.Set(keyspace.DefinitionMarker([]byte("b")), nil)
		tx.Set(keyspace.AutoIncrement(collection), []byte{65, 0, 0, 0, 0, 0, 0, 0})
		tx.Set(keyspace.ActiveJob(3), []byte(
			`{"ID":3,"Kind":"sweep","State":"running","Holder":"gone","Beat":9,"Checkpoint":"eA=="}`))
		return nil
	})
	return store
}

// unstamped is a transaction that takes no versionstamped key back.
type unstamped struct{ kv.Transaction }

func (unstamped) ClearVersionstampedKey([]byte) { panic("nothing is pending") }

func contents(t *testing.T, store kv.Store) map[string]string {
	t.Helper()
	tx, err := store.Begin(context.Background(), kv.TransactionOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer tx.Cancel()
	it := tx.Range(kv.Range{End: kv.MaxKey}, kv.RangeOptions{})
	defer it.Close()
	out := map[string]string{}
	for it.Next() {
		out[string(it.Key())] = string(it.Value())
	}
	if err := it.Err(); err != nil {
		t.Fatal(err)
	}
	return out
}

func write(t *testing.T, store kv.Store) []byte {
	t.Helper()
	var file bytes.Buffer
	var p backup.Progress
	h, err := backup.Write(context.Background(), store, &file, backup.Header{Made: time.Unix(1, 0).UTC(), Program: "test"},
		&p, backup.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if h.StoreFormat == 0 || h.Version == 0 || p.File.Load() != int64(file.Len()) || p.Keys.Load() == 0 {
		t.Errorf("%+v: %d of %d bytes, %d keys", h, p.File.Load(), file.Len(), p.Keys.Load())
	}
	return file.Bytes()
}

func restore(store kv.Store, file []byte) error {
	return restoreFrom(context.Background(), store, bytes.NewReader(file), &backup.Progress{})
}

// of is a file that r reads.
func of(r io.Reader) backup.Source {
	return backup.Source{Open: func() (io.ReadCloser, error) { return io.NopCloser(r), nil }}
}

func restoreFrom(ctx context.Context, store kv.Store, r io.Reader, p *backup.Progress) error {
	_, _, err := backup.Restore(ctx, store, []backup.Source{of(r)}, p, nil)
	return err
}

// expected is what a store holds after a backup of one with these contents was restored to it.
func expected(t *testing.T, from map[string]string) map[string]string {
	t.Helper()
	out := map[string]string{}
	markers := 0
	for k, v := range from {
		if keyspace.PlaceOf([]byte(k)) == keyspace.PlaceMarker {
			markers++
			continue
		}
		out[k] = v
	}
	if markers < 2 {
		t.Errorf("%d markers", markers)
	}
	inc := string(keyspace.Incarnation())
	out[inc] = string([]byte{out[inc][0] + 1})
	version := string(keyspace.SchemaVersion())
	out[version] = string(binary.LittleEndian.AppendUint64(nil, binary.LittleEndian.Uint64([]byte(out[version]))+1<<40+1))
	delete(out, string(keyspace.ActiveJob(3)))
	return out
}

// sameStore compares what a restored store holds with what it should.
func sameStore(t *testing.T, store kv.Store, want map[string]string) {
	t.Helper()
	got := contents(t, store)
	job := string(keyspace.ActiveJob(3))
	if !strings.Contains(got[job], `"Beat":10`) || strings.Contains(got[job], "Holder") ||
		!strings.Contains(got[job], `"State":"queued"`) || !strings.Contains(got[job], "eA==") {
		t.Errorf("the job is %s", got[job])
	}
	delete(got, job)
	if len(got) != len(want) {
		t.Errorf("%d keys, want %d", len(got), len(want))
	}
	for k, v := range want {
		if got[k] != v {
			t.Errorf("key %x: %x, want %x", k, got[k], v)
		}
	}
}

// TestRoundTrip: a restored store holds what the backed up one did, but for what must differ.
func TestRoundTrip(t *testing.T) {
	from := source(t, 3000)
	file := write(t, from)
	if !bytes.Equal(file[17:21], []byte{0, 0, 0, 2}) || !bytes.HasPrefix(file, []byte("sqlfdb backup\r\n\x1a\n")) {
		t.Errorf("the file begins %q", file[:30])
	}
	if err := backup.CheckEnd(bytes.NewReader(file), int64(len(file))); err != nil {
		t.Error(err)
	}
	to := openEmpty(t)
	if err := restore(to, file); err != nil {
		t.Fatal(err)
	}
	sameStore(t, to, expected(t, contents(t, from)))
	// New changes sort behind all that came with the backup.
	cat, err := catalog.Open(context.Background(), to)
	if err != nil || cat.Incarnation() != 1 {
		t.Fatalf("incarnation %d, %v", cat.Incarnation(), err)
	}
	log := changes.Log{Keys: keyspace.NewCollection(collection, 1), Incarnation: cat.Incarnation()}
	last := func() (s changes.Sequence) {
		transact(t, to, func(tx kv.Transaction) (err error) { s, _, err = log.Last(tx); return err })
		return s
	}
	before := last()
	transact(t, to, func(tx kv.Transaction) error {
		return log.Append(unstamped{tx}, &changes.Orders{}, tuple.AppendString(nil, "new"), changes.Meta{}, []byte("{}"))
	})
	if after := last(); after.String() <= before.String() || before.Incarnation() != 0 || after.Incarnation() != 1 {
		t.Errorf("%s after %s", after, before)
	}
	// And once more elsewhere.
	third := openEmpty(t)
	if err := restore(third, write(t, to)); err != nil {
		t.Fatal(err)
	}
	if cat, err := catalog.Open(context.Background(), third); err != nil || cat.Incarnation() != 2 {
		t.Errorf("incarnation %d, %v", cat.Incarnation(), err)
	}
}

// TestTargets: what a backup is not restored to.
func TestTargets(t *testing.T) {
	file := write(t, source(t, 10))
	full := source(t, 1)
	before := contents(t, full)
	if err := restore(full, file); !errors.Is(err, backup.ErrNotEmpty) {
		t.Errorf("a store of ours: %v", err)
	}
	if after := contents(t, full); len(after) != len(before) {
		t.Errorf("%d keys, %d before", len(after), len(before))
	}
	foreign := openEmpty(t)
	transact(t, foreign, func(tx kv.Transaction) error { tx.Set([]byte("x"), nil); return nil })
	if err := restore(foreign, file); err != nil {
		t.Errorf("where another program has keys: %v", err)
	}
	if _, there := contents(t, foreign)["x"]; !there {
		t.Error("the other program's key is gone")
	}
	old := openEmpty(t)
	if _, err := catalog.Open(context.Background(), old); err != nil {
		t.Fatal(err)
	}
	transact(t, old, func(tx kv.Transaction) error { tx.Set(keyspace.Incarnation(), []byte{255}); return nil })
	if err := restore(openEmpty(t), write(t, old)); !errors.Is(err, catalog.ErrIncarnation) {
		t.Errorf("after 255 restores: %v", err)
	}
	if _, err := backup.Write(context.Background(), openEmpty(t), io.Discard, backup.Header{}, &backup.Progress{},
		backup.Options{}); !errors.Is(err, catalog.ErrEmpty) {
		t.Errorf("a backup of nothing: %v", err)
	}
}

// TestDamage: whatever byte is changed, wherever a file is cut, it is refused and
// leaves the target empty.
func TestDamage(t *testing.T) {
	file := write(t, source(t, 3))
	to := openEmpty(t)
	refused := func(what string, file []byte, kinds ...error) {
		t.Helper()
		err := restore(to, file)
		is := false
		for _, k := range kinds {
			is = is || errors.Is(err, k)
		}
		if !is {
			t.Fatalf("%s: %v", what, err)
		}
		if left := contents(t, to); len(left) != 0 {
			t.Fatalf("%s: %d keys are left", what, len(left))
		}
	}
	verified := func(what string, file []byte) {
		t.Helper()
		_, _, err := backup.Verify(context.Background(), []backup.Source{of(bytes.NewReader(file))}, &backup.Progress{})
		if !errors.Is(err, backup.ErrDamaged) && !errors.Is(err, backup.ErrNoBackup) && !errors.Is(err, backup.ErrNewer) &&
			!errors.Is(err, backup.ErrTruncated) {
			t.Fatalf("%s: %v", what, err)
		}
	}
	// The values in the middle are long and all alike.
	for at := 0; at < len(file); at++ {
		if at > 3000 && at < len(file)-1500 && at%997 != 0 {
			continue
		}
		changed := bytes.Clone(file)
		changed[at] ^= 1 << (at % 8)
		verified(fmt.Sprintf("byte %d changed", at), changed)
		verified(fmt.Sprintf("cut at %d", at), file[:at])
		if at%401 == 0 {
			refused(fmt.Sprintf("byte %d changed", at), changed, backup.ErrDamaged, backup.ErrNoBackup, backup.ErrNewer,
				backup.ErrTruncated)
			refused(fmt.Sprintf("cut at %d", at), file[:at], backup.ErrTruncated, backup.ErrNoBackup)
		}
		if err := backup.CheckEnd(bytes.NewReader(file[:at]), int64(at)); !errors.Is(err, backup.ErrTruncated) &&
			!errors.Is(err, backup.ErrNoBackup) {
			t.Errorf("the end of a file cut at %d: %v", at, err)
		}
	}
	refused("a byte more", append(bytes.Clone(file), 0), backup.ErrDamaged)
	newer := bytes.Clone(file)
	newer[20] = 3
	refused("a newer format", newer, backup.ErrNewer)
	if err := restore(to, file); err != nil {
		t.Errorf("the file itself: %v", err)
	}
}

// frames cuts a file.
func frames(file []byte) (out [][]byte) {
	out, file = append(out, file[:21]), file[21:]
	for len(file) > 0 {
		n := 13 + int(binary.BigEndian.Uint32(file[9:])) + 4
		out, file = append(out, file[:n]), file[n:]
	}
	return out
}

// TestFrames: frames that are missing, doubled or in another order are found even though each is whole, and so
// are a store's format that is not known and frames that are.
func TestFrames(t *testing.T) {
	whole := frames(write(t, source(t, 4000)))
	if len(whole) < 5 {
		t.Fatalf("%d frames", len(whole))
	}
	to := openEmpty(t)
	sealed := func(frame []byte) []byte {
		body := frame[:len(frame)-4]
		return binary.BigEndian.AppendUint32(bytes.Clone(body), crc32.Checksum(body, crc32.MakeTable(crc32.Castagnoli)))
	}
	edited := func(frame []byte, edit func([]byte)) []byte {
		frame = bytes.Clone(frame)
		edit(frame)
		return sealed(frame)
	}
	with := func(at int, frame []byte) [][]byte {
		out := append([][]byte(nil), whole...)
		out[at] = frame
		return out
	}
	last := len(whole) - 1
	for what, c := range map[string]struct {
		frames [][]byte
		want   error
	}{
		"one is missing": {append(append([][]byte(nil), whole[:3]...), whole[4:]...), backup.ErrDamaged},
		"two are exchanged": {append(append(append([][]byte(nil), whole[:2]...), whole[3], whole[2]), whole[4:]...),
			backup.ErrDamaged},
		"one twice": {append(append([][]byte(nil), whole[:3]...), whole[2:]...), backup.ErrDamaged},
		"one twice, numbered anew": {append(append(append([][]byte(nil), whole[:3]...),
			edited(whole[2], func(b []byte) { binary.BigEndian.PutUint64(b[1:], 2) })), whole[4:]...), backup.ErrDamaged},
		"no header": {append(append([][]byte(nil), whole[:1]...),
			edited(whole[2], func(b []byte) { binary.BigEndian.PutUint64(b[1:], 0) })), backup.ErrDamaged},
		"an unknown kind":   {with(2, edited(whole[2], func(b []byte) { b[0] = 'X' })), backup.ErrDamaged},
		"another count":     {with(last, edited(whole[last], func(b []byte) { b[20]++ })), backup.ErrDamaged},
		"other bytes":       {with(last, edited(whole[last], func(b []byte) { b[28]++ })), backup.ErrDamaged},
		"an enormous frame": {with(2, edited(whole[2], func(b []byte) { b[9] = 0xff })), backup.ErrDamaged},
		"lengths beyond": {with(2, edited(whole[2], func(b []byte) {
			copy(b[13:],
				"\x00\x01\xff\xff\xff\xff\xff\xff\xff\xff\x01")
		})), backup.ErrDamaged},
		"shares too much": {with(2, edited(whole[2], func(b []byte) { b[13] = 100 })), backup.ErrDamaged},
		"another store": {with(1, edited(whole[1], func(b []byte) {
			at := bytes.Index(b, []byte(`"StoreFormat":1`))
			b[at+len(`"StoreFormat":`)] = '9'
		})), catalog.ErrFormat},
	} {
		if err := restore(to, bytes.Join(c.frames, nil)); !errors.Is(err, c.want) {
			t.Errorf("%s: %v", what, err)
		}
		if left := contents(t, to); len(left) != 0 {
			t.Fatalf("%s: %d keys are left", what, len(left))
		}
	}
}

// endless is a file whose end does not come: the context ends while it is read.
type endless struct {
	io.Reader
	stop func()
}

func (e endless) Read(b []byte) (int, error) {
	n, err := e.Reader.Read(b)
	if err == io.EOF {
		e.stop()
		return n, errors.New("the pipe is broken")
	}
	return n, err
}

// TestInterrupted: a restore that is interrupted clears what it wrote. One that was killed leaves a store that
// nobody opens, and that can be restored to again.
func TestInterrupted(t *testing.T) {
	from := source(t, 30_000) // several transactions
	file := write(t, from)
	to := openEmpty(t)
	ctx, cancel := context.WithCancel(context.Background())
	var p backup.Progress
	err := restoreFrom(ctx, to, endless{bytes.NewReader(file[:len(file)-40]), cancel}, &p)
	if err == nil || p.Bytes.Load() < 5<<20 {
		t.Fatalf("%d bytes: %v", p.Bytes.Load(), err)
	}
	if left := contents(t, to); len(left) != 0 {
		t.Fatalf("%d keys are left", len(left))
	}
	// Nobody could clear: every commit fails from some point on.
	fault := faultkv.New(to)
	ctx, cancel = context.WithCancel(context.Background())
	defer cancel()
	commits := 0
	fault.Inject(func(c faultkv.Call) faultkv.Fault {
		if c.Op == faultkv.Commit {
			commits++
		}
		if commits > 2 {
			cancel()
			return faultkv.Unavailable
		}
		return faultkv.None
	})
	// it goes on trying to clear
	go func() { _ = restoreFrom(ctx, fault, bytes.NewReader(file), &backup.Progress{}) }()
	for began := time.Now(); ; time.Sleep(time.Millisecond) {
		if ctx.Err() != nil {
			break
		}
		if time.Since(began) > 5*time.Minute {
			t.Fatal("the third commit does not come")
		}
	}
	if _, err := catalog.Open(context.Background(), to); !errors.Is(err, catalog.ErrRestoring) {
		t.Errorf("a half-restored store: %v", err)
	}
	if _, err := backup.Write(context.Background(), to, io.Discard, backup.Header{}, &backup.Progress{},
		backup.Options{}); !errors.Is(err, catalog.ErrRestoring) {
		t.Errorf("a backup of it: %v", err)
	}
	if left := contents(t, to); len(left) < 100 {
		t.Fatalf("%d keys: not half of it", len(left))
	}
	if err := restore(to, file); err != nil {
		t.Fatal(err)
	}
	sameStore(t, to, expected(t, contents(t, from)))
}

// TestFaults: whatever a restore meets at whichever operation, the store is whole in the end, or empty.
func TestFaults(t *testing.T) {
	from := source(t, 30)
	file := write(t, from)
	want := expected(t, contents(t, from))
	fresh := func() (*faultkv.Store, kv.Store) {
		base := openEmpty(t)
		return faultkv.New(base), base
	}
	counted, _ := fresh()
	counted.Inject(func(faultkv.Call) faultkv.Fault { return faultkv.None })
	if err := restore(counted, file); err != nil {
		t.Fatal(err)
	}
	calls, _ := counted.Inject(nil)
	for _, fault := range faultkv.Faults() {
		for at := int64(1); at <= calls; at++ {
			store, base := fresh()
			store.Inject(func(c faultkv.Call) faultkv.Fault {
				if c.Number == at {
					return fault
				}
				return faultkv.None
			})
			if err := restore(store, file); err != nil {
				t.Fatalf("%v at operation %d: %v", fault, at, err)
			}
			// What is still under way arrives with the next commit.
			transact(t, store, func(tx kv.Transaction) error { tx.Add(keyspace.SchemaVersion(), make([]byte, 8)); return nil })
			sameStore(t, base, want)
			if t.Failed() {
				t.Fatalf("%v at operation %d", fault, at)
			}
		}
	}
}

// TestJobsAreFree: who sees a restored job goes on with it.
func TestJobsAreFree(t *testing.T) {
	to := openEmpty(t)
	if err := restore(to, write(t, source(t, 1))); err != nil {
		t.Fatal(err)
	}
	transact(t, to, func(tx kv.Transaction) error {
		list, err := jobs.List(tx)
		if err == nil && (len(list) != 1 || list[0].Holder != "" || string(list[0].Checkpoint) != "x") {
			t.Errorf("%+v", list)
		}
		return err
	})
}

// TestFirstFormat: a file of the first format, which says no position, is restored as before; nothing goes on from it.
func TestFirstFormat(t *testing.T) {
	from := source(t, 300)
	all := frames(write(t, from))
	sealed := func(frame []byte) []byte {
		return binary.BigEndian.AppendUint32(frame, crc32.Checksum(frame, crc32.MakeTable(crc32.Castagnoli)))
	}
	end, tail := all[len(all)-1], all[len(all)-2]
	if tail[0] != 'T' || end[0] != 'E' {
		t.Fatalf("the last frames are of kinds %c and %c", tail[0], end[0])
	}
	short := append([]byte{'E'}, tail[1:9]...) // its number
	short = append(binary.BigEndian.AppendUint32(short, 16), end[13:29]...)
	begin := bytes.Clone(all[0])
	begin[20] = 1
	file := bytes.Join(append(append([][]byte{begin}, all[1:len(all)-2]...), sealed(short)), nil)
	if err := backup.CheckEnd(bytes.NewReader(file), int64(len(file))); err != nil {
		t.Error(err)
	}
	if _, err := backup.ReadPosition(bytes.NewReader(file), int64(len(file))); err == nil ||
		!strings.Contains(err.Error(), "begin with a full copy") {
		t.Errorf("its position: %v", err)
	}
	to := openEmpty(t)
	if err := restore(to, file); err != nil {
		t.Fatal(err)
	}
	sameStore(t, to, expected(t, contents(t, from)))
}

// TestPosition: where a file ends is read from its end, and damage there is seen.
func TestPosition(t *testing.T) {
	file := write(t, source(t, 3))
	p, err := backup.ReadPosition(bytes.NewReader(file), int64(len(file)))
	if err != nil || p.Version == 0 {
		t.Fatalf("%+v, %v", p, err)
	}
	for at := len(file) - 200; at < len(file); at++ {
		changed := bytes.Clone(file)
		changed[at] ^= 1
		q, err := backup.ReadPosition(bytes.NewReader(changed), int64(len(changed)))
		if err == nil && q.Version != p.Version {
			t.Errorf("byte %d changed: %+v", at, q)
		}
	}
	for at := range len(file) {
		if _, err := backup.ReadPosition(bytes.NewReader(file[:at]), int64(at)); err == nil {
			t.Errorf("cut at %d: it has a position", at)
		}
	}
}

// TestOneAtATime: of a long chain one file is open at a time, and each is closed.
func TestOneAtATime(t *testing.T) {
	store := source(t, 1)
	if _, err := catalog.EnsureStoreID(context.Background(), store); err != nil {
		t.Fatal(err)
	}
	var files []backup.Source
	open := 0
	var since *backup.Position
	for range 5 {
		var file bytes.Buffer
		opts := backup.Options{Since: since, Open: func(*catalog.Table) (*tables.Collection, error) {
			return nil, errors.New("there is no table")
		}}
		if _, err := backup.Write(context.Background(), store, &file, backup.Header{}, &backup.Progress{}, opts); err != nil {
			t.Fatal(err)
		}
		p, err := backup.ReadPosition(bytes.NewReader(file.Bytes()), int64(file.Len()))
		if err != nil || p.At.IsZero() {
			t.Fatal(p, err)
		}
		since = &p
		files = append(files, backup.Source{Open: func() (io.ReadCloser, error) {
			if open++; open > 1 {
				t.Errorf("%d files are open", open)
			}
			return closing{&file, func() { open-- }}, nil
		}})
	}
	if _, _, err := backup.Verify(context.Background(), files, &backup.Progress{}); err != nil || open != 0 {
		t.Errorf("%v, and %d files are open", err, open)
	}
}

type closing struct {
	io.Reader
	done func()
}

func (c closing) Close() error { c.done(); return nil }

// TestTemporaryTables: what the sessions of the copied store had in temporary tables is in no restored one.
func TestTemporaryTables(t *testing.T) {
	from := source(t, 5)
	want := expected(t, contents(t, from))
	number := int64(-300)
	gone := [][]byte{keyspace.NewCollection(number, 1).Document(tuple.AppendString(nil, "a"), 0),
		keyspace.NewCollection(-1, 1).InfoDocuments(), keyspace.KeypathNext(number), keyspace.KeypathByName(number, "a"),
		keyspace.AutoIncrement(number),
		keyspace.Temporary("process", number), keyspace.TemporaryOwner("process")}
	transact(t, from, func(tx kv.Transaction) error {
		for _, key := range gone {
			tx.Set(key, []byte{1, 0, 0, 0, 0, 0, 0, 0})
		}
		return nil
	})
	to := openEmpty(t)
	if err := restore(to, write(t, from)); err != nil {
		t.Fatal(err)
	}
	sameStore(t, to, want)
}

package pebblekv_test

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"io"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/sqlfdb/sqlfdb/internal/testseed"
	"github.com/sqlfdb/sqlfdb/kv"
	"github.com/sqlfdb/sqlfdb/kv/pebblekv"
)

var allPairs = flag.Bool("damage-pairs", false, "damage every pair of a store's files, not a share of them")

// files are a folder's, by name.
type files map[string][]byte

func filesOf(t *testing.T, fs vfs.FS) files {
	t.Helper()
	names, err := fs.List("store")
	if err != nil {
		t.Fatal(err)
	}
	all := files{}
	for _, name := range names {
		f, err := fs.Open(fs.PathJoin("store", name))
		if err != nil {
			t.Fatal(err)
		}
		b, err := io.ReadAll(f)
		if err := errors.Join(err, f.Close()); err != nil {
			t.Fatal(err)
		}
		all[name] = b
	}
	return all
}

func (all files) disk(t *testing.T) vfs.FS {
	t.Helper()
	fs := vfs.NewMem()
	if err := fs.MkdirAll("store", 0o700); err != nil {
		t.Fatal(err)
	}
	for name, b := range all {
		f, err := fs.Create(fs.PathJoin("store", name), vfs.WriteCategoryUnspecified)
		if err != nil {
			t.Fatal(err)
		}
		_, err = f.Write(bytes.Clone(b))
		if err := errors.Join(err, f.Close()); err != nil {
			t.Fatal(err)
		}
	}
	return fs
}

// kind is what a file is, whatever its number.
func kind(name string) string {
	if strings.HasPrefix(name, "marker.") {
		return strings.Join(strings.Split(name, ".")[:2], ".")
	}
	if _, ending, ok := strings.Cut(name, "."); ok {
		return ending
	}
	if before, _, ok := strings.Cut(name, "-0"); ok {
		return before
	}
	return name
}

// damages are what can become of a file; each returns false where that changes nothing.
var damages = map[string]func(all, former files, name string) bool{
	"missing": func(all, _ files, name string) bool { delete(all, name); return true },
	"empty": func(all, _ files, name string) bool {
		was := len(all[name])
		all[name] = nil
		return was > 0
	},
	"cut": func(all, _ files, name string) bool {
		was := len(all[name])
		all[name] = all[name][:was/2]
		return was > 1
	},
	"short": func(all, _ files, name string) bool {
		was := len(all[name])
		all[name] = all[name][:max(0, was-20)]
		return was > 20
	},
	"zeroed": func(all, _ files, name string) bool {
		was := len(all[name])
		all[name] = make([]byte, was)
		return was > 0
	},
	"flipped": func(all, _ files, name string) bool {
		b := bytes.Clone(all[name])
		if len(b) == 0 {
			return false
		}
		b[len(b)/3] ^= 0x10
		all[name] = b
		return true
	},
	// former: the older file of its kind, by the name of this one.
	"former": func(all, former files, name string) bool {
		for _, older := range slices.Sorted(maps.Keys(former)) {
			if kind(older) != kind(name) || bytes.Equal(former[older], all[name]) && older == name {
				continue
			}
			if strings.HasPrefix(name, "marker.") {
				delete(all, name)
				all[older] = former[older]
				return older != name
			}
			all[name] = former[older]
			return true
		}
		return false
	},
	// restored: the older files of its kind by their own names, in place of all that are there.
	"restored": func(all, former files, name string) bool {
		changed := false
		for other := range all {
			if kind(other) == kind(name) {
				delete(all, other)
			}
		}
		for older, b := range former {
			if kind(older) == kind(name) {
				all[older], changed = b, true
			}
		}
		return changed
	},
}

type damage struct{ file, what string }

// contents are all keys and values of a store, and how often it was added to.
func contents(s kv.Store) (map[string]string, error) {
	tx, err := s.Begin(context.Background(), kv.TransactionOptions{})
	if err != nil {
		return nil, err
	}
	defer tx.Cancel()
	all := map[string]string{}
	it := tx.Range(kv.Range{End: kv.MaxKey}, kv.RangeOptions{Streaming: kv.StreamAll})
	defer it.Close()
	for it.Next() {
		all[string(it.Key())] = string(it.Value())
	}
	return all, it.Err()
}

// TestDamagedFiles takes away, cuts, overwrites and swaps each file of a store, and pairs of them: what opens is
// what was acknowledged, and whatever is refused is left as it is.
func TestDamagedFiles(t *testing.T) {
	seed := testseed.Of(t, "", 0)
	rng := rand.New(rand.NewPCG(seed, 0))
	fs := vfs.NewCrashableMem()
	opts := pebblekv.Options{FS: fs, MemTableBytes: 64 << 10}
	n := 0
	more := func(s kv.Store, pairs int) {
		for range pairs {
			n++
			if err := pair(s, n, 300); err != nil {
				t.Fatal(err)
			}
		}
	}
	s := open(t, "store", opts)
	more(s, 60)
	former := filesOf(t, fs)
	more(s, 10)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	s = open(t, "store", opts)
	more(s, 250)
	want, err := contents(s)
	if err != nil {
		t.Fatal(err)
	}
	if err := pebblekv.Note(s); err != nil {
		t.Fatal(err)
	}
	killed := filesOf(t, fs.CrashClone(vfs.CrashCloneCfg{UnsyncedDataPercent: 100, RNG: rng}))
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	closed := filesOf(t, fs)
	for state, all := range map[string]files{"killed": killed, "closed": closed} {
		t.Run(state, func(t *testing.T) {
			opened, refused := 0, 0
			try := func(which ...damage) {
				if damaged(t, all, former, want, which...) {
					opened++
				} else {
					refused++
				}
			}
			try()
			if opened != 1 {
				t.Fatal("undamaged, it does not open")
			}
			var singles []damage
			for _, name := range slices.Sorted(maps.Keys(all)) {
				for _, what := range slices.Sorted(maps.Keys(damages)) {
					singles = append(singles, damage{name, what})
				}
			}
			for _, one := range singles {
				try(one)
			}
			var pairs [][2]damage
			for i, one := range singles {
				for _, two := range singles[i+1:] {
					if one.file != two.file {
						pairs = append(pairs, [2]damage{one, two})
					}
				}
			}
			share := len(pairs)
			if !*allPairs {
				share = 400
				if testing.Short() {
					share = 100
				}
				rng.Shuffle(len(pairs), func(i, j int) { pairs[i], pairs[j] = pairs[j], pairs[i] })
			}
			for _, p := range pairs[:min(share, len(pairs))] {
				try(p[0], p[1])
			}
			t.Logf("%d files, %d of %d pairs: %d opened whole, %d refused", len(all), share, len(pairs), opened, refused)
		})
	}
}

// damaged opens a damaged copy, and reports whether that succeeds.
func damaged(t *testing.T, whole, former files, want map[string]string, which ...damage) bool {
	t.Helper()
	all := maps.Clone(whole)
	for _, d := range which {
		if _, ok := all[d.file]; !ok || !damages[d.what](all, former, d.file) {
			return true // as it was
		}
	}
	disk := all.disk(t)
	type outcome struct {
		s   kv.Store
		err error
	}
	done := make(chan outcome, 1)
	go func() {
		s, err := pebblekv.Open("store", pebblekv.Options{FS: disk, MemTableBytes: 64 << 10})
		done <- outcome{s, err}
	}()
	var got outcome
	select {
	case got = <-done:
	case <-time.After(time.Minute):
		t.Fatalf("%v: does not open, nor fail", which)
	}
	if got.err != nil {
		left := filesOf(t, disk)
		for name, b := range all {
			// Pebble may have gone on, and removed what it no longer needs, before it met what it can't read.
			mine := errors.Is(got.err, kv.ErrIncomplete) && (all["SQLFDB-STORE"] != nil || all["SQLFDB-LAST"] != nil)
			if len(b) > 0 && mine && !bytes.Equal(left[name], b) {
				t.Errorf("%v: %s is refused (%v) and changed", which, name, got.err)
			}
		}
		return false
	}
	have, err := contents(got.s)
	if err == nil && !maps.Equal(have, want) {
		t.Errorf("%v: it opens with %d keys of %d", which, len(have), len(want))
	}
	if closed := got.s.Close(); err == nil && closed != nil {
		t.Errorf("%v: close: %v", which, closed)
	}
	return err == nil
}

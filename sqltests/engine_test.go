package sqltests

import (
	"context"
	"flag"
	"io"
	"testing"

	"github.com/sqlfdb/sqlfdb/kv"
	"github.com/sqlfdb/sqlfdb/kv/kvopen"
	"github.com/sqlfdb/sqlfdb/kv/pebblekv"
	"github.com/sqlfdb/sqlfdb/server"
)

// An engine makes stores. What is tested once per engine ranges over engines.
type engine struct {
	name string
	// shared: several processes may have a store open.
	shared bool
	// place is where a new, empty store can be, as --store takes it.
	place func(t testing.TB) string
}

// engines is the one place that lists them; clusters are those of many processes that the build knows.
var engines = append([]engine{{
	name:  "pebble",
	place: func(t testing.TB) string { return "pebble:" + t.TempDir() },
}}, clusters...)

var underTest = flag.String(
	"engine", "pebble", "the engine of the tests that need just a store: pebble, or fdb in a build under that tag")

// storeIn names a store for a directory of the test's: always the same for one directory.
func storeIn(t testing.TB, dir string) string {
	t.Helper()
	switch {
	case *underTest == "pebble":
		return "pebble:" + dir
	case len(clusters) == 0:
		t.Fatalf("-engine %s: this build has no such engine", *underTest)
	}
	return clusterIn(t, dir)
}

// openIn opens the store of a directory of the test's, without any change of its settings.
func openIn(t testing.TB, dir string) kv.Store {
	t.Helper()
	return engine{}.open(t, storeIn(t, dir))
}

// waiting is a store whose reads, it says, are worth starting before they are asked for: what
// is done for a cluster is done over the embedded engine too.
type waiting struct{ kv.Store }

// ReadsWait implements kv.Store.
func (waiting) ReadsWait() bool { return true }

// newStore opens a new, empty store that no other process opens and that is not opened again: for tests, which don't
// ask here what a disk keeps, the embedded engine's is in memory; for benchmarks it is where a server's would be.
func newStore(t testing.TB) kv.Store {
	t.Helper()
	if *underTest != "pebble" || measures(t) {
		return openIn(t, t.TempDir())
	}
	return inMemory(t, pebblekv.Options{})
}

// measures tells whether the stores of t are measured, and so where a server's would be.
func measures(t testing.TB) bool {
	_, is := t.(*testing.B)
	return is
}

// inMemory opens an embedded store in memory.
func inMemory(t testing.TB, opts pebblekv.Options) kv.Store {
	t.Helper()
	opts.FS = pebblekv.MemoryFS()
	s, err := pebblekv.Open("store", opts)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// embedded skips a test of what the embedded engine alone does.
func embedded(t testing.TB) {
	t.Helper()
	if *underTest != "pebble" {
		t.Skip("it is about the embedded engine")
	}
}

// fresh opens a new, empty store as newStore does.
func (e engine) fresh(t testing.TB) kv.Store {
	t.Helper()
	if e.shared || measures(t) {
		return e.open(t, e.place(t))
	}
	return inMemory(t, pebblekv.Options{})
}

// open opens the store of a place.
func (engine) open(t testing.TB, place string) kv.Store {
	t.Helper()
	s, err := kvopen.Open(place, kvopen.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// serveStore serves a store in this process until the test ends, and closes it then. What the server logs is shown with
// the test, unless opts say where it goes.
func serveStore(t testing.TB, store kv.Store, opts server.Options) *server.Server {
	t.Helper()
	opts.Listen, opts.Output = "127.0.0.1:0", io.Discard
	if opts.Log == nil {
		opts.Log = testLog{t}
	}
	s, err := server.Start(context.Background(), store, opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(context.Background()); err != nil {
			t.Error(err)
		}
		if err := store.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

package harness

import (
	"flag"
	"testing"

	"github.com/sqlfdb/sqlfdb/kv"
	"github.com/sqlfdb/sqlfdb/kv/kvopen"
	"github.com/sqlfdb/sqlfdb/kv/pebblekv"
)

// An Engine makes stores. What is tested once per engine ranges over engines.
type Engine struct {
	Name string
	// shared: several processes may have a store open.
	Shared bool
	// place is where a new, empty store can be, as --store takes it.
	Place func(t testing.TB) string
}

// Engines is the one place that lists them; clusters are those of many processes that the build knows.
var Engines = append([]Engine{{
	Name:  "pebble",
	Place: func(t testing.TB) string { return "pebble:" + t.TempDir() },
}}, clusters...)

// UnderTest names the engine of the tests that need just a store.
var UnderTest = flag.String(
	"engine", "pebble", "the engine of the tests that need just a store: pebble; distant, which is it with the limits "+
		"of a cluster; or fdb in a build under that tag")

// StoreIn names a store for a directory of the test's: always the same for one directory.
func StoreIn(t testing.TB, dir string) string {
	t.Helper()
	switch {
	case *UnderTest == "pebble", *UnderTest == "distant":
		return "pebble:" + dir
	case len(clusters) == 0:
		t.Fatalf("-engine %s: this build has no such engine", *UnderTest)
	}
	return clusterIn(t, dir)
}

// OpenIn opens the store of a directory of the test's, without any change of its settings.
func OpenIn(t testing.TB, dir string) kv.Store {
	t.Helper()
	return Engine{}.open(t, StoreIn(t, dir))
}

// waiting is a store whose reads, it says, are worth starting before they are asked for: what
// is done for a cluster is done over the embedded engine too.
type waiting struct{ kv.Store }

// ReadsWait implements kv.Store.
func (waiting) ReadsWait() bool { return true }

// NewStore opens a new, empty store that no other process opens and that is not opened again: for tests, which don't
// ask here what a disk keeps, the embedded engine's is in memory; for benchmarks it is where a server's would be.
func NewStore(t testing.TB) kv.Store {
	t.Helper()
	switch {
	case *UnderTest == "distant":
		return newDistant(t)
	case *UnderTest != "pebble" || measures(t):
		return OpenIn(t, t.TempDir())
	}
	return InMemory(t, pebblekv.Options{})
}

// measures reports whether the stores of t are measured, and so where a server's would be.
func measures(t testing.TB) bool {
	_, is := t.(*testing.B)
	return is
}

// InMemory opens an embedded store in memory.
func InMemory(t testing.TB, opts pebblekv.Options) kv.Store {
	t.Helper()
	opts.FS = pebblekv.MemoryFS()
	s, err := pebblekv.Open("store", opts)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// Embedded skips a test of what the embedded engine alone does.
func Embedded(t testing.TB) {
	t.Helper()
	if *UnderTest != "pebble" {
		t.Skip("it is about the embedded engine")
	}
}

// Fresh opens a new, empty store as newStore does.
func (e Engine) Fresh(t testing.TB) kv.Store {
	t.Helper()
	if e.Shared || measures(t) {
		return e.open(t, e.Place(t))
	}
	return InMemory(t, pebblekv.Options{})
}

// open opens the store of a place.
func (Engine) open(t testing.TB, place string) kv.Store {
	t.Helper()
	s, err := kvopen.Open(place, kvopen.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

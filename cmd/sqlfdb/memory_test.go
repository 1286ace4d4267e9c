package main

import "testing"

// TestDivide: the cache and the statements have their parts of --memory.
func TestDivide(t *testing.T) {
	const gib = 1 << 30
	for _, test := range []struct {
		machine       int64
		memory, cache string // "" is the default
		want          int64  // of the cache; 0: refused
	}{
		{8 * gib, "", "", 8 * gib / 100 * 25},
		{8 * gib, "1GiB", "", gib / 2},
		{8 * gib, "1GiB", "256MiB", gib / 4},
		{8 * gib, "1GiB", "600MiB", 0},
		{8 * gib, "", "7GiB", 0},
		{0, "", "600MiB", 600 << 20},
		{0, "1GiB", "", 128 << 20},
	} {
		f := serveFlags{cache: newCacheFlag(test.machine), memory: newMemoryFlag(test.machine)}
		for flag, text := range map[*cacheFlag]string{f.cache: test.cache, f.memory: test.memory} {
			if text == "" {
				continue
			}
			if err := flag.Set(text); err != nil {
				t.Fatal(err)
			}
		}
		err := f.divide()
		if (err != nil) != (test.want == 0) || err == nil && f.cache.bytes != test.want {
			t.Errorf("%+v: a cache of %d, %v", test, f.cache.bytes, err)
		}
		switch rest := f.memory.bytes - f.cache.bytes; {
		case err != nil:
		case f.memory.bytes == 0 && (f.heap != 0 || f.statements != 0):
			t.Errorf("%+v: %d and %d of what nobody knows", test, f.heap, f.statements)
		case f.memory.bytes > 0 &&
			(f.statements >= rest || f.statements < rest/2 || f.heap < rest || f.heap > f.memory.bytes):
			t.Errorf("%+v: %d for statements, %d for the heap, %d without the cache", test, f.statements, f.heap, rest)
		}
	}
}

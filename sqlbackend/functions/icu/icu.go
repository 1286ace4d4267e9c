// Package icu has the library of regular expressions compiled at its first use, not at the start of each process.
//
// The library is WebAssembly in go-icu-regex, which compiles it in a package variable: 0.4 s of processor time, which
// is most of what a short command takes. It has no setting for that. So this package, which imports nothing that
// go-icu-regex needs and is therefore initialised before it, puts an empty module in its place.
//
// Where a later version has other names, or is initialised earlier, the start compiles the library again; the test
// shows it.
package icu

import (
	"sync"
	"unsafe"
)

//go:linkname library github.com/dolthub/go-icu-regex.icuWasm
var library []byte

//go:linkname pool github.com/dolthub/go-icu-regex.modulePool
var pool unsafe.Pointer

// empty is the shortest module of WebAssembly.
var empty = []byte("\x00asm\x01\x00\x00\x00")

// whole is the library.
var whole = swap()

func swap() []byte {
	whole := library
	library = empty
	return whole
}

var load sync.Once

// Load has the library ready for go-icu-regex. newPool is its NewPool, whose result also serves the engine.
func Load(newPool func() unsafe.Pointer) {
	load.Do(func() {
		library = whole
		pool = newPool()
	})
}

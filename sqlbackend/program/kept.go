package program

import (
	"sync"
	"sync/atomic"
)

// Kept are the programs of a server.
type Kept[P any] struct {
	mu   sync.RWMutex
	kept map[Key]P
	// Hits counts the runs of programs.
	Hits atomic.Int64
}

// Key is where a program is found.
type Key struct {
	Database, Settings, Text, Kinds string
}

// most bounds the programs that are kept: beyond it all begin again.
const most = 1024

// Find finds the program that is kept at a key.
func (k *Kept[P]) Find(at Key) (p P, ok bool) {
	k.mu.RLock()
	defer k.mu.RUnlock()
	p, ok = k.kept[at]
	return p, ok
}

// Keep keeps a program.
func (k *Kept[P]) Keep(at Key, p P) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.kept == nil || len(k.kept) >= most {
		k.kept = map[Key]P{}
	}
	k.kept[at] = p
}

// Count is how many are kept.
func (k *Kept[P]) Count() int {
	k.mu.RLock()
	defer k.mu.RUnlock()
	return len(k.kept)
}

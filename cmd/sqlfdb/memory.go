package main

import "fmt"

// defaultMemoryPercent is the part of the memory that a server takes without --memory.
const defaultMemoryPercent = 75

// newMemoryFlag is the value of --memory; its bytes are 0 where nobody knows the memory.
func newMemoryFlag(memory int64) *cacheFlag {
	if memory == 0 {
		return &cacheFlag{text: "unbounded"}
	}
	share := fmt.Sprintf("%d%%", defaultMemoryPercent)
	return &cacheFlag{memory: memory, text: share, bytes: memory / 100 * defaultMemoryPercent}
}

// The parts of a server's memory: the cache takes at most this part of it, and statements this part of the rest.
const (
	maxCacheOfMemory  = 2
	statementsPercent = 75
)

// divide divides --memory: a part for the heap, and of that a part for the statements. It makes the cache smaller,
// unless its size was given.
func (f *serveFlags) divide() error {
	all := f.memory.bytes
	if all == 0 {
		return nil
	}
	if f.cache.bytes > all/maxCacheOfMemory {
		if f.cache.set {
			return fmt.Errorf("--cache %s is more than half of --memory %s", f.cache.text, f.memory.text)
		}
		f.cache.bytes = all / maxCacheOfMemory
	}
	rest := all - f.cache.bytes
	f.heap, f.statements = all, rest/100*statementsPercent
	if cacheOutsideHeap {
		f.heap = rest
	}
	return nil
}

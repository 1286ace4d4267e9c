package server

import (
	"sync"
	"time"
)

// failures are log-ins that were refused, by the account's name and the peer. Each after the first few waits longer
// for its answer, so that passwords can't be guessed quickly.
type failures struct {
	mu sync.Mutex
	of map[string]failure
}

type failure struct {
	count int
	last  time.Time
}

const (
	failuresFree     = 5 // refused at once
	failuresForget   = time.Minute
	failuresPause    = 100 * time.Millisecond // behind the free ones; it doubles
	failuresLongest  = 3 * time.Second
	failuresRemember = 4096 // accounts and peers; beyond it all are forgotten
)

// next counts a refused log-in: how many there were, and how long its answer is to wait.
func (f *failures) next(name string, now time.Time) (count int, pause time.Duration) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.of == nil || len(f.of) >= failuresRemember {
		f.of = map[string]failure{}
	}
	before := f.of[name]
	if now.Sub(before.last) > failuresForget {
		before.count = 0
	}
	count = before.count + 1
	f.of[name] = failure{count, now}
	if count <= failuresFree {
		return count, 0
	}
	return count, min(failuresLongest, failuresPause<<min(count-failuresFree-1, 10))
}

// end forgets the failures of an account that has logged in.
func (f *failures) end(name string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	delete(f.of, name)
}

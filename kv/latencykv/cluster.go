package latencykv

import (
	"sync"
	"time"
)

// Cluster is servers that share the keys of a store. Each does one thing at a time, and things wait for one another in
// its queue. It is safe for concurrent use.
type Cluster struct {
	// Read and Write are how long a server takes for a key, or for the first batch of a range.
	Read, Write time.Duration
	// Team is where a key is: numbers of servers from 0 on. A read asks the one that is free first, a write all of them.
	Team func(key []byte) []int

	mu   sync.Mutex
	free []time.Time     // when each server has done what it was asked for
	busy []time.Duration // how long each has worked for that
}

// Busy is how long a server has worked, or will have once it has done what it was asked for.
func (c *Cluster) Busy(server int) time.Duration {
	c.mu.Lock()
	defer c.mu.Unlock()
	if server >= len(c.busy) {
		return 0
	}
	return c.busy[server]
}

// SetCluster makes what is asked for from now on wait for the servers of a cluster; nil: for nobody.
func (s *Store) SetCluster(c *Cluster) { s.cluster.Store(c) }

// serve is when a server has done what it is asked for at a time. It needs mu.
func (c *Cluster) serve(server int, at time.Time, takes time.Duration) time.Time {
	for server >= len(c.free) {
		c.free, c.busy = append(c.free, time.Time{}), append(c.busy, 0)
	}
	c.busy[server] += takes
	if c.free[server].After(at) {
		at = c.free[server]
	}
	c.free[server] = at.Add(takes)
	return c.free[server]
}

// read is when a key has been read that is asked for at a time.
func (c *Cluster) read(key []byte, at time.Time) time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	team := c.Team(key)
	best := team[0]
	for _, server := range team[1:] {
		if server >= len(c.free) || best < len(c.free) && c.free[server].Before(c.free[best]) {
			best = server
		}
	}
	return c.serve(best, at, c.Read)
}

// write is when all servers have written keys that are committed at a time.
func (c *Cluster) write(keys [][]byte, at time.Time) time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	last := at
	for _, key := range keys {
		for _, server := range c.Team(key) {
			if done := c.serve(server, at, c.Write); done.After(last) {
				last = done
			}
		}
	}
	return last
}

// Package pool keeps the collections in buckets that a process has opened, and counts each statement's requests to
// them.
//
// It knows no SQL. A collection is opened when it is read or written for the first time, and stays open. All users
// share one collection, which keeps the known indexes and keypaths, and the state of writing.
package pool

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/sqlfdb/sqlfdb/bucket/collection"
	"github.com/sqlfdb/sqlfdb/bucket/store"
)

// Place is where a collection is, and how much of it is cached.
type Place struct {
	Address    string // as store.Open reads it
	Collection string
	CacheBytes int64
}

// DefaultCache is how many bytes of a collection's files are cached by default.
const DefaultCache = 16 << 20

// ParsePlace reads an address with the options "collection" and "cache", the name of the collection and the bytes
// that are kept. name is the collection's name if the address has none. It fails with store.ErrAddress; the error
// does not have the address, which may hold a secret by mistake.
func ParsePlace(address, name string) (Place, error) {
	p := Place{Collection: name, CacheBytes: DefaultCache}
	before, query, has := strings.Cut(address, "?")
	if !has {
		p.Address = address
		return p, nil
	}
	values, err := url.ParseQuery(query)
	if err != nil {
		return p, fmt.Errorf("%w: not a URL", store.ErrAddress)
	}
	if v := values.Get("collection"); v != "" {
		p.Collection = v
	}
	if v := values.Get("cache"); v != "" {
		if p.CacheBytes, err = strconv.ParseInt(v, 10, 64); err != nil || p.CacheBytes < 0 {
			return p, fmt.Errorf("%w: cache is a number of bytes", store.ErrAddress)
		}
	}
	values.Del("collection")
	values.Del("cache")
	if p.Address = before; len(values) > 0 {
		p.Address += "?" + values.Encode()
	}
	return p, nil
}

// String is the address as ParsePlace reads it, with everything that a table of another name needs to know.
func (p Place) String() string {
	out := p.Address
	add := func(name, value string) {
		if strings.Contains(out, "?") {
			out += "&"
		} else {
			out += "?"
		}
		out += name + "=" + url.QueryEscape(value)
	}
	add("collection", p.Collection)
	if p.CacheBytes != DefaultCache {
		add("cache", strconv.FormatInt(p.CacheBytes, 10))
	}
	return out
}

// Pool is the collections that are open.
type Pool struct {
	mu   sync.Mutex
	open map[where]*shared
}

// where identifies a collection.
type where struct{ address, collection string }

// Of is the collection at a place, which is opened when it is first needed. All places of one collection share its
// known indexes and keypaths, and the largest of their caches.
func (p *Pool) Of(place Place) *Collection {
	at := where{address: store.SameAddress(place.Address), collection: place.Collection}
	p.mu.Lock()
	defer p.mu.Unlock()
	c := p.open[at]
	if c == nil {
		c = &shared{turn: make(chan struct{}, 1)}
		if p.open == nil {
			p.open = map[where]*shared{}
		}
		p.open[at] = c
	}
	c.keep(place.CacheBytes)
	return &Collection{shared: c, place: place}
}

// Close gives up this process's role as the writer of collections, so that others need not wait.
func (p *Pool) Close(ctx context.Context) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	var failed []error
	for _, c := range p.open {
		if opened := c.opened.Load(); opened != nil {
			failed = append(failed, opened.Flush(ctx))
		}
	}
	return errors.Join(failed...)
}

// Collection is a collection that is opened when it is needed.
type Collection struct {
	*shared
	place Place
}

// shared is the state of a collection that all its places share.
type shared struct {
	turn   chan struct{} // held while it is opened
	opened atomic.Pointer[collection.Collection]
	count  atomic.Int64 // one more than the documents that are known of; 0: none has been counted

	mu    sync.Mutex
	bytes int64        // how much the cache may keep
	cache *store.Cache // nil: it has not been opened
}

// keep lets the cache keep at least so many bytes.
func (c *shared) keep(bytes int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.bytes = max(c.bytes, bytes)
	if c.cache != nil {
		c.cache.Grow(c.bytes)
	}
}

// over puts a cache over a store.
func (c *shared) over(st store.Store) store.Store {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.cache = store.NewCache(st, c.bytes)
	return c.cache
}

// Place is where the collection is.
func (c *Collection) Place() Place { return c.place }

// Open returns the collection as it is known by now, and not longer than that may be known.
func (c *Collection) Open(ctx context.Context) (*collection.Collection, error) {
	if opened := c.opened.Load(); opened != nil {
		return opened, opened.Refresh(ctx)
	}
	select {
	case c.turn <- struct{}{}:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	defer func() { <-c.turn }()
	if opened := c.opened.Load(); opened != nil {
		return opened, nil
	}
	st, err := store.Open(c.place.Address)
	if err != nil {
		return nil, err
	}
	opened, err := collection.Open(ctx, c.over(metered{st}), c.place.Collection, collection.Options{})
	if err != nil {
		return nil, err
	}
	c.opened.Store(opened)
	return opened, nil
}

// Exists reports whether there is such a collection, as collection.Exists has it.
func (c *Collection) Exists(ctx context.Context) (bool, error) {
	st, err := store.Open(c.place.Address)
	if err != nil {
		return false, err
	}
	return collection.Exists(ctx, metered{st}, c.place.Collection)
}

// Known is the collection if it has been opened; nil if not.
func (c *shared) Known() *collection.Collection { return c.opened.Load() }

// Documents is about how many documents there are: as many as were last listed, with this process's changes since; 0
// if they have not been listed.
func (c *shared) Documents() int {
	if n := c.count.Load(); n > 0 {
		return max(1, int(n-1))
	}
	return 0
}

// Counted notes how many documents have been listed.
func (c *shared) Counted(n int) { c.count.Store(int64(n) + 1) }

// Grown notes how many documents have been added, or with a minus removed.
func (c *shared) Grown(n int) {
	if c.count.Load() > 0 {
		c.count.Add(int64(n))
	}
}

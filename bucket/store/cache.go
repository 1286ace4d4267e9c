package store

import (
	"container/list"
	"context"
	"errors"
	"sync"
)

// Cache keeps bodies with their ETags. Each Get still asks the store, which answers that the body has not changed, so
// that no answer is stale: it saves bytes, not requests.
type Cache struct {
	Store
	max int64

	mu     sync.Mutex
	size   int64
	recent *list.List // of *Object, the most recently used first
	byKey  map[string]*list.Element
}

// NewCache returns s with at most max bytes of bodies kept.
func NewCache(s Store, max int64) *Cache {
	return &Cache{Store: s, max: max, recent: list.New(), byKey: map[string]*list.Element{}}
}

// Grow lets the cache keep at least max bytes.
func (c *Cache) Grow(bytes int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.max = max(c.max, bytes)
}

func (c *Cache) kept(key string) (Object, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	e, ok := c.byKey[key]
	if !ok {
		return Object{}, false
	}
	c.recent.MoveToFront(e)
	return *e.Value.(*Object), true
}

func (c *Cache) keep(o Object) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.drop(o.Key)
	if o.ETag == "" || c.max <= 0 || int64(len(o.Body)) > c.max/8 {
		return
	}
	c.byKey[o.Key] = c.recent.PushFront(&o)
	c.size += weight(o)
	for c.size > c.max {
		c.drop(c.recent.Back().Value.(*Object).Key)
	}
}

func weight(o Object) int64 { return int64(len(o.Body)+len(o.Key)) + 200 }

func (c *Cache) drop(key string) {
	if e, ok := c.byKey[key]; ok {
		c.size -= weight(*e.Value.(*Object))
		c.recent.Remove(e)
		delete(c.byKey, key)
	}
}

// Get implements Store.
func (c *Cache) Get(ctx context.Context, key, known string) (Object, error) {
	old, ok := c.kept(key)
	if known != "" || !ok {
		o, err := c.Store.Get(ctx, key, known)
		if err == nil {
			c.keep(o)
		}
		return o, err
	}
	o, err := c.Store.Get(ctx, key, old.ETag)
	switch {
	case errors.Is(err, ErrNotModified):
		return old, nil
	case err == nil:
		c.keep(o)
	case errors.Is(err, ErrNotFound):
		c.mu.Lock()
		c.drop(key)
		c.mu.Unlock()
	}
	return o, err
}

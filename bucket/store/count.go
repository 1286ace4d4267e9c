package store

import (
	"context"
	"sync/atomic"
)

// Requests are numbers of requests by kind, and bytes of bodies.
type Requests struct {
	Gets, Puts, Deletes, Lists int64
	BytesRead, BytesWritten    int64
}

// Plus returns the sum.
func (r Requests) Plus(o Requests) Requests {
	return Requests{r.Gets + o.Gets, r.Puts + o.Puts, r.Deletes + o.Deletes, r.Lists + o.Lists,
		r.BytesRead + o.BytesRead, r.BytesWritten + o.BytesWritten}
}

// Minus returns the difference.
func (r Requests) Minus(o Requests) Requests {
	return r.Plus(Requests{-o.Gets, -o.Puts, -o.Deletes, -o.Lists, -o.BytesRead, -o.BytesWritten})
}

// All is the number of requests.
func (r Requests) All() int64 { return r.Gets + r.Puts + r.Deletes + r.Lists }

// Count counts the requests to a store, failed ones too.
type Count struct {
	Store
	gets, puts, deletes, lists, read, written atomic.Int64
}

// NewCount returns s with its requests counted.
func NewCount(s Store) *Count { return &Count{Store: s} }

// Requests returns the requests so far.
func (c *Count) Requests() Requests {
	return Requests{c.gets.Load(), c.puts.Load(), c.deletes.Load(), c.lists.Load(), c.read.Load(), c.written.Load()}
}

// Get implements Store.
func (c *Count) Get(ctx context.Context, key, known string) (Object, error) {
	c.gets.Add(1)
	o, err := c.Store.Get(ctx, key, known)
	c.read.Add(int64(len(o.Body)))
	return o, err
}

// Put implements Store.
func (c *Count) Put(ctx context.Context, key string, body []byte, cond Condition) (string, error) {
	c.puts.Add(1)
	c.written.Add(int64(len(body)))
	return c.Store.Put(ctx, key, body, cond)
}

// Delete implements Store.
func (c *Count) Delete(ctx context.Context, key string, cond Condition) error {
	c.deletes.Add(1)
	return c.Store.Delete(ctx, key, cond)
}

// List implements Store.
func (c *Count) List(ctx context.Context, prefix string, o ListOptions) (Page, error) {
	c.lists.Add(1)
	return c.Store.List(ctx, prefix, o)
}
